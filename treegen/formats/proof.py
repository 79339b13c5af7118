"""Certificates: what their text can say, and how it calls a game and its codes.

docs/notes/certificate-format.md specifies it; `treegen.exact` writes, `treegen.checker` reads it.
"""

from __future__ import annotations

import hashlib
import lzma
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import IO

import numpy as np

from .._files import check_file, explain_reading
from ..errors import FormatError, UsageError
from ..games.base import Game
from ..games.eligible import is_rule_of_play, resolve_eligible
from ..games.feedback import COMPARISONS
from ..games.rules import count_shares
from ..strategies.named import read_provenance
from ..tree.tree import History, Tree

MAX_PEGS, MAX_COLORS = 9, 26
MAX_STREAMS = 100
"""Of an xz file; xz itself writes one."""

XZ = b"\xfd7zXZ\0"
"""How an xz file begins."""

MAX_BYTES = 1 << 28
"""The most that an unpacked certificate may have."""

MAX_RATIO, FEW_BYTES = 1000, 1 << 24
"""The most that a file may grow when it is unpacked: a factor, or bytes. Certificates grow six
times; xz reaches 7,000."""

MAX_UNPACKING_BYTES = 1 << 28
"""Memory that unpacking may take; xz -9 needs a quarter of it, and a file may ask for gigabytes."""

MAX_ROW, MAX_ANSWERS = 65_000, 60_000
"""Letters of a line; different answers to a question."""

MAX_CAP = 999_999
MAX_WEIGHT, MAX_SHARES, MAX_COST, MAX_CLAIM, MAX_COUNT = 10**12, 10**15, 10**9, 1 << 56, 1 << 48
"""Numbers are below these; the last is that of claims where guesses alone are counted."""

SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""How answers of a table are written; more are decimal numbers."""

NUMBERS_A_LINE = 1000

ProofSource = str | os.PathLike[str] | bytes | IO[bytes] | IO[str]
"""A path, the bytes or the open file of a certificate, which may be packed by xz."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """One claim of a certificate about a game: no strategy costs less than `total`.

    `total` is None where none finds every secret. The claim is about strategies that begin with one
    of the `first` codes, or with none of those `excepted`, and whose games have the length `cap` at
    most. The cost is `price[0]` times the total and `price[1]` times the games of length `cap`.
    """

    total: int | None
    first: tuple[int, ...] = ()
    cap: int | None = None
    excepted: tuple[int, ...] = ()
    price: tuple[int, int] = (1, 0)


def refuse_game(
    game: Game, cap: int | None = None, eligible: str = "all", objective: str = "total"
) -> None:
    """Raise UsageError if certificates do not cover a game, its cap, rule of play, or objective."""
    if "nodes" in objective:
        raise UsageError(
            f"certificates prove totals and longest games; `objective={objective}` counts states"
        )
    if cap is not None and cap > MAX_CAP:
        raise UsageError(f"certificates have caps of up to {MAX_CAP:,}; {game.name} needs {cap:,}")
    is_table = is_written_out(game)
    if not is_table and game.kind not in ("pegs", "codebook"):
        raise UsageError(
            f"certificates are for peg games, codebooks and tables of answers, not for {game.name}"
        )
    if not is_table and (
        game.n_pegs > MAX_PEGS or (not game.notation.is_of_words and game.n_colors > MAX_COLORS)
    ):
        raise UsageError(
            f"certificates are for up to {MAX_PEGS} pegs and {MAX_COLORS} colors; {game.name} has"
            " more"
        )
    if game.rules.excerpt:
        raise UsageError(
            f"certificates need the whole codebook; {game.name} has only the words of a tree"
        )
    if not game.notation.is_plain:
        raise UsageError(f"certificates need letters of one code point; {game.name} has others")
    if game.weights is not None and is_rule_of_play(resolve_eligible(game, eligible)):
        raise UsageError(f"certificates do not cover weights together with `eligible={eligible}`")
    rows = write_table(game) if is_table else []
    if is_table and not rows:
        raise UsageError(f"{game.name}: no question is needed, and nothing is to be proved")
    if max(map(len, rows), default=0) > MAX_ROW:
        raise UsageError(f"certificates have rows of up to {MAX_ROW:,} bytes; {game.name} has more")
    weights, costs = list_stakes(game)
    most, dearest = sum(weights) or game.n_secrets, max(costs, default=1)
    if (
        max(weights, default=0) >= (MAX_WEIGHT if game.rules.shares is None else MAX_SHARES)
        or dearest >= MAX_COST
        or most * dearest * count_longest(game) >= MAX_CLAIM
    ):
        raise UsageError(
            f"{game.name} has weights or costs of too many digits for certificates: a total may"
            " come to 2^56"
        )


def count_longest(game: Game) -> int:
    """Return the largest number of useful guesses that a game can have."""
    n_guesses = game.n_codes - game.rules.first_guess
    return game.n_secrets if game.rules.shares is None else max(game.n_secrets, n_guesses)


def list_stakes(game: Game) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return a game's weights, and the costs of its guesses; empty where each is 1.

    Where weights are divided, they are in shares.
    """
    rules = game.rules
    weights, costs = rules.weights, rules.given_costs
    if rules.shares is not None and (weights is not None or rules.share_unit > 1):
        weights = rules.shares
    return (
        () if weights is None else tuple(weights.tolist()),
        () if costs is None else tuple(costs[rules.first_guess :].tolist()),
    )


def find_claims(tree: Tree, *, only_total: bool = False) -> list[Claimed]:
    """Return the claims that a tree's search has proved, the strongest last.

    By an objective, no tree has a shorter longest game, nor, of those whose longest games are as
    short, a better value; `only_total` leaves out all but the total. UsageError: the search has
    proved nothing, or what no certificate covers.
    """
    claimed, stated = tree.provenance, read_provenance(tree.provenance, tree.game)
    game, objective = tree.game.with_symbols(None), stated.objective or claimed.objective
    refuse_game(game, eligible=stated.eligible, objective=objective)
    # A table does not hold the bound, only that its tree is optimal.
    stated_bound = tree.total if claimed.bound is None and stated.is_optimal else claimed.bound
    if stated_bound is None:
        raise UsageError(
            f"{claimed.strategy or 'an imported tree'} claims no bound that could be proved:"
            " build the tree with the strategy optimal or best"
        )
    bound = count_shares(stated_bound, game.rules.share_unit)
    first, worst = tuple(map(game.parse_code, stated.first)), tree.worst
    is_by_worst = objective.startswith("worst")
    is_whole = stated.is_optimal and objective not in ("", "total") and not only_total
    refuse_game(game, max(stated.max_length or 0, worst if is_by_worst or is_whole else 0))
    if worst == 0:  # nothing is asked, and no cap is as short
        return [Claimed(bound, first)]
    shorter = Claimed(None if is_by_worst else bound + 1, first, worst - 1)
    claims = [] if is_by_worst else [Claimed(bound, first, stated.max_length)]
    if not is_whole:
        return claims or [Claimed(bound, first, worst)]
    claims += [shorter] if worst > 1 else []
    if objective == "worst,total":
        return [*claims, Claimed(bound, first, worst)]
    # One number for both: the less important one never comes to a unit of the other.
    weight = sum(list_stakes(game)[0]) or game.n_secrets
    price = (1, worst * weight + 1) if is_by_worst else (weight + 1, 1)
    cost = price[0] * bound + price[1] * tree.share_n_worst
    most = price[0] * max((1, *list_stakes(game)[1])) * count_longest(game) + price[1]
    if most * weight >= MAX_COUNT:
        raise UsageError(
            f"{game.name}: the numbers of {objective} are too large for certificates: in one"
            " number they may come to 2^48"
        )
    return [*claims, Claimed(cost, first, worst, (), price)]


def name_game(game: Game) -> str:
    """Return the name of a game in certificates; a table's is the digest of its lines."""
    line, *rows = _list_lines(game)
    name = line.removeprefix("game ")
    return f"{name} {hashlib.sha256(join_lines(rows)).hexdigest()}" if rows else name


def _list_lines(game: Game) -> list[str]:
    """Return the line of a certificate that names a game; of a table, its lines follow."""
    if game.notation.is_of_words:
        return [f"game codebook {game.rule} {game.rules.rules_name.partition(':')[2]}"]
    if not is_written_out(game):
        return [f"game {game.name}"]
    rows = write_table(game)
    return [f"game table {game.n_secrets} {len(rows)}", *rows]


def is_written_out(game: Game) -> bool:
    """Whether certificates hold a game as a table of all its answers."""
    return game.notation.asks_questions or game.rule in COMPARISONS


def join_lines(lines: Sequence[str]) -> bytes:
    """Return lines as bytes."""
    return "".join(f"{line}\n" for line in lines).encode()


def write_table(game: Game) -> list[str]:
    """Return the lines of a table: the answers of all candidates to each guess."""
    secrets = np.arange(game.n_secrets)
    lines, first = list[str](), 0
    if game.notation.asks_questions:  # guesses win or say nothing
        first = game.n_secrets
        lines = [f"q ={secret + 1}" for secret in range(first - game.rules.first_guess)]
    for guess in range(first, game.n_codes):
        answers = game.rules.spread(np.full(game.n_secrets, guess), secrets)
        written = [write_answer(game, answer) for answer in answers.answers.tolist()]
        if isinstance(answers.source, np.ndarray):
            parts = np.split(np.array(written), 1 + np.flatnonzero(np.diff(answers.source)))
            written = ["/".join(part) for part in parts]
        separator = "," if max(map(len, written)) > 1 else ""
        lines.append(f"q {separator.join(written)}")
    return lines


def list_classes(game: Game) -> tuple[int, ...]:
    """Return the number of each candidate's class, by its first one; none without classes."""
    classes = game.rules.classes
    number_of = {name: number for number, name in enumerate(dict.fromkeys(classes))}
    return tuple(map(number_of.__getitem__, classes))


def generate_head(
    game: Game, eligible: str, history: History, layers: Sequence[int] = ()
) -> Iterator[str]:
    """Yield the lines of a certificate about its game, behind the first line."""
    yield from _list_lines(game)
    yield from map(str, game.goal.describe())
    for name, numbers in zip(
        ("classes", "weights", "costs"), (list_classes(game), *list_stakes(game)), strict=True
    ):
        for start in range(0, len(numbers), NUMBERS_A_LINE):
            yield f"{name} {' '.join(map(str, numbers[start : start + NUMBERS_A_LINE]))}"
    if layers:
        yield f"layers {' '.join(map(str, layers))}"
    rule = resolve_eligible(game, eligible)
    if rule != "all":
        yield f"eligible {rule}"
    for guess, response in history:
        yield f"given {write_code(game, guess)} {write_answer(game, response)}"


def write_code(game: Game, code: int) -> str:
    """Return a code as certificates write it: 1123 as aabc, a word itself, a guess's number."""
    if is_written_out(game):
        return str(code - game.rules.first_guess + 1)
    if game.notation.is_of_words:
        return game.with_symbols(None).format_code(code)
    return "".join(chr(ord("a") + color) for color in game.codes[code].tolist())


def write_answer(game: Game, response: int) -> str:
    """Return an answer as certificates write it: by its number where it is a word."""
    if not game.notation.answers_in_words:
        return game.format_response(response)
    if response == game.win:
        return "*"
    return SIGNS[response] if response < len(SIGNS) else str(response)


def read_proof(source: ProofSource) -> bytes:
    """Return the text of a certificate; FormatError if it cannot be read or is too large."""
    if isinstance(source, bytes):
        return _unpack(source, "the certificate")
    if isinstance(source, (str, os.PathLike)):
        with explain_reading(source), Path(source).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        return _unpack(data, os.fspath(source))
    check_file(source)
    found = source.read(MAX_BYTES + 1)
    data = found.encode() if isinstance(found, str) else found
    return _unpack(data, str(getattr(source, "name", "the input")))


def _unpack(data: bytes, name: str) -> bytes:
    if data.startswith(XZ):
        most = min(MAX_BYTES, max(FEW_BYTES, MAX_RATIO * len(data)))
        try:
            data = b"".join(_generate_streams(data, most))
        except (lzma.LZMAError, EOFError) as error:
            raise FormatError(f"{name}: the xz file is damaged ({error})") from error
        if most < len(data) <= MAX_BYTES:
            raise FormatError(
                f"{name}: the xz file holds more than {most:,} bytes, which no certificate of its"
                " size does; give it unpacked"
            )
    if len(data) > MAX_BYTES:
        raise FormatError(f"{name}: a certificate has {MAX_BYTES:,} bytes at most")
    return data


def _generate_streams(data: bytes, most: int) -> Iterator[bytes]:
    """Yield what each stream of an xz file holds, until it is more than `most` bytes in all.

    LZMAError as xz says it. `lzma.open` would pass over what stands behind the first stream.
    """
    room = most + 1
    for n_streams in count():
        if not data or room <= 0:
            return
        if n_streams == MAX_STREAMS:  # each copies what stands behind it
            raise lzma.LZMAError(f"it has more than {MAX_STREAMS} streams")
        stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, MAX_UNPACKING_BYTES)
        part = stream.decompress(data, room)
        room -= len(part)
        yield part
        if room > 0 and not stream.eof:
            raise EOFError("its end is missing")
        rest = stream.unused_data
        data = rest.lstrip(b"\0")
        if (len(rest) - len(data)) % 4:  # streams may be padded, in units of four bytes
            raise lzma.LZMAError("its padding is not a multiple of 4 bytes")
