"""Run the command line as ``python -m treegen``."""

import sys

try:
    from .cli import main

    main()
except KeyboardInterrupt:  # while modules are still being imported
    print("treegen: interrupted; nothing was written", file=sys.stderr)  # noqa: T201
    sys.exit(130)
