"""Messages quote little of what they are about, and nothing in them controls a terminal."""

import inspect
import io
import os
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import treegen
from treegen import GameError, TreegenError, TreegenWarning, UnreachableError, UsageError

from .command import run
from .written import text_of

HOSTILE = "a\x1b[31mb\x9bc\u202ed"
SHOWN = "a\\u001b[31mb\\u009bc\\u202ed"


@pytest.mark.parametrize("kind", [TreegenError, GameError, UnreachableError, UsageError])
def test_errors_control_no_terminal(kind):
    assert str(kind(f"no {HOSTILE}\tand\nmore")) == f"no {SHOWN}\tand\nmore"


def test_warnings_control_no_terminal():
    assert str(TreegenWarning(HOSTILE)) == SHOWN


@pytest.mark.skipif(os.name == "nt", reason="such names are refused")
def test_names_of_files_control_no_terminal(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    treegen.build("p2c3r").write(f"{HOSTILE}.tree")
    for options in ([], ["--json"]):
        assert run("stats", f"{HOSTILE}.tree", f"{HOSTILE}.tree", *options) == 0
        captured = capsys.readouterr()
        assert not set(captured.out + captured.err) & set("\x1b\x9b\u202e")
    with pytest.raises(UsageError, match="cannot hold the name"):
        treegen.manifest(f"{HOSTILE}.tree")


GRAPH = '<graphml><key id="k" attr.name="guess"/><graph>{}</graph></graphml>'
HEADER = "# treegen: text in the style lines\n# game: p2c3r\n# bound: {}\n\n12 1 12:20\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            GRAPH.format('<node id="0"><data key="k">1<node id="1"/></data></node>'),
            "line 1, column 76: <node> stands within <data>",
        ),
        (
            '{"nodes": [{"id": 0, "guess": "11",\n"candidates": %s}]}' % ("9" * 5000),
            "line 2: a number of 5,000 digits is too long",
        ),
        (
            '{"nodes": [{"id": 0, "guess": "11", "candidates": 99999999999999999999}]}',
            "candidates is 99999999999999999999; a number of at most 18 digits is needed",
        ),
        ('{"nodes": [{"id": 0, "guess": "11", "candidates": "²"}]}', "'²'; a number is needed"),
        (
            '{"tree": {"root": 1, "problem_size": 99999999999999999999}}',
            "problem_size: a number of at most 18 digits is expected",
        ),
        ('{"tree": {"root": 1, "problem_size": 9, "children": [3]}}', "an object is expected"),
        (GRAPH[:30], "line 1, column 10: unclosed token; the text ends there"),
        (GRAPH[:40], "line 1, column 41: no element found; the text ends there"),
        (GRAPH.format('<node id="0">'), "line 1, column 63: mismatched tag; it is no XML"),
        ('{"nodes": [', "line 1, column 12: Expecting value; the text ends there"),
        (
            '{"nodes": [{"id": "a',
            "line 1, column 19: Unterminated string starting at; the text ends",
        ),
        (f"12 {'9' * 5000} 12:20\n", r"line 1, column 4: length 9{80} is written before 1"),
        (HEADER.format("9" * 20), "line 3, column 10: bound is '9{20}'; a number of at most 18"),
    ],
)
def test_numbers_and_nests_beyond_all_measure(text, problem):
    with pytest.raises(treegen.errors.FormatError, match=problem):
        treegen.import_tree(io.StringIO(text), "p2c3r")


@pytest.mark.parametrize("labels", ["[" * 20_000, "[]", '{"names": 1}', '{"names": [[]]}'])
def test_labels_of_a_player_that_are_none_are_refused(labels, tmp_path):
    game = treegen.Questions([["a", "x"], ["b", "x"], ["a", "y"]])
    path = tmp_path / "lab.tgt"
    treegen.write_table(treegen.build(game, "entropy"), path, labels="file")
    Path(f"{path}.labels.json").write_text(labels)
    with pytest.raises(treegen.errors.FormatError, match="does not contain this table's labels"):
        treegen.read(path)


def test_a_first_guess_that_is_a_deep_nest():
    nest = "[" * 9000
    with pytest.raises(GameError, match="is not one of 1 2 3"):
        treegen.build("p2c3r", first=nest)
    tree = treegen.build("p2c3r", "optimal")
    stated = replace(tree.provenance, strategy=f"optimal first={nest}")
    assert not treegen.verify(replace(tree, provenance=stated)).is_proved


def test_answers_that_may_mean_unknown(tmp_path):
    notes = []
    table = io.StringIO("animal,Legs,Sign\nbee,6,+\nsnake,NA,-\neel,n/a,-\n")
    treegen.open_game(table, notice=notes.append)
    assert [note for note in notes if "unknown" in note] == [
        "'NA' and 'n/a' occur 2 times: if they mean unknown, `unknown='?,NA,n/a'`"
    ]


DOUBTFUL = "animal,Legs,Sign\nbee,6,+\nsnake,NA,+\neel,0,-\n"
TAKERS = {
    "open_game": treegen.open_game,
    "build": treegen.build,
    "play": lambda game, **options: treegen.play(game, "knuth", **options),
    "openings": lambda game, **options: treegen.openings(game, "knuth", **options),
    "compare": lambda game, **options: treegen.compare(game, "knuth", **options),
    "simulate": lambda game, **options: treegen.simulate(game, "knuth", n=1, **options),
}


@pytest.mark.parametrize("name", TAKERS)
def test_remarks_on_a_file_go_to_notice(name):
    notes = []
    with warnings.catch_warnings(action="error", category=TreegenWarning):
        TAKERS[name](io.StringIO(DOUBTFUL), notice=notes.append)
    assert notes == ["'NA' occurs once: if it means unknown, `unknown='?,NA'`"]


@pytest.mark.parametrize("name", TAKERS)
def test_a_warning_names_the_line_of_the_caller(name):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        TAKERS[name](io.StringIO(DOUBTFUL))
    # Functions that are called directly are called by this file, the others in its table.
    assert [each.filename for each in caught if each.category is TreegenWarning] == [__file__]


ANIMALS = "animal,Legs,Wings,seen\nant,6,no,50%\nbee,6,yes,25\nspider,8,no,25\ncost,1,3,\n"

TYPED = {
    "build animal.csv": "there is no such file; did you mean 'animals.csv'?",
    "build animals": "unknown game 'animals'; did you mean 'animals.csv'?",
    "build animals.pdf.d": "it is a folder, without the files 'chars' and 'items' of DELTA",
    "build animals.csv --class order": "column 'order'; it has 'animal', 'Legs', 'Wings', 'seen'",
    "build animals.csv --class Animal": "has no column 'Animal'; did you mean 'animal'?",
    "build animals.csv --ignore animal": "'animal' is the column of names; if it holds no names:"
    " --names none",
    "build animals.csv --ignore seen;Legs": "commas separate columns: seen,Legs",
    "build animals.csv --weights often.csv": "no column 'often.csv', and there is no such file",
    "build animals.csv --weights seen --costs Cost": "no row 'Cost'; did you mean 'cost'?",
    "build animals.csv --weights seen": "'cost' has no weight; if the row has costs: --costs cost",
    "build animals.csv --weights seen --costs cost": "'50%' is not a number: 3, 0.125 or 1.5e-3"
    " are; write it without %, 50",
    "build animals.csv --separator ;": "has one column, as no ';' is in its header",
    "build animals.csv --first Leg -q": "is not a question of animals.csv; did you mean 'Legs'?",
    "build animals.csv --thresholds": "--thresholds needs a value: --thresholds COLUMN,…|all (try",
    "build animals.csv --gap 5%": "--gap '5%' is not a number (try",
    "build animals.csv -j all": "--jobs 'all' is not a whole number (try",
    "build animals.csv --objective depth": "'depth' is not one of 'total', ",
    "export text a.tree --style indent": "did you mean 'indented'? (try",
    "stats animals.csv": "is neither a .tree file nor a .tgt table: it is CSV; treegen build",
    "import text hard.txt -o b.tree": "column 9: hard mode (--eligible hints) needs green",
    "certify a.tree": "-o X.proof is missing: where the certificate of the tree goes",
}
"""Mistakes in a shell, and what a line about each holds."""


@pytest.mark.parametrize("line", TYPED)
def test_mistakes_in_a_shell(line, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("animals.csv").write_text(ANIMALS)
    hard = text_of(TREE, "text").replace("eligible=all", "eligible=hints")
    Path("hard.txt").write_text(hard)
    Path("animals.pdf.d").mkdir()
    assert run(*line.split()) == 2
    told = capsys.readouterr().err.splitlines()
    assert TYPED[line] in told[-1]
    assert "`" not in told[-1]


def open_animals(**options):
    return treegen.open_game(io.StringIO(ANIMALS), **options)


TREE = treegen.build("p2c3r")
MATRIX = [["no", 6], ["yes", 6]]
ROWS = [{"name": "ant", "Legs": 6}, {"name": "dog", "Legs": 4}]

CALLED = [
    (
        lambda: open_animals(weights="seen"),
        GameError,
        "has no weight; if the row has costs: costs='cost'",
    ),
    (lambda: open_animals(names=2), TypeError, "names= is a text, not 2: write '2'"),
    (lambda: open_animals(sets=["/"]), TypeError, "sets= is a text, not ['/']"),
    (
        lambda: open_animals(thresholds=True),
        TypeError,
        "thresholds= is a text or a list of texts, not True",
    ),
    (lambda: open_animals(ignore=[3]), TypeError, "ignore= is a text, not 3: write '3'"),
    (lambda: treegen.open_game([("ant", 6)]), GameError, "treegen.Questions(rows, names=…, questi"),
    (lambda: treegen.open_game({"ant": {"Legs": 6}}), GameError, "treegen.Questions(rows, names="),
    (
        lambda: treegen.open_game(["ant"]),
        GameError,
        "treegen.Codebook(words) makes one from a list",
    ),
    (lambda: treegen.build(TREE), GameError, "a tree's game is tree.game"),
    (
        lambda: treegen.Questions("a.csv"),
        TypeError,
        "'a.csv' is not one; treegen.open_game reads files",
    ),
    (lambda: treegen.Questions({"ant": [6]}), TypeError, "a matrix has a row of answers for each"),
    (lambda: treegen.Questions(None), TypeError, "None is not one; treegen.open_game reads files"),
    (lambda: treegen.Questions([6, 8]), GameError, "row 1 is a list of answers, not 6"),
    (lambda: treegen.Questions(MATRIX, names=2), GameError, "names are a list of texts, not 2"),
    (lambda: treegen.Questions(MATRIX, answers=2), GameError, "answers are a list of texts, not 2"),
    (lambda: treegen.read_questions(None), TypeError, "a file is a path or an open file, not None"),
    (lambda: open_animals(header="no"), UsageError, "header='no' is out of range: it must be True"),
    (
        lambda: treegen.Mastermind(4, 6, repetition="no"),
        UsageError,
        "repetition='no' is out of range: it must be True or False",
    ),
    (
        lambda: treegen.Codebook(["ab"], letters=2),
        TypeError,
        "letters= is a text or a list of texts, not 2",
    ),
    (lambda: treegen.Codebook(["crane", "cat"]), GameError, "'crane' has 5 letters, 'cat' has 3"),
    (
        lambda: treegen.build(treegen.Questions(MATRIX, ["ant", "bee"]), weights={"bees": 1}),
        GameError,
        "there is no candidate 'bees'; did you mean 'bee'?",
    ),
    (
        lambda: treegen.build("p2c3r", progress="bar"),
        TypeError,
        "progress= is True, False or a fun",
    ),
    (
        lambda: treegen.build("p2c3r", first=np.array([1, 2])),
        TypeError,
        "a code is a text, not the number 1",
    ),
    (
        lambda: treegen.build("p2c3r", history=np.array([["12", "00"]])),
        UsageError,
        "a history is a text, or a list of pairs such as ('11', '00'); array(['12', '00']",
    ),
    (
        lambda: treegen.build("p2c3r", eligible=["all"]),
        treegen.StrategyError,
        "unknown eligible ['all']: there are all, ",
    ),
    (
        lambda: treegen.build("p2c3r", weights=[1] * 8 + [-1]),
        GameError,
        "weight 9 of 9: the weight -1 is negative",
    ),
    (
        lambda: treegen.build("p2c3r", costs=[1, 0] + [1] * 7),
        GameError,
        "cost 2 of 9: the cost 0 is not a positive integer",
    ),
    (lambda: treegen.build("p2c3r", threads=2), TypeError, "'threads': did you mean 'jobs'?"),
    (lambda: treegen.play("p2c3r", secret="11"), TypeError, "build(game, strategy).play(secret)"),
    (lambda: treegen.stats(TREE, skp=1), TypeError, "stats() has no keyword 'skp': did you mean"),
    (lambda: treegen.Questions([[1]], name=1), TypeError, "Questions() has no keyword 'name': did"),
    (
        lambda: treegen.write_page(TREE, "a.html", titel="a"),
        TypeError,
        "write_page() has no keyword 'titel': did you mean 'title'?",
    ),
    (
        lambda: treegen.write_page(TREE, "a.html", title=3),
        TypeError,
        "title= is a text, not 3: write",
    ),
    (lambda: treegen.write_dot(TREE, "a.gv", title=3), TypeError, "title= is a text, not 3: write"),
    (lambda: treegen.stats(TREE, skip=True), TypeError, "skip= is a function, not True"),
    (lambda: treegen.build("p2c3r", notice="x"), TypeError, "notice= is a function, not 'x'"),
    (lambda: treegen.build("p2c3r", scheduler=8786), TypeError, "scheduler= is a text, not 8786"),
    (lambda: treegen.list_strategies(["knuth"]), TypeError, "names= is a text, not ['knuth']"),
    (
        lambda: treegen.build("p5c8r", "optimal", certificate=True),  # before the search
        TypeError,
        "a certificate is given by its path, not True",
    ),
    (
        lambda: treegen.build("p5c8r", "optimal", log=True),
        TypeError,
        "a file is a path or an open file, not True",
    ),
    (
        lambda: treegen.openings("p5c8r", "optimal", certificate=True),
        TypeError,
        "a certificate is given by its path, not True",
    ),
    (
        lambda: treegen.apply(treegen.build(ROWS), ROWS, check="legs"),
        GameError,
        "the table has no column 'legs'; did you mean 'Legs'?",
    ),
    (
        lambda: treegen.apply(treegen.build(ROWS), ROWS, check="kind"),
        GameError,
        "the table has no column 'kind'; it has 'name', 'Legs'",
    ),
    (
        lambda: TREE.guess_after("11"),
        GameError,
        "black + white is at most 2, and 1 black leaves no white",
    ),
    (
        lambda: treegen.write_player(TREE, "a", "c", forse=True),
        TypeError,
        "write_player() has no keyword 'forse': did you mean 'force'?",
    ),
    (
        lambda: treegen.write_player(TREE, None, "c"),
        TypeError,
        "a folder is given by its path, not",
    ),
    (lambda: treegen.write_checker(None), TypeError, "a folder is given by its path, not None"),
    (
        lambda: treegen.read_text_tree(None),
        TypeError,
        "a text is given by its path, or itself, not",
    ),
    (
        lambda: treegen.manifest(["a.tree"]),
        TypeError,
        "a file is given by its path, not ['a.tree']",
    ),
    (lambda: treegen.patterns("x", "d"), UsageError, "compiled for 1 to 8 pegs, not 'x'; beyond"),
    (lambda: treegen.build("p2c3r", pegs=2), TypeError, "'pegs': help(treegen.build) lists all"),
    (
        lambda: treegen.build("p2c3r", treegen.list_strategies("knuth")[0]),
        treegen.StrategyError,
        "a StrategyDescription is no strategy: give its name, 'knuth'",
    ),
    (lambda: TREE.guess_after(10), TypeError, "not the number 10: write '10'"),
    (lambda: TREE.guess_after([1, 0]), TypeError, "not the number 1: write '1'"),
    (lambda: TREE[1.5], TypeError, "or is reached by answers, tree['02']; 1.5 is neither"),
    (lambda: TREE[None], TypeError, "a state has a number, tree[5], or is reached by answers"),
    (lambda: TREE.avg, AttributeError, "a Tree has no attribute 'avg'; it is tree.average"),
    (lambda: TREE.verify(), AttributeError, "treegen.verify is a function, which takes a tree"),
    (lambda: TREE.play(index="3"), TypeError, "index= is the number of a secret, not '3'"),
    (lambda: TREE.play(np.array([1, 2])), TypeError, "a code is a text, not array([1, 2])"),
    (lambda: TREE.write(None), TypeError, "a file is a path or an open file, not None"),
    (
        lambda: treegen.write_page(TREE, None),
        TypeError,
        "a file is a path or an open file, not None",
    ),
    (
        lambda: treegen.write_page(None, "x.html"),
        TypeError,
        "a tree is a Tree, a path, bytes or an",
    ),
    (
        lambda: treegen.import_tree(b"1122"),
        TypeError,
        "a file is a path or an open file, not b'1122'",
    ),
    (lambda: treegen.check(None), TypeError, "a file is a path or an open file, not None"),
    (lambda: treegen.compare(None), GameError, "a game is a name, a file or a Game, not None"),
    (lambda: treegen.compare("p2c3r", 5), TypeError, "a tree is a Tree, a path, bytes or an open"),
    (
        lambda: treegen.read(io.StringIO("x")),
        TypeError,
        "is opened for bytes, open(path, 'rb'), not",
    ),
    (lambda: treegen.write("x.tree", TREE), TypeError, "the tree comes first, then the file"),
    (lambda: treegen.read(None), TypeError, "a tree is a Tree, a path, bytes or an open file, not"),
    (lambda: treegen.stats([TREE]), TypeError, "give several one by one"),
    (
        lambda: treegen.verify("p2c3r"),
        FileNotFoundError,
        "it is the name of a game; treegen build",
    ),
    (
        lambda: TREE.game.parse_code(12),
        TypeError,
        "a code is a text, not the number 12: write '12'",
    ),
    (lambda: TREE.game.format_code("12"), TypeError, "a code is a whole number here, not '12'"),
    (lambda: TREE.game.format_code(9), IndexError, "code 9 is out of range: 0 to 8"),
    (lambda: TREE.game.format_code(-1), IndexError, "code -1 is out of range: 0 to 8"),
    (lambda: TREE.game.score("12", "11"), TypeError, "a code is a whole number here, not '12'"),
    (lambda: TREE.game.format_code(True), TypeError, "a code is a whole number here, not True"),
    (
        lambda: TREE.game.format_response("02"),
        TypeError,
        "a response is a whole number here, not '02'",
    ),
    (
        lambda: TREE.game.format_response(np.zeros((2, 2))),
        TypeError,
        "a response is a whole number here, not array([[0., 0.], [0., 0.]])",
    ),
    (
        lambda: TREE.game.parse_response(2),
        TypeError,
        "an answer is a text, not the number 2: write",
    ),
    (lambda: TREE.game.with_symbols(5), TypeError, "symbols= is a text or a list of texts, not 5"),
    (lambda: treegen.compare("p2c3r"), UsageError, "give strategies=NAME or a tree"),
]
"""Mistakes in Python, the error, and what its one line holds."""


@pytest.mark.parametrize(("call", "kind", "told"), CALLED, ids=[each[2] for each in CALLED])
def test_mistakes_in_python(call, kind, told):
    with pytest.raises(kind) as error:
        call()
    assert told in str(error.value)
    assert not set("\n`") & set(str(error.value))
    assert " --" not in str(error.value)


FUNCTIONS = {
    each.__qualname__: each
    for each in (
        *filter(inspect.isfunction, (getattr(treegen, name) for name in dir(treegen))),
        *(treegen.Questions, treegen.Questions.from_function, treegen.Tree.play),
    )
}
TRUTHS = [
    (name, parameter.name)
    for name, function in FUNCTIONS.items()
    for parameter in inspect.signature(function).parameters.values()
    if isinstance(parameter.default, bool)
]


@pytest.mark.parametrize(("name", "truth"), [*TRUTHS, ("verify", "rule")])
def test_a_text_for_true_or_false_is_refused_before_any_work(name, truth):
    function = FUNCTIONS[name]
    parameters = inspect.signature(function).parameters.values()
    needed = [
        each
        for each in parameters
        if each.default is each.empty and each.kind < each.VAR_POSITIONAL
    ]
    with pytest.raises(UsageError, match=f"^{truth}='no' is out of range: it must be True"):
        function(*needed, **{truth: "no"})


def test_pictures_with_a_folder_are_pointed_out():
    text = "n,Q,photo\na,x,C:\\birds\\a.jpg\nb,y,https://birds.example/b.jpg\n"
    tree = treegen.build(treegen.open_game(io.StringIO(text), ignore="photo"))
    with pytest.warns(TreegenWarning, match=r"notes=: 'C:.*a\.jpg' is shown as text; a picture is"):
        treegen.write_page(tree, io.BytesIO(), notes="photo")
