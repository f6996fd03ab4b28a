"""Which systems does no other one beat on both quality and cost?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

from steelyard import comparison
from steelyard.comparison import MeanDifference
from steelyard.errors import ColumnMissing, RequestError, listing, once
from steelyard.journey.comparison.question import couples
from steelyard.journey.opening import RoleArguments, open_data
from steelyard.journey.values.compare import comparable_averages
from steelyard.journey.values.sums import Averages, name_of, one_estimate
from steelyard.results import Estimate, FrontRecord, ValueComparison, ValueName, Working
from steelyard.sources import Predictions

__all__ = ["with_front"]

OF_QUALITY = (
    "value", "errors", "per", "judge", "lower_is_better", "higher_is_better", "range", "systems",
)  # fmt: skip
"""What was said of the quality, and not of the cost."""
Prices = Mapping[str, float]


def with_front(
    found: ValueComparison | Working,
    predictions: Predictions,
    data: Any,  # noqa: ANN401
    roles: RoleArguments,
    cost: Any,  # noqa: ANN401
) -> ValueComparison:
    """Add where each system stands between quality and cost, under the family's error rate."""
    if isinstance(found, Working):
        message = "cost= (--cost) goes with the whole answer, not with one method. Leave one out."
        raise RequestError(message)
    names = [system.name for system in predictions.systems]
    better = _pairs(comparable_averages(predictions), names, higher=not found.lower)
    prices = _prices(cost, names)
    if prices is not None:
        dear: Mapping[tuple[int, int], MeanDifference] | list[float] = [
            prices[name] for name in names
        ]
        known, measure = (
            {name: Estimate(measure="price", value=prices[name]) for name in names},
            ("price"),
        )
    else:
        costs, own, measure = _sum_costs(data, roles, cost, names)
        dear = _pairs(costs, own, higher=True)
        known = {
            name: replace(_cost(costs, of, measure, found.level), measure=measure)
            for name, of in zip(names, own, strict=True)
        }
    places = comparison.quality_cost_front(names, better, dear, alpha=found.alpha)
    return replace(
        found,
        cost=measure,
        front=tuple(
            FrontRecord(
                system=place.system,
                cost=known[place.system],
                state=place.state,
                beaten_by=place.beaten_by,
                open_against=place.open_against,
            )
            for place in places
        ),
    )


def _pairs(
    averages: Averages, names: Sequence[str], *, higher: bool
) -> dict[tuple[int, int], MeanDifference]:
    """Give every pair, turned round where a lower number is the better one."""
    found = {}
    for i, j in couples(len(names)):
        one, two = (names[i], names[j]) if higher else (names[j], names[i])
        found[i, j] = averages.difference(one, two, level=0.95)
    return found


def _cost(averages: Averages, system: str, measure: str, level: float) -> Estimate:
    return one_estimate(averages, system, ValueName(name=measure), level=level)[0]


def _prices(cost: Any, names: Sequence[str]) -> Prices | None:  # noqa: ANN401
    """Read known prices, ``cnn=3,svm=1``; None where columns are named."""
    if isinstance(cost, str) and "=" in cost:
        parts = [part.rpartition("=") for part in cost.split(",")]
        cost = once(cost, ((name, number) for name, _, number in parts))
    if not isinstance(cost, Mapping):
        return None
    try:
        prices = {str(name): float(number) for name, number in cost.items()}
    except (TypeError, ValueError):
        prices = {}
    if set(prices) != {*names} or not all(isfinite(one) for one in prices.values()):
        message = (
            f"cost={cost!r}; expected a price for each of {listing(names)}, such as "
            f"{','.join(f'{name}={at + 1}' for at, name in enumerate(names[:3]))}; or columns."
        )
        raise RequestError(message)
    return prices


def _sum_costs(
    data: Any,  # noqa: ANN401
    roles: RoleArguments,
    cost: Any,  # noqa: ANN401
    names: Sequence[str],
) -> tuple[Averages, list[str], str]:
    """Sum the costs of the same systems, named by their columns or in the same order."""
    if isinstance(data, Predictions):
        message = "cost= reads columns of a file or a frame, and these rows are read already."
        raise RequestError(message)
    columns = cost.split(",") if isinstance(cost, str) else [str(one) for one in cost]
    columns = [one.strip() for one in columns]
    given: Any = {name: value for name, value in roles.items() if name not in OF_QUALITY}
    given |= {"value": columns, "lower_is_better": True}
    try:
        rows = open_data(data, given)
    except ColumnMissing as missing:
        if missing.role != "value":
            raise
        role, wanted = "cost", missing.wanted
        raise ColumnMissing.for_role(role, wanted, missing.present, among=columns) from None
    own = [system.name for system in rows.systems]
    if len(own) != len(names):
        message = (
            f"{listing(columns)}: {len(own)} columns of costs for {len(names)} systems "
            f"({listing(names)}). Name one for each, in the same order."
        )
        raise RequestError(message, code="costs-differ")
    if {*own} == {*names}:
        own = list(names)
    return comparable_averages(rows), own, name_of(rows).measure
