"""Formats of trees: one format, or one family of formats, in one module."""
