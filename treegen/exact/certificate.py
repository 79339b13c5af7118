"""Certificates: proofs of a bound as text, which programs of others can check.

docs/notes/certificate-format.md specifies the text, docs/proofs.md explains it. A proof is a list
of lemmas "this set of candidates costs at least so much". The first is about all secrets; what it
needs of a cell of some guess becomes a lemma about that cell, and so on. Lemmas are written down
from the largest set to the smallest. When one is reached, all larger ones have said what they need
of it, so that it claims no more than suffices: the less it claims, the less it needs in turn.

For each guess of a lemma the checker's own counting comes first (`refutation`). What that leaves
open, the deficit, is shared out among the guess's cells: to cells that are lemmas already, then to
those that cost the least work for what they gain. What a cell costs is asked of the search. When
all lemmas are known, what is not needed is dropped (`trim_lemmas`).

Cells that are images of each other under the game's symmetries share a lemma.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, permutations

import numpy as np

from ..builder.choose import list_useful_openings
from ..errors import TreegenError, UsageError
from ..formats.proof import (
    Claimed,
    find_claims,
    generate_head,
    refuse_game,
    write_answer,
    write_code,
)
from ..games.base import Game
from ..games.eligible import is_rule_of_play, resolve_eligible
from ..games.rules import is_weighted
from ..jit.interpreter import mark_search
from ..strategies.named import read_provenance
from ..tasks.work import OnProgress, report_count
from ..tree.tree import History, Tree
from .engine import INFINITE, Int32s
from .opening_totals import OpeningRanking
from .refutation import CodeMap, DemandedCell, Lemma, Members, Refutation, make_refutation
from .request import SearchSpec

N_SYMMETRIC = 2
"""Lemmas behind more guesses list no symmetries: hardly any are left there."""

SHARED_DISCOUNT = 0.3
"""What a cell costs that is a lemma already, only one that claims less, compared with a new one."""

CODES_A_LINE, BYTES_A_LINE = 4000, 65_000
"""First guesses in a line, at most."""


def certify_tree(
    tree: Tree,
    *,
    only_total: bool = False,
    table_size: int | None = None,
    on_progress: OnProgress | None = None,
) -> str:
    """Return a certificate of what a tree's search has proved; see `make_certificate`.

    UsageError: it has proved nothing, or nothing that certificates can be about.
    """
    claims, game = find_claims(tree, only_total=only_total), tree.game.with_symbols(None)
    return make_certificate(
        game,
        claims,
        eligible=read_provenance(tree.provenance, tree.game).eligible,
        history=tree.provenance.history,
        table_size=table_size,
        on_progress=on_progress,
    )


def make_certificate(
    game: Game,
    claims: Sequence[Claimed],
    *,
    eligible: str = "all",
    history: History = (),
    table_size: int | None = None,
    on_progress: OnProgress | None = None,
) -> str:
    """Return a certificate of some claims about a game, by a rule of play and after a history.

    `on_progress` takes now and then the number of lemmas written, and of all wanted so far.
    UsageError: the format cannot write it, or a claim is not true.

    >>> from treegen.games import parse_game
    >>> print(make_certificate(parse_game("p1c3r"), [Claimed(6)]), end="")
    treegen proof 1
    game p1c3r
    total 6
    root 6
    """
    refuse_game(game)
    rule, (claim, *more) = resolve_eligible(game, eligible), claims
    is_first = claim.price == (1, 0) and not (claim.excepted or more)
    is_first &= len(list(_split_guesses(game, claim.first))) < 2
    is_first &= rule == "all" and not history
    with mark_search(game.rules.n_guesses, game.n_secrets):
        refutation = make_refutation(game, rule, tuple(history), table_size)
        is_first, layers = is_first and refutation.is_plain, refutation.layers
        version = "1" if is_first else "2.1" if layers else "2"
        version = version if game.rules.shares is None else "2.2"
        lines = [f"treegen proof {version}", *generate_head(game, rule, history, layers)]
        for claim in claims:
            writer = _Writer(game, rule, history, refutation, claim, on_progress)
            try:
                writer.prove()
            except UsageError:
                refuse_rounded(game, refutation)
                raise
            refuse_rounded(game, refutation)
            lines += [] if is_first else ["claim"]
            lines += writer.write()
    return "".join(f"{line}\n" for line in lines)


def refuse_rounded(game: Game, refutation: Refutation) -> None:
    """Raise UsageError where shares were rounded: checkers round each of them down."""
    if refutation.is_rounded:
        raise UsageError(
            f"certificates need exact shares; {game.name} has too many uncertain answers for that"
        )


def certify_ranking(
    game: Game, spec: SearchSpec, ranking: OpeningRanking, *, on_progress: OnProgress | None = None
) -> str:
    """Return a certificate of a ranking that came to its end: a claim for each row, one for others.

    A row's claim is about all first guesses that the game's symmetry turns into its own, so that
    nobody has to believe the symmetry. UsageError: no guess is needed.
    """
    refuse_game(game)
    claims, listed = [], dict[int, None]()
    for row in ranking.rows:
        if not row.worst:
            raise UsageError(f"{game.name}: no guess is needed, and nothing is to be proved")
        images = _list_images(game, spec.history, row.code)
        claims.append(Claimed(row.total, tuple(images), spec.max_length))
        listed |= dict.fromkeys(images)
    is_whole = len(ranking.rows) == ranking.n_openings or not ranking.rows
    rest = None if is_whole else ranking.rows[-1].total
    claims.append(Claimed(rest, (), spec.max_length, tuple(listed)))
    return make_certificate(
        game, claims, eligible=spec.eligible, history=spec.history, on_progress=on_progress
    )


def _list_images(game: Game, history: History, code: int) -> list[int]:
    """Return a code, and what symmetries that fix the guesses made turn it into."""
    symmetries = list(_list_generators(game, [guess for guess, _ in history]))
    found, known = [code], {code}
    for each in found:  # the list grows
        colors = game.codes[each].tolist()
        for symmetry in symmetries:
            image = [0] * game.n_pegs
            for peg, color in zip(symmetry.pegs, colors, strict=True):
                image[peg] = symmetry.colors[color]
            other = game.notation.index_of(image)
            if other not in known:
                known.add(other)
                found.append(other)
    return [code, *sorted(found[1:])]


def _split_guesses(game: Game, codes: Sequence[int]) -> Iterator[str]:
    """Yield guesses in lines that are no longer than a certificate may have."""
    texts = [write_code(game, code) for code in codes]
    longest = max((len(text.encode()) for text in texts), default=0)
    n = min(CODES_A_LINE, BYTES_A_LINE // (longest + 1))
    yield from (" ".join(texts[start : start + n]) for start in range(0, len(texts), n))


class _Writer:
    """Finds the lemmas of a certificate."""

    def __init__(
        self,
        game: Game,
        rule: str,
        history: History,
        refutation: Refutation,
        claim: Claimed,
        on_progress: OnProgress | None,
    ) -> None:
        self.game, self.history = game, history
        self.refutation, self.candidates = refutation, refutation.candidates
        useful = list_useful_openings(game, self.candidates, claim.first, history)
        self.claim, self.first = claim, np.array(useful, dtype=np.int32)
        self.on_progress = on_progress
        self.lemmas: list[Lemma] = []
        self.queue: list[tuple[int, int, Lemma]] = []
        self.by_key: dict[tuple[int, ...] | bytes, list[Lemma]] = {}
        self.n_wanted = 0
        self.representatives: dict[tuple[int, ...], tuple[list[CodeMap], Int32s]] = {}
        self.is_symmetric = not is_rule_of_play(rule) and any(_list_generators(game, ()))
        if self.is_symmetric:
            self.powers = game.n_colors ** np.arange(game.n_pegs - 1, -1, -1)
            self.place_of = np.full(game.n_colors**game.n_pegs, -1, dtype=np.int32)
            self.place_of[game.codes @ self.powers] = np.arange(game.n_codes)

    def prove(self) -> None:
        """Find all lemmas of the claim."""
        claim, refutation = self.claim, self.refutation
        refutation.begin(claim)
        everything = np.arange(len(self.candidates), dtype=np.int32)
        left = INFINITE if claim.cap is None else claim.cap
        wanted = INFINITE if claim.total is None else claim.total
        root = Lemma(everything, refutation.shares, (), left, wanted, refutation.legal, None)
        self._want(root)
        while self.queue:
            _, _, lemma = heapq.heappop(self.queue)
            lemma.number = len(self.lemmas)
            self.lemmas.append(lemma)
            self._look()
            self._prove_lemma(lemma)
        self.lemmas = trim_lemmas(self.lemmas, self._find_lemma)

    def _look(self) -> None:
        report_count(self.on_progress, "certificate", len(self.lemmas), self.n_wanted)

    def _want(self, lemma: Lemma) -> None:
        """Add a lemma to those that are to be proved, the largest first."""
        heapq.heappush(self.queue, (-len(lemma.members), self.n_wanted, lemma))
        self.n_wanted += 1

    def _prove_lemma(self, lemma: Lemma) -> None:
        holds = self.refutation.holds_at_sight(lemma)
        if holds is None:
            self._refuse(lemma.wanted)
        if holds:
            return
        guesses = self._list_guesses(lemma)
        for guess, shown in self.refutation.find_open(lemma, guesses, self._look):
            self._share_deficit(lemma, guess, lemma.wanted - shown)

    def _refuse(self, total: int) -> None:
        fault = "some strategy finds every secret"
        if total < INFINITE:
            fault = f"that no strategy has a total below {total:,} is not true"
        raise UsageError(f"{self.game.name}: {fault}")

    def _share_deficit(self, lemma: Lemma, guess: int, deficit: int) -> None:
        """Want of a guess's cells, together, what it lacks."""
        cells = list(self.refutation.list_cells(lemma, guess))
        lacking, shown = deficit, [(cell, cell.bound) for cell in cells]
        for cell in cells:
            self._find_lemma(cell)
        known = [cell for cell in cells if cell.lemma and cell.lemma.wanted > cell.bound]
        for cell in sorted(known, key=lambda cell: cell.bound - _wanted(cell)):
            if deficit <= 0:
                break
            deficit -= self._use(lemma, guess, cell, _wanted(cell) - cell.bound)
        for cell in cells:
            if not cell.is_lemma_same:  # with more left or legal, more need not be true of it
                cell.lemma = cell.symmetry = None
        cells.sort(key=lambda cell: len(cell.members))
        while deficit > 0:
            cell = self._choose_cell(cells, lemma, guess, deficit)
            deficit -= self._use(lemma, guess, cell, min(cell.gain, deficit))
            cells.remove(cell)
        # Legal guesses that depend on answers take memory: there only cells that are used are kept.
        shown = [(cell, least) for cell, least in shown if cell.legal is None or cell.bound > least]
        lemma.open_guesses.append((guess, lacking, shown))

    def _find_lemma(self, cell: DemandedCell) -> None:
        """Find a lemma about a cell or an image of it, at best with as much left and legal."""
        for known in self.by_key.get(cell.key, ()):
            # With uncertain answers a cell may have as many members as the lemma above it.
            is_late = 0 <= known.number <= cell.above
            if is_late or known.left < cell.left or not _has_all(known.legal, cell.legal):
                continue
            symmetry, image = None, cell.members
            if not np.array_equal(known.members, cell.members):
                if cell.labels is None or known.labels is None:
                    continue
                symmetry = _connect(cell.labels, known.labels)
                # Where labels are equal, the images of two sets may differ all the same.
                image = np.sort(self._map(symmetry, self.candidates[cell.members]))
                if not np.array_equal(image, self.candidates[known.members]):
                    continue
            is_same = known.left == cell.left and _has_all(cell.legal, known.legal)
            if is_same or cell.lemma is None:
                cell.lemma, cell.symmetry, cell.is_lemma_same = known, symmetry, is_same

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
                cell.shares,
                (*lemma.path, guess),
                cell.left,
                wanted,
                cell.legal,
                cell.labels,
                lemma,
                cell.response,
            )
            self.by_key.setdefault(cell.key, []).append(known)
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
                upper, refutation = cell.bound + deficit, self.refutation
                found = refutation.ask(cell, lemma, guess, upper, self._look)
                cell.gain = found - cell.bound
            if cell.gain > 0 and (best is None or size / min(cell.gain, deficit) < least):
                best, least = cell, size / min(cell.gain, deficit)
        if best is None:
            self._refuse(self.lemmas[0].wanted)
            raise TreegenError
        return best

    def _list_guesses(self, lemma: Lemma) -> Int32s:
        """Return the guesses that a lemma refutes; note the symmetries that make them fewer."""
        is_root, listed = not lemma.path, self.first
        guesses = self.refutation.list_guesses(lemma)
        if is_root and self.claim.excepted:
            listed = np.array(sorted(self.claim.excepted), dtype=np.int32)
            guesses = guesses[~np.isin(guesses, listed)]
        elif is_root and len(listed):
            guesses = listed
        if not self.is_symmetric or len(lemma.path) > N_SYMMETRIC:
            return guesses
        given = np.sort(listed) if is_root else self.first[:0]
        known = self.representatives.get(lemma.path)
        if known is None:
            known = self._find_representatives(lemma.path, given)
            self.representatives[lemma.path] = known
        lemma.symmetries, least = known
        kept: Int32s = np.sort(guesses)[np.isin(np.sort(guesses), least)]
        return kept

    def _find_representatives(
        self, path: tuple[int, ...], given: Int32s
    ) -> tuple[list[CodeMap], Int32s]:
        """Return symmetries that fix the guesses made, and the least guess of each orbit.

        They also keep the `given` guesses, if there are any.
        """
        everything = np.arange(self.game.n_codes, dtype=np.int32)
        least, kept = everything, []
        looked_at = given if len(given) and not self.claim.excepted else everything
        made = (*(guess for guess, _ in self.history), *path)
        for symmetry in _list_generators(self.game, made):
            image = self._map(symmetry, everything)
            if len(given) and not np.isin(image[given], given).all():
                continue
            joined = _join(least, image)
            if not np.array_equal(joined[looked_at], least[looked_at]):
                least = joined
                kept.append(symmetry)
        return kept, everything[least == everything]

    def write(self) -> Iterator[str]:
        """Yield the lines of the claim."""
        claim, root = self.claim, self.lemmas[0]
        for name, codes in (("first", self.first.tolist()), ("except", claim.excepted)):
            yield from (f"{name} {line}" for line in _split_guesses(self.game, codes))
        if claim.cap is not None:
            yield f"cap {claim.cap}"
        if claim.price != (1, 0):
            yield "price {} {}".format(*claim.price)
        yield f"total {self._write_bound(root.wanted)}"
        for number, lemma in enumerate(self.lemmas):
            lemma.number = number
        for lemma in self.lemmas:
            bound = self._write_bound(lemma.wanted)
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

    def _write_bound(self, bound: int) -> str:
        # What a cell lacks of infinity is as good as infinite: no claim is allowed to come near it.
        return "none" if bound >= INFINITE // 2 else str(bound)

    def _write_pair(self, code: int, response: int) -> tuple[str, str]:
        return write_code(self.game, code), write_answer(self.game, response)


def _has_all(of: Int32s | None, parts: Int32s | None) -> bool:
    """Whether legal guesses are all among others."""
    return of is None or parts is None or bool(np.isin(parts, of, assume_unique=True).all())


def _wanted(cell: DemandedCell) -> int:
    return 0 if cell.lemma is None else cell.lemma.wanted


def _connect(here: CodeMap, there: CodeMap) -> CodeMap:
    """Return the map from one set to another by way of their common image."""
    pegs = tuple(there.pegs.index(place) for place in here.pegs)
    colors = tuple(there.colors.index(name) for name in here.colors)
    return CodeMap(pegs, colors)


def _list_generators(game: Game, path: Sequence[int]) -> Iterator[CodeMap]:
    """Yield symmetries that fix the guesses of a path: enough to generate all of them.

    Only peg games have any, without weights and costs.
    """
    if game.kind != "pegs" or is_weighted(game.rules):
        return
    n_pegs, n_colors = game.n_pegs, game.n_colors
    codes = game.codes[list(path)].tolist()
    used = {color for code in codes for color in code}
    same = tuple(range(n_pegs))
    if path:
        exchanges = [*permutations(range(n_pegs))]
    else:
        exchanges = [
            (*same[: peg - 1], peg, peg - 1, *same[peg + 1 :]) for peg in range(n_pegs - 1, 0, -1)
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


FindLemma = Callable[[DemandedCell], None]


def trim_lemmas(lemmas: Sequence[Lemma], find_lemma: FindLemma) -> list[Lemma]:
    """Return the lemmas that are needed, with the uses and claims that suffice.

    While lemmas are found, the largest first, nobody knows yet what smaller ones will claim in the
    end. Then it is known: most guesses have cells that show, together, more than the guess lacks.
    So the lemmas are gone through once more, again the largest first. From each guess the uses go
    that cost the text the most for what they show; where one cannot go, its lemma is asked for
    less.

    `lemmas` are in the order of the text; `find_lemma` finds one about a cell. No claim grows, so
    the bounds of guesses that used no lemma still suffice.
    """
    shares, claims = _share_text(lemmas), dict.fromkeys(lemmas, 0)
    claims[lemmas[0]] = lemmas[0].wanted
    for lemma in lemmas:  # all that use it come before
        found, lemma.uses = lemma.uses, {}
        for guess, lacking, cells in lemma.open_guesses:
            uses = []
            for cell, shown in cells:
                if (guess, cell.response) in found:
                    cell.lemma, cell.symmetry = found[guess, cell.response]
                else:  # at the time there was none
                    find_lemma(cell)
                if cell.lemma is not None and cell.lemma.wanted > shown:
                    uses.append((cell.lemma.wanted - shown, cell.lemma, cell))
            spare = sum(gain for gain, _, _ in uses) - lacking + lemma.wanted - claims[lemma]
            for gain, used, cell in sorted(uses, key=lambda use: -shares[use[1]] / use[0]):
                if gain <= spare:
                    spare -= gain
                    continue
                claim = max(claims[used], used.wanted - spare)
                spare -= used.wanted - claim
                claims[used] = claim
                lemma.uses[guess, cell.response] = used, cell.symmetry
    named: set[Lemma | None] = {lemmas[0]}  # a claim of 0, too, is written
    for lemma in reversed(lemmas):
        lemma.wanted = claims[lemma]
        if lemma.wanted or lemma in named:
            named.add(lemma.parent)
        if not lemma.wanted:  # at most it names the set of another one
            lemma.symmetries = []
    return [lemma for lemma in lemmas if lemma.wanted or lemma in named]


def _share_text(lemmas: Sequence[Lemma]) -> dict[Lemma, float]:
    """Return the text that each lemma stands for: its own, and an equal part of those it uses."""
    n_uses = Counter(used for lemma in lemmas for used, _ in lemma.uses.values())
    shares: dict[Lemma, float] = {}
    for lemma in reversed(lemmas):
        below = sum(shares[used] for used, _ in lemma.uses.values())
        shares[lemma] = (1 + below) / max(n_uses[lemma], 1)
    return shares
