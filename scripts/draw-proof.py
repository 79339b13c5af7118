"""Draw the lemmas of a certificate: docs/proofs.svg.

Usage: draw-proof.py X.proof OUT.svg

Each lemma is a bar below the one whose cell it is, as wide as the square root of its secrets; the
darker, the more it claims beyond what counting shows.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from treegen.formats.proof import read_proof  # noqa: E402
from treegen.games.names import parse_game  # noqa: E402

WIDTH, HEIGHT, GAP, TITLE = 1100.0, 46.0, 3.0, 20.0


@dataclass
class Lemma:
    """A lemma, and those about its cells."""

    name: str
    members: list[int]
    bound: int
    below: list[Lemma] = field(default_factory=list)

    @property
    def weight(self) -> float:
        """Its width before scaling: that of its set, or of the lemmas below if they need more."""
        return max(len(self.members) ** 0.5, sum(lemma.weight for lemma in self.below))


def read_lemmas(path: str) -> list[Lemma]:
    """Return the lemmas of a certificate of a peg game."""
    lemmas: list[Lemma] = []
    for line in read_proof(path).decode().splitlines():
        kind, *words = line.split(" ")
        if kind == "game":
            game = parse_game(words[0])
        elif kind == "root":
            lemmas.append(Lemma("all secrets", list(range(game.n_secrets)), int(words[0])))
        elif kind == "l":
            parent, (guess, answer) = lemmas[int(words[0])], words[1:3]
            code = game.parse_code("".join(str(ord(letter) - 96) for letter in guess))
            members = [
                secret
                for secret in parent.members
                if game.format_response(game.score(code, secret)) == answer
            ]
            lemmas.append(Lemma(f"{guess} {answer}", members, int(words[3])))
            parent.below.append(lemmas[-1])
    return lemmas


def count(n: int, b: int) -> int:
    """Return the least total of n games by counting."""
    total, level, room = 0, 1, 1
    while n > 0:
        taken = min(n, room)
        total, n, level, room = total + taken * level, n - taken, level + 1, room * b
    return total


def draw(lemma: Lemma, x: float, y: float, width: float, number: dict[int, int]) -> list[str]:
    """Return the bars of a lemma and of all below it."""
    shown = count(len(lemma.members), 13)
    share = min(1.0, 6 * (lemma.bound / shown - 1))
    color = f"hsl(210 {30 + 40 * share:.0f}% {92 - 34 * share:.0f}%)"
    n = len(lemma.members)
    title = f"lemma {number[id(lemma)]}: {lemma.name}, {n} secrets cost {lemma.bound} or more"
    parts = [
        f"<g><title>{escape(f'{title}; counting shows {shown}')}</title>"
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width - GAP / 2:.1f}" height="{HEIGHT}"'
        f' rx="3" fill="{color}" stroke="#567" stroke-width="0.6"/>'
    ]
    texts = [lemma.name, f"≥ {lemma.bound:,}"]
    if width > 62:
        parts += [
            f'<text x="{x + width / 2:.1f}" y="{y + 19 + 17 * row:.1f}">{escape(text)}</text>'
            for row, text in enumerate(texts)
        ]
    elif width > 11:
        middle = x + width / 2 + 4
        parts.append(
            f'<text transform="translate({middle:.1f} {y + HEIGHT / 2}) rotate(-90)"'
            f' font-size="10">{escape(lemma.name)}</text>'
        )
    parts.append("</g>")
    for child in lemma.below:
        share = child.weight / lemma.weight * width
        parts += draw(child, x, y + HEIGHT + GAP, share, number)
        x += share
    return parts


def main(path: str, target: str) -> None:
    """Draw the certificate."""
    lemmas = read_lemmas(path)
    number = {id(lemma): place for place, lemma in enumerate(lemmas)}
    for lemma in lemmas:
        lemma.below.sort(key=lambda below: (below.name.split()[0], -len(below.members)))
    depth = 1 + max(map(len, map(_path_of(lemmas).get, number)))
    height = depth * (HEIGHT + GAP)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {height:.0f}"'
        ' font-family="sans-serif" font-size="12" text-anchor="middle" role="img">',
        f"<title>{len(lemmas)} lemmas of a certificate</title>",
        *draw(lemmas[0], 0, 0, WIDTH, number),
        "</svg>",
    ]
    Path(target).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _path_of(lemmas: list[Lemma]) -> dict[int, tuple[int, ...]]:
    """Return the lemmas above each."""
    above: dict[int, tuple[int, ...]] = {id(lemmas[0]): ()}
    for lemma in lemmas:
        for below in lemma.below:
            above[id(below)] = (*above[id(lemma)], id(lemma))
    return above


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
