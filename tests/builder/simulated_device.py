"""Build small games on the simulator of a graphics card, and print the digests of their trees.

It runs as a program of its own: numba reads NUMBA_ENABLE_CUDASIM when it is imported.
"""

import json
import re
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Lock

import numpy as np
from numba.cuda.simulator.kernel import BlockManager, BlockThread

import treegen
from treegen import SearchStoppedError, Stop, open_game
from treegen.builder import choose, device
from treegen.builder.grow import build_sharded, build_tree
from treegen.formats.inputs import parse_history
from treegen.kernels.onestep import device as kernels
from treegen.strategies.named import parse_strategy
from treegen.strategies.strategy import change_strategy

from ..written import bytes_of

# So that the card is used at all, and finds symmetries, where everything is small.
SMALL = {"FEWEST_CODES": 0, "FEWEST_MAPPED": 2, "PAIRS_PER_MAP": 0}

TURNS = Random(5)

# Game, strategy and their options; in capitals, what is set in the modules. The default is knuth.
BUILDS = {
    "knuth": {"game": "p3c3r"},
    "most-parts": {"strategy": "most-parts"},
    "expected-size": {"strategy": "expected-size"},
    "entropy": {"strategy": "entropy"},
    "no consistent": {"strategy": "max,parts,lowest"},
    "highest": {"strategy": "parts,entropy,highest"},
    "highest, consistent": {"strategy": "expected,consistent,highest"},
    "consistent first": {"strategy": "consistent,max,expected,entropy,lowest"},
    "removals": {"strategy": "removals,lowest"},
    "consistent alone": {"strategy": "consistent,lowest"},
    "first-fastest": {"game": "p3c3r", "order": "first-fastest"},
    "candidates": {"game": "p3c3r", "eligible": "candidates"},
    "candidates, many": {"strategy": "max,lowest", "eligible": "candidates", "FEW": 3},
    "black": {"game": "p2c4rb", "strategy": "entropy"},
    "no repetition": {"game": "p2c5n"},
    "history": {"game": "p3c4r", "history": "112:01", "strategy": "entropy"},
    "8 pegs": {"game": "p8c2r", "history": "11112222:44/11221122:44/12121212:44/12211221:44"},
    "16 colors": {"game": "p3c16r", "history": "GGG:20/1GG:20", "eligible": "candidates"},
    "many candidates": {"game": "p3c3r", "FEW": 2},
    "many candidates, entropy": {"strategy": "entropy", "FEW": 4},
    "one thread a guess": {"strategy": "max,parts,highest", "FEW": 4, "FEWEST_THREADS": 0},
    "portions": {"game": "p3c3r", "room": 400, "LAUNCH_PAIRS": 200, "BLOCK_PAIRS": 60},
    "portions, many": {"strategy": "parts,lowest", "room": 1, "LAUNCH_PAIRS": 9, "FEW": 3},
}


def run_block(self, grid_point, *args):
    """Run the threads of a block in turn, each until it waits for the others or ends.

    The simulator's own manager runs them at once and polls them, which takes longer than their
    work. Whose turn it is is drawn anew each time: a wait that is missing changes results.
    """

    def target():
        try:
            self._f(*args)
        finally:
            self.turn.release()

    self.turn = hold_lock()
    threads = [
        BlockThread(target, self, grid_point, point, self._debug)
        for point in np.ndindex(*self._block_dim)
    ]
    while threads:
        TURNS.shuffle(threads)
        for thread in threads:
            if thread.syncthreads_blocked:
                thread.syncthreads_blocked = False
                thread.own_turn.release()
            else:
                thread.own_turn = hold_lock()
                thread.start()
            self.turn.acquire()
        for thread in threads:
            if not thread.syncthreads_blocked:
                thread.join()
                if thread.exception:
                    raise thread.exception[0].with_traceback(thread.exception[1])
        threads = [thread for thread in threads if thread.syncthreads_blocked]


def wait(thread):
    """End the turn of a thread that waits for the others of its block."""
    thread.syncthreads_blocked = True
    thread._manager.turn.release()
    thread.own_turn.acquire()


def hold_lock():
    """Return a lock that is held: its next `acquire` waits for a `release` of another thread."""
    lock = Lock()
    lock.acquire()
    return lock


def open_build(build):
    game = open_game(build.get("game", "p2c4r"))
    strategy = parse_strategy(build.get("strategy", "knuth"), game)
    changes = {key: build.get(key) for key in ("eligible", "order")}
    strategy = change_strategy(strategy, **changes, seed=None, opening=None)
    return game, strategy, parse_history(build.get("history"), game)


def set_up(build):
    for name, value in {**SMALL, "FEW": 255, **build}.items():
        if name.isupper():
            setattr(kernels if name == "FEW" else device, name, value)


def list_digests(build):
    """Return the digests of the processor's tree and of the card's."""
    game, strategy, history = open_build(build)
    told = []
    trees = [
        build_tree(game, strategy, history=history),
        build_tree(game, strategy, history=history, device="cuda", notice=told.append),
    ]
    assert not told, told
    return [sha256(bytes_of(tree, "tree")).hexdigest() for tree in trees]


def count_states(progress):
    """Return the level of a build's progress, from 1 on, and how many of its states are done."""
    level, n_done = re.match(r"guess (\d+): ([\d,]+) of", progress.note).groups()
    return int(level), int(n_done.replace(",", ""))


def stop_early():
    """Return the reports of a level in small portions, and of one that a halt ends."""
    set_up({"LAUNCH_PAIRS": 60, "BLOCK_PAIRS": 60})
    game, strategy, _ = open_build({"game": "p3c3r", "strategy": "max,parts,lowest"})
    reports, stopped = [], []
    halt = Stop()

    def stop(state):
        level, n_done = count_states(state)
        stopped.append((level, n_done, state.done))
        if level == 2 and n_done > 1:
            halt.call()

    build_tree(
        game,
        strategy,
        device="cuda",
        progress=lambda state: reports.append((*count_states(state), state.done)),
    )
    try:
        build_tree(game, strategy, device="cuda", progress=stop, halt=halt)
    except SearchStoppedError:
        return {"reports": reports, "stopped": stopped}
    return {"reports": reports, "stopped": None}


def resume(folder):
    """Return digests of a build that was halted on the card, and resumed with it and without."""
    set_up({})
    game, strategy, _ = open_build({"game": "p3c3r"})
    n_chosen, choose_here = [], device.Device.choose

    def choose_counted(self, *arguments):
        n_chosen.append(1)
        if len(n_chosen) == begun:
            raise KeyboardInterrupt
        choose_here(self, *arguments)

    def build(name, device):
        path = Path(folder, name)
        tree = build_sharded(game, strategy, path, task_pairs=40, device=device)
        return sha256(bytes_of(tree, "tree")).hexdigest()

    device.Device.choose = choose_counted
    begun, digests, rest = -1, [], {}
    build("whole", "cuda")
    whole, begun = len(n_chosen), len(n_chosen) // 2
    for kind in ["cuda", None]:
        n_chosen.clear()
        with suppress(KeyboardInterrupt):
            build(f"resumed-{kind}", "cuda")
        digests.append(build(f"resumed-{kind}", kind))
        rest[kind or "none"] = len(n_chosen) - begun
    ours = sha256(bytes_of(treegen.build(game, strategy), "tree")).hexdigest()
    return {"whole": whole, "rest": rest, "digests": digests, "ours": ours}


def main():
    BlockManager.run, BlockThread.syncthreads = run_block, wait
    make = device.Device.__init__
    digests = {}
    for name, build in BUILDS.items():
        set_up(build)
        device.Device.__init__ = lambda self, ranked, build=build: make(
            self, ranked, build.get("n_threads", 8), build.get("room")
        )
        digests[name] = list_digests(build)
    choose.INTERVAL_S = 0.0
    with TemporaryDirectory() as folder:
        print(json.dumps({"digests": digests, **stop_early(), "resumed": resume(folder)}))


if __name__ == "__main__":
    main()
