"""Any file that holds a tree, recognized by its first bytes.

The kinds of files that treegen writes: their endings, and how to recognize their content.

On writing, the ending of a path chooses the kind; an existing file is judged by its content,
because an ending does not show what would be lost.
"""

from __future__ import annotations

import codecs
import os
import re
import stat
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Annotated, Any

from .._files import Source, Target, explain_reading, name_source, write_bytes
from ..errors import FormatError, UsageError
from ..games.base import Game
from ..games.rules import weigh
from ..tree.parts import ShardedTree
from ..tree.tree import Tree
from .format import Format, Option, Reader, Writer, describe_writer
from .table import (
    LABELS,
    PROFILES,
    START,
    find_labels,
    fit_game,
    generate_table_bytes,
    make_labels,
    unpack_table,
)
from .tree_file import MAGIC, generate_tree_bytes, unpack_tree

TreeSource = Tree | str | os.PathLike[str] | bytes | IO[bytes]
"""A tree; the path, the bytes or the open file of a ``.tree`` file or a table."""

HEAD_BYTES = 4096
"""A file's kind is recognized by this many bytes of its beginning."""


def is_tree(source: object) -> bool:
    """Return whether something is a tree, or the path of one."""
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source).endswith((".tree", ".tgt"))
    return isinstance(source, (Tree, bytes))


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file."""

    title: str  # in a sentence
    endings: tuple[str, ...] = ()  # in lower case
    maker: str = ""  # the command that writes it
    is_text: bool = False  # ``.txt`` suits it too


KINDS = {
    "tree": Kind("a tree", (".tree",), "treegen build or treegen import"),
    "table": Kind("a table", (".tgt",), "treegen export table"),
    "text": Kind("text", (".txt",), "treegen export text", is_text=True),
    "dot": Kind("a Graphviz text", (".gv", ".dot"), "treegen export dot", is_text=True),
    "svg": Kind("an SVG picture", (".svg",), "treegen export svg"),
    "png": Kind("a PNG picture", (".png",), "treegen export png"),
    "pdf": Kind("a PDF picture", (".pdf",), "treegen export pdf"),
    "json": Kind("JSON", (".json",), "treegen export json", is_text=True),
    "graphml": Kind("GraphML", (".graphml",), "treegen export graphml", is_text=True),
    "html": Kind("a page", (".html", ".htm"), "treegen export html"),
    "csv": Kind("CSV", (".csv",), "treegen compare --csv", is_text=True),
    "proof": Kind("a certificate", (".proof",), "treegen certify", is_text=True),
    "manifest": Kind("a manifest", (), "treegen manifest", is_text=True),
    "words": Kind("a list of words"),
    "unknown": Kind("a file that treegen does not write"),
}

PICTURES = ("svg", "png", "pdf")

OTHER_ENDINGS = (
    *(".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".ps", ".eps", ".gz", ".xz"),
    *(".zip", ".doc", ".docx", ".odt", ".rtf", ".xls", ".xlsx", ".ods", ".ppt", ".pptx"),
    ".yaml",
)
"""Endings of well-known files that treegen does not write."""

SOURCE_ENDINGS = (".c", ".h", ".ino", ".js", ".mjs", ".py", ".rs", ".go", ".java", ".zip")
"""Endings of the files of players, each of which is a folder."""

GEXF = (
    "GEXF is neither written nor read; GraphML is, as the same programs write and read it"
    " (treegen export graphml, treegen import graphml)"
)

_ENDING = re.compile(r"\.[a-z][a-z0-9]*")
"""What is meant as an ending: the name of a game or a strategy may hold other dots."""

_ENDINGS = {ending: name for name, kind in KINDS.items() for ending in kind.endings}


def refuse_file_name(folder: str | os.PathLike[str]) -> None:
    """Raise UsageError if a folder that is to be made would have the name of a file."""
    name = Path(folder).name
    stem, _, ending = name.rpartition(".")
    if stem and f".{ending}" in (*_ENDINGS, *OTHER_ENDINGS, *SOURCE_ENDINGS):
        with suppress(OSError, ValueError):
            if Path(folder).exists():
                return
        raise UsageError(f"{name!r:.300} is a file's name: give a folder, such as {stem}-{ending}")


_LOOKS = {
    "svg": re.compile(r"\s*(<\?xml[^<]*)?(<!(DOCTYPE svg|--)[^<]*)*<svg\b"),
    "graphml": re.compile(r"\s*(<\?xml[^<]*)?<graphml\b"),
    "html": re.compile(r"\s*<(!doctype html|html)\b", re.IGNORECASE),
    "dot": re.compile(r"\s*(strict\s+)?(di)?graph\b[^{\n]*\{"),
    "json": re.compile(r'\s*(\{\s*["}]|\[\s*[]\[{"\d-])'),
    "proof": re.compile(r"treegen proof \d"),
    "manifest": re.compile(r"(# .+: \d+ bytes|[0-9a-f]{64} [ *])"),
}


def choose_kind(
    path: str | os.PathLike[str], kinds: Sequence[str], *, is_strict: bool = False
) -> str:
    """Choose among the kinds that can be written by a path's ending; the first if it names none.

    Raises UsageError if the ending names another kind, and the message names the command that
    writes it; or, if `is_strict`, it is unknown.
    """
    ending = Path(path).suffix.lower()
    named = _ENDINGS.get(ending)
    if named is not None and named in kinds:
        return named
    shown = repr(str(path))[:300]
    if ending == ".gexf":
        raise UsageError(f"{shown}: {GEXF}")
    is_unknown = named is None and _ENDING.fullmatch(ending) is not None
    if ending in OTHER_ENDINGS or (is_strict and is_unknown):
        known = ", ".join(known for kind in kinds for known in KINDS[kind].endings)
        raise UsageError(f"{shown}: {ending} is not written here: there are {known}")
    is_plain = ending == ".txt" and KINDS[kinds[0]].is_text
    if named is not None and not is_plain:
        other, written = KINDS[named], " or ".join(KINDS[kind].title for kind in kinds)
        raise UsageError(
            f"{shown} names {other.title}, but {written} would be written;"
            f" {other.maker} writes {other.title}"
        )
    return kinds[0]


def sniff_file(path: str | os.PathLike[str]) -> str | None:
    """Return the kind of a file by its first bytes; None if it is empty.

    Raises OSError if it cannot be read.
    """
    with Path(path).open("rb") as stream:
        return sniff_kind(stream.read(HEAD_BYTES))


def sniff_kind(start: bytes) -> str | None:
    r"""Return the kind of a file by its first bytes; None if there are none.

    >>> sniff_kind(b"%PDF-1.4"), sniff_kind(b"crane\nslate\n"), sniff_kind(b"\0\1")
    ('pdf', 'words', 'unknown')
    """
    if not start.strip():
        return None
    magics = {b"\x89PNG": "png", b"%PDF-": "pdf", MAGIC: "tree"}
    for magic, kind in magics.items():
        if start.startswith(magic):
            return kind
    if start[1:].startswith(START):
        return "table"
    try:
        text = codecs.getincrementaldecoder("utf-8-sig")().decode(start)  # its end may be cut
    except UnicodeDecodeError:
        return "unknown"
    if "\0" in text:
        return "unknown"
    return next((kind for kind, look in _LOOKS.items() if look.match(text)), _sniff_lines(text))


def _sniff_lines(text: str) -> str:
    """Distinguish word lists and CSV from other text."""
    lines = [line for line in text.splitlines() if line.strip()]
    words = [line.strip() for line in lines if not line.startswith("#")]
    # The last line may have been cut.
    if words and all(word.isalnum() for word in words) and len(set(map(len, words[:-1]))) <= 1:
        return "words"
    if lines and re.fullmatch(r"[\w:]+(,[\w:]+)+", lines[0]):  # below the titles may be sentences
        return "csv"
    head = "\n".join(lines[:2])
    is_csv = "," in head and not any(mark in head for mark in (", ", "(", "{"))
    return "csv" if is_csv else "text"


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
        source = source.read()
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
        tree = tree if isinstance(source, bytes) else find_labels(tree, source)
    else:
        raise FormatError(f"{name_source(source)} is neither a .tree file nor a .tgt table")
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


def _open_source(source: Source) -> tuple[bytes, Source]:
    """Return the first bytes and the source; for a pipe, which can be read only once, all bytes."""
    if isinstance(source, bytes):
        return source[:16], source
    with explain_reading(source), Path(source).open("rb") as stream:
        start = stream.read(16)
        if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            return start, source
        return start, start + stream.read() if sniff_kind(start) in ("tree", "table") else start


def write_tree(tree: TreeSource | ShardedTree, file: Target) -> None:
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
    if not isinstance(tree, ShardedTree):
        tree = read(tree)
        tree.check()
    write_bytes(file, generate_tree_bytes(tree))


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
        raise UsageError("--labels file needs a file: the table goes to the standard output")
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
