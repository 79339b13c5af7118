"""Every player plays every table of tests/vectors, and refuses every damaged one."""

import base64
import json
import random
import zlib
from contextlib import suppress

import pytest

from treegen import FormatError, read

from ..paths import ROOT, load_script
from ..players import PLAYERS, WON, align, mark_slow, profiles_of, run
from ..small_games import read_description
from ..written import bytes_of, import_table
from .test_table import build

VECTORS = ROOT / "tests" / "vectors"
TABLES = json.loads((VECTORS / "tables.json").read_text("utf-8"))
DAMAGED = json.loads((VECTORS / "damaged.json").read_text("utf-8"))
LAYERS = {
    "python": {"walk", "game", "labels", "file"},
    "c": {"walk", "game"},
    **{name: {"walk", "game", "labels"} for name in ("rust", "go", "java", "js-game")},
}
LONG = "a start of much work"
"""What is refused only after seconds of replay: in the quick suite by `Player` alone."""


def data_of(vector):
    (coding, text), *_ = vector["file"].items()
    data = base64.b64decode(text)
    return zlib.decompress(data) if coding == "zlib_base64" else data


@pytest.mark.parametrize("player", mark_slow(PLAYERS))
def test_transcripts_are_played(player, tmp_path):
    vectors = [vector for vector in TABLES if vector["profile"] in profiles_of(player)]
    games = [[game["answers"] for game in vector["transcripts"]] for vector in vectors]
    tables = [(data_of(vector), game) for vector, game in zip(vectors, games, strict=True)]
    for vector, results in zip(vectors, run(player, tables, tmp_path), strict=True):
        expected = [[vector["first"], *game["results"]] for game in vector["transcripts"]]
        results, expected = align(player, results, expected)
        assert results == expected, vector["name"]


@pytest.mark.parametrize("player", mark_slow(PLAYERS))
def test_damaged_tables_are_refused(player, tmp_path):
    vectors = [v for v in DAMAGED if v["layer"] in LAYERS.get(player, {"walk"})]
    assert len(vectors) >= 30
    check_refused(player, [v for v in vectors if player == "python" or v["name"] != LONG], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("player", [player for player in LAYERS if player != "python"])
def test_other_players_refuse_after_much_work(player, tmp_path):
    (vector,) = (v for v in DAMAGED if v["name"] == LONG)
    check_refused(player, [vector], tmp_path)
    with pytest.raises(FormatError):
        read(data_of(vector))


def check_refused(player, vectors, folder):
    results = run(player, [(data_of(vector), []) for vector in vectors], folder)
    accepted = [v["name"] for v, result in zip(vectors, results, strict=True) if result is not None]
    assert (len(vectors) > 0, accepted) == (True, [])


def test_figures_of_the_vectors_are_those_of_their_trees():
    for vector in TABLES:
        game = read_description(vector["game"]) if "game" in vector else None
        tree = import_table(data_of(vector), game)
        figures = tree.share_total, tree.worst, tree.share_histogram, tree.digest
        wanted = tuple(vector[name] for name in ("total", "worst", "histogram", "digest"))
        assert figures == wanted, vector["name"]


RELEASED = sorted((ROOT / "tests" / "data" / "tables-0").glob("*.tgt"))
"""Tables that the first release wrote, and two in forms that it read."""


@pytest.mark.parametrize("path", RELEASED, ids=lambda path: path.stem)
def test_tables_of_the_first_release_are_read_and_written_alike(path):
    data = path.read_bytes()
    tree = read(data)
    assert import_table(data).digest == tree.digest
    if path.stem not in ("long-forms", "later-minor"):
        assert bytes_of(tree, "table", profile=path.stem.rpartition("-")[2]) == data


FUZZED = sorted((ROOT / "tests" / "data" / "fuzzed").glob("*.tgt"))
"""What fuzzers found: `only-candidate-lean` stores states with one candidate, which MicroPython did
not announce."""
FUZZED_GAMES = [[], [0], [1, 0], [2, 0, 1], [0, 2, 2, 1], [4, 2, 0]]


@pytest.mark.parametrize("player", mark_slow(PLAYERS))
def test_tables_of_the_first_release_and_of_fuzzers_are_played(player, tmp_path):
    vectors = [vector for vector in TABLES if vector["profile"] in profiles_of(player)]
    wanted = {path.stem: path.read_bytes() for path in RELEASED}
    assert len(wanted) == 11
    tables, expected = [], []
    for vector in vectors:
        if vector["name"] in wanted:
            games = vector["transcripts"]
            tables.append((wanted[vector["name"]], [game["answers"] for game in games]))
            expected.append([[vector["first"], *game["results"]] for game in games])
    for path in FUZZED:
        if path.stem.rpartition("-")[2] in profiles_of(player):
            tables.append((path.read_bytes(), FUZZED_GAMES))
            expected += run("python", tables[-1:], tmp_path)
    for result, wanted in zip(run(player, tables, tmp_path), expected, strict=True):
        result, wanted = align(player, result, wanted)
        assert result == wanted


@pytest.mark.parametrize("player", mark_slow(p for p in PLAYERS if "full" in profiles_of(p)))
def test_any_minor_version_is_played(player, tmp_path):
    data = bytes_of(build("p2c3r"), "table")
    assert data[6:7] == b"\0"
    tables = [data]
    for minor in (1, 2, 2**31, 2**32, 2**63, 2**64 - 1):
        later = data[:6] + b"\xcf" + minor.to_bytes(8, "big") + data[7:-4]
        tables.append(later + zlib.crc32(later[:-1]).to_bytes(4, "big"))
    assert {read(table).total for table in tables} == {24}
    plain, *others = run(player, [(table, [[0, 1], [2], [3]]) for table in tables], tmp_path)
    assert plain is not None
    assert others == [plain] * 6


def test_damaged_tables_are_not_loaded():
    loaded = []
    for vector in DAMAGED:
        if vector["name"] == LONG:
            continue
        with suppress(FormatError):
            read(data_of(vector))
            loaded.append(vector["name"])
    assert loaded == []


def games_of(tree, secrets):
    """Return the answers that secrets give, and the results that the tree promises."""
    game, answers, results = tree.game, [], []
    for secret in secrets:
        node, replies, guesses = 0, [], [int(tree.guess[0])]
        while not replies or replies[-1] != game.win:
            replies.append(game.score(guesses[-1], secret))
            children = {int(tree.response[child]): child for child in tree.children(node)}
            node = children.get(replies[-1], node)
            guesses.append(WON if replies[-1] == game.win else int(tree.guess[node]))
        answers.append(replies)
        results.append(guesses)
    return answers, results


def check_secrets(player, tree, secrets, profile, folder):
    # Games that begin alike follow each other: the drivers take answers back.
    answers, expected = zip(*sorted(zip(*games_of(tree, secrets), strict=True)), strict=True)
    (results,) = run(player, [(bytes_of(tree, "table", profile=profile), answers)], folder)
    assert results == list(expected)
    lengths = [len(result) - 1 for result in results]
    if len(secrets) == tree.n_secrets:
        assert (sum(lengths), max(lengths)) == (tree.total, tree.worst)


@pytest.mark.parametrize(
    "player",
    [
        *mark_slow(["python", "c", "js-min", "rust", "go", "java"]),
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("js-game", "micropython-min")),
    ],
)
def test_every_secret_of_p4c6r(player, tmp_path):
    tree = build("p4c6r")
    for profile in profiles_of(player):
        check_secrets(player, tree, range(tree.n_secrets), profile, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["p4c10n", "p5c8r"])
@pytest.mark.parametrize(
    ("player", "profiles"),
    [
        *(("python", ["full", "lean"]), ("c", ["full", "lean"])),
        *(("js-min", ["full"]), ("js-game", ["full"]), ("micropython-min", ["full"])),
    ],
)
def test_every_secret_of_larger_games(player, profiles, game, tmp_path):
    tree = build(game)
    secrets = range(tree.n_secrets)
    if player.startswith("micropython"):
        secrets = sorted(random.Random(3).sample(secrets, 500))
    for profile in profiles:
        check_secrets(player, tree, secrets, profile, tmp_path)


def test_vectors_are_what_the_script_writes(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    monkeypatch.setattr("sys.argv", ["make-vectors.py", str(tmp_path)])
    load_script("make-vectors").main()
    for name in ("tables.json", "damaged.json"):
        assert json.loads((tmp_path / name).read_text("utf-8")) == json.loads(
            (VECTORS / name).read_text("utf-8")
        )
