"""The page that plays in a browser: one self-contained file with one or more tables."""

from __future__ import annotations

from .gallery import write_gallery
from .html import SUFFIXES, generate_page, make_site, write_page

__all__ = ["SUFFIXES", "generate_page", "make_site", "write_gallery", "write_page"]
