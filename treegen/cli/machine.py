"""What concerns the machine and no game: compiled code, completion in its shell, plug-ins."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import click
from click.shell_completion import (
    CompletionItem,
    ShellComplete,
    add_completion_class,
    get_completion_class,
)

from .._loading import GROUPS, describe_plugin, list_plugins
from .._printing import Column, tabulate
from ..tasks.work import Progress
from .command import OTHER, PROGRAM, Command, Idle
from .options import json_option, quiet_option
from .output import print_blocks, print_json, print_result, show_progress


@click.command(cls=Command)
@quiet_option
@json_option
def warmup(quiet: bool, as_json: bool) -> None:
    """Compile all kernels, so that no later command has to; say where they are kept.

    Useful for disk images, classrooms and clusters. NUMBA_CACHE_DIR chooses the folder.
    """
    from ..warming import warmup

    def tell_line(progress: Progress) -> None:
        click.echo(f"compiling {progress.note}", err=True)

    is_bar = show_progress(quiet) is True
    found = warmup(progress=is_bar or (None if quiet else tell_line))
    if as_json:
        print_json(found.to_dict())
    elif not quiet:
        print_result(found)


@click.command(
    cls=Command,
    idle=[Idle(("old",), lambda given: given["clear"], "with --clear, which removes all")],
)
@click.option("--clear", is_flag=True, help="Remove all of it: it is compiled again when needed.")
@click.option("--old", is_flag=True, help="Remove what other versions of treegen have compiled.")
def cache(clear: bool, old: bool) -> None:
    """Show where compiled code is kept, how large it is and when it was used; or remove it."""
    from ..checker.compiled import PREFIX
    from ..jit.cache import list_folders
    from ..jit.compiler import _find_folder

    used = _find_folder()
    kinds = {
        folder: f"kernels of {'this' if folder == used else 'another'} version"
        for folder in list_folders(os.environ.get("NUMBA_CACHE_DIR", ""))
    }
    kinds |= dict.fromkeys(list_folders(prefix=PREFIX), "the checker of proofs")
    sizes = {folder: sum(path.stat().st_size for path in folder.iterdir()) for folder in kinds}
    if clear or old:
        unwanted = [folder for folder in kinds if clear or "another" in kinds[folder]]
        for folder in unwanted:
            shutil.rmtree(folder, ignore_errors=True)
        freed = sum(sizes[folder] for folder in unwanted)
        s = "" if len(unwanted) == 1 else "s"
        click.echo(f"removed {len(unwanted)} folder{s}, {_write_size(freed)}")
        return
    if not kinds:
        click.echo("no compiled code is kept")
        return
    columns: dict[Column, Callable[[Path], object]] = {
        Column("folder", is_text=True): str,
        Column("size"): lambda folder: _write_size(sizes[folder]),
        Column("last used", rank=1): lambda folder: date.fromtimestamp(folder.stat().st_mtime),
        Column("what", is_text=True): kinds.__getitem__,
    }
    print_blocks([tabulate(kinds, columns)])


def _write_size(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:.1f} MB"


@click.command(cls=Command)
def plugins() -> None:
    """List the plug-ins that are installed, what each adds, and from which package."""
    rows = [(name, group) for group in GROUPS for name in list_plugins(group)]
    if not rows:
        click.echo("no plug-ins are installed")
        return
    columns = {
        Column("plug-in", is_text=True): lambda row: row[0],
        Column("adds to", is_text=True): lambda row: row[1],
        Column("what it is", is_text=True): lambda row: (
            describe_plugin(row[1], row[0]) or "fails to load"
        ),
    }
    print_blocks([tabulate(rows, columns)])


SHELLS = ("bash", "zsh", "fish", "powershell")


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    r"""Print the lines that make SHELL complete commands, options, games and files.

    \b
    In ~/.bashrc:                 eval "$(treegen completion bash)"
    In ~/.zshrc, after compinit:  eval "$(treegen completion zsh)"
    In fish's config.fish:        treegen completion fish | source
    In PowerShell's $PROFILE:     treegen completion powershell | Out-String | Invoke-Expression
    """
    kind = get_completion_class(shell)
    assert kind is not None
    for name in (PROGRAM, OTHER):
        variable = f"_{name.replace('-', '_').upper()}_COMPLETE"
        click.echo(kind(ctx.find_root().command, {}, name, variable).source())


@add_completion_class
class PowerShell(ShellComplete):
    """Completion in PowerShell, which click does not know.

    The shell passes its words one a line: a path keeps its backslashes. Where nothing is printed,
    it offers files itself.
    """

    name = "powershell"
    source_template = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($word, $line, $place)
    $before = $line.CommandElements | Where-Object { $_.Extent.EndOffset -le $place }
    $env:TREEGEN_WORDS = ($before | ForEach-Object { $_.ToString() }) -join "`n"
    $env:TREEGEN_WORD = $word
    $env:%(complete_var)s = "powershell_complete"
    %(prog_name)s | Where-Object { $_ } | ForEach-Object {
        $value, $text = $_ -split "`t", 2
        $kind = [System.Management.Automation.CompletionResultType]::ParameterValue
        [System.Management.Automation.CompletionResult]::new($value, $value, $kind, $text)
    }
    Remove-Item Env:TREEGEN_WORDS, Env:TREEGEN_WORD, Env:%(complete_var)s -ErrorAction Ignore
}
"""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one that is typed, and that one."""
        words = os.environ["TREEGEN_WORDS"].split("\n")[1:]
        word = os.environ.get("TREEGEN_WORD", "")
        return words[: len(words) - bool(word)], word

    def format_completion(self, item: CompletionItem) -> str:
        """Return a name and what the shell says of it, which must not be nothing."""
        return f"{item.value}\t{item.help or item.value}" if item.type == "plain" else ""
