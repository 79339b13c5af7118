"""Words that are read from right to left, in the layout of pictures: marks above their letters."""

import re

import pytest

import treegen
from treegen import Codebook
from treegen.formats.view import make_view
from treegen.games.text import reads_leftward
from treegen.pictures.game import plot_game
from treegen.pictures.picture import paint_marks
from treegen.pictures.plot import make_layout

HEBREW = ["ניאבק", "יישרם", "הפרעה", "גיירך", "מנומק", "אקולל", "זומרת", "הצרתם"]
LATIN = ["crane", "slate", "trace", "abide", "stone"]


@pytest.fixture(params=[HEBREW, LATIN], ids=["hebrew", "latin"])
def tree(request):
    return treegen.build(Codebook(request.param, feedback="position"), "entropy")


def turn(tree, row):
    """Return what belongs to the letters of a word as it stands, from left to right."""
    return list(row)[::-1] if reads_leftward("".join(tree.game.notation.own_symbols)) else list(row)


def test_tiles_of_an_icicle_stand_in_the_direction_of_their_script(tree):
    layout = make_layout(make_view(tree))
    for index, node in enumerate(layout.nodes.tolist()):
        if node:
            marks = paint_marks(tree.game.format_response(int(tree.response[node])))
            assert layout.tiles(index) == turn(tree, marks)


def test_words_of_a_picture_stand_in_the_direction_of_their_script(tree):
    secret = tree.game.format_code(int(tree.guess[tree.children(0)[0]]))
    figure = plot_game(tree, secret=secret)
    rows = {}
    for text in figure.axes[-1].texts:
        x, y = text.get_position()
        if x >= 1.5 and len(text.get_text()) == 1:
            rows.setdefault(y, []).append((x, text.get_text()))
    words = [[letter for _, letter in sorted(row)] for _, row in sorted(rows.items())]
    assert words[0] == turn(tree, tree.game.format_code(int(tree.guess[0])))
    assert words[-1] == turn(tree, secret)


def test_words_in_a_notebook_stand_in_the_direction_of_their_script(tree):
    shown = tree.play(tree.game.format_code(0))._repr_html_().partition("</tr>")[0]
    letters = re.findall(r"<span[^>]*>(\w)</span>", shown)
    assert letters == turn(tree, tree.game.format_code(int(tree.guess[0])))
