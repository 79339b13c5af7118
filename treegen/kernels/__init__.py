"""Compiled loops: arrays in, arrays out.

This folder has what all searches share: responses, levels of states, random keys, renamings of
colors. Its folder `onestep` has the engine that chooses a guess by looking one step ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .levels import Level, split_level, split_widely
from .responses import FeedbackKind, Scoring, extend_renaming, make_scoring, mix, respond

__all__ = [
    "FeedbackKind",
    "Level",
    "Scoring",
    "announce_compiling",
    "extend_renaming",
    "make_scoring",
    "mix",
    "respond",
    "split_level",
    "split_widely",
]


@contextmanager
def announce_compiling(tell: Callable[[], None]) -> Iterator[None]:
    """Call a function, at most once, if a kernel has to be compiled in the meantime."""
    from numba.core import event

    class Announcer(event.Listener):  # type: ignore[misc, unused-ignore]
        """Listens to what numba compiles; loading from its cache is not such an event."""

        is_new = True

        def on_start(self, event: object) -> None:
            if self.is_new:
                self.is_new = False
                tell()

        def on_end(self, event: object) -> None:
            pass

    with event.install_listener("numba:compile", Announcer()):
        yield
