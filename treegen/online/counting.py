"""How often does each color occur in the secret? Tested within guesses that also test places."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np

from .facts import Facts


@dataclass(slots=True)
class Group:
    """Colors that are counted together.

    Attributes
    ----------
    colors
        At least one color whose count is open.
    total
        How often they occur in the secret together; None if unknown.
    """

    colors: list[int]
    total: int | None = None


class Counting:
    """Choose the colors to count next, and read their count from the answer.

    As many colors are tested together as are expected to occur on 0.7 pegs; a group that is present
    is halved until each of its colors is counted.

    Parameters
    ----------
    facts
        Where counts are kept; the caller updates them with each answer first.
    """

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._groups: list[Group] = []
        self._asked: Group | None = None
        self._uses = 0
        self._least = 1

    def next_colors(self) -> tuple[list[int], int]:
        """Return the colors to test and on how many pegs each; no colors at the end."""
        self._drop_known()
        n_pegs = self.facts.n_pegs
        if not self._groups:
            unknown = np.flatnonzero(self.facts.low < self.facts.high).tolist()
            if not unknown:
                return [], 0
            rest = max(1, n_pegs - int(self.facts.low.sum()))
            size = max(1, min(n_pegs, round(0.7 * len(unknown) / rest)))
            self._groups.append(Group(unknown[:size]))
        group = self._groups[-1]
        half = group.colors if group.total is None else group.colors[: len(group.colors) // 2]
        self._asked = Group(half or group.colors)
        wanted = self._least if group.total is None else group.total
        uses = max(self._usual_uses(), wanted)
        self._uses = max(1, min(uses, n_pegs // len(self._asked.colors)))
        return self._asked.colors, self._uses

    def learn(self, uses: int, total: int) -> None:
        """Read an answer.

        Parameters
        ----------
        uses
            Pegs that each of the colors had in the guess.
        total
            How many pegs of the answer they account for.
        """
        asked, group = self._asked, self._groups.pop()
        assert asked is not None
        self._asked, self._least = None, 1
        others = [color for color in group.colors if color not in asked.colors]
        most = int(self.facts.high[asked.colors].max())
        is_whole = total < uses or uses >= min(most, group.total or most)
        if not is_whole:
            self._least = 2 * uses
            halves = asked.colors if len(asked.colors) > 1 else []
            middle = len(halves) // 2
            parts = [halves[:middle], halves[middle:]] if halves else [asked.colors]
            self._groups += [Group(part) for part in (others, *parts) if part]
            return
        left = None if group.total is None else group.total - total
        for part, count in ((others, left), (asked.colors, total)):
            if count == 0 or (count is not None and len(part) == 1):
                for color in part:
                    self.facts.set_count(color, count)
            elif part:
                self._groups.append(Group(part, count))

    def _drop_known(self) -> None:
        """Forget colors whose counts the facts know meanwhile."""
        facts, kept = self.facts, []
        for group in self._groups:
            known = [color for color in group.colors if facts.low[color] == facts.high[color]]
            colors = [color for color in group.colors if color not in known]
            total = group.total
            if total is not None:
                total -= int(facts.low[known].sum())
            if colors:
                kept.append(Group(colors, total))
        self._groups = kept

    def _usual_uses(self) -> int:
        """Return a number of pegs that a color rarely exceeds in the secret."""
        unknown = self.facts.low < self.facts.high
        most = int(self.facts.high[unknown].max(initial=1))
        mean = (self.facts.n_pegs - int(self.facts.low.sum())) / max(1, int(unknown.sum()))
        return min(most, ceil(mean + 4.0 * sqrt(mean) + 1.0))
