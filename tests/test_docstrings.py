"""Docstrings name the parameters that a function has, and no others."""

from __future__ import annotations

import ast
import re
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "treegen"
MODULES = sorted(PACKAGE.rglob("*.py"))


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


def functions_of(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node.name, node, signature_names(node)
        if isinstance(node, ast.ClassDef):
            init = [n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
            if init:
                yield node.name, node, signature_names(init[0])


def test_documented_parameters_are_those_of_the_signature():
    unknown = {
        f"{path.relative_to(PACKAGE)}: {name}": more
        for path in MODULES
        for name, node, names in functions_of(ast.parse(path.read_text(encoding="utf-8")))
        if (more := {*documented_parameters(ast.get_docstring(node) or "")} - names)
    }
    assert unknown == {}


def test_the_reader_of_docstrings_sees_parameters():
    head = "Do.\n\nParameters\n----------\n"
    text = f"{head}a, b : int\n    Two.\nc\n    One.\n\nReturns\n-------\nint\n"
    assert documented_parameters(text) == ["a", "b", "c"]
