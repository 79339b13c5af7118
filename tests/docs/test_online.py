"""The page on long codes: every snippet runs and prints what the page shows."""

import doctest

import pytest

from treegen import list_strategies

from ..paths import ROOT
from ..readme import read_python

DOCS = ROOT / "docs"


@pytest.mark.parametrize("page", ["long-codes.md"])
def test_python_of_the_page_prints_what_it_shows(page):
    test = doctest.DocTestParser().get_doctest(read_python(DOCS / page), {}, page, page, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("page", ["tutorial.md", "long-codes.md", "notes/results.md"])
def test_links_and_pictures_exist(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    for part in text.split("](")[1:]:
        target = part.partition(")")[0]
        assert "://" in target or ((DOCS / page).parent / target).exists(), target


def test_every_online_strategy_is_on_the_page():
    text = (DOCS / "long-codes.md").read_text(encoding="utf-8")
    names = [strategy.name for strategy in list_strategies() if not strategy.tree]
    assert len(names) == 4
    for name in names:
        assert f"| `{name}` |" in text
