"""What a checker must never take: false claims, and files that harm it."""

import hashlib
import re
import subprocess

import pytest

from treegen import Codebook, build, certify
from treegen.checker import check_certificate
from treegen.errors import FormatError

from . import mutate

HEADER = "treegen proof 1\ngame p4c4r\n"
LISTS = "codebook position " + "0" * 64


@pytest.fixture(scope="module")
def proof():
    return certify(build("p3c5r", "optimal"))


@pytest.fixture
def reject(judge):
    """Both checkers must reject a certificate, and say why."""

    def reject_by_both(text, reason):
        taken, said = judge(text)
        assert not taken and all(re.search(reason, each) for each in said), said

    return reject_by_both


def number_lines(text):
    """Return the lines, and where those of each kind stand."""
    lines = text.splitlines()
    return lines, {
        kind: [i for i, x in enumerate(lines) if x.startswith(f"{kind} ")] for kind in "lsu"
    }


def join(lines):
    return "\n".join([*lines, ""])


def test_the_certificate_itself_is_taken(judge, proof):
    assert judge(proof)[0]


FALSE = {
    "claim and root one higher": lambda text: text.replace("451", "452"),
    "the root alone": lambda text: join([*text.splitlines()[:3], "root 452"]),
    "all bounds one higher": lambda text: re.sub(
        r"(?m)^((?:root|total|l .*) )(\d+)$", lambda x: f"{x[1]}{int(x[2]) + 1}", text
    ),
    "no uses": lambda text: re.sub(r"(?m)^u .*\n", "", text),
    "uses twice, the claim higher": lambda text: re.sub(
        r"(?m)^(u .*\n)", r"\1\1", text.replace("451", "452")
    ),
    "no symmetries of the root": lambda text: re.sub(r"(?m)(?<=root 451\n)(s .*\n)+", "", text),
    "lemmas that claim the most": lambda text: re.sub(
        r"(?m)^((?:root|total|l .*) )\d+$", rf"\g<1>{'9' * 12}", text
    ),
    "infinite lemmas": lambda text: re.sub(r"(?m)^((?:root|total|l .*) )\d+$", r"\1none", text),
}


def test_a_claim_that_nothing_finds_all_is_refused_in_words(reject):
    text = "treegen proof 1\ngame p2c3r\ncap 3\ntotal none\nroot none\n"
    reject(text, "lemma 0 claims that no strategy finds every secret, guess ab shows 21")


@pytest.mark.parametrize("name", FALSE)
def test_what_is_not_shown_is_not_taken(reject, proof, name):
    forged = FALSE[name](proof)
    assert forged != proof
    reject(forged, "lemma [0-9]+ claims|not true")


def test_no_claim_above_the_optimum_can_be_made(reject, proof):
    """Whatever the root's lemmas claim, each of them must be shown."""
    reject(proof.replace("total 451", "total 452"), "lemma 0 does not say")
    lines, at = number_lines(proof.replace("451", "452"))
    for lemma in at["l"][:3]:
        raised = [*lines]
        words = raised[lemma].split(" ")
        raised[lemma] = " ".join([*words[:4], str(int(words[4]) + 40)])
        reject(join(raised), "lemma [0-9]+ claims|not true")


@pytest.mark.parametrize("guess", ["aab", "abc"])
def test_no_first_guess_is_refuted_without_its_lemmas(reject, proof, guess):
    reject(re.sub(rf"(?m)^u {guess} .*\n", "", proof), "lemma [0-9]+ claims")


def test_a_cut_certificate_is_not_taken(reject, proof):
    lines, at = number_lines(proof)
    reject(join(lines[: at["l"][-1]]), "there is no lemma")
    reject(proof[:-1], "has no end|too long, or has no end")


CIRCLE = HEADER + "total 905\nroot 905\n"


def test_circles_prove_nothing(reject):
    # A lemma cannot use itself, nor its parent, as neither is the cell.
    loop = CIRCLE + "u aaaa 00 0\n" + "l 0 aaaa 00 9999\nu aaaa 00 1\n"
    reject(loop, "is about another set|claims")
    # Lemmas 1 to 3 are about one set, by a guess that leaves it whole.
    one = CIRCLE + "l 0 aaab 10 500\nu aaab 10 2\nl 1 aaab 10 500\nu aaab 10 3\n"
    reject(one + "l 2 aaab 10 500\nu aaab 10 1\n", "claims|another set")
    tiny = "treegen proof 1\ngame p2c2r\ntotal 9\nroot 9\nu ab 10 1\nl 0 ab 10 5\nu ab 20 1\n"
    reject(tiny, "needs no lemma|the answer that wins")


LINES = {
    "parent itself": ("l 1 aaab 10 5", "earlier lemma"),
    "parent later": ("l 2 aaab 10 5", "earlier lemma"),
    "parent negative": ("l -1 aaab 10 5", "no number"),
    "parent of 32 bits more": (f"l {2**32} aaab 10 5", "no number"),
    "bound negative": ("l 0 aaab 10 -5", "no number"),
    "bound of 63 bits": (f"l 0 aaab 10 {2**63 - 1}", "no number"),
    "answer 31": ("l 0 aaab 31 5", "no answer"),
    "answer 99": ("l 0 aaab 99 5", "no answer"),
    "answer -1": ("l 0 aaab -1 5", "no answer"),
    "answer 6562": ("l 0 aaab 6562 5", "no answer"),
    "answer with a tail": ("l 0 aaab 10zz 5", "no answer"),
    "color g": ("l 0 aaag 10 5", "no code"),
    "five pegs": ("l 0 aaaab 10 5", "no code"),
    "no secret": ("l 0 aaaa 13 5", "about no secret"),
    "empty set": ("l 0 aaaa 01 5", "about no secret"),
    "more words": ("l 0 aaab 10 5 5", "earlier lemma|words after"),
    "two blanks": ("l 0  aaab 10 5", "one blank"),
    "a blank at the end": ("l 0 aaab 10 5 ", "blank"),
    "a tab": ("l 0 aaab\t10 5", "control|one blank"),
    "CR": ("l 0 aaab 10 5\r", "control|one blank"),
    "an unknown line": ("x 0 aaab 10 5", "cannot stand here"),
    "a second root": ("root 905", "cannot stand here"),
    "a second total": ("total 905", "cannot stand here"),
    "a late cap": ("cap 9", "cannot stand here"),
    "use of the win": ("u aaab 40 0", "needs no lemma"),
    "use with half a map": ("u aaab 10 0 1234", "a use has|words after"),
    "map too long": ("s 12345 abcde", "no symmetry"),
    "map twice a peg": ("s 1134 abcd", "no symmetry"),
    "map twice a color": ("s 1234 aacd", "no symmetry"),
    "map of digits": ("s 1230 abcd", "no (symmetry|exchange)"),
    "a byte 0": ("l 0 aa\0b 10 5", "byte 0|one blank"),
    "a lone # after a blank": (" # comment", "one blank"),
    "a use that stands before s": ("u aaab 10 0\ns 1243 abcd", "before uses"),
}


@pytest.mark.parametrize("name", LINES)
def test_malformed_lines_are_refused(reject, name):
    line, reason = LINES[name]
    reject(f"{HEADER}total 905\nroot 905\n{line}\n", reason)


SETS = {
    "use of lemma 0": (905, "u aabb 10 0", "another set"),
    "use of a lemma that is not there": (905, "u aabb 10 999", "there is no lemma 999"),
    "use of an empty cell": (905, "u aabb 31 1\nl 0 aabb 10 60", "another set|no answer"),
    "use of another answer": (905, "u aabb 10 1\nl 0 aabb 20 60", "another set"),
    "use by a wrong map": (905, "u aabb 10 1 1324 abcd\nl 0 aabb 10 60", "another set"),
    "a symmetry that moves the set": (800, "l 0 aabc 10 60\ns 4321 abcd", "moves the set"),
    "one secret twice as dear": (800, "l 0 aabc 40 2", "not true"),
    "two secrets for four": (800, "l 0 abcd 22 100\nl 1 abdc 40 2", "claims|not true"),
}


@pytest.mark.parametrize("name", SETS)
def test_lemmas_are_about_the_cells_they_are_used_for(reject, name):
    total, lines, reason = SETS[name]
    orbits = "".join(f"s {map_}\n" for map_ in ("1243 abcd", "1234 bacd"))
    reject(f"{HEADER}total {total}\nroot {total}\n{orbits}{lines}\n", reason)


HEADERS = {
    "p3c5rb for p3c5r": ("p3c5r\n", "p3c5rb\n", "no answer"),
    "p3c5rXYZ": ("p3c5r\n", "p3c5rXYZ\n", "no game"),
    "p03c5r": ("p3c5r\n", "p03c5r\n", "not known|no game|after the first"),
    "p3c05r": ("p3c5r\n", "p3c05r\n", "no game"),
    "p3c5r twice": ("p3c5r\n", "p3c5r p3c5r\n", "not known|words after"),
    "p3c5n": ("p3c5r\n", "p3c5n\n", "no code|claims|about no secret"),
    "p3c6r": ("p3c5r\n", "p3c6r\n", "no symmetry"),
    "p5c3r": ("p3c5r\n", "p5c3r\n", "no symmetry|no code|exchange"),
    "p3c4r": ("p3c5r\n", "p3c4r\n", "no symmetry|no code|renaming"),
    "proof 2": ("proof 1", "proof 2", "cannot stand|not 'treegen"),
    "lists by a path": ("p3c5r", "words:/dev/zero:/dev/zero", "no game|not known"),
    "a list that is not given": ("p3c5r", LISTS, "give their lists"),
    "a rule of no game": ("p3c5r", LISTS.replace("position", "wordle"), "no rule"),
    "s before the root": ("root", "s 1243 abcde\nroot", "cannot stand here"),
    "two headers": ("total", "game p3c5r\ntotal", "cannot stand"),
    "first after cap": ("total", "cap 9\nfirst aab\ntotal", "cannot stand here"),
    "cap 0": ("total", "cap 0\ntotal", "cap of 0"),
    "first twice": ("total", "first aab aab\ntotal", "twice"),
    "a comment before all": ("treegen", "# x\ntreegen", "cannot stand here"),
    "games of no codes": ("p3c5r", "p3c2n", "no codes"),
    "a game too large": ("p3c5r", "p4c16r", "too many"),
    "a game far too large": ("p3c5r", "p7c16r", "too many"),
    "the largest name": ("p3c5r", "p9c26r", "too many"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_headers_are_read_to_the_letter(reject, proof, name):
    old, new, reason = HEADERS[name]
    reject(proof.replace(old, new, 1), reason)


def test_nothing_and_bytes_are_no_header(reject):
    reject("", "no root")
    reject(b"\xff\xfe\x00", "no end|too long")


def test_a_long_line_is_refused_whole(reject, proof):
    """The tail of a line that is too long must not be read as a line."""
    tail = "# " + " " * 70_000 + "\n"
    reject(proof.replace("root", tail + "root"), "too long")
    reject("treegen proof 1\n" + "a" * (1 << 20), "too long")


def test_a_certificate_of_too_many_steps_is_refused(program):
    text = f"{HEADER}total 880\nroot 880\n"
    assert mutate.run_python(text)[0]
    with pytest.raises(FormatError, match="more than 1000 steps"):
        check_certificate(text.encode(), max_steps=1000)
    if program is not None:
        done = subprocess.run([program, "-w", "1000"], input=text.encode(), capture_output=True)
        assert done.returncode == 2 and b"more than 1000 steps" in done.stdout


def test_true_claims_are_taken_in_other_words(judge, proof):
    """Less than is shown, more lemmas than are needed, uses twice: all that is true."""
    lines = proof.splitlines()
    for text in (
        proof.replace("total 451", "total 400"),
        proof + "l 0 aab 02 3\n",
        join([line for line in lines for _ in range(1 + line.startswith("u "))]),
        proof.replace("root", "# a comment\n\nroot"),
    ):
        assert judge(text)[0]


def test_a_useless_first_guess_proves_nothing(judge):
    """It splits nothing, so nothing would be left to show of strategies that begin with it."""
    words, others = ["ab", "ba", "aa", "bb"], ["cd"]
    text = certify(build(Codebook(words, others), "optimal", first="ab"))
    assert judge(text, (words, others))[0]
    forged = re.sub(r"(?m)^(total|root) .*$", r"\1 99", text.replace("first ab", "first cd"))
    assert not judge(forged, (words, others))[0]


def run_on_list(program, path):
    """Run the checker in C on a list, with the digest that the list has."""
    text = f"treegen proof 1\ngame {LISTS}\ntotal 1\nroot 1\n"
    taken, said = mutate.run_c(program, text, [path])
    if digest := re.search("digest is ([0-9a-f]{64})", said):
        return mutate.run_c(program, text.replace("0" * 64, digest[1]).encode(), [path])
    return taken, said


def test_words_that_look_alike_are_one_code(program, tmp_path):
    """Two spellings of one letter in UTF-8 would be two secrets that one guess finds."""
    if program is None:
        pytest.skip("needs a C compiler")
    path = tmp_path / "words"
    path.write_bytes(b"a\nb\n")
    assert run_on_list(program, path)[0]
    path.write_bytes(b"a\n\xc1\xa1\n")  # an overlong a
    taken, said = run_on_list(program, path)
    assert not taken and "twice" in said


@pytest.mark.parametrize(
    "content", [b"", b"ab\nabc\n", b"ab\nab\n", b"\xff\xff\n", b"\x80\x81\n", b"a" * 99]
)
def test_lists_that_are_none_are_refused(program, content, tmp_path):
    if program is None:
        pytest.skip("needs a C compiler")
    path = tmp_path / "words"
    path.write_bytes(content)
    for each in (path, tmp_path / "missing", tmp_path):
        assert not run_on_list(program, each)[0]


@pytest.mark.parametrize("n_mutants", [80, pytest.param(600, marks=pytest.mark.slow)])
@pytest.mark.parametrize("make_bases", [mutate.make_bases, mutate.make_all_bases])
def test_damaged_certificates_are_judged_alike_and_rightly(
    program, tmp_path, make_bases, n_mutants
):
    """Both checkers agree, take nothing that is false, and end; `scripts/fuzz-checker.py` more."""
    verdicts = [
        mutate.judge_truth(program, data, words, tmp_path)
        for data, words in mutate.mutants(make_bases(), n_mutants)
    ]
    assert n_mutants // 80 < sum(verdicts) < n_mutants // 2


def test_tables_in_damaged_files_are_judged_alike_and_rightly(program, tmp_path):
    bases = mutate.make_all_bases()
    verdicts = [
        mutate.judge_table(program, tmp_path, data, table)
        for data, table in mutate.table_mutants(bases, 40)
    ]
    assert 5 < sum(verdicts) < 30


TABLE = (
    "treegen proof 2\ngame table 3 3\nq 001\nq 010\nq *00\ngoal identify\nclaim\ntotal 3\nroot 3\n"
)

HEADERS_2 = {
    "two items alike": ("010\nq *00", "001\nq 000", "alike"),
    "an item that no guess wins": ("goal identify", "goal win", "cannot be"),
    "two wins": ("q *00", "q **0", "wins two"),
    "an answer too few": ("q 010", "q 01", "as many answers|as items"),
    "an answer too many": ("q 010", "q 0101", "as many answers|as items"),
    "a comma at the end": ("q 010", "q 0,1,", "answer|no number"),
    "a sign that is none": ("q 010", "q 0!0", "no answer"),
    "a number too large": ("q 010", "q 0,1,60001", "no answer"),
    "a number that is a sign": ("q 010", "q 0,1,05", "no answer"),
    "no such item": ("q 010", "q =4", "no item"),
    "a row too few": ("q 010\n", "", "guesses"),
    "a row too many": ("q 010", "q 010\nq 011", "guesses"),
    "no items": ("table 3 3", "table 0 3", "empty"),
    "rows of a game of codes": ("table 3 3", "p2c3r", "no row of a table|no table is expected"),
    "a digest and no file": ("3 3", f"3 3 {'0' * 64}", "file of a table"),
    "a cost of 0": ("claim", "costs 1 0 1\nclaim", "costs nothing"),
    "two costs": ("claim", "costs 1 1\nclaim", "costs"),
    "four weights": ("claim", "weights 1 1 1 1\nclaim", "weights|of a kind"),
    "a negative weight": ("claim", "weights 1 -1 1\nclaim", "no number"),
    "weights of 13 digits": ("claim", f"weights 1 {10**12} 1\nclaim", "no number"),
    "numbers too large": (
        "claim",
        f"weights {10**12 - 1} 1 1\ncosts 999999999 1 1\nclaim",
        "too large",
    ),
    "a price too large": ("total 3", f"price {10**18 - 1} 0\ntotal 3", "too large"),
    "a price of 0": ("total 3", "price 0 0\ntotal 3", "costs nothing"),
    "a last guess without a cap": ("total 3", "price 1 1\ntotal 3", "no last"),
    "a rule that is none": ("claim", "eligible some\nclaim", "no rule"),
    "hints of a table": ("claim", "eligible hints\nclaim", "played by"),
    "candidates of questions": ("claim", "eligible candidates\nclaim", "no candidates"),
    "a goal that is none": ("identify", "lose", "win or identify"),
    "nothing agrees": ("claim", "given 1 0\ngiven 3 *\ngiven 1 1\nclaim", "no secret"),
    "no such answer": ("claim", "given 1 2\nclaim", "no answer"),
    "no such guess": ("claim", "given 4 0\nclaim", "no guess|no code"),
    "first and except": ("total", "first 1\nexcept 2\ntotal", "first guesses"),
    "except twice": ("total", "except 2 2\ntotal", "twice"),
    "no claim": ("claim\n", "", "cannot stand"),
    "a claim without a root": ("root 3\n", "root 3\nclaim\ntotal 9\n", "no root"),
    "a symmetry of a table": ("root 3\n", "root 3\ns 1 a\n", "no symmetry"),
    "the win is no lemma": ("root 3\n", "root 3\nl 0 3 * 1\n", "needs no lemma"),
    "version 1": ("proof 2", "proof 1", "not known|no game|after the first"),
    "version 3": ("proof 2", "proof 3", "treegen proof 1"),
    "version 21": ("proof 2", "proof 21", "treegen proof 1"),
}


@pytest.mark.parametrize("name", HEADERS_2)
def test_headers_of_version_2_are_read_to_the_letter(reject, name):
    assert mutate.run_python(TABLE)[0]
    old, new, reason = HEADERS_2[name]
    assert old in TABLE
    reject(TABLE.replace(old, new), reason)


def test_what_is_about_more_is_not_used_for_less(judge, reject):
    """A lemma with less left, or fewer legal guesses, than the cell for which it is named."""
    capped = "treegen proof 2\ngame p2c4r\nclaim\ncap 4\ntotal 45\nroot 45\nu ab 00 1\n"
    capped += "l 0 aa 00 9\nl 1 bb 00 1\n"
    text = capped.replace("u ab 00 1", "u ab 00 2")
    assert not judge(text)[0]
    weighted = "treegen proof 2\ngame p2c3r\nweights 1 2 1 1 1 1 1 1 1\nclaim\ntotal 1\nroot 1\n"
    reject(weighted + "s 21 abc\n", "no symmetries")
    ruled = "treegen proof 2\ngame p2c3r\neligible consistent\nclaim\ntotal 1\nroot 1\n"
    reject(ruled + "s 21 abc\n", "no symmetries")


@pytest.fixture
def name_verdict(judge):
    """Return the verdict of both checkers on a certificate, and what Python's says."""

    def name_by_both(text, words=()):
        _, said = judge(text, words)
        return mutate.name_verdict(said[0]), said[0]

    return name_by_both


STOCK = "treegen proof 2\ngame p2c3r\n"


@pytest.mark.parametrize(
    ("head", "lemma", "verdict"),
    [
        ("claim\ncap 2\n", "l 0 ab 10 1", "proved"),
        ("claim\ncap 1\n", "l 0 ab 10 1", "refused"),
        ("claim\ncap 2\n", "l 0 ab 10 1\nl 1 ac 10 1", "refused"),
        ("goal identify\nclaim\ncap 1\n", "l 0 ab 02 0", "proved"),
        ("goal identify\ncosts 1 2 1 1 1 1 1 1 1\nclaim\ncap 1\n", "l 0 ab 02 0", "refused"),
        ("costs 1 2 1 1 1 1 1 1 1\nclaim\ncap 3\n", "l 0 ab 02 1", "proved"),
        ("costs 1 2 1 1 1 1 1 1 1\nclaim\ncap 2\n", "l 0 ab 02 1", "refused"),
    ],
)
def test_a_lemma_has_something_left_to_spend(name_verdict, head, lemma, verdict):
    text = f"{STOCK}{head}total 1\nroot 1\n{lemma}\n"
    found, told = name_verdict(text)
    assert found == verdict, told
    assert verdict == "proved" or "without guesses left" in told


@pytest.mark.parametrize(
    ("head", "least"),
    [
        ("game table 2 1\nq 01\ngoal identify\nclaim\ncap 1\n", 2 + 20),
        ("game p1c2r\nclaim\ncap 2\n", 3 + 10),
    ],
)
def test_a_game_at_the_limit_costs_its_price_once(name_verdict, head, least):
    text = f"treegen proof 2\n{head}price 1 10\ntotal {{0}}\nroot {{0}}\n"
    assert name_verdict(text.format(least))[0] == "proved"
    for more in (least + 1, least + 10, least + 20):
        assert name_verdict(text.format(more))[0] == "not proved"


GAPS = "treegen proof 2.2\ngame table 3 3\nq 0/1,0/1,0\nq 0/1,0,1\nq 0,0,1\ngoal identify\n"


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("weights 2 2 2\nclaim\ntotal 8\nroot 8\nu 3 0 1\nl 0 2 0 0\n", "has other shares"),
        ("weights 0 0 0\nclaim\nfirst 1\ncap 3\ntotal none\nroot none\nu 1 0 0\n", "come later"),
    ],
)
def test_lemmas_of_uncertain_tables_have_their_shares_and_come_later(reject, claim, reason):
    reject(GAPS + claim, f"lemma [01] .*{reason}")


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("word", ["first", "except"])
@pytest.mark.parametrize(
    ("guesses", "is_kept"), [("ab ba", True), ("ab", False), ("ab ba bc", False)]
)
def test_symmetries_of_lemma_0_keep_the_first_guesses(
    name_verdict, version, word, guesses, is_kept
):
    if (version, word) == (1, "except"):
        return
    head = "treegen proof 1\ngame p2c3r\n" if version == 1 else STOCK + "claim\n"
    text = f"{head}{word} {guesses}\ntotal 1\nroot 1\n"
    assert name_verdict(text)[0] == "proved"
    verdict, told = name_verdict(text + "s 12 bac\n")
    assert verdict == ("proved" if is_kept else "not proved"), told
    assert is_kept or "moves the first guesses" in told


RULED = """treegen proof 2
game codebook black d01c5370a2322d2e4a059274eaeb2b4cf423730fb0230153221385f982f57de6
eligible consistent
claim
cap 3
total none
root none
u baa 2 1
u abb 1 1
u aab 2 2
u bba 1 2
u aaa 2 3
u aaa 1 4
u bab 2 5
u bab 1 6
u bbb 1 3
u bbb 2 4
l 0 baa 2 none
u bba 1 7
u aaa 1 8
u bab 1 9
l 0 aab 2 none
u abb 1 7
u aaa 1 10
u bab 1 11
l 0 aaa 2 3
l 0 aaa 1 none
u abb 1 8
u bba 1 10
u bab 1 12
l 0 bab 2 3
l 0 bab 1 none
u abb 1 9
u bba 1 11
u aaa 1 12
l 1 bba 1 none
l 1 aaa 1 none
l 1 bab 1 none
l 2 aaa 1 none
l 2 bab 1 none
l 4 bab 1 none
"""
RULED_WORDS = ["baa", "abb", "aab", "bba", "aaa", "bab"], ["bbb"]


def test_a_lemma_that_allows_fewer_guesses_is_not_used(name_verdict):
    """Lemmas 3 and 5 have the same members and as much left, but other guesses agree with them."""
    assert name_verdict(RULED, RULED_WORDS)[0] == "proved"
    forged = RULED.replace("u bab 2 5", "u bab 2 3")
    assert forged != RULED
    verdict, told = name_verdict(forged, RULED_WORDS)
    assert verdict == "not proved" and "allows fewer guesses" in told


@pytest.mark.parametrize(
    "lists",
    [
        *[(["ab", "abc"], []), (["ab", "ab"], []), (["ab"], ["cd", "cd"])],
        *[(["ab"], ["c"]), ([], ["ab"]), (["a" * 10], [])],
    ],
)
def test_lists_of_other_lengths_or_with_a_word_twice_are_refused(name_verdict, lists):
    text = "\n".join([f"position {len(lists[0])}", *lists[0], *lists[1]])
    digest = hashlib.sha256(text.encode()).hexdigest()
    text = f"treegen proof 1\ngame codebook position {digest}\ntotal 1\nroot 1\n"
    assert name_verdict(text, lists)[0] == "refused"


def test_a_file_belongs_to_words_and_tables_alone(program, tmp_path):
    text, path = b"treegen proof 1\ngame p2c3r\ntotal 1\nroot 1\n", tmp_path / "x"
    path.write_bytes(b"q 001\n")
    assert "about no table, and one is given" in mutate.run_python(text, table=b"q 001\n")[1]
    assert "no lists of words" in mutate.run_python(text, (["ab"], []))[1]
    assert program is None or "about no words" in mutate.run_c(program, text, [path])[1]


def test_answers_above_the_letters_are_numbers(name_verdict):
    text = "treegen proof 2\ngame table 3 2\nq 0,62,60000\nq 0,z,10\ngoal identify\nclaim\n"
    assert name_verdict(text + "total 3\nroot 3\nl 0 1 60000 0\n")[0] == "proved"
    assert name_verdict(text + "total 4\nroot 4\n")[0] == "not proved"
    assert name_verdict(text + "total 3\nroot 3\nl 0 1 60001 0\n")[0] == "refused"
    assert name_verdict(text + "total 3\nroot 3\nl 0 1 061 0\n")[0] == "refused"
