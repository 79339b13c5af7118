"""Samples and their reports, with the counting inside: figures that can be counted another way."""

import csv
import json
import re
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from math import exp, lgamma, pi, sqrt
from statistics import stdev

import numpy as np
import pytest
from click.testing import CliRunner

from treegen import Sample, StrategyError, UsageError, build, compare, open_game
from treegen.analysis.charts import plot_samples, plot_sizes
from treegen.analysis.sample import (
    RANDOM_TREES,
    count_exactly,
    format_average,
    format_histogram,
    half_width,
    play_sample,
    t_quantile,
)
from treegen.cli.main import cli
from treegen.games.codebook import make_word_game
from treegen.online.named import draw_secret, list_online, start_online
from treegen.pictures.plot import write_figure
from treegen.strategies.named import WITHOUT_TREE

from ..naive import score_pegs

P4C6R = open_game("p4c6r")


def make_sample(lengths, seed=3, name="some"):
    return Sample("p2c3r", name, np.array(lengths), seed, 0.5, 2.0)


def test_figures_of_a_sample():
    sample = make_sample([2, 3, 3, 5])
    assert (sample.n, sample.total, sample.average) == (4, 13, 3.25)
    assert (sample.worst, sample.n_worst, sample.histogram) == (5, 1, [0, 1, 2, 0, 1])
    assert sample.ci95 == pytest.approx(3.18245 * stdev([2, 3, 3, 5]) / 2, rel=1e-5)
    assert sample.time_per_game_s == 0.5
    assert make_sample([1, 2], seed=None).ci95 == 0.0


def test_games_along_one_tree_are_one_observation():
    sample = replace(make_sample([1, 5, 2, 6, 3, 7]), n_trees=2)
    assert sample.ci95 == pytest.approx(12.7062 * stdev([2, 6]) / sqrt(2), rel=1e-5)
    uneven = replace(make_sample([1, 5, 2, 6, 3]), n_trees=2)
    deviations = [1 + 2 + 3 - 3 * 3.4, 5 + 6 - 2 * 3.4]
    variance = 2 * sum(gap**2 for gap in deviations) / 5**2
    assert uneven.ci95 == pytest.approx(12.7062 * sqrt(variance), rel=1e-5)


def test_one_game_has_no_interval():
    sample = make_sample([4])
    assert sample.to_dict()["ci95"] is None
    assert format_average(sample) == "4.00 ± ?"


@pytest.mark.parametrize("n_free", [1, 2, 3, 4, 9, 24, 99, 200])
def test_quantiles_of_t_enclose_95_percent(n_free):
    """The density, summed up by Simpson's rule."""
    constant = exp(lgamma((n_free + 1) / 2) - lgamma(n_free / 2)) / sqrt(n_free * pi)
    at = np.linspace(0.0, t_quantile(n_free), 4001)
    density = constant * (1 + at**2 / n_free) ** (-(n_free + 1) / 2)
    weights = np.r_[1, np.tile([4, 2], 2000)[:-1], 1]
    assert 2 * (weights @ density) * at[1] / 3 == pytest.approx(0.95, abs=1e-7)


def test_quantiles_of_t_go_on_to_the_normal_one():
    assert t_quantile(200) > t_quantile(201) > t_quantile(10**6) > 1.959963
    assert t_quantile(201) == pytest.approx(1.971837, abs=2e-6)


def test_intervals_hold_the_average_as_often_as_they_say():
    """Groups with an effect of their own: 95 of 100 intervals hold the mean, as few else do."""
    rng = np.random.default_rng(1)
    held = plain = 0
    for _ in range(400):
        lengths = rng.normal(size=(20, 1)) + rng.normal(size=(20, 12))
        flat = lengths.T.ravel()
        held += abs(flat.mean()) < half_width(flat, 20)
        plain += abs(flat.mean()) < half_width(flat, len(flat))
    assert 365 <= held <= 394
    assert plain < 250


def test_random_strategies_are_grouped_by_tree():
    sample = play_sample(P4C6R, "random-consistent", 100, seed=2)
    assert sample.n_trees == RANDOM_TREES
    assert play_sample(P4C6R, "random-consistent", 3, seed=2).n_trees == 3
    assert play_sample(P4C6R, "knuth", 100, seed=2).n_trees is None


def test_equal_seeds_give_equal_samples():
    game = open_game("p18c18r")
    one, two = (play_sample(game, "adaptive", 4, seed=9) for _ in range(2))
    assert (one.lengths == two.lengths).all()
    assert (one.lengths != play_sample(game, "adaptive", 4, seed=10).lengths).any()


def test_random_strategies_are_sampled_over_several_trees():
    sample = play_sample(P4C6R, "random-consistent", 2000, seed=2)
    assert not sample.is_exact
    assert 4.55 < sample.average < 4.75
    with pytest.raises(UsageError, match="random"):
        count_exactly(P4C6R, "random-consistent")


@pytest.mark.parametrize("name", ["p6c9r", "p6c9n"])
def test_secrets_are_drawn_evenly_and_by_the_seed(name):
    game = open_game(name)
    drawn = [tuple(draw_secret(game, 1, number).tolist()) for number in range(3000)]
    assert drawn[7] == tuple(draw_secret(game, 1, 7).tolist())
    if name.endswith("n"):
        assert all(len(set(code)) == 6 for code in drawn)
    for peg in range(6):
        counts = np.bincount([code[peg] for code in drawn], minlength=9)
        assert counts.min() > 260
        assert counts.max() < 410


def test_equal_openings_are_sampled_apart():
    samples = compare(P4C6R, "knuth", openings=True).samples
    assert [sample.total for sample in samples[::2]] == [6564, 5801, 5803]
    assert samples[2].strategy == "knuth first=1122"


def test_no_games_and_unknown_strategies_are_refused():
    with pytest.raises(UsageError, match="n=0 is out of range"):
        play_sample(P4C6R, "knuth", 0)
    with pytest.raises(StrategyError):
        play_sample(P4C6R, "psychic", 1)
    with pytest.raises(UsageError, match="1 to 8"):
        plot_samples([])


def test_the_csv_of_a_sample_holds_its_figures():
    sample = make_sample([1, 3, 3], name="max,parts,lowest")
    rows = list(csv.DictReader(sample.generate_csv()))
    assert list(rows[0]) == list(sample.columns)
    assert rows[0]["strategy"] == "max,parts,lowest"
    assert rows[0]["histogram"] == "1+0+2"
    assert float(rows[0]["average"]) == sample.to_dict()["average"]


def test_long_histograms_are_summed_up():
    assert format_histogram(make_sample([1, 2, 2])) == "1/2"
    sample = make_sample(range(100, 200))
    assert format_histogram(sample) == "100 … 125 … 175 … 199 (quartiles)"


@pytest.mark.parametrize("lengths", [[1, 2, 2, 5], [100, 900, 950]])
def test_pictures_are_drawn_twice_alike(lengths):
    written = []
    for _ in range(2):
        target = BytesIO()
        samples = [make_sample(lengths), make_sample(lengths, None)]
        write_figure(plot_samples(samples), target, "svg")
        written.append(target.getvalue())
    assert written[0] == written[1]
    assert b"average" in written[0]


def size_sample(game, strategy, lengths):
    return replace(make_sample(lengths, name=strategy), game=game)


@pytest.mark.parametrize(
    ("names", "label", "places"),
    [
        (["p20c20r", "p10c10r"], "pegs = colors", [10, 20]),
        (["p3c6r", "p4c6r", "p9c6r"], "pegs, of 6 colors", [3, 4, 9]),
        (["p4c6r", "p4c8r"], "colors, on 4 pegs", [6, 8]),
        (["p4c6r", "p2c9n"], "games, by their secrets", ["p2c9n", "p4c6r"]),
        (["p1000c1000r", "a211"], "games, by their secrets", ["a211", "p1000c1000r"]),
    ],
)
def test_a_picture_of_sizes_has_a_place_for_each_game(names, label, places):
    games = [open_game(name) for name in names]
    samples = [[size_sample(name, "a", [5, 9])] for name in names]
    samples[0].append(size_sample(names[0], "b", [900]))
    figure = plot_sizes(games, samples)
    (axes,) = figure.axes
    assert axes.get_xlabel() == label
    assert axes.get_legend_handles_labels()[1] == ["a", "b"]
    written = [text.get_text() for text in axes.get_xticklabels()]
    if isinstance(places[0], str):
        assert list(axes.lines[0].get_xdata()) == [1, 2]
        assert sorted(written) == places
    else:
        assert list(axes.lines[0].get_xdata()) == places
        assert [float(text) for text in written] == places
    assert axes.get_yscale() == "log"
    assert [text.get_text() for text in axes.texts] == ["a", "b"], "names at the ends of lines"
    heights = [text.get_position()[1] for text in axes.texts]
    assert heights[1] - heights[0] > 0.05


def test_bars_of_several_strategies_stand_side_by_side():
    samples = [make_sample([1, 2, 2 + n], name=f"s{n}") for n in range(4)]
    (axes,) = plot_samples(samples).axes
    bars = [[(bar.get_x(), bar.get_height()) for bar in group] for group in axes.containers]
    assert len(bars) == len(samples)
    for sample, group in zip(samples, bars, strict=True):
        found = [round(height * sample.n / 100) for _, height in group]
        assert found == [sum(sample.lengths == length) for length in range(1, 6)]
    for group, after in pairwise(bars):
        assert all(x < x_after < x + 1 for (x, _), (x_after, _) in zip(group, after, strict=True))


def test_a_picture_of_sizes_needs_sizes():
    samples = [size_sample("p4c6r", "a", [5, 9])]
    with pytest.raises(UsageError, match="two or more sizes"):
        plot_sizes([P4C6R, P4C6R], [samples, samples])


def test_codebooks_of_one_name_have_sizes_of_their_own():
    games = [make_word_game(words, label="words.txt") for words in (["ab", "ba"], [*"abcd"])]
    samples = [[size_sample("words.txt", "a", [n])] for n in (1, 3)]
    (axes,) = plot_sizes(games, samples).axes
    line = axes.lines[0]
    assert [list(line.get_xdata()), list(line.get_ydata())] == [[1.0, 2.0], [1.0, 3.0]]


def run(*arguments, **options):
    done = CliRunner().invoke(cli, arguments, catch_exceptions=False, **options)
    assert done.exit_code == 0, done.output
    return done.output


def test_simulate_draws_its_sample(tmp_path):
    picture = tmp_path / "a.svg"
    arguments = ["simulate", "p3c4r", "-s", "knuth", "-n", "9", "--plot", str(picture)]
    assert "knuth" in run(*arguments)
    text = picture.read_text()
    assert "seeded sample" in text
    assert "knuth: average" in text
    assert not re.search(r">\d\.5<", text)  # guesses are whole
    with pytest.raises(UsageError, match="names text"):
        run(*arguments[:-1], str(tmp_path / "a.txt"))


def test_compare_sets_games_side_by_side(tmp_path):
    picture = tmp_path / "a.svg"
    arguments = ["compare", "p2c3r", "p3c3r", "-s", "knuth", "-s", "one-by-one", "-n", "5"]
    out = run(*arguments, "--plot", str(picture))
    assert out.index("p2c3r") < out.index("p3c3r")
    assert b"pegs, of 3 colors" in picture.read_bytes()
    rows = json.loads(run(*arguments, "--json"))
    assert [row["game"] for row in rows] == ["p2c3r", "p2c3r", "p3c3r", "p3c3r"]
    assert len(run(*arguments, "--csv", "-").splitlines()) == 5


def test_names_of_online_strategies_are_all_known_to_play():
    assert tuple(entry.name for entry in list_online()) == WITHOUT_TREE


@pytest.mark.parametrize("name", WITHOUT_TREE)
def test_play_against_a_secret(name):
    out = run("play", "p5c7r", "-s", name, "--secret", "77123")
    lines = out.splitlines()
    assert lines[-1].split()[1:] == ["77123", "50"]
    for line in lines:
        _, guess, feedback = line.split()
        black, white = score_pegs(guess, "77123")
        assert feedback == f"{black}{white}"


def test_play_online_tells_of_a_contradiction():
    out = run("play", "p3c2r", "-s", "one-by-one", input="10\n30\n")
    assert "answer 2 (3 black, 0 white)" in out
    assert out.count("guess 2: ") == 2


@pytest.mark.parametrize("strategy", ["entropy", "optimal"])
def test_secrets_are_drawn_as_often_as_they_weigh(strategy):
    """The average of a sample is the weighted one, within its own interval."""
    weights = [0, 50, 1, 0, 3, 1, 0, 0, 5]
    game = open_game("p2c3r").with_stakes(weights)
    sample, exact = play_sample(game, strategy, 4000, 2), build(game, strategy)
    assert sample.weights is None
    assert abs(sample.average - exact.average) < 2 * sample.ci95 < 0.1
    plain = build("p2c3r", strategy)
    assert abs(sample.average - plain.average) > 3 * sample.ci95


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (open_game("p2c2r").with_stakes([1, 1, 1, 2]), "cannot use weights or costs"),
        (open_game("p2c2r", goal="identify"), "plays until its guess is right: the goal is to win"),
    ],
)
@pytest.mark.parametrize("strategy", [entry.name for entry in list_online()])
def test_online_strategies_guess_all_codes_alike(game, message, strategy):
    with pytest.raises(StrategyError, match=f"{strategy} {message}"):
        play_sample(game, strategy, 3)
    with pytest.raises(StrategyError, match=f"{strategy} {message}"):
        start_online(strategy, game)
