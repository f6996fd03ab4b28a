"""``steelyard targeting``."""

from typing import Any

from steelyard.surfaces.cli.options import verb_command
from steelyard.surfaces.cli.running import run_verb

__all__ = ["command"]


@verb_command("targeting", short_help="Whom do I contact first, and what does it bring?")
def command(**given: Any) -> None:  # noqa: ANN401
    """Whom do I contact first, and what does it bring?

    Ranks the items by score and says which share of the positive class the best-scored ones hold,
    with precision, lift, KS distance and Gini; with --net-benefit whether acting pays.

    \b
    steelyard targeting scores.csv --truth label --positive buyer --budget 100
    steelyard targeting scores.csv --positive buyer --share 0.2 --by percentiles --csv
    steelyard targeting scores.csv --positive ill --net-benefit 0.1,0.2,0.3
    """
    from steelyard.journey import targeting

    run_verb(targeting, "targeting", "ranking the items", given)
