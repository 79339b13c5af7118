"""The public surface: every name, lazily loaded; trees, games and results as values."""

import compileall
import inspect
import io
import pydoc
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import FrozenInstanceError
from importlib.util import cache_from_source

import numpy as np
import pytest

import treegen
from treegen import TreegenError, UsageError

from .paths import ROOT


@pytest.fixture(scope="module")
def knuth():
    return treegen.build("p4c6r", "knuth")


PUBLIC = [name for name in treegen.__all__ if name != "__version__"]


def test_help_lists_every_name():
    text = pydoc.plain(pydoc.render_doc(treegen))
    assert [name for name in PUBLIC if not re.search(rf"\b{name}\b", text)] == []


NOT_RUN = {"warmup": "it compiles for minutes; tests/cli/test_warmup.py runs it"}


def test_every_public_name_has_an_example_that_runs():
    missing = [name for name in PUBLIC if ">>> " not in (getattr(treegen, name).__doc__ or "")]
    assert missing == []
    skipped = [name for name in PUBLIC if "+SKIP" in getattr(treegen, name).__doc__]
    assert skipped == list(NOT_RUN)


def test_every_public_function_says_what_it_raises():
    for name in PUBLIC:
        value = getattr(treegen, name)
        if inspect.isfunction(value):
            assert "Raises\n" in value.__doc__ or name in {"list_games", "warmup"}, name


def test_the_result_of_an_import_is_light():
    code = (
        "import sys; before = set(sys.modules); import treegen;"
        " print(len(set(sys.modules) - before))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert int(found.stdout) <= 8, found.stderr


def test_it_works_without_its_sources(tmp_path):
    package, copy = ROOT / "treegen", tmp_path / "treegen"
    assert compileall.compile_dir(package, quiet=1)  # most is compiled already
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__", "*.py"))
    for path in package.rglob("*.py"):
        place = copy / path.relative_to(package).with_suffix(".pyc")
        shutil.copy(cache_from_source(path), place)
    code = "import treegen; print(treegen.build('p2c3r').total, sorted(treegen.__all__))"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == (f"24 {sorted(treegen.__all__)}\n", "")


def test_what_chooses_no_guess_loads_no_compiler(tmp_path):
    """In a process of its own, which runs one command after another."""
    tree = treegen.build("p2c2r", "knuth")
    for name in ("tree.tree", "tree.tgt"):
        tree.write(tmp_path / name)
    lines = ["games p4c6r", "strategies", "stats tree.tree", "score p2c2r 12 21"]
    lines.append("play tree.tgt --secret 12")
    code = "import sys\nfrom treegen.__main__ import main\nfor line in sys.argv[1:]:\n"
    code += "    sys.argv = ['treegen', *line.split()]\n"
    code += "    try: main()\n    except SystemExit as end: assert not end.code, line\n"
    code += "    print('loaded:', line if 'numba' in sys.modules else '')"
    command = [sys.executable, "-c", code, *lines]
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (found.returncode, found.stderr) == (0, "")
    told = [line for line in found.stdout.splitlines() if line.startswith("loaded:")]
    assert told == ["loaded: "] * len(lines)


class TestGames:
    def test_values_are_the_games_of_the_names(self):
        assert treegen.Mastermind(5, 8) == treegen.open_game("p5c8r")
        assert treegen.Mastermind(4, 6, feedback="black") == treegen.open_game("p4c6rb")
        assert treegen.BullsAndCows(3, 6) == treegen.open_game("p3c6n")
        other = treegen.Mastermind(4, 6, goal="identify")
        assert other == treegen.open_game("p4c6r", goal="identify") != treegen.Mastermind(4, 6)

    def test_words_come_from_a_list_a_path_and_an_open_file(self, tmp_path):
        path = tmp_path / "words.txt"
        path.write_text("abc\nabd\n", encoding="utf-8")
        game = treegen.Codebook(["abc", "abd"])
        assert game == treegen.Codebook(path) == treegen.open_game(str(path))
        with path.open("rb") as stream:
            assert treegen.open_game(stream) == game
        with path.open(encoding="utf-8") as text:
            assert treegen.open_game(text) == game

    def test_options_that_do_not_belong_are_refused(self):
        with pytest.raises(treegen.UsageError, match="feedback= and guesses= work only with"):
            treegen.build("p4c6r", feedback="position")
        with pytest.raises(treegen.UsageError, match="strict= works only with tables"):
            treegen.open_game("p4c6r", strict=True)
        tree = treegen.build("p2c3r", "knuth")
        for call in (treegen.play, treegen.advice):
            with pytest.raises(treegen.UsageError, match="weights= works only with a game"):
                call(tree, weights=np.ones(9))


class TestTrees:
    def test_equal_trees_guess_the_same_whatever_made_them(self, knuth, tmp_path):
        knuth.write(tmp_path / "a.tgt", profile="lean")
        read = treegen.read(tmp_path / "a.tgt")
        assert read == knuth
        assert hash(read) == hash(knuth)
        assert knuth != treegen.build("p4c6r", "entropy")
        assert knuth != "knuth"

    def test_columns_are_views_that_cannot_be_changed(self, knuth):
        columns = knuth.columns
        assert {len(column) for column in columns.values()} == {knuth.n_nodes}
        assert all(np.shares_memory(columns[name], getattr(knuth, name)) for name in columns)
        for name in columns:
            with pytest.raises(ValueError, match="read-only"):
                getattr(knuth, name)[0] = 1
        with pytest.raises(ValueError, match="read-only"):
            columns["guess"][0] = 1

    def test_nodes_are_states_and_their_numbers(self, knuth):
        nodes = list(knuth)
        assert len(nodes) == len(knuth) == knuth.n_nodes
        root = nodes[0]
        assert (root.guess, root.answer, root.history, root.depth) == ("1122", None, "", 0)
        child = root.children[1]
        assert child.number == knuth.children(root)[1]
        assert child.history == f"1122:{child.answer}"
        assert knuth.guess_after(child.history) == child.guess == knuth.guess_after(child.answer)

    def test_a_subtree_begins_in_the_middle_of_a_game(self, knuth):
        part = knuth.subtree("1122:02")
        assert part.n_secrets == 96
        assert part.provenance.history == ((knuth.game.parse_code("1122"), 2),)
        with pytest.raises(treegen.UnreachableError, match="step 1: the tree guesses 1122"):
            knuth.subtree("1123:02")

    def test_a_game_stops_at_its_limit(self, knuth):
        played = knuth.play("3163", limit=2)
        assert (len(played), played.is_found) == (2, False)
        assert str(played).endswith("stopped at the limit of 2 guesses: not found")
        asked = treegen.build(treegen.Questions([[0, 0], [0, 1], [1, 0], [1, 1]])).play(
            index=3, limit=1
        )
        assert str(asked).endswith("stopped at the limit of 1 question: not found")
        assert knuth.play(index=0).secret == "1111"

    def test_forms_of_other_libraries(self, knuth):
        graph = knuth.to_networkx()
        assert graph.number_of_nodes() == knuth.n_nodes
        pandas = pytest.importorskip("pandas")
        frame = knuth.to_dataframe()
        assert isinstance(frame, pandas.DataFrame)
        assert (len(frame), frame.guess[0], frame.candidates.max()) == (knuth.n_nodes, "1122", 1296)
        assert frame.groupby("depth").candidates.sum()[0] == 1296

    def test_trees_are_shown_in_notebooks(self, knuth):
        assert knuth._repr_html_().startswith("<div")
        assert repr(knuth) == "<Tree p4c6r-knuth: 1378 nodes, 1296 secrets>"

    def test_endings_choose_the_form_and_options_are_checked(self, knuth, tmp_path):
        knuth.write(tmp_path / "a.csv")
        assert (tmp_path / "a.csv").read_text(encoding="utf-8").count("\n") >= 1296
        paths = treegen.write_player(knuth, tmp_path / "c", "c", profile="lean")
        assert all(path.is_file() for path in paths)
        for options, problem in {
            (("depth", 2),): "table has no option 'depth': it has profile, all_words, labels",
            (("profile", "fat"),): "unknown profile 'fat'",
        }.items():
            with pytest.raises(TreegenError, match=problem):
                knuth.write(tmp_path / "a.tgt", **dict(options))
        with pytest.raises(treegen.UsageError, match="unknown format 'gif'"):
            knuth.write(tmp_path / "a.svg", "gif")
        for ending in (".docx", ".out", ".tar.gz", ".v2"):
            with pytest.raises(treegen.UsageError, match=r"is not written here: there are .tree, "):
                knuth.write(tmp_path / f"a{ending}")
        for name in ("plain", "p4c6r-power:0.5,lowest"):
            knuth.write(tmp_path / name)
            assert treegen.read(tmp_path / name) == knuth
        assert not (tmp_path / "a.tgt").exists()


FUNCTIONS_OF_GAMES = {
    "build": ({"frist": "12"}, "first"),
    "open_build": ({"besides": "x"}, "beside"),
    "openings": ({"tops": 3}, "top"),
    "compare": ({"openning": True}, "openings"),
    "simulate": ({"wieghts": [1]}, "weights"),
    "play": ({"hystory": "12:00"}, "history"),
    "advice": ({"egligible": "all"}, "eligible"),
    "describe_game": ({"gaol": "win"}, "goal"),
}


@pytest.mark.parametrize("name", FUNCTIONS_OF_GAMES)
def test_an_unknown_keyword_is_told_by_the_function_that_was_called(name):
    options, near = FUNCTIONS_OF_GAMES[name]
    function = getattr(treegen, name)
    problem = rf"{name}\(\) has no keyword '{next(iter(options))}': did you mean '{near}'\?"
    with pytest.raises(TypeError, match=problem):
        found = function("p2c3r", **options)
        found.__enter__()  # a context reads its options when it is entered
    with pytest.raises(
        TypeError, match=rf"{name}\(\) has no keyword 'xyz': help\(treegen\.{name}\)"
    ):
        function("p2c3r", xyz=1).__enter__()


def test_unknown_keywords_of_other_functions():
    tree = treegen.build("p2c2r")
    for function, given, options, near in (
        (treegen.open_game, ["p2c2r"], {"weight": [1]}, "weights"),
        (treegen.open_game, ["a.csv"], {"class_": "kind"}, "classes"),
        (treegen.read_questions, ["a.csv"], {"clases": "kind"}, "classes"),
        (treegen.Mastermind, [2], {"colors": 3}, "n_colors"),
        (treegen.BullsAndCows, [2], {"symbols": 3}, "n_symbols"),
        (treegen.Codebook, [["ab"]], {"feedbak": "black"}, "feedback"),
        (treegen.explain, [tree], {"pth": "00"}, "path"),
        (tree.play, ["11"], {"limits": 3}, "limit"),
    ):
        problem = rf"{function.__name__}\(\) has no keyword .*did you mean '{near}'\?"
        with pytest.raises(TypeError, match=problem):
            function(*given, **options)
    with pytest.raises(TypeError, match=r"'x': there are secret, index, evil, limit, symbols$"):
        tree.play(x=1)
    with pytest.raises(TypeError, match=r"import_tree\(\) has no keyword 'formt'.*'format'"):
        treegen.import_tree(b"", formt="text")
    with pytest.raises(TypeError, match=r"make_graph\(\) has no keyword 'dept'.*'depth'"):
        tree.to_networkx(dept=2)
    with pytest.raises(TypeError, match=r"plot\(\) has no keyword 'symbol'.*'symbols'"):
        tree.plot(symbol="ab")


@pytest.mark.parametrize("function", [treegen.build, treegen.openings, treegen.describe_game])
@pytest.mark.parametrize("other", [["crane", "crate"], ("crane",), 5, None, {"crane": 1}, b"crane"])
def test_what_is_no_game_is_refused_with_what_makes_one(function, other):
    with pytest.raises(treegen.GameError, match=r"not .*treegen\.Codebook\(words\) makes one"):
        function(other)


class TestCodes:
    """Codes and answers are texts; a number, which may mean an index, is refused."""

    @pytest.mark.parametrize(
        ("number", "problem"),
        [
            (1234, "not the number 1234: write '1234' (index 1234 is '6525'; play alone takes"),
            (np.int32(3163), "not the number 3163: write '3163'"),
            (0, "not the number 0 (index 0 is '1111'; play alone takes an index, as index=0)"),
            (True, "not True"),
        ],
    )
    @pytest.mark.parametrize("place", ["play", "game", "first", "history", "weights", "answer"])
    def test_a_number_is_refused_wherever_a_code_is_taken(self, knuth, place, number, problem):
        session = treegen.play(knuth)
        take = {
            "play": lambda: knuth.play(number),
            "game": lambda: treegen.write_game(knuth, io.BytesIO(), secret=number),
            "first": lambda: treegen.build("p4c6r", first=[number]),
            "history": lambda: treegen.advice("p4c6r", history=[(number, "02")]),
            "weights": lambda: treegen.open_game("p4c6r", weights={number: 2}),
            "answer": lambda: session.answer("02", guess=number),
        }[place]
        with pytest.raises(TypeError) as refused:
            take()
        assert str(refused.value).startswith(f"a code is a text, {problem}")

    def test_one_first_guess_is_a_text_too(self):
        with pytest.raises(TypeError, match="a code is a text, not the number 1122: write '1122'"):
            treegen.build("p4c6r", first=1122)

    def test_leading_zeros_are_remembered(self):
        with pytest.raises(TypeError, match="not the number 12: write '0012'"):
            treegen.build(treegen.Codebook(["0012", "0120"], feedback="pegs"), first=[12])

    def test_what_a_word_was_is_told(self):
        tree = treegen.build(treegen.Codebook(["crane", "slate", "trace"]))
        with pytest.raises(TypeError, match=r"not the number 1 \(index 1 is 'slate'"):
            tree.play(1)
        assert tree.play(index=1) == tree.play("slate")

    @pytest.mark.parametrize("answer", [2, np.int64(2)])
    def test_a_number_is_no_answer(self, knuth, answer):
        problem = r"an answer is a text, not the number 2: write '02' \(index 2 is '02'\)"
        with pytest.raises(TypeError, match=problem):
            treegen.build("p4c6r", history=[("1122", answer)])
        with pytest.raises(TypeError, match=problem):
            treegen.play(knuth).answer(answer)

    def test_an_index_is_in_range_and_stands_alone(self, knuth):
        for index in (-1, 1296):
            with pytest.raises(UsageError, match=f"index {index} is out of range: .* 0 to 1295"):
                knuth.play(index=index)
        for given in ({}, {"secret": "1111", "index": 0}):
            with pytest.raises(UsageError, match="a secret, the secret of an index, or evil=True"):
                knuth.play(**given)

    def test_what_comes_back_is_text(self, knuth):
        session = treegen.play(knuth)
        assert (session.guess, session.code) == ("1122", 7)
        session.answer("40", guess="3163")
        assert session.is_over
        assert session.history == (("3163", "40"),)
        assert (session.guess, session.candidates) == ("3163", ["3163"])
        turn = knuth.play("3163").turns[0]
        assert (turn.guess, turn.answer, turn.n_left) == ("1122", "10", 256)
        found = treegen.advice("p4c6r", history=[("1122", "02"), ("1344", "11")], top=1)
        assert found.history == (("1122", "02"), ("1344", "11"))
        assert (found.guesses[0].guess, found.candidates[0]) == ("5214", "2234")
        listed = treegen.openings("p4c6r", history=[("1122", "02")], top=1)
        assert listed.history == (("1122", "02"),)
        key = treegen.build(
            treegen.Questions([["a"], ["b"]], names=["c", "d"], questions=["q"]), "optimal"
        )
        assert key.play("d").found == "d"


@pytest.fixture(scope="module")
def results(knuth):
    small = treegen.build("p3c4r")
    return [
        treegen.verify(knuth),
        treegen.stats(knuth),
        treegen.diff(small, treegen.build("p3c4r", "entropy")),
        treegen.explain(knuth),
        treegen.explain(small, exact=True),
        treegen.compare("p3c4r", ["knuth", small]),
        treegen.openings("p3c4r", top=2),
        treegen.simulate("p3c4r", "knuth", n=3),
        treegen.advice("p4c6r", history="1122:02", top=2),
        treegen.describe_game("p4c6r"),
        treegen.list_games(),
        *treegen.list_strategies("knuth"),
        knuth.play("3163"),
    ]


class TestResults:
    def test_they_are_printable_and_frozen(self, results):
        for result in results:
            assert str(result).strip()
            assert "<" in result._repr_html_()
            assert isinstance(result.to_dict(), dict)
            field = next(iter(result.__dataclass_fields__))
            with pytest.raises((FrozenInstanceError, AttributeError)):
                setattr(result, field, None)

    def test_lines_of_a_result_fit_a_width(self, results):
        table = results[5]
        assert max(map(len, table.to_text(40).splitlines())) <= 40


class TestWork:
    def test_progress_is_reported_stage_by_stage(self):
        told = []
        treegen.build("p3c4r", progress=told.append)
        treegen.build("p3c4r", "optimal", progress=told.append)
        treegen.simulate("p20c20r", "one-by-one", n=2, progress=told.append)
        assert all(isinstance(state, treegen.Progress) for state in told)
        assert {"build", "games"} <= {state.stage for state in told}

    def test_strategies_and_tables_are_counted(self, tmp_path):
        told = []
        treegen.compare("p2c3r", ["knuth", "entropy"], progress=told.append)
        treegen.patterns(2, tmp_path, progress=told.append)
        counts = [(state.stage, state.done, state.total) for state in told]
        assert [each for each in counts if each[0] == "strategies"] == [
            ("strategies", done, 2) for done in (0, 1)
        ]
        assert counts[-2:] == [("tables", 1, 2), ("tables", 2, 2)]

    def test_certificates_are_told_of_alike(self, tmp_path):
        stages = []
        for write in (
            lambda **how: treegen.build(
                "p3c4r", "optimal", certificate=tmp_path / "a.proof", **how
            ),
            lambda **how: treegen.openings(
                "p3c4r", "optimal", certificate=tmp_path / "b.proof", **how
            ),
            lambda **how: treegen.certify(treegen.build("p3c4r", "optimal"), **how),
        ):
            told = []
            write(progress=told.append)
            stages.append(told[-1].stage)
            assert told[-1].done <= told[-1].total
        assert stages == ["certificate"] * 3

    def test_progress_may_be_a_bar(self, capsys):
        assert treegen.build("p3c4r", progress=True).total == 216

    def test_a_game_goes_on_beside_the_tree(self, knuth):
        told = []
        session = treegen.play(knuth, history="1123:02", notice=told.append)
        assert session.n_left == len(treegen.advice(knuth, history="1123:02", top=0).candidates)
        assert "continuing by knuth" in told[0]
        session.answer("1122:11")
        assert session.history[-1] == ("1122", "11")

    def test_a_limit_that_is_over_at_once_is_told(self):
        with pytest.raises(treegen.TimeLimitError, match="the time limit of 1e-09 s is over"):
            treegen.build("p5c8r", time_limit=1e-9)

    @pytest.mark.parametrize("options", [["log"], ["certificate"], ["certificate", "log"]])
    def test_what_cannot_be_written_does_not_cost_the_tree(self, tmp_path, options):
        given = {option: tmp_path / "missing" / option for option in options}
        told = "; ".join(f"cannot write '[^']*{option}': [^;]*" for option in options)
        with pytest.warns(treegen.TreegenWarning, match=f"^{told}$"):
            tree = treegen.build("p2c3r", "optimal", **given)
        assert tree == treegen.build("p2c3r", "optimal")
        with (
            pytest.raises(UsageError, match=f"^{told}$"),
            treegen.open_build("p2c3r", "optimal", **given) as opened,
        ):
            opened.write(tmp_path / "first.tree")
        assert treegen.read(tmp_path / "first.tree") == tree

    def test_an_error_in_the_block_of_a_build_does_not_cost_the_certificate(self, tmp_path):
        with (
            pytest.raises(ZeroDivisionError),
            treegen.open_build("p2c3r", "optimal", certificate=tmp_path / "c.proof"),
        ):
            _ = 1 / 0
        assert treegen.check(tmp_path / "c.proof").is_proved


def test_an_interrupted_call_leaves_nothing_for_the_next():
    stop = treegen.Stop()
    with pytest.raises(treegen.Interrupted), stop:
        treegen.build("p4c6r", "best", progress=lambda _: stop.call())
    assert len(treegen.compare("p2c3r", ["knuth", "optimal"]).samples) == 2


def test_a_temporary_file_takes_text_or_bytes_as_it_was_opened():
    tree = treegen.build("p2c2r")
    with tempfile.NamedTemporaryFile("w+", encoding="utf-8") as file:
        treegen.write_text(tree, file, "codegolf")
        file.seek(0)
        text = file.read()
        with pytest.raises(UsageError, match="opened for bytes"):
            treegen.write_table(tree, file)
    with tempfile.NamedTemporaryFile() as file:
        treegen.write_text(tree, file, "codegolf")
        file.seek(0)
        assert file.read().decode() == text


class TestNotebook:
    """What a notebook shows of results, beyond their text."""

    def test_a_game_shows_pegs_and_pins(self, knuth):
        game = knuth.play("3163")
        shown = game._repr_html_()
        assert shown.count("border-radius") == 4 * len(game)
        assert re.findall(r'title="(\d\d)">([●○·]{4})<', shown)[:2] == [
            ("10", "●···"),
            ("02", "○○··"),
        ]
        words = treegen.build(treegen.Codebook(["ab", "ba", "cc"], feedback="position"), "knuth")
        assert "border-radius" not in words.play("ba")._repr_html_()

    def test_a_game_of_questions_is_written(self):
        tree = treegen.build("range8")
        assert "<p>" in tree.play("3")._repr_html_()

    def test_a_report_and_a_sample_are_tables(self, knuth, tmp_path):
        knuth.write(tmp_path / "knuth.tree")
        shown = treegen.verify(tmp_path / "knuth.tree")._repr_html_()
        assert re.findall(r"<td[^>]*>(\w+)</td><td[^>]*>[^<]*</td><td[^>]*>checked</td>", shown)[
            :2
        ] == ["total", "worst"]
        shown = treegen.simulate("p3c4r", "knuth", n=20)._repr_html_()
        assert shown.startswith("<table>")
        assert re.search(r"<th[^>]*>worst</th><td[^>]*>\d</td>", shown)

    def test_a_comparison_has_bars(self):
        found = treegen.compare("p3c4r", ["knuth", "entropy"])
        heights = re.findall(r"height:(\d+)px", found._repr_html_())
        assert len(heights) == sum(sample.worst for sample in found.samples)
        assert heights.count("24") == 2
