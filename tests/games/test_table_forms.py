"""Tables of answers in forms that other programs write."""

import io
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import treegen
from treegen import GameError, read_questions

from .test_uncertain_files import list_cells
from .test_uncertain_files import read_text as read

TABLES = Path(__file__).parents[1] / "data" / "tables"


def list_rows(game):
    """Return the questions, and by candidate its answers to them."""
    cells = list_cells(game)
    rows = {name: ["/".join(own[each]) for each in own] for name, own in cells.items()}
    return {"": [*game.table.questions], **rows}


@pytest.mark.parametrize("name", ["one.tab", "two.tab", "three.tab"])
def test_tables_of_orange_are_read(name):
    game = read_questions(TABLES / name)
    assert list_cells(game) == {
        "duck": {"legs": ["big"]},
        "dog": {"legs": ["small one"]},
        "duck (2)": {"legs": ["none"]},
    }
    assert game.table.dropped == ("body",)
    assert game.table.classes == ("bird", "mammal", "bird")
    assert game.weights.tolist() == [3, 1, 2]
    assert game.table.notes[0] == (
        "a table of Orange: classes of 'kind' (`classes='none'` finds candidates); names of 'name';"
        " weights of 'seen'; no questions are 'size', 'note'"
    )
    assert "1 row has no class and is left out, line" in " ".join(game.table.notes)


def test_what_is_given_comes_before_what_a_header_says():
    path = TABLES / "three.tab"
    game = read_questions(path, classes="none", names="note", weights="size", default_weight=1)
    assert game.table.names == ("x", "y", "row 3", "row 4")
    assert (game.table.classes, game.weights.tolist()) == ((), [3, 4, 2, 2])
    assert "seen" in game.table.questions
    assert read_questions(path, unknown="?,NA").table.answers[-1] == ("big", "none", "small one")


@pytest.mark.parametrize(
    ("name", "text", "is_orange"),
    [
        ("a.tab", "a\tb\nc\td\n\tclass\nx\ty\n", True),
        ("a.txt", "a\tb\nc\td\n\tclass\nx\ty\n", True),
        ("a.csv", "a,b,c\nd,c 1,n\nm,i,k=v class\nx,y,z\n", True),
        ("a.tab", "a\tb\nc\td\n\t\nx\ty\n", True),
        ("a.txt", "a\tb\nc\td\n\t\nx\ty\n", False),
        ("a.csv", "a,b\nc,d\nx,y\n", False),
        ("a.csv", "a,mS#b\nc,d\n", True),
        ("a.csv", "a,iC# b\nc,d\n", True),
        ("a.csv", "song,C#m,C#\nx,yes,no\n", False),
        ("a.tab", "a\tC#b\nc\td\n", True),
        ("a.tab", "a\tb\nx\tD\ny\tS\n", False),
        ("a.tab", "a\tb\nx\ty\n", False),
        ("a.csv", "a,b\nD,mS\n1,2\n", False),
        ("a.tab", "a\tb\nD\tmS\n1\t2\n", True),
    ],
)
def test_which_headers_are_those_of_orange(tmp_path, name, text, is_orange):
    path = tmp_path / name
    path.write_text(text)
    assert treegen.open_game(path, notice=print).rule == "answers"
    notes = read_questions(path).table.notes
    assert any("table of Orange" in note for note in notes) == is_orange


def test_arff_is_read_with_its_classes():
    game = read_questions(TABLES / "animals.arff")
    assert list_cells(game) == {
        "duck": {"body cover": ["feathers"], "legs": ["2"], "eats?": ["yes"]},
        "the dog": {"body cover": ["thick fur"], "legs": ["4"], "eats?": ["no"]},
        "newt's": {"body cover": ["skin"], "legs": ["2", "4"], "eats?": ["no", "yes"]},
    }
    assert game.table.classes == ("bird", "mammal", "amphibian")
    assert game.table.notes == (
        "ARFF: classes of 'kind', the last attribute (`classes='none'` finds candidates); names of"
        " 'name'",
        "'legs' has 2 numbers: `thresholds='legs'` asks \"legs < x\"",
        "2 of 9 answers are unknown, the first that of \"newt's\" to 'legs' in line 14: any answer"
        " to the question is possible there",
        "1 row has no class and is left out, line 15: 'frog, green'",
    )
    game = read_questions(TABLES / "animals.arff", classes="none")
    assert (game.table.classes, game.table.names[-1]) == ((), "frog, green")
    assert game.table.questions[-1] == "kind"


ARFF = "@relation x\n@attribute a {p,q}\n@attribute b real\n@data\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("@relation x\n@data\n1,2\n", "has no attributes"),
        (ARFF + "p\n", "line 5: 'row 1' has 1 answer; the header has 2 questions"),
        (ARFF + "p,1\n{0 q, 1 2}\n", "line 6: a sparse row; write all cells"),
        (ARFF.rstrip() + " p,1\nq\n", "line 5: 'row 2' has 1 answer"),
        (ARFF + "p,'1\n", "line 5: a quote is not closed"),
        (ARFF + "p '1\n", "line 5: a quote is not closed"),
        (ARFF + "p,1,{x}\nq,2\n", "the weight 'x'|'x' is no"),
        (
            ARFF + "p,1\n" * 20_000 + "q,2,{3}\n",
            r"line 20005: \{3\} is a weight, and none of the first 1,000 rows has one",
        ),
        (ARFF, "has a header but no candidates"),
        (ARFF.replace("real", "relational"), "line 3: '@attribute b relational' is no attribute"),
        (ARFF.replace("b real", "a real"), "line 3: the attribute 'a' is there twice"),
    ],
)
def test_bad_arff_is_refused(text, problem):
    with pytest.raises(GameError, match=problem):
        read(text)


def test_rows_of_arff_in_other_layouts():
    plain = read(ARFF.replace("real", "string") + "p,'u v'\nq,w\n")
    for text in ("p 'u v'\nq w\n", '"p"\t"u v"\n"q"   w\n', "p, 'u v'\n'q' ,w"):
        assert read(ARFF.replace("real", "string") + text) == plain
    beside = ARFF.replace("real", "string").replace("@data\n", "@DATA ") + "p,'u v'\nq,w\n"
    assert read(beside) == plain


def test_weights_of_rows_of_arff():
    text = ARFF.replace("real", "{u,v}")
    assert "weight" not in read(text + "% {none}\np,u\nq,v\n").table.notes[0]
    game = read(text + "p,u,{5}\nq,v , { 2.5 }\n% none\n'p' v {1}\nq,u\n")
    assert game.weights.tolist() == [12, 7]
    assert game.table.questions == ("a",)
    assert "weights of 'weight'" in game.table.notes[0]
    for weights in ("none", "b"):
        other = read(text.replace("{u,v}", "integer") + "p,1,{5}\nq,2,{2}\n", weights=weights)
        assert "weight" not in other.table.questions
        assert (other.weights is None) == (weights == "none")


def test_attributes_that_are_no_class():
    game = read(ARFF + "p,1\nq 2\n% none\nq,3\n")
    assert (game.table.names, game.table.classes) == (("row 1", "row 2", "row 3"), ())
    game = read("% long comments\n" * 300 + ARFF.replace("real", "{1, 2}") + "p,1\nq,2\n")
    assert game.table.classes == ("1", "2")


def test_rows_that_are_probably_named():
    rows = "".join(f"animal {n},{n % 2},{n % 3 > 0}\n" for n in range(12))
    game = read("n,q,c\n" + rows, names="none", classes="c")
    assert "'n' has 12 answers in 12 rows; if they are names: `names='n'`" in game.table.notes


def test_an_open_file_has_its_form_by_its_beginning():
    game = treegen.open_game(io.StringIO(ARFF + "p,1\nq,2\n"), notice=print)
    assert game.table.questions == ("a", "b")


def test_sliks_are_read():
    path = TABLES / "bugs.js"
    assert list_rows(read_questions(path)) == {
        "": ["Wings", "Color", "Color (3)"],
        "Adalia bipunctata": ["two & more", "black/red", "dotted"],
        "Anagrus": ["none/one pair/two & more", "black/red", "plain"],
        "Cimex": ["none", "red", "dotted/plain"],
        'Lygus "x"': ["one pair/two & more", "state 4", "dotted/plain"],
    }
    assert treegen.open_game(path, notice=print).name == "bugs.js"
    assert treegen.open_game(path.open(), notice=print).n_secrets == 4


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("var chars = [['x'], ['q', 'a']];", "has no list `items = "),
        ("var items = [[''], ['x', '1']];", "has no list `chars = "),
        ("var chars = [['x'], ['q', 'a'];", "the list 'chars' does not end"),
        ("var chars = [['x'], ['q']]; var items = [['']];", "no candidates below"),
    ],
)
def test_bad_sliks_are_refused(text, problem):
    with pytest.raises(GameError, match=problem):
        read(text)


def test_nexus_is_read():
    game = read_questions(TABLES / "shells.nex")
    assert list_rows(game) == {
        "": ["shape; of the shell", "spines", "character 3", "spines (4)"],
        "Cone shell": ["conical", "present", "0", "few/many"],
        "top;shell": ["conical/low, wide", "absent", "-", "few/many"],
        "Whelk": ["2", "present", "1", "few"],
        "Limpet": ["low, wide", "absent/present", "0/1", "many"],
    }
    assert game.table.notes[0].startswith(
        "2 of 16 answers are unknown, the first that of 'top;shell' to 'spines (4)' in line 18:"
    )
    assert "'-' occurs once: if it means unknown, `unknown='?,-'`" in game.table.notes


def test_interleaved_nexus_is_read():
    assert list_rows(read_questions(TABLES / "interleaved.nex")) == {
        "": ["one", "two", "three", "character 4", "character 5"],
        "a": ["no", "1", "not at all", "2", "0"],
        "b": ["no", "1", "much/not at all", "2", "0"],
        "c": ["yes", "-", "much", "0", "0/1"],
    }


def test_nexus_of_the_standard():
    text = """#NEXUS
begin data; [a comment, it's one ['of] two]
dimensions nchar=4;
format datatype=standard symbols="0~2 a" equate="x=(01) y={1 2} z=2 n=?" gap=-;
charstatelabels 2 'wings [pairs]' / none one, 4 'tail; [length]';
matrix
'A [1]' 0xA(0 1)
'B''s [2]' 1[no 'comment]1y0
C_c 2-zn
;
end;
"""
    assert list_rows(read(text)) == {
        "": ["character 1", "wings [pairs]", "character 3", "tail; [length]"],
        "A [1]": ["0", "none/one", "a", "0/1"],
        "B's [2]": ["1", "one", "1/2", "0"],
        "C c": ["2", "-", "2", "0/1"],
    }
    cased = text.replace("symbols", "respectcase symbols")
    assert list_rows(read(cased))["A [1]"] == ["0", "none/one", "A", "0/1"]


@pytest.mark.parametrize(
    ("kind", "signs", "answers"),
    [
        ("dna", "aRu-n", ["A", "A/G", "T", "-", "A/T"]),
        ("rna", "aRt-n", ["A", "A/G", "U", "-", "A/U"]),
        ("protein", "aB*-?", ["A", "D/N", "*", "-", "A/T"]),
    ],
)
def test_ambiguous_letters_of_nexus(kind, signs, answers):
    text = f"#NEXUS\nbegin data;\ndimensions nchar=5;\nformat datatype={kind} gap=-;\nmatrix\n"
    game = read(text + f"one {signs}\ntwo CCCCA\nthree AAAA{'T' if kind != 'rna' else 'U'}\n;")
    assert list_rows(game)["one"] == answers


def test_what_nexus_leaves_out_is_unknown_or_has_a_number():
    head = NEXUS.replace("format", "charlabels '' 'x';\nformat matchchar=.")
    assert list_rows(read(head + "a 0.\nb .1\nc 10\n;")) == {
        "": ["character 1", "x"],
        **{"a": ["0", "0/1"], "b": ["0", "1"], "c": ["1", "0"]},
    }


NEXUS = "#NEXUS\nbegin data;\ndimensions nchar=2;\nformat datatype=standard;\nmatrix\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("#NEXUS\nbegin trees;\ntree a = (1);\nend;\n", "has no matrix: NEXUS has it"),
        (NEXUS + "a 01\nb 0\n;", "line 7: 'b' has 1 characters of 2"),
        (NEXUS + "a 011\n;", "line 6: 'a' has more than 2 characters"),
        (NEXUS + "a 01\nb (1\n;", r"line 7: 'b' has a '\(' without its pair"),
        (NEXUS + "a 0}\nb 11\n;", "line 6: 'a' has a '}' without its pair"),
        (
            NEXUS.replace("standard", "continuous") + "a 1 2\nb (1 2\n;",
            r"line 7: 'b' has a '\(' without its pair",
        ),
        (NEXUS.replace("standard", "standard transpose") + "a 1;", "with transpose is not read"),
        (NEXUS.replace("dimensions nchar=2;", "") + "a 1;", "with no NCHAR is not read"),
        (NEXUS + "a 01\nb 00\n", "has no matrix"),
    ],
)
def test_bad_nexus_is_refused(text, problem):
    with pytest.raises(GameError, match=problem):
        read(text)


def test_delta_is_read_from_a_folder(tmp_path, monkeypatch):
    folder = TABLES / "grasses"
    game = read_questions(folder)
    assert list_rows(game) == {
        "": [
            *("longevity of plants", "ligule presence/ absence", "ligule form"),
            *("awns of lemmas", "growth"),
        ],
        "Poa": ["annual/perennial", "present", "a membrane", "one/three/two", "-/creeping"],
        "Stipa": ["perennial", "absent", "-", "more", "creeping"],
        "Zea": [
            *("annual", "absent/present", "a fringe/a membrane/a membrane (3)", "one/two"),
            "erect",
        ],
        "Oryza": ["annual/perennial", "-", "-", "more/one/three/two", "creeping"],
    }
    assert game.table.notes[:4] == (
        "DELTA: no questions are 'culms height (cm high)'",
        "DELTA: characters of texts left out: 1",
        "'culms height (cm high)' has 2 numbers: `thresholds='culms height (cm high)'` asks"
        ' "culms height (cm high) < x"',
        "2 of 20 answers are unknown, the first that of 'Oryza' to 'longevity of plants' in item 4:"
        " any answer to the question is possible there",
    )
    assert read_questions(folder / "items") == game
    monkeypatch.chdir(TABLES)
    assert treegen.open_game("grasses", notice=print).name == "grasses"
    with pytest.raises(GameError, match="it is a folder, without the files"):
        treegen.open_game("..")
    whole = "\n".join((folder / name).read_text() for name in ("specs", "CHARS", "items"))
    (tmp_path / "one.txt").write_bytes(whole.replace("\u2014", "\u201c").encode("cp1252"))
    assert treegen.open_game(tmp_path / "one.txt", notice=print) == game
    assert treegen.open_game(io.StringIO(whole), notice=print) == game


def test_what_delta_says_for_keys():
    folder = TABLES / "grasses"
    game = read_questions(folder / "tokey")
    low, middle, high = "up to 15 cm high", "15 to 30 cm high", "30 or more cm high"
    assert list_rows(game) == {
        "": ["culms height", "longevity of plants", "ligule form", "awns of lemmas", "growth"],
        "Poa": [
            *(f"{middle}/{low}", "annual/perennial", "a membrane", "one/two or three or more"),
            "-/creeping",
        ],
        "Stipa": [f"{middle}/{high}/{low}", "perennial", "-", "two or three or more", "creeping"],
        "Zea": [
            *(f"{middle}/{high}", "annual", "a fringe/a membrane/a membrane (3)"),
            *("one/two or three or more", "erect"),
        ],
        "Oryza": [
            *(f"{middle}/{high}/{low}", "annual/perennial", "-", "one/two or three or more"),
            "creeping",
        ],
    }
    # 100 × 2^(5 - reliability), and 2^abundance, without their common factors.
    assert game.costs[4:].tolist() == [100, 25, 200, 200, 3]
    assert game.weights.tolist() == [64, 8, 1, 1]
    assert game.table.notes[:2] == (
        "DELTA: weights of 'weight'",
        "DELTA: characters of texts left out: 1; 1 of *EXCLUDE CHARACTERS are left out;"
        " questions cost 100 × 2^(5 - reliability) (`costs='none'`: 1 each); items weigh"
        " 2^(abundance - 5) (`weights='none'`: 1 each)",
    )
    plain = read_questions(folder / "tokey", weights="none", costs="none")
    assert plain.weights is None and set(plain.costs.tolist()) <= {0, 1}
    assert plain.table.questions == game.table.questions


VARIANTS = (
    "*SHOW\n*CHARACTER LIST\n#1. leaf/\n1. round/\n2. long/\n#2. hairs/\n1. yes/\n2. no/\n"
    "#3. color of hairs/\n1. red/\n2. white/\n*IMPLICIT VALUES 2,1\n"
    "*DEPENDENT CHARACTERS 2,2:3\n*ITEM DESCRIPTIONS\n"
)


def test_a_variant_of_delta_has_what_its_item_has():
    game = read(VARIANTS + "# Fern/\n1,1 3,2\n#+ tall form/\n1,2\n#+/\n2,2\n# Moss/\n3,1\n")
    assert list_rows(game) == {
        "": ["leaf", "hairs", "color of hairs"],
        "Fern": ["round", "yes", "white"],
        "tall form": ["long", "yes", "white"],
        "Fern (2)": ["round", "no", "-"],
        "Moss": ["long/round", "yes", "red"],
    }


@pytest.mark.parametrize(
    ("directive", "problem"),
    [
        ("KEY STATES 1,2/a", "character 1: '2/a' are no key states, as 1&2/3 or ~2/3-5/6~"),
        ("CHARACTER RELIABILITIES 1,11", "are 0 to 10, not '11' of 1"),
        ("ITEM ABUNDANCES 1,x", "ITEM ABUNDANCES are 0 to 10, not 'x' of 1"),
        ("ITEM WEIGHTS 1,33", "ITEM WEIGHTS are 0.03125 to 32, not '33' of 1"),
        ("CHARACTER WEIGHTS 1,1\n*RBASE 3", "RBASE is from 1 to 2.5, not '3'"),
    ],
)
def test_bad_directives_of_keys(directive, problem):
    with pytest.raises(GameError) as error:
        read(f"*{directive}\n".join(["*SHOW\n", VARIANTS]) + "# Fern/\n1,1\n# Moss/\n1,2\n")
    assert problem in str(error.value)


def test_key_states_of_a_character_that_is_not_listed_are_passed_over():
    items = "# Fern/\n1,1\n# Moss/\n1,2\n"
    directives = "*SHOW\n*CHARACTER TYPES 1,IN\n*KEY STATES 1,~2/3~\n"
    listed = VARIANTS.replace("#1. leaf/\n1. round/\n2. long/\n", "")
    items = items.replace("1,1", "2,1").replace("1,2", "2,2")
    assert list_rows(read(f"{directives}{listed}{items}"))[""] == ["hairs"]


def test_a_measurement_is_no_number_of_a_key_state():
    listed = "*SHOW\n*CHARACTER TYPES 1,RN\n*KEY STATES 1,~15/15-30/30~\n*CHARACTER LIST\n"
    items = "*ITEM DESCRIPTIONS\n# Fern/\n1,2\n# Moss/\n1,20\n# Oak/\n1,V\n"
    rows = list_rows(read(f"{listed}#1. height/\ncm/\n{items}"))
    assert rows["Fern"] == ["up to 15 cm"] and rows["Moss"] == ["15 to 30 cm"]
    assert rows["Oak"] == ["15 to 30 cm/30 or more cm/up to 15 cm"]
    listed = listed.replace("15", "0.5")
    items = items.replace("1,2\n", "1,1\n").replace("1,20", "1,40")
    assert list_rows(read(f"{listed}#1. height/\ncm/\n{items}"))["Fern"] == ["0.5 to 30 cm"]


def test_weights_of_delta_are_what_abundances_stand_for():
    items = "# Fern/\n1,1\n# Moss/\n1,2\n"
    for directive, heavier in (
        ("ITEM ABUNDANCES 1,10 2,3", 128),
        ("ITEM WEIGHTS 1,32 2,.25", 128),
        ("ITEM ABUNDANCES 1,10 2,0", 1024),
    ):
        game = read(f"*SHOW\n*{directive}\n{VARIANTS}{items}")
        assert game.weights.tolist() == [heavier, 1]


def test_names_of_delta_that_are_asked_cost_as_usual():
    items = "# Fern/\n1,1\n# Moss/\n1,2\n"
    text = f"*SHOW\n*CHARACTER RELIABILITIES 1,7\n{VARIANTS}{items}"
    game = read(text, names="none")
    costs = dict(zip(game.table.questions, game.costs[game.n_secrets :].tolist(), strict=True))
    assert costs == {"item": 100, "leaf": 51}


def test_measurements_of_delta_without_a_name_have_a_cost():
    listed = "*SHOW\n*CHARACTER TYPES 1,RN\n*CHARACTER LIST\n#1. /\nmm/\n"
    items = "*CHARACTER RELIABILITIES 1,7\n*ITEM DESCRIPTIONS\n# Fern/\n1,1\n# Moss/\n1,2\n"
    game = read(listed + items, thresholds="all")
    assert game.table.questions == ("(mm) < 1.5",)
    assert game.costs[game.n_secrets :].tolist() == [1]  # the only one


def test_measurements_of_delta():
    text = """*CHARACTER TYPES 2,RN 3,IN
*CHARACTER LIST
#1. habit/
1. tree/
2. herb/
#2. leaf <length>/
mm/
#3. petals/
*ITEM DESCRIPTIONS
# A/
1,1 2,(2-)3.5-5(-7) 3,3
# B/
1,1 2,7.5-9-12 3,4&6
# C/
1,2 2,U 3,-1-3/12
# D/
1,2 3,V
"""
    game = read(text)
    assert game.table.questions == ("habit",)
    told = "'leaf length (mm)' has 2 numbers, as others: `thresholds='all'` asks"
    assert told in "\n".join(game.table.notes)
    game = read(text, thresholds="leaf length (mm)")
    assert game.aside.keys() == {"petals"}
    assert list_rows(game) == {
        "": ["habit", "leaf length (mm) < 7.25"],
        "A": ["tree", "yes"],
        "B": ["tree", "no"],
        "C | D": ["herb", "no/yes"],
    }
    game = read(text, thresholds="all")
    petals = [own["petals < 3.5"] for own in list_cells(game).values()]
    assert petals == [["yes"], ["no"], ["no", "yes"]]


def test_measurements_of_nexus():
    text = NEXUS.replace("standard", "continuous") + "a 1.5 -2\nb (2.5 3.5) ?\nc 10\n1e1;"
    game = read(text)
    assert "'character 1' has 3 numbers, as others: `thresholds='all'` asks" in game.table.notes[0]
    game = read(text, thresholds="all")
    assert list_rows(game) == {
        "": [*(f"character 1 < {number}" for number in ("2", "3", "6.75")), "character 2 < 4"],
        "a": ["yes", "yes", "yes", "yes"],
        "b": ["no", "no/yes", "yes", "no/yes"],
        "c": ["no", "no", "no", "no"],
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("*ITEM DESCRIPTIONS\n# Poa/\n1,1\n", "has no characters of states: DELTA has them in"),
        ("*CHARACTER LIST\n#1. a/\n 1. b/\n 2. c/\n", "has no items: DELTA has them in"),
        ("*CHARACTER LIST\n#1.\n#2. a/\n", "has no characters of states: DELTA has them in"),
    ],
)
def test_bad_delta_is_refused(tmp_path, text, problem):
    (tmp_path / "one.txt").write_text(text)
    with pytest.raises(GameError, match=problem):
        read_questions(tmp_path / "one.txt")


TNT = """mxram 100 ;
nstates nogaps;
nstates num 8;
xread
'Beetles; of a wood'
5 3
ant     01-0A
bee_two 0[01]1
        0?
cat     1?11{01 A}
;
cnames
{0 Wing_pairs none one ;
{3 tail short long;
{5 no_such_character a b;
;
proc/;
"""


def test_tnt_is_read():
    assert list_rows(read(TNT)) == {
        "": ["Wing pairs", "character 2", "character 3", "tail", "character 5"],
        "ant": ["none", "1", "-", "short", "A"],
        "bee two": ["none", "0/1", "1", "short", "0/1/A"],
        "cat": ["one", "0/1", "1", "long", "0/1/A"],
    }
    assert list_rows(read("xread 2 2\nant aA\nbee 1b\n;"))["ant"] == ["A", "A"]
    blocks = (
        "XREAD 5 3\n&[num]\nant 01-\nbee 101\ncat 1[01]1\n& [dna gaps]\nant Ac\nbee RT\ncat gn\n;"
    )
    assert list_rows(read(blocks)) == {
        "": [f"character {number}" for number in range(1, 6)],
        "ant": ["0", "1", "-", "A", "C"],
        "bee": ["1", "0", "1", "A/G", "T"],
        "cat": ["1", "0/1", "1", "G", "C/T"],
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("xread 'a'\nant 01\n;", "has no counts: TNT has those of characters and taxa behind"),
        ("xread 2 2\nant 01\nbee 0\n;", "line 3: 'bee' has 1 characters of 2"),
        ("xread 2 2\nant 011\nbee 00\n;", "line 2: 'ant' has more than 2 characters"),
        ("xread 2 3\nant 01\nbee 00\n;", "has 2 taxa; xread says 3"),
        ("xread 3 2\nant 010\nbee [01\n;", r"line 3: 'bee' has a '\[' without its pair"),
        ("xread 3 2\nant 01}\nbee 01\n;", "line 2: 'ant' has a '}' without its pair"),
        ("nstates cont;\nxread 1 2\nant 0.1\nbee 2\n;", "of the kind 'cont' is not read"),
        ("xread 1 2\n&[landmark 2d]\nant 1\n;", "of the kind 'landmark' is not read"),
    ],
)
def test_bad_tnt_is_refused(text, problem):
    with pytest.raises(GameError, match=problem):
        read(text)


def test_sdd_is_read():
    path = TABLES / "beetles.xml"
    game = treegen.open_game(path, notice=lambda text: None)
    assert list_rows(game) == {
        "": ["Color", "Color (2)"],
        "Red one": ["green/red", "-"],
        "The green one": ["green", "state 2"],
        "Blue one": ["green/red", "one & all"],
    }
    assert game.table.notes[0] == "SDD: 1 characters of numbers or texts are left out"
    text = (
        path.read_text("utf-8")
        .replace("<", "<s:")
        .replace("<s:/", "</s:")
        .replace("xmlns=", "xmlns:s=")
    )
    text = text.replace("<s:?", "<?").replace("<s:!", "<!")
    assert list_rows(read(text)) == list_rows(game)


BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            "<!-- made",
            f'<!DOCTYPE x [<!ENTITY e0 "x">{BOMB}]><!-- made',
            "has a DOCTYPE, as SDD never",
        ),
        ("<!-- made", '<!DOCTYPE x SYSTEM "http://localhost/x.dtd"><!-- made', "has a DOCTYPE"),
        ("</Dataset>", "", "is not XML: mismatched tag: line 54"),
        ("Red", "&e;", "is not XML: undefined entity"),
        ("Red", "\0", "is not XML: not well-formed"),
        ("CodedDescription ", "Other ", "is not XML: mismatched tag"),
        ("CategoricalCharacter", "TextCharacter", "has no categorical characters: SDD has them in"),
        (
            "CodedDescriptions>",
            "NaturalDescriptions>",
            "has no coded descriptions: SDD has them in",
        ),
    ],
)
def test_bad_sdd_is_refused_in_one_line(old, new, problem):
    text = (TABLES / "beetles.xml").read_text("utf-8")
    with pytest.raises(GameError, match=problem) as error:
        read(text.replace(old, new))
    assert "\n" not in str(error.value)


FORMS = [
    *("one.tab", "three.tab", "animals.arff", "bugs.js", "shells.nex", "interleaved.nex"),
    "beetles.xml",
]


@given(st.data())
def test_damaged_tables_are_refused_or_read(data):
    name = data.draw(st.sampled_from(FORMS))
    text = (TABLES / name).read_text("utf-8")
    for _ in range(data.draw(st.integers(1, 3))):
        begin, end = sorted(data.draw(st.integers(0, len(text))) for _ in range(2))
        sign = data.draw(
            st.sampled_from(["", "'", '"', "[", "]", ";", ",", "\n", "{", "(", "9", "=/"])
        )
        text = text[:begin] + sign + text[min(end, begin + 40) :]
    with suppress(GameError):
        read(text)


@given(st.data())
def test_damaged_descriptions_are_refused_or_read(tmp_path_factory, data):
    folder = TABLES / "grasses"
    text = "\n".join((folder / each).read_text("utf-8") for each in ("specs", "CHARS", "items"))
    begin, end = sorted(data.draw(st.integers(0, len(text))) for _ in range(2))
    sign = data.draw(st.sampled_from(["", "/", "<", ">", "#", "*", ",", "-", "9", "0", "\n", ":"]))
    path = tmp_path_factory.mktemp("delta") / "one.txt"
    path.write_text("*SHOW\n" + text[:begin] + sign + text[min(end, begin + 30) :], "utf-8")
    with suppress(GameError):
        read_questions(path)


def test_a_file_may_leave_out_only_so_many_cells(monkeypatch):
    monkeypatch.setattr("treegen.games.tables.sheet.MAX_LEFT_OUT", 100)
    wide, long = '["q","a","b"],' * 11, '["x","1"],' * 11
    characters = "".join(f"#{number}. q/\n1. a/\n2. b/\n" for number in range(1, 12))
    for text in (
        f'var chars = [["x"],{wide}]; var items = [["x"],{long}];',
        "mS#name\t" + "\t".join("abcdefghijk") + "\n" + "x\n" * 11,
        f"*SHOW\n*CHARACTER LIST\n{characters}*ITEM DESCRIPTIONS\n" + "# x/ 1,1\n" * 11,
    ):
        with pytest.raises(GameError, match="leaves out more than 100 cells"):
            read(text)
    monkeypatch.setattr("treegen.games.tables.sheet.MAX_LEFT_OUT", 0)
    for whole in (
        'var chars = [["x"],["q","a","b"]]; var items = [["x"],["p","1"],["r","2"]];',
        "n|q\n-|-\np|a\nr|b\n",
        '[{"n": "p", "q": "a"}, {"n": "r", "q": "b"}]',
    ):
        assert list_rows(read(whole)) == {"": ["q"], "p": ["a"], "r": ["b"]}


def test_numbers_of_thousands_of_digits():
    many = "9" * 5000
    items = 'var items = [[""],["p","1"],["q","2"]];'
    assert read(f'var chars = [["x"],["a&#{many};","&#{many};","b"]]; {items}').n_secrets == 2
    labels = f"charstatelabels {many} a / b c, 0 d;\n"
    game = read(NEXUS.replace("format", labels + "format") + "a 01\nb 10\n;")
    assert game.table.questions == ("character 1", "character 2")


def test_texts_that_come_again_get_a_number_that_is_free():
    asked = '["leaf (3)","a","b"],["leaf","a","b"],["leaf","a","b"]'
    game = read(
        f'var chars = [["x"],{asked}]; var items = [[""],["p","1","1","1"],["q","2","2","2"]];'
    )
    assert game.table.questions == ("leaf (3)", "leaf", "leaf (3) (3)")
    names = [f"a ({number})" for number in range(2, 3000)]
    rows = "".join(f"{name},x,y\n" for name in [*names, "a", "a", "a"])
    game = read(f"name,q,kind\n{rows}", count_rows=True, strict=False)
    assert sum(map(len, game.table.rows)) == 3001
