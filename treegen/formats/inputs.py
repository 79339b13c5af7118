"""What functions take for a game, its rules, a history: values, names, paths, open files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypedDict, cast

from .._files import sniff_kind, suggest_file, unify_lines
from .._options import COUNT, Option, check_given, check_range, declare, describe_parameters
from ..errors import GameError, MissingGameError, TreegenError, UsageError, warn
from ..games import histories
from ..games.base import Game
from ..games.codebook import list_words
from ..games.feedback import COMPARISONS, RULES, AnyFeedbackName
from ..games.names import parse_game
from ..games.notation import check_guess, read_code, read_pairs
from ..games.ready import set_prevalence
from ..games.rules import GROUP_MARK, GoalName, Number
from ..games.tables.frame import HeldTable, is_held
from ..games.text import clean, strip_accents
from ..games.thresholds import spread_columns
from ..strategies.named import list_names
from ..strategies.strategy import CellFunction, Strategy
from ..tasks.checkpoint import Notice as Notice
from ..tree.tree import History

if TYPE_CHECKING:
    from ..games.word_files import WordList

# What reads files is imported where there is one: most games have names, and commands start sooner.

File = str | os.PathLike[str] | IO[bytes] | IO[str]
"""A path, or an open file."""

GameSource = Game | File | HeldTable
"""A game; its name; the path of a codebook or a table of answers, or such a file, open.

A table may also be a frame of pandas or polars, a table of Arrow or a list of dicts.
"""

StrategySource = str | Strategy | CellFunction
"""A name or a chain; a strategy; or a function of the sizes of a guess's cells: see `make_chain`.
"""

Numbers = str | os.PathLike[str] | IO[bytes] | IO[str] | Iterable[Any] | Mapping[str, Any]
"""Weights or costs: a column's or row's name, a file, numbers in order, or numbers by name."""

HistorySource = str | Sequence[tuple[str, str]] | None
"""``1122:02/1344:11``, or pairs of guess and answer."""

Symbols = str | Sequence[str] | None
"""How colors are written: ``"abcdef"``, ``"red,green,blue"``, or a list."""


_of_games = partial(Option, group="Game")

GAME_OPTIONS = declare(
    feedback=_of_games(
        "How guesses are answered: codebooks (default pegs; wordle is position); tables whose"
        " candidates are guessed: by traits that compare, or a matrix of answers.",
        (*RULES, "wordle", *COMPARISONS),
        python='Codebooks: how guesses are answered, ``"pegs"`` (default), ``"black"`` or'
        ' ``"position"``, which is also called ``"wordle"``. Tables: ``"traits"`` if candidates'
        ' are guessed and their columns compared, ``"matrix"`` if a square table has the answers;'
        " then the goal is to win, unknown is a value, and `costs` names a column.",
    ),
    guesses=_of_games(
        "Codebooks: further words that may be guessed, one per line; - is stdin.",
        metavar="FILE",
        python="Codebooks: further words that may be guessed, a file or any iterable of texts.",
    ),
    letters=_of_games(
        "Codebooks: letters that are written with several characters, as lj,nj.",
        metavar="LETTER,…",
        more="Or a list.",
    ),
    fold=_of_games(
        "Codebooks: read words without accents.",
        bool,
        False,
        python="Codebooks: whether words are read without accents, ``hadès`` as ``hades``. Numbers"
        " of words that are equal then, in a file of weights, are added.",
    ),
    goal=_of_games(
        "win: guess the secret; identify: stop when one candidate is left.",
        ("win", "identify"),
        python='``"win"`` or ``"identify"``: the game is over when the secret is guessed, or when'
        " one is left.",
    ),
    weights=_of_games(
        "What each secret counts: a column of the table, or a file of names and numbers.",
        metavar="COLUMN|FILE",
        python="What each secret counts: the name of a table's column, a file of names and"
        " numbers, the numbers in the order of the secrets (any iterable), or by name (a mapping,"
        ' or a Series whose index has the names). ``"none"``: no column, even if the form of the'
        " file has one. Words that a codebook lacks are left out.",
    ),
    default_weight=_of_games(
        "Weight of a secret that `weights` leaves out (default: refuse it).",
        metavar="NUMBER",
        python="Weight of a secret that `weights` leaves out. None: a file or a column must hold"
        " all secrets, in a mapping the others count 1.",
    ),
    costs=_of_games(
        "What each question costs: a row of the table, or a file of names and integers.",
        metavar="ROW|FILE",
        python="What each guess costs: the name of a table's row, a file, the numbers in order, or"
        ' by name. ``"none"``: no row, even if the form of the file has one.',
    ),
    strict=_of_games(
        "Tables of answers: refuse unknown answers, and candidates that no question tells apart.",
        bool,
        False,
        python="Tables of answers: whether candidates that no question tells apart are refused, and"
        " unknown answers.",
    ),
    names=_of_games(
        "Tables: the column of names; none: rows are numbered (default: the first).",
        metavar="COLUMN|none",
        python='Tables: the column of the candidates\' names, ``"none"`` if there is none: then the'
        " rows are numbered. None: the first.",
    ),
    classes=_of_games(
        "Tables: the column of classes, if a class is to be found, no candidate.",
        metavar="COLUMN|none",
        flag="--class",
        python="Tables: the column of a class that is to be found instead of a candidate. Then"
        " candidates count as with `count_rows`, rows without a class are left out, and equal rows"
        ' of several classes are a candidate of all of them. None, ``"none"``: there is none.',
    ),
    ignore=_of_games(
        "Tables: columns that are not questions.",
        metavar="COLUMN,…",
        more="`Questions.aside` has their cells.",
    ),
    header=_of_games(
        "Tables: the first row is one of answers.",
        bool,
        True,
        flag="--no-header",
        python="Tables: whether the first row names the columns; without one they are"
        " ``column 1``, ``column 2`` ….",
    ),
    unknown=_of_games(
        "Tables: cells that mean an unknown answer (default ?); '': only empty ones.",
        metavar="TEXT,…",
        python="Tables: cells that mean that the answer is not known: any that occurs in the column"
        ' is possible. So is an empty cell; any other text is an answer. ``""``: none; None: ``?``,'
        " or what the form of the file has.",
    ),
    sets=_of_games(
        "Tables: what stands between the answers of a cell, of which each is possible.",
        metavar="TEXT",
        more="None: a cell is one answer.",
    ),
    any=_of_games(
        "Tables of rules: cells that any answer fits; `classes` has the outcomes.",
        metavar="TEXT",
        python="Tables: cells that any answer fits. Then the table is a decision table: its rows"
        " are rules, its classes their outcomes, and each combination of answers that a rule"
        " matches is a candidate of weight 1. None: there are none.",
    ),
    separator=_of_games(
        "Tables: what stands between cells (default: what the file has).",
        metavar="SIGN|tab|space",
        python='Tables: what stands between cells: one sign, ``"tab"``, or ``"space"``, one or'
        " more. None: what the file has.",
    ),
    count_rows=_of_games(
        "Tables: a candidate counts as often as it has rows.",
        bool,
        False,
        python="Tables: whether a candidate counts as often as it has rows, names may be those of"
        " several, and equal rows are one candidate.",
    ),
    thresholds=_of_games(
        "Tables: columns of measurements; asked is whether a number is less than some (x < 2.5).",
        metavar="COLUMN,…|all",
        python='Tables: columns of measurements, ``"all"`` for each that has other numbers than 0'
        " and 1: it is asked whether the number is less than one midway between two neighbours,"
        " ``length < 2.5``. A cell may be a range, ``3-5``.",
    ),
    thresholds_most=_of_games(
        "How many such questions of a column, those that part most pairs of rows (default 32).",
        int,
        metavar="N",
        python="How many thresholds of a column are asked: those that part most pairs of rows, of"
        " different classes where there are any. None: 32.",
    ),
    prevalence=_of_games(
        "Pools: how probable it is that a person is infected (default 1/2).",
        metavar="A/B",
        python='Pools: how probable it is that a person is infected, ``"1/10"``, ``"0.1"`` or a'
        " Fraction; it sets the weights. None: each outcome counts 1.",
    ),
)
"""The options of `open_game`, in Python and in a shell; other functions refer to them."""

IMPORT_OPTIONS = declare(
    game=Option(
        "The game; needed unless the text names it.",
        flag="-g/--game",
        python="The game, its name, or a file of words; may be omitted if the file names it.",
    ),
    history=Option(
        "Guesses before the first state: 1122:02.",
        metavar="PAIRS",
        more="Needed if the file does not have them; written with the symbols, if there are some,"
        " here or in the file.",
    ),
    symbols=Option(
        "How the text writes colors: abcdef, or red,green,blue.",
        more="Needed if it has neither the game's notation nor the format's.",
    ),
    name=Option("The strategy's name in the tree.", metavar="TEXT"),
    lenient=Option(
        "Papers' notation: accept misprints (a missing * or x) and report them.",
        bool,
        False,
        python="Papers' notation: whether misprints (a missing ``*`` or ``x``) are accepted. Each"
        " kind is a `TreegenWarning`.",
    ),
)
"""The options of `import_tree`."""


class GameOptions(TypedDict, total=False):
    """The options of `open_game`, which every function that takes a game hands on."""

    feedback: AnyFeedbackName | None
    guesses: File | Iterable[str] | None
    letters: str | Sequence[str]
    fold: bool
    goal: GoalName | None
    weights: Numbers | None
    default_weight: int | str | Decimal | Fraction | None
    costs: Numbers | None
    strict: bool
    names: str | None
    classes: str | None
    ignore: str | Sequence[str]
    header: bool
    unknown: str | Sequence[str] | None
    sets: str | None
    any: str | None
    separator: str | None
    count_rows: bool
    thresholds: str | Sequence[str]
    thresholds_most: int | None
    prevalence: Number | None


MAX_NOTES = 20
"""At most this many dropped questions and groups of a table are reported."""

MAX_QUESTIONS = 8
"""At most this many questions of a table are named in its reading."""

HEAD_BYTES = 4096


@partial(describe_parameters, declared=GAME_OPTIONS)
def open_game(
    game: GameSource,
    *,
    feedback: AnyFeedbackName | None = None,
    guesses: File | Iterable[str] | None = None,
    letters: str | Sequence[str] = (),
    fold: bool = False,
    goal: GoalName | None = None,
    weights: Numbers | None = None,
    default_weight: int | str | Decimal | Fraction | None = None,
    costs: Numbers | None = None,
    strict: bool = False,
    names: str | None = None,
    classes: str | None = None,
    ignore: str | Sequence[str] = (),
    header: bool = True,
    unknown: str | Sequence[str] | None = None,
    sets: str | None = None,
    any: str | None = None,
    separator: str | None = None,
    count_rows: bool = False,
    thresholds: str | Sequence[str] = (),
    thresholds_most: int | None = None,
    prevalence: Number | None = None,
    notice: Notice | None = None,
) -> Game:
    """Return the game of a name, of a codebook or of a table of answers.

    How a file was read is in the game's `reading`. Lists of columns and texts are lists, or one
    text: joined by commas, with quotes around what has a comma, as in CSV; or a JSON list.

    Parameters
    ----------
    game
        A name (``"p4c6r"``), a path of a codebook or a table of answers, such a file, open, or a
        game. A table may be a frame of pandas or polars, a table of Arrow or a list of dicts, too.
    {options}
    notice
        Called with what should be known of a file, such as questions that were left out; options
        stand between backticks. None: it is a `TreegenWarning`.

    Raises
    ------
    GameError
        The name is unknown, the file is no game's, a number is wrong.
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
    is_file_like = isinstance(game, (str, os.PathLike)) or hasattr(game, "read")
    if not isinstance(game, Game) and not is_file_like and not is_held(game):
        shown = " ".join(repr(game).split())  # an array's has several lines
        raise GameError(f"a game is a name, a file or a Game, not {shown:.60}; {_advise(game)}")
    notice = notice or warn
    if default_weight is not None and weights is None:
        raise UsageError("`default_weight` needs `weights`")
    layout: dict[str, Any] = {} if header else {"header": False}
    given: dict[str, Any] = {
        "count_rows": count_rows,
        "names": names,
        "classes": classes,
        "ignore": ignore,
        "unknown": unknown,
        "sets": sets,
        "any": any,
        "separator": separator,
        "thresholds": thresholds,
        "thresholds_most": thresholds_most,
    }
    layout |= {name: value for name, value in given.items() if value not in (None, (), False)}
    check_range(COUNT, thresholds_most=thresholds_most)
    check_given(letters=letters, ignore=ignore)
    if sets == "":
        raise UsageError("`sets` is what stands between the answers of a cell, not an empty text")
    if count_rows and weights is not None:
        raise UsageError("`count_rows` has no effect beside `weights`, which equal rows sum up")
    if prevalence is not None and weights is not None:
        raise UsageError("`prevalence` and `weights` cannot be combined: it sets the weights")
    named, stakes = _split_stakes(weights, costs)
    stakes |= {"notice": notice, "default_weight": default_weight}
    spelling: dict[str, Any] = {"letters": letters} if letters else {}
    spelling |= {"fold": True} if fold else {}
    if isinstance(game, Game) or not is_file(game):
        opened = game if isinstance(game, Game) else _parse_name(cast(str, game))
        if feedback is not None or guesses is not None:
            if feedback in COMPARISONS:
                raise UsageError(
                    f"`feedback={feedback}` works only with a table of candidates; {_write(game)}"
                    " is not one"
                )
            black = (
                f"{opened.name}b" if opened.rules.symmetry.colors and opened.rules.has_white else ""
            )
            raise UsageError(
                f"`feedback` and `guesses` work only with a codebook file; {_write(game)} is not"
                " one" + (f" (with black pegs alone it is {black})" if feedback and black else "")
            )
        for name in spelling:
            raise UsageError(f"`{name}` works only with a codebook file; {_write(game)} is not one")
        if prevalence is not None:
            opened = set_prevalence(opened, prevalence)
    elif prevalence is not None:
        raise UsageError(
            f"`prevalence` works only with pools of people, pool5; not with {_write(game)}"
        )
    else:
        from ..games.question_files import read_compared, read_questions

        source = game if is_held(game) else _read_open(game)
        is_compared = feedback in COMPARISONS
        as_words = (
            (feedback is not None and not is_compared) or guesses is not None or bool(spelling)
        )
        is_table = (
            is_compared
            or is_held(source)
            or not _is_list(source, as_counts=as_words or "weights" in named)
        )
        if is_table or (layout and not as_words):
            for name in spelling:
                raise UsageError(f"`{name}` works only with a codebook, not a table of answers")
            if as_words:
                raise UsageError(
                    "`feedback` and `guesses` work only with a codebook, not a table of answers"
                    f" (which takes `feedback={'` or `feedback='.join(COMPARISONS)}`)"
                )
            if "weights" in named:
                named["default_weight"] = default_weight
            layout |= {"strict": strict, "notice": notice, **named}
            table: Game
            if is_compared:
                for name in sorted(layout.keys() - (read_compared.__kwdefaults__ or {})):
                    raise UsageError(f"`{name}` cannot be combined with `feedback={feedback}`")
                table = read_compared(source, str(feedback), goal=goal or "win", **layout)
            else:
                table = read_questions(source, goal=goal or "identify", **layout)
            notes = cast(Any, table.rules).table.notes
            more = [f"… and {len(notes) - MAX_NOTES:,} more such lines"] * (len(notes) > MAX_NOTES)
            for note in (*notes[:MAX_NOTES], *more):
                notice(note)
            table.reading = _describe_table(table) + _describe_stakes(named, stakes)
            return _weigh(table, **stakes)
        opened, counts = _read_words(
            cast("str | _Stream", source), guesses, feedback, notice, **spelling
        )
        if opened.reading:
            opened.reading += _describe_stakes(named, stakes)
        if counts.numbers:
            path = source if isinstance(source, str) else "FILE"
            _take_numbers(counts, path, named, stakes)
    if strict or layout:
        name = "strict" if strict else next(iter(layout))
        raise UsageError(f"`{name}` works only with tables of answers; {_write(game)} is not one")
    stakes |= {**named, "fold": fold}
    return _weigh(opened if goal is None else opened.with_goal(goal), **stakes)


def is_file(source: GameSource) -> bool:
    """Whether a game is to be read from a file rather than known by its name."""
    if not isinstance(source, str):
        return not isinstance(source, Game)
    if os.path.isfile(source) or os.sep in source:  # noqa: PTH113
        return True
    if not os.path.isdir(source):  # noqa: PTH112
        return False
    from ..games.tables.delta import find_files

    return bool(find_files(Path(source)))


def parse_history(history: HistorySource, game: Game) -> History:
    """Return the (code, response) pairs of a history.

    Raises UsageError if a part is not a pair, or a text can be read in two ways, GameError if the
    game lacks a code or an answer, or a code may not be guessed, TypeError if one is not a text.
    """
    if isinstance(history, str):
        pairs = histories.parse_history(history, game.notation)
    else:
        pairs = read_pairs(game.notation, () if history is None else history)
    for code, _ in pairs:
        check_guess(game.notation, code)
    return pairs


def parse_first(first: str | Sequence[str] | None, game: Game) -> tuple[str, ...]:
    """Return first guesses in the game's own notation, each of them once.

    GameError if one is no guess.
    """
    check_given(first=first)
    if first is None:
        return ()
    if isinstance(first, str):
        codes: Sequence[int] = histories.parse_codes(first, game.notation)
    else:
        codes = [
            read_code(game.notation, code)
            for code in (first if isinstance(first, Iterable) else [first])
        ]
    own = game.with_symbols(None)
    allowed = dict.fromkeys(check_guess(game.notation, code) for code in codes)
    return tuple(map(own.notation.name_guess, allowed))


def _advise(given: object) -> str:
    """Return how something that is no game may become one."""
    if hasattr(given, "digest") and hasattr(given, "game"):
        return "a tree's game is tree.game"
    rows = given.values() if isinstance(given, Mapping) else given
    first = next(iter(rows), "") if isinstance(rows, Iterable) else ""
    if isinstance(first, Iterable) and not isinstance(first, str):
        return (
            "treegen.Questions(rows, names=…, questions=…) makes one from rows of answers, and a"
            " list of dicts is a table"
        )
    return "treegen.Codebook(words) makes one from a list of words"


def _parse_name(name: str) -> Game:
    """Return the game of a name; say what is wrong with one that means a file."""
    try:
        return parse_game(name)
    except GameError:
        with suppress(OSError):  # too long for a path
            if name and Path(name).is_dir():
                raise GameError(
                    f"unknown game {name!r:.80}: it is a folder, without the files 'chars' and"
                    " 'items' of DELTA"
                ) from None
        if name in list_names():
            raise GameError(
                f"unknown game {name!r:.80}: it is a strategy, `strategy={name!r:.80}`"
            ) from None
        # The numbers of an arrangement stand between dots, too.
        if Path(name).suffix[1:].isalpha():
            raise MissingGameError(
                f"unknown game {name!r:.80}: there is no such file{suggest_file(Path(name))}"
            ) from None
        if name and (meant := suggest_file(Path(name))):
            raise GameError(f"unknown game {name!r:.80}{meant}") from None
        raise


def _split_stakes(
    weights: Numbers | None, costs: Numbers | None
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


def _weigh(
    game: Game,
    notice: Notice,
    weights: Any = None,
    costs: Any = None,
    default_weight: Any = None,
    fold: bool = False,
) -> Game:
    """Return a game with weights and costs of files or of values, and those that it has."""
    files: dict[str, Any] = {}
    for name, numbers in (("weights", weights), ("costs", costs)):
        by_name = _find_names(numbers)
        if by_name is not None and name == "costs":
            by_name = spread_columns(game.notation.symbols[game.n_secrets :], by_name)
        for written in by_name or ():
            if not isinstance(written, str):
                read_code(game.notation, written)  # which says why it is none
        if isinstance(numbers, (str, os.PathLike)) or hasattr(numbers, "read"):
            files[name] = numbers
        elif by_name is not None and name == "weights":
            files[name] = by_name
        elif numbers is not None:
            if by_name is not None:
                known = {read_code(game.notation, code): number for code, number in by_name.items()}
                numbers = [known.get(code, 1) for code in range(game.n_codes)]
            kept = {"weights": game.rules.weights, "costs": game.rules.given_costs, name: numbers}
            game = game.with_stakes(**kept)
    if not files:
        return game
    from ..games.stake_files import read_stakes

    return read_stakes(game, **files, default_weight=default_weight, fold=fold, notice=notice)


def _find_names(numbers: Any) -> Mapping[str, Any] | None:
    """Return numbers by name, of a mapping or a pandas Series; None if they have no names."""
    if isinstance(numbers, Mapping):
        return numbers
    index = getattr(numbers, "index", ())
    is_named = hasattr(numbers, "items") and all(isinstance(name, str) for name in index)
    return dict(numbers.items()) if is_named and len(index) else None


class _Stream(BytesIO):
    """A whole open file, whose beginning is looked at first."""

    name = ""


def _read_open(source: File) -> str | _Stream:
    """Return a path, or all that an open file holds."""
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    data = source.read()
    stream = _Stream(data.encode() if isinstance(data, str) else data)
    stream.name = str(getattr(source, "name", ""))
    return stream


def _is_list(source: str | _Stream, *, as_counts: bool) -> bool:
    """Whether a file is a list of words rather than a table of answers.

    as_counts: words with numbers beside them are one even if titles stand above them.
    """
    from ..games.question_files import looks_like_table
    from ..games.tables.delta import find_files
    from ..games.word_files import looks_like_counts

    if isinstance(source, str) and os.path.isdir(source):  # noqa: PTH112
        return not find_files(Path(source))
    if isinstance(source, _Stream):
        name, head = source.name, source.getvalue()[:HEAD_BYTES]
    else:
        name = source
        try:
            with Path(source).open("rb") as stream:
                head = stream.read(HEAD_BYTES)
        except (OSError, ValueError):
            head = b""
    if sniff_kind(head) in ("tree", "table"):
        from .tree_file import load_tree  # slow to load, and rarely needed

        of, whole = "", source.getvalue() if isinstance(source, _Stream) else source
        with suppress(TreegenError):
            of = f" of {load_tree(whole, check=False)[0].game.name:.80}"
        hint = "give the game's name, or a file of its words or answers"
        with suppress(GameError):
            parse_game(name)
            hint = "the file hides the game of this name; move it, or name it otherwise"
        raise GameError(f"{name!r:.200} holds a tree{of}: {hint}")
    text = unify_lines(head.decode("utf-8-sig", errors="replace"))
    if len(head) == HEAD_BYTES and "\n" in text:  # the last line is cut
        text = text[: text.rindex("\n")]
    is_table = looks_like_table(name, text)
    return not is_table or (as_counts and looks_like_counts(text, titled=True))


def _read_words(
    source: str | _Stream,
    guesses: Any,
    feedback: AnyFeedbackName | None,
    notice: Notice,
    letters: str | Sequence[str] = (),
    fold: bool = False,
) -> tuple[Game, WordList]:
    """Return the game of one list of words or of two, and the first list."""
    from ..games.word_files import WordList, find_two_cases, make_codebook, read_word_list

    lists = [read_word_list(source, letters=letters, fold=fold)]
    if isinstance(guesses, (str, os.PathLike)) or hasattr(guesses, "read"):
        lists.append(read_word_list(guesses, letters=letters, fold=fold))
    elif guesses is not None:
        listed = map(clean, list_words(guesses))
        words = {strip_accents(word) if fold else word: 0 for word in listed}
        lists += [WordList("the list of guesses", "", words)] if words else []
    game = make_codebook(*lists, rule=feedback or "pegs", letters=letters)
    for found in lists:
        for note in found.notes:
            notice(note)
    letter = find_two_cases(game.rules.words)
    if letter:  # rarely on purpose
        cases = f"{letter!r} and {letter.upper()!r}"
        notice(f"{game.name} holds {cases}, which count as two letters: write all in one case")
    what = game.notation.title.removeprefix(f"{game.rules.label}, ")
    game.reading = (
        f"{game.rules.label or lists[0].name}: a codebook of {what}, answered by {game.rule}"
    )
    if feedback is None:
        game.reading += " (`feedback='position'` answers as Wordle does)"
    return game, lists[0]


def _take_numbers(
    counts: WordList, path: str, named: dict[str, Any], stakes: dict[str, Any]
) -> None:
    """Use the numbers beside the words as weights if asked to; else say which option does so."""
    if counts.column and clean(str(named.get("weights"))) == counts.column:
        del named["weights"]
        stakes["weights"] = counts.numbers
    elif "weights" not in named and "weights" not in stakes:
        stakes["notice"](
            f"{counts.name}: the numbers beside the words are ignored;"
            f" `weights={counts.column or path!r:.200}` makes them weights"
        )


def _describe_stakes(named: Mapping[str, Any], stakes: Mapping[str, Any]) -> str:
    """Return the sources of weights and costs: a column or row, or a file of the same name."""
    text = ""
    for name, place in (("weights", "column"), ("costs", "row")):
        if named.get(name, "none") != "none":
            text += f"; {name} of the {place} {clean(named[name])!r:.80}"
        elif isinstance(stakes.get(name), (str, os.PathLike)):
            text += f"; {name} of the file {str(stakes[name])!r:.200}"
    return text


def _describe_table(game: Game) -> str:
    """Return a description of how a table of answers, or of compared candidates, was read."""
    table = cast(Any, game.rules).table
    n_rows = sum(map(len, table.rows)) or game.n_secrets
    asked = table.questions[:MAX_QUESTIONS]
    rest = f" and {len(table.questions) - len(asked):,} more" * (len(table.questions) > len(asked))
    text = f"a table of {n_rows:,} candidate{'s' * (n_rows != 1)}"
    how = "compared by" if game.rule == "traits" else f"question{'s' * (len(table.questions) != 1)}"
    if game.rule == "matrix":
        text += ", a matrix of what each answers to each"
    elif asked:
        text += f", {how} {', '.join(asked)}{rest}"
    n_classes = len({each for names in table.classes for each in names.split(GROUP_MARK)})
    if n_classes == 1:
        text += f"; every row is of class {table.classes[0]!r:.80}: nothing is to be found"
    elif n_rows == 1:
        text += "; it stands alone: nothing is to be found"
    elif n_classes:
        text += f"; {n_classes:,} classes are to be told apart"
    return f"{game.rules.label}: {text}" if game.rules.label else text


def _write(game: GameSource) -> str:
    return game.name if isinstance(game, Game) else repr(str(game))
