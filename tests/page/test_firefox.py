"""The page in Firefox, driven by puppeteer-core through WebDriver BiDi (make test-browser)."""

import json
import os
import shutil
import subprocess

import pytest

from treegen import build
from treegen.page import write_page
from treegen.pictures.game import play_secret

from ..paths import ROOT

pytestmark = pytest.mark.slow

HANG_S = 900
"""Only bounds a hang."""
SECRET = "3164"
PLAYER = ROOT / "tests" / "js" / "firefox_play.mjs"


@pytest.fixture(scope="module")
def firefox():
    for name in ("firefox-esr", "firefox"):
        if found := os.environ.get("TREEGEN_FIREFOX") or shutil.which(name):
            break
    else:
        pytest.skip("no browser: firefox-esr is not installed")
    if not (ROOT / "node_modules" / "puppeteer-core").exists():
        pytest.skip("puppeteer-core is not installed (make browser-tools)")
    return found


def test_the_page_is_played_in_firefox(firefox, tmp_path):
    tree = build("p4c6r", "knuth")
    write_page([tree], tmp_path / "page.html")
    address = (tmp_path / "page.html").as_uri()
    run = subprocess.run(
        ["node", PLAYER, firefox, address, SECRET],
        capture_output=True,
        text=True,
        timeout=HANG_S,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    seen = json.loads(run.stdout)
    game = tree.game
    nodes = play_secret(tree, game.parse_code(SECRET))
    assert seen == {
        "errors": [],
        "card": "How it is played",
        "guesses": [game.format_code(int(tree.guess[node])) for node in nodes],
        "found": f"Your code is {SECRET}.",
        "covered": 4,
        "hidden": f"Your code is {SECRET}.",
        "rows": 2,
        "moves": 2,
        "position": "1 answer entered · Remaining options: 256",
        "link": "#p4c6r-knuth/00",
    }
