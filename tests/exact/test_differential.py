"""Random small games under all options that cross: every search against a plain recursion.

A case draws a kind of game, goal, weights, costs, eligible guesses, objective, cap, first guesses
and history. What the search says must be so by `naive_exact.Play`, which shares nothing with it;
then the tree must verify, a worse one under its name or with a changed provenance must not, and
diff, explain and every format must agree with it.
"""

from __future__ import annotations

import io
import random
from dataclasses import replace
from functools import partial

import pytest

import treegen
from treegen import GameError, UsageError, read

from .. import naive, naive_exact, small_tables
from ..command import list_choices
from ..naive_shares import ExpandedTable
from ..small_games import history_of, list_candidates, write_history
from .searching import OBJECTIVES

LARGE_PEGS = ["p2c4r", "p2c4rb", "p3c3n", "p3c2r", "p2c5n", "p3c4n"]
PEGS = ["p1c1r", "p1c4r", "p2c2r", "p2c3r", "p2c2n", "p2c3n", "p3c2r", "p3c3n", "p2c3rb", "p3c2rb"]
READY = ["a21", "a111", "a22", "range1", "range4", "range6"]
LABELS = ["yes", "no", "a|b?", "c; d", " e", "f/g", "1", "2", "x:y", "eligible=all", "h, i", "ж"]
CHAINS = ["max,highest", "max,consistent,lowest", "entropy,lowest", "parts,highest"]
STYLES = list_choices("export text", "style")
READABLE = [("json", None), ("graphml", None), *(("text", style) for style in STYLES)]
N_QUICK, N_UNCERTAIN, N_SLOW, PER_TEST = 100, 50, 30000, 25
MOST_ROWS = 150
"""Of tables with a row for each choice of answers, which plain recursion takes."""


def draw_game(rng, most=6):
    """Return a game with its goal, weights and costs; `most`: words or rows of a table."""
    kind = rng.choice(["pegs", "ready", "words", "words", "table", "table", "table"])
    goal = rng.choice(["win", "identify"])
    if kind == "pegs":
        game = treegen.open_game(rng.choice(PEGS if most <= 6 else LARGE_PEGS), goal=goal)
    elif kind == "ready":
        game = treegen.open_game(rng.choice(READY), goal=goal)
    elif kind == "words":
        game = draw_words(rng, goal, most)
    else:
        game = draw_table(rng, goal, most)
    weights = costs = None
    if rng.random() < 0.4:
        weights = [rng.choice([0, 1, 1, 2, 9]) for _ in range(game.n_secrets)]
        weights = weights if any(weights) else None
    if rng.random() < 0.4:
        costs = [rng.choice([1, 1, 2, 3, 5]) for _ in range(game.n_codes)]
    return game.with_stakes(weights, costs) if weights or costs else game


def draw_words(rng, goal, most=6):
    """Return a few words, some of them perhaps guesses alone."""
    size, n = rng.choice([1, 2, 2, 3]), rng.randint(1, most + most // 2)
    words = list({"".join(rng.choices("abcd", k=size)): None for _ in range(n)})
    n_secrets = rng.randint(1, min(most, len(words)))
    feedback = rng.choice(["pegs", "black", "position"])
    return treegen.Codebook(words[:n_secrets], words[n_secrets:], feedback=feedback, goal=goal)


def draw_table(rng, goal, most=6):
    """Return a table of answers whose names, questions and answers hold all sorts of signs."""
    n, width = rng.randint(1, most), rng.randint(1, 4)
    answers = rng.sample(LABELS, rng.randint(2, 3))
    rows = [[rng.choice(answers) for _ in range(width)] for _ in range(n)]
    names = rng.sample([f"n{label}" for label in LABELS], n)
    questions = rng.sample([f"q{label}" for label in LABELS], width)
    try:
        return treegen.Questions(rows, names=names, questions=questions, goal=goal)
    except GameError:  # nothing tells any two of them apart
        return draw_table(rng, goal, most)


def draw_case(rng, most=6):
    """Return a game, its history and first guesses by number, and the options of its search."""
    game = draw_game(rng, most)
    return game, *draw_options(rng, game)


def draw_options(rng, game):
    """Return what `draw_case` does of a game."""
    history, secret = [], rng.randrange(game.n_secrets)
    least = rng.choice([*[game.rules.first_guess] * 9, 0])  # now and then what may not be asked
    for _ in range(rng.choice([0, 0, 0, 1, 2]) if game.rules.n_guesses else 0):
        guess = rng.randrange(least, game.n_codes)
        answer = game.respond(guess, secret)
        if answer != game.win:
            history.append((guess, int(answer)))
    first = []
    if rng.random() < 0.35 and game.rules.n_guesses:
        first = rng.choices(range(least, game.n_codes), k=rng.choice([1, 2, 3, 9]))
    options = {
        "eligible": rng.choice(["all", "all", "candidates", "hints", "consistent"]),
        "objective": rng.choice(OBJECTIVES),
        "max_length": rng.choice([None, None, rng.randint(1, 8)]),
        "history": write_history(game, history),
        "first": [game.format_code(guess) for guess in first] or None,
    }
    return history, first, options


def make_play(game, history, eligible):
    """Return the plain twin of a game after a history, its candidates, and illegal guesses."""
    guesses = range(game.rules.first_guess, game.n_codes)
    reply = {
        (guess, code): int(game.respond(guess, code))
        for guess in guesses
        for code in range(game.n_codes if game.rule != "answers" else game.n_secrets)
    }
    candidates = [
        secret
        for secret in range(game.n_secrets)
        if all(reply[guess, secret] == answer for guess, answer in history)
    ]

    def narrow(legal, guess, answer, cell):
        if eligible == "all":
            return legal
        if eligible == "candidates":
            return frozenset(cell)
        return frozenset(code for code in legal if may_follow(guess, answer, code))

    def may_follow(guess, answer, code):
        if eligible == "consistent":
            return reply[guess, code] == (game.win if answer is None else answer)
        rows = game.codes.tolist()
        marks = naive.feedbacks("position", game.n_pegs)[game.win if answer is None else answer]
        return naive.uses_hints(rows[guess], marks, rows[code])

    legal = frozenset(candidates) if eligible == "candidates" else frozenset(guesses)
    breaches = []
    if eligible in ("hints", "consistent"):
        for guess, answer in history:
            breaches += [guess] if guess not in legal else []
            legal = narrow(legal, guess, answer, candidates)
    costs = game.costs.tolist()
    answers = {
        guess: [
            None if reply[guess, secret] == game.win else reply[guess, secret]
            for secret in range(game.n_secrets)
        ]
        for guess in guesses
    }
    weights = [1] * game.n_secrets if game.weights is None else game.weights.tolist()
    ends = [0] * game.n_secrets if game.goal == "identify" else costs[: game.n_secrets]
    play = naive_exact.Play(answers, weights, costs, ends, legal, narrow)
    return play, tuple(candidates), breaches


def figures_of(tree):
    """Return (total, worst, n_worst) of a tree."""
    return tree.total, tree.worst, tree.n_worst


def is_refused(game, options):
    """Return whether a search refuses these options, as docs/optimal.md says."""
    eligible = options["eligible"]
    is_table = game.rule == "answers"
    if eligible == "hints":
        return game.rule != "position" or is_other(game)
    if eligible == "consistent":
        return is_table or (is_other(game) and game.n_secrets < game.n_codes)
    return eligible == "candidates" and is_table and game.goal == "identify"


def is_other(game):
    """Return whether a game needs the search for costs, questions or identifying."""
    return game.rules.given_costs is not None or game.goal == "identify" or game.rule == "answers"


def check_case(seed, most=6):
    """Search a random game; return its tree, None where there is none, and it is said why."""
    if check_unasked(seed, most):
        return None
    return search_case(seed, *draw_case(random.Random(seed), most))


def search_case(seed, game, history, first, options):
    """Search a game under options; return what `check_case` does."""
    what = f"seed {seed}: {game.description}, {options}"
    if is_refused(game, options):
        with pytest.raises((GameError, UsageError), match="eligible"):
            treegen.build(game, "optimal", **options)
        return None
    play, secrets, breaches = make_play(game, history, options["eligible"])
    if options["eligible"] in ("hints", "consistent"):
        breaches += [guess for guess in first if guess not in play.legal]
    if breaches:
        with pytest.raises(UsageError, match="breaks eligible"):
            treegen.build(game, "optimal", **options)
        return None
    try:
        tree = treegen.build(game, "optimal", **options)
    except UsageError as error:
        return explain_refusal(error, game, history, first, options, play, secrets, what)
    expected = play.best_figures(options["objective"], secrets, first, options["max_length"])
    assert expected is not None, f"{what}: a tree where there is none"
    for found, right in zip(figures_of(tree), expected, strict=True):
        assert right in (None, found), f"{what}: {figures_of(tree)}, right is {expected}"
    assert tree.provenance.bound == tree.total, what
    return tree


def check_unasked(seed, most=6):
    """Return whether a random case guesses what may not be asked, which is refused everywhere."""
    game, history, first, options = draw_case(random.Random(seed), most)
    is_past = any(guess < game.rules.first_guess for guess, _ in history)
    if not is_past and all(guess >= game.rules.first_guess for guess in first):
        return False
    name = "history" if is_past else "first"
    given = {name: options[name]}
    calls = [partial(treegen.build, game, search) for search in ("optimal", "best", "entropy")]
    calls += [partial(treegen.openings, game), partial(treegen.advice, game)] * is_past
    for call in calls:
        with pytest.raises(GameError, match="is not guessed; what may be asked: "):
            call(**given)
    return True


def explain_refusal(error, game, history, first, options, play, secrets, what):
    text = str(error)
    if "gains no information" in text:
        assert not gains_something(game, play, secrets, first), what
        return
    assert "(proved)" in text, f"{what}: {error!r}"
    assert "None" not in text, f"{what}: {error!r}"
    expected = play.best_figures(options["objective"], secrets, first, options["max_length"])
    assert expected is None, f"{what}: no tree, but there is one: {expected}"


def gains_something(game, play, secrets, first):
    """Return whether a game may begin with one of the first guesses, or needs none."""
    is_over = len(secrets) == 1 and game.goal == "identify"
    return is_over or not first or any(play.cut(guess, secrets, play.legal) for guess in first)


def check_best(seed):
    """Search a random game near its optimum, and rank its openings: both know the least total."""
    if check_unasked(seed):
        return
    game, history, first, options = draw_case(random.Random(seed))
    eligible = options.pop("eligible")
    play, secrets, _ = make_play(game, history, "all")
    what = f"seed {seed}: {game.description}, {options}"
    del options["objective"], options["max_length"]
    if gains_something(game, play, secrets, first):
        tree = treegen.build(game, "best", beam=1 + seed % 3, **options)
        least, _, _ = play.best_figures("total", secrets, first)
        assert tree.provenance.bound <= least <= tree.total, what
        assert treegen.verify(tree).problems == (), f"{what}: {treegen.verify(tree)}"
        if len(secrets) > 1:
            cost = treegen.explain(tree, exact=True)
            assert cost.total_best == play.best_figures("total", secrets)[0], what
    check_openings(game, history, eligible, what)


def check_openings(game, history, eligible, what):
    """Compare all first guesses with their least totals."""
    if is_refused(game, {"eligible": eligible}):
        return
    play, secrets, breaches = make_play(game, history, eligible)
    if len(secrets) == 1 or breaches:
        return
    past = write_history(game, history)
    ranking = treegen.openings(game, "optimal", history=past, eligible=eligible, top=1000)
    totals = {
        cut[0]: play.pairs_after(cut, secrets)[-1][1] for cut in play.list_cuts(secrets, play.legal)
    }
    for row in ranking.ranking.rows:
        assert row.total == totals[row.code], f"{what}: opening {row.code}"
    assert ranking.ranking.rows[0].total == min(totals.values()), what


def check_tree(tree, seed, formats):
    """Verify a tree and what is said of it; forge a worse one under its name; read it back."""
    what = f"seed {seed}: {tree.game.description}, {tree.provenance}"
    is_proved = seed % 3 == 0
    report = treegen.verify(tree, prove=is_proved)
    assert (report.is_proved, report.problems) == (is_proved, ()), f"{what}: {report}"
    game, provenance = tree.game, tree.provenance
    past = write_history(game, provenance.history)
    other = treegen.build(game, draw_rule(game, seed), history=past)
    check_forged(tree, replace(other, provenance=provenance), what)
    check_changed(tree, seed, what)
    check_diff(tree, other, what)
    check_explain(other, what)
    check_read_back(tree, formats, what)
    check_symbols(tree, seed, formats, what)


def draw_rule(game, seed):
    """Return a rule whose trees are often bad."""
    eligible = "all" if game.rules.first_guess or seed % 3 else "candidates"
    chain = treegen.make_chain(*CHAINS[seed % len(CHAINS)].split(","))
    return replace(chain, eligible=eligible, n_direct=1 + seed % 2)


def check_forged(tree, forged, what):
    """A tree that is worse than the one whose provenance it bears must not pass."""
    names = tree.provenance.objective.split(",")
    worse = [getattr(forged, name) for name in names] > [getattr(tree, name) for name in names]
    if worse:
        report = treegen.verify(forged)
        if not report.problems:
            report = treegen.verify(forged, prove=True)
        assert not report.is_proved, f"{what}: a worse tree passes: {forged.total}"
        assert report.problems, what


def check_changed(tree, seed, what):
    """What the provenance says with one sign changed is not passed for what it said before."""
    rng = random.Random(seed)
    name = rng.choice(["strategy", "rule", "objective"])
    text = getattr(tree.provenance, name)
    at, sign = rng.randrange(len(text)), rng.choice([*" ;,=|.x", "\u3164", "\u034f", ""])
    changed = rng.choice([text.upper(), text.title(), text[:at] + sign + text[at + (sign == "") :]])
    report = treegen.verify(
        replace(tree, provenance=replace(tree.provenance, **{name: changed})), prove=True
    )
    assert not report.is_proved, f"{what}: {name} {changed!r} passes"
    assert report.problems or name in [claim.name for claim in report.unchecked], what


def check_diff(tree, other, what):
    """The totals of states where trees part are those of the trees below them."""
    for part in treegen.diff(tree, other).differences:
        for side, whole in ((part.a, tree), (part.b, other)):
            below = whole.subtree(whole[side.node].history)
            assert (side.total, side.worst) == (below.total, below.worst), what


def check_explain(tree, what):
    """The rule of a tree chooses what the tree guesses, in each of its states."""
    for number in range(0, tree.n_nodes, 1 + tree.n_nodes // 2):
        node = tree[number]
        answers = [answer for _, answer in write_history(tree.game, history_of(tree, number))]
        assert treegen.explain(tree, path=answers).chosen == node.guess, f"{what}: node {number}"


SIGNS = ["a,b", ",", "[", "x:y", "u/v", "1", "11", "2", "-", "é", '"q', "{r}", "→", "no", "(5)"]
"""Of some of these a game's symbols are drawn."""


def check_symbols(tree, seed, formats, what):
    """Whatever is typed or printed with symbols means what it means in the game's own."""
    game, rng = tree.game, random.Random(seed)
    pool = [*"abcdefghijklmnopq"] if seed % 2 else SIGNS
    if game.n_colors > len(pool):
        return
    symbols = rng.sample(pool, game.n_colors)
    named = game.with_symbols(symbols)
    what = f"{what}, symbols {symbols}"
    codes = range(game.rules.first_guess, game.n_codes)
    written = [named.format_code(code) for code in codes]
    assert written == [game.format_code(code, symbols) for code in codes], what
    assert [named.parse_code(text) for text in written] == [*codes], what
    assert [game.parse_code(text, symbols) for text in written] == [*codes], what
    past = (*tree.provenance.history, *history_of(tree, tree.n_nodes - 1))
    secret = int(tree.guess[-1])
    kept = [named.format_code(code) for code in list_candidates(game, past)]
    if past:
        texts = [
            (named.notation.name_guess(guess), named.format_response(a, guess)) for guess, a in past
        ]
        found = treegen.advice(game, "entropy", history=texts, top=0, symbols=symbols)
        assert (found.candidates, found.history) == (kept, tuple(texts)), what
        typed = treegen.advice(named, "entropy", history=texts, top=0)
        assert typed.history == tuple(texts), what
    session = treegen.play(tree, history=write_history(named, history_of(tree, 0)), symbols=symbols)
    assert session.guess == named.format_code(session.code), what
    played = tree.play(named.format_code(secret), symbols=symbols)
    assert [turn["guess"] for turn in played.to_dict()["turns"]] == [
        named.format_code(turn.code) for turn in played.turns
    ], what
    check_read_back(tree, formats, what, symbols)


def check_read_back(tree, formats, what, symbols=None):
    """Each format gives a tree back, as far as it can hold it."""
    for name in ("tree", "table"):
        file = io.BytesIO()
        tree.write(file, name)
        assert read(file.getvalue()).digest == tree.digest, f"{what}: {name}"
    for name, style in formats:
        file = io.BytesIO()
        options = {"symbols": symbols} | ({} if style is None else {"style": style})
        try:
            tree.write(file, name, **options)
        except UsageError:
            assert style is not None, what
            continue
        how = style if style and symbols else name  # a lone symbol may be in any format
        past = None
        if style not in (None, "key"):  # some styles have no header
            past = write_history(tree.game.with_symbols(symbols), tree.provenance.history)
        back = treegen.import_tree(
            io.BytesIO(file.getvalue()), tree.game, format=how, history=past, symbols=symbols
        )
        assert back.digest == tree.digest, f"{what}: {name} {style}"


def check_seed(seed):
    """Do everything with a random game; of the formats, each sixth in turn."""
    tree = check_case(seed)
    if tree is not None:
        check_tree(tree, seed, READABLE[seed % 6 :: 6])
    if seed % 3 == 0:
        check_best(seed)


@pytest.mark.parametrize("begin", range(0, N_QUICK, PER_TEST))
def test_searches_and_files_agree_with_plain_definitions(begin):
    for seed in range(begin, begin + PER_TEST):
        check_seed(seed)


@pytest.mark.slow
@pytest.mark.parametrize("begin", range(N_QUICK, N_SLOW, 40 * PER_TEST))
def test_more_searches_and_files_agree_with_plain_definitions(begin):
    for seed in range(begin, begin + 40 * PER_TEST):
        check_seed(seed)


# --- tables whose candidates may answer in several ways, or that have classes -------------------


def draw_uncertain(seed):
    """Return a game with shares, its twin, questions made with answers, options; None: another."""
    rng = random.Random(seed)
    if rng.random() < 0.3:
        game, plain = small_tables.draw_table(seed, goal="win", most_rows=5)
        expanded, answers = plain, lambda code: {0} if code < plain.n else cells[code - plain.n]
    else:
        game, plain = small_tables.draw_table(seed, most_rows=rng.choice([6, 9]))
        expanded, answers = ExpandedTable(plain), lambda question: cells[question]
    if game.rules.shares is None or (game.rules.first_guess and len(expanded.rows) > MOST_ROWS):
        return None
    past = rng.sample(plain.questions, min(rng.choice([0, 0, 1, 2]), len(plain.questions)))
    row = rng.randrange(game.n_secrets)
    cells = (plain.plain if expanded is plain else plain).cells[row]
    # To win, the candidate itself was not guessed before.
    history = [
        (asked, rng.choice(sorted(answers(asked))))
        for asked in past
        if row != asked or game.rules.first_guess
    ]
    first = rng.sample(plain.questions, min(rng.choice([0, 0, 1, 2]), len(plain.questions)))
    options = {
        "objective": rng.choice(OBJECTIVES),
        "max_length": rng.choice([None, None, rng.randint(1, 8)]),
        "history": write_history(
            game, [(game.rules.first_guess + q, answer) for q, answer in history]
        ),
        "first": [game.format_code(game.rules.first_guess + question) for question in first]
        or None,
    }
    return game, expanded, history, first, options


def check_uncertain(seed):
    """Search a random table with gaps or classes; return its tree, None where there is none."""
    drawn = draw_uncertain(seed)
    if drawn is None:
        return None
    game, expanded, history, first, options = drawn
    what = f"seed {seed}: {game.description}, {options}"
    left = expanded.list_left(history)
    is_open = expanded.is_open(left)
    useful = [question for question in first if expanded.is_useful(left, question)]
    figures = expanded.find_best(
        options["objective"], tuple(useful), history, options["max_length"]
    )
    try:
        tree = treegen.build(game, "optimal", **options)
    except UsageError as error:
        if "excludes a candidate" in str(error):
            assert is_open and first and not useful, what
        else:
            assert "(proved)" in str(error) and figures is None, f"{what}: {error!r}"
        return None
    assert figures is not None, f"{what}: a tree where there is none"
    for found, right in zip(figures_of(tree), figures, strict=True):
        assert right in (None, found), f"{what}: {figures_of(tree)}, right is {figures}"
    assert tree.provenance.bound == tree.total, what
    return tree


@pytest.mark.parametrize("begin", range(0, N_UNCERTAIN, PER_TEST))
def test_searches_of_uncertain_tables_agree_with_plain_definitions(begin):
    trees = [check_uncertain(seed) for seed in range(begin, begin + PER_TEST)]
    assert trees.count(None) < PER_TEST
