"""Time of the local page: from the command to the first answer, and from a key to the next picture.

python benchmarks/page.py                  print the table (needs Chromium)
python benchmarks/page.py --rows 100000    a smaller file
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from statistics import median

__all__ = ["main"]

PORT = 8399
STEP = """async () => {
  const stop = document.getElementById("stop");
  const spent = [];
  for (let turn = 0; turn < 60; turn++) {
    stop.value = String((Number(stop.value) + 1) % Number(stop.max));
    const began = performance.now();
    stop.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
    spent.push(performance.now() - began);
  }
  return spent;
}"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure the local page.")
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the file")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        table = _written(Path(folder), chosen.rows)
        starts = [_started(Path(folder)) for _ in range(3)]
        counted, steps = _visited(Path(folder), table)
    print(f"| start to first answer | {min(starts):.2f} s |")
    print(f"| {chosen.rows:,d} rows, choice of the file to the drawn page | {counted:.1f} s |")
    print(f"| slider step to repaint, median | {median(steps):.1f} ms |")
    print(f"| slider step to repaint, slowest of {len(steps)} | {max(steps):.1f} ms |")
    return 0 if max(steps) < 50 else 1


def _written(folder: Path, rows: int) -> Path:
    """Write a file of scores of two systems, all different."""
    import numpy as np
    import pyarrow as pa
    from pyarrow import parquet

    rng = np.random.default_rng(0)
    truth = rng.random(rows) < 0.3
    columns = {"truth": np.where(truth, "ship", "sea")}
    for name, gap in (("cnn", 1.6), ("svm", 1.2)):
        columns[name] = rng.normal(size=rows) + gap * truth
    parquet.write_table(pa.table(columns), folder / "scores.parquet")
    return folder / "scores.parquet"


def _serve(folder: Path, *words: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "steelyard", "serve", *words, "--no-browser"]
    place = ["--port", str(PORT), "--state", str(folder / "state")]
    return subprocess.Popen([*command, *place], stderr=subprocess.DEVNULL)


def _answers() -> bool:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{PORT}/session", timeout=2).close()
    except (urllib.error.URLError, OSError):
        return False
    return True


def _started(folder: Path) -> float:
    began = time.perf_counter()
    running = _serve(folder)
    while not _answers():
        time.sleep(0.01)
    spent = time.perf_counter() - began
    running.terminate()
    running.wait()
    return spent


def _visited(folder: Path, table: Path) -> tuple[float, list[float]]:
    """Open the page in a real browser, wait for the drawing, then move the slider."""
    from playwright.sync_api import sync_playwright

    running = _serve(folder, str(table))
    while not _answers():
        time.sleep(0.05)
    words = ["serve", "--url", "--port", str(PORT), "--state", str(folder / "state")]
    found = subprocess.run(
        [sys.executable, "-m", "steelyard", *words], capture_output=True, text=True, check=True
    )
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page()
        page.goto(found.stdout.strip())
        key = page.evaluate("document.querySelectorAll('#data option')[1].value")
        began = time.perf_counter()
        page.goto(f"http://127.0.0.1:{PORT}/evaluate?data={key}&positive=ship")
        page.wait_for_selector("body[data-drawn=true]", timeout=180_000)
        counted = time.perf_counter() - began
        steps: list[float] = page.evaluate(STEP)
        browser.close()
    running.terminate()
    running.wait()
    return counted, steps


if __name__ == "__main__":
    sys.exit(main())
