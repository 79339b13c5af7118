"""The page of tables of answers in a browser: by mouse and keys, with what is still possible."""

import re

import numpy as np
import pytest

import treegen
from treegen import write_page
from treegen.games.answer_table import AnswerTable
from treegen.games.questions import Questions

from . import driving as ui

pytestmark = pytest.mark.slow

NAMES = ["sparrow", "duck", "dog", "cat", "frog", "ant", "bee", "spider"]
ROWS = [["yes", "2", "no", "no"], ["yes", "2", "yes", "no"], ["no", "4", "no", "yes"],
        ["no", "4", "no", "no"], ["no", "4", "yes", "no"], ["no", "6", "no", "no"],
        ["no", "6", "no", "no"], ["no", "8", "no", "no"]]  # fmt: skip
QUESTIONS = ["Feathers?", "Legs", "Lives in water?", "Barks?"]


@pytest.fixture
def page(open_page):
    """A page of two keys that leaves no error on the console."""
    games = [
        Questions(
            ROWS,
            NAMES,
            QUESTIONS,
            label=f"a table whose name is too long for a small window {n}.csv",
        )
        for n in "ab"
    ]
    trees = [treegen.build(games[0], "optimal"), treegen.build(games[1], "entropy")]
    return open_page(trees, (360, 740))


def test_answers_lead_to_what_is_announced(page):
    ui.shows(
        page.locator("#figures"),
        "7 candidates, 4 questions; at most 3 are asked if you know every answer.",
    )
    ui.shows(page.locator("#question"), "Legs")
    page.get_by_role("button", name="4", exact=True).click()
    ui.shows(page.locator("#left bdi"), ["cat", "dog", "frog"])
    page.keyboard.press("1")
    ui.shows(page.locator("#question"), "Barks?")
    page.keyboard.press("Backspace")
    ui.shows(page.locator("#question"), "Lives in water?")
    page.get_by_role("button", name="yes", exact=True).click()
    ui.shows(page.locator("#count"), "It is")
    ui.shows(page.locator("#question"), "frog")
    page.get_by_role("button", name="change").first.click()
    page.get_by_role("button", name="6", exact=True).click()
    ui.shows(page.locator("#count"), "No question tells these apart:")
    ui.shows(page.locator("#question"), "ant | bee")
    ui.counts(page.locator("h1:visible, h2:visible").filter(has_text=re.compile(r"^\s*$")), 0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_another_key_and_an_impossible_answer(page):
    page.select_option("#tree", index=1)
    page.get_by_role("button", name="8", exact=True).click()
    ui.shows(page.locator("#question"), "spider")
    page.get_by_role("button", name="Start again").click()
    ui.shows(page.locator("#question"), "Legs")
    assert page.locator("#answers .none").count() == 0


@pytest.mark.skipif(not ui.AXE.exists(), reason="axe-core is not installed")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(page, scheme):
    page.emulate_media(color_scheme=scheme)
    page.get_by_role("button", name="4", exact=True).click()
    page.evaluate(ui.AXE.read_text("utf-8"))  # the page's policy lets no other script in
    found = page.evaluate("axe.run().then((result) => result.violations.map((each) => each.id))")
    assert found == []


def test_a_question_may_be_skipped(open_page):
    """Whatever it may have been answered, nothing true is excluded; shares are shown."""
    table = AnswerTable(
        ("dog", "frog", "spider", "duck"),
        ("Legs", "Wet?"),
        (("2", "4", "8"), ("no", "yes")),
        np.array([[1, 0], [1, 1], [2, 2], [0, 2]], dtype=np.uint8),
        sets=((), ((0, 1),)),
        classes=("tame", "wild", "wild", "tame"),
    )
    game = Questions(table).with_stakes([3, 1, 1, 1])
    page = open_page([treegen.build(game, "separable-pairs")], (820, 620))
    ui.shows(page.locator("#figures"), re.compile(r"^4 candidates of 2 classes, 2 questions"))
    asked = page.locator("#question").inner_text()
    page.get_by_role("button", name="I don’t know: ask something else").click()
    ui.shows(page.locator("#answered b"), ["not known"])
    ui.shows(page.locator("#question"), re.compile(f"^(?!{re.escape(asked)}).*"))
    page.keyboard.press("0")
    ui.shows(page.locator("#question"), "tame 67 %, wild 33 %")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    ui.shows(page.locator("#question"), asked)
    ui.counts(page.locator("#answered li"), 0)


def make_traits(n):
    """Return a table of n candidates, whose two traits have a number and a text."""
    return [{"name": f"n{at}", "Size": at, "Kind": "abc"[at % 3]} for at in range(n)]


def test_traits_are_tiles_on_the_buttons(open_page):
    game = treegen.open_game(make_traits(4), feedback="traits")
    page = open_page(treegen.build(game, "optimal", first="n1"), (390, 740))
    ui.shows(page.locator("#figures"), "4 candidates; at most 3 are guessed.")
    ui.shows(page.locator("#question"), "n1")
    assert page.locator("footer").inner_text() == "Keys: 1 to 9 answer, Backspace takes back."
    ui.shows(page.locator("#answers .tile"), ["Size ▼", "Kind ≠", "Size ▲", "Kind ≠"])
    page.get_by_role("button", name="Size lower, Kind different").click()
    ui.shows(page.locator("#question"), "n0")
    ui.shows(page.locator("#answered .tile"), ["Size ▼", "Kind ≠"])
    page.get_by_role("button", name="right", exact=True).click()
    ui.shows(page.locator("#question"), "n0")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_many_ways_to_compare_are_chosen_trait_by_trait(open_page):
    rows = [
        {**row, **{f"t{bit}": "xy"[at >> bit & 1] for bit in range(4)}}
        for at, row in enumerate(make_traits(16))
    ]
    game = treegen.open_game(rows, feedback="traits")
    page = open_page(treegen.build(game, "optimal", first="n0"), (390, 740))
    page.get_by_role("button", name="t0 different").click()
    ui.counts(page.get_by_role("button", name="t0 different", pressed=True), 1)
    page.get_by_role("button", name="t1 equal").click()
    page.get_by_role("button", name="t2 different").click()
    page.get_by_role("button", name="t3 different").click()  # 13 alone is so
    ui.shows(page.locator("#question"), "n13")
    tiles = ["Size ▲", "Kind ≠", "t0 ≠", "t1 =", "t2 ≠", "t3 ≠"]
    ui.shows(page.locator("#answered .tile"), tiles)


BIRDS = [
    {"bird": "curlew", "Bill (mm)": "100-150", "Legs": "grey", "group": "snipes"},
    {"bird": "whimbrel", "Bill (mm)": "75-95", "Legs": "grey", "group": "snipes"},
    {"bird": "godwit", "Bill (mm)": "72-110", "Legs": "dark/grey", "group": "snipes"},
    {"bird": "dunlin", "Bill (mm)": "26-38", "Legs": "dark", "group": "stints"},
    {"bird": "sanderling", "Bill (mm)": "22-28", "Legs": "dark", "group": "stints"},
]


def open_birds(open_file, tmp_path, size=(390, 740), **options):
    game = treegen.open_game(BIRDS, thresholds="Bill (mm)", sets="/", **options)
    notes = {"dunlin": {"voice": "a trill", "page": "https://example.org/dunlin"}}
    write_page(
        treegen.build(game), tmp_path / "b.html", notes=notes, hints={"Legs": "not the feet"}
    )
    return open_file(tmp_path / "b.html", size)


def press_tab_to(page, name):
    """Press Tab until an element has the focus, as its text begins."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent").startswith(name):
            return
    raise AssertionError(f"Tab does not reach {name!r}")


@ui.BOTH
def test_keys_alone_answer_any_question_and_a_number(open_file, tmp_path):
    page = open_birds(open_file, tmp_path, ignore="group")
    press_tab_to(page, "Answer any question")
    page.keyboard.press("Enter")
    press_tab_to(page, "Bill (mm)")
    page.keyboard.press("Enter")
    ui.shows(page.locator("#question"), "Bill (mm)")
    page.keyboard.type("2,5 cm")
    page.keyboard.press("Enter")
    ui.mentions(page.locator("#problem"), "“2,5 cm” is not a number")
    ui.counts(page.locator("#answered li"), 0)
    page.locator("#number").fill("")
    page.keyboard.type("27,1")
    page.keyboard.press("Backspace")
    page.keyboard.press("5")
    page.keyboard.press("Enter")
    ui.shows(page.locator("#answered b"), ["27,5"])
    ui.shows(page.locator("#question"), re.compile("dunlin.*sanderling|sanderling.*dunlin"))
    press_tab_to(page, "take back")
    page.keyboard.press("Enter")
    ui.counts(page.locator("#answered li"), 0)


@ui.BOTH
def test_questions_answers_and_result_are_copied(open_file, tmp_path):
    page = open_birds(open_file, tmp_path, ignore="group")
    page.get_by_text("Answer any question").click()
    page.locator("#questions button").filter(has_text="Legs").click()
    ui.shows(page.locator("#hint"), "not the feet")
    page.get_by_role("button", name="grey", exact=True).click()
    page.get_by_role("button", name="Copy as text").click()
    ui.mentions(page.locator("#copied"), re.compile("Cop"))
    if page.locator("#text").is_visible():  # where the browser asks before it copies
        assert page.locator("#text").input_value().startswith("Which one is it?\nLegs: grey\n")


@pytest.mark.skipif(not ui.AXE.exists(), reason="axe-core is not installed")
@pytest.mark.parametrize("width", [320, 1280])
def test_everybody_can_use_all_of_it(open_file, tmp_path, width):
    page = open_birds(open_file, tmp_path, (width, 800), classes="group")
    seen = []

    def look(what):
        for scheme in ("light", "dark"):
            for colors in ("none", "active"):
                page.emulate_media(color_scheme=scheme, forced_colors=colors)
                seen.extend((what, scheme, colors, each) for each in ui.find_violations(page))
        if page.evaluate("document.documentElement.scrollWidth") > width:
            seen.append((what, "too wide"))

    page.get_by_text("Answer any question").click()
    look("the list of questions")
    page.locator("#questions button").filter(has_text="Bill").click()
    page.locator("#number").fill("1e9")
    page.keyboard.press("Enter")
    look("a number that is far")
    page.locator("#number").fill("27")
    page.keyboard.press("Enter")
    page.locator("#left summary").first.click()
    page.get_by_role("button", name="Copy as text").click()
    look("the end, with notes")
    assert seen == []
