"""The search of tables with uncertain answers or classes, whose states are items with shares.

`bounds` divides a state and bounds its parts, `search` is branch and bound over states in one
kernel, `solver` calls it, `near` makes trees of it, proved and near-optimal ones.
"""
