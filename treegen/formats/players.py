"""Players: a program in some language that plays a tree, with its table, in a folder."""

from __future__ import annotations

import ast
import base64
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from .. import __version__
from .._files import refuse_file_name, seal_folder, write_folder
from .._options import describe_parameters, list_parameters
from ..errors import UsageError
from ..games.base import Game
from ..games.rules import Goal, is_weighted
from ..player import Player
from ..player.tgt_rules import Header
from ..tree.tree import Tree
from .format import Format, Option, Writer
from .table import make_table
from .tree_file import TreeSource, read

Files = dict[str, bytes]
"""Contents by file name."""

MAX_BYTES = 1 << 28
"""Bits of a table are counted with 31 bits."""


def read_player_files(folder: str, names: Sequence[str]) -> Files:
    """Return files of the players included in this package; of Python without a folder."""
    root = files(__package__.rpartition(".")[0]).joinpath("player", *folder.split())
    return {name: (root / name).read_bytes() for name in names}


TEXT = """# A game from a table, in {language}

The example breaks the code that you think of: answer each guess with black and white pegs, `0 2`;
with black pegs alone, `3`; with marks (grey 0, yellow 1, green 2), `01020`; a question with one of
its answers. The table, {size:,} bytes of the profile `{profile}`, holds the complete
decision tree, so nothing is searched. A damaged table is refused before the first guess.

In this folder:

```sh
{commands}
```

The last one shows that it works without asking anything.{note}

License of the player: MIT. Copyright (c) 2026 The treegen developers.
"""


@dataclass(frozen=True, slots=True)
class Language:
    """A player in some language: what is written beside a table, and how its help describes it."""

    name: str  # as `make_player` takes it
    title: str  # the language in a sentence
    summary: str
    help: str
    make: Callable[[bytes, Tree, str], Files]  # for table, tree, profile: all but table and README
    commands: tuple[str, ...] = ()  # of its README: to build or play, to play, to see a guess
    note: str = ""  # behind them
    profiles: tuple[str, ...] = ("full", "lean", "slim")
    table: str = "table.tgt"  # where the table itself is written; "": it is in another file
    has_limit: bool = True  # the table must be smaller than `MAX_BYTES`
    example: str = ""  # a command line

    def make_files(self, table: bytes, tree: Tree, profile: str = "full") -> Files:
        """Return the player, its table and how to play it, by name.

        Raises UsageError if the player does not play the profile, or not such a table.
        """
        if profile not in self.profiles:
            known = f"{', '.join(self.profiles[:-1])} and {self.profiles[-1]}"
            raise UsageError(f"the {self.title} player plays {known} tables, not {profile!r}")
        if self.has_limit and len(table) >= MAX_BYTES:
            raise UsageError(
                f"the {self.title} player takes tables below {MAX_BYTES} bytes; this one has"
                f" {len(table)}"
            )
        files = self.make(table, tree, profile)
        if self.table:
            files[self.table] = table
        if "README.md" not in files:
            files["README.md"] = TEXT.format(
                language=self.title,
                size=len(table),
                profile=profile,
                commands="\n".join(self.commands),
                note=f" {self.note}" if self.note else "",
            ).encode()
        return seal_folder(files)


MODULES = ["tgt_envelope.py", "tgt_rules.py", "tgt_lean.py", "tgt_player.py", "__main__.py"]
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


@cache
def join_player() -> str:
    """Return the Python player as one file, which needs only the standard library."""
    sources = [data.decode() for data in read_player_files("", MODULES).values()]
    bodies = "\n\n\n".join(map(_strip, sources))
    errors = "FormatError, UnreachableError = ValueError, KeyError"
    text = f"{HEAD}{_merge_imports(sources)}\n\n{errors}\n\n{bodies}\n"
    return text.replace("python -m treegen.player", "python tgt_player.py").replace(
        "treegen.player: ", "tgt_player: "
    )


def _merge_imports(sources: list[str]) -> str:
    """Return the imports of modules from outside the player, a line for each module."""
    whole: set[str] = set()
    parts: dict[str, set[str]] = {}
    for node in (node for source in sources for node in ast.parse(source).body):
        if isinstance(node, ast.Import):
            whole.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module != "__future__":
            parts.setdefault(str(node.module), set()).update(alias.name for alias in node.names)
    lines = [f"from {name} import {', '.join(sorted(parts[name]))}" for name in sorted(parts)]
    return "\n".join([*(f"import {name}" for name in sorted(whole)), *lines])


def _strip(source: str) -> str:
    """Return a module without its docstring, its imports, and what only types need."""
    lines = source.splitlines()
    for place, node in enumerate(ast.parse(source).body):
        is_cut = isinstance(node, (ast.Import, ast.ImportFrom))
        is_cut |= place == 0 and isinstance(node, ast.Expr)
        if isinstance(node, ast.Assign):
            is_cut = ast.unparse(node.targets[0]) == "TYPE_CHECKING"
        elif isinstance(node, ast.If):
            is_cut = ast.unparse(node.test) == "TYPE_CHECKING"
        if is_cut:
            for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[number] = ""
    text = "\n".join(lines).strip()
    while "\n\n\n\n" in text:
        text = text.replace("\n\n\n\n", "\n\n\n")
    return text


JS_MODULES = ["tgt_player.mjs", "tgt_text.mjs", "tgt_rules.mjs", "tgt_lean.mjs", "tgt_game.mjs"]
"""In the order of their imports."""

MODULE = """const text = atob(
  "{}",
);

export const table = new Uint8Array(text.length);
for (let place = 0; place < text.length; place++) table[place] = text.charCodeAt(place);
"""


def _make_js(table: bytes, tree: Tree, profile: str) -> Files:
    """Return the modules that play a table in a browser, in a worker or in node."""
    module = MODULE.format(base64.b64encode(table).decode())
    player, *others = JS_MODULES
    names = [player, "tgt_player.min.mjs", *others, "example.mjs"]
    return {**read_player_files("js", names), "table.mjs": module.encode()}


MAX_NODES = 1 << 26
"""Larger tables need integers that MicroPython keeps on the heap."""


def _make_micropython(table: bytes, tree: Tree, profile: str) -> Files:
    """Return the player in its short form and an example; raise UsageError for a large table."""
    contents = read_player_files("micropython", ["tgt_player.min.py", "example.py"])
    player = Player(table)  # its game may have fewer words
    if player.table.n_nodes >= MAX_NODES:
        raise UsageError(
            f"the MicroPython player plays tables of fewer than {MAX_NODES:,} states; this one has"
            f" {player.table.n_nodes:,}"
        )
    texts = {
        'GAME = ["pegs", 4, 6, 1, "pegs"]': f"GAME = {player.table.game!r}",
        "BEFORE = []": f"BEFORE = {player.before!r}",
        "WIN = 13": f"WIN = {player.table.n_responses - 1}",
    }
    if profile == "lean":
        texts["from tgt_player import open_table"] = "from tgt_lean import open_lean"
        texts["open_table(stream.read())"] = "open_lean(stream.read(), GAME)"
    example = contents["example.py"].decode()
    # In one go: a candidate may be called as what is replaced.
    known = "|".join(map(re.escape, texts))
    example = re.sub(known, lambda found: texts[found[0]], example)
    return {
        **(read_player_files("micropython", ["tgt_lean.py"]) if profile == "lean" else {}),
        "tgt_player.py": contents["tgt_player.min.py"],
        "example.py": example.encode(),
    }


MAX_RUST_PEGS = 64
"""`MAX_PEGS` of tgt_player.rs: it has no memory but what it is compiled with."""


def _make_rust(table: bytes, tree: Tree, profile: str) -> Files:
    """Return a crate without dependencies, whose library needs no `std`.

    Raises UsageError if the player does not play a lean or slim table of this many pegs.
    """
    n_pegs = Header(table).rules.n_pegs
    if profile != "full" and n_pegs > MAX_RUST_PEGS:
        raise UsageError(
            f"the Rust player plays {profile} tables of at most {MAX_RUST_PEGS} pegs; this one has"
            f" {n_pegs}: use the profile full"
        )
    return _place_files("rust", "Cargo.toml", "src/tgt_player.rs", "src/main.rs")


def _place_files(language: str, *places: str) -> Files:
    """Return the files of a player where they stand in a project."""
    contents = read_player_files(language, [Path(place).name for place in places])
    return dict(zip(places, contents.values(), strict=True))


HEADERS = ["tgt_player.h", "tgt_codes.h", "tgt_lean.h", "tgt_terminal.h"]
BYTES_PER_LINE = 16
MAX_AVR_BYTES = (1 << 15) - 1
PART_BYTES = 2047 * BYTES_PER_LINE
MAX_FAR_BYTES = 3 << 14
"""Two arrays; the first 64 KiB of flash keep room for texts that are read by near addresses."""
FAR_READER = [
    "#ifdef __AVR__",
    "static uint8_t table_read(const uint8_t *address) {",
    "    uint16_t at = (uint16_t)address;",
    "    uint_farptr_t first = pgm_get_far_address(table_first) + at;",
    f"    uint_farptr_t second = pgm_get_far_address(table_second) + (at - {PART_BYTES}u);",
    f"    return pgm_read_byte_far(at < {PART_BYTES}u ? first : second);",
    "}",
    "#endif",
]


def generate_table_header(table: bytes, game: Game, strategy: str, profile: str) -> Iterator[str]:
    """Yield the lines of ``table.h``."""
    yield f"/* {_write_comment(f'{game.name}-{strategy}')}: a .tgt table of {len(table)} bytes. */"
    yield "#ifndef TABLE_H"
    yield "#define TABLE_H"
    yield ""
    if game.n_pegs > 16:  # for which the lean player has room by default
        yield "/* Of a lean table: room for this many pegs. */"
        yield f"#define TGT_MAX_PEGS {game.n_pegs}"
        yield ""
    if game.notation.answers_in_words or game.goal != Goal.WIN or is_weighted(game.rules):
        yield "/* The player has to read more of the game than that of pegs and words. */"
        yield "#define TGT_QUESTIONS"
        yield ""
    yield from _begin_far_table(len(table))
    yield '#include "tgt_player.h"'
    yield ""
    yield "/* Bytes for a lean table's candidates and for a line that is typed; pegs of a code. */"
    counts = (game.n_responses + 3) // 4 if profile == "slim" else 0
    n_bytes = 1 if profile == "full" else (game.n_secrets + 7) // 8 + counts
    yield f"#define TABLE_CANDIDATE_BYTES {n_bytes}"
    rows = Header(table).rules.labels if game.notation.answers_in_words else ()
    longest = max((len(label.encode()) for row in rows for label in row), default=0)
    yield f"#define TABLE_LINE_BYTES {max(80, 16 + longest, 16 + 2 * game.n_pegs)}"
    yield f"#define TABLE_PEGS {game.n_pegs}"
    yield ""
    yield f"static const uint32_t table_size = {len(table)};"
    yield from _generate_data(table)
    yield "};"
    if len(table) > MAX_AVR_BYTES:
        yield from FAR_READER
    yield ""
    yield "#endif"


def _write_comment(text: str) -> str:
    r"""Return a text as it may stand in a comment of C: on one line, no comment begun or ended.

    >>> _write_comment("a/*b*/c\n")
    'a/ *b* /c?'
    """
    shown = "".join(each if each.isprintable() else "?" for each in text)
    return re.sub(r"/(?=\*)|\*(?=/)", r"\g<0> ", shown)


def _begin_far_table(size: int) -> Iterator[str]:
    """Yield how AVR reads a table that is too large for one array: as two, by far addresses."""
    if size <= MAX_AVR_BYTES:
        return
    yield "#ifdef __AVR__ /* whose arrays have at most 32,767 bytes: here are two */"
    if size > MAX_FAR_BYTES:
        yield f'#error "AVR takes tables of at most {MAX_FAR_BYTES} bytes"'
    yield "#include <avr/pgmspace.h>"
    yield "#include <stdint.h>"
    yield "static uint8_t table_read(const uint8_t *address);"
    yield "#define TGT_READ(address) table_read(address)"
    yield "#define TGT_MEMORY PROGMEM"
    yield "#define table_data ((const uint8_t *)0) /* addresses count from 0 */"
    yield "#endif"
    yield ""


def _generate_data(table: bytes) -> Iterator[str]:
    """Yield the array, for AVR cut in two if it is too large there."""
    size, is_far = len(table), len(table) > MAX_AVR_BYTES
    if is_far:
        yield "#ifdef __AVR__"
        yield f"static const uint8_t table_first[{PART_BYTES}] TGT_MEMORY = {{"
        yield "#else"
    yield f"static const uint8_t table_data[{size}] TGT_MEMORY = {{"
    if is_far:
        yield "#endif"
    for begin in range(0, size, BYTES_PER_LINE):
        if is_far and begin == PART_BYTES:
            yield "#ifdef __AVR__"
            yield "};"
            yield f"static const uint8_t table_second[{size - PART_BYTES}] TGT_MEMORY = {{"
            yield "#endif"
        yield f"    {','.join(map(str, table[begin : begin + BYTES_PER_LINE]))},"


def _make_c(table: bytes, tree: Tree, profile: str) -> Files:
    """Return the headers, the table as a constant array, an example."""
    if profile == "full":
        contents = join_c_player([*HEADERS, "example.c", "stream.c"])
    else:
        _demand_ascii(tree.game)
        contents = join_c_player([*HEADERS, "example_lean.c", "stream.c"])
        contents["example.c"] = contents.pop("example_lean.c")
    return {**contents, "table.h": _write_header(table, tree, profile)}


def _write_header(table: bytes, tree: Tree, profile: str) -> bytes:
    lines = generate_table_header(table, tree.game, tree.provenance.strategy, profile)
    return "".join(f"{line}\n" for line in lines).encode()


def join_c_player(names: Sequence[str]) -> Files:
    """Return files of the player; the envelope is joined to the header that includes it."""
    contents = read_player_files("c", ["tgt_envelope.h", *names])
    envelope = contents.pop("tgt_envelope.h")
    include = b'#include "tgt_envelope.h"\n'
    contents["tgt_player.h"] = contents["tgt_player.h"].replace(include, envelope)
    return contents


def _demand_ascii(game: Game) -> None:
    if game.notation.is_of_words:
        for word in map(game.format_code, range(game.n_codes)):
            if not word.isascii():
                raise UsageError(
                    f"the C player plays words outside ASCII, such as {word!r:.80}, from a table"
                    " of the profile 'full' alone"
                )


JS_NAMES = "Player, START, openTable, table"


def _make_npm(table: bytes, tree: Tree, profile: str) -> Files:
    """Return an npm package: ES and CommonJS modules, types, a program."""
    game, strategy = tree.game, tree.provenance.strategy
    files = _make_js(table, tree, profile)
    modules = [*JS_MODULES, "table.mjs"]
    text = "\n".join(_strip_module(files[name].decode()) for name in modules)
    own = read_player_files("npm", ["package.json", "index.d.ts", "README.md"])
    name = re.sub(r"[^a-z0-9]+", "-", f"treegen-{game.name}-{strategy}".lower())
    name = name[:100].strip("-")  # npm takes it
    package = json.loads(own["package.json"])
    about = {"name": name, "version": __version__, "description": f"Plays {game.notation.title}"}
    example = files["example.mjs"].decode().replace("node example.mjs", f"npx {name}")
    own_import = 'import { Player, table } from "./index.mjs";'
    program = re.sub(r'(?s)import \{ Player \}.*?"./table.mjs";', own_import, example)
    return {
        "package.json": (json.dumps(package | about, indent=2, ensure_ascii=False) + "\n").encode(),
        "index.mjs": f"{text}\nexport {{ {JS_NAMES} }};\n".encode(),
        "index.cjs": f'"use strict";\n\n{text}\nmodule.exports = {{ {JS_NAMES} }};\n'.encode(),
        "index.d.ts": own["index.d.ts"],
        "index.d.cts": own["index.d.ts"],
        "play.mjs": f"#!/usr/bin/env node\n{program}".encode(),
        "README.md": _fill(own["README.md"], table, tree, profile, name=name),
    }


def _make_arduino(table: bytes, tree: Tree, profile: str) -> Files:
    """Return an Arduino library that plays over the serial port; it takes what C takes."""
    if profile != "full":
        _demand_ascii(tree.game)
    sketch = "examples/SerialGame/SerialGame.ino"
    own = ["library.properties", "keywords.txt", "src/TreegenPlayer.h", sketch, "README.md"]
    files = read_player_files("arduino", own)
    properties = files["library.properties"].decode().replace("0.0.0", __version__, 1)
    return {
        **files,
        "library.properties": properties.encode(),
        **{f"src/{name}": data for name, data in join_c_player(HEADERS).items()},
        "src/table.h": _write_header(table, tree, profile),
        "README.md": _fill(files["README.md"], table, tree, profile),
    }


def _strip_module(source: str) -> str:
    """Return an ES module without its imports and exports."""
    source = re.sub(r"^import [^;]*;\n", "", source, flags=re.MULTILINE)
    return re.sub(r"^export (?=const|class)", "", source, flags=re.MULTILINE).strip() + "\n"


def _fill(text: bytes, table: bytes, tree: Tree, profile: str, **others: str) -> bytes:
    """Return the README of a package."""
    texts = {"title": tree.game.notation.title, "strategy": tree.provenance.strategy}
    about = {name: _write_markdown(text) for name, text in texts.items()}
    about |= {"profile": profile, **others}
    return text.decode().format(size=len(table), **about).encode()


def _write_markdown(text: str) -> str:
    r"""Return a text as Markdown that shows it as it is.

    >>> print(_write_markdown("max,*parts* <b>"))
    max,\*parts\* \<b\>
    """
    shown = "".join(each if each.isprintable() else "?" for each in text)
    return re.sub(r"[\\`*_\[\]<>&#|!~]", r"\\\g<0>", shown)


LANGUAGES = {
    language.name: language
    for language in (
        Language(
            "c",
            "C",
            "A C99 player with its table, to a folder.",
            "Write a C99 player and the tree in FILE as a constant array to the folder DIR.",
            _make_c,
            (
                "cc -std=c99 -O2 example.c -o example && ./example",
                "cc -std=c99 -O2 stream.c -o stream && ./stream table.tgt",
                "./example < /dev/null",
            ),
            "`stream.c` leaves the table in a file and reads it through `TGT_READ`."
            " `tgt_player.h` alone walks a table by response numbers; the other headers show codes"
            " to people and play the profiles that leave states out.",
            example="treegen export c knuth.tree -o knuth-c",
        ),
        Language(
            "js",
            "JavaScript",
            "A JavaScript player with its table, to a folder.",
            "Write a JavaScript player and the tree in FILE as modules to the folder DIR.",
            _make_js,
            (
                "node example.mjs",
                "node example.mjs < /dev/null",
                "node --input-type=module -e \"import { Player } from './tgt_game.mjs';"
                " import { table } from './table.mjs'; console.log(new Player(table).guess)\"",
            ),
            "`tgt_player.min.mjs` alone walks a full table by response numbers; the modules"
            " run in browsers and workers, too.",
            table="",
            example="treegen export js knuth.tree -o knuth-js",
        ),
        Language(
            "micropython",
            "MicroPython",
            "A MicroPython player with its table.",
            "Write a MicroPython player and the table of the tree in FILE to the folder DIR.",
            _make_micropython,
            (
                "micropython example.py",
                "python3 example.py",
                "python3 example.py < /dev/null",
            ),
            "The same files run on a board: copy `table.tgt` and the `.py` files to it.",
            ("full", "lean"),
            example="treegen export micropython knuth.tree -o knuth-upy",
        ),
        Language(
            "python",
            "Python",
            "A Python player, one file, with its table.",
            "Write a Python player, one file without dependencies, and the table to the folder"
            " DIR.",
            lambda *_: {"tgt_player.py": join_player().encode()},
            (
                "python3 tgt_player.py table.tgt",
                "python3 tgt_player.py --help",
                'python3 -c "from tgt_player import Player;'
                " print(Player.open('table.tgt').guess)\"",
            ),
            has_limit=False,
            example="treegen export python knuth.tree --profile slim -o knuth-py",
        ),
        Language(
            "rust",
            "Rust",
            "A Rust crate without std, with its table.",
            "Write a Rust crate that plays the tree in FILE to the folder DIR; it needs no std.",
            _make_rust,
            (
                "cargo build --release --offline",
                "./target/release/tgt-game",
                "./target/release/tgt-game < /dev/null",
            ),
            table="src/table.tgt",
            example="treegen export rust knuth.tree -o knuth-rust",
        ),
        Language(
            "go",
            "Go",
            "A Go module with its table.",
            "Write a Go module that plays the tree in FILE to the folder DIR.",
            lambda *_: _place_files("go", "go.mod", "tgt/tgt_player.go", "main.go"),
            ("go build -o game .", "./game", "./game < /dev/null"),
            example="treegen export go knuth.tree -o knuth-go",
        ),
        Language(
            "java",
            "Java",
            "A Java class with its table.",
            "Write a Java class that plays the tree in FILE to the folder DIR.",
            lambda *_: _place_files("java", "TgtPlayer.java", "Game.java"),
            ("javac Game.java", "java Game", "java Game < /dev/null"),
            example="treegen export java knuth.tree --profile lean -o knuth-java",
        ),
        Language(
            "npm",
            "JavaScript",
            "A package for npm with its table, to a folder.",
            "Write a package for npm that plays the tree in FILE to the folder DIR.",
            _make_npm,
            example="treegen export npm knuth.tree -o knuth-npm",
        ),
        Language(
            "arduino",
            "C",
            "An Arduino library with its table.",
            "Write an Arduino library that plays the tree in FILE from flash to the folder DIR.",
            _make_arduino,
            example="treegen export arduino knuth.tree --profile lean -o TreegenPlayer",
        ),
    )
}
"""The players by the names of their languages."""

HELP = {
    "full": "pure lookup",
    "lean": "smaller, the player keeps the candidates",
    "slim": "it also counts them",
}
"""What the profiles are."""


Profile = Annotated[
    str,
    Option("", python="Of the table: see `write_table`; not every player takes every profile."),
]


@describe_parameters
def make_player(tree: TreeSource, language: str, *, profile: Profile = "full") -> Files:
    """Return the files of a player and its table, by name.

    Parameters
    ----------
    tree
        The tree, or its file.
    language
        ``"c"``, ``"js"``, ``"micropython"``, ``"python"``, ``"rust"``, ``"go"`` or ``"java"``;
        ``"npm"`` for a package of JavaScript, ``"arduino"`` for a library of C.
    {options}

    Raises
    ------
    UsageError
        The language is unknown, or its player does not take the table.

    Examples
    --------
    >>> import treegen
    >>> list(treegen.make_player(treegen.build("p4c6r"), "python", profile="slim"))
    ['tgt_player.py', 'table.tgt', 'README.md']
    """
    if language not in LANGUAGES:
        raise UsageError(f"there is no player in {language!r}: there are {', '.join(LANGUAGES)}")
    found = read(tree)
    return LANGUAGES[language].make_files(make_table(found, profile=profile), found, profile)


@describe_parameters
def write_player(
    tree: TreeSource,
    folder: str | os.PathLike[str],
    language: str,
    *,
    profile: Profile = "full",
    force: bool = False,
) -> list[Path]:
    """Write a player and its table to a folder; return the paths of the files.

    Parameters
    ----------
    tree
        The tree, or its file.
    folder
        Where they go; created if missing.
    language
        See `make_player`.
    {options}
    force
        Whether files that were edited are replaced; tables always are.

    Raises
    ------
    UsageError
        See `make_player`; a file cannot be written, or was edited: then nothing is written.

    Examples
    --------
    >>> import tempfile, treegen
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paths = treegen.write_player(treegen.build("p4c6r"), folder, "js")
    >>> paths[0].name
    'tgt_player.mjs'
    """
    refuse_file_name(folder)
    return write_folder(folder, make_player(tree, language, profile=profile), force=force)


def _describe(language: Language) -> Format:
    """Return the format of a player."""
    text = "; ".join(f"{name}: {HELP[name]}" for name in language.profiles)
    options = list_parameters(write_player)
    return Format(
        language.name,
        Writer(
            write_player,
            language.summary,
            language.help,
            [option._replace(help=f"{text}.", kind=language.profiles) for option in options],
            (language.example,),
            fixed={"language": language.name},
            make_files=make_player,
        ),
    )


PLAYERS = tuple(map(_describe, LANGUAGES.values()))
"""The formats of players."""
