"""Durable appends per second on both databases, and the status of a large campaign.

``python benchmarks/campaigns.py [postgresql+psycopg://user@host/database]`` prints the figures.
"""

import sys
import tempfile
import time
from pathlib import Path

from steelyard.campaigns import Answer, Ledger, Protocol, record_results, start_campaign
from steelyard.journey.campaigns.campaign import Campaign

__all__ = ["main"]

SECONDS = 5.0
LARGE = 1_000_000
BATCH = 20_000


def main() -> None:
    """Measure every database that was named, a file in a temporary folder first."""
    with tempfile.TemporaryDirectory() as folder:
        for where in (str(Path(folder) / "bench.db"), *sys.argv[1:]):
            kind = "PostgreSQL" if "://" in where else "SQLite"
            ledger = Ledger(where, create=True)
            for items in (1, 100):
                appended(ledger, kind, items)
            ledger.close()
        large(str(Path(folder) / "large.db"))


def appended(ledger: Ledger, kind: str, items: int) -> None:
    """Append batches of so many items of two systems for some seconds."""
    name = f"items-{items}-{time.time_ns()}"
    start_campaign(ledger, name, Protocol(systems=("a", "b"), rule="n >= 10000000", step=1000))
    batches, started = 0, time.perf_counter()
    while (spent := time.perf_counter() - started) < SECONDS:
        record_results(ledger, name, _batch(batches, items))
        batches += 1
    each = batches / spent
    print(f"{kind}: {each:,.0f} durable batches of {2 * items} results a second", end="")
    print(f" ({each * 2 * items:,.0f} results a second)", flush=True)


def large(where: str) -> None:
    """Fill a campaign with a million results and ask for its status."""
    ledger = Ledger(where, create=True)
    rule = "best >= 0.999999999 or n >= 10000000"
    start_campaign(ledger, "large", Protocol(systems=("a", "b"), rule=rule, step=1000))
    started = time.perf_counter()
    for number in range(LARGE // (2 * BATCH)):
        record_results(ledger, "large", _batch(number, BATCH))
    print(f"filled with {LARGE:,} results in {time.perf_counter() - started:.1f} s", flush=True)
    ledger.close()
    campaign = Campaign.open(where)
    for _ in range(3):
        started = time.perf_counter()
        status = campaign.status()
        spent = time.perf_counter() - started
        print(f"status of {status.results:,} results in {spent * 1e3:.1f} ms", flush=True)


def _batch(number: int, items: int) -> list[Answer]:
    return [
        Answer(f"{number}-{place}", system, (number * 7 + place * 3 + bit) % 5 > 0)
        for place in range(items)
        for bit, system in enumerate(("a", "b"))
    ]


if __name__ == "__main__":
    main()
