"""Run the command line: the entry point of ``treegen`` and of ``python -m treegen``."""

from __future__ import annotations

import gc
import os
import sys

LIVE_OBJECTS = 200_000
"""New objects after which Python collects garbage. The default, 700, would scan modules
that are just being imported hundreds of times: a fifth of a short command's time."""


def main() -> None:
    """Run the command line and exit."""
    gc.set_threshold(LIVE_OBJECTS)
    hook, sys.unraisablehook = sys.unraisablehook, _end_if_interrupted
    try:
        from .cli.main import guard
        from .cli.main import main as run

        sys.unraisablehook = hook
        with guard():
            run()
    except KeyboardInterrupt:  # while modules are still being imported
        print(INTERRUPTED, file=sys.stderr)  # noqa: T201
        sys.exit(130)
    finally:
        gc.freeze()  # the process ends: no need for a last garbage collection


INTERRUPTED = "treegen: interrupted; nothing was written"


def _end_if_interrupted(unraisable: sys.UnraisableHookArgs) -> None:
    """End the process for a Ctrl-C that Python drops: it came in a callback of an import."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
        return
    print(INTERRUPTED, file=sys.stderr, flush=True)  # noqa: T201
    os._exit(130)


if __name__ == "__main__":
    main()
