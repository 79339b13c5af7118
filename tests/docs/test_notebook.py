"""The example notebook: its cells run, and show what it says they show."""

import json
import runpy

import pytest

from ..paths import ROOT

NOTEBOOK = ROOT / "docs" / "tour.ipynb"


@pytest.mark.slow
def test_cells_show_what_the_notebook_says():
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    script = runpy.run_path(str(ROOT / "scripts" / "build-notebook.py"))
    stored = json.loads(NOTEBOOK.read_text("utf-8"))
    assert script["without_figures"](stored) == script["without_figures"](script["make_notebook"]())


def test_it_has_pictures_and_tables():
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    kinds = [
        kind for cell in cells for out in cell.get("outputs", []) for kind in out.get("data", [])
    ]
    assert kinds.count("image/svg+xml") >= 2
    assert kinds.count("text/html") >= 5
