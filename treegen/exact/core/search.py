"""What the kernels of one thread work with, in one value."""

from __future__ import annotations

from typing import NamedTuple

from .cost_model import CostModel
from .lookahead import InseparableSets, ResponseMatrix, Scratch, Slots
from .retry_list import RetryLists
from .stack import Stack
from .symmetry import Group
from .transposition_table import TranspositionTable


class Search(NamedTuple):
    """A search and how far it is.

    Attributes
    ----------
    matrix, group, model
        The game and what is minimised; not changed.
    scratch
        Written by the kernels; holds nothing between two calls.
    stack
        The progress of the search.
    retry_lists
        Guesses of cells that are asked in steps.
    slots
        Guesses that are sieved.
    table
        What was proved so far; threads of one search share its entries.
    inseparable
        Sets of candidates that no guess tells apart; a thread has its own.
    """

    matrix: ResponseMatrix
    group: Group
    model: CostModel
    scratch: Scratch
    stack: Stack
    retry_lists: RetryLists
    slots: Slots
    table: TranspositionTable
    inseparable: InseparableSets
