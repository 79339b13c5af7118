"""What may be typed: the examples of all players take the same lines, and refuse the same."""

import re
import subprocess
import sys
from functools import cache
from unittest.mock import patch

import pytest

from treegen import Codebook, Questions, make_player

from ..players import compiler, mark_slow
from ..written import bytes_of
from .test_players import COMPILE, PLAY, play_in_micropython, play_in_node, write_changes
from .test_table import build

LETTERS = "abcdefghijklmnopqrst"


@cache
def make_words(rule, n_pegs):
    """Words of one letter each: every answer but the win is the same, and leads one word on."""
    return build(Codebook([letter * n_pegs for letter in LETTERS], feedback=rule), "knuth")


@cache
def make_questions(yes, no):
    """Questions that ask for one candidate after the other."""
    names = [f"N{letter}" for letter in LETTERS]
    rows = [[yes if row == column else no for column in range(19)] for row in range(20)]
    rows[19] = [no] * 18 + ["other"]
    return build(Questions(rows, names, [3 * letter for letter in LETTERS[:19]]), "entropy")


KINDS = {
    "pegs": (lambda: make_words("pegs", 3), "00"),
    "many-pegs": (lambda: make_words("pegs", 10), "0.0"),
    "black": (lambda: make_words("black", 3), "0"),
    "position": (lambda: make_words("position", 3), "000"),
    "questions": (lambda: make_questions("Oui", "Non, pas du tout"), "Non, pas du tout"),
    "accents": (lambda: make_questions("hiver", "été indien"), "été indien"),
    "alike": (lambda: make_questions("Yes", "yes"), "yes"),
    "numbers": (lambda: make_questions("4", "2"), "2"),
    "unlabelled": (lambda: make_questions("4", "2"), "0"),
}
"""Trees, and the answer that leads on."""

ROWS = {
    "pegs": {
        "": 0, " ": 0, "x": 0, "0": 0, "0 0 0": 0, "000": 0, "0,0": 0, "-0 0": 0, "+0 0": 0,
        "0 x": 0, "0 0 x": 0, "00x": 0, "9 9": 0, "2 1": 0, "99999999999999999999 0": 0,
        "00000 0": 0, "0٠": 0, "0 " + "0" * 90: 0, "000 " * 30: 0, "\xff 0": 0,
        "0 0": 1, "00": 1, "0.0": 1, " 0 0": 1, "0 0 ": 1, "\t0\t0\t": 1, "0  0": 1, "0 0\r": 1,
        "00\r": 1, " 00 ": 1, "0\u00a00": 1, "00 00": 1, "0" + " " * 90 + "0": 1,
        ".00.": 1, "0 . 0": 1, "0.0.": 1, "0.x": 0, "é": 0, ".": 0,
    },
    "many-pegs": {
        "00": 1, "000": 0, "0": 0, "0 0": 1, "0.0": 1, "0 0 \r": 1, " 0.0 ": 1, "10 1": 0, "9 1": 0,
        "0000 0000": 1,
    },
    "black": {
        "": 0, "x": 0, "0 0": 0, "0 x": 0, "-0": 0, "+0": 0, "4": 0, "4294967296": 0, "00000": 0,
        "0": 1, " 0 ": 1, "0\r": 1, "\t0": 1, "00": 1, "0000": 1,
    },
    "position": {
        "": 0, "x": 0, "0": 0, "00": 0, "0000": 0, "0 0 0": 0, "000 000": 0, "000 222": 0,
        "222 000": 0, "003": 0, "00x": 0, "0.0.0": 0, "-00": 0, "000000": 0, "000 x": 0,
        "000": 1, "000 ": 1, " 000": 1, "000\r": 1, "\t000 \r": 1, "000" + " " * 90: 1,
    },
    "questions": {
        "": 0, "x": 0, "0": 0, "1": 0, "non": 0, "Non": 0, "Nonpas du tout": 0, "no": 0,
        "Non, pas du tout": 1, "non, pas du tout": 1, "NON, PAS DU TOUT": 1,
        " Non, pas du tout ": 1, "Non, pas du tout\r": 1, "Non,  pas\tdu tout": 1,
        "Non,\u00a0pas du tout": 1, "Non, pas du tout x": 0,
    },
    "accents": {"été indien": 1, "été Indien": 1, " été  indien\r": 1, "ete indien": 0},
    "alike": {"yes": 1, "YES": 0, "yES": 0, " yes ": 1, "no": 0},
    "numbers": {"0": 0, "1": 0, "2": 1, "2 ": 1, "3": 0, "02": 0},
    "unlabelled": {"0": 1, "2": 0, "0 ": 1, "x": 0, "00": 0},
}  # fmt: skip
"""What is typed, and whether it is taken as the answer that leads on."""

UNICODE = {
    "accents": {"ÉTÉ INDIEN": 1, "e\u0301te\u0301 indien": 1, "Été Indien": 1},
    "pegs": {"0\u30000": 1},
}
"""What the languages with tables of Unicode take besides."""
FULL = ("python", "js", "rust", "go", "java")
COMPOSED = {"rust": ["e\u0301te\u0301 indien"], "go": ["e\u0301te\u0301 indien"]}
"""What a language refuses whose library does not compose letters."""


def list_lines(player, kind):
    """Return what is typed, and whether it is taken."""
    rows = ROWS[kind] | (UNICODE.get(kind, {}) if player in FULL else {})
    return list((rows | dict.fromkeys(set(COMPOSED.get(player, ())) & set(rows), 0)).items())


def make_case(kind):
    """Return a tree, its table and its answer that leads on."""
    make, answer = KINDS[kind]
    tree = make()
    labels = "none" if kind == "unlabelled" else "inside"
    return tree, bytes_of(tree, "table", labels=labels), answer


def walk(tree, answer, lines):
    """Return the guesses or questions that a player shows: one, and another after each line."""
    node, shown = 0, [tree.game.format_code(int(tree.guess[0]))]
    for _, is_taken in lines:
        if is_taken:
            node = max(tree.children(node), key=lambda child: tree.n_candidates[child])
        shown.append(tree.game.format_code(int(tree.guess[node])))
    return shown


def check_output(kind, tree, answer, lines, output):
    expected = walk(tree, answer, lines)
    numbers = {3 * letter: f"question {at}" for at, letter in enumerate(LETTERS, start=1)}
    if kind == "unlabelled":
        expected = [numbers[text] for text in expected]
    prompts = re.finditer(r"\b(question \d+|([a-t])\2+)(?= ?\?| \(|\n)", output)
    shown = [found.group(1) for found in prompts]
    assert shown == expected, [*zip([None, *lines], expected, shown, strict=False)]
    assert "found" not in output.replace("not found", "") and "it is" not in output


def type_lines(lines):
    return b"".join(
        (line.encode("latin-1") if line.startswith("\xff") else line.encode()) + b"\n"
        for line, _ in lines
    )


def make_files(tree, language, table):
    """Return the files of a player, which is given another table of the tree."""
    with patch("treegen.formats.players.make_table", return_value=table):
        return make_player(tree, language)


def run_each(language, program, build=(), source=""):
    """Return what plays one case after the other, and builds what plays it where that changes."""

    def run(cases, folder):
        for (tree, table, _), typed in cases:
            changed = write_changes(folder, make_files(tree, language, table))
            if build and (not source or source in changed):
                subprocess.run([compiler(build[0]), *build[1:]], cwd=folder, check=True)
            yield run_program(program, folder, typed)

    return run


def run_js(cases, folder):
    games = [(make_files(tree, "js", table), typed) for (tree, table, _), typed in cases]
    return play_in_node(games, folder)


def run_micropython(cases, folder):
    games = [
        (make_files(tree, "micropython", table), [typed.decode(errors="replace").split("\n")[:-1]])
        for (tree, table, _), typed in cases
    ]
    return play_in_micropython(games)


def run_program(command, folder, typed):
    done = subprocess.run(command, cwd=folder, input=typed, capture_output=True)
    assert done.stderr == b""
    return done.stdout.decode()


RUNNERS = {
    "python": run_each("python", [sys.executable, "tgt_player.py", "table.tgt"]),
    "c": run_each(
        "c", ["./stream", "table.tgt"], ["gcc", "stream.c", "-o", "stream"], source="stream.c"
    ),
    "js": run_js,
    "micropython": run_micropython,
    "micropython-in-python": run_each("micropython", [sys.executable, "example.py"]),
    "rust": run_each("rust", PLAY["rust"], COMPILE["rust"]),
    "go": run_each("go", PLAY["go"], COMPILE["go"]),
    "java": run_each("java", PLAY["java"], COMPILE["java"], source="Game.java"),
}


@pytest.mark.parametrize("player", mark_slow(RUNNERS))
def test_all_players_take_the_same_lines(player, tmp_path):
    cases = [make_case(kind) for kind in KINDS]
    lines = [list_lines(player, kind) for kind in KINDS]
    typed = map(type_lines, lines)
    outputs = RUNNERS[player](zip(cases, typed, strict=True), tmp_path)
    for kind, (tree, _, answer), some, output in zip(KINDS, cases, lines, outputs, strict=True):
        check_output(kind, tree, answer, some, output)


COUNT = """
#include <stdint.h>
static unsigned long n_read;
static uint8_t read_byte(const uint8_t *address) { return n_read++, *address; }
#define TGT_READ(address) read_byte(address)
#include "table.h"
#include "tgt_terminal.h"
int main(void) {
    tgt_table table;
    uint32_t first;
    if (tgt_open(&table, table_data, table_size) != TGT_OK) return 1;
    n_read = 0;
    tgt_print_answers(&table, 200);
    first = tgt_read_answer(&table, 200, "A199");
    printf(" %u %lu", (unsigned)first, n_read);
    return 0;
}
"""


def test_c_reads_many_answers_once(tmp_path):
    """Each answer was looked for from the first one on: 65,534 of them took a minute."""
    names = [f"N{at}" for at in range(200)]
    tree = build(Questions([[f"a{at}"] for at in range(200)], names, ["Which"]), "entropy")
    table = bytes_of(tree, "table")
    write_changes(tmp_path, make_files(tree, "c", table))
    (tmp_path / "count.c").write_text(COUNT)
    subprocess.run([compiler(), "count.c", "-o", "count"], cwd=tmp_path, check=True)
    listed, response, n_read = run_program(["./count"], tmp_path, b"").rsplit(" ", 2)
    assert listed.startswith(" (a0/a1/a10/") and listed.endswith("/...)")
    assert tree.game.notation.list_answers(200)[int(response)] == "a199"
    assert int(n_read) < 10 * len(table)
