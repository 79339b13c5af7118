"""Certificates prove what they claim: both checkers take them, and none that claims more."""

import lzma
import random
import re
import subprocess
import sys
import tracemalloc
from dataclasses import replace

import pytest

from treegen import build, certify, check, verify, write_checker
from treegen.checker import SOURCE, find_compiler, read_claims
from treegen.errors import FormatError, UsageError
from treegen.formats import proof
from treegen.formats.proof import Claimed
from treegen.formats.table import cut_tree
from treegen.games.codebook import make_word_game
from treegen.games.names import parse_game

from ..command import run
from . import mutate

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")

CASES = ["p2c3r", "p3c4r", "p3c5r", "p4c4r", "p3c6n", "p3c4rb", "p4c5r"]


@pytest.mark.parametrize("game", CASES)
def test_both_checkers_take_an_optimum_and_no_more(judge, game):
    tree = build(game, "optimal")
    text = tree.certify()
    assert text.startswith(f"treegen proof 1\ngame {game}\ntotal {tree.total}\nroot {tree.total}\n")
    lemmas = f"({1 + text.count(chr(10) + 'l ')} lemma"
    claim = f"proved: for {game} no strategy has a total below {tree.total} "
    taken, said = judge(text)
    assert taken and said[0].startswith(claim + lemmas)
    taken, said = judge(mutate.raise_claim(text))
    assert not taken and re.search("lemma 0 claims|is not true", said[0])


@pytest.mark.parametrize("rule", ["pegs", "black", "position"])
def test_codebooks_are_proved_with_their_lists(judge, rule):
    words = mutate.WORDS, mutate.OTHER_WORDS
    tree = build(make_word_game(*words, rule=rule), "optimal")
    text = certify(tree)
    assert re.match(rf"treegen proof 1\ngame codebook {rule} [0-9a-f]{{64}}\n", text)
    assert judge(text, words)[0]
    assert not judge(mutate.raise_claim(text), words)[0]
    others = [*mutate.WORDS[1:], mutate.WORDS[0]], mutate.OTHER_WORDS
    with pytest.raises(FormatError, match="not the lists"):
        check(text.encode(), words=others[0], guesses=others[1])
    with pytest.raises(FormatError, match="give their lists"):
        check(text.encode())


def test_words_of_more_answers_than_a_set_holds(judge):
    draw = random.Random(1)
    drawn = ("".join(draw.choices("etaoinshrd", range(10, 0, -1), k=4)) for _ in range(2000))
    words = list(dict.fromkeys(drawn))[:400]
    lists = words[:300], words[300:]
    text = certify(build(make_word_game(*lists, rule="position"), "optimal"))
    assert "\nl " in text
    assert judge(text, lists)[0]
    assert not judge(mutate.raise_claim(text), lists)[0]


@pytest.mark.parametrize("words", [["éa", "ça", "aé"], ["ñña", "aññ", "ñañ", "aaa"]])
def test_letters_are_code_points(judge, words):
    text = certify(build(make_word_game(words), "optimal"))
    assert judge(text, (words, []))[0]
    assert check(text.encode(), words=words).is_proved


@pytest.mark.parametrize(
    ("game", "options", "line"),
    [
        ("p3c5r", {"max_length": 5}, "cap 5"),
        ("p3c5r", {"first": "111"}, "first aaa"),
        ("p4c4r", {"first": "1122,1112"}, "first aabb aaab"),
        ("p3c5r", {"objective": "worst,total"}, "cap 5"),
        ("p2c3r", {"objective": "total,worst,n_worst"}, "game p2c3r"),
    ],
)
def test_caps_and_first_guesses_are_part_of_the_claim(judge, game, options, line):
    tree = build(game, "optimal", **options)
    text = certify(tree)
    assert line in text.splitlines()
    totals = [claim.total for claim in read_claims(text.encode()) if claim.price == (1, 0)]
    assert judge(text)[0] and tree.total in totals
    assert not judge(mutate.raise_claim(text))[0]


@pytest.mark.parametrize(
    ("game", "cap"), [("p2c3r", 2), ("p3c4r", 3), ("p2c6r", 4), ("p3c5r", 4), ("p3c6n", 4)]
)
def test_that_no_tree_is_short_enough_can_be_proved(judge, game, cap):
    from treegen.exact.certificate import make_certificate

    text = make_certificate(parse_game(game), [Claimed(None, cap=cap)])
    assert f"cap {cap}\ntotal none\nroot none\n" in text and not re.search("[0-9]{13}", text)
    taken, said = judge(text)
    assert taken and f"for {game} no strategy finds every secret within {cap} guesses" in said[0]
    assert not judge(text.replace(f"cap {cap}", f"cap {cap + 1}"))[0]
    with pytest.raises(UsageError, match="some strategy finds every secret"):
        make_certificate(parse_game(game), [Claimed(None, cap=cap + 1)])


def test_a_gap_is_a_lower_claim(judge):
    tree = build("p3c5r", "best", gap=2)
    bound = tree.provenance.bound
    text = certify(tree)
    assert f"total {bound}\n" in text
    assert judge(text)[0]


def test_the_same_text_whatever_the_table():
    tree = build("p4c5r", "optimal")
    assert certify(tree) == certify(tree, table_size=1)


LARGE_STAKES = [10**12 - 8, *[1] * 8], [10**4, *[1] * 8]


@pytest.mark.parametrize(
    ("game", "strategy", "reason"),
    [
        ("p2c3r", "knuth", "knuth claims no bound"),
        ("a22", "optimal", "peg games, codebooks and tables of answers, not for a22"),
        ("p10c2r", "parts", "up to 9 pegs"),
        (make_word_game(["a\u0301\u0323b", "cd"]), "optimal", "letters of one code point"),
        (parse_game("p2c3r").with_stakes(*LARGE_STAKES), "best", "costs of too many digits"),
    ],
)
def test_what_certificates_cannot_say_is_refused_by_name(game, strategy, reason):
    tree = build(game, strategy)
    with pytest.raises(UsageError, match=reason):
        certify(tree)


def test_a_build_that_cannot_be_certified_is_refused_before_the_work(tmp_path):
    path = tmp_path / "x.proof"
    for game, strategy, reason in [
        ("p4c6r", "knuth", "works only with"),
        ("p4c6r", "best", "needs gap="),
        ("a33", "optimal", "not for a33"),
        ("p10c2r", "optimal", "up to 9 pegs"),
    ]:
        with pytest.raises(UsageError, match=reason):
            build(game, strategy, certificate=path)
    assert not path.exists()


def test_a_false_claim_cannot_be_written():
    from treegen.exact.certificate import make_certificate

    with pytest.raises(UsageError, match="a total below 207 is not true"):
        make_certificate(parse_game("p3c4r"), [Claimed(207)])


@needs_compiler
def test_tree_and_certificate_are_verified_together(tmp_path):
    path = tmp_path / "x.proof"
    tree = build("p3c5r", "optimal", certificate=path)
    report = verify(tree, certificate=path)
    assert report.is_proved and report.proof.startswith("optimal: proved, checked by an")
    path.write_text(mutate.raise_claim(path.read_text()))
    report = verify(tree, certificate=path)
    assert not report.is_sound and "not proved: " in report.problems[0]


def test_what_a_certificate_leaves_open_stays_so(monkeypatch):
    """The same without a compiler: the checker in Python takes its place."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CC", raising=False)
    assert find_compiler() is None
    proof = certify(build("p3c5r", "optimal")).encode()
    tree = build("p3c5r", "optimal", objective="total,worst,n_worst")
    report = verify(tree, certificate=proof)
    assert report.is_optimal
    assert [claim.name for claim in report.unchecked] == ["strategy", "rule", "objective"]
    assert verify(build("p3c5r"), certificate=proof).proof.startswith("no total below 451: proved")
    short = certify(build("p3c5r", "optimal", max_length=6)).encode()
    report = verify(build("p3c5r", "optimal"), certificate=short)
    assert not report.is_optimal
    assert [claim.name for claim in report.unchecked] == ["strategy", "rule", "objective", "bound"]
    assert report.proof.startswith("optimal with games of up to 6 guesses: proved")


def test_a_cost_of_the_total_alone_says_nothing_of_the_longest_games():
    tree = build("p2c3r", "optimal", objective="total,worst,n_worst")
    proof = certify(tree)
    assert (
        "optimal by total,worst,n_worst: proved" in verify(tree, certificate=proof.encode()).proof
    )
    alone = proof.replace("price 10 1\ntotal 214\nroot 214\n", "total 21\nroot 21\n")
    assert alone != proof
    report = verify(tree, certificate=alone.encode())
    assert report.is_sound and "objective" in [claim.name for claim in report.unchecked]
    assert report.proof.startswith("optimal with games of up to 3 guesses: proved")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"game": "p3c4r"}, "is about p3c5r, the tree about p3c4r"),
        ({"first": "123"}, "strategies that begin with aab, and the tree begins with abc"),
    ],
)
def test_a_certificate_of_something_else_is_refused(options, reason):
    proof = certify(build("p3c5r", "optimal", first="112")).encode()
    tree = build(options.pop("game", "p3c5r"), "optimal", **options)
    with pytest.raises(UsageError, match=reason):
        verify(tree, certificate=proof)


LISTED = make_word_game(mutate.WORDS, mutate.OTHER_WORDS, rule="position")
WEIGHTS = range(1, 1 + LISTED.n_secrets)


@pytest.mark.parametrize(
    ("game", "options", "reason"),
    [
        (LISTED.with_stakes(WEIGHTS, None), {}, "without weights, which the tree has"),
        (LISTED.with_stakes(None, [2] + [1] * (LISTED.n_codes - 1)), {}, "without costs, which"),
        (LISTED.with_goal("identify"), {}, "without the goal to identify, which the tree has"),
        (LISTED, {"eligible": "candidates"}, "every code may be guessed; the tree has eligible=ca"),
        (LISTED, {"eligible": "hints"}, "the tree has eligible=hints"),
        (LISTED, {"history": [("bad", "020")]}, "whole games, and this tree begins"),
        (
            make_word_game(mutate.WORDS, mutate.OTHER_WORDS),
            {},
            "about codebook pegs .*: the feedback differs",
        ),
        (
            make_word_game(mutate.WORDS, rule="position"),
            {},
            "the tree about codebook position .*: the lists differ",
        ),
        (parse_game("p2c3r"), {}, "the tree about p2c3r"),
        (parse_game("a22"), {}, "the tree about a22"),
    ],
)
def test_a_certificate_is_of_the_whole_game(game, options, reason):
    """Nothing that changes the game is passed over: one line says what differs."""
    proof = certify(build(LISTED, "optimal")).encode()
    assert verify(build(LISTED, "optimal"), certificate=proof).is_proved
    tree = build(game, "optimal", **options)
    with pytest.raises(UsageError, match=reason) as refusal:
        verify(tree, certificate=proof)
    assert "\n" not in str(refusal.value)
    if not options and game.kind == "codebook":
        with pytest.raises(UsageError, match=reason.replace("tree", "game")):
            check(proof, words=game)
    if game.kind == "codebook":
        assert verify(tree, certificate=certify(tree).encode()).is_proved


def test_symbols_change_nothing_in_a_certificate():
    for game, first in ((parse_game("p3c4r"), "112"), (LISTED, "bad")):
        tree = build(game, "optimal", first=first)
        text = certify(tree)
        other = replace(tree, game=game.with_symbols("".join(reversed(game.notation.own_symbols))))
        assert other.guess_after() != first
        assert certify(other) == text
        assert verify(other, certificate=text.encode()).is_proved


def test_an_excerpt_is_not_proved_by_the_certificate_of_its_list():
    cut = cut_tree(build(LISTED, "optimal"))
    assert cut.game.rules.excerpt
    with pytest.raises(UsageError, match="has only the words of a tree"):
        verify(cut, certificate=certify(build(LISTED, "optimal")).encode())


def test_empty_lines_and_comments_do_not_count(judge):
    text = certify(build("p2c3r", "optimal"))
    airy = text.replace("\n", "\n" + "\n# cap 1\n" * 700)
    assert judge(airy)[0]
    assert verify(build("p2c3r", "optimal"), certificate=airy.encode()).is_proved


def test_lists_that_do_not_belong_are_refused(tmp_path, capsys):
    text = certify(build("p2c3r", "optimal"))
    with pytest.raises(FormatError, match="is about p2c3r, which has no lists of words"):
        check(text.encode(), words=mutate.WORDS)
    (tmp_path / "x.proof").write_text(text)
    (tmp_path / "words").write_text("\n".join(mutate.WORDS))
    assert run("check", str(tmp_path / "x.proof"), "--words", str(tmp_path / "words")) == 2
    assert "which has no lists of words" in capsys.readouterr().err


def test_longer_games_than_the_certificate_is_about_are_refused():
    proof = certify(build("p3c4r", "optimal", max_length=4)).encode()
    tree = build("p3c4r", "first-consistent")
    assert tree.worst > 4
    with pytest.raises(UsageError, match="of up to 4 guesses"):
        verify(tree, certificate=proof)


def test_xz_is_unpacked_and_no_more_than_allowed(tmp_path, monkeypatch):
    text = certify(build("p3c5r", "optimal")).encode()
    path = tmp_path / "x.proof.xz"
    packed = lzma.compress(text)
    path.write_bytes(packed)
    assert check(path).is_proved
    path.write_bytes(packed[:-30])
    with pytest.raises(FormatError, match="damaged"):
        check(path)
    large = lzma.compress(text + b"\n" * (1 << 25), preset=0)
    assert len(large) < 1 << 13
    tracemalloc.start()
    with pytest.raises(FormatError, match="holds more than 16,777,216 bytes, which no"):
        check(large)
    assert tracemalloc.get_traced_memory()[1] < 3 << 24
    tracemalloc.stop()
    monkeypatch.setattr(proof, "MAX_BYTES", 10**6)
    with pytest.raises(FormatError, match="at most"):
        check(large)
    monkeypatch.setattr(proof, "MAX_UNPACKING_BYTES", 1 << 20)
    with pytest.raises(FormatError, match="Memory usage limit"):
        check(packed)


def test_the_checker_is_one_file_without_dependencies(tmp_path):
    path = write_checker(tmp_path)
    assert path.read_bytes() == SOURCE.read_bytes()
    included = re.findall(r"#include <(\w+)\.h>", path.read_text("utf-8"))
    assert set(included) <= {"inttypes", "stdarg", "stdint", "stdio", "stdlib", "string"}
    if find_compiler() is None:
        return
    strict = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror"]
    command = [*find_compiler(), *strict, "-o", tmp_path / "check", path]
    assert subprocess.run(command, check=False).returncode == 0


@needs_compiler
def test_the_checker_in_c_takes_a_file_or_the_standard_input(program, tmp_path):
    text = certify(build("p3c4r", "optimal")).encode()
    path = tmp_path / "x.proof"
    path.write_bytes(text)
    words = mutate.WORDS, mutate.OTHER_WORDS
    lists = mutate.write_lists(tmp_path, words)
    of_words = tmp_path / "words.proof"
    of_words.write_text(certify(build(make_word_game(*words, rule="position"), "optimal")))

    def run(*args, data=b""):
        done = subprocess.run([program, *args], input=data, capture_output=True, check=False)
        return done.returncode, done.stdout.decode()

    said = 0, "PROVED: for p3c4r no strategy has a total below 206 (1 lemma)\n"
    assert run(path) == run("-", data=text) == run(data=text) == run("-w", "99999", path) == said
    assert run(of_words, *lists)[0] == run("-", *lists, data=of_words.read_bytes())[0] == 0
    for args, reason in [
        ((tmp_path / "missing",), "cannot be opened"),
        ((path, *lists), "about no words"),
        ((of_words,), "give their lists"),
        ((path, *lists, path), "usage: check"),
        (("-x", path), "usage: check"),
        (("-w", "x", path), "x is no number"),
        (("-w", "-1", path), "-1 is no number"),
        (("-p", "1/1", path), "usage: check"),  # the forerunner's: it left lemmas out
        (("-w",), "usage: check"),
        ((), "no root"),
    ]:
        code, told = run(*args)
        assert code == 2 and reason in told, args


@needs_compiler
def test_the_compiled_checker_is_kept(program, tmp_path, monkeypatch):
    from treegen.checker import check_compiled
    from treegen.jit import cache

    monkeypatch.setattr(cache, "PACKAGE", tmp_path)
    text = certify(build("p3c4r", "optimal")).encode()
    calls = tmp_path / "calls"
    compiler = tmp_path / "compiler"  # it ends with -o PATH -x c -, and copies what is compiled
    compiler.write_text(
        f'#!/bin/sh\necho "$@" >> {calls}\ncase "$*" in *" -o "*)\n'
        f'while [ "$1" != -o ]; do shift; done; cp {program} "$2"; chmod 755 "$2";; esac\n'
    )
    compiler.chmod(0o755)

    def count_compilations():
        assert check_compiled(text, compiler=[str(compiler)]).is_proved
        lines = calls.read_text().splitlines()
        calls.write_text("")
        return sum("-dM" not in line for line in lines)

    assert [count_compilations() for _ in range(2)] == [1, 0]
    (kept,) = tmp_path.glob("__pycache__/treegen-checker-*/check")
    assert sorted(path.name for path in kept.parent.iterdir()) == ["check", "check.sha256"]
    kept.unlink()
    assert [count_compilations() for _ in range(2)] == [1, 0]
    data = kept.read_bytes()
    kept.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))  # a wrong bit may prove anything
    assert [count_compilations() for _ in range(2)] == [1, 0]
    (kept.with_suffix(".sha256")).unlink()
    assert [count_compilations() for _ in range(2)] == [1, 0]
    kept.chmod(0o600)  # it cannot be run: another one is compiled for this time
    assert count_compilations() == 1
    monkeypatch.setattr(cache, "_list_parents", lambda: iter(()))
    assert [count_compilations() for _ in range(2)] == [1, 1]


def test_the_checker_in_python_needs_neither_search_nor_compiler():
    code = (
        "import sys, treegen\n"
        "text = b'treegen proof 1\\ngame p2c3r\\ntotal 21\\nroot 21\\n'\n"
        "assert treegen.check(text).is_proved\n"
        "print([name for name in sys.modules if 'numba' in name or 'treegen.exact' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_header_alone_says_the_claim():
    text = b"treegen proof 1\n# by hand\ngame p3c4r\nfirst aab abc\ncap 5\ntotal 210\nroot 210\n"
    assert str(read_claims(text)[0]) == (
        "for p3c4r no strategy that begins with aab or abc has a total below 210 where every game"
        " ends within 5 guesses"
    )
    for wrong in (b"", b"treegen proof 2\ntotal 1\n", b"treegen proof 1\ntotal -1\n", b"\xff"):
        with pytest.raises(FormatError):
            read_claims(wrong)


@pytest.mark.parametrize("command", ['"', "'cc", "no-such-compiler-anywhere", " ", "\\"])
def test_a_variable_that_names_no_compiler_is_passed_over(command, monkeypatch):
    monkeypatch.delenv("CC", raising=False)
    known = find_compiler()
    monkeypatch.setenv("CC", command)
    assert find_compiler() == known
    tree = build("p2c3r", "optimal")
    assert verify(tree, certificate=certify(tree).encode()).is_proved
