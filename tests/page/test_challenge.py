"""A code sent to a friend: by a link, played there, compared at the end."""

import re

import pytest

from . import driving as ui

pytestmark = pytest.mark.slow


@pytest.fixture
def mine(open_file, file):
    return open_file(file, script=ui.CLIPBOARD)


@pytest.fixture
def theirs(open_file, file):
    return open_file(file, script=ui.CLIPBOARD)


def copy_challenge(page):
    """Return what a challenge says, and its link."""
    page.evaluate("window.copied = undefined")
    page.get_by_role("button", name="Challenge a friend").locator("visible=true").click()
    page.wait_for_function("window.copied")
    ui.mentions(page.locator(".said:visible"), "hides the code from the eye")
    return page.evaluate("copied").split("\n")


def follow_link(page, link):
    """Go to a link in an open page, which takes the challenge out of its address."""
    enter_link(page, link)
    page.wait_for_function("!location.hash")


def enter_link(page, link):
    page.evaluate("link => { location.hash = link; }", link.partition("#")[2])


@ui.BOTH
def test_a_friend_finds_the_code_and_answers_with_a_challenge(mine, theirs, file):
    ui.open_tab(mine, "You hide a code")
    mine.get_by_role("radio", name="For a friend").check()
    ui.guess_by_keys(mine, "4512")
    text, link = copy_challenge(mine)
    assert text == "Mastermind: find my code"
    assert link.startswith(f"{file.name}#p4c6r-knuth/?"), "no folder of the sender's"
    assert "4512" not in link

    follow_link(theirs, link)
    ui.shows(ui.status(theirs), "Challenge · Guess 1 / 12 · Remaining options: 1,296")
    ui.guess_by_keys(theirs, "1122", "1234")
    theirs.reload()
    ui.shows(ui.status(theirs), ui.starting("Challenge · Guess 3 / 12"))
    ui.guess_by_keys(theirs, "4512")
    ui.mentions(theirs.locator(".duel"), "You beat Knuth")
    ui.mentions(theirs.locator("#breaker .figures"), "No game yet")
    text, link = copy_challenge(theirs)
    assert text == "Mastermind: beat my 3"

    ui.open_tab(mine, "You break a code")
    follow_link(mine, link)
    ui.shows(ui.status(mine), ui.starting("Challenge: beat 3 · Guess 1 / 12"))
    ui.guess_by_keys(mine, "1122", "4512")
    ui.shows(mine.locator(".duel h2"), "You beat your friend")
    ui.mentions(mine.locator(".duel p").first, "You: 2 guesses. Your friend: 3 guesses. Knuth: 5")
    mine.get_by_role("button", name="Copy rows").click()
    mine.wait_for_function("copied.startsWith('Mastermind · 2 (friend 3, tree 5)')")
    follow_link(mine, link)
    ui.guess_by_keys(mine, "1122", "3344", "1111", "4512")
    ui.shows(mine.locator(".duel h2"), "Your friend beats you")


def test_help_and_losses_are_nothing_to_beat(mine):
    ui.open_tab(mine, "You break a code")
    ui.guess_by_keys(mine, "1122")
    mine.get_by_role("button", name="Give up").click()
    assert copy_challenge(mine)[0] == "Mastermind: find my code"


def test_the_code_of_a_day_is_the_days_for_a_friend_too(mine, theirs):
    ui.open_tab(mine, "You break a code")
    mine.get_by_role("button", name="Daily code").click()
    ui.guess_by_keys(mine, "1122")
    mine.get_by_role("button", name="Give up").click()
    _, link = copy_challenge(mine)
    day = mine.evaluate(
        "[now.getFullYear(), now.getMonth() + 1, now.getDate()]"
        ".map(part => String(part).padStart(2, '0')).join('-')".replace("now", "new Date()")
    )
    assert link.endswith(f"/{day}")
    follow_link(theirs, link)
    ui.shows(ui.status(theirs), ui.starting(f"Challenge · Code of {day} · Guess 1"))
    solution = mine.locator("#breaker .solution .pegs").text_content()
    ui.guess_by_keys(theirs, solution)
    ui.mentions(theirs.locator("#breaker .figures"), "1 game, 1 won")
    enter_link(theirs, link.replace(day, "2020-01-01"))
    ui.mentions(theirs.get_by_role("alert"), "This challenge is damaged")


def test_an_evil_game_challenges_to_another_one(mine, theirs):
    ui.pick(mine, "makers", "evil")
    ui.open_tab(mine, "You break a code")
    ui.guess_by_keys(mine, "1122")
    mine.get_by_role("button", name="Give up").click()
    text, link = copy_challenge(mine)
    assert text == "Mastermind: beat the evil code-maker"
    follow_link(theirs, link)
    ui.shows(ui.status(theirs), ui.starting("Challenge · Evil code-maker · Guess 1 / 12"))
    ui.guess_by_keys(theirs, "1122")
    ui.shows(ui.status(theirs), re.compile("Remaining options: 256"))


def test_words_are_sent_and_a_damaged_link_says_so(mine, theirs):
    ui.pick(mine, "games", "10 words of 5 letters")
    ui.open_tab(mine, "You hide a code")
    mine.get_by_role("radio", name="For a friend").check()
    ui.guess_by_keys(mine, "table")
    mine.get_by_role("button", name="Challenge a friend").click()
    mine.wait_for_function("window.copied")
    link = mine.evaluate("copied").split("\n")[1]
    follow_link(theirs, link)
    ui.shows(ui.status(theirs), "Challenge · Guess 1 / 6 · Remaining options: 10")
    ui.guess_by_keys(theirs, "table")
    ui.mentions(ui.message(theirs), "Found with 1 guess")
    ui.counts(theirs.locator("#breaker .row:not(.blank)").filter(has_text="found"), 1)
    for damage in (link + "7", link[:-1], link.partition("?")[0] + "?", link + "/2026-13-45"):
        enter_link(theirs, damage)
        ui.expect(theirs.get_by_role("alert")).to_contain_text("This challenge is damaged")
