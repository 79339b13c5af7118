"""The command line, run in this process."""

import pytest

from treegen.cli.main import main


def run(*args):
    """Run a command; return its exit code. What it prints is left to ``capsys``."""
    with pytest.raises(SystemExit) as stop:
        main(list(args))
    return stop.value.code
