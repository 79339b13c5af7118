"""Kernels and their machine: numba's options, where machine code is kept, what is interpreted.

`compiler` has the decorators and the records that kernels pass on, `interpreter` what runs before
anything is compiled, `cache` the folder of machine code, `memory` how much there is left.
"""
