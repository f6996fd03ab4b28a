"""Thresholds over folds, and with rows that carry weights."""

import numpy as np
import pytest

import steelyard as sy
from steelyard.errors import NotComparable
from steelyard.measures import find_threshold, point_at


def _columns(folds=3):
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 90)
    scores = (truth + rng.normal(0, 1, 90)).round(2)
    return {
        "truth": truth.tolist(),
        "s": scores.tolist(),
        "fold": [str(place % folds) for place in range(90)],
    }


def _table(columns, wanted):
    rows = list(zip(columns["truth"], columns["s"], columns["fold"], strict=True))
    return sy.ScoreTable.from_scores(
        [s for y, s, f in rows if y == 1 and wanted(f)],
        [s for y, s, f in rows if y == 0 and wanted(f)],
        positive="1",
    )


def test_each_fold_is_judged_by_the_threshold_of_the_others():
    columns = _columns()
    found = sy.threshold(columns, positive=1, resamples=0)
    assert [one.fold for one in found.folds] == ["0", "1", "2"]
    cells = np.zeros(4, dtype=int)
    for one in found.folds:
        own = _table(columns, lambda fold, name=one.fold: fold == name)
        rest = _table(columns, lambda fold, name=one.fold: fold != name)
        assert one.own == find_threshold(own, "max-kappa").threshold
        assert one.others == find_threshold(rest, "max-kappa").threshold
        point = point_at(own, one.others)
        assert (one.tp, one.fp, one.fn, one.tn) == (point.tp, point.fp, point.fn, point.tn)
        assert one.promise == pytest.approx(point.kappa, abs=1e-12)
        cells += [point.tp, point.fp, point.fn, point.tn]
    tp, fp, fn, tn = cells.tolist()
    whole = sy.Confusion.from_binary(tp=tp, fp=fp, fn=fn, tn=tn)
    kappa = sy.evaluate(whole).systems[0].kappa.value
    assert found.out_of_fold.value == pytest.approx(kappa, abs=1e-12)
    assert found.out_of_fold.measure == "kappa, out of fold"
    assert "Folds" in found.text()


def test_without_folds_nothing_is_said_of_them():
    columns = {name: values for name, values in _columns().items() if name != "fold"}
    found = sy.threshold(columns, positive=1, resamples=0)
    assert found.folds == ()
    assert found.out_of_fold is None


def test_a_single_fold_has_no_others():
    found = sy.threshold(_columns(folds=1), positive=1, resamples=0, by="max-f")
    assert found.folds[0].others is None
    assert found.out_of_fold.value is None
    assert found.out_of_fold.measure == "F1, out of fold"


def test_a_fixed_threshold_promises_nothing_out_of_fold():
    found = sy.threshold(_columns(), positive=1, by="fixed", threshold=0.5)
    assert found.out_of_fold is None
    assert {one.others for one in found.folds} == {0.5}


def test_weighted_rows_are_refused_with_the_way_out():
    columns = _columns() | {"weight": [1.0, 2.0, 3.0] * 30}
    with pytest.raises(NotComparable, match="--unweighted"):
        sy.threshold(columns, positive=1)
    found = sy.threshold(columns, positive=1, unweighted=True, resamples=0)
    plain = sy.threshold(_columns(), positive=1, resamples=0)
    assert (found.threshold, found.folds) == (plain.threshold, plain.folds)
    assert any("counts once" in caveat for caveat in found.caveats)


def test_a_vector_gives_the_threshold_of_its_positive_class():
    rng = np.random.default_rng(3)
    vectors = rng.dirichlet([1, 1, 1], 60)
    truth = rng.integers(0, 3, 60).tolist()
    columns = {"truth": truth} | {f"p{k}": vectors[:, k].tolist() for k in range(3)}
    found = sy.threshold(columns, vector="m=p{class}", positive=2, resamples=0)
    assert found.system == "m"
    assert found.positives == truth.count(2)
