"""The number of samples with which a real test gets there, not only one that shows the rates."""

from collections.abc import Callable

from scipy.special import ndtri

from steelyard import planning
from steelyard.planning import Assurance
from steelyard.planning.sizes import first_lasting

__all__ = ["assure_samples", "assure_width_samples", "grow_by_power"]

LOOKS = 6
"""Simulated looks at most, each correcting the number before it."""
SURE = 1e-3


def assure_samples(
    middle: int | None,
    assured: Callable[[int], Assurance | float],
    *,
    power: float,
    aim: float = 0.5,
    simulated: bool = False,
) -> int | None:
    r"""Find the samples with which a share ``power`` of real tests gets there.

    ``middle`` is the number that gets there when the test shows exactly the assumed rates, which
    about half of the tests do or better. Where the goal moves with :math:`\sqrt n`, as a normal
    quantile :math:`z_{aim}` does, the number sought is about :math:`((z_{aim} + z_{power}) /
    z_{aim})^2` times as large; from there it is searched for, exactly or by seeded simulation.
    """
    if middle is None:
        return None
    wanted, sure = float(ndtri(power)), max(float(ndtri(aim)), 0.3)
    guess = max(1, round(middle * ((sure + wanted) / sure) ** 2))
    if guess > planning.LIMIT:
        return None

    def share(samples: int) -> float:
        found = assured(samples)
        return found.right if isinstance(found, Assurance) else float(found)

    if not simulated:
        return first_lasting(
            lambda n: share(n) >= power, start=guess, limit=planning.LIMIT, window=10
        )
    return _by_simulation(guess, assured, power=power, sure=sure)


def _by_simulation(
    guess: int, assured: Callable[[int], Assurance | float], *, power: float, sure: float
) -> int | None:
    """Correct a number until its simulated share lies a standard error or so above the power."""
    number = guess
    reached: int | None = None
    for _ in range(LOOKS):
        if number > planning.LIMIT:
            return reached
        found = assured(number)
        share, error = (
            (found.right, found.error) if isinstance(found, Assurance) else (float(found), 0.0)
        )
        if share >= power + error:
            reached = number if reached is None else min(reached, number)
            if share <= power + 3 * error + SURE:
                return reached
        aimed = float(ndtri(min(power + 2 * error, 1 - SURE)))
        now = float(ndtri(min(max(share, 0.02), 1 - SURE)))
        following = round(number * ((sure + aimed) / max(sure + now, 0.1)) ** 2)
        following = max(1, following)
        if following == number or (reached is not None and following >= reached):
            break
        number = following
    return reached


def grow_by_power(middle: float, *, threshold: float, power: float) -> int:
    """Samples of a test that rejects at so many standard errors, for another power than a half.

    >>> grow_by_power(100, threshold=1.96, power=0.8)
    204
    """
    return round(middle * ((threshold + float(ndtri(power))) / threshold) ** 2)


def assure_width_samples(
    middle: int | None,
    width_at: Callable[[float, int], float],
    value: float,
    *,
    width: float,
    level: float,
    power: float,
    room: tuple[float, float],
) -> int | None:
    """Samples with which an interval is narrow enough unless the test is rather unlucky.

    The interval of a test that finds another value may be wider: it is asked for at the values
    that lie as far to either side as a test of ``power`` leaves out at one of them.
    """
    if middle is None:
        return None
    far = float(ndtri(power)) / float(ndtri((1 + level) / 2)) / 2

    def narrow(samples: int) -> bool:
        spread = far * width_at(value, samples)
        ends = [min(max(value + side * spread, room[0]), room[1]) for side in (-1, 1)]
        return max(width_at(end, samples) for end in ends) <= width

    return first_lasting(narrow, start=middle, limit=planning.LIMIT, window=10)
