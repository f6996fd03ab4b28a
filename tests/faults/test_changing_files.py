"""A file that changes while it is read: no answer is made of two files, or of half a one."""

import os
import threading
from pathlib import Path

import polars as pl
import pytest

import steelyard as sy
from steelyard.errors import SteelyardError
from steelyard.sources.files import reader_files
from steelyard.sources.shapes import trial_lists

ROWS = 400


def rows(wrong: bool) -> pl.DataFrame:
    """All calls right, or all wrong: a mixture of both files is seen at once."""
    truth = ["cat", "dog"] * (ROWS // 2)
    called = ["dog", "cat"] * (ROWS // 2) if wrong else truth
    items = [f"{n:04d}" for n in range(ROWS)]
    return pl.DataFrame({"item": items, "truth": truth, "cnn": called, "svm": called})


WRITERS = {
    "rows.csv": lambda frame, path: frame.write_csv(path),
    "rows.jsonl": lambda frame, path: frame.write_ndjson(path),
    "rows.parquet": lambda frame, path: frame.write_parquet(path),
    "rows.arrow": lambda frame, path: frame.write_ipc(path),
}


def replaced(path: Path) -> None:
    new = path.with_name(f"new-{path.name}")
    WRITERS[path.name](rows(wrong=True), new)
    new.replace(path)


def rewritten(path: Path) -> None:
    kept = path.with_name(f"kept-{path.name}")
    WRITERS[path.name](rows(wrong=True), kept)
    with path.open("r+b") as file:
        file.write(kept.read_bytes())
        file.truncate()


def truncated(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def appended(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"\n")


def dated_back(path: Path) -> None:
    """The same size and the same date, as a careless copy leaves them."""
    seen = path.stat()
    content = path.read_bytes()
    path.write_bytes(content.replace(b"cat", b"dog"))
    os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))


class Meddler:
    """Changes the file once, after so many statements of the engine."""

    def __init__(self, change, path: Path, after: int) -> None:
        self.change, self.path, self.after = change, path, after

    def __call__(self, statement: object) -> None:
        self.after -= 1
        if self.after == 0:
            self.change(self.path)


@pytest.mark.parametrize("change", [replaced, rewritten, truncated, appended, dated_back])
@pytest.mark.parametrize("name", list(WRITERS))
def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path, name, change):
    path = tmp_path / name
    WRITERS[name](rows(wrong=False), path)
    with pytest.raises(SteelyardError, match="the file changed while it was read") as refused:
        sy.compare(str(path), observe=Meddler(change, path, after=4))
    assert refused.value.code == "file-changed"
    assert "copy it first, and ask again" in str(refused.value)


def test_one_of_many_shards_that_changes_is_named(tmp_path):
    frame = rows(wrong=False)
    for n in range(3):
        frame[n * 100 : (n + 1) * 100].write_parquet(tmp_path / f"part-{n}.parquet")
    change = Meddler(lambda path: os.utime(path), tmp_path / "part-1.parquet", after=9)
    with pytest.raises(SteelyardError, match=r"part-1\.parquet: the file changed"):
        sy.evaluate(str(tmp_path / "*.parquet"), observe=change)


def test_a_file_for_each_system_is_watched(tmp_path):
    frame = rows(wrong=False)
    for name in ("cnn", "svm"):
        frame.select("item", "truth", called=name).write_csv(tmp_path / f"{name}.csv")
    paths = {name: str(tmp_path / f"{name}.csv") for name in ("cnn", "svm")}
    change = Meddler(appended, tmp_path / "cnn.csv", after=9)
    with pytest.raises(SteelyardError, match=r"cnn\.csv: the file changed"):
        sy.compare(paths, observe=change)


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_numbers_belong_to_the_digest_whatever_a_writer_does(tmp_path, name):
    """A race: the file is replaced again and again, and every answer given is of one of the two."""
    right, wrong, path = tmp_path / f"right-{name}", tmp_path / f"wrong-{name}", tmp_path / name
    WRITERS[name](rows(wrong=False), right)
    WRITERS[name](rows(wrong=True), wrong)
    truths = {sy.evaluate(str(one)).provenance.inputs[0].sha256: share for one, share in
              ((right, 1.0), (wrong, 0.0))}  # fmt: skip
    path.write_bytes(right.read_bytes())
    done = threading.Event()

    def write() -> None:
        turn = 0
        while not done.wait(0.05):
            turn += 1
            copy = tmp_path / f"copy-{turn}"
            copy.write_bytes((wrong if turn % 2 else right).read_bytes())
            copy.replace(path)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(12):
            try:
                answer = sy.evaluate(str(path))
            except SteelyardError as refused:
                assert refused.code == "file-changed"
            else:
                share = truths[answer.provenance.inputs[0].sha256]
                assert [one.accuracy.value for one in answer.systems] == [share, share]
    finally:
        done.set()
        writer.join()


def test_a_file_that_stays_is_answered_as_before(tmp_path):
    path = tmp_path / "rows.csv"
    rows(wrong=False).write_csv(path)
    assert sy.evaluate(str(path)).provenance.inputs[0].bytes == path.stat().st_size


class Turncoat:
    """Leads a link to the other file and back with every statement of the engine."""

    def __init__(self, link: Path, files: tuple[Path, Path]) -> None:
        self.link, self.files, self.turn = link, files, 0

    def __call__(self, statement: object) -> None:
        self.turn += 1
        other = self.link.with_name("other link")
        other.symlink_to(self.files[self.turn % 2])
        other.replace(self.link)


@pytest.mark.parametrize("name", list(WRITERS))
@pytest.mark.parametrize("verb", [sy.evaluate, sy.compare])
def test_a_link_is_followed_once(tmp_path, name, verb):
    """A link that leads to another file meanwhile, and back before the end, changes nothing."""
    right, wrong, link = tmp_path / f"right-{name}", tmp_path / f"wrong-{name}", tmp_path / name
    WRITERS[name](rows(wrong=False), right)
    WRITERS[name](rows(wrong=True), wrong)
    link.symlink_to(right)
    turning = verb(str(link), observe=Turncoat(link, (right, wrong)))
    plain = verb(str(right))
    assert turning.rows() == plain.rows()
    assert turning.provenance.inputs[0].sha256 == plain.provenance.inputs[0].sha256
    assert turning.provenance.inputs[0].name == name


def read_values(path: str, observe: object) -> object:
    return sy.compare(path, value=["cnn", "svm"], lower_is_better=True, observe=observe)


def read_calls(path: str, observe: object) -> object:
    return sy.compare(path, observe=observe)


@pytest.mark.parametrize("ask", [read_calls, read_values])
def test_a_change_after_any_statement_leaves_no_number_of_another_file(tmp_path, ask):
    """A digest may be taken between two statements; rows that are read later belong to it, too."""
    path, told = tmp_path / "rows.parquet", []
    frame = rows(wrong=False)[:60]
    other = rows(wrong=True)[:60]
    if ask is read_values:
        frame, other = (
            one.select("item", cnn=pl.Series(range(60)) % k, svm=pl.Series(range(60)) % 7)
            for one, k in ((frame, 5), (other, 11))
        )
    frame.write_parquet(path)
    plain = ask(str(path), told.append)
    for after in range(1, len(told) + 1):
        frame.write_parquet(path)

        def change(file: Path) -> None:
            other.write_parquet(tmp_path / "new")
            (tmp_path / "new").replace(file)

        try:
            found = ask(str(path), Meddler(change, path, after=after))
        except SteelyardError as refused:
            assert refused.code == "file-changed"
        else:
            assert found.systems == plain.systems
            assert found.provenance.inputs[0].sha256 == plain.provenance.inputs[0].sha256


@pytest.mark.parametrize("moment", range(1, 8))
def test_a_file_that_is_gone_before_it_is_opened_is_refused_in_words(tmp_path, monkeypatch, moment):
    """Whoever opens it for the so many-th time finds it gone; patterns list what may go."""
    for name in ("one.parquet", "two.parquet"):
        rows(wrong=False)[:60].write_parquet(tmp_path / name)
    left, opened = [moment], Path.open

    def open_or_lose(path: Path, *given, **more):
        if path.name == "two.parquet":
            left[0] -= 1
            if left[0] == 0:
                path.unlink()
        return opened(path, *given, **more)

    monkeypatch.setattr(Path, "open", open_or_lose)
    try:
        sy.evaluate(str(tmp_path / "*.parquet"))
    except SteelyardError as refused:
        assert "two.parquet: the file c" in str(refused)  # changed, or cannot be opened
    else:
        assert left[0] > 0


def test_a_table_of_published_results_belongs_to_its_digest(tmp_path, monkeypatch):
    from steelyard.sources import leaderboards

    path = tmp_path / "board.csv"
    path.write_text("model,accuracy,n\na,81.2%,500\nb,79.4%,500\n")
    read = leaderboards.read_head

    def read_and_replace(file: Path):
        head = read(file)
        (tmp_path / "new").write_text("model,accuracy,n\na,11.2%,500\nb,79.4%,500\n")
        (tmp_path / "new").replace(file)
        return head

    assert [one.system for one in sy.compare(str(path)).systems] == ["a", "b"]
    monkeypatch.setattr(leaderboards, "read_head", read_and_replace)
    with pytest.raises(SteelyardError, match="the file changed while it was read"):
        sy.compare(str(path))


def trials(path: Path, *, wrong: bool) -> None:
    sign = -1 if wrong else 1
    rows = [f"e{n} t{n} {sign * (3 * (n % 2) + n / 100):.2f}" for n in range(40)]
    path.write_text("\n".join(rows) + "\n")


def key(path: Path, *, wrong: bool) -> None:
    rows = [f"e{n} t{n} {'target' if (n % 2) != wrong else 'nontarget'}" for n in range(40)]
    path.write_text("\n".join(rows) + "\n")


def study(path: Path, *, wrong: bool) -> None:
    rows = [f"-1,c{n},truth,{n % 2}" for n in range(20)]
    sign = -1 if wrong else 1
    rows += [
        f"r{who},c{n},m{what},{sign * (n % 2) * what + (n * 7 + who * 3) % 5}"
        for who in range(3) for n in range(20) for what in (1, 2)
    ]  # fmt: skip
    path.write_text("\n".join(["BEGIN DATA:", *rows]))


LINES = {
    "a list of scores": ("trial_lists", trials, "s.txt"),
    "the key of trials": ("trial_lists", key, "key.txt"),
    "a reader study": ("reader_files", study, "s.imrmc"),
}


@pytest.mark.parametrize("name", list(LINES))
@pytest.mark.parametrize("nth", [1, 2])
def test_lists_of_lines_belong_to_their_digest(tmp_path, monkeypatch, name, nth):
    module, write, changed = LINES[name]
    for path, make in (("s.txt", trials), ("key.txt", key), ("s.imrmc", study)):
        make(tmp_path / path, wrong=False)
    ask = {"truth": str(tmp_path / "key.txt"), "positive": "target"}
    verb, asked = (sy.compare, {}) if changed == "s.imrmc" else (sy.evaluate, ask)
    data = str(tmp_path / ("s.imrmc" if changed == "s.imrmc" else "s.txt"))
    verb(data, **asked)
    place = {"trial_lists": trial_lists, "reader_files": reader_files}[module]
    read, left = place._lines, [nth]

    def read_and_replace(path: Path):
        lines = read(path)
        left[0] -= 1
        if left[0] == 0:
            write(tmp_path / "new", wrong=True)
            (tmp_path / "new").replace(tmp_path / changed)
        return lines

    monkeypatch.setattr(place, "_lines", read_and_replace)
    if changed == "s.imrmc" and nth > 1:  # which is read once
        verb(data, **asked)
        return
    with pytest.raises(SteelyardError, match="the file changed while it was read"):
        verb(data, **asked)
