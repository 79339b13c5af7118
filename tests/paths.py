"""Where the checkout lies, and its scripts as modules."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def load_script(name):
    """Return a script as a module."""
    spec = spec_from_file_location(name.replace("-", "_"), ROOT / "scripts" / f"{name}.py")
    module = sys.modules[spec.name] = module_from_spec(spec)  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module
