"""What small functions inside return that others build on: an example each."""

import numpy as np
import pytest

from treegen import Codebook, Questions, UsageError, build, make_chain, open_game
from treegen._printing import generate_rows
from treegen.analysis.advice import lay_out
from treegen.analysis.diff import list_renamings, match_guesses
from treegen.analysis.evaluation import MANY_CELLS, describe_value, write_cells
from treegen.games.answer_table import sort_answers
from treegen.games.codebook import list_words
from treegen.games.histories import parse_codes, parse_pair
from treegen.games.notation import read_pairs, write_symbols
from treegen.games.pegs import count_arrangements, default_letters, make_peg_game
from treegen.games.ready import list_tables
from treegen.games.rules import list_numbers, parse_goal, read_number, split_goal, write_count
from treegen.games.text import Names, has_plain_letters, read_json_list
from treegen.games.word_files import find_two_cases, iter_entries
from treegen.strategies.named import _SEARCH, name_search, resolve_alias
from treegen.strategies.strategy import (
    change_strategy,
    join_names,
    parse_criterion,
    parse_rule,
    split_names,
    take_strategy,
)
from treegen.tasks.background import DaemonExecutor, run_together, yield_ended
from treegen.tasks.cluster import describe_difference
from treegen.tasks.run import keep_in_process
from treegen.tree.tree import iter_lengths, list_columns, sum_path_costs, tally
from treegen.tree.walk import find_after

P4C6R = open_game("p4c6r")
ANIMALS = Questions([["no", 2], ["yes", 4]], ["dog", "duck"], ["Wings?", "Legs"])


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (parse_goal("identify").value, "identify"),
        (split_goal(["pegs", 4, 6, 1, "pegs", "goal identify"])[0], ["pegs", 4, 6, 1, "pegs"]),
        (write_symbols(["a", "b"]), "a,b"),
        (write_symbols(["red", "one, two"]), '["red", "one, two"]'),
        (write_count(1296), "1,296"),
        (write_count(500**500), "about 10^1349"),
        (
            Codebook(["ab"], feedback="position").notation.name_file("words", "more"),
            "words-more-position",
        ),
        (list_words(word for word in ("crane", "slate")), ["crane", "slate"]),
        (parse_pair("1122:02", P4C6R.notation), (7, 2)),
        (parse_codes("1122, 1123", P4C6R.notation), (7, 8)),
        (read_json_list(' ["a/b", "c"]'), ["a/b", "c"]),
        (read_json_list("[a/b]"), None),
        (count_arrangements([2, 1, 1]), 12),
        (default_letters(make_peg_game(2, 3)), ("a", "b", "c")),
        (sort_answers({"10", "9"}), ["9", "10"]),
        (sort_answers({"yes", "no"}), ["no", "yes"]),
        (
            [ANIMALS.notation.write_step(code) for code in (2, 3, 0)],
            ["Wings?", "Legs:", "Is it dog?"],
        ),
        (len(list(list_tables())), 511),
        (read_number("1e3"), 1000),
        (list_numbers(range(1, 4), "weights"), [1, 2, 3]),
        ([has_plain_letters(text) for text in ("naïve", "❤️")], [True, False]),
        (Names(["sıra", "sira", "kıra"]).find_all("SIRA"), [0, 1]),
        (list(iter_entries("# of 2026\nant\n\n bee \n")), [(2, "ant"), (4, "bee")]),
        ([find_two_cases(words) for words in (["crane", "Crate"], ["CRANE", "CRATE"])], ["c", ""]),
        ([resolve_alias(name) for name in ("minimax", "entropy")], ["knuth", "entropy"]),
        (split_names("salet|crate"), ("salet", "crate")),
        (split_names(join_names(["a | b; c=d"])), ("a | b; c=d",)),
        (split_names(""), ()),
        (take_strategy(max).name, "own:max,lowest"),
        (take_strategy(max).name, "own:max,lowest"),
        (lay_out(["1122", "1344", "3135"], 9), ["1122 1344", "3135"]),
        (lay_out(["1122", "1344", "3135"], 8), ["1122", "1344", "3135"]),
        (describe_value(parse_criterion("expected"), [45], 9), "5.0000"),
        (describe_value(parse_criterion("parts"), [-5], 9), "5"),
        (list(generate_rows([{"a": 1, "b": [1, 3]}], ["a", "b"])), ["a,b", "1,1+3"]),
        ([str(list_columns(n)["response"]) for n in (243, 40_000)], ["int16", "int32"]),
        (sum_path_costs(build("p2c2r")).tolist(), [0, 1, 1, 2]),
        (tally(np.array([1, 3, 3]), np.array([5, 2, 1])), [5, 0, 3]),
        (list(iter_lengths([0, 5, 0, 0])), [(2, 5), (4, 0)]),
        (find_after(build("p2c3r"), 0, "10"), 2),
        (
            describe_difference({"numpy": "2.1", "python": "3.12"}, {"numpy": "2.0"}),
            "numpy 2.1 here, 2.0 there; python 3.12 here, none there",
        ),
    ],
)
def test_functions_return_what_their_names_say(found, expected):
    assert found == expected


def test_a_history_is_a_list_of_pairs():
    with pytest.raises(UsageError, match=r"pairs such as \('1111', '00'\); '02' is not one"):
        read_pairs(P4C6R.notation, ["02"])


def test_functions_run_together_and_results_come_as_they_end():
    seen = []
    run_together([lambda: seen.append(1), lambda: seen.append(2)])
    assert sorted(seen) == [1, 2]
    with DaemonExecutor(2) as pool:
        futures = [pool.submit(abs, -1), pool.submit(int)]
        assert sorted(done.result() for done in yield_ended(futures)) == [0, 1]


def test_a_result_is_computed_once_in_a_process():
    made = []

    @keep_in_process(1)
    def prepare(text):
        made.append(text)
        return text.upper()

    assert (prepare("a"), prepare("a"), made) == ("A", "A", ["a"])


def test_renamings_that_match_two_guesses():
    game = open_game("p4c6r")
    renamings = match_guesses(game, list_renamings(game), *map(game.parse_code, ("1122", "3535")))
    # Each pair of equal pegs goes to a pair, in either order: 2 * 2 * 2.
    assert len(renamings) == 8
    assert not match_guesses(game, list_renamings(game), *map(game.parse_code, ("1122", "1112")))
    assert np.unique([renaming.colors for renaming in renamings], axis=0).shape[0] == 2


def test_many_cells_are_written_shortly():
    cells = [55, 41, *[2] * 30, *[1] * 98]
    assert write_cells(cells) == "55+41+30×2+98×1 (130 cells)"
    assert write_cells(list(range(100, 0, -1))).endswith("+…+1 (100 cells)")
    assert write_cells([1] * MANY_CELLS) == "+".join("1" * MANY_CELLS)


FIRST_GUESSES = [
    ["c | d"],
    ["a|b?"],
    ["q; r", "s"],
    ["x; eligible=hints", "y"],
    ["a eligible=hints"],
    [" first=z", "b"],
    ['["a"]', "b"],
    ["[", "b"],
    ['say "no"', "\\|"],
]


@pytest.mark.parametrize("first", FIRST_GUESSES, ids=repr)
@pytest.mark.parametrize("eligible", ["all", "hints"])
def test_first_guesses_of_any_name_stand_in_rules_and_names(first, eligible):
    found = _SEARCH.fullmatch(name_search("optimal", first, eligible))
    assert (found[1], found[2] or "all", split_names(found[3])) == (
        "optimal",
        eligible,
        tuple(first),
    )
    rule = change_strategy(make_chain("max"), eligible=eligible, opening=tuple(first))
    assert parse_rule(rule.rule).opening == tuple(first)
    assert parse_rule(rule.rule).eligible == eligible
