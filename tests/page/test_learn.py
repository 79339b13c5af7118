"""The article of the page, its comparison and the game against the tree."""

import re

import pytest

import treegen

from ..paths import ROOT
from . import driving as ui

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def trees():
    return [treegen.build("p4c6r", name) for name in ("knuth", "entropy")]


def test_the_article_rates_a_guess_by_each_rule(open_page, trees):
    page = open_page(trees)
    page.locator("#tab-learn").click()
    rated = page.locator(".rated")
    ui.mentions(rated, "Minimax: 256 at most · Expected size: 204.5 on average")
    ui.mentions(rated, "Most parts: 13 answers")
    page.get_by_role("button", name="Rate the first guess of Most parts").click()
    ui.mentions(rated, "Most parts: 14 answers")


def read_codes(game, drawn):
    return [game.parse_code(text) for text in drawn.all_text_contents()]


def find_right(box):
    """Press each answer to a question; return those that are right."""
    right = []
    for button in box.locator("button").all():
        button.click()
        told = box.locator(".hint").inner_text()
        assert told.startswith(("Right: ", "No: "))
        right += [button] * told.startswith("Right: ")
    return right


@pytest.mark.parametrize("kind", ["pegs", "words"])
def test_lessons_ask_and_tell_why(open_page, trees, kind):
    tree = ui.make_words(ui.WORDS) if kind == "words" else trees[0]
    page, game = open_page([tree]), tree.game
    page.locator("#tab-learn").click()
    boxes = page.locator("#learn article").first.locator("> div")
    for _ in range(4):
        answered, possible = boxes.nth(0), boxes.nth(1)
        secret, guess = read_codes(game, answered.locator("p .pegs"))
        right = game.respond(guess, secret)
        (button,) = find_right(answered)
        if kind == "pegs":
            said = re.findall(r"\d", button.locator(".hidden").text_content())
            assert "".join(said) == game.format_response(right)
        assert read_codes(game, possible.locator(".row .pegs")) == [guess]
        offered = read_codes(game, possible.locator("button .pegs"))
        (button,) = find_right(possible)
        fitting = [code for code in offered if game.respond(guess, code) == right]
        assert read_codes(game, button.locator(".pegs")) == fitting
        page.get_by_role("button", name="Other questions").click()
    if kind == "pegs":
        boxes.nth(2).get_by_role("button", name="vermilion 1, vermilion 1, blue 2, blue 2").click()
        ui.mentions(boxes.nth(2), "Right: 1122 leaves at most 256, 1111 up to 625.")


def test_opponents_are_compared_by_a_hundred_codes(open_page, trees):
    page = open_page(trees)
    page.locator("#tab-learn").click()
    row = page.locator(".compare tbody tr").first
    ui.shows(row.locator("td").nth(0), "4.476")
    ui.shows(row.locator("td").nth(1), "5")
    page.get_by_role("button", name="Play 100 random codes").click()
    ui.mentions(page.locator(".compare .hint"), "100 random codes, the same for all.")
    for number in range(2):
        told = page.locator(".compare tbody tr").nth(number).locator(".histogram")
        games = re.findall(r"(\d+) × \d", told.get_attribute("aria-label"))
        assert sum(map(int, games)) == 100
    rows = page.locator(".compare tbody tr:visible")
    ui.shows(rows.locator("th"), ["Knuth", "Most information", "Careful", "Strong", "Random"])
    page.get_by_role("button", name="More rules (2)").click()
    ui.shows(rows.locator("th").nth(5), "Simple")
    ui.shows(rows.locator("th").nth(6), "A rule of your own")
    rows.nth(5).get_by_role("checkbox").check()
    page.get_by_role("button", name="Play 100 random codes").click()
    ui.counts(rows.nth(5).locator(".histogram"), 1)
    ui.expect(page.get_by_role("button", name="Play 100 random codes")).to_be_focused()


def test_a_comparison_begins_with_the_five_rules_that_people_know(open_page):
    names = ["p4c6r-barr-expected", "p4c6r-gibson-minimax-first", "p4c6r-entropy", "p4c6r-knuth",
             "p4c6r-optimal", "p4c6r-expected-size", "p4c6r-most-parts"]  # fmt: skip
    page = open_page([treegen.read(ROOT / f"trees/{name}.tree") for name in names])
    page.locator("#tab-learn").click()
    rows = page.locator(".compare tbody tr:visible th")
    known = ["Knuth", "Perfect", "Most answers", "Most information"]
    ui.shows(rows, [*known, "Barr expected"])
    ui.choose(page, "opponents", "Knuth")
    ui.shows(rows, [*known, "Irving"])


def test_the_code_of_the_day_is_played_against_the_tree(open_page, trees):
    page = open_page(trees)
    page.locator("#tab-learn").click()
    ui.mentions(page.locator(".challenge"), "Can you beat Knuth?")
    page.get_by_role("button", name="Play today's code").click()
    ui.mentions(ui.status(page), re.compile(r"^Code of [\d-]+"))
    ui.guess_by_keys(page, "1122")
    page.get_by_role("button", name="Give up").click()
    ui.mentions(page.locator(".duel"), re.compile(r"You: not found. Knuth: \d guess"))


def test_the_comparison_fits_a_phone(open_page, trees):
    page = open_page(trees, (360, 740))
    page.locator("#tab-learn").click()
    page.get_by_role("button", name="Play 100 random codes").click()
    ui.mentions(page.locator(".compare .hint"), "100 random codes, the same for all.")
    wide, seen = page.locator(".compare .frame").evaluate(
        "one => [one.scrollWidth, one.clientWidth]"
    )
    assert wide <= seen


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_in_what_is_new(open_page, trees, scheme):
    """The first visit, the article, a comparison, a hidden code, settings with cards."""
    if not ui.AXE.exists():
        pytest.skip(f"no axe-core: {ui.AXE} is missing (npm install axe-core)")
    page = open_page([*trees, ui.make_words(ui.WORDS)], (1280, 800), color_scheme=scheme)
    assert ui.find_violations(page) == [], "first visit"
    page.set_viewport_size({"width": 360, "height": 740})
    assert ui.find_violations(page) == [], "first visit on a phone"
    ui.guess_by_keys(page, "1122")
    assert ui.find_violations(page) == [], "what is possible"
    page.locator("#tab-learn").click()
    page.get_by_role("button", name="Play 100 random codes").click()
    ui.mentions(page.locator(".compare .hint"), "the same for all")
    assert ui.find_violations(page) == [], "learn"
    page.locator("#tab-maker").click()
    page.get_by_role("radio", name="I hide one here").check()
    assert ui.find_violations(page) == [], "to hide"
    page.keyboard.type("3164")
    page.keyboard.press("Enter")
    ui.expect(page.locator(".covered")).to_be_visible()
    assert ui.find_violations(page) == [], "hidden"
    page.get_by_text("Settings", exact=True).evaluate("one => one.closest('details').open = true")
    page.locator("#rare").evaluate("one => { one.open = true; }")
    page.locator("#games").get_by_text("Custom").evaluate("one => one.parentElement.click()")
    assert ui.find_violations(page) == [], "settings"
