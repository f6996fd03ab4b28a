"""Entries of the catalogue for measures of tables of calls: detection and agreement."""

from functools import partial
from typing import Any

from steelyard.measures.agreement.kappa import cohen_kappa
from steelyard.measures.agreement.krippendorff import krippendorff_alpha
from steelyard.measures.agreement.raters import conger_kappa, fleiss_kappa, gwet_ac
from steelyard.measures.agreement.weighted_kappas import weighted_kappa
from steelyard.measures.catalogue.entries import (
    COMPLEMENT,
    DOUBLED,
    DOWN,
    EITHER,
    OPEN,
    SAME,
    SHARE,
    SIGNED,
    UP,
    CatalogueEntry,
    Direction,
)
from steelyard.measures.tables.averages import Averaged, Averaging, average
from steelyard.measures.tables.balanced import balanced_accuracy, informedness, markedness
from steelyard.measures.tables.correlation import mcc
from steelyard.measures.tables.costs import expected_cost
from steelyard.measures.tables.detection import (
    accuracy,
    called_share,
    npv,
    precision,
    prevalence,
    recall,
    specificity,
)
from steelyard.measures.tables.error_rates import (
    false_discovery_rate,
    false_negative_rate,
    false_omission_rate,
    false_positive_rate,
)
from steelyard.measures.tables.f_measure import f1, f_beta
from steelyard.measures.tables.likelihood import (
    diagnostic_odds_ratio,
    likelihood_ratio_negative,
    likelihood_ratio_positive,
    npv_at,
    ppv_at,
)
from steelyard.measures.tables.useless import no_information_rate

__all__ = ["agreement_entries", "detection_entries", "share_entries"]


COMPLEMENTS = {
    "false positive rate": "specificity",
    "false negative rate": "recall",
    "false discovery rate": "precision",
    "false omission rate": "negative predictive value",
}
"""Shares of what went wrong, and those of what went right that they complete to 1."""


def share_entries() -> list[CatalogueEntry]:
    """List the plain shares of one class."""
    fielding = "Fielding & Bell (1997), doi:10.1017/S0376892997000088"
    altman = "Altman & Bland (1994), doi:10.1136/bmj.308.6943.1552"
    predictive = "Altman & Bland (1994), doi:10.1136/bmj.309.6947.102"
    fawcett = "Fawcett (2006), doi:10.1016/j.patrec.2005.10.010"
    rows: list[tuple[str, Any, str, Direction, str, str, tuple[str, ...], str | None]] = [
        ("recall", recall, r"tp/(tp+fn)", UP, "no item is of the class", altman,
         ("sensitivity", "true positive rate", "TPR", "hit rate", "P_D"), "specificity"),
        ("precision", precision, r"tp/(tp+fp)", UP, "the class was never called", predictive,
         ("positive predictive value", "PPV"), "negative predictive value"),
        ("specificity", specificity, r"tn/(tn+fp)", UP, "every item is of the class", altman,
         ("true negative rate", "TNR", "selectivity"), "recall"),
        ("negative predictive value", npv, r"tn/(tn+fn)", UP,
         "every item was called of the class", predictive, ("NPV",), "precision"),
        ("false positive rate", false_positive_rate, r"fp/(fp+tn)", DOWN,
         "every item is of the class", fawcett, ("FPR", "false alarm rate", "fall-out", "P_FA"),
         "false negative rate"),
        ("false negative rate", false_negative_rate, r"fn/(fn+tp)", DOWN,
         "no item is of the class", fawcett, ("FNR", "miss rate"), "false positive rate"),
        ("false discovery rate", false_discovery_rate, r"fp/(fp+tp)", DOWN,
         "the class was never called", fawcett, ("FDR",), "false omission rate"),
        ("false omission rate", false_omission_rate, r"fn/(fn+tn)", DOWN,
         "every item was called of the class", fawcett, ("FOR",), "false discovery rate"),
        ("prevalence", prevalence, r"(tp+fn)/n", EITHER, "there are no items", predictive,
         ("base rate",), None),
        ("called share", called_share, r"(tp+fp)/n", EITHER, "there are no items", fielding,
         ("detection prevalence",), None),
    ]  # fmt: skip
    return [
        CatalogueEntry(
            name=name, family="detection", formula=formula, bounds=SHARE, direction=direction,
            counts="Confusion", undefined=undefined, source=source, function=function,
            synonyms=synonyms, needs=("of",), mirror=mirror,
            same_as=(COMPLEMENTS[name], COMPLEMENT) if name in COMPLEMENTS else None,
        )
        for name, function, formula, direction, undefined, source, synonyms, mirror in rows
    ]  # fmt: skip


def detection_entries() -> list[CatalogueEntry]:
    """List the measures of detection that are no plain shares of one class."""
    entry = partial(CatalogueEntry, family="detection", counts="Confusion")
    no_items = "there are no items"
    return [
        entry(name="accuracy", formula=r"\sum_in_{ii}/n", bounds=SHARE, direction=UP,
              undefined=no_items, source="Fielding & Bell (1997), doi:10.1017/S0376892997000088",
              function=accuracy, synonyms=("percent correct", "observed agreement"),
              mirror="accuracy"),
        entry(name="no-information rate", formula=r"\max_it_i/n", bounds=SHARE, direction=EITHER,
              undefined=no_items, source="Kuhn (2008), doi:10.18637/jss.v028.i05",
              function=no_information_rate, synonyms=("NIR", "majority share"),
              mirror="no-information rate"),
        entry(name="F1", formula=r"2tp/(2tp+fp+fn)", bounds=SHARE, direction=UP,
              undefined="the class is neither true nor called",
              source="van Rijsbergen (1979), Information Retrieval, chapter 7",
              function=f1, needs=("of",), synonyms=("F-score", "Dice"),
              interval="multinomial-score"),
        entry(name="F2", formula=r"\frac{(1+\beta^2)tp}{(1+\beta^2)tp+\beta^2fn+fp},\ \beta=2",
              bounds=SHARE, direction=UP, undefined="the class is neither true nor called",
              source="van Rijsbergen (1979), Information Retrieval, chapter 7",
              function=partial(f_beta, beta=2.0), needs=("of",), synonyms=("F-beta",),
              interval="multinomial-score"),
        entry(name="balanced accuracy", formula=r"\frac1K\sum_kn_{kk}/t_k", bounds=SHARE,
              direction=UP, undefined="a class has no items",
              source="Brodersen et al. (2010), doi:10.1109/ICPR.2010.764",
              function=balanced_accuracy, mirror="balanced accuracy", interval="mover-wilson"),
        entry(name="informedness", formula=r"TPR-FPR", bounds=SIGNED, direction=UP,
              undefined="the class or the rest has no items",
              source="Youden (1950), "
              "doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3",
              function=informedness, needs=("of",), synonyms=("Youden's J", "TSS", "true skill"),
              mirror="informedness", interval="newcombe", same_as=("balanced accuracy", DOUBLED),
              two_classes=True),
        entry(name="markedness", formula=r"PPV-FOR", bounds=SIGNED, direction=UP,
              undefined="all items, or none, were called of the class",
              source="Powers (2011), arXiv:2010.16061", function=markedness, needs=("of",),
              synonyms=("delta P",), mirror="markedness", interval="newcombe"),
        entry(name="MCC", formula=r"\frac{n\sum n_{kk}-\sum t_kc_k}"
              r"{\sqrt{n^2-\sum c_k^2}\sqrt{n^2-\sum t_k^2}}", bounds=SIGNED, direction=UP,
              undefined="all items are, or were called, of one class",
              source="Gorodkin (2004), doi:10.1016/j.compbiolchem.2004.09.006", function=mcc,
              synonyms=("Matthews correlation", "phi", "R_K"), mirror="MCC",
              interval="adjusted delta"),
        entry(name="positive likelihood ratio", formula=r"TPR/FPR", bounds=OPEN, direction=UP,
              undefined="no false alarm (infinite), or a side has no items",
              source="Simel et al. (1991), doi:10.1016/0895-4356(91)90128-V",
              function=likelihood_ratio_positive, needs=("of",), synonyms=("LR+",),
              interval="ratio-score"),
        entry(name="negative likelihood ratio", formula=r"FNR/TNR", bounds=OPEN, direction=DOWN,
              undefined="no correct rejection (infinite), or a side has no items",
              source="Simel et al. (1991), doi:10.1016/0895-4356(91)90128-V",
              function=likelihood_ratio_negative, needs=("of",), synonyms=("LR-",),
              interval="ratio-score"),
        entry(name="diagnostic odds ratio", formula=r"tp\,tn/(fp\,fn)", bounds=OPEN, direction=UP,
              undefined="a kind of mistake never happened (infinite)",
              source="Glas et al. (2003), doi:10.1016/S0895-4356(03)00177-X",
              function=diagnostic_odds_ratio, needs=("of",), synonyms=("DOR", "odds ratio"),
              mirror="diagnostic odds ratio", interval="log"),
        entry(name="precision at prevalence", bounds=SHARE, direction=UP,
              formula=r"\frac{TPR\,\pi}{TPR\,\pi+FPR(1-\pi)}",
              undefined="the class was never called, or a side has no items",
              source="Mercaldo et al. (2007), doi:10.1002/sim.2677", function=ppv_at,
              needs=("of", "prevalence"), synonyms=("adjusted PPV",), interval="ratio-score"),
        entry(name="negative predictive value at prevalence", bounds=SHARE, direction=UP,
              formula=r"\frac{TNR(1-\pi)}{TNR(1-\pi)+FNR\,\pi}",
              undefined="every item was called of the class, or a side has no items",
              source="Mercaldo et al. (2007), doi:10.1002/sim.2677", function=npv_at,
              needs=("of", "prevalence"), synonyms=("adjusted NPV",), interval="ratio-score"),
        entry(name="expected cost", formula=r"\sum_{ij}c_{ij}n_{ij}/n", bounds=(None, None),
              direction=DOWN, undefined=no_items,
              source="Elkan (2001), The foundations of cost-sensitive learning, IJCAI",
              function=expected_cost, needs=("costs",), synonyms=("risk", "mean cost"),
              interval="multinomial-score"),
        *_averages(),
    ]  # fmt: skip


SAYING_THE_SAME = {"macro recall": "balanced accuracy", "micro F1": "accuracy"}
"""Averages over classes that have another name."""


def _averages() -> list[CatalogueEntry]:
    kinds: list[tuple[str, Averaged, Averaging, str, str]] = [
        ("macro recall", "recall", "macro", r"\frac1K\sum_k\mathrm{recall}_k", "mover-wilson"),
        ("macro precision", "precision", "macro", r"\frac1K\sum_k\mathrm{precision}_k",
         "mover-wilson"),
        ("macro F1", "f1", "macro", r"\frac1K\sum_kF_{1,k}", "adjusted delta"),
        ("weighted F1", "f1", "weighted", r"\sum_k\frac{t_k}{n}F_{1,k}", "adjusted delta"),
        ("weighted precision", "precision", "weighted",
         r"\sum_k\frac{t_k}{n}\mathrm{precision}_k", "adjusted delta"),
        ("micro F1", "f1", "micro", r"\sum_kn_{kk}/n", "wilson"),
    ]  # fmt: skip
    return [
        CatalogueEntry(
            name=name, family="detection", formula=formula, bounds=SHARE, direction=UP,
            counts="Confusion", undefined="no class has a defined value",
            source="Takahashi et al. (2022), doi:10.1007/s10489-021-02635-5",
            function=partial(average, measure=measure, averaging=averaging),
            mirror=name, interval=interval,
            same_as=(SAYING_THE_SAME[name], SAME) if name in SAYING_THE_SAME else None,
        )
        for name, measure, averaging, formula, interval in kinds
    ]  # fmt: skip


def agreement_entries() -> list[CatalogueEntry]:
    """List the measures of agreement."""
    entry = partial(CatalogueEntry, family="agreement", bounds=SIGNED, direction=UP)
    one = "only one class was used"
    return [
        entry(name="kappa", formula=r"(p_o-p_e)/(1-p_e)", counts="Confusion", undefined=one,
              source="Cohen (1960), doi:10.1177/001316446002000104", function=cohen_kappa,
              synonyms=("Cohen's kappa",), mirror="kappa", interval="ase1"),
        entry(name="weighted kappa", counts="Confusion", undefined=one, needs=("order",),
              formula=r"1-\frac{\sum(1-w_{ij})p_{ij}}{\sum(1-w_{ij})p_{i\cdot}p_{\cdot j}}",
              source="Cohen (1968), doi:10.1037/h0026256", function=weighted_kappa,
              synonyms=("linear kappa", "quadratic kappa"), mirror="weighted kappa",
              interval="ase1"),
        entry(name="Fleiss' kappa", counts="JointCalls", undefined=one,
              formula=r"(p_a-\sum\pi_k^2)/(1-\sum\pi_k^2)",
              source="Fleiss (1971), doi:10.1037/h0031619", function=fleiss_kappa,
              synonyms=("Scott's pi",), interval="adjusted jackknife-t"),
        entry(name="Conger's kappa", counts="JointCalls", undefined=one,
              formula=r"(p_a-\overline{p_g\cdot p_h})/(1-\overline{p_g\cdot p_h})",
              source="Conger (1980), doi:10.1037/0033-2909.88.2.322", function=conger_kappa,
              synonyms=("exact Fleiss kappa",), interval="adjusted jackknife-t"),
        entry(name="Krippendorff's alpha", counts="JointCalls", undefined=one,
              formula=r"1-D_o/D_e",
              source="Hayes & Krippendorff (2007), doi:10.1080/19312450709336664",
              function=krippendorff_alpha, synonyms=("alpha",), interval="adjusted jackknife-t"),
        entry(name="AC1", counts="JointCalls", undefined="no item has two ratings",
              formula=r"(p_a-p_\gamma)/(1-p_\gamma),\ p_\gamma=\tfrac1{K-1}\sum\pi_k(1-\pi_k)",
              source="Gwet (2008), doi:10.1348/000711006X126600", function=gwet_ac,
              synonyms=("Gwet's AC1", "AC2 (weighted)"), interval="adjusted jackknife-t"),
    ]  # fmt: skip
