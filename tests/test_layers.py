"""The source of the package: lower layers never import higher ones; docstrings; quoted values."""

import ast
import re
import sys
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

import treegen

PACKAGE = Path(__file__).parents[1] / "treegen"
LAYERS = [
    ["errors", "_files", "_loading", "_options", "_printing"],
    ["tasks"],
    ["jit"],
    ["checker", "games"],
    ["kernels", "tree"],
    ["online", "strategies"],
    ["builder", "formats", "verifier"],
    ["catalogue", "exact", "pictures"],
    ["job"],
    ["analysis", "page"],
    ["convert", "warming"],
    ["__init__"],
    ["cli"],
    ["__main__"],
]
RANKS = {name: rank for rank, names in enumerate(LAYERS) for name in names}
MODULES = sorted(PACKAGE.rglob("*.py"))
IDS = [path.relative_to(PACKAGE).as_posix() for path in MODULES]


OTHER_TESTS = {"docs", "packages", "players"}
"""Folders of tests/ that test what is beside the package."""


def test_tests_mirror_the_package():
    """Each folder of the package has one of tests, of the same name."""
    package, tests = (
        {path.parent.name for path in folder.glob("*/__init__.py")}
        for folder in (PACKAGE, Path(__file__).parent)
    )
    assert tests == package | OTHER_TESTS


def list_offers(path):
    """Return the names that a module passes on: those in ``__all__``, or imported ``as`` such."""
    names = []
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets) == "__all__":
            names += ast.literal_eval(node.value)
        if isinstance(node, ast.ImportFrom):
            names += [alias.name for alias in node.names if alias.asname == alias.name]
    return names


DOORS = [path for path in MODULES if path.name == "__init__.py"]
OFFERS = {path.relative_to(PACKAGE).parts[:-1]: list_offers(path) for path in DOORS}


def layer_of(parts):
    is_public = not parts or parts[0] in treegen.__all__  # as in `from .. import build`
    return "__init__" if is_public and parts != ("__version__",) else parts[0]


LATE = {
    *(".walk", "..convert", "..analysis.session", "..formats.graph"),
    *("..formats.tree_file", "..pictures.picture", "..pictures.plot"),
    "..analysis.apply",
    "..analysis.certificates",
}
"""What methods in tree/tree.py import when they are called: the one exception to the direction.

A tree can be written, drawn and played by its methods, though the modules that do it know trees.
"""


def list_late(path):
    """Yield the modules that functions and methods of a module import."""
    for function in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.ImportFrom):
                    yield "." * node.level + node.module


@cache
def read_source(path):
    """Return imports, parameters that docstrings make up, values quoted whole: no tree is kept."""
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    return imports, list_made_up(nodes), [*list_whole_quotes(nodes)]


def list_imports(path):
    """Return the import statements of a module, wherever they stand, but those of `LATE`."""
    nodes, *_ = read_source(path)
    if path != PACKAGE / "tree" / "tree.py":
        return nodes
    return [node for node in nodes if node.col_offset < 8]


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


def blame(here, target, name):
    """Return what is wrong with an import of a layer; None if nothing is."""
    if target is None:
        package = name.split(".")[0]
        if package == "treegen":
            return "imports are relative"
        known = sys.stdlib_module_names | {"tgt_player"}
        return f"the player imports {name}" if here == "player" and package not in known else None
    there = layer_of(target)
    if there == "__version__" or here == there:
        return None
    if here == "player":
        return None if there == "errors" else f"the player imports {name}"
    ranks = -1 if there == "player" else RANKS[there], RANKS[here]
    is_down = ranks[0] < ranks[1] or ranks == (0, 0)
    return None if is_down else f"{here} imports {there}"


def test_imports_point_down():
    wrong = {
        (module, name): fault
        for module, path in zip(IDS, MODULES, strict=True)
        for target, name in imported(path)
        if (fault := blame(layer_of(path.relative_to(PACKAGE).with_suffix("").parts), target, name))
    }
    assert wrong == {}


@pytest.mark.parametrize(
    ("here", "target", "name"),
    [
        ("games", ("tree", "tree"), "tree.tree"),
        ("games", ("checker", "check"), "checker.check"),
        ("games", None, "treegen.games"),
        ("player", ("games", "rules"), "games.rules"),
        ("player", None, "numpy"),
    ],
)
def test_imports_of_other_layers_are_blamed(here, target, name):
    assert blame(here, target, name)


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


FACTS = {PACKAGE / "games" / f"{name}.py" for name in ("rules", "renaming")}
COMPUTE = [path for path in MODULES if "kernels" in path.parts]


def test_kernels_know_the_facts_of_games_alone():
    assert COMPUTE
    for path in COMPUTE:
        games = {module for module in imported_modules(path) if module.parent.name == "games"}
        assert games <= FACTS | {PACKAGE / "games" / "__init__.py"}, path.name


def test_no_import_goes_in_a_circle():
    above_all = PACKAGE / "__init__.py"  # it holds the version, and loads the rest on request
    graph = {path: {*imported_modules(path)} - {above_all} for path in MODULES}
    assert len(graph) > 150
    assert [*TopologicalSorter(graph).static_order()]  # a CycleError names the circle


@pytest.mark.parametrize("door", [name for name in IDS if name.endswith("/__init__.py")])
def test_every_name_of_a_door_is_there(door):
    parts = Path(door).parent.parts
    module = import_module(".".join(("treegen", *parts)))
    for name in OFFERS[parts]:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        module.nothing  # noqa: B018


def test_methods_of_a_tree_reach_up_to_these_modules_alone():
    assert {*list_late(PACKAGE / "tree" / "tree.py")} == LATE


def documented_parameters(docstring):
    """Return the names in the Parameters section of a numpydoc docstring."""
    match = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", docstring, re.M | re.S)
    if match is None:
        return []
    heads = re.findall(r"^(\*{0,2}\w[\w*, ]*?)(?: : .*)?$", match[1], re.M)
    return [name.strip("* ") for head in heads for name in head.split(",")]


def signature_names(function):
    """Return the names in a signature, and those that `describe_parameters` adds to it."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    extra = [name for name in (arguments.vararg, arguments.kwarg) if name is not None]
    added = [
        keyword
        for decorator in function.decorator_list
        if ast.unparse(decorator).startswith("partial(describe_parameters, ")
        for keyword in decorator.keywords
    ]
    return {argument.arg for argument in [*every, *extra, *added]}


def functions_of(nodes):
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node, signature_names(node)
        if isinstance(node, ast.ClassDef):
            init = [n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
            if init:
                yield node.name, node, signature_names(init[0])


def list_made_up(nodes):
    """Return the parameters that a docstring names and its function has not."""
    return {
        name: more
        for name, node, names in functions_of(nodes)
        if (more := {*documented_parameters(ast.get_docstring(node) or "")} - names)
    }


def test_documented_parameters_are_those_of_the_signature():
    assert {path: made_up for path in MODULES if (made_up := read_source(path)[1])} == {}


def test_the_reader_of_docstrings_sees_parameters():
    head = "Do.\n\nParameters\n----------\n"
    text = f"{head}a, b : int\n    Two.\nc\n    One.\n\nReturns\n-------\nint\n"
    assert documented_parameters(text) == ["a", "b", "c"]


OWN = ("player", "kernels", "exact", "online")
"""What quotes nothing of users, or may not change: exported, or compiled."""

SHORT = {
    *("UNKNOWN", "sign", "field", "letter", "letter.upper()", "letter.swapcase()", "start"),
    *("name", "plugin", "choice", "__name__", "near[0]", "criterion.name", "rule"),
    *("player.table.game", "player.before", "profile", "language", "tree.average"),
    *("provenance.rule", "str(fallback)", "left[-1]", "left[0]", "threads"),
}
"""Values that are short by themselves."""


def list_whole_quotes(nodes):
    """Return the values that a module quotes whole."""
    for node in nodes:
        is_quote = isinstance(node, ast.FormattedValue) and node.conversion == ord("r")
        if is_quote and node.format_spec is None and ast.unparse(node.value) not in SHORT:
            yield f"{node.lineno}: {ast.unparse(node.value)}"


def test_every_quoted_value_is_cut():
    paths = [path for path in MODULES if path.relative_to(PACKAGE).parts[0] not in OWN]
    assert {path: quotes for path in paths if (quotes := read_source(path)[2])} == {}


def test_no_pattern_has_a_possessive_group():
    """`(?:…)*+` of a group that backtracks does not match in Python before 3.11.5: `(?>…)` does."""
    texts = {path: path.read_text("utf-8") for path in MODULES}
    assert [path.name for path, text in texts.items() if re.search(r"\)[*+?]\+", text)] == []
