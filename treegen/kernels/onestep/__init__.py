"""The engine of one-step strategies: the best guess of each state by its partition's criteria.

`choose_states` skips what symmetry and bounds allow, for games whose responses are sums over pegs;
`choose_words` sums up the marks of letters, for games of words; `choose_guesses` tries everything,
for all games, weights and costs. docs/performance.md explains them.
"""

from .criteria import FRACTION_BITS, Rule, Weighing, log2_of
from .eligible import EligibleLists, depends_on_history, filter_codes, list_eligible
from .game import RankedGame, WordGame, fits_ranked_game, make_ranked_game, make_word_game
from .search import States, break_tie, choose_guess, choose_guesses, choose_states, evaluate_guesses
from .words import WordArena, choose_words, make_word_arena
from .workspace import Arena, are_few, make_arena

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
    "log2_of",
    "make_arena",
    "make_ranked_game",
    "make_word_arena",
    "make_word_game",
]
