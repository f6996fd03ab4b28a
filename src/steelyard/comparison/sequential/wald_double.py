"""Two one-sided sequential tests at once: the first is better, the second, or no difference."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, TypeAlias

from steelyard.comparison.sequential.wald_properties import check_win
from steelyard.comparison.sequential.whole_powers import (
    Bound,
    Powers,
    bound_at,
    powers_of,
    reading_of,
)
from steelyard.errors import RequestError, check_share

__all__ = [
    "DoubleProperties",
    "DoubleTest",
    "DoubleVerdict",
    "double_test",
    "double_test_properties",
    "one_sided",
    "run_double_test",
    "steps_from_even",
]

DoubleVerdict: TypeAlias = Literal["first better", "second better", "no difference", "continue"]
OneSided: TypeAlias = Literal["keep", "take", "open"]

LEFT = 1e-15
"""Paths that are still open with less than this chance change no digit of what is expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubleTest:
    """State of the test after some discordant items; :func:`double_test` starts it.

    ``first_refuted`` and ``second_refuted`` say that this system was found not better by the
    stated amount; both together mean no difference.
    """

    win: float
    alpha: float
    beta: float
    first_wins: int = 0
    second_wins: int = 0
    first_refuted: bool = False
    second_refuted: bool = False
    verdict: DoubleVerdict = "continue"

    def update(self, winner: Literal["first", "second"]) -> "DoubleTest":
        """Count one more discordant item; a test that has ended stays as it is.

        >>> double_test().update("first").first_wins
        1
        """
        if self.verdict != "continue":
            return self
        first = self.first_wins + (winner == "first")
        second = self.second_wins + (winner == "second")
        verdict, refuted = _judge(self, first, second)
        return replace(
            self,
            first_wins=first,
            second_wins=second,
            first_refuted=refuted[0],
            second_refuted=refuted[1],
            verdict=verdict,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubleProperties:
    """Exact chances of the three verdicts, and the expected number of discordant items.

    ``open`` is what is left undecided at the cap; without a cap it is below 1e-15.
    """

    win: float
    first_better: float
    second_better: float
    no_difference: float
    open: float
    expected_pairs: float


def double_test(win: float = 0.65, *, alpha: float = 0.05, beta: float = 0.1) -> DoubleTest:
    r"""Start the double sequential test on discordant items.

    One Wald test has H0: q = ½ against H1: q = ``win``, another H0: q = ½ against q = 1 - ``win``,
    each with error :math:`\alpha/2` and :math:`\beta`; q is the chance that the first system wins
    a discordant item. A winner is named when either test accepts its H1, "no difference" when both
    have accepted ½.

    Notes
    -----
    Of the rules for repeated looking it is the only one that also stops early for no difference,
    because the smallest difference of interest is stated. Between ½ and ``win`` either verdict is
    fair. q is conditional on discordance: state the share of discordant items with it.

    References
    ----------
    .. [1] Sobel & Wald (1949), Annals of Mathematical Statistics 20, 502-522,
       doi:10.1214/aoms/1177729944 (three decisions by two sequential tests).

    Examples
    --------
    >>> test = run_double_test(["first"] * 14, test=double_test())
    >>> test.verdict
    'first better'
    """
    if not 0.5 < win < 1:
        message = f"win={win!r}; the chance that makes a difference lies between 0.5 and 1."
        raise RequestError(message)
    for name, rate in (("alpha", alpha), ("beta", beta)):
        check_share(name, rate)
    if alpha / 2 + beta >= 1:
        message = f"alpha={alpha!r} and beta={beta!r} are too large together."
        raise RequestError(message)
    return DoubleTest(win=win, alpha=alpha, beta=beta)


def run_double_test(
    winners: Iterable[Literal["first", "second"]], *, test: DoubleTest
) -> DoubleTest:
    """Update the test with discordant items in the order they came, until it ends.

    Notes
    -----
    The order matters: it must be the order of testing, or random, never sorted by outcome.

    References
    ----------
    .. [1] Sobel & Wald (1949), doi:10.1214/aoms/1177729944.

    Examples
    --------
    >>> run_double_test(["first", "second"] * 60, test=double_test()).verdict
    'no difference'
    """
    for winner in winners:
        test = test.update(winner)
        if test.verdict != "continue":
            break
    return test


def double_test_properties(
    test: DoubleTest, *, win: float, cap: int | None = None
) -> DoubleProperties:
    """Exact chances of the verdicts when the first system wins a discordant item with ``win``.

    The undecided paths are carried from item to item by their lead and by which of the two
    one-sided tests has ended.

    Notes
    -----
    Exact for looking after every discordant item.

    References
    ----------
    .. [1] Aroian (1968), Sequential analysis, direct method, Technometrics 10, 125-132. The test:
       doi:10.1214/aoms/1177729944.

    Examples
    --------
    >>> answer = double_test_properties(double_test(), win=0.5)
    >>> round(answer.no_difference, 4), round(answer.expected_pairs, 2)
    (0.9549, 75.33)
    """
    check_win(win)
    ended = {"first better": 0.0, "second better": 0.0, "no difference": 0.0}
    paths = {(0, False, False): 1.0}
    expected, left, pairs = 0.0, 1.0, 0
    while left > LEFT and pairs != cap:
        pairs += 1
        expected += left
        following: dict[tuple[int, bool, bool], float] = {}
        for (wins, *refuted), mass in paths.items():
            state = replace(test, first_refuted=refuted[0], second_refuted=refuted[1])
            for won, chance in ((1, win), (0, 1 - win)):
                first = wins + won
                verdict, now = _judge(state, first, pairs - first)
                if verdict in ended:
                    ended[verdict] += mass * chance
                else:
                    key = (first, *now)
                    following[key] = following.get(key, 0.0) + mass * chance
        paths = following
        left = sum(paths.values())
    return DoubleProperties(
        win=win,
        first_better=ended["first better"],
        second_better=ended["second better"],
        no_difference=ended["no difference"],
        open=left,
        expected_pairs=expected,
    )


def _judge(state: DoubleTest, first: int, second: int) -> tuple[DoubleVerdict, tuple[bool, bool]]:
    """Verdict after these wins, and which system is refuted as the better one by now."""
    powers = steps_from_even(state.win)
    for_first, for_second = one_sided(powers, (first, second), alpha=state.alpha, beta=state.beta)
    if not state.first_refuted and for_first == "take":
        return "first better", (False, state.second_refuted)
    if not state.second_refuted and for_second == "take":
        return "second better", (state.first_refuted, False)
    refuted = (
        state.first_refuted or for_first == "keep",
        state.second_refuted or for_second == "keep",
    )
    return ("no difference" if all(refuted) else "continue"), refuted


@lru_cache(maxsize=256)
def steps_from_even(win: float) -> Powers:
    """What a win and a loss multiply the likelihood ratio of ``win`` against even odds by.

    Examples
    --------
    >>> steps_from_even(0.75).gain
    Fraction(3, 2)
    """
    chance = reading_of(win)
    return powers_of(2 * chance, 2 * (1 - chance))


def one_sided(
    powers: Powers, wins: tuple[int, int], *, alpha: float, beta: float
) -> tuple[OneSided, OneSided]:
    """Where the tests for the first and for the second stand, each at half of ``alpha``.

    Counts that lie exactly on a bound have reached it.

    Examples
    --------
    >>> one_sided(steps_from_even(0.75), (9, 0), alpha=0.1, beta=0.1)
    ('take', 'keep')
    """
    keep, take = _bounds(alpha, beta)
    first, second = wins

    def stands(won: int, lost: int) -> OneSided:
        if powers.side(won, lost, take) >= 0:
            return "take"
        return "keep" if powers.side(won, lost, keep) <= 0 else "open"

    return stands(first, second), stands(second, first)


@lru_cache(maxsize=256)
def _bounds(alpha: float, beta: float) -> tuple[Bound, Bound]:
    half, missed = reading_of(alpha) / 2, reading_of(beta)
    return bound_at(missed / (1 - half)), bound_at((1 - missed) / half)
