"""The node graph of a decision tree, stored as integer columns in level order.

`tree` holds the columns and their figures, `walk` goes through the states, `parts` is for trees
that are built or kept in parts.
"""
