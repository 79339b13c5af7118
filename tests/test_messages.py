"""Messages quote little of what they are about, and nothing in them controls a terminal."""

import ast
import io
import os
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

import treegen
from treegen import GameError, TreegenError, TreegenWarning, UnreachableError, UsageError

from .command import run
from .paths import ROOT

HOSTILE = "a\x1b[31mb\x9bc\u202ed"
SHOWN = "a\\u001b[31mb\\u009bc\\u202ed"

OWN = ("player", "kernels", "exact", "online")
"""What quotes nothing of users, or may not change: exported, or compiled."""

SHORT = {
    *("UNKNOWN", "sign", "field", "letter", "letter.upper()", "letter.swapcase()", "start"),
    *("name", "plugin", "choice", "__name__", "near[0]", "criterion.name", "rule"),
    *("player.table.game", "player.before", "profile", "language", "tree.average"),
    *("provenance.rule", "str(fallback)", "left[-1]", "left[0]", "threads"),
}
"""Values that are short by themselves."""


def list_whole_quotes(path):
    """Return the values that a module quotes whole."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        is_quote = isinstance(node, ast.FormattedValue) and node.conversion == ord("r")
        if is_quote and node.format_spec is None and ast.unparse(node.value) not in SHORT:
            yield f"{path.name}:{node.lineno}: {ast.unparse(node.value)}"


def test_every_quoted_value_is_cut():
    package = ROOT / "treegen"
    paths = [
        path for path in package.rglob("*.py") if path.relative_to(package).parts[0] not in OWN
    ]
    assert [each for path in paths for each in list_whole_quotes(path)] == []


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
        "'NA' and 'n/a' occur 2 times: if they mean unknown, --unknown '?,NA,n/a'"
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
    assert notes == ["'NA' occurs once: if it means unknown, --unknown '?,NA'"]


@pytest.mark.parametrize("name", TAKERS)
def test_a_warning_names_the_line_of_the_caller(name):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        TAKERS[name](io.StringIO(DOUBTFUL))
    # Functions that are called directly are called by this file, the others in its table.
    assert [each.filename for each in caught if each.category is TreegenWarning] == [__file__]
