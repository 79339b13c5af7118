"""The exceptions that treegen raises: one family, each also a built-in of its kind."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings

_CONTROLS = (*range(9), *range(11, 32), *range(127, 160), *range(0x2028, 0x202F))
ESCAPES = {code: f"\\u{code:04x}" for code in (*_CONTROLS, *range(0x2066, 0x206A))}
"""For `str.translate`: characters that a terminal obeys, but for tabs and line feeds."""


def write_options(text: str, *, in_shell: bool) -> str:
    r"""Return a text whose options between backticks are as Python or the command line has them.

    An option stands there alone or with its value, which may be a literal of Python: "`seed`",
    "`names='none'`", "`strict=True`". Quoted texts, which users may have written, stay as they are.

    >>> write_options("give `unknown='?,NA'`; 'a `b` c'", in_shell=False)
    "give unknown='?,NA'; 'a `b` c'"
    >>> write_options("'a cell that was cut … is long: `sets='/'`", in_shell=True)
    "'a cell that was cut … is long: --sets /"
    >>> write_options("`unknown='?,NA'`, `jobs=2`, `strict=True`, `header=False`", in_shell=True)
    "--unknown '?,NA', --jobs 2, --strict, --no-header"
    """
    if "`" not in text:
        return text
    import re  # rarely needed

    literal = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
    # A value that was cut has no end: then the next quote may be where an option's value begins.
    quoted = rf"(?<!\w)(?:{literal})(?<!=.)(?!\w)"
    option = rf"`([a-z_]+)(?:=({literal}|[^`]*))?`"

    def write(found: re.Match[str]) -> str:
        name, value = found[1], found[2] or ""
        if name is None:
            return found[0]
        return _write_flag(name, value) if in_shell else f"{name}={value}"

    return re.sub(f"{quoted}|{option}", write, text)


def _write_flag(name: str, value: str) -> str:
    """Return an option of the command line, with its value, which a shell reads as one word."""
    import ast
    import shlex

    flag = FLAGS.get(name) or "--" + name.replace("_", "-")
    if value in ("", "True", "False"):
        return flag
    with contextlib.suppress(SyntaxError, ValueError):  # such as a literal that was cut
        value = shlex.quote(str(ast.literal_eval(value)))
    return f"{flag} {value}"


class TreegenError(Exception):
    """Base of every error that treegen raises on purpose; the text has no control characters.

    In the text that it is made of, an option stands between backticks, alone or with its value:
    "`seed`", "`strategy=best`". Python reads ``seed=``, a shell ``--seed``.

    Examples
    --------
    >>> import treegen
    >>> try:
    ...     treegen.build("p4c6r", "knut")
    ... except treegen.TreegenError as error:
    ...     print(type(error).__name__)
    StrategyError
    """

    def __str__(self) -> str:
        return write_options(self._text, in_shell=False).translate(ESCAPES)

    def to_shell(self) -> str:
        """Return the message with options as the command line has them.

        Examples
        --------
        >>> UsageError("`table_size=0` is out of range").to_shell()
        '--table-size 0 is out of range'
        """
        return write_options(self._text, in_shell=True).translate(ESCAPES)

    @property
    def _text(self) -> str:
        return super().__str__()


class GameError(TreegenError, ValueError):
    """An unknown game, a code or feedback that a game lacks, a size out of range.

    Examples
    --------
    >>> import treegen
    >>> treegen.open_game("p0c6r")
    Traceback (most recent call last):
        ...
    treegen.errors.GameError: 0 pegs are out of range: 1 to 1000
    """


class StrategyError(TreegenError, ValueError):
    """An unknown strategy, a malformed chain, a rule that does not fit the game.

    Examples
    --------
    >>> import treegen
    >>> treegen.build("p2c3r", "power:0,lowest")
    Traceback (most recent call last):
        ...
    treegen.errors.StrategyError: power:0 is out of range: L > 0 (to 60), or -1 <= L < 0
    """


class FormatError(TreegenError, ValueError):
    """A file that cannot be read: the message says what is wrong and where.

    Examples
    --------
    >>> import treegen
    >>> treegen.read(b"no tree")
    Traceback (most recent call last):
        ...
    treegen.errors.FormatError: the input is neither a .tree file nor a .tgt table: it is text; \
treegen import reads it if it holds a tree
    """


class MissingFileError(FormatError, FileNotFoundError):
    """A missing file that is to be read.

    Examples
    --------
    >>> import treegen
    >>> try:
    ...     treegen.read("none.tree")
    ... except FileNotFoundError as error:
    ...     print(error)
    cannot read 'none.tree': No such file or directory
    """

    # ValueError's makes no such object; dask, which rebuilds errors by tblib, would call it.
    __new__ = FileNotFoundError.__new__  # type: ignore[assignment]


class MissingGameError(GameError, FileNotFoundError):
    """A game's name that means a missing file.

    Examples
    --------
    >>> import treegen
    >>> treegen.open_game("words.txt")
    Traceback (most recent call last):
        ...
    treegen.errors.MissingGameError: unknown game 'words.txt': there is no such file
    """

    __new__ = FileNotFoundError.__new__  # type: ignore[assignment]


class TreeError(TreegenError, ValueError):
    """A tree that breaks one of its own invariants.

    Examples
    --------
    >>> import dataclasses, treegen
    >>> tree = treegen.build("p2c3r")
    >>> dataclasses.replace(tree, guess=tree.guess + 9).check()
    Traceback (most recent call last):
        ...
    treegen.errors.TreeError: node 0: its guess is not in 0 … 8
    """


class UsageError(TreegenError, ValueError):
    """Options that do not fit together or are out of range.

    Examples
    --------
    >>> import treegen
    >>> treegen.build("p2c3r", seed=1)
    Traceback (most recent call last):
        ...
    treegen.errors.UsageError: seed= is for strategies that choose at random; knuth does not
    """


class MissingFolderError(UsageError, FileNotFoundError):
    """A missing folder that is to be read or written into.

    Examples
    --------
    >>> import treegen
    >>> treegen.build("p2c3r").write("none/knuth.tree")
    Traceback (most recent call last):
        ...
    treegen.errors.MissingFolderError: cannot write 'none/knuth.tree': the folder 'none' does not \
exist
    """

    __new__ = FileNotFoundError.__new__  # type: ignore[assignment]


FLAGS = {
    **{"strategy": "-s", "strategies": "-s", "game": "-g", "file": "-o", "n": "--games"},
    **{"classes": "--class", "header": "--no-header"},
}
"""Options whose name on the command line is not their keyword."""


class UnreachableError(TreegenError, KeyError):
    """A history that the tree does not hold.

    Examples
    --------
    >>> import treegen
    >>> treegen.build("p2c3r").guess_after("01")
    Traceback (most recent call last):
        ...
    treegen.errors.UnreachableError: step 1: no secret answers 11 with 01; possible here: 00 10 20
    """

    @property
    def _text(self) -> str:
        # KeyError shows repr(args[0]); people need the sentence.
        return Exception.__str__(self)


class DependencyError(TreegenError, ImportError):
    """An optional package is missing; the message says how to install it.

    Examples
    --------
    >>> issubclass(DependencyError, ImportError)
    True
    """


class SearchStoppedError(TreegenError, RuntimeError):
    """A search was ended before it was over.

    Examples
    --------
    >>> issubclass(TimeLimitError, SearchStoppedError), issubclass(SearchStoppedError, RuntimeError)
    (False, True)
    """


class ClusterError(TreegenError, ConnectionError):
    """A cluster that does not respond, lost its workers, or runs other versions.

    Examples
    --------
    >>> issubclass(ClusterError, ConnectionError)
    True
    """


class TreegenWarning(UserWarning):
    """Where treegen deviates from what was asked, and why.

    In its text options stand between backticks, as in that of a `TreegenError`.

    Examples
    --------
    >>> import warnings, treegen
    >>> with warnings.catch_warnings(action="error", category=treegen.TreegenWarning):
    ...     treegen.build("p2c3r").total
    24
    """

    def __str__(self) -> str:
        return write_options(super().__str__(), in_shell=False).translate(ESCAPES)

    def to_shell(self) -> str:
        """Return the message with options as the command line has them."""
        return write_options(super().__str__(), in_shell=True).translate(ESCAPES)


def warn(text: str) -> None:
    """Give a `TreegenWarning` at the line outside of treegen that called it."""
    own = (os.path.dirname(__file__) + os.sep, contextlib.__file__)  # noqa: PTH120
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(own):
        frame, level = frame.f_back, level + 1
    warnings.warn(TreegenWarning(text), stacklevel=level)


class TimeLimitError(TreegenError, TimeoutError):
    """The time limit is over, and there is no result yet.

    Attributes
    ----------
    kept
        What is kept of the work, in words; empty if nothing is.

    Examples
    --------
    >>> print(TimeLimitError("the time limit of 60 s is over", "3 of 4 tasks are kept in parts"))
    the time limit of 60 s is over; 3 of 4 tasks are kept in parts
    """

    def __init__(self, message: str, kept: str = "") -> None:
        super().__init__(f"{message}; {kept}" if kept else message)
        self.kept = kept


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with what was done before it.

    Attributes
    ----------
    result
        What the function would have returned, as far as it is known.

    Examples
    --------
    >>> try:
    ...     raise Interrupted(["the first game"])
    ... except KeyboardInterrupt as error:
    ...     print(error.result)
    ['the first game']
    """

    def __init__(self, result: object) -> None:
        super().__init__()
        self.result = result
