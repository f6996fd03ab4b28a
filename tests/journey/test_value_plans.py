"""Plans for a number of each item, from pilots whose items belong together."""

import numpy as np
import pytest
import scipy.stats

import steelyard as sy
from steelyard.errors import SteelyardError


def test_a_plan_from_a_pilot_in_clusters_says_items_and_clusters():
    rng = np.random.default_rng(8)
    speaker = np.repeat(np.arange(24), 10)
    gap = rng.normal(0, 0.4, 24)[speaker] + rng.normal(0.2, 0.8, 240)
    rows = {"a": gap.tolist(), "b": [0.0] * 240, "speaker": speaker.astype(str)}
    asked = {"value": ["a", "b"], "higher_is_better": True, "cluster": "speaker"}
    found = sy.plan(question="value", pilot=rows, difference=0.3, **asked)
    means = [gap[speaker == one].mean() for one in range(24)]
    assert found.spread == pytest.approx(np.std(means, ddof=1), rel=1e-9)
    power = 0.0
    clusters = 1
    while power < 0.8:
        clusters += 1
        shift, freedom = 0.3 / found.spread * np.sqrt(clusters), clusters - 1
        edge = scipy.stats.t.isf(0.025, freedom)
        found_with = scipy.stats.nct(freedom, shift)
        power = found_with.sf(edge) + found_with.cdf(-edge)
    assert (found.clusters, found.samples) == (clusters, 10 * clusters)
    assert f"{10 * clusters} common items in {clusters} clusters" in found.sentence()
    given = sy.plan(question="value", pilot=rows, difference=0.3, samples=240, **asked)
    assert given.asked.samples == 240
    with pytest.raises(SteelyardError, match="clusters of its own"):
        sy.plan(question="value", pilot=rows, difference=0.3, cluster_size=10, icc=0.1, **asked)
