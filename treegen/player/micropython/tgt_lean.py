"""Play a .tgt table of the profile lean on MicroPython; tgt_player.py lies beside it.

    guess, answer, undo = open_lean(data, game)   # ValueError where the table is damaged

The game is the table's description, such as ["pegs", 4, 6, 1, "pegs"]. The functions are those of
open_table. Two bytes for each secret say since when it is none; nothing is allocated while playing.
"""

from array import array

from tgt_player import open_table

NEVER = 65535
NONE = 0xFFFFFF  # no color, no character


def demand(is_true):
    """Raise ValueError unless something is true."""
    if not is_true:
        raise ValueError("bad table")


def open_lean(data, game):  # noqa: C901 (closures, as in tgt_player)
    """Check a table and return the functions guess, answer, undo."""
    # Neither weights and costs nor the goal change who is a candidate.
    game = game[3 * (game[0] == "weighted") : len(game) - (game[-1] == "goal identify")]
    table_guess, table_answer, table_undo, n_nodes, implicit, start = open_table(data, b"lean")
    rule, n_pegs = read_rule(game)
    if rule == "position":
        win = 3**n_pegs - 1
    else:
        win = n_pegs if rule == "black" else (n_pegs + 1) * (n_pegs + 2) // 2 - 2
    n_secrets = count_secrets(game)
    demand(n_nodes <= n_secrets <= 1 << 20)
    dropped = array("H", [NEVER] * n_secrets)  # after how many answers a secret was none
    work = (1 << 22) + (n_nodes << 10)
    depth = 0
    lost = NEVER  # after how many answers the table says no more
    is_won = False

    guessed = array("I", [0] * n_pegs)
    colors = array("I", [0] * n_pegs)
    marks = bytearray(n_pegs)
    left = array("H", [0] * (len(game) - 1))  # of an arrangement, the pegs of each color

    # Write the colors of a code, from 0; of a word its characters.
    def list_colors(code, colors):
        if game[0] == "codebook":
            for peg in range(n_pegs):
                colors[peg] = ord(game[4][code * n_pegs + peg])
        elif game[0] == "arrangements":
            arrange(code, colors)
        else:
            for peg in range(n_pegs - 1, -1, -1):
                base = game[2] if game[3] else game[2] - peg
                colors[peg] = color = code % base
                code //= base
                if not game[3]:  # among the colors that are free, the one of this rank
                    for later in range(peg + 1, n_pegs):
                        if colors[later] >= color:
                            colors[later] += 1

    # Each peg begins a block of the arrangements that are possible.
    def arrange(code, colors):
        for color in range(len(left)):
            left[color] = game[1 + color]
        total = n_secrets
        for peg in range(n_pegs):
            color = 0
            block = total * left[0] // (n_pegs - peg)
            while code >= block:
                code -= block
                color += 1
                block = total * left[color] // (n_pegs - peg)
            total = block
            left[color] -= 1
            colors[peg] = color

    # Return the response of a secret to the guess whose colors are noted.
    def score(secret):
        list_colors(secret, colors)
        black = white = index = 0
        for peg in range(n_pegs):
            is_black = guessed[peg] == colors[peg]
            marks[peg] = 2 if is_black else 0
            if is_black:
                colors[peg] = NONE
                black += 1
        if rule == "black":
            return black
        for peg in range(n_pegs):
            other = n_pegs if marks[peg] else 0
            while other < n_pegs and guessed[peg] != colors[other]:
                other += 1
            if other < n_pegs:
                colors[other] = NONE
                marks[peg] = 1
                white += 1
            index = 3 * index + marks[peg]
        if rule == "position":
            return index
        return black * (2 * n_pegs + 3 - black) // 2 + white - (black == n_pegs)

    n_left = n_secrets
    for secret in range(n_secrets):
        for place in range(0, len(start), 2):
            work -= n_pegs
            demand(work >= 0)
            list_colors(start[place], guessed)
            if score(secret) != start[place + 1]:
                dropped[secret] = 0
                n_left -= 1
                break
    demand(0 < n_left <= n_nodes * (1 + implicit * win))

    def guess():
        if is_won:
            return None
        if depth < lost:
            return table_guess()
        secret = 0
        while dropped[secret] <= depth:
            secret += 1
        return secret

    def answer(response, white=-1):
        nonlocal depth, lost, is_won
        if is_won:
            return False
        if white >= 0:
            if response + white > n_pegs or (response == n_pegs - 1 and white):
                return False
            response = response * (2 * n_pegs + 3 - response) // 2 + white - (response == n_pegs)
        if response == win:
            is_won = True
            return None
        list_colors(guess(), guessed)
        is_possible = False
        for secret in range(n_secrets):
            if dropped[secret] <= depth:
                continue
            if score(secret) == response:
                is_possible = True
            else:
                dropped[secret] = depth + 1
        depth += 1
        if not is_possible:
            take_back()
            return False
        if depth <= lost and not table_answer(response):
            lost = depth
        return True

    def take_back():
        nonlocal depth
        for secret in range(n_secrets):
            if dropped[secret] == depth:
                dropped[secret] = NEVER
        depth -= 1

    def undo():
        nonlocal is_won, lost
        if is_won:
            is_won = False
        elif depth:
            if depth < lost:
                table_undo()
            elif depth == lost:
                lost = NEVER
            take_back()

    return guess, answer, undo


def read_rule(game):
    """Return how a game is answered, and its pegs."""
    if game[0] == "arrangements":
        return "black", sum(game[1:])
    return (game[1], game[2]) if game[0] == "codebook" else (game[4], game[1])


def count_secrets(game):
    """Return how many codes may be secret."""
    if game[0] == "codebook":
        return game[3]
    n = placed = 1
    if game[0] == "arrangements":
        for count in game[1:]:
            for rank in range(count):
                n = n * placed // (rank + 1)
                placed += 1
        return n
    for peg in range(game[1]):
        n *= game[2] if game[3] else game[2] - peg
    return n
