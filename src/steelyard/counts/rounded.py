"""Shares as they were published: rounded, so that several counts may be meant."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Self, get_args

from steelyard.counts.cells import whole
from steelyard.counts.labels import check_names
from steelyard.counts.trials import Pairing, Trials
from steelyard.errors import CountsError, RequestError, counted, listing

__all__ = ["RoundedTrials", "count_range", "means_percents", "read_share"]

SHARE = re.compile(r"\s*(\d+(?:\.(?P<decimals>\d+))?|\.(?P<bare>\d+))\s*(?P<percent>%|\Z)\s*")
EXACT = Fraction(1, 10**12)
"""Shares of more digits than this were printed by a computer, which rounds its last one too."""


def read_share(text: str, *, percent: bool | None = None) -> tuple[Fraction, Fraction]:
    """Read ``87.3%`` or ``0.873`` as a share, and half of its last place.

    Without a sign the number is a share up to 1 and a percentage above, unless ``percent`` says.

    >>> read_share("87.3%")
    (Fraction(873, 1000), Fraction(1, 2000))
    >>> read_share("0.87")
    (Fraction(87, 100), Fraction(1, 200))
    """
    found = SHARE.fullmatch(text)
    if found is None:
        message = f"{text!r} is not a share such as 87.3% or 0.873."
        raise RequestError(message)
    number = Fraction(found[1])
    digits = len(found["decimals"] or found["bare"] or "")
    scale = 100 if found["percent"] or percent or (percent is None and number > 1) else 1
    share, half = number / scale, Fraction(1, 2 * scale * 10**digits)
    if share > 1:
        message = f"{text!r} is more than 100 %, and nobody is right more often than asked."
        raise RequestError(message)
    return share, max(half, EXACT)


def means_percents(texts: Mapping[str, str]) -> bool | None:
    """Tell whether numbers without a sign are percentages: where one of them is above 1, all are.

    >>> means_percents({"S": "87.3", "T": "85"}), means_percents({"S": "0.87", "T": "0.9"})
    (True, None)
    """
    found = {text.strip(): SHARE.fullmatch(text) for text in texts.values()}
    bare = {
        text: Fraction(one[1])
        for text, one in found.items()
        if one is not None and not one["percent"]
    }
    if not any(number > 1 for number in bare.values()):
        return None
    unclear = next((text for text, number in bare.items() if 0 < number < 1), None)
    if unclear is not None:
        message = (
            f"{unclear} stands among percentages: is it {unclear} % or "
            f"{float(bare[unclear] * 100):g} %? Write the sign: {unclear}%."
        )
        raise RequestError(message)
    return True


def count_range(share: Fraction, half: Fraction, tested: int) -> tuple[int, int]:
    r"""Give the least and the most right answers that round to a share of ``tested`` items.

    .. math:: \lceil (p - h)\,n \rceil \le k \le \lfloor (p + h)\,n \rfloor

    with h half of the last place, both ends included: it is not known how halves were rounded.
    The range is empty, ``least > most``, where no count fits.

    >>> count_range(*read_share("87.3%"), 1000), count_range(*read_share("87.3%"), 1319)
    ((873, 873), (1151, 1152))
    """
    return max(0, ceil((share - half) * tested)), min(tested, floor((share + half) * tested))


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundedTrials:
    """Published shares: each system was right on ``least`` to ``most`` of its ``tested`` items.

    ``middle`` is the count that is nearest to the share.

    Examples
    --------
    >>> board = RoundedTrials.of({"S": "87.3%", "T": "85.1%"}, tested=1319, pairing="common")
    >>> board.least, board.most, board.middle
    ((1151, 1122), (1152, 1123), (1151, 1122))
    """

    systems: tuple[str, ...]
    published: tuple[str, ...]
    least: tuple[int, ...]
    most: tuple[int, ...]
    middle: tuple[int, ...]
    tested: tuple[int, ...]
    pairing: Pairing

    def __post_init__(self) -> None:
        """Let the counts be checked as any others are."""
        if self.pairing not in get_args(Pairing):
            refusal = RequestError.for_choice("pairing", self.pairing, get_args(Pairing))
            raise refusal
        check_names(self.systems, "system")
        for counts in (self.least, self.most):
            self._trials(counts)

    @classmethod
    def of(
        cls,
        shares: Mapping[str, str],
        *,
        tested: Mapping[str, int] | int,
        pairing: Pairing,
        percent: bool | None = None,
    ) -> Self:
        """Find the counts that each share allows; a share that no count rounds to is refused."""
        if not shares:
            message = "No system is named; give shares such as {'S': '87.3%', 'T': '85.1%'}."
            raise CountsError(message, code="no-systems")
        items = tested if isinstance(tested, Mapping) else dict.fromkeys(shares, tested)
        if set(items) != set(shares):
            message = (
                f"Shares are given of {listing(list(shares))}, items tested of "
                f"{listing(list(items))}; both must name the same systems."
            )
            raise CountsError(message, code="systems-differ")
        percent = means_percents(shares) if percent is None else percent
        ranges = {}
        for name, text in shares.items():
            total = whole(items[name], "tested")
            share, half = read_share(text, percent=percent)
            least, most = count_range(share, half, total)
            if total < 1 or least > most:
                raise _no_count_fits(name, text, share, total)
            ranges[name] = (least, most, min(max(round(share * total), least), most))
        return cls(
            systems=tuple(shares),
            published=tuple(text.strip() for text in shares.values()),
            least=tuple(one[0] for one in ranges.values()),
            most=tuple(one[1] for one in ranges.values()),
            middle=tuple(one[2] for one in ranges.values()),
            tested=tuple(items[name] for name in shares),
            pairing=pairing,
        )

    @property
    def exact(self) -> bool:
        """Tell whether one count alone fits each share."""
        return self.least == self.most

    def trials(self) -> Trials:
        """Take the middle counts for the true ones."""
        return self._trials(self.middle)

    def said(self) -> str:
        """Say which counts each share allows.

        >>> RoundedTrials.of({"S": "87.3%"}, tested=1319, pairing="common").said()
        'S 87.3% of 1,319: 1,151 to 1,152 right'
        """
        columns = zip(self.systems, self.published, self.tested, self.least, self.most, strict=True)
        return listing(
            [
                f"{name} {text} of {total:,}: "
                + (f"{low:,} right" if low == high else f"{low:,} to {high:,} right")
                for name, text, total, low, high in columns
            ],
            most=4,
        )

    def _trials(self, correct: tuple[int, ...]) -> Trials:
        return Trials(
            systems=self.systems, correct=correct, tested=self.tested, pairing=self.pairing
        )


def _no_count_fits(name: str, text: str, share: Fraction, total: int) -> CountsError:
    if total < 1:
        message = f"{name}: tested on {total} items; a rate needs at least one."
        return CountsError(message, code="no-items")
    below = floor(share * total)
    near = [f"{count:,} is {100 * count / total:.4g} %" for count in (below, min(below + 1, total))]
    message = (
        f"{name}: {text.strip()} fits no count of {counted(total, 'item')}: "
        f"{' and '.join(dict.fromkeys(near))}. Check the number tested; a mean over tasks, runs or "
        "classes is not a share of items."
    )
    return CountsError(message, code="no-count-fits")
