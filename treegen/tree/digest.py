"""The digest of a tree: one number for its content, whatever file it is kept in."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .tree import Tree


def generate_digest_lines(tree: Tree) -> Iterator[str]:
    """Yield the lines that the digest is taken of.

    First the game's name (for a codebook ``codebook:`` and the sha256 of its words); for a tree
    that starts mid-game ``after`` and its history as ``guess:response`` pairs joined by ``/``;
    then for every state in depth-first order, responses ascending, a line ``PATH GUESS``: the
    responses from the root joined by ``.`` (``-`` at the root), and the guess's index.
    """
    yield tree.game.digest_name
    if tree.provenance.history:
        yield "after " + "/".join(f"{guess}:{reply}" for guess, reply in tree.provenance.history)
    guesses = tree.guess.tolist()
    responses = tree.response.tolist()
    first = tree.first_child.tolist()
    stack = [(0, "")]
    while stack:
        node, path = stack.pop()
        yield f"{path or '-'} {guesses[node]}"
        prefix = f"{path}." if path else ""
        stack.extend(
            (child, f"{prefix}{responses[child]}")
            for child in range(first[node + 1] - 1, first[node] - 1, -1)
        )


def compute_digest(tree: Tree) -> str:
    """Return the sha256, in hexadecimal, of the digest lines, each ended by a line feed."""
    sha = hashlib.sha256()
    lines = generate_digest_lines(tree)
    while block := list(islice(lines, 65536)):
        sha.update(("\n".join(block) + "\n").encode("ascii"))
    return sha.hexdigest()
