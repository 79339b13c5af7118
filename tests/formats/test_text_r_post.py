"""The style r-post against what the posted R program prints (R 4.2, locale C.UTF-8)."""

import hashlib

import pytest

from treegen import build

from ..written import text_of

# sha256 of the files that the program wrote: only `set` and `full` were changed, as the post says.
# p1c27r with `set <- 1:27`, since R's `letters` end at z.
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


def test_feedback_is_sorted_as_text():
    lines = text_of(build("p11c2r", "r-post"), "text", style="r-post").splitlines()
    answers = [line.split(":")[1].split("|")[0].strip() for line in lines if line.startswith("2:")]
    assert "10;0" in answers
    # As texts, a semicolon before a digit: not by number, where 10;0 would be the last.
    assert answers == sorted(answers, key=lambda answer: answer.replace(";", "!"))
    assert answers.index("10;0") < answers.index("2;2")


def test_black_feedback_and_words_are_printed_their_own_way():
    lines = text_of(build("p2c3rb", "knuth"), "text", style="r-post").splitlines()
    assert lines[1].startswith("2:    0|")
