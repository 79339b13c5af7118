"""What indexes, citations and continuous integration say of the project agrees with it."""

import os
import re
import subprocess
import tomllib

import pytest

import treegen

from .paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CITATION = (ROOT / "CITATION.cff").read_text("utf-8")
NIGHTLY = (ROOT / ".github" / "workflows" / "nightly.yml").read_text("utf-8")


def test_the_citation_is_of_this_version():
    version = re.search(r"^version: (\S+)$", CITATION, re.MULTILINE)[1]
    assert version == treegen.__version__
    dated = (ROOT / "CHANGELOG.md").read_text("utf-8")
    released = re.search(r"^date-released: (\S+)$", CITATION, re.MULTILINE)[1]
    assert f"## {version} ({released})\n" in dated


def test_addresses_are_one_owners():
    addresses = [*PROJECT["urls"].values(), *re.findall(r"https://\S+", CITATION)]
    assert len(addresses) >= 7
    assert len({address.split("/")[2] for address in addresses}) == 1


def test_the_matrix_begins_with_the_lowest_python_and_has_the_classified_ones():
    (tested,) = re.findall(r"python: \[(.*)\]", NIGHTLY)
    tested = re.findall(r"[\d.]+", tested)
    assert PROJECT["requires-python"] == f">={tested[0]}"
    classified = {name.rpartition(" ")[2] for name in PROJECT["classifiers"] if ":: 3." in name}
    assert classified <= set(tested)


@pytest.mark.parametrize("script", [".ci/run", ".ci/quick"])
def test_the_nightly_workflow_runs_scripts_that_are_there(script):
    assert f"run: {script}" in NIGHTLY
    assert os.access(ROOT / script, os.X_OK)
    subprocess.run(["bash", "-n", ROOT / script], check=True)
