"""Claims: each is checked, refuted, or named as the file's word, and never passed in silence."""

import io
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from treegen import (
    Codebook,
    FormatError,
    Mastermind,
    TreeError,
    TreegenWarning,
    UsageError,
    build,
    import_tree,
    open_game,
    read,
    stats,
    verify,
)
from treegen.games.codebook import set_excerpt
from treegen.games.names import label_game

from ..command import run
from ..exact.searching import build_optimal
from ..paths import ROOT
from ..written import bytes_of, change_header, text_of

KNUTH = "eligible=all; chain=max,consistent,lowest; order=lex"


@pytest.fixture(scope="module")
def knuth():
    return build("p3c4r", "knuth")


@pytest.fixture(scope="module")
def optimal():
    return build("p3c4r", "optimal")


def relabel(tree, **changes):
    return replace(tree, provenance=replace(tree.provenance, **changes))


def states_of(report):
    return {claim.name: claim.state for claim in report.claims}


def test_a_rule_tree_is_proved_whole(knuth):
    report = verify(bytes_of(knuth, "tree"))
    names = ["total", "worst", "histogram", "digest", "strategy", "rule"]
    assert states_of(report) == dict.fromkeys(names, "checked")
    assert (report.is_sound, report.is_proved) == (True, True)


def test_another_strategys_tree_under_the_rule_of_knuth_is_found():
    tree = relabel(build("p3c4r", "entropy"), strategy="knuth", rule=KNUTH)
    report = verify(tree)
    assert not report.is_sound
    assert report.problems[0].startswith("the tree is not that of its rule: the state after ")


def test_another_rule_under_a_name_is_found():
    entropy = build("p3c4r", "entropy")
    (problem,) = verify(relabel(entropy, strategy="knuth")).problems
    assert problem == (
        f"the file names the strategy knuth, whose rule is {KNUTH!r}; its own rule is"
        f" {entropy.provenance.rule!r}"
    )


def test_a_seed_belongs_to_no_name():
    assert verify(build("p3c4r", "random-consistent", seed=77)).is_proved


def test_a_bound_is_the_files_word_until_it_is_proved(knuth):
    """Knuth's tree under the label of an optimal one: the optimum is 206."""
    tree = relabel(knuth, strategy="optimal", rule="", objective="total", bound=knuth.total)
    report = verify(tree)
    assert (report.is_sound, report.is_proved) == (True, False)
    assert [(claim.name, claim.value) for claim in report.unchecked] == [
        ("strategy", "optimal"),
        ("objective", "total"),
        ("bound", 216),
    ]
    assert "--prove" in report.unchecked[-1].note
    proved = verify(tree, prove=True)
    assert states_of(proved) == dict.fromkeys(["strategy", "objective", "bound"], "wrong")
    assert "claims the bound 216; the exact search finds a tree of total 206" in " ".join(
        proved.problems
    )


@pytest.mark.parametrize("objective", ["total", "total,worst,n_worst", "worst,total"])
def test_an_optimal_tree_is_proved_by_the_search(objective):
    tree = build_optimal(open_game("p3c4r"), objective=objective, max_length=5)
    assert not verify(tree).is_proved
    report = verify(tree, prove=True)
    assert (report.problems, report.is_proved) == ((), True)


def test_a_longer_worst_case_is_no_least_one(optimal, knuth):
    claim = relabel(optimal, objective="worst,total", bound=None)
    worst = build_optimal(open_game("p3c4r"), objective="worst,total").worst
    problems = verify(claim, prove=True).problems
    assert bool(problems) == (optimal.worst > worst)
    (problem,) = verify(
        relabel(knuth, strategy="x", rule="", objective="worst,total"), prove=True
    ).problems
    assert problem.startswith("the file claims the least worst,total; its total is 216")


@pytest.mark.parametrize(
    ("name", "state"), [("optimal-worst5", "not checked"), ("barr-worst-case", "wrong")]
)
def test_a_table_of_a_capped_tree_is_not_called_wrong(name, state, monkeypatch):
    """A table tells no longest game allowed: 5,626 with 5 guesses, where 5,625 need 6."""
    tree, best = (read(ROOT / "trees" / f"p4c6r-{strategy}.tgt") for strategy in (name, "optimal"))
    monkeypatch.setattr("treegen.analysis.verification._search", lambda *_: best)
    report = verify(relabel(tree, strategy="optimal"), prove=True)
    assert states_of(report)["strategy"] == state
    if state == "not checked":
        (claim,) = report.unchecked
        assert claim.note.endswith(
            "the least total is 5625 with games of up to 6; verify the .tree"
        )


def test_a_bound_above_the_tree_itself_needs_no_search(optimal):
    (problem,) = verify(relabel(optimal, bound=optimal.total + 1)).problems
    assert problem == "the file claims the bound 207; its own tree has total 206"


def test_a_lower_bound_of_a_tree_that_is_not_called_best_is_proved(knuth):
    tree = relabel(knuth, strategy="best", rule="", objective="total", bound=200)
    assert verify(tree, prove=True).is_proved


def test_claims_that_the_search_refuses_stay_open():
    game = open_game("p2c3r").with_stakes([10**12 - 8, *[1] * 8])
    objective = "worst,n_worst,total"
    tree = relabel(build(game, "max"), strategy="optimal", rule="", objective=objective)
    report = verify(tree, prove=True)
    assert states_of(report) == dict.fromkeys(["strategy", "objective"], "not checked")
    for claim in report.unchecked:
        assert claim.note.startswith("the exact search cannot check it: the weights sum up to")


def test_nothing_is_searched_where_nothing_is_claimed(knuth, monkeypatch):
    monkeypatch.setattr("treegen.exact.run", None)
    assert verify(knuth, prove=True).is_proved


def test_a_table_is_checked_by_the_name_it_carries(knuth):
    """Tables carry no rule."""
    table = relabel(knuth, rule="")
    assert states_of(verify(table)) == {"strategy": "checked"}
    assert states_of(verify(relabel(table, strategy="entropy"))) == {"strategy": "wrong"}
    assert states_of(verify(relabel(table, strategy="max,consistent"))) == {"strategy": "checked"}
    assert states_of(verify(relabel(table, strategy="by hand"))) == {"strategy": "not checked"}
    assert states_of(verify(relabel(table, strategy="imported"))) == {}
    with pytest.raises(UsageError, match="the file states none, and 'by hand' names none"):
        verify(relabel(table, strategy="by hand"), rule=True)


def test_the_rule_of_a_large_tree_waits_until_it_is_asked_for(knuth, monkeypatch):
    monkeypatch.setattr("treegen.verifier.verify.MAX_COMPARISONS", 100)
    report = verify(knuth)
    (claim,) = report.unchecked
    assert (claim.name, claim.value) == ("rule", KNUTH)
    assert claim.note == "--rule checks it in about 0 s"
    assert verify(knuth, rule=True).is_proved
    monkeypatch.undo()
    assert not verify(knuth, rule=False).is_proved


@pytest.mark.parametrize(
    "rule",
    [
        "eligible=all; chain=max,lowest; order=lex; opening=999",
        "eligible=all; chain=power:60,lowest; order=lex",
    ],
)
def test_a_rule_that_no_tree_of_the_game_can_have_is_wrong(knuth, rule):
    (problem,) = verify(relabel(knuth, strategy="x", rule=rule)).problems
    assert problem.startswith("the rule does not fit the game: ")


def test_a_sample_checks_no_claim(knuth):
    report = verify(bytes_of(knuth, "tree"), sample=5)
    assert (report.n_secrets, report.is_sound, report.is_proved) == (5, True, False)
    assert {claim.note for claim in report.unchecked} == {"only a sample was played"}
    names = ["total", "worst", "histogram", "digest", "rule"]
    assert [claim.name for claim in report.unchecked] == names


def test_a_report_is_written_as_json():
    tree = relabel(build("p1c2r"), strategy="by hand", rule="")
    reason = "unknown strategy 'by hand': treegen strategies lists all. A chain is written"
    reason += " max,power:1,parts,consistent,lowest"
    assert verify(tree, claim={"total": 4}).to_dict() == {
        "proved": False,
        "sound": False,
        "secrets": 2,
        "total": 3,
        "histogram": [1, 1],
        "problems": [],
        "checked": {},
        "not_checked": {"strategy": {"value": "by hand", "reason": reason}},
        "published": {"total": False},
    }
    assert str(verify(tree, claim={"total": 4}).published[0]) == "published total 4: it is 3"


@pytest.mark.parametrize(
    ("objective", "name"), [("total", "max,highest"), ("worst,total", "knuth"), ("total", "knuth")]
)
def test_a_worse_tree_under_the_name_of_an_optimal_one_is_found_out(objective, name):
    optimal = build("p2c3r", "optimal", objective=objective)
    other = build("p2c3r", name)
    forged = replace(other, provenance=optimal.provenance)
    assert not verify(forged).is_sound
    assert not verify(forged, prove=True).is_proved
    bound = replace(optimal.provenance, bound=other.total)
    report = verify(replace(other, provenance=bound), prove=True)
    assert not report.is_proved
    assert report.problems


def test_games_are_no_longer_than_a_search_was_allowed():
    capped = build("p3c4r", "optimal", max_length=4)
    assert ("max-length", 4) in [(claim.name, claim.value) for claim in verify(capped).checked]
    longer = replace(build("p3c4r", "first-consistent"), provenance=capped.provenance)
    assert longer.worst > 4
    assert any("games of at most 4" in problem for problem in verify(longer).problems)


@pytest.mark.parametrize(
    ("average", "is_true"),
    [
        *(("4.4761", True), ("4.476", True), ("4.48", True), ("4.5", True), ("4", True)),
        *(("4.47", False), ("4.4762", False), ("4.4760", False), ("5", False)),
    ],
)
def test_an_average_is_compared_at_its_digits(average, is_true):
    tree = build("p4c6r")
    assert tree.histogram == [1, 6, 62, 533, 694]
    (found,) = verify(tree, claim={"average": average}, rule=False).published
    assert found.is_true is is_true
    assert is_true or str(found) == f"published average {average}: it is 4.4761"


def test_published_figures_are_values_too_and_malformed_ones_are_refused():
    tree = build("p4c6r")
    claim = {"average": 4.4761, "histogram": (1, 6, 62, 533, 694), "total": "5801", "worst": 5}
    assert verify(tree, claim=claim, rule=False).is_sound
    report = verify(tree, claim={"average": 4.47})
    assert (report.is_sound, report.is_proved, report.to_dict()["proved"]) == (False,) * 3
    for wrong in (
        {"mean": 4.5},
        {"total": 5801.5},
        {"total": None},
        {"average": 1e-9},
        [5801],
        5801,
    ):
        with pytest.raises(UsageError, match=r"the claim .*average=4\.4761, worst=5, n_worst=694"):
            verify(tree, claim=wrong)


@pytest.mark.parametrize("claim", ["total=22", ["total=22"], {"total": 22}])
def test_published_figures_may_be_written_in_several_ways(claim):
    (row,) = verify(build("p2c3r", "parts"), claim=claim).published
    assert row.is_true and row.published == "22"


# --- texts of files, whatever they are ------------------------------------------------------------

WORDS = Codebook(
    ["crane", "crate", "trace", "grace", "brace", "irate"], ["bight"], feedback="position"
)
MADE = {
    "rule": lambda: build("p2c3r", "knuth"),
    "changed": lambda: build("p2c3r", "random-consistent", first="12", order="first-fastest"),
    "chain": lambda: build("p2c3r", "max,parts"),
    "hints": lambda: build(WORDS, "entropy", eligible="hints"),
    "optimal": lambda: build("p2c3r", "optimal", max_length=5, first="11,12"),
    "by worst": lambda: build("p2c3r", "optimal", objective="worst,total"),
    "weighted": lambda: build(Mastermind(2, 2).with_stakes([1, 2, 3, 5]), "optimal"),
}
TEXTS = "strategy", "rule", "objective"
SIGNS = " .,;:|=-_xé\u2800\u3164\u034f\ufe0f\u0455\u043e\uff4f"
"""Some are not seen, some are taken for others."""
NO_NAMES = st.text(st.characters(exclude_categories=("Cs", "Ll")))
"""Not in lower case: Hypothesis draws words of the sources too, and another name may be true."""


@pytest.fixture(scope="module", params=MADE)
def tree(request):
    return MADE[request.param]()


def is_listed(report, name):
    """Return whether a claim is named as not checked, or as wrong."""
    return [claim.state for claim in report.claims if claim.name == name] in (
        ["not checked"],
        ["wrong"],
    )


def change(draw, text):
    """Return a text with another case, or with one sign more, less or another."""
    how = draw(st.sampled_from(["upper", "lower", "title", "swapcase", "add", "drop", "exchange"]))
    if hasattr(text, how):
        return getattr(text, how)()
    at = draw(st.integers(0, len(text) - (how != "add")))
    sign = "" if how == "drop" else draw(st.sampled_from(SIGNS))
    return text[:at] + sign + text[at + (how != "add") :]


@given(data=st.data())
def test_a_changed_text_is_never_counted_as_checked(tree, data):
    name = data.draw(st.sampled_from([name for name in TEXTS if getattr(tree.provenance, name)]))
    text = getattr(tree.provenance, name)
    changed = change(data.draw, text) if data.draw(st.booleans()) else data.draw(NO_NAMES)
    assume(changed not in (text, ""))
    try:
        other = relabel(tree, **{name: changed})
    except TreeError:  # what cannot be printed
        return
    for is_proved in (False, True):
        report = verify(other, prove=is_proved)
        assert not report.is_proved
        assert is_listed(report, name) or report.problems, report


def test_every_text_is_claimed(tree):
    """Also by searches, whose rules play cannot check."""
    names = [claim.name for claim in verify(tree).claims]
    stated = [name for name in TEXTS if getattr(tree.provenance, name)]
    assert [name for name in names if name in TEXTS] == stated
    assert verify(tree, prove=True).is_proved


@pytest.mark.parametrize(
    "name",
    [
        *("Optimal", "optimal (proved)", "optimal max-length=5", "Knuth", "optimal ", "by hand"),
        *("max, parts", "max,parts,lowest seed=1", "knuth eligible=all", "best", "permutation"),
        *("optimal-unproved", "optimal first=112", "codesmithy", "optimal eligible=candidates"),
    ],
)
def test_names_in_tables_that_nobody_understands(name):
    """Of a tree that is neither Knuth's nor optimal: with a search, too."""
    tree = relabel(build("p3c4r", "first-consistent"), strategy=name, rule="")
    for is_proved in (False, True):
        report = verify(tree, prove=is_proved)
        assert is_listed(report, "strategy")
        assert not report.is_proved
    assert verify(relabel(tree, strategy="imported")).is_proved  # it names none


@pytest.mark.parametrize("name", ["changed", "chain", "hints"])
def test_a_table_is_checked_by_the_name_with_all_that_changes_it(name):
    table = read(bytes_of(MADE[name](), "table", all_words=True))
    assert table.provenance.rule == ""
    assert "strategy" in [claim.name for claim in verify(table).checked]
    assert verify(table).is_proved


def test_a_rule_or_a_name_that_contradicts_the_other_is_not_checked():
    tree = MADE["optimal"]()
    for changes in (
        {"strategy": "optimal"},
        {"strategy": "optimal first=11"},
        {"strategy": "optimal-unproved first=11|12"},
        {"objective": "worst,total"},
        {"rule": tree.provenance.rule.replace("; max-length=5", "")},
    ):
        report = verify(relabel(tree, **changes))
        assert not report.is_proved
    reports = [
        verify(relabel(tree, strategy="best", rule="first guess 11; beam=8"), prove=True),
        verify(relabel(tree, strategy="knuth"), prove=True),
    ]
    assert [[claim.name for claim in report.unchecked] for report in reports] == [
        ["rule"],
        ["strategy"],
    ]


@pytest.mark.parametrize("rule", ["eligible=all; objective=total", "max,consistent,lowest"])
def test_no_rule_of_a_near_optimal_search_is_checked(rule):
    """Also one that another strategy would have, of a tree that is the best."""
    for name in ("optimal", "knuth"):
        tree = relabel(build("p2c3r", name), strategy="best", rule=rule, objective="", bound=None)
        for options in ({}, {"rule": False}, {"prove": True}):
            assert is_listed(verify(tree, **options), "rule")


def test_stats_say_what_is_claimed_and_of_what():
    tree = MADE["optimal"]()
    told = "claimed    optimal by total with games of at most 5, the first guess 11 or 12\n"
    assert told in str(stats(tree))
    assert "claimed    not optimal, as far as is proved\n" in str(
        stats(relabel(tree, strategy="best", bound=1))
    )
    assert "claimed" not in str(stats(MADE["rule"]()))


def test_a_rule_alone_says_what_was_searched_for():
    """A graph has no objective and no bound."""
    for name, total in (("optimal", 206), ("first-consistent", 250)):
        tree = build("p3c4r", name)
        rule = "eligible=all; objective=total"
        tree = relabel(tree, strategy="optimal", rule=rule, objective="", bound=None)
        assert [claim.name for claim in verify(tree).unchecked] == ["strategy", "rule"]
        assert verify(tree, prove=True).is_proved is (total == 206)


def test_a_part_of_a_capped_tree_is_not_judged_by_the_cap():
    part = build("p3c4r", "optimal", max_length=4).subtree("10")
    report = verify(part, prove=True)
    assert (report.problems, [claim.name for claim in report.unchecked]) == (
        (),
        ["strategy", "rule"],
    )
    assert verify(build("p3c4r", "optimal").subtree("10"), prove=True).is_proved


def test_what_the_search_cannot_search_stays_open():
    tree = relabel(build("p3c4r"), rule="", objective="total", strategy="optimal eligible=hints")
    assert not verify(tree, prove=True).is_proved
    huge = relabel(build("p3c4r"), bound=1, rule="eligible=all; objective=total; first=9999")
    assert "rule" in [claim.name for claim in verify(huge, prove=True).unchecked]


@pytest.fixture(scope="module")
def excerpt():
    words = ["bat", "cat", "hat", "mat", "rat", "sat", "fat", "pat"]
    others = [a + b + c for a in "bchmrsf" for b in "xyz" for c in "bchmrs"]
    tree = build(Codebook(words, others, feedback="position"), "first-consistent")
    few = read(bytes_of(tree, "table"))  # the words that the tree guesses
    return relabel(few, strategy="optimal", rule="", objective="total", bound=36)


def test_an_excerpt_is_not_the_list(excerpt, tmp_path, capsys):
    """One word a guess is optimal where no other word may be guessed."""
    excerpt.write(tmp_path / "x.tree")
    report = verify(tmp_path / "x.tree", prove=True)
    assert [claim.name for claim in report.unchecked] == [
        *("digest", "strategy", "objective", "bound", "excerpt")
    ]
    rules = excerpt.game.rules
    of = f"8 of the {rules.excerpt.n_codes} words of the list {rules.rules_name}"
    assert all(of in claim.note for claim in report.unchecked)
    assert run("verify", str(tmp_path / "x.tree"), "--prove") == 3
    assert "not checked: digest, strategy, objective total" in capsys.readouterr().out


def test_a_made_up_excerpt_does_not_pass(excerpt, tmp_path):
    tree = build(WORDS)
    numbers = tuple(range(WORDS.n_secrets + 3, WORDS.n_codes + 3))
    WORDS_OF_MORE = Codebook(WORDS.rules.words[:6], WORDS.rules.words[6:], feedback="position")
    made_up = {"rules_name": f"codebook:{'0' * 64}", "n_codes": 10, "numbers": numbers}
    set_excerpt(WORDS_OF_MORE, replace(excerpt.game.rules.excerpt, **made_up))
    replace(tree, game=WORDS_OF_MORE).write(tmp_path / "x.tree")
    report = verify(tmp_path / "x.tree")
    assert {"digest", "rule", "excerpt"} <= {claim.name for claim in report.unchecked}


def test_an_entry_that_nobody_knows_is_refused():
    tree = build("p2c3r")
    for name, value, reason in [
        ("title", "the optimal tree", "the provenance has the entry 'title'"),
        ("excerpt", ["codebook:" + "0" * 64, 99], "no list of words that it may be an excerpt of"),
    ]:
        data = change_header(
            bytes_of(tree, "tree"),
            lambda header, more={name: value}: {
                **header,
                "provenance": header["provenance"] | more,
            },
        )
        with pytest.raises(FormatError, match=reason):
            read(data)
    text = text_of(tree, "text", style="indented")
    text = text.replace("# total", "# title: the optimal tree\n# total")
    with pytest.warns(TreegenWarning, match="the header's 'title' is unknown and left out"):
        assert import_tree(io.StringIO(text)) == tree


@pytest.mark.parametrize(
    ("label", "is_claim"),
    [
        *((text, False) for text in ("words.txt", "approved.txt", "bestiary.txt", "5757 words")),
        *((text, False) for text in ("optimists.txt", "waterproof.txt", "слова.txt", "l1il.txt")),
        *((text, True) for text in ("optimal.txt", "proved-optimal.txt", "optimum 3421.txt")),
        *((text, True) for text in ("the best", "MOST_PARTS.txt", "knuths.txt", "op-ti-mal")),
        ("\u043eptim\u0430l.txt", True),  # Cyrillic
        ("\u039fPTIMAL", True),  # Greek
        ("\uff4f\uff50\uff54\uff49\uff4d\uff41\uff4c.txt", True),  # full-width
        ("o\u0301ptimal o\u3164ptimal", True),  # a mark, a letter that is not seen
        ("\U0001d428ptimal 0ptima1", True),
    ],
)
def test_a_title_that_names_a_strategy(label, is_claim):
    game = label_game(Codebook(["ab", "ba", "bb"]), label)
    report = verify(build(game, "max"))
    assert ["title"] * is_claim == [claim.name for claim in report.unchecked]


@pytest.mark.parametrize(
    ("line", "changed", "reason"),
    [
        ("bound: 206", "bound: 207", "line 6, column 10: the file claims the bound 207; its own"),
        ("bound: 206", "bound: 205", "calls its tree optimal"),
        ("eligible=all", "eligible=e=e=all", "line 4, column 9: unknown eligible 'e=e=all'"),
        ("eligible=all", "eligible=hints", "needs green and yellow letters"),
        ("max-length=4", "max-length=3", "games of at most 3; its tree has one of 4"),
        ("objective: total", "objective: Total", "line 5, column 14: unknown objective 'Total'"),
    ],
)
def test_an_import_refuses_what_contradicts_its_tree(line, changed, reason):
    text = text_of(build("p3c4r", "optimal", max_length=4), "text", style="indented")
    assert verify(import_tree(io.StringIO(text)), prove=True).is_proved
    assert line in text
    with pytest.raises(FormatError, match=reason):
        import_tree(io.StringIO(text.replace(line, changed)))
