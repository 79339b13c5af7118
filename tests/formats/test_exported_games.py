"""Every export of every kind of game in every profile: it plays, or is refused in one line.

Here Python plays them all; test_players.py plays those of other languages.
"""

import re
import shutil
import subprocess
import sys
from functools import partial

import pytest

from treegen import Codebook, FormatError, UsageError, make_player, open_game

from ..command import list_choices
from ..players import compiler
from ..written import bytes_of
from .test_players import ALL_GAMES, QUESTIONS, run_lines, secrets_of, type_answer, write_changes
from .test_table import build

PROFILES = ("full", "lean", "slim")
READY = {name: partial(build, name, "entropy") for name in ("coins4", "pin1")}
"""Games that are stored as tables of answers."""
ONE_PROFILE = QUESTIONS | READY
TITLES = {"c": "C", "js": "JavaScript", "micropython": "MicroPython", "python": "Python"}
TITLES |= {"rust": "Rust", "go": "Go", "java": "Java"}


def is_refused(language, name, profile):
    """Return whether a player does not take a game's table: see docs/notes/table-format.md."""
    if language == "Python":
        return False
    is_other_text = language == "C" and name == "not-ascii" and profile != "full"
    return (language, profile) == ("MicroPython", "slim") or is_other_text


@pytest.mark.parametrize("name", ALL_GAMES | READY)
def test_each_export_plays_or_refuses_in_one_line(name):
    tree = (ALL_GAMES | READY)[name]()
    for profile in PROFILES[:1] if name in ONE_PROFILE else PROFILES:
        table = bytes_of(tree, "table", profile=profile)
        check_played(tree, table)
        for name_of, language in TITLES.items():
            try:
                files = make_player(tree, name_of, profile=profile)
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
        bytes_of(ONE_PROFILE[name](), "table", profile=profile)


@pytest.mark.parametrize("language", [*TITLES, "npm", "arduino"])
def test_the_command_line_offers_the_profiles_that_a_player_plays(language):
    """It kept slim tables from JavaScript, whose player plays them."""
    tree = build("p2c2r")
    offered = list_choices(f"export {language}", "profile")
    for profile in PROFILES:
        if profile in offered:
            assert make_player(tree, language, profile=profile)
        else:
            with pytest.raises(UsageError, match=r" plays full(, lean)? and \w+ tables, not "):
                make_player(tree, language, profile=profile)


EXPORTED = {"__name__": "tgt_player"}
exec(make_player(build("p1c1r"), "python")["tgt_player.py"], EXPORTED)


def check_played(tree, table):
    """Play some secrets with the exported Python player, as its terminal is answered."""
    player, game = EXPORTED["Player"](table), tree.game
    for secret in secrets_of(tree):
        player.restart()
        node = 0
        while tree.children(node) or game.goal != "identify":
            guess = int(tree.guess[node])
            assert player.guess == game.format_code(guess)
            response = game.score(guess, secret)
            player.answer(type_answer(game, response, guess))
            if response == game.win:
                break
            node = next(child for child in tree.children(node) if tree.response[child] == response)
        assert player.guess is None
        assert game.goal != "identify" or player.found == game.format_code(secret)


def make_long_words(n_pegs):
    return build(Codebook(["a" * n_pegs, "b" * n_pegs, "c" * n_pegs], feedback="black"))


@pytest.mark.parametrize("profile", ["lean", "slim"])
def test_rust_refuses_more_pegs_than_it_keeps(profile):
    """The program panicked before its first guess."""
    assert make_player(make_long_words(64), "rust", profile=profile)
    tree = make_long_words(65)
    assert make_player(tree, "rust")
    with pytest.raises(UsageError, match=rf"^the Rust player plays {profile} .* has 65: use .*$"):
        make_player(tree, "rust", profile=profile)


def test_other_players_keep_any_pegs(tmp_path, n_pegs=65):
    """The C program that leaves its table in a file had room for 64."""
    tree = make_long_words(n_pegs)
    table = bytes_of(tree, "table", profile="lean")
    check_played(tree, table)
    for language in ("c", "js", "micropython"):
        write_changes(tmp_path, make_player(tree, language, profile="lean"))
    commands = {"stream": ["./stream", "table.tgt"], "example": ["./example"]}
    for name, command in commands.items():
        subprocess.run([compiler(), f"{name}.c", "-o", name], cwd=tmp_path, check=True)
        said = run_lines(command, tmp_path, "0\n0\n")
        assert said == "".join(f"{letter * n_pegs} ? " for letter in "abc")
    said = run_lines([sys.executable, "example.py"], tmp_path, "0\n")
    assert said.startswith("a" * n_pegs + "\nanswer? " + "b" * n_pegs)
    if shutil.which("node"):
        assert run_lines(["node", "example.mjs"], tmp_path, "0\n").endswith("b" * n_pegs + "? ")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("p6c11r", "is for games of at most 1,048,576 secrets, which the player keeps; p6c11r has"),
        ("p20c2r", "a player would compare 20,97.,... pegs"),
    ],
)
def test_tables_that_no_player_would_open_are_not_written(name, problem):
    game = open_game(name)
    history = ((0, game.parse_response(f"{game.n_pegs - 1}.0")),)
    tree = build(game, "first-consistent", history=history)
    for profile in PROFILES[1:]:
        with pytest.raises(FormatError, match=f"{problem}.*: use the profile full$"):
            bytes_of(tree, "table", profile=profile)
    assert bytes_of(tree, "table")
