"""Write the generated parts of docs/: tables of layers, strategies, names, schemas, CSV columns.

Usage: python scripts/write-docs.py [--check]

--check writes nothing and exits 1 where a part is out of date.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import treegen  # noqa: E402
from tests.test_layers import RANKS  # noqa: E402
from treegen import list_schemas  # noqa: E402
from treegen.analysis.diff import Diff  # noqa: E402
from treegen.analysis.openings import Openings  # noqa: E402
from treegen.analysis.sample import Sample  # noqa: E402
from treegen.analysis.statistics import Statistics  # noqa: E402
from treegen.catalogue import GameDescription, GameList, StrategyDescription  # noqa: E402
from treegen.strategies.named import list_strategies  # noqa: E402

END = "<!-- end -->"


def main() -> int:
    """Write or check the parts."""
    stale = 0
    for name, (page, generate) in PARTS.items():
        path = ROOT / "docs" / page
        text = path.read_text(encoding="utf-8")
        begin = f"<!-- {name}: written by scripts/write-docs.py -->"
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(END), re.DOTALL)
        part = "\n".join([begin, *generate(), END])
        new = pattern.sub(lambda _, part=part: part, text)
        if "--check" in sys.argv[1:]:
            stale += new != text
            print(f"docs/{page}:", "PASSED" if new == text else "FAILED: run write-docs.py")
        else:
            path.write_text(new, encoding="utf-8")
            print(f"wrote the {name} of docs/{page}")
    return int(stale > 0)


def generate_strategies() -> Iterator[str]:
    """Yield the lines of the table of strategies."""
    yield from ["| name | exact rule | idea | source |", "|---|---|---|---|"]
    for named in list_strategies():
        only = f" ({named.only} only)" if named.only else ""
        rule = named.strategy.rule.replace("|", "\\|")
        yield f"| `{named.name}`{only} | `{rule}` | {named.summary} | {named.source} |"


def generate_schemas() -> Iterator[str]:
    """Yield the lines of the table of JSON schemas."""
    yield from ["| schema | what it describes |", "|---|---|"]
    for name, title in list_schemas().items():
        yield f"| [`{name}`](../treegen/schemas/v1/{name}.json) | {title} |"


def generate_csv() -> Iterator[str]:
    """Yield the columns of CSV outputs."""
    yield from ["| command | columns |", "|---|---|"]
    for command, result in (
        ("treegen stats --csv", Statistics),
        ("treegen compare --csv`, `treegen simulate --csv", Sample),
        ("treegen openings --csv", Openings),
        ("treegen diff --csv", Diff),
        ("treegen games GAME --csv", GameDescription),
        ("treegen games --csv", GameList),
        ("treegen strategies --csv", StrategyDescription),
    ):
        yield f"| `{command}` | {', '.join(f'`{column}`' for column in result.columns)} |"


def generate_layers() -> Iterator[str]:
    """Yield the layers with their ranks in tests/test_layers.py, and what each says of itself."""
    yield from ["| rank | folder or module | what it is |", "|---|---|---|"]
    package = Path(treegen.__file__).parent
    for name, rank in [*sorted(RANKS.items(), key=lambda pair: pair[1]), ("player", "–")]:
        is_folder = (package / name).is_dir()
        path = package / name / "__init__.py" if is_folder else package / f"{name}.py"
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        summary = text.splitlines()[0].removesuffix(".").replace("``", "`")
        yield f"| {rank} | `{name}{'/' * is_folder}` | {summary} |"


def generate_names() -> Iterator[str]:
    """Yield the groups of public names, in the order of treegen/__init__.py."""
    text = Path(treegen.__file__).read_text(encoding="utf-8")
    for group, name in re.findall(r"^    # ([A-Z].*)$|^    from \.\S+ import (\w+) as", text, re.M):
        if group:
            yield from ["", f"## {group}", "", "| name | what it is |", "|---|---|"]
        else:
            summary = inspect.getdoc(getattr(treegen, name)).splitlines()[0]
            yield f"| `treegen.{name}` | {summary} |"
    yield ""


def generate_trees() -> Iterator[str]:
    """Yield the gallery's table, from the index of the trees."""
    yield from ["| tree | | total | average | worst | |", "|---|---|---|---|---|---|"]
    rows = re.findall(
        r"^\| \[(\S+)\]\(#\S+\) \| (\d+) \| (\S+) \| (\d+) \|",
        (ROOT / "trees" / "INDEX.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    for name, *figures in rows:
        files = {"play": f"play.html#{name}"}
        files |= {ending: f"{name}.{ending}" for ending in ("svg", "txt", "tree", "tgt")}
        places = {
            text: f"../trees/{file}"
            for text, file in files.items()
            if text == "play" or (ROOT / "trees" / file).is_file()
        }
        picture = f'<img src="../trees/{name}.svg" alt="" loading="lazy" width="150">'
        links = " · ".join(f"[{text}]({place})" for text, place in places.items())
        yield f"| {name} | {picture if 'svg' in places else ''} | {' | '.join(figures)} | {links} |"


PARTS: dict[str, tuple[str, Callable[[], Iterator[str]]]] = {
    "layers": ("architecture.md", generate_layers),
    "strategies": ("strategies.md", generate_strategies),
    "schemas": ("json.md", generate_schemas),
    "csv": ("json.md", generate_csv),
    "names": ("reference.md", generate_names),
    "trees": ("gallery.md", generate_trees),
}
"""The page of each part, and what writes it."""


if __name__ == "__main__":
    sys.exit(main())
