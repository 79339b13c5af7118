"""What tests do with the page in a browser, and wait for."""

import json
import os
import re
import shutil
import subprocess
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from treegen import Codebook, build
from treegen.pictures.game import play_secret as play_secret

HANG_MS = int(os.environ.get("TREEGEN_HANG_MS", "300000"))
"""Only bounds a hang: a page answers in milliseconds where nothing else runs."""
CHROMIUM = os.environ.get("TREEGEN_CHROMIUM") or shutil.which("chromium")
AXE = Path(os.environ.get("TREEGEN_AXE", "node_modules/axe-core/axe.min.js"))
BOTH = pytest.mark.parametrize("browser", ["chromium", "firefox"], indirect=True)
"""Of what must be played in every browser."""
WORDS = ["crane", "crate", "trace", "slate", "stale", "least", "table", "cable", "fable", "eerie"]


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


def pick(page, group, choice):
    """Choose a card, and close the settings."""
    choose(page, group, choice)
    page.keyboard.press("Escape")


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


def read_feedback(row):
    """Return (black, white) of a row as a screen reader gets it."""
    text = row.locator(".hidden").text_content()
    return tuple(map(int, re.search(r"Answer: (\d) black, (\d) white", text).groups()))


def follow_tree(page, tree, place):
    """Break the code of the page by a tree's guesses, which `place` makes.

    Yields each row with the node that its answer leads to, or None.
    """
    game, node = tree.game, 0
    while node is not None:
        place(int(tree.guess[node]))
        row = page.locator("#breaker > .desk .row:not(.blank)").last
        reply = game.feedback.response_of(*read_feedback(row))
        node = next((c for c in tree.children(node) if tree.response[c] == reply), None)
        yield row, node
    assert reply == game.win


def drag_color(page, color, hole):
    page.locator(f"section:not([hidden]) [data-color='{color}']").hover()
    page.mouse.down()
    box = page.locator(f"section:not([hidden]) [data-slot='{hole}']").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()


def guess_by_keys(page, *codes):
    for code in codes:
        page.keyboard.type(code)
        page.keyboard.press("Enter")


def ask_for_hint(page):
    """Ask for all three stages of a hint."""
    for _ in range(3):
        page.get_by_role("button", name="Hint", exact=True).click()


def follow_hint(page):
    ask_for_hint(page)
    page.get_by_role("button", name="Place it").click()
    page.keyboard.press("Enter")


def give_up(page):
    """End a game, and wait for its review."""
    page.get_by_role("button", name="Give up").click()
    page.locator("#breaker .totals").wait_for()


def enter_answer(page, code, black, white):
    page.locator("#analyst [data-slot='0']").focus()
    page.keyboard.type(code + "b" * black + "w" * white)
    page.keyboard.press("Enter")


def choose_rule(page, *choices):
    """Compose a rule in the settings: what decides first, what next, what ties."""
    choose(page, "others", "A rule of your own")
    for label, choice in zip(
        ("A guess with the", "then", "of equal guesses"), choices, strict=True
    ):
        setting(page, label).select_option(label=choice)
    page.keyboard.press("Escape")


CLIPBOARD = """
Object.defineProperty(navigator, "clipboard", { value: {
  writeText: async (text) => { window.copied = text; },
} });
"""
FAKE_WORKER = """
window.asked = []; window.ended = 0;
window.Worker = class {
  constructor() { window.worker = this; }
  postMessage(question) { window.asked.push(question); }
  terminate() { window.ended += 1; }
};
"""


def find_violations(page):
    """Return what axe-core finds: rules and the first elements that break them."""
    page.evaluate(AXE.read_text("utf-8"))
    result = page.evaluate("axe.run({ rules: { region: { enabled: false } } })")
    return [(v["id"], [node["html"] for node in v["nodes"]][:3]) for v in result["violations"]]


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextmanager
def serve(folder):
    """Serve a folder as long as the block runs; the address."""
    handler = partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def make_words(words, rule="position", extra=()):
    """Return the tree of a game of words."""
    game = Codebook(words, extra, feedback=rule)
    return build(game, "entropy")


FAKE_DOCUMENT = """
import { readFileSync } from "node:fs";
const [tables, given] = JSON.parse(readFileSync(0, "utf-8"));
const elements = {};
class Element {
  constructor(id) { Object.assign(this, { id, children: [], value: "" }); }
  get textContent() { return this.children.map((child) => child.textContent ?? child).join(""); }
  set textContent(text) { this.children = text ? [text] : []; }
  replaceChildren(...children) { this.children = children; }
  append(...children) { this.children.push(...children); }
  focus() {}
  select() {}
  click() { this.onclick(); }
}
globalThis.Option = class {};
globalThis.document = {
  getElementById: (id) => (elements[id] ??= new Element(id)),
  createElement: () => new Element(),
};
elements.tables = new Element("tables");
elements.tables.textContent = tables;
"""


def read_tables(page):
    """Return the data of the trees that a page holds."""
    return json.loads(re.search(r'id="tables">(.*?)</script>', page)[1])


def run_key(page, script, given):
    """Run the script of a page that asks, without a browser, then another one; return its JSON."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    own = re.search(r'<script type="module">\n(.*)</script>', page, re.DOTALL).group(1)
    tables = re.search(r'id="tables">(.*?)</script>', page, re.DOTALL).group(1)
    code = f"{FAKE_DOCUMENT}\n{own}\n{script}"
    command = ["node", "--input-type=module", "-e", code]
    data = json.dumps([tables, given])
    result = subprocess.run(command, input=data, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)
