"""A game on the terminal: micropython example.py (table.tgt and tgt_player.py lie beside it).

Answer each guess as the game is answered: with black and white pegs, 0 2; with black pegs alone,
3; with marks (grey 0, yellow 1, green 2), 01020; or a question with one of its answers.
"""

from tgt_player import open_table

GAME = ['pegs', 4, 6, 1, 'pegs']
BEFORE = []
WIN = 13


IDENTIFIES = GAME[-1] == "goal identify"
GAME = GAME[3 * (GAME[0] == "weighted") : len(GAME) - IDENTIFIES]


def split_labels(line, mark="\n"):
    """Return the names, questions or answers of a text, none for an empty one."""
    return line.split(mark) if line else []


def list_answers(code):
    """Return the answers to a question of a table of answers."""
    if code < GAME[1] and (GAME[2] or WIN == 1):
        return ["no", "right"]
    lines = split_labels(GAME[5])
    # Where there are no questions, the answers are those to a guess.
    row = lines[max(0, code - GAME[1]) % len(lines)] if lines else ""
    answers = split_labels(row, "\t") if lines else [str(place) for place in range(WIN)]
    if code < GAME[1]:
        answers.append("right")
    return answers


def show_answers():
    """Return the first answers to the question asked now, in a game that has its own."""
    if GAME[0] != "questions":
        return ""
    answers = list_answers(guess())
    return " (" + "/".join(answers[:12]) + ("/..." if len(answers) > 12 else "") + ")"


def name_code(code):
    """Return a name for a candidate or a question that has no words."""
    is_question = code >= GAME[1]
    return "question " + str(code - GAME[1] + 1) if is_question else "candidate " + str(code + 1)


def format_code(code):
    """Write a code of a codebook as its word, another one as its colors."""
    kind, *values = GAME
    if kind == "questions":
        labels = split_labels(values[2]) + split_labels(values[3])
        return labels[code] if labels else name_code(code)
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
    """Return an argument for `answer`: a response, or black and white pegs; -1 is no response."""
    words = text.replace("\xa0", " ").split()
    if GAME[0] == "questions":
        return [find_answer(" ".join(words))]
    rule, n_pegs = find_rule()
    if rule == "position":
        is_right = len(words) == 1 and len(words[0]) == n_pegs and not words[0].strip("012")
        return [int(words[0], 3) if is_right else -1]
    words = " ".join(words).replace(".", " ").split()
    if rule == "pegs" and len(words) == 1 and len(words[0]) == 2:
        words = list(words[0])
    for word in words:
        if len(word) > 4 or word.strip("0123456789"):
            return [-1]
    return [int(word) for word in words] if len(words) == 1 + (rule == "pegs") else [-1]


def find_answer(text):
    """Return the response of an answer in a question's words, in any case where one alone fits."""
    answers = list_answers(guess())
    alike = [at for at in range(len(answers)) if answers[at].lower() == text.lower()]
    if text in answers:
        alike = [answers.index(text)]
    if len(alike) != 1:
        return -1
    return WIN if guess() < GAME[1] and alike[0] == len(answers) - 1 else alike[0]


def find_rule():
    """Return the feedback rule of the game, and its pegs."""
    if GAME[0] == "arrangements":
        return "black", sum(GAME[1:])
    return (GAME[1], GAME[2]) if GAME[0] == "codebook" else (GAME[4], GAME[1])


def is_known():
    """Return whether one candidate is left in a game that ends there: only the win is possible."""
    if GAME[0] == "questions" and GAME[2]:
        return IDENTIFIES and guess() < GAME[1]
    for response in range(WIN if IDENTIFIES else 0):
        if answer(response):
            undo()
            return False
    return IDENTIFIES


with open("table.tgt", "rb") as stream:
    guess, answer, undo = open_table(stream.read())


def play():
    """Guess until the code is found."""
    for made, given in BEFORE:
        print("guessed before: " + made + ", answered " + given)
    result = True
    while result is not None and not is_known():
        print(format_code(guess()) + show_answers())
        result = answer(*read_answer(input("answer? ")))
        if result is False:
            print("no secret fits that answer; please check it")
    print("found" if result is None else "it is " + format_code(guess()))


try:
    play()
except EOFError:
    print()
