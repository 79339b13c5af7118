"""The builder: from game and strategy to the complete tree.

`choose` finds the guesses of a level, many at once or by the chooser in `plain`; `grow` goes from
level to level, here or in tasks.
"""
