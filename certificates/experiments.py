"""The few ways in which a claim is tried."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from certificates.declaration import Experiment, Found
from steelyard.uncertainty import Coverage, coverage_of, rejections_of

__all__ = ["covered", "covered_tables", "exactly", "limits_of", "rejected"]

ROUNDING = 1e-12


def limits_of(measure: Callable[[Any], Any]) -> Callable[[Any], tuple[float, float] | None]:
    """Ask a measure for its limits; None where it gives none."""

    def limits(counts: Any) -> tuple[float, float] | None:
        found = measure(counts).interval
        return None if found is None else (found.low, found.high)

    return limits


def covered(
    interval: Callable[[Any], tuple[float, float] | None],
    draw: Callable[[np.random.Generator], Any],
    truth: float,
) -> Experiment:
    """Draw data again and again, and count how often the interval holds the truth."""

    def experiment(draws: int, seed: int) -> Found:
        return _counted(coverage_of(interval, draw, truth, repetitions=draws, seed=seed))

    return experiment


def covered_tables(
    interval: Callable[..., tuple[float, float | None]],
    draw: Callable[[np.random.Generator, int], np.ndarray],
    truth: float,
) -> Experiment:
    """Like :func:`covered` for small tables: all are drawn at once and each is judged once."""

    def experiment(draws: int, seed: int) -> Found:
        tables, times = np.unique(
            draw(np.random.default_rng(seed), draws), axis=0, return_counts=True
        )
        hits = 0
        for cells, number in zip(tables.tolist(), times.tolist(), strict=True):
            low, high = interval(*cells)
            held = low - ROUNDING <= truth and (high is None or truth <= high + ROUNDING)
            hits += number * held
        return Found(share=hits / draws, draws=draws, hits=hits)

    return experiment


def rejected(
    p_value: Callable[[Any], float | None],
    draw: Callable[[np.random.Generator], Any],
    alpha: float = 0.05,
) -> Experiment:
    """Draw data of which the null hypothesis is true, and count how often it is rejected."""

    def experiment(draws: int, seed: int) -> Found:
        return _counted(rejections_of(p_value, draw, alpha=alpha, repetitions=draws, seed=seed))

    return experiment


def exactly(shares: Callable[[], Sequence[float] | np.ndarray], judged: str) -> Experiment:
    """Sum the shares over all outcomes; judge their ``mean``, ``lowest`` or ``highest``."""

    def experiment(draws: int, seed: int) -> Found:
        values = np.asarray(shares())
        more = {
            "mean": float(values.mean()),
            "lowest": float(values.min()),
            "highest": float(values.max()),
        }
        return Found(share=more[judged], more=more)

    return experiment


def _counted(coverage: Coverage) -> Found:
    return Found(
        share=coverage.share,
        draws=coverage.repetitions,
        hits=coverage.hits,
        undefined=coverage.undefined,
    )
