"""The folder tree is the architecture: lower layers never import higher ones."""

import ast
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

import treegen

PACKAGE = Path(__file__).parents[1] / "treegen"
RANKS = {
    **dict.fromkeys(
        [
            "errors",
            "_interpreter",
            "_jit",
            "_files",
            "_memory",
            "_loading",
            "_kernel_cache",
            "_rule_kinds",
            "_options",
            "_printing",
            "_process",
        ],
        0,
    ),
    **dict.fromkeys(["games", "tasks"], 1),
    **dict.fromkeys(["_work", "kernels", "tree"], 2),
    **dict.fromkeys(["online", "strategies"], 3),
    "_inputs": 3.5,
    **dict.fromkeys(["builder", "formats", "verifier"], 4),
    **dict.fromkeys(["catalogue", "exact", "pictures"], 5),
    "building": 5.5,
    **dict.fromkeys(["analysis", "page"], 6),
    **dict.fromkeys(["api", "convert"], 7),
    "__init__": 8,
    "cli": 9,
    "__main__": 10,
}
MODULES = sorted(PACKAGE.rglob("*.py"))
IDS = [path.relative_to(PACKAGE).as_posix() for path in MODULES]


def list_offers(path):
    """Return the names in a module's ``__all__``."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets) == "__all__":
            return ast.literal_eval(node.value)
    return []


DOORS = [path for path in MODULES if path.name == "__init__.py"]
OFFERS = {path.relative_to(PACKAGE).parts[:-1]: list_offers(path) for path in DOORS}


def layer_of(parts):
    is_public = not parts or parts[0] in treegen.__all__  # as in `from .. import build`
    return "__init__" if is_public and parts != ("__version__",) else parts[0]


@cache
def list_imports(path):
    """Return the import statements of a module, wherever they stand."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]


def imported(path):
    """Yield (module as parts below the package, or None for an absolute import; its name)."""
    folder = path.relative_to(PACKAGE).with_suffix("").parts[:-1]
    for node in list_imports(path):
        if isinstance(node, ast.Import):
            yield from ((None, alias.name) for alias in node.names)
        elif node.level == 0:
            yield None, node.module
        else:
            base = folder[: len(folder) - node.level + 1]
            if node.module:
                yield (*base, *node.module.split(".")), node.module
            else:
                yield from (((*base, alias.name), alias.name) for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=IDS)
def test_imports_point_down(path):
    here = layer_of(path.relative_to(PACKAGE).with_suffix("").parts)
    for target, name in imported(path):
        if target is None:
            assert name.split(".")[0] != "treegen", f"{name}: imports are relative"
            known = sys.stdlib_module_names | {"tgt_player"}
            assert here != "player" or name.split(".")[0] in known, name
            continue
        there = layer_of(target)
        if there == "__version__" or here == there:
            continue
        assert here != "player" or there == "errors", f"the player imports {name}"
        if here == "player":
            continue
        ranks = -1 if there == "player" else RANKS[there], RANKS[here]
        assert ranks[0] < ranks[1] or ranks == (0, 0), f"{here} imports {there}"


def find_module(parts):
    """Return the module that holds a name or is named so, given as parts below the package."""
    path = PACKAGE.joinpath(*parts)
    if path.is_dir():
        return path / "__init__.py"
    return path.with_suffix(".py") if path.with_suffix(".py").exists() else None


def imported_modules(path):
    """Yield the modules that a module imports: when it is loaded, later, or for its types."""
    folder = path.relative_to(PACKAGE).parts[:-1]
    for node in list_imports(path):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = folder[: len(folder) - node.level + 1]
            module = (*base, *node.module.split(".")) if node.module else base
            for alias in node.names:
                is_offered = module in OFFERS and alias.name in OFFERS[module]
                yield (not is_offered and find_module((*module, alias.name))) or find_module(module)


def test_no_import_goes_in_a_circle():
    above_all = PACKAGE / "__init__.py"  # it holds the version, and loads the rest on request
    graph = {path: {*imported_modules(path)} - {above_all} for path in MODULES}
    assert len(graph) > 150
    assert [*TopologicalSorter(graph).static_order()]  # a CycleError names the circle


@pytest.mark.parametrize("door", [name for name in IDS if name.endswith("/__init__.py")])
def test_every_name_of_a_door_is_there(door):
    module = import_module(".".join(("treegen", *Path(door).parent.parts)))
    for name in getattr(module, "__all__", []):
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        module.nothing  # noqa: B018


def test_what_is_called_late_is_there():
    from treegen import _loading

    for name, module in _loading.PLACES.items():
        assert callable(getattr(import_module(module, "treegen"), name))


@pytest.mark.parametrize("module", ["treegen", "treegen.errors", "treegen.player"])
def test_light_imports_load_no_heavy_module(module):
    heavy = ["numpy", "numba", "msgpack", "click", "networkx", "graphviz", "regex"]
    code = f"import sys, {module}; print([m for m in {heavy} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.stdout.strip(), result.stderr) == ("[]", "")


WITHOUT_NUMBA = [
    *(
        "strategies",
        "formats.load",
        "formats.read",
        "formats.text",
        "analysis.verification",
        "verifier",
    ),
    "cli",
]


@pytest.mark.parametrize("module", [f"treegen.{name}" for name in WITHOUT_NUMBA])
def test_what_works_from_a_tree_alone_does_not_load_numba(module):
    code = f"import sys, {module}; print('numba' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.stdout.strip(), result.stderr) == ("False", "")


def test_every_exported_name_resolves():
    for name in treegen.__all__:
        assert getattr(treegen, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        treegen.nothing  # noqa: B018


EXACT_FOLDERS = {("exact",): 9, ("exact", "engine"): 9, ("exact", "parallel"): 7}
"""Folders, and the most floors of each."""


def list_neighbours(folder):
    """Return what each module or folder of a folder imports of its neighbours."""
    names = {
        path.stem if path.is_file() else path.name
        for path in PACKAGE.joinpath(*folder).iterdir()
        if (path.suffix == ".py" and path.stem != "__init__") or (path / "__init__.py").is_file()
    }
    neighbours = {name: set() for name in names}
    for path in MODULES:
        here = path.relative_to(PACKAGE).with_suffix("").parts
        if here[: len(folder)] != folder or here[len(folder)] not in names:
            continue
        for target, _ in imported(path):
            if target is not None and len(target) > len(folder) and target[: len(folder)] == folder:
                neighbours[here[len(folder)]].add(target[len(folder)])
    return {name: (found & names) - {name} for name, found in neighbours.items()}


@pytest.mark.parametrize("folder", EXACT_FOLDERS, ids="/".join)
def test_exact_search_has_few_floors(folder):
    """A module stands one floor above the highest that it imports; a folder counts as one."""
    neighbours, floors = list_neighbours(folder), {}
    while len(floors) < len(neighbours):
        ready = {name for name in neighbours.keys() - floors if neighbours[name] <= floors.keys()}
        assert ready, f"imports go in a circle: {sorted(neighbours.keys() - floors)}"
        for name in ready:
            floors[name] = 1 + max((floors[below] for below in neighbours[name]), default=0)
    assert max(floors.values()) <= EXACT_FOLDERS[folder], floors
