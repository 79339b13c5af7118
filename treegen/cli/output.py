"""Where results go: checked before the work begins, written whole, or printed."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, BinaryIO, TypeVar

import click

from .. import _files
from .._files import (
    KINDS,
    PICTURES,
    WRITTEN,
    choose_kind,
    explain_stream,
    is_same_file,
    probe_file,
    probe_folder,
    refuse_file_name,
    sniff_file,
)
from .._loading import import_matplotlib
from .._printing import Block, Printable, generate_text
from ..errors import ESCAPES, TreegenError, UsageError
from ..formats.table import generate_table_bytes
from ..formats.tree_file import generate_tree_bytes
from ..tasks.work import ProgressOption
from ..tree.tree import Tree
from .command import FORCE, is_dumb, show_line


def print_json(value: Any) -> None:
    """Print JSON on one line."""
    click.echo(json.dumps(value, ensure_ascii=False).translate(ESCAPES))


def write_tree(path: str, tree: Tree) -> None:
    """Write a tree in the format of the path's ending: a table to ``.tgt``, else a tree file."""
    if choose_kind(path, ("tree", "table")) == "tree":
        write_bytes(path, generate_tree_bytes(tree))
    else:
        write_bytes(path, generate_table_bytes(tree))


class StandardOutput:
    """The standard output as a file that results are written to."""

    def write(self, data: bytes) -> int:
        """Write bytes, and note that something was written."""
        WRITTEN.note("-")
        n_bytes = sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return n_bytes


def open_target(path: str) -> Any:
    """Return a path, or the standard output for ``-``."""
    return StandardOutput() if path == "-" else path


def write_bytes(path: str, chunks: bytes | Iterable[bytes]) -> None:
    """Write to a file, whole or not at all, or to the standard output."""
    _files.write_bytes(open_target(path), chunks)


def deliver(*steps: Callable[[], object]) -> None:
    """Take every step, even if others fail, and raise in the end what went wrong.

    After long work one output that fails must not cost the others.
    """
    errors: list[Exception] = []
    for step in steps:
        try:
            step()
        except (TreegenError, OSError) as error:
            errors.append(error)
    failures = [error for error in errors if not isinstance(error, BrokenPipeError)]
    if len(failures) > 1:
        texts = [explain_stream(e) if isinstance(e, OSError) else e.args[0] for e in failures]
        raise UsageError("; ".join(map(str, texts)))
    if errors:
        raise (failures or errors)[0]


def write_lines(path: str, lines: Iterable[str]) -> None:
    """Write lines of text as UTF-8."""
    write_bytes(path, (f"{line}\n".encode() for line in lines))


def write_plot(figure: Any, path: str) -> None:
    """Write a picture of matplotlib in the format of the path's ending."""
    from ..pictures.picture import choose_format
    from ..pictures.plot import write_figure

    write_figure(figure, path, choose_format(path, None))


def open_file(path: str) -> str | BinaryIO:
    """Return a path, or the standard input for ``-``."""
    return sys.stdin.buffer if path == "-" else path


def show_progress(quiet: bool) -> ProgressOption:
    """Return the form of progress: a bar on a terminal, lines on a dumb one, else nothing."""
    if quiet or not sys.stderr.isatty():
        return False
    return (lambda state: show_line(str(state))) if is_dumb() else True


# Where results may go: every output of a command is checked before its work begins.
#
# An output is refused if it is one of the inputs, if it cannot be written, if its ending names
# another kind of file than is written, or, without ``--force``, if it would replace a file of
# another kind. What is replaced is reported when the command ends.


F = TypeVar("F", bound=Callable[..., Any])

INPUTS = (
    *("file", "files", "first", "second", "source", "game", "games", "strategies"),
    *("guesses", "scheduler", "tree", "rows", "hints"),
)
"""Parameters of commands that may name an input file."""


@dataclass(frozen=True, slots=True)
class Output:
    """An option that names an output."""

    parameter: str  # that holds its value
    kinds: tuple[str, ...] = ()  # that can be written, keys of `_files.KINDS`; none: a folder
    may_stream: bool = True  # ``-`` means standard output
    by_style: Mapping[str, str] = field(default_factory=dict)  # kinds that a ``--style`` makes


def picture_output(parameter: str) -> Output:
    """Return the option that names a picture; its ending chooses SVG, PNG or PDF."""
    return Output(parameter, PICTURES, may_stream=False)


class GroupedOption(click.Option):
    """An option that the help lists under a heading."""

    def __init__(self, *args: Any, group: str = "Options", **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.group = group


def add_option(*names: str, group: str, **settings: Any) -> Callable[[F], F]:
    """Add an option under a heading."""
    return click.option(*names, cls=GroupedOption, group=group, **settings)


force_option = add_option(
    "--force",
    is_flag=True,
    help="Replace a file of another kind, or one that is protected.",
    group="Output",
)


def checks_outputs(*outputs: Output) -> Callable[[F], F]:
    """Add --force, and let `Command` check a function's outputs before it calls that."""

    def decorate(function: F) -> F:
        function.__dict__["check_outputs"] = partial(check_outputs, outputs)
        return force_option(function)

    return decorate


def check_outputs(outputs: Iterable[Output], parameters: Mapping[str, Any]) -> None:
    """Raise UsageError if an output cannot or must not be written.

    `parameters` has the values of all options: those of `INPUTS` name what is read.
    """
    seen: list[str] = []
    for output in outputs:
        path = parameters.get(output.parameter)
        if path is None:
            continue
        if any(path == other or is_same_file(path, other) for other in seen):
            raise UsageError(f"two outputs go to {path!r:.300}")
        seen.append(path)
        of_style = output.by_style.get(parameters.get("style") or "")
        kinds = (of_style,) if of_style else output.kinds
        if path == "-":
            _check_stream(output, _list_inputs(parameters))
        elif kinds:
            check_file(path, *kinds)
        else:
            refuse_file_name(path)
            probe_folder(path)


def is_forced() -> bool:
    """Whether a file of another kind, or a protected one, may be replaced."""
    return bool(click.get_current_context().meta[FORCE])


def check_contents(
    folder: str, names: Iterable[str], kinds: Mapping[str, str] | None = None
) -> None:
    """Raise UsageError if one of some files in a folder must not be replaced.

    Where `kinds` has the kind of each, one of another kind is not replaced.
    """
    inputs = list(_list_inputs(click.get_current_context().params))
    for name in names:
        path = os.path.join(folder, name)  # noqa: PTH118
        _refuse_inputs(path, inputs)
        if not is_forced():
            _refuse_protected(path)
            if kinds is not None:
                _refuse_other_kind(path, kinds[name])
        _remember(path)


def check_file(path: str, *kinds: str) -> None:
    """Raise UsageError where a file of some kinds must not be written or replaced."""
    from ..pictures.picture import choose_format

    _refuse_inputs(path, _list_inputs(click.get_current_context().params))
    kind = choose_kind(path, kinds)
    if kinds == PICTURES:  # the ending must choose
        choose_format(path, None)
        import_matplotlib()
    probe_file(path)
    if not is_forced():
        _refuse_protected(path)
        _refuse_other_kind(path, kind)
    _remember(path)


def _check_stream(output: Output, inputs: Iterable[str]) -> None:
    if not output.may_stream:
        raise UsageError(f"--{output.parameter} needs a file: the results go to standard output")
    if hasattr(getattr(sys.stdout, "buffer", None), "was_closed"):
        raise UsageError("the standard output is closed")
    for source in inputs:
        if is_same_file(1, source) and _is_real(sys.stdout, 1):
            raise UsageError(f"the output is the input {source!r:.300}")


def _remember(path: str) -> None:
    """Note a file, to report when the command ends if it was replaced."""
    before = _identify(path)
    if before is not None and not click.get_current_context().params.get("quiet"):
        WRITTEN.replaceable[path] = before


def tell_replaced() -> None:
    """Say which files are not what they were."""
    known = WRITTEN.replaceable.items()
    paths = [path for path, before in known if _identify(path) not in (None, before)]
    if paths:
        more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
        click.echo(f"treegen: replaced {', '.join(map(repr, paths[:3]))}{more}", err=True)


def _identify(path: str) -> tuple[int, ...] | None:
    """Return the identity of a regular file that is not empty; None for others."""
    try:
        state = os.stat(path)  # noqa: PTH116 (of paths with null bytes too)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(state.st_mode) or not state.st_size:
        return None
    return state.st_dev, state.st_ino, state.st_mtime_ns


def _refuse_inputs(path: str, inputs: Iterable[str]) -> None:
    for source in inputs:
        if source == "-":
            if _is_real(sys.stdin, 0) and is_same_file(0, path):
                raise UsageError(f"the output {path!r:.300} is the standard input")
        elif is_same_file(source, path):
            raise UsageError(f"the output {path!r:.300} is the input {source!r:.300}")


def _refuse_protected(path: str) -> None:
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116
    except OSError:
        return
    if stat.S_ISREG(mode) and not mode & 0o222:
        raise UsageError(f"{path!r:.300} is protected against writing; --force replaces it")


def _refuse_other_kind(path: str, kind: str) -> None:
    """Raise UsageError if there is a file of another kind than is written."""
    if not os.path.isfile(path):  # noqa: PTH113 (of paths with null bytes too)
        return
    try:
        found = sniff_file(path)
    except OSError:  # what cannot be read is not ours
        found = "unknown"
    if found not in (None, kind):
        raise UsageError(
            f"{path!r:.300} is {KINDS[str(found)].title}, not {KINDS[kind].title};"
            " --force replaces it"
        )


def _list_inputs(parameters: Mapping[str, Any]) -> Iterable[str]:
    given = {**parameters, **parameters.get("rules", {})}
    for name in INPUTS:
        value = given.get(name)
        yield from [value] if isinstance(value, str) else value or ()


def _is_real(stream: Any, descriptor: int) -> bool:
    """Whether a stream is still that descriptor, not a substitute."""
    try:
        return bool(stream.fileno() == descriptor)
    except (OSError, ValueError, AttributeError):
        return False


def print_result(result: Printable) -> None:
    """Print a result as text."""
    print_blocks(result.describe())


def print_blocks(blocks: Iterable[Block]) -> None:
    """Print paragraphs and tables, within the terminal's width; in full where there is none."""
    for line in generate_text(blocks, find_width()):
        click.echo(line)


def find_width() -> int | None:
    """Return the width of the terminal; None if the output goes elsewhere."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def report(tree: Tree, path: str, quiet: bool, as_json: bool) -> None:
    """Print the tree's statistics, unless the tree itself went to standard output."""
    from ..analysis.statistics import describe_tree

    if as_json and path != "-":
        print_json(describe_tree(tree))
    elif not quiet:
        from ..games.rules import write_weights

        click.echo(
            f"{path}: total {write_weights([tree.total])}, average {tree.average:.4f},"
            f" worst {tree.worst}, histogram {write_weights(tree.histogram)}{describe_proof(tree)}",
            err=path == "-",
        )


def describe_proof(tree: Tree) -> str:
    """Return the result of a search as text; empty if no search made the tree."""
    from ..games.rules import write_weights
    from ..strategies.named import read_provenance

    objective, bound = tree.provenance.objective, tree.provenance.bound
    stated = read_provenance(tree.provenance, tree.game)
    if stated.is_rounded:
        return f", not proved optimal by {objective}: shares are rounded"
    if not objective:
        return ""
    given = f" with the first guess {' or '.join(stated.first)}" if stated.first else ""
    if stated.is_optimal:
        return f", proved optimal by {objective}{given}"
    if not bound:
        return f", not proved optimal by {objective}{given}"
    gap = float((tree.total - bound) / bound)
    claim = f"no total{given} below {write_weights([bound])} (gap {gap:.1%})"
    if stated.is_unproved:
        return f", not proved optimal by {objective}: {claim}"
    return f", proved: {claim}"
