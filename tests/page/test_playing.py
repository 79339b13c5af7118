"""You break a code and you hide one: answers, guesses, hints, by keys, mouse and touch."""

import random
import re

import pytest

import treegen

from . import driving as ui

pytestmark = pytest.mark.slow


@ui.BOTH
@pytest.mark.parametrize("answer", [ui.answer_by_keys, ui.answer_by_clicks])
def test_the_page_finds_secrets_as_the_tree_does(page, trees, answer):
    tree = trees[0]
    game = tree.game
    for secret in random.Random(answer.__name__).sample(range(game.n_secrets), 4):
        nodes = ui.play_secret(tree, secret)
        for number, node in enumerate(nodes, start=1):
            left = f"{tree.n_candidates[node]:,}"
            ui.shows(ui.status(page), f"Guess {number} / 12 · Remaining options: {left}")
            ui.shows(ui.current_guess(page), list(game.format_code(int(tree.guess[node]))))
            reply = game.score(int(tree.guess[node]), secret)
            answer(page, *game.feedback.feedback_of(reply))
        ui.shows(ui.status(page), f"Found in {len(nodes)}")
        ui.tells(page, f"Your code is {game.format_code(secret)}.")
        page.get_by_role("button", name="New game").click()


def test_undo_and_contradictions(page):
    ui.answer_by_keys(page, 0, 0)
    ui.mentions(ui.status(page), "256")
    ui.answer_by_keys(page, 4, 0)
    ui.shows(ui.status(page), ui.starting("Found in 2"))
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    ui.shows(ui.status(page), "Guess 1 / 12 · Remaining options: 1,296")
    ui.answer_by_keys(page, 3, 1)
    ui.mentions(ui.message(page), "No code is answered with 3 black and 1 white")
    page.get_by_role("button", name="New game").click()
    for black, white in [(0, 0), (0, 0)]:
        ui.answer_by_keys(page, black, white)
    ui.answer_by_keys(page, 0, 0)
    ui.shows(ui.message(page), ui.starting("These answers cannot all be true: "))
    ui.mentions(ui.message(page), "this answer")
    page.locator(".row.wrong").first.wait_for()
    page.locator("section:not([hidden]) [data-pin]").first.focus()
    page.keyboard.press("b")
    ui.counts(page.locator(".pin.black"), 1)
    page.keyboard.press("Backspace")
    ui.counts(page.locator(".pin.black"), 0)


def test_the_number_of_guesses_can_be_limited(page):
    ui.setting(page, "Guesses").fill("2")
    ui.setting(page, "Guesses").blur()
    ui.answer_by_keys(page, 0, 1)
    ui.shows(ui.status(page), ui.starting("Guess 2 / 2"))
    ui.answer_by_keys(page, 0, 1)
    ui.shows(ui.message(page), "All 2 guesses are used up.")


def place_by_dragging(page, game, code):
    for hole, color in enumerate(game.codes[code].tolist()):
        ui.drag_color(page, color, hole)
    page.get_by_role("button", name="Guess", exact=True).click()


def place_by_keys(page, game, code):
    page.locator("section:not([hidden]) [data-slot='0']").focus()
    page.keyboard.type(game.format_code(code))
    page.keyboard.press("Enter")


def place_by_clicks(page, game, code):
    for color in game.codes[code].tolist():
        page.locator(f"section:not([hidden]) [data-color='{color}']").click()
    page.get_by_role("button", name="Guess", exact=True).click()


@ui.BOTH
@pytest.mark.parametrize("place", [place_by_dragging, place_by_keys, place_by_clicks])
def test_a_hidden_code_is_found_by_following_the_tree(page, trees, place):
    tree = trees[0]
    game = tree.game
    ui.open_tab(page, "You break a code")
    for _ in range(1 if place is place_by_dragging else 2):
        number = 0
        for row, node in ui.follow_tree(page, tree, lambda code: place(page, game, code)):
            number += 1
            if node is not None:
                ui.mentions(row, f"{tree.n_candidates[node]:,} left")
        ui.mentions(ui.message(page), f"Found with {number} guess")
        page.get_by_role("button", name="New code").click()


def test_new_code_and_give_up_are_undone(page):
    ui.open_tab(page, "You break a code")
    ui.guess_by_keys(page, "1111")
    undo = page.locator("#breaker").get_by_role("button", name="Undo")
    ui.expect(undo).to_be_hidden()
    page.get_by_role("button", name="New code").click()
    ui.counts(page.locator("#breaker > .desk .row:not(.blank)"), 0)
    undo.click()
    ui.counts(page.locator("#breaker > .desk .row:not(.blank)"), 1)
    page.get_by_role("button", name="Give up").click()
    ui.mentions(page.locator(".figures"), "1 game, 0 won")
    undo.click()
    ui.shows(ui.status(page), ui.starting("Guess 2 / 12"))
    page.get_by_role("button", name="Give up").click()
    ui.mentions(page.locator(".figures"), "1 game, 0 won")


def test_possible_answers_stand_beside_the_board(page, trees):
    tree = trees[0]
    page.set_viewport_size({"width": 1280, "height": 800})
    page.reload()
    rows = page.locator("#maker .answers li")
    ui.counts(rows, len(tree.children(0)) + 1)
    sizes = [f"{tree.n_candidates[child]:,}" for child in tree.children(0)]
    told = [text.split()[0] for text in page.locator("#maker .answers .count").all_inner_texts()]
    assert told == [*sizes, "wins"]


@ui.BOTH
def test_a_hint_tells_what_the_guess_leaves(page):
    """Whatever the answer, at most so many, and a bar for each answer."""
    ui.open_tab(page, "You break a code")
    ui.ask_for_hint(page)
    best = re.compile(
        r"(?:A good|The best) next guess is .* It leaves at most (\d+) of 1,296 codes\."
    )
    ui.expect(ui.message(page)).to_contain_text(best)
    bars = ui.message(page).locator(".cell").evaluate_all("bars => bars.map(bar => bar.title)")
    sizes = {told: int(size) for told, size in (bar.split(": ") for bar in bars)}
    assert sum(sizes.values()) == 1296
    most = int(re.search(best, ui.message(page).text_content())[1])
    assert most == max(size for told, size in sizes.items() if told != "4 black, 0 white")


@ui.BOTH
def test_colors_are_crossed_out(page):
    """By mouse and keys; they can still be played, and stay crossed out after a reload."""
    ui.open_tab(page, "You break a code")
    cross = page.get_by_role("button", name="Cross out colors")
    cross.click()
    page.locator("#breaker [data-color='1']").click()
    page.locator("#breaker [data-color='2']").press("Enter")
    crossed = page.locator("#breaker .crossed")
    ui.counts(crossed, 2)
    ui.expect(crossed.first).to_have_attribute("aria-label", "blue 2, crossed out")
    ui.expect(crossed.nth(1)).to_be_focused()
    ui.shows(page.locator("#breaker .slot"), ["", "", "", ""])
    cross.click()
    crossed.first.click()
    ui.shows(page.locator("#breaker .slot"), ["2", "", "", ""])
    page.keyboard.type("233")
    page.get_by_role("button", name="Guess", exact=True).click()
    page.locator("#breaker > .desk .row:not(.blank)").wait_for()
    page.reload()
    ui.counts(crossed, 2)
    cross.click()
    crossed.first.click()
    ui.counts(crossed, 1)
    page.get_by_role("button", name="New code").click()
    ui.counts(crossed, 0)


def test_what_is_left_is_not_told_where_one_wishes(page):
    ui.open_tab(page, "You break a code")
    ui.guess_by_keys(page, "1122")
    row = page.locator("#breaker > .desk .row").first
    ui.mentions(row, "left")
    ui.setting(page, "Do not show how many are left").check()
    page.keyboard.press("Escape")
    ui.shows(ui.status(page), "Guess 2 / 12")
    assert "left" not in row.inner_text()
    ui.guess_by_keys(page, "3344")
    ui.counts(page.locator("#breaker > .desk .row:not(.blank)"), 2)
    assert "left" not in page.locator("#breaker .spoken").text_content()
    for card in (".possible", ".remaining"):
        ui.expect(page.locator(f"#breaker {card}").first).to_be_hidden()
    page.reload()
    ui.shows(ui.status(page), "Guess 3 / 12")
    page.get_by_role("button", name="Give up").click()
    ui.mentions(ui.status(page), "Remaining options")
    ui.mentions(row, "left")


def test_games_are_a_ladder(page):
    ui.pick(page, "games", "3 pegs, 4 colors, duplicates")
    ui.open_tab(page, "You break a code")
    for title in ("Easy", "Classic"):
        climb = page.get_by_role("button", name=f"Next: {title}")
        while page.locator("#breaker[data-over=no]").count():
            ui.expect(climb).to_be_hidden()
            ui.follow_hint(page)
            page.locator("#breaker .row.fresh").wait_for()
        climb.click()
    ui.shows(ui.status(page), "Guess 1 / 12 · Remaining options: 1,296")


def test_letters_of_several_signs_are_typed(open_page):
    words = ["polje", "konji", "ljubi", "njega", "vonja", "jela", "zelje"]
    game = treegen.Codebook(words, letters="lj,nj", feedback="position")
    page = open_page([treegen.build(game, "entropy")])
    page.keyboard.type("nje")  # no letter n stands alone
    ui.shows(page.locator("#breaker .slot"), ["NJ", "E", "", ""])
    page.keyboard.press("Backspace")
    page.keyboard.type("l")
    ui.shows(page.locator("#breaker .slot"), ["NJ", "L", "", ""])
    page.keyboard.type("JUB")
    ui.shows(page.locator("#breaker .slot"), ["NJ", "LJ", "U", "B"])
    for _ in range(4):
        page.keyboard.press("Backspace")
    page.keyboard.type("jela")
    ui.shows(page.locator("#breaker .slot"), ["J", "E", "L", "A"])
    for _ in range(4):
        page.keyboard.press("Backspace")
    ui.guess_by_keys(page, "polje")  # it may be the code
    guessed = page.locator("#breaker > .desk .row:not(.blank)")
    ui.shows(guessed.locator(".tile"), ["P", "O", "LJ", "E"])


PRESS = """letter => (document.activeElement ?? document.body).dispatchEvent(
  new KeyboardEvent("keydown", { key: letter, bubbles: true, cancelable: true }))"""
"""Playwright's keyboard has no Hebrew and no Arabic keys."""


@ui.BOTH
@pytest.mark.parametrize(
    ("words", "keys"),
    [
        (["שלום", "חלון", "ספרי", "דלתי"], ["קראטוןםפ", "שדגכעיחל", "זסבהנמצת"]),
        (["سلام", "كتاب", "قلوب", "بلاد"], ["ضصثقفغعهخحجد", "ذشسيبلاتنمكط", "ئءؤرىةوزظ"]),
    ],
    ids=["he", "ar"],
)
def test_words_run_from_right_to_left_and_keys_as_on_a_keyboard(open_page, words, keys):
    page = open_page([ui.make_words(words)])
    for letter in words[1]:
        page.evaluate(PRESS, letter)
    page.keyboard.press("Enter")
    ui.counts(page.locator("#breaker > .desk .row:not(.blank)"), 1)
    guessed = page.locator("#breaker .board .row").first.locator(".tile")
    assert read_leftward(guessed) == list(words[1])
    rows = page.locator("#breaker .keys").all()
    lefts = [row.locator("[data-color]").evaluate_all(LEFTS) for row in rows]
    assert lefts == [sorted(row) for row in lefts], "keys stand as on a keyboard, from the left"
    assert ["".join(row.locator("[data-color]").all_inner_texts()) for row in rows] == keys
    ui.open_tab(page, "Analyse a game")
    for letter in words[0]:
        page.locator(f"#analyst .keys button:text-is('{letter}')").click()
    page.locator("#analyst .keys .key").click()
    ui.counts(page.locator("#analyst > .desk .row:not(.blank)"), 1)


LEFTS = "keys => keys.map((key) => key.getBoundingClientRect().x)"


def read_leftward(tiles):
    """Return the letters of some tiles, row by row from the right."""
    placed = tiles.evaluate_all(
        "tiles => tiles.map((tile) => [tile.getBoundingClientRect(), tile.innerText])"
        ".map(([{ x, y }, text]) => [Math.round(y), -x, text])"
    )
    return [text for _, _, text in sorted(placed)]


def test_plain_letters_come_before_those_with_accents(open_page):
    """D and Z are two letters beside DŽ; what was clicked joins with nothing that is typed."""
    words = ["ljeto", "jeza", "dzsa", ["l", "j", "e", "z"], ["dž", "e", "p", "a"]]
    game = treegen.Codebook(words, letters="lj", feedback="position")
    page = open_page([treegen.build(game, "entropy")])
    page.keyboard.type("Dzsa")
    ui.shows(page.locator("#breaker .slot"), ["D", "Z", "S", "A"])
    for _ in range(4):
        page.keyboard.press("Backspace")
    page.locator("#breaker").get_by_role("button", name="l", exact=True).click()
    page.keyboard.type("je")
    ui.shows(page.locator("#breaker .slot"), ["L", "J", "E", ""])


@ui.BOTH
def test_accented_lists_have_a_keyboard_and_near_misses(open_page):
    """The whole keyboard of the language, and words that differ by accents or in one place."""
    page = open_page([ui.make_words(["bakől", "bakol", "tőkés", "aszta", "bokor", "kakas"])])
    keys = page.locator("#breaker .keyboard .keys")
    ui.counts(keys, 4)
    rows = [row.locator("[data-color]").all_inner_texts() for row in keys.all()]
    told = [[key.lower() for key in row] for row in rows]
    assert told == list(map(list, ("áéíóöőúüű", "qwertzuiop", "asdfghjkl", "yxcvbnm")))
    ui.expect(keys.nth(3).get_by_role("button").first).to_have_text("⏎")
    ui.expect(keys.nth(3).get_by_role("button").last).to_have_text("⌫")
    ui.guess_by_keys(page, "tokes")
    ui.tells(page, "That word is not in the list. Did you mean tőkés?")
    ui.message(page).get_by_role("button", name="tőkés").click()
    ui.shows(page.locator("#breaker .slot"), ["T", "Ő", "K", "É", "S"])
    page.keyboard.press("Enter")
    ui.counts(page.locator("#breaker > .desk .row:not(.blank)"), 1)
    ui.open_tab(page, "Analyse a game")
    ui.guess_by_keys(page, "bakor")
    ui.tells(page, "That word is not in the list. Did you mean bakol bokor bakől?")
    for _ in range(5):
        page.keyboard.press("Backspace")
    ui.guess_by_keys(page, "ttttt")
    ui.tells(page, "That word is not in the list.")


@ui.BOTH
def test_why_a_guess_is_not_taken_stands_until_it_changes(page):
    ui.open_tab(page, "You break a code")
    ui.guess_by_keys(page, "122")
    ui.tells(page, "1 peg is missing.")
    page.keyboard.type("3")
    ui.tells(page, "")
    ui.pick(page, "games", "10 words of 5 letters")
    for tab in ("You break a code", "Analyse a game", "You hide a code"):
        ui.open_tab(page, tab)
        if tab == "You hide a code":
            page.get_by_role("radio", name="I hide one here").check()
        ui.guess_by_keys(page, "cra")
        ui.tells(page, "2 letters are missing.")
        page.keyboard.type("s")
        ui.tells(page, "")
        page.locator("section:not([hidden]) .key").click()
        ui.tells(page, "1 letter is missing.")
        page.keyboard.type("t")
        ui.tells(page, "")
        page.keyboard.press("Enter")
        ui.mentions(ui.message(page), "That word is not in the list.")
        page.keyboard.press("ArrowLeft")
        ui.mentions(ui.message(page), "That word is not in the list.")
        page.keyboard.press("Backspace")
        ui.tells(page, "")


def test_a_game_is_played_by_touch(browser, file, trees):
    """On a phone: taps alone, as the tree plays."""
    phone = {"width": 360, "height": 740}
    context = browser.new_context(has_touch=True, is_mobile=True, viewport=phone)
    page = context.new_page()
    page.goto(file.as_uri())
    page.get_by_role("button", name="Got it").tap()
    game = trees[0].game

    def tap(code):
        for color in game.codes[code].tolist():
            page.locator(f"#breaker [data-color='{color}']").tap()
        page.locator("#breaker .current .primary").tap()

    assert list(ui.follow_tree(page, trees[0], tap))
    ui.mentions(ui.message(page), "Found with")
    context.close()


def test_a_game_is_played_through_the_accessibility_tree(page, trees):
    """By roles and names alone, as a screen reader finds them."""
    tree = trees[0]
    game, node, reply = tree.game, 0, None
    ui.open_tab(page, "You break a code")
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
    ui.mentions(panel.get_by_role("status").filter(has_text="Found"), "Found with")


def test_a_candidate_to_identify_is_announced(page, trees):
    tree = trees[6]
    game = tree.game
    ui.pick(page, "games", "3 pegs, 5 colors, no duplicates, to identify")
    secret = int(tree.guess[-1])
    nodes = [node for node in ui.play_secret(tree, secret) if tree.n_candidates[node] > 1]
    for node in nodes:
        ui.answer_by_keys(
            page, *game.feedback.feedback_of(game.score(int(tree.guess[node]), secret))
        )
    ui.tells(page, f"Your code is {game.format_code(secret)}.")
    ui.shows(ui.status(page), f"Identified in {len(nodes)}")
    ui.open_tab(page, "You break a code")
    node = 0
    while tree.n_candidates[node] > 1:
        ui.guess_by_keys(page, game.format_code(int(tree.guess[node])))
        row = page.locator("#breaker > .desk .row:not(.blank)").last
        reply = game.feedback.response_of(*ui.read_feedback(row))
        if reply == game.win:
            break
        node = next(c for c in tree.children(node) if tree.response[c] == reply)
    ui.expect(ui.message(page)).to_contain_text(
        re.compile("^(Found|The code is .* identified) with")
    )
    ui.open_tab(page, "Explore the tree")
    page.locator("#explorer summary").nth(2).click()
    ui.mentions(page.locator(".leaf .count").first, "the code")


def test_letters_are_laid_out_and_marked_as_on_a_keyboard(page):
    ui.pick(page, "games", "10 words of 5 letters")
    page.evaluate("void (crypto.getRandomValues = (array) => array.fill(0))")  # not "table"
    ui.open_tab(page, "You break a code")
    ui.shows(page.locator("#breaker .keys").first.locator("button"), list("ERTI"))
    ui.guess_by_keys(page, "table")
    ui.counts(page.locator("#breaker .choice[class*=mark]"), 5)
    ui.expect(
        page.locator("#breaker .choice.mark0, #breaker .choice.mark1").first
    ).to_have_attribute("aria-label", re.compile(", (not in|elsewhere in) the word"))


@ui.BOTH
def test_backspace_and_arrows_edit_the_guess(page):
    ui.open_tab(page, "You break a code")
    page.keyboard.type("123")
    page.keyboard.press("Backspace")
    ui.shows(page.locator("section:not([hidden]) .slot"), ["1", "2", "", ""])
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.type("6")
    ui.shows(page.locator("section:not([hidden]) .slot").first, "6")
    ui.expect(page.get_by_role("button", name="Guess", exact=True)).to_be_disabled()


def test_words_are_answered_letter_by_letter(page, trees):
    tree = trees[4]
    game = tree.game
    ui.choose(page, "games", "10 words of 5 letters")
    for secret in range(game.n_secrets):
        for number, node in enumerate(ui.play_secret(tree, secret), start=1):
            ui.shows(ui.status(page), ui.starting(f"Guess {number} / 6"))
            tiles = page.locator("section > .desk .row.current .tile")
            ui.expect(tiles).to_have_text(list(game.format_code(int(tree.guess[node]))))
            reply = game.score(int(tree.guess[node]), secret)
            for letter, mark in enumerate(game.format_response(reply)):
                for _ in range(int(mark)):
                    page.locator("section:not([hidden]) [data-pin]").nth(letter).click()
            page.get_by_role("button", name="Answer", exact=True).click()
        ui.tells(page, f"Your word is {game.format_code(secret)}.")
        page.get_by_role("button", name="New game").click()


def test_a_tree_that_begins_in_the_middle_plays_from_there(page, trees):
    tree = trees[5]
    game = tree.game
    ui.choose(page, "opponents", "p4c6r-knuth-2")
    ui.mentions(page.locator("#figures"), f"{tree.n_secrets} codes after 1122 → 02, ")
    page.keyboard.press("Escape")
    for secret in [int(code) for code in tree.guess[tree.is_winning][:5]]:
        node, number = 0, 1
        while True:
            left = f"{tree.n_candidates[node]:,}"
            ui.shows(ui.status(page), f"Guess {number} / 12 · Remaining options: {left}")
            reply = game.score(int(tree.guess[node]), secret)
            ui.answer_by_keys(page, *game.feedback.feedback_of(reply))
            if reply == game.win:
                break
            node = next(c for c in tree.children(node) if tree.response[c] == reply)
            number += 1
        ui.tells(page, f"Your code is {game.format_code(secret)}.")
        page.get_by_role("button", name="New game").click()
    ui.open_tab(page, "You break a code")
    page.get_by_role("button", name="Give up").click()
    code = ui.message(page).text_content().removeprefix("The code was ").rstrip(".")
    assert game.score(game.parse_code("1122"), game.parse_code(code)) == game.parse_response("02")


@ui.BOTH
def test_a_hint_comes_in_three_stages(page):
    """Whether a guess may be the code, one peg, the guess: the best one known, the tree's apart."""
    ui.open_tab(page, "You break a code")
    page.evaluate("void (crypto.getRandomValues = (array) => array.fill(1295))")
    page.get_by_role("button", name="New code").click()
    ui.guess_by_keys(page, "1111")
    page.keyboard.type("1222")
    hint = page.get_by_role("button", name="Hint")
    hint.click()
    ui.tells(page, "Your guess cannot be the code. Hint again shows one peg.")
    hint.click()
    ui.expect(ui.message(page)).to_have_text(
        re.compile(
            r"^(A good|The best) next guess has .* in place \d\. Hint again shows all of it\.$"
        )
    )
    ui.counts(ui.message(page).locator(".peg"), 1)
    hint.click()
    ui.expect(ui.message(page)).to_have_text(
        re.compile(
            r"^(A good|The best) next guess is \d{4}: (about )?\d\.\d\d guesses to the end\."
        )
    )
    code = "".join(ui.message(page).locator(".pegs").first.locator(".peg").all_inner_texts())
    page.get_by_role("button", name="Place it").click()
    ui.shows(page.locator("#breaker > .desk .slot"), list(code))


def test_the_remaining_codes_are_listed(page, trees):
    page.get_by_text("Remaining codes").locator("visible=true").click()
    codes = page.locator("#maker .codes li")
    ui.counts(codes, 201)
    ui.shows(codes.last, "and 1,096 more")
    ui.answer_by_keys(page, 2, 2)
    wanted = [trees[0].game.format_code(code) for code in cut_to(trees[0], "22")]
    ui.counts(codes, len(wanted))
    shown = [re.sub(r"\s", "", row.locator(".pegs").inner_text()) for row in codes.all()]
    assert shown == wanted


def cut_to(tree, answer):
    game = tree.game
    reply = game.parse_response(answer)
    guess = int(tree.guess[0])
    return [code for code in range(game.n_secrets) if game.score(guess, code) == reply]


def drag_from(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def middle(page, slot):
    box = page.locator(f"section:not([hidden]) [data-slot='{slot}']").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@ui.BOTH
def test_pegs_are_dragged_from_hole_to_hole_and_off_the_board(page):
    ui.open_tab(page, "You break a code")
    page.keyboard.type("123")
    slots = page.locator("section:not([hidden]) .slot")
    drag_from(page, middle(page, 0), middle(page, 3))
    ui.shows(slots, ["", "2", "3", "1"])
    drag_from(page, middle(page, 1), middle(page, 2))
    ui.shows(slots, ["", "3", "2", "1"])
    drag_from(page, middle(page, 3), (700, 800))
    ui.shows(slots, ["", "3", "2", ""])


def test_enter_on_a_pin_sends_and_pins_need_no_focus(page):
    page.keyboard.press("w")
    ui.counts(page.locator(".pin.white"), 1)
    page.keyboard.press("Enter")
    ui.shows(ui.status(page), "Guess 2 / 12 · Remaining options: 256")
    page.locator("section:not([hidden]) [data-pin]").first.focus()
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    ui.shows(ui.status(page), ui.starting("Guess 3 / 12"))


def test_answers_and_guesses_are_spoken(page):
    page.keyboard.press("Enter")
    told = page.locator("#maker .spoken")
    ui.mentions(told, "Answered 0 black, 0 white. Guess 2 is yellow 3, yellow 3, green 4, pink 5.")
    ui.open_tab(page, "You break a code")
    page.keyboard.type("1122")
    page.keyboard.press("Enter")
    ui.mentions(
        page.locator("#breaker .spoken"), "Guess 1, vermilion 1, vermilion 1, blue 2, blue 2: "
    )


def test_a_new_game_is_announced_and_a_finished_one_says_so(page):
    """In the live region, which no longer tells of the game before; marks have names there, too."""
    ui.open_tab(page, "You break a code")
    spoken = page.locator("#breaker .spoken")
    ui.guess_by_keys(page, "1122")
    page.get_by_role("button", name="New code").click()
    told = "A new game. Guess 1 / 12 · Remaining options: 1,296"
    ui.expect(spoken).to_have_text(told)
    page.get_by_role("button", name="Daily code").click()
    ui.expect(spoken).to_have_text(re.compile(r"^A new game\. Code of [-\d]+ · Guess 1 / 12"))
    page.get_by_role("button", name="Undo").click()
    ui.expect(spoken).to_have_text(re.compile(r"^Back to the game before\. Guess 1 / 12"))
    marks = ["black: right color and place", "white: right color, elsewhere"]
    ui.expect(page.locator("#breaker .legend > span")).to_have_text(marks)
    ui.guess_by_keys(page, "1122", "3344")
    page.get_by_role("button", name="Give up").click()
    ui.shows(ui.status(page), ui.starting("Not found in 2 · Remaining options: "))


def test_the_focus_stays_in_the_game_when_what_had_it_goes(open_page, knuth):
    """Buttons that hide, are disabled or drawn anew leave it to what comes next, not to nobody."""
    page = open_page([treegen.build("p3c4r", "knuth"), knuth], (1280, 800))
    panel = page.locator("section:not([hidden])")

    def press(name):
        button = panel.get_by_role("button", name=name, exact=True).locator("visible=true").first
        button.focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.matches('section:not([hidden]) *')"), name
        return page.locator(":focus")

    ui.expect(press("Got it")).to_have_attribute("data-slot", "0")
    page.evaluate("void (crypto.getRandomValues = (array) => array.fill(0))")
    press("New code")
    ui.expect(press("Undo")).to_have_attribute("data-slot", "0")
    ui.guess_by_keys(page, "112")
    press("Give up")
    panel.locator(".totals").wait_for()
    press("Clear statistics")
    press("New code")
    page.keyboard.type("111")
    press("Guess")
    panel.locator(".retry").or_(panel.locator(".totals")).first.wait_for()
    ui.expect(press("Next: Easy")).to_have_attribute("data-slot", "0")
    ui.open_tab(page, "Analyse a game")
    page.keyboard.type("1122b")
    page.locator("#analyst [data-slot='0']").focus()
    page.keyboard.type("1122b")
    press("Add")
    ui.expect(press("Remove guess 1")).to_have_attribute("data-slot", "0")
    page.keyboard.type("1122b")
    press("Add")
    press("Undo")
    ui.open_tab(page, "You hide a code")
    page.keyboard.press("w")
    press("Answer")
    press("Undo")
    panel.get_by_role("radio", name="I hide one here").check()
    page.keyboard.type("1234")
    press("Hide it")
    for name in ("Look", "Cover", "Another"):
        press(name)
