"""What functions take for a game or a tree: a value, a name, a path, an open file."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import IO, Any, TypedDict, cast

from .. import games
from ..errors import GameError, TreegenWarning, UsageError
from ..formats import LoadedTree, load_tree
from ..games import (
    Game,
    find_two_cases,
    looks_like_table,
    parse_game,
    parse_symbols,
    read_code,
    read_codebook,
    read_pairs,
    read_questions,
    read_stakes,
)
from ..tree import History, Tree

File = str | os.PathLike[str] | IO[bytes] | IO[str]
"""A path, or an open file."""

GameSource = Game | File
"""A game; its name; the path of a codebook or a table of answers, or such a file, open."""

TreeSource = Tree | str | os.PathLike[str] | bytes | IO[bytes]
"""A tree; the path, the bytes or the open file of a ``.tree`` file or a table."""

Numbers = str | os.PathLike[str] | IO[bytes] | IO[str] | Sequence[Any] | Mapping[str, Any]
"""Weights or costs: a column's or row's name, a file, numbers in order, or numbers by name."""

HistorySource = str | Sequence[tuple[str, str]] | None
"""``1122:02/1344:11``, or pairs of guess and answer."""

Symbols = str | Sequence[str] | None
"""How colors are written: ``"abcdef"``, ``"red,green,blue"``, or a list."""

Notice = Callable[[str], object]


class GameOptions(TypedDict, total=False):
    """The options of `open_game`, which every function that takes a game hands on."""

    feedback: str | None
    guesses: File | None
    goal: str | None
    weights: Numbers | None
    costs: Numbers | None
    strict: bool


MAX_NOTES = 20
"""So many dropped questions and groups of a table are told."""

HEAD_BYTES = 4096


def open_game(
    game: GameSource,
    *,
    feedback: str | None = None,
    guesses: File | None = None,
    goal: str | None = None,
    weights: Numbers | None = None,
    costs: Numbers | None = None,
    strict: bool = False,
    notice: Notice | None = None,
) -> Game:
    """Return the game of a name, of a codebook or of a table of answers.

    Parameters
    ----------
    game
        A name (``"p4c6r"``), a path of a codebook or a table of answers, such a file, open, or a
        game.
    feedback
        Codebooks: how guesses are answered, ``"pegs"`` (default), ``"black"`` or ``"position"``,
        which is also called ``"wordle"``.
    guesses
        Codebooks: a file of further words that may be guessed.
    goal
        ``"win"`` or ``"identify"``: the game is over when the secret is guessed, or when one is
        left.
    weights
        What each secret counts: the name of a table's column, a file of names and numbers, the
        numbers in the order of the secrets, or by name.
    costs
        What each guess costs: the name of a table's row, a file, the numbers in order, or by name.
    strict
        Tables of answers: whether candidates that no question tells apart are refused.
    notice
        Called with what should be known of a file, such as questions that were left out. None: it
        is a `TreegenWarning`.

    Raises
    ------
    GameError
        The name is unknown, the file is no codebook and no table of answers, a number is wrong.
    FormatError
        The file cannot be read.
    UsageError
        An option does not belong to such a game.

    Examples
    --------
    >>> import treegen
    >>> treegen.open_game("p4c6r", goal="identify").n_secrets
    1296
    """
    tell = notice or _warn
    named, stakes = _split_stakes(game, weights, costs)
    if isinstance(game, Game) or not is_file(game):
        opened = game if isinstance(game, Game) else _parse_name(cast(str, game))
        if feedback is not None or guesses is not None:
            black = f"{opened.name}b" if opened.kind == "pegs" and opened.rule == "pegs" else ""
            raise UsageError(
                f"--feedback and --guesses belong to a codebook file; {_write(game)} is not a file"
                + (f" (with black pegs alone it is {black})" if feedback and black else "")
            )
    else:
        source = _look_ahead(game)
        if _is_table(source):
            _refuse_words(feedback, guesses)
            table = read_questions(
                source, goal=goal or "identify", strict=strict, notice=tell, **named
            )
            _tell_notes(table.table.notes, tell)
            return _weigh(table, **stakes)
        opened = read_codebook(source, rule=feedback or "pegs", guesses=guesses)
        _point_out_case(opened.name, opened.words, tell)
    if strict:
        raise UsageError(f"--strict belongs to a table of answers; {_write(game)} is none")
    stakes |= named
    return _weigh(opened if goal is None else opened.with_goal(goal), **stakes)


def is_file(source: GameSource) -> bool:
    """Whether a game is to be read from a file rather than known by its name."""
    if not isinstance(source, str):
        return not isinstance(source, Game)
    return os.path.isfile(source) or os.sep in source  # noqa: PTH113


def open_tree(source: TreeSource, *, check: bool = True) -> LoadedTree:
    """Return a tree, and what its file claims about it; a tree claims nothing.

    Parameters
    ----------
    source
        The tree, or a ``.tree`` file or a table: its path, its bytes, or the open file.
    check
        Whether the columns of a file are checked; otherwise they are as they stand there.
    """
    if isinstance(source, Tree):
        return LoadedTree(source, {})
    if isinstance(source, (str, os.PathLike, bytes)):
        return load_tree(source, check=check)
    return load_tree(source.read(), check=check)


def get_tree(source: TreeSource) -> Tree:
    """Return a tree, read from its file if it is not at hand."""
    return open_tree(source).tree


def parse_history(history: HistorySource, game: Game) -> History:
    """Return the (code, response) pairs of a history.

    Raises
    ------
    UsageError
        A part is not a pair, or a text can be read in two ways.
    GameError
        A code or an answer is none of the game.
    TypeError
        One is no text.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> game = parse_game("p4c6r")
    >>> parse_history("1122:02", game) == parse_history([("1122", "02")], game)
    True
    """
    if isinstance(history, str):
        return games.parse_history(history, game)
    return read_pairs(game, history or ())


def parse_first(first: str | Sequence[str] | None, game: Game) -> tuple[str, ...]:
    """Return first guesses in the game's notation, each of them once."""
    if first is None or first == "":
        return ()
    if isinstance(first, str):
        codes: Sequence[int] = games.parse_codes(first, game)
    else:
        codes = [
            read_code(game, code) for code in (first if isinstance(first, Iterable) else [first])
        ]
    return tuple(map(game.name_guess, dict.fromkeys(codes)))


def choose_symbols(symbols: str | Sequence[str] | None, game: Game) -> tuple[str, ...]:
    """Return how each color is written: as said, or as the game does."""
    if symbols is None or tuple(symbols) == game.symbols:
        return game.symbols
    return parse_symbols(symbols, game.n_colors)


def _parse_name(name: str) -> Game:
    """Return the game of a name; say what is wrong with one that means a file."""
    try:
        return parse_game(name)
    except GameError:
        with suppress(OSError):  # too long for a path
            if Path(name).is_dir():
                raise GameError(f"unknown game {name!r}: it is a folder, not a file") from None
        # The numbers of an arrangement stand between dots, too.
        if Path(name).suffix[1:].isalpha():
            raise GameError(f"unknown game {name!r}: there is no such file") from None
        raise


def _split_stakes(
    game: GameSource, weights: Numbers | None, costs: Numbers | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return weights and costs that name a column or row of a table, and the others."""
    given = {"weights": weights, "costs": costs}
    found = {name: numbers for name, numbers in given.items() if numbers is not None}
    named = {
        name: numbers
        for name, numbers in found.items()
        if isinstance(numbers, str) and not is_file(numbers)
    }
    return named, {name: found[name] for name in found.keys() - named.keys()}


def _weigh(game: Game, weights: Any = None, costs: Any = None) -> Game:
    """Return a game with weights and costs of files or of values, and those that it has."""
    files: dict[str, Any] = {}
    for name, numbers in (("weights", weights), ("costs", costs)):
        if isinstance(numbers, (Mapping, Sequence)) and not isinstance(numbers, str):
            game = _set_numbers(game, name, numbers)
        elif numbers is not None:
            files[name] = numbers
    return read_stakes(game, **files) if files else game


def _set_numbers(game: Game, name: str, numbers: Mapping[str, Any] | Sequence[Any]) -> Game:
    n_codes = game.n_secrets if name == "weights" else game.n_codes
    if isinstance(numbers, Mapping):
        known = {read_code(game, code): number for code, number in numbers.items()}
        numbers = [known.get(code, 1) for code in range(n_codes)]
    kept = {"weights": game.stakes.weights, "costs": game.stakes.costs, name: numbers}
    return game.with_stakes(**kept)


class _Stream(BytesIO):
    """A whole open file, whose beginning is looked at first."""

    name = ""


def _look_ahead(source: File) -> str | _Stream:
    """Return a path, or all that an open file holds."""
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    data = source.read()
    stream = _Stream(data.encode() if isinstance(data, str) else data)
    stream.name = str(getattr(source, "name", ""))
    return stream


def _is_table(source: str | _Stream) -> bool:
    """Whether a file is a table of answers rather than a codebook."""
    if isinstance(source, _Stream):
        name, head = source.name, source.getvalue()[:HEAD_BYTES]
    else:
        name = source
        try:
            with Path(source).open("rb") as stream:
                head = stream.read(HEAD_BYTES)
        except (OSError, ValueError):
            head = b""
    return looks_like_table(name, head.decode("utf-8-sig", errors="replace"))


def _refuse_words(feedback: str | None, guesses: object) -> None:
    if feedback is not None or guesses is not None:
        raise UsageError("--feedback and --guesses belong to a codebook, not a table of answers")


def _tell_notes(notes: Sequence[str], tell: Notice) -> None:
    for note in notes[:MAX_NOTES]:
        tell(note)
    if len(notes) > MAX_NOTES:
        tell(f"… and {len(notes) - MAX_NOTES:,} more such lines")


def _point_out_case(name: str, words: Sequence[str], tell: Notice) -> None:
    """Tell if words contain a letter in both cases: rarely on purpose."""
    letter = find_two_cases(words)
    if letter:
        tell(f"{name} holds {letter!r} and {letter.upper()!r}: they count as two colors")


def _warn(text: str) -> None:
    warnings.warn(TreegenWarning(text), stacklevel=4)


def _write(game: GameSource) -> str:
    return game.name if isinstance(game, Game) else repr(str(game))
