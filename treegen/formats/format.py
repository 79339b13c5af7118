"""What a format is: one record says how it is written, read, recognized and explained.

The module of a format holds its record; `treegen.convert.FORMATS` is the table of all. The commands
``treegen export NAME`` and ``treegen import NAME``, their help, what shells complete, `write` and
`import_tree` follow from it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from .._options import Option as Option
from ..errors import UsageError

if TYPE_CHECKING:
    from ..games import Game
    from ..tree import History
    from .sketch import Scanner, Sketch
    from .view import View


class Idle(NamedTuple):
    """Options that have no effect beside others, and are refused there.

    Attributes
    ----------
    parameters
        The parameters that hold their values.
    applies
        Whether they have no effect, by the values of all parameters.
    reason
        What follows "--x has no effect".
    """

    parameters: tuple[str, ...]
    applies: Callable[[Mapping[str, Any]], bool]
    reason: str


@dataclass(frozen=True, slots=True)
class Writer:
    """How trees are written in a format.

    Attributes
    ----------
    function
        Takes a tree, or for a page several, a path or an open file, and the options as keywords.
    summary
        What the format is, in a line.
    help
        What its command does.
    options
        Its options, in the order of the help.
    examples
        Command lines that show it.
    kinds
        The kinds of files that it makes, keys of `treegen.formats.load.KINDS`; none: a folder.
    by_style
        The kind of file that each of its styles makes, where it has styles.
    has_stream
        Whether the standard output is meant where no file is named.
    fixed
        Keywords of the function that the format's name stands for.
    idle
        Options that have no effect beside others.
    list_others
        Returns, for a path and the options, the other files that are written, with their kinds;
        the kind ``""`` replaces a file of any.
    make_files
        For a folder: returns its files' contents by name, for a tree and the options.
    takes_several
        Whether it takes several trees.
    """

    function: Callable[..., object]
    summary: str
    help: str = ""
    options: tuple[Option, ...] = ()
    examples: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    by_style: Mapping[str, str] = field(default_factory=dict)
    has_stream: bool = False
    fixed: Mapping[str, str] = field(default_factory=dict)
    idle: tuple[Idle, ...] = ()
    list_others: Callable[[str, Mapping[str, Any]], Mapping[str, str]] | None = None
    make_files: Callable[..., dict[str, bytes]] | None = None
    takes_several: bool = False

    def list_keywords(self) -> list[str]:
        """Return the keywords of the function, without those that the format's name stands for."""
        taken = {"format", *self.fixed}  # the format is chosen already
        parameters = list(inspect.signature(self.function).parameters)[2:]
        return [name for name in parameters if name not in taken]


@dataclass(frozen=True, slots=True)
class Style:
    """A style of text.

    Attributes
    ----------
    function
        Yields the lines of a view, without line ends.
    summary
        What it is, in a line.
    has_header
        Whether its first lines say what the tree is, up to an empty one.
    has_order
        Whether the answers to a guess may come in another order.
    is_of_questions
        Whether tables of answers are written so.
    kind
        The kind of file that it makes, a key of `treegen.formats.load.KINDS`.
    """

    function: Callable[[View], Iterator[str]]
    summary: str
    has_header: bool = False
    has_order: bool = True
    is_of_questions: bool = False
    kind: str = "text"


@dataclass(frozen=True, slots=True)
class Reader:
    """How trees are read from a format.

    Attributes
    ----------
    function
        Returns the states that a text describes; None for text whose format is detected, and for
        tables.
    summary
        What the format is, in a line; without one it has no command of its own.
    help
        What its command does.
    examples
        Command lines that show it.
    looks
        Regular expression of how such a text begins.
    field
        The field by which JSON is recognized.
    find_game
        Returns the game that a text names, apart from our headers.
    is_of_words
        Whether its games are answered by position.
    may_misprint
        Whether ``lenient`` accepts misprints.
    """

    function: Callable[[Scanner, Game, tuple[str, ...] | None, History], Sketch] | None = None
    summary: str = ""
    help: str = ""
    examples: tuple[str, ...] = ()
    looks: str = ""
    field: str = ""
    find_game: Callable[[str], Game | None] | None = None
    is_of_words: bool = False
    may_misprint: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """A form of a tree: how it is written, as which style of text, how it is read.

    Attributes
    ----------
    name
        As `write`, `import_tree` and the command line take it.
    writer, style, reader
        None where it is not written by a command of its own, is not a style of text, is not read.
    """

    name: str
    writer: Writer | None = None
    style: Style | None = None
    reader: Reader | None = None

    def write(self, tree: Any, file: Any, options: Mapping[str, Any]) -> None:
        """Write a tree; raise UsageError for an option that the format does not have."""
        if self.writer is None:
            raise UsageError(f"{self.name} is read, not written")
        known = self.writer.list_keywords()
        for name in options:
            if name not in known:
                has = f"it has {', '.join(known)}" if known else "it has none"
                raise UsageError(f"{self.name} has no option {name!r}: {has}")
        self.writer.function(tree, file, **self.writer.fixed, **options)


DEPTH = Option("depth", "Show guesses 1 … N only.", int)
PATH = Option("path", "Begin at the state after these: 02/11.", metavar="ANSWERS")
SYMBOLS = Option("symbols", "How colors are written: abcdef, or red,green,blue.")
ORDER = Option(
    "order",
    "Order of the answers to a guess; largest: most candidates first.",
    ("responses", "reversed", "largest"),
    "responses",
)
PART = (DEPTH, PATH, SYMBOLS)
"""Options of what is shown of a tree."""
VIEW = (*PART, ORDER)
"""The same where states are shown."""
TITLE = Option("title", "The first line, instead of game and strategy.", metavar="TEXT")
SCALE = Option("scale", "X times as wide and high as usual: 0.1 to 10.", float, 1.0, metavar="X")
