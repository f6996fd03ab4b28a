"""Results are read from their JSON, or refused in words; the schemas describe what is written."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import steelyard as sy
from steelyard.errors import RequestError, SteelyardError
from steelyard.results import KINDS, Proportion, read_result
from steelyard.results.reading import schema_of, write_schemas

RECALL = Proportion(measure="recall", successes=8, trials=10)


def changed(**keys):
    return json.dumps(RECALL.to_dict() | keys)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not the JSON of a result"),
        ("{", "not the JSON of a result"),
        ("[" * 100_000, "not the JSON of a result"),
        ("[]", "The JSON holds a list"),
        (b"\xff\xfe\x00", "not the JSON of a result"),
        ("{}", "its kind is None. Known kinds: .*proportion.*update Steelyard"),
        (changed(kind="horoscope"), "its kind is 'horoscope'"),
        (changed(kind=["proportion"]), "its kind is \\['proportion'\\]"),
        (changed(schema=99), "has schema 99; this Steelyard reads schemas 1 to .*pip install"),
        (changed(schema=True), "has schema True"),
        (changed(schema=None), "has schema None"),
        (changed(successes="8"), "Proportion.successes is '8'; expected integer"),
        (changed(successes=10**400), "Proportion.successes is 1000.*expected a finite number"),
        (changed(successes=0).replace(": 0", f": {'9' * 5000}"), "limit"),
        (changed(interval={"low": [1, 2]}), "Proportion.interval lacks keys: high, level, method"),
        (changed(interval=[[[]]]), "Proportion.interval is .*one of the types of this field"),
        ('{"state": [1, 2]}', "its kind is None"),
        ('{"state":' * 100_000, "nested too deeply"),
        (changed(colour="red"), "Proportion has unknown keys: colour"),
        ('{"kind": "estimate", "value": NaN}', "holds NaN"),
        ('{"kind": "a", "kind": "b"}', "names a key twice in one object: kind"),
        ('{"kind": "estimate", "schema": 1, "measure": "m", "value": 1e999}', "value is inf"),
    ],
)
def test_what_is_not_a_result_is_refused_with_what_to_do(text, said):
    with pytest.raises(RequestError, match=said):
        read_result(text)


def test_a_result_is_read_from_bytes_too():
    assert read_result(RECALL.to_json().encode()) == RECALL


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(sorted(RECALL.to_dict())), json_values)
def test_a_damaged_result_is_read_or_refused_never_worse(key, value):
    text = changed(**{key: value})
    try:
        found = read_result(text)
    except SteelyardError as refusal:
        assert str(refusal)
    else:
        assert read_result(found.to_json()) == found


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
    if isinstance(value, dict) and "properties" not in schema:
        return all(valid(one, schema["additionalProperties"], root) for one in value.values())
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


def test_a_mapping_of_names_to_numbers_fits_its_schema():
    pair = sy.Outcomes.from_pair(both=9, first=3, second=1, neither=2, systems=("S", "T"))
    saved = sy.compare(pair, method="mcnemar-exact").to_dict()
    schema = schema_of("working")
    assert valid(saved, schema, schema)
    assert saved["working"]["only_first"] == 3
    assert not valid(saved | {"working": {"z": "high"}}, schema, schema)


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
