"""Every two of several systems in sequential tests that share one error rate (Wald-MSRB)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Literal, TypeAlias, get_args

from steelyard.comparison.sequential.racing import check_pattern
from steelyard.comparison.sequential.wald_double import one_sided, steps_from_even
from steelyard.comparison.sequential.wald_lead import lead_test
from steelyard.errors import RequestError
from steelyard.uncertainty.multiplicity import shaffer_numbers

__all__ = ["AllPairsTest", "PairRace", "PairVerdict", "all_pairs_test", "stage_leads"]

PairVerdict: TypeAlias = Literal["first", "second", "no winner", "dropped", "open"]
Scheme: TypeAlias = Literal["A", "B"]
Rule: TypeAlias = Literal["two-sided", "lead"]
Sharing: TypeAlias = Literal["msrb", "bonferroni"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRace:
    """Two systems, by their places, and the items only one of them had right so far.

    ``first_refuted`` and ``second_refuted`` are used by the two-sided rule: this system was
    found not better by the stated ratio.
    """

    first: int
    second: int
    first_wins: int = 0
    second_wins: int = 0
    first_refuted: bool = False
    second_refuted: bool = False
    verdict: PairVerdict = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class AllPairsTest:
    """State of the procedure after some items; :func:`all_pairs_test` starts it.

    ``stage`` counts the pairs that got a winner; ``alpha_now`` is the error rate each open pair
    works with. ``caveat`` says what the error rate does and does not promise.
    """

    systems: tuple[str, ...]
    smallest: float
    alpha: float
    beta: float
    rule: Rule
    scheme: Scheme
    sharing: Sharing
    cap: int | None
    items: int
    stage: int
    races: tuple[PairRace, ...]
    caveat: str

    @property
    def alpha_now(self) -> float:
        """Error rate of each open pair at this stage."""
        return self.alpha / _divisor(len(self.systems), self.sharing, self.stage)

    @property
    def ended(self) -> bool:
        """Whether no pair is open, or the cap is reached."""
        return self.items == self.cap or all(race.verdict != "open" for race in self.races)

    @property
    def best(self) -> str | None:
        """The system that beat every other (scheme A) or has lost to none (scheme B)."""
        for place, system in enumerate(self.systems):
            if self.scheme == "A" and self._wins(place) == len(self.systems) - 1:
                return system
            if self.scheme == "B" and self._survivors() == {place}:
                return system
        return None

    def update(self, pattern: int, *, rows: int = 1) -> "AllPairsTest":
        """Count ``rows`` more items with this outcome pattern, one after the other.

        Bit ``j`` of the pattern is set when system ``j`` was right.

        >>> test = all_pairs_test(["A", "B"], smallest=1.5).update(0b01, rows=3)
        >>> test.races[0].first_wins, test.items
        (3, 3)
        """
        check_pattern(pattern, rows, systems=len(self.systems))
        state = self
        for _ in range(rows):
            if state.ended:
                break
            state = state._after(pattern)
        return state

    def run(self, patterns: Iterable[int]) -> "AllPairsTest":
        """Update with items in the order of testing, until every pair is decided.

        >>> all_pairs_test(["A", "B"], smallest=1.5).run([0b01] * 40).best
        'A'
        """
        state, told, waiting = self, (1 << len(self.systems)) - 1, 0
        for pattern in patterns:
            # Items that all or none had right change no race: they are only counted.
            if self.cap is None and pattern in {0, told}:
                waiting += 1
                continue
            if state.ended:
                break
            state = replace(state, items=state.items + waiting).update(pattern)
            waiting = 0
            if state.ended:
                return state
        return replace(state, items=state.items + waiting)

    def _after(self, pattern: int) -> "AllPairsTest":
        races = tuple(_count(race, pattern) for race in self.races)
        state = replace(self, races=races, items=self.items + 1)
        while True:
            following = state._settle_clearest()
            if following is state:
                return state
            state = following

    def _settle_clearest(self) -> "AllPairsTest":
        """Decide the clearest pair that can be decided; the others see the new stage at once."""
        judged = [_judge(race, self) for race in self.races]
        ripe = [k for k, race in enumerate(judged) if race.verdict in ("first", "second")]
        ripe = [k for k in ripe if self.races[k].verdict == "open"]
        if not ripe:
            return self if tuple(judged) == self.races else replace(self, races=tuple(judged))
        clearest = max(ripe, key=lambda k: _lead(self.races[k]))
        races = list(self.races)
        races[clearest] = judged[clearest]
        if self.scheme == "B":
            races = [_without(race, _loser(judged[clearest])) for race in races]
        return replace(self, races=tuple(races), stage=self.stage + 1)

    def _wins(self, place: int) -> int:
        return sum(_winner(race) == place for race in self.races)

    def _survivors(self) -> set[int]:
        lost = {_loser(race) for race in self.races if race.verdict in ("first", "second")}
        return set(range(len(self.systems))) - lost


def all_pairs_test(
    systems: Iterable[str],
    *,
    smallest: float,
    alpha: float = 0.05,
    beta: float = 0.1,
    rule: Rule = "two-sided",
    scheme: Scheme = "A",
    sharing: Sharing = "msrb",
    cap: int | None = None,
) -> AllPairsTest:
    r"""Start the all-pairs sequential procedure on common items.

    Every pair runs Wald's test on its discordant items; after r - 1 pairs have got their winner,
    all open pairs work with :math:`\alpha_r = \alpha / t_r`, where :math:`t_r` are the numbers of
    Shaffer's procedure. Each decision moves the bounds of the rest at once.

    Parameters
    ----------
    smallest
        Smallest ratio omega* = P(only one right)/P(only the other right) that matters, above 1.
    alpha, beta
        Family-wise error rate to share, and the error of missing ``smallest`` (two-sided rule).
    rule
        ``two-sided``: two one-sided tests of 1 against omega*, each at :math:`\alpha_r/2`, with the
        verdict "no winner" when both accept 1. ``lead``: the symmetric test, which always names a
        winner, at a lead of :math:`\lceil\ln((1-\alpha_r)/\alpha_r)/\ln\omega^*\rceil`.
    scheme
        ``A``: all pairs go on; ``B``: a system that has lost is tested no more and its other
        pairs are ``dropped``.
    sharing
        ``msrb`` as above, or ``bonferroni``: :math:`\alpha/\binom k2` for every pair throughout.
    cap
        Most items to test; pairs open then stay open. The n_min of
        :func:`steelyard.comparison.items_needed` is the customary one.

    Notes
    -----
    This is our reading of Catlin et al., who give no formulas. The numbers of Shaffer count pairs
    that may be *equal*, but the ``lead`` rule can err about pairs that differ: the chance of any
    wrong winner is not guaranteed to be at most alpha. Simulated with the leads 12, 11, 11, 11,
    10, 8 (alpha .05, omega* 1.5), four systems with odds 1 : 1.5 : 2.25 : 3.375 and scheme A it
    is 0.064 (320,000 campaigns, standard error 0.0004); with scheme B 0.013. With ``bonferroni``
    it is at most alpha wherever all ratios are omega* or more.

    Between equal systems the ``lead`` rule always names a wrong winner in the end
    (docs/reference/certificates.md).

    References
    ----------
    .. [1] Catlin, Bauer, Mykytko et al. (1999), Naval Research Logistics 46, 357-371.
    .. [2] Shaffer (1986), JASA 81, 826-831, doi:10.1080/01621459.1986.10478341.

    Examples
    --------
    >>> test = all_pairs_test(["A", "B", "C"], smallest=1.5, rule="lead")
    >>> test = test.update(0b001, rows=20)
    >>> test.best, [race.verdict for race in test.races], test.stage
    ('A', ['first', 'first', 'open'], 2)
    """
    names = tuple(systems)
    _check(names, alpha, beta, smallest)
    for name, given, choices in (
        ("rule", rule, get_args(Rule)),
        ("scheme", scheme, get_args(Scheme)),
        ("sharing", sharing, get_args(Sharing)),
    ):
        if given not in choices:
            raise RequestError.for_choice(name=name, given=given, choices=choices)
    pairs = combinations(range(len(names)), 2)
    return AllPairsTest(
        systems=names,
        smallest=smallest,
        alpha=alpha,
        beta=beta,
        rule=rule,
        scheme=scheme,
        sharing=sharing,
        cap=cap,
        items=0,
        stage=0,
        races=tuple(PairRace(first=first, second=second) for first, second in pairs),
        caveat=CAVEATS[sharing],
    )


def stage_leads(
    systems: int, *, smallest: float, alpha: float = 0.05, sharing: Sharing = "msrb"
) -> tuple[int, ...]:
    """Lead that decides an open pair after 0, 1, 2, ... pairs have got their winner.

    Notes
    -----
    For the ``lead`` rule of :func:`all_pairs_test`; see there what the error rate promises.

    References
    ----------
    .. [1] Shaffer (1986), JASA 81, 826-831, doi:10.1080/01621459.1986.10478341.

    Examples
    --------
    >>> stage_leads(4, smallest=1.5)
    (12, 11, 11, 11, 10, 8)
    """
    return tuple(
        lead_test(smallest, alpha=alpha / _divisor(systems, sharing, stage)).lead
        for stage in range(comb(systems, 2))
    )


CAVEATS: dict[str, str] = {
    "msrb": (
        "The shared error rate guards against calling equal systems different; the chance of a "
        "wrong winner among different ones may exceed alpha (simulated 0.064 for 0.05 with four "
        "systems one ratio apart). Our reading of Catlin et al. (1999)."
    ),
    "bonferroni": (
        "Every pair works with alpha over the number of pairs. Our reading of Catlin et al. (1999)."
    ),
}


def _check(names: tuple[str, ...], alpha: float, beta: float, smallest: float) -> None:
    if len(names) < 2 or len(set(names)) != len(names):
        message = f"systems={list(names)!r}; name at least two systems, each once."
        raise RequestError(message)
    if not smallest > 1:
        message = f"smallest={smallest!r}; the smallest ratio that matters is above 1."
        raise RequestError(message)
    for name, rate in (("alpha", alpha), ("beta", beta)):
        if not 0 < rate < 0.5:
            message = f"{name}={rate!r}; expected an error rate above 0 and below 0.5."
            raise RequestError(message)


def _divisor(systems: int, sharing: Sharing, stage: int) -> int:
    if sharing == "bonferroni":
        return comb(systems, 2)
    numbers = shaffer_numbers(systems)
    return numbers[min(stage, len(numbers) - 1)]


def _count(race: PairRace, pattern: int) -> PairRace:
    first, second = pattern >> race.first & 1, pattern >> race.second & 1
    if race.verdict != "open" or first == second:
        return race
    return replace(race, first_wins=race.first_wins + first, second_wins=race.second_wins + second)


def _judge(race: PairRace, test: AllPairsTest) -> PairRace:
    if race.verdict != "open":
        return race
    return (_by_lead if test.rule == "lead" else _by_two_tests)(race, test)


def _by_lead(race: PairRace, test: AllPairsTest) -> PairRace:
    if _lead(race) < lead_test(test.smallest, alpha=test.alpha_now).lead:
        return race
    return replace(race, verdict="first" if race.first_wins > race.second_wins else "second")


def _by_two_tests(race: PairRace, test: AllPairsTest) -> PairRace:
    powers = steps_from_even(test.smallest / (1 + test.smallest))
    wins = race.first_wins, race.second_wins
    for_first, for_second = one_sided(powers, wins, alpha=test.alpha_now, beta=test.beta)
    if not race.first_refuted and for_first == "take":
        return replace(race, verdict="first")
    if not race.second_refuted and for_second == "take":
        return replace(race, verdict="second")
    refuted = (
        race.first_refuted or for_first == "keep",
        race.second_refuted or for_second == "keep",
    )
    return replace(
        race,
        first_refuted=refuted[0],
        second_refuted=refuted[1],
        verdict="no winner" if all(refuted) else "open",
    )


def _lead(race: PairRace) -> int:
    return abs(race.first_wins - race.second_wins)


def _winner(race: PairRace) -> int | None:
    return {"first": race.first, "second": race.second}.get(race.verdict)


def _loser(race: PairRace) -> int:
    return race.second if race.verdict == "first" else race.first


def _without(race: PairRace, lost: int) -> PairRace:
    if race.verdict == "open" and lost in (race.first, race.second):
        return replace(race, verdict="dropped")
    return race
