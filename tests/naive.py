"""The game, the strategies and the trees once more: slow, obvious, from the definitions.

Nothing here imports treegen. Codes are tuples of colors, kept in a list whose order gives their
indices; exact values are Python integers of any size.
"""

import itertools
import re
from collections import Counter
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache, cached_property

# --- rules ----------------------------------------------------------------------------------


def score_pegs(guess, secret):
    """Return (black, white): strike out what is in place, then pair off what is left."""
    guess, secret = list(guess), list(secret)
    black = 0
    for peg in reversed(range(len(guess))):
        if guess[peg] == secret[peg]:
            black += 1
            del guess[peg], secret[peg]
    white = 0
    for color in guess:
        if color in secret:
            white += 1
            secret.remove(color)
    return black, white


def score_black(guess, secret):
    return sum(1 for peg in range(len(guess)) if guess[peg] == secret[peg])


def score_position(guess, secret):
    """Return a tuple of 0 grey, 1 yellow, 2 green: greens first, then yellows from the left."""
    marks = [2 if a == b else 0 for a, b in zip(guess, secret, strict=True)]
    left = [b for a, b in zip(guess, secret, strict=True) if a != b]
    for peg, color in enumerate(guess):
        if marks[peg] == 0 and color in left:
            marks[peg] = 1
            left.remove(color)
    return tuple(marks)


def score_traits(guess, secret, ordered):
    """Return a letter for each trait, which is a frozenset of texts, ``?`` of an unknown one.

    E: equal; H, L: the secret has a higher or lower number, in an ordered column; P: both share
    some; D: different.
    """
    marks = ""
    for asked, held, has_order in zip(guess, secret, ordered, strict=True):
        if asked == held:
            marks += "E"
        elif has_order and "?" not in asked | held:
            one, other = (float(*values) for values in (asked, held))
            marks += "E" if one == other else "H" if other > one else "L"
        else:
            marks += "P" if asked & held else "D"
    return marks


SCORE = {"pegs": score_pegs, "black": score_black, "position": score_position}


def feedbacks(rule, n_pegs):
    """Return every feedback in the order of the response indices, the winning one last."""
    if rule == "black":
        return list(range(n_pegs + 1))
    if rule == "position":
        return list(itertools.product((0, 1, 2), repeat=n_pegs))
    pairs = itertools.product(range(n_pegs + 1), repeat=2)
    return [pair for pair in pairs if sum(pair) <= n_pegs and pair != (n_pegs - 1, 1)]


@dataclass
class Rules:
    """A game: its codes, of which the first `n_secrets` may be secret, and how it answers."""

    codes: list
    n_secrets: int
    rule: str
    cache: dict = field(default_factory=dict)
    goal: str = "win"
    first_guess = 0

    @cached_property
    def responses(self):
        order = feedbacks(self.rule, len(self.codes[0]))
        return {feedback: response for response, feedback in enumerate(order)}

    @cached_property
    def win(self):
        return len(self.responses) - 1

    def feedback_of(self, response):
        return list(self.responses)[response]

    def respond(self, guess, secret):
        known = self.cache.setdefault(guess, {})
        if secret not in known:
            feedback = SCORE[self.rule](self.codes[guess], self.codes[secret])
            known[secret] = self.responses[feedback]
        return known[secret]

    def respond_to_all(self, guess, secrets):
        known = self.cache.setdefault(guess, {})
        try:
            return list(map(known.__getitem__, secrets))
        except KeyError:
            return [self.respond(guess, one) for one in secrets]


class QuestionRules:
    """Candidates and questions: `matrix` has each candidate's row of answers, as numbers."""

    def __init__(self, matrix, goal="identify"):
        self.matrix, self.goal = matrix, goal
        self.n_secrets, n_questions = len(matrix), len(matrix[0])
        self.codes = [(code,) for code in range(self.n_secrets + n_questions)]
        self.first_guess = self.n_secrets if goal == "identify" else 0
        self.win = 1 + max(answer for row in matrix for answer in row)

    def respond(self, guess, secret):
        if guess < self.n_secrets:
            return self.win if guess == secret else 0
        return self.matrix[secret][guess - self.n_secrets]

    def respond_to_all(self, guess, secrets):
        return [self.respond(guess, secret) for secret in secrets]


def peg_rules(name):
    pegs, colors, mode, black = re.fullmatch(r"p(\d+)c(\d+)([rn])(b?)", name).groups()
    if mode == "r":
        codes = list(itertools.product(range(int(colors)), repeat=int(pegs)))
    else:
        codes = list(itertools.permutations(range(int(colors)), int(pegs)))
    return Rules(codes, len(codes), "black" if black else "pegs")


def codebook_rules(secrets, extra, rule):
    codes = [tuple(word) for word in [*secrets, *extra]]
    return Rules(codes, len(secrets), rule)


# --- partitions and criteria ----------------------------------------------------------------


def partition(rules, guess, candidates):
    """Return {response: candidates}."""
    cells = {}
    responses = rules.respond_to_all(guess, candidates)
    for secret, response in zip(candidates, responses, strict=True):
        cells.setdefault(response, []).append(secret)
    return cells


def entropy_value(sizes):
    """Return the product of n ** n: the least is the greatest entropy, and ties are true ties."""
    product = 1
    for size in sizes:
        product *= size**size
    return product


@cache
def power_of(size, exponent):
    return Context(prec=60).power(Decimal(size), exponent + 1)


def power_value(exponent, sizes):
    """Return the sum of n ** (L + 1), negative where it is maximised."""
    exponent = Decimal(exponent)
    powers = sorted(power_of(size, exponent) for size in sizes)
    total = Context(prec=40).plus(sum(powers, Decimal(0)))
    return total if exponent > 0 else -total


def evaluate(criterion, counts, win):
    """Return a criterion's value of {response: how many}, the less the better."""
    sizes = sorted(counts.values(), reverse=True)
    if criterion == "max":
        return sizes[0]
    if criterion == "expected":
        return sum(size * size for size in sizes)
    if criterion == "entropy":
        return entropy_value(sizes)
    if criterion == "parts":
        return -len(sizes)
    if criterion == "next-largest":
        return sizes
    if criterion == "consistent":
        return win not in counts
    if criterion == "removals":
        return -(sum(sizes) - sizes[0] + (win in counts))
    return power_value(criterion.removeprefix("power:"), sizes)


# --- strategies -----------------------------------------------------------------------------


@dataclass
class Strategy:
    chain: str
    eligible: str = "all"
    order: str = "lex"
    opening: tuple = ()
    n_direct: int = 1
    seed: int = 0

    @property
    def criteria(self):
        return self.chain.split(",")[:-1]

    @property
    def tie_break(self):
        return self.chain.split(",")[-1]


BARR = {"opening": ("1111", "2111", "2211", "2311", "1234")}
STRATEGIES = {
    "knuth": Strategy("max,consistent,lowest"),
    "expected-size": Strategy("expected,consistent,lowest"),
    "entropy": Strategy("entropy,consistent,lowest"),
    "most-parts": Strategy("parts,consistent,lowest"),
    "minimax-next-largest": Strategy("next-largest,consistent,lowest"),
    "first-consistent": Strategy("lowest", "candidates"),
    "random-consistent": Strategy("random", "candidates"),
    "r-post": Strategy("max,lowest", order="first-fastest"),
    "codesmithy": Strategy("removals,lowest", opening=("2211",)),
    "game-minimax": Strategy("max,lowest", n_direct=2),
    "game-most-parts": Strategy("parts,lowest"),
    "barr-random": Strategy("random", "candidates"),
    "barr-expected": Strategy("expected,lowest", "candidates", **BARR),
    "barr-worst-case": Strategy("max,lowest", "candidates", **BARR),
    "barr-knuth-lowest": Strategy("max,consistent,lowest", **BARR),
    "barr-knuth-highest": Strategy("max,consistent,highest-consistent", **BARR),
    "gibson-minimax-first": Strategy("max,lowest"),
    "gibson-minimax-last": Strategy("max,highest"),
    "gibson-minimax-random": Strategy("max,random"),
    "gibson-expected-first": Strategy("power:1,lowest"),
    "gibson-expected-last": Strategy("power:1,highest"),
    "gibson-expected-random": Strategy("power:1,random"),
    "gibson-minimax-expected": Strategy("max,power:1,lowest"),
    "gibson-expected-minimax": Strategy("power:1,max,lowest"),
}


def mix(key, value):
    """Return splitmix64's output for the state ``key + (value + 1) * golden``."""
    mask = 2**64 - 1
    z = (key + 0x9E3779B97F4A7C15 * (value + 1)) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return z ^ (z >> 31)


def key_of(seed, history):
    """Return the random tie-break's key of a state: seed, then every guess and response."""
    for guess, response in history:
        seed = mix(mix(seed, guess), response)
    return seed


def order_codes(rules, strategy, codes):
    if strategy.order == "lex":
        return sorted(codes)
    return sorted(codes, key=lambda code: rules.codes[code][::-1])


def choose(rules, strategy, candidates, history=()):
    """Return the guess for some candidates."""
    ordered = order_codes(rules, strategy, candidates)
    if len(candidates) <= (1 if rules.first_guess else strategy.n_direct):
        return ordered[0]
    eligible = order_codes(rules, strategy, range(rules.first_guess, len(rules.codes)))
    if strategy.eligible == "candidates":
        eligible = ordered
    elif strategy.eligible != "all":
        eligible = [
            code
            for code in eligible
            if all(may_follow(rules, strategy.eligible, *pair, code) for pair in history)
        ]
    return choose_among(rules, strategy, candidates, eligible, history)


def may_follow(rules, eligible, guess, response, code):
    """Return whether a code may be guessed after a guess and its response."""
    if eligible == "all":
        return True
    if eligible == "hints":
        return uses_hints(rules.codes[guess], rules.feedback_of(response), rules.codes[code])
    return rules.respond(guess, code) == response


def list_eligible(rules, eligible, history):
    """Return the codes that may be guessed after a history of (code, response)."""
    codes = range(rules.n_secrets if eligible == "candidates" else len(rules.codes))
    return [
        code for code in codes if all(may_follow(rules, eligible, *pair, code) for pair in history)
    ]


def uses_hints(guess, marks, later):
    """Return whether a code keeps the greens and has a letter of its own for every hint."""
    left = list(later)
    for color, mark in zip(guess, marks, strict=True):
        if mark > 0 and color not in left:
            return False
        if mark > 0:
            left.remove(color)
    return all(mark < 2 or a == b for a, mark, b in zip(guess, marks, later, strict=True))


def breaks_rule(rules, eligible, root, history=()):
    """Return whether some guess of a tree may not be made."""
    last = root.guess
    if not all(may_follow(rules, eligible, *pair, last) for pair in history):
        return True
    if eligible == "candidates" and last >= rules.n_secrets:
        return True
    return any(
        breaks_rule(rules, eligible, child, (*history, (last, response)))
        for response, child in root.children.items()
    )


def choose_among(rules, strategy, candidates, eligible, history=()):
    """Return the best of some guesses, which stand in the order of codes."""
    counts = {guess: Counter(rules.respond_to_all(guess, candidates)) for guess in eligible}
    tied = [guess for guess in eligible if len(counts[guess]) > 1]
    for criterion in strategy.criteria:
        values = {guess: evaluate(criterion, counts[guess], rules.win) for guess in tied}
        best = min(values.values())
        tied = [guess for guess in tied if values[guess] == best]
    if strategy.tie_break == "random":
        return tied[mix(key_of(strategy.seed, history), 0) % len(tied)]
    if strategy.tie_break == "highest":
        return tied[-1]
    if strategy.tie_break == "highest-consistent":
        consistent = [guess for guess in tied if guess in candidates]
        return consistent[-1] if consistent else tied[0]
    return tied[0]


# --- trees ----------------------------------------------------------------------------------


@dataclass
class Node:
    guess: int
    candidates: list
    children: dict


def build(rules, strategy, history=(), opening=()):
    """Return the root of a strategy's tree; `opening` lists codes as indices."""
    candidates = [
        secret
        for secret in range(rules.n_secrets)
        if all(rules.respond(guess, secret) == response for guess, response in history)
    ]
    return _build(rules, strategy, candidates, tuple(history), opening)


def _build(rules, strategy, candidates, history, opening=()):
    if len(candidates) > 1 and len(opening) > 1:
        guess = choose_among(rules, strategy, candidates, opening, history)
    else:
        guess = opening[0] if opening else choose(rules, strategy, candidates, history)
    children = {}
    for response, cell in sorted(partition(rules, guess, candidates).items()):
        if response != rules.win:
            after = (*history, (guess, response))
            children[response] = _build(rules, strategy, cell, after)
    return Node(guess, candidates, children)


def columns(root):
    """Return guess, response, first_child, n_candidates in level order."""
    nodes, responses = [root], [-1]
    for node in nodes:  # grows while it is walked
        nodes.extend(node.children.values())
        responses.extend(node.children)
    first_child = [1]
    for node in nodes:
        first_child.append(first_child[-1] + len(node.children))
    guesses = [node.guess for node in nodes]
    return guesses, responses, first_child, [len(node.candidates) for node in nodes]


def play(rules, root, secret):
    """Return the (guess, response) pairs of the game against a secret, the win last."""
    turns = []
    node = root
    while True:
        response = rules.respond(node.guess, secret)
        turns.append((node.guess, response))
        if response == rules.win:
            return turns
        node = node.children[response]


def game_length(rules, root, secret):
    """Return the guesses that a secret costs; what is announced as the only one left is none."""
    turns = play(rules, root, secret)
    node = root
    for _, response in turns[:-1]:
        node = node.children[response]
    is_announced = rules.goal == "identify" and len(node.candidates) == 1
    return len(turns) - is_announced


def histogram(rules, root):
    lengths = [game_length(rules, root, secret) for secret in root.candidates]
    return [lengths.count(length) for length in range(1, max(lengths) + 1)]


def digest_lines(name, root, history=()):
    """Yield the lines that a tree's digest is taken of."""
    yield name
    if history:
        yield "after " + "/".join(f"{guess}:{response}" for guess, response in history)
    yield from _digest_node(root, [])


def _digest_node(node, path):
    yield f"{'.'.join(map(str, path)) or '-'} {node.guess}"
    for response, child in node.children.items():
        yield from _digest_node(child, [*path, response])


# --- weights and costs ----------------------------------------------------------------------


def weigh_cells(cells, weights):
    """Return the weight of each cell; candidates that all weigh 0 count 1 each."""
    candidates = [secret for cell in cells.values() for secret in cell]
    if not any(weights[secret] for secret in candidates):
        return [len(cell) for cell in cells.values()]
    return [sum(weights[secret] for secret in cell) for cell in cells.values()]


def gain_of(criterion, sums):
    """Return what a partition gains: for the entropy 2 to its power, as a fraction."""
    whole = sum(sums)
    if criterion == "entropy":
        return Fraction(whole**whole, entropy_value(sums))
    power = 2 if criterion == "expected" else int(criterion.removeprefix("power:")) + 1
    return Fraction(whole**power - sum(weight**power for weight in sums))


def is_better(criterion, one, other):
    """Whether a pair of gain and cost is better than another one."""
    (gain, cost), (other_gain, other_cost) = one, other
    if not criterion.endswith("/cost"):
        return gain > other_gain
    if criterion == "entropy/cost":  # gains are powers: their roots are compared
        return gain**other_cost > other_gain**cost
    return gain * other_cost > other_gain * cost


def choose_weighted(rules, criteria, weights, costs, candidates):
    """Return the guess of a chain of criteria that weigh, the first of equal ones."""
    tied = [g for g in range(len(rules.codes)) if len(partition(rules, g, candidates)) > 1]
    for criterion in criteria:
        base = criterion.removesuffix("/cost")
        values = {}
        for guess in tied:
            sums = weigh_cells(partition(rules, guess, candidates), weights)
            values[guess] = gain_of(base, sums), costs[guess]
        tied = [
            g for g in tied if not any(is_better(criterion, values[o], values[g]) for o in tied)
        ]
    return tied[0]
