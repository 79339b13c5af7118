"""docs/optimal.md says where each idea of the exact search is."""

from ..paths import ROOT

FOLDER = ROOT / "treegen" / "exact"
MODULES = [path.relative_to(FOLDER).as_posix() for path in sorted(FOLDER.rglob("*.py"))]


def test_every_module_is_in_the_table():
    text = (ROOT / "docs" / "optimal.md").read_text("utf-8")
    table = text[text.index("| module in") : text.index("Let S be a state")]
    named = [name for name in MODULES if f"`{name}`" in table]
    assert named == [name for name in MODULES if not name.endswith("__init__.py")]
    assert table.count(".py`") == len(named)
