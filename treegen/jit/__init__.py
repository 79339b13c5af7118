"""Kernels and their machine: numba's options, where machine code is kept, what is interpreted.

`compiler` has the decorators, `interpreter` what runs before anything is compiled, `references` the
records that kernels pass on, `cache` the folder of machine code, `memory` how much there is left.
"""
