"""The exceptions that treegen raises: one family, each also a built-in of its kind."""

from __future__ import annotations


class TreegenError(Exception):
    """Base of every error that treegen raises on purpose."""


class GameError(TreegenError, ValueError):
    """An unknown game, a code or feedback that a game lacks, a size out of range."""


class StrategyError(TreegenError, ValueError):
    """An unknown strategy, a malformed chain, a rule that does not fit the game."""


class FormatError(TreegenError, ValueError):
    """A file that cannot be read: the message says what is wrong and where."""


class TreeError(TreegenError, ValueError):
    """A tree that breaks one of its own invariants."""


class UsageError(TreegenError, ValueError):
    """Options that do not fit together or are out of range."""


class UnreachableError(TreegenError, KeyError):
    """A history that the tree does not hold."""

    def __str__(self) -> str:
        # KeyError shows repr(args[0]); people need the sentence.
        return str(self.args[0]) if self.args else ""


class DependencyError(TreegenError, ImportError):
    """An optional package is missing; the message says how to install it."""


class SearchStoppedError(TreegenError, RuntimeError):
    """A search was ended before it was over."""


class ClusterError(TreegenError, ConnectionError):
    """A cluster that does not respond, lost its workers, or runs other versions."""


class TreegenWarning(UserWarning):
    """Where treegen deviates from what was asked, and why."""


class TimeLimitError(TreegenError, TimeoutError):
    """The time limit is over, and there is no result yet.

    Attributes
    ----------
    kept
        What is kept of the work, in words; empty if nothing is.
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
    """

    def __init__(self, result: object) -> None:
        super().__init__()
        self.result = result
