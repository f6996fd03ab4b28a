"""The registry: what is computed, at which arguments, by us and in 50 digits."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accuracy import references as ref
from accuracy.ours import OURS

__all__ = ["CASES", "LEAST", "Case", "found_path", "kept_path"]

LEVELS = (0.95, 0.999999)
GOLDEN = Path(__file__).parents[1] / "tests" / "golden"


@dataclass(frozen=True)
class Case:
    """One call: the function, its arguments, and what says the right numbers."""

    function: str
    arguments: tuple[Any, ...]
    reference: Callable[..., Any] | tuple[str, ...]
    origin: str = "70 digits"

    @property
    def name(self) -> str:
        """Say the call as it is shown in the table."""
        return f"{self.function}{self.arguments}"

    def ours(self) -> tuple[float, ...]:
        """Compute it as users do."""
        found = OURS[self.function](*self.arguments)
        return found if isinstance(found, tuple) else (found,)

    def right(self) -> tuple[str, ...]:
        """Compute it in 50 digits, slowly; or give what R said."""
        if not callable(self.reference):
            return self.reference
        found = self.reference(*self.arguments)
        several = found if isinstance(found, tuple) else (found,)
        return tuple(ref.mp.nstr(one, 30) for one in several)


def kept_path() -> Path:
    """Where the numbers in 50 digits are kept, to 30 of them."""
    return Path(__file__).parent / "kept.json"


def found_path() -> Path:
    """Where the right digits of the last run are kept, for the page to read."""
    return Path(__file__).parent / "found.json"


def _grid(function: str, arguments: Sequence[tuple[Any, ...]], reference: Any) -> list[Case]:
    return [Case(function, one, reference) for one in arguments]


SHARES = [
    (x, n, level)
    for n in (1, 2, 10, 1000, 10**8)
    for x in sorted({0, 1, n // 2, n - 1, n})
    for level in LEVELS
]
SAMPLES = [
    (*cells, level)
    for cells in (
        (0, 10, 0, 12), (10, 10, 0, 12), (3, 10, 7, 12), (1, 1, 0, 1), (56, 70, 48, 80),
        (999, 1000, 990, 1000), (0, 10**8, 5, 10**8), (10**8 - 3, 10**8, 10**8 - 50, 10**8),
        (5 * 10**7, 10**8, 49_999_000, 10**8),
    )
    for level in LEVELS
]  # fmt: skip
PAIRS = [
    (*cells, level)
    for cells in (
        (36, 12, 2, 0), (10, 0, 0, 0), (0, 5, 0, 0), (160, 18, 5, 17), (0, 0, 1, 10**8 - 1),
        (10**8 - 40, 30, 10, 0), (4 * 10**7, 2 * 10**7, 10**7, 3 * 10**7),
    )
    for level in LEVELS
]  # fmt: skip
DISCORDANT = [
    (0, 0), (0, 1), (1, 0), (5, 5), (18, 5), (0, 60), (0, 1020), (400, 520), (2, 1000), (3000, 3000),  # noqa: E501
]  # fmt: skip
TABLES = [
    (0, 5, 5, 5), (7, 10, 2, 12), (0, 1, 0, 1), (3, 15, 14, 15), (190, 200, 194, 200),
    (0, 500, 500, 500), (10, 1000, 60, 900),
]  # fmt: skip
BETAS = [
    (1, 1, 1, 1), (191, 11, 195, 7), (1, 2, 2, 1), (1, 1001, 1001, 1), (50, 951, 500, 501),
    (1, 10**8 + 1, 1, 1), (901, 101, 881, 121), (1, 501, 501, 1), (2, 1, 1, 10**8),
]  # fmt: skip
SCORES = [
    ((3, 5, 7, 9), (1, 2, 4, 8)), ((1, 1, 2, 2, 3), (0, 1, 1, 2)),
    (tuple(range(0, 60, 2)), tuple(range(1, 40, 3))), ((5, 5), (5, 5, 5)),
    (tuple((7 * i) % 101 for i in range(80)), tuple((11 * i) % 83 for i in range(90))),
]  # fmt: skip
MATRICES = [
    (((25, 10), (5, 60)),), (((20, 5, 1), (3, 30, 2), (0, 4, 35)),), (((1, 0), (1, 1)),),
    (((99_999_990, 3), (4, 3)),), (((5, 50), (45, 0)),),
]  # fmt: skip
RANGES = [(w, k) for w in (0.01, 1.0, 3.633, 6.0, 9.0) for k in (2, 3, 10, 50)]
SELECTIONS = [(1, 2, 0.5, 0.75), (10, 2, 0.1, 0.55), (50, 5, 0.05, 0.5), (100, 50, 0.1, 0.95)]

CASES: list[Case] = [
    *_grid(
        "normal_quantile",
        [(level,) for level in (1e-12, 0.5, 0.95, 0.999999, 1 - 1e-12, 1 - 2**-53)],
        ref.quantile,
    ),
    *_grid("wilson_interval", SHARES, ref.wilson),
    *_grid("agresti_coull_interval", SHARES, ref.agresti_coull),
    *_grid("clopper_pearson_interval", SHARES, ref.clopper_pearson),
    *_grid("jeffreys_interval", SHARES, ref.jeffreys),
    *_grid("midp_interval", SHARES, ref.midp),
    *_grid("newcombe_interval", SAMPLES, ref.newcombe),
    *_grid("mee_interval", SAMPLES, ref.mee),
    *_grid("miettinen_nurminen_interval", SAMPLES, ref.miettinen_nurminen),
    *_grid("tango_interval", PAIRS, ref.tango),
    *_grid("mcnemar, exact", DISCORDANT, ref.mcnemar_exact),
    *_grid("mcnemar, mid-p", DISCORDANT, ref.mcnemar_midp),
    *_grid("fisher_exact", TABLES, ref.fisher),
    *_grid("boschloo", TABLES[:4], ref.boschloo),
    *_grid(
        "k_sample_chi_square",
        [
            (((190, 200), (194, 200)),), (((9, 10), (5, 10), (1, 10)),),
            (((0, 700), (700, 700)),), (((50_000_000, 10**8), (49_990_000, 10**8)),),
        ],
        ref.chi_square,
    ),
    *_grid("probability_better", BETAS, ref.better),
    *_grid(
        "discordant_evidence",
        [(b, c, 1.0) for b, c in (*DISCORDANT, (10**8, 10**8), (10**8, 0))]
        + [(18, 5, 0.5), (0, 1020, 40.0)],
        ref.log_evidence,
    ),
    *_grid(
        "akaike_independent",
        [(190, 200, 194, 200), (0, 10, 10, 10), (0, 10, 0, 10), (5 * 10**7, 10**8, 49_999_000, 10**8)],  # noqa: E501
        ref.akaike,
    ),
    *_grid("delong_variance", [(p, n) for p, n in SCORES], lambda p, n: ref.delong(None, p, n)),
    *_grid("cohen_kappa, standard error", MATRICES, ref.kappa_error),
    *_grid("range_probability", RANGES, ref.range_probability),
    *_grid("probability_correct_selection", SELECTIONS, ref.correct_selection),
    *_grid(
        "wilson_width",
        [(0.0, 1, 0.95), (0.5, 10**8, 0.95), (0.9, 123, 0.999999), (1.0, 10**8, 0.95)],
        ref.wilson_width,
    ),
]  # fmt: skip


def _from_r() -> list[Case]:
    """Group sequential boundaries as rpact has them, to the digits that it has."""
    saved = json.loads((GOLDEN / "spending.json").read_text(encoding="utf-8"))
    return [
        Case(
            "spending_boundaries",
            (one["kind"], one["sides"], one["alpha"], tuple(one["fractions"])),
            tuple(f"{bound:.9f}" for bound in one["bounds"]),
            "R, rpact 3.3.4",
        )
        for one in saved["cases"]
    ]


def _from_golden() -> list[Case]:
    """P(best) of up to fifty systems and complements to 1e-300, kept since it was written."""
    saved = json.loads((GOLDEN / "posterior.json").read_text(encoding="utf-8"))["cases"]
    made = []
    for one in saved:
        pairs = tuple(zip(one["a"], one["b"], strict=True))
        if one["best"]:
            made.append(Case("probability_best, all", (pairs,), tuple(one["best"])))
        if one["not_best_of_first"] is not None:
            right = (str(one["not_best_of_first"]),)
            made.append(Case("probability_best, not best", (pairs,), right))
    return made


CASES += [*_from_golden(), *_from_r()]

LEAST: dict[str, int] = {
    "normal_quantile": 15,
    "wilson_interval": 15,
    "agresti_coull_interval": 14,
    "clopper_pearson_interval": 12,
    "jeffreys_interval": 14,
    "midp_interval": 12,
    "newcombe_interval": 12,
    "mee_interval": 10,
    "miettinen_nurminen_interval": 11,
    "tango_interval": 14,
    "mcnemar, exact": 11,
    "mcnemar, mid-p": 11,
    "fisher_exact": 11,
    "boschloo": 14,
    "k_sample_chi_square": 12,
    "probability_better": 12,
    "discordant_evidence": 7,
    "akaike_independent": 7,
    "delong_variance": 15,
    "cohen_kappa, standard error": 15,
    "range_probability": 2,
    "probability_correct_selection": 12,
    "wilson_width": 15,
    "probability_best, all": 9,
    "probability_best, not best": 12,
    "spending_boundaries": 6,
}
"""Right digits that each function keeps at all of its arguments; more is welcome, less fails."""
