"""Entries of the catalogue for measures of scores, vectors and fitted models."""

from functools import partial

from steelyard.measures.calibration.brier import brier_score
from steelyard.measures.calibration.decision_curves import net_benefit
from steelyard.measures.calibration.errors import calibration_error
from steelyard.measures.calibration.line import recalibration
from steelyard.measures.catalogue.entries import (
    DOUBLED,
    DOWN,
    EITHER,
    OPEN,
    SHARE,
    SIGNED,
    UP,
    CatalogueEntry,
)
from steelyard.measures.information import aic, aicc, bic
from steelyard.measures.roc.areas import auc
from steelyard.measures.roc.det import equal_error_rate
from steelyard.measures.roc.multiclass import hand_till, rest_areas
from steelyard.measures.roc.operating_rates import detection_rate_at, false_alarm_rate_at
from steelyard.measures.roc.partial_area import partial_auc
from steelyard.measures.roc.pr_curve import average_precision
from steelyard.measures.targeting.curve import (
    captured_at,
    gini,
    ks_distance,
    lift_at,
    precision_at,
)
from steelyard.measures.vectors.scores import vector_score

__all__ = ["score_entries", "vector_and_model_entries"]


def score_entries() -> list[CatalogueEntry]:
    """List the measures of scores: ranking, targeting, calibration."""
    entry = partial(CatalogueEntry, counts="ScoreTable")
    lone = "there are no positives or no negatives"
    lift_source = "Jaffery & Liu (2009), SAS Global Forum, paper 196-2009"
    return [
        entry(name="AUC", family="ranking", formula=r"P(s_+>s_-)+\tfrac12P(s_+=s_-)", bounds=SHARE,
              direction=UP, undefined=lone,
              source="Hanley & McNeil (1982), doi:10.1148/radiology.143.1.7063747", function=auc,
              synonyms=("area under the ROC curve", "c statistic", "c-index"),
              interval="placement"),
        entry(name="average precision", family="ranking",
              formula=r"\sum_t(R_t-R_{t-1})P_t", bounds=SHARE, direction=UP,
              undefined="there are no positives",
              source="Boyd, Eng & Page (2013), doi:10.1007/978-3-642-40994-3_29",
              function=average_precision, synonyms=("PR area", "area under precision-recall"),
              interval="boyd-logit"),
        entry(name="Gini", family="ranking", formula=r"2\,AUC-1", bounds=SIGNED, direction=UP,
              undefined=lone, source="Engelmann, Hayden & Tasche (2003), Risk 16 (1), 82-86",
              function=gini, synonyms=("accuracy ratio", "Somers' D"), interval="placement",
              same_as=("AUC", DOUBLED)),
        entry(name="partial AUC", family="ranking", formula=r"\tfrac12\left(1+\frac{A-A_{min}}"
              r"{A_{max}-A_{min}}\right),\ A=\int_a^bR(x)\,dx", bounds=SHARE, direction=UP,
              undefined=f"{lone}, or the part of the curve lies below chance",
              source="McClish (1989), doi:10.1177/0272989X8900900307", function=partial_auc,
              needs=("false_alarm_rates",), synonyms=("McClish area",), interval="none"),
        entry(name="P_D at P_FA", family="ranking", formula=r"\max\{TPR(t):FPR(t)\le x\}",
              bounds=SHARE, direction=UP, undefined=lone,
              source="Fawcett (2006), doi:10.1016/j.patrec.2005.10.010",
              function=detection_rate_at, needs=("false_alarm_rate",),
              synonyms=("sensitivity at a specificity", "TPR at FPR"), interval="none"),
        entry(name="P_FA at P_D", family="ranking", formula=r"\min\{FPR(t):TPR(t)\ge y\}",
              bounds=SHARE, direction=DOWN, undefined=lone,
              source="Fawcett (2006), doi:10.1016/j.patrec.2005.10.010",
              function=false_alarm_rate_at, needs=("detection_rate",),
              synonyms=("FPR at TPR",), interval="none"),
        entry(name="equal error rate", family="ranking", formula=r"FPR(t)=1-TPR(t)",
              bounds=SHARE, direction=DOWN, undefined=lone,
              source="Martin et al. (1997), doi:10.21437/Eurospeech.1997-504",
              function=equal_error_rate, synonyms=("EER",), interval="none"),
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
              function=lambda table, **asked: calibration_error(table, **asked).error,
              synonyms=("ECE",), interval="chance-bounds"),
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


def vector_and_model_entries() -> list[CatalogueEntry]:
    """List the measures of vectors and of fitted models."""
    vector = partial(
        CatalogueEntry, family="vectors", counts="VectorScores", undefined="there are no items",
        needs=("system",), interval="student-t",
    )  # fmt: skip
    model = partial(
        CatalogueEntry, family="information", counts="FittedModel", bounds=(None, None),
        direction=DOWN, undefined="never", interval="none",
    )  # fmt: skip
    item = partial(
        CatalogueEntry, family="ranking", counts="vector of each item", bounds=SHARE, direction=UP,
        undefined="a class has no item", needs=("vectors", "classes"), interval="placement",
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
        item(name="Hand-Till", formula=r"\frac2{K(K-1)}\sum_{i<j}\tfrac12(A(i|j)+A(j|i))",
             source="Hand & Till (2001), doi:10.1023/A:1010920819831", function=hand_till,
             synonyms=("M", "one-against-one AUC")),
        item(name="one-against-rest AUC", formula=r"\frac1K\sum_iA(i|\text{rest})",
             source="Provost & Domingos (2003), doi:10.1023/A:1024099825458",
             function=rest_areas, synonyms=("OvR AUC", "macro AUC")),
        model(name="AIC", formula=r"-2\ln L+2k", function=aic,
              source="Akaike (1974), doi:10.1109/TAC.1974.1100705"),
        model(name="AICc", formula=r"\mathrm{AIC}+\frac{2k(k+1)}{n-k-1}", function=aicc,
              source="Hurvich & Tsai (1989), doi:10.1093/biomet/76.2.297"),
        model(name="BIC", formula=r"-2\ln L+k\ln n", function=bic, synonyms=("SBC",),
              source="Schwarz (1978), doi:10.1214/aos/1176344136"),
    ]  # fmt: skip
