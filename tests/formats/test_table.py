"""Tables: every profile gives the tree back; sizes; bad files."""

import random
from dataclasses import replace
from functools import cache
from zlib import crc32

import msgpack
import numpy as np
import pytest

import treegen
from treegen import Codebook, FormatError, Player, TreeError, open_game, write_table

from ..paths import ROOT
from ..small_games import write_history
from ..written import bytes_of, change_table, import_table

PROFILES = ["full", "lean", "slim"]


@pytest.fixture(scope="module")
def knuth():
    return treegen.build("p4c6r", "knuth")


@cache
def build(game, strategy="knuth", history=()):
    game = open_game(game)
    return treegen.build(game, strategy, history=write_history(game, history))


def assert_same(read, tree):
    assert read.digest == tree.digest
    assert read.game == tree.game
    for name in ("guess", "response", "first_child", "n_candidates"):
        a, b = getattr(read, name), getattr(tree, name)
        assert a.dtype == b.dtype and np.array_equal(a, b), name


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    "game",
    ["p1c1r", "p1c2r", "p2c2r", "p2c3r", "p3c4n", "p3c3rb", "a321", "p1c40r", "p4c4r", "p7c2r"],
)
@pytest.mark.parametrize("strategy", ["knuth", "gibson-minimax-last", "first-consistent"])
def test_every_profile_gives_the_tree_back(game, strategy, profile):
    tree = build(game, strategy)
    data = bytes_of(tree, "table", profile=profile)
    read = treegen.read(data)
    assert_same(read, tree)
    checked = {claim.name: claim.value for claim in treegen.verify(data, rule=False).checked}
    claimed = {name: checked[name] for name in ("total", "worst", "digest")}
    assert claimed == {"total": tree.total, "worst": tree.worst, "digest": tree.digest}
    assert bytes_of(read, "table", profile=profile) == data
    assert_same(import_table(data, tree.game), tree)


@pytest.mark.parametrize(("profile", "most"), [("full", 3_100), ("lean", 720), ("slim", 575)])
def test_size_of_the_classic_table(knuth, profile, most):
    assert len(bytes_of(knuth, "table", profile=profile)) <= most


@pytest.mark.parametrize("profile", PROFILES)
def test_a_tree_that_starts_mid_game(profile):
    game = open_game("p4c6r")
    history = ((game.parse_code("1122"), 2), (game.parse_code("1344"), 5))
    tree = build("p4c6r", history=history)
    read = treegen.read(bytes_of(tree, "table", profile=profile))
    assert_same(read, tree)
    assert read.provenance.history == history


@pytest.mark.parametrize("profile", PROFILES)
def test_a_large_codebook_with_position_feedback(profile, large_codebook_tree):
    tree = large_codebook_tree
    data = bytes_of(tree, "table", profile=profile)
    assert_same(import_table(data, tree.game), tree)
    whole = bytes_of(tree, "table", profile=profile, all_words=True)
    assert_same(treegen.read(whole), tree)
    assert treegen.read(whole).game.rules.words == tree.game.rules.words
    assert len(data) < 0.5 * len(whole)


@pytest.fixture(scope="module")
def large_codebook_tree():
    """2,000 secrets, 10,000 guesses, 243 responses."""
    random_words = random.Random(5)
    words = []
    known = set()
    while len(words) < 10_000:
        word = "".join(random_words.choices("abcdefghijklmnopqrst", k=5))
        if word not in known:
            known.add(word)
            words.append(word)
    game = Codebook(words[:2000], words[2000:], feedback="position")
    return build(game, "first-consistent")


def test_tables_hold_words_outside_ascii():
    game = Codebook(["äöü", "öäü", "日本語", "üüü"], feedback="position")
    tree = build(game)
    for profile in PROFILES:
        data = bytes_of(tree, "table", profile=profile)
        assert treegen.read(data).game == game
        assert Player(data).guess in game.rules.words


def test_envelope_is_canonical_msgpack(knuth, tmp_path):
    write_table(knuth, tmp_path / "t.tgt")
    data = (tmp_path / "t.tgt").read_bytes()
    values = msgpack.unpackb(data)
    assert values[:3] == ["TGT1", 0, "full"]
    assert list(values[5]) == ["digest", "strategy", "total", "worst"]
    assert values[-1] == crc32(data[:-5])
    assert msgpack.packb(values) == data
    assert treegen.read(tmp_path / "t.tgt").digest == knuth.digest


def test_lean_keeps_pairs_that_do_not_guess_the_lower():
    lower, higher = build("p4c6r", "knuth"), build("p4c6r", "gibson-minimax-last")
    implicit = [
        msgpack.unpackb(bytes_of(tree, "table", profile="lean"))[9] for tree in (lower, higher)
    ]
    assert implicit == [2, 1]


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        (0, "TGT2", "no table|neither a .tree file nor a .tgt table"),
        (2, "lush", "unknown"),
        (3, ["cards", 3], "unknown kind"),
        (3, ["pegs", 4, 7, 1, "pegs"], "n_codes"),
        (3, ["pegs", 0, 7, 1, "pegs"], "out of range"),
        (3, ["pegs", 4, 6, 1, "taste"], "rule"),
        (4, [1], "start"),
        (4, [9999, 1], "start"),
        (5, {"digest": b""}, "meta"),
        (6, 1297, "n_codes"),
        (7, 15, "n_responses"),
        (8, 1377, "length"),
        (8, 0, "n_nodes"),
        (9, 1, "implicit"),
        (10, lambda section: section[:-1], "length"),
        (10, lambda section: b"\xff" * len(section), "too high|behind"),
        (11, lambda section: b"\xff" * len(section), "too high|behind"),
        (11, lambda section: bytes(len(section)), "order"),
        (12, lambda section: bytes(len(section)), "shape"),
        (12, lambda section: b"\xff" * len(section), "shape|behind"),
        (12, lambda section: section[:-1] + bytes([section[-1] | 1]), "behind"),
        (12, 5, "binary"),
    ],
)
def test_damaged_files_are_refused_with_a_reason(knuth, place, value, reason):
    def change(values):
        values[place] = value(values[place]) if callable(value) else value

    data = change_table(bytes_of(knuth, "table"), change)
    with pytest.raises(FormatError, match=reason):
        treegen.read(data)
    with pytest.raises(FormatError, match=reason):
        Player(data)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_tree_whose_columns_do_not_fit_each_other_is_not_written(profile, tmp_path):
    tree = build("p2c3r")
    guess = tree.guess.copy()
    guess[1] = 9
    with pytest.raises(TreeError, match=r"node 1: its guess is not in 0 … 8"):
        write_table(replace(tree, guess=guess), tmp_path / "a.tgt", profile=profile)
    sizes = tree.n_candidates.copy()
    sizes[1] += 1
    with pytest.raises(TreeError, match="node"):
        write_table(replace(tree, n_candidates=sizes), tmp_path / "a.tgt", profile=profile)
    assert not list(tmp_path.iterdir())


def test_a_table_that_claims_too_much_is_not_imported(knuth):
    data = change_table(bytes_of(knuth, "table"), lambda values: values[5].update(total=5800))
    with pytest.raises(FormatError, match="total"):
        import_table(data)


def test_the_table_by_hand_in_the_specification():
    text = (ROOT / "docs" / "notes" / "table-format.md").read_text("utf-8")
    dump = text.partition("<!-- hex: p2c2r -->\n```\n")[2].partition("```")[0]
    data = bytes.fromhex("".join(line[:47] for line in dump.splitlines()))
    assert data == bytes_of(build("p2c2r"), "table")


def test_sizes_in_the_specification(knuth):
    text = (ROOT / "docs" / "notes" / "table-format.md").read_text("utf-8")
    for profile in PROFILES:
        row = next(line for line in text.splitlines() if line.startswith(f"| `{profile}` |"))
        assert f"| {len(bytes_of(knuth, 'table', profile=profile)):,} B |" in row
