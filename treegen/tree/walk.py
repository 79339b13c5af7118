"""Walks through a tree, and a tree from its guesses alone.

Paths lead from responses to a node and back; sums and extremes go over all that is below a node.
`split_states` reconstructs the other columns of a tree of which only the guesses are known (a small
table, a text), level by level, by the plain definition of scoring; `replay` follows the candidates
of a tree in the same way. No kernel is used, so this also runs where none can be compiled.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, TreeError, UnreachableError, UsageError
from ..games.base import Game, follow, select_candidates
from ..games.histories import (
    count_in_answers,
    list_readings,
    parse_history,
    refuse_two,
)
from ..games.notation import read_answer, read_pairs
from ..games.text import read_json_list
from .tree import (
    NULL,
    Columns,
    History,
    Steps,
    Tree,
    count_children,
    iter_families,
    iter_pieces,
    iter_ranges,
    sum_path_costs,
    weigh_secrets,
)


def find_node(tree: Tree, responses: Sequence[int]) -> int:
    """Return the node that a sequence of responses leads to from the root.

    UnreachableError if the tree has no such state; it names the first response that leads nowhere.
    """
    node = 0
    for step, response in enumerate(responses, start=1):
        node = _go_on(tree, node, response, f"step {step}: ")
    return node


def _go_on(tree: Tree, node: int, response: int, place: str) -> int:
    """Return the child that a response leads to; UnreachableError, which says where, if none."""
    child = find_child(tree, node, response)
    if child is None:
        raise UnreachableError(place + describe_dead_end(tree, node, response))
    return child


def find_child(tree: Tree, node: int, response: int) -> int | None:
    """Return the child that a response leads to; None if there is none."""
    children = tree.children(node)
    at = int(np.searchsorted(tree.response[children.start : children.stop], response))
    if at < len(children) and tree.response[children[at]] == response:
        return children[at]
    return None


def is_announced(tree: Tree, node: int) -> bool:
    """Whether the game is over at a node without a guess: one candidate is left to identify."""
    return not (tree.game.goal.last_step or len(tree.children(node)))


def find_answers(tree: Tree, path: str | Sequence[str]) -> int:
    """Return the node that written answers lead to; the root for none.

    `path` is a list of texts, also as JSON, or a text in which ``/`` joins the answers. An answer
    may hold a slash itself: it separates only where answers stand around it. GameError for what is
    not an answer to its state's guess, UsageError if the text can be read in two ways,
    UnreachableError if the tree has no such state.
    """
    if not isinstance(path, str):
        return _follow_all(tree, path)
    listed = read_json_list(path)
    if listed is not None and all(isinstance(answer, str) for answer in listed):
        return _follow_all(tree, listed)
    if not path.strip():
        return 0
    n_slashes = count_in_answers(tree.game.notation, "/")
    if not n_slashes or _parse_answer(tree, 0, path) is not None:
        return _follow_all(tree, [path] if n_slashes else path.strip().split("/"))

    def take(node: int, part: str) -> Iterator[tuple[str, int]]:
        response = _parse_answer(tree, node, part)
        child = None if response is None else find_child(tree, node, response)
        if response is not None and child is not None:
            yield tree.game.format_response(response, int(tree.guess[node])), child

    readings, _ = list_readings(path, "/", n_slashes, 0, take)
    if len(readings) > 1:
        shown = [json.dumps(answers, ensure_ascii=False) for answers in readings]
        raise refuse_two("path", path, shown)
    return _follow_all(tree, readings[0] if readings else _split_greedily(tree, path))


def _follow_all(tree: Tree, answers: Sequence[str]) -> int:
    """Return the node that answers lead to; raise for the first that leads nowhere."""
    node = 0
    for step, text in enumerate(answers, start=1):
        node = find_after(tree, node, text, f"step {step}: ")
    return node


def find_after(tree: Tree, node: int, answer: str, place: str = "") -> int:
    """Return the child that a written answer leads to; `place` begins the messages of dead ends.

    GameError if it is not an answer to the state's guess, UnreachableError if there is no such
    child.
    """
    return _go_on(tree, node, read_answer(tree.game.notation, answer, int(tree.guess[node])), place)


def _parse_answer(tree: Tree, node: int, text: str) -> int | None:
    try:
        return tree.game.parse_response(text, int(tree.guess[node]))
    except GameError:
        return None


def _split_greedily(tree: Tree, path: str) -> list[str]:
    """Return the parts of a path that leads nowhere, up to the one that does not fit."""
    node, parts, answers = 0, path.split("/"), []
    while parts:
        n_parts = next(
            (
                n
                for n in range(len(parts), 0, -1)
                if _parse_answer(tree, node, "/".join(parts[:n])) is not None
            ),
            1,
        )
        answers.append("/".join(parts[:n_parts]))
        response = _parse_answer(tree, node, answers[-1])
        child = None if response is None else find_child(tree, node, response)
        if child is None:
            break
        node, parts = child, parts[n_parts:]
    return answers


def write_answers(tree: Tree, node: int) -> str:
    """Return the answers that lead to a node as `find_answers` reads them."""
    pairs = history_of(tree, node)
    answers = [tree.game.format_response(response, guess) for guess, response in pairs]
    text = "/".join(answers)
    if not count_in_answers(tree.game.notation, "/") and not text.startswith("["):
        return text
    with suppress(GameError, UsageError):
        if find_answers(tree, text) == node:
            return text
    return json.dumps(answers, ensure_ascii=False)


def parent_of(tree: Tree, node: int) -> int:
    """Return the parent of a node, `NULL` for the root, without computing all parents."""
    # Bisection in the column's own type: another type would copy the column.
    return int(np.searchsorted(tree.first_child, np.int32(node), side="right")) - 1


def path_of(tree: Tree, node: int) -> list[int]:
    """Return the responses that lead from the root to a node."""
    path = []
    while node > 0:
        path.append(int(tree.response[node]))
        node = parent_of(tree, node)
    return path[::-1]


def history_of(tree: Tree, node: int) -> History:
    """Return the guesses and responses that lead from the root to a node."""
    pairs = []
    while node > 0:
        parent = parent_of(tree, node)
        pairs.append((int(tree.guess[parent]), int(tree.response[node])))
        node = parent
    return tuple(reversed(pairs))


def subtree(tree: Tree, node: int = 0) -> NDArray[np.int32]:
    """Return the nodes from a node down, in level order."""
    return np.concatenate([np.arange(*ends, dtype=np.int32) for ends in iter_ranges(tree, node)])


def cut_at(tree: Tree, node: int) -> Tree:
    """Return the part of a tree from a node down as a tree that starts mid-game."""
    nodes = subtree(tree, node)
    counts = tree.first_child[nodes + 1] - tree.first_child[nodes]
    first_child = np.concatenate(([1], 1 + np.cumsum(counts))).astype(np.int32)
    response = tree.response[nodes].copy()
    response[0] = -1
    history = (*tree.provenance.history, *history_of(tree, node))
    provenance = replace(tree.provenance, history=history, objective="", bound=None)
    return replace(
        tree,
        provenance=provenance,
        guess=tree.guess[nodes],
        response=response,
        first_child=first_child,
        n_candidates=tree.n_candidates[nodes],
    )


def describe_dead_end(tree: Tree, node: int, response: int) -> str:
    """Return a sentence that says why a response is impossible, and which ones are possible."""
    game = tree.game
    if not 0 <= response < game.n_responses:
        return f"response {response} is out of range 0 … {game.win}"
    asked = int(tree.guess[node])
    written, guess = game.format_response(response, asked), game.format_code(asked)
    if response == game.win and tree.wins(node):
        return f"{written} ends the game: {guess} is the secret"
    replies = [int(tree.response[child]) for child in tree.children(node)]
    known = [game.format_response(reply, asked) for reply in replies]
    if tree.wins(node) and not is_announced(tree, node):
        known.append(game.format_response(game.win, asked))
    return f"no secret answers {guess} with {written}; possible here: {' '.join(known)}"


def count_states(tree: Tree) -> NDArray[np.int64]:
    """Return for each node the number of states from it down, itself included."""
    return _sum_below(tree, np.ones(tree.n_nodes, dtype=np.int64))


def count_leaves(tree: Tree) -> NDArray[np.int64]:
    """Return for each node the number of leaves from it down."""
    return _sum_below(tree, tree.is_leaf.astype(np.int64))


def find_longest(tree: Tree) -> NDArray[np.int64]:
    """Return for each node the longest game through it, counted from the tree's root."""
    longest = tree.lengths.copy()
    for nodes, children, begins in _families_by_level(tree):
        longest[nodes] = np.maximum.reduceat(longest[children], begins)
    return longest


def sum_lengths(tree: Tree) -> NDArray[np.int64]:
    """Return for each node the sum of the lengths of all games through it, from the root.

    Each game counts what its secret weighs.
    """
    return _sum_below(tree, np.where(tree.is_winning, tree.lengths, 0) * tree.found_weights)


def measure_states(tree: Tree) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each node the total and the worst of the tree that begins there.

    Neither includes the cost of the guesses before the state.

    >>> from treegen import build
    >>> [figures.tolist() for figures in measure_states(build("p2c2r"))]
    [[8, 1, 3, 1], [3, 1, 2, 1]]
    """
    before = sum_path_costs(tree)
    totals = sum_lengths(tree) - before * _sum_below(tree, tree.found_weights)
    return totals, find_longest(tree) - before


def average_lengths(tree: Tree) -> NDArray[np.float64]:
    """Return for each node the mean length of the games through it, from the root, by weight.

    If all secrets below weigh 0, each counts 1.
    """
    lengths = np.where(tree.is_winning, tree.lengths, 0)
    plain: NDArray[np.float64] = _sum_below(tree, lengths) / tree.n_candidates
    if tree.game.weights is None and tree.game.rules.shares is None:
        return plain
    weights = _sum_below(tree, tree.found_weights)
    return np.where(weights > 0, sum_lengths(tree) / np.maximum(weights, 1), plain)


def _sum_below(tree: Tree, values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each node the sum of a value over it and all below it."""
    sums = values.astype(np.int64)
    for nodes, children, begins in _families_by_level(tree):
        sums[nodes] += np.add.reduceat(sums[children], begins)
    return sums


def find_largest_cell(tree: Tree) -> NDArray[np.int64]:
    """Return for each node the candidates of its largest child; 0 at a leaf."""
    largest = np.zeros(tree.n_nodes, dtype=np.int64)
    for nodes, children, begins in _families_by_level(tree):
        largest[nodes] = np.maximum.reduceat(tree.n_candidates[children], begins)
    return largest


def _families_by_level(
    tree: Tree,
) -> Iterator[tuple[NDArray[np.intp], slice, NDArray[np.int32]]]:
    """Yield, from the last level up, the nodes with children, these, and where each's begin there.

    The children of a level follow each other without a gap: one reduceat folds them all.
    """
    starts = tree.level_starts
    for start, stop in zip(starts[-2::-1], starts[:0:-1], strict=True):
        first = tree.first_child[start : stop + 1]
        nodes = start + np.flatnonzero(first[1:] > first[:-1])
        if len(nodes):
            begins = tree.first_child[nodes]
            yield nodes, slice(begins[0], tree.first_child[nodes[-1] + 1]), begins - begins[0]


def follow_history(tree: Tree, history: Steps) -> int:
    """Return the state after answers, ``02/11``, or guesses with answers, ``1122:02/2344:11``.

    `history` is a text, or a list of answers or of pairs. GameError if a part is not an answer of
    the game, UsageError if the text can be read in two ways, UnreachableError if the tree has no
    such state, or guesses something else on the way.
    """
    if not isinstance(history, str):
        if isinstance(history, Sequence) and all(isinstance(part, str) for part in history):
            return find_answers(tree, cast(Sequence[str], history))
        return _follow(tree, read_pairs(tree.game.notation, history))
    try:
        return find_answers(tree, history)
    except (GameError, UnreachableError) as error:
        if ":" not in history and read_json_list(history) is None:
            if "," in history and "/" not in history and isinstance(error, GameError):
                parts = history.replace(",", "/")
                raise GameError(f"{error}; answers are separated by /: {parts:.80}") from None
            raise
        try:  # 11/:02 begins like an answer
            pairs = parse_history(history, tree.game.notation)
        except (GameError, UsageError):
            if isinstance(error, UnreachableError):
                raise error from None
            raise
    return _follow(tree, pairs)


def _follow(tree: Tree, history: History) -> int:
    node = 0
    for step, (code, response) in enumerate(history, start=1):
        if code != tree.guess[node]:
            wanted, given = map(tree.game.format_code, (int(tree.guess[node]), code))
            raise UnreachableError(f"step {step}: the tree guesses {wanted}, not {given}")
        node = _go_on(tree, node, response, f"step {step}: ")
    return node


def count_below(tree: Tree, node: int) -> int:
    """Return the number of states from a node down, itself included."""
    return sum(end - begin for begin, end in iter_ranges(tree, node))


def count_levels(tree: Tree, node: int) -> int:
    """Return the number of levels from a node down: the longest game that begins there."""
    return sum(1 for _ in iter_ranges(tree, node))


@dataclass(frozen=True, slots=True)
class TreeStates:
    """The states of one level; the root has `NULL` for its parent and its response."""

    candidates: NDArray[np.int32]  # one state's after the other's, ascending within each
    starts: NDArray[np.int64]  # [n_states + 1], where each state's candidates begin
    parents: NDArray[np.int64]  # [n_states], the state of the level before, as an index into it
    responses: NDArray[np.int64]  # [n_states], that led here
    # Of each candidate, in the order of `candidates`; None where no secret's weight is divided.
    shares: NDArray[np.int64] | None = None

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of candidates of each state."""
        return np.diff(self.starts)

    def of(self, state: int) -> NDArray[np.int32]:
        """Return the candidates of a state."""
        return self.candidates[self.starts[state] : self.starts[state + 1]]

    @property
    def heaviest(self) -> NDArray[np.int32]:
        """The candidate of each state with the most shares, the first of equal ones."""
        firsts = self.starts[:-1]
        if self.shares is not None:
            owners = np.repeat(np.arange(len(firsts)), self.sizes)
            firsts = np.lexsort((-self.shares, owners))[firsts]
        return self.candidates[firsts]


@dataclass(frozen=True, slots=True)
class Split:
    """What the guesses of a level lead to."""

    below: TreeStates  # the next level, without those that win
    may_win: NDArray[np.bool_]  # [n_states], whether the guess is a candidate, or announced
    # Which states below come of a guess that excludes no candidate, whatever is answered: the tree
    # would not end. The caller must refuse them before the next split.
    stalled: NDArray[np.intp]


def start_states(
    candidates: NDArray[np.int32], shares: NDArray[np.int64] | None = None
) -> TreeStates:
    """Return the level that is the root alone, with these candidates and what is left of each."""
    root = np.full(1, NULL, dtype=np.int64)
    starts = np.array([0, len(candidates)], dtype=np.int64)
    return TreeStates(candidates, starts, root, root, shares)


def split_states(game: Game, states: TreeStates, guesses: NDArray[np.integer]) -> Split:
    """Split the states of a level by their guesses, integer[n_states].

    >>> from treegen.games import parse_game
    >>> game = parse_game("p2c2r")
    >>> split = split_states(game, start_states(np.arange(4, dtype=np.int32)), np.array([1]))
    >>> split.below.responses.tolist(), split.below.sizes.tolist(), split.may_win.tolist()
    ([2, 3], [1, 2], [True])
    """
    owners = np.repeat(np.arange(len(guesses), dtype=np.int64), states.sizes)
    spread = game.rules.spread(guesses[owners], states.candidates, states.shares)
    owners, replies = owners[spread.source], spread.answers
    goes_on = replies != game.win
    may_win = np.bincount(owners[~goes_on], minlength=len(guesses)) > 0
    # Sorted by state, then response, the cells stand in the level order of the tree. The sort
    # is stable, so the candidates of each cell stay ascending.
    keys = (owners * game.n_responses + replies)[goes_on]
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    begins = np.flatnonzero(np.diff(keys, prepend=-1))
    parents, responses = np.divmod(keys[begins], game.n_responses)
    starts = np.append(begins, len(keys))
    candidates = states.candidates[spread.source][goes_on][order]
    shares = None if spread.shares is None else spread.shares[goes_on][order]
    below = TreeStates(candidates, starts, parents, responses, shares)
    gains = np.zeros(len(guesses), dtype=bool)
    gains[parents[below.sizes < states.sizes[parents]]] = True
    return Split(below, may_win, np.flatnonzero(~gains[parents]))


def replay(tree: Tree) -> Iterator[TreeStates]:
    """Yield the states of each level of a tree whose columns fit each other.

    A tree keeps no candidates: they are followed down its guesses, by the plain definition. Levels
    that its guesses lead to and it does not have are left out.
    """
    states = start_states(*follow(tree.game, tree.provenance.history))
    for begin, end in pairwise(tree.level_starts):
        yield states
        states = split_states(tree.game, states, tree.guess[begin:end]).below


def check_states(tree: Tree) -> None:
    """Raise TreeError unless each state is one of those that its parent's candidates lead to.

    The columns fit each other: see `check_columns`.
    """
    above = 0
    for (begin, end), states in zip(pairwise(tree.level_starts), replay(tree), strict=True):
        found = np.column_stack([states.parents, states.responses, states.sizes])
        here = slice(begin, end)
        said = np.column_stack(
            [tree.parent[here] - above, tree.response[here], tree.n_candidates[here]]
        )
        if not np.array_equal(found, said):
            n = min(len(found), len(said))
            at = int(np.argmax(np.append((found[:n] != said[:n]).any(axis=1), True)))
            parent = above + min(int(rows[at][0]) for rows in (found, said) if at < len(rows))
            raise TreeError(
                f"node {max(parent, 0)}: its branches are not the answers of its candidates"
            )
        above = begin
    left = split_states(tree.game, states, tree.guess[above:]).below.parents
    if len(left):
        raise TreeError(f"node {above + int(left[0])}: its guess does not end the game")


def sum_found_shares(tree: Tree) -> NDArray[np.int64]:
    """Return for each node the shares of what is announced there, or guessed."""
    found = np.zeros(tree.n_nodes, dtype=np.int64)
    for first, states in zip(tree.level_starts, replay(tree), strict=False):
        nodes = np.repeat(np.arange(first, first + len(states.sizes)), states.sizes)
        is_found = tree.is_leaf[nodes] | (tree.guess[nodes] == states.candidates)
        shares = weigh_secrets(tree.game, states.candidates, states.shares)
        np.add.at(found, nodes[is_found], shares[is_found])
    return found


def list_announced(tree: Tree) -> dict[int, str]:
    """Return the announcement of each leaf, by its node, where it may be several candidates."""
    texts = dict[int, str]()
    if not tree.game.rules.announces_several:
        return texts
    for first, states in zip(tree.level_starts, replay(tree), strict=False):
        for state in np.flatnonzero(tree.is_leaf[first : first + len(states.sizes)]).tolist():
            texts[first + state] = tree.game.notation.announce(states.of(state).tolist())
    return texts


def write_announced(tree: Tree, node: int) -> str:
    """Return the announcement of a leaf: all candidates, or classes, that are left."""
    return tree.game.notation.announce(_list_left(tree, node, NULL)[0].tolist())


def list_shares(tree: Tree, ends: Iterable[tuple[int, int]]) -> list[tuple[str, float]]:
    """Return the possible announcements at some ends with their shares, the likeliest first.

    An end is a node, and the response that wins there, or `NULL`. Where everything that is left
    weighs 0, each candidate counts 1.
    """
    found = dict[int, int]()
    for node, response in ends:
        candidates, shares = _list_left(tree, node, response)
        weights = weigh_secrets(tree.game, candidates, shares)
        for candidate, weight in zip(candidates.tolist(), weights.tolist(), strict=True):
            found[candidate] = found.get(candidate, 0) + weight
    if not any(found.values()):
        found = dict.fromkeys(found, 1)
    sums = dict[str, int]()
    for candidate, weight in sorted(found.items()):
        name = tree.game.notation.announce([candidate])
        sums[name] = sums.get(name, 0) + weight
    ordered = sorted(sums.items(), key=lambda item: -item[1])
    return [(name, weight / sum(sums.values())) for name, weight in ordered]


def _list_left(
    tree: Tree, node: int, response: int
) -> tuple[NDArray[np.int32], NDArray[np.int64] | None]:
    is_last = response != NULL or not len(tree.children(node))
    if tree.game.rules.shares is None and is_last:  # its guess alone is left
        return tree.guess[node : node + 1], None
    after = () if response == NULL else ((int(tree.guess[node]), response),)
    history = (*tree.provenance.history, *history_of(tree, node), *after)
    return follow(tree.game, history)


def list_level(states: TreeStates, guesses: NDArray[np.integer], below: TreeStates) -> Columns:
    """Return the columns of a level whose guesses lead to the states below."""
    return {
        "guess": guesses,
        "response": states.responses,
        "n_candidates": states.sizes,
        "n_children": np.bincount(below.parents, minlength=len(guesses)),
    }


@dataclass(frozen=True, slots=True)
class LevelSummary:
    """The states of a tree in which guess number `guess` is made.

    `n_found` counts the secrets that it finds. `mean_left` and `most_left` are the candidates left
    after it: on average over all secrets still in play, and at worst; 0 if it always wins.
    """

    guess: int
    n_states: int
    n_found: int
    mean_left: float
    most_left: int


def summarize_levels(tree: Tree) -> list[LevelSummary]:
    """Return a summary of each guess number, from the first guess to the worst game's last."""
    rows = []
    for number, (begin, end) in enumerate(pairwise(tree.level_starts), start=1):
        # Sum, sum of squares and largest of the cells behind the level.
        n_left, n_squared, most = 0, 0, 0
        for first, last in iter_pieces(int(tree.first_child[begin]), int(tree.first_child[end])):
            sizes = tree.n_candidates[first:last].astype(np.int64)
            n_left += int(sizes.sum())
            n_squared += int((sizes * sizes).sum())
            most = max(most, int(sizes.max()))
        # A candidate may be in several states below, and is found where it is in none.
        found = 0
        for first, last in iter_families(tree.first_child[begin : end + 1]):
            here = begin + first, begin + last
            gone = tree.n_candidates[slice(*here)] - count_children(tree, *here)
            found += int(np.maximum(gone, 0).sum())
        mean = (found + n_squared) / (found + n_left)
        rows.append(LevelSummary(number, end - begin, found, mean, most))
    return rows


def find_conflict(game: Game, history: History) -> list[int]:
    """Return the places in a history of answers that cannot all be true; none if all can.

    They are a minimal set: without any one of them, some secret agrees with the others. Later
    answers are preferred to earlier ones.
    """
    if len(select_candidates(game, history)):
        return []
    kept = list(range(len(history)))
    for place in range(len(history)):
        # The earliest first: an answer whose absence leaves the contradiction is dropped for good.
        rest = [other for other in kept if other != place]
        if not len(select_candidates(game, tuple(history[other] for other in rest))):
            kept = rest
    return kept


def describe_conflict(game: Game, history: History) -> str:
    """Return a sentence that names answers which cannot all be true; "" if they can."""
    places = find_conflict(game, history)
    written = [
        f"{place + 1}: {game.format_code(history[place][0])} answered"
        f" {game.format_response(history[place][1], history[place][0])}"
        for place in places
    ]
    if len(written) == 1:
        return f"No secret fits answer {written[0]}"
    return f"These answers cannot all be true: {'; '.join(written)}" if written else ""
