"""The script for mutation testing: its two walks over a module number statements alike."""

import ast
from itertools import pairwise

import pytest

from .paths import load_script

mutate = load_script("mutate")

TEXT = '''
LIMIT = 3

def find(rows: list[int], least: int = 2) -> int:
    """Return the first."""
    n: int = 0
    for row in rows:
        if row < least and not row == 7:
            n += 1
            print(row)
            continue
        elif any(rows):
            n = min(n, row)
    if n < 0:
        raise ValueError(f"{n + 1} {1 < 2}")
    assert n >= 0
    return n + LIMIT

@njit
def count(rows):
    total = 0
    for row in rows:
        total += row
    return total
'''


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "small.py"
    path.write_text(TEXT, "utf-8")
    return path


def change(path, at):
    mutator = mutate.Mutator(at)
    tree = ast.fix_missing_locations(mutator.visit(ast.parse(path.read_text("utf-8"))))
    return mutator, ast.unparse(tree)


def test_each_mutant_differs_in_one_statement(module):
    texts = [change(module, at)[1] for at, _ in mutate.list_sites(module, kernels=False)]
    plain = ast.unparse(ast.parse(TEXT))
    assert len({plain, *texts}) == len(texts) + 1 == 21
    for text in texts:
        pairs = zip(plain.splitlines(), text.splitlines(), strict=True)
        assert sum(old != new for old, new in pairs) == 1


def test_a_mutant_says_its_line_before_and_after(module):
    told = {
        (mutator.before, mutator.after)
        for at, _ in mutate.list_sites(module, kernels=False)
        for mutator in [change(module, at)[0]]
    }
    assert ("n += 1", "n -= 1") in told
    assert ("print(row)", "pass") in told
    assert ("continue", "break") in told
    assert ("raise ValueError(f'{n + 1} {1 < 2}')", "pass") in told


def test_kernels_are_mutated_apart(module):
    found = mutate.list_sites(module, kernels=True)
    assert [site.kind for _, site in found] == ["constant", "drop", "operator"]
    assert "total -= row" in change(module, found[2][0])[1]


@pytest.mark.parametrize("kernels", [False, True])
def test_marks_and_sites_number_statements_alike(module, kernels):
    marker = mutate.Instrumented(kernels=kernels)
    lines = ast.unparse(ast.fix_missing_locations(marker.visit(ast.parse(TEXT)))).splitlines()
    marked = {
        int(line.split("[")[1].split("]")[0]): following.strip()
        for line, following in pairwise(lines)
        if mutate.HITS in line
    }
    for at, site in mutate.list_sites(module, kernels=kernels):
        before = change(module, at)[0].before
        assert marked[site.statement].startswith(before.removesuffix(":"))


def test_all_that_runs_is_marked(module):
    mutate.MARKS.clear()
    recorder = mutate.Recorder("here", kernels=False)
    tree = ast.fix_missing_locations(recorder.change(module, ast.parse(TEXT.split("@njit")[0])))
    names = {mutate.HITS: mutate.MARKS[module]}
    exec(compile(tree, str(module), "exec"), names)
    assert names["find"]([9]) == 3
    lines = ast.unparse(tree).splitlines()
    ran = [line for line in lines if mutate.HITS in line and eval_mark(line, names)]
    left_out = [line for line in lines if mutate.HITS in line and line not in ran]
    assert len(ran) == 8 and len(left_out) == 4  # n += 1, print, continue, raise


def eval_mark(line, names):
    return names[mutate.HITS][int(line.split("[")[1].split("]")[0])]
