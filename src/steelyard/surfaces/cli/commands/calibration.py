"""``steelyard calibration``."""

from typing import Any

from steelyard.surfaces.cli.options import verb_command
from steelyard.surfaces.cli.running import run_verb

__all__ = ["command"]


@verb_command("calibration", short_help="Do probabilities mean what they say?")
def command(**given: Any) -> None:  # noqa: ANN401
    """Do probabilities mean what they say?

    Calibration curve with intervals, expected calibration error with its bias, intercept and
    slope, Brier score with its parts, log score, and the differences of every two systems. For a
    number per class, without --positive: spherical (MeasTex), winner, Brier and log scores.

    \b
    steelyard calibration scores.csv --truth label --positive ill --chart curve.svg
    steelyard calibration scores.csv --positive ill --bins 20 --binning width
    steelyard calibration vectors.csv --vector 'cnn=p{class}'
    """
    from steelyard.journey import calibration

    run_verb(calibration, "calibration", "checking the probabilities", given)
