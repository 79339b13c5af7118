"""The command line, run in this process, and its commands: the door by which tests enter it."""

import io
import json
import sys

import click
import pytest
from click.shell_completion import ShellComplete

from treegen.cli.main import cli, main


def run(*words):
    """Run a command; return its exit code. What it prints is left to ``capsys``."""
    with pytest.raises(SystemExit) as stop:
        main([str(word) for word in words])
    return stop.value.code


def show(capsys, *words):
    """Run a command that succeeds; return what it prints, and what is printed and not yet read."""
    assert run(*words) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def show_json(capsys, *words):
    return json.loads(show(capsys, *words, "--json"))


def refuse(capsys, *words):
    """Run a command that is refused; return what it says of that."""
    assert run(*words) == 2
    return capsys.readouterr().err


def give_input(monkeypatch, text):
    """Let the next command read a text, or bytes, from its standard input."""
    stream = io.BytesIO(text if isinstance(text, bytes) else text.encode())
    stream.name = "<stdin>"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream, encoding="utf-8"))


def list_commands(group=cli, words=()):
    """Yield the words of every command, and click's value; groups such as ``export`` too."""
    yield words, group
    context = click.Context(group)
    for name in group.list_commands(context) if isinstance(group, click.Group) else ():
        yield from list_commands(group.get_command(context, name), (*words, name))


def find_command(line):
    """Return click's value of a command: ``build``, ``export text``."""
    return dict(list_commands())[tuple(line.split())]


def complete(*words):
    """Return type and value of what a shell is offered for the last of the words."""
    shell = ShellComplete(cli, {}, "treegen", "_TREEGEN_COMPLETE")
    return [(item.type, item.value) for item in shell.get_completions(list(words[:-1]), words[-1])]


def list_choices(line, name):
    """Return the values that an option of a command may have: ``"export text", "style"``."""
    (choices,) = (
        option.type.choices for option in find_command(line).params if option.name == name
    )
    return list(choices)
