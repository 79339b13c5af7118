"""The script that names the tests which changes can reach."""

import pytest

from .paths import load_script

near = load_script("test-near")


@pytest.mark.parametrize(
    ("changed", "reached", "not_reached"),
    [
        (
            "treegen/formats/gv.py",
            {"tests/formats", "tests/cli/test_outputs.py", "tests/test_names_crossed.py"},
            {"tests/cli/test_search.py", "tests/page", "tests/page/test_page.py"},
        ),
        (
            "treegen/formats/tree_file.py",  # what nearly all read names no test
            {"tests/formats", "tests/cli/test_outputs.py"},
            {"tests/page/test_page.py", "tests/analysis/test_uncertain.py"},
        ),
        ("treegen/formats/__init__.py", {"tests/formats"}, {"tests/cli/test_outputs.py"}),
        ("treegen/formats/deleted.py", {"tests/formats"}, {"tests/cli/test_outputs.py"}),
        ("treegen/page/assets/key.mjs", {"tests/page"}, {"tests/formats", "tests/cli"}),
        (
            "treegen/page/html.py",
            {"tests/page", "treegen/page/html.py", "tests/cli/test_outputs.py"},
            {"tests/formats", "tests/cli/test_play.py"},
        ),
        ("treegen/games/rules.py", {"tests/games", "tests/exact", "tests/page"}, {"tests/docs"}),
        ("tests/naive.py", {"tests/kernels/test_words.py"}, {"tests/kernels/test_planes.py"}),
        ("treegen/games/text.py", {"tests/test_trees.py"}, {"tests/test_mutate.py"}),
        ("tests/games/test_pegs.py", {"tests/games/test_pegs.py"}, {"tests/games"}),
        (
            "tests/test_names_crossed.py",
            {"tests/test_names_crossed.py", "tests/tree/test_walk.py"},
            {"tests/test_trees.py"},
        ),
        ("tests/data/x.csv", {"tests/data", "tests/test_optima.py"}, {"tests/games"}),
        ("docs/tour.md", {"tests/docs"}, {"tests/cli", "tests/test_trees.py"}),
        ("docs/notes/plug-ins.md", {"tests/docs", "tests/test_plugins.py"}, {"tests/cli"}),
        ("CHANGELOG.md", {"tests/docs", "tests/test_release.py"}, {"tests/test_trees.py"}),
    ],
)
def test_near_tests_are_those_of_the_modules_that_use_what_changed(changed, reached, not_reached):
    found = {path.relative_to(near.ROOT).as_posix() for path in near.list_near(near.ROOT / changed)}
    assert reached <= found
    assert not not_reached & found


def test_all_tests_are_near_to_the_settings_of_the_project():
    for name in ("pyproject.toml", "tests/conftest.py"):
        assert near.list_near(near.ROOT / name) is None
