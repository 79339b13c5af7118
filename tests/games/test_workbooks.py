"""Tables in workbooks and in frames: as the same CSV."""

import datetime
import io
import re
import sys
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

import treegen
from treegen import DependencyError, FormatError, GameError

ANIMALS = "animal,legs,wings,seen\nant,6,no,2020-01-02\nbee,6.5,yes,\nspider,8,?,2021-03-04\n"
CELL = '<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'
NUMBER, TRUTH = '<c r="{place}"><v>{text}</v></c>', '<c r="{place}" t="b"><v>{text}</v></c>'
HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
SPACE = "http://schemas.openxmlformats.org"


def write_workbook(path, sheets):
    """Write sheets, each a dict of cells by place: texts, numbers, truth values."""
    with ZipFile(path, "w") as archive:
        kinds = "application/vnd.openxmlformats-officedocument.spreadsheetml"
        parts = "".join(
            f'<Override PartName="/xl/worksheets/sheet{n}.xml"'
            f' ContentType="{kinds}.worksheet+xml"/>'
            for n in range(1, len(sheets) + 1)
        )
        archive.writestr(
            "[Content_Types].xml",
            f'{HEAD}<Types xmlns="{SPACE}/package/2006/content-types"><Default Extension="rels"'
            ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override'
            f' PartName="/xl/workbook.xml" ContentType="{kinds}.sheet.main+xml"/>{parts}</Types>',
        )
        office = f"{SPACE}/officeDocument/2006/relationships"
        relations = f'{HEAD}<Relationships xmlns="{SPACE}/package/2006/relationships">'
        archive.writestr(
            "_rels/.rels",
            f'{relations}<Relationship Id="r1" Type="{office}/officeDocument"'
            ' Target="xl/workbook.xml"/></Relationships>',
        )
        links = "".join(
            f'<Relationship Id="r{n}" Type="{office}/worksheet" Target="worksheets/sheet{n}.xml"/>'
            for n in range(1, len(sheets) + 1)
        )
        archive.writestr("xl/_rels/workbook.xml.rels", f"{relations}{links}</Relationships>")
        named = "".join(
            f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>' for n, name in enumerate(sheets, 1)
        )
        archive.writestr(
            "xl/workbook.xml",
            f'{HEAD}<workbook xmlns="{SPACE}/spreadsheetml/2006/main" xmlns:r="{office}">'
            f"<sheets>{named}</sheets></workbook>",
        )
        for n, cells in enumerate(sheets.values(), 1):
            rows = {}
            for place, value in cells.items():
                form = (
                    TRUTH if isinstance(value, bool) else CELL if isinstance(value, str) else NUMBER
                )
                row = int(re.findall(r"\d+", place)[-1].removeprefix("88;"))
                text = int(value) if isinstance(value, bool) else value
                rows.setdefault(row, []).append(form.format(place=place, text=text))
            written = "".join(f'<row r="{row}">{"".join(own)}</row>' for row, own in rows.items())
            archive.writestr(
                f"xl/worksheets/sheet{n}.xml",
                f'{HEAD}<worksheet xmlns="{SPACE}/spreadsheetml/2006/main"><sheetData>{written}'
                "</sheetData></worksheet>",
            )


CELLS = {
    **{"C2": "animal", "D2": "legs", "E2": "wings", "F2": "seen"},
    **{"C3": "ant", "D3": 6, "E3": False, "F3": "2020-01-02"},
    **{"C5": "bee", "D5": 6.5, "E5": True},
    **{"C6": "spider", "D6": 8.0, "E6": "?", "F6": "2021-03-04"},
}


def read(text):
    return treegen.open_game(io.StringIO(text), notice=lambda text: None)


def test_a_workbook_is_read_as_its_csv(tmp_path):
    pytest.importorskip("python_calamine")
    path = tmp_path / "animals.XLSX"
    write_workbook(path, {"Notes": {}, "Animals": CELLS, "More": {"A1": "x"}})
    notes = []
    assert treegen.open_game(path, notice=notes.append) == read(ANIMALS)
    assert notes[0].endswith("animals.XLSX': the sheet 'Animals' is read, of 3")
    assert any("in row 5: any answer to the question is possible there" in note for note in notes)
    options = {"header": False, "names": "column 1"}
    game = treegen.open_game(path, notice=notes.append, **options)
    assert game.table.names == ("animal", "ant", "bee", "spider")


def test_workbooks_that_are_refused(tmp_path, monkeypatch):
    pytest.importorskip("python_calamine")
    path = tmp_path / "a.xlsx"
    path.write_bytes(b"PK\x03\x04 and nothing else")
    with pytest.raises(FormatError, match=r"a\.xlsx' is a workbook that cannot be read: "):
        treegen.open_game(path)
    for place, problem in (
        ("XFD1048576", "has a sheet of 1,048,576 rows by 16,384 columns; at most 30,000,000 cells"),
        ("xfd1048576", "has a sheet of 1,048,576 rows by 16,384 columns; at most 30,000,000 cells"),
        ("ZZZZ9999999", "has a sheet of 9,999,999 rows by 475,254 columns; at most"),
        ("&#88;FD1048576", "is a workbook that cannot be read"),
        ("$XFD$1048576", "is a workbook that cannot be read"),
    ):
        write_workbook(path, {"A": {"A1": "x", place: "y"}})
        with pytest.raises(FormatError, match=problem):
            treegen.open_game(path)
    write_workbook(path, {"A": {}})
    with pytest.raises(GameError, match="has no cells: a header of questions is expected"):
        treegen.open_game(path)
    write_workbook(path, {"A": {"A1": "x" * 1000}})
    monkeypatch.setattr("treegen.games.tables.workbook.MAX_BYTES", 900)
    with pytest.raises(FormatError, match="has more than 900 bytes"):
        treegen.open_game(path)


def test_damaged_workbooks_are_refused_wherever_the_damage_is(tmp_path):
    pytest.importorskip("python_calamine")
    path = tmp_path / "a.xlsx"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", '<c r="A1"/>' * 9)
    whole = path.read_bytes()
    for place in range(4, len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        with pytest.raises(FormatError, match=r"a\.xlsx' (is a workbook that cannot be read|has )"):
            treegen.open_game(path)


def test_a_workbook_without_its_extra(tmp_path, monkeypatch):
    write_workbook(tmp_path / "a.xlsx", {"A": CELLS})
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(DependencyError, match=r"pip install python-calamine \(the extra sheets of"):
        treegen.open_game(tmp_path / "a.xlsx")


COLUMNS = {
    "animal": ["ant", "bee", "spider"],
    "legs": [6.0, 6.5, 8.0],
    "wings": [False, True, None],
    "seen": [datetime.date(2020, 1, 2), None, datetime.date(2021, 3, 4)],
    "eats": [["leaves", "seeds"], ["nectar"], []],
}
EATING = "animal,legs,wings,seen,eats\nant,6,no,2020-01-02,leaves;seeds\nbee,6.5,yes,,nectar\n"


class ArrowTable:
    """What a table of Arrow has."""

    columns = ("not", "names")

    def to_pylist(self):
        rows = zip(*COLUMNS.values(), strict=True)
        return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


@pytest.mark.parametrize("kind", ["polars", "pandas", "arrow", "dicts"])
def test_a_frame_is_read_as_its_csv(kind):
    frame = (
        ArrowTable()
        if kind == "arrow"
        else ArrowTable().to_pylist()
        if kind == "dicts"
        else pytest.importorskip(kind).DataFrame(COLUMNS)
    )
    text = io.StringIO(EATING + "spider,8,?,2021-03-04,\n")
    game = treegen.open_game(frame, notice=lambda text: None)
    assert game == treegen.open_game(text, sets=";", notice=lambda text: None)


def test_the_index_of_a_frame_is_a_column():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"Legs": ["6", "8"]}, index=["bee", "spider"])
    game = treegen.open_game(frame)
    assert (game.table.names, game.table.questions) == (("bee", "spider"), ("Legs",))
    assert treegen.open_game(frame.rename_axis("animal"), names="animal") == game
    assert treegen.open_game(frame, names="name") == game


def test_an_empty_frame_is_refused():
    polars = pytest.importorskip("polars")
    one = treegen.open_game(polars.DataFrame({"a": ["x"], "b": ["y"]}), notice=str)
    assert one.table.names == ("x",)
    with pytest.raises(GameError, match="the table has no rows"):
        treegen.open_game(polars.DataFrame({"a": [], "b": []}))
