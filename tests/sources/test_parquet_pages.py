"""Pages against their checksums, as another writer left them."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.engines.local import LocalEngine
from steelyard.errors import FileUnreadable, SteelyardError
from steelyard.sources import Roles, open_predictions
from steelyard.sources.files.typed import check_pages, page_header

ROWS = 5000
WAYS = {
    "plain": {"compression": "none", "use_dictionary": False},
    "dictionary": {"compression": "snappy", "use_dictionary": True},
    "second version": {"compression": "zstd", "data_page_version": "2.0"},
    "many pages": {"compression": "none", "data_page_size": 512, "row_group_size": 700},
}


def written(path, *, checksums=True, **how):
    rng = np.random.default_rng(0)
    columns = {
        "truth": pa.array(np.where(rng.random(ROWS) < 0.4, "ship", "sea")),
        "cnn": pa.array(rng.random(ROWS)),
        "note": pa.array([None, [1, 2]] * (ROWS // 2)),
    }
    pq.write_table(pa.table(columns), path, write_page_checksum=checksums, **how)
    return path


def flipped(path, place):
    held = bytearray(path.read_bytes())
    held[place] ^= 1
    path.write_bytes(held)


@pytest.mark.parametrize("how", WAYS)
def test_a_sound_file_passes_and_a_flipped_bit_in_any_page_does_not(how, tmp_path):
    path = written(tmp_path / "a.parquet", **WAYS[how])
    chunks = LocalEngine().parquet_chunks(path)
    assert len(chunks) >= 3
    assert check_pages(path, "a.parquet", chunks)
    for start, length in chunks[:3]:
        flipped(path, start + length - 1)
        with pytest.raises(FileUnreadable, match="does not match its checksum"):
            check_pages(path, "a.parquet", chunks)
        flipped(path, start + length - 1)


def test_a_flipped_bit_is_refused_before_anything_is_counted(tmp_path):
    path = written(tmp_path / "a.parquet", **WAYS["plain"])
    roles = Roles.of(positive="ship", systems=["cnn"])
    open_predictions(str(path), roles)
    start, length = LocalEngine().parquet_chunks(path)[1]
    flipped(path, start + length // 2)
    with pytest.raises(FileUnreadable) as refusal:
        open_predictions(str(path), roles)
    assert refusal.value.code == "damaged"
    assert "Copy the file again" in str(refusal.value)


def test_pages_without_checksums_are_left_to_the_database(tmp_path):
    path = written(tmp_path / "a.parquet", checksums=False, **WAYS["plain"])
    chunks = LocalEngine().parquet_chunks(path)
    assert page_header(path.read_bytes(), chunks[0][0]).checksum is None
    flipped(path, chunks[1][0] + chunks[1][1] // 2)
    assert not check_pages(path, "a.parquet", chunks)


@pytest.mark.parametrize("broken", ["a run of no values", "a second dictionary", "a name no text"])
def test_what_arrow_cannot_decode_is_refused_where_the_database_would_fill_it(broken, tmp_path):
    """Without checksums the database made calls of one class out of each of the first two."""
    path = tmp_path / "a.parquet"
    calls = list("xyxyyxxxxxxx")
    table = pa.table({"truth": list("yxxyyxyxxyyy"), "a": calls})
    pq.write_table(table, path, store_schema=False)
    assert open_predictions(str(path), Roles.of(truth="truth")).systems[0].name == "a"
    held = bytearray(path.read_bytes())
    start, _ = LocalEngine().parquet_chunks(path)[int(broken != "a second dictionary")]
    dictionary = page_header(bytes(held), start)
    second = dictionary.data + dictionary.size
    page = page_header(bytes(held), second)
    run = held.index(b"\x01\x05", page.data) + 1  # after the width: two groups of eight values
    assert held[second + 1] == 0
    place, value = {
        "a run of no values": (run, 1),
        "a second dictionary": (second + 1, 4),
        "a name no text": (held.index(b"\x18\x01a") + 2, 0x95),
    }[broken]
    held[place] = value
    path.write_bytes(held)
    with pytest.raises(SteelyardError):
        open_predictions(str(path), Roles.of(truth="truth"))


@given(st.binary(max_size=200))
def test_bytes_that_are_no_header_never_crash(held):
    found = page_header(held, 0)
    assert found is None or found.size >= 0


def test_a_list_that_claims_more_than_the_file_holds_ends_at_once():
    """A header of a few bytes may say that 2^62 single bytes follow."""
    many = bytes([0x80] * 8 + [0x40])
    assert page_header(bytes([0x19, 0xF3]) + many + bytes(40), 0) is None
