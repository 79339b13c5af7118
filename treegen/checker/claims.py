"""What certificates claim, as their headers say it, and the verdict on one."""

from __future__ import annotations

import hashlib
import io
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

from ..errors import FormatError

OF_A_CLAIM = {"first", "except", "cap", "price", "total"}
"""Lines of a header that say what is claimed; the others say of which game."""

MAX_LINE = 1 << 16

VERSIONS = {b"treegen proof " + version for version in (b"1", b"2", b"2.1", b"2.2")}


@dataclass(frozen=True, slots=True)
class ProofClaim:
    """What a certificate claims.

    Attributes
    ----------
    game
        The game's name, or ``codebook RULE SHA256``, or ``table N Q SHA256``.
    total
        No strategy has a total below it; None: none finds every secret.
    first
        The first guesses that the claim is about, as certificates write them; empty: all.
    cap
        The longest game allowed, or what its guesses may cost; None: any.
    excepted
        First guesses that the claim is not about.
    price
        The cost of a guess, and of a game that ends with the last guess allowed, besides: other
        numbers than 1 and 0 make `total` a bound of that cost.
    goal, classes, weights, costs, eligible
        The rest of the game.
    given
        Guesses made before, with their answers.

    Examples
    --------
    >>> print(ProofClaim("p4c6r", 5626, cap=5))
    for p4c6r no strategy has a total below 5626 where every game ends within 5 guesses
    """

    game: str
    total: int | None
    first: tuple[str, ...] = ()
    cap: int | None = None
    excepted: tuple[str, ...] = ()
    price: tuple[int, int] = (1, 0)
    goal: str = "win"
    weights: tuple[int, ...] = ()
    costs: tuple[int, ...] = ()
    eligible: str = "all"
    given: tuple[tuple[str, str], ...] = ()
    classes: tuple[int, ...] = ()

    def is_about(self, guess: str) -> bool:
        """Whether it is about strategies that begin with a guess."""
        return guess not in self.excepted and (not self.first or guess in self.first)

    def __str__(self) -> str:
        more = [
            *(["goal identify"] if self.goal == "identify" else []),
            *(["classes"] if self.classes else []),
            *(["weights"] if self.weights else []),
            *(["costs"] if self.costs else []),
            *([f"eligible={self.eligible}"] if self.eligible != "all" else []),
            *(f"after {guess} {answer}" for guess, answer in self.given),
        ]
        game = self.game + (f" ({', '.join(more)})" if more else "")
        begins = f" that begins with {list_guesses(self.first)}" if self.first else ""
        if self.excepted:
            begins += f" whose first guess is useful and not {list_guesses(self.excepted)}"
        unit = f"a cost of {self.cap}" if self.costs else f"{self.cap} guesses"
        games = "" if self.cap is None else f" within {unit}"
        if self.total is None:
            return f"for {game} no strategy{begins} finds every secret{games}"
        where = f" where every game ends{games}" if games else ""
        scale, last = self.price
        what = f"{scale} × total + {last} × games at that limit" if last or scale > 1 else "a total"
        return f"for {game} no strategy{begins} has {what} below {self.total}{where}"


def list_guesses(guesses: Sequence[str]) -> str:
    """Return guesses in words, of many the first and how many more there are.

    >>> list_guesses(["aab", "aba", "baa"]), list_guesses(["aab", "aba", "baa", "aac", "aca"])
    ('aab or aba or baa', 'aab or 4 others')
    """
    n = len(guesses)
    return " or ".join(guesses) if n < 4 else f"{guesses[0]} or {n - 1:,} others"


def find_bound(
    claims: Sequence[ProofClaim], cap: int | None = None, first: Sequence[str] = ()
) -> float:
    r"""Return below what no strategy has a total, by some claims together; infinite: there is none.

    It is about strategies that begin with one of the first guesses, with any if none are given, and
    whose games end within `cap`. A claim about other first guesses than some says that of all only
    together with claims about each of these.

    >>> text = "treegen proof 2\ngame p2c2r\n"
    >>> text += "claim\nfirst aa\ntotal 9\nroot 9\nclaim\nexcept aa\ntotal 8\nroot 8\n"
    >>> claims = read_claims(text.encode())
    >>> find_bound(claims), find_bound(claims[1:]), find_bound(claims, first=["aa"])
    (8, 0, 9)
    """
    fitting = [
        (inf if claim.total is None else claim.total, set(claim.first), claim.excepted)
        for claim in claims
        if claim.price == (1, 0) and (claim.cap is None or (cap is not None and cap <= claim.cap))
    ]

    def bound(guess: str) -> float:
        # What speaks of other guesses speaks of useful ones, and nobody knows here if this is one.
        known = [
            total
            for total, begun, excepted in fitting
            if not excepted and (not begun or guess in begun)
        ]
        return max(known, default=0)

    if first:
        return min(map(bound, first))
    every = [(total, excepted) for total, begun, excepted in fitting if not begun]
    return max((min([total, *map(bound, excepted)]) for total, excepted in every), default=0)


@dataclass(frozen=True, slots=True)
class Verdict:
    r"""Whether a certificate proves what it claims.

    Attributes
    ----------
    claims
        What it claims.
    n_lemmas
        How many lemmas there are.
    fault
        What was not shown; empty: the claims are proved.

    Examples
    --------
    >>> from treegen.checker.check import check_certificate
    >>> text = "treegen proof 1\ngame p1c3r\ntotal 6\nroot 6\n"
    >>> verdict = check_certificate(text.encode())
    >>> verdict.is_proved, str(verdict)
    (True, 'proved: for p1c3r no strategy has a total below 6 (1 lemma)')
    """

    claims: tuple[ProofClaim, ...]
    n_lemmas: int
    fault: str = ""

    @property
    def claim(self) -> ProofClaim:
        """The last claim: of several, the one that says most."""
        return self.claims[-1]

    @property
    def is_proved(self) -> bool:
        """Whether the claims are proved."""
        return not self.fault

    def __str__(self) -> str:
        if self.fault:
            return f"not proved: {self.fault}"
        lemmas = "1 lemma" if self.n_lemmas == 1 else f"{self.n_lemmas:,} lemmas"
        *rows, rest = self.claims
        least = find_bound(self.claims, rest.cap)
        if not (least and rest.excepted and all(_is_row(row, rest) for row in rows)):
            return f"proved: {'; '.join(map(str, self.claims))} ({lemmas})"
        # A ranking of first guesses.
        total = None if least == inf else int(least)
        whole = replace(rest, total=total, first=(), excepted=())
        lines = [f"first guess {list_guesses(row.first)}: {_write_total(row)}" for row in rows]
        lines += [f"any other useful first guess: {_write_total(rest)}"]
        return "\n  ".join([f"proved: {whole} ({lemmas})", *lines])


def _is_row(claim: ProofClaim, rest: ProofClaim) -> bool:
    return bool(claim.first) and (claim.cap, claim.price) == (rest.cap, (1, 0))


def _write_total(claim: ProofClaim) -> str:
    return "none finds every secret" if claim.total is None else f"no total below {claim.total}"


def read_claims(data: bytes, *, is_whole: bool = True) -> tuple[ProofClaim, ...]:
    """Return the claims in the headers of a certificate; only a checker reads all of it.

    `is_whole` is False for one that a checker has read up to the first claim that was not shown:
    then what stands behind a damaged header does not count. Raises FormatError if it has no header.
    """
    shared: dict[str, list[list[str]]] = defaultdict(list)
    own: dict[str, list[list[str]]] = defaultdict(list)
    table, claims, version = hashlib.sha256(), [], b""
    for line in io.BytesIO(data):
        if line[:2] in (b"l ", b"u ", b"s ", b"\n", b"q ") or line[:1] == b"#":
            if line[:2] == b"q ":
                table.update(line)
            continue
        word, *rest = line[:MAX_LINE].decode("utf-8", "replace").rstrip("\n").split(" ")
        version = version or line.rstrip(b"\n")
        if word == "root":
            try:
                claims.append(_make_claim(shared, own, table.hexdigest()))
            except FormatError:
                if is_whole or not claims:
                    raise
                break
            own = defaultdict(list)
        else:
            (own if word in OF_A_CLAIM else shared)[word].append(rest)
    if version not in VERSIONS or not claims:
        raise FormatError("this is no certificate: it does not begin with 'treegen proof 1' or 2")
    return tuple(claims)


def _make_claim(
    shared: dict[str, list[list[str]]], own: dict[str, list[list[str]]], table: str
) -> ProofClaim:
    """Return the claim of a header's lines; FormatError if a number is none."""

    def find(lines: dict[str, list[list[str]]], name: str) -> list[str]:
        return [word for line in lines[name] for word in line]

    try:
        game = find(shared, "game")
        if game[0] == "table" and len(game) == 3:
            game.append(table)
        (total,) = find(own, "total")
        scale, last = map(int, find(own, "price") or ("1", "0"))
        return ProofClaim(
            " ".join(game),
            None if total == "none" else int(total),
            tuple(find(own, "first")),
            next(map(int, find(own, "cap")), None),
            tuple(find(own, "except")),
            (scale, last),
            next(iter(find(shared, "goal")), "win"),
            tuple(map(int, find(shared, "weights"))),
            tuple(map(int, find(shared, "costs"))),
            next(iter(find(shared, "eligible")), "all"),
            tuple((guess, answer) for guess, answer in shared["given"]),
            tuple(map(int, find(shared, "classes"))),
        )
    except (ValueError, IndexError) as error:
        raise FormatError("this is no certificate: its header is damaged") from error
