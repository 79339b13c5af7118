"""The settings: games, opponents, rules, looks, limits, and what outlives a visit."""

import re

import pytest

import treegen
from treegen import build
from treegen.pictures.picture import list_paints

from ..paths import ROOT
from . import driving as ui

pytestmark = pytest.mark.slow


@ui.BOTH
def test_a_game_without_a_table_is_computed(page):
    ui.choose(page, "games", "Custom")
    ui.setting(page, "Number of pegs").fill("9")
    ui.setting(page, "Number of colors").fill("30")
    page.get_by_role("button", name="Play this game").click()
    ui.mentions(page.locator("#another-note"), "2 to 50,000 codes; p9c30r is none of these")
    ui.setting(page, "Number of pegs").fill("3")
    ui.setting(page, "Number of colors").fill("7")
    page.get_by_role("button", name="Play this game").click()
    ui.shows(ui.status(page), "Guess 1 / 12 · Remaining options: 343")
    for group, level in (
        ("others", "lexicographic"),
        ("others", "random"),
        ("opponents", "minimax"),
        ("opponents", "best"),
    ):
        ui.choose(page, group, f"p3c7r~{level}")
        page.keyboard.press("Escape")
        ui.counts(ui.current_guess(page), 3)
        for _ in range(2):
            page.get_by_role("button", name="Answer", exact=True).click()
        ui.mentions(ui.status(page), re.compile("Guess (2|3) / 12"))
    page.reload()
    ui.mentions(page.locator("#playing"), "3 pegs, 7 colors, duplicates · 1–7 · Strong")
    ui.open_tab(page, "Analyse a game")
    ui.expect(page.locator("#analyst .advice tbody tr").first).to_be_visible()


def test_a_rule_is_composed_in_the_settings(page, trees):
    """T_l, then a criterion for ties, then the last guess; the same as treegen's chain."""
    ui.choose(page, "games", "3 pegs, 5 colors, no duplicates")
    ui.choose_rule(page, "least T_2", "least worst case", "the last")
    tree = build("p3c5n", "power:2,max,highest")
    ui.shows(ui.current_guess(page), list(tree.game.format_code(int(tree.guess[0]))))
    told = "least T_2, then least worst case; ties: the last, computed"
    ui.mentions(page.locator("#playing"), told)
    page.reload()
    ui.mentions(page.locator("#playing"), told)
    ui.choose_rule(page, "least worst case", "nothing else", "at random")
    first = set()
    for _ in range(12):
        page.get_by_role("button", name="New game").click()
        first.add(page.locator("section > .desk .row.current .pegs").inner_text())
    assert len(first) > 1


@ui.BOTH
def test_settings_outlive_the_visit(page):
    ui.choose(page, "looks", "letters")
    ui.setting(page, "Guesses").fill("7")
    ui.setting(page, "Guesses").blur()
    ui.choose(page, "opponents", "p4c6r-entropy")
    page.reload()
    ui.expect(ui.chosen(page, "opponents")).to_have_value("p4c6r-entropy")
    ui.expect(ui.chosen(page, "looks")).to_have_value("letters")
    ui.shows(ui.status(page), "Guess 1 / 7 · Remaining options: 1,296")
    ui.shows(ui.current_guess(page), list("ABCD"))


@pytest.mark.parametrize("kept", ["no json", '{"look": 3, "limit": "x", "tree": "gone"}', "null"])
def test_settings_that_make_no_sense_are_passed_over(page, kept):
    page.evaluate("text => localStorage.setItem('treegen', text)", kept)
    page.reload()
    ui.shows(ui.status(page), "Guess 1 / 12 · Remaining options: 1,296")
    ui.expect(ui.chosen(page, "looks")).to_have_value("digits")


def test_a_browser_that_keeps_nothing_plays_all_the_same(browser, file):
    page = browser.new_page()
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw Error('denied'); } })"
    )
    page.goto(file.as_uri())
    ui.open_tab(page, "You hide a code")
    ui.choose(page, "looks", "letters")
    ui.shows(ui.current_guess(page), list("AABB"))
    page.close()


def test_the_help_opens_and_leads_nowhere_else(page):
    """A page from disk knows no address at which the guide would be found."""
    page.get_by_text("Help", exact=True).click()
    ui.expect(page.locator(".menu[open]")).to_have_count(1)
    ui.expect(page.locator("a[href^=http]")).to_have_count(0)


def test_settings_keep_the_game(page):
    ui.answer_by_keys(page, 0, 0)
    ui.choose(page, "looks", "letters")
    ui.shows(ui.current_guess(page), list("CCDE"))
    ui.choose(page, "looks", "colors")
    ui.shows(ui.current_guess(page), [""] * 4)
    ui.mentions(ui.status(page), "256")
    ui.choose(page, "opponents", "p4c6r-entropy")
    ui.shows(ui.status(page), "Guess 1 / 12 · Remaining options: 1,296")


def test_a_filled_hole_shows_its_color_and_hints_are_drawn_in_colors(page):
    ui.choose(page, "looks", "colors")
    ui.open_tab(page, "You break a code")
    page.keyboard.type("2")
    color = "element => getComputedStyle(element).backgroundColor"
    slot, choice = (
        page.locator("section:not([hidden]) [data-slot='0']"),
        page.locator("section:not([hidden]) [data-color='1']"),
    )
    ui.expect(slot).to_have_attribute("aria-label", re.compile("^Hole 1: (?!empty)"))
    assert slot.evaluate(color) == choice.evaluate(color)
    assert page.locator("section:not([hidden]) [data-slot='1']").evaluate(color) != choice.evaluate(
        color
    )
    ui.ask_for_hint(page)
    ui.expect(page.locator("#breaker .message .pegs").first.locator(".peg")).to_have_count(4)


def test_pegs_bear_shapes_and_have_the_colors_of_the_pictures(page):
    ui.pick(page, "looks", "shapes")
    ui.open_tab(page, "You break a code")
    page.keyboard.type("1234")
    slots = page.locator("#breaker > .desk .slot")
    ui.shows(slots, list("■▲●◆"))
    ui.expect(slots.first).to_have_attribute("aria-label", "Hole 1: vermilion 1")
    painted = slots.evaluate_all("slots => slots.map(one => getComputedStyle(one).backgroundColor)")
    wanted = [tuple(bytes.fromhex(paint[1:])) for paint in list_paints(6)[:4]]
    assert painted == [f"rgb{paint}" for paint in wanted]


def test_a_limit_below_the_guesses_made_waits_for_the_next_game(page):
    for _ in range(2):
        page.locator("body").press("w")
        page.keyboard.press("Enter")
    ui.setting(page, "Guesses").fill("1")
    ui.setting(page, "Guesses").blur()
    ui.shows(ui.status(page), ui.starting("Guess 3 / 12"))
    page.keyboard.press("Escape")
    page.get_by_role("button", name="New game").click()
    ui.shows(ui.status(page), ui.starting("Guess 1 / 1 "))


def test_a_contradiction_is_written_as_the_pegs_are(page):
    ui.choose(page, "looks", "colors")
    for _ in range(3):
        ui.answer_by_keys(page, 0, 0)
    pegs = page.locator("#maker .message .pegs").first
    ui.expect(pegs).to_have_text("")
    ui.choose(page, "looks", "plain")
    ui.expect(pegs).to_have_text("1122")
    ui.choose(page, "looks", "letters")
    ui.expect(pegs).to_have_text("AABB")


def test_cards_keep_their_places_and_the_title_says_the_game(page):
    def places():
        return ui.open_settings(page).locator("#games b").all_inner_texts()

    title = page.locator("h1")
    ui.shows(title, "Mastermind")
    before = places()
    for game, name in (("Bulls and Cows", "Bulls and Cows"), ("Super", "Super Mastermind")):
        ui.choose(page, "games", game)
        ui.shows(title, name)
        assert page.title() == name
        assert places() == before
        ui.expect(page.locator("#games label", has=page.locator(":checked"))).to_contain_text(game)
    ui.choose(page, "opponents", "p5c8r~minimax")
    assert places() == before


def test_opponents_are_few_and_named_for_people(open_page):
    """The best known first, six trees and two levels; one alone is perfect."""
    shipped = ROOT / "trees"
    names = ["r-post", "barr-expected", "optimal", "optimal-worst5", "entropy"]
    names += ["gibson-minimax-first", "most-parts", "knuth"]
    page = open_page([treegen.read(shipped / f"p4c6r-{name}.tree") for name in names])
    form = ui.open_settings(page)
    usual = ["Knuth", "Perfect", "Best within 5", "Most answers", "Most information", "R post"]
    ui.shows(form.locator("#opponents b"), [*usual, "Careful", "Strong"])
    rare = ["Barr expected", "Gibson minimax first", "Random", "Simple", "A rule of your own"]
    ui.shows(form.locator("#others b"), rare)


def test_the_page_says_where_digits_begin(page):
    ui.mentions(page.locator("#playing"), "4 pegs, 6 colors, duplicates · 1–6 · Knuth")
    ui.choose(page, "games", "3 pegs, 5 colors, no duplicates")
    ui.mentions(page.locator("#playing"), "0–4")
    page.get_by_text("Help", exact=True).click()
    ui.mentions(page.locator(".sheet").first, "from 0, as Bulls and Cows does")


@ui.BOTH
@pytest.mark.parametrize("has_tree", [True, False], ids=["tree", "no tree"])
def test_hard_mode_is_a_switch(open_page, tmp_path, has_tree):
    words = ui.make_words(ui.WORDS).game
    hard = treegen.build(words, "entropy", eligible="hints")
    trees = [treegen.build(words, "most-parts"), treegen.build("p2c3r")]
    page = open_page([*trees, hard] if has_tree else trees)
    page.evaluate("void (crypto.getRandomValues = (array) => array.fill(0))")  # "crane"
    page.get_by_role("button", name="New word").click()
    switch = ui.setting(page, "Hard mode: each guess must use all hints")
    switch.check()
    ui.mentions(
        page.locator("#playing"), "Most information, hard mode" if has_tree else "· hard mode"
    )
    page.keyboard.press("Escape")
    ui.guess_by_keys(page, "crate", "slate")
    ui.mentions(ui.message(page), "Not in hard mode: crate was answered ")
    ui.counts(page.locator("#breaker > .desk .row:not(.blank)"), 1)
    ui.open_tab(page, "Analyse a game")
    told = "the tree plays it" if has_tree else "The page has no tree of hard mode"
    ui.mentions(page.locator("#analyst .best"), told)
    page.reload()
    ui.expect(switch).to_be_checked()
    ui.setting(page, "Hard mode: each guess must use all hints").uncheck()
    ui.mentions(page.locator("#playing"), "Most answers")
    assert "hard mode" not in page.locator("#playing").inner_text()
    page.keyboard.press("Escape")
    ui.open_tab(page, "You break a code")
    ui.guess_by_keys(page, "slate")
    ui.counts(page.locator("#breaker > .desk .row:not(.blank)"), 2)
    ui.choose(page, "games", "2 pegs, 3 colors, duplicates")
    ui.expect(page.locator("#hard")).to_be_hidden()


def test_tabs_move_by_arrows(page):
    page.get_by_role("tab", name="You hide a code").focus()
    page.keyboard.press("ArrowLeft")
    ui.expect(page.locator("#breaker")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    ui.expect(page.locator("#learn")).to_be_visible()
    page.keyboard.press("ArrowRight")
    ui.expect(page.locator("#breaker")).to_be_visible()
