"""The settings: games, opponents, rules, looks, limits, and what outlives a visit."""

import re

import pytest

import treegen
from treegen import build
from treegen.pictures.picture import list_paints

from ..paths import ROOT
from .driving import (
    BOTH,
    WORDS,
    answer_by_keys,
    choose,
    choose_rule,
    chosen,
    counts,
    current_guess,
    expect,
    guess_by_keys,
    make_words,
    mentions,
    message,
    open_settings,
    open_tab,
    setting,
    shows,
    starting,
    status,
)

pytestmark = pytest.mark.slow


@BOTH
def test_a_game_without_a_table_is_computed(page):
    choose(page, "games", "Custom")
    setting(page, "Number of pegs").fill("9")
    setting(page, "Number of colors").fill("30")
    page.get_by_role("button", name="Play this game").click()
    mentions(page.locator("#another-note"), "2 to 50,000 codes; p9c30r is none of these")
    setting(page, "Number of pegs").fill("3")
    setting(page, "Number of colors").fill("7")
    page.get_by_role("button", name="Play this game").click()
    shows(status(page), "Guess 1 / 12 · Remaining options: 343")
    for group, level in (
        ("others", "lexicographic"),
        ("others", "random"),
        ("opponents", "minimax"),
        ("opponents", "best"),
    ):
        choose(page, group, f"p3c7r~{level}")
        page.keyboard.press("Escape")
        counts(current_guess(page), 3)
        for _ in range(2):
            page.get_by_role("button", name="Answer", exact=True).click()
        mentions(status(page), re.compile("Guess (2|3) / 12"))
    page.reload()
    mentions(page.locator("#playing"), "3 pegs, 7 colors, duplicates · 1–7 · Strong")
    open_tab(page, "Analyse a game")
    expect(page.locator("#analyst .advice tbody tr").first).to_be_visible()


def test_a_rule_is_composed_in_the_settings(page, trees):
    """T_l, then a criterion for ties, then the last guess; the same as treegen's chain."""
    choose(page, "games", "3 pegs, 5 colors, no duplicates")
    choose_rule(page, "least T_2", "least worst case", "the last")
    tree = build("p3c5n", "power:2,max,highest")
    shows(current_guess(page), list(tree.game.format_code(int(tree.guess[0]))))
    told = "least T_2, then least worst case; ties: the last, computed"
    mentions(page.locator("#playing"), told)
    page.reload()
    mentions(page.locator("#playing"), told)
    choose_rule(page, "least worst case", "nothing else", "at random")
    first = set()
    for _ in range(12):
        page.get_by_role("button", name="New game").click()
        first.add(page.locator("section > .desk .row.current .pegs").inner_text())
    assert len(first) > 1


@BOTH
def test_settings_outlive_the_visit(page):
    choose(page, "looks", "letters")
    setting(page, "Guesses").fill("7")
    setting(page, "Guesses").blur()
    choose(page, "opponents", "p4c6r-entropy")
    page.reload()
    expect(chosen(page, "opponents")).to_have_value("p4c6r-entropy")
    expect(chosen(page, "looks")).to_have_value("letters")
    shows(status(page), "Guess 1 / 7 · Remaining options: 1,296")
    shows(current_guess(page), list("ABCD"))


@pytest.mark.parametrize("kept", ["no json", '{"look": 3, "limit": "x", "tree": "gone"}', "null"])
def test_settings_that_make_no_sense_are_passed_over(page, kept):
    page.evaluate("text => localStorage.setItem('treegen', text)", kept)
    page.reload()
    shows(status(page), "Guess 1 / 12 · Remaining options: 1,296")
    expect(chosen(page, "looks")).to_have_value("digits")


def test_a_browser_that_keeps_nothing_plays_all_the_same(browser, file):
    page = browser.new_page()
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw Error('denied'); } })"
    )
    page.goto(file.as_uri())
    open_tab(page, "You hide a code")
    choose(page, "looks", "letters")
    shows(current_guess(page), list("AABB"))
    page.close()


def test_the_help_opens_and_leads_nowhere_else(page):
    """A page from disk knows no address at which the guide would be found."""
    page.get_by_text("Help", exact=True).click()
    expect(page.locator(".menu[open]")).to_have_count(1)
    expect(page.locator("a[href^=http]")).to_have_count(0)


def test_settings_keep_the_game(page):
    answer_by_keys(page, 0, 0)
    choose(page, "looks", "letters")
    shows(current_guess(page), list("CCDE"))
    choose(page, "looks", "colors")
    shows(current_guess(page), [""] * 4)
    mentions(status(page), "256")
    choose(page, "opponents", "p4c6r-entropy")
    shows(status(page), "Guess 1 / 12 · Remaining options: 1,296")


def test_a_filled_hole_shows_its_color_and_hints_are_drawn_in_colors(page):
    choose(page, "looks", "colors")
    open_tab(page, "You break a code")
    page.keyboard.type("2")
    color = "element => getComputedStyle(element).backgroundColor"
    slot, choice = (
        page.locator("section:not([hidden]) [data-slot='0']"),
        page.locator("section:not([hidden]) [data-color='1']"),
    )
    expect(slot).to_have_attribute("aria-label", re.compile("^Hole 1: (?!empty)"))
    assert slot.evaluate(color) == choice.evaluate(color)
    assert page.locator("section:not([hidden]) [data-slot='1']").evaluate(color) != choice.evaluate(
        color
    )
    for _ in range(3):
        page.get_by_role("button", name="Hint").click()
    expect(page.locator("#breaker .message .pegs").first.locator(".peg")).to_have_count(4)


def test_pegs_bear_shapes_and_have_the_colors_of_the_pictures(page):
    choose(page, "looks", "shapes")
    page.keyboard.press("Escape")
    open_tab(page, "You break a code")
    page.keyboard.type("1234")
    slots = page.locator("#breaker > .desk .slot")
    shows(slots, list("■▲●◆"))
    expect(slots.first).to_have_attribute("aria-label", "Hole 1: vermilion 1")
    painted = slots.evaluate_all("slots => slots.map(one => getComputedStyle(one).backgroundColor)")
    wanted = [tuple(bytes.fromhex(paint[1:])) for paint in list_paints(6)[:4]]
    assert painted == [f"rgb{paint}" for paint in wanted]


def test_a_limit_below_the_guesses_made_waits_for_the_next_game(page):
    for _ in range(2):
        page.locator("body").press("w")
        page.keyboard.press("Enter")
    setting(page, "Guesses").fill("1")
    setting(page, "Guesses").blur()
    shows(status(page), starting("Guess 3 / 12"))
    page.keyboard.press("Escape")
    page.get_by_role("button", name="New game").click()
    shows(status(page), starting("Guess 1 / 1 "))


def test_a_contradiction_is_written_as_the_pegs_are(page):
    choose(page, "looks", "colors")
    for _ in range(3):
        answer_by_keys(page, 0, 0)
    pegs = page.locator("#maker .message .pegs").first
    expect(pegs).to_have_text("")
    choose(page, "looks", "plain")
    expect(pegs).to_have_text("1122")
    choose(page, "looks", "letters")
    expect(pegs).to_have_text("AABB")


def test_cards_keep_their_places_and_the_title_says_the_game(page):
    def places():
        return open_settings(page).locator("#games b").all_inner_texts()

    title = page.locator("h1")
    shows(title, "Mastermind")
    before = places()
    for game, name in (("Bulls and Cows", "Bulls and Cows"), ("Super", "Super Mastermind")):
        choose(page, "games", game)
        shows(title, name)
        assert page.title() == name
        assert places() == before
        expect(page.locator("#games label", has=page.locator(":checked"))).to_contain_text(game)
    choose(page, "opponents", "p5c8r~minimax")
    assert places() == before


def test_opponents_are_few_and_named_for_people(open_page):
    """The best known first, six trees and two levels; one alone is perfect."""
    shipped = ROOT / "trees"
    names = ["r-post", "barr-expected", "optimal", "optimal-worst5", "entropy"]
    names += ["gibson-minimax-first", "most-parts", "knuth"]
    page = open_page([treegen.read(shipped / f"p4c6r-{name}.tree") for name in names])
    form = open_settings(page)
    usual = ["Knuth", "Perfect", "Best within 5", "Most answers", "Most information", "R post"]
    shows(form.locator("#opponents b"), [*usual, "Careful", "Strong"])
    rare = ["Barr expected", "Gibson minimax first", "Random", "Simple", "A rule of your own"]
    shows(form.locator("#others b"), rare)


def test_the_page_says_where_digits_begin(page):
    mentions(page.locator("#playing"), "4 pegs, 6 colors, duplicates · 1–6 · Knuth")
    choose(page, "games", "3 pegs, 5 colors, no duplicates")
    mentions(page.locator("#playing"), "0–4")
    page.get_by_text("Help", exact=True).click()
    mentions(page.locator(".sheet").first, "from 0, as Bulls and Cows does")


@BOTH
@pytest.mark.parametrize("has_tree", [True, False], ids=["tree", "no tree"])
def test_hard_mode_is_a_switch(open_page, tmp_path, has_tree):
    words = make_words(WORDS).game
    hard = treegen.build(words, "entropy", eligible="hints")
    trees = [treegen.build(words, "most-parts"), treegen.build("p2c3r")]
    page = open_page([*trees, hard] if has_tree else trees)
    page.evaluate("void (crypto.getRandomValues = (array) => array.fill(0))")  # "crane"
    page.get_by_role("button", name="New word").click()
    switch = setting(page, "Hard mode: each guess must use all hints")
    switch.check()
    mentions(page.locator("#playing"), "Most information, hard mode" if has_tree else "· hard mode")
    page.keyboard.press("Escape")
    guess_by_keys(page, "crate", "slate")
    mentions(message(page), "Not in hard mode: crate was answered ")
    counts(page.locator("#breaker > .desk .row:not(.blank)"), 1)
    open_tab(page, "Analyse a game")
    told = "the tree plays it" if has_tree else "The page has no tree of hard mode"
    mentions(page.locator("#analyst .best"), told)
    page.reload()
    expect(switch).to_be_checked()
    setting(page, "Hard mode: each guess must use all hints").uncheck()
    mentions(page.locator("#playing"), "Most answers")
    assert "hard mode" not in page.locator("#playing").inner_text()
    page.keyboard.press("Escape")
    open_tab(page, "You break a code")
    guess_by_keys(page, "slate")
    counts(page.locator("#breaker > .desk .row:not(.blank)"), 2)
    choose(page, "games", "2 pegs, 3 colors, duplicates")
    expect(page.locator("#hard")).to_be_hidden()


def test_tabs_move_by_arrows(page):
    page.get_by_role("tab", name="You hide a code").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#breaker")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#learn")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#breaker")).to_be_visible()
