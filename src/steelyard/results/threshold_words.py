"""The sentences of a threshold."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from steelyard.display.numbers import show_count, show_number, show_percent
from steelyard.display.text import show_name
from steelyard.display.thresholds import show_threshold
from steelyard.results.measured import said_count, shown_value

if TYPE_CHECKING:
    from steelyard.results.threshold_choice import MethodThreshold, ThresholdChoice

__all__ = ["threshold_details", "threshold_sentence"]

MOST_TIES = 3


def threshold_sentence(choice: "ThresholdChoice") -> str:
    """Say where to set the threshold, why, and what to expect on new data."""
    chosen = choice.chosen
    if chosen is None:
        return f"No threshold was looked for by {show_name(choice.by)}."
    of = f" of {show_name(choice.system)}" if choice.system is not None else ""
    if chosen.threshold is None:
        why = chosen.reason or "nothing was found"
        return f"There is no threshold{of} by {show_name(choice.by)}: {why}."
    name = _class_name(choice.positive)
    where = show_threshold(chosen.threshold, chosen.below)
    why = WHY.get(chosen.method, _rates)(choice, chosen)
    said = f"Call {name} from {where} up{_by(choice)}: {why}{_expected(choice, chosen)}."
    return said + _ties(chosen)


def threshold_details(choice: "ThresholdChoice") -> list[str]:
    """Say which recipe was used, its tie rule, and how the doubts were found."""
    chosen = choice.chosen
    if chosen is None:
        return []
    lines = [
        f"Recipe {show_name(chosen.method)}: {chosen.words}. Items are called from the threshold "
        "up; candidates are the distinct scores, compared in whole numbers."
    ]
    if choice.resamples:
        line = (
            f"{show_count(choice.resamples)} resamples of each class chose their own threshold; "
            "what to expect is the mean on the items each of them left out."
        )
        lines.append(line)
    return lines


def _by(choice: "ThresholdChoice") -> str:
    return f" ({show_name(choice.system)})" if choice.system is not None else ""


def _expected(choice: "ThresholdChoice", chosen: "MethodThreshold") -> str:
    expected = choice.expected
    if expected is None or expected.value is None:
        return ""
    noun = "" if chosen.method in ONE_NUMBER else f"{chosen.promises} "
    return f"; on new data expect {noun}about {show_number(expected.value)}"


def _ties(chosen: "MethodThreshold") -> str:
    others = [one for one in chosen.tied if one != chosen.threshold]
    if not others:
        return ""
    shown = ", ".join(show_threshold(one) for one in others[:MOST_TIES])
    left = len(others) - MOST_TIES
    more = f" and {left} more" if left > 0 else ""
    return f" {shown}{more} would be as good; the smallest was taken."


def _class_name(name: str) -> str:
    return f"class {name}" if name.isdecimal() else show_name(name)


def _largest(noun: str) -> Callable[["ThresholdChoice", "MethodThreshold"], str]:
    def said(choice: "ThresholdChoice", chosen: "MethodThreshold") -> str:
        del choice
        return f"{noun} is largest there ({_number(chosen.promise)})"

    return said


def _number(value: float | None) -> str:
    return "undefined" if value is None else show_number(value)


def _percent(share: float | None) -> str:
    return "an undefined share" if share is None else show_percent(share)


def _rates(choice: "ThresholdChoice", chosen: "MethodThreshold") -> str:
    del choice
    shares = [
        f"{share.measure} is {shown_value(share)}"
        for share in (chosen.recall, chosen.specificity)
        if share is not None and share.value is not None
    ]
    return f"{' and '.join(shares) or 'nothing can be measured'} there"


def _mean(choice: "ThresholdChoice", chosen: "MethodThreshold") -> str:
    return f"that is the mean score; {_rates(choice, chosen)}"


def _share_of_positives(choice: "ThresholdChoice", chosen: "MethodThreshold") -> str:
    return f"that is the share of {_class_name(choice.positive)}; {_rates(choice, chosen)}"


def _all_found(choice: "ThresholdChoice", chosen: "MethodThreshold") -> str:
    del chosen
    items = said_count(choice.positives, "item")
    return f"the lowest score of the {items} of {_class_name(choice.positive)}, so all are found"


def _sensitivity(choice: "ThresholdChoice", chosen: "MethodThreshold") -> str:
    name = _class_name(choice.positive)
    return (
        f"the highest threshold that finds at least {_percent(chosen.wanted)} of {name} "
        f"(recall {_number(chosen.promise)})"
    )


def _specificity(choice: "ThresholdChoice", chosen: "MethodThreshold") -> str:
    del choice
    return (
        f"the lowest threshold that leaves at least {_percent(chosen.wanted)} of the others alone "
        f"(specificity {_number(chosen.promise)})"
    )


def _budget(choice: "ThresholdChoice", chosen: "MethodThreshold") -> str:
    del choice
    return (
        f"the lowest threshold that calls at most {_percent(chosen.wanted)} of the others "
        f"(false alarm rate {_number(chosen.promise)})"
    )


def _as_many(choice: "ThresholdChoice", chosen: "MethodThreshold") -> str:
    called = "some" if chosen.flagged is None else show_count(chosen.flagged)
    return (
        f"{called} of {said_count(choice.items, 'item')} are called so, and "
        f"{show_count(choice.positives)} are"
    )


def _cheapest(choice: "ThresholdChoice", chosen: "MethodThreshold") -> str:
    del choice
    return f"the cost of an item is lowest there ({_number(chosen.promise)})"


def _f(choice: "ThresholdChoice", chosen: "MethodThreshold") -> str:
    del choice
    beta = "" if chosen.wanted is None else f"{chosen.wanted:g}"
    return f"F{beta} is largest there ({_number(chosen.promise)})"


def _closest(choice: "ThresholdChoice", chosen: "MethodThreshold") -> str:
    return f"{_rates(choice, chosen)}, as close to perfect as can be"


def _equal(choice: "ThresholdChoice", chosen: "MethodThreshold") -> str:
    return f"{_rates(choice, chosen)}, as close to each other as can be"


WHY: dict[str, Callable[["ThresholdChoice", "MethodThreshold"], str]] = {
    "lowest-positive": _all_found,
    "sensitivity": _sensitivity,
    "equal-rates": _equal,
    "max-sum": _largest("balanced accuracy, the mean of recall and specificity,"),
    "max-kappa": _largest("kappa"),
    "mean-score": _mean,
    "prevalence": _share_of_positives,
    "predicted-prevalence": _as_many,
    "specificity": _specificity,
    "false-alarm-budget": _budget,
    "min-cost": _cheapest,
    "max-f": _f,
    "closest-corner": _closest,
}
"""Why this threshold, by recipe; any other says its rates."""

ONE_NUMBER = {
    "sensitivity",
    "max-sum",
    "max-kappa",
    "specificity",
    "false-alarm-budget",
    "min-cost",
    "max-f",
}
"""Recipes whose reason ends with the number that new data will lower."""
