"""How a guess is chosen: criteria, tie-breaks, the named strategies.

`strategy` is a rule and its text, `named` what ``-s`` takes, `stated` what a file says it is built
by.
"""
