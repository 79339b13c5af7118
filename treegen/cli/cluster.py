"""The options of a cluster: ``--scheduler`` and ``--patience``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import click

PATIENCE = "treegen.patience"
"""Where a command keeps the value of --patience."""

F = TypeVar("F", bound=Callable[..., Any])


def scheduler_option(function: F) -> F:
    """Add --scheduler and --patience."""
    for decorate in (
        click.option(
            "--patience",
            type=click.FloatRange(0, min_open=True),
            metavar="S",
            expose_value=False,
            callback=_keep_patience,
            help="Give up a scheduler that is silent for S s (default 300).",
        ),
        click.option(
            "--scheduler",
            metavar="ADDRESS",
            help="Work on a dask cluster: tcp://host:port, or its scheduler file.",
        ),
    ):
        function = decorate(function)
    return function


def find_patience() -> float | None:
    """Return what --patience says."""
    patience_s: float | None = click.get_current_context().meta.get(PATIENCE)
    return patience_s


def _keep_patience(ctx: click.Context, option: click.Parameter, value: float | None) -> None:
    """Keep what --patience says until workers are opened."""
    if value is not None and math.isnan(value):
        raise click.BadParameter("nan is not a number of seconds", param=option)
    ctx.meta[PATIENCE] = value
