"""The folder in which a command of a test runs."""

import shutil

import pytest


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """An empty folder; modules that need files have a fixture of this name that writes them."""
    return tmp_path_factory.mktemp("samples")


@pytest.fixture
def folder(samples, tmp_path, monkeypatch):
    """A test's own copy of the samples, which is the working directory."""
    shutil.copytree(samples, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path
