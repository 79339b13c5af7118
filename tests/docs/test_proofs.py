"""What docs/proofs.md says of Mastermind's certificate is what the shipped one has."""

import csv
import lzma
import re

from treegen import Codebook, Questions, build, certify, verify

from ..command import show
from ..paths import ROOT
from ..readme import read_commands

PAGE = ROOT / "docs" / "proofs.md"
SHIPPED = ROOT / "trees" / "p4c6r-optimal.proof.xz"


def test_the_commands_print_what_the_page_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    commands = read_commands(PAGE)
    assert len(commands) == 3
    for command in commands:
        assert show(capsys, *command.words) == command.output
    assert certify("p4c6r.tree").encode() == lzma.decompress(SHIPPED.read_bytes())


def test_the_lines_of_the_page_are_those_of_the_certificate():
    lines = lzma.decompress(SHIPPED.read_bytes()).decode().splitlines()
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    shown = [line for name, block in blocks if not name for line in block.splitlines()]
    shown = [line for line in shown if line != "…"]
    assert len(shown) > 20
    assert [line for line in shown if line not in lines] == []
    assert f"a text of {len(lines)} lines" in " ".join(PAGE.read_text("utf-8").split())
    lemmas = [line for line in lines if line.startswith("l ")]
    n_first = sum(line.startswith("l 0 ") for line in lemmas)
    said = f"{n_first} cells of first guesses need a lemma, {len(lemmas) - n_first} of second"
    assert said in " ".join(PAGE.read_text("utf-8").split())


def test_the_three_by_hand_are_what_treegen_writes():
    """A table, hard mode, the worst case; and the totals that the page compares them with."""
    page = PAGE.read_text("utf-8")
    (table,) = re.findall(r"^```none\n(bird,.*?)^```$", page, re.DOTALL | re.MULTILINE)
    rows = list(csv.reader(table.splitlines()))
    answers = [row[2:] for row in rows[1:]]
    labels = ["no", "yes"], ["large", "medium", "small"], ["no", "yes"]
    numbers = [[labels[i].index(a) for i, a in enumerate(row)] for row in answers]
    names = [row[0] for row in rows[1:]]
    birds = Questions(numbers, names=names, questions=rows[0][2:], answers=labels)
    birds = birds.with_stakes([int(row[1]) for row in rows[1:]], [0] * 5 + [1, 2, 1])
    words = Codebook(["bat", "cat", "fat", "hat", "mat", "rat"], ["cfh"], feedback="position")
    after = {"history": [("bat", "022")]}
    trees = [
        build(birds, "optimal"),
        build(words, "optimal", eligible="hints", **after),
        build("p2c3r", "optimal", objective="worst,total"),
    ]
    blocks = re.findall(r"^```text\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    for tree, block in zip(trees, blocks, strict=True):
        text = certify(tree)
        assert text.endswith(block)
        assert verify(tree, certificate=text.encode()).is_proved
    assert build(words, "optimal", **after).total == 11
