"""Certificates about games of all kinds: claims are what a plain recursion says, and no more."""

import hashlib
import json
import random
import re
import warnings
from bisect import bisect
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from treegen import build, certify, check, open_game, verify
from treegen.errors import FormatError, UsageError
from treegen.exact.certificate import make_certificate
from treegen.formats.proof import Claimed
from treegen.games.codebook import make_word_game
from treegen.games.names import parse_game
from treegen.games.questions import Questions

from .. import small_tables
from ..command import run
from ..paths import ROOT
from . import mutate, naive_proofs

DATA = ROOT / "tests" / "data"

OBJECTIVES = ["total", "worst,total", "total,worst,n_worst", "worst,n_worst,total"]

N_GAMES = 40
"""`scripts/fuzz-checker.py` takes thousands."""

WORDS = make_word_game(mutate.WORDS, mutate.OTHER_WORDS, rule="position")


DOUBLED = ["aab", "aba", "baa", "abb", "bab", "cac"], ["aaa", "caa", "acc"]
"""Words with a letter twice: its copies are paired once each."""


def draw_table(seed, n, n_questions, **options):
    rng = random.Random(seed)
    rows = [[rng.choice(["no", "yes", "some"]) for _ in range(n_questions)] for _ in range(n)]
    return Questions(rows, names=[f"item {i}" for i in range(n)], **options)


def weigh(game, seed=3):
    rng = random.Random(seed)
    weights = [rng.randint(1, 40) for _ in range(game.n_secrets)]
    costs = [rng.randint(1, 3) for _ in range(game.n_codes - game.rules.first_guess)]
    return game.with_stakes(weights, [0] * game.rules.first_guess + costs)


def test_a_given_first_guess_may_cost_more_than_the_least(judge):
    table = "game table 1 2\nq =1\nq =1\ncosts 3 2\nclaim\n"  # either finds the one item
    for first, least in (("first 1\n", 3), ("first 2\n", 2), ("first 1 2\n", 2), ("", 2)):
        for total in (least, least + 1):
            text = f"treegen proof 2\n{table}{first}total {total}\nroot {total}\n"
            assert judge(text)[0] == (total == least), text
            named = text.replace("costs", "goal identify\ncosts")  # nothing needs to be asked
            assert not judge(named)[0], named


def test_what_a_plain_recursion_says_is_proved_and_no_more(judge):
    for game in naive_proofs.draw_games(N_GAMES, seed=5):
        taken, said = judge(game.prove(), game.words)
        assert taken, said
        assert naive_proofs.are_true(game.prove(), game.words)
        if game.least < float("inf"):
            assert not judge(game.prove(raised=1), game.words)[0]
            assert not naive_proofs.are_true(game.prove(raised=1), game.words)


def test_what_layers_of_costs_show_is_true(judge):
    """Of tables without a lemma but the root both checkers take as much, and no more than is so."""
    rng, n_better = random.Random(9), 0
    for _ in range(40):
        game = naive_proofs.draw_table(rng)
        n = len(game.answers)
        if not game.is_identified or len(game.root[0]) < 4 or n < 3:
            continue
        game.weights = [rng.choice([0, 1, 2, 5]) for _ in game.root[0]]
        game.costs = [rng.choice([1, 2, 5, 9]) for _ in range(n)]
        game.cap = rng.choice([None, None, rng.randint(4, 20)])
        game.price = (1, 0) if game.cap is None else rng.choice([(1, 0), (1, 3)])
        found = []
        for game.layers in ([], sorted(rng.sample(range(1, 10), 2)), [1, 2, 5, 9]):
            texts = [
                "\n".join([*game.write_head(), *game.write_claim(total), f"root {total}", ""])
                for total in range(min(game.least, 1 << 10) + 2)
            ]
            found.append(bisect(texts, False, key=lambda text: not mutate.run_python(text)[0]) - 1)
            assert [judge(text)[0] for text in texts[found[-1] :][:2]] == [True, False]
        assert found[0] <= found[1] <= found[2]
        assert found[2] <= game.least
        n_better += found[0] < found[2]
    assert n_better > 1


def draw_emitted(number, seed):
    """Yield random small games, as treegen knows them, with the claim that is true."""
    rng = random.Random(seed)
    for _ in range(number):
        if rng.random() < 0.5:
            yield naive_proofs.draw_questions(rng)
            continue
        small = naive_proofs.draw_game(rng)
        is_rule = small.eligible in ("hints", "consistent")
        if small.rules is None or (is_rule and (small.weights or small.costs)):
            continue
        if not (is_rule and small.is_identified):
            yield small, *naive_proofs.make_game(small)


def test_certificates_say_what_a_plain_recursion_says(judge):
    for small, game, claim, given in draw_emitted(N_GAMES, seed=6):
        how = {"eligible": small.eligible, "history": given}
        text = make_certificate(game, [claim], **how)
        taken, said = judge(text, small.words)
        assert taken, said
        assert [total for _, total in naive_proofs.read_claims(text, small.words)] == [small.least]
        if claim.total is not None:
            with pytest.raises(UsageError, match="is not true"):
                make_certificate(game, [replace(claim, total=claim.total + 1)], **how)


@pytest.mark.parametrize("game", [WORDS, "p2c3r"])
@pytest.mark.parametrize("objective", ["worst,total", "worst,n_worst,total", "total,worst,n_worst"])
@pytest.mark.parametrize("eligible", ["all", "candidates"])
def test_objectives_are_proved_whole(judge, game, objective, eligible):
    tree = build(game, "optimal", objective=objective, eligible=eligible)
    text, words = certify(tree), ()
    if game is WORDS:
        words = mutate.WORDS, mutate.OTHER_WORDS
    assert judge(text, words)[0]
    assert naive_proofs.are_true(text, words)
    report = verify(tree, certificate=text.encode())
    assert report.is_proved
    assert report.proof == f"optimal by {objective}: proved, checked by an independent program"
    parts = re.split(r"(?m)^(?=claim$)", text)
    assert len(parts) == (4 if objective.startswith("total") else 3)
    for part in parts[1:]:  # with a part alone some claim stays open
        rest = text.replace(part, "")
        assert not verify(tree, certificate=rest.encode()).is_proved


@pytest.mark.parametrize("rule", ["pegs", "black", "position"])
def test_words_with_a_letter_twice_are_proved(judge, rule):
    tree = build(make_word_game(*DOUBLED, rule=rule), "optimal")
    assert judge(certify(tree), DOUBLED)[0]
    assert not judge(mutate.raise_claim(certify(tree)), DOUBLED)[0]
    # Of two copies in caa the one in abb is paired with the first.
    answers = {"pegs": ("01", "02"), "black": ("0", "1"), "position": ("010", "011")}[rule]
    found = [judge(f"{certify(tree)}l 0 caa {answer} 0\n", DOUBLED)[0] for answer in answers]
    assert found == [True, rule == "black"]


@pytest.mark.parametrize(
    ("eligible", "rule", "letters"),
    [("hints", "position", "abcdefghijklmnop"), ("consistent", "black", "abcde")],
)
def test_hard_mode_is_proved(judge, eligible, rule, letters):
    drawn = random.Random(3)
    words = list(dict.fromkeys("".join(drawn.choices(letters, k=3)) for _ in range(300)))
    lists = words[:40], words[40:]
    tree = build(make_word_game(*lists, rule=rule), "optimal", eligible=eligible)
    text = certify(tree)
    assert f"eligible {eligible}\n" in text
    assert "\nl " in text
    assert judge(text, lists)[0]
    assert not judge(mutate.raise_claim(text), lists)[0]
    free = text.replace(f"eligible {eligible}\n", "")  # where more is legal, less may be needed
    is_true = tree.total <= build(tree.game, "optimal").total
    assert is_true or not judge(free, lists)[0]
    report = verify(tree, certificate=text.encode())
    assert report.is_proved
    assert report.proof.startswith("optimal: proved")


@pytest.mark.parametrize("goal", ["identify", "win"])
@pytest.mark.parametrize("has_stakes", [False, True])
def test_tables_are_proved_with_their_answers(judge, goal, has_stakes, capsys, tmp_path):
    game = draw_table(1, 14, 9, goal=goal)
    game = weigh(game) if has_stakes else game
    tree = build(game, "optimal")
    text = certify(tree)
    assert text.count("\nq ") == game.n_codes - game.rules.first_guess
    assert judge(text)[0]
    assert not judge(mutate.raise_claim(text))[0]
    assert verify(tree, certificate=text.encode()).is_proved
    path = tmp_path / "x.proof"
    path.write_text(text)
    assert run("check", str(path)) == 0
    assert "proved: for table 14 " in capsys.readouterr().out
    other = build(draw_table(2, 14, 9, goal=goal), "optimal")
    with pytest.raises(UsageError, match="the tree about table"):
        verify(other, certificate=path)


def test_a_table_may_stand_in_a_file_of_its_own(judge, tmp_path):
    game = draw_table(1, 12, 8)
    text = certify(build(game, "optimal"))
    rows = "".join(re.findall(r"(?m)^q .*\n", text))
    outside = re.sub(r"(?m)^q .*\n", "", text)
    digest = hashlib.sha256(rows.encode()).hexdigest()
    outside = re.sub(r"(?m)^(game table .*)$", rf"\1 {digest}", outside)
    assert judge(outside, table=rows.encode())[0]
    path = tmp_path / "x.table"
    path.write_text(rows)
    assert check(outside.encode(), table=path).is_proved
    assert verify(build(game, "optimal"), certificate=outside.encode()).is_proved
    (tmp_path / "x.proof").write_text(outside)
    assert run("check", str(tmp_path / "x.proof"), "--table", str(path)) == 0
    wrong = rows.replace("0", "1", 1)
    assert not judge(outside, table=wrong.encode())[0]
    path.write_text(wrong)
    with pytest.raises(FormatError, match="give the file of a table"):
        check(outside.encode())
    with pytest.raises(FormatError, match="not the table of the certificate"):
        check(outside.encode(), table=path)


def test_games_under_way_are_proved(judge):
    tree = build("p3c4r", "optimal", history="112:10")
    text = certify(tree)
    assert "\ngiven aab 10\n" in text
    assert judge(text)[0]
    assert verify(tree, certificate=text.encode()).is_proved
    with pytest.raises(UsageError, match="about games after aab:10, the tree about whole games"):
        verify(build("p3c4r", "optimal"), certificate=text.encode())
    other = build("p3c4r", "optimal", history="112:01")
    with pytest.raises(UsageError, match="games after aab:10, the tree about aab:01"):
        verify(other, certificate=text.encode())


@pytest.mark.parametrize("reply", ["020", "110"])
def test_after_an_answer_hints_leave_guesses(judge, reply):
    lists = mutate.WORDS, mutate.OTHER_WORDS
    tree = build(WORDS, "optimal", eligible="hints", history=[("cab", reply)])
    text = certify(tree)
    assert judge(text, lists)[0]
    none = re.sub(r"(?m)^(total|root) \d+$", r"\1 none", text)
    assert not judge(none, lists)[0]


def test_openings_are_ranked(judge):
    game = parse_game("p3c4r")
    openings = {"111": 237, "112": 206, "123": 206}
    of_112 = sorted(
        game.parse_code(f"{a}{a}{b}"[i:] + f"{a}{a}{b}"[:i])
        for a in "1234"
        for b in "1234"
        for i in range(3)
        if a != b
    )
    least = build("p3c4r", "optimal", first="123").total
    claims = [Claimed(least, excepted=tuple(of_112))]
    for text in openings:
        total = build("p3c4r", "optimal", first=text).total
        claims.append(Claimed(total, (game.parse_code(text),)))
    text = make_certificate(game, claims)
    taken, said = judge(text)
    assert taken and "whose first guess is useful and not aab or 35 others" in said[0]
    with pytest.raises(UsageError, match="is not true"):
        make_certificate(game, [replace(claims[0], total=least + 1)])


def test_a_bound_of_a_table_is_proved(judge):
    game = weigh(draw_table(4, 30, 14))
    tree = build(game, "best")
    text = certify(tree)
    assert f"\ntotal {tree.provenance.bound}\n" in text
    assert judge(text)[0]
    report = verify(tree, certificate=text.encode())
    assert report.is_sound and "bound" in [claim.name for claim in report.checked]


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (WORDS, {"eligible": "hints"}),
        ("p2c4r", {"eligible": "candidates"}),
        ("p2c6r", {}),
        ("table", {}),
    ],
)
def test_no_lemma_says_more_than_is_true(judge, game, options):
    game = weigh(draw_table(1, 9, 6), 4) if game == "table" else game
    text = certify(build(game, "optimal", **options))
    words = (mutate.WORDS, mutate.OTHER_WORDS) if game is WORDS else ()
    lines = text.splitlines()
    ((small, _),) = naive_proofs.read_claims(text, words)
    states = []
    for at, line in enumerate(lines):
        word, *rest = line.split(" ")
        if word == "root":
            states.append(small.root)
        elif word == "l":
            divided = small.divide(small.texts.index(rest[1]), states[int(rest[0])])
            states.append(divided[1][small.read(rest[2])])
        else:
            continue
        least = small.value(states[-1], is_root=word == "root")
        assert int(rest[-1]) <= least
        raised = [*lines]
        raised[at] = f"{line.rpartition(' ')[0]} {least + 1}"
        assert not judge("\n".join([*raised, ""]), words)[0]


def test_a_claim_that_takes_rounded_shares_is_refused_in_a_line(tmp_path):
    game = small_tables.make_rounded_game()
    total = build(game, "optimal").share_total
    assert check(make_certificate(game, [Claimed(total // 2)]).encode()).is_proved
    with pytest.raises(UsageError, match=r"need exact shares; .* too many uncertain"):
        make_certificate(game, [Claimed(total)])
    notices, proof = [], tmp_path / "x.proof"
    for strategy in ("optimal", "best"):
        tree = build(game, strategy, certificate=proof, notice=notices.append)
        assert tree.provenance.bound is None
    assert notices == ["no certificate is written: shares are rounded"] * 2
    assert not proof.exists()


def test_shares_that_might_be_rounded_on_longer_paths_are_certified():
    rows = [{"name": "any", **{f"q{number}": None for number in range(80)}}]
    for name, digits in (("one", "01"), ("two", "10"), ("three", "00")):
        rows.append({"name": name, **{f"q{number}": digits[number % 2] for number in range(80)}})
    game = open_game(rows, notice=lambda _: None)
    assert game.rules.division.is_rounded
    tree = build(game, "optimal")
    assert check(tree.certify().encode()).is_proved


UNCERTAIN = sorted((DATA / "uncertain").glob("*.json"))


def read_uncertain(path):
    """Return a game of a table of tests/data/uncertain, and its least average."""
    record = json.loads(path.read_text("utf-8"))
    reading = record["reading"]
    names = {"cls": "classes", "costs_row": "costs"}
    options = {names.get(name, name): value or "none" for name, value in reading.items()}
    with warnings.catch_warnings(action="ignore"):
        return open_game(path.with_suffix(".csv"), **options), Fraction(record["least_average"])


@pytest.mark.parametrize("path", UNCERTAIN, ids=lambda path: path.stem)
def test_tables_with_gaps_sets_and_classes_are_proved(judge, path):
    game, average = read_uncertain(path)
    tree = build(game, "optimal")
    text = certify(tree)
    assert judge(text)[0]
    ((small, total),) = naive_proofs.read_claims(text)
    shares = sum(game.rules.shares.tolist()) if game.rules.shares is not None else game.n_secrets
    assert total == small.least == average * shares
    assert not judge(mutate.raise_claim(text))[0]
    report = verify(tree, certificate=text.encode())
    assert report.is_proved
    assert report.proof == "optimal: proved, checked by an independent program"
    assert [claim.value for claim in report.checked if claim.name == "certificate"] == [tree.total]


def test_random_tables_with_gaps_and_classes_are_proved(judge):
    """By all objectives, with caps, and no more than is true."""
    n_used = 0
    for seed in range(24):
        goal = "win" if seed % 4 == 0 else "identify"
        game, _ = small_tables.draw_table(seed, goal=goal, most_rows=5 if goal == "win" else 7)
        tree = build(game, "optimal", objective=OBJECTIVES[seed % len(OBJECTIVES)])
        if game.rules.shares is None or tree.worst == 0:
            continue
        text = certify(tree)
        taken, said = judge(text)
        assert taken, said
        assert naive_proofs.are_true(text)
        assert not judge(mutate.raise_claim(text))[0]
        small = naive_proofs.read_claims(text)[0][0]
        least = replace(small, cap=None, price=(1, 0), known={}).least
        with pytest.raises(UsageError, match="is not true"):
            make_certificate(game, [Claimed(least + 1)])
        n_used += "\nu " in text
    assert n_used > 3


def test_a_certificate_belongs_to_its_table_and_its_classes(judge):
    game, _ = read_uncertain(DATA / "uncertain" / "09-conflict.json")
    text = certify(build(game, "optimal"))
    assert "\nclasses 0 1 2 2 1 2\n" in text
    table = game.rules.table
    for other, reason in [
        (replace(table, classes=("a", "b", "a", "c", "b", "c")), "with other classes"),
        (replace(table, classes=()), "with classes, and the tree is not"),
        (replace(table, matrix=table.matrix[::-1].copy()), "the tree about table 6 4"),
    ]:
        tree = build(Questions(other).with_stakes(game.weights), "optimal")
        with pytest.raises(UsageError, match=reason):
            verify(tree, certificate=text.encode())
    without = text.replace("classes 0 1 2 2 1 2\n", "")  # nobody else is to be told apart
    assert not judge(re.sub(r"(?m)^(total|root) .*$", r"\1 9999", without))[0]


def test_the_lines_of_a_claim_stand_in_their_order(judge):
    text = certify(build("p2c3r", "optimal", objective="worst,n_worst,total"))
    lines = text.splitlines()
    head = lines[: 1 + max(i for i, line in enumerate(lines) if line.startswith("root"))]
    for one, other in pairwise(range(len(head))):
        swapped = [*lines]
        swapped[one], swapped[other] = lines[other], lines[one]
        if {lines[one][0], lines[other][0]} & {"l", "u", "s"}:
            continue
        taken, said = judge("\n".join([*swapped, ""]))
        assert not taken and "not proved" not in said[0]
