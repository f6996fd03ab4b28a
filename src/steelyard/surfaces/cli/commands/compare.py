"""``steelyard compare``."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from steelyard.surfaces.cli.options import name_parts, verb_command
from steelyard.surfaces.cli.running import run_verb
from steelyard.surfaces.cli.showing import announce_file, print_paragraphs, unwritable

if TYPE_CHECKING:
    from steelyard.results import Result

__all__ = ["command"]

ASSUMED = (
    "it was not said whether all systems saw the same items; independent test sets were assumed "
    "(--pairing common if they did: totals alone then bound the answer)"
)


@verb_command("compare", short_help="Which system is better, and how sure is that?")
def command(
    correct: dict[str, int] | str | None,
    tested: dict[str, int] | int | None,
    paired: dict[str, int] | None,
    accuracy: str | None,
    methods_text: bool,  # noqa: FBT001
    **given: Any,  # noqa: ANN401
) -> None:
    """Which system is better, and how sure is that?

    Pairs the systems by item, says which is best and how probable that is, which cannot be told
    apart, and shows every difference with its interval.

    \b
    steelyard compare predictions.csv --truth label
    steelyard compare svm=svm.csv rf=rf.csv --truth label --item id
    steelyard compare --correct S=190,T=194 --tested 200
    steelyard compare --paired S=18,T=5,both=160,neither=17
    steelyard compare --accuracy S=87.3%,T=85.1% --tested 1319
    steelyard compare leaderboard.md --tested 1319
    steelyard compare predictions.csv --items flips.csv --flips svm,rf
    steelyard compare predictions.csv --truth label --method mcnemar-exact
    steelyard compare predictions.csv --truth label --positive ship --measure f1
    steelyard compare grades.csv --value alpha,beta --higher-is-better
    steelyard compare asr.csv --errors a.errors,b.errors --per words
    steelyard compare a.sgml b.sgml --layout segments --method mapsswe
    steelyard compare results.csv --layout datasets --lower-is-better
    steelyard compare study.csv --reader reader --positive 1
    """
    from steelyard.journey import compare

    if methods_text and (given["as_json"] or given["as_csv"] or given["raw_csv"]):
        message = "--methods-text goes with the text; leave --json and --csv out."
        raise click.UsageError(message)
    counts = _take_counts(correct, tested, paired, accuracy, given)
    verb: Callable[..., Result] = compare
    if counts is not None and paired is None and given["pairing"] is None:
        verb = partial(_with_caveat, compare)
    with _announce_items(given["items"]):
        result = run_verb(verb, "compare", "comparing", given, counts=counts)
    if methods_text:
        from steelyard.results import Comparison, DatasetComparison

        if isinstance(result, Comparison | DatasetComparison):
            print_paragraphs(result.methods())


def _take_counts(
    correct: dict[str, int] | str | None,
    tested: dict[str, int] | int | None,
    paired: dict[str, int] | None,
    accuracy: str | None,
    given: dict[str, Any],
) -> object:
    """Give the counts that were typed; None where there are files, which may be pasted tables."""
    if sum(one is not None for one in (correct, paired, accuracy)) > 1:
        message = "Give one of --correct, --accuracy and --paired."
        raise click.UsageError(message)
    if isinstance(correct, str):  # percentages are published shares
        accuracy, correct = correct, None
    if paired is not None:
        return _pair(paired)
    if given["files"] and correct is None and "=" not in (accuracy or ""):
        if given["files"] == ("-",) and (accuracy is not None or tested is not None):
            given["files"] = (_keep_input(),)
        given |= {"accuracy": accuracy, "tested": tested}
        return None
    if accuracy is not None:
        return _take_rounded(accuracy, tested, given["pairing"])
    if correct is not None or tested is not None:
        return _trials(correct, tested, given["pairing"])
    return None


def _keep_input() -> str:
    """Keep a table that was pasted into standard input in a file, which can be looked at twice."""
    import atexit
    import shutil
    import sys
    import tempfile
    from pathlib import Path

    folder = tempfile.mkdtemp(prefix="steelyard-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / "pasted"
    path.write_bytes(sys.stdin.buffer.read())
    return str(path)


@contextmanager
def _announce_items(items: str | None) -> Iterator[None]:
    """Say that the items were written, or why they could not be."""
    try:
        yield
    except OSError as error:
        if items is None or error.filename != str(items):
            raise
        raise unwritable(Path(items), error) from None
    if items is not None:
        announce_file(Path(items))


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


def _take_rounded(
    accuracy: str | None, tested: dict[str, int] | int | None, pairing: str | None
) -> object:
    from steelyard.counts import RoundedTrials

    parts = {} if accuracy is None else name_parts(accuracy, None)
    if not all(parts) or not parts or tested is None:
        message = "Give both: --accuracy S=87.3%,T=85.1% and --tested 1319 (or S=200,T=180)."
        raise click.UsageError(message)
    return RoundedTrials.of(parts, tested=tested, pairing=pairing or "independent")  # type: ignore[arg-type]


def _pair(paired: dict[str, int] | int) -> object:
    from steelyard.counts import Outcomes
    from steelyard.errors import CountsError

    try:
        return Outcomes.from_cells(paired if isinstance(paired, dict) else {})
    except CountsError as error:
        if error.code != "no-pair":
            raise
        raise click.BadParameter(str(error), param_hint="--paired") from None
