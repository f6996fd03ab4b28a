"""Results under the names that their owner has for uploads."""

from dataclasses import replace
from typing import Any

from steelyard.results import Provenance, Result
from steelyard.surfaces.web.uploads import Shelved

__all__ = ["renamed"]


def renamed(result: Any, shelved: Shelved) -> Any:  # noqa: ANN401
    """Give a result the name that its owner has for an upload."""
    if not shelved.uploaded or not isinstance(result, Result):
        return result
    record: Provenance = result.provenance  # type: ignore[attr-defined]
    inputs = tuple(replace(one, name=shelved.name) for one in record.inputs)
    return replace(result, provenance=replace(record, inputs=inputs))  # type: ignore[call-arg]
