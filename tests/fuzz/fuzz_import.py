"""The readers of texts, graphs and other programs' trees, of lists and tables, on mutated ones."""

import io
import sys
from pathlib import Path

import treegen
from treegen import Codebook, TreegenError, open_game, read_questions

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.command import list_choices  # noqa: E402
from tests.formats.hostile import HEADS, NESTS, UNITS  # noqa: E402
from tests.fuzz import endless  # noqa: E402
from tests.written import text_of  # noqa: E402

TABLE = "animal,Has wings?,Legs\nheron,yes,2\nswan,yes,2\ngoat,no,4\nbee,yes,6\n"
GAMES = (
    open_game("p2c3r"),
    Codebook(["abc", "bcd", "abd", "cab"], ["ddd"], feedback="position"),
    read_questions(io.StringIO(TABLE)),
)


def write_seeds():
    """Return texts of each game in every format that shows it, lists and tables."""
    seeds = [[TABLE.encode(), b"crane\nslate\ntrace\n", b"crane 5\nslate 3\n", b'["ab", "cd"]']]
    for game in GAMES:
        tree, texts = treegen.build(game, "entropy"), []
        for style in list_choices("export text", "style"):
            try:
                texts.append(text_of(tree, "text", style=style))
            except TreegenError:
                continue
        texts += [text_of(tree, name) for name in ("json", "graphml")]
        hostile = [head + unit * 40 for heads in HEADS.values() for head in heads for unit in UNITS]
        nests = [a * 3000 + b + c * 3000 for a, b, c in NESTS.values()]
        seeds.append([text.encode() for text in (*texts * 20, *hostile, *nests)])
    return seeds


SEEDS = write_seeds()
TOKENS = [unit.encode() for unit in UNITS]


def attempt(rng):
    kind = rng.randrange(len(SEEDS))
    data = endless.mutate(rng, rng.choice(SEEDS[kind]), TOKENS, SEEDS[kind])
    name = rng.choice([None, None, *HEADS])

    def read():
        notes = []
        try:
            if kind:
                treegen.import_tree(
                    io.BytesIO(data), GAMES[kind - 1], format=name, lenient=rng.random() < 0.1,
                    notice=notes.append,
                )  # fmt: skip
            else:
                treegen.open_game(io.BytesIO(data), notice=notes.append)
        except TreegenError as error:
            endless.check_refusal(error)

    return data, read


if __name__ == "__main__":
    sys.exit(endless.run(attempt, "import"))
