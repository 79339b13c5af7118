"""The lesson and its sheet in trees/, for people who have a ZIP of the project."""

import re
from html import unescape
from itertools import product
from pathlib import Path

import pytest

from .. import naive
from ..paths import ROOT, load_script
from .driving import AXE, find_violations

TREES = ROOT / "trees"
PAGES = ("lesson.html", "lesson-sheet.html")
CODES = ["".join(code) for code in product("123", repeat=2)]


def read(name):
    return (TREES / name).read_text("utf-8")


def test_the_shipped_pages_are_those_of_the_lesson(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["build-lesson.py", str(tmp_path)])
    assert load_script("build-lesson").main() == 0
    for name in PAGES:
        assert (tmp_path / name).read_bytes() == (TREES / name).read_bytes(), name


def test_links_of_the_lesson_lead_to_files_of_the_folder():
    for name in PAGES:
        links = re.findall(r'(?:href|src)="([^"]+)"', read(name))
        paths = [link for link in links if not link.startswith("data:")]
        assert paths and all((TREES / path.partition("#")[0]).is_file() for path in paths)
        assert all(Path(path).parts[0] == path for path in paths)
    assert {"play.html", "p4c6r-knuth.html", "lesson-sheet.html"} <= {
        *re.findall(r'href="([^"]+)"', read("lesson.html").partition("<main>")[2])
    }


def test_the_lesson_has_all_of_its_page():
    text = (ROOT / "docs" / "how-to" / "lesson.md").read_text("utf-8")
    page = read("lesson.html")
    for level, heading in re.findall(r"^(#+) (.*)$", re.sub(r"(?s)```.*?```", "", text), re.M):
        assert f"<h{len(level)}>{heading}</h{len(level)}>" in page
    shown = [unescape(block) for block in re.findall(r"(?s)<pre.*?><code.*?>(.*?)</code>", page)]
    assert shown == re.findall(r"(?ms)^```\w+\n(.*?)^```", text)
    assert page.count("<tr>") == len(re.findall(r"^\|(?! ?--)", text, re.M))


def read_rows(part):
    """Return the tables of a page of the sheet, row by row; drawings as they are read aloud."""
    part = re.sub(r'<svg role="img" aria-label="([^"]*)".*?</svg>', r"\1", part)
    rows = re.findall(r"<tr>(.*?)</tr>", part)
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]


def test_the_answers_of_the_sheet_are_right():
    """By the plain rules, and by following the tree as it is read aloud."""
    *pupils, teacher = re.findall(r"(?s)<section.*?</section>", read("lesson-sheet.html"))
    (label,) = re.findall(r'aria-label="(first guess [^"]*)"', pupils[0])
    guess_after = dict(re.findall(r"(?:after (\S+)|first) guess (\d+)", label))
    assert len(guess_after) == len(CODES)
    needed = []
    for code in CODES:
        history, guesses = [], []
        while not guesses or guesses[-1] != code:
            guesses.append(guess_after["/".join(history)])
            history.append(
                f"{guesses[-1]}:{''.join(map(str, naive.score_pegs(guesses[-1], code)))}"
            )
        needed.append(len(guesses))
    numbers, split, left = (read_rows(teacher)[at : at + n] for at, n in ((0, 2), (2, 3), (5, 3)))
    assert numbers == [["Hidden code", *CODES], ["Guesses", *map(str, needed)]]
    assert split[0][1:] == CODES
    for row in split[1:]:
        guess = row[0].removeprefix("Answer to ")
        assert row[1:] == [write_pins(guess, code) for code in CODES]
        cells = [[write_pins(guess, code) for code in CODES].count(pins) for pins in left[0][1:6]]
        average = f"{sum(n * n for n in cells) / len(CODES):.2f}"
        assert [guess, *map(str, cells), str(max(cells)), average] in left
    assert f"Guesses for all codes: {sum(needed)}. On average: {sum(needed)} ÷ 9 = " in teacher
    bars = [needed.count(length) for length in range(1, max(needed) + 1)]
    told = ", ".join(f"{length}: {count}" for length, count in enumerate(bars, start=1))
    assert f'aria-label="Chart of codes by number of guesses: {told}"' in teacher


def write_pins(guess, code):
    black, white = naive.score_pegs(guess, code)
    return " ".join(["black"] * black + ["white"] * white + ["none"] * (2 - black - white))


def test_pupils_do_not_get_the_answers():
    *pupils, teacher = re.findall(r"(?s)<section.*?</section>", read("lesson-sheet.html"))
    assert len(pupils) == 2 and 'class="bar"' in teacher
    for part in pupils:
        assert 'class="bar"' not in part
        assert {*re.findall("<td>(.*?)</td>", part)} == {""}


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(name, open_file):
    if not AXE.exists():
        pytest.skip("axe-core is not installed")
    for size in ((1280, 800), (320, 740)):
        page = open_file(TREES / name, size)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert find_violations(page) == []


@pytest.mark.slow
def test_the_lesson_fits_a_phone(open_file):
    page = open_file(TREES / "lesson.html", (320, 740))
    assert page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_sheet_has_three_pages(paper, open_file):
    page = open_file(TREES / "lesson-sheet.html")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper))) == 3
    page.emulate_media(media="print")
    heights = page.locator("section").evaluate_all(
        "all => all.map((one) => one.lastElementChild.getBoundingClientRect().bottom"
        " - one.getBoundingClientRect().top)"
    )
    assert all(height <= 250 * 96 / 25.4 for height in heights), heights  # 10 mm for other fonts
