"""A loop over mutated files: what raises, hangs or swells is kept, and ends it."""

import random
import resource
import signal
import sys
import time
import traceback
import warnings
from pathlib import Path

from treegen import TreegenWarning

HANG_S, WAIT_S = 5, 60
"""Time of the processor, and of a clock: other work may slow this down."""
GROWTH_BYTES = 500 << 20

LIMIT_BYTES = 8 << 30
"""More would take the machine down before the growth is seen."""


class Hang(BaseException):
    """An input takes too long."""


def mutate(rng, data, tokens, others):
    """Return bytes with a few of the changes that files suffer."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        begin = rng.randrange(len(data) + 1)
        end = min(len(data), begin + rng.choice((0, 1, 2, 8, 64, 1000)))
        piece = data[begin:end]
        match rng.randrange(8):
            case 0:
                data = data[:begin] + data[end:]
            case 1:
                data = data[:end] + piece * rng.choice((1, 2, 50)) + data[end:]
            case 2:
                data = data[:begin]
            case 3:
                data = data[:begin] + bytes(rng.randrange(256) for _ in piece) + data[end:]
            case 4:
                other = rng.choice(others)
                cut = rng.randrange(len(other) + 1)
                data = data[:begin] + other[cut : cut + rng.choice((4, 40, 4000))] + data[end:]
            case 5:
                data = data[:begin] + rng.choice((b"9" * 20, b"9" * 5000, b"-1", b"0")) + data[end:]
            case _:
                token = rng.choice(tokens)
                count = rng.choice((1, 1, 1, 3, 20_000 // len(token)))
                data = data[:begin] + token * count + data[end:]
    return data[: 1 << 20]


def check_refusal(error):
    """Assert that an error is one for people."""
    assert len(str(error)) < 1000, str(error)[:300]
    assert "\x1b" not in str(error), str(error)


def run(attempt, name):
    """Give `attempt` numbered random generators for so many seconds; return the exit code.

    `attempt(rng)` returns the input, as bytes, and a function that may raise what is meant for
    people only. The command line has seconds and a seed.
    """
    seconds, seed = int(sys.argv[1]), int(sys.argv[2])
    warnings.simplefilter("ignore", TreegenWarning)
    found = Path(__file__).parents[2] / "build" / "fuzz" / name
    found.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGPROF, _give_up)
    signal.signal(signal.SIGALRM, _give_up)
    resource.setrlimit(resource.RLIMIT_DATA, (LIMIT_BYTES, LIMIT_BYTES))
    end_s, number, most = time.monotonic() + seconds, 0, None
    while time.monotonic() < end_s:
        data, read = attempt(random.Random(f"{seed}.{number}"))
        (found / "current").write_bytes(data)
        begin_s = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, HANG_S)
        signal.setitimer(signal.ITIMER_REAL, WAIT_S)
        problem = ""
        try:
            read()
        except Hang:
            problem = f"no end after {HANG_S} s"
        except BaseException:
            problem = traceback.format_exc()
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
        most = grown if number == 20 else most  # what every input needs is loaded
        if most is not None and grown - most > GROWTH_BYTES:
            problem = f"memory grew by {(grown - most) >> 20} MB"
        if problem:
            path = found / f"{name}-{seed}-{number}"
            path.write_bytes(data)
            print(f"{problem}\n{path} after {time.process_time() - begin_s:.1f} s")
            return 1
        number += 1
    print(f"{number:,} inputs of {name}, seed {seed}")
    return 0


def _give_up(*_):
    raise Hang
