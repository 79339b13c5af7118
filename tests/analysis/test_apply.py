"""Trees applied to rows: what is announced, by which shares, and what is refused."""

import io
from fractions import Fraction
from random import Random

import pytest

import treegen
from treegen import GameError, UsageError

from ..command import run
from ..small_tables import draw_certain, draw_table

ZOO = """animal,Feathers?,Legs,Lives,kind
sparrow,yes,2,land,bird
penguin,yes,2,water,bird
dog,no,4,land,mammal
whale,no,0,water,mammal
ant,no,6,land,insect
bee,no,6,land,insect
"""
ROWS = """name,Legs,feathers?,kind
crow,2,yes,bird
cow,4,?,mammal
bat,2,no,mammal
beetle,,,insect
"""


@pytest.fixture(scope="module")
def zoo():
    """Return the tree of the classes of ZOO: it asks for the legs alone."""
    return treegen.build(io.StringIO(ZOO), "optimal", classes="kind")


@pytest.fixture
def folder(tmp_path, monkeypatch, zoo):
    monkeypatch.chdir(tmp_path)
    zoo.write(tmp_path / "zoo.tree")
    (tmp_path / "rows.csv").write_text(ROWS, encoding="utf-8")
    return tmp_path


def find_shares(node, weights, answer):
    """Return what may be announced below a node by the plain definition, with its weight.

    `weights` has those of the candidates left, `answer` what a row answers to a guess: a set of
    texts, of which each is possible, or None.
    """
    game, left = node.tree.game, dict(weights)
    if node.is_leaf:
        return left
    found, given = {}, answer(node.guess)
    replies = {node.answer: node for node in node.children}
    for reply in {each for name in left for each in game.answers(node.guess, name)}:
        if given is not None and reply not in given:
            continue
        shares = {name: game.answers(node.guess, name).get(reply, 0) for name in left}
        below = {name: left[name] * share for name, share in shares.items() if share}
        if reply in replies:
            below = find_shares(replies[reply], below, answer)
        for name, weight in below.items():
            found[name] = found.get(name, 0) + weight
    return found


@pytest.mark.parametrize("seed", range(60))
def test_rows_get_the_shares_of_the_plain_definition(seed):
    random = Random(seed)
    draw = random.choice(("table", "win", "certain"))
    game = draw_certain(seed) if draw == "certain" else draw_table(
        seed, goal="win" if draw == "win" else "identify"
    )[0]  # fmt: skip
    tree = treegen.build(game, random.choice(("optimal", None)))
    table, rows = game.table, []
    for _ in range(5):
        rows.append({question: _draw_cell(random, labels) for question, labels in
                     zip(table.questions, table.answers, strict=True)})  # fmt: skip
    for given, row in zip(rows, tree.apply(rows, notice=lambda text: None), strict=True):
        weights = {name: Fraction(1) for name in table.names}
        if game.weights is not None:
            weights = dict(zip(table.names, map(Fraction, game.weights.tolist()), strict=True))
        found = find_shares(tree.root, weights, lambda asked, given=given: given.get(asked))
        if not found:  # the row fits no candidate: what is left before that is announced
            continue
        names = dict(zip(table.names, table.classes or table.names, strict=True))
        found = found if any(found.values()) else dict.fromkeys(found, Fraction(1))
        sums = {}
        for name, weight in found.items():
            sums[names[name]] = sums.get(names[name], 0) + weight
        expected = {name: float(weight / sum(sums.values())) for name, weight in sums.items()}
        assert dict(row.shares) == pytest.approx(expected), given
        assert [share for _, share in row.shares] == sorted((s for _, s in row.shares))[::-1]


def _draw_cell(random, labels):
    kind = random.random()
    if kind < 0.3:
        return None
    return {random.choice(labels) for _ in range(1 + (kind > 0.8))}


def test_every_row_of_the_table_of_a_tree_is_found():
    game = treegen.read_questions(io.StringIO(ZOO), ignore="kind")
    applied = treegen.build(game).apply(io.StringIO(ZOO), ignore="kind", check="animal")
    assert applied.announced == ["sparrow", "penguin", "dog", "whale", "ant | bee", "ant | bee"]


@pytest.mark.parametrize("goal", ["win", "identify"])
def test_guesses_are_columns_of_games_without_questions(goal):
    game = treegen.open_game("p2c3r", goal=goal)
    tree = treegen.build(game)
    rows = []
    for secret in range(game.n_secrets):
        text = game.format_code(secret)
        rows.append({game.format_code(c): game.answer(game.format_code(c), text)
                     for c in range(game.n_codes)})  # fmt: skip
    applied = tree.apply(rows, strict=True)
    assert applied.announced == [game.format_code(secret) for secret in range(game.n_secrets)]
    (nothing,) = tree.apply([{}, {"11": None}], notice=lambda text: None)[1:]
    assert len(nothing.shares) == 9
    assert nothing.announced == " | ".join(f"{name} 11.1%" for name, _ in nothing.shares)


def test_more_than_ten_are_counted(zoo):
    tree = treegen.build("p2c4r")
    (row,) = tree.apply([{"11": ""}], notice=lambda text: None)
    assert row.announced.endswith(" | … (6 more)")
    assert len(row.shares) == 16


def test_frames_lists_and_files_are_read_alike(zoo):
    pandas = pytest.importorskip("pandas")
    options = {"notice": lambda text: None}
    expected = ["bird", "mammal", "bird", "bird 33.3% | mammal 33.3% | insect 33.3%"]
    frame = pandas.read_csv(io.StringIO(ROWS))  # its legs are 2.0, 4.0, NaN
    rows = [{"Legs": 2}, {"Legs": "4", "x": 1}, {"Legs": 2.0}, {}]
    for source in (
        io.StringIO(ROWS),
        io.BytesIO(ROWS.encode()),
        frame,
        frame.set_index("name"),
        rows,
    ):
        assert zoo.apply(source, **options).announced == expected
    frame["found"] = zoo.apply(frame, **options).announced
    assert frame["found"][0] == "bird"
    assert zoo.apply([]).announced == []


def test_sets_follow_each_of_their_answers(zoo):
    rows = [{"Legs": {2, 6}}, {"Legs": {4, 0}}]
    first, second = zoo.apply(rows)
    assert first.shares == (("bird", 0.5), ("insect", 0.5))
    assert second.announced == "mammal"
    assert zoo.apply(io.StringIO("n,Legs\nx,2/6\n"), sets="/").rows[0].shares == first.shares
    assert zoo.apply(io.StringIO("n,Legs\nx,2/NA\n"), sets="/", unknown="NA")[0].shares[0][1] < 0.4


def test_what_the_tree_does_not_know_is_named_once_and_refused_if_strict(zoo):
    text = "n,Legs,color\na,5,red\nb,5,red\nc,4,red\n"
    told = []
    applied = zoo.apply(io.StringIO(text), notice=told.append)
    assert told == [
        "the input: the tree knows no question 'color'",
        "the input line 2: to 'Legs', '5' is not an answer; there are 0, 2, 4, 6: it counts as"
        " unknown",
    ]
    assert [len(row.shares) for row in applied] == [3, 3, 1]
    with pytest.raises(GameError, match=r"^the input: the tree knows no question 'color'$"):
        zoo.apply(io.StringIO(text), strict=True)
    with pytest.raises(GameError, match="line 2: to 'Legs', '5' is not an answer"):
        zoo.apply(io.StringIO(text), strict=True, ignore="color")
    with pytest.raises(GameError, match=r"no column 'Legs', which the tree asks$"):
        zoo.apply([{"Lives": "land"}], strict=True)
    assert zoo.apply(io.StringIO("n,Legs\na,2\n"), strict=True).announced == ["bird"]


def test_one_and_several_are_told_in_good_english():
    tree = treegen.build("p2c3r", "knuth")
    told = []
    applied = tree.apply(io.StringIO("n,12,x,y\na,10,1,2\n"), notice=told.append)
    assert told == [
        "the input: the tree knows no questions 'x', 'y'",
        "the input has no columns '11', '22', '23', which the tree asks: their answers are unknown",
    ]
    assert str(applied).startswith("1 row, for 1 of them several are announced")
    assert str(tree.apply([{"11": "20"}])) == "1 row, with one announcement"


def test_a_row_that_fits_no_candidate_has_what_was_left_before():
    rows = "n,a,b\nw,x,x\nx,x,y\ny,y,y\n"
    tree = treegen.build(io.StringIO(rows), first="a")
    told = []
    (row,) = tree.apply([{"a": "y", "b": "x"}], notice=told.append)
    assert row.announced == "y"  # b is not asked
    tree = treegen.build(io.StringIO("n,a,b\nw,x,1\nx,x,2\ny,y,3\nz,y,4\n"), first="a")
    (row,) = tree.apply([{"a": "y", "b": 1}], notice=told.append)
    assert row.announced == "y 50.0% | z 50.0%"
    assert told == [
        "the table row 1: no secret answers b with 1; possible here: 3 4; what is left before that"
        " answer is announced"
    ]
    with pytest.raises(GameError, match=r"no secret answers b with 1; possible here: 3 4$"):
        tree.apply([{"a": "y", "b": 1}], strict=True)


@pytest.mark.parametrize(
    ("rows", "options", "told"),
    [
        (7, {}, "rows are a file, a frame or a list of dicts, not 7"),
        ("n,Legs\nx\n", {}, "line 2 has 1 cell; the header has 2 columns"),
        ("n,Legs\nx,2,3\n", {}, "line 2 has 3 cells; the header has 2 columns"),
        ("n,Legs,legs\nx,2,3\n", {}, "the columns 'Legs' and 'legs' are one question"),
        ("n,Legs,n\nx,2,3\n", {}, "two columns are 'n'"),
        ("n,Legs\nx,2\n", {"column": "n"}, "two columns are 'n'; column= names the one"),
        ("n,Legs\nx,2\n", {"check": "kind"}, "no column 'kind'"),
        ("n,Legs\nx,2\n", {"ignore": "legs"}, "no column 'legs'; did you mean 'Legs'"),
        ("n,Legs\nx,2\n", {"sets": ""}, "not an empty text"),
        ("n,Legs\nx,2\n", {"column": ""}, "column= is the name of the column that is added, not"),
        ("", {}, "is empty"),
    ],
)
def test_what_cannot_be_applied_is_refused_in_one_line(zoo, rows, options, told):
    source = io.StringIO(rows) if isinstance(rows, str) else rows
    with pytest.raises((GameError, UsageError), match=told) as error:
        zoo.apply(source, **options)
    assert "\n" not in str(error.value)


def test_a_check_has_accuracy_and_confusion(zoo):
    applied = zoo.apply(io.StringIO(ROWS), check="kind")
    assert applied.confusion == {
        "bird": {"bird": 1},
        "mammal": {"mammal": 1, "bird": 1},
        "insect": {"bird": 1},
    }
    assert applied.accuracy == 0.5
    assert str(applied).splitlines() == [
        "4 rows, for 1 of them several are announced",
        "accuracy by 'kind': 0.5000",
        "says, announced  bird  insect  mammal",
        "bird                1       0       0",
        "insect              1       0       0",
        "mammal              1       0       1",
    ]


def test_of_many_labels_only_those_that_are_confused_are_printed():
    table = [{"n": f"c{n}", "q": n, "r": n % 2} for n in range(20)]
    tree = treegen.build(table)
    rows = [*table[:-1], {**table[-1], "q": 0}]
    assert str(tree.apply(rows, check="n")).splitlines()[1:] == [
        "accuracy by 'n': 0.9500",
        "says, announced  c0  c19",
        "c0                1    0",
        "c19               1    0",
    ]


def test_the_command_adds_a_column(folder, capsys):
    assert run("apply", "zoo.tree", "rows.csv", "--trace", "--column", "found") == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "name,Legs,feathers?,kind,found,answers",
        "crow,2,yes,bird,bird,Legs: 2",
        "cow,4,?,mammal,mammal,Legs: 4",
        "bat,2,no,mammal,bird,Legs: 2",
        "beetle,,,insect,bird 33.3% | mammal 33.3% | insect 33.3%,Legs: ?",
    ]
    assert err == "treegen: 'rows.csv': the tree knows no question 'kind'\n"


def test_the_command_writes_a_file_and_prints_the_check(folder, capsys):
    assert run("apply", "zoo.tree", "rows.csv", "--check", "kind", "-o", "out.csv") == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[1] == "accuracy by 'kind': 0.5000"
    assert err == ""
    assert (folder / "out.csv").read_text().splitlines()[1] == "crow,2,yes,bird,bird"
    assert run("apply", "zoo.tree", "rows.csv", "--check", "kind") == 0
    out, err = capsys.readouterr()
    assert out == (folder / "out.csv").read_text()
    assert "accuracy by 'kind': 0.5000" in err


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("apply zoo.tree rows.csv --strict", "the tree knows no question 'kind'"),
        ("apply zoo.tree rows.csv -o rows.csv", "the output 'rows.csv' is the input 'rows.csv'"),
        ("apply zoo.tree rows.csv -o zoo.tree", "the output 'zoo.tree' is the input 'zoo.tree'"),
        ("apply zoo.tree rows.csv --column kind", "--column names the one that is added"),
        ("apply - -", "TREE and ROWS cannot both be read from the standard input"),
        ("apply zoo.tree none.csv", "cannot read 'none.csv'"),
        ("apply rows.csv rows.csv", "neither a .tree file nor a .tgt table"),
    ],
)
def test_the_command_refuses_in_one_line(folder, capsys, line, told):
    assert run(*line.split()) == 2
    out, err = capsys.readouterr()
    assert told in err
    assert (out, err.count("\n")) == ("", 1)


def test_numbers_answer_the_thresholds_of_their_column():
    text = "leaf,Length (cm),Edge\noak,5-12,lobed\nash,3,toothed\nelm,4.1,toothed\nfir,1,smooth\n"
    tree = treegen.build(io.StringIO(text), "optimal", thresholds="all", ignore="Edge")
    rows = "LENGTH (CM)\n3.5\n3.55\n2-3.2\n11/1.9\n?\n"
    notes = []
    applied = tree.apply(io.StringIO(rows), sets="/", trace=True, notice=notes.append)
    assert (applied.announced[:3], notes) == (["ash", "elm", "ash"], [])
    assert "oak" in applied.announced[3] and "fir" in applied.announced[3]
    assert applied[4].shares == applied.tree.apply([{"x": 1}], notice=notes.append)[0].shares
    asked, reply = applied[2].answers[0]
    assert asked.startswith("Length (cm) < ") and reply in ("no", "yes")
    assert tree.apply(io.StringIO(text), ignore="Edge").announced == ["oak", "ash", "elm", "fir"]


def test_what_a_column_of_thresholds_lacks_is_told_once():
    numbers = [{"name": name, "x": place} for place, name in enumerate("abcd")]
    tree, notes = treegen.build(numbers, "optimal", thresholds="x"), []
    tree.apply(io.StringIO("n,x\nu,tall\n"), notice=notes.append)
    assert [note.partition(" is neither")[0] for note in notes] == ["the input line 2, 'x': 'tall'"]
    tree.apply(io.StringIO("n\nu\n"), notice=notes.append)
    assert notes[1:] == [
        "the input has no column 'x', which the tree asks: its answers are unknown"
    ]


def test_what_is_no_number_does_not_answer_a_threshold():
    tree = treegen.build([{"name": "a", "x": 1}, {"name": "b", "x": 2}], thresholds="x")
    notes = []
    assert tree.apply([{"x": "tall"}], notice=notes.append).announced == ["a 50.0% | b 50.0%"]
    (note,) = notes
    assert note.startswith("the table row 1, 'x': 'tall' is neither a number")
    with pytest.raises(GameError, match="'1,200' is no number: decimals have a point"):
        tree.apply([{"x": "1,200"}], strict=True)
    given = [{"x < 1.5": "yes", "x": 9}]  # what answers the question itself comes first
    assert tree.apply(given, notice=notes.append).announced == ["a"]
