"""The shipped trees: their files are what the code makes, their claims are true."""

from __future__ import annotations

import hashlib
import lzma
import shutil
import zipfile

import pytest

from treegen import certify, manifest, read, verify

from .paths import load_script
from .readme import ROOT

TREES = ROOT / "trees"
build_trees = load_script("build-trees")
SHIPPED = build_trees.list_shipped()
QUICK = [one for one in SHIPPED if not one.is_slow]


def check_proved(one, rule=None):
    report = verify(TREES / f"{one.name}.tree", rule=rule)
    assert report.problems == ()
    (strategy,) = (claim.value for claim in report.claims if claim.name == "strategy")
    assert strategy.split()[0] == one.strategy


@pytest.mark.parametrize("one", SHIPPED, ids=lambda one: one.name)
def test_a_shipped_tree_is_proved(one):
    """That a tree follows its rule is shown below, where that tree is built again."""
    check_proved(one, rule=None if one.is_slow else False)


@pytest.mark.slow
def test_shipped_trees_follow_their_rules():
    for one in QUICK:
        check_proved(one)


@pytest.mark.parametrize("one", SHIPPED, ids=lambda one: one.name)
def test_a_shipped_table_holds_the_proved_tree(one):
    """State by state, as the digest says; what it claims is what the tree's file claims."""
    paths = [TREES / f"{one.name}{suffix}" for suffix in (".tree", ".tgt")]
    proved, table = map(read, paths)
    claimed = [(entry.digest, entry.total, entry.worst) for entry in manifest(*paths).entries]
    assert claimed == [(proved.digest, proved.total, proved.worst)] * 2
    assert table.digest == proved.digest
    assert table.game.description == proved.game.description
    assert table.provenance.strategy == proved.provenance.strategy


@pytest.mark.parametrize("one", QUICK, ids=lambda one: one.name)
def test_a_shipped_tree_comes_out_byte_for_byte(one, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trees").mkdir()
    for command in one.commands:
        build_trees.run(command)
    for path in one.files:
        assert (tmp_path / path).read_bytes() == (ROOT / path).read_bytes(), path


def test_the_shipped_players_come_out_byte_for_byte(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trees").mkdir()
    shutil.copy(TREES / "p4c6r-knuth.tree", "trees")
    build_trees.write_players()
    shipped = sorted(path for path in (TREES / "players").rglob("*") if path.is_file())
    assert [ROOT / path for path in build_trees.list_player_files()] == shipped
    for path in build_trees.list_player_files():
        assert path.read_bytes() == (ROOT / path).read_bytes(), path


def test_the_arduino_library_is_one_folder_without_a_clock():
    """The Arduino IDE refuses a ZIP that has more than one folder at its top, or files there."""
    with zipfile.ZipFile(TREES / "players" / "arduino" / "TreegenPlayer.zip") as archive:
        entries = archive.infolist()
    names = {entry.filename for entry in entries}
    assert {name.partition("/")[0] for name in names} == {"TreegenPlayer"}
    assert {"TreegenPlayer/library.properties", "TreegenPlayer/src/TreegenPlayer.h"} <= names
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {entry.compress_type for entry in entries} == {zipfile.ZIP_STORED}


CERTIFIED = [one for one in SHIPPED if one.is_certified]
CHECKED = [one for one in CERTIFIED if one.game != "p4c9r"]
"""All but one, which takes minutes to write and to check: `make trees-all` does both, and the
manifest has the digest of its text."""


@pytest.mark.parametrize(
    "one",
    [pytest.param(one, marks=[pytest.mark.slow] * one.is_slow) for one in CHECKED],
    ids=[one.name for one in CHECKED],
)
def test_a_shipped_certificate_proves_its_tree(one):
    """It is what the emitter writes, and an independent checker takes it."""
    tree, text = read(TREES / f"{one.name}.tree"), lzma.decompress((ROOT / one.proof).read_bytes())
    assert certify(tree, only_total=True).encode() == text
    report = verify(tree, certificate=text)
    assert report.is_sound and report.proof.startswith("optimal")


def test_the_certificates_are_those_of_the_manifest(monkeypatch):
    monkeypatch.chdir(ROOT)
    lines = (TREES / "SHA256SUMS").read_text(encoding="ascii").splitlines()
    assert [line for line in lines if ".proof" in line] == [
        build_trees.describe_proof(one) for one in CERTIFIED
    ]


def test_the_checksums_are_those_of_the_files():
    text = (TREES / "SHA256SUMS").read_text(encoding="ascii")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    players = [path for path in (TREES / "players").rglob("*") if path.is_file()]
    assert len(lines) == sum(len(one.files) for one in SHIPPED) + len(players)
    for line in lines:
        digest, name = line.split()
        assert hashlib.sha256((TREES / name).read_bytes()).hexdigest() == digest, name
