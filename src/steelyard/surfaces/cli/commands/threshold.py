"""``steelyard threshold``."""

from typing import Any

from steelyard.surfaces.cli.options import verb_command
from steelyard.surfaces.cli.running import run_verb

__all__ = ["command"]


@verb_command("threshold", short_help="Where do I set the threshold of a system?")
def command(**given: Any) -> None:  # noqa: ANN401
    """Where do I set the threshold of a system?

    Works out every recipe on the scores of one system, says where to set the threshold, what the
    recipe promises there, and what to expect of it on new data.

    \b
    steelyard threshold scores.csv --truth label --score cnn --positive ship
    steelyard threshold scores.csv --positive ship --by sensitivity --sensitivity .9
    steelyard threshold scores.csv --positive ship --by min-cost --cost fn=5,fp=1
    """
    from steelyard.journey import threshold

    if given["threshold"] is None and given["by"] != "fixed":
        given.pop("threshold")  # what a settings file keeps for other commands
    run_verb(threshold, "threshold", "looking for a threshold", given)
