"""Numbers of evalstats and jiwer for a number per item, kept in ``values_peers.json``.

In an environment of its own: ``pip install evalstats==0.3.3 jiwer==4.0.0``, then
``python tests/golden/make_values_peers.py``. Never run by the tests.
"""

import json
import warnings
from importlib.metadata import version
from pathlib import Path

import evalstats
import jiwer
import numpy as np

PLACE = Path(__file__).with_name("values_peers.json")
WORDS = "the a ship radar sea turns north now slowly two far seen from port and not".split()


def graded() -> dict:
    """Grades of four systems with ties, and latencies with a long tail."""
    rng = np.random.default_rng(21)
    common = rng.normal(3.2, 0.8, 45)
    grades = np.clip(
        np.round(common + rng.normal([[0.0], [0.1], [-0.2], [0.5]], 0.7, (4, 45))), 1, 5
    )
    latency = np.round(rng.lognormal([[4.0], [4.1]], 0.6, (2, 70)), 1)
    return {"grades": grades.tolist(), "latency": latency.tolist()}


def of_evalstats(tables: dict) -> dict:
    found = {}
    for name, rows in tables.items():
        scores, labels = np.array(rows), [f"s{place}" for place in range(len(rows))]
        many = evalstats.friedman_nemenyi(scores, labels) if len(rows) > 2 else None
        means = [evalstats.mean_ci(row) for row in scores]
        found[name] = {
            "means": [
                [one.mean, float(one.ci_low), float(one.ci_high)]
                for one in means
                if one.method == "t_interval"
            ],
            "pairs": {
                f"{i},{j}": _pair(scores, i, j)
                for i in range(len(rows))
                for j in range(i + 1, len(rows))
            },
            "friedman": None
            if many is None
            else {
                "statistic": many.statistic,
                "p": many.p_value,
                "nemenyi": {",".join(pair): p for pair, p in many.nemenyi_p.items()},
                "ranks": many.avg_ranks,
            },
        }
    return found


def _pair(scores: np.ndarray, i: int, j: int) -> dict:
    one = evalstats.pairwise_differences(scores, i, j, method="t_interval")
    rng = np.random.default_rng(0)
    signs = evalstats.pairwise_differences(
        scores, i, j, method="sign_test", n_bootstrap=10, rng=rng
    )
    return {
        "difference": one.point_diff,
        "deviation": one.std_diff,
        "low": float(one.ci_low),
        "high": float(one.ci_high),
        "p": one.p_value,
        "sign_p": signs.p_value,
    }


def repeated() -> dict:
    """Runs of one item: evalstats takes the variance of item means for that of items."""
    rng = np.random.default_rng(22)
    table = np.round(rng.normal(0, 1, (12, 1)) + rng.normal(0, 0.5, (12, 5)), 2)
    found = evalstats.seed_variance_decomposition(table[None], ["a"])
    return {
        "table": table.tolist(),
        "seed_var": float(found.seed_var[0]),
        "input_var": float(found.input_var[0]),
    }


def spoken() -> dict:
    """Transcripts with least edits by jiwer; one is empty, one all insertions."""
    rng = np.random.default_rng(23)
    said = [" ".join(rng.choice(WORDS, rng.integers(3, 14))) for _ in range(40)]
    heard = {name: [_mishear(one, rate, rng) for one in said] for name, rate in
             (("conformer", 0.12), ("hybrid", 0.2))}  # fmt: skip
    heard["hybrid"][3] = ""
    heard["conformer"][5] = f"{said[5]} {said[6]}"
    systems = {}
    for name, texts in heard.items():
        each = [jiwer.process_words(one, two) for one, two in zip(said, texts, strict=True)]
        systems[name] = {
            "errors": [one.substitutions + one.deletions + one.insertions for one in each],
            "wer": jiwer.wer(said, texts),
            "mean_of_wers": float(np.mean([one.wer for one in each])),
        }
    return {"words": [len(one.split()) for one in said], "systems": systems}


def _mishear(said: str, rate: float, rng: np.random.Generator) -> str:
    heard = []
    for word in said.split():
        lot = rng.random()
        if lot < rate / 3:
            continue
        heard.append(str(rng.choice(WORDS)) if lot < rate else word)
        if rng.random() < rate / 3:
            heard.append(str(rng.choice(WORDS)))
    return " ".join(heard)


def main() -> None:
    warnings.simplefilter("ignore")
    tables = graded()
    PLACE.write_text(
        json.dumps(
            {
                "source": {name: version(name) for name in ("evalstats", "jiwer", "numpy")},
                "tables": tables,
                "evalstats": of_evalstats(tables),
                "repeated": repeated(),
                "spoken": spoken(),
            },
            indent=1,
        )
        + "\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
