"""The page of tables of answers: it asks, and answers are buttons."""

import io
import json
import re
import shutil

import pytest

import treegen
from treegen.errors import FormatError, UsageError
from treegen.games.questions import Questions
from treegen.page.html import KEY, generate_page

from ..command import run
from ..paths import ROOT
from .driving import run_key

ROWS = [["no", 4, "land"], ["no", 4, "<b>"], ["yes", 2, "land"], ["yes", 2, "<b>"]]
NAMES = ["dog", "frog", "sparrow", "duck"]

PRESS = """
const said = [];
for (const label of given) {
  said.push(elements.question.textContent);
  elements.answers.children.find((button) => button.textContent === label).onclick();
}
said.push(elements.question.textContent, elements.answers.children.length);
elements.undo.onclick();
said.push(elements.question.textContent);
console.log(JSON.stringify(said));
"""


def press(page, *labels):
    """Press the buttons of some answers on a page; return what it asks."""
    return run_key(page, PRESS, labels)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_page_asks_until_one_is_left():
    questions = ["Feathers?", "Legs", "Home"]
    page = generate_page([treegen.build(Questions(ROWS, NAMES, questions), "entropy")])
    assert press(page, "yes", "<b>") == ["Feathers?", "Home", "duck", 0, "Home"]
    game = Questions(ROWS, NAMES, questions, goal="win")
    page = generate_page([treegen.build(game, "knuth")])
    assert press(page, "no", "no") == ["Feathers?", "Is it dog?", "Is it frog?", 2, "Is it dog?"]
    assert press(page, "no", "right") == ["Feathers?", "Is it dog?", "dog", 0, "Is it dog?"]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_page_of_a_range_asks_too():
    page = generate_page([treegen.build("range5", "optimal")])
    said = press(page, "higher", "lower", "right")
    assert said == ["Is it 2?", "Is it 4?", "Is it 3?", "3", 0, "Is it 3?"]


def test_the_page_is_small_and_loads_nothing():
    page = generate_page([treegen.build(Questions(ROWS, NAMES), "entropy")])
    assert len(page) < 44_000
    assert not re.search(r"https?://|<link rel=\"stylesheet|import ", page)


def test_a_page_takes_the_game_of_its_trees(tmp_path, capsys):
    """A lookup table does not hold its answers; another game is refused in a line."""
    table, pets = tmp_path / "pets.csv", tmp_path / "pets.tgt"
    rows = ([name, *row, "x"] for name, row in zip(NAMES, ROWS, strict=True))
    head = "pet,Feathers?,Legs,Home,seen\n"
    table.write_text(head + "".join(",".join(map(str, row)) + "\n" for row in rows))
    game = treegen.open_game(table, ignore="seen", notice=print)
    treegen.build(game).write(pets)
    words = ("export", "html", pets, "-q", "-o", tmp_path / "pets.html")
    assert run(*words, "--game", table, "--ignore", "seen") == 0
    capsys.readouterr()
    assert run(*words, "--force", "-g", "coins3") == 2
    assert re.fullmatch(
        "treegen: .*pets.tgt.* the table is not of coins3, .*\n", capsys.readouterr().err
    )
    assert run(*words, "--force", "--ignore", "seen") == 2
    assert "--ignore has no effect without -g" in capsys.readouterr().err
    treegen.write_page(pets, io.BytesIO(), game=game)
    with pytest.raises(FormatError, match="not of coins3"):
        treegen.write_page(pets, io.BytesIO(), game="coins3")


def test_tables_of_answers_are_not_mixed_with_other_games():
    trees = [treegen.build(Questions(ROWS, NAMES), "entropy"), treegen.build("p2c2r")]
    with pytest.raises(UsageError, match="have a page of their own"):
        generate_page(trees)


def test_the_shared_scope_has_no_name_twice():
    text = "".join((ROOT / "treegen" / name).read_text() for name in KEY.modules)
    names = re.findall(r"^(?:export )?(?:const|class|function) (\w+)", text, re.MULTILINE)
    assert len(names) == len(set(names))


def test_weights_and_costs_are_told(tmp_path):
    """Beside the questions that are counted: what the tree needs by what was given."""
    game = Questions(ROWS, NAMES)
    trees = [
        treegen.build(game.with_stakes(weights, costs), "optimal")
        for weights, costs in (
            (None, None),
            ([9, 1, 1, 1], None),
            ([9, 1, 1, 1], [0, 0, 0, 0, 2, 6, 4]),
        )
    ]
    data = json.loads(re.search(r'id="tables">(.*?)</script>', generate_page(trees))[1])
    by_costs = f"{trees[2].average:.2f} on average, {trees[2].worst} at most"
    assert [entry.get("stakes") for entry in data] == [
        None,
        f"By their weights: {trees[1].average:.2f} on average, {trees[1].worst} at most.",
        f"By their weights and costs: {by_costs}, costs in lowest terms.",
    ]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_what_nobody_gave_is_not_called_weights_or_shares():
    table = io.StringIO(
        "id,tone,team\n1,hot,desk\n2,hot,vendor\n3,cold,desk\n4,cold,desk\n5,cold,desk\n"
    )
    page = generate_page([treegen.build(treegen.open_game(table, classes="team", notice=print))])
    (entry,) = json.loads(re.search(r'id="tables">(.*?)</script>', page)[1])
    assert entry["stakes"] == "By their frequencies: 1.00 on average, 1 at most."
    # Where one candidate of two classes is left, none is likelier.
    assert press(page, "hot") == ["tone", "desk | vendor", 0, "tone"]
