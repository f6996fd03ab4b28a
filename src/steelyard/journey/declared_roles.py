"""What every verb does with a declared column: it is used, refused, or said not to be looked at.

One table decides. A verb asks :func:`settle_roles` before it answers; a test walks the whole table
with real data, so that a column which was declared is never passed over without a word.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from steelyard.errors import NotComparable
from steelyard.results.shortfalls import shortfall
from steelyard.sources import Predictions
from steelyard.sources.roles.declared import IDLE_COLUMNS

__all__ = [
    "ROLE_TABLE",
    "SLICES_ELSEWHERE",
    "Fate",
    "Fates",
    "Kind",
    "Role",
    "Verb",
    "kind_of",
    "refuse_asked_group",
    "refuse_group_beside",
    "settle_roles",
]

Role: TypeAlias = Literal["weight", "cluster", "group", "fold"]
Fate: TypeAlias = Literal["used", "refused", "said"]
Kind: TypeAlias = Literal["answers", "outcomes", "scores", "values", "own answers", "own scores"]
"""Called classes (also vectors and scores with a threshold), right and wrong alone, scores, a
number for each item; of common items, or of items of their own."""
Verb: TypeAlias = Literal[
    "evaluate",
    "compare",
    "compare by method",
    "compare by measure",
    "compare by group",
    "compare on these items",
    "gate",
    "gate by measure",
    "gate on these items",
    "gate on a benchmark",
    "threshold",
    "roc",
    "roc over folds",
    "calibration",
    "targeting",
    "agreement",
    "plan",
    "campaign",
]


@dataclass(frozen=True, slots=True)
class Fates:
    """What becomes of each role."""

    weight: Fate
    cluster: Fate
    group: Fate
    fold: Fate


ROLE_TABLE: Mapping[tuple[Verb, Kind], Fates] = {
    ("evaluate", "answers"): Fates("used", "used", "used", "said"),
    ("evaluate", "outcomes"): Fates("refused", "used", "used", "said"),
    ("evaluate", "scores"): Fates("used", "used", "used", "said"),
    ("evaluate", "own answers"): Fates("used", "used", "used", "said"),
    ("evaluate", "own scores"): Fates("used", "used", "used", "said"),
    ("compare", "answers"): Fates("used", "used", "said", "said"),
    ("compare", "outcomes"): Fates("used", "used", "said", "said"),
    ("compare", "scores"): Fates("refused", "used", "said", "said"),
    ("compare", "own answers"): Fates("refused", "refused", "said", "said"),
    ("compare", "own scores"): Fates("refused", "used", "said", "said"),
    ("compare by method", "answers"): Fates("refused", "said", "said", "said"),
    ("compare by method", "outcomes"): Fates("refused", "said", "said", "said"),
    ("compare by method", "scores"): Fates("refused", "said", "said", "said"),
    ("compare by measure", "answers"): Fates("refused", "used", "said", "said"),
    ("compare by measure", "scores"): Fates("refused", "used", "said", "said"),
    ("compare by group", "answers"): Fates("refused", "used", "used", "said"),
    ("compare by group", "outcomes"): Fates("refused", "used", "used", "said"),
    ("compare by method", "own answers"): Fates("refused", "said", "said", "said"),
    ("compare by group", "own answers"): Fates("refused", "refused", "used", "said"),
    ("compare on these items", "answers"): Fates("refused", "used", "said", "said"),
    ("compare on these items", "outcomes"): Fates("refused", "used", "said", "said"),
    ("gate", "answers"): Fates("used", "used", "said", "said"),
    ("gate", "outcomes"): Fates("used", "used", "said", "said"),
    ("gate", "scores"): Fates("refused", "used", "said", "said"),
    ("gate by measure", "answers"): Fates("refused", "used", "said", "said"),
    ("gate on these items", "answers"): Fates("refused", "used", "said", "said"),
    ("gate on these items", "outcomes"): Fates("refused", "used", "said", "said"),
    ("gate on a benchmark", "answers"): Fates("refused", "refused", "said", "said"),
    ("gate on a benchmark", "outcomes"): Fates("refused", "refused", "said", "said"),
    ("evaluate", "values"): Fates("used", "used", "used", "said"),
    ("compare", "values"): Fates("used", "used", "said", "said"),
    ("compare by method", "values"): Fates("used", "used", "said", "said"),
    ("compare by group", "values"): Fates("used", "used", "used", "said"),
    ("gate", "values"): Fates("used", "used", "said", "said"),
    ("plan", "values"): Fates("used", "used", "said", "said"),
    ("threshold", "scores"): Fates("refused", "used", "said", "used"),
    ("roc", "scores"): Fates("refused", "used", "said", "said"),
    ("roc over folds", "scores"): Fates("refused", "used", "said", "used"),
    ("calibration", "scores"): Fates("refused", "used", "said", "said"),
    ("targeting", "scores"): Fates("refused", "used", "said", "said"),
    ("agreement", "answers"): Fates("said", "said", "said", "said"),
    ("plan", "answers"): Fates("refused", "said", "said", "said"),
    ("plan", "outcomes"): Fates("refused", "said", "said", "said"),
    ("plan", "scores"): Fates("refused", "said", "said", "said"),
    ("campaign", "answers"): Fates("refused", "refused", "said", "said"),
    ("campaign", "outcomes"): Fates("refused", "refused", "said", "said"),
}
"""Every verb, by what the systems hold. The report shows what evaluate and compare answer."""

OWN_CLUSTERS = (
    "right answers on items of their own can only be compared as independent ones, which would be "
    "far too confident. Compare on common items, look at the intervals of evaluate, which take "
    "clusters as the units"
)
WHY: Mapping[tuple[Verb, Role], str] = {
    ("evaluate", "weight"): (
        "right and wrong answers are counted as whole items. Give the truth and what was called, "
        "or use compare, which weighs answers"
    ),
    ("gate", "weight"): (
        "an area with weights has no interval that a gate could check a requirement against. Leave "
        "the weights out, or turn scores into calls: --threshold 0.5"
    ),
    ("gate by measure", "weight"): "a gate honours weights for accuracy alone. Require accuracy",
    ("gate on these items", "weight"): "estimand='items' counts single answers. Leave one out",
    ("gate on a benchmark", "weight"): "benchmark= counts whole items. Leave one of them out",
    ("gate on a benchmark", "cluster"): "benchmark= counts single items. Leave one of them out",
    ("compare", "cluster"): OWN_CLUSTERS,
    ("compare by group", "cluster"): OWN_CLUSTERS,
    ("compare on these items", "weight"): "estimand='items' counts single answers. Leave one out",
    ("plan", "weight"): "a plan counts whole items. Count every row once",
    ("campaign", "weight"): "a campaign counts whole items. Count every row once",
    ("campaign", "cluster"): (
        "a campaign counts independent items: its error rates would not hold. Record one result "
        "for each cluster, such as a majority"
    ),
}
"""Why a role is refused, where the verb has no words of its own."""

FOUND: Mapping[Role, str] = {
    "weight": "These rows carry weights",
    "cluster": "These items come in clusters",
    "group": "These items come in groups",
    "fold": "These items come in folds",
}
CODES: Mapping[Role, str] = {
    "weight": "weighted",
    "cluster": "clustered",
    "group": "grouped",
    "fold": "folded",
}
TOGETHER = "all groups are compared together; by_group=True (--by-group) compares within each"
SAID_OF: Mapping[tuple[Verb, Role], str] = {
    ("compare by method", "cluster"): shortfall("clusters-ignored"),
    ("compare", "group"): TOGETHER,
    ("compare by method", "group"): TOGETHER,
    ("compare by measure", "group"): TOGETHER,
    ("compare on these items", "group"): TOGETHER,
    ("agreement", "weight"): IDLE_COLUMNS["weight"],
    ("agreement", "cluster"): IDLE_COLUMNS["cluster"],
    ("agreement", "group"): IDLE_COLUMNS["group"],
    ("agreement", "fold"): IDLE_COLUMNS["fold"],
    ("plan", "cluster"): (
        "items of one cluster are alike, but the rates and how they vary are taken from single "
        "items: the plan is too small; cluster_size= and icc= (--cluster-size, --icc) allow for it"
    ),
}
"""The words of a verb, where it has its own."""
SAID: Mapping[Role, str] = {
    "weight": "the column of weights is not used here: every row counts once",
    "cluster": (
        "the column of clusters is not used here: items count as independent, so intervals are too "
        "short"
    ),
    "group": "all groups are taken together here; evaluate shows each, compare too (--by-group)",
    "fold": "all folds are pooled; items of one fold share their training data",
}


SLICES_ELSEWHERE: Mapping[Verb, str] = {
    "compare by method": "compare --group {group} without --method and --measure compares within "
    "each",
    "compare by measure": "compare --group {group} without --method and --measure compares within "
    "each, evaluate --group {group} --measure NAME shows each",
    "compare on these items": "compare --group {group} without --estimand compares within each",
    "gate": "compare --group {group} compares within each",
    "gate by measure": "evaluate --group {group} --measure NAME shows it in each slice",
    "gate on these items": "compare --group {group} compares within each",
    "gate on a benchmark": "compare --group {group} compares within each",
    "threshold": "evaluate --group {group} --threshold T --measure 'false alarm rate' shows what "
    "one threshold does in each",
    "roc": "evaluate --group {group} --measure AUC shows each",
    "roc over folds": "evaluate --group {group} --measure AUC shows each",
    "calibration": "evaluate --group {group} --measure brier shows each",
    "targeting": "evaluate --group {group} --measure 'lift at 0.1' shows each",
    "agreement": "a file for each group answers for each",
    "plan": "a file for each group plans for each",
    "campaign": "a campaign for each group records each",
}
"""Verbs that take all groups together, and what answers for each group instead. A column that is
only called so is said not to be looked at; one that was asked for is refused."""


def refuse_asked_group(verb: Verb, settings: Sequence[tuple[str, str]]) -> None:
    """Refuse a column of groups that was asked for where all groups are taken together."""
    group = dict(settings).get("group")
    if group and verb in SLICES_ELSEWHERE:
        instead = SLICES_ELSEWHERE[verb].format(group=group)
        message = (
            f"group={group!r} (--group {group}) asks for each group apart, and {verb} takes all of "
            f"them together. Leave it out (--group ''); {instead}."
        )
        raise NotComparable(message, code="grouped")


def refuse_group_beside(role: str, settings: Sequence[tuple[str, str]]) -> None:
    """Refuse a column of groups that was asked for beside a role that takes all items together."""
    if group := dict(settings).get("group"):
        message = (
            f"group={group!r} (--group {group}) asks for each group apart, and {role}= (--{role}) "
            "takes all items together. Leave it out (--group ''), or take a file for each group."
        )
        raise NotComparable(message, code="grouped")


def kind_of(predictions: Predictions) -> Kind:
    """Say what the systems hold, as the table has it."""
    answered = predictions.with_answers()
    if predictions.values is not None:
        return "values"
    if predictions.pairing == "independent":
        return "own answers" if answered else "own scores"
    if not answered:
        return "scores"
    return "outcomes" if all(one.holds == "outcome" for one in answered) else "answers"


def settle_roles(
    verb: Verb, predictions: Predictions, *, kind: Kind | None = None
) -> tuple[str, ...]:
    """Refuse what a verb cannot use, and give the words for what it does not look at."""
    fates = ROLE_TABLE.get((verb, kind or kind_of(predictions)))
    if fates is None:  # the verb refuses such data as a whole, with a better reason
        return ()
    declared = [*(["weight"] if predictions.weighted else []), *predictions.splits]
    caveats = []
    for role in get_args(Role):
        fate: Fate = getattr(fates, role)
        if role not in declared or fate == "used":
            continue
        if fate == "refused" and (verb, role) in WHY:
            message = (
                f"{FOUND[role]}, and {WHY[verb, role]}, or leave that column out: "
                f"{role}='' (--{role} '')."
            )
            raise NotComparable(message, code=CODES[role])
        if fate == "said":
            if role == "group":
                refuse_asked_group(verb, predictions.settings)
            caveats.append(SAID_OF.get((verb, role), SAID[role]))
    return tuple(caveats)
