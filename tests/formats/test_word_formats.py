"""Formats of the word games: alex1770's listings, leaderboards, nested JSON."""

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest

from treegen import Codebook, FormatError, Tree, build

from ..written import import_text, text_of

SECRETS = ["abc", "abd", "bad", "cab", "dab", "dad", "cad", "add", "bcd"]


@pytest.fixture(scope="module")
def few():
    """Nine words and two that are no secrets."""
    return Codebook(SECRETS, ["ddd", "aab"], feedback="position")


@pytest.fixture(scope="module")
def words():
    """A tree of 32 words in which several states go on."""
    letters = ["".join(word) for word in itertools.product("abcd", repeat=3)]
    game = Codebook(letters[::2], letters[1::2], feedback="position")
    return build(game, "first-consistent")


@pytest.fixture(scope="module")
def part(words):
    """The largest part behind the first guess."""
    child = max(words.children(0), key=lambda node: words.n_candidates[node])
    assert words.n_candidates[child] > 2
    return words.subtree(words[child].history)


def written(tree, style):
    return text_of(tree, "text", style=style)


def full_style(tree, *, first=1, before=""):
    """Every line whole, by the plain definition, as -Sf prints it; greens first."""
    lines = []

    def visit(node, text, number):
        text = f"{text}{tree.game.format_code(int(tree.guess[node]))} "
        branches = [(int(tree.response[child]), child) for child in tree.children(node)]
        branches += [(tree.game.win, None)] * bool(tree.is_winning[node])
        for response, child in sorted(branches, key=lambda branch: -branch[0]):
            marks = tree.game.format_response(response).translate(str.maketrans("012", "BYG"))
            if child is None:
                lines.append(f"{text}{marks}{number}")
            else:
                visit(child, f"{text}{marks}{number} ", number + 1)

    visit(0, before, first)
    return "\n".join([*lines, ""])


def write_history(tree):
    game, history = tree.game, tree.provenance.history
    return [
        (game.format_code(guess), game.format_response(response)) for guess, response in history
    ]


def test_listings_of_whole_lines(words):
    text = full_style(words)
    assert import_text(text, words.game) == import_text(text, words.game, "wordle") == words
    shuffled = "\n".join(sorted(text.splitlines(), key=lambda line: line[::-1]))
    assert import_text(shuffled, words.game, "wordle").digest == words.digest


def test_listings_that_begin_in_the_middle(part):
    history = part.provenance.history
    assert len(history) == 1
    for text in (full_style(part, first=2), written(part, "wordle")):
        again = import_text(text, part.game, history=write_history(part))
        assert (again.digest, again.provenance.history) == (part.digest, history)
    with pytest.raises(FormatError, match="begins with guess 2, and 0 guesses before it"):
        import_text(full_style(part, first=2), part.game)
    with pytest.raises(FormatError, match="line 1, column 1"):
        import_text(written(part, "wordle"), part.game)


def test_the_guesses_made_before_stand_in_the_first_line(part):
    """As in the program's own listing of what follows stage GBGBG."""
    ((guess, response),) = part.provenance.history
    marks = part.game.format_response(response).translate(str.maketrans("012", "BYG"))
    first, *others = written(part, "wordle").splitlines()
    before = f"{part.game.format_code(guess)} {marks}1 "
    assert first.startswith(before)
    assert all(line.startswith(" " * len(before)) for line in others)


def test_whole_lines_that_repeat_the_history(part):
    ((guess, response),) = part.provenance.history
    marks = part.game.format_response(response).translate(str.maketrans("012", "BYG"))
    before = f"{part.game.format_code(guess)} {marks}1 "
    text = full_style(part, first=2, before=before)
    history = write_history(part)
    again = import_text(text, part.game, history=history)
    assert again.digest == part.digest
    broken = text.replace(before, "ddd BBB1 ", 2).replace("ddd BBB1 ", before, 1)
    with pytest.raises(FormatError, match=r"line 2.*does not begin with the history"):
        import_text(broken, part.game, history=history)


WRONG_LISTINGS = [
    ("abd GGB1 abc GGG2\nabc GGB1 abd GGG2\n", "line 2, column 1: abc is guessed where abd was"),
    ("abd GGB1 abc GGG2\nabd GGB1 bad GGG2\n", "line 2, column 10: bad is guessed where abc was"),
    ("abd GGB1 abc GGG2\nabd GGB1 abc GGG2\n", "line 2.*this game is written twice"),
    ("abd GGB1 abc GGG2\nabd GGB2 abc GGG2\n", "line 2, column 5: answer 2 follows 0 answers"),
    ("abd GGB1 abc\n", "an answer must follow this guess"),
    ("abd\n", "expected an answer such as BBYGB1"),
    ("abd GGG1 abc\n", "the game is over"),
    ("abd GGB1\n", "a guess must follow this answer"),
    ("abd GGB1 abc GGG3\n", "answer 3 follows 1 answers"),
]


@pytest.mark.parametrize(("text", "message"), WRONG_LISTINGS)
def test_errors_in_listings_say_where_they_are(text, message, few):
    with pytest.raises(FormatError, match=message):
        import_text(text, few, "wordle")


def test_leaderboards_are_read_in_any_order(words):
    text = written(words, "csv")
    secrets = [words.game.format_code(code) for code in range(words.game.n_secrets)]
    assert [line.split(",")[-1] for line in text.splitlines()] == sorted(secrets)
    assert import_text(text, words.game) == import_text(text, words.game, "csv") == words
    shuffled = "\r\n".join(reversed(text.splitlines()))
    assert import_text(shuffled, words.game).digest == words.digest
    spaced = text.replace(",", " , ")
    assert import_text(spaced, words.game) == import_text(spaced, words.game, "csv") == words


def test_leaderboards_with_a_column_of_secrets(words):
    lines = written(words, "csv").splitlines()
    text = "\n".join(f"{line.split(',')[-1]},{line}" for line in lines)
    assert import_text(text, words.game).digest == words.digest


def test_leaderboards_in_capitals(words):
    """Doddle writes capitals whatever the list has."""
    text = written(words, "csv").upper()
    assert import_text(text, words.game).digest == words.digest


WRONG_GAMES = [
    ("abc\n", "8 of 9 secrets have no game; the first is abd"),
    ("abc,abd\nabc,abd\n", "line 2, column 5: the secret abd has a game already, at line 1"),
    ("abc,ddd\n", "the last guess, ddd, is not a possible secret"),
    ("abc,,abd\n", "a guess is missing between two commas"),
    ("abc,xyz\n", "line 1, column 5"),
    ("\n\n", "expected a game"),
    (
        "\n".join(["ddd,abd", "bad,abc", *("ddd," + secret for secret in SECRETS[2:])]),
        "line 2, column 1: bad is guessed where ddd was at line 1, column 1",
    ),
]


@pytest.mark.parametrize(("text", "message"), WRONG_GAMES)
def test_errors_in_leaderboards(text, message, few):
    with pytest.raises(FormatError, match=message):
        import_text(text, few, "csv")


def solver_json(tree, *, key="map", marks="012", with_wins=True, with_leaves=False):
    """Nested JSON by the plain definition, with the figures that solvers add."""

    def state(node):
        code = tree.game.format_code(int(tree.guess[node]))
        children = list(tree.children(node))
        if not children and node and not with_leaves:
            return code, [1]
        counts = [int(tree.is_winning[node])]
        branches = {}
        for child in children:
            answer = tree.game.format_response(int(tree.response[child]))
            branches[answer.translate(str.maketrans("012", marks))], below = state(child)
            counts += [0] * (len(below) + 1 - len(counts))
            for length, count in enumerate(below, start=1):
                counts[length] += count
        if counts[0] and with_wins:
            win = tree.game.format_response(tree.game.win)
            branches[win.translate(str.maketrans("012", marks))] = code
        value = {"guess": code, key: branches}
        value |= {"depth": len(counts) - 1, "ranking": {"counts": counts}}
        return value, counts

    return state(0)[0]


@pytest.mark.parametrize("marks", ["012", "_?+", "⬛🟨🟩", "⬜🟨🟩"])
@pytest.mark.parametrize(
    "options", [{}, {"key": "next"}, {"with_wins": False}, {"with_leaves": True}]
)
def test_nested_json_of_other_solvers_is_read(words, marks, options):
    text = json.dumps(solver_json(words, marks=marks, **options), indent=1)
    for written_as in (text, f"export default {text};\n", json.dumps(json.loads(text))):
        assert import_text(written_as, words.game) == words
        assert import_text(written_as, words.game, "nested") == words


def test_nested_json_of_pegs_is_read():
    tree = build("p3c4r", "knuth")
    assert import_text(json.dumps(solver_json(tree)), tree.game).digest == tree.digest
    assert import_text(written(tree, "nested"), tree.game).digest == tree.digest


def test_possibilities_are_guessed_in_their_order():
    game = Codebook(["ab", "ba", "cc"], feedback="position")
    text = '{"guess": "cc", "next": {"__": {"guessesLeft": 4, "possibilities": ["ba", "ab"]}}}'
    tree = import_text(text, game)
    assert [game.format_code(int(code)) for code in tree.guess] == ["cc", "ba", "ab"]
    with pytest.raises(FormatError, match=r"__\.possibilities: 3 candidates are left, and no"):
        import_text(text.replace('"ab"', '"ab", "cc"'), game)
    with pytest.raises(FormatError, match="1 candidates are written; there are 2"):
        import_text(text.replace('"ba", ', ""), game)


def change_depth(value):
    value["depth"] += 1


def change_counts(value):
    below = next(child for child in value["map"].values() if isinstance(child, dict))
    below["ranking"]["counts"][0] += 1


def drop_win(value):
    below = next(
        child
        for child in value["map"].values()
        if isinstance(child, dict) and "222" in child["map"]
    )
    del below["map"]["222"]


def other_win(value):
    below = next(child for child in value["map"].values() if isinstance(child, dict))
    below["map"]["222"] = "ddd"


WRONG_JSON = [
    (change_depth, r"\$\.depth: the text claims worst"),
    (change_counts, r"ranking\.counts: the text claims histogram \["),
    (drop_win, "is a possible secret here; the text says it is none"),
    (other_win, r"\.map\.222: after the winning answer the guess itself"),
    (lambda value: value["map"].update({"22": "abc"}), r"\$\.map\.22: '22' is not an answer"),
    (lambda value: value["map"].update({"000": 5}), r"\$\.map\.000: a code, or an object"),
    (lambda value: value.update(map=[]), r"\$\.map: an object is expected"),
    (lambda value: value.update(guess="xyz"), r"\$\.guess"),
]


@pytest.mark.parametrize(("change", "message"), WRONG_JSON)
def test_errors_in_nested_json(change, message, words):
    value = solver_json(words)
    change(value)
    with pytest.raises(FormatError, match=message):
        import_text(json.dumps(value), words.game, "nested")


DEEP = Codebook([chr(0x4E00 + place) for place in range(1030)], feedback="position")
"""Words of a letter each, no letter twice: every guess is wrong but the last."""


@pytest.fixture(scope="module")
def deep():
    """The tree that guesses one word after the other."""
    n, like = DEEP.n_secrets, build("p1c1r")
    columns = {
        "guess": np.arange(n),
        "response": np.array([-1] + [0] * (n - 1)),
        "first_child": np.minimum(np.arange(1, n + 2), n),
        "n_candidates": np.arange(n, 0, -1),
    }
    provenance = replace(like.provenance, strategy="first-consistent", rule="")
    typed = (column.astype(getattr(like, name).dtype) for name, column in columns.items())
    tree = Tree(DEEP, provenance, *typed)
    tree.check()
    return tree


@pytest.mark.parametrize("style", ["nested", "wordle"])
def test_texts_go_as_deep_as_trees(deep, style):
    text = written(deep, style)
    assert import_text(text, DEEP) == import_text(text, DEEP, style) == deep


SIGNS = ["9*8-7", "72/9+", '"a"=b', "{[(<>", "#?!$&", "\\N\\G%", "|~^;:"]


@pytest.mark.parametrize("first", SIGNS)
@pytest.mark.parametrize("style", ["csv", "gv", "nested"])
def test_words_of_any_signs_are_recognized_and_read(style, first):
    game = Codebook([first, *(word for word in SIGNS if word != first)], feedback="position")
    tree = build(game, "first-consistent")
    text = written(tree, style)
    assert import_text(text, game) == import_text(text, game, style) == tree
