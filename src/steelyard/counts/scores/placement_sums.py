"""Sums over the placements of items, of which the rows themselves stay where they are."""

from collections.abc import Sequence
from dataclasses import dataclass

from steelyard.counts.columns import place_of
from steelyard.counts.exclusions import Exclusion
from steelyard.counts.labels import check_names
from steelyard.counts.scores.table import ScoreTable
from steelyard.errors import CountsError, listing

__all__ = ["ClusterPlacements", "PlacementSums"]

Whole = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementSums:
    """What areas of several systems on common items and their covariance need of the items.

    For a positive item and one system, ``c`` is twice the negatives below it plus those tied with
    it; for a negative, twice the positives above it plus those tied. ``positive_products[r][s]`` is
    the sum over the positives of ``c`` of system r times ``c`` of system s, and likewise
    ``negative_products``. ``tables`` are the score tables of the systems on the common items.

    All numbers are whole and exact. Other than most counts these have no ``+``: an item's placement
    depends on all the others.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.2], [0.2, 0.1])
    >>> sums = PlacementSums(systems=("A",), tables=(table,), positive_products=((25,),),
    ...                      negative_products=((25,),))
    >>> sums.total, sums.positive_total
    (4, 2)
    """

    systems: tuple[str, ...]
    tables: tuple[ScoreTable, ...]
    positive_products: tuple[Whole, ...]
    negative_products: tuple[Whole, ...]

    def __post_init__(self) -> None:
        systems = check_names(self.systems, "system")
        object.__setattr__(self, "systems", systems)
        held = {(one.positive, one.positive_total, one.negative_total) for one in self.tables}
        if not systems or len(self.tables) != len(systems) or len(held) != 1:
            message = (
                f"{len(self.tables)} score tables for the systems {listing(systems)}; expected one "
                "for each, all of the same items."
            )
            raise CountsError(message, code="lengths-differ")
        _check_products("positive_products", self.positive_products, len(systems))
        _check_products("negative_products", self.negative_products, len(systems))

    @property
    def positive(self) -> str:
        """The class that the high scores indicate."""
        return self.tables[0].positive

    @property
    def excluded(self) -> tuple[Exclusion, ...]:
        """What was left out, and why."""
        return self.tables[0].excluded

    @property
    def total(self) -> int:
        """Items counted."""
        return self.tables[0].total

    @property
    def positive_total(self) -> int:
        """Positive items."""
        return self.tables[0].positive_total

    def score_table(self, system: str) -> ScoreTable:
        """Give the score table of one system on the common items."""
        return self.tables[place_of(self.systems, system)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterPlacements:
    """Placements of one system's items, summed within each cluster of items.

    For each cluster: its positives and negatives, ``beaten``, the sum over its positives of twice
    the negatives below plus those tied, and ``beating``, the sum over its negatives of twice the
    positives above plus those tied. ``table`` is the score table of all clusters together.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.2], [0.2, 0.1])
    >>> found = ClusterPlacements(by="patient", names=("1", "2"), table=table, positives=(1, 1),
    ...                           negatives=(1, 1), beaten=(4, 3), beating=(3, 4))
    >>> len(found), found.holding
    (2, (2, 2))
    """

    by: str
    names: tuple[str, ...]
    table: ScoreTable
    positives: Whole
    negatives: Whole
    beaten: Whole
    beating: Whole

    def __post_init__(self) -> None:
        columns = (self.positives, self.negatives, self.beaten, self.beating)
        if any(len(column) != len(self.names) for column in columns):
            message = f"Sums of other lengths than the {len(self.names)} names of clusters."
            raise CountsError(message, code="lengths-differ")
        held = (sum(self.positives), sum(self.negatives))
        if held != (self.table.positive_total, self.table.negative_total) or sum(
            self.beaten
        ) != sum(self.beating):
            message = "The sums of the clusters are not those of the whole."
            raise CountsError(message, code="rows-lost")

    def __len__(self) -> int:
        return len(self.names)

    @property
    def holding(self) -> tuple[int, int]:
        """How many clusters hold any positive, and how many any negative."""
        return sum(n > 0 for n in self.positives), sum(n > 0 for n in self.negatives)

    def merged(self) -> ScoreTable:
        """Give the score table of all clusters together."""
        return self.table


def _check_products(name: str, products: Sequence[Whole], systems: int) -> None:
    square = len(products) == systems and all(len(row) == systems for row in products)
    if not square or any(
        products[r][s] != products[s][r] or products[r][s] < 0
        for r in range(systems)
        for s in range(r + 1)
    ):
        message = f"{name} has to be a symmetric table of {systems} by {systems} whole numbers."
        raise CountsError(message, code="lengths-differ")
