"""Proofs trimmed: uses of lemmas that are not needed, and lemmas that nobody uses any more.

While lemmas are found, the largest first, nobody knows yet what smaller ones will claim in the
end. Then it is known: most guesses have cells that show, together, more than the guess lacks. Here
the lemmas are gone through once more, again the largest first. From each guess the uses go that
cost the text the most for what they show; where one cannot go, its lemma is asked for less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from .refutation import DemandedCell, Lemma

FindLemma = Callable[[DemandedCell], None]


def trim_lemmas(lemmas: Sequence[Lemma], find_lemma: FindLemma) -> list[Lemma]:
    """Return the lemmas that are needed, with the uses and claims that suffice.

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
