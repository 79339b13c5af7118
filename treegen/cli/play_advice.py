"""``treegen play --top --candidates``: advice in the middle of a game, without a tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from .build import make_strategy
from .entrants import is_tree_file
from .explain import write_cells
from .options import open_game, parse_history
from .output import load, print_json
from .table import Column, print_paragraph, print_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..analysis import Advice
    from ..games import Game
    from ..strategies import Strategy
    from ..tree import History


def print_advice(
    source: str,
    feedback: str | None,
    guesses: str | None,
    *,
    strategy: str | None,
    eligible: str | None,
    seed: int | None,
    history: str | None,
    top: int,
    lists_candidates: bool,
    symbols: str | None,
    as_json: bool,
) -> None:
    """Print the best guesses, the candidates, or both."""
    from ..analysis import advise
    from ..games import parse_symbols

    game, rule, past = _open(source, feedback, guesses, strategy, eligible, seed)
    advice = advise(game, rule, history=(*past, *parse_history(history, game)), n_top=top)
    names = parse_symbols(symbols, game.n_colors) if symbols else game.symbols
    if as_json:
        print_json(advice.to_dict())
        return
    if top:
        print_guesses(advice, names)
    if lists_candidates:
        print_candidates(game, advice.candidates, names)


def _open(
    source: str,
    feedback: str | None,
    guesses: str | None,
    strategy: str | None,
    eligible: str | None,
    seed: int | None,
) -> tuple[Game, Strategy, History]:
    """Return the game of a file or a name, the rule that ranks, and the history of the file."""
    from ..analysis import choose_rule, keep_rule_of_play
    from ..errors import UsageError
    from ..strategies import change_strategy, is_search

    if strategy is not None and is_search(strategy):
        raise UsageError(f"--top ranks by a rule, such as entropy; {strategy} has none")
    if source == "-" or is_tree_file(source):
        if (feedback, guesses) != (None, None):
            raise UsageError(f"--feedback and --guesses belong to a game; {source!r} is a tree")
        tree = load(source).tree
        if strategy is None:
            rule = choose_rule(tree)
        else:
            rule = keep_rule_of_play(tree, make_strategy(tree.game, strategy))
        rule = change_strategy(rule, eligible=eligible)
        return tree.game, rule, tree.provenance.history
    game = open_game(source, feedback, guesses)
    return game, make_strategy(game, strategy or "knuth", eligible=eligible, seed=seed), ()


def print_guesses(advice: Advice, symbols: Sequence[str]) -> None:
    """Print the best guesses, and by which rule they are ranked."""
    game, n = advice.game, len(advice.candidates)
    left = "1 candidate" if n == 1 else f"{n:,} candidates"
    print_paragraph("", f"{left}; the best guesses by {advice.strategy}: {advice.rule}")
    columns = [
        Column("rank"),
        Column("guess", is_text=True),
        Column("possible", is_text=True),
        *(Column(name) for name in (advice.guesses[0].figures if advice.guesses else ())),
        Column("left", 1),
        Column("cells", 2, is_text=True),
    ]
    rows = [
        [
            str(rank),
            game.format_code(row.guess, symbols),
            "yes" if row.is_candidate else "no",
            *row.figures.values(),
            f"{row.expected:.2f}",
            write_cells(row.sizes),
        ]
        for rank, row in enumerate(advice.guesses, start=1)
    ]
    print_table(columns, rows)


def print_candidates(game: Game, candidates: NDArray[np.int32], symbols: Sequence[str]) -> None:
    """Print the codes that are still possible."""
    for line in _lay_out([game.format_code(code, symbols) for code in candidates.tolist()]):
        click.echo(line)


def _lay_out(codes: list[str], width: int = 79) -> list[str]:
    """Return codes in lines."""
    per_line = max(1, (width + 1) // (len(codes[0]) + 1))
    return [" ".join(codes[at : at + per_line]) for at in range(0, len(codes), per_line)]
