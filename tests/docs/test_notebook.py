"""The example notebook: its cells run, and show what it says they show."""

import ast
import contextlib
import io
import json

import pytest

from ..paths import ROOT

NOTEBOOK = ROOT / "docs" / "tour.ipynb"

pytest.importorskip("matplotlib")


def run(source, namespace):
    """Run one cell as a notebook does; return the printed text and the last value."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), namespace)
        value = last and eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)
    return printed.getvalue(), value


def test_cells_show_what_the_notebook_says():
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    namespace = {}
    n_checked = 0
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        printed, value = run("".join(cell["source"]), namespace)
        stored = {"stdout": "", "text/plain": "", "text/html": ""}
        for output in cell["outputs"]:
            if output["output_type"] == "stream":
                stored["stdout"] = "".join(output["text"])
            else:
                stored |= {kind: "".join(text) for kind, text in output["data"].items()}
        assert printed == stored["stdout"]
        assert (repr(value) if value is not None else "") == stored["text/plain"]
        if stored["text/html"]:
            assert value._repr_html_() == stored["text/html"]
        n_checked += bool(cell["outputs"])
    assert n_checked >= 7
