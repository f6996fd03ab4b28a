"""A cluster counts what one machine counts, to the last bit, also when it loses a worker.

All of it is in one file, so that one worker of the tests starts one cluster.
"""

import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import steelyard as sy
from steelyard.engines import spark as engine
from steelyard.errors import RefusedData, RequestError, SourceError, SteelyardError
from steelyard.journey.values.sums import averages_of
from steelyard.results import read_result
from steelyard.sources import Roles, open_predictions
from steelyard.surfaces.cli.entry import steelyard
from steelyard.tally import (
    placed_rows,
    tally_cluster_areas,
    tally_confusion,
    tally_confusion_by,
    tally_difference_values,
    tally_joint_areas,
    tally_joint_calls,
    tally_joint_scores,
    tally_moments,
    tally_moments_by,
    tally_moments_by_slice,
    tally_outcomes,
    tally_outcomes_by,
    tally_score_table,
    tally_score_table_by,
    tally_score_table_by_slice,
    tally_trials,
    tally_trials_by,
    tally_vector_scores,
)
from steelyard.tally.scores import tally_placement_sums
from steelyard.uncertainty import cluster_placements
from steelyard.uncertainty.areas.delong import delong_covariance, delong_variance, pairs_won_twice

pytestmark = pytest.mark.filterwarnings(
    "ignore:PySpark does not yet fully support pandas:FutureWarning"
)

CLASSES = ["cat", "dog", "ship", "café", "x y", "it's", '"q"', "a\\b", "{t}", "`t`"]
INF = float("inf")
AGAIN = 40
PER_CLUSTER = ("names", "positives", "negatives", "beaten", "beating")
CALLS = {"truth": list("aabbab"), "A": list("aabbba"), "B": list("ababab")}


@pytest.fixture(scope="module")
def handed(spark, tmp_path_factory):
    """Give the same columns to the cluster as a frame of several parts."""
    folder = tmp_path_factory.mktemp("frames")

    def hand(columns):
        path = folder / f"{len(list(folder.iterdir()))}.parquet"
        pq.write_table(pa.table(columns), path, row_group_size=17)
        return spark.read.parquet(str(path)).repartition(3)

    return hand


def both(handed, columns, **roles):
    asked = Roles.of(**roles)
    return open_predictions(columns, asked), open_predictions(handed(columns), asked)


def drawn(seed, size=120):
    rng = np.random.default_rng(seed)
    column = lambda: rng.choice(CLASSES, size).tolist()  # noqa: E731
    return rng, {"truth": column(), "it's `odd` {t}": column(), 'say "b"': column()}


def test_labels_are_counted_alike(handed):
    rng, table = drawn(1)
    table["slice no."] = rng.choice(["one", "two", "three"], 120).tolist()
    here, there = both(handed, table, classes=CLASSES, group="slice no.")
    assert tally_outcomes(there) == tally_outcomes(here)
    assert tally_outcomes_by(there, "group") == tally_outcomes_by(here, "group")
    assert tally_joint_calls(there) == tally_joint_calls(here)
    assert tally_trials(there) == tally_trials(here)
    assert tally_trials_by(there, "group") == tally_trials_by(here, "group")
    for one, two in zip(here.systems, there.systems, strict=True):
        assert tally_confusion(there, two) == tally_confusion(here, one)
        assert tally_confusion_by(there, two, "group") == tally_confusion_by(here, one, "group")


def test_weights_are_summed_alike(handed):
    rng, table = drawn(3)
    table["weight"] = (rng.random(120) * 10.0 ** rng.integers(-9, 5, 120)).tolist()
    here, there = both(handed, table, classes=CLASSES)
    assert tally_outcomes(there) == tally_outcomes(here)
    assert tally_confusion(there, there.systems[0]) == tally_confusion(here, here.systems[0])


def test_scores_are_counted_alike(handed):
    rng = np.random.default_rng(4)
    odd = np.array([0.0, -0.0, INF, -INF, 5e-324, 1e30, 0.1, 0.1 + 2**-55])
    wide = np.concatenate([rng.choice(odd, 60), rng.standard_normal(60)])
    table = {
        "truth": rng.choice(["no", "yes"], 120).tolist(),
        "wide": wide,
        "narrow": wide.astype(np.float32),
        "fold": rng.integers(0, 3, 120),
    }
    here, there = both(handed, table, positive="yes", score=["wide", "narrow"], threshold=0.1)
    for one, two in zip(here.systems, there.systems, strict=True):
        assert tally_score_table(there, two) == tally_score_table(here, one)
        assert tally_score_table_by(there, two, "fold") == tally_score_table_by(here, one, "fold")
        assert tally_confusion(there, two) == tally_confusion(here, one)
    assert sorted_rows(tally_joint_scores(there)) == sorted_rows(tally_joint_scores(here))


def sorted_rows(joint):
    return sorted(zip(joint.truth.tolist(), *(s.tolist() for s in joint.scores), strict=True))


@pytest.mark.parametrize("kind", ["whole", "decimals", "floats"])
def test_values_are_summed_alike(handed, kind):
    rng = np.random.default_rng(6)
    made = {
        "whole": lambda: rng.integers(0, 40, 200).astype(float),
        "decimals": lambda: rng.normal(9, 3, 200).round(3),
        "floats": lambda: rng.lognormal(0, 3, 200),
    }[kind]
    table = {"a": made(), "b": made(), "w": rng.integers(1, 9, 200).astype(float)}
    table["cluster"] = rng.choice(["x", "y", "z"], 200).tolist()
    table["weight"] = rng.choice([0.5, 1.0, 2.25], 200).tolist()
    table["group"] = rng.choice(["u", "v"], 200).tolist()
    for roles in ({"weight": ""}, {"weight": "weight"}):
        asked = {"value": ["a", "b"], "lower_is_better": True, **roles}
        here, there = both(handed, table, **asked)
        assert tally_moments(there) == tally_moments(here)
        assert tally_moments_by(there, "cluster") == tally_moments_by(here, "cluster")
        assert tally_moments_by_slice(there) == tally_moments_by_slice(here)
    some = {**table, "a": [None if n % 3 else x for n, x in enumerate(table["a"])]}
    here, there = both(handed, some, value=["a"], judge=["b"], weight="")
    assert averages_of(there).found == averages_of(here).found
    here, there = both(handed, table, value=["a", "b"], per="w", lower_is_better=True, weight="")
    assert tally_moments(there) == tally_moments(here)
    one, two = (tally_difference_values(found, *found.systems) for found in (here, there))
    assert one == two


@pytest.mark.parametrize("form", ["columns", "list", "struct"])
def test_vectors_are_summed_alike(handed, form):
    rng = np.random.default_rng(5)
    numbers = rng.random((90, 3)) + 1e-9
    numbers /= numbers.sum(axis=1, keepdims=True)
    table = {"truth": rng.choice(list("abc"), 90).tolist()}
    if form == "columns":
        table |= {f"net.{name}": numbers[:, n] for n, name in enumerate("abc")}
    elif form == "list":
        table["net"] = numbers.tolist()
    else:
        table["net"] = [dict(zip("abc", row, strict=True)) for row in numbers.tolist()]
    here, there = both(handed, table, classes=["a", "b", "c"])
    assert tally_vector_scores(there) == tally_vector_scores(here)


def test_long_rows_are_gathered_alike(handed):
    rng = np.random.default_rng(6)
    table = {
        "item": [f"{n:03d}" for n in range(40) for _ in "AB"],
        "system": ["A", "B"] * 40,
        "truth": [name for name in rng.choice(CLASSES, 40).tolist() for _ in "AB"],
        "called": rng.choice(CLASSES, 80).tolist(),
    }
    here, there = both(handed, table, classes=CLASSES)
    assert tally_outcomes(there) == tally_outcomes(here)


def test_a_table_too_large_for_the_driver_is_thinned_and_keeps_its_exact_area(handed):
    rng = np.random.default_rng(7)
    scores = np.concatenate(
        [10.0 ** (-30 * rng.random(900)), rng.standard_normal(900), [INF, -INF]]
    )
    table = {"truth": (rng.random(1802) < 0.4).tolist(), "s": scores}
    here, there = both(handed, table, score="s")
    full = tally_score_table(here, here.systems[0])
    small = replace(there, table=replace(there.table, most_rows=600))
    thin = tally_score_table(small, small.systems[0])
    assert thin.thinned
    assert len(thin.scores) <= 600 < len(full.scores)
    assert pairs_won_twice(thin) == pairs_won_twice(full)
    assert delong_variance(thin) == pytest.approx(delong_variance(full), rel=1e-12)
    kept = np.searchsorted(full.scores, thin.scores)
    assert np.array_equal(full.scores[kept], thin.scores)
    assert (
        np.cumsum(thin.positives)[:-1].tolist() == np.cumsum(full.positives)[kept[1:] - 1].tolist()
    )


def crowded(seed, size=700):
    """Scores with ties, halves of zeros, both zeros and infinities, and gaps."""
    rng = np.random.default_rng(seed)
    odd = np.array([0.0, -0.0, INF, -INF, 5e-324, 0.1, 0.1 + 2**-55])
    wide = np.where(rng.random(size) < 0.3, rng.choice(odd, size), rng.standard_normal(size))
    scores = 10.0 ** (-30 * rng.random(size))
    return {
        "truth": (rng.random(size) < 0.4).tolist(),
        "wide": wide,
        "gaps": pa.array(scores, mask=rng.random(size) < 0.05),
        "patient": [f"p{n}" for n in rng.integers(0, 60, size)],
    }


@pytest.fixture(params=["numpy", "SQL"])
def ranking(request, spark, monkeypatch):
    """Rank by Python on the executors, or let them have none."""
    if request.param == "SQL":
        monkeypatch.setattr(spark.sparkContext, "pythonExec", "/no/python/here")
    yield request.param
    engine.WITHOUT_PYTHON.discard(spark)


class Told:
    """What the engine tells of a plan."""

    def __init__(self):
        self.plans = []

    def __call__(self, statement):
        pass

    def plan(self, told):
        self.plans.append(told)


def sums_alone(found):
    """Leave out where ranges begin, which hangs on who cut them."""
    sums = [(table.total, table.pair_sums) for table in found.tables]
    return sums, found.positive_products, found.negative_products


def test_placements_of_several_systems_are_summed_on_the_executors(handed, ranking):
    asked = {"score": ["wide", "gaps"], "missing": "exclude", "cluster": "patient"}
    here, there = both(handed, crowded(21), **asked)
    small = replace(there, table=replace(there.table, most_rows=400))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(placed_rows, "MOST_IN_RANGE", 60)
        small.table.engine._observe = told = Told()
        sums = tally_joint_areas(small)
        assert sums_alone(sums) == sums_alone(tally_placement_sums(here, here.systems))
        assert [f"ranked by {ranking}" in one for one in told.plans] == [True]
        assert small.table.engine.ships == (ranking == "numpy")
        clusters = tally_cluster_areas(small, small.systems[0])
    assert max(len(table.scores) for table in sums.tables) <= 400 < sums.total
    counted = cluster_placements(tally_cluster_areas(here, here.systems[0]))
    assert [getattr(clusters, name) for name in PER_CLUSTER] == [
        getattr(counted, name) for name in PER_CLUSTER
    ]
    aligned = delong_covariance(tally_joint_scores(here))
    for one, two in zip(delong_covariance(sums), aligned, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-11)


def test_groups_folds_and_clusters_of_groups_are_ranked_on_the_executors(handed):
    table, rng = crowded(24, 2100), np.random.default_rng(24)
    table |= {"ward": rng.choice(["a", "b", "it's"], 2100), "fold": rng.integers(0, 3, 2100)}
    del table["gaps"]
    here, there = both(handed, table, score="wide", group="ward", cluster="patient", fold="fold")
    small = replace(there, table=replace(there.table, most_rows=1300))
    (one,), (two,) = here.systems, small.systems
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(placed_rows, "MOST_IN_RANGE", 200)
        for role in ("group", "fold"):
            full, thin = (
                tally_score_table_by(here, one, role),
                tally_score_table_by(small, two, role),
            )
            assert all(part.thinned for part in thin.parts)
            assert thin.names == full.names
            for found, part in zip(thin.parts, full.parts, strict=True):
                assert pairs_won_twice(found) == pairs_won_twice(part)
                assert delong_variance(found) == pytest.approx(delong_variance(part), rel=1e-12)
                assert found.pair_sums.distinct == len(part.scores)
                for score, positives in zip(found.scores, np.cumsum(found.positives[::-1])[::-1],
                                            strict=True):  # fmt: skip
                    assert positives == part.positives[part.scores >= score].sum()
        sliced = tally_score_table_by_slice(small, two)
    for name, grouped in tally_score_table_by_slice(here, one).items():
        counted = cluster_placements(grouped)
        assert [getattr(sliced[name], field) for field in PER_CLUSTER] == [
            getattr(counted, field) for field in PER_CLUSTER
        ]


def test_more_scores_than_the_driver_takes_are_refused_where_they_are_needed(handed):
    there = open_predictions(handed(crowded(22)), Roles.of(score=["wide"]))
    small = replace(there, table=replace(there.table, most_rows=400))
    with pytest.raises(SteelyardError, match="at most 400 rows come to the driver"):
        tally_joint_scores(small)


def test_a_comparison_on_the_cluster_is_the_same_to_the_last_digit(handed):
    _, table = drawn(8)
    here, there = sy.compare(table, classes=CLASSES), sy.compare(handed(table), classes=CLASSES)
    assert there.rows() == here.rows()
    assert there.sentence() == here.sentence()


@pytest.mark.parametrize(
    ("spoil", "roles"),
    [
        ({"truth": None}, {}),
        ({'say "b"': "horse"}, {"classes": None}),
        ({"id": "7"}, {"item": "id"}),
    ],
)
def test_bad_rows_are_refused_in_the_same_words(handed, spoil, roles):
    _, table = drawn(9, size=30)
    table["id"] = [str(n) for n in range(30)]
    for name, value in spoil.items():
        table[name] = [*table[name][:28], value, value]
    asked = {"item": "id", "classes": CLASSES} | roles
    said = []
    for data in (table, handed(table)):
        with pytest.raises(SteelyardError) as refused:
            open_predictions(data, Roles.of(**asked))
        said.append(
            (refused.value.code, refused.value.faults[0].found, refused.value.faults[0].fix)
        )
    assert said[0] == said[1]


def vectors(third):
    shares = np.random.default_rng(26).dirichlet([1, 1, 1], 12)
    shares[5, 2] = third
    named = {f"net.{name}": shares[:, n] for n, name in enumerate("abc")}
    return {"truth": list("abcabcabcabc"), **named}


@pytest.mark.parametrize("third", [float("nan"), 7.0])
def test_bad_vectors_are_refused_in_the_same_words(handed, third):
    said = []
    for data in (vectors(third), handed(vectors(third))):
        with pytest.raises(SteelyardError) as refused:
            open_predictions(data, Roles.of())
        said.append([(one.found, one.fix) for one in refused.value.faults])
    assert said[0] == said[1]


def test_classes_of_any_type_are_named_alike(handed):
    codes = np.array([0, 1, 1, 0, 1, 0])
    for kind in (pa.uint64(), pa.binary(), pa.decimal128(5, 0), pa.bool_(), pa.int8()):
        values = {pa.binary(): [b"no", b"yes"], pa.bool_(): [False, True]}.get(kind, [0, 1])
        column = lambda order: pa.array([values[n] for n in order], kind)  # noqa: B023, E731
        table = {"truth": column(codes), "A": column(codes[::-1])}
        here, there = both(handed, table, called="A", truth="truth")
        assert tally_confusion(there, there.systems[0]) == tally_confusion(here, here.systems[0])


def test_a_session_with_other_settings_counts_alike(spark, tmp_path):
    """Settings that users change: no checks of overflow, no adaptive plans; and heaps of zeros."""
    session = spark.newSession()
    for name, value in {"ansi.enabled": "false", "adaptive.enabled": "false",
                        "shuffle.partitions": "3"}.items():  # fmt: skip
        session.conf.set(f"spark.sql.{name}", value)
    table = pa.table(crowded(27) | {"other": crowded(28)["wide"]})
    pq.write_table(table, tmp_path / "scores.parquet", row_group_size=100)
    asked = Roles.of(score=["wide", "other"])
    there = open_predictions(session.read.parquet(str(tmp_path / "scores.parquet")), asked)
    here = open_predictions(table, asked)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(placed_rows, "MOST_IN_RANGE", 20)
        patched.setattr(placed_rows, "MOST_COPIED", 100)
        assert sums_alone(tally_placement_sums(there, there.systems)) == sums_alone(
            tally_placement_sums(here, here.systems)
        )


def state(session):
    """All that a user could find changed in a session."""
    names = [session.catalog.currentCatalog(), session.catalog.currentDatabase()]
    return dict(session.conf.getAll), names, [one.name for one in session.catalog.listTables()]


def own_state(spark):
    """What only a session of this machine shows: cached rows, and how the user's jobs are named."""
    context = spark.sparkContext
    words = ("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel")
    cached = sorted(context._jsc.getPersistentRDDs().keySet())
    said = [context.getLocalProperty(word) for word in words]
    return cached, said, context.getJobTags(), spark.catalog.isCached("mine")


def bad_rows(hand):
    with pytest.raises(SteelyardError):
        sy.evaluate(hand(CALLS | {"truth": ["a", None, "b", "b", "a", "b"]}))


def bad_sums(hand):
    """Fail on the executors, in the middle of a statement."""
    predictions = open_predictions(hand(CALLS), Roles.of())
    with pytest.raises(SteelyardError):
        predictions.table.query("SELECT SUM(CAST(truth AS BIGINT)) FROM {t}")


def many_scores(hand):
    there = open_predictions(hand(crowded(25)), Roles.of(score=["wide"], cluster="patient"))
    tally_score_table(replace(there, table=replace(there.table, most_rows=300)), there.systems[0])


@pytest.mark.parametrize(
    "ask",
    [lambda hand: sy.evaluate(hand(CALLS)), lambda hand: sy.compare(hand(CALLS)), many_scores,
     bad_rows, bad_sums],
    ids=["evaluate", "compare", "many scores", "bad rows", "a failing statement"],
)  # fmt: skip
def test_the_session_is_left_as_it_was(handed, spark, ask):
    spark.range(3).createOrReplaceTempView("mine")
    spark.catalog.cacheTable("mine")
    spark.sparkContext.setJobGroup("user", "what the user does")
    spark.sparkContext.addJobTag("user-tag")
    try:
        before = state(spark), own_state(spark)
        ask(handed)
        assert (state(spark), own_state(spark)) == before
    finally:
        spark.catalog.dropTempView("mine")
        spark.sparkContext.clearJobTags()
        for word in ("spark.jobGroup.id", "spark.job.description"):
            spark.sparkContext.setLocalProperty(word, None)


def test_first_of_repeated_rows_is_refused_where_rows_have_no_order(handed):
    table = {"id": ["1", "1"], "truth": ["a", "b"], "m": ["a", "b"]}
    with pytest.raises(SteelyardError, match="no order"):
        open_predictions(handed(table), Roles.of(item="id", duplicates="first"))


def run(*words):
    return CliRunner().invoke(steelyard, [str(word) for word in words])


@pytest.mark.parametrize(
    "asked",
    [
        ["evaluate"],
        ["roc"],
        ["calibration"],
        ["targeting"],
        ["threshold", "--resamples", "0"],
        ["agreement", "--raters", "truth,called"],
        ["gate", "--candidate", "p", "--baseline", "q", "--require", "not worse by 0.9"],
        ["report", "--format", "md", "-o", "-"],
    ],
    ids=lambda asked: asked[0],
)
def test_the_cluster_answers_what_this_machine_answers(spark, cluster, tmp_path, asked):
    path = tmp_path / "scores.parquet"
    scores = np.random.default_rng(3).random((2, 40))
    truth = scores[0] + scores[1] > 0.8
    columns = {"truth": truth.astype(int), "p": scores[0], "q": scores[1], "called": ~truth}
    pq.write_table(pa.table(columns), path)
    verb, *more = asked
    roles = ["--truth", "truth", "--positive", "1", "--score", "p"]
    roles += ["--score", "q"] if verb != "threshold" else []
    roles = [] if verb == "agreement" else roles
    here, there = (
        run(verb, path, *roles, *more, *([] if verb == "report" else ["--details"]), *engine)
        for engine in ([], ["--engine", "spark", "--master", cluster.address])
    )
    assert there.exit_code == here.exit_code == 0, (here.output, there.output)
    assert spoken(there) == spoken(here)
    assert "Spark" in there.stdout


def spoken(done):
    """All lines but those that say what was read, how, and by which command."""
    passed = ("Read ", "- Read ", "- Command: ")
    return [line for line in done.stdout.splitlines() if not line.startswith(passed)]


def test_frames_of_spark_connect_are_counted_alike(spark, cluster, tmp_path):
    from pyspark.sql.connect.session import SparkSession

    _, table = drawn(11)
    pq.write_table(pa.table(table), tmp_path / "calls.parquet")
    far = SparkSession.builder.remote(f"sc://127.0.0.1:{cluster.connect_port}").create()
    try:
        frame = far.read.parquet(str(tmp_path / "calls.parquet"))
        there = sy.compare(frame, classes=CLASSES)
        assert sy.evaluate(frame, classes=CLASSES).systems == (
            sy.evaluate(table, classes=CLASSES).systems
        )
        odd = {name: column for name, column in crowded(23).items() if name != "patient"}
        pq.write_table(pa.table(odd), tmp_path / "scores.parquet")
        asked = {"score": ["wide", "gaps"], "missing": "exclude"}
        before = state(far)
        scores = far.read.parquet(str(tmp_path / "scores.parquet"))
        scored = sy.compare(scores, **asked)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(placed_rows, "MOST_IN_RANGE", 60)
            far_off = open_predictions(scores, Roles.of(**asked))
            here = open_predictions(odd, Roles.of(**asked))
            sums = tally_placement_sums(far_off, far_off.systems)
            assert sums_alone(sums) == sums_alone(tally_placement_sums(here, here.systems))
            assert far_off.table.engine.ships
        bad_sums(lambda columns: far.createDataFrame(pa.table(columns)))
        assert state(far) == before
    finally:
        far.stop()
    assert there.rows() == sy.compare(table, classes=CLASSES).rows()
    assert scored.rows() == sy.compare(odd, **asked).rows()


def test_a_script_handed_to_spark_submit_answers_what_this_machine_answers(spark_home, tmp_path):
    pq.write_table(pa.table(CALLS), tmp_path / "calls.parquet")
    small = ["--driver-java-options", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"]
    for setting in ("spark.ui.enabled=false", "spark.sql.shuffle.partitions=1"):
        small += ["--conf", setting]
    submit = [spark_home / "bin" / "spark-submit", "--master", "local[1]", *small]
    done = subprocess.run(
        [*submit, Path(__file__).with_name("submitted.py"), tmp_path / "calls.parquet"],
        env=os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    said = done.stdout[done.stdout.index("{") :]
    there, here = read_result(said), sy.compare(tmp_path / "calls.parquet")
    assert there.rows() == here.rows()
    assert there.sentence() == here.sentence()


def test_a_file_the_cluster_cannot_see_is_named(spark, cluster, tmp_path):
    gone = tmp_path / "nothing.parquet"
    said = run("compare", gone, "--engine", "spark", "--master", cluster.address)
    assert isinstance(said.exception, SourceError)
    assert "The cluster cannot read" in str(said.exception)
    assert "table:NAME" in str(said.exception)


def test_a_truncated_file_on_the_cluster_is_refused_with_the_reason(spark, cluster, tmp_path):
    path = tmp_path / "calls.parquet"
    pq.write_table(pa.table(CALLS), path)
    path.write_bytes(path.read_bytes()[:-30])
    said = run("evaluate", path, "--engine", "spark", "--master", cluster.address)
    assert isinstance(said.exception, SourceError)
    assert "An error occurred" not in str(said.exception)
    assert said.stdout == ""


def test_a_column_that_changes_its_type_in_a_later_file_is_refused(spark, cluster, tmp_path):
    folder = tmp_path / "parts"
    folder.mkdir()
    for name, scores in (("1", [0.1, 0.2]), ("2", ["low", "high"])):
        pq.write_table(pa.table({"truth": [0, 1], "A": scores}), folder / f"{name}.parquet")
    asked = ("--positive", "1", "--score", "A", "--engine", "spark", "--master", cluster.address)
    said = run("evaluate", folder, *asked)
    assert isinstance(said.exception, SteelyardError)
    assert "An error occurred" not in str(said.exception)
    assert said.stdout == ""


@pytest.mark.parametrize("wish", [{"memory": "1GiB"}, {"delimiter": ";"}, {"scorer": "match"}])
def test_what_is_about_this_machine_is_not_passed_over_on_a_cluster(handed, wish):
    with pytest.raises(RequestError, match=next(iter(wish))):
        sy.evaluate(handed(CALLS), **wish)


def test_a_cluster_without_an_address_is_asked_for():
    said = run("compare", "calls.parquet", "--engine", "spark")
    assert isinstance(said.exception, RequestError)
    assert "--master spark://HOST:7077" in str(said.exception)


def test_an_address_without_the_engine_is_wrong_usage():
    said = run("compare", "calls.parquet", "--master", "local[2]")
    assert said.exit_code == 2
    assert "--engine spark" in said.output


def test_a_worker_killed_in_the_middle_of_a_job_changes_no_count(cluster, spark, tmp_path):
    rng = np.random.default_rng(1)
    table = pa.table({name: rng.choice(list("abc"), 20_000) for name in ("truth", "A", "B", "C")})
    pq.write_table(table, tmp_path / "calls.parquet", row_group_size=2_000)
    expected = tally_outcomes(open_predictions(table, Roles.of()))
    predictions = repeated(
        open_predictions(spark.read.parquet(str(tmp_path / "calls.parquet")), Roles.of())
    )
    found = []
    job = threading.Thread(target=lambda: found.append(tally_outcomes(predictions)))
    job.start()
    killed = kill_when_busy(cluster, spark, job)
    job.join()
    cluster.start_worker("worker3")
    assert killed
    assert dict(found[0].patterns) == {pattern: AGAIN * n for pattern, n in expected.patterns}


def repeated(predictions):
    """Make the job long: every row many times, in many small parts."""
    rows = predictions.table.frame
    longer = rows.selectExpr("*", f"explode(sequence(1, {AGAIN})) AS again").repartition(40)
    table = replace(predictions.table, frame=longer)
    return replace(predictions, table=table, rows=AGAIN * predictions.rows)


def kill_when_busy(cluster, spark, job):
    tracker = spark.sparkContext.statusTracker()
    while job.is_alive():
        for stage in tracker.getActiveStageIds():
            seen = tracker.getStageInfo(stage)
            if seen and seen.numActiveTasks and 2 <= seen.numCompletedTasks < seen.numTasks - 5:
                cluster.kill("worker1")
                return True
        time.sleep(0.05)
    return False


def test_a_cluster_that_lost_all_its_workers_is_not_waited_for_without_end(
    cluster, spark, handed, monkeypatch
):
    predictions = open_predictions(handed(CALLS), Roles.of())
    monkeypatch.setattr(engine, "PATIENCE", 2)
    for name in [name for name in cluster.processes if name.startswith("worker")]:
        cluster.kill(name)
    with pytest.raises(RefusedData, match="no worker for 2 seconds"):
        tally_outcomes(predictions)
    assert not spark.sparkContext.getJobTags()
