"""One chart of every family, from plain values that never change."""

from math import exp, log, sin

from steelyard.display import figures

__all__ = ["GALLERY"]

SYSTEMS = ("forest", "svm", "naive Bayes", "5-nn")


def _binormal(shift):
    """A smooth ROC curve: detection = false alarms to the power exp(-shift)."""
    rates = [place / 200 for place in range(201)]
    return rates, [rate ** exp(-shift) for rate in rates]


CURVES = {name: _binormal(2.6 - 0.5 * place) for place, name in enumerate(SYSTEMS)}


def _band():
    rates, hits = CURVES["forest"]
    spread = [0.06 * (4 * hit * (1 - hit)) ** 0.5 for hit in hits]
    low = [max(0.0, hit - by) for hit, by in zip(hits, spread, strict=True)]
    high = [min(1.0, hit + by) for hit, by in zip(hits, spread, strict=True)]
    return rates, low, high


SCORES = [place / 100 for place in range(101)]
CLASSES = {
    "malignant": [round(14 * exp(-(((s - 0.72) / 0.17) ** 2))) for s in SCORES],
    "benign": [round(20 * exp(-(((s - 0.3) / 0.16) ** 2))) for s in SCORES],
}
DIGITS = (
    (88, 1, 0, 0, 2),
    (0, 79, 6, 1, 0),
    (1, 5, 81, 2, 0),
    (0, 2, 1, 90, 3),
    (4, 0, 0, 1, 85),
)
PAIRS = (
    ("forest", "svm", 0.011, -0.004, 0.026, "undecided"),
    ("forest", "naive Bayes", 0.058, 0.031, 0.085, "different"),
    ("forest", "5-nn", 0.071, 0.043, 0.099, "different"),
    ("svm", "naive Bayes", 0.047, 0.02, 0.074, "different"),
    ("svm", "5-nn", 0.06, 0.03, 0.09, "different"),
    ("naive Bayes", "5-nn", 0.013, -0.012, 0.038, "undecided"),
)


def _density(centre, width):
    rates = [0.8 + place / 1000 for place in range(200)]
    return rates, [exp(-(((rate - centre) / width) ** 2)) / width for rate in rates]


def _aic(optimum, width):
    counts = list(range(170, 201))
    return counts, [((count - optimum) / width) ** 2 - 2 for count in counts]


def _measure(turn):
    return [None if place < 2 else turn(place / 100) for place in range(101)]


ITEMS = [50, 100, 200, 400, 800, 1600, 3200]

GALLERY = {
    "roc": lambda: figures.roc_chart(
        CURVES,
        bands={"forest": _band()},
        points={"forest": (0.1, 0.1 ** exp(-2.6)), "svm": (0.2, 0.2 ** exp(-2.1))},
        areas={"forest": 0.931, "svm": 0.891, "naive Bayes": 0.832, "5-nn": 0.75},
    ),
    "precision-recall": lambda: figures.precision_recall_chart(
        {
            name: ([p / 50 for p in range(51)], [1 - 0.8 * (p / 50) ** (4 - k) for p in range(51)])
            for k, name in enumerate(SYSTEMS)
        },
        share=0.2,
        points={"svm": (0.6, 1 - 0.8 * 0.6**3)},
    ),
    "det": lambda: figures.det_chart(
        {name: (x, [1 - hit for hit in y]) for name, (x, y) in CURVES.items()}
    ),
    "score-histogram": lambda: figures.score_histogram(SCORES, CLASSES, threshold=0.5),
    "score-density": lambda: figures.score_density_chart(SCORES, CLASSES, threshold=0.5),
    "score-scatter": lambda: figures.score_scatter(SCORES, CLASSES, threshold=0.5),
    "sorted-scores": lambda: figures.sort_scores_chart(SCORES, CLASSES, threshold=0.5),
    "confusion": lambda: figures.confusion_chart(["zero", "one", "two", "three", "four"], DIGITS),
    "confusion-many": lambda: figures.confusion_chart(
        [chr(65 + k) for k in range(26)],
        [[90 if r == c else (r * 7 + c * 3) % 5 for c in range(26)] for r in range(26)],
    ),
    "gain": lambda: figures.gain_chart(CURVES),
    "agreement": lambda: figures.agreement_chart(
        SYSTEMS, {(one, two): value for one, two, value, *_ in PAIRS} | {("svm", "5-nn"): None}
    ),
    "decision": lambda: figures.decision_chart(
        {
            name: ([p / 20 for p in range(1, 19)], [0.3 - (p / 26) ** 2 for p in range(1, 19)])
            for name in SYSTEMS[:2]
        },
        [0.3 - 0.7 * (p / 20) / (1 - p / 20) for p in range(1, 19)],
    ),
    "lift": lambda: figures.lift_chart(
        {
            name: (x[4:], [hit / at for at, hit in zip(x[4:], y[4:], strict=True)])
            for name, (x, y) in CURVES.items()
        }
    ),
    "threshold": lambda: figures.threshold_chart(
        SCORES,
        {
            "sensitivity": _measure(lambda t: 1 - t**3),
            "specificity": _measure(lambda t: t**0.5),
            "kappa": _measure(lambda t: 0.8 * sin(3.1 * t)),
        },
        marks={"max kappa": 0.51, "equal errors": 0.52, "sensitivity ≥ 0.9": 0.46, "0.8": 0.8},
    ),
    "cost": lambda: figures.cost_chart(
        SCORES,
        {"cost": _measure(lambda t: 0.4 + (t - 0.6) ** 2 * 3)},
        marks={"min cost": 0.6},
    ),
    "calibration": lambda: figures.calibration_chart(
        {
            "forest": [
                (p, p**1.3, max(0, p**1.3 - 0.08), min(1, p**1.3 + 0.08), 40)
                for p in (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95)
            ],
            "svm": [
                (p, p**0.7, max(0, p**0.7 - 0.06), min(1, p**0.7 + 0.06), 60)
                for p in (0.1, 0.3, 0.5, 0.7, 0.9)
            ],
        }
    ),
    "posterior": lambda: figures.posterior_chart(
        {name: _density(0.955 - 0.022 * k, 0.012 + 0.002 * k) for k, name in enumerate(SYSTEMS)}
    ),
    "best": lambda: figures.best_chart(
        {"forest": 0.912, "svm": 0.0871, "naive Bayes": 0.0004, "5-nn": 0.0}
    ),
    "ranks": lambda: figures.rank_chart(
        {"forest": (1, 2), "svm": (1, 2), "naive Bayes": (3, 4), "5-nn": (3, 4)}
    ),
    "pair-matrix": lambda: figures.pair_matrix_chart(SYSTEMS, PAIRS),
    "forest": lambda: figures.forest_chart(PAIRS, measure="Difference of accuracy"),
    "intervals": lambda: figures.interval_chart(
        [
            ("forest", 0.957, 0.942, 0.968),
            ("svm", 0.946, 0.93, 0.959),
            ("naive Bayes", 0.899, 0.878, 0.917),
            ("5-nn", 0.886, None, None),
            ("guess", None, None, None),
        ],
        measure="accuracy",
    ),
    "slices": lambda: figures.slice_chart(
        {
            "north": [("forest", 0.95, 0.91, 0.97), ("svm", 0.93, 0.89, 0.96)],
            "south, at night": [("forest", 0.84, 0.78, 0.89), ("svm", None, None, None)],
        }
    ),
    "discrimination": lambda: figures.discrimination_chart(
        {"independent": _aic(190, 3.5), "common items, largest overlap": _aic(190, 2.2)}
    ),
    "confidence": lambda: figures.confidence_chart(
        {
            name: (ITEMS, [1 - 0.5 * exp(-n / rate) for n in ITEMS])
            for name, rate in (("best of 2", 300), ("best of 3", 700), ("whole order", 1500))
        },
        wanted=0.95,
    ),
    "items": lambda: figures.items_chart(
        {
            name: (
                [0.6, 0.7, 0.8, 0.9, 0.95, 0.99],
                [-rate * log(2 * (1 - c)) for c in (0.6, 0.7, 0.8, 0.9, 0.95, 0.99)],
            )
            for name, rate in (("best of 2", 300), ("best of 3", 700))
        },
        wanted=0.95,
    ),
    "trajectory": lambda: figures.trajectory_chart(
        (ITEMS, [1 - 0.5 * exp(-n / 400) for n in ITEMS]),
        bounds=[0.95],
        stopped=ITEMS[-1],
        what="P(the leader is the best)",
    ),
    "critical-difference": lambda: figures.critical_difference_chart(
        {"forest": 1.6, "svm": 2.1, "boosting": 2.4, "naive Bayes": 4.2, "5-nn": 4.7, "tree": 6.0},
        [("forest", "svm", "boosting"), ("naive Bayes", "5-nn"), ("5-nn", "tree")],
        difference=1.54,
    ),
}
