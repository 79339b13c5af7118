"""Text as people have it, function by function: one form, letters as they are seen, any case."""

import io
import json
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from treegen import (
    Codebook,
    FormatError,
    GameError,
    Questions,
    build,
    import_tree,
    open_game,
    read,
    read_questions,
    verify,
)
from treegen.games.codebook import make_excerpt
from treegen.games.names import from_description
from treegen.games.notation import parse_symbols
from treegen.games.questions import quote, take_text
from treegen.games.text import (
    Names,
    _fold_turkic,
    are_joined,
    clean,
    fold,
    is_written,
    normalize,
    split_letters,
)
from treegen.games.word_files import looks_like_counts, read_word_list

from ..paths import ROOT
from ..written import bytes_of

FAMILY, SCOTLAND = "👨‍👩‍👧", "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("", []),
        ("crane", ["c", "r", "a", "n", "e"]),
        ("naïf", ["n", "a", "ï", "f"]),
        ("🍎🍌❤️", ["🍎", "🍌", "❤️"]),
        ("ọ́bẹ̀", ["ọ́", "b", "ẹ̀"]),
        ("🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]),
        (FAMILY + SCOTLAND, [FAMILY, SCOTLAND]),
        ("👍🏽👍", ["👍🏽", "👍"]),
        ("一心一意", ["一", "心", "一", "意"]),
        ("קֶשֶׁת", ["קֶ", "שֶׁ", "ת"]),
        ("한국", ["한", "국"]),
    ],
)
def test_letters_are_what_a_reader_sees(text, letters):
    assert split_letters(text) == letters


def test_plain_text_loads_no_library_of_letters():
    code = (
        "import sys; from treegen.games.codebook import make_word_game;"
        "make_word_game(['crane', 'naïve']).parse_code('NAÏVE'); print('regex' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.stdout.strip(), result.stderr) == ("False", "")


def test_what_is_written_and_how():
    assert clean("  cafe\u0301\u00a0 noir\t") == "café noir"
    assert all(map(is_written, ["né", FAMILY, SCOTLAND, "ב", "a b"]))
    assert not any(map(is_written, ["a\tb", "a\nb", "\u200d", "\u202e", "a\u200eb"]))
    assert are_joined(("1", "2", "❤️"))
    assert not are_joined(("🇩", "🇪")) and not are_joined(("🇩", "a"))  # two in a row are a flag
    assert not are_joined(("red", "green"))


@pytest.mark.parametrize(
    ("known", "text", "meant"),
    [
        (["straße", "gasse"], "STRASSE", 0),
        (["οδος", "νομος"], "ΟΔΟΣ", 0),
        (["οδός", "νόμος"], "ΟΔΌΣ", 0),
        (["sıra", "kara"], "SIRA", 0),
        (["sira", "kara"], "SİRA", 0),
        (["sıra", "sira"], "sıra", 0),
        (["sıra", "sira"], "sira", 1),
        (["sıra", "kara"], "sira", None),
        (["Yes", "yes", "YES"], "yes", 1),
        (["Yes", "no"], "YES", 0),
        (["cafe\u0301", "the"], "CAFÉ", 0),
        (["café", "the"], "cafe\u0301", 0),
        (["café", "the"], "cafe", None),
    ],
)
def test_a_text_means_the_name_that_differs_in_case_alone(known, text, meant):
    assert Names(known).find(text) == meant


@pytest.mark.parametrize(
    ("known", "text"),
    [(["sıra", "sira"], "SIRA"), (["Yes", "yes", "YES"], "YEs"), (["weiß", "weiss"], "WEISS")],
)
def test_what_may_mean_several_is_refused_with_all_of_them(known, text):
    with pytest.raises(GameError, match="may mean") as caught:
        Names(known).find(text)
    assert all(repr(name) in str(caught.value) for name in known)


def test_folding_keeps_dotted_and_dotless_i_apart():
    assert fold("IŞIK") == fold("işik") != fold("ışık")


def test_answers_that_differ_in_case_alone_are_spelled():
    game = Questions([["Yes"], ["yes"], ["YES"]], ["ant", "bee", "fly"], ["Wings?"])
    assert [game.parse_response(text, 3) for text in ("YES", "Yes", "yes")] == [0, 1, 2]
    with pytest.raises(GameError, match="'YEs' may mean 'YES', 'Yes' or 'yes'"):
        game.parse_response("YEs", 3)


@pytest.mark.parametrize("rule", ["pegs", "position"])
def test_an_emoji_with_a_selector_is_one_peg(tmp_path, rule):
    (tmp_path / "emoji.txt").write_text("🍎🍌❤️\n🍎🍎❤️\n")
    game = open_game(tmp_path / "emoji.txt", feedback=rule)
    assert (game.n_pegs, game.notation.own_symbols) == (3, ("❤️", "🍌", "🍎"))
    written = game.format_response(game.score(0, 1))
    assert written == {"pegs": "20", "position": "202"}[rule]
    assert Codebook(["🍎🍌❤️", "🍎🍎❤️"], feedback=rule) == game
    assert game.format_code(1) == "🍎🍎❤️" and game.parse_code("🍎🍎❤️") == 1


def test_marked_letters_are_one_letter():
    game = Codebook(["ọ́bẹ̀", "ọ́fẹ̀"])
    assert (game.n_pegs, game.n_colors) == (3, 4)
    assert Codebook(["cafe\u0301", "ther"]).n_pegs == 4
    assert Codebook(["cafe\u0301"]) == Codebook(["café"])
    with pytest.raises(GameError, match="it has 2 letters"):
        game.parse_code("ọ́b")


def test_letters_of_several_code_points_are_kept_in_files_and_refused_in_tables(tmp_path):
    tree = build(Codebook(["🍎🍌❤️", "🍎🍎❤️", "🍌🍌🍌"]))
    again = read(bytes_of(tree, "tree"))
    assert (again.digest, again.game.n_pegs) == (tree.digest, 3)
    assert again.game.rules.words == tree.game.rules.words
    assert from_description(tree.game.description) == tree.game
    with pytest.raises(FormatError, match=r"letter '❤️' of 2 code points; .* booklet"):
        bytes_of(tree, "table")
    for style in ("indented", "lines", "irving", "mmstrat", "nested", "gv"):
        path = tmp_path / f"{style}.txt"
        tree.write(path, "text", style=style)
        assert import_tree(path, tree.game, format="text").digest == tree.digest


@pytest.mark.parametrize(
    "parameters",
    [
        ["pegs", 2, 1, "a b\nb a"],
        ["pegs", 3, 1, "a ❤️\nb a"],
        ["pegs", 2, 3, "a ❤️\nb a"],
        ["pegs", 2, 1, "a ❤️\nb"],
        ["pegs", 2, 1, "a ❤️\na ❤️"],
        ["pegs", 2, "a ❤️"],
    ],
    ids=repr,
)
def test_wrong_descriptions_of_letters(parameters):
    with pytest.raises(GameError):
        from_description(["letters", *parameters])


def test_an_old_codebook_stays_as_it_was():
    """Its letters are code points, in whatever form; its words are still found."""
    game = from_description(["codebook", "pegs", 5, 2, "cafe\u0301there"])
    assert (game.n_pegs, game.rules.words[0], game.parse_code("CAFÉ")) == (5, "cafe\u0301", 0)
    assert game.rules.digest_name == OLD_NAME
    tree = build(game)
    again = read(bytes_of(tree, "tree"))
    assert (again.digest, again.game.rules.words) == (tree.digest, game.rules.words)
    assert make_excerpt(game, [0]).rules.words == game.rules.words
    old_emoji = from_description(["codebook", "position", 4, 2, "🍎🍌❤️🍎🍎❤️"])
    assert old_emoji.format_response(old_emoji.score(0, 1)) == "2022"
    assert old_emoji != Codebook(old_emoji.rules.words, feedback="position")
    assert (
        old_emoji.rules.digest_name
        != Codebook(old_emoji.rules.words, feedback="position").rules.digest_name
    )


OLD_NAME = "codebook:9d19bfdd4602a4e2567e19864441c21327d7de35d3dcf20daf73892902c12b31"


def test_names_of_tables_are_composed(tmp_path):
    path = tmp_path / "nfd.csv"
    path.write_text("name,color,cafe\u0301\nant,café,1\nbee,cafe\u0301,2\n")
    game = read_questions(path)
    assert (game.table.questions, game.table.answers) == (("café",), (("1", "2"),))
    path.write_text("name,color\ncafé,1\ncafe\u0301,2\n")
    with pytest.raises(GameError, match="'café' is already in line 2"):
        read_questions(path)
    path.write_text("animal,Legs\nTaupe géante,4\nMerle,2\n")
    game = read_questions(path)
    assert game.parse_secret("TAUPE GE\u0301ANTE") == 0
    assert Questions([["e\u0301"], ["é"], ["x"]], ["a", "b", "c"], ["q"]).table.names[0] == "a | b"


def test_symbols_are_letters_as_they_are_seen():
    assert parse_symbols("❤️🍎🇩🇪", 3) == ("❤️", "🍎", "🇩🇪")
    assert parse_symbols("e\u0301a", 2) == ("é", "a")
    with pytest.raises(GameError, match="do not fit"):
        parse_symbols("σς", 2)
    game = open_game("p2c3r")
    for symbols in (("❤️", "🍎", "🇩🇪"), ("🇩", "🇪", "🇫"), ("é", "a", "b")):
        written = game.format_code(5, symbols)
        assert game.parse_code(written, symbols) == 5


VECTORS = json.loads((ROOT / "tests" / "vectors" / "text.json").read_text("utf-8"))


@pytest.mark.parametrize("row", VECTORS, ids=lambda row: row["name"])
def test_vectors_that_the_page_reads_too(row):
    text = row["text"]
    made = (normalize(text), split_letters(row["nfc"]), fold(text), _fold_turkic(text))
    assert made == (row["nfc"], row["letters"], row["folded"], row["turkic"])


@pytest.mark.parametrize(
    ("name", "n_pegs", "digest"),
    [
        ("decomposed", 5, "91f0c6035746df848e3e3d61bf025c7fbb3a4b058aa1d7a3b88acbad0bc216ac"),
        ("emoji", 4, "fbbb46cd4447011d205c03e84353959f90b07bdbc795a60d99fced9ece4aefee"),
    ],
)
def test_files_whose_letters_are_code_points_stay_as_they_are(name, n_pegs, digest):
    """They were written before a letter was what a reader sees as one."""
    folder = ROOT / "tests" / "data" / "code-points"
    tree = read(folder / f"{name}.tree")
    assert (tree.game.n_pegs, tree.digest, verify(tree).problems) == (n_pegs, digest, ())
    assert read(folder / f"{name}.tgt").digest == digest
    assert bytes_of(tree, "tree") == (folder / f"{name}.tree").read_bytes()
    assert import_tree(folder / f"{name}.txt", tree.game, format="text").digest == digest


@given(text=st.text(min_size=1).map(lambda text: " ".join(text.split())))
def test_a_quoted_text_is_taken_back_whatever_follows(text):
    assume(text)
    assert take_text(quote(text) + " → 3") == (text, len(quote(text)))
    assert take_text(quote(text)) == (text, len(quote(text)))


@pytest.mark.parametrize(
    ("text", "column", "numbers"),
    [
        ("cigar,120\nrebut,22\n", "", ["120", "22"]),
        ("Word;How often\ncigar;0,25\nrebut;1.5e-3\n", "How often", ["0,25", "1.5e-3"]),
        ('word,"count"\n"cigar","1"\nrebut,"2"\n', "count", ["1", "2"]),
        ("    120 cigar\n     22 rebut\n", "", ["120", "22"]),
        ("1 cigar\n2 rebut\n", "", []),
        ('{"cigar": 120, "rebut": 0.25}', "", ["120", "0.25"]),
    ],
)
def test_numbers_beside_the_words_are_kept(text, column, numbers):
    found = read_word_list(io.StringIO(text))
    assert (list(found.words), found.column) == (["cigar", "rebut"], column)
    assert list(found.numbers.values()) == numbers


def test_counts_are_seen_from_their_beginning():
    assert looks_like_counts("cigar,1\nrebut,2\n")
    assert looks_like_counts("120,cigar\n22,rebut\n")
    assert not looks_like_counts("word,count\ncigar,1\n")
    assert looks_like_counts("word,count\ncigar,1\n", titled=True)
    for text in (
        "name,Legs\nant,6\nspider,8\n",
        "a,1\nb,2\n",
        "ant,6\nbee,many\n",
        "",
        "1,2\n3,4\n",
    ):
        assert not looks_like_counts(text, titled=True)


def test_jamo_that_are_composed_are_said_with_the_way_to_count_them():
    apart = unicodedata.normalize("NFD", "티백\n바튼\n땀띠\n")
    found = read_word_list(io.StringIO(apart))
    assert list(found.words) == ["티백", "바튼", "땀띠"]
    (note,) = found.notes
    assert note.endswith(
        "'티백' has 2 letters, its syllables; to count its 5 jamo, write them as letters of their"
        " own, 'ㅌㅣㅂㅐㄱ'"
    )
    assert read_word_list(io.StringIO("티백\n바튼\n")).notes == ()
    letters = read_word_list(io.StringIO("ㅌㅣㅂㅐㄱ\nㅂㅏㅌㅡㄴ\n"))
    assert (list(letters.words), letters.notes) == (["ㅌㅣㅂㅐㄱ", "ㅂㅏㅌㅡㄴ"], ())
