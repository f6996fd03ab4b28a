"""Draw the pictures of docs/explanation/charts.md anew, from the data that ship inside."""

from importlib.resources import files
from pathlib import Path

import numpy as np

import steelyard as sy
from steelyard.comparison import discrimination_curve
from steelyard.display import figures
from steelyard.display.figures import Chart
from steelyard.measures import RocCurve, precision_recall
from steelyard.planning import posterior_confidence, posterior_samples
from steelyard.tally import score_table_of

__all__ = ["charts", "main"]

DATA = Path(str(files("steelyard") / "data"))
TARGET = Path(__file__).parents[1] / "docs/images/charts"
SYSTEMS = ("logreg", "rf", "nb", "tree")
RATES = (0.90, 0.88, 0.86)


def main() -> None:
    """Write every picture as SVG."""
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, chart in charts().items():
        chart.save(TARGET / f"{name}.svg")


def charts() -> dict[str, Chart]:
    """Make one chart of every family."""
    return {**_answers(), **_curves(), **_questions(), **_scores(), **_plans()}


def _answers() -> dict[str, Chart]:
    comparison = sy.compare(DATA / "digits_labels.csv")
    evaluation = sy.evaluate(DATA / "digits_labels.csv", systems=["rf", "tree"])
    found = {name: draw() for name, draw in comparison.charts().items()}
    rates = {one.system: one.rate for one in comparison.systems if one.system in {"svm", "knn3"}}
    grid = np.linspace(0.95, 1, 201)
    densities = {}
    for name, rate in rates.items():
        logs = rate.successes * np.log(grid[:-1]) + (rate.trials - rate.successes) * np.log1p(
            -grid[:-1]
        )
        height = np.exp(logs - logs.max())
        densities[name] = (grid[:-1].tolist(), (height / height.sum() / 0.00025).tolist())
    ranks = {"svm": 1.6, "forest": 2.1, "boosting": 2.4, "nb": 4.2, "5-nn": 4.7, "tree": 6.0}
    alike = [("svm", "forest", "boosting"), ("nb", "5-nn"), ("5-nn", "tree")]
    return {
        **found,
        "slices": sy.evaluate(
            DATA / "judge_grades.csv", value=["alpha", "beta"], group="topic", higher_is_better=True
        ).charts()["slices"](),
        "confusions": evaluation.charts()["confusions"](),
        "posterior": figures.posterior_chart(densities),
        "critical-difference": figures.critical_difference_chart(ranks, alike, difference=1.54),
    }


def _columns(file: str = "wdbc_scores.csv") -> dict[str, np.ndarray]:
    table = np.genfromtxt(DATA / file, delimiter=",", names=True)
    return {name: table[name] for name in table.dtype.names}


def _curves() -> dict[str, Chart]:
    columns = _columns()
    tables = {
        name: score_table_of(columns["truth"], columns[name], pos_label=1.0) for name in SYSTEMS
    }
    curves = {name: RocCurve.of(table) for name, table in tables.items()}
    points = {
        n: (c.false_alarm_rates.tolist(), c.detection_rates.tolist()) for n, c in curves.items()
    }
    areas = {name: float(curve.area()) for name, curve in curves.items()}
    called = {
        name: ((c.false_alarms + c.detections) / len(columns["truth"])).tolist()
        for name, c in curves.items()
    }
    gain = {name: (called[name], points[name][1]) for name in SYSTEMS}
    lift = {
        name: (
            [x for x in called[name] if x > 0],
            [y / x for x, y in zip(called[name], points[name][1], strict=True) if x > 0],
        )
        for name in SYSTEMS
    }
    recalls = {}
    for name, table in tables.items():
        found = precision_recall(table)
        recalls[name] = (found.recalls.tolist(), found.precisions.tolist())
    return {
        "roc": figures.roc_chart(points, areas=areas, points={"rf": _at(curves["rf"], 0.5)}),
        "precision-recall": figures.precision_recall_chart(recalls, share=106 / 285),
        "det": figures.det_chart(
            {name: (x, [1 - hit for hit in y]) for name, (x, y) in points.items()}
        ),
        "gain": figures.gain_chart(gain),
        "lift": figures.lift_chart(lift),
        "threshold": _thresholds(curves["rf"]),
        "calibration": sy.calibration(
            DATA / "wdbc_scores.csv", positive="1", systems=["rf", "nb"]
        ).charts()["calibration"](),
    }


def _questions() -> dict[str, Chart]:
    """Draw what the answers about agreement, acting and costs draw of themselves."""
    raters = sy.agreement(DATA / "digits_labels.csv", systems=["svm", "nb", "tree"])
    steps = [step / 50 for step in range(1, 50)]
    scores = {"positive": "1", "systems": ["rf", "nb"]}
    acting = sy.targeting(DATA / "wdbc_scores.csv", net_benefit=steps, **scores)
    chosen = sy.threshold(
        DATA / "cells_scores.csv", by="min-cost", cost={"fn": 5, "fp": 1}, positive="1", score="rf"
    )
    return {
        "agreement": raters.charts()["pairs"](),
        "decision-curve": acting.charts()["decision"](),
        "cost": chosen.charts()["cost"](),
    }


def _at(curve: RocCurve, threshold: float) -> tuple[float, float]:
    point = curve.at(threshold=threshold)
    return point.fp / curve.negative_total, point.tp / curve.positive_total


def _thresholds(curve: RocCurve) -> Chart:
    inside = slice(1, -1)
    kappa = curve.measure("kappa")[inside]
    lines = {
        "sensitivity": curve.detection_rates[inside].tolist(),
        "specificity": (1 - curve.false_alarm_rates[inside]).tolist(),
        "kappa": kappa.tolist(),
    }
    best = float(curve.thresholds[inside][int(kappa.argmax())])
    order = curve.thresholds[inside].tolist()
    return figures.threshold_chart(order, lines, marks={"max kappa": best})


def _scores() -> dict[str, Chart]:
    columns = _columns("cells_scores.csv")
    scores, places = np.unique(columns["rf"], return_inverse=True)
    counts = {
        name: np.bincount(places[columns["truth"] == truth], minlength=len(scores)).tolist()
        for name, truth in (("badly segmented", 1.0), ("well segmented", 0.0))
    }
    named = (
        ("score-histogram", figures.score_histogram),
        ("score-density", figures.score_density_chart),
        ("score-scatter", figures.score_scatter),
        ("sorted-scores", figures.sort_scores_chart),
    )
    return {name: draw(scores.tolist(), counts, threshold=0.5) for name, draw in named}


def _plans() -> dict[str, Chart]:
    items = [50, 100, 200, 400, 800, 1600, 3200]
    sure = [0.6, 0.7, 0.8, 0.9, 0.95, 0.99]
    two, three = RATES[:2], RATES
    designs = ("independent", "complete-largest-overlap")
    curves = {}
    for design in designs:
        points = [p for p in discrimination_curve(200, 190, design=design) if p.second_right > 170]
        curves[design] = ([p.second_right for p in points], [p.difference for p in points])
    return {
        "confidence": figures.confidence_chart(
            {
                name: (items, [posterior_confidence(rates, n) for n in items])
                for name, rates in (("0.90, 0.88", two), ("0.90, 0.88, 0.86", three))
            },
            wanted=0.95,
        ),
        "items": figures.items_chart(
            {
                name: (sure, [posterior_samples(rates, c).samples or 1 for c in sure])
                for name, rates in (("0.90, 0.88", two), ("0.90, 0.88, 0.86", three))
            },
            wanted=0.95,
        ),
        "discrimination": figures.discrimination_chart(curves),
    }


if __name__ == "__main__":
    main()
