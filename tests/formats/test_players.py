"""Players as they are exported: the examples build, run and play a game to its end.

Names and words in their sources are any: the sources stay what they are.
"""

import ast
import json
import re
import shutil
import subprocess
from dataclasses import replace

import pytest

import treegen
from treegen import Codebook, Player, Questions, UsageError, make_player, open_game, read

from ..paths import ROOT
from ..players import SANITIZE, compiler, mark_slow, run, run_in_micropython
from ..written import bytes_of
from .test_table import build

WORDS = ["crane", "crate", "trace", "react", "eagle", "geese", "llama"]
FRENCH = ["écran", "éclat", "trace", "nacré", "rance"]


def make_mid_game(goal="win"):
    return treegen.build("p3c4r", "knuth", goal=goal, history="112:01/233:10")


def make_questions(goal="identify"):
    rows = [["non", "4"], ["non", "huit"], ["oui", "2"], ["oui", "4"]]
    game = Questions(rows, ["chien", "araignée", "canard", "蛙"], ["Plumes", "Pattes"], goal=goal)
    return build(game, "entropy")


def make_weighted(goal):
    return build(open_game("p2c3r").with_goal(goal).with_stakes(list(range(1, 10))), "knuth")


GAMES = {
    "pegs": lambda: build("p4c6r"),
    "no-repetition": lambda: build("p3c4n"),
    "black": lambda: build("p3c3rb"),
    "arrangements": lambda: build("a2211"),
    "words": lambda: build(Codebook(WORDS[:5], WORDS[5:], feedback="pegs")),
    "words-black": lambda: build(Codebook(WORDS, feedback="black")),
    "marks": lambda: build(Codebook(WORDS[:5], WORDS[5:], feedback="position")),
    "not-ascii": lambda: build(Codebook(FRENCH, ["aaaaé"], feedback="position")),
    "many-pegs": lambda: build(Codebook(["a" * 17 + c + "b" for c in "abc"], feedback="black")),
    "mid-game": make_mid_game,
    "identified": lambda: make_mid_game("identify"),
}
"""What examples once could not play (#19): `marks`, which C never answered and MicroPython read as
numbers; `not-ascii`, which C printed cut off; `black`, where C asked for two numbers;
`arrangements`, which MicroPython printed as bare indices; `mid-game`, which told no guess made
before."""
MORE_GAMES = {
    "identified-words": lambda: build(Codebook(WORDS, feedback="position").with_goal("identify")),
    "identified-arrangements": lambda: build(open_game("a211").with_goal("identify")),
    "weighted": lambda: make_weighted("win"),
    "weighted-identified": lambda: make_weighted("identify"),
}


QUESTIONS = {
    "range": lambda: build("range5"),
    "questions": make_questions,
    "questions-won": lambda: make_questions("win"),
    "questions-begun": lambda: build(make_questions().game, "entropy", ((4, 1),)),
}
"""Tables of answers, which have one profile; a range has answers to its guesses alone."""
ALL_GAMES = GAMES | MORE_GAMES | QUESTIONS
QUICK = [(name, "full") for name in GAMES | QUESTIONS]
QUICK += [(name, profile) for name in ("marks", "mid-game") for profile in ("lean", "slim")]
SLOW = [(name, "full") for name in ALL_GAMES]
SLOW += [(name, profile) for name in GAMES | MORE_GAMES for profile in ("lean", "slim")]
SLOW = [case for case in SLOW if case not in QUICK]
"""Games and profiles that are rare or alike."""


def type_answer(game, response, guess=None):
    """Return a response as the examples take it."""
    text = game.format_response(response, guess)
    return " ".join(text.replace(".", "")) if game.rule == "pegs" else text


def write_code(game, code, dense):
    """Return a code as an example prints it."""
    text = game.format_code(code)
    is_asked = game.kind == "questions" and (code >= game.n_secrets or game.goal == "win")
    if game.kind == "range" or is_asked:
        return f"{text} ({'/'.join(game.notation.list_answers(code))})"
    return text if dense or game.kind in ("codebook", "questions") else " ".join(text)


def play_by_tree(tree, secret, dense, dense_answers=None):
    """Return what a player types against a secret, and what the example says to it."""
    game, node = tree.game, 0
    typed, said = ["x"], []
    for guess, response in tree.provenance.history:
        is_dense = dense if dense_answers is None else dense_answers
        answer = game.format_response(response, guess)
        told = answer if is_dense else type_answer(game, response, guess)
        code = (
            game.format_code(guess) if game.kind == "questions" else write_code(game, guess, dense)
        )
        said.append(f"guessed before: {code}, answered {told}")
    root = write_code(game, int(tree.guess[0]), dense)
    said += [root, "no secret fits that answer; please check it"]
    while True:
        guess = int(tree.guess[node])
        if game.goal == "identify" and not tree.children(node):
            return typed, [*said, f"it is {write_code(game, guess, dense)}"]
        said.append(write_code(game, guess, dense))
        response = game.score(guess, secret)
        typed.append(type_answer(game, response, guess))
        if response == game.win:
            return typed, [*said, "found"]
        node = next(child for child in tree.children(node) if tree.response[child] == response)


def secrets_of(tree):
    """Return the first secret, one in the middle and the last, of those that the tree finds."""
    found = [code for code in range(tree.game.n_secrets) if is_possible(tree, code)]
    return sorted({found[0], found[len(found) // 2], found[-1]})


def is_possible(tree, secret):
    history = tree.provenance.history
    return all(tree.game.score(guess, secret) == response for guess, response in history)


def split_lines(output):
    """Return what a program has printed, the prompts as lines of their own."""
    for prompt, line in ((" ? ", "\n"), ("? (", " ("), (") ", ")\n"), ("? ", "\n")):
        output = output.replace(prompt, line)
    return [line for line in output.split("\n") if line]


def check_example(command, tree, folder, spaced=(False,)):
    """Play against each secret of `secrets_of`."""
    for secret in secrets_of(tree):
        typed, said = play_by_tree(tree, secret, *spaced)
        assert split_lines(run_lines(command, folder, "\n".join(typed) + "\n")) == said


def run_lines(command, folder, typed):
    result = subprocess.run(
        command, cwd=folder, input=typed.encode(), check=True, capture_output=True
    )
    assert result.stderr == b""
    return result.stdout.decode()


STRICT = ["-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror"]


@pytest.mark.parametrize(
    ("name", "profile"),
    [
        *QUICK,
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in SLOW
            if case[0] != "not-ascii"  # see test_words_that_the_lean_c_player_does_not_play
        ),
    ],
)
def test_the_example_in_c_plays_as_the_tree_does(name, profile, tmp_path):
    tree = ALL_GAMES[name]()
    write_changes(tmp_path, make_player(tree, "c", profile=profile))
    command = [compiler(), "-std=c99", "-O2", *STRICT, "example.c", "-o", "example"]
    subprocess.run(command, cwd=tmp_path, check=True)
    check_example(["./example"], tree, tmp_path)


@pytest.mark.parametrize(
    ("name", "profile"),
    [
        ("mid-game", "full"),
        pytest.param("marks", "slim", marks=pytest.mark.slow),
        pytest.param("many-pegs", "lean", marks=pytest.mark.slow),
    ],
)
def test_c_example_with_a_table_in_a_file(name, profile, tmp_path):
    tree = GAMES[name]()
    write_changes(tmp_path, make_player(tree, "c", profile=profile))
    command = [compiler(), "-std=c99", *STRICT, *SANITIZE, "stream.c", "-o", "stream"]
    subprocess.run(command, cwd=tmp_path, check=True)
    check_example(["./stream"], tree, tmp_path)


ALL_IN_NODE = """
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
for (const folder of process.argv.slice(2)) {
  const typed = Readable.from([readFileSync(`${folder}/typed`)]);
  Object.defineProperty(process, "stdin", { value: typed, configurable: true });
  await import(`./${folder}/example.mjs`);
  console.log("next game");
}
"""


def play_in_node(games, folder):
    """Play (files, typed) in one process, whose start takes longest; return what each prints."""
    for number, (files, typed) in enumerate(games):
        write_changes(folder / str(number), files | {"typed": typed})
    (folder / "all.mjs").write_text(ALL_IN_NODE)
    command = [compiler("node"), "all.mjs", *map(str, range(len(games)))]
    return run_lines(command, folder, "").split("next game\n")[:-1]


@pytest.mark.parametrize("cases", [QUICK, pytest.param(SLOW, marks=pytest.mark.slow)])
def test_the_example_in_javascript_plays_as_the_tree_does(cases, tmp_path):
    games, expected = [], []
    for name, profile in cases:
        tree = ALL_GAMES[name]()
        files = make_player(tree, "js", profile=profile)
        for secret in secrets_of(tree):
            typed, said = play_by_tree(tree, secret, dense=True)
            games.append((files, ("\n".join(typed) + "\n").encode()))
            expected.append(said)
    assert [*map(split_lines, play_in_node(games, tmp_path))] == expected


COMPILE = {
    "rust": ["cargo", "build", "--release", "--offline", "--quiet"],
    "go": ["go", "build", "-o", "game", "."],
    "java": ["javac", "-Xlint:all", "-Werror", "Game.java"],
}
PLAY = {"rust": ["./target/release/tgt-game"], "go": ["./game"], "java": ["java", "Game"]}
FEW = [("identified", "slim"), ("not-ascii", "full"), ("questions", "full"), ("range", "full")]
OTHERS = [("questions-won", "full"), ("questions-begun", "full")] + [
    (name, profile) for name in GAMES | MORE_GAMES for profile in ("full", "lean", "slim")
]


@pytest.mark.slow
@pytest.mark.parametrize("cases", [FEW, OTHERS])
@pytest.mark.parametrize("language", COMPILE)
def test_examples_of_compiled_languages_play_as_the_tree_does(language, cases, tmp_path):
    """One project with a table after the other: what has not changed is not compiled again."""
    command = COMPILE[language]
    compiler(command[0])
    spaced = {"rust": (False, False), "go": (True, False), "java": (True, False)}[language]
    for name, profile in cases:
        tree = ALL_GAMES[name]()
        changed = write_changes(tmp_path, make_player(tree, language, profile=profile))
        if language != "java" or "Game.java" in changed:  # which reads the table when it runs
            subprocess.run(command, cwd=tmp_path, check=True)
        check_example(PLAY[language], tree, tmp_path, spaced)


@pytest.mark.slow
def test_the_go_player_is_formatted_and_vetted(tmp_path):
    go, gofmt = compiler("go"), compiler("gofmt")
    write_changes(tmp_path, make_player(GAMES["pegs"](), "go"))
    vetted = subprocess.run([go, "vet", "./..."], cwd=tmp_path, capture_output=True, text=True)
    assert (vetted.returncode, vetted.stderr) == (0, "")
    formatted = subprocess.run([gofmt, "-l", "."], cwd=tmp_path, capture_output=True, text=True)
    assert (formatted.returncode, formatted.stdout) == (0, "")


def write_changes(folder, contents):
    """Write the files that are not there yet, or otherwise; return their names."""
    changed = []
    for path, data in contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if not (folder / path).exists() or (folder / path).read_bytes() != data:
            (folder / path).write_bytes(data)
            changed.append(path)
    return changed


READMES = ["c", "js", "micropython", "micropython lean", "python", "rust", "go", "java"]


@pytest.mark.parametrize("player", mark_slow(READMES))
def test_commands_of_the_readme_work(player, tmp_path):
    language, _, profile = player.partition(" ")
    write_changes(tmp_path, make_player(GAMES["pegs"](), language, profile=profile or "full"))
    readme = (tmp_path / "README.md").read_text("utf-8")
    assert "License of the player: MIT" in readme
    commands = readme.partition("```sh\n")[2].partition("```")[0].splitlines()
    assert len(commands) == 3
    done = None
    for command in commands:
        program = command.split()[0]
        if not program.startswith("./") and shutil.which(program) is None:
            assert program in ("micropython", "cargo", "go", "javac", "node", "cc"), program
            continue
        quick = command.replace(" -O2", "")  # a second less for the compiler
        done = subprocess.run(
            quick, cwd=tmp_path, input="", shell=True, capture_output=True, text=True
        )
        # The JavaScript example said that it had found the code where the answers ended.
        assert "found" not in done.stdout.replace("not found", "").split()
    if done is None or (language in COMPILE and shutil.which(commands[0].split()[0]) is None):
        pytest.skip(f"{commands[0].split()[0]} is not installed")
    assert done.stdout.replace(" ", "").startswith(("1122", "7\n")), done.stderr


def strip_imports(source):
    """Return a module without what it takes from those joined to it."""
    lines = source.decode().splitlines()
    return "\n".join(line for line in lines if not line.startswith("from tgt_"))


def play_in_micropython(games):
    """Play (files, lines of each game) in one run of the interpreter; return what each prints."""
    names = ("tgt_player.py", "tgt_lean.py")
    players = {
        name: strip_imports(files[name]) for name in names for files, _ in games if name in files
    }
    runs = [
        (typed, files["table.tgt"], strip_imports(files["example.py"])) for files, typed in games
    ]
    code = f"""
import io
for player in {[*players.values()]!r}: exec(player)
def input(prompt):
    if not answers: raise EOFError
    return answers.pop(0)
def open(*_): return io.BytesIO(table)
for typed, table, example in {runs!r}:
    for answers in typed:
        exec(example)
        print("next game")
"""
    return run_in_micropython(code).split("next game\n")[:-1]


@pytest.mark.parametrize(
    "made", [GAMES | QUESTIONS, pytest.param(MORE_GAMES, marks=pytest.mark.slow)]
)
def test_examples_in_micropython_play_as_the_tree_does(made):
    games, expected = [], []
    for name, make in made.items():
        tree = make()
        n_before = len(tree.provenance.history)
        played = [play_by_tree(tree, secret, dense=False) for secret in secrets_of(tree)]
        before = play_by_tree(tree, secrets_of(tree)[0], dense=True)[1][:n_before]
        for profile in ("full",) if name in QUESTIONS else ("full", "lean"):
            files = make_player(tree, "micropython", profile=profile)
            games.append((files, [typed for typed, _ in played]))
            expected += [before + said[n_before:] for _, said in played]
    assert [*map(split_lines, play_in_micropython(games))] == expected


def test_headers_compile_alone_and_as_cplusplus(tmp_path):
    """table.h needed tgt_player.h before it; a line had a warning of -Wextra in C++17 (#19)."""
    tree = build("p2c3r")
    write_changes(tmp_path, make_player(tree, "c", profile="lean"))
    for name in ("tgt_player", "tgt_codes", "tgt_lean", "tgt_terminal", "table"):
        (tmp_path / "one.cpp").write_text(f'#include "{name}.h"\n')
        command = [compiler("g++"), "-std=c++17", *STRICT, "-c", "one.cpp", "-o", "one.o"]
        subprocess.run(command, cwd=tmp_path, check=True)


@pytest.mark.parametrize(
    ("game", "room"),
    [("p4c6r", (80, 4)), ("p40c1r", (96, 40)), ("coins3", (80, 1)), ("long", (216, 1))],
)
def test_table_h_has_room_for_what_is_typed_and_shown(game, room):
    tree = build(
        Questions([["yes"], ["n" * 200]], names=["a", "b"], questions=["q"])
        if game == "long"
        else game
    )
    header = make_player(tree, "c", profile="full")["table.h"].decode()
    told = re.findall(r"define TABLE_(?:LINE_BYTES|PEGS) (\d+)", header)
    assert tuple(map(int, told)) == room


def test_words_that_the_lean_c_player_does_not_play(tmp_path):
    """It played them wrong: a division rounded the size of the words (#19)."""
    tree = GAMES["not-ascii"]()
    with pytest.raises(UsageError, match=r"'écran'.*'full' alone"):
        make_player(tree, "c", profile="lean")
    # Where the bytes of the words are as many as those of one word less, and one byte more.
    tree = build(Codebook(["ab" * 8, "é" + "b" * 15], feedback="black"))
    assert run("c", [(bytes_of(tree, "table", profile="lean"), [])], tmp_path) == [None]
    assert run("c", [(bytes_of(tree, "table"), [])], tmp_path) == [[]]


def test_a_table_too_large_for_one_array_of_avr_is_cut_in_two():
    table = (ROOT / "trees" / "p5c8r-best.tgt").read_bytes()
    header = make_player(read(table), "c")["table.h"].decode()
    whole = re.sub("#ifdef __AVR__.*?#(?:else|endif)\n", "", header, flags=re.DOTALL)
    for text in (header, whole):
        data = ",".join(re.findall(r"^    ([\d,]+),$", text, re.MULTILINE))
        assert bytes(map(int, data.split(","))) == table
    assert (header.count("table_second["), whole.count("table_second[")) == (1, 0)


def test_a_table_too_large_for_a_player_is_refused(monkeypatch):
    tree = build("p2c3r")
    monkeypatch.setattr("treegen.formats.players.MAX_BYTES", 99)
    for language in ("c", "js", "micropython"):
        with pytest.raises(UsageError, match="below 99 bytes; this one has 123"):
            make_player(tree, language)


def test_a_table_of_too_many_states_for_micropython_is_refused(monkeypatch):
    tree = build("p2c3r")
    monkeypatch.setattr("treegen.formats.players.MAX_NODES", 9)
    with pytest.raises(UsageError, match="tables of fewer than 9 states; this one has 9"):
        make_player(tree, "micropython")


STRATEGIES = ["a/*b", "a*/ #error x /*", "/*/", "//\\", "??/", "é|ж"]
STRATEGIES += ["<!-- *b* `c` {size} --> [x](y)"]
LABELS = ["a*b.csv", "??.csv", "é|ж", "👩\u200d🚀", STRATEGIES[-1]]
"""Names of files, which have no slashes."""


def make_named(strategy, label, language):
    """Return the player of a tree with a name for its strategy, of a table from a file."""
    tree = treegen.build(Questions([["no"], ["yes"]], label=label))
    named = replace(tree, provenance=replace(tree.provenance, strategy=strategy))
    return make_player(named, language)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize("language", ["c", "arduino"])
def test_no_name_of_a_strategy_breaks_the_comment_of_a_header(language, tmp_path):
    """`/*` in it was an error by -Wcomment, bidirectional marks are one by -Wbidi-chars."""
    (tmp_path / "tgt_player.h").write_text("#define TGT_MEMORY\n#include <stdint.h>\n")
    place = "table.h" if language == "c" else "src/table.h"
    pairs = [*((name, "t.csv") for name in STRATEGIES), *(("named", name) for name in LABELS)]
    for number, names in enumerate(pairs):
        header = make_named(*names, language)[place]
        told = re.match(r"/\* (.*): a \.tgt table of \d+ bytes\. \*/\n", header.decode())[1]
        assert told.isprintable() and not re.search(r"/\*|\*/", told)
        (tmp_path / f"{number}.h").write_bytes(header)
        flags = ["-std=c99", "-pedantic", "-Wall", "-Wno-unused", "-Werror", "-fsyntax-only"]
        command = ["cc", *flags, "-x", "c", f"{number}.h"]
        subprocess.run(command, cwd=tmp_path, check=True)


@pytest.mark.parametrize("name", LABELS)
def test_a_package_is_described_in_its_own_syntax(name):
    files = make_named("named", name, "npm")
    package = json.loads(files["package.json"])
    assert re.fullmatch("[a-z0-9][a-z0-9-]{0,99}", package["name"])
    readme = files["README.md"].decode()
    told = re.search(r"Plays (.*), 2 candidates.* by the strategy", readme)[1]
    assert not re.search(r"(?<!\\)[`*<>\[]", told)
    shown = re.sub(r"\\(.)", r"\1", told)
    assert shown == "".join(each if each.isprintable() else "?" for each in name)


def test_a_board_knows_candidates_that_are_called_as_its_own_lines():
    names = ["BEFORE = []", "WIN = 13", 'it\'s "x"', "\\n{}", "é"]
    files = make_player(treegen.build(Questions([[n] for n in range(5)], names)), "micropython")
    values = {}
    for line in ast.parse(files["example.py"]).body:
        target = ast.unparse(line.targets[0]) if isinstance(line, ast.Assign) else ""
        if target in ("GAME", "BEFORE", "WIN") and target not in values:
            values[target] = ast.literal_eval(line.value)
    assert values == {"GAME": Player(files["table.tgt"]).table.game, "BEFORE": [], "WIN": 5}
