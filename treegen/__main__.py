"""Run the command line as ``python -m treegen``."""

from .cli import main

main()
