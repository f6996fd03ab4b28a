"""Reader studies: several readers score the same cases with two equal systems."""

from collections.abc import Callable

import numpy as np
from scipy.special import ndtr

from certificates.declaration import AT_LEAST_95, AT_MOST_5, Certificate, Found
from certificates.search import Cell, Search, Space
from steelyard.comparison import guard_readers, reader_study

__all__ = ["DECLARED"]

FAMILY = "reader_studies"
PAGE = "reader-studies"
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(61)


def _study(cell: Cell, rng: np.random.Generator, *, guarded: bool):
    """Draw readers and cases that vary, also from system to system, as Roe and Metz have them."""
    readers, cases = int(cell["readers"]), int(cell["cases"])
    positives = max(3, round(cases * cell["positives"]))
    truth = np.arange(cases) < positives
    scores = (
        cell["separation"] * truth
        + np.sqrt(0.3) * rng.normal(size=(1, 1, cases))
        + np.sqrt(0.3) * rng.normal(size=(2, 1, cases))
        + np.sqrt(0.4) * rng.normal(size=(2, readers, cases))
        + truth * cell["readers vary"] * rng.normal(size=(1, readers, 1))
        + truth * cell["readers vary"] * rng.normal(size=(2, readers, 1))
    )
    found = reader_study(truth, scores)
    return guard_readers(found, min(positives, cases - positives)) if guarded else found


def _differing(*, guarded: bool) -> Callable[[Cell, int, np.random.Generator], Found]:
    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        studies = (_study(cell, rng, guarded=guarded) for _ in range(draws))
        hits = sum(one.answer("readers and cases").p < 0.05 for one in studies)
        return Found(share=hits / draws, draws=draws, hits=int(hits))

    return trial


def _holding_mean(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    centres = cell["separation"] + np.sqrt(2) * cell["readers vary"] * NODES
    truth = float(WEIGHTS @ ndtr(centres / np.sqrt(2)) / WEIGHTS.sum())
    ends = [_study(cell, rng, guarded=True).singles[0][0] for _ in range(draws)]
    known = [one for one in ends if one.low is not None and one.high is not None]
    hits = sum(one.low <= truth <= one.high for one in known)
    return Found(share=hits / len(known), draws=len(known), hits=int(hits))


SPACE = Space(
    axes={
        "readers": (2, 3, 6, 10),
        "cases": (30, 120),
        "positives": (0.05, 0.2, 0.5),
        "separation": (0.5, 2.5),
        "readers vary": (0.0, 0.6),
    },
)
SETTING = "2 to 10 readers, 30 to 120 cases, 5 to 50 % positive (3 at least), searched"

DECLARED = [
    Certificate(
        name="reader study of two equal systems",
        family=FAMILY,
        claim="finds a difference in 5 % at most, for other readers and other cases",
        setting=SETTING,
        page=PAGE,
        experiment=Search(
            space=SPACE, trial=_differing(guarded=True), seek="highest", rounds=1, beam=2
        ),
        allowed=AT_MOST_5,
        seed=427,
        short=50,
        long=1000,
    ),
    Certificate(
        name="reader study of two equal systems, as published",
        family=FAMILY,
        claim="finds a difference in 5 % at most, for other readers and other cases",
        setting=SETTING,
        page=PAGE,
        experiment=Search(
            space=SPACE, trial=_differing(guarded=False), seek="highest", rounds=1, beam=2
        ),
        falls_short=(0.1, 0.2),
        note="with 2 readers, or with 3 cases of a class; leave --method out",
        seed=422,
        short=50,
        long=800,
    ),
    Certificate(
        name="mean area of a reader study",
        family=FAMILY,
        claim="covers 95 % or more, for other readers and other cases",
        setting=SETTING,
        page=PAGE,
        experiment=Search(space=SPACE, trial=_holding_mean, seek="lowest", rounds=1, beam=2),
        allowed=AT_LEAST_95,
        seed=428,
        short=50,
        long=1000,
    ),
]
