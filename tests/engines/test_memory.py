import pytest

from steelyard.engines import memory
from steelyard.engines.local import LocalEngine
from steelyard.engines.memory import memory_budget, say_bytes
from steelyard.errors import RequestError


@pytest.mark.parametrize(
    ("written", "size"),
    [("1.5GiB", 3 * 2**29), ("2g", 2**31), ("800MB", 800 * 2**20), (2**30, 2**30), ("1 T", 2**40)],
)
def test_amounts_are_read_as_people_write_them(written, size):
    assert memory_budget(written) == size


@pytest.mark.parametrize("written", ["much", "-1GB", "1 MB", "0", "1.5.5G", ""])
def test_amounts_that_make_no_sense_are_refused(written):
    with pytest.raises(RequestError, match=r"written like 1\.5GiB"):
        memory_budget(written)


def test_by_default_half_of_the_machine_is_used(monkeypatch, tmp_path):
    monkeypatch.setattr(memory, "LIMIT", tmp_path / "none")
    whole = memory_budget()
    monkeypatch.setattr(memory, "LIMIT", tmp_path / "limit")
    (tmp_path / "limit").write_text("max\n")
    assert memory_budget() == whole
    (tmp_path / "limit").write_text(f"{2**30}\n")
    assert memory_budget() == 2**29


def test_the_database_is_held_to_half_of_the_memory():
    ((limit,),) = LocalEngine(memory="2GiB").run("SELECT current_setting('memory_limit')")
    assert limit == "1.0 GiB"


def test_amounts_are_said_for_people():
    assert say_bytes(2**29) == "512 MiB"
