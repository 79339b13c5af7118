"""Make a table of answers from caniuse: browser versions, and whether they support a feature.

    npm pack caniuse-db
    python scripts/make-caniuse.py caniuse-db-*.tgz caniuse.csv

Each version of each browser that is released is a candidate (``--planned`` takes the next ones
too), each feature a question; the answers are the letters of the data without their notes. The
column ``usage`` has the share of all page views in percent, exactly as the data give it:
``treegen build caniuse.csv --weights usage`` weighs by it, and ``--skip-usage`` leaves it out.

The data are by Alexis Deveria and contributors, https://caniuse.com, under CC-BY-4.0.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MEMBER = "package/data.json"

N_PLANNED = 3
"""The last places of each browser's list of versions are for those to come, filled or not."""

ANSWERS = {"y": "yes", "a": "partly", "n": "no", "p": "no, polyfill", "u": "not known"}
"""What the letters of the data mean."""


def read_data(path: Path) -> dict[str, Any]:
    """Return the data of a package or of its ``data.json``; numbers stay as they are written."""
    if path.suffix == ".json":
        text = path.read_bytes()
    else:
        with tarfile.open(path) as package:
            member = package.extractfile(MEMBER)
            assert member is not None
            text = member.read()
    data: dict[str, Any] = json.loads(text, parse_float=str, parse_int=str)
    return data


def generate_rows(data: dict[str, Any], *, has_usage: bool, planned: bool) -> Iterator[list[str]]:
    """Yield the header, then a row for each version of each browser."""
    features = sorted(data["data"])
    yield ["browser", *features, *(["usage"] if has_usage else [])]
    for agent in data["agents"]:
        about = data["agents"][agent]
        to_come = [] if planned else about["versions"][-N_PLANNED:]
        for version, usage in about["usage_global"].items():
            if version in to_come:
                continue
            answers = [
                ANSWERS[data["data"][feature]["stats"][agent][version][0]] for feature in features
            ]
            yield [f"{about['browser']} {version}", *answers, *([usage] if has_usage else [])]


def main() -> int:
    """Write the table and print its size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", type=Path, help="the package's .tgz, or its data.json")
    parser.add_argument("table", type=Path, help="the CSV file to write")
    parser.add_argument("--skip-usage", action="store_true", help="leave the column usage out")
    parser.add_argument("--planned", action="store_true", help="versions that are not out yet, too")
    options = parser.parse_args()
    data = read_data(options.package)
    rows = list(generate_rows(data, has_usage=not options.skip_usage, planned=options.planned))
    with options.table.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)
    n_features = len(data["data"])
    print(f"{options.table}: {len(rows) - 1} versions, {n_features} features")
    return 0


if __name__ == "__main__":
    sys.exit(main())
