"""What certificates claim, as their headers say it, and the verdict on one."""

from __future__ import annotations

import hashlib
import io
from collections import defaultdict
from dataclasses import dataclass

from ..errors import FormatError

OF_A_CLAIM = {"first", "except", "cap", "price", "total"}
"""Lines of a header that say what is claimed; the others say of which game."""

MAX_LINE = 1 << 16


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
    goal, weights, costs, eligible
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

    def __str__(self) -> str:
        more = [
            *(["goal identify"] if self.goal == "identify" else []),
            *(["weights"] if self.weights else []),
            *(["costs"] if self.costs else []),
            *([f"eligible={self.eligible}"] if self.eligible != "all" else []),
            *(f"after {guess} {answer}" for guess, answer in self.given),
        ]
        game = self.game + (f" ({', '.join(more)})" if more else "")
        begins = f" that begins with {' or '.join(self.first)}" if self.first else ""
        if self.excepted:
            begins += f" whose first guess is useful and not {' or '.join(self.excepted)}"
        unit = f"a cost of {self.cap}" if self.costs else f"{self.cap} guesses"
        games = "" if self.cap is None else f" within {unit}"
        if self.total is None:
            return f"for {game} no strategy{begins} finds every secret{games}"
        where = f" where every game ends{games}" if games else ""
        scale, last = self.price
        what = f"{scale} × total + {last} × games at that limit" if last or scale > 1 else "a total"
        return f"for {game} no strategy{begins} has {what} below {self.total}{where}"


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
        return f"proved: {'; '.join(map(str, self.claims))} ({lemmas})"


def read_claims(data: bytes) -> tuple[ProofClaim, ...]:
    """Return what a certificate claims, as its headers say; only a checker reads all of it.

    Raises FormatError if it has no such header.
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
            claims.append(_make_claim(shared, own, table.hexdigest()))
            own = defaultdict(list)
        else:
            (own if word in OF_A_CLAIM else shared)[word].append(rest)
    if version not in (b"treegen proof 1", b"treegen proof 2") or not claims:
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
        )
    except (ValueError, IndexError) as error:
        raise FormatError("this is no certificate: its header is damaged") from error
