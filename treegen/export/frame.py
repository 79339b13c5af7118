"""A tree as a pandas frame: a row for each state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._loading import import_pandas
from ..tree import Tree

if TYPE_CHECKING:
    import pandas as pd


def make_dataframe(tree: Tree) -> pd.DataFrame:
    """Return a pandas frame with a row for each state, its index the number of the node.

    The columns are ``parent`` (-1 at the root), ``depth``, ``answer`` (None at the root),
    ``guess``, ``candidates``, ``wins`` (whether the guess may win).

    Parameters
    ----------
    tree
        Any tree.

    Raises
    ------
    DependencyError
        pandas is not installed.
    """
    pandas = import_pandas()
    game, parent = tree.game, tree.parent.tolist()
    guesses, responses = tree.guess.tolist(), tree.response.tolist()
    answers = [
        None if above < 0 else game.format_response(response, guesses[above])
        for above, response in zip(parent, responses, strict=True)
    ]
    columns = {
        "parent": tree.parent,
        "depth": tree.depth,
        "answer": answers,
        "guess": [game.format_code(code) for code in guesses],
        "candidates": tree.n_candidates,
        "wins": tree.is_winning,
    }
    frame: pd.DataFrame = pandas.DataFrame(columns)
    frame.index.name = "node"
    return frame
