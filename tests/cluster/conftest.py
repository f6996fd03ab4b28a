"""A real cluster on this machine: a master and two workers, each a process of its own."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

import pytest

FOUND = importlib.util.spec_from_file_location(
    "processes", Path(__file__).with_name("processes.py")
)
processes = importlib.util.module_from_spec(FOUND)
FOUND.loader.exec_module(processes)


@pytest.fixture(scope="session")
def spark_home():
    """Spark as it comes in the Python package, with the Java it needs."""
    import pyspark

    if shutil.which("java") is None:
        reason = "no Java: apt-get install default-jre-headless"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return Path(pyspark.__file__).parent


@pytest.fixture(scope="session")
def cluster(spark_home, tmp_path_factory):
    running = processes.Cluster(tmp_path_factory.mktemp("cluster"), spark_home)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def spark(cluster):
    """A session at the master, as small as it gets."""
    from pyspark.sql import SparkSession

    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = processes.SMALL_SESSION | {
        # The driver of the tests also serves clients of Spark Connect.
        "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(cluster.connect_port),
    }
    builder = SparkSession.builder.master(cluster.address).appName("steelyard tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
