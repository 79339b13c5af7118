"""The booklet: a strategy as numbered paragraphs on pages for print.

What stands where is decided here, on a grid of half lines, and not by the browser: so a paragraph
never breaks over a page, each page says which paragraphs it has, and their number is known before
anything is written. The pages are as large as both A4 and letter allow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from importlib.resources import files
from itertools import chain
from string import Template
from typing import Annotated, Unpack

import numpy as np

from .._files import Target, choose_kind, write_bytes
from .._printing import measure, wrap
from ..errors import UsageError
from ..formats.booklet import BOOKLET as TEXT
from ..formats.booklet import list_chapters, list_guesses
from ..formats.format import Option, Title, Writer, check_options, describe_writer
from ..formats.tree_file import TreeSource, read
from ..formats.view import View, ViewOptions, make_view
from ..games.rules import GROUP_MARK
from ..games.text import reads_leftward
from ..games.thresholds import word_threshold
from ..pictures.picture import choose_ink, count_pegs, list_paints, name_strategy, title_of
from ..tree.tree import Tree, describe_figures
from ..tree.walk import cut_at, find_node, follow_history, is_announced, path_of
from .html import FAMILIAR, add_policy

MAX_PAGES = 300
"""Nobody turns more."""

WIDTH, GAP = 194.0, 4.0
"""Millimeters of a page, and between its columns."""

FEWEST_ROWS, MOST_ROWS = 10, 22
"""Rows of a board of the score sheet; of the shortest, two stand below each other."""

SCORE_PEG, SCORE_MARK, SCORE_MARGIN = 7.5, 4.0, 16.0
"""Millimeters of a place for a peg and for a mark on the score sheet, and around a board."""

COLUMN = 131
"""Half lines of a column, 1.85 mm each in small type."""

LARGE = 10 / 8.5
"""How much larger is the type that is meant for hands: text of 10 pt, digits on pegs of 8."""

MOST_COLUMNS = 5

UNKNOWN_ANSWER = (
    "If you do not know an answer, follow each answer of the paragraph, one after the other: what"
    " you look for is among the results. A way ends where your answer to a later question is not"
    " listed."
)
"""What people do who cannot answer a question."""

MAX_STATES = MAX_PAGES * MOST_COLUMNS * COLUMN
"""Of more states no booklet is made: an answer takes two half lines and tells two at most."""

PEG, BIG_PEG, PIN, CHARACTER, HEAD_CHARACTER, SMALL_CHARACTER = 3.7, 4.8, 2.8, 1.75, 2.3, 1.3
"""Millimeters in small type: of a peg, one of a heading, a pin, a character, one of a heading, one
of the small print."""

MOST_PINS = 8
"""Of more pegs the pins are counted in figures."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a chapter's heading with its first paragraph, or the small print."""

    head: str  # what it begins with
    units: int  # half lines of the head
    rows: Sequence[tuple[str, int]] = ()  # its answers, each with its half lines
    number: int = 0  # of the paragraph, 0 if it is none


@dataclass(slots=True)
class PrintedPage:
    """A page: the texts of its columns, and its paragraphs."""

    columns: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)


def arrange(blocks: Iterator[Block], n_columns: int, column: int = COLUMN) -> Iterator[PrintedPage]:
    """Yield the pages; only a paragraph that is longer than a page breaks over it.

    `column` is how many half lines a column has.
    """
    sheet, left = PrintedPage(), 0
    for block in blocks:
        units = block.units + sum(rows for _, rows in block.rows)
        room = left + column * (n_columns - len(sheet.columns))
        if units > room and sheet.columns and (units > column or len(sheet.columns) == n_columns):
            yield sheet
            sheet, left = PrintedPage(), 0
        if block.number:
            sheet.numbers.append(block.number)
        head, rows = block.head, list(block.rows)
        while True:
            if not sheet.columns or left < min(units, column):
                if len(sheet.columns) == n_columns:
                    yield sheet
                    sheet = PrintedPage(numbers=[block.number])
                sheet.columns.append("")
                left = column
            taken, left = 0, left - block.units
            while taken < len(rows) and (rows[taken][1] <= left or not taken):
                left -= rows[taken][1]
                taken += 1
            body = "".join(row for row, _ in rows[:taken])
            sheet.columns[-1] += f"<section{head}{f'<dl>{body}</dl>' if body else ''}</section>\n"
            rows = rows[taken:]
            if not rows:
                break
            units, left = block.units + sum(count for _, count in rows), 0
            head = f"><h3><b>{block.number}</b> <small>continued</small></h3>"
    yield sheet


class _Booklet:
    """A view as paragraphs, rows, pins."""

    def __init__(self, view: View, title: str | None, *, small: bool) -> None:
        self.view, self.game, self.tree = view, view.game, view.tree
        self.title = name_booklet(view.tree) if title is None else title_of(view, title)
        self.scale = 1 if small else LARGE
        self.chapters = list_chapters(view)
        paragraphs = chain.from_iterable(self.chapters)
        self.numbers = {node: number for number, node in enumerate(paragraphs, start=1)}
        self.has_pegs = self.game.rules.symmetry.pegs
        self.has_tiles = self.game.notation.is_of_words
        self.is_drawn = not self.game.notation.answers_in_words
        self.symbols = self.game.notation.symbols
        self.is_leftward = self.has_tiles and reads_leftward("".join(self.symbols))
        self.paints = list_paints(self.game.n_colors) if self.has_pegs else None
        self.drawn: set[int] = set()
        widths = [self._measure_row(node) for node in view.nodes() if node != view.root]
        widths += map(self._measure_head, self.numbers)
        # Long texts wrap; of what is drawn all must fit.
        width = float(np.percentile(widths, 100 if self.is_drawn else 90))
        fitting = int((WIDTH + GAP) // (width * self.scale + GAP))
        self.n_columns = max(1 if self.is_drawn else 2, min(MOST_COLUMNS, fitting))
        self.width = ((WIDTH + GAP) / self.n_columns - GAP) / self.scale

    # What is drawn: codes and answers.

    def draw_guess(self, node: int, *, is_head: bool = False) -> str:
        """Return the guess of a state, or what it announces."""
        return self.draw_code(self.view.code(node), self.write_guess(node), is_head=is_head)

    def write_guess(self, node: int) -> str:
        """Return the guess of a state, thresholds in the words of a key, or what it announces."""
        text = self.view.guess(node)
        is_asked = self.game.notation.name_step(self.view.code(node)) == "question"
        return word_threshold(text) if is_asked and not self.view.is_leaf(node) else text

    def draw_code(self, code: int, text: str = "", *, is_head: bool = False) -> str:
        """Return a code: pegs; words in headings as tiles; others as they are written."""
        if not (self.has_pegs or (self.has_tiles and is_head)):
            return f"<bdi>{escape(text or self.view.write_code(code))}</bdi>"
        drawn = "".join(map(self._draw_peg, self.game.codes[code].tolist()))
        return f"<bdi dir=rtl>{drawn}</bdi>" if self.is_leftward else drawn

    def _draw_peg(self, color: int) -> str:
        paint = f" class=c{color}" if self.paints else ""
        return f"<i{paint}>{escape(self.symbols[color])}</i>"

    def draw_answer(self, response: int, guess: int) -> str:
        """Return an answer as pins or tiles, or in its words."""
        if not self.is_drawn:
            return f"<bdi>{escape(self.view.written(response, guess))}</bdi>"
        self.drawn.add(response)
        width = self._measure_answer(response) * self.scale
        return f'<svg width="{width:.5g}mm"><use href="#r{response}"/></svg>'

    def _draw_sprite(self, response: int) -> str:
        feedback, n_pegs = self.game.feedback, self.game.n_pegs
        name = escape(feedback.format(response))
        if self.game.notation.has_tiles:
            marks = [_TILES[int(mark)] for mark in feedback.format(response)]
            marks = marks[::-1] if self.is_leftward else marks
        else:
            black, white = count_pegs(self.game, response)
            marks = [_BLACK] * black + [_WHITE] * white + [_HOLE] * (n_pegs - black - white)
            if n_pegs > MOST_PINS:
                marks = [_count(black), _BLACK, _count(white), _WHITE]
        shapes = "".join(
            f'<g transform="translate({10 * at})">{mark}</g>' for at, mark in enumerate(marks)
        )
        view = f"0 0 {10 * len(marks)} 10"
        return f'<symbol id="r{response}" viewBox="{view}"><title>{name}</title>{shapes}</symbol>'

    # How wide it is, in millimeters of small type.

    def _measure_answer(self, response: int, guess: int = 0) -> float:
        if self.is_drawn:
            are_all = self.game.notation.has_tiles or self.game.n_pegs <= MOST_PINS
            return PIN * (self.game.n_pegs if are_all else 4)
        return measure(self.view.written(response, guess)) * CHARACTER

    def _measure_guess(self, node: int) -> float:
        text = self.write_guess(node)
        longest = max(map(measure, self.symbols), default=1) if self.has_pegs else 0
        if longest == 1:
            return PEG * self.game.n_pegs
        return measure(text) * CHARACTER + (2 * self.game.n_pegs if self.has_pegs else 0)

    def _measure_row(self, node: int) -> float:
        reply = self.view.response_index(node)
        before = self.tree.guess[self.tree.parent[node]]
        nodes = list_guesses(self.view, node)
        target = sum(map(self._measure_guess, nodes)) + (6.8 if self.scale == 1 else 8.2)
        return self._measure_answer(reply, int(before)) + 3.5 + (target if nodes else 14)

    def _measure_head(self, node: int) -> float:
        if not (self.has_pegs or self.has_tiles):
            return 11 + measure(self.write_guess(node)) * HEAD_CHARACTER / 2
        longest = max(map(measure, self.symbols))
        return 11 + self.game.n_pegs * max(BIG_PEG, (longest - 1) * 2.2 + BIG_PEG)

    def _count_lines(self, text: str, width: float, character: float = CHARACTER) -> int:
        return max(1, len(wrap(text, max(4, int(width / character)))))

    # Paragraphs.

    def list_blocks(self) -> Iterator[Block]:
        """Yield the paragraphs in their order, then the small print."""
        for chapter in self.chapters:
            for node in chapter:
                first, title = self.view.root, ""
                if node == chapter[0] != self.view.root:
                    guess = self.view.code(first)
                    answer = self.draw_answer(self.view.response_index(node), guess)
                    title = f"<h2>After {self.draw_guess(first)} {answer}</h2>"
                yield self._make_block(node, title)
        small = self.list_small_print()
        lines = sum(self._count_lines(text, self.width, SMALL_CHARACTER) for text in small)
        text = "<br>".join(map(escape, small))
        yield Block(f'><p class="print">{text}</p>', (3 * lines + 7) // 2)

    def _make_block(self, node: int, chapter: str) -> Block:
        view, number = self.view, self.numbers[node]
        head = f"<h3><b>{number}</b> <span>{self.draw_guess(node, is_head=True)}</span></h3>"
        if view.is_leaf(node):
            head = f"<h3><b>{number}</b> <span>it is {self.draw_guess(node)}</span></h3>"
        if view.is_cut(node):
            head += f"<p>{self._describe_cut(node)}</p>"
        units = 4 + 4 * bool(chapter) + 2 * view.is_cut(node)
        if not (self.has_pegs or self.has_tiles):
            lines = self._count_lines(self.write_guess(node), self.width - 10, HEAD_CHARACTER)
            units += 3 * (lines - 1)
            if chapter:
                text = f"After {self.write_guess(view.root)} {view.response(node)}"
                units += 3 * (self._count_lines(text, self.width, HEAD_CHARACTER) - 1)
        rows = [self._make_row(node, child) for child in view.children(node)]
        return Block(f' id="p{number}">{chapter}{head}', units, rows, number)

    def _make_row(self, node: int, child: int) -> tuple[str, int]:
        view = self.view
        reply, guess = view.response_index(child), view.code(node)
        nodes = list_guesses(view, child)
        if child in self.numbers:
            number = self.numbers[child]
            text = f"go to {number}"
            target = f'<small>go to</small> <a href="#p{number}">{number}</a>'
        elif view.is_cut(child):
            text = f"{view.guess(child)}, then {self._describe_cut(child)}"
            shown = self.draw_guess(child)
            target = f"{shown}<small>, then {self._describe_cut(child)}</small>"
        elif len(nodes) == 2:
            text = f"{view.guess(nodes[0])}, else {view.guess(nodes[1])}"
            first, second = map(self.draw_guess, nodes)
            target = f"{first}<small>, else </small>{second}"
        else:
            text = f"it is {view.guess(nodes[0])}"
            target = f"<small>it is </small>{self.draw_guess(nodes[0])}"
        row = f"<dt>{self.draw_answer(reply, guess)}<dd>{target}"
        if self.is_drawn and not view.is_cut(child):
            return row, 2
        half = (self.width - 3.5) / 2
        room = 2 * half - min(half, self._measure_answer(reply, guess))
        answer = 1 if self.is_drawn else self._count_lines(view.written(reply, guess), half)
        return row, 2 * max(answer, self._count_lines(text, room))

    def _describe_cut(self, node: int) -> str:
        left = self.view.stub(node).n_candidates
        return f"{left:,} left, not in this booklet"

    # The first page and the last lines.

    def write_first(self) -> str:
        """Return what the first page says: title, promise, use, a game, the rules."""
        parts = [
            f"<h1>{escape(self.title)}</h1>",
            f'<p class="promise">{self._write_promise()}</p>',
        ]
        if self.view.history:
            rows = "".join(
                f"<tr><td>{self.draw_code(guess, is_head=True)}<td>{self.draw_answer(reply, guess)}"
                for guess, reply in self.view.history
            )
            parts.append(f"<h2>The game so far</h2><table>{rows}</table>")
        uses = "".join(f"<li>{sentence}" for sentence in self._list_uses())
        parts.append(f"<h2>How to use it</h2><ol>{uses}</ol>")
        parts.append(f"<h2>An example</h2><table>{self._write_example()}</table>")
        parts.append(f'<h2>The rules</h2><div class="rules">{self._write_rules()}</div>')
        return "\n".join(parts)

    def _write_promise(self) -> str:
        tree = self.tree
        word = "questions" if self.game.notation.step == "question" else "guesses"
        if self.game.rules.given_costs is not None:
            word = "of cost"
        heavy = "" if self.game.rules.weights is None else ", by weight,"
        noun = self.game.notation.noun
        text = (
            f"Never more than {tree.worst} {word}, {tree.average:.2f} on average{heavy}"
            f" over the {tree.n_secrets:,} {noun}s."
        )
        if self.view.is_cut_anywhere:
            text += f" This booklet holds guesses 1 to {self.view.depth}."
        return text

    def _list_uses(self) -> list[str]:
        right = self.draw_answer(self.game.win, 0) if self.is_drawn else "“right”"
        done = f"After {right} you have found it"
        if not self.game.goal.last_step:
            done = "When one candidate is left you have found it"
        if self.game.rules.announces_several:
            done = "You have found it where “it is” stands"
        return [
            f"{self.game.notation.instruction} that stands at paragraph 1.",
            "Below it, look for the answer that you get: what stands beside it comes next.",
            "“go to 17” sends you to paragraph 17; the head of each page says which paragraphs it"
            " has.",
            *self._explain_end(),
            *[UNKNOWN_ANSWER] * (self.game.rules.n_questions > 0),
            f"{done}; an answer that is not listed cannot be given, so one of the answers was"
            " wrong: check them from the first on.",
        ]

    def _explain_end(self) -> Iterator[str]:
        """Yield what the words mean that end a game, if the booklet has any."""
        view, game = self.view, self.game
        leaves = [node for node in view.nodes() if view.is_leaf(node)]
        if not game.rules.announces_several:
            first, second = map(self.draw_code, (0, min(1, game.n_secrets - 1)))
            has_pairs = any(len(list_guesses(view, node)) == 2 for node in view.nodes())
            pair = f"; of “{first}, else {second}” try the first, then the second" * has_pairs
            yield f"“it is {first}” means that nothing else is left{pair}."
            guessed = (
                node
                for node in view.nodes()
                if game.rules.n_questions and view.code(node) < game.n_secrets
            )
            alike = next((node for node in guessed if GROUP_MARK in view.guess(node)), None)
            if alike is not None:
                yield f"“{self.draw_guess(alike)}” is one of these: no question tells which."
            return
        several = [node for node in leaves if GROUP_MARK in view.guess(node)]
        one = [node for node in leaves if node not in several]
        if one:
            yield f"“it is {self.draw_guess(one[0])}” means that nothing else is left."
        if several:
            yield (
                f"“it is {self.draw_guess(several[0])}” means that it is one of these: no question"
                " tells them apart for certain."
            )

    def _choose_example(self) -> int:
        """Return a state in which a game ends that is about as long as the average.

        It is that of the middle one of these secrets.
        """
        tree = self.tree
        nodes = np.flatnonzero(tree.is_winning)
        away = np.abs(tree.lengths[nodes] - tree.average)
        usual = nodes[away == away.min()]
        alone = [node for node in usual.tolist() if GROUP_MARK not in self.view.guess(node)]
        usual = np.array(alone) if alone else usual
        return int(usual[np.argsort(tree.guess[usual], kind="stable")[len(usual) // 2]])

    def _write_example(self) -> str:
        """Return one game as the booklet leads through it, a row for each guess."""
        view, game = self.view, self.game
        last = self._choose_example()
        way = path_of(self.tree, last)
        nodes = [find_node(self.tree, way[:step]) for step in range(len(way) + 1)]
        rows = f"<tr><td class=step>Say it is<td>{self.draw_guess(last, is_head=True)}"
        for step, node in enumerate(nodes):
            where = f"paragraph {self.numbers[node]}" if node in self.numbers else "then"
            if is_announced(self.tree, node):
                return f"{rows}<tr><td><td>found: {self.draw_guess(node)}"
            reply = game.win if step + 1 == len(nodes) else view.response_index(nodes[step + 1])
            answer = self.draw_answer(reply, view.code(node))
            rows += (
                f"<tr><td class=step>{where}<td>{self.draw_guess(node, is_head=True)}<td>{answer}"
            )
            if reply == game.win:
                return f"{rows}<td>found"
            if view.is_cut(node):
                return f"{rows}<td>not in this booklet"
            following = self._make_row(node, nodes[step + 1])[0].partition("<dd>")[2]
            rows += f"<td>{following}"
        return rows

    def _write_rules(self) -> str:
        game = self.game
        marks = self.list_marks()
        if not marks:
            return f"<p>{game.notation.aim}</p>"
        legend = "".join(f"<tr><td>{mark}<td>{meaning}" for mark, meaning in marks)
        colors = ""
        if self.has_pegs:
            pegs = "".join(map(self._draw_peg, range(game.n_colors)))
            colors = f"<p>The colors: {pegs}</p>"
        return (
            f"<p>{game.notation.aim} Each guess is answered so:</p><table>{legend}</table>{colors}"
        )

    def list_marks(self) -> list[tuple[str, str]]:
        """Return the marks of which answers consist, with what they mean."""
        part = "letter" if self.has_tiles else "color"
        right, other = f"right {part}, right place", f"right {part}, other place"
        known = {
            "pegs": ((_BLACK, right), (_WHITE, other)),
            "black": ((_BLACK, right),),
            "position": (
                (_TILES[2], right),
                (_TILES[1], other),
                (_TILES[0], f"no such {part}, or no further one"),
            ),
        }
        box = '<svg width="3mm" viewBox="0 0 10 10">{}</svg>'
        return [(box.format(mark), text) for mark, text in known.get(self.game.rule, ())]

    def _write_score_sheet(self) -> str:
        """Return empty boards: a place for each peg, and for its mark; empty if they do not fit."""
        n_pegs, n_rows = self.game.n_pegs, min(max(self.tree.worst, FEWEST_ROWS), MOST_ROWS)
        marks = "" if self.has_tiles else f"<td>{'<u></u>' * n_pegs}"  # a letter's place is marked
        wide = n_pegs * (SCORE_PEG + (SCORE_MARK if marks else 0)) + SCORE_MARGIN
        if not self.is_drawn or self.scale == 1 or wide > WIDTH:
            return ""
        row = f"<td>{'<i></i>' * n_pegs}{marks}"
        rows = "".join(f"<tr><th>{number}{row}" for number in range(1, n_rows + 1))
        board = f"<table><caption>name:</caption>{rows}</table>"
        n_boards = int(WIDTH / wide) * (1 + (n_rows == FEWEST_ROWS))
        return f'<div class="scores">{board * n_boards}</div>\n'

    def list_small_print(self) -> list[str]:
        """Return what the last page says of the tree."""
        tree = self.tree
        source = tree.provenance
        return [
            f"Game: {tree.game.rules.digest_name}",
            f"Strategy: {source.strategy}{f' ({source.rule})' if source.rule else ''}",
            " · ".join(describe_figures(tree)),
            f"Digest of the tree: {tree.digest}",
            "Made by treegen",
        ]

    def write(self) -> str:
        """Return the whole file."""
        sheets = list(arrange(self.list_blocks(), self.n_columns, int(COLUMN / self.scale)))
        score_sheet = self._write_score_sheet()
        n_pages = len(sheets) + 1 + bool(score_sheet)
        if n_pages > MAX_PAGES:
            raise _refuse(f"{n_pages:,} pages, more than {MAX_PAGES}")
        marks = self.list_marks()
        if self.is_drawn:
            marks.append((self.draw_answer(self.game.win, 0), "found"))
        legend = " &nbsp; ".join(f"{mark} {text}" for mark, text in marks)
        missing = "answer not listed? one of them was wrong: check them"

        def write_sheet(mark: str, body: str, *notes: str) -> str:
            foot = "".join(f"<span>{note}</span>" for note in (legend, *notes))
            return (
                f'<div class="sheet"><header><span>{escape(self.title)}</span><b>{mark}</b>'
                f"</header>\n{body}<footer>{foot}</footer></div>\n"
            )

        pages = f'<main class="sheet first">{self.write_first()}</main>\n'
        for number, sheet in enumerate(sheets, start=2):
            ends = dict.fromkeys([*sheet.numbers[:1], *sheet.numbers[-1:]])
            numbers = " – ".join(map(str, ends))
            columns = "".join(f"<div>{column}</div>" for column in sheet.columns)
            body = f'<div class="columns">{columns}</div>\n'
            pages += write_sheet(numbers, body, missing, f"page {number} of {n_pages}")
        if score_sheet:
            pages += write_sheet("score sheet", score_sheet, f"page {n_pages} of {n_pages}")
        kinds = ["tiles"] * self.has_tiles + ["large"] * (self.scale > 1)
        paints = "\n".join(
            f".c{color} {{ background: {paint}; color: {choose_ink(paint)}; }}"
            for color, paint in enumerate(self.paints or ())
        )
        template = files(__package__).joinpath("assets/booklet.html").read_text(encoding="utf-8")
        page = Template(_enlarge(template, self.scale)).substitute(
            title=escape(self.title),
            columns=self.n_columns,
            answers="auto" if self.is_drawn else "fit-content(50%)",
            paints=paints,
            kind=f' class="{" ".join(kinds)}"' if kinds else "",
            sprites="".join(map(self._draw_sprite, sorted(self.drawn))),
            sheets=pages,
        )
        return add_policy(page)


def _enlarge(template: str, scale: float) -> str:
    """Return the template with the lengths of what stands in its columns in a larger type."""
    first, style, rest = re.split(r"/\*.*\*/\n", template)

    def enlarge(length: re.Match[str]) -> str:
        return f"{float(length[1]) * scale:.5g}{length[2]}"

    return first + (style if scale == 1 else re.sub(r"(\d*\.?\d+)(mm|pt)", enlarge, style)) + rest


def name_booklet(tree: Tree) -> str:
    """Return a title as people say it: "Mastermind, 4 pegs, 6 colors: Knuth's strategy"."""
    game, strategy = tree.game, name_strategy(tree)
    name = FAMILIAR.get(game.name)
    what = f"{name}, {game.n_pegs} pegs, {game.n_colors} colors" if name else game.notation.title
    how = "Knuth's strategy" if strategy == "knuth" else f"strategy {strategy}"
    return f"{what}: {how}"


_BLACK = '<circle cx="5" cy="5" r="4" fill="#111"/>'
_WHITE = '<circle cx="5" cy="5" r="3.5" fill="#fff" stroke="#111"/>'
_HOLE = '<circle cx="5" cy="5" r=".9" fill="#999"/>'
_FRAME = '<rect x=".6" y=".6" width="8.8" height="8.8" fill="{}" stroke="#333" stroke-width=".8"/>'
_TILES = (
    _FRAME.format("#fff"),
    _FRAME.format("#f0d060") + '<circle cx="5" cy="5" r="2" fill="none" stroke="#111"/>',
    _FRAME.format("#1e7a3c") + '<circle cx="5" cy="5" r="2" fill="#fff"/>',
)
"""Marks of an answer, also told apart without color: absent, elsewhere, in place."""


def _count(number: int) -> str:
    return f'<text x="8" y="8.6" font-size="9.5" text-anchor="end">{number}</text>'


def _refuse(pages: str) -> UsageError:
    """Return the error of a booklet that is too long."""
    return UsageError(
        f"the booklet would have {pages}: give a depth (`depth=N`), and it ends with guess N, or"
        " try small type (`small`)"
    )


@describe_writer
def write_booklet(
    tree: TreeSource,
    file: Target,
    *,
    title: Title = None,
    small: Annotated[bool, Option("Small type, for fewer pages: 8.5 pt instead of 10.")] = False,
    **options: Unpack[ViewOptions],
) -> None:
    """Write a strategy as a booklet that people follow: numbered paragraphs, on pages for print.

    One HTML file, for A4 and letter, in color and without. It has 300 pages at most: with more,
    the UsageError asks for a depth.

    {parameters}

    {errors}

    See Also
    --------
    write_text : Its style ``"booklet"`` has the same paragraphs as text.

    Examples
    --------
    >>> import io, treegen
    >>> file = io.BytesIO()
    >>> treegen.write_booklet(treegen.build("p2c3r"), file)
    >>> b"Never more than 4 guesses, 2.67 on average" in file.getvalue()
    True
    """
    check_options(write_booklet, title=title, small=small, **options)
    if not hasattr(file, "write"):
        choose_kind(file, ["html"])
    found = read(tree)
    node = follow_history(found, options.pop("path", None) or "")
    view = make_view(cut_at(found, node) if node else found, **options)
    if view.depth is None and view.n_states > MAX_STATES:
        raise _refuse(f"more than {MAX_PAGES} pages")
    write_bytes(file, _Booklet(view, title, small=small).write().encode())


BOOKLET = replace(
    TEXT,
    writer=Writer(
        write_booklet,
        "Numbered paragraphs for pencil and paper.",
        "Write the tree in FILE as a booklet that people follow with pencil and paper: HTML, made"
        " for print.",
        examples=("treegen export booklet knuth.tree -o knuth.html",),
        kinds=("html",),
    ),
)
