"""Results from their JSON, and the JSON Schemas that describe it.

``python -m steelyard.results.reading DIR`` writes all schemas.
"""

import json
import sys
from pathlib import Path
from typing import Any

from steelyard.errors import RequestError
from steelyard.results.agreement import Agreement
from steelyard.results.base import Result
from steelyard.results.calibration import Calibration
from steelyard.results.campaign.data import CampaignStatus
from steelyard.results.campaign.records import (
    CampaignCheck,
    CampaignHistory,
    CampaignNext,
    CampaignRule,
)
from steelyard.results.codec import records_within, shape_of
from steelyard.results.comparison import Comparison, ValueComparison
from steelyard.results.comparison.datasets import DatasetComparison
from steelyard.results.estimates import Estimate, Proportion
from steelyard.results.evaluation import Evaluation
from steelyard.results.evaluation.exposure import EventRates
from steelyard.results.evaluation.values import ValueEvaluation
from steelyard.results.gate import Gate
from steelyard.results.leaderboard import CellDetail, Leaderboard
from steelyard.results.models import Models
from steelyard.results.plan.acceptance import Acceptance
from steelyard.results.plan.data import Plan, ValuePlan
from steelyard.results.readers import ReaderComparison, ReaderPlan
from steelyard.results.roc.data import RocCurves
from steelyard.results.targeting import Targeting
from steelyard.results.threshold import ThresholdChoice
from steelyard.results.working import Working

__all__ = ["KINDS", "read_result", "schema_of", "write_schemas"]

KINDS: dict[str, type[Result]] = {
    cls.kind: cls
    for cls in (
        CellDetail,
        Acceptance,
        Agreement,
        Calibration,
        Comparison,
        DatasetComparison,
        Estimate,
        Evaluation,
        EventRates,
        Gate,
        Leaderboard,
        CampaignCheck,
        CampaignHistory,
        CampaignNext,
        CampaignRule,
        CampaignStatus,
        Models,
        Plan,
        Proportion,
        ReaderComparison,
        ReaderPlan,
        RocCurves,
        Targeting,
        ThresholdChoice,
        ValueComparison,
        ValueEvaluation,
        ValuePlan,
    )
}
"""Every kind of result that can be read back, by its name."""
KINDS[Working.kind] = Working
EXPECTED = "Pass the text that to_json() (--json) wrote."
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def read_result(text: str | bytes) -> Result:
    """Rebuild a result from what its ``to_json`` wrote.

    Returns
    -------
    Result
        Equal to the result that was written.

    Raises
    ------
    RequestError
        The text is not what a result writes, or a newer version wrote it.

    Examples
    --------
    >>> from steelyard.results import Proportion
    >>> recall = Proportion(measure="recall", successes=8, trials=10)
    >>> read_result(recall.to_json()) == recall
    True
    """
    saved = _parse(text)
    kind, schema = saved.get("kind"), saved.get("schema")
    if not isinstance(kind, str) or kind not in KINDS:
        message = (
            f"This is not a result that Steelyard can read: its kind is {kind!r}. "
            f"Known kinds: {', '.join(sorted(KINDS))}. "
            "Save the result again with to_json() (--json), or update Steelyard."
        )
        raise RequestError(message, code="result-kind")
    cls = KINDS[kind]
    if type(schema) is not int or not 1 <= schema <= cls.schema:
        message = (
            f"This {kind} has schema {schema!r}; this Steelyard reads schemas 1 to {cls.schema}. "
            "Type: pip install --upgrade steelyard"
        )
        raise RequestError(message, code="result-schema")
    return cls.from_dict(saved)


def _parse(text: str | bytes) -> dict[str, Any]:
    try:
        saved = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_once)
    except RequestError:
        raise
    except (ValueError, RecursionError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        message = f"This is not the JSON of a result ({what}). {EXPECTED}"
        raise RequestError(message, code="result-json") from None
    if not isinstance(saved, dict):
        message = (
            f"The JSON holds a {type(saved).__name__}; a result is an object with a kind. "
            f"{EXPECTED}"
        )
        raise RequestError(message, code="result-json")
    return saved


def _refuse_constant(name: str) -> float:
    message = f"The JSON holds {name}, which is not a number. Undefined is null with a reason."
    raise RequestError(message, code="not-finite")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = sorted({name for name in names if names.count(name) > 1})
        message = f"The JSON names a key twice in one object: {', '.join(twice)}."
        raise RequestError(message, code="result-json")
    return made


def schema_of(kind: str) -> dict[str, Any]:
    """Describe the JSON of one kind of result (JSON Schema, draft 2020-12).

    Examples
    --------
    >>> schema_of("proportion")["properties"]["successes"]
    {'type': 'integer'}
    """
    if kind not in KINDS:
        raise RequestError.for_choice("kind", kind, sorted(KINDS))  # noqa: EM101
    cls = KINDS[kind]
    shape = shape_of(cls)
    body = shape.definition()
    stamps = {
        "kind": {"const": kind},
        "schema": {"const": cls.schema},
        "headline": {"type": "string"},
        "sentence": {"type": "string"},
    }
    inner = records_within(shape)
    return {
        "$schema": DIALECT,
        "title": f"{kind}, schema {cls.schema}",
        **body,
        "properties": stamps | body["properties"],
        "required": ["kind", "schema", *body["required"]],
        "$defs": {name: inner[name].definition() for name in sorted(inner)},
    }


def write_schemas(folder: Path) -> list[Path]:
    """Write ``<kind>-<version>.json`` for every kind, and give the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for kind in sorted(KINDS):
        path = folder / f"{kind}-{KINDS[kind].schema}.json"
        path.write_text(f"{json.dumps(schema_of(kind), indent=2)}\n", encoding="utf-8")
        written.append(path)
    return written


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Type: python -m steelyard.results.reading DIR")
    for file in write_schemas(Path(sys.argv[1])):
        sys.stdout.write(f"{file}\n")
