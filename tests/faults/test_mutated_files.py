"""Files with flipped, cut, doubled and inserted bytes: a refusal, or what is really in them.

2,000 mutated files in every run, 100,000 in the long form. Where a change of bytes leaves a file
that can be read, another reader (Python's own csv and json, pyarrow, zipfile) says what is in it.
STEELYARD_MUTATIONS=7 takes other files: the same for the same number.
"""

import csv
import io
import json
import os
import shutil
import signal
import unicodedata
import zipfile
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import settings

from steelyard.campaigns import Answer, Ledger, Protocol, record_results, start_campaign
from steelyard.errors import SteelyardError
from steelyard.journey.campaigns.campaign import Campaign
from steelyard.sources.opening import open_predictions
from steelyard.sources.roles.declared import Roles
from steelyard.tally import tally_confusion, tally_trials

LONG = settings().max_examples >= settings.get_profile("long").max_examples
TIMES = 50 if LONG else 1
SHARES = {"csv": 80, "jsonl": 60, "parquet": 100, "eval": 100, "db": 1660 if LONG else 660}
"""How many mutated files are of each kind: those that need a database engine are dear."""
BLOCKS = 4
SEED = int(os.environ.get("STEELYARD_MUTATIONS", "41"))
HANG = 60
"""Seconds after which a file counts as one that hangs; reading takes a twentieth of one."""
LOG = Path(__file__).parents[1] / "sources/logs/data/inspect_ai/alpha.eval"
ROLES = Roles(truth="truth", systems=("a",), item="id")
TOKENS = (
    b",",
    b'"',
    b"\n",
    b"\r\n",
    b"\x00",
    b"\xff\xfe",
    b"nan",
    b"-",
    b"1e999",
    b"{",
    b"]",
    b"\\u0000",
)


def rows():
    """Twelve items, two classes and an answer to each."""
    drawn = np.random.default_rng(8).integers(0, 2, size=(12, 2))
    return [(f"i{n}", "xy"[one], "xy"[two]) for n, (one, two) in enumerate(drawn.tolist())]


def as_csv(path):
    lines = ["id,truth,a", *(",".join(row) for row in rows())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def as_jsonl(path):
    lines = [json.dumps(dict(zip(("id", "truth", "a"), row, strict=True))) for row in rows()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def as_parquet(path):
    columns = zip(*rows(), strict=True)
    table = pa.table(
        {name: list(column) for name, column in zip(("id", "truth", "a"), columns, strict=True)}
    )
    pq.write_table(table, path, store_schema=False)  # pyarrow refuses where its copy is broken


def as_log(path):
    shutil.copy(LOG, path)


def as_ledger(path):
    ledger = Ledger(str(path), create=True)
    start_campaign(ledger, "c", Protocol(systems=("a", "b"), rule="best >= 0.99 or n >= 50"))
    for batch in range(3):
        answers = [
            Answer(f"i{batch}{n}", system, bool((n + batch) % 2) or system == "a")
            for n in range(4)
            for system in "ab"
        ]
        record_results(ledger, "c", answers)
    ledger.close()


WRITE = {"csv": as_csv, "jsonl": as_jsonl, "parquet": as_parquet, "eval": as_log, "db": as_ledger}


def flip(content, place, span, rng):
    del span
    content[place] ^= 1 << int(rng.integers(0, 8))


def replace(content, place, span, rng):
    del span
    content[place] = int(rng.integers(0, 256))


def cut(content, place, span, rng):
    del rng
    del content[place : place + span]


def double(content, place, span, rng):
    del rng
    content[place:place] = content[place : place + span]


def insert(content, place, span, rng):
    del span
    content[place:place] = TOKENS[int(rng.integers(0, len(TOKENS)))]


def blank(content, place, span, rng):
    del rng
    content[place : place + span] = bytes(len(content[place : place + span]))


def end(content, place, span, rng):
    del span, rng
    del content[place:]


CHANGES = (flip, replace, cut, double, insert, blank, end)


def mutated(given, rng):
    """Change the bytes in one to three places."""
    content = bytearray(given)
    for _ in range(int(rng.integers(1, 4))):
        if content:
            change = CHANGES[int(rng.integers(0, len(CHANGES)))]
            change(content, int(rng.integers(0, len(content))), int(rng.integers(1, 40)), rng)
    return bytes(content)


@contextmanager
def watched():
    """Turn a hang into an error."""

    def ring(number, frame):
        del number, frame
        message = f"still reading after {HANG} s"
        raise TimeoutError(message)

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(HANG)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def counted(path):
    """Count truth by called, as Steelyard does; None where it refuses."""
    try:
        opened = open_predictions(str(path), ROLES)
        table = tally_confusion(opened, opened.systems[0])
    except SteelyardError:
        return None
    return Counter({(truth, called): n for truth, called, n in table.cells})


def plain(text):
    if isinstance(text, bytes):  # the note that a column holds text was lost, not the text
        text = text.decode()
    return unicodedata.normalize("NFC", str(text))


def from_csv(content):
    text = content.decode("utf-8-sig")
    read = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    header = [plain(name).strip("\ufeff \t\r\n") for name in read[0]]
    truth, called = header.index("truth"), header.index("a")
    return Counter((plain(row[truth]), plain(row[called])) for row in read[1:])


def once(pairs):
    """Nobody can tell which of two values counts, so there is nothing to agree about."""
    assert len(dict(pairs)) == len(pairs), "an object that says one thing twice was counted"
    return dict(pairs)


def from_jsonl(content):
    lines = [line for line in content.decode("utf-8-sig").splitlines() if line.strip()]
    read = [json.loads(line, object_pairs_hook=once) for line in lines]
    return Counter((plain(row["truth"]), plain(row["a"])) for row in read)


def from_parquet(content):
    table = pq.read_table(pa.BufferReader(content), columns=["truth", "a"])
    columns = [table.column(name).to_pylist() for name in ("truth", "a")]
    return Counter(zip(*([plain(cell) for cell in column] for column in columns), strict=True))


OTHERS = {"csv": from_csv, "jsonl": from_jsonl, "parquet": from_parquet}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Every kind of file as it should be."""
    folder = tmp_path_factory.mktemp("whole")
    found = {}
    for kind, write in WRITE.items():
        write(folder / f"whole.{kind}")
        found[kind] = (folder / f"whole.{kind}").read_bytes()
    return found


def inputs(whole, kind, block):
    rng = np.random.default_rng([SEED, block, *kind.encode()])
    for _ in range(TIMES * SHARES[kind] // BLOCKS):
        yield mutated(whole[kind], rng)


@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("kind", OTHERS)
def test_a_table_is_refused_or_counted_as_another_reader_counts_it(whole, kind, block, tmp_path):
    path = tmp_path / f"mutated.{kind}"
    for content in inputs(whole, kind, block):
        path.write_bytes(content)
        with watched():
            ours = counted(path)
        if ours is not None:
            assert ours == OTHERS[kind](content), content


def told(path):
    """Right answers and items of the log; None where it is refused."""
    try:
        trials = tally_trials(open_predictions(str(path), Roles(scorer=("match",))))
    except SteelyardError:
        return None
    return trials.correct, trials.tested


@pytest.mark.parametrize("block", range(BLOCKS))
def test_a_log_is_refused_or_says_what_it_said(whole, block, tmp_path):
    """An archive has a checksum of every part, so nothing else can be right."""
    path = tmp_path / "mutated.eval"
    path.write_bytes(whole["eval"])
    first = told(path)
    assert first is not None
    for content in inputs(whole, "eval", block):
        path.write_bytes(content)
        with watched():
            ours = told(path)
        assert ours in (None, first), content


def stands(path):
    """Status and check of the campaign; None where the ledger is refused or found out."""
    try:
        campaign = Campaign.open(str(path))
        try:
            status, check = campaign.status(), campaign.verify()
        finally:
            campaign.ledger.close()
    except SteelyardError:
        return None
    return status.to_json() if check.bad is None else None


@pytest.mark.parametrize("block", range(BLOCKS))
def test_a_ledger_is_refused_found_out_or_says_what_it_said(whole, block, tmp_path):
    path = tmp_path / "mutated.db"
    path.write_bytes(whole["db"])
    first = stands(path)
    assert first is not None
    for content in inputs(whole, "db", block):
        for left in tmp_path.glob("mutated.db-*"):
            left.unlink()
        path.write_bytes(content)
        with watched():
            ours = stands(path)
        assert ours in (None, first), content


def test_every_kind_of_change_happens_and_the_numbers_add_up(whole):
    assert sum(SHARES.values()) == (2000 if LONG else 1000)
    some = [mutated(whole["csv"], np.random.default_rng(seed)) for seed in range(60)]
    assert any(len(one) < len(whole["csv"]) for one in some)
    assert any(len(one) > len(whole["csv"]) for one in some)
    assert any(len(one) == len(whole["csv"]) and one != whole["csv"] for one in some)
    assert zipfile.is_zipfile(io.BytesIO(whole["eval"]))
    assert from_csv(whole["csv"]) == from_jsonl(whole["jsonl"]) == from_parquet(whole["parquet"])
