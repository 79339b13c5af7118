"""The page at every size, on paper, in forced colors, by axe; the gallery; offline."""

import os
from pathlib import Path

import pytest

from treegen import build, open_game, write_page

from ..paths import ROOT
from . import driving as ui

pytestmark = pytest.mark.slow


@pytest.fixture
def server(trees, tmp_path):
    """A folder with a page for a server, and the address at which it is served."""
    write_page(trees[:1], tmp_path / "play.html", url="https://example.org/games/play.html")
    with ui.serve(tmp_path) as address:
        yield f"{address}/play.html"


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
    ui.open_tab(page, "You hide a code")
    ui.answer_by_keys(page, 0, 1)
    ui.shows(ui.status(page), "Guess 2 / 12 · Remaining options: 256")
    assert complaints == []
    context.close()


def test_a_served_page_copies_links_with_its_address(browser, server):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(server)
    ui.guess_by_keys(page, "1122")
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Copy link").click()
    ui.shows(page.locator("#breaker .share .said"), "Copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{server}#p4c6r-knuth/1122:")
    context.close()


LONG = ["abbreviation", "acknowledged", "astonishment", "breakthrough", "championship"]
GAMES = {
    "nine pegs": lambda: build("p9c2r", "first-consistent"),
    "nine letters": lambda: ui.make_words(["abandoned", "abductors", "blueprint", "blacklist"]),
    "twelve letters": lambda: ui.make_words(LONG, "pegs"),
}


@pytest.mark.parametrize("game", GAMES)
def test_long_codes_stand_on_a_line(open_page, game):
    page = open_page([GAMES[game]()], (1280, 800))
    rows = page.locator("#breaker > .desk .row.blank:not(.current)")
    tops = "row => [...row.children].map(one => one.getBoundingClientRect().bottom)"
    for row in rows.all():
        bottoms = row.evaluate(tops)
        assert max(bottoms) - min(bottoms) < 20


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_legends_keep_their_colors_where_the_system_forces_its_own(open_page, scheme):
    """The marks of an answer, which differ by borders, too, and the swatches of the explorer."""
    page = open_page([ui.make_words(ui.WORDS)], forced_colors="active", color_scheme=scheme)
    looks = page.locator("#breaker .legend .marks i").evaluate_all(
        "all => all.map(one => getComputedStyle(one))"
        ".map(one => [one.backgroundColor, one.borderTopStyle])"
    )
    assert len({color for color, _ in looks}) == len({style for _, style in looks}) == 3
    ui.open_tab(page, "Explore the tree")
    swatches = page.locator("#explorer .swatch").evaluate_all(
        "all => all.map(one => getComputedStyle(one))"
        ".map(one => [one.forcedColorAdjust, one.borderTopWidth])"
    )
    assert swatches == [["none", "1px"]] * 2


def test_a_printed_lesson_keeps_what_is_to_be_chosen(open_page, knuth):
    """Questions come with their answers; what only a screen can do is left out, as empty boards."""
    page = open_page([knuth], (768, 1024))
    page.emulate_media(media="print")
    ui.expect(page.locator("#breaker > .desk")).to_be_hidden()
    page.emulate_media(media="screen")
    ui.open_tab(page, "Learn")
    page.emulate_media(media="print")
    boxes = page.locator("#learn article").first.locator("> div")
    ui.counts(boxes.nth(0).locator("button:visible"), 3)
    ui.counts(boxes.nth(1).locator("button:visible"), 3)
    ui.counts(boxes.nth(2).locator("button:visible"), 2)
    for name in ("Other questions", "Play today's code", "Play 100 random codes"):
        ui.expect(page.get_by_text(name, exact=True)).to_be_hidden()


SHEET = os.environ.get("TREEGEN_SHEET")
"""A folder: `test_nothing_is_wider_than_the_window` leaves pictures of every state there."""
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
def test_nothing_is_wider_than_the_window(page, view, tmp_path):
    """Every state at every size: nothing is wider than the window; pictures for who looks."""
    folder = Path(SHEET or tmp_path)
    size, media = VIEWS[view]
    page.set_viewport_size(size)

    def shoot(state):
        page.emulate_media(**media)
        page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
        page.screenshot(path=folder / f"{view}-{state}.png")
        page.emulate_media(media="screen")

    ui.answer_by_keys(page, 1, 1)
    shoot("maker")
    ui.open_tab(page, "You break a code")
    shoot("start")
    ui.guess_by_keys(page, "1122", "3344")
    page.locator("#breaker > .desk .row:not(.blank)").nth(1).wait_for()
    shoot("breaker")
    ui.give_up(page)
    shoot("review")
    page.get_by_role("button", name="Why?").last.click()
    page.locator("#analyst .totals").wait_for()
    shoot("analyst")
    ui.open_tab(page, "Explore the tree")
    shoot("explorer")
    ui.pick(page, "games", "10 words of 5 letters")
    shoot("words-explorer")
    ui.open_tab(page, "You hide a code")
    shoot("words-maker")
    ui.open_tab(page, "You break a code")
    ui.guess_by_keys(page, "table")
    shoot("words-breaker")
    ui.choose(page, "games", "3 pegs, 5 colors, no duplicates")
    ui.choose_rule(page, "least T_1, expected size", "least worst case", "at random")
    ui.open_settings(page)
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
    ui.open_tab(page, "You break a code")
    for selector in (".status", ".row:nth-child(1)", ".slots", ".palette", ".buttons"):
        box = page.locator(f"#breaker {selector}").first.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= size[1], selector
    last = page.locator("#breaker > .desk .row").last.bounding_box()
    dock = page.locator("#breaker .dock").bounding_box()
    is_beside = last["x"] + last["width"] <= dock["x"]
    assert last["y"] + last["height"] <= (size[1] if is_beside else dock["y"] + 1)


@pytest.mark.parametrize("width", [320, 360, 820, 1280])
def test_the_gallery_shows_whole_histograms(open_file, width):
    """Each drawing within its card, or within the table, and what a card holds within the page."""
    page = open_file(ROOT / "trees" / "index.html", (width, 740))
    boxes = page.locator("tbody .bars svg").evaluate_all(
        "drawings => drawings.map(one => [one, one.closest('tr'), document.documentElement]"
        ".map(each => each.getBoundingClientRect())"
        ".flatMap(({ left, right }) => [left, right]))"
    )
    assert len(boxes) > 30
    for left, right, card_left, card_right, page_left, page_right in boxes:
        assert page_left <= card_left <= left < right <= card_right
        assert width >= 1280 or card_right <= page_right


def test_the_gallery_is_a_table_that_sorts(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto((ROOT / "trees" / "index.html").as_uri())
    averages = page.locator("tbody tr td:nth-child(6)")
    page.get_by_role("button", name="Average").click()
    ui.expect(page.locator("th[aria-sort=ascending]")).to_have_text("Average")
    told = [float(text) for text in averages.all_inner_texts()]
    assert told == sorted(told)
    page.get_by_role("button", name="Average").click()
    assert [float(text) for text in averages.all_inner_texts()] == sorted(told, reverse=True)
    assert page.evaluate("document.documentElement.scrollHeight") < 4000
    if ui.AXE.exists():
        assert ui.find_violations(page) == []


def test_the_entry_stays_put_on_a_phone(page):
    page.set_viewport_size({"width": 360, "height": 740})
    ui.open_tab(page, "You break a code")
    page.keyboard.type("1")
    before = page.locator("#breaker .palette").bounding_box()
    for _ in range(3):
        page.keyboard.type("1111")
        page.keyboard.press("Enter")
    ui.counts(page.locator("#breaker > .desk .row:not(.blank)"), 3)
    after = page.locator("#breaker .palette").bounding_box()
    assert after["y"] == pytest.approx(before["y"], abs=2)
    assert after["y"] + after["height"] <= 740


@pytest.mark.parametrize("media", [{"media": "print"}, {"forced_colors": "active"}])
def test_pins_differ_on_paper_and_in_forced_colors(page, media):
    ui.answer_by_keys(page, 1, 1)
    page.emulate_media(**media)
    style = "pin => [getComputedStyle(pin).borderTopWidth, getComputedStyle(pin).printColorAdjust]"
    black = page.locator("#maker .pins .black").first.evaluate(style)
    white = page.locator("#maker .pins .white").first.evaluate(style)
    assert black[1] == white[1] == "exact"
    assert float(black[0][:-2]) > 3 * float(white[0][:-2])


def test_choices_and_counts_are_not_clipped(page):
    page.set_viewport_size({"width": 360, "height": 740})
    clipped = (
        "elements => elements.filter(e => e.offsetParent && e.scrollWidth > e.clientWidth + 1)"
        ".map(e => e.outerHTML)"
    )
    ui.choose(page, "games", "3 pegs, 4 colors, duplicates, black only")
    ui.open_settings(page)
    assert (
        page.locator(".settings .pick, .settings button, .settings input").evaluate_all(clipped)
        == []
    )
    page.keyboard.press("Escape")
    ui.open_tab(page, "Explore the tree")
    assert page.locator(".count, .answer").evaluate_all(clipped) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_everything(page, scheme):
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme=scheme)
    for name in ("You hide a code", "You break a code", "Analyse a game", "Explore the tree"):
        ui.open_tab(page, name)
        page.wait_for_function("document.documentElement.scrollWidth === 360")
        small = page.evaluate(
            "[...document.querySelectorAll('button:not([hidden])')].filter(b => b.offsetParent &&"
            " (b.offsetWidth < 24 || b.offsetHeight < 24)).length"
        )
        assert small == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(page, scheme):
    if not ui.AXE.exists():
        pytest.skip(f"no axe-core: {ui.AXE} is missing (npm install axe-core)")
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # a fade has less contrast
    names = ("You hide a code", "You break a code", "Explore the tree", "Analyse a game")
    for index, name in enumerate(names):
        ui.open_tab(page, name)
        if index == 3:
            ui.enter_answer(page, "1122", 0, 1)
            page.locator("#analyst .advice, #analyst .totals").first.wait_for()
            page.locator("#analyst .totals").wait_for()
        if index == 0:
            ui.answer_by_keys(page, 0, 0)
            ui.answer_by_keys(page, 3, 1)
        if index == 1:
            page.keyboard.type("1234")
            page.locator("section:not([hidden]) [data-slot='0']").press("Enter")
            assert ui.find_violations(page) == []
            ui.give_up(page)
        if index == 2:
            page.locator("#explorer summary").first.click()
            page.locator(".states ul > li").first.wait_for()
        assert ui.find_violations(page) == [], name
    page.get_by_text("Help", exact=True).click()
    assert ui.find_violations(page) == []
    page.get_by_text("Settings", exact=True).click()
    assert ui.find_violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_in_the_other_states(page, scheme):
    """Words, games to identify, computed rules, a won game and what it shares, contradictions."""
    if not ui.AXE.exists():
        pytest.skip(f"no axe-core: {ui.AXE} is missing (npm install axe-core)")
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    tabs = ("You hide a code", "You break a code", "Analyse a game", "Explore the tree")
    for game in ("10 words of 5 letters", "3 pegs, 5 colors, no duplicates, to identify"):
        ui.pick(page, "games", game)
        for name in tabs:
            ui.open_tab(page, name)
            if name == "You break a code":
                ui.guess_by_keys(page, "table" if "words" in game else "012")
            assert ui.find_violations(page) == [], (game, name)
    page.locator(".states .zoom").first.click()
    assert ui.find_violations(page) == []
    ui.choose(page, "games", "3 pegs, 5 colors, no duplicates")
    ui.choose_rule(page, "least T_2", "least worst case", "at random")
    ui.choose(page, "games", "Custom")
    assert ui.find_violations(page) == [], "settings of a rule"
    page.keyboard.press("Escape")
    ui.open_tab(page, "Analyse a game")
    for guess in ("012", "012"):
        page.locator("#analyst [data-slot='0']").focus()
        page.keyboard.type(guess + "b" * (1 + len(page.locator("#analyst > .desk .row").all())))
        page.keyboard.press("Enter")
    ui.counts(page.locator("#analyst > .desk .row.wrong"), 2)
    assert ui.find_violations(page) == [], "contradiction"
    ui.open_tab(page, "You break a code")
    for code in tree_codes("p3c5n"):
        if page.locator("#breaker[data-over=yes]").count():
            break
        ui.guess_by_keys(page, code)
    page.get_by_role("button", name="Copy rows").click()
    page.locator("#breaker .totals").wait_for()
    assert ui.find_violations(page) == [], "over"


@pytest.mark.parametrize("view", [{"color_scheme": "dark"}, {"forced_colors": "active"}], ids=str)
@pytest.mark.parametrize("words", [["שלום", "חלון", "ספרי"], ["мышьё", "объём"]], ids=["he", "ru"])
def test_keyboards_and_pasted_results_fit_a_small_phone(open_page, words, view):
    """No key is cut off or too small for a finger; axe finds nothing."""
    page = open_page([ui.make_words(words)], (320, 640), **view)
    page.get_by_role("button", name="Got it").click()
    ui.setting(page, "Hard mode: each guess must use all hints").check()
    page.keyboard.press("Escape")
    ui.open_tab(page, "Analyse a game")
    page.get_by_text("Paste a result").click()
    page.locator(".paste textarea").fill(f"{words[0]} 🟩")
    page.get_by_role("button", name="Read", exact=True).click()
    ui.mentions(page.locator(".paste .message"), "Row 1 has 1 square")
    ui.expect(page.locator(".paste .message")).to_be_in_viewport()
    keys = page.locator("#analyst .keys button")
    boxes = [key.bounding_box() for key in keys.all()]
    assert len(boxes) >= 26
    assert min(box["x"] for box in boxes) >= 0
    assert max(box["x"] + box["width"] for box in boxes) <= 320
    assert min(box["width"] for box in boxes) >= 19
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    if ui.AXE.exists():
        assert ui.find_violations(page) == []


def tree_codes(name):
    game = open_game(name)
    return [game.format_code(code) for code in range(game.n_codes)]
