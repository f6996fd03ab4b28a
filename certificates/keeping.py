"""What long runs found, kept as JSON: one file for each family."""

import json
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy
import scipy

import steelyard
from certificates.declaration import Certificate, Found

__all__ = ["RESULTS", "is_kept", "keep", "kept", "kept_found"]

RESULTS = Path(__file__).parent / "results"


def kept(family: str, folder: Path = RESULTS) -> dict[str, Any]:
    """Read what is kept of a family, by the name of the certificate."""
    path = folder / f"{family}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def is_kept(one: Certificate, folder: Path = RESULTS) -> bool:
    """Tell whether a result of this very declaration is kept."""
    stored = kept(one.family, folder).get(one.name)
    return stored is not None and stored["declared"] == one.declared()


def kept_found(stored: Mapping[str, Any]) -> Found:
    """Read back what was found."""
    return Found(**stored["found"])


def keep(
    one: Certificate,
    found: Found,
    known: set[str],
    folder: Path = RESULTS,
    *,
    seconds: float | None = None,
) -> None:
    """Write a result at once, whole or not at all, and drop those that are no longer declared."""
    stored = {name: entry for name, entry in kept(one.family, folder).items() if name in known}
    stored[one.name] = {
        "declared": one.declared(),
        "found": {
            "share": float(found.share),
            "draws": int(found.draws),
            "hits": None if found.hits is None else int(found.hits),
            "undefined": found.undefined,
            "more": dict(found.more),
            **({} if found.cell is None else {"cell": dict(found.cell)}),
        },
        **({} if seconds is None else {"seconds": round(seconds, 1)}),
        "versions": {
            "steelyard": steelyard.__version__,
            "numpy": numpy.__version__,
            "scipy": scipy.__version__,
            "python": platform.python_version(),
        },
    }
    folder.mkdir(exist_ok=True)
    path = folder / f"{one.family}.json"
    unfinished = path.with_suffix(".unfinished")
    text = json.dumps(dict(sorted(stored.items())), indent=1, ensure_ascii=False)
    unfinished.write_text(text + "\n", encoding="utf-8")
    unfinished.replace(path)
