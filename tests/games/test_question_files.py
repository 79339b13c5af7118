"""Tables of answers read from files, functions and frames; the reader's limits are made small."""

import io
import re

import pytest

import treegen
from treegen import FormatError, GameError, read_questions

from .test_uncertain_files import read_text

ANIMALS = """animal,Feathers?,Legs
sparrow,yes,2
dog,no,4
spider,no,8
"""


def write(tmp_path, text, name="animals.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_forms_of_a_file_are_one_game(tmp_path, delimiter, start, end):
    text = start + ANIMALS.replace(",", delimiter).replace("\n", end)
    game = read_questions(write(tmp_path, text))
    assert game.rules.digest_name == read_questions(write(tmp_path, ANIMALS)).rules.digest_name
    assert (game.table.names, game.name) == (("sparrow", "dog", "spider"), "animals.csv")
    assert [game.notation.list_answers(code) for code in (3, 4)] == [("no", "yes"), ("2", "4", "8")]


def test_quoted_cells_and_spaces(tmp_path):
    text = 'x,"Home, or nest?",Says\n"Duck, tame", in  water ,"a ""quack"""\nCat,house,miaow\n'
    game = read_questions(write(tmp_path, text))
    assert game.table.names == ("Duck, tame", "Cat")
    assert game.table.questions == ("Home, or nest?", "Says")
    assert game.table.answers == (("house", "in water"), ('a "quack"', "miaow"))


def test_open_files_are_read():
    games = [read_questions(io.BytesIO(ANIMALS.encode())), read_questions(io.StringIO(ANIMALS))]
    assert {game.name for game in games} == {"3 candidates, 2 questions"}


def test_a_row_that_the_head_cuts(tmp_path, monkeypatch):
    path = write(tmp_path, ANIMALS)
    whole = read_questions(path).description
    for length in range(1, len(ANIMALS) + 1):
        monkeypatch.setattr("treegen.games.question_files._HEAD_CHARACTERS", length)
        if "\n" in ANIMALS[:length]:
            assert read_questions(path).description == whole


PLAIN = "name,a,b\nx,1,2\ny,2,1\n"
SPREADSHEETS = {
    "separator": "sep=;\r\nname;a;b\r\nx;1;2\r\ny;2;1\r\n",
    "any-separator": '"sep=|"\nname|a|b\nx|1|2\ny|2|1\n',
    "empty-columns": "name,a,b,,\nx,1,2,,\ny,2,1,,\n",
    "empty-rows": "name;a;b;\n;;;\nx;1;2;\n;;;\ny;2;1;\n;;;\n",
    "shorter-rows": "name,a,b,,\nx,1,2\ny,2,1,\n",
    "comments": "# kept by hand, in 2026\nname,a,b\n\nx,1,2\n  # not sure,5,6\ny,2,1\n#z,3,3\n",
    "old-macs": "name,a,b\rx,1,2\ry,2,1\r",
}


@pytest.mark.parametrize("text", SPREADSHEETS.values(), ids=SPREADSHEETS)
def test_habits_of_spreadsheets_and_comments(tmp_path, text):
    game = read_questions(write(tmp_path, text))
    assert game.rules.digest_name == read_questions(write(tmp_path, PLAIN)).rules.digest_name
    assert read_questions(io.StringIO(text)) == game


def test_a_name_that_begins_with_a_hash_stands_in_quotes(tmp_path):
    text = '"#",a\n"#1",x\n#2,y\n"many\n# lines",z\n'
    assert read_questions(write(tmp_path, text)).table.names == ("#1", "many # lines")


WEIGHTS = "if they are weights: `weights="


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        (
            "name,count\na,5\nb,6\n",
            [f"the numbers of 'count' are read as answers; {WEIGHTS}'count'`"],
        ),
        ("n,q,How often\na,x,5\nb,y,7\n", [f"the numbers of 'How often' .* {WEIGHTS}'How often'`"]),
        (
            "n,q\na,0.5\nb,2.5\nc,3\n",
            [
                "'q' has 3 numbers: `thresholds='q'` asks",
                f"the numbers of 'q' are read as answers; {WEIGHTS}'q'`",
            ],
        ),
        ('n;q\na;0,5\nb;"2,5"\nc;3\n', [f"the numbers of 'q' are read as answers; {WEIGHTS}'q'`"]),
        ("n,q\na,1200\nb,31\nc,4\n", [f"the numbers of 'q' are read as answers; {WEIGHTS}'q'`"]),
        ("n,q\na,4\nb,6\nc,8\n", []),
        ("n,q,r\na,0.5,1\nb,0.5,2\nc,1.5,1\n", []),
        ("n,count\na,many\nb,few\n", []),
        ("n,q,r\na,2,x\nb,3,y\ncost,1,1\n", ["'cost' is read as a candidate; .* `costs='cost'`"]),
        (
            "n,Wings?\na,Yes\nb,yes\nc, YES \nd,no\n",
            ["the answers 'YES', 'Yes' and 'yes' to 'Wings\\?' differ in case alone: .* 3 answers"],
        ),
        ("n,q\na,STRASSE\nb,straße\n", ["the answers 'STRASSE' and 'straße' to 'q' differ in"]),
    ],
)
def test_what_may_be_meant_otherwise_is_noted(tmp_path, text, notes):
    found = read_questions(write(tmp_path, text)).table.notes
    assert len(found) == len(notes)
    for note, pattern in zip(found, notes, strict=True):
        assert re.match(pattern, note)


def test_weights_that_are_named_are_not_offered(tmp_path):
    text = "name,q,count\na,x,500\nb,y,\nc,y,3\n"
    with pytest.raises(GameError, match="'b' has no weight; default_weight= gives it one"):
        read_questions(write(tmp_path, text), weights="count")
    game = read_questions(write(tmp_path, text), weights="count", default_weight="0.5")
    assert [note.partition(";")[0] for note in game.table.notes] == [
        "no question tells apart: b, c"
    ]
    assert game.weights.tolist() == [1000, 7]


def test_columns_may_be_set_aside(tmp_path):
    text = "x,a,weight,b\np,1,10,1\nq,1,20,1\nr,2,0.5,1\ns,2,7,2\n"
    game = read_questions(write(tmp_path, text), ignore=["weight"])
    assert game.table.names == ("p | q", "r", "s")
    assert (game.aside, game.table.rows) == (
        {"weight": ["10", "20", "0.5", "7"]},
        ((0, 1), (2,), (3,)),
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty: a header of questions is expected"),
        ("name,a\n", "has a header but no candidates"),
        ("name\nx\n", "has one column"),
        ("name,a,\nx,1,2\n", "the header's column 3 has no question, and line 2 has '2' there"),
        ("name,a,,b\nx,1,2,3\n", "the header's column 3 has no question"),
        ("#,a,b\nx,1,2\n", "the line '#,a,b' begins with # and is no header"),
        ("#name,a\nx,1\n", "the line '#name,a' begins with # and is no header"),
        ("name,a\nx,0,25\n", "'x' has 2 answers; .* \\(decimals have a point, 0.25, or stand in"),
        ("name,a,b,a\nx,1,2,3\n", "the question 'a' is in the columns 2 and 4"),
        ("name,a\nx,1\n\ny,1,2\n", "line 4: 'y' has 2 answers; the header has 1 question"),
        ("name,a\nx,1\nx,2\n", "line 3: 'x' is already in line 2"),
        ("name,a\nx,1\n,2\n", "line 3: the candidate has no name"),
        ('name,a\nx,1\ny,"2\nz,3\n', "line 4: a quote is not closed before the end"),
        (f'name,a\n"{"x" * 140_000}",1\n', "line 2: field larger than field limit"),
    ],
)
def test_bad_files_of_questions_are_refused(tmp_path, text, problem):
    with pytest.raises(GameError, match=problem):
        read_questions(write(tmp_path, text))


def test_bytes_that_are_no_text(tmp_path):
    with pytest.raises(FormatError, match="is not UTF-8 text: byte 0xff in line 3; save it as"):
        read_questions(write(tmp_path, b"name,a\nx,1\ny,\xff\n"))
    with pytest.raises(FormatError, match=r"cannot read .*missing.csv': No such file"):
        read_questions(tmp_path / "missing.csv")


@pytest.mark.parametrize("n_rows", [900, 9000])
@pytest.mark.parametrize("row", ["ant,yes", "{},yes"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_byte_that_is_no_text_is_found_in_its_line(tmp_path, n_rows, row, end):
    path = tmp_path / "long.csv"
    path.write_bytes(
        end.join(["name,Q", *(row.format(i) for i in range(n_rows)), ""]).encode() + b"b\xe9e,no"
    )
    place = f"byte 0xe9 in line {n_rows + 2}; save it as UTF-8"
    with pytest.raises(FormatError, match=f"is not UTF-8 text: {place}"):
        read_questions(path)


def test_a_large_file_is_announced_or_refused(tmp_path, monkeypatch):
    path, told = write(tmp_path, ANIMALS), []
    monkeypatch.setattr("treegen.games.question_files._LARGE", 5)
    read_questions(path, notice=told.append)
    assert told == [f"'{path}' has about 3 candidates and 2 questions: reading it takes about 0 s"]
    monkeypatch.setattr("treegen.games.question_files.read_available_bytes", lambda: 1000)
    with pytest.raises(GameError, match=r"reading it takes about 0.0 GB of memory"):
        read_questions(path)


@pytest.mark.parametrize(
    ("name", "text", "is_table"),
    [
        ("a.csv", "name,a\nx,1\n", True),
        ("a.csv", "crane\nslate\n", False),
        ("a.csv", "word\ncrane\n", False),
        ("a.csv", "crane,3\nslate,20\n", False),
        ("a.csv", "word,count\ncrane,3\nslate,20\n", True),
        ("a.txt", "crane;3\nslate;20\n", False),
        ("a.txt", "crane;3\nslates;20\n", True),
        ("a.csv", "crane,slate,trace\n", False),
        ("a.csv", "name,question\n", "has a header but no candidates"),
        ("a.txt", "sep=|\nx|y\n1|2\n", True),
        ("a.txt", "ab|cd\n", False),
        ("a.txt", "animal|legs\n", False),
        ("a.txt", "# of bees, wasps\nx,y\n1,2\n", True),
        ("a.txt", "x;y;;\n1;2;;\n", True),
        ("a.txt", '["x", "y"]\n', False),
        ("a.TSV", "", "a header of questions is expected"),
        ("a.txt", "x,y\n1,2\n", True),
        ("-", "x;y\n1;2\n", True),
        ("a.txt", "x\ty\n\n1\t2", True),
        ("a.txt", "crane\nslate\n", False),
        ("a.txt", "a,b\ncrane\n", "'crane' has 5 characters, the words"),
        ("a.txt", "", "one word per line is expected"),
    ],
)
def test_which_files_are_tables(tmp_path, name, text, is_table):
    source = io.StringIO(text) if name == "-" else write(tmp_path, text, name)
    if isinstance(is_table, str):
        with pytest.raises(GameError, match=is_table):
            treegen.open_game(source)
        return
    game = treegen.open_game(source, notice=lambda line: None)
    assert hasattr(game, "table") == is_table


def test_words_beside_a_file_of_names_are_words(tmp_path):
    write(tmp_path, "crane\nslate\n", "a.data")
    write(tmp_path, "Ann\nBob\n", "a.names")
    assert treegen.open_game(tmp_path / "a.data", notice=lambda line: None).n_secrets == 2
    write(tmp_path, "x,y\n1,2\n", "a.data")
    with pytest.raises(GameError, match=r"data of C4\.5, which have no header"):
        treegen.open_game(tmp_path / "a.data")


def test_a_function_may_give_the_answers():
    game = treegen.Questions.from_function(range(4), [1, 2], lambda n, bit: bool(n & bit))
    assert game.table.matrix.tolist() == [[0, 0], [1, 0], [0, 1], [1, 1]]
    calls = iter(range(100))
    with pytest.raises(GameError, match="of '5' to 'a' is '0', then '2': it has to depend"):
        treegen.Questions.from_function([5, 6], ["a"], lambda *_: next(calls))
    with pytest.raises(GameError, match="raises ZeroDivisionError for '0': "):
        treegen.Questions.from_function([0], ["a"], lambda n, _: 1 // n)
    with pytest.raises(GameError, match="'0' has no answer to 'a'"):
        treegen.Questions.from_function([0], ["a"], lambda *_: None)


class Frame:
    """What `Questions` uses of a pandas frame."""

    index, columns = ["ant", "bee"], ["Stings?", "Legs"]

    def to_numpy(self):
        import numpy as np

        return np.array([[False, 6.0], [True, 8.0]], dtype=object)


def test_a_frame_is_a_table_of_answers():
    game = treegen.Questions(Frame())
    assert game.table.names == ("ant", "bee")
    assert game.table.answers == (("no", "yes"), ("6", "8"))


MUSHROOMS = """Cap,Gills,Ring?,Smell
round,dark,no,none
flat,pale,yes,foul
flat,?,no,foul
round,dark,no,none
"""


def test_rows_without_names_are_numbered():
    game = read_text(MUSHROOMS, names="none", unknown="")
    assert game.table.names == ("row 1 | row 4", "row 2", "row 3")
    assert game.table.questions == ("Cap", "Gills", "Ring?", "Smell")
    assert game.weights is None
    assert read_text("Legs\n2\n4\n", names="none").table.questions == ("Legs",)


def test_names_stand_in_any_column():
    text = "Legs,animal,Barks?\n4,dog,yes\n4,cat,no\n2,duck,no\n"
    game = read_text(text, names=" animal ")
    assert game == read_text("animal,Legs,Barks?\ndog,4,yes\ncat,4,no\nduck,2,no\n")
    with pytest.raises(GameError, match=r"has no column 'Animals'; did you mean 'animal'\?$"):
        read_text(text, names="Animals")
    with pytest.raises(GameError, match=r"line 3: '4' is already in line 2; if the first column"):
        read_text(text)
    with pytest.raises(GameError, match="line 3: '' has 0 answers; the header has 1 question"):
        read_text("Legs,animal\n4,dog\n4\n", names="animal")


@pytest.mark.parametrize("ignore", ["Smell,Cap", ["Cap", "Smell"], '["Smell", "Cap"]'])
def test_ignored_columns_are_no_questions(ignore):
    game = read_text(MUSHROOMS, names="none", unknown="", ignore=ignore)
    assert game.table.questions == ("Gills", "Ring?")
    assert game.aside["Cap"] == ["round", "flat", "flat", "round"]
    with pytest.raises(GameError, match="has no column 'Cup'; did you mean 'Cap'"):
        read_text(MUSHROOMS, names="none", ignore="Cup")


def test_a_column_whose_name_has_a_comma():
    game = read_text(
        'name,"Home, or nest?",Says\nduck,nest,quack\ncat,house,miaow\n', ignore="Says"
    )
    assert game == read_text('name,"Home, or nest?"\nduck,nest\ncat,house\n')
    text = 'name,"Home, or nest?",Says\nduck,nest,quack\ncat,house,miaow\n'
    assert read_text(text, ignore="Home, or nest?").table.questions == ("Says",)
    for ignore in ('"Home, or nest?", name', 'name, "Home, or nest?"', ["Home, or nest?", "name"]):
        assert read_text(text, names="none", ignore=ignore).table.questions == ("Says",)


def test_a_table_without_a_header():
    game = read_text(MUSHROOMS.partition("\n")[2], names="none", header=False, unknown="")
    assert game.table.questions == ("column 1", "column 2", "column 3", "column 4")
    assert game.table.names[0] == "row 1 | row 4"
    named = read_text("dog,4,yes\nduck,2,no\n", header=False, ignore="column 3")
    assert (named.table.names, named.table.questions) == (("dog", "duck"), ("column 2",))
    with pytest.raises(GameError, match=r"columns 2 and 3; if the first line is .* header=False$"):
        read_text("dog,yes,yes\nduck,no,no\n")


def test_equal_rows_may_count_as_weights():
    text = "animal,Legs\nfrog,4\nant,6\nfrog,2\nfrog,4\nfrog (2),8\n"
    notes = []
    game = read_text(text, count_rows=True, notice=notes.append)
    assert game.table.names == ("frog | frog (3)", "ant", "frog (2)", "frog (2) (2)")
    assert game.weights.tolist() == [2, 1, 1, 1]
    assert game.table.notes[-1] == (
        "5 rows, 4 of them different: equal ones are one candidate, which counts by their number"
    )
    assert treegen.build(game, "optimal").total == 5
    with pytest.raises(treegen.UsageError, match="count_rows= has no effect"):
        treegen.open_game(io.StringIO(text), count_rows=True, weights="Legs")


@pytest.mark.parametrize(
    "options", [{"names": "none"}, {"ignore": "x"}, {"header": False}, {"count_rows": True}]
)
def test_layouts_are_for_tables(options):
    with pytest.raises(treegen.UsageError, match="works only with tables of answers"):
        treegen.open_game("p2c3r", **options)


@pytest.mark.parametrize(
    ("rows", "sets", "note"),
    [
        (
            ["Male;Hat;Big nose", "Female;Hat", "Male;Mustache"],
            None,
            "the answer 'Male;Hat;Big nose' to 'q' is read as one, not as 3: traits that hold"
            " together need a column each, yes or no; if any of them is possible, `sets=';'`",
        ),
        (
            ["Male;Hat;Big nose", "Female;Hat", "Male;Mustache"],
            ";",
            "the answer 'Male;Hat;Big nose' to 'q' is read as one of 3: traits that hold together"
            " need a column each, yes or no",
        ),
        (["Male;Hat", "Female;Hat", "Male", "Hat"], ";", None),  # half of the cells alone
        (["1|2", "2|3", "3|1"], None, None),  # not words
        (["a;b", "c;d", "e;f"], None, None),  # nothing comes again
    ],
)
def test_lists_of_traits_are_pointed_out(rows, sets, note):
    text = "name,q\n" + "".join(f"{number},{row}\n" for number, row in enumerate(rows))
    notes = read_questions(io.StringIO(text), sets=sets).table.notes
    assert [each for each in notes if "traits" in each] == ([note] if note else [])


def test_a_table_of_one_class_has_nothing_to_find():
    game = treegen.open_game(io.StringIO("n,color,y\n1,red,a\n2,green,a\n"), classes="y")
    assert game.reading.endswith("every row is of class 'a': nothing is to be found")
    assert treegen.build(game).total == 0


def test_equal_rows_add_their_weights_where_there_are_some():
    text = "n,q,seen\na,x,2\nb,x,3\nc,y,1\n"
    game = read_questions(io.StringIO(text), weights="seen")
    assert game.weights.tolist() == [5, 1]
    told = "no question tells apart: a, b; they count as one candidate"
    assert game.table.notes == (f"{told}, with the sum of their weights",)
    assert read_questions(io.StringIO(text), ignore="seen").table.notes == (told,)


def test_many_equal_rows_are_one_note():
    rows = "".join(f"a{number},q{number}\nb{number},q{number}\n" for number in range(80))
    notes = read_questions(io.StringIO(f"name,q\n{rows}")).table.notes
    assert notes == (
        "160 candidates are in 80 groups that no question splits: a0, b0; a1, b1; a2, b2; a3, b3;"
        " a4, b4; and 75 more; each counts as one candidate",
    )


def test_empty_rows_without_names_are_counted():
    text = "p,q\nx,y\n,\nz,x\n\n,\n"
    notes = read_questions(io.StringIO(text), names="none").table.notes
    assert notes[0] == (
        "2 empty rows are left out, the first line 3; a row whose answers are unknown has a ?"
    )
    named = "name,p,q\nn,x,y\n,,\nm,z,x\n,,\n"  # as spreadsheets write them below a table
    assert read_questions(io.StringIO(named)).table.notes == ()


@pytest.mark.parametrize("gap", [" ", "   "])
def test_cells_that_only_spaces_can_separate(gap):
    text = "1 0 1\n1 1 0\n0 1 1\n0 0 0\n".replace(" ", gap)
    game = read_questions(io.StringIO(text), names="none", header=False)
    assert game.table.questions == ("column 1", "column 2", "column 3")
    assert game.n_secrets == 4
    words = read_questions(io.StringIO("light rain\nsun\n"), names="none", header=False)
    assert words.table.answers == (("light rain", "sun"),)


@pytest.mark.parametrize("name", ["class_", "cls", "klass"])
def test_the_keyword_for_classes_is_suggested(name):
    with pytest.raises(TypeError, match="did you mean 'classes'"):
        treegen.build(io.StringIO(ANIMALS), **{name: "Legs"})
