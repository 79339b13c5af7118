"""The builder: from game and strategy to the complete tree.

Builds in tasks are in `distribute`: a tree built here needs none of its modules.
"""

from __future__ import annotations

from .choose import Halt as Halt
from .choose import check_size as check_size
from .choose import estimate_codebook_build as estimate_codebook_build
from .choose import list_useful_openings as list_useful_openings
from .choose import make_first_level as make_first_level
from .choose import make_rule as make_rule
from .choose import refuse_breach as refuse_breach
from .grow import build_tree as build_tree
