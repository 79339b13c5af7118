"""Icicles and sunbursts as SVG in a browser: a click enlarges a state, a path leads back."""

import pytest

import treegen

from .driving import BOTH

pytestmark = pytest.mark.slow

GO_TO = """(level) => [...document.querySelectorAll("#states path")]
  .filter((one) => one.style.display !== "none" && one.dataset.state.endsWith(` ${level}`))
  .sort((a, b) => b.dataset.state.split(" ")[1] - a.dataset.state.split(" ")[1])[0]
  .dispatchEvent(new MouseEvent("click"))"""
"""Clicks the widest state of a level."""


@BOTH
@pytest.mark.parametrize("kind", ["icicle", "sunburst"])
def test_a_picture_zooms_and_a_path_leads_back(browser, tmp_path, kind):
    tree = treegen.build("p3c4r", "knuth")
    treegen.write_plot(tree, tmp_path / "tree.svg", kind)
    page = browser.new_page()
    page.goto((tmp_path / "tree.svg").as_uri())
    shown = page.locator("#states path:visible")
    assert shown.count() == tree.n_nodes
    for level in (2, 3):
        page.evaluate(GO_TO, level)
    crumbs = page.locator("#crumbs")
    assert crumbs.text_content().count(" › ") == 2
    assert crumbs.text_content().startswith(tree.game.format_code(int(tree.guess[0])))
    whole = page.locator("#states path:visible").nth(1).get_attribute("d")
    # A whole ring is two closed circles, without an edge from one to the other.
    assert kind == "icicle" or (whole.count("z"), whole.count("L")) == (2, 0)
    crumbs.locator("tspan").first.click()
    assert shown.count() == tree.n_nodes
    assert crumbs.text_content() == ""
    page.close()
