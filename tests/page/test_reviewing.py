"""What the page tells of games and keeps of them: review, analysis, statistics, sharing, links."""

import json
import re
from base64 import b64encode
from pathlib import Path

import pytest

from treegen.formats.table import make_table

from .driving import (
    BOTH,
    FAKE_WORKER,
    answer_by_keys,
    choose,
    counts,
    enter_answer,
    expect,
    guess_by_keys,
    mentions,
    message,
    open_tab,
    read_feedback,
    shows,
    starting,
    status,
    tells,
)

pytestmark = pytest.mark.slow


@BOTH
def test_a_review_tells_what_each_guess_cost(page):
    open_tab(page, "You break a code")
    guess_by_keys(page, "3344", "1111")
    page.get_by_role("button", name="Review").click()
    moves = page.locator("#breaker .move")
    counts(moves, 2)
    mentions(moves.first, "The tree plays the same.")
    mentions(moves.first, "expected 4.48")
    judged = re.compile(
        r"(Mistake|Blunder): it cost (≈ )?\d\.\d\d guesses on average; \d{4} was better"
    )
    expect(moves.nth(1)).to_contain_text(judged)
    mentions(page.locator("#breaker .totals"), "Skill")
    page.get_by_text("What do these figures mean?").locator("visible=true").click()
    mentions(page.locator("#breaker .help"), "half for each 0.25 lost")
    page.get_by_role("button", name="Give up").click()
    shows(message(page), starting("The code was "))
    counts(moves, 2)


@BOTH
def test_a_finished_game_is_stepped_through(page):
    """The board and what was left as they stood, beside the tree's game for the same code."""
    open_tab(page, "You break a code")
    counts(page.get_by_label("Step through the game"), 0)
    guess_by_keys(page, "3344", "1111", "2222")
    left = page.locator("#breaker > .desk .row:not(.blank) .note").all_inner_texts()
    page.get_by_role("button", name="Give up").click()
    page.locator("#breaker .totals").wait_for()
    theirs = page.locator("#breaker .duel .row").count()
    slider = page.get_by_label("Step through the game")
    told = page.locator("#breaker .steps p")
    expect(slider).to_have_value(str(max(3, theirs)))
    counts(page.locator("#breaker .steps polyline"), 2)
    seen = page.locator("#breaker > .desk .row:not(.later)")
    whole = seen.count()
    slider.press("Home")
    shows(told, "At first: you 1,296 left Knuth 1,296 left")
    counts(seen, 0)
    for number, text in enumerate(left, 1):
        slider.press("ArrowRight")
        mentions(told, f"After guess {number}: you {text}")
        expect(slider).to_have_attribute("aria-valuetext", starting(f"After guess {number}: "))
        counts(seen, whole if number == 3 else number)
    slider.press("End")
    mentions(told, "Knuth found it")
    page.get_by_role("button", name="New code").click()
    counts(slider, 0)


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


@BOTH
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


@BOTH
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


def copied_rows(page):
    page.evaluate(
        "void (navigator.clipboard.writeText = async (text) => { window.copied = text; })"
    )
    page.get_by_role("button", name="Copy rows").click()
    mentions(page.locator(".share"), "Copied.")
    return page.evaluate("copied").splitlines()


def test_a_game_with_hints_says_so(page):
    """Nobody is beaten, no skill is shared, statistics stay as they are."""
    choose(page, "games", "p3c5n-knuth")
    open_tab(page, "You break a code")
    n_hints = 0
    while page.locator("#breaker[data-over=no]").count():
        for _ in range(3):
            page.get_by_role("button", name="Hint", exact=True).click()
        page.get_by_role("button", name="Place it").click()
        page.keyboard.press("Enter")
        n_hints += 1
    hints = f"{n_hints} hint" + "s" * (n_hints > 1)
    shows(message(page), re.compile(rf"Found with {n_hints} guess(es)?, with {hints}\."))
    shows(page.locator(".duel h2"), f"You played with {hints}")
    mentions(page.locator(".totals"), re.compile(r"Skill\s*–"))
    mentions(page.locator(".figures"), "With hints, counted apart: 1 game, 1 won.")
    expect(page.locator(".figures")).not_to_contain_text("streak")
    assert copied_rows(page)[0].endswith(f" · with {hints}")
    page.get_by_role("button", name="New code").click()
    page.get_by_role("button", name="Give up").click()
    mentions(page.locator(".figures"), "1 game, 0 won · streak 0")


def test_a_finished_game_goes_back_to_a_mistake(page):
    """As a second try: another code that fits, nothing counted; Undo brings the game back."""
    open_tab(page, "You break a code")
    guess_by_keys(page, "1122", "1122")
    page.get_by_role("button", name="Review").click()
    counts(page.locator("#breaker .move"), 2)
    counts(page.locator("#breaker .retry"), 0)
    page.get_by_role("button", name="Give up").click()
    mentions(page.locator("#breaker .decided"), "Your second guess decided it: it cost ")
    counts(page.locator("#breaker .retry"), 1)
    page.get_by_role("button", name="Go back to this mistake").click()
    counts(page.locator("#breaker > .desk .row:not(.blank)"), 1)
    mentions(status(page), re.compile(r"^Second try · Guess 2 / 12 · Remaining options: \d"))
    page.get_by_role("button", name="Undo").click()
    counts(page.locator("#breaker .retry"), 1)
    page.get_by_role("button", name="Go back to this mistake").click()
    page.reload()
    mentions(status(page), "Second try")
    page.get_by_role("button", name="Give up").click()
    shows(page.locator(".duel h2"), "Your second try")
    mentions(page.locator(".figures"), "1 game, 0 won")
    assert " · second try" in copied_rows(page)[0]


def test_a_game_is_shared_as_text_link_and_picture(page):
    open_tab(page, "You break a code")
    page.get_by_role("button", name="Daily code").click()
    mentions(status(page), re.compile(r"^Code of \d{4}-\d\d-\d\d"))
    guess_by_keys(page, "1122", "3344")
    page.get_by_role("button", name="Give up").click()
    page.locator("#breaker .totals").wait_for()
    text = copied_rows(page)
    score = r"Mastermind · \d{4}-\d\d-\d\d · X \(tree \d\) · skill \d+"
    assert re.fullmatch(score, text[0])
    assert len(text) == 3
    assert all(re.fullmatch("[●○·]{4}", line) for line in text[1:])
    page.get_by_role("button", name="Copy link").click()
    page.wait_for_function("copied.includes('#')")
    link = page.evaluate("copied")
    assert re.fullmatch(r"page\.html#p4c6r-knuth/1122:\d\d/3344:\d\d", link), "no folder in it"
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
    page.close()


@BOTH
def test_a_result_is_pasted_and_reviewed(page):
    """Into the field, or by Ctrl+V anywhere in the panel; what is missing is asked for."""
    choose(page, "games", "10 words of 5 letters")
    page.keyboard.press("Escape")
    open_tab(page, "Analyse a game")
    field, rows = page.locator(".paste textarea"), page.locator("#analyst .board .row:not(.blank)")
    page.get_by_text("Paste a result").click()
    field.fill("Wordle 1,234 2/6*\n\n⬛⬛🟩⬛🟩 crane\n🟩🟩🟩🟩🟩 stale")
    page.get_by_role("button", name="Read", exact=True).click()
    shows(status(page), "Found in 2")
    counts(rows, 2)
    counts(page.locator("#analyst .move"), 2)
    mentions(page.locator("#analyst .totals"), "Luck")
    tells(page, "2 guesses read.")
    expect(field).to_be_hidden()
    page.get_by_role("button", name="Start over").click()
    page.get_by_text("Paste a result").click()
    field.fill("crane\nstale")
    field.press("Control+a")
    field.press("Control+x")
    page.locator("#analyst [data-slot='0']").focus()
    page.keyboard.press("Control+v")
    fault = page.locator(".paste .message")
    shows(fault, "There are no squares: say which word it was.")
    expect(fault).to_be_in_viewport()
    expect(field).to_have_value("crane\nstale")
    counts(rows, 0)
    page.keyboard.type("Stale")
    page.get_by_role("button", name="Read", exact=True).click()
    shows(status(page), "Found in 2")
    counts(page.locator("#analyst .slot:not(:empty)"), 0)
    page.get_by_text("Paste a result").click()
    field.fill("crane ⬛⬛🟩⬛\nstale")
    page.get_by_role("button", name="Read", exact=True).click()
    shows(fault, "Row 1 has 4 squares: words here have 5 letters.")
    counts(rows, 2)


def test_a_link_with_a_name_alone_plays_that_tree(page, file):
    page.goto(f"{file.as_uri()}#p3c5n-knuth")
    page.reload()
    shows(status(page), "Guess 1 / 12 · Remaining options: 60")


def test_a_link_to_nowhere_says_so(page, file):
    page.goto(f"{file.as_uri()}#p4c6r-knuth/04/04")
    page.reload()
    mentions(page.locator("#explorer"), "no state after 04")


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
    tells(page, "A good next guess could be the code. Hint again shows one peg.")
    page.close()


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
