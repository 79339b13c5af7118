"""Builds in tasks that are cut small: users get tasks that suit a game, and small games one."""

import treegen
from treegen.builder.grow import build_sharded
from treegen.tasks.cluster import open_workers


def build_in_tasks(game, strategy, folder, *, jobs=0, **options):
    """Return a tree that was built in tasks of `task_pairs` pairs of guess and candidate.

    `jobs` workers run the tasks; 0: this thread. The other options are those of `build_sharded`.
    """
    rule = strategy
    if isinstance(rule, str):
        rule = treegen.make_chain(*rule.split(","))
    if not jobs:
        return build_sharded(game, rule, folder, **options)
    with open_workers(jobs=jobs) as workers:
        return build_sharded(game, rule, folder, workers=workers, **options)
