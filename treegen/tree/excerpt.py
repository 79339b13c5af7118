"""Trees of a codebook's excerpt: the words that they guess, and the way back to all words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..errors import TreeError
from ..games import CodebookGame, Game
from .tree import Tree

Numbering = Callable[[NDArray[np.integer]], NDArray[np.integer]]


def cut_tree(tree: Tree) -> Tree:
    """Return a tree of a codebook with no more words than the secrets and those that it guesses.

    Its digest is that of the whole tree. A tree of another game is returned as it is, and one that
    is cut already, or that guesses all words.
    """
    game = tree.game
    if not isinstance(game, CodebookGame) or game.excerpt or game.stakes.costs is not None:
        return tree
    codes = np.unique([*np.unique(tree.guess), *(guess for guess, _ in tree.provenance.history)])
    cut = game.make_excerpt(codes.tolist())
    if cut.n_codes == game.n_codes:
        return tree
    return _renumber(tree, cut, lambda guesses: _find_numbers(cut, guesses))


def restore_tree(tree: Tree, game: Game) -> Tree:
    """Return the tree of a whole codebook that a tree of its excerpt stands for.

    Raises
    ------
    TreeError
        The excerpt is of another list of words.
    """
    cut = tree.game
    whole = _renumber(tree, game, cut.number_codes)
    if not isinstance(cut, CodebookGame) or not isinstance(game, CodebookGame) or not cut.excerpt:
        raise TreeError(f"{cut.name} is no excerpt of a codebook")
    numbers = cut.number_codes(np.arange(cut.n_codes))
    if cut.digest_name != game.digest_name or numbers[-1] >= game.n_codes:
        raise TreeError("the words are not of this codebook: their digests differ")
    if tuple(game.words[number] for number in numbers) != cut.words:
        raise TreeError("the words are not those of the codebook")
    return whole


def number_tree(tree: Tree) -> Tree:
    """Return a tree with its guesses numbered as in the whole codebook, which the digest needs."""
    return _renumber(tree, tree.game, tree.game.number_codes)


def _find_numbers(cut: CodebookGame, guesses: NDArray[np.integer]) -> NDArray[np.integer]:
    """Return the numbers in an excerpt of words of the whole codebook."""
    numbers = cut.number_codes(np.arange(cut.n_codes))
    return np.searchsorted(numbers, guesses)


def _renumber(tree: Tree, game: Game, number: Numbering) -> Tree:
    guesses = number(tree.guess)
    if guesses is tree.guess and game is tree.game:
        return tree
    history = tree.provenance.history
    before = number(np.array([guess for guess, _ in history], dtype=np.int32)).tolist()
    pairs = tuple((code, reply) for code, (_, reply) in zip(before, history, strict=True))
    provenance = replace(tree.provenance, history=pairs)
    return replace(tree, game=game, provenance=provenance, guess=guesses.astype(np.int32))
