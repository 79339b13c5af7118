import pytest

from . import mutate


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """The checker in C, with sanitizers; None without a compiler."""
    return mutate.compile_checker(tmp_path_factory.mktemp("checker"))
