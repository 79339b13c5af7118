"""Strategies for codes too long for a tree: they choose each guess during play.

`named` lists them and starts one, which is an `OnlineStrategy` (`player`). What docs/long-codes.md
uses stands here.
"""

from .named import draw_secret as draw_secret
from .named import score_colors as score_colors
from .named import start_online as start_online
