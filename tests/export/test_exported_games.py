"""Every export of every kind of game in every profile: it plays, or is refused in one line.

Here Python plays them all; test_players.py plays those of other languages.
"""

import io
import re
from functools import partial

import pytest

from treegen.api.players import PLAYERS, make_player
from treegen.cli.export import players
from treegen.errors import FormatError, UsageError
from treegen.export import join_player
from treegen.export.c import make_c_files
from treegen.export.compiled import make_go_files, make_java_files, make_rust_files
from treegen.export.js import make_js_files
from treegen.export.micropython import make_micropython_files
from treegen.export.python import make_python_files
from treegen.formats.table import make_table
from treegen.games import Goal

from ..formats.test_table import build
from .test_players import ALL_GAMES, QUESTIONS, secrets_of, type_answer

PROFILES = ("full", "lean", "slim", "seed")
READY = {name: partial(build, name, "entropy") for name in ("range5", "coins4", "pin1")}
"""Games that are stored as tables of answers."""
ONE_PROFILE = QUESTIONS | READY
MAKERS = {
    "C": lambda table, game, profile: make_c_files(table, game, "knuth", profile),
    "JavaScript": lambda table, _, profile: make_js_files(table, profile),
    "MicroPython": lambda table, game, profile: make_micropython_files(table, game, profile),
    "Python": lambda table, _, profile: make_python_files(table, profile),
    "Rust": lambda table, _, profile: make_rust_files(table, profile),
    "Go": lambda table, _, profile: make_go_files(table, profile),
    "Java": lambda table, _, profile: make_java_files(table, profile),
}


def is_refused(language, name, profile):
    """Return whether a player does not take a game's table: what docs/table-format.md says."""
    if language == "Python":
        return False
    is_other_text = language == "C" and name == "not-ascii" and profile != "full"
    return profile == "seed" or (language, profile) == ("MicroPython", "slim") or is_other_text


@pytest.mark.parametrize("name", ALL_GAMES | READY)
def test_each_export_plays_or_refuses_in_one_line(name):
    tree = (ALL_GAMES | READY)[name]()
    for profile in PROFILES[:1] if name in ONE_PROFILE else PROFILES:
        table = make_table(tree, profile=profile)
        check_played(tree, table)
        for language, make in MAKERS.items():
            try:
                files = make(table, tree.game, profile)
            except UsageError as error:
                assert is_refused(language, name, profile), (language, profile)
                assert re.fullmatch(f"the {language} player plays [^\\n]{{10,160}}", str(error))
            else:
                assert not is_refused(language, name, profile), (language, profile)
                assert f"profile `{profile}`" in files["README.md"].decode()


@pytest.mark.parametrize("name", ONE_PROFILE)
@pytest.mark.parametrize("profile", PROFILES[1:])
def test_tables_of_answers_have_one_profile(name, profile):
    with pytest.raises(FormatError, match=r"^the profile \w+ needs a rule that answers; .* alone$"):
        make_table(ONE_PROFILE[name](), profile=profile)


@pytest.mark.parametrize("language", PLAYERS)
def test_the_command_line_offers_the_profiles_that_a_player_plays(language):
    """It kept slim tables from JavaScript, whose player plays them."""
    tree = build("p2c2r")
    command = getattr(players, f"export_{language}")
    (offered,) = [option.type.choices for option in command.params if option.name == "profile"]
    for profile in PROFILES:
        if profile in offered:
            assert make_player(tree, language, profile=profile)
        else:
            with pytest.raises(UsageError, match=r" plays full(, lean)? and \w+ tables, not "):
                make_player(tree, language, profile=profile)


EXPORTED = {"__name__": "tgt_player"}
exec(join_player(), EXPORTED)


def check_played(tree, table):
    """Play some secrets with the exported Python player, as on its terminal."""
    for secret in secrets_of(tree):
        node, typed, guesses = 0, [], []
        while True:
            guess = int(tree.guess[node])
            if tree.game.goal == Goal.IDENTIFY and not tree.children(node):
                break
            guesses.append(tree.game.format_code(guess))
            response = tree.game.score(guess, secret)
            typed.append(type_answer(tree.game, response, guess))
            if response == tree.game.win:
                break
            node = next(n for n in tree.children(node) if tree.response[n] == response)
        said = play_exported(table, typed)
        assert [line.partition("?")[0] for line in said[: len(guesses)]] == [
            guess.partition("?")[0] for guess in guesses
        ]
        announced = [f"it is {tree.game.format_code(secret)}"]
        told = announced if tree.game.goal == Goal.IDENTIFY else []
        is_asked = tree.game.kind in ("questions", "range") and tree.game.goal == Goal.IDENTIFY
        assert said[len(guesses) :] == [*told, f"found in {name_guesses(len(guesses), is_asked)}"]


def name_guesses(count, is_asked):
    one, many = ("question", "questions") if is_asked else ("guess", "guesses")
    return f"{count} {one if count == 1 else many}"


def play_exported(table, typed):
    """Return the prompts and the last lines of a game, without the guesses made before."""
    said, answers = io.StringIO(), iter(typed)

    def ask(prompt):
        print(prompt, file=said)
        return next(answers)

    EXPORTED.update(input=ask, print=lambda *words: print(*words, file=said))
    assert EXPORTED["play"](EXPORTED["Player"](table)) == 0
    return [line for line in said.getvalue().splitlines() if not line.startswith("guessed before")]
