"""Searches by threads and workers, or ended and resumed: the tree is that of one thread."""

from __future__ import annotations

import itertools
import random

import pytest

from treegen import Codebook, Questions, UsageError, open_game, verify

from ..small_games import make_pair
from ..small_tables import draw_table
from .searching import AT_ONCE, OBJECTIVES, WRITTEN_OFTEN, build_optimal, resume, search_best


def make_hard(seed=5):
    words = ["".join(word) for word in itertools.product("abcd", repeat=4)]
    random.Random(seed).shuffle(words)
    return Codebook(words[:40], words[40:120], feedback="position")


def make_questions(seed=1, goal="identify"):
    rng = random.Random(seed)
    rows = [[str(rng.randrange(3)) for _ in range(9)] for _ in range(14)]
    rows = [[*row, str(place % 4), str(place // 4)] for place, row in enumerate(rows)]
    weights = [rng.choice([1, 1, 2, 5]) for _ in rows]
    game = Questions(rows, goal=goal)
    return game.with_stakes(weights, [rng.choice([1, 2, 3]) for _ in range(game.n_codes)])


HARD = {"eligible": "hints"}
GAMES = {"hard": (make_hard(), HARD), "questions": (make_questions(), {})}
GAMES["weighted"] = make_hard(3).with_stakes([1 + code * code % 30 for code in range(40)]), HARD
GAMES["win"] = make_questions(3, "win"), {}
GAMES["identify"] = open_game("p2c4r").with_goal("identify"), {}
GAMES["history"] = open_game("p4c5r"), {"eligible": "candidates", "history": ((7, 1),)}
GAMES |= {name: (make_pair(name)[0], {}) for name in ("p4c4r", "p3c5n", "p3c3rb", "words-pegs")}
DRAWN = {
    "gaps": draw_table(9, has_classes=False, most_rows=9)[0],
    "classes": draw_table(9, has_classes=True, most_rows=9)[0],
    "gaps to win": draw_table(50, goal="win", most_rows=9)[0],
}


@pytest.mark.parametrize(
    ("name", "objective"),
    [
        *itertools.product(["hard", "weighted", "win", "history"], OBJECTIVES),
        *zip(["questions", "identify", "p4c4r", "p3c5n", "p3c3rb"], itertools.cycle(OBJECTIVES)),
        ("words-pegs", "total"),
    ],
)
def test_the_tree_is_that_of_one_thread(name, objective, tmp_path):
    game, options = GAMES[name]
    options = {**options, "objective": objective}
    alone = build_optimal(game, **options)
    assert build_optimal(game, jobs=3, budget=AT_ONCE, **options).digest == alone.digest
    assert build_optimal(game, n_workers=2, budget=AT_ONCE, **options).digest == alone.digest
    for _ in range(2):
        again = build_optimal(game, folder=tmp_path / "kept", budget=WRITTEN_OFTEN, **options)
        assert (again.digest, again.provenance) == (alone.digest, alone.provenance)


@pytest.mark.parametrize("turn_s", [1.0, 1e-9])
@pytest.mark.parametrize("name", ["questions", "win", "identify", "weighted", *DRAWN])
def test_a_near_optimal_tree_is_that_of_one_thread(name, turn_s, tmp_path, monkeypatch):
    """Workers prove its gap in turns, of which a short one ends after the first part."""
    monkeypatch.setattr("treegen.exact.run.TURN_S", turn_s)
    game = DRAWN[name] if name in DRAWN else GAMES[name][0]
    alone = search_best(game, beam=1, gap=0)
    shared = search_best(game, beam=1, gap=0, n_workers=2)
    assert (shared.digest, shared.provenance) == (alone.digest, alone.provenance)
    assert alone.provenance.bound == alone.total
    for _ in range(2):
        kept = search_best(game, beam=1, gap=0, n_workers=2, folder=tmp_path / "kept")
        assert (kept.digest, kept.provenance) == (alone.digest, alone.provenance)


@pytest.mark.parametrize("name", ["hard", "questions", "weighted", "win", "identify"])
def test_given_openings_and_a_cap_give_the_same_tree_to_several(name, tmp_path):
    game, options = GAMES[name]
    best = build_optimal(game, **options)
    first = [game.format_code(int(best.guess[0]))]
    others = [code for code in range(game.rules.first_guess, game.n_codes) if code != best.guess[0]]
    first += [game.format_code(code) for code in others[:3]]
    for given in ({"first": first}, {"first": first[1:]}, {"max_length": best.worst}):
        alone = build_optimal(game, **options, **given)
        shared = build_optimal(game, jobs=2, budget=AT_ONCE, **options, **given)
        assert shared.digest == alone.digest
    for how in ({"jobs": 2}, {"folder": tmp_path}):
        for _ in range(2):
            with pytest.raises(UsageError, match="proved"):
                build_optimal(game, budget=AT_ONCE, max_length=1, **how, **options)


def test_an_ended_search_resumes_where_it_was(tmp_path):
    game, options = GAMES["hard"]
    alone = build_optimal(game, **options)
    # More each time: the guesses of a tree that was found are completed in one go.
    tree, n_ends = resume(game, lambda n_ends: 10 + 5 * n_ends, folder=tmp_path, jobs=2, **options)
    assert n_ends > 0
    assert tree.digest == alone.digest
    again = build_optimal(game, folder=tmp_path, budget=WRITTEN_OFTEN, **options)
    assert again.digest == alone.digest


@pytest.mark.parametrize("rule", ["position", "pegs"])
def test_an_ended_near_optimal_search_resumes_where_it_was(rule, tmp_path):
    game = Codebook(
        GAMES["hard"][0].rules.words[:40], GAMES["hard"][0].rules.words[40:70], feedback=rule
    )
    options = {"eligible": "hints" if rule == "position" else "consistent", "beam": 2}
    whole, stage = search_best(game, **options), {"position": "first guesses", "pegs": "beam 2"}
    ended = search_best(
        game, folder=tmp_path, watch=lambda progress: progress.stage == stage[rule], **options
    )
    assert ended.total >= whole.total
    resumed = search_best(game, folder=tmp_path, **options)
    assert resumed.total == whole.total
    assert verify(resumed, eligible=options["eligible"]).is_sound
    # What is kept is known from the first moment.
    again = search_best(game, folder=tmp_path, watch=lambda _: True, **options)
    assert again.total == whole.total
    assert search_best(game, n_workers=2, **options).digest == whole.digest


@pytest.mark.parametrize("seed", range(4))
def test_the_first_of_the_best_openings_is_kept(seed):
    """Many openings of such a table are equally good, and threads end in any order."""
    rng = random.Random(seed)
    rows = [[str(place >> bit & 1) for bit in range(4)] for place in range(12)]
    rows = [[*row, *(rng.choice(row) for _ in range(5))] for row in rows]
    game = Questions(rows, goal=rng.choice(["identify", "win"]))
    alone = build_optimal(game)
    for n_workers in (1, 3):
        assert build_optimal(game, n_workers=n_workers, budget=AT_ONCE).digest == alone.digest
    assert build_optimal(game, jobs=3, budget=AT_ONCE).digest == alone.digest
