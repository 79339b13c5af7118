"""An option without effect beside the others, or given twice, is refused by every command."""

import click
import pytest

from treegen import build, write_tree

from .. import command


def run(capsys, *args):
    return command.run(*args), capsys.readouterr().err


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_tree(build("p2c3r", "knuth"), "a.tree")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["games", "--feedback", "black"], "--feedback"),
        (["games", "--guesses", "a.txt"], "--guesses"),
        (["diff", "a.tree", "a.tree", "--json", "--limit", "3"], "--limit"),
        (["explain", "a.tree", "--exact", "--top", "3"], "--top"),
        (["manifest", "a.tree", "--json", "-o", "m.txt"], "--output"),
        (["build", "p2c3r", "--history", "11:00", "--first", "22", "-o", "x.tree"], "--first"),
        (["build", "p2c3r", "--json", "-o", "-"], "--json"),
        (["play", "p2c3r", "--json"], "--json"),
        (["openings", "p2c3r", "--max-length", "3"], "--max-length"),
        (["openings", "p2c3r", "-s", "optimal", "--all"], "--all"),
        (["play", "p2c3r", "--top", "3", "--secret", "11"], "--secret"),
        (["play", "p2c3r", "--candidates", "--limit", "3"], "--limit"),
        (["export", "text", "a.tree", "--style", "irving", "--order", "largest"], "--order"),
        (["export", "text", "a.tree", "--style", "mmstrat", "--order", "responses"], "--order"),
        (["export", "dot", "a.tree", "-o", "-", "--all", "--max-nodes", "3"], "--max-nodes"),
        (["export", "svg", "a.tree", "-o", "-", "--depth", "1", "--max-nodes", "3"], "--max-nodes"),
        (["export", "histogram", "a.tree", "-o", "-", "--order", "largest"], "--order"),
        (["import", "table", "a.tgt", "--feedback", "black", "-o", "x.tree"], "--feedback"),
        (["simulate", "p2c3r", "--tables", "."], "--tables"),
        (["simulate", "p2c3r", "-s", "optimal", "--scheduler", "tcp://a:1"], "--scheduler"),
        (["compare", "p2c3r", "-s", "knuth", "--seed", "0"], "--seed"),
        (["compare", "p2c3r", "-s", "knuth", "-s", "optimal", "-n", "1000"], "--games"),
        (["compare", "p2c3r", "-s", "knuth", "--openings", "--seed", "3"], "--seed"),
        (["compare", "p2c3r", "-s", "knuth", "--time-limit", "9"], "--time-limit"),
        (["compare", "a.tree", "--scheduler", "tcp://a:1"], "--scheduler"),
        (["verify", "a.tree", "--seed", "3"], "--seed"),
        (["build", "p2c3r", "-s", "best", "--table-size", "1"], "--table-size"),
        (["build", "p2c3r", "-s", "knuth", "--seed", "1"], "--seed is for strategies that choose"),
        (["play", "p2c3r", "-s", "knuth", "--seed", "1"], "--seed is for strategies that choose"),
    ],
    ids=" ".join,
)
def test_an_option_without_effect_is_refused(folder, capsys, words, option):
    before = sorted(folder.iterdir())
    code, told = run(capsys, *words)
    assert (code, told.count("\n")) == (2, 1)
    assert option in told
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "p2c3r", "-s", "knuth", "-s", "random-consistent", "--seed", "3", "-n", "9"],
        ["compare", "p2c3r", "-s", "one-by-one", "--seed", "0"],
        ["compare", "p2c3r", "-s", "optimal", "--time-limit", "99"],
        ["export", "dot", "a.tree", "-o", "-", "--max-nodes", "3", "--force"],
        ["export", "text", "a.tree", "--style", "lines", "--order", "largest"],
        ["diff", "a.tree", "a.tree", "--limit", "3"],
    ],
    ids=" ".join,
)
def test_an_option_with_an_effect_is_taken(folder, capsys, words):
    assert run(capsys, *words)[0] == 0


def takes_one_value(parameter):
    is_option = isinstance(parameter, click.Option)
    return is_option and not parameter.is_flag and not parameter.multiple


def list_options():
    return [
        (words, option.opts)
        for words, found in command.list_commands()
        if not isinstance(found, click.Group)
        for option in filter(takes_one_value, found.params)
    ]


def test_a_single_value_given_twice_is_refused(capsys):
    options, failed = list_options(), []
    assert len(options) > 500
    for words, names in options:
        # All spellings of an option are one option.
        code, told = run(capsys, *words, names[0], "1", names[-1], "2")
        refusal = f"{max(names, key=len)} is given 2 times, but takes one value"
        if code != 2 or refusal not in told or told.count("\n") != 1:
            failed.append((*words, *names, code, told))
    assert failed == []


def test_all_ways_to_give_a_value_count(capsys):
    code, told = run(capsys, "build", "p2c3r", "-sknuth", "--strategy=entropy", "-o", "-")
    assert (code, "--strategy is given 2 times" in told) == (2, True)


def test_after_two_dashes_all_are_arguments(capsys):
    code, told = run(capsys, "games", "--", "--feedback", "--feedback")
    assert (code, "given" in told) == (2, False)


def test_flags_and_lists_may_be_repeated(capsys):
    main_args = ["compare", "p2c3r", "-s", "knuth", "-s", "entropy", "--json", "--json"]
    assert run(capsys, *main_args)[0] == 0
