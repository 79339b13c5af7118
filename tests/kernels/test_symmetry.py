"""Color renamings that go with an exchange of pegs, in Python and compiled."""

from itertools import permutations, product

import numpy as np
import pytest

from treegen.games.renaming import FREE, extend_renaming
from treegen.jit.compiler import njit
from treegen.kernels import responses

CODES = list(product(range(3), repeat=3))


@njit
def extend(colors, pegs, first, second):
    return responses.extend_renaming(colors, pegs, first, second)


def find_renaming(pairs):
    """Return the only renaming that turns each first color to its second, None if none does."""
    colors = {}
    for old, new in pairs:
        if colors.setdefault(old, new) != new:
            return None
    return colors if len(set(colors.values())) == len(colors) else None


@pytest.mark.parametrize("pegs", list(permutations(range(3))))
def test_it_extends_as_the_definition_says(pegs):
    for first, second in product(CODES, CODES[::2]):
        for known_first, known_second in ((0, 0, 1), (2, 2, 0)), ((0, 1, 2), (1, 2, 0)):
            known = list(zip(known_first, known_second, strict=True))
            expected = find_renaming([*known, *((first[pegs[i]], second[i]) for i in range(3))])
            start = [dict(known).get(color, FREE) for color in range(3)]
            plain, compiled = list(start), np.array(start, dtype=np.int16)
            assert extend_renaming(plain, pegs, first, second) == (expected is not None)
            arrays = (np.array(values, dtype=np.uint8) for values in (pegs, first, second))
            assert extend(compiled, *arrays) == (expected is not None)
            assert compiled.tolist() == plain
            if expected is not None:
                assert plain == [expected.get(color, FREE) for color in range(3)]
