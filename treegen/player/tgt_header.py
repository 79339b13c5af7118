"""What a ``.tgt`` table says before its sections: profile, game, start, claims, counts."""

from __future__ import annotations

from zlib import crc32

from .tgt_envelope import demand, unpack
from .tgt_rules import Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    import mmap
    from typing import Any

SECTIONS = {"full": 3, "lean": 3, "slim": 2, "seed": 1}
"""Binary sections of each profile."""


class Header:
    """A table's values, its sections still unchecked."""

    def __init__(self, data: bytes | mmap.mmap) -> None:
        view = memoryview(data)
        demand(len(view) >= 16 and bytes(view[1:6]) == b"\xa4TGT1", "offset 0: this is no table")
        is_whole = view[-5] == 0xCE and crc32(view[:-5]) == int.from_bytes(view[-4:], "big")
        demand(is_whole, f"offset {len(view) - 5}: the CRC-32 does not fit")
        parts = unpack(view[:-5])
        _, self.minor, self.profile, self.game, self.start, self.meta, *counts = parts[:10]
        self.n_codes, self.n_responses, self.n_nodes, self.implicit = counts
        demand(self.profile in SECTIONS, f"profile {self.profile!r} is unknown")
        end = 10 + SECTIONS[self.profile]
        self.sections: list[memoryview] = parts[10:end]
        are_binary = [*map(type, self.sections)] == [memoryview] * (end - 10)
        demand(are_binary, "sections are not binary")
        demand(self.minor > 0 or len(parts) == end, "there are too many values")
        has_more = len(parts) > end and type(parts[end]) is dict
        self.more: dict[str, Any] = parts[end] if has_more else {}
        self.rules = Rules(self.game, self.n_responses)
        self._check()

    def _check(self) -> None:
        full, meta, pairs = self.profile == "full", self.meta, self.start
        demand(full or self.rules.rule != "answers", "a table of answers is full: no rule answers")
        demand(self.implicit in ((0,) if full else (1, 2)), "implicit does not fit the profile")
        demand(self.rules.n_codes == self.n_codes < 1 << 31, "n_codes is not the game's")
        demand(self.rules.n_responses == self.n_responses, "n_responses is not the game's")
        demand([*meta] == ["digest", "strategy", "total", "worst"], "meta has other keys")
        demand([*map(type, meta.values())] == [memoryview, str, int, int], "meta is wrong")
        demand(len(meta["digest"]) == 32, "the digest has not 32 bytes")
        meta["digest"] = bytes(meta["digest"])
        limits = [self.n_codes, self.n_responses] * (len(pairs) // 2)
        are_right = [type(x) is int and x < most for x, most in zip(pairs, limits, strict=False)]
        demand(len(limits) == len(pairs) and all(are_right), "start is no pairs in range")
