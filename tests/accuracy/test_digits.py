"""Every function has the digits that the table of accuracy says, at the same arguments."""

import json

import pytest

from accuracy import CASES, lre
from accuracy.cases import LEAST, kept_path

KEPT = json.loads(kept_path().read_text(encoding="utf-8"))
FUNCTIONS = sorted({case.function for case in CASES})
CHEAP = ("wilson_interval", "clopper_pearson_interval", "mcnemar, mid-p", "discordant_evidence")


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_digit_is_lost(function):
    for case in CASES:
        if case.function == function:
            for ours, right in zip(case.ours(), KEPT[case.name], strict=True):
                assert lre(ours, right) >= LEAST[function], (case.name, ours, right)


@pytest.mark.parametrize("function", CHEAP)
def test_what_is_kept_is_what_fifty_digits_say(function):
    some = [case for case in CASES if case.function == function][::7]
    for case in some:
        assert KEPT[case.name] == list(case.right())


def test_a_wrong_digit_is_seen():
    assert lre(0.3333333, "0.33333333333333333333333333") == pytest.approx(7, abs=0.1)
    assert lre(1 / 3, "0.33333333333333333333333333") > 15.8
    assert lre(1e-16, "0") == pytest.approx(15.9, abs=0.2)
