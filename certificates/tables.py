"""Measures of one confusion table, of two classes and of more: each in its worst cell."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from certificates.declaration import Certificate
from certificates.experiments import Limits, covering
from certificates.search import Cell, Search, Space
from steelyard.counts import Confusion
from steelyard.measures import (
    CATALOGUE,
    average,
    balanced_accuracy,
    cohen_kappa,
    diagnostic_odds_ratio,
    expected_cost,
    f_beta,
    informedness,
    likelihood_ratio_negative,
    likelihood_ratio_positive,
    markedness,
    mcc,
    npv_at,
    ppv_at,
    recall,
    specificity,
    weighted_kappa,
)
from steelyard.uncertainty import odds_ratio_interval, ratio_interval

__all__ = ["DECLARED", "TWO", "binary_draw"]

Measure = Callable[..., Any]
YES = {"of": "positive"}
COSTS = {("positive", "negative"): 10.0, ("negative", "positive"): 1.0}

TWO = Space(
    axes={
        "n": (10, 30, 150, 1000),
        "prevalence": (0.005, 0.03, 0.1, 0.5),
        "recall": (0.5, 0.8, 0.99),
        "specificity": (0.5, 0.8, 0.95, 0.999),
    },
    possible=lambda cell: cell["n"] * cell["prevalence"] >= 1,
)
"""From 10 items on, down to one positive on average."""
MORE = Space(
    axes={
        "n": (30, 100, 400),
        "classes": (3, 10),
        "rarest": (0.02, 0.1),
        "right": (0.4, 0.8, 0.99),
    },
    fixed=frozenset({"classes"}),
)
"""Three classes or ten, of which one is rare; mistakes go to the others evenly."""


def _binary(tp: int, fp: int, fn: int, tn: int) -> Confusion:
    return Confusion.from_binary(tp=tp, fp=fp, fn=fn, tn=tn)


def _chances(cell: Cell) -> tuple[float, ...]:
    """tp, fp, fn, tn."""
    share, found, left = cell["prevalence"], cell["recall"], cell["specificity"]
    return share * found, (1 - share) * (1 - left), share * (1 - found), (1 - share) * left


def binary_draw(cell: Cell, rng: np.random.Generator, draws: int) -> np.ndarray:
    """Draw tables of two classes."""
    return rng.multinomial(int(cell["n"]), _chances(cell), size=draws)


def _matrix(cell: Cell) -> np.ndarray:
    number = int(cell["classes"])
    sizes = np.full(number, (1 - cell["rarest"]) / (number - 1))
    sizes[-1] = cell["rarest"]
    calls = np.full((number, number), (1 - cell["right"]) / (number - 1))
    np.fill_diagonal(calls, cell["right"])
    chances: np.ndarray = sizes[:, None] * calls
    return chances


def _drawn(cell: Cell, rng: np.random.Generator, draws: int) -> np.ndarray:
    return rng.multinomial(int(cell["n"]), _matrix(cell).ravel(), size=draws)


def _square(*cells: int) -> Confusion:
    number = round(len(cells) ** 0.5)
    rows = np.array(cells).reshape(number, number).tolist()
    return Confusion.from_matrix(rows, classes=[str(place) for place in range(number)])


def _of(measure: Measure, table: Confusion) -> Limits | None:
    """Ask for the limits; a mean that leaves classes out answers another question."""
    found = measure(table)
    if found.interval is None or any("left out" in one for one in found.caveats):
        return None
    return found.interval.low, found.interval.high


def _two(measure: Measure, tp: int, fp: int, fn: int, tn: int) -> Limits | None:
    return _of(measure, _binary(tp, fp, fn, tn))


def _ratio(measure: Measure, ends: Measure, *cells: int) -> Limits | None:
    """An infinite ratio has a lower limit only, which its answer says in words."""
    found = measure(_binary(*cells))
    if found.interval is not None:
        return found.interval.low, found.interval.high
    return ends(*cells) if found.reason and "infinite" in found.reason else None


def _whole(build: Callable[..., Confusion], chances: Callable[[Cell], Any], measure: Measure):
    def truth(cell: Cell) -> float:
        counts = [round(1e8 * one) for one in np.ravel(chances(cell))]
        return float(measure(build(*counts)).value)

    return truth


PLAIN: dict[str, Measure] = {
    "recall": partial(recall, **YES),
    "specificity": partial(specificity, **YES),
    "F1": partial(f_beta, **YES),
    "F2": partial(f_beta, beta=2, **YES),
    "Fowlkes-Mallows": partial(CATALOGUE["Fowlkes-Mallows"].function, **YES),
    "MCC": mcc,
    "balanced accuracy": balanced_accuracy,
    "informedness": partial(informedness, **YES),
    "markedness": partial(markedness, **YES),
    "expected cost": lambda table: expected_cost(table, COSTS),
    "macro F1": average,
    "weighted F1": partial(average, averaging="weighted"),
    "macro precision": partial(average, measure="precision"),
    "macro recall": partial(average, measure="recall"),
    "weighted precision": partial(average, measure="precision", averaging="weighted"),
    "kappa": cohen_kappa,
    "adjusted kappa": partial(cohen_kappa, method="adjusted"),
    "precision at prevalence 0.05": partial(ppv_at, prevalence=0.05, **YES),
    "negative predictive value at prevalence 0.05": partial(npv_at, prevalence=0.05, **YES),
}
RATIOS: dict[str, tuple[Measure, Measure]] = {
    "positive likelihood ratio": (
        partial(likelihood_ratio_positive, **YES),
        lambda tp, fp, fn, tn: ratio_interval((tp, tp + fn), (fp, fp + tn)),
    ),
    "negative likelihood ratio": (
        partial(likelihood_ratio_negative, **YES),
        lambda tp, fp, fn, tn: ratio_interval((fn, tp + fn), (tn, fp + tn)),
    ),
    "diagnostic odds ratio": (
        partial(diagnostic_odds_ratio, **YES),
        lambda tp, fp, fn, tn: odds_ratio_interval((tp, fp, fn, tn)),
    ),
}
OF_MORE: dict[str, Measure] = {
    "macro F1": average,
    "weighted F1": partial(average, averaging="weighted"),
    "macro recall": partial(average, measure="recall"),
    "macro precision": partial(average, measure="precision"),
    "weighted precision": partial(average, measure="precision", averaging="weighted"),
    "MCC": mcc,
    "adjusted kappa": partial(cohen_kappa, method="adjusted"),
    "adjusted linear kappa": lambda table: weighted_kappa(
        table, order=table.classes, method="adjusted"
    ),
    "adjusted quadratic kappa": lambda table: weighted_kappa(
        table, order=table.classes, weights="quadratic", method="adjusted"
    ),
}
LEAST = 0.83
"""What every interval of a table keeps in its worst cell: a share of few items jumps so far."""
SHORT = {"kappa": (0.0, 0.8)}
NOTES = {"kappa": "with few items of a class; evaluate takes the adjusted one unless told"}


def _certificate(name: str, search: Search, setting: str, seed: int, **more: Any) -> Certificate:
    return Certificate(
        name=name,
        family="tables",
        claim=f"95 % on average, and never under {LEAST:.0%}",
        setting=setting,
        page="agreement" if "kappa" in name else "detection",
        experiment=search,
        allowed=(LEAST, 1.0),
        seed=seed,
        falls_short=SHORT.get(name),
        note=NOTES.get(name, ""),
        **more,
    )


def _searched(trial: Any, space: Space) -> Search:
    return Search(space=space, trial=trial, seek="lowest", beam=3, rounds=2)


def _declared() -> list[Certificate]:
    found = []
    setting, long = "two classes", {"short": 1000, "long": 3000}
    for name, measure in PLAIN.items():
        truth = _whole(_binary, _chances, measure)
        trial = covering(partial(_two, measure), binary_draw, truth)
        found.append(_certificate(name, _searched(trial, TWO), setting, 1301, **long))
    for name, (measure, ends) in RATIOS.items():
        truth = _whole(_binary, _chances, measure)
        trial = covering(partial(_ratio, measure, ends), binary_draw, truth)
        found.append(_certificate(name, _searched(trial, TWO), setting, 1302, **long))
    for name, measure in OF_MORE.items():
        truth = _whole(_square, _matrix, measure)
        limits: Any = lambda *cells, measure=measure: _of(measure, _square(*cells))  # noqa: E731
        trial = covering(limits, _drawn, truth)
        found.append(
            _certificate(
                f"{name}, several classes",
                _searched(trial, MORE),
                "one class is rare",
                1303,
                short=300,
                long=1500,
            )
        )
    return found


DECLARED = _declared()
