"""Tables of published results: what is no share of right answers is never taken for one."""

import pytest

import steelyard as sy
from steelyard.errors import SteelyardError


def asked(tmp_path, heading, cells, items=("500", "500")):
    lines = [f"| Model | {heading} | N |", "|---|---|---|"]
    lines += [
        f"| {name} | {cell} | {n} |" for name, cell, n in zip("ab", cells, items, strict=True)
    ]
    (tmp_path / "board.md").write_text("\n".join(lines) + "\n")
    return sy.compare(str(tmp_path / "board.md"))


@pytest.mark.parametrize(
    "heading",
    [
        "Error rate", "Error (%)", "WER", "Miss rate", "False alarms", "FPR", "Hallucinations",
        "Wrong", "Failures", "EER", "Refusal rate",
    ],
)  # fmt: skip
@pytest.mark.parametrize("cells", [("81.2%", "79.4%"), ("0.812", "0.794")])
def test_a_share_of_mistakes_is_no_share_of_right_answers(tmp_path, heading, cells):
    with pytest.raises(SteelyardError, match="no share of right answers"):
        asked(tmp_path, heading, cells)


@pytest.mark.parametrize("heading", ["Accuracy", "MMLU", "Answered", "Submissions", "Power set"])
def test_a_share_with_its_sign_is_one_whatever_its_column_is_called(tmp_path, heading):
    found = asked(tmp_path, heading, ("81.2%", "79.4%"))
    assert [round(500 * one.rate.value) for one in found.systems] == [406, 397]


@pytest.mark.parametrize("written", ["5,00", "50,0", "5 00", "1,3190", "5__00", "500,"])
def test_a_number_of_items_in_odd_groups_is_none(tmp_path, written):
    with pytest.raises(SteelyardError, match="does not say how many items"):
        asked(tmp_path, "Accuracy", ("81.2%", "79.4%"), (written, "500"))
    with pytest.raises(SteelyardError):
        asked(tmp_path, "Accuracy", (f"{written}/500", "397/500"))
