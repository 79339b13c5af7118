r"""The ``.tree`` file, and trees read from whatever file holds one: a ``.tree`` file or a table.

A ``.tree`` file has a msgpack header and the tree's columns, little-endian, readable by mmap.

docs/notes/tree-format.md is the specification. In short::

    8 bytes   magic  "\x89TREE\r\n\x1a"
    4 bytes   length of the header, little-endian
    header    msgpack map
    padding   zero bytes up to a multiple of 64
    columns   each at a multiple of 64, zero bytes between them
    32 bytes  sha256 of all bytes before
"""

from __future__ import annotations

import hashlib
import mmap
import os
import stat
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, Annotated, Any

import msgpack
import numpy as np
from numpy.typing import NDArray

from .._files import (
    HEAD_BYTES,
    TREE_MAGIC,
    Source,
    Target,
    describe_start,
    explain_reading,
    map_source,
    name_source,
    sniff_kind,
    write_bytes,
)
from ..errors import FormatError, GameError, MissingFileError, TreeError, UsageError
from ..games.base import Game
from ..games.codebook import set_excerpt
from ..games.names import from_description, label_game, parse_game
from ..games.rules import Excerpt, count_shares, weigh
from ..games.text import is_label
from ..tree.tree import Provenance, Tree, iter_pieces, list_columns
from .format import Format, Option, Reader, Writer, describe_writer
from .table import (
    LABELS,
    PROFILES,
    LookupRules,
    find_labels,
    fit_game,
    generate_table_bytes,
    make_labels,
    unpack_table,
)

VERSION = 1

KEYS = ["version", "game", "provenance", "claims", "n_nodes"]
"""Of a header, in this order."""

FIGURES = ["total", "worst", "histogram", "digest"]
"""The claims, in this order."""

ENTRIES = ["strategy", "rule", "history", "objective", "bound"]
"""What a provenance has, in this order."""

FURTHER = ["codebook", "excerpt"]
"""What may follow: of a table of answers the first, of words both."""


def make_header(tree: Tree) -> dict[str, Any]:
    """Return the header of a tree's file."""
    origin = {**asdict(tree.provenance), "history": [[*pair] for pair in tree.provenance.history]}
    if tree.provenance.bound is not None:
        origin["bound"] = count_shares(tree.provenance.bound, tree.game.rules.share_unit)
    if tree.game.rules.label:
        origin["codebook"] = tree.game.rules.label
    if excerpt := tree.game.rules.excerpt:
        origin["excerpt"] = [excerpt.rules_name, excerpt.n_codes, *excerpt.numbers]
    return {
        "version": VERSION,
        "game": tree.game.description,
        "provenance": origin,
        "claims": {
            "total": tree.share_total,
            "worst": tree.worst,
            "histogram": tree.share_histogram,
            "digest": bytes.fromhex(tree.digest),
        },
        "n_nodes": tree.n_nodes,
    }


def check_header(header: Any) -> None:
    """Raise FormatError unless a header has every key, its value in range."""
    if not isinstance(header, dict) or not _is_int(header.get("version")):
        raise FormatError("offset 12: the header has no version")
    if header["version"] != VERSION:
        raise FormatError(
            f"offset 12: version {header['version']}; this treegen reads version {VERSION}: a newer"
            " treegen reads it"
        )
    if list(header) != KEYS:
        raise FormatError(
            f"offset 12: the header's keys are {', '.join(map(str, header)):.120};"
            f" {', '.join(KEYS)} are needed, in this order"
        )
    claims, n_nodes = header["claims"], header["n_nodes"]
    if not _is_int(n_nodes) or not 1 <= n_nodes < 2**31:
        raise FormatError(f"offset 12: n_nodes is {n_nodes!r:.80}")
    if not isinstance(header["game"], list):
        raise FormatError("offset 12: the game is not a list")
    if not isinstance(claims, dict) or list(claims) != FIGURES:
        raise FormatError(f"offset 12: the claims are not {', '.join(FIGURES)}, in this order")
    figures = [claims["total"], claims["worst"]]
    if not isinstance(claims["histogram"], list):
        raise FormatError("offset 12: the histogram is not a list")
    if not all(_is_int(figure) for figure in [*figures, *claims["histogram"]]):
        raise FormatError("offset 12: total, worst and histogram are not whole numbers")
    if not isinstance(claims["digest"], bytes) or len(claims["digest"]) != 32:
        raise FormatError("offset 12: the digest is not 32 bytes")


def parse_provenance(header: dict[str, Any], game: Game) -> Provenance:
    """Return the provenance of a checked header; raise FormatError if an entry is wrong."""
    match header["provenance"]:
        case dict(entries) if unknown := entries.keys() - {*ENTRIES, *FURTHER}:
            raise FormatError(
                f"offset 12: the provenance has the entry {min(map(repr, unknown)):.80}"
            )
        case dict(entries) if list(entries) != [
            *ENTRIES,
            *(key for key in FURTHER if key in entries),
        ]:
            needed = ", ".join([*ENTRIES, *FURTHER])
            raise FormatError(f"offset 12: the provenance has not its entries in order: {needed}")
        case {
            "strategy": str(strategy),
            "rule": str(rule),
            "history": list(history),
            "objective": str(objective),
            "bound": (int() | None) as bound,
        }:
            are_pairs = all(
                isinstance(pair, list) and len(pair) == 2 and all(map(_is_int, pair))
                for pair in history
            )
            if are_pairs and not isinstance(bound, bool):
                pairs = tuple((guess, response) for guess, response in history)
                proved = None if bound is None else weigh(bound, game.rules.share_unit)
                return Provenance(strategy, rule, pairs, objective, proved)
    raise FormatError("offset 12: the provenance has missing or wrong entries")


def parse_excerpt(header: dict[str, Any]) -> Excerpt | None:
    """Return the larger codebook of which a checked header's is a part, if there is one."""
    if "excerpt" not in header["provenance"]:
        return None
    match header["provenance"]["excerpt"]:
        case [str(name), int(n_codes), *numbers] if all(map(_is_int, numbers)):
            return Excerpt(name, n_codes, tuple(numbers))
    raise FormatError("offset 12: the excerpt is malformed")


def _is_int(value: Any) -> bool:
    """Return whether a value is an integer; True and False are not."""
    return type(value) is int


ALIGNMENT = 64
CHECKSUM_BYTES = 32
MAX_HEADER_BYTES = 1 << 28
DAMAGED = "bytes were changed or lost; copy the file or build its tree again"


def make_bytes(tree: Tree) -> bytes:
    """Return the bytes of a tree's ``.tree`` file."""
    return b"".join(generate_tree_bytes(tree))


def generate_tree_bytes(tree: Tree) -> Iterator[bytes]:
    """Yield the bytes of a ``.tree`` file. Equal trees of equal provenance give equal bytes."""
    sha = hashlib.sha256()
    for chunk in _generate_body(tree):
        sha.update(chunk)
        yield chunk
    yield sha.digest()


def unpack_tree(source: Source, *, check: bool = True) -> tuple[Tree, dict[str, Any]]:
    """Return a file's tree, and what the file claims about it: total, worst, histogram, digest.

    The columns of a large file stay there and are mapped into memory; its checksum is compared.
    `check` also checks the columns; `treegen.verifier` checks the claims. Raises
    FormatError if the file cannot be read, is not a ``.tree`` file, is of a later version, or is
    damaged; the message says where.
    """
    buffer = map_source(source)
    try:
        tree, claims = _parse(buffer)
        if check:
            tree.check()
    except (FormatError, GameError, TreeError) as error:
        raise FormatError(f"{name_source(source)}: {error}") from error
    return tree, claims


def _generate_body(tree: Tree) -> Iterator[bytes]:
    header = msgpack.packb(make_header(tree))
    yield TREE_MAGIC + struct.pack("<I", len(header)) + header
    offset = len(TREE_MAGIC) + 4 + len(header)
    for name, dtype in list_columns(tree.game.n_responses).items():
        yield bytes(-offset % ALIGNMENT)
        offset += -offset % ALIGNMENT
        column = getattr(tree, name)
        for begin, end in iter_pieces(0, len(column)):
            data = np.asarray(column[begin:end], dtype=dtype.newbyteorder("<")).tobytes()
            yield data
            offset += len(data)


def _parse(buffer: bytes | mmap.mmap) -> tuple[Tree, dict[str, Any]]:
    if buffer[: len(TREE_MAGIC)] != TREE_MAGIC:
        raise FormatError("offset 0: not a .tree file")
    header, end = _parse_header(buffer)
    game = from_description(header["game"])
    if game.description != header["game"]:
        raise FormatError(f"offset 12: {game.name} is described otherwise than it should be")
    columns = _map_columns(buffer, end, header["n_nodes"], game.n_responses)
    body = memoryview(buffer)[: len(buffer) - CHECKSUM_BYTES]
    if hashlib.sha256(body).digest() != buffer[-CHECKSUM_BYTES:]:
        raise FormatError(f"offset {len(body)}: the checksum does not match: {DAMAGED}")
    provenance = parse_provenance(header, game)
    game = _rename(game, header)
    excerpt = parse_excerpt(header)
    if excerpt:
        set_excerpt(game, excerpt)
    tree = Tree(game, provenance, **columns)
    claims = header["claims"]
    return tree, {**claims, "digest": claims["digest"].hex()}


def _rename(game: Game, header: dict[str, Any]) -> Game:
    """Return a game named after the file that a checked header says it was read from, if any."""
    label = header["provenance"].get("codebook")
    if label is None:
        return game
    if not isinstance(label, str) or not is_label(label):
        raise FormatError(f"offset 12: {label!r:.80} is not the name of a codebook's file")
    game = label_game(game, label)
    if not (label and game.rules.label == label):
        raise FormatError(f"offset 12: {game.name} was not read from a file {label!r:.80}")
    return game


def _parse_header(buffer: bytes | mmap.mmap) -> tuple[dict[str, Any], int]:
    begin = len(TREE_MAGIC) + 4
    if len(buffer) < begin:
        raise FormatError(f"offset {len(buffer)}: the file ends in its header: {DAMAGED}")
    (length,) = struct.unpack("<I", buffer[len(TREE_MAGIC) : begin])
    end = begin + length
    if length > MAX_HEADER_BYTES or end > len(buffer):
        raise FormatError(f"offset 8: a header of {length} bytes does not fit the file: {DAMAGED}")
    try:
        header = msgpack.unpackb(buffer[begin:end], object_pairs_hook=_read_map)
    except FormatError:
        raise
    except Exception as error:  # msgpack raises a dozen unrelated exceptions
        raise FormatError(f"offset {begin}: the header is not msgpack: {DAMAGED}") from error
    check_header(header)
    return header, end


def _read_map(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """Return a map in its order; FormatError if a key stands twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise FormatError("offset 12: a key of the header stands twice")
    return found


def _map_columns(
    buffer: bytes | mmap.mmap, offset: int, n_nodes: int, n_responses: int
) -> dict[str, NDArray[Any]]:
    columns: dict[str, NDArray[Any]] = {}
    for name, dtype in list_columns(n_responses).items():
        padding = -offset % ALIGNMENT
        if any(buffer[offset : offset + padding]):
            raise FormatError(f"offset {offset}: the {padding} bytes of padding are not zero")
        offset += padding
        length = n_nodes + (name == "first_child")
        end = offset + length * dtype.itemsize
        if end > len(buffer):
            raise FormatError(
                f"offset {len(buffer)}: the file ends in the column {name}: {DAMAGED}"
            )
        # A text names the machine's own byte order as such: else no memoryview reads it.
        column = np.frombuffer(buffer, dtype.newbyteorder("<").str, length, offset)
        columns[name] = column.astype(dtype, copy=False)
        offset = end
    if len(buffer) != offset + CHECKSUM_BYTES:
        raise FormatError(
            f"offset {offset}: {len(buffer) - offset} bytes follow the columns; 32 are needed:"
            f" {DAMAGED}"
        )
    return columns


TreeSource = Tree | str | os.PathLike[str] | bytes | IO[bytes]
"""A tree; the path, the bytes or the open file of a ``.tree`` file or a table."""


def is_tree(source: object) -> bool:
    """Return whether something is a tree, or the path of one."""
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source).endswith((".tree", ".tgt"))
    return isinstance(source, (Tree, bytes))


def load_tree(
    source: TreeSource, *, check: bool = True, game: Game | None = None
) -> tuple[Tree, dict[str, Any]]:
    """Return the tree of a ``.tree`` file or a table, and what the file claims, as far as it does.

    That is total, worst, histogram, digest; of a tree nothing. Without `check` the columns are as
    in the file, for `treegen.verifier.verify_tree` to judge. `game` is that of a file that lacks
    its answers or words. Raises FormatError if a file is neither, is damaged, or not of the game;
    the message says where.
    """
    if isinstance(source, Tree):
        return source if game is None else fit_game(source, game), {}
    if not isinstance(source, (str, os.PathLike, bytes)):
        if not callable(getattr(source, "read", None)):
            raise TypeError(_describe_no_tree(source))
        source = source.read()
        if isinstance(source, str):
            raise TypeError("a tree's file is opened for bytes, open(path, 'rb'), not for text")
    start, opened = _open_source(source)
    kind = sniff_kind(start)
    if kind == "tree":
        tree, claims = unpack_tree(opened, check=check)
        try:
            tree = tree if game is None else fit_game(tree, game)
        except FormatError as error:
            raise FormatError(f"{name_source(source)}: {error}") from error
    elif kind == "table":
        tree, claims = unpack_table(opened, check=check, game=game)
        if not isinstance(source, bytes):
            tree = find_labels(tree, source)
            if isinstance(tree.game.rules, LookupRules):
                tree.game.rules.file = f"{name_source(source)}: "
    else:
        raise FormatError(
            f"{name_source(source)} is neither a .tree file nor a .tgt table{describe_start(start)}"
        )
    unit = tree.game.rules.share_unit  # files count shares, people get weights
    claims["total"] = weigh(claims["total"], unit)
    if "histogram" in claims:  # tables have none
        claims["histogram"] = [weigh(shares, unit) for shares in claims["histogram"]]
    return tree, claims


def read(file: TreeSource) -> Tree:
    """Read a tree from a ``.tree`` file or a ``.tgt`` table.

    Parameters
    ----------
    file
        A path, an open binary file, or the bytes of one; a tree is returned as it is.

    Raises
    ------
    FormatError
        The file cannot be read or is damaged; the message says where.

    See Also
    --------
    import_tree : For text, graphs and other programs' trees.

    Examples
    --------
    >>> import tempfile, treegen
    >>> tree = treegen.build("p2c3r")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tree.write(f"{folder}/knuth.tgt")
    ...     treegen.read(f"{folder}/knuth.tgt") == tree
    True
    """
    return load_tree(file)[0]


def _describe_no_tree(given: object) -> str:
    """Return the reason why something that a caller gave is no tree."""
    several = "; give several one by one" if isinstance(given, (list, tuple)) else ""
    return f"a tree is a Tree, a path, bytes or an open file, not {given!r:.80}{several}"


def _open_source(source: Source) -> tuple[bytes, Source]:
    """Return the first bytes and the source; for a pipe, which can be read only once, all bytes."""
    if isinstance(source, bytes):
        return source[:HEAD_BYTES], source
    _refuse_game(source)
    with explain_reading(source), Path(source).open("rb") as stream:
        start = stream.read(HEAD_BYTES)
        if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            return start, source
        return start, start + stream.read() if sniff_kind(start) in ("tree", "table") else start


def _refuse_game(source: str | os.PathLike[str]) -> None:
    """Raise MissingFileError for the name of a game, of which there is no file."""
    name = os.fspath(source)
    with suppress(OSError, ValueError):  # not a path
        if Path(name).exists():
            return
    try:
        parse_game(name)
    except GameError:
        return
    raise MissingFileError(
        f"cannot read {name!r:.300}: it is the name of a game; treegen build {name:.80} -o"
        f" {name:.80}.tree makes its tree"
    )


def write_tree(tree: TreeSource, file: Target) -> None:
    """Write a ``.tree`` file: every state, the exact rule, what was proved.

    Parameters
    ----------
    tree
        The tree, or its file.
    file
        A path, or an open binary file.

    Raises
    ------
    TreeError
        The tree breaks an invariant; nothing is written.
    UsageError
        The file cannot be written.

    Examples
    --------
    >>> import io, treegen
    >>> file = io.BytesIO()
    >>> treegen.write_tree(treegen.build("p2c3r"), file)
    >>> treegen.read(file.getvalue()).total
    24
    """
    found = read(tree)
    found.check()
    write_bytes(file, generate_tree_bytes(found))


@describe_writer
def write_table(
    tree: TreeSource,
    file: Target,
    *,
    profile: Annotated[
        str,
        Option(
            "full: pure lookup; lean: the player filters candidates; slim: it counts them, too.",
            PROFILES,
            python='``"full"``: a pure lookup. ``"lean"``: less than half as large; its player'
            ' keeps the candidates. ``"slim"``: a fifth smaller still; the player also counts the'
            " candidates of each answer.",
        ),
    ] = "full",
    all_words: Annotated[
        bool,
        Option(
            "Also words that are never guessed, questions that are never asked.",
            python="Of a codebook store also the words that the tree never guesses, of a table of"
            " answers the questions that it never asks.",
        ),
    ] = False,
    labels: Annotated[
        str,
        Option(
            "Names, questions and answers: in the table, in OUT.labels.json beside it, or nowhere.",
            LABELS,
            python='Of a table of answers where its words go: ``"inside"``, ``"file"`` (beside the'
            ' table, in ``OUT.labels.json``) or ``"none"``.',
        ),
    ] = "inside",
) -> None:
    """Write a lookup table (``.tgt``) for the players.

    {parameters}

    Raises
    ------
    FormatError
        The profile is unknown, or not for this game.
    TreeError
        The tree breaks an invariant.
    UsageError
        The file cannot be written, or the labels have no path to stand beside.

    Examples
    --------
    >>> import io, treegen
    >>> file = io.BytesIO()
    >>> treegen.write_table(treegen.build("p4c6r"), file, profile="lean")
    >>> len(file.getvalue())
    692
    """
    found = read(tree)
    # Of a table of answers alone: others are refused here.
    words = make_labels(found, all_words=all_words) if labels != "inside" else b""
    pieces = generate_table_bytes(found, profile=profile, all_words=all_words, labels=labels)
    if labels == "file" and not isinstance(file, (str, os.PathLike)):
        raise UsageError("`labels='file'` needs the path of a file, for the labels lie beside it")
    write_bytes(file, pieces)
    if labels == "file":
        write_bytes(f"{file}.labels.json", words)


TREE = Format("tree", Writer(write_tree, "The tree itself (.tree).", kinds=("tree",)))
TABLE = Format(
    "table",
    Writer(
        write_table,
        "A lookup table (.tgt) for the players.",
        "Write the tree in FILE as a lookup table.",
        examples=(
            "treegen export table knuth.tree -o knuth.tgt",
            "treegen export table knuth.tree --profile lean -o lean.tgt",
        ),
        kinds=("table",),
        list_others=lambda path, given: (
            {f"{path}.labels.json": "json"} if given["labels"] == "file" else {}
        ),
    ),
    reader=Reader(
        None,
        "A lookup table (.tgt).",
        "Read the table in FILE and write its tree.",
        ("treegen import table knuth.tgt -o copy.tree",),
    ),
)
