"""How identification keys write questions, answers and names, and read them back.

A text stands as it is where that is unambiguous, else in quotes, as JSON has them.
"""

from __future__ import annotations

import json
import re

from ..errors import GameError
from .questions import Questions

ARROW = " → "

_PLAIN = re.compile(r'(?!\.)(?!.*\.\.)[^",→]*[^",→.\s]')


def quote(text: str) -> str:
    """Return a text as keys write it.

    Examples
    --------
    >>> quote("no"), quote("2, rarely 4")
    ('no', '"2, rarely 4"')
    """
    if _PLAIN.fullmatch(text):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    # Neither leaders of dots nor arrows are looked for in quotes.
    return quoted.replace("..", "\\u002e\\u002e").replace("→", "\\u2192")


def quote_name(name: str) -> str:
    """Return a candidate's name as keys write it: never as a number, which leads on."""
    return f'"{name}"' if name.isdecimal() else quote(name)


def take_text(text: str) -> tuple[str, str]:
    """Return the text at the beginning of another one, and the rest; GameError if broken.

    Examples
    --------
    >>> take_text("no → 2, yes → 5"), take_text('"a, b" → 3')
    (('no', ' → 2, yes → 5'), ('a, b', ' → 3'))
    """
    if text.startswith('"'):
        try:
            value, end = json.JSONDecoder().raw_decode(text)
        except ValueError:
            raise GameError(f"the quotes in {text!r:.60} do not end") from None
        return value, text[end:]
    end = min((at for at in (text.find(", "), text.find(ARROW)) if at >= 0), default=len(text))
    return text[:end], text[end:]


def write_question(game: Questions, code: int) -> str:
    """Return what is asked, with what stands before its answer.

    Examples
    --------
    >>> game = Questions([["no", 2], ["yes", 4]], ["dog", "duck"], ["Wings?", "Legs"])
    >>> write_question(game, 2), write_question(game, 3), write_question(game, 0)
    ('Wings? ', 'Legs: ', 'Is it dog? ')
    """
    if code < game.n_secrets:
        return f"Is it {quote(game.format_code(code))}? "
    text = quote(game.format_code(code))
    return f"{text} " if text.endswith("?") else f"{text}: "


def list_questions(game: Questions) -> dict[str, int]:
    """Return the code of each written question; of equal ones a question rather than a guess."""
    return {write_question(game, code): code for code in range(game.n_codes)}


def take_question(questions: dict[str, int], text: str) -> list[tuple[int, str]]:
    """Return each question that a text may begin with, the longest first, and the rest."""
    ends = [match.end() for match in re.finditer("[?:] ", text)]
    known = [end for end in reversed(ends) if text[:end] in questions]
    return [(questions[text[:end]], text[end:]) for end in known]
