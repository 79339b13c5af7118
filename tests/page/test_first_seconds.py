"""The first ten seconds of a player, and codes that are hidden on the page."""

import random
import re

import pytest

import treegen

from . import driving as ui

pytestmark = pytest.mark.slow


@ui.BOTH
@pytest.mark.parametrize("width", [360, 1280])
def test_a_first_visit_is_greeted_once(open_page, knuth, width):
    page = open_page([knuth], (width, 740))
    card = page.get_by_role("region", name="How it is played")
    ui.counts(card.locator(".row"), 1)
    ui.counts(card.locator(".row .pins .black, .row .pins .white"), 2)
    ui.mentions(card, "black: a color is right, and in the right place")
    box = card.bounding_box()
    assert box["y"] + box["height"] <= 740
    card.get_by_role("button", name="Got it").click()
    page.keyboard.type("12")
    ui.shows(page.locator("#breaker > .desk .slot"), ["1", "2", "", ""])
    page.reload()
    ui.counts(page.get_by_role("button", name="Got it"), 0)
    ui.expect(card).to_be_visible(visible=width == 1280)
    ui.expect(page.locator("#breaker .legend")).to_be_visible()


@ui.BOTH
def test_the_help_has_pictures_and_speaks_of_no_table(open_page, knuth):
    page = open_page([knuth])
    page.get_by_text("Help", exact=True).click()
    sheet = page.locator(".sheet").first
    ui.expect(sheet.locator(".row .pins").first).to_be_visible()
    assert not re.search(r"\btables?\b", sheet.inner_text())


SIZES = [(1280, 800), (1280, 620), (1024, 600), (820, 1100), (800, 560), (1920, 900),
         (1920, 960), (2560, 1250), (3840, 1860)]  # fmt: skip


@pytest.mark.parametrize(
    ("browser", "size"),
    [*(("chromium", size) for size in SIZES), ("firefox", (1280, 620)), ("firefox", (820, 1100))],
    indirect=["browser"],
)
def test_all_twelve_rows_and_the_entry_are_seen_at_once(open_page, knuth, size):
    page = open_page([knuth], size)
    for name in ("You break a code", "You hide a code"):
        ui.open_tab(page, name)
        rows = page.locator("section:not([hidden]) > .desk .board > .row")
        ui.counts(rows, 12)
        section = page.locator("section:not([hidden]) > .dock")
        for part in (rows, rows.locator(".primary"), section.locator(".buttons")):
            box = part.last.bounding_box()
            assert box["y"] >= 0 and box["y"] + box["height"] <= size[1], (name, part)


@pytest.mark.parametrize("size", [(1920, 960), (3840, 1900)])
def test_boards_are_large_on_a_projector(open_page, knuth, size):
    """Everything grows: the board of pegs and that of words, of a few rows, to a third of it."""
    for tree in (knuth, ui.make_words(ui.WORDS)):
        page = open_page([tree], size)
        box = page.locator("#breaker > .desk .board").bounding_box()
        assert box["width"] >= 580 and box["width"] >= 0.3 * size[0]
        assert box["height"] >= 420 and box["height"] >= 0.4 * size[1]
        assert box["y"] + box["height"] <= size[1]


@ui.BOTH
def test_what_is_possible_is_told_live(open_page, knuth):
    page = open_page([knuth], (1280, 800))
    possible = page.locator("#breaker .possible")
    ui.expect(possible).to_be_hidden()
    ui.guess_by_keys(page, "1122")
    game = knuth.game
    reply = game.feedback.response_of(
        *ui.read_feedback(page.locator("#breaker > .desk .row").first)
    )
    left = [c for c in range(game.n_secrets) if game.score(game.parse_code("1122"), c) == reply]
    ui.expect(page.locator("#breaker .rules")).to_be_hidden()
    ui.mentions(possible, f"{len(left):,} of 1,296 codes fit all answers.")
    shown = possible.locator("li").evaluate_all(
        "places => places.map(one => [...one.querySelectorAll('.peg:not(.gone)')]"
        ".map(peg => peg.innerText).join(''))"
    )
    wanted = [{game.format_code(code)[place] for code in left} for place in range(4)]
    assert [set(text) for text in shown] == wanted


def hide(page, code):
    page.get_by_role("radio", name="I hide one here").check()
    page.keyboard.type(code)
    page.get_by_role("button", name="Hide it").click()


@ui.BOTH
def test_the_page_answers_for_a_code_put_into_its_holes(open_page, knuth):
    page = open_page([knuth])
    ui.open_tab(page, "You hide a code")
    hide(page, "3164")
    ui.counts(page.locator(".covered .cover"), 4)
    nodes = ui.play_secret(knuth, knuth.game.parse_code("3164"))
    for node in nodes:
        ui.shows(ui.current_guess(page), list(knuth.game.format_code(int(knuth.guess[node]))))
        page.get_by_role("button", name="Answer", exact=True).click()
    ui.tells(page, "Your code is 3164.")
    page.reload()
    ui.shows(ui.status(page), f"Found in {len(nodes)}")
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Look").click()
    ui.shows(page.locator(".covered .peg"), list("3164"))


@ui.BOTH
def test_the_page_checks_the_pins_for_a_hidden_code(open_page, knuth):
    page = open_page([knuth])
    ui.open_tab(page, "You hide a code")
    hide(page, "3164")
    page.get_by_label("answer for me").uncheck()
    page.get_by_role("button", name="New game").click()
    ui.answer_by_keys(page, 0, 1)
    ui.mentions(ui.message(page), "Look again: for your code the guess")
    ui.mentions(ui.message(page), "the black pins are not right")
    page.locator("#maker [data-pin]").first.focus()
    page.keyboard.press("Backspace")
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    ui.shows(ui.status(page), "Guess 2 / 12 · Remaining options: 256")


@ui.BOTH
def test_a_word_is_hidden_and_must_be_in_the_list(open_page):
    tree = ui.make_words(ui.WORDS)
    page = open_page([tree])
    ui.open_tab(page, "You hide a code")
    hide(page, "eeeee")
    ui.mentions(ui.message(page), "That word is not in the list")
    for _ in range(5):
        page.keyboard.press("Backspace")
    page.keyboard.type("fable")
    page.keyboard.press("Enter")
    for _ in ui.play_secret(tree, tree.game.parse_code("fable")):
        page.get_by_role("button", name="Answer", exact=True).click()
    ui.tells(page, "Your word is fable.")


def answer_evilly(game, guess, left):
    """Return the answer that leaves the most candidates, the first in the game's order of them."""
    cells = {}
    for code in left:
        cells.setdefault(game.score(guess, code), []).append(code)
    return max(cells, key=lambda reply: (len(cells[reply]), -reply)), cells


@ui.BOTH
def test_an_evil_code_maker_answers_so_that_most_is_left(open_page, knuth):
    page = open_page([knuth])
    ui.pick(page, "makers", "Evil")
    game = knuth.game
    left = list(range(game.n_secrets))
    ui.mentions(ui.status(page), "Evil code-maker")
    rng = random.Random(3)
    for number in range(4):
        code = rng.randrange(game.n_codes)
        ui.guess_by_keys(page, game.format_code(code))
        reply, cells = answer_evilly(game, code, left)
        left = cells[reply]
        row = page.locator("#breaker > .desk .row:not(.blank)").nth(number)
        assert game.feedback.response_of(*ui.read_feedback(row)) == reply
    page.reload()
    ui.mentions(ui.status(page), f"Remaining options: {len(left)}")
    page.get_by_role("button", name="Give up").click()
    ui.tells(page, f"The code could have been {game.format_code(left[0])}.")
    ui.mentions(page.locator(".figures"), "No game yet.")


@ui.BOTH
def test_the_tree_plays_against_an_evil_code_maker(open_page, knuth):
    page = open_page([knuth])
    ui.open_tab(page, "You hide a code")
    page.get_by_role("radio", name="Evil", exact=True).check()
    game, node, left = knuth.game, 0, list(range(knuth.game.n_secrets))
    number, reply = 0, None
    while reply != game.win:
        guess = int(knuth.guess[node])
        ui.shows(ui.current_guess(page), list(game.format_code(guess)))
        page.get_by_role("button", name="Answer", exact=True).click()
        number += 1
        reply, cells = answer_evilly(game, guess, left)
        left = cells[reply]
        if reply != game.win:
            node = next(c for c in knuth.children(node) if knuth.response[c] == reply)
    ui.shows(ui.status(page), f"Found in {number}")
    ui.tells(page, f"The code is {game.format_code(left[0])}.")


@ui.BOTH
def test_no_line_begins_with_the_mark_behind_a_code(open_page):
    page = open_page([ui.make_words(ui.WORDS)], (360, 740))
    whole = page.locator("#breaker .rules .whole")
    ui.expect(whole).to_have_text(re.compile("^[a-z]{5},$"))
    for width in range(320, 420, 8):
        page.set_viewport_size({"width": width, "height": 740})
        assert whole.evaluate("one => one.getClientRects().length") == 1
        tops = "one => [one.firstChild, one].map(part => part.getBoundingClientRect().bottom)"
        code, both = whole.evaluate(tops)
        assert abs(code - both) < 12


@ui.BOTH
@pytest.mark.parametrize("how", ["Escape", "a color", "a tap on it", "a tap on the tabs"])
def test_the_rules_are_closed_by_what_is_done_next(open_page, knuth, how):
    """Over the board of a phone: by Escape, by typing, and by a tap, but not by one on the card."""
    page = open_page([knuth], (360, 740))
    card = page.get_by_role("region", name="How it is played")
    if how == "a tap on it":
        card.get_by_role("heading").click()
        ui.expect(card).to_be_visible()
        card.get_by_role("button", name="Got it").focus()
        page.keyboard.press("Escape")
        ui.expect(page.locator("#breaker .slot").first).to_be_focused()
    elif how == "a tap on the tabs":
        page.locator("#tab-breaker").click()
    else:
        page.keyboard.press({"Escape": "Escape", "a color": "3"}[how])
    ui.expect(card).to_be_hidden()
    ui.shows(page.locator("#breaker > .desk .slot"), ["3" if how == "a color" else "", "", "", ""])
    page.reload()
    ui.expect(card).to_be_hidden()


def test_the_rules_wait_while_another_mode_is_shown(open_page, knuth):
    page = open_page([knuth], (360, 740))
    page.evaluate(
        "sessionStorage['treegen-mode'] = JSON.stringify('analyst'); localStorage.clear()"
    )
    page.reload()
    page.keyboard.press("1")
    page.locator("#tab-analyst").click()
    ui.open_tab(page, "You break a code")
    ui.expect(page.get_by_role("region", name="How it is played")).to_be_visible()


def test_no_two_cards_read_alike(open_page, trees):
    """Games differ by pegs, colors, duplicates, answers, goal, words; opponents by what they do."""
    plain = treegen.build("p4c6n", "knuth")
    more = [
        treegen.build("a211", "knuth"),
        ui.make_words(["other", "words"]),
        ui.make_words(["a", "b"]),
    ]
    page = open_page([*trees, plain, *more])
    ui.choose(page, "games", "4 pegs, 6 colors, no duplicates")
    names = ui.open_settings(page).locator("#games b").all_text_contents()
    assert names[:7] == [
        "Classic", "3 pegs, 4 colors, duplicates, black only", "3 pegs, 5 colors, no duplicates",
        "10 words of 5 letters", "3 pegs, 5 colors, no duplicates, to identify",
        "4 pegs, 6 colors, no duplicates", "Arrangements of 2 + 1 + 1 pegs, black only",
    ]  # fmt: skip
    assert len(set(names)) == len(names) == 14
    ui.choose(page, "games", "Classic")
    cards = page.locator("#opponents .pick, #others .pick").all_text_contents()
    assert len(set(cards)) == len(cards) > 5


@ui.BOTH
def test_settings_are_choices(open_page, knuth):
    page = open_page([knuth, treegen.build("p4c6r", "entropy"), ui.make_words(ui.WORDS)])
    cards = ui.open_settings(page).locator("#games b")
    ui.shows(
        cards,
        [
            "Classic",
            "10 words of 5 letters",
            "Beginner",
            "Easy",
            "Super",
            "Bulls and Cows",
            "Custom",
        ],
    )
    told = page.locator("#opponents .pick").first
    ui.mentions(told, "Knuth")
    ui.mentions(told, "never more than 5, 4.48 on average")
    ui.choose(page, "games", "Bulls and Cows")
    ui.shows(ui.status(page), ui.starting("Guess 1 / 12 · Remaining options: 5,040"))
    ui.choose(page, "games", "Classic")
    ui.choose(page, "opponents", "Most information")
    ui.expect(ui.chosen(page, "opponents")).to_have_value("p4c6r-entropy")
    ui.choose(page, "games", "Custom")
    page.get_by_role("button", name="Fewer pegs").click()
    for _ in range(2):
        page.get_by_role("button", name="Fewer colors").click()
    page.get_by_role("checkbox", name="duplicates").uncheck()
    page.get_by_role("button", name="Play this game").click()
    ui.shows(ui.status(page), "Guess 1 / 12 · Remaining options: 60")
    page.get_by_role("button", name="Fewer guesses").click()
    ui.shows(ui.status(page), "Guess 1 / 11 · Remaining options: 60")
    ui.choose(page, "games", "Classic")
    ui.chosen(page, "games").focus()
    page.keyboard.press("ArrowDown")
    ui.expect(ui.chosen(page, "games")).to_be_focused()
    ui.shows(page.locator("h1"), "Find the word")
