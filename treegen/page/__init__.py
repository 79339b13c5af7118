"""The page that plays in a browser: one self-contained file with one or more tables."""
