"""The small algorithms: against other implementations, and against what they must see."""

import numpy as np
import pytest

from steelyard.errors import RefusedData
from steelyard.suites import Task
from steelyard.suites.algorithms import BUILT_IN, fractal, gabor, glcm, gmrf, grey, lbp
from steelyard.suites.algorithms.discriminant import class_chances, shrunken_covariance
from steelyard.suites.harness.worker import RUNNERS, classify_with_estimator, main

RNG = np.random.default_rng(5)
IMAGE = RNG.integers(0, 256, (24, 20)).astype(float)
TEXTURES = (grey, glcm, gabor, gmrf, fractal, lbp)


def task(unit="image"):
    """Smooth against rough images, or two clouds of numbers."""
    rng = np.random.default_rng(2)
    truth = np.arange(24) % 2
    if unit == "row":
        items = rng.normal(truth[:, None] * 3.0, 1.0, (24, 3))
    else:
        rough = rng.normal(128, 30, (24, 16, 16))
        smooth = np.cumsum(np.cumsum(rng.normal(0, 4, (24, 16, 16)), 1), 2) / 4 + 90
        items = [np.clip(rough[k] if truth[k] else smooth[k], 0, 255) for k in range(24)]
    return Task(
        classes=("smooth", "rough"),
        priors=np.array([0.5, 0.5]),
        weights=np.array([0.5, 0.5]),
        unit=unit,
        train=items[:12],
        truth=truth[:12],
        groups=tuple(map(str, range(12))),
        test=items[12:],
        seed=3,
    ), truth[12:]


def test_patterns_are_those_of_scikit_image():
    from skimage.feature import local_binary_pattern

    known = local_binary_pattern(IMAGE.astype(np.uint8), 8, 1, "uniform")[1:-1, 1:-1]
    assert (lbp.pattern_codes(IMAGE) == known.astype(int)).mean() > 0.99


def test_cooccurrence_and_its_features_are_those_of_scikit_image():
    from skimage.feature import graycomatrix, graycoprops

    coarse = (IMAGE / 8).astype(np.uint8)
    angles = [0, np.pi / 4, np.pi / 2, 3 * np.pi / 4]
    known = graycomatrix(coarse, [1], angles, levels=32, symmetric=True, normed=True)
    ours = [glcm.cooccurrence(IMAGE, step) for step in ((0, 1), (1, -1), (1, 0), (1, 1))]
    sums = sorted(float((table**2).sum()) for table in ours)
    assert sums == pytest.approx(sorted((known[:, :, 0, :] ** 2).sum(axis=(0, 1)).tolist()))
    features = glcm.features(IMAGE)
    for place, name in ((0, "energy"), (2, "contrast"), (3, "correlation")):
        assert features[place] == pytest.approx(float(graycoprops(known, name).mean()), rel=1e-11)


def test_the_shrunken_covariance_is_that_of_scikit_learn():
    from sklearn.covariance import ledoit_wolf

    rows = RNG.normal(size=(30, 6)) @ RNG.normal(size=(6, 6))
    known, _ = ledoit_wolf(rows, assume_centered=True)
    assert shrunken_covariance(rows) == pytest.approx(known, abs=1e-10)


def test_chances_add_up_to_one_and_a_class_without_prior_has_none():
    rows, truth = RNG.normal(size=(20, 3)), np.arange(20) % 2
    chances = class_chances(rows, truth, rows, priors=np.array([1.0, 0.0]))
    assert chances[:, 0] == pytest.approx(np.ones(20))
    assert (chances[:, 1] == 0).all()


def test_a_slope_is_a_surface_of_dimension_two_and_noise_of_dimension_three():
    slope = np.add.outer(np.arange(32.0), np.arange(32.0))
    assert fractal.features(slope)[0] == pytest.approx(2, abs=1e-9)
    assert fractal.features(RNG.normal(128, 20, (64, 64)))[0] == pytest.approx(3, abs=0.1)


def test_a_wave_is_strongest_behind_the_filter_of_its_length_and_direction():
    wave = 128 + 50 * np.cos(2 * np.pi * np.arange(32) / 4)[None, :] + np.zeros((32, 1))
    energies = gabor.features(wave)
    assert int(np.argmax(energies)) == 1 * gabor.DIRECTIONS + 0
    assert int(np.argmax(gabor.features(wave.T))) == 1 * gabor.DIRECTIONS + 2


def test_neighbours_foretell_nothing_of_noise_and_all_of_a_slope():
    noise = gmrf.features(RNG.normal(0, 1, (200, 200)))
    assert noise[:4] == pytest.approx([0, 0, 0, 0], abs=0.03)
    assert noise[4] == pytest.approx(0, abs=0.05)
    assert gmrf.features(np.add.outer(np.arange(9.0), np.arange(9.0)))[4] < -15


@pytest.mark.parametrize("module", TEXTURES, ids=lambda module: module.__name__.split(".")[-1])
def test_every_texture_algorithm_tells_smooth_from_rough_and_refuses_rows(module):
    given, truth = task()
    vectors = module.classify(given)
    assert vectors.shape == (12, 2)
    assert (vectors.argmax(axis=1) == truth).mean() >= 0.75
    with pytest.raises(RefusedData, match="Use lda"):
        module.classify(task("row")[0])


def test_algorithms_that_look_at_nothing_answer_alike_for_every_item():
    from steelyard.suites.algorithms import lda, majority, null

    given, truth = task("row")
    assert (null.classify(given) == 0.5).all()
    assert (majority.classify(given) == [1.0, 0.0]).all()
    assert (lda.classify(given).argmax(axis=1) == truth).all()
    assert set(BUILT_IN) >= {"null", "majority", "lda"}


def test_an_estimator_is_seeded_and_may_lack_chances():
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.svm import LinearSVC

    given, truth = task("row")
    first = classify_with_estimator(RandomForestClassifier(n_estimators=5), given)
    again = classify_with_estimator(RandomForestClassifier(n_estimators=5), given)
    assert (first == again).all()
    sure = classify_with_estimator(LinearSVC, given)
    assert set(np.unique(sure)) == {0.0, 1.0}
    assert (sure.argmax(axis=1) == truth).all()


def test_a_worker_writes_a_row_for_each_item(tmp_path):
    from steelyard.suites import new_suite
    from steelyard.suites.harness.workplaces import lay_out
    from steelyard.suites.problems.item_files import read_table

    place = lay_out(new_suite(tmp_path / "mine").problem("example"), tmp_path, secret=b"")
    main(["python", "steelyard.suites.algorithms.lda:classify", str(place.job)])
    assert tuple(read_table(tmp_path / "out.csv")["id"]) == place.shown
    assert set(RUNNERS) == {"sklearn", "python"}
    with pytest.raises(ValueError, match="no 'nothing'"):
        main(["python", "steelyard.suites.algorithms.lda:nothing", str(place.job)])
    with pytest.raises(RefusedData, match="numbers of shape"):
        main(["python", "numpy:shape", str(place.job)])
