"""The page that plays in the browser: the file, and its logic run by node."""

import json
import random
import re
from base64 import b64decode, b64encode
from collections import Counter
from functools import cache
from itertools import product

import pytest

import treegen
from treegen import build, write_page
from treegen.analysis.explain import explain_node
from treegen.builder.grow import build_tree
from treegen.errors import UsageError
from treegen.formats.table import make_table, read_table
from treegen.games.codebook import make_word_game
from treegen.games.eligible import select_eligible
from treegen.games.names import parse_game
from treegen.page import html
from treegen.page.html import (
    ENGINE,
    KEY,
    PAGE,
    QR,
    WORD_GAMES,
    bundle,
    digest_of,
    generate_page,
    short_path,
)
from treegen.strategies.named import parse_strategy
from treegen.strategies.strategy import change_strategy, parse_chain
from treegen.tree.walk import cut_at, path_of

from ..exact.searching import build_optimal
from ..paths import ROOT
from ..small_games import history_of, iter_preorder, list_candidates
from .driving import read_tables

PACKAGE = ROOT / "treegen"
WORDS = ["crane", "crate", "trace", "slate", "stale", "least", "table", "cable", "geese", "eerie"]


CROATIAN = ["polje", "konji", "ljubi", "njega", "vonja", "zelje", "jela", "lako"]
SPELLED = {"letters": make_word_game(CROATIAN, letters="lj,nj", rule="position")}
SPELLED["letters, pins"] = make_word_game(SPELLED["letters"].rules.letters).with_goal("identify")


@cache
def make(name):
    if name not in ("words", *SPELLED):
        return build(name, "knuth")
    game = SPELLED.get(name) or make_word_game(WORDS[:8], WORDS[8:], rule="position")
    return build_tree(game, parse_strategy("entropy", game))


GAMES = [
    *("p2c3r", "p3c4r", "p3c5n", "p3c3rb", "p1c1r", "p2c12r", "p1c40r", "a211", "words"),
    *SPELLED,
]


@pytest.mark.parametrize("name", GAMES)
def test_codes_scores_and_answers_are_those_of_the_game(ask, name):
    tree = make(name)
    game = tree.game
    assert ask(tree, "codes") == [game.format_code(code) for code in range(game.n_codes)]
    everything = range(game.n_secrets)
    assert ask(tree, "scores") == [[game.score(g, s) for s in everything] for g in everything]
    written = [game.format_response(reply) for reply in range(game.n_responses)]
    assert ask(tree, "responses") == written
    assert ask(tree, "round") == list(range(game.n_responses))


def list_states(tree):
    """Return the path, guess, candidates of each state, and whether it may win."""
    return [
        [
            ".".join(map(str, path_of(tree, node))),
            int(tree.guess[node]),
            int(tree.n_candidates[node]),
            bool(tree.is_winning[node]),
        ]
        for node in iter_preorder(tree)
    ]


@pytest.mark.parametrize("name", GAMES)
def test_the_page_walks_every_state_of_the_tree(ask, name):
    tree = make(name)
    assert ask(tree, "states") == list_states(tree)
    assert ask(tree, "meta") == [tree.provenance.strategy, tree.total, tree.worst]


def make_identify():
    return build(parse_game("p3c5n").with_goal("identify"), "knuth")


def play_at_random(game, rng, most):
    """Return a history of random guesses after which at most so many candidates are left."""
    secret = rng.randrange(game.n_secrets)
    history, left = [], list(range(game.n_secrets))
    while len(left) > most:
        guess = rng.randrange(game.n_codes)
        reply = game.score(guess, secret)
        history.append((guess, reply))
        left = [code for code in left if game.score(guess, code) == reply]
    return history, left


@pytest.mark.parametrize("name", ["p4c6r", "p3c5n", "p3c3rb", "words"])
def test_values_are_proved_where_few_candidates_are_left(ask, name):
    """20 random positions of p4c6r, 10 of others: the page's search against Python's."""
    tree = make(name)
    game = tree.game
    rng = random.Random(name)
    played = [play_at_random(game, rng, 20) for _ in range(20 if name == "p4c6r" else 10)]
    histories = [history for history, _ in played]
    for (history, left), advice in zip(
        played, ask(tree, "advise", histories=histories, many=3), strict=True
    ):
        if game.win in [reply for _, reply in history]:
            continue
        best = advice["list"][0]
        assert advice["n"] == len(left)
        assert best["kind"] == "exact"
        assert best["total"] == build_optimal(game, history=tuple(history)).total


@pytest.mark.slow
def test_reviews_of_200_positions_are_those_of_python(ask):
    """Random positions of p4c6r and a random guess in each: what it and the best one need."""
    tree = make("p4c6r")
    game = tree.game
    rng = random.Random(200)
    histories, wanted = [], []
    while len(histories) < 200:
        history, left = play_at_random(game, rng, 20)
        if game.win in [reply for _, reply in history] or len(left) < 2:
            continue
        guess, secret = rng.randrange(game.n_codes), rng.choice(left)
        histories.append([*history, (guess, game.score(guess, secret))])
        wanted.append((evaluate(game, history, left), evaluate_guess(game, history, left, guess)))
    for (best, yours), move in zip(wanted, ask(tree, "judge", histories=histories), strict=True):
        assert move["kind"] == "exact"
        assert (move["best"] * move["n"], move["expected"] * move["n"]) == pytest.approx(
            (best, yours)
        )
        assert move["cost"] * move["n"] == pytest.approx(yours - best)


def evaluate(game, history, left):
    """Return the least total of a position's games."""
    return 2 * len(left) - 1 if len(left) < 3 else build_optimal(game, history=tuple(history)).total


def evaluate_guess(game, history, left, guess):
    """Return the least total where a guess is made."""
    total = len(left)
    for reply in {game.score(guess, code) for code in left} - {game.win}:
        cell = [code for code in left if game.score(guess, code) == reply]
        total += evaluate(game, [*history, (guess, reply)], cell)
    return total


def test_a_candidate_to_identify_is_announced(ask):
    """The values of a game that ends when one candidate is left; titles and walks of its tree."""
    tree = make_identify()
    game = tree.game
    rng = random.Random(7)
    histories = [[], *(play_at_random(game, rng, 12)[0] for _ in range(12))]
    histories = [one for one in histories if game.win not in [reply for _, reply in one]]
    for history, advice in zip(
        histories, ask(tree, "advise", histories=histories, many=2), strict=True
    ):
        best = advice["list"][0]
        least = build_optimal(game, history=tuple(history)).total
        assert best["total"] == least if best["kind"] == "exact" else best["total"] >= least
        assert advice["n"] <= 20 or best["kind"] != "exact"
    assert tree.total in [one["total"] for one in ask(tree, "advise", histories=[[]])[0]["list"]]
    (told,) = ask(tree, "review", histories=[[(0, game.score(0, 7)), (30, game.score(30, 7))]])
    assert told["moves"][0]["expected"] >= 0


@pytest.mark.parametrize("name", ["p4c6n", "p3c4r", "p3c3rb"])
@pytest.mark.parametrize(
    "chain",
    ["max,lowest", "power:1,highest", "power:3,max,lowest", "max,consistent,lowest",
     "parts,power:1,highest", "entropy,consistent,lowest"],
)  # fmt: skip
def test_rules_of_the_page_choose_as_treegen_does(ask, name, chain):
    """T_l for several l, worst case, lexicographic chains and ties: all states of the tree."""
    tree = build(name, chain)
    nodes = random.Random(chain).sample(range(tree.n_nodes), min(25, tree.n_nodes))
    candidates = [list_candidates(tree.game, history_of(tree, node)) for node in [0, *nodes]]
    chosen = ask(tree, "choose", chain=chain, candidates=candidates)
    assert chosen == [int(tree.guess[node]) for node in [0, *nodes]]


@pytest.mark.parametrize("chain", ["max,consistent,lowest", "parts,power:1,lowest"])
def test_choices_are_explained_as_treegen_does(ask, chain):
    tree = build("p4c6r", chain)
    nodes = [0, *random.Random(3).sample(range(1, 90), 6)]
    nodes = [node for node in nodes if tree.n_candidates[node] > 2]
    candidates = [list_candidates(tree.game, history_of(tree, node)) for node in nodes]
    planned = [int(tree.guess[node]) for node in nodes]
    told = ask(tree, "explain", chain=chain, candidates=candidates, planned=planned)
    for node, text in zip(nodes, told, strict=True):
        stages = explain_node(tree, node).stages
        counts = [f"{stage.n_left:,} of {stage.n_before:,} guesses" for stage in stages]
        assert re.findall(r"[\d,]+ of [\d,]+ guesses", text) == counts


def test_random_ties_are_ties_and_vary(ask):
    tree = make("p3c4r")
    everything = list(range(tree.game.n_secrets))
    ties = ask(tree, "ties", chain="max,power:2,random", candidates=[everything])[0]
    drawn = ask(tree, "draws", chain="max,power:2,random", candidates=[everything], many=60)
    assert set(drawn) <= set(ties)
    assert len(set(drawn)) > 1
    assert ask(tree, "parse", chains=["max,lowest", "power:0", "none", "power:2,random", ""]) == [
        True, False, False, True, False,
    ]  # fmt: skip


def test_values_on_the_tree_are_its_totals(ask):
    """30 random states of p4c6r's tree, seen with pegs and colors renamed."""
    tree = make("p4c6r")
    game = tree.game
    rng = random.Random(60)
    states = rng.sample([n for n in range(tree.n_nodes) if tree.n_candidates[n] > 20], 10)
    states += rng.sample([n for n in range(tree.n_nodes) if tree.n_candidates[n] <= 20], 20)
    histories, totals = [], []
    for node in states:
        order, names = rng.sample(range(4), 4), rng.sample(range(6), 6)
        history = history_of(tree, node)
        histories.append([(rename(game, guess, order, names), reply) for guess, reply in history])
        totals.append(cut_at(tree, node).total)
    for node, total, advice in zip(
        states, totals, ask(tree, "advise", histories=histories, many=1), strict=True
    ):
        planned = [one for one in advice["list"] if one["guess"] == advice["planned"]]
        assert len(planned) == 1
        if tree.n_candidates[node] > 20:
            assert (planned[0]["kind"], planned[0]["total"]) == ("tree", total)
        else:
            assert planned[0]["total"] <= total


def rename(game, code, order, names):
    colors = game.codes[code].tolist()
    return game.notation.index_of([names[colors[peg]] for peg in order])


def test_estimates_are_never_less_than_the_best_play(ask):
    tree = make("p4c6r")
    game = tree.game
    rng = random.Random(20)
    played = [play_at_random(game, rng, 200) for _ in range(6)]
    advised = ask(tree, "advise", histories=[history for history, _ in played], many=2)
    for (history, left), advice in zip(played, advised, strict=True):
        best = build_optimal(game, history=tuple(history)).total
        assert best <= advice["list"][0]["total"] <= 1.06 * best
        assert all(one["kind"] in ("exact", "estimate") for one in advice["list"]) or len(left) > 20


@pytest.mark.parametrize(
    ("name", "pair"),
    [
        ("p3c4r", ("112", "343")),
        pytest.param("p4c6r", ("1122", "6565"), marks=pytest.mark.slow),
        pytest.param("p4c6r", ("1123", "4266"), marks=pytest.mark.slow),
        pytest.param("p4c6r", ("1234", "6253"), marks=pytest.mark.slow),
    ],
)
def test_equal_guesses_are_rated_equal(ask, name, pair):
    """Guesses that pegs and colors renamed make equal, on the tree and off it."""
    tree = make(name)
    histories = [[(tree.game.parse_code(code), 3)] for code in pair]
    first, second = ask(tree, "review", histories=histories)
    assert first["moves"][0]["expected"] == second["moves"][0]["expected"]
    assert first["moves"][0]["isPlanned"] == second["moves"][0]["isPlanned"]


def test_a_review_adds_up(ask):
    """Expected at first, and lost, minus luck: the guesses made."""
    tree = make("p3c5n")
    game = tree.game
    rng = random.Random(5)
    histories = []
    for secret in rng.sample(range(game.n_secrets), 2):
        guesses = [*rng.sample(range(game.n_codes), 3), secret]
        histories.append([(guess, game.score(guess, secret)) for guess in guesses])
    for history, told in zip(histories, ask(tree, "review", histories=histories), strict=True):
        guesses = told["moves"][0]["best"] + told["cost"] - told["luck"]
        assert guesses == pytest.approx(len(history))
        assert all(move["cost"] >= 0 for move in told["moves"])
        assert 0 < told["skill"] <= 100


BEST = "1123 2445 4562"  # leaves 6254 alone
TELLING_GAMES = [
    # guesses at 6254, which of them after a hint, whether it is given up, skill
    pytest.param(f"{BEST} 6254", "", False, 100, id="best"),
    pytest.param("1111 " * 4, "", False, 10, id="one-guess-four-times", marks=pytest.mark.slow),
    pytest.param(f"{BEST}{' 1111' * 9}", "", False, 30, id="the-code-left-lying-nine-times"),
    pytest.param(f"{BEST} 1111 6254", "", False, 77, id="the-code-left-lying-once"),
    pytest.param(f"{BEST} 6254", "012", False, None, id="all-by-hints"),
    pytest.param(f"{BEST} 1111 6254", "012", False, 6, id="hints-do-not-raise-it"),
    pytest.param("1123 1111 4562 6254", "1", False, 71, id="the-hint-was-not-followed"),
    pytest.param(BEST, "", True, 75, id="given-up-with-the-code-left"),
    pytest.param("1123", "", True, 50, id="given-up-at-once"),
    pytest.param("1123", "0", True, 0, id="given-up-after-a-hint"),
]


@pytest.mark.parametrize(("guesses", "hinted", "is_given_up", "skill"), TELLING_GAMES)
def test_skill_is_what_the_player_chose(ask, guesses, hinted, is_given_up, skill):
    tree = treegen.read(ROOT / "trees" / "p4c6r-optimal.tree")
    game = tree.game
    codes = [game.parse_code(guess) for guess in guesses.split()]
    data = {
        "histories": [[(code, game.score(code, game.parse_code("6254"))) for code in codes]],
        "hinted": [list(map(int, hinted))],
        "isGivenUp": [is_given_up],
    }
    (told,) = ask(tree, "review", isProved=True, **data)
    assert told.get("skill") == (skill and pytest.approx(skill, abs=0.5))


@pytest.mark.parametrize(
    ("guesses", "sentence"),
    [
        (f"{BEST} 6254", "No guess lost much."),
        ("1123 1123 2445 4562 6254", "Your second guess decided it: it cost ≈ 1.01 guesses."),
        (f"{BEST} 1111 1111 6254", "No single guess decided it: together they cost 2.00 guesses."),
        ("1122 6254", "No guess lost much, and the answers were lucky."),
    ],
)
def test_what_decided_a_game_is_told_in_a_sentence(ask, guesses, sentence):
    tree = treegen.read(ROOT / "trees" / "p4c6r-optimal.tree")
    game = tree.game
    codes = [game.parse_code(guess) for guess in guesses.split()]
    history = [(code, game.score(code, game.parse_code("6254"))) for code in codes]
    (told,) = ask(tree, "decided", isProved=True, histories=[history])
    assert told == sentence


def test_each_guess_wasted_lowers_the_skill(ask):
    """A lost game of words: the last one left is not played, three, two times or once."""
    tree = make("words")
    game = tree.game
    code = game.parse_code
    secret = code("slate")
    games = [[code("crane"), *[code("eerie")] * n] for n in range(4)]
    histories = [[(guess, game.score(guess, secret)) for guess in guesses] for guesses in games]
    skills = [one["skill"] for one in ask(tree, "review", histories=histories)]
    assert skills == sorted(skills, reverse=True)
    assert len(set(skills)) == 4


def test_an_optimal_tree_is_the_yardstick(ask):
    tree = build_optimal(make("p3c4r").game)
    history = [(int(tree.guess[0]), int(tree.response[1]))]
    told = ask(tree, "review", histories=[history], isProved=True)[0]
    assert (told["moves"][0]["kind"], told["moves"][0]["cost"]) == ("proved", 0)
    page = generate_page([tree, make("p3c4r")])
    data = read_tables(page)
    assert [entry.get("proved") for entry in data] == [True, None]


@pytest.mark.parametrize(
    ("options", "is_proved"),
    [
        ({}, True),
        ({"objective": "total,worst,n_worst"}, True),
        ({"objective": "worst,total"}, None),
        ({"max_length": 4}, None),
        ({"first": "112"}, None),
        ({"eligible": "candidates"}, None),
    ],
)
def test_only_a_search_of_all_trees_for_the_total_proves_the_least(options, is_proved):
    tree = build("p3c4r", "optimal", **options)
    assert tree.provenance.bound == tree.total
    data = read_tables(generate_page([tree]))
    assert data[0].get("proved") is is_proved
    assert "best" not in data[0]


@pytest.mark.parametrize(
    ("options", "title"),
    [
        ({"eligible": "hints"}, "Perfect, hard mode"),
        ({"eligible": "consistent"}, "Perfect, ultra hard"),
        ({"eligible": "hints", "max_length": 4}, "Best within 4, hard mode"),
        ({}, "Perfect"),
        ({"max_length": 4}, "Best within 4"),
    ],
)
def test_the_best_tree_of_hard_mode_is_called_perfect(ask, options, title):
    tree = build(make_word_game(WORDS[:8], rule="position"), "optimal", **options)
    (entry,) = json.loads(re.search(r'id="tables">(.*?)</script>', generate_page([tree]))[1])
    is_best = entry.get("best", entry.get("proved"))
    assert ask(tree, "opponent", isBest=is_best).replace(f" {tree.worst}", " 4") == title


def test_a_search_without_time_says_that_it_was_cut(ask):
    """The page shows its estimate, and asks again without a limit."""
    tree = build("p4c5rb", "first-consistent")
    history, _ = play_at_random(tree.game, random.Random(0), 20)
    (cut,) = ask(tree, "advise", histories=[history], many=3, until=0)
    (whole,) = ask(tree, "advise", histories=[history], many=3)
    assert (cut["isCut"], whole["isCut"]) == (True, False)
    assert "estimate" in [one["kind"] for one in cut["list"]]
    assert {one["kind"] for one in whole["list"]} == {"exact"}
    assert whole["list"][0]["total"] < cut["list"][0]["total"]


def test_the_best_guesses_are_each_named_once(ask):
    """The tree's guess stands once, and moves no other one out."""
    tree = build("p2c5nb", "first-consistent", history=[("40", "1")])
    (advice,) = ask(tree, "advise", histories=[[]], many=6, start=[[16, 1]])
    guesses = [one["guess"] for one in advice["list"]]
    assert len(set(guesses)) == len(guesses)
    assert advice["planned"] in guesses
    whole = build("p2c5nb", "first-consistent")
    (plain,) = ask(whole, "advise", histories=[[(16, 1)]], many=6)
    assert {one["total"] for one in plain["list"]} <= {one["total"] for one in advice["list"]}


def test_minimax_is_minimax_or_says_how_far(ask):
    """The worst case of its guess is the least of all guesses, except where it tells a number."""
    tree = make("p4c6r")
    game = tree.game
    after = [(game.parse_code("2411"), game.parse_response("21"))]
    histories = [after, *(play_at_random(game, random.Random(n), 200)[0] for n in range(2))]
    lefts = [list_candidates(game, history) for history in histories]
    for left, (guess, compared) in zip(
        lefts, ask(tree, "level", level="minimax", candidates=lefts), strict=True
    ):
        worst = [leaves(game, other, left) for other in range(game.n_codes)]
        assert compared == 0
        assert worst[guess] == min(worst)
    assert leaves(game, game.parse_code("4213"), lefts[0]) == 6
    large = build("p5c6r", "first-consistent")
    candidates = list(range(1, large.game.n_secrets))
    ((_, compared),) = ask(large, "level", level="minimax", candidates=[candidates])
    assert 0 < compared < large.game.n_codes


def leaves(game, guess, left):
    """Return how many candidates a guess leaves at worst."""
    cells = Counter(game.score(guess, code) for code in left)
    return max((n for reply, n in cells.items() if reply != game.win), default=0)


@pytest.mark.parametrize("name", ["p3c4r", "p3c3rb", "words"])
def test_an_evil_answer_leaves_most(ask, name):
    """Of answers that leave equally many, the first in the order of the game."""
    game = make(name).game
    rng = random.Random(name)
    lefts = [sorted(rng.sample(range(game.n_secrets), n)) for n in (2, 5, 8) for _ in range(5)]
    guesses = [rng.randrange(game.n_codes) for _ in lefts]
    told = ask(make(name), "evil", candidates=lefts, guesses=guesses)
    for left, guess, reply in zip(lefts, guesses, told, strict=True):
        sizes = Counter(game.score(guess, code) for code in left)
        assert reply == min(sizes, key=lambda one: (-sizes[one], one))


@pytest.mark.parametrize("name", ["p3c4r", "words"])
def test_games_of_all_codes_have_the_lengths_of_the_tree(ask, name):
    tree = make(name)
    assert ask(tree, "lengths") == [0, *tree.histogram]


def test_a_conflict_is_as_small_as_can_be(ask):
    tree = make("p3c4r")
    game = tree.game
    code, reply = game.parse_code, game.parse_response
    fine, wrong = (
        (code("112"), reply("01")),
        [(code("123"), reply("00")), (code("444"), reply("00"))],
    )
    histories = [[fine, *wrong], [*wrong], [(code("111"), reply("02"))]]
    conflicts = ask(tree, "conflicts", histories=histories)
    assert conflicts == [[1, 2], [0, 1], [0]]
    for history, conflict in zip(histories, conflicts, strict=True):
        kept = [history[index] for index in conflict]
        for left_out in [None, *kept]:
            rules = [pair for pair in kept if pair is not left_out]
            assert bool(list_candidates(game, rules)) is (left_out is not None)


def test_contradictory_answers_end_no_game(ask):
    """A win that some code agrees with ends it; in a game to identify, one code left does."""
    game = make("p3c4r").game
    code, reply = game.parse_code, game.parse_response
    won, other = (code("112"), game.win), (code("111"), reply("20"))
    never, empty = (code("123"), reply("00")), (code("444"), reply("00"))
    histories = [[won], [other, won], [never, empty, won], [won, (code("113"), game.win)]]
    assert ask(make("p3c4r"), "ends", histories=histories) == [True, True, False, False]
    game = make_identify().game
    histories = [[(0, game.score(0, 0))], [(0, game.win), (1, game.win)]]
    assert ask(make_identify(), "ends", histories=histories) == [True, False]


def test_paths_that_lead_nowhere_stop(ask):
    tree = make("p3c4r")
    answers = ask(tree, "follow", paths=[[0], [tree.game.win], [0, tree.game.win], [0, 0, 0, 0]])
    assert answers == [[2, True], [1, False], [2, True], [2, True]]


def test_the_page_of_p4c6r_is_small_and_loads_nothing():
    page = generate_page([build("p4c6r", "knuth")])
    assert len(page.encode()) <= 147_456
    assert re.findall(r"https?://[^\s\"]+", page) == [], "it leads nowhere else"
    for word in ("fetch(", "XMLHttpRequest", "import(", "WebSocket", "sendBeacon", "EventSource"):
        assert word not in page
    assert not re.search(r"^(import|export)\b", page, re.MULTILINE)
    assert not re.search(r"<(link|script|img|iframe)[^>]*\b(src|href)=\"(?!data:)", page)
    assert page == generate_page([build("p4c6r", "knuth")])


@pytest.mark.parametrize(
    "script", [ENGINE, KEY, PAGE, QR, WORD_GAMES], ids=lambda script: script.name
)
def test_the_short_forms_are_those_of_the_modules(script):
    first = short_path(script).read_text("utf-8").partition("\n")[0]
    assert first == f"// {digest_of(bundle(script.modules))}", "run make minify"


def test_the_page_holds_the_tables():
    trees = [make("p2c3r"), make("p3c3rb"), make("words"), make("p2c3r")]
    page = generate_page(trees, title="A & B <c>")
    assert "<title>A &amp; B &lt;c&gt;</title>" in page
    data = read_tables(page)
    names = [entry["name"] for entry in data]
    assert names[0] == "p2c3r-knuth"
    assert names[3] == "p2c3r-knuth-2"
    for tree, entry in zip(trees, data, strict=True):
        assert read_table(b64decode(entry["table"])).digest == tree.digest


def test_a_long_list_of_words_takes_less_than_it_would_in_base_64(ask):
    words = ["".join(letters) for letters in product("abcde", repeat=4)]
    random.Random(0).shuffle(words)
    game = make_word_game(words[:60], words[60:], rule="position")
    tree = build_tree(game, parse_strategy("parts", game))
    (entry,) = read_tables(generate_page([tree]))
    packed = {key: entry[key] for key in ("table", "words", "at")}
    whole = b64encode(make_table(tree, all_words=True))
    assert sum(len(str(part)) for part in packed.values()) < len(whole)
    assert ask(tree, "codes", **packed) == [game.format_code(code) for code in range(game.n_codes)]
    assert ask(tree, "meta", **packed)[1:] == [tree.total, tree.worst]


@pytest.mark.parametrize("modules", [(*ENGINE.modules, *PAGE.modules), KEY.modules], ids=len)
def test_the_shared_scope_has_no_name_twice(modules):
    names = []
    for module in modules:
        text = (PACKAGE / module).read_text("utf-8")
        names += re.findall(r"^(?:export )?(?:const|let|class|function) (\w+)", text, re.MULTILINE)
        names += re.findall(r"^(?:export )?const \[(\w+), (\w+)\]", text, re.MULTILINE)
    assert [name for name, times in Counter(names).items() if times > 1] == []


def test_modules_import_only_what_stands_before_them():
    seen = set()
    for module in (*ENGINE.modules, *PAGE.modules):
        text = (PACKAGE / module).read_text("utf-8")
        for source in re.findall(r'^(?:import|\}) .*?from "([^"]+)";', text, re.MULTILINE):
            assert (PACKAGE / module).parent.joinpath(source).resolve() in seen, module
        seen.add((PACKAGE / module).resolve())


def test_a_page_counts_guesses_whatever_they_weigh():
    game = make_word_game(WORDS[:5], rule="position")
    weighted = game.with_stakes(weights=(9, 1, 1, 1, 0), costs=(1, 2, 1, 1, 1))
    tree = build(weighted, "optimal")
    (entry,) = read_tables(generate_page([tree]))
    told = read_table(b64decode(entry["table"]))
    assert told.game == game
    assert told.guess.tolist() == tree.guess.tolist()
    assert told.provenance.strategy == "weighted optimal"
    assert told.total == sum(len(told.play(word).turns) for word in game.rules.words)
    assert "proved" not in entry
    assert "chain" not in entry


def test_trees_that_a_page_cannot_hold_are_refused(tmp_path):
    with pytest.raises(UsageError, match="at least one tree"):
        generate_page([])
    with pytest.raises(UsageError, match="at least one tree"):
        write_page([], tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_a_served_page_has_its_files_beside_it(tmp_path):
    write_page(
        [make("p2c3r")], tmp_path / "my page.html", title="A & B", url="https://a.b/c/x.html"
    )
    names = {path.name for path in tmp_path.iterdir()}
    ends = ("html", "webmanifest", "sw.js", "png", "icon.png")
    assert names == {f"my page.{end}" for end in ends}
    page = (tmp_path / "my page.html").read_text("utf-8")
    assert '<link rel="manifest" href="my%20page.webmanifest">' in page
    assert 'content="https://a.b/c/my%20page.png"' in page
    assert 'property="og:title" content="A &amp; B"' in page
    assert 'content="A &amp; B: a game of the tree, each guess with its answer and how' in page
    assert '<link rel="apple-touch-icon" href="my%20page.icon.png">' in page
    icon = (tmp_path / "my page.icon.png").read_bytes()
    assert icon.startswith(b"\x89PNG") and icon[16:24] == bytes([0, 0, 0, 180] * 2), "180 pixels"
    assert "img-src data: 'self'; " in page
    assert "worker-src blob: 'self'; manifest-src 'self'" in page
    manifest = json.loads((tmp_path / "my page.webmanifest").read_text("utf-8"))
    assert (manifest["name"], manifest["start_url"]) == ("A & B", "my%20page.html")
    worker = (tmp_path / "my page.sw.js").read_text("utf-8")
    assert '["my%20page.html", "my%20page.webmanifest"]' in worker
    assert (tmp_path / "my page.png").read_bytes().startswith(b"\x89PNG")
    plain = generate_page([make("p2c3r")])
    assert "manifest" not in plain
    assert "serviceWorker" not in plain
    for url in ("a.b", "ftp://a.b/", "https://a.b/?c", "https:///x"):
        with pytest.raises(UsageError, match="not the address of a page"):
            write_page([make("p2c3r")], tmp_path / "none.html", url=url)
    assert not (tmp_path / "none.html").exists()


def test_a_tree_that_begins_in_the_middle_says_after_what(ask):
    whole = make("p3c4r")
    tree = cut_at(whole, 1)
    page = generate_page([whole, tree])
    data = read_tables(page)
    assert "start" not in data[0]
    assert data[1]["start"] == [[int(whole.guess[0]), int(whole.response[1])]]
    assert ask(tree, "states", start=data[1]["start"]) == list_states(tree)


def test_codebooks_are_called_by_their_words():
    page = generate_page([make("words")])
    assert '"name": "8-words-of-5-letters-entropy"' in page


def test_opponents_are_ranked_by_fame_and_hard_mode_is_called_so(ask):
    told = {
        "knuth": "Knuth",
        "most-parts": "Most answers",
        "entropy": "Most information",
        "knuth eligible=hints": "Knuth, hard mode",
        "entropy eligible=consistent seed=1": "Most information, ultra hard seed=1",
        "barr-worst-case": "Barr worst case",
        "max,lowest eligible=hints": "Max,lowest, hard mode",
    }
    strategies = list(told)
    random.Random(1).shuffle(strategies)
    names = ask(make("p3c4r"), "opponents", strategies=strategies)
    assert names[:5] == list(told.values())[:5]
    assert set(names[5:]) == set(list(told.values())[5:])


@pytest.mark.parametrize("eligible", ["hints", "consistent", "all"])
def test_a_table_of_hard_mode_says_what_may_be_guessed(ask, eligible):
    words = make("words")
    game = words.game
    strategy = parse_strategy("entropy", game)
    tree = build_tree(game, change_strategy(strategy, eligible=eligible))
    pairs = [(guess, game.score(guess, secret)) for guess in (1, 8, 9) for secret in (0, 3, 7)]
    histories = [[pair] for pair in pairs] + [[pairs[0], (2, game.score(2, 0))]]
    told = ask(tree, "breaches", histories=histories)
    modes = {"hints": ", hard mode", "consistent": ", ultra hard"}
    assert ask(tree, "opponent") == f"Most information{modes.get(eligible, '')}"
    for history, breaches in zip(histories, told, strict=True):
        allowed = [code for code, breach in enumerate(breaches) if not breach]
        assert allowed == select_eligible(game, eligible, history).tolist()


@pytest.mark.parametrize("eligible", ["hints", "consistent"])
def test_analysis_of_hard_mode_ranks_legal_guesses_alone(ask, eligible):
    """Of few candidates and of many; values can be reached, so none is less than the best."""
    game = make("words").game
    tree = build_tree(game, change_strategy(parse_strategy("entropy", game), eligible=eligible))
    rng = random.Random(eligible)
    histories = [[(int(tree.guess[0]), int(tree.response[1]))]]
    histories += [play_at_random(game, rng, most)[0] for most in (9, 7, 7, 4, 3) for _ in range(3)]
    histories = [one for one in histories if one and game.win not in [reply for _, reply in one]]
    advised = ask(tree, "advise", histories=histories, many=9)
    for history, advice in zip(histories, advised, strict=True):
        legal = select_eligible(game, eligible, history).tolist()
        assert advice["list"]
        assert all(one["guess"] in legal for one in advice["list"])
        left = list_candidates(game, history)
        assert advice["list"][0]["total"] >= evaluate(game, history, left)
        played = [one for one in advice["list"] if one["guess"] == advice.get("planned")]
        assert all(one["kind"] == "tree" for one in played)


def test_hard_mode_without_its_tree_advises_legal_guesses(ask):
    """What the switch of the page asks of its worker: a tree that breaks the rule is unused."""
    tree = make("words")
    game = tree.game
    pairs = [(guess, game.score(guess, secret)) for guess in (1, 8, 9) for secret in (0, 3, 7)]
    questions = [{"ask": "advise", "history": [pair]} for pair in pairs]
    for pair, advice in zip(pairs, ask(tree, "hard", questions=questions), strict=True):
        legal = select_eligible(game, "hints", [pair]).tolist()
        assert {one["guess"] for one in advice["list"]} <= set(legal)
        assert "planned" not in advice and {one["kind"] for one in advice["list"]} <= {
            "exact",
            "estimate",
        }
    review = {"ask": "review", "history": [pairs[0], (2, game.score(2, 0))]}
    (told,) = ask(tree, "hard", questions=[review])
    assert [move["guess"] for move in told["moves"]] == [1, 2]


def test_a_tree_of_hard_mode_is_put_into_the_page(tmp_path):
    """Beside its game, with or without weights; another tree is refused, and nothing written."""
    game = make("words").game
    hard, easy = build(game, "entropy", eligible="hints"), build(game, "entropy")
    file = tmp_path / "page.html"
    for trees in (easy, [build("p2c3r"), build(game, "max,lowest")]):
        write_page(trees, file, hard_tree=hard, force=True)
        data = read_tables(file.read_text("utf-8"))
        assert data[-1]["name"] == "8-words-of-5-letters-entropy eligible=hints"
    weighty = build(game.with_stakes(weights=range(1, 9)), "entropy")
    write_page(weighty, file, hard_tree=hard, force=True)
    file.unlink()
    middle = cut_at(hard, 1)
    for trees, other, told in (
        (easy, easy, "is built with eligible=all: hard mode is eligible=hints"),
        (build("p2c3r"), hard, "is of another game, or begins elsewhere: the page has p2c3r"),
        (
            easy,
            middle,
            "is of another game, or begins elsewhere: the page has 8 words of 5 letters",
        ),
    ):
        with pytest.raises(UsageError, match=f"^hard_tree= .*{told}"):
            write_page(trees, file, hard_tree=other)
    assert not file.exists()


def test_a_breach_is_told_in_words(ask):
    tree = build_tree(make("words").game, change_strategy(parse_chain("max"), eligible="hints"))
    game = tree.game
    speak = dict(
        zip(
            game.rules.words,
            ask(tree, "breaches", histories=[[[0, game.parse_response("12202")]]])[0],
            strict=True,
        )
    )
    assert speak["trace"] == ""
    assert speak["stale"] == "crane was answered 12202: place 2 must be r"
    history = [[game.parse_code("geese"), game.parse_response("00002")]]
    assert ask(tree, "breaches", histories=[history])[0][game.parse_code("cable")] == ""


GAME = "crane:00202 stale:22222"
NO_WORDS = "There are squares and no words: write each guess before its row."
PASTED = {
    # As Wordle shares it, its words before, after, below or beside their rows.
    "Wordle 1,234 2/6*\n\ncrane ⬛⬛🟩⬛🟩\nstale 🟩🟩🟩🟩🟩": GAME,
    "⬜⬜🟩⬜🟩 CRANE\n🟩🟩🟩🟩🟩 STALE\nhttps://example.org/x": GAME,
    "⬛️⬛️🟧⬛️🟧\ncrane\n🟧🟧🟧🟧🟧\nstale": GAME,
    "#Taste 🟩 2/6\r\n⬛ ⬛ 🟩 ⬛ 🟩\r\n🟩 🟩 🟩 🟩 🟩\r\ncrane, stale": GAME,
    "1. Crane: ⚫⚫🟢⚫🟢\n2. Stale: 🟢🟢🟢🟢🟢": GAME,
    "X/6\nslate ⬛🟨🟦🟪🟩": "slate:01112",
    "\u200fcrane:00202/stale:22222": GAME,
    # What is missing or damaged.
    "Wordle 9 2/6\n⬛⬛🟩⬛🟩\n🟩🟩🟩🟩🟩": NO_WORDS,
    "crane ⬛⬛🟩⬛\nstale 🟩🟩🟩🟩🟩": "Row 1 has 4 squares: words here have 5 letters.",
    "crane ⬛⬛🟩⬛🟩\nstole 🟩🟩🟩🟩🟩": "“stole” is not in the list.",
    "crane ⬛⬛🟩⬛🟩\n🟩🟩🟩🟩🟩": "Row 2 has no word.",
    "crane\n⬛⬛🟩⬛🟩\n🟩🟩🟩🟩🟩": "1 word and 2 rows of squares do not match: each row needs"
    " its guess.",
    "crane\n⬛⬛🟩⬛🟩\n🟩🟩🟩🟩🟩\nstole": "“stole” is not in the list.",
    "crane 🟩🟩🟩🟩🟩\nstale ⬛⬛🟩⬛🟩": "Guess 1 is the word, and more guesses follow: paste one"
    " game at a time.",
    "crane slate": "There are no squares: say which word it was.",
    "Wordle 1,234\ncrane\nslat\nstale": "“slat” was not read: words here have 5 letters.",
    "what is this?": "No guess was found: paste words with their squares, or words alone.",
    "crane:00202 stale:2222": "“stale:2222” is no guess with its answer.",
    "": "No guess was found: paste words with their squares, or words alone.",
}
KNOWN = {
    "crane STALE": GAME,
    "Guesses\ncrane\nstale": GAME,
    "crane geese": "crane:00202 geese:00012",
    "⬛⬛🟩⬛🟩": NO_WORDS,
}
PEGS = {
    "1122:02 1344:11": "1122:02 1344:11",
    "1122 ●○··\n1344 ⚫⚪": "1122:11 1344:11",
    "Mastermind · 2 (tree 4)\n1122:10\n1344:40": "1122:10 1344:40",
    "1122 ●●●○": "Row 1: no code is answered so.",
    "1122 ●●●○○": "Row 1 has 5 pins: codes here have 4 pegs.",
    "1122:09": "“1122:09” is no guess with its answer.",
    "1129 ●○": "“1129” is no code of this game.",
    "●○··": "There are pins and no codes: write each guess before its row.",
    "1122 1344": "There are no pins: say which code it was.",
}


def test_a_result_is_read_as_people_share_it(ask):
    texts = [[text, ""] for text in PASTED] + [[text, "Stale"] for text in KNOWN]
    found = ask(make("words"), "pasted", texts=[*texts, ["crane", "geese"], ["crane", "zzzzz"]])
    hidden = [f"“{word}” is no word to be found here." for word in ("geese", "zzzzz")]
    assert dict(zip(PASTED, found, strict=False)) == PASTED
    assert found[len(PASTED) :] == [*KNOWN.values(), *hidden]


def test_a_result_of_pegs_is_read(ask):
    found = ask(make("p4c6r"), "pasted", texts=[[text, ""] for text in PEGS])
    assert dict(zip(PEGS, found, strict=True)) == PEGS
    known = ask(make("p4c6r"), "pasted", texts=[["1122 1344", "1344"]])
    assert known == ["1122:10 1344:40"]


def test_a_result_of_other_lists_is_read(ask):
    """Equations, accents and capitals, rows from either side, a tree that begins in the middle."""

    def read(words, *texts):
        tree = build_tree(make_word_game(words, rule="position"), parse_chain("max"))
        return ask(tree, "pasted", texts=[[text, ""] for text in texts])

    assert read(
        ["1+2=3", "4-1=3", "8/4=2"], "nerdlegame 7 2/6\n8/4=2 ⬛⬛🟪🟩⬛\n4-1=3 🟩🟩🟩🟩🟩"
    ) == ["8/4=2:00120 4-1=3:22222"]
    assert read(["tőkés", "bakol", "kapıs"], "TOKES 🟩⬛⬛⬛🟩\nKAPIS 🟩🟩🟩🟩🟩") == [
        "tőkés:20002 kapıs:22222"
    ]
    hebrew = ["שלום", "חלון", "סכנה"]
    rows = ["⬛🟩🟩⬛", "⬛🟩🟩⬛"[::-1], "🟨⬛⬛⬛"]
    assert read(hebrew, *(f"שלומ {row}" for row in rows)) == ["שלום:0220", "שלום:0220", "שלום:1000"]
    turned = read(["שלום", "שמלה", "אחות"], "שלום 🟩⬛🟨🟨\nשמלה 🟩🟩🟩🟩", "שלום ⬛⬛🟨🟩")
    assert turned == ["שלום:2011 שמלה:2222", "שלום:2100"]
    whole = make("p3c4r")
    tree = cut_at(whole, 1)
    guess, answer = (
        whole.game.format_code(int(whole.guess[0])),
        whole.game.format_response(int(whole.response[1])),
    )
    start = [[int(whole.guess[0]), int(whole.response[1])]]
    texts = [[f"{guess}:{answer} 234:10", ""], ["234:10", ""]]
    assert ask(tree, "pasted", start=start, texts=texts) == ["234:10", "234:10"]


AZ = "abcdefghijklmnopqrstuvwxyz"
KEYBOARDS = {
    "crane build cloth mounds": "qwertyuiop asdfghjkl zxcvbnm",
    "crane crate": "ert a cn",
    f"{AZ} café": "é qwertyuiop asdfghjkl zxcvbnm",
    f"{AZ} äöü": "qwertzuiopü asdfghjklöä yxcvbnmß",
    f"{AZ} åäö": "qwertyuiopå asdfghjklöä zxcvbnm",
    f"{AZ} ñ": "qwertyuiop asdfghjklñ zxcvbnm",
    f"{AZ} áéíóúñ": "áéíóú qwertyuiop asdfghjklñ zxcvbnm",
    f"{AZ} çèéêîœ": "çèéêîœ azertyuiop qsdfghjklm wxcvbn",
    f"{AZ} čřů": "ěščřžýáíé úůťďňó qwertzuiop asdfghjkl yxcvbnm",
    "bakől tőkés": "áéíóöőúüű qwertzuiop asdfghjkl yxcvbnm",
    "kapı şişe weg": "w ertyuıopğü asdfghjklşi zcvbnmöç",
    "KAPI ŞİŞE": "ERTYUIOPĞÜ ASDFGHJKLŞİ ZCVBNMÖÇ",
    "ыёй": "йцукенгшщзхъ фывапролджэё ячсмитьбю",
    "абвг": "абвг",
    "λόγος": "ό ςερτυθιοπ ασδφγηξκλ ζχψωβνμ",
    "שלום": "קראטוםפ שדגכעיחל זסבהנמצת",
    "سلام كتاب": "ضصثقفغعهخحجد ذشسيبلاتنمكط ئءؤرىةوزظ",
    "اب": "با",
    "ㅌㅣㅂㅐ": "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔ ㅁㄴㅇㄹㅎㅗㅓㅏㅣ ㅋㅌㅊㅍㅠㅜㅡ",
    "1+2=3": "1234567890 +-*/=",
    "0123456789abcdef": "012345 6789abcdef",
}
"""Letters of a list: the rows of its keys."""


def test_a_keyboard_is_that_of_the_letters_language(ask):
    lists = [text.replace(" ", "") for text in KEYBOARDS]
    found = ask(make("p2c3r"), "keyboards", lists=lists)
    assert dict(zip(KEYBOARDS, found, strict=True)) == KEYBOARDS


def test_the_last_letter_may_be_typed_in_its_plain_form(ask):
    words = ["שלום", "חלון", "קליפ", "קליף", "סכנה"]
    tree = build_tree(make_word_game(words, rule="position"), parse_chain("max"))
    typed = ["שלומ", "חלון", "חלונ", "קליפ", "קליף", "סכןה", "שלון"]
    codes = [tree.game.parse_code(word) for word in words]
    expected = [*(codes[at] for at in (0, 1, 1, 2, 3, 4)), None]
    assert ask(tree, "typed", typed=typed) == expected


def test_a_page_lists_so_many_codes_and_no_more(monkeypatch):
    """One of 16 million codes took the browser's memory."""
    assert html.MAX_CODES == 1 << 20
    tree = build("p4c2r")
    monkeypatch.setattr(html, "MAX_CODES", 16)
    generate_page([tree])
    monkeypatch.setattr(html, "MAX_CODES", 15)
    with pytest.raises(UsageError, match=r"at most 15 codes, .*; p4c2r has 16$"):
        generate_page([tree])
