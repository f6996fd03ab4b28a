"""A number for each item through every verb: goldens, layouts, directions, and what is refused."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import steelyard as sy
from steelyard.counts import Moments
from steelyard.errors import SteelyardError
from steelyard.sources import Roles, open_predictions
from steelyard.sources.roles.declared import SINGLE_ROLES
from steelyard.sources.roles.layout import CARRIED
from steelyard.surfaces.cli.entry import steelyard as entry
from steelyard.tally import moments as room
from steelyard.tally import tally_moments, tally_moments_by
from tests.golden.values_cases import CASES, FOLDER, named
from tests.typed import type_words

GRADES = {"a": [4, 5, 3, 2, 5, 4, 3, 4, 5, 1], "b": [4, 4, 5, 3, 5, 5, 4, 4, 5, 2]}


def near(found, expected):
    assert found == pytest.approx(expected, rel=1e-11, abs=1e-13)


def ends(estimate):
    return estimate.interval.low, estimate.interval.high


@pytest.mark.parametrize(("case", "data", "expected"), named("paired"))
def test_a_paired_comparison_is_that_of_scipy(case, data, expected):
    del case
    columns = {"x": data["x"], "y": data["y"]}
    (pair,) = sy.compare(columns, value=["x", "y"], higher_is_better=True).pairs
    near(pair.difference.value, expected["mean_difference"])
    near(pair.p_value, expected["t_p"])
    near(ends(pair.difference), expected["t_ci95"])
    assert [pair.wins, pair.ties, pair.losses] == expected["win_tie_loss"]


@pytest.mark.parametrize(("case", "data", "expected"), named("ratio"))
@pytest.mark.parametrize("by", ["items", "clusters"])
def test_a_ratio_of_sums_is_that_of_linearisation(case, data, expected, by):
    del case
    columns = {"s.errors": data["x"], "words": data["w"], "cluster": data["cluster"]}
    cluster = {"cluster": "" if by == "items" else "cluster"}
    (system,) = sy.evaluate(columns, errors=["s.errors"], per="words", **cluster).systems
    near(system.centre.value, expected[by]["ratio"])
    near(system.centre.standard_error, expected[by]["se"])
    # Very uneven clusters leave fewer degrees of freedom than G - 1, and wider limits.
    uneven = any("degrees of freedom" in one for one in system.caveats)
    if not uneven:
        near(ends(system.centre), expected[by]["ci95_log_t"])
    else:
        assert ends(system.centre)[1] > expected[by]["ci95_log_t"][1]
    if "x2" not in data:
        return
    two = {**columns, "t.errors": data["x2"], "w2": data.get("w2", data["w"])}
    names = ["s.errors", "t.errors"]
    per = ["words", "w2"] if "w2" in data else "words"
    (pair,) = sy.compare(two, errors=names, per=per, **cluster).pairs
    near(pair.difference.value, expected[f"difference_{by}"]["difference"])
    near(pair.difference.standard_error, expected[f"difference_{by}"]["se"])
    if not uneven:
        near(pair.p_value, expected[f"difference_{by}"]["p"])
        near(ends(pair.difference), expected[f"difference_{by}"]["ci95_t"])


@pytest.mark.parametrize(("case", "data", "expected"), named("cluster-mean"))
def test_a_mean_over_clusters_is_that_of_statsmodels(case, data, expected):
    del case
    columns = {"x": data["x"], "cluster": data["cluster"]}
    (system,) = sy.evaluate(columns, value="x").systems
    near(system.centre.value, expected["x"]["mean"])
    near(system.centre.standard_error, expected["x"]["se_cluster"])


@pytest.mark.parametrize(("case", "data", "expected"), named("datasets"))
def test_ranks_over_data_sets_are_those_of_autorank(case, data, expected):
    del case
    table = dict(zip(data["algorithms"], zip(*data["rows"], strict=True), strict=True))
    better = {"higher_is_better" if data["higher_is_better"] else "lower_is_better": True}
    found = sy.compare(table, layout="datasets", **better)
    near([one.mean_rank for one in found.systems], expected["mean_ranks"])
    near(found.chi_square, expected["friedman_tie_corrected"]["chi2"])
    near(found.p_value, expected["iman_davenport_tie_corrected"]["p"])
    assert found.charts()["critical-difference"]().summary.startswith(
        "Mean ranks over 30 data sets"
    )


@pytest.mark.parametrize("row", range(2))
def test_a_plan_from_spreads_and_correlation_is_that_of_statsmodels(row):
    asked = CASES["plan-2"]["data"]["rows"][row]
    expected = CASES["plan-2"]["expected"]["rows"][row]
    found = sy.plan(
        question="value",
        difference=asked["difference"],
        spread=(asked["sd1"], asked["sd2"]),
        correlation=asked["correlation"],
        samples=asked["n_given"],
    )
    assert found.samples == expected["n"]
    near(found.asked.reached, expected["power_at_n_given"])


def columns_of(kind, size=300):
    rng = np.random.default_rng(5)
    made = {
        "whole": lambda: rng.integers(0, 9, size).astype(float),
        "decimals": lambda: rng.normal(0, 3, size).round(2),
        "floats": lambda: rng.normal(0, 1, size),
        "wide": lambda: rng.lognormal(0, 4, size),
    }[kind]
    return {
        "a": made(),
        "b": made(),
        "words": rng.integers(1, 30, size),
        "weight": rng.integers(1, 4, size),
        "cluster": rng.integers(0, 9, size).astype(str),
    }


@pytest.mark.parametrize("kind", ["whole", "decimals", "floats", "wide"])
@pytest.mark.parametrize("per", [None, "words"])
def test_sql_numpy_and_arrays_give_the_same_sums_to_the_last_digit(kind, per):
    held = columns_of(kind)
    if kind in {"decimals", "floats"}:
        held |= {name: np.abs(held[name]) for name in "ab"}
    named_so = {"errors": ["a", "b"], "per": per} if per else {"value": ["a", "b"]}
    better = {} if per else {"lower_is_better": True}
    roles = Roles.of(**named_so, **better, weight="")
    found = open_predictions(held, roles)
    streamed = tally_moments(found)
    columns = room._columns(found, found.systems)
    spans, items = room._spans(found, columns)
    grids = [room.Grid.of(span) for span in spans]
    ((_, _, _, sums, products),) = room._sum_parts(found, columns, grids, "''")
    by_sql = Moments.from_steps(
        systems=["a", "b"], items=items, spans=spans, sums=sums, products=products,
        per=columns.per, of=columns.of,
    )  # fmt: skip
    arrays = Moments.from_arrays(
        {name: held[name] for name in "ab"}, per={"words": held["words"]} if per else None
    )
    assert streamed == by_sql == arrays
    assert tally_moments_by(found, "cluster").merged() == streamed


def test_weights_of_one_change_no_digit_and_others_are_a_ratio_of_sums():
    held = {**GRADES, "weight": [1] * 10}
    roles = {"value": ["a", "b"], "higher_is_better": True}
    plain, weighted = sy.compare(GRADES, **roles), sy.compare(held, **roles)
    near(weighted.pairs[0].p_value, plain.pairs[0].p_value)
    near(ends(weighted.pairs[0].difference), ends(plain.pairs[0].difference))
    held["weight"] = [1, 2] * 5
    first = sy.evaluate(held, value="a").systems[0].centre.value
    near(first, np.average(GRADES["a"], weights=held["weight"]))


def test_wide_long_and_joined_tables_say_the_same(tmp_path):
    import pandas as pd

    roles = {"value": ["a", "b"], "higher_is_better": True}
    wide = sy.compare(pd.DataFrame(GRADES), **roles)
    items = [*range(10)] * 2
    long = {
        "id": items,
        "model": ["a"] * 10 + ["b"] * 10,
        "grade": [*GRADES["a"], *GRADES["b"]],
    }
    tall = sy.compare(pd.DataFrame(long), value="grade", system="model", item="id")
    files = {}
    for name in "ab":
        files[name] = tmp_path / f"{name}.csv"
        pd.DataFrame({"id": range(10), "grade": GRADES[name]}).to_csv(files[name], index=False)
    joined = sy.compare(files, value="grade", item="id")
    for other in (tall, joined):
        assert other.pairs == tuple(
            type(pair)(**{**pair_fields(pair), "difference": other.pairs[0].difference})
            for pair in wide.pairs
        )
        assert other.pairs[0].difference.value == wide.pairs[0].difference.value
        assert other.value.known_by == "by the name: grade"


def pair_fields(pair):
    from dataclasses import fields

    return {one.name: getattr(pair, one.name) for one in fields(pair)}


@pytest.mark.parametrize(
    ("columns", "better", "name", "systems"),
    [
        (["cnn.latency", "svm.latency"], "lower", "latency", ("cnn", "svm")),
        (["a_wer", "b_wer"], "lower", "wer", ("a", "b")),
        (["iou_a", "iou_b"], "higher", "iou", ("a", "b")),
        (["cnn.cost_usd", "svm.cost_usd"], "lower", "cost_usd", ("cnn", "svm")),
        (["a.RewardScore", "b.RewardScore"], "higher", "RewardScore", ("a", "b")),
        (["a.error_rate", "b.error_rate"], "lower", "error_rate", ("a", "b")),
    ],
)
def test_the_better_way_is_known_by_the_name_and_shown(columns, better, name, systems):
    table = dict(zip(columns, ([0.1, 0.2, 0.4, 0.3], [0.2, 0.4, 0.4, 0.5]), strict=True))
    found = sy.compare(table, value=columns)
    assert (found.value.better, found.value.name) == (better, name)
    assert tuple(one.system for one in found.systems) == systems
    assert f"better: {better} (by the name:" in found.text(200)
    leads = systems[0] if better == "lower" else systems[1]
    assert found.sentence().startswith(leads)


def test_nobody_guesses_which_way_is_better():
    with pytest.raises(SteelyardError, match="Is a lower or a higher value better"):
        sy.compare(GRADES, value=["a", "b"])
    assert sy.evaluate(GRADES, value=["a", "b"]).value.better is None


def test_lower_is_better_turns_who_wins_not_the_difference():
    low = sy.compare(GRADES, value=["a", "b"], lower_is_better=True)
    high = sy.compare(GRADES, value=["a", "b"], higher_is_better=True)
    assert low.pairs[0].difference == high.pairs[0].difference
    near(low.pairs[0].better, 1 - high.pairs[0].better)
    assert low.pairs[0].wins == high.pairs[0].losses
    assert [one.rank_low for one in low.systems] == [one.rank_low for one in high.systems][
        ::-1
    ] or (low.pairs[0].verdict == "undecided")


INF, NAN = float("inf"), float("nan")
BAD = {
    "nan": ({"a": [1, NAN, 3], "b": [1, 2, 3]}, {}, "missing-value"),
    "nothing": ({"a": [1, None, 3], "b": [1, 2, 3]}, {}, "missing-value"),
    "infinite": ({"a": [1, INF, 3], "b": [1, 2, 3]}, {}, "value-infinite"),
    "too large": ({"a": [1, 1e120, 3], "b": [1, 2, 3]}, {}, "value-too-large"),
    "text": ({"a": ["1", "two", "3"], "b": [1, 2, 3]}, {}, "value-not-a-number"),
    "flags": ({"a": [True, False, True], "b": [1, 2, 3]}, {}, "holds-other"),
    "outside": ({"a": [1, 7, 3], "b": [1, 2, 3]}, {"range": (1, 5)}, "value-outside"),
    "one item": ({"a": [1], "b": [2]}, {}, "one-item"),
    "units": (
        {"a": [0.1, 0.9, 0.5, 0.7], "b": [30, 80, 55, 61]}, {}, "units-mixed"
    ),
    "no range": ({"a": [1, 2], "b": [1, 2]}, {"range": (5, 1)}, None),
    "both ways": ({"a": [1, 2], "b": [1, 2]}, {"lower_is_better": True}, None),
    "other role": ({"a": [1, 2], "b": [1, 2]}, {"outcome": ["b"]}, None),
}  # fmt: skip


@pytest.mark.parametrize("bad", BAD)
def test_values_that_cannot_be_compared_are_refused_in_words(bad, tmp_path):
    columns, more, code = BAD[bad]
    roles = {"value": ["a", "b"], "higher_is_better": True, **more}
    with pytest.raises(SteelyardError) as refused:
        sy.compare(columns, **roles)
    if code is not None:
        codes = {refused.value.code, *(one.code for one in getattr(refused.value, "faults", ()))}
        assert code in codes
    lines = [",".join(columns)]
    lines += [
        ",".join("" if v is None else str(v) for v in row)
        for row in zip(*columns.values(), strict=True)
    ]
    (tmp_path / "v.csv").write_text("\n".join(lines) + "\n")
    typed = ["compare", str(tmp_path / "v.csv"), "--value", "a,b", "--higher-is-better"]
    for name, value in more.items():
        text = ",".join(map(str, value)) if isinstance(value, tuple | list) else None
        typed += [f"--{name.replace('_', '-')}", *([text] if text else [])]
    shown = CliRunner().invoke(entry, typed)
    assert shown.exit_code in {1, 2}
    assert "Traceback" not in shown.output + str(shown.exception)


RATIOS = {
    "zero words": ({"a.errors": [1, 0], "b.errors": [0, 1], "words": [5, 0]}, "denominator"),
    "negative errors": (
        {"a.errors": [1, -1], "b.errors": [0, 1], "words": [5, 4]}, "errors-negative"
    ),
    "negative words": ({"a.errors": [1, 1], "b.errors": [0, 1], "words": [5, -4]}, "denominator"),
    "no words": ({"a.errors": [1, 1], "b.errors": [0, 1], "words": [5, NAN]}, "missing-value"),
}  # fmt: skip


@pytest.mark.parametrize("bad", RATIOS)
def test_ratios_over_nothing_and_negative_errors_are_refused(bad):
    columns, code = RATIOS[bad]
    with pytest.raises(SteelyardError) as refused:
        sy.compare(columns, errors=["a.errors", "b.errors"], per="words")
    assert code in {one.code for one in refused.value.faults}


@pytest.mark.parametrize(
    ("roles", "word"),
    [
        ({"errors": ["a", "b"]}, "out of how many"),
        ({"value": "a", "errors": ["b"], "per": "w"}, "Name them once"),
        ({"per": "w"}, "none is declared"),
        ({"errors": ["a", "b"], "per": ["w", "w", "w"]}, "one for all, or one for each"),
        ({"value": ["a", "zz"]}, "zz"),
        ({"range": "1,5", "truth": "a"}, "none is declared"),
    ],
)
def test_roles_of_values_that_do_not_fit_are_refused(roles, word):
    columns = {"a": [1, 2, 3], "b": [2, 2, 3], "w": [5, 6, 7]}
    with pytest.raises(SteelyardError, match=word):
        sy.compare(columns, **roles)


def test_missing_values_may_be_left_out_on_purpose_and_are_counted():
    columns = {"a": [1, NAN, 3, 4], "b": [1, 2, 2, NAN]}
    found = sy.compare(columns, value=["a", "b"], higher_is_better=True, missing="exclude")
    assert found.items == 2
    assert {(one.system, one.rows) for one in found.provenance.excluded} == {("a", 1), ("b", 1)}


def test_equal_values_have_no_interval_and_say_so():
    found = sy.evaluate({"a": [3, 3, 3, 3]}, value="a", higher_is_better=True)
    assert found.systems[0].centre.interval is None
    assert "no spread and no interval" in found.text()
    bounded = sy.evaluate({"a": [3, 3, 3, 3]}, value="a", range=(1, 5), higher_is_better=True)
    low, high = ends(bounded.systems[0].bounded)
    assert 1 <= low < 3 < high <= 5


def test_a_constant_difference_is_decided_by_its_signs_not_called_the_same():
    clean, worse = [0] * 30, [1] * 30
    columns = {"clean.errors": clean, "worse.errors": worse, "words": [9] * 30}
    found = sy.compare(columns, errors=["clean.errors", "worse.errors"], per="words")
    (pair,) = found.pairs
    assert pair.p_value == 2.0**-29
    assert pair.winner == "clean"
    assert pair.difference.interval is None


def test_identical_systems_are_not_told_apart():
    found = sy.compare({"a": [1, 2, 4], "b": [1, 2, 4]}, value=["a", "b"], lower_is_better=True)
    assert (found.pairs[0].p_value, found.pairs[0].verdict) == (1.0, "undecided")
    assert [one.best for one in found.systems] == [0.5, 0.5]


def test_no_error_at_all_says_how_many_items_may_have_one():
    found = sy.evaluate({"a.errors": [0] * 50, "words": [7] * 50}, errors="a.errors", per="words")
    assert "3 in 50" in found.text()


def test_a_quantile_beyond_the_items_is_bounded_by_the_range_or_says_that_they_are_few():
    few = {"a": [3.5, 2.0, 4.0, 1.5, 5.0]}
    for one in sy.evaluate(few, value="a").systems[0].quantiles:
        assert (one.interval, one.reason) == (None, "too few items")
    median, far = sy.evaluate(few, value="a", range=(1, 5)).systems[0].quantiles
    assert (ends(median), ends(far)) == ((1, 5), (4, 5))
    words = {"a.errors": [0, 0, 0, 1, 2, 3], "words": [9] * 6, "who": list("aabbcc")}
    asked = {"errors": ["a.errors"], "per": "words"}
    clustered = sy.evaluate(words, cluster="who", **asked).systems[0].quantiles
    assert {one.reason for one in clustered} == {"too few clusters"}
    assert ends(sy.evaluate({**words, "a.errors": [0, 0, 1, 2, 3, 4]}, cluster="", **asked)
                .systems[0].quantiles[0]) == (0, 4 / 9)  # fmt: skip


def test_the_bars_of_all_systems_are_the_same_so_that_none_is_empty_by_chance():
    rng = np.random.default_rng(2)
    rows = {"a": rng.uniform(10, 200, 3000), "b": rng.uniform(0, 450, 3000)}
    one, two = sy.evaluate(rows, value=["a", "b"]).systems
    assert [bar[:2] for bar in one.bins] == [bar[:2] for bar in two.bins]
    assert min(bar[2] for bar in two.bins) > 50
    assert sum(bar[2] for bar in one.bins) == 3000
    low, high = two.bins[0][0], two.bins[-1][1]
    drawn = json.dumps(sy.evaluate(rows, value=["a", "b"]).charts()["distribution"]().spec())
    assert f'"low": {low}' in drawn and f'"high": {high}' in drawn
    grades = sy.evaluate({"a": [3, 4, 3, 4], "b": [1, 5, 2, 3]}, value=["a", "b"]).systems
    assert [bar[2] for bar in grades[0].bins] == [0, 0, 2, 2, 0]
    words = {"a.errors": [1, 0, 3], "b.errors": [0, 2, 2], "words": [10, 4, 6]}
    ratios = sy.evaluate(words, errors=["a.errors", "b.errors"], per="words").systems
    assert (ratios[1].bins[0][0], ratios[1].bins[-1][1]) == (0, 0.5)


def test_both_orders_are_said_where_the_mean_of_ratios_ranks_otherwise():
    columns = {"a.errors": [9, 0, 0], "b.errors": [0, 1, 1], "words": [100, 2, 2]}
    found = sy.compare(columns, errors=["a.errors", "b.errors"], per="words")
    said = " ".join(found.caveats)
    assert "the order is another: a 0.03 and b 0.3333" in said
    assert "by the ratio of sums it is b and a" in said


def test_cutting_grades_says_its_price_in_items():
    found = sy.compare(GRADES, value=["a", "b"], higher_is_better=True, threshold=4)
    assert found.measure == "accuracy"
    assert any("1.8 times the items" in one for one in found.caveats)


def test_values_of_nothing_but_0_and_1_are_offered_as_right_and_wrong():
    found = sy.compare(
        {"a": [0, 1, 1, 0], "b": [1, 1, 1, 0]}, value=["a", "b"], higher_is_better=True
    )
    assert any("--outcome a,b" in one for one in found.caveats)


def test_a_column_of_numbers_is_offered_as_values_where_it_is_no_answer():
    with pytest.raises(SteelyardError, match="--value a"):
        sy.compare(GRADES)
    with pytest.raises(SteelyardError, match="--value a"):
        sy.compare(GRADES, outcome=["a", "b"])


@pytest.mark.parametrize(
    "method", ["paired-t", "win-rate", "sign", "wilcoxon", "permutation", "mapsswe"]
)
def test_every_method_goes_the_way_that_is_better(method):
    rng = np.random.default_rng(2)
    slow = rng.integers(3, 9, 60)
    columns = {"slow": slow, "fast": slow - 2 + rng.integers(0, 2, 60)}
    for better, best in (("lower_is_better", "fast"), ("higher_is_better", "slow")):
        if (method, best) == ("mapsswe", "slow"):  # of errors fewer are better
            continue
        found = sy.compare(columns, value=["slow", "fast"], method=method, **{better: True})
        assert found.answer.startswith(f"{best} is better than")


def test_the_matched_pair_test_of_segments_is_offered_for_errors_alone():
    rows = {"u": [3, 1, 0, 2, 4, 1, 0, 2], "v": [1, 1, 0, 1, 2, 0, 1, 1], "words": [9] * 8}
    halves = {name: [x / 2 for x in rows[name]] for name in "uv"}
    value = {"value": ["u", "v"]}

    def valid(table, **asked):
        with pytest.raises(SteelyardError, match="does not fit these data") as refused:
            sy.compare(table, method="delong", **asked)
        return "mapsswe" in str(refused.value)

    assert valid(rows, errors=["u", "v"], per="words")
    assert valid(rows, **value, lower_is_better=True)
    assert not valid(rows, **value, higher_is_better=True)
    assert not valid(halves, **value, lower_is_better=True)
    with pytest.raises(SteelyardError, match="it needs numbers of errors"):
        sy.compare(rows, method="mapsswe", **value, higher_is_better=True)


WHOSE = r"system='who' \(--system who\) and item='utt' \(--item utt\)"


def long_rows(*heads, items=12):
    item, system, value = heads
    return {
        item: [f"u{k}" for _ in "ab" for k in range(items)],
        system: [name for name in "ab" for _ in range(items)],
        value: [(k * k) % 7 / 10 for k in range(2 * items)],
    }


@pytest.mark.parametrize("order", [1, -1])
def test_a_long_table_is_asked_whose_rows_are_there_whatever_its_columns_are_called(
    order, tmp_path
):
    rows = dict([*long_rows("utt", "who", "wer").items()][::order])
    with pytest.raises(SteelyardError, match=f"Only one system .*{WHOSE}"):
        sy.compare(rows, value="wer")
    found = sy.compare(rows, value="wer", system="who", item="utt")
    assert {one.system for one in found.systems} == {"a", "b"}
    lines = [rows.keys(), *zip(*rows.values(), strict=True)]
    (tmp_path / "long.csv").write_text("\n".join(",".join(map(str, one)) for one in lines))
    typed = type_words(["compare", "long.csv", "--value", "wer"], folder=tmp_path)
    offered = "Type: steelyard compare long.csv --value wer --system who --item utt"
    assert offered in typed.words
    assert type_words(offered.split()[2:], folder=tmp_path).code == 0


def test_the_id_of_a_long_table_is_found_by_its_values():
    rows = long_rows("said", "system", "wer")
    for said in ({}, {"system": "system"}):
        with pytest.raises(SteelyardError, match=r"item='said' \(--item said\)"):
            sy.compare(rows, value="wer", **said)
    twice = {name: column * 2 for name, column in rows.items()}  # no column names the items
    with pytest.raises(SteelyardError, match="item='COLUMN'"):
        sy.compare(twice, value="wer")


@pytest.mark.parametrize("more", [{}, {"half": list("xy") * 6}, {"fold": list("abcdefghijkl")}])
def test_one_system_of_which_nothing_tells_others_is_offered_none(more):
    rows = {"grade": [1, 2, 3, 4, 5, 3] * 2, **more}
    with pytest.raises(SteelyardError, match="Only one system") as refused:
        sy.compare(rows, value="grade")
    assert "--system" not in str(refused.value)


@pytest.mark.parametrize("case", ["paired-2", "paired-3", "paired-4"])
def test_named_methods_give_the_exact_p_values_of_enumeration(case):
    data, expected = CASES[case]["data"], CASES[case]["expected"]
    columns, roles = (
        {"x": data["x"], "y": data["y"]},
        {"value": ["x", "y"], "higher_is_better": True},
    )
    sign = sy.compare(columns, method="sign", **roles).working["p_value"]
    near(sign, expected["sign_test_exact_p"])


def test_methods_of_single_items_are_not_asked_of_clusters():
    columns = {**GRADES, "cluster": list("aabbccddee")}
    with pytest.raises(SteelyardError, match="without weights or clusters"):
        sy.compare(columns, value=["a", "b"], higher_is_better=True, method="wilcoxon")


def test_a_gate_reads_margins_in_units_and_quantiles_by_name():
    rng = np.random.default_rng(3)
    old = rng.gamma(4, 20, 300)
    columns = {"old": old, "new": old * 0.9}
    roles = {"value": ["old", "new"], "lower_is_better": True, "candidate": "new"}
    found = sy.gate(
        columns, require=["better by 3", "p90 not worse by 5", "median better"], **roles
    )
    assert [one.outcome for one in found.checks] == ["passes"] * 3
    assert found.checks[0].advantage.value > 0
    for wrong in ("median better by 3%", "f1 better", "p0 better", "recall of ship better"):
        with pytest.raises(SteelyardError):
            sy.gate(columns, require=wrong, **roles)


def test_a_margin_of_values_may_be_larger_than_one():
    found = sy.compare(
        {"a": [100, 120, 130, 90] * 9, "b": [101, 119, 131, 90] * 9},
        value=["a", "b"], lower_is_better=True, margin=5,
    )  # fmt: skip
    assert found.pairs[0].verdict == "same"
    with pytest.raises(SteelyardError):
        sy.compare(GRADES, value=["a", "b"], lower_is_better=True, margin=-1)


def test_slices_are_adjusted_together_and_reversals_are_said():
    rng = np.random.default_rng(4)
    base = rng.normal(0, 0.1, 200)
    shift = np.where(np.arange(200) % 2, 1.0, -0.5)
    columns = {"a": base, "b": base + shift + rng.normal(0, 0.1, 200), "group": ["x", "y"] * 100}
    found = sy.compare(columns, value=["a", "b"], higher_is_better=True, by_group=True)
    assert [one.slice for one in found.slices] == ["x", "y"]
    assert any("look at the slices" in one for one in found.caveats)


def test_sums_alone_answer_what_the_rows_answer():
    rows = sy.compare(GRADES, value=["a", "b"], higher_is_better=True)
    sums = sy.compare(Moments.from_arrays(GRADES), higher_is_better=True)
    assert sums.pairs[0].p_value == rows.pairs[0].p_value
    with pytest.raises(SteelyardError, match="which way is better"):
        sy.compare(Moments.from_arrays(GRADES))
    with pytest.raises(SteelyardError, match="shares beside percent"):
        sy.compare(Moments.from_arrays({"a": [0.2, 0.4], "b": [31.0, 55.0]}), higher_is_better=True)


def test_sums_of_uneven_items_are_no_surer_than_their_rows():
    rng = np.random.default_rng(0)
    words = np.where(np.arange(30) == 0, 2000, rng.integers(3, 9, 30))
    held = {"a.errors": rng.poisson(0.1 * words), "b.errors": rng.poisson(0.13 * words)}
    rows = sy.compare({**held, "words": words}, errors=list(held), per="words").pairs[0]
    sums = {name.removesuffix(".errors"): one for name, one in held.items()}
    found = sy.compare(Moments.from_arrays(sums, per={"words": words}), lower_is_better=True)
    assert rows.p_value > 0.5 and found.pairs[0].p_value == rows.p_value
    assert found.pairs[0].difference.interval == rows.difference.interval
    assert any("weigh much more than others" in one for one in found.caveats)


def test_data_sets_with_missing_cells_or_text_are_refused_or_left_out_by_name():
    table = {"name": list("abcd"), "x": [0.1, 0.2, NAN, 0.4], "y": [0.2, 0.1, 0.5, 0.5]}
    with pytest.raises(SteelyardError, match="no value"):
        sy.compare(table, layout="datasets", lower_is_better=True)
    left = sy.compare(table, layout="datasets", lower_is_better=True, missing="exclude")
    assert left.datasets == 3
    for cell, said in (("-", "no value"), ("many", "which columns hold results")):
        odd = {**table, "x": ["0.1", cell, "0.3", "0.4"]}
        with pytest.raises(SteelyardError, match=said):
            sy.compare(odd, layout="datasets", lower_is_better=True)
    with pytest.raises(SteelyardError, match="Is a lower or a higher"):
        sy.compare({"x": [1, 2, 3], "y": [2, 3, 4]}, layout="datasets")


RESULTS = {"svm": [0.10, 0.22, 0.31, 0.15] * 3, "rf": [0.12, 0.21, 0.35, 0.19] * 3}


@pytest.mark.parametrize("named", [{}, {"value": ["svm", "rf"]}])
@pytest.mark.parametrize("name", ["dataset", "Data set", "task_id", "did"])
def test_numbers_that_name_data_sets_are_no_algorithm(name, named):
    found = sy.compare(
        {name: list(range(12)), **RESULTS}, layout="datasets", lower_is_better=True, **named
    )
    assert [one.system for one in found.systems] == ["svm", "rf"]
    with pytest.raises(SteelyardError, match=r"appears? more than once"):
        sy.compare(
            {name: [*range(11), 3], **RESULTS}, layout="datasets", lower_is_better=True, **named
        )


def test_runs_of_a_data_set_are_averaged_and_never_counted_as_data_sets():
    table = {"dataset": list("abcd") * 3, "seed": [1] * 4 + [2] * 4 + [3] * 4, **RESULTS}
    table["svm"] = (np.array(RESULTS["svm"]) + np.repeat([0, 0.03, 0.06], 4)).tolist()
    with pytest.raises(SteelyardError, match="seed may say something else"):
        sy.compare(table, layout="datasets", lower_is_better=True, cluster="dataset")
    asked = {"layout": "datasets", "lower_is_better": True, "value": ["svm", "rf"]}
    found = sy.compare(table, cluster="dataset", **asked)
    means = np.array([table["svm"], table["rf"]]).reshape(2, 3, 4).mean(axis=1)
    alone = sy.compare({"svm": means[0], "rf": means[1]}, **asked)
    near([one.mean for one in found.systems], means.mean(axis=1).tolist())
    assert (found.datasets, found.p_value) == (4, alone.p_value)
    assert any("12 rows are runs of 4 data sets" in one for one in found.caveats)


@pytest.mark.parametrize(
    "asked",
    [
        {"weight": "w"}, {"group": "w"}, {"fold": "w"}, {"truth": "w"}, {"threshold": 0.2},
        {"judge": ["w"]}, {"errors": ["svm"], "per": "w"}, {"cost": ["w"]},
    ],
)  # fmt: skip
def test_what_says_nothing_of_whole_data_sets_is_refused(asked):
    table = {"name": list("abcdefghijkl"), **RESULTS, "w": [1.0] * 12}
    with pytest.raises(SteelyardError, match="is about items, and layout='datasets'"):
        sy.compare(table, layout="datasets", lower_is_better=True, **asked)


def test_a_table_of_results_in_two_units_is_refused_and_a_long_one_read_by_its_names():
    table = {"name": list("abcdefghijkl"), **RESULTS, "pct": [30.0, 45.5] * 6}
    with pytest.raises(SteelyardError, match="shares beside percent"):
        sy.compare(table, layout="datasets", lower_is_better=True)
    long = {"dataset": list("abcdef") * 2, "algorithm": ["x"] * 6 + ["y"] * 6}
    long["error"] = np.linspace(0.1, 0.4, 12).tolist()
    assert sy.compare(long, layout="datasets").datasets == 6
    with pytest.raises(SteelyardError, match="system='algorithm'"):
        sy.compare({**long, "seconds": long["error"]}, layout="datasets")
    assert sy.compare(long, layout="datasets", system="algorithm").datasets == 6


def test_no_belief_over_few_data_sets_is_surer_than_that_all_lean_one_way():
    table = {"x": [0.1, 0.2, 0.3], "y": [0.2, 0.4, 0.9], "z": [0.1, 0.3, 0.2]}
    found = sy.compare(table, layout="datasets", lower_is_better=True)
    for pair in found.pairs:
        assert max(pair.better, pair.worse) <= 1 - 2.0**-3
        near(pair.better + pair.same + pair.worse, 1)


@pytest.mark.parametrize("verb", ["roc", "threshold", "calibration", "targeting"])
def test_verbs_of_scores_refuse_values(verb):
    with pytest.raises(SteelyardError, match="scores"):
        getattr(sy, verb)(GRADES, value=["a", "b"])


def test_two_systems_of_a_thousand_values_are_summed_in_parts(tmp_path):
    rng = np.random.default_rng(9)
    columns = {"a": rng.normal(size=1000), "b": rng.normal(size=1000)}
    half = [
        Moments.from_arrays({n: c[s] for n, c in columns.items()})
        for s in (slice(400), slice(400, None))
    ]
    assert half[0] + half[1] == Moments.from_arrays(columns)
    path = tmp_path / "x.json"
    result = sy.compare(columns, value=["a", "b"], lower_is_better=True)
    path.write_text(result.to_json())
    assert sy.read_result(path.read_text()) == result
    assert json.loads(path.read_text())["kind"] == "value-comparison"


@pytest.mark.parametrize("case", ["words-1", "words-2", "words-3", "words-4"])
def test_alignments_of_sclite_give_the_numbers_of_sc_stats(case):
    folder = FOLDER / "values"
    expected = CASES[case]["expected"]
    for pair, found in expected["pairs"].items():
        names = pair.split(",")
        files = [folder / f"{case}.{name}.sgml" for name in names]
        rows = sy.compare(files)
        for one in rows.systems:
            near(one.rate.value, expected["systems"][one.system]["wer_ratio_of_sums"])
        near(rows.pairs[0].difference.value, found["wer_difference"])
        working = sy.compare(files, layout="segments", method="mapsswe").working
        wanted = found["mapsswe_full_precision"]
        assert working["segments"] == wanted["n"]
        near(working["nist_p"], wanted["p_from_table_as_sc_stats"])
        if wanted["sd"]:
            near([working["z"], working["p_value"]], [wanted["z"], wanted["p_normal"]])
        else:  # 30 errors to 0: sc_stats says "same", the exact sign test does not
            near(working["p_value"], 2.0 ** (1 - wanted["n"]))


def test_segments_are_cut_from_alignments_only():
    with pytest.raises(SteelyardError, match="sclite wrote"):
        sy.compare(GRADES, layout="segments")
    files = [FOLDER / f"values/words-2.{name}.sgml" for name in ("one", "two", "three")]
    assert len(sy.compare(files).systems) == 3
    with pytest.raises(SteelyardError, match="two systems"):
        sy.compare(files, layout="segments")
    with pytest.raises(SteelyardError, match="count their errors"):
        sy.compare(files, value="x", lower_is_better=True)


def test_a_campaign_says_that_it_counts_answers(tmp_path):
    started = sy.Campaign.create(tmp_path / "c.db", systems=["a", "b"], stop="n >= 50")
    columns = {**GRADES, "item": [str(n) for n in range(10)]}
    with pytest.raises(SteelyardError, match="a number for each item"):
        started.add(columns, value=["a", "b"], higher_is_better=True)


def test_the_share_of_variance_between_clusters_is_that_of_a_one_way_analysis():
    # By hand: means 2 and 6, within mean square 1, among 24, n0 = 3: 23/3 over 23/3 + 1.
    columns = {"a": [1, 2, 3, 5, 6, 7], "cluster": ["x"] * 3 + ["y"] * 3}
    found = sy.evaluate(columns, value="a")
    assert "about 88% of the variance" in " ".join(found.systems[0].caveats)


def test_slices_of_clusters_have_the_clusters_of_the_slice_for_units():
    rows = {
        "speaker": [f"s{n % 6}" for n in range(24)],
        "site": ["a", "b"] * 12,
        "wer": [0.1 + n % 5 / 10 for n in range(24)],
        "ter": [0.2 + n % 7 / 10 for n in range(24)],
    }
    found = sy.evaluate(rows, value="wer", cluster="speaker", group="site")
    for part in found.systems[0].slices:
        own = {name: column[part.of == "b" :: 2] for name, column in rows.items()}
        alone = sy.evaluate(own, value="wer", cluster="speaker")
        assert part.interval == alone.systems[0].centre.interval
    pair = sy.compare(
        rows, value=["wer", "ter"], lower_is_better=True, cluster="speaker", group="site"
    )
    assert [part.pairs[0].difference.interval.method for part in pair.slices] == ["cluster-t"] * 2


LATENCIES = {"item": range(100), "latency": [20 + (7 * k) % 101 for k in range(100)]}


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        # By hand: the ranks 91 and 99 bound p95 of 100 items at 95 % one-sided (R: qbinom).
        ("p95 latency at most 119", "passes"),
        ("p95 latency at most 118", "undecided"),
        ("95th percentile latency at least 110", "passes"),
        ("p95 at most 109", "fails"),
        ("median at least 61", "passes"),
        ("mean latency at most 76", "passes"),
        ("latency >= 76", "fails"),
    ],
)
def test_a_claim_about_a_number_is_held_against_its_own_limits(claim, outcome):
    assert sy.gate(LATENCIES, value="latency", claim=claim).outcome == outcome


def test_limits_of_a_claimed_mean_hold_those_of_evaluate_and_it_needs_no_baseline():
    found = sy.gate(LATENCIES, value="latency", claim="mean latency at most 76").claims[0]
    ends = sy.evaluate(LATENCIES, value="latency").systems[0].centre.interval
    # Wider by what one item that was not seen may add.
    wider = 1.3 * (ends.high - ends.low)
    assert found.method == "t"
    assert found.low < ends.low < ends.high < found.high < found.low + wider
    rows = {"e": [1, 0, 2, 0, 1] * 8, "words": [10, 8, 20, 9, 13] * 8}
    for claim in ("wer at most 0.1", "errors at most 10% per word", "e per word at most 0.1"):
        assert sy.gate(rows, errors="e", per="words", claim=claim).outcome == "passes"


def test_a_claim_on_values_without_spread_passes_by_a_stated_range_alone():
    rows = {"grade": [5] * 40}
    open_claim = sy.gate(rows, value="grade", claim="mean grade at least 4").claims[0]
    assert (open_claim.outcome, open_claim.low) == ("undecided", None)
    assert "no spread" in open_claim.reason
    held = sy.gate(rows, value="grade", range=(1, 5), claim="mean grade at least 4").claims[0]
    assert (held.outcome, held.method) == ("passes", "betting")


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("foo at most 3", "Known: mean, latency, median, p95"),
        ("p95 foo at most 3", "no measure 'p95 foo'"),
        ("p100 at most 3", "no measure 'p100'"),
        ("latency at most 5%", "of what is that a percentage"),
        ("latency at most 3 per hour", "not one per hour"),
    ],
)
def test_claims_about_numbers_that_say_nothing_are_refused_in_words(claim, words):
    with pytest.raises(SteelyardError, match=words):
        sy.gate(LATENCIES, value="latency", claim=claim)


def test_a_limit_is_told_from_a_margin_and_named_by_the_file(tmp_path):
    path = tmp_path / "latency.csv"
    path.write_text("id,new\n" + "\n".join(f"{i},{20 + i}" for i in range(60)) + "\n")
    assert sy.gate(path, value="new", claim="latency at most 99").outcome == "passes"
    with pytest.raises(SteelyardError, match="is a claim: claim="):
        sy.gate(path, value="new", require="latency at most 99")


def test_large_numbers_side_by_side_have_the_same_decimals():
    rows = {"a": [3.5, 2.0], "b": [2.5, 3.0]}
    found = sy.compare(rows, value=["a", "b"], higher_is_better=True)
    assert "mean value 2.750 against 2.750" in found.sentence()
    shown = sy.evaluate(rows, value=["a", "b"]).sentence()
    assert "a has a mean value of 2.750 (95% interval -6.780 to 12.280)" in shown
    assert "b 2.750" in shown


@pytest.mark.parametrize("verb", ["compare", "evaluate"])
def test_judges_of_one_question_are_not_taken_for_questions_without_a_word(verb):
    rng = np.random.default_rng(1)
    table = {"question": np.repeat([f"q{at}" for at in range(20)], 3), "judge": list("xyz") * 20}
    table |= {name: rng.integers(1, 6, 60) for name in ("a", "b")}
    asked = {"value": ["a", "b"], "higher_is_better": True}
    found = getattr(sy, verb)(table, **asked)
    assert any("60 rows hold 20 values of 'question'" in one for one in found.caveats)
    for said in ({"cluster": "question"}, {"cluster": "question", "fold": "judge"}):
        caveats = getattr(sy, verb)(table, **asked, **said).caveats
        assert not any("values of 'question'" in one for one in caveats)


def test_rows_of_several_models_are_not_taken_for_one_system_without_a_word():
    table = {"question": list("abcabc"), "model": list("xxxyyy"), "run": [1] * 6}
    table["score"] = [0.1, 0.2, 0.4, 0.3, 0.5, 0.7]
    table["question"][2] = "b"  # so that no item and model are one row
    (said,) = [one for one in sy.evaluate(table, value="score").caveats if "'model'" in one]
    assert "2 values of 'model' were taken for one system" in said and "--system model" in said


def test_a_column_that_names_items_and_clusters_names_clusters():
    rows = {"q": list("aabbccdd"), "x": [1, 2, 3, 4, 5, 6, 7, 9], "y": [2, 2, 3, 5, 4, 6, 6, 8]}
    asked = {"value": ["x", "y"], "higher_is_better": True, "cluster": "q"}
    assert sy.compare(rows, item="q", **asked).pairs == sy.compare(rows, **asked).pairs


def test_too_few_items_for_an_outer_quantile_say_how_many_would_do():
    few = {"latency": LATENCIES["latency"][:30]}
    found = sy.gate(few, value="latency", claim="p95 latency at most 200").claims[0]
    assert (found.outcome, found.high, found.more) == ("undecided", None, 29)  # 59 items in all


def fronts():
    """Four systems: the best and dearest, a cheap one, one beaten on both, and its twin."""
    rng = np.random.default_rng(11)
    quality = rng.normal(3.5, 0.6, 200)
    rows = {"item": list(range(200))}
    for name, more, cost in (("big", 0.4, 300), ("mid", 0, 100), ("bad", -0.3, 150)):
        rows[f"{name}.grade"] = list(np.round(quality + more + rng.normal(0, 0.3, 200), 2))
        rows[f"{name}.ms"] = list(np.round(cost + rng.normal(0, 20, 200)))
    rows["twin.grade"] = list(np.round(quality + rng.normal(0, 0.3, 200), 2))
    rows["twin.ms"] = rows["mid.ms"]
    return rows


def test_the_front_of_quality_and_cost_has_three_states_on_every_surface(tmp_path):
    names = ["big", "mid", "bad", "twin"]
    asked = {
        "value": [f"{name}.grade" for name in names],
        "cost": [f"{name}.ms" for name in names],
    }
    found = sy.compare(fronts(), **asked)
    assert [one.state for one in found.front] == ["on", "undecided", "off", "undecided"]
    assert found.front[2].beaten_by == ("mid", "twin")
    assert found.front[1].open_against == ("twin",)
    assert "big on the front; bad off it; mid and twin undecided" in found.sentence()
    assert sy.results.read_result(found.to_json()) == found
    assert [table.title for table in found.tables()][-1] == "Quality against cost"
    assert "big, on the front" in found.charts()["front"]().summary
    assert any("Holm" in line for line in found.details())
    prices = sy.compare(fronts(), value=asked["value"], cost="big=3,mid=1,bad=1,twin=1")
    assert [one.state for one in prices.front] == ["on", "undecided", "off", "undecided"]


def test_a_long_table_has_one_column_of_costs():
    wide = fronts()
    names = ["big", "mid", "bad"]
    rows = {
        "item": [item for _ in names for item in wide["item"]],
        "system": [name for name in names for _ in wide["item"]],
        "grade": [x for name in names for x in wide[f"{name}.grade"]],
        "ms": [x for name in names for x in wide[f"{name}.ms"]],
    }
    found = sy.compare(rows, value="grade", cost="ms", item="item", system="system")
    assert {one.system: one.state for one in found.front} == {
        "big": "on",
        "mid": "on",
        "bad": "off",
    }


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        ("big=3", "a price for each of big, mid"),
        ("big=3,mid=x", "a price for each of big, mid"),
        (["big.ms"], "1 columns of costs for 2 systems"),
        (["big.ms", "no"], "No column 'no'"),
    ],
)
def test_costs_that_do_not_fit_the_systems_are_refused(cost, words):
    with pytest.raises(SteelyardError, match=words):
        sy.compare(fronts(), value=["big.grade", "mid.grade"], cost=cost)


def test_shares_of_items_runs_and_judges_are_said_in_one_line():
    from steelyard.comparison import variance_components

    rng = np.random.default_rng(2)
    item, run, judge = (one.ravel() for one in np.indices((40, 3, 4)))
    made = [rng.normal(0, spread, size) for spread, size in ((1, 40), (0.3, 3), (0.6, 4))]
    values = np.round(
        3 + made[0][item] + made[1][run] + made[2][judge] + rng.normal(0, 0.4, 480), 2
    )
    rows = {"item": item, "run": run, "judge": judge, "grade": values}
    rows = {
        name: list(map(str, one)) if name != "grade" else list(one) for name, one in rows.items()
    }
    found = sy.evaluate(rows, value="grade", cluster="item", fold="run", group="judge").systems[0]
    sources = {name: rows[name] for name in ("item", "run", "judge")}
    shares = variance_components(values, sources).shares
    (line,) = [one for one in found.caveats if "of the variance of a value" in one]
    assert f"{shares['item']:.0%} from item, {shares['run']:.0%} from run" in line
    assert f"{shares['judge']:.0%} from judge and {shares['rest']:.0%} from none" in line
    assert not any("lies between clusters" in one for one in found.caveats)


def crossed_grades():
    """Grades of two models by three judges, with a row for each; a question and a judge repeat."""
    rng = np.random.default_rng(4)
    keys = [(q, j) for q in range(12) for j in range(3)]
    grades = {
        m: [float(rng.integers(1, 6) + bonus) for _ in keys] for m, bonus in (("a", 0), ("b", 1))
    }
    return keys, grades


def test_crossed_clusters_are_kept_in_every_layout():
    keys, grades = crossed_grades()
    shared = {"question": [f"q{q}" for q, _ in keys], "judge": [f"j{j}" for _, j in keys]}
    asked = {"cluster": "question,judge", "higher_is_better": True}
    wide = sy.compare(shared | grades, value=["a", "b"], **asked)
    long = {name: column * 2 for name, column in shared.items()}
    long |= {"model": ["a"] * 36 + ["b"] * 36, "grade": grades["a"] + grades["b"]}
    named = sy.compare(long, value="grade", system="model", item="question,judge", **asked)
    ids = {"id": [f"{q} {j}" for q, j in keys]} | shared
    files = {name: ids | {"grade": grades[name]} for name in grades}
    joined = sy.compare(files, value="grade", **asked)
    for other in (named, joined):
        near(ends(other.pairs[0].difference), ends(wide.pairs[0].difference))
        near(other.pairs[0].p_value, wide.pairs[0].p_value)
    assert wide.pairs != sy.compare(shared | grades, value=["a", "b"], higher_is_better=True).pairs
    files["b"] = files["b"] | {"judge": ["x"] * 36}
    with pytest.raises(SteelyardError, match="the cluster of 36 items differ"):
        sy.compare(files, value="grade", **asked)


def test_every_fact_of_an_item_that_may_be_declared_is_carried_into_a_row_for_each_item():
    assert set(CARRIED) | {"item", "system"} == set(SINGLE_ROLES)


def test_what_numbers_rows_is_not_offered_as_a_value_and_not_ranked_beside_shares():
    rng = np.random.default_rng(2)
    shares = {name: rng.random(40).round(3).tolist() for name in ("bm25", "dpr")}
    for name in ("query", "number"):
        rows = {name: list(range(100, 140)), **shares}
        with pytest.raises(SteelyardError, match=r"--value bm25,dpr\)"):
            sy.compare(rows)
        with pytest.raises(SteelyardError, match="two units, or an id among them"):
            sy.compare(rows, value=[name, "bm25", "dpr"], higher_is_better=True)


@pytest.mark.parametrize(
    ("word", "factor", "mixed"),
    [("latency", 1000, True), ("latency", 30, False), ("usd", 1000, False), ("quality", 30, True)],
)
def test_how_far_apart_two_systems_may_lie_hangs_on_what_is_measured(word, factor, mixed):
    base = [0.31, 0.52, 0.44, 0.71, 0.63, 0.29, 0.58, 0.47]
    rows = {f"a.{word}": base, f"b.{word}": [factor * value for value in base]}
    if mixed:
        with pytest.raises(SteelyardError, match="Bring all to one unit"):
            sy.compare(rows, value=list(rows))
    else:
        assert sy.compare(rows, value=list(rows)).pairs


def test_a_mean_of_rates_of_errors_says_that_papers_take_another():
    rows = {"words": [9, 2, 7, 11], "a.wer": [0.1, 0.5, 0, 0.2], "b.wer": [0.2, 0.5, 0.1, 0.2]}
    asked = {"value": ["a.wer", "b.wer"]}
    for found in (sy.compare(rows, **asked), sy.evaluate(rows, **asked)):
        assert any("all errors over all words" in said for said in found.caveats)
    named = {name.replace("wer", "dice"): column for name, column in rows.items()}
    found = sy.compare(named, value=["a.dice", "b.dice"])
    assert not any("all errors" in said for said in found.caveats)


def test_columns_that_are_misspelled_together_are_offered_together():
    rows = {"kaldi_errors": [1, 2, 3], "whisper_errors": [1, 0, 2], "words": [9, 8, 7]}
    with pytest.raises(SteelyardError, match="--errors kaldi_errors,whisper_errors"):
        sy.compare(rows, errors=["errors_kaldi", "errors_whisper"], per="words")
    with pytest.raises(SteelyardError, match="errors='COLUMN,COLUMN'"):
        sy.compare(rows, errors=["errors_kaldi", "nothing"], per="words")


def test_a_gate_takes_a_system_by_its_column():
    rows = {
        "a_latency": [float(k % 17) for k in range(80)],
        "b_latency": [float(k) for k in range(80)],
    }
    asked = {"value": list(rows), "require": "median better by 1"}
    by_column = sy.gate(rows, candidate="a_latency", baseline="b_latency", **asked)
    assert by_column == sy.gate(rows, candidate="a", baseline="b", **asked)
    claimed = sy.gate(rows, candidate="a_latency", value=list(rows), claim="median at most 12")
    assert claimed.outcome == "passes"


def test_algorithms_that_differ_somewhere_but_not_from_the_best_are_said_so():
    rows = {"b": [0.79, 0.65, 0.72], "a": [0.81, 0.6, 0.7], "c": [0.7, 0.5, 0.6]}
    table = {"data set": ["d1", "d2", "d3"], **rows}
    found = sy.compare(table, layout="datasets", higher_is_better=True)
    assert "b is told apart from nobody yet." in found.sentence()
