"""Ranks that executors find by numpy are those of the SQL, whatever the scores and their order."""

from itertools import combinations_with_replacement

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.engines.local import LocalEngine
from steelyard.errors import RefusedData
from steelyard.tally import executor_ranks
from steelyard.tally.executor_ranks import rank_on_executors
from steelyard.tally.placed_rows import place_sums

INF = float("inf")
KINDS = {
    "spread": lambda rng, size: rng.standard_normal(size),
    "ties": lambda rng, size: rng.integers(0, 4, size).astype(float),
    "heaps": lambda rng, size: np.where(rng.random(size) < 0.6, 0.0, rng.standard_normal(size)),
    "odd": lambda rng, size: rng.choice([INF, -INF, 0.0, 5e-324, 1e300, -1.0], size),
    "crowded": lambda rng, size: 0.9 + rng.random(size) * 1e-9,
    "gaps": lambda rng, size: 10.0 ** (-300 * rng.random(size)),
    "constant": lambda _, size: np.full(size, 0.25),
}


class Executors:
    """Rows in batches of two executors, and what is sent to them, in this process."""

    def __init__(self, table, batch, most_rows=2_000_000):
        self.batches, self.most_rows = table.to_batches(max_chunksize=batch), most_rows
        self.groups = {}

    def ship(self, _sql, shipment, read):
        half = len(self.batches) // 2
        parts = [self.batches[:half], self.batches[half:]]
        made = [one for part in parts for one in shipment.first(iter(part))]
        found = pa.Table.from_batches(made)
        if shipment.then:
            self.groups = where_rows_went(found, len(shipment.then))
        for work in shipment.then:
            groups = pc.unique(found.column(shipment.by))
            found = pa.concat_tables(
                work(found.filter(pc.equal(found.column(shipment.by), one))) for one in groups
            )
        rows = LocalEngine().register(found).query(read)
        if len(rows) > self.most_rows:
            message = "too many"
            raise RefusedData(message, code="too-many-rows")
        return rows


def where_rows_went(sent, width):
    """Give the rows of each group in an order of their own, with whether they are positive."""
    found = {}
    for number, positives, held in zip(*(one.to_pylist() for one in sent.columns), strict=True):
        if positives >= 0:
            rows = np.frombuffer(held, np.int64).reshape(width, -1).T.tolist()
            sides = [place < positives for place in range(len(rows))]
            found.setdefault(number, []).extend(zip(sides, rows, strict=True))
    return {number: sorted(rows) for number, rows in found.items()}


def ranked(columns, positive, *, batch, most, fine=None, group=64, most_rows=2_000_000):
    scores = {f"c{n}": np.asarray(one) + 0.0 for n, one in enumerate(columns)}
    table = pa.table({"positive": positive, **scores})
    executors = Executors(table, batch, most_rows)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(executor_ranks, "GROUP", group)
        patched.setattr(executor_ranks, "MOST_GROUP", group)
        found = rank_on_executors(
            executors, "SELECT * FROM {t}", list(scores),
            fine=fine or most // 2, most=most, rows=len(positive),
        )  # fmt: skip
    return found, executors


@given(
    st.lists(st.sampled_from(list(KINDS)), min_size=1, max_size=3),
    st.integers(2, 900),
    st.integers(5, 300),
    st.integers(4, 60),
    st.integers(0, 1 << 30),
)
def test_ranks_are_those_of_the_sql(kinds, size, batch, most, seed):
    rng = np.random.default_rng(seed)
    positive = rng.random(size) < rng.uniform(0.05, 0.95)
    positive[:2] = True, False
    columns, width = [KINDS[kind](rng, size) for kind in kinds], len(kinds)
    found, _ = ranked(columns, positive, batch=batch, most=most)
    names = [f"c{n}" for n in range(width)]
    table = pa.table({"positive": positive, **dict(zip(names, columns, strict=True))})
    wanted = place_sums(LocalEngine().register(table), "SELECT * FROM {t}", names, rows=size)
    assert found.distinct == [one.distinct for one in wanted.pair_sums]
    won = [one.won_twice for one in wanted.pair_sums]
    pairs = list(combinations_with_replacement(range(width), 2))
    for side, products, count in (
        (found.positives, wanted.positive_products, positive.sum()),
        (found.negatives, wanted.negative_products, (~positive).sum()),
    ):
        assert side == [count, *won, *(products[one][two] for one, two in pairs)]
    for ranges in found.ranges:
        held = ranges.positives + ranges.negatives
        assert held.sum() == size
        assert (held[ranges.low != ranges.high] <= most).all()
        assert (ranges.low[1:] > ranges.high[:-1]).all()


def test_bins_too_many_for_the_driver_are_taken_wider():
    rng = np.random.default_rng(5)
    positive = np.arange(3000) % 3 == 0
    scores = KINDS["gaps"](rng, 3000)
    few, _ = ranked([scores], positive, batch=500, most=400, most_rows=1200)
    many, _ = ranked([scores], positive, batch=500, most=400)
    assert few.positives == many.positives
    with pytest.raises(RefusedData, match="too many"):
        ranked([scores], positive, batch=500, most=400, most_rows=100)


def test_where_a_row_goes_hangs_on_its_scores_alone():
    """A task that is run again may see another order; no row may be lost or counted twice then."""
    rng = np.random.default_rng(6)
    kinds = ("heaps", "odd", "spread")
    positive, columns = rng.random(2000) < 0.4, [KINDS[kind](rng, 2000) for kind in kinds]
    turned = rng.permutation(2000)
    _, one = ranked(columns, positive, batch=70, most=50)
    _, two = ranked([each[turned] for each in columns], positive[turned], batch=90, most=50)
    assert len(one.groups) > 15
    assert min(one.groups) < -1
    assert one.groups == two.groups
