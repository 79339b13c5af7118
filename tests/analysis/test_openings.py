"""First guesses, the best first, by rules and by the exact search; `treegen openings`."""

import csv

import pytest

from treegen import UsageError, build, compare, open_game, openings

from ..command import refuse, run, show, show_json
from ..exact.searching import build_optimal
from ..pseudo_words import make_word_game, make_words
from ..small_games import write_history

WORDS = make_word_game(30, 120)


def count_trees(game, name, codes):
    """Return (total, code) of the tree that begins with each opening, the best first."""
    return sorted((build(game, name, first=game.format_code(code)).total, code) for code in codes)


@pytest.mark.parametrize("name", ["knuth", "entropy"])
def test_a_rules_totals_are_those_of_its_trees(name):
    found = openings(WORDS, name, top=7, all=True).ranking
    useful = [code for code in range(120) if len({*WORDS.respond([code], range(30))}) > 1]
    expected = count_trees(WORDS, name, useful)
    assert [(row.total, row.code) for row in found.rows] == expected[:7]
    assert (found.proved, found.n_openings, found.n_open) == (True, len(useful), 0)


def test_of_many_openings_the_most_promising_are_played():
    found = openings(WORDS, "entropy", top=3).ranking
    whole = openings(WORDS, "entropy", top=3, all=True).ranking
    assert not found.proved
    assert found.n_open == found.n_openings - 50
    assert {row.code for row in found.rows} & {row.code for row in whole.rows}


def test_it_agrees_with_compare():
    rows = sorted(openings("p4c6r", "entropy").list_rows(), key=lambda row: row["guess"])
    samples = compare("p4c6r", "entropy", openings=True).samples
    assert [sample.total for sample in samples] == [row["total"] for row in rows]
    assert [sample.histogram for sample in samples] == [row["histogram"] for row in rows]
    assert [row["guess"] for row in rows] == ["1111", "1112", "1122", "1123", "1234"]


@pytest.mark.parametrize("eligible", ["hints", "consistent", "candidates"])
def test_eligible_guesses_alone_are_ranked(eligible):
    found = openings(WORDS, "entropy", eligible=eligible, top=4, all=True)
    assert found.strategy == f"entropy eligible={eligible}"
    for row in found.ranking.rows:
        first = WORDS.format_code(row.code)
        tree = build(WORDS, "entropy", first=first, eligible=eligible)
        assert (tree.total, tree.histogram) == (row.total, list(row.histogram))


def test_a_limit_that_no_opening_keeps_leaves_no_rows():
    found = openings(open_game("p3c3r"), "optimal", max_length=2)
    assert not found.list_rows()
    assert str(found).endswith("none of the 3 openings has a tree that is short enough (proved)")


def test_the_next_guess_is_ranked_after_a_history():
    history = ((31, WORDS.score(31, 4)),)
    written = write_history(WORDS, history)
    for name in ("entropy", "optimal"):
        found = openings(WORDS, name, history=written, top=1)
        assert found.to_dict()["history"].startswith(WORDS.rules.words[31])
    tree = build_optimal(WORDS, history=history)
    assert found.ranking.rows[0].total == tree.total


def test_options_that_do_not_fit_are_refused():
    with pytest.raises(UsageError, match="by optimal or by a rule, not by best"):
        openings(WORDS, "best")
    with pytest.raises(UsageError, match="chooses at random"):
        openings(WORDS, "random-consistent")
    with pytest.raises(UsageError, match="works only with optimal"):
        openings(WORDS, "knuth", max_length=4)
    with pytest.raises(UsageError, match="looked at anyway"):
        openings(WORDS, "optimal", all=True)


def test_an_ended_ranking_goes_on(tmp_path, monkeypatch):
    calls = []

    def end(_):
        calls.append(1)
        return len(calls) > 9

    monkeypatch.setattr("treegen.analysis.openings.make_watch", lambda _: end)
    begun = openings(WORDS, "knuth", all=True, resume=tmp_path / "kept")
    monkeypatch.undo()
    assert not begun.ranking.proved
    whole = openings(WORDS, "knuth", all=True, resume=tmp_path / "kept")
    assert whole == openings(WORDS, "knuth", all=True)


@pytest.mark.parametrize("strategy", ["knuth", "optimal"])
def test_a_game_that_is_over_after_its_history_says_so(strategy):
    game = open_game("p2c2r").with_goal("identify").with_stakes([1, 2, 3, 9])
    past = [("11", "00")]
    found = openings(game, strategy, history=past)
    (row,) = found.list_rows()
    assert (row["guess"], row["total"], row["worst"], row["n_worst"]) == ("22", 0, 0, 9)
    said = "the game is over: 22 is the only candidate, and no guess is needed"
    assert str(found).splitlines()[-1] == said
    won = openings(game.with_goal("win"), strategy, history=past)
    assert str(won).splitlines()[-1] == "these are all openings"


def test_given_openings_of_a_game_are_ranked_without_symmetry(capsys, tmp_path):
    found = show_json(capsys, "openings", "p3c4r", "--first", "244,123", "-s", "optimal")
    assert [(row["guess"], row["total"]) for row in found["rows"]] == [("244", 206), ("123", 208)]
    proof = tmp_path / "x.proof"
    words = ["openings", "p3c4r", "-s", "optimal", "--first"]
    assert run(*words, "112", "--certificate", proof) == 2
    assert "leave out --first\ntreegen: 'x'" in refuse(capsys, *words, "112,x")
    assert not proof.exists()
    game = open_game("p3c4r").with_symbols("abcd")
    for strategy in ("optimal", "knuth"):
        assert [row["guess"] for row in openings(game, strategy, first="bdd")] == ["bdd"]
    names = [row["guess"] for row in openings(open_game("p3c4r"), "knuth", first=["244", "111"])]
    assert names == ["244", "111"]


@pytest.fixture(autouse=True)
def listed(tmp_path, monkeypatch):
    words = make_words(60)
    (tmp_path / "words.txt").write_text("\n".join(words[:25]))
    (tmp_path / "all.txt").write_text("\n".join(words))
    monkeypatch.chdir(tmp_path)
    return tmp_path


FILES = ["words.txt", "--guesses", "all.txt", "--feedback", "position"]


def test_a_table_says_what_is_proved(capsys):
    assert run("openings", *FILES, "-s", "optimal", "--top", "3") == 0
    title, head, *rows, rest = capsys.readouterr().out.splitlines()
    assert title == "words.txt, 25 words of 5 letters; optimal: eligible=all; objective=total"
    assert head.split()[:4] == ["rank", "guess", "total", "average"]
    assert len(rows) == 3
    assert rest.startswith("none of the other 57 openings is better than the last")
    assert run("openings", "p3c4r", "-s", "optimal") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "these are all openings"


def test_json_and_csv_hold_the_same(listed, capsys):
    found = show_json(capsys, "openings", *FILES, "-s", "entropy", "--all", "--csv", "o.csv")
    assert (found["proved"], found["openings"], len(found["rows"])) == (True, 60, 20)
    with (listed / "o.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["guess"], int(row["total"])) for row in rows] == [
        (row["guess"], row["total"]) for row in found["rows"]
    ]
    assert rows[0]["histogram"] == "+".join(map(str, found["rows"][0]["histogram"]))


def test_a_time_limit_prints_what_there_is(capsys):
    assert run("openings", *FILES, "-s", "optimal", "--time-limit", "1e-9") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "no opening is done"


@pytest.mark.parametrize("eligible", ["all", "hints"])
def test_a_ranking_of_openings_is_resumed(listed, capsys, eligible):
    hard = ["--eligible", eligible]
    args = ["openings", *FILES, *hard, "-s", "optimal", "--resume", "kept"]
    assert run(*args, "--top", "2") == 0
    assert (listed / "kept" / "openings.part").exists()
    capsys.readouterr()
    again = show(capsys, *args, "--top", "9")
    assert f"eligible={eligible}" in again
    assert show(capsys, "openings", *FILES, *hard, "-s", "optimal", "--top", "9") == again
    assert run("openings", *FILES, "-s", "knuth", "--resume", "kept") == 2
    assert "belongs to another build" in capsys.readouterr().err
