"""Analysis of finished trees: play, compare, explain."""
