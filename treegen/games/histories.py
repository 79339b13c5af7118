"""Histories as text, ``1122:02/1344:11``, and lists of codes, ``salet,crate``: written and read.

Codes and answers may themselves contain the separators. So a text is read by the names that the
game knows: a sign separates only if they stand around it. A text that can be read in two ways is
refused. JSON can say what such a text cannot: ``[["12/3+4=8", "00001020"]]``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, TypeVar

from ..errors import GameError, UsageError
from .feedback import RULES
from .notation import Notation
from .text import are_joined, read_json_list

Pair = tuple[int, int]
S = TypeVar("S")
V = TypeVar("V")


def parse_history(text: str, notation: Notation, *, joint: str = "/") -> tuple[Pair, ...]:
    """Return the (code, response) pairs of a history, ``1122:02/1344:11`` or a JSON list of pairs.

    `joint` separates the pairs. UsageError if a part is not a pair, or if the text can be read in
    two ways; GameError if a code or an answer does not belong to the game.

    >>> from treegen.games.codebook import make_word_game
    >>> notation = make_word_game(["12/3=4", "4*3=12"], rule="black").notation
    >>> parse_history("12/3=4:2/4*3=12:1", notation)
    ((0, 2), (1, 1))
    >>> parse_history('[["12/3=4", "2"], ["4*3=12", "1"]]', notation)
    ((0, 2), (1, 1))
    """
    if not text.strip():
        return ()
    listed = read_json_list(text)
    if listed is not None and all(_is_pair(item) for item in listed):
        return tuple(_parse_pair(notation, code, reply) for code, reply in listed)
    if not _holds_signs(notation, (joint, ":")):  # then each sign separates
        parts = text.split(joint) if joint.strip() else text.split()
        return tuple(_parse_pair(notation, *_split_pair(part, notation)) for part in parts)
    n_joints = sum(_count_signs(notation, joint))  # as many as one pair may hold
    take = _make_taker(notation)
    readings, reached = list_readings(text, joint, n_joints, None, take)
    if not readings:
        raise _explain_pair(notation, text[reached:], joint, listed is not None)
    if len(readings) > 1:
        shown = [_dump(write_pairs(notation, pairs)) for pairs in readings]
        raise refuse_two("history", text, shown)
    return readings[0]


def format_history(
    notation: Notation,
    history: Iterable[Pair],
    *,
    joint: str = "/",
) -> str:
    """Return a history as `parse_history` reads it; as JSON where it could be misread otherwise."""
    pairs = tuple((int(guess), int(response)) for guess, response in history)
    if not pairs:
        return ""
    texts = write_pairs(notation, pairs)
    text = joint.join(f"{code}:{reply}" for code, reply in texts)
    # What begins with [ is read as JSON, if it is JSON.
    if not text.startswith("[") and not _holds_signs(notation, (joint, ":")):
        return text
    try:
        if parse_history(text, notation, joint=joint) == pairs:
            return text
    except (GameError, UsageError):
        pass
    return _dump(texts)


def parse_pair(text: str, notation: Notation) -> Pair:
    """Return code and response of one written guess with its answer, ``1122:02``.

    GameError if it is none, UsageError if it can be read in two ways.
    """
    listed = read_json_list(text)
    if listed is not None and _is_pair(listed):
        return _parse_pair(notation, listed[0], listed[1])
    readings = [pair for pair, _ in _make_taker(notation)(None, text)]
    if len(readings) > 1:
        shown = [_dump(pair) for pair in write_pairs(notation, readings)]
        raise refuse_two("guess with its answer", text, shown)
    return readings[0] if readings else _parse_pair(notation, *_split_pair(text, notation))


def parse_codes(text: str, notation: Notation) -> tuple[int, ...]:
    """Return the codes of a text, ``salet,crate``, or of a JSON list of texts.

    GameError if one is not a code of the game, UsageError if the text can be read in two ways.
    """
    listed = read_json_list(text)
    if listed is not None and all(isinstance(item, str) for item in listed):
        return tuple(map(notation.parse_code, listed))
    in_code, _ = _count_signs(notation, ",")
    if not in_code:
        return tuple(map(notation.parse_code, text.split(",")))
    whole = _attempt(notation.parse_code, text)
    if whole is not None:  # a name as it is spelled comes before a list of its parts
        return (whole,)

    def take(_: None, part: str) -> Iterator[tuple[int, None]]:
        code = _attempt(notation.parse_code, part)
        if code is not None:
            yield code, None

    readings, reached = list_readings(text, ",", in_code, None, take)
    if not readings:
        notation.parse_code(text[reached:].partition(",")[0])  # says what is wrong
        raise GameError(f"{text[reached:]!r:.80} is no code of {notation.rules.name}")
    if len(readings) > 1:
        shown = [_dump(list(map(notation.name_guess, codes))) for codes in readings]
        raise refuse_two("list of codes", text, shown)
    return readings[0]


def list_readings(
    text: str,
    joint: str,
    n_joints: int,
    begin: S,
    take: Callable[[S, str], Iterable[tuple[V, S]]],
) -> tuple[list[tuple[V, ...]], int]:
    """Return up to two ways to read a text as joined parts, and how far it can be read.

    A part holds at most `n_joints` joints. `take` yields what a part may mean in a state, each with
    the state after it; `begin` is the state before the first part.

    >>> known = ["a", "b", "a/b"]
    >>> list_readings("a/b", "/", 1, None, lambda _, part: [(part, None)] if part in known else [])
    ([('a/b',), ('a', 'b')], 3)
    """
    ends = [at for at in range(len(text)) if text.startswith(joint, at)] + [len(text)]
    starts = [0, *(end + len(joint) for end in ends)]
    # For each joint the states that can be reached behind it, each with up to two ways there.
    ways: list[dict[S, list[tuple[V, ...]]]] = [{} for _ in starts]
    ways[0][begin] = [()]
    reached = 0
    for place, start in enumerate(starts[:-1]):
        for state, before in ways[place].items():
            reached = start
            for last in range(place, min(place + n_joints + 1, len(ends))):
                for value, after in take(state, text[start : ends[last]]):
                    known = ways[last + 1].setdefault(after, [])
                    for way in before:
                        # Two are enough to refuse the text; there may be very many.
                        if len(known) < 2 and (*way, value) not in known:
                            known.append((*way, value))
    found = list(dict.fromkeys(way for known in ways[-1].values() for way in known))
    return found[:2], len(text) if found else reached


def refuse_two(what: str, text: str, readings: Sequence[str]) -> UsageError:
    """Return the error for a text that can be read in two ways, each given as JSON."""
    return UsageError(
        f"the {what} {text!r:.200} may mean {readings[0]:.300} or {readings[1]:.300}: give one of"
        " these, as JSON"
    )


def _make_taker(notation: Notation) -> Callable[[None, str], Iterator[tuple[Pair, None]]]:
    """Return a function that yields the pairs that a part of a text may mean."""

    @cache  # a part is tried with each end that it may have, and each time begins alike
    def find_code(text: str) -> int | None:
        return _attempt(notation.parse_code, text)

    def take(_: None, part: str) -> Iterator[tuple[Pair, None]]:
        seen = set()
        for at, sign in enumerate(part):
            if sign != ":":
                continue
            code = find_code(part[:at])
            if code is None:
                continue
            response = _attempt(notation.parse_response, part[at + 1 :], code)
            if response is not None and (code, response) not in seen:
                seen.add((code, response))
                yield (code, response), None

    return take


def _attempt(parse: Callable[..., int], *arguments: Any) -> int | None:
    try:
        return parse(*arguments)
    except GameError:
        return None


def _is_pair(value: Any) -> bool:
    is_list = isinstance(value, list) and len(value) == 2
    return is_list and all(isinstance(text, str) for text in value)


def _split_pair(part: str, notation: Notation) -> tuple[str, str]:
    code, colon, reply = part.rpartition(":")
    if not colon:
        guess, answer = _choose_example(notation)
        raise UsageError(
            f"{part!r:.80} in the history is not a pair: guess and answer are written"
            f" {guess}:{answer}"
        )
    if ":" in code and "," in part:
        raise UsageError(
            f"{part!r:.80} in the history is not a pair: / separates pairs, as in"
            f" {part.replace(',', '/'):.80}"
        )
    return code, reply


def _choose_example(notation: Notation) -> tuple[str, str]:
    """Return a guess of the game and an answer, as they are written."""
    if notation.rules.kind == "pegs" and _attempt(notation.parse_code, "1122") is not None:
        return "1122", notation.format_response(2)
    guess = notation.rules.first_guess
    return notation.name_guess(guess), notation.format_response(0, guess)


def _parse_pair(notation: Notation, code: str, reply: str) -> Pair:
    guess = notation.parse_code(code)
    return guess, notation.parse_response(reply, guess)


def _explain_pair(notation: Notation, rest: str, joint: str, is_json: bool) -> Exception:
    """Return an error that says what is wrong at the beginning of a text."""
    code, answer = _choose_example(notation)
    form = f"as JSON it is a list of pairs of texts, {_dump([[code, answer]])}"
    if is_json or ":" not in rest:
        return UsageError(
            f"{rest!r:.80} in the history is not a pair: guess and answer are written"
            f" {code}:{answer}; {form}"
        )
    for at in (at for at, sign in enumerate(rest) if sign == ":"):
        guess = _attempt(notation.parse_code, rest[:at])
        if guess is not None:
            try:
                notation.parse_response(rest[at + 1 :].partition(joint)[0], guess)
            except GameError as error:
                return error
    try:
        notation.parse_code(rest.partition(":")[0])
    except GameError as error:
        return error
    return UsageError(f"{rest!r:.80} in the history is not a guess with its answer; {form}")


def write_pairs(notation: Notation, history: Iterable[Pair]) -> tuple[tuple[str, str], ...]:
    """Return a history as people write it: ``(("1122", "02"),)``."""
    return tuple(
        (notation.name_guess(guess), notation.format_response(response, guess))
        for guess, response in history
    )


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _holds_signs(notation: Notation, signs: Iterable[str]) -> bool:
    """Return whether a code or an answer holds one of some signs."""
    return any(any(_count_signs(notation, sign)) for sign in signs)


def _count_signs(notation: Notation, sign: str) -> tuple[int, int]:
    """Return the largest counts of a sign in a code, and in an answer."""
    # Copies with another goal have the same names, and share what is kept.
    kept = notation.n_signs
    if sign not in kept:
        kept[sign] = (_count_in_codes(notation, sign), count_in_answers(notation, sign))
    return kept[sign]


def _count_in_codes(notation: Notation, sign: str) -> int:
    names = notation.symbols
    if notation.asks_questions:  # whose codes are their own symbols
        names = tuple(map(notation.name_guess, range(len(names))))
    most = max(name.count(sign) for name in names)
    if notation.rules.n_pegs == 1:
        return most
    # Names of colors have dots between them, and are read with commas and spaces, too.
    between = 0 if are_joined(names) or sign not in ", " or notation.is_of_words else 1
    return notation.rules.n_pegs * (most + between)


def count_in_answers(notation: Notation, sign: str) -> int:
    """Return the largest count of a sign in an answer."""
    rules = notation.rules
    if rules.feedback.name in RULES:
        return 0
    asked = range(rules.n_codes - rules.n_questions, rules.n_codes)
    labels = {label for code in asked for label in notation.list_answers(code)}
    written = labels or map(notation.format_response, range(rules.n_responses))
    return max(label.count(sign) for label in written)
