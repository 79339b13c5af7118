"""Games played along a tree; advice: what is possible, and what each guess leaves."""

from collections import Counter
from dataclasses import asdict, replace

import pytest

import treegen
from treegen import (
    Codebook,
    Questions,
    Session,
    UnreachableError,
    UsageError,
    build,
    make_chain,
    open_game,
)

from .. import naive
from ..small_games import SMALL, make_pair, write_history
from ..small_tables import draw_table

KNUTH = "max,consistent,lowest"


def relabel(tree, strategy, rule=""):
    """Return a tree that states another strategy."""
    return replace(tree, provenance=replace(tree.provenance, strategy=strategy, rule=rule))


@pytest.mark.parametrize("name", SMALL)
def test_every_secret_is_found_as_the_definition_says(name):
    game, rules = make_pair(name)
    tree = build(game, KNUTH)
    root = naive.build(rules, naive.STRATEGIES["knuth"])
    for secret in range(game.n_secrets):
        turns = tree.play(index=secret).turns
        assert [(turn.code, turn.response) for turn in turns] == naive.play(rules, root, secret)
        left = list(range(game.n_secrets))
        for turn in turns:
            left = [code for code in left if rules.respond(turn.code, code) == turn.response]
            assert turn.n_left == len(left)
        assert asdict(turns[-1]) == {
            "guess": game.format_code(secret),
            "answer": game.format_response(game.win),
            "n_left": 1,
            "code": secret,
            "response": game.win,
        }


@pytest.fixture
def session():
    return Session(build(open_game("p3c4r"), KNUTH))


def test_undo_goes_back_to_the_start(session):
    tree = session.tree
    for secret in range(0, 64, 7):
        states = []
        while not session.is_over:
            states.append((session.code, session.n_left, list(session.turns)))
            session.respond(tree.game.score(session.code, secret))
        assert session.code == secret
        while states:
            session.undo()
            assert (session.code, session.n_left, session.turns) == states.pop()
    with pytest.raises(UsageError, match="no answer to take back"):
        session.undo()


def test_after_the_end_nothing_may_be_answered(session):
    session.respond(session.tree.game.win)
    assert session.is_over
    with pytest.raises(UsageError, match="the game is over"):
        session.respond(0)
    session.undo()
    assert not session.is_over


def test_an_impossible_answer_changes_nothing_and_says_which_contradict(session):
    game = session.tree.game
    session.respond(game.parse_response("00"))
    before = (session.code, session.n_left, list(session.turns))
    wrong = next(
        response
        for response in range(game.n_responses)
        if response not in [int(session.tree.response[c]) for c in session.tree.children(1)]
        and response != game.win
    )
    with pytest.raises(UnreachableError, match=r"no secret answers .* possible here: ") as caught:
        session.respond(wrong)
    assert "No secret fits answer 2" in str(caught.value) or (
        "These answers cannot all be true: 1:" in str(caught.value)
    )
    assert (session.code, session.n_left, session.turns) == before


@pytest.mark.parametrize("response", [-1, 9, 10**6])
def test_an_answer_out_of_range_is_refused(session, response):
    with pytest.raises(UnreachableError, match="out of range"):
        session.respond(response)
    assert session.turns == []


def test_guesses_of_ones_own_at_every_turn():
    """Any guesses, with the answers of a secret: the candidates are those of the definition."""
    game, rules = make_pair("p3c4r")
    tree = build(game, KNUTH)
    for secret in (7, 38, 63):
        session, history = Session(tree), []
        for guess in (5, 21, 40, secret):
            response = rules.respond(guess, secret)
            session.respond(response, guess)
            history.append((guess, response))
            left = [
                code
                for code in range(game.n_secrets)
                if all(rules.respond(guess, code) == answer for guess, answer in history)
            ]
            assert session.n_left == len(left)
            assert session.history == tuple(write_history(game, history))
            if not session.is_over:
                expected = build(game, KNUTH, history=write_history(game, history))
                assert session.code == expected.guess[0]
        assert session.is_over
        assert session.code == secret
        with pytest.raises(UsageError, match="the game is over"):
            session.respond(0, 0)
        while session.turns:
            session.undo()
        assert session.code == tree.guess[0]


def test_the_trees_own_guess_stays_in_the_tree(session):
    built = []
    session.rebuild = built.append
    session.respond(0, session.code)
    assert built == []
    assert len(session.turns) == 1


def test_a_guess_that_cannot_be_answered_so_changes_nothing(session):
    before = (session.code, session.n_left)
    with pytest.raises(UnreachableError, match="No secret fits answer 1: 111 answered 01"):
        session.respond(session.tree.game.parse_response("01"), 0)
    assert (session.code, session.n_left, session.turns) == (*before, [])


def test_the_rule_of_the_tree_continues_the_game():
    game = open_game("p3c4r")
    tree = build(game, "entropy,lowest")
    assert Session(tree).advise().rule == tree.provenance.rule
    unknown = relabel(tree, "by hand")
    assert Session(unknown).advise().rule == build("p3c4r", "knuth").provenance.rule
    session = Session(unknown)
    session.respond(game.parse_response("10"), 0)
    expected = build(game, KNUTH, history="111:10")
    assert session.code == expected.guess[0]


@pytest.mark.parametrize("eligible", ["hints", "consistent"])
def test_a_session_keeps_to_the_rule_of_play(eligible):
    game = make_pair("words-position")[0]
    tree = build(game, KNUTH, eligible=eligible)
    crane, crate, speed = map(game.parse_code, ("crane", "crate", "speed"))
    session = Session(tree)
    session.respond(game.score(crane, crate), crane)
    with pytest.raises(UsageError, match=f"speed breaks eligible={eligible}: crane was answered"):
        session.respond(game.score(speed, crate), speed)
    assert len(session.turns) == 1
    assert session.advise(make_chain("entropy")).rule.startswith(f"eligible={eligible};")
    session.respond(game.win, crate)
    assert session.is_over


def test_a_searched_tree_goes_on_in_its_mode():
    game = make_pair("words-position")[0]
    tree = build(game, KNUTH)
    searched = relabel(tree, "optimal", rule="eligible=hints; objective=total")
    knuth = build(game, "knuth", eligible="hints")
    assert Session(searched).advise().rule == knuth.provenance.rule


@pytest.mark.parametrize(("goal", "rule"), [("identify", "expected-size"), ("win", "optimal")])
def test_a_question_may_be_skipped(goal, rule):
    rows = [["no", "6", "a"], ["yes", "6", "b"], ["no", "8", "b"], ["yes", "8", "c"]]
    game = Questions(rows, questions=["Wings?", "Legs", "Home"], goal=goal)
    session = treegen.play(game, rule)
    first = session.guess
    session.skip()
    while not session.is_over:
        assert session.guess != first
        session.answer(game.answer(session.guess, "candidate 4"))
    assert session.guess == "candidate 4"
    with pytest.raises(UsageError, match="only a question of a table"):
        treegen.play("p2c3r").skip()


def test_a_list_that_is_no_pair_is_refused():
    session = treegen.play("p2c3r")
    for text in ('["11"]', '["11", "00", "22"]', "[]"):
        with pytest.raises(UsageError, match=r"is not a pair: guess and answer are written 11:00"):
            session.answer(text)
    session.answer('["11", "00"]')
    assert session.n_left == 4


def test_a_refused_skip_leaves_earlier_ones_skipped():
    rows = [["no", "6"], ["yes", "6"], ["no", "8"], ["yes", "8"]]
    session = treegen.play(Questions(rows, questions=["Wings?", "Legs"]), "expected-size")
    session.skip()
    with pytest.raises(UsageError, match="no other question tells more"):
        session.skip()
    with pytest.raises(UsageError, match="no other question tells more"):
        session.answer("no" if session.guess == "Wings?" else "6")
    assert len(session.candidates) == 2


def test_a_refused_skip_skips_nothing_later():
    rows = [["no", "6"], ["yes", "6"], ["no", "8"], ["yes", "8"]]
    session = treegen.play(Questions(rows, questions=["Wings?", "Legs"], names=[*"abcd"]), "parts")
    first = session.guess
    session.answer(session.tree.game.answer(first, "a"))
    second = session.guess
    with pytest.raises(UsageError, match="no other question tells more"):
        session.skip()
    session.undo()
    session.answer(session.tree.game.answer(first, "d"))
    assert session.guess == second != first


def test_a_question_skipped_is_not_asked_again_where_answers_are_uncertain():
    for seed in range(60):
        game, plain = draw_table(seed, most_rows=8)
        if game.rules.shares is None or len(plain.list_useful(plain.root, ())) < 3:
            continue
        session = treegen.play(game)
        skipped = session.guess
        try:
            session.skip()
        except UsageError:
            continue
        while not session.is_over:
            assert session.guess != skipped
            tree, node = session._places[-1]
            try:
                session.respond(int(tree.response[tree.children(node)[0]]))
            except UsageError as error:
                assert "no other question" in str(error)
                break
        assert sum(share for _, share in session.shares) == pytest.approx(1)


WORDS = ["crane", "crate", "trace", "grace", "brace", "place", "stone", "abide"]
EXTRA = ["speed", "slate", "abbey"]


@pytest.fixture
def game():
    return Codebook(WORDS, EXTRA, feedback="position")


def test_candidates_and_cells_are_those_of_the_definition(game):
    rules = naive.codebook_rules(WORDS, EXTRA, "position")
    past = ((game.parse_code("slate"), game.parse_response("00202")),)
    left = [s for s in range(game.n_secrets) if rules.respond(*past[0][:1], s) == past[0][1]]
    advice = treegen.advice(game, "expected-size", history="slate:00202", top=99)
    assert [game.parse_code(text) for text in advice.candidates] == left
    for row in advice.guesses:
        cells = Counter(rules.respond(row.code, secret) for secret in left)
        assert row.sizes == tuple(sorted(cells.values(), reverse=True))
        assert row.is_candidate == (row.code in left)
        assert row.expected == sum(n * n for n in cells.values()) / len(left)
    values = [row.expected for row in advice.guesses]
    assert values == sorted(values)
    useless = set(range(game.n_codes)) - {row.code for row in advice.guesses}
    for guess in useless:
        assert len({rules.respond(guess, secret) for secret in left}) == 1


@pytest.mark.parametrize("name", ["knuth", "entropy", "most-parts"])
def test_the_first_is_what_the_strategy_guesses(name):
    game = open_game("p3c4r")
    session = Session(build(game, name))
    for secret in range(0, game.n_secrets, 5):
        while not session.is_over:
            advice = session.advise(n_top=1)
            assert advice.guesses[0].guess == session.guess
            assert len(advice.candidates) == session.n_left
            assert game.format_code(secret) in advice.candidates
            session.respond(game.score(session.code, secret))
        assert session.candidates == [game.format_code(secret)]
        with pytest.raises(UsageError, match="the game is over"):
            session.advise()
        while session.turns:
            session.undo()


def test_one_candidate_is_advised_and_none_is_refused(game):
    advice = treegen.advice(game, "entropy", history="crane:22202", top=3)
    assert [row.guess for row in advice.guesses] == ["crate"]
    assert advice.to_dict()["candidates"] == ["crate"]
    with pytest.raises(UsageError, match=r"No secret fits|cannot all be true"):
        treegen.advice(game, "entropy", history="crane:11111")
    with pytest.raises(UsageError, match="top=-1 is out of range"):
        treegen.advice(game, "entropy", top=-1)
    assert treegen.advice(game, "entropy", top=0).guesses == ()


def test_questions_are_ranked_where_answers_are_uncertain():
    for seed in range(40):
        game, plain = draw_table(seed)
        if game.rules.shares is None or not plain.count_separable(plain.root):
            continue
        found = treegen.advice(game, "expected-left", top=9)
        asked = [int(row.code) - game.n_secrets for row in found.guesses]
        assert sorted(asked) == plain.list_useful(plain.root, ())
        total = sum(plain.weights)
        values = [
            sum(plain.measure("expected-left", cell) for cell in plain.ask(plain.root, q).values())
            for q in asked
        ]
        assert values == sorted(values)
        for row, value in zip(found.guesses, values, strict=True):
            assert float(row.figures["expected-left"]) == pytest.approx(
                float(value / total), abs=1e-4
            )
        assert found.guesses[0].guess == treegen.build(game, "expected-left").root.guess
        assert str(found)
