"""Symmetries, compiled: renamings of colors that go with an exchange of pegs."""

from .._jit import njit_inline
from ..games import renaming

extend_renaming = njit_inline(renaming.extend_renaming)
