"""What an installation weighs, and how long it and a first answer take: the table of the page.

``python scripts/install_sizes.py WHEEL [EXTRA...]`` installs the wheel with each extra in an
environment of its own, with the pinned versions, and writes the table into the page on installing.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

__all__ = ["measure", "write_table"]

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/how-to/install.md"
BLOCK = re.compile(r"(<!-- sizes -->\n).*?(<!-- /sizes -->)", re.DOTALL)
ROW = re.compile(r"^\| `(steelyard(?:\[[a-z,-]+\])?)` \|.*$", re.MULTILINE)
SKIPPED = {"all", "dev", "docs", "inspect", "spark", "spark-connect"}
"""Not measured unless asked for: tools, and what brings a cluster along."""

TOP = 3


def main(wheel: str, *extras: str) -> None:
    """Measure, and renew the rows of what was measured."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    every = ["", *(one for one in project["optional-dependencies"] if one not in SKIPPED)]
    rows = {}
    for extra in extras or every:
        name = "" if extra == "core" else extra
        rows[_name(name)] = measure(Path(wheel), name)
        print(rows[_name(name)])
    write_table(rows)


def _name(extra: str) -> str:
    return f"steelyard[{extra}]" if extra else "steelyard"


def measure(wheel: Path, extra: str) -> str:
    """Install in an environment of its own; give the row of the table."""
    uv = Path(sys.executable).parent / "uv"
    with tempfile.TemporaryDirectory() as folder:
        venv = Path(folder) / "venv"
        _run(uv, "venv", "--quiet", "--python", sys.executable, venv)
        asked = f"{wheel.resolve()}[{extra}]" if extra else str(wheel.resolve())
        start = time.perf_counter()
        python, pins = venv / "bin/python", ROOT / "constraints.txt"
        _run(uv, "pip", "install", "--quiet", "--python", python, "--constraints", pins, asked)
        seconds = time.perf_counter() - start
        (packages,) = (venv / "lib").glob("python*/site-packages")
        sizes = _sizes(packages)
        help_ms = _help(venv / "bin/steelyard")
    largest = sorted(sizes.items(), key=lambda one: -one[1])[:TOP]
    said = ", ".join(f"{name} {size / 1e6:.0f}" for name, size in largest)
    total = sum(sizes.values())
    infos = sum(1 for name in sizes if name.endswith(".dist-info"))
    return (
        f"| `{_name(extra)}` | {total / 1e6:.0f} MB | {infos} | {seconds:.0f} s | {help_ms:.0f} ms "
        f"| {said} |"
    )


def _sizes(packages: Path) -> dict[str, int]:
    """Add up the files of each package; libraries and binaries count with the one they serve."""
    found: dict[str, int] = {}
    for entry in packages.iterdir():
        files = entry.rglob("*") if entry.is_dir() else [entry]
        size = sum(file.stat().st_size for file in files if file.is_file())
        name = entry.name if entry.name.endswith(".dist-info") else entry.name.split(".")[0]
        found[name.lstrip("_")] = found.get(name.lstrip("_"), 0) + size
    return found


def _help(command: Path) -> float:
    """Take the CPU time of ``--help``, the least of three after one that compiles."""
    times = []
    for _ in range(4):
        before = os.times()
        _run(command, "--help")
        after = os.times()
        used = after.children_user + after.children_system
        times.append(used - before.children_user - before.children_system)
    return 1000 * min(times[1:])


def _run(*words: object) -> None:
    subprocess.run(list(map(str, words)), check=True, stdout=subprocess.DEVNULL)


def write_table(rows: dict[str, str]) -> None:
    """Put measured rows into the table of the page; the others stay as they were."""
    text = PAGE.read_text(encoding="utf-8")
    block = BLOCK.search(text)
    assert block is not None, "the page has no place for the table"
    kept = {found[1]: found[0] for found in ROW.finditer(block[0])} | rows
    head = "| what | unpacked | packages | to install | `--help` | most of it, in MB |\n"
    lines = "".join(f"{row}\n" for row in kept.values())
    table = f"{head}|---|---|---|---|---|---|\n{lines}"
    PAGE.write_text(BLOCK.sub(rf"\g<1>{table}\g<2>", text), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
