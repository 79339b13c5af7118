"""The game of a tree against a secret."""

from __future__ import annotations

from collections.abc import Sequence

from .._options import check_whole
from ..errors import UsageError
from ..games import Game, parse_symbols, read_code
from ..tree import PlayedGame, Tree
from .session import play_secret


def play_tree(
    tree: Tree,
    secret: str | None = None,
    *,
    index: int | None = None,
    limit: int | None = None,
    symbols: str | Sequence[str] | None = None,
) -> PlayedGame:
    """Return the game of a tree against a secret.

    Parameters
    ----------
    tree
        The tree.
    secret
        The secret, as people write it; or else
    index
        its place among the secrets, from 0.
    limit
        Stop after so many guesses.
    symbols
        How colors are written: ``"abcdef"``, or a list; as the game does if None.

    Raises
    ------
    GameError, UsageError
        The secret is no code of the game, or never secret; neither or both of `secret` and `index`
        are given.
    TypeError
        The secret is no text.
    UnreachableError
        It contradicts the history at which the tree starts.

    Examples
    --------
    >>> import treegen
    >>> played = play_tree(treegen.build("p2c3r"), "32")
    >>> len(played), played.is_found
    (4, True)
    """
    check_whole(limit=limit)
    game = tree.game
    names = _choose_symbols(game, symbols)
    if (secret is None) == (index is None):
        raise UsageError("a game is played against a secret or against the secret of an index")
    if index is not None and not 0 <= index < game.n_secrets:
        raise UsageError(
            f"index {index} is out of range: the secrets are 0 to {game.n_secrets - 1}"
        )
    code = read_code(game, secret, names, is_secret=True) if index is None else int(index)
    found = game.format_code(code, names)
    if code >= game.n_secrets:
        raise UsageError(f"{secret!r} may be guessed but is not one of the secrets")
    turns = tuple(play_secret(tree, code))
    shown = turns[:limit]
    is_found = len(shown) == len(turns)
    return PlayedGame(
        game, tree.provenance.strategy, secret or found, shown, is_found, names, found
    )


def _choose_symbols(game: Game, symbols: str | Sequence[str] | None) -> tuple[str, ...]:
    if symbols is None or tuple(symbols) == game.symbols:
        return game.symbols
    return parse_symbols(symbols, game.n_colors)
