"""Export for Python: the player's modules joined into one file, the table, how to play it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from .player_files import Files, read_player_files
from .readme import make_readme

MODULES = [
    "tgt_envelope.py",
    "tgt_rules.py",
    "tgt_header.py",
    "tgt_lean.py",
    "tgt_player.py",
    "__main__.py",
]
"""In the order of their imports."""

HEAD = '''"""Play code-breaking games from a ``.tgt`` table: one file, only the standard library.

    python tgt_player.py knuth.tgt

    with Player.open("knuth.tgt") as player:
        player.guess                    # the code to play, None when the game is won
        player.answer(black, white)     # the next guess

A damaged table raises FormatError before the first guess, an answer that no secret gives
UnreachableError, which changes nothing. Joined from the modules of treegen.player. MIT license.
"""

from __future__ import annotations

'''
ERRORS = """
FormatError, UnreachableError = ValueError, KeyError
"""


def make_python_files(table: bytes, profile: str = "full") -> Files:
    """Return the files that play a table of any profile in Python, without treegen."""
    readme = make_readme("Python", table, profile)
    return {"tgt_player.py": join_player().encode(), "table.tgt": table, "README.md": readme}


@cache
def join_player() -> str:
    """Return the Python player as one file, which needs only the standard library."""
    sources = [data.decode() for data in read_player_files(".", MODULES).values()]
    imports = _merge_imports([node for source in sources for node in _list_imports(source)])
    bodies = [_strip(source) for source in sources]
    text = HEAD + "\n".join(imports) + "\n" + ERRORS + "\n" + "\n\n\n".join(bodies) + "\n"
    return text.replace("python -m treegen.player", "python tgt_player.py").replace(
        "treegen.player: ", "tgt_player: "
    )


def _list_imports(source: str) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports of a module from outside the player."""
    for node in ast.parse(source).body:
        is_outside = isinstance(node, ast.ImportFrom) and not node.level
        if isinstance(node, ast.ImportFrom) and is_outside and node.module != "__future__":
            yield node
        if isinstance(node, ast.Import):
            yield node


def _merge_imports(nodes: list[ast.Import | ast.ImportFrom]) -> list[str]:
    """Return a line for each module."""
    whole = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    parts: dict[str, set[str]] = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            parts.setdefault(node.module, set()).update(alias.name for alias in node.names)
    lines = [f"from {name} import {', '.join(sorted(parts[name]))}" for name in sorted(parts)]
    return [*(f"import {name}" for name in sorted(whole)), *lines]


def _strip(source: str) -> str:
    """Return a module without its docstring, its imports, and what only types need."""
    lines = source.splitlines()
    for place, node in enumerate(ast.parse(source).body):
        if (place == 0 and isinstance(node, ast.Expr)) or _is_for_loading(node):
            for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[number] = ""
    text = "\n".join(lines).strip()
    while "\n\n\n\n" in text:
        text = text.replace("\n\n\n\n", "\n\n\n")
    return text


def _is_for_loading(node: ast.stmt) -> bool:
    """Whether a statement imports, alone or for types."""
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0]) == "TYPE_CHECKING"
    is_for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    return is_for_types or isinstance(node, (ast.Import, ast.ImportFrom))
