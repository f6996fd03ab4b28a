"""The exact area under the ROC curve of a Parquet file, by an engine's own means.

python benchmarks/peer_area.py polars|duckdb FILE
"""

import sys

DUCKDB = """
WITH counted AS (
  SELECT cnn, COUNT(*) AS n, SUM(truth)::BIGINT AS p FROM read_parquet('{}') GROUP BY cnn
), ranked AS (
  SELECT p, n - p AS q, SUM(n - p) OVER (ORDER BY cnn ROWS UNBOUNDED PRECEDING) AS below
  FROM counted
)
SELECT SUM(p::HUGEINT * (2 * below - q)) / (2.0 * SUM(p) * SUM(q)) FROM ranked
"""


def with_duckdb(path: str) -> float:
    """Group by score, add up in a window."""
    import duckdb

    (area,) = duckdb.connect().execute(DUCKDB.format(path)).fetchone() or (float("nan"),)
    return float(area)


def with_polars(path: str) -> float:
    """Sort as a stream; ties go to the positives, which moves the area in the eighth digit."""
    import polars as pl

    order = pl.scan_parquet(path).sort(["cnn", "truth"]).select("truth")
    truth = order.collect(engine="streaming")["truth"].to_numpy()
    places = truth.nonzero()[0]
    won = int(places.sum()) - places.size * (places.size - 1) // 2
    return won / (places.size * (truth.size - places.size))


if __name__ == "__main__":
    print({"polars": with_polars, "duckdb": with_duckdb}[sys.argv[1]](sys.argv[2]))
