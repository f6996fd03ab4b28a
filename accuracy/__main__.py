"""`make accuracy`: compute the references in 70 digits, keep 30 of them, and say our digits.

python -m accuracy            what is kept already stays; goes on where it stopped
python -m accuracy --again    everything anew
"""

import json
import sys
from pathlib import Path

from accuracy.cases import CASES, found_path, kept_path
from accuracy.digits import lre

__all__: list[str] = []


def main() -> None:
    """Go through the registry."""
    path = kept_path()
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if "--again" in sys.argv[1:]:
        before = {}
    kept: dict[str, list[str]] = {}
    found: dict[str, list[float]] = {}
    for case in CASES:
        kept[case.name] = before.get(case.name) or list(case.right())
        digits = [lre(ours, one) for ours, one in zip(case.ours(), kept[case.name], strict=True)]
        sys.stdout.write(f"{min(digits):5.1f}  {case.name[:110]}\n")
        sys.stdout.flush()
        found[case.name] = [round(one, 1) for one in digits]
        if case.name not in before:
            _keep(kept_path(), {**before, **kept})
    _keep(kept_path(), kept)
    _keep(found_path(), found)


def _keep(path: Path, what: object) -> None:
    text = json.dumps(what, indent=1, ensure_ascii=False)
    path.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
