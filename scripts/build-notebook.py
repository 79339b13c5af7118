"""Write the example notebook docs/tour.ipynb, with the outputs of its cells.

Usage: python scripts/build-notebook.py [--check]

--check writes nothing and exits 1 where the notebook is out of date; it looks for figures, but not
into them: their bytes depend on matplotlib's version.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

FIGURE = "image/svg+xml"
NOTEBOOK = ROOT / "docs" / "tour.ipynb"

CELLS = (
    "# A tour of treegen\n\nGive treegen a game and a strategy; it builds the complete decision"
    " tree. A notebook shows games, trees and results as tables and pictures; `print` shows what"
    " the command prints.",
    ">import treegen\n\n"
    "game = treegen.Mastermind(3, 4)  # three pegs, four colors\n"
    'tree = treegen.build(game, "knuth")\ntree',
    "That was a tree: its figures, how many secrets need how many guesses, and its first guesses to"
    " unfold. The same as numbers:",
    ">tree.total, tree.average, tree.worst, tree.histogram",
    "And as a picture, with a row for each guess, as wide as its states have secrets"
    ' (`"histogram"` is another):',
    '>tree.plot("icicle")',
    "## Is it right?\n\nThe verifier plays every secret by the plain definition of scoring, and"
    " applies the rule to every state.",
    '>treegen.verify(tree, claim={"total": 216})',
    "## Walk in it\n\nAnswers name a state: no black and two white pegs, then one and one.",
    '>tree.guess_after(), tree.guess_after("02"), tree.guess_after("02/11")',
    '>tree.play("431")',
    "A loop runs over all states.",
    ">[(node.answer, node.guess, node.n_candidates) for node in tree if node.depth == 1]",
    "## Why this guess?",
    '>treegen.explain(tree, path="02", top=4)',
    "## Which strategy?",
    '>names = ["first-consistent", "knuth", "entropy", "optimal"]\n'
    "for sample in treegen.compare(game, names).samples:\n"
    '    print(f"{sample.strategy:16} {sample.total} {sample.worst} {sample.histogram}")',
    "`optimal` is proved: no tree has a lower total. Where do the two part?",
    '>best = treegen.build(game, "optimal")\ntreegen.diff(tree, best)',
    '>best.plot("histogram")',
    "Which first guesses are the best, if perfect play follows?",
    '>treegen.openings(game, "optimal")',
    "## Other games\n\nWords, with green, yellow and grey tiles, and help for a player:",
    '>words = treegen.Codebook(["crane", "crate", "trace", "grace", "brace"],'
    ' feedback="position")\n'
    'treegen.advice(words, "entropy", history="crate:12202")',
    "Any table of answers becomes an identification key:",
    ">import io\n\n"
    "table = io.StringIO(\n"
    '    "animal,Legs,Barks?\\nduck,2,no\\ndog,4,yes\\ncat,4,no\\nant,6,no\\n"\n'
    ")\n"
    'key = treegen.build(treegen.read_questions(table), "optimal")\n'
    "text = io.StringIO()\n"
    'treegen.write_text(key, text, "key")\n'
    'print(text.getvalue().partition("\\n\\n")[2])',
    "## For other libraries\n\nA networkx graph, a pandas frame, numpy columns:",
    ">graph = tree.to_networkx()\n"
    "frame = tree.to_dataframe()\n"
    'len(graph), frame.groupby("depth").candidates.sum().tolist(), tree.columns["guess"][:3]',
    "## Ship it\n\nThe path's ending says what is written. A table needs only a player, one small"
    " file of Python, C, JavaScript, Rust …",
    ">import tempfile\nfrom pathlib import Path\n\nfrom treegen.player import Player\n\n"
    "with tempfile.TemporaryDirectory() as folder:\n"
    '    table = Path(folder, "knuth.tgt")\n'
    '    tree.write(table, profile="lean")\n'
    "    print(table.stat().st_size, treegen.read(table) == tree)\n"
    "    with Player.open(str(table)) as player:\n"
    "        print(player.guess, player.answer(0, 2))",
    "`help(treegen)` lists every name; [treegen in Python](reference.md) has more.",
)
"""Cells; code begins with >."""


def main() -> int:
    """Write or check the notebook."""
    notebook = make_notebook()
    if "--check" in sys.argv[1:]:
        stored = json.loads(NOTEBOOK.read_text(encoding="utf-8")) if NOTEBOOK.exists() else None
        is_current = stored is not None and without_figures(stored) == without_figures(notebook)
        print("docs/tour.ipynb:", "PASSED" if is_current else "FAILED: run build-notebook.py")
        return int(not is_current)
    text = json.dumps(notebook, indent=1, ensure_ascii=False)
    NOTEBOOK.write_text(f"{text}\n", encoding="utf-8")
    print(f"wrote {NOTEBOOK.relative_to(ROOT)}")
    return 0


def make_notebook() -> dict[str, Any]:
    """Run the cells in order; return the notebook as nbformat 4.5 wants it."""
    namespace: dict[str, Any] = {}
    cells = []
    for number, cell in enumerate(CELLS):
        common = {"id": f"cell-{number}", "metadata": {}}
        if not cell.startswith(">"):
            cells.append({"cell_type": "markdown", **common, "source": split(cell)})
            continue
        outputs = run_cell(cell[1:], namespace)
        code = {"cell_type": "code", **common, "execution_count": None}
        cells.append({**code, "outputs": outputs, "source": split(cell[1:])})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def run_cell(source: str, namespace: dict[str, Any]) -> list[dict[str, Any]]:
    """Run a cell; return what it prints and the value of its last expression."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "cell", "exec"), namespace)
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        text = split(printed.getvalue())
        outputs.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None:
        shown = {"data": show(value), "execution_count": None, "metadata": {}}
        outputs.append({**shown, "output_type": "execute_result"})
    return outputs


def show(value: object) -> dict[str, list[str]]:
    """Return the forms in which a notebook has a value."""
    data = {"text/plain": split(repr(value))}
    for kind, method in (("text/html", "_repr_html_"), (FIGURE, "_repr_svg_")):
        text = getattr(value, method, lambda: None)()
        if text is not None:
            data[kind] = split(text)
    return data


def without_figures(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a notebook with an empty picture for each figure."""
    copy: dict[str, Any] = json.loads(json.dumps(notebook))
    for cell in copy["cells"]:
        for output in cell.get("outputs", []):
            if FIGURE in output.get("data", {}):
                output["data"][FIGURE] = []
    return copy


def split(text: str) -> list[str]:
    """Return the lines of a text as a notebook keeps them."""
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    sys.exit(main())
