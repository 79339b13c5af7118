"""What `build_tree` refuses, where no user can ask for it: its callers check what users give."""

import pytest

from treegen import UsageError, make_chain, open_game
from treegen.builder.grow import build_tree

from ..small_tables import draw_table


@pytest.mark.parametrize(
    "history", [((-1, 0),), ((81, 0),), ((0, -1),), ((0, 99),)], ids=["low", "high", "neg", "big"]
)
def test_histories_out_of_range_are_refused(history):
    with pytest.raises(UsageError):
        build_tree(open_game("p4c3r"), make_chain("max"), history=history)


def test_a_question_that_is_asked_again_is_refused():
    tables = (pair for pair in map(draw_table, range(99)) if pair[0].rules.shares is not None)
    for game, plain in tables:
        for question in plain.questions:
            for answer, left in plain.ask(plain.root, question).items():
                if plain.count_separable(left):
                    code, rule = game.n_secrets + question, make_chain("expected-left")
                    with pytest.raises(UsageError, match="excludes a candidate"):
                        build_tree(game, rule, history=((code, answer),), first=[code])
                    return
    raise AssertionError("no table of these goes on after a question")
