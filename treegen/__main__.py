"""Run the command line: the entry point of ``treegen`` and of ``python -m treegen``."""

import gc
import sys

LIVE_OBJECTS = 200_000
"""New objects after which Python collects garbage. The default, 700, would scan modules
that are just being imported hundreds of times: a fifth of a short command's time."""


def main() -> None:
    """Run the command line and exit."""
    gc.set_threshold(LIVE_OBJECTS)
    try:
        from .cli.main import guard
        from .cli.main import main as run

        with guard():
            run()
    except KeyboardInterrupt:  # while modules are still being imported
        print("treegen: interrupted; nothing was written", file=sys.stderr)  # noqa: T201
        sys.exit(130)
    finally:
        gc.freeze()  # the process ends: no need for a last garbage collection


if __name__ == "__main__":
    main()
