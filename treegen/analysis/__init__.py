"""What is done with finished trees: play, compare, explain."""
