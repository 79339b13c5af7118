"""Compiled loops: responses, cell sizes, choices, splits. Arrays in, arrays out."""
