"""Certificates damaged at random, and the judgement of both checkers on them."""

import hashlib
import os
import random
import re
import subprocess
from functools import cache

from treegen import Codebook, build, certify
from treegen.checker import SOURCE, check_certificate, find_compiler, read_claims
from treegen.errors import TreegenError

from . import naive_proofs

GAMES = ("p2c3r", "p3c4r", "p3c5r", "p2c4rb", "p4c4r")
NUMBERS = ["0", "-1", "1", "2", "none", "999999999", "9" * 12, "9" * 13, str(2**31), str(2**32 + 1)]
NUMBERS += [str(2**63 - 1), str(2**64), "1e9", "0x10", ""]
OTHERS = ["p2c3n", "p3c4n", "p3c4rb", "p4c3r", "p2c4r", "p3c4", "p9c9r", "p1c1r", "p0c1r", "p3c99r"]
MAX_STEPS = 10**8
SANITIZE = ("-O0", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")

WORDS = ["bad", "cab", "dab", "fad", "tab", "bat", "cat", "fat", "ace", "act", "arc", "car"]
OTHER_WORDS = ["bed", "fed", "tic"]


@cache
def make_bases():
    """Return certificates by name, and the words of those about words."""
    bases = {game: (certify(build(game, "optimal")), ()) for game in GAMES}
    bases["cap"] = certify(build("p3c5r", "optimal", max_length=5)), ()
    bases["first"] = certify(build("p3c4r", "optimal", first="112,123")), ()
    words = Codebook(WORDS, OTHER_WORDS, feedback="position")
    bases["words"] = certify(build(words, "optimal")), (WORDS, OTHER_WORDS)
    return bases


@cache
def make_all_bases(seed=8):
    """Return certificates of version 2 by name, and the words of those about words."""
    words, bases = Codebook(WORDS, OTHER_WORDS, feedback="position"), {}
    for name, game, options in [
        ("candidates", "p2c4r", {"eligible": "candidates"}),
        ("hints", words, {"eligible": "hints"}),
        ("worst", "p2c4r", {"objective": "worst,n_worst,total"}),
        ("total", words, {"objective": "total,worst,n_worst"}),
        ("later", "p2c4r", {"history": "11:00"}),
    ]:
        text = certify(build(game, "optimal", **options))
        bases[name] = text, (WORDS, OTHER_WORDS) if game is words else ()
    rng = random.Random(seed)
    while len(bases) < 15:
        small = naive_proofs.draw_game(rng)
        if not small.words and len(small.root[0]) > 2:
            bases[f"small {len(bases)}"] = small.prove(), ()
    return bases


def compile_checker(folder, options=SANITIZE):
    """Return the checker in C, compiled; None where that cannot be done."""
    compiler = find_compiler()
    if compiler is None:
        return None
    program = folder / "check"
    command = [*compiler, "-std=c99", *options, "-o", program, SOURCE]
    done = subprocess.run(command, capture_output=True, check=False)
    return program if done.returncode == 0 else None


def run_c(program, data, paths=()):
    """Return whether the checker in C takes a certificate, and what it says."""
    command = [program, "-w", str(MAX_STEPS), "-", *paths]
    data = data if isinstance(data, bytes) else data.encode()
    # A sanitizer that finds fault ends with a code of its own. To look for leaks takes longer than
    # all else, and the checker ends with its memory.
    options = {"ASAN_OPTIONS": "exitcode=9:detect_leaks=0", "UBSAN_OPTIONS": "exitcode=9"}
    environment = {**os.environ, **options}
    done = subprocess.run(
        command, input=data, capture_output=True, check=False, timeout=600, env=environment
    )
    said = done.stdout.decode("utf-8", "replace") + done.stderr.decode("utf-8", "replace")
    assert done.returncode in (0, 1, 2), said
    words = {0: "PROVED: ", 1: "NOT PROVED: ", 2: "UNREADABLE: "}
    assert words[done.returncode] in said
    return done.returncode == 0, said


def write_lists(folder, words):
    """Write the lists of a codebook; return their paths."""
    paths = []
    for name, part in zip(("hidden", "others"), words, strict=True):
        paths.append(folder / name)
        paths[-1].write_text("".join(f"{word}\n" for word in part), encoding="utf-8")
    return paths


def name_verdict(said):
    """Return the verdict in what a checker says: proved, not proved or refused."""
    found = re.match("(not )?proved(?=:)", said.lower())
    return found[0] if found else "refused"


def run_python(data, words=(), table=None):
    """Return whether the checker in Python takes a certificate, and what it says."""
    data = data if isinstance(data, bytes) else data.encode()
    try:
        verdict = check_certificate(data, words, table=table, max_steps=MAX_STEPS)
    except TreegenError as error:
        return False, str(error)
    return verdict.is_proved, str(verdict)


@cache
def find_total(game, first, cap):
    """Return the least total of a game, by the search; None if there is no tree."""
    options = {} if cap is None else {"max_length": cap}
    if first:
        options["first"] = [[ord(letter) - ord("a") for letter in code] for code in first]
        options["first"] = ["".join(str(peg + 1) for peg in code) for code in options["first"]]
    try:
        return build(game, "optimal", **options).total
    except TreegenError:
        return None


def is_true(data, words=()):
    """Return whether the claims of a certificate that was accepted are true.

    By the search, or of version 2 by plain recursion.
    """
    if data.startswith(b"treegen proof 2"):
        return naive_proofs.are_true(data.decode(), words)
    claim = read_claims(data)[0]
    if words:
        game = Codebook(*words, feedback=claim.game.split()[1])
        least = build(game, "optimal", max_length=claim.cap, first=claim.first or None).total
    else:
        least = find_total(claim.game, claim.first, claim.cap)
    return least is None or (claim.total is not None and claim.total <= least)


def raise_claim(text):
    """Return a certificate that claims one more, of lemma 0, too."""
    return re.sub(r"(?m)^(total|root) (\d+)$", lambda line: f"{line[1]} {int(line[2]) + 1}", text)


def mutate(text, rng):
    """Return a certificate with some damage, as bytes."""
    data = text.encode()
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(MUTATIONS)(data, rng)
    return data


SIGNS = [b"\r", b"\r\n", b"\n\r", b"\f", b"\v", b"\x1c", b"\x85"]
SIGNS += [b"\n\n", b"\n# x\n", b" ", b"\t", b"\0", b""]
"""What some programs take for the end of a line, or for nothing."""


def move_table(text, rng):
    """Return a certificate whose table stands in a file, and the file, at times with damage.

    The digest is that of the damaged file: what it holds is judged.
    """
    table = "".join(re.findall(r"(?m)^q .*\n", text)).encode()
    for _ in range(rng.choice((0, 1, 1, 1, 2))):
        at = rng.choice([rng.randrange(len(table)), len(table) - 1, table.find(b"\n")])
        table = table[:at] + rng.choice(SIGNS) + table[at + rng.choice((0, 1, 1)) :]
        table = table or b"\n"
    digest = hashlib.sha256(table).hexdigest()
    outside = re.sub(r"(?m)^q .*\n", "", text)
    return re.sub(r"(?m)^game table .*$", rf"\g<0> {digest}", outside), table


def table_mutants(bases, number, seed=22):
    """Yield certificates of tables in files with these, of which some are damaged."""
    rng, texts = random.Random(seed), [text for text, _ in bases.values() if "\nq " in text]
    for _ in range(number):
        text, table = move_table(rng.choice(texts), rng)
        yield mutate(text, rng) if rng.random() < 0.3 else text.encode(), table


def judge_table(program, folder, data, table):
    """Return whether a certificate with its table was accepted; see `judge_truth`."""
    # What an accepted certificate claims is judged as if the table stood in it.
    inside = re.sub(
        rb"(?m)^(game table \d+ \d+) [0-9a-f]{64}\n", lambda x: x[1] + b"\n" + table, data
    )
    return judge_truth(program, data, (), folder, table, inside)


def _in_lines(change):
    def mutated(data, rng):
        lines = data.split(b"\n")
        change(lines, rng)
        return b"\n".join(lines)

    return mutated


def _drop(lines, rng):
    del lines[rng.randrange(len(lines))]


def _double(lines, rng):
    lines.insert(rng.randrange(len(lines)), rng.choice(lines))


def _swap(lines, rng):
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def _replace_word(lines, rng):
    at = rng.randrange(len(lines))
    words = lines[at].split(b" ")
    words[rng.randrange(len(words))] = rng.choice([*NUMBERS, *OTHERS, *GAMES]).encode()
    lines[at] = b" ".join(words)


def _borrow_word(lines, rng):
    """Put a word of another line of its kind in place of one."""
    at = rng.randrange(len(lines))
    words = lines[at].split(b" ")
    place = rng.randrange(len(words))
    kin = [line.split(b" ") for line in lines if line[:1] == lines[at][:1]]
    words[place] = rng.choice([row[place] for row in kin if len(row) > place])
    lines[at] = b" ".join(words)


def _add_line(lines, rng):
    added = ["# a comment", "", "cap 3", "first aaa", "total 9999", "root 9999", "u aab 10 0"]
    added += ["x", "s 213 abcd"]
    if lines[0].endswith(b"2"):
        added += ["claim", "price 1 9", "price 9 1", "except ab", "except 1", "eligible candidates"]
        added += ["weights 1 1 1", "goal identify", "goal win", "given aa 00", "q 0101", "costs 1"]
        added += ["classes 0 1 0", "classes 0 0 0 0", "q 0/1,1,0", "q 0,0/1/2,1,1"]
        added += [f"weights{' 0' * rng.randint(1, 9)}", f"price {10**18 - 1} 0", "given 1 0"]
    lines.insert(rng.randrange(len(lines)), rng.choice(added).encode())


def _raise_number(data, rng):
    places = [found.span() for found in re.finditer(rb"(?<= )\d+", data)]
    begin, end = rng.choice(places or [(0, 0)])
    raised = int(data[begin:end] or 0) + rng.choice((1, 1, 2, 5, -1))
    return data[:begin] + str(raised).encode() + data[end:]


def _raise_claim(data, rng):
    step = rng.choice((1, 1, 2, 100))
    return re.sub(
        rb"(?m)^(total|root) (\d+)$",
        lambda found: b"%s %d" % (found[1], int(found[2]) + step),
        data,
    )


def _raise_all(data, rng):
    return re.sub(rb"(?m)(\d+)$", lambda found: b"%d" % (int(found[1]) + 1), data)


def _change_byte(data, rng):
    at = rng.randrange(len(data)) if data else 0
    return (
        data[:at]
        + bytes([rng.choice((rng.randrange(256), 48 + rng.randrange(75)))])
        + data[at + 1 :]
    )


def _cut(data, rng):
    return data[: rng.randrange(len(data) + 1)]


MUTATIONS = [_raise_number, _raise_claim, _raise_all, _change_byte, _cut]
MUTATIONS += map(_in_lines, (_drop, _double, _swap, _replace_word, _borrow_word, _add_line))


def judge(program, data, words=(), folder=None, table=None):
    """Return whether the checkers take a certificate, and what each says; they must agree."""
    by_python, told = run_python(data, words, table)
    texts = [told]
    if program is not None:
        paths = write_lists(folder, words) if words else []
        if table is not None:
            paths.append(folder / "table")
            paths[-1].write_bytes(table)
        by_c, said = run_c(program, data, paths)
        assert by_c == by_python, f"{said}\n{told}\n{data!r:.3000}"
        is_limited = "steps" in said + told  # which they count each in its own way
        assert is_limited or name_verdict(said) == name_verdict(told), f"{said}\n{told}\n{data!r}"
        texts.append(said)
    return by_python, texts


def judge_truth(program, data, words=(), folder=None, table=None, inside=None):
    """Return whether a certificate was accepted, as `judge`; only truths may be."""
    is_taken, texts = judge(program, data, words, folder, table)
    assert not is_taken or is_true(inside or data, words), f"{texts}\n{data!r:.3000}"
    return is_taken


def mutants(bases, number, seed=22):
    """Yield damaged certificates with their words, as many of each kind."""
    rng = random.Random(seed)
    for _ in range(number):
        text, words = bases[rng.choice([*bases])]
        yield mutate(text, rng), words
