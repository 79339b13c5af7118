"""The engine of one-step strategies: the best guess of each state by its partition's criteria.

`choose_states` skips what symmetry and bounds allow, for games whose responses are sums over pegs;
`choose_words` sums up the marks of letters, for games of words; `choose_guesses` tries everything,
for all games, weights and costs. docs/performance.md explains them.
"""

from .criteria import Rule
from .eligible import EligibleLists, depends_on_history, filter_codes, list_eligible
from .every_guess import break_tie, choose_guess, choose_guesses, evaluate_guesses
from .ranked_game import RankedGame, fits_ranked_game, make_ranked_game
from .search import States, choose_states
from .suffix_tables import are_few
from .weighing import FRACTION_BITS, Weighing
from .word_game import WordGame, make_word_game
from .word_rows import WordArena, make_word_arena
from .word_search import choose_words
from .workspace import Arena, make_arena

__all__ = [
    "FRACTION_BITS",
    "Arena",
    "EligibleLists",
    "RankedGame",
    "Rule",
    "States",
    "Weighing",
    "WordArena",
    "WordGame",
    "are_few",
    "break_tie",
    "choose_guess",
    "choose_guesses",
    "choose_states",
    "choose_words",
    "depends_on_history",
    "evaluate_guesses",
    "filter_codes",
    "fits_ranked_game",
    "list_eligible",
    "make_arena",
    "make_ranked_game",
    "make_word_arena",
    "make_word_game",
]
