"""The table of proofs in a search's folder, filled and read by its kernels: it keeps the proofs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from treegen import SearchStoppedError, UsageError, open_game
from treegen.exact.engine import INFINITE
from treegen.exact.engine.canonical_state import make_canonizer
from treegen.exact.engine.table import (
    Evidence,
    find_entry,
    keep_table,
    list_largest,
    list_sizes,
    make_table,
    put_entries,
    record_proof,
    write_entry,
)
from treegen.exact.request import Aim, SearchControl, SearchSpec
from treegen.exact.solver import OpeningSearch, make_solver

from ..pseudo_words import make_word_game
from .searching import AT_ONCE, build_optimal, end_after, rank_openings, resume

TABLE_ALONE = replace(AT_ONCE, record_s=10.0**9, table_s=0.0)
"""Keep the table of proofs, and no nodes."""


@pytest.fixture(scope="module")
def canonizer():
    game = open_game("p3c6r")
    return make_canonizer(game.rules, np.arange(game.n_secrets, dtype=np.int32))


def fill(table, n_states, seed=0):
    """Prove something about random states; return what was said of each."""
    rng, said = np.random.default_rng(seed), {}
    for _ in range(n_states):
        state = np.sort(rng.choice(216, rng.integers(3, 40), replace=False)).astype(np.int32)
        bound, evidence = int(rng.integers(1, 10**6)), Evidence(int(rng.integers(0, 3)))
        find_entry(table, state, INFINITE)
        write_entry(table, bound, evidence.value)
        said[tuple(state.tolist())] = (True, bound, evidence.value)
    return said


def ask(table, states):
    return {state: find_entry(table, np.array(state, dtype=np.int32), INFINITE) for state in states}


@pytest.mark.parametrize("n_states", [0, 1, 1000])
def test_a_table_filled_from_all_entries_of_another_says_the_same(canonizer, n_states):
    table, again = make_table(canonizer, 1), make_table(canonizer, 1)
    said = fill(table, n_states)
    put_entries(again.entries, list_largest(table.entries, 10**9))
    assert ask(again, said) == ask(table, said)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_a_table_of_another_size_says_nothing_else(canonizer, size):
    table, again = make_table(canonizer, 2), make_table(canonizer, size)
    said = ask(table, fill(table, 1000))
    put_entries(again.entries, list_largest(table.entries, 10**9))
    answers = ask(again, said)
    known = [state for state, answer in answers.items() if answer[0]]
    assert all(answers[state] == said[state] for state in known)
    assert len(known) > 960


def test_of_two_places_the_largest_state_has_the_first(canonizer):
    """The rest of the table is made so small that all entries meet."""
    table = make_table(canonizer, 1)
    said = fill(table, 50)
    rows = list_largest(table.entries, 10**9)
    narrow = table._replace(entries=np.zeros((2, 4), dtype=np.uint64))
    put_entries(narrow.entries, rows)
    assert list_sizes(narrow.entries).tolist() == sorted(map(len, said))[-1:-3:-1]


@pytest.mark.parametrize("n_most", [0, 7, 999, 10**9])
def test_the_entries_of_the_largest_states_are_listed(canonizer, n_most):
    table = make_table(canonizer, 1)
    fill(table, 1000)
    everything = np.sort(list_sizes(table.entries))
    everything = everything[everything > 0]
    listed = list_sizes(list_largest(table.entries, n_most))
    assert len(listed) <= n_most
    # The slow way: sizes from the top, as long as all states of one size still fit.
    want = []
    for size in sorted(set(everything.tolist()), reverse=True):
        same = everything[everything == size].tolist()
        if len(want) + len(same) > n_most:
            break
        want += same
    assert listed.tolist() == sorted(want)


def test_an_entry_that_was_half_written_fits_no_state(canonizer):
    table, again = make_table(canonizer, 1), make_table(canonizer, 1)
    said = fill(table, 40)
    rows = list_largest(table.entries, 10**9)
    rows[:, 2] = np.roll(rows[:, 2], 1)
    put_entries(again.entries, rows)
    assert not any(is_known for is_known, _, _ in ask(again, said).values())


def test_a_ranking_that_was_ended_resumes_where_it_was(tmp_path, monkeypatch):
    """What an earlier run proved is not searched again, and the result is the same."""
    words = make_word_game(40, 70)
    whole = rank_openings(words, top=3)
    seen, find = [], OpeningSearch.find

    def stop_after_20(search, code, below):
        if len(seen) == 20:
            raise SearchStoppedError("enough")
        seen.append(code)
        return find(search, code, below)

    monkeypatch.setattr(OpeningSearch, "find", stop_after_20)
    begun = rank_openings(words, folder=tmp_path / "kept", top=3)
    assert not begun.proved
    first, seen = seen, []

    def note(search, code, below):
        seen.append(code)
        return find(search, code, below)

    monkeypatch.setattr(OpeningSearch, "find", note)
    assert rank_openings(words, folder=tmp_path / "kept", top=3) == whole
    assert not set(first) & set(seen)
    with pytest.raises(UsageError, match="belongs to another build"):
        rank_openings(open_game("p2c3r"), folder=tmp_path / "kept")


class Shelf(dict):
    """A checkpoint in memory."""

    find, save = dict.get, dict.__setitem__

    def drop(self, name):
        self.pop(name, None)


def test_a_search_that_is_ended_leaves_its_table_and_one_that_is_complete_does_not(canonizer):
    shelf, table, again = Shelf(), make_table(canonizer, 1), make_table(canonizer, 1)
    said = ask(table, fill(table, 40))
    with pytest.raises(KeyboardInterrupt), keep_table(shelf, "x", table.entries, 0.0):
        raise KeyboardInterrupt
    other = make_table(canonizer, 1)
    with keep_table(shelf, "y", other.entries, 0.0):
        assert not other.entries.any()
    with keep_table(shelf, "x", again.entries, 0.0) as look:
        assert ask(again, said) == said
        assert len(shelf) == 1
        look()
    assert not shelf


def test_a_table_is_written_when_it_is_due_alone(canonizer):
    shelf, table = Shelf(), make_table(canonizer, 1)
    fill(table, 5)
    with pytest.raises(KeyboardInterrupt), keep_table(shelf, "x", table.entries, 10.0**9) as look:
        look()
        raise KeyboardInterrupt
    assert not shelf


def search(game, folder, n_looks=10**9, **options):
    """Search until the watch has looked so often; return the tree or None."""
    options = {"folder": folder, "watch": end_after(n_looks), "table_size": 1} | options
    try:
        return build_optimal(game, budget=TABLE_ALONE, **options)
    except SearchStoppedError:
        return None


@pytest.fixture
def ended(tmp_path):
    """Return a game whose search was ended, and the table that it left in `tmp_path`."""
    game = open_game("p3c6r")
    assert search(game, tmp_path, 10) is None
    (table,) = tmp_path.glob("table-*")
    return game, table


def count_states(game, table):
    """Return what one thread finds for a game with a table, and the states that it meets."""
    candidates = np.arange(game.n_secrets, dtype=np.int32)
    solver = make_solver(game, candidates, SearchSpec(), SearchControl())
    solver.make_table = lambda: table
    return solver.find_best(Aim()).cost, solver.counts["states"]


@pytest.mark.parametrize("name", ["p3c6r", "p4c5n", "p3c5rb"])
def test_the_largest_states_spare_the_work(name):
    game = open_game(name)
    canonizer = make_canonizer(game.rules, np.arange(game.n_secrets, dtype=np.int32))
    table, again = make_table(canonizer, 1), make_table(canonizer, 1)
    cost, n_states = count_states(game, table)
    n_entries = np.count_nonzero(list_sizes(table.entries))
    put_entries(again.entries, list_largest(table.entries, n_entries // 4))
    cost_again, n_again = count_states(game, again)
    assert cost_again == cost
    assert n_again < n_states // 2


def test_a_search_goes_on_from_its_table_to_the_same_tree(tmp_path, ended):
    game, table = ended
    assert search(game, tmp_path).digest == build_optimal(game).digest
    assert not table.exists()


@pytest.mark.parametrize("objective", ["total,worst,n_worst", "worst,n_worst,total"])
def test_every_search_of_an_objective_has_a_table_of_its_own(tmp_path, objective):
    """What is proved with four guesses left is no proof with five."""
    game = open_game("p4c4r")
    options = {"objective": objective, "folder": tmp_path, "table_size": 1}
    tree, n_ends = resume(game, lambda n_ends: 5 + 10 * n_ends, lambda: TABLE_ALONE, **options)
    assert n_ends > 0
    assert tree.digest == build_optimal(game, objective=objective).digest


def test_the_table_of_other_random_numbers_is_not_taken(tmp_path, ended):
    game, table = ended
    before = table.read_bytes()
    assert search(game, tmp_path, table_seed=21).digest == build_optimal(game).digest
    assert table.read_bytes() == before


def test_a_damaged_table_is_told_and_left_out(tmp_path, ended):
    (game, table), notices = ended, []
    data = bytearray(table.read_bytes())
    data[len(data) // 2] ^= 1
    table.write_bytes(data)
    tree = search(game, tmp_path, notice=notices.append)
    assert tree.digest == build_optimal(game).digest
    assert "checksum" in notices[0]


def test_the_same_candidates_cost_more_where_less_is_legal():
    """The legal guesses belong to the key of a state."""
    members, legal = np.arange(5, dtype=np.int32), np.arange(9, dtype=np.int32)
    table = make_table(make_canonizer(None, np.arange(20)), n_keyed=30)
    record_proof(table, members, 3, 12, True, legal)
    assert find_entry(table, members, 3, legal) == (True, 12, Evidence.COST)
    for other in (legal[:8], legal[::-1].copy(), None):
        is_known = other is not None and len(other) == len(legal)
        assert find_entry(table, members, 3, other)[0] is is_known
