"""Every kind of game × every format × awkward names: mid-game trees come back, or are refused.

What is written is read back with its digest. A format that cannot hold a name refuses it when it
is written, in a sentence.
"""

import io
from functools import cache
from itertools import cycle

import pytest
import regex

from treegen import (
    Codebook,
    FormatError,
    Questions,
    UsageError,
    build,
    import_tree,
    open_game,
    read,
    verify,
)
from treegen.games.histories import format_history

from .small_games import history_of


def split_letters(text):
    """Return the letters of a text as they are seen."""
    return regex.findall(r"\X", text)


LABELS = [
    *"/:,;|\"'\\$&<>#%=@*→",
    *("a/b:c/d:e", "1/2", " x  y ", "3", "0", "-", "no", "right"),
    *("x" * 200, "…", "...", "[", "{b}"),
    *("שלום", "مرحبا", "❤️", "👩‍🚀", "🇩🇪", "ọ́bẹ̀", "e\u0301", "ﬁ", "İ", "a | b", "a, b", "a → 2, b"),
    *("\\N", "$^$", "(2)", '["a"]', "1. a", "x: y?", "?!", "; r", "first=a", "digest:", "# a: b"),
    *("<a href='x'>", "&amp;", "%s %d", "null", "NaN", "0x1", "1e3", "​".strip("​") or "~"),
]
WITHOUT_HEADER = ["mmstrat", "codegolf", "csv", "nested", "wordle", "gv"]
STYLES = ["indented", "booklet", "lines", "irving", *WITHOUT_HEADER]
TABLE_FORMATS = ["tree", "table", "json", "graphml", "indented", "booklet", "key"]
CODE_FORMATS = ["tree", "table", "json", "graphml", *STYLES, "r-post"]


def make_table(label, goal):
    """Return a game whose candidates, questions and answers hold a label."""
    rows = [["x", label, "1"], ["x", "y", "2"], ["b", "x", "2"], ["b", "y", "1"], ["b", "y", label]]
    names = [f"{label}1", f"{label} {label}", f"1 {label}", f"{label}:{label}", f"{label}/x"]
    questions = [f"{label}?", f"long {label}", f"{label}{label}"]
    return Questions(rows, names=names, questions=questions, goal=goal)


def make_book(label, rule):
    """Return a word game whose letters are those of a label."""
    letters = split_letters("".join(label.split()))
    a, b = letters[0], next((letter for letter in letters if letter != letters[0]), "b")
    words = [f"{a}{b}c", f"c{b}{a}", f"{a}{a}{a}", f"{b}c{a}", f"{b}{b}{a}", "ccc"]
    return Codebook(list(dict.fromkeys(words)), feedback=rule)


SHORT = [label for label in LABELS if len(split_letters(label)) < 4]

GAMES = {
    **{
        f"table to {goal}, {label[:12]!r}": (make_table, label, goal)
        for label, goal in zip(LABELS, cycle(["identify", "win"]), strict=False)
    },
    **{
        f"{rule}, {label[:12]!r}": (make_book, label, rule)
        for label, rule in zip(SHORT, cycle(["pegs", "position", "black"]), strict=False)
    },
    **{
        f"{name} to {goal}": (open_game, name, goal)
        for name in ("p3c3r", "p3c4n", "p3c3rb", "a211", "range9", "coins3")
        for goal in ("identify", "win")
    },
}


@cache
def make_game(case):
    make, name, kind = GAMES[case]
    return open_game(name, goal=kind) if make is open_game else make(name, kind)


def build_mid_game(game):
    """Return the tree behind the first guess of another and its answer of most candidates."""
    strategy = "entropy" if game.kind == "range" else "knuth"
    whole = build(game, strategy)
    node = max(whole.children(0), key=lambda child: whole.n_candidates[child])
    return build(game, strategy, history=write(game, history_of(whole, node)))


def write(game, pairs):
    name = game.notation.name_guess
    return [(name(guess), game.format_response(reply, guess)) for guess, reply in pairs]


def return_from(name, tree):
    """Return a tree as a format has it; None if the format refuses it when it is written."""
    stream, game = io.BytesIO(), tree.game
    is_style = name in STYLES or name in ("key", "r-post")
    try:
        tree.write(stream, "text" if is_style else name, **({"style": name} if is_style else {}))
    except (UsageError, FormatError) as error:
        assert len(str(error)) > 20 and "\n" not in str(error)
        return None
    if name == "tree":
        return read(stream.getvalue())
    stream.seek(0)
    if name == "table":
        return import_tree(stream, game, format="table")
    if name in WITHOUT_HEADER:
        past = write(game, tree.provenance.history)
        return import_tree(stream, game, format=name, history=past)
    return import_tree(stream, game, format="text" if is_style else name)


REFUSED = {
    "table": lambda game: any(len(symbol) > 1 for symbol in game.notation.own_symbols),
    "codegolf": lambda game: game.n_colors < 1 or any(s in '{"' for s in game.notation.own_symbols),
    "csv": lambda game: any("," in symbol for symbol in game.notation.own_symbols),
    "wordle": lambda game: game.rule != "position",
}
"""What a format cannot hold of games whose codes are not questions."""


KINDS = ["table to identify", "table to win", "pegs", "black", "position", "p", "a", "r", "coins"]
each_kind = pytest.mark.parametrize("kind", KINDS)


def list_cases(kind):
    """Return the games of a kind: those whose names begin with it, but with no longer one."""
    longest = {case: max((one for one in KINDS if case.startswith(one)), key=len) for case in GAMES}
    return [case for case, one in longest.items() if one == kind]


@each_kind
def test_mid_game_trees_come_back_from_every_format(kind):
    for case in list_cases(kind):
        game = make_game(case)
        tree = build_mid_game(game)
        formats = TABLE_FORMATS if game.kind == "questions" else CODE_FORMATS
        for name in formats:
            back = return_from(name, tree)
            if back is None:
                assert name in REFUSED and REFUSED[name](game), (case, name)
            else:
                assert back.digest == tree.digest, (case, name)


def test_the_crossing_is_large():
    sizes = [len(TABLE_FORMATS if GAMES[case][0] is make_table else CODE_FORMATS) for case in GAMES]
    assert sum(sizes) > 600
    assert sorted(case for kind in KINDS for case in list_cases(kind)) == sorted(GAMES)


@each_kind
def test_every_history_path_first_guess_and_secret_can_be_written(kind):
    for case in list_cases(kind):
        game = make_game(case)
        strategy = "entropy" if game.kind == "range" else "knuth"
        tree = build(game, strategy)
        for node in tree:
            pairs = history_of(tree, node.number)
            assert node.history == format_history(game.notation, pairs), case
            assert tree[node.history] == tree[write(game, pairs)] == node, case
            assert tree[[reply for _, reply in write(game, pairs)]] == node, case
        first = game.notation.name_guess(int(tree.guess[0]))
        assert build(game, strategy, first=first).digest == tree.digest, case
        assert build(game, strategy, first=[first]).digest == tree.digest, case
        for secret in range(game.n_secrets):
            assert tree.play(game.format_code(secret)).is_found, case


def test_a_candidate_that_is_spelled_like_a_question_can_be_guessed():
    rows = [["no", "x"], ["no", "y"], ["yes", "x"]]
    game = Questions(rows, names=["2", "3", "4"], questions=["2", "q"], goal="win")
    candidate, question = game.parse_code("Is it 2?"), game.parse_code("2")
    assert (candidate, question) == (0, 3)
    assert format_history(game.notation, [(0, 0), (3, 0)]) == "Is it 2?:no/2:no"
    both = build(game, "knuth", history="Is it 2?:no/2:no")
    assert both.provenance.history == ((0, 0), (3, 0))
    later = build(game, "knuth", history="Is it 2?:no")
    assert all(return_from(name, later).digest == later.digest for name in TABLE_FORMATS)
    for strategy in ("knuth", "optimal"):
        tree = build(game, strategy, first="Is it 2?")
        assert (int(tree.guess[0]), verify(tree, prove=True).problems) == (0, ())
        assert int(build(game, strategy, first="2").guess[0]) == 3
