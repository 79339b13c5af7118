"""What a format is: one record says how it is written, read, recognized and explained.

The module of a format holds its record; `treegen.convert.FORMATS` is the table of all. The commands
``treegen export NAME`` and ``treegen import NAME``, their help, what shells complete, `write` and
`import_tree` follow from it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

from .._options import Option as Option
from .._options import check_kinds, check_names, describe_parameters, list_parameters

if TYPE_CHECKING:
    from ..games.base import Game
    from .sketch import Sketch
    from .view import View


class Idle(NamedTuple):
    """Options that have no effect beside others, and are refused there.

    `applies` takes the values of all parameters by name; `reason` follows "--x has no effect".
    """

    parameters: tuple[str, ...]
    applies: Callable[[Mapping[str, Any]], bool]
    reason: str


@dataclass(frozen=True, slots=True)
class Writer:
    """How trees are written in a format."""

    function: Callable[..., object]  # of a tree (a page: several), a path or file, the options
    summary: str  # in the list of formats
    help: str = ""  # of its command
    options: Sequence[Option] | None = None  # None: all that the function has
    examples: tuple[str, ...] = ()  # command lines
    kinds: tuple[str, ...] = ()  # files that it makes, keys of `_files.KINDS`; none: a folder
    by_style: Mapping[str, str] = field(default_factory=dict)  # the kind that each style makes
    has_stream: bool = False  # where no file is named, it goes to the standard output
    fixed: Mapping[str, str] = field(default_factory=dict)  # keywords that the name stands for
    idle: tuple[Idle, ...] = ()
    # For a path and the options: other files that are written, with their kinds; "" replaces any.
    list_others: Callable[[str, Mapping[str, Any]], Mapping[str, str]] | None = None
    make_files: Callable[..., dict[str, bytes]] | None = None  # a folder's, for tree and options
    takes_several: bool = False  # trees
    game: str = ""  # help of its option --game, which takes those of reading along; none without

    def list_options(self) -> Sequence[Option]:
        """Return the options of the format's command."""
        return list_parameters(self.function) if self.options is None else self.options

    def list_keywords(self) -> list[str]:
        """Return the keywords of the function, without those that the format's name stands for."""
        taken = {"format", *self.fixed}  # the format is chosen already
        parameters = list(inspect.signature(self.function).parameters)[2:]
        return [name for name in parameters if name not in taken]


@dataclass(frozen=True, slots=True)
class Style:
    """A style of text."""

    # Of trees of codes, and of those of tables of answers, if they are written so: yield lines
    # without line ends.
    function: Callable[[View], Iterator[str]] | None
    summary: str
    has_header: bool = False  # its first lines, up to an empty one, say what the tree is
    has_order: bool = True  # the answers to a guess may come in another order
    questions: Callable[[View], Iterator[str]] | None = None
    kind: str = "text"  # of the file that it makes, a key of `_files.KINDS`


@dataclass(frozen=True, slots=True)
class Reader:
    """How trees are read from a format."""

    # Fills a sketch with the states of its text and returns it, or another one of the same text;
    # None for text whose format is detected, for tables, and for what `questions` alone reads.
    function: Callable[[Sketch], Sketch] | None = None
    summary: str = ""  # without one it has no command of its own
    help: str = ""  # of its command
    examples: tuple[str, ...] = ()  # command lines
    looks: str = ""  # regular expression: how such a text begins
    field: str = ""  # by which JSON is recognized
    find_game: Callable[[str], Game | None] | None = None  # that a text names, headers apart
    is_of_words: bool = False  # its games are answered by position
    may_misprint: bool = False  # ``lenient`` accepts misprints
    questions: Callable[[Sketch], Sketch] | None = None  # of tables of answers; None: `function`


@dataclass(frozen=True, slots=True)
class Format:
    """A form of a tree: how it is written, as which style of text, how it is read."""

    name: str  # as `write`, `import_tree` and the command line take it
    writer: Writer | None = None  # None: no command of its own writes it
    style: Style | None = None
    reader: Reader | None = None


GONE = {
    "sunburst": "icicle draws the same states, a row for each guess",
    "--static": "pictures hold no script that it could leave out",
}
"""Formats and options of earlier versions, and what replaces them."""

Title = Annotated[
    str | None,
    Option(
        "The first line, instead of game and strategy.",
        metavar="TEXT",
        python="The first line; None: game and strategy.",
    ),
]
Scale = Annotated[
    float,
    Option(
        "X times as wide and high as usual: 0.1 to 10.",
        metavar="X",
        python="How many times as wide and high as usual, 0.1 to 10; of plots not for PDF.",
    ),
]
"""Parameters that functions of several formats have."""

PARTS = {
    "{parameters}": """Parameters
    ----------
    tree
        The tree, or its file.
    file
        A path, or an open file.
    {options}""",
    "{errors}": """Raises
    ------
    UsageError, GameError, UnreachableError
        An option is out of range or does not fit the tree; the file cannot be written.""",
}
"""What docstrings of writers say alike."""

F = TypeVar("F", bound=Callable[..., Any])


def describe_writer(function: F) -> F:
    """Decorate a function that writes a tree: its docstring gets its `PARTS` and its options."""
    for mark, text in PARTS.items():
        if function.__doc__:  # there is none with python -OO
            function.__doc__ = function.__doc__.replace(mark, text)
    return describe_parameters(function)


def check_options(function: Callable[..., object], /, **given: object) -> None:
    """Raise for a keyword that a function lacks: see `check_names`, `check_kinds`."""
    parameters = inspect.signature(function).parameters
    check_names(function.__name__, given, parameters)
    check_kinds(parameters, given)
