"""The search of tables once more: slow, obvious, from the definitions. Nothing imports treegen.

A state is a set of items with their shares, whole numbers, and the questions asked before. A cost
is `scale` times the sum of share times cost, `step` more for each state of the tree, and `last`
more for each share that is found when all that may be spent is; or, without scale and step, the
dearest path.
"""

from dataclasses import dataclass, field
from itertools import pairwise


@dataclass
class NaiveSearch:
    """A table and what is minimised; `sets[question][item]` has the possible answers, ascending.

    `owners` says which item a question guesses, None for none; `ends`, what an item costs that is
    left alone: 0 if it is announced. `apart(one, other)` says whether two items are separable.
    """

    sets: list
    costs: list
    owners: list
    ends: list
    apart: object
    is_win: bool = False
    candidates_only: bool = False
    scale: int = 1
    step: int = 0
    last: int = 0
    known: dict = field(default_factory=dict)

    @property
    def is_longest(self):
        return self.scale == self.step == 0

    def find_least(self, state, asked=frozenset(), left=None, first=None):
        """Return the least cost of {item: share}; None where no path is short enough."""
        key = tuple(sorted(state.items())), asked, left, first
        if key not in self.known:
            self.known[key] = self._find_least(state, asked, left, first)
        return self.known[key]

    def _find_least(self, state, asked, left, first):
        if self.is_over(state):
            return self.cost_end(state, left)
        costs = []
        for question in range(len(self.costs)) if first is None else first:
            cells = self.ask(state, question, asked, is_given=first is not None)
            if cells is not None:
                costs.append(self.cost_question(state, question, cells, asked, left))
        return min((cost for cost in costs if cost is not None), default=None)

    def is_over(self, state):
        items = list(state)
        if self.is_win or len(items) == 1:
            return len(items) == 1
        pairs = [(one, other) for at, one in enumerate(items) for other in items[:at]]
        return not any(self.apart(one, other) for one, other in pairs)

    def cost_end(self, state, left, cost=None):
        if cost is None:
            cost = max(self.ends[item] for item in state) if len(state) == 1 else 0
        if left is not None and cost > left:
            return None
        if self.is_longest:
            return cost
        weight = sum(state.values())
        return self.scale * cost * weight + self.step + (self.last * weight if cost == left else 0)

    def ask(self, state, question, asked, is_given):
        """Return the cells of a question; None if it may not be asked or excludes nobody."""
        is_allowed = self.owners[question] in state or not self.candidates_only or is_given
        if question in asked or not is_allowed:
            return None
        if len({tuple(self.sets[question][item]) for item in state}) == 1:
            return None
        cells = {}
        for item, share in state.items():
            possible = self.sets[question][item]
            whole, rest = divmod(share, len(possible))
            for place, answer in enumerate(possible):
                cells.setdefault(answer, {})[item] = whole + (place < rest)
        return cells

    def cost_question(self, state, question, cells, asked, left):
        cost = self.costs[question]
        rest = None if left is None else left - cost
        if rest is not None and rest < 0:
            return None
        total = cost if self.is_longest else self.scale * cost * sum(state.values()) + self.step
        below = asked if self.is_win and self.owners[question] is not None else asked | {question}
        for cell in cells.values():
            if list(cell) == [self.owners[question]]:  # a right guess leads to no state
                found = self.cost_end(cell, rest, 0)
                found = None if found is None else found - self.step
            else:
                found = self.find_least(cell, below, rest)
            if found is None:
                return None
            total = max(total, cost + found) if self.is_longest else total + found
        return total


def write_out_thresholds(column, spans, classes, most):
    """Return the yes-no questions of a column, each with its answers, as one writes them by hand.

    `spans` has for each row the least and the greatest number that is possible there, in tenths;
    None: any is. `classes` has the class of each row, or its name where there are none.
    """
    known = [span for span in spans if span is not None]
    numbers = sorted({number for span in known for number in span})
    found = []
    for less, more in pairwise(numbers):
        cells = [
            "no/yes"
            if span is None or span[0] <= less < span[1]
            else ("no", "yes")[span[1] <= less]
            for span in spans
        ]
        pairs = [
            classes[one] != classes[other]
            for one in range(len(cells))
            for other in range(one)
            if {cells[one], cells[other]} == {"no", "yes"}
        ]
        if pairs:
            twentieths = less + more
            sign, whole, part = "-" * (twentieths < 0), *divmod(abs(twentieths) * 5, 100)
            number = f"{sign}{whole}.{part:02}".rstrip("0").rstrip(".")
            found.append((-sum(pairs), less, f"{column} < {number}", cells))
    chosen = sorted(sorted(found)[:most], key=lambda each: each[1])
    return [(question, cells) for _, _, question, cells in chosen]
