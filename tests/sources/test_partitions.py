"""Folders of Parquet, whose names carry values."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import steelyard as sy
from steelyard.errors import FileUnreadable, RolesUnclear
from steelyard.sources.files.partitions import partition_values

TRUTH = list("abababab")
CALLS = {"cnn": list("ababababaa")[:8], "svm": list("aaaaabab")}


def write(folder, **columns):
    folder.mkdir(parents=True)
    pq.write_table(pa.table(columns), folder / "part-0.parquet")


@pytest.fixture
def lake(tmp_path):
    """Two systems and two splits, as Spark writes them."""
    for split in ("test", "dev"):
        for name, called in CALLS.items():
            items = [f"{split}{n}" for n in range(len(TRUTH))]
            folder = tmp_path / "lake" / f"split={split}" / f"model={name}%2F1"
            write(folder, item=items, truth=TRUTH, called=called)
    (tmp_path / "lake" / "_SUCCESS").touch()
    (tmp_path / "lake" / "_temporary").mkdir()
    (tmp_path / "lake" / "_temporary" / "left.parquet").write_bytes(b"half a file")
    return tmp_path / "lake"


def test_partitions_may_be_any_role(lake):
    found = sy.evaluate(str(lake), system="model", group="split")
    assert {one.system: one.accuracy.successes for one in found.systems} == {
        "cnn/1": 16,
        "svm/1": 12,
    }
    assert [part.of for part in found.systems[0].slices] == ["dev", "test"]
    inputs = found.provenance.inputs
    assert len(inputs) == 4
    assert inputs[0].name == "split=dev/model=cnn/1/part-0.parquet"
    assert inputs[0].read_as == "Parquet, partitioned by split, model"


def test_a_partition_without_a_role_is_no_system_and_is_named(lake):
    found = sy.evaluate(str(lake / "split=test" / "model=cnn%2F1" / "part-0.parquet"))
    assert [one.system for one in found.systems] == ["called"]
    assert "the folders' split, model were not used" in str(found.provenance.understood)


def test_a_pattern_gives_the_same_as_its_folder(lake):
    whole = sy.compare(str(lake), system="model")
    pattern = sy.compare(str(lake / "split=*" / "*" / "*.parquet"), system="model")
    assert whole.systems == pattern.systems


def test_values_stay_text_and_a_missing_one_is_missing():
    assert partition_values("a/n=007/x=__HIVE_DEFAULT_PARTITION__/y==z/f.parquet") == {
        "n": "007",
        "x": None,
    }
    assert partition_values("a=b.parquet") == {}


def test_a_truth_may_be_a_folder_beside_whole_numbers(tmp_path):
    for truth in (0, 1):
        write(tmp_path / "d" / f"truth={truth}", svm=[truth, 0])
    assert sy.evaluate(str(tmp_path / "d")).systems[0].accuracy.successes == 3


def test_a_column_in_both_places_is_refused(tmp_path):
    write(tmp_path / "split=test", split=["dev"], truth=["a"], svm=["a"])
    with pytest.raises(RolesUnclear, match="two columns have one name"):
        sy.evaluate(str(tmp_path / "split=test"))


def test_folders_with_other_keys_are_refused(tmp_path):
    write(tmp_path / "d" / "split=test", truth=["a"], svm=["a"])
    write(tmp_path / "d" / "day=1", truth=["a"], svm=["a"])
    with pytest.raises(FileUnreadable, match="differ"):
        sy.evaluate(str(tmp_path / "d"))


def test_a_folder_without_parquet_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text("truth,svm\na,a\n")
    with pytest.raises(FileUnreadable, match="no Parquet files and no logs in it"):
        sy.evaluate(str(tmp_path))
