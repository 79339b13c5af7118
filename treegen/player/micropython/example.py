"""A game on the terminal: micropython example.py (table.tgt and tgt_player.py lie beside it).

Answer each guess with black and white pegs: 0 2
"""

from tgt_player import open_table

GAME = ["pegs", 4, 6, 1, "pegs"]


def format_code(code):
    """Write a code of pegs as its colors, of a codebook as its word."""
    if GAME[0] == "codebook":
        return GAME[4][code * GAME[2] : (code + 1) * GAME[2]]
    if GAME[0] != "pegs":
        return code
    _, n_pegs, n_colors, repetition, _ = GAME
    digits = []
    for left in range(n_pegs):
        base = n_colors if repetition else n_colors - n_pegs + 1 + left
        digits.insert(0, code % base)
        code //= base
    free = list(range(repetition, n_colors + repetition))
    return [free[digit] if repetition else free.pop(digit) for digit in digits]


with open("table.tgt", "rb") as stream:
    guess, answer, undo = open_table(stream.read())

result = True
while result is not None:
    print(format_code(guess()))
    result = answer(*[int(word) for word in input("black white? ").split()])
    if result is False:
        print("no secret answers so")
print("found")
