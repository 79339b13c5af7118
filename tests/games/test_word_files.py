"""Lists of words as people have them: in a form that is said, or refused with what to do."""

import json

import pytest

from treegen import GameError, open_game

WORDS = ["cigar", "rebut", "sissy"]
USUAL = "one word per line is usual"


def write(folder, name, text):
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def read_words(path, **options):
    return open_game(path, feedback="pegs", **options)


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
def test_lists_of_words_are_read_in_every_form(tmp_path, name, text, note):
    told = []
    game = read_words(write(tmp_path, name, text), notice=told.append)
    assert list(game.rules.words) == WORDS
    told = [line for line in told if "numbers beside the words are ignored" not in line]
    assert [line.endswith(note) for line in told] == [True] * bool(note)
    guesses = write(tmp_path, "g.txt", "humph\ncigar\n")
    path = write(tmp_path, name, text)
    assert list(read_words(guesses, guesses=path).rules.words) == ["humph", *WORDS[:1], *WORDS[1:]]


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
    game = read_words(write(tmp_path, "w.txt", text))
    assert list(game.rules.words) == text.split()


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
        ('["cigar", "rebut"', "begins like JSON but is not valid JSON: one word per line"),
        ("[]", "has no words: one word per line is expected"),
    ],
)
def test_what_is_no_list_is_refused(tmp_path, text, message):
    with pytest.raises(GameError, match=message) as caught:
        read_words(write(tmp_path, "w.txt", text))
    assert "\n" not in str(caught.value)


def test_json_of_many_words_is_the_same_game(tmp_path):
    words = [f"{place:05}" for place in range(300)]
    one = write(tmp_path, "a.json", json.dumps(words))
    other = write(tmp_path, "a.txt", "\n".join(words))
    assert read_words(one) == read_words(other)
