"""Measure the page in Chromium: first paint, a move, a hint, a review, sizes; keys with tables.

Usage: bench-page.py [SECRETS GUESSES]

Prints a line for each figure, the least of several runs, beside what is promised for a quiet
machine: the time that passes, and the CPU time of the page's thread, which other work on the
machine hardly changes. For hints and reviews the worker's thread counts: they are asked once more
in a page without workers, which answers them itself. SECRETS and GUESSES are two lists of words,
such as Wordle's, whose page and hints are then measured too.

Needs playwright (group dev) and Chromium, which TREEGEN_CHROMIUM names or the path holds.
"""

from __future__ import annotations

import gzip
import os
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import treegen  # noqa: E402
from treegen import write_page  # noqa: E402
from treegen.formats.tree_file import read  # noqa: E402

RUNS = 5
GAME_OF_SIX = ("11232", "45617", "13224", "52263", "41532", "41531")
"""Guesses in p5c8r."""
GAME_OF_WORDS = ("crane",)

WATCH = """
addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => requestAnimationFrame(() => {
  window.shownMs = document.querySelector(".board .row, #answers button") ? performance.now() : NaN;
})));
crypto.getRandomValues = (numbers) => numbers.fill(1234567);
"""
NO_WORKER = "window.Worker = undefined;"
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
# The first question is not known: then the page asks by its rule, of all candidates.
LEAVE = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame();
  const begin = performance.now();
  document.querySelector("#skip").click();
  await frame();
  return performance.now() - begin;
}"""
ASK = """async ([button, shown, text]) => {
  const begin = performance.now();
  const buttons = [...document.querySelectorAll("#breaker button")];
  buttons.find((one) => one.innerText === button).click();
  while (!document.querySelector(shown)?.textContent.includes(text))
    await new Promise((done) => setTimeout(done, 1));
  return performance.now() - begin;
}"""
REVIEW = ["Review", "#breaker .totals", "Skill"]
HINT = ["Hint", "#breaker .message", "Hint again"]
"""Buttons, and what they lead to."""


def make_key(n_rows: int, n_questions: int) -> treegen.Tree:
    """Return the tree of a table of three answers, a tenth of them unknown."""
    draw = Random(0).random
    rows = [
        {"name": f"row {at}"}
        | {
            f"question {q}": None if draw() < 0.1 else "abc"[int(3 * draw())]
            for q in range(n_questions)
        }
        for at in range(n_rows)
    ]
    return treegen.build(treegen.open_game(rows, notice=lambda _: None))


class Figure(NamedTuple):
    """Milliseconds that passed, and that the page's thread worked."""

    wall: float
    cpu: float


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
        small, large, words = (
            Path(folder) / f"{name}.html" for name in ("small", "large", "words")
        )
        write_page([read(ROOT / "trees" / "p4c6r-knuth.tree")], small)
        write_page([read(ROOT / "trees" / "p5c8r-best.tree")], large)
        bench = Bench(browser)
        tell("p4c6r: first paint with the board", 150, lambda: bench.paint(small))
        tell("p4c6r: a move answered", 20, lambda: bench.move(small))
        tell(
            "p5c8r: a hint after two guesses", 1000, lambda: bench.ask(large, GAME_OF_SIX[:2], HINT)
        )
        tell("p5c8r: review of six guesses", 3000, lambda: bench.ask(large, GAME_OF_SIX, REVIEW))
        shared = Path(folder) / "shared.html"
        write_page(
            [read(ROOT / "trees" / "p4c6r-knuth.tree")],
            shared,
            url="https://example.org/p4c6r.html",
        )
        sizes = [("p4c6r with --url", shared, 128_000)]
        for n_rows, n_questions, size, promised in ((40, 20, 60_000, 20), (900, 600, 256_000, 200)):
            name, key = f"key of {n_rows} x {n_questions}", Path(folder) / f"key{n_rows}.html"
            write_page([make_key(n_rows, n_questions)], key)
            tell(f"{name}: first paint with the question", 150, partial(bench.paint, key))
            tell(f"{name}: a question skipped", promised, partial(bench.move, key, LEAVE))
            sizes.append((name, key, size))
        if len(sys.argv) == 3:
            secrets, guesses = sys.argv[1:]
            game = treegen.open_game(secrets, guesses=guesses, feedback="position")
            write_page([treegen.build(game, "most-parts")], words)
            sizes.append((f"{game.n_codes:,} words", words, 200_000))
            tell("words: first paint with the board", 150, lambda: bench.paint(words))
            tell("words: a hint after a guess", 1000, lambda: bench.ask(words, GAME_OF_WORDS, HINT))
        for name, file, promised in sizes:
            packed = len(gzip.compress(file.read_bytes(), mtime=0))
            print(
                f"{name}: {file.stat().st_size:,} bytes (at most {promised:,} promised),"
                f" {packed:,} by gzip"
            )
        browser.close()
    return 0


def tell(name: str, promised: int, measure: Any) -> None:
    """Print the least of several runs."""
    figures = [measure() for _ in range(RUNS)]
    wall, cpu = (min(column) for column in zip(*figures, strict=True))
    print(f"{name}: {wall:,.0f} ms, {cpu:,.0f} ms of CPU (at most {promised:,} ms promised)")


class Bench:
    """Measures pages in a browser."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser

    def open(self, file: Path, script: str = "") -> tuple[Any, Any]:
        """Return the page of a file, and what tells how long its thread worked."""
        page = self.browser.new_page(reduced_motion="reduce")
        client = page.context.new_cdp_session(page)
        client.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.add_init_script(WATCH + script)
        page.goto(file.as_uri())
        page.wait_for_function("window.shownMs")

        def read_cpu() -> float:
            metrics = client.send("Performance.getMetrics")["metrics"]
            return next(1000 * one["value"] for one in metrics if one["name"] == "TaskDuration")

        return page, read_cpu

    def paint(self, file: Path) -> Figure:
        """Return how long the page takes until it and its board are seen."""
        page, read_cpu = self.open(file)
        figure = Figure(float(page.evaluate("shownMs")), read_cpu())
        page.close()
        return figure

    def move(self, file: Path, script: str = MOVE) -> Figure:
        """Return how long a guess waits for its answer on the board, or what a script does."""
        page, read_cpu = self.open(file)
        before = read_cpu()
        wall = float(page.evaluate(script))
        cpu = read_cpu() - before  # the pegs are placed in it, too
        page.close()
        return Figure(wall, cpu)

    def ask(self, file: Path, guesses: tuple[str, ...], question: list[str]) -> Figure:
        """Return how long a question takes after some guesses, the start of a worker included."""
        wall, _ = self._ask(file, guesses, question)
        _, cpu = self._ask(file, guesses, question, NO_WORKER)
        return Figure(wall, cpu)

    def _ask(
        self, file: Path, guesses: tuple[str, ...], question: list[str], script: str = ""
    ) -> Figure:
        page, read_cpu = self.open(file, script)
        for code in guesses:
            page.keyboard.type(code)
            page.keyboard.press("Enter")
        before = read_cpu()
        wall = float(page.evaluate(ASK, question))
        cpu = read_cpu() - before
        page.close()
        return Figure(wall, cpu)


if __name__ == "__main__":
    sys.exit(main())
