"""Distinct scores and pairs against counting them one by one."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from steelyard.counts.scores import counting as score_counting
from steelyard.counts.scores.counting import score_counts
from steelyard.errors import CountsError
from steelyard.tally.kernels import scores as room
from steelyard.tally.kernels.scores import count_won_pairs

values = hnp.arrays(
    st.sampled_from([np.float64, np.float32, np.float16, np.int64, np.uint8, np.bool_]),
    st.integers(0, 30),
    elements=None,
).filter(lambda a: a.dtype.kind != "f" or not np.isnan(a).any())
odd = [-np.inf, -2.0, -0.0, 0.0, 0.5, np.inf]
few = st.lists(st.sampled_from(odd), max_size=30).map(np.array)
narrow = st.lists(st.sampled_from(odd[1:-1]), max_size=30).map(
    lambda held: np.array(held, dtype=np.float32)
)


@st.composite
def items(draw):
    scores = draw(st.one_of(values, few, narrow))
    if scores.dtype == np.int64:
        scores = scores % 1000
    return draw(hnp.arrays(np.bool_, scores.size)), scores


def plain(positive, scores):
    seen = Counter((float(score), bool(one)) for one, score in zip(positive, scores, strict=True))
    distinct = sorted({score for score, _ in seen})
    return distinct, [seen[s, True] for s in distinct], [seen[s, False] for s in distinct]


def plain_pairs(positive, scores):
    held = [float(score) for score in scores]
    return sum(
        2 * (held[i] > held[j]) + (held[i] == held[j])
        for i in np.flatnonzero(positive)
        for j in np.flatnonzero(~positive)
    )


@given(items(), st.sampled_from([2, 5, 1 << 17]))
def test_counts_equal_those_of_plain_python(drawn, chunk):
    positive, scores = drawn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(score_counting, "CHUNK", chunk)
        found = score_counts(positive, scores)
    assert tuple(column.tolist() for column in found) == plain(positive, scores)
    assert found.scores.dtype == np.float64
    assert not np.signbit(found.scores[found.scores == 0]).any()


@given(items(), st.sampled_from([2, 5, 1 << 17]))
def test_pairs_equal_those_of_plain_python(drawn, chunk):
    positive, scores = drawn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(score_counting, "CHUNK", chunk)
        patch.setattr(room, "WORTH_THREADS", 10)
        patch.setattr(room, "cpu_count", lambda: 2)
        found = count_won_pairs(positive, scores)
    ones = int(positive.sum())
    assert found == (plain_pairs(positive, scores), ones, positive.size - ones)


@pytest.mark.parametrize("scores", [[0.1, np.nan], [2**53 + 1, 0], ["a", "b"], [1j, 0]])
@pytest.mark.parametrize("kernel", [score_counts, count_won_pairs])
def test_what_has_no_exact_rank_is_refused(kernel, scores):
    with pytest.raises(CountsError):
        kernel(np.array([True, False]), np.array(scores))
