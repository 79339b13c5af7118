"""Tables with uncertain answers or classes once more: slow, obvious, from the definitions.

Nothing here imports treegen. A table is a list of rows: the possible answers to each question, a
weight, a class (None without classes). Weights are exact fractions, which never run out.
"""

import itertools
import math
from fractions import Fraction


class NaiveTable:
    def __init__(self, rows, costs=None):
        self.cells = [cells for cells, _, _ in rows]
        self.weights = [Fraction(weight) for _, weight, _ in rows]
        self.classes = [own for _, _, own in rows]
        self.questions = range(len(self.cells[0]))
        self.costs = costs or [1] * len(self.questions)

    @property
    def root(self):
        return dict(enumerate(self.weights))

    def are_separable(self, one, other):
        if self.classes[one] is not None and self.classes[one] == self.classes[other]:
            return False
        return any(
            not self.cells[one][question] & self.cells[other][question]
            for question in self.questions
        )

    def count_separable(self, left):
        left = list(left)
        pairs = [(one, other) for at, one in enumerate(left) for other in left[:at]]
        return sum(self.are_separable(one, other) for one, other in pairs)

    def ask(self, left, question):
        """Return who is left after each answer, and with which weight."""
        cells = {}
        for row, weight in left.items():
            possible = self.cells[row][question]
            for answer in possible:
                cells.setdefault(answer, {})[row] = weight / len(possible)
        return cells

    def list_useful(self, left, asked):
        return [
            question
            for question in self.questions
            if question not in asked
            and any(len(cell) < len(left) for cell in self.ask(left, question).values())
        ]

    def measure(self, rule, left):
        total = sum(left.values())
        if rule == "expected-left":
            return total * len(left)
        if rule == "separable-pairs":
            return total * self.count_separable(left)
        known = {}
        for row, weight in left.items():
            name = row if self.classes[row] is None else self.classes[row]
            known[name] = known.get(name, 0) + weight
        return sum(float(w) * math.log2(total / w) for w in known.values() if w)

    def choose(self, rule, left, asked, first=()):
        """Return the first question that is best by a rule, and whether another may tie with it.

        Of given questions, the first is the one that was given first.
        """
        name, _, per_cost = rule.partition("/")
        if not any(left.values()):
            left = dict.fromkeys(left, Fraction(1))
        now, values = self.measure(name, left), {}
        useful = self.list_useful(left, asked)
        for question in [question for question in first or useful if question in useful]:
            cells = self.ask(left, question).values()
            gain = now - sum(self.measure(name, cell) for cell in cells)
            values[question] = gain / self.costs[question] if per_cost else gain
        most = max(values.values())
        near = [q for q, value in values.items() if value >= most - (1e-5 if most else 0)]
        best = next(q for q, value in values.items() if value == most)
        return best, len(near) > 1 and (name == "information" or bool(per_cost))

    def play(self, rule, first=()):
        """Return (sum of weight times cost, dearest path, leaves) of a rule's tree.

        None where questions tie but for rounding: the tree is not forced. The first question is
        one of `first`, if there are any.
        """
        total, worst, leaves = Fraction(), 0, 0
        stack = [(self.root, (), 0)]
        while stack:
            left, asked, spent = stack.pop()
            if not self.count_separable(left):
                total += spent * sum(left.values())
                worst, leaves = max(worst, spent), leaves + 1
                continue
            question, is_open = self.choose(rule, left, asked, () if asked else first)
            if is_open:
                return None
            for cell in self.ask(left, question).values():
                stack.append((cell, (*asked, question), spent + self.costs[question]))
        return total, worst, leaves


class ExpandedTable:
    """A table once more, with a row for each choice of answers: every answer is certain there.

    A candidate is left while one of its rows is.
    """

    def __init__(self, plain):
        self.plain, self.rows = plain, []
        for owner, weight in enumerate(plain.weights):
            choices = list(itertools.product(*map(sorted, plain.cells[owner])))
            self.rows += [(owner, answers, weight / len(choices)) for answers in choices]
        self.root = frozenset(range(len(self.rows)))
        self.known = {}

    def ask(self, left, question):
        """Return which rows are left after each answer; none if no candidate is excluded."""
        cells = {}
        for row in left:
            cells.setdefault(self.rows[row][1][question], set()).add(row)
        owners = [self.list_owners(cell) for cell in cells.values()]
        is_useful = any(len(each) < len(self.list_owners(left)) for each in owners)
        return [frozenset(cell) for cell in cells.values()] if is_useful else []

    def list_owners(self, left):
        return {self.rows[row][0] for row in left}

    def find_least(self, names, left, limit, first=()):
        """Return the least figures in an order, no path dearer than a limit; None: no tree.

        They are `total`, the sum of weight times cost, `n_worst`, the weight at paths that cost as
        much as the limit, and `nodes`, the states. The first question is one of `first`, if any.
        """
        key = names, left, limit, first
        if key not in self.known:
            trees = self._generate_least(names, left, limit, first)
            self.known[key] = min(trees, default=None)
        return self.known[key]

    def _generate_least(self, names, left, limit, first):
        """Yield the least figures with each question, as tuples; 0 where nothing is asked."""
        weight = sum(self.rows[row][2] for row in left)
        if not self.plain.count_separable(self.list_owners(left)):
            figures = {"n_worst": weight * (limit == 0), "nodes": Fraction(1)}
            yield tuple(figures.get(name, Fraction()) for name in names)
            return
        for question in first or self.plain.questions:
            cost, cells = self.plain.costs[question], self.ask(left, question)
            rest = None if limit is None else limit - cost
            if not cells or (rest is not None and rest < 0):
                continue
            below = [self.find_least(names, cell, rest) for cell in cells]
            if None not in below:
                sums = map(sum, zip(*below, strict=True))
                own = {"total": cost * weight, "nodes": 1}
                yield tuple(
                    figure + own.get(name, 0) for name, figure in zip(names, sums, strict=True)
                )

    def is_open(self, left):
        """Return whether the game goes on."""
        return self.plain.count_separable(self.list_owners(left)) > 0

    def is_useful(self, left, question):
        return bool(self.ask(left, question))

    def list_left(self, history):
        """Return the rows that agree with answers to questions."""
        return frozenset(
            row
            for row in self.root
            if all(self.rows[row][1][question] == answer for question, answer in history)
        )

    def find_best(self, objective, first=(), history=(), cap=None):
        """Return the figures (total, worst, n_worst) of the best tree by an objective.

        Those that it does not name are None; of one that counts states they are its own, in its
        order. None alone: no path is within the cap.
        """
        left = self.list_left(history)

        def find(*names, limit=cap):
            return self.find_least(names, left, limit, first)

        if find("total") is None:
            return None
        if objective == "total":
            return *find("total"), None, None
        if objective in ("nodes", "nodes,total"):
            return find(*objective.split(","))
        worst = 0
        if objective == "total,worst,n_worst":
            while find("total", limit=worst) != find("total"):
                worst += 1
            total, n_worst = find("total", "n_worst", limit=worst)
            return total, worst, n_worst
        while find("total", limit=worst) is None:
            worst += 1
        if objective == "worst,nodes":
            return worst, *find("nodes", limit=worst)
        if objective == "worst,total":
            return *find("total", limit=worst), worst, None
        n_worst, total = find("n_worst", "total", limit=worst)
        return total, worst, n_worst


class NaiveGuessing(ExpandedTable):
    """A table whose candidate is to be guessed: guesses are numbered by row, questions behind them.

    Its questions are those of a plain table; a guess leaves the others, if it is wrong.
    """

    def __init__(self, rows, costs):
        self.plain, self.costs = NaiveTable(rows, costs[len(rows) :]), costs
        self.weights, self.n, self.questions = self.plain.weights, len(rows), range(len(costs))
        self.known = {}

    @property
    def root(self):
        return self.plain.root

    def ask(self, left, code):
        """Return who is left after each answer, and with which weight; not after a right guess."""
        if code >= self.n:
            return self.plain.ask(left, code - self.n)
        others = {row: weight for row, weight in left.items() if row != code}
        return {0: others} if others else {}

    def count_separable(self, left):
        """Return how many pairs a guess parts: all."""
        return len(left) * (len(left) - 1) // 2

    def list_useful(self, left, asked):
        """Return the guesses of those who are left, then what may be asked."""
        questions = self.plain.list_useful(left, [code - self.n for code in asked])
        return [*left, *(self.n + question for question in questions)]

    def measure(self, rule, left):
        if rule == "separable-pairs":
            return sum(left.values()) * self.count_separable(left)
        return self.plain.measure(rule, left)

    def choose(self, rule, left, asked):
        """Return the best by a rule, and whether another may tie with it.

        Of equally good ones the guess that wins most often, then the first question.
        """
        name, _, per_cost = rule.partition("/")
        codes = self.list_useful(dict(sorted(left.items(), key=lambda item: -item[1])), asked)
        if not any(left.values()):
            left = dict.fromkeys(left, Fraction(1))
        now, values = self.measure(name, left), {}
        for code in codes:
            gain = now - sum(self.measure(name, cell) for cell in self.ask(left, code).values())
            values[code] = gain / self.costs[code] if per_cost else gain
        most = max(values.values())
        near = [code for code, value in values.items() if value >= most - (1e-5 if most else 0)]
        best = next(code for code, value in values.items() if value == most)
        is_open = any(values[code] != most for code in near)
        return best, is_open and (name == "information" or bool(per_cost))

    def play(self, rule):
        """Return (total, worst, paths on which somebody is found) of a rule's tree.

        None where guesses or questions tie but for rounding.
        """
        total, worst, n_found = Fraction(), 0, 0
        stack = [(self.root, (), 0)]
        while stack:
            left, asked, spent = stack.pop()
            code, is_open = (*left, False) if len(left) == 1 else self.choose(rule, left, asked)
            if is_open:
                return None
            spent += self.costs[code]
            if code < self.n:
                total += spent * left[code]
                worst, n_found = max(worst, spent), n_found + 1
            for cell in self.ask(left, code).values():
                stack.append((cell, (*asked, code), spent))
        return total, worst, n_found

    def list_left(self, history):
        """Return who is left after answers to codes, with their weights, and what was asked."""
        left = self.root
        for code, answer in history:
            left = self.ask(left, code)[answer]
        return self.freeze(left, tuple(code for code, _ in history))

    def is_open(self, left):
        return True

    def is_useful(self, left, code):
        return code in self.list_useful(dict(left[0]), left[1])

    @staticmethod
    def freeze(left, asked):
        return tuple(sorted(left.items())), tuple(sorted(asked))

    def _generate_least(self, names, left, limit, first):
        left, asked = dict(left[0]), left[1]
        weight, useful = sum(left.values()), self.list_useful(left, asked)
        for code in [code for code in first or useful if code in useful]:
            rest = None if limit is None else limit - self.costs[code]
            if rest is not None and rest < 0:
                continue
            own = {"total": self.costs[code] * weight, "nodes": 1}
            sums = [own.get(name, 0) for name in names]
            if rest == 0 and code < self.n and "n_worst" in names:
                sums[names.index("n_worst")] += left[code]
            below = [
                self.find_least(names, self.freeze(cell, (*asked, code)), rest)
                for cell in self.ask(left, code).values()
            ]
            if None not in below:
                yield tuple(map(sum, zip(sums, *below, strict=True)))
