"""The game of a tree against a secret."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import UsageError
from ..games import Game, parse_symbols
from ..tree import PlayedGame, Tree
from .session import play_secret


def play_tree(
    tree: Tree,
    secret: str | int,
    *,
    limit: int | None = None,
    symbols: str | Sequence[str] | None = None,
) -> PlayedGame:
    """Return the game of a tree against a secret.

    Parameters
    ----------
    tree
        The tree.
    secret
        The secret, as people write it, or its index.
    limit
        Stop after so many guesses.
    symbols
        How colors are written: ``"abcdef"``, or a list; as the game does if None.

    Raises
    ------
    GameError, UsageError
        The secret is no code of the game, or never secret.
    UnreachableError
        It contradicts the history at which the tree starts.

    Examples
    --------
    >>> import treegen
    >>> played = play_tree(treegen.build("p2c3r"), "32")
    >>> len(played), played.is_found
    (4, True)
    """
    game = tree.game
    names = _choose_symbols(game, symbols)
    code = game.parse_secret(secret, names) if isinstance(secret, str) else int(secret)
    text = secret if isinstance(secret, str) else game.format_code(code, names)
    if not 0 <= code < game.n_secrets:
        raise UsageError(f"{text!r} may be guessed but is not one of the secrets")
    turns = tuple(play_secret(tree, code))
    shown = turns[:limit]
    is_found = len(shown) == len(turns)
    return PlayedGame(game, tree.provenance.strategy, text, shown, is_found, names, code)


def _choose_symbols(game: Game, symbols: str | Sequence[str] | None) -> tuple[str, ...]:
    if symbols is None:
        return game.symbols
    return parse_symbols(symbols, game.n_colors) if isinstance(symbols, str) else tuple(symbols)
