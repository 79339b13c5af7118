"""DOT as people and programs write it: the same tree, whatever the signs between."""

import io

import pytest

import treegen
from treegen import FormatError, open_game, read_questions

from ..written import import_text

GAME = open_game("p2c2r")
TREE = "{AA:{00:BB,10:{AB:{02:BA}}}}"
DIGEST = import_text(TREE, GAME, "codegolf").digest

TEXTS = {
    "plain": 'digraph T {\na [label="11"]\nb [label="22"]\nc [label="12"]\nd [label="21"]\n'
    'a -> b [label="00"]\na -> c [label="10"]\nc -> d [label="02"]\n}\n',
    "one line": 'strict DIGRAPH{a[label=11]b[label=22];c[label=12] ;d[label=21]a->b[label="00"]'
    'a->c[label=10];c->d[label="02"]}',
    "comments": '/* a\n * tree */ digraph "T" { // begins\n# 1 "file.gv"\n'
    'a [/* one */ label="11"] ;\nb [label="22"] ; c [label="12"] ; d [label="21"] ;\n'
    'a -> b [label="00"] ; a -> c [label="10"] // the other\n ; c -> d [label="02"] ; }',
    "defaults and settings": 'digraph T {\n  graph [rankdir=LR; size="40,40"]\n  node [shape=box, '
    'label="?"] edge [len=-1.5]\n  fontsize = 9.5 a [shape=circle, label="11", color=red];\n'
    'b [label="22"][color=".1 .2 .3"] c [label="12"] d [label="21"]\n'
    'a -> b [color=red, label="00"] a:s -> c:n:ne [label="10",] c -> d [label="02"]\n}',
    "subgraphs": 'digraph T { subgraph cluster_0 { label="x"; a [label="11"] { b [label="22"] } }\n'
    'subgraph { rank=same c [label="12"] d [label="21"] } a -> b [label="00"]\n'
    'a -> c [label="10"] c -> d [label="02"] }',
    "names as labels": 'digraph { 11; 11 -> 22 [label="00"] 11 -> 12 [label=10] 12 -> 21 '
    "[label=02] }",
    "texts in pieces": 'digraph { a [label="1" + "1"] b [label="2\\\n2"] c [label=<1<b>2</b>>] '
    'd [label="21\\nleft: 1"] a -> b [label="00"] a -> c [label="10"] c -> d [label="02"] }',
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_every_way_to_write_it(text):
    assert treegen.import_tree(io.StringIO(text), GAME, format="gv").digest == DIGEST
    assert treegen.import_tree(io.StringIO(text), GAME).digest == DIGEST  # it is recognized


def test_labels_of_tables_have_spaces_quotes_and_answers_of_their_own():
    rows = 'heron,yes,"a ""b"""\nswan,yes,a\\b\ngoat,no,a\\b\n'
    game = read_questions(io.StringIO(f'animal,Has wings?,"Sings, or not?"\n{rows}'))
    text = (
        'digraph { 0 [label="Has wings?"] 1 [label="Sings, or not?\\n2 left"]\n'
        '0 -> goat [label=no] 0 -> 1 [label=yes] 1 -> heron [label="a \\"b\\""]\n'
        '1 -> swan [label="a\\\\b"] }'
    )
    tree = treegen.import_tree(io.StringIO(text), game, format="gv")
    assert (tree.n_nodes, tree.total) == (5, 5)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("graph { a }", "line 1, column 1: expected 'digraph NAME {'"),
        ('digraph { a [label="11"', "line 1, column 24: expected an attribute or ']', found the"),
        ('digraph { a [label="11]\n}', "line 1, column 20: expected a value, found '\"11]'"),
        ("digraph { a [label=<11] }", "line 1, column 20: the HTML that begins here does not end"),
        ("digraph { a -> {b c} }", "line 1, column 16: expected the name of a node, found '{b c}"),
        ("digraph { a /* b }", "line 1, column 13: expected ID .*, found '/\\* b }'"),
        ('digraph { a [label="11"]\na [label="12"] }', "line 2, column 1: the node a is already"),
        ("digraph { } x", "line 1, column 13: expected the end of the text, found 'x'"),
        ('digraph { a [label="19"] }', "line 1, column 21: '9' in the code '19' is not one of"),
        ('digraph { 11 -> 22 [label="07"] }', "line 1, column 28: "),
    ],
)
def test_errors_in_dot_say_where_they_are(text, problem):
    with pytest.raises(FormatError, match=problem):
        import_text(text, GAME, "gv")
