"""Options that are none, and numbers out of range: refused in one way, whoever takes them."""

from __future__ import annotations

from collections.abc import Iterable
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
    treegen.errors.UsageError: sample=0 is out of range: it must be a whole number, at least 1
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


def check_between(least: float, most: float, /, **numbers: object) -> None:
    """Raise UsageError for a keyword that is neither None nor a number from `least` to `most`.

    Examples
    --------
    >>> check_between(0, 100, gap=0.5)
    """
    for name, number in numbers.items():
        if number is None or (_is_real(number) and least <= number <= most):  # type: ignore[operator]
            continue
        _refuse(name, number, f"a number from {least:g} to {most:g}")


def _is_real(number: object) -> bool:
    return isinstance(number, Real) and not isinstance(number, bool)


def _refuse(name: str, number: object, allowed: str) -> None:
    raise UsageError(f"`{name}={number!r:.80}` is out of range: it must be {allowed}")


def check_names(function: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raise TypeError for a keyword that a function does not have; tell the nearest it has.

    Parameters
    ----------
    function
        As its user called it.
    given, known
        Keywords.

    Examples
    --------
    >>> check_names("build", ["frist"], ["first", "jobs"])
    Traceback (most recent call last):
        ...
    TypeError: build() has no keyword 'frist': did you mean 'first'?
    """
    known = list(known)
    for name in given:
        if name not in known:
            import difflib  # slow to load, and rarely needed

            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
            raise TypeError(f"{function}() has no keyword {name!r}: {hint}")
