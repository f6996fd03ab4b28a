"""Where methods disagree about a pair: that they do, and why."""

from collections.abc import Sequence

from steelyard.errors import counted
from steelyard.results import ComparedPair

__all__ = ["disagreements"]

SURE = 0.99
"""A posterior probability from which a reader would take a pair for decided."""


def disagreements(
    pairs: Sequence[ComparedPair], *, alpha: float, margin: float | None
) -> tuple[str, ...]:
    """Say, once for each kind, how many pairs other methods see otherwise than the verdict."""
    tested = [pair for pair in pairs if pair.p_value is not None]
    notes = [
        _alone(tested, alpha),
        _softer(tested, alpha),
        _surer(tested, alpha),
        _harder(tested),
        _nearer(tested, alpha, margin),
    ]
    return tuple(note for note in notes if note)


def _open(pairs: Sequence[ComparedPair], alpha: float, *, alone: bool) -> list[ComparedPair]:
    """Pick the undecided pairs that a test of that pair alone would, or would not, decide."""
    return [
        pair
        for pair in pairs
        if pair.verdict == "undecided"
        and pair.p_value is not None
        and (pair.p_value <= alpha) == alone
    ]


def _sure(pair: ComparedPair) -> bool:
    return pair.better is not None and max(pair.better, 1 - pair.better) > SURE


def _alone(pairs: Sequence[ComparedPair], alpha: float) -> str:
    """Many pairs: each taken by itself would be decided, all together not."""
    found = _open(pairs, alpha, alone=True)
    if not found:
        return ""
    says = [f"p at most {alpha:g}"]
    if any(_sure(pair) for pair in found):
        says.append(f"P(better) above {SURE:g}")
    if any(pair.aic_verdict == "different" for pair in found):
        says.append("Akaike's criterion")
    return (
        f"{counted(len(found), 'undecided pair', 'look')} different taken alone "
        f"({', '.join(says)}); the verdicts guard all {len(pairs)} pairs at once"
    )


def _softer(pairs: Sequence[ComparedPair], alpha: float) -> str:
    """Akaike's criterion decides what no test does, since it asks for less."""
    found = [pair for pair in _open(pairs, alpha, alone=False) if pair.aic_verdict == "different"]
    if not found:
        return ""
    calls = f"Akaike's criterion calls {counted(len(found), 'undecided pair')} different: it"
    if any(pair.overlaps is not None for pair in found):
        return (
            f"{calls} goes by the overlap that speaks most for a difference, and of totals alone "
            "calls equal systems different more often than not when items are many"
        )
    return f"{calls} decides like a test at about 0.08, not at {alpha:g}"


def _surer(pairs: Sequence[ComparedPair], alpha: float) -> str:
    """A posterior is sure of what no test decides."""
    found = [pair for pair in _open(pairs, alpha, alone=False) if _sure(pair)]
    if not found:
        return ""
    return (
        f"P(better) is above {SURE:g} for {counted(len(found), 'undecided pair')}: it speaks of "
        "one direction and uses the prior, while the test looks both ways and has only the data"
    )


def _harder(pairs: Sequence[ComparedPair]) -> str:
    """Akaike's criterion does not follow a verdict of different."""
    found = [
        pair
        for pair in pairs
        if pair.verdict == "different" and pair.aic_verdict in {"same", "undecided"}
    ]
    if not found:
        return ""
    return (
        f"Akaike's criterion does not call {counted(len(found), 'pair')} different that the tests "
        "do: it asks whether a second rate pays for itself, which few items can deny"
    )


def _nearer(pairs: Sequence[ComparedPair], alpha: float, margin: float | None) -> str:
    """The margin makes the same what tests tell apart."""
    found = [
        pair
        for pair in pairs
        if pair.verdict == "same" and pair.adjusted_p is not None and pair.adjusted_p <= alpha
    ]
    if not found or margin is None:
        return ""
    return (
        f"{counted(len(found), 'pair', 'count')} as the same although the tests tell them apart: "
        f"the difference is real, but below the margin of {margin:g}"
    )
