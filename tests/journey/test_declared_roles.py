"""Every verb, every kind of data, every declared column: used, refused, or said to be unused."""

import json
from functools import lru_cache
from typing import get_args

import numpy as np
import pytest

import steelyard as sy
from steelyard.errors import NotComparable
from steelyard.journey.declared_roles import ROLE_TABLE, SAID, SAID_OF, Role, Verb

ITEMS = 80


def _columns():
    rng = np.random.default_rng(3)
    truth = np.where(rng.random(ITEMS) < 0.4, "ship", "sea")
    other = np.where(truth == "ship", "sea", "ship")

    def called(share):
        return np.where(rng.random(ITEMS) < share, truth, other).tolist()

    def scored(steep):
        signs = np.where(truth == "ship", 0.5, -0.5)
        return (1 / (1 + np.exp(-steep * signs - rng.normal(size=ITEMS)))).round(4).tolist()

    base = {"item": [str(place) for place in range(ITEMS)], "truth": truth.tolist()}
    right = {name: (rng.random(ITEMS) < share).tolist() for name, share in NEW_AND_OLD.items()}
    answers = {**base, "new": called(0.9), "old": called(0.75)}
    values = {
        name: rng.normal(4 * share, 1, ITEMS).round(2).tolist()
        for name, share in NEW_AND_OLD.items()
    }
    scores = {**base, "new": scored(3), "old": scored(1.5)}
    return {
        "answers": (answers, {}),
        "outcomes": ({"item": base["item"], **right}, {"outcome": ["new", "old"]}),
        "scores": (scores, {"positive": "ship"}),
        "values": (
            {"item": base["item"], **values},
            {"value": ["new", "old"], "higher_is_better": True},
        ),
        "own answers": (answers, {"pairing": "independent"}),
        "own scores": (scores, {"pairing": "independent", "positive": "ship"}),
    }


NEW_AND_OLD = {"new": 0.9, "old": 0.75}
DATA = _columns()
SPLITS = {
    "weight": [1 + place % 5 for place in range(ITEMS)],
    "cluster": [f"c{place // 4}" for place in range(ITEMS)],
    "group": [f"g{place % 3}" for place in range(ITEMS)],
    "fold": [f"f{place % 4}" for place in range(ITEMS)],
}
ALWAYS = {"compare by group": "group", "compare on these items": "cluster"}
ALWAYS |= {"gate on these items": "cluster", "roc over folds": "fold"}
"""Columns without which a question cannot be asked."""


def _apart(columns):
    """Give each system items of its own: a table for each."""
    halves = {}
    for name, places in (("new", range(0, ITEMS, 2)), ("old", range(1, ITEMS, 2))):
        kept = {one: values for one, values in columns.items() if one not in NEW_AND_OLD}
        kept["score" if isinstance(columns[name][0], float) else "called"] = columns[name]
        halves[name] = {one: [values[at] for at in places] for one, values in kept.items()}
    return halves


def _answer(verb, kind, data, roles, where):
    measure = "F1" if kind == "answers" else "AUC"
    # Areas have limits of their own, which draw nothing.
    using = {"draws": 199} if kind == "answers" else {}
    method = "delong" if kind == "scores" else "mcnemar"
    method = "score" if kind == "own answers" else method
    method = "paired-t" if kind == "values" else method
    question = {"scores": "area", "values": "value"}.get(kind, "best")
    gates = {
        "gate on these items": {"estimand": "items"},
        "gate on a benchmark": {"benchmark": 999},
    }
    asked = {
        "evaluate": lambda: sy.evaluate(data, **roles),
        "compare": lambda: sy.compare(data, **roles),
        "compare by method": lambda: sy.compare(data, method=method, **roles),
        "compare by measure": lambda: sy.compare(
            data, measure=measure, using=using, **{"positive": "ship", **roles}
        ),
        "compare by group": lambda: sy.compare(data, by_group=True, **roles),
        "compare on these items": lambda: sy.compare(data, estimand="items", **roles),
        "gate by measure": lambda: sy.gate(data, require="F1 of ship better", **roles),
        "threshold": lambda: sy.threshold(data, systems=["new"], resamples=20, **roles),
        "roc": lambda: sy.roc(data, **roles),
        "roc over folds": lambda: sy.roc(data, average="pooled", **roles),
        "calibration": lambda: sy.calibration(data, **roles),
        "targeting": lambda: sy.targeting(data, **roles),
        "agreement": lambda: sy.agreement(data, **roles),
        "plan": lambda: sy.plan(pilot=data, question=question, **roles),
        "campaign": lambda: _campaign(data, roles, where),
    }
    if verb in asked:
        return asked[verb]()
    return sy.gate(data, require="not worse by 0.01", **gates.get(verb, {}), **roles)


def _campaign(data, roles, where):
    started = sy.Campaign.create(where / "c.db", systems=["new", "old"], stop="n >= 500")
    return started.add(data, **roles)


def _asked(verb, kind, role, where):
    columns, roles = DATA[kind]
    named = {one: SPLITS[one] for one in (ALWAYS.get(verb), role) if one is not None}
    data = {**columns, **named}
    if kind.startswith("own"):
        data = _apart(data)
    return _answer(verb, kind, data, dict(roles), where)


def _told(found):
    """Gather every caveat of an answer, and strip what only records what was read."""
    caveats = []

    def walk(one):
        if isinstance(one, dict):
            caveats.extend(one.get("caveats") or ())
            return {
                name: walk(value)
                for name, value in one.items()
                if name not in {"provenance", "caveats", "campaign", "told", "started", "at"}
            }
        return [walk(value) for value in one] if isinstance(one, list) else one

    return walk(json.loads(found.to_json())), caveats


@lru_cache(None)
def _plain(verb, kind, where):
    return _told(_asked(verb, kind, None, where))[0]


CELLS = [
    (verb, kind, role, getattr(fates, role))
    for (verb, kind), fates in ROLE_TABLE.items()
    for role in get_args(Role)
]


@pytest.mark.parametrize(("verb", "kind", "role", "fate"), CELLS)
def test_a_declared_column_is_used_or_refused_or_said_to_be_unused(
    verb, kind, role, fate, tmp_path, tmp_path_factory
):
    if fate == "refused":
        with pytest.raises(NotComparable, match=r"weights|clusters") as refused:
            _asked(verb, kind, role, tmp_path)
        assert refused.value.code in {"weighted", "clustered"}
        return
    found, caveats = _told(_asked(verb, kind, role, tmp_path))
    if fate == "said":
        assert SAID_OF.get((verb, role), SAID[role]) in caveats
    elif ALWAYS.get(verb) != role:
        assert found != _plain(verb, kind, tmp_path_factory.getbasetemp())


def test_every_verb_stands_in_the_table():
    assert {verb for verb, _ in ROLE_TABLE} == set(get_args(Verb))
