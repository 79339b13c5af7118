"""Outputs are tried before the work, replace nothing that the user may miss, and fail alone.

Outputs that are folders: how they may be called, and that no failure leaves one.
"""

import errno
import importlib
import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import click
import pytest

import treegen
from treegen import UsageError, _files, build, write_table, write_tree

from ..command import list_commands, run
from ..paths import ROOT

PNG = b"\x89PNG\r\n\x1a\n"
WORDS = b"crane\nslate\n"

# Every option that names an output: the command, the option, an ending that suits it.
FILES = {
    "build": (["build", "p2c3r", "-q"], "-o", ".tree"),
    "build-tgt": (["build", "p2c3r", "-q"], "-o", ".tgt"),
    "build-resume": (["build", "p2c3r", "-q", "--resume", "state"], "-o", ".tree"),
    "build-optimal": (["build", "p2c3r", "-q", "-s", "optimal"], "-o", ".tree"),
    "build-log": (["build", "p2c3r", "-q", "-s", "optimal", "-o", "ok.tree"], "--log", ".json"),
    "import": (["import", "a.txt", "-q"], "-o", ".tree"),
    "import-text": (["import", "text", "a.txt", "-q"], "-o", ".tgt"),
    "import-table": (["import", "table", "a.tgt"], "-o", ".tree"),
    "export-text": (["export", "text", "a.tree"], "-o", ".txt"),
    "export-csv": (["export", "text", "a.tree", "--style", "csv"], "-o", ".csv"),
    "export-nested": (["export", "text", "a.tree", "--style", "nested"], "-o", ".json"),
    "export-gv": (["export", "text", "a.tree", "--style", "gv"], "-o", ".gv"),
    "export-dot": (["export", "dot", "a.tree"], "-o", ".gv"),
    "export-svg": (["export", "svg", "a.tree"], "-o", ".svg"),
    "export-png": (["export", "png", "a.tree"], "-o", ".png"),
    "export-pdf": (["export", "pdf", "a.tree"], "-o", ".pdf"),
    "export-icicle": (["export", "icicle", "a.tree"], "-o", ".svg"),
    "export-histogram": (["export", "histogram", "a.tree"], "-o", ".pdf"),
    "export-game": (["export", "game", "a.tree", "--secret", "12"], "-o", ".svg"),
    "export-json": (["export", "json", "a.tree"], "-o", ".json"),
    "export-graphml": (["export", "graphml", "a.tree"], "-o", ".graphml"),
    "export-rules": (["export", "rules", "q.tree"], "-o", ".csv"),
    "export-mermaid": (["export", "mermaid", "a.tree"], "-o", ".mmd"),
    "export-table": (["export", "table", "a.tree"], "-o", ".tgt"),
    "export-html": (["export", "html", "a.tree"], "-o", ".html"),
    "export-booklet": (["export", "booklet", "a.tree"], "-o", ".html"),
    "apply": (["apply", "q.tree", "rows.csv"], "-o", ".csv"),
    "certify": (["certify", "optimal.tree"], "-o", ".proof"),
    "compare-csv": (["compare", "p2c3r", "-s", "knuth", "-q"], "--csv", ".csv"),
    "openings-csv": (["openings", "p2c3r", "-q"], "--csv", ".csv"),
    "stats-csv": (["stats", "a.tree"], "--csv", ".csv"),
    "explain-csv": (["explain", "a.tree"], "--csv", ".csv"),
    "diff-csv": (["diff", "a.tree", "a.tree"], "--csv", ".csv"),
    "games-csv": (["games", "p2c3r"], "--csv", ".csv"),
    "strategies-csv": (["strategies"], "--csv", ".csv"),
    "play-csv": (["play", "a.tree", "--top", "2"], "--csv", ".csv"),
    "simulate-csv": (["simulate", "p2c3r", "-s", "knuth", "-q"], "--csv", ".csv"),
    "compare-plot": (["compare", "p2c3r", "-s", "knuth", "-q"], "--plot", ".svg"),
    "simulate-plot": (["simulate", "p2c3r", "-s", "knuth", "-q"], "--plot", ".svg"),
    "play": (["play", "a.tree", "--secret", "12"], "--picture", ".png"),
    "manifest": (["manifest", "a.tree"], "-o", ".sha256"),
}
FOLDERS = {
    "export-c": (["export", "c", "a.tree"], "-o"),
    "export-js": (["export", "js", "a.tree"], "-o"),
    "export-micropython": (["export", "micropython", "a.tree"], "-o"),
    "export-rust": (["export", "rust", "a.tree"], "-o"),
    "export-npm": (["export", "npm", "a.tree"], "-o"),
    "export-arduino": (["export", "arduino", "a.tree"], "-o"),
    "export-go": (["export", "go", "a.tree"], "-o"),
    "export-java": (["export", "java", "a.tree"], "-o"),
    "export-python": (["export", "python", "a.tree"], "-o"),
    "patterns": (["patterns", "2", "-q"], "-o"),
    "openings-resume": (["openings", "p2c3r", "-q", "-s", "optimal"], "--resume"),
    "resume": (["build", "p2c3r", "-q", "-o", "ok.tree"], "--resume"),
}
SLOW_TO_DRAW = {"compare-plot", "simulate-plot", "play"}
OUTPUT_OPTIONS = {"-o", "--log", "--csv", "--plot", "--picture", "--resume"}


def refuse(capsys, *args):
    """Run what must be refused in one line, and return the line."""
    assert run(*args) == 2
    out, err = capsys.readouterr()
    *said, line = err.splitlines()
    assert all(": a codebook of " in each for each in said)
    assert (out, line[:9]) == ("", "treegen: ")
    return line


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    path = tmp_path_factory.mktemp("samples")
    tree = build("p2c3r")
    write_tree(tree, path / "a.tree")
    write_tree(build("p2c3r", "optimal"), path / "optimal.tree")
    write_table(tree, path / "a.tgt")
    write_tree(build(io.StringIO("n,Q\np,1\nq,2\n")), path / "q.tree")
    (path / "rows.csv").write_text("n,Q\np,1\nq,2\n")
    (path / "words.txt").write_bytes(WORDS)
    assert run("export", "text", str(path / "a.tree"), "-o", str(path / "a.txt")) == 0
    (path / "dir").mkdir()
    return path


@pytest.fixture
def no_work(monkeypatch):
    """Let nothing be built, read or searched: what is refused is refused before."""

    def work(*args, **options):
        raise AssertionError("the work began")

    places = (
        "treegen.formats.text.read_table",
        "treegen.formats.tree_file.load_tree",
        "treegen.formats.text.parse_tree",
        "treegen.formats.table.read_table",
        "treegen.builder.grow.build_tree",
        "treegen.builder.grow.build_sharded",
        "treegen.exact.run.run_search",
        "treegen.analysis.compare.generate_samples",
        "treegen.analysis.patterns._write_table",
        "treegen.analysis.statistics.make_entry",
    )
    for place in places:  # all of them first: a module must not take over what stands in
        importlib.import_module(place.rpartition(".")[0])
    for place in places:
        monkeypatch.setattr(place, work)


def snapshot(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_output_is_in_the_tables():
    known = [(args, option) for args, option, *_ in [*FILES.values(), *FOLDERS.values()]]
    for path, command in list_commands():
        if isinstance(command, click.Group):
            continue
        options = {name for parameter in command.params for name in parameter.opts}
        for option in options & OUTPUT_OPTIONS:
            of_texts = path[0] == "import"  # its formats are one command under many names
            assert of_texts or any(
                tuple(args[: len(path)]) == path and option == its for args, its in known
            ), (path, option)
            assert "--force" in options, path


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("dir", "Is a directory"),
        ("new/", "Is a directory"),
        ("none/x{}", "the folder 'none' does not exist"),
        ("words.txt/x{}", "Not a directory"),
        ("/proc/x{}", "No such file"),
        ("a" * 300 + "{}", "name too long"),
        ("nul\0byte{}", "null"),
    ],
    ids=["folder", "slash", "missing", "file", "unwritable", "long", "null"],
)
def test_bad_places_are_refused_before_the_work(folder, capsys, no_work, place, reason):
    for name, (args, option, ending) in FILES.items():
        bad = place
        if not ending.startswith(".s") and place in ("dir", "new/"):
            (folder / f"dir{ending}").mkdir(exist_ok=True)
            bad = f"dir{ending}" + "/" * place.endswith("/")
        before = snapshot(folder)
        line = refuse(capsys, *args, option, bad.format(ending))
        assert reason in line or "does not end as a picture does" in line, name
        assert snapshot(folder) == before, name
        assert not (folder / "state").exists(), name


@pytest.mark.parametrize("place", ["words.txt", "words.txt/x", "/proc/x", "nul\0byte", "-"])
def test_bad_folders_are_refused_before_the_work(folder, capsys, monkeypatch, place):
    monkeypatch.setattr("treegen.builder.grow.build_sharded", None)
    for name, (args, option) in FOLDERS.items():
        before = snapshot(folder)
        line = refuse(capsys, *args, option, place)
        assert "cannot make the folder" in line or "a folder is needed" in line, name
        assert snapshot(folder) == before, name


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_the_same_kind_is_replaced_and_any_other_asks_for_force(folder, capsys, name):
    """An empty one, as mktemp makes it, is of any kind; what is replaced is told, unless -q."""
    args, option, ending = FILES[name]
    path = folder / f"x{ending}"
    path.touch()
    path.chmod(0o444)
    line = [*args, option, path.name]
    assert "is protected against writing" in refuse(capsys, *line)
    path.chmod(0o644)
    assert run(*line) == 0
    data = path.read_bytes()
    assert data
    capsys.readouterr()
    assert run(*(word for word in line if word != "-q")) == 0
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("treegen: replaced ") and f"'{path.name}'" in last
    assert name == "build-log" or len(path.read_bytes()) == len(data) or ending == ".csv"
    other = WORDS if ending == ".png" else PNG
    path.write_bytes(other)
    assert "--force replaces it" in refuse(capsys, *line)
    assert path.read_bytes() == other
    if name not in SLOW_TO_DRAW:
        assert run(*line, "--force") == 0
        assert path.read_bytes() != other
        assert ("replaced" in capsys.readouterr().err) is ("-q" not in args)


def link(folder, how, source):
    path = folder / f"link{os.path.splitext(source)[1]}"  # noqa: PTH122
    if how == "itself":
        return source
    if how == "another path":
        return f"dir/../{source}"
    if how == "symbolic link":
        path.symlink_to(source)
    else:
        path.hardlink_to(folder / source)
    return path.name


INPUTS = [
    ("a.tree", ["export", "text", "a.tree", "-o"]),
    ("a.tree", ["export", "svg", "a.tree", "-o"]),
    ("a.tree", ["export", "table", "a.tree", "-o"]),
    ("a.tgt", ["export", "table", "a.tgt", "-o"]),
    ("a.tree", ["export", "html", "a.tgt", "a.tree", "-o"]),
    ("a.txt", ["import", "a.txt", "-o"]),
    ("a.txt", ["import", "text", "a.txt", "-o"]),
    ("a.tgt", ["import", "table", "a.tgt", "-o"]),
    ("words.txt", ["import", "a.txt", "-g", "words.txt", "-o"]),
    ("a.tree", ["manifest", "a.tgt", "a.tree", "-o"]),
    ("words.txt", ["build", "words.txt", "-q", "-o"]),
    ("words.txt", ["build", "words.txt", "-q", "-s", "optimal", "-o", "x.tree", "--log"]),
    ("extra.txt", ["build", "words.txt", "-q", "--guesses", "extra.txt", "-o"]),
    ("words.txt", ["compare", "p2c3r", "words.txt", "-s", "knuth", "--csv"]),
    ("words.txt", ["compare", "words.txt", "-s", "knuth", "--plot"]),
    ("a.tree", ["play", "a.tree", "--secret", "12", "--picture"]),
]


@pytest.mark.parametrize("how", ["itself", "another path", "symbolic link", "hard link"])
@pytest.mark.parametrize(("source", "args"), INPUTS, ids=lambda x: "-".join(x)[:40])
def test_an_output_that_is_an_input_is_refused(folder, capsys, no_work, source, args, how):
    (folder / "extra.txt").write_bytes(b"trace\n")
    target = link(folder, how, source)
    before = snapshot(folder)
    for force in ([], ["--force"]):
        line = refuse(capsys, *args, target, *force)
        assert f"the output {target!r} is the input {source!r}" in line
    assert snapshot(folder) == before


def test_a_file_in_a_folder_that_is_an_input_is_refused(folder, capsys):
    assert run("export", "micropython", "a.tree", "-o", "dir") == 0
    capsys.readouterr()
    line = refuse(capsys, "export", "micropython", "dir/table.tgt", "-o", "dir", "--force")
    assert "is the input 'dir/table.tgt'" in line


def test_the_standard_input_is_an_input(folder, capsys, monkeypatch):
    for args in (["export", "table", "-"], ["import", "table", "-"], ["manifest", "-"]):
        with (folder / "a.tgt").open("rb") as stream:
            before = os.dup(0)
            os.dup2(stream.fileno(), 0)
            monkeypatch.setattr(sys, "stdin", os.fdopen(0, closefd=False))
            try:
                assert "is the standard input" in refuse(capsys, *args, "-o", "a.tgt")
            finally:
                os.dup2(before, 0)
                os.close(before)


@pytest.mark.parametrize("option", ["--log", "--resume"])
def test_two_outputs_in_one_place_are_refused(folder, capsys, no_work, option):
    args = ["build", "p2c3r", "-s", "optimal", "-o", "dir/../x", option, "x"]
    if option == "--log":
        (folder / "x").touch()
        assert "two outputs go to 'x'" in refuse(capsys, *args)
    args = ["compare", "p2c3r", "-s", "knuth", "--plot", "x.svg", "--csv", "x.svg"]
    assert "two outputs go to 'x.svg'" in refuse(capsys, *args)
    args = ["build", "p2c3r", "-s", "optimal", "-o", "-", "--log", "-"]
    assert "two outputs go to '-'" in refuse(capsys, *args)


ENDINGS = [".tree", ".tgt", ".svg", ".png", ".pdf", ".html", ".json", ".graphml", ".gv", ".csv"]
OWN = {
    "build": [".tree", ".tgt"],
    "build-tgt": [".tree", ".tgt"],
    "build-optimal": [".tree", ".tgt"],
    "import": [".tree", ".tgt"],
    "import-text": [".tree", ".tgt"],
    "import-table": [".tree", ".tgt"],
    "export-icicle": [".svg", ".png", ".pdf"],
    "export-histogram": [".svg", ".png", ".pdf"],
    "export-game": [".svg", ".png", ".pdf"],
    "simulate-plot": [".svg", ".png", ".pdf"],
    "compare-plot": [".svg", ".png", ".pdf"],
    "play": [".svg", ".png", ".pdf"],
}


@pytest.mark.parametrize("name", FILES)
def test_endings_of_other_formats_are_refused(folder, capsys, no_work, name):
    args, option, ending = FILES[name]
    for other in [*ENDINGS, ".TREE", ".jpg", ".docx"]:
        if other.lower() not in OWN.get(name, [ending]):
            line = refuse(capsys, *args, option, f"x{other}")
            assert " names a" in line or "names " in line or "is not written here" in line
    assert not list(folder.glob("x*"))


def test_the_ending_says_whether_a_table_or_a_tree_is_written(folder):
    for name in ("x.tgt", "x.TGT", "x", "x.out", "x.tree", "x.TREE", "p2c3r-power-0.5"):
        kind = "a.tgt" if name.lower().endswith(".tgt") else "a.tree"
        assert run("build", "p2c3r", "-q", "-o", name) == 0
        assert (folder / name).read_bytes() == (folder / kind).read_bytes()
    assert run("import", "a.txt", "-q", "-o", "y.tgt") == 0
    assert (folder / "y.tgt").read_bytes() == (folder / "a.tgt").read_bytes()


def test_any_text_may_go_to_txt(folder):
    for name in ("export-dot", "export-json", "export-graphml", "compare-csv", "manifest"):
        args, option, _ = FILES[name]
        assert run(*args, option, f"{name}.txt") == 0


def test_a_list_of_words_is_not_replaced_by_a_text(folder, capsys):
    line = refuse(capsys, "export", "text", "a.tree", "-o", "words.txt")
    assert "'words.txt' is a list of words, not text" in line
    assert (folder / "words.txt").read_bytes() == WORDS


LANGUAGES = ["c", "js", "micropython", "python", "rust", "go", "java", "npm", "arduino"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_edited_file_of_a_player_asks_for_force(folder, capsys, language):
    export = ["export", language, "a.tree", "-o", "out"]
    assert run(*export) == 0
    assert run(*export) == 0  # nothing differs
    before = snapshot(folder / "out")
    for path in before:
        if path.suffix == ".tgt":  # which nobody edits
            continue
        path.write_bytes(before[path] + b"\n// mine\n")
        capsys.readouterr()
        name = str(path.relative_to(folder))
        line = refuse(capsys, *export)
        assert f"{name!r} is not as treegen writes it; --force replaces it" in line
        assert path.read_bytes().endswith(b"mine\n")
        with pytest.raises(UsageError, match="is not as treegen writes it"):
            treegen.write_player("a.tree", "out", language)
        assert run(*export, "--force") == 0
        assert snapshot(folder / "out") == before


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_nobody_edited_is_written_again(folder, capsys, language):
    """The table or an option is another one: digests in the README tell what was edited."""
    export = ["export", language, "a.tree", "-o", "out"]
    assert run(*export) == 0
    first = snapshot(folder / "out")
    treegen.build("p3c4r").write(folder / "a.tree")
    capsys.readouterr()
    assert run(*export) == 0
    assert "treegen: replaced " in capsys.readouterr().err
    second = snapshot(folder / "out")
    assert first[folder / "out" / "README.md"] != second[folder / "out" / "README.md"]
    assert run(*export, "--force") == 0
    assert snapshot(folder / "out") == second


def test_a_readme_that_was_edited_still_knows_the_others(folder, capsys):
    assert run("export", "c", "a.tree", "-o", "out") == 0
    readme = folder / "out" / "README.md"
    readme.write_text("Mine.\n" + readme.read_text())
    treegen.build("p3c4r").write(folder / "a.tree")
    capsys.readouterr()
    name = str(readme.relative_to(folder))
    line = refuse(capsys, "export", "c", "a.tree", "-o", "out")
    assert line == f"treegen: {name!r} is not as treegen writes it; --force replaces it"
    readme.unlink()  # without it nothing is known of them
    assert "table.h" in refuse(capsys, "export", "c", "a.tree", "-o", "out")


@pytest.mark.parametrize("url", [(), ("--url", "https://example.org/play/")], ids=len)
def test_an_edited_page_asks_for_force_and_another_is_written_again(folder, capsys, url):
    if url:
        pytest.importorskip("matplotlib")
    export = ["export", "html", "a.tree", "-o", "out/x.html", *url]
    (folder / "out").mkdir()
    assert run(*export) == 0
    assert run(*export, "--title", "Another & <title>") == 0
    treegen.build("p3c4r").write(folder / "a.tree")
    assert run(*export) == 0
    before = snapshot(folder / "out")
    edited = [path for path in before if path.suffix != ".png"]
    for path in edited:
        path.write_bytes(before[path].replace(b"treegen", b"Treegen", 1))
        name = str(path.relative_to(folder))
        capsys.readouterr()
        line = refuse(capsys, *export, "--title", "Third")
        assert line == f"treegen: {name!r} is not as treegen writes it; --force replaces it"
        path.write_bytes(before[path])
    for path in edited:
        path.write_bytes(before[path] + b" ")
    line = refuse(capsys, *export)
    assert all(repr(str(path.relative_to(folder))) in line for path in edited)
    with pytest.raises(UsageError, match="as treegen writes"):
        treegen.write("a.tree", "out/x.html", url=url[-1] if url else None)
    treegen.write("a.tree", "out/x.html", url=url[-1] if url else None, force=True)
    assert snapshot(folder / "out") == before


def test_nothing_is_written_beside_an_edited_file(folder, capsys):
    assert run("export", "c", "a.tree", "-o", "out") == 0
    for name in ("example.c", "README.md", "tgt_player.h", "table.h"):
        (folder / "out" / name).write_text("mine\n")
    (folder / "out" / "tgt_codes.h").unlink()
    before = snapshot(folder)
    capsys.readouterr()
    line = refuse(capsys, "export", "c", "a.tree", "-o", "out")
    assert line.endswith(" and 1 more are not as treegen writes them; --force replaces them")
    assert snapshot(folder) == before
    assert treegen.write_player("a.tree", "out", "c", force=True)


def test_export_is_quiet_on_request(folder, capsys):
    for quiet in ([], ["--quiet"]):
        for args in (["c", "a.tree", "-o", "out"], ["table", "a.tree", "-o", "a.tgt"]):
            for _ in range(2):
                assert run("export", *args, *quiet) == 0
        told = capsys.readouterr()
        assert bool(told.out) == bool(told.err) == (not quiet)


def test_patterns_replace_their_own_files_only(folder, capsys):
    assert run("patterns", "2", "-q", "-o", "dir") == 0
    assert run("patterns", "2", "-q", "-o", "dir") == 0
    (folder / "dir/a11.tgt").write_bytes(WORDS)
    assert "a11.tgt' is a list of words" in refuse(capsys, "patterns", "2", "-o", "dir")
    (folder / "dir/INDEX-8.md").write_bytes((folder / "a.tree").read_bytes())
    longest = ["patterns", "8", "-q", "-o", "dir", "--time-limit", "1"]
    assert "INDEX-8.md' is a tree" in refuse(capsys, *longest)
    assert "for 1 to 8 pegs, not 9" in refuse(capsys, "patterns", "9", "-o", "dir")


def end_writing(monkeypatch, ending, error):
    """Let every file whose name ends so end in an error, from now on."""
    rename = _files._write_and_rename

    def write(target, chunks):
        if target.name.endswith(ending):
            raise error
        rename(target, chunks)

    monkeypatch.setattr(_files, "_write_and_rename", write)


def fill_the_disk(monkeypatch, ending):
    end_writing(monkeypatch, ending, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))


def test_a_log_and_a_tree_that_fail_do_not_cost_each_other(folder, capsys, monkeypatch):
    search = ["build", "p2c3r", "-s", "optimal", "-o", "x.tree", "--log", "x.json"]
    for ending, kept in ((".json", "x.tree"), (".tree", "x.json")):
        with monkeypatch.context() as patch:
            fill_the_disk(patch, ending)
            assert run(*search) == 2
        out, err = capsys.readouterr()
        assert ("x.tree: total" in out) == (kept == "x.tree")
        assert f"cannot write 'x{ending}': No space left" in err
        assert [path.name for path in folder.glob("x.*")] == [kept]
        (folder / kept).unlink()


def test_every_failure_is_told_and_costs_nothing_else(folder, capsys, monkeypatch):
    args = ["compare", "p2c3r", "-s", "knuth", "--plot", "x.svg", "--csv", "x.csv"]
    told = []
    for ending in (".svg", ".csv"):
        fill_the_disk(monkeypatch, ending)
        told.append(f"cannot write 'x{ending}': No space left on device")
        assert run(*args) == 2
        out, err = capsys.readouterr()
        assert "1/2/5/1" in out
        assert sorted(err.removeprefix("treegen: ").rstrip().split("; ")) == sorted(told)
        assert (folder / "x.csv").exists() == (ending == ".svg")
        (folder / "x.csv").unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [(KeyboardInterrupt(), 130, "interrupted"), (MemoryError(), 2, "memory ran out")],
    ids=["interrupt", "memory"],
)
def test_what_was_written_is_told(folder, capsys, monkeypatch, error, code, said):
    end_writing(monkeypatch, ".svg", error)
    args = ["compare", "p2c3r", "-s", "knuth", "--plot", "x.svg"]
    for more, written in ([], "nothing was written"), (["--csv", "x.csv"], "'x.csv' was written"):
        assert run(*args, *more) == code
        assert capsys.readouterr().err.strip() == f"treegen: {said}; {written}"
    end_writing(monkeypatch, "tgt_codes.h", error)
    assert run("export", "c", "a.tree", "-o", "out") == code
    assert f"{said}; 'out/tgt_player.h' was written" in capsys.readouterr().err


def test_an_output_that_was_cut_is_incomplete(folder, capsys, monkeypatch):
    def generate(tree):
        yield b"half"
        raise KeyboardInterrupt

    monkeypatch.setattr("treegen.cli.output.generate_tree_bytes", generate)
    assert run("build", "p2c3r", "-q", "-o", "-") == 130
    assert capsys.readouterr().err.strip() == "treegen: interrupted; the output is incomplete"


def test_a_full_folder_does_not_cost_the_tree_of_a_search(folder, capsys, monkeypatch):
    fill_the_disk(monkeypatch, ".part")
    assert (
        run("build", "p3c4r", "-s", "best", "--beam", "4", "--resume", "part", "-o", "x.tree") == 0
    )
    out, err = capsys.readouterr()
    assert out.startswith("x.tree: total ")
    assert (
        err.count("No space left on device; the search continues, and what it proves is not") == 1
    )
    assert run("build", "p3c4r", "--resume", "rule", "-o", "y.tree") == 2
    assert "what is finished stays in 'rule'" in capsys.readouterr().err
    assert not (folder / "y.tree").exists()


class Broken(io.StringIO):
    """A standard error that takes nothing."""

    def write(self, text):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def flush(self):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("stream", [None, Broken()], ids=["closed", "broken"])
def test_messages_that_nobody_hears_cost_nothing(folder, monkeypatch, stream):
    monkeypatch.setattr(sys, "stderr", stream)
    assert run("build", "p2c3r", "-o", "-") == 0
    assert run("build", "p2c3r", "-o", "x.tree") == 0
    assert (folder / "x.tree").read_bytes() == (folder / "a.tree").read_bytes()
    assert run("stats", "none.tree") == 2
    assert run("verify", "a.tree", "--claim", "total=1") == 1


@pytest.mark.parametrize(
    "args", [["build", "p2c3r", "-o", "-"], ["export", "text", "a.tree"], ["manifest", "a.tree"]]
)
def test_a_closed_output_is_told_before_the_work(folder, capsys, monkeypatch, no_work, args):
    monkeypatch.setattr(sys, "stdout", None)
    assert run(*args) == 2
    assert capsys.readouterr().err == "treegen: the standard output is closed\n"


def test_what_does_not_need_a_closed_stream_does_not_mind(folder, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stdin", None)
    assert run("build", "p2c3r", "-q", "-o", "x.tree") == 0
    assert run("build", "p2c3r", "-o", "y.tree") == 2  # its figures are lost, the tree is not
    assert (folder / "x.tree").read_bytes() == (folder / "y.tree").read_bytes()
    assert run("stats", "-") == 2
    assert capsys.readouterr().err.splitlines() == [
        "treegen: the standard output is closed",
        "treegen: the standard input is closed",
    ]


@pytest.mark.parametrize("name", sorted(SLOW_TO_DRAW))
def test_a_picture_without_matplotlib_is_refused_before_the_work(folder, capsys, monkeypatch, name):
    args, option, ending = FILES[name]
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    line = refuse(capsys, *args, option, f"x{ending}")
    assert "pip install matplotlib (the extra plot of treegen)" in line
    assert not (folder / f"x{ending}").exists()


@pytest.mark.parametrize(
    "args",
    [
        *(["export", name, "a.tree", "-o", f"x.{ending}"] for name, ending in [
            ("c", "c"), ("js", "js"), ("js", "mjs"), ("python", "py"), ("rust", "rs"),
            ("go", "go"), ("java", "java"), ("npm", "zip"), ("arduino", "ino"), ("c", "tgt"),
        ]),
        ["patterns", "2", "-o", "x.tgt"],
        ["certify", "--checker", "check.c"],
        ["build", "p2c3r", "-s", "optimal", "--resume", "state.json"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_file_s_name_is_no_folder(folder, capsys, args):
    assert run(*args) == 2
    stem, _, ending = args[-1].partition(".")
    line = f"treegen: {args[-1]!r} is a file's name: give a folder, such as {stem}-{ending}\n"
    assert capsys.readouterr().err == line
    assert not (folder / args[-1]).exists()


def test_the_library_refuses_it_too(folder):
    tree = treegen.read("a.tree")
    for write in (
        lambda: treegen.write_player(tree, "x.c", "c"),
        lambda: tree.write("x.py", "python"),
        lambda: treegen.write_checker("check.c"),
        lambda: treegen.patterns(2, "x.tgt"),
    ):
        with pytest.raises(UsageError, match="is a file's name"):
            write()


@pytest.mark.parametrize("name", ["x.c", ".c", "knuth-1.0", "v1.x", "c"])
def test_a_folder_may_be_called_so(folder, name):
    if name == "x.c":
        (folder / name).mkdir()
    assert run("export", "python", "a.tree", "-o", name) == 0
    assert (folder / name / "tgt_player.py").is_file()


def test_a_wrong_strategy_makes_no_folder(folder, capsys):
    assert run("patterns", "2", "-s", "bogus", "-o", "new") == 2
    assert not (folder / "new").exists()


def test_everything_is_written_from_a_zip_archive(folder):
    """As a zip application has the package: its own files have no paths."""
    with zipfile.ZipFile("app.zip", "w") as archive:
        for path in (ROOT / "treegen").rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                archive.write(path, path.relative_to(ROOT))
    script = f"""
import sys
sys.path.insert(0, "app.zip")
import treegen
assert "app.zip" in treegen.__file__
tree = treegen.read("a.tree")
for language in {LANGUAGES!r}:
    treegen.write_player(tree, f"out-{{language}}", language)
tree.write("page.html")
treegen.write_booklet(tree, "booklet.html")
treegen.write_checker("checker")
from treegen.checker import SOURCE, check_compiled, find_compiler
assert SOURCE.read_bytes()
if find_compiler():
    verdict = check_compiled(open("p2c3r.proof", "rb").read())
    assert verdict.is_proved, verdict
"""
    assert run("build", "p2c3r", "-s", "optimal", "-q", "--certificate", "p2c3r.proof") == 0
    subprocess.run([sys.executable, "-c", script], check=True)
    for language in LANGUAGES:
        treegen.write_player("a.tree", f"own-{language}", language)
        for path in filter(Path.is_file, Path(f"own-{language}").rglob("*")):
            other = Path(f"out-{language}") / path.relative_to(f"own-{language}")
            assert other.read_bytes() == path.read_bytes()
