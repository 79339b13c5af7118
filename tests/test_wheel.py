"""The wheel, installed in an empty environment outside the checkout, does what the README says."""

from __future__ import annotations

import os
import subprocess
import sys
import venv

import pytest

from . import readme

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return the folder of programs of an environment with nothing but the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(folder)]
    subprocess.run([*build, str(readme.ROOT)], check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "env", with_pip=True)
    programs = folder / "env" / "bin"
    subprocess.run([programs / "python", "-m", "pip", "install", "--quiet", wheel], check=True)
    return programs


def test_the_readme_runs_from_the_wheel(installed, tmp_path):
    environment = {**os.environ, "PATH": f"{installed}:{os.environ['PATH']}", "PYTHONPATH": ""}
    for command in readme.read_commands():
        done = subprocess.run(
            ["treegen", *command.words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, command.output), done.stderr
    (tmp_path / "snippet.txt").write_text(readme.read_python(), encoding="utf-8")
    doctest = [installed / "python", "-m", "doctest", "snippet.txt"]
    subprocess.run(doctest, cwd=tmp_path, env=environment, check=True)
