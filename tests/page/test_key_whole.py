"""The page of a key that holds its whole table: who is left, what is asked next, what is said.

The module that asks plays games in node; slow, plain definitions judge each step.
"""

import json
import re
import shutil
import subprocess
from fractions import Fraction
from random import Random

import pytest

import treegen
from treegen.games.rules import Goal
from treegen.page.html import generate_page
from treegen.strategies.strategy import default_rule

from ..paths import ROOT
from ..small_tables import draw_table

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
    entries = [json.loads(re.search(r'id="tables">(.*?)</script>', page)[1]) for page in pages]
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
        assert code in best or step["isTrees"]
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
    told = dict(re.fullmatch(r"(.*) (<?\d+) %", part).groups() for part in step["text"].split(", "))
    assert told.keys() == shares.keys()
    for name, figure in told.items():
        share = 100 * shares[name]
        assert 0 < share < 0.5 if figure == "<1" else abs(int(figure) - share) < 0.51
    assert {offer["code"] for offer in step["offers"]} == useful - {*unknown}
    notes = {
        "No question tells these apart.": not useful,
        "No question tells these apart for certain.": is_over,
        "You do not know the answers that would tell more.": useful <= {*unknown} and not is_over,
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
            step["isTrees"] = False
            check_step(plains[game["page"]], step, game["secret"])
    return played


@pytest.mark.parametrize(
    ("n_games", "n_tables"), [(60, 12), pytest.param(1000, 120, marks=pytest.mark.slow)]
)
def test_every_step_is_that_of_the_plain_table(n_games, n_tables):
    check_games(n_games, range(n_tables))
