"""A class that plays one code: its word, its QR code, the lines of its pupils, what they tell."""

import json
import random
import re
import string
from itertools import combinations, product

import pytest

import treegen
from treegen import write_page
from treegen.games.names import parse_game
from treegen.games.questions import Questions
from treegen.page.html import generate_page, make_site
from treegen.pictures.game import play_secret

from ..paths import ROOT
from . import driving as ui
from .conftest import build_once

FOXBEE = "5151"
"""What the word picks of p4c6r: as other versions of the page do."""
HEBREW = ["שלום", "תודה", "ילדה", "כלבה", "חתול", "ספרי"]
RUDE = re.compile(
    "anal|anus|arse|ass|balls|bastard|bitch|boob|bugger|bum|butt|cock|crap|cum|"
    "cunt|damn|death|devil|dick|dildo|dumb|dyke|fanny|fart|fat|fuck|gun|hate|"
    "hell|hoe|homo|idiot|jerk|kill|lust|moron|muff|nazi|nude|orgy|pee|penis|"
    "piss|poo|porn|prick|pube|puss|queer|rape|rat|satan|semen|sex|shag|shit|"
    "slut|sod|stupid|suck|teat|tit|turd|twat|ugly|urine|vagin|wank|whore|wog|"
    "arsch|fik|fotze|nutte|scheis|con|cul|merd|put|pute|caca|mierd|culo|cazzo|"
    "figa|kurw|suka"
)


def make_game(rng, game, word="FOXBEE", most=6):
    """Return what a pupil has played, as the page keeps it."""
    guesses = [rng.randrange(game.n_codes) for _ in range(rng.randint(0, most))]
    hinted = list(range(rng.randint(0, 2)))
    return {
        "word": word,
        "ticket": rng.randrange(256),
        "moves": [[g, 0] for g in guesses],
        "hinted": hinted,
    }


def tell_line(played):
    return {
        "word": played["word"],
        "guesses": [guess for guess, _ in played["moves"]],
        "hints": len(played["hinted"]),
    }


def strip(found):
    return [{key: line[key] for key in ("word", "guesses", "hints")} for line in found["lines"]]


@pytest.fixture(scope="module")
def games():
    """Trees of every kind of game whose guesses are written in a way of its own."""
    spelled = treegen.Codebook(
        ["polje", "konji", "ljubi", "njega"], letters="lj,nj", feedback="position"
    )
    return {
        "pegs": build_once("p4c6r", "knuth"),
        "no duplicates": build_once("p3c5n", "knuth"),
        "black": build_once("p3c4rb", "knuth"),
        "letters for colors": build_once("p2c12r", "knuth"),
        "numbers for colors": build_once("p1c40r", "knuth"),
        "words": ui.make_words(ui.WORDS),
        "accents": ui.make_words(["bákől", "bakos", "hátán"]),
        "Hebrew": ui.make_words(HEBREW),
        "two letters in one": treegen.build(spelled, "entropy"),
        "equations": ui.make_words(["1+2=3", "2+1=3", "4-1=3", "6/2=3", "3#1=3"]),
        "identify": treegen.build(parse_game("p3c5n").with_goal("identify"), "knuth"),
    }


def test_words_of_classes_are_neither_alike_nor_rude(ask, games):
    halves = ask(games["pegs"], "halves")
    words = {a + b for a, b in product(halves, repeat=2)}
    assert len(words) == len(halves) ** 2 > 1296
    for one, other in combinations(halves, 2):
        assert sum(a != b for a, b in zip(one, other, strict=True)) > 1
    assert not set("iqv") & set("".join(halves)), "each looks like l, o or u"
    assert [word for word in words if RUDE.search(word)] == []


def test_words_are_read_as_people_type_them(ask, games):
    typed = ["foxbee", " Fox-Bee ", "F0XBEE", "eikcup", "ELKCVP", "fox", "foxbeef", "", "ＦＯＸ"]
    read = ["FOXBEE", "FOXBEE", "FOXBEE", "ELKCUP", "ELKCUP", None, None, None, None]
    assert ask(games["pegs"], "words", texts=typed) == read
    slips = {
        "foxbee"[:at] + letter + "foxbee"[at + 1 :]
        for at in range(6)
        for letter in string.ascii_lowercase
    }
    assert set(ask(games["pegs"], "words", texts=sorted(slips))) == {"FOXBEE", None}


def test_a_word_picks_the_same_code_for_all_who_play_the_game(ask, games):
    halves = ask(games["pegs"], "halves")
    words = [(a + b).upper() for a, b in product(halves, repeat=2)]
    codes = ask(games["pegs"], "pick", texts=words)
    black = [
        ask(tree, "pick", texts=words) for tree in (games["black"], build_once("p3c4rb", "parts"))
    ]
    assert black[0] == black[1]
    assert codes[words.index("FOXBEE")] == games["pegs"].game.parse_code(FOXBEE)
    assert 850 < len(set(codes)) <= 1296
    (given,) = ask(games["words"], "pick", texts=["FOXBEE"])
    assert 0 <= given < len(ui.WORDS)


def mangle(rng, line):
    """Return a line as chats and mails leave it: wrapped, quoted, in another case, among others."""
    line = rng.choice([line, line.lower(), line.upper()])
    for _ in range(rng.randint(0, 6)):
        at = rng.randrange(len(line) + 1)
        junk = rng.choice([" ", "\n> ", "  \r\n", "\u200e", "*", "“", "\u00a0", "\n>> "])
        line = line[:at] + junk + line[at:]
    before = rng.choice(["", "[10:31, 24.11.2026] Ana: ", "> ", "our class is FOXBEE!\n", '"'])
    return before + line + rng.choice(["", "\n", '"', "\nAnd you?", " :-)"])


def test_a_line_is_read_from_whatever_people_paste(ask, games):
    for name, tree in games.items():
        rng = random.Random(name)
        played = [make_game(rng, tree.game) for _ in range(12)]
        lines = ask(tree, "line", games=played)
        told = [tell_line(one) for one in played]
        whole = "\n".join(mangle(rng, line) for line in lines)
        found, *others = ask(tree, "paste", texts=[whole, *(mangle(rng, line) for line in lines)])
        assert strip(found) == told, (name, whole)
        assert [strip(one) for one in others] == [[one] for one in told], name


def test_a_line_names_the_game_the_word_and_the_guesses(ask, games):
    code = games["pegs"].game.parse_code
    moves = [[code("1122"), 0], [code("3456"), 0]]
    played = {"word": "FOXBEE", "ticket": 7, "moves": moves, "hinted": [0]}
    (line,) = ask(games["pegs"], "line", games=[played])
    assert re.fullmatch(r"Mastermind FOXBEE 1122 3456 #BKC[BCDFGHJKMNPRSTWX]{4}", line)


def test_the_line_in_the_documentation_is_one(ask, games):
    texts = [(ROOT / "docs" / name).read_text("utf-8") for name in ("page.md", "how-to/lesson.md")]
    found = ask(games["pegs"], "paste", texts=texts)
    assert [len(one["lines"]) for one in found] == [1, 1]
    assert ask(games["pegs"], "played", lines=found[0]["lines"])[0]["length"] == 4


def test_a_damaged_line_is_named_and_not_counted(ask, games):
    """Every sign of it, exchanged or lost; cut anywhere; of another game."""
    for name in ("pegs", "words", "Hebrew"):
        tree = games[name]
        played = make_game(random.Random(name), tree.game) | {"moves": [[1, 0], [3, 0], [2, 0]]}
        (line,) = ask(tree, "line", games=[played])
        begin = line.index("FOXBEE")
        texts = []
        for at in range(begin, len(line)):
            if line[at] != " ":
                other = "B" if line[at] != "B" else "C"
                texts += [line[:at] + other + line[at + 1 :], line[:at] + line[at + 1 :]]
        found = ask(tree, "paste", texts=[f"{text}\nBob: done!" for text in texts])
        assert [text for text, one in zip(texts, found, strict=True) if one["lines"]] == []
        assert [
            text for text, one in zip(texts, found, strict=True) if len(one["damaged"]) != 1
        ] == []
        cut = [line[:at] for at in range(begin + 14, len(line))]
        found = ask(tree, "paste", texts=[f"{text}\n{line}\n{text}" for text in cut])
        assert [strip(one) for one in found] == [[tell_line(played)]] * len(cut)
        assert {len(one["damaged"]) for one in found} == {2}
    (line,) = ask(
        games["no duplicates"],
        "line",
        games=[{"word": "FOXBEE", "ticket": 1, "moves": [], "hinted": []}],
    )
    (found,) = ask(games["pegs"], "paste", texts=[line])
    assert (found["lines"], len(found["damaged"])) == ([], 1)
    (found,) = ask(games["pegs"], "paste", texts=["We play FOXBEE today. #homework #7 at 10:30"])
    assert found == {"lines": [], "nAgain": 0, "damaged": []}


def test_a_line_counts_once_and_equal_games_of_two_pupils_twice(ask, games):
    tree = games["pegs"]
    mine = make_game(random.Random(1), tree.game)
    yours = mine | {"ticket": (mine["ticket"] + 1) % 256}
    first, second = ask(tree, "line", games=[mine, yours])
    (found,) = ask(tree, "paste", texts=[f"{first}\n{second}\n> {first.lower()}\n{first}"])
    assert strip(found) == [tell_line(mine)] * 2
    assert found["nAgain"] == 2


def test_a_line_tells_after_how_many_guesses_the_code_was_found(ask, games):
    code = games["pegs"].game.parse_code
    guesses = [code("1122"), code(FOXBEE)]
    lines = [{"word": "FOXBEE", "guesses": guesses[:n]} for n in range(3)]
    assert [one["length"] for one in ask(games["pegs"], "played", lines=lines)] == [0, 0, 2]
    tree = games["identify"]
    (secret,) = ask(tree, "pick", texts=["FOXBEE"])
    guesses = [int(tree.guess[node]) for node in play_secret(tree, secret)]
    (told,) = ask(tree, "played", lines=[{"word": "FOXBEE", "guesses": guesses}])
    assert told["length"] == len(guesses) - 1, "the last is announced, not guessed"


def test_the_nicest_mistake_fits_all_answers_and_costs_most(ask, games):
    """Of games of one code: against the definition, candidates counted one by one."""
    tree = games["black"]
    game, rng = tree.game, random.Random(5)
    secret = 17
    played = []
    for _ in range(12):
        moves, left = [], list(range(game.n_codes))
        while len(moves) < 4 and (not moves or moves[-1][0] != secret):
            guess = rng.choice(left if rng.random() < 0.7 else range(game.n_codes))
            moves.append([guess, game.score(guess, secret)])
            left = [code for code in left if game.score(guess, code) == moves[-1][1]]
        played.append({"moves": moves})
    fitting = {}
    for one in played:
        for n, (guess, _) in enumerate(one["moves"]):
            past = one["moves"][:n]
            if all(game.score(earlier, guess) == answer for earlier, answer in past):
                key = json.dumps([*past, one["moves"][n]])
                fitting[key] = fitting.get(key, 0) + 1
    listed = ask(tree, "fitting", games=played)
    assert {json.dumps(one["moves"]): one["number"] for one in listed} == fitting
    moves = ask(tree, "judge", histories=[one["moves"] for one in listed])
    judged = [one | move for one, move in zip(listed, moves, strict=True)]
    rank = lambda one: (-one["cost"], -one["number"], len(one["moves"]), one["moves"])  # noqa: E731
    expected = min((one for one in judged if one["cost"] >= 0.1), key=rank)
    rng.shuffle(judged)
    assert ask(tree, "nicest", judged=judged) == expected


def test_equal_mistakes_are_ranked_by_number_place_and_code(ask, games):
    costs = [(0.5, 1, [9]), (0.5, 2, [9, 1]), (0.5, 2, [8]), (0.5, 2, [7]), (0.4, 9, [0])]
    judged = [{"cost": c, "number": n, "moves": [[g, 0] for g in m]} for c, n, m in costs]
    for _ in range(4):
        best = ask(games["pegs"], "nicest", judged=judged)
        assert best["moves"] == [[7, 0]]
        judged.append(judged.pop(0))
    assert ask(games["pegs"], "nicest", judged=[judged[0] | {"cost": 0.09}]) is None


def test_qr_codes_are_those_of_another_encoder(ask, games):
    """Of every size that the page makes, by the mask that it chose."""
    codes = json.loads((ROOT / "tests" / "vectors" / "qr.json").read_text("utf-8"))["codes"]
    texts = [one["text"] for one in codes]
    *drawn, refused = ask(games["pegs"], "qr", texts=[*texts, "x" * 667])
    for one, rows in zip(codes, drawn, strict=True):
        assert [format(int(row, 2), "x") for row in rows] == one["rows"], one["text"]
    assert [len(rows) for rows in drawn] == [4 * version + 17 for version in range(1, 21)]
    assert refused is None


@pytest.mark.slow
def test_only_a_served_page_that_plays_makes_qr_codes(games):
    served = make_site([games["black"]], "play.html", "https://example.org/play.html")
    key = treegen.build(Questions([["no"], ["yes"]], ["dog", "duck"], ["Wings?"]))
    asking = make_site([key], "key.html", "https://example.org/")
    pages = [
        served["play.html"].decode(),
        generate_page([games["black"]]),
        asking["key.html"].decode(),
    ]
    assert [len(re.findall(r"globalThis\.encodeQr ?=", page)) for page in pages] == [1, 0, 0]


@pytest.fixture
def visit(browser):
    """Return a function that opens an address in a context of its own: another person's browser."""
    contexts, complaints = [], []

    def open_it(address, size=(1280, 800), **options):
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", **options
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(ui.HANG_MS)
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.add_init_script(ui.CLIPBOARD)
        page.goto(address)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert complaints == []


def start_class(page):
    """Begin a class on a page; return its word."""
    ui.open_tab(page, "Learn")
    page.locator(".classroom > summary").click()
    page.get_by_role("button", name="Start a class").click()
    return page.locator(".poster .word").inner_text()


def join_class(page, word):
    ui.open_tab(page, "Learn")
    page.locator(".classroom > summary").click()
    page.get_by_label("The word of your class").fill(word)
    page.get_by_role("button", name="Play", exact=True).click()


def find_code(page, game):
    """Play the first code that fits until it is found; return the guesses."""
    left, guesses = list(range(game.n_codes)), []
    while page.locator("#breaker[data-over=no]").count():
        guesses.append(left[0])
        ui.guess_by_keys(page, game.format_code(guesses[-1]))
        ui.counts(page.locator("#breaker > .desk .row:not(.blank)"), len(guesses))
        told = page.locator("#breaker > .desk .row .hidden").nth(len(guesses) - 1).text_content()
        marks = re.search(r"Answer: (\d) black, (\d) white", told).groups()
        response = game.parse_response("".join(marks))
        left = [code for code in left[1:] if game.score(guesses[-1], code) == response]
    return guesses


def copy_line(page):
    page.get_by_role("button", name="Copy line").click()
    page.wait_for_function("window.copied")
    line = page.evaluate("copied")
    ui.shows(page.locator(".sendback code"), line)
    return line


@pytest.mark.slow
@ui.BOTH
def test_a_class_plays_one_code_and_its_teacher_reads_the_lines(visit, trees, tmp_path):
    """A served page: two pupils come by the link, one types the word on a page from disk."""
    knuth = trees[0]
    write_page(trees[:2], tmp_path / "play.html", url="https://example.org/games/play.html")
    write_page(trees[:2], tmp_path / "disk.html")
    with ui.serve(tmp_path) as address:
        teacher = visit(f"{address}/play.html")
        word = start_class(teacher)
        link = teacher.locator(".poster .url").inner_text()
        assert link == f"{address}/play.html#p4c6r-knuth/?{word.lower()}/class"
        ui.expect(teacher.get_by_role("img", name="QR code of the link")).to_be_visible()
        ui.expect(teacher.locator("#learn article").first).to_be_hidden()

        quick, lost = visit(link, (360, 740)), visit(link, (360, 740))
        slow = visit((tmp_path / "disk.html").as_uri(), (360, 740))
        join_class(slow, f" {word[:3].lower()}-{word[3:]} ")
        for pupil in (quick, lost, slow):
            ui.shows(ui.status(pupil), ui.starting(f"Class {word} · Guess 1 / 12 · "))
            ui.mentions(pupil.locator("#breaker .message"), "Your whole class looks for this code.")
        lost.get_by_role("button", name="Hint").click()
        ui.mentions(lost.locator("#breaker .message"), "Hint again")
        lost.reload()
        ui.guess_by_keys(lost, "1122")
        ui.counts(lost.locator("#breaker > .desk .row:not(.blank)"), 1)
        lost.get_by_role("button", name="Give up").click()
        guesses = find_code(slow, knuth.game)
        secret = knuth.game.format_code(guesses[-1])
        ui.expect(lost.locator("#breaker .solution .pegs")).to_have_text(secret)
        ui.guess_by_keys(quick, secret)
        lines = [copy_line(pupil) for pupil in (quick, lost, slow)]
        assert lines[0].startswith(f"Mastermind {word} {secret} #")
        for pupil in (quick, lost, slow):
            ui.mentions(pupil.locator("#breaker .figures"), "No game yet")
        quick.reload()
        ui.shows(quick.locator(".sendback code"), lines[0])

        chat = "".join(f"[10:3{at}] Pupil {at}: “{line}”\n" for at, line in enumerate(lines))
        torn = lines[2].replace(" ", "\n> ").lower()
        teacher.get_by_label("Paste the lines of your pupils").fill(
            f"{chat}{torn}\n{lines[0][:-1]}"
        )
        results = teacher.locator(".results")
        ui.mentions(results, "3 games: 2 found the code, 1 did not.")
        ui.mentions(results, f"{(1 + len(guesses)) / 2:.2f} guesses on average without hints.")
        ui.mentions(results, "Pasted more than once, counted once: 1 line.")
        ui.mentions(results, lines[0][lines[0].index(word) : -1])
        rows = teacher.locator(".results tbody tr")
        ui.shows(rows.first.locator("td").first, "1")
        ui.shows(rows.last.locator("td").first, "1, 1 with hints")
        ui.mentions(results, "Knuth, all 1,296 codes")
        ui.mentions(results, f"◂ {word}: Knuth needs ")
        ui.mentions(rows.nth(4), "53.5 %")
        needed = len(list(play_secret(knuth, guesses[-1])))
        ui.mentions(rows.nth(needed - 1).locator("td").nth(1), "◂")
        ui.shows(results.locator("h2"), "The nicest mistake")
        mistake = results.get_by_text("fits, but costs").locator(".pegs").first.text_content()
        assert knuth.game.parse_code(mistake) in guesses
        teacher.reload()
        ui.mentions(teacher.locator(".results"), "3 games: 2 found the code")
        teacher.get_by_role("button", name="Why?").click()
        ui.expect(teacher.locator("#tab-analyst")).to_have_attribute("aria-selected", "true")


@pytest.mark.slow
def test_a_teacher_begins_from_disk_and_plays_two_words(open_file, file):
    page = open_file(file)
    word = start_class(page)
    ui.counts(page.locator(".qr, .url"), 0)
    ui.mentions(
        page.locator(".poster"),
        f"Open this page, choose Learn, then Play together, and type {word}",
    )
    pupil = open_file(file)
    join_class(pupil, "foxbea")
    ui.mentions(pupil.locator(".join"), "That is not the word of a class.")
    pupil.get_by_label("The word of your class").fill("foxbee")
    pupil.get_by_label("The word of your class").press("Enter")
    ui.shows(ui.status(pupil), ui.starting("Class FOXBEE · "))
    ui.guess_by_keys(pupil, FOXBEE)
    line = pupil.locator(".sendback code").inner_text()
    pupil.get_by_role("button", name="New code").click()
    ui.expect(pupil.locator(".sendback")).to_be_hidden()
    page.get_by_label("Paste the lines").fill(line)
    ui.mentions(page.locator(".results"), f"No line of {word} yet.")
    page.get_by_role("button", name="Show FOXBEE").click()
    ui.shows(page.locator(".poster .word"), "FOXBEE")
    ui.mentions(page.locator(".results"), "1 game: 1 found the code, 0 did not. 1.00 guesses")
    page.get_by_role("button", name="Another word").click()
    ui.expect(page.get_by_label("Paste the lines")).to_have_value(line)
    page.get_by_role("button", name="End the class").click()
    ui.expect(page.locator("#learn article").first).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["words", "hard mode", "of one's own", "to identify"])
def test_other_games_are_played_together(open_page, trees, game, knuth):
    hard = treegen.build(trees[4].game, "entropy", eligible="hints")
    own = {"words": trees[4], "hard mode": hard, "of one's own": knuth, "to identify": trees[6]}
    page = open_page([own[game]])
    if game == "of one's own":
        ui.pick(page, "games", "Beginner")
    word = start_class(page)
    page.get_by_role("button", name="End the class").click()
    page.get_by_label("The word of your class").fill(word)
    page.get_by_role("button", name="Play", exact=True).click()
    ui.shows(ui.status(page), ui.starting(f"Class {word} · "))
    page.get_by_role("button", name="Give up").click()
    secret = page.locator("#breaker .solution .pegs").text_content()
    join_class(page, word)
    ui.guess_by_keys(page, secret)
    line = page.locator(".sendback code").inner_text()
    ui.open_tab(page, "Learn")
    page.locator(".classroom > summary").click()
    page.get_by_role("button", name="Start a class").click()
    page.get_by_label("Paste the lines").fill(line)
    page.get_by_role("button", name=f"Show {word}").click()
    ui.mentions(page.locator(".results"), "1 game: 1 found the ")
    ui.mentions(page.locator(".results caption"), "needs")
    ui.shows(page.locator(".results h2"), "The nicest mistake")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_view_of_a_teacher_fits_all_windows(visit, trees, tmp_path, scheme):
    """From a phone to a projector, on paper, in forced colors; axe finds nothing."""
    write_page(trees[:1], tmp_path / "play.html", url="https://example.org/games/play.html")
    with ui.serve(tmp_path) as address:
        page = visit(f"{address}/play.html", color_scheme=scheme)
        word = start_class(page)
        pupil = visit(page.locator(".url").inner_text(), (320, 640), color_scheme=scheme)
        ui.guess_by_keys(pupil, "1111")
        pupil.get_by_role("button", name="Give up").click()
        line = copy_line(pupil)
        page.get_by_label("Paste the lines").fill(f"{line}\n{line[:-1]}")
        ui.shows(page.locator(".results h2"), "The nicest mistake")
        for width in (320, 390, 768, 1280, 1920):
            page.set_viewport_size({"width": width, "height": 800})
            page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
            wide = "one => [one.scrollWidth, one.clientWidth]"
            for part in (".poster .word", ".results table", ".qr"):
                whole, seen = page.locator(part).evaluate(wide)
                assert whole <= seen, (width, part)
            if width == 1920:
                font = "one => parseFloat(getComputedStyle(one).fontSize)"
                assert page.locator(".poster .word").evaluate(font) > 120
                assert page.locator(".poster li").first.evaluate(font) > 28
        page.emulate_media(media="print")
        for part in (".poster .word", ".qr", ".results table"):
            ui.expect(page.locator(part)).to_be_visible()
        for part in (".buttons", "textarea", "#tabs"):
            ui.expect(page.locator(f"#learn {part}, {part}").first).to_be_hidden()
        page.emulate_media(media="screen")
        if ui.AXE.exists():
            assert ui.find_violations(page) == [], "teacher"
            assert ui.find_violations(pupil) == [], "pupil"
            page.emulate_media(forced_colors="active")
            assert ui.find_violations(page) == [], "forced colors"
            page.get_by_role("button", name="End the class").click()
            assert ui.find_violations(page) == [], word
