"""``treegen play``: a tree, or a strategy's tree built for this, breaks a code.

With ``--evil`` a person breaks the code of a code-maker that has none yet.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from .._options import check_whole
from ..analysis.options import ADVICE, PLAY, SIMULATE
from ..errors import GameError, TreegenError, UsageError
from ..formats.tree_file import is_tree, read
from ..games.base import Game
from ..games.eligible import ELIGIBLE, Eligible
from ..games.feedback import PegFeedback
from ..games.histories import parse_history, parse_pair
from ..games.notation import check_guess, count_steps, join_symbols, split_symbols
from ..games.rules import GROUP_MARK
from ..games.text import read_json_list
from ..job import prepare
from ..pictures.picture import choose_ink, list_paints, paint_marks, write_tiles
from ..strategies.named import plays_online
from .build import announce_work, follow_search
from .command import Command, Idle
from .options import (
    FILE,
    GAME,
    add_options,
    build_options,
    csv_option,
    game_argument,
    game_options,
    json_option,
    notify,
    open_game,
    open_rules,
    quiet_option,
    refuse_two_streams,
    symbols_option,
)
from .output import (
    Output,
    checks_outputs,
    open_file,
    picture_output,
    print_blocks,
    print_json,
    show_progress,
    write_lines,
    write_plot,
)

if TYPE_CHECKING:
    from rich.console import Console

    from ..analysis.session import Session
    from ..formats.inputs import GameOptions
    from ..online.player import OnlineStrategy
    from ..tasks.work import ProgressOption
    from ..tree.tree import PlayedGame, Tree, Turn


def _asks_advice(given: Mapping[str, Any]) -> bool:
    """Whether advice is wanted instead of a game."""
    return bool(given["top"] is not None or given["candidates"])


@click.command(
    cls=Command,
    idle=[
        Idle(
            ("secret", "evil", "limit", "picture"),
            _asks_advice,
            "beside --top or --candidates: no game is played",
        ),
        Idle(
            ("as_json",),
            lambda given: not (given["secret"] or given["evil"] or _asks_advice(given)),
            "without --secret, --evil, --top or --candidates",
        ),
        Idle(("table",), lambda given: given["top"] is None, "without --top, which ranks guesses"),
        Idle(
            ("weights", "costs"),
            lambda given: given["evil"] and not (given["strategy"] or is_tree(given["source"])),
            "where you guess: add -s STRATEGY",
        ),
    ],
)
@click.argument("source", type=GAME, metavar="[FILE|GAME]", default="p4c6r")
@game_options
@add_options(PLAY["strategy"])
@build_options("eligible", "history", "seed")
@click.option("--secret", metavar="CODE", help="Play against this secret, without questions.")
@click.option(
    "--evil",
    is_flag=True,
    help="Each answer leaves the most candidates; you guess, or with -s or FILE the tree does.",
)
@add_options(ADVICE["top"])
@click.option("--candidates", is_flag=True, help="List what is still possible; ask nothing.")
@click.option("--limit", type=int, help="Stop after this many guesses.")
@add_options(PLAY["symbols"])
@click.option("--picture", type=FILE, metavar="OUT", help="Draw the game: SVG, PNG or PDF.")
@add_options(SIMULATE["tables"])
@csv_option
@json_option
@checks_outputs(picture_output("picture"), Output("table", ("csv",)))
def play(
    source: str,
    rules: Mapping[str, Any],
    strategy: str | None,
    secret: str | None,
    evil: bool,
    top: int | None,
    candidates: bool,
    limit: int | None,
    tables: str | None,
    table: str | None,
    **given: Any,
) -> None:
    """Break a code: answer each guess with its feedback, or give the secret.

    Without FILE or GAME the game is p4c6r, the usual Mastermind.

    An answer is written as black and white pegs (02), or for words as marks: 00120, --yg- or
    colored squares. If you guessed something else, write the guess too: 1234:02. c lists the
    candidates, b the best guesses, u takes the last answer back, q quits. --top and --candidates
    print the same after --history, and end. --evil plays against answers that keep the code open as
    long as they can: without -s and FILE you guess, by --eligible if it is given. The exit code is
    1 if --limit ends the game before the code is found.
    """
    check_whole(top=top, limit=limit)
    refuse_two_streams(table, given["as_json"])
    if evil and secret is not None:
        raise UsageError("--evil has no secret: leave out --secret")
    if secret is None and "-" in (source, rules["guesses"]):
        raise UsageError("the standard input cannot give answers too: give --secret")
    wants_advice = top is not None or candidates
    if strategy is not None and plays_online(strategy):
        if wants_advice:
            raise UsageError(f"--top and --candidates need a rule; {strategy} has none")
        if evil:
            raise UsageError(f"--evil needs a tree; {strategy} plays without one")
        is_found = play_online(source, rules, strategy, secret, limit, tables, **given)
    elif tables is not None:
        raise UsageError("--tables works only with -s permutation")
    elif wants_advice:
        print_advice(source, rules, strategy, top or 0, candidates, table=table, **given)
        return
    elif evil and strategy is None and not is_tree(source):
        is_found = play_evil(open_game(source, rules), limit, **given)
    else:
        is_found = play_at_terminal(source, rules, strategy, secret, limit, evil=evil, **given)
    if is_found is False:  # a player who quits (None) is not a failure
        raise click.exceptions.Exit(1)


@click.command(cls=Command)
@game_argument
@click.argument("guess")
@click.argument("secrets", metavar="SECRET...", nargs=-1, required=True)
@symbols_option
@quiet_option
@json_option
def score(
    game: str,
    rules: Mapping[str, Any],
    guess: str,
    secrets: tuple[str, ...],
    symbols: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Print the answer to GUESS, a code or a question of GAME, for each SECRET.

    A candidate of a table may give several answers: all are printed, with the share of each.
    """
    asked = open_game(game, rules).with_symbols(symbols)
    answers = [asked.answers(guess, secret) for secret in secrets]
    if as_json:
        rows = list[dict[str, Any]]()
        for secret, found in zip(secrets, answers, strict=True):
            rows.append({"guess": guess, "secret": secret, "answer": GROUP_MARK.join(found)})
            if len(found) > 1:
                rows[-1]["shares"] = {answer: float(share) for answer, share in found.items()}
        print_json(rows)
        return
    width = max(map(len, secrets))
    for secret, found in zip(secrets, answers, strict=True):
        text = GROUP_MARK.join(found)
        if asked.notation.has_tiles:
            text += f"  {write_tiles(text)}"
        if len(found) > 1:
            text += f"  (1/{len(found)} each)"
        click.echo(text if len(secrets) == 1 else f"{secret:{width}}  {text}")


def print_advice(
    source: str,
    rules: Mapping[str, Any],
    strategy: str | None,
    top: int,
    lists_candidates: bool,
    *,
    table: str | None,
    as_json: bool,
    symbols: str | None,
    picture: str | None,
    **choices: Any,
) -> None:
    """Print the best guesses of a state, its candidates, or both; write the guesses as CSV."""
    from ..analysis.session import advice

    place, options = _take(source, rules, source == "-" or is_tree(source), symbols)
    found = advice(place, strategy, top=top, symbols=symbols, **choices, **options)
    if table is not None:
        write_lines(table, found.generate_csv())
    if as_json:
        print_json(found.to_dict())
        return
    if top and table != "-":
        print_blocks(found.describe_guesses())
    if lists_candidates and table != "-":
        print_blocks(found.describe_candidates())


def play_at_terminal(
    source: str,
    rules: Mapping[str, Any],
    strategy: str | None,
    secret: str | None,
    limit: int | None,
    *,
    evil: bool,
    symbols: str | None,
    picture: str | None,
    as_json: bool,
    **choices: Any,
) -> bool | None:
    """Play along a tree; return whether the code was found, None if a person quit."""
    from ..tree.walk import find_node

    has_tree = strategy is None and (source == "-" or is_tree(source))
    place, options = _take(source, rules, has_tree, symbols)
    session = _start(place, strategy, options, symbols=symbols, **choices)
    tree = session.tree
    if secret is None and not evil:
        is_found = _ask(session, limit)
        if picture is not None:
            draw(tree, session.turns, session.code, picture)
        return is_found
    played = tree.play(secret, evil=evil, limit=limit)
    print_json(played.to_dict()) if as_json else _print_played(played)
    if picture is not None:
        turns = played.turns
        if turns and turns[-1].response == tree.game.win:
            code = turns[-1].code
        else:
            code = int(tree.guess[find_node(tree, [turn.response for turn in turns])])
        draw(tree, turns, code, picture)
    return played.is_found


def _take(
    source: str, rules: Mapping[str, Any], has_tree: bool, symbols: str | None
) -> tuple[Any, GameOptions]:
    """Return a tree or its file, with the options of games; or the game that they make."""
    if has_tree:
        return read(open_file(source)) if source == "-" else source, open_rules(rules)
    return open_game(source, rules).with_symbols(symbols), {}


def _start(place: Any, strategy: str | None, rules: GameOptions, **choices: Any) -> Session:
    """Begin a game; a build says how long it takes, and shows a bar."""
    from ..analysis.session import play

    wanted: str | None = None
    progress: ProgressOption = show_progress(quiet=False)
    if isinstance(place, Game):
        wanted = strategy
        given = {name: choices[name] for name in ("history", "eligible", "seed") if name in choices}
        job = prepare(place, strategy, **given)
        announce_work(job)
        progress = progress if job.rule else follow_search(None, quiet=False)
    return play(place, wanted, jobs=None, progress=progress, notice=notify, **choices, **rules)


def _print_played(played: PlayedGame) -> None:
    """Print a game, with colored pegs on a terminal that has colors."""
    game = played.game
    for number, turn in enumerate(played.turns, start=1):
        guess = paint_guess(game, turn.code, turn.response)
        click.echo(f"{number:2}  {guess}  {turn.answer}  {turn.n_left} left")
    for block in list(played.describe())[len(played.turns) :]:
        click.echo(getattr(block, "text", ""))


MOST_ANSWERS = 12
"""At most this many answers to a question are listed."""

KEYS = "c lists the candidates, b the best guesses; u takes an answer back, q ends, ? repeats this."
"""What a player may type besides answers."""

DONE = {"guess": "guessed", "question": "asked"}
"""What was done by a step."""

SKIP = "s skips a question whose answer you do not know; "
"""What a player may type besides where questions are asked."""


def draw(tree: Tree, turns: Sequence[Turn], code: int, output: str) -> None:
    """Draw a game, and what is guessed or announced next unless it is won."""
    from ..pictures.game import GameRow, plot_rows

    before = [tree.n_secrets, *(turn.n_left for turn in turns)]
    rows = [
        GameRow(turn.code, turn.response, n_candidates)
        for turn, n_candidates in zip(turns, before, strict=False)
    ]
    if not turns or turns[-1].response != tree.game.win:
        rows.append(GameRow(code, None, before[-1]))
    title = f"{tree.game.notation.title} · {tree.provenance.strategy}"
    write_plot(plot_rows(tree.game, title, rows), output)


def _ask(session: Session, limit: int | None) -> bool | None:
    """Ask for answers until the code is found, the limit is reached or the input ends."""
    tree = session.tree
    game = tree.game
    if session.is_over:
        click.echo(_write_only(write_found(session), _announces_shares(session)))
        return True
    # An answer to the first guess, as an example: that of the most secrets.
    likely = max(tree.children(0), key=lambda child: int(tree.n_candidates[child]), default=None)
    answer = game.win if likely is None else int(tree.response[likely])
    marks, step = game.format_response(answer, int(tree.guess[0])), game.notation.step
    rules = (
        f"Answer each {step} {game.notation.how_to_answer} ({marks}); {step.upper()}:ANSWER"
        f" if you {DONE[step]} something else;"
        f" {SKIP if game.rules.n_questions else ''}{KEYS}"
    )
    click.echo(f"Think of a {game.notation.noun}: {_count_possible(tree.n_secrets)}. {rules}")
    while not session.is_over:
        number = len(session.turns) + 1
        if limit is not None and number > limit:
            return _stop(limit, game.notation.step)
        of = f"/{limit}" if limit else ""
        guess = paint_guess(game, session.code)
        answers = _list_answers(session)
        left = f"{session.n_left:,} left"
        step = f"{game.notation.name_step(session.code)} {number}{of}: {guess}"
        click.echo(f"{step}  ({left})  answer{answers}: ", nl=False)
        if not _take_answer(session, rules):
            return None
    counted = _count_taken(game, (turn.code for turn in session.turns))
    click.echo(f"found {write_found(session)} in {counted}")
    return True


def _count_taken(game: Game, codes: Iterable[int]) -> str:
    """Return the number of steps of some codes as text: ``2 questions and 1 guess``."""
    counts = Counter(map(game.notation.name_step, codes))
    return " and ".join(count_steps(number, step) for step, number in counts.items())


def write_found(session: Session) -> str:
    """Return the result of a game; where several candidates are left, each with its share."""
    if not _announces_shares(session):
        return session.guess
    return ", ".join(f"{name} {100 * share:.0f} %" for name, share in session.shares)


def _announces_shares(session: Session) -> bool:
    """Return whether several are left that no question tells apart, each with its share."""
    return session.tree.game.rules.announces_several and len(session.shares) > 1


def _write_only(found: str, is_several: bool) -> str:
    """Return the result of a game that is over before its first question."""
    if is_several:
        return f"only these are possible, and no question tells them apart: {found}"
    return f"{found} is the only one possible"


def _list_answers(session: Session) -> str:
    """Return the answers to a guess or a question, if they are words."""
    answers = session.tree.game.notation.list_answers(session.code)
    if not answers:
        return ""
    joint = ", " if any("/" in answer for answer in answers) else "/"
    shown = joint.join([*answers[:MOST_ANSWERS], *["…"] * (len(answers) > MOST_ANSWERS)])
    return f" ({shown})"


def _is_answer(session: Session, text: str) -> bool:
    """Whether a text is an answer in words, whatever else it may mean here."""
    return text in session.tree.game.notation.list_answers(session.code)


def _take_answer(session: Session, rules: str) -> bool:
    """Read one answer; return whether the game continues. Report mistakes and ask again."""
    line = sys.stdin.readline().removeprefix("\ufeff")
    answer = line.strip()
    is_end = answer.lower() in ("q", "quit") and not _is_answer(session, answer)
    if not line or is_end:
        click.echo("" if line else "\nno more answers")
        return False
    game = session.tree.game
    try:
        if _is_answer(session, answer):
            session.answer(answer)
        elif answer.lower() in ("u", "undo"):
            session.undo()
        elif answer.lower() in ("s", "skip") and game.rules.n_questions:
            session.skip()
        elif answer.lower() in ("?", "help"):
            click.echo(f"  {rules}")
        elif answer.lower() in ("b", "best"):
            print_blocks(session.advise().describe_guesses())
        elif answer.lower() in ("c", "candidates"):
            print_blocks(session.advise().describe_candidates())
        elif ":" in answer or read_json_list(answer) is not None:
            code, response = parse_pair(answer, game.notation)
            session.respond(response, code)
        elif answer:
            session.answer(answer)
    except TreegenError as error:
        click.echo(f"  {error.to_shell()}")
    return True


def play_online(
    source: str,
    rules: Mapping[str, Any],
    strategy: str,
    secret: str | None,
    limit: int | None,
    tables: str | None,
    *,
    eligible: str | None,
    picture: str | None,
    history: str | None,
    seed: int | None,
    symbols: str | None,
    as_json: bool,
) -> bool | None:
    """Play like `play_tree`, but without a tree."""
    from ..online.named import start_online

    if eligible is not None:
        raise UsageError(f"--eligible works only with rules and searches; {strategy} is neither")
    if picture is not None:
        raise UsageError(f"--picture needs a tree; {strategy} plays without one")
    game = open_game(source, rules).with_symbols(symbols)
    if history is not None:
        raise UsageError(f"{strategy} chooses its own guesses and cannot use --history")
    player = start_online(strategy, game, seed or 0, tables=tables)
    if secret is not None:
        return play_online_secret(player, secret, limit, as_json)
    return play_online_person(player, limit, tables)


def play_online_secret(
    player: OnlineStrategy, secret: str, limit: int | None, as_json: bool
) -> bool:
    """Play against a secret and print guess and answer of each turn; return whether it is found."""
    from ..online.named import score_colors

    game = player.game
    rule = PegFeedback(game.n_pegs)
    pegs = split_symbols(secret.strip(), game.notation.symbols)
    if len(pegs) != game.n_pegs:
        n_pegs = count_steps(len(pegs), "peg")
        raise GameError(f"{secret!r:.80} has {n_pegs}; {game.name} has {game.n_pegs}")
    game.notation.index_of(pegs)  # which refuses what is no code
    colors = np.array(pegs, dtype=np.int32)
    turns: list[dict[str, Any]] = []
    while not player.is_over and len(turns) != limit:
        guess = player.next_guess()
        answer = score_colors(guess, colors)
        player.observe(*answer)
        feedback = game.format_response(rule.response_of(*answer))
        turns.append(
            {"guess": join_symbols(guess.tolist(), game.notation.symbols), "feedback": feedback}
        )
        if not as_json:
            click.echo(f"{len(turns):4}  {turns[-1]['guess']}  {feedback}")
    if as_json:
        found = {"secret": secret, "turns": turns, "found": player.is_over}
        print_json({"game": game.name, "strategy": player.name, "seed": player.seed, **found})
    elif not player.is_over:
        _stop(len(turns))
    return player.is_over


def play_online_person(
    player: OnlineStrategy, limit: int | None, tables: str | None
) -> bool | None:
    """Ask for answers until the code is found, the limit is reached or the input ends."""
    from ..online.named import draw_secret, score_colors

    game = player.game
    answers: list[tuple[int, int]] = []
    # An example: the answer to the first guess that some secret gives.
    answer = score_colors(player.next_guess(), draw_secret(game, player.seed, 0))
    marks = game.format_response(PegFeedback(game.n_pegs).response_of(*answer))
    rules = (
        f"Answer each guess in two numbers, black and white pegs ({marks});"
        " u takes an answer back, q ends, ? repeats this."
    )
    size = f"{count_steps(game.n_pegs, 'peg')} and {count_steps(game.n_colors, 'color')}"
    click.echo(f"Think of a code of {size}. {rules}")
    while not player.is_over:
        if limit is not None and len(answers) >= limit:
            return _stop(limit)
        guess = join_symbols(player.next_guess().tolist(), game.notation.symbols)
        click.echo(f"guess {len(answers) + 1}: {guess}  answer: ", nl=False)
        line = sys.stdin.readline().removeprefix("\ufeff")
        if not line or line.strip().lower() in ("q", "quit"):
            click.echo("" if line else "\nno more answers")
            return None
        if line.strip().lower() in ("?", "help"):
            click.echo(f"  {rules}")
        else:
            player = _take_line(line.strip().lower(), player, answers, tables)
    found = join_symbols(player.next_guess().tolist(), game.notation.symbols)
    click.echo(f"found {found} in {count_steps(len(answers))}")
    return True


def _take_line(
    line: str, player: OnlineStrategy, answers: list[tuple[int, int]], tables: str | None
) -> OnlineStrategy:
    """Take one answer, or one back; report mistakes and ask again."""
    from ..online.named import replay

    game = player.game
    try:
        if line in ("u", "undo"):
            del answers[-1:]
        elif ":" in line:
            raise UsageError(f"{player.name} knows only its own guesses: answer the one shown")
        else:
            if line:
                answer = PegFeedback(game.n_pegs).feedback_of(game.parse_response(line))
                player.observe(*answer)
                answers.append(answer)
            return player
    except TreegenError as error:
        click.echo(f"  {error.to_shell()}")
    return replay(player.name, game, player.seed, answers, tables=tables)


def _count_possible(number: int) -> str:
    return "one is possible" if number == 1 else f"{number:,} are possible"


MOST_LISTED = 20
"""At most this many candidates are listed."""


def play_evil(
    game: Game,
    limit: int | None,
    *,
    symbols: str | None,
    history: str | None,
    eligible: Eligible | None,
    **others: Any,
) -> bool | None:
    """Answer the guesses of a person; return whether the code was found, None if they quit."""
    from ..analysis.session import EvilMaker

    for name, value in others.items():
        if value:
            option = name.removeprefix("as_")
            raise UsageError(f"--{option} needs a tree that guesses: add -s STRATEGY")
    game = game.with_symbols(symbols)
    past = parse_history(history, game.notation) if history else ()
    maker, n_guesses = EvilMaker(game, past, eligible or "all"), 0
    if maker.is_over():
        is_several = len(maker.candidates) > 1 and not game.rules.classes
        click.echo(_write_only(game.notation.announce(maker.candidates.tolist()), is_several))
        return True
    rule = "" if maker.eligible == "all" else f" Eligible: {ELIGIBLE[maker.eligible]}."
    click.echo(
        f"Guess my {game.notation.noun}: {_count_possible(len(maker.candidates))}. Each answer is"
        f" the one that leaves the most.{rule} c lists what is possible, q ends."
    )
    while limit is None or n_guesses < limit:
        click.echo(f"{game.notation.step} {n_guesses + 1}: ", nl=False)
        line = sys.stdin.readline()
        text = line.strip()
        if not line or text in ("q", "quit"):
            click.echo("" if line else f"\nno more {count_steps(0, game.notation.step)[2:]}")
            return None
        if text in ("c", "candidates"):
            n_left = len(maker.candidates)
            listed = maker.candidates[:MOST_LISTED].tolist()
            more = f" … {n_left:,} in all" if n_left > MOST_LISTED else ""
            click.echo(f"  {' '.join(game.format_code(code) for code in listed)}{more}")
            continue
        try:
            guess = check_guess(game.notation, game.parse_code(text))
            response = maker.answer(guess)
        except TreegenError as error:
            click.echo(f"  {error.to_shell()}")
            continue
        n_guesses += 1
        written = game.format_response(response, guess)
        shown = paint_guess(game, guess, response)
        click.echo(f"  {shown}  {written}  {len(maker.candidates):,} left")
        if maker.is_over():
            found = game.notation.announce(maker.candidates.tolist())
            steps = _count_taken(game, (code for code, _ in maker.history[len(past) :]))
            click.echo(f"found {found} in {steps}")
            return True
    return _stop(n_guesses, game.notation.step)


def _stop(limit: int, step: str = "guess") -> bool:
    """Say that the limit ends the game; return that the code is not found."""
    click.echo(f"stopped at the limit of {count_steps(limit, step)}: not found")
    return False


def paint_guess(game: Game, code: int, response: int | None = None) -> str:
    """Return a guess for the terminal: colored pegs, or the plain code.

    The response, if there is one, colors the letters of a game with position feedback.
    """
    plain = game.format_code(code)
    if game.notation.answers_in_words:
        return plain
    console = _console()
    backgrounds = _backgrounds(game, code, response)
    if console is None or backgrounds is None:
        return plain
    from rich.text import Text

    text = Text()
    for color, background in zip(game.codes[code].tolist(), backgrounds, strict=True):
        style = f"bold {choose_ink(background)} on {background}"
        text.append(f" {game.notation.symbols[color]} ", style=style)
        text.append(" ")
    with console.capture() as capture:
        console.print(text, end="")
    return capture.get()


def _backgrounds(game: Game, code: int, response: int | None) -> list[str] | None:
    if game.notation.has_tiles:
        if response is None:
            return None
        return paint_marks(game.format_response(response))
    paints = list_paints(game.n_colors)
    return None if paints is None else [paints[color] for color in game.codes[code].tolist()]


def _console() -> Console | None:
    """Return a console for standard output if that shows colors."""
    if not sys.stdout.isatty():
        return None
    console = _make_console()
    return console if console.color_system and not console.no_color else None


@cache
def _make_console() -> Console:
    from rich.console import Console

    return Console(highlight=False)
