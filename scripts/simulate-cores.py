"""Prove optima with threads on simulated cores: what a machine with more cores would gain.

    .venv/bin/python scripts/simulate-cores.py p4c9r p5c6r --cores 1 4 16

The search is the real one, and so are its threads, but only one runs at a time: that whose clock is
behind all others. A thread's clock advances by the processor time that it uses, and to the moment
when it gets what it waits for: the lock of the search, a wake-up, and Python's interpreter, which
only kernels and copies of large arrays run without (not with ``--free-threaded``). So the table
says what as many real cores would take, if these are as fast as one of this machine and do not slow
each other. The narrow beams that choose the first guess to begin with count as one core's. What a
run does depends on these times, as with real threads; the tree does not, and
that is checked.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, cast

from treegen.errors import TreegenError
from treegen.exact import request
from treegen.exact.engine import pace, responses, search
from treegen.exact.parallel import executor, worker
from treegen.exact.request import SearchControl, SearchSpec
from treegen.exact.run import run_search
from treegen.games.names import parse_game
from treegen.tasks import background, cluster

LOCK_S = 2e-6
"""What it takes to pass a lock on."""

WAKE_S = 50e-6
"""What it takes to start a thread, or to wake one."""


class World:
    """Threads of which one runs at a time, and their clocks."""

    current: ClassVar[Fiber | None] = None
    is_free_threaded: ClassVar[bool] = False

    def __init__(self) -> None:
        self.fibers: list[Fiber] = []
        self.paused = threading.Event()
        self.interpreter_s = 0.0  # when the interpreter is free
        self.waited_s = {"lock": 0.0, "interpreter": 0.0}

    def start(self, function: Callable[[], object]) -> Fiber:
        """Add a thread, which begins when the one that starts it continues."""
        now_s = World.current.clock_s if World.current else 0.0
        fiber = Fiber(self, function, now_s + WAKE_S)
        self.fibers.append(fiber)
        return fiber

    def run(self) -> None:
        """Run all threads to their end."""
        while ready := [fiber for fiber in self.fibers if fiber.is_ready]:
            World.current = min(ready, key=lambda fiber: fiber.clock_s)
            self.paused.clear()
            World.current.may_run.set()
            self.paused.wait()
        World.current = None

    @property
    def end_s(self) -> float:
        """When the last thread ended."""
        return max((fiber.clock_s for fiber in self.fibers), default=0.0)


class Fiber:
    """A thread of a world."""

    def __init__(self, world: World, function: Callable[[], object], clock_s: float) -> None:
        self.world, self.function, self.clock_s = world, function, clock_s
        self.may_run, self.is_ready, self.is_over = threading.Event(), True, False
        self.last_s = self.busy_s = 0.0
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        self._wait_for_turn()
        try:
            self.function()
        finally:
            self.count_time()
            self.is_ready, self.is_over = False, True
            self.world.paused.set()

    def count_time(self) -> None:
        """Add the processor time since the last call to the clock."""
        now_s = time.thread_time()
        self.clock_s += now_s - self.last_s
        self.busy_s += now_s - self.last_s
        self.last_s = now_s

    def pause(self) -> None:
        """Let those run whose clocks are behind."""
        self.world.paused.set()
        self._wait_for_turn()

    def _wait_for_turn(self) -> None:
        self.may_run.wait()
        self.may_run.clear()
        self.last_s = time.thread_time()

    def wait_until(self, moment_s: float, reason: str) -> None:
        """Move the clock on to the moment when something is free."""
        self.world.waited_s[reason] += max(0.0, moment_s - self.clock_s)
        self.clock_s = max(self.clock_s, moment_s)

    def leave_interpreter(self) -> None:
        """Let others run Python from now on."""
        self.count_time()
        self.world.interpreter_s = max(self.world.interpreter_s, self.clock_s)

    def enter_interpreter(self) -> None:
        """Wait until nobody else runs Python."""
        if not World.is_free_threaded:
            self.wait_until(self.world.interpreter_s, "interpreter")


class Lock:
    """Stands for `threading.Condition` and `threading.Lock` in a world."""

    def __init__(self) -> None:
        self.free_s = 0.0
        self.waiting: list[Fiber] = []

    def __enter__(self) -> None:
        if fiber := World.current:
            fiber.leave_interpreter()
            fiber.pause()
            fiber.wait_until(self.free_s, "lock")
            fiber.enter_interpreter()

    def __exit__(self, *_: object) -> None:
        if fiber := World.current:
            fiber.count_time()
            self.free_s = fiber.clock_s + LOCK_S

    def wait(self) -> None:
        """Sleep until somebody wakes this thread."""
        fiber = cast(Fiber, World.current)
        fiber.leave_interpreter()
        self.free_s = fiber.clock_s + LOCK_S
        fiber.is_ready = False
        self.waiting.append(fiber)
        fiber.pause()
        fiber.wait_until(self.free_s, "lock")
        fiber.enter_interpreter()

    def notify(self, n: int = 1) -> None:
        """Wake some that sleep."""
        if World.current:
            World.current.count_time()
        now_s = World.current.clock_s if World.current else 0.0
        for fiber in self.waiting[:n]:
            fiber.clock_s = max(fiber.clock_s, now_s + WAKE_S)
            fiber.is_ready = True
        del self.waiting[:n]

    def notify_all(self) -> None:
        """Wake all that sleep."""
        self.notify(len(self.waiting))


class Thread:
    """Stands for `threading.Thread` in the world of the search that is running."""

    world: ClassVar[World]

    def __init__(self, target: Callable[..., object], args: Sequence[Any], daemon: bool) -> None:
        del daemon
        self.function = lambda: target(*args)

    def start(self) -> None:
        """Add the thread to the world."""
        self.fiber = Thread.world.start(self.function)

    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return not self.fiber.is_over

    def join(self, timeout: float | None = None) -> None:
        """Run the world to its end."""
        del timeout
        Thread.world.run()


class Threading:
    """Stands for the module `threading`."""

    Thread, Condition, Lock = Thread, Lock, Lock


class Clock:
    """Stands for the module `time` where work is measured."""

    perf_counter = staticmethod(time.thread_time)


def let_others_run(kernel: Callable[..., None]) -> Callable[..., None]:
    """Return a kernel of the world: while it runs, others run Python or kernels."""

    def run(*args: Any) -> None:
        if (fiber := World.current) is None:
            return kernel(*args)
        fiber.leave_interpreter()
        kernel(*args)
        fiber.count_time()
        fiber.pause()
        fiber.enter_interpreter()
        return None

    return run


advance = let_others_run(search.advance)


def run_each(functions: Sequence[Callable[[Any], None]], items: Iterable[Any]) -> None:
    """Do what `treegen.tasks` does, with kernels and numpy's copies: both free the interpreter."""
    background.run_each([let_others_run(function) for function in functions], items)


class Measured:
    """What the parts of one proof took that have several threads."""

    def __init__(self) -> None:
        self.worlds: list[World] = []
        self.processor_s = 0.0
        self.n_pieces = 0

    def run(self, run: Callable[[], None]) -> None:
        """Run something in a world of its own."""
        Thread.world = World()
        self.worlds.append(Thread.world)
        before_s = time.process_time()
        try:
            run()
        finally:
            self.processor_s += time.process_time() - before_s

    def run_together(self, functions: Sequence[Callable[[], Any]]) -> None:
        """Do what `treegen.tasks.run_together` does."""
        if len(functions) == 1:
            functions[0]()
            return

        def run() -> None:
            for function in functions:
                Thread.world.start(function)
            Thread.world.run()

        self.run(run)


def measure(name: str, n_cores: int, measured: Measured) -> tuple[float, str]:
    """Prove a game's optimum; return the seconds on a number of cores, and the tree's digest."""

    class ThreadedSearch(executor.ThreadedSearch):
        def run(self, look: Callable[[], None]) -> None:
            measured.run(lambda: super(ThreadedSearch, self).run(look))
            measured.n_pieces += self.n_pieces

    solver = sys.modules["treegen.exact.solver"]
    solver.ThreadedSearch = ThreadedSearch  # type: ignore[attr-defined]
    background.run_together = measured.run_together
    request.open_workers = lambda jobs: cluster.open_workers(jobs=1)  # type: ignore[attr-defined]
    executor.threading = cast(Any, Threading)
    executor.time = pace.time = cast(Any, Clock)
    search.advance = worker.advance = advance
    responses.run_each = run_each
    before_s = time.process_time()
    tree = run_search(parse_game(name), "optimal", SearchSpec(), SearchControl(jobs=n_cores))
    alone_s = time.process_time() - before_s - measured.processor_s
    return alone_s + sum(world.end_s for world in measured.worlds), tree.digest


def main() -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="+")
    parser.add_argument("--cores", nargs="+", type=int, default=[1, 2, 4, 16])
    parser.add_argument("--free-threaded", action="store_true", help="no interpreter's lock")
    options = parser.parse_args()
    World.is_free_threaded = options.free_threaded
    measure("p4c7r", 1, Measured())  # loads the kernels
    print("| game | cores | seconds | times one core | work | pieces | lock, interpreter |")
    print("|---|---|---|---|---|---|---|")
    digests: dict[str, str] = {}
    try:
        for name in options.games:
            first_s = first_work_s = None
            for n_cores in options.cores:
                measured, before_s = Measured(), time.process_time()
                seconds, digest = measure(name, n_cores, measured)
                work_s = time.process_time() - before_s
                first_s, first_work_s = first_s or seconds, first_work_s or work_s
                waits = [
                    sum(world.waited_s[reason] for world in measured.worlds)
                    for reason in ("lock", "interpreter")
                ]
                print(
                    f"| {name} | {n_cores} | {seconds:.2f} | {first_s / seconds:.1f}"
                    f" | {work_s / first_work_s:.2f} | {measured.n_pieces}"
                    f" | {waits[0]:.2f}, {waits[1]:.2f} s |",
                    flush=True,
                )
                if digests.setdefault(name, digest) != digest:
                    print(f"FAILED: {name} has another tree with {n_cores} threads")
                    return 1
    except TreegenError as error:
        print(f"FAILED: {error}")
        return 1
    print("PASSED: the trees are the same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
