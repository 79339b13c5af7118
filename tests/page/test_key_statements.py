"""What the page of a tree without its table says is true of the table, also after *I don't know*.

Its script plays games in node; each sentence is then compared with the plain definition.
"""

import re
import shutil
from collections import Counter
from itertools import combinations
from random import Random

import pytest

import treegen
from treegen.games.rules import is_weighted
from treegen.page import html
from treegen.page.html import generate_page

from ..small_tables import draw_table
from .driving import run_key

PLAY = """
const text = (id) => document.getElementById(id).textContent;
const list = (id) => elements[id].children;
const look = () => ({
  figures: text("figures"), heading: text("count"), question: text("question"), note: text("note"),
  possible: elements.remaining.hidden ? "" : text("possible"),
  left: list("left").map((line) => line.textContent),
  grey: list("answers").filter((each) => each.className === "none").map((each) => each.textContent),
});
const play = (answers) => {
  const steps = [];
  for (let isStuck = false; list("answers").length && !isStuck && steps.length < 40; ) {
    const step = look();
    const answer = answers[step.question] ?? null;
    steps.push({ ...step, answer });
    if (answer === null) elements.skip.onclick();
    else list("answers").find((each) => each.textContent === answer).onclick();
    steps.at(-1).problem = text("problem");
    if (!text("problem")) continue;
    isStuck = elements.skip.hidden;
    if (isStuck) continue;
    steps.push({ ...look(), answer: null, problem: "" });
    elements.skip.onclick();
  }
  return [...steps, { ...look(), isEnd: !list("answers").length }];
};
const games = given.map(({ table, answers }) => {
  elements.tree.onchange({ target: { selectedIndex: table } });
  return play(answers);
});
console.log(JSON.stringify(games));
"""


class Table:
    """A table by its plain definition: what its rows may answer, in words; what is to be found."""

    def __init__(self, game, plain):
        table, self.weights = game.table, plain.weights
        guesses = {f"Is it {name}?": {"no"} for name in table.names}
        self.cells = [
            {
                question: {labels[answer] for answer in cell}
                for question, labels, cell in zip(
                    table.questions, table.answers, cells, strict=True
                )
            }
            | guesses
            | {f"Is it {name}?": {"right"}}
            for name, cells in zip(table.names, plain.cells, strict=True)
        ]
        self.texts = table.classes or table.names
        split = game.rules.division is not None
        self.names = [{*text.split(" | ")} if split else {text} for text in self.texts]

    def find_rows(self, given):
        """Return the rows that may give all of some answers."""
        return [
            row
            for row, cells in enumerate(self.cells)
            if all(answer in cells[question] for question, answer in given.items())
        ]

    def name(self, rows):
        return set().union(*(self.names[row] for row in rows))

    def share(self, rows, given):
        """Return what each text has in percent, by weights divided among possible answers."""
        weights = {row: self.weights[row] for row in rows}
        if not any(weights.values()):
            weights = dict.fromkeys(rows, 1)
        elif given:
            for row, question in ((row, question) for row in rows for question in given):
                weights[row] /= len(self.cells[row][question])
        shares = Counter()
        for row, weight in weights.items():
            shares[self.texts[row]] += 100 * weight / sum(weights.values())
        return shares

    def draw_answers(self, random, *, is_true):
        """Return answers of a row, or any, a fifth or more of them not known."""
        row, unknown = random.choice(self.cells), random.choice((0, 0.2, 0.5))
        labels = {q: set().union(*(cells[q] for cells in self.cells)) for q in row}
        return {
            question: None
            if random.random() < unknown and not question.startswith("Is it ")
            else random.choice(sorted(row[question] if is_true else labels[question]))
            for question in row
        }


def check_game(table, steps):
    """Compare every sentence of a game with the table; return the last heading."""
    given, asked = {}, []
    most = int(re.search(r"at most (\d+) are asked", steps[0]["figures"])[1])
    *turns, end = steps
    for turn in turns:
        question, answer = turn["question"], turn["answer"]
        assert re.fullmatch(r"Question \d+", turn["heading"])
        assert turn["note"] == ""
        check_left(table, turn, given)
        assert not [a for a in turn["grey"] if table.find_rows(given | {question: a})]
        if turn["problem"]:
            assert turn["problem"] == "No candidate answers so. Change an answer."
            assert not table.find_rows(given | {question: answer})
            continue
        assert question not in asked
        asked.append(question)
        given |= {} if answer is None else {question: answer}
    assert len(given) < len(asked) or len(asked) <= most
    if not end["isEnd"]:
        return "stuck"
    check_left(table, end, given)
    check_end(table, end, given)
    return end["heading"]


def check_left(table, shown, given):
    found = re.fullmatch(r"Still possible: (at most )?(\d+)", shown["possible"])
    if found is None:
        assert (shown["possible"], shown["left"]) == ("", [])
        return
    possible, left = table.name(table.find_rows(given)), {*shown["left"]}
    assert len(left) == len(shown["left"]) == int(found[2])
    assert possible <= left if found[1] else possible == left


def check_end(table, shown, given):
    rows = table.find_rows(given)
    heading, told = shown["heading"], {*shown["question"].split(" | ")}
    possible = {part for name in table.name(rows) for part in name.split(" | ")}
    assert bool(shown["note"]) == (heading == "All others are ruled out:")
    if heading == "It may be":
        shares = table.share(rows, given)
        parts = dict(
            re.fullmatch(r"(.*) (\d+) %", part).groups() for part in shown["question"].split(", ")
        )
        assert parts.keys() == shares.keys()
        assert all(abs(int(parts[text]) - shares[text]) < 0.51 for text in shares)
    elif heading == "All others are ruled out:":
        assert possible <= told
        note = r"The key has not compared all your answers with (.*)\."
        which = re.fullmatch(note, shown["note"])[1]
        compared = set() if which == "these" else told - {*which.split(" | ")}
        assert compared <= possible
    elif heading == "No question tells these apart:":
        pairs = combinations([table.cells[row] for row in rows], 2)
        assert len(rows) == 1 or all(one[q] & other[q] for one, other in pairs for q in one)
        assert possible == told or given.get(f"Is it {shown['question']}?") == "right"
    else:
        assert heading == ("It is" if len(told) == 1 else "It is one of these:")
        # A guess that was right needs no table.
        assert possible == told or given.get(f"Is it {shown['question']}?") == "right"


def play_games(n_games, seeds):
    """Play games of tables drawn at random; return how often each heading ended one."""
    random, tables, trees = Random(0), [], []
    for seed in seeds:
        game, plain = draw_table(seed, most_rows=24)
        is_certain = game.rules.shares is None
        if game.rules.n_questions and (is_certain or plain.count_separable(plain.root)):
            if seed % 3 == 0 and is_certain and not is_weighted(game.rules):
                game = game.with_goal("win")
            tables.append(Table(game, plain))
            trees.append(treegen.build(game))
    games = [
        {"table": at, "answers": tables[at].draw_answers(random, is_true=number % 5 > 0)}
        for number, at in enumerate(random.randrange(len(tables)) for _ in range(n_games))
    ]
    played = run_key(generate_page(trees), PLAY, games)
    return Counter(
        check_game(tables[game["table"]], steps) for game, steps in zip(games, played, strict=True)
    )


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize(
    ("n_games", "n_tables"), [(60, 12), pytest.param(1000, 200, marks=pytest.mark.slow)]
)
@pytest.mark.filterwarnings("ignore:the page holds the tree")
def test_no_sentence_is_false_whatever_is_not_known(n_games, n_tables, monkeypatch):
    monkeypatch.setattr(html, "MOST_BYTES", 0)
    ends = play_games(n_games, range(n_tables))
    assert ends.total() == n_games
    assert {*ends} >= {"It is", "It may be", "It is one of these:", "All others are ruled out:"}
