"""Every command and line of Python on a page runs, with its files, and prints what it shows."""

import doctest
import re
import tomllib
from html import unescape

import pytest

import treegen
from treegen import list_strategies

from .. import readme
from ..command import list_commands, run
from ..paths import ROOT
from ..readme import read_commands, read_python

DOCS = ROOT / "docs"
FILES = {
    "words.md": ["hidden.txt", "allowed.txt"],
    "questions.md": ["animals.csv", "visits.csv", "farm.csv"],
    "text-formats.md": [],
    "foreign-formats.md": ["animals.md", "parity.txt"],
}
"""The names of the files that a page shows, in their order; elsewhere they stand before them."""
PAGES = {
    **dict.fromkeys(FILES),
    **dict.fromkeys(["index.md", "reference.md", "strategies.md", "diagrams.md", "long-codes.md"]),
    **dict.fromkeys(["tutorial.md", "../README.md"]),
    **{f"how-to/{path.name}": None for path in sorted((DOCS / "how-to").glob("*.md"))},
}
SLOW = "how-to/equations.md"  # it proves best trees


def write_files(page, folder):
    """Write the files that a page shows."""
    text = (DOCS / page).read_text("utf-8")
    blocks = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    shown = re.findall(r"`([\w.-]+)`:\n\n```(?:text|csv)\n(.*?)```", text, re.DOTALL)
    for name, body in zip(FILES[page], blocks, strict=False) if page in FILES else shown:
        (folder / name).write_text(body, "utf-8")


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=[pytest.mark.slow] * (page == SLOW)) for page in PAGES]
)
def test_commands_and_snippets_of_a_page_print_what_it_shows(page, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    write_files(page, tmp_path)
    text = (DOCS / page).read_text("utf-8")
    runs = [run_commands, run_python]
    is_python_first = "```pycon" in text and text.index("```pycon") < text.find("```console")
    n_examples = [part(page, capfd) for part in (reversed(runs) if is_python_first else runs)]
    assert any(n_examples)


def run_commands(page, capfd):
    commands = read_commands(DOCS / page)
    for command in commands:
        code = run(*command.words)
        assert code == (command.words[0] == "diff"), command
        assert capfd.readouterr().out == command.output, command
    return len(commands)


def run_python(page, _):
    test = doctest.DocTestParser().get_doctest(read_python(DOCS / page), {}, page, page, 0)
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0
    return len(test.examples)


def test_commands_within_sentences_run_with_the_lists(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    write_files("words.md", tmp_path)
    found = []
    for page in [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]:
        text = " ".join(page.read_text("utf-8").split())
        found += re.findall(r"`treegen (play [^`]*--history [^`]*(?:⬛|🟩)[^`]*)`", text)
    assert found
    for line in found:
        code = run(*line.split())
        reading = "treegen: hidden.txt: a codebook of 14 words of 5 letters, answered by position\n"
        assert (code, capfd.readouterr().err) == (0, reading), line


@pytest.mark.parametrize("page", ["tutorial.md", "long-codes.md", "notes/results.md"])
def test_links_and_pictures_exist(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    for part in text.split("](")[1:]:
        target = part.partition(")")[0]
        assert "://" in target or ((DOCS / page).parent / target).exists(), target


def test_every_online_strategy_is_on_its_page():
    text = (DOCS / "long-codes.md").read_text(encoding="utf-8")
    names = [strategy.name for strategy in list_strategies() if not strategy.tree]
    assert len(names) == 4
    for name in names:
        assert f"| `{name}` |" in text


@pytest.mark.parametrize("name", ["README.md", "docs/index.md"])
def test_the_first_page_begins_with_the_page_and_a_tree(name):
    page = ROOT / name
    first = page.read_text("utf-8").partition("```")[0]
    assert "\n## " not in first
    pictures = [page.parent / path for path in re.findall(r"!\[[^\]]+\]\((\S+)\)", first)]
    assert [path.name for path in pictures] == ["page-play.png", "tree.svg"]
    assert all(path.is_file() for path in pictures)
    drawn = unescape(pictures[1].read_text("utf-8"))
    tree = treegen.build("p2c3r", "knuth")
    figures = f"total {tree.total} · average {tree.average:.4f} · worst {tree.worst} "
    assert f"{tree.game.n_secrets} secrets · {figures}" in drawn


def test_pages_that_are_read_through_are_short():
    long = ("Reference", "Formats", "Write a reader, a player, a checker")
    for folder in (ROOT / "docs", ROOT / "docs" / "notes"):
        index = (folder / "index.md").read_text("utf-8")
        for section in re.split(r"^## ", index, flags=re.MULTILINE)[1:]:
            caption, _, links = section.partition("\n")
            for name in re.findall(r"\(([\w/-]+\.md)\)", links):
                lines = (folder / name).read_text("utf-8").splitlines()
                assert caption in long or len(lines) <= 250, name
    assert len((ROOT / "docs" / "questions.md").read_text("utf-8").splitlines()) <= 250


def test_the_pages_for_users_are_few_and_short():
    docs = ROOT / "docs"
    notes = {docs / "notes", docs / "reference"}
    pages = [path for path in docs.rglob("*.md") if path.parent not in notes]
    assert len(pages) <= 32
    assert sum(len(path.read_text("utf-8").split()) for path in pages) <= 50_000


def test_the_glossary_defines_each_term_once():
    text = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    bold = re.findall(r"\*\*(.+?)[.:]?\*\*", text, re.DOTALL)
    terms = [term.casefold() for each in bold for term in re.split(r",\s+", each)]
    assert len(terms) > 80
    assert [term for term in terms if terms.count(term) > 1] == []


def test_generated_parts_are_up_to_date():
    import runpy
    import sys

    script = ROOT / "scripts" / "write-docs.py"
    before = sys.argv
    sys.argv = [str(script), "--check"]
    try:
        with pytest.raises(SystemExit) as stop:
            runpy.run_path(str(script), run_name="__main__")
    finally:
        sys.argv = before
    assert stop.value.code == 0


COMMANDS = {words[0] for words, _ in list_commands() if words}


def test_commands_in_the_running_text_exist():
    text = readme.README.read_text(encoding="utf-8")
    names = set(re.findall(r"`treegen ([a-z]+)", text))
    assert names <= COMMANDS
    assert len(names) >= 3


def test_every_command_is_documented():
    pages = [readme.README, *sorted((readme.ROOT / "docs").glob("*.md"))]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    missing = [name for name in sorted(COMMANDS) if f"treegen {name}" not in text]
    assert missing == []


def test_the_readme_is_short_and_begins_with_a_tree():
    text = readme.README.read_text(encoding="utf-8")
    lines = text.splitlines()
    assert len(lines) <= 85
    assert len(re.sub(r"```.*?```", "", text, flags=re.DOTALL).split()) <= 550
    assert "(docs/tree.svg)" in "".join(lines[:15])
    assert lines.index("```console") < lines.index("## I want to …")


def test_who_installs_nothing_finds_the_pages():
    for page in (readme.README, readme.ROOT / "docs" / "install.md"):
        names = re.findall(r"`(trees/\S+)`", page.read_text(encoding="utf-8"))
        assert names == ["trees/play.html", "trees/p4c6r-knuth.html"]
        for name in names:
            html = (readme.ROOT / name).read_text(encoding="utf-8")
            assert html.startswith("<!doctype html>") and "https://" not in html


def test_the_page_on_installing_has_every_extra():
    text = (readme.ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    project = tomllib.loads((readme.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(re.findall(r"^\| `(\w+)` \|", text, re.M)) == project["optional-dependencies"].keys()
    least = project["requires-python"].removeprefix(">=")
    for page in (readme.README, readme.ROOT / "docs" / "install.md"):
        assert f"Python {least} or later" in page.read_text(encoding="utf-8")


def test_nothing_is_promised_that_is_not_there():
    """No index has the package, and no host its repository: nobody is sent there."""
    root = readme.ROOT
    folders = [path for name in ("docs", "treegen", "trees") for path in (root / name).rglob("*")]
    pages = [readme.README, root / "pyproject.toml", *folders]
    for page in pages:
        if page.suffix in (".md", ".toml", ".py", ".html", ".mjs", ".ipynb"):
            text = page.read_text(encoding="utf-8")
            assert "github.com/treegen" not in text, page
            assert not re.search(r"pip install \S*mastermind-treegen", text), page
