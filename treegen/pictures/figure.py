"""Figures of matplotlib, written as files and shown by notebooks; importing this loads it."""

from __future__ import annotations

import warnings
from io import BytesIO

import matplotlib as mpl
from matplotlib import figure

from .picture import scale_svg, use_fonts, warn_of_missing


class Figure(figure.Figure):
    """A figure that a notebook shows.

    A notebook knows how to draw a figure of matplotlib only after `matplotlib.pyplot` is loaded.
    """

    def encode(self, format: str, scale: float = 1.0) -> bytes:
        """Return the figure as svg, png or pdf; equal figures give equal bytes."""
        if format != "svg":
            warn_of_missing(use_fonts(self))
        dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
        buffer = BytesIO()
        with (
            mpl.rc_context({"svg.hashsalt": "treegen", "svg.fonttype": "none"}),
            warnings.catch_warnings(),
        ):
            warnings.filterwarnings("ignore", "Glyph .* missing from")  # warn_of_missing says it
            dpi = 144 * scale if format == "png" else 144
            self.savefig(buffer, format=format, dpi=dpi, metadata=dates[format])
        return scale_svg(buffer.getvalue(), scale) if format == "svg" else buffer.getvalue()

    def _repr_svg_(self) -> str:
        """Return the element ``<svg>``, which a notebook puts into its page."""
        text = self.encode("svg").decode()
        return text[text.index("<svg") :]
