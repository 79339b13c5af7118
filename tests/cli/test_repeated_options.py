"""An option of one value that is given twice is refused, by every command."""

from __future__ import annotations

import click
import pytest

from treegen.cli.main import cli, main


def list_commands(group, words=()):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from list_commands(command, (*words, name))
        else:
            yield (*words, name), command


def takes_one_value(parameter):
    is_option = isinstance(parameter, click.Option)
    return is_option and not parameter.is_flag and not parameter.multiple


def list_options():
    return [
        pytest.param(words, option.opts, id=f"{'-'.join(words)}{option.opts[0]}")
        for words, command in list_commands(cli)
        for option in filter(takes_one_value, command.params)
    ]


def run(capsys, *args):
    with pytest.raises(SystemExit) as stopped:
        main(list(args))
    return stopped.value.code, capsys.readouterr().err


@pytest.mark.parametrize(("words", "names"), list_options())
def test_a_single_value_given_twice_is_refused(words, names, capsys):
    # All spellings of an option are one option.
    code, told = run(capsys, *words, names[0], "1", names[-1], "2")
    assert code == 2
    assert f"{max(names, key=len)} is given 2 times, but takes one value" in told
    assert told.count("\n") == 1


def test_all_ways_to_give_a_value_count(capsys):
    code, told = run(capsys, "build", "p2c3r", "-sknuth", "--strategy=entropy", "-o", "-")
    assert (code, "--strategy is given 2 times" in told) == (2, True)


def test_after_two_dashes_all_are_arguments(capsys):
    code, told = run(capsys, "games", "--", "--feedback", "--feedback")
    assert (code, "given" in told) == (2, False)


def test_flags_and_lists_may_be_repeated(capsys):
    main_args = ["compare", "p2c3r", "-s", "knuth", "-s", "entropy", "--json", "--json"]
    assert run(capsys, *main_args)[0] == 0
