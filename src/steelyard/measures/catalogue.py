"""Every measure in one place: what it is called, computes, needs and means."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import Any, Literal

from steelyard.errors import RequestError
from steelyard.measures.agreement import cohen_kappa
from steelyard.measures.averages import Averaged, Averaging, average
from steelyard.measures.balanced import balanced_accuracy, informedness, markedness
from steelyard.measures.brier import brier_score
from steelyard.measures.calibration import calibration_error
from steelyard.measures.calibration_line import recalibration
from steelyard.measures.cautions import CAUTIONS
from steelyard.measures.correlation import mcc
from steelyard.measures.costs import expected_cost
from steelyard.measures.decision_curve import net_benefit
from steelyard.measures.detection import (
    accuracy,
    called_share,
    false_discovery_rate,
    false_negative_rate,
    false_omission_rate,
    false_positive_rate,
    npv,
    precision,
    prevalence,
    recall,
    specificity,
)
from steelyard.measures.f_measure import f1, f_beta
from steelyard.measures.information import aic, aicc, bic
from steelyard.measures.krippendorff import krippendorff_alpha
from steelyard.measures.likelihood import (
    diagnostic_odds_ratio,
    likelihood_ratio_negative,
    likelihood_ratio_positive,
    npv_at,
    ppv_at,
)
from steelyard.measures.rater_agreement import conger_kappa, fleiss_kappa, gwet_ac
from steelyard.measures.roc import auc
from steelyard.measures.targeting import (
    captured_at,
    gini,
    ks_distance,
    lift_at,
    precision_at,
)
from steelyard.measures.useless import no_information_rate
from steelyard.measures.vectors import vector_score
from steelyard.measures.weighted_kappa import weighted_kappa

__all__ = ["CATALOGUE", "CatalogueEntry", "catalogue_entry"]

Direction = Literal["larger is better", "smaller is better", "neither"]
Counts = Literal["Confusion", "ScoreTable", "JointCalls", "VectorScores", "FittedModel"]
Family = Literal[
    "detection", "agreement", "ranking", "targeting", "calibration", "vectors", "information"
]
UP: Direction = "larger is better"
DOWN: Direction = "smaller is better"
EITHER: Direction = "neither"
SHARE = (0.0, 1.0)
SIGNED = (-1.0, 1.0)
OPEN = (0.0, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEntry:
    """One measure.

    ``bounds`` are the least and the largest value, None where there is none; ``needs`` the
    arguments beside the counts; ``mirror`` the measure that the other class has when two classes
    change places; ``page`` the chapter that explains it.
    """

    name: str
    family: Family
    formula: str
    bounds: tuple[float | None, float | None]
    direction: Direction
    counts: Counts
    undefined: str
    source: str
    function: Callable[..., Any]
    synonyms: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    mirror: str | None = None
    interval: str = "wilson"

    @property
    def page(self) -> str:
        """The chapter that explains the measure."""
        return {"ranking": "auc-delong", "vectors": "calibration"}.get(self.family, self.family)

    @property
    def misleads(self) -> str:
        """When the measure misleads."""
        return CAUTIONS.get(self.name, "")

    def described(self) -> dict[str, str]:
        """Give the entry as plain words, for tables and machines."""
        low, high = ("" if end is None else f"{end:g}" for end in self.bounds)
        return {
            "name": self.name,
            "synonyms": ", ".join(self.synonyms),
            "family": self.family,
            "formula": self.formula,
            "range": f"{low or '-inf'} to {high or 'inf'}",
            "direction": self.direction,
            "counts": self.counts,
            "needs": ", ".join(self.needs),
            "undefined": self.undefined,
            "interval": self.interval,
            "misleads": self.misleads,
            "source": self.source,
        }


def _shares() -> list[CatalogueEntry]:
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
        )
        for name, function, formula, direction, undefined, source, synonyms, mirror in rows
    ]  # fmt: skip


def _detection() -> list[CatalogueEntry]:
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
              mirror="informedness", interval="newcombe"),
        entry(name="markedness", formula=r"PPV-FOR", bounds=SIGNED, direction=UP,
              undefined="all items, or none, were called of the class",
              source="Powers (2011), arXiv:2010.16061", function=markedness, needs=("of",),
              synonyms=("delta P",), mirror="markedness", interval="newcombe"),
        entry(name="MCC", formula=r"\frac{n\sum n_{kk}-\sum t_kc_k}"
              r"{\sqrt{n^2-\sum c_k^2}\sqrt{n^2-\sum t_k^2}}", bounds=SIGNED, direction=UP,
              undefined="all items are, or were called, of one class",
              source="Gorodkin (2004), doi:10.1016/j.compbiolchem.2004.09.006", function=mcc,
              synonyms=("Matthews correlation", "phi", "R_K"), mirror="MCC",
              interval="fisher-delta"),
        entry(name="positive likelihood ratio", formula=r"TPR/FPR", bounds=OPEN, direction=UP,
              undefined="no false alarm (infinite), or a side has no items",
              source="Simel et al. (1991), doi:10.1016/0895-4356(91)90128-V",
              function=likelihood_ratio_positive, needs=("of",), synonyms=("LR+",),
              interval="log"),
        entry(name="negative likelihood ratio", formula=r"FNR/TNR", bounds=OPEN, direction=DOWN,
              undefined="no correct rejection (infinite), or a side has no items",
              source="Simel et al. (1991), doi:10.1016/0895-4356(91)90128-V",
              function=likelihood_ratio_negative, needs=("of",), synonyms=("LR-",),
              interval="log"),
        entry(name="diagnostic odds ratio", formula=r"tp\,tn/(fp\,fn)", bounds=OPEN, direction=UP,
              undefined="a kind of mistake never happened (infinite)",
              source="Glas et al. (2003), doi:10.1016/S0895-4356(03)00177-X",
              function=diagnostic_odds_ratio, needs=("of",), synonyms=("DOR", "odds ratio"),
              mirror="diagnostic odds ratio", interval="log"),
        entry(name="precision at prevalence", bounds=SHARE, direction=UP,
              formula=r"\frac{TPR\,\pi}{TPR\,\pi+FPR(1-\pi)}",
              undefined="the class was never called, or a side has no items",
              source="Mercaldo et al. (2007), doi:10.1002/sim.2677", function=ppv_at,
              needs=("of", "prevalence"), synonyms=("adjusted PPV",), interval="logit"),
        entry(name="negative predictive value at prevalence", bounds=SHARE, direction=UP,
              formula=r"\frac{TNR(1-\pi)}{TNR(1-\pi)+FNR\,\pi}",
              undefined="every item was called of the class, or a side has no items",
              source="Mercaldo et al. (2007), doi:10.1002/sim.2677", function=npv_at,
              needs=("of", "prevalence"), synonyms=("adjusted NPV",), interval="logit"),
        entry(name="expected cost", formula=r"\sum_{ij}c_{ij}n_{ij}/n", bounds=(None, None),
              direction=DOWN, undefined=no_items,
              source="Elkan (2001), The foundations of cost-sensitive learning, IJCAI",
              function=expected_cost, needs=("costs",), synonyms=("risk", "mean cost"),
              interval="multinomial-score"),
        *_averages(),
    ]  # fmt: skip


def _averages() -> list[CatalogueEntry]:
    kinds: list[tuple[str, Averaged, Averaging, str, str]] = [
        ("macro recall", "recall", "macro", r"\frac1K\sum_k\mathrm{recall}_k", "mover-wilson"),
        ("macro precision", "precision", "macro", r"\frac1K\sum_k\mathrm{precision}_k",
         "mover-wilson"),
        ("macro F1", "f1", "macro", r"\frac1K\sum_kF_{1,k}", "logit-delta"),
        ("weighted F1", "f1", "weighted", r"\sum_k\frac{t_k}{n}F_{1,k}", "logit-delta"),
        ("weighted precision", "precision", "weighted",
         r"\sum_k\frac{t_k}{n}\mathrm{precision}_k", "logit-delta"),
        ("micro F1", "f1", "micro", r"\sum_kn_{kk}/n", "wilson"),
    ]  # fmt: skip
    return [
        CatalogueEntry(
            name=name, family="detection", formula=formula, bounds=SHARE, direction=UP,
            counts="Confusion", undefined="no class has a defined value",
            source="Takahashi et al. (2022), doi:10.1007/s10489-021-02635-5",
            function=partial(average, measure=measure, averaging=averaging),
            mirror=name, interval=interval,
        )
        for name, measure, averaging, formula, interval in kinds
    ]  # fmt: skip


def _agreement() -> list[CatalogueEntry]:
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
              synonyms=("Scott's pi",), interval="jackknife-t"),
        entry(name="Conger's kappa", counts="JointCalls", undefined=one,
              formula=r"(p_a-\overline{p_g\cdot p_h})/(1-\overline{p_g\cdot p_h})",
              source="Conger (1980), doi:10.1037/0033-2909.88.2.322", function=conger_kappa,
              synonyms=("exact Fleiss kappa",), interval="jackknife-t"),
        entry(name="Krippendorff's alpha", counts="JointCalls", undefined=one,
              formula=r"1-D_o/D_e",
              source="Hayes & Krippendorff (2007), doi:10.1080/19312450709336664",
              function=krippendorff_alpha, synonyms=("alpha",), interval="jackknife-t"),
        entry(name="AC1", counts="JointCalls", undefined="no item has two ratings",
              formula=r"(p_a-p_\gamma)/(1-p_\gamma),\ p_\gamma=\tfrac1{K-1}\sum\pi_k(1-\pi_k)",
              source="Gwet (2008), doi:10.1348/000711006X126600", function=gwet_ac,
              synonyms=("Gwet's AC1", "AC2 (weighted)"), interval="jackknife-t"),
    ]  # fmt: skip


def _scores() -> list[CatalogueEntry]:
    entry = partial(CatalogueEntry, counts="ScoreTable")
    lone = "there are no positives or no negatives"
    lift_source = "Jaffery & Liu (2009), SAS Global Forum, paper 196-2009"
    return [
        entry(name="AUC", family="ranking", formula=r"P(s_+>s_-)+\tfrac12P(s_+=s_-)", bounds=SHARE,
              direction=UP, undefined=lone,
              source="Hanley & McNeil (1982), doi:10.1148/radiology.143.1.7063747", function=auc,
              synonyms=("area under the ROC curve", "c statistic"), interval="delong-logit"),
        entry(name="Gini", family="ranking", formula=r"2\,AUC-1", bounds=SIGNED, direction=UP,
              undefined=lone, source="Engelmann, Hayden & Tasche (2003), Risk 16 (1), 82-86",
              function=gini, synonyms=("accuracy ratio",), interval="delong-logit"),
        entry(name="KS distance", family="ranking", formula=r"\max_t|TPR(t)-FPR(t)|", bounds=SHARE,
              direction=UP, undefined=lone, source="Massart (1990), doi:10.1214/aop/1176990746",
              function=ks_distance, synonyms=("Kolmogorov-Smirnov",), interval="dkw"),
        entry(name="captured share", family="targeting", formula=r"g(q)=P(s\ge s_q\mid+)",
              bounds=SHARE, direction=UP, undefined="there are no positives", source=lift_source,
              function=captured_at, needs=("budget",), synonyms=("cumulative gain", "recall at k"),
              interval="wilson-cutoff"),
        entry(name="precision at depth", family="targeting", formula=r"\pi\,g(q)/q", bounds=SHARE,
              direction=UP, undefined="there are no positives", source=lift_source,
              function=precision_at, needs=("budget",), synonyms=("precision at k",),
              interval="wilson-cutoff"),
        entry(name="lift", family="targeting", formula=r"g(q)/q", bounds=OPEN, direction=UP,
              undefined="there are no positives", source=lift_source, function=lift_at,
              needs=("depth",), interval="wilson-cutoff"),
        entry(name="net benefit", family="targeting", formula=r"\frac{TP}n-\frac{FP}n\frac t{1-t}",
              bounds=(None, 1.0), direction=UP, undefined="there are no items",
              source="Vickers & Elkin (2006), doi:10.1177/0272989X06295361", function=net_benefit,
              needs=("threshold",), synonyms=("decision curve",), interval="multinomial-score"),
        entry(name="expected calibration error", family="calibration", bounds=SHARE,
              formula=r"\sum_b\frac{n_b}n|\bar y_b-\bar p_b|", direction=DOWN,
              undefined="scores are no probabilities",
              source="Naeini et al. (2015), doi:10.1609/aaai.v29i1.9602",
              function=lambda table, **asked: calibration_error(table).error, synonyms=("ECE",),
              interval="none"),
        entry(name="calibration slope", family="calibration", bounds=(None, None),
              formula=r"b:\ \operatorname{logit}P(y)=a+b\operatorname{logit}p", direction=EITHER,
              undefined="forecasts separate the classes, or are 0 or 1",
              source="Cox (1958), doi:10.1093/biomet/45.3-4.562",
              function=lambda table, **asked: recalibration(table, **asked).slope,
              interval="wald"),
        entry(name="calibration in the large", family="calibration", bounds=(None, None),
              formula=r"a:\ \operatorname{logit}P(y)=a+\operatorname{logit}p", direction=EITHER,
              undefined="only one class, or forecasts of 0 or 1",
              source="Cox (1958), doi:10.1093/biomet/45.3-4.562",
              function=lambda table, **asked: recalibration(table, **asked).in_the_large,
              interval="wald"),
        entry(name="Brier score of two classes", family="calibration", bounds=SHARE,
              formula=r"\frac1n\sum(p_i-y_i)^2", direction=DOWN, undefined="there are no items",
              source="Murphy (1973), doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2",
              function=brier_score, synonyms=("Brier parts",), interval="student-t"),
    ]  # fmt: skip


def _vectors_and_models() -> list[CatalogueEntry]:
    vector = partial(
        CatalogueEntry, family="vectors", counts="VectorScores", undefined="there are no items",
        needs=("system",), interval="student-t",
    )  # fmt: skip
    model = partial(
        CatalogueEntry, family="information", counts="FittedModel", bounds=(None, None),
        direction=DOWN, undefined="never", interval="none",
    )  # fmt: skip
    meastex = "Smith & Burns (1997), Pattern Recognition Letters 18, 1495-1501"
    return [
        vector(name="spherical score", formula=r"o_t/\lVert o\rVert_2", bounds=SHARE, direction=UP,
               source=meastex, function=partial(vector_score, rule="spherical"),
               synonyms=("MeasTex score",)),
        vector(name="winner score", formula=r"[t=\arg\max o]", bounds=SHARE, direction=UP,
               source=meastex, function=partial(vector_score, rule="winner"),
               synonyms=("winner takes all",)),
        vector(name="brier score", formula=r"\sum_c(p_c-[c=t])^2", bounds=(0.0, 2.0),
               direction=DOWN,
               source="Brier (1950), doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2",
               function=partial(vector_score, rule="brier")),
        vector(name="log score", formula=r"-\ln p_t", bounds=OPEN, direction=DOWN,
               source="Good (1952), doi:10.1111/j.2517-6161.1952.tb00104.x",
               function=partial(vector_score, rule="log"),
               synonyms=("log loss", "cross-entropy")),
        model(name="AIC", formula=r"-2\ln L+2k", function=aic,
              source="Akaike (1974), doi:10.1109/TAC.1974.1100705"),
        model(name="AICc", formula=r"\mathrm{AIC}+\frac{2k(k+1)}{n-k-1}", function=aicc,
              source="Hurvich & Tsai (1989), doi:10.1093/biomet/76.2.297"),
        model(name="BIC", formula=r"-2\ln L+k\ln n", function=bic, synonyms=("SBC",),
              source="Schwarz (1978), doi:10.1214/aos/1176344136"),
    ]  # fmt: skip


CATALOGUE: Mapping[str, CatalogueEntry] = {
    entry.name: entry
    for entry in [
        *_shares(),
        *_detection(),
        *_agreement(),
        *_scores(),
        *_vectors_and_models(),
    ]
}
"""Every measure, by its name."""


def catalogue_entry(name: str) -> CatalogueEntry:
    """Find a measure by its name or a synonym, in any case.

    Examples
    --------
    >>> catalogue_entry("sensitivity").name
    'recall'
    """
    words = {
        word.casefold(): entry
        for entry in CATALOGUE.values()
        for word in (*entry.synonyms, entry.name)
    }
    if name.casefold() in words:
        return words[name.casefold()]
    near = get_close_matches(name.casefold(), words, n=3, cutoff=0.5)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    message = f"No measure {name!r} in the catalogue.{hint} `steelyard catalogue` lists all."
    raise RequestError(message)
