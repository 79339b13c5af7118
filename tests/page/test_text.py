"""Text on the page: the rules that tests/vectors/text.json holds the library to as well.

A row has a text, its NFC, its letters (what a reader sees as one), and what it is folded to: full
case folding in NFC, by the usual case of i and by that of Turkish.
"""

import json
import shutil
import subprocess

import pytest

from ..paths import ROOT

VECTORS = json.loads((ROOT / "tests" / "vectors" / "text.json").read_text("utf-8"))
MODULE = ROOT / "treegen" / "player" / "js" / "tgt_text.mjs"


def ask(expression, data):
    """Return what the page's module makes of some data."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    program = f"""
import {{ readFileSync }} from "node:fs";
import * as text from {json.dumps(MODULE.as_uri())};
const data = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(data.map({expression})));
"""
    done = subprocess.run(
        ["node", "--input-type=module", "-e", program],
        input=json.dumps(data), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def test_the_page_reads_text_as_the_vectors_say():
    made = ask(
        """({ text: t }) => {
          const nfc = text.normalize(t);
          const folds = { folded: text.fold(t), turkic: text.foldTurkic(t) };
          return { nfc, letters: text.splitLetters(nfc), ...folds };
        }""",
        VECTORS,
    )
    assert [row | seen for row, seen in zip(VECTORS, made, strict=True)] == VECTORS


FOUND = [
    (["yes", "no"], "YES", 0),
    (["Yes", "yes"], "yes", 1),
    (["Yes", "yes"], "YES", -1),
    (["sıra", "sira"], "sıra", 0),
    (["sıra", "sira"], "SIRA", -1),
    (["sıra", "kara"], "SIRA", 0),
    (["sıra", "kara"], "sira", -1),
    (["sira", "kara"], "SİRA", 0),
    (["one and more", "one"], " One  and\u00a0more", 0),
    (["λόγος"], "ΛΌΓΟΣ", 0),
    (["Straße"], "STRASSE", 0),
    (["caf\u00e9"], "CAFE\u0301", 0),
    ([], "a", -1),
]


def test_a_text_is_found_in_other_capitals_where_one_alone_fits():
    places = ask("([texts, text_]) => text.findName(texts, text_)", [row[:2] for row in FOUND])
    assert [(*row[:2], at) for row, at in zip(FOUND, places, strict=True)] == FOUND
