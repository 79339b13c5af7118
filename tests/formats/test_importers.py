"""Trees in other programs' notations, and how they are told apart: read, proved, or refused."""

import csv
import io
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

import treegen
from treegen import Codebook, FormatError, TreegenError, UsageError, build, open_game, verify
from treegen._files import read_text
from treegen.formats.graph import generate_graphml, generate_json
from treegen.formats.text import READERS, STYLES, parse_tree, sniff_format
from treegen.games.word_files import read_codebook
from treegen.tree.walk import find_node

from .. import foreign
from ..written import import_text, text_of

PEG_WRITERS = {
    "gv": foreign.write_gv,
    "gv-regions": foreign.write_gv_regions,
    "yaml": foreign.write_yaml,
    "pymm": foreign.write_pymm,
    "graphml": foreign.write_graphml,
    "json": foreign.write_node_link,
}


def format_of(writer):
    return "gv" if writer.startswith("gv") else writer


@pytest.fixture(scope="module")
def words():
    secrets = ["abc", "abd", "bad", "cab", "dab", "dad", "cad", "add", "bcd"]
    game = Codebook(secrets, ["ddd", "aab"], feedback="position")
    return build(game, "expected-size")


@pytest.mark.parametrize("game", ["p2c3r", "p3c4r", "p3c5n", "p4c4r"])
@pytest.mark.parametrize("writer", PEG_WRITERS)
def test_other_programs_trees_read_to_an_equal_digest(writer, game):
    tree = build(game, "r-post")
    text = PEG_WRITERS[writer](tree)
    assert sniff_format(text) == format_of(writer)
    grown = parse_tree(text, tree.game)
    assert grown.tree.digest == tree.digest
    assert grown.n_completed == 0
    assert verify(grown.tree).is_proved


@pytest.mark.parametrize("end", ["\r\n", "\r"])
@pytest.mark.parametrize("writer", PEG_WRITERS)
def test_line_ends_and_a_byte_order_mark_do_not_matter(writer, end, tmp_path):
    tree = build("p2c3r", "r-post")
    path = tmp_path / "tree"
    path.write_bytes(("\ufeff" + PEG_WRITERS[writer](tree).replace("\n", end)).encode())
    assert treegen.import_tree(path, "p2c3r").digest == tree.digest


def test_graphs_of_words_are_read(words):
    for write in (foreign.write_graphml, foreign.write_node_link):
        assert parse_tree(write(words), words.game).tree.digest == words.digest


def test_a_datum_of_graphml_may_have_parts():
    tree = build("p2c3r", "knuth")
    text = foreign.write_graphml(tree)
    parts = re.sub(r"<data ([^>]*)>(\w)(\w)</data>", r"<data \1><b>\2</b><b>\3</b></data>", text)
    assert parts.count("<b>") > tree.n_nodes
    assert parse_tree(parts, tree.game).tree.digest == tree.digest


@pytest.mark.parametrize("generate", [generate_json, generate_graphml])
def test_our_own_graphs_read_back(generate):
    tree = build("p3c4r", "knuth")
    for options in ({}, {"symbols": "red,tan,sky,blx"}, {"path": "01"}):
        text = "\n".join(generate(tree, **options))
        again = parse_tree(text).tree
        part = tree.subtree(tree[find_node(tree, [1])].history) if "path" in options else tree
        assert again.digest == part.digest
        assert again.provenance == part.provenance
    with pytest.raises(FormatError, match="branch is missing"):
        parse_tree("\n".join(generate(tree, depth=2)), tree.game)


def test_papers_write_no_spaces_and_the_impossible_cell():
    tree = build("p3c4r", "knuth")
    packed = text_of(tree, "text", style="mmstrat").replace(" ", "")
    assert parse_tree(packed, tree.game).tree.digest == tree.digest
    # The last cells are 20 and 30; before 20 the impossible 21 belongs.
    impossible = re.sub(r";(\d+(?:\(\d+\*?\))?;\d\))", r";0,\1", packed)
    assert impossible.count(";0,") > packed.count(";0,")
    assert parse_tree(impossible, tree.game).tree.digest == tree.digest


def test_pairs_and_singles_are_completed_and_counted():
    game = open_game("p2c3r")
    grown = parse_tree("9 (12: 1, 2, 1; 4 (13x); 1)", game)
    assert verify(grown.tree).is_proved
    # 21; the pair 23 31; 33; behind 13 a pair and one: each leaf and pair but for 12 and 13.
    assert grown.n_completed == grown.tree.n_nodes - 2


WRONG = [
    ("irving", "9 (12: 1, 2, 1; 5 (13x); 1)", "column 17: 5 candidates are written; there are 4"),
    ("irving", "9 (12: 1, 2, 1; 4 (13x); 1) x", "expected a paragraph"),
    ("irving", "9 (12: 1, 2, 1, 4 (13x); 1)", "column 15: expected ';'"),
    ("irving", "9 (12: 1, 2, 1; 4; 1)", "a state with 4 candidates needs a guess"),
    ("irving", "9 (12: 1, 2, 1; 4A; 1)", "the state A is not defined"),
    ("irving", "9 (12: 1, 2, 1; 4A; 1)\nA = (13x)\nA = (13x)", "line 3, column 1.*second time"),
    ("irving", "9 (12: 1, 2, 1; 4 (17x); 1)", "column 20: expected a code of p2c3r.*found '17x'"),
    ("irving", "9 (12x)", "as if none held more than 2; the answer 10 leaves 4"),
    ("irving", "9 (12: 1, 2, 1; 4 (13x); 0)", "column 1: 12 is a possible secret here"),
    ("codegolf", "{AB:{10:{AC:{10:AA}}}}", "can be answered 00: that branch is missing"),
    (
        "codegolf",
        "{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC,00:CC}}",
        "column 65: the answer 00 is written twice",
    ),
    (
        "codegolf",
        "{AB:{10:{AC:{10:AA,01:CB,00:BB,02:CA}},02:BA,01:{BC:{01:CA}},00:CC}}",
        "column 35: no candidate answers 13 with 02: that branch cannot occur",
    ),
    (
        "codegolf",
        "{AA:{00:{AA:{00:BB}},10:{AB:{10:AC,02:BA,01:CA}}}}",
        "column 10: 11 gains no information: all 4 candidates answer alike",
    ),
    ("codegolf", "{AB:{11:AA}}", "column 6: no code gives 1 black, 1 white"),
    ("codegolf", "{AB:{20:AA}}", "winning answer"),
    ("codegolf", "{AB:{02:AA,", "expected an answer"),
    ("codegolf", "AB", "1 column 1|9 candidates|missing"),
    ("yaml", "---\n- 01\n- X-: 11\n", "line 2, column 3: 12 is a possible secret"),
    ("yaml", "---\n- 01\n- XO: 11\n", "line 3, column 3: no code gives"),
    ("yaml", "---\n- 01\n  - X-: 11\n", "line 3"),
    ("yaml", "---\n- 07\n- X-: 11\n", "line 2, column 3"),
    ("yaml", "---\n- 01\n- X-:\n", "line 4, column 1: expected '- ' and the guess that follows"),
    (
        "indented",
        "12 (9)\n    20 11 *\n",
        "line 2, column 1: 4 spaces .* do not fit the lines before",
    ),
    ("lines", "11 1 11:2x\n", "line 1, column 9: '2x' is not an answer"),
    ("gv", 'digraph X {\n1 [label="12"]\n1 -> 2 [label="00"]\n}\n', "the edge's node 2 is missing"),
    ("gv", 'digraph X {\n1 [label="12"]\n2 [label="13"]\n}\n', "line 3.*no edge leads to"),
    ("gv", 'digraph X {\n1 [label="12"]\n2 -> 1 [lab="00"]\n}\n', "line 3, column 1: expected ID"),
    ("pymm", '{"tree": {"root": 99, "problem_size": 9}}', r"\$\.tree\.root: 99 is not in 0 … 8"),
    ("pymm", '{"tree": {"root": 1, "problem_size": 8}}', r"\$\.tree: 8 candidates are written"),
    (
        "pymm",
        '{"tree": {"root": 1, "problem_size": 1000000000000000000}}',
        "at most 18 digits is expected",
    ),
    ("pymm", '{"tree": {"root": 1, "root": 1}}', "the key 'root' stands twice"),
    ("pymm", '{"tree": {"root": 1,}}', "line 1, column"),
    (
        "json",
        '{"nodes": [{"id": 0}], "edges": []}',
        r"\$\.nodes\[0\]: the node 0 has no guess",
    ),
    ("graphml", "<graphml><node/></graphml>", "line 1, column 10: <node> has no known 'id'"),
    ("graphml", "<graphml><node id='1'></graphml>", "mismatched tag"),
    (
        "graphml",
        "<graphml><key id='g' for='node' attr.name='guess'/><graph>"
        + 2 * "\n<node id='1'><data key='g'>12</data></node>"
        + "</graph></graphml>",
        "line 3, column 1: the node 1 is already at line 2, column 1",
    ),
]


@pytest.mark.parametrize(("name", "text", "message"), WRONG)
def test_errors_say_where_and_what(name, text, message):
    with pytest.raises(FormatError, match=message):
        parse_tree(text, open_game("p2c3r"), name)


@pytest.mark.parametrize("writer", PEG_WRITERS)
def test_damage_is_an_error_or_leaves_a_true_tree(writer):
    """Take away each character in turn: an error of ours, or a tree that finds every secret."""
    tree = build("p2c3r", "knuth")
    text = PEG_WRITERS[writer](tree)
    for at in range(0, len(text), 1 + len(text) // 100):
        try:
            grown = parse_tree(text[:at] + text[at + 1 :], tree.game, format_of(writer))
        except TreegenError:
            continue
        assert verify(grown.tree).is_proved


@pytest.mark.parametrize("writer", PEG_WRITERS)
def test_truncated_files_are_refused(writer):
    tree = build("p2c3r", "knuth")
    text = PEG_WRITERS[writer](tree).rstrip()
    for end in range(0, len(text), 1 + len(text) // 300):
        with pytest.raises(TreegenError):
            parse_tree(text[:end], tree.game, format_of(writer))


@pytest.mark.parametrize("style", ["codegolf", "csv", "irving", "r-post", "lines"])
@pytest.mark.parametrize("game", ["range3", "p2c2r", "p1c4r"])
def test_one_state_is_detected_in_every_style(game, style):
    """Of such a state the code alone is written; 2 is a code, or Irving's two candidates."""
    tree = build(game)
    for node in range(tree.n_nodes):
        part = tree.subtree(tree[node].history)
        text = text_of(part, "text", style=style)
        read = parse_tree(text, tree.game, history=part.provenance.history).tree
        assert read.digest == part.digest


@pytest.mark.parametrize("goal", ["win", "identify"])
@pytest.mark.parametrize("style", sorted(set(STYLES) - {"wordle", "key"}))
def test_weights_and_costs_do_not_count_in_what_other_programs_write(style, goal):
    game = Codebook(["ab", "bb", "ba"], feedback="black", goal=goal)
    game = game.with_stakes([3, 1, 1], [1, 25, 3])
    tree = build(game, "optimal")
    for part in (tree.subtree(tree[node].history) for node in range(tree.n_nodes)):
        text = text_of(part, "text", style=style)
        read = parse_tree(text, game, style, history=part.provenance.history).tree
        assert read.digest == part.digest


def test_pymm_counts_guesses_whatever_they_cost():
    game = open_game("p2c2r").with_stakes([1, 2, 3, 4], [4, 3, 2, 1])
    tree = build(game, "knuth")
    plain = replace(tree, game=open_game("p2c2r"))
    assert parse_tree(foreign.write_pymm(plain), game, "pymm").tree.digest == tree.digest


def test_unknown_formats_are_refused():
    with pytest.raises(UsageError, match="pymm"):
        parse_tree("x", open_game("p2c3r"), "xml")
    with pytest.raises(FormatError, match="in no known format"):
        parse_tree("hello world", open_game("p2c3r"))
    for text in ("9 (12: 1, 2, 1; 4 (13x); 1)", '{"graph": {"game": "chess"}, "nodes": []}'):
        with pytest.raises(FormatError, match="does not name the game"):
            parse_tree(text)
    with pytest.raises(FormatError, match="line 1, column 1: Expecting value"):
        parse_tree("no JSON", None, "json")


def test_every_format_has_a_test():
    # Of csv and nested, tests/formats/test_word_formats.py; of key, test_text_key.py.
    tested = {*PEG_WRITERS, "wordle", "csv", "nested", "key"} - {"gv-regions"}
    own = {"r-post", "indented", "booklet", "lines", "irving", "mmstrat", "codegolf"}
    assert tested | own == set(READERS)


FOREIGN = os.environ.get("TREEGEN_FOREIGN_TREES", "")


@pytest.mark.skipif(not FOREIGN, reason="TREEGEN_FOREIGN_TREES names no folder")
def test_published_trees_have_their_published_figures():
    """Read every file that the folder's list names: game, total, worst, and histogram if given.

    ``list.csv`` has columns file, game, guesses, total, worst, histogram; a game may be a
    codebook file of the folder, whose feedback is by position.
    """
    folder = Path(FOREIGN)
    with (folder / "list.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert rows
    for row in rows:
        game = (
            read_codebook(folder / row["game"], rule="position", guesses=folder / row["guesses"])
            if row["guesses"]
            else open_game(row["game"])
        )
        tree = parse_tree(read_text(folder / row["file"]), game, lenient=True).tree
        assert verify(tree).is_proved, row["file"]
        assert (tree.total, tree.worst) == (int(row["total"]), int(row["worst"])), row["file"]
        if row["histogram"]:
            assert tree.histogram == [int(count) for count in row["histogram"].split("/")]
        for style in ("irving", "mmstrat", "codegolf"):
            text = text_of(tree, "text", style=style)
            assert parse_tree(text, game, style).tree.digest == tree.digest, (row["file"], style)


def test_mmstrat_begins_colors_at_one_without_repetition_too():
    tree = build("p3c5n", "knuth")
    text = text_of(tree, "text", style="mmstrat", symbols="12345")
    assert "5" in text.replace("5 (", "")
    assert parse_tree(text, tree.game).tree.digest == tree.digest


@pytest.mark.parametrize("head", ["", '<?xml version="1.0" encoding="UTF-8"?>\n'])
def test_gexf_is_refused_by_its_name(head):
    text = f'{head}<gexf version="1.3"><graph><nodes><node id="0" /></nodes></graph></gexf>\n'
    for name in (None, "graphml"):
        with pytest.raises(FormatError, match="GEXF cannot be read: save the graph as"):
            parse_tree(text, open_game("p2c3r"), name)


@pytest.mark.parametrize(
    ("words", "style"),
    [
        (["it's", "a-b!", "n/a+"], "csv"),
        (["❤️🍎", "🍎❤️", "🍌🍌"], "csv"),
        (["it's", "a-b!", "n/a+"], "codegolf"),
        (["a-b"], "csv"),
        (["❤️🍎"], "codegolf"),
    ],
)
def test_words_with_signs_or_of_several_lengths_are_recognized(words, style):
    game = Codebook(words, feedback="position")
    tree = build(game, "entropy")
    text = text_of(tree, "text", style=style) + "\n"
    assert parse_tree(text, game).tree.digest == tree.digest


@pytest.mark.parametrize(
    ("text", "problem"),
    [("1122\n  9x: 1133\n", "in no known format"), ("{1122:{10:", "line 1, column 11")],
)
def test_what_is_wrong_names_the_file(tmp_path, text, problem):
    path = tmp_path / "broken.txt"
    path.write_text(text)
    with pytest.raises(FormatError, match=rf"broken\.txt'.*{problem}"):
        treegen.import_tree(path, "p4c6r")
    with pytest.raises(FormatError, match=problem) as caught:
        treegen.import_tree(io.StringIO(text), "p4c6r")
    assert "broken" not in str(caught.value)


def test_json_is_told_apart_by_its_fields():
    assert sniff_format('{"a": {"nodes": 1}, "tree": {"root": 3}}') == "pymm"
    assert sniff_format('{"tree": 3, "nodes": []}') == "json"
    assert sniff_format("{AB:{10:AC}}") == "codegolf"
    for text in ('{"a": 1, "b": 2}', "{}", "[1, 2]", '{"nodez": []}'):
        with pytest.raises(FormatError, match="JSON of no known format"):
            sniff_format(text)
    with pytest.raises(FormatError, match="line 1, column"):
        sniff_format('{"guess": ')


HEAD = r"""\documentclass{article}
\begin{document}
\section{Strategies} % 100\% tested
Here is the tree $n (g: c)$ that \cite{knuth77} gives.

%\begin{quote}
{ \scriptsize
"""
TAIL = r"""}
%\end{quote}

\subsection{Another (1979)}
1296 players like it.
\end{document}
"""


@pytest.fixture(scope="module")
def tree():
    return build("p3c4r", "knuth")


def notation(tree):
    return text_of(tree, "text", style="mmstrat")


def test_a_tree_is_read_from_the_text_of_a_paper(tree):
    text = HEAD + notation(tree).replace("\n\nB", "\n}\n%\\end{quote}\n\nB") + TAIL
    assert import_text(text, tree.game).digest == tree.digest
    assert import_text(text, tree.game, "irving").digest == tree.digest


def test_the_tree_of_the_game_is_chosen(tree):
    other = build("p2c3r", "knuth")
    text = HEAD + notation(other) + "}\n\n" + notation(tree) + TAIL
    for wanted in (tree, other):
        assert import_text(text, wanted.game).digest == wanted.digest
    with pytest.raises(FormatError, match=r"0 trees of 27 candidates \(it has 9 in line 8, 64 in"):
        import_text(text, build("p3c3r", "knuth").game)
    with pytest.raises(FormatError, match="2 trees of 9 candidates"):
        import_text(text + "\n" + notation(other), other.game)


def test_errors_keep_the_lines_of_the_source(tree):
    text = HEAD + notation(tree).replace(" 0,", " 7,", 1) + TAIL
    with pytest.raises(FormatError, match=r"line (8|10), column"):
        import_text(text, tree.game)


DOT_GAME = open_game("p2c2r")
DOT_DIGEST = import_text("{AA:{00:BB,10:{AB:{02:BA}}}}", DOT_GAME, "codegolf").digest

DOT_TEXTS = {
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


@pytest.mark.parametrize("text", DOT_TEXTS.values(), ids=DOT_TEXTS)
def test_every_way_to_write_it(text):
    assert treegen.import_tree(io.StringIO(text), DOT_GAME, format="gv").digest == DOT_DIGEST
    assert treegen.import_tree(io.StringIO(text), DOT_GAME).digest == DOT_DIGEST  # it is recognized


def test_labels_of_tables_have_spaces_quotes_and_answers_of_their_own():
    rows = 'heron,yes,"a ""b"""\nswan,yes,a\\b\ngoat,no,a\\b\n'
    game = treegen.read_questions(io.StringIO(f'animal,Has wings?,"Sings, or not?"\n{rows}'))
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
        import_text(text, DOT_GAME, "gv")
