"""Files the page may read: by digest, never by a name that somebody sent."""

import hashlib
import os
import re

import click
import pytest

from steelyard.sources import Shards
from steelyard.surfaces.cli.commands.serve import _register
from steelyard.surfaces.web.uploads import Uploads, state_folder

EVIL_NAMES = [
    "../../etc/passwd",
    "..%2f..%2fx.csv",
    "/etc/passwd",
    "..\\..\\x.csv",
    "a\x00b.csv",
    ".",
    "..",
    "",
    "x" * 5000 + ".csv",
    "CON.csv",
    "a/b\\c.csv",
    "<img src=x onerror=alert(1)>.csv",
    "\u202egnp.csv",
    "name.with.many.dots.CSV",
    "a.reallylongending",
]
CONTENT = b"truth,svm\na,a\nb,a\n"


def send(client, name, content=CONTENT):
    from urllib.parse import quote

    return client.post("/files", content=content, headers={"X-File-Name": quote(name)})


@pytest.mark.parametrize("name", EVIL_NAMES)
def test_an_upload_is_kept_under_its_digest_whatever_it_is_called(client, here, tmp_path, name):
    kept = send(client, name).json()
    assert kept["data"] == hashlib.sha256(CONTENT).hexdigest()
    own = here.uploads.folder / kept["data"]
    outside = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert all(path.parent in {own, here.uploads.folder, here.folder} for path in outside)
    files = sorted(path.name for path in here.uploads.folder.iterdir())
    assert files == [kept["data"], f"{kept['data']}.note"]
    (file,) = own.iterdir()
    assert re.fullmatch(r"[\w ,@+()-][\w .,@+()-]{0,90}", file.name)
    assert "/" not in kept["name"]
    assert "\\" not in kept["name"]
    assert 0 < len(kept["name"]) <= 200


def test_the_same_content_is_kept_once_and_found_again_after_a_restart(client, here):
    key = send(client, "a.csv").json()["data"]
    assert send(client, "b.tsv").json()["data"] == key
    assert [one.key for one in here.uploads.list_files() if not one.example] == [key]
    again = Uploads(here.folder)
    assert again.find(key).name == "b.tsv"
    assert again.find(key).paths[0].read_bytes() == CONTENT


@pytest.mark.parametrize("key", ["", "x", "../token", "0" * 64, "..", "A" * 64, "a\x00"])
def test_a_key_that_is_not_there_says_what_to_do(here, key):
    with pytest.raises(ValueError, match="steelyard serve FILE"):
        here.uploads.find(key)


def test_a_link_that_was_put_into_the_folder_leads_nowhere(here, tmp_path):
    secret = tmp_path / "secret.csv"
    secret.write_text("truth,a\n")
    key = "f" * 64
    (here.uploads.folder / f"{key}.note").write_text(
        f'{{"name": "x", "file": "{key}/../../secret.csv"}}'
    )
    with pytest.raises(ValueError, match="is not here"):
        here.uploads.find(key)
    (here.uploads.folder / key).mkdir()
    (here.uploads.folder / key / "x.csv").symlink_to(secret)
    (here.uploads.folder / f"{key}.note").write_text(f'{{"name": "x", "file": "{key}/x.csv"}}')
    with pytest.raises(ValueError, match="is not here"):
        here.uploads.find(key)
    (here.uploads.folder / key / "x.csv").unlink()
    (here.uploads.folder / key).rmdir()
    (here.uploads.folder / key).symlink_to(tmp_path)
    (here.uploads.folder / f"{key}.note").write_text(f'{{"name": "x", "file": "{key}/secret.csv"}}')
    with pytest.raises(ValueError, match="is not here"):
        here.uploads.find(key)
    (here.uploads.folder / f"{key}.note").write_text("damaged")
    with pytest.raises(ValueError, match="is not here"):
        here.uploads.find(key)


def test_what_was_named_at_the_start_is_read_in_place_and_never_deleted(client, here, tmp_path):
    file = tmp_path / "mine.csv"
    file.write_bytes(CONTENT)
    key = here.uploads.register(str(file), (str(file),)).key
    assert here.uploads.find(key).paths == (file,)
    assert client.delete(f"/files/{key}").status_code == 422
    assert file.exists()


def test_an_upload_can_be_forgotten(client, here):
    key = send(client, "a.csv").json()["data"]
    assert client.delete(f"/files/{key}").status_code == 200
    assert list(here.uploads.folder.iterdir()) == []
    assert client.delete(f"/files/{key}").status_code == 422


def test_the_state_folder_is_the_users(tmp_path):
    assert state_folder(str(tmp_path), {}) == tmp_path
    assert state_folder(None, {"XDG_STATE_HOME": "/s"}).as_posix() == "/s/steelyard"
    assert state_folder(None, {}).as_posix().endswith(".local/state/steelyard")


def replaced(path):
    """Other content of the same size and date, as a careless copy leaves it."""
    seen = path.stat()
    path.with_name("new").write_bytes(path.read_bytes()[::-1])
    os.utime(path.with_name("new"), ns=(seen.st_atime_ns, seen.st_mtime_ns))
    path.with_name("new").replace(path)


@pytest.mark.parametrize("given", ["a.csv", "link.csv", "*.csv", "folder", "shards"])
def test_what_was_named_has_another_stamp_whenever_its_content_is_another(tmp_path, given):
    kept = Uploads(tmp_path / "state")
    for name in ("a.csv", "b.csv", "folder/a.parquet"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("truth,a\nx,y\n")
    (tmp_path / "link.csv").symlink_to("a.csv")
    data = {"svm": str(tmp_path / given), "rf": str(tmp_path / "b.csv")}
    if given == "shards":
        data["svm"] = Shards([str(tmp_path / "a.csv"), str(tmp_path / "link.csv")])
    offered = kept.register(data, ("svm=x", "rf=b.csv"))
    before = offered.stamp()
    assert before == offered.stamp()
    assert offered.bytes() > 0
    replaced(tmp_path / ("folder/a.parquet" if given == "folder" else "a.csv"))
    after = offered.stamp()
    assert after != before
    if given == "link.csv":
        (tmp_path / "link.csv").unlink()
        (tmp_path / "link.csv").symlink_to("b.csv")
        assert offered.stamp() != after


def test_shards_of_a_system_are_served_and_standard_input_is_not(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.csv", "b.csv", "c.csv"):
        (tmp_path / name).write_text("truth,a\nx,y\n")
    kept = Uploads(tmp_path / "state")
    key = _register(kept, ("svm=a.csv", "svm=b.csv", "rf=c.csv")).partition("data=")[2]
    assert [path.name for path in kept.find(key).paths] == ["a.csv", "b.csv", "c.csv"]
    for files in (("-",), ("svm=-", "rf=c.csv")):
        with pytest.raises(click.UsageError, match="standard input only once"):
            _register(kept, files)


def rows_of(ids, calls, name):
    return (
        f"id,{name}\n" + "".join(f"{a},{b}\n" for a, b in zip(ids, calls, strict=True))
    ).encode()


IDS = [f"i{place:02}" for place in range(40)]
TRUE = ["cat" if place % 3 else "dog" for place in range(40)]
ONE = [
    {"cat": "dog", "dog": "cat"}[one] if place % 5 == 0 else one for place, one in enumerate(TRUE)
]
TWO = [
    {"cat": "dog", "dog": "cat"}[one] if place % 4 == 1 else one for place, one in enumerate(TRUE)
]


@pytest.fixture
def three(client):
    """Drop the answers of two systems, and the truth."""
    named = {"one.csv": (ONE, "pred"), "two.csv": (TWO, "pred"), "answers.csv": (TRUE, "label")}
    return {
        name: send(client, name, rows_of(IDS, *given)).json()["data"]
        for name, given in named.items()
    }


def test_files_that_are_dropped_together_are_a_system_each_with_their_truth_in_another(
    ask, three, tmp_path, here
):
    together = f"{three['one.csv']}~{three['two.csv']}"
    found = ask("compare", data=together, truth_file=three["answers.csv"])
    right = [sum(a == b for a, b in zip(TRUE, said, strict=True)) for said in (ONE, TWO)]
    said = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", found["html"]))
    for name, count in zip(("one", "two"), right, strict=True):
        assert re.search(rf"{name} .*?{count / 40:.3f}", said), (name, said[:400])
    assert found["command"] == "steelyard compare one.csv two.csv --truth answers.csv"
    assert 'sy.compare(["one.csv", "two.csv"], truth="answers.csv")' in found["python"]
    named = ask("compare", data=together, truth_file=three["answers.csv"], truth="label")
    assert named["command"] == "steelyard compare one.csv two.csv --truth answers.csv:label"
    assert '<option value="label" selected' in named["understood"]
    assert str(here.folder) not in str(found) + str(named)


@pytest.mark.parametrize("page", ["evaluate", "compare", "gate", "agreement"])
def test_no_file_is_read_as_the_truth_that_was_not_dropped(ask, three, tmp_path, page):
    """A path in a link was opened, and its values were shown."""
    (tmp_path / "secret.csv").write_bytes(rows_of(IDS, ["hidden"] * 40, "word"))
    for truth in (f"{tmp_path}/secret.csv:word", f"{tmp_path}/secret.csv"):
        found = (
            ask(page, data=three["one.csv"], truth=truth, require="accuracy>=0.5")
            if (page == "gate")
            else ask(page, data=three["one.csv"], truth=truth)
        )
        assert "never named, on a page" in found["refused"]
        assert "hidden" not in str(found)


def test_the_file_that_alone_says_what_is_true_is_named_for_its_control(ask, three):
    data = "~".join(three.values())
    found = ask("compare", data=data)
    assert "“Truth in a file of its own”: answers.csv and “True class”: label" in found["refused"]
    assert found["field"] == "truth_file"


def test_files_together_are_forgotten_together(client, three, here):
    data = f"{three['one.csv']}~{three['two.csv']}"
    assert here.uploads.find(data).name == "one.csv, two.csv"
    assert client.delete(f"/files/{data}").json() == {"forgotten": True}
    left = [one.key for one in here.uploads.list_files() if not one.example]
    assert left == [three["answers.csv"]]
