"""Titles of one's own, the direction of growth, and the size of pictures."""

from __future__ import annotations

import io
import re
import struct

import pytest

import treegen
from treegen import UsageError, build

from ..written import has_graphviz
from .test_shown_text import draw, read_texts

pytest.importorskip("matplotlib")

needs_graphviz = pytest.mark.skipif(not has_graphviz(), reason="no Graphviz")
SVG, PNG = (pytest.param(kind, marks=needs_graphviz) for kind in ("svg", "png"))


@pytest.fixture(scope="module")
def tree():
    return build("p2c5r")


def options_of(kind):
    return {"secret": "42"} if kind == "game" else {}


def measure_svg(svg):
    """Return width and height, and the coordinates that fill them."""
    head = svg[: svg.index(b">", svg.index(b"<svg"))].decode()
    sizes = [float(re.search(f'{name}="([\\d.]+)pt"', head)[1]) for name in ("width", "height")]
    return sizes, re.search(r'viewBox="([^"]+)"', head)[1]


@pytest.mark.parametrize("kind", [SVG, "icicle", "histogram", "game"])
def test_a_title_takes_the_place_of_game_and_strategy(tree, kind):
    mine = "Club night: $5 & <b> \\N"
    texts = read_texts(draw(tree, kind, title=f"  {mine} \n", **options_of(kind)))
    assert mine in texts
    assert not any("p2c5r · knuth" in text for text in texts)
    texts = read_texts(draw(tree, kind, title="", **options_of(kind)))
    assert not any("p2c5r · knuth" in text for text in texts)


def test_a_title_is_in_the_document_and_in_a_notebooks_figure(tree):
    assert b"Club night</FONT>" in draw(tree, "dot", title="Club night")
    assert tree.plot("icicle", title="Club night").texts[0].get_text() == "Club night"


@needs_graphviz
@pytest.mark.parametrize("style", ["plain", "compact"])
def test_a_tree_grows_downwards_in_landscape(tree, style):
    def measure(**options):
        (width, height), _ = measure_svg(draw(tree, "svg", style=style, all=True, **options))
        return width / height

    assert measure(landscape=True) > max(1, measure())


@needs_graphviz
def test_a_large_tree_in_landscape_fits_a_page():
    tree = build("p4c4r")
    (width, height), _ = measure_svg(draw(tree, "svg", landscape=True))
    assert 1 < width / height < 4


@pytest.mark.parametrize("kind", [SVG, "icicle", "game"])
def test_an_svg_of_another_scale_is_the_same_picture(tree, kind, scale=0.5):
    plain = draw(tree, kind, **options_of(kind))
    scaled = draw(tree, kind, scale=scale, **options_of(kind))
    sizes, box = measure_svg(plain)
    assert measure_svg(scaled) == ([pytest.approx(size * scale, abs=0.01) for size in sizes], box)
    assert read_texts(scaled) == read_texts(plain)
    assert draw(tree, kind, scale=1, **options_of(kind)) == plain


@pytest.mark.parametrize("kind", [PNG, "icicle", "game"])
def test_a_png_of_another_scale_has_more_pixels(tree, kind):

    def measure(**options):
        file = io.BytesIO()
        write = {"png": treegen.write_picture, "game": treegen.write_game}.get(
            kind, treegen.write_plot
        )
        write(tree, file, format="png", **options_of(kind), **options)
        return list(struct.unpack(">II", file.getvalue()[16:24]))

    plain = measure()
    assert measure(scale=1.5) == [pytest.approx(1.5 * size, abs=2) for size in plain]


@needs_graphviz
def test_a_pdf_of_another_scale_has_a_larger_page(tree):
    def measure(**options):
        box = re.search(rb"/MediaBox \[ ?([\d. ]+)", draw(tree, "pdf", **options))[1].split()
        return [float(number) for number in box[2:]]

    plain = measure()
    assert measure(scale=2) == [pytest.approx(2 * size, rel=0.02) for size in plain]


def test_scales_that_cannot_be_are_refused(tree, tmp_path):
    for kind in ("svg", "icicle", "game"):
        for scale in (0, -1, float("nan"), 11, 0.01):
            with pytest.raises(UsageError, match=r"scale=.* is out of range: .* from 0.1 to 10"):
                draw(tree, kind, scale=scale, **options_of(kind))
    for options in ({"kind": "icicle"}, {"kind": "histogram"}):
        with pytest.raises(UsageError, match="scale= works only with SVG and PNG"):
            treegen.write_plot(tree, tmp_path / "a.pdf", scale=2, **options)
    with pytest.raises(UsageError, match="scale= works only with SVG and PNG"):
        treegen.write_game(tree, tmp_path / "a.pdf", scale=2, secret="42")
    assert list(tmp_path.iterdir()) == []
