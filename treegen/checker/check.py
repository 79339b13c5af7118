"""The plain checker of certificates: Python and numpy, nothing of the search, no compiled kernel.

`check.c` does the same, many times faster; its header comment tells why the rules suffice.
docs/certificate-format.md specifies the text. What is said there is not repeated here.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError

INFINITE = 1 << 50
MAX_PEGS, MAX_COLORS = 9, 26
MAX_CODES, MAX_PLACES, MAX_PAIRS = 10**6, 1 << 20, 1 << 28
"""Of words; of colors to the power of pegs; of pairs of guess and secret, which take some bytes."""
MAX_LINE, MAX_LEMMAS, MAX_ITEMS, MAX_MEMBERS = 1 << 16, 1 << 22, 1 << 24, 1 << 28
MAX_HEADER = 6
"""Lines of a header, besides empty ones and comments."""

MAX_STEPS = 4 * 10**12
"""A step is one guess and one member looked at."""

CHUNK = 1 << 20
RULES = ("pegs", "black", "position")

Codes = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class ProofClaim:
    """What a certificate claims.

    Attributes
    ----------
    game
        The game's name, or ``codebook RULE SHA256``.
    total
        No strategy has a total below it; None: none finds every secret.
    first
        The first guesses that the claim is about, as certificates write them; empty: all.
    cap
        The longest game allowed; None: any.

    Examples
    --------
    >>> print(ProofClaim("p4c6r", 5626, cap=5))
    for p4c6r no strategy has a total below 5626 where every game ends within 5 guesses
    """

    game: str
    total: int | None
    first: tuple[str, ...] = ()
    cap: int | None = None

    def __str__(self) -> str:
        begins = f" that begins with {' or '.join(self.first)}" if self.first else ""
        games = "" if self.cap is None else f" within {self.cap} guesses"
        if self.total is None:
            return f"for {self.game} no strategy{begins} finds every secret{games}"
        where = f" where every game ends{games}" if games else ""
        return f"for {self.game} no strategy{begins} has a total below {self.total}{where}"


@dataclass(frozen=True, slots=True)
class Verdict:
    r"""Whether a certificate proves what it claims.

    Attributes
    ----------
    claim
        What it claims.
    n_lemmas
        How many lemmas there are.
    fault
        What was not shown; empty: the claim is proved.

    Examples
    --------
    >>> text = "treegen proof 1\ngame p1c3r\ntotal 6\nroot 6\n"
    >>> verdict = check_certificate(text.encode())
    >>> verdict.is_proved, str(verdict)
    (True, 'proved: for p1c3r no strategy has a total below 6 (1 lemma)')
    """

    claim: ProofClaim
    n_lemmas: int
    fault: str = ""

    @property
    def is_proved(self) -> bool:
        """Whether the claim is proved."""
        return not self.fault

    def __str__(self) -> str:
        if self.fault:
            return f"not proved: {self.fault}"
        lemmas = "1 lemma" if self.n_lemmas == 1 else f"{self.n_lemmas:,} lemmas"
        return f"proved: {self.claim} ({lemmas})"


def read_claim(data: bytes) -> ProofClaim:
    """Return what a certificate claims, as its header says; only a checker reads all of it.

    Raises FormatError if it has no such header.
    """
    header: dict[str, str] = {}
    lines = (line.rstrip(b"\n") for line in io.BytesIO(data) if line[:1] not in (b"\n", b"#"))
    for line in islice(lines, MAX_HEADER):
        word, _, rest = line[:MAX_LINE].decode("utf-8", "replace").partition(" ")
        header.setdefault(word, rest)
        if word == "root":
            break
    total, cap = header.get("total", ""), header.get("cap")
    if header.get("treegen") != "proof 1" or not re.fullmatch(r"none|[0-9]{1,12}", total):
        raise FormatError("this is no certificate: it does not begin with 'treegen proof 1'")
    return ProofClaim(
        header.get("game", ""),
        None if total == "none" else int(total),
        tuple(header.get("first", "").split()),
        int(cap) if cap and re.fullmatch("[0-9]{1,6}", cap) else None,
    )


class _NotShownError(Exception):
    """Some step of the proof is missing or false."""


@dataclass(slots=True)
class _Lemma:
    line: int
    members: Codes
    bound: int
    left: int
    maps: list[tuple[Codes, Codes]] = field(default_factory=list)
    uses: dict[int, list[_Use]] = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True, slots=True)
class _Use:
    line: int
    answer: int
    lemma: int
    map: tuple[Codes, Codes] | None


class _Rules:
    """A game: its codes, secrets first, and the answers, by their definition."""

    def __init__(self, name: str, rule: str, letters: NDArray[np.int32], n_secrets: int) -> None:
        self.name, self.rule, self.letters, self.n_secrets = name, rule, letters, n_secrets
        self.n_codes, self.n_pegs = letters.shape
        self.texts: list[str] = []
        self.place_of: dict[str, int] = {}
        n = self.n_pegs
        self.n_answers = {"pegs": (n + 1) * (n + 2) // 2, "black": n + 1, "position": 3**n}[rule]
        self.win = self.n_answers - 1
        self.n_others = self.win - (rule == "pegs")
        if self.n_codes * n_secrets > MAX_PAIRS:
            raise FormatError(f"{name} has too many pairs of guess and secret for this checker")
        self.answers = np.empty((self.n_codes, n_secrets), dtype=np.uint16)
        rows = max(1, CHUNK // n_secrets)
        for start in range(0, self.n_codes, rows):
            self.answers[start : start + rows] = self._answer(letters[start : start + rows])
        if (self.answers == self.win).sum() != n_secrets:
            raise FormatError(f"{name:.40} has a code twice")
        self.sets = self._make_sets() if self.n_answers <= 64 else None

    def name_codes(self, texts: Sequence[str]) -> None:
        """Set how codes are written."""
        self.texts = list(texts)
        self.place_of = {text: place for place, text in enumerate(texts)}

    def _answer(self, guesses: NDArray[np.int32]) -> NDArray[np.integer]:
        """Return the answers of some guesses for all secrets; see `answer_of` in check.c."""
        secrets, n = self.letters[: self.n_secrets], self.n_pegs
        shape = len(guesses), self.n_secrets
        equal = [guesses[:, i, None] == secrets[None, :, i] for i in range(n)]
        black: NDArray[np.integer] = sum(equal, np.zeros(shape, dtype=np.uint16))
        if self.rule == "black":
            return black
        found = np.zeros(shape, dtype=np.uint16)
        if self.rule == "pegs":  # black and white together: as many of a color as both codes have
            for color in np.unique(self.letters):
                asked, held = ((codes == color).sum(axis=1) for codes in (guesses, secrets))
                found += np.minimum(asked[:, None], held).astype(np.uint16)
            found += (black * n - black * (black - 1) // 2).astype(np.uint16)
            return found
        # A letter of the secret is paired once: with its place, or with one that misses.
        free = [~hit for hit in equal]
        for i in range(n):
            is_open, digit = ~equal[i], 2 * equal[i].astype(np.uint16)
            for j in range(n):
                hit = is_open & free[j] & (guesses[:, i, None] == secrets[None, :, j])
                free[j] &= ~hit
                is_open &= ~hit
                digit += hit
            found = 3 * found + digit
        return found

    def _make_sets(self) -> NDArray[np.unsignedinteger]:
        """Return each answer as a set of one, a row for each secret."""
        size = next(size for size in (16, 32, 64) if self.n_answers <= size)
        dtype = np.dtype(f"uint{size}")
        return np.ascontiguousarray(
            (np.ones((), dtype=dtype) << self.answers.T.astype(dtype)).astype(dtype)
        )

    def count_cells(self, members: Codes) -> NDArray[np.integer]:
        """Return how many cells each guess has on a set, the winning one not counted."""
        if self.sets is not None:
            union = np.bitwise_or.reduce(self.sets[members], axis=0)
            union &= ~(np.ones((), dtype=union.dtype) << np.asarray(self.win, dtype=union.dtype))
            bits: NDArray[np.integer] = np.bitwise_count(union)
            return bits
        counts = np.empty(self.n_codes, dtype=np.int64)
        rows = max(1, CHUNK // len(members))
        for start in range(0, self.n_codes, rows):
            found = np.sort(self.answers[start : start + rows, members], axis=1)
            counts[start : start + rows] = 1 + (found[:, 1:] != found[:, :-1]).sum(axis=1)
            counts[start : start + rows] -= found[:, -1] == self.win
        return counts

    def format(self, code: int) -> str:
        """Return how a code is written."""
        return self.texts[code]


class _Reader:
    """Reads a certificate, line by line, and finds the sets of its lemmas."""

    def __init__(self, lists: Sequence[Sequence[str]], max_steps: int) -> None:
        self.lists, self.max_steps, self.steps = lists, max_steps, 0
        self.number = 0
        self.stage = "treegen"
        self.rules: _Rules
        self.first: list[int] = []
        self.cap: int | None = None
        self.total = 0
        self.lemmas: list[_Lemma] = []
        self.n_members = self.n_items = 0

    def refuse(self, text: str) -> NoReturn:
        """Raise FormatError for the line at hand."""
        raise FormatError(f"line {self.number} of the certificate: {text}")

    def step(self, number: int) -> None:
        """Count work; raise FormatError when it is more than allowed."""
        self.steps += number
        if self.steps > self.max_steps:
            raise FormatError(f"the check takes more than {self.max_steps} steps")

    def read(self, lines: Iterable[bytes]) -> None:
        """Read all lines; FormatError if one is malformed or a limit is exceeded."""
        for data in lines:
            self.number += 1
            if len(data) > MAX_LINE or not data.endswith(b"\n"):
                self.refuse("it is too long, or has no end")
            data = data[:-1]
            if self.number > 1 and (not data or data.startswith(b"#")) and b"\0" not in data:
                continue
            try:
                words = data.decode("utf-8").split(" ")
            except UnicodeDecodeError:
                self.refuse("it is not UTF-8")
            if "" in words or any(ord(letter) < 32 for letter in "".join(words)):
                self.refuse("words are separated by one blank")
            self._read_line(words[0], words[1:])
        if not self.lemmas:
            raise FormatError("the certificate has no root")

    def _read_line(self, word: str, rest: list[str]) -> None:
        readers: dict[tuple[str, str], Callable[[list[str]], str]] = {
            ("treegen", "treegen"): self._read_version,
            ("game", "game"): self._read_game,
            ("first", "first"): self._read_first,
            ("first", "cap"): self._read_cap,
            ("cap", "cap"): self._read_cap,
            ("first", "total"): self._read_total,
            ("cap", "total"): self._read_total,
            ("total", "total"): self._read_total,
            ("root", "root"): self._read_root,
            ("body", "l"): self._read_lemma,
            ("body", "s"): self._read_symmetry,
            ("body", "u"): self._read_use,
        }
        reader = readers.get((self.stage, word))
        if reader is None:
            self.refuse(f"it cannot stand here: {word!r:.40}")
        self.stage = reader(rest)

    def _take(self, rest: list[str], *numbers: int) -> list[str]:
        """Return the words of a line if there are so many."""
        if len(rest) not in numbers:
            self.refuse(f"it has {len(rest)} words after the first, not {numbers[0]}")
        return rest

    def _number(self, text: str, digits: int) -> int:
        if not re.fullmatch(f"[0-9]{{1,{digits}}}", text):
            self.refuse(f"{text!r:.40} is no number of up to {digits} digits")
        return int(text)

    def _bound(self, text: str) -> int:
        return INFINITE if text == "none" else self._number(text, 12)

    def _read_version(self, rest: list[str]) -> str:
        if rest != ["proof", "1"]:
            self.refuse("it is not 'treegen proof 1'")
        return "game"

    def _read_game(self, rest: list[str]) -> str:
        if rest[:1] == ["codebook"]:
            self.rules = self._make_codebook(*self._take(rest, 3)[1:])
            return "first"
        (name,) = self._take(rest, 1)
        if self.lists:
            raise FormatError(f"the certificate is about {name:.40}, which has no lists of words")
        match = re.fullmatch(r"p([1-9])c([1-9][0-9]?)([rn])(b?)", name)
        if match is None or int(match[2]) > MAX_COLORS:
            self.refuse(f"{name!r:.40} is no game of up to {MAX_PEGS} pegs, {MAX_COLORS} colors")
        n_pegs, n_colors, self.n_colors = int(match[1]), int(match[2]), int(match[2])
        if n_colors**n_pegs > MAX_PLACES:
            self.refuse(f"{name} has too many codes")
        numbers = np.arange(n_colors**n_pegs)
        powers = n_colors ** np.arange(n_pegs - 1, -1, -1)
        letters = (numbers[:, None] // powers % n_colors).astype(np.int32)
        if match[3] == "n":
            ordered = np.sort(letters, axis=1)
            letters = letters[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)]
        if not len(letters):
            self.refuse(f"{name} has no codes")
        self.powers = powers
        self.place_of = np.full(len(numbers), -1, dtype=np.int32)
        self.place_of[letters @ powers] = np.arange(len(letters))
        self.rules = _Rules(name, "black" if match[4] else "pegs", letters, len(letters))
        alphabet = "abcdefghijklmnopqrstuvwxyz"
        self.rules.name_codes(["".join(alphabet[c] for c in code) for code in letters.tolist()])
        return "first"

    def _make_codebook(self, rule: str, digest: str) -> _Rules:
        if rule not in RULES or not re.fullmatch("[0-9a-f]{64}", digest):
            self.refuse(f"{rule!r:.40} is no rule, or {digest!r:.80} no sha256")
        if not self.lists:
            raise FormatError("the certificate is about words: give their lists")
        secrets = list(self.lists[0])
        known = set(secrets)
        words = [*secrets, *(word for part in self.lists[1:] for word in part if word not in known)]
        lengths = {len(word) for word in words}
        if not words or len(lengths) != 1 or not 1 <= max(lengths) <= MAX_PEGS:
            raise FormatError(f"a list of words has words of one length, 1 to {MAX_PEGS} letters")
        if len(set(words)) != len(words) or len(words) > MAX_CODES:
            raise FormatError("a word stands twice in the lists, or there are too many")
        text = "\n".join([f"{rule} {len(secrets)}", *words])
        found = hashlib.sha256(text.encode()).hexdigest()
        if found != digest:
            raise FormatError(
                f"these are not the lists of the certificate: their sha256 is {found}"
            )
        letters = np.array([[ord(letter) for letter in word] for word in words], dtype=np.int32)
        self.n_colors = 0
        rules = _Rules(f"codebook {rule} {digest}", rule, letters, len(secrets))
        rules.name_codes(words)
        return rules

    def _read_first(self, rest: list[str]) -> str:
        self.first = [self._code(text) for text in rest]
        if len(set(self.first)) != len(rest) or not rest:
            self.refuse("a first guess stands twice, or there is none")
        return "cap"

    def _read_cap(self, rest: list[str]) -> str:
        (text,) = self._take(rest, 1)
        self.cap = self._number(text, 6)
        if self.cap == 0:
            self.refuse("a cap of 0 guesses")
        return "total"

    def _read_total(self, rest: list[str]) -> str:
        self.total = self._bound(*self._take(rest, 1))
        return "root"

    def _read_root(self, rest: list[str]) -> str:
        bound = self._bound(*self._take(rest, 1))
        everything = np.arange(self.rules.n_secrets, dtype=np.int32)
        self._add(_Lemma(self.number, everything, bound, self.cap or 0))
        return "body"

    def _add(self, lemma: _Lemma) -> None:
        self.n_members += len(lemma.members)
        if len(self.lemmas) >= MAX_LEMMAS or self.n_members > MAX_MEMBERS:
            self.refuse("there are too many lemmas, or their sets have too many members")
        self.lemmas.append(lemma)

    def _read_lemma(self, rest: list[str]) -> str:
        parent_text, guess_text, answer_text, bound_text = self._take(rest, 4)
        number = self._number(parent_text, 9)
        if number >= len(self.lemmas):
            self.refuse(f"there is no earlier lemma {number}")
        parent = self.lemmas[number]
        guess, answer = self._code(guess_text), self._answer(answer_text)
        self.step(len(parent.members))
        members = parent.members[self.rules.answers[guess, parent.members] == answer]
        if not len(members):
            self.refuse("a lemma about no secret")
        if parent.left == 1:
            self.refuse("a lemma without guesses left")
        self._add(_Lemma(self.number, members, self._bound(bound_text), max(0, parent.left - 1)))
        return "body"

    def _read_symmetry(self, rest: list[str]) -> str:
        if self.lemmas[-1].uses:
            self.refuse("symmetries stand before uses")
        self.lemmas[-1].maps.append(self._map(*self._take(rest, 2)))
        return "body"

    def _read_use(self, rest: list[str]) -> str:
        guess, answer, lemma, *symmetry = self._take(rest, 3, 5)
        use = _Use(
            self.number,
            self._answer(answer),
            self._number(lemma, 9),
            self._map(*symmetry) if symmetry else None,
        )
        if use.answer == self.rules.win:
            self.refuse("the answer that wins needs no lemma")
        self.lemmas[-1].uses[self._code(guess)].append(use)
        return "body"

    def _code(self, text: str) -> int:
        code = self.rules.place_of.get(text)
        if code is None:
            self.refuse(f"{text!r:.40} is no code of {self.rules.name:.40}")
        return code

    def _answer(self, text: str) -> int:
        n, rule = self.rules.n_pegs, self.rules.rule
        length, most = {"pegs": (2, n), "black": (1, n), "position": (n, 2)}[rule]
        if not re.fullmatch(f"[0-{most}]{{{length}}}", text):
            self.refuse(f"{text!r:.40} is no answer")
        if rule != "pegs":
            return int(text, 3) if rule == "position" else int(text)
        black, white = map(int, text)
        if black + white > n or (black, white) == (n - 1, 1):
            self.refuse(f"{text} is no answer")
        place: int = black * (n + 1) - black * (black - 1) // 2 + white
        return place

    def _map(self, pegs: str, colors: str) -> tuple[Codes, Codes]:
        """Return a symmetry: the place of each peg, the color that each becomes."""
        self.n_items += 1
        to = [ord(letter) - ord("1") for letter in pegs], [ord(letter) - 97 for letter in colors]
        is_whole = sorted(to[0]) == [*range(self.rules.n_pegs)] and sorted(to[1]) == [
            *range(self.n_colors)
        ]
        if not is_whole or not self.n_colors:
            self.refuse(f"{pegs!r:.40} {colors!r:.40} is no symmetry")
        if self.n_items > MAX_ITEMS:
            self.refuse("there are too many symmetries")
        return np.array(to[0], dtype=np.int32), np.array(to[1], dtype=np.int32)

    def image(self, symmetry: tuple[Codes, Codes], codes: Codes) -> Codes:
        """Return the images of codes."""
        letters = np.empty((len(codes), self.rules.n_pegs), dtype=np.int64)
        letters[:, symmetry[0]] = symmetry[1][self.rules.letters[codes]]
        images: Codes = self.place_of[letters @ self.powers]
        return images


def _fill(m: int, room: int, level: int, b: int, left: int) -> int:
    """Return the least sum of the lengths of m games; see check.c (A)."""
    total = 0
    while m > 0:
        taken = min(room, m)
        if taken == 0 or 0 < left < level:
            return INFINITE
        total += taken * level
        m -= taken
        level, room = level + 1, min(room * b, m)
    return total


class _Prover:
    """Proves one lemma after another."""

    def __init__(self, reader: _Reader) -> None:
        self.reader, self.rules, self.lemmas = reader, reader.rules, reader.lemmas
        self.everything = np.arange(self.rules.n_codes, dtype=np.int32)

    def prove(self, number: int) -> None:
        """Raise _NotShownError unless a lemma is proved."""
        lemma, rules = self.lemmas[number], self.rules
        n, first = len(lemma.members), self.reader.first if number == 0 else []
        guesses = self._list_guesses(lemma, first)
        if lemma.bound <= _fill(n, 1, 1, rules.n_others, lemma.left):
            return
        if n < 3:
            raise _NotShownError(f"line {lemma.line}: lemma {number} is not true")
        self.reader.step(n * (rules.n_codes + len(guesses)))
        counts, left = rules.count_cells(lemma.members), max(0, lemma.left - 1)
        b = int(counts.max())
        by_size = np.array([_fill(m, 1, 1, b, left) for m in range(n + 1)], dtype=np.int64)
        # However its members are spread over them, so many cells cost at least this.
        least = [n + _fill(n - 1, count, 1, b, left) for count in range(b + 1)]
        guesses = guesses[np.array(least)[counts[guesses]] < lemma.bound]
        rows = max(1, CHUNK // max(n, rules.n_answers))
        for start in range(0, len(guesses), rows):
            some = guesses[start : start + rows]
            sizes = self._count_sizes(lemma.members, some)
            useful = sizes.max(axis=1) < n
            if first and not useful.all():
                raise _NotShownError(f"line {lemma.line}: a first guess has one cell")
            # If infinite bounds should exceed 64 bits, the sum is infinite, whatever it looks like.
            sums = n + np.minimum(by_size[sizes[:, :-1]], INFINITE).sum(axis=1)
            for at in np.flatnonzero(useful & (sums < lemma.bound)).tolist():
                sum_ = self._refute(lemma, int(some[at]), by_size[sizes[at, :-1]], b)
                if sum_ < lemma.bound:
                    raise _NotShownError(
                        f"line {lemma.line}: lemma {number} claims {lemma.bound}, guess"
                        f" {rules.format(int(some[at]))} shows {sum_}"
                    )

    def _count_sizes(self, members: Codes, guesses: Codes) -> NDArray[np.int64]:
        """Return the sizes of the cells of guesses, a row for each, a column for each answer."""
        n_answers = self.rules.n_answers
        found = self.rules.answers[guesses[:, None], members].astype(np.int64)
        found += np.arange(len(guesses))[:, None] * n_answers
        counts = np.bincount(found.ravel(), minlength=len(guesses) * n_answers)
        return counts.reshape(len(guesses), n_answers)

    def _list_guesses(self, lemma: _Lemma, first: list[int]) -> Codes:
        """Return the guesses to refute: the least of those that its symmetries join."""
        given = np.array(first, dtype=np.int32) if first else self.everything
        if not lemma.maps:
            return given
        least = self.everything.copy()
        images = []
        for symmetry in lemma.maps:
            self.reader.step(self.rules.n_codes)
            if not np.isin(self.reader.image(symmetry, lemma.members), lemma.members).all():
                raise _NotShownError(f"line {lemma.line}: a symmetry moves the set of its lemma")
            if first and not np.isin(self.reader.image(symmetry, given), given).all():
                raise _NotShownError(f"line {lemma.line}: a symmetry moves the first guesses")
            images.append(self.reader.image(symmetry, self.everything))
        while True:
            before = least.copy()
            for image in images:
                both = np.minimum(least, least[image])
                least = both.copy()
                least[image] = np.minimum(both[image], both)
            if (least == before).all():
                kept: Codes = given[least[given] == given]
                return kept

    def _refute(self, lemma: _Lemma, guess: int, bounds: NDArray[np.int64], b: int) -> int:
        """Return what a guess costs at least: by sizes, by lemmas, then one guess ahead."""
        rules, left = self.rules, max(0, lemma.left - 1)
        answers = rules.answers[guess, lemma.members]
        found: list[int] = bounds.tolist()
        n = len(lemma.members)
        for use in lemma.uses.get(guess, ()):
            cell, other = lemma.members[answers == use.answer], self.lemmas[use.lemma]
            image = cell if use.map is None or not len(cell) else self.reader.image(use.map, cell)
            if not np.array_equal(np.sort(image), other.members):
                raise _NotShownError(f"line {use.line}: lemma {use.lemma} is about another set")
            if lemma.left and 0 < other.left < left:
                raise _NotShownError(f"line {use.line}: lemma {use.lemma} has fewer guesses left")
            found[use.answer] = max(found[use.answer], other.bound)
        sizes = np.bincount(answers, minlength=rules.n_answers)[:-1]
        order = sorted(np.flatnonzero(sizes >= 3).tolist(), key=lambda a: abs(sizes[a] - b - 2))
        total = n + sum(found)
        for answer in order:
            if total >= lemma.bound:
                break
            cell = lemma.members[answers == answer]
            self.reader.step(len(cell) * rules.n_codes)
            counts = rules.count_cells(cell)
            m, own = len(cell), int(counts[cell].max())
            ahead = min(1 + _fill(m - 1, own, 2, b, left), _fill(m, int(counts.max()), 2, b, left))
            total += max(0, ahead - found[answer])
            found[answer] = max(found[answer], ahead)
        return min(total, INFINITE)


def check_certificate(
    data: bytes,
    words: Sequence[Sequence[str]] = (),
    *,
    max_steps: int = MAX_STEPS,
    look: Callable[[int, int], None] | None = None,
) -> Verdict:
    """Check a certificate, by the plain definitions.

    `words` of a codebook: those that may be secret, then others that may be guessed. `look` is
    called with the number of lemmas proved and of all. Raises FormatError if the certificate is
    malformed, the lists are others, or a limit, such as `max_steps` of work, is exceeded.
    """
    reader = _Reader(words, max_steps)
    reader.read(io.BytesIO(data))
    total = None if reader.total >= INFINITE else reader.total
    first = tuple(map(reader.rules.format, reader.first))
    claim, n_lemmas = ProofClaim(reader.rules.name, total, first, reader.cap), len(reader.lemmas)
    try:
        if reader.total > reader.lemmas[0].bound:
            raise _NotShownError("lemma 0 does not say what is claimed")
        for lemma in reader.lemmas:
            for use in (use for found in lemma.uses.values() for use in found):
                if use.lemma >= len(reader.lemmas):
                    raise _NotShownError(f"line {use.line}: there is no lemma {use.lemma}")
        prover = _Prover(reader)
        for number in range(len(reader.lemmas)):
            if look is not None:
                look(number, len(reader.lemmas))
            prover.prove(number)
    except _NotShownError as fault:
        return Verdict(claim, n_lemmas, str(fault))
    return Verdict(claim, n_lemmas)
