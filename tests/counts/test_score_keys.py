"""Whole numbers that rank as scores do, and the order found by them, against numpy's own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from steelyard.counts.scores import keys as score_keys
from steelyard.counts.scores.keys import order_rows, pack_keys, rank, rankable, sort_keys
from steelyard.errors import CountsError

KINDS = [np.float64, np.float32, np.float16, np.int64, np.int32, np.uint8, np.int8, np.bool_]
odd = st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 5e-324, 0.5, 1.0, np.inf])
arrays = st.one_of(
    hnp.arrays(st.sampled_from(KINDS), st.integers(0, 40)),
    st.lists(odd, max_size=40).map(np.array),
    st.lists(odd, max_size=40).map(lambda held: np.array(held, dtype=np.float32)),
)


@st.composite
def items(draw):
    scores = draw(arrays.filter(lambda a: a.dtype.kind != "f" or not np.isnan(a).any()))
    if scores.dtype.kind == "i" and scores.dtype.itemsize == 8:
        scores = scores % 2**50
    return draw(hnp.arrays(np.bool_, scores.size)), scores


@given(items())
def test_keys_rank_as_scores_do_with_negatives_first_in_a_tie(drawn):
    positive, scores = drawn
    keys, scale = pack_keys(positive, scores)
    if keys is None:
        assert scores.dtype.kind == "f"
        return
    plain = sorted(zip(scores.tolist(), positive.tolist(), strict=True))
    sort_keys(keys)
    assert scale.scores(keys >> 1).tolist() == [float(score) for score, _ in plain]
    assert (keys & 1).tolist() == [flag for _, flag in plain]
    assert not np.signbit(scale.scores(keys >> 1)[scale.scores(keys >> 1) == 0]).any()


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_scores_that_leave_no_bit_free_have_no_key(kind):
    widest = np.array([np.finfo(kind).smallest_subnormal, np.finfo(kind).max])
    assert pack_keys(np.array([True, False]), widest.astype(kind)) == (None, None)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_scores_of_usual_size_have_a_key_of_their_own_width(kind):
    keys, _ = pack_keys(np.array([True, False, True]), np.array([-30.0, 1e-6, 0.0], dtype=kind))
    assert keys.dtype.itemsize == np.dtype(kind).itemsize


@pytest.mark.parametrize("scores", [[0.1, np.nan], [2**53 + 1, 0], ["a", "b"], [1j, 0]])
def test_what_has_no_exact_rank_is_refused(scores):
    with pytest.raises(CountsError):
        rankable(np.array(scores))


def test_two_threads_give_what_one_gives(monkeypatch):
    rng = np.random.default_rng(1)
    positive, scores = rng.random(5001) < 0.3, rng.normal(size=5001).astype(np.float32)
    one, _ = pack_keys(positive, scores)
    sort_keys(one)
    monkeypatch.setattr(score_keys, "WORTH_THREADS", 10)
    monkeypatch.setattr(score_keys, "cpu_count", lambda: 2)
    two, _ = pack_keys(positive, scores)
    sort_keys(two)
    assert np.array_equal(one, two)


close = st.integers(0, 8).map(lambda step: 1 + step * 2.0**-52)
values = st.one_of(
    st.floats(allow_nan=False),
    st.sampled_from([-np.inf, -1.0, 0.0, 0.5, np.inf]),
    close,
    close.map(lambda score: -score),
)
columns = st.lists(values, max_size=50).map(lambda held: np.array(held) + 0.0)


@given(columns)
def test_the_order_is_that_of_a_stable_sort(scores):
    found = rank(scores)
    assert found.places.tolist() == np.argsort(scores, kind="stable").tolist()
    ascending = scores[found.places]
    assert found.ties[1:].tolist() == (ascending[1:] == ascending[:-1]).tolist()
    assert not found.ties[:1].any()


def test_scores_that_differ_in_their_last_bits_only_keep_their_order():
    rng = np.random.default_rng(2)
    scores = 1 + rng.integers(0, 50, 3000) * 2.0**-52
    scores[0] = 1e-9  # a wide span leaves the last bits no room beside the place
    found = rank(scores)
    assert np.array_equal(found.places, np.argsort(scores, kind="stable"))
    assert np.count_nonzero(~found.ties) == np.unique(scores).size


@given(st.integers(1, 3), st.integers(0, 30), st.data())
def test_rows_come_in_the_order_of_lexsort(width, rows, data):
    first = data.draw(hnp.arrays(np.bool_, rows))
    few = st.sampled_from([-1.0, 0.0, 0.5, 1 + 2.0**-52, 1.0, np.inf])
    table = np.array(data.draw(st.lists(few, min_size=width * rows, max_size=width * rows)))
    table = table.reshape(width, rows)
    order, plain = order_rows(first, table), np.lexsort((*table[::-1], first))
    assert sorted(order.tolist()) == list(range(rows))
    assert np.array_equal(first[order], first[plain])
    assert np.array_equal(table[:, order], table[:, plain])
