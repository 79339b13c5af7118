"""Certificates: what their text can say, and how it calls a game and its codes.

docs/certificate-format.md specifies it; `treegen.exact` writes it, `treegen.checker` reads it.
"""

from __future__ import annotations

import lzma
import os
from io import BytesIO
from pathlib import Path
from typing import IO

from .._files import explain_reading
from ..errors import FormatError, UsageError
from ..games.base import Game, Goal
from ..games.eligible import resolve_eligible
from ..strategies.stated import read_provenance
from ..tree.tree import Tree

MAX_PEGS, MAX_COLORS = 9, 26
MAX_BYTES = 1 << 28
"""The most that an unpacked certificate may have."""

ProofSource = str | os.PathLike[str] | bytes | IO[bytes]
"""A path, the bytes or the open file of a certificate, which may be packed by xz."""


def find_unproved(game: Game) -> str:
    """Return what makes a game another one than a certificate's of this name; ``""``: nothing."""
    if game.stakes.weights is not None:
        return "weights"
    if game.stakes.costs is not None:
        return "costs"
    return "" if game.goal == Goal.WIN else f"the goal to {game.goal.value}"


def refuse_game(game: Game) -> None:
    """Raise UsageError if certificates do not cover a game."""
    if unproved := find_unproved(game):
        raise UsageError(
            f"certificates do not cover weights, costs or goals yet; {game.name} has {unproved}"
        )
    if game.kind not in ("pegs", "codebook"):
        raise UsageError(f"certificates are for peg games and codebooks, not for {game.name}")
    if game.n_pegs > MAX_PEGS or (not game.is_of_words and game.n_colors > MAX_COLORS):
        raise UsageError(
            f"certificates are for up to {MAX_PEGS} pegs and {MAX_COLORS} colors; {game.name} has"
            " more"
        )
    if getattr(game, "excerpt", None):
        raise UsageError(
            f"certificates need the whole codebook; {game.name} has only the words of a tree"
        )
    if not getattr(game, "is_plain", True):
        raise UsageError(f"certificates need letters of one code point; {game.name} has others")


def refuse_aim(game: Game, eligible: str, objective: str, *, after_history: bool) -> None:
    """Raise UsageError if certificates do not cover what a search minimises."""
    refuse_game(game)
    rule = resolve_eligible(game, eligible)
    if rule != "all":
        raise UsageError(f"certificates do not cover rules of play yet: eligible={eligible}")
    if after_history:
        raise UsageError("a certificate covers whole games, not games after a history")
    if objective == "worst,n_worst,total":
        raise UsageError(f"certificates are about totals; the objective is {objective}")


def find_claim(tree: Tree) -> tuple[int, int | None]:
    """Return what a tree's search has proved: the least total, and the longest game allowed.

    Raises UsageError if it has proved nothing, or nothing that certificates cover.
    """
    claimed, stated = tree.provenance, read_provenance(tree.provenance, tree.game)
    refuse_aim(tree.game, stated.eligible, claimed.objective, after_history=bool(claimed.history))
    # A table does not hold the bound, only that its tree is optimal.
    bound = tree.total if claimed.bound is None and stated.is_optimal else claimed.bound
    if bound is None:
        raise UsageError(
            f"{claimed.strategy or 'an imported tree'} claims no bound: certificates are for trees"
            " of the searches optimal and best"
        )
    is_by_worst = claimed.objective.startswith("worst")
    return bound, tree.worst if is_by_worst else stated.max_length


def name_game(game: Game) -> str:
    """Return how a certificate calls a game."""
    if game.is_of_words:
        return f"codebook {game.rule} {game.rules_name.partition(':')[2]}"
    return game.name


def write_code(game: Game, code: int) -> str:
    """Return how a certificate writes a code: 1123 as aabc, words as they are."""
    if game.is_of_words:
        return game.with_symbols(None).format_code(code)
    return "".join(chr(ord("a") + color) for color in game.codes[code].tolist())


def read_proof(source: ProofSource) -> bytes:
    """Return the text of a certificate; FormatError if it cannot be read or is too large."""
    if isinstance(source, bytes):
        return _unpack(BytesIO(source), "the certificate")
    if isinstance(source, (str, os.PathLike)):
        with explain_reading(source), Path(source).open("rb") as file:
            return _unpack(file, os.fspath(source))
    return _unpack(source, str(getattr(source, "name", "the input")))


def _unpack(file: IO[bytes], name: str) -> bytes:
    data = file.read(MAX_BYTES + 1)
    try:
        if data.startswith(b"\xfd7zXZ\0"):
            with lzma.open(BytesIO(data)) as packed:
                data = packed.read(MAX_BYTES + 1)
    except (lzma.LZMAError, EOFError) as error:
        raise FormatError(f"{name}: the xz file is damaged ({error})") from error
    if len(data) > MAX_BYTES:
        raise FormatError(f"{name}: a certificate has {MAX_BYTES:,} bytes at most")
    return data
