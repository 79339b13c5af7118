"""Codebooks in tables: the words that are guessed, and of which larger list they are a part."""

from __future__ import annotations

from typing import Any

import msgpack
import numpy as np

from ..errors import FormatError
from ..games import CodebookGame, Excerpt, Game, from_description
from ..player.tgt_player import Table
from ..tree import Tree, cut_tree
from .table_bits import pack_fields, unpack_fields, width_of

KEYS = ["book", "book_codes", "book_digest", "book_places"]


def pack_words(tree: Tree) -> tuple[Tree, dict[str, Any]]:
    """Return the tree that a table stores, and the keys that tell the whole codebook.

    A tree is cut where the words that it does not guess are longer than the keys.
    """
    cut = cut_tree(tree)
    excerpt = cut.game.excerpt if isinstance(cut.game, CodebookGame) else None
    if excerpt is None:
        return tree, {}
    keys = {
        "book": bytes.fromhex(excerpt.rules_name.partition(":")[2]),
        "book_codes": excerpt.n_codes,
        "book_digest": bytes.fromhex(cut.digest),
        "book_places": pack_fields(np.array(excerpt.numbers), width_of(excerpt.n_codes)),
    }
    saved = _count_bytes(tree.game) - _count_bytes(cut.game)
    is_shorter = saved > len(msgpack.packb(keys)) or tree is cut
    return (cut, keys) if is_shorter else (tree, {})


def hash_plain(tree: Tree) -> str:
    """Return the digest of a tree as if its words were all words, which older readers see."""
    game = tree.game
    if not isinstance(game, CodebookGame) or not game.excerpt:
        return tree.digest
    plain = from_description(game.description)
    return Tree(plain, *(getattr(tree, name) for name in _FIELDS)).digest


_FIELDS = ("provenance", "guess", "response", "first_child", "n_candidates")


def unpack_words(table: Table, game: Game) -> str | None:
    """Let a table's game be an excerpt, if the table says so; return the claimed digest then.

    Raises
    ------
    FormatError, GameError
        The keys are damaged.
    """
    more = table.more
    if "book" not in more:
        return None
    types = [type(more.get(key)) for key in KEYS]
    if types != [memoryview, int, memoryview, memoryview] or not isinstance(game, CodebookGame):
        raise FormatError("damaged table: what it says of the whole codebook is wrong")
    count, width = game.n_codes - game.n_secrets, width_of(max(1, more["book_codes"]))
    places = more["book_places"]
    is_whole = width <= 31 and len(places) == -(-count * width // 8)
    if not is_whole or len(more["book"]) != 32 or len(more["book_digest"]) != 32:
        raise FormatError("damaged table: what it says of the whole codebook has wrong lengths")
    numbers = tuple(unpack_fields(places, count, width).tolist())
    name = f"codebook:{bytes(more['book']).hex()}"
    game.set_excerpt(Excerpt(name, more["book_codes"], numbers))
    return bytes(more["book_digest"]).hex()


def _count_bytes(game: Game) -> int:
    return sum(len(word.encode()) for word in getattr(game, "words", ()))
