"""Renamings of colors that go with an exchange of pegs."""

from __future__ import annotations

from typing import Any

FREE = -1
"""Of a color that may still become any that is not taken."""


def extend_renaming(colors: Any, pegs: Any, first: Any, second: Any) -> bool:
    """Extend a renaming such that one code, its pegs exchanged, turns into another.

    It is written for Python and for kernels alike, which compile it into themselves.

    Parameters
    ----------
    colors : int[n_colors]
        What each color becomes, `FREE` where nothing settles it. Written in place, as far as
        possible where it is not.
    pegs : int[n_pegs]
        Peg ``i`` of the second code comes from peg ``pegs[i]`` of the first.
    first, second : int[n_pegs]
        The codes.

    Returns
    -------
    bool
        Whether it can be: no color becomes two, and no two become one.

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
