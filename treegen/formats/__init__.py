"""Files that a tree is kept in: one format, one module."""
