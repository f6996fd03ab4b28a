"""Every function has the digits that the table of accuracy says, at the same arguments."""

import json
from inspect import isfunction

import pytest

from accuracy import CASES, CHAPTERS, lre
from accuracy.beside import BESIDE
from accuracy.cases import kept_path
from steelyard import comparison, measures, planning, uncertainty

KEPT = json.loads(kept_path().read_text(encoding="utf-8"))
JUDGED = {one.name: one for judged in CHAPTERS.values() for one in judged}
CHEAP = (
    "wilson_interval",
    "clopper_pearson_interval",
    "mcnemar, mid-p",
    "discordant_evidence",
    "holm",
    "wald_test",
    "pair_posterior",
    "delong_variance",
    "fisher_exact",
    "wilson_width",
)


@pytest.mark.parametrize("name", sorted(JUDGED))
def test_no_digit_is_lost(name):
    for case in JUDGED[name].cases():
        right = KEPT[case.name]
        assert min(case.digits(right)) >= JUDGED[name].least, (case.name, case.ours(), right)


@pytest.mark.parametrize("name", CHEAP)
def test_what_is_kept_is_what_seventy_digits_say(name):
    for case in JUDGED[name].cases()[::7]:
        assert KEPT[case.name] == list(case.right())


def test_a_call_stands_in_the_table_once():
    names = [case.name for case in CASES]
    assert len(names) == len(set(names))
    assert set(KEPT) == set(names)


def test_a_wrong_digit_is_seen():
    assert lre(0.3333333, "0.33333333333333333333333333") == pytest.approx(7, abs=0.1)
    assert lre(1 / 3, "0.33333333333333333333333333") > 15.8
    assert lre(1e-16, "0") == pytest.approx(15.9, abs=0.2)
    assert lre(1e-9, "2e-9") == pytest.approx(0.3, abs=0.1)
    assert lre(1e-9, "2e-9", absolute=True) == pytest.approx(9, abs=0.1)


@pytest.mark.parametrize("room", [uncertainty, measures, comparison, planning])
def test_every_function_is_judged_or_has_a_reason_not_to_be(room):
    public = {name for name in room.__all__ if isfunction(getattr(room, name))}
    judged = {name.split(",")[0] for name in JUDGED}
    beside = {name for names in BESIDE.values() for name in names}
    assert public - judged - beside == set()


def test_no_reason_is_left_over():
    public = {n for room in (uncertainty, measures, comparison, planning) for n in room.__all__}
    beside = [name for names in BESIDE.values() for name in names]
    assert len(beside) == len(set(beside))
    assert set(beside) <= public
    assert not set(beside) & {name.split(",")[0] for name in JUDGED}
