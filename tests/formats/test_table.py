"""Tables: every profile gives the tree back; sizes; bad files; words, weights and costs.

Sections of bit fields are compared with their definition, by functions of an inner module: no table
is as long as their blocks.
"""

import itertools
from dataclasses import replace
from functools import cache
from zlib import crc32

import msgpack
import numpy as np
import pytest

import treegen
from treegen import Codebook, FormatError, Player, TreeError, open_game, write_table
from treegen.formats import table as table_bits
from treegen.formats.table import (
    _pack_binary_header,
    generate_fields,
    generate_shape,
    pack_fields,
    unpack_fields,
    unpack_shape,
)

from ..paths import ROOT
from ..pseudo_words import make_words
from ..small_games import read_description, write_history
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


@pytest.fixture(scope="module")
def large_codebook_tree():
    """2,000 secrets, 10,000 guesses, 243 responses."""
    words = make_words(10_000)
    game = Codebook(words[:2000], words[2000:], feedback="position")
    return build(game, "first-consistent")


@pytest.mark.parametrize("profile", PROFILES)
def test_a_large_codebook_with_position_feedback(profile, large_codebook_tree):
    tree = large_codebook_tree
    data = bytes_of(tree, "table", profile=profile)
    assert_same(import_table(data, tree.game), tree)
    whole = bytes_of(tree, "table", profile=profile, all_words=True)
    assert_same(treegen.read(whole), tree)
    assert treegen.read(whole).game.rules.words == tree.game.rules.words
    assert len(data) < 0.5 * len(whole)


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


PSEUDO = make_words(400)


@pytest.fixture(scope="module")
def tree():
    return build(Codebook(PSEUDO[40:80], PSEUDO, feedback="position"), "entropy")


@pytest.mark.parametrize("profile", PROFILES)
def test_only_secrets_and_guessed_words_are_stored(tree, profile):
    data = bytes_of(tree, "table", profile=profile)
    values = msgpack.unpackb(data)
    words = {values[3][4][at : at + 5] for at in range(0, len(values[3][4]), 5)}
    guessed = {tree.game.rules.words[code] for code in tree.guess}
    assert words == guessed | set(PSEUDO[40:80])
    assert values[1] == 1
    assert list(values[-2]) == sorted(values[-2])
    assert len(data) < len(bytes_of(tree, "table", profile=profile, all_words=True)) / 2


@pytest.mark.parametrize("profile", PROFILES)
def test_the_whole_codebook_is_proved_and_restored(tree, profile):
    data = bytes_of(tree, "table", profile=profile)
    loaded = treegen.read(data)
    assert loaded.digest == tree.digest
    assert ("digest", tree.digest) in [(claim.name, claim.value) for claim in treegen.verify(data)]
    assert_same(import_table(data, tree.game), tree)
    assert bytes_of(loaded, "table", profile=profile) == data


def test_words_of_another_list_are_refused(tree):
    data = bytes_of(tree, "table")
    other = Codebook(PSEUDO[40:80], PSEUDO[:399], feedback="position")
    with pytest.raises(FormatError, match="words of another list"):
        import_table(data, other)
    with pytest.raises(FormatError, match="words of another list"):
        import_table(data, build("p2c2r").game)


def test_a_reader_that_ignores_the_keys_finds_a_whole_table(tree):
    """As one of minor 0 does: the digest of the meta is that of the words in the table."""
    values = msgpack.unpackb(bytes_of(tree, "table"))
    game = read_description(values[3])
    plain = build(game, "entropy")
    assert game.rules.excerpt is None
    cut = treegen.read(bytes_of(tree, "table"))
    words = tree.game.rules.words
    assert [game.rules.words[code] for code in cut.guess] == [words[code] for code in tree.guess]
    if plain.guess.tolist() == cut.guess.tolist():
        assert bytes.fromhex(plain.digest) == values[5]["digest"]


def test_players_guess_the_same_words(tree):
    cut, whole = Player(bytes_of(tree, "table")), Player(bytes_of(tree, "table", all_words=True))
    for secret in range(tree.game.n_secrets):
        cut.restart(), whole.restart()
        while cut.guess is not None:
            assert cut.guess == whole.guess
            response = tree.game.score(whole.code, secret)
            assert cut.respond(response) == whole.respond(response)


def test_a_tree_file_keeps_the_excerpt(tree):
    cut = treegen.read(bytes_of(tree, "table"))
    written = bytes_of(cut, "tree")
    back = treegen.read(written)
    assert (back.game.rules.excerpt, back.digest) == (cut.game.rules.excerpt, tree.digest)
    assert ("digest", tree.digest) in [(one.name, one.value) for one in treegen.verify(written)]


def test_the_same_tree_is_seen_as_the_same(tree):
    cut = treegen.read(bytes_of(tree, "table"))
    assert treegen.diff(cut, tree).is_equal
    assert treegen.diff(tree, cut).is_equal


def test_a_strategy_is_not_checked_against_the_words_alone(tree):
    report = treegen.verify(bytes_of(tree, "table"))
    assert report.is_sound
    assert [claim.name for claim in report.unchecked] == ["digest", "strategy", "excerpt"]


def test_words_that_take_less_than_the_keys_stay():
    game = Codebook(["crane", "crate", "trace"], ["zzzzz", "yyyyy"], feedback="position")
    values = msgpack.unpackb(bytes_of(build(game), "table"))
    assert (values[1], len(values)) == (0, 14)
    assert values[3] == game.description


def test_guesses_before_the_start_are_kept(tree):
    game = tree.game
    first = game.n_codes - 1
    history = ((first, game.score(first, 3)),)
    late = build(game, "entropy", history=history)
    assert treegen.read(bytes_of(late, "table")).digest == late.digest
    assert_same(import_table(bytes_of(late, "table"), game), late)
    assert import_table(bytes_of(late, "table"), game).provenance.history == history


FIVE = Codebook(["crane", "crate", "trace"], ["slate", "stale"], feedback="position")
WEIGHTED = {
    "weights": open_game("p2c3r").with_stakes(range(9)),
    "costs": open_game("p2c3r").with_stakes(None, range(1, 10)),
    "both": open_game("p2c3r").with_stakes(range(9), range(1, 10)),
    "words": FIVE.with_stakes([5, 1, 1], [1, 2, 3, 4, 5]),
}


@pytest.mark.parametrize("game", WEIGHTED.values(), ids=WEIGHTED.keys())
def test_files_keep_weights_and_costs(game):
    tree = treegen.build(game, "entropy")
    for data in (
        bytes_of(tree, "tree"),
        *(bytes_of(tree, "table", profile=profile) for profile in PROFILES),
    ):
        again = treegen.read(data)
        assert (again.game, again.digest) == (game, tree.digest)
        assert (again.total, again.histogram) == (tree.total, tree.histogram)
        assert treegen.verify(again).is_sound


ANSWERS = treegen.Questions([[0, 0], [0, 1], [1, 0]]).with_stakes([1, 2, 3])


@pytest.mark.parametrize(
    ("game", "wrong"),
    [
        *((WEIGHTED["weights"], wrong) for wrong in ("2,4,6", "0,2,4,6,8,10,12,14,16", "x", "", 5)),
        *((ANSWERS, wrong) for wrong in ("3-1,2", "x", "1,,2", 5)),
    ],
)
def test_wrong_weights_in_a_table_are_refused(game, wrong):
    def replace_weights(values):
        values[3][1] = wrong

    data = bytes_of(treegen.build(game, "entropy"), "table")
    with pytest.raises(FormatError):
        treegen.read(change_table(data, replace_weights))


def write_plainly(values, width):
    """Return a section by its definition: every field as a text of 0 and 1."""
    bits = "".join(f"{value:0{width}b}" for value in values) if width else ""
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8))


@pytest.mark.parametrize("width", [0, 1, 3, 7, 8, 11, 17])
def test_fields_cross_the_ends_of_blocks(monkeypatch, width):
    for block, n_values in itertools.product([8, 16], [1, 7, 8, 9, 40, 41]):
        monkeypatch.setattr(table_bits, "FIELDS_PER_BLOCK", block)
        values = np.random.default_rng(n_values).integers(0, 1 << width, n_values)
        section = pack_fields(values, width)
        assert section == write_plainly(values.tolist(), width)
        assert unpack_fields(memoryview(section), n_values, width).tolist() == values.tolist()


@pytest.mark.parametrize("cuts", [(), (1,), (3, 8), (8, 16), (1, 2, 3, 4, 5, 6, 7)])
def test_pieces_of_any_length_make_the_same_section(cuts):
    values = np.arange(23) % 5
    pieces = np.split(values, cuts)
    assert b"".join(generate_fields(pieces, 3)) == pack_fields(values, 3)
    n_children = np.array([2, 3, 1, 0, 0, 1, 0, 2, 0, 0])
    want = b"".join(generate_shape([n_children]))
    assert b"".join(generate_shape(np.split(n_children, [1, 4, 4, 9]))) == want
    assert np.diff(unpack_shape(memoryview(want), 10)).tolist() == n_children.tolist()


@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 65_535, 65_536, 65_537])
def test_binaries_begin_in_the_shortest_way(size):
    """msgpack itself writes the shortest form."""
    assert _pack_binary_header(size) + bytes(size) == msgpack.packb(bytes(size))
