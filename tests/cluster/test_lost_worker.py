"""A worker that dies in the middle of a job changes nothing."""

import threading
import time
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from steelyard.sources import Roles, open_predictions
from steelyard.tally import tally_outcomes

pytestmark = pytest.mark.xdist_group("cluster")

AGAIN = 40


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
