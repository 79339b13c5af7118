"""Numbers of the criteria and tie-breaks: what a strategy and the kernels that apply it agree on.

Nothing is imported here, so strategies and the verifier know them without a compiler.
"""

from __future__ import annotations

LARGEST, SUM, DESCENDING, CONSISTENT, REMOVALS = range(5)
"""Kinds of criteria: the largest cell; the sum over the cells of a table's values; all cells, the
largest first; whether the guess may win; the candidates surely removed."""

LOWEST, HIGHEST, HIGHEST_CONSISTENT, RANDOM = range(4)
"""Tie-breaks: which guess is made of those that no criterion tells apart."""
