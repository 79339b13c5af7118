"""The page in a real browser: Chromium, driven by playwright (make test-browser)."""

import json
import os
import random
import re
import shutil
from base64 import b64encode
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from treegen import build
from treegen.builder import build_tree
from treegen.formats.table import make_table
from treegen.games import CodebookGame, parse_game
from treegen.page import write_page
from treegen.pictures.game import play_secret
from treegen.strategies import parse_strategy
from treegen.tree import cut_at, find_node

from ..paths import ROOT

pytestmark = pytest.mark.slow

HANG_MS = int(os.environ.get("TREEGEN_HANG_MS", "300000"))
"""Only bounds a hang: a page answers in milliseconds where nothing else runs."""
CHROMIUM = os.environ.get("TREEGEN_CHROMIUM") or shutil.which("chromium")
AXE = Path(os.environ.get("TREEGEN_AXE", "node_modules/axe-core/axe.min.js"))
WORDS = ["crane", "crate", "trace", "slate", "stale", "least", "table", "cable", "fable", "eerie"]


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no browser: chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def trees():
    game = CodebookGame(WORDS, rule="position")
    words = build_tree(game, parse_strategy("entropy", game))
    whole = build("p4c6r", "knuth")
    return [
        whole,
        build("p4c6r", "entropy"),
        build("p3c4rb", "knuth"),
        build("p3c5n", "knuth"),
        words,
        cut_at(whole, find_node(whole, [whole.game.parse_response("02")])),
        build(parse_game("p3c5n").with_goal("identify"), "knuth"),
    ]


@pytest.fixture(scope="module")
def file(trees, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "page.html"
    write_page(trees, path)
    return path


@pytest.fixture
def page(browser, file):
    """A fresh page that must leave no error on the console and ask nothing of a network."""
    page = browser.new_page(viewport={"width": 900, "height": 900})
    page.set_default_timeout(HANG_MS)
    complaints = []
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request",
        lambda r: (
            None if r.url.startswith(("file:", "data:", "blob:")) else complaints.append(r.url)
        ),
    )
    page.goto(file.as_uri())
    open_tab(page, "You hide a code")
    yield page
    page.close()
    assert complaints == []


def expect(locator):
    """Return playwright's assertions, which wait: clicks are heard at once, much else is not."""
    from playwright.sync_api import expect

    expect.set_options(timeout=HANG_MS)
    return expect(locator)


def shows(locator, text):
    """Wait until the elements' texts are these: one, or one of each in a list."""
    expect(locator).to_have_text(text, use_inner_text=True)


def mentions(locator, text):
    expect(locator).to_contain_text(text, use_inner_text=True)


def counts(locator, number):
    expect(locator).to_have_count(number)


def status(page):
    return page.locator("section:not([hidden]) .status")


def message(page):
    return page.locator("section:not([hidden]) .message").first


def starting(text):
    return re.compile("^" + re.escape(text))


def setting(page, label):
    """Return a control of the settings, unfolded."""
    page.locator(".settings").evaluate("form => { form.parentElement.open = true; }")
    return page.locator(".settings").get_by_label(label, exact=True)


def choose(page, group, choice):
    """Choose a card of the settings by its value, or by what stands on it."""
    picks = open_settings(page).locator(f"#{group}").locator("label.pick")
    by_text = picks.filter(has=page.get_by_text(choice, exact=True))
    by_value = picks.filter(has=page.locator(f'input[value="{choice}"]'))
    by_text.or_(by_value).first.click()


def chosen(page, group):
    return page.locator(f"#{group} input:checked")


def open_settings(page):
    """Return the settings, everything in them unfolded."""
    form = page.locator(".settings")
    form.evaluate(
        "form => { form.parentElement.open = true;"
        " for (const part of form.querySelectorAll('details')) part.open = true; }"
    )
    return form


TABS = {
    "You hide a code": "maker",
    "You break a code": "breaker",
    "Analyse a game": "analyst",
    "Explore the tree": "explorer",
    "Learn": "learn",
}


def open_tab(page, name):
    """Open a tab, which has other words where the game is one of words."""
    page.locator(f"#tab-{TABS[name]}").click()


def tells(page, text):
    """Wait until the message is this, its pegs by their symbols."""
    expect(message(page)).to_have_text(text)


def answer_by_keys(page, black, white):
    """Place pins by the keyboard alone, and send the answer."""
    page.locator("section:not([hidden]) [data-pin]").first.focus()
    for key in "b" * black + "w" * white:
        page.keyboard.press(key)
    page.get_by_role("button", name="Answer", exact=True).press("Enter")


def answer_by_clicks(page, black, white):
    for pin in range(black + white):
        for _ in range(1 if pin < black else 2):
            page.locator("section:not([hidden]) [data-pin]").nth(pin).click()
    page.get_by_role("button", name="Answer", exact=True).click()


def current_guess(page):
    return page.locator("section > .desk .row.current .peg")


@pytest.mark.parametrize("answer", [answer_by_keys, answer_by_clicks])
def test_the_page_finds_fifty_secrets_as_the_tree_does(page, trees, answer):
    tree = trees[0]
    game = tree.game
    for secret in random.Random(answer.__name__).sample(range(game.n_secrets), 50):
        nodes = play_secret(tree, secret)
        for number, node in enumerate(nodes, start=1):
            left = f"{tree.n_candidates[node]:,}"
            shows(status(page), f"Guess {number} / 12 · Remaining options: {left}")
            shows(current_guess(page), list(game.format_code(int(tree.guess[node]))))
            reply = game.score(int(tree.guess[node]), secret)
            answer(page, *game.feedback.feedback_of(reply))
        shows(status(page), f"Found at guess {len(nodes)} / 12.")
        tells(page, f"Your code is {game.format_code(secret)}.")
        page.get_by_role("button", name="New game").click()


def test_undo_and_contradictions(page):
    answer_by_keys(page, 0, 0)
    mentions(status(page), "256")
    answer_by_keys(page, 4, 0)
    shows(status(page), starting("Found at guess 2"))
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    shows(status(page), "Guess 1 / 12 · Remaining options: 1,296")
    answer_by_keys(page, 3, 1)
    mentions(message(page), "No code is answered with 3 black and 1 white")
    page.get_by_role("button", name="New game").click()
    for black, white in [(0, 0), (0, 0)]:
        answer_by_keys(page, black, white)
    answer_by_keys(page, 0, 0)
    shows(message(page), starting("These answers cannot all be true: "))
    mentions(message(page), "this answer")
    page.locator(".row.wrong").first.wait_for()
    page.locator("section:not([hidden]) [data-pin]").first.focus()
    page.keyboard.press("b")
    counts(page.locator(".pin.black"), 1)
    page.keyboard.press("Backspace")
    counts(page.locator(".pin.black"), 0)


def test_the_number_of_guesses_can_be_limited(page):
    setting(page, "Guesses").fill("2")
    setting(page, "Guesses").blur()
    answer_by_keys(page, 0, 1)
    shows(status(page), starting("Guess 2 / 2"))
    answer_by_keys(page, 0, 1)
    shows(message(page), "All 2 guesses are used up.")


def read_feedback(row):
    """Return (black, white) of a row as a screen reader gets it."""
    text = row.locator(".hidden").text_content()
    return tuple(map(int, re.search(r"Answer: (\d) black, (\d) white", text).groups()))


def drag_color(page, color, hole):
    page.locator(f"section:not([hidden]) [data-color='{color}']").hover()
    page.mouse.down()
    box = page.locator(f"section:not([hidden]) [data-slot='{hole}']").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()


def place_by_dragging(page, game, code):
    for hole, color in enumerate(game.codes[code].tolist()):
        drag_color(page, color, hole)
    page.get_by_role("button", name="Guess", exact=True).click()


def place_by_keys(page, game, code):
    page.locator("section:not([hidden]) [data-slot='0']").focus()
    page.keyboard.type(game.format_code(code))
    page.keyboard.press("Enter")


def place_by_clicks(page, game, code):
    for color in game.codes[code].tolist():
        page.locator(f"section:not([hidden]) [data-color='{color}']").click()
    page.get_by_role("button", name="Guess", exact=True).click()


@pytest.mark.parametrize("place", [place_by_dragging, place_by_keys, place_by_clicks])
def test_a_hidden_code_is_found_by_following_the_tree(page, trees, place):
    tree = trees[0]
    game = tree.game
    open_tab(page, "You break a code")
    for _ in range(4):
        node, number = 0, 0
        reply = None
        while reply != game.win:
            place(page, game, int(tree.guess[node]))
            row = page.locator("#breaker > .desk .row").nth(number)
            number += 1
            reply = game.feedback.response_of(*read_feedback(row))
            if reply != game.win:
                node = next(c for c in tree.children(node) if tree.response[c] == reply)
                mentions(row, f"{tree.n_candidates[node]:,} left")
        mentions(message(page), f"Found with {number} guess")
        page.get_by_role("button", name="New code").click()


def guess_by_keys(page, *codes):
    for code in codes:
        page.keyboard.type(code)
        page.keyboard.press("Enter")


def test_a_review_tells_what_each_guess_cost(page):
    open_tab(page, "You break a code")
    guess_by_keys(page, "3344", "1111")
    page.get_by_role("button", name="Review").click()
    moves = page.locator("#breaker .move")
    counts(moves, 2)
    mentions(moves.first, "The tree plays so.")
    mentions(moves.first, "expected 4.48")
    judged = re.compile(r"(Mistake|Blunder): it costs (≈ )?\d\.\d\d guesses on average; \d{4} was")
    expect(moves.nth(1)).to_contain_text(judged)
    mentions(page.locator("#breaker .totals"), "Skill")
    page.get_by_text("What do these figures mean?").locator("visible=true").click()
    mentions(page.locator("#breaker .help"), "half for each 0.25 lost")
    page.get_by_role("button", name="Give up").click()
    shows(message(page), starting("The code was "))
    counts(moves, 2)


def test_a_position_is_explained_and_explored(page):
    open_tab(page, "You break a code")
    guess_by_keys(page, "1122", "3344")
    page.get_by_role("button", name="Review").click()
    page.get_by_role("button", name="Why?").first.click()
    expect(page.locator("#analyst")).to_be_visible()
    rows = page.locator("#analyst .advice tbody tr")
    mentions(page.locator(".advice caption"), "Best guesses for 1,296 codes")
    mentions(rows.filter(has_text="the tree plays it"), "4.476")
    expect(rows.first.locator(".cell").first).to_be_visible()
    rows.first.get_by_role("button").click()
    shows(page.locator("#analyst .slot"), ["1", "1", "2", "3"])


def enter_answer(page, code, black, white):
    page.locator("#analyst [data-slot='0']").focus()
    page.keyboard.type(code + "b" * black + "w" * white)
    page.keyboard.press("Enter")


def test_a_game_played_elsewhere_is_helped(page):
    open_tab(page, "Analyse a game")
    enter_answer(page, "1122", 0, 1)
    shows(status(page), "1 answer entered · Remaining options: 256")
    enter_answer(page, "3345", 2, 0)
    counts(page.locator("#analyst .move"), 2)
    expect(page.locator("#analyst .advice tbody tr").first).to_be_visible()
    enter_answer(page, "3345", 0, 1)
    wrong = "These answers cannot all be true: guess 2 (3345: 2 black, 0 white)"
    expect(message(page)).to_contain_text(wrong)
    counts(page.locator("#analyst > .desk .row.wrong"), 2)
    page.get_by_role("button", name="Remove guess 3").click()
    shows(status(page), starting("2 answers entered"))
    enter_answer(page, "3345", 3, 1)
    mentions(message(page), "No code is answered with 3 black and 1 white")


def test_a_link_holds_the_position_and_its_review(page, file):
    page.goto(f"{file.as_uri()}#p4c6r-knuth/1122:01/3345:20")
    page.reload()
    shows(status(page), starting("2 answers entered"))
    counts(page.locator("#analyst .move"), 2)
    expect(page.get_by_role("link", name="Link to this position")).to_have_attribute(
        "href", "#p4c6r-knuth/1122:01/3345:20"
    )
    page.goto(f"{file.as_uri()}#p4c6r-knuth/1122:01/9999:20")
    mentions(page.get_by_role("alert"), "9999:20 is no guess and answer of this game")
    shows(status(page), starting("1 answer entered"))


def test_games_survive_a_reload_and_stay_in_their_tab(browser, file):
    context = browser.new_context()
    page, other = context.new_page(), context.new_page()
    page.goto(file.as_uri())
    open_tab(page, "You hide a code")
    answer_by_keys(page, 0, 1)
    open_tab(page, "You break a code")
    guess_by_keys(page, "1122", "3344")
    played = page.locator("#breaker > .desk .row:not(.blank)").all_inner_texts()
    other.goto(file.as_uri())
    counts(other.locator("#breaker > .desk .row:not(.blank)"), 0)
    other.keyboard.type("5555")
    other.keyboard.press("Enter")
    page.reload()
    assert page.locator("#breaker > .desk .row:not(.blank)").all_inner_texts() == played
    open_tab(page, "You hide a code")
    shows(status(page), "Guess 2 / 12 · Remaining options: 256")
    choose(page, "opponents", "p4c6r-entropy")
    open_tab(page, "You break a code")
    assert page.locator("#breaker > .desk .row:not(.blank)").all_inner_texts() == played
    context.close()


def test_new_code_and_give_up_are_undone(page):
    open_tab(page, "You break a code")
    guess_by_keys(page, "1111")
    undo = page.locator("#breaker").get_by_role("button", name="Undo")
    expect(undo).to_be_hidden()
    page.get_by_role("button", name="New code").click()
    counts(page.locator("#breaker > .desk .row:not(.blank)"), 0)
    undo.click()
    counts(page.locator("#breaker > .desk .row:not(.blank)"), 1)
    page.get_by_role("button", name="Give up").click()
    mentions(page.locator(".figures"), "1 game, 0 won")
    undo.click()
    shows(status(page), starting("Guess 2 / 12"))
    page.get_by_role("button", name="Give up").click()
    mentions(page.locator(".figures"), "1 game, 0 won")


def test_statistics_are_kept_and_cleared(page, trees):
    open_tab(page, "You break a code")
    game = trees[0].game
    node, reply = 0, None
    while reply != game.win:
        guess_by_keys(page, game.format_code(int(trees[0].guess[node])))
        row = page.locator("#breaker > .desk .row:not(.blank)").last
        reply = game.feedback.response_of(*read_feedback(row))
        if reply != game.win:
            node = next(c for c in trees[0].children(node) if trees[0].response[c] == reply)
    mentions(page.locator(".figures"), "1 game, 1 won · streak 1, longest 1")
    mentions(page.locator(".figures"), "the tree's 4.476")
    page.reload()
    mentions(page.locator(".figures"), "1 game, 1 won")
    page.get_by_role("button", name="Clear statistics").click()
    mentions(page.locator(".figures"), "No game yet.")


def test_a_game_is_shared_as_text_link_and_picture(page):
    open_tab(page, "You break a code")
    page.get_by_role("button", name="Daily code").click()
    mentions(status(page), re.compile(r"^Code of \d{4}-\d\d-\d\d"))
    guess_by_keys(page, "1122", "3344")
    page.get_by_role("button", name="Give up").click()
    page.locator("#breaker .totals").wait_for()
    page.evaluate(
        "void (navigator.clipboard.writeText = async (text) => { window.copied = text; })"
    )
    page.get_by_role("button", name="Copy rows").click()
    mentions(page.locator(".share"), "Copied.")
    text = page.evaluate("copied").splitlines()
    score = r"Mastermind · \d{4}-\d\d-\d\d · X \(tree \d\) · skill \d+"
    assert re.fullmatch(score, text[0])
    assert len(text) == 3
    assert all(re.fullmatch("[●○·]{4}", line) for line in text[1:])
    page.get_by_role("button", name="Copy link").click()
    page.wait_for_function("copied.includes('#')")
    assert re.search(r"#p4c6r-knuth/1122:\d\d/3344:\d\d$", page.evaluate("copied"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save picture").click()
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")
    counts(page.locator("textarea"), 0)
    daily = page.get_by_role("button", name="Daily code")
    daily.click()
    page.get_by_role("button", name="Give up").click()
    first = message(page).inner_text()
    daily.click()
    page.get_by_role("button", name="Give up").click()
    assert message(page).inner_text() == first


def test_a_finished_game_is_handed_to_the_system_to_share(browser, file):
    page = browser.new_page()
    page.add_init_script("navigator.share = async (what) => { window.shared = what; };")
    page.goto(file.as_uri())
    guess_by_keys(page, "1122")
    page.get_by_role("button", name="Give up").click()
    page.locator("#breaker .totals").wait_for()
    page.get_by_role("button", name="Share", exact=True).click()
    page.wait_for_function("window.shared")
    assert page.evaluate("shared.text").startswith("Mastermind · X (tree ")
    expect(page.locator("link[rel=apple-touch-icon]")).to_have_attribute(
        "href", starting("data:image/png")
    )
    page.close()


def test_a_game_without_a_table_is_computed(page):
    choose(page, "games", "Custom")
    setting(page, "Number of pegs").fill("9")
    setting(page, "Number of colors").fill("30")
    page.get_by_role("button", name="Play this game").click()
    mentions(page.locator("#another-told"), "2 to 50,000 codes; p9c30r is none of these")
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


def choose_rule(page, *choices):
    """Compose a rule in the settings: what decides first, what next, what ties."""
    choose(page, "others", "A rule of your own")
    for label, choice in zip(
        ("A guess with the", "then", "of equal guesses"), choices, strict=True
    ):
        setting(page, label).select_option(label=choice)
    page.keyboard.press("Escape")


def test_possible_answers_stand_beside_the_board(page, trees):
    tree = trees[0]
    page.set_viewport_size({"width": 1280, "height": 800})
    page.reload()
    rows = page.locator("#maker .answers li")
    counts(rows, len(tree.children(0)) + 1)
    sizes = [f"{tree.n_candidates[child]:,}" for child in tree.children(0)]
    told = [text.split()[0] for text in page.locator("#maker .answers .count").all_inner_texts()]
    assert told == [*sizes, "wins"]


def test_a_game_is_played_by_touch(browser, file, trees):
    """On a phone: taps alone, as the tree plays."""
    context = browser.new_context(has_touch=True, is_mobile=True, **phone())
    page = context.new_page()
    page.goto(file.as_uri())
    page.get_by_role("button", name="Got it").tap()
    tree = trees[0]
    game, node, reply = tree.game, 0, None
    while reply != game.win:
        for color in game.codes[int(tree.guess[node])].tolist():
            page.locator(f"#breaker [data-color='{color}']").tap()
        page.locator("#breaker .primary").tap()
        reply = game.feedback.response_of(
            *read_feedback(page.locator("#breaker > .desk .row:not(.blank)").last)
        )
        if reply != game.win:
            node = next(c for c in tree.children(node) if tree.response[c] == reply)
    mentions(message(page), "Found with")
    context.close()


def phone():
    return {"viewport": {"width": 360, "height": 740}}


def test_a_game_is_played_through_the_accessibility_tree(page, trees):
    """By roles and names alone, as a screen reader finds them."""
    tree = trees[0]
    game, node, reply = tree.game, 0, None
    open_tab(page, "You break a code")
    panel = page.get_by_role("tabpanel", name="You break a code")
    names = ["vermilion 1", "blue 2", "yellow 3", "green 4", "pink 5", "sky 6"]
    while reply != game.win:
        for color in game.codes[int(tree.guess[node])].tolist():
            colors = panel.get_by_role("group", name="Colors")
            colors.get_by_role("button", name=names[color], exact=True).press("Space")
        panel.get_by_role("button", name="Guess", exact=True).press("Enter")
        told = panel.get_by_role("list", name="Your guesses").get_by_role("listitem")
        text = told.filter(has_text="Answer: ").last.inner_text()
        black, white = map(int, re.search(r"Answer: (\d) black, (\d) white", text).groups())
        reply = game.feedback.response_of(black, white)
        if reply != game.win:
            node = next(c for c in tree.children(node) if tree.response[c] == reply)
    mentions(panel.get_by_role("status").filter(has_text="Found"), "Found with")


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


def test_a_candidate_to_identify_is_announced(page, trees):
    tree = trees[6]
    game = tree.game
    choose(page, "games", "3 pegs, 5 colors, no duplicates, to identify")
    page.keyboard.press("Escape")
    secret = int(tree.guess[-1])
    nodes = [node for node in play_secret(tree, secret) if tree.n_candidates[node] > 1]
    for node in nodes:
        answer_by_keys(page, *game.feedback.feedback_of(game.score(int(tree.guess[node]), secret)))
    tells(page, f"Your code is {game.format_code(secret)}.")
    shows(status(page), f"Identified by guess {len(nodes)} / 12.")
    open_tab(page, "You break a code")
    node = 0
    while tree.n_candidates[node] > 1:
        guess_by_keys(page, game.format_code(int(tree.guess[node])))
        row = page.locator("#breaker > .desk .row:not(.blank)").last
        reply = game.feedback.response_of(*read_feedback(row))
        if reply == game.win:
            break
        node = next(c for c in tree.children(node) if tree.response[c] == reply)
    expect(message(page)).to_contain_text(re.compile("^(Found|The code is .* identified) with"))
    open_tab(page, "Explore the tree")
    page.locator("#explorer summary").nth(2).click()
    mentions(page.locator(".leaf .count").first, "the code")


def test_answers_of_words_are_tiles_in_the_explorer(page, trees):
    choose(page, "games", "10 words of 5 letters")
    page.keyboard.press("Escape")
    open_tab(page, "Explore the tree")
    n_answers = len(trees[4].children(0))
    counts(page.locator(".states > li .answer i"), 5 * n_answers)
    assert page.locator(".icicle .small").count() % 5 == 0
    words = page.locator(".icicle a:has(.small)").first.get_attribute("aria-label")
    assert re.fullmatch(r"[a-z]{5} \d candidates?(, (grey|yellow|green)){5}", words)
    page.locator(".states .zoom").first.click()
    counts(page.locator(".crumbs .marks i"), 5)
    assert not re.search("[012]{5}", page.locator("#explorer").inner_text())


def test_bars_are_links_as_long_as_their_share(page):
    open_tab(page, "Explore the tree")
    bars = page.locator(".states .zoom:has(.bar)")
    assert bars.count() == page.locator(".states > li").count()
    assert bars.first.get_attribute("href") == "#p4c6r-knuth/00"
    widths = page.locator(".states .bar").evaluate_all("bars => bars.map(b => b.offsetWidth)")
    assert max(widths) > 250
    with page.context.expect_page() as opened:
        bars.nth(1).click(button="middle")
    opened.value.wait_for_url("**#p4c6r-knuth/01")
    opened.value.close()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_motion_is_shown_to_those_who_want_it(page, trees, motion):
    """The icicle grows out of a box and shrinks back into it; a win is celebrated."""
    page.emulate_media(reduced_motion=motion)
    page.evaluate(
        "() => { window.moved = []; const old = Element.prototype.animate;"
        " Element.prototype.animate = function (...all) {"
        " moved.push(this.localName); return old.apply(this, all); }; }"
    )
    open_tab(page, "Explore the tree")
    page.locator(".icicle a").nth(1).click()
    page.wait_for_url("**#p4c6r-knuth/01")
    page.locator(".crumbs a").first.click()
    mentions(page.locator(".figure"), "1,296 candidates")
    assert page.evaluate("moved.filter(name => name === 'svg').length") == (
        0 if motion == "reduce" else 2
    )
    choose(page, "games", "3 pegs, 5 colors, no duplicates")
    page.keyboard.press("Escape")
    open_tab(page, "You break a code")
    node = 0
    tree = trees[3]
    while True:
        guess_by_keys(page, tree.game.format_code(int(tree.guess[node])))
        row = page.locator("#breaker > .desk .row:not(.blank)").last
        reply = tree.game.feedback.response_of(*read_feedback(row))
        if reply == tree.game.win:
            break
        node = next(c for c in tree.children(node) if tree.response[c] == reply)
    assert (page.evaluate("moved.filter(name => name === 'i').length") > 0) is (motion != "reduce")
    counts(page.locator(".confetti"), 0)


@pytest.fixture
def server(trees, tmp_path):
    """A folder with a page for a server, and the address at which it is served."""
    write_page(trees[:1], tmp_path / "play.html", url="https://example.org/games/play.html")
    handler = partial(QuietHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/play.html"
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def test_a_served_page_installs_and_plays_offline(browser, server):
    context = browser.new_context()
    page = context.new_page()
    complaints = []
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.goto(server)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("navigator.serviceWorker.controller")
    client = context.new_cdp_session(page)
    manifest = client.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith("/play.webmanifest")
    installability = client.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [one["errorId"] for one in installability if one["errorId"] != "in-incognito"] == []
    context.set_offline(True)
    page.reload()
    open_tab(page, "You hide a code")
    answer_by_keys(page, 0, 1)
    shows(status(page), "Guess 2 / 12 · Remaining options: 256")
    assert complaints == []
    context.close()


SHEET = os.environ.get("TREEGEN_SHEET")
"""A folder: `test_a_contact_sheet` leaves pictures of every state there."""

VIEWS = {
    "360": ({"width": 360, "height": 740}, {}),
    "768": ({"width": 768, "height": 1024}, {}),
    "1280": ({"width": 1280, "height": 800}, {}),
    "dark": ({"width": 1280, "height": 800}, {"color_scheme": "dark"}),
    "zoom": ({"width": 640, "height": 400}, {}),
    "print": ({"width": 768, "height": 1024}, {"media": "print"}),
    "forced": ({"width": 768, "height": 1024}, {"forced_colors": "active"}),
}


@pytest.mark.parametrize("view", VIEWS)
def test_a_contact_sheet(page, view, tmp_path):
    """Every state at every size: nothing is wider than the window; pictures for who looks."""
    folder = Path(SHEET or tmp_path)
    size, media = VIEWS[view]
    page.set_viewport_size(size)

    def shoot(state):
        page.emulate_media(**media)
        page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
        page.screenshot(path=folder / f"{view}-{state}.png")
        page.emulate_media(media="screen")

    answer_by_keys(page, 1, 1)
    shoot("maker")
    open_tab(page, "You break a code")
    shoot("start")
    guess_by_keys(page, "1122", "3344")
    page.locator("#breaker > .desk .row:not(.blank)").nth(1).wait_for()
    shoot("breaker")
    page.get_by_role("button", name="Give up").click()
    page.locator("#breaker .totals").wait_for()
    shoot("review")
    page.get_by_role("button", name="Why?").last.click()
    page.locator("#analyst .totals").wait_for()
    shoot("analyst")
    open_tab(page, "Explore the tree")
    shoot("explorer")
    choose(page, "games", "10 words of 5 letters")
    page.keyboard.press("Escape")
    shoot("words-explorer")
    open_tab(page, "You hide a code")
    shoot("words-maker")
    open_tab(page, "You break a code")
    guess_by_keys(page, "table")
    shoot("words-breaker")
    choose(page, "games", "3 pegs, 5 colors, no duplicates")
    choose_rule(page, "least T_1, expected size", "least worst case", "at random")
    open_settings(page)
    shoot("settings")
    write_sheet(folder)


def write_sheet(folder):
    """Write `sheet.html`: all pictures, a row for each view."""
    rows = ""
    for view in VIEWS:
        pictures = sorted(folder.glob(f"{view}-*.png"), key=lambda path: path.stat().st_mtime_ns)
        cells = "".join(
            f'<figure><img src="{path.name}" alt=""><figcaption>{path.stem}</figcaption></figure>'
            for path in pictures
        )
        rows += f"<section>{cells}</section>"
    style = "section { display: flex; gap: 1em } figure { margin: 0 } img { height: 30em }"
    (folder / "sheet.html").write_text(f"<!doctype html><style>{style}</style>{rows}", "utf-8")


@pytest.mark.parametrize("size", [(360, 740), (1280, 800), (640, 400)])
def test_board_palette_and_status_need_no_scrolling(page, size):
    """On a phone, on a desktop, and there at 200 % zoom."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_tab(page, "You break a code")
    for selector in (".status", ".row:nth-child(1)", ".slots", ".palette", ".buttons"):
        box = page.locator(f"#breaker {selector}").first.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= size[1], selector
    last = page.locator("#breaker > .desk .row").last.bounding_box()
    dock = page.locator("#breaker .dock").bounding_box()
    is_beside = last["x"] + last["width"] <= dock["x"]
    assert last["y"] + last["height"] <= (size[1] if is_beside else dock["y"] + 1)


def test_the_gallery_is_a_table_that_sorts(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto((ROOT / "trees" / "index.html").as_uri())
    averages = page.locator("tbody tr td:nth-child(6)")
    page.get_by_role("button", name="Average").click()
    expect(page.locator("th[aria-sort=ascending]")).to_have_text("Average")
    told = [float(text) for text in averages.all_inner_texts()]
    assert told == sorted(told)
    page.get_by_role("button", name="Average").click()
    assert [float(text) for text in averages.all_inner_texts()] == sorted(told, reverse=True)
    assert page.evaluate("document.documentElement.scrollHeight") < 4000
    if AXE.exists():
        assert find_violations(page) == []


def test_letters_are_laid_out_and_marked_as_on_a_keyboard(page):
    choose(page, "games", "10 words of 5 letters")
    page.keyboard.press("Escape")
    page.evaluate("void (crypto.getRandomValues = (array) => array.fill(0))")  # not "table"
    open_tab(page, "You break a code")
    shows(page.locator("#breaker .keys").first.locator("button"), list("ERTI"))
    guess_by_keys(page, "table")
    counts(page.locator("#breaker .choice[class*=mark]"), 5)
    expect(page.locator("#breaker .choice.mark0, #breaker .choice.mark1").first).to_have_attribute(
        "aria-label", re.compile(", (not in|elsewhere in) the word")
    )


def test_backspace_and_arrows_edit_the_guess(page):
    open_tab(page, "You break a code")
    page.keyboard.type("123")
    page.keyboard.press("Backspace")
    shows(page.locator("section:not([hidden]) .slot"), ["1", "2", "", ""])
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.type("6")
    shows(page.locator("section:not([hidden]) .slot").first, "6")
    expect(page.get_by_role("button", name="Guess", exact=True)).to_be_disabled()


def test_black_pins_only(page):
    choose(page, "games", "3 pegs, 4 colors, duplicates, black only")
    page.locator("section:not([hidden]) [data-pin]").first.focus()
    page.keyboard.press("w")
    counts(page.locator(".pin.white"), 0)
    answer_by_keys(page, 3, 0)
    shows(status(page), "Found at guess 1 / 12.")


def test_words_are_answered_letter_by_letter(page, trees):
    tree = trees[4]
    game = tree.game
    choose(page, "games", "10 words of 5 letters")
    for secret in range(game.n_secrets):
        for number, node in enumerate(play_secret(tree, secret), start=1):
            shows(status(page), starting(f"Guess {number} / 6"))
            tiles = page.locator("section > .desk .row.current .tile")
            expect(tiles).to_have_text(list(game.format_code(int(tree.guess[node]))))
            reply = game.score(int(tree.guess[node]), secret)
            for letter, mark in enumerate(game.format_response(reply)):
                for _ in range(int(mark)):
                    page.locator("section:not([hidden]) [data-pin]").nth(letter).click()
            page.get_by_role("button", name="Answer", exact=True).click()
        tells(page, f"Your word is {game.format_code(secret)}.")
        page.get_by_role("button", name="New game").click()


def test_the_explorer_walks_zooms_and_links(page, trees, file):
    tree = trees[0]
    open_tab(page, "Explore the tree")
    mentions(page.locator(".figure"), "1,296 candidates")
    counts(page.locator(".states > li"), len(tree.children(0)))
    page.locator("#explorer summary").nth(0).click()
    counts(page.locator(".states ul > li"), len(tree.children(1)))
    page.locator("#explorer summary").nth(0).click()
    expect(page.locator(".states ul > li").first).to_be_hidden()
    page.locator(".icicle a").first.click()
    page.wait_for_url("**#p4c6r-knuth/00")
    mentions(page.locator(".figure"), "3345")
    shows(page.locator(".crumbs"), starting("start → 1122"))
    page.locator(".zoom").nth(1).click()
    page.wait_for_url("**#p4c6r-knuth/00/01")
    page.goto(f"{file.as_uri()}#p4c6r-entropy/02/11")
    page.reload()
    node = 0
    for answer in ("02", "11"):
        reply = tree.game.parse_response(answer)
        node = next(c for c in trees[1].children(node) if trees[1].response[c] == reply)
    guess = tree.game.format_code(int(trees[1].guess[node]))
    mentions(page.locator(".figure"), guess)
    expect(chosen(page, "opponents")).to_have_value("p4c6r-entropy")


def test_a_link_with_a_name_alone_plays_that_tree(page, file):
    page.goto(f"{file.as_uri()}#p3c5n-knuth")
    page.reload()
    shows(status(page), "Guess 1 / 12 · Remaining options: 60")


def test_a_link_to_nowhere_says_so(page, file):
    page.goto(f"{file.as_uri()}#p4c6r-knuth/04/04")
    page.reload()
    mentions(page.locator("#explorer"), "no state after 04")


def test_the_icicle_is_walked_by_keys(page, trees):
    tree = trees[0]
    open_tab(page, "Explore the tree")
    boxes = page.locator(".icicle a")
    first, focused = boxes.first, page.locator(".icicle a:focus")
    counts(page.locator(".icicle a[tabindex='0']"), 1)
    first.focus()
    expect(focused).to_have_attribute("aria-label", "00 → 3345 256 candidates")
    page.keyboard.press("ArrowRight")
    expect(focused).to_have_attribute("aria-label", starting("01 → 2344 256 candidates"))
    counts(page.locator(".icicle a[tabindex='0']"), 1)
    page.keyboard.press("ArrowDown")
    expect(focused).to_have_attribute("aria-label", re.compile(r"^\d\d .*, after 01$"))
    page.keyboard.press("ArrowUp")
    expect(focused).to_have_attribute("aria-label", starting("01 → 2344"))
    page.keyboard.press("End")
    last = int(tree.response[tree.children(0)[-1]])
    expect(focused).to_have_attribute("aria-label", starting(f"{tree.game.format_response(last)} "))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.wait_for_url("**#p4c6r-knuth/00")
    mentions(page.locator(".figure"), "3345")
    expect(focused).to_have_attribute("aria-label", re.compile("^00 [^,]*$"))


def test_focus_follows_a_link_of_the_list(page):
    open_tab(page, "Explore the tree")
    page.locator(".zoom").nth(1).press("Enter")
    page.wait_for_url("**#p4c6r-knuth/01")
    expect(page.locator(".heading")).to_be_focused()


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


def test_a_tree_that_begins_in_the_middle_plays_from_there(page, trees):
    tree = trees[5]
    game = tree.game
    choose(page, "opponents", "p4c6r-knuth-2")
    mentions(page.locator("#figures"), f"{tree.n_secrets} codes after 1122 → 02, ")
    page.keyboard.press("Escape")
    for secret in [int(code) for code in tree.guess[tree.is_winning][:5]]:
        node, number = 0, 1
        while True:
            left = f"{tree.n_candidates[node]:,}"
            shows(status(page), f"Guess {number} / 12 · Remaining options: {left}")
            reply = game.score(int(tree.guess[node]), secret)
            answer_by_keys(page, *game.feedback.feedback_of(reply))
            if reply == game.win:
                break
            node = next(c for c in tree.children(node) if tree.response[c] == reply)
            number += 1
        tells(page, f"Your code is {game.format_code(secret)}.")
        page.get_by_role("button", name="New game").click()
    open_tab(page, "You break a code")
    page.get_by_role("button", name="Give up").click()
    code = message(page).text_content().removeprefix("The code was ").rstrip(".")
    assert game.score(game.parse_code("1122"), game.parse_code(code)) == game.parse_response("02")


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


def test_games_go_on_after_a_look_at_another_mode(page):
    answer_by_keys(page, 0, 0)
    open_tab(page, "You break a code")
    page.keyboard.type("1122")
    page.locator("section:not([hidden]) [data-slot='0']").press("Enter")
    row = page.locator("#breaker > .desk .row").first
    mentions(row, "left")
    played = row.inner_text()
    open_tab(page, "Explore the tree")
    open_tab(page, "You hide a code")
    shows(status(page), "Guess 2 / 12 · Remaining options: 256")
    open_tab(page, "You break a code")
    assert row.inner_text() == played


def test_a_hint_comes_in_three_stages(page):
    """Whether a guess may be the code, one peg, the guess: the best one known, the tree's apart."""
    open_tab(page, "You break a code")
    page.evaluate("void (crypto.getRandomValues = (array) => array.fill(1295))")
    page.get_by_role("button", name="New code").click()
    guess_by_keys(page, "1111")
    page.keyboard.type("1222")
    hint = page.get_by_role("button", name="Hint")
    hint.click()
    tells(page, "Your guess cannot be the code. Hint again: one peg.")
    hint.click()
    expect(message(page)).to_have_text(
        re.compile(r"^The best guess known has .* at place \d\. Hint again: all of it\.$")
    )
    counts(message(page).locator(".peg"), 1)
    hint.click()
    expect(message(page)).to_have_text(
        re.compile(r"^Best known: \d{4}, (≈ )?\d\.\d\d guesses to go")
    )
    code = "".join(message(page).locator(".pegs").first.locator(".peg").all_inner_texts())
    page.get_by_role("button", name="Place it").click()
    shows(page.locator("#breaker > .desk .slot"), list(code))


def test_the_remaining_codes_are_listed(page, trees):
    page.get_by_text("Remaining codes").locator("visible=true").click()
    codes = page.locator("#maker .codes li")
    counts(codes, 201)
    shows(codes.last, "and 1,096 more")
    answer_by_keys(page, 2, 2)
    wanted = [trees[0].game.format_code(code) for code in cut_to(trees[0], "22")]
    counts(codes, len(wanted))
    shown = [re.sub(r"\s", "", row.locator(".pegs").inner_text()) for row in codes.all()]
    assert shown == wanted


def cut_to(tree, answer):
    game = tree.game
    reply = game.parse_response(answer)
    guess = int(tree.guess[0])
    return [code for code in range(game.n_secrets) if game.score(guess, code) == reply]


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


def drag_from(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def middle(page, slot):
    box = page.locator(f"section:not([hidden]) [data-slot='{slot}']").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_pegs_are_dragged_from_hole_to_hole_and_off_the_board(page):
    open_tab(page, "You break a code")
    page.keyboard.type("123")
    slots = page.locator("section:not([hidden]) .slot")
    drag_from(page, middle(page, 0), middle(page, 3))
    shows(slots, ["", "2", "3", "1"])
    drag_from(page, middle(page, 1), middle(page, 2))
    shows(slots, ["", "3", "2", "1"])
    drag_from(page, middle(page, 3), (700, 800))
    shows(slots, ["", "3", "2", ""])


def test_enter_on_a_pin_sends_and_pins_need_no_focus(page):
    page.keyboard.press("w")
    counts(page.locator(".pin.white"), 1)
    page.keyboard.press("Enter")
    shows(status(page), "Guess 2 / 12 · Remaining options: 256")
    page.locator("section:not([hidden]) [data-pin]").first.focus()
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    shows(status(page), starting("Guess 3 / 12"))


def test_answers_and_guesses_are_spoken(page):
    page.keyboard.press("Enter")
    told = page.locator("#maker .spoken")
    mentions(told, "Answered 0 black, 0 white. Guess 2 is yellow 3, yellow 3, green 4, pink 5.")
    open_tab(page, "You break a code")
    page.keyboard.type("1122")
    page.keyboard.press("Enter")
    mentions(
        page.locator("#breaker .spoken"), "Guess 1, vermilion 1, vermilion 1, blue 2, blue 2: "
    )


def test_the_entry_stays_put_on_a_phone(page):
    page.set_viewport_size({"width": 360, "height": 740})
    open_tab(page, "You break a code")
    page.keyboard.type("1")
    before = page.locator("#breaker .palette").bounding_box()
    for _ in range(3):
        page.keyboard.type("1111")
        page.keyboard.press("Enter")
    counts(page.locator("#breaker > .desk .row:not(.blank)"), 3)
    after = page.locator("#breaker .palette").bounding_box()
    assert after["y"] == pytest.approx(before["y"], abs=2)
    assert after["y"] + after["height"] <= 740


def test_the_explorer_keeps_its_place(page):
    open_tab(page, "Explore the tree")
    page.locator(".zoom").nth(1).click()
    page.wait_for_url("**#p4c6r-knuth/01")
    open_tab(page, "You hide a code")
    open_tab(page, "Explore the tree")
    page.wait_for_url("**#p4c6r-knuth/01")
    mentions(page.locator(".figure"), "2344")


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ("#p4c6r-knuth/99", "99 is no answer of this game"),
        ("#%E0%A4%A", "no tree called %E0%A4%A"),
        ("#gone", "no tree called gone"),
    ],
)
def test_a_link_that_cannot_be_followed_is_told(page, link, told):
    page.evaluate("link => { location.hash = link; }", link)
    mentions(page.get_by_role("alert"), told)


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


@pytest.mark.parametrize("media", [{"media": "print"}, {"forced_colors": "active"}])
def test_pins_differ_on_paper_and_in_forced_colors(page, media):
    answer_by_keys(page, 1, 1)
    page.emulate_media(**media)
    style = "pin => [getComputedStyle(pin).borderTopWidth, getComputedStyle(pin).printColorAdjust]"
    black = page.locator("#maker .pins .black").first.evaluate(style)
    white = page.locator("#maker .pins .white").first.evaluate(style)
    assert black[1] == white[1] == "exact"
    assert float(black[0][:-2]) > 3 * float(white[0][:-2])


def test_every_box_of_the_icicle_can_be_hit(page):
    page.set_viewport_size({"width": 360, "height": 740})
    open_tab(page, "Explore the tree")
    widths = page.locator(".icicle rect").evaluate_all(
        "boxes => boxes.map(box => box.getBoundingClientRect().width)"
    )
    assert min(widths) >= 23.9


def test_each_box_of_the_icicle_says_what_it_is(page):
    """The last row and the boxes without a label stand out from the ground, and name themselves."""
    open_tab(page, "Explore the tree")
    bare = page.locator(".icicle a").evaluate_all(
        "boxes => boxes.filter(box => !box.querySelector('title').textContent"
        " || !box.querySelector('text')).length"
    )
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    fills = page.locator(".icicle rect").evaluate_all(
        "boxes => boxes.map(box => getComputedStyle(box).fill)"
    )
    assert bare == 0
    assert ground not in fills
    assert "rgb(255, 255, 255)" not in fills


FAKE_WORKER = """
window.asked = []; window.ended = 0;
window.Worker = class {
  constructor() { window.worker = this; }
  postMessage(question) { window.asked.push(question); }
  terminate() { window.ended += 1; }
};
"""


def test_a_newer_question_stops_the_older_one_in_the_worker(browser, file):
    page = browser.new_page()
    page.add_init_script(FAKE_WORKER)
    page.goto(file.as_uri())
    open_tab(page, "You break a code")
    for code in ("1111", "2222", "3333"):
        guess_by_keys(page, code)
        page.get_by_role("button", name="Review").click()
    page.get_by_role("button", name="Hint").click()
    page.wait_for_function("asked.length === 4")
    assert page.evaluate("ended") == 3, "each question but the last was stopped"
    assert page.evaluate("asked.map(one => one.ask)") == [*["review"] * 3, "advise"]
    best = {"guess": 8, "total": 625, "kind": "estimate", "isCandidate": True}
    page.evaluate("best => worker.onmessage({ data: { n: 250, list: [best] } })", best)
    tells(page, "The best guess known may be the code. Hint again: one peg.")
    page.close()


def test_choices_and_counts_are_not_clipped(page):
    page.set_viewport_size({"width": 360, "height": 740})
    clipped = (
        "elements => elements.filter(e => e.offsetParent && e.scrollWidth > e.clientWidth + 1)"
        ".map(e => e.outerHTML)"
    )
    choose(page, "games", "3 pegs, 4 colors, duplicates, black only")
    open_settings(page)
    assert (
        page.locator(".settings .pick, .settings button, .settings input").evaluate_all(clipped)
        == []
    )
    page.keyboard.press("Escape")
    open_tab(page, "Explore the tree")
    assert page.locator(".count, .answer").evaluate_all(clipped) == []


def test_the_page_says_where_digits_begin(page):
    mentions(page.locator("#playing"), "4 pegs, 6 colors, duplicates · 1–6 · Knuth")
    choose(page, "games", "3 pegs, 5 colors, no duplicates")
    mentions(page.locator("#playing"), "0–4")
    page.get_by_text("Help", exact=True).click()
    mentions(page.locator(".sheet").first, "from 0, as Bulls and Cows does")


def test_tabs_move_by_arrows(page):
    page.get_by_role("tab", name="You hide a code").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#breaker")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#learn")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#breaker")).to_be_visible()


def damage(data):
    return data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :]


@pytest.mark.parametrize(
    "spoil", [damage, lambda data: data[:-9], lambda data: b"", lambda d: d * 2]
)
def test_a_damaged_table_is_told(browser, trees, file, tmp_path, spoil):
    tables = [make_table(trees[0]), make_table(trees[3])]
    text = file.read_text("utf-8")
    data = json.loads(re.search(r'id="tables">(.*?)</script>', text)[1])[:1]
    data[0]["table"] = b64encode(spoil(tables[0])).decode()
    data.append({"name": "whole", "table": b64encode(tables[1]).decode()})
    spoilt = re.sub(r'(id="tables">).*?(</script>)', lambda m: m[1] + json.dumps(data) + m[2], text)
    (tmp_path / "page.html").write_text(spoilt, "utf-8")
    page = browser.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    mentions(page.get_by_role("alert"), "The table p4c6r-knuth cannot be used: ")
    shows(status(page), "Guess 1 / 12 · Remaining options: 60")
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_everything(page, scheme):
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme=scheme)
    for name in ("You hide a code", "You break a code", "Analyse a game", "Explore the tree"):
        open_tab(page, name)
        page.wait_for_function("document.documentElement.scrollWidth === 360")
        small = page.evaluate(
            "[...document.querySelectorAll('button:not([hidden])')].filter(b => b.offsetParent &&"
            " (b.offsetWidth < 24 || b.offsetHeight < 24)).length"
        )
        assert small == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(page, scheme):
    if not AXE.exists():
        pytest.skip(f"no axe-core: {AXE} is missing (npm install axe-core)")
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # a fade has less contrast
    names = ("You hide a code", "You break a code", "Explore the tree", "Analyse a game")
    for index, name in enumerate(names):
        open_tab(page, name)
        if index == 3:
            enter_answer(page, "1122", 0, 1)
            page.locator("#analyst .advice, #analyst .totals").first.wait_for()
            page.locator("#analyst .totals").wait_for()
        if index == 0:
            answer_by_keys(page, 0, 0)
            answer_by_keys(page, 3, 1)
        if index == 1:
            page.keyboard.type("1234")
            page.locator("section:not([hidden]) [data-slot='0']").press("Enter")
            assert find_violations(page) == []
            page.get_by_role("button", name="Give up").click()
            page.locator("#breaker .totals").wait_for()
        if index == 2:
            page.locator("#explorer summary").first.click()
            page.locator(".states ul > li").first.wait_for()
        assert find_violations(page) == [], name
    page.get_by_text("Help", exact=True).click()
    assert find_violations(page) == []
    page.get_by_text("Settings", exact=True).click()
    assert find_violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_in_the_other_states(page, scheme):
    """Words, games to identify, computed rules, a won game and what it shares, contradictions."""
    if not AXE.exists():
        pytest.skip(f"no axe-core: {AXE} is missing (npm install axe-core)")
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    tabs = ("You hide a code", "You break a code", "Analyse a game", "Explore the tree")
    for game in ("10 words of 5 letters", "3 pegs, 5 colors, no duplicates, to identify"):
        choose(page, "games", game)
        page.keyboard.press("Escape")
        for name in tabs:
            open_tab(page, name)
            if name == "You break a code":
                guess_by_keys(page, "table" if "words" in game else "012")
            assert find_violations(page) == [], (game, name)
    page.locator(".states .zoom").first.click()
    assert find_violations(page) == []
    choose(page, "games", "3 pegs, 5 colors, no duplicates")
    choose_rule(page, "least T_2", "least worst case", "at random")
    choose(page, "games", "Custom")
    assert find_violations(page) == [], "settings of a rule"
    page.keyboard.press("Escape")
    open_tab(page, "Analyse a game")
    for guess in ("012", "012"):
        page.locator("#analyst [data-slot='0']").focus()
        page.keyboard.type(guess + "b" * (1 + len(page.locator("#analyst > .desk .row").all())))
        page.keyboard.press("Enter")
    counts(page.locator("#analyst > .desk .row.wrong"), 2)
    assert find_violations(page) == [], "contradiction"
    open_tab(page, "You break a code")
    for code in tree_codes("p3c5n"):
        if page.locator("#breaker[data-over=yes]").count():
            break
        guess_by_keys(page, code)
    page.get_by_role("button", name="Copy rows").click()
    page.locator("#breaker .totals").wait_for()
    assert find_violations(page) == [], "over"


def tree_codes(name):
    game = parse_game(name)
    return [game.format_code(code) for code in range(game.n_codes)]


def find_violations(page):
    """Return what axe-core finds: rules and the first elements that break them."""
    page.evaluate(AXE.read_text("utf-8"))
    result = page.evaluate("axe.run({ rules: { region: { enabled: false } } })")
    return [(v["id"], [node["html"] for node in v["nodes"]][:3]) for v in result["violations"]]
