"""The folder of a build that is resumed, its files mutated: the same tree, or a refusal."""

import shutil
import sys
import tempfile
from pathlib import Path

import treegen
from treegen import TreegenError

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.fuzz import endless  # noqa: E402

BUILDS = (*[("p2c3r", "knuth"), ("p3c4r", "knuth")] * 4, ("p2c3r", "best"))
TOKENS = [b"\0", b"\xff" * 8, b'"', b"{", b"[", b"\n", b'"task_pairs": 1,', b"null", b"\xc4\x20"]


def build_all(folder):
    """Return for each build its tree's digest and the files of its folder."""
    states = []
    for number, (game, strategy) in enumerate(BUILDS):
        path = Path(folder) / str(number)
        digest = treegen.build(game, strategy, resume=path)
        files = {each.name: each.read_bytes() for each in path.iterdir() if each.name != "lock"}
        states.append((digest.digest, files))
    return states


with tempfile.TemporaryDirectory() as kept:
    STATES = build_all(kept)


def attempt(rng):
    which = rng.randrange(len(BUILDS))
    digest, files = STATES[which]
    name, others = rng.choice(list(files)), [*files.values()]
    data = endless.mutate(rng, files[name], TOKENS, others)
    game, strategy = BUILDS[which]

    def read():
        folder = tempfile.mkdtemp(prefix="treegen-fuzz-")
        try:
            for each, content in files.items():
                (Path(folder) / each).write_bytes(data if each == name else content)
            tree = treegen.build(game, strategy, resume=folder, notice=lambda text: None)
            tree.check()
            assert tree.digest == digest
        except TreegenError as error:
            endless.check_refusal(error)
        finally:
            shutil.rmtree(folder)

    return data, read


if __name__ == "__main__":
    sys.exit(endless.run(attempt, "state"))
