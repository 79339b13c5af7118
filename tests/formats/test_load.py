"""Files that hold a tree: told apart, and refused with one line that says what is wrong."""

import os
import threading
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treegen import FormatError, build, read, verify

from ..make_invalid import FOLDER, generate_files
from ..small_games import make_pair
from ..written import bytes_of, seal, seal_table

INVALID = sorted(FOLDER.iterdir())
EXPECTED = {name: (data, message) for name, data, message in generate_files()}
PROFILES = ["full", "lean", "slim"]
TREE = build(make_pair("p2c3r")[0], "max,consistent")
FILES = {
    "tree": bytes_of(TREE, "tree"),
    **{profile: bytes_of(TREE, "table", profile=profile) for profile in PROFILES},
}


def test_the_folder_of_invalid_files_is_what_its_script_makes():
    assert len(INVALID) >= 20
    assert {path.name: path.read_bytes() for path in INVALID} == {
        name: data for name, (data, _) in EXPECTED.items()
    }


@pytest.mark.parametrize("path", INVALID, ids=lambda path: path.name)
def test_invalid_files_are_refused_in_one_line(path):
    with pytest.raises(FormatError) as caught:
        read(path)
    message = str(caught.value)
    assert EXPECTED[path.name][1] in message
    assert message.startswith(repr(str(path)))
    assert "\n" not in message


@pytest.mark.parametrize("form", FILES)
def test_files_are_told_apart_by_their_first_bytes(tmp_path, form):
    path = tmp_path / "no-suffix"
    path.write_bytes(FILES[form])
    assert read(path).digest == TREE.digest
    assert read(FILES[form]).digest == TREE.digest


@pytest.mark.parametrize("form", FILES)
def test_a_tree_is_read_from_a_pipe(tmp_path, form):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    thread = threading.Thread(target=pipe.write_bytes, args=(FILES[form],))
    thread.start()
    assert read(pipe).digest == TREE.digest
    thread.join()


@pytest.mark.parametrize("form", FILES)
def test_a_file_that_is_cut_at_any_byte_is_refused(form):
    for length in range(len(FILES[form])):
        with pytest.raises(FormatError):
            read(FILES[form][:length])


@pytest.mark.parametrize("form", FILES)
def test_every_single_changed_byte_is_noticed(form):
    data = FILES[form]
    for at in range(len(data)):
        for flip in (1, 0x10, 0x80, 0xFF):
            damaged = bytearray(data)
            damaged[at] ^= flip
            with pytest.raises(FormatError):
                read(bytes(damaged))


@pytest.mark.parametrize("form", PROFILES)
def test_every_changed_byte_of_a_table_whose_checksum_fits_is_noticed(form):
    body = FILES[form][:-5]
    minor = 6  # readers take any minor version
    for at in range(len(body)):
        for flip in (1, 0x80) if at != minor else ():
            damaged = bytearray(body)
            damaged[at] ^= flip
            sealed = seal_table(damaged)
            try:
                report = verify(sealed)
            except FormatError as error:
                assert "\n" not in str(error)
                continue
            if not report.problems:
                assert read(sealed).provenance.strategy != TREE.provenance.strategy, (at, flip)


@given(st.sampled_from([*FILES]), st.data())
def test_random_damage_raises_nothing_else(form, data):
    n_last, reseal = (32, seal) if form == "tree" else (5, seal_table)
    damaged = bytearray(FILES[form][:-n_last])
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at] = data.draw(st.integers(0, 255))
    with suppress(FormatError):
        verify(reseal(bytes(damaged)))


@pytest.mark.parametrize("source", ["/dev/null", "", ".", "no/such/file", "nul\0byte"], ids=repr)
def test_what_is_no_file_is_refused(source):
    with pytest.raises(FormatError):
        read(source)


def test_endless_input_is_not_read_to_its_end():
    with pytest.raises(FormatError, match="neither"):
        read("/dev/zero")


@pytest.mark.skipif(os.getuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_refused(tmp_path):
    path = tmp_path / "x.tree"
    path.write_bytes(FILES["tree"])
    path.chmod(0)
    with pytest.raises(FormatError, match="Permission denied"):
        read(path)
