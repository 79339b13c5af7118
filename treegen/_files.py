"""Files written whole or not at all, reading with errors people understand, and kinds of files.

On writing, the ending of a path chooses the kind; an existing file is judged by its content,
because an ending does not show what would be lost.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import mmap
import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, cast

from ._options import find_near, show_value
from .errors import FormatError, MissingFileError, MissingFolderError, UsageError

MAX_BYTES = 1 << 28
"""A longer file is not text that treegen reads, nor is an endless device."""

MAPPED_BYTES = 1 << 24
"""Files from this size on are mapped; what happens to smaller ones later does not matter."""

NULL_BYTE = "a path cannot contain a null byte"
"""Python's own message depends on its version."""


class WrittenFiles:
    """The files of this process: those that a command wrote, and those that must not stay."""

    def __init__(self) -> None:
        # Of a command: paths, ``-`` for the standard output. None in a library's process.
        self.paths: list[str] | None = None
        # What identifies the file that is at a path before the command replaces it.
        self.replaceable: dict[str, tuple[int, ...]] = {}
        self._temporary: set[str] = set()

    def begin(self) -> None:
        """Forget the last command: a new one begins."""
        self.paths = []
        self.replaceable.clear()

    def end(self) -> None:
        """Forget the command, which is over: the process may go on with other work."""
        self.paths = None

    def note(self, path: str) -> None:
        """Keep that a command wrote a file, for its last message."""
        if self.paths is not None:
            self.paths.append(path)

    def describe(self) -> str:
        """Return a sentence on what the command wrote before it was ended."""
        written = dict.fromkeys(self.paths or ())
        if "-" in written:
            return "the output is incomplete"
        # Parts of a tree in a folder that no longer exists are not mentioned.
        left = [path for path in written if os.path.exists(path)]  # noqa: PTH110
        if len(left) > 1:
            return f"{len(left)} files were written, the last {left[-1]!r}"
        return f"{left[0]!r} was written" if left else "nothing was written"

    @contextmanager
    def remember_temporary(self, path: str) -> Iterator[None]:
        """Name a file or folder that must not stay if the process ends meanwhile."""
        self._temporary.add(path)
        try:
            yield
        finally:
            self._temporary.discard(path)

    def remove_temporaries(self) -> None:
        """Remove all temporary files and folders that exist now."""
        for path in list(self._temporary):
            shutil.rmtree(path, ignore_errors=True)
            with contextlib.suppress(OSError):
                os.unlink(path)  # noqa: PTH108 (pathlib may not be whole any more)


WRITTEN = WrittenFiles()


def write_atomically(path: str | os.PathLike[str], data: bytes | Iterable[bytes]) -> None:
    """Write a file through a temporary one beside it, so that it is whole or absent.

    A device such as ``/dev/stdout`` is written directly. Raises UsageError if the folder does not
    exist or cannot be written, or the disk is full.
    """
    chunks = [data] if isinstance(data, bytes) else data
    target = _resolve(path)
    with _explain_writing(path):
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            with target.open("wb") as stream:
                stream.writelines(chunks)
        else:
            _write_and_rename(target, chunks)
    WRITTEN.note(os.fspath(path))


@contextmanager
def _explain_writing(path: str | os.PathLike[str]) -> Iterator[None]:
    """Raise UsageError, naming the path and the reason, if something cannot be written there."""
    try:
        yield
    except OSError as error:
        folder = os.path.dirname(os.fspath(path)) or "."  # noqa: PTH120
        if isinstance(error, FileNotFoundError) and not os.path.isdir(folder):  # noqa: PTH112
            raise MissingFolderError(
                f"cannot write {str(path)!r:.300}: the folder {str(folder)!r:.300} does not exist"
            ) from error
        reason = error.strerror or str(error)
        reason = reason if str(path) else "the path is empty"
        raise UsageError(f"cannot write {str(path)!r:.300}: {reason}") from error


def probe_file(path: str | os.PathLike[str]) -> None:
    """Raise UsageError if `write_atomically` could not write now; leave no trace.

    Hours of work may pass before the writing, so this does what the writing will begin with: it
    creates a temporary file, a nameless one if the system has such files.
    """
    import tempfile  # slow to load, and few commands write

    target = _resolve(path)
    with _explain_writing(path):
        state = _stat(target)
        if os.fspath(path).endswith("/") or (state and stat.S_ISDIR(state.st_mode)):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if state is None or stat.S_ISREG(state.st_mode):
            tempfile.TemporaryFile(dir=target.parent).close()
        elif not os.access(target, os.W_OK):  # a device; opening a pipe would wait for a reader
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def probe_folder(path: str | os.PathLike[str]) -> None:
    """Raise UsageError if files cannot be put into a folder, which is created if missing."""
    import tempfile

    try:
        target = Path(path).resolve()
        place = next(place for place in (target, *target.parents) if _stat(place))
        tempfile.TemporaryFile(dir=place).close()
    except (OSError, ValueError, RuntimeError) as error:  # also a null byte, a loop of links
        reason = getattr(error, "strerror", None) or error
        raise UsageError(_refuse_folder(path, reason)) from error


def _refuse_folder(path: str | os.PathLike[str], reason: object) -> str:
    """Return the message for a folder that cannot be made."""
    with suppress(OSError, ValueError):
        if Path(path).exists() and not Path(path).is_dir():
            reason = "a file has this name; give another one"
    return f"cannot make the folder {str(path)!r:.300}: {reason}"


def is_same_file(first: str | os.PathLike[str] | int, second: str | os.PathLike[str] | int) -> bool:
    """Whether two paths or open files are one regular file, by whatever links."""
    try:
        one, other = os.stat(first), os.stat(second)  # noqa: PTH116 (of descriptors too)
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(one.st_mode) and os.path.samestat(one, other)


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Read a whole file; FormatError if it is missing, unreadable or larger than `MAX_BYTES`."""
    with explain_reading(path), Path(path).open("rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise FormatError(f"{str(path)!r:.300} has more than {MAX_BYTES:,} bytes")
    return data


def map_file(path: str | os.PathLike[str]) -> bytes | mmap.mmap:
    """Return a file's bytes; those of a large one are mapped: only what is accessed is read.

    Where a mapped file is cut off or written over, the process ends (SIGBUS) or sees other bytes.
    Errors are those of `open` and `mmap`; `explain_reading` turns them into messages for people.
    """
    with Path(path).open("rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        if size < MAPPED_BYTES:
            return stream.read(size)
        return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)


@contextmanager
def explain_reading(path: str | os.PathLike[str]) -> Iterator[None]:
    """Raise FormatError, naming the file and the reason, if it cannot be opened or read."""
    try:
        yield
    except FileNotFoundError as error:
        hint = suggest_file(Path(path))
        raise MissingFileError(f"cannot read {str(path)!r:.300}: {error.strerror}{hint}") from error
    except OSError as error:
        problem = error.strerror if str(path) else "the path is empty"
        raise FormatError(f"cannot read {str(path)!r:.300}: {problem}") from error
    except ValueError as error:
        reason = NULL_BYTE if "\0" in str(path) else error
        raise FormatError(f"cannot read {str(path)!r:.300}: {reason}") from error


def explain_stream(error: OSError) -> str:
    """Return the message for an error of a standard stream; those of files name the file."""
    reason = error.strerror or str(error)
    is_full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    return "cannot write to the standard output: " * is_full + reason


def suggest_file(path: Path) -> str:
    """Return a hint at the file of the same folder that was probably meant."""
    if re.match(r"[A-Za-z]:[^\\/]", str(path)):
        return "; a shell removes \\ from a path: write / instead, or put the path between quotes"
    with suppress(OSError, ValueError):  # a null byte
        names = sorted(other.name for other in path.parent.iterdir() if other.is_file())
        near = find_near(path.name, names, least=0.8)
        near += [name for name in names if path.name and name.startswith(f"{path.name}.")]
        return f"; did you mean {str(path.with_name(near[0]))!r:.300}?" if near else ""
    return ""


def read_text(path: str | os.PathLike[str]) -> str:
    """Read a whole text file; see `decode_text`."""
    return decode_text(read_bytes(path), repr(str(path)))


def decode_text(data: bytes, name: str) -> str:
    """Decode UTF-8 as every reader of text takes it: without a byte order mark, lines ended by LF.

    FormatError says what the data is instead, and how to save it.
    """
    _refuse_no_text(data[:_SIGN_BYTES], name)
    try:
        return unify_lines(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{name} is not UTF-8 text: byte {data[error.start]:#04x} at offset {error.start};"
            " save it as UTF-8"
        ) from error


def unify_lines(text: str) -> str:
    """Return a text without a byte order mark, its lines ended by LF, not by CR LF or CR."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


@contextmanager
def open_text(path: str | os.PathLike[str]) -> Iterator[IO[str]]:
    """Open a text that may be too large to be read whole; it is what `read_text` would return."""
    with explain_reading(path):
        stream = Path(path).open("rb")  # noqa: SIM115
    with stream:
        with explain_reading(path):
            begin = stream.peek(_SIGN_BYTES)[:_SIGN_BYTES]
        _refuse_no_text(begin, repr(str(path)))
        try:
            yield io.TextIOWrapper(stream, encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            what = f"byte {error.object[error.start]:#04x}"
            if stream.seekable():  # a pipe is not
                # The error knows the last block alone, which ends where the file was read to.
                at = stream.tell() - len(error.object) + error.start
                what += f" in line {_find_line(stream, at)}"
            raise FormatError(
                f"{str(path)!r:.300} is not UTF-8 text: {what}; save it as UTF-8"
            ) from None


def _find_line(stream: IO[bytes], at: int) -> int:
    """Return the number, from 1, of the line that has the byte at an offset."""
    n_ends = n_returns = 0
    stream.seek(0)
    while block := stream.read(min(at, 1 << 20)):
        n_ends += block.count(b"\n")
        n_returns += block.count(b"\r")
        at -= len(block)
    return (n_ends or n_returns) + 1


_SIGN_BYTES = 64
_SIGNS = {
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
    b"PK\x03\x04": "a zip archive, as workbooks (.xlsx, .ods) are",
    b"\xd0\xcf\x11\xe0": "a workbook (.xls)",
    b"SQLite format 3": "a database of SQLite",
    b"PAR1": "a Parquet file",
    b"\x1f\x8b": "compressed by gzip",
    b"BZh": "compressed by bzip2",
    b"\xfd7zXZ": "compressed by xz",
}
"""The first bytes of files that are often taken for text, and what the files are."""


def _refuse_no_text(begin: bytes, name: str) -> None:
    """Raise FormatError, with what to do, for a file that is not UTF-8 text."""
    if sniff_kind(begin) in ("tree", "table", "png"):
        raise FormatError(f"{name} is not text{describe_start(begin)}")
    what = next((what for sign, what in _SIGNS.items() if begin.startswith(sign)), "")
    if len(begin) > 3 and not (any(begin[::2]) and any(begin[1::2])):
        what = "UTF-16"
    if what:
        first = "unpack it and " if what.startswith("compressed") else ""
        raise FormatError(
            f"{name} is not UTF-8 text: it is {what}; {first}save it as UTF-8 text, a spreadsheet"
            " or table as UTF-8 CSV"
        )


def _resolve(path: str | os.PathLike[str]) -> Path:
    """Return the path to write to: the target of a link, so that the link itself stays."""
    reason = os.strerror(errno.ELOOP)
    try:
        target = Path(path).resolve()
        if not target.is_symlink():
            return target
        # Python 3.13 returns a loop of links unchanged; earlier versions raise RuntimeError.
    except RuntimeError:
        pass
    except ValueError:
        reason = NULL_BYTE
    except OSError as error:
        reason = error.strerror or str(error)
    raise UsageError(f"cannot write {str(path)!r:.300}: {reason}")


def _stat(path: Path) -> os.stat_result | None:
    """Return the status of the file at a path, None if there is none."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _write_and_rename(target: Path, chunks: Iterable[bytes]) -> None:
    import tempfile

    handle, temporary = tempfile.mkstemp(prefix=".treegen-", suffix=".tmp", dir=target.parent)
    with WRITTEN.remember_temporary(temporary):
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.writelines(chunks)
                stream.flush()
                os.fsync(stream.fileno())
            Path(temporary).chmod(_file_mode(target))
            Path(temporary).replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
            raise


def _file_mode(target: Path) -> int:
    """Return the mode of the file to be replaced, or that of a new file."""
    with contextlib.suppress(OSError):
        return stat.S_IMODE(target.stat().st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


Target = str | os.PathLike[str] | IO[bytes] | IO[str]
"""A path, or an open file; bytes need one that takes bytes."""


def write_lines(target: Target, lines: Iterable[str]) -> None:
    """Write lines of text as UTF-8, each with a line feed."""
    if _takes_text(target):
        cast(IO[str], target).writelines(f"{line}\n" for line in lines)
    else:
        write_bytes(target, (f"{line}\n".encode() for line in lines))


def write_bytes(target: Target, chunks: bytes | Iterable[bytes]) -> None:
    """Write bytes."""
    check_file(target, "write")
    if isinstance(target, (str, os.PathLike)):
        write_atomically(target, chunks)
        return
    if _takes_text(target):
        raise UsageError("this format needs a file opened for bytes, not for text")
    stream = cast(IO[bytes], target)
    for chunk in [chunks] if isinstance(chunks, bytes) else chunks:
        stream.write(chunk)


def write_folder(
    folder: str | os.PathLike[str], contents: Mapping[str, bytes], *, force: bool = False
) -> list[Path]:
    """Write the files of a player to a folder, created if missing; return their paths.

    Raises UsageError if the folder or a file cannot be written; without `force`, a file there was
    edited.
    """
    paths = [Path(folder) / name for name in contents]
    if not force:
        refuse_edited(dict(zip(paths, contents.values(), strict=True)))
    made: list[Path] = []
    try:
        for path in paths:
            _make_folder(path.parent, made)
        for path, data in zip(paths, contents.values(), strict=True):
            is_new = not path.exists()
            write_atomically(path, data)
            made += [path] * is_new
    except (OSError, ValueError) as error:
        for path in reversed(made):  # not half a player
            with contextlib.suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        if isinstance(error, UsageError):
            raise
        reason = getattr(error, "strerror", None) or error  # also of a null byte in the path
        raise UsageError(_refuse_folder(folder, reason)) from error
    return paths


def _make_folder(path: Path, made: list[Path]) -> None:
    """Make a folder and those that it is in; add those that were missing to a list."""
    if not path.is_dir():
        _make_folder(path.parent, made)
        path.mkdir(exist_ok=True)
        made.append(path)


README = "README.md"
SEAL = "treegen sha256:" + "0" * 16
"""In a file that is made to be edited, the place of its digest, which `seal` fills in."""

_SEALED = re.compile(rb"treegen sha256:([0-9a-f]{16})")


def seal(data: bytes) -> bytes:
    """Return a file with its digest in the place of `SEAL`, by which an edited one is known."""
    return data.replace(SEAL.encode(), f"treegen sha256:{_hash(data)}".encode(), 1)


def seal_folder(contents: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return a folder's files; the README ends with the digests of all, unseen by its readers."""
    rows = [f"{name} {_hash(data)}\n" for name, data in contents.items() if name != README]
    readme = contents[README] + f"\n<!-- {SEAL}\n{''.join(rows)}-->\n".encode()
    return {**contents, README: seal(readme)}


def _hash(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


def refuse_edited(contents: Mapping[Path, bytes]) -> None:
    """Raise UsageError if a file of a player or a page is there and was edited.

    It differs from its new content, and from what it was by the digest in it, or in the README of
    its folder. Tables and pictures are not made to be edited, and are replaced.
    """
    readme = next((path for path in contents if path.name == README), None)
    listed = _read_digests(readme) if readme else {}
    names = [
        repr(str(path))
        for path, data in contents.items()
        if path.suffix not in (".tgt", ".png")
        and _holds_other(path, data)
        and not _is_untouched(path, listed)
    ]
    if names:
        shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        are, them = ("is", "it") if len(names) == 1 else ("are", "them")
        raise UsageError(f"{shown} {are} not as treegen writes {them}; `force` replaces {them}")


def _read_digests(readme: Path) -> dict[Path, str]:
    """Return the digests of the files beside a README that was written with them."""
    with suppress(OSError, ValueError):
        rows = re.findall(r"^(.+) ([0-9a-f]{16})$", readme.read_text("utf-8"), re.MULTILINE)
        return {readme.parent / name: digest for name, digest in rows}
    return {}


def _is_untouched(path: Path, listed: Mapping[Path, str]) -> bool:
    """Return whether a file is as it was written, by its own digest or a listed one."""
    with suppress(OSError, ValueError):
        data = path.read_bytes()
        found = _SEALED.search(data)
        if found is None:
            return listed.get(path) == _hash(data)
        begin, end = found.span(1)
        return found[1].decode() == _hash(data[:begin] + b"0" * 16 + data[end:])
    return False


def _holds_other(path: Path, data: bytes) -> bool:
    """Return whether a file exists and holds something else; an empty one holds nothing."""
    try:
        size = path.stat().st_size if path.is_file() else 0
        return size > 0 and (size != len(data) or path.read_bytes() != data)
    except (OSError, ValueError):  # what cannot be read cannot be compared; a null byte
        return path.is_file()


def _takes_text(target: Target) -> bool:
    """Return whether a target is a file open for text; temporary files wrap theirs."""
    return isinstance(target, io.TextIOBase) or hasattr(target, "encoding")


Source = str | os.PathLike[str] | bytes
"""A path, or the bytes of a file."""


def map_source(source: Source) -> bytes | mmap.mmap:
    """Return the bytes of a source; raise FormatError if its file cannot be read."""
    if isinstance(source, bytes):
        return source
    with explain_reading(source):
        return map_file(source)


TextSource = str | os.PathLike[str] | IO[bytes] | IO[str]
"""A path, or an open file, of a text."""


def name_source(source: Source | TextSource | None) -> str:
    """Return the name of a source in messages: its quoted path, or the name of an open file."""
    if isinstance(source, (str, os.PathLike)):
        return repr(str(source))
    name = getattr(source, "name", None)
    return "the standard input" if name == "<stdin>" else str(name or "the input")


def check_file(file: object, method: str = "read") -> None:
    """Raise TypeError for what is neither a path nor an open file, which has a method."""
    if not hasattr(file, method):
        check_path(file, "a file is a path or an open file")


def check_path(path: object, allowed: str) -> None:
    """Raise TypeError, with what is allowed, for what is no path."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"{allowed}, not {show_value(path)}")


def read_source(source: TextSource, name: str) -> str:
    """Return the text of a file, which messages call by a name."""
    check_file(source)
    if isinstance(source, (str, os.PathLike)):
        return read_text(source)
    data = source.read()
    return unify_lines(data) if isinstance(data, str) else decode_text(data, name)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file."""

    title: str  # in a sentence
    endings: tuple[str, ...] = ()  # in lower case
    maker: str = ""  # the command that writes it
    is_text: bool = False  # ``.txt`` suits it too


TREE_MAGIC = b"\x89TREE\r\n\x1a"
"""The first bytes of every ``.tree`` file."""

TABLE_START = b"\xa4TGT1"
"""Bytes 1 to 5 of every table."""

HEAD_BYTES = 4096
"""A file's kind is recognized by this many bytes of its beginning."""

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
    "mermaid": Kind("a Mermaid text", (".mmd",), "treegen export mermaid", is_text=True),
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
    """Raise UsageError if a folder that is to be made would have the name of a file, or none."""
    check_path(folder, "a folder is given by its path")
    if not os.fspath(folder):  # which would be the current folder
        raise UsageError("'' names no folder; . is the current one")
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
    "mermaid": re.compile(r"\s*flowchart (TD|TB|BT|LR|RL)\b"),
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
        maker = f"{other.maker} writes {other.title}"
        if (named, *kinds) == ("pdf", "html"):
            maker = "write it to .html, and print that to PDF in a browser"
        raise UsageError(f"{shown} names {other.title}, but {written} would be written; {maker}")
    if "table" in kinds and ending in SOURCE_ENDINGS[:-1]:
        languages = {".h": "c", ".ino": "arduino", ".py": "python", ".mjs": "js", ".rs": "rust"}
        language = languages.get(ending, ending[1:])
        raise UsageError(
            f"{shown} names source code, but {KINDS['table'].title} of bytes would be written;"
            f" treegen export {language} writes the table as source code, with a player"
        )
    return kinds[0]


_READERS = {
    **dict.fromkeys(("words", "csv"), "treegen build makes its tree"),
    **dict.fromkeys(
        ("text", "json", "graphml", "dot"), "treegen import reads it if it holds a tree"
    ),
    "proof": "treegen check reads it",
    "tree": "treegen stats, export, verify and the others take it",
    "table": "treegen stats, export, verify and the others take it",
}
"""What reads a file of a kind that was given in another's place."""


def describe_start(start: bytes) -> str:
    r"""Return, after a colon, what a file is by its first bytes, and what reads it; or nothing.

    >>> describe_start(b"crane\nslate\n")
    ': it is a list of words; treegen build makes its tree'
    """
    kind = sniff_kind(start)
    if kind is None:
        return ": it is empty"
    reader = f"; {_READERS[kind]}" if kind in _READERS else ""
    return "" if kind == "unknown" else f": it is {KINDS[kind].title}{reader}"


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
    magics = {b"\x89PNG": "png", b"%PDF-": "pdf", TREE_MAGIC: "tree"}
    for magic, kind in magics.items():
        if start.startswith(magic):
            return kind
    if start[1:].startswith(TABLE_START):
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
