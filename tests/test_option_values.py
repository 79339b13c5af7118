"""Every number that a public function takes is refused where it is none, or out of range."""

import inspect
import io
import re
from decimal import Decimal

import click
import numpy as np
import pytest

import treegen
from treegen._options import MAX_SEED, PERCENT, POSITIVE, check_range, check_whole
from treegen.job import OPTIONS, STRATEGIES

from .command import find_command, run

NAN = float("nan")
NO_COUNT = [-1, True, 1.5, 1.0, NAN, "2", Decimal(2)]
"""None of these counts anything."""

TREE = treegen.build("p2c2r")
TABLE = [{"name": "a", "size": 1}, {"name": "b", "size": 2}]
SMALL = {
    "advice": ("p2c2r",),
    "build": ("p2c2r", "best"),
    "certify": (TREE,),
    "compare": ("p2c2r", "knuth"),
    "diff": (TREE, TREE),
    "explain": (TREE,),
    "open_game": (TABLE,),
    "openings": ("p2c2r",),
    "patterns": (),
    "play": ("p2c2r",),
    "read_questions": (TABLE,),
    "simulate": ("p2c2r", "one-by-one"),
    "start_online": ("one-by-one", treegen.open_game("p2c2r")),
    "verify": (TREE,),
    "write_booklet": (TREE, io.BytesIO()),
    "write_dot": (TREE, io.StringIO()),
    "write_game": (TREE, io.BytesIO()),
    "write_graphml": (TREE, io.StringIO()),
    "write_mermaid": (TREE, io.StringIO()),
    "write_json": (TREE, io.StringIO()),
    "write_picture": (TREE, io.BytesIO()),
    "write_plot": (TREE, io.BytesIO()),
    "write_text": (TREE, io.StringIO()),
}
"""Arguments of each function that takes numbers."""

ZERO_ALLOWED = {("advice", "top"), ("diff", "limit"), ("build", "look_ahead"), ("build", "gap")}
OTHER = {"first", "history", "version", "default_weight"}
"""What may be a number in some other sense."""


def list_numbers(function):
    """Return the parameters that are annotated as numbers."""
    for name, parameter in inspect.signature(function).parameters.items():
        words = str(parameter.annotation).replace("|", " ").split()
        if {"int", "float"} & set(words) and name not in OTHER:
            yield name, "float" in words


CASES = [
    (name, option, is_float)
    for name in treegen.__all__
    if name.islower() and inspect.isfunction(getattr(treegen, name))
    for option, is_float in list_numbers(getattr(treegen, name))
    if name not in ("list_schemas", "read_schema")
]


@pytest.mark.parametrize(("name", "option", "is_float"), CASES)
def test_numbers_out_of_range_are_refused(name, option, is_float, tmp_path):
    function = getattr(treegen, name)
    wrong = [-1, True, NAN, "2"] if is_float else list(NO_COUNT)
    if (name, option) not in ZERO_ALLOWED and option != "seed":
        wrong.append(0)
    if option == "seed":
        wrong.append(MAX_SEED + 1)
    rest = {"sample": 2} if (name, option) == ("verify", "seed") else {}
    if name == "write_game":
        rest = {"secret": "11"}
    if name == "patterns":
        rest = {"output": tmp_path, **({} if option == "length" else {"length": 1})}
    for value in wrong:
        with pytest.raises(treegen.UsageError) as refused:
            function(*SMALL[name], **rest, **{option: value})
        is_named = str(refused.value).startswith(f"{option}={value!r} is out of range: it must be")
        assert is_named or (option, name) == ("length", "patterns")


@pytest.mark.parametrize("option", ["jobs", "beam", "max_length", "table_size", "gap", "seed"])
@pytest.mark.parametrize(
    "build", [treegen.build, lambda *job, **how: treegen.open_build(*job, **how).__enter__()]
)
def test_options_of_a_build_are_checked_before_the_game_is_asked(build, option):
    with pytest.raises(treegen.UsageError, match=f"{option}=-1 is out of range"):
        build("p2c2r", "nothing-known", **{option: -1})


def test_games_played_and_printed():
    for limit in [0, *NO_COUNT]:
        with pytest.raises(treegen.UsageError, match=r"limit=.* is out of range"):
            TREE.play("11", limit=limit)
        with pytest.raises(treegen.UsageError, match=r"width=.* is out of range"):
            treegen.stats(TREE).to_text(width=limit)
        with pytest.raises(treegen.UsageError, match=r"n_top=.* is out of range"):
            treegen.play(TREE).advise(n_top=limit or -1)


WORDS = {
    "build": ["p2c2r", "-s", "best", "-o", "x.tree"],
    "certify": ["a.tree", "-o", "x.proof"],
    "compare": ["p2c2r", "-s", "random-consistent", "-s", "optimal"],
    "diff": ["a.tree", "a.tree"],
    "explain": ["a.tree"],
    "openings": ["p2c2r", "-s", "optimal"],
    "patterns": ["1", "-o", "out"],
    "play": ["p2c2r", "--secret", "11"],
    "simulate": ["p2c2r", "-s", "one-by-one"],
    "verify": ["a.tree"],
    "export booklet": ["a.tree", "-o", "x.html"],
    "export dot": ["a.tree", "-o", "-"],
    "export game": ["a.tree", "--secret", "11", "-o", "x.svg"],
    "export icicle": ["a.tree", "-o", "x.svg"],
    "export text": ["a.tree"],
}
"""What else each command needs that takes numbers."""


def list_flags():
    """Return each command with a flag that takes numbers."""
    for words in WORDS:
        for option in find_command(words).params:
            if option.type in (click.INT, click.FLOAT) and isinstance(option, click.Option):
                yield words, max(option.opts, key=len), option.type is click.FLOAT


@pytest.mark.parametrize(("words", "flag", "is_float"), [*list_flags()])
def test_a_shell_is_told_by_the_library(words, flag, is_float, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    treegen.write(TREE, "a.tree")
    given = WORDS[words]
    if (words, flag) == ("play", "--top"):
        given = given[:1]
    rest = {"--seed": ["--sample", "2"], "--thresholds-most": ["--game", "p2c2r"]}
    rest = rest if words == "verify" else {}
    for value in ["-1", *["nan"] * is_float]:
        assert run(*words.split(), *given, *rest.get(flag, []), flag, value) == 2
        assert re.match(
            rf"treegen: {flag} \S+ is out of range: it must be", capsys.readouterr().err
        )
    assert [path.name for path in tmp_path.iterdir()] == ["a.tree"]


OF_BUILD = OPTIONS


def test_help_and_docstring_are_written_from_the_list():
    of_command = find_command("build").params  # a flag that stands for a value follows its option
    shown = {parameter.name: parameter for parameter in reversed(of_command)}
    text = " ".join(treegen.build.__doc__.split())
    for option in OF_BUILD:
        assert " ".join(option.write_help(in_shell=False).split()) in text
        if option.group:
            assert shown[option.name].help == option.write_help(in_shell=True)
            assert shown[option.name].group == option.group
    parameters = inspect.signature(treegen.build).parameters
    (strategy,) = STRATEGIES.values()
    assert " ".join(strategy.python.split()) in text
    assert shown["strategy"].help == strategy.write_help(in_shell=True)
    assert [*parameters][2:-1] == [option.name for option in OF_BUILD]
    assert {o.name: o.default for o in OF_BUILD} == {
        o.name: parameters[o.name].default for o in OF_BUILD
    }


@pytest.mark.parametrize("strategy", ["knuth", "optimal", "best"])
def test_an_option_of_another_strategy_is_refused(strategy):
    kind = "rule" if strategy == "knuth" else strategy
    for option in OF_BUILD:
        if option.owners and kind not in option.owners:
            value = 1 if option.kind in (int, float) else "x"
            with pytest.raises(treegen.UsageError, match=f"^{option.name}= works only with "):
                treegen.build("p2c2r", strategy, **{option.name: value})


@pytest.mark.parametrize("size", [0, -1, 1001, True, 2.0, NAN, "4"])
def test_a_size_of_a_game_is_an_int_in_a_range(size):
    reason = "out of range: 1 to 1000" if type(size) is int else rf"is an int, not {size!r}$"
    for sizes in ((size, 6), (4, size)):
        with pytest.raises(treegen.GameError, match=reason):
            treegen.Mastermind(*sizes)


def test_numbers_of_any_type_in_range_are_allowed():
    check_whole(jobs=1, top=np.int64(3), beam=None)
    check_whole(0, look_ahead=0)
    check_range(POSITIVE, time_limit=1, patience=np.float64(0.5))
    check_range(PERCENT, gap=0)
    assert len(treegen.verify(TREE, sample=np.int32(2)).to_dict()) > 0
