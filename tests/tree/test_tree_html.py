"""How a tree shows itself in a notebook."""

from html.parser import HTMLParser

import pytest

from treegen import Codebook, build

VOID = {"br"}


class Outline(HTMLParser):
    """Collects the text and checks that every element is closed in order."""

    def __init__(self):
        super().__init__()
        self.open, self.words, self.counts = [], [], {}

    def handle_starttag(self, tag, attrs):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def read(tree):
    outline = Outline()
    outline.feed(tree._repr_html_())
    outline.close()
    assert outline.open == []
    return outline


@pytest.mark.parametrize("game", ["p1c1r", "p2c3r", "p3c4r", "p4c6r", "p4c10n"])
def test_elements_are_closed_and_figures_shown(game):
    tree = build(game, "first-consistent")
    text = "".join(read(tree).words)
    assert f"{game} · first-consistent" in text
    assert f"total {tree.total:,} · average {tree.average:.4f} · worst {tree.worst}" in text


def test_the_first_levels_are_shown_and_the_rest_counted():
    tree = build("p4c6r", "knuth")
    outline = read(tree)
    guesses = outline.counts["b"] - 1
    assert guesses == tree.level_starts[3] == 120
    stubs = [word for word in outline.words if word.startswith("+") and "worst" in word]
    assert sum(int(word[1:].partition(",")[0]) for word in stubs) == tree.n_nodes - guesses
    assert any("The first 3 guesses are shown" in word for word in outline.words)
    assert len(tree._repr_html_()) < 40_000


def test_a_small_tree_is_shown_whole():
    tree = build("p2c3r", "knuth")
    outline = read(tree)
    assert outline.counts["b"] == tree.n_nodes + 1
    assert "are shown" not in "".join(outline.words)


def test_words_are_escaped():
    game = Codebook(["<b>&", '"<i>', "&lt;", "a&b<"], feedback="position")
    tree = build(game, "first-consistent")
    outline = read(tree)
    assert "<b>&" in outline.words
    assert "i" not in outline.counts
