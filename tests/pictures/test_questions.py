"""Pictures and graphs of tables of answers: questions, answers and names are their labels."""

import json
import re

import treegen
from treegen import Questions

from ..written import text_of

ROWS = [["<no>", 4], ["yes\\n", 4], ["<no>", 2], ["yes\\n", 2]]
GAME = Questions(ROWS, ["dog", "<b>frog", "sparrow", "duck"], ["Wet & cold?", "Legs"])
TREE = treegen.build(GAME, "max,lowest")


def test_states_are_questions_and_edges_answers():
    text = text_of(TREE, "dot")
    edges = re.findall(r'(\d+) -> (\d+) \[headlabel=.*"white">(.*?)</TD>', text)
    assert edges == [
        ("0", "1", "&lt;no&gt;"),
        ("0", "2", r"yes\\n"),
        ("1", "3", "2"),
        ("1", "4", "4"),
        ("2", "5", "2"),
        ("2", "6", "4"),
    ]
    names = re.findall(r"\t(\d) \[label=<<B>(.*?)</B>", text)
    written = ["Wet &amp; cold?", "Legs", "Legs", "sparrow", "dog", "duck", "&lt;b&gt;frog"]
    assert [name for _, name in sorted(names)] == written
    assert "longest game 2" in text
    assert "longest game 3" not in text


def test_a_graph_tells_words_and_numbers():
    graph = json.loads(text_of(TREE, "json"))
    assert graph["edges"][0]["feedback"] == "<no>"
    assert [node["guess"] for node in graph["nodes"]][:2] == ["Wet & cold?", "Legs"]


def test_whole_trees_are_drawn():
    for kind in ("icicle", "histogram"):
        assert TREE.plot(kind).axes
