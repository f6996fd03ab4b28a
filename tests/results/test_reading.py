import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import RequestError, SteelyardError
from steelyard.results import Proportion, read_result

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
