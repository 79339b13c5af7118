"""Mermaid flowcharts: every line has one form, and labels say the texts, whatever these hold."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import treegen
from tests.command import run

NODE = re.compile(r'  (n\d+)(?:\["([^"]*)"\]|\(\["([^"]*)"\]\))')
EDGE = re.compile(r'  (n\d+) -->\|"([^"]*)"\| (n\d+)')


def write(tree, **options):
    file = io.StringIO()
    treegen.write_mermaid(tree, file, **options)
    return file.getvalue().splitlines()


def decode(label):
    """A label as Mermaid shows it: entities of numbers stand for code points."""
    plain = re.sub(r"#(\d+);", "", label)
    assert not re.search(r"[#;<>&`*_~%{}\\$@:\[\]|]", plain.replace("<br/>", ""))
    assert not re.match(r"\s*\d*[.)+-]", label)  # an item of a list
    return re.sub(r"#(\d+);", lambda entity: chr(int(entity[1])), label)


def read(lines):
    """The texts of a flowchart's nodes, and its edges."""
    assert lines[0] == "flowchart TD"
    nodes, edges = {}, []
    for line in lines[1:]:
        if found := NODE.fullmatch(line):
            assert found[1] not in nodes
            nodes[found[1]] = decode(found[2] or found[3])
        else:
            before, label, after = EDGE.fullmatch(line).groups()
            assert before in nodes
            assert after not in nodes
            edges.append((before, decode(label), after))
    return nodes, edges


def list_steps(tree):
    """The guess of each state, with the answer that leads to it and the guess before."""
    steps = []
    for node in range(1, tree.n_nodes):
        above = int(tree.parent[node])
        response = tree.game.format_response(int(tree.response[node]), int(tree.guess[above]))
        guesses = (tree.game.format_code(int(tree.guess[each])) for each in (above, node))
        steps.append((*guesses, response))
    return sorted(steps)


def check(tree):
    nodes, edges = read(write(tree))
    assert len(nodes) == tree.n_nodes
    found = sorted((nodes[before], nodes[after], answer) for before, answer, after in edges)
    assert found == list_steps(tree)


@pytest.mark.parametrize("game", ["p2c3r", "a211", "range9", "coins4"])
def test_each_state_is_a_node_and_each_answer_an_edge(game):
    check(treegen.build(game))


HOSTILE = st.text(
    st.sampled_from('"#;<>&`*_~%{}\\$@:[]|()-=.1 ab é→😀\u0301') | st.characters(codec="utf-8"),
    min_size=1,
).filter(lambda text: text.isprintable() and " ".join(text.split()) == text and text != "?")


@given(st.lists(HOSTILE, min_size=5, max_size=5, unique_by=str.casefold))
def test_labels_hold_any_text(texts):
    first, second, question, yes, no = texts
    game = treegen.Questions([[yes], [no]], [first, second], [question])
    tree = treegen.build(game)
    nodes, edges = read(write(tree))
    assert sorted(nodes.values()) == sorted(tree.game.format_code(code) for code in range(3))
    assert {answer for _, answer, _ in edges} == set(tree.game.table.answers[0])


def test_a_part_says_what_it_leaves_out():
    tree = treegen.build("p2c3r")
    assert write(tree, depth=1) == ["flowchart TD", '  n0["11<br/>... 8 more states, worst 4"]']
    assert len(read(write(tree, depth=2))[0]) == 1 + len(tree.children(0))


def test_more_than_500_nodes_are_refused(tmp_path, capsys, monkeypatch):
    tree = treegen.build("p2c3r")
    monkeypatch.setattr("treegen.formats.mermaid.MOST_NODES", tree.n_nodes)
    check(tree)
    monkeypatch.undo()
    tree = treegen.build("p4c6r")
    with pytest.raises(treegen.UsageError, match=r"500 nodes at most, and 1,378 would be .* svg"):
        write(tree)
    assert len(read(write(tree, depth=3))[0]) < 500
    tree.write(tmp_path / "k.tree")
    assert run("export", "mermaid", str(tmp_path / "k.tree"), "-o", str(tmp_path / "k.mmd")) == 2
    assert "--depth and --path show a part; treegen export svg" in capsys.readouterr().err
    assert not (tmp_path / "k.mmd").exists()


def test_the_ending_names_the_format(tmp_path):
    treegen.write(treegen.build("p2c2r"), tmp_path / "x.mmd")
    assert (tmp_path / "x.mmd").read_text().startswith("flowchart TD\n")
