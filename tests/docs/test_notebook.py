"""The example notebook: its cells run, and show what it says they show."""

import json
import runpy

import pytest

from ..paths import ROOT

NOTEBOOK = ROOT / "docs" / "tour.ipynb"


def list_kinds(notebook):
    """Return for each output of each cell in which forms it is, in the order of the names."""
    outputs = [out for cell in notebook["cells"] for out in cell.get("outputs", [])]
    return [sorted(out.get("data", ["stream"])) for out in outputs]


@pytest.mark.slow
def test_cells_show_what_the_notebook_says():
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    script = runpy.run_path(str(ROOT / "scripts" / "build-notebook.py"))
    stored = json.loads(NOTEBOOK.read_text("utf-8"))
    assert script["without_figures"](stored) == script["without_figures"](script["make_notebook"]())


@pytest.mark.slow
def test_jupyter_shows_the_pictures_and_tables_that_the_notebook_has():
    nbformat = pytest.importorskip("nbformat")
    preprocessors = pytest.importorskip("nbconvert.preprocessors")
    pytest.importorskip("ipykernel")
    stored = nbformat.read(NOTEBOOK, as_version=4)
    executed, _ = preprocessors.ExecutePreprocessor(timeout=600).preprocess(stored)
    assert list_kinds(executed) == list_kinds(json.loads(NOTEBOOK.read_text("utf-8")))


def test_it_has_pictures_and_tables():
    kinds = [
        kind for kinds in list_kinds(json.loads(NOTEBOOK.read_text("utf-8"))) for kind in kinds
    ]
    assert kinds.count("image/svg+xml") >= 2
    assert kinds.count("text/html") >= 5
