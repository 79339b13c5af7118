"""The state of a near-optimal search on disk: one file for each cell of a first guess."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .._files import read_bytes, write_atomically
from ..errors import FormatError, TreeError
from ..games import Game
from .beam import Beam, Cell
from .plan import expand_plan

State = str | os.PathLike[str]


def save_cells(folder: State, game: Game, past: tuple[int, ...], beam: Beam) -> None:
    """Write every cell that has a tree."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for cell in beam.cells:
        if len(cell.plan):
            buffer = io.BytesIO()
            np.savez(buffer, cost=cell.cost, width=cell.width, plan=cell.plan)
            write_atomically(_path(folder, game, past, beam, cell), buffer.getvalue())


def load_cells(folder: State, game: Game, past: tuple[int, ...], beam: Beam) -> None:
    """Read the cells that an earlier search left; a tree is played through before it is used.

    Raises
    ------
    FormatError
        A file is damaged, or is not of this cell.
    """
    for cell in beam.cells:
        path = _path(folder, game, past, beam, cell)
        if path.exists():
            _load_cell(path, game, cell)


def _load_cell(path: Path, game: Game, cell: Cell) -> None:
    try:
        with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as entries:
            cost, width = int(entries["cost"]), int(entries["width"])
            plan = entries["plan"].astype(np.int32)
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile, TypeError) as error:
        raise FormatError(f"{str(path)!r} is no state of a search: {error}") from error
    n_slots = max(1, len(cell.candidates) - 1)
    is_valid = plan.shape == (n_slots,) and cost > 0 and width >= 0
    if not is_valid or _total(game, cell, plan) != cost:
        raise FormatError(f"{str(path)!r} does not hold a tree of total {cost} for its cell")
    cell.cost, cell.width, cell.plan = cost, width, plan


def _total(game: Game, cell: Cell, plan: NDArray[np.int32]) -> int | None:
    """Return the total of a plan's tree, None where it is no tree."""
    try:
        return int(expand_plan(game, cell.candidates, plan).n_candidates.sum())
    except TreeError:
        return None


def _path(folder: State, game: Game, past: tuple[int, ...], beam: Beam, cell: Cell) -> Path:
    """Return the file of a cell: the game, the guesses, the response."""
    codes = "-".join(str(code) for code in (*past, beam.opening))
    return Path(folder) / f"{game.name.replace(':', '_')}-{codes}-{cell.response}.npz"
