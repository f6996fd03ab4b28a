"""How far raters agree: all of them together, and every two of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from steelyard.display.tables import Table
from steelyard.results.base import Result
from steelyard.results.estimates import Estimate, Proportion
from steelyard.results.measured import in_rows
from steelyard.results.provenance import Provenance
from steelyard.results.rater_tables import rater_tables
from steelyard.results.rater_words import rater_sentence
from steelyard.results.readable import Cell, tidy_row

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = ["Agreement", "RaterPair"]


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
        return rater_sentence(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List the coefficients of all raters, then every pair."""
        rows = [row for one in self.coefficients for row in one.rows()]
        return rows + [row for pair in self.pairs for row in pair.rows()]

    def tables(self) -> list[Table]:
        """Show the coefficients, the matrix of pairs, and what stands beside each kappa."""
        return rater_tables(self)

    def notes(self) -> list[str]:
        """Explain every kappa that prevalence has pulled down, and list the doubts."""
        said = [
            f"{pair.first} and {pair.second}: {pair.paradox}" if len(self.pairs) > 1
            else pair.paradox
            for pair in self.pairs
            if pair.paradox is not None
        ]  # fmt: skip
        doubts = [doubt for one in self.coefficients for doubt in one.caveats]
        return [*said[:3], *dict.fromkeys(doubts), *self._doubted_pairs()[:3], *self.caveats]

    def _doubted_pairs(self) -> list[str]:
        """List the doubts about the kappas of pairs, each with the names of the two."""
        several = len(self.pairs) > 1
        return [
            f"{pair.first} and {pair.second}: {doubt}" if several else doubt
            for pair in self.pairs
            for kappa in (pair.kappa, pair.weighted)
            if kappa is not None
            for doubt in kappa.caveats
        ]

    def details(self) -> list[str]:
        """Say what was read."""
        return self.provenance.lines()

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Draw the coefficients, and for more than two raters the matrix of pairs."""
        from steelyard.results.rater_charts import rater_charts

        return rater_charts(self)
