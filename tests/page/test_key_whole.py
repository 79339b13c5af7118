"""What the page of a key says is true of its table: who is left, what is asked next, at the end.

The module that asks plays games in node; slow, plain definitions judge each step. At the end is the
page of a tree without its table.
"""

import json
import re
import shutil
import subprocess
from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random

import pytest

import treegen
from treegen.errors import UsageError
from treegen.games.base import follow
from treegen.games.rules import Goal, is_weighted
from treegen.page import html
from treegen.page.html import generate_page
from treegen.strategies.strategy import default_rule
from treegen.tree.tree import weigh_secrets

from ..paths import ROOT
from ..small_tables import draw_table, make_rounded_game
from .driving import read_tables, run_key

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")

PLAY = """
import { readFileSync } from "node:fs";
const { openKey } = await import(process.argv[1]);
const [pages, games] = JSON.parse(readFileSync(0, "utf-8"));
const keys = pages.map((tables) => tables.map((entry) => openKey(entry, tables)));
const play = ({ page, entry, truth, draws }) => {
  const key = keys[page][entry];
  const steps = [];
  let moves = [];
  for (const [way, first, second] of draws) {
    const others = key.list(moves);
    const wanted = way === "any" ? others[Math.floor(first * others.length)]?.code : undefined;
    const now = key.look(moves, wanted);
    steps.push({ ...now, moves, others, wanted });
    const before = moves[Math.floor(second * moves.length)];
    if (way === "back" && before) moves = moves.filter((move) => move !== before);
    else if (now.code === undefined) break;
    else if (way === "unknown" && now.maySkip) moves = key.take(moves, now.code, null);
    else {
      const answers = truth[now.code];
      const response = answers[Math.floor(second * answers.length)];
      const made = key.take(moves, now.code, response);
      if (!made) steps.at(-1).refused = response;
      moves = made ?? moves;
    }
  }
  return steps;
};
console.log(JSON.stringify(games.map(play)));
"""


def play(pages, games):
    """Play games of pages by the module that asks; return all that it says."""
    entries = [*map(read_tables, pages)]
    command = ["node", "--input-type=module", "-e", PLAY, ROOT / "treegen/page/assets/asking.mjs"]
    data = json.dumps([entries, games])
    result = subprocess.run(command, input=data, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


class Plain:
    """A table by its plain definition: sets of answers for each code and candidate."""

    def __init__(self, game, naive=None):
        self.game, self.naive = game, naive
        self.n, self.win = game.n_secrets, game.win
        self.names = game.rules.classes or game.notation.own_symbols[: self.n]
        self.weights = game.weights.tolist() if game.weights is not None else [1] * self.n
        self.cells = [
            [self.list_answers(code, secret) for secret in range(self.n)]
            for code in range(game.n_codes)
        ]

    def list_answers(self, code, secret):
        table = getattr(self.game, "table", None)
        if table is None or code < self.n:
            return {self.game.score(code, secret)}
        question = code - self.n
        return {*table.list_possible(question, int(table.matrix[secret, question]))}

    def follow(self, moves):
        """Return who may have given some answers, with exact weights."""
        left = {secret: Fraction(self.weights[secret]) for secret in range(self.n)}
        for code, response in moves:
            left = {
                secret: weight / len(self.cells[code][secret])
                for secret, weight in left.items()
                if response in self.cells[code][secret]
            }
        return left

    def share(self, left):
        """Return the share of each name."""
        total, shares = sum(left.values()), {}
        for secret, weight in left.items():
            part = weight / total if total else Fraction(1, len(left))
            shares[self.names[secret]] = shares.get(self.names[secret], 0) + part
        return shares

    def are_apart(self, one, other):
        asked = range(self.game.rules.first_guess, self.game.n_codes)
        return self.names[one] != self.names[other] and any(
            not self.cells[code][one] & self.cells[code][other] for code in asked
        )

    def is_over(self, left):
        if self.game.goal == Goal.WIN:
            return False
        return not any(self.are_apart(one, other) for one in left for other in left if one < other)

    def helps(self, code, left):
        answers = set().union(*(self.cells[code][secret] for secret in left))
        return any(
            any(answer not in self.cells[code][secret] for secret in left) for answer in answers
        )

    def choose(self, left, asked):
        """Return the questions that may be best by the game's usual rule."""
        if self.game.goal == Goal.WIN and len(left) == 1:
            return {*left}
        if self.game.rules.shares is not None:
            first = self.game.rules.first_guess
            best, is_open = self.naive.choose(
                default_rule(self.game), left, [code - first for code in asked]
            )
            return None if is_open else {first + best}
        values = {}
        for code in range(self.game.rules.first_guess, self.game.n_codes):
            answers = [min(self.cells[code][secret]) for secret in left]
            sizes = [answers.count(answer) for answer in {*answers}]
            if len(sizes) > 1:
                values[code] = max(sizes), code not in left or code >= self.n
        return {min(values, key=lambda code: (values[code], code))}


def draw_games(random, n_games, plains):
    """Return games against candidates of tables, and how each step of them is taken."""
    games = []
    for _ in range(n_games):
        page = random.randrange(len(plains))
        plain = plains[page]
        secret = random.randrange(plain.n)
        ways = random.choice((("next",), ("next", "next", "unknown"), ("next", "unknown", "any"),
                              ("next", "next", "unknown", "any", "back")))  # fmt: skip
        draws = [(random.choice(ways), random.random(), random.random()) for _ in range(40)]
        truth = [sorted(cells[secret]) for cells in plain.cells]
        games.append({"page": page, "entry": 0, "truth": truth, "draws": draws, "secret": secret})
    return games


def check_step(plain, step, secret):
    """Compare what is shown in one step of a game with the table."""
    moves = [(move["code"], move["response"]) for move in step["moves"]]
    assert len({code for code, _ in moves}) == len(moves)  # no question twice
    known = [(code, response) for code, response in moves if response is not None]
    unknown = [code for code, response in moves if response is None]
    left = plain.follow(known)
    assert secret in left  # the truth is never excluded
    shares = plain.share(left)
    shown = {part["name"]: part["percent"] for part in step["left"]}
    assert shown.keys() == shares.keys()
    assert all(abs(shown[name] - 100 * shares[name]) < 1e-9 for name in shares)
    assert [*shown.values()] == sorted(shown.values(), reverse=True)
    members = sorted(member for part in step["left"] for member in part["members"])
    assert members == sorted(left)
    for other in step["others"]:
        assert other["code"] not in dict(moves)
        assert other["helps"] == plain.helps(other["code"], left)
    open_codes = [
        code
        for code in range(plain.game.rules.first_guess, plain.game.n_codes)
        if code not in dict(known) and plain.helps(code, left)
    ]
    code = step.get("code")
    if code is None:
        if any(response == plain.win for _, response in known):
            assert step["heading"] == "It is" or " | " in step["text"]
            return
        is_over = plain.is_over(left)
        assert is_over or {*open_codes} <= {*unknown}
        check_end(plain, step, left, shares, is_over, {*open_codes}, unknown)
        return
    if step.get("wanted") is not None:
        assert code == step["wanted"]
        return
    assert code not in dict(moves)
    assert code in open_codes or (plain.game.goal == Goal.WIN and [code] == [*left])
    best = plain.choose(left, [code for code, _ in known])
    if best and not best & {*unknown}:
        assert code in best
    answers = {answer["response"]: answer["isPossible"] for answer in step["answers"]}
    possible = set().union(*(plain.cells[code][other] for other in left))
    assert {response for response, is_possible in answers.items() if is_possible} == possible


def check_end(plain, step, left, shares, is_over, useful, unknown):
    if len(shares) == 1:
        (name,) = shares
        assert step["text"] == name
        assert step["heading"] == ("No question tells these apart:" if " | " in name else "It is")
        return
    assert step["heading"] == "It may be"
    parts, names = step["text"].split(", "), [part["name"] for part in step["left"]]
    if len(names) > 8:
        assert parts.pop() == f"… {len(names) - 8} more"
    told = dict(re.fullmatch(r"(.*) (<?\d+) %", part).groups() for part in parts)
    assert [*told] == names[:8]
    for name, figure in told.items():
        share = 100 * shares[name]
        assert 0 < share < 0.5 if figure == "<1" else abs(int(figure) - share) < 0.51
    assert {offer["code"] for offer in step["offers"]} == useful - {*unknown}
    for offer in step["offers"]:
        leaves = {
            plain.game.format_response(response, offer["code"]): {
                plain.names[secret]
                for secret in left
                if response in plain.cells[offer["code"]][secret]
            }
            for response in range(len(plain.game.notation.list_answers(offer["code"])))
        }
        shown = {each["label"]: {*each["left"]} for each in offer["leaves"]}
        assert shown == {label: names for label, names in leaves.items() if names}
    notes = {
        "No question tells these apart.": not useful,
        "No question tells these apart for certain.": is_over,
        "You do not know the answers that would help.": useful <= {*unknown} and not is_over,
    }
    assert notes[step["note"]]


def make_tables(seeds):
    """Return games of all kinds, and what judges them."""
    plains = []
    for seed in seeds:
        goal = "win" if seed % 5 == 4 else "identify"
        game, naive = draw_table(seed, most_rows=12, goal=goal)
        if game.rules.n_questions and (goal == "win" or naive.count_separable(naive.root)):
            plains.append(Plain(game, naive))
    sizes = [3, 1, 4, 1, 5, 9, 2, 6]
    rows = [
        {"name": f"n{at}", "Size": size, "Kind": "abca"[at % 4]} for at, size in enumerate(sizes)
    ]
    games = [treegen.open_game(rows, feedback="traits"), treegen.open_game("range12")]
    return [*plains, *map(Plain, games)]


def check_games(n_games, seeds):
    plains = make_tables(seeds)
    games = draw_games(Random(0), n_games, plains)
    pages = []
    for plain in plains:
        tree = treegen.build(plain.game)
        pages.append(generate_page([tree]))
    played = play(pages, games)
    for game, steps in zip(games, played, strict=True):
        for step in steps:
            check_step(plains[game["page"]], step, game["secret"])
    return played


@pytest.mark.parametrize(
    ("n_games", "n_tables"), [(40, 10), pytest.param(1000, 120, marks=pytest.mark.slow)]
)
def test_every_step_is_that_of_the_plain_table(n_games, n_tables):
    check_games(n_games, range(n_tables))


RULES = {
    True: ("separable-pairs", "expected-left", "information", "separable-pairs/cost",
           "expected-left/cost", "information/cost", "optimal"),
    False: ("knuth", "entropy", "expected-size", "most-parts", "optimal"),
}  # fmt: skip


def make_heavy(random, seeds):
    """Yield tables whose shares pass 53 bits when multiplied, and one of rounded shares."""
    for seed in seeds:
        game, _ = draw_table(seed, most_rows=12, has_classes=True)
        if game.rules.n_questions and game.rules.shares is not None:
            weights = [random.randrange(10**10) for _ in range(game.n_secrets)]
            yield Plain(game.with_stakes(weights, game.rules.given_costs))
    yield Plain(make_rounded_game())


def check_shares(plain, step):
    """Compare shares with the library's, to the last digit also where they are rounded."""
    moves = [(move["code"], move["response"]) for move in step["moves"]]
    known = [(code, response) for code, response in moves if response is not None]
    candidates, shares = follow(plain.game, known)
    weights = weigh_secrets(plain.game, candidates, shares).tolist()
    total, counted = sum(weights), {}
    for secret, weight in zip(candidates.tolist(), weights, strict=True):
        counted[plain.names[secret]] = counted.get(plain.names[secret], 0) + (
            weight if total else 1
        )
    whole = total or len(candidates)
    shown = {part["name"]: part["percent"] for part in step["left"]}
    assert shown == {name: 100 * weight / whole for name, weight in counted.items()}


def check_beside_the_library(n_games, seeds):
    """Compare the next question with that of `treegen.play`, by all rules that the page has."""
    random = Random(1)
    plains = [*make_tables(seeds), *make_heavy(random, seeds)]
    trees = []
    for plain in plains:
        has_shares = plain.game.rules.shares is not None
        if plain.game.weights is not None and not has_shares:
            plain.game = plain.game.with_stakes(None, plain.game.costs)
        rules = RULES[has_shares]
        if has_shares and plain.game.goal == Goal.WIN:  # nothing is left of what a guess wins
            rules = ("expected-left", "expected-left/cost", "separable-pairs")
        trees.append(treegen.build(plain.game, random.choice(rules)))
    games = draw_games(random, n_games, plains)
    for game in games:
        # Who follows a search's tree in another order is led back to it, which a session is not.
        is_search = trees[game["page"]].provenance.strategy == "optimal"
        others = {"back": "next", "any": "next"} if is_search else {"back": "any"}
        game["draws"] = [(others.get(way, way), *rest) for way, *rest in game["draws"]]
    n_compared = 0
    for game, steps in zip(games, play([generate_page([t]) for t in trees], games), strict=True):
        session = treegen.play(trees[game["page"]])
        for step, after in pairwise(steps):
            check_shares(plains[game["page"]], step)
            expected = None if session.is_over else session.code
            if step.get("wanted") is None:
                assert step.get("code") == expected
                n_compared += 1
            if expected is None or len(after["moves"]) == len(step["moves"]):
                break
            move = after["moves"][-1]
            if move["response"] is not None:
                try:
                    session.respond(move["response"], move["code"])
                except UsageError:  # only what was skipped would tell more
                    assert after.get("code") is None or after.get("wanted") is not None
                    break
            elif move["code"] != session.code:
                break
            else:
                try:
                    session.skip()
                except UsageError:
                    assert after.get("code") is None or after.get("wanted") is not None
                    break
    return n_compared


@pytest.mark.parametrize(
    ("n_games", "n_tables"), [(12, 4), pytest.param(600, 120, marks=pytest.mark.slow)]
)
def test_the_next_question_is_that_of_the_library(n_games, n_tables):
    assert check_beside_the_library(n_games, range(n_tables)) > n_games


def make_birds(label=""):
    rows = [["yes", "red", "big"], ["yes", "blue", "big"], ["no", "red", "small"],
            ["no", "blue", "small"], ["no", "red", "big"]]  # fmt: skip
    names = ["robin", "jay", "wren", "tit", "kite"]
    return treegen.Questions(rows, names, ["Sings?", "Color", "Size"], label=label)


def test_trees_of_a_table_share_it_and_may_begin_in_the_middle():
    game = make_birds()
    trees = [
        treegen.build(game),
        treegen.build(make_birds(), "optimal", history="Sings?:no"),
        treegen.build(game.with_goal("win")),
    ]
    page = generate_page(trees)
    assert page == generate_page(trees)
    first, second, third = read_tables(page)
    assert second["whole"] == 0 and third["whole"].keys() == first["whole"].keys()
    code = game.parse_code("Color")
    truth = [[game.score(each, 4)] for each in range(game.n_codes)]
    draws = [("next", 0, 0)] * 3
    steps = play([page], [{"page": 0, "entry": 1, "truth": truth, "draws": draws}])[0]
    assert [part["name"] for part in steps[0]["left"]] == ["wren", "tit", "kite"]
    assert {other["text"] for other in steps[0]["others"]} == {"Color", "Size"}
    assert steps[0]["code"] == trees[1].guess[0] and code in (steps[0]["code"], steps[1]["code"])
    assert steps[-1]["heading"], steps[-1]["text"] == ("It is", "kite")


def test_a_lookup_table_takes_the_answers_of_its_game(tmp_path):
    tree, (classes, _) = treegen.build(make_birds()), draw_table(3, has_classes=True)
    tree.write(tmp_path / "birds.tgt")
    with pytest.warns(treegen.TreegenWarning, match="without its table, whose answers a .tgt"):
        treegen.write_page(tmp_path / "birds.tgt", tmp_path / "alone.html")
    assert "whole" not in read_tables((tmp_path / "alone.html").read_text())[0]
    for name, each in (("birds", tree), ("classes", treegen.build(classes))):
        each.write(tmp_path / f"{name}.tgt")
        treegen.write_page(tmp_path / f"{name}.tgt", tmp_path / f"{name}.html", game=each.game)
        treegen.write_page(each, tmp_path / "tree.html", force=True)
        pages = [(tmp_path / f"{stem}.html").read_text() for stem in (name, "tree")]
        assert read_tables(pages[0])[0]["whole"] == read_tables(pages[1])[0]["whole"]


def make_large_and_small(n_rows, n_questions):
    random = Random(0)
    rows = [[random.randrange(2) for _ in range(n_questions)] for _ in range(n_rows)]
    large = treegen.build(treegen.Questions(rows, label="large.csv"))
    return large, treegen.build(make_birds(label="birds.csv"))


def check_size(trees, most):
    """Look at the page of a table that does not fit beside another one that does."""
    with pytest.warns(treegen.TreegenWarning) as told:
        page = generate_page(trees)
    assert [str(each.message) for each in told] == [
        "the page holds the tree of large.csv without its table, with which it would have"
        f" {most // 1000} kB or more"
    ]
    alone, whole = read_tables(page)
    assert "whole" not in alone and whole["whole"]["names"].startswith("robin")
    assert len(page.encode()) < most


def test_a_table_that_is_too_large_stays_outside(monkeypatch):
    trees = make_large_and_small(150, 100)
    with monkeypatch.context() as patch, pytest.warns(treegen.TreegenWarning):
        patch.setattr(html, "MOST_BYTES", 0)
        least = len(generate_page(trees).encode())
    monkeypatch.setattr(html, "MOST_BYTES", least + 1000)
    check_size(trees, least + 1000)


@pytest.mark.slow
def test_a_page_keeps_below_256_kilobytes():
    check_size(make_large_and_small(1700, 1200), 256_000)


def test_a_table_of_forty_rows_makes_a_small_page():
    random = Random(0)
    rows = [[random.choice("abcd") for _ in range(20)] for _ in range(40)]
    names = [f"Species number {at} of the forest" for at in range(40)]
    questions = [f"How does part {at} of the plant look?" for at in range(20)]
    page = generate_page([treegen.build(treegen.Questions(rows, names, questions))])
    assert read_tables(page)[0]["whole"]
    assert len(page.encode()) < 60_000


def test_logarithms_that_are_rounded_tie():
    """One cell of 9 among single ones tells as much as six of 3: the first question is asked."""
    rows = [
        {"name": f"n{at}", "all": at, "nine": max(at - 8, 0), "three": at // 3, "class": f"c{at}"}
        for at in range(18)
    ]
    tree = treegen.build(treegen.open_game(rows, classes="class", notice=print), "information")
    game = tree.game
    truth = [[game.score(code, 0)] for code in range(game.n_codes)]
    draws = [("unknown", 0, 0), ("next", 0, 0)]
    first, second = play(
        [generate_page([tree])], [{"page": 0, "entry": 0, "truth": truth, "draws": draws}]
    )[0]
    session = treegen.play(tree)
    session.skip()
    assert (first["text"], second["text"], session.guess) == ("all", "nine", "nine")
    assert second["why"] == "Not from the tree: it tells the most."


def test_nothing_is_left_of_what_a_guess_wins():
    """By the expected number left a heavy candidate is guessed before all are told apart."""
    rows = [
        {"name": "ant", "Wings?": {"no", "yes"}, "Home": "hill"},
        {"name": "bee", "Wings?": "yes", "Home": "hive"},
        {"name": "wasp", "Wings?": {"no", "yes"}, "Home": "nest"},
    ]
    game = treegen.open_game(rows, goal="win", weights=[5, 1, 1], notice=print)
    tree = treegen.build(game, "expected-left")
    truth = [[game.win if code == 0 else 0] for code in range(3)] + [[1], [0]]
    draws = [("any", 0.7, 0), ("next", 0, 0)]
    first, second = play(
        [generate_page([tree])], [{"page": 0, "entry": 0, "truth": truth, "draws": draws}]
    )[0]
    session = treegen.play(tree)
    session.answer("yes", guess="Wings?")
    assert (first["text"], second["text"], session.guess) == ("Wings?", "Is it ant?", "ant")


PLAY_BY_WORDS = """
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
    check_last(table, end, given)
    return end["heading"]


def check_left(table, shown, given):
    found = re.fullmatch(r"Still possible: (at most )?(\d+)", shown["possible"])
    if found is None:
        assert (shown["possible"], shown["left"]) == ("", [])
        return
    possible, left = table.name(table.find_rows(given)), {*shown["left"]}
    assert len(left) == len(shown["left"]) == int(found[2])
    assert possible <= left if found[1] else possible == left


def check_last(table, shown, given):
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
    played = run_key(generate_page(trees), PLAY_BY_WORDS, games)
    return Counter(
        check_game(tables[game["table"]], steps) for game, steps in zip(games, played, strict=True)
    )


@pytest.mark.parametrize(
    ("n_games", "n_tables"), [(60, 12), pytest.param(1000, 200, marks=pytest.mark.slow)]
)
@pytest.mark.filterwarnings("ignore:the page holds the tree")
def test_no_sentence_is_false_whatever_is_not_known(n_games, n_tables, monkeypatch):
    monkeypatch.setattr(html, "MOST_BYTES", 0)
    ends = play_games(n_games, range(n_tables))
    assert ends.total() == n_games
    assert {*ends} >= {"It is", "It may be", "It is one of these:", "All others are ruled out:"}
