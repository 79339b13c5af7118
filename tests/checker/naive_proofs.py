"""Claims about small games of all kinds, their truth by plain recursion, and proofs without art.

A proof here has a lemma for every state that some other one uses, and says of each what it costs.
"""

import hashlib
import math
import random
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from .. import naive
from ..small_tables import draw_certain

SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
LETTERS = "abcdefghij"


@dataclass
class SmallGame:
    """A game and what is claimed of it: answers[guess][secret], None where the guess wins.

    A tuple: any of these answers. A state has secrets, what may be spent, legal guesses, shares.
    """

    head: list  # lines about the game
    texts: list  # how guesses are written
    answers: list
    write: object  # how an answer to a guess is written
    win: str = "*"  # how the winning answer is written
    rules: naive.Rules | None = None
    words: tuple = ()
    is_identified: bool = False
    classes: list | None = None
    weights: list | None = None
    costs: list | None = None
    layers: list = field(default_factory=list)  # of costs
    eligible: str = "all"
    given: list = field(default_factory=list)  # pairs of guess and answer
    first: list = field(default_factory=list)
    excepted: list = field(default_factory=list)
    cap: int | None = None
    price: tuple = (1, 0)
    known: dict = field(default_factory=dict)
    n_items: int = 0  # of a table that is read

    def read(self, text):
        """Return the answer of a text."""
        if self.rules is None:
            return None if text == self.win else read_sign(text)
        answers = range(self.rules.win + 1)
        return next(answer for answer in answers if self.write(answer) == text)

    def weight(self, secret):
        return 1 if self.weights is None else self.weights[secret]

    def cost(self, guess):
        return 1 if self.costs is None else self.costs[guess]

    @property
    def root(self):
        """The first state."""
        secrets = range(len(self.answers[0]))
        shares, legal = [Fraction(self.weight(secret)) for secret in secrets], secrets
        legal = range(len(self.answers))
        for guess, answer in self.given:
            left = zip(secrets, shares, strict=True)
            left = [(s, w / len(self.list_answers(guess, s))) for s, w in left]
            left = [(s, w) for s, w in left if answer in self.list_answers(guess, s)]
            secrets, shares = zip(*left, strict=True) if left else ((), ())
            legal = self.keep(legal, guess, answer)
        return tuple(secrets), self.cap, tuple(legal), tuple(shares)

    @cached_property
    def is_uncertain(self):
        """Whether an answer is; it is first asked when the game has all its answers."""
        return any(isinstance(answer, tuple) for row in self.answers for answer in row)

    def list_answers(self, guess, secret):
        answer = self.answers[guess][secret]
        return answer if isinstance(answer, tuple) else (answer,)

    def is_over(self, secrets):
        """Return whether one secret is left, or no two can be told apart for certain."""
        if not self.is_uncertain and self.classes is None:
            return len(secrets) < 2
        pairs = [(one, other) for at, one in enumerate(secrets) for other in secrets[:at]]
        return not any(self.are_apart(one, other) for one, other in pairs)

    def are_apart(self, one, other):
        if self.classes is not None and self.classes[one] == self.classes[other]:
            return False
        return any(
            not set(self.list_answers(guess, one)) & set(self.list_answers(guess, other))
            for guess in range(len(self.answers))
        )

    def keep(self, legal, guess, answer):
        """Return what may still be guessed after an answer."""
        if self.eligible == "all" and self.is_uncertain:
            return [code for code in legal if code != guess]
        if self.eligible not in ("hints", "consistent"):
            return legal
        answer = self.rules.win if answer is None else answer
        follows = naive.may_follow
        return [code for code in legal if follows(self.rules, self.eligible, guess, answer, code)]

    def list_guesses(self, state):
        secrets, _, legal, _ = state
        if self.eligible == "candidates":
            return [g for g in legal if any(self.answers[g][s] is None for s in secrets)]
        return legal

    def list_tried(self, state, is_root=False):
        """Return the guesses of a state; of lemma 0 those that the claim is about."""
        guesses = self.list_guesses(state)
        if not is_root or not (self.first or self.excepted):
            return guesses
        return self.first or [guess for guess in guesses if guess not in self.excepted]

    def divide(self, guess, state):
        """Return (what the guess costs, the states below by their answers); None if it is idle."""
        secrets, left, legal, shares = state
        cells = {}
        for secret, share in zip(secrets, shares, strict=True):
            answers = self.list_answers(guess, secret)
            for answer in answers:
                part = share if len(answers) == 1 else share / len(answers)
                cells.setdefault(answer, []).append((secret, part))
        won, spent = cells.pop(None, []), self.cost(guess)
        rest = None if left is None else left - spent
        is_idle = not won and len({self.answers[guess][secret] for secret in secrets}) < 2
        if is_idle or (rest is not None and rest < 0):
            return None
        scale, last = self.price
        cost = scale * spent * sum(shares)
        cost += last * sum(share for _, share in won) * (rest == 0)
        below = {}
        for answer, cell in cells.items():
            kept = tuple(self.keep(legal, guess, answer))
            own, parts = zip(*cell, strict=True)
            below[answer] = own, rest, kept, parts
        return cost, below

    def value(self, state, is_root=False):
        """Return the least cost of a state; infinite if something cannot be found."""
        secrets, left, _, shares = state
        if self.is_identified and self.is_over(secrets):
            return self.price[1] * sum(shares) * (left == 0)
        if (state, is_root) not in self.known:
            divided = [self.divide(guess, state) for guess in self.list_tried(state, is_root)]
            self.known[state, is_root] = min(
                (
                    cost + sum(map(self.value, below.values()))
                    for cost, below in filter(None, divided)
                ),
                default=math.inf,
            )
        return self.known[state, is_root]

    @property
    def least(self):
        least = self.value(self.root, is_root=True)
        return int(least) if least < math.inf and least == int(least) else least

    def write_head(self):
        version = 2.2 if self.is_uncertain or self.classes else 2.1 if self.layers else 2
        lines = [f"treegen proof {version}", *self.head]
        lines += ["goal identify"] * self.is_identified
        for name in ("classes", "weights", "costs", "layers"):
            if getattr(self, name):
                lines.append(f"{name} {' '.join(map(str, getattr(self, name)))}")
        lines += [f"eligible {self.eligible}"] if self.eligible != "all" else []
        return lines + [f"given {self.texts[g]} {self.write(a)}" for g, a in self.given]

    def write_claim(self, total):
        lines = ["claim"]
        for name, guesses in (("first", self.first), ("except", self.excepted)):
            lines += [f"{name} {' '.join(self.texts[g] for g in guesses)}"] if guesses else []
        lines += [] if self.cap is None else [f"cap {self.cap}"]
        lines += [] if self.price == (1, 0) else ["price {} {}".format(*self.price)]
        return [*lines, f"total {total}"]

    def prove(self, raised=0):
        """Return a proof of the least cost, or of more; all states are lemmas.

        Each stands before those that it uses.
        """
        order, uses = [], {}

        def visit(state, is_root=False):
            uses[state, is_root] = found = []
            for guess in self.list_tried(state, is_root):
                for answer, below in (self.divide(guess, state) or (0, {}))[1].items():
                    if below[1] is not None and below[1] < 1:
                        continue
                    if self.is_over(below[0]) and (self.is_identified or len(below[0]) < 2):
                        continue
                    found.append((f"{self.texts[guess]} {self.write(answer)}", (below, False)))
                    if (below, False) not in uses:
                        visit(below)
            order.insert(0, (state, is_root))

        visit(self.root, is_root=True)
        number_of = {node: number for number, node in enumerate(order)}
        origins, lemmas = {}, []
        for node in order:
            bound = self.value(*node)
            bound = "none" if bound == math.inf else bound + raised * node[1]
            lemmas.append([f"root {bound}" if node[1] else f"l {origins[node]} {bound}"])
            for place, below in uses[node]:
                origins.setdefault(below, f"{number_of[node]} {place}")
                lemmas[-1].append(f"u {place} {number_of[below]}")
        bound = lemmas[0][0].removeprefix("root ")
        lines = [*self.write_head(), *self.write_claim(bound)]
        return "\n".join([*lines, *(line for lemma in lemmas for line in lemma), ""])


def from_rules(head, rules, texts, words=()):
    def write(response):
        if response is None:
            return write(rules.win)
        feedback = rules.feedback_of(response)
        return "".join(map(str, feedback if isinstance(feedback, tuple) else (feedback,)))

    answers = [
        [
            None if (answer := rules.respond(guess, secret)) == rules.win else answer
            for secret in range(rules.n_secrets)
        ]
        for guess in range(len(rules.codes))
    ]
    return SmallGame(head, texts, answers, write, rules=rules, words=words)


def draw_pegs(rng):
    name = rng.choice(["p2c2r", "p2c3r", "p2c3n", "p2c3rb", "p3c2r", "p2c4n", "p3c3n", "p2c4rb"])
    rules = naive.peg_rules(name)
    texts = ["".join(LETTERS[color] for color in code) for code in rules.codes]
    return from_rules([f"game {name}"], rules, texts)


def draw_words(rng):
    n, length, n_letters = rng.randint(2, 9), rng.randint(1, 3), rng.randint(2, 4)
    drawn = ["".join(rng.choices(LETTERS[:n_letters], k=length)) for _ in range(n + 4)]
    words = list(dict.fromkeys(drawn))
    n_secrets = rng.randint(1, min(8, len(words)))
    rule = rng.choice(["pegs", "black", "position", "position"])
    text = "\n".join([f"{rule} {n_secrets}", *words])
    head = [f"game codebook {rule} {hashlib.sha256(text.encode()).hexdigest()}"]
    rules = naive.codebook_rules(words[:n_secrets], words[n_secrets:], rule)
    return from_rules(head, rules, words, (words[:n_secrets], words[n_secrets:]))


def draw_table(rng):
    while True:
        n, n_rows, is_identified = rng.randint(1, 7), rng.randint(1, 7), rng.random() < 0.6
        most = rng.randint(1, 3)
        rows = [[rng.randint(0, most) for _ in range(n)] for _ in range(n_rows)]
        if not is_identified:
            rows += [[None if i == j else 0 for i in range(n)] for j in range(n)]
            rows += [[None if i == 0 else rng.randint(0, most) for i in range(n)]] * rng.randint(
                0, 1
            )
        if len(set(zip(*rows, strict=True))) == n:
            break
    game = SmallGame([], [str(i + 1) for i in range(len(rows))], rows, write_sign)
    game.is_identified = is_identified
    if rng.random() < 0.5:
        draw_uncertain(game, rng)
    lines = [f"q {write_row(row, rng)}" for row in rows]
    game.head = [f"game table {n} {len(rows)}", *lines]
    return game


def draw_uncertain(game, rng):
    """Make some answers of a table uncertain, and give classes to its items."""
    rows, n = game.answers, len(game.answers[0])
    for _ in range(rng.randint(0, 4) if n > 1 else 0):
        row, item = rng.choice(rows), rng.randrange(n)
        if isinstance(row[item], int):
            row[item] = tuple(sorted({row[item], *rng.sample(range(4), 2)}))
    if len(set(zip(*rows, strict=True))) < n:  # two items are alike
        rows.append(list(range(n)))
        game.texts.append(str(len(rows)))
    if game.is_identified and rng.random() < 0.5:
        game.classes = [rng.randrange(3) for _ in range(n)]
    unit = math.lcm(
        *(math.prod(len(game.list_answers(g, i)) for g in range(len(rows))) for i in range(n))
    )
    game.weights = [unit * rng.choice([0, 1, 1, 2, 5, 30]) for _ in range(n)]
    game.weights[0] += unit


def write_sign(answer):
    if isinstance(answer, tuple):
        return "/".join(map(write_sign, answer))
    return "*" if answer is None else SIGNS[answer]


def write_row(row, rng):
    if None in row and set(row) <= {None, 0} and rng.random() < 0.5:
        return f"={1 + row.index(None)}"
    is_listed = any(isinstance(answer, tuple) for answer in row) or rng.random() < 0.3
    separator = "," if len(row) > 1 and is_listed else ""
    return separator.join(map(write_sign, row))


def draw_game(rng):
    """Return a random game with a random claim."""
    game = rng.choice([draw_pegs, draw_words, draw_words, draw_table, draw_table])(rng)
    n_guesses, n_secrets = len(game.answers), len(game.answers[0])
    if game.rules is not None and rng.random() < 0.25:
        game.is_identified = True
    if game.weights is None and rng.random() < 0.4:
        game.weights = [3, *(rng.choice([0, 1, 1, 2, 5, 30]) for _ in range(n_secrets - 1))]
    if rng.random() < 0.4:
        game.costs = [rng.choice([1, 1, 2, 3]) for _ in range(n_guesses)]
    rules = ["all", "all"]
    rules += ["candidates"] if game.rules is not None or not game.is_identified else []
    if game.rules is not None:
        rules += ["consistent"] + ["hints"] * (game.rules.rule == "position")
    game.eligible = rng.choice(rules)
    for _ in range(rng.choice([0, 0, 0, 1, 2])):
        guess, secret = rng.randrange(n_guesses), rng.choice(game.root[0])
        answer = rng.choice(game.list_answers(guess, secret))
        if answer is not None and guess not in [made for made, _ in game.given]:
            game.given.append((guess, answer))
    if rng.random() < 0.25:
        made = [guess for guess, _ in game.given] if game.is_uncertain else []
        useful = [g for g in range(n_guesses) if g not in made and game.divide(g, game.root)]
        if useful:
            game.first = rng.sample(useful, rng.randint(1, len(useful)))
    elif rng.random() < 0.2 and len(game.root[0]) > 1:
        game.excepted = rng.sample(range(n_guesses), rng.randint(1, n_guesses))
    if rng.random() < 0.5:
        game.cap = rng.randint(1, 6)
        if rng.random() < 0.5:
            game.price = rng.choice([(1, 1), (1, 100), (100, 1), (3, 7)])
    if game.is_identified and rng.random() < 0.5:
        game.layers = sorted(rng.sample(range(1, 5), rng.randint(1, 4)))
    return game


def draw_games(number, seed):
    """Yield random games whose claims have a meaning that is not empty."""
    rng = random.Random(seed)
    for _ in range(number):
        yield draw_game(rng)


def make_game(small):
    """Return a small game as treegen knows it, and its claim; a table may lose idle questions."""
    from treegen.formats.proof import Claimed
    from treegen.games.codebook import make_word_game
    from treegen.games.names import parse_game

    if small.words:
        game = make_word_game(*small.words, rule=small.rules.rule)
    else:
        game = parse_game(small.head[0].removeprefix("game "))
    game = game.with_goal("identify") if small.is_identified else game
    if small.weights is not None or small.costs is not None:
        game = game.with_stakes(small.weights, small.costs)
        take_stakes(small, game)
    total = None if small.least == math.inf else small.least
    claim = Claimed(total, tuple(small.first), small.cap, tuple(small.excepted), small.price)
    return game, claim, small.given


def take_stakes(small, game):
    """Take the weights and costs as the game has them: without common factors."""
    weights, costs = game.rules.weights, game.rules.given_costs
    small.weights = None if weights is None else [int(each) for each in weights]
    small.costs = None if costs is None else [int(each) for each in costs[game.rules.first_guess :]]
    small.known.clear()


def draw_questions(rng):
    """Return a random table of questions, the same as a small game, and its claim."""
    from treegen.exact.certificate import make_certificate
    from treegen.formats.proof import Claimed

    game = draw_certain(rng.random())
    ((small, _),) = read_claims(make_certificate(game, [Claimed(1)]))
    if not small.is_identified and rng.random() < 0.3:
        small.eligible = "candidates"
    guesses = range(len(small.answers))
    guess = rng.choice(guesses)
    if rng.random() < 0.3 and small.answers[guess][0] is not None:
        small.given = [(guess, small.answers[guess][0])]
    if rng.random() < 0.2:
        small.first = [g for g in guesses if small.divide(g, small.root)][:2]
    elif rng.random() < 0.2 and len(small.root[0]) > 1:
        small.excepted = [guess]
    if rng.random() < 0.5:
        small.cap, small.price = rng.randint(1, 6), rng.choice([(1, 0), (1, 100), (100, 1)])
    total = None if small.least == math.inf else small.least
    first, excepted = (
        tuple(game.rules.first_guess + guess for guess in guesses)
        for guesses in (small.first, small.excepted)
    )
    claim = Claimed(total, first, small.cap, excepted, small.price)
    return small, game, claim, [(game.rules.first_guess + g, a) for g, a in small.given]


def read_claims(text, words=()):
    """Return the game of each claim of a proof, and what it says: no strategy costs less."""
    game, claims = None, []
    for line in text.splitlines():
        word, *rest = line.split(" ") if line and line[0] != "#" else [""]
        if word == "game":
            game = _read_game(rest, words)
        elif word == "q":
            _add_row(game, rest[0])
        elif word == "goal":
            game.is_identified = rest == ["identify"]
        elif word in ("classes", "weights", "costs"):
            setattr(game, word, [*(getattr(game, word) or []), *map(int, rest)])
        elif word == "eligible":
            game.eligible = rest[0]
        elif word == "given":
            game.given.append((game.texts.index(rest[0]), game.read(rest[1])))
        elif word == "claim":
            game = replace(game, first=[], excepted=[], cap=None, price=(1, 0), known={})
        elif word in ("first", "except"):
            codes = game.first if word == "first" else game.excepted
            codes += map(game.texts.index, rest)
        elif word == "cap":
            game.cap = int(rest[0])
        elif word == "price":
            game.price = int(rest[0]), int(rest[1])
        elif word == "total":
            claims.append((game, math.inf if rest[0] == "none" else int(rest[0])))
    return claims


def _read_game(rest, words):
    if rest[0] == "table":
        game = SmallGame([], [], [], write_sign)
        game.n_items = int(rest[1])
        return game
    if rest[0] == "codebook":
        texts = [*words[0], *words[1]]
        rules = naive.codebook_rules(*words, rest[1])
    else:
        rules = naive.peg_rules(rest[0])
        texts = ["".join(LETTERS[color] for color in code) for code in rules.codes]
    return from_rules([], rules, texts, words)


def _add_row(game, text):
    game.texts.append(str(1 + len(game.texts)))
    if text[0] == "=":
        won = int(text[1:]) - 1
        game.answers.append([None if i == won else 0 for i in range(game.n_items)])
        return
    signs = text.split(",") if "," in text else [text] if "/" in text else [*text]
    game.answers.append([None if sign == "*" else read_sign(sign) for sign in signs])


def read_sign(sign):
    if "/" in sign:
        return tuple(map(read_sign, sign.split("/")))
    return SIGNS.index(sign) if len(sign) == 1 else int(sign)


def are_true(text, words=()):
    """Whether all claims of a proof are true, by plain recursion."""
    return all(total <= game.least for game, total in read_claims(text, words))
