"""Numbers that options take: refused in one way where they are none, or out of range."""

from __future__ import annotations

from numbers import Integral, Real

from .errors import UsageError

MAX_SEED = 2**64 - 1


def is_whole(number: object, least: int = 1, most: float = float("inf")) -> bool:
    """Whether something is a whole number in a range; True and False are none.

    Examples
    --------
    >>> is_whole(1), is_whole(0), is_whole(1.0), is_whole(True)
    (True, False, False, False)
    """
    is_number = isinstance(number, Integral) and not isinstance(number, bool)
    return is_number and least <= number <= most  # type: ignore[operator]


def check_whole(least: int = 1, /, **numbers: object) -> None:
    """Raise UsageError for a keyword that is neither None nor a whole number from `least` on.

    Examples
    --------
    >>> check_whole(jobs=2, beam=None)
    >>> check_whole(sample=0)
    Traceback (most recent call last):
        ...
    treegen.errors.UsageError: sample 0 is out of range: it must be a whole number, at least 1
    """
    for name, number in numbers.items():
        if number is not None and not is_whole(number, least):
            _refuse(name, number, f"a whole number, at least {least}")


def check_seed(seed: object) -> None:
    """Raise UsageError unless a seed is None or 0 to `MAX_SEED`."""
    if seed is not None and not is_whole(seed, 0, MAX_SEED):
        _refuse("seed", seed, "a whole number, 0 to 2 ** 64 - 1")


def check_positive(**numbers: object) -> None:
    """Raise UsageError for a keyword that is neither None nor a positive number.

    Examples
    --------
    >>> check_positive(time_limit=0.5, patience=None)
    """
    for name, number in numbers.items():
        if number is not None and not (_is_real(number) and number > 0):  # type: ignore[operator]
            _refuse(name, number, "positive")


def check_percent(**numbers: object) -> None:
    """Raise UsageError for a keyword that is neither None nor a number from 0 to 100."""
    for name, number in numbers.items():
        if number is not None and not (_is_real(number) and 0 <= number <= 100):  # type: ignore[operator]
            _refuse(name, number, "a number from 0 to 100")


def _is_real(number: object) -> bool:
    return isinstance(number, Real) and not isinstance(number, bool)


def _refuse(name: str, number: object, allowed: str) -> None:
    raise UsageError(f"{name} {number!r:.80} is out of range: it must be {allowed}")
