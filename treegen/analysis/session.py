"""One game played along a tree: against a known secret, or answer by answer with undo.

A player may guess something other than the tree does. Then the tree no longer applies, and the game
continues along another one that starts after the guesses actually made.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import SupportsIndex, Unpack

import numpy as np
from numpy.typing import NDArray

from .._options import check_keywords, check_seed, check_whole, describe_parameters
from .._printing import Listed
from ..errors import GameError, StrategyError, UnreachableError, UsageError
from ..formats.inputs import (
    GameOptions,
    GameSource,
    HistorySource,
    Notice,
    StrategySource,
    open_game,
    parse_history,
)
from ..formats.tree_file import TreeSource, is_tree, read
from ..games.base import Game, excludes_any, select_candidates
from ..games.eligible import (
    Eligible,
    describe_breach,
    describe_first_breach,
    is_rule_of_play,
    resolve_eligible,
)
from ..games.histories import parse_pair, write_pairs
from ..games.notation import read_answer, read_code
from ..games.rules import GROUP_MARK
from ..games.text import name_few, read_json_list
from ..job import Job, open_job, prepare
from ..strategies.named import is_search, parse_strategy, plays_online, read_provenance
from ..strategies.strategy import Strategy, change_strategy, default_rule, parse_rule
from ..tasks.work import ProgressOption
from ..tree.tree import NULL, History, Pairs, PlayedGame, Tree, Turn, weigh_secrets
from ..tree.walk import (
    cut_at,
    describe_conflict,
    describe_dead_end,
    find_child,
    find_node,
    history_of,
    is_announced,
    list_shares,
    write_announced,
)
from .advice import Advice, advise
from .options import ADVICE, PLAY


def play_tree(
    tree: Tree,
    secret: str | None = None,
    *,
    index: int | None = None,
    evil: bool = False,
    limit: int | None = None,
    symbols: str | Sequence[str] | None = None,
) -> PlayedGame:
    """Return the game of a tree against a secret; see `Tree.play`."""
    check_whole(limit=limit)
    tree = _rename(tree, symbols)
    game = tree.game
    names = game.notation.symbols
    if [secret is not None, index is not None, evil].count(True) != 1:
        raise UsageError(
            "a game is played against a secret, the secret of an index, or evil=True: one of these"
        )
    node = _find_evil_end(tree) if evil else 0
    if evil:
        index = int(tree.guess[node])
    if index is not None and not isinstance(index, SupportsIndex):
        raise TypeError(f"index= is the number of a secret, not {index!r:.80}")
    if index is not None and not 0 <= index < game.n_secrets:
        raise UsageError(
            f"index {index} is out of range: the secrets are 0 to {game.n_secrets - 1}"
        )
    if index is not None:
        codes = [int(index)]
    else:
        codes = list_class(game, secret) or [read_code(game.notation, secret, is_secret=True)]
    given = secret or game.format_code(codes[0])
    strategy, played = tree.provenance.strategy, list[PlayedGame]()
    ways = list_ways(tree, codes)
    if evil:  # which answers as it likes what a candidate may answer in several ways
        path = [response for _, response in history_of(tree, node)]
        ways = [(way, Fraction(1)) for way, _ in ways if _list_responses(way)[: len(path)] == path]
    for turns, share in ways:
        found = game.format_code(codes[0])
        if game.rules.announces_several:
            found = write_announced(tree, find_node(tree, _list_responses(turns)))
            given = found if evil else given
        shown = turns[:limit]
        is_found = shown == turns
        played.append(PlayedGame(game, strategy, given, shown, is_found, names, found, share))
    return replace(played[0], others=tuple(played[1:]))


def _list_responses(turns: Sequence[Turn]) -> list[int]:
    return [turn.response for turn in turns]


def list_class(game: Game, text: object) -> list[int]:
    """Return the secrets of a class; none if the text is not a class, or names a candidate.

    Some may be of several classes, ``edible | poisonous``.
    """
    if not isinstance(text, str) or text in game.notation.symbols[: game.n_secrets]:
        return []
    classes = enumerate(game.rules.classes)
    return [code for code, name in classes if text in (name, *name.split(GROUP_MARK))]


@dataclass(slots=True)
class Session(Listed[Turn]):
    """A game in progress along a tree.

    Attributes
    ----------
    tree
        The tree at the start.
    turns
        The guesses so far, the tree's own or not, with their answers.
    rebuild
        Makes the tree after a history, if something else was guessed than the tree's guess. None:
        by `choose_rule`.

    Examples
    --------
    >>> from treegen import build
    >>> session = Session(build("p2c3r"))
    >>> session.answer("10")
    >>> session.guess, len(session.turns), session.is_over
    ('12', 1, False)
    >>> session
    <Session p2c3r-knuth: 1 guess, 4 left>
    """

    tree: Tree
    turns: list[Turn] = field(default_factory=list)
    rebuild: Callable[[History], Tree] | None = field(default=None, compare=False)
    _places: list[tuple[Tree, int]] = field(init=False)  # at the start, then after each answer
    _skipped: tuple[int, ...] = field(default=(), init=False)  # questions not to be asked again

    def __post_init__(self) -> None:
        self._places = [(self.tree, 0)]

    def __repr__(self) -> str:
        """Return the game, the strategy, and how far it is."""
        name = f"{self.tree.game.name}-{self.tree.provenance.strategy}"
        guesses = f"{len(self.turns)} guess{'es' * (len(self.turns) != 1)}"
        return f"<Session {name}: {guesses}, {self.n_left} left>"

    def _list(self) -> Sequence[Turn]:
        return self.turns

    @property
    def is_over(self) -> bool:
        """Whether the last answer won, or one candidate is left to identify."""
        if self.turns and self.turns[-1].response == self.tree.game.win:
            return True
        return is_announced(*self._places[-1])

    @property
    def guess(self) -> str:
        """What to guess now, as people write it (after the end: the secret, or its class)."""
        if self.is_over and self.tree.game.rules.announces_several:
            return write_announced(*self._places[-1])
        return self.tree.game.format_code(self.code)

    @property
    def code(self) -> int:
        """Index of the code to guess now (after the end: of the secret)."""
        if self.turns and self.turns[-1].response == self.tree.game.win:
            return self.turns[-1].code
        tree, node = self._places[-1]
        return int(tree.guess[node])

    @property
    def shares(self) -> list[tuple[str, float]]:
        """What may be announced now, the likeliest first, with its share of the weight left.

        In a table with classes they are classes.
        """
        tree, node = self._places[-1]
        return list_shares(tree, [(node, NULL)])

    @property
    def n_left(self) -> int:
        """Candidates left now."""
        return self.turns[-1].n_left if self.turns else self.tree.n_secrets

    @property
    def history(self) -> Pairs:
        """All guesses with their answers, including those before the tree."""
        return write_pairs(self.tree.game.notation, self._past)

    @property
    def candidates(self) -> list[str]:
        """The codes that are still possible; after the end the secret alone."""
        codes = select_candidates(self.tree.game, self._past)
        return [self.tree.game.format_code(code) for code in codes.tolist()]

    @property
    def _past(self) -> History:
        pairs = ((turn.code, turn.response) for turn in self.turns)
        return (*self.tree.provenance.history, *pairs)

    def advise(self, strategy: Strategy | None = None, *, n_top: int = 10) -> Advice:
        """Return the candidates and the best guesses now, with what each leaves.

        Parameters
        ----------
        strategy
            The rule that ranks the guesses, of those that the tree's rule of play allows; None: by
            `choose_rule`.
        n_top
            How many guesses are ranked.

        Raises
        ------
        UsageError
            The game is over.

        Examples
        --------
        >>> from treegen import build
        >>> session = Session(build("p4c6r"))
        >>> session.answer("30")
        >>> advice = session.advise(n_top=1)
        >>> [(row.guess == session.guess, row.sizes) for row in advice.guesses]
        [(True, (5, 4, 4, 3, 2, 1, 1))]
        """
        self._refuse_after_the_end()
        rule = keep_rule_of_play(self.tree, strategy) if strategy else choose_rule(self.tree)
        return advise(self.tree.game, rule, history=self._past, n_top=n_top)

    def answer(self, answer: str, guess: str | None = None) -> None:
        """Take the answer to the current guess, or to another.

        Parameters
        ----------
        answer
            The answer, as people write it; ``"1234:11"`` is the answer to another guess.
        guess
            What was guessed, if it was not the proposed guess.

        Raises
        ------
        UnreachableError
            No secret agrees with it and the answers before; the message says which contradict.
        UsageError
            The game is over, or the guess breaks the rule by which it is played (hard mode). Or
            only skipped questions could help: then the answer is taken.
        GameError
            A text is neither an answer nor a code of the game.
        TypeError
            An argument is not a text.

        Examples
        --------
        >>> from treegen import build
        >>> session = Session(build("p4c6r"))
        >>> session.answer("11", guess="1234")
        >>> session.n_left
        252
        """
        game = self.tree.game
        if guess is not None:
            code = read_code(game.notation, guess)
            self.respond(read_answer(game.notation, answer, code), code)
            return
        try:  # an answer first: its words may hold a colon
            response, code = read_answer(game.notation, answer, self.code), self.code
        except GameError:
            if ":" not in answer and read_json_list(answer) is None:
                raise
            code, response = parse_pair(answer, game.notation)
        self.respond(response, code)

    def respond(self, response: int, code: int | None = None) -> None:
        """Take the answer to the current guess, or to another code, like `answer`, by index."""
        self._refuse_after_the_end()
        if code is not None and code != self.code:
            self._respond_to(code, response)
            return
        tree, node = self._places[-1]
        if response == tree.game.win and tree.wins(node):  # a win has no node of its own
            self._go_on(self.code, response, 1, tree, node)
            return
        child = find_child(tree, node, response)
        if child is None and not 0 <= response < tree.game.n_responses:
            raise UnreachableError(describe_dead_end(tree, node, response))
        if child is None:
            reason = describe_conflict(tree.game, (*self._past, (self.code, response)))
            raise UnreachableError(f"{describe_dead_end(tree, node, response)}. {reason}")
        self._go_on(self.code, response, int(tree.n_candidates[child]), tree, child)

    def _respond_to(self, code: int, response: int) -> None:
        """Take a guess that is not the tree's, and the answer to it."""
        game, history = self.tree.game, (*self._past, (code, response))
        eligible = read_provenance(self.tree.provenance, game).eligible
        if is_rule_of_play(eligible):  # such as hard mode
            breach = describe_breach(game, eligible, self._past, code)
            if breach:
                raise UsageError(breach)
        n_left = len(select_candidates(game, history))
        if not n_left:
            raise UnreachableError(describe_conflict(game, history))
        if response == game.win:  # it is over: the place is not asked for again
            tree, node = self._places[-1]
        elif self.rebuild is not None:
            tree, node = self.rebuild(history), 0
        else:
            # A game that follows its tree needs no compiler.
            from ..builder.grow import build_tree

            tree, node = build_tree(game, choose_rule(self.tree), history=history), 0
        self._go_on(code, response, n_left, tree, node)

    def skip(self) -> None:
        """Ask something else, as the answer is not known; what was skipped is not asked again.

        Raises
        ------
        UsageError
            The game is over, or has no questions; or no other question tells more.
        """
        self._refuse_after_the_end()
        game = self.tree.game
        if not game.rules.n_questions:
            raise UsageError(f"only a question of a table may be skipped; {game.name} has none")
        if game.notation.name_step(self.code) != "question":
            raise UsageError(f"only a question may be skipped; {self.guess!r:.80} is a guess")
        self._skipped = (*self._skipped, self.code)
        try:
            self._avoid_skipped()
        except UsageError:
            self._skipped = self._skipped[:-1]
            raise

    def _avoid_skipped(self) -> None:
        """Go on along another tree where this one asks what was skipped."""
        tree, node = self._places[-1]
        if is_announced(tree, node) or int(tree.guess[node]) not in self._skipped:
            return
        from ..builder.grow import build_tree

        game = self.tree.game
        steps = range(game.rules.first_guess, game.n_codes)
        others = [code for code in steps if code not in self._skipped]
        useful = list_useful_questions(game, self._past, others)
        if not useful:
            raise UsageError(f"no other question tells more; left: {name_few(self.candidates)}")
        rule = replace(choose_rule(self.tree), opening=())
        self._places[-1] = build_tree(game, rule, history=self._past, first=useful), 0

    def undo(self) -> None:
        """Take the last answer back; raise UsageError if there is none."""
        if not self.turns:
            raise UsageError("there is no answer to take back")
        self.turns.pop()
        self._places.pop()

    def _go_on(self, code: int, response: int, n_left: int, tree: Tree, node: int) -> None:
        [(guess, answer)] = write_pairs(self.tree.game.notation, ((code, response),))
        self.turns.append(Turn(guess, answer, n_left, code, response))
        self._places.append((tree, node))
        self._avoid_skipped()

    def _refuse_after_the_end(self) -> None:
        if self.is_over:
            raise UsageError("the game is over; an answer may only be taken back")


def list_useful_questions(game: Game, history: History, codes: Sequence[int]) -> list[int]:
    """Return the questions, among some, whose answer excludes a candidate that is left."""
    asked = {code for code, _ in history}
    candidates = select_candidates(game, history)
    useful = []
    for code in codes:
        if code not in asked and excludes_any(game, code, candidates):
            useful.append(code)
    return useful


def choose_rule(tree: Tree) -> Strategy:
    """Return the rule by which a tree was built, or the game's default if it has none.

    What the tree states about allowed guesses, such as hard mode, holds for the default too.

    >>> from treegen import build
    >>> choose_rule(build("p3c4r", "entropy")).name, choose_rule(build("p3c4r", "optimal")).name
    ('entropy', 'knuth')
    """
    try:
        return parse_rule(tree.provenance.rule, tree.provenance.strategy)
    except StrategyError:
        return keep_rule_of_play(tree, parse_strategy(default_rule(tree.game), tree.game))


def keep_rule_of_play(tree: Tree, strategy: Strategy) -> Strategy:
    """Return a strategy restricted to what a tree's rule of play, such as hard mode, allows."""
    eligible = read_provenance(tree.provenance, tree.game).eligible
    return change_strategy(strategy, eligible=eligible if is_rule_of_play(eligible) else None)


def list_ways(tree: Tree, secrets: Sequence[int]) -> list[tuple[tuple[Turn, ...], Fraction]]:
    """Return all games of a tree against one of some secrets, with their shares of these games.

    The likeliest comes first; there is one unless answers are uncertain, or several secrets are
    given. UnreachableError if they contradict the history at which the tree starts, or if the tree
    is wrong.
    """
    game, pairs = tree.game, tree.provenance.history
    weights = weigh_secrets(game, np.array(secrets)).tolist()
    whole = sum(weights)
    left = {
        code: Fraction(weight, whole) if whole else Fraction(1, len(secrets))
        for code, weight in zip(secrets, weights, strict=True)
    }
    for guess, response in pairs:
        before, left = left, _divide(game, guess, left).get(response, {})
        if not left:
            possible = game.answers(game.format_code(guess), game.format_code(next(iter(before))))
            raise UnreachableError(
                f"the secret {game.format_code(next(iter(before)))} answers"
                f" {game.format_code(guess)} with {' or '.join(possible)}; the history says"
                f" {game.format_response(response, guess)}"
            )
    ways, pending = list[tuple[tuple[Turn, ...], Fraction]](), [(0, left, tuple[Turn, ...]())]
    while pending:
        node, left, turns = pending.pop()
        if is_announced(tree, node):
            ways.append((turns, sum(left.values(), Fraction())))
            continue
        code = int(tree.guess[node])
        for response, cell in _divide(game, code, left).items():
            child = find_child(tree, node, response)
            is_won = response == game.win and tree.wins(node)
            if child is None and not is_won:
                raise UnreachableError(describe_dead_end(tree, node, response))
            n_left = 1 if child is None else int(tree.n_candidates[child])
            [written] = write_pairs(game.notation, ((code, response),))
            made = (*turns, Turn(*written, n_left, code, response))
            if child is None:
                ways.append((made, sum(cell.values(), Fraction())))
            else:
                pending.append((child, cell, made))
    reached = sum(share for _, share in ways)
    ways.sort(key=lambda way: (-way[1], [turn.response for turn in way[0]]))
    return [(turns, share / reached) for turns, share in ways]


def _divide(game: Game, guess: int, left: Mapping[int, Fraction]) -> dict[int, dict[int, Fraction]]:
    """Return for each answer to a guess the secrets that may give it, with their shares."""
    cells, secrets = dict[int, dict[int, Fraction]](), np.array([*left], dtype=np.int64)
    spread = game.rules.spread(np.array([guess]), secrets)
    given = secrets[spread.source].tolist()
    counts = Counter(given)
    for secret, response in zip(given, spread.answers.tolist(), strict=True):
        cells.setdefault(response, {})[secret] = left[secret] / counts[secret]
    return cells


PlaySource = GameSource | TreeSource
"""A tree, its file, or a game whose tree is built."""


@partial(describe_parameters, declared=PLAY)
def play(
    source: PlaySource,
    strategy: StrategySource | None = None,
    *,
    eligible: Eligible | None = None,
    history: HistorySource = None,
    seed: int | None = None,
    symbols: str | Sequence[str] | None = None,
    jobs: int | None = 1,
    progress: ProgressOption = None,
    notice: Notice | None = None,
    **rules: Unpack[GameOptions],
) -> Session:
    """Begin a game in which a tree, or a strategy's tree, breaks a code.

    Parameters
    ----------
    source
        A tree or its file; or a game, whose tree is built.
    {options}
    notice
        Called when the game leaves the tree, with the rule that continues it; and with what should
        be known of the game's file. None: of the latter it is a `TreegenWarning`.
    eligible, history, seed, jobs, progress, **rules
        See `build`; the history need not be the tree's own.

    Returns
    -------
    Session
        `Session.guess` is the guess to make, `Session.answer` takes the answer to it.

    Raises
    ------
    GameError, StrategyError, UsageError, UnreachableError
        The game or the strategy is unknown, an option does not fit, or no secret agrees with the
        history.

    See Also
    --------
    start_online : For codes too long for a tree.

    Examples
    --------
    >>> import treegen
    >>> session = treegen.play("p4c6r", "knuth")
    >>> session.guess
    '1122'
    >>> session.answer("02")
    >>> session.guess, session.n_left
    ('2344', 96)
    >>> print(session.tree.play("3163"))
     1  1122  10  256 left
     2  1344  02  41 left
     3  3135  21  4 left
     4  3156  21  1 left
     5  3163  40  1 left
    """
    check_keywords(play, rules, GameOptions)
    check_whole(jobs=jobs)
    check_seed(seed)
    if strategy is None and is_tree(source):
        _refuse_options(source, {**rules, "eligible": eligible, "seed": seed})
        tree = _rename(read(source), symbols)  # type: ignore[arg-type]
        return _play_tree(tree, history, jobs, progress, notice)
    game = open_game(source, notice=notice, **rules)  # type: ignore[arg-type]
    game = game if symbols is None else game.with_symbols(symbols)
    if isinstance(strategy, str) and plays_online(strategy):
        raise StrategyError(f"{strategy} makes no tree: start_online begins its games")
    job = prepare(
        game,
        strategy,
        eligible=eligible,
        seed=seed,
        history=history,
        jobs=jobs,
        progress=progress,
    )
    # A job has the game in its own notation; the session reads and writes the user's.
    job = replace(job, game=game)
    # No function of its own: a session can be pickled.
    rebuild = partial(_build, job)
    return Session(rebuild(job.past), rebuild=rebuild)


@partial(describe_parameters, declared=ADVICE)
def advice(
    source: PlaySource,
    strategy: StrategySource | None = None,
    *,
    history: HistorySource = None,
    top: int = 10,
    eligible: Eligible | None = None,
    seed: int | None = None,
    symbols: str | Sequence[str] | None = None,
    **rules: Unpack[GameOptions],
) -> Advice:
    """Return the candidates after some guesses, and the best guesses by a rule.

    Parameters
    ----------
    source
        A game; or a tree or its file, whose rule ranks the guesses.
    strategy
        The rule that ranks the guesses; None, for a game: the default of `build`.
    {options}
    eligible, history, seed, **rules
        See `build`.

    Raises
    ------
    UsageError
        No secret agrees with the history, or the strategy is a search.
    GameError, StrategyError
        The game or the strategy is unknown, or the state is too large.

    Examples
    --------
    >>> import treegen
    >>> found = treegen.advice("p4c6r", history="1122:02/1344:11", top=1)
    >>> len(found.candidates), found.guesses[0].guess
    (19, '5214')
    """
    check_keywords(advice, rules, GameOptions)
    check_whole(0, top=top)
    check_seed(seed)
    if isinstance(strategy, str) and is_search(strategy):
        raise UsageError(f"`top` ranks by a rule, such as entropy; {strategy} has none")
    past: History = ()
    if is_tree(source):
        _refuse_options(source, rules)
        tree = _rename(read(source), symbols)  # type: ignore[arg-type]
        game, past = tree.game, tree.provenance.history
        wanted = None if strategy is None else parse_strategy(strategy, game)
        rule = keep_rule_of_play(tree, wanted) if wanted else choose_rule(tree)
        rule = change_strategy(rule, eligible=eligible)
    else:
        game = open_game(source, **rules)  # type: ignore[arg-type]
        game = game if symbols is None else game.with_symbols(symbols)
        job = prepare(game, strategy, eligible=eligible, seed=seed)
        assert job.rule is not None  # searches were refused
        rule = job.rule
    found = advise(game, rule, history=(*past, *parse_history(history, game)), n_top=top)
    return replace(found, symbols=game.notation.symbols) if symbols else found


def _build(job: Job, past: History) -> Tree:
    """Build the tree of a strategy or a search that starts after a history."""
    with open_job(replace(job, past=past)) as tree:
        assert isinstance(tree, Tree)  # no parts on disk were asked for
        return tree


def _rename(tree: Tree, symbols: str | Sequence[str] | None) -> Tree:
    """Return a tree whose colors are read and written with symbols."""
    return tree if symbols is None else replace(tree, game=tree.game.with_symbols(symbols))


def _refuse_options(source: object, options: Mapping[str, object]) -> None:
    """Refuse an option of a game that is given with a tree."""
    for name, value in options.items():
        if value is not None and value is not False:  # an array has no one truth
            tree = os.fspath(source) if isinstance(source, (str, os.PathLike)) else str(source)
            raise UsageError(
                f"`{name}` works only with a game; {tree!r:.80} is a tree, which states its own"
            )


def _play_tree(
    tree: Tree,
    history: HistorySource,
    jobs: int | None,
    progress: ProgressOption,
    notice: Notice | None,
) -> Session:
    """Follow a history in a tree, or continue by its rule where the history leaves it."""
    rebuild = partial(_build_by_rule, tree, jobs, progress, notice)
    pairs = parse_history(history, tree.game)
    node = _follow(tree, pairs)
    if node is None:
        return Session(rebuild((*tree.provenance.history, *pairs)), rebuild=rebuild)
    return Session(cut_at(tree, node) if pairs else tree, rebuild=rebuild)


def _build_by_rule(
    tree: Tree,
    jobs: int | None,
    progress: ProgressOption,
    notice: Notice | None,
    past: History,
) -> Tree:
    """Build the tree after a history that leaves another tree, by that tree's rule."""
    rule = choose_rule(tree)
    is_own = rule.name == tree.provenance.strategy
    reason = "the tree's own rule" if is_own else "the tree has no rule"
    if read_provenance(tree.provenance, tree.game).search is not None:
        reason = "the tree's search is not repeated"
    if notice is not None:
        notice(f"not the tree's guess: continuing by {rule.name} ({reason}): {rule.rule}")
    job = prepare(tree.game, rule, jobs=jobs, progress=progress)
    return _build(replace(job, game=tree.game), past)


def _follow(tree: Tree, history: History) -> int | None:
    """Return the state after a history; None if a guess is not the tree's."""
    node = 0
    for guess, response in history:
        if guess != tree.guess[node]:
            return None
        child = find_child(tree, node, response)
        if child is None:
            raise UsageError(describe_dead_end(tree, node, response))
        node = child
    return node


@dataclass
class EvilMaker:
    """An opponent that keeps the secret open as long as it can.

    Of all answers to a guess it gives the one that leaves the most candidates; of equal ones the
    first in the order of the responses. So the guess is the secret only if no other is possible.
    A candidate that may give several answers is left by each of them.
    `history` holds the guesses and answers so far, `candidates`, int32[n], the secrets still
    possible; UsageError if there are none, or if a guess breaks the rule `eligible`.

    >>> from treegen import open_game
    >>> maker = EvilMaker(open_game("p4c6r"))
    >>> maker.game.format_response(maker.answer(7)), len(maker.candidates)
    ('00', 256)
    """

    game: Game
    history: History = ()
    eligible: Eligible = "all"
    candidates: NDArray[np.int32] = field(init=False)

    def __post_init__(self) -> None:
        self.candidates = select_candidates(self.game, self.history)
        if not len(self.candidates):
            raise UsageError(describe_conflict(self.game, self.history))
        resolve_eligible(self.game, self.eligible)
        breach = describe_first_breach(self.game, self.eligible, self.history)
        if breach:
            raise UsageError(breach)

    def answer(self, guess: int) -> int:
        """Return the response to a guess, and keep the candidates that it leaves."""
        breach = describe_breach(self.game, self.eligible, self.history, guess)
        if breach:
            raise UsageError(breach)
        spread = self.game.rules.spread(np.array([guess]), self.candidates)
        # Asked again, a question is answered alike.
        response = dict(self.history).get(guess, int(np.bincount(spread.answers).argmax()))
        self.candidates = self.candidates[spread.source][spread.answers == response]
        self.history = (*self.history, (guess, response))
        return response

    def is_over(self) -> bool:
        """Whether the game is over."""
        is_known = self.game.rules.is_over(self.candidates)
        return is_known or (bool(self.history) and self.history[-1][1] == self.game.win)


def _find_evil_end(tree: Tree) -> int:
    """Return the last state of a tree's game against the evil code-maker."""
    node = 0
    # The win has no node: its cell of one comes after all others, and is chosen when it is alone.
    while len(children := tree.children(node)):
        sizes = tree.n_candidates[children[0] : children[-1] + 1]  # children are adjacent
        node = children[0] + int(sizes.argmax())
    return node
