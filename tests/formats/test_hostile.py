"""Files that mean harm: mutations, truncations, fuzzers."""

import importlib.util
import random
import shutil
import subprocess
import sys

import pytest

from treegen import FormatError, Player, read

from ..paths import ROOT, load_script
from ..players import HERE, PLAYERS, SANITIZE, SOURCES, compiler
from ..written import bytes_of, seal_table
from .test_table import build


@pytest.fixture(scope="module")
def mutate(tmp_path_factory):
    program = tmp_path_factory.mktemp("mutate") / "mutate"
    include = ["-I", SOURCES / "c", "-I", HERE]
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", *SANITIZE]
    subprocess.run([compiler(), *flags, *include, HERE / "mutate.c", "-o", program], check=True)
    return program


@pytest.mark.parametrize(
    ("game", "profile", "count"),
    [
        ("p2c3r", "full", 2_000),
        pytest.param("p2c3r", "full", 20_000, marks=pytest.mark.slow),
        ("p3c4r", "lean", 2_000),
        pytest.param("p4c6r", "full", 20_000, marks=pytest.mark.slow),
        pytest.param("p4c6r", "lean", 20_000, marks=pytest.mark.slow),
    ],
)
def test_c_player_takes_finite_trees_only(game, profile, count, mutate, tmp_path):
    path = tmp_path / "table.tgt"
    path.write_bytes(bytes_of(build(game), "table", profile=profile))
    result = subprocess.run([mutate, path, str(count)], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, ""), result.stdout + result.stderr[-3000:]
    # Some mutations change a guess or the digest: those tables are sound.
    assert 0 < int(result.stdout) < count / 2


def mutate_python(data, rng):
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(6, len(data) - 5)
        changed[place] = rng.choice(
            [rng.randrange(256), changed[place] ^ (1 << rng.randrange(8)), 0xFF, 0xCC]
        )
    return seal_table(changed[: rng.choice([-5, -5, -5, -5, -6, -9])])


def check_is_tree(player):
    """Assert that every state is reached by one way and guesses a code; return their number."""
    table = player.table
    states = [0]
    for node in states:
        assert 0 <= table.guess_of(node) < table.n_codes
        children = (table.child_of(node, r) for r in range(table.n_responses - 1))
        states.extend(child for child in children if child is not None)
    assert states == list(range(table.n_nodes))
    return len(states)


@pytest.mark.parametrize("count", [1_000, pytest.param(20_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("profile", ["full", "lean"])
def test_python_reader_takes_finite_trees_only(profile, count):
    rng = random.Random(7)
    data = bytes_of(build("p2c3r" if profile == "full" else "p3c4n"), "table", profile=profile)
    taken = 0
    for _ in range(count):
        mutated = mutate_python(data, rng)
        try:
            player = Player(mutated)
        except FormatError:
            with pytest.raises(FormatError):
                read(mutated)
            continue
        taken += check_is_tree(player) > 0
    assert 0 < taken < count / 2


@pytest.fixture(scope="module")
def fuzz_players():
    return load_script("fuzz-players")


def list_fuzzed():
    """A short run of four players, and a long one of all, their short forms and parts too."""
    for player in PLAYERS:
        yield pytest.param(player, 2_000, marks=pytest.mark.slow, id=f"{player}-many")
        if player in ("python", "c", "js-game", "micropython"):
            yield pytest.param(player, 60, id=f"{player}-few")


@pytest.mark.parametrize(("player", "count"), list(list_fuzzed()))
def test_no_mutated_table_is_played_otherwise(player, count, fuzz_players, monkeypatch, tmp_path):
    monkeypatch.setattr(fuzz_players, "FOLDER", tmp_path)
    # No test trusts a clock: how long a table takes is looked at by `make fuzz`.
    code = fuzz_players.main(["--tables", str(count), "--only", player, "--limit", "600"])
    assert (code, list(tmp_path.iterdir())) == (0, [])


def test_the_table_that_takes_too_long_is_found(fuzz_players, monkeypatch):
    """The clock of the CPU is injected: a start takes 3 s, a table none, one of them 2 s."""
    now = [0.0]

    def play_all(player, tables, most_cpu_s):
        now[0] += 3 + 2 * tables.count(b"slow")
        assert b"bad" not in tables
        return [[] for _ in tables]

    monkeypatch.setattr(fuzz_players, "play_all", play_all)
    monkeypatch.setattr(fuzz_players, "measure_cpu", lambda: now[0])
    tables = [b"good", b"slow", b"good", b"bad", b"good"]
    fuzz_players.measure_start.cache_clear()
    assert fuzz_players.play("js", tables, 1)[1] == [b"slow", b"bad"]
    assert fuzz_players.play("js", tables, 2)[1] == [b"bad"]
    fuzz_players.measure_start.cache_clear()


@pytest.mark.slow
def test_a_player_that_hangs_is_ended(fuzz_players, monkeypatch):
    def hang(*_):
        while True:
            pass

    monkeypatch.setattr(fuzz_players, "run", hang)
    with pytest.raises(TimeoutError, match="more than 1 s"):
        fuzz_players.play_all("python", [b""], 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "need"),
    [
        ("c", lambda: shutil.which("clang")),
        ("python", lambda: importlib.util.find_spec("atheris")),
    ],
)
def test_fuzzers_find_nothing_in_a_short_run(name, need):
    if not need():
        pytest.skip(f"the fuzzer for {name} is not installed")
    # A slow machine tries fewer inputs in that time; nothing depends on how many.
    command = [sys.executable, ROOT / "scripts" / "fuzz.py", "--seconds", "20", "--only", name]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
