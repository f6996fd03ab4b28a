"""What a paper may say about a comparison: the methods that were used, with their sources."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from steelyard.display.markup import latex_text
from steelyard.display.numbers import show_level, show_probability
from steelyard.display.text import clean_text
from steelyard.results.measured import say_count

if TYPE_CHECKING:
    from steelyard.results.comparison import Comparison

__all__ = ["methods_latex", "methods_text"]


@dataclass(frozen=True, slots=True)
class Source:
    """A source as it is cited in a sentence, and in full."""

    cited: str
    full: str


SOURCES = {
    "obuchowski-areas": Source(
        "Obuchowski 1997", "Obuchowski NA (1997). Biometrics 53, 567-578. doi:10.2307/2533958"
    ),
    "mackinnon": Source(
        "MacKinnon, Nielsen & Webb 2023",
        "MacKinnon JG, Nielsen MØ, Webb MD (2023). Journal of Applied Econometrics 38, 671-694. "
        "doi:10.1002/jae.2969",
    ),
    "wilson": Source(
        "Wilson 1927",
        "Wilson EB (1927). Journal of the American Statistical Association 22, 209-212. "
        "doi:10.1080/01621459.1927.10502953",
    ),
    "tango": Source(
        "Tango 1998",
        "Tango T (1998). Statistics in Medicine 17, 891-908. "
        "doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B",
    ),
    "miettinen-nurminen": Source(
        "Miettinen and Nurminen 1985",
        "Miettinen O, Nurminen M (1985). Statistics in Medicine 4, 213-226. "
        "doi:10.1002/sim.4780040211",
    ),
    "boschloo": Source(
        "Boschloo 1970",
        "Boschloo RD (1970). Statistica Neerlandica 24, 1-9. "
        "doi:10.1111/j.1467-9574.1970.tb00104.x",
    ),
    "fisher": Source(
        "Fisher 1935",
        "Fisher RA (1935). Journal of the Royal Statistical Society 98, 39-82. doi:10.2307/2342435",
    ),
    "fagerland": Source(
        "Fagerland et al. 2013",
        "Fagerland MW, Lydersen S, Laake P (2013). BMC Medical Research Methodology 13, 91. "
        "doi:10.1186/1471-2288-13-91",
    ),
    "delong": Source(
        "DeLong et al. 1988",
        "DeLong ER, DeLong DM, Clarke-Pearson DL (1988). Biometrics 44, 837-845. "
        "doi:10.2307/2531595",
    ),
    "shaffer": Source(
        "Shaffer 1986",
        "Shaffer JP (1986). Journal of the American Statistical Association 81, 826-831. "
        "doi:10.1080/01621459.1986.10478341",
    ),
    "altham": Source(
        "Altham 1971", "Altham PME (1971). Biometrika 58, 561-576. doi:10.1093/biomet/58.3.561"
    ),
    "he-fu": Source(
        "He and Fu 2008",
        "He J, Fu Q (2008). A comparison method for the recognition rates of automatic target "
        "recognition algorithms (in Chinese). National University of Defense Technology, Changsha",
    ),
    "akaike": Source(
        "Akaike 1974",
        "Akaike H (1974). IEEE Transactions on Automatic Control 19, 716-723. "
        "doi:10.1109/TAC.1974.1100705",
    ),
    "ozeki": Source(
        "Ozeki",
        "Ozeki K. Performance comparison of recognition systems based on the Akaike information "
        "criterion",
    ),
    "piepho": Source(
        "Piepho 2004",
        "Piepho HP (2004). Journal of Computational and Graphical Statistics 13, 456-466. "
        "doi:10.1198/1061860043515",
    ),
    "mogstad": Source(
        "Mogstad et al. 2024",
        "Mogstad M, Romano JP, Shaikh AM, Wilhelm D (2024). Review of Economic Studies 91, "
        "476-518. doi:10.1093/restud/rdad006",
    ),
    "binder": Source(
        "Binder 1983",
        "Binder DA (1983). International Statistical Review 51, 279-292. doi:10.2307/1402588",
    ),
    "polson": Source(
        "Polson and Scott 2012",
        "Polson NG, Scott JG (2012). Bayesian Analysis 7, 887-902. doi:10.1214/12-BA730",
    ),
    "student": Source(
        "Student 1908", "Student (1908). Biometrika 6, 1-25. doi:10.1093/biomet/6.1.1"
    ),
    "cochran": Source(
        "Cochran 1977", "Cochran WG (1977). Sampling Techniques, 3rd edition. Wiley, section 6.3"
    ),
    "angelopoulos": Source(
        "Angelopoulos et al. 2023",
        "Angelopoulos AN, Duchi JC, Zrnic T (2023). PPI++: efficient prediction-powered inference. "
        "arXiv:2311.01453",
    ),
    "geisser": Source(
        "Geisser and Cornfield 1963",
        "Geisser S, Cornfield J (1963). Journal of the Royal Statistical Society B 25, 368-376. "
        "doi:10.1111/j.2517-6161.1963.tb00521.x",
    ),
    "kruschke": Source(
        "Kruschke 2018",
        "Kruschke JK (2018). Advances in Methods and Practices in Psychological Science 1, "
        "270-280. doi:10.1177/2515245918771304",
    ),
}

INTERVALS = {
    "wilson": ("Wilson's score method", "wilson"),
    "tango": ("Tango's score method for paired shares", "tango"),
    "tango-to-0": (
        "Tango's score method for paired shares, extended to 0 where the test keeps 0",
        "tango",
    ),
    "miettinen-nurminen": ("Miettinen and Nurminen's score method", "miettinen-nurminen"),
    "miettinen-nurminen-to-0": (
        "Miettinen and Nurminen's score method, extended to 0 where the exact test keeps 0",
        "miettinen-nurminen",
    ),
    "delong": ("the normal distribution with DeLong's variance", "delong"),
    "placement": ("placement limits with DeLong's variance and one item unseen", "delong"),
    "cluster-placement": (
        "placement limits with the variance between clusters and one cluster unseen",
        "obuchowski-areas",
    ),
    "wilson-effective": ("Wilson's score method on Kish's effective number of items", "wilson"),
    "linearised": (
        "the score method with the linearised variance of weighted shares and Student's t",
        "binder",
    ),
    "cluster-robust": (
        "the score method with the jackknife variance over clusters and Student's t",
        "mackinnon",
    ),
    "t": ("Student's t", "student"),
    "t-log": ("Student's t with the linearised variance, on the scale of logarithms", "cochran"),
    "cluster-t": ("Student's t with the linearised variance over clusters", "cochran"),
    "cluster-t-log": (
        "Student's t with the linearised variance over clusters, on the scale of logarithms",
        "cochran",
    ),
    "ppi": (
        "prediction-powered inference from labels of people and a judge, with Student's t",
        "angelopoulos",
    ),
    "cluster-ppi": (
        "prediction-powered inference from labels of people and a judge, with Student's t over "
        "clusters",
        "angelopoulos",
    ),
}

CLUSTERED = frozenset({"cluster-robust", "cluster-placement", "cluster-t", "cluster-ppi"})
"""Intervals that take clusters, not items, as the units."""

KEYS = "|".join(SOURCES)
MARK = re.compile(rf"\[\[((?:{KEYS})(?:, (?:{KEYS}))*)\]\]")
"""Only known sources, so that no name out of the data is taken as one."""


def methods_text(comparison: "Comparison") -> str:
    """Say how the comparison was computed: a paragraph, then the sources it names."""
    said = " ".join(_sentences(comparison))
    sources = "\n".join(f"* {SOURCES[key].full}." for key in _list_sources(said))
    return f"{MARK.sub(_cite, said)}\n\nSources\n\n{sources}"


def methods_latex(comparison: "Comparison") -> str:
    """Say the same in LaTeX without a package or a bibliography."""
    said = " ".join(_sentences(comparison))
    items = [f"  \\item {latex_text(SOURCES[key].full)}." for key in _list_sources(said)]
    sources = "\n".join(["\\begin{itemize}", *items, "\\end{itemize}"])
    return f"{latex_text(MARK.sub(_cite, said))}\n\n{sources}"


def _list_sources(said: str) -> list[str]:
    """Give the sources in the order in which they are first cited."""
    return list(dict.fromkeys(key for found in MARK.findall(said) for key in found.split(", ")))


def _cite(found: re.Match[str]) -> str:
    return f"({'; '.join(SOURCES[key].cited for key in found[1].split(', '))})"


def _sentences(comparison: "Comparison") -> Iterator[str]:
    """Say what was done, in the order in which it was done; ``[[key]]`` stands for a source."""
    yield _design(comparison)
    yield from _interval_sentences(comparison)
    yield from _test_sentences(comparison)
    yield from _posterior_sentences(comparison)
    yield from _akaike_sentences(comparison)
    yield from _order_sentences(comparison)
    seed = comparison.provenance.seed
    sown = f" with seed {seed}" if comparison.monte_carlo_error is not None else ""
    version = clean_text(comparison.provenance.version)
    yield f"All numbers were computed by Steelyard {version}{sown}."


def _design(comparison: "Comparison") -> str:
    measure = {
        "accuracy": "the share of right answers",
        "auc": "the area under the ROC curve",
        "mean": f"their {clean_text(comparison.measure_name)}",
        "ratio": f"their {clean_text(comparison.measure_name)}, a ratio of sums",
    }[comparison.measure]
    where = "on items of their own"
    if comparison.pairing == "common":
        where = f"on {'common items' if comparison.items is None else comparison.items_name}"
    return f"{say_count(len(comparison.systems), 'system')} were compared {where} by {measure}."


def _interval_sentences(comparison: "Comparison") -> Iterator[str]:
    rates = [one.rate.interval for one in comparison.systems]
    gaps = [pair.difference.interval for pair in comparison.pairs]
    level = show_level(comparison.level)
    for what, found in (("Rates", rates), ("Differences", gaps)):
        for method in dict.fromkeys(ends.method for ends in found if ends is not None):
            name, key = INTERVALS.get(method, (f"the method {clean_text(method)}", None))
            if key == "mackinnon" and comparison.measure == "auc":
                name = "the linearised variance between clusters and Student's t"
                key = "obuchowski-areas"
            cited = f" [[{key}]]" if key else ""
            yield f"{what} carry {level} intervals by {name}{cited}."


def _test_sentences(comparison: "Comparison") -> Iterator[str]:
    if all(pair.p_value is None for pair in comparison.pairs):
        return
    test = _name_test(comparison)
    yield (
        f"{say_count(len(comparison.pairs), 'pair')} {_were(comparison.pairs)} tested by {test}, "
        f"adjusted by Shaffer's procedure [[shaffer]], and called different at a family-wise error "
        f"rate of {comparison.alpha:g}."
    )
    if comparison.slices:
        yield (
            f"The same was done within each of {say_count(len(comparison.slices), 'slice')}, with "
            "one adjustment over all slices and pairs [[shaffer]]."
        )


def _name_test(comparison: "Comparison") -> str:
    clustered = by_clusters(comparison)
    if comparison.measure == "auc":
        of_areas = "placement limits with clusters as units [[obuchowski-areas]]"
        return of_areas if clustered else "placement limits with DeLong's covariance [[delong]]"
    if comparison.measure in {"mean", "ratio"}:
        units = "clusters" if clustered else "items"
        key = "student" if comparison.measure == "mean" and not clustered else "cochran"
        judged = getattr(comparison, "judged", ())
        what, key = ("corrected differences", "angelopoulos") if judged else ("differences", key)
        return f"the paired t-test of the {what} over {units} [[{key}]]"
    if comparison.pairing == "independent":
        return (
            "score tests [[miettinen-nurminen]], or Boschloo's [[boschloo]] or Fisher's [[fisher]] "
            "exact test where counts are small (passing into the score test as they grow)"
            + (", at their largest over all counts that fit the shares" * comparison.rounded)
        )
    if clustered:
        return "the t-test of the difference over clusters [[mackinnon]]"
    if by_weights(comparison):
        return "the t-test of the weighted difference [[binder]]"
    return _mcnemar_named(comparison)


def _mcnemar_named(comparison: "Comparison") -> str:
    if not comparison.by_totals:
        tables = [pair.table for pair in comparison.pairs if pair.table is not None]
        exact = any(table.nearly_all_discordant for table in tables)
        told = ", exact where more than four fifths of the items are discordant" * exact
        return f"the mid-p McNemar test [[fagerland]]{told}"
    ranges = [pair.overlaps for pair in comparison.pairs if pair.overlaps is not None]
    alone = any(one.p_least == one.p_largest for one in ranges) and not comparison.rounded
    return (
        "the exact McNemar test [[fagerland]], at its largest over all overlaps the totals allow"
        + " (mid-p where there is one alone)" * alone
        + " and all counts that fit the shares" * comparison.rounded
    )


def by_clusters(comparison: "Comparison") -> bool:
    """Whether differences were judged with clusters, not items, as the units."""
    ends = [pair.difference.interval for pair in comparison.pairs]
    return any(one is not None and one.method in CLUSTERED for one in ends)


def by_weights(comparison: "Comparison") -> bool:
    """Whether items weighed more or less than one another."""
    rates = [one.rate.interval for one in comparison.systems]
    return any(one is not None and one.method == "wilson-effective" for one in rates)


def _were(things: Sequence[object]) -> str:
    return "was" if len(things) == 1 else "were"


def _posterior_model(comparison: "Comparison") -> str:
    clustered = by_clusters(comparison)
    if comparison.measure == "auc":
        if clustered:
            return "the one-sided confidence of the same limits over clusters [[obuchowski-areas]]"
        return "the one-sided confidence of the same limits [[delong]]"
    if clustered:
        return "the t posterior that the variance over clusters implies [[mackinnon]]"
    if by_weights(comparison):
        return "the joint t posterior that the covariance of weighted shares implies [[binder]]"
    if comparison.pairing == "common":
        return (
            "the joint Dirichlet posterior of the right/wrong patterns, whose prior weighs 2 in "
            "all [[altham]]"
        )
    return f"independent Beta posteriors with {_prior(comparison)} [[he-fu]]"


def _posterior_sentences(comparison: "Comparison") -> Iterator[str]:
    if comparison.by_totals and comparison.pairing == "independent":
        yield (
            f"Probabilities of being better and best come from {_posterior_model(comparison)} and "
            "are ranges over all counts that fit the published shares."
        )
        return
    if comparison.by_totals:
        yield (
            "Probabilities of being better come from the joint Dirichlet posterior of the "
            "right/wrong patterns [[altham]] and are ranges over the same overlaps; those of being "
            "best are bounded by them."
        )
        return
    if all(one.best is None for one in comparison.systems):
        return
    model = "the joint t posterior of the means under a flat prior [[geisser]]"
    if comparison.measure in {"accuracy", "auc"}:
        model = _posterior_model(comparison)
    lost = any(one.loss is not None for one in comparison.systems)
    what = "Probabilities of being best and better"
    yield f"{what}{', and expected losses,' if lost else ''} come from {model}."
    if comparison.monte_carlo_error is not None:
        error = show_probability(comparison.monte_carlo_error)
        yield f"Those of being best were simulated, with a standard error of at most {error}."
    if any(one.best_alike is not None for one in comparison.systems):
        yield (
            "Beside them stand probabilities of being best if the systems are alike: rates from "
            "one normal distribution, on a transformed scale, whose standard deviation is "
            "half-Cauchy with the sampling error as its median [[polson]]."
        )
    if comparison.margin is not None:
        yield (
            f"Two systems count as the same when they differ by less than {comparison.margin:g} "
            f"with posterior probability {comparison.level:g} or more [[kruschke]]."
        )


def _prior(comparison: "Comparison") -> str:
    if not comparison.priors:
        return "uniform priors"
    given = [f"Beta({a:g}, {b:g}) for {clean_text(name)}" for name, a, b in comparison.priors]
    rest = len(given) < len(comparison.systems)
    return f"the priors {', '.join(given)}{' and uniform ones otherwise' if rest else ''}"


def _akaike_sentences(comparison: "Comparison") -> Iterator[str]:
    if all(pair.aic_verdict is None for pair in comparison.pairs):
        return
    known = "knowing who was right together"
    if comparison.by_akaike or comparison.by_totals:
        known = "from the totals alone, not knowing who was right together"
    elif comparison.pairing == "independent":
        known = "for independent items"
    role = "" if comparison.by_akaike else " beside it"
    yield (
        f"Akaike's information criterion [[akaike, ozeki]] weighed one common rate against two "
        f"rates for each pair{role}, {known}: different when two rates are better by more than 1, "
        "same when worse by more than 1."
    )


def _order_sentences(comparison: "Comparison") -> Iterator[str]:
    yield "The range of ranks of a system is what the decisions leave open [[mogstad]]."
    if any(one.tier is not None for one in comparison.systems):
        yield "Systems that share a letter are not called different [[piepho]]."
