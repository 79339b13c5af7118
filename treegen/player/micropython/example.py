"""A game on the terminal: micropython example.py (table.tgt and tgt_player.py lie beside it).

Answer each guess as the game is answered: with black and white pegs, 0 2; with black pegs alone,
3; or with marks (grey 0, yellow 1, green 2), 01020.
"""

from tgt_player import open_table

GAME = ["pegs", 4, 6, 1, "pegs"]
BEFORE = []


def format_code(code):
    """Write a code of a codebook as its word, another one as its colors."""
    kind, *values = GAME
    if kind == "codebook":
        return values[3][code * values[1] : (code + 1) * values[1]]
    if kind == "arrangements":
        return " ".join(map(str, arrange(values, code)))
    n_pegs, n_colors, repetition, _ = values
    digits = []
    for left in range(n_pegs):
        base = n_colors if repetition else n_colors - n_pegs + 1 + left
        digits.insert(0, code % base)
        code //= base
    free = list(range(repetition, n_colors + repetition))
    return " ".join([str(free[digit] if repetition else free.pop(digit)) for digit in digits])


def arrange(counts, code):
    """Return the colors of an arrangement: each begins a block of those that are possible."""
    left = list(counts)
    colors = []
    total = placed = 1
    for count in counts:  # their number
        for rank in range(count):
            total = total * placed // (rank + 1)
            placed += 1
    for n_left in range(sum(counts), 0, -1):
        color = 0
        while code >= total * left[color] // n_left:
            code -= total * left[color] // n_left
            color += 1
        total = total * left[color] // n_left
        left[color] -= 1
        colors.append(color + 1)
    return colors


def read_answer(text):
    """Return what `answer` takes: a response, or black and white pegs; -1 is no response."""
    rule, n_pegs = find_rule()
    words = text.split()
    if rule == "position":
        is_right = len(words) == 1 and len(words[0]) == n_pegs and not words[0].strip("012")
        return [int(words[0], 3) if is_right else -1]
    is_right = len(words) == 1 + (rule == "pegs") and not "".join(words).strip("0123456789")
    return [int(word) for word in words] if is_right else [-1]


def find_rule():
    """Return how the game is answered, and its pegs."""
    if GAME[0] == "arrangements":
        return "black", sum(GAME[1:])
    return (GAME[1], GAME[2]) if GAME[0] == "codebook" else (GAME[4], GAME[1])


with open("table.tgt", "rb") as stream:
    guess, answer, undo = open_table(stream.read())

for made, told in BEFORE:
    print("guessed before: " + made + ", answered " + told)
result = True
while result is not None:
    print(format_code(guess()))
    result = answer(*read_answer(input("answer? ")))
    if result is False:
        print("no secret answers so")
print("found")
