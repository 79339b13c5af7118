"""Small tables with uncertain answers, classes, weights, costs and equal rows, drawn at random.

A table is put together inside, as matrix and sets: its twin knows every row by its number.
"""

from random import Random

import numpy as np

from treegen.games.answer_table import AnswerTable
from treegen.games.questions import Questions

from .naive_shares import NaiveGuessing, NaiveTable


def draw_table(seed, *, goal="identify", has_classes=None, most_rows=6):
    """Return a game of a random table, and the same table for plain definitions.

    To win, it has no classes.
    """
    has_classes = False if goal == "win" else has_classes
    random = Random(seed)
    n_rows, n_questions = random.randint(2, most_rows), random.randint(1, 5)
    n_answers = [random.randint(2, 3) for _ in range(n_questions)]
    uncertain = random.choice((0, 0.1, 0.3))
    rows = [[_draw_cell(random, count, uncertain) for count in n_answers] for _ in range(n_rows)]
    has_classes = random.random() < 0.5 if has_classes is None else has_classes
    classes = [random.choice("abc") for _ in rows] if has_classes else []
    sets = tuple(
        tuple(dict.fromkeys(tuple(sorted(row[q])) for row in rows if len(row[q]) > 1))
        for q in range(n_questions)
    )
    numbers = [
        [
            min(cell) if len(cell) == 1 else count + own.index(tuple(sorted(cell)))
            for cell, count, own in zip(row, n_answers, sets, strict=True)
        ]
        for row in rows
    ]
    table = AnswerTable(
        tuple(f"r{number}" for number in range(n_rows)),
        tuple(f"q{number}" for number in range(n_questions)),
        tuple(tuple("xyz"[:count]) for count in n_answers),
        np.array(numbers, dtype=np.uint8),
        sets=sets,
        classes=tuple(classes),
    ).reduce()
    game = Questions(table, goal=goal)
    weights = [random.choice((0, 1, 2, 5)) for _ in table.rows] if random.random() < 0.4 else None
    weights = weights if weights and any(weights) else None
    costs = None
    if random.random() < 0.3:
        guesses = [goal == "win" and random.randint(1, 4) for _ in range(game.n_secrets)]
        costs = [*map(int, guesses), *(random.randint(1, 4) for _ in table.questions)]
    game = game.with_stakes(weights, costs)
    kept = [int(text[1:]) for text in table.questions]
    plain = [
        (
            [frozenset(rows[group[0]][q]) for q in kept],
            1 if game.weights is None else int(game.weights[at]),
            table.classes[at] if table.classes else None,
        )
        for at, group in enumerate(table.rows)
    ]
    if goal == "win":
        return game, NaiveGuessing(plain, game.costs.tolist())
    return game, NaiveTable(plain, game.costs[game.n_secrets :].tolist())


def make_rounded_game():
    """Return a table of which one candidate may give any of five answers to every question.

    Each question excludes one other candidate; on paths of four questions or more, the first one's
    shares are rounded, since with the large weights no finer unit fits 64 bits.
    """
    n = 8
    matrix = np.eye(n, dtype=np.uint8)
    matrix[0] = 5
    table = AnswerTable(
        tuple(f"r{number}" for number in range(n)),
        tuple(f"q{number}" for number in range(n)),
        (tuple("vwxyz"),) * n,
        matrix,
        sets=(((0, 1, 2, 3, 4),),) * n,
    )
    return Questions(table).with_stakes([4_000_000_001, *[4_000_000_000] * (n - 1)])


def _draw_cell(random, count, uncertain):
    if random.random() >= uncertain:
        return {random.randrange(count)}
    return set(random.sample(range(count), random.randint(2, count)))


def draw_certain(seed, most_rows=7):
    """Return a game of questions with certain answers: any goal, weights or none, costs or none."""
    random = Random(seed)
    n_rows, width = random.randint(2, most_rows), random.randint(1, 3)
    n_questions, goal = random.randint(1, 4), random.choice(("identify", "win"))
    rows = [[str(random.randint(0, width)) for _ in range(n_questions)] for _ in range(n_rows)]
    if goal == "identify":  # so that all rows differ
        rows = [[*row, str(place % 2), str(place // 2)] for place, row in enumerate(rows)]
    game = Questions(rows, goal=goal)
    weights = [random.choice((0, 1, 1, 2, 5, 10)) for _ in range(game.n_secrets)]
    most = random.choice((1, 3, 9))
    costs = [random.randint(1, most) for _ in range(game.n_codes)]
    return game.with_stakes(weights if any(weights) and random.random() < 0.6 else None, costs)
