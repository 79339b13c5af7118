"""The digest of a tree: one number for its content, whatever file holds it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from ..games import Game
from .parts import number_tree
from .tree import Provenance, Tree
from .walk import list_subtree

BLOCK_CANDIDATES = 1 << 14
"""States of at most so many candidates are processed whole, which bounds the memory."""


def generate_digest_lines(tree: Tree) -> Iterator[str]:
    """Yield the lines that are hashed.

    First the game's name (for a codebook ``codebook:`` and the sha256 of its words); for a tree
    that starts mid-game ``after`` and its history as ``guess:response`` pairs joined by ``/``;
    then for every state in depth-first order, responses ascending, a line ``PATH GUESS``: the
    responses from the root joined by ``.`` (``-`` at the root), and the guess's index (of an
    excerpt of a codebook: its index in the whole one).
    """
    for block in _generate_blocks(tree):
        yield from block


def compute_digest(tree: Tree) -> str:
    """Return the sha256, in hexadecimal, of the digest lines, each ended by a line feed."""
    return hash_blocks(_generate_blocks(tree))


def hash_blocks(blocks: Iterable[list[str]]) -> str:
    """Return the sha256, in hexadecimal, of lines, each ended by a line feed."""
    sha = hashlib.sha256()
    for block in blocks:
        sha.update(("\n".join(block) + "\n").encode("ascii"))
    return sha.hexdigest()


def list_head(game: Game, provenance: Provenance) -> list[str]:
    """Return the digest's lines before the first state."""
    pairs = [f"{guess}:{reply}" for guess, reply in provenance.history]
    return [game.digest_name, f"after {'/'.join(pairs)}"] if pairs else [game.digest_name]


def list_lines(
    guesses: list[int], responses: list[int], first: list[int], node: int, path: str
) -> list[str]:
    """Return the lines from a node with its path down."""
    lines: list[str] = []
    stack = [(node, path)]
    while stack:
        node, path = stack.pop()
        lines.append(f"{path or '-'} {guesses[node]}")
        begin, end = first[node], first[node + 1]
        if begin < end:
            prefix = f"{path}." if path else ""
            for child in range(end - 1, begin - 1, -1):
                stack.append((child, f"{prefix}{responses[child]}"))
    return lines


def _generate_blocks(tree: Tree) -> Iterator[list[str]]:
    """Yield the lines in blocks: a large state by itself, a small one with all below it."""
    tree = number_tree(tree)
    yield list_head(tree.game, tree.provenance)
    stack = [(0, "")]
    while stack:
        node, path = stack.pop()
        if tree.n_candidates[node] <= BLOCK_CANDIDATES:
            yield list_lines(*list_subtree(tree, node), 0, path)
            continue
        yield [f"{path or '-'} {tree.guess[node]}"]
        prefix = f"{path}." if path else ""
        stack.extend(
            (child, f"{prefix}{tree.response[child]}") for child in reversed(tree.children(node))
        )
