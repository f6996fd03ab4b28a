"""How often each byte occurs."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["byte_histogram"]


def byte_histogram(codes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Count the 256 byte values, two rows at a time.

    Two neighbouring bytes are one 16-bit number, so one increment counts two rows; the two margins
    of the 256 x 256 table give the counts. Several times faster than ``bincount`` of the bytes.

    >>> byte_histogram(np.array([7, 7, 9], dtype=np.uint8))[[7, 8, 9]].tolist()
    [2, 0, 1]
    """
    even = codes.size - codes.size % 2
    pairs = np.bincount(np.ascontiguousarray(codes[:even]).view(np.uint16), minlength=1 << 16)
    table = pairs.reshape(256, 256)
    counts = (table.sum(axis=0) + table.sum(axis=1)).astype(np.int64)
    if even < codes.size:
        counts[codes[even]] += 1
    return np.asarray(counts, dtype=np.int64)
