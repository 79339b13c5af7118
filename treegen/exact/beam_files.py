"""The folder of a near-optimal search: one file for each cell of a first guess."""

from __future__ import annotations

import io
import os
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .._files import read_bytes, write_atomically
from ..errors import FormatError, TreeError
from ..games import Game
from ..strategies import join_names
from ..tasks import Checkpoint, Notice, describe_work, open_checkpoint
from .openings import Cell
from .plan import Found, expand_plan
from .request import SearchControl, SearchSpec

DAMAGES = (
    *(ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile, TypeError, zlib.error),
    *(OverflowError, NotImplementedError, SyntaxError, MemoryError, RuntimeError),
)
"""What reading a damaged archive of arrays may raise."""

State = str | os.PathLike[str]


@contextmanager
def open_beam_folder(
    game: Game, spec: SearchSpec, control: SearchControl
) -> Iterator[Checkpoint | None]:
    """Open the folder of a near-optimal search; None if it has none.

    Raises
    ------
    UsageError, FormatError
        As `open_checkpoint`.
    """
    if control.folder is None:
        yield None
        return
    given = f"; first={join_names(spec.first)}" if spec.first else ""
    work = describe_work(game.digest_name, f"best{given}", spec.history)
    with open_checkpoint(control.folder, work, control.notice) as checkpoint:
        yield checkpoint


def save_cells(folder: State, game: Game, history: tuple[int, ...], cells: list[Cell]) -> None:
    """Write every cell that has a tree; the history ends with the guess whose cells they are."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for cell in cells:
        if len(cell.plan):
            buffer = io.BytesIO()
            np.savez(buffer, cost=cell.cost, width=cell.width, plan=cell.plan)
            write_atomically(_path(folder, game, history, cell), buffer.getvalue())


def list_saved_openings(folder: State, game: Game, history: tuple[int, ...]) -> list[int]:
    """Return the first guesses, ascending, for which an earlier search left cells."""
    codes = "".join(f"{code}-" for code in history)
    pattern = re.compile(re.escape(f"{_write_name(game)}-{codes}") + r"(\d{1,9})-\d+\.npz")
    matches = [pattern.fullmatch(path.name) for path in Path(folder).glob("*.npz")]
    found = {int(match[1]) for match in matches if match}
    return sorted(code for code in found if code < game.n_codes)


def load_cells(
    folder: State, game: Game, history: tuple[int, ...], cells: list[Cell], notice: Notice
) -> None:
    """Read the cells of an earlier search; each tree is played before it is used.

    Parameters
    ----------
    folder, game, history
        Where, and which search; the history ends with the guess whose cells they are.
    cells
        Written in place.
    notice
        Called for files that are damaged or not of their cell; these cells are searched again.
    """
    for cell in cells:
        path = _path(folder, game, history, cell)
        if path.exists():
            try:
                _load_cell(path, game, cell)
            except FormatError as error:
                notice(f"{path}: {error}; it is done again")


def _load_cell(path: Path, game: Game, cell: Cell) -> None:
    try:
        with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as entries:
            cost, width = int(entries["cost"]), int(entries["width"])
            plan = entries["plan"].astype(np.int32)
    except DAMAGES as error:
        raise FormatError("it is damaged: no state of a search can be read from it") from error
    n_slots = max(1, len(cell.candidates) - 1)
    is_valid = plan.shape == (n_slots,) and cost > 0 and width >= 0
    if not is_valid or _total(game, cell, plan) != cost:
        raise FormatError(f"it has no tree of total {cost} for its cell")
    cell.best, cell.width = Found(cost, plan), width


def _total(game: Game, cell: Cell, plan: NDArray[np.int32]) -> int | None:
    """Return the total of a plan's tree, None if it is not a tree."""
    try:
        return expand_plan(game, cell.candidates, plan).total
    except TreeError:
        return None


def _path(folder: State, game: Game, history: tuple[int, ...], cell: Cell) -> Path:
    """Return the file of a cell: the game, the guesses, the response."""
    codes = "-".join(str(code) for code in history)
    return Path(folder) / f"{_write_name(game)}-{codes}-{cell.response}.npz"


def _write_name(game: Game) -> str:
    return game.name.replace(":", "_")
