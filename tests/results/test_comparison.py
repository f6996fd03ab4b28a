"""Words, tables and rows of a comparison."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import steelyard as sy
from steelyard.display.text import display_width
from steelyard.results import read_result

FIXTURE = Path(__file__).parent / "fixtures" / "comparison-1.json"


@pytest.fixture
def comparison():
    return read_result(FIXTURE.read_text(encoding="utf-8"))


def test_a_comparison_saved_before_akaike_and_tiers_were_known_is_read(comparison):
    saved = json.loads(FIXTURE.read_text(encoding="utf-8"))
    for name in ("margin", "priors", "slices"):
        del saved[name]
    for one in saved["systems"]:
        del one["tier"], one["loss"]
    for pair in saved["pairs"]:
        del pair["aic_difference"], pair["aic_verdict"], pair["equivalent"]
    old = read_result(json.dumps(saved))
    assert old.slices == old.priors == ()
    assert {one.tier for one in old.systems} == {None}
    assert "tier" not in old.text()
    assert "AIC" not in old.text()
    assert "AIC" not in old.methods()
    assert old.sentence() == comparison.sentence()


def test_akaike_and_nearness_stand_in_the_rows(comparison):
    pair = replace(comparison.pairs[0], aic_difference=-1.5, aic_verdict="same", equivalent=0.97)
    rows = {row["measure"]: row for row in pair.rows()}
    assert rows["AIC difference"]["value"] == -1.5
    assert rows["AIC verdict"]["reason"] == "same"
    assert rows["probability equivalent"]["value"] == 0.97
    system = replace(comparison.systems[0], tier="ab", loss=0.002)
    rows = {row["measure"]: row for row in system.rows()}
    assert rows["tier"]["reason"] == "ab"
    assert rows["expected loss"]["value"] == 0.002


def test_akaike_gives_way_where_room_is_short_and_nothing_else_does(comparison):
    pairs = tuple(replace(one, aic_difference=0.4, equivalent=None) for one in comparison.pairs)
    shown = replace(comparison, pairs=pairs)
    assert "ΔAIC" in shown.tables()[1].text(100)
    narrow = shown.tables()[1].text(74)
    assert "ΔAIC" not in narrow
    assert "verdict" in narrow.split("\n")[1]
    assert all(display_width(line) <= 74 for line in narrow.split("\n"))


@pytest.mark.parametrize(
    ("difference", "shown"),
    [(0.04, "0.0"), (-1.06, "-1.1"), (9.6, "+9.6"), (9.97, "+10"), (171.8, "+172")],
)
def test_a_difference_of_akaike_has_a_decimal_near_its_limits(comparison, difference, shown):
    pairs = tuple(replace(one, aic_difference=difference) for one in comparison.pairs)
    table = replace(comparison, pairs=pairs).tables()[1]
    place = [column.name for column in table.columns].index("ΔAIC")
    assert table.rows[0][place] == shown


def test_a_probability_that_rounds_to_1_is_never_called_certain():
    found = sy.compare(
        sy.Outcomes.from_pair(both=0, first=100_000, second=0, neither=0, systems=("a", "b"))
    )
    assert found.systems[0].best == 1.0  # the rest is below the smallest float beside 1
    assert "probability >0.9999" in found.sentence().replace("\n", " ")
    assert "1.000\n" not in found.text()


@pytest.fixture(scope="module")
def forty():
    """Forty systems, of which the first few cannot be told apart."""
    correct = {f"s{place:02d}": 400 + 12 * place for place in range(40)}
    return sy.compare(sy.Trials(correct=correct, tested=1000, pairing="independent"))


def test_of_many_pairs_those_the_headline_speaks_of_come_first(forty):
    rivals = {
        pair.first if pair.second == "s39" else pair.second
        for pair in forty.pairs
        if "s39" in {pair.first, pair.second} and pair.verdict == "undecided"
    }
    assert 1 < len(rivals) < 20
    (table,) = (one for one in forty.tables() if one.title.startswith("Pairs"))
    shown = [(row[0], row[1], row[-1]) for row in table.rows]
    assert {first for first, *_ in shown} == {"s39"}
    assert {second for _, second, verdict in shown if verdict == "undecided"} == rivals
    nearest = [f"s{place:02d}" for place in range(38, 18, -1)]
    assert [second for _, second, _ in shown] == nearest
    assert forty.chart().summary.startswith("20 of 780 differences: s39 − s38 ")


def test_what_is_cut_from_the_pairs_is_said_in_table_and_chart(forty):
    (table,) = (one for one in forty.tables() if one.title.startswith("Pairs"))
    counted = {"different": 0, "undecided": 0}
    for pair in forty.pairs:
        counted[pair.verdict] += 1
    shown = [row[-1] for row in table.rows]
    left = {verdict: number - shown.count(verdict) for verdict, number in counted.items()}
    assert f"760 are not shown ({left['undecided']} undecided and" in table.note
    assert f"{left['different']} different)" in table.note
    assert "--" not in table.note
    assert forty.chart().notes[0] == table.note


def test_systems_of_equal_chance_are_drawn_in_the_order_of_the_table(forty):
    order = [row[0] for row in forty.tables()[0].rows]
    drawn = forty.chart(kind="best").summary.split(": ")[1].rstrip(".").split(", ")
    names = [one.split(" ")[0] for one in drawn]
    assert len(names) >= 12
    assert names[-5:] == [name for name in order if name in names][-5:]
