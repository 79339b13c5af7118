"""The readers of tables of answers, in every form that is read, on mutated ones.

What is read is also described, and a small table's tree is built and verified.
"""

import io
import sys
import tempfile
from pathlib import Path

import treegen
from treegen.errors import TreegenError

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.formats.hostile import TABLE_HEADS, UNITS  # noqa: E402
from tests.fuzz import endless  # noqa: E402

DATA = ROOT / "tests" / "data"
NAMES = ("", ".csv", ".tsv", ".tab", ".txt", ".js", ".nex", ".arff", "items")
"""Endings of a path; none: the file is open."""

SMALL = 40
"""Candidates and questions of a table that is also built."""


def write_seeds():
    """Return the tests' tables by the form that they have."""
    seeds = {}
    for path in [*(DATA / "tables").iterdir(), *(DATA / "uncertain").glob("*.csv")]:
        parts = sorted(path.iterdir()) if path.is_dir() else [path]
        data = b"\n".join(part.read_bytes() for part in parts)
        seeds.setdefault(path.suffix, []).append(data)
    for form, heads in TABLE_HEADS.items():
        seeds[form] = [f"{head}{unit * 40}".encode() for head in heads for unit in UNITS]
    return [*seeds.values()]


SEEDS = write_seeds()
for text in ("name,a,b\np,x,u\nq,y,v\n", "name,a,b\np,x,?\nq,y,v\n"):  # compiles what builds need
    treegen.verify(treegen.build(io.StringIO(text), notice=lambda text: None))
ALL = [data for seeds in SEEDS for data in seeds]
TOKENS = [
    *(unit.encode() for unit in UNITS),
    *(b"@data\n", b"@attribute a {x,y}\n", b"BEGIN DATA;", b"MATRIX\n", b"NCHAR=9", b"MATCHCHAR=."),
    *(b"*ITEM DESCRIPTIONS\n", b"\n#1. a/\n", b" 1,1-3", b"1,2:3-5 ", b"<<", b" / ", b"'", b"&#9"),
    *(b"var items = [", b'],["', b"#class\t", b"mD#", b"sep=;\n", b"?", b"/", b"cost,1,1\n"),
]


def choose_options(rng):
    """Return some options of reading, whose values may fit."""
    columns = ("name", "kind", "legs", "weight", "n", "class", "none")
    options = {
        "goal": ("win", "identify"),
        "names": columns,
        "classes": columns,
        "ignore": ("legs", "kind,size", '["a, b"]'),
        "header": (False,),
        "unknown": ("", "?", "NA,-", "?,0"),
        "sets": ("/", ";", "|", " or "),
        "any": ("-", "", "x"),
        "count_rows": (True,),
        "thresholds": ("all", "legs", "n"),
        "weights": columns,
        "default_weight": (1, "0.5"),
        "costs": ("cost", "price"),
        "strict": (True,),
    }
    chosen = rng.sample([*options], rng.choice((0, 0, 0, 1, 2, 4)))
    return {name: rng.choice(options[name]) for name in chosen}


def attempt(rng):
    seeds = rng.choice(SEEDS)
    data = endless.mutate(rng, rng.choice(seeds), TOKENS, seeds if rng.random() < 0.8 else ALL)
    ending, options = rng.choice(NAMES), choose_options(rng)

    def read():
        notes = []
        try:
            with tempfile.TemporaryDirectory(prefix="treegen-fuzz-") as folder:
                source = Path(folder, f"x{ending}")
                source.write_bytes(data)
                game = treegen.open_game(
                    source if ending else io.BytesIO(data), notice=notes.append, **options
                )
            assert len(game.reading) < 100_000
            assert game.rules.rules_name
            if max(game.n_secrets, game.n_codes - game.n_secrets) <= SMALL:
                tree = treegen.build(game)
                assert not treegen.verify(tree).problems
        except TreegenError as error:
            endless.check_refusal(error)

    return data, read


if __name__ == "__main__":
    sys.exit(endless.run(attempt, "tables"))
