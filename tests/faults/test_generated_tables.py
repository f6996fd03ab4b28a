"""Tables that nobody wrote down: names, numbers of columns, types and containers at random."""

from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import steelyard as sy
from steelyard.errors import SteelyardError

NAMES = st.text(
    st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12
) | st.sampled_from(
    ["weight", "cluster", "group", "fold", "item", "id", "system", "truth", "constructor", "a.b",
     "{t}", '"', "'", "s0", "steelyard item", "CNN", "cnn"]
)  # fmt: skip
DTYPES = st.sampled_from(
    ["i1", "u1", ">i2", "i8", "u8", "f2", ">f4", "f8", "longdouble", "?", "U3", "O", "S3", "c16",
     "M8[s]", "m8[s]"]
)  # fmt: skip
CONTAINERS = {
    "mapping": lambda columns: columns,
    "lists": lambda columns: {name: list(values) for name, values in columns.items()},
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "lazy": lambda columns: pl.DataFrame(columns).lazy(),
    "pyarrow": lambda columns: pa.table(
        {name: pa.array(list(values)) for name, values in columns.items()}
    ),
    "series": lambda columns: {name: pd.Series(values) for name, values in columns.items()},
}
QUICK = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


def answered(data, **roles) -> bool:
    """An answer or a refusal in words; anything else fails the test."""
    try:
        found = sy.evaluate(data, **roles)
    except SteelyardError as refused:
        assert str(refused).strip()
        return False
    assert found.to_json()
    return True


@QUICK
@given(names=st.lists(NAMES, max_size=30, unique=True), rows=st.integers(1, 4))
def test_columns_of_any_name_and_number_are_answered_or_refused(names, rows):
    columns = {name: ["a", "b"] * rows for name in names}
    answered({**columns, "truth": ["a", "b"] * rows, "one": ["a", "b"] * rows})
    odd = {"system", "item", "id", "item_id", "weight", "cluster", "group", "fold"} & set(names)
    folded = {one.lower() for one in [*names, "truth", "the one"]}
    alone = len(folded) == len({*names, "truth", "the one"})
    rows_of = {**columns, "truth": ["a", "b"] * rows, "the one": ["a", "b"] * rows}
    assert answered(rows_of, systems=["the one"]) or odd or not alone


@QUICK
@given(dtype=DTYPES, container=st.sampled_from(list(CONTAINERS)), score=st.booleans())
def test_columns_of_any_type_in_any_container_are_answered_or_refused(dtype, container, score):
    values = np.array([0, 1, 1, 0, 1, 0])
    try:
        columns = {"truth": list("abbaba"), "s": values.astype(dtype)}
        data = CONTAINERS[container](columns)
    except (TypeError, ValueError, NotImplementedError, pl.exceptions.PolarsError):
        return  # the container itself does not take it
    answered(data, positive="b", **({"score": "s"} if score else {"called": "s"}))


ROWS = {
    "item": ["1", "2", "3", "4", "5", "6"],
    "truth": list("abbaba"),
    "cnn": list("abbabb"),
    "svm": list("ababaa"),
    "s": [0.5, 0.2, 0.7, 0.1, 0.9, 0.4],
    "v": [3, 4, 5, 6, 1, 2],
}
VERBS = {
    "evaluate": sy.evaluate,
    "compare": sy.compare,
    "gate": partial(sy.gate, claims="accuracy at least 0.5"),
    "threshold": partial(sy.threshold, resamples=0),
    "roc": partial(sy.roc, resamples=0),
    "calibration": sy.calibration,
    "targeting": sy.targeting,
    "agreement": sy.agreement,
}
COLUMN = st.sampled_from([*ROWS, "cnn,svm", "cnn,svm,s", "s,v"]).map(lambda one: one.split(","))
DECLARED = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("called", "outcome", "score", "vector", "value", "systems"), COLUMN),
        **dict.fromkeys(
            ("truth", "item", "cluster", "group", "fold", "weight", "per"), st.sampled_from([*ROWS])
        ),
        "positive": st.sampled_from("ab"),
        "missing": st.sampled_from(["exclude", "worst"]),
        "higher_is_better": st.just(True),
        "classes": st.just("all"),
        "threshold": st.just(0.5),
    },
)


@pytest.mark.parametrize("verb", list(VERBS))
@QUICK
@given(roles=DECLARED)
def test_any_roles_declared_of_any_column_are_answered_or_refused(verb, roles):
    """No verb meets a declaration that it did not think of: agreement fell over a value."""
    try:
        found = VERBS[verb](ROWS, **roles)
    except SteelyardError as refused:
        assert not {"not-read", "no-reading"} & {refused.code}
        assert "FROM clause" not in str(refused)
    else:
        assert found.to_json()
