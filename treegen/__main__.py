"""Run the command line: the entry point of ``treegen`` and of ``python -m treegen``."""

import gc
import sys

LIVE_OBJECTS = 200_000
"""New objects after which Python looks for garbage. Its own 700 would have it look hundreds of
times through modules that are just being imported: a fifth of a short command's time."""


def main() -> None:
    """Run the command line and exit."""
    gc.set_threshold(LIVE_OBJECTS)
    try:
        from .cli import main as run

        run()
    except KeyboardInterrupt:  # while modules are still being imported
        print("treegen: interrupted; nothing was written", file=sys.stderr)  # noqa: T201
        sys.exit(130)
    finally:
        gc.freeze()  # the process ends: nothing need be searched for garbage a last time


if __name__ == "__main__":
    main()
