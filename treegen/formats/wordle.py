"""Text as alex1770's wordle prints a tree: guesses and colored answers in columns.

``salet BBBBB1 courd BBBBB2 nymph GGGGG3``: a guess, its answer with the number of the guess, the
next guess …; B is grey, Y yellow, G green, and an answer of G alone ends a game. Answers are sorted
as in the program, B before G before Y. Guesses already made stand in front, with their answers, and
are counted.

A line omits the answers that it shares with the line above (the program's hollow style); complete
lines, its full style, are read, too. A listing that was made for some first guesses and answers
(``-w stage.gbgbg``) counts them, and may repeat them: it is read as the part after them if they are
given as the history.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..errors import UsageError
from ..games import Game
from ..tree import History
from .format import Format, Reader, Style
from .header import describe_stub
from .sketch import Scanner, Sketch
from .view import View

_LETTERS = str.maketrans("012", "BYG")

Branch = tuple[str, int | None]
"""An answer as written, and the state after it; None if the game is won."""


def generate_wordle(view: View) -> Iterator[str]:
    """Yield a line for each game of the shown states, and for each state that is cut.

    Raises UsageError if the game does not use position feedback.
    """
    if not view.game.has_tiles:
        raise UsageError(
            f"the style wordle writes position feedback; {view.game.title} has other feedback"
        )
    line = _write_history(view)
    stack: list[tuple[Branch, int]] = [(("", view.root), len(line))]
    while stack:
        (answer, node), column = stack.pop()
        line = f"{line or ' ' * column}{answer}"
        if node is None:
            yield line
            line = ""
            continue
        line += f"{' ' if answer else ''}{view.guess(node)} "
        branches = _list_branches(view, node)
        stack.extend((branch, len(line)) for branch in reversed(branches))
        if view.is_cut(node):
            yield line + describe_stub(view.stub(node))
            line = ""


def _write_history(view: View) -> str:
    """Return the guesses already made, with their answers."""
    pairs = enumerate(view.history, start=1)
    return "".join(
        f"{view.write_code(guess)} {view.written(response).translate(_LETTERS)}{number} "
        for number, (guess, response) in pairs
    )


def _list_branches(view: View, node: int) -> list[Branch]:
    """Return the answers to a state's guess; for a cut one only the winning answer, if any."""
    if view.is_cut(node):
        return []
    number = len(view.history) + view.level(node)
    branches: list[Branch] = [
        (f"{view.response(child).translate(_LETTERS)}{number}", child)
        for child in view.children(node)
    ]
    if view.is_winning(node):
        branches.append((f"{view.written(view.game.win).translate(_LETTERS)}{number}", None))
    return sorted(branches, key=lambda branch: branch[0]) if view.order == "responses" else branches


_WORD = re.compile(r"\S+")
_ANSWER = re.compile(r"([BGYbgy]+)(\d{1,9})", re.ASCII)

Words = list[re.Match[str]]


@dataclass(slots=True)
class _Listing:
    """What is being read.

    Attributes
    ----------
    states
        States after 0, 1, 2 … answers on the current line.
    offset
        Number of guesses that are counted before the first state.
    is_repeated
        Whether the lines that begin with a guess begin with these guesses.
    child_of
        For (state, response) the next state, so that complete lines find what they share.
    """

    scanner: Scanner
    sketch: Sketch
    symbols: tuple[str, ...] | None
    states: list[int] = field(default_factory=list)
    offset: int = 0
    is_repeated: bool = False
    child_of: dict[tuple[int, int], int] = field(default_factory=dict)


def sketch_wordle(
    scanner: Scanner, game: Game, symbols: tuple[str, ...] | None, history: History
) -> Sketch:
    """Read the guesses and answers; raise FormatError at the first that does not fit."""
    listing = _Listing(scanner, Sketch(game, scanner.locate, history), symbols)
    while scanner.at < len(scanner.text):
        end = scanner.text.find("\n", scanner.at)
        end = len(scanner.text) if end < 0 else end
        words = list(_WORD.finditer(scanner.text, scanner.at, end))
        if words:
            _read_line(listing, history, words)
        scanner.at = end + 1
    return listing.sketch


def _read_line(listing: _Listing, history: History, words: Words) -> None:
    """Read a line that is complete, or omits what it shares with the line above."""
    if not listing.states:
        _find_offset(listing, history, words)
    if _ANSWER.fullmatch(words[0].group()) and listing.states:
        _read_rest(listing, words, is_whole=False)
        return
    if listing.is_repeated:
        _check_history(listing, history, words)
        words = words[2 * len(history) :]
    if not words:
        raise listing.scanner.error("a guess must follow the history")
    guess = _read_guess(listing, words[0])
    if not listing.states:
        listing.states = [_add(listing, Sketch.NULL, Sketch.NULL, guess, words[0])]
    root = listing.states[0]
    del listing.states[1:]
    _check_guess(listing, root, guess, words[0])
    _read_rest(listing, words[1:], is_whole=True)


def _find_offset(listing: _Listing, history: History, words: Words) -> None:
    """Determine what the first answer's number counts, and whether the history is repeated."""
    number = _read_answer(listing, words[1])[1] if len(words) > 1 else 1
    if number == 1 and history and len(words) > 2 * len(history):
        pairs = zip(history, words[::2], words[1::2], strict=False)
        listing.is_repeated = all(
            (_read_guess(listing, word), _read_answer(listing, answer)[0]) == pair
            for pair, word, answer in pairs
        )
    listing.offset = len(history) if listing.is_repeated else number - 1
    if listing.offset not in (0, len(history)):
        raise listing.scanner.error(
            f"the listing begins with guess {number}, and {len(history)} guesses before it are"
            " given: give each with its answer (--history)",
            words[1].start(),
        )


def _check_history(listing: _Listing, history: History, words: Words) -> None:
    """Raise FormatError unless a line begins with the history."""
    for number, pair in enumerate(history, start=1):
        here = words[2 * number - 2 : 2 * number]
        if len(here) < 2:
            raise listing.scanner.error("the line ends within the history", words[-1].start())
        read = (_read_guess(listing, here[0]), _read_answer(listing, here[1]))
        if read != (pair[0], (pair[1], number)):
            raise listing.scanner.error("the line does not begin with the history", here[0].start())


def _read_rest(listing: _Listing, words: Words, *, is_whole: bool) -> None:
    """Read answers and the guesses after them, down to the answer that wins."""
    scanner, sketch = listing.scanner, listing.sketch
    if not words:
        raise scanner.expected("an answer such as BBYGB1 after the guess")
    for at in range(0, len(words), 2):
        response, number = _read_answer(listing, words[at])
        depth = number - listing.offset
        n_open = len(listing.states)
        if not (depth == n_open or (1 <= depth < n_open and not at and not is_whole)):
            before = n_open - 1 + listing.offset
            raise scanner.error(f"answer {number} follows {before} answers", words[at].start())
        del listing.states[depth:]
        state = listing.states[-1]
        if response == sketch.game.win:
            _end_game(listing, state, words[at:])
            return
        if at + 1 == len(words):
            raise scanner.error("a guess must follow this answer", words[at].start())
        listing.states.append(_enter(listing, state, response, words[at + 1], is_whole=is_whole))
    raise scanner.error("an answer must follow this guess", words[-1].start())


def _end_game(listing: _Listing, state: int, words: Words) -> None:
    if len(words) > 1:
        raise listing.scanner.error("the game is over, but a guess follows", words[1].start())
    if listing.sketch.wins[state]:
        raise listing.scanner.error("this game is written twice", words[0].start())
    listing.sketch.wins[state] = True


def _enter(
    listing: _Listing, parent: int, response: int, word: re.Match[str], *, is_whole: bool
) -> int:
    """Return the state after a response; a complete line may reach a known one."""
    guess = _read_guess(listing, word)
    known = listing.child_of.get((parent, response)) if is_whole else None
    if known is None:
        return _add(listing, parent, response, guess, word)
    _check_guess(listing, known, guess, word)
    return known


def _check_guess(listing: _Listing, state: int, guess: int, word: re.Match[str]) -> None:
    sketch = listing.sketch
    if sketch.guess[state] != guess:
        code = sketch.game.format_code(sketch.guess[state], listing.symbols)
        where = sketch.locate(sketch.place[state])
        raise listing.scanner.error(
            f"{word.group()} is guessed where {code} was at {where}", word.start()
        )


def _add(listing: _Listing, parent: int, response: int, guess: int, word: re.Match[str]) -> int:
    state = listing.sketch.add(parent, response, guess, word.start())
    listing.sketch.wins[state] = False
    listing.child_of[parent, response] = state
    return state


def _read_guess(listing: _Listing, word: re.Match[str]) -> int:
    parse = listing.sketch.game.parse_code
    return listing.scanner.parse(parse, word.group(), word.start(), listing.symbols)


def _read_answer(listing: _Listing, word: re.Match[str]) -> tuple[int, int]:
    """Return an answer's response and number."""
    match = _ANSWER.fullmatch(word.group())
    if match is None:
        raise listing.scanner.error(
            f"expected an answer such as BBYGB2, found {word.group()!r}", word.start()
        )
    parse = listing.sketch.game.parse_response
    return listing.scanner.parse(parse, match.group(1), word.start()), int(match.group(2))


WORDLE = Format(
    "wordle",
    style=Style(generate_wordle, "columns as alex1770's wordle prints them, position feedback"),
    reader=Reader(
        sketch_wordle,
        "Trees of alex1770/wordle.",
        "Read a tree of alex1770/wordle; -g is a codebook file.",
        ("treegen import wordle alex.txt -g hidden.txt --guesses allowed.txt -o copy.tree",),
        looks=r"\S+ [BGYbgy]+\d+( |\n)",
        is_of_words=True,
    ),
)
