"""The options of what analyses: each function has them in its docstring, each command in its help.

They are apart from the functions, whose modules load a compiler: help and completion need none.
"""

from __future__ import annotations

from functools import partial

from .._options import SYMBOLS, Option, declare
from ..games.eligible import ELIGIBLE, HARD
from ..job import DEFAULT_RULE

_of_strategies = partial(Option, flag="-s/--strategy", group="Strategy")
_of_rules = partial(Option, kind=ELIGIBLE, group="Strategy", switch=HARD)
_in_time = partial(Option, kind=float, metavar="S")

DIFF = declare(
    symmetric=Option(
        "Treat guesses as equal if renaming pegs and colors turns one into the other.",
        bool,
        False,
        python="Whether guesses are equal that a renaming of pegs and colors exchanges.",
    ),
    limit=Option(
        "Show at most N.",
        int,
        10,
        python="At most this many differences are printed, with their reasons; None: all.",
    ),
)

EXPLAIN = declare(
    path=Option(
        "The state after these: 02/11.",
        metavar="ANSWERS",
        more="Or a list of answers; by default the first state.",
    ),
    strategy=_of_strategies("Judge by this rule instead of the tree's own."),
    top=Option("Show the best N.", int, 10, python="At most this many guesses are ranked."),
    exact=Option(
        "Compare the cost of the guess and of the best, by exact search (default without a rule).",
        bool,
        False,
        python="Whether to compare the guess's cost with the best one by exact search, as is always"
        " done without a rule. Every guess that the game allows counts: a tree's ``hints`` and"
        " ``consistent`` restrict the game, ``candidates`` restricts its strategy alone.",
    ),
    symbols=SYMBOLS,
)

APPLY = declare(
    column=Option("The name of the column that is added.", default="announced", metavar="NAME"),
    trace=Option(
        "Add a column with the answers used.",
        bool,
        False,
        python="Whether a column ``answers`` is added, with the questions asked and their answers.",
    ),
    check=Option(
        "Compare with a column: accuracy and confusion matrix.",
        metavar="COLUMN",
        more="See `Applied.confusion`.",
    ),
    strict=Option(
        "Refuse columns and answers that TREE does not know.",
        bool,
        False,
        python="Whether columns and answers that the tree does not know are refused, and rows that"
        " lack a column that it asks, or fit no candidate. Otherwise `notice` names them: such an"
        " answer counts as unknown.",
    ),
)

OPENINGS = declare(
    strategy=_of_strategies(
        f"What is played after the first guess: a rule, or optimal ({DEFAULT_RULE}).",
        python='What is played after the first guess: a rule, or ``"optimal"``; None: the rule by'
        " which `build` builds the game's tree.",
    ),
    top=Option("List the best N.", int, 20),
    all=Option(
        "By a rule: build a tree after every opening, not only after the most promising ones.",
        bool,
        False,
        python="Whether a rule's tree is built after every opening, not only after those that the"
        " rule itself ranks first.",
    ),
    first=Option(
        "Rank only these guesses.",
        metavar="CODE,…",
        more='``"1122,1123"``, or a list. There is no `certificate` of them.',
    ),
    history=Option("Rank the next guess after guesses already made.", metavar="H"),
    time_limit=_in_time("Stop after S s; the list so far is printed.", more="So does Ctrl-C."),
    resume=Option(
        "Keep finished openings in DIR; resume from it.",
        metavar="DIR",
        python="A folder that keeps finished openings; a ranking that was ended resumes from it.",
    ),
    certificate=Option(
        "optimal: write a proof of the ranking that anybody can check.",
        metavar="X.proof",
        more="It shows that no tree with a listed first guess has a lower total, nor one with"
        " another guess a lower total than the last. A ranking that is ended has none.",
    ),
)

COMPARE = declare(
    strategies=_of_strategies(
        "A name, a chain, optimal, best, or a tree file; repeatable.",
        metavar="NAME|FILE",
        python='Names, chains, searches (``"optimal"``, ``"best"``), trees or their files; one or'
        " several.",
    ),
    n=Option(
        "Random games to play.", int, 1000, flag="-n/--games", more="Of strategies without a tree."
    ),
    seed=Option("Seed of the random games.", int, 0),
    openings=Option(
        "Play each strategy after each possible opening.",
        bool,
        False,
        python="Whether each strategy is played after each possible opening.",
    ),
    eligible=_of_rules(
        "What all of them may guess; hints: Wordle's hard mode.",
        more="See `build`; a tree by another rule is refused.",
    ),
    time_limit=_in_time("End each search (optimal, best) after S s; the best tree so far counts."),
)

SIMULATE = declare(
    strategy=_of_strategies(
        "Name or chain (default adaptive; knuth if adaptive cannot play: words, black pegs).",
        python='A name or a chain. None: ``"adaptive"``, or, where that cannot play, the rule by'
        " which `build` builds the game's tree.",
    ),
    n=Option("How many games.", int, 100, flag="-n/--games"),
    seed=Option("Seed of the secrets.", int, 0, more="Of random choices, too."),
    tables=Option(
        "Compiled arrangements, for permutation.",
        metavar="DIR",
        python='``"permutation"``: a folder of compiled arrangements; see `patterns`.',
    ),
    time_limit=_in_time("Stop after S s, with the figures of the games that are over."),
)

PLAY = declare(
    strategy=_of_strategies(
        "Build this strategy's tree of GAME and play it.", more="None: the default of `build`."
    ),
    symbols=SYMBOLS._replace(more="In the history, too."),
)

ADVICE = declare(
    top=Option(
        "Rank the best N guesses now, with what each leaves; ask nothing.",
        int,
        metavar="N",
        python="How many guesses are ranked; 0: none, the candidates alone.",
    ),
    symbols=PLAY["symbols"],
)

PATTERNS = declare(
    strategy=_of_strategies(
        "A name (`treegen strategies`) or a chain like max,parts.", default="knuth"
    ),
    time_limit=_in_time("Stop after S s; the tables written by then stay."),
)

VERIFY = declare(
    game=Option(
        "The game that the trees must be of; a .tgt of a table of answers needs its TABLE.csv.",
        flag="-g/--game",
        python="The game that the tree must be of. A lookup table (``.tgt``) of a table of answers"
        " holds no answers and needs it; what players show is then compared with it, too.",
    ),
    sample=Option("Play only N secrets, evenly spread.", int),
    seed=Option("With `sample`: pick the secrets at random.", int),
    rule=Option(
        "Check, also on large trees, that the rule chooses every guess; or do not check.",
        python="Whether to check that every guess is the one that the tree's rule chooses. None: if"
        " that takes some seconds at most.",
    ),
    eligible=_of_rules("Check that this rule allows every guess: hints for Wordle's hard mode."),
    prove=Option(
        "Run the exact search for objective and bound.",
        bool,
        False,
        python="Whether to run the exact search for what an optimal tree claims: objective and"
        " bound.",
    ),
    certificate=Option(
        "Check this proof of the bound by an independent program.",
        metavar="X.proof",
        more="It is in C where there is a compiler, else in Python.",
    ),
    claim=Option(
        "Compare a published total=5801, average=4.4761, worst=5, histogram=1/6/62/533/694;"
        " decimals at the digits given.",
        metavar="FIGURE",
        python='Published statistics to compare: ``["total=5801", "worst=5"]``, or ``{"total":'
        " 5801}``; any of total, average, worst, n_worst and histogram. Decimals are compared at"
        " the digits given.",
    ),
    time_limit=_in_time("Stop after S s: what was not checked by then is named."),
)

CERTIFY = declare(
    only_total=Option("Prove the least total alone, not the whole objective.", bool, False),
    time_limit=_in_time("Stop after S s; no certificate is written."),
)

CHECK = declare(
    words=Option(
        "Of a codebook: the words that may be secret; then, as ALL, those that may be guessed.",
        metavar="FILE",
        python="Of a codebook: the words that may be secret, as a path or as texts; or any game.",
    ),
    table=Option(
        "Of a table that the certificate names by its digest alone: its file.", metavar="X.table"
    ),
)
