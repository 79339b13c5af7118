"""Build the shipped trees again: trees/*.tree, *.txt, *.tgt, *.proof.xz, a booklet, players, index.

Usage: python scripts/build-trees.py [--pictures] [--slow] [NAME ...]

Every file but the pictures and the logs of long proofs comes out byte for byte as it was; of a
certificate its text does, and its packed file stays where the text is the same.
--pictures draws the pictures too, whose bytes depend on the version of the renderer. --slow also
builds the trees whose proof takes minutes; without it their committed files are kept as they are.
NAME limits the run to those trees; the index always covers all.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import lzma
import os
import re
import shlex
import shutil
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from treegen.analysis.statistics import Manifest, make_entry  # noqa: E402
from treegen.cli.main import main as treegen  # noqa: E402
from treegen.formats.proof import read_proof  # noqa: E402
from treegen.formats.tree_file import read  # noqa: E402
from treegen.strategies.named import list_strategies  # noqa: E402
from treegen.tree.tree import Tree  # noqa: E402

TREES = Path("trees")
BOOKLET = "p4c6r-knuth"
PLAYERS = TREES / "players"
SHIPPED_PLAYERS = {
    "c": ("C", PLAYERS / "c" / "README.md"),
    "arduino": ("Arduino", PLAYERS / "arduino" / "TreegenPlayer.zip"),
    "micropython": ("MicroPython", PLAYERS / "micropython" / "README.md"),
    "js": ("JavaScript", PLAYERS / "js" / "README.md"),
}
"""The languages of the shipped players, what they are called, and the file to begin with."""
LEXICOGRAPHIC = "--objective total,worst,n_worst"
WIDE = "--beam 32 --gap 1"


@dataclass(frozen=True)
class Shipped:
    """A shipped tree: its name and how it is made; a slow one takes minutes to build.

    The longest proofs keep their log beside the tree.
    """

    name: str
    game: str
    strategy: str
    options: str = ""
    is_slow: bool = False
    suffixes: tuple[str, ...] = (".txt", ".tree", ".tgt")
    is_logged: bool = False
    is_certified: bool = False

    @property
    def proof(self) -> Path:
        """The certificate of its total, packed."""
        return TREES / f"{self.name}.proof.xz"

    @property
    def proof_command(self) -> str:
        """The command that writes the certificate."""
        only = " --only-total" if self.options == LEXICOGRAPHIC else ""
        return f"treegen certify {TREES}/{self.name}.tree -o {self.proof.stem}{only}"

    @property
    def log(self) -> Path:
        """The log of the search that proved it."""
        return TREES / f"{self.name}.log.json"

    @property
    def files(self) -> list[Path]:
        """The files that come out byte for byte: neither the picture nor the log."""
        return [TREES / f"{self.name}{suffix}" for suffix in self.endings]

    @property
    def endings(self) -> tuple[str, ...]:
        """The endings of these files."""
        return (*self.suffixes, ".html") if self.name == BOOKLET else self.suffixes

    @property
    def commands(self) -> list[str]:
        """The commands that make its plain files."""
        name = f"{TREES}/{self.name}"
        options = f"{self.options} --log {self.log}" if self.is_logged else self.options
        build = f"treegen build {self.game} -s {self.strategy} {options} -o {name}.tree"
        style = "--style r-post --symbols abcdef " if self.strategy == "r-post" else ""
        export_of = {
            ".tree": re.sub(" +", " ", build),
            ".txt": f"treegen export text {style}{name}.tree -o {name}.txt",
            ".tgt": f"treegen export table {name}.tree -o {name}.tgt",
            "-lean.tgt": f"treegen export table --profile lean {name}.tree -o {name}-lean.tgt",
            ".html": f"treegen export booklet {name}.tree -o {name}.html"
            ' --title "Mastermind by Knuth\'s strategy"',
        }
        return [export_of[ending] for ending in sorted(self.endings, key=list(export_of).index)]

    @property
    def picture_command(self) -> str:
        """The command that draws its picture."""
        return f"treegen export svg {TREES}/{self.name}.tree -o {TREES}/{self.name}.svg"


def list_shipped() -> list[Shipped]:
    """Return all shipped trees."""
    shipped = [
        Shipped(f"p4c6r-{named.name}", "p4c6r", named.name)
        for named in list_strategies()
        if named.strategy.is_deterministic
    ]
    shipped += [Shipped(f"{game}-knuth", game, "knuth") for game in ("p4c6n", "p4c10n")]
    shipped += [
        Shipped("p4c6r-optimal", "p4c6r", "optimal", LEXICOGRAPHIC, is_certified=True),
        Shipped("p4c6r-optimal-worst5", "p4c6r", "optimal", "--max-length 5", is_certified=True),
        Shipped("p4c6n-optimal", "p4c6n", "optimal", LEXICOGRAPHIC, is_certified=True),
        *(
            Shipped(
                f"{game}-optimal", game, "optimal", LEXICOGRAPHIC, is_slow=True, is_certified=True
            )
            for game in ("p4c7r", "p4c10n")
        ),
        *(
            Shipped(
                f"{game}-optimal",
                game,
                "optimal",
                "",
                True,
                (".tree", ".tgt"),
                is_certified=game in ("p4c9r", "p6c4r"),
            )
            for game in ("p4c9r", "p5c6r", "p6c4r", "p5c8n")
        ),
        *(
            Shipped(f"{game}-optimal", game, "optimal", "", True, (".tree", ".tgt"), True)
            for game in ("p4c10r", "p5c7r", "p6c5r")
        ),
        Shipped("p5c8r-best", "p5c8r", "best", WIDE, True, (".tree", ".tgt", "-lean.tgt")),
    ]
    return shipped


def main() -> int:
    """Run the commands, then write the index."""
    parser = argparse.ArgumentParser(description="Build the shipped trees again.")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--pictures", action="store_true", help="draw the pictures too")
    parser.add_argument("--slow", action="store_true", help="also trees that take minutes")
    arguments = parser.parse_args()
    os.chdir(ROOT)
    TREES.mkdir(exist_ok=True)
    shipped = list_shipped()
    for one in shipped:
        if arguments.names and one.name not in arguments.names:
            continue
        keep = one.is_slow and not (arguments.slow or arguments.names)
        pictures = [one.picture_command] * arguments.pictures
        for command in [*one.commands[keep:], *pictures]:
            run(command)
        if one.is_certified and not keep:
            certify(one)
        if one.name == BOOKLET:
            write_players()
    write_index(shipped)
    print(f"PASSED: {len(shipped)} trees in {TREES}/")
    return 0


def run(command: str) -> None:
    """Run a treegen command in this process; stop at the first that fails."""
    words = shlex.split(command)[1:]
    quiet = ["--quiet"] if words[0] == "build" else []
    print(command, flush=True)
    with contextlib.suppress(SystemExit):
        try:
            treegen([*words, *quiet])
        except SystemExit as stop:
            if stop.code:
                print(f"FAILED: {command}", file=sys.stderr)
                raise SystemError from stop
            raise


def certify(one: Shipped) -> None:
    """Write the certificate of a tree, unless its text is that of the packed file.

    Those of slow trees are checked, too: the tests leave one of them out.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / one.proof.stem
        run(f"treegen certify {TREES}/{one.name}.tree -o {path} --only-total --quiet")
        if one.is_slow:
            run(f"treegen verify {TREES}/{one.name}.tree --certificate {path} --quiet")
        text = path.read_bytes()
    if not one.proof.exists() or read_proof(one.proof) != text:
        one.proof.write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))
        print(f"wrote {one.proof}")


def write_players() -> None:
    """Write the players of one tree, that for Arduino as a ZIP, which its IDE installs."""
    shutil.rmtree(PLAYERS, ignore_errors=True)
    for command in list_player_commands():
        run(command)
    for _, path in SHIPPED_PLAYERS.values():
        if path.suffix == ".zip":
            pack(path.with_suffix(""))
            shutil.rmtree(path.with_suffix(""))


def list_player_commands() -> list[str]:
    """Return the commands that write the folders of the players."""
    folders = {
        language: path.with_suffix("") if path.suffix == ".zip" else path.parent
        for language, (_, path) in SHIPPED_PLAYERS.items()
    }
    return [
        f"treegen export {language} {TREES}/{BOOKLET}.tree -o {folder}"
        for language, folder in folders.items()
    ]


def list_player_files(folder: Path = PLAYERS) -> list[Path]:
    """Return the files of the players, or of one."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def pack(folder: Path) -> None:
    """Write a folder as a ZIP beside it.

    Nothing is compressed and no time is kept: the bytes would depend on zlib and on the clock.
    """
    with zipfile.ZipFile(folder.with_suffix(".zip"), "w") as archive:
        for path in list_player_files(folder):
            name = path.relative_to(folder.parent).as_posix()
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3  # Unix, on every machine
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, path.read_bytes())


def write_index(shipped: list[Shipped]) -> None:
    """Write INDEX.md and the manifest SHA256SUMS."""
    trees = {one.name: read(TREES / f"{one.name}.tree") for one in shipped}
    lines = [
        "# The shipped trees",
        "",
        "[play.html](play.html) plays these trees, [index.html](index.html) shows them, and"
        " [lesson.html](lesson.html) is a lesson with a [sheet to print](lesson-sheet.html). One of"
        " them has [players](#players) for boards and pages.",
        "",
        "Made by `make trees` (the slow ones by `make trees-all`); text, `.tree` and table byte for"
        " byte the same on every machine. `sha256sum -c SHA256SUMS` checks the files.",
        "",
        "| tree | total | average | worst | histogram | table, bytes | digest |",
        "|---|---|---|---|---|---|---|",
        *(f"| [{name}](#{name}) {format_figures(name, tree)}" for name, tree in trees.items()),
    ]
    for one in shipped:
        lines += describe(one, trees[one.name])
    lines += describe_players()
    (TREES / "INDEX.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    paths = [*(path for one in shipped for path in one.files), *list_player_files()]
    entries = tuple(make_entry(path, TREES) for path in paths)
    sums = [str(Manifest(entries)), *map(describe_proof, filter(is_certified, shipped))]
    (TREES / "SHA256SUMS").write_text("\n".join(sums) + "\n", encoding="ascii")


def is_certified(one: Shipped) -> bool:
    """Return whether a certificate of a tree is shipped."""
    return one.is_certified


def describe_proof(one: Shipped) -> str:
    """Return the manifest's line on a certificate: the digest is that of its text."""
    text = read_proof(one.proof)
    digest = hashlib.sha256(text).hexdigest()
    return f"# {one.proof.stem}: {len(text)} bytes unpacked by xz -d, sha256 {digest}"


def format_figures(name: str, tree: Tree) -> str:
    """Return the figures of a tree as the cells of a table's row."""
    histogram = "/".join(map(str, tree.histogram))
    size = (TREES / f"{name}.tgt").stat().st_size
    figures = f"| {tree.total} | {tree.average:.4f} | {tree.worst} | {histogram} "
    return f"{figures}| {size:,} | `{tree.digest[:16]}` |"


def describe(one: Shipped, tree: Tree) -> list[str]:
    """Return the index's section on one tree."""
    picture = TREES / f"{one.name}.svg"
    rows = [
        f"| [{path.name}]({path.name}) | {path.stat().st_size} | `{sha256(path)}` |"
        for path in one.files
    ]
    if one.is_certified:
        proof, digest = one.proof, hashlib.sha256(read_proof(one.proof)).hexdigest()
        size = proof.stat().st_size
        rows.append(f"| [{proof.name}]({proof.name}) | {size} | `{digest}` (of its text) |")
    return [
        "",
        f"## {one.name}",
        "",
        f"Rule: `{tree.provenance.rule}`",
        *([f"\nPicture: [{picture.name}]({picture.name})"] if picture.exists() else []),
        *([f"\nLog of the proof: [{one.log.name}]({one.log.name})"] if one.is_logged else []),
        "",
        "```console",
        *(f"$ {command}" for command in one.commands),
        *([f"$ {one.proof_command}", f"$ xz {one.proof.stem}"] if one.is_certified else []),
        "```",
        "",
        "| file | bytes | sha256 |",
        "|---|---|---|",
        *rows,
    ]


def describe_players() -> list[str]:
    """Return the index's section on the players."""
    rows = []
    for title, path in SHIPPED_PLAYERS.values():
        sizes = [file.stat().st_size for file in list_player_files(path.parent)]
        place = path.relative_to(TREES).as_posix()
        rows.append(f"| {title} | [{place}]({place}) | {len(sizes)} | {sum(sizes):,} |")
    return [
        "",
        "## Players",
        "",
        f"{BOOKLET} with a player, ready to compile, install or run: each README says how. The ZIP"
        " holds the folder that `export arduino` writes; the Arduino IDE installs it by Sketch >"
        " Include Library > Add .ZIP Library.",
        "",
        "```console",
        *(f"$ {command}" for command in list_player_commands()),
        "```",
        "",
        "| for | begin with | files | bytes |",
        "|---|---|---|---|",
        *rows,
    ]


def sha256(path: Path) -> str:
    """Return the sha256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
