"""The kernels of a graphics card compile, without a card."""

import pytest

from treegen.kernels.onestep import device as kernels


def _array(kind, n_dimensions=1):
    from numba import types

    return types.Array(getattr(types, kind), n_dimensions, "C")


def test_all_kernels_compile_to_ptx(monkeypatch):
    pytest.importorskip("numba_cuda")
    import numba.cuda.dispatcher
    from numba import cuda, types

    class Card:
        compute_capability = (8, 0)

    # Parts are compiled for the card at hand.
    monkeypatch.setattr(numba.cuda.dispatcher, "get_current_device", Card)
    codes = [_array("uint32"), _array("uint64")]
    whole, row, table = types.int64, _array("int64"), _array("int64", 2)
    numbers = [whole, whole, whole, types.boolean]
    game = types.NamedTuple([*codes, row, table, row, *numbers], kernels.CardGame)
    states = types.NamedTuple([_array("int32"), *codes, row], kernels.CardStates)
    columns = [_array("uint8", 2), _array("uint8", 2), _array("uint8", 3), _array("int16", 2)]
    symmetries = types.NamedTuple([*columns, row, row], kernels.Symmetries)
    lists = _array("int32")
    signatures = {
        kernels.rate_guesses: (game, states, lists, table, whole, table),
        kernels.merge_blocks: (table, table, table),
        kernels.list_first: (game, states, symmetries, row, lists),
    }
    for kernel, signature in signatures.items():
        text, _ = cuda.compile_ptx(kernel.py_func, signature, cc=Card.compute_capability)
        assert ".visible .entry" in text
