"""The table of CONTRIBUTING.md is what ``scripts/house`` counts."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_contributing_shows_how_large_the_house_is():
    counted = subprocess.run(
        [sys.executable, ROOT / "scripts/house", "--page"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    kept = text.partition("<!-- house -->\n")[2].partition("<!-- /house -->")[0]

    def numbers(table):
        return [int(word.replace(",", "")) for word in re.findall(r"\d[\d,]*", table)]

    rows = zip(kept.splitlines(), counted.splitlines(), strict=True)
    for old, new in rows:
        assert old.split("|")[1] == new.split("|")[1]
        for before, now in zip(numbers(old), numbers(new), strict=True):
            # Round numbers may go over an edge; more than that is written down anew.
            assert abs(before - now) <= max(10, 0.02 * now), (old, new, "scripts/house --page")
