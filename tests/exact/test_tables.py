"""Exact search of tables, against plain recursion."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

import treegen
from treegen.analysis.statistics import describe_tree
from treegen.errors import SearchStoppedError, StrategyError, UsageError
from treegen.exact.engine import INFINITE
from treegen.exact.request import Aim, SearchControl, SearchLog, SearchSpec, TimeBudget
from treegen.exact.run import FEWEST, run_search
from treegen.exact.tables.kernel import LEAST, LONGEST, TableKernel
from treegen.exact.tables.problem import make_table
from treegen.exact.tables.solver import TableRun, TableSolver
from treegen.games.answer_table import AnswerTable
from treegen.games.names import parse_game
from treegen.games.questions import Questions
from treegen.strategies.named import list_objectives, measure
from treegen.verifier.verify import verify_tree, write_value

from ..naive_shares import ExpandedTable
from ..naive_tables import NaiveSearch
from ..small_tables import draw_certain, draw_table, make_rounded_game
from .searching import end_after
from .test_differential import figures_of

TABLES = sorted((Path(__file__).parents[1] / "data" / "uncertain").glob("*.csv"))

READING = {"cls": "classes", "costs_row": "costs", "names": "names"}


def list_games(seeds, **kind):
    """Yield games that have shares and something to tell apart, with their plain twins."""
    for seed in seeds:
        game, plain = draw_table(seed, **kind)
        if game.rules.shares is not None and plain.count_separable(plain.root):
            yield game, plain


def make_twin(table, aim):
    """Return the plain search of a table for an aim of the kernel."""
    problem, n = table.problem, len(table.problem.costs)

    def list_answers(question, item):
        at = int(problem.cells[question, item])
        return problem.answers[problem.starts[at] : problem.starts[at + 1]].tolist()

    def are_apart(one, other):
        return not len(problem.groups) or problem.apart[problem.groups[one], problem.groups[other]]

    return NaiveSearch(
        [[list_answers(q, item) for item in range(table.n)] for q in range(len(problem.costs))],
        problem.costs.tolist(),
        [None if owner < 0 else owner for owner in problem.owners.tolist()] or [None] * n,
        problem.ends.tolist(),
        are_apart,
        bool(problem.is_win),
        bool(problem.candidates_only),
        aim.scale,
        aim.step,
        aim.last,
    )


def draw_any(seed):
    """Return a table of any kind, and what else may be asked of its search."""
    random = Random(seed)
    goal = "win" if seed % 4 else "identify"
    game = draw_certain(seed) if seed % 2 else draw_table(seed, goal=goal)[0]
    if seed % 10 == 9:
        game = parse_game(random.choice(["p2c3r", "a211"])).with_stakes(None, None)
        goal = random.choice(["identify", "win"])
        weights = [random.choice((0, 1, 2, 5)) for _ in range(game.n_secrets - 1)]
        costs = [random.randint(1, 3) for _ in range(game.n_codes)]
        game = game.with_goal(goal).with_stakes([1, *weights], costs)
    eligible = random.choice(["all", "candidates"]) if game.rules.first_guess == 0 else "all"
    candidates = np.arange(game.n_secrets, dtype=np.int32)
    return game, make_table(game, candidates, SearchSpec(eligible=eligible)), random


@pytest.mark.parametrize(
    "begin",
    [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(50, 3000, 50))],
)
def test_the_kernel_equals_plain_recursion(begin):
    """Weights, costs, goals, classes, gaps, caps, objectives, given questions, all crossed."""
    n_compared = 0
    for seed in range(begin, begin + 50):
        game, table, random = draw_any(seed)
        has_shares = game.rules.shares is not None and not table.problem.is_win
        is_over = has_shares and game.rules.is_over(table.members)
        if table.n == 1 or is_over:
            continue
        solver, state = TableSolver(table), dict(enumerate(table.root.shares.tolist()))
        if random.random() < 0.3:  # what is proved is forgotten at once
            solver.entries = solver.entries[:2].copy()
        run, longest = TableRun(solver), solver.make_aim(LONGEST)
        worst = make_twin(table, longest).find_least(state)
        run.begin(table.root, longest)
        assert run.finish()[0] == worst
        whole = table.weight
        for aim in (
            LEAST,
            *(Aim(worst + more) for more in (-1, 0, 1)),
            Aim(worst, scale=whole + 1, last=1),
            Aim(worst, scale=1, last=whole * worst + 1),
            FEWEST,
            *(FEWEST._replace(left=worst + more) for more in (-1, 0, 1)),
            Aim(worst, scale=1, step=whole * worst + 1),
            Aim(scale=1, step=1),
        ):
            own = solver.make_aim(aim)
            if own.shift:
                continue
            first = tuple(random.sample(range(len(table.codes)), min(2, len(table.codes))))
            first = first if random.random() < 0.3 else ()
            least = make_twin(table, own).find_least(state, left=aim.left, first=first or None)
            below = INFINITE
            if least is not None and random.random() < 0.5:
                below = least + random.choice((0, 1, 5))
            left = INFINITE if aim.left is None else aim.left
            run.begin(table.root, own, left, below, first, is_root=True)
            found, n_compared = run.finish(), n_compared + 1
            least = None if least is not None and least >= below else least
            assert (None if found is None else found[0]) == least, (seed, aim, first)
    assert n_compared > 100


def check_objectives(game, plain, expanded, first=()):
    """Check the best tree by each objective, exactly, and what its file claims."""
    names = tuple(game.format_code(game.rules.first_guess + question) for question in first)
    for objective in list_objectives():
        spec = SearchSpec(objective, first=names)
        tree = run_search(game, "optimal", spec)
        expected = expanded.find_best(objective, first)
        own = measure(tree, objective).values() if "nodes" in objective else figures_of(tree)
        for figure, least in zip(own, expected, strict=True):
            assert least is None or figure == least, objective
        check_claims(tree)
        asked = int(tree.guess[0]) - game.rules.first_guess
        assert asked in (first or plain.questions)
        for other in first[: first.index(asked)] if first else ():
            assert expanded.find_best(objective, (other,)) != expected


def check_claims(tree):
    """Check what a tree's file claims, and what people claim as `verify` writes it."""
    claims = {name: getattr(tree, name) for name in ("total", "worst", "n_worst", "histogram")}
    claims = {name: value for name, value in claims.items() if value != []}
    assert not verify_tree(tree, claims).problems
    written = [f"{name}={write_value(value)}" for name, value in claims.items()]
    for claim in (claims, written):
        published = treegen.verify(tree, claim=claim).published
        assert [row.is_true for row in published] == [True] * len(claims)
    false = {"total": tree.total + 1, "n_worst": tree.n_worst + 1}
    assert not any(row.is_true for row in treegen.verify(tree, claim=false).published)


def draw_first(plain):
    """Return the last useful questions of a table, the last one first."""
    return tuple(reversed(plain.list_useful(plain.root, ())[-2:]))


SLOW = range(0, 3000, 25)


@pytest.mark.parametrize(
    ("seeds", "goal", "most_rows"),
    [
        (range(6), "identify", 5),
        (range(8), "win", 4),
        *(pytest.param(range(n, n + 25), "identify", 6, marks=pytest.mark.slow) for n in SLOW),
        *(pytest.param(range(n, n + 25), "win", 5, marks=pytest.mark.slow) for n in SLOW),
    ],
)
def test_search_equals_plain_recursion(seeds, goal, most_rows):
    n_compared = 0
    for game, plain in list_games(seeds, goal=goal, most_rows=most_rows):
        expanded = plain if goal == "win" else ExpandedTable(plain)
        if goal == "identify" and len(expanded.rows) > 150:
            continue
        assert not game.rules.division.is_rounded
        check_objectives(game, plain, expanded)
        check_objectives(game, plain, expanded, draw_first(plain))
        n_compared += 1
    assert n_compared > 2


@pytest.mark.filterwarnings("ignore::treegen.TreegenWarning")
@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_the_ten_tables_have_their_least_figures(path):
    facts = json.loads(path.with_suffix(".json").read_text("utf-8"))
    options = {READING.get(name, name): value for name, value in facts["reading"].items()}
    if "names" in options:
        options["names"] = options["names"] or "none"
    trees = {
        name: treegen.build(path, "optimal", objective=name, **options)
        for name in ("total", "worst,total", "total,worst,n_worst")
    }
    averages = [tree.average for tree in trees.values()]
    names = ("least_average", "least_average_of_trees_of_least_worst", "least_average")
    assert averages == pytest.approx([float(Fraction(facts[name])) for name in names], abs=1e-6)
    assert trees["worst,total"].worst == facts["least_worst"]
    worst = facts["least_worst_of_trees_of_least_average"]
    assert trees["total,worst,n_worst"].worst == worst


def test_shares_stay_whole_where_an_answer_excludes_nobody():
    """Two candidates take all three questions: both may answer the cheap ones alike."""
    matrix = np.array([[0, 0, 0], [2, 2, 1]], dtype=np.uint8)
    sets = (((0, 1),), ((0, 1),), ())
    table = AnswerTable(("a", "b"), ("p", "q", "r"), (("x", "y"),) * 3, matrix, sets=sets)
    game = Questions(table).with_stakes(None, [0, 0, 1, 1, 9])
    tree = run_search(game, "optimal")
    # Both pay for p, a and half of b for q, a and a quarter of b for r.
    assert tree.total == tree.provenance.bound == 2 + Fraction(3, 2) + 9 * Fraction(5, 4)
    assert not game.rules.division.is_rounded
    assert treegen.verify(tree, prove=True).is_proved


@pytest.mark.parametrize("objective", [name for name in list_objectives() if "total" in name])
def test_nothing_is_proved_of_rounded_shares(objective):
    game = make_rounded_game()
    tree = run_search(game, "optimal", SearchSpec(objective))
    assert (tree.provenance.strategy, tree.provenance.bound) == ("optimal-unproved", None)
    report = treegen.verify(tree, prove=True)
    assert not report.problems
    assert [claim.name for claim in report.unchecked] == ["strategy", "rule", "objective"]
    assert all("shares are rounded" in claim.note for claim in report.unchecked)
    assert describe_tree(tree)["proved"] is False
    false = replace(tree.provenance, strategy="optimal", bound=tree.total)
    false = replace(tree, provenance=replace(false, rule=SearchSpec(objective).rule))
    assert not treegen.verify(false, prove=True).is_proved


@pytest.mark.parametrize("objective", ["nodes", "worst,nodes"])
def test_states_are_counted_whatever_shares_are_rounded(objective):
    game = make_rounded_game()
    tree = run_search(game, "optimal", SearchSpec(objective))
    assert (tree.provenance.strategy, tree.provenance.bound) == ("optimal", None)
    plain = run_search(game.with_stakes([1] * game.n_secrets), "optimal", SearchSpec(objective))
    assert tree.n_nodes == plain.n_nodes
    assert treegen.verify(tree, prove=True).is_proved


def test_a_near_optimal_search_proves_nothing_of_rounded_shares():
    game = make_rounded_game()
    tree = run_search(game, "best", SearchSpec(beam=1))
    assert tree.provenance.bound is None
    notes = {claim.name: claim.note for claim in treegen.verify(tree).unchecked}
    assert "shares are rounded" in notes["objective"]
    assert "shares are rounded" in notes["strategy"]
    assert run_search(game, "best", SearchSpec(gap=1)).provenance.bound is None
    with pytest.raises(SearchStoppedError, match="before anything was proved"):
        run_search(game, "optimal", control=SearchControl(watch=lambda progress: True))


def test_what_no_share_was_rounded_for_is_proved():
    """Nineteen questions of five answers are too many, but nobody asks a candidate all of them."""
    n = 19
    matrix = np.eye(n, dtype=np.uint8)
    matrix[[0, 1], [1, 0]] = 5
    matrix[:2, 2:] = 5
    matrix[2:, 0], matrix[2:, 1] = np.arange(n - 2) % 5, np.arange(n - 2) // 5
    names, questions = [[f"{kind}{number}" for number in range(n)] for kind in "rq"]
    table = AnswerTable(
        tuple(names),
        tuple(questions),
        (tuple("vwxyz"),) * n,
        matrix,
        sets=(((0, 1, 2, 3, 4),),) * n,
    )
    game = Questions(table)
    assert game.rules.division.is_rounded
    tree = run_search(game, "optimal")
    assert (tree.provenance.strategy, tree.total) == ("optimal", tree.provenance.bound)
    assert treegen.verify(tree, prove=True).is_proved


def test_shares_that_were_rounded_before_the_search_are_not_forgotten():
    game = make_rounded_game()
    history = tuple((game.n_secrets + question, 0) for question in range(1, 6))
    tree = run_search(game, "optimal", SearchSpec(history=history))
    assert tree.provenance.bound is None
    table = make_table(game, np.arange(game.n_secrets, dtype=np.int32))
    one, two = TableSolver(table), TableSolver(table)
    one.is_rounded = True
    two.unpack(one.pack())
    assert two.is_rounded


@pytest.mark.parametrize("objective", ["total", "worst,total", "total,worst,n_worst"])
def test_a_question_may_cost_more_than_there_are_candidates(objective):
    game = Questions([["x", "x"], ["y", "x"], ["y", "y"]]).with_stakes(None, [0, 0, 0, 5, 7])
    tree = treegen.build(game, "optimal", objective=objective, max_length=12)
    assert (tree.total, tree.worst) == (5 + 12 + 12, 12)
    assert treegen.verify(tree, prove=True).is_proved


@pytest.mark.parametrize(("n_asked", "is_exact"), [(3, True), (4, False)])
def test_a_share_that_the_history_alone_has_rounded_is_not_forgotten(n_asked, is_exact):
    """What is left to ask has certain answers."""
    game = make_rounded_game()
    asked, numbers = slice(1, 1 + n_asked), np.arange(game.n_secrets, dtype=np.uint8)
    table = replace(
        game.table,
        questions=(*game.table.questions[asked], "number"),
        answers=(*game.table.answers[asked], tuple("01234567")),
        matrix=np.column_stack([game.table.matrix[:, asked], numbers]),
        sets=(*game.table.sets[asked], ()),
    )
    history = [(question, "v") for question in table.questions[:-1]]
    game = Questions(table).with_stakes(game.weights.tolist())
    tree = treegen.build(game, "optimal", history=history)
    assert tree.guess_after() == "number"
    assert tree.provenance.strategy == ("optimal" if is_exact else "optimal-unproved")
    assert (tree.provenance.bound is not None) == is_exact


@pytest.mark.parametrize("objective", ["worst,n_worst,total", "total,worst,n_worst"])
def test_the_last_moment_is_not_proved_where_costs_pass_64_bits(objective):
    game = next(list_games(range(99)))[0]
    game = game.with_stakes([10**11 + 3 * number for number in range(game.n_secrets)])
    assert not game.rules.division.is_rounded
    tree = run_search(game, "optimal", SearchSpec(objective))
    is_total_proved = objective.startswith("total")
    assert tree.provenance.strategy == "optimal-unproved"
    assert tree.provenance.bound == (tree.total if is_total_proved else None)
    assert not treegen.verify(tree, prove=True).is_proved


def draw_large(seed, n=30, n_questions=9):
    """Return a table with classes and unknown answers, of the shape of those that people have."""
    random = np.random.default_rng(seed)
    cells = random.choice(["n", "y", "?"], (n, n_questions), p=[0.48, 0.48, 0.04])
    text = "\n".join(",".join([*row, "ab"[place % 2]]) for place, row in enumerate(cells))
    return ",".join([*(f"q{number}" for number in range(n_questions)), "class"]) + "\n" + text


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "large.csv"
    path.write_text(draw_large(1))
    with pytest.warns(treegen.TreegenWarning):
        return treegen.open_game(path, classes="class", names="none")


@pytest.fixture(scope="module")
def optimum(large):
    return run_search(large, "optimal")


def test_a_near_optimal_tree_is_between_bound_and_greedy(large, optimum):
    least = optimum.total
    totals, bounds = [], []
    for beam, look_ahead in ((1, 0), (2, 1), (4, 2)):
        log = SearchLog()
        spec = SearchSpec(beam=beam, look_ahead=look_ahead)
        tree = run_search(large, "best", spec, SearchControl(log=log))
        assert not verify_tree(tree, {"total": tree.total}).problems
        assert log.counts["states"] > 0
        totals.append(tree.total)
        bounds.append(tree.provenance.bound)
    assert bounds == sorted(bounds)
    assert bounds[-1] <= least <= totals[-1] <= totals[0]
    assert bounds[-1] > large.n_secrets
    whole = run_search(large, "best", SearchSpec(beam=large.rules.n_questions))
    assert whole.total == least


@pytest.mark.parametrize("gap", [0, 2.5, 10])
def test_a_gap_is_proved_of_a_table(large, optimum, gap):
    tree = run_search(large, "best", SearchSpec(beam=1, look_ahead=0, gap=gap))
    assert tree.provenance.bound <= optimum.total <= tree.total
    assert tree.total <= tree.provenance.bound * (1 + gap / 100)


@pytest.mark.parametrize("name", ["optimal", "best"])
def test_an_ended_search_has_a_tree_and_goes_on(large, optimum, name, tmp_path):
    for n_looks in (0, 1, 3, 10, 10**9):
        control = SearchControl(watch=end_after(n_looks), keep_best=True, folder=tmp_path / "state")
        tree = run_search(large, name, control=control)
        assert tree.provenance.bound <= optimum.total <= tree.total
        assert not verify_tree(tree, {"total": tree.total}).problems
    assert tree.total == tree.provenance.bound
    assert tree.digest == run_search(large, name, control=SearchControl(watch=lambda _: 0)).digest
    with pytest.raises(SearchStoppedError):
        run_search(large, "optimal", control=SearchControl(watch=lambda progress: True))


@pytest.mark.parametrize("turn_s", [0, 1])
def test_beams_end_with_a_proof_where_a_watch_may_end_them(large, optimum, monkeypatch, turn_s):
    monkeypatch.setattr("treegen.exact.run.OPEN_WIDTH", 1)
    monkeypatch.setattr("treegen.exact.run.TURN_S", turn_s)
    tree = run_search(large, "best", control=SearchControl(watch=lambda progress: False))
    assert tree.total == tree.provenance.bound == optimum.total


def test_what_is_proved_does_not_depend_on_the_table_of_states(large, optimum):
    """Two entries are enough, and a small state may be searched again and again."""
    search = TableKernel(large, *make_rest(large))
    search.solver.entries = search.solver.entries[:2].copy()
    small = search.solve(LEAST)
    assert [small.guess.tolist(), small.total] == [optimum.guess.tolist(), optimum.total]


def make_rest(game, **spec):
    candidates = np.arange(game.n_secrets, dtype=np.int32)
    return candidates, SearchSpec(**spec), SearchControl()


def test_states_get_more_room_as_they_need_it(large, optimum):
    """There are more nodes, and there is more room for items and questions, as they are needed."""
    search = TableKernel(large, *make_rest(large))
    run = TableRun(search.solver)
    n, n_nodes = large.n_secrets, 8
    run.room = run.room._replace(items=run.room.items[:n].copy(), shares=run.room.shares[:n])
    for name in ("nodes", "limits"):
        setattr(
            run, name, type(getattr(run, name))(*(a[:n_nodes].copy() for a in getattr(run, name)))
        )
    run.begin(search.table.root, search.solver.make_aim(LEAST))
    assert run.finish()[0] == optimum.share_total
    assert len(run.nodes.begin) > n_nodes


def test_a_lower_limit_counts_from_now_on(large):
    search = TableKernel(large, *make_rest(large))
    least = search.solve(LEAST).share_total
    run = TableRun(TableSolver(search.table))
    run.begin(search.table.root, run.solver.make_aim(LEAST))
    run.lower_limit(least)
    assert run.finish() is None
    assert run.bound == least
    run.begin(search.table.root, run.solver.make_aim(LONGEST))
    assert run.finish()[0] == search.find_shortest(None)[0]


def test_what_is_proved_is_kept(large, monkeypatch):
    search = TableKernel(large, *make_rest(large))
    one, two = TableSolver(search.table), TableSolver(search.table)
    search.solver = one
    tree = search.solve(LEAST)
    two.unpack(one.pack())
    search.solver = two
    assert search.solve(LEAST).digest == tree.digest
    assert two.n_states < one.n_states / 2
    monkeypatch.setattr("treegen.exact.tables.solver.MOST_KEPT", 10)
    assert len(one.pack()) < 1000


def test_a_table_of_states_grows_and_loses_none(large):
    search = TableKernel(large, *make_rest(large))
    solver = search.solver
    n_places = len(solver.entries)
    tree = search.solve(LEAST)
    rows = {tuple(row) for row in solver.entries.tolist()}
    solver.make_room(len(solver.entries))
    assert len(solver.entries) == 4 * n_places
    assert {tuple(row) for row in solver.entries.tolist()} == rows
    run = TableRun(solver)
    run.begin(search.table.root, solver.make_aim(LEAST))
    assert run.recall()
    assert run.cost == tree.share_total


def test_what_the_root_may_ask_belongs_to_what_is_kept_of_it(large):
    solver = TableSolver(TableKernel(large, *make_rest(large)).table)
    root, run, aim = solver.table.root, TableRun(solver), solver.make_aim(LEAST)
    for first in ((), (0,), (1,), (0, 1)):
        run.begin(root, aim, first=first)
        assert not run.recall()
        found = run.finish()
        run.begin(root, aim, first=first)
        assert run.recall()
        assert (run.cost, run.found) == found


def test_weights_times_costs_beyond_64_bits_are_refused(large, monkeypatch):
    monkeypatch.setattr("treegen.exact.tables.solver.INFINITE", 1 << 10)
    with pytest.raises(treegen.TreegenError, match="weights times costs pass 64 bits"):
        run_search(large, "optimal")


@pytest.mark.parametrize("name", ["optimal", "best"])
def test_jobs_do_not_change_the_tree_of_a_table(large, name):
    spec, budget = SearchSpec(beam=2 if name == "best" else None), TimeBudget(alone_s=-1.0)
    control = [SearchControl(jobs=jobs, budget=budget) for jobs in (1, 2)]
    one, two = (run_search(large, name, spec, each) for each in control)
    assert one.digest == two.digest


def count_turns(game, n_threads, n_units=2000, **beam):
    """Let threads take turns, so that no clock matters; return how many, cost and question."""
    table = make_table(game, np.arange(game.n_secrets), SearchSpec())
    solver = TableSolver(table)
    aim, claims, best = solver.make_aim(LEAST, **beam), np.zeros(1 << 10, dtype=np.uint64), None
    runs = [TableRun(solver) for _ in range(n_threads)]
    for run in runs:
        run.begin(table.root, aim, is_root=True)
        if n_threads > 1:
            run.claims = claims
    n_turns = 0
    while not runs[0].is_done:
        n_turns += 1
        for run in runs:
            if not run.is_done:
                run.work(n_units)
                best = run.exchange(best)
    return n_turns, (int(runs[0].nodes.best[1]), runs[0].found)


def make_large(seed):
    """Return a table of rare answers with weights and costs."""
    rng = Random(seed)
    rows = {tuple(str(int(rng.random() < 0.15)) for _ in range(36)) for _ in range(56)}
    game = treegen.Questions(sorted(rows))
    n_candidates, n_questions = game.n_secrets, game.rules.n_questions
    costs = [0] * n_candidates + [rng.randint(1, 9) for _ in range(n_questions)]
    return game.with_stakes([rng.randint(1, 20) for _ in range(n_candidates)], costs)


@pytest.mark.parametrize("seed", [1, 5])
def test_two_threads_take_half_the_time(seed):
    game = make_large(seed)
    alone, best = count_turns(game, 1)
    together, its_best = count_turns(game, 2)
    assert best == its_best
    assert alone > 20
    assert together < 0.65 * alone


@pytest.mark.parametrize("width", [1, 2, 3])
def test_a_beam_finds_the_same_with_any_number_of_threads(width):
    for seed in (1, 5):
        game, beam = make_large(seed), {"width": width, "n_full": 4}
        (_, alone), *others = (count_turns(game, n, 50, **beam) for n in (1, 2, 3))
        assert {found for _, found in others} == {alone}


def test_aims_have_different_salts(large):
    solver = TableKernel(large, *make_rest(large)).solver
    aims = [LEAST, LONGEST, FEWEST, Aim(step=9), Aim(9, scale=1, last=99), Aim(9, scale=99, last=1)]
    salts = [solver.make_aim(aim).salt for aim in aims]
    assert len(set(salts)) == len(salts)


def test_a_cell_that_takes_too_long_ends_the_trial_of_each_question_that_holds_it():
    rows = [(n, n * 37 % 31, n * n % 31) for n in range(31)]
    kinds = ["ab"[(x // 9 + y // 7 + z // 11) % 2] for x, y, z in rows]
    table = [
        {"x": x, "y": y, "z": z, "kind": kind} for (x, y, z), kind in zip(rows, kinds, strict=True)
    ]
    game = treegen.open_game(
        table, names="none", classes="kind", thresholds="all", notice=lambda text: None
    )
    log = SearchLog()
    tree = treegen.build(game, "optimal", objective="worst,total", jobs=1, log=log)
    assert (tree.total, tree.worst) == (103, 4)
    assert log.counts["states"] < 3000  # 2,237; if all are tried, 6,454


def test_a_beam_finds_what_it_finds_in_an_empty_table_of_states():
    rng = Random(4)
    rows = {tuple(str(int(rng.random() < 0.3)) for _ in range(14)) for _ in range(40)}
    game = treegen.Questions(sorted(rows))
    table = make_table(game, np.arange(game.n_secrets), SearchSpec())

    def find(solver, n_full):
        run = TableRun(solver)
        run.begin(table.root, solver.make_aim(LEAST, width=1, n_full=n_full))
        return run.finish()

    used = TableSolver(table)
    coarse = find(used, 2)
    assert find(used, 12) == find(TableSolver(table), 12) < coarse


@pytest.mark.parametrize(
    ("name", "objective"),
    [("p2c3r", "nodes,total"), ("a211", "worst,nodes"), ("coins6", "nodes")],
)
@pytest.mark.parametrize("goal", ["win", "identify"])
def test_states_of_games_of_any_kind_are_counted_and_proved(name, goal, objective):
    game = parse_game(name).with_goal(goal)
    tree = treegen.build(game, "optimal", objective=objective)
    assert treegen.verify(tree, prove=True).is_proved
    others = [treegen.build(game, rule) for rule in ("knuth", "entropy", "max,parts,consistent")]
    figures = [tuple(measure(each, objective).values()) for each in (tree, *others)]
    assert figures[0] == min(figures)
    assert treegen.stats(tree).to_dict()["proved"] is True
    few = replace(tree.provenance, rule="eligible=all; objective=" + objective)
    assert few == tree.provenance


def test_a_larger_tree_is_not_the_one_of_the_fewest_states():
    bits = [{f"q{q}": n >> q & 1 for q in range(3)} for n in range(8)]
    table = [{"n": f"r{n}", "class": "ab"[n in (0, 5)], **row} for n, row in enumerate(bits)]
    fewest = treegen.build(table, "optimal", objective="nodes", classes="class")
    shortest = treegen.build(table, "optimal", classes="class", first="q0")
    assert (fewest.n_nodes, fewest.provenance.bound) == (9, None)
    assert shortest.n_nodes > fewest.n_nodes
    claimed = replace(shortest, provenance=fewest.provenance)
    report = treegen.verify(claimed, prove=True)
    assert "the file claims the least nodes; its nodes is" in " ".join(report.problems)
    with pytest.raises(UsageError, match="objective=nodes counts states"):
        treegen.certify(fewest)
    with pytest.raises(UsageError, match="objective=nodes counts states"):
        treegen.build(table, "optimal", objective="nodes", classes="class", certificate="x.proof")


def test_states_before_totals_that_pass_64_bits_are_refused():
    rows = [
        {"name": f"c{code}", **{f"q{bit}": str(code >> bit & 1) for bit in range(7)}}
        for code in range(128)
    ]
    weights = [10**12 // 128 - (code == 0) for code in range(128)]
    rows = [{**row, "weight": weight} for row, weight in zip(rows, weights, strict=True)]
    costs = {f"q{bit}": 9_990 + bit for bit in range(7)}
    options = {"weights": "weight", "costs": costs}
    assert treegen.build(rows, "optimal", objective="nodes", **options).n_nodes == 255
    with pytest.raises(StrategyError, match="nodes times weights times costs pass 64 bits"):
        treegen.build(rows, "optimal", objective="nodes,total", **options)
