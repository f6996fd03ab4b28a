"""The order of scores against numpy's own sorting."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from steelyard.counts.scores.keys import ordered_rows, ranked

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
    found = ranked(scores)
    assert found.places.tolist() == np.argsort(scores, kind="stable").tolist()
    ascending = scores[found.places]
    assert found.ties[1:].tolist() == (ascending[1:] == ascending[:-1]).tolist()
    assert not found.ties[:1].any()


def test_scores_that_differ_in_their_last_bits_only_keep_their_order():
    rng = np.random.default_rng(2)
    scores = 1 + rng.integers(0, 50, 3000) * 2.0**-52
    scores[0] = 1e-9  # a wide span leaves the last bits no room beside the place
    found = ranked(scores)
    assert np.array_equal(found.places, np.argsort(scores, kind="stable"))
    assert np.count_nonzero(~found.ties) == np.unique(scores).size


@given(st.integers(1, 3), st.integers(0, 30), st.data())
def test_rows_come_in_the_order_of_lexsort(width, rows, data):
    first = data.draw(hnp.arrays(np.bool_, rows))
    few = st.sampled_from([-1.0, 0.0, 0.5, 1 + 2.0**-52, 1.0, np.inf])
    table = np.array(data.draw(st.lists(few, min_size=width * rows, max_size=width * rows)))
    table = table.reshape(width, rows)
    order, plain = ordered_rows(first, table), np.lexsort((*table[::-1], first))
    assert sorted(order.tolist()) == list(range(rows))
    assert np.array_equal(first[order], first[plain])
    assert np.array_equal(table[:, order], table[:, plain])
