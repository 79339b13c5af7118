"""Search for games with weights, costs, questions or the goal to identify.

Its own search, from a matrix of answers: the tuned one of `exact.engine` counts guesses until the
win, and uses symmetries that weights and costs break. docs/how-the-search-works.md explains it.
"""
