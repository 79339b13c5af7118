"""Lists of words as people have them: in a form that is told, or refused with what to do."""

import io
import json
import unicodedata

import pytest

from treegen.errors import GameError
from treegen.games.word_files import looks_like_counts, read_codebook, read_word_list

WORDS = ["cigar", "rebut", "sissy"]
USUAL = "one word per line is usual"


def write(folder, name, text):
    path = folder / name
    path.write_text(text, "utf-8")
    return path


FORMS = {
    "plain": ("w.txt", "cigar\nrebut\nsissy\n", ""),
    "comments": ("w.txt", "# of 2021\n\ncigar\n  # more\n rebut\nsissy", ""),
    "column": ("w.csv", "cigar\nrebut\nsissy\n", ""),
    "old-mac": ("w.txt", "\ufeffcigar\rrebut\rsissy\r", ""),
    "quotes": ("w.csv", '"cigar"\n"rebut"\n"sissy"\n', ""),
    "ends": ("w.csv", "cigar;\nrebut;\nsissy;\n", ""),
    "separator": ("w.csv", "sep=;\ncigar\nrebut\nsissy\n", ""),
    "commas": ("w.txt", "cigar,rebut,sissy\n", f"3 words on one line; {USUAL}"),
    "one-line-csv": ("w.csv", '"cigar";"rebut";"sissy"\n', f"3 words on one line; {USUAL}"),
    "spaces": ("w.txt", "cigar rebut  sissy", f"3 words on one line; {USUAL}"),
    "wrapped": ("w.txt", "cigar, rebut,\nsissy\n", f"3 words on 2 lines; {USUAL}"),
    "json": ("w.json", '["cigar", "rebut",\n "sissy"]', "a JSON list of 3 words"),
    "python": ("w.txt", "['cigar', 'rebut', 'sissy']", "a JSON list of 3 words"),
    "object": ("w.json", '{"cigar": 3, "rebut": 0.5, "sissy": 1}', "a JSON object of 3 words"),
    "title": ("w.txt", "Word\ncigar\nrebut\nsissy\n", "line 1: 'Word' is read as a title"),
    "csv-title": ("w.csv", "Wort\ncigar\nrebut\nsissy\n", "line 1: 'Wort' is read as a title"),
    "long-title": ("w.csv", "words\ncigar\nrebut\nsissy\n", "'words' is read as a title"),
    "counts": ("w.txt", "cigar,120\nrebut,22\nsissy,3\n", ""),
    "csv-counts": ("w.csv", "cigar;120;\nrebut;22;\nsissy;3;\n", ""),
    "tabs": ("w.tsv", "cigar\t120\nrebut\t22\nsissy\t3\n", ""),
    "frequencies": ("w.txt", "cigar 1.5e-3\nrebut 0.25\nsissy 3\n", ""),
    "counts-first": ("w.txt", "    120 cigar\n     22 rebut\n      3 sissy\n", ""),
    "csv-counts-first": ("w.csv", "120,cigar\n22,rebut\n3,sissy\n", ""),
    "numbered": ("w.txt", "1. cigar\n2. rebut\n3. sissy\n", ""),
    "bars": ("w.txt", "cigar|rebut|sissy\n", f"3 words on one line; {USUAL}"),
    "ends-but-one": ("w.txt", "cigar,\nrebut,\nsissy\n", ""),
    "titled-counts": ("w.csv", "word,count\ncigar,120\nrebut,22\nsissy,3\n", ""),
}


@pytest.mark.parametrize(("name", "text", "note"), FORMS.values(), ids=FORMS)
def test_forms_of_a_list(tmp_path, name, text, note):
    told = []
    game = read_codebook(write(tmp_path, name, text), notice=told.append)
    assert list(game.words) == WORDS
    assert [line.endswith(note) for line in told] == [True] * bool(note)
    guesses = write(tmp_path, "g.txt", "humph\ncigar\n")
    path = write(tmp_path, name, text)
    assert list(read_codebook(guesses, guesses=path).words) == ["humph", *WORDS[:1], *WORDS[1:]]


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
    assert (list(found.words), found.column) == (WORDS[:2], column)
    assert list(found.numbers.values()) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "9*8-7=65\n8*9-7=65\n",
        'ab"12\ncd"34\n',
        "2,.1\n1;2b\n",
        ";,\n11\n",
        "b2;a\n;,1;\n",
        "|~^;:\n{[(<>\n",
        "a,b\n",
        "words\ncrane\n",
    ],
)
def test_words_of_separators_and_digits_are_words(tmp_path, text):
    """What was a list of words before remains the same one."""
    game = read_codebook(write(tmp_path, "w.txt", text))
    assert list(game.words) == text.split()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "cigar,rebut,sissys\n",
            "line 1: 'cigar,rebut,sissys' holds several words of different le",
        ),
        (
            "cigar rebut\nsissys humph\n",
            "line 1: 'cigar rebut' holds white space .*; a word a line",
        ),
        ("cigar rebut\nsissy humph\n", "line 1: 'cigar rebut' holds white space"),
        ("cigar,rebut,cigar", "line 1: 'cigar' is in this line twice"),
        ("the 100\ncrane 3\n", "line 2: 'crane' has 5 characters, the words before it 3"),
        ("crane\nword\nslate\n", "line 2: 'word' has 4 characters"),
        ("12 34\n56 789\n", "line 1: '12 34' holds white space"),
        ('["cigar", 3]', "is JSON that holds 3: a list of words is expected"),
        ('[["cigar", 3]]', r"is JSON that holds \[.cigar., 3\]: a list of words is expected"),
        ('{"cigar": null}', "is JSON that holds null: a list of words is expected"),
        (
            '["cigar", "rebut"',
            "begins like JSON but is not valid JSON: one word per line",
        ),
        ("[]", "has no words: one word per line is expected"),
    ],
)
def test_what_is_no_list_is_refused(tmp_path, text, message):
    with pytest.raises(GameError, match=message) as caught:
        read_codebook(write(tmp_path, "w.txt", text))
    assert "\n" not in str(caught.value)


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


def test_json_of_many_words_is_the_same_game(tmp_path):
    words = [f"{place:05}" for place in range(300)]
    one = write(tmp_path, "a.json", json.dumps(words))
    other = write(tmp_path, "a.txt", "\n".join(words))
    assert read_codebook(one) == read_codebook(other)


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
