"""The wheel, installed in an empty environment outside the checkout, does what the README says."""

import os
import subprocess
import sys
import tarfile
import venv

import pytest

from . import readme

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return the folder of programs of an environment with nothing but the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(folder)]
    subprocess.run([*build, str(readme.ROOT)], check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "env", with_pip=True)
    programs = folder / "env" / "bin"
    subprocess.run([programs / "python", "-m", "pip", "install", "--quiet", wheel], check=True)
    return programs


def test_both_names_of_the_program_are_installed(installed):
    for name in ("treegen", "mastermind-treegen"):
        done = subprocess.run([installed / name, "--version"], capture_output=True, text=True)
        assert done.returncode == 0 and "0.1.0" in done.stdout, done.stderr


def test_the_readme_runs_from_the_wheel(installed, tmp_path):
    environment = {**os.environ, "PATH": f"{installed}:{os.environ['PATH']}", "PYTHONPATH": ""}
    for command in readme.read_commands():
        done = subprocess.run(
            ["treegen", *command.words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, command.output), done.stderr
    (tmp_path / "snippet.txt").write_text(readme.read_python(), encoding="utf-8")
    doctest = [installed / "python", "-m", "doctest", "snippet.txt"]
    subprocess.run(doctest, cwd=tmp_path, env=environment, check=True)


USER = """
import treegen


def total_of(game: treegen.Game, strategy: str) -> int:
    tree: treegen.Tree = treegen.build(game, strategy, first="1122", jobs=2)
    report: treegen.Report = treegen.verify(tree, claim={"total": tree.total})
    guess: str = tree.guess_after("02")
    tree.write("knuth.tgt", profile="lean")
    for node in tree:
        children: list[treegen.Node] = node.children
        assert len(children) >= 0 and guess
    comparison: treegen.Comparison = treegen.compare("p4c6r", [strategy, tree])
    text: str = str(report) + comparison.to_text(80) + str(tree.play("3163"))
    return tree.total + len(text)


def tell(progress: treegen.Progress) -> None:
    print(progress.stage, progress.done)


words = treegen.Codebook(["crane", "crate"], feedback="position", weights={"crane": 2})
treegen.build("words.txt", feedback="position", guesses="more.txt", progress=tell)
treegen.simulate(treegen.Mastermind(), n=5, progress=True).to_dict()
with treegen.open_build("p4c6r", "knuth", resume="parts") as big:
    treegen.write(big, "big.tree")
"""
WRONG = "import treegen\ntreegen.build('p4c6r', frist='1122')\ntreegen.read(4).total\n"


def check_types(installed, folder, text):
    """Return what mypy --strict says of a user's code beside the installed wheel."""
    (folder / "user.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache")]
    done = subprocess.run(
        [*command, "--python-executable", str(installed / "python"), "user.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_a_users_code_is_checked_by_the_types_of_the_wheel(installed, tmp_path):
    assert "Success: no issues found" in check_types(installed, tmp_path, USER)
    wrong = check_types(installed, tmp_path, WRONG)
    assert "frist" in wrong and "Found 2 errors" in wrong, wrong


SMOKE = """
import sys, treegen
heavy = {"numpy", "numba", "rich", "click"} & set(sys.modules)
assert not heavy, heavy
for name in treegen.__all__:
    assert getattr(treegen, name) is not None, name
tree = treegen.build("p2c3r")
assert treegen.verify(tree).is_proved and str(treegen.stats(tree))
assert treegen.read_schema("tree") and tree._repr_html_()
for ending in ("tree", "tgt", "txt", "csv", "gv", "json", "graphml", "html"):
    tree.write(f"a.{ending}")
for language in ("c", "js", "micropython", "python", "rust", "go", "java", "npm", "arduino"):
    assert treegen.write_player(tree, language, language)
print(treegen.read("a.tgt") == tree == treegen.import_tree("a.txt"))
"""


def smoke(python, folder):
    (folder / "smoke.py").write_text(SMOKE, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": ""}
    done = subprocess.run(
        [python, "smoke.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


def test_every_public_name_works_from_the_wheel(installed, tmp_path):
    smoke(installed / "python", tmp_path)


def test_every_public_name_works_from_the_sdist(installed, tmp_path):
    build = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "-o", str(tmp_path)]
    subprocess.run([*build, str(readme.ROOT)], check=True, capture_output=True)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert {"Makefile", "uv.lock", "tests/conftest.py", "trees/INDEX.md"} <= held  # for `make test`
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    place = tmp_path / "site"
    subprocess.run([*pip, "--target", str(place), str(sdist)], check=True)
    text = f"import sys; sys.path.insert(0, {str(place)!r})\n{SMOKE}"
    (tmp_path / "smoke.py").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [installed / "python", "smoke.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr
