"""The Arduino library: its sketch on this machine, and as the IDE compiles it, under simavr."""

import shutil
import subprocess
from pathlib import Path

import pytest

from treegen import Codebook, make_player, open_game

from ..formats.test_players import make_questions, play_by_tree, secrets_of, write_changes
from ..formats.test_table import build
from ..players import HERE, compiler
from ..pseudo_words import make_words

CORE = Path("/usr/share/arduino/hardware/arduino/avr")
BOARDS = {
    "atmega328p": ("standard", "ARDUINO_AVR_UNO"),
    "atmega2560": ("mega", "ARDUINO_AVR_MEGA2560"),
}
WORDS = ["crane", "crate", "trace", "react", "eagle", "geese", "llama"]

ARDUINO = """
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define F(text) text
static int n_looks = 0, n_waits = 0;
static bool has_letter = false;
inline void bark() {
  puts("reset by the watchdog");
  exit(1);
}
inline void yield() {
  n_looks = 0;
  if (++n_waits > 10000) exit(0);
}
inline void delay(unsigned long) { yield(); }
struct Port {
  void begin(long) {}
  void print(const char *text) { fputs(text, stdout); }
  void println(const char *text = "") { puts(text); }
  void write(uint8_t letter) { putchar(letter); }
  int available() {
    if (!has_letter && ++n_looks > 2) bark();
    return has_letter = !has_letter;
  }
  int read() {
    int letter = getchar();
    if (letter == EOF) exit(0);
    n_waits = 0;
    return letter;
  }
};
static Port Serial;
"""
"""A board that has a terminal for its serial port: each letter arrives at the second look. Its
watchdog barks where a sketch looks without waiting; a long wait ends the program."""

SKETCH = """
#include <Arduino.h>
#include "examples/SerialGame/SerialGame.ino"
int main() {
  setup();
  for (;;) loop();
}
"""


def compile_here(folder, *defines):
    """Compile the sketch for this machine; return the command that runs it."""
    (folder / "Arduino.h").write_text(ARDUINO)
    (folder / "board.cpp").write_text(SKETCH)
    flags = ["-std=gnu++11", "-Wall", "-Wextra", "-Werror", "-I", ".", "-I", "src", *defines]
    command = [compiler("g++"), *flags, "board.cpp", "-o", "board"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "board"


@pytest.mark.parametrize(
    ("make", "profile"),
    [
        (lambda: build("p4c6r"), "lean"),
        (lambda: build("p2c3r"), "full"),
        (lambda: build(open_game("p3c4n").with_goal("identify")), "slim"),
        (
            lambda: build(Codebook(["écran", "éclat", "trace", "nacré"], feedback="position")),
            "full",
        ),
        (lambda: build(Codebook(["a" * 20, "b" * 20], feedback="black")), "lean"),
        (make_questions, "full"),
        (lambda: make_questions("win"), "full"),
    ],
    ids=["lean", "full", "identify", "accents", "long", "questions", "questions-won"],
)
def test_the_sketch_plays_its_table(make, profile, tmp_path):
    tree = make()
    write_changes(tmp_path, make_player(tree, "arduino", profile=profile))
    board = compile_here(tmp_path)
    for secret in secrets_of(tree):
        typed, said = play_by_tree(tree, secret, dense=False)
        said = [
            line if line.startswith(("no ", "found", "it is")) else f"{line} ? " for line in said
        ]
        lines = [f" {line} \r\n" for line in typed]
        done = subprocess.run([board], input="".join(lines), capture_output=True, text=True)
        assert done.stdout == "\n".join([*said, said[0]])  # and the next game begins


def make_known():
    """Return a tree that has nothing to ask."""
    game = open_game("p2c3r").with_goal("identify")
    return build(game, history=((game.parse_code("12"), 2),))


@pytest.mark.slow
def test_a_sketch_that_has_nothing_to_do_waits(tmp_path):
    """An ESP8266 was reset by its watchdog, again and again."""
    full, lean, known = (tmp_path / name for name in ("full", "lean", "known"))
    write_changes(full, make_player(build("p2c3r"), "arduino"))
    header = full / "src" / "table.h"
    header.write_text(header.read_text().replace("164,84,71,84", "164,84,71,85"))
    write_changes(lean, make_player(build("p2c3r"), "arduino", profile="lean"))
    write_changes(known, make_player(make_known(), "arduino"))
    boards = [compile_here(full), compile_here(lean, "-DTGT_MAX_SECRETS=1"), compile_here(known)]
    said = [subprocess.check_output([board], input="", text=True, timeout=60) for board in boards]
    assert said[:2] == ["the table is damaged\n", "no room for this table\n"]
    assert said[2].splitlines()[-1].startswith("it is ")


PATIENCE = """
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
static uint32_t n_read, n_yields;
static uint8_t look(const uint8_t *at) {
    if (++n_read > 20000) exit(1);
    return *at;
}
#define TGT_READ(address) look(address)
#define TGT_YIELD() (n_read = 0, n_yields++)
#include "table.h"
#include "tgt_lean.h"
int main(void) {
    static tgt_table table;
    static tgt_lean game;
    static uint8_t candidates[TABLE_CANDIDATE_BYTES];
    if (tgt_open(&table, table_data, table_size) != TGT_OK) return 2;
    if (table.implicit && tgt_lean_start(&table, &game, candidates) != TGT_OK) return 3;
    n_yields = 0;
    if (table.implicit && tgt_lean_answer(&table, &game, 0) != TGT_NEXT) return 4;
    printf("%u", (unsigned)n_yields);
    return 0;
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("profile", "expected"), [("full", 0), ("lean", 1 + 12), ("slim", 12 + 12)]
)
def test_the_player_yields_in_its_long_loops(profile, expected, tmp_path):
    """Once for 256 words: lean looks for one with the answer, slim counts all, then both filter."""
    words = make_words(3_000)
    tree = build(Codebook(words, feedback="position"), "first-consistent")
    write_changes(tmp_path, make_player(tree, "c", profile=profile))
    (tmp_path / "patience.c").write_text(PATIENCE)
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
    command = [compiler(), *flags, "patience.c", "-o", "patience"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert int(subprocess.check_output([tmp_path / "patience"])) == expected


def test_the_library_is_laid_out_as_the_ide_reads_it():
    files = make_player(build("p2c3r"), "arduino")
    properties = dict(
        line.split("=", 1) for line in files["library.properties"].decode().splitlines()
    )
    needed = {"name", "version", "author", "maintainer", "sentence", "paragraph", "architectures"}
    assert needed <= properties.keys() and properties["version"].count(".") == 2
    assert f"src/{properties['includes']}" in files
    assert "examples/SerialGame/SerialGame.ino" in files and "keywords.txt" in files
    assert "p2c3r" in files["README.md"].decode()


@pytest.fixture(scope="module")
def board():
    if not CORE.exists() or shutil.which("avr-g++") is None:
        pytest.skip("arduino-core-avr or avr-g++ is not installed")


@pytest.fixture(scope="module")
def serial(tmp_path_factory):
    """Return a program that runs another one under simavr and talks to its serial port."""
    if not Path("/usr/include/simavr").exists():
        pytest.skip("libsimavr-dev is not installed")
    program = tmp_path_factory.mktemp("serial") / "serial"
    source = HERE.parent / "packages" / "serial.c"
    subprocess.run(["gcc", source, "-o", program, "-lsimavr", "-lelf"], check=True)
    return program


def compile_sketch(folder, board="atmega328p"):
    """Compile the example with the core, as the IDE does; return the program."""
    variant, name = BOARDS[board]
    core = CORE / "cores" / "arduino"
    shutil.copy(folder / "examples" / "SerialGame" / "SerialGame.ino", folder / "sketch.cpp")
    flags = ["-Os", f"-mmcu={board}", "-DF_CPU=16000000L", "-DARDUINO=10819", f"-D{name}"]
    flags += ["-DARDUINO_ARCH_AVR", "-ffunction-sections", "-fdata-sections", "-w"]
    flags += ["-DDECIMAL_DIG=17"]  # Debian's avr-g++ 5 has none in C++11, and the core uses it
    flags += ["-I", core, "-I", CORE / "variants" / variant, "-I", folder / "src"]
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


@pytest.mark.slow
def test_the_example_plays_over_serial(board, serial, tmp_path):
    write_changes(tmp_path, make_player(build("p4c6r"), "arduino", profile="lean"))
    program = compile_sketch(tmp_path)
    said = play(serial, program, "0 2\nx\n4 0\n", 5)
    assert said == [
        "1 1 2 2 ? ",
        "2 3 4 4 ? ",
        "no secret fits that answer; please check it",
        "2 3 4 4 ? ",
        "found",
    ]
    size = subprocess.run(["avr-size", program], capture_output=True, text=True).stdout
    data, bss = map(int, size.splitlines()[1].split()[1:3])
    assert data + bss < 1000  # of 2,048 bytes of RAM: candidates, serial buffers, the line


@pytest.mark.slow
def test_a_table_of_more_than_32_kilobytes(board, serial, tmp_path):
    words = make_words(8_000)
    tree = build(Codebook(words[:5_200], words[5_200:], feedback="position"), "first-consistent")
    files = make_player(tree, "arduino")
    assert 1 << 15 < len(files["table.tgt"]) < 3 << 14
    write_changes(tmp_path, files)
    program = compile_sketch(tmp_path, "atmega2560")
    said = play(serial, program, "22222\n", 2, "atmega2560")
    assert said == [f"{words[int(tree.guess[0])]} ? ", "found"]


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["full", "slim"])
def test_a_sketch_plays_another_table_of_the_serial_line(board, serial, tmp_path, profile):
    tree = build(Codebook(WORDS, feedback="position"))
    write_changes(tmp_path, make_player(tree, "arduino", profile=profile))
    program = compile_sketch(tmp_path)
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
