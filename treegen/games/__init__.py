"""Games: what a code is, what may be secret, how a guess is answered, how codes are written."""

from __future__ import annotations

from .arrangements import ArrangementGame
from .base import MAX_CODES, Game, Symmetry, read_answer, read_code, read_pairs, write_count
from .codebook import CodebookGame, list_words
from .eligible import (
    ELIGIBLE,
    describe_breach,
    describe_first_breach,
    is_rule_of_play,
    may_follow,
    resolve_eligible,
    select_eligible,
)
from .excerpt import Excerpt
from .feedback import PegFeedback
from .goal import Description, Goal, parse_goal
from .histories import (
    count_in_answers,
    format_history,
    list_readings,
    parse_codes,
    parse_history,
    parse_pair,
    read_json_list,
    refuse_two,
)
from .key_words import (
    ARROW,
    list_questions,
    quote,
    quote_name,
    take_question,
    take_text,
    write_question,
)
from .lookup import LookupQuestions
from .names import from_description, list_aliases, parse_game
from .notation import default_letters, order_cells
from .openings import list_openings
from .pegs import PegGame
from .plugins import list_families
from .question_files import looks_like_table, read_questions
from .questions import Questions
from .ranges import RangeGame
from .stake_files import read_stakes
from .stakes import parse_stakes
from .symbols import join_symbols, list_names, parse_symbols, split_symbols
from .text import Names, are_joined, choose_one, clean, is_written, normalize, split_letters
from .word_files import (
    WordList,
    find_two_cases,
    looks_like_counts,
    make_codebook,
    read_codebook,
    read_word_list,
)

__all__ = [
    "ARROW",
    "ELIGIBLE",
    "MAX_CODES",
    "ArrangementGame",
    "CodebookGame",
    "Description",
    "Excerpt",
    "Game",
    "Goal",
    "LookupQuestions",
    "Names",
    "PegFeedback",
    "PegGame",
    "Questions",
    "RangeGame",
    "Symmetry",
    "WordList",
    "are_joined",
    "choose_one",
    "clean",
    "count_in_answers",
    "default_letters",
    "describe_breach",
    "describe_first_breach",
    "find_two_cases",
    "format_history",
    "from_description",
    "is_rule_of_play",
    "is_written",
    "join_symbols",
    "list_aliases",
    "list_families",
    "list_names",
    "list_openings",
    "list_questions",
    "list_readings",
    "list_words",
    "looks_like_counts",
    "looks_like_table",
    "make_codebook",
    "may_follow",
    "normalize",
    "order_cells",
    "parse_codes",
    "parse_game",
    "parse_goal",
    "parse_history",
    "parse_pair",
    "parse_stakes",
    "parse_symbols",
    "quote",
    "quote_name",
    "read_answer",
    "read_code",
    "read_codebook",
    "read_json_list",
    "read_pairs",
    "read_questions",
    "read_stakes",
    "read_word_list",
    "refuse_two",
    "resolve_eligible",
    "select_eligible",
    "split_letters",
    "split_symbols",
    "take_question",
    "take_text",
    "write_count",
    "write_question",
]
