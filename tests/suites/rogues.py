#!/usr/bin/env python3
"""Algorithms that misbehave, each in its own way; run as: rogues.py NAME [ARGUMENT] job.json."""

import csv
import json
import os
import socket
import sys
import time
from pathlib import Path


def _out(rows):
    with Path("out.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)


def _items():
    job = json.loads(Path(sys.argv[-1]).read_text())
    with Path(job["test"]).open(newline="") as file:
        ids = [row[0] for row in csv.reader(file)][1:]
    return [one["name"] for one in job["classes"]], ids


def good():
    names, ids = _items()
    _out([["id", *names], *([one, *range(1, len(names) + 1)] for one in ids)])


def hang():
    if os.fork() == 0:
        os.setsid()
    while True:
        time.sleep(1)


def spin():
    while True:
        pass


def flood():
    while True:
        os.write(1, b"x" * 65536)


def big_file():
    with Path("big").open("wb") as file:
        while True:
            file.write(b"x" * (1 << 20))
            file.flush()


def fork():
    while True:
        os.fork()


def eat():
    held = []
    while True:
        held.append(bytearray(b"x" * (8 << 20)))


def short():
    names, ids = _items()
    _out([["id", *names[:-1]], *([one, *[1] * (len(names) - 1)] for one in ids)])


def fewer():
    names, ids = _items()
    _out([["id", *names], *([one, *[1] * len(names)] for one in ids[1:])])


def negative():
    names, ids = _items()
    _out([["id", *names], *([one, -1, *[1] * (len(names) - 1)] for one in ids)])


def zeros():
    names, ids = _items()
    _out([["id", *names], *([one, *[0] * len(names)] for one in ids)])


def silent():
    pass


def crash():
    os.abort()


def network():
    socket.create_connection(("192.0.2.1", 80), timeout=5)


def _cheat(order):
    """Call the first half of the original order one class, the second half the other."""
    names, ids = _items()
    rows = [
        [one, int(at < len(ids) / 2), int(at >= len(ids) / 2)]
        for one, at in zip(ids, order, strict=True)
    ]
    _out([["id", *names], *rows])


def by_seed():
    """Undo a shuffle that was drawn from the seed in the job."""
    import numpy as np

    job = json.loads(Path(sys.argv[-1]).read_text())
    number = len(_items()[1])
    _cheat(np.random.default_rng([job["seed"], number]).permutation(number).tolist())


def by_original():
    """Look up where each test item stands in the table of the suite."""
    with Path(sys.argv[2]).open(newline="") as file:
        places = {row[1]: at for at, row in enumerate(list(csv.reader(file))[1:])}
    with Path("test.csv").open(newline="") as file:
        _cheat([places[row[1]] for row in list(csv.reader(file))[1:]])


def spy():
    """Answer from the answers, if they can be read; say so if they cannot."""
    with Path(sys.argv[2]).open(newline="") as file:
        rows = list(csv.reader(file))
    if not rows:
        sys.exit("the answers are empty")
    good()


def look():
    """Look for the answers wherever else they may lie, and name what can be read."""
    found = [one for one in sys.argv[2:-1] if Path(one).is_file() and Path(one).read_bytes()]
    if found:
        sys.exit(f"the answers stand in {found}")
    good()


if __name__ == "__main__":
    globals()[sys.argv[1]]()
