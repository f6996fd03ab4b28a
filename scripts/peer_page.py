"""Write docs/explanation/peers.md: the same answers weighed by evalstats and by Steelyard.

python scripts/peer_page.py PYTHON     PYTHON is an interpreter that has evalstats installed

The peer is no part of this project's environments: put it into one of its own,
``python -m venv peer && peer/bin/pip install evalstats==0.3.3``.
"""

import csv
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

__all__ = ["main"]

ROOT = Path(__file__).resolve().parent.parent
LETTERS = ROOT / "src/steelyard/data/letter_labels.csv"
PAGE = ROOT / "docs/explanation/peers.md"
MARK = "<!-- {} -->"


def main(python: str) -> None:
    """Run both and put what they print into the page."""
    with TemporaryDirectory() as folder:
        scores = Path(folder) / "letters.csv"
        _write_right_and_wrong(scores)
        cli = str(Path(python).parent / "evalstats")
        peer, peer_seconds = _run([cli, "analyze", scores.name, "--factor", "model"], folder)
        ours, our_seconds = _run(
            [str(Path(sys.executable).parent / "steelyard"), "compare", LETTERS.name],
            str(LETTERS.parent),
        )
    text = PAGE.read_text(encoding="utf-8")
    text = _between(text, "steelyard", _fenced(ours))
    text = _between(text, "evalstats", _fenced(peer))
    cost = (
        f"| | Steelyard | evalstats |\n|---|---|---|\n"
        f"| lines printed | {len(ours.splitlines())} | {len(peer.splitlines())} |\n"
        f"| CPU seconds, starting included | {our_seconds:.1f} | {peer_seconds:.1f} |"
    )
    PAGE.write_text(_between(text, "cost", cost), encoding="utf-8")


def _write_right_and_wrong(path: Path) -> None:
    with LETTERS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    systems = [name for name in rows[0] if name not in {"id", "truth"}]
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["model", "input", "score"])
        for row in rows:
            for name in systems:
                table.writerow([name, row["id"], int(row[name] == row["truth"])])


def _run(command: list[str], folder: str) -> tuple[str, float]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout.strip("\n"), spent


def _fenced(text: str) -> str:
    lines = [line.rstrip() for line in text.splitlines()]
    return "```text\n" + "\n".join(lines) + "\n```"


def _between(text: str, name: str, new: str) -> str:
    """Put ``new`` between the two marks of a name."""
    start, end = MARK.format(name), MARK.format(f"end of {name}")
    before, rest = text.split(start)
    return f"{before}{start}\n\n{new}\n\n{end}{rest.split(end)[1]}"


if __name__ == "__main__":
    main(sys.argv[1])
