"""No interval, test or probability without a certificate that searches for its worst cell."""

from inspect import isfunction

import pytest

from certificates import CERTIFICATES, FAMILIES
from certificates.public import ANSWERED_BY, NO_CLAIM
from certificates.search import Search
from steelyard import comparison, measures, planning, uncertainty

ROOMS = (uncertainty, measures, comparison, planning)
ANSWERED = [name for names in ANSWERED_BY.values() for name in names]
BESIDE = [name for names in NO_CLAIM.values() for name in names]


@pytest.mark.parametrize("room", ROOMS)
def test_every_function_has_a_certificate_or_a_reason_to_need_none(room):
    public = {name for name in room.__all__ if isfunction(getattr(room, name))}
    assert public - {*ANSWERED} - {*BESIDE} == set(), "name it in certificates/public.py"


def test_a_function_stands_in_one_place_and_exists():
    public = {name for room in ROOMS for name in room.__all__}
    assert len(ANSWERED) + len(BESIDE) == len({*ANSWERED, *BESIDE})
    assert {*ANSWERED, *BESIDE} <= public


def test_no_claim_stands_on_chosen_points():
    at_points = [
        name for name, one in CERTIFICATES.items() if not isinstance(one.experiment, Search)
    ]
    assert at_points == []


def test_functions_are_answered_for_by_families_that_exist():
    assert set(ANSWERED_BY) <= set(FAMILIES)
