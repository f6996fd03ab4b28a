import numpy as np
import pytest

import steelyard as sy
from steelyard.counts import PairTable
from steelyard.uncertainty import cluster_contrast

ROLES = {"truth": "truth", "systems": ["A", "B"], "called": ["A", "B"]}


def rows(seed=0, clusters=20, size=10, tie=0.0):
    """Two equal systems whose errors go together within a cluster."""
    rng = np.random.default_rng(seed)
    truth = np.zeros(clusters * size, dtype=int)
    place = np.repeat(np.arange(clusters), size)
    columns = {"truth": truth.tolist(), "site": place.tolist()}
    for name in ("A", "B"):
        rate = np.clip(rng.normal(0.7, 0.25, clusters) + tie, 0.02, 0.98)
        columns[name] = (rng.random(truth.size) > rate[place]).astype(int).tolist()
    columns["truth"][0], columns["A"][0], columns["B"][0] = 1, 1, 1
    return columns


def test_clusters_change_intervals_tests_and_probabilities():
    plain = sy.compare(rows(), **ROLES)
    honest = sy.compare(rows(), cluster="site", **ROLES)
    wide, narrow = (one.pairs[0].difference.interval for one in (honest, plain))
    assert wide.method == "cluster-robust"
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)
    assert honest.pairs[0].difference.value == plain.pairs[0].difference.value
    assert max(one.best for one in honest.systems) < max(one.best for one in plain.systems)
    assert "over clusters" in honest.primary
    assert any("30 clusters" in note or "20 clusters" in note for note in honest.caveats)
    assert honest.pairs[0].aic_difference is None
    assert "MacKinnon, Nielsen & Webb 2023" in honest.methods()


def test_interval_p_value_and_probability_are_those_of_one_contrast():
    data = rows()
    parts = {}
    for site, truth, one, two in zip(*(data[k] for k in ("site", "truth", "A", "B")), strict=True):
        cell = parts.setdefault(site, [0, 0, 0, 0])
        right = (one == truth, two == truth)
        cell[{(True, True): 0, (True, False): 1, (False, True): 2, (False, False): 3}[right]] += 1
    tables = [PairTable(both=a, first=b, second=c, neither=d) for a, b, c, d in parts.values()]
    found = sy.compare(data, cluster="site", **ROLES)
    pair, model = (
        found.pairs[0],
        cluster_contrast(
            [one.first for one in tables],
            [one.second for one in tables],
            [one.total for one in tables],
        ),
    )
    assert (pair.p_value, pair.better) == pytest.approx((model.p_value, model.better))
    ends = pair.difference.interval
    assert (ends.low, ends.high) == pytest.approx(model.interval())
    assert [one.best for one in found.systems] == pytest.approx([model.better, 1 - model.better])


@pytest.mark.long
def test_equal_systems_are_told_apart_as_often_as_stated_only_with_clusters():
    honest, plain = [], []
    for seed in range(60):
        data = rows(seed)
        honest.append(sy.compare(data, cluster="site", **ROLES).pairs[0].verdict == "different")
        plain.append(sy.compare(data, **ROLES).pairs[0].verdict == "different")
    assert np.mean(honest) <= 0.12 < np.mean(plain)


def test_clusters_that_are_all_alike_keep_an_interval():
    data = {"truth": [0, 1] * 6, "site": [k // 2 for k in range(12)], "A": [0, 1] * 6,
            "B": [0, 1] * 6}  # fmt: skip
    found = sy.compare(data, cluster="site", **ROLES)
    assert found.pairs[0].difference.value == 0
    assert found.pairs[0].difference.interval.low < 0 < found.pairs[0].difference.interval.high
    assert found.pairs[0].p_value == 1
    assert found.systems[0].best == 0.5


def test_a_margin_is_judged_by_clusters_too():
    found = sy.compare(rows(), cluster="site", margin=0.5, **ROLES)
    assert found.pairs[0].equivalent > 0.95
    assert found.pairs[0].verdict == "same"


def test_areas_say_why_no_criterion_stands_beside_them_and_where_curves_cross():
    rng = np.random.default_rng(1)
    truth = np.arange(400) < 200
    steep = np.where(truth & (rng.random(400) < 0.5), 5.0, 0) + rng.normal(0, 1, 400)
    broad = truth * 1.6 + rng.normal(0, 1, 400)
    joint = sy.JointScores.from_arrays(truth, {"steep": steep, "broad": broad})
    text = sy.compare(joint).text()
    assert "ΔAIC and expected loss are not defined for AUC" in text
    assert "the curves cross" in text


def scored(seed=0, clusters=20, size=10):
    """Two systems of equal areas whose scores go together within a cluster."""
    rng = np.random.default_rng(seed)
    place = np.repeat(np.arange(clusters), size)
    truth = np.tile([0, 1], clusters * size // 2)
    return {
        "truth": ["yes" if one else "no" for one in truth],
        "site": place.astype(str).tolist(),
        **{
            name: (truth + rng.normal(0, 1, clusters)[place] * (1.5 * truth - 0.5)
                   + rng.normal(0, 0.7, truth.size)).tolist()
            for name in ("one", "two")
        },
    }  # fmt: skip


SCORES = {"truth": "truth", "positive": "yes", "systems": ["one", "two"]}


def test_areas_are_compared_over_clusters():
    plain = sy.compare(scored(), **SCORES)
    honest = sy.compare(scored(), cluster="site", **SCORES)
    assert "Obuchowski" in honest.primary
    narrow, wide = (one.pairs[0].difference.interval for one in (plain, honest))
    assert wide.method == "cluster-placement"
    assert wide.high - wide.low > 1.2 * (narrow.high - narrow.low)
    assert [one.rate.value for one in honest.systems] == [one.rate.value for one in plain.systems]
    assert any("20 clusters" in note for note in honest.caveats)
    assert "DeLong" not in honest.methods()
    assert "Obuchowski NA (1997)" in honest.methods()


def test_a_cluster_for_each_item_is_never_surer_and_hardly_less_sure():
    data = scored() | {"site": [str(place) for place in range(200)]}
    plain, alone = sy.compare(data, **SCORES), sy.compare(data, cluster="site", **SCORES)
    # The same standard error, judged by Student's t with one less than the 100 of each class.
    p = plain.pairs[0].p_value
    assert p < alone.pairs[0].p_value < 1.3 * p
    assert alone.pairs[0].difference.value == plain.pairs[0].difference.value


@pytest.mark.parametrize("method", ["delong"])
def test_a_method_that_ignores_clusters_says_so(method):
    found = sy.compare(scored(), cluster="site", method=method, **SCORES)
    assert any("one cluster are alike" in note for note in found.caveats)


@pytest.mark.parametrize("verb", [sy.roc, sy.targeting, sy.threshold])
def test_questions_about_scores_take_clusters_as_the_units_and_say_so(verb):
    asked = SCORES | {"systems": ["one"]}
    data = {name: column for name, column in scored(size=20).items() if name != "two"}
    found = verb(data, cluster="site", **asked)
    assert any("intervals take the clusters, not the items" in note for note in found.caveats)
    del data["site"]
    assert not any("cluster" in note for note in verb(data, **asked).caveats)
