"""Every measure in one place, found by whatever name people type."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from difflib import get_close_matches
from functools import partial, wraps
from typing import Any

import numpy as np

from steelyard.errors import RequestError, SteelyardError
from steelyard.measures.catalogue.measure import (
    SAME,
    CatalogueEntry,
    Measure,
    OneToOne,
    plain_word,
)
from steelyard.measures.catalogue.of_calls import OF_CALLS, f_measure
from steelyard.measures.catalogue.of_scores import OF_SCORES
from steelyard.plugins import Plugin, find_plugins, load_all, refuse_plugin, try_call

__all__ = [
    "CATALOGUE",
    "CatalogueEntry",
    "add_plugins",
    "catalogue_entry",
    "declared",
    "is_area",
    "measure_tested_as",
    "refuse_measure",
]

CATALOGUE: dict[str, Measure] = {measure.name: measure for measure in [*OF_CALLS, *OF_SCORES]}
"""Every measure, by its name."""

F_MEASURE = re.compile(r"f[-_ ]?(?:beta)?[\s=_-]*(\d+\.?\d*|\.\d+)", re.IGNORECASE)


def _words(measure: Measure) -> list[str]:
    return [plain_word(word) for word in (*measure.synonyms, measure.name)]


LIBRARY_WORDS = {
    "accuracy": "acc, top1, top1 accuracy, exact match, win rate, pass rate, success rate, pass@1, "
    "correct, accurate, right, share right",
    "error rate": "error, errors, classification error, failure rate, defect rate, wrong",
    "recall": "probability of detection, detection probability, POD, TAR, TMR, GAR, "
    "true accept rate, true match rate, genuine accept rate, found",
    "false positive rate": "probability of false alarm, false alarm probability, FMR, "
    "false match rate, false accept rate, false acceptance rate, PFA",
    "false negative rate": "FNMR, false non-match rate, FRR, false reject rate, "
    "false rejection rate, misses, probability of a miss, miss probability, P_miss",
    "P_D at P_FA": "TAR at FAR, TMR at FMR, TAR at FMR, GAR at FAR, recall at P_FA, recall at FPR",
    "P_FA at P_D": "FAR at TAR, FMR at TMR",
    "F1": "F1 score, F1 binary, F measure",
    "macro F1": "F1 macro, macro avg F1",
    "micro F1": "F1 micro",
    "weighted F1": "F1 weighted",
    "AUC": "AUROC, AUC ROC, ROC area, area under curve, area under the curve",
    "average precision": "AP, AUPRC, PR AUC, AUC PR, average precision score",
    "MCC": "Matthews, Matthews corrcoef, Matthews correlation coefficient",
    "kappa": "Cohen kappa, Cohen kappa score",
    "log score": "neg log loss, NLL",
    "brier score": "neg Brier score, Brier loss",
    "expected calibration error": "calibration error",
    "KS distance": "KS, KS statistic",
    "macro recall": "recall macro",
    "macro precision": "precision macro",
}
"""What libraries and leaderboards call these measures; the catalogue's pages do not show them."""

SEVERAL = {
    "far": "FAR is several things: the false accept rate of verification is P_FA (FMR), the false "
    "alarm ratio of forecasts is the false discovery rate, and false alarms over time are 'false "
    "alarms at most 2 per hour'.",
    "falsealarms": "Their share is P_FA; over time they are claimed 'per' a unit: 'false alarms at "
    "most 2 per hour'.",
    **dict.fromkeys(
        ("coverage", "selectiveaccuracy", "selectiverisk"),
        "It is about what is answered: name the call that means no answer, unknown='unknown' "
        "(--unknown unknown), in evaluate, compare and gate.",
    ),
    **dict.fromkeys(
        ("wer", "cer", "ter", "worderrorrate", "charactererrorrate"),
        "Errors over words are numbers of items: errors='COLUMN', per='COLUMN' (--errors COLUMN "
        "--per COLUMN).",
    ),
}
"""Names that need another question, or that people use for more than one measure."""

_by_word = {word: measure for measure in CATALOGUE.values() for word in _words(measure)}
_by_word |= {
    plain_word(word): CATALOGUE[name]
    for name, words in LIBRARY_WORDS.items()
    for word in words.split(",")
}


def catalogue_entry(name: str) -> Measure:
    """Find a measure by its name or a synonym, in any case and with any separators.

    F of any other weight of recall (``F0.5``) is made from the declaration of F2.

    Examples
    --------
    >>> catalogue_entry("sensitivity").name, catalogue_entry("macro_f1").name
    ('recall', 'macro F1')
    >>> catalogue_entry("F0.5").name
    'F0.5'
    """
    found = _by_word.get(name) or _by_word.get(plain_word(name))
    if found is None and add_plugins():
        found = _by_word.get(plain_word(name))
    if found is not None:
        return found
    weighed = F_MEASURE.fullmatch(name.strip())
    if weighed and float(weighed[1]) > 0:
        f2 = CATALOGUE["F2"]
        beta = float(weighed[1])
        return CATALOGUE.get(f"F{beta:g}") or f_measure(beta, latex=f2.latex, caution=f2.caution)
    shown = {
        word.casefold(): word for one in CATALOGUE.values() for word in (one.name, *one.synonyms)
    }
    near = [shown[word] for word in get_close_matches(name.casefold(), shown, n=3, cutoff=0.5)]
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    if re.search(r"(?i)\bper\b|/|fppi", name) and re.search(r"(?i)alarm|event|\bfa\b|fppi", name):
        hint = (
            " `steelyard evaluate --exposure COLUMN` gives false alarms over hours, kilometres or "
            "images; on the same exposure, the system of the higher 'false alarm rate' has more."
        )
    hint = next((f" {words}" for word, words in SEVERAL.items() if plain_word(name) == word), hint)
    message = f"No measure {name!r} in the catalogue.{hint} `steelyard catalogue` lists all."
    if find_plugins("measures") and (left_out := _say_left_out()):
        message += f" Plug-ins that were left out: {left_out} (`steelyard catalogue --plugins`)."
    raise RequestError(message)


TEXTS = ("name", "latex", "source", "caution", "undefined")
"""What a measure says of itself."""


def _refuse_declaration(measure: Measure) -> str:
    texts = {name: getattr(measure, name) for name in TEXTS}
    texts |= {f"synonym {at}": one for at, one in enumerate(measure.synonyms, start=1)}
    odd = [name for name, text in texts.items() if not isinstance(text, str)]
    if odd or not plain_word(measure.name):
        return f"its {(odd or ['name'])[0]} is not text"
    low, high = measure.bounds
    if not all(one is None or isinstance(one, int | float) for one in (low, high)):
        return "its bounds are not numbers"
    if not all(map(callable, (measure.formula, *measure.edges.values()))):
        return "it has no formula that can be called"
    return ""


def add_plugins() -> bool:
    """Add the measures of other packages, and tell whether there are any.

    One whose words are taken is left out: what a name means must not depend on what is installed.
    """
    found = load_all("measures", Measure)
    for measure, plugin in found:
        if not refuse_measure(measure) and not any(word in _by_word for word in _words(measure)):
            added = _answer_for(measure, plugin)
            CATALOGUE[measure.name] = added
            _by_word.update(dict.fromkeys(_words(measure), added))
    return bool(found)


def refuse_measure(measure: Measure) -> str:
    """Say why a measure of another package is left out; an empty text when it is not.

    >>> from dataclasses import replace
    >>> refuse_measure(replace(CATALOGUE["recall"], name="my recall", synonyms=("TPR",)))
    "the name 'TPR' is taken"
    """
    why, error = try_call(_refuse_declaration, measure)
    if why or error:
        return why or f"it is not a whole declaration ({type(error).__name__}: {error})"
    for name in (measure.name, *measure.synonyms):
        taken = _by_word.get(plain_word(name))
        if taken is not None and (taken.name, taken.source) != (measure.name, measure.source):
            return f"the name {name!r} is taken"
    return ""


def _answer_for(measure: Measure, plugin: Plugin) -> Measure:
    """Have a measure fail in words that name whose it is."""
    what = f"The measure {measure.name!r}"

    def blame(formula: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(formula)
        def call(*given: object, **named: object) -> object:
            value, error = try_call(partial(formula, *given, **named))
            if error is None and np.asarray(value).dtype.kind not in "biufc":
                error = TypeError(f"it gave {type(value).__name__}, expected a number")
            if isinstance(error, SteelyardError):
                raise error
            if error is not None:
                raise plugin.say_failure(what, error) from error
            return value

        return call

    assert measure.formula is not None
    edges = {code: blame(count) for code, count in measure.edges.items()}
    return replace(measure, formula=blame(measure.formula), edges=edges)


def _say_left_out() -> str:
    return ", ".join(one.name for one in find_plugins("measures") if refuse_plugin(one, Measure))


@contextmanager
def declared(measure: Measure) -> Iterator[Measure]:
    """Add a measure to the catalogue for as long as the block runs.

    >>> from dataclasses import replace
    >>> with declared(replace(CATALOGUE["recall"], name="my recall", synonyms=())):
    ...     catalogue_entry("My_Recall").name
    'my recall'
    >>> "my recall" in CATALOGUE
    False
    """
    taken = [word for word in _words(measure) if word in _by_word]
    if taken:
        message = (
            f"{taken[0]!r} is {_by_word[taken[0]].name} already; declare {measure.name!r} under "
            "other words."
        )
        raise RequestError(message)
    CATALOGUE[measure.name] = measure
    _by_word.update(dict.fromkeys(_words(measure), measure))
    try:
        yield measure
    finally:
        del CATALOGUE[measure.name]
        for word in _words(measure):
            del _by_word[word]


def measure_tested_as(entry: Measure, *, classes: int = 2) -> tuple[Measure, OneToOne]:
    """Find the measure by which one is tested, and how its values become those asked for.

    Whatever says the same thing in other words has the same p-value, probability and verdict.

    Examples
    --------
    >>> entry, change = measure_tested_as(catalogue_entry("Gini"))
    >>> entry.name, change(0.9)
    ('AUC', 0.8)
    >>> measure_tested_as(catalogue_entry("F1"))[0].name
    'F1'
    """
    if entry.same_as is None or (entry.two_classes and classes != 2):
        return entry, SAME
    name, change = entry.same_as
    return CATALOGUE[name], change


def is_area(entry: Measure) -> bool:
    """Tell whether a measure is the area under the ROC curve, under whatever name and scale.

    Examples
    --------
    >>> is_area(catalogue_entry("Gini")), is_area(catalogue_entry("Brier score"))
    (True, False)
    """
    return measure_tested_as(entry)[0].name == "AUC"
