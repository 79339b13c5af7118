"""The page of tables of answers: it asks, and answers are buttons.

Answers are given in any order, changed, taken back, as one number, copied. Its script runs in node,
on elements that are no browser's.
"""

import io
import re

import pytest

import treegen
from treegen.errors import FormatError, UsageError
from treegen.games.questions import Questions
from treegen.page.html import generate_page

from ..command import run
from .driving import read_tables, run_key

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


def test_the_page_asks_until_one_is_left():
    questions = ["Feathers?", "Legs", "Home"]
    page = generate_page([treegen.build(Questions(ROWS, NAMES, questions), "entropy")])
    assert press(page, "yes", "<b>") == ["Feathers?", "Home", "duck", 0, "Home"]
    game = Questions(ROWS, NAMES, questions, goal="win")
    page = generate_page([treegen.build(game, "knuth")])
    assert press(page, "no", "no") == ["Feathers?", "Is it dog?", "Is it frog?", 2, "Is it dog?"]
    assert press(page, "no", "right") == ["Feathers?", "Is it dog?", "dog", 0, "Is it dog?"]


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
    assert run(*words, "--force") == 0
    assert "whose answers a .tgt lacks: -g TABLE.csv gives them" in capsys.readouterr().err
    treegen.write_page(pets, io.BytesIO(), game=game)
    treegen.write_page(pets, noted := io.BytesIO(), game=table, notes="seen")
    assert read_tables(noted.getvalue().decode())[0]["notes"]["dog"] == [["seen", "x"]]
    with pytest.raises(FormatError, match="not of coins3"):
        treegen.write_page(pets, io.BytesIO(), game="coins3")


def test_tables_of_answers_are_not_mixed_with_other_games():
    trees = [treegen.build(Questions(ROWS, NAMES), "entropy"), treegen.build("p2c2r")]
    with pytest.raises(UsageError, match="have a page of their own"):
        generate_page(trees)


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
    data = read_tables(generate_page(trees))
    by_costs = f"{trees[2].average:.2f} on average, {trees[2].worst} at most"
    assert [entry.get("stakes") for entry in data] == [
        None,
        f"By their weights: {trees[1].average:.2f} on average, {trees[1].worst} at most.",
        f"By their weights and costs: {by_costs}, costs in lowest terms.",
    ]


def test_what_nobody_gave_is_not_called_weights_or_shares():
    table = io.StringIO(
        "id,tone,team\n1,hot,desk\n2,hot,vendor\n3,cold,desk\n4,cold,desk\n5,cold,desk\n"
    )
    page = generate_page([treegen.build(treegen.open_game(table, classes="team", notice=print))])
    (entry,) = read_tables(page)
    assert entry["stakes"] == "By their frequencies: 1.00 on average, 1 at most."
    # Where one candidate of two classes is left, none is likelier.
    assert press(page, "hot") == ["tone", "desk | vendor", 0, "tone"]


WADERS = """\
bird,Bill (mm),Wing (cm),Legs
curlew,100-150,27-32,grey
whimbrel,75-95,23-27,grey
bar-tailed godwit,72-110,20-23,dark
greenshank,51-61,18-20,green
redshank,37-47,15-17,red
knot,30-36,16-18,green
dunlin,26-38,11-13,dark
sanderling,22-28,11-13,dark
"""

# Each act does something on the page: ["answer", "dark"], ["measure", "31"], …; what the page then
# shows is returned.
ACT = """
const list = (id) => elements[id].children;
const acts = {
  answer: (label) => list("answers").find((each) => each.textContent === label).click(),
  measure: (text) => {
    elements.number.value = text;
    elements.measure.onsubmit({ preventDefault() {} });
  },
  skip: () => elements.skip.click(),
  undo: () => elements.undo.click(),
  change: (at) => list("answered")[at].children[2].children[0].click(),
  "take back": (at) => list("answered")[at].children[2].children[1].click(),
  open: () => {
    elements.all.open = true;
    elements.all.ontoggle();
  },
  search: (text) => {
    elements.search.value = text;
    elements.search.oninput();
  },
  ask: (text) =>
    list("questions").find((each) => each.textContent.startsWith(text)).children[0].click(),
  "ask on": (at) => list("offers")[at].children[0].click(),
  copy: () => elements.copy.click(),
  tree: (at) => elements.tree.onchange({ target: { selectedIndex: at } }),
};
document.title = "Which one is it?";
const look = () => ({
  heading: elements.count.textContent,
  question: elements.question.textContent,
  problem: elements.problem.textContent,
  isMeasured: !elements.measure.hidden,
  answers: list("answers").map((each) => each.textContent),
  answered: list("answered").map(({ children: [asked, answer] }) =>
    [asked.textContent, answer.textContent]),
  left: elements.remaining.hidden ? [] : list("left").map((each) => each.textContent),
  questions: (elements.questions?.children ?? []).map((each) => each.textContent),
  offers: elements.offered.hidden ? [] : list("offers").map((each) => each.textContent),
  text: elements.text.value,
  figures: elements.figures.textContent,
});
const shown = [];
for (const [act, value] of given) {
  acts[act](value);
  await null;
  shown.push(look());
}
console.log(JSON.stringify(shown));
"""


def act(trees, *acts):
    """Do things on the page of some trees; return what it shows after each."""
    page = generate_page(trees if isinstance(trees, list) else [trees])
    return run_key(page, ACT, [[each, None] if isinstance(each, str) else each for each in acts])


@pytest.fixture(scope="module")
def waders():
    game = treegen.open_game(io.StringIO(WADERS), thresholds="all")
    return treegen.build(game, "optimal")


def test_one_number_answers_all_questions_about_its_column(waders):
    shown = act(
        waders, ["answer", "dark"], ["measure", "about 30"], ["measure", "3100"],
        ["measure", "25,5 mm"], "copy", ["change", 1], ["measure", "97"], ["take back", 0], "undo",
    )  # fmt: skip
    asked, odd, far, end, copied, again, both, back, start = shown
    assert (asked["question"], asked["isMeasured"], asked["answers"]) == ("Bill (mm)", True, [])
    assert odd["problem"] == (
        "“about 30” is not a number: type one such as 2.4 or 2,4, or choose “I don’t know”."
    )
    assert far["problem"].startswith("3100 is far from the numbers that this key compares, which")
    assert far["answered"] == odd["answered"] == [["Legs", "dark"]]
    # Only the nearest thresholds count: all that dunlins straddle would halve its share each.
    assert (end["heading"], end["question"]) == ("It may be", "sanderling 67 %, dunlin 33 %")
    assert end["answered"] == [["Legs", "dark"], ["Bill (mm)", "25,5 mm"]]
    assert copied["text"] == (
        "Which one is it?\nLegs: dark\nBill (mm): 25,5 mm\nIt may be sanderling 67 %, dunlin 33 %\n"
        "No question tells these apart."
    )
    assert (again["heading"], again["question"]) == ("Question 2", "Bill (mm)")
    assert (both["heading"], both["question"]) == ("It is", "bar-tailed godwit")
    assert (back["answered"], back["heading"]) == ([["Bill (mm)", "97"]], "Question 2")
    assert start["answered"] == []


def test_a_number_that_is_far_is_taken_when_it_is_given_again(waders):
    shown = act(waders, ["answer", "grey"], ["measure", "3100"], ["measure", "3100"])
    assert [step["question"] for step in shown] == ["Bill (mm)", "Bill (mm)", "curlew"]


def test_a_range_and_an_unknown_number_exclude_nobody_who_may_be_meant(waders):
    shown = act(
        waders, ["answer", "dark"], ["measure", "26-27.5"], "undo", "skip", "open", ["ask", "Wing"],
        ["measure", "−5"], ["measure", "19"],
    )  # fmt: skip
    assert shown[1]["question"] == "sanderling 67 %, dunlin 33 %"
    assert shown[3]["answered"][1] == ["Bill (mm)", "not known"]
    assert shown[6]["problem"].startswith("−5 is far from the numbers")
    assert (shown[7]["heading"], shown[7]["question"]) == ("It is", "bar-tailed godwit")


@pytest.mark.filterwarnings("ignore:the page holds the tree")
def test_a_number_follows_the_tree_where_the_table_is_not_in_the_page(waders, monkeypatch):
    monkeypatch.setattr("treegen.page.html.MOST_BYTES", 0)
    shown = act(waders, ["answer", "dark"], ["measure", "31"], "undo", "skip")
    assert "holds the tree, not the whole table" in shown[0]["figures"]
    assert (shown[0]["question"], shown[0]["isMeasured"]) == ("Bill (mm)", True)
    assert (shown[1]["heading"], shown[1]["question"]) == (
        "It may be",
        "dunlin 50 %, sanderling 50 %",
    )
    assert shown[3]["answered"] == [["Legs", "dark"], ["Bill (mm)", "not known"]]


TICKETS = """\
ticket,Prints?,Lights?,Noise?,Paper in tray?,team
toner,no,yes,no,yes,desk
paper jam 10,no,yes,yes,yes,desk
paper jam 2,no,yes,yes,yes,desk
empty tray,no,yes,no,no,user
fuser,no,yes,yes/no,yes/no,vendor
power,no,no,no,?,facilities
drum,yes,yes,yes,yes,vendor
driver,no,yes,no,yes/no,desk
"""


@pytest.fixture(scope="module")
def tickets():
    game = treegen.open_game(io.StringIO(TICKETS), sets="/", classes="team", notice=print)
    return treegen.build(game)


def test_any_question_is_answered_first_changed_and_taken_back(tickets):
    shown = act(
        tickets, "open", ["search", "tray"], ["ask", "Paper"], ["answer", "yes"],
        ["search", "nothing"], ["search", ""], ["change", 0], ["answer", "no"], ["take back", 0],
    )  # fmt: skip
    assert len(shown[0]["questions"]) == 4
    assert shown[1]["questions"] == ["Paper in tray?leaves 4 to 6"]
    assert (shown[2]["question"], shown[2]["answers"]) == ("Paper in tray?", ["no", "yes"])
    assert shown[3]["answered"] == [["Paper in tray?", "yes"]]
    assert shown[3]["heading"] == "Question 2"
    assert shown[4]["questions"] == ["No question has these words."]
    assert "Paper in tray?yes" in shown[5]["questions"]
    assert (shown[6]["heading"], shown[6]["question"]) == ("Question 1", "Paper in tray?")
    assert shown[7]["answered"] == [["Paper in tray?", "no"]]
    assert (shown[8]["answered"], shown[8]["heading"]) == ([], "Question 1")


def test_who_is_left_is_ranked_with_the_candidates_of_a_class(tickets):
    (shown,) = act(tickets, ["answer", "no"])
    shares = [int(line.split(" %")[0][-2:]) for line in shown["left"]]
    assert shares == sorted(shares, reverse=True)
    assert abs(sum(shares) - 100) <= len(shares)
    assert shown["left"][0].startswith("desk: driver, toner")


def test_a_changed_answer_takes_back_what_no_longer_agrees(tickets):
    shown = act(
        tickets, "open", ["ask", "Lights"], ["answer", "no"], ["ask", "Noise"], ["answer", "no"],
        ["change", 1], ["answer", "yes"],
    )  # fmt: skip
    assert shown[4]["answered"] == [["Lights?", "no"], ["Noise?", "no"]]
    assert shown[6]["answered"] == [["Noise?", "yes"]]
    assert shown[6]["problem"] == "Taken back, as no candidate answers both so: Lights? no."


def test_a_page_asks_on_where_a_question_may_still_help(tickets):
    (*_, end, asked, last) = act(
        tickets, ["answer", "yes"], ["answer", "no"], ["ask on", 0], ["answer", "no"]
    )
    assert end["offers"] == ["Paper in tray?no: vendor; yes: desk, vendor"]
    assert (end["heading"], end["question"]) == ("It may be", "desk 80 %, vendor 20 %")
    assert asked["question"] == "Paper in tray?"
    assert (last["heading"], last["question"]) == ("It is", "vendor")


def test_answers_come_in_natural_order():
    rows = [[f"Country {n}"] for n in (10, 2, 1)]
    tree = treegen.build(treegen.Questions(rows, names=["a", "b", "c"], questions=["Where?"]))
    (shown,) = act(tree, "open")
    assert shown["answers"] == ["Country 1", "Country 2", "Country 10"]


def test_what_is_copied_of_traits_is_in_words():
    rows = [{"name": f"n{at}", "Size": at, "Kind": "abc"[at % 3]} for at in range(4)]
    tree = treegen.build(treegen.open_game(rows, feedback="traits"), "optimal", first="n1")
    shown = act(tree, ["answer", "Size ▼Kind ≠"], "copy")
    assert shown[1]["text"].startswith("Which one is it?\nn1: Size lower, Kind different\n")


def test_names_that_objects_have_are_names():
    names = ["constructor", "__proto__", "toString"]
    tree = treegen.build(treegen.Questions([["1"], ["2"], ["3"]], names=names, questions=["n"]))
    shown = act(tree, ["answer", "2"], "copy")
    assert shown[1]["text"].endswith("n: 2\nIt is __proto__")
