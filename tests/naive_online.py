"""Long codes once more, from the definitions: scoring, one-by-one, sums of pegs, facts."""

import itertools

from .naive import score_pegs


def play(player, secret, limit):
    """Play by the naive score; return the guesses. Fail beyond the limit."""
    guesses = []
    while not player.is_over:
        guess = tuple(int(color) for color in player.next_guess())
        guesses.append(guess)
        assert len(guesses) <= limit, f"{len(guesses)} guesses"
        player.observe(*score_pegs(guess, secret))
    return guesses


def one_by_one(secret, n_colors):
    """Return the guesses of the reading with duplicates where some color is absent."""
    n_pegs = len(secret)
    entries, guesses, found = [], [], 0
    for color in range(n_colors):
        if found == n_pegs:
            break
        if color < n_colors - 1 or not entries:
            guesses.append((color,) * n_pegs)
            found += secret.count(color)
            if guesses[-1] == tuple(secret):
                return guesses
        entries += [color] * secret.count(color)
    filler = min(set(range(n_colors)) - set(secret))
    placed = []
    for peg, right in enumerate(secret):
        for color in entries:
            guesses.append((*placed, color, *[filler] * (n_pegs - peg - 1)))
            if color == right:
                break
        placed.append(right)
        entries.remove(right)
    return guesses


def codes_of(n_pegs, n_colors, repetition):
    codes = itertools.product(range(n_colors), repeat=n_pegs)
    return [code for code in codes if repetition or len(set(code)) == n_pegs]


def consistent(codes, history):
    """Return the codes that agree with every (guess, (black, white))."""
    return [code for code in codes if all(score_pegs(g, code) == answer for g, answer in history)]


def sum_posterior(odds, target):
    """Return the probability of each peg to be right, given that `target` of all are."""
    weights = [0.0] * len(odds)
    total = 0.0
    for marks in itertools.product((0, 1), repeat=len(odds)):
        if sum(marks) != target:
            continue
        weight = 1.0
        for mark, odd in zip(marks, odds, strict=True):
            weight *= odd if mark else 1.0
        total += weight
        for peg, mark in enumerate(marks):
            weights[peg] += weight * mark
    return [weight / total for weight in weights]
