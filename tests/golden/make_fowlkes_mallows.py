"""Makes fowlkes_mallows.json: exact fractions and mpmath with 50 digits, from the definitions.

The measure is sqrt(precision * recall); its standard error is the multinomial one to first order
with derivatives by hand; the limits are those of the table with z^2 made-up items, half of them
right: z^2 / 4 in each of the four cells.
"""

import json
from pathlib import Path

from mpmath import erfinv, mp, mpf, sqrt

mp.dps = 50
TABLES = [
    (9, 7, 3, 20),
    (6, 2, 12, 30),
    (25, 10, 5, 60),
    (1, 0, 0, 40),
    (0, 3, 4, 9),
    (900, 1, 2, 10),
]


def measured(tp, fp, fn, tn):
    called, true = tp + fp, tp + fn
    value = tp / sqrt(called * true)
    # d/dtp = v/tp - v/(2 called) - v/(2 true), written so that it also holds for no hits at all.
    by_tp = (1 - mpf(tp) / (2 * called) - mpf(tp) / (2 * true)) / sqrt(called * true)
    by_fp, by_fn = -value / (2 * called), -value / (2 * true)
    total = tp + fp + fn + tn
    slopes, cells = (by_tp * total, by_fp * total, by_fn * total, mpf(0)), (tp, fp, fn, tn)
    mean = sum(c * s for c, s in zip(cells, slopes, strict=True)) / total
    second = sum(c * s * s for c, s in zip(cells, slopes, strict=True)) / total
    return value, sqrt(max(mpf(0), second - mean**2) / total)


def main():
    z = sqrt(2) * erfinv(mpf("0.95"))
    rows = []
    for cells in TABLES:
        value, error = measured(*map(mpf, cells))
        centre, half = measured(*(mpf(c) + z * z / 4 for c in cells))
        low, high = min(value, centre - z * half), max(value, centre + z * half)
        rows.append({
            "tp, fp, fn, tn": cells,
            "value": mp.nstr(value, 20), "standard error": mp.nstr(error, 20),
            "low": mp.nstr(max(mpf(0), low), 20), "high": mp.nstr(min(mpf(1), high), 20),
        })  # fmt: skip
    about = {"origin": "mpmath, 50 digits, from the definitions; make_fowlkes_mallows.py",
             "tolerance": "1e-12: double precision", "level": 0.95, "tables": rows}  # fmt: skip
    Path(__file__).with_suffix(".json").with_name("fowlkes_mallows.json").write_text(
        json.dumps(about, indent=1) + "\n", encoding="utf-8"
    )


main()
