"""What agreement between raters is in words."""

from typing import TYPE_CHECKING

from steelyard.display.numbers import show_number
from steelyard.display.text import show_name
from steelyard.results.measured import said_count, said_estimate, said_percent

if TYPE_CHECKING:
    from steelyard.results.estimates import Estimate, Proportion
    from steelyard.results.rater_agreement import Agreement

__all__ = ["rater_sentence"]


def rater_sentence(agreement: "Agreement") -> str:
    """Say how far raters agree, and who most and least."""
    if len(agreement.raters) == 2 and agreement.pairs:
        return _two(agreement)
    items = said_count(agreement.items, "item")
    observed = agreement.coefficient("observed agreement")
    if observed is None or observed.value is None:
        return f"{len(agreement.raters)} raters of {items}: no two of them rated the same item."
    said = (
        f"Two of the {len(agreement.raters)} raters agree on {_share(observed)} of {items}, "
        "averaged over pairs"
    )
    return f"{said}; {_beyond(agreement)}.{_extremes(agreement)}"


def _two(agreement: "Agreement") -> str:
    pair = agreement.pairs[0]
    names = f"{show_name(pair.first)} and {show_name(pair.second)}"
    items = said_count(pair.agreement.trials, "item")
    if pair.agreement.value is None:
        return f"{names} rated no item together."
    kappa = f"kappa is {said_estimate(pair.kappa)}"
    word = "" if pair.word is None else f", {_lowered(pair.word)}"
    return f"{names} agree on {_share(pair.agreement)} of {items}; {kappa}{word}."


def _beyond(agreement: "Agreement") -> str:
    for one, word in zip(agreement.coefficients, agreement.words, strict=True):
        if word is not None and one.value is not None:
            return f"{one.measure} is {said_estimate(one)}, {_lowered(word)}"
    return "no agreement beyond chance can be worked out"


def _extremes(agreement: "Agreement") -> str:
    known = [(pair.kappa.value, pair) for pair in agreement.pairs if pair.kappa.value is not None]
    if len(known) < 2:
        return ""
    best, worst = max(known, key=lambda one: one[0]), min(known, key=lambda one: one[0])
    named = [
        f"{show_name(pair.first)} and {show_name(pair.second)} (kappa {show_number(value)})"
        for value, pair in (best, worst)
    ]
    return f" Most alike are {named[0]}, least {named[1]}."


def _share(one: "Proportion | Estimate") -> str:
    assert one.value is not None
    said, ends = said_percent(one.value, one.interval)
    return f"{said}{ends}"


def _lowered(word: str) -> str:
    return word[:1].lower() + word[1:]
