"""``steelyard agreement``."""

from pathlib import Path
from typing import Any

from steelyard.surfaces.cli.options import read_class_table, verb_command
from steelyard.surfaces.cli.running import run_verb

__all__ = ["command"]

NAMED = ("unweighted", "linear", "quadratic")


@verb_command("agreement", short_help="How far do raters or systems agree?")
def command(**given: Any) -> None:  # noqa: ANN401
    """How far do raters or systems agree?

    Cohen's, Fleiss' and Conger's kappa, Krippendorff's alpha, AC1 and PABAK, for all raters and
    every two of them. Nobody needs to be right; --truth COLUMN takes the truth as one more rater.
    Ratings may be missing.

    \b
    steelyard agreement labels.csv --raters ann,bob,eve
    steelyard agreement grades.csv --weights quadratic --order low,mid,high
    steelyard agreement predictions.csv --truth label --raters cnn
    """
    from steelyard.journey import agreement

    if given["weights"] is not None:
        given["weights"] = _weights(given["weights"])
    run_verb(agreement, "agreement", "comparing raters", given)


def _weights(given: str) -> str | dict[tuple[str, str], float]:
    """Read a table of weights from a file, or take the name of one."""
    if given in NAMED or not Path(given).is_file():
        return given
    return read_class_table(given, what="weights", option="--weights")
