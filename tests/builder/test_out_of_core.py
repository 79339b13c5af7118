"""Trees larger than memory, in pieces that are made small inside: results as those of the whole."""

from __future__ import annotations

import json
import tracemalloc
from dataclasses import replace

import pytest

import treegen
from treegen import FormatError, TreeError, open_game, read, verify
from treegen.builder.grow import read_part
from treegen.formats import table
from treegen.formats.graph import generate_json
from treegen.formats.table import generate_table_bytes
from treegen.formats.text import STYLES, generate_text
from treegen.formats.tree_file import generate_tree_bytes, unpack_tree
from treegen.tree import tree as pieces
from treegen.tree.walk import (
    count_below,
    count_levels,
    count_states,
    find_longest,
    history_of,
    path_of,
    summarize_levels,
)
from treegen.verifier.verify import verify_tree

from ..command import run
from ..synthetic import make_synthetic
from ..written import bytes_of

NAMES = ["p1c1r", "p2c3r", "p3c4r", "p4c4n", "p3c5rb"]


@pytest.fixture(params=[1, 7, 64])
def small_pieces(request, monkeypatch):
    """Pieces of so few nodes that every tree has many."""
    monkeypatch.setattr(pieces, "NODES_PER_PIECE", request.param)
    monkeypatch.setattr(pieces, "BLOCK_CANDIDATES", request.param)


def build(name):
    game = open_game(name)
    return treegen.build(game, "knuth")


def describe(tree):
    """Return all that is computed in pieces."""
    return {
        "tree": bytes_of(tree, "tree"),
        "tables": [
            bytes_of(tree, "table", profile=profile) for profile in ("full", "lean", "slim")
        ],
        "texts": [list(generate_text(tree, style)) for style in set(STYLES) - {"wordle", "key"}],
        "cut": list(generate_text(tree, "lines", depth=1)),
        "json": list(generate_json(tree)),
        "cut json": list(generate_json(tree, depth=2)),
        "levels": summarize_levels(tree),
        "report": verify_tree(tree, {"digest": tree.digest, "total": tree.total}).make_report(),
        "sample": verify(tree, sample=3),
    }


@pytest.fixture(scope="module")
def whole():
    return {name: describe(build(name)) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_pieces_give_what_the_whole_gives(whole, small_pieces, name):
    assert describe(build(name)) == whole[name]
    assert whole[name]["report"].is_proved


@pytest.mark.parametrize("name", NAMES)
def test_nodes_one_at_a_time_are_as_the_columns_say(name):
    tree = build(name)
    below = range(tree.n_nodes)
    assert [count_below(tree, node) for node in below] == count_states(tree).tolist()
    lengths = [tree.depth[node] + count_levels(tree, node) for node in below]
    assert lengths == find_longest(tree).tolist()
    assert [tree.wins(node) for node in range(tree.n_nodes)] == tree.is_winning.tolist()
    for node in range(1, tree.n_nodes):
        parent = int(tree.parent[node])
        assert path_of(tree, node) == [*path_of(tree, parent), int(tree.response[node])]
        assert history_of(tree, node)[:-1] == history_of(tree, parent)


@pytest.mark.parametrize(
    ("column", "node", "value"),
    [
        ("guess", 30, -1),
        ("guess", 30, 64),
        ("response", 30, 20),
        ("response", 2, 0),
        ("first_child", 20, 200),
        ("first_child", 20, 5),
        ("n_candidates", 40, 0),
        ("n_candidates", 40, 9),
    ],
)
def test_damage_is_found_in_whatever_piece(column, node, value, monkeypatch):
    tree = build("p3c4r")
    entries = getattr(tree, column).copy()
    entries[node] = value
    broken = replace(tree, **{column: entries})
    messages = []
    for size in (1 << 20, 1, 7):
        monkeypatch.setattr(pieces, "NODES_PER_PIECE", size)
        with pytest.raises(TreeError) as refusal:
            broken.check()
        messages.append(str(refusal.value))
    assert len(set(messages)) == 1


@pytest.mark.parametrize("damage", [b"\7", b"\1\0\0\0", b"\0\0\0\1", b"\1\0\0\0\1\0\0\0abc"])
def test_a_damaged_part_is_refused(damage):
    with pytest.raises(FormatError, match="the part"):
        read_part(damage)


def test_a_tree_in_parts_is_written_and_read(tmp_path, small_pieces):
    sharded = make_synthetic(50, 4, 3)
    path = tmp_path / "x.tree"
    path.write_bytes(bytes_of(sharded, "tree"))
    tree, claims = unpack_tree(path)
    assert tree.n_nodes == sharded.n_nodes
    assert claims == {
        "total": tree.total,
        "worst": 5,
        "histogram": tree.histogram,
        "digest": tree.digest,
    }
    want = [1, tree.level_starts[2] - 1, 50, 200, 600]
    assert tree.histogram == [*want]


def peak_bytes(function):
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
@pytest.mark.compiled
def test_memory_does_not_grow_with_the_tree(tmp_path, monkeypatch, capsys):
    """With small pieces: whoever took a column whole would need megabytes."""
    monkeypatch.setattr("treegen._files.MAPPED_BYTES", 1)
    monkeypatch.setattr(pieces, "NODES_PER_PIECE", 1 << 12)
    monkeypatch.setattr(pieces, "BLOCK_CANDIDATES", 1 << 12)
    # The tree is made up: no player is to keep the secrets of its game.
    monkeypatch.setattr(table, "_check_work", lambda *_: None)
    path = tmp_path / "x.tree"
    sharded = make_synthetic(160)
    assert sharded.n_nodes > 200_000

    def write(chunks):
        with path.open("wb") as stream:
            stream.writelines(chunks)

    monkeypatch.setattr("treegen.formats.view.MAX_WRITTEN", 1 << 10)
    monkeypatch.setattr(type(sharded.game.notation), "format_code", lambda *_: "12345678")
    assert peak_bytes(lambda: write(generate_tree_bytes(sharded))) < 1_500_000
    tree, _ = unpack_tree(path)
    for work in (
        lambda: unpack_tree(path),
        lambda: [tree.digest, tree.histogram, summarize_levels(tree)],
        lambda: sum(len(piece) for piece in generate_table_bytes(tree)),
        lambda: sum(len(piece) for piece in generate_table_bytes(tree, profile="lean")),
        lambda: sum(1 for _ in generate_text(tree, "lines")),
        lambda: sum(1 for _ in generate_text(tree, "lines", path="0.0/0.1")),
        lambda: sum(1 for _ in generate_json(tree)),
    ):
        assert peak_bytes(work) < 2_000_000  # 2.9 MB of columns; in lists 24 MB


def test_commands_on_a_mapped_file(tmp_path, monkeypatch, capsys, small_pieces):
    tree = build("p3c4r")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.tree").write_bytes(bytes_of(tree, "tree"))

    def show(*words):
        assert run(*words) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    assert json.loads(show("stats", "x.tree", "--json"))["digest"] == tree.digest
    assert "sampled secrets found" in show("verify", "x.tree", "--sample", "5")
    assert "found" in show("verify", "x.tree")
    assert (
        len(show("export", "text", "x.tree", "--path", "01", "--style", "lines").splitlines()) > 9
    )
    assert show("play", "x.tree", "--secret", "432").splitlines()[-1].split()[1] == "432"
    assert show("export", "table", "x.tree", "-o", "x.tgt") == ""
    assert read("x.tgt").digest == tree.digest
    assert [turn.response for turn in tree.play(index=5).turns][-1] == tree.game.win
