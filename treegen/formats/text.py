"""Trees as text: the styles, the file that a text goes to; a tree read from any known text.

A style's module holds its `Format`; `STYLES` is the list of them, to which plug-ins add. What a
style writes is read back to a tree of equal digest. The format of a text is detected unless it is
named; the header of our own styles says what the text is, and what it claims.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar, Unpack

from .._files import (
    HEAD_BYTES,
    Source,
    Target,
    check_file,
    check_path,
    decode_text,
    describe_start,
    explain_reading,
    name_source,
    read_bytes,
    read_text,
    sniff_kind,
    unify_lines,
    write_lines,
)
from .._loading import describe_plugin, list_plugins, load_plugin
from .._options import TRUTH, check_keywords, check_range, describe_parameters, refuse_unknown
from ..errors import FormatError, UsageError, warn
from ..games import histories
from ..games.base import Game, select_candidates
from ..games.eligible import resolve_eligible
from ..games.names import parse_game
from ..games.notation import parse_symbols
from ..games.rules import parse_goal, weigh
from ..games.text import normalize, read_json_list
from ..strategies.named import check_limits, find_bound_fault, read_provenance
from ..tree.tree import History, Provenance, Tree
from .booklet import BOOKLET
from .codegolf import CODEGOLF
from .foreign import PYMM, YAML
from .format import Format, Idle, Option, Reader, Style, Writer, check_options, describe_writer
from .graph import GRAPHML, JSON
from .gv import GV
from .indented import INDENTED, KEY
from .inputs import (
    IMPORT_OPTIONS,
    File,
    GameOptions,
    GameSource,
    HistorySource,
    Notice,
    is_file,
    open_game,
    parse_history,
)
from .irving import IRVING, MMSTRAT, is_latex
from .json_text import parse_json
from .lines import CSV, LINES
from .nested import NESTED, read_states, strip_module
from .r_post import R_POST
from .sketch import Grown, Scanner, Sketch, TextClaim, grow_tree
from .table import read_table
from .tree_file import TreeSource, read
from .view import ViewOptions, make_view
from .wordle import WORDLE

STYLES = {
    style.name: style
    for style in (
        *(R_POST, INDENTED, BOOKLET, KEY, LINES, IRVING, MMSTRAT),
        *(CODEGOLF, CSV, NESTED, WORDLE, GV),
    )
}
"""The styles by name; those of plug-ins are found by `find_style`."""


def list_styles() -> list[str]:
    """Return the names of the styles, plug-ins' last."""
    return [*STYLES, *(name for name in list_plugins("styles") if name not in STYLES)]


def find_style(name: str) -> Style:
    """Return a style, built-in or a plug-in's; raise UsageError for an unknown one."""
    if name in STYLES and (style := STYLES[name].style):
        return style
    plugin = load_plugin("styles", name)
    if plugin is None:
        raise UsageError(f"unknown style {name!r:.80}: there are {', '.join(list_styles())}")
    return Style(
        plugin.write,
        describe_plugin("styles", name),
        questions=plugin.write if getattr(plugin, "is_of_questions", False) else None,
    )


def generate_text(
    tree: Tree, style: str = "indented", *, header: bool = True, **options: Unpack[ViewOptions]
) -> Iterator[str]:
    """Return the lines of a tree in one of `list_styles`, without line ends; cut text says so.

    Without `header`, the lines about the tree are left out in the styles that have them. The other
    options and errors are those of `make_view`; UsageError if the style does not fit the game.
    """
    found = find_style(style)
    view = make_view(tree, **options)
    write = found.function if tree.game.notation.in_columns else found.questions
    if write is None and found.questions:
        raise UsageError(f"the style {style} is for tables of answers, not for {tree.game.name}")
    if write is None:
        *known, last = (name for name in STYLES if find_style(name).questions)
        raise UsageError(
            f"the style {style} cannot show a table of answers: use {', '.join(known)} or {last}"
        )
    lines = write(view)
    if not header and found.has_header:
        while next(lines):  # an empty line ends it
            pass
    return lines


@describe_writer
def write_text(
    tree: TreeSource,
    file: Target,
    style: Annotated[
        str,
        Option(
            "lines: one secret per line; irving: the papers' notation; r-post: as the R program.",
            list_styles,
            more='``"indented"``, ``"lines"``, ``"irving"``, ``"r-post"``, ``"booklet"``,'
            ' ``"key"``, ``"mmstrat"``, ``"codegolf"``, ``"csv"``, ``"nested"``, ``"wordle"`` or'
            ' ``"gv"``; a plug-in\'s.',
        ),
    ] = "indented",
    *,
    header: Annotated[
        bool,
        Option(
            "Leave out the lines about the tree.",
            flag="--no-header",
            python="Whether the lines about the tree stand above it: game, rule, totals, digest,"
            ' and in ``"indented"`` what the signs mean.',
        ),
    ] = True,
    **options: Unpack[ViewOptions],
) -> None:
    """Write a tree as text.

    {parameters}

    {errors}

    Examples
    --------
    >>> import sys, treegen
    >>> treegen.write_text(treegen.build("p2c2r"), sys.stdout, "codegolf")
    {AA:{00:BB,10:{AB:{02:BA}}}}
    """
    check_options(write_text, header=header, **options)
    write_lines(file, generate_text(read(tree), style, header=header, **options))


TEXT = Format(
    "text",
    Writer(
        write_text,
        f"Text in one of {len(STYLES)} styles.",
        "Write the tree in FILE as text.",
        examples=(
            "treegen export text knuth.tree --depth 2",
            "treegen export text knuth.tree --style irving -o knuth.txt",
        ),
        kinds=("text",),
        has_stream=True,
        by_style={name: find_style(name).kind for name in STYLES},
        idle=(
            Idle(
                ("order",),
                lambda given: not find_style(given["style"]).has_order,
                "in the papers' notation: its cells have a fixed order",
            ),
            Idle(
                ("header",),
                lambda given: not find_style(given["style"]).has_header,
                "in a style that has none",
            ),
        ),
    ),
    reader=Reader(
        None,
        "Text in one of the styles of treegen export text.",
        "Read a tree from text in a style of treegen export text.",
        ("treegen import text lines.txt -o copy.tree",),
        may_misprint=True,
    ),
)

READERS = {
    format.name: format.reader
    for format in (*STYLES.values(), YAML, PYMM, JSON, GRAPHML)
    if format.reader is not None
}
"""The readers of texts by their format's name; those of plug-ins are found by `find_reader`."""

_JSON = re.compile(r'\s*(?:\{\s*["}]|\[|export\s+default\s)')
_WORD = re.compile(r"[^\s(){}\[\]\":,]+")
"""A guess of any signs but those of the notations."""


KEYS = (
    *("game", "strategy", "rule", "objective", "bound", "after", "symbols", "total"),
    *("worst", "histogram", "digest", "cut", "legend"),
)
"""Keys of a header that are read, or need not be."""

_START = re.compile(r"# treegen: text in the style ([a-z-]+)\n")
_LINE = re.compile(r"# ([a-z]+): (.*)\n")


V = TypeVar("V")


@dataclass(slots=True)
class TextHeader:
    """The content of a header: for each key its value and the value's offset; empty without one.

    The scanner stands behind it.
    """

    scanner: Scanner
    style: str = ""
    fields: dict[str, tuple[str, int]] = field(default_factory=dict)

    def get(self, key: str) -> str:
        """Return a value, ``""`` if the header does not have it."""
        return self.fields.get(key, ("", 0))[0]

    def parse(self, key: str, read: Callable[[str], V]) -> V | None:
        """Return the meaning of a value, None if the header does not have it."""
        if key not in self.fields:
            return None
        value, place = self.fields[key]
        with self.scanner.explain(place):
            return read(value)

    def choose_game(self, game: Game | None) -> Game:
        """Return the given game, or the header's; raise FormatError if they differ."""
        name, place = self.fields.get("game", ("", 0))
        if game is None:
            rules, _, goal = name.partition(" goal ")
            if not name or ":" in rules or " weighted:" in goal:
                raise FormatError("the text does not name the game: give it by `game=GAME`")
            with self.scanner.explain(place):
                return parse_game(rules).with_goal(parse_goal(goal)) if goal else parse_game(name)
        if name and name != game.rules.digest_name:
            raise self.scanner.error(
                f"the text is of {name:.120}; the game is {game.rules.digest_name}", place
            )
        return game

    def make_provenance(self, game: Game, history: History) -> Provenance:
        """Return the tree's provenance as the header has it."""
        bound, place = self.fields.get("bound", ("", 0))
        proved, unit = None, game.rules.share_unit
        if re.fullmatch(r"[0-9]{1,18}", bound):
            proved = weigh(int(bound) * unit, unit)
        elif unit > 1 and re.fullmatch(r"[0-9]{1,18}\.[0-9]{1,18}", bound):
            proved = weigh(round(Fraction(bound) * unit), unit)
        elif bound:
            needed = "a number of at most 18 digits" if bound.isdecimal() else "a number"
            raise self.scanner.error(f"bound is {bound!r:.80}; {needed} is needed", place)
        strategy, rule, objective = map(self.get, ("strategy", "rule", "objective"))
        return Provenance(strategy or "imported", rule, history, objective, proved)

    def read_claims(self) -> dict[str, TextClaim]:
        """Return the header's statistics, to be compared with the tree's."""
        return {
            key: self.scanner.read_claim(key, *self.fields[key])
            for key in ("total", "worst", "histogram", "digest")
            if key in self.fields
        }

    def refuse_contradiction(self, tree: Tree) -> None:
        """Raise FormatError if what a text says of its tree contradicts the tree.

        `verify` does so, too; whether name and rule are those of the tree is left to it.
        """
        places = {key: place for key, (_, place) in self.fields.items()}
        stated = read_provenance(tree.provenance, tree.game)
        with self.scanner.explain(places.get("rule", places.get("strategy", "rule"))):
            resolve_eligible(tree.game, stated.eligible)
        limits = [] if stated.is_part else check_limits(stated, tree, tree.worst)
        for key, problem in (
            ("objective", stated.unread.get("objective")),
            ("bound", find_bound_fault(stated, tree.total)),
            *(("rule", problem) for _, _, problem in limits),
        ):
            if problem:
                raise self.scanner.error(problem, places.get(key, key))


def read_header(text: str) -> TextHeader:
    """Read a header if the text begins with one; raise FormatError if it is damaged or cut."""
    header = TextHeader(scanner := Scanner(text))
    first = _START.match(text)
    if first is None:
        return header
    header.style, scanner.at = first.group(1), first.end()
    while line := _LINE.match(text, scanner.at):
        key, value = line.groups()
        if key in header.fields:
            raise scanner.error(f"the header says {key} twice")
        header.fields[key] = (value, line.start(2))
        scanner.at = line.end()
    if not text.startswith("\n", scanner.at):
        raise scanner.expected("'# key: value' or the empty line that ends the header")
    scanner.at += 1
    if "cut" in header.fields:
        value, place = header.fields["cut"]
        raise scanner.error(f"the text is cut and is not a whole tree: {value}", place)
    return header


def sniff_format(text: str) -> str:
    """Return the format that the beginning of a text indicates; JSON is read whole.

    Raises FormatError if it is not a known format, or it is broken JSON.
    """
    if _is_csv(text):
        return "csv"
    # Whatever signs the first word begins with.
    is_wordle = re.match(READERS[WORDLE.name].looks, text)
    if _JSON.match(text) and not is_wordle:
        try:
            return _sniff_json(text)
        except FormatError:
            if not _is_csv(text):
                raise
    if is_latex(text):
        return "irving"
    for name, reader in READERS.items():
        if reader.looks and re.match(reader.looks, text):
            return name
    if _WORD.fullmatch(text.strip()):  # a tree of one state; as csv it is the same
        return "codegolf"
    start, head = text[:40].split("\n")[0], text[:HEAD_BYTES].encode()
    hint = describe_start(head) if sniff_kind(head) in (None, "words", "csv") else ""
    raise FormatError(f"line 1: a text that begins {start!r} is in no known format{hint}")


def _sniff_json(text: str) -> str:
    value = parse_json(strip_module(text))
    keys = set(value) if isinstance(value, dict) else set()
    fields = {reader.field: name for name, reader in reversed(READERS.items()) if reader.field}
    for key, name in fields.items():
        if key in keys:
            return name
    names = ", ".join(map(repr, sorted(keys)[:5])) or "no object"
    known = ", ".join(f"{name} has the field {key!r:.80}" for key, name in fields.items())
    raise FormatError(f"JSON of no known format ({names}): {known}")


def _is_csv(text: str) -> bool:
    """Whether the lines are games: guesses of any signs joined by commas, the first one the same.

    Without a column of secrets, that is, which may stand before the first guess.
    """
    lines = [line.strip() for line in text[:_HEAD].split("\n")[:20] if line.strip()]
    games = [
        [guess.strip() for guess in line.split(",")]
        for line in lines[: -1 if len(text) > _HEAD else None]
    ]
    guesses = [guess for game in games for guess in game]
    if not any("," in line for line in lines) or re.search(r"\s", "".join(guesses)):
        return False
    if len(games) == 1:
        return all(map(_WORD.fullmatch, guesses))
    is_one = len({game[0] for game in games}) == 1
    has_secrets = all(len(game) > 1 and game[0] == game[-1] for game in games)
    return (is_one or has_secrets) and all(guesses)


_HEAD = 1 << 16


def find_reader(name: str) -> Reader:
    """Return the reader of a text format, built-in or a plug-in's; raise UsageError for another."""
    if name in READERS:
        return READERS[name]
    plugin = load_plugin("importers", name)
    if plugin is None and (style := load_plugin("styles", name)) is not None:
        plugin = getattr(style, "read", None)
    if plugin is None:
        known = [*READERS, *list_plugins("importers")]
        raise UsageError(f"unknown format {name!r:.80}: there are {', '.join(known)}")

    def fill(sketch: Sketch) -> Sketch:
        """Read the states that the reader of another package finds, given as nested JSON is."""
        states = plugin(sketch.scanner.text[sketch.scanner.at :])
        return read_states(json.loads(json.dumps(states)), sketch)

    return Reader(fill)


def detect_format(text: str) -> str:
    """Return the format that a text names in its header, or else the one it looks like."""
    return read_header(text).style or sniff_format(text)


def parse_tree(
    text: str,
    game: Game | None = None,
    name: str | None = None,
    *,
    symbols: Sequence[str] | None = None,
    history: History = (),
    lenient: bool = False,
) -> Grown:
    """Return the tree of a text, every branch of it reached by playing.

    `game` may be omitted if the text names it; the format `name` is detected if None. `symbols`:
    how the colors are written, if neither in the game's nor the format's notation. `history`:
    guesses made before the first state, if the text does not have them. `lenient`: misprints of the
    papers are read, a state ``n (g)`` that should have a ``*`` or an ``x``; the tree comes with a
    remark on each kind. Raises FormatError if the text is not a tree of the game; the message says
    where and what is wrong. Raises UsageError if the format is unknown.
    """
    text = normalize(unify_lines(text))
    header = read_header(text)
    is_sniffed = not (name or header.style)
    name = name or header.style or sniff_format(text)
    reader = find_reader(name)
    if game is None and reader.find_game is not None:
        game = reader.find_game(text)
    game = header.choose_game(game)
    n_colors = game.n_colors

    def read_symbols(value: str) -> tuple[str, ...]:
        is_one = n_colors == 1 and read_json_list(value) is None
        return (value,) if is_one else parse_symbols(value, n_colors)

    written = tuple(symbols) if symbols else header.parse("symbols", read_symbols)
    named = game.with_symbols(written) if written else game
    read_past = partial(histories.parse_history, notation=named.notation, joint=" ")
    history = header.parse("after", read_past) or history
    if text.strip() == "2" and is_sniffed and len(select_candidates(game, history)) == 1:
        reader = find_reader("codegolf")  # the code 2, where Irving writes two candidates
    fill = reader.function if named.notation.in_columns else reader.questions or reader.function
    if fill is None:
        raise FormatError(f"a {name} is of a table of answers, not of {game.name}")
    sketch = fill(Sketch(header.scanner, named, named.notation if written else None, history))
    if lenient:
        sketch.doubtful_wins.update(short := sketch.list_short())
        sketch.doubtful_cells.update(short)
    if not header.style:
        origin = Provenance(sketch.strategy or "imported", sketch.rule, sketch.history)
    else:
        sketch.claims.update(header.read_claims())
        unknown = [key for key in header.fields if key not in KEYS]
        sketch.remarks += [f"the header's {key!r:.80} is unknown and left out" for key in unknown]
        origin = header.make_provenance(game, sketch.history)
    grown = grow_tree(sketch, origin)
    header.refuse_contradiction(grown.tree)
    return replace(grown, tree=replace(grown.tree, game=game)) if written else grown


@refuse_unknown
def read_text_tree(
    source: str | os.PathLike[str],
    game: GameSource | None = None,
    style: str | None = None,
    *,
    symbols: Sequence[str] | None = None,
    history: HistorySource = None,
) -> Tree:
    r"""Read a tree from text.

    Parameters
    ----------
    source
        A path, or the text itself: a string with a line feed, a brace or a parenthesis in it.
    game
        The game; may be omitted if the text names it.
    style
        A style of text, such as ``"irving"`` or ``"codegolf"``; detected if None.
    symbols
        How the colors are written, if neither in the game's nor the style's notation.
    history
        Guesses made before the first state and their answers, if the text does not have them:
        ``1122:02``, or ``[("1122", "02")]``.

    Returns
    -------
    Tree
        Every state was reached by playing, every count compared: the tree finds every secret.

    Raises
    ------
    FormatError
        The text is not a tree of the game; the message gives line, column and what is wrong.
    UsageError
        The style is unknown, or a history is given without a game.
    GameError, TypeError
        A guess or an answer of the history does not belong to the game, or is not a text.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> text = "{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}"
    >>> tree = read_text_tree(text, parse_game("p2c3r"), "codegolf")
    >>> tree.total, tree.worst
    (21, 3)
    """
    check_path(source, "a text is given by its path, or itself")
    if history and game is None:
        raise UsageError("a history needs a game: its guesses are codes of it")
    game = _open(game, None, {})
    past = () if game is None else parse_history(history, game.with_symbols(symbols))
    is_text = isinstance(source, str) and any(sign in source for sign in "\n\r{(")
    text = str(source) if is_text else read_text(source)
    name = style or detect_format(unify_lines(text))
    if name not in list_styles():
        raise UsageError(f"unknown style {name!r:.80}: there are {', '.join(list_styles())}")
    return parse_tree(text, game, style, symbols=symbols, history=past).tree


HINTS = {
    "tree": "is already a tree of treegen: stats, export, verify and the others take it",
    "table": "is a lookup table: treegen import table reads it; stats, export, verify take it",
}


@partial(describe_parameters, declared=IMPORT_OPTIONS)
def import_tree(
    file: File,
    game: GameSource | None = None,
    *,
    format: str | None = None,
    history: HistorySource = None,
    symbols: str | Sequence[str] | None = None,
    name: str | None = None,
    lenient: bool = False,
    notice: Notice | None = None,
    **rules: Unpack[GameOptions],
) -> Tree:
    """Read a tree from text, from a graph, or from another program's file.

    Every state is reached by playing and every count is compared: the tree finds every secret, or
    the file is refused.

    Parameters
    ----------
    file
        A path, or an open file.
    format
        Such as ``"irving"``, ``"gv"``, ``"wordle"``, ``"json"``; as ``treegen import``
        lists them. None: it is detected.
    {options}
    notice
        Called with how many states the text leaves to the rule for one or two candidates, and with
        what should be known of the game's file. None: of the latter it is a `TreegenWarning`.
    **rules
        Of a game given by name or file: see `open_game`. Formats of word games have the feedback
        ``"position"`` by default.

    Raises
    ------
    FormatError
        The file is not a tree of the game; the message gives line, column and what is wrong.
    UsageError
        The format is unknown, or an option needs a game.

    Examples
    --------
    >>> import io, treegen
    >>> golf = io.StringIO("{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}")
    >>> treegen.import_tree(golf, "p2c3r", format="codegolf").total
    21
    """
    check_keywords(import_tree, rules, GameOptions)
    check_range(TRUTH, lenient=lenient)
    check_file(file)
    source: Source
    if isinstance(file, (str, os.PathLike)):
        source = file
    else:
        content = file.read()
        source = content.encode() if isinstance(content, str) else content
    if format == "table":
        _refuse_no_table(source)
        return _rename(read_table(source, _open(game, notice, rules)), name)
    data = source if isinstance(source, bytes) else read_bytes(source)
    _refuse_own(data, source)
    text = decode_text(data, name_source(source))
    with _tell_file(source):
        style = detect_format(text) if format in (None, "text") else format
    is_words = find_reader(style).is_of_words and game is not None and is_file(game)
    if is_words and rules.get("feedback") is None:
        rules["feedback"] = "position"
    value = _open(game, notice, rules)
    if value is None and (history or symbols or rules.get("feedback") or rules.get("guesses")):
        raise UsageError("`history`, `symbols`, `feedback` and `guesses` need a game: `game=GAME`")
    if history:  # is typed as the text is written
        symbols = symbols or read_header(text).get("symbols")
    named = value and value.with_symbols(symbols or None)
    past = parse_history(history, named) if named else ()
    with _tell_file(source):
        grown = parse_tree(
            text,
            value,
            # A lone 2 is a code or a count, depending on the game.
            None if format in (None, "text") and text.strip() == "2" else style,
            symbols=named.notation.symbols if named and symbols else None,
            history=past,
            lenient=lenient,
        )
    for remark in grown.remarks:
        warn(remark)
    if grown.n_completed and notice is not None:
        notice(
            f"{grown.n_completed} of {grown.tree.n_nodes} states were not in the text (1 or 2"
            " candidates each); filled in, the first candidate first"
        )
    return _rename(grown.tree, name)


def _open(game: GameSource | None, notice: Notice | None, rules: GameOptions) -> Game | None:
    """Return the game that is expected; say how its file was read."""
    if game is None:
        return None
    opened = open_game(game, notice=notice, **rules)
    if opened.reading and notice is not None:
        notice(opened.reading)
    return opened


@contextmanager
def _tell_file(source: Source) -> Iterator[None]:
    """Put the file's name before what is wrong with it."""
    try:
        yield
    except FormatError as error:
        if isinstance(source, bytes):
            raise
        raise FormatError(f"{name_source(source)}: {error.args[0]}") from error


def _refuse_no_table(source: Source) -> None:
    """Raise FormatError, with what it is, for a file that is no table."""
    start = source[:HEAD_BYTES] if isinstance(source, bytes) else b""
    if not isinstance(source, bytes):
        with explain_reading(source), Path(source).open("rb") as stream:
            start = stream.read(HEAD_BYTES)
    if sniff_kind(start) != "table":
        raise FormatError(f"{name_source(source)} is not a table{describe_start(start)}")


def _rename(tree: Tree, name: str | None) -> Tree:
    if name is None:
        return tree
    return replace(tree, provenance=replace(tree.provenance, strategy=name))


def _refuse_own(data: bytes, source: Source) -> None:
    """Raise UsageError for a .tree file or a .tgt table, which no text reader reads."""
    kind = sniff_kind(data[:16])
    if kind in HINTS:
        raise UsageError(f"{name_source(source)} {HINTS[kind]}")


def refuse_own_file(path: str) -> None:
    """Raise UsageError for the path of a .tree file or a .tgt table."""
    if Path(path).is_file():
        with suppress(OSError), Path(path).open("rb") as opened:
            _refuse_own(opened.read(16), path)
