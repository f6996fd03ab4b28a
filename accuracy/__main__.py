"""`make accuracy`: compute the references in 70 digits, keep 30 of them, and say our digits.

python -m accuracy            what is kept already stays; goes on where it stopped
python -m accuracy --again    everything anew
python -m accuracy NAME ...   anew what belongs to functions whose names begin so
"""

import json
import sys
import time
from pathlib import Path

from accuracy.cases import CASES, found_path, kept_path

__all__: list[str] = []

PAUSE = 5.0
"""Seconds of work after which what was found is put on disk."""


def main() -> None:
    """Go through the registry."""
    wanted = tuple(word for word in sys.argv[1:] if not word.startswith("--"))
    before = {} if "--again" in sys.argv[1:] else _kept(wanted)
    kept: dict[str, list[str]] = {}
    found: dict[str, list[float]] = {}
    saved = time.monotonic()
    for case in CASES:
        started = time.monotonic()
        kept[case.name] = before.get(case.name) or list(case.right())
        if case.name not in before and time.monotonic() - saved > PAUSE:
            _keep(kept_path(), {**before, **kept})
            saved = time.monotonic()
        found[case.name] = [round(one, 1) for one in case.digits(kept[case.name])]
        if case.name not in before:
            took = time.monotonic() - started
            sys.stdout.write(f"{min(found[case.name]):5.1f} {took:6.1f} s  {case.name[:100]}\n")
            sys.stdout.flush()
    _keep(kept_path(), kept)
    _keep(found_path(), found)


def _kept(wanted: tuple[str, ...]) -> dict[str, list[str]]:
    path = kept_path()
    told = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {name: one for name, one in told.items() if not (wanted and name.startswith(wanted))}


def _keep(path: Path, what: object) -> None:
    text = json.dumps(what, indent=1, ensure_ascii=False)
    path.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
