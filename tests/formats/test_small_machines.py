"""What players take of a small machine: code, memory, and what they may not call."""

import subprocess

import pytest

from treegen import make_player

from ..players import SOURCES, compiler
from .test_table import build


def test_a_table_too_large_for_an_array_on_avr_says_so(monkeypatch):
    """It did not compile, and did not say why (#19)."""
    tree = build("p2c3r")
    for size, is_told in ((32_768, False), (49_152, False), (49_153, True)):
        table = bytes(size)
        monkeypatch.setattr(
            "treegen.formats.players.make_table", lambda *_, table=table, **__: table
        )
        header = make_player(tree, "c")["table.h"]
        assert (b"#error" in header) == is_told


def test_short_forms_keep_their_budget():
    # When they played full tables alone and checked less, they took 1,373 and 1,874 bytes; without
    # what opens lean and slim tables, JavaScript takes 1,447 now.
    assert (SOURCES / "js/tgt_player.min.mjs").stat().st_size <= 1447 + 120
    assert (SOURCES / "micropython/tgt_player.min.py").stat().st_size <= 2048


# When it checked less, the player took 2,340 and 6,256 bytes; without `slim`, 2,448 and 6,247 now.
BUDGETS = {
    "arm-none-eabi-gcc": (["-mcpu=cortex-m0", "-mthumb"], 2600),
    "avr-gcc": (["-mmcu=atmega328p", "-mcall-prologues"], 6500),
}


@pytest.mark.parametrize("name", BUDGETS)
def test_c_player_fits_small_machines(name, tmp_path):
    flags, budget = BUDGETS[name]
    (tmp_path / "player.c").write_text(
        """
#include "tgt_player.h"
int open_it(tgt_table *t, const uint8_t *d, uint32_t n) { return tgt_open(t, d, n); }
uint32_t guess(const tgt_table *t, const tgt_state *s) { return tgt_guess(t, s); }
int answer(const tgt_table *t, tgt_state *s, uint32_t b, uint32_t w) {
    return tgt_answer(t, s, tgt_response(t, b, w));
}
"""
    )
    command = [compiler(name), "-std=c99", "-Os", *flags, "-I", SOURCES / "c", "-c", "player.c"]
    subprocess.run(command, cwd=tmp_path, check=True)
    size = subprocess.run(
        [compiler(name.replace("gcc", "size")), "player.o"],
        cwd=tmp_path, check=True, capture_output=True, text=True,
    )  # fmt: skip
    text, data, bss = map(int, size.stdout.splitlines()[1].split()[:3])
    print(f"{name}: .text {text}")
    assert (data, bss) == (0, 0)
    assert text <= budget


def test_c_players_allocate_nothing(tmp_path):
    """All functions of all headers but the terminal's."""
    headers = ("tgt_player", "tgt_codes", "tgt_lean")
    lines = ["#define TGT_QUESTIONS", "#define inline"]
    lines += [f'#include "{name}.h"' for name in headers]
    (tmp_path / "all.c").write_text("\n".join(lines) + "\n")
    flags = ["-std=c99", "-O1", "-fkeep-static-functions", "-Wno-unused-function"]
    command = [compiler(), *flags, "-I", SOURCES / "c", "-c", "all.c"]
    subprocess.run(command, cwd=tmp_path, check=True)
    listed = subprocess.run(
        [compiler("nm"), "all.o"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    symbols = [line.split()[-2:] for line in listed.stdout.splitlines()]
    assert "tgt_lean_start" in [name for kind, name in symbols if kind == "t"]
    needed = {name for kind, name in symbols if kind == "U"}
    assert needed <= {"memcpy", "memset", "memcmp", "strlen", "__stack_chk_fail"}


def test_the_rust_player_cannot_allocate():
    """Without `std`, there is an allocator only where `alloc` is named."""
    source = (SOURCES / "rust" / "tgt_player.rs").read_text("utf-8")
    assert "#![no_std]\n#![forbid(unsafe_code)]\n" in source
    assert "extern crate" not in source
