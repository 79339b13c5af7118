"""What the page tells of games and keeps of them: review, analysis, statistics, sharing, links."""

import json
import re
from base64 import b64encode
from pathlib import Path

import pytest

from ..written import bytes_of
from . import driving as ui

pytestmark = pytest.mark.slow


@ui.BOTH
def test_a_review_tells_what_each_guess_cost(page):
    ui.open_tab(page, "You break a code")
    ui.guess_by_keys(page, "3344", "1111")
    page.get_by_role("button", name="Review").click()
    moves = page.locator("#breaker .move")
    ui.counts(moves, 2)
    ui.mentions(moves.first, "The tree plays the same.")
    ui.mentions(moves.first, "expected 4.48")
    judged = re.compile(
        r"(Mistake|Blunder): it cost (≈ )?\d\.\d\d guesses on average; \d{4} was better"
    )
    ui.expect(moves.nth(1)).to_contain_text(judged)
    ui.mentions(page.locator("#breaker .totals"), "Skill")
    page.get_by_text("What do these figures mean?").locator("visible=true").click()
    ui.mentions(page.locator("#breaker .help"), "half for each 0.25 lost")
    page.get_by_role("button", name="Give up").click()
    ui.shows(ui.message(page), ui.starting("The code was "))
    ui.counts(moves, 2)


@ui.BOTH
def test_a_finished_game_is_stepped_through(page):
    """The board and what was left as they stood, beside the tree's game for the same code."""
    ui.open_tab(page, "You break a code")
    ui.counts(page.get_by_label("Step through the game"), 0)
    ui.guess_by_keys(page, "3344", "1111", "2222")
    left = page.locator("#breaker > .desk .row:not(.blank) .note").all_inner_texts()
    ui.give_up(page)
    theirs = page.locator("#breaker .duel .row").count()
    slider = page.get_by_label("Step through the game")
    told = page.locator("#breaker .steps p")
    ui.expect(slider).to_have_value(str(max(3, theirs)))
    ui.counts(page.locator("#breaker .steps polyline"), 2)
    seen = page.locator("#breaker > .desk .row:not(.later)")
    whole = seen.count()
    slider.press("Home")
    ui.shows(told, "At first: you 1,296 left Knuth 1,296 left")
    ui.counts(seen, 0)
    for number, text in enumerate(left, 1):
        slider.press("ArrowRight")
        ui.mentions(told, f"After guess {number}: you {text}")
        ui.expect(slider).to_have_attribute(
            "aria-valuetext", ui.starting(f"After guess {number}: ")
        )
        ui.counts(seen, whole if number == 3 else number)
    slider.press("End")
    ui.mentions(told, "Knuth found it")
    page.get_by_role("button", name="New code").click()
    ui.counts(slider, 0)


def test_a_position_is_explained_and_explored(page):
    ui.open_tab(page, "You break a code")
    ui.guess_by_keys(page, "1122", "3344")
    page.get_by_role("button", name="Review").click()
    page.get_by_role("button", name="Why?").first.click()
    ui.expect(page.locator("#analyst")).to_be_visible()
    rows = page.locator("#analyst .advice tbody tr")
    ui.mentions(page.locator(".advice caption"), "Best guesses for 1,296 codes")
    ui.mentions(rows.filter(has_text="the tree plays it"), "4.476")
    ui.expect(rows.first.locator(".cell").first).to_be_visible()
    rows.first.get_by_role("button").click()
    ui.shows(page.locator("#analyst .slot"), ["1", "1", "2", "3"])


def test_a_game_played_elsewhere_is_helped(page):
    ui.open_tab(page, "Analyse a game")
    ui.enter_answer(page, "1122", 0, 1)
    ui.shows(ui.status(page), "1 answer entered · Remaining options: 256")
    ui.enter_answer(page, "3345", 2, 0)
    ui.counts(page.locator("#analyst .move"), 2)
    ui.expect(page.locator("#analyst .advice tbody tr").first).to_be_visible()
    ui.enter_answer(page, "3345", 0, 1)
    wrong = "These answers cannot all be true: guess 2 (3345: 2 black, 0 white)"
    ui.expect(ui.message(page)).to_contain_text(wrong)
    ui.counts(page.locator("#analyst > .desk .row.wrong"), 2)
    page.get_by_role("button", name="Remove guess 3").click()
    ui.shows(ui.status(page), ui.starting("2 answers entered"))
    ui.enter_answer(page, "3345", 3, 1)
    ui.mentions(ui.message(page), "No code is answered with 3 black and 1 white")


@ui.BOTH
def test_a_link_holds_the_position_and_its_review(page, file):
    page.goto(f"{file.as_uri()}#p4c6r-knuth/1122:01/3345:20")
    page.reload()
    ui.shows(ui.status(page), ui.starting("2 answers entered"))
    ui.counts(page.locator("#analyst .move"), 2)
    ui.expect(page.get_by_role("link", name="Link to this position")).to_have_attribute(
        "href", "#p4c6r-knuth/1122:01/3345:20"
    )
    page.goto(f"{file.as_uri()}#p4c6r-knuth/1122:01/9999:20")
    ui.mentions(page.get_by_role("alert"), "9999:20 is no guess and answer of this game")
    ui.shows(ui.status(page), ui.starting("1 answer entered"))


def test_games_survive_a_reload_and_stay_in_their_tab(browser, file):
    context = browser.new_context()
    page, other = context.new_page(), context.new_page()
    page.goto(file.as_uri())
    ui.open_tab(page, "You hide a code")
    ui.answer_by_keys(page, 0, 1)
    ui.open_tab(page, "You break a code")
    ui.guess_by_keys(page, "1122", "3344")
    played = page.locator("#breaker > .desk .row:not(.blank)").all_inner_texts()
    other.goto(file.as_uri())
    ui.counts(other.locator("#breaker > .desk .row:not(.blank)"), 0)
    other.keyboard.type("5555")
    other.keyboard.press("Enter")
    page.reload()
    assert page.locator("#breaker > .desk .row:not(.blank)").all_inner_texts() == played
    ui.open_tab(page, "You hide a code")
    ui.shows(ui.status(page), "Guess 2 / 12 · Remaining options: 256")
    ui.choose(page, "opponents", "p4c6r-entropy")
    ui.open_tab(page, "You break a code")
    assert page.locator("#breaker > .desk .row:not(.blank)").all_inner_texts() == played
    context.close()


@ui.BOTH
def test_statistics_are_kept_and_cleared(page, trees):
    ui.open_tab(page, "You break a code")
    game = trees[0].game
    for row, _ in ui.follow_tree(
        page, trees[0], lambda code: ui.guess_by_keys(page, game.format_code(code))
    ):
        row.wait_for()
    ui.mentions(page.locator(".figures"), "1 game, 1 won · streak 1, longest 1")
    ui.mentions(page.locator(".figures"), "the tree's 4.476")
    page.reload()
    ui.mentions(page.locator(".figures"), "1 game, 1 won")
    page.get_by_role("button", name="Clear statistics").click()
    ui.mentions(page.locator(".figures"), "No game yet.")


def copied_rows(page):
    page.evaluate(
        "void (navigator.clipboard.writeText = async (text) => { window.copied = text; })"
    )
    page.get_by_role("button", name="Copy rows").click()
    ui.mentions(page.locator(".share"), "Copied.")
    return page.evaluate("copied").splitlines()


def test_a_game_with_hints_says_so(page):
    """Nobody is beaten, no skill is shared, statistics stay as they are."""
    ui.choose(page, "games", "p3c5n-knuth")
    ui.open_tab(page, "You break a code")
    n_hints = 0
    while page.locator("#breaker[data-over=no]").count():
        ui.follow_hint(page)
        n_hints += 1
    hints = f"{n_hints} hint" + "s" * (n_hints > 1)
    ui.shows(ui.message(page), re.compile(rf"Found with {n_hints} guess(es)?, with {hints}\."))
    ui.shows(page.locator(".duel h2"), f"You played with {hints}")
    ui.mentions(page.locator(".totals"), re.compile(r"Skill\s*–"))
    ui.mentions(page.locator(".figures"), "With hints, counted apart: 1 game, 1 won.")
    ui.expect(page.locator(".figures")).not_to_contain_text("streak")
    assert copied_rows(page)[0].endswith(f" · with {hints}")
    page.get_by_role("button", name="New code").click()
    page.get_by_role("button", name="Give up").click()
    ui.mentions(page.locator(".figures"), "1 game, 0 won · streak 0")


def test_a_finished_game_goes_back_to_a_mistake(page):
    """As a second try: another code that fits, nothing counted; Undo brings the game back."""
    ui.open_tab(page, "You break a code")
    ui.guess_by_keys(page, "1122", "1122")
    page.get_by_role("button", name="Review").click()
    ui.counts(page.locator("#breaker .move"), 2)
    ui.counts(page.locator("#breaker .retry"), 0)
    page.get_by_role("button", name="Give up").click()
    ui.mentions(page.locator("#breaker .decided"), "Your second guess decided it: it cost ")
    ui.counts(page.locator("#breaker .retry"), 1)
    page.get_by_role("button", name="Go back to this mistake").click()
    ui.counts(page.locator("#breaker > .desk .row:not(.blank)"), 1)
    ui.mentions(ui.status(page), re.compile(r"^Second try · Guess 2 / 12 · Remaining options: \d"))
    page.get_by_role("button", name="Undo").click()
    ui.counts(page.locator("#breaker .retry"), 1)
    page.get_by_role("button", name="Go back to this mistake").click()
    page.reload()
    ui.mentions(ui.status(page), "Second try")
    page.get_by_role("button", name="Give up").click()
    ui.shows(page.locator(".duel h2"), "Your second try")
    ui.mentions(page.locator(".figures"), "1 game, 0 won")
    assert " · second try" in copied_rows(page)[0]


def test_a_game_is_shared_as_text_link_and_picture(page):
    ui.open_tab(page, "You break a code")
    page.get_by_role("button", name="Daily code").click()
    ui.mentions(ui.status(page), re.compile(r"^Code of \d{4}-\d\d-\d\d"))
    ui.guess_by_keys(page, "1122", "3344")
    ui.give_up(page)
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
    ui.counts(page.locator("textarea"), 0)
    daily = page.get_by_role("button", name="Daily code")
    daily.click()
    page.get_by_role("button", name="Give up").click()
    first = ui.message(page).inner_text()
    daily.click()
    page.get_by_role("button", name="Give up").click()
    assert ui.message(page).inner_text() == first


def test_a_finished_game_is_handed_to_the_system_to_share(browser, file):
    page = browser.new_page()
    page.add_init_script("navigator.share = async (what) => { window.shared = what; };")
    page.goto(file.as_uri())
    ui.guess_by_keys(page, "1122")
    ui.give_up(page)
    page.get_by_role("button", name="Share", exact=True).click()
    page.wait_for_function("window.shared")
    assert page.evaluate("shared.text").startswith("Mastermind · X (tree ")
    page.close()


@ui.BOTH
def test_a_result_is_pasted_and_reviewed(page):
    """Into the field, or by Ctrl+V anywhere in the panel; what is missing is asked for."""
    ui.pick(page, "games", "10 words of 5 letters")
    ui.open_tab(page, "Analyse a game")
    field, rows = page.locator(".paste textarea"), page.locator("#analyst .board .row:not(.blank)")
    page.get_by_text("Paste a result").click()
    field.fill("Wordle 1,234 2/6*\n\n⬛⬛🟩⬛🟩 crane\n🟩🟩🟩🟩🟩 stale")
    page.get_by_role("button", name="Read", exact=True).click()
    ui.shows(ui.status(page), "Found in 2")
    ui.counts(rows, 2)
    ui.counts(page.locator("#analyst .move"), 2)
    ui.mentions(page.locator("#analyst .totals"), "Luck")
    ui.tells(page, "2 guesses read.")
    ui.expect(field).to_be_hidden()
    page.get_by_role("button", name="Start over").click()
    page.get_by_text("Paste a result").click()
    field.fill("crane\nstale")
    field.press("Control+a")
    field.press("Control+x")
    page.locator("#analyst [data-slot='0']").focus()
    page.keyboard.press("Control+v")
    fault = page.locator(".paste .message")
    ui.shows(fault, "There are no squares: say which word it was.")
    ui.expect(fault).to_be_in_viewport()
    ui.expect(field).to_have_value("crane\nstale")
    ui.counts(rows, 0)
    page.keyboard.type("Stale")
    page.get_by_role("button", name="Read", exact=True).click()
    ui.shows(ui.status(page), "Found in 2")
    ui.counts(page.locator("#analyst .slot:not(:empty)"), 0)
    page.get_by_text("Paste a result").click()
    field.fill("crane ⬛⬛🟩⬛\nstale")
    page.get_by_role("button", name="Read", exact=True).click()
    ui.shows(fault, "Row 1 has 4 squares: words here have 5 letters.")
    ui.counts(rows, 2)


def test_a_link_with_a_name_alone_plays_that_tree(page, file):
    page.goto(f"{file.as_uri()}#p3c5n-knuth")
    page.reload()
    ui.shows(ui.status(page), "Guess 1 / 12 · Remaining options: 60")


def test_a_link_that_cannot_be_followed_is_told(page):
    for link, place, told in (
        ("#p4c6r-knuth/99", "[role=alert]", "99 is no answer of this game"),
        ("#%E0%A4%A", "[role=alert]", "no tree called %E0%A4%A"),
        ("#gone", "[role=alert]", "no tree called gone"),
        ("#p4c6r-knuth/04/04", "#explorer", "no state after 04"),
    ):
        page.evaluate("link => { location.hash = link; }", link)
        ui.mentions(page.locator(place), told)


def test_a_newer_question_stops_the_older_one_in_the_worker(browser, file):
    page = browser.new_page()
    page.add_init_script(ui.FAKE_WORKER)
    page.goto(file.as_uri())
    ui.open_tab(page, "You break a code")
    for code in ("1111", "2222", "3333"):
        ui.guess_by_keys(page, code)
        page.get_by_role("button", name="Review").click()
    page.get_by_role("button", name="Hint").click()
    page.wait_for_function("asked.length === 4")
    assert page.evaluate("ended") == 3, "each question but the last was stopped"
    assert page.evaluate("asked.map(one => one.ask)") == [*["review"] * 3, "advise"]
    best = {"guess": 8, "total": 625, "kind": "estimate", "isCandidate": True}
    page.evaluate("best => worker.onmessage({ data: { n: 250, list: [best] } })", best)
    ui.tells(page, "A good next guess could be the code. Hint again shows one peg.")
    page.close()


def damage(data):
    return data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :]


@pytest.mark.parametrize(
    "spoil", [damage, lambda data: data[:-9], lambda data: b"", lambda d: d * 2]
)
def test_a_damaged_table_is_told(browser, trees, file, tmp_path, spoil):
    tables = [bytes_of(trees[n], "table") for n in (0, 3)]
    text = file.read_text("utf-8")
    data = json.loads(re.search(r'id="tables">(.*?)</script>', text)[1])[:1]
    data[0]["table"] = b64encode(spoil(tables[0])).decode()
    data.append({"name": "whole", "table": b64encode(tables[1]).decode()})
    spoilt = re.sub(r'(id="tables">).*?(</script>)', lambda m: m[1] + json.dumps(data) + m[2], text)
    (tmp_path / "page.html").write_text(spoilt, "utf-8")
    page = browser.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    ui.mentions(page.get_by_role("alert"), "The table p4c6r-knuth cannot be used: ")
    ui.shows(ui.status(page), "Guess 1 / 12 · Remaining options: 60")
    page.close()
