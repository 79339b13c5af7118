"""Play a .tgt table of the profile lean on MicroPython; tgt_player.py lies beside it.

    guess, answer, undo = open_lean(data, game)   # ValueError where the table is damaged

The game is the table's description, such as ["pegs", 4, 6, 1, "pegs"]. The functions are those of
open_table. Two bytes for each secret say since when it is none; playing leaves nothing on the heap.
"""

from array import array

from tgt_player import open_table

NEVER = 65535
NONE = 0xFFFFFF  # no color, no character


def demand(is_true):
    """Raise ValueError unless something is true."""
    if not is_true:
        raise ValueError("bad table")


def open_lean(data, game):
    """Check a table and return the functions guess, answer, undo."""
    game = Game(data, Rules(game))
    return game.guess, game.answer, game.undo


class Game:
    """The candidates of a game that is played, and the walk through its table."""

    def __init__(self, data, rules):
        """Begin with the secrets that answer the guesses of the start as it says."""
        self.walk_guess, self.walk, self.walk_back, n_nodes, implicit, start = open_table(
            data, b"lean"
        )
        demand(n_nodes <= rules.n_secrets <= 1 << 20)
        self.rules = rules
        self.dropped = array("H", [NEVER] * rules.n_secrets)  # after how many answers it was none
        self.depth = 0
        self.lost = NEVER  # after how many answers the table says no more
        self.is_won = False
        work = (1 << 22) + (n_nodes << 10)
        n_left = 0
        for secret in range(rules.n_secrets):
            n_left += 1
            for place in range(0, len(start), 2):
                work -= rules.n_pegs
                demand(work >= 0)
                rules.note(start[place])
                if rules.score(secret) != start[place + 1]:
                    self.dropped[secret] = 0
                    n_left -= 1
                    break
        # A stored state wins one secret; each of its other answers leaves a state that is stored
        # too, or too many secrets.
        demand(0 < n_left <= n_nodes * (1 + implicit * rules.win))

    def guess(self):
        """Return the code to guess; None when the game is won."""
        if self.is_won:
            return None
        if self.depth < self.lost and not self.is_known():
            return self.walk_guess()
        secret = 0
        while self.dropped[secret] <= self.depth:
            secret += 1
        return secret

    def is_known(self):
        """Return whether one candidate is left in a game that ends there: it is announced."""
        n_left = 0
        if self.rules.identifies:
            for dropped in self.dropped:
                n_left += dropped > self.depth
        return n_left == 1

    def answer(self, response, white=-1):
        """Take a response, or black and white pegs: True, None when won, False if impossible."""
        if self.is_won:
            return False
        if white >= 0:
            response = self.rules.join(response, white)
        if response == self.rules.win:
            self.is_won = True
            return None
        self.rules.note(self.guess())
        self.depth += 1
        if not self.drop(response):
            self.take_back()
            return False
        if self.depth <= self.lost and not self.walk(response):
            self.lost = self.depth
        return True

    def drop(self, response):
        """Drop the candidates that answer otherwise; return whether one is left."""
        is_possible = False
        for secret in range(self.rules.n_secrets):
            if self.dropped[secret] < self.depth:
                continue
            if self.rules.score(secret) == response:
                is_possible = True
            else:
                self.dropped[secret] = self.depth
        return is_possible

    def take_back(self):
        """Make those candidates again that the last answer dropped."""
        for secret in range(self.rules.n_secrets):
            if self.dropped[secret] == self.depth:
                self.dropped[secret] = NEVER
        self.depth -= 1

    def undo(self):
        """Take the last answer back."""
        if self.is_won:
            self.is_won = False
        elif self.depth:
            if self.depth < self.lost:
                self.walk_back()
            elif self.depth == self.lost:
                self.lost = NEVER
            self.take_back()


class Rules:
    """How the codes of a game are made and answered."""

    def __init__(self, game):
        """Read a description; neither weights and costs nor the goal change who is a candidate."""
        game = game[3:] if game[0] == "weighted" else game
        self.identifies = game[-1] == "goal identify"
        self.game = game = game[:-1] if self.identifies else game
        self.rule, n_pegs = read_rule(game)
        self.n_pegs = n_pegs
        self.n_secrets = count_secrets(game)
        self.win = n_pegs if self.rule == "black" else (n_pegs + 1) * (n_pegs + 2) // 2 - 2
        if self.rule == "position":
            self.win = 3**n_pegs - 1
        self.guessed = array("I", [0] * n_pegs)
        self.colors = array("I", [0] * n_pegs)
        self.marks = bytearray(n_pegs)
        self.left = array("H", [0] * (len(game) - 1))  # of an arrangement, the pegs of each color

    def join(self, black, white):
        """Return the response of black and white pegs, -1 where no code fits them."""
        n = self.n_pegs
        if black + white > n or (black == n - 1 and white):
            return -1
        return black * (2 * n + 3 - black) // 2 + white - (black == n)

    def note(self, code):
        """Note the colors of a guess."""
        self.list_colors(code, self.guessed)

    def list_colors(self, code, colors):
        """Write the colors of a code, from 0; of a word its characters."""
        game = self.game
        if game[0] == "codebook":
            for peg in range(self.n_pegs):
                colors[peg] = ord(game[4][code * self.n_pegs + peg])
        elif game[0] == "arrangements":
            self.arrange(code, colors)
        else:
            for peg in range(self.n_pegs - 1, -1, -1):
                base = game[2] if game[3] else game[2] - peg
                colors[peg] = color = code % base
                code //= base
                if not game[3]:  # among the colors that are free, the one of this rank
                    for later in range(peg + 1, self.n_pegs):
                        if colors[later] >= color:
                            colors[later] += 1

    def arrange(self, code, colors):
        """Write the colors of an arrangement: each peg begins a block of those left."""
        left = self.left
        for color in range(len(left)):
            left[color] = self.game[1 + color]
        total = self.n_secrets
        for peg in range(self.n_pegs):
            color = 0
            block = total * left[0] // (self.n_pegs - peg)
            while code >= block:
                code -= block
                color += 1
                block = total * left[color] // (self.n_pegs - peg)
            total = block
            left[color] -= 1
            colors[peg] = color

    def score(self, secret):
        """Return the response of a secret to the guess that is noted."""
        guessed = self.guessed  # one by one: a tuple would be allocated
        colors = self.colors
        marks = self.marks
        n_pegs = self.n_pegs
        self.list_colors(secret, colors)
        black = white = index = 0
        for peg in range(n_pegs):
            is_black = guessed[peg] == colors[peg]
            marks[peg] = 2 if is_black else 0
            if is_black:
                colors[peg] = NONE
                black += 1
        if self.rule == "black":
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
        return index if self.rule == "position" else self.join(black, white)


def read_rule(game):
    """Return the feedback rule of a game, and its pegs."""
    if game[0] == "arrangements":
        return "black", sum(game[1:])
    return (game[1], game[2]) if game[0] == "codebook" else (game[4], game[1])


def count_secrets(game):
    """Return the number of codes that may be secret."""
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
