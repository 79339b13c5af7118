"""A gap that a near-optimal tree is proved to keep: the bound that it asks for, and its folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from math import ceil
from pathlib import Path

from ..games import Game
from ..tasks import describe_work, open_checkpoint
from .request import SearchControl, SearchSpec

FOLDER = "proof"
"""Where the table of proofs is, in the folder that keeps the cells of a near-optimal search."""


def find_least_bound(total: int, gap: float) -> int:
    """Return the least bound of which a total is within so many percent.

    Examples
    --------
    >>> find_least_bound(178368, 1)
    176602
    >>> find_least_bound(5625, 0)
    5625
    """
    return ceil(total * 100 / (100 + Fraction(gap)))


@contextmanager
def keep_proof(game: Game, spec: SearchSpec, control: SearchControl) -> Iterator[SearchControl]:
    """Open the folder of the table of proofs, if a gap is to be proved and a folder is given."""
    if spec.gap is None or control.folder is None:
        yield control
        return
    work = describe_work(game.digest_name, f"gap; {spec.rule}", spec.history)
    folder = Path(control.folder) / FOLDER
    with open_checkpoint(folder, work, control.notice) as checkpoint:
        yield replace(control, checkpoint=checkpoint, keeps_table=True)
