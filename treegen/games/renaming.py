"""Renamings of colors that accompany an exchange of pegs."""

from __future__ import annotations

from typing import Any

FREE = -1
"""Marks a color that may still become any color not yet taken."""


def extend_renaming(colors: Any, pegs: Any, first: Any, second: Any) -> bool:
    """Extend a renaming so that it maps one code, its pegs exchanged, to another.

    It serves Python as well as the kernels, which inline it.

    Parameters
    ----------
    colors : int[n_colors]
        What each color becomes, `FREE` where that is undetermined. Changed in place, partly even if
                the result is False.
    pegs : int[n_pegs]
        Peg ``i`` of the second code comes from peg ``pegs[i]`` of the first.
    first, second : int[n_pegs]
        The codes.

    Returns
    -------
    bool
        Whether this is possible: no color becomes two, and no two become one.

    Examples
    --------
    >>> colors = [FREE] * 4
    >>> extend_renaming(colors, [1, 0], [0, 3], [2, 0])
    True
    >>> colors
    [0, -1, -1, 2]
    >>> extend_renaming(colors, [1, 0], [0, 1], [0, 0])
    False
    """
    for peg in range(len(pegs)):
        old, new = first[pegs[peg]], second[peg]
        if colors[old] == FREE:
            for color in colors:
                if color == new:
                    return False
            colors[old] = new
        elif colors[old] != new:
            return False
    return True
