"""Complete decision trees for code-breaking games: built, proved, compiled."""

from __future__ import annotations

__version__ = "0.1.0"
