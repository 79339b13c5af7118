"""Files that people may take for tables: each is refused in one line that names its kind."""

import sqlite3

import pytest

import treegen
from treegen import FormatError, GameError

REFUSED = {
    "a.html": ("<!-- made\nby hand --><table><tr><td>ant</td></tr></table>", "is HTML, which is"),
    "b.txt": ("<!DOCTYPE html>\n<html><body>\n", "is HTML, which is not read: save its table as"),
    "c.dmn": ("<a/>", "is DMN, which is not read"),
    "d.xml": (
        '<?xml version="1.0"?>\n<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/">',
        "is DMN, which is not read",
    ),
    "e.xml": ('<nex:nexml version="0.9">', "is NeXML, which is not read: save its matrix as NEXUS"),
    "f.xml": (
        '<?xml version="1.0"?><dataset name="x">',
        "is XRFF, which is not read: save it as ARFF",
    ),
    "g.xml": ("<?xml version='1.0'?>\n<animals>", "is XML, which is not read"),
    "h.yaml": ("- ant\n- bee\n", "is YAML, which is not read: save it as JSON, a list of records"),
    "i.txt": ("ant: {legs: 6, wings: no}\nbee: {legs: 6, wings: yes}\n", "is YAML"),
    "j.txt": ("---\nant:\n  legs: 6\n", "is YAML"),
    "k.txt": ("- name: ant\n  legs: 6\n- name: bee\n  legs: 6", "is YAML"),
    "l.txt": (
        ">ant\nACGT\n>bee\nACGA\n",
        "is FASTA, which is not read: save the alignment as NEXUS",
    ),
    "m.txt": ("2 4\nant  ACGT\nbee  ACGA\n", "is PHYLIP, which is not read"),
    "n.names": (
        "| Animals\nbird, mammal.   | classes\n\nlegs: continuous.\ncover: fur, feathers.\n",
        "is the names of C4.5, which is not read: its rows are in the file .data",
    ),
    "o.txt": ("a" * 50, "is one text of 50 letters"),
    "q.pdf": ("%PDF-1.4\n%x\n", "is a document in PDF, which is not read"),
    "p.json": ('{"ant": {"legs": 6}}', "is JSON that holds .* or a table,"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_kinds_are_refused_by_name(tmp_path, name):
    text, problem = REFUSED[name]
    for content in (text, "\ufeff" + text.replace("\n", "\r\n")):
        (tmp_path / name).write_bytes(content.encode())
        with pytest.raises(GameError, match=problem) as error:
            treegen.open_game(tmp_path / name)
        assert "\n" not in str(error.value)


def test_a_database_is_refused_by_name(tmp_path):
    with sqlite3.connect(tmp_path / "a.db") as database:
        database.execute("create table animals (name, legs)")
    database.close()
    with pytest.raises(FormatError, match="it is a database of SQLite; save it as UTF-8 text"):
        treegen.open_game(tmp_path / "a.db")


def test_data_of_c45_have_no_header(tmp_path):
    (tmp_path / "a.names").write_text("bird, mammal.\nlegs: continuous.\n")
    (tmp_path / "a.data").write_text("2,bird\n4,mammal\n")
    with pytest.raises(GameError, match=r"is data of C4\.5, which have no header: header=False"):
        treegen.open_game(tmp_path / "a.data")
    options = {"header": False, "names": "none", "classes": "column 2"}
    game = treegen.open_game(tmp_path / "a.data", **options, notice=print)
    assert game.table.classes == ("bird", "mammal")


@pytest.mark.parametrize(
    "text",
    [
        "animal,Home: or nest\nant,nest\nbee,nest\n",
        "Home: x,y\nant: a,b\nbee: c,d\n",
        "a>b,c\n>ant,1\n>bee,2\n",
    ],
)
def test_tables_that_look_a_little_like_others_are_read(tmp_path, text):
    (tmp_path / "a.csv").write_text(text)
    assert treegen.open_game(tmp_path / "a.csv", notice=print).rule == "answers"


def test_long_words_are_a_list_where_there_are_several(tmp_path):
    (tmp_path / "a.txt").write_text("a" * 50 + "\n" + "b" * 50)
    assert treegen.open_game(tmp_path / "a.txt", notice=print).n_secrets == 2
