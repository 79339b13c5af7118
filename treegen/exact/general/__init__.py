"""The general search: for games with weights, costs, questions or the goal to identify.

It works on a matrix of answers, whatever they mean: the tuned one of `exact.engine` counts guesses
until the win, and uses symmetries that weights and costs break. docs/how-the-search-works.md
explains it.
"""
