"""Text that reads as an identification key, for tables of answers.

*indented* has one line a question: ``1 Feathers? no → 2, yes → 5``. *key* is the layout that
biologists print: a line for each answer, leaders of dots, and behind the number of a couplet that
of the couplet it is reached from::

    1     Feathers? no ......................................... 2
    -     Feathers? yes ...................................... duck
    2(1)  Legs: 4 ............................................. dog
"""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import UsageError
from ..games import ARROW, Questions, quote, quote_name, write_question
from .text_header import describe_stub, generate_header
from .view import View

INDENT = "  "
WIDTH = 78


def generate_outline(view: View) -> Iterator[str]:
    """Yield the header and a line for each question."""
    yield from generate_header(view, "indented")
    game, numbers = _questions_of(view), _number_questions(view)
    if not numbers:
        yield f"1{ARROW}{quote_name(view.guess(view.root))}"
    for node in view.nodes():
        if node not in numbers:
            continue
        asked = write_question(game, view.code_index(node))
        answers = ", ".join(
            f"{quote(view.response(child))}{ARROW}{_target(view, child, numbers)}"
            for child in view.children(node)
        )
        cut = describe_stub(view.stub(node)) if view.is_cut(node) else ""
        yield f"{INDENT * (view.level(node) - 1)}{numbers[node]} {asked}{answers}{cut}"


def generate_key(view: View) -> Iterator[str]:
    """Yield the header and a line for each answer.

    Raises
    ------
    UsageError
        The game is no table of answers.
    """
    game = _questions_of(view)
    yield from generate_header(view, "key")
    numbers = _number_questions(view)
    if not numbers:
        yield f"1  {'.' * 10} {quote_name(view.guess(view.root))}"
    parent_of = {child: node for node in numbers for child in view.children(node)}
    tags = {node: _tag(numbers, node, parent_of.get(node)) for node in numbers}
    room = max(map(len, tags.values()), default=0) + 2
    for node in view.nodes():
        if node not in numbers:
            continue
        asked, tag = write_question(game, view.code_index(node)), tags[node]
        for child in view.children(node):
            lead = f"{tag:<{room}}{asked}{quote(view.response(child))} "
            target = f" {_target(view, child, numbers)}"
            yield f"{lead}{'.' * max(3, WIDTH - len(lead) - len(target))}{target}"
            tag = "-"
        if view.is_cut(node):
            yield f"{tag:<{room}}{asked}{describe_stub(view.stub(node))}"


def _questions_of(view: View) -> Questions:
    if not isinstance(view.game, Questions):
        raise UsageError(f"the style key is for tables of answers, not for {view.game.name}")
    return view.game


def _number_questions(view: View) -> dict[int, int]:
    """Return the number of each state that is shown and asks something."""
    asking = (node for node in view.nodes() if not view.is_leaf(node))
    return {node: number for number, node in enumerate(asking, start=1)}


def _tag(numbers: dict[int, int], node: int, parent: int | None) -> str:
    return f"{numbers[node]}({numbers[parent]})" if parent is not None else str(numbers[node])


def _target(view: View, child: int, numbers: dict[int, int]) -> str:
    """Return where an answer leads: a number, or a name."""
    return str(numbers[child]) if child in numbers else quote_name(view.guess(child))
