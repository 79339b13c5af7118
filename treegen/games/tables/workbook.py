"""Workbooks of spreadsheets: the first sheet that has cells is the table."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from ..._files import MAX_BYTES, explain_reading
from ..._loading import import_calamine
from ...errors import FormatError, GameError
from ..answer_table import write_cell
from .sheet import MAX_LEFT_OUT, Sheet

_SIGNS = {".xlsx": b"PK\x03\x04", ".xlsm": b"PK\x03\x04", ".xls": b"\xd0\xcf\x11\xe0"}
# A RuntimeError: it is encrypted, or packed in a way that is not supported.
_DAMAGED = (BadZipFile, zlib.error, RuntimeError, EOFError, OSError)
_PLACE = re.compile(rb"\br\s*=\s*[\"']([A-Za-z]{1,9})(\d{1,9})[\"']")


def is_workbook(path: Path | None) -> bool:
    """Whether a file is called as workbooks that are read, and begins as they do."""
    sign = _SIGNS.get(path.suffix.lower()) if path else None
    if path is None or sign is None or not path.is_file():
        return False
    with explain_reading(path), path.open("rb") as stream:
        return stream.read(4) == sign


def read_workbook(path: Path, name: str, *, has_header: bool = True) -> Sheet:
    """Return the sheet of a workbook.

    DependencyError if what reads it is not installed; FormatError if it is damaged or too large.
    """
    calamine = import_calamine()
    try:
        _refuse_large(path, name)
        with calamine.CalamineWorkbook.from_path(str(path)) as workbook:
            titles = workbook.sheet_names
            held = map(workbook.get_sheet_by_name, titles)
            sheet = next((each for each in held if each.total_height), None)
            cells = sheet.to_python() if sheet else []
    except (calamine.CalamineError, *_DAMAGED) as error:
        raise FormatError(f"{name} is a workbook that cannot be read: {error}") from None
    if sheet is None:
        raise GameError(f"{name} has no cells: a header of questions is expected")
    first = sheet.start[0] + 1
    rows = iter([(line, [*map(write_cell, row)]) for line, row in enumerate(cells, start=first)])
    notes = [f"{name}: the sheet {sheet.name!r:.80} is read, of {len(titles)}"]
    header = next(rows)[1] if has_header else [f"column {n + 1}" for n in range(len(cells[0]))]
    filled = (row for row in rows if any(row[1]))
    return Sheet(header, filled, unit="row", notes=notes * (len(titles) > 1))


def _refuse_large(path: Path, name: str) -> None:
    """Raise FormatError for a workbook that would not fit memory: all cells up to the last do."""
    if path.stat().st_size > MAX_BYTES:
        raise FormatError(f"{name} has more than {MAX_BYTES:,} bytes")
    if _SIGNS[path.suffix.lower()] != _SIGNS[".xlsx"]:  # at most 65,536 rows of 256 cells
        return
    with ZipFile(path) as archive:
        if sum(each.file_size for each in archive.infolist()) > MAX_BYTES:
            raise FormatError(f"{name} has more than {MAX_BYTES:,} bytes when it is unpacked")
        for part in archive.namelist():
            if part.startswith("xl/worksheets/") and part.endswith(".xml"):
                places = _PLACE.findall(archive.read(part))
                height = max((int(row) for _, row in places), default=0)
                width = max((_count_columns(column) for column, _ in places), default=0)
                if height * width > MAX_LEFT_OUT:
                    raise FormatError(
                        f"{name} has a sheet of {height:,} rows by {width:,} columns; at most"
                        f" {MAX_LEFT_OUT:,} cells are read: save the table as CSV"
                    )


def _count_columns(letters: bytes) -> int:
    """Return the number of columns up to the one called ``AB``, inclusive."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - ord("A") + 1
    return number
