"""Vector scores against the definition, item by item."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import SCALE, VECTOR_RULES
from steelyard.tally.kernels import vectors as kernel
from steelyard.tally.kernels.vectors import item_scores, vector_sums

entry = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.floats(0, 1e6), st.floats(0, 1e-300))
vector = st.lists(entry, min_size=3, max_size=3).filter(any)
rows = st.lists(st.tuples(st.integers(0, 2), vector, vector), max_size=20)


def scored(truth, o):
    """Score one vector in plain Python, adding up from the first class to the last."""
    top, total = max(o), 0.0
    for x in o:
        total += x
    squares = brier = 0.0
    for k, x in enumerate(o):
        squares += (x / top) * (x / top)
        brier += (x / total - (k == truth)) * (x / total - (k == truth))
    share = o[truth] / total
    return {
        "spherical": (o[truth] / top) / math.sqrt(squares),
        "winner": 1 / o.count(top) if o[truth] == top else 0.0,
        "brier": brier,
        "log": float(-np.log(share)) + 0.0 if share > 0 else math.inf,
    }


def whole(x):
    return math.floor(x * SCALE + 0.5)


@given(rows, st.integers(1, 5))
def test_sums_equal_those_of_plain_python(items, chunk):
    truth = np.array([row[0] for row in items], dtype=np.intp)
    tables = [np.array([row[j] for row in items]).reshape(-1, 3) for j in (1, 2)]
    size = kernel.CHUNK
    kernel.CHUNK = chunk
    try:
        sums = vector_sums(truth, tables)
    finally:
        kernel.CHUNK = size
    plain = [[scored(row[0], row[j]) for row in items] for j in (1, 2)]
    for of in range(3):
        mine = [i for i, row in enumerate(items) if row[0] == of]
        assert sums.items[of] == len(mine)
        for j in range(2):
            logs = [plain[j][i]["log"] for i in mine]
            assert sums.infinite[j][of] == sum(map(math.isinf, logs))
        for rule in VECTOR_RULES:
            for j in range(2):
                scores = [plain[j][i][rule] for i in mine]
                assert sums.sums[rule, j][of] == sum(whole(x) for x in scores if x < math.inf)
            for i, j in ((0, 0), (0, 1), (1, 1)):
                pairs = [(plain[i][n][rule], plain[j][n][rule]) for n in mine]
                expected = sum(whole(x * y) for x, y in pairs if max(x, y) < math.inf)
                assert sums.products[rule, i, j][of] == expected


@given(vector, st.integers(0, 2))
def test_scores_stay_in_their_range(o, truth):
    scores = {
        rule: float(x[0]) for rule, x in item_scores(np.array([truth]), np.array([o])).items()
    }
    assert 0 <= scores["spherical"] <= 1 + 1e-15
    assert scores["winner"] in {0, 1, 1 / 2, 1 / 3}
    assert 0 <= scores["brier"] <= 2 + 1e-15
    assert scores["log"] >= 0
    assert not math.copysign(1, scores["log"]) < 0


@pytest.mark.parametrize("size", [1e300, 1e-300, 5e-324])
def test_very_large_and_very_small_vectors_are_scored(size):
    scores = item_scores(np.array([0]), np.array([[size, size, 0.0]]))
    assert scores["spherical"][0] == pytest.approx(math.sqrt(0.5), abs=1e-15)
    assert scores["brier"][0] == 0.5
    assert scores["winner"][0] == 0.5
    assert scores["log"][0] == pytest.approx(math.log(2), abs=1e-15)


def test_shuffling_rows_changes_no_bit():
    rng = np.random.default_rng(11)
    truth, table = rng.integers(0, 5, 3000), rng.random((3000, 5), dtype=np.float32)
    order = rng.permutation(3000)
    assert vector_sums(truth, [table]) == vector_sums(truth[order], [table[order]])
