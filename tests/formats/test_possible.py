"""Trees of uncertain answers and classes: what is written is read back; bad texts are refused."""

import io
from dataclasses import replace
from functools import cache

import pytest

import treegen
from treegen import FormatError, Player

from ..small_tables import draw_table
from ..written import bytes_of, import_table


def list_announced(tree):
    """Return what each leaf announces."""
    return {node.number: node.guess for node in tree if node.is_leaf}


@cache
def list_trees(goal="identify"):
    drawn = [draw_table(seed, goal=goal) for seed in range(16)]
    return [
        treegen.build(game)
        for game, plain in drawn
        if game.rules.shares is not None and plain.count_separable(plain.root)
    ]


each_goal = pytest.mark.parametrize("goal", ["identify", "win"])


@each_goal
def test_what_is_written_is_read_back(goal):
    for number, tree in enumerate(list_trees(goal)):
        binary = io.BytesIO()
        treegen.write_tree(tree, binary)
        assert treegen.read(binary.getvalue()) == tree, number
        for style in ("indented", "key", "booklet"):
            text = io.StringIO()
            treegen.write_text(tree, text, style)
            back = treegen.import_tree(io.StringIO(text.getvalue()), tree.game, format=style)
            assert back == tree, (number, style)
        for write in (treegen.write_json, treegen.write_graphml):
            text = io.StringIO()
            write(tree, text)
            back = treegen.import_tree(io.StringIO(text.getvalue()), tree.game)
            assert back == tree, (number, write)


@each_goal
def test_players_play_to_every_leaf(goal):
    """They announce all that is left, or guess until the guess is right."""
    for tree in list_trees(goal):
        table = bytes_of(tree, "table")
        assert import_table(table, tree.game) == tree
        n_ends = int(tree.is_winning.sum()) if goal == "win" else len(list_announced(tree))
        assert walk(tree, Player(table), 0) == n_ends > 0


def walk(tree, player, node):
    """Play all that follows a node; return the number of games that end there."""
    n_ended, guess = 0, tree[node].guess
    if tree.game.goal == "identify" and tree[node].is_leaf:
        assert (player.guess, player.found) == (None, guess)
        n_ended = 1
    else:
        assert player.guess == guess
    if tree.game.goal == "win" and tree.wins(node):
        player.answer("right")
        assert (player.guess, player.found) == (None, guess)
        player.undo()
        n_ended = 1
    for child in tree.children(node):
        player.respond(int(tree.response[child]))
        n_ended += walk(tree, player, child)
        player.undo()
    return n_ended


def test_a_table_needs_its_answers():
    table = bytes_of(list_trees()[0], "table")
    with pytest.raises(FormatError, match=r"treegen import table FILE -g TABLE\.csv"):
        treegen.read(table)
    with pytest.raises(FormatError, match="is not of"):
        import_table(table, list_trees()[1].game)


def test_what_announces_too_much_or_too_little_is_refused():
    tree = next(
        tree
        for tree in list_trees()
        if any(" | " in text for text in list_announced(tree).values())
    )
    text = io.StringIO()
    treegen.write_text(tree, text, "key")
    several = next(text for text in list_announced(tree).values() if " | " in text)
    written = text.getvalue().replace(several, several.split(" | ")[0])
    with pytest.raises(FormatError, match="nothing more can be told apart"):
        treegen.import_tree(io.StringIO(written), tree.game, format="key")


@pytest.mark.parametrize("number", range(2))
@each_goal
def test_pictures_and_pages_are_made(goal, number, tmp_path):
    tree = list_trees(goal)[number]
    for name in ("t.svg", "t.html", "t.gv"):
        tree.write(tmp_path / name)
    treegen.write_booklet(tree, tmp_path / "b.html")
    assert "paragraph 1" in (tmp_path / "b.html").read_text("utf-8")
    assert str(treegen.stats(tree))
    assert treegen.verify(tree).is_sound


def test_in_python_a_leaf_says_what_is_left():
    tree = next(
        tree
        for tree in list_trees()
        if any(" | " in text for text in list_announced(tree).values())
    )
    node, several = next(item for item in list_announced(tree).items() if " | " in item[1])
    assert tree[node].guess == several
    assert tree.guess_after(tree[node].history) == several
    assert several in tree._repr_html_()
    assert several in set(tree.to_dataframe()["guess"])
    assert several in {data["guess"] for _, data in tree.to_networkx().nodes(data=True)}


@pytest.mark.parametrize("number", range(3))
def test_a_changed_column_is_refused_when_it_is_read_or_does_no_harm(number):
    """A branch that nobody takes, a question asked again: what follows candidates trusts them."""
    tree = list_trees()[number]
    reasons = set()
    for name in ("guess", "response", "first_child", "n_candidates"):
        for node in range(tree.n_nodes):
            for step in (-1, 1):
                column = getattr(tree, name).copy()
                column[node] += step
                changed = replace(tree, **{name: column})
                written = write_unchecked(replace_facts(changed, tree))
                try:
                    read = treegen.read(written)
                except FormatError as error:
                    reasons.add(str(error).rpartition(": ")[2])
                    assert treegen.verify(written).problems
                    continue
                assert read.total >= 0 and list_announced(read)
                treegen.verify(read)
    assert "its branches are not the answers of its candidates" in reasons


def write_unchecked(tree):
    """Return the ``.tree`` file of columns that no writer takes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(treegen.Tree, "check", lambda tree: None)
        return bytes_of(tree, "tree")


def replace_facts(changed, tree):
    """Return a tree that claims the figures of another: its own cannot be counted."""
    for name in ("share_histogram", "digest", "level_starts"):
        changed.__dict__[name] = getattr(tree, name)
    return changed
