"""Certificates: proofs of optimality that anybody can check; see docs/proofs.md."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from .._files import write_folder
from .._options import COUNT, check_range
from ..checker import (
    SOURCE,
    ProofClaim,
    Verdict,
    check_certificate,
    check_compiled,
    find_compiler,
    read_claim,
)
from ..errors import UsageError
from ..formats.inputs import Notice, open_game
from ..formats.load import TreeSource, get_tree, is_tree, refuse_file_name
from ..formats.proof import (
    ProofSource,
    find_claim,
    find_unproved,
    name_game,
    read_proof,
    refuse_game,
    write_code,
)
from ..games.base import Game
from ..games.codebook import CodebookGame, WordSource
from ..strategies.stated import read_provenance
from ..tasks.work import ProgressOption, count_games, open_progress
from ..tree.tree import Tree
from ..verifier.report import Findings
from ..verifier.verify import BY_SEARCH

LEAST_TOTAL = "its total is proved; --prove checks the rest"
"""Of the claims about an objective whose first criterion is all that was proved."""

ONLY_TOTAL = "the certificate is about totals alone; --prove checks it"

LONG_TEXT = 100_000
"""A certificate of this many bytes takes the checker in Python a while."""


def certify(
    tree: TreeSource, *, table_size: int | None = None, progress: ProgressOption = None
) -> str:
    """Return a certificate of what a tree's search has proved: no strategy has a lower total.

    Anybody can check it without trusting treegen: `check`, or the program of `write_checker`.

    Parameters
    ----------
    tree
        A tree of ``"optimal"``, or of ``"best"``, whose bound it proves; or its file.
    table_size, progress
        As of `build`.

    Returns
    -------
    str
        The text, specified in docs/certificate-format.md.

    Raises
    ------
    UsageError
        The tree claims nothing, or something that certificates cannot be about: a rule of play,
        weights, costs, another goal than to win, a game after a history.

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
    value = get_tree(tree)
    find_claim(value)  # what cannot be claimed is refused before the work
    with open_progress(progress, "certificate") as tell:
        return certify_tree(value, table_size=table_size, look=count_games(tell, "lemmas"))


def check(
    proof: ProofSource,
    *,
    words: Game | WordSource | Iterable[str] | None = None,
    guesses: WordSource | Iterable[str] | None = None,
    progress: ProgressOption = None,
) -> Verdict:
    r"""Check a certificate by the plain definitions, without the search and its kernels.

    The program of `write_checker` does the same many times faster.

    Parameters
    ----------
    proof
        The certificate: its path, bytes or open file, which may be packed by xz.
    words
        Of a codebook: the words that may be secret, as a path or as texts; or the game.
    guesses
        Further words that may be guessed.
    progress
        Called with a `Progress` now and then; True shows a bar.

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
    data, lists = read_proof(proof), _list_words(words, guesses)
    if isinstance(words, Game):
        _refuse_other(read_claim(data), words, "game")
    with open_progress(progress, "check") as tell:
        return check_certificate(data, lists, look=count_games(tell, "lemmas"))


def _list_words(
    words: Game | WordSource | Iterable[str] | None, guesses: WordSource | Iterable[str] | None
) -> Sequence[Sequence[str]]:
    """Return the secrets and the other words of a codebook; nothing if none is given."""
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
            game = CodebookGame(words, () if guesses is None else guesses)  # type: ignore[arg-type]
    if not isinstance(game, CodebookGame):
        raise UsageError(f"`words` are those of a codebook, not {game.name}")
    return game.words[: game.n_secrets], game.words[game.n_secrets :]


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
    data = read_proof(proof)
    claim = read_claim(data)
    _refuse_other(claim, tree.game, "tree")
    if tree.provenance.history:
        raise UsageError("certificates are about whole games, and this tree begins later")
    root = write_code(tree.game, int(tree.guess[0]))
    if claim.first and root not in claim.first:
        raise UsageError(
            f"the certificate is about strategies that begin with {' or '.join(claim.first)},"
            f" and the tree begins with {root}"
        )
    if claim.cap is not None and tree.worst > claim.cap:
        raise UsageError(
            f"the certificate is about games of up to {claim.cap} guesses, and the tree has longer"
            " ones"
        )
    eligible = read_provenance(tree.provenance, tree.game).eligible
    if eligible != "all":
        raise UsageError(
            "the certificate is about games in which every code may be guessed; the tree has"
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
    if unproved := find_unproved(game):
        raise UsageError(
            f"the certificate is about {theirs} without {unproved}, which the {what} has"
        )
    refuse_game(game)


def check_with_certificate(
    tree: Tree, data: bytes, draft: Findings, notice: Notice | None = None
) -> None:
    """Check a certificate of a tree in which nothing is wrong, and settle the claims it proves.

    All secrets of the tree were played, `data` comes from `read_matching`, and `draft` is changed
    in place. `notice` is called if the check may take long.
    """
    game = tree.game
    words = _list_words(game, None) if isinstance(game, CodebookGame) else ()
    if find_compiler() is None and len(data) > LONG_TEXT and notice is not None:
        notice("there is no C compiler: the checker in Python may take some minutes or hours")
    # The program has no verdict where it cannot be compiled or run.
    verdict = check_compiled(data, words) or check_certificate(data, words)
    if not verdict.is_proved:
        draft.add("certificate", verdict.claim.total, f"the certificate is {verdict}")
        return
    claim, total = verdict.claim, draft.total
    # None claims that no strategy finds every secret, and this tree does.
    if claim.total is None or claim.total > total:
        draft.add(
            "certificate",
            claim.total,
            f"the certificate contradicts the tree, whose total is {total}: {claim}",
        )
        return
    draft.add("certificate", claim.total)
    is_least = claim.total == total
    first = f" with the first guess {' or '.join(claim.first)}" if claim.first else ""
    games = f" with games of up to {claim.cap} guesses" if claim.cap is not None else ""
    below = "" if is_least else f" below {claim.total}"
    what = "optimal" if is_least else "no total"
    draft.proof = f"{what}{first}{games}{below}: proved, checked by an independent program"
    draft.is_optimal = is_least and not claim.first and claim.cap is None
    _settle(tree, claim, claim.total, draft)


def _settle(tree: Tree, claim: ProofClaim, shown: int, draft: Findings) -> None:
    """Mark those claims of a tree's file as checked that follow from a proved claim."""
    stated = read_provenance(tree.provenance, tree.game)
    objective = stated.objective or "total"
    own = tree.game.with_symbols(None)
    given = {write_code(own, own.parse_code(text)) for text in stated.first}
    # What is proved of some strategies holds for a search that was restricted to fewer of them.
    is_first_covered = not claim.first or (bool(given) and given <= set(claim.first))
    longest = stated.max_length
    if longest is None and objective.startswith("worst"):
        longest = tree.worst  # no better tree by this objective has longer games
    is_cap_covered = claim.cap is None or (longest is not None and longest <= claim.cap)
    bound = tree.provenance.bound
    for claimed in draft.unchecked:
        if claimed.note != BY_SEARCH:
            continue
        name = claimed.name
        is_least = bound is None or (stated.is_optimal and name != "bound")
        if not (is_first_covered and is_cap_covered):
            draft.leave(name, f"the certificate is about less: {claim}")
        elif shown < (draft.total if is_least or bound is None else bound):
            draft.leave(name, f"the certificate only shows that no total is below {shown}")
        elif name != "bound" and objective != "total":
            draft.leave(name, LEAST_TOTAL if objective.startswith("total") else ONLY_TOTAL)
        else:
            draft.settle(name)
