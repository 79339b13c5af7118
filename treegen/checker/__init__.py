"""Checkers of certificates, which trust nothing of the search.

This is the only door: other folders import from here, never from the modules.
"""

from __future__ import annotations

from .check import check_certificate
from .claims import ProofClaim, Verdict, find_bound, list_guesses, read_claims
from .compiled import SOURCE, check_compiled, find_compiler

__all__ = [
    "SOURCE",
    "ProofClaim",
    "Verdict",
    "check_certificate",
    "check_compiled",
    "find_bound",
    "find_compiler",
    "list_guesses",
    "read_claims",
]
