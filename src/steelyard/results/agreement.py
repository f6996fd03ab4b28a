"""How far raters agree: all of them together, and every two of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from steelyard.display.numbers import show_count, show_number, show_p_value
from steelyard.display.tables import Headed, Table, number_cell, text_cell
from steelyard.display.text import show_name
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.estimates import Estimate, Proportion
from steelyard.results.measured import (
    ELSEWHERE,
    chart_row,
    estimate_cells,
    in_rows,
    interval_name,
    say_count,
    say_estimate,
    say_percent,
    show_ends,
    show_value,
)

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = ["Agreement", "RaterPair"]

MOST_PAIRS = 15
MOST_RATERS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterPair:
    """Two raters on the items that both rated.

    The standard error inside ``kappa`` is for intervals (ASE1), ``zero_error`` the one that holds
    when kappa is 0 (ASE0), with its ``p_value``; likewise for ``weighted``. ``largest`` is the
    largest kappa that the two habits allow; the two indices are for two categories only.
    """

    first: str
    second: str
    agreement: Proportion
    kappa: Estimate
    zero_error: float | None
    p_value: float | None
    weighted: Estimate | None
    weighted_zero_error: float | None
    weighted_p_value: float | None
    ac1: Estimate
    pabak: Estimate
    largest: float | None
    prevalence_index: float | None
    bias_index: float | None
    word: str | None
    paradox: str | None

    def rows(self) -> list[dict[str, Cell]]:
        """List every number of the pair."""
        names = {"system": self.first, "against": self.second}
        rows = []
        for one in (self.agreement, self.kappa, self.weighted, self.ac1, self.pabak):
            if one is not None:
                rows += in_rows(one, **names)
        numbers = {
            "standard error of kappa (ASE1)": self.kappa.standard_error,
            "standard error of kappa if 0 (ASE0)": self.zero_error,
            "p-value of kappa = 0": self.p_value,
            "standard error of weighted kappa if 0": self.weighted_zero_error,
            "p-value of weighted kappa = 0": self.weighted_p_value,
            "largest kappa": self.largest,
            "prevalence index": self.prevalence_index,
            "bias index": self.bias_index,
        }
        return rows + [
            tidy_row(measure=name, value=value, **names)
            for name, value in numbers.items()
            if value is not None
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement(Result):
    """How far raters agree beyond chance.

    ``coefficients`` are over all raters, the observed agreement first; ``missing`` counts ratings
    that are not there; ``weights`` names the weights of near misses, if any.
    """

    kind: ClassVar[str] = "agreement"
    raters: tuple[str, ...]
    categories: tuple[str, ...]
    items: int
    missing: int
    weights: str
    order: tuple[str, ...]
    coefficients: tuple[Estimate, ...]
    words: tuple[str | None, ...]
    pairs: tuple[RaterPair, ...]
    level: float
    provenance: Provenance

    def coefficient(self, name: str) -> Estimate | None:
        """Find a coefficient of all raters by its name."""
        return next((one for one in self.coefficients if one.measure == name), None)

    def sentence(self) -> str:
        """Say how far they agree, and who most and least."""
        return _sentence(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List the coefficients of all raters, then every pair."""
        rows = [row for one in self.coefficients for row in one.rows()]
        return rows + [row for pair in self.pairs for row in pair.rows()]

    def tables(self) -> list[Table]:
        """Show the coefficients, the matrix of pairs, and what stands beside each kappa."""
        return _tables(self)

    def notes(self) -> list[str]:
        """Explain every kappa that prevalence has pulled down, and list the doubts."""
        said = [
            f"{pair.first} and {pair.second}: {pair.paradox}" if len(self.pairs) > 1
            else pair.paradox
            for pair in self.pairs
            if pair.paradox is not None
        ]  # fmt: skip
        doubts = [doubt for one in self.coefficients for doubt in one.caveats]
        return [*said[:3], *dict.fromkeys(doubts), *self._list_doubted_pairs()[:3], *self.caveats]

    def _list_doubted_pairs(self) -> list[str]:
        """List the doubts about the kappas of pairs, each with the names of the two."""
        several = len(self.pairs) > 1
        return [
            f"{pair.first} and {pair.second}: {doubt}" if several else doubt
            for pair in self.pairs
            for kappa in (pair.kappa, pair.weighted)
            if kappa is not None
            for doubt in kappa.caveats
        ]

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Draw the coefficients, and for more than two raters the matrix of pairs."""
        return _charts(self)


def _sentence(agreement: Agreement) -> str:
    if len(agreement.raters) == 2 and agreement.pairs:
        return _two(agreement)
    items = say_count(agreement.items, "item")
    observed = agreement.coefficient("observed agreement")
    if observed is None or observed.value is None:
        return f"{len(agreement.raters)} raters of {items}: no two of them rated the same item."
    said = (
        f"Two of the {len(agreement.raters)} raters agree on {_share(observed)} of {items}, "
        "averaged over pairs"
    )
    return f"{said}; {_beyond(agreement)}.{_extremes(agreement)}"


def _two(agreement: Agreement) -> str:
    pair = agreement.pairs[0]
    names = f"{show_name(pair.first)} and {show_name(pair.second)}"
    items = say_count(pair.agreement.trials, "item")
    if pair.agreement.value is None:
        return f"{names} rated no item together."
    kappa = f"kappa is {say_estimate(pair.kappa)}"
    word = "" if pair.word is None else f", {_lower(pair.word)}"
    return f"{names} agree on {_share(pair.agreement)} of {items}; {kappa}{word}."


def _beyond(agreement: Agreement) -> str:
    for one, word in zip(agreement.coefficients, agreement.words, strict=True):
        if word is not None and one.value is not None:
            return f"{one.measure} is {say_estimate(one)}, {_lower(word)}"
    return "agreement beyond chance cannot be worked out"


def _extremes(agreement: Agreement) -> str:
    known = [(pair.kappa.value, pair) for pair in agreement.pairs if pair.kappa.value is not None]
    if len(known) < 2:
        return ""
    best, worst = max(known, key=lambda one: one[0]), min(known, key=lambda one: one[0])
    named = [
        f"{show_name(pair.first)} and {show_name(pair.second)} (kappa {show_number(value)})"
        for value, pair in (best, worst)
    ]
    return f" Most alike are {named[0]}, least {named[1]}."


def _share(one: Proportion | Estimate) -> str:
    assert one.value is not None
    said, ends = say_percent(one.value, one.interval)
    return f"{said}{ends}"


def _lower(word: str) -> str:
    return word[:1].lower() + word[1:]


def _tables(agreement: Agreement) -> list[Table]:
    tables = [_coefficients(agreement)]
    if len(agreement.raters) > 2:
        tables.append(_matrix(agreement))
    tables += [_pairs(agreement), _beside(agreement)]
    return [table for table in tables if table.rows]


def _coefficients(agreement: Agreement) -> Table:
    rows = [
        [
            text_cell("measure", one.measure, whole=True),
            number_cell("value", show_value(one) or "undefined"),
            number_cell(interval_name(agreement.level), show_ends(one)),
            text_cell("strength", word or one.reason),
        ]
        for one, word in zip(agreement.coefficients, agreement.words, strict=True)
    ]
    return Table.of("Both raters" if len(agreement.raters) == 2 else "All raters", rows)


def _matrix(agreement: Agreement) -> Table:
    """Show kappa above the diagonal and the share of agreement below it."""
    names = agreement.raters
    if len(names) > MOST_RATERS:
        return Table(title="", columns=(), rows=())
    cells = {(pair.second, pair.first): pair.agreement.value for pair in agreement.pairs}
    cells |= {(pair.first, pair.second): pair.kappa.value for pair in agreement.pairs}
    return Table.of(
        "Pairs: kappa above the diagonal, share of agreement below",
        [
            [text_cell("rater", one), *(number_cell(two, cells.get((one, two))) for two in names)]
            for one in names
        ],
    )


def _pairs(agreement: Agreement) -> Table:
    shown = agreement.pairs[:MOST_PAIRS]
    return Table.of(
        "Cohen's kappa" if len(shown) == 1 else "Cohen's kappa of every pair",
        [_pair_row(agreement, pair) for pair in shown],
        note=_say_pairs_shown(agreement),
    )


def _pair_row(agreement: Agreement, pair: RaterPair) -> list[Headed]:
    weighted = agreement.weights
    return [
        _raters(agreement, pair),
        number_cell("items", pair.agreement.trials, show_count),
        number_cell("agree", show_value(pair.agreement)),
        *estimate_cells("kappa", pair.kappa, agreement.level),
        number_cell("ASE1", pair.kappa.standard_error),
        number_cell("ASE0", pair.zero_error),
        number_cell("p (kappa = 0)", pair.p_value, show_p_value),
        number_cell(weighted, show_value(pair.weighted)),
        number_cell(f"{weighted} interval", show_ends(pair.weighted)),
        number_cell(f"{weighted} ASE0", pair.weighted_zero_error),
    ]


def _raters(agreement: Agreement, pair: RaterPair) -> Headed:
    return text_cell("raters", f"{pair.first}, {pair.second}", whole=len(agreement.pairs) == 1)


def _beside(agreement: Agreement) -> Table:
    rows = [
        [
            _raters(agreement, pair),
            number_cell("max kappa", pair.largest),
            number_cell("AC1", show_value(pair.ac1)),
            number_cell("PABAK", show_value(pair.pabak)),
            number_cell("prevalence index", pair.prevalence_index),
            number_cell("bias index", pair.bias_index),
            text_cell("strength", pair.word, whole=True),
        ]
        for pair in agreement.pairs[:MOST_PAIRS]
    ]
    return Table.of("Other coefficients of every pair", rows, note=_say_pairs_shown(agreement))


def _say_pairs_shown(agreement: Agreement) -> str:
    left = len(agreement.pairs) - MOST_PAIRS
    return f"{left} more pairs are not shown: {ELSEWHERE}." if left > 0 else ""


def _charts(agreement: Agreement) -> "dict[str, Callable[[], Chart]]":
    known: dict[str, Callable[[], Chart]] = {}
    if len(agreement.raters) > 2 and agreement.pairs:
        known["pairs"] = lambda: _draw_matrix(agreement)
    if agreement.coefficients:
        known["coefficients"] = lambda: _draw_coefficients(agreement)
    return known


def _draw_matrix(agreement: Agreement) -> "Chart":
    from steelyard.display.figures import agreement_chart

    return agreement_chart(
        agreement.raters, {(pair.first, pair.second): pair.kappa.value for pair in agreement.pairs}
    )


def _draw_coefficients(agreement: Agreement) -> "Chart":
    from steelyard.display.figures import interval_chart

    rows = [chart_row(one.measure, one) for one in agreement.coefficients]
    return interval_chart(rows, measure="agreement", title="Agreement of the raters")
