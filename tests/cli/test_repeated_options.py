"""An option of one value that is given twice is refused, by every command."""

from __future__ import annotations

import click

from .. import command


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


def run(capsys, *args):
    return command.run(*args), capsys.readouterr().err


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
