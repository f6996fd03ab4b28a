"""Columns that name their rows are paired by place only where the names agree."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import steelyard as sy
from steelyard import comparison, measures, uncertainty
from steelyard.errors import SteelyardError
from steelyard.tally import area_of, confusion_of, joint_scores_of, outcomes_of

TRUTH = pd.Series(["a", "b", "a"], index=[10, 11, 12])
CALLS = pd.Series(["a", "b", "b"], index=[11, 12, 10])
DOORS = {
    "a verb": lambda truth, calls: sy.evaluate({"truth": truth, "cnn": calls}),
    "confusion": confusion_of,
    "outcomes": lambda truth, calls: outcomes_of(truth, {"cnn": calls}),
    "weights": lambda truth, calls: (
        confusion_of(
            list(truth), list(calls), sample_weight=pd.Series([1, 2, 1], index=calls.index)
        )
        if not hasattr(truth, "index")
        else confusion_of(truth, list(calls), sample_weight=calls.map({"a": 1.0, "b": 2.0}))
    ),
    "area": lambda truth, calls: area_of(truth, calls.map({"a": 1.0, "b": 2.0}), pos_label="a"),
    "areas": lambda truth, calls: joint_scores_of(
        truth, {"cnn": calls.map({"a": 1.0, "b": 2.0})}, pos_label="a"
    ),
}


@pytest.mark.parametrize("door", list(DOORS))
@pytest.mark.parametrize("calls", [CALLS, CALLS.reset_index(drop=True), CALLS.sort_index()[:3]])
def test_other_indexes_are_refused(door, calls):
    if calls.index.equals(TRUTH.index):
        DOORS[door](TRUTH, calls)
        return
    with pytest.raises(SteelyardError, match="have different indexes") as refused:
        DOORS[door](TRUTH, calls)
    assert refused.value.code == "rows-differ"
    assert "pandas.concat" in str(refused.value)


class Elsewhere(pd.Series):
    """What geopandas, modin and users make of pandas: a Series of another module."""

    @property
    def _constructor(self):
        return Elsewhere


class Labelled:
    """An array with coordinates, as xarray keeps them."""

    def __init__(self, values, names):
        self.values, self.dims, self.indexes = np.array(values), ("item",), {"item": names}

    def __array__(self, dtype=None, copy=None):
        return self.values

    def __len__(self):
        return len(self.values)


@pytest.mark.parametrize(
    "calls", [Elsewhere(CALLS), Labelled(CALLS.to_numpy(), CALLS.index)], ids=["subclass", "array"]
)
def test_what_behaves_like_pandas_names_its_rows_wherever_it_was_made(calls):
    with pytest.raises(SteelyardError, match="have different indexes"):
        sy.evaluate({"truth": TRUTH, "cnn": calls})


def test_one_index_and_what_pandas_has_aligned_are_answered():
    aligned = pd.concat({"truth": TRUTH, "cnn": CALLS}, axis=1)
    found = sy.evaluate(aligned).systems[0].accuracy
    assert (found.successes, found.trials) == (0, 3)
    again = sy.evaluate({"truth": aligned["truth"], "cnn": aligned["cnn"]}).systems[0].accuracy
    assert again.successes == 0


@pytest.mark.parametrize(
    "calls",
    [
        pd.Series(list("abb"), index=TRUTH.index, dtype="category"),
        CALLS.to_numpy(),
        CALLS.to_list(),
        pl.Series(list("abb")),
        np.ma.masked_array(list("abb"), mask=[False] * 3),
    ],
    ids=["categories", "array", "list", "polars", "masked"],
)
def test_columns_without_names_of_rows_are_paired_by_place(calls):
    found = sy.evaluate({"truth": TRUTH, "cnn": calls}).systems[0].accuracy
    assert (found.successes, found.trials) == (2, 3)


@pytest.mark.parametrize(
    "display",
    [
        sy.RocCurveDisplay,
        sy.CalibrationDisplay,
        sy.DetCurveDisplay,
        sy.PrecisionRecallDisplay,
        sy.ConfusionMatrixDisplay,
    ],
)
def test_a_picture_is_not_drawn_of_rows_with_other_names(display):
    truth, said = pd.Series([0, 1, 0, 1]), pd.Series([0, 1, 0, 1], index=[3, 2, 1, 0])
    with pytest.raises(SteelyardError, match="have different indexes"):
        display.from_predictions(truth, said)


NUMBERS = pd.Series([0.1, 0.9, 0.4, 0.7, 0.3, 0.8], index=range(6))
OTHERS = pd.Series([1.0, 2.0, 1.0, 2.0, 1.0, 1.0], index=range(5, -1, -1))
FORMULAS = {
    "a judge": lambda one, two: uncertainty.ppi_mean(one, two, [0.5, 0.6]),
    "a ratio": uncertainty.ratio_of_sums_interval,
    "an estimated ratio": uncertainty.estimate_ratio,
    "a mean of ratios": uncertainty.mean_of_ratios,
    "quantiles of clusters": uncertainty.cluster_quantile_interval,
    "segments": comparison.mapsswe,
    "two ratios": lambda one, two: comparison.ratio_difference(one, one + 1, two, two + 1),
    "two quantiles": lambda one, two: comparison.quantile_difference(
        one, two, rng=np.random.default_rng(1)
    ),
    "sources of variance": lambda one, two: comparison.variance_components(one, {"rig": two}),
    "risk and coverage": lambda one, two: measures.risk_coverage(one, two == 1),
}


@pytest.mark.parametrize("name", list(FORMULAS))
def test_formulas_that_pair_by_place_refuse_other_indexes(name):
    with pytest.raises(SteelyardError, match="have different indexes"):
        FORMULAS[name](NUMBERS, OTHERS)
    FORMULAS[name](NUMBERS, pd.Series(OTHERS.to_numpy(), index=NUMBERS.index))
