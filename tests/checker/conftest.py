import pytest

from . import mutate


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """The checker in C, with sanitizers; None without a compiler."""
    return mutate.compile_checker(tmp_path_factory.mktemp("checker"))


@pytest.fixture
def judge(program, tmp_path):
    """Return whether both checkers take a certificate, and what each says: see `mutate.judge`."""

    def judge_both(data, words=(), table=None):
        return mutate.judge(program, data, words, tmp_path, table)

    return judge_both
