"""Exact search: the least total, or another objective, over all trees, with the proof.

`run` is where others begin; `request` says what they may ask for.
"""
