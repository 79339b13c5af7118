"""The Arduino library, compiled with the core of Debian's arduino-core-avr, run under simavr."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from treegen.export.c import generate_table_header
from treegen.games import CodebookGame

from ..formats.test_table import build, make_table
from ..paths import ROOT
from ..players import HERE
from ..pseudo_words import make_words

pytestmark = pytest.mark.slow

CORE = Path("/usr/share/arduino/hardware/arduino/avr")
BOARDS = {
    "atmega328p": ("standard", "ARDUINO_AVR_UNO"),
    "atmega2560": ("mega", "ARDUINO_AVR_MEGA2560"),
}
WORDS = ["crane", "crate", "trace", "react", "eagle", "geese", "llama"]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    if not CORE.exists() or shutil.which("avr-g++") is None:
        pytest.skip("arduino-core-avr or avr-g++ is not installed")
    folder = tmp_path_factory.mktemp("library")
    script = ROOT / "scripts" / "build-packages.py"
    command = [sys.executable, script, "arduino", "--to", folder]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "arduino"


@pytest.fixture(scope="module")
def serial(tmp_path_factory):
    """Return a program that runs another one under simavr and talks to its serial port."""
    if not Path("/usr/include/simavr").exists():
        pytest.skip("libsimavr-dev is not installed")
    program = tmp_path_factory.mktemp("serial") / "serial"
    source = HERE.parent / "packages" / "serial.c"
    subprocess.run(["gcc", source, "-o", program, "-lsimavr", "-lelf"], check=True)
    return program


def compile_sketch(library, folder, board="atmega328p"):
    """Compile the example with the core, as the IDE does; return the program."""
    variant, name = BOARDS[board]
    core = CORE / "cores" / "arduino"
    sketch = library / "examples" / "SerialGame"
    shutil.copy(sketch / "SerialGame.ino", folder / "sketch.cpp")
    if not (folder / "table.h").exists():
        shutil.copy(sketch / "table.h", folder)
    flags = ["-Os", f"-mmcu={board}", "-DF_CPU=16000000L", "-DARDUINO=10819", f"-D{name}"]
    # Debian's avr-g++ 5 has no DECIMAL_DIG in C++11, which the core uses.
    flags += [
        "-DARDUINO_ARCH_AVR",
        "-DDECIMAL_DIG=17",
        "-ffunction-sections",
        "-fdata-sections",
        "-w",
    ]
    flags += ["-I", core, "-I", CORE / "variants" / variant, "-I", library / "src", "-I", folder]
    sources = [*core.glob("*.c"), *core.glob("*.cpp"), *core.glob("*.S")]
    objects = []
    for source in [*sources, folder / "sketch.cpp"]:
        compiler = "avr-g++" if source.suffix == ".cpp" else "avr-gcc"
        own = ["-Wall", "-Wextra"] if source.name == "sketch.cpp" else []
        head = ["-include", "Arduino.h", "-std=gnu++11"] if compiler == "avr-g++" else []
        objects.append(folder / f"{source.name}.o")
        command = [compiler, *flags, *own, *head, "-c", source, "-o", objects[-1]]
        subprocess.run(command, check=True)
    program = folder / "sketch.elf"
    link = ["avr-g++", f"-mmcu={board}", "-Os", "-Wl,--gc-sections", *objects, "-lm"]
    subprocess.run([*link, "-o", program], check=True)
    return program


def play(serial, program, typed, n_lines, board="atmega328p"):
    command = [serial, program, typed, str(n_lines), board]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = done.stdout.replace("\r", "").splitlines()
    return [line for line in lines if not line.startswith("Loaded ")]  # what simavr says


def test_the_example_plays_over_serial(library, serial, tmp_path):
    program = compile_sketch(library, tmp_path)
    said = play(serial, program, "0 2\nx\n4 0\n", 5)
    assert said == ["1 1 2 2 ? ", "2 3 4 4 ? ", "no secret answers so", "2 3 4 4 ? ", "found"]
    size = subprocess.run(["avr-size", program], capture_output=True, text=True).stdout
    data, bss = map(int, size.splitlines()[1].split()[1:3])
    assert data + bss < 1000  # of 2,048 bytes of RAM: candidates, serial buffers, the line


def test_a_table_of_more_than_32_kilobytes(library, serial, tmp_path):
    words = make_words(8_000)
    tree = build(CodebookGame(words[:60], words[60:], rule="position"), "first-consistent")
    table = make_table(tree, all_words=True)
    assert 1 << 15 < len(table) < 3 << 14
    lines = generate_table_header(table, tree.game, "first-consistent")
    (tmp_path / "table.h").write_text("\n".join(lines) + "\n")
    program = compile_sketch(library, tmp_path, "atmega2560")
    said = play(serial, program, "22222\n", 2, "atmega2560")
    assert said == [f"{words[int(tree.guess[0])]} ? ", "found"]


@pytest.mark.parametrize("profile", ["full", "slim"])
def test_another_table_is_put_in_place(library, serial, tmp_path, profile):
    tree = build(CodebookGame(WORDS, rule="position"))
    table = make_table(tree, profile=profile)
    lines = generate_table_header(table, tree.game, "knuth", profile)
    (tmp_path / "table.h").write_text("\n".join(lines) + "\n")
    program = compile_sketch(library, tmp_path)
    typed, expected, node = "", [], 0
    while True:
        guess = int(tree.guess[node])
        response = tree.game.score(guess, 4)
        typed += tree.game.format_response(response) + "\n"
        expected.append(f"{WORDS[guess]} ? ")
        if response == tree.game.win:
            break
        node = next(child for child in tree.children(node) if tree.response[child] == response)
    assert play(serial, program, typed, len(expected) + 1) == [*expected, "found"]
