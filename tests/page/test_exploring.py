"""The explorer of the tree: its icicle, its list, its links."""

import re

import pytest

from . import driving as ui

pytestmark = pytest.mark.slow


def test_answers_of_words_are_tiles_in_the_explorer(page, trees):
    ui.pick(page, "games", "10 words of 5 letters")
    ui.open_tab(page, "Explore the tree")
    n_answers = len(trees[4].children(0))
    ui.counts(page.locator(".states > li .answer i"), 5 * n_answers)
    assert page.locator(".icicle .small").count() % 5 == 0
    words = page.locator(".icicle a:has(.small)").first.get_attribute("aria-label")
    assert re.fullmatch(r"[a-z]{5} \d candidates?(, (grey|yellow|green)){5}", words)
    page.locator(".states .zoom").first.click()
    ui.counts(page.locator(".crumbs .marks i"), 5)
    assert not re.search("[012]{5}", page.locator("#explorer").inner_text())


def test_bars_are_links_as_long_as_their_share(page):
    ui.open_tab(page, "Explore the tree")
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
    ui.open_tab(page, "Explore the tree")
    page.locator(".icicle a").nth(1).click()
    page.wait_for_url("**#p4c6r-knuth/01")
    page.locator(".crumbs a").first.click()
    ui.mentions(page.locator(".figure"), "1,296 candidates")
    assert page.evaluate("moved.filter(name => name === 'svg').length") == (
        0 if motion == "reduce" else 2
    )
    ui.pick(page, "games", "3 pegs, 5 colors, no duplicates")
    ui.open_tab(page, "You break a code")
    game = trees[3].game
    assert list(
        ui.follow_tree(page, trees[3], lambda code: ui.guess_by_keys(page, game.format_code(code)))
    )
    assert (page.evaluate("moved.filter(name => name === 'i').length") > 0) is (motion != "reduce")
    ui.counts(page.locator(".confetti"), 0)


@ui.BOTH
def test_the_explorer_walks_zooms_and_links(page, trees, file):
    tree = trees[0]
    ui.open_tab(page, "Explore the tree")
    ui.mentions(page.locator(".figure"), "1,296 candidates")
    ui.counts(page.locator(".states > li"), len(tree.children(0)))
    page.locator("#explorer summary").nth(0).click()
    ui.counts(page.locator(".states ul > li"), len(tree.children(1)))
    page.locator("#explorer summary").nth(0).click()
    ui.expect(page.locator(".states ul > li").first).to_be_hidden()
    page.locator(".icicle a").first.click()
    page.wait_for_url("**#p4c6r-knuth/00")
    ui.mentions(page.locator(".figure"), "3345")
    ui.shows(page.locator(".crumbs"), ui.starting("start → 1122"))
    page.locator(".zoom").nth(1).click()
    page.wait_for_url("**#p4c6r-knuth/00/01")
    page.goto(f"{file.as_uri()}#p4c6r-entropy/02/11")
    page.reload()
    node = 0
    for answer in ("02", "11"):
        reply = tree.game.parse_response(answer)
        node = next(c for c in trees[1].children(node) if trees[1].response[c] == reply)
    guess = tree.game.format_code(int(trees[1].guess[node]))
    ui.mentions(page.locator(".figure"), guess)
    ui.expect(ui.chosen(page, "opponents")).to_have_value("p4c6r-entropy")


def test_the_icicle_is_walked_by_keys(page, trees):
    tree = trees[0]
    ui.open_tab(page, "Explore the tree")
    boxes = page.locator(".icicle a")
    first, focused = boxes.first, page.locator(".icicle a:focus")
    ui.counts(page.locator(".icicle a[tabindex='0']"), 1)
    first.focus()
    ui.expect(focused).to_have_attribute("aria-label", "00 → 3345 256 candidates")
    page.keyboard.press("ArrowRight")
    ui.expect(focused).to_have_attribute("aria-label", ui.starting("01 → 2344 256 candidates"))
    ui.counts(page.locator(".icicle a[tabindex='0']"), 1)
    page.keyboard.press("ArrowDown")
    ui.expect(focused).to_have_attribute("aria-label", re.compile(r"^\d\d .*, after 01$"))
    page.keyboard.press("ArrowUp")
    ui.expect(focused).to_have_attribute("aria-label", ui.starting("01 → 2344"))
    page.keyboard.press("End")
    last = int(tree.response[tree.children(0)[-1]])
    ui.expect(focused).to_have_attribute(
        "aria-label", ui.starting(f"{tree.game.format_response(last)} ")
    )
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.wait_for_url("**#p4c6r-knuth/00")
    ui.mentions(page.locator(".figure"), "3345")
    ui.expect(focused).to_have_attribute("aria-label", re.compile("^00 [^,]*$"))


def test_focus_follows_a_link_of_the_list(page):
    ui.open_tab(page, "Explore the tree")
    page.locator(".zoom").nth(1).press("Enter")
    page.wait_for_url("**#p4c6r-knuth/01")
    ui.expect(page.locator(".heading")).to_be_focused()


def test_the_explorer_keeps_its_place(page):
    ui.open_tab(page, "Explore the tree")
    page.locator(".zoom").nth(1).click()
    page.wait_for_url("**#p4c6r-knuth/01")
    ui.open_tab(page, "You hide a code")
    ui.open_tab(page, "Explore the tree")
    page.wait_for_url("**#p4c6r-knuth/01")
    ui.mentions(page.locator(".figure"), "2344")


def test_every_box_of_the_icicle_can_be_hit(page):
    page.set_viewport_size({"width": 360, "height": 740})
    ui.open_tab(page, "Explore the tree")
    widths = page.locator(".icicle rect").evaluate_all(
        "boxes => boxes.map(box => box.getBoundingClientRect().width)"
    )
    assert min(widths) >= 23.9


def test_each_box_of_the_icicle_says_what_it_is(page):
    """The last row and the boxes without a label stand out from the ground, and name themselves."""
    ui.open_tab(page, "Explore the tree")
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
