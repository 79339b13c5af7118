"""Compiled loops: arrays in, arrays out.

This folder has what all searches share: responses, levels of states, random keys, renamings of
colors. Its folder `onestep` has the engine that chooses a guess by looking one step ahead.
"""
