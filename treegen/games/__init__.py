"""Games: what a code is, what may be secret, how a guess is answered, how codes are written.

`base` says what every game has; `pegs`, `codebook` and `questions` are the kinds; `names` finds a
game by its name. What the pages of docs/ use stands here.
"""

from .feedback import make_rule as make_rule
from .names import parse_game as parse_game
