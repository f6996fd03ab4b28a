"""JSON Schemas of the results, made from their classes.

``python -m steelyard.results.schemas DIR`` writes them all.
"""

import json
import sys
from pathlib import Path
from typing import Any

from steelyard.errors import RequestError
from steelyard.results.reading import KINDS
from steelyard.results.records import Record, records_within, shape_of

__all__ = ["schema_of", "write_schemas"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"


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
    assert isinstance(shape, Record)
    body = shape.definition()
    stamps = {"kind": {"const": kind}, "schema": {"const": cls.schema}}
    inner = {record.name: record for record in records_within(shape) if record is not shape}
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
        sys.exit("Type: python -m steelyard.results.schemas DIR")
    for file in write_schemas(Path(sys.argv[1])):
        sys.stdout.write(f"{file}\n")
