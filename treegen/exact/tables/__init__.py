"""The search of tables: for games with weights, costs, questions, classes or the goal to identify.

It works on what each candidate may answer to each question, whatever that means: the engine of
`exact.engine` counts guesses until the win, and uses symmetries that weights and costs break.

`problem` is a game as the search sees it; `bounds` and `counts` say what a state costs at least;
`search` is branch and bound in one kernel, `solver` calls it, `openings` shares a search out;
`grow` and `trees` make trees of it all; `refutation` counts for certificates.
docs/notes/how-the-search-works.md explains it.
"""
