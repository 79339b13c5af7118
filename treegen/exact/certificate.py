"""Certificates: proofs of a bound as text, which programs of others can check.

docs/certificate-format.md specifies the text, docs/proofs.md explains it. A proof is a list of
lemmas "this set of candidates costs at least so much". The first is about all secrets; what it
needs of a cell of some guess becomes a lemma about that cell, and so on. Lemmas are written down
from the largest set to the smallest. When one is reached, all larger ones have said what they need
of it, so that it claims no more than suffices: the less it claims, the less it needs in turn.

For each guess of a lemma the checker's own counting comes first (`refutation`). What that leaves
open, the deficit, is shared out among the guess's cells: to cells that are lemmas already, then to
those that cost the least work for what they gain. What a cell costs is asked of the search.

Cells that are images of each other under the game's symmetries share a lemma.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, permutations
from typing import NamedTuple

import numpy as np

from ..errors import TreegenError, UsageError
from ..formats.proof import find_claim, name_game, refuse_game, write_code
from ..games.base import Game
from ..jit.interpreter import mark_search
from ..strategies.stated import read_provenance
from ..tree.tree import Tree
from .engine import Int32s
from .engine.canonical_state import make_canonizer, make_group
from .engine.cost import INFEASIBLE, UNLIMITED, make_cost_model
from .engine.pace import TimeBudget
from .engine.refutation import count_all, find_open_guess, make_refuter
from .engine.responses import make_response_matrix
from .engine.search import make_search
from .engine.table import Evidence, find_entry, make_table, record_proof
from .parallel.worker import SearchWorker

N_SYMMETRIC = 2
"""Lemmas behind more guesses list no symmetries: hardly any are left there."""

N_UNITS = 50_000_000
"""Responses looked at before a look around."""

SHARED_DISCOUNT = 0.3
"""What a cell costs that is a lemma already, only one that claims less, compared with a new one."""

MOST_TOTAL = 10**12
"""Certificates have numbers below it."""

Members = Int32s


class CodeMap(NamedTuple):
    """An exchange of pegs and a renaming of colors."""

    pegs: tuple[int, ...]  # the place to which the color of each peg goes
    colors: tuple[int, ...]  # what each color becomes

    def __str__(self) -> str:
        pegs = "".join(str(peg + 1) for peg in self.pegs)
        return f"{pegs} {''.join(chr(ord('a') + color) for color in self.colors)}"


@dataclass(slots=True, eq=False)
class Lemma:
    """A set of candidates and what is wanted of it."""

    members: Members  # the candidates, ascending
    path: tuple[int, ...]  # the guesses that lead to it
    left: int  # guesses left; 0: no limit
    wanted: int  # the claim
    labels: CodeMap | None  # the map to the set's canonical image
    parent: Lemma | None = None  # with the last guess and the response: of whose set it is a cell
    response: int = -1
    number: int = -1  # in the text; -1: not written yet
    symmetries: list[CodeMap] = field(default_factory=list)
    # Of a guess and a response: the lemma about that cell, and the map to its set.
    uses: dict[tuple[int, int], tuple[Lemma, CodeMap | None]] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class DemandedCell:
    """A cell of a guess that does not show what it must."""

    response: int
    members: Members
    key: tuple[int, ...]  # with the labels: of its canonical image
    labels: CodeMap | None
    bound: int  # what is shown of it so far
    gain: int = -1  # by how much the search proves more, up to what was asked; -1: it was not asked
    lemma: Lemma | None = None  # the lemma about the cell or an image
    symmetry: CodeMap | None = None  # the map from here to there


def certify_tree(
    tree: Tree, *, table_size: int | None = None, look: Callable[[int, int], None] | None = None
) -> str:
    """Return a certificate of what a tree's search has proved; see `make_certificate`.

    UsageError: it has proved nothing, or nothing that certificates can be about.
    """
    total, cap = find_claim(tree)
    game, first = tree.game.with_symbols(None), read_provenance(tree.provenance, tree.game).first
    codes = [game.parse_code(text) for text in first]
    return make_certificate(game, total, first=codes, cap=cap, table_size=table_size, look=look)


def make_certificate(
    game: Game,
    total: int | None,
    *,
    first: Sequence[int] = (),
    cap: int | None = None,
    table_size: int | None = None,
    look: Callable[[int, int], None] | None = None,
) -> str:
    """Return a certificate that no strategy has a total below `total`.

    None claims that no strategy finds every secret within `cap` guesses. The claim is about
    strategies that begin with one of the `first` guesses; empty: all. `look` is called now and then
    with the number of lemmas written, and of all wanted so far. UsageError: the format cannot write
    it, or the claim is not true.

    >>> from treegen.games import parse_game
    >>> print(make_certificate(parse_game("p1c3r"), 6), end="")
    treegen proof 1
    game p1c3r
    total 6
    root 6
    """
    refuse_game(game)
    with mark_search(game.n_guesses, game.n_secrets):
        writer = _Writer(game, tuple(first), cap or UNLIMITED, table_size, look)
        writer.prove(INFEASIBLE if total is None else total)
    return "".join(f"{line}\n" for line in writer.write())


class _Writer:
    """Finds the lemmas of a certificate."""

    def __init__(
        self,
        game: Game,
        first: tuple[int, ...],
        cap: int,
        table_size: int | None,
        look: Callable[[int, int], None] | None,
    ) -> None:
        self.game, self.first, self.cap = game, first, cap
        self.look = look or (lambda done, wanted: None)
        self.lemmas: list[Lemma] = []
        self.queue: list[tuple[int, int, Lemma]] = []
        self.by_key: dict[tuple[int, ...], Lemma] = {}
        self.n_wanted = 0
        self.everything = np.arange(game.n_secrets, dtype=np.int32)
        self.all_guesses = np.arange(game.n_codes, dtype=np.int32)
        self.representatives: dict[tuple[int, ...], tuple[list[CodeMap], Members]] = {}
        self.is_symmetric = game.kind == "pegs"
        if game.n_secrets >= 3:
            self._open_search(table_size)

    def _open_search(self, table_size: int | None) -> None:
        game, n = self.game, self.game.n_secrets
        matrix = make_response_matrix(game, self.everything)
        canonizer = make_canonizer(game, self.everything)
        self.model = make_cost_model(n, matrix.n_responses, left=self.cap)
        table = make_table(canonizer, table_size)
        search = make_search(matrix, make_group(game), self.model, table, (), self.cap)
        self.worker = SearchWorker(search, TimeBudget().make_pace())
        self.refuter = make_refuter(matrix)
        if self.is_symmetric:
            self.powers = game.n_colors ** np.arange(game.n_pegs - 1, -1, -1)
            self.place_of = np.full(game.n_colors**game.n_pegs, -1, dtype=np.int32)
            self.place_of[game.codes @ self.powers] = np.arange(game.n_codes)

    def prove(self, total: int) -> None:
        """Find all lemmas of a claim."""
        root = Lemma(self.everything, (), self.cap, total, None)
        self._want(root)
        while self.queue:
            _, _, lemma = heapq.heappop(self.queue)
            lemma.number = len(self.lemmas)
            self.lemmas.append(lemma)
            self.look(len(self.lemmas), self.n_wanted)
            self._prove_lemma(lemma)

    def _want(self, lemma: Lemma) -> None:
        """Add a lemma to those that are to be proved, the largest first."""
        heapq.heappush(self.queue, (-len(lemma.members), self.n_wanted, lemma))
        self.n_wanted += 1

    def _prove_lemma(self, lemma: Lemma) -> None:
        if self._is_plain(lemma, self.game.n_responses - 1):
            return
        left = _spend(lemma.left)
        guesses = self._list_guesses(lemma)
        # With one guess left its cells have none, and what is in them is lost.
        is_last = lemma.left == 1
        below = count_all(self.refuter, lemma.members, self.refuter.n_cells)
        by_size = self.model.lower_bounds[left, below]
        if is_last:
            by_size = np.full_like(by_size, INFEASIBLE)
            by_size[0] = 0
        at = 0
        while at < len(guesses):
            at, is_open = find_open_guess(
                self.refuter,
                lemma.members,
                guesses,
                at,
                by_size,
                below,
                lemma.wanted,
                left,
                N_UNITS,
            )
            if is_open:
                self._share_deficit(lemma, int(guesses[at]))
                at += 1
            self.look(len(self.lemmas), self.n_wanted)

    def _is_plain(self, lemma: Lemma, n_others: int) -> bool:
        """Whether a lemma holds at sight; the one that a certificate of few secrets has must."""
        n, total, level, room, rest = len(lemma.members), 0, 1, 1, len(lemma.members)
        while rest > 0 and room > 0 and not 0 < lemma.left < level:
            taken = min(rest, room)
            total, rest = total + taken * level, rest - taken
            level, room = level + 1, min(room * n_others, n)
        if rest == 0 and lemma.wanted > total and n < 3:
            self._refuse(lemma.wanted)
        return rest > 0 or lemma.wanted <= total

    def _refuse(self, total: int) -> None:
        fault = "some strategy finds every secret"
        if total < INFEASIBLE:
            fault = f"that no strategy has a total below {total:,} is not true"
        raise UsageError(f"{self.game.name}: {fault}")

    def _share_deficit(self, lemma: Lemma, guess: int) -> None:
        """Want of a guess's cells, together, what it lacks."""
        cells = list(self._list_cells(lemma, guess))
        refuter = self.refuter
        total = len(lemma.members) + int(refuter.bounds[: refuter.win].sum())
        deficit = lemma.wanted - total
        for cell in cells:
            self._find_lemma(cell, lemma)
        known = [cell for cell in cells if cell.lemma and cell.lemma.wanted > cell.bound]
        for cell in sorted(known, key=lambda cell: cell.bound - _wanted(cell)):
            if deficit <= 0:
                break
            deficit -= self._use(lemma, guess, cell, _wanted(cell) - cell.bound)
        cells.sort(key=lambda cell: len(cell.members))
        while deficit > 0:
            cell = self._choose_cell(cells, lemma, guess, deficit)
            deficit -= self._use(lemma, guess, cell, min(cell.gain, deficit))
            cells.remove(cell)

    def _list_cells(self, lemma: Lemma, guess: int) -> Iterator[DemandedCell]:
        """Yield the cells of a guess that may cost more than is shown."""
        refuter, left = self.refuter, _spend(lemma.left)
        for response in range(refuter.win):
            size, bound = int(refuter.sizes[response]), int(refuter.bounds[response])
            if size < 3 or bound >= INFEASIBLE:
                continue
            start = refuter.starts[response]
            members = refuter.members[start : start + size].copy()
            is_known, cost, evidence = find_entry(self.worker.search.table, members, left)
            if is_known and evidence == Evidence.COST and cost <= bound:
                continue
            yield DemandedCell(response, members, *self._read_key(), bound)

    def _read_key(self) -> tuple[tuple[int, ...], CodeMap | None]:
        """Return the key that the table made last, and the map to the canonical image."""
        table = self.worker.search.table
        key = tuple(table.key.tolist())
        if not self.is_symmetric:
            return key, None
        digits = table.canonizer.digits.tolist()
        units = [min(filter(None, row), default=1) for row in digits]
        pegs = [0] * len(units)
        colors = tuple(digit // units[0] for digit in digits[0])
        for place, peg in enumerate(sorted(range(len(units)), key=units.__getitem__)):
            pegs[peg] = place
        return key, CodeMap(tuple(pegs), colors)

    def _find_lemma(self, cell: DemandedCell, lemma: Lemma) -> None:
        """Find the lemma about a cell or an image of it."""
        known = self.by_key.get(cell.key)
        if known is None or (known.left and known.left < _spend(lemma.left)):
            return
        if np.array_equal(known.members, cell.members):
            cell.lemma = known
            return
        if cell.labels is None or known.labels is None:
            return
        symmetry = _connect(cell.labels, known.labels)
        # Where labels are equal, the images of two sets may differ all the same.
        image = np.sort(self._map(symmetry, cell.members))
        if np.array_equal(image, known.members):
            cell.lemma, cell.symmetry = known, symmetry

    def _map(self, symmetry: CodeMap, codes: Members) -> Members:
        """Return the images of codes."""
        letters = np.empty((len(codes), self.game.n_pegs), dtype=np.int64)
        letters[:, list(symmetry.pegs)] = np.array(symmetry.colors)[self.game.codes[codes]]
        images: Members = self.place_of[letters @ self.powers]
        return images

    def _use(self, lemma: Lemma, guess: int, cell: DemandedCell, gain: int) -> int:
        """Use a lemma for a cell, a new one if there is none; return by how much it gains."""
        wanted, known = cell.bound + gain, cell.lemma
        if known is None:
            known = Lemma(
                cell.members,
                (*lemma.path, guess),
                _spend(lemma.left),
                wanted,
                cell.labels,
                lemma,
                cell.response,
            )
            self.by_key.setdefault(cell.key, known)
            self._want(known)
        known.wanted = max(known.wanted, wanted)
        lemma.uses[guess, cell.response] = known, cell.symmetry
        cell.bound = wanted
        return gain

    def _choose_cell(
        self, cells: list[DemandedCell], lemma: Lemma, guess: int, deficit: int
    ) -> DemandedCell:
        """Return the cell that likely takes the least work for what it gains.

        The work is taken to grow with the square of the size, so small cells are asked first, and
        larger ones only as long as they may be better.
        """
        best, least = None, 0.0
        for cell in cells:
            size = len(cell.members) ** 2 * (SHARED_DISCOUNT if cell.lemma else 1.0)
            if best is not None and size / deficit >= least:
                continue
            if cell.gain < 0:
                cell.gain = self._ask(cell, lemma, guess, deficit) - cell.bound
            if cell.gain > 0 and (best is None or size / min(cell.gain, deficit) < least):
                best, least = cell, size / min(cell.gain, deficit)
        if best is None:
            self._refuse(self.lemmas[0].wanted)
            raise TreegenError
        return best

    def _ask(self, cell: DemandedCell, lemma: Lemma, guess: int, deficit: int) -> int:
        """Return what the search proves of a cell: what is asked, or its cost if that is less."""
        upper_bound, left = cell.bound + deficit, _spend(lemma.left)
        table, worker = self.worker.search.table, self.worker
        is_known, bound, evidence = find_entry(table, cell.members, left)
        if is_known and (evidence == Evidence.COST or bound >= upper_bound):
            return min(bound, upper_bound)
        path = (*lemma.path, guess)
        depth = worker.load(cell.members, path)
        guesses = worker.list_guesses(depth, upper_bound)
        end = len(guesses.codes)
        worker.push(depth, guesses, 0, end, upper_bound)
        while end and not worker.run():
            self.look(len(self.lemmas), self.n_wanted)
        found = worker.take_incumbent(depth, 0)
        worker.loaded = None
        bound = upper_bound if found is None else found[0]
        record_proof(table, cell.members, left, bound, found is not None)
        return bound

    def _list_guesses(self, lemma: Lemma) -> Members:
        """Return the guesses that a lemma refutes; note the symmetries that make them fewer."""
        given = self.first if not lemma.path else ()
        if not self.is_symmetric or len(lemma.path) > N_SYMMETRIC:
            return np.array(given, dtype=np.int32) if given else self.all_guesses
        known = self.representatives.get(lemma.path)
        if known is None:
            known = self._find_representatives(lemma.path, given)
            self.representatives[lemma.path] = known
        lemma.symmetries = known[0]
        return known[1]

    def _find_representatives(
        self, path: tuple[int, ...], given: tuple[int, ...]
    ) -> tuple[list[CodeMap], Members]:
        """Return symmetries that fix the guesses made, and the least guess of each orbit."""
        guesses = np.array(sorted(given), dtype=np.int32) if given else self.all_guesses
        least, kept = self.all_guesses, []
        for symmetry in self._list_generators(path):
            image = self._map(symmetry, self.all_guesses)
            if given and not np.isin(image[guesses], guesses).all():
                continue
            joined = _join(least, image)
            if not np.array_equal(joined[guesses], least[guesses]):
                least = joined
                kept.append(symmetry)
        return kept, guesses[least[guesses] == guesses]

    def _list_generators(self, path: tuple[int, ...]) -> Iterator[CodeMap]:
        """Yield symmetries that fix the guesses of a path: enough to generate all of them."""
        n_pegs, n_colors = self.game.n_pegs, self.game.n_colors
        codes = self.game.codes[list(path)].tolist()
        used = {color for code in codes for color in code}
        same = tuple(range(n_pegs))
        if path:
            exchanges = [*permutations(range(n_pegs))]
        else:
            exchanges = [
                (*same[: peg - 1], peg, peg - 1, *same[peg + 1 :])
                for peg in range(n_pegs - 1, 0, -1)
            ]
        for pegs in exchanges:
            colors = _rename(codes, pegs, n_colors)
            if colors is not None and (pegs != same or colors != tuple(range(n_colors))):
                yield CodeMap(pegs, colors)
        free = [color for color in range(n_colors) if color not in used]
        for one, other in pairwise(free):
            swapped = list(range(n_colors))
            swapped[one], swapped[other] = other, one
            yield CodeMap(same, tuple(swapped))

    def write(self) -> Iterator[str]:
        """Yield the lines."""
        game, root = self.game, self.lemmas[0]
        yield "treegen proof 1"
        yield f"game {name_game(game)}"
        if self.first:
            yield f"first {' '.join(write_code(game, code) for code in self.first)}"
        if self.cap != UNLIMITED:
            yield f"cap {self.cap}"
        yield f"total {_write_bound(root.wanted)}"
        for lemma in self.lemmas:
            bound = _write_bound(lemma.wanted)
            if lemma.parent is None:
                yield f"root {bound}"
            else:
                guess, answer = self._write_pair(lemma.path[-1], lemma.response)
                yield f"l {lemma.parent.number} {guess} {answer} {bound}"
            for symmetry in lemma.symmetries:
                yield f"s {symmetry}"
            for pair, (used, symmetry_used) in lemma.uses.items():
                guess, answer = self._write_pair(*pair)
                tail = f" {symmetry_used}" if symmetry_used else ""
                yield f"u {guess} {answer} {used.number}{tail}"

    def _write_pair(self, code: int, response: int) -> tuple[str, str]:
        return write_code(self.game, code), self.game.format_response(response)


def _wanted(cell: DemandedCell) -> int:
    return 0 if cell.lemma is None else cell.lemma.wanted


def _spend(left: int) -> int:
    """Return the guesses left after one more; 0: no limit."""
    return left - 1 if left else UNLIMITED


def _write_bound(bound: int) -> str:
    # What a cell lacks of infinity is as good as infinite: n ≤ 2^20 secrets never cost as much as
    # 10^12, since a least strategy that finds them all takes n (n + 1) / 2 guesses at most.
    return "none" if bound >= MOST_TOTAL else str(bound)


def _connect(here: CodeMap, there: CodeMap) -> CodeMap:
    """Return the map from one set to another by way of their common image."""
    pegs = tuple(there.pegs.index(place) for place in here.pegs)
    colors = tuple(there.colors.index(name) for name in here.colors)
    return CodeMap(pegs, colors)


def _rename(codes: list[list[int]], pegs: tuple[int, ...], n_colors: int) -> tuple[int, ...] | None:
    """Return the renaming by which an exchange of pegs fixes codes; None if none does.

    Colors that they do not use keep their names.
    """
    colors: dict[int, int] = {}
    for code in codes:
        for peg, color in enumerate(code):
            if colors.setdefault(color, code[pegs[peg]]) != code[pegs[peg]]:
                return None
    return tuple(colors.get(color, color) for color in range(n_colors))


def _join(least: Members, image: Members) -> Members:
    """Return the least guess of each orbit when each guess and its image are in one, too."""
    least = least.copy()
    while True:
        before = least.copy()
        np.minimum.at(least, before, np.minimum(least, least[image]))
        np.minimum.at(least, before[image], np.minimum(least, least[image]))
        least = least[least]
        if np.array_equal(least, before):
            return least
