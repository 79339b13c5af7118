"""The conformance vectors of the table format; make-vectors.py writes them."""

from .damaged import generate_damaged as generate_damaged
from .played import generate_tables as generate_tables
