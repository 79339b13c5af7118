"""The ``.tgt`` table: a tree in a few kilobytes, walked by small players.

docs/table-format.md is the specification. One msgpack array::

    "TGT1", minor version, profile, game, start, meta,
    n_codes, n_responses, n_nodes, implicit, sections ..., more, CRC-32
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from zlib import crc32

import msgpack

from .._files import Source, map_source, name_source
from ..errors import FormatError, GameError, TreeError
from ..games.base import Game
from ..games.names import LookupQuestions, from_description
from ..player.tgt_player import Table
from ..tree.parts import restore_tree
from ..tree.tree import Provenance, Tree
from .table_profiles import (
    PROFILES,
    Section,
    describe_labels,
    hash_plain,
    make_tree,
    pack_profile,
    pack_words,
    restore_game,
    unpack_words,
)

MAGIC = "TGT1"
START = b"\xa4TGT1"
"""Bytes 1 to 5 of every table."""


def make_table(
    tree: Tree, *, profile: str = "full", all_words: bool = False, labels: str = "inside"
) -> bytes:
    """Return the bytes of a table, as `generate_table_bytes`; equal trees give equal bytes."""
    pieces = generate_table_bytes(tree, profile=profile, all_words=all_words, labels=labels)
    return b"".join(pieces)


def generate_table_bytes(
    tree: Tree, *, profile: str = "full", all_words: bool = False, labels: str = "inside"
) -> Iterator[bytes]:
    """Yield the bytes of a table in pieces; `full` and `lean` take little memory of any tree.

    Raises FormatError if the profile is unknown, or not for this game. Raises TreeError if the tree
    breaks an invariant.
    """
    if profile not in PROFILES:
        raise FormatError(f"unknown profile {profile!r:.80}: there are {', '.join(PROFILES)}")
    if tree.game.answers_in_words and profile != "full":
        raise FormatError(
            f"the profile {profile} needs a rule that answers; {tree.game.name} has the profile"
            " full alone"
        )
    if not tree.game.is_plain:
        letter = next(symbol for symbol in tree.game.symbols if len(symbol) > 1)
        raise FormatError(
            f"a table cannot hold the letter {letter!r}: players take letters of one code point,"
            f" and this one has {len(letter)}"
        )
    tree.check()
    more: dict[str, Any] = {}
    # An excerpt would renumber the words that have costs.
    if not all_words and not tree.game.stakes:
        tree, more = pack_words(tree)
    description, keys = describe_labels(tree, labels, all_words=all_words)
    more |= keys
    packed = pack_profile(tree, profile)
    meta = {
        "digest": bytes.fromhex(hash_plain(tree)),
        "strategy": tree.provenance.strategy,
        "total": tree.total,
        "worst": tree.worst,
    }
    start = [number for pair in tree.provenance.history for number in pair]
    counts = [tree.game.n_codes, tree.game.n_responses, packed.n_nodes, packed.implicit]
    minor = 1 if more or profile == "slim" else 0  # the lowest that has all of it
    head = [MAGIC, minor, profile, description, start, meta, *counts]
    return _seal(head, packed.sections, more)


def read_table(source: Source, game: Game | None = None) -> Tree:
    """Read the tree of a table of any profile, and check the table's claims.

    If the table has only the words of the codebook `game` that its tree guesses, the tree returned
    is of the whole codebook. Raises FormatError if the file cannot be read, is not a table, is of a
    later version or another game than the one given, is damaged, or claims something false; the
    message says where.
    """
    tree, claims = load(source)
    if game is not None and getattr(tree.game, "excerpt", None):
        try:
            tree = restore_tree(tree, game)
        except TreeError as error:
            raise FormatError(f"the table has words of another list: {error}") from error
    if game is not None and game.asks_questions and isinstance(tree.game, LookupQuestions):
        if game.digest_name != tree.game.digest_name:
            raise FormatError(f"the table is not of {game.title}, or of another goal")
        tree = replace(tree, game=game)
        tree.check()
    if game is not None and tree.game != game:
        raise FormatError(f"the table is of the game {tree.game.name}, not of {game.name}")
    facts = {"total": tree.total, "worst": tree.worst, "digest": tree.digest}
    for name, claim in claims.items():
        if claim != facts[name]:
            raise FormatError(f"the table claims {name} {claim}; it is {facts[name]}")
    return tree


def load(source: Source, *, check: bool = True) -> tuple[Tree, dict[str, Any]]:
    """Return a table's tree, and what the table claims about it: total, worst, digest.

    Without `check` the columns are as they are; `treegen.verifier` checks the claims. FormatError
    as `read_table`.
    """
    data = map_source(source)
    try:
        table = Table(data)
        game = restore_game(table) or from_description(list(table.game))
        digest = unpack_words(table, game)
        pairs = zip(table.start[::2], table.start[1::2], strict=True)
        tree = make_tree(table, game, Provenance(table.meta["strategy"], history=tuple(pairs)))
        if check:
            tree.check()
            # An excerpt's table claims another digest to older readers.
            if table.more.get("book") and hash_plain(tree) != table.meta["digest"].hex():
                message = "the table claims another digest than its words and guesses have"
                raise FormatError(message)
    except (FormatError, GameError, TreeError) as error:
        raise FormatError(f"{name_source(source)}: {error}") from error
    claims = {key: table.meta[key] for key in ("total", "worst")}
    return tree, {**claims, "digest": digest or table.meta["digest"].hex()}


def _seal(head: list[Any], sections: list[Section], more: dict[str, Any]) -> Iterator[bytes]:
    """Yield the envelope of some values, sections and further keys, then the CRC-32."""
    packer, checksum = msgpack.Packer(), 0

    def generate() -> Iterator[bytes]:
        yield packer.pack_array_header(len(head) + len(sections) + bool(more) + 1)
        yield from map(packer.pack, head)
        for section in sections:
            yield _pack_binary_header(section.size_bytes)
            yield from section.pieces
        if more:
            yield packer.pack(dict(sorted(more.items())))

    for piece in generate():
        checksum = crc32(piece, checksum)
        yield piece
    yield b"\xce" + checksum.to_bytes(4, "big")


def _pack_binary_header(size_bytes: int) -> bytes:
    """Return msgpack's shortest header of this many bytes."""
    if size_bytes < 1 << 8:
        return b"\xc4" + size_bytes.to_bytes(1, "big")
    if size_bytes < 1 << 16:
        return b"\xc5" + size_bytes.to_bytes(2, "big")
    return b"\xc6" + size_bytes.to_bytes(4, "big")
