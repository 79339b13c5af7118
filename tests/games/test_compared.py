"""Games that compare: traits with a letter each, and matrices of answers."""

from functools import cache
from io import BytesIO, StringIO
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treegen import (
    GameError,
    Player,
    TreegenError,
    UsageError,
    build,
    import_tree,
    open_game,
    openings,
    read,
    verify,
)

from .. import naive
from ..command import run
from ..small_games import read_description
from ..written import bytes_of, text_of

PATTERN = "secret,ant,bee,cow\nant,win,lo,lo\nbee,hi,win,lo\ncow,hi,hi,win\n"

ANIMALS = """animal,Class,Legs,Habitats,Weight,Seen
ant,insect,6,land,0.001,9
bee,insect,6,air;land,0.001,5
carp,fish,0,water,5,2
cow,mammal,4,land,700,7
"duck, wild",bird,2,air;land;water,1,1
frog,amphibian,4,land;water,0.2,3
newt,amphibian,4,land;water,?,1
pike,fish,0,water,5.0,1
"""


def open_table(text, **options):
    return open_game(StringIO(text), **{"notice": lambda note: None, **options})


def open_animals(**options):
    return open_table(ANIMALS, **{"feedback": "traits", "sets": ";", "ignore": "Seen", **options})


def score(game, guess):
    """Return the answers of all candidates to a guess."""
    return [game.answer(guess, game.format_code(code)) for code in range(game.n_secrets)]


def least_total(game, weights=None, costs=None):
    """Return the least total of a game to be won, by plain recursion."""
    n = game.n_secrets
    answers = [[game.score(guess, secret) for secret in range(n)] for guess in range(n)]
    weights, costs = weights or [1] * n, costs or [1] * n

    @cache
    def least(left):
        if not left:
            return 0
        totals = []
        for guess in range(n):
            cells = {}
            for secret in left - {guess}:
                cells.setdefault(answers[guess][secret], set()).add(secret)
            if left not in [frozenset(cell) for cell in cells.values()]:
                weight = costs[guess] * sum(weights[secret] for secret in left)
                totals.append(weight + sum(least(frozenset(cell)) for cell in cells.values()))
        return min(totals)

    return least(frozenset(range(n)))


def test_a_matrix_is_a_game_whose_guesses_are_candidates():
    game = open_table(PATTERN, feedback="matrix")
    tree = build(game, "optimal")
    assert (tree.total, tree.worst, tree.provenance.bound) == (5, 2, 5)
    assert score(game, "bee") == ["lo", "right", "hi"]
    assert verify(tree, prove=True).is_proved
    turned = "secret,cow,bee,ant\nant,lo,lo,win\nbee,lo,win,hi\ncow,win,hi,hi\n"
    assert open_table(turned, feedback="matrix") == game


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PATTERN.replace("ant,win,lo", "ant,win,win"), "row 'ant', column 'bee': the answer 'win'"),
        ("s,a,b\na,x,z\nb,x,y\n", "row 'b', column 'a': the answer 'x' is on the diagonal of this"),
        ("s,a,b\na,x,y\nb,z,y\n", "row 'a', column 'b': the answer 'y' is on the diagonal of this"),
        (PATTERN.replace("lo", "Right", 1), "the answer 'Right' means that a guess is right"),
        (PATTERN.replace("cow\n", "cat\n", 1), "there is no row 'cat'|there is no column 'cow'"),
        (PATTERN.replace("ant,win,lo,lo\n", ""), "there is no row 'ant'"),
        (PATTERN.replace("hi", "?", 1), "the answer of 'bee' to 'ant' is unknown$"),
        ("s,a\na,x\n", "2 to 5,000 candidates can be compared, by one column or more; not 1 by 1"),
    ],
)
def test_tables_that_are_no_matrix_are_refused(text, message):
    with pytest.raises(GameError, match=message):
        open_table(text, feedback="matrix")


def test_what_is_wrong_with_a_matrix_names_its_file(tmp_path):
    for name, text in (
        ("rows.csv", "s,a,c\na,x,y\nb,y,x\n"),
        ("twice.csv", "s,a,b\na,x,x\nb,y,x\n"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(GameError, match=rf"^'.*{name}': (a matrix|row 'a', column 'b')"):
            open_game(tmp_path / name, feedback="matrix")


def test_traits_are_compared_by_letters():
    game = open_animals()
    assert score(game, "frog") == [
        "DHPL", "DHPL", "DLPH", "DEPH", "DLPH", "right", "EEED", "DLPH",
    ]  # fmt: skip
    assert score(game, "carp")[-1] == "EEEE"  # which differs from being right
    assert score(game, "newt")[5] == "EEED"
    assert score(open_animals(sets=None), "frog")[0] == "DHDL"


def test_answers_are_typed_in_several_ways():
    game = open_animals()
    for text in ("DHPL", "dhpl", "x>~<", "D H P L", "🟥🔼🟨🔽", "❌,⬆️,🟧,⬇️"):
        assert game.format_response(game.parse_response(text, 5), 5) == "DHPL"
    for text in ("right", "RIGHT"):
        assert game.parse_response(text) == game.n_responses - 1
    for text in ("", "DHP", "QQQQ", "EHHH"):
        with pytest.raises(GameError, match="is not an answer; there are"):
            game.parse_response(text)


def test_all_equal_wins_where_no_two_candidates_are_alike():
    game = open_table("n,Legs\na,2\nb,4\n", feedback="traits")
    assert game.parse_response("E") == game.parse_response("right") == game.n_responses - 1


CELLS = {
    "numbers": st.sampled_from(["1", "2.0", "2", "10", "-3"]),
    "gaps": st.sampled_from(["1", "2", "10", "?"]),
    "texts": st.sampled_from(["x", "y", "1", ""]),
    "sets": st.sampled_from(["x", "y", "x/y", "y/x", "y/z", "x/y/z"]),
}


@st.composite
def draw_tables(draw, most=6):
    kinds = draw(st.lists(st.sampled_from([*CELLS]), min_size=1, max_size=4))
    n = draw(st.integers(2, most))
    rows = [[draw(CELLS[kind]) for kind in kinds] for _ in range(n)]
    lines = [",".join([f"c{at}", *row]) for at, row in enumerate(rows)]
    head = ",".join(["name", *(f"{kind} {at}" for at, kind in enumerate(kinds))])
    return rows, "\n".join([head, *lines])


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


@settings(max_examples=60)
@given(draw_tables())
def test_responses_are_those_of_the_definition(drawn):
    rows, text = drawn
    game = open_table(text, feedback="traits", sets="/")
    cells = [[frozenset(part or "?" for part in cell.split("/")) for cell in row] for row in rows]
    ordered = [
        all(len(cell) == 1 and all(is_number(text) or text == "?" for text in cell) for cell in own)
        for own in zip(*cells, strict=True)
    ]
    for guess, asked in enumerate(cells):
        for secret, held in enumerate(cells):
            expected = "right" if guess == secret else naive.score_traits(asked, held, ordered)
            assert game.answer(f"c{guess}", f"c{secret}") == expected
    again = read_description(game.description)
    assert (again, again.rules.digest_name) == (game, game.rules.digest_name)


@settings(max_examples=25)
@given(draw_tables(5), st.data())
def test_least_totals_are_those_of_plain_recursion(drawn, data):
    rows, text = drawn
    game = open_table(text, feedback="traits", sets="/")
    tree = build(game, "optimal")
    assert tree.total == least_total(game)
    numbers = st.lists(st.integers(1, 5), min_size=len(rows), max_size=len(rows))
    weights, costs = data.draw(numbers), data.draw(numbers)
    staked = game.with_stakes(weights, costs)
    weights = [1] * len(rows) if staked.weights is None else staked.weights.tolist()
    best = build(staked, "optimal")
    assert best.total == least_total(game, weights, staked.costs.tolist())
    for made in (tree, best, build(game, "entropy")):
        assert verify(read(bytes_of(made, "tree"))).is_sound
        assert import_tree(BytesIO(bytes_of(made, "table")), format="table").digest == made.digest


@pytest.mark.parametrize("options", [{}, {"goal": "identify"}, {"weights": "Seen"}])
def test_trees_come_back_from_tables_and_texts(options):
    tree = build(open_animals(**options), "optimal")
    table = bytes_of(tree, "table")
    for game in (None, tree.game):
        assert import_tree(BytesIO(table), game, format="table").digest == tree.digest
    for style in ("indented", "key", "booklet"):
        text = text_of(tree, "text", style=style)
        assert import_tree(StringIO(text), tree.game, format="text").digest == tree.digest
    assert import_tree(StringIO(text_of(tree, "json")), tree.game).digest == tree.digest
    player = Player(table)
    for secret in range(tree.n_secrets):
        player.restart()
        while player.found is None:
            asked = tree.game.parse_code(player.guess)
            reply = tree.game.score(asked, secret)
            player.answer(tree.game.format_response(reply).lower())
        assert player.found_code == secret


def test_a_table_of_another_game_is_refused():
    tree = build(open_animals(), "entropy")
    with pytest.raises(TreegenError, match="not of"):
        import_tree(
            BytesIO(bytes_of(tree, "table")), open_animals(ignore="Seen,Legs"), format="table"
        )


@pytest.mark.parametrize("goal", ["win", "identify"])
@pytest.mark.parametrize("numbers", [{}, {"weights": "Seen"}, {"costs": "Seen"}])
def test_certificates_hold_the_answers(goal, numbers, tmp_path):
    path = tmp_path / "a.proof"
    tree = build(open_animals(goal=goal, **numbers), "optimal", certificate=path)
    assert verify(tree, certificate=path).is_proved


def test_more_than_255_answers_are_told_apart():
    draw = Random(5)
    cells = [[str(draw.randrange(9)) for _ in range(24)] for _ in range(22)]
    head = ",".join(["name", *(f"t{column}" for column in range(24))])
    text = "\n".join([head, *(f"n{row},{','.join(own)}" for row, own in enumerate(cells))])
    game = open_table(text, feedback="traits")
    assert game.n_responses > 256
    numbers = [[frozenset([cell]) for cell in own] for own in cells]
    for guess in range(22):
        for secret in {*range(22)} - {guess}:
            expected = naive.score_traits(numbers[guess], numbers[secret], [True] * 24)
            assert game.answer(f"n{guess}", f"n{secret}") == expected
    tree = build(game, "optimal")
    assert tree.total == 2 * 22 - 1
    assert verify(tree, prove=True).is_proved


def test_lists_of_dicts_have_sets():
    rows = [{"n": "a", "Types": {"x", "y"}}, {"n": "b", "Types": {"y"}}, {"n": "c", "Types": None}]
    game = open_game(rows, feedback="traits", notice=lambda note: None)
    assert score(game, "a") == ["right", "P", "D"]


def test_a_table_to_compare_may_have_its_own_separator():
    text = "n|Legs\na|2\nb|4\n"
    game = open_table(text, feedback="traits", separator="|")
    assert game.answer("a", "b") == "H"


def test_notes_say_what_is_unknown_and_what_may_be_a_set():
    notes = []
    open_animals(sets=None, notice=notes.append)
    assert notes == [
        "1 of 32 answers is unknown, the first that of 'newt' to 'Weight' in line 8: it is a value"
        " of its own",
        "'land;water' joins 2 values: if they are a set, `sets=';'`",
    ]
    text = "n,T\na,x\nb,y\nc,x;y\n"
    open_table(text, feedback="traits", notice=(noted := []).append)
    assert noted == ["'x;y' joins 2 values: if they are a set, `sets=';'`"]


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("p4c6r", {}, "feedback=traits works only with a table of candidates; 'p4c6r' is not one"),
        (StringIO(ANIMALS), {"classes": "Class"}, "classes= cannot be combined with feedback="),
        (StringIO(ANIMALS), {"any": "-"}, "any= cannot be combined with feedback=traits"),
        (StringIO(ANIMALS), {"count_rows": True}, "count_rows= cannot be combined with feedback="),
        (StringIO(ANIMALS), {"guesses": ["a"]}, "takes feedback=traits or feedback=matrix"),
        (StringIO(ANIMALS), {"letters": "ch"}, "letters= works only with a codebook"),
        (StringIO(ANIMALS), {"costs": "Price"}, "has no column 'Price'"),
        (StringIO(ANIMALS), {"costs": "Legs"}, "'carp': the cost 0 is not a positive integer"),
        (StringIO(ANIMALS), {"strict": True}, "unknown; without strict=True it is a value of its"),
        (StringIO(ANIMALS), {"ignore": "Class,Legs,Habitats,Weight,Seen"}, "not 8 by 0"),
    ],
)
def test_what_cannot_be_compared_is_refused(game, options, message):
    with pytest.raises((GameError, UsageError), match=message):
        open_game(game, feedback="traits", notice=lambda note: None, **options)


@pytest.mark.parametrize(
    "change",
    [
        lambda parts: ["traits", *parts[1:-1]],
        lambda parts: ["matrix", *parts[1:]],
        lambda parts: [*parts[:-1], "a\nb\nb\nb\na\na\na\na"],
        lambda parts: [*parts[:-2], "0,9", ""],
    ],
)
def test_damaged_descriptions_are_refused(change):
    with pytest.raises(GameError):
        read_description(change(open_animals().description))


def test_a_guess_of_no_candidate_is_named_so():
    with pytest.raises(GameError, match=r"^'yak' is not a candidate of "):
        openings(open_animals(), first="yak")


def test_commands_take_games_that_compare(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "animals.csv").write_text(ANIMALS, "utf-8")
    game = ["animals.csv", "--feedback", "traits", "--sets", ";", "--ignore", "Seen"]
    assert run("build", *game, "-s", "optimal", "-q", "-o", "a.tree") == 0
    for words in (
        ["games", *game],
        ["openings", *game, "-s", "optimal", "--top", "3"],
        ["build", *game, "-s", "best", "--gap", "0", "-q", "-o", "b.tree"],
        ["build", *game, "--history", "duck, wild:DHPL", "-q", "-o", "h.tree"],
        ["compare", *game, "-s", "entropy", "a.tree"],
        ["simulate", *game, "-s", "entropy", "--games", "9"],
        ["play", *game, "--secret", "frog"],
        ["score", *game, "cow", "frog", "duck, wild"],
        ["explain", "a.tree", "--exact"],
        ["verify", "a.tree", "--prove", "--game", *game],
        ["export", "booklet", "a.tree", "-q", "-o", "a.html"],
        ["export", "dot", "a.tree", "-q", "-o", "a.dot"],
        ["certify", "a.tree", "-q", "-o", "a.proof"],
    ):
        assert run(*words) == 0, words
    out = capsys.readouterr().out
    assert "frog        DEPL" in out
    assert "duck, wild  DLPL" in out
