"""More distinct scores than are kept: what is exact stays so, and the rest is said or refused."""

import numpy as np
import pyarrow as pa
import pytest

import steelyard as sy
from steelyard.errors import NotComparable
from steelyard.sources import Roles, open_predictions
from steelyard.tally import placed_rows, streamed_scores, tally_score_table_by
from steelyard.tally import scores as room
from steelyard.tally import tally_score_table_by_slice as tally_clusters
from steelyard.uncertainty import cluster_placements
from steelyard.uncertainty.areas.delong import delong_variance, pairs_won_twice

SIZE = 6000
ASKED = {"truth": "truth", "positive": "1", "score": "p"}


@pytest.fixture(scope="module")
def forecasts():
    rng = np.random.default_rng(4)
    truth = rng.random(SIZE) < 0.3
    chance = 1 / (1 + np.exp(1.5 - 1.5 * rng.normal(truth, 1)))
    return pa.table(
        {
            "truth": truth.astype(int),
            "p": chance,
            "fold": rng.integers(0, 3, SIZE),
            "ward": rng.choice(["a", "b"], SIZE),
            "patient": rng.integers(0, 80, SIZE),
        }
    )


@pytest.fixture
def short(monkeypatch):
    """Keep some 4,000 scores, in ranges of up to 400 rows."""
    monkeypatch.setattr(streamed_scores, "BYTES_KEPT", 2**28 * 0.2 / 4000)
    monkeypatch.setattr(placed_rows, "MOST_IN_RANGE", 400)
    monkeypatch.setattr(room, "BYTES_ALIGNED", 2**40)
    return {"memory": "256MiB"}


def opened(data, **more):
    return open_predictions(data, Roles.of(**ASKED, **more), memory="256MiB")


@pytest.mark.parametrize(("role", "column"), [("group", "ward"), ("fold", "fold")])
def test_the_area_of_each_part_is_that_of_all_its_scores(forecasts, short, role, column):
    predictions = opened(forecasts, **{role: column})
    thin = tally_score_table_by(predictions, predictions.systems[0], role)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(streamed_scores, "BYTES_KEPT", 1)
        full = tally_score_table_by(predictions, predictions.systems[0], role)
    assert thin.names == full.names
    for found, part in zip(thin.parts, full.parts, strict=True):
        assert found.thinned
        assert found.pair_sums.distinct == len(part.scores)
        assert pairs_won_twice(found) == pairs_won_twice(part)
        assert delong_variance(found) == pytest.approx(delong_variance(part), rel=1e-12)


def test_clusters_of_each_group_are_placed_among_the_items_of_the_group(forecasts, short):
    predictions = opened(forecasts, group="ward", cluster="patient")
    thin = tally_clusters(predictions, predictions.systems[0])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(room, "BYTES_ALIGNED", 1)
        full = tally_clusters(predictions, predictions.systems[0])
    for name, grouped in full.items():
        counted = cluster_placements(grouped)
        for field in ("names", "positives", "negatives", "beaten", "beating"):
            assert getattr(thin[name], field) == getattr(counted, field), field


def test_a_threshold_of_thinned_folds_is_tried_on_counts_that_are_exact(forecasts, short):
    found = sy.threshold(forecasts, fold="fold", **ASKED, **short)
    assert any("are kept for curves and thresholds" in one for one in found.caveats)
    truth, chance, fold = (np.array(forecasts[name]) for name in ("truth", "p", "fold"))
    assert len(found.folds) == 3
    for one in found.folds:
        here = fold == int(one.fold)
        called = here & (chance >= one.others)
        assert (one.tp, one.fp) == (
            int((called & (truth == 1)).sum()),
            int((called & (truth == 0)).sum()),
        )
        assert one.fn == int((here & ~called & (truth == 1)).sum())


def test_pooled_and_mean_areas_of_thinned_folds_are_exact(forecasts, short):
    asked = ASKED | {"fold": "fold", "average": ["pooled", "false-alarm-rate"]}
    thin = sy.roc(forecasts, **asked, **short)
    full = sy.roc(forecasts, **asked, memory="4GiB")
    for one, two in zip(thin.systems[0].averages, full.systems[0].averages, strict=True):
        assert one.area.value == pytest.approx(two.area.value, rel=1e-15)
    assert thin.generated == "the distinct scores that were kept"


def test_calibration_says_how_far_thinned_forecasts_are_off_or_refuses(
    forecasts, short, monkeypatch
):
    monkeypatch.setattr(streamed_scores, "BYTES_KEPT", 2**28 * 0.2 / 5900)
    found = sy.calibration(forecasts, **ASKED, **short)
    assert any("next one below, on average at most" in one for one in found.caveats)
    monkeypatch.setattr(streamed_scores, "BYTES_KEPT", 2**28 * 0.2 / 200)
    with pytest.raises(NotComparable, match="Round them to four digits"):
        sy.calibration(forecasts, **ASKED, **short)


def test_forecasts_that_do_not_fit_beside_each_other_are_judged_one_by_one(forecasts, short):
    rounded = np.round(np.array(forecasts["p"]), 3)
    data = forecasts.set_column(1, "p", [rounded]).append_column("q", [1 - rounded])
    found = sy.calibration(data, **ASKED | {"score": ["p", "q"]}, **short)
    assert found.pairs == ()
    assert len(found.classes) == 2
    assert any("6,000 items beside each other" in one for one in found.caveats)


def test_targeting_says_that_scores_were_thinned(forecasts, short):
    found = sy.targeting(forecasts, **ASKED, **short)
    assert any("of 6,000 distinct scores" in one for one in found.caveats)
