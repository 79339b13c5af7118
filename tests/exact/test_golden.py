"""Trees of searches by their digests: however the search is built, it finds the same trees.

After a change that is meant to choose other trees, `make refdata` writes the digests again.
"""

import treegen

from ..golden import check_golden
from .searching import OBJECTIVES

WORDS = ["crane", "crate", "trace", "eerie", "abide", "speed", "erase", "steal", "react", "caret"]
EXTRA = ["zzzzz", "tears", "loris", "aaaaa", "track", "bound"]
ROWS = [[str(at % 2), str(at % 3), str(at // 4), "a" if at < 5 else "b"] for at in range(11)]

GAMES = {
    **{name: treegen.open_game(name) for name in ("p3c4r", "p3c5n", "p4c4r", "p3c4rb", "a321")},
    "words": treegen.Codebook(WORDS, EXTRA, feedback="position"),
    "anagrams": treegen.Codebook(WORDS, EXTRA, feedback="pegs"),
    "table": treegen.Questions(ROWS, goal="identify"),
    "guessed table": treegen.Questions(ROWS, goal="win"),
    "identified": treegen.open_game("p3c4r", goal="identify"),
    "weighted": treegen.open_game("p3c3r").with_stakes(
        [code % 5 for code in range(27)], [1 + code % 3 for code in range(27)]
    ),
}
CASES = [
    *[(name, "optimal", {"objective": objective}) for name in GAMES for objective in OBJECTIVES],
    *[(name, "best", {"beam": 2}) for name in GAMES],
    *[(name, "optimal", {"max_length": 4}) for name in ("p3c4r", "p4c4r", "words", "anagrams")],
    ("weighted", "optimal", {"max_length": 7}),
    ("p3c4r", "optimal", {"eligible": "candidates"}),
    ("identified", "optimal", {"eligible": "candidates"}),
    *[("words", name, {"eligible": "hints"}) for name in ("optimal", "best")],
    *[("anagrams", name, {"eligible": "consistent"}) for name in ("optimal", "best")],
    ("words", "optimal", {"eligible": "hints", "objective": "worst,n_worst,total"}),
    ("words", "optimal", {"eligible": "hints", "first": ["loris", "crane"]}),
    ("p4c4r", "optimal", {"first": ["1112", "1122"]}),
    ("p4c4r", "best", {"first": ["1112"], "beam": 1}),
    ("p4c4r", "best", {"gap": 1}),
    ("weighted", "optimal", {"first": ["333", "112"]}),
    ("p4c4r", "optimal", {"history": [("1122", "11")]}),
    ("words", "optimal", {"history": [("zzzzz", "00000")], "eligible": "hints"}),
    ("table", "optimal", {"history": [(GAMES["table"].format_code(11), "1")]}),
]


def describe(case):
    """Return a case in one line."""
    name, search, options = case
    return "; ".join([f"{name} {search}", *(f"{key}={value}" for key, value in options.items())])


def write_line(case):
    """Return what a search finds, in one line."""
    name, search, options = case
    tree = treegen.build(GAMES[name], search, **options)
    figures = f"total {tree.total}, worst {tree.worst}, bound {tree.provenance.bound}"
    return f"{describe(case)}: {figures}, {tree.digest}\n"


def test_searches_find_the_golden_trees():
    check_golden("exact-digests.txt", "".join(map(write_line, CASES)))
