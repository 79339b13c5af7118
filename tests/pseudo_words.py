"""Word lists of real size that belong to nobody: pseudo-words, always the same."""

from __future__ import annotations

import random

from treegen import Codebook

ONSETS = [*"bcdfghjklmnprstvwy", "bl", "br", "ch", "cl", "dr", "gr", "pl", "sh", "sl", "st", "tr"]
VOWELS = [*"aeioaeio", "ai", "ea", "ee", "oo", "ou", "u"]
CODAS = [
    *"bdgklmnprsty",
    "ck",
    "ll",
    "mp",
    "nd",
    "ng",
    "nk",
    "nt",
    "rd",
    "rn",
    "rt",
    "sh",
    "st",
    "th",
]


def make_words(n_words, length=5, seed=1):
    """Return so many different pseudo-words, those that look most like words not first."""
    source = random.Random(seed)
    words = {}
    while len(words) < n_words:
        word = ""
        while len(word) < length:
            word += source.choice(ONSETS) + source.choice(VOWELS) + source.choice(CODAS)
        words[word[-length:] if source.random() < 0.5 else word[:length]] = None
    return list(words)


def make_word_game(n_secrets, n_guesses, length=5):
    """Return a game of position feedback: `n_guesses` words, of which the first may be secret."""
    words = make_words(n_guesses, length)
    return Codebook(words[:n_secrets], words[n_secrets:], feedback="position")
