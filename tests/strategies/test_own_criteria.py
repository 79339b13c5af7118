"""Criteria as functions in Python: they choose as kernels do, and their names prove nothing."""

import io
from fractions import Fraction

import pytest

import treegen
from treegen import Codebook, Questions, StrategyError, UsageError, build, make_chain, verify

WORDS = ["crane", "crate", "trace", "grace", "brace", "irate", "react", "cater"]


def squares(sizes):
    return sum(size * size for size in sizes)


def parts(sizes):
    return -len(sizes)


def spread(sizes):
    return max(sizes) - min(sizes)


def share(sizes):
    """The largest cell's share, as a fraction: on one state the same order as max."""
    return Fraction(max(sizes), sum(sizes))


GAMES = {
    "p3c3r": {},
    "p3c4n": {"eligible": "candidates"},
    "p2c4r": {"goal": "identify"},
    "p4c3rb": {"history": "1122:2"},
    "range9": {},
    "words": {"eligible": "hints"},
    "questions": {},
    "costs": {},
}


def open_game(name):
    if name == "words":
        return Codebook(WORDS, ["speed", "bight"], feedback="position")
    if name == "questions":
        rows = [["a", "x", "1"], ["b", "x", "2"], ["b", "y", "1"], ["b", "y", "2"], ["a", "y", "2"]]
        return Questions(rows)
    if name == "costs":
        return treegen.open_game("p2c3r").with_stakes(costs=[3, 1, 2, 1, 5, 1, 1, 2, 1])
    return treegen.open_game(name)


@pytest.mark.parametrize(
    ("name", "tie_break"),
    [
        *((name, "lowest") for name in GAMES),
        *(("p3c3r", end) for end in ("highest", "highest-consistent", "random")),
        ("words", "random"),
        ("costs", "highest"),
    ],
)
def test_functions_choose_as_the_criteria_that_they_repeat(name, tie_break):
    options = GAMES[name]
    game = open_game(name)
    for own, named in (
        ([max], "max"),
        ([squares, "consistent"], "expected,consistent"),
        (["consistent", share, parts], "consistent,max,parts"),
        (["next-largest", parts], "next-largest,parts"),
    ):
        rule = make_chain(*own, tie_break)
        tree = build(game, rule, **options)
        expected = build(game, make_chain(*named.split(","), tie_break), **options)
        assert tree == expected
        assert [row.guess for row in list_ranked(tree, rule)] == [
            row.guess for row in list_ranked(expected, make_chain(*named.split(","), tie_break))
        ]


def list_ranked(tree, rule):
    return treegen.explain(tree, strategy=rule, top=5).top


def test_a_function_alone_is_a_strategy_wherever_one_is_given():
    tree = build("p2c4r", spread)
    assert tree.provenance.strategy == "own:spread,lowest"
    assert tree.provenance.rule == "eligible=all; chain=own:spread,lowest; order=lex"
    assert treegen.play("p2c4r", spread).tree == tree
    assert treegen.advice("p2c4r", spread, top=0).guesses == ()
    best = treegen.advice("p2c4r", spread, top=1).guesses[0].guess
    assert best == tree.root.guess
    why = treegen.explain(tree, strategy=spread)
    assert (why.chosen, why.stages[0].criterion) == (tree.root.guess, "own:spread")
    assert why.stages[0].best == str(
        spread([tree[child].n_candidates for child in tree.root.children])
    )
    totals = {row["guess"]: row["total"] for row in treegen.openings("p2c4r", spread).list_rows()}
    assert totals[tree.root.guess] == tree.total
    several = build("p2c4r", spread, first=["11", "12"])
    assert several.root.guess == "12"
    assert build("p2c4r", lambda sizes: 0).provenance.strategy == "own:lambda,lowest"


def test_a_rule_that_cannot_be_read_is_not_called_checked(tmp_path):
    tree = build("p3c3r", max)
    for path in (tmp_path / "own.tree", tmp_path / "own.tgt"):
        tree.write(path)
        report = verify(treegen.read(path))
        assert report.is_sound
        assert not report.is_proved
        names = ["strategy", "rule"] if path.suffix == ".tree" else ["strategy"]
        assert [claim.name for claim in report.unchecked if "in Python" in claim.note] == names
        with pytest.raises(UsageError, match="there is no rule to check"):
            verify(path, rule=True)
    with pytest.raises(StrategyError, match="'own:max' is a function in Python"):
        treegen.explain(tree)
    assert treegen.explain(tree, strategy=max).verdict[0].startswith("lowest: ")
    assert not treegen.diff(tree, build("p3c3r", "knuth")).is_equal
    text = io.StringIO()
    tree.write(text, "text")
    assert treegen.import_tree(io.StringIO(text.getvalue())) == tree


def test_what_a_function_cannot(tmp_path):
    with pytest.raises(StrategyError, match="'own:max' is a function in Python"):
        build("p2c3r", max, resume=tmp_path / "parts")
    with pytest.raises(StrategyError, match="own:max counts candidates"):
        build(treegen.open_game("p2c2r").with_stakes([1, 2, 3, 4]), max)
    for wrong in (lambda sizes: "few", lambda sizes: None, lambda sizes: float("nan")):
        with pytest.raises(StrategyError, match=r"own:lambda gives .* a number is needed"):
            build("p2c3r", wrong)
    with pytest.raises(ZeroDivisionError):
        build("p2c3r", lambda sizes: 1 / 0)
    with pytest.raises(UsageError, match="own:max,lowest is compared by its tree"):
        treegen.compare("p2c3r", [max])
    with pytest.raises(UsageError, match="a name or a chain is simulated"):
        treegen.simulate("p2c3r", max)


def test_none_is_the_games_default():
    assert build("p2c3r", None).provenance.strategy == "knuth"


@pytest.mark.parametrize("wrong", [5, ["knuth"], dict, b"knuth"])
def test_what_is_no_strategy_is_refused(wrong):
    with pytest.raises(StrategyError, match="is not a strategy: give a name, a chain"):
        build("p2c3r", wrong)


def test_chains_that_are_none_are_refused():
    with pytest.raises(StrategyError, match="5 is not a criterion"):
        make_chain("max", 5)
    with pytest.raises(StrategyError, match="'lowest' in 'lowest,…' must come last"):
        make_chain("lowest", max)
    with pytest.raises(StrategyError, match="'own:max' is a function in Python"):
        make_chain("own:max")
    assert make_chain("max", "consistent") == make_chain("max", "consistent", "lowest")
