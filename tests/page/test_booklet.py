"""The booklet, read as people read it: by its paragraphs alone."""

import html
import io
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

import pytest

import treegen
from treegen import Codebook, Questions, build, open_game, write_booklet
from treegen.errors import UsageError
from treegen.formats.view import make_view
from treegen.page.print import COLUMN, Block, arrange, name_booklet
from treegen.pictures.game import play_secret
from treegen.pictures.picture import title_of

from ..command import refuse
from ..paths import ROOT
from ..small_tables import draw_table
from ..written import bytes_of
from .driving import BOTH

ANIMALS = Questions(
    [["no", 4, "no"], ["no", 2, "no"], ["yes", 2, "yes"], ["yes", 2, "no"], ["no", 4, "yes"]],
    names=["dog", "<b>man & ape</b>", "duck", "sparrow", "hippopotamus"],
    questions=["Does it have feathers, be they ever so small?", "Legs", "Lives in the water?"],
)
LONG = Questions(
    [["Rechtsschutzversicherungsgesellschaften", "no"], ["ja", "no"], ["ja", "yes"], ["ja", "yes"]],
    names=[f"{n}Rindfleischetikettierungsüberwachungsaufgabenübertragung" for n in range(4)],
    questions=["Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamter" * 2, "Old?"],
)
WADERS = [
    {"bird": "curlew", "Bill (mm)": "100-150", "Legs": "grey"},
    {"bird": "whimbrel", "Bill (mm)": "75-95", "Legs": "grey"},
    {"bird": "godwit", "Bill (mm)": "72-110", "Legs": "dark"},
    {"bird": "knot", "Bill (mm)": 33, "Legs": "green"},
]
WORDS = [f"{a}{b}{c}{d}" for a in "bcs" for b in "aeo" for c in "nrt" for d in "dkst"]


@dataclass
class Paragraph:
    """A guess, and for each answer what stands beside it."""

    guess: str = ""
    rows: dict[str, str] = field(default_factory=dict)


MARKS = {
    ("circle", "#111"): "B",
    ("circle", "#fff"): "W",
    ("rect", "#fff"): "0",
    ("rect", "#f0d060"): "1",
    ("rect", "#1e7a3c"): "2",
}


class Reader(HTMLParser):
    """Reads the paragraphs, the answers as they are drawn, and which sheet has which paragraph."""

    def __init__(self, text):
        super().__init__()
        self.drawn, self.paragraphs, self.sheets = {}, {}, []
        self.place, self.answer, self.number, self.symbol = "", "", 0, ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "symbol":
            self.symbol = given["id"]
            self.drawn[self.symbol] = ""
        elif self.symbol and tag in ("circle", "rect"):
            self.drawn[self.symbol] += MARKS.get((tag, given["fill"]), "")
        elif tag == "div" and given.get("class") == "sheet":
            self.sheets.append([])
        elif tag == "section":
            self.number = int(given.get("id", "p0")[1:])
            if self.number:
                self.sheets[-1].append(self.number)
                self.paragraphs[self.number] = Paragraph()
        elif tag in ("h1", "h2", "h3", "dt", "dd", "span", "p"):
            self.place = "guess" if tag == "span" and self.place == "h3" else tag
            if tag == "dt":
                self.answer = ""
        elif tag == "use" and self.place == "dt":
            self.answer = given["href"].removeprefix("#")

    def handle_endtag(self, tag):
        if tag == "symbol":
            self.symbol = ""
        elif tag in ("dl", "h3", "section"):
            self.place = ""

    def handle_data(self, data):
        if not self.number or self.number not in self.paragraphs:
            return
        paragraph = self.paragraphs[self.number]
        if self.place == "guess":
            paragraph.guess += data
        elif self.place == "dt":
            self.answer += data
        elif self.place == "dd":
            paragraph.rows[self.answer] = paragraph.rows.get(self.answer, "") + data


def write(tree, **options):
    """Return the booklet of a tree."""
    return bytes_of(tree, "booklet", **options).decode()


def read(tree, **options):
    return Reader(write(tree, **options))


def find_answer(reader, game, response, guess):
    """Return how an answer is recognized: by what is drawn, or by its words."""
    if game.rule not in ("pegs", "black", "position"):
        return game.format_response(response, guess)
    wanted = game.format_response(response)
    if game.rule == "pegs":
        black, white = game.feedback.feedback_of(response)
        wanted = "B" * black + "W" * white
    if game.rule == "black":
        wanted = "B" * response
    # Tiles have dots for those who see no colors.
    marks = "012" if game.rule == "position" else "BW"
    drawn = {
        name: "".join(mark for mark in shown if mark in marks)
        for name, shown in reader.drawn.items()
    }
    (found,) = [name for name, shown in drawn.items() if shown == wanted]
    return found


def follow(reader, game, secret):
    """Return the guesses of a game, found by the paragraphs alone."""
    guesses, number = [], 1
    while True:
        paragraph = reader.paragraphs[number]
        if paragraph.guess.startswith("it is "):
            return [*guesses, paragraph.guess.removeprefix("it is ")]
        guesses.append(paragraph.guess)
        guess = game.parse_code(paragraph.guess)
        response = game.score(guess, secret)
        if response == game.win:
            return guesses
        text = paragraph.rows[find_answer(reader, game, response, guess)]
        if match := re.fullmatch(r"go to (\d+)", text):
            number = int(match[1])
        elif text.startswith("it is "):
            return [*guesses, text.removeprefix("it is ")]
        else:
            first, second = text.split(", else ")
            return [*guesses, first] + [second] * (game.parse_secret(first) != secret)


def make_tree(name):
    if name == "words":
        return build(Codebook(WORDS, feedback="position"), "entropy")
    if name == "words with pegs":
        return build(Codebook(WORDS), "entropy")
    if name == "animals":
        return build(ANIMALS, "optimal")
    if name == "animals to guess":
        return build(ANIMALS.with_goal("win"), "optimal")
    if name == "long words":
        return build(LONG, "optimal")
    if name == "measurements":
        game = treegen.open_game(WADERS, thresholds="all", ignore="Legs")
        return build(game, "separable-pairs")
    if name == "identify":
        return build(treegen.open_game("p3c4r", goal="identify"), "knuth")
    if name == "mid-game":
        return build("p4c6r", "knuth", history=[("1122", "11")])
    if name == "hard mode":
        return build("p3c5n", "first-consistent")
    return build(name, "entropy" if name.startswith("range") else "knuth")


GAMES = [
    *("p3c4r", "p3c5n", "p4c3rb", "p2c12r", "a2211", "range30", "words", "words with pegs"),
    *("animals", "animals to guess", "identify", "mid-game", "hard mode", "p1c1r"),
]


@pytest.mark.parametrize("name", GAMES)
def test_paragraphs_lead_to_every_secret_as_the_tree_does(name):
    tree = make_tree(name)
    game, reader = tree.game, read(tree)
    for secret in set(tree.guess[tree.is_winning].tolist()):
        expected = [game.format_code(int(tree.guess[node])) for node in play_secret(tree, secret)]
        assert follow(reader, game, secret) == expected


def test_shipped_booklet_is_of_the_shipped_tree():
    tree = treegen.read(ROOT / "trees" / "p4c6r-knuth.tree")
    text = (ROOT / "trees" / "p4c6r-knuth.html").read_text(encoding="utf-8")
    reader = Reader(text)
    for secret in range(tree.game.n_secrets):
        expected = [
            tree.game.format_code(int(tree.guess[node])) for node in play_secret(tree, secret)
        ]
        assert follow(reader, tree.game, secret) == expected
    assert len(reader.sheets) + 1 <= 20
    assert len(read(tree, small=True).sheets) + 1 <= 12
    assert tree.digest in text
    assert "Never more than 5 guesses, 4.48 on average over the 1,296 codes." in text


@pytest.mark.parametrize(
    ("name", "most"), [("trees/p4c10n-knuth.tree", 90), ("range100", 2), ("animals", 2)]
)
def test_a_booklet_has_no_more_pages_than_are_needed(name, most):
    tree = treegen.read(ROOT / name) if "/" in name else make_tree(name)
    assert len(read(tree).sheets) + 1 <= most


@pytest.mark.parametrize("name", GAMES)
def test_small_type_leads_to_the_same(name):
    tree = make_tree(name)
    assert read(tree, small=True).paragraphs == read(tree).paragraphs


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("name", ["long words", "measurements", "mid-game"])
def test_a_rule_leads_from_an_answer_to_what_follows_below_the_last_line(browser, tmp_path, name):
    """It has no gap, and stands below the last line of both where one of them is wrapped."""
    write_booklet(make_tree(name), tmp_path / "b.html")
    page = browser.new_page()
    page.goto((tmp_path / "b.html").as_uri())
    rows = page.locator("dt").evaluate_all(
        "all => all.map(one => [one, one.nextElementSibling].map(part => {"
        " const range = document.createRange(); range.selectNodeContents(part);"
        " const { left, right, bottom } = part.getBoundingClientRect();"
        " return { left, right, bottom, last: range.getBoundingClientRect().bottom,"
        " ruled: getComputedStyle(part).backgroundPosition }; }))"
    )
    for answer, following in rows:
        assert answer["bottom"] == pytest.approx(following["bottom"], abs=0.1)
        assert answer["right"] == pytest.approx(following["left"], abs=0.1)
        assert {part["ruled"] for part in (answer, following)} == {"50% 100%"}
        assert max(part["last"] for part in (answer, following)) <= answer["bottom"] + 1
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize("small", [False, True], ids=["large", "small"])
@pytest.mark.parametrize(
    "name",
    ["p3c5n", "p2c12r", "mid-game", "words", "words with pegs", "long words", "measurements"],
)
def test_every_page_is_whole(chromium, tmp_path, name, small):
    """Columns end above the foot, which is within the page; text has 10 pt, digits on pegs 8.

    What nobody follows, the small print, may be smaller. Long words break.
    """
    write_booklet(make_tree(name), tmp_path / "b.html", small=small)
    page = chromium.new_page()
    page.emulate_media(media="print")
    page.goto((tmp_path / "b.html").as_uri())
    ends = page.locator("div.sheet").evaluate_all(
        "sheets => sheets.map(sheet =>"
        " [...sheet.querySelectorAll('section, .scores table, footer'), sheet]"
        ".map(one => one.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]))"
    )
    for *sections, foot, sheet in ends:
        assert max(bottom for _, bottom in sections) <= foot[0]
        assert foot[1] <= sheet[1] + 1
    wide = "one => one.scrollWidth > one.clientWidth"
    assert not any(
        page.locator("footer, h3, section, main").evaluate_all(f"all => all.map({wide})")
    )
    sizes = "all => all.map(one => .75 * parseFloat(getComputedStyle(one).fontSize))"
    if not small:
        assert min(page.locator("i, h3").evaluate_all(sizes)) >= 8
        assert min(page.locator("h3, dd, small, footer, .rules").evaluate_all(sizes)) >= 9.99
        assert max(page.locator(".print").evaluate_all(sizes)) < 9
    page.close()


def test_a_booklet_says_what_to_find():
    zoo = "animal,Legs,Kind\nant,6,insect\nbee,2,insect\ncow,4,mammal\n"
    answered = "Each question is answered truthfully for that candidate."
    aims = {
        "Find one of 3 words. Any word of the list may be guessed.": {},
        f"Find one of 3 candidates. {answered}": {"names": "animal"},
        f"Find the class of one of 3 candidates; there are 2 classes. {answered}": {
            "classes": "Kind"
        },
        "Find one of 3 candidates. Each answer says how the guess": {"feedback": "traits"},
    }
    for aim, options in aims.items():
        game = open_game(io.StringIO(zoo), **options) if options else Codebook(["ab", "ac", "bc"])
        file = io.BytesIO()
        write_booklet(build(game), file)
        assert aim in file.getvalue().decode()


def test_titles_are_as_people_say_them():
    for name, title in (
        ("p4c6r", "Mastermind, 4 pegs, 6 colors: Knuth's strategy"),
        ("p4c10n", "Bulls and Cows, 4 pegs, 10 colors: Knuth's strategy"),
    ):
        assert name_booklet(treegen.read(ROOT / "trees" / f"{name}-knuth.tree")) == title
    assert name_booklet(make_tree("words")) == "108 words of 4 letters: strategy entropy"
    hard = build(Codebook(["crane", "crate"], feedback="position"), "entropy", eligible="hints")
    assert name_booklet(hard) == "2 words of 5 letters: strategy entropy, hard mode"
    assert title_of(make_view(hard)) == "2 words of 5 letters · entropy, hard mode"


def test_paragraphs_are_numbered_as_a_reader_turns_pages():
    reader = read(treegen.read(ROOT / "trees" / "p4c6r-knuth.tree"))
    assert [number for sheet in reader.sheets for number in sheet] == list(reader.paragraphs)
    leads = [
        int(text.removeprefix("go to "))
        for paragraph in reader.paragraphs.values()
        for text in paragraph.rows.values()
        if text.startswith("go to ")
    ]
    assert sorted(leads) == list(reader.paragraphs)[1:]
    for number, paragraph in reader.paragraphs.items():
        assert all(
            int(text.removeprefix("go to ")) > number
            for text in paragraph.rows.values()
            if text.startswith("go to ")
        )


def test_no_paragraph_breaks_over_a_page_that_it_fits():
    blocks = [Block(f' id="p{n}">', 4, [("<dt>", 2)] * (n % 40), n) for n in range(1, 200)]
    sheets = list(arrange(iter(blocks), 3))
    assert [n for sheet in sheets for n in sheet.numbers] == list(range(1, 200))
    for sheet in sheets:
        for column in sheet.columns:
            assert 4 * column.count("<section") + 2 * column.count("<dt>") <= COLUMN
    long = Block(' id="p1">', 4, [("<dt>", 2)] * 300, 1)
    (first, *rest) = arrange(iter([*blocks[:30], long]), 3)
    assert sum(column.count("<dt>") for sheet in (first, *rest) for column in sheet.columns) > 300
    assert all(len(sheet.columns) <= 3 for sheet in (first, *rest))


def test_labels_of_a_booklet_are_only_text():
    text = write(build(ANIMALS, "optimal"), title="<script>alert(1)</script>")
    assert "<script" not in text
    assert "<b>man" not in text
    assert "&lt;b&gt;man &amp; ape&lt;/b&gt;" in text


def test_a_booklet_that_is_cut_says_so():
    text = write(build("p4c6r"), depth=2)
    assert "This booklet holds guesses 1 to 2." in text
    assert "left, not in this booklet" in text


def test_part_of_a_tree_says_what_led_there():
    assert "The game so far" in write(build("p4c6r"), path="02/11")


def test_long_booklets_are_refused(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("treegen.page.print.MAX_PAGES", 5)
    build("p4c6r").write(tmp_path / "k.tree")
    error = refuse(capsys, "export", "booklet", tmp_path / "k.tree", "-o", tmp_path / "k.html")
    assert "pages, more than 5: give a depth (--depth N)" in error
    assert not (tmp_path / "k.html").exists()


def test_the_ending_must_be_that_of_a_page(tmp_path):
    with pytest.raises(UsageError, match="names text"):
        write_booklet(build("p2c3r"), tmp_path / "x.txt")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "small", "boards"), [("p3c5n", False, 6), ("p3c5n", True, 0), ("animals", False, 0)]
)
def test_the_last_page_is_a_score_sheet(name, small, boards):
    assert write(make_tree(name), small=small).count("<caption>name:</caption>") == boards


def test_tiles_are_read_as_their_words_are():
    """Hebrew from right to left: the first letter, and its mark, stand on the right."""
    words = ["שלום", "חלון", "ספרי", "דלתי", "כלבי"]
    others = ["slom", "xlon", "spri", "dlti", "klbi"]
    hebrew, latin = (
        build(Codebook(each, feedback="position"), "knuth") for each in (words, others)
    )
    for tree, way in ((hebrew, -1), (latin, 1)):
        page = write(tree)
        drawn = re.findall(r'<symbol id="r\d+"[^>]*><title>(\d+)</title>(.*?)</symbol>', page)
        assert any(answer != answer[::-1] for answer, _ in drawn)
        for answer, shapes in drawn:
            marks = re.findall(
                r'<g transform="translate\(\d+\)"><(rect) [^>]*fill="(#\w+)"', shapes
            )
            assert "".join(map(MARKS.get, marks)) == answer[::way]
        assert ("<bdi dir=rtl><i>" in page) == (tree is hebrew)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("depth", [None, 1])
def test_what_the_first_page_explains_stands_in_the_booklet(seed, depth):
    """It explained “it is r0” though the paragraphs lead to classes."""
    game, _ = draw_table(seed)
    text = html.unescape(write(build(game), depth=depth))
    uses = re.search(r"<ol>(.*?)</ol>", text, re.DOTALL)[1]
    explained = re.findall(r"“it is <bdi>(.*?)</bdi>” means that (nothing|it is one)", uses)
    leads = re.findall(r"it is ?(?:</small>)?<bdi>(.*?)</bdi>", text.replace(uses, ""))
    if game.rules.shares is not None:
        kinds = {name: "it is one" if " | " in name else "nothing" for name in leads}
        assert {*explained} <= {*kinds.items()}
        assert {what for _, what in explained} == {*kinds.values()}
    else:
        assert explained == [(game.table.names[0], "nothing")]


@pytest.mark.parametrize("game", [treegen.open_game("p2c3r"), ANIMALS])
def test_a_booklet_says_what_ends_the_game(game):
    identify, win = (write(build(game.with_goal(goal), "knuth")) for goal in ("identify", "win"))
    assert "When one candidate is left you have found it" in identify
    assert "When one candidate is left you have found it" not in win
    assert "you have found it" in win


def read_uses(tree):
    """Return how a booklet is used, by its first page."""
    uses = re.search(r"<ol>(.*?)</ol>", write(tree), re.DOTALL)[1]
    return html.unescape(re.sub(r"<(?!li).*?>", "", uses)).split("<li>")[1:]


def test_the_first_page_says_what_to_do_without_an_answer_and_with_several_names():
    unknown = "If you do not know an answer, follow each answer of the paragraph"
    for name in ("p3c4r", "range30"):
        assert unknown not in str(read_uses(make_tree(name)))
    for goal in ("identify", "win"):
        uses = read_uses(build(LONG.with_goal(goal), "optimal"))
        pair = f"{LONG.table.names[2]}"
        assert " | " in pair
        assert f"“{pair}” is one of these: no question tells which." in uses
        assert any(use.startswith(unknown) for use in uses)
    assert "is one of these" not in str(read_uses(make_tree("animals")))


def test_a_threshold_is_asked_as_in_a_key():
    reader = read(make_tree("measurements"))
    asked = {paragraph.guess for paragraph in reader.paragraphs.values()}
    assert asked
    assert all(re.fullmatch(r"Bill less than [\d.]+ mm\?", guess) for guess in asked)


def test_the_example_finds_one_where_one_is_found():
    table = io.StringIO("id,tone,team\n1,hot,a\n2,hot,b\n3,cold,b\n4,warm,c\n")
    tree = build(treegen.open_game(table, classes="team", notice=print))
    assert re.search(r"Say it is<td><bdi>[bc]</bdi>", write(tree))
