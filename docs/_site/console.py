"""Commands with their output: only the prompt and the command stand out."""

from __future__ import annotations

from typing import Any

from pygments.lexer import RegexLexer
from pygments.token import Generic, Text


class ConsoleLexer(RegexLexer):  # type: ignore[misc, unused-ignore]
    """Reads ``$ command`` and what follows; Pygments' own takes a line ``# …`` for a command."""

    name = "treegen console"
    tokens = {  # noqa: RUF012
        "root": [
            (r"^\$ ", Generic.Prompt),
            (r"(?<=^\$ ).*\n", Generic.Strong),
            (r".*\n", Text),
        ]
    }


def setup(app: Any) -> dict[str, bool]:
    """Take the place of Pygments' lexer."""
    app.add_lexer("console", ConsoleLexer)
    return {"parallel_read_safe": True}
