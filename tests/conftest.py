"""Settings that every test shares, and PostgreSQL on a port of its own, for the tests only."""

import os
import runpy
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

from tests.memory import MemoryWatch
from tests.ports import free_port

__all__: list[str] = []

NUMBERS = count(1)

LONG = (
    "cluster/test_cluster",
    "browser/",
    "freeze/",
    "suites/test_runs",
    "campaigns/test_crashes",
    "docs/",
    "faults/",
    "coverage/",
    "surfaces/",
    "journey/",
    "laws/",
)
"""Files that take minutes or wait for other programs, the longest first."""

GUARD = Path(__file__).parent / "guard"
# The processes of a run share few cores: threads of one would wait for those of another.
# tests/journey/test_same_bytes.py asks for one and for four, and wants the same bytes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Nothing but loopback from here on, nor from any Python that a test starts.
runpy.run_path(str(GUARD / "sitecustomize.py"))
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(GUARD), *filter(None, [os.environ.get("PYTHONPATH")])]
)

# Where tests run in the background, a shell has had Ctrl-C ignored, also by all that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine is no reason to fail, so there is no deadline. `make test` tries the same examples
# each time, so that red or green belongs to the change; `make test-long` searches for new ones.
settings.register_profile("short", deadline=None, max_examples=30, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=2000)
settings.load_profile("short")


def pytest_configure(config):
    """Watch what tests hold; a process of xdist that runs no test needs no watch."""
    if os.environ.get("PYTEST_XDIST_WORKER") or not config.getoption("numprocesses", None):
        watch = MemoryWatch()
        watch.start()
        config.pluginmanager.register(watch)
        config.add_cleanup(watch.stop)


def pytest_collection_modifyitems(items):
    """Begin with the files that take longest, so that no worker is left alone with one."""
    items.sort(key=lambda item: next((n for n, at in enumerate(LONG) if at in item.nodeid), 99))


@pytest.hookimpl(hookwrapper=True)
def pytest_collect_file(file_path):
    """Look for no examples in tests, which have none."""
    outcome = yield
    outcome.force_result([x for x in outcome.get_result() if not isinstance(x, DoctestModule)])


@dataclass
class Server:
    """A PostgreSQL server with nothing in it but what the tests put there."""

    programs: Path
    folder: Path
    port: int

    def run(self, *words):
        """Run a program of the server as the user that may."""
        there = self.programs / words[0]
        line = [str(there if there.exists() else words[0]), *words[1:]]
        if os.geteuid() == 0:
            line = ["runuser", "-u", "postgres", "--", *line]
        # The server outlives this call, so it must not hold our pipes.
        subprocess.run(
            line, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/"
        )

    def start(self):
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self.folder}"
        log = str(self.folder / "log")
        self.run("pg_ctl", "-w", "-D", str(self.folder / "data"), "-o", options, "-l", log, "start")

    def stop(self, how="immediate"):
        self.run("pg_ctl", "-w", "-D", str(self.folder / "data"), "-m", how, "stop")

    def database(self):
        """Make an empty database and give its address."""
        name = f"ledger{next(NUMBERS)}"
        self.tell(f"CREATE DATABASE {name}")
        return self.address(name).replace("postgresql://", "postgresql+psycopg://")

    def tell(self, statement):
        """Run a statement that stands alone."""
        import psycopg

        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(statement)

    def address(self, name):
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"


def programs():
    """Find the newest server that is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[-3]))
    if found:
        return found[-1].parent
    path = shutil.which("initdb")
    return Path(path).parent if path else None


@pytest.fixture(scope="session")
def server():
    """Start PostgreSQL once; without one, skip and say why, but fail where CI=true."""
    where = programs()
    if where is None:
        reason = "no PostgreSQL: apt-get install postgresql"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    # In memory where that is possible: what is tested is crashes of programs, not of disks.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="steelyard-pg-", dir=memory))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    made = Server(programs=where, folder=folder, port=free_port())
    made.run("initdb", "--no-sync", "--auth=trust", "-U", "postgres", "-D", str(folder / "data"))
    made.start()
    yield made
    made.stop()
    shutil.rmtree(folder, ignore_errors=True)
