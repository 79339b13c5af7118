"""Files that hold a tree: told apart, and refused with one line that says what is wrong."""

import os
import threading
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treegen.builder.grow import build_tree
from treegen.errors import FormatError
from treegen.formats.load import load_tree
from treegen.formats.table import make_table
from treegen.formats.tree_file import generate_tree_bytes
from treegen.strategies.strategy import parse_chain
from treegen.verifier.verify import verify_tree

from ..make_invalid import FOLDER, generate_files
from ..small_games import make_pair

INVALID = sorted(FOLDER.iterdir())
EXPECTED = {name: (data, message) for name, data, message in generate_files()}
PROFILES = ["full", "lean", "slim"]
TREE = build_tree(make_pair("p2c3r")[0], parse_chain("max,consistent"))
FILES = {
    "tree": b"".join(generate_tree_bytes(TREE)),
    **{profile: make_table(TREE, profile=profile) for profile in PROFILES},
}


def test_the_folder_of_invalid_files_is_what_its_script_makes():
    assert len(INVALID) >= 20
    assert {path.name: path.read_bytes() for path in INVALID} == {
        name: data for name, (data, _) in EXPECTED.items()
    }


@pytest.mark.parametrize("path", INVALID, ids=lambda path: path.name)
def test_invalid_files(path):
    with pytest.raises(FormatError) as caught:
        load_tree(path)
    message = str(caught.value)
    assert EXPECTED[path.name][1] in message
    assert message.startswith(repr(str(path)))
    assert "\n" not in message


@pytest.mark.parametrize("form", FILES)
def test_files_are_told_apart_by_their_first_bytes(tmp_path, form):
    path = tmp_path / "no-suffix"
    path.write_bytes(FILES[form])
    assert load_tree(path).tree.digest == TREE.digest
    assert load_tree(FILES[form]).tree.digest == TREE.digest


@pytest.mark.parametrize("form", FILES)
def test_a_pipe_is_read(tmp_path, form):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    thread = threading.Thread(target=pipe.write_bytes, args=(FILES[form],))
    thread.start()
    assert load_tree(pipe).tree.digest == TREE.digest
    thread.join()


@pytest.mark.parametrize("form", FILES)
def test_truncated_at_every_byte(form):
    for length in range(len(FILES[form])):
        with pytest.raises(FormatError):
            load_tree(FILES[form][:length])


@pytest.mark.parametrize("form", FILES)
def test_every_single_changed_byte(form):
    data = FILES[form]
    for at in range(len(data)):
        for flip in (1, 0x10, 0x80, 0xFF):
            damaged = bytearray(data)
            damaged[at] ^= flip
            with pytest.raises(FormatError):
                load_tree(bytes(damaged))


@pytest.mark.parametrize("form", PROFILES)
def test_every_single_changed_byte_of_a_table_with_a_checksum_that_fits(form):
    body = FILES[form][:-5]
    minor = 6  # readers take any minor version
    for at in range(len(body)):
        for flip in (1, 2, 0x80) if at != minor else ():
            damaged = bytearray(body)
            damaged[at] ^= flip
            sealed = bytes(damaged) + b"\xce" + crc32(damaged).to_bytes(4, "big")
            try:
                again = load_tree(sealed, check=False)
            except FormatError as error:
                assert "\n" not in str(error)
                continue
            if again.tree.provenance.strategy != TREE.provenance.strategy:
                continue
            assert verify_tree(again.tree, again.claims).problems, f"byte {at} ^ {flip} passed"


@given(st.sampled_from(PROFILES), st.data())
def test_random_damage_of_a_table_raises_nothing_else(form, data):
    damaged = bytearray(FILES[form][:-5])
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at] = data.draw(st.integers(0, 255))
    sealed = bytes(damaged) + b"\xce" + crc32(damaged).to_bytes(4, "big")
    try:
        again = load_tree(sealed, check=False)
    except FormatError:
        return
    verify_tree(again.tree, again.claims)


@pytest.mark.parametrize("source", ["/dev/null", "", ".", "no/such/file", "nul\0byte"], ids=repr)
def test_what_is_no_file(source):
    with pytest.raises(FormatError):
        load_tree(source)


def test_endless_input_is_not_read_to_its_end():
    with pytest.raises(FormatError, match="neither"):
        load_tree("/dev/zero")


@pytest.mark.skipif(os.getuid() == 0, reason="root may read everything")
def test_an_unreadable_file(tmp_path):
    path = tmp_path / "x.tree"
    path.write_bytes(FILES["tree"])
    path.chmod(0)
    with pytest.raises(FormatError, match="Permission denied"):
        load_tree(path)
