"""Notes on candidates and hints on questions: shown on a key's page, no part of the game."""

import io
import json
import re

import pytest

import treegen
from treegen.errors import GameError, UsageError
from treegen.page.notes import collect_notes, read_hints

from ..command import run
from .driving import BOTH, read_tables

DOT = "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4="
TABLE = f"""\
name,Feathers?,Legs,"Tail, (cm)",note,page,photo
dog,no,4,20,barks,https://example.org/dog,my dog.png
frog,no,4,0-1,,http://example.org,"{DOT}"
duck,yes,2,9,<b>swims</b>,,"data:text/html,<script>ran = 1</script>"
hen,yes,2,9,"lays, daily",javascript:ran=1,../hen.png
"""
ASIDE = '"Tail, (cm)",note,page,photo'


def open_table(**options):
    return treegen.open_game(io.StringIO(TABLE), notice=print, **{"ignore": ASIDE, **options})


def make_page(**options):
    file = io.BytesIO()
    tree = treegen.build(open_table(), "optimal")
    treegen.write_page(tree, file, **options)
    return file.getvalue().decode()


def read_entry(page):
    return read_tables(page)[0]


def test_a_note_is_a_text_a_link_or_a_picture():
    assert collect_notes(open_table(), "note,page,photo") == {
        "dog": [
            ("note", "barks"),
            ("page", "https://example.org/dog"),
            ("photo", "my%20dog.png", 1),
        ],
        "frog": [("page", "http://example.org"), ("photo", DOT, 1)],
        "duck": [("note", "<b>swims</b>"), ("photo", "data:text/html,<script>ran = 1</script>")],
        "hen": [("note", "lays, daily"), ("page", "javascript:ran=1"), ("photo", "../hen.png")],
    }


def test_candidates_that_answer_alike_keep_their_own_notes():
    game = open_table()
    assert game.table.names == ("dog | frog", "duck | hen")
    of_classes = open_table(classes="Feathers?")
    assert collect_notes(of_classes, "note") == collect_notes(game, ["note"])
    mapping = {"dog": "barks", "duck | hen": ["swim", 2], "frog": {"voice": "croaks", "size": ""}}
    assert collect_notes(game, mapping) == {
        "dog": [("", "barks")],
        "duck | hen": [("", "swim"), ("", "2")],
        "frog": [("voice", "croaks")],
    }


HINTS = {"Feathers?": 'or "down", too', "Legs": "count: all, of them", "Tail, (cm)": "straight"}


@pytest.mark.parametrize(
    "text",
    [
        'question,hint\nFeathers?,"or ""down"", too"\nLegs,"count: all, of them"\n'
        '"Tail, (cm)",straight',
        '# of pets\nFeathers? or "down", too\n\nlegs: count: all, of them\nTail, (cm): straight',
        '"Feathers?"\tor "down", too\nLEGS;count: all, of them\nTail, (cm);straight\n',
        json.dumps(HINTS),
    ],
)
def test_a_line_has_a_question_and_the_rest_is_its_hint(text):
    game = open_table(ignore="note,page,photo", thresholds='"Tail, (cm)"')
    assert read_hints(game, io.StringIO(text)) == HINTS
    assert read_hints(game, HINTS) == HINTS


def test_notes_and_hints_change_nothing_else():
    entry = read_entry(make_page(notes="note", hints={"Legs": "count"}))
    assert entry.pop("notes").keys() == {"dog", "duck", "hen"}
    assert entry.pop("hints") == {"Legs": "count"}
    assert entry == read_entry(make_page())
    assert make_page(notes={}, hints={}) == make_page()


def test_the_policy_allows_the_pictures_that_are_there():
    def read_images(**options):
        return re.search(r"img-src ([^;]*);", make_page(**options))[1]

    assert read_images() == read_images(notes="note,page", hints={"Legs": "x.png"}) == "data:"
    assert read_images(notes={"frog": DOT}) == "data:"
    assert read_images(notes="photo") == read_images(notes={"dog": "a.svg"}) == "data: 'self'"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"notes": "Legs"},
            "notes=: 'Legs' is a question of 2 candidates, 2 questions; ignore= leaves",
        ),
        ({"notes": "foto"}, "has no column 'foto'; did you mean 'photo'?"),
        ({"notes": {"dok": "barks"}}, "has no candidate 'dok'; did you mean 'dog'?"),
    ],
)
def test_notes_of_what_is_not_there_are_refused(options, message):
    with pytest.raises(UsageError) as refusal:
        make_page(**options)
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Legs: few\nLeggs: many", "line 2: there is no question 'Leggs'; did you mean 'Legs'?"),
        ("Legs: few\nLEGS: many", "line 2: 'Legs' has a hint already"),
        ('{"Legs": 2}', "question and hint are texts, not 'Legs': 2"),
        ('{"Legs"}', "is no JSON object"),
    ],
)
def test_hints_that_mean_nothing_are_refused(text, message):
    with pytest.raises(GameError) as refusal:
        read_hints(open_table(), io.StringIO(text))
    assert message in str(refusal.value)


@pytest.mark.parametrize("name", ["p2c3r", "range5"])
def test_notes_and_hints_are_for_tables(name):
    tree = treegen.build(name)
    for option in ({"notes": "note"}, {"hints": {"Legs": "count"}}):
        with pytest.raises(UsageError, match=r"works only with tables|no column 'note'"):
            treegen.write_page(tree, io.BytesIO(), **option)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(TABLE)
    for name in ("hints.csv", "hints.html"):
        (tmp_path / name).write_text("question,hint\nLegs,count\n")
    treegen.build(treegen.open_game("t.csv", ignore=ASIDE, notice=print)).write("t.tree")
    return tmp_path


def test_a_shell_takes_notes_of_the_table_and_hints_of_a_file(folder, capsys):
    command = ["export", "html", "t.tree", "-o", "t.html", "--hints", "hints.csv"]
    table = ["--game", "t.csv", "--notes", "note", "--ignore", '"Tail, (cm)",page,photo']
    assert run(*command, *table) == 0
    entry = read_entry((folder / "t.html").read_text())
    assert entry["notes"]["dog"] == [["note", "barks"]]
    assert entry["hints"] == {"Legs": "count"}
    capsys.readouterr()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--notes", "note"], "--notes: t.csv has no column 'note' beside its questions; -g reads"),
        (["--notes", "foto", "-g", "t.csv"], "'t.csv' has no column 'foto'; did you mean 'photo'?"),
        (["--notes", "Legs", "-g", "t.csv"], "--notes: 'Legs' is a question of 't.tree'; treegen"),
        (["--hints", "none.csv"], "cannot read 'none.csv': No such file or directory"),
        (["--hints", "t.csv"], "'t.csv' line 1: there is no question 'name'"),
        (["--hints", "hints.html", "-o", "hints.html"], "hints.html"),
    ],
)
def test_a_shell_refuses_in_a_line_and_writes_nothing(folder, capsys, options, message):
    outputs = ["-o", "t.html"] * ("-o" not in options)
    assert run("export", "html", "t.tree", *outputs, *options) == 2
    assert message in capsys.readouterr().err.splitlines()[-1]
    assert not (folder / "t.html").exists()


HOSTILE = [
    "<script>ran.push('script')</script>",
    "</script><script>ran.push('end')</script>",
    "<!--<script>",
    "<img src=x onerror=\"ran.push('error')\">",
    "javascript:ran.push('link')",
    "https://example.org/\"onmouseover=\"ran.push('over')",
    "data:text/html;base64,PHNjcmlwdD5yYW4ucHVzaCgnaHRtbCcpPC9zY3JpcHQ+",
    # An SVG with a script and onload: pictures of notes are images, in which no script runs.
    "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI5IiBo"
    "ZWlnaHQ9IjkiIG9ubG9hZD0idG9wLnJhbi5wdXNoKCdzdmcnKSI+PHNjcmlwdD50b3AucmFuLnB1c2goJ3N2ZycpPC9z"
    "Y3JpcHQ+PHJlY3Qgd2lkdGg9IjkiIGhlaWdodD0iOSIvPjwvc3ZnPg==",
    'x" onerror="ran.push(1).png',
    "${ran.push('template')}",
    "__proto__",
]


def load_pictures(page):
    """Wait for the pictures in the notes that are shown; return their widths."""
    return page.locator("#notes img").evaluate_all(
        "(images) => Promise.all(images.map((image) => {"
        " image.loading = 'eager';"
        " return image.decode().then(() => image.naturalWidth, () => 0); }))"
    )


@pytest.mark.slow
@BOTH
def test_hostile_notes_and_hints_run_no_script(open_file, tmp_path):
    names = [f"n{at}" for at in range(7)] + ["constructor", *HOSTILE[:2], "__proto__"]
    rows = [[str(at)] for at in range(len(names))]
    game = treegen.Questions(rows, names=names, questions=["Which?"])
    notes = {name: {text: text} for name, text in zip(names, HOSTILE, strict=True)}
    hints = {"Which?": " ".join(HOSTILE)}
    treegen.write_page(treegen.build(game), tmp_path / "n.html", notes=notes, hints=hints)
    page = open_file(tmp_path / "n.html", script="window.ran = [];")
    for at in range(len(names)):
        page.get_by_role("button", name=str(at), exact=True).click()
        page.locator("#notes").wait_for()
        for link in page.locator("#notes a").all():
            assert link.get_attribute("href").startswith("https://example.org/")
        load_pictures(page)
        page.get_by_role("button", name="Start again").click()
    assert page.evaluate("ran") == []
    assert page.evaluate("[...document.querySelectorAll('script')].length") == 2
    assert page.locator("#hint").inner_text() == hints["Which?"]


@pytest.mark.slow
@BOTH
def test_pictures_lie_in_the_page_or_beside_it(open_file, tmp_path):
    (tmp_path / "a dog.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>'
    )
    game = treegen.Questions([["4"], ["2"]], names=["dog", "hen"], questions=["Legs"])
    notes = {"dog": {"photo": "a dog.svg"}, "hen": [DOT, "See https://example.org/hen."]}
    treegen.write_page(treegen.build(game), tmp_path / "n.html", notes=notes)
    page = open_file(tmp_path / "n.html")
    page.get_by_role("button", name="4", exact=True).click()
    page.get_by_role("img", name="dog, photo").wait_for()
    assert load_pictures(page) == [40]
    page.keyboard.press("Backspace")
    page.get_by_role("button", name="2", exact=True).click()
    load_pictures(page)
    assert page.locator("#notes a").get_attribute("href") == "https://example.org/hen"
    assert page.locator("#notes p").last.inner_text() == "See https://example.org/hen."
