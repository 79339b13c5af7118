"""Symmetries, compiled: renamings of colors that accompany an exchange of pegs."""

from .._jit import njit_inline
from ..games import renaming

extend_renaming = njit_inline(renaming.extend_renaming)
