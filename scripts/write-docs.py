"""Write the generated parts of docs/: tables of layers, strategies, commands, options, names, ….

The picture of the rooms, docs/notes/rooms.svg, is one of them.

Usage: python scripts/write-docs.py [--check]

--check writes nothing and exits 1 where a part is out of date.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import click  # noqa: E402
import networkx as nx  # noqa: E402

import treegen  # noqa: E402
from tests.command import find_command, list_commands  # noqa: E402
from tests.test_layers import RANKS  # noqa: E402
from treegen import list_schemas  # noqa: E402
from treegen.analysis.diff import Diff  # noqa: E402
from treegen.analysis.openings import Openings  # noqa: E402
from treegen.analysis.sample import Sample  # noqa: E402
from treegen.analysis.statistics import Statistics  # noqa: E402
from treegen.catalogue import GameDescription, GameList, StrategyDescription  # noqa: E402
from treegen.cli.main import COMMANDS  # noqa: E402
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
    picture, path = draw_rooms(), ROOT / "docs" / "notes" / "rooms.svg"
    if "--check" not in sys.argv[1:]:
        path.write_text(picture, encoding="utf-8")
        print("wrote docs/notes/rooms.svg")
        return 0
    is_new = path.is_file() and path.read_text(encoding="utf-8") == picture
    print("docs/notes/rooms.svg:", "PASSED" if is_new else "FAILED: run write-docs.py")
    return int(stale > 0 or not is_new)


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


MORE = {
    "build": "[long builds](#long-builds)",
    "verify": "[checked or believed](#checked-or-believed)",
    "certify": "[proofs](proofs.md)",
    "openings": "[proved](optimal.md#ranking-openings)",
    "play": "[playing](#playing)",
    "apply": "[how](how-to/data-matrix.md#6-apply-it-to-what-you-collected)",
    "completion": "[below](#completion)",
    "plugins": "[plug-ins](notes/plug-ins.md)",
}
"""Where commands are explained."""


def generate_commands() -> Iterator[str]:
    """Yield the lines of the table of commands, from the first sentences of their help."""
    yield from ["| command | does |", "|---|---|"]
    for name in COMMANDS:
        command = find_command(name)
        usage = " ".join(command.collect_usage_pieces(click.Context(command))[1:])
        usage = "FORMAT FILE" if name in ("export", "import") else usage
        usage = re.sub(r"[{\[][a-z]+(\|[a-z]+)+[}\]]", "SHELL", usage)  # versions of click differ
        about = " ".join((command.help or "").split("\n\n")[0].split()).split(": treegen")[0]
        more = f" ({MORE[name]})" if name in MORE else ""
        line = f"`treegen {name} {usage}".strip().replace("|", "\\|")
        yield f"| {line}` | {about.removesuffix('.')}{more} |"


def generate_options() -> Iterator[str]:
    """Yield a table of the options of games, and one of the others; the same one comes once."""
    of_games: dict[tuple[str, str], list[str]] = {}
    others: dict[tuple[str, str], list[str]] = {}
    for words, command in list_commands():
        for option in command.params if len(words) == 1 else ():
            record = option.get_help_record(click.Context(command))
            if record is not None and record[1]:  # arguments have no help
                group = getattr(option, "group", "")
                rows = of_games if group in ("Game", "Rows") else others
                rows.setdefault(record, []).append(words[0])
    yield from ["", "### Of games", "", "| option | does |", "|---|---|"]
    yield from (write_row(*record) for record in of_games)
    yield from ["", "### Of commands", "", "| option | does, for which command |", "|---|---|"]
    for record, names in sorted(others.items(), key=lambda row: row[0][0].split("--")[1]):
        yield write_row(*record, ", ".join(names) if len(names) <= MOST_NAMED else "most")
    yield ""


def generate_pictures() -> Iterator[str]:
    """Yield a table of the options of pictures and graphs, and of which format each is."""
    found: dict[tuple[str, str], list[str]] = {}
    for words, command in list_commands():
        name = words[-1] if words[:1] == ("export",) else ""
        for option in command.params if name in PICTURES else ():
            record = option.get_help_record(click.Context(command))
            if record is not None and getattr(option, "group", "") == "Options":
                found.setdefault(record, []).append(name)
    yield from ["| option | does, for which format |", "|---|---|"]
    for record, names in found.items():
        others = [name for name in PICTURES if name not in names]
        few = f"all but {', '.join(others)}" if others else "all"
        yield write_row(*record, ", ".join(names) if len(names) < len(PICTURES) - 2 else few)


PICTURES = (
    *("dot", "svg", "png", "pdf", "icicle", "histogram", "game"),
    *("json", "graphml", "mermaid", "rules"),
)
"""Formats of the page of pictures and graphs."""


def write_row(flags: str, text: str, names: str = "") -> str:
    """Return a row of a table; the choices of an option are apart, for a narrow screen."""
    flags = re.sub(r"\[(.*)\]", lambda choices: choices[1].replace("|", " | "), flags)
    text = text.removesuffix("  [required]")
    text = re.sub(r"  \[default: (.*)\]", r" Default: \1.", text) + f" *{names}*" * bool(names)
    return "| `{}` | {} |".format(*(re.sub(r"([|<])", r"\\\1", cell) for cell in (flags, text)))


MOST_NAMED = 4
"""An option that more commands have is one of most."""


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


BASE = ("errors", "_files", "_loading", "_options", "_printing")
"""Modules that everything imports: one box of the picture."""

BOX, GAP, STEP = (104, 30), 18, 62
"""Width and height of a box, the gap between two of a row, the distance of rows, in pixels."""


def list_room_imports() -> nx.DiGraph:
    """Return the imports of rooms, without what others of their imports import anyway."""
    package, graph = Path(treegen.__file__).parent, nx.DiGraph()
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and 0 < node.level <= len(parts):
                base = (*parts[: -node.level], *(node.module or "").split("."))
                rooms = [base[0]] if base[0] else [alias.name for alias in node.names]
                for room in rooms:
                    # Methods of a tree reach up, when they are called.
                    if RANKS.get(room, 99) < RANKS.get(parts[0], -1):
                        ends = ("base" if name in BASE else name for name in (parts[0], room))
                        graph.add_edge(*ends)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    graph.remove_nodes_from(["__main__", "__init__"])
    return nx.transitive_reduction(graph)


def draw_rooms() -> str:
    """Return the picture of the rooms and their imports: the highest layer is at the top."""
    graph, rows = list_room_imports(), [[] for _ in range(max(RANKS.values()) + 1)]
    rank_of: dict[Any, int] = {**RANKS, "base": 0}
    for room in sorted(graph):
        rows[rank_of[room]].append(room)
    # A line that passes a row has a place of its own there, so that it crosses no box.
    lines = {}
    for one, other in sorted(graph.edges):
        between = [(rank, one, other) for rank in range(rank_of[one] - 1, rank_of[other], -1)]
        lines[one, other] = [one, *between, other]
        for place in between:
            rows[place[0]].append(place)
    rows = [row for row in reversed(rows) if row]
    above = {place: [] for row in rows for place in row}
    for line in lines.values():
        for one, other in pairwise(line):
            above[other].append(one)
    width = 5 * (BOX[0] + GAP)
    points: dict[Any, tuple[float, float]] = {}
    for number, row in enumerate(rows):
        wanted = {
            place: mean([points[one][0] for one in above[place]] or [width / 2]) for place in row
        }
        ordered = sorted(row, key=lambda place: (wanted[place], str(place)))
        sizes = [BOX[0] + GAP if isinstance(place, str) else GAP for place in ordered]
        left = min(max(mean(wanted.values()) - sum(sizes) / 2, 0), width - sum(sizes))
        for place, size in zip(ordered, sizes, strict=True):
            points[place] = (round(left + size / 2, 1), GAP + STEP * number + BOX[1] / 2)
            left += size
    paths = [
        f'<path d="M{" L".join(f"{x},{y}" for x, y in map(points.get, line))}"/>'
        for line in lines.values()
    ]
    boxes = [
        f'<rect x="{x - BOX[0] / 2}" y="{y - BOX[1] / 2}" width="{BOX[0]}" height="{BOX[1]}"'
        f' rx="5"/><text x="{x}" y="{y + 5}">{"errors, files" if room == "base" else room}</text>'
        for room, (x, y) in points.items()
        if isinstance(room, str)
    ]
    height = STEP * len(rows)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
            f' width="{width}" height="{height}" role="img">',
            "<title>The rooms of treegen: each imports those to which its lines lead down</title>",
            "<style>rect{fill:#f4f1ea;stroke:#555}path{stroke:#888;fill:none}"
            "text{font:13px sans-serif;text-anchor:middle;fill:#222}</style>",
            f'<rect width="{width}" height="{height}" style="fill:#fff;stroke:none"/>',
            *paths,
            *boxes,
            "</svg>\n",
        ]
    )


def generate_names() -> Iterator[str]:
    """Yield the groups of public names, in the order of treegen/__init__.py."""
    text = Path(treegen.__file__).read_text(encoding="utf-8")
    for group, name in re.findall(r"^    # ([A-Z].*)$|^    from \.\S+ import (\w+) as", text, re.M):
        if group:
            yield from ["", f"### {group}", "", "| name | what it is |", "|---|---|"]
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
    "commands": ("command-line.md", generate_commands),
    "options": ("command-line.md", generate_options),
    "layers": ("notes/architecture.md", generate_layers),
    "strategies": ("strategies.md", generate_strategies),
    "pictures": ("diagrams.md", generate_pictures),
    "schemas": ("diagrams.md", generate_schemas),
    "csv": ("diagrams.md", generate_csv),
    "names": ("reference.md", generate_names),
    "trees": ("gallery.md", generate_trees),
}
"""The page of each part, and what writes it."""


if __name__ == "__main__":
    sys.exit(main())
