"""``--time-limit`` of commands; see `treegen._time_limit` for what it does."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import click

from .._time_limit import describe_stop, forget_limit, is_time_over, limit_time

__all__ = ["describe_stop", "forget_limit", "is_time_over", "limit_time", "time_limit_option"]

F = TypeVar("F", bound=Callable[..., Any])


def time_limit_option(text: str) -> Callable[[F], F]:
    """Add --time-limit, with the help text of the command."""
    return click.option(
        "--time-limit",
        type=click.FloatRange(0, min_open=True),
        callback=_refuse_no_number,
        metavar="S",
        help=text,
    )


def _refuse_no_number(_: object, option: click.Parameter, value: float | None) -> float | None:
    if value is not None and math.isnan(value):
        raise click.BadParameter("nan is not a number of seconds", param=option)
    return value
