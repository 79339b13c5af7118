"""The page that plays in a browser: one self-contained file with one or more tables."""

from __future__ import annotations

from .gallery import write_gallery as write_gallery
from .html import SUFFIXES as SUFFIXES
from .html import generate_page as generate_page
from .html import make_site as make_site
