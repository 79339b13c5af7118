"""The engine of one-step strategies: the best guess of each state by its partition's criteria.

`choose_states` skips what symmetry and bounds allow, for games whose responses are sums over pegs;
`choose_words` sums up the marks of letters, for games of words; `choose_guesses` tries everything,
for all games, weights and costs. docs/notes/performance.md explains them.
"""
