"""Text styles, written and read back."""

import contextlib
import hashlib
import io
import itertools
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treegen import (
    Codebook,
    FormatError,
    TreegenError,
    UsageError,
    build,
    import_tree,
    open_game,
    read_text_tree,
    verify,
    write_text,
)

from ..command import list_choices
from ..golden import check_golden
from ..small_games import write_history
from ..written import import_text, text_of

GAMES = ["p2c3r", "p3c4r", "p4c4r", "p3c5n", "p4c3rb", "p1c1r", "p1c5r", "p4c1r", "p2c12r"]
GAMES += ["a211", "a32"]
OWN = ["indented", "booklet", "lines", "irving"]
STYLES = [style for style in list_choices("export text", "style") if style != "key"]
PEG_STYLES = [style for style in STYLES if style != "wordle"]
ORDERED = [style for style in PEG_STYLES if style != "csv"]


@cache
def make(game, strategy):
    return build(game, strategy)


def written(tree, style, **options):
    return text_of(tree, "text", style=style, **options)


@pytest.fixture(scope="module")
def words():
    secrets = ["".join(word) for word in itertools.product("ab#", "x:(", "1*.")]
    return build(Codebook(secrets[:20], secrets[20:], feedback="position"), "expected-size")


PAIRS = [*((game, "knuth") for game in GAMES), ("p3c4r", "r-post"), ("p7c2r", "r-post")]


@pytest.mark.parametrize(("game", "strategy"), PAIRS)
def test_every_style_reads_back(game, strategy):
    tree = make(game, strategy)
    for style in PEG_STYLES:
        text = written(tree, style)
        again = read_text_tree(text, tree.game, style)
        assert again.digest == tree.digest, style
        if strategy == "knuth":  # the text says no strategy: what is claimed is the same for all
            assert verify(again).is_proved, style
        renamed = replace(again, provenance=tree.provenance)
        assert written(renamed, style) == text or style in OWN, style


def test_no_answers_of_a_booklet_are_wider_than_80_letters():
    lines = written(build("p4c6r"), "booklet").splitlines()
    assert 70 < max(len(line) for line in lines if line.startswith("    ")) <= 80


@pytest.mark.parametrize("style", STYLES)
def test_codebook_with_odd_characters_reads_back(style, words):
    assert read_text_tree(written(words, style), words.game, style).digest == words.digest


@pytest.mark.parametrize("style", PEG_STYLES)
def test_the_style_of_a_text_is_found_out(style):
    text = written(build("p3c4r", "knuth"), style)
    found = "irving" if style == "mmstrat" else style
    if style in OWN:
        assert import_text(text).total > 0
        text = text[text.index("\n\n") + 2 :]
    assert import_text(text, "p3c4r") == import_text(text, "p3c4r", found)


@pytest.mark.parametrize("style", PEG_STYLES)
@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_and_a_byte_order_mark_do_not_matter(style, end):
    tree = build("p3c4r", "knuth")
    text = "\ufeff" + written(tree, style).replace("\n", end)
    assert read_text_tree(text, tree.game).digest == tree.digest
    assert import_tree(io.BytesIO(text.encode()), "p3c4r").digest == tree.digest
    assert import_tree(io.StringIO(text), "p3c4r").digest == tree.digest


@pytest.mark.parametrize("style", ["r-post", *OWN])
@pytest.mark.parametrize("symbols", ["wxyz", "red,tan,sky,blx"], ids=["letters", "names"])
def test_symbols_and_a_part_read_back(style, symbols):
    tree = build("p3c4r", "knuth")
    part = tree.subtree("01")
    text = written(tree, style, symbols=symbols, path="01")
    assert text == written(part, style, symbols=symbols)
    names = symbols.split(",") if "," in symbols else list(symbols)
    again = read_text_tree(text, tree.game, style, symbols=names if style == "r-post" else None)
    assert again.digest == part.digest
    assert again.provenance.history == part.provenance.history


@pytest.mark.parametrize("style", ORDERED)
def test_cut_text_says_so_and_is_not_read(style):
    tree = build("p3c4r", "knuth")
    text = written(tree, style, depth=2)
    assert "..." in text
    assert "more state" in text
    with pytest.raises(FormatError, match=r"line \d+, column \d+.*|\$.*cut there: \.\.\. \d+ more"):
        read_text_tree(text, tree.game, style)


def test_header_carries_the_provenance():
    tree = build("p3c4r", "knuth")
    for style in OWN:
        assert import_text(written(tree, style)).provenance == tree.provenance


def test_write_text_to_a_path_and_to_a_stream(tmp_path):
    tree = build("p2c3r", "r-post")
    stream = io.StringIO()
    write_text(tree, stream, "r-post")
    write_text(tree, tmp_path / "rules.txt", "r-post")
    assert (tmp_path / "rules.txt").read_bytes() == stream.getvalue().encode()
    assert read_text_tree(tmp_path / "rules.txt", tree.game).digest == tree.digest


def test_an_unknown_style_is_refused():
    with pytest.raises(UsageError, match="r-post"):
        written(build("p2c3r", "knuth"), "latex")


@pytest.mark.parametrize("style", PEG_STYLES)
def test_every_changed_line_is_noticed_or_harmless(style):
    """Take each line away, and each character: an error of ours, or the same tree."""
    tree = build("p2c3r", "knuth")
    text = written(tree, style)
    body = text.index("\n\n") + 2 if style in OWN else 0
    for at in range(body, len(text), 1 + len(text) // 200):
        damaged = text[:at] + text[at + 1 :]
        try:
            again = read_text_tree(damaged + "\n", tree.game, style)
        except TreegenError:
            continue
        assert verify(again).is_proved


@pytest.mark.parametrize("depth", [None, 2], ids=["whole", "cut"])
@pytest.mark.parametrize("style", ORDERED)
def test_each_style_is_the_golden_one(style, depth):
    name = f"text/p2c3r-knuth-{style}{f'-depth{depth}' if depth else ''}.txt"
    check_golden(name, written(build("p2c3r", "knuth"), style, depth=depth))


@given(
    game=st.sampled_from(["p2c4r", "p3c3r", "p2c5n", "p3c4n", "p3c3rb", "p2c6r"]),
    seed=st.integers(0, 2**64 - 1),
    eligible=st.sampled_from(["all", "candidates"]),
    style=st.sampled_from(PEG_STYLES),
    order=st.sampled_from(list_choices("export text", "order")),
    data=st.data(),
)
def test_random_trees_and_parts_of_them_read_back(game, seed, eligible, style, order, data):
    game = open_game(game)
    tree = build(game, "random-consistent", seed=seed, eligible=eligible)
    part = tree.subtree(tree[data.draw(st.integers(0, tree.n_nodes - 1))].history)
    text = written(part, style, order="responses" if style == "csv" else order)
    history = write_history(game, part.provenance.history)
    assert read_text_tree(text, game, style, history=history).digest == part.digest


def test_a_text_is_read_with_the_name_of_its_game_and_a_history_as_text():
    part = build("p2c3r", "knuth").subtree("10")
    text = written(part, "codegolf")
    (pair,) = write_history(part.game, part.provenance.history)
    assert read_text_tree(text, "p2c3r", history=":".join(pair)).digest == part.digest


def test_golden_of_whole_games(words):
    check_golden("text/p2c3r-knuth-csv.txt", written(build("p2c3r", "knuth"), "csv"))
    check_golden("text/codebook-expected-size-wordle.txt", written(words, "wordle"))
    cut = written(words, "wordle", depth=2)
    check_golden("text/codebook-expected-size-wordle-depth2.txt", cut)
    with pytest.raises(FormatError, match="line 1"):
        read_text_tree(cut, words.game, "wordle")


def test_styles_refuse_what_they_cannot_write(words):
    tree = build("p2c3r", "knuth")
    with pytest.raises(UsageError, match="writes position feedback"):
        written(tree, "wordle")
    for options in ({"depth": 1}, {"order": "largest"}):
        with pytest.raises(UsageError, match="whole games"):
            written(tree, "csv", **options)
    game = Codebook(["a,", ",a"], feedback="position")
    with pytest.raises(UsageError, match="comma"):
        written(build(game, "knuth"), "csv")


@given(
    letters=st.lists(st.text("abcd", min_size=3, max_size=3), min_size=4, max_size=24, unique=True),
    n_secrets=st.integers(1, 24),
    seed=st.integers(0, 2**64 - 1),
    style=st.sampled_from(["csv", "nested", "wordle", "gv"]),
    data=st.data(),
)
def test_random_word_trees_and_parts_of_them_read_back(letters, n_secrets, seed, style, data):
    game = Codebook(letters[:n_secrets], letters[n_secrets:], feedback="position")
    tree = build(game, "random-consistent", seed=seed)
    part = tree.subtree(tree[data.draw(st.integers(0, tree.n_nodes - 1))].history)
    text = written(part, style)
    past = write_history(game, part.provenance.history)
    again = read_text_tree(text, game, style, history=past)
    assert again.digest == part.digest
    assert written(replace(again, provenance=part.provenance), style) == text


@given(
    text=st.text(alphabet="12(){}:;,*x |#ABab\n-0.", max_size=60),
    style=st.sampled_from(list(STYLES)),
)
@settings(max_examples=120)
def test_no_text_breaks_a_reader(text, style):
    with contextlib.suppress(FormatError):
        import_text(text, open_game("p2c3r"), style)


# sha256 of the files that the posted R program wrote (R 4.2, locale C.UTF-8): only `set` and `full`
# were changed, as the post says. p1c27r with `set <- 1:27`, since R's `letters` end at z.
PRINTED_BY_R = [
    ("p2c3r", "a0907d44c80f1a95e5e6aa5fa09bf25f7897930e808dada594999097a6d2c44c"),
    ("p1c3r", "b1ad1ab8e1eab26c043c34eea9771e34e8932079301aa4b5ed2e82975260b8a3"),
    ("p3c4r", "6686dac5782ba3b54f992a35cd32669eb0e2c5ea0a9ffdb80fb450b011f3785a"),
    ("p1c1r", "fd820d51444b1d0a70d4b5498a6cdc3e845a7ef8414320c676048a61645d33cc"),
    ("p4c1r", "f9b5d0b05892fb501f8a8c08810a609e58bba497436ba99d53071e8dbb2def4e"),
    ("p2c12r", "0e17410ca65a4e55086a4ed699b2352c46e5f61d875f479911ca4cbeb4557311"),
    ("p4c4r", "ea03add5d9fe65140fa7c9fe7b1ff1f3ea3d7f41da20ea57dad75eb400f49bf4"),
    ("p5c3r", "a83b37af14f02e263ed3c6236c6b2e0f9301860d5c84a6c05855d2c652156787"),
    ("p1c26r", "e24d360f2d2211da3c1d00b874d51ecca527a7e6223b7fc0432ac205280b277f"),
    ("p1c27r", "c886eb367cd756f91941b2f31138123957faf7470a05f88df0d8a15daeb8f493"),
    ("p2c1r", "baf4e3365678b7ccb20ac594080951fe45b35dc9f583dcadbf66a0d58100650e"),
    ("p1c2r", "6d471b82f968f4fdac4dacbbf456fe84fbd50bff92313d48b8a0f5bd45e0d27f"),
    ("p3c2r", "f7ae7f810770cc213e2b550db226ebb179f03880e79e9ecead6fdb86452a831e"),
    ("p4c6r", "ca099dc209a618fed05c0800dd831230c98b6fda5529f9dc93232fb4fdd34ffb"),
    ("p10c2r", "97af9a5c318a0a1c9aebbb054ceb0e5ad9b6c6b4378a2ff36a04786e17d51d84"),
    ("p11c2r", "f451d0316554f6b2aaa9873d8d8fd6750a838b8880eb085459e4615de5d9fef6"),
]


@pytest.mark.parametrize(("game", "sha256"), PRINTED_BY_R)
def test_bytes_are_those_of_the_posted_program(game, sha256):
    text = text_of(build(game, "r-post"), "text", style="r-post")
    assert hashlib.sha256(text.encode()).hexdigest() == sha256


def test_black_feedback_and_words_are_printed_their_own_way():
    lines = text_of(build("p2c3rb", "knuth"), "text", style="r-post").splitlines()
    assert lines[1].startswith("2:    0|")
