"""Change the code in small ways, one at a time, and see whether a test notices.

Usage: mutate.py map [--kernels] [-j 2] [PYTEST ARGUMENT...]
       mutate.py run [-j 2] [--modules GLOB...] [--each 10] [--diff REVISION] [--seed 1]
                     [--seconds 25] [--again 100] [--kernels]

`map` runs the quick suite once and keeps in build/mutants/ which test runs which statement of the
package; with --kernels it runs tests uncompiled, and keeps the statements of kernels. `run` draws
mutants from the modules (all by default, --each of each one) or from the lines that changed since a
revision, and runs the tests of each mutant's statement, the quickest first: as many as took
--seconds, and those of --again for the mutants that survive. All tests are collected once; each
mutant is tried in a fork. Prints each survivor with its line, old and new, and the share of mutants
that were noticed; exits non-zero if one survived. What runs in other processes, or where a module
is imported, is not in the map: judge such survivors by hand.
"""

from __future__ import annotations

import argparse
import ast
import copy
import gc
import importlib
import os
import pkgutil
import random
import re
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from fnmatch import fnmatch
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import msgpack
import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "treegen"
FOLDER = ROOT / "build" / "mutants"
HITS = "__treegen_hits__"

KERNEL = re.compile(r"^(njit|intrinsic|overload|jit$)")
"""Decorators of functions that numba compiles."""

NOT_MUTATED = ("player", "jit", "page")
"""Folders whose code runs elsewhere, or makes kernels."""

LONGER = 5
"""A run that takes this many times its tests' seconds, and 10 s, has noticed its mutant: the code
does not end. All seconds are of CPU time, so that no busy machine is taken for such code."""

LONGEST_S = 1800
"""By the clock: a run that takes longer waits for what never comes."""

WAITING_S = 120
"""By the clock: who still runs takes no core, most likely, and the next one starts beside it."""

MOST_TESTS = 400
"""A run takes this many tests at most."""


class Site(NamedTuple):
    """A node that can be changed, its statement by number, and how."""

    statement: int
    line: int
    kind: str


SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In},
    **{ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And},
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult},
    **{ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.Mod: ast.FloorDiv},
    **{ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr},
}
NAMES = {"all": "any", "any": "all", "min": "max", "max": "min"}
OF_SPEED = {"strict", "copy", "stacklevel"}
"""Arguments that no user of a correct program sees."""


def is_kernel(node: ast.AST) -> bool:
    """Whether a function is one that numba compiles."""
    if not isinstance(node, ast.FunctionDef):
        return False
    called = [d.func if isinstance(d, ast.Call) else d for d in node.decorator_list]
    return any(KERNEL.match(ast.unparse(name).split(".")[-1]) for name in called)


class Numbered(ast.NodeTransformer):
    """Walks the statements of functions, which it numbers from 0, with whether they are kernels'.

    In `visit_statement` a subclass returns what stands in a statement's place.
    """

    def __init__(self) -> None:
        self.n = 0
        self.in_function = self.in_kernel = False

    def visit_statement(self, node: ast.stmt, number: int) -> Any:
        """Return what stands in a statement's place: itself."""
        return node

    def visit(self, node: ast.AST) -> Any:
        """Visit a node; number it if it is a statement of a function."""
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            before = self.in_function, self.in_kernel
            self.in_function, self.in_kernel = True, self.in_kernel or is_kernel(node)
            node.body = [each for part in node.body for each in self._list(self.visit(part))]
            self.in_function, self.in_kernel = before
            return node
        if not isinstance(node, ast.stmt) or not self.in_function:
            return self.generic_visit(node)
        number, self.n = self.n, self.n + 1
        self.generic_visit(node)
        return self.visit_statement(node, number)

    @staticmethod
    def _list(found: Any) -> list[ast.stmt]:
        return found if isinstance(found, list) else [found]


def is_docstring(node: ast.stmt) -> bool:
    """Whether a statement is a text alone."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


class Instrumented(Numbered):
    """Marks each statement that runs."""

    def __init__(self, *, kernels: bool) -> None:
        super().__init__()
        self.kernels = kernels

    def visit_statement(self, node: ast.stmt, number: int) -> Any:
        """Return a statement behind its mark."""
        if self.in_kernel != self.kernels or is_docstring(node):
            return node
        mark = ast.parse(f"{HITS}[{number}] = 1").body[0]
        return [ast.copy_location(mark, node), node]


class Mutator(Numbered):
    """Lists the sites of a module; makes the change at one of them."""

    def __init__(self, chosen: int = -1) -> None:
        super().__init__()
        self.chosen, self.sites = chosen, list[Site]()
        self.before = self.after = ""
        self._statement: tuple[int, int, bool] = (0, 0, False)

    def visit(self, node: ast.AST) -> Any:
        """Visit a node; list its sites, or change it."""
        if isinstance(node, ast.stmt) and self.in_function:
            kept, self._statement = self._statement, (self.n, node.lineno, self.in_kernel)
            old = copy.deepcopy(node) if self.chosen >= 0 else node
            count = len(self.sites)
            found = self._visit_one(node)
            if count <= self.chosen < len(self.sites) and not self.before:
                self.before, self.after = _first_line(old), _first_line(found)
            self._statement = kept
            return found
        return self._visit_one(node)

    def _visit_one(self, node: ast.AST) -> Any:
        if isinstance(node, (ast.AnnAssign, ast.arguments)):
            # Annotations and defaults are no statements that run.
            if isinstance(node, ast.AnnAssign) and node.value is not None:
                node.value = self.visit(node.value)
            self.n += isinstance(node, ast.AnnAssign) and self.in_function
            return node
        if isinstance(node, (ast.Raise, ast.Assert)) and self.in_function:
            # Their expressions are messages, and what never fails.
            number, self.n = self.n, self.n + 1
            return self.visit_statement(node, number)
        if isinstance(node, ast.keyword) and node.arg in OF_SPEED:
            return node
        found = super().visit(node)
        return self._change(found) if self.in_function and isinstance(found, ast.AST) else found

    def visit_statement(self, node: ast.stmt, number: int) -> Any:
        """Return a statement, or, at the chosen site, another one."""
        is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        if (is_call or isinstance(node, (ast.AugAssign, ast.Raise))) and self._is_here("drop"):
            return ast.copy_location(ast.Pass(), node)
        if isinstance(node, (ast.If, ast.While)) and self._is_here("negate"):
            node.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
        if isinstance(node, (ast.Break, ast.Continue)) and self._is_here("jump"):
            other = ast.Continue if isinstance(node, ast.Break) else ast.Break
            return ast.copy_location(other(), node)
        return node

    def _is_here(self, kind: str) -> bool:
        number, line, _ = self._statement
        self.sites.append(Site(number, line, kind))
        return len(self.sites) - 1 == self.chosen

    def _change(self, node: ast.AST) -> ast.AST:
        """Return a node, or, at the chosen site, another one."""
        if isinstance(node, ast.Compare):
            for at, operator in enumerate(node.ops):
                if type(operator) in SWAPS and self._is_here("compare"):
                    node.ops[at] = SWAPS[type(operator)]()  # type: ignore[call-overload]
        elif isinstance(node, (ast.BoolOp, ast.BinOp, ast.AugAssign)):
            is_text = isinstance(node, ast.BinOp) and any(
                isinstance(side, (ast.JoinedStr, ast.List))
                or (isinstance(side, ast.Constant) and isinstance(side.value, str))
                for side in (node.left, node.right)
            )
            if type(node.op) in SWAPS and not is_text and self._is_here("operator"):
                node.op = SWAPS[type(node.op)]()  # type: ignore[assignment]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            if self._is_here("not"):
                return node.operand
        elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
            if self._is_here("constant"):
                value = not node.value if isinstance(node.value, bool) else node.value + 1
                return ast.copy_location(ast.Constant(value), node)
        elif isinstance(node, ast.Call):
            name = node.func
            if isinstance(name, ast.Name) and name.id in NAMES and self._is_here("name"):
                name.id = NAMES[name.id]
            elif isinstance(name, ast.Attribute) and name.attr in NAMES and self._is_here("name"):
                name.attr = NAMES[name.attr]
        return node


def _first_line(node: Any) -> str:
    text = ast.unparse(node) if isinstance(node, ast.AST) else "pass"
    return text.splitlines()[0][:110] if text else ""


def list_sites(path: Path, *, kernels: bool) -> list[tuple[int, Site]]:
    """Return the sites of a module, in kernels or beside them, with their numbers."""
    mutator = Mutator()
    is_in_kernel: list[bool] = []
    append = mutator.sites.append

    class Listed(list):  # type: ignore[type-arg]
        def append(self, site: Site) -> None:
            append(site)
            is_in_kernel.append(mutator._statement[2])
            super().append(site)

    mutator.sites = Listed()
    mutator.visit(ast.parse(path.read_text("utf-8")))
    sites = list(mutator.sites)
    return [(at, site) for at, site in enumerate(sites) if is_in_kernel[at] == kernels]


class Finder(PathFinder):
    """Loads modules of the package with their code changed by `change`, which gets the path."""

    change: Any = None

    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return where a module of the package is, with the loader that changes it."""
        if fullname.split(".")[0] != "treegen":
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = Loader(spec.loader.name, spec.loader.path)
        return spec


class Loader(SourceFileLoader):
    """Compiles a changed module anew, beside the cache of byte code."""

    def get_code(self, fullname: str) -> Any:
        """Return the changed code."""
        path = Path(self.get_filename(fullname))
        tree = ast.parse(path.read_text("utf-8"))
        tree = ast.fix_missing_locations(Finder.change(path, tree))
        return compile(tree, str(path), "exec", dont_inherit=True)

    def exec_module(self, module: Any) -> None:
        """Run the module, which knows its marks."""
        module.__dict__[HITS] = MARKS.setdefault(Path(str(self.path)), bytearray())
        super().exec_module(module)


MARKS: dict[Path, bytearray] = {}
"""Of each module: which statements ran since the last look."""


class Ahead:
    """A plug-in of pytest that keeps `Finder` ahead of pytest's own, which loads what it is given.

    A module with a doctest is given to it as a file of tests.
    """

    @staticmethod
    def pytest_sessionstart() -> None:
        """Move ahead."""
        sys.meta_path.remove(Finder)  # type: ignore[arg-type]
        sys.meta_path.insert(0, Finder)  # type: ignore[arg-type]


class Recorder:
    """A plug-in of pytest that keeps which test runs which statements, and its CPU time."""

    def __init__(self, name: str, *, kernels: bool) -> None:
        self.name, self.kernels = name, kernels
        self.rows: list[tuple[str, float, dict[str, bytes]]] = []
        self.shared: dict[str, dict[str, bytearray]] = defaultdict(dict)

    def change(self, path: Path, tree: ast.Module) -> ast.Module:
        """Return a module with its statements marked."""
        marker = Instrumented(kernels=self.kernels)
        tree = marker.visit(tree)
        marks = MARKS.setdefault(path, bytearray())
        marks.extend(bytes(marker.n - len(marks)))
        return tree

    def _take(self) -> dict[str, bytes]:
        found = {}
        for path, marks in MARKS.items():
            if marks.find(1) >= 0:
                found[path.relative_to(ROOT).as_posix()] = bytes(marks)
                marks[:] = bytes(len(marks))
        return found

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Iterator[None]:
        """Keep apart what a fixture of many tests runs."""
        if fixturedef.scope == "function":
            yield
            return
        before = self._take()
        yield
        # All tests of the module may see what it made.
        of_module = self.shared[request.node.nodeid.split("::")[0]]
        for path, marks in self._take().items():
            of_module[path] = _join(of_module.get(path, b""), marks)
        for path, marks in before.items():
            MARKS[ROOT / path][:] = _join(MARKS[ROOT / path], marks)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        """Keep what a test runs."""
        self._take()
        begun_s = time.process_time()
        yield
        self.rows.append((item.nodeid, time.process_time() - begun_s, self._take()))

    def pytest_sessionfinish(self) -> None:
        """Write what all tests ran."""
        if not self.rows:
            return
        rows = []
        for test, took_s, hits in self.rows:
            shared = self.shared.get(test.split("::")[0], {})
            paths = {*hits, *shared}
            marks = {path: _join(hits.get(path, b""), shared.get(path, b"")) for path in paths}
            rows.append((test, took_s, {path: list(_places(marks[path])) for path in marks}))
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / f"{self.name}.msgpack").write_bytes(msgpack.packb(rows))


def _join(one: bytes, other: bytes) -> bytearray:
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    joined = bytearray(longer)
    for at in _places(shorter):
        joined[at] = 1
    return joined


def _places(marks: bytes) -> Iterator[int]:
    at = marks.find(1)
    while at >= 0:
        yield at
        at = marks.find(1, at + 1)


MODE = os.environ.get("TREEGEN_MUTATE", "")


def pytest_configure(config: Any) -> None:
    """Register the recorder: pytest loads this file as a plug-in, too, in each of its workers."""
    if MODE.startswith("map"):
        config.pluginmanager.register(RECORDER)
        config.pluginmanager.register(Ahead())


if MODE.startswith("map"):
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    RECORDER = Recorder(f"{MODE}-{worker}", kernels=MODE == "map-kernels")
    Finder.change = RECORDER.change
    sys.meta_path.insert(0, Finder)  # type: ignore[arg-type]


def make_map(options: argparse.Namespace) -> int:
    """Run the quick suite with all statements marked."""
    mode = "map-kernels" if options.kernels else "map"
    for old in FOLDER.glob(f"{mode}-*.msgpack"):
        if options.kernels or "kernels" not in old.name:
            old.unlink()
    paths = [str(ROOT / "scripts"), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "TREEGEN_MUTATE": mode, "PYTHONPATH": os.pathsep.join(paths)}
    if options.kernels:
        environment["NUMBA_DISABLE_JIT"] = "1"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "mutate", "-n", str(options.jobs)]
    subprocess.run([*command, *options.arguments], cwd=ROOT, env=environment, check=False)
    found = list(FOLDER.glob(f"{mode}-*.msgpack"))
    print(f"{'PASSED' if found else 'FAILED'}: {len(found)} files in {FOLDER}")
    return 0 if found else 1


class Map:
    """Which tests run a statement, the quickest first."""

    def __init__(self, *, kernels: bool) -> None:
        rows = []
        for path in sorted(FOLDER.glob("map-*.msgpack")):
            if ("kernels" in path.name) == kernels:
                rows += msgpack.unpackb(path.read_bytes())
        if not rows:
            sys.exit(f"mutate: no map in {FOLDER}: run `mutate.py map` first")
        self.seconds = {test: took_s for test, took_s, _ in rows}
        self.tests: dict[tuple[str, int], list[str]] = defaultdict(list)
        for test, _, hits in sorted(rows, key=lambda row: row[1]):
            for path, places in hits.items():
                for place in places:
                    self.tests[path, place].append(test)

    def choose(self, path: str, statement: int, seconds: float) -> list[str]:
        """Return the tests of a statement that take some seconds together, or one test."""
        chosen, took_s = [], 0.0
        for test in self.tests.get((path, statement), ()):
            took_s += self.seconds[test]
            if chosen and (took_s > seconds or len(chosen) == MOST_TESTS):
                break
            chosen.append(test)
        return chosen


class Mutant(NamedTuple):
    """A module, by its path from the root, the number of a site there, and the site."""

    path: str
    at: int
    site: Site


def draw(options: argparse.Namespace) -> list[Mutant]:
    """Return the mutants to try."""
    wanted, chosen = random.Random(options.seed), list[Mutant]()
    lines = list_changed(options.diff) if options.diff else None
    for path in sorted(PACKAGE.rglob("*.py")):
        name, folder = path.relative_to(ROOT).as_posix(), path.relative_to(PACKAGE).parts[0]
        if folder in NOT_MUTATED or (lines is not None and name not in lines):
            continue
        if options.modules and not any(fnmatch(name, glob) for glob in options.modules):
            continue
        sites = list_sites(path, kernels=options.kernels)
        if lines is not None:
            sites = [(at, site) for at, site in sites if site.line in lines[name]]
        else:
            sites = wanted.sample(sites, min(options.each, len(sites)))
        chosen += [Mutant(name, at, site) for at, site in sorted(sites)]
    return chosen


def list_changed(revision: str) -> dict[str, set[int]]:
    """Return the lines of each file that differ from a revision."""
    command = ["git", "diff", "--unified=0", revision, "--", "treegen"]
    text = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    found: dict[str, set[int]] = defaultdict(set)
    name = ""
    for line in text.splitlines():
        if line.startswith("+++ "):
            name = line[6:]
        elif line.startswith("@@"):
            begin, _, count = line.split("+")[1].split()[0].partition(",")
            found[name].update(range(int(begin), int(begin) + int(count or 1)))
    return found


class Server:
    """A plug-in of pytest that collects all tests once, then runs some for each mutant in a fork.

    In the fork the code of the mutant's function is exchanged; nothing is imported again.
    """

    def __init__(self, known: Map, queue: list[Mutant], options: argparse.Namespace) -> None:
        self.known, self.queue, self.options = known, queue, options
        self.noticed: dict[Mutant, str] = {}
        self.out, self.progress = (
            os.fdopen(os.dup(at), "w") for at in (1, 2)
        )  # behind pytest's back

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Judge all mutants; twice, with more tests, those that are not noticed."""
        self.session = session
        for module in pkgutil.walk_packages([str(PACKAGE)], "treegen."):
            if not module.name.endswith("__main__") and ".player." not in module.name:
                importlib.import_module(module.name)
        self.items = {item.nodeid: item for item in session.items}
        gc.unfreeze()
        self.functions = defaultdict(list)
        for each in gc.get_objects():
            if isinstance(each, FunctionType) and each.__code__.co_filename.startswith(
                str(PACKAGE)
            ):
                self.functions[name_code(each.__code__)].append(each)
        gc.freeze()
        # Forks share the folder of temporary files, each with folders of its own in it.
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        left = self._judge(self.queue, self.options.seconds)
        print(f"{len(self.noticed)} noticed, {len(left)} left", file=self.out, flush=True)
        self._judge(left, self.options.again, is_last=True)
        # A test that fails in a fork without any mutant has noticed nothing.
        broken = [test for test in set(self.noticed.values()) - {""} if not self._passes(test)]
        self.noticed = {at: test for at, test in self.noticed.items() if test not in broken}
        if broken:
            print("These tests fail without a mutant:", *broken, file=self.out)
        return True

    def _judge(self, queue: list[Mutant], seconds: float, *, is_last: bool = False) -> list[Mutant]:
        """Run tests of mutants; return the mutants that none noticed."""
        running: dict[int, tuple[Mutant, int, float]] = {}
        survived, waiting = list[Mutant](), list(reversed(queue))
        while waiting or running:
            now_s = time.monotonic()
            n_busy = sum(now_s < begin_s + WAITING_S for _, _, begin_s in running.values())
            if waiting and n_busy < self.options.jobs:
                mutant = waiting.pop()
                tests = self.known.choose(mutant.path, mutant.site.statement, seconds)
                child, said = self._start(tests, mutant)
                running[child] = mutant, said, now_s
            done, status = os.waitpid(-1, os.WNOHANG)
            if done:
                mutant, said, _ = running.pop(done)
                with suppress(ProcessLookupError):
                    os.killpg(done, signal.SIGKILL)  # what its tests left behind
                if status:
                    with suppress(BlockingIOError):
                        self.noticed[mutant] = ""
                        self.noticed[mutant] = os.read(said, 10_000).decode()
                else:
                    survived.append(mutant)
                os.close(said)
                if status == 0 and is_last:
                    print(describe(mutant, "survived"), file=self.out, flush=True)
                if self.progress.isatty():
                    n_left = len(waiting) + len(running)
                    print(
                        f"\r{n_left:5} to run, {len(self.noticed)} noticed",
                        end=" ",
                        file=self.progress,
                    )
                    self.progress.flush()
            for child, (_, _, begin_s) in running.items():
                if now_s > begin_s + LONGEST_S:
                    os.killpg(child, signal.SIGKILL)  # found by the next look
            time.sleep(0.02)
        return survived

    def _passes(self, test: str) -> bool:
        child, said = self._start([test], None)
        _, status = os.waitpid(child, 0)
        os.close(said)
        return status == 0

    def _start(self, tests: list[str], mutant: Mutant | None) -> tuple[int, int]:
        """Start a process that runs tests; return its number, and where it says which one fails."""
        read, write = os.pipe2(os.O_NONBLOCK)
        child = os.fork()
        if child:
            os.close(write)
            return child, read
        code = 1
        try:
            os.setsid()
            most_s = int(sum(map(self.known.seconds.__getitem__, tests)) * LONGER) + 10
            resource.setrlimit(resource.RLIMIT_CPU, (most_s, most_s))
            if mutant:
                self._change(mutant)
            items = [self.items[test] for test in tests if test in self.items]
            for item, following in zip_longest(items, items[1:]):
                item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
                if self.session.testsfailed:
                    os.write(write, item.nodeid.encode())
                    os._exit(1)
            code = 0
        except Exception:
            traceback.print_exc(file=self.out)
        finally:
            os._exit(code)

    def _change(self, mutant: Mutant) -> None:
        path = ROOT / mutant.path
        tree = Mutator(mutant.at).visit(ast.parse(path.read_text("utf-8")))
        whole = compile(ast.fix_missing_locations(tree), str(path), "exec", dont_inherit=True)
        parts = [whole]
        while parts:
            for part in parts.pop().co_consts:
                if isinstance(part, CodeType):
                    parts.append(part)
                    for function in self.functions[name_code(part)]:
                        with suppress(ValueError):  # it no longer needs an outer variable
                            function.__code__ = part


def name_code(code: CodeType) -> tuple[str, str, int]:
    """Return the file, the name and the line of a function's code."""
    return code.co_filename, code.co_qualname, code.co_firstlineno


def describe(mutant: Mutant, state: str) -> str:
    """Return a line about a mutant, with its statement before and after."""
    mutator = Mutator(mutant.at)
    mutator.visit(ast.parse((ROOT / mutant.path).read_text("utf-8")))
    return f"{mutant.path}:{mutant.site.line}: {state}: {mutator.before}  ->  {mutator.after}"


def run(options: argparse.Namespace) -> int:
    """Try mutants, and print those that no test notices."""
    if options.kernels:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    known, mutants = Map(kernels=options.kernels), draw(options)
    places = {mutant: (mutant.path, mutant.site.statement) for mutant in mutants}
    queue = [mutant for mutant in mutants if known.tests.get(places[mutant])]
    for mutant in mutants:
        if mutant not in queue:
            print(describe(mutant, "no test runs it"))
    print(f"{len(mutants)} mutants, {len(mutants) - len(queue)} in statements that no test runs")
    chosen = [known.choose(*places[mutant], options.again) for mutant in queue]
    files = sorted({test.split("::")[0] for tests in chosen for test in tests})
    server = Server(known, queue, options)
    quiet = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:random_order"]
    log = FOLDER / "run.log"
    with log.open("w", encoding="utf-8") as stream, redirect_stdout(stream):
        code = pytest.main([*quiet, f"--basetemp={FOLDER / 'tmp'}", *files], plugins=[server])
    if code:
        sys.exit(f"mutate: the tests cannot be collected: see {log}")
    drawn = Counter(mutant.path for mutant in mutants)
    seen = Counter(mutant.path for mutant in server.noticed)
    for path, number in drawn.items():
        print(f"{path}: {seen[path]} of {number} noticed")
    n_noticed = len(server.noticed)
    share = 100 * n_noticed / max(1, len(mutants))
    print(f"{'FAILED' if n_noticed < len(mutants) else 'PASSED'}: {share:.1f} % noticed")
    return int(n_noticed < len(mutants))


def main() -> int:
    """Map or run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(required=True)
    mapping, running = commands.add_parser("map"), commands.add_parser("run")
    mapping.set_defaults(function=make_map)
    mapping.add_argument("arguments", nargs="*", help="for pytest")
    running.set_defaults(function=run)
    running.add_argument("--modules", nargs="+", metavar="GLOB", help="treegen/verifier/*.py")
    running.add_argument("--each", type=int, default=10, help="mutants of a module")
    running.add_argument("--diff", metavar="REVISION", help="all mutants of lines changed since")
    running.add_argument("--seed", type=int, default=1)
    running.add_argument("--seconds", type=float, default=25.0, help="of tests in the first run")
    running.add_argument("--again", type=float, default=100.0, help="of tests for survivors")
    for command in (mapping, running):
        command.add_argument("--kernels", action="store_true", help="kernels, uncompiled")
        command.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args()
    code: int = options.function(options)
    return code


if __name__ == "__main__":
    sys.exit(main())
