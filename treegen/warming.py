"""Compiling all kernels once: for images, class rooms, clusters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ._printing import Block, Paragraph, Printable
from .analysis.explain import explain
from .analysis.openings import openings
from .analysis.sample import simulate
from .builder.choose import make_first_level
from .catalogue import Codebook
from .exact.request import SearchControl, TimeBudget
from .exact.run import run_search
from .formats.inputs import open_game
from .games.answer_table import AnswerTable
from .games.base import Game
from .games.names import parse_game
from .games.questions import Questions
from .jit.interpreter import compile_all
from .job import build
from .kernels.levels import split_widely
from .kernels.onestep.orbits import N_ORBIT_ROWS, list_maps
from .kernels.responses import make_scoring
from .strategies.named import parse_strategy
from .tasks.work import Progress, ProgressOption, open_progress

WORDS = ["abc", "abd", "acd", "bcd", "dcb", "cab", "bad", "dab"]

LONGER_WORDS = [f"{first}{second}{third}x" for first in "abc" for second in "ab" for third in "abc"]
"""Words with more responses than an integer holds as a set."""

AT_ONCE = TimeBudget(alone_s=-1.0, min_units=1, max_units=1, n_slices=1)
"""Several threads share the smallest search, too."""


@dataclass(frozen=True, slots=True)
class Warmup(Printable):
    """What `warmup` did.

    Attributes
    ----------
    folder
        Where compiled kernels are kept; None where no folder can be written.
    n_kernels
        Kernels that are kept there.
    n_new
        How many of them were compiled now.

    Examples
    --------
    >>> from pathlib import Path
    >>> import treegen
    >>> print(treegen.Warmup(Path("kernels"), 212, 3))
    212 kernels in kernels, 3 of them compiled now
    """

    folder: Path | None
    n_kernels: int
    n_new: int

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON."""
        folder = None if self.folder is None else str(self.folder)
        return {"folder": folder, "kernels": self.n_kernels, "new": self.n_new}

    def describe(self) -> Iterator[Block]:
        """Yield how many kernels are compiled, and where they are."""
        if self.folder is None:
            yield Paragraph(
                "no folder can be written, so kernels are compiled at every start; set"
                " NUMBA_CACHE_DIR to one that can"
            )
            return
        kernels = "1 kernel" if self.n_kernels == 1 else f"{self.n_kernels} kernels"
        yield Paragraph(f"{kernels} in {self.folder}, {self.n_new} of them compiled now")


def warmup(*, progress: ProgressOption = None) -> Warmup:
    """Compile all kernels, so that nothing is compiled later; say where they are.

    The folder is that of the package, of the user's cache, or of temporary files, whichever can be
    written first; ``NUMBA_CACHE_DIR`` chooses another one.

    Parameters
    ----------
    progress
        Called with a `Progress` for each kind of work; True shows a bar.

    Examples
    --------
    >>> import treegen
    >>> treegen.warmup().n_kernels > 0  # doctest: +SKIP
    True
    """
    from .jit.compiler import _find_folder

    folder = _find_folder()
    before = _count(folder)
    tasks = dict(_list_tasks())
    with compile_all(), open_progress(progress, "compiling") as on_progress:
        for number, (name, run) in enumerate(tasks.items()):
            if on_progress is not None:
                on_progress(
                    Progress(name, number, len(tasks), f"{number + 1} of {len(tasks)}: {name}")
                )
            run()
    after = _count(folder)
    return Warmup(folder, after, after - before)


def _draw_possible() -> Game:
    """Return a table with an uncertain answer, large enough for compiled kernels."""
    matrix = np.array([[row >> question & 1 for question in range(5)] for row in range(32)])
    matrix[0, 0] = 2
    names = tuple(f"row {row}" for row in range(len(matrix)))
    questions = tuple(f"bit {question}" for question in range(5))
    answers = (("no", "yes"),) * 5
    return Questions(
        AnswerTable(names, questions, answers, matrix.astype(np.uint8), sets=(((0, 1),), *[()] * 4))
    )


def _count(folder: Path | None) -> int:
    """Return the number of kernels in a folder: each has an index file."""
    return 0 if folder is None else sum(1 for _ in folder.glob("*.nbi"))


def _list_tasks() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield small work that together uses every kernel, in every type that games need."""
    chain = "max,expected,entropy,parts,power:1,consistent,lowest"
    words = Codebook(WORDS, feedback="position")
    longer = Codebook(LONGER_WORDS, feedback="position")
    weighted = open_game(words, weights=dict.fromkeys(WORDS[:3], 2))
    yield "rules", lambda: [build(game, chain) for game in ("p3c4r", "p2c3rb", "p2c5n", "a211")]
    yield "plain rules", lambda: build("p4c6r", "knuth", jobs=2)
    yield "random choices", lambda: build("p3c4r", "random-consistent")
    yield "words", lambda: [build(words, chain), build(words, chain, eligible="hints")]
    yield "questions", lambda: [build("range9", chain), build("coins3", chain)]
    yield (
        "uncertain answers",
        lambda: [build(_draw_possible(), name) for name in ("information", "optimal")],
    )
    yield "wide levels", _split_widely
    yield "symmetries", _list_maps
    yield "weights", lambda: build(weighted, "knuth")
    yield "proofs", lambda: [build(game, "optimal") for game in ("p3c4r", "p3c4n", words, longer)]
    shared = SearchControl(2, budget=AT_ONCE)
    yield "shared proofs", lambda: run_search(parse_game("p3c5r"), "optimal", control=shared)
    yield (
        "certificates",
        lambda: [
            *(build(game, "optimal").certify() for game in ("p3c4r", words, weighted)),
            build(words, "optimal", eligible="hints").certify(),
            build("p3c4r", "optimal", eligible="candidates").certify(),
        ],
    )
    yield "given first guesses", lambda: build("p3c4r", "optimal", first="112")
    yield (
        "legal proofs",
        lambda: [
            build(words, "optimal", eligible="hints"),
            build(words, "optimal", eligible="hints", jobs=2),
            build(words, "optimal", eligible="consistent"),
        ],
    )
    yield "weighted proofs", lambda: [build(weighted, name) for name in ("optimal", "best")]
    yield (
        "openings",
        lambda: [openings("p3c4r", "optimal"), openings(words, "optimal")],
    )
    yield (
        "explanations",
        lambda: [explain(build(game, "knuth")) for game in ("p3c4r", weighted)],
    )
    yield "other objectives", lambda: build("p3c4r", "optimal", objective="worst,total")
    yield "near-optimal trees", lambda: [build(game, "best") for game in ("p3c5r", words)]
    yield (
        "long codes",
        lambda: [simulate("p20c20r", name, n=2) for name in ("adaptive", "one-by-one")],
    )


def _list_maps() -> None:
    """Find the symmetries of a history, as builds on a graphics card do on the processor."""
    digits, history = np.zeros((4, 2), dtype=np.uint8), np.zeros(1, dtype=np.int32)
    permutations = np.array([[0, 1], [1, 0]], dtype=np.uint8)
    orbits, maps = np.zeros((N_ORBIT_ROWS, 3), dtype=np.int64), np.zeros((2, 4), dtype=np.int16)
    list_maps(digits, permutations, history, orbits, maps)


def _split_widely() -> None:
    """Split a level as those that have more cells than there are counters for."""
    game = parse_game("p2c3r")
    level = make_first_level(game, parse_strategy("knuth", game), ())
    split_widely(make_scoring(game.rules), level, np.zeros(1, dtype=np.int32), game.n_responses)
