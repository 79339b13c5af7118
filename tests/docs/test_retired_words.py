"""Phrases that have been mended everywhere do not come back."""

import runpy

import pytest

from ..paths import ROOT

CHECK = runpy.run_path(str(ROOT / "scripts" / "check-words.py"))


def find(text, tmp_path, monkeypatch):
    """Return what the script says of a text."""
    path = tmp_path / "page.md"
    path.write_text(text, "utf-8")
    monkeypatch.setitem(CHECK["find_retired"].__globals__, "ROOT", tmp_path)
    return list(CHECK["find_retired"](path))


@pytest.mark.parametrize(
    "text",
    [
        "For each of so\n    many open states one more thread helps.",
        "Errors as of `build`.",
        "The round goes on.",
        "A user is told what the page does.",
        "They are told.",
        "Without one none is written.",
        "What was not checked is listed.",
        "Words count alike there.",
        "Return which of the guesses wins.",
        "Simply type it.",
    ],
)
def test_a_phrase_is_found_with_its_line(text, tmp_path, monkeypatch):
    (fault,) = find(f"First.\n\n{text}", tmp_path, monkeypatch)
    assert fault.startswith("page.md:3: ")


def test_terms_and_other_words_are_left_alone(tmp_path, monkeypatch):
    text = "Candidates that are told apart, as the formulas of `cost.py`; so much; one is gone on."
    assert find(text, tmp_path, monkeypatch) == []


def test_every_text_keeps_to_it(capsys):
    assert CHECK["main"]() == 0, capsys.readouterr().err
    assert {path.suffix for path in CHECK["list_files"]()} >= {".py", ".md", ".mjs", ".c", ".ipynb"}
