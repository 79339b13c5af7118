"""Names with signs that mean something elsewhere: in rules, histories, paths, files."""

import io
import json
import unicodedata

import pytest

from treegen import (
    Codebook,
    FormatError,
    GameError,
    Questions,
    UnreachableError,
    UsageError,
    build,
    explain,
    import_tree,
    open_game,
    read,
    verify,
)
from treegen.games.histories import format_history

from .command import give_input, run, show
from .written import bytes_of, text_of


def make_pairs(label):
    """Return a game whose first two candidates no question tells apart, and what asks for them."""
    rows = [["a", "x"], ["a", "x"], ["b", "y"], ["f", "z"], ["h", "z"]]
    return Questions(rows, names=list("cdefg"), questions=[f"q{label}", "r"], goal="win")


@pytest.mark.parametrize("label", ["", "a|b?", "; r", "; eligible=hints", " first=r", "["])
@pytest.mark.parametrize("strategy", ["optimal", "best", "knuth"])
def test_trees_that_begin_with_such_a_guess_are_verified_and_explained(label, strategy):
    game = make_pairs(label)
    for first in (["c | d"], [f"q{label}"], ["c | d", f"q{label}"]):
        tree = read(bytes_of(build(game, strategy, first=first), "tree"))
        report = verify(tree, prove=strategy == "optimal")
        assert report.problems == ()
        assert "eligible" not in [claim.name for claim in report.claims]
        assert report.is_proved or strategy != "optimal"
        if strategy == "knuth":
            assert not report.unchecked
            assert explain(tree).guess in first


PETALS = "name,Petals,Sepals\na,1/2,x\na2,1/2,y\nb,1,1\nc,1,2\nd,2,1\n"
CARS = "name,Size (m/s): fast?,Color\na,1/2,red\nb,3/4,red/blue\nc,1/2,blue\n"
HOMES = 'name,"Home, or nest?",Legs\na,x,1\nb,y,1\nc,y,2\n'
NERDLE = "9*8-7=65\n8*9-7=65\n72/9+1=9\n12/3+4=8\n48/6-2=6\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    files = {"petals.csv": PETALS, "cars.csv": CARS, "homes.csv": HOMES}
    for name, text in (files | {"nerdle.txt": NERDLE}).items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_path_is_read_by_the_answers_that_are_known(folder):
    game = open_game("petals.csv")
    tree = build(game, "knuth", first="Petals")
    assert tree.guess_after("1/2") == tree.guess_after(["1/2"]) == "Sepals"
    assert tree.subtree("1/2").n_secrets == 2
    assert tree.guess_after(["1", "2"]) == tree.guess_after('["1", "2"]') == "c"
    assert tree.guess_after("1/2/y") == "a2"
    assert tree.guess_after([("Petals", "1/2")]) == "Sepals"
    assert tree.guess_after('[["Petals", "1"], ["Sepals", "2"]]') == "c"
    assert explain(tree, path="1/2").guess == "Sepals"
    for node in tree:
        assert tree[node.history] == node
    with pytest.raises(GameError, match="'3' is not an answer; there are 1, 1/2, 2"):
        tree.guess_after("3/1")


def test_a_path_that_can_be_read_in_two_ways_is_refused_with_both():
    table = Questions(
        [["x", "a", "1"], ["x", "a/b", "1"], ["x/a", "b", "1"], ["x/a", "c", "1"], ["x", "d", "1"]],
        questions=["one", "two", "three"],
    )
    tree = build(table, "knuth", first="one")
    with pytest.raises(UsageError, match="may mean") as caught:
        tree.guess_after("x/a/b")
    assert '["x", "a/b"]' in str(caught.value) and '["x/a", "b"]' in str(caught.value)
    assert tree.guess_after('["x", "a/b"]') != tree.guess_after('["x/a", "b"]')


@pytest.mark.parametrize(
    ("source", "history", "pairs"),
    [
        ("nerdle.txt", "12/3+4=8:01200121", [("12/3+4=8", "01200121")]),
        (
            "cars.csv",
            "Size (m/s): fast?:1/2/Color:red",
            [("Size (m/s): fast?", "1/2"), ("Color", "red")],
        ),
        ("cars.csv", "Color:red/blue", [("Color", "red/blue")]),
        ("petals.csv", "Petals:1/Sepals:2", [("Petals", "1"), ("Sepals", "2")]),
    ],
)
def test_histories_are_read_by_the_names_that_are_known(folder, source, history, pairs):
    game = open_game(source, **({"feedback": "position"} if source == "nerdle.txt" else {}))
    trees = [
        build(game, "knuth", history=form)
        for form in (history, pairs, json.dumps(pairs), [list(pair) for pair in pairs])
    ]
    assert len({tree.digest for tree in trees}) == 1
    assert format_history(game.notation, trees[0].provenance.history) == history
    assert [tuple(pair) for pair in trees[0].provenance.history] == [
        (game.parse_code(guess), game.parse_response(reply, game.parse_code(guess)))
        for guess, reply in pairs
    ]


def test_histories_that_can_be_read_in_two_ways_are_refused_with_both():
    rows = [["b:c", "x"], ["d", "y"], ["d", "x"]]
    rows = [[*row, reply] for row, reply in zip(rows, "ccb", strict=True)]
    game = Questions(rows, questions=["a", "z", "a:b"])
    with pytest.raises(UsageError, match="may mean") as caught:
        build(game, history="a:b:c")
    for clear in ('[["a", "b:c"]]', '[["a:b", "c"]]'):
        assert clear in str(caught.value)
        assert build(game, history=clear).n_secrets
    history = ((game.parse_code("a"), game.parse_response("b:c", game.parse_code("a"))),)
    assert format_history(game.notation, history) == '[["a", "b:c"]]'
    assert build(game, history='[["a", "b:c"]]').provenance.history == history


@pytest.mark.parametrize(
    ("history", "message"),
    [
        ("Color", "'Color' in the history is not a pair"),
        ("Color:red/Colr:red", "'Colr' is not a question"),
        ("Color:red/Color:green", "'green' is not an answer; there are blue, red, red/blue"),
        ('["Color"]', "a list of pairs of texts"),
    ],
)
def test_what_is_no_history_is_said(folder, history, message):
    with pytest.raises((GameError, UsageError), match=message):
        build("cars.csv", history=history)


def test_first_guesses_are_read_by_the_names_that_are_known(folder):
    tree = build("homes.csv", "optimal", first="Home, or nest?")
    for first in ('["Home, or nest?"]', ["Home, or nest?"]):
        assert build("homes.csv", "optimal", first=first).provenance == tree.provenance
    both = build("homes.csv", "optimal", first="Home, or nest?,Legs")
    assert both.provenance.strategy == "optimal first=Home, or nest?|Legs"
    rows = [["1", "1", "2"], ["1", "2", "1"], ["2", "1", "1"]]
    game = Questions(rows, questions=["a", "b", "a,b"])
    assert build(game, "optimal", first="a,b").guess_after() == "a,b"
    assert build(game, "optimal", first=["a", "b"]).guess_after() == "a"
    game = Questions(rows, questions=["a", "a,b", "b"])
    with pytest.raises(UsageError, match="may mean"):
        build(game, "optimal", first="a,b,b,a,b")


def test_typed_answers_and_histories_of_a_session(folder, monkeypatch, capsys):
    give_input(monkeypatch, "12/3+4=8:01200121\nq\n")
    assert "guess 2" in show(capsys, "play", "nerdle.txt", "--feedback", "position", "-s", "knuth")
    assert run("play", "nerdle.txt", "--feedback", "position", "--secret", "12/3+4=8") == 0


def test_a_word_that_begins_like_an_answer_is_a_word():
    tree = build(Codebook(["11/", "/11", "1/1", "//1"]), "knuth", first="11/")
    for node in tree.children(0):
        answer = tree.game.format_response(int(tree.response[node]))
        assert tree[f"11/:{answer}"].number == node
    with pytest.raises(UnreachableError, match="step 1"):
        tree.guess_after("11/1:2")


def test_graphs_made_by_hand_have_the_answers_of_their_questions(folder):
    game = open_game("petals.csv")
    tree = build(game, "knuth", first="Petals")
    value = json.loads(text_of(tree, "json"))
    for node in value["nodes"]:
        del node["code"]
    for edge in value["edges"]:
        del edge["response"]
    read_back = import_tree(io.StringIO(json.dumps(value)), game, format="json")
    assert read_back.digest == tree.digest
    value["edges"][0]["feedback"] = "3"
    with pytest.raises(FormatError, match="'3' is not an answer; there are 1, 1/2, 2"):
        import_tree(io.StringIO(json.dumps(value)), game, format="json")


def test_an_answer_that_is_a_command_too_is_the_answer(tmp_path, monkeypatch, capsys):
    (tmp_path / "keys.csv").write_text("name,Key\na,q\nb,u\nc,c\nd,quit\n")
    monkeypatch.chdir(tmp_path)
    for answer, found in (("q", "a"), ("u", "b"), ("c", "c"), ("quit", "d")):
        give_input(monkeypatch, f"{answer}\n")
        assert f"found {found} in 1" in show(capsys, "play", "keys.csv", "-s", "knuth")


def test_texts_are_read_in_any_form():
    rows = [["é", "x"], ["à", "x"], ["à", "y"]]
    table = Questions(rows, names=["Taupe géante", "né", "b"], questions=["Où?", "Été"])
    book = Codebook(["été", "tée", "ttt", "eét"])
    for game, styles in (
        (table, ["key", "indented", "booklet"]),
        (book, ["indented", "booklet", "lines", "irving"]),
    ):
        tree = build(game, "knuth")
        for style in styles:
            stream = io.BytesIO()
            tree.write(stream, "text", style=style)
            text = unicodedata.normalize("NFD", stream.getvalue().decode())
            assert import_tree(io.StringIO(text), game, format="text").digest == tree.digest
