"""The search of tables: for games with weights, costs, questions, classes or the goal to identify.

It works on what each candidate may answer to each question, whatever that means: the engine of
`exact.engine` counts guesses until the win, and uses symmetries that weights and costs break.

`problem` is a game as the search sees it; `bounds` says what a state costs at least; `search` is
branch and bound in one kernel; `solver` calls it, and makes trees of what it finds; `kernel` has
beams, bounds and proofs, and shares a search out; `refutation` counts for certificates.
docs/notes/how-the-search-works.md explains it.
"""
