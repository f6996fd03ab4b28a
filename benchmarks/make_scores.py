"""Write a Parquet file of scores in float32, piece by piece.

python benchmarks/make_scores.py FILE ROWS
"""

import sys

import numpy as np
import pyarrow as pa
from pyarrow import parquet

PIECE = 5_000_000


def main(path: str, rows: int) -> None:
    """Write truth (0 or 1) and the scores of one system."""
    rng = np.random.default_rng(0)
    schema = pa.schema([("truth", pa.int8()), ("cnn", pa.float32())])
    with parquet.ParquetWriter(path, schema, compression="zstd") as file:
        for start in range(0, rows, PIECE):
            size = min(PIECE, rows - start)
            truth = (rng.random(size) < 0.3).astype(np.int8)
            scores = (0.8 * rng.random(size) + 0.2 * truth).astype(np.float32)
            file.write_table(pa.table([truth, scores], schema=schema))


if __name__ == "__main__":
    main(sys.argv[1], int(float(sys.argv[2])))
