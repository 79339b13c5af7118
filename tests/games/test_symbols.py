"""How codes are written and read."""

import pytest

from treegen import Codebook, GameError, Mastermind, build, open_game


def split(game, text):
    """Return the colors of a written code."""
    return game.codes[game.parse_code(text)].tolist()


@pytest.mark.parametrize(
    ("n_colors", "first", "shown"),
    [
        (6, 1, "123456"),
        (10, 0, "0123456789"),
        (10, 1, "123456789A"),
        (35, 1, "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        (35, 0, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXY"),
        (1, 1, "1"),
    ],
)
def test_digits_come_before_letters_and_0_where_none_is_twice(n_colors, first, shown):
    game = Mastermind(1, n_colors, repetition=first == 1)
    assert "".join(map(game.format_code, range(n_colors))) == shown


@pytest.mark.parametrize("first", [0, 1])
def test_over_35_colors_numbers_are_joined_by_dots(first):
    game = Mastermind(2, 36, repetition=first == 1)
    code = game.notation.index_of([0, 35])
    assert game.format_code(code) == f"{first}.{35 + first}"
    assert split(game, f"{first}.{35 + first}") == [0, 35]


@pytest.mark.parametrize(
    ("text", "n_colors", "expected"),
    [
        ("abcdef", 6, "abcdef"),
        ("red,green, blue", 3, ("red", "green", "blue")),
        ("🔴🟢🔵", 3, "🔴🟢🔵"),
        ("a", 1, "a"),
    ],
)
def test_symbols_are_letters_or_names(text, n_colors, expected):
    game = Mastermind(1, n_colors).with_symbols(text)
    assert tuple(map(game.format_code, range(n_colors))) == tuple(expected)


@pytest.mark.parametrize(
    "text", ["", "abc", "abcdeff", "abcdea", "abcdeA", "a,b,c,d,e,", "a b,c,d,e,f,g", "ab.def"]
)
def test_symbols_that_do_not_fit_are_refused(text):
    with pytest.raises(GameError, match="do not fit"):
        Mastermind(4, 6).with_symbols(text)


def test_names_are_joined_by_dots_and_read_in_any_case():
    game = Mastermind(3, 3).with_symbols("red,green,blue")
    assert game.format_code(game.notation.index_of([0, 2, 2])) == "red.blue.blue"
    assert split(game, "Red,blue BLUE") == [0, 2, 2]


def test_a_wrong_symbol_is_named_with_the_allowed_ones():
    with pytest.raises(GameError, match=r"'7' in the code '1127' is not one of 1 2 3 4 5 6"):
        Mastermind(4, 6).parse_code("1127")
    with pytest.raises(GameError, match=r"not one of 1 … C$"):
        Mastermind(1, 12).parse_code("-")


@pytest.mark.parametrize("text", ["3 1 6 3", " 3,1,6,3", "3-1-6-3", "3.1.6.3"])
def test_a_code_whose_symbols_are_separated_is_written_together(text):
    with pytest.raises(GameError, match=r"is not one of 1 2 3 4 5 6: write '3163'$"):
        Mastermind(4, 6).parse_code(text)
    with pytest.raises(GameError, match=r"is not one of 1 2 3 4 5$"):
        Mastermind(4, 5).parse_code(text)


def test_a_code_whose_symbols_stand_together_is_written_with_dots():
    game = Mastermind(4, 40)
    for text in ("3163", "3-1-6-3", ""):
        with pytest.raises(GameError, match=r"not one of 1 … 40; dots separate them, as in 1\.40$"):
            game.parse_code(text)
    with pytest.raises(GameError, match=r"'41' in the code '3,1,6,41' is not one of 1 … 40$"):
        game.parse_code("3,1,6,41")


def test_letters_that_are_no_word_are_refused_in_any_symbols():
    tree = build(Codebook(["crane", "crate"]))
    assert tree.play("25143", symbols="123456").is_found is True
    with pytest.raises(GameError, match=r"'11111' is not a word of this codebook \(2 words\)"):
        tree.play("11111", symbols="123456")


@pytest.mark.parametrize("symbols", [["a,b", "c", ","], ["1,1", "1", "11"]])
@pytest.mark.parametrize("colors", [[0, 1], [2, 2], [1, 0, 2], [0, 0, 0]])
def test_symbols_with_a_comma_are_read_back(symbols, colors):
    game = Mastermind(len(colors), 3).with_symbols(symbols)
    assert split(game, game.format_code(game.notation.index_of(colors))) == colors


def test_codes_with_commas_between_their_colors_stand_in_a_list():
    game = open_game("p2c3r").with_symbols(["red", "green", "blue"])
    tree = build(game, first="red,green,blue,red")
    assert tree.provenance.strategy == "knuth opening=12|31"
    assert tree.digest == build(game, first="red.green,blue.red").digest
