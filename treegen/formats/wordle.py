"""Text as alex1770's wordle prints a tree: guesses and colored answers in columns.

docs/foreign-formats.md describes it. Answers are sorted as in the program, B before G before Y. A
line omits the answers that it shares with the line above (the program's hollow style); complete
lines, its full style, are read, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import UsageError
from .format import Format, Reader, Style
from .sketch import Sketch
from .view import View, describe_stub

_LETTERS = str.maketrans("012", "BYG")

Branch = tuple[str, int | None]
"""An answer as written, and the state after it; None if the game is won."""


def generate_wordle(view: View) -> Iterator[str]:
    """Yield a line for each game of the shown states, and for each state that is cut.

    Raises UsageError if the game does not use position feedback.
    """
    if not view.game.notation.has_tiles:
        raise UsageError(
            f"the style wordle writes position feedback; {view.game.notation.title} has other"
            " feedback"
        )
    line = "".join(
        f"{view.write_code(guess)} {view.written(response).translate(_LETTERS)}{number} "
        for number, (guess, response) in enumerate(view.history, start=1)
    )
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


class _Listing:
    """The listing that is read.

    `states` are those after 0, 1, 2 … answers on the current line. `offset` guesses are counted
    before the first state; `is_repeated` says that lines begin with them.
    """

    def __init__(self, sketch: Sketch) -> None:
        self.sketch, self.scanner = sketch, sketch.scanner
        self.states: list[int] = []
        self.offset, self.is_repeated = 0, False

    def read(self) -> Sketch:
        """Read all lines; raise FormatError at the first that does not fit."""
        for words in self.scanner.match_lines(_WORD):
            if words:
                self._read_line(words)
        return self.sketch

    def _read_line(self, words: Words) -> None:
        """Read a line that is complete, or omits what it shares with the line above."""
        if not self.states:
            self._find_offset(words)
        if _ANSWER.fullmatch(words[0].group()) and self.states:
            self._read_rest(words, is_whole=False)
            return
        if self.is_repeated:
            self._check_history(words)
            words = words[2 * len(self.sketch.history) :]
        if not words:
            raise self.scanner.error("a guess must follow the history")
        self.states = [self._enter(Sketch.NULL, Sketch.NULL, words[0], is_whole=True)]
        self._read_rest(words[1:], is_whole=True)

    def _find_offset(self, words: Words) -> None:
        """Determine what the first answer's number counts, and whether the history is repeated."""
        history = self.sketch.history
        number = self._read_answer(words[1])[1] if len(words) > 1 else 1
        if number == 1 and history and len(words) > 2 * len(history):
            pairs = zip(history, words[::2], words[1::2], strict=False)
            self.is_repeated = all(
                (self._read_guess(word), self._read_answer(answer)[0]) == pair
                for pair, word, answer in pairs
            )
        self.offset = len(history) if self.is_repeated else number - 1
        if self.offset not in (0, len(history)):
            raise self.scanner.error(
                f"the listing begins with guess {number}, and {len(history)} guesses before it are"
                " given: give each with its answer (`history`)",
                words[1].start(),
            )

    def _check_history(self, words: Words) -> None:
        """Raise FormatError unless a line begins with the history."""
        for number, pair in enumerate(self.sketch.history, start=1):
            here = words[2 * number - 2 : 2 * number]
            if len(here) < 2:
                raise self.scanner.error("the line ends within the history", words[-1].start())
            if (self._read_guess(here[0]), self._read_answer(here[1])) != (
                pair[0],
                (pair[1], number),
            ):
                message = "the line does not begin with the history"
                raise self.scanner.error(message, here[0].start())

    def _read_rest(self, words: Words, *, is_whole: bool) -> None:
        """Read answers and the guesses after them, down to the answer that wins."""
        if not words:
            raise self.scanner.expected("an answer such as BBYGB1 after the guess")
        for at in range(0, len(words), 2):
            place = words[at].start()
            response, number = self._read_answer(words[at])
            depth, n_open = number - self.offset, len(self.states)
            if not (depth == n_open or (1 <= depth < n_open and not at and not is_whole)):
                before = n_open - 1 + self.offset
                raise self.scanner.error(f"answer {number} follows {before} answers", place)
            del self.states[depth:]
            state = self.states[-1]
            if response == self.sketch.game.win:
                if at + 1 < len(words):
                    message = "the game is over, but a guess follows"
                    raise self.scanner.error(message, words[at + 1].start())
                if self.sketch.wins[state]:
                    raise self.scanner.error("this game is written twice", place)
                self.sketch.wins[state] = True
                return
            if at + 1 == len(words):
                raise self.scanner.error("a guess must follow this answer", place)
            self.states.append(self._enter(state, response, words[at + 1], is_whole=is_whole))
        raise self.scanner.error("an answer must follow this guess", words[-1].start())

    def _enter(self, parent: int, response: int, word: re.Match[str], *, is_whole: bool) -> int:
        """Return the state after a response; a complete line may reach a known one."""
        guess, place = self._read_guess(word), word.start()
        state = self.sketch.enter(parent, response, guess, place, is_new=not is_whole)
        self.sketch.wins.setdefault(state, False)
        return state

    def _read_guess(self, word: re.Match[str]) -> int:
        return self.sketch.parse_code(word.group(), word.start())

    def _read_answer(self, word: re.Match[str]) -> tuple[int, int]:
        """Return an answer's response and number."""
        match = _ANSWER.fullmatch(word.group())
        if match is None:
            raise self.scanner.error(
                f"expected an answer such as BBYGB2, found {word.group()!r:.80}", word.start()
            )
        return self.sketch.parse_response(match.group(1), word.start()), int(match.group(2))


WORDLE = Format(
    "wordle",
    style=Style(generate_wordle, "columns as alex1770's wordle prints them, position feedback"),
    reader=Reader(
        lambda sketch: _Listing(sketch).read(),
        "Trees of alex1770/wordle.",
        "Read a tree of alex1770/wordle; -g is a codebook file.",
        ("treegen import wordle alex.txt -g hidden.txt --guesses allowed.txt -o copy.tree",),
        looks=r"\S+ [BGYbgy]+\d+( |\n)",
        is_of_words=True,
    ),
)
