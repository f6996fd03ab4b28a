"""Twenty bad inputs handed to the tools that people have today; run by `make peers`.

PYTHON benchmarks/peer_inputs.py    one line of JSON for each answer, as it comes

Each question is put in a process of its own and given up after some seconds: a peer that hangs
costs its own answer, nothing else.
"""

import importlib
import json
import math
import multiprocessing
import re
import unicodedata
import warnings
from collections.abc import Callable
from importlib.metadata import version
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

__all__ = ["CASES", "main"]

PEERS = {
    "scikit-learn": "sklearn.metrics",
    "pycm": "pycm",
    "statsmodels": "statsmodels.stats.proportion",
    "confidenceinterval": "confidenceinterval",
    "MLstatkit": "MLstatkit",
}
LIMIT = 20
"""Seconds for one answer."""
TRUTH = np.array([0, 1] * 20)
SCORE = np.round(TRUTH * 0.4 + np.arange(40) * 7 % 20 / 40, 3)
CALLS = (SCORE > 0.5).astype(int)
WORDS = np.where(TRUTH == 1, "ship", "car")


def _with(values: Any, place: int, value: Any) -> Any:  # noqa: ANN401
    made = np.array(values, dtype=object if isinstance(value, (str, type(None))) else float)
    made[place] = value
    return made


CAFE = ["caf\u00e9" if t else "x" for t in TRUTH]
CAFE_APART = [unicodedata.normalize("NFD", "caf\u00e9") if c else "x" for c in CALLS]
SKL, PCM, STM, CIN, MLS = PEERS
Call = Callable[[Any], Any]


def _auc(truth: Any, score: Any) -> dict[str, Call]:  # noqa: ANN401
    """Ask every peer that knows an area for it."""
    return {
        SKL: lambda m: m.roc_auc_score(truth, score),
        CIN: lambda m: m.roc_auc_score(list(truth), list(score))[0],
        # It compares two systems; the other one is honest, and the area of the first is read.
        MLS: lambda m: m.Delong_test(truth, score, SCORE[::-1], return_ci=False)[2],
        PCM: lambda m: m.ROCCurve(
            actual_vector=np.array(truth).tolist(),
            probs=[[1 - s, s] for s in np.array(score).tolist()],
            classes=sorted(set(np.array(truth).tolist())),
        ).area(),
    }


def _accuracy(truth: Any, calls: Any) -> dict[str, Call]:  # noqa: ANN401
    """Ask every peer that knows an accuracy for it."""
    return {
        SKL: lambda m: m.accuracy_score(truth, calls),
        PCM: lambda m: m.ConfusionMatrix(list(truth), list(calls)).Overall_ACC,
        CIN: lambda m: m.accuracy_score(list(truth), list(calls))[0],
    }


CASES: dict[str, dict[str, Call]] = {
    "a score is NaN": _auc(TRUTH, _with(SCORE, 0, float("nan"))),
    "a score is infinite (ranks are defined)": _auc(TRUTH, _with(SCORE, 1, math.inf)),
    "a true class is missing": _accuracy(_with(WORDS, 0, None), WORDS),
    "no positive class is named": _auc(WORDS, SCORE),
    "0/1 against '0'/'1'": _accuracy(TRUTH, [str(one) for one in CALLS]),
    "one class only, area": _auc(np.ones(40, dtype=int), SCORE),
    "no items": _accuracy([], []),
    "lengths differ": _accuracy(TRUTH, CALLS[:-1]),
    "probabilities that do not sum to 1": {SKL: lambda m: m.log_loss(TRUTH, [[0.5, 0.9]] * 40)},
    "a probability of -0.1": {SKL: lambda m: m.brier_score_loss(TRUTH, _with(SCORE, 0, -0.1))},
    "a probability of 1.0001": {SKL: lambda m: m.brier_score_loss(TRUTH, _with(SCORE, 0, 1.0001))},
    "constant scores": _auc(TRUTH, np.full(40, 0.5)),
    "an item appears twice": _accuracy([*TRUTH, TRUTH[0]], [*CALLS, CALLS[0]]),
    "caf\u00e9 composed and decomposed": _accuracy(CAFE, CAFE_APART),
    "a negative weight": {
            SKL: lambda m: m.accuracy_score(TRUTH, CALLS, sample_weight=_with(np.ones(40), 0, -5.0)),  # noqa: E501
            PCM: lambda m: m.ConfusionMatrix(
                list(TRUTH), list(CALLS), sample_weight=[-5, *[1] * 39]
            ).Overall_ACC,
        },
    "a called class that is never true": _accuracy(WORDS, _with(WORDS, 0, "plane")),
    "12 right out of 10": {STM: lambda m: m.proportion_confint(12, 10)},
    "0 right out of 0": {STM: lambda m: m.proportion_confint(0, 0)},
    "<script> in a class, to HTML": {
            PCM: lambda m: "markup"
            if "<script>alert" in _html(m.ConfusionMatrix(["<script>alert(1)</script>", "b"] * 4, ["b"] * 8))  # noqa: E501
            else "escaped"
        },
    "=cmd in a class, to CSV": {
            PCM: lambda m: "formula"
            if re.search(r'(^|[,\n])"?=cmd', _csv(m.ConfusionMatrix(["=cmd|x", "b"] * 4, ["b"] * 8)))  # noqa: E501
            else "escaped"
        },
}  # fmt: skip


def _html(matrix: Any) -> str:  # noqa: ANN401
    return _saved(matrix.save_html, ".html")


def _csv(matrix: Any) -> str:  # noqa: ANN401
    return _saved(matrix.save_csv, ".csv")


def _saved(save: Callable[[str], Any], ending: str) -> str:
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        save(str(Path(folder) / "made"))
        return "\n".join(
            one.read_text(encoding="utf-8")
            for one in sorted(Path(folder).iterdir())
            if one.suffix == ending
        )


def _said(call: Call, module: Any) -> str:  # noqa: ANN401
    """Say what came out: a number, undefined, a warning, or the kind of error."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            found = call(module)
        except Exception as error:
            return f"error: {type(error).__name__}: {str(error).splitlines()[0][:80] if str(error) else ''}"  # noqa: E501
    if isinstance(found, str):
        return found
    number = _number(found)
    text = "undefined" if math.isnan(number) else f"{number:.3g}"
    return f"{text}, with a warning" if heard else text


def _number(found: Any) -> float:  # noqa: ANN401
    """Take the first number of whatever came out: of a mapping the area, of a list its head."""
    if isinstance(found, dict):
        found = found.get("auc", next(iter(found.values())))
    if hasattr(found, "__len__"):
        found = found[0] if len(found) else math.nan
    return math.nan if found in {None, "None"} else float(found)


def _answer(call: Call, module: Any, line: Connection) -> None:  # noqa: ANN401
    line.send(_said(call, module))


def _asked(call: Call, module: Any) -> str:  # noqa: ANN401
    """Ask in a process of its own, and for so many seconds only."""
    here = multiprocessing.get_context("fork")
    mine, its = here.Pipe(duplex=False)
    process = here.Process(target=_answer, args=(call, module, its))
    process.start()
    its.close()
    try:
        return str(mine.recv()) if mine.poll(LIMIT) else f"no answer in {LIMIT} s"
    except EOFError:
        return "crashed"
    finally:
        process.kill()
        process.join()
        mine.close()


def main() -> None:
    """Ask every peer that can be imported, and print the answers as they come."""
    for peer, module in PEERS.items():
        try:
            loaded = importlib.import_module(module)
        except ImportError:
            continue
        for case, calls in CASES.items():
            if peer in calls:
                said = _asked(calls[peer], loaded)
                row = {"peer": peer, "version": version(peer), "case": case, "said": said}
                print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
