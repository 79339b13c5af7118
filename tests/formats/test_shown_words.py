"""What players show of a table of answers is compared with it: names, questions, answers."""

import json
from dataclasses import replace

import pytest

import treegen
from treegen.errors import FormatError
from treegen.player import Player

from ..command import run
from ..small_tables import draw_table
from ..written import change_table

TABLE = """animal,Feathers?,Legs,Lives in water?,w
sparrow,yes,2,no,1
duck,yes,2,yes,2
dog,no,4,no,3
frog,no,4,yes,1
ant,no,6,no,0
"""
RULES = {"weights": "w"}


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "animals.csv"
    path.write_text(TABLE)
    return path


def change(path, old, new):
    """Change texts of a table, or of the words beside it."""

    def replace_texts(values):
        texts = values[3]
        values[3] = [text.replace(old, new) if isinstance(text, str) else text for text in texts]

    if path.suffix == ".tgt":
        path.write_bytes(change_table(path.read_bytes(), replace_texts))
        return
    words = json.loads(path.read_text())
    texts = ["\n".join(words["names"]), "\n".join(words["questions"])]
    texts.append("\n".join(map("\t".join, words["answers"])))
    names, questions, answers = (text.replace(old, new).split("\n") for text in texts)
    rows = [row.split("\t") if row else [] for row in answers]
    path.write_text(json.dumps({"names": names, "questions": questions, "answers": rows}))


CHANGES = [
    ("sparrow\nduck", "duck\nsparrow", "candidate 1 'duck'; animals.csv calls it 'sparrow'"),
    ("Legs", "Feet", "question 2 'Feet'; animals.csv calls it 'Legs'"),
    ("2\t4\t6", "2\t6\t4", "answer 2 to 'Legs' '6'; animals.csv calls it '4'"),
]
FEWER = ("2\t4\t6", "2\t4", "other numbers of names, questions or answers than animals.csv")


@pytest.mark.parametrize(
    ("labels", "old", "new", "told"),
    [
        *(("inside", *case) for case in [*CHANGES, FEWER]),
        *(("file", old, new, rf"a\.tgt.*{told}") for old, new, told in CHANGES),
    ],
)
def test_a_table_that_shows_other_words_is_refused(csv, tmp_path, labels, old, new, told):
    tree = treegen.build(csv, **RULES)
    path = tmp_path / "a.tgt"
    treegen.write(tree, path, labels=labels)
    assert treegen.import_tree(path, csv, format="table", **RULES) == tree
    assert treegen.verify(path, game=csv, **RULES).is_sound
    change(path if labels == "inside" else tmp_path / "a.tgt.labels.json", old, new)
    for read in (
        lambda: treegen.import_tree(path, csv, format="table", **RULES),
        lambda: treegen.verify(path, game=csv, **RULES),
    ):
        with pytest.raises(FormatError, match=told):
            read()


def test_a_ready_game_is_compared_with_the_words_beside_it(tmp_path):
    path, beside = tmp_path / "r.tgt", tmp_path / "r.tgt.labels.json"
    treegen.write(treegen.build("range5"), path, labels="file")
    assert treegen.verify(path).is_sound
    beside.write_text(beside.read_text().replace("lower", "Lower"))
    with pytest.raises(FormatError, match="'Lower'; range5 calls it 'lower'"):
        treegen.verify(path)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("labels", ["inside", "file", "none"])
def test_labels_of_uncertain_answers_have_what_is_announced(seed, labels, tmp_path):
    game, _ = draw_table(seed)
    tree, path = treegen.build(game), tmp_path / "a.tgt"
    treegen.write(tree, path, labels=labels)
    beside = tmp_path / "a.tgt.labels.json"
    player = Player(path.read_bytes(), beside.read_text() if labels == "file" else "")
    node = 0
    while len(tree.children(node)):
        assert labels == "none" or player.guess == tree[node].guess
        node = tree.children(node)[-1]
        player.respond(int(tree.response[node]))
    assert labels == "none" or player.found == tree[node].guess
    assert treegen.import_tree(path, game, format="table") == tree
    assert treegen.verify(path, game=game).is_sound
    if labels == "file":
        words = json.loads(beside.read_text())
        words["names"][0] += "!"
        beside.write_text(json.dumps(words))
        with pytest.raises(FormatError, match=r"the table calls \w+ 1 '.*!'"):
            treegen.verify(path, game=game)


@pytest.mark.parametrize(
    ("goal", "told"), [("win", "candidate 1 'none'"), ("identify", "announcement 1 'none'")]
)
def test_a_name_is_called_what_it_is_there(csv, tmp_path, goal, told):
    csv.write_text(TABLE.replace("dog,no", "dog,?"))
    game, path = treegen.open_game(csv, goal=goal, notice=str), tmp_path / "a.tgt"
    tree = treegen.build(game)
    treegen.write(tree, path, labels="file")
    beside = tmp_path / "a.tgt.labels.json"
    words = json.loads(beside.read_text())
    assert words["names"][0] == ("sparrow" if goal == "win" else tree[tree.is_leaf.argmax()].guess)
    words["names"][0] = "none"
    beside.write_text(json.dumps(words))
    with pytest.raises(FormatError, match=f"the table calls {told}; animals.csv calls it"):
        treegen.verify(path, game=game)


def test_leaves_that_announce_other_candidates_are_refused(csv, tmp_path):
    tree = treegen.build(csv, **RULES)
    guess, (one, other, *_) = tree.guess.copy(), tree.is_leaf.nonzero()[0]
    guess[[one, other]] = guess[[other, one]]
    treegen.write(replace(tree, guess=guess), tmp_path / "a.tgt")
    with pytest.raises(FormatError, match="do not lead to the candidates of the table"):
        treegen.import_tree(tmp_path / "a.tgt", csv, format="table", **RULES)
    report = treegen.verify(tmp_path / "a.tgt", game=csv, **RULES)
    assert "is not found" in report.problems[0]


@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        ("verify a.tgt --game animals.csv --weights w", 0, "ok: 5 secrets found"),
        ("verify a.tree a.tgt -g animals.csv --weights w", 0, "a.tgt: ok: 5 secrets found"),
        ("verify a.tgt --game animals.csv", 2, "the table is not of animals.csv"),
        ("verify a.tree --game animals.csv", 2, "or of another goal, other weights or costs"),
        ("verify a.tgt --game p4c6r", 2, "not of p4c6r"),
        ("verify a.tgt --weights w", 2, "--weights has no effect without -g"),
        ("verify a.tgt", 2, "treegen verify FILE --game TABLE.csv checks it"),
        ("verify - --game -", 2, "only one file can be read from the standard input"),
    ],
)
def test_the_shell_verifies_a_table_with_its_answers(
    csv, tmp_path, monkeypatch, capsys, command, code, told
):
    monkeypatch.chdir(tmp_path)
    for name in ("a.tree", "a.tgt"):
        treegen.write(treegen.build(csv, **RULES), name)
    assert run(*command.split()) == code
    assert told in "".join(capsys.readouterr())
