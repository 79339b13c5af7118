"""What misled players of the page once, or broke it."""

import re

import pytest

import treegen

from . import driving as ui

pytestmark = pytest.mark.slow

MODES = ["breaker", "maker", "analyst", "explorer", "learn"]


LONG = ["abandoned", "abductors", "blueprint", "blacklist", "craziness", "duplicate", "everybody",
        "fireworks", "guarantee", "histories"]  # fmt: skip
LONGER = ["abbreviation", "acknowledged", "astonishment", "breakthrough", "championship"]


@pytest.fixture(scope="module")
def kinds(knuth):
    return {
        "pegs": [knuth],
        "black": [treegen.build("p3c4rb", "knuth")],
        "nine pegs": [treegen.build("p9c2r", "first-consistent")],
        "many colors": [treegen.build("p2c35r", "first-consistent")],
        "words": [ui.make_words(ui.WORDS)],
        "long words": [ui.make_words(LONG)],
        "longer words": [ui.make_words(LONGER, "pegs")],
        "identify": [treegen.build("p3c5n", "knuth", goal="identify")],
    }


@pytest.mark.parametrize(
    ("browser", "width"),
    [*(("chromium", width) for width in (240, 320, 360, 640, 820, 1280, 1920)), ("firefox", 360)],
    indirect=["browser"],
)
def test_nothing_is_wider_than_the_window(open_page, kinds, width):
    """Every mode, kind of game and size; words of more answers than fit side by side.

    240 pixels are 360 where somebody has text of 150 %. A game is over, with its review.
    """
    for kind, trees in kinds.items():
        page = open_page(trees, (max(width, 320), 740))
        page.evaluate("void (crypto.getRandomValues = (array) => array.fill(0))")
        page.locator("#breaker [aria-label^=New]").click()
        ui.guess_by_keys(page, page.locator("#breaker .rules p .pegs").text_content())
        ui.give_up(page)
        page.set_viewport_size({"width": width, "height": 740})
        for mode in MODES:
            page.locator(f"#tab-{mode}").click()
            if mode == "analyst":
                page.locator("#analyst .advice").wait_for()
            room = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
            wide, seen = page.evaluate(room)
            assert wide <= seen, (kind, mode)
        page.close()


@ui.BOTH
def test_the_current_row_takes_pegs_and_clicks(open_page, knuth):
    page = open_page([knuth])
    current = page.locator("#breaker > .desk .row.current")
    ui.counts(current.locator(".slot"), 4)
    ui.drag_color(page, 2, 3)
    ui.shows(current.locator(".slot"), ["", "", "", "3"])
    # Dropped beside the holes a peg goes into the nearest one, which shows it while one drags.
    page.locator("#breaker [data-color='4']").hover()
    page.mouse.down()
    box = current.bounding_box()
    page.mouse.move(box["x"] + 4, box["y"] + box["height"] / 2, steps=4)
    ui.expect(current.locator(".slot").first).to_have_class(re.compile("aimed"))
    page.mouse.up()
    ui.counts(page.locator(".aimed"), 0)
    ui.shows(current.locator(".slot"), ["5", "", "", "3"])
    current.click(position={"x": box["width"] / 2, "y": 4})
    page.keyboard.type("66")
    ui.shows(current.locator(".slot"), ["5", "6", "6", "3"])
    page.keyboard.press("Enter")
    ui.expect(current.locator(".number")).to_have_text("2")


@ui.BOTH
def test_the_hints_of_the_page_are_never_blamed(open_page, knuth):
    """A game by hints alone: the review calls none of them a loss."""
    page = open_page([knuth])
    for _ in range(12):
        if page.locator("#breaker[data-over=yes]").count():
            break
        ui.follow_hint(page)
    page.locator("#breaker .totals").wait_for()
    ui.counts(page.locator("#breaker .move:not(.is-hint)"), 0)
    ui.mentions(page.locator("#breaker .totals"), re.compile(r"Lost\s+(≈ )?0\.00"))


def test_grades_and_luck_are_told(open_page, knuth):
    page = open_page([knuth])
    page.evaluate("void (crypto.getRandomValues = (array) => array.fill(1295))")
    page.get_by_role("button", name="New code").click()
    ui.guess_by_keys(page, "1122", "1111", "6666")
    moves = page.locator("#breaker .move")
    page.locator("#breaker .totals").wait_for()
    ui.expect(moves.first).to_contain_text("Good: it cost ≈ 0.09 guesses on average")
    ui.expect(moves.nth(1)).to_contain_text("Blunder: it cost ")
    ui.expect(moves.nth(2)).to_contain_text("lucky.")


@ui.BOTH
def test_a_game_that_begins_in_the_middle_shows_what_was_given(open_page, knuth):
    tree = knuth.subtree("02")
    page = open_page([tree])
    for mode in ("breaker", "maker", "analyst"):
        page.locator(f"#tab-{mode}").click()
        given = page.locator(f"#{mode} > .desk .row").first
        ui.expect(given).to_have_class(re.compile("given"))
        ui.expect(given.locator(".pegs")).to_have_text("1122")
        ui.counts(given.locator(".pins .white"), 2)
        ui.expect(page.locator(f"#{mode} > .desk .row.current .number")).to_have_text("1")
    ui.mentions(page.locator("#playing"), "after 1122 → 02")


@ui.BOTH
def test_a_game_of_black_pins_says_so(open_page):
    page = open_page([treegen.build("p3c4rb", "knuth")])
    ui.mentions(page.locator("#playing"), "black only")
    ui.mentions(page.locator("#breaker .legend"), "no pin for other places")
    ui.counts(page.locator("#breaker .legend .white"), 0)
    ui.open_tab(page, "You hide a code")
    page.locator("section:not([hidden]) [data-pin]").first.focus()
    page.keyboard.press("w")
    ui.counts(page.locator(".pin.white"), 0)
    ui.answer_by_keys(page, 3, 0)
    ui.shows(ui.status(page), "Found in 1")
    page.get_by_text("Help", exact=True).click()
    ui.mentions(page.locator(".sheet").first, "Colors that belong elsewhere get no pin")
    ui.counts(page.locator(".sheet .white"), 0)


@ui.BOTH
def test_word_games_are_of_words(open_page):
    page = open_page([ui.make_words(ui.WORDS)])
    ui.shows(page.locator("h1"), "Find the word")
    assert page.title() == "Find the word"
    for mode in MODES:
        page.locator(f"#tab-{mode}").click()
        told = page.locator("body").inner_text()
        assert "Mastermind" not in told and not re.search(r"\bcodes?\b", told), (mode, told)
    ui.open_tab(page, "You break a code")
    ui.counts(page.locator("#breaker > .desk .row"), 6)
    page.keyboard.type("cra")
    page.get_by_role("button", name="Take back").click()
    ui.shows(page.locator("#breaker > .desk .slot"), ["C", "R", "", "", ""])
    page.keyboard.type("ane")
    page.locator("#breaker .keyboard .key").click()
    ui.counts(page.locator("#breaker > .desk .row:not(.blank)"), 1)


@ui.BOTH
def test_letters_of_a_word_are_colored_where_they_stand(open_page):
    page = open_page([ui.make_words(ui.WORDS)])
    ui.open_tab(page, "Analyse a game")
    ui.counts(page.locator("#analyst [data-pin]"), 0)
    page.keyboard.type("table")
    letters = page.locator("#analyst .slot")
    for _ in range(2):
        letters.nth(1).click()
    letters.nth(4).click()
    ui.expect(letters.nth(1)).to_have_attribute("aria-label", "Letter 2: a, green")
    page.keyboard.press("Enter")
    row = page.locator("#analyst > .desk .row:not(.blank) .tile")
    marks = row.evaluate_all(
        "tiles => tiles.map(tile => /mark(.)/.exec(tile.className)[1]).join('')"
    )
    assert marks == "02001"
    ui.shows(ui.status(page), "1 answer entered · Remaining options: 0")


def test_an_estimate_stands_until_the_search_is_done(open_page, knuth):
    """A search has a second; then its estimate is shown, and it goes on without a limit."""
    page = open_page([knuth], script=ui.FAKE_WORKER)
    ui.guess_by_keys(page, "1122", "1344")
    ui.ask_for_hint(page)
    page.wait_for_function("asked.length === 1")
    assert page.evaluate("asked[0].budget") == 1000
    best = {"guess": 8, "total": 50, "kind": "estimate", "isCandidate": True}
    best |= {"worst": 12, "cells": [[0, 12], [1, 8]]}
    leaves = "It leaves at most 12 of 20 codes."
    answer = "told => worker.onmessage({ data: told })"
    page.evaluate(answer, {"n": 20, "isCut": True, "list": [best]})
    ui.tells(page, f"A good next guess is 1123: about 2.50 guesses to the end. {leaves} Place it")
    page.wait_for_function("asked.length === 2")
    assert page.evaluate("asked[1].budget") is None
    page.evaluate(
        answer, {"n": 20, "isCut": False, "list": [{**best, "total": 48, "kind": "exact"}]}
    )
    ui.tells(page, f"The best next guess is 1123: 2.40 guesses to the end. {leaves} Place it")


@pytest.mark.parametrize(
    ("n", "is_candidate", "kind", "told"),
    [
        (250, True, "estimate", "A good next guess could be the code."),
        (20, True, "exact", "The best next guess could be the code."),
        (20, False, "proved", "The best next guess cannot be the code, but its answer helps more."),
        (1, True, "exact", "Only one code fits all answers."),
    ],
)
def test_a_first_hint_says_in_plain_words_what_a_good_guess_is(
    open_page, knuth, n, is_candidate, kind, told
):
    page = open_page([knuth], script=ui.FAKE_WORKER)
    page.get_by_role("button", name="Hint").click()
    page.wait_for_function("asked.length === 1")
    best = {"guess": 8, "total": n, "kind": kind, "isCandidate": is_candidate}
    page.evaluate("told => worker.onmessage({ data: told })", {"n": n, "list": [best]})
    ui.tells(page, f"{told} Hint again shows one peg.")
    page.get_by_role("button", name="Hint").click()
    name = told.partition(" guess ")[0] if n > 1 else "The best next"
    ui.tells(page, f"{name} guess has vermilion 11 in place 1. Hint again shows all of it.")


@ui.BOTH
def test_a_new_game_hears_the_keys(open_page, knuth):
    page = open_page([knuth])
    ui.open_tab(page, "You hide a code")
    page.get_by_role("button", name="New game").click()
    for key in ("b", "w", "Enter"):
        page.keyboard.press(key)
    ui.shows(ui.status(page), ui.starting("Guess 2 / 12 · "))
    ui.open_tab(page, "You break a code")
    page.get_by_role("button", name="New code").click()
    ui.guess_by_keys(page, "1234")
    ui.shows(ui.status(page), ui.starting("Guess 2 / 12 · "))


@ui.BOTH
def test_the_code_of_a_day_counts_once(open_page, knuth):
    page = open_page([knuth])
    for told in (
        r"^Code of [\d-]+ · Guess 1",
        r"^Practice: Code of [\d-]+, next in \d+ h · Guess 1",
    ):
        page.get_by_role("button", name="Daily code").click()
        ui.mentions(ui.status(page), re.compile(told))
        ui.guess_by_keys(page, "1122")
        page.get_by_role("button", name="Give up").click()
        ui.expect(page.locator("#breaker").get_by_role("button", name="Undo")).to_be_hidden()
        ui.mentions(ui.status(page), re.compile(r"^Code of [\d-]+, next in \d+ h · "))
        ui.mentions(page.locator(".figures"), "1 game, 0 won")


@ui.BOTH
def test_why_shows_your_guess_under_the_best(open_page, knuth):
    page = open_page([knuth])
    ui.guess_by_keys(page, "1122", "1111")
    page.get_by_role("button", name="Review").click()
    page.get_by_role("button", name="Why?").nth(1).click()
    rows = page.locator("#analyst .advice tbody tr")
    rows.first.wait_for()
    ui.mentions(rows.nth(1), "your guess")
    ui.expect(rows.nth(1).locator(".pegs")).to_have_text("1111")
    ui.counts(page.locator("#analyst .advice .yours"), 1)


@ui.BOTH
def test_a_finished_game_has_no_next_row_and_shows_the_code(open_page, knuth):
    page = open_page([knuth])
    page.evaluate("void (crypto.getRandomValues = (array) => array.fill(1295))")
    page.get_by_role("button", name="New code").click()
    ui.guess_by_keys(page, "1122")
    page.get_by_role("button", name="Give up").click()
    ui.counts(page.locator("#breaker > .desk .row.current"), 0)
    ui.expect(page.locator("#breaker > .desk .row.solution .pegs")).to_have_text("6666")
    ui.counts(ui.message(page).locator(".peg"), 4)
    ui.tells(page, "The code was 6666.")


@ui.BOTH
def test_words_with_colons_are_linked(open_page):
    page = open_page([ui.make_words(["a:b", "b:a", "c/d", "d%c", "e😀f"])])
    ui.open_tab(page, "Analyse a game")
    for key in ("a", ":", "b", "Enter", "c", "/", "d", "Enter"):
        page.keyboard.press(key)
    link = page.get_by_role("link", name="Link to this position").get_attribute("href")
    page.goto("about:blank")
    page = open_page([ui.make_words(["a:b", "b:a", "c/d", "d%c", "e😀f"])])
    page.evaluate("link => { location.hash = link; }", link)
    ui.shows(ui.status(page), ui.starting("2 answers entered"))
    assert page.get_by_role("alert").inner_text() == ""
    ui.open_tab(page, "Explore the tree")
    assert "." not in page.locator("#explorer .crumbs").inner_text()


@ui.BOTH
def test_both_cases_of_a_letter_stay_apart(open_page):
    page = open_page([ui.make_words(["aA", "Aa", "bB", "ab"])])
    page.keyboard.type("aA")
    ui.shows(page.locator("#breaker > .desk .slot"), ["a", "A"])
    page.keyboard.press("Enter")
    ui.shows(page.locator("#breaker > .desk .row:not(.blank) .tile"), ["a", "A"])


def test_no_two_of_many_colors_share_a_letter(open_page):
    page = open_page([treegen.build("p2c35r", "first-consistent")])
    ui.pick(page, "looks", "letters")
    ui.open_tab(page, "You break a code")
    seen = page.locator("#breaker [data-color]").all_inner_texts()
    assert len(set(seen)) == 35
    for at in (0, 17, 26, 34):
        page.keyboard.press(seen[at])
        ui.expect(page.locator("#breaker > .desk .slot").first).to_have_text(seen[at])
        page.keyboard.press("Backspace")


@ui.BOTH
def test_games_of_one_title_are_told_apart(open_page):
    others = [word[::-1] for word in ui.WORDS]
    late = [*("a" * 4 + letter for letter in "bcdefghijklmnop"), "zzzzz"]
    later = [*("a" * 4 + letter for letter in "bcdefghijklmnop"), "yyyyy"]
    trees = [*map(ui.make_words, (ui.WORDS, others)), ui.make_words(ui.WORDS, "pegs")]
    trees += map(ui.make_words, (late, later))
    page = open_page(trees)
    ui.expect(page.locator("#games b").nth(4)).to_be_attached()
    names = page.locator("#games b").all_text_contents()[:5]
    assert len(set(names)) == 5
    for number, name in enumerate(names):
        ui.pick(page, "games", name)
        ui.open_tab(page, "You break a code")
        ui.counts(page.locator("#breaker > .desk .row:not(.blank)"), 0)
        game = trees[number].game
        ui.guess_by_keys(page, game.format_code(0))
        ui.counts(page.locator("#breaker > .desk .row:not(.blank)"), 1)


@ui.BOTH
@pytest.mark.parametrize(
    ("moves", "told"),
    [
        ("1122:40/3344:40", "2 answers entered · Remaining options: 0"),
        ("3344:40/1122:40", "2 answers entered · Remaining options: 0"),
        ("1122:00/1122:40", "2 answers entered · Remaining options: 0"),
        ("1122:02/3311:40", "Found in 2"),
        ("3311:40/1122:02/3311:40", "Found in 1"),
    ],
)
def test_a_position_is_found_only_where_its_answers_agree(open_page, knuth, moves, told):
    """From a link, which may hold any guesses and answers; what follows the end changes nothing."""
    page = open_page([knuth])
    page.evaluate("moves => { location.hash = `p4c6r-knuth/${moves}`; }", moves)
    ui.shows(ui.status(page), told)
    is_won = told.startswith("Found")
    ui.expect(ui.message(page)).to_have_text(
        "" if is_won else re.compile("^These answers cannot all")
    )
    ui.counts(page.locator("#analyst .row.current"), 0 if is_won else 1)
    ui.counts(page.locator("#analyst .totals"), 1 if is_won else 0)


def test_a_game_kept_with_an_answer_that_no_code_gives_begins_anew(open_page, knuth):
    page = open_page([knuth])
    ui.open_tab(page, "You hide a code")
    game = knuth.game
    node = next(n for n in knuth.children(0) if not knuth.is_winning[n])
    kept = [[int(knuth.guess[0]), int(knuth.response[node])], [int(knuth.guess[node]), game.win]]
    page.evaluate(
        "kept => { for (const key of Object.keys(sessionStorage)) if (key.includes('maker'))"
        " sessionStorage[key] = JSON.stringify(kept); }",
        kept,
    )
    page.reload()
    ui.shows(ui.status(page), "Guess 1 / 12 · Remaining options: 1,296")


def test_one_candidate_to_identify_asks_for_no_guess(open_page):
    game = treegen.Codebook(["crane"], feedback="position", goal="identify")
    page = open_page([treegen.build(game, "knuth")])
    ui.tells(page, "The word is crane: nothing is left to ask.")
    ui.counts(page.locator("#breaker > .desk .row.current"), 0)
    ui.open_tab(page, "You hide a code")
    ui.tells(page, "Your word is crane.")
    ui.shows(ui.status(page), "Identified without a guess")
    ui.open_tab(page, "Analyse a game")
    ui.shows(ui.status(page), "Identified without a guess")


@ui.BOTH
def test_what_users_name_is_escaped(open_page):
    """Words of signs, and of letters that run from right to left."""
    hebrew = ["\u05d0\u05d1\u05d2", "\u05d1\u05d2\u05d0"]
    for words in (["</scri", "\"'&<>;", "<b>&lt"], hebrew):
        page = open_page([ui.make_words(words)])
        event = "new KeyboardEvent('keydown', { key, bubbles: true })"
        press = f"key => document.body.dispatchEvent({event})"
        for letter in words[0]:
            page.evaluate(press, letter)
        ui.expect(page.locator("#breaker > .desk .slot").first).to_have_text(words[0][0])
        for mode in MODES:
            page.locator(f"#tab-{mode}").click()
        ui.counts(page.locator("b.injected, main script"), 0)
        page.close()
