"""``treegen export`` and ``treegen import``: a command for each format, made from its record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import click.shell_completion

from .._files import GEXF, write_folder
from .._loading import list_plugins
from ..errors import FormatError, UsageError
from ..formats.format import GONE, Format, Idle, Writer
from ..formats.inputs import IMPORT_OPTIONS
from ..formats.tree_file import TABLE
from ..formats.tree_file import read as read_tree
from ..jit.memory import NUMPY_BYTES, claim_address_space
from .command import Command, LazyGroup, format_examples
from .options import (
    GAME,
    GAME_OPTIONS,
    add_options,
    file_argument,
    files_argument,
    game_options,
    make_option,
    notify,
    open_game,
    open_rules,
    output_option,
    quiet_option,
)
from .output import (
    check_contents,
    check_file,
    is_forced,
    open_file,
    open_target,
    report,
    write_tree,
)


class FormatGroup(LazyGroup):
    """A command for each format that is written, or read.

    `choose` returns the summary of a format that has a command, ``""`` for another; `make` returns
    that command; `groups` are the groups of plug-ins whose names are commands.
    """

    def __init__(
        self,
        *args: Any,
        choose: Callable[[Format], str],
        make: Callable[[Format], click.Command],
        groups: tuple[str, ...],
        **settings: Any,
    ) -> None:
        super().__init__(*args, **settings)
        self.choose, self.make, self.groups = choose, make, groups

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the formats, those of plug-ins last."""
        return [name for name, _ in self._list_rows()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Make the command of a format."""
        claim_address_space(NUMPY_BYTES)
        from ..convert import FORMATS, find_format

        format = FORMATS.get(cmd_name)
        if format is None and self.has(ctx, cmd_name):
            format = find_format(cmd_name)
        return self.make(format) if format is not None and self.choose(format) else None

    def has(self, ctx: click.Context, name: str) -> bool:
        """Whether a name is that of a format, which may fail to load."""
        from ..convert import FORMATS

        if name in FORMATS:
            return bool(self.choose(FORMATS[name]))
        return any(name in list_plugins(group) for group in self.groups)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of formats."""
        with formatter.section("Commands"):
            formatter.write_dl(self._list_rows())

    def _list_rows(self) -> list[tuple[str, str]]:
        """Return name and summary of each format that has a command."""
        claim_address_space(NUMPY_BYTES)
        from ..convert import list_formats

        rows = [(format.name, self.choose(format)) for format in list_formats()]
        return [row for row in rows if row[1]]

    def suggest(self, ctx: click.Context, name: str) -> str:
        """Return a hint at the names that a user may have meant by an unknown one."""
        from ..formats.text import list_styles

        if name == "gexf":
            return GEXF
        if name in GONE:
            return GONE[name]
        if self.name == "export" and name in list_styles():
            return f"treegen export text --style {name} writes it"
        if self.name == "export" and name == "tgt":
            return "treegen export table writes it"
        if Path(name).is_file():
            return f"the format comes before the file: treegen {self.name} text {name}"
        return super().suggest(ctx, name)


def _make_export(format: Format) -> click.Command:
    """Return the command that writes a format."""
    from ..convert import FORMATS

    writer = format.writer
    assert writer is not None
    is_plugin = format.name not in FORMATS

    def export(output: str, quiet: bool, **options: Any) -> None:
        if writer.game:
            game, rules = options.pop("game"), options.pop("rules")
            if options["notes"] and game is not None:
                from ..games.question_files import split_texts

                notes = split_texts(options["notes"])
                _refuse_asked(options.get("files") or [options["file"]], notes)
                ignored = split_texts(rules["ignore"]) if rules["ignore"] else ()
                rules = {**rules, "ignore": [*ignored, *notes]}
            options["game"] = None if game is None else open_game(game, rules)
        if is_plugin:
            settings = options.pop("settings")
            options |= dict(setting.partition("=")[::2] for setting in settings)
        _write(format.name, writer, output, quiet, options)

    default = "-" if writer.has_stream else None
    add_output = output_option(*writer.kinds, default=default, by_style=writer.by_style)
    add_input = files_argument if writer.takes_several else file_argument()
    idle = writer.idle
    function = add_output(quiet_option(export))
    if writer.game:
        add_game = click.option("-g", "--game", type=GAME, help=writer.game)
        function = add_game(game_options(function))
        names = tuple(option.name for option in GAME_OPTIONS)
        idle += (Idle(names, lambda given: given["game"] is None, "without -g"),)
    command: click.Command = click.command(
        cls=Command, name=format.name, help=writer.help, idle=idle
    )(add_input(function))
    command.params[1:1] = [make_option(option) for option in writer.list_options()]
    if is_plugin:
        text = "An option of the format; repeatable."
        name = ["--set", "settings"]
        command.params.insert(1, click.Option(name, multiple=True, metavar="NAME=VALUE", help=text))
    command.epilog = format_examples(writer.examples)
    return command


def _refuse_asked(files: Sequence[str], notes: Sequence[str]) -> None:
    """Raise UsageError for a column of notes that a tree asks."""
    for file in files:
        if file == "-":
            continue
        with suppress(FormatError):  # of a table alone the game is needed
            game = read_tree(file).game
            asked = getattr(getattr(game.rules, "table", None), "questions", ())
            for column in notes:
                if column in asked:
                    raise UsageError(
                        f"--notes: {column!r:.80} is a question of {file!r:.200}; treegen build"
                        f" {game.name:.80} --ignore {column:.80} makes a tree that does not ask it"
                    )


def _write(name: str, writer: Writer, output: str, quiet: bool, options: dict[str, Any]) -> None:
    """Write trees in a format, after a look at all files that it makes."""
    from ..convert import write

    files = options.pop("files", None)
    source: Any = open_file(options.pop("file")) if files is None else [*map(open_file, files)]
    force = is_forced()
    if writer.make_files is not None:
        contents = writer.make_files(source, **writer.fixed, **options)
        check_contents(output, contents)
        written = write_folder(output, contents, force=force)
        if not quiet:
            click.echo("\n".join(map(str, written)))
        return
    if writer.list_others is not None and output != "-":
        for path, kind in writer.list_others(output, options).items():
            check_file(path, kind) if kind else check_contents("", [path])
    for option in writer.list_options():
        if option.metavar == "FILE" and options[option.name] is not None:
            options[option.name] = open_file(options[option.name])
    keywords = writer.list_keywords()
    if "force" in keywords:
        options["force"] = force
    if "check_fallback" in keywords:
        options["check_fallback"] = lambda path: check_file(str(path), "dot")
    write(source, open_target(output), name, **options)


@click.command(
    cls=FormatGroup,
    choose=lambda format: format.writer.summary if format.writer and format.writer.help else "",
    make=_make_export,
    groups=("exporters",),
    name="export",
)
def export() -> None:
    """Write the tree in FILE in another form: treegen export FORMAT FILE -o OUT."""


def _make_import(format: Format | None) -> click.Command:
    """Return the command that reads a format, or text of any without one."""
    reader = format.reader if format is not None else None

    def read(
        file: str,
        game: str | None,
        rules: Mapping[str, Any],
        output: str,
        quiet: bool,
        **options: Any,
    ) -> None:
        from ..formats.text import import_tree

        if file == "-" and "-" in (game, rules["guesses"]):
            raise UsageError("FILE and a codebook cannot both be read from the standard input")
        tree = import_tree(
            open_file(file),
            None if game is None else open_file(game),
            format=None if format is None else format.name,
            notice=None if quiet else notify,
            **options,
            **open_rules(rules),
        )
        write_tree(output, tree)
        report(tree, output, quiet, as_json=False)

    read = output_option("tree", "table")(quiet_option(read))
    of_game, *of_text = (o for name, o in IMPORT_OPTIONS.items() if name != "lenient")
    if format is TABLE:
        of_game, of_text = of_game._replace(help="The game that the table must be of."), []
    read = add_options(of_game)(game_options(add_options(*of_text)(read)))
    idle = (Idle(("feedback", "guesses"), lambda given: given["game"] is None, "without -g"),)
    command: click.Command = click.command(
        cls=Command,
        name="" if format is None else format.name,
        help=reader.help if reader else "Read a tree from a text whose format is detected.",
        idle=idle if format is TABLE else (),
    )(file_argument()(read))
    if reader is None or reader.may_misprint:
        command.params.append(make_option(IMPORT_OPTIONS["lenient"]))
    if reader is not None:
        command.epilog = format_examples(reader.examples)
    return command


class ImportGroup(FormatGroup):
    """The formats; without one before the file, it is detected."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the format's command; a file name in its place means any text."""
        name = args[0]
        is_path = name[:1] != "-" and ("." in name or "/" in name)
        is_file = name == "-" or is_path or Path(name).is_file()  # rather than a format's name
        if self.has(ctx, name) or not is_file:
            return super().resolve_command(ctx, args)
        from ..formats.text import refuse_own_file

        if not ctx.resilient_parsing:  # before it is asked for -o
            refuse_own_file(name)
        command = _make_import(None)
        command.epilog = self.epilog
        return "", command, args

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        """Return the matching formats; files if there are none."""
        items = super().shell_complete(ctx, incomplete)
        return items or [click.shell_completion.CompletionItem(incomplete, type="file")]


@click.command(
    cls=ImportGroup,
    choose=lambda format: format.reader.summary if format.reader else "",
    make=_make_import,
    groups=("importers", "styles"),
    name="import",
)
def import_() -> None:
    """Read a tree from another form: treegen import [FORMAT] FILE -g GAME -o X.tree.

    Without FORMAT the format is detected. Errors are reported with line and column; then nothing is
    written.
    """
