import copy
import pickle
import struct
from dataclasses import dataclass
from math import inf, nan
from typing import Literal, TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import TypeAliasType

from steelyard.counts import (
    Confusion,
    Exclusion,
    Grouped,
    JointCalls,
    JointScores,
    Outcomes,
    PairTable,
    ScoreTable,
    Trials,
    VectorScores,
    WeightSums,
)
from steelyard.errors import CountsError, RequestError
from steelyard.results import Caveat, Proportion, from_plain, to_plain
from steelyard.results.codec import shape_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    x: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    x: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outer:
    number: float = 0.0
    whole: int = 0
    text: str = ""
    yes: bool = False
    word: Literal["a", "b"] = "a"
    inner: Inner | None = None
    many: tuple[Inner, ...] = ()
    pair: tuple[str, int] = ("", 0)
    either: Inner | Other | None = None
    mixed: int | float | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    parts: Grouped[Trials]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsaved:
    bag: dict[str, int]


EXCLUDED = (Exclusion(reason="truth missing", rows=3, system="A"),)
COUNTS = [
    Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"]),
    Confusion.from_cells(
        {("a", "b"): 2}, weights={("a", "b"): WeightSums(5, 7)}, excluded=EXCLUDED
    ),
    Outcomes.from_patterns({1: 2, 3: 4}, systems=["A", "B"], excluded=EXCLUDED),
    Outcomes.from_patterns({1: 2}, systems=["A"], weights={1: WeightSums(2**70, 3)}),
    PairTable(both=1, first=2, second=3, neither=4),
    Trials(correct={"T": 190, "S": 194}, tested={"T": 200, "S": 210}, pairing="independent"),
    ScoreTable.from_scores([0.1, inf, 0.3], [-inf, 0.3], positive="ship"),
    JointScores.from_arrays([0, 1, 1], {"A": [0.2, 0.9, inf], "B": [0.4, 0.3, 0.1]}),
    JointCalls.from_cells({("cat", ("cat", "dog")): 3}, systems=["A", "B"]),
    VectorScores.from_sums(
        systems=["A"],
        items={"x": 2},
        sums={("brier", "A", "x"): 5},
        products={("brier", "A", "A", "x"): 25},
    ),
]


@pytest.mark.parametrize("counts", COUNTS, ids=lambda counts: type(counts).__name__)
def test_counts_come_back(counts):
    assert from_plain(type(counts), to_plain(counts)) == counts


def test_grouped_counts_come_back():
    split = Split(parts=Grouped.from_parts("fold", {"1": COUNTS[5], "2": COUNTS[5]}))
    assert from_plain(Split, to_plain(split)) == split


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_come_back_bit_for_bit(number):
    again = from_plain(Outer, to_plain(Outer(number=number))).number
    assert struct.pack("d", again) == struct.pack("d", number)


@given(st.none() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False))
def test_a_union_keeps_the_type_it_was_given(value):
    if isinstance(value, str) and not value.isascii():
        value = value.encode("utf-8", "ignore").decode()
    again = from_plain(Outer, to_plain(Outer(mixed=value))).mixed
    assert again == value
    assert type(again) is type(value)


def test_classes_that_look_alike_are_told_apart():
    for either in (Inner(x=1.0), Other(x=1.0)):
        assert type(from_plain(Outer, to_plain(Outer(either=either))).either) is type(either)


def test_numbers_of_numpy_are_written_as_plain_ones():
    plain = to_plain(Outer(number=np.float64(0.5), whole=np.int64(3), yes=np.bool_(True)))
    assert [type(plain[name]) for name in ("number", "whole", "yes")] == [float, int, bool]


def test_infinite_scores_are_written_in_words():
    assert to_plain(COUNTS[6])["scores"] == ["-inf", 0.1, 0.3, "inf"]


@pytest.mark.parametrize("value", [nan, inf, -inf])
def test_what_json_cannot_hold_is_refused_with_its_place(value):
    with pytest.raises(RequestError, match=r"Outer\.many\[1\]\.x is (nan|-?inf)"):
        to_plain(Outer(many=(Inner(x=0.0), Inner(x=value))))


@pytest.mark.parametrize(
    ("field", "value", "place"),
    [
        ("number", "0.5", r"Outer\.number is '0\.5'; expected number"),
        ("number", True, r"Outer\.number is True"),
        ("number", 10**400, r"Outer\.number is 1000"),
        ("whole", 1.0, r"Outer\.whole is 1\.0; expected integer"),
        ("whole", 10**400, r"Outer\.whole is 1000.*; expected a finite number"),
        ("whole", True, r"Outer\.whole is True"),
        ("text", None, r"Outer\.text is None; expected string"),
        ("text", "\ud800", r"Outer\.text is .*UTF-8"),
        ("yes", 1, r"Outer\.yes is 1; expected boolean"),
        ("word", "c", r"Outer\.word is 'c'; expected one of 'a', 'b'"),
        ("inner", [], r"Outer\.inner is \[\]"),
        ("inner", {"x": None}, r"Outer\.inner\.x is None"),
        ("inner", {"x": 1.0, "y": 2}, r"Outer\.inner has unknown keys: y"),
        ("inner", {}, r"Outer\.inner lacks keys: x"),
        ("many", {"x": 1.0}, r"Outer\.many is "),
        ("many", [{"x": 1.0}, {"x": "b"}], r"Outer\.many\[1\]\.x is 'b'"),
        ("pair", ["a"], r"Outer\.pair is \['a'\]; expected a list of 2"),
        ("pair", ["a", 1, 2], r"Outer\.pair"),
        ("either", {"x": 1.0}, r"Outer\.either is "),
        ("mixed", [], r"Outer\.mixed is \[\]"),
    ],
)
def test_anything_of_another_type_is_refused_with_its_place(field, value, place):
    with pytest.raises(RequestError, match=place):
        from_plain(Outer, to_plain(Outer()) | {field: value})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scores", "many"),
        ("scores", [0.1, "nan"]),
        ("scores", [[0.1], 0.2]),
        ("positives", [0.5]),
        ("positives", [10**30]),
    ],
)
def test_a_damaged_column_of_scores_is_refused(field, value):
    table = ScoreTable.from_scores([0.1], [])
    with pytest.raises(RequestError, match=f"ScoreTable.{field}"):
        from_plain(ScoreTable, to_plain(table) | {field: value})


def test_counts_that_contradict_themselves_are_refused_with_their_place():
    plain = to_plain(COUNTS[0])
    with pytest.raises(CountsError, match="Confusion: A class is named twice"):
        from_plain(Confusion, plain | {"classes": ["cat", "cat", "dog"]})
    plain = to_plain(COUNTS[5])
    with pytest.raises(CountsError, match="Trials: 2 systems, 1 right"):
        from_plain(Trials, plain | {"correct": [1]})


def test_wrong_things_are_refused_on_writing_too():
    with pytest.raises(RequestError, match=r"Outer\.many is \[\]; expected a tuple"):
        to_plain(Outer(many=[]))
    with pytest.raises(RequestError, match=r"Outer\.inner is 3"):
        to_plain(Outer(inner=3))
    with pytest.raises(RequestError, match="cannot be saved"):
        to_plain(Unsaved(bag={}))
    with pytest.raises(RequestError, match="rebuilt from a dict"):
        from_plain(Outer, [])


def test_a_caveat_is_saved_as_its_words_and_keeps_its_code_when_copied():
    doubt = Caveat("no upper limit here", code="about-limits")
    found = Proportion(measure="recall", successes=8, trials=10, caveats=(doubt,))
    (saved,) = found.to_dict()["caveats"]
    assert type(saved) is str
    assert Proportion.from_dict(found.to_dict()) == found
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert Caveat.code_of(again.caveats[0]) == "about-limits"
    assert Caveat.code_of("no upper limit here") is None


def test_an_alias_of_a_type_is_the_type():
    """Newer Pythons have aliases of their own, and there numpy names its arrays by one."""
    kind = TypeVar("kind", bound=np.generic)
    array = np.ndarray[tuple[int, ...], np.dtype[kind]]  # type: ignore[valid-type]
    alias = TypeAliasType("alias", array, type_params=(kind,))
    shape = shape_of(alias[np.float64])
    assert shape.write(np.array([1.5, 2.0]), ("x",)) == [1.5, 2.0]
