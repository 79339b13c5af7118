"""Trees of any size and of the right shape, which nobody plays: to be written and looked at."""

from __future__ import annotations

from itertools import repeat
from tempfile import TemporaryFile

import numpy as np

from treegen import open_game
from treegen.builder.grow import map_tree
from treegen.tree.tree import Provenance

GROUP = 40
"""Parts below one state: fewer than p8c10r has responses."""


def make_synthetic(n_parts, n_roots=40, fan_out=31):
    """Return a tree of `n_parts` parts, each of `n_roots` states with `fan_out` leaves.

    Every guess may win. Above the parts are a state for each, groups of these, a root; there may
    be ``43 ** 2 * GROUP`` parts at most.
    """
    part = [_level([fan_out] * n_roots), _level([0] * (n_roots * fan_out), fan_out)]
    levels = [[n_roots] * n_parts]
    while len(levels[0]) > 1 or len(levels) < 3:
        whole, rest = divmod(len(levels[0]), GROUP)
        levels.insert(0, [GROUP] * whole + [rest] * (rest > 0))
    below = [n_roots * (fan_out + 1)] * n_parts
    sums = []
    for depth, counts in reversed(list(enumerate(levels))):
        if depth < len(levels) - 1:
            starts = np.cumsum([0, *counts])
            below = np.add.reduceat(np.array(sums[0]), starts[:-1]).tolist()
        sums.insert(0, [1 + size for size in below])
    replies = [[-1], *(_count_up(counts) for counts in levels[:-1])]
    top = [
        {
            "guess": np.arange(len(counts)),
            "n_candidates": np.array(sizes),
            "response": np.array(responses),
            "n_children": np.array(counts),
        }
        for counts, sizes, responses in zip(levels, sums, replies, strict=True)
    ]
    # Begun mid-game: its root need not have all secrets of the game.
    provenance = Provenance("synthetic", history=((0, 0),))
    with TemporaryFile() as file:
        return map_tree(open_game("p8c10r"), provenance, top, lambda: repeat(part, n_parts), file)


def _level(n_children, family=None):
    n_nodes = len(n_children)
    return {
        "guess": np.arange(n_nodes),
        "n_candidates": np.array(n_children) + 1,
        "response": np.arange(n_nodes) % (family or n_nodes),
        "n_children": np.array(n_children),
    }


def _count_up(counts):
    return [number for count in counts for number in range(count)]
