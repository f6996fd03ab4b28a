"""No interval, test or probability without a certificate that searches for its worst cell."""

from inspect import isfunction

import pytest

from certificates import CERTIFICATES, FAMILIES
from certificates.public import ANSWERED_BY, AT_POINTS, NO_CLAIM
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


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_searches_its_space_and_says_why_some_of_it_stands_at_points(family):
    declared = [one for one in CERTIFICATES.values() if one.family == family]
    searched = [isinstance(one.experiment, Search) for one in declared]
    assert any(searched)
    assert all(searched) != (family in AT_POINTS), "certificates/public.py: AT_POINTS"


def test_functions_are_answered_for_by_families_that_exist():
    assert set(ANSWERED_BY) <= set(FAMILIES)
