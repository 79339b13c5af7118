"""The builder: from game and strategy to the complete tree.

`choose` finds the guesses of a level and `grow` goes from level to level. Builds in tasks are in
`distribute`: a tree built here needs none of its modules.
"""
