"""Play a .tgt table of the profile full on MicroPython; docs/notes/table-format.md is the format.

tgt_lean.py, beside it, plays tables of the profile lean.

    guess, answer, undo = open_table(data)   # ValueError where a single byte is damaged

guess() is the index of the code to play, None when the game is won. answer(response), or
answer(black, white) for pegs, is True; None when won; False, and nothing has changed, where no
secret fits that. undo() takes an answer back. Playing leaves nothing on the heap.
"""

from array import array
from binascii import crc32

# Kinds of tags: 0 number, 1 bytes, 2 text, 3 array, 4 map, 7 none.
KINDS = b"00000000432277771117777700007777777772223344"
ZEROS = b"\4\3\3\2\3\2\2\1\3\2\2\1\2\1\1\0"  # of four bits


def demand(is_true):
    """Raise ValueError unless something is true."""
    if not is_true:
        raise ValueError("bad table")


# One function with closures: as several it took 220 bytes more of flash, and attributes of heap.
def open_table(data, profile=b"full"):
    """Check a table; return the functions guess, answer, undo, and of lean what else it needs."""
    end = len(data) - 5
    demand(end > 9 and data[1:6] == b"\xa4TGT1" and data[end] == 206)
    demand(crc32(memoryview(data)[:-5]) == int.from_bytes(data[-4:], "big"))
    at = 6

    # Read a value of a kind (9: number, bytes or text): the number, or the size of what it is;
    # pass over bytes and text.
    def read(wanted):
        nonlocal at
        tag = data[at]
        at += 1
        demand(tag < 224)
        kind = KINDS[tag >> 4 if tag < 192 else tag - 180] - 48
        size = tag & (127, 0, 31, 15, 15, 0, 0, 0)[kind]
        if tag > 191:
            width = 2 << (tag & 1) if kind > 2 else 1 << (tag - (kind > 1) & 3)
            size = int.from_bytes(data[at : at + width], "big")
            at += width
        if 0 < kind < 3:
            at += size
        # A list or map of more values than there are bytes is none: no loop runs over them.
        demand(at <= end >= size * (kind > 2) and (kind == wanted or (wanted == 9 and kind < 3)))
        return size

    def section(n_bits):
        size = read(1)
        demand(size == n_bits + 7 >> 3)
        demand(not size or not data[at - 1] & (1 << (-n_bits & 7)) - 1)
        return at - size

    def field(begin, place, width):
        bit = place * width
        value = 0
        while width:
            value = value << 1 | data[begin + (bit >> 3)] >> (~bit & 7) & 1
            bit += 1
            width -= 1
        return value

    minor = read(0)
    demand(read(2) == 4 and data[at - 4 : at] == profile and (minor or data[0] == 158))
    n_pegs = 0  # the first number of each kind but arrangements, which need it for nothing
    for _ in range(read(3)):
        is_number = data[at] < 128 or 203 < data[at] < 208
        value = read(9)
        if is_number and not n_pegs:
            n_pegs = value
    start = [read(0) for _ in range(read(3))]
    for _ in range(2 * read(4)):
        read(9)
    n_codes = read(0)
    win = read(0) - 1
    n_nodes = read(0)
    implicit = read(0)
    demand(implicit < 3 and (implicit > 0) == (profile == b"lean"))
    demand(n_codes > 0 and 0 < n_nodes < 1 << 26 and win > 0)
    guess_bits = response_bits = 0
    while n_codes - 1 >> guess_bits:
        guess_bits += 1
    while win - 1 >> response_bits:
        response_bits += 1
    guesses = section(n_nodes * guess_bits)
    responses = section((n_nodes - 1) * response_bits)
    shape = section(2 * n_nodes - 1)
    demand(minor or at == end)

    depth = level_end = ones = 0
    last = -1
    for bit in range(2 * n_nodes - 1):
        if field(shape, bit, 1):
            response = field(responses, ones, response_bits)
            ones += 1
            demand(ones < n_nodes and last < response < win)
            last = response
        else:
            demand(field(guesses, bit - ones, guess_bits) < n_codes)
            demand(bit < 2 * ones or bit > 2 * n_nodes - 3)
            last = -1
            if bit - ones == level_end:
                depth += 2
                level_end = ones
    # For each guess made, a node and where its ones begin in the shape; a won game is node -1.
    states = array("i", [0] * (depth + 2))
    depth = 0

    def guess():
        node = states[depth]
        return None if node < 0 else field(guesses, node, guess_bits)

    def answer(response, white=-1):
        nonlocal depth
        node = states[depth]
        bit = one = states[depth + 1]
        child = bit - node + 1
        if white >= 0:
            if response + white > n_pegs or (response == n_pegs - 1 and white):
                return False
            response = response * (2 * n_pegs + 3 - response) // 2 + white - (response == n_pegs)
        if node < 0:
            return False
        if response == win:
            depth += 2
            states[depth] = -1
            return None
        while field(shape, one, 1):
            if field(responses, child - 1, response_bits) == response:
                while node < child:
                    byte = data[shape + (bit >> 3)]
                    zeros = ZEROS[byte >> 4] + ZEROS[byte & 15]
                    skip = 8
                    if bit & 7 or node + zeros >= child:
                        zeros = ~byte >> (~bit & 7) & 1
                        skip = 1
                    node += zeros
                    bit += skip
                depth += 2
                states[depth] = node
                states[depth + 1] = bit
                return True
            child += 1
            one += 1
        return False

    def undo():
        nonlocal depth
        depth = max(0, depth - 2)

    return (guess, answer, undo, n_nodes, implicit, start) if implicit else (guess, answer, undo)
