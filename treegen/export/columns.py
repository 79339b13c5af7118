"""A tree's columns as Python integers: whole if small, else a page at a time."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Protocol

from numpy.typing import NDArray

MAX_LISTED = 1 << 20
"""Longer columns are not converted to a list: 36 bytes for each value would be too much."""

PAGE_BITS = 12
"""A page has 2 ** 12 values."""

MAX_PAGES = 64
"""Pages of a column that are kept: a walk touches as many as a tree has levels."""


class Column(Protocol):
    """Integers by index."""

    def __getitem__(self, place: int, /) -> int: ...


class PagedColumn:
    """The values of an array, whose most recently used pages are kept as lists."""

    def __init__(self, array: NDArray[Any]) -> None:
        self._array = array
        self._pages: OrderedDict[int, list[int]] = OrderedDict()

    def __getitem__(self, place: int) -> int:
        number = place >> PAGE_BITS
        page = self._pages.get(number)
        if page is None:
            page = self._read(number)
        return page[place & ((1 << PAGE_BITS) - 1)]

    def _read(self, number: int) -> list[int]:
        if len(self._pages) >= MAX_PAGES:
            self._pages.popitem(last=False)
        begin = number << PAGE_BITS
        page: list[int] = self._array[begin : begin + (1 << PAGE_BITS)].tolist()
        self._pages[number] = page
        return page


def list_column(array: NDArray[Any]) -> Column:
    """Return a column's values by index."""
    if len(array) > MAX_LISTED:
        return PagedColumn(array)
    entries: list[int] = array.tolist()
    return entries
