"""Write the example notebook docs/tour.ipynb, with the outputs of its cells.

Usage: python scripts/build-notebook.py [--check]

--check writes nothing and exits 1 where the notebook is out of date. Figures are left out of the
file: their bytes depend on matplotlib's version.
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

NOTEBOOK = ROOT / "docs" / "tour.ipynb"

CELLS = (
    "# A tour of treegen\n\nRules and a strategy go in, one complete decision tree comes out.",
    '>import treegen\n\ntree = treegen.build("p3c4r", strategy="knuth")\ntree',
    "A tree shows itself: its figures, how many secrets need how many guesses, and its first"
    " guesses to unfold. The numbers are there too:",
    ">print(tree.total, tree.average, tree.worst, tree.histogram)",
    "Every secret is found; the verifier plays them all by the plain definition of scoring.",
    ">treegen.verify(tree).is_proved",
    "Follow some answers: no black and two white pegs, then one and one.",
    ">from treegen.tree import find_node, history_of\n\n"
    'node = find_node(tree, [tree.game.parse_response("02"), tree.game.parse_response("11")])\n'
    "[(tree.game.format_code(guess), tree.game.format_response(reply))"
    " for guess, reply in history_of(tree, node)]",
    ">tree.game.format_code(int(tree.guess[node])), int(tree.n_candidates[node])",
    "Strategies differ. The same game, other rules:",
    '>for name in ("knuth", "expected-size", "entropy", "most-parts"):\n'
    '    other = treegen.build("p4c6r", strategy=name)\n'
    '    print(f"{name:14} {other.total} {other.worst} {other.histogram}")',
    "The tree as a networkx graph:",
    ">graph = treegen.make_graph(tree)\n"
    'sum(data["candidates"] == 1 for _, data in graph.nodes(data=True))',
    "And as pictures: `icicle`, `sunburst`, `histogram` (matplotlib), or `treegen.write_picture`"
    " (Graphviz).",
    '>figure = tree.plot("icicle")\nlen(figure.axes[0].collections[0].get_paths())',
)
"""Cells; code begins with >."""


def main() -> int:
    """Write or check the notebook."""
    text = json.dumps(make_notebook(), indent=1, ensure_ascii=False) + "\n"
    if "--check" in sys.argv[1:]:
        is_current = NOTEBOOK.exists() and NOTEBOOK.read_text(encoding="utf-8") == text
        print("docs/tour.ipynb:", "PASSED" if is_current else "FAILED: run build-notebook.py")
        return int(not is_current)
    NOTEBOOK.write_text(text, encoding="utf-8")
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
        data = {"text/plain": split(repr(value))}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = split(value._repr_html_())
        outputs.append(
            {"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"}
        )
    return outputs


def split(text: str) -> list[str]:
    """Return the lines of a text as a notebook keeps them."""
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    sys.exit(main())
