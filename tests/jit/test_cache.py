"""Machine code is kept by what it was made of, where nobody else can write: no command shows it."""

import ast
import itertools
import os
import resource
import shutil
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest
from numba.core.errors import NumbaError

from treegen import TreegenWarning, UsageError
from treegen.jit import cache, compiler, memory
from treegen.jit.cache import KEPT, PACKAGE, digest_kernels, list_sources, open_folder

from ..paths import ROOT

CALL = """
import numpy as np
from treegen.online._messages import shuffle
print(shuffle(np.uint64(1), 5).tolist(), shuffle.dispatcher.stats.cache_hits.total())
"""
"""The kernel of one module calls that of another, `mix` of kernels/responses.py."""


def call_kernel(folder):
    """Return what a kernel says in a new process, and how often it came from the cache."""
    environment = {name: value for name, value in os.environ.items() if "NUMBA" not in name}
    # Python's own byte code goes by times, too.
    environment |= {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", CALL]
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert result.stderr == ""
    return result.stdout.strip()


@pytest.mark.compiled
def test_a_changed_helper_is_compiled_anew(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "treegen", ignore=shutil.ignore_patterns("__pycache__"))
    before = call_kernel(tmp_path)
    assert before.endswith(" 0")
    helper = tmp_path / "treegen" / "kernels" / "responses.py"
    times, text = helper.stat(), helper.read_text("utf-8")
    changed = text.replace("return z ^ (z >> _BY_31)", "return z ^ (z >> _BY_30)")
    assert changed != text
    helper.write_text(changed, "utf-8")
    os.utime(helper, ns=(times.st_atime_ns, times.st_mtime_ns))
    after = call_kernel(tmp_path)
    assert after.endswith(" 0")
    assert after != before


class Kernel(NamedTuple):
    """A kernel: names that it uses, each with the module that has it; whether it allocates."""

    uses: set
    allocates: bool


@pytest.fixture(scope="module")
def kernels():
    """Return the kernels of the package by module, as a path in it, and name."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text("utf-8")
        if "@njit" not in text:
            continue
        module, tree = path.relative_to(PACKAGE).with_suffix("").as_posix(), ast.parse(text)
        nodes = list(ast.walk(tree))
        where = dict(generate_imports(path, nodes))
        for node in nodes:
            options = [ast.unparse(each) for each in getattr(node, "decorator_list", ())]
            if isinstance(node, ast.FunctionDef) and any(each[:4] == "njit" for each in options):
                inside = itertools.chain.from_iterable(map(ast.walk, node.body))
                names = {each.id for each in inside if isinstance(each, ast.Name)}
                uses = {(where.get(name, module), name) for name in names}
                found[module, node.name] = Kernel(uses, "allocates=True" in " ".join(options))
    return found


def generate_imports(path, nodes):
    """Yield each name that was imported from the package, and its module as a path in it."""
    folder = path.relative_to(PACKAGE).parts[:-1]
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.level:
            parts = [*folder[: len(folder) - node.level + 1], *(node.module or "").split(".")]
            for alias in node.names:
                yield alias.asname or alias.name, "/".join(filter(None, parts))


def test_every_kernel_and_what_it_reads_is_digested(kernels):
    digested = {path.relative_to(PACKAGE).as_posix() for path in list_sources()}
    for (module, _), kernel in kernels.items():
        assert f"{module}.py" in digested
        for where, name in kernel.uses:
            assert {f"{where}.py", f"{where}/__init__.py"} & digested, (module, name)


def test_whoever_calls_a_kernel_that_allocates_says_that_it_allocates(kernels):
    """Without reference counts it would never free what such a kernel returns."""
    allocating = {place for place, kernel in kernels.items() if kernel.allocates}
    assert ("kernels/onestep/guesses", "choose_guess") in allocating
    for place, kernel in kernels.items():
        assert place in allocating or not kernel.uses & allocating, place


@pytest.mark.compiled
def test_a_kernel_that_allocates_without_saying_so_is_not_compiled():
    kernel = compiler.njit(lambda n: np.zeros(n).sum())
    with pytest.raises(NumbaError):
        kernel(2)
    assert compiler.njit(allocates=True)(lambda n: np.zeros(n).sum())(2) == 0


def test_the_digest_tells_sources_versions_and_settings_apart(tmp_path, monkeypatch):
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        for path in list_sources():
            copy = folder / path.relative_to(PACKAGE)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
    digests = [digest_kernels(["1"], folder) for folder in folders]
    assert digests[0] == digests[1]
    digests.append(digest_kernels(["2"], folders[0]))
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    assert digest_kernels(["1"], folders[0]) == digests[0]
    monkeypatch.setenv("NUMBA_OPT", "1")
    digests.append(digest_kernels(["1"], folders[0]))
    (folders[1] / "kernels" / "new.py").touch()
    digests.append(digest_kernels(["1"], folders[1]))
    assert len(set(digests[1:])) == 4
    assert digest_kernels(["1"], tmp_path / "nothing") is None


@pytest.fixture
def places(tmp_path, monkeypatch):
    """Have three folders for the package's, the user's and temporary files."""
    names = ["package", "user", "temporary"]
    for name in names:
        (tmp_path / name).mkdir(mode=0o755)
    monkeypatch.setattr(cache, "PACKAGE", tmp_path / "package")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    return tmp_path


def forbid(path):
    """Make a place where no folder can be made, not even by root."""
    shutil.rmtree(path, ignore_errors=True)
    path.write_text("a file")


def test_the_first_place_that_can_be_written(places):
    wanted = places / "wanted"
    folder, warning = open_folder("abc", str(wanted))
    assert (folder.parent, warning) == (wanted, "")
    assert folder.stat().st_mode & 0o777 == 0o700
    parents = [places / "package" / "__pycache__", places / "user" / "treegen"]
    for parent in parents:
        folder, warning = open_folder("abc")
        assert (folder.parent, warning) == (parent, "")
        forbid(parent)
    folder, warning = open_folder("abc")
    assert folder.parent == places / "temporary"
    where = f"compiled kernels are kept in {folder}"
    assert warning == f"neither the package nor the home folder can be written: {where}"
    forbid(folder.parent)
    folder, warning = open_folder("abc")
    assert folder is None
    assert warning == "no folder can be written: kernels are compiled at every start"


def test_an_unusable_choice_is_told(places):
    forbid(places / "wanted")
    folder, warning = open_folder("abc", str(places / "wanted"))
    assert folder.parent == places / "package" / "__pycache__"
    assert warning.startswith(f"NUMBA_CACHE_DIR={places}/wanted cannot be used (")
    assert warning.endswith(f"): compiled kernels are kept in {folder}")


def link(folder):
    folder.rename(folder.with_suffix(".real"))
    folder.symlink_to(folder.with_suffix(".real"))


@pytest.mark.parametrize(
    "spoil",
    [link, lambda folder: folder.chmod(0o770), lambda folder: folder.chmod(0o707), forbid],
    ids=["link", "group", "others", "file"],
)
def test_a_folder_that_others_may_have_filled_is_refused(places, spoil):
    folder, _ = open_folder("abc", str(places / "wanted"))
    spoil(folder)
    assert open_folder("abc", str(places / "wanted"))[0].parent != places / "wanted"


def test_a_folder_of_somebody_else_is_refused(places, monkeypatch):
    folder, _ = open_folder("abc")
    monkeypatch.setattr(cache.os, "geteuid", lambda: folder.stat().st_uid + 1)
    assert open_folder("abc")[0] is None


def test_temporary_files_that_anybody_may_rename_are_no_place(places):
    (places / "temporary").chmod(0o777)
    for parent in (places / "package" / "__pycache__", places / "user" / "treegen"):
        forbid(parent)
    assert open_folder("abc")[0] is None
    (places / "temporary").chmod(0o1777)
    assert open_folder("abc")[0].parent == places / "temporary"


def test_old_folders_go_when_a_new_one_is_made(places):
    folders = []
    for i in range(KEPT + 2):
        folders.append(open_folder(f"{i}")[0])
        os.utime(folders[-1], (i, i))
    assert [folder.exists() for folder in folders] == [False] + [True] * (KEPT + 1)
    open_folder("1")
    open_folder("new")
    assert [folder.exists() for folder in folders[:3]] == [False, True, False]


def list_kept(function, kind="*"):
    """Return the files that are kept of a function of this module's present text."""
    place = f"{function.__name__}-{__name__}-{function.__code__.co_firstlineno}"
    return list(compiler._find_folder().glob(f"*{place}*.{kind}"))


@pytest.mark.compiled
def test_a_damaged_file_is_compiled_over():
    def double(x):
        return x + x

    for _ in range(2):
        kernel = compiler.njit(double)
        files = list_kept(double)
        for path in files:
            path.write_bytes(b"nothing that numba wrote")
        assert kernel(21) == 42
    assert len(files) == 2
    assert compiler.njit(double)(21) == 42


def flip(path, at):
    """Turn one bit of a file around."""
    data = bytearray(path.read_bytes())
    data[at * len(data) // 100] ^= 1 << (at % 8)
    path.write_bytes(data)


@pytest.mark.compiled
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_a_wrong_bit_is_compiled_over(kind):
    def triple(x):
        return x + x + x

    assert compiler.njit(triple)(14) == 42
    (path,) = list_kept(triple, kind)
    for at in (0, 35, 63, 99):
        flip(path, at)
        kernel = compiler.njit(triple)
        assert kernel(14) == 42
        assert kernel.dispatcher.stats.cache_hits.total() == 0, at
        kernel = compiler.njit(triple)
        assert kernel(14) == 42
        assert kernel.dispatcher.stats.cache_hits.total() == 1, at


@pytest.mark.compiled
def test_a_full_disk_keeps_nothing_and_breaks_nothing(monkeypatch):
    def fail(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", fail)
    assert compiler.njit(lambda x: x + 1)(np.int64(1)) == 2


@pytest.mark.parametrize("value", ["0", "-1", "two", ""])
def test_a_number_of_threads_that_is_none(monkeypatch, value):
    monkeypatch.setenv("NUMBA_NUM_THREADS", value)
    with pytest.raises(UsageError, match=f"NUMBA_NUM_THREADS is '{value}': it must be a number"):
        compiler._check_environment()


def test_the_warning_is_one_of_ours(monkeypatch):
    monkeypatch.setattr(compiler, "open_folder", lambda *_: (None, "no folder can be written"))
    compiler._find_folder.cache_clear()
    try:
        with pytest.warns(TreegenWarning, match="no folder can be written"):
            assert compiler._find_folder() is None
    finally:
        compiler._find_folder.cache_clear()


def test_address_space_is_asked_for_before_it_is_needed(monkeypatch):
    memory.claim_address_space(2**60)  # without a limit nothing is asked
    monkeypatch.setattr(memory, "_is_limited", lambda: True)
    memory.claim_address_space(2**20)
    with pytest.raises(MemoryError, match="1099511627776 MiB more"):
        memory.claim_address_space(2**60)


@pytest.mark.compiled
@pytest.mark.parametrize(
    "n_kib",
    [130_000, *(pytest.param(n, marks=pytest.mark.slow) for n in (60_000, 170_000, 300_000))],
)
def test_too_little_address_space(tmp_path, n_kib):
    n_bytes = n_kib * 1024
    command = [sys.executable, "-m", "treegen", "build", "p3c6r", "-q", "-o", tmp_path / "a.tree"]
    result = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (n_bytes, n_bytes)),
    )
    assert result.returncode == 2
    assert result.stderr == "treegen: memory ran out; nothing was written\n"
    assert not list(tmp_path.iterdir())


def test_no_kept_kernel_lacks_a_part():
    """A function that calls itself with other types would crash when it is loaded."""
    folder = compiler._find_folder()
    for path in [] if folder is None else folder.glob("*.nbc"):
        assert b".numba.unresolved" not in path.read_bytes(), path.name
