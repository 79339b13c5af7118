"""Sphinx configuration of the site that `make docs` builds from these pages."""

from __future__ import annotations

import sys
from pathlib import Path
from types import new_class
from typing import Generic, TypeVar

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE / "_site")]

# Signatures then say NDArray[int32] instead of what numpy makes of it. It must come before treegen,
# whose modules are loaded when they are used.
import numpy.typing  # noqa: E402

Scalar = TypeVar("Scalar")
NDArray = new_class(
    "NDArray", (Generic[Scalar],), exec_body=lambda names: names.update(__module__="numpy.typing")
)
numpy.typing.NDArray = NDArray  # type: ignore[misc]

import treegen  # noqa: E402

project = "treegen"
release = version = treegen.__version__
copyright = "the treegen authors, MIT license"

extensions = [
    "sphinx.ext.autodoc",
    "numpydoc",
    "myst_parser",
    "sphinx_copybutton",
    "commands",
    "console",
    "contents",
    "outside",
    "notebook",
    "reference",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext", ".ipynb": "notebook"}
exclude_patterns = ["_site"]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
suppress_warnings = ["myst.strikethrough"]

autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"
default_role = "py:obj"
numpydoc_show_class_members = False
add_module_names = False

smartquotes = False

html_theme = "furo"
html_title = f"treegen {version}"
html_static_path = ["_site/static"]
html_css_files = ["site.css"]
html_js_files = ["disk.js"]
html_search_scorer = str(HERE / "_site" / "scorer.js")
html_show_sphinx = False
html_copy_source = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
