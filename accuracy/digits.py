"""Log relative error, the measure of NIST's statistical reference datasets."""

import mpmath as mp

__all__ = ["MOST", "lre"]

MOST = 15.9
"""Digits that a double can hold; a value that is equal when rounded has all of them."""


def lre(found: float, right: str, *, absolute: bool = False) -> float:
    r"""Count the right digits: :math:`-\log_{10}(|x - c| / |c|)`, of 0 the absolute error.

    With ``absolute`` it is :math:`-\log_{10}|x - c|`, the right places after the point.

    >>> round(lre(0.333, "0.33333333333333333333"), 1)
    3.0
    """
    with mp.workdps(60):
        true = mp.mpf(right)
        if found == float(true):
            return MOST
        error = abs(mp.mpf(found) - true) / (1 if absolute or not true else abs(true))
        return float(min(MOST, max(mp.mpf(0), -mp.log10(error))))
