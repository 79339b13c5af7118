"""Trees of two codebooks with the same secrets, moved to one list of words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..errors import UsageError
from ..games import CodebookGame
from ..tree import Tree


def align_word_lists(a: Tree, b: Tree) -> tuple[Tree, Tree]:
    """Return two trees as trees of one game, whose guesses are compared as words.

    Parameters
    ----------
    a, b
        Trees of codebooks. The lists may differ in order and in the further words that may be
        guessed; feedback and secrets must be the same.

    Raises
    ------
    UsageError
        The games cannot be combined; the message says why.

    Examples
    --------
    >>> from treegen.builder import build_tree
    >>> from treegen.strategies import parse_strategy
    >>> games = CodebookGame(["ab", "ba"], ["aa"]), CodebookGame(["ba", "ab"])
    >>> a, b = (build_tree(game, parse_strategy("knuth", game)) for game in games)
    >>> [tree.game.words for tree in align_word_lists(a, b)]
    [('ab', 'ba', 'aa'), ('ab', 'ba', 'aa')]
    """
    first, second = a.game, b.game
    if not isinstance(first, CodebookGame) or not isinstance(second, CodebookGame):
        if first.name == second.name:
            raise UsageError(
                f"the trees are of {first.name} with other answers, another goal, weights or costs:"
                " one game is needed"
            )
        raise UsageError(f"the trees are of {first.name} and of {second.name}: one game is needed")
    if first.rule != second.rule:
        raise UsageError(
            f"one tree's words are answered by {first.rule}, the other's by {second.rule}"
        )
    _check_secrets(first, second)
    if first.n_pegs != second.n_pegs:
        raise UsageError(
            f"one tree's words have {first.n_pegs} letters, the other's {second.n_pegs}: an older"
            " file counts the parts of a letter such as ❤️"
        )
    secrets = first.words[: first.n_secrets]
    extra = dict.fromkeys((*first.words[first.n_secrets :], *second.words))
    words = dict.fromkeys((*secrets, *extra))
    if first.is_plain and second.is_plain:  # an older file's words may be in another form
        parameters: list[int | str] = [first.rule, first.n_pegs, len(secrets), "".join(words)]
        game = CodebookGame.from_description(parameters)
    else:
        game = CodebookGame(secrets, list(words)[len(secrets) :], rule=first.rule)
    return _move(a, first, game), _move(b, second, game)


def _check_secrets(first: CodebookGame, second: CodebookGame) -> None:
    ours, theirs = (set(game.words[: game.n_secrets]) for game in (first, second))
    if ours != theirs:
        only = [sorted(ours - theirs), sorted(theirs - ours)]
        alone = " and ".join(
            f"{len(words):,} only in {name} ({words[0]!r} first)"
            for name, words in zip("AB", only, strict=True)
            if words
        )
        raise UsageError(
            f"the trees are of two word lists with other secrets: {alone}; trees are compared"
            " where every secret is in both"
        )


def _move(tree: Tree, old: CodebookGame, new: CodebookGame) -> Tree:
    """Return a tree with its guesses as words of another list."""
    place = {word: index for index, word in enumerate(new.words)}
    index = np.array([place[word] for word in old.words], dtype=np.int32)
    history = tuple((int(index[guess]), reply) for guess, reply in tree.provenance.history)
    provenance = replace(tree.provenance, history=history)
    return replace(tree, game=new, provenance=provenance, guess=index[tree.guess])
