"""The header of a ``.tree`` file: making it and checking it."""

from __future__ import annotations

from typing import Any

from ..errors import FormatError
from ..games import Excerpt
from ..tree import Provenance, ShardedTree, Tree

VERSION = 1

_HEADER_KEYS = {"version", "game", "provenance", "claims", "n_nodes"}
_CLAIM_KEYS = {"total", "worst", "histogram", "digest"}


def make_header(tree: Tree | ShardedTree) -> dict[str, Any]:
    """Return the header of a tree's file."""
    provenance = tree.provenance
    label = getattr(tree.game, "label", "")
    excerpt = getattr(tree.game, "excerpt", None)
    return {
        "version": VERSION,
        "game": tree.game.description,
        "provenance": {
            "strategy": provenance.strategy,
            "rule": provenance.rule,
            "history": [list(pair) for pair in provenance.history],
            "objective": provenance.objective,
            "bound": provenance.bound,
            **({"codebook": label} if label else {}),
            **(
                {"excerpt": [excerpt.rules_name, excerpt.n_codes, *excerpt.numbers]}
                if excerpt
                else {}
            ),
        },
        "claims": {
            "total": tree.total,
            "worst": tree.worst,
            "histogram": tree.histogram,
            "digest": bytes.fromhex(tree.digest),
        },
        "n_nodes": tree.n_nodes,
    }


def check_header(header: Any) -> None:
    """Raise FormatError unless a header has every key, its value in range."""
    if not isinstance(header, dict) or not _is_int(header.get("version")):
        raise FormatError("offset 12: the header has no version")
    if header["version"] != VERSION:
        raise FormatError(
            f"offset 12: version {header['version']}; this treegen reads version {VERSION}"
        )
    if set(header) != _HEADER_KEYS:
        raise FormatError(f"offset 12: the header's keys are {sorted(map(str, header))}")
    claims, n_nodes = header["claims"], header["n_nodes"]
    if not _is_int(n_nodes) or not 1 <= n_nodes < 2**31:
        raise FormatError(f"offset 12: n_nodes is {n_nodes!r}")
    if not isinstance(header["game"], list):
        raise FormatError("offset 12: the game is not a list")
    if not isinstance(claims, dict) or set(claims) != _CLAIM_KEYS:
        raise FormatError("offset 12: the claims are not total, worst, histogram, digest")
    figures = [claims["total"], claims["worst"]]
    if not isinstance(claims["histogram"], list):
        raise FormatError("offset 12: the histogram is not a list")
    if not all(_is_int(figure) for figure in [*figures, *claims["histogram"]]):
        raise FormatError("offset 12: total, worst and histogram are not whole numbers")
    if not isinstance(claims["digest"], bytes) or len(claims["digest"]) != 32:
        raise FormatError("offset 12: the digest is not 32 bytes")


def parse_provenance(header: dict[str, Any]) -> Provenance:
    """Return the provenance of a checked header; raise FormatError if an entry is wrong."""
    match header["provenance"]:
        case {
            "strategy": str(strategy),
            "rule": str(rule),
            "history": list(history),
            "objective": str(objective),
            "bound": (int() | None) as bound,
        }:
            pairs = [pair for pair in history if _is_pair(pair)]
            if len(pairs) == len(history) and not isinstance(bound, bool):
                return Provenance(
                    strategy, rule, tuple((pair[0], pair[1]) for pair in pairs), objective, bound
                )
    raise FormatError("offset 12: the provenance has missing or wrong entries")


def parse_label(header: dict[str, Any]) -> str:
    """Return the name of the codebook's file in a checked header, or ``""``."""
    label = header["provenance"].get("codebook", "")
    if not isinstance(label, str):
        raise FormatError("offset 12: the codebook's name is not text")
    return label


def parse_excerpt(header: dict[str, Any]) -> Excerpt | None:
    """Return of which larger codebook that of a checked header is a part, if it is one."""
    match header["provenance"].get("excerpt"):
        case None:
            return None
        case [str(name), int(n_codes), *numbers] if all(map(_is_int, numbers)):
            return Excerpt(name, n_codes, tuple(numbers))
    raise FormatError("offset 12: the excerpt is malformed")


def _is_int(value: Any) -> bool:
    """Return whether a value is an integer; True and False are not."""
    return type(value) is int


def _is_pair(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and all(map(_is_int, pair))
