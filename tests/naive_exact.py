"""Exact search once more: slow, obvious, from the definitions. Nothing here imports treegen.

A cost is a sum over games: `scale` for each guess, and `last` more for a game that ends with the
last guess allowed. `left` is the number of guesses allowed, None where there is no limit.
"""

import math
from dataclasses import dataclass, field
from functools import wraps

from . import naive


@dataclass
class Search:
    """A game and what is minimised."""

    rules: naive.Rules
    scale: int = 1
    last: int = 0
    candidates_only: bool = False
    known: dict = field(default_factory=dict)
    cuts: dict = field(default_factory=dict)

    @property
    def win(self):
        return self.rules.win

    def eligible(self, candidates):
        """Return the guesses that tell something of the candidates, ascending."""
        codes = candidates if self.candidates_only else range(len(self.rules.codes))
        return [code for code in codes if self.is_useful(code, candidates)]

    def is_useful(self, code, candidates):
        first = self.rules.respond(code, candidates[0])
        return first == self.win or any(
            self.rules.respond(code, secret) != first for secret in candidates
        )

    def cuts_of(self, candidates):
        """Return what `cut` does of the guesses that tell something of a tuple of candidates."""
        if candidates not in self.cuts:
            self.cuts[candidates] = [
                self.cut(code, candidates) for code in self.eligible(candidates)
            ]
        return self.cuts[candidates]

    def cut(self, code, candidates):
        """Return whether the code may win, and the other cells of its partition."""
        cells = naive.partition(self.rules, code, candidates)
        wins = cells.pop(self.win, None) is not None
        return wins, list(cells.values())

    def open_cells(self, code, candidates):
        """Return the cells that do not win."""
        return self.cut(code, candidates)[1]

    def of_length(self, length, left):
        """Return the cost of a game that ends with its guess number `length`."""
        return length * self.scale + (self.last if length == left else 0)


def below(left):
    return None if left is None else left - 1


def remember(function):
    """Return a function of a search and candidates that the search remembers."""

    @wraps(function)
    def look_up(search, candidates, *rest):
        key = function.__name__, tuple(candidates), rest
        if key not in search.known:
            search.known[key] = function(search, key[1], *rest)
        return search.known[key]

    return look_up


@remember
def cost_of(search, candidates, left=None):
    """Return the least cost of a state, over all trees; infinite where none is short enough."""
    if left == 0:
        return math.inf
    costs = [
        _cost_of_cut(search, *cut, len(candidates), left) for cut in search.cuts_of(candidates)
    ]
    return min(costs, default=math.inf)


def cost_of_guess(search, code, candidates, left=None):
    """Return the least cost of a state that begins with a guess."""
    return _cost_of_cut(search, *search.cut(code, candidates), len(candidates), left)


def _cost_of_cut(search, wins, cells, n, left):
    if left == 0:
        return math.inf
    cost = n * search.scale + (search.last if wins and left == 1 else 0)
    for cell in cells:
        cost += cost_of(search, cell, below(left))
        if cost == math.inf:
            break
    return cost


def cost_of_levels(search, n, widths, left=None):
    """Return the cost of `n` games: ``widths[0]`` end with the first guess, and so on."""
    lengths = [length for length, width in enumerate(widths, start=1) for _ in range(min(n, width))]
    if left is not None:
        lengths = [length for length in lengths if length <= left]
    if len(lengths) < n:
        return math.inf
    return sum(search.of_length(length, left) for length in lengths[:n])


def bound_of_guess(search, code, candidates, max_cells, left=None):
    """Return what the number of its cells proves of a guess: cells fill up level by level."""
    n = len(candidates)
    wins, cells = search.cut(code, candidates)
    widths = [len(cells) * max_cells**level for level in range(n)]
    rest = cost_of_levels(search, n - wins, widths, below(left))
    return n * search.scale + (search.last if wins and left == 1 else 0) + rest


def is_separable(search, candidates):
    """Whether some guess gives each candidate a response of its own."""
    codes = range(len(search.rules.codes))
    n = len(candidates)
    return any(len(naive.partition(search.rules, code, candidates)) == n for code in codes)


def list_whole(search, candidates):
    """Return the guesses to which all candidates respond alike."""
    codes = range(len(search.rules.codes))
    return [code for code in codes if len(naive.partition(search.rules, code, candidates)) == 1]


@remember
def count_max_cells(search, candidates):
    return max(len(cells) for _, cells in search.cuts_of(candidates))


@remember
def bound_of(search, candidates, left=None):
    """Return what the numbers of cells of all guesses prove of a state."""
    most = count_max_cells(search, candidates)
    guesses = search.eligible(candidates)
    return min(bound_of_guess(search, code, candidates, most, left) for code in guesses)


def list_guesses(search, candidates, upper_bound, left=None):
    """Return (lower bound, guess) of what may cost less than the upper bound, least bound first."""
    most = count_max_cells(search, candidates)
    bounds = [
        (bound_of_guess(search, code, candidates, most, left), code)
        for code in search.eligible(candidates)
    ]
    return sorted(pair for pair in bounds if pair[0] < upper_bound)


@remember
def bound_of_cell(search, candidates, max_cells, left=None):
    """Return what is proved of a cell without a search: by size, by its candidates, one step ahead.

    No guess has more than `max_cells` cells on the candidates above.
    """
    n = len(candidates)
    by_size = cost_of_levels(search, n, [max_cells**level for level in range(n)], left)
    if n < 3:
        return by_size
    splits = [len(naive.partition(search.rules, code, candidates)) for code in candidates]
    perfect = n * search.scale + (n - 1) * search.of_length(1, below(left))
    if max(splits) == n and left != 1:
        return max(by_size, perfect)
    return max(by_size, bound_of(search, candidates, left))


def bound_by_cells_of(search, code, candidates, left=None):
    """Return what is proved of a guess without a search below its cells."""
    wins, cells = search.cut(code, candidates)
    most = count_max_cells(search, candidates)
    own = len(candidates) * search.scale + (search.last if wins and left == 1 else 0)
    return own + sum(bound_of_cell(search, cell, most, below(left)) for cell in cells)


def list_cells(search, code, candidates):
    """Return (response, cell, slot of its plan) of cells of three or more, smallest first.

    A plan of n candidates has n - 1 slots: its guess, then those of the cells by response.
    """
    found, slot = [], 1
    for response, cell in sorted(naive.partition(search.rules, code, candidates).items()):
        if len(cell) > 2:
            found.append((response, cell, slot))
        slot += max(0, len(cell) - 1)
    return sorted(found, key=lambda found: len(found[1]))


# --- weights, costs, goals ------------------------------------------------------------------


@dataclass
class Weighted:
    """A matrix of answers: ``answers[guess][secret]``, None where the guess wins.

    `ends` says what a secret costs that alone is left: 0 if it is announced, else its guess.
    """

    answers: list
    weights: list
    costs: list
    ends: list
    known: dict = field(default_factory=dict)

    def divide(self, guess, secrets):
        """Return (the secrets that a guess wins, its other cells); None if it tells nothing."""
        cells = {}
        for secret in secrets:
            cells.setdefault(self.answers[guess][secret], []).append(secret)
        won = cells.pop(None, [])
        return (won, list(cells.values())) if won or len(cells) > 1 else None


def least_total(game, secrets, known):
    """Return the least total of some secrets by plain recursion."""
    key = tuple(secrets)
    if len(secrets) == 1:
        return game.ends[secrets[0]] * game.weights[secrets[0]]
    if key not in known:
        weight = sum(game.weights[secret] for secret in secrets)
        known[key] = min(
            cost * weight + sum(least_total(game, cell, known) for cell in divided[1])
            for guess, cost in enumerate(game.costs)
            if (divided := game.divide(guess, secrets)) is not None
        )
    return known[key]


def penalty_of(game, guess, secrets, max_cells=None):
    """Return what a guess proves beyond twice the weight of a state where each guess costs 1.

    The heaviest secret of a cell is found next, `max_cells` more a guess later, its square another
    one later; None: all others are.
    """
    cells, penalty = {}, 0
    for secret in sorted(secrets, key=lambda secret: -game.weights[secret]):
        answer = game.answers[guess][secret]
        cells.setdefault(answer, []).append(secret)
        if answer is None:
            penalty -= game.weights[secret]
        penalty += game.weights[secret] * level_of(len(cells[answer]) - 1, max_cells)
    return penalty


def level_of(place, max_cells):
    """Return how many guesses after the first of a cell the one at a place is found."""
    if max_cells is None:
        return min(place, 1)
    level, end = 0, 1
    while place >= end:
        level += 1
        end += max_cells**level
    return level


# --- any game under any options -----------------------------------------------------------------


@dataclass
class Play:
    """Any game under any options, as plain numbers: the figures of its best trees by recursion.

    ``answers[guess][secret]`` is None where the guess wins. `legal` has the guesses that may be
    made at first; ``narrow(legal, guess, answer, cell)`` returns those that may be made after it.
    `costs` are those of the guesses, `ends` those of a secret that alone is left.
    """

    answers: list
    weights: list
    costs: list
    ends: list
    legal: frozenset
    narrow: object
    known: dict = field(default_factory=dict)

    def list_cuts(self, secrets, legal):
        """Return (guess, the secret that it wins or None, [(cell, its legal guesses)])."""
        key = "cuts", secrets, legal
        if key not in self.known:
            self.known[key] = [
                cut for guess in sorted(legal) if (cut := self.cut(guess, secrets, legal))
            ]
        return self.known[key]

    def cut(self, guess, secrets, legal):
        """Return what `list_cuts` has of a guess; None if it tells nothing."""
        cells = {}
        for secret in secrets:
            cells.setdefault(self.answers[guess][secret], []).append(secret)
        won = cells.pop(None, [None])[0]
        if won is None and len(cells) == 1:
            return None
        parts = [
            (tuple(cell), self.narrow(legal, guess, answer, cell)) for answer, cell in cells.items()
        ]
        return guess, won, parts

    def list_pairs(self, secrets, legal):
        """Return the (worst, total) of trees that no tree beats in both, the shortest first."""
        if len(secrets) == 1:
            return [(self.ends[secrets[0]], self.ends[secrets[0]] * self.weights[secrets[0]])]
        key = "pairs", secrets, legal
        if key not in self.known:
            cuts = self.list_cuts(secrets, legal)
            self.known[key] = keep_best(
                pair for cut in cuts for pair in self.pairs_after(cut, secrets)
            )
        return self.known[key]

    def pairs_after(self, cut, secrets):
        """Return what `list_pairs` does of the trees that begin with a cut."""
        guess, _, parts = cut
        pairs = [(0, 0)]
        for cell, legal in parts:
            below = self.list_pairs(cell, legal)
            pairs = keep_best(
                (max(worst, longer), total + more)
                for worst, total in pairs
                for longer, more in below
            )
        own = self.costs[guess] * sum(self.weights[secret] for secret in secrets)
        return [(worst + self.costs[guess], total + own) for worst, total in pairs]

    def least(self, secrets, legal, left, order):
        """Return the least (total, weight found at cost `left`) by an order; None: too long."""
        if len(secrets) == 1:
            return self.weigh_end(self.ends[secrets[0]], secrets[0], left, order)
        key = secrets, legal, left, order
        if key not in self.known:
            values = [
                self.least_after(cut, secrets, left, order)
                for cut in self.list_cuts(secrets, legal)
                if self.costs[cut[0]] <= left
            ]
            self.known[key] = min(filter(None, values), default=None)
        return self.known[key]

    def least_after(self, cut, secrets, left, order):
        """Return what `least` does of the trees that begin with a cut."""
        guess, won, parts = cut
        rest = left - self.costs[guess]
        own = self.costs[guess] * sum(self.weights[secret] for secret in secrets)
        values = [order_values(own, 0, order)]
        if won is not None:
            values.append(self.weigh_end(0, won, rest, order))
        values += [self.least(cell, legal, rest, order) for cell, legal in parts]
        return None if None in values else tuple(map(sum, zip(*values, strict=True)))

    def weigh_end(self, cost, secret, left, order):
        """Return what a secret counts that is found or announced at a cost."""
        if cost > left:
            return None
        weight = self.weights[secret]
        return order_values(cost * weight, weight if cost == left else 0, order)

    def best_figures(self, objective, secrets, first=(), cap=None):
        """Return (total, worst, n_worst) of the best tree; None for each the objective leaves open.

        None alone if no tree is within the cap.
        """
        cuts = [self.cut(guess, secrets, self.legal) for guess in first]
        cuts = [cut for cut in cuts if cut] if first else self.list_cuts(secrets, self.legal)
        if len(secrets) == 1:
            pairs = self.list_pairs(secrets, self.legal)
        else:
            pairs = keep_best(pair for cut in cuts for pair in self.pairs_after(cut, secrets))
        pairs = [pair for pair in pairs if cap is None or pair[0] <= cap]
        if not pairs:
            return None
        names = objective.split(",")
        worst, total = pairs[0] if names[0] == "worst" else pairs[-1]
        if objective == "total":
            return total, None, None
        if "n_worst" not in names:
            return total, worst, None
        order = ("total", "n_worst") if names[0] == "total" else ("n_worst", "total")
        if len(secrets) == 1:
            found = self.least(secrets, self.legal, worst, order)
        else:
            after = (self.least_after(cut, secrets, worst, order) for cut in cuts)
            found = min(value for value in after if value is not None)
        values = dict(zip(order, found, strict=True))
        return values["total"], worst, values["n_worst"]


def order_values(total, n_worst, order):
    """Return two values in an order."""
    return (total, n_worst) if order[0] == "total" else (n_worst, total)


def keep_best(pairs):
    """Return the (worst, total) that no other beats in both, by the worst."""
    kept = []
    for worst, total in sorted(pairs):
        if not kept or total < kept[-1][1]:
            kept.append((worst, total))
    return kept
