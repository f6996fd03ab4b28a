"""``steelyard compare``."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from steelyard.surfaces.cli.options import verb_command
from steelyard.surfaces.cli.running import run_verb
from steelyard.surfaces.cli.showing import print_paragraphs

if TYPE_CHECKING:
    from steelyard.results import Result

__all__ = ["command"]

CELLS = 4
ASSUMED = (
    "it was not said whether all systems saw the same items; independent test sets were assumed "
    "(--pairing common if they did: totals alone then bound the answer)"
)


@verb_command("compare", short_help="Which system is better, and how sure is that?")
def command(
    correct: dict[str, int] | None,
    tested: dict[str, int] | int | None,
    paired: dict[str, int] | None,
    methods_text: bool,  # noqa: FBT001
    **given: Any,  # noqa: ANN401
) -> None:
    """Which system is better, and how sure is that?

    Pairs the systems by item, says who is best with which probability, who cannot be told apart,
    and shows every difference with its interval.

    \b
    steelyard compare predictions.csv --truth label
    steelyard compare svm=svm.csv rf=rf.csv --truth label --item id
    steelyard compare --correct S=190,T=194 --tested 200
    steelyard compare --paired S=18,T=5,both=160,neither=17
    steelyard compare predictions.csv --truth label --method mcnemar-exact
    steelyard compare predictions.csv --truth label --positive ship --measure f1
    """
    from steelyard.journey import compare
    from steelyard.results import Comparison

    if methods_text and (given["as_json"] or given["as_csv"] or given["raw_csv"]):
        message = "--methods-text goes with the text; leave --json and --csv out."
        raise click.UsageError(message)
    counts: object = None
    verb: Callable[..., Result] = compare
    if correct is not None or tested is not None:
        counts = _trials(correct, tested, given["pairing"])
        if given["pairing"] is None:
            verb = partial(_with_caveat, compare)
    elif paired is not None:
        counts = _pair(paired)
    if counts is not None and given["files"]:
        message = "Give files or counts, not both."
        raise click.UsageError(message)
    result = run_verb(verb, "compare", "comparing", given, counts=counts)
    if methods_text and isinstance(result, Comparison):
        print_paragraphs(result.methods())


def _with_caveat(verb: Callable[..., "Result"], data: object, **asked: Any) -> "Result":  # noqa: ANN401
    """Say in the result that the pairing of typed counts was assumed."""
    result = verb(data, **asked)
    return replace(result, caveats=(*result.caveats, ASSUMED))


def _trials(
    correct: dict[str, int] | int | None, tested: dict[str, int] | int | None, pairing: str | None
) -> object:
    from steelyard.counts import Trials

    if not isinstance(correct, dict) or tested is None:
        message = "Give both: --correct S=190,T=194 and --tested 200 (or S=200,T=180)."
        raise click.UsageError(message)
    return Trials(correct=correct, tested=tested, pairing=pairing or "independent")  # type: ignore[arg-type]


def _pair(paired: dict[str, int] | int) -> object:
    from steelyard.counts import Outcomes

    if (
        not isinstance(paired, dict)
        or len(paired) != CELLS
        or not {"both", "neither"} < set(paired)
    ):
        message = "Expected four numbers such as S=18,T=5,both=160,neither=17."
        raise click.BadParameter(message, param_hint="--paired")
    first, second = (name for name in paired if name not in {"both", "neither"})
    return Outcomes.from_pair(
        both=paired["both"],
        first=paired[first],
        second=paired[second],
        neither=paired["neither"],
        systems=(first, second),
    )
