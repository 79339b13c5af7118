"""Tables of answers as games: forms, labels, descriptions, what is refused."""

import re

import numpy as np
import pytest

from treegen import GameError, Questions, build, open_game, verify

from ..small_games import read_description

ROWS = [["no", "6"], ["yes", "6"], ["no", "8"]]
NAMES, QUESTIONS = ["ant", "bee", "spider"], ["Stings?", "Legs?"]


def make(**changes):
    return Questions(ROWS, **{"names": NAMES, "questions": QUESTIONS, **changes})


def test_codes_are_candidates_then_questions():
    game = make()
    written = [game.format_code(code) for code in range(game.n_codes)]
    assert (game.n_secrets, written) == (3, [*NAMES, *QUESTIONS])
    assert [game.parse_code(text) for text in [*NAMES, "STINGS?"]] == [0, 1, 2, 3]
    assert game.parse_secret("Bee") == 1
    for ask in (game.parse_secret, lambda text: game.answer("Stings?", text)):
        with pytest.raises(GameError, match="'Legs\\?' is not a candidate"):
            ask("Legs?")


def test_answers_have_the_words_of_their_question():
    game = make()
    assert [game.format_response(reply, 3) for reply in (0, 1)] == ["no", "yes"]
    assert [game.format_response(reply, 4) for reply in (0, 1)] == ["6", "8"]
    assert (game.parse_response("Yes", 3), game.parse_response("8", 4)) == (1, 1)
    assert [game.format_response(reply) for reply in (0, 1, 2)] == ["0", "1", "right"]
    assert (game.format_response(0, 1), game.format_response(2, 1)) == ("no", "right")
    assert (game.parse_response("no", 1), game.parse_response("right", 1)) == (0, 2)
    with pytest.raises(GameError, match="'7' is not an answer; there are 6, 8"):
        game.parse_response("7", 4)


def test_the_forms_of_a_matrix_are_one_game():
    dicts = [dict(zip(QUESTIONS, row, strict=True)) for row in ROWS]
    numbers = np.array([[0, 0], [1, 0], [0, 1]])
    labels = [["no", "yes"], ["6", "8"]]
    games = [
        make(),
        Questions(dicts, names=NAMES),
        Questions(np.array(ROWS), NAMES, QUESTIONS),
        Questions(numbers, NAMES, QUESTIONS, labels),
        read_description(make().description),
    ]
    assert {game.rules.digest_name for game in games} == {make().rules.digest_name}
    truths = Questions(np.array([[False], [True]]))
    assert (truths.notation.list_answers(2), truths.notation.title) == (
        ("no", "yes"),
        "2 candidates, 1 question",
    )


def test_what_tells_nothing_apart_is_dropped_or_grouped():
    rows = [["a", "x", 1], ["b", "x", 1], ["a", "x", 1], ["b", "x", 2]]
    game = Questions(rows, names=["p", "q", "r", "s"], questions=["one", "two", "three"])
    assert game.table.names == ("p | r", "q", "s")
    assert game.table.rows == ((0, 2), (1,), (3,))
    assert game.table.notes == (
        "question 'two' dropped: every candidate answers 'x'",
        "no question tells apart: p, r; they count as one candidate",
    )
    with pytest.raises(GameError, match="no question tells apart: p, r; without strict=True"):
        Questions(rows, names=["p", "q", "r", "s"], strict=True)


def test_one_candidate_is_known():
    game = Questions([["yes"]], names=["only"])
    assert (game.n_codes, game.rules.n_questions, game.n_responses) == (1, 0, 2)
    assert read_description(game.description) == game


@pytest.mark.parametrize(
    ("matrix", "options", "problem"),
    [
        ([], {}, "is empty"),
        ([["a"], ["b", "c"]], {}, "row of 'candidate 2' has 2 of 1 answers: one to each"),
        ([["a"], [""]], {"names": ["x", "y"]}, "'y' has no answer to 'question 1'"),
        ([["a"], [None]], {}, "'candidate 2' has no answer"),
        ([[1.0], [float("nan")]], {}, "'candidate 2' has no answer"),
        ([["a"], ["?"]], {}, "'candidate 2' has '\\?' for 'question 1': treegen.open_game "),
        ([["a"], [{"b", "c"}]], {}, "is a set of answers: treegen.open_game reads"),
        ([["a"], ["b"]], {"names": ["x", "x"]}, "the candidate 'x' occurs twice"),
        ([["a", "a"], ["b", "c"]], {"questions": ["q", "q"]}, "the question 'q' occurs twice"),
        ([["a"], ["b"]], {"names": ["x", "y\a"]}, r"the candidate 'y\\x07' .* a control character"),
        ([["a"], ["b"]], {"questions": ["q\a"]}, r"the question 'q\\x07' .* a control character"),
        ([["a"], ["b"]], {"names": ["x"]}, "there are 1 names, but 2 rows of answers"),
        ([["a"], ["b"]], {"goal": "lose"}, "unknown goal 'lose': there are win, identify"),
        ([[0], [2]], {"answers": ["no", "yes"]}, "answers are numbers 0 to 1"),
        ([[0], [1]], {"answers": [["no"], ["a"]]}, "2 lists of answers do not fit 1 questions"),
        ([{"a": 1}, {"b": 1}], {}, "row 2 and the other rows differ in the question"),
        (np.zeros((2, 2, 2)), {}, "a matrix of answers has 2 dimensions, not 3"),
        ([[str(n)] for n in range(65_536)], {}, "has 65,536 answers; at most 65,535 fit"),
    ],
)
def test_bad_tables_are_refused(matrix, options, problem):
    with pytest.raises(GameError, match=problem):
        Questions(matrix, **options)


@pytest.mark.parametrize("n", [255, 256, 257])
def test_many_answers_stand_beside_two(n):
    game = Questions([["yes" if i % 2 else "no", str(i)] for i in range(n)], questions=["q", "r"])
    assert [game.answer("r", f"candidate {i}") for i in (1, n)] == ["0", str(n - 1)]
    assert read_description(game.description) == game
    assert build(game, "parts").total == n


DESCRIPTION = make().description


@pytest.mark.parametrize(
    ("place", "value", "problem"),
    [
        (1, 4, "do not fit its candidates"),
        (1, 0, "not the answers of 0 candidates"),
        (2, 3, "does not have 3 questions"),
        (3, "ant\nant\nspider", "'ant' occurs twice"),
        (3, "ant\nbee", "do not fit"),
        (4, "Stings?", "does not have 2 questions"),
        (5, "no \tyes\n6\t8", "answer to 'Stings\\?' 'no ' is empty or holds a control character"),
        (5, "no\n6\t8", "bits set after their end"),
        (6, "!", "not base64"),
        (6, "AAAA", "not the answers of 3 candidates"),
        (6, "AA==", "two candidates with the same answers"),
        (6, 7, "described by two counts"),
        (7, "goal lose", "unknown goal"),
        (7, "goal win", "usual goal is not part"),
        (7, "weights 1 x 2", "described by two counts"),
    ],
)
def test_bad_descriptions_are_refused(place, value, problem):
    description = [*DESCRIPTION]
    description[place] = value
    with pytest.raises(GameError, match=problem):
        read_description(description)


def test_weights_and_costs_go_with_the_goal():
    game = make().with_stakes(["1", "2", "3"], [0, 0, 0, 1, 4])
    assert game.description[:3] == ["weighted", "1,2,3", "0,0,0,1,4"]
    assert read_description(game.description) == game
    assert re.fullmatch(r"questions:\w{64} goal identify weighted:\w{64}", game.rules.digest_name)
    with pytest.raises(GameError, match="costs were given for the goal to identify"):
        game.with_goal("win")
    assert make().with_goal("win").costs.tolist() == [1, 1, 1, 1, 1]
    usual = open_game("p2c2r")
    assert usual.with_goal("identify").with_goal("win") == usual


def test_y_and_n_are_yes_and_no_where_nothing_else_is():
    def game(*answers):
        return Questions([[answer] for answer in answers], questions=["q"])

    plain = game("no", "yes")
    assert [plain.parse_response(text, 2) for text in ("y", "N", " n ", "YES")] == [1, 0, 0, 1]
    assert game("No", "Yes").parse_response("y", 2) == 1
    assert game("no", "yes", "partly").parse_response("y", 3) == 2
    assert game("n", "no", "yes").parse_response("n", 3) == 0
    for answers, text in (
        (("no", "not known", "yes"), "n"),
        (("No", "no", "yes"), "n"),
        (("yellow", "yes"), "y"),
        (("north", "south"), "n"),
        (("no", "yes"), "ye"),
    ):
        with pytest.raises(GameError, match="is not an answer; there are"):
            game(*answers).parse_response(text, len(answers))
    assert plain.with_goal("win").parse_response("n", 0) == 0


def test_names_and_questions_may_be_any_iterable():
    rows = [["no", 6], ["yes", 8]]
    game = Questions(rows, names=np.array(["ant", "bee"]), questions=iter(["Stings?", "Legs"]))
    assert game == Questions(rows, ["ant", "bee"], ["Stings?", "Legs"])
    for given in ({"names": "ab"}, {"questions": "ab"}, {"names": b"ab"}):
        with pytest.raises(GameError, match=r"are a list of texts, not b?'ab'"):
            Questions(rows, **given)
    for wrong in (None, float("nan"), ""):
        with pytest.raises(GameError, match="the candidate '' is empty"):
            Questions(rows, names=["ant", wrong])


def test_a_right_guess_is_called_right_where_nothing_is_asked():
    game = Questions([["x"], ["x"]], goal="win")
    assert game.n_codes == 1
    assert (game.format_response(game.win, 0), game.answer(*2 * [game.format_code(0)])) == (
        "right",
        "right",
    )


@pytest.mark.parametrize("others", [("yes", "no"), ("4", "6")])
def test_an_answer_is_read_back_without_its_question(others):
    rows = [["yes", others[0]], ["no", others[0]], ["no", others[1]]]
    game = Questions(rows, goal="win")
    written = [game.format_response(response) for response in range(game.n_responses)]
    assert written == (["no", "yes", "right"] if others[0] == "yes" else ["0", "1", "right"])
    assert [game.parse_response(text) for text in written] == [0, 1, 2]
    with pytest.raises(GameError, match="'4' is not "):
        game.parse_response("4")


def test_one_candidate_and_one_question_are_counted_as_one():
    game = Questions(["a"], ["x"], ["q"])
    assert repr(game).endswith("1 secret, 1 code>")
    assert game.name == "1 candidate, 0 questions"
    assert game.notation.aim.startswith("Find one of 1 candidate.")
    assert str(verify(build("p1c1r"))).startswith("ok: 1 secret found, total 1\n")
