"""Trees inside LaTeX sources."""

import pytest

from treegen import build
from treegen.errors import FormatError
from treegen.formats.parse import parse_tree, sniff_format
from treegen.formats.text import generate_text

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
    return "\n".join(generate_text(tree, "mmstrat"))


def test_a_tree_in_a_paper(tree):
    text = HEAD + notation(tree).replace("\n\nB", "\n}\n%\\end{quote}\n\nB") + TAIL
    assert sniff_format(text) == "irving"
    assert parse_tree(text, tree.game).tree.digest == tree.digest


def test_the_tree_of_the_game_is_chosen(tree):
    other = build("p2c3r", "knuth")
    text = HEAD + notation(other) + "}\n\n" + notation(tree) + TAIL
    for wanted in (tree, other):
        assert parse_tree(text, wanted.game).tree.digest == wanted.digest
    with pytest.raises(FormatError, match=r"0 trees of 27 candidates \(it has 9 in line 8, 64 in"):
        parse_tree(text, build("p3c3r", "knuth").game)
    with pytest.raises(FormatError, match="2 trees of 9 candidates"):
        parse_tree(text + "\n" + notation(other), other.game)


def test_errors_keep_the_lines_of_the_source(tree):
    text = HEAD + notation(tree).replace(" 0,", " 7,", 1) + TAIL
    with pytest.raises(FormatError, match=r"line (8|10), column"):
        parse_tree(text, tree.game)
