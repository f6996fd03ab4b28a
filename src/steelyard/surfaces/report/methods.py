"""The paragraph on methods: only what was computed, each with its source."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from steelyard.display.numbers import show_level
from steelyard.results import Comparison, DatasetComparison, Evaluation

__all__ = ["Method", "methods_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A sentence of the paragraph, and the works it rests on."""

    said: str
    sources: tuple[str, ...] = ()


WILSON = "Wilson (1927), JASA 22, 209-212, doi:10.1080/01621459.1927.10502953"
BROWN = "Brown, Cai & DasGupta (2001), Statistical Science 16, 101-133, doi:10.1214/ss/1009213286"
AGRESTI = (
    "Agresti & Coull (1998), The American Statistician 52, 119-126, "
    "doi:10.1080/00031305.1998.10480550"
)
KOOPMAN = "Koopman (1984), Biometrics 40, 513-517, doi:10.2307/2531405"
DELONG = "DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845, doi:10.2307/2531595"
NEWCOMBE = "Newcombe (2006), Statistics in Medicine 25, 559-573, doi:10.1002/sim.2324"
FLEISS = "Fleiss, Cohen & Everitt (1969), Psychological Bulletin 72, 323-327, doi:10.1037/h0028106"
COHEN = (
    "Cohen (1960), Educational and Psychological Measurement 20, 37-46, "
    "doi:10.1177/001316446002000104"
)
TANGO = (
    "Tango (1998), Statistics in Medicine 17, 891-908, "
    "doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B"
)
MIETTINEN = (
    "Miettinen & Nurminen (1985), Statistics in Medicine 4, 213-226, doi:10.1002/sim.4780040211"
)
BOSCHLOO = "Boschloo (1970), Statistica Neerlandica 24, 1-9, doi:10.1111/j.1467-9574.1970.tb00104.x"
FAGERLAND = (
    "Fagerland, Lydersen & Laake (2013), BMC Medical Research Methodology 13, 91, "
    "doi:10.1186/1471-2288-13-91"
)
SHAFFER = "Shaffer (1986), JASA 81, 826-831, doi:10.1080/01621459.1986.10478341"
ALTHAM = "Altham (1971), Biometrika 58, 561-576, doi:10.1093/biomet/58.3.561"
MOGSTAD = "Mogstad, Romano, Shaikh & Wilhelm (2024), Review of Economic Studies 91, 476-518, "
MOGSTAD += "doi:10.1093/restud/rdad006"

OBUCHOWSKI = "Obuchowski (1997), Biometrics 53, 567-578, doi:10.2307/2533958"
ZOU = "Zou & Donner (2008), Statistics in Medicine 27, 1693-1702, doi:10.1002/sim.3095"
GORODKIN = (
    "Gorodkin (2004), Computational Biology and Chemistry 28, 367-374, "
    "doi:10.1016/j.compbiolchem.2004.09.006"
)
TAKAHASHI = (
    "Takahashi, Yamamoto, Kuchiba & Koyama (2022), Applied Intelligence 52, 4961-4972, "
    "doi:10.1007/s10489-021-02635-5"
)
BOYD = "Boyd, Eng & Page (2013), ECML PKDD, 451-466, doi:10.1007/978-3-642-40994-3_29"
GWET = "Gwet (2014), Handbook of Inter-Rater Reliability, 4th edition, Advanced Analytics"
DAVISON = "Davison & Hinkley (1997), Bootstrap Methods and their Application, Cambridge"
STUDENT = "Student (1908), Biometrika 6, 1-25, doi:10.1093/biomet/6.1.1"
COCHRAN = "Cochran (1977), Sampling Techniques, 3rd edition, Wiley"
RAMDAS = "Waudby-Smith & Ramdas (2024), JRSS B 86, 1-27, doi:10.1093/jrsssb/qkad009"
GEISSER = "Geisser & Cornfield (1963), JRSS B 25, 368-376, doi:10.1111/j.2517-6161.1963.tb00521.x"
DAVID = "David & Nagaraja (2003), Order Statistics, 3rd edition, Wiley, doi:10.1002/0471722162"
ANGELOPOULOS = "Angelopoulos, Duchi & Zrnic (2023), PPI++, arXiv:2311.01453"
CLOPPER = "Clopper & Pearson (1934), Biometrika 26, 404-413, doi:10.1093/biomet/26.4.404"
BERRY = "Berry & Armitage (1995), The Statistician 44, 417-423, doi:10.2307/2348891"
GARWOOD = "Garwood (1936), Biometrika 28, 437-442, doi:10.1093/biomet/28.3-4.437"
ERICSON = "Ericson (1969), JRSS B 31, 195-224, doi:10.1111/j.2517-6161.1969.tb00782.x"
BINDER = "Binder (1983), International Statistical Review 51, 279-292, doi:10.2307/1402588"
KISH = "Kish (1965), Survey Sampling, Wiley"
KORN = "Korn & Graubard (1998), Survey Methodology 24, 193-201"
MACKINNON = (
    "MacKinnon, Nielsen & Webb (2023), Journal of Applied Econometrics 38, 671-694, "
    "doi:10.1002/jae.2969"
)
CAMERON = (
    "Cameron, Gelbach & Miller (2011), Journal of Business & Economic Statistics 29, 238-249, "
    "doi:10.1198/jbes.2010.07136"
)
RUBIN = "Rubin (1981), Annals of Statistics 9, 130-134, doi:10.1214/aos/1176345338"
LEARNED = "Learned-Miller & Thomas (2019), arXiv:1905.06208"
EFRON = "Efron & Stein (1981), Annals of Statistics 9, 586-596, doi:10.1214/aos/1176345462"
WOOLF = "Woolf (1955), Annals of Human Genetics 19, 251-253, doi:10.1111/j.1469-1809.1955.tb01348.x"
HALDANE = (
    "Haldane (1956), Annals of Human Genetics 20, 309-311, doi:10.1111/j.1469-1809.1955.tb01285.x"
)
SATTERTHWAITE = "Satterthwaite (1946), Biometrics Bulletin 2, 110-114, doi:10.2307/3002019"
WOODRUFF = "Woodruff (1952), JASA 47, 635-646, doi:10.1080/01621459.1952.10483443"
MASSART = "Massart (1990), Annals of Probability 18, 1269-1283, doi:10.1214/aop/1176990746"
KUMAR = "Kumar, Liang & Ma (2019), NeurIPS 32, 3787-3798, arXiv:1909.10155"
ZHOU = "Zhou & Qin (2005), Statistics in Medicine 24, 465-477, doi:10.1002/sim.1563"

INTERVALS = {
    "wilson": Method(said="Wilson score intervals for shares", sources=(WILSON, BROWN)),
    "wilson-effective": Method(
        said="Wilson intervals on the effective number of items for weighted or clustered shares",
        sources=(WILSON, KISH),
    ),
    "clopper-pearson": Method(
        said="Clopper and Pearson's exact intervals for shares", sources=(CLOPPER,)
    ),
    "midp": Method(said="mid-p intervals for shares", sources=(BERRY,)),
    "jeffreys": Method(said="Jeffreys' intervals for shares", sources=(BROWN,)),
    "agresti-coull": Method(said="Agresti and Coull's intervals for shares", sources=(AGRESTI,)),
    "beta-binomial": Method(
        said="Beta-binomial limits for all items of a benchmark of which these are a random part",
        sources=(ERICSON,),
    ),
    "garwood": Method(
        said="Garwood's exact intervals for rates of events over an exposure", sources=(GARWOOD,)
    ),
    "periods": Method(
        said=(
            "Student's t over periods, on the log scale and never narrower than Garwood's limits, "
            "for rates of events"
        ),
        sources=(COCHRAN, GARWOOD),
    ),
    "cluster-robust": Method(
        said=(
            "Student's t with the variance over whole clusters (linearised, each left out in "
            "turn, and one more unseen)"
        ),
        sources=(KORN, BINDER, MACKINNON),
    ),
    "two-way clusters": Method(
        said="Student's t with the variance over both sides of crossed clusters",
        sources=(CAMERON,),
    ),
    "within-items": Method(
        said=(
            "gamma weights of the answers to exactly these items, each asked again, with one "
            "unseen answer"
        ),
        sources=(RUBIN, LEARNED),
    ),
    "items-as-clusters": Method(
        said="limits that take each item, asked more than once, as a cluster",
        sources=(KORN, MACKINNON),
    ),
    "jackknife-over-tries": Method(
        said="Wilson's limits with the jackknife's variance over the tries of each item",
        sources=(EFRON, WILSON),
    ),
    "placement": Method(
        said=(
            "placement intervals for areas under ROC curves and their differences: Beta limits "
            "from DeLong's variance that allow for one item unseen"
        ),
        sources=(DELONG, ZOU),
    ),
    "cluster-placement": Method(
        said="placement intervals for areas with clusters, not items, as the units",
        sources=(OBUCHOWSKI, ZOU),
    ),
    "delong-logit": Method(
        said="logit intervals from DeLong's variance for areas under ROC curves", sources=(DELONG,)
    ),
    "newcombe": Method(
        said="Newcombe's score interval where DeLong's variance says nothing", sources=(NEWCOMBE,)
    ),
    "logit": Method(said="logit intervals for areas", sources=(DELONG,)),
    "adjusted ase1": Method(
        said="large-sample intervals for kappa of the table with a few made-up items added",
        sources=(COHEN, FLEISS),
    ),
    "ase1": Method(said="large-sample intervals for Cohen's kappa", sources=(COHEN, FLEISS)),
    "wilson, chance agreement held fixed": Method(
        said="Wilson's interval of the agreement where Cohen's kappa is at its end",
        sources=(COHEN, WILSON),
    ),
    "wald": Method(said="large-sample (Wald) intervals", sources=(BROWN,)),
    "tango": Method(
        said="Tango's score intervals for differences on common items", sources=(TANGO,)
    ),
    "tango-to-0": Method(
        said=(
            "Tango's score intervals for differences on common items, extended to 0 where the "
            "test keeps 0"
        ),
        sources=(TANGO,),
    ),
    "miettinen-nurminen": Method(
        said="Miettinen and Nurminen's score intervals for differences on independent items",
        sources=(MIETTINEN,),
    ),
    "miettinen-nurminen-to-0": Method(
        said=(
            "Miettinen and Nurminen's score intervals for differences on independent items, drawn "
            "out to 0 where the exact test keeps 0"
        ),
        sources=(MIETTINEN,),
    ),
    "delong": Method(said="DeLong's covariance for differences of areas", sources=(DELONG,)),
    "linearised": Method(
        said="the linearised variance of weighted shares for differences of them",
        sources=(BINDER,),
    ),
    "student-t": Method(
        said="Student's t for means of scores, each class weighed", sources=(STUDENT, SATTERTHWAITE)
    ),
    "log": Method(said="Woolf's intervals, on the log scale, for odds ratios", sources=(WOOLF,)),
    "log, Haldane-corrected": Method(
        said="Woolf's intervals with Haldane's correction, on the log scale, for odds ratios",
        sources=(WOOLF, HALDANE),
    ),
    "limits of the class": Method(
        said="the limits of the only class that occurs, for means over classes", sources=(WILSON,)
    ),
    "wilson-cutoff": Method(
        said="Wilson's intervals with the variance of a cut-off that is estimated",
        sources=(WILSON,),
    ),
    "dkw": Method(said="Massart's bound for the largest distance", sources=(MASSART,)),
    "welch": Method(
        said=(
            "Student's t with Welch and Satterthwaite's degrees of freedom for the sum of two means"
        ),
        sources=(SATTERTHWAITE,),
    ),
    "chance-bounds": Method(
        said="bounds on what chance adds to calibration errors in bins", sources=(KUMAR,)
    ),
    "mover-wilson": Method(
        said="Wilson limits joined by recovered variances (MOVER) for sums of shares",
        sources=(ZOU,),
    ),
    "adjusted delta": Method(
        said="first-order intervals of the table with a few made-up items added for MCC and "
        "averages of F",
        sources=(GORODKIN, TAKAHASHI, AGRESTI),
    ),
    "ratio-score": Method(
        said="Koopman's score intervals for ratios of shares", sources=(KOOPMAN,)
    ),
    "multinomial-score": Method(
        said="multinomial score intervals for ratios of counts", sources=(TAKAHASHI,)
    ),
    "boyd-logit": Method(
        said="logit intervals for areas under precision-recall curves", sources=(BOYD,)
    ),
    "adjusted jackknife-t": Method(
        said="the jackknife over items and a few made-up ones", sources=(GWET, AGRESTI)
    ),
    "cluster-bootstrap": Method(said="the bootstrap over whole clusters", sources=(DAVISON,)),
    "bootstrap-percentile": Method(said="percentiles of the bootstrap", sources=(DAVISON,)),
    "order-statistics": Method(
        said=(
            "Clopper and Pearson's limits joined with order statistics of the other class for "
            "rates at a fixed other rate"
        ),
        sources=(ZOU,),
    ),
    "t": Method(said="Student's t for means and their differences", sources=(STUDENT,)),
    "t-log": Method(
        said="Student's t with the linearised variance, on the log scale, for ratios of sums",
        sources=(COCHRAN,),
    ),
    "cluster-t": Method(
        said="Student's t with the linearised variance over clusters", sources=(COCHRAN,)
    ),
    "cluster-t-log": Method(
        said="Student's t with the linearised variance over clusters, on the log scale",
        sources=(COCHRAN,),
    ),
    **{
        name: Method(
            said=(
                "prediction-powered inference from labels of people and a judge, with Student's t"
                f"{over}, for means and their differences"
            ),
            sources=(ANGELOPOULOS,),
        )
        for name, over in (("ppi", ""), ("cluster-ppi", " over clusters"))
    },
    "cluster-quantile": Method(
        said="Woodruff's limits over whole clusters for quantiles", sources=(WOODRUFF,)
    ),
    "paired-quantile-ranks": Method(
        said="drawn ranks of both systems, as far as items part them, for the difference of two "
        "quantiles",
        sources=(DAVID,),
    ),
    "quantile-ranks": Method(said="exact limits by ranks of items for quantiles", sources=(DAVID,)),
    "betting": Method(
        said="limits by betting that need nothing but the stated range of values",
        sources=(RAMDAS,),
    ),
    "maurer-pontil": Method(
        said="empirical Bernstein limits that need nothing but the stated range of values",
        sources=("Maurer & Pontil (2009), COLT, arXiv:0907.3740",),
    ),
    "zhou-qin-bootstrap": Method(
        said="Zhou and Qin's bootstrap for rates at a fixed other rate", sources=(ZHOU,)
    ),
}
"""What an interval's method is called in words."""
AS_ITEMS = ", each cluster as one item"
"""Ends the name of a method where clusters do not show how a measure varies."""

VERDICTS = {
    ("accuracy", "common"): Method(
        said=(
            "Every pair of systems was compared on the items both answered, by McNemar's test in "
            "its mid-p form (exact where more than four fifths of the items are discordant); the "
            "p-values were adjusted for all pairs by Shaffer's procedure. Probabilities of being "
            "the best and of being better come from the joint Dirichlet "
            "posterior of the right and wrong answers, with uniform priors for each rate"
        ),
        sources=(FAGERLAND, SHAFFER, ALTHAM),
    ),
    ("accuracy", "independent"): Method(
        said=(
            "Every pair of systems was compared by a score test for two independent shares, or "
            "by Boschloo's or Fisher's exact test where counts are small, passing into the score "
            "test as they grow; the p-values were "
            "adjusted for all pairs by Shaffer's procedure. Probabilities come from independent "
            "Beta posteriors with uniform priors"
        ),
        sources=(MIETTINEN, BOSCHLOO, SHAFFER),
    ),
    **{
        (measure, "common"): Method(
            said=(
                f"The {what} of every pair of systems were compared on common items by Student's t "
                "on the differences; the p-values were adjusted for all pairs by Shaffer's "
                "procedure. Probabilities come from the joint t posterior under a flat prior"
            ),
            sources=(STUDENT, *sources, SHAFFER, GEISSER),
        )
        for measure, what, sources in (
            ("mean", "means", ()),
            ("ratio", "ratios of sums (linearised)", (COCHRAN,)),
        )
    },
    ("auc", "common"): Method(
        said=(
            "Areas under the ROC curves were compared pair by pair by placement limits with "
            "DeLong's covariance; the p-values were adjusted for all pairs by Shaffer's procedure. "
            "Probabilities are the one-sided confidence of the same limits"
        ),
        sources=(DELONG, SHAFFER),
    ),
    ("auc", "independent"): Method(
        said=(
            "Areas under the ROC curves of independent test sets were compared pair by pair by "
            "placement limits with DeLong's variances; the p-values were adjusted for all pairs by "
            "Shaffer's procedure. Probabilities are the one-sided confidence of the same limits"
        ),
        sources=(DELONG, SHAFFER),
    ),
}

FRONT = Method(
    said=(
        "Quality was weighed against cost by one-sided claims of every pair, higher quality and "
        "lower cost, tested together by Holm's procedure"
    ),
    sources=("Holm (1979), Scandinavian Journal of Statistics 6, 65-70",),
)

STANDARD = {
    ("accuracy", "common"): {"tango", "tango-to-0"},
    ("accuracy", "independent"): {"miettinen-nurminen", "miettinen-nurminen-to-0"},
    ("mean", "common"): {"t"},
    ("ratio", "common"): {"t"},
    ("auc", "common"): {"placement", "delong"},
    ("auc", "independent"): {"placement", "delong"},
}
"""Intervals of differences by which the sentence above is known to be true of a comparison."""


def methods_of(
    evaluation: Evaluation | None, comparison: Comparison | DatasetComparison | None
) -> list[Method]:
    """Say how each number was found, in the order of the report."""
    if isinstance(comparison, DatasetComparison):
        found = comparison.method_sentences()
        return [Method(said=said, sources=tuple(sources)) for said, sources in found]
    if evaluation is None:
        return _verdicts(comparison)
    rows = [*evaluation.rows(), *(comparison.rows() if comparison else [])]
    used = list(dict.fromkeys(str(row["method"]) for row in rows if row["method"]))
    return [*_intervals(used, evaluation.level), *_verdicts(comparison)]


def _intervals(used: Sequence[str], level: float) -> list[Method]:
    if not used:
        return []
    known = [_name(name) for name in used]
    said = [one.said for one in known]
    listed = said[0] if len(said) == 1 else f"{', '.join(said[:-1])}, and {said[-1]}"
    sources = tuple(dict.fromkeys(source for one in known for source in one.sources))
    return [Method(said=f"Intervals cover {show_level(level)}: {listed}", sources=sources)]


def _name(method: str) -> Method:
    """Say one method in words; what only tomorrow knows is called as it calls itself."""
    kind, clusters, _ = method.partition(AS_ITEMS)
    found = INTERVALS.get(kind, Method(said=f"the method {kind}"))
    return replace(found, said=f"{found.said}{AS_ITEMS}") if clusters else found


def _verdicts(comparison: Comparison | None) -> list[Method]:
    if comparison is None:
        return []
    used = {
        pair.difference.interval.method for pair in comparison.pairs if pair.difference.interval
    }
    usual = used <= STANDARD[comparison.measure, comparison.pairing]
    if not usual or comparison.by_totals or comparison.by_akaike:
        named = [source for name in sorted(used) for source in _name(name).sources]
        adjusted = any(pair.adjusted_p is not None for pair in comparison.pairs)
        shared = [SHAFFER] if adjusted or comparison.by_totals else []
        sources = tuple(dict.fromkeys([*named, *shared]))
        return [Method(said=f"Verdicts by {comparison.primary}", sources=sources)]
    found = [VERDICTS[comparison.measure, comparison.pairing]]
    ranks = (
        f"A pair is called different when its adjusted p-value is at most {comparison.alpha:g}, "
        "which bounds the chance of a single false verdict among all pairs; the ranks left open "
        "follow from these verdicts"
    )
    found.append(Method(said=ranks, sources=(MOGSTAD,)))
    seed: Any = comparison.provenance.seed
    if comparison.monte_carlo_error is not None:
        said = (
            f"Probabilities were simulated with seed {seed}; their largest standard error is "
            f"{comparison.monte_carlo_error:.2g}"
        )
        found.append(Method(said=said))
    if getattr(comparison, "front", ()):
        found.append(FRONT)
    return found
