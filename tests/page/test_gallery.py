"""The gallery of a folder of trees."""

import re
import shutil
from html import unescape
from urllib.parse import unquote

import pytest

from treegen import build, read, write_table, write_tree
from treegen.errors import FormatError, UsageError

from ..paths import ROOT, load_script
from ..tree.test_tree_html import Outline

TREES = ROOT / "trees"

write_gallery = load_script("build-gallery").write_gallery


@pytest.fixture
def folder(tmp_path):
    for game, strategy in [("p2c3r", "knuth"), ("p3c4r", "knuth"), ("p3c4r", "first-consistent")]:
        tree = build(game, strategy)
        write_tree(tree, tmp_path / f"{game}-{strategy}.tree")
        write_table(tree, tmp_path / f"{game}-{strategy}.tgt")
    (tmp_path / "p2c3r-knuth.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    return tmp_path


def test_every_link_leads_to_a_file_and_every_tree_can_be_played(folder):
    write_gallery(folder, title="Trees & more")
    text = (folder / "index.html").read_text("utf-8")
    play = (folder / "play.html").read_text("utf-8")
    links = [unquote(unescape(link)) for link in re.findall(r'(?:href|src)="([^"]+)"', text)]
    for link in links:
        name, _, place = link.partition("#")
        assert name.startswith("data:") or (folder / name).exists(), link
        if name == "play.html":
            assert f'"name": "{place.rstrip("/")}"' in play
    assert sum(link == "p2c3r-knuth.svg" for link in links) == 2
    assert "<title>Trees &amp; more</title>" in text


def test_figures_stand_with_the_least_total_first(folder):
    write_gallery(folder)
    outline = Outline()
    text = (folder / "index.html").read_text("utf-8")
    outline.feed(re.sub(r"</?(meta|link|img|rect)[^>]*>", "", text))
    assert outline.open == []
    best, other = sorted(build("p3c4r", name).total for name in ("knuth", "first-consistent"))
    assert text.index(f'data-sort="{best}">{best:,}<') < text.index(
        f'data-sort="{other}">{other:,}<'
    )
    assert 'aria-label="Secrets per number of guesses: 1: 1, 2: 2, 3: 5, 4: 1"' in text


def test_the_table_has_a_row_for_each_tree_that_can_be_sorted(folder):
    write_gallery(folder)
    text = (folder / "index.html").read_text("utf-8")
    assert text.count('<th scope="row">') == 3
    assert all(f"{name}<p>" in text for name in ("p2c3r-knuth", "p3c4r-first-consistent"))
    sorts = re.findall(r'data-sort="([^"]+)"', text)
    assert len(sorts) == 4 * 3
    assert all(float(number) > 0 for number in sorts)


def test_each_tree_has_a_plain_sentence_and_play_stands_first(folder):
    write_gallery(folder)
    text = (folder / "index.html").read_text("utf-8")
    worst = build("p3c4r", "knuth").worst
    told = "Keeps the worst case small, as Knuth did in 1977; it finds every code with at most"
    assert f"{told} {worst} guesses" in text
    assert "Guesses the first code that fits all answers; it finds every code" in text
    for row in re.findall(r"<tr id=.*?</tr>", text):
        cell = row[: row.index("</td>")]
        assert ">Play</a>" in cell and ">Explore</a>" in cell


def test_equal_folders_give_equal_pages(folder):
    write_gallery(folder)
    before = [(folder / name).read_bytes() for name in ("index.html", "play.html")]
    write_gallery(folder)
    assert before == [(folder / name).read_bytes() for name in ("index.html", "play.html")]


def test_folders_that_cannot_be_shown_are_refused(tmp_path):
    with pytest.raises(UsageError, match=r"no \.tree file"):
        write_gallery(tmp_path)
    (tmp_path / "a.tree").write_bytes(b"nothing")
    with pytest.raises(FormatError):
        write_gallery(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a.tree"]


def test_the_shipped_gallery_is_that_of_the_shipped_trees(tmp_path):
    for path in TREES.iterdir():
        is_page = path.name in ("index.html", "play.html")
        if path.suffix in (".tree", ".tgt", ".txt", ".svg", ".html") and not is_page:
            shutil.copy(path, tmp_path)
    links = load_script("build-gallery").LINKS
    assert all((TREES / link.partition("#")[0]).exists() for link in links.values())
    assert {"lesson.html", "lesson-sheet.html"} <= {*links.values()}
    write_gallery(tmp_path, links=links)
    for name in ("index.html", "play.html"):
        assert (tmp_path / name).read_bytes() == (TREES / name).read_bytes(), name


@pytest.mark.parametrize("path", sorted(TREES.glob("*.svg")), ids=lambda path: path.stem)
def test_shipped_diagrams_show_the_figures_of_their_trees(path):
    tree = read(path.with_suffix(".tree"))
    figures = f"worst {tree.worst} ({tree.n_worst}×) · {'/'.join(map(str, tree.histogram))}"
    assert figures in unescape(path.read_text("utf-8"))
