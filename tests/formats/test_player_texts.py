"""Names and words in the sources of players: whatever they are, the sources stay what they are."""

import ast
import json
import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from treegen import Questions, build, make_player
from treegen.player import Player

NAMES = ["a/*b", "a*/ #error x /*", "/*/", "//\\", "??/", "<!-- *b* `c` {size} --> [x](y)", "é|ж"]
FILES = [*NAMES, "line\nfeed\r\x0b", "\u202eright to left\u2066", "\u2028"]
"""Strategies have no control characters, files may."""


def make(name, language):
    """Return the player of a tree that has a name for its strategy, where it may, and its file."""
    tree = build(Questions([["no"], ["yes"]], label=name))
    strategy = name if name in NAMES else "named"
    named = replace(tree, provenance=replace(tree.provenance, strategy=strategy))
    return make_player(named, language)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize("language", ["c", "arduino"])
def test_no_name_of_a_strategy_breaks_the_comment_of_a_header(language, tmp_path):
    """`/*` in it was an error by -Wcomment, bidirectional marks are one by -Wbidi-chars."""
    (tmp_path / "tgt_player.h").write_text("#define TGT_MEMORY\n#include <stdint.h>\n")
    place = "table.h" if language == "c" else "src/table.h"
    for number, name in enumerate(FILES):
        header = make(name, language)[place]
        told = re.match(r"/\* (.*): a \.tgt table of \d+ bytes\. \*/\n", header.decode())[1]
        assert told.isprintable() and not re.search(r"/\*|\*/", told)
        (tmp_path / f"{number}.h").write_bytes(header)
        flags = ["-std=c99", "-pedantic", "-Wall", "-Wno-unused", "-Werror", "-fsyntax-only"]
        command = ["cc", *flags, "-x", "c", f"{number}.h"]
        subprocess.run(command, cwd=tmp_path, check=True)


@pytest.mark.parametrize("name", FILES)
def test_a_package_is_described_in_its_own_syntax(name):
    files = make(name, "npm")
    package = json.loads(files["package.json"])
    assert re.fullmatch("[a-z0-9][a-z0-9-]{0,99}", package["name"])
    readme = files["README.md"].decode()
    told = re.search(r"Plays (.*), 2 candidates.* by the strategy", readme)[1]
    assert not re.search(r"(?<!\\)[`*<>\[]", told)
    shown = re.sub(r"\\(.)", r"\1", told)
    assert shown == "".join(each if each.isprintable() else "?" for each in name)


def test_a_board_knows_candidates_that_are_called_as_its_own_lines():
    names = ["BEFORE = []", "WIN = 13", 'it\'s "x"', "\\n{}", "é"]
    files = make_player(build(Questions([[n] for n in range(5)], names)), "micropython")
    values = {}
    for line in ast.parse(files["example.py"]).body:
        target = ast.unparse(line.targets[0]) if isinstance(line, ast.Assign) else ""
        if target in ("GAME", "BEFORE", "WIN") and target not in values:
            values[target] = ast.literal_eval(line.value)
    assert values == {"GAME": Player(files["table.tgt"]).table.game, "BEFORE": [], "WIN": 5}
