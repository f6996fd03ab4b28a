"""The measures of tables of calls, declared: detection and agreement."""

# ruff: noqa: ANN401 - formulas take numbers, fractions and arrays alike

from functools import partial
from typing import Any

import numpy as np

from steelyard.measures.catalogue.measure import (
    COMPLEMENT,
    DOUBLED,
    DOWN,
    EITHER,
    OPEN,
    SAME,
    SIGNED,
    Measure,
    OneToOne,
    hand_out,
)
from steelyard.measures.tables.formulas import (
    FISHER,
    LOGARITHM,
    PLAIN,
    Margins,
    correct_for_chance,
    correlation,
    f_share,
    mean_share,
    root,
    share,
    weigh_shares,
)

__all__ = ["OF_CALLS", "f_measure"]

FIELDING = "Fielding & Bell (1997), doi:10.1017/S0376892997000088"
ALTMAN = "Altman & Bland (1994), doi:10.1136/bmj.308.6943.1552"
PREDICTIVE = "Altman & Bland (1994), doi:10.1136/bmj.309.6947.102"
FAWCETT = "Fawcett (2006), doi:10.1016/j.patrec.2005.10.010"
SIMEL = "Simel et al. (1991), doi:10.1016/0895-4356(91)90128-V"
MERCALDO = "Mercaldo et al. (2007), doi:10.1002/sim.2677"
RIJSBERGEN = "van Rijsbergen (1979), Information Retrieval, chapter 7"
TAKAHASHI = "Takahashi et al. (2022), doi:10.1007/s10489-021-02635-5"

NO_ITEMS = {"no-items": lambda t: t.total}
TWO_SIDES = {"no-true": lambda t: t.tp + t.fn, "no-rest": lambda t: t.fp + t.tn}
TWO_CALLS = {"no-called": lambda t: t.tp + t.fp, "no-rest-called": lambda t: t.fn + t.tn}
UNDEFINED = {
    "no-items": "there are no items",
    "no-true": "no item is of the class",
    "no-called": "the class was never called",
    "no-rest": "every item is of the class",
    "no-rest-called": "every item was called of the class",
}


def _of_class(
    name: str, won: str, lost: str, edge: str, mirror: str | None = None, **facts: Any
) -> Measure:
    """Declare a plain share of one class: its cells say formula, denominator and interval."""
    parts = tuple(won.split()), tuple(lost.split())

    def among(t: Margins) -> Any:
        return sum(getattr(t, cell) for side in parts for cell in side)

    def formula(t: Margins) -> Any:
        return share(*(sum(getattr(t, cell) for cell in side) for side in parts))

    top = parts[0][0] if len(parts[0]) == 1 else f"({'+'.join(parts[0])})"
    below = "n" if edge == "no-items" else f"({'+'.join(parts[0] + parts[1])})"
    facts = {"public": name.replace(" ", "_"), "latex": f"{top}/{below}"} | facts
    return Measure(
        name=name,
        formula=formula,
        edges={edge: among},
        parts=parts,
        needs=("of",),
        interval="wilson",
        undefined=UNDEFINED[edge],
        mirror=mirror,
        **facts,
    )


def _mistake(name: str, won: str, lost: str, edge: str, of: str, **facts: Any) -> Measure:
    """Declare a share of what went wrong, which completes one of what went right to 1."""
    return _of_class(
        name, won, lost, edge, direction=DOWN, source=FAWCETT, same_as=(of, COMPLEMENT), **facts
    )


SHARES = [
    _of_class(
        "recall", "tp", "fn", "no-true", "specificity", source=ALTMAN,
        synonyms=("sensitivity", "true positive rate", "TPR", "hit rate", "P_D", "detection rate"),
        caution="Calling everything of the class gives 1; read it beside precision or specificity.",
    ),
    _of_class(
        "precision", "tp", "fp", "no-called", "negative predictive value", source=PREDICTIVE,
        synonyms=("positive predictive value", "PPV"),
        caution="Follows how common the class is in the test: at another prevalence it is another "
        "number (see precision at prevalence).",
    ),
    _of_class(
        "specificity", "tn", "fp", "no-rest", "recall", source=ALTMAN,
        synonyms=("true negative rate", "TNR", "selectivity"),
        caution="Nearly 1 for every system when the class is rare; a small change of it can "
        "mean many false alarms.",
    ),
    _of_class(
        "negative predictive value", "tn", "fn", "no-rest-called", "precision", source=PREDICTIVE,
        synonyms=("NPV",), public="npv",
        caution="Nearly 1 for every system when the class is rare, even for one that finds "
        "nothing.",
    ),
    _mistake(
        "false positive rate", "fp", "tn", "no-rest", "specificity", mirror="false negative rate",
        synonyms=("FPR", "false alarm rate", "fall-out", "P_FA"),
        caution="A small rate of very many negatives is still a large number of false alarms.",
    ),
    _mistake(
        "false negative rate", "fn", "tp", "no-true", "recall", mirror="false positive rate",
        synonyms=("FNR", "miss rate"),
        caution="0 for a system that calls everything of the class.",
    ),
    _mistake(
        "false discovery rate", "fp", "tp", "no-called", "precision",
        mirror="false omission rate", synonyms=("FDR",),
        caution="Follows how common the class is in the test; the false discovery rate of "
        "multiple testing is something else.",
    ),
    _mistake(
        "false omission rate", "fn", "tn", "no-rest-called", "negative predictive value",
        mirror="false discovery rate", synonyms=("FOR",),
        caution="Tiny for every system when the class is rare.",
    ),
    _of_class(
        "prevalence", "tp fn", "fp tn", "no-items", source=PREDICTIVE, direction=EITHER,
        synonyms=("base rate",),
        caution="A property of the test set, not of the system; of a balanced sample it says "
        "nothing about the world.",
    ),
    _of_class(
        "called share", "tp fp", "fn tn", "no-items", source=FIELDING, direction=EITHER,
        synonyms=("detection prevalence", "flagged share"),
        caution="May equal the prevalence while every single call is wrong.",
    ),
]  # fmt: skip


def f_measure(beta: float, **facts: Any) -> Measure:
    """Declare the weighted harmonic mean of recall and precision, for any weight of recall."""
    square = beta * beta
    return Measure(
        name=f"F{beta:g}",
        formula=lambda t: f_share(t, square),
        # The items that it looks at, a hit twice: once as true and once as called.
        edges={"no-true-or-called": lambda t: 2 * t.tp + t.fp + t.fn},
        needs=("of",), undefined="the class is neither true nor called", source=RIJSBERGEN,
        interval="multinomial-score", **{"public": "f_beta", "fixed": {"beta": beta}} | facts,
    )  # fmt: skip


def _right(t: Margins) -> Any:
    return share(t.right.sum(axis=-1), t.missed.sum(axis=-1))


def _mean_recall(t: Margins) -> Any:
    """Average the recalls; a class without items makes it 0/0, which is what is wanted here."""
    classes = t.true.shape[-1]
    if classes == 2 and not np.iscomplexobj(t.true):
        # One fraction, rounded once: thresholds that are equally good must tie.
        right, true = np.moveaxis(t.right, -1, 0), np.moveaxis(t.true, -1, 0)
        return (right[0] * true[1] + right[1] * true[0]) / (2 * true[0] * true[1])
    return share(t.right, t.missed).sum(axis=-1) / classes


def _largest(t: Margins) -> Any:
    most = np.expand_dims(np.argmax(t.true.real, axis=-1), -1)
    largest = np.take_along_axis(t.true, most, axis=-1)[..., 0]
    return share(largest, t.total - largest)


DETECTION = [
    Measure(
        name="accuracy", latex=r"\sum_in_{ii}/n", undefined="there are no items", source=FIELDING,
        formula=_right, edges=NO_ITEMS, parts=(("right",), ("wrong",)), public="accuracy",
        synonyms=("percent correct", "observed agreement"), mirror="accuracy", interval="wilson",
        caution="When one class is common, always calling it scores high: compare with the "
        "no-information rate.",
    ),
    Measure(
        name="error rate", latex=r"\sum_{i\ne j}n_{ij}/n", undefined="there are no items",
        source=FIELDING, direction=DOWN, edges=NO_ITEMS, parts=(("wrong",), ("right",)),
        formula=lambda t: share(t.missed.sum(axis=-1), t.right.sum(axis=-1)), public="error_rate",
        synonyms=("misclassification rate", "zero-one loss"), mirror="error rate",
        interval="wilson", same_as=("accuracy", COMPLEMENT),
        caution="When one class is common, always calling it scores low: compare with 1 minus the "
        "no-information rate.",
    ),
    Measure(
        name="no-information rate", latex=r"\max_it_i/n", undefined="there are no items",
        source="Kuhn (2008), doi:10.18637/jss.v028.i05", direction=EITHER, formula=_largest,
        edges=NO_ITEMS, parts=(("tp", "fn"), ("fp", "tn")), public="no_information_rate",
        synonyms=("NIR", "majority share"), mirror="no-information rate", interval="wilson",
        caution="The common class is read off the same items, so the rate is a little too high "
        "when classes are about equally common.",
    ),
    f_measure(
        1.0, latex=r"2tp/(2tp+fp+fn)", synonyms=("F-score", "Dice"), public="f1", fixed={},
        caution="Ignores true negatives, changes when the other class is taken as positive, and "
        "is not comparable between tests with another prevalence.",
    ),
    f_measure(
        2.0, latex=r"\frac{(1+\beta^2)tp}{(1+\beta^2)tp+\beta^2fn+fp},\ \beta=2",
        synonyms=("F-beta",),
        caution="As F1; the weight of recall is a choice that no data make.",
    ),
    Measure(
        name="Fowlkes-Mallows", latex=r"tp/\sqrt{(tp+fp)(tp+fn)}",
        undefined="no item is of the class, or the class was never called",
        source="Fowlkes & Mallows (1983), doi:10.1080/01621459.1983.10478008",
        # Not sqrt(precision * recall): the root of 0 has no slope, this form has one.
        formula=lambda t: t.tp / root((t.tp + t.fp) * (t.tp + t.fn)), needs=("of",),
        edges={"no-true": lambda t: t.tp + t.fn, "no-called": lambda t: t.tp + t.fp},
        synonyms=("FM", "G-measure", "Ochiai coefficient"),
        caution="Ignores true negatives, as F1 does, and changes when the other class is taken as "
        "positive.",
    ),
    Measure(
        name="balanced accuracy", latex=r"\frac1K\sum_kn_{kk}/t_k",
        undefined="a class has no items",
        source="Brodersen et al. (2010), doi:10.1109/ICPR.2010.764",
        formula=_mean_recall,
        edges=NO_ITEMS, public="balanced_accuracy", mirror="balanced accuracy",
        interval="mover-wilson",
        caution="Counts every class the same, however rare: a class of five items can move it by "
        "a tenth.",
    ),
    Measure(
        name="informedness", latex="TPR-FPR", bounds=SIGNED, scale=FISHER,
        undefined="the class or the rest has no items",
        source="Youden (1950), doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3",
        formula=lambda t: share(t.tp, t.fn) - share(t.fp, t.tn), edges=TWO_SIDES,
        public="informedness", needs=("of",), mirror="informedness", interval="newcombe",
        synonyms=("Youden's J", "TSS", "true skill", "Youden"),
        same_as=("balanced accuracy", DOUBLED), two_classes=True,
        caution="Says nothing of how many calls are true where the class is rare.",
    ),
    Measure(
        name="markedness", latex="PPV-FOR", bounds=SIGNED, scale=FISHER,
        undefined="all items, or none, were called of the class",
        source="Powers (2011), arXiv:2010.16061",
        formula=lambda t: share(t.tp, t.fp) - share(t.fn, t.tn), edges=TWO_CALLS,
        public="markedness", needs=("of",), mirror="markedness", interval="newcombe",
        synonyms=("delta P",),
        caution="Follows the prevalence of the test, as both predictive values do.",
    ),
    Measure(
        name="MCC", latex=r"\frac{n\sum n_{kk}-\sum t_kc_k}"
        r"{\sqrt{n^2-\sum c_k^2}\sqrt{n^2-\sum t_k^2}}", bounds=SIGNED, scale=FISHER,
        undefined="all items are, or were called, of one class",
        source="Gorodkin (2004), doi:10.1016/j.compbiolchem.2004.09.006",
        formula=correlation, edges=NO_ITEMS, public="mcc", mirror="MCC",
        synonyms=("Matthews correlation", "phi", "R_K"),
        caution="Changes with the prevalence at the same recall and specificity; near 0 with very "
        "rare classes even for useful systems.",
    ),
    Measure(
        name="positive likelihood ratio", latex="TPR/FPR", bounds=OPEN, scale=LOGARITHM,
        undefined="no false alarm (infinite), or a side has no items", source=SIMEL,
        formula=lambda t: share(t.tp, t.fn) / share(t.fp, t.tn), edges=TWO_SIDES,
        public="likelihood_ratio_positive", needs=("of",), synonyms=("LR+",),
        interval="ratio-score",
        caution="Rests on the few false alarms: one more or less can halve it.",
    ),
    Measure(
        name="negative likelihood ratio", latex="FNR/TNR", bounds=OPEN, scale=LOGARITHM,
        undefined="no correct rejection (infinite), or a side has no items", source=SIMEL,
        formula=lambda t: share(t.fn, t.tp) / share(t.tn, t.fp), edges=TWO_SIDES, direction=DOWN,
        public="likelihood_ratio_negative", needs=("of",), synonyms=("LR-",),
        interval="ratio-score",
        caution="Rests on the few misses; of small tests the interval is wide.",
    ),
    Measure(
        name="diagnostic odds ratio", latex=r"tp\,tn/(fp\,fn)", bounds=OPEN, scale=LOGARITHM,
        undefined="a kind of mistake never happened (infinite)",
        source="Glas et al. (2003), doi:10.1016/S0895-4356(03)00177-X",
        formula=lambda t: t.tp * t.tn / (t.fp * t.fn), edges=TWO_SIDES,
        public="diagnostic_odds_ratio", needs=("of",), synonyms=("DOR", "odds ratio"),
        mirror="diagnostic odds ratio", interval="log",
        caution="The same ratio holds for very different trade-offs of the two mistakes, and it "
        "explodes when one of them is never seen.",
    ),
    Measure(
        name="precision at prevalence", latex=r"\frac{TPR\,\pi}{TPR\,\pi+FPR(1-\pi)}",
        undefined="the class was never called, or a side has no items", source=MERCALDO,
        formula=lambda t, prevalence: share(
            share(t.tp, t.fn) * prevalence, share(t.fp, t.tn) * (1 - prevalence)
        ),
        edges=TWO_SIDES, public="ppv_at", needs=("of", "prevalence"), synonyms=("adjusted PPV",),
        interval="ratio-score",
        caution="Assumes that recall and false positive rate carry over to the other place, "
        "which another mix of easy and hard items breaks.",
    ),
    Measure(
        name="negative predictive value at prevalence",
        latex=r"\frac{TNR(1-\pi)}{TNR(1-\pi)+FNR\,\pi}",
        undefined="every item was called of the class, or a side has no items", source=MERCALDO,
        formula=lambda t, prevalence: share(
            share(t.tn, t.fp) * (1 - prevalence), share(t.fn, t.tp) * prevalence
        ),
        edges=TWO_SIDES, public="npv_at", needs=("of", "prevalence"), synonyms=("adjusted NPV",),
        interval="ratio-score",
        caution="Assumes that recall and false positive rate carry over to the other place.",
    ),
    Measure(
        name="expected cost", latex=r"\sum_{ij}c_{ij}n_{ij}/n", bounds=(None, None),
        direction=DOWN, undefined="there are no items", scale=PLAIN,
        source="Elkan (2001), The foundations of cost-sensitive learning, IJCAI",
        edges=NO_ITEMS, public="expected_cost", needs=("costs",), synonyms=("risk", "mean cost"),
        interval="multinomial-score",
        caution="A costly mistake that was not seen in the test still happens: look at the upper "
        "limit.",
    ),
]  # fmt: skip


def _average(
    name: str,
    latex: str,
    formula: Any,
    interval: str,
    caution: str,
    *,
    same_as: tuple[str, OneToOne] | None = None,
    **facts: Any,
) -> Measure:
    averaging, measure = name.casefold().split()
    return Measure(
        name=name, latex=latex, formula=formula, interval=interval, caution=caution,
        undefined="no class has a defined value", source=TAKAHASHI, edges=NO_ITEMS,
        public="average", fixed={"measure": measure, "averaging": averaging}, mirror=name,
        same_as=same_as, **facts,
    )  # fmt: skip


AVERAGES = [
    _average(
        "macro recall", r"\frac1K\sum_k\mathrm{recall}_k", lambda t: mean_share(t.right, t.missed),
        "mover-wilson", "Counts every class the same; rare classes make it jumpy.",
        same_as=("balanced accuracy", SAME),
    ),
    _average(
        "macro precision", r"\frac1K\sum_k\mathrm{precision}_k",
        lambda t: mean_share(t.right, t.alarms), "mover-wilson",
        "Classes that were never called are left out, so a system may raise it by never calling a "
        "hard class.",
    ),
    _average(
        "macro F1", r"\frac1K\sum_kF_{1,k}",
        lambda t: mean_share(2 * t.right, t.missed + t.alarms), "adjusted delta",
        "Is the mean of F1 over classes, not F1 of mean precision and recall; two numbers under "
        "one name in the literature.",
    ),
    _average(
        "weighted F1", r"\sum_k\frac{t_k}{n}F_{1,k}",
        lambda t: weigh_shares(2 * t.right, t.missed + t.alarms, t.true), "adjusted delta",
        "Follows the common classes and need not lie between precision and recall.",
    ),
    _average(
        "weighted precision", r"\sum_k\frac{t_k}{n}\mathrm{precision}_k",
        lambda t: weigh_shares(t.right, t.alarms, t.true), "adjusted delta",
        "Follows the common classes, and with them the mix of the test.",
    ),
    _average(
        "micro F1", r"\sum_kn_{kk}/n", _right, "wilson",
        "With one call per item it is accuracy under another name.", same_as=("accuracy", SAME),
        synonyms=("micro recall", "micro precision", "weighted recall"),
        parts=(("right",), ("wrong",)),
    ),
]  # fmt: skip

ONE = "only one class was used"
RATERS = {
    "clusters": "its interval takes items as independent, and none for clusters is known to hold",
    "weights": "ratings are counted item by item",
    "batches": "it is about raters who are alike, not about systems and the truth",
    "thresholds": "it is about raters",
}
_agreement = partial(Measure, family="agreement", bounds=SIGNED, undefined=ONE)
_near_misses = partial(
    _agreement, needs=("order",), edges=NO_ITEMS, public="weighted_kappa", interval="ase1",
    latex=r"1-\frac{\sum(1-w_{ij})p_{ij}}{\sum(1-w_{ij})p_{i\cdot}p_{\cdot j}}",
    source="Cohen (1968), doi:10.1037/h0026256",
    unfit={
        "clusters": "its interval takes items as independent, and none for clusters is known "
        "to hold",
        "thresholds": "of two classes it is kappa",
    },
)  # fmt: skip
_raters = partial(
    _agreement, counts="JointCalls", interval="adjusted jackknife-t", unfit=RATERS
)  # fmt: skip

AGREEMENT = [
    _agreement(
        name="kappa", latex=r"(p_o-p_e)/(1-p_e)", scale=FISHER, formula=correct_for_chance,
        edges=NO_ITEMS, source="Cohen (1960), doi:10.1177/001316446002000104",
        public="cohen_kappa", clustered=hand_out("clustered_kappa"),
        synonyms=("Cohen's kappa",), mirror="kappa", interval="ase1",
        caution="Falls with unequal classes at the same agreement: 0.658 and 0.265 both occur "
        "where 85 % agree. Read PABAK and AC1 beside it.",
    ),
    _near_misses(
        name="weighted kappa", synonyms=("linear kappa", "linear weighted kappa"),
        caution="Another number of classes, or quadratic weights, give another number; a high "
        "value may go with few exact hits.",
    ),
    _near_misses(
        name="quadratic kappa", fixed={"weights": "quadratic"},
        synonyms=("quadratic weighted kappa", "QWK"),
        caution="Quadratic weights reward calls in the middle and grow with the number of "
        "classes; a high value may go with few exact hits.",
    ),
    _raters(
        name="Fleiss' kappa", latex=r"(p_a-\sum\pi_k^2)/(1-\sum\pi_k^2)",
        source="Fleiss (1971), doi:10.1037/h0031619", public="fleiss_kappa",
        synonyms=("Scott's pi",),
        caution="Takes raters as interchangeable; habits of single raters count as chance. Falls "
        "with unequal categories, as Cohen's.",
    ),
    _raters(
        name="Conger's kappa",
        latex=r"(p_a-\overline{p_g\cdot p_h})/(1-\overline{p_g\cdot p_h})",
        source="Conger (1980), doi:10.1037/0033-2909.88.2.322", public="conger_kappa",
        synonyms=("exact Fleiss kappa",),
        caution="Falls with unequal categories, as Cohen's, whose mean over pairs it nearly is.",
    ),
    _raters(
        name="Krippendorff's alpha", latex=r"1-D_o/D_e",
        source="Hayes & Krippendorff (2007), doi:10.1080/19312450709336664",
        public="krippendorff_alpha", synonyms=("alpha",),
        caution="Falls with unequal categories as kappa does; another metric gives another "
        "number, and the choice must be said.",
    ),
    _raters(
        name="AC1", undefined="no item has two ratings",
        latex=r"(p_a-p_\gamma)/(1-p_\gamma),\ p_\gamma=\tfrac1{K-1}\sum\pi_k(1-\pi_k)",
        source="Gwet (2008), doi:10.1348/000711006X126600", public="gwet_ac",
        synonyms=("Gwet's AC1",),
        caution="Stays high where nearly all items are of one category, also when the rare ones "
        "are rated at random.",
    ),
]  # fmt: skip

OF_CALLS = [*SHARES, *DETECTION, *AVERAGES, *AGREEMENT]
"""In the order in which they are listed."""
