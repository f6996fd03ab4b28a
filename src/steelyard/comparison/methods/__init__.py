"""Every method of comparison by its name, with what it needs and its full working."""

from steelyard.comparison.methods.akaike_methods import AKAIKE_METHODS
from steelyard.comparison.methods.answer_tests import ANSWER_TESTS
from steelyard.comparison.methods.case import Case, Found, Method, Need, Option, sheet
from steelyard.comparison.methods.class_methods import CLASS_METHODS
from steelyard.comparison.methods.dataset_methods import DATASET_METHODS
from steelyard.comparison.methods.estimate_methods import ESTIMATE_METHODS
from steelyard.comparison.methods.measure_methods import MEASURE_METHODS
from steelyard.comparison.methods.posterior_methods import POSTERIOR_METHODS
from steelyard.comparison.methods.selection_methods import SELECTION_METHODS
from steelyard.comparison.methods.sequential_methods import SEQUENTIAL_METHODS
from steelyard.comparison.methods.value_methods import VALUE_METHODS
from steelyard.errors import NotComparable, RequestError, listing, switch

__all__ = [
    "ALIASES",
    "METHODS",
    "Case",
    "Found",
    "Method",
    "Need",
    "Option",
    "choose_method",
    "list_methods",
    "missing_needs",
]

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        *ESTIMATE_METHODS,
        *ANSWER_TESTS,
        *CLASS_METHODS,
        *MEASURE_METHODS,
        *AKAIKE_METHODS,
        *POSTERIOR_METHODS,
        *SEQUENTIAL_METHODS,
        *SELECTION_METHODS,
        *DATASET_METHODS,
        *VALUE_METHODS,
    )
}
"""Every method, by its name."""

ALIASES: dict[str, tuple[str, ...]] = {
    "akaike": ("akaike-common", "akaike-independent", "akaike-totals"),
    "mcnemar": ("mcnemar-midp",),
    "difference": ("tango", "miettinen-nurminen"),
    "posterior": ("posterior-best",),
    "odds": ("odds-discordant", "odds-ratio"),
    "wald-msrb": ("wald-msrb-a",),
    "wilcoxon": ("wilcoxon", "wilcoxon-items"),
    "permutation": ("permutation", "permutation-items"),
    "t": ("paired-t",),
}
"""Short names; of several methods the first that fits the data."""

LACKS: dict[Need, str] = {
    "answers": "it needs right and wrong answers",
    "common items": "it needs to know who was right on each common item",
    "own items": "it needs systems that had items of their own",
    "totals": "it needs totals on common items",
    "calls": "it needs the class every system called on common items",
    "scores": "it needs scores on common items",
    "areas": "it needs scores",
    "placements": "it needs scores",
    "clusters": f"it needs clusters: {switch('cluster', 'COLUMN')}",
    "data sets": f"it needs groups of items as data sets: {switch('group', 'COLUMN')}",
    "fold scores": f"it needs folds: {switch('fold', 'COLUMN')}",
    "three systems": "it needs three systems or more",
    "positive": f"it needs the positive class: {switch('positive', 'CLASS')}",
    "margin": "it needs a margin: margin=0.02 (--margin 0.02)",
    "measure": "it needs calls or scores on common items",
    "values": f"it needs a number for each item: {switch('value', 'COLUMNS')}",
    "differences": "it needs the differences of single items, without weights or clusters",
    "errors": "it needs numbers of errors: errors=['a', 'b'] and per='words' (--errors a,b --per "
    "words), or whole numbers of which lower is better",
    "share": "it needs a measure of items that the truth selects: measure='recall' "
    "(--measure recall)",
}


def missing_needs(method: Method, case: Case) -> list[str]:
    """Say why a method is not valid for these data; nothing when it is."""
    held = case.holds()
    return [LACKS[need] for need in method.needs if need not in held]


def choose_method(name: str, case: Case) -> Method:
    """Find a method by name, and refuse one that these data do not allow.

    Examples
    --------
    >>> from steelyard.counts import Outcomes
    >>> pair = Outcomes.from_pair(both=60, first=18, second=10, neither=12, systems=("A", "B"))
    >>> case = Case(systems=pair.systems, pairing="common", outcomes=pair)
    >>> choose_method("mcnemar", case).name
    'mcnemar-midp'
    """
    names = ALIASES.get(name, (name,))
    unknown = [one for one in names if one not in METHODS]
    if unknown:
        raise RequestError.for_choice(name="method", given=name, choices=["list", *METHODS])
    lacking = {one: missing_needs(METHODS[one], case) for one in names}
    fitting = [one for one, lacks in lacking.items() if not lacks]
    if fitting:
        return METHODS[fitting[0]]
    held = case.holds()
    # Of several that share a name the one that comes nearest says what it lacks.
    nearest = max(names, key=lambda one: len(held.intersection(METHODS[one].needs)))
    valid = [one for one, method in METHODS.items() if not missing_needs(method, case)]
    message = (
        f"{name} does not fit these data: {'; '.join(lacking[nearest])}. Valid here: "
        f"{listing(valid, most=len(valid))}. {switch('method', 'list')} says why others are not."
    )
    raise NotComparable(message, code="method-not-valid")


def list_methods(case: Case) -> Found:
    """List every method with what it is for, and those that these data do not allow with why."""
    lacking = {name: missing_needs(method, case) for name, method in METHODS.items()}
    valid = [(name, METHODS[name].title) for name, lacks in lacking.items() if not lacks]
    other = [(name, "; ".join(lacks)) for name, lacks in lacking.items() if lacks]
    return Found(
        answer=f"{len(valid)} of {len(METHODS)} methods are valid for these data.",
        parts=(
            sheet("Valid here", ["method"], ("what_it_does",), valid, [""] * len(valid)),
            sheet("Not valid here", ["method"], ("why_not",), other, [""] * len(other)),
        ),
    )
