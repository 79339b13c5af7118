"""Certificates: proofs of optimality that anybody can check; see docs/proofs.md."""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Sequence
from functools import partial
from math import inf
from pathlib import Path

from .._files import (
    HEAD_BYTES,
    TextSource,
    describe_start,
    name_source,
    refuse_file_name,
    write_folder,
)
from .._options import COUNT, check_range, describe_parameters, refuse_unknown
from ..checker import (
    SOURCE,
    ProofClaim,
    Verdict,
    check_certificate,
    check_compiled,
    find_bound,
    find_compiler,
    list_guesses,
    read_claims,
)
from ..errors import FormatError, UsageError
from ..formats.inputs import Notice, open_game
from ..formats.proof import (
    ProofSource,
    find_claims,
    join_lines,
    list_classes,
    list_stakes,
    name_game,
    read_proof,
    refuse_game,
    write_answer,
    write_code,
    write_table,
)
from ..formats.tree_file import TreeSource, is_tree, read
from ..games.base import Game, select_candidates
from ..games.codebook import WordRules, make_word_game
from ..games.eligible import resolve_eligible
from ..games.rules import Goal, Weight, weigh, write_weights
from ..strategies.named import read_provenance
from ..tasks.work import ProgressOption, Stop, end_in_time, open_progress
from ..tree.tree import Tree
from ..verifier.verify import BY_SEARCH, Findings
from .options import CERTIFY, CHECK

LEAST_TOTAL = "its total is proved; --prove checks the rest"
"""Of the claims about an objective whose first criterion is all that was proved."""

ONLY_TOTAL = "the certificate is about totals alone; --prove checks it"

TableSource = str | os.PathLike[str] | bytes
"""The path or the bytes of a table that stands beside its certificate."""

OUTSIDE = re.compile(rb"(?m)^game table [0-9]+ [0-9]+ [0-9a-f]{64}$")
"""The line of a certificate whose table does so."""

LONG_TEXT = 100_000
"""A certificate of this many bytes takes the checker in Python a while."""


@partial(describe_parameters, declared=CERTIFY)
def certify(
    tree: TreeSource,
    *,
    only_total: bool = False,
    table_size: int | None = None,
    time_limit: float | None = None,
    progress: ProgressOption = None,
) -> str:
    """Return a certificate of what a tree's search has proved: no strategy is better.

    Anybody can check it without trusting treegen: `check`, or the program of `write_checker`.

    Parameters
    ----------
    tree
        A tree of ``"optimal"``, or of ``"best"``, whose bound it proves; or its file.
    {options}
    table_size, progress
        See `build`.

    Returns
    -------
    str
        The text, specified in docs/notes/certificate-format.md.

    Raises
    ------
    UsageError
        The tree claims nothing, or is of a game that certificates cannot be about.
    TimeLimitError
        The time limit is over.

    Examples
    --------
    >>> import treegen
    >>> text = treegen.certify(treegen.build("p3c4r", "optimal"))
    >>> text.splitlines()[:4]
    ['treegen proof 1', 'game p3c4r', 'total 206', 'root 206']
    >>> print(treegen.check(text.encode()))
    proved: for p3c4r no strategy has a total below 206 (1 lemma)
    """
    from ..exact.certificate import certify_tree

    check_range(COUNT, table_size=table_size)
    limit, value = Stop(time_limit), read(tree)
    find_claims(value, only_total=only_total)  # what cannot be claimed is refused before the work
    with end_in_time(limit), open_progress(progress, "certificate") as on_progress:
        return certify_tree(
            value, only_total=only_total, table_size=table_size, on_progress=on_progress
        )


@partial(describe_parameters, declared=CHECK)
def check(
    proof: ProofSource,
    *,
    words: Game | TextSource | Iterable[str] | None = None,
    guesses: TextSource | Iterable[str] | None = None,
    table: TableSource | None = None,
    progress: ProgressOption = None,
) -> Verdict:
    r"""Check a certificate by the plain definitions, without the search and its kernels.

    The program of `write_checker` does the same many times faster.

    Parameters
    ----------
    proof
        The certificate: its path, bytes or open file, which may be packed by xz.
    {options}
    guesses
        Further words that may be guessed.
    progress
        See `build`.

    Returns
    -------
    Verdict
        `Verdict.is_proved` says whether the claim is proved, `Verdict.fault` why not.

    Raises
    ------
    FormatError
        The certificate is malformed, is about other words or none, or takes more than a limit
        allows.
    UsageError
        The certificate is not about the game: feedback, weights, costs or goal differ.

    Examples
    --------
    >>> import treegen
    >>> text = b"treegen proof 1\ngame p1c3r\ntotal 7\nroot 7\n"
    >>> treegen.check(text).fault
    'line 4: lemma 0 claims 7, guess a shows 6'
    """
    if is_tree(proof) and not isinstance(proof, bytes):
        raise UsageError(f"{str(proof)!r:.300} is a tree, not a proof: treegen verify checks it")
    data, lists, rows = read_certificate(proof), _list_words(words, guesses), None
    if isinstance(words, Game):
        _refuse_other(read_claims(data)[-1], words, "game")
        rows = _find_table(data, words)
    if table is not None:
        rows = table if isinstance(table, bytes) else read_proof(table)
    try:
        with open_progress(progress, "check") as on_progress:
            return check_certificate(data, lists, table=rows, on_progress=on_progress)
    except FormatError as error:
        raise FormatError(f"{name_source(proof)}: {error.args[0]}") from None


def read_certificate(source: ProofSource) -> bytes:
    """Return the text of a certificate; FormatError, which names the file, if it is none."""
    data = read_proof(source)
    if not data.removeprefix(BOM_UTF8).startswith(b"treegen proof "):
        raise FormatError(
            f"{name_source(source)} is not a certificate{describe_start(data[:HEAD_BYTES])}"
        )
    return data


def _find_table(data: bytes, game: Game) -> bytes | None:
    """Return the lines of a game's table if a certificate has only their digest."""
    return join_lines(write_table(game)) if OUTSIDE.search(data) else None


def _list_words(
    words: Game | TextSource | Iterable[str] | None, guesses: TextSource | Iterable[str] | None
) -> Sequence[Sequence[str]]:
    """Return the secrets and the other words of a codebook; nothing without one."""
    if words is None:
        if guesses is not None:
            raise UsageError("`guesses` are further words beside `words`, which are missing")
        return ()
    game = words
    if not isinstance(game, Game):
        is_path = isinstance(words, (str, os.PathLike)) or hasattr(words, "read")
        if is_path:
            game = open_game(words, guesses=guesses)  # type: ignore[arg-type]
        else:
            game = make_word_game(words, () if guesses is None else guesses)  # type: ignore[arg-type]
    if not isinstance(game.rules, WordRules):
        if game is words:
            return ()
        raise UsageError(f"`words` are those of a codebook, not {game.name}")
    return game.rules.words[: game.n_secrets], game.rules.words[game.n_secrets :]


@refuse_unknown
def write_checker(folder: str | os.PathLike[str], *, force: bool = False) -> Path:
    """Write the checker in C, one file without dependencies, to a folder; return its path.

    Raises
    ------
    UsageError
        The folder cannot be written; another check.c is there, without `force`.

    Examples
    --------
    >>> import tempfile, treegen
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(treegen.write_checker(folder).name)
    check.c
    """
    refuse_file_name(folder)
    write_folder(folder, {SOURCE.name: SOURCE.read_bytes()}, force=force)
    return Path(folder) / SOURCE.name


def read_matching(tree: Tree, proof: ProofSource) -> bytes:
    """Return the text of a certificate about a tree; raise UsageError if it is about others."""
    data = read_certificate(proof)
    claims, game = read_claims(data), tree.game.with_symbols(None)
    claim = claims[-1]
    _refuse_other(claim, game, "tree")
    given = [(write_code(game, g), write_answer(game, a)) for g, a in tree.provenance.history]
    if list(claim.given) != given:
        theirs, ours = (
            "/".join(map(":".join, pairs)) or "whole games" for pairs in (claim.given, given)
        )
        raise UsageError(
            f"the certificate is about {theirs}, and this tree begins later"
            if not claim.given
            else f"the certificate is about games after {theirs}, the tree about {ours}"
        )
    root = write_code(game, int(tree.guess[0]))
    if not any(each.is_about(root) for each in claims):
        theirs = list_guesses(claim.first or claim.excepted)
        way = "that begin with" if claim.first else "that do not begin with"
        raise UsageError(
            f"the certificate is about strategies {way} {theirs}, and the tree begins with {root}"
        )
    if all(each.cap is not None and tree.worst > each.cap for each in claims) and (
        claim.total is not None
    ):
        raise UsageError(
            f"the certificate is about games of up to {claim.cap} guesses, and the tree has longer"
            " ones"
        )
    eligible = resolve_eligible(game, read_provenance(tree.provenance, tree.game).eligible)
    if claim.eligible == "all" and eligible != "all":
        raise UsageError(
            "the certificate is about games in which every code may be guessed; the tree has"
            f" eligible={eligible:.80}"
        )
    if resolve_eligible(game, claim.eligible) != eligible:
        raise UsageError(
            f"the certificate is about eligible={claim.eligible:.80}; the tree has"
            f" eligible={eligible:.80}"
        )
    return data


def _refuse_other(claim: ProofClaim, game: Game, what: str) -> None:
    """Raise UsageError, which says what differs, if a certificate is not about a game."""
    theirs, ours = claim.game, name_game(game)
    if theirs != ours:
        are_both = theirs.startswith("codebook ") and ours.startswith("codebook ")
        part = "lists" if theirs.split()[:2] == ours.split()[:2] else "feedback"
        differs = f": the {part} differ{'s' * (part == 'feedback')}" if are_both else ""
        raise UsageError(f"the certificate is about {theirs}, the {what} about {ours}{differs}")
    refuse_game(game)
    weights, costs = list_stakes(game)
    for name, claimed, own in (
        ("the goal to identify", claim.goal == "identify", game.goal == Goal.IDENTIFY),
        ("classes", claim.classes, list_classes(game)),
        ("weights", claim.weights, weights),
        ("costs", claim.costs, costs),
    ):
        if claimed == own:
            continue
        differs = f"without {name}, which the {what} has"
        if claimed:
            differs = (
                f"with {'other ' * bool(own)}{name}{'' if own else f', and the {what} is not'}"
            )
        raise UsageError(f"the certificate is about {theirs} {differs}")


def check_with_certificate(
    tree: Tree, data: bytes, draft: Findings, notice: Notice | None = None
) -> None:
    """Check a certificate of a tree in which nothing is wrong, and settle the claims it proves.

    All secrets of the tree were played, `data` comes from `read_matching`, and `draft` is changed
    in place. `notice` is called if the check may take long.
    """
    game = tree.game
    words = _list_words(game, None) if isinstance(game.rules, WordRules) else ()
    if find_compiler() is None and len(data) > LONG_TEXT and notice is not None:
        notice("there is no C compiler: the checker in Python may take some minutes or hours")
    # The program has no verdict where it cannot be compiled or run.
    rows = _find_table(data, game)
    verdict = check_compiled(data, words, rows) or check_certificate(data, words, table=rows)
    shown = Shown(tree, verdict.claims)
    claimed = None if verdict.claim.total is None else shown.weigh(verdict.claim.total)
    if not verdict.is_proved:
        draft.add("certificate", claimed, f"the certificate is {verdict}")
        return
    for claim in verdict.claims:
        cost = shown.find_cost(claim)
        # None claims that no strategy finds every secret, and this tree does.
        if cost is not None and (claim.total is None or claim.total > cost):
            draft.add(
                "certificate",
                claimed,
                f"the certificate contradicts the tree, whose total is"
                f" {write_weights([draft.total])}: {claim}",
            )
            return
    draft.add("certificate", claimed)
    draft.proof = f"{shown.describe()}: proved, checked by an independent program"
    draft.is_optimal = shown.weigh(find_bound(verdict.claims)) == draft.total
    _settle(shown, draft)


class Shown:
    """What claims that are proved show of a tree, all of whose secrets were found."""

    def __init__(self, tree: Tree, claims: Sequence[ProofClaim]) -> None:
        from ..builder.choose import list_useful_openings  # which loads the kernels

        self.tree, self.claims = tree, claims
        self.stated = read_provenance(tree.provenance, tree.game)
        self.objective = self.stated.objective or "total"
        self.own = tree.game.with_symbols(None)
        self.root = write_code(self.own, int(tree.guess[0]))
        # The first guesses among which the search chose, as certificates list them; none: all.
        codes = [self.own.parse_code(each) for each in self.stated.first]
        candidates = select_candidates(self.own, tree.provenance.history)
        useful = list_useful_openings(self.own, candidates, codes, tree.provenance.history)
        self.given = [write_code(self.own, code) for code in useful]

    def weigh(self, shares: float) -> float | Weight:
        """Return a number of a certificate, which counts shares, in weights."""
        return inf if shares == inf else weigh(int(shares), self.tree.game.rules.share_unit)

    def find_cost(self, claim: ProofClaim) -> int | None:
        """Return the tree's cost by the objective of a claim; None if it is about other trees."""
        tree = self.tree
        if not claim.is_about(self.root) or (claim.cap is not None and tree.worst > claim.cap):
            return None
        scale, last = claim.price
        return scale * tree.share_total + last * (
            tree.share_n_worst if tree.worst == claim.cap else 0
        )

    def find_bound(self, longest: int | None) -> float:
        """Return below what no tree of the search with games of some length has a total."""
        return find_bound(self.claims, longest, self.given)

    def is_least(self, objective: str) -> bool:
        """Whether no tree of the search is better by an objective."""
        tree, longest = self.tree, self.stated.max_length
        total, worst, n_worst = tree.share_total, tree.worst, tree.share_n_worst
        if worst == 0:  # nothing is asked: no tree is better
            return True
        if objective == "total":
            return self.find_bound(longest) >= total
        # By worst no tree is shorter; else none that is shorter has the same total.
        is_by_worst = objective.startswith("worst")
        if not is_by_worst and not self.is_least("total"):
            return False
        shorter = self.find_bound(worst - 1)
        if worst > 1 and (shorter < inf if is_by_worst else shorter <= total):
            return False
        if objective == "worst,total":
            return self.find_bound(worst) >= total
        return any(
            claim.total is not None
            and claim.cap == worst
            and not claim.excepted
            # What is proved of some strategies holds for a search restricted to fewer of them.
            and (not claim.first or (bool(self.given) and set(self.given) <= set(claim.first)))
            and self._is_ordered(claim.price, is_by_worst)
            and claim.total >= claim.price[0] * total + claim.price[1] * n_worst
            for claim in self.claims
        )

    def _is_ordered(self, price: tuple[int, int], is_by_worst: bool) -> bool:
        """Whether a cost tells n_worst before the total, or the other way round."""
        weight = sum(list_stakes(self.own)[0]) or self.own.n_secrets
        scale, last = price
        if is_by_worst:
            return last > scale * self.tree.worst * weight
        return scale > last * weight > 0

    def _name(self, guesses: Sequence[str]) -> str:
        """List guesses of a certificate; questions, which it has by number, are named."""
        names: dict[str, str] = {}
        if self.own.rules.n_questions:
            codes = range(self.own.n_codes)
            names = {write_code(self.own, code): self.own.format_code(code) for code in codes}
        return list_guesses([names.get(guess, guess) for guess in guesses])

    def describe(self) -> str:
        """Return the proved statement as a clause."""
        claims = [claim for claim in self.claims if claim.is_about(self.root)]
        claims = [claim for claim in claims if claim.price == (1, 0)] or claims
        claim = next((each for each in reversed(claims) if each.total is not None), claims[-1])
        first = ""
        if claim.total is None or find_bound(self.claims, claim.cap) < claim.total:
            first = f" with the first guess {self._name(claim.first)}" if claim.first else ""
            if claim.excepted:
                first = f" with another useful first guess than {self._name(claim.excepted)}"
        if len(self.claims) > 1 and self.is_least(self.objective):
            by = "" if self.objective == "total" else f" by {self.objective}"
            return f"optimal{by}{first}"
        unit = (
            f"a cost of up to {claim.cap}" if claim.costs else f"games of up to {claim.cap} guesses"
        )
        games = f" with {unit}" if claim.cap is not None else ""
        if claim.total is None:
            return f"no tree{first}{games}"
        if self.find_cost(claim) == claim.total:
            return f"optimal{first}{games}"
        return f"no total{first}{games} below {write_weights([self.weigh(claim.total)])}"


def _settle(shown: Shown, draft: Findings) -> None:
    """Mark those claims of a tree's file as checked that follow from proved claims."""
    stated, objective, tree = shown.stated, shown.objective, shown.tree
    longest = stated.max_length
    if longest is None and objective.startswith("worst"):
        longest = tree.worst  # no better tree by this objective has longer games
    least, bound = shown.weigh(shown.find_bound(longest)), tree.provenance.bound
    for claimed in draft.unchecked:
        if claimed.note != BY_SEARCH:
            continue
        name = claimed.name
        is_least = bound is None or (stated.is_optimal and name != "bound")
        if stated.is_optimal and shown.is_least(objective):
            draft.settle(name)
        elif least < (draft.total if is_least or bound is None else bound):
            draft.leave(
                name,
                f"the certificate only shows that no total is below {write_weights([least])}"
                if least
                else f"the certificate is about less: {shown.claims[-1]}",
            )
        elif is_least and objective != "total":
            draft.leave(name, LEAST_TOTAL if objective.startswith("total") else ONLY_TOTAL)
        else:
            draft.settle(name)
