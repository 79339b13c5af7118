"""Analyses of tables with uncertain answers or classes, against plain enumerations.

Totals and histograms are weights for people, whole shares in files.
"""

import io
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import treegen
from treegen import FormatError

from ..command import run, show
from ..exact.searching import build_optimal
from ..small_games import history_of
from ..small_tables import draw_table, make_rounded_game
from ..written import claim as forge

RULES = ("separable-pairs", "expected-left", "information")


def draw_tables(n, goal="identify"):
    """Yield games of random tables with gaps, sets or classes, with their twins."""
    for seed in range(n):
        game, plain = draw_table(seed, goal=goal, most_rows=5)
        if game.rules.shares is not None and plain.count_separable(plain.root):
            yield game, plain


def number(game, code):
    """Return the number by which a twin knows a code: to identify, it has questions alone."""
    return code - game.rules.first_guess


def follow(plain, game, history):
    """Return who is left after a history, with which weight, and what was asked."""
    left, asked = plain.root, ()
    for code, response in history:
        left = plain.ask(left, number(game, code)).get(response, {})
        asked = (*asked, number(game, code))
    return left, asked


def list_useful(plain, left, asked):
    return sorted(set(plain.list_useful(left, asked)))


def list_states(tree):
    """Return each state of a tree that is not a leaf, with its history."""
    nodes = [node for node in range(tree.n_nodes) if not tree.is_leaf[node]]
    return [(node, history_of(tree, node)) for node in nodes]


def explain(tree, node, **options):
    path = [tree.game.format_response(reply, code) for code, reply in history_of(tree, node)]
    return treegen.explain(tree, path=path, **options)


def measure(plain, name, code, left):
    """Return what is left by a rule after a question, on average, and what it gains."""
    total = sum(left.values())
    if not total:
        left = dict.fromkeys(left, Fraction(1))
        total = len(left)
    after = sum(plain.measure(name, cell) for cell in plain.ask(left, code).values())
    return float(after / total), float((plain.measure(name, left) - after) / total)


@pytest.mark.parametrize("goal", ["identify", "win"])
@pytest.mark.parametrize("rule", [*RULES, "separable-pairs/cost", "information/cost"])
def test_the_figures_of_an_explanation_are_those_of_the_definition(rule, goal):
    name, _, per_cost = rule.partition("/")
    for game, plain in draw_tables(8, goal):
        tree = treegen.build(game, rule)
        for node, history in list_states(tree)[:4]:
            left, asked = follow(plain, game, history)
            if len(left) == 1:
                continue
            why = explain(tree, node, top=99)
            assert (why.n_candidates, why.guess) == (len(left), why.chosen)
            codes = [number(game, game.parse_code(row.guess)) for row in why.top]
            assert sorted(codes) == list_useful(plain, left, asked)
            for row, code in zip(why.top, codes, strict=True):
                rest, gain = measure(plain, name, code, left)
                value = gain if per_cost or name == "information" else rest
                cost = plain.costs[code] if per_cost else 1
                assert float(row.figures[rule]) == pytest.approx(value / cost, abs=1e-4)
                cells = [len(cell) for cell in plain.ask(left, code).values()]
                won = [1] * (goal == "win" and code in left and code < game.n_secrets)
                assert row.cells == sorted(cells + won, reverse=True)
            values = [float(row.figures[rule]) for row in why.top]
            is_more_better = bool(per_cost) or name == "information"
            assert values == sorted(values, reverse=is_more_better)
            best = [value for value in values if value == values[0]]
            assert why.stages[0].n_before == len(values)
            assert why.stages[0].n_left <= len(best)


def test_the_end_is_explained_by_what_is_announced():
    for game, _ in draw_tables(18):
        tree = treegen.build(game)
        leaf = int(tree.is_leaf.nonzero()[0][0])
        for exact in (False, True):
            why = explain(tree, leaf, exact=exact)
            end = treegen.Session(tree)
            for code, reply in history_of(tree, leaf):
                end.respond(reply, code)
            assert (why.guess, why.verb) == (end.guess, "announces")
        assert "; the tree announces " in str(why)
        assert f"; the tree asks {explain(tree, 0).guess}\n" in str(explain(tree, 0))
        assert why.total_tree == why.total_best == 0


@pytest.mark.parametrize("goal", ["identify", "win"])
def test_the_costs_of_a_guess_are_those_of_a_plain_recursion(goal):
    for game, plain in draw_tables(8, goal):
        tree = treegen.build(game)
        for node, history in list_states(tree)[:3]:
            left, asked = follow(plain, game, history)
            why = explain(tree, node, exact=True)
            code = number(game, int(tree.guess[node]))
            assert why.total_best == least(plain, left, asked)
            assert why.total_guess == least(plain, left, asked, (code,))
            assert why.total_tree == tree.subtree(history_text(tree, node)).total
            best = number(game, game.parse_code(why.best))
            assert least(plain, left, asked, (best,)) == why.total_best


def history_text(tree, node):
    return tree[node].history


def least(plain, left, asked, among=None):
    """Return the least sum of weight times cost of some candidates; the first is given, or not."""
    if is_over(plain, left):
        return Fraction()
    found = []
    for code in among or list_useful(plain, left, asked):
        spent = plain.costs[code] * sum(left.values())
        below = (least(plain, cell, (*asked, code)) for cell in plain.ask(left, code).values())
        found.append(spent + sum(below))
    return min(found)


def is_over(plain, left):
    """Whether nobody is left to guess, or nothing to tell apart."""
    return not left if hasattr(plain, "n") else not plain.count_separable(left)


@pytest.mark.parametrize("goal", ["identify", "win"])
@pytest.mark.parametrize("rule", RULES)
def test_openings_by_a_rule_are_the_trees_that_begin_with_them(rule, goal):
    for game, plain in draw_tables(7, goal):
        found = treegen.openings(game, rule, top=99)
        rows = found.list_rows()
        useful = list_useful(plain, plain.root, ())
        assert sorted(number(game, game.parse_code(row["guess"])) for row in rows) == useful
        for row in rows:
            tree = treegen.build(game, rule, first=row["guess"])
            figures = (tree.total, tree.average, tree.worst, tree.n_worst, tree.histogram)
            assert (*list(row.values())[2:],) == figures
        unit = game.rules.share_unit
        for row, told in zip(rows, found.to_dict()["rows"], strict=True):
            assert told["total"] == row["total"] * unit


@pytest.mark.parametrize("goal", ["identify", "win"])
def test_the_best_openings_have_the_least_totals_of_a_plain_recursion(goal):
    for game, plain in draw_tables(7, goal):
        found = treegen.openings(game, "optimal", top=99)
        assert found.ranking.proved
        codes = {row["guess"]: number(game, game.parse_code(row["guess"])) for row in found}
        assert sorted(codes.values()) == list_useful(plain, plain.root, ())
        for row in found:
            assert row["total"] == least(plain, plain.root, (), (codes[row["guess"]],))


def test_openings_go_on_after_a_history():
    for game, plain in draw_tables(12):
        tree = treegen.build(game)
        for node in list(tree.children(0))[:2]:
            history = history_text(tree, node)
            left, asked = follow(plain, game, history_of(tree, node))
            for strategy in ("separable-pairs", "optimal"):
                found = treegen.openings(game, strategy, history=history, top=99)
                assert str(found)
                if is_over(plain, left):
                    [row] = found
                    assert (row["total"], row["n_worst"]) == (0, sum(left.values()))
                    assert "the game is over" in str(found)
                    continue
                rows = [number(game, game.parse_code(row["guess"])) for row in found]
                assert sorted(rows) == list_useful(plain, left, asked)
                if strategy == "optimal":
                    assert found[0]["total"] == least(plain, left, asked)


@pytest.mark.parametrize("goal", ["identify", "win"])
def test_two_trees_part_where_their_guesses_do(goal):
    for game, _ in draw_tables(8, goal):
        one, other = (treegen.build(game, rule) for rule in ("separable-pairs", "optimal"))
        found = treegen.diff(one, other, limit=None)
        assert found.totals == (one.total, other.total)
        expected, n_equal, pending = [], 0, [(0, 0)]
        while pending:
            node, twin = pending.pop()
            if one.guess[node] != other.guess[twin]:
                expected.append(history_text(one, node))
                continue
            n_equal += 1
            pending += zip(one.children(node), other.children(twin), strict=True)
        assert found.n_equal == n_equal
        assert sorted(item.history for item in found) == sorted(expected)
        for item in found:
            for tree, side in zip((one, other), (item.a, item.b), strict=True):
                part = tree.subtree(item.history)
                assert (side.total, side.worst) == (part.total, part.worst)
            [reason] = item.reasons
            assert f"so {'A' if item.a.guess == winner(one, item) else 'B'}" in reason
        assert str(found)


def winner(tree, item):
    """Return what the rule of a tree guesses where it parts from another."""
    return treegen.advice(tree.game, "separable-pairs", history=item.history, top=1)[0].guess


def test_trees_without_a_rule_are_judged_by_all_measures():
    for game, plain in draw_tables(18):
        trees = [treegen.build(game, "optimal", objective=o) for o in ("total", "worst,total")]
        for item in treegen.diff(*trees):
            tree = trees[0]
            node = tree[item.history].__index__() if item.history else 0
            left, _ = follow(plain, game, history_of(tree, node))
            codes = [number(game, game.parse_code(side.guess)) for side in (item.a, item.b)]
            for name in RULES:
                kind = int(name == "information")
                values = [measure(plain, name, code, left)[kind] for code in codes]
                written = " / ".join(f"{value:.4f}" for value in values)
                assert f"{name} {written}" in item.reasons[0]


def list_games(plain, tree):
    """Return the weight of the games of each length along a tree, by a plain recursion."""
    games, pending = {}, [(0, plain.root, 0)]
    while pending:
        node, left, spent = pending.pop()
        code = number(tree.game, int(tree.guess[node]))
        if not tree.is_leaf[node] or (tree.is_winning[node] and hasattr(plain, "n")):
            spent += plain.costs[code]
        ends = left if tree.is_leaf[node] else {}
        if hasattr(plain, "n"):
            ends = {row: weight for row, weight in left.items() if row == code}
        for weight in ends.values():
            games[spent] = games.get(spent, 0) + weight
        cells = {} if tree.is_leaf[node] else plain.ask(left, code)
        for child in tree.children(node):
            pending.append((child, cells[int(tree.response[child])], spent))
    return games


@pytest.mark.parametrize("goal", ["identify", "win"])
def test_a_comparison_has_the_figures_of_the_trees(goal):
    names = [*RULES, "optimal", "best"]
    for game, plain in draw_tables(8, goal):
        trees = [treegen.build(game, name) for name in names]
        found = treegen.compare([game, *trees], names)
        assert [sample.strategy for sample in found] == 2 * [
            tree.provenance.strategy for tree in trees
        ]
        for tree, sample in zip(2 * trees, found, strict=True):
            assert (sample.total, sample.average) == (tree.total, tree.average)
            assert (sample.worst, sample.n_worst) == (tree.worst, tree.n_worst)
            assert sample.histogram == tree.histogram
            games = list_games(plain, tree)
            lengths = range(1, tree.worst + 1)
            assert sample.histogram == [games.get(length, 0) for length in lengths]
            assert sample.to_dict()["total"] == tree.total * game.rules.share_unit
        assert str(found)


def test_simulated_games_have_the_average_of_the_tree():
    for game, _ in draw_tables(7):
        exact = treegen.build(game)
        for strategy in (None, "optimal"):
            sample = treegen.simulate(game, strategy, n=2000, seed=3)
            tree = exact if strategy is None else treegen.build(game, strategy)
            lengths = {n for n, weight in enumerate(tree.histogram, start=1) if weight}
            assert set(sample.lengths.tolist()) <= lengths
            assert abs(sample.average - tree.average) <= 2.5 * sample.ci95
            assert sample.to_dict()["total"] == sum(sample.lengths)


def test_what_cannot_be_played_is_refused_before_any_work():
    game, _ = next(draw_tables(10))
    for name in ("knuth", "adaptive"):
        with pytest.raises(treegen.TreegenError):
            treegen.simulate(game, name, n=1)
        with pytest.raises(treegen.TreegenError):
            treegen.compare(game, ["separable-pairs", name])


@pytest.mark.parametrize("goal", ["identify", "win"])
def test_the_ways_of_all_secrets_add_up_to_the_tree(goal):
    for game, plain in draw_tables(8, goal):
        tree, total = treegen.build(game), Fraction()
        for code, weight in enumerate(plain.weights):
            first = tree.play(index=code)
            ways = (first, *first.others)
            assert sum(way.share for way in ways) == 1
            shares = [way.share for way in ways]
            assert shares == sorted(shares, reverse=True)
            for way in ways:
                costs = [plain.costs[number(game, turn.code)] for turn in way]
                total += weight * way.share * sum(costs)
                left = treegen.Session(tree)
                for turn in way:
                    left.respond(turn.response, turn.code)
                assert left.is_over
                assert left.n_left == (way[-1].n_left if len(way) else tree.n_secrets)
            assert str(first)
        assert total == tree.total


def test_a_class_is_played_by_all_its_candidates():
    for game, plain in draw_tables(12):
        tree = treegen.build(game)
        for name in sorted(set(game.rules.classes) - set(game.notation.symbols)):
            members = [code for code, own in enumerate(plain.classes) if own == name]
            first = tree.play(name)
            lengths = Fraction()
            for way in (first, *first.others):
                assert set(name.split(" | ")) <= set(way.found.split(" | "))
                costs = [plain.costs[number(game, turn.code)] for turn in way]
                lengths += way.share * sum(costs)
            weights = {code: plain.weights[code] for code in members}
            weights = weights if any(weights.values()) else dict.fromkeys(members, Fraction(1))
            expected = Fraction()
            for code, weight in weights.items():
                own = tree.play(index=code)
                for way in (own, *own.others):
                    costs = [plain.costs[number(game, turn.code)] for turn in way]
                    expected += weight * way.share * sum(costs)
            assert lengths == expected / sum(weights.values())


@pytest.mark.parametrize("goal", ["identify", "win"])
@pytest.mark.parametrize("strategy", ["separable-pairs", "optimal"])
def test_given_openings_are_ranked_alone(strategy, goal):
    n_ranked = 0
    for game, _ in draw_tables(7, goal):
        rows = treegen.openings(game, strategy, top=99).list_rows()
        first = [row["guess"] for row in rows[1::2]]
        if not first:
            continue
        found = treegen.openings(game, strategy, top=99, first=first[::-1])
        for row, other in zip(rows[1::2], found, strict=True):
            assert {**row, "rank": 0} == {**other, "rank": 0}
        assert str(found).endswith("these are all given openings")
        n_ranked += len(first)
    assert n_ranked > 3


def test_a_candidate_of_several_classes_is_played_by_each_of_them():
    rows = [{"row": 1, "a": "x"}, {"row": 2, "a": "x"}, {"row": 3, "a": "y"}, {"row": 4, "a": "z"}]
    for row, name in zip(rows, "bcbc", strict=True):
        row["class"] = name
    options = {"names": "row", "classes": "class", "notice": lambda _: None}
    tree = treegen.build(treegen.open_game(rows, **options))
    ways = tree.play("b")
    assert [(way.found, way.share) for way in (ways, *ways.others)] == [
        ("b | c", Fraction(2, 3)),
        ("b", Fraction(1, 3)),
    ]
    assert tree.play("b | c").found == "b | c"


TABLE = """name,Q0,Q1,Q2
c0,a,b,a
c1,c,a,a
c2,b,?,?
c3,a,?,b
c4,?,b,?
c5,a,c,b
c6,a,b,?
cost,3,1,2
"""
HISTOGRAM, SHARES = [0, 0, Fraction(4, 3), 3, 0, Fraction(8, 3)], [0, 0, 8, 18, 0, 16]
WRITTEN = "0/0/1.3333/3/0/2.6667"
BOUND = Fraction(61, 2)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "d4.csv"
    path.write_text(TABLE)
    game = treegen.open_game(path, costs="cost", notice=lambda text: None)
    return treegen.build(game, "optimal", objective="worst,n_worst,total")


@pytest.fixture
def file(tree, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tree.write("d4.tree")
    return "d4.tree"


def test_figures_of_uncertain_trees_are_fractions_in_python(tree, file):
    for one in (tree, treegen.read(file)):
        assert (one.total, one.n_worst, one.worst) == (32, Fraction(8, 3), 6)
        assert one.histogram == HISTOGRAM
        assert one.provenance.bound == one.total
        assert all(isinstance(weight, Fraction) for weight in (one.total, *one.histogram))
        assert one.average == pytest.approx(32 / 7)
        assert "1.3333</td>" in one._repr_html_()
        assert "total 32" in one._repr_html_() and "worst 6 (weight 2.6667)" in one._repr_html_()


def test_bars_are_as_high_as_weights(tree):
    axes = tree.plot("histogram").axes[0]
    assert [bar.get_height() for bar in axes.patches] == pytest.approx([*map(float, HISTOGRAM)])
    assert {"1.3333", "2.6667"} <= {text.get_text() for text in axes.texts}
    assert axes.get_ylabel() == "weight of secrets"


def test_whole_numbers_stay_whole():
    tree = treegen.build("p2c3r")
    assert [type(figure) for figure in (tree.total, tree.n_worst, *tree.histogram)] == [int] * 6
    assert "unit" not in treegen.stats(tree).to_dict()


def test_json_has_whole_shares_and_their_unit(tree, file, capsys):
    expected = {"total": 192, "histogram": SHARES, "unit": 6}
    found = treegen.stats(tree).to_dict()
    assert found == found | expected | {"n_worst": 16, "bound": 192}
    report = treegen.verify(file, prove=True).to_dict()
    assert report == report | expected
    checked = report["checked"]
    assert checked == checked | {"total": 192, "histogram": SHARES, "bound": 192}
    assert treegen.verify(file).to_dict()["not_checked"]["bound"]["value"] == 192
    (entry,) = treegen.manifest(file).to_dict()["files"]
    assert (entry["total"], entry["unit"]) == (192, 6)
    for name, code in (("stats", 0), ("verify", 3)):
        assert run(name, file, "--json") == code
        printed = json.loads(capsys.readouterr().out)
        assert printed == printed | expected


def test_figures_of_uncertain_trees_are_printed_as_decimals(tree, file, capsys):
    assert run("verify", file) == 3
    assert "found, total 32\n" in (text := capsys.readouterr().out)
    assert "bound 32 (the file's word" in text
    assert f"histogram  {WRITTEN}\n" in show(capsys, "stats", file)
    assert run("stats", file, file, "--csv", "s.csv") == 0
    assert "32,4.571428571428571,6,2.6667,0+0+1.3333+3+0+2.6667," in Path("s.csv").read_text()
    frame = treegen.stats(tree).to_dataframe()
    assert frame["histogram"][0] == HISTOGRAM
    assert "total 32," in show(capsys, "manifest", file)


@pytest.mark.parametrize(
    "claim",
    [
        {"total": 32, "worst": 6, "n_worst": Fraction(8, 3), "histogram": HISTOGRAM},
        {"n_worst": "2.6667", "histogram": WRITTEN},
        {"n_worst": "2.67", "total": "32.0"},
        ["n_worst=2.666666667", "histogram=0/0/1.3/3/0/2.7", "average=4.5714"],
    ],
)
def test_claims_are_compared_at_the_digits_given(tree, claim):
    report = treegen.verify(tree, claim=claim)
    assert report.is_sound
    assert len(report.published) == len(claim)


@pytest.mark.parametrize(
    "claim",
    ["n_worst=2", "n_worst=3", "n_worst=2.66", "total=192", "total=32.1", "histogram=0/0/1/3/0/3"],
)
def test_wrong_claims_are_found(tree, claim):
    (published,) = treegen.verify(tree, claim=[claim]).published
    assert not published.is_true
    assert published.found in ("2.6667", "32", WRITTEN)


def test_a_false_file_is_described_by_weights(tree):
    report = treegen.verify(forge(tree, total=193))
    assert list(report.problems) == ["the file claims total 32.1667; it is 32"]


def near_optimal(tree, bound):
    """Return the tree as that of a search which proved a bound."""
    origin = replace(tree.provenance, strategy="best", rule="beam=1", objective="total")
    return replace(tree, provenance=replace(origin, bound=bound))


@pytest.mark.parametrize("bound", [Fraction(32), BOUND, Fraction(191, 6)])
def test_texts_and_graphs_give_tree_and_bound_again(tree, bound):
    whole = near_optimal(tree, bound)
    text = io.StringIO()
    treegen.write_text(whole, text)
    assert f"# histogram: {WRITTEN}\n" in text.getvalue()
    again = treegen.import_tree(io.StringIO(text.getvalue()), tree.game)
    assert (again.digest, again.provenance) == (tree.digest, whole.provenance)
    with pytest.raises(FormatError, match=r"total 32\.1; its tree has 32"):
        false = text.getvalue().replace("total: 32", "total: 32.1")
        treegen.import_tree(io.StringIO(false), tree.game)
    for write in (treegen.write_graphml, treegen.write_json):
        text = io.StringIO()
        write(tree, text)
        assert treegen.import_tree(io.StringIO(text.getvalue()), tree.game).digest == tree.digest
        false = text.getvalue().replace("0/0/8/18/0/16", "0/0/8/18/0/17")
        with pytest.raises(FormatError, match=r"histogram 0/0/1.3333/3/0/2.8333; its tree has"):
            treegen.import_tree(io.StringIO(false), tree.game)


def test_weights_of_many_shares_are_told_apart_in_a_text():
    tree = treegen.build(make_rounded_game(), "separable-pairs")
    text = io.StringIO()
    treegen.write_text(tree, text)
    assert treegen.import_tree(io.StringIO(text.getvalue()), tree.game).total == tree.total


def test_progress_and_log_of_a_search(tree):
    seen = []
    log = {}
    found = build_optimal(tree.game, watch=lambda one: seen.append(one) or False, log=log)
    assert {progress.best for progress in seen} <= {None, found.total}
    assert all(progress.bound <= found.total for progress in seen)
    assert log["total"] == found.share_total
    assert log["unit"] == 6
    json.dumps(log)
