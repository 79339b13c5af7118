"""Trees inside LaTeX sources."""

import pytest

from treegen import FormatError, build

from ..written import import_text, text_of

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
