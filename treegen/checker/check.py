"""The plain checker of certificates: Python and numpy, nothing of the search, no compiled kernel.

`check.c` does the same, many times faster; its header comment tells why the rules suffice.
docs/notes/certificate-format.md specifies the text. What is said there is not repeated here.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

import numpy as np

from ..errors import FormatError
from ..tasks.work import OnProgress, report_count
from .claims import MAX_LINE, Verdict, read_claims
from .game import CHUNK, MAX_PAIRS, CheckedGame, Codes, Int64s

INFINITE = 1 << 60
UNLIMITED = 1 << 40
"""As what may be spent: no limit."""

MAX_COST = 1 << 59
"""No strategy that finds every secret costs as much."""

MAX_PEGS, MAX_COLORS = 9, 26
MAX_CODES, MAX_PLACES = 10**6, 1 << 20
"""Of words; of colors to the power of pegs."""
MAX_LEMMAS, MAX_ITEMS, MAX_MEMBERS = 1 << 22, 1 << 24, 1 << 28
MAX_LAYERS = 64
MAX_SETS = 5000
"""Different sets of answers of a table."""
MAX_STEPS = 4 * 10**12
"""A step is one guess and one member looked at."""

RULES = ("pegs", "black", "position")
SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""Answers of a table; higher ones are decimal numbers."""

HEADERS = {
    "1": ["treegen", "game", "first", "cap", "total", "root"],
    "2": [
        *("treegen", "game", "q", "goal", "classes", "weights", "costs", "layers", "eligible"),
        *("given", "claim", "first", "except", "cap", "price", "total", "root"),
    ],
}
"""The lines of a header in their order, by the version."""

NEEDED = {"treegen", "game", "claim", "total", "root"}
REPEATED = {"q", "classes", "weights", "costs", "given", "first", "except"}


Kind = tuple[int, bool, tuple[int, ...]]
"""Of a guess: its cost, whether it wins a member, the sizes of its other cells."""

State = tuple[Codes, Int64s]
"""Members of a set, ascending, and their shares."""


class _Sets(NamedTuple):
    """Sets in which all are told apart for certain; the owner is the cell or block of each."""

    weights: Int64s  # descending in each set
    begins: Int64s
    sizes: Int64s
    owners: Int64s


class _NotShownError(Exception):
    """Some step of the proof is missing or false."""


@dataclass(slots=True)
class _Lemma:
    line: int
    members: Codes
    shares: Int64s
    bound: int
    left: int  # what may be spent
    legal: Codes | None  # where that depends on the answers
    maps: list[tuple[Codes, Codes]] = field(default_factory=list)
    uses: dict[int, list[_Use]] = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True, slots=True)
class _Use:
    line: int
    answer: int
    lemma: int
    map: tuple[Codes, Codes] | None


class _Reader:
    """Reads a certificate, line by line; has each claim proved as soon as it was read."""

    def __init__(
        self,
        words: Sequence[Sequence[str]],
        table: bytes | None,
        max_steps: int,
    ) -> None:
        self.words, self.table = words, table
        self.max_steps, self.steps = max_steps, 0
        self.source, self.number = "certificate", 0  # the line at hand
        self.version, self.minor, self.stage = "2", 0, ""
        self.game: CheckedGame
        self.rows: list[Codes] = []
        self.sets: dict[tuple[int, ...], int] = {}
        self.classes: list[int] = []
        self.digest = hashlib.sha256()
        self.weights: list[int] = []
        self.costs: list[int] = []
        self.given: list[tuple[int, int]] = []
        self.is_finished = False
        self.n_members = self.n_items = self.n_lemmas = 0
        self.begin_claim()

    def begin_claim(self) -> None:
        """Forget the claim before."""
        self.first: list[int] = []
        self.excepted: list[int] = []
        self.cap: int | None = None
        self.price = 1, 0
        self.total = 0
        self.lemmas: list[_Lemma] = []

    def refuse(self, text: str) -> NoReturn:
        """Raise FormatError for the line at hand."""
        raise FormatError(f"line {self.number} of the {self.source}: {text}")

    def step(self, number: int) -> None:
        """Count work; raise FormatError when it is more than allowed."""
        self.steps += number
        if self.steps > self.max_steps:
            raise FormatError(f"the check takes more than {self.max_steps} steps")

    def read(self, lines: Iterable[bytes]) -> Iterator[None]:
        """Read all lines; pause behind each claim that is to be proved.

        FormatError: a line is malformed, or a limit is exceeded.
        """
        for words in self._split(lines):
            if words == ["claim"] and self.stage == "root":
                yield
                self.begin_claim()
                self.stage = "given"
            self._read_line(words[0], words[1:])
        if not self.lemmas:
            raise FormatError("the certificate has no root")
        yield

    def _split(self, lines: Iterable[bytes]) -> Iterator[list[str]]:
        """Yield the words of each line that says something."""
        for self.number, data in enumerate(lines, start=1):
            if len(data) > MAX_LINE:
                self.refuse(f"it is too long: more than {MAX_LINE:,} bytes")
            if not data.endswith(b"\n"):
                self.refuse("it has no end: the file is cut off")
            data = data[:-1]
            if self.number > 1 and (not data or data.startswith(b"#")) and b"\0" not in data:
                continue
            try:
                words = data.decode("utf-8").split(" ")
            except UnicodeDecodeError:
                self.refuse("it is not UTF-8")
            if "" in words or any(ord(letter) < 32 for letter in "".join(words)):
                self.refuse("words are separated by one blank")
            yield words

    def _read_line(self, word: str, rest: list[str]) -> None:
        if self.stage == "root" and word in ("l", "s", "u"):
            {"l": self._read_lemma, "s": self._read_symmetry, "u": self._read_use}[word](rest)
            return
        header = HEADERS[self.version]
        if word not in header:
            self.refuse(f"it cannot stand here: {word!r:.40}")
        here = header.index(self.stage) if self.stage else -1
        place = header.index(word)
        is_again = place == here and word in REPEATED and self.version == "2"
        if not (place > here or is_again) or not NEEDED.isdisjoint(header[here + 1 : place]):
            self.refuse(f"it cannot stand here: {word!r:.40}")
        if place > header.index("game") and not hasattr(self, "game") and word != "q":
            self._make_table()
        if place > header.index("game" if self.version == "1" else "layers"):
            self._finish_game()
        self.stage = word
        getattr(self, f"_read_{word}")(rest)

    def _take(self, rest: list[str], *numbers: int) -> list[str]:
        """Return the words of a line if their number is right."""
        if len(rest) not in numbers:
            self.refuse(f"it has {len(rest)} words after the first, not {numbers[0]}")
        return rest

    def _take_any(self, rest: list[str]) -> list[str]:
        return rest or self.refuse("it has no words after the first")

    def _number(self, text: str, digits: int) -> int:
        if not re.fullmatch(f"[0-9]{{1,{digits}}}", text):
            self.refuse(f"{text!r:.40} is no number of up to {digits} digits")
        return int(text)

    def _bound(self, text: str) -> int:
        return INFINITE if text == "none" else self._number(text, 12 if self.version == "1" else 18)

    def _read_treegen(self, rest: list[str]) -> None:
        if rest not in (["proof", "1"], ["proof", "2"], ["proof", "2.1"], ["proof", "2.2"]):
            self.refuse("it is not 'treegen proof 1', 2, 2.1 or 2.2")
        self.version, _, minor = rest[1].partition(".")
        self.minor = int(minor or 0)

    def _read_game(self, rest: list[str]) -> None:
        if rest[:1] != ["table"] and self.table is not None:
            raise FormatError("the certificate is about no table, and one is given")
        if rest[:1] == ["codebook"]:
            self._make_codebook(*self._take(rest, 3)[1:])
            return
        if self.words:
            raise FormatError(
                f"the certificate is about {rest[0]:.40}, which has no lists of words"
            )
        if rest[:1] == ["table"] and self.version == "2":
            sizes = self._take(rest, 3, 4)[1:]
            self.sizes = self._number(sizes[0], 6), self._number(sizes[1], 6)
            if 0 in self.sizes or self.sizes[0] * self.sizes[1] > MAX_PAIRS:
                self.refuse("the table is empty or too large")
            if (self.table is None) != (len(sizes) == 2):
                raise FormatError(
                    "give the file of a table if, and only if, the certificate has not it"
                )
            if self.table is not None and hashlib.sha256(self.table).hexdigest() != sizes[2]:
                raise FormatError("this is not the table of the certificate: its sha256 is another")
            return
        (name,) = self._take(rest, 1)
        match = re.fullmatch(r"p([1-9])c([1-9][0-9]?)([rn])(b?)", name)
        if match is None or int(match[2]) > MAX_COLORS:
            self.refuse(f"{name!r:.40} is no game of up to {MAX_PEGS} pegs, {MAX_COLORS} colors")
        n_pegs, n_colors = int(match[1]), int(match[2])
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
        self.code_at = np.full(len(numbers), -1, dtype=np.int32)
        self.code_at[letters @ powers] = np.arange(len(letters))
        texts = ["".join(chr(97 + color) for color in code) for code in letters.tolist()]
        self.game = CheckedGame(name, texts, len(letters))
        self.game.set_codes("black" if match[4] else "pegs", letters, n_colors)

    def _make_codebook(self, rule: str, digest: str) -> None:
        if rule not in RULES or not re.fullmatch("[0-9a-f]{64}", digest):
            self.refuse(f"{rule!r:.40} is no rule, or {digest!r:.80} no sha256")
        if not self.words:
            raise FormatError("the certificate is about words: give their lists")
        secrets = list(self.words[0])
        known = set(secrets)
        words = [*secrets, *(word for part in self.words[1:] for word in part if word not in known)]
        lengths = {len(word) for word in words}
        if not secrets or len(lengths) != 1 or not 1 <= max(lengths) <= MAX_PEGS:
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
        self.game = CheckedGame(f"codebook {rule} {digest}", words, len(secrets))
        self.game.set_codes(rule, letters, 0)

    def _read_q(self, rest: list[str]) -> None:
        if not hasattr(self, "sizes") or self.table is not None:
            self.refuse("no table is expected here")
        self._add_row(*self._take(rest, 1))

    def _add_row(self, text: str) -> None:
        n_items = self.sizes[0]
        if text.startswith("="):
            item = self._number(text[1:], 6)
            if not 1 <= item <= n_items:
                self.refuse(f"there is no item {item}")
            row = [0] * n_items
            row[item - 1] = -1
        else:
            signs = text.split(",") if "," in text else list(text)
            row = [self._cell(sign) for sign in signs]
        if len(row) != n_items or len(self.rows) == self.sizes[1]:
            self.refuse("the table has more guesses, or the guess not as many answers as items")
        self.step(n_items)
        self.digest.update(f"q {text}\n".encode())
        self.rows.append(np.array(row, dtype=np.int32))

    def _cell(self, text: str) -> int:
        """Return the number of an answer of a table, of the one that wins, or of a set."""
        if text == "*":
            return -1
        if self.minor < 2 or "/" not in text:
            return self._sign(text)
        answers = tuple(map(self._sign, text.split("/")))
        if list(answers) != sorted(set(answers)):
            self.refuse(f"the answers of {text!r:.40} do not ascend")
        number = self.sets.setdefault(answers, len(self.sets))
        if number == MAX_SETS:
            self.refuse(f"there are more than {MAX_SETS} sets of answers")
        return -2 - number

    def _sign(self, text: str) -> int:
        """Return the number of an answer of a table."""
        if len(text) == 1:
            if text not in SIGNS:
                self.refuse(f"{text!r:.40} is no answer")
            return SIGNS.index(text)
        number = self._number(text, 5)
        if str(number) != text or number > 60_000:
            self.refuse(f"{text!r:.40} is no answer")
        return number

    def _make_table(self) -> None:
        (n_items, n_guesses), rows = self.sizes, self.rows
        if self.table is not None:
            here, self.source, self.number = self.number, "table", 0
            for words in self._split(io.BytesIO(self.table)):
                if words[0] != "q" or len(words) != 2:
                    self.refuse("the file of a table has its q lines and nothing else")
                self._add_row(words[1])
            if self.number != len(rows):
                self.refuse("the file of a table has its q lines and nothing else")
            self.source, self.number = "certificate", here
        if len(rows) != n_guesses:
            self.refuse(f"the table has {len(rows)} guesses, not {n_guesses}")
        name = f"table {n_items} {n_guesses} {self.digest.hexdigest()}"
        self.game = CheckedGame(name, [str(guess + 1) for guess in range(n_guesses)], n_items)
        self.game.set_rows(rows, [*self.sets])

    def _read_goal(self, rest: list[str]) -> None:
        if rest not in (["win"], ["identify"]):
            self.refuse("the goal is win or identify")
        self.game.is_identified = rest == ["identify"]

    def _read_classes(self, rest: list[str]) -> None:
        if self.minor < 2 or self.game.letters is not None or not self.game.is_identified:
            self.refuse("classes are for tables, in treegen proof 2.2, to identify")
        self.classes += [self._number(text, 6) for text in self._take_any(rest)]

    def _read_weights(self, rest: list[str]) -> None:
        digits = 15 if self.minor > 1 else 12
        self.weights += [self._number(text, digits) for text in self._take_any(rest)]

    def _read_costs(self, rest: list[str]) -> None:
        self.costs += [self._number(text, 9) for text in self._take_any(rest)]

    def _read_layers(self, rest: list[str]) -> None:
        layers = [self._number(text, 9) for text in self._take_any(rest)]
        if self.minor < 1 or not self.game.is_identified or len(layers) > MAX_LAYERS:
            self.refuse(f"it has up to {MAX_LAYERS} layers, in treegen proof 2.1, to identify")
        if layers[0] == 0 or layers != sorted(set(layers)):
            self.refuse("layers ascend from 1 on")
        self.game.layers = layers

    def _finish_game(self) -> None:
        """Take weights and costs, once all lines about the game are read."""
        if self.is_finished:
            return
        self.is_finished, game = True, self.game
        for name in ("classes", "weights", "costs"):
            numbers = getattr(self, name)
            if numbers and len(numbers) != len(getattr(game, name)):
                self.refuse(f"there are {len(numbers)} {name}, not {len(getattr(game, name))}")
            if numbers:
                setattr(game, name, np.array(numbers, dtype=np.int64))
                game.has_stakes = True
        if game.costs.min() < 1:
            self.refuse("a guess costs nothing")
        game.finish()

    def _read_eligible(self, rest: list[str]) -> None:
        (rule,) = self._take(rest, 1)
        game = self.game
        if rule not in ("all", "candidates", "hints", "consistent"):
            self.refuse(f"{rule!r:.40} is no rule of play")
        if rule == "candidates" and game.is_identified and game.letters is None:
            self.refuse("the guesses of this table are no candidates")
        if (rule == "hints" and game.rule != "position") or (
            rule == "consistent" and game.letters is None
        ):
            self.refuse(f"{game.name:.40} cannot be played by {rule}")
        game.eligible = rule

    def _read_given(self, rest: list[str]) -> None:
        guess, answer = self._take(rest, 2)
        self.given.append((self._code(guess), self._answer(answer)))

    def _read_claim(self, rest: list[str]) -> None:
        self._take(rest, 0)

    def _read_first(self, rest: list[str]) -> None:
        self.first += [self._code(text) for text in self._take_any(rest)]
        self.refuse_twice(self.first)

    def _read_except(self, rest: list[str]) -> None:
        if self.first:
            self.refuse("a claim has first guesses, or all except some")
        self.excepted += [self._code(text) for text in self._take_any(rest)]
        self.refuse_twice(self.excepted)

    def refuse_twice(self, codes: list[int]) -> None:
        """Raise FormatError if a guess stands twice."""
        if len(set(codes)) != len(codes):
            self.refuse("a first guess stands twice")

    def _read_cap(self, rest: list[str]) -> None:
        (text,) = self._take(rest, 1)
        self.cap = self._number(text, 6)
        if self.cap == 0:
            self.refuse("a cap of 0 guesses")

    def _read_price(self, rest: list[str]) -> None:
        scale, last = (self._number(text, 18) for text in self._take(rest, 2))
        if scale == 0 or (last > 0 and self.cap is None):
            self.refuse("a guess costs nothing, or there is no last guess")
        self.price = scale, last

    def _read_total(self, rest: list[str]) -> None:
        self.total = self._bound(*self._take(rest, 1))

    def _read_root(self, rest: list[str]) -> None:
        bound, game = self._bound(*self._take(rest, 1)), self.game
        # Of guesses that split a set each path has fewer than its members; each is made once.
        (scale, last), weight = self.price, int(game.weights.sum())
        longest = game.n_secrets if game.is_certain else max(game.n_secrets, game.n_codes)
        if (scale * int(game.costs.max()) * longest + last) * weight >= MAX_COST:
            self.refuse("the numbers of the claim are too large")
        members, shares = np.arange(game.n_secrets, dtype=np.int32), game.weights
        is_fixed = game.eligible == "candidates" or (game.eligible == "all" and game.is_certain)
        legal = None if is_fixed else game.everything
        for guess, answer in self.given:
            members, shares = game.select(members, shares, guess, answer)
            legal = game.filter(legal, guess, answer, members)
        if not len(members):
            self.refuse("what is given leaves no secret")
        left = UNLIMITED if self.cap is None else self.cap
        self._add(_Lemma(self.number, members, shares, bound, left, legal))

    def _add(self, lemma: _Lemma) -> None:
        self.n_members += len(lemma.members) + (0 if lemma.legal is None else len(lemma.legal))
        self.n_lemmas += 1
        if self.n_lemmas > MAX_LEMMAS or self.n_members > MAX_MEMBERS:
            self.refuse("there are too many lemmas, or their sets have too many members")
        self.lemmas.append(lemma)

    def _read_lemma(self, rest: list[str]) -> None:
        parent_text, guess_text, answer_text, bound_text = self._take(rest, 4)
        number, game = self._number(parent_text, 9), self.game
        if number >= len(self.lemmas):
            self.refuse(f"there is no earlier lemma {number}")
        parent = self.lemmas[number]
        guess, answer = self._code(guess_text), self._answer(answer_text)
        self.step(len(parent.members) + (0 if parent.legal is None else len(parent.legal)))
        members, shares = game.select(parent.members, parent.shares, guess, answer)
        if not len(members):
            self.refuse("a lemma about no secret")
        if answer == game.win and self.version == "2":
            self.refuse("the answer that wins needs no lemma")
        left = _spend(parent.left, int(game.costs[guess]))
        if left < (0 if game.is_identified else 1):
            self.refuse("a lemma without guesses left")
        legal = game.filter(parent.legal, guess, answer, members)
        self._add(_Lemma(self.number, members, shares, self._bound(bound_text), left, legal))

    def _read_symmetry(self, rest: list[str]) -> None:
        if self.lemmas[-1].uses:
            self.refuse("symmetries stand before uses")
        self.lemmas[-1].maps.append(self._map(*self._take(rest, 2)))

    def _read_use(self, rest: list[str]) -> None:
        guess, answer, lemma, *symmetry = self._take(rest, 3, 5)
        use = _Use(
            self.number,
            self._answer(answer),
            self._number(lemma, 9),
            self._map(*symmetry) if symmetry else None,
        )
        if use.answer == self.game.win:
            self.refuse("the answer that wins needs no lemma")
        self.lemmas[-1].uses[self._code(guess)].append(use)

    def _code(self, text: str) -> int:
        code = self.game.place_of.get(text)
        if code is None:
            self.refuse(f"{text!r:.40} is no code of {self.game.name:.40}")
        return code

    def _answer(self, text: str) -> int:
        n, rule = self.game.n_pegs, self.game.rule
        if rule == "table":
            answer = -1 if text == "*" else self._sign(text)
            if answer >= self.game.win:
                self.refuse(f"{text} is no answer")
            return self.game.win if answer < 0 else answer
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
        game = self.game
        to = [ord(letter) - ord("1") for letter in pegs], [ord(letter) - 97 for letter in colors]
        is_whole = sorted(to[0]) == [*range(game.n_pegs)] and sorted(to[1]) == [
            *range(game.n_colors)
        ]
        if not is_whole or not game.n_colors:
            self.refuse(f"{pegs!r:.40} {colors!r:.40} is no symmetry")
        if game.has_stakes or game.eligible in ("hints", "consistent"):
            self.refuse("weights, costs and rules of play have no symmetries")
        if self.n_items > MAX_ITEMS:
            self.refuse("there are too many symmetries")
        return np.array(to[0], dtype=np.int32), np.array(to[1], dtype=np.int32)

    def image(self, symmetry: tuple[Codes, Codes], codes: Codes) -> Codes:
        """Return the images of codes."""
        assert self.game.letters is not None
        letters = np.empty((len(codes), self.game.n_pegs), dtype=np.int64)
        letters[:, symmetry[0]] = symmetry[1][self.game.letters[codes]]
        images: Codes = self.code_at[letters @ self.powers]
        return images


def _spend(left: int, cost: int) -> int:
    return left if left == UNLIMITED else left - cost


class _Prover:
    """Proves the lemmas of a claim, one after another; of its bounds see 3 and 4 of check.c."""

    def __init__(self, reader: _Reader) -> None:
        self.reader, self.game, self.lemmas = reader, reader.game, reader.lemmas
        # Where all weights are 0, so are all costs, whatever the price.
        self.scale, self.last = reader.price if reader.game.weights.any() else (1, 0)
        self.b = 0  # most cells of a guess on the lemma's set

    def prove(self, number: int) -> None:
        """Raise _NotShownError unless a lemma is proved."""
        lemma = self.lemmas[number]
        guesses = self._list_guesses(lemma, is_root=number == 0)
        is_given = number == 0 and bool(self.reader.first)
        if is_given:
            self._refuse_idle(lemma)
        if self.holds_at_sight(lemma):
            return
        is_over = self.game.is_over(lemma.members)
        if is_over and (self.game.is_identified or not is_given):
            raise _NotShownError(f"line {lemma.line}: lemma {number} is not true")
        for guess in self.find_open(lemma, guesses):
            shown = self._refute(number, guess)
            if shown < lemma.bound:
                text, claim = self.game.texts[guess], str(lemma.bound)
                if lemma.bound == INFINITE:
                    claim = "that no strategy finds every secret"
                raise _NotShownError(
                    f"line {lemma.line}: lemma {number} claims {claim}, guess {text} shows {shown}"
                )

    def _refuse_idle(self, lemma: _Lemma) -> None:
        """Raise _NotShownError if a first guess tells nothing, or was given."""
        game = self.game
        for guess in self.reader.first:
            self.reader.step(len(lemma.members))
            is_made = not game.is_certain and any(guess == made for made, _ in self.reader.given)
            if is_made or not game.tells(np.array([guess]), lemma.members)[0]:
                raise _NotShownError(f"line {lemma.line}: a first guess has one cell")

    def _refute(self, number: int, guess: int) -> int:
        """Return a lower bound of a guess's cost: by its cells, by lemmas, then one guess ahead."""
        game, lemma = self.game, self.lemmas[number]
        state, left = (lemma.members, lemma.shares), _spend(lemma.left, int(game.costs[guess]))
        answers = np.unique(game.choices[guess, lemma.members])
        cells = {int(a): game.select(*state, guess, int(a)) for a in answers if a < game.n_answers}
        won = cells.pop(game.win, (lemma.members[:0], lemma.shares[:0]))
        total = self.scale * int(game.costs[guess]) * int(lemma.shares.sum())
        total += self.last * int(won[1].sum()) * (left == 0)
        found = self.bound_cells(state, guess, left)
        for use in lemma.uses.get(guess, ()):
            (cell, shares), other = cells.get(use.answer, won), self.lemmas[use.lemma]
            image = cell if use.map is None or not len(cell) else self.reader.image(use.map, cell)
            if not np.array_equal(np.sort(image), other.members):
                raise _NotShownError(f"line {use.line}: lemma {use.lemma} is about another set")
            if not np.array_equal(shares, other.shares):
                raise _NotShownError(f"line {use.line}: lemma {use.lemma} has other shares")
            if not game.is_certain and use.lemma <= number:
                raise _NotShownError(f"line {use.line}: lemma {use.lemma} does not come later")
            if other.left < left:
                raise _NotShownError(f"line {use.line}: lemma {use.lemma} has fewer guesses left")
            legal = game.filter(lemma.legal, guess, use.answer, cell)
            if legal is not None and other.legal is not None:
                self.reader.step(len(lemma.members) + len(legal))
                if not np.isin(legal, other.legal, assume_unique=True).all():
                    raise _NotShownError(f"line {use.line}: lemma {use.lemma} allows fewer guesses")
            found[use.answer] = max(found[use.answer], other.bound)
        total += sum(found.values())
        for answer in sorted(cells, key=lambda a: (abs(len(cells[a][0]) - self.b - 2), a)):
            if total >= lemma.bound:
                break
            legal = game.filter(lemma.legal, guess, answer, cells[answer][0])
            total -= found[answer]
            total += self.look_ahead(cells[answer], left, legal, found[answer])
        return min(total, INFINITE)

    def _list_guesses(self, lemma: _Lemma, *, is_root: bool) -> Codes:
        """Return the guesses to refute: the least of those that its symmetries join."""
        game, first, excepted = self.game, self.reader.first, self.reader.excepted
        given = game.list_legal(lemma.members, lemma.legal)
        listed = np.array((first or excepted) if is_root else [], dtype=np.int32)
        if is_root and first:
            given = listed
        elif len(listed):
            given = given[~np.isin(given, listed)]
        if not lemma.maps:
            return given
        least = game.everything.copy()
        images = []
        for symmetry in lemma.maps:
            self.reader.step(game.n_codes)
            if not np.isin(self.reader.image(symmetry, lemma.members), lemma.members).all():
                raise _NotShownError(f"line {lemma.line}: a symmetry moves the set of its lemma")
            if not np.isin(self.reader.image(symmetry, listed), listed).all():
                raise _NotShownError(f"line {lemma.line}: a symmetry moves the first guesses")
            images.append(self.reader.image(symmetry, game.everything))
        while True:
            before = least.copy()
            for image in images:
                both = np.minimum(least, least[image])
                least = both.copy()
                least[image] = np.minimum(both[image], both)
            if (least == before).all():
                kept: Codes = given[least[given] == given]
                return kept

    def holds_at_sight(self, lemma: _Lemma) -> bool:
        """Whether a lemma says no more than is known without a look at the guesses."""
        if not self.game.is_over(lemma.members):
            return False
        end, left = int(self.game.ends[lemma.members].max()), lemma.left
        cost = self.scale * end + (self.last if end == left else 0)
        return end > left or lemma.bound <= int(lemma.shares.sum()) * cost

    def find_open(self, lemma: _Lemma, guesses: Codes) -> Iterator[int]:
        """Yield the guesses whose cells do not show enough by themselves; keep what that takes."""
        self._measure(lemma)
        state = lemma.members, lemma.shares
        yield from guesses[self._sum(state, guesses, lemma.left) < lemma.bound].tolist()

    def _measure(self, lemma: _Lemma) -> None:
        """Find the most cells, the least cost, and how many items are found at each cost."""
        game, members, n = self.game, lemma.members, len(lemma.members)
        legal = game.list_legal(members, lemma.legal)
        self.reader.step(2 * n * len(legal))
        self.b, self.cheapest, branches = 1, MAX_COST, [1] * len(game.layers)
        kinds = set[Kind]()
        rows = max(1, CHUNK // max(n, game.n_answers))
        for start in range(0, len(legal), rows):
            some = legal[start : start + rows]
            sizes = game.count_sizes(some, members)
            wins, others = sizes[:, game.win] > 0, sizes[:, : game.win]
            counts = (others > 0).sum(axis=1) + (wins & game.is_identified)
            useful = game.tells(some, members)
            if useful.any():
                self.b = max(self.b, int(counts[useful].max()))
                self.cheapest = min(self.cheapest, int(game.costs[some[useful]].min()))
            for at, cost in enumerate(game.layers):
                most = counts[useful & (game.costs[some] >= cost)].max(initial=1)
                branches[at] = max(branches[at], int(most))
            if lemma.left < UNLIMITED:
                for at in np.flatnonzero(useful).tolist():
                    found = tuple(sorted(others[at][others[at] > 0].tolist()))
                    kinds.add((int(game.costs[some[at]]), bool(wins[at]), found))
        layers = zip(game.layers, [0, *game.layers][:-1], branches, game.blocks, strict=True)
        self.layers: list[tuple[int, int, Int64s | None]] = [(self.cheapest, self.b, None)]
        for cost, before, most, blocks in layers:
            rise = cost - max(before, self.cheapest)
            self.layers += [(rise, most, blocks)] if rise > 0 else []
        self.levels = self._list_levels(n)
        if lemma.left < UNLIMITED:
            self.most = np.array([0, *self._list_capacities(lemma, kinds)])

    def _list_capacities(self, lemma: _Lemma, kinds: set[Kind]) -> list[int]:
        """Return the largest numbers of a lemma's members that can be found at cost 0, 1, …."""
        capacities, n = list[int](), len(lemma.members)
        least = 0 if self.game.is_identified else int(self.game.ends[lemma.members].min())
        while len(capacities) <= lemma.left:
            spent = len(capacities)
            self.reader.step(len(kinds) + 1)
            most = int(spent >= least)
            for cost, wins_one, parts in kinds:
                if cost <= spent:
                    room = capacities[spent - cost]
                    most = max(most, wins_one + sum(min(part, room) for part in parts))
            capacities.append(min(most, n))
            if most >= n:
                capacities += [n] * (lemma.left - spent)
        return capacities

    def _list_levels(self, n: int) -> Int64s:
        """Return the level of each of n items: one is at level 1, then b, b * b … at each next."""
        levels, room, at = np.ones(n, dtype=np.int64), 1, 1
        while at < n:
            room *= self.b
            levels[at:] += 1
            at += room
        return levels

    def _sum(self, state: State, guesses: Codes, left: int) -> Int64s:
        """Return lower bounds of the costs of guesses, from those of their cells.

        Infinite: they tell nothing, or cost more than is left.
        """
        game, (members, shares) = self.game, state
        totals = np.full(len(guesses), INFINITE, dtype=np.int64)
        rows = max(1, CHUNK // max(len(members), game.n_answers))
        for start in range(0, len(guesses), rows):
            some = guesses[start : start + rows]
            won, costs = game.answers[some[:, None], members] == game.win, game.costs[some]
            useful = game.tells(some, members)
            places, _, bounds = self._bound_cells(state, some, left)
            sums = self.scale * costs * shares.sum()
            sums += self.last * (won * shares).sum(axis=1) * (costs == left)
            np.add.at(sums, places, np.where(bounds < INFINITE, bounds, 0))
            useful[places[bounds >= INFINITE]] = False
            totals[start : start + rows] = np.where(useful & (costs <= left), sums, INFINITE)
        return totals

    def bound_cells(self, state: State, guess: int, left: int) -> dict[int, int]:
        """Return a lower bound of each cell's cost, by the answer; `left` may be spent on it."""
        guesses, before = np.array([guess]), left + int(self.game.costs[guess])
        _, answers, bounds = self._bound_cells(state, guesses, before)
        return dict(zip(answers.tolist(), bounds.tolist(), strict=True))

    def _bound_cells(
        self, state: State, guesses: Codes, left: int
    ) -> tuple[Int64s, Int64s, Int64s]:
        """Return the cells of guesses: the place of each one's guess, its answer, bound 3."""
        game, (members, shares) = self.game, state
        order = np.argsort(-game.weights[members], kind="stable")
        members, shares = members[order], shares[order]
        choices = game.choices[guesses[:, None], members].astype(np.int64)
        places, columns, slots = np.nonzero(choices < game.win)
        keys = places * game.n_answers + choices[places, columns, slots]
        parts = shares[columns] // game.sizes[guesses[places], members[columns]]
        order = np.argsort(keys, kind="stable")  # in each cell in the order of the weights
        keys, items, parts = keys[order], members[columns[order]], parts[order]
        changes = np.diff(keys, prepend=-1) > 0
        begins, cells = np.flatnonzero(changes), np.cumsum(changes) - 1
        bounds, keys = np.zeros(len(begins), dtype=np.int64), keys[begins]
        sets = self._find_sets(items, parts, cells)
        ranks = np.arange(len(sets.weights)) - np.repeat(sets.begins, sets.sizes)
        owners, early = np.repeat(sets.owners, sets.sizes), np.zeros(len(keys), dtype=np.int64)
        is_found, ends = np.ones(len(keys), dtype=bool), np.zeros(len(keys), dtype=np.int64)
        is_one = np.zeros(len(keys), dtype=bool)
        if game.is_identified:
            bounds = self._cost_apart(items, parts, cells, sets, len(keys))
        else:
            is_one = np.bincount(cells, minlength=len(keys)) == 1
            ends = np.where(is_one, game.ends[items[begins]], 0)
            np.add.at(bounds, owners, self.cheapest * self.levels[ranks] * sets.weights)
            bounds = np.where(is_one, ends * parts[begins], bounds)
        is_found &= bounds < INFINITE
        bounds = np.minimum(bounds, MAX_COST // self.scale) * self.scale
        if left < UNLIMITED:
            rest = left - game.costs[guesses[keys // game.n_answers]]
            is_found &= ends <= rest
            room = np.where(is_one, 1, self.most[np.maximum(rest, -1) + 1])
            is_found[sets.owners[sets.sizes > room[sets.owners]]] = False
            early = np.where(is_one, ends < rest, self.most[np.maximum(rest, 0)])
            np.add.at(bounds, owners, self.last * sets.weights * (ranks >= early[owners]))
        bounds[~is_found] = INFINITE
        return keys // game.n_answers, keys % game.n_answers, bounds

    def _find_sets(self, items: Codes, shares: Int64s, runs: Int64s) -> _Sets:
        """Return the sets of each run: weights of groups that are told apart for certain."""
        game = self.game
        if game.groups is None or game.apart is None:
            order = np.lexsort((-shares, runs))
            begins = np.flatnonzero(np.diff(runs, prepend=-1))
            return _Sets(shares[order], begins, np.diff(begins, append=len(runs)), runs[begins])
        keys = runs * len(game.apart) + game.groups[items]
        keys, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        sums = np.zeros(len(keys), dtype=np.int64)
        np.add.at(sums, inverse.reshape(-1), shares)
        # The heaviest group first; of equal ones that of the first member.
        order = np.lexsort((first, -sums, keys // len(game.apart)))
        runs, groups, sums = keys // len(game.apart), keys % len(game.apart), sums[order]
        groups, chosen, owners = groups[order], list[list[int]](), list[int]()
        begins = np.flatnonzero(np.diff(runs, prepend=-1))
        for begin, end in zip(begins, [*begins[1:], len(runs)], strict=True):
            waiting = [*range(begin, end)]
            while waiting:
                taken = list[int]()
                for place in waiting:
                    if game.apart[groups[place], groups[taken]].all():
                        taken.append(place)
                chosen.append(taken)
                owners.append(int(runs[begin]))
                waiting = [place for place in waiting if place not in taken]
        sizes = np.array([*map(len, chosen)])
        weights = sums[[place for taken in chosen for place in taken]]
        return _Sets(weights, np.cumsum(sizes) - sizes, sizes, np.array(owners))

    def _cost_apart(
        self, items: Codes, shares: Int64s, cells: Int64s, sets: _Sets, n_cells: int
    ) -> Int64s:
        """Return a lower bound, by layers, of the cost of telling the items of each cell apart.

        `sets` are those of the cells.
        """
        bounds = np.zeros(n_cells, dtype=np.int64)
        for rise, b, blocks in self.layers:
            owners = sets.owners
            if blocks is not None:
                runs, inverse = np.unique(
                    cells * self.game.n_secrets + blocks[items], return_inverse=True
                )
                order = np.argsort(inverse.reshape(-1), kind="stable")
                sets = self._find_sets(items[order], shares[order], inverse.reshape(-1)[order])
                owners = runs[sets.owners] // self.game.n_secrets
            merged = _merge(sets, b)
            np.add.at(bounds, owners, rise * np.where(merged < INFINITE, merged, 0))
            bounds[owners[merged >= INFINITE]] = INFINITE
        return bounds

    def look_ahead(self, cell: State, left: int, legal: Codes | None, known: int) -> int:
        """Return the larger of the known bound of a cell and the one that a guess ahead proves."""
        members, _ = cell
        if known >= INFINITE or self.game.is_over(members):
            return known
        guesses = self.game.list_legal(members, legal)
        self.reader.step(2 * len(members) * len(guesses))
        return max(known, int(self._sum(cell, guesses, left).min(initial=INFINITE)))


class _PlainProver(_Prover):
    """Of games in which guesses are counted until the win; see bounds 1 and 2 of check.c."""

    def fill(self, m: int, room: int, level: int, b: int, left: int) -> int:
        """Return the least cost of m games, at most `room` of them of length `level`."""
        total = 0
        while m > 0:
            taken = min(room, m)
            if taken == 0 or level > left:
                return INFINITE
            total += taken * (self.scale * level + (self.last if level == left else 0))
            m -= taken
            level, room = level + 1, min(room * b, m)
        return total

    def holds_at_sight(self, lemma: _Lemma) -> bool:
        return lemma.bound <= self.fill(len(lemma.members), 1, 1, self.game.n_others, lemma.left)

    def find_open(self, lemma: _Lemma, guesses: Codes) -> Iterator[int]:
        game, n, left = self.game, len(lemma.members), _spend(lemma.left, 1)
        legal = game.list_legal(lemma.members, lemma.legal)
        self.reader.step(n * (len(legal) + len(guesses)))
        counts = np.zeros(game.n_codes, dtype=np.int64)
        counts[legal] = game.count_cells(legal, lemma.members)
        self.b = b = int(counts.max())
        if lemma is self.lemmas[0] and self.reader.first:  # they need not be legal
            counts[guesses] = game.count_cells(guesses, lemma.members)
        self.by_size = np.array([self.fill(m, 1, 1, b, left) for m in range(n + 1)])
        # However its members are spread over them, this many cells cost at least this.
        most = int(counts.max())
        least = [self.scale * n + self.fill(n - 1, c, 1, b, left) for c in range(most + 1)]
        guesses = guesses[np.array(least)[counts[guesses]] < lemma.bound]
        rows = max(1, CHUNK // max(n, game.n_answers))
        for start in range(0, len(guesses), rows):
            some = guesses[start : start + rows]
            sizes = game.count_sizes(some, lemma.members)
            useful = (sizes.max(axis=1) < n) | (sizes[:, game.win] > 0)
            bounds = self.by_size[sizes[:, :-1]]
            is_finite = (bounds < INFINITE).all(axis=1)
            sums = self.scale * n + np.minimum(bounds, MAX_COST // game.n_answers).sum(axis=1)
            yield from some[useful & is_finite & (sums < lemma.bound)].tolist()

    def bound_cells(self, state: State, guess: int, left: int) -> dict[int, int]:
        answers, sizes = np.unique(self.game.answers[guess, state[0]], return_counts=True)
        bounds = self.by_size[sizes]
        is_open = answers != self.game.win
        return dict(zip(answers[is_open].tolist(), bounds[is_open].tolist(), strict=True))

    def look_ahead(self, cell: State, left: int, legal: Codes | None, known: int) -> int:
        game, (members, _) = self.game, cell
        m = len(members)
        if m < 3 or known >= INFINITE:
            return known
        guesses = game.list_legal(members, legal)
        self.reader.step(m * (m + len(guesses)))
        own = int(game.count_cells(members, members).max())
        first = self.scale + (self.last if left == 1 else 0)
        ahead = first + self.fill(m - 1, own, 2, self.b, left)
        if ahead > known and game.eligible != "candidates":
            most = int(game.count_cells(guesses, members).max())
            ahead = min(ahead, self.fill(m, most, 2, self.b, left))
        return max(known, min(ahead, INFINITE))


def _merge(sets: _Sets, b: int) -> Int64s:
    """Return Huffman's sum of each set of descending weights, with up to b branches a node."""
    sums = np.zeros(len(sets.begins), dtype=np.int64)
    if b < 2:
        sums[sets.sizes > 1] = INFINITE
        return sums
    for size in np.unique(sets.sizes[sets.sizes > 1]).tolist():
        runs, number = sets.sizes == size, (size - 2) % (b - 1) + 2
        rows = sets.weights[sets.begins[runs][:, None] + np.arange(size)]
        while rows.shape[1] > 1:
            merged = rows[:, -number:].sum(axis=1, keepdims=True)
            rows = -np.sort(-np.concatenate((rows[:, :-number], merged), axis=1), axis=1)
            sums[runs] += merged[:, 0]
            number = b
    return sums


def check_certificate(
    data: bytes,
    words: Sequence[Sequence[str]] = (),
    *,
    table: bytes | None = None,
    max_steps: int = MAX_STEPS,
    on_progress: OnProgress | None = None,
) -> Verdict:
    """Check a certificate, by the plain definitions.

    `words` of a codebook: those that may be secret, then others that may be guessed. `table`: the
    lines of a table that the certificate lacks. `on_progress` takes the number of lemmas proved,
    and of all. Raises FormatError if the certificate is malformed, the lists or the table are
    others, or a limit, such as `max_steps` of work, is exceeded.
    """
    reader = _Reader(words, table, max_steps)
    fault = ""
    try:
        for _ in reader.read(io.BytesIO(data)):
            lemmas = reader.lemmas
            if reader.total > lemmas[0].bound:
                raise _NotShownError("lemma 0 does not say what is claimed")
            for lemma in lemmas:
                for use in (use for found in lemma.uses.values() for use in found):
                    if use.lemma >= len(lemmas):
                        raise _NotShownError(f"line {use.line}: there is no lemma {use.lemma}")
            prover = (_PlainProver if reader.game.is_plain else _Prover)(reader)
            for number in range(len(lemmas)):
                report_count(on_progress, "lemmas", number, len(lemmas))
                prover.prove(number)
    except _NotShownError as error:
        fault = str(error)
    return Verdict(read_claims(data, is_whole=not fault), reader.n_lemmas, fault)
