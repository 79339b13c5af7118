"""Export for Rust, Go and Java: the player, one file, its table and an example in a project."""

from __future__ import annotations

from ..errors import UsageError
from ..player.tgt_header import Header
from .player_files import Files, demand_profile, demand_size, read_player_files
from .readme import make_readme

PROFILES = ("full", "lean", "slim")
MAX_RUST_PEGS = 64
"""`MAX_PEGS` of tgt_player.rs: it has no memory but what it is compiled with."""
PLACES = {
    "Rust": {
        "Cargo.toml": "Cargo.toml",
        "tgt_player.rs": "src/tgt_player.rs",
        "main.rs": "src/main.rs",
    },
    "Go": {"go.mod": "go.mod", "tgt_player.go": "tgt/tgt_player.go", "main.go": "main.go"},
    "Java": {"TgtPlayer.java": "TgtPlayer.java", "Game.java": "Game.java"},
}
"""For each language its files, and where they stand in a project."""


def make_rust_files(table: bytes, profile: str = "full") -> Files:
    """Return a crate without dependencies that plays a table; its library needs no `std`.

    Parameters
    ----------
    table
        The bytes of a table of the profile ``"full"``, ``"lean"`` or ``"slim"``.
    profile
        Its profile.

    Raises
    ------
    UsageError
        The player does not play the profile, or not with so many pegs; the table is too large.
    """
    files = _make_files("Rust", table, profile)
    n_pegs = Header(table).rules.n_pegs
    if profile != "full" and n_pegs > MAX_RUST_PEGS:
        raise UsageError(
            f"the Rust player plays {profile} tables of at most {MAX_RUST_PEGS} pegs; this one has"
            f" {n_pegs}: take the profile full"
        )
    return {**files, "src/table.tgt": table}


def make_go_files(table: bytes, profile: str = "full") -> Files:
    """Return a Go module without dependencies that plays a table, as `make_rust_files`.

    Raises
    ------
    UsageError
        As `make_rust_files`.
    """
    return {**_make_files("Go", table, profile), "table.tgt": table}


def make_java_files(table: bytes, profile: str = "full") -> Files:
    """Return two Java classes that play a table, as `make_rust_files`.

    Raises
    ------
    UsageError
        As `make_rust_files`.
    """
    return {**_make_files("Java", table, profile), "table.tgt": table}


def _make_files(language: str, table: bytes, profile: str) -> Files:
    demand_profile(profile, language, PROFILES)
    demand_size(table, language)
    places = PLACES[language]
    contents = read_player_files(language.lower(), list(places))
    files = {places[name]: data for name, data in contents.items()}
    return {**files, "README.md": make_readme(language, table, profile)}
