"""The examples at the end of every command's help. Each of them is run by the tests."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "": (
        "treegen build p4c6r -s knuth -o knuth.tree",
        "treegen verify knuth.tree",
        "treegen play knuth.tree --secret 3163",
    ),
    "help": ("treegen help build", "treegen help export svg"),
    "version": ("treegen version",),
    "games": ("treegen games", "treegen games p4c6r p4c10n", "treegen games words.txt"),
    "strategies": ("treegen strategies", "treegen strategies knuth optimal"),
    "build": (
        "treegen build p4c6r -s knuth -o knuth.tree",
        "treegen build p4c6r -s max,parts,consistent --first 1123",
        "treegen build p3c4r -s optimal --objective worst,total",
        "treegen build words.txt --feedback position -s entropy",
        "treegen build words.txt --feedback position --eligible hints -o hard.tree",
    ),
    "stats": ("treegen stats knuth.tree", "treegen stats knuth.tree --json"),
    "export": (
        "treegen export text knuth.tree --depth 2",
        "treegen export table knuth.tree -o knuth.tgt",
    ),
    "export text": (
        "treegen export text knuth.tree --depth 2",
        "treegen export text knuth.tree --style irving -o knuth.txt",
    ),
    "export dot": ("treegen export dot knuth.tree --depth 3 -o knuth.gv",),
    "export svg": ("treegen export svg knuth.tree --path 02 --depth 2 -o knuth.svg",),
    "export png": ("treegen export png knuth.tree --depth 2 -o knuth.png",),
    "export pdf": ("treegen export pdf knuth.tree --depth 2 -o knuth.pdf",),
    "export icicle": ("treegen export icicle knuth.tree --depth 4 -o icicle.svg",),
    "export sunburst": ("treegen export sunburst knuth.tree --depth 4 -o sunburst.svg",),
    "export histogram": ("treegen export histogram knuth.tree -o histogram.svg",),
    "export game": ("treegen export game knuth.tree --secret 3163 -o game.svg",),
    "export json": ("treegen export json knuth.tree --depth 2",),
    "export graphml": ("treegen export graphml knuth.tree -o knuth.graphml",),
    "export table": (
        "treegen export table knuth.tree -o knuth.tgt",
        "treegen export table knuth.tree --profile lean -o lean.tgt",
    ),
    "export c": ("treegen export c knuth.tree -o knuth-c",),
    "export js": ("treegen export js knuth.tree -o knuth-js",),
    "export micropython": ("treegen export micropython knuth.tree -o knuth-upy",),
    "export python": ("treegen export python knuth.tree --profile slim -o knuth-py",),
    "export rust": ("treegen export rust knuth.tree -o knuth-rust",),
    "export go": ("treegen export go knuth.tree -o knuth-go",),
    "export java": ("treegen export java knuth.tree --profile lean -o knuth-java",),
    "export npm": ("treegen export npm knuth.tree -o knuth-npm",),
    "export arduino": ("treegen export arduino knuth.tree --profile lean -o TreegenPlayer",),
    "export html": ("treegen export html knuth.tree -o knuth.html",),
    "import": (
        "treegen import knuth.txt -g p4c6r -o copy.tree",
        "treegen import table knuth.tgt -o copy.tree",
    ),
    "import text": ("treegen import text lines.txt -o copy.tree",),
    "import irving": ("treegen import irving knuth.txt -g p4c6r -o copy.tree",),
    "import codegolf": ("treegen import codegolf golf.txt -g p4c6r --symbols ABCDEF -o copy.tree",),
    "import gv": ("treegen import gv mikemag.gv -g p4c6r -o copy.tree",),
    "import yaml": ("treegen import yaml arfst.yaml -g p4c6r -o copy.tree",),
    "import punch-card": ("treegen import punch-card arfst.txt -g p4c6r -o copy.tree",),
    "import wordle": (
        "treegen import wordle alex.txt -g hidden.txt --guesses allowed.txt -o copy.tree",
    ),
    "import csv": ("treegen import csv board.csv -g p4c6r -o copy.tree",),
    "import nested": ("treegen import nested nested.json -g p4c6r -o copy.tree",),
    "import pymm": ("treegen import pymm pymm.json -g p4c6r -o copy.tree",),
    "import json": ("treegen import json knuth.json -o copy.tree",),
    "import graphml": ("treegen import graphml knuth.graphml -o copy.tree",),
    "import table": ("treegen import table knuth.tgt -o copy.tree",),
    "verify": (
        "treegen verify knuth.tree",
        "treegen verify knuth.tree --claim total=5801 --claim worst=5",
        "treegen verify words.tree --eligible hints",
    ),
    "diff": ("treegen diff knuth.tree entropy.tree --limit 3",),
    "explain": (
        "treegen explain knuth.tree",
        "treegen explain knuth.tree --path 02/11 -s entropy --top 5",
    ),
    "compare": (
        "treegen compare p4c6r -s knuth -s entropy",
        "treegen compare p10c10r p20c20r -s adaptive -n 20",
    ),
    "openings": (
        "treegen openings p4c6r -s knuth",
        "treegen openings p3c4r -s optimal --top 3 --csv openings.csv",
        "treegen openings words.txt --feedback position -s entropy --top 3",
    ),
    "patterns": ("treegen patterns 4 -o patterns",),
    "simulate": (
        "treegen simulate p100c100r -s one-by-one -n 5 --seed 1",
        "treegen simulate p4c6r -s random-consistent -n 50",
    ),
    "play": (
        "treegen play knuth.tree",
        "treegen play p4c6r -s entropy --secret 3163",
        "treegen play p4c6r -s entropy --history 1123:02/4561:11",
        "treegen play words.txt --feedback position --history abide:10002 --top 3",
    ),
    "warmup": ("treegen warmup",),
    "manifest": ("treegen manifest knuth.tree -o SHA256SUMS",),
}
"""By the command's name, as typed after ``treegen``."""


def format_examples(name: str) -> str:
    """Return the end of a command's help: its examples, one per line, or nothing."""
    lines = EXAMPLES.get(name, ())
    # \b is click's mark of a paragraph whose lines stay unchanged.
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)]) if lines else ""
