"""The engine of the exact search: branch and bound over states; `search` explains it.

Its kernels take arrays of these types: `Int32s` are codes, candidates by number, guesses, plans;
`Int64s` costs, sizes, counts, places; `UInts` responses and colors, of 8 bits where that is enough.
"""

import numpy as np
from numpy.typing import NDArray

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Float64s = NDArray[np.float64]
UInt8s = NDArray[np.uint8]
UInt64s = NDArray[np.uint64]
UInts = NDArray[np.unsignedinteger]

INFINITE = (1 << 62) - 1
"""More than any tree costs, and the sum of two fits 64 bits; of what may be spent: no limit."""
