"""File formats of trees: one format, one module."""
