"""The measures of scores, vectors and fitted models, declared."""

# ruff: noqa: ANN401 - formulas take numbers, fractions and arrays alike

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.measures.catalogue.measure import (
    COMPLEMENT,
    DOUBLED,
    DOWN,
    EITHER,
    OPEN,
    SIGNED,
    Measure,
    hand_out,
)

__all__ = ["OF_SCORES"]

Floats = NDArray[np.float64]
LONE = "there are no positives or no negatives"
COX = "Cox (1958), doi:10.1093/biomet/45.3-4.562"
LIFT = "Jaffery & Liu (2009), SAS Global Forum, paper 196-2009"
MEASTEX = "Smith & Burns (1997), Pattern Recognition Letters 18, 1495-1501"
UNCLUSTERED = "no interval for items in clusters is known to hold"
AT_SPECIFICITY = ("sensitivity at a specificity", "sensitivity at specificity")
ITEM_BY_ITEM = "it is counted item by item"


def _area(scores: Floats, positives: Any, negatives: Any) -> Any:
    below = np.cumsum(negatives, axis=1) - negatives / 2
    return (positives * below).sum(axis=1) / (positives.sum(axis=1) * negatives.sum(axis=1))


def _distance(scores: Floats, positives: Any, negatives: Any) -> Any:
    shares = (np.cumsum(side, axis=1) / side.sum(axis=1, keepdims=True)
              for side in (positives, negatives))  # fmt: skip
    return np.abs(np.subtract(*shares)).max(axis=1)


def _mean_loss(of_positive: Callable[[Any], Any]) -> Callable[..., Any]:
    """Average what forecasts lose; NaN where a score is not a probability."""

    def formula(scores: Floats, positives: Any, negatives: Any) -> Any:
        if scores.min() < 0 or scores.max() > 1:
            return np.full(len(positives), np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            # What had no chance and happened costs infinitely much, but nothing where it did not.
            lost = sum(
                np.where(side > 0, side * of_positive(chance), 0.0).sum(axis=1)
                for side, chance in ((positives, scores), (negatives, 1 - scores))
            )
        found = lost / (positives.sum(axis=1) + negatives.sum(axis=1))
        return np.where(np.isfinite(found), found, np.nan)

    return formula


def _distance_of_clusters(clusters: Any, *, level: float) -> Any:
    from steelyard.measures import clustered_ks_distance

    return clustered_ks_distance(clusters, level=level, rng=np.random.default_rng(0))


def _gain_of_clusters(part: str) -> Callable[..., Any]:
    def measure_clusters(
        clusters: Any, *, level: float, budget: float | None = None, depth: float | None = None
    ) -> Any:
        from steelyard.measures import clustered_gains

        items = sum(one.total for _, one in clusters)
        share = depth if depth is not None else float(budget or 0) / items
        (found,) = clustered_gains(clusters, [share], level=level)
        return getattr(found, part)

    return measure_clusters


def _benefit_of_clusters(clusters: Any, *, level: float, threshold: float) -> Any:
    from steelyard.measures import clustered_benefits

    (found,) = clustered_benefits(clusters, [threshold], level=level)
    return found.benefit


_scored = partial(
    Measure, counts="ScoreTable", family="ranking", undefined=LONE, unfit={"weights": ITEM_BY_ITEM}
)  # fmt: skip
_unclustered = partial(_scored, unfit={"weights": ITEM_BY_ITEM, "clusters": UNCLUSTERED})


def _draw(public: str, **facts: Any) -> Measure:
    """Declare a measure whose interval is drawn, from items or from whole clusters."""

    def measure_clusters(clusters: Any, **asked: Any) -> Any:
        rng = np.random.default_rng(0)
        return hand_out(public)(clusters.merged(), clusters=clusters, rng=rng, **asked)

    return _scored(public=public, clustered=measure_clusters, drawn=True, interval="none", **facts)


_targeted = partial(
    _scored, family="targeting", undefined="there are no positives", source=LIFT,
    interval="wilson-cutoff",
)  # fmt: skip
_calibrated = partial(_scored, family="calibration")

VERIFIED = "Brümmer & du Preez (2006), doi:10.1016/j.csl.2005.08.001"
READ_OFF = "it is the least on exactly these items, and no interval of it is known to hold"


def _cllr(scores: Floats, positives: Any, negatives: Any) -> Any:
    sides = ((positives, np.logaddexp(0.0, -scores)), (negatives, np.logaddexp(0.0, scores)))
    means = [(side * lost).sum(axis=1) / side.sum(axis=1) for side, lost in sides]
    return (means[0] + means[1]) / (2 * np.log(2))


SCORES = [
    _scored(
        name="AUC", latex=r"P(s_+>s_-)+\tfrac12P(s_+=s_-)", formula=_area, public="auc",
        clustered=hand_out("clustered_auc"), unfit={},
        source="Hanley & McNeil (1982), doi:10.1148/radiology.143.1.7063747",
        synonyms=("area under the ROC curve", "c statistic", "c-index", "ROC AUC"),
        interval="placement",
        caution="Weighs all thresholds, also those that nobody would use; curves that cross may "
        "have the same area, and with rare positives a high area can go with few true alarms.",
    ),
    _unclustered(
        name="average precision", latex=r"\sum_t(R_t-R_{t-1})P_t", public="average_precision",
        undefined="there are no positives",
        source="Boyd, Eng & Page (2013), doi:10.1007/978-3-642-40994-3_29",
        synonyms=("PR area", "area under precision-recall"), interval="boyd-logit",
        caution="Its value for a random ranking is the share of positives: areas of data with "
        "different shares cannot be compared.",
    ),
    _scored(
        name="Gini", latex=r"2\,AUC-1", bounds=SIGNED, public="gini",
        formula=lambda *held: 2 * _area(*held) - 1, clustered=hand_out("clustered_gini"),
        source="Engelmann, Hayden & Tasche (2003), Risk 16 (1), 82-86",
        synonyms=("accuracy ratio", "Somers' D"), interval="placement", same_as=("AUC", DOUBLED),
        caution="Is the AUC on another scale, with all its limits.",
    ),
    _draw(
        "partial_auc", name="partial AUC", latex=r"\tfrac12\left(1+\frac{A-A_{min}}"
        r"{A_{max}-A_{min}}\right),\ A=\int_a^bR(x)\,dx",
        undefined=f"{LONE}, or the part of the curve lies below chance",
        source="McClish (1989), doi:10.1177/0272989X8900900307", needs=("false_alarm_rates",),
        synonyms=("McClish area",),
        caution="Another range gives another number, and often another order: choose it before "
        "looking, and state it.",
    ),
    _draw(
        "detection_rate_at", name="P_D at P_FA", latex=r"\max\{TPR(t):FPR(t)\le x\}",
        source="Fawcett (2006), doi:10.1016/j.patrec.2005.10.010", needs=("false_alarm_rate",),
        synonyms=(*AT_SPECIFICITY, "TPR at FPR"), one_minus=AT_SPECIFICITY,
        caution="Looks at one point of the curve, whose threshold is read off the same items: at "
        "a small rate a handful of false alarms decides it.",
    ),
    _draw(
        "false_alarm_rate_at", name="P_FA at P_D", latex=r"\min\{FPR(t):TPR(t)\ge y\}",
        direction=DOWN, source="Fawcett (2006), doi:10.1016/j.patrec.2005.10.010",
        needs=("detection_rate",), synonyms=("FPR at TPR",),
        caution="Looks at one point of the curve, whose threshold is read off the same items: "
        "near full detection the worst few positives decide it.",
    ),
    _draw(
        "miss_rate_at", name="miss rate at P_FA", latex=r"1-\max\{TPR(t):FPR(t)\le x\}",
        direction=DOWN, source="Fawcett (2006), doi:10.1016/j.patrec.2005.10.010",
        needs=("false_alarm_rate",), same_as=("P_D at P_FA", COMPLEMENT),
        synonyms=("FNMR at FMR", "FRR at FAR", "FNR at FPR"),
        caution="Looks at one point of the curve, whose threshold is read off the same items: at "
        "a small rate a handful of false alarms decides it.",
    ),
    _draw(
        "equal_error_rate", name="equal error rate", latex=r"FPR(t)=1-TPR(t)",
        direction=DOWN, source="Martin et al. (1997), doi:10.21437/Eurospeech.1997-504",
        synonyms=("EER",),
        caution="Weighs misses and false alarms alike at a threshold that nobody may use, and is "
        "found on the same items.",
    ),
    _scored(
        name="KS distance", latex=r"\max_t|TPR(t)-FPR(t)|", formula=_distance,
        public="ks_distance", clustered=_distance_of_clusters,
        source="Massart (1990), doi:10.1214/aop/1176990746",
        synonyms=("Kolmogorov-Smirnov",), interval="dkw",
        caution="The largest of all distances, read off the same items: too high on average, most "
        "of all in small tests, and it looks at one threshold only.",
    ),
    _unclustered(
        name="Cllr", latex=r"\tfrac12\left[\overline{\log_2(1+e^{-s})}_++"
        r"\overline{\log_2(1+e^{s})}_-\right]", bounds=OPEN, direction=DOWN, public="cllr",
        formula=_cllr, source=VERIFIED, interval="welch",
        synonyms=("log likelihood ratio cost",),
        caution="Scores must be natural logarithms of likelihood ratios; one sure mistake may "
        "cost more than all else.",
    ),
    _scored(
        name="min Cllr", latex=r"\min_{\text{monotone }f}C_{llr}(f(s))", direction=DOWN,
        public="least_cllr", source=VERIFIED, interval="none",
        unfit={"weights": ITEM_BY_ITEM, "clusters": UNCLUSTERED, "batches": READ_OFF},
        caution="What the best recalibration on exactly these items would reach: too low on "
        "average.",
    ),
    _unclustered(
        name="actual DCF", latex=r"\frac{P_tP_{miss}+(1-P_t)P_{fa}}{\min(P_t,1-P_t)}",
        bounds=OPEN, direction=DOWN, public="actual_detection_cost", needs=("target",),
        source=VERIFIED, interval="mover-wilson", synonyms=("actDCF", "DCF", "detection cost"),
        caution="Accepts from the Bayes threshold on, so that scores must be natural logarithms of "
        "likelihood ratios; another share of targets is another cost.",
    ),
    _scored(
        name="minDCF", latex=r"\min_t\frac{P_tP_{miss}+(1-P_t)P_{fa}}{\min(P_t,1-P_t)}",
        direction=DOWN, public="least_detection_cost", needs=("target",), source=VERIFIED,
        unfit={"weights": ITEM_BY_ITEM, "clusters": UNCLUSTERED, "batches": READ_OFF},
        interval="none", synonyms=("minimum DCF", "least detection cost"),
        caution="The least over thresholds that the same items chose: too low on average.",
    ),
    _targeted(
        name="captured share", latex=r"g(q)=P(s\ge s_q\mid+)", public="captured_at",
        clustered=_gain_of_clusters("captured"), needs=("budget",),
        synonyms=("cumulative gain", "recall at k"),
        caution="Looks at one depth; the ranking below it may be worthless.",
    ),
    _targeted(
        name="precision at depth", latex=r"\pi\,g(q)/q", public="precision_at",
        clustered=_gain_of_clusters("precision"), needs=("budget",), synonyms=("precision at k",),
        caution="Cannot exceed the positives there are over the number of contacts: a perfect "
        "ranking may show a low value.",
    ),
    _targeted(
        name="lift", latex=r"g(q)/q", bounds=OPEN, public="lift_at",
        clustered=_gain_of_clusters("lift"), needs=("depth",),
        caution="Bounded by 1 over the prevalence, so lifts of tests with another prevalence do "
        "not compare; of few contacts it only jumps.",
    ),
    _targeted(
        name="net benefit", latex=r"\frac{TP}n-\frac{FP}n\frac t{1-t}", bounds=(None, 1.0),
        undefined="there are no items", public="net_benefit", clustered=_benefit_of_clusters,
        source="Vickers & Elkin (2006), doi:10.1177/0272989X06295361", needs=("threshold",),
        synonyms=("decision curve",), interval="multinomial-score",
        caution="Needs calibrated probabilities, and the threshold must express what one would "
        "trade, not what makes the system look best.",
    ),
    _calibrated(
        name="expected calibration error", latex=r"\sum_b\frac{n_b}n|\bar y_b-\bar p_b|",
        direction=DOWN, undefined="scores are not probabilities", public="calibration_error",
        part="error", source="Naeini et al. (2015), doi:10.1609/aaai.v29i1.9602",
        synonyms=("ECE",), interval="chance-bounds",
        unfit={"weights": ITEM_BY_ITEM, "clusters": UNCLUSTERED},
        caution="Above 0 for calibrated systems too, depends on the bins, and is small for a "
        "system that says the prevalence of everything.",
    ),
    _calibrated(
        name="calibration slope", latex=r"b:\ \operatorname{logit}P(y)=a+b\operatorname{logit}p",
        bounds=(None, None), direction=EITHER, source=COX, public="recalibration", part="slope",
        undefined="forecasts separate the classes, or are 0 or 1", interval="wald",
        clustered=hand_out("clustered_recalibration", "slope"),
        caution="1 on the data a model was fitted to, whatever it is worth elsewhere; a slope "
        "near 1 can hide a curve that bends both ways.",
    ),
    _calibrated(
        name="calibration in the large",
        latex=r"a:\ \operatorname{logit}P(y)=a+\operatorname{logit}p", bounds=(None, None),
        direction=EITHER, source=COX, public="recalibration", part="in_the_large",
        undefined="only one class, or forecasts of 0 or 1", interval="wald",
        clustered=hand_out("clustered_recalibration", "in_the_large"),
        caution="0 as soon as the mean is right, whatever single forecasts say.",
    ),
    _calibrated(
        name="Brier score of two classes", latex=r"\frac1n\sum(p_i-y_i)^2", direction=DOWN,
        formula=_mean_loss(lambda chance: (1 - chance) ** 2),
        undefined="there are no items", public="brier_score",
        source="Murphy (1973), doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2",
        clustered=hand_out("clustered_proper_score", rule="brier"), synonyms=("Brier parts",),
        interval="student-t", twin="brier score",
        caution="Mixes calibration and resolution; a system that says the prevalence of a rare "
        "class of everything has a small score.",
    ),
    _calibrated(
        name="log score of two classes", latex=r"-\frac1n\sum\ln(y_ip_i+(1-y_i)(1-p_i))",
        bounds=OPEN, direction=DOWN, undefined="there are no items", public="proper_score",
        fixed={"rule": "log"}, source="Good (1952), doi:10.1111/j.2517-6161.1952.tb00104.x",
        formula=_mean_loss(lambda chance: -np.log(chance)),
        clustered=hand_out("clustered_proper_score", rule="log"), interval="student-t",
        synonyms=("binary cross-entropy",), twin="log score",
        caution="Infinite as soon as something happens that was given no chance; a single item "
        "can decide between two systems.",
    ),
]  # fmt: skip

_vector = partial(
    Measure, family="vectors", counts="VectorScores", undefined="there are no items",
    needs=("system",), public="vector_score", interval="student-t",
)  # fmt: skip
_each = partial(
    Measure, family="ranking", counts="vector of each item", undefined="a class has no item",
    needs=("vectors", "classes"), interval="placement",
    unfit={"weights": ITEM_BY_ITEM, "clusters": UNCLUSTERED},
)  # fmt: skip
_model = partial(
    Measure, family="information", counts="FittedModel", bounds=(None, None), direction=DOWN,
    undefined="never", interval="none",
)  # fmt: skip

VECTORS = [
    _vector(
        name="spherical score", latex=r"o_t/\lVert o\rVert_2", source=MEASTEX,
        fixed={"rule": "spherical"}, synonyms=("MeasTex score",),
        caution="Not proper under class weights that differ from the class sizes; looks at "
        "proportions only, never at how sure the numbers are.",
    ),
    _vector(
        name="winner score", latex=r"[t=\arg\max o]", source=MEASTEX, fixed={"rule": "winner"},
        synonyms=("winner takes all",),
        caution="Sees the largest number only and is not proper: certain and hesitant systems "
        "score the same.",
    ),
    _vector(
        name="brier score", latex=r"\sum_c(p_c-[c=t])^2", bounds=(0.0, 2.0), direction=DOWN,
        fixed={"rule": "brier"}, synonyms=("Brier",), twin="Brier score of two classes",
        source="Brier (1950), doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2",
        caution="Follows how common the classes are; counts small probabilities hardly at all.",
    ),
    _vector(
        name="log score", latex=r"-\ln p_t", bounds=OPEN, direction=DOWN, fixed={"rule": "log"},
        synonyms=("log loss", "cross-entropy"), twin="log score of two classes",
        source="Good (1952), doi:10.1111/j.2517-6161.1952.tb00104.x",
        caution="Infinite as soon as something happens that was given no chance; a single item "
        "can decide between two systems.",
    ),
    _each(
        name="Hand-Till", latex=r"\frac2{K(K-1)}\sum_{i<j}\tfrac12(A(i|j)+A(j|i))",
        source="Hand & Till (2001), doi:10.1023/A:1010920819831", public="hand_till",
        synonyms=("M", "one-against-one AUC"),
        caution="A mean over pairs hides a pair that is not told apart; needs a number for every "
        "class, and of called classes alone it says little.",
    ),
    _each(
        name="one-against-rest AUC", latex=r"\frac1K\sum_iA(i|\text{rest})",
        source="Provost & Domingos (2003), doi:10.1023/A:1024099825458", public="rest_areas",
        synonyms=("OvR AUC", "macro AUC"),
        caution="Changes with how common the classes are, because the rest does.",
    ),
]  # fmt: skip

MODELS = [
    _model(
        name="AIC", latex=r"-2\ln L+2k", public="aic",
        source="Akaike (1974), doi:10.1109/TAC.1974.1100705",
        caution="Compares models of the same observations only, and says nothing of whether the "
        "best is any good; with few observations use AICc.",
    ),
    _model(
        name="AICc", latex=r"\mathrm{AIC}+\frac{2k(k+1)}{n-k-1}", public="aicc",
        source="Hurvich & Tsai (1989), doi:10.1093/biomet/76.2.297",
        caution="Its correction is exact for linear models with normal errors only.",
    ),
    _model(
        name="BIC", latex=r"-2\ln L+k\ln n", public="bic", synonyms=("SBC",),
        source="Schwarz (1978), doi:10.1214/aos/1176344136",
        caution="Finds the true model in large samples if it is among those given; for forecasts "
        "a larger model may be better.",
    ),
]  # fmt: skip

OF_SCORES = [*SCORES, *VECTORS, *MODELS]
"""In the order in which they are listed."""
