"""Run the long form of every certificate that has no result yet: ``python -m certificates``."""

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from certificates.declaration import Certificate, Found
from certificates.keeping import is_kept, keep, kept, kept_found
from certificates.registry import CERTIFICATES, FAMILIES, timed
from certificates.search import cell_words

__all__ = ["core_seconds", "main", "worst_cells"]


def main(given: list[str] | None = None) -> int:
    """Run what is missing, keep each result as it comes, and list worst cells and what failed."""
    asked = _arguments().parse_args(given)
    chosen = [one for name, one in CERTIFICATES.items() if asked.only in f"{one.family}: {name}"]
    if asked.worst:
        print("\n".join(worst_cells(chosen)))
        return 0
    missing = [one for one in chosen if asked.again or not is_kept(one)]
    _say(f"{len(chosen)} certificates, {len(chosen) - len(missing)} finished before")
    started = time.monotonic()
    wrong = []
    # Fresh processes, each with one thread: many small matrices are no work to share.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=asked.workers, mp_context=fresh) as pool:
        running = {pool.submit(timed, one.name): one for one in missing}
        for number, done in enumerate(as_completed(running), start=1):
            one, (found, seconds) = running[done], done.result()
            keep(one, found, set(CERTIFICATES), seconds=seconds)
            borne_out = one.borne_out(found)
            wrong += [] if borne_out else [one.name]
            _say(f"{number}/{len(missing)} {_line(one, found)} ({seconds:.1f} s)")
    _say("\n".join(worst_cells(chosen)))
    _say(f"done in {time.monotonic() - started:.0f} s; {core_seconds()}")
    for name in wrong:
        _say(f"OUTSIDE ITS CLAIM: {name}")
    return 1 if wrong else 0


def worst_cells(chosen: Sequence[Certificate]) -> list[str]:
    """Say for every search what its long form found in the worst cell, as it is kept."""
    lines = []
    for one in chosen:
        stored = kept(one.family).get(one.name)
        found = None if stored is None else kept_found(stored)
        if found is not None and found.cell is not None:
            cells = f"worst of {found.more['cells']:,.0f} cells"
            lines.append(f"{_line(one, found)}; {cells}: {cell_words(found.cell)}")
    return lines


def core_seconds() -> str:
    """Say how long one core would take for all long forms together, as far as it is kept."""
    entries = [entry for family in FAMILIES for entry in kept(family).values()]
    known = [entry["seconds"] for entry in entries if "seconds" in entry]
    return f"{len(known)} of {len(entries)} certificates took {sum(known):,.0f} s of one core"


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make certificates", description=__doc__)
    parser.add_argument("--only", default="", help="those with this text in 'family: name'")
    parser.add_argument("--again", action="store_true", help="also those that were finished")
    parser.add_argument(
        "--worst", action="store_true", help="run nothing; list the worst cells that are kept"
    )
    parser.add_argument("--workers", type=int, default=2, help="processes at a time")
    return parser


def _line(one: Certificate, found: Found) -> str:
    low, high = one.falls_short or one.allowed
    ok = "ok" if one.borne_out(found) else "OUTSIDE"
    return f"{one.family}: {one.name}: {found.share:.4f} in [{low}, {high}] {ok}"


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
