import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from steelyard.errors import RequestError
from steelyard.results import KINDS, read_result
from steelyard.results.reading import schema_of, write_schemas

FIXTURES = Path(__file__).parent / "fixtures"
PUBLISHED = Path(__file__).parents[2] / "docs" / "reference" / "schemas"
TYPES = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
    "array": list,
    "object": dict,
}


def valid(value, schema, root):  # noqa: C901
    """A validator of the few words our schemas use; it refuses words it does not know."""
    known = {"$ref", "anyOf", "const", "enum", "type", "properties", "required", "items", "$schema"}
    known |= {"prefixItems", "minItems", "additionalProperties", "description", "title", "$defs"}
    assert set(schema) <= known, schema
    if "$ref" in schema:
        return valid(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root)
    if "anyOf" in schema:
        return any(valid(value, one, root) for one in schema["anyOf"])
    if "const" in schema:
        return value == schema["const"]
    if "enum" in schema:
        return value in schema["enum"]
    if not isinstance(value, TYPES[schema["type"]]) or (
        isinstance(value, bool) and schema["type"] != "boolean"
    ):
        return False
    if isinstance(value, dict):
        properties = schema["properties"]
        return set(schema["required"]) <= set(value) <= set(properties) and all(
            valid(one, properties[name], root) for name, one in value.items()
        )
    if isinstance(value, list):
        first = schema.get("prefixItems", [])
        if first:
            return len(value) == len(first) and all(map(valid, value, first, [root] * len(first)))
        return all(valid(one, schema["items"], root) for one in value)
    return True


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.json")), ids=lambda path: path.stem)
def test_what_is_written_fits_its_schema(path):
    saved = read_result(path.read_text(encoding="utf-8")).to_dict()
    schema = schema_of(saved["kind"])
    assert valid(saved, schema, schema)
    assert not valid(saved | {"surprise": 1}, schema, schema)
    assert not valid(saved | {"kind": "other"}, schema, schema)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_reference_leads_somewhere(kind):
    schema = schema_of(kind)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    for name in re.findall(r"#/\$defs/(\w+)", json.dumps(schema)):
        assert name in schema["$defs"]


def test_an_unknown_kind_is_refused():
    with pytest.raises(RequestError, match=r"kind='comparisson' is not known.*comparison"):
        schema_of("comparisson")


def test_the_module_writes_a_file_for_every_kind(tmp_path):
    assert {path.name for path in write_schemas(tmp_path)} == {
        f"{kind}-{cls.schema}.json" for kind, cls in KINDS.items()
    }
    command = [sys.executable, "-m", "steelyard.results.reading"]
    assert subprocess.run([*command, str(tmp_path)], check=True, capture_output=True).stdout
    refused = subprocess.run(command, check=False, capture_output=True, text=True)
    assert refused.returncode == 1
    assert "Type: python -m" in refused.stderr


def test_the_published_schemas_are_those_of_the_classes(tmp_path):
    for path in write_schemas(tmp_path):
        assert (PUBLISHED / path.name).read_text(encoding="utf-8") == path.read_text(
            encoding="utf-8"
        ), f"Type: python -m steelyard.results.reading {PUBLISHED}"
