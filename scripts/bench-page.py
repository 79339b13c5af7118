"""Measure the page in Chromium: first paint with the board, a move, a review in the worker.

Usage: bench-page.py

Prints a line for each figure: the least of several runs, in wall time, beside what is promised.
Needs playwright (group dev) and Chromium, which TREEGEN_CHROMIUM names or the path holds.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from treegen.formats.load import load_tree  # noqa: E402
from treegen.page import write_page  # noqa: E402

RUNS = 5
GAME_OF_SIX = ("11232", "45617", "13224", "52263", "41532", "41531")
"""Guesses in p5c8r."""

WATCH = """
addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => requestAnimationFrame(() => {
  window.shownMs = document.querySelector(".board .row") ? performance.now() : NaN;
})));
"""
MOVE = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  for (const color of [1, 1, 2, 2])
    document.querySelector(`#breaker [data-color="${color}"]`).click();
  await frame();
  const begin = performance.now();
  document.querySelector("#breaker .primary").click();
  await frame();
  return performance.now() - begin;
}"""
REVIEW = """async () => {
  const begin = performance.now();
  const buttons = [...document.querySelectorAll("#breaker button")];
  buttons.find((one) => one.innerText === "Review").click();
  while (!document.querySelector("#breaker .totals"))
    await new Promise((done) => setTimeout(done, 10));
  return performance.now() - begin;
}"""


def main() -> int:
    """Measure and print; tell where there is no browser."""
    chromium = os.environ.get("TREEGEN_CHROMIUM") or shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        print("no Chromium or no playwright: the page is not measured")
        return 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        small, large = (Path(folder) / f"{name}.html" for name in ("small", "large"))
        write_page([load_tree(ROOT / "trees" / "p4c6r-knuth.tree").tree], small)
        write_page([load_tree(ROOT / "trees" / "p5c8r-best.tree").tree], large)
        figures = [
            ("p4c6r: first paint with the board", paint, small, RUNS, 500),
            ("p4c6r: a move answered", move, small, RUNS, 100),
            ("p5c8r: review of a six-guess game", review, large, 2, 3000),
        ]
        for name, measure, file, runs, promised in figures:
            least = min(measure(browser, file) for _ in range(runs))
            print(f"{name}: {least:,.0f} ms (at most {promised:,} promised)")
        print(f"p4c6r: {small.stat().st_size:,} bytes (at most 120,000 promised)")
        browser.close()
    return 0


def paint(browser: Any, file: Path) -> float:
    """Return after how many milliseconds the page and its board are seen."""
    page = browser.new_page()
    page.add_init_script(WATCH)
    page.goto(file.as_uri())
    page.wait_for_function("window.shownMs")
    shown = float(page.evaluate("shownMs"))
    page.close()
    return shown


def move(browser: Any, file: Path) -> float:
    """Return how long a guess waits for its answer on the board."""
    page = browser.new_page()
    page.goto(file.as_uri())
    taken = float(page.evaluate(MOVE))
    page.close()
    return taken


def review(browser: Any, file: Path) -> float:
    """Return how long the review of six guesses takes, the start of the worker included."""
    page = browser.new_page()
    page.goto(file.as_uri())
    page.locator("#breaker .board .row").first.wait_for()
    for code in GAME_OF_SIX:
        page.keyboard.type(code)
        page.keyboard.press("Enter")
    taken = float(page.evaluate(REVIEW))
    page.close()
    return taken


if __name__ == "__main__":
    sys.exit(main())
