"""The ``.tgt`` table: a tree in a few kilobytes, walked by small players.

docs/notes/table-format.md is the specification. One msgpack array::

    "TGT1", minor version, profile, game, start, meta,
    n_codes, n_responses, n_nodes, implicit, sections ..., more, CRC-32
"""

from __future__ import annotations

import json
import os
import reprlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import msgpack
import numpy as np
from numpy.typing import NDArray

from .._files import Source, map_source, name_source, read_text
from ..errors import FormatError, GameError, TreeError
from ..games.answer_table import AnswerTable
from ..games.base import Game, follow, select_candidates
from ..games.codebook import make_excerpt, set_excerpt
from ..games.names import find_described, from_description, take_stakes
from ..games.questions import AnswerRule, QuestionRules, Questions
from ..games.rules import (
    DIFFERENCES,
    Description,
    Excerpt,
    Goal,
    describe_stakes,
    is_weighted,
    split_goal,
)
from ..player.tgt_lean import FREE_WORK, MAX_SECRETS, WORK_PER_NODE
from ..player.tgt_player import Table
from ..tree.tree import (
    NULL,
    Columns,
    Provenance,
    Tree,
    iter_families,
    iter_pieces,
    join_levels,
    list_columns,
    renumber,
)
from ..tree.walk import TreeStates, list_announced, list_level, split_states, start_states
from .json_text import get_field, parse_json

MAGIC = "TGT1"


def make_table(
    tree: Tree,
    *,
    profile: str = "full",
    all_words: bool = False,
    labels: str = "inside",
    to_page: bool = False,
) -> bytes:
    """Return the bytes of a table, as `generate_table_bytes`; equal trees give equal bytes."""
    return b"".join(
        generate_table_bytes(
            tree, profile=profile, all_words=all_words, labels=labels, to_page=to_page
        )
    )


def generate_table_bytes(
    tree: Tree,
    *,
    profile: str = "full",
    all_words: bool = False,
    labels: str = "inside",
    to_page: bool = False,
) -> Iterator[bytes]:
    """Yield the bytes of a table in pieces; `full` and `lean` take little memory of any tree.

    The page alone (`to_page`) reads words with letters of several code points.

    Raises FormatError if the profile is unknown, or not for this game. Raises TreeError if the tree
    breaks an invariant.
    """
    if profile not in PROFILES:
        raise FormatError(f"unknown profile {profile!r:.80}: there are {', '.join(PROFILES)}")
    if tree.game.notation.answers_in_words and profile != "full":
        raise FormatError(
            f"the profile {profile} needs a rule that answers; {tree.game.name} has the profile"
            " full alone"
        )
    if not to_page and not tree.game.notation.is_plain:
        letter = next(symbol for symbol in tree.game.notation.own_symbols if len(symbol) > 1)
        raise FormatError(
            f"a table, which players read, cannot hold the letter {letter!r} of {len(letter)} code"
            " points; treegen play, export html, booklet, text and svg take it"
        )
    tree.check()
    more: dict[str, Any] = {}
    whole, tree = tree, announce_leaves(tree)
    is_other = tree is not whole
    # An excerpt would renumber the words that have costs.
    if not all_words and not is_weighted(tree.game.rules):
        tree, more = pack_words(tree)
    description, keys = describe_labels(tree, labels, all_words=all_words)
    more |= {POSSIBLE: keys[KEY]} if is_other else keys
    packed = pack_profile(tree, profile)
    meta = {
        "digest": bytes.fromhex(hash_plain(whole if is_other else tree)),
        "strategy": tree.provenance.strategy,
        "total": whole.share_total,
        "worst": whole.worst,
    }
    start = [number for pair in tree.provenance.history for number in pair]
    counts = [tree.game.n_codes, tree.game.n_responses, packed.n_nodes, packed.implicit]
    minor = 1 if more or profile == "slim" else 0  # the lowest that has all of it
    head = [MAGIC, minor, profile, description, start, meta, *counts]
    return _seal(head, packed.sections, more)


def read_table(source: Source, game: Game | None = None) -> Tree:
    """Read the tree of a table of any profile, and check the table's claims.

    Raises FormatError as `unpack_table`, and if the table claims something false.
    """
    tree, claims = unpack_table(source, game=game)
    facts = {"total": tree.share_total, "worst": tree.worst, "digest": tree.digest}
    for name, claim in claims.items():
        if claim != facts[name]:
            raise FormatError(f"the table claims {name} {claim}; it is {facts[name]}")
    return tree


def unpack_table(
    source: Source, *, check: bool = True, game: Game | None = None
) -> tuple[Tree, dict[str, Any]]:
    """Return a table's tree, and what the table claims about it: total, worst, digest.

    Without `check` the columns are as they are; `treegen.verifier` checks the claims. The tree is
    of `game`, also where the table has only some words of a codebook, or has no answers; `game` is
    needed where answers are uncertain, or classes announced. Raises FormatError if the file cannot
    be read, is not a table, is of a later version or another game than the one given, is damaged,
    or if players show other names, questions or answers than the game's; the message says where.
    """
    data = map_source(source)
    try:
        table = Table(data)
        pairs = tuple(zip(table.start[::2], table.start[1::2], strict=True))
        provenance, digest = Provenance(table.meta["strategy"], history=pairs), None
        if POSSIBLE in table.more:
            tree = _restore_leaves(table, game, provenance)
        else:
            own = restore_game(table) or from_description(list(table.game))
            digest = unpack_words(table, own)
            tree = make_tree(table, own, provenance)
        if check:
            tree.check()
            # An excerpt's table claims another digest to older readers.
            if table.more.get("book") and hash_plain(tree) != table.meta["digest"].hex():
                message = "the table claims another digest than its words and guesses have"
                raise FormatError(message)
        if game is not None:
            lacks_answers = isinstance(tree.game.rules, LookupRules)
            tree = fit_game(tree, game)
            if check and lacks_answers:
                _replay(tree)
        _compare_words(tree, table, source)
    except (FormatError, GameError, TreeError) as error:
        raise FormatError(f"{name_source(source)}: {error}") from error
    claims = {key: table.meta[key] for key in ("total", "worst")}
    return tree, {**claims, "digest": digest or table.meta["digest"].hex()}


def fit_game(tree: Tree, game: Game) -> Tree:
    """Return a file's tree as one of a game, whose words or answers the file may lack.

    Raises FormatError if it is of another game.
    """
    if tree.game.rules.excerpt:
        try:
            tree = restore_tree(tree, game)
        except TreeError as error:
            raise FormatError(f"the table has words of another list: {error}") from error
    if tree.game.rules.digest_name != game.rules.digest_name:
        if game.notation.asks_questions and tree.game.notation.asks_questions:
            raise FormatError(
                f"the table is not of {game.notation.title}, or of another goal, other weights or"
                " costs: read it with the options by which the tree was built"
            )
        if tree.game.name == game.name:
            raise FormatError(f"the tree is of {game.name} with {DIFFERENCES}")
        raise FormatError(f"the tree is of the game {tree.game.name}, not of {game.name}")
    return replace(tree, game=game) if isinstance(tree.game.rules, LookupRules) else tree


def _replay(tree: Tree) -> None:
    """Raise FormatError unless a tree of questions finds every candidate of its table."""
    n_used = 0

    def find_guesses(states: TreeStates) -> NDArray[np.integer]:
        nonlocal n_used
        guesses, first = tree.guess[n_used : n_used + len(states.sizes)], states.starts[:-1]
        n_used += len(states.sizes)
        is_alone = states.sizes == 1
        if len(guesses) < len(first) or (guesses != states.candidates[first])[is_alone].any():
            raise FormatError("the questions do not lead to the candidates of the table of answers")
        return guesses

    if expand_tree(tree.game, tree.provenance, find_guesses) != tree:
        raise FormatError("the questions do not lead to the states of the table of answers")


def _seal(head: list[Any], sections: list[Section], more: dict[str, Any]) -> Iterator[bytes]:
    """Yield the envelope of some values, sections and further keys, then the CRC-32."""
    packer, checksum = msgpack.Packer(), 0

    def generate() -> Iterator[bytes]:
        yield packer.pack_array_header(len(head) + len(sections) + bool(more) + 1)
        yield from map(packer.pack, head)
        for section in sections:
            yield _pack_binary_header(section.size_bytes)
            yield from section.pieces
        if more:
            yield packer.pack(dict(sorted(more.items())))

    for piece in generate():
        checksum = crc32(piece, checksum)
        yield piece
    yield b"\xce" + checksum.to_bytes(4, "big")


def _pack_binary_header(size_bytes: int) -> bytes:
    """Return msgpack's shortest header of this many bytes."""
    if size_bytes < 1 << 8:
        return b"\xc4" + size_bytes.to_bytes(1, "big")
    if size_bytes < 1 << 16:
        return b"\xc5" + size_bytes.to_bytes(2, "big")
    return b"\xc6" + size_bytes.to_bytes(4, "big")


FIELDS_PER_BLOCK = 1 << 20
"""A multiple of 8, so that every block begins with a whole byte."""


def width_of(n_values: int) -> int:
    """Return the number of bits that distinguish this many values; 0 for one value."""
    return (n_values - 1).bit_length()


def pack_fields(values: NDArray[np.integer], width: int) -> bytes:
    """Return a section of fields of this many bits, padded with zero bits.

    >>> pack_fields(np.array([5, 1]), 3).hex()
    'a4'
    """
    return b"".join(generate_fields([values], width))


def generate_fields(pieces: Iterable[NDArray[np.integer]], width: int) -> Iterator[bytes]:
    """Yield a section of fields of this many bits, whose values come in pieces."""
    shifts = np.arange(width - 1, -1, -1)
    blocks = (
        values[begin : begin + FIELDS_PER_BLOCK]
        for values in pieces
        for begin in range(0, len(values), FIELDS_PER_BLOCK)
    )
    return _generate_bytes(
        (block.astype(np.int64)[:, None] >> shifts & 1).astype(np.uint8).reshape(-1)
        for block in blocks
    )


def _generate_bytes(pieces: Iterable[NDArray[np.uint8]]) -> Iterator[bytes]:
    """Yield the bytes of bits that come in pieces, padded with zero bits."""
    rest = np.empty(0, dtype=np.uint8)
    for piece in pieces:
        bits = np.concatenate((rest, piece)) if len(rest) else piece
        n_whole = len(bits) // 8 * 8  # what is left of a byte waits for the next piece
        yield np.packbits(bits[:n_whole]).tobytes()
        rest = bits[n_whole:]
    yield np.packbits(rest).tobytes()


def unpack_fields(section: memoryview, n_values: int, width: int) -> NDArray[np.int64]:
    """Return the fields of a section; the inverse of `pack_fields`."""
    values = np.zeros(n_values, dtype=np.int64)
    if width == 0:
        return values
    data = np.frombuffer(section, dtype=np.uint8)
    weights = 1 << np.arange(width - 1, -1, -1)
    for begin in range(0, n_values, FIELDS_PER_BLOCK):
        end = min(begin + FIELDS_PER_BLOCK, n_values)
        part = data[begin * width // 8 : -(-end * width // 8)]
        bits = np.unpackbits(part, count=(end - begin) * width)
        values[begin:end] = bits.reshape(-1, width) @ weights
    return values


def generate_shape(pieces: Iterable[NDArray[np.integer]]) -> Iterator[bytes]:
    """Yield the shape of a tree whose numbers of children come in pieces."""

    def write(n_children: NDArray[np.integer]) -> NDArray[np.uint8]:
        # Before the 0 of node i stand the 1s of nodes 0 to i and i other 0s.
        ends = np.cumsum(n_children, dtype=np.int64) + np.arange(len(n_children))
        bits = np.ones(int(ends[-1]) + 1 if len(ends) else 0, dtype=np.uint8)
        bits[ends] = 0
        return bits

    return _generate_bytes(map(write, pieces))


def unpack_shape(section: memoryview, n_nodes: int) -> NDArray[np.int32]:
    """Return `first_child` of a checked shape, `n_nodes` at its end."""
    data = np.frombuffer(section, dtype=np.uint8)
    zeros = np.flatnonzero(np.unpackbits(data, count=2 * n_nodes - 1) == 0)
    # As many 1s stand before the 0 of node i as there are children of nodes 0 to i; the root is
    # nobody's child.
    first_child = np.ones(n_nodes + 1, dtype=np.int32)
    first_child[1:] = zeros - np.arange(n_nodes) + 1
    return first_child


MAX_NAME = 40
LABELS = ("inside", "file", "none")
"""Where the words of a table of answers go: into the table, into a file beside it, nowhere."""

KEY = "answers"
"""The key of the digest that identifies the table of answers."""
POSSIBLE = "possible"
"""The key of that digest where answers are uncertain, or classes announced."""
READY = "ready"
"""The key that names a game of another kind, or describes it, which is stored as a table without
questions."""


class Words(NamedTuple):
    """The words of a table of answers that a table needs.

    A question that the tree never asks is empty, and has no answers.
    """

    names: Sequence[str]
    questions: Sequence[str]
    answers: Sequence[Sequence[str]]

    def write(self) -> list[str]:
        """Return the texts of a description; questions with the same answers share a line."""
        lines = ["\t".join(labels) for labels in self.answers]
        # A reader counts a game's answers by the longest line, which must therefore be there.
        shared = {line for line in lines if line}
        rows = list(shared) if len(shared) == 1 else lines
        return ["\n".join(self.names), "\n".join(self.questions), "\n".join(rows)]


def choose_words(tree: Tree, *, all_words: bool = False) -> Words:
    """Return the words of a tree's table of answers, or range, that its players show.

    Questions that are never asked keep theirs if `all_words`, a single question always. Raises
    GameError if the game is not a table of answers.
    """
    tree = announce_leaves(tree)
    game, notation = tree.game, tree.game.notation
    if not notation.answers_in_words:
        raise GameError(f"{game.name} has no labels: it is not a table of answers")
    symbols, n = notation.own_symbols, game.n_secrets
    names, questions = symbols[:n], symbols[n:]
    answers = [*map(notation.list_answers, range(game.n_secrets, game.n_codes))]
    if not notation.asks_questions:  # then guesses are answered
        answers = [notation.list_answers(0)[:-1]]
    if all_words or len(questions) < 2:
        return Words(names, questions, answers)
    codes = [*tree.guess.tolist(), *(guess for guess, _ in tree.provenance.history)]
    asked = {code - game.n_secrets for code in codes}
    return Words(
        names,
        [text if place in asked else "" for place, text in enumerate(questions)],
        [row if place in asked else () for place, row in enumerate(answers)],
    )


class LookupRules(QuestionRules):
    """The candidates and questions of a table of answers whose answers themselves are elsewhere.

    `parameters` are the description of a table of answers behind its kind, without the matrix, and
    without labels if a table has none. `identity` is the sha256 that follows ``questions:`` in the
    digest of the game with its answers. GameError if they do not fit each other.

    >>> rules = LookupRules([2, 1, "", "", "", ""], 3, "00" * 32)
    >>> rules.table.names, rules.table.questions
    (('candidate 1', 'candidate 2'), ('question 1',))
    """

    file = ""  # which it was read from, in front of a message

    def __init__(self, parameters: Sequence[int | str], n_responses: int, identity: str) -> None:
        match parameters:
            case [int(n_names), int(n_questions), str(names), str(texts), str(labels), ""]:
                pass
            case _:
                raise GameError("a table of answers has counts, names, questions and answers here")
        if n_names < 1 or n_questions < 0 or not 2 <= n_responses <= 1 << 16:
            raise GameError("the counts of a table of answers are out of range")
        self._parameters, self.identity = list(parameters), identity
        self.has_labels = bool(names)
        table = AnswerTable(
            _split_words(names, "candidate", n_names),
            _split_words(texts, "question", n_questions),
            _split_answers(labels, n_questions, n_responses - 1),
            np.zeros((n_names, n_questions), dtype=np.uint8),
        )
        if (len(table.names), len(table.questions)) != (n_names, n_questions):
            raise GameError("the names or the questions are not as many as they should be")
        if (
            len(table.answers) != n_questions
            # A question that is never asked may have had the most.
            or max(map(len, table.answers), default=1) > n_responses - 1
        ):
            raise GameError("the answers are not as many as they should be")
        super().__init__(table)
        self.feedback, self.n_responses = AnswerRule(n_responses), n_responses
        self.win = n_responses - 1

    def with_labels(self, words: Sequence[str]) -> LookupRules:
        """Return the rules with names, questions and answers in the form of a description."""
        other = LookupRules([*self._parameters[:2], *words, ""], self.n_responses, self.identity)
        other = other.with_goal(self.goal)
        other.weights, other.given_costs = self.weights, self.given_costs
        return other

    @property
    def rules_description(self) -> Description:
        """Return the description without the matrix."""
        return [self.kind, *self._parameters]

    @property
    def rules_name(self) -> str:
        """Return ``questions:`` and the sha256 of the game with its answers."""
        return f"questions:{self.identity}"

    def score(self, guess: int, secret: int) -> int:
        """Refuse: the answers are not here."""
        raise GameError(self.file + _MISSING)

    def respond(
        self, guesses: NDArray[np.integer], secrets: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Refuse: the answers are not here."""
        raise GameError(self.file + _MISSING)


_MISSING = (
    "a lookup table has no table of answers: treegen import table FILE -g TABLE.csv gives its tree,"
    " treegen verify FILE --game TABLE.csv checks it"
)


def _split_words(text: str, what: str, count: int) -> tuple[str, ...]:
    given = text.split("\n") if text else [""] * count
    return tuple(each or f"{what} {number}" for number, each in enumerate(given, start=1))


def _split_answers(text: str, n_questions: int, most: int) -> tuple[tuple[str, ...], ...]:
    if not text:
        return (tuple(map(str, range(most))),) * n_questions
    answers = [tuple(line.split("\t")) for line in text.split("\n")]
    # One line stands for all questions: `AnswerTable.write` does not repeat it.
    return tuple(answers * n_questions if len(answers) == 1 else answers)


def announce_leaves(tree: Tree) -> Tree:
    """Return the tree that players walk: another if answers are uncertain or classes announced.

    Its candidates are what is announced, each text once, or what is guessed; the questions follow.
    """
    game = tree.game
    if game.rules.shares is None:
        return tree
    leaves = list_announced(tree)
    guessed, asked = range(game.n_secrets), range(game.n_secrets, game.n_codes)
    names = list(dict.fromkeys(leaves.values() or map(game.format_code, guessed)))
    places = {name: place for place, name in enumerate(names)}
    questions, answers = map(game.format_code, asked), map(game.notation.list_answers, asked)
    words = Words(names, list(questions), list(answers)).write()
    identity = game.rules.rules_name.partition(":")[2]
    shift = len(names) - game.n_secrets
    lookup = _make_lookup(
        [len(names), game.rules.n_questions, *words, ""], game.n_responses, identity
    ).with_goal(game.goal)
    if game.rules.given_costs is not None:
        costs = [0] * len(names) if leaves else game.costs[: game.n_secrets].tolist()
        lookup = lookup.with_stakes(None, costs + game.costs[game.n_secrets :].tolist())
    guess = tree.guess + np.int32(shift)
    guess[list(leaves)] = [places[name] for name in leaves.values()]
    history = tuple((code + shift, reply) for code, reply in tree.provenance.history)
    provenance = replace(tree.provenance, history=history)
    return replace(tree, game=lookup, guess=guess, provenance=provenance)


def _make_lookup(parameters: Sequence[int | str], n_responses: int, identity: str) -> Questions:
    """Return the game of a table of answers whose answers are elsewhere; see `LookupRules`."""
    return Questions.of_rules(LookupRules(parameters, n_responses, identity))


def _restore_leaves(table: Table, game: Game | None, provenance: Provenance) -> Tree:
    """Return the tree that `announce_leaves` was given; FormatError if it is not of the game."""
    if game is None or game.rules.shares is None:
        raise FormatError(
            "answers are uncertain in this table, or classes announced: players walk it as it is;"
            " treegen import table FILE -g TABLE.csv gives its tree, treegen verify FILE --game"
            " TABLE.csv checks it"
        )
    if table.more[POSSIBLE] != bytes.fromhex(game.rules.rules_name.partition(":")[2]):
        raise FormatError(
            f"the table is not of {game.notation.title}: read it with the options by which the tree"
            " was built"
        )
    n_names, announced = table.n_codes - game.rules.n_questions, dict[int, str]()
    shift = game.n_secrets - n_names
    guess = unpack_fields(table.guesses, table.n_nodes, width_of(table.n_codes)).astype(np.int64)
    stored = _Stored(guess)

    def find_guesses(states: TreeStates) -> NDArray[np.integer]:
        """Return the questions, and the heaviest of the candidates that a leaf announces."""
        guesses = stored.take(len(states.sizes))
        is_leaf = (guesses < n_names) & game.rules.announces_several
        for at in np.flatnonzero(is_leaf).tolist():
            text = game.notation.announce(states.of(at).tolist())
            if announced.setdefault(int(guesses[at]), text) != text:
                raise FormatError("two leaves announce the same, and have other candidates left")
        return np.where(is_leaf, states.heaviest, guesses + shift)

    history = tuple((code + shift, reply) for code, reply in provenance.history)
    tree = expand_tree(game, replace(provenance, history=history), find_guesses)
    _check_nodes(table, tree, tree.n_nodes, "questions")
    return tree


def describe_labels(
    tree: Tree, labels: str, *, all_words: bool
) -> tuple[list[int | str], dict[str, Any]]:
    """Return the description of a game that a table holds, and the keys that go with it.

    Only a table of answers is described otherwise than in a tree's file. `labels` is one of
    `LABELS`, else FormatError; `all_words` keeps the words of questions that are never asked.
    """
    if labels not in LABELS:
        raise FormatError(f"unknown labels {labels!r:.80}: there are {', '.join(LABELS)}")
    game = tree.game
    if not isinstance(game, Questions):
        described = _describe_otherwise(game, labels)
        named = find_described(game.name) if described else None
        own = named is not None and named.rules.rules_description == game.rules.rules_description
        ready = game.name if own else write_description(game)
        return described or game.description, {READY: ready} if described else {}
    kind, *parameters = game.rules.rules_description
    if isinstance(game.rules, LookupRules) and not game.rules.has_labels:
        labels = "none"
    words = [""] * 3
    if labels == "inside":
        words = choose_words(tree, all_words=all_words).write()
    keys = {KEY: bytes.fromhex(game.rules.rules_name.partition(":")[2])}
    described = [kind, *parameters[:2], *words, "", *game.goal.describe()]
    return [*describe_stakes(game.rules), *described], keys


def _describe_otherwise(game: Game, labels: str) -> list[int | str]:
    """Return a game as players know it, if they do not know its own description; else nothing."""
    described = game.notation.player_description
    if described == game.rules.rules_description:
        return []
    if labels != "inside" and game.notation.answers_in_words:
        described = [*described[:3], "", "", "", *described[6:]]
    return [*describe_stakes(game.rules), *described, *game.goal.describe()]


def write_description(game: Game) -> str:
    """Return the description of a game's rules as JSON."""
    return json.dumps(game.rules.rules_description, ensure_ascii=False, separators=(",", ":"))


def _restore_named(table: Table, name: object) -> Game:
    """Return the game that a table names or describes, if players know it as that game is."""
    _, stakes, goal = _split_terms(table)
    game = None
    if isinstance(name, str):
        own = parse_json(name) if name.startswith("[") else None
        game = from_description(own) if isinstance(own, list) else find_described(name[:MAX_NAME])
    if game is not None and name in (game.name, write_description(game)):
        game = game.with_goal(goal)
        game = take_stakes(game, *stakes) if stakes else game
        if list(table.game) in (_describe_otherwise(game, place) for place in ("inside", "none")):
            return game
    raise FormatError(f"damaged table: it is not of the game {name!r:.40}")


def _split_terms(table: Table) -> tuple[list[Any], list[Any], Goal]:
    """Return a description without weights, costs and goal; weights and costs; the goal."""
    described, goal = split_goal(table.game)
    if described[:1] != ["weighted"]:
        return list(described), [], goal
    return list(described[3:]), list(described[1:3]), goal


def restore_game(table: Table) -> Game | None:
    """Return the game of a table of answers' table, or of one that is named; None for others.

    Raises FormatError or GameError if the table is damaged.
    """
    if READY in table.more:
        return _restore_named(table, table.more[READY])
    if "questions" not in (table.game[0], *table.game[3:4]):
        return None
    description, stakes, goal = _split_terms(table)
    if description[0] != "questions" or description[6:7] != [""]:
        return None
    identity = table.more.get(KEY)
    if not isinstance(identity, memoryview) or len(identity) != 32:
        raise FormatError("damaged table: it does not say of which table of answers it is")
    game = _make_lookup(description[1:], table.n_responses, bytes(identity).hex())
    game = game.with_goal(goal)
    return take_stakes(game, *stakes) if stakes else game


def make_labels(tree: Tree, *, all_words: bool = False) -> bytes:
    """Return the words of a table of answers as JSON: names, questions, answers.

    Questions that the tree never asks are empty, unless `all_words` keeps them. Raises GameError if
    the game is not a table of answers.
    """
    words = choose_words(tree, all_words=all_words)._asdict()
    return (json.dumps(words, ensure_ascii=False, indent=1) + "\n").encode()


def find_labels(tree: Tree, path: str | os.PathLike[str]) -> Tree:
    """Return a table's tree with the words that lie beside it in a file, if there are any.

    Raises FormatError if the file is damaged, or belongs to another table.
    """
    game, beside = tree.game, _find_beside(path)
    if not isinstance(game.rules, LookupRules) or game.rules.has_labels or beside is None:
        return tree
    with _explain_labels(beside):
        rules = game.rules.with_labels(_read_words(beside).write())
        return replace(tree, game=Questions.of_rules(rules))


def _find_beside(source: Source) -> Path | None:
    """Return the file of words that lies beside a table, if there is one."""
    if isinstance(source, bytes):
        return None
    beside = Path(f"{os.fspath(source)}.labels.json")
    return beside if beside.is_file() else None


@contextmanager
def _explain_labels(path: Path) -> Iterator[None]:
    """Raise FormatError, naming a file of words, if it is damaged or of another table."""
    try:
        yield
    except (FormatError, GameError) as error:
        raise FormatError(
            f"{str(path)!r:.300} does not contain this table's labels: {error}"
        ) from None


def _read_words(path: Path) -> Words:
    """Return the words in a file; FormatError if it is damaged."""
    value = parse_json(read_text(path))
    words = Words(*(get_field(value, key, list, "$") for key in Words._fields))
    for row in (words.names, words.questions, *words.answers):
        if not isinstance(row, list) or not all(isinstance(text, str) for text in row):
            raise FormatError(f"lists of texts are expected, found {reprlib.repr(row)}")
    return words


def _compare_words(tree: Tree, table: Table, source: Source) -> None:
    """Raise FormatError if players show other words of a table of answers than its game has.

    They show those in the table, or those in the file beside it.
    """
    game, beside = tree.game, _find_beside(source)
    if not game.notation.answers_in_words or isinstance(game.rules, LookupRules):
        return  # no words, or none to compare with
    described = _split_terms(table)[0]
    inside = [*map(str, described[3:6])]
    shown = [inside] * (described[:1] == ["questions"] and any(inside) and READY not in table.more)
    if beside is not None:
        with _explain_labels(beside):
            shown.append(_read_words(beside).write())
    if not shown:
        return
    part, whole = (choose_words(tree, all_words=all_words) for all_words in (False, True))
    for texts in shown:
        if texts not in (part.write(), whole.write()):
            raise FormatError(_find_difference(texts, part, whole, game))


def _find_difference(texts: Sequence[str], part: Words, whole: Words, game: Game) -> str:
    """Return the first name that a table and its game do not share; unasked questions may lack."""
    names, questions, lines = (text.split("\n") for text in texts)
    label = game.rules.label or game.notation.title
    pairs = [
        (f"{'announcement' if game.rules.announces_several else 'candidate'} {at}", *both)
        for at, both in enumerate(zip(names, whole.names, strict=False), start=1)
    ]
    for at, both in enumerate(zip(questions, whole.questions, strict=False), start=1):
        pairs += [(f"question {at}", *both)] * bool(both[0] or part.questions[at - 1])
    rows = lines * len(whole.answers) if len(lines) == 1 else lines
    of = whole.questions or [""] * len(rows)
    for line, own, question in zip(rows, whole.answers, of, strict=False):
        to = f" to {question!r:.60}" if question else ""
        for at, both in enumerate(zip(line.split("\t"), own, strict=False), start=1):
            pairs += [(f"answer {at}{to}", *both)] * bool(line)
    for what, text, right in pairs:
        if text != right:
            return f"the table calls {what} {text!r:.60}; {label} calls it {right!r:.60}"
    return f"the table has other numbers of names, questions or answers than {label}"


KEYS = ["book", "book_codes", "book_digest", "book_places"]


def pack_words(tree: Tree) -> tuple[Tree, dict[str, Any]]:
    """Return the tree that a table stores, and the keys that identify the whole codebook.

    A tree is cut where the words that it does not guess are longer than the keys.
    """
    if not tree.game.rules.words:
        return tree, {}
    cut = cut_tree(tree)
    excerpt = cut.game.rules.excerpt
    if excerpt is None:
        return tree, {}
    keys = {
        "book": bytes.fromhex(excerpt.rules_name.partition(":")[2]),
        "book_codes": excerpt.n_codes,
        "book_digest": bytes.fromhex(cut.digest),
        "book_places": pack_fields(np.array(excerpt.numbers), width_of(excerpt.n_codes)),
    }
    saved = _count_bytes(tree.game) - _count_bytes(cut.game)
    is_shorter = saved > len(msgpack.packb(keys)) or tree is cut
    return (cut, keys) if is_shorter else (tree, {})


def cut_tree(tree: Tree) -> Tree:
    """Return a tree of a codebook with no more words than the secrets and those that it guesses.

    Its digest is that of the whole tree. A tree of another game, one that is cut already, and one
    that guesses all words are returned as they are.
    """
    game = tree.game
    if game.rules.excerpt or game.rules.given_costs is not None:
        return tree
    codes = np.unique([*np.unique(tree.guess), *(guess for guess, _ in tree.provenance.history)])
    cut = make_excerpt(game, codes.tolist())
    if cut.n_codes == game.n_codes:
        return tree
    numbers = cut.rules.number_codes(np.arange(cut.n_codes))
    return renumber(tree, cut, lambda guesses: np.searchsorted(numbers, guesses))


def restore_tree(tree: Tree, game: Game) -> Tree:
    """Return the tree of a whole codebook that a tree of its excerpt stands for.

    TreeError if the excerpt is of another list of words.
    """
    cut = tree.game
    whole = renumber(tree, game, cut.rules.number_codes)
    numbers = cut.rules.number_codes(np.arange(cut.n_codes)).tolist()
    words = map(cut.format_code, range(cut.n_codes))
    if cut.rules.digest_name != game.rules.digest_name or numbers[-1] >= game.n_codes:
        raise TreeError("the words are not of this codebook: their digests differ")
    if any(game.format_code(number) != word for number, word in zip(numbers, words, strict=True)):
        raise TreeError("the words are not those of the codebook")
    return whole


def hash_plain(tree: Tree) -> str:
    """Return the digest of a tree as if its words were all words, which older readers see."""
    if tree.game.rules.excerpt is None:
        return tree.digest
    return replace(tree, game=from_description(tree.game.description)).digest


def unpack_words(table: Table, game: Game) -> str | None:
    """Let a table's game be an excerpt, if the table says so; return the claimed digest then.

    Raises FormatError or GameError if the keys are damaged.
    """
    more = table.more
    if "book" not in more:
        return None
    types = [type(more.get(key)) for key in KEYS]
    if types != [memoryview, int, memoryview, memoryview] or not game.notation.is_of_words:
        raise FormatError("damaged table: its description of the whole codebook is wrong")
    count, width = game.n_codes - game.n_secrets, width_of(max(1, more["book_codes"]))
    places = more["book_places"]
    is_whole = width <= 31 and len(places) == -(-count * width // 8)
    if not is_whole or len(more["book"]) != 32 or len(more["book_digest"]) != 32:
        raise FormatError("damaged table: its description of the whole codebook has wrong lengths")
    numbers = tuple(unpack_fields(places, count, width).tolist())
    name = f"codebook:{bytes(more['book']).hex()}"
    set_excerpt(game, Excerpt(name, more["book_codes"], numbers))
    return bytes(more["book_digest"]).hex()


def _count_bytes(game: Game) -> int:
    return sum(len(word.encode()) for word in game.rules.words)


MAX_CODES = 1 << 25
"""A game with more codes is not replayed: its codes alone would fill memory."""

Guesser = Callable[[TreeStates], NDArray[np.integer]]
"""Gives the guesses of the states of a level."""


def expand_tree(game: Game, provenance: Provenance, guess: Guesser) -> Tree:
    """Return the whole tree of a guesser's guesses, level by level from the root down.

    Raises FormatError if the game has too many codes, no secret agrees with the tree's start, or a
    guess gains no information, so that the tree would not end.
    """
    if game.n_codes > MAX_CODES:
        raise FormatError(f"{game.name} has {game.n_codes:,} codes; at most {MAX_CODES:,} fit here")
    states, levels = start_states(*follow(game, provenance.history)), list[Columns]()
    if not len(states.candidates):
        raise FormatError("no secret agrees with the guesses before the tree's start")
    while len(states.sizes):
        guesses = guess(states)
        split = split_states(game, states, guesses)
        if len(split.stalled):
            raise FormatError("a guess gains no information: all candidates answer it alike")
        levels.append(list_level(states, guesses, split.below))
        states = split.below
    return join_levels(game, provenance, levels)


class _Stored:
    """The guesses that a table stores, taken in their order."""

    def __init__(self, guesses: NDArray[np.integer]) -> None:
        self.guesses, self.n_taken = guesses, 0

    def take(self, count: int) -> NDArray[np.integer]:
        """Return the next ones; raise FormatError if there are not as many."""
        begin, self.n_taken = self.n_taken, self.n_taken + count
        if self.n_taken > len(self.guesses):
            raise FormatError("the guesses lead to more nodes than n_nodes")
        return self.guesses[begin : self.n_taken]


PROFILES = ("full", "lean", "slim")


@dataclass(frozen=True, slots=True)
class Section:
    """A binary section, whose bytes are computed as they are written; `pieces` is consumed once."""

    size_bytes: int
    pieces: Iterable[bytes]


@dataclass(frozen=True, slots=True)
class PackedProfile:
    """What a profile stores in a table.

    The table stands for `n_nodes` nodes. States with `implicit` candidates or fewer are left out,
    and their first candidate is guessed; 0 in the profile full.
    """

    n_nodes: int
    implicit: int
    sections: list[Section]


def pack_profile(tree: Tree, profile: str) -> PackedProfile:
    """Return the contents of a checked tree in a profile.

    Raises FormatError if no player would take the table: it would have to keep too many candidates,
    or score them.
    """
    implicit = 0 if profile == "full" else find_implicit(tree)
    n_stored = _count_stored(tree, implicit)
    if implicit:
        _check_work(tree, profile, n_stored)
    sections = _pack_nodes(tree, implicit, n_stored)
    if profile == "slim":
        del sections[1]  # the responses
    return PackedProfile(n_stored, implicit, sections)


def _check_work(tree: Tree, profile: str, n_stored: int) -> None:
    """Raise FormatError where a player would keep, or score before the first guess, too much."""
    game, history = tree.game, tree.provenance.history
    if game.n_secrets > MAX_SECRETS:
        raise FormatError(
            f"the profile {profile} is for games of at most {MAX_SECRETS:,} secrets, which the"
            f" player keeps; {game.name} has {game.n_secrets:,}: use the profile full"
        )
    earlier = [history[:length] for length in range(len(history))]
    n_scored = sum(len(select_candidates(game, part)) for part in earlier)
    n_pegs, most = n_scored * game.n_pegs, FREE_WORK + WORK_PER_NODE * n_stored
    if n_pegs > most:
        raise FormatError(
            f"to open this tree's table of the profile {profile}, a player would compare {n_pegs:,}"
            f" pegs; at most {most:,} are allowed: use the profile full"
        )


def find_implicit(tree: Tree) -> int:
    """Return the most candidates of a state whose guess need not be stored: 2 or 1.

    A single candidate is always guessed. Of two candidates most strategies guess the lower one; 2
    means that this tree does so in every such state.
    """
    for begin, end in iter_pieces(1, tree.n_nodes):
        pairs = begin + np.flatnonzero(tree.n_candidates[begin:end] == 2)
        # The guess is one of the two if it has one child: else it separates them.
        is_winning = tree.first_child[pairs + 1] - tree.first_child[pairs] == 1
        if not is_winning.all() or np.any(tree.guess[pairs] >= tree.guess[tree.first_child[pairs]]):
            return 1
    return 2


def make_tree(table: Table, game: Game, provenance: Provenance) -> Tree:
    """Return the tree of a checked table.

    Raises FormatError if the guesses of a table that leaves states out do not lead to its nodes.
    """
    if game.n_codes != table.n_codes or game.n_responses != table.n_responses:
        raise FormatError(f"the counts are not those of {game.name}")
    guess = unpack_fields(table.guesses, table.n_nodes, width_of(game.n_codes)).astype(np.int32)
    if table.implicit == 0:
        return _make_full(table, game, provenance, guess)
    stored = _Stored(guess)

    def find_guesses(states: TreeStates) -> NDArray[np.integer]:
        """Return the stored guesses, and the first candidate in implicit states."""
        guesses = states.candidates[states.starts[:-1]].copy()
        is_stored = states.sizes > table.implicit
        is_stored[0] |= stored.n_taken == 0
        guesses[is_stored] = stored.take(int(is_stored.sum()))
        return guesses

    tree = expand_tree(game, provenance, find_guesses)
    _check_nodes(table, tree, _count_stored(tree, table.implicit), "guesses")
    return tree


def _check_nodes(table: Table, tree: Tree, n_stored: int, what: str) -> None:
    """Raise FormatError unless a tree that guesses alone made has the nodes that a table stores.

    That its shape and responses come out as they are stored proves that the table is consistent.
    """
    stored = [section for section in (table.responses, table.shape) if section is not None]
    sections = _pack_nodes(tree, table.implicit, n_stored)[-len(stored) :]
    if n_stored != table.n_nodes or [b"".join(s.pieces) for s in sections] != stored:
        raise FormatError(f"the {what} do not lead to the table's nodes")


def _is_stored(tree: Tree, implicit: int, begin: int, end: int) -> NDArray[np.bool_]:
    """Return whether a table stores each node: the root, and those with enough candidates."""
    is_stored = tree.n_candidates[begin:end] > implicit
    if begin == 0 and end:
        is_stored[0] = True
    return is_stored


def _count_stored(tree: Tree, implicit: int) -> int:
    """Return the number of nodes that a table stores."""
    pieces = iter_pieces(0, tree.n_nodes)
    return sum(int(_is_stored(tree, implicit, *piece).sum()) for piece in pieces)


def _pack_nodes(tree: Tree, implicit: int, n_stored: int) -> list[Section]:
    """Return the sections guess, response, shape of the nodes that are stored."""
    guess_width = width_of(tree.game.n_codes)
    response_width = width_of(tree.game.n_responses - 1)
    guesses = _iter_stored(tree, implicit, tree.guess, 0)
    responses = _iter_stored(tree, implicit, tree.response, 1)
    return [
        Section(-(-n_stored * guess_width // 8), generate_fields(guesses, guess_width)),
        Section(
            -(-(n_stored - 1) * response_width // 8), generate_fields(responses, response_width)
        ),
        Section(-(-(2 * n_stored - 1) // 8), generate_shape(_iter_n_children(tree, implicit))),
    ]


def _iter_stored(
    tree: Tree, implicit: int, column: NDArray[np.integer], first: int
) -> Iterator[NDArray[np.integer]]:
    """Yield a column's values at the stored nodes, from the node `first` on, in pieces."""
    for begin, end in iter_pieces(first, tree.n_nodes):
        yield column[begin:end][_is_stored(tree, implicit, begin, end)]


def _iter_n_children(tree: Tree, implicit: int) -> Iterator[NDArray[np.integer]]:
    """Yield the numbers of stored children of the stored nodes, in pieces."""
    for begin, end in iter_families(tree.first_child):
        first, last = int(tree.first_child[begin]), int(tree.first_child[end])
        counted = np.concatenate(([0], np.cumsum(_is_stored(tree, implicit, first, last))))
        n_children = np.diff(counted[tree.first_child[begin : end + 1] - first])
        yield n_children[_is_stored(tree, implicit, begin, end)]


def _make_full(table: Table, game: Game, provenance: Provenance, guess: NDArray[np.int32]) -> Tree:
    n_nodes = table.n_nodes
    if not provenance.history and n_nodes < game.n_secrets:
        raise FormatError(f"{n_nodes} nodes cannot find the {game.n_secrets} secrets")
    response = np.full(n_nodes, NULL, dtype=list_columns(game.n_responses)["response"])
    width = width_of(game.n_responses - 1)
    response[1:] = unpack_fields(table.sections[1], n_nodes - 1, width)
    first_child = unpack_shape(table.shape, n_nodes)
    # A full table has no counts. A node's own candidate is its guess, where that may win; the
    # levels are then summed from the last one up.
    bare = Tree(game, provenance, guess, response, first_child, np.ones(n_nodes, dtype=np.int32))
    # A lookup table of questions says it by its shape: only leaves are candidates.
    is_lookup = isinstance(game.rules, LookupRules)
    ends = bare.guess < game.n_secrets if is_lookup else _find_winning(bare)
    n_candidates = ends.astype(np.int32)
    for begin, end in reversed(list(zip(bare.level_starts, bare.level_starts[1:], strict=False))):
        if begin:
            np.add.at(n_candidates, bare.parent[begin:end], n_candidates[begin:end])
    return Tree(game, provenance, guess, response, first_child, n_candidates)


def _find_winning(tree: Tree) -> NDArray[np.bool_]:
    """Return for each guess whether it agrees with all answers before it, and so may win."""
    game = tree.game
    wins = tree.guess < game.n_secrets
    for guess, response in tree.provenance.history:
        wins &= game.respond(np.array([guess]), tree.guess) == response
    children = np.arange(tree.n_nodes)
    ancestors = tree.parent.astype(np.int64)
    # All nodes climb together, one ancestor at a time: as many rounds as the tree has levels.
    while np.any(ancestors != NULL):
        below = np.flatnonzero(ancestors != NULL)
        replies = game.respond(tree.guess[ancestors[below]], tree.guess[below])
        wins[below] &= replies == tree.response[children[below]]
        children = np.where(ancestors == NULL, NULL, ancestors)
        ancestors = np.where(ancestors == NULL, NULL, tree.parent[ancestors])
    return wins
