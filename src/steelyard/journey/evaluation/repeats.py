"""Items that were asked again and again: pass@k, pass^k, and what the numbers are about."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import index
from typing import Any

from steelyard import measures, tally, uncertainty
from steelyard.errors import NotComparable, RequestError, switch
from steelyard.measures import Estimand
from steelyard.results import Estimate, Interval, Proportion
from steelyard.sources import Predictions, System

__all__ = ["Tries", "with_tries"]

UNVARIED = (
    "accuracy without an interval: on exactly these items only the answers vary, and one answer "
    "each, or answers that never differ, do not show how"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tries:
    """What is asked about repeated tries: the k of pass@k, and what the numbers are about."""

    pass_at: tuple[int, ...] = ()
    estimand: Estimand | None = None
    benchmark: int | None = None

    @classmethod
    def of(cls, pass_at: Any, estimand: Any, benchmark: int | None = None) -> "Tries":  # noqa: ANN401
        """Read one k or several, and check the estimand."""
        if estimand is not None and estimand not in measures.ESTIMANDS:
            raise RequestError.for_choice("estimand", estimand, tuple(measures.ESTIMANDS))  # noqa: EM101
        given = () if pass_at is None else pass_at
        several = given if isinstance(given, Sequence) and not isinstance(given, str) else (given,)
        try:
            sizes = tuple(dict.fromkeys(index(k) for k in several))
        except TypeError:
            sizes = (0,)
        if any(k < 1 for k in sizes):
            message = f"pass_at={pass_at!r}; expected whole numbers from 1 up: pass_at=[1, 4]."
            raise RequestError(message)
        if benchmark is not None and (sizes or estimand == "items"):
            message = (
                "benchmark= is about items that were asked once. Leave pass_at= and "
                "estimand='items' (--pass-at, --estimand) out."
            )
            raise RequestError(message)
        return cls(pass_at=sizes, estimand=estimand, benchmark=benchmark)

    @property
    def caveats(self) -> tuple[str, ...]:
        """Say what the numbers are about, where that was asked or matters."""
        if self.benchmark is not None:
            return (
                f"accuracy is about a benchmark of {self.benchmark:,} items, of which these are "
                f"taken as a random part (benchmark={self.benchmark})",
            )
        if not self.pass_at and self.estimand is None:
            return ()
        estimand = self.estimand or "population"
        return (f"numbers are about {measures.ESTIMANDS[estimand]} (estimand={estimand})",)


def with_tries(
    predictions: Predictions, system: System, parts: dict[str, Any], *, tries: Tries, level: float
) -> dict[str, Any]:
    """Add what was asked about tries to the measures of one system."""
    if tries.benchmark is not None:
        return _of_benchmark(predictions, parts, benchmark=tries.benchmark, level=level)
    if not tries.pass_at and tries.estimand is None:
        return parts
    estimand = tries.estimand or "population"
    right, tried = _tries(predictions, system, needed=bool(tries.pass_at))
    caveats = list(parts["caveats"])
    found: list[Estimate] = [
        measures.tries_estimate(right, tried, k, rule=rule, estimand=estimand, level=level)
        for rule in ("any", "all")
        for k in tries.pass_at
        if not (rule == "all" and k == 1)  # the same number as pass@1
    ]
    caveats += dict.fromkeys(f"{one.measure}: {doubt}" for one in found for doubt in one.caveats)
    changed = {**parts, "further": (*parts.get("further", ()), *found)}
    if estimand == "items" and parts.get("accuracy") is not None:
        interval = measures.asked_again_interval(right, tried, level=level) if tried else None
        changed["accuracy"] = replace(parts["accuracy"], interval=interval)
        caveats += [] if interval else [UNVARIED]
    return {**changed, "caveats": tuple(caveats)}


def _of_benchmark(
    predictions: Predictions, parts: dict[str, Any], *, benchmark: int, level: float
) -> dict[str, Any]:
    """Let accuracy be about all items of a benchmark, those not tested too."""
    found = parts.get("accuracy")
    if "cluster" in predictions.splits or not isinstance(found, Proportion):
        message = (
            "benchmark= counts single items that are right or wrong; these come in clusters, carry "
            "weights, or have no answer. Leave it out (--benchmark)."
        )
        raise NotComparable(message, code="no-benchmark")
    low, high = uncertainty.finite_rate_interval(
        found.successes, found.trials, benchmark, level=level
    )
    ends = Interval(low=low, high=high, level=level, method="beta-binomial")
    return {**parts, "accuracy": replace(found, interval=ends)}


def _tries(
    predictions: Predictions, system: System, *, needed: bool
) -> tuple[list[int], list[int]]:
    """Count right and all tries of each item; an item asked again is a cluster."""
    if "cluster" not in predictions.splits:
        if not needed:
            return [], []
        message = (
            "pass@k needs items that were asked more than once: a log with epochs or repeats, or a "
            f"column that names the item of each try, {switch('cluster', 'COLUMN')}."
        )
        raise NotComparable(message, code="no-repeats")
    grouped = tally.tally_trials_by(predictions, "cluster", [system])
    counts = [(part.correct[0], part.tested[0]) for _, part in grouped if part.tested[0]]
    return [right for right, _ in counts], [tested for _, tested in counts]
