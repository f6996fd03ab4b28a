"""How often each system was right, and out of how many."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Self, get_args

from steelyard.counts.cells import whole, whole_counts
from steelyard.counts.exclusions import Exclusion, merge_exclusions
from steelyard.counts.labels import check_names
from steelyard.errors import CountsError, RequestError, listing

__all__ = ["Pairing", "Trials"]

Pairing = Literal["common", "independent"]
"""Did all systems see the same items, or each its own?"""


@dataclass(frozen=True, slots=True, kw_only=True, init=False)
class Trials:
    """Right answers and tested items per system; which items were right together is not known.

    ``correct`` and ``tested`` may be given as mappings from system to count, ``tested`` as one
    number for all. Both are kept as tuples in the order of ``systems``.

    Examples
    --------
    >>> trials = Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent")
    >>> trials.systems, trials.tested
    (('S', 'T'), (200, 200))
    """

    systems: tuple[str, ...]
    correct: tuple[int, ...]
    tested: tuple[int, ...]
    pairing: Pairing
    excluded: tuple[Exclusion, ...] = ()

    def __init__(
        self,
        *,
        correct: Mapping[str, int] | Sequence[int],
        tested: Mapping[str, int] | Sequence[int] | int,
        pairing: Pairing,
        excluded: Sequence[Exclusion] = (),
        systems: Sequence[str] | None = None,
    ) -> None:
        """Take mappings by system; with ``systems``, plain lists in that order do as well."""
        if systems is None and not isinstance(correct, Mapping):
            message = "correct is a plain list; name the systems: correct={'A': 190, 'B': 194}."
            raise CountsError(message, code="systems-differ")
        names = check_names(correct if systems is None else systems, "system")  # type: ignore[arg-type]
        if not names:
            message = "No system is named; pass correct={'A': 190, 'B': 194}, tested=200."
            raise CountsError(message, code="no-systems")
        for name, value in (
            ("systems", names),
            ("correct", _in_order(correct, names, "correct")),
            ("tested", _in_order(tested, names, "tested")),
            ("pairing", pairing),
            ("excluded", merge_exclusions(excluded)),
        ):
            object.__setattr__(self, name, value)
        self._check()

    def _check(self) -> None:
        if self.pairing not in get_args(Pairing):
            refusal = RequestError.for_choice("pairing", self.pairing, get_args(Pairing))
            raise refusal
        for system, correct, tested in zip(self.systems, self.correct, self.tested, strict=True):
            if tested < 1:
                message = f"{system}: tested on {tested} items; a rate needs at least one."
                raise CountsError(message, code="no-items")
            if correct > tested:
                message = (
                    f"{system}: {correct} right of {tested} tested; need 0 <= right <= tested."
                )
                raise CountsError(message, code="more-right-than-tested")
        if self.pairing == "common" and len(set(self.tested)) > 1:
            message = (
                f"Systems tested on common items cannot have different totals: "
                f"{listing([f'{s} {n}' for s, n in zip(self.systems, self.tested, strict=True)])}. "
                "Pass pairing='independent' (--pairing independent) if each had its own items."
            )
            raise CountsError(message, code="tested-differ")

    def __add__(self, other: Self) -> "Trials":
        if self.systems != other.systems or self.pairing != other.pairing:
            message = (
                f"Trials of {listing(self.systems)} ({self.pairing}) and of "
                f"{listing(other.systems)} ({other.pairing}) cannot be added."
            )
            raise CountsError(message, code="systems-differ")
        return Trials(
            systems=self.systems,
            correct=[one + two for one, two in zip(self.correct, other.correct, strict=True)],
            tested=[one + two for one, two in zip(self.tested, other.tested, strict=True)],
            pairing=self.pairing,
            excluded=merge_exclusions(self.excluded, other.excluded),
        )


def _in_order(
    given: Mapping[str, int] | Sequence[int] | int, systems: tuple[str, ...], what: str
) -> tuple[int, ...]:
    """Line counts up with the systems, whichever way they were given."""
    if isinstance(given, Mapping):
        if set(given) != set(systems):
            message = (
                f"correct names {listing(systems)}, {what} names {listing(list(given))}; "
                "both must name the same systems."
            )
            raise CountsError(message, code="systems-differ")
        given = [given[system] for system in systems]
    elif not isinstance(given, Sequence):
        given = [whole(given, what)] * len(systems)
    if len(given) != len(systems):
        message = f"{what} has {len(given)} counts for {len(systems)} systems."
        raise CountsError(message, code="systems-differ")
    for count in given:
        whole_counts([count], what)
    return tuple(whole(count, what) for count in given)
