"""Algorithms over several data sets: ranks, whether they are alike, and who is told apart."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal

from steelyard.display.numbers import show_number, show_p_value, show_probability
from steelyard.display.tables import Table, number_cell, text_cell
from steelyard.display.text import join_names, show_name
from steelyard.errors import counted
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.measured import relate_p_value, say_number

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = ["DatasetComparison", "DatasetPair", "RankedByDatasets"]

MOST_NAMED = 4
ALIKE = 1e-9
"""Mean ranks this near are equal but for rounding."""
SOURCES = {
    "Demšar 2006": "Demšar J (2006). Journal of Machine Learning Research 7, 1-30",
    "Wilcoxon 1945": "Wilcoxon F (1945). Biometrics Bulletin 1, 80-83. doi:10.2307/3001968",
    "Friedman 1937": (
        "Friedman M (1937). Journal of the American Statistical Association 32, 675-701. "
        "doi:10.1080/01621459.1937.10503522"
    ),
    "Iman and Davenport 1980": (
        "Iman RL, Davenport JM (1980). Communications in Statistics A 9, 571-595. "
        "doi:10.1080/03610928008827904"
    ),
    "Benavoli et al. 2017": (
        "Benavoli A, Corani G, Demšar J, Zaffalon M (2017). Journal of Machine Learning Research "
        "18(77), 1-36"
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedByDatasets:
    """One algorithm: its mean rank (1 is best), and the mean and median of its results."""

    system: str
    mean_rank: float
    mean: float
    median: float
    best_on: float

    def rows(self) -> list[dict[str, Cell]]:
        """List its numbers."""
        numbers = (
            ("mean rank", self.mean_rank),
            ("mean result", self.mean),
            ("median result", self.median),
            ("data sets won, ties shared", self.best_on),
        )
        return [
            tidy_row(measure=measure, system=self.system, value=value) for measure, value in numbers
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetPair:
    """Two algorithms: how far their mean ranks lie apart, and by which tests.

    ``wilcoxon`` is the p-value of the signed ranks of this pair alone. ``better``, ``same`` and
    ``worse`` are the Bayesian signed-rank test's probabilities that the first is.
    """

    first: str
    second: str
    rank_difference: float
    p_value: float
    wilcoxon: float
    better: float
    same: float
    worse: float
    different: bool

    def rows(self) -> list[dict[str, Cell]]:
        """List the difference of ranks and the tests."""
        pair = {"system": self.first, "against": self.second}
        numbers = (
            ("difference of mean ranks", self.rank_difference, None),
            ("p-value", self.p_value, None),
            ("p-value", self.wilcoxon, "wilcoxon"),
            ("probability better", self.better, "bayesian-signed-rank"),
            ("probability same", self.same, "bayesian-signed-rank"),
            ("probability worse", self.worse, "bayesian-signed-rank"),
        )
        rows = [
            tidy_row(measure=measure, value=value, method=method, **pair)
            for measure, value, method in numbers
        ]
        verdict = "different" if self.different else "undecided"
        return [*rows, tidy_row(measure="verdict", reason=verdict, **pair)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetComparison(Result):
    """Algorithms ranked on every data set, and what the ranks say about data sets like these.

    With two algorithms ``test`` is Wilcoxon's signed ranks and there is no critical difference;
    with more it is Friedman's, and pairs are told apart by Nemenyi's ``critical_difference``.
    """

    kind: ClassVar[str] = "datasets"
    datasets: int
    better: Literal["lower", "higher"]
    test: Literal["friedman", "wilcoxon"]
    p_value: float
    chi_square: float | None
    critical_difference: float | None
    systems: tuple[RankedByDatasets, ...]
    pairs: tuple[DatasetPair, ...]
    cliques: tuple[tuple[str, ...], ...]
    rope: float
    alpha: float
    provenance: Provenance

    def ranked(self) -> list[RankedByDatasets]:
        """Put the algorithms in order, the best mean rank first."""
        return sorted(self.systems, key=lambda one: one.mean_rank)

    def headline(self) -> str:
        """Say which algorithm to choose, or that none can be chosen yet."""
        return _headline(self)

    def sentence(self) -> str:
        """Say who ranks best, and from whom it is told apart."""
        return _sentence(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List the algorithms, the tests and the pairs."""
        whole = tidy_row(
            measure="p-value", value=self.p_value, method=self.test, total=self.datasets
        )
        return [
            *(row for one in self.systems for row in one.rows()),
            whole,
            *(row for pair in self.pairs for row in pair.rows()),
        ]

    def tables(self) -> list[Table]:
        """Show the algorithms in order, then the pairs."""
        return _tables(self)

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Draw the mean ranks with bars over those that are not told apart."""
        return {"critical-difference": lambda: _chart(self)}

    def details(self) -> list[str]:
        """Say how pairs were decided and what was read."""
        return [_say_decided(self), *self.provenance.lines()]

    def methods(self) -> str:
        """Say for a paper how this was computed, with the sources."""
        found = _methods(self)
        text = " ".join(
            f"{said} [{'; '.join(cited)}]." if cited else f"{said}." for said, cited in found
        )
        listed = "\n".join(f"* {SOURCES[one]}." for _, cited in found for one in cited)
        made = f"All numbers were computed by Steelyard {self.provenance.version}."
        return f"{text} {made}\n\nSources\n\n{listed}"

    def method_sentences(self) -> list[tuple[str, list[str]]]:
        """Say the same, every sentence with the works it rests on."""
        return [(said, [SOURCES[one] for one in cited]) for said, cited in _methods(self)]


def _sentence(found: DatasetComparison) -> str:
    ranked = found.ranked()
    first = ranked[0]
    over = f"Over {counted(found.datasets, 'data set')}"
    shown = f"p {relate_p_value(found.p_value, found.alpha)}"
    leaders = [one.system for one in ranked if abs(one.mean_rank - first.mean_rank) < ALIKE]
    number = show_number(first.mean_rank, digits=2)
    lead = f"{_names(leaders)} rank{'s' if len(leaders) == 1 else ''} best, {number} on average"
    if found.p_value > found.alpha:
        many = "both" if len(ranked) == 2 else f"the {len(ranked)}"
        return f"{over} {many} algorithms cannot be told apart by their ranks ({shown}); {lead}."
    beaten = _beaten(found, first.system)
    worse = [one.system for one in ranked[1:] if one.system in beaten]
    left = [one.system for one in ranked[1:] if one.system not in beaten]
    name = show_name(first.system)
    told = f"{name} is told apart from {_names(worse) if worse else 'nobody yet'}"
    rest = f", not from {_names(left)}" if left and worse else ""
    return f"{over} {lead}, and the algorithms do not all rank alike ({shown}); {told}{rest}."


def _headline(found: DatasetComparison) -> str:
    first, *others = found.ranked()
    beaten = _beaten(found, first.system)
    left = [one for one in others if one.system not in beaten]
    name = show_name(first.system)
    if found.p_value > found.alpha:
        return f"Choose none yet: the {say_number(len(found.systems))} algorithms are tied."
    if left:
        more = f"{say_number(len(left))} other{'' if len(left) == 1 else 's'}"
        return f"Choose none yet: {name} is not told apart from {more}."
    rest = f"the {say_number(len(others))} others"
    if len(others) == 1:
        rest = show_name(others[0].system)
    return f"Choose {name}: it ranks better than {rest}."


def _beaten(found: DatasetComparison, leader: str) -> set[str]:
    """Name the leader and those that it is told apart from."""
    return {
        name
        for pair in found.pairs
        if pair.different and leader in {pair.first, pair.second}
        for name in (pair.first, pair.second)
    }


def _names(names: Sequence[str]) -> str:
    return join_names(list(names), most=MOST_NAMED, room=60)


def _tables(found: DatasetComparison) -> list[Table]:
    ranked = found.ranked()
    rows = [
        [
            text_cell("algorithm", one.system),
            number_cell("mean rank", show_number(one.mean_rank, digits=2)),
            number_cell("mean", one.mean),
            number_cell("median", one.median),
            number_cell("best on", one.best_on, _show_times),
        ]
        for one in ranked
    ]
    order = {one.system: at for at, one in enumerate(ranked)}
    pairs = sorted(found.pairs, key=lambda pair: sorted((order[pair.first], order[pair.second])))
    show_p = partial(show_p_value, alpha=found.alpha)
    lines = [
        [
            text_cell("first", pair.first),
            text_cell("second", pair.second),
            number_cell("ranks", f"{pair.rank_difference:+.2f}"),
            number_cell("p", pair.p_value, show_p),
            number_cell("Wilcoxon p", pair.wilcoxon, show_p),
            number_cell("P(better)", show_probability(pair.better, error=0.002)),
            text_cell("verdict", "different" if pair.different else "undecided", whole=True),
        ]
        for pair in pairs
    ]
    tables = [
        Table.of("Algorithms", rows),
        Table.of("Pairs: mean rank of the first minus the second", lines, lead=2),
    ]
    return [table for table in tables if table.rows]


def _show_times(times: float) -> str:
    """Write how often; a shared best place is a part of one."""
    return f"{times:g}" if times == int(times) else f"{times:.1f}"


def _chart(found: DatasetComparison) -> "Chart":
    from steelyard.display.figures import critical_difference_chart

    return critical_difference_chart(
        {one.system: one.mean_rank for one in found.systems},
        found.cliques,
        difference=found.critical_difference,
        title=f"Mean ranks over {counted(found.datasets, 'data set')}",
    )


def _say_decided(found: DatasetComparison) -> str:
    if found.critical_difference is None:
        return (
            f"Decided by Wilcoxon's signed ranks over data sets, alpha {found.alpha:g}. P(better) "
            f"is the Bayesian signed-rank test's, region of equivalence {found.rope:g}."
        )
    return (
        "Decided by Friedman's test (Iman and Davenport's F, ties corrected), then by Nemenyi's "
        f"critical difference of {found.critical_difference:.3g} mean ranks, alpha "
        f"{found.alpha:g}, which holds for all pairs together; Wilcoxon's p and P(better) "
        f"(Bayesian signed ranks, region of equivalence {found.rope:g}) take each pair alone."
    )


def _methods(found: DatasetComparison) -> list[tuple[str, list[str]]]:
    ranked = found.ranked()
    over = counted(found.datasets, "data set")
    shown = f"p {relate_p_value(found.p_value, found.alpha)}"
    belief = (
        "Probabilities that one algorithm is better come from the Bayesian signed-rank test with "
        f"a region of practical equivalence of {found.rope:g}"
    )
    if found.critical_difference is None:
        tested = (
            f"Two algorithms were compared on {over} by Wilcoxon's signed-rank test ({shown})",
            ["Demšar 2006", "Wilcoxon 1945"],
        )
        return [tested, (belief, ["Benavoli et al. 2017"])]
    way = f"{found.better} is better, ties share ranks"
    ranks = ", ".join(f"{one.system} {one.mean_rank:.2f}" for one in ranked)
    return [
        (f"{len(ranked)} algorithms were ranked on {over} ({way})", []),
        (
            f"Friedman's test in the form of Iman and Davenport gave {shown}",
            ["Friedman 1937", "Iman and Davenport 1980"],
        ),
        (
            f"Mean ranks that differ by {found.critical_difference:.3g} or more (Nemenyi, alpha "
            f"{found.alpha:g}) are called different",
            ["Demšar 2006"],
        ),
        (f"Mean ranks: {ranks}", []),
        (belief, ["Benavoli et al. 2017"]),
    ]
