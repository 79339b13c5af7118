"""Tasks and their workers: this process, its threads, other processes, a cluster.

`run` hands tasks to workers and `checkpoint` keeps what they finish, in whatever place they work:
threads are in `background`, a scheduler of dask in `cluster`.
"""
