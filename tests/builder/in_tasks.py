"""Builds in tasks that are cut small: users get tasks that suit a game, and small games one."""

from contextlib import contextmanager

import treegen
from treegen.builder.distribute import build_sharded
from treegen.tasks.cluster import open_workers


@contextmanager
def build_in_tasks(game, strategy, folder, *, jobs=0, **options):
    """Build a tree in tasks of `task_pairs` pairs of guess and candidate; it lasts as the context.

    `jobs` workers run the tasks; 0: this thread. The other options are those of `build_sharded`.
    """
    rule = strategy
    if isinstance(rule, str):
        rule = treegen.make_chain(*rule.split(","))
    if not jobs:
        with build_sharded(game, rule, folder, **options) as tree:
            yield tree
        return
    with (
        open_workers(jobs=jobs) as workers,
        build_sharded(game, rule, folder, workers=workers, **options) as tree,
    ):
        yield tree
