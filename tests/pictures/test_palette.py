"""Colors of pegs, as people without red or green cones see them, and what is written on them."""

from itertools import combinations

import numpy as np
import pytest

from treegen.pictures.picture import choose_ink, list_paints

PAINTS = list_paints(10)

# Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB.
SIGHTS = {
    "usual": np.eye(3),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
         [-0.011820, 0.042940, 0.968881]]
    ),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
         [-0.003882, -0.048116, 1.051998]]
    ),
}  # fmt: skip
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
     [0.0193339, 0.1191920, 0.9503041]]
)  # fmt: skip
WHITE = np.array([0.95047, 1.0, 1.08883])


def make_linear(paint):
    share = np.array([int(paint[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def make_lab(linear):
    ratio = TO_XYZ @ np.clip(linear, 0, 1) / WHITE
    x, y, z = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def differ(one, other):
    """Return the difference of two colors by CIEDE2000."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    grey = 1.5 - 0.5 * np.sqrt(chroma**7 / (chroma**7 + 25**7))
    c1, c2 = np.hypot(grey * a1, b1), np.hypot(grey * a2, b2)
    h1, h2 = (np.degrees(np.arctan2(b, grey * a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180
    hue = (h1 + turn / 2) % 360
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    waves = ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.2, 4, -63))
    weight = 1 + sum(share * np.cos(np.radians(n * hue + by)) for share, n, by in waves)
    by_light = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2))
    by_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    by_hue = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * chroma * weight)
    blue = np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    turned = -2 * np.sqrt(chroma**7 / (chroma**7 + 25**7)) * blue
    return np.sqrt(by_light**2 + by_chroma**2 + by_hue**2 + turned * by_chroma * by_hue)


def test_the_difference_is_that_of_the_published_examples():
    """Sharma, Wu and Dalal (2005), pairs 1, 7 and 25."""
    assert differ((50, 2.6772, -79.7751), (50, 0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert differ((50, 0, 0), (50, -1, 2)) == pytest.approx(2.3669, abs=1e-4)
    assert differ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387)) == pytest.approx(
        1.2644, abs=1e-4
    )


@pytest.mark.parametrize(("sight", "all_of_them", "first_six"), [
    ("usual", 23, 30), ("deuteranopia", 18, 21), ("protanopia", 17, 19),
])  # fmt: skip
def test_everybody_tells_the_colors_apart(sight, all_of_them, first_six):
    seen = [make_lab(SIGHTS[sight] @ make_linear(paint)) for paint in PAINTS]
    assert min(differ(*pair) for pair in combinations(seen, 2)) > all_of_them
    assert min(differ(*pair) for pair in combinations(seen[:6], 2)) > first_six


@pytest.mark.parametrize("paint", PAINTS)
def test_symbols_can_be_read_on_every_color(paint):
    """By WCAG's contrast, level AA."""
    dark, light = sorted(TO_XYZ[1] @ make_linear(one) for one in (paint, choose_ink(paint)))
    assert (light + 0.05) / (dark + 0.05) > 4.5
