"""A cluster on this machine: a master and its workers, each a process of its own."""

import os
import signal
import subprocess
import time

from tests.ports import free_port

QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
LOCAL = ("--host", "127.0.0.1", "--webui-port", "0")
PATIENCE = 120
SMALL_SESSION = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.executor.memory": "768m",
    "spark.executor.cores": "1",
    "spark.network.timeout": "120s",
    "spark.executor.heartbeatInterval": "2s",
    "spark.driver.extraJavaOptions": QUICK_JAVA,
    "spark.executor.extraJavaOptions": QUICK_JAVA,
}
"""A session at the master, as small as it gets."""


class Cluster:
    """A master and its workers; a worker may be killed, and another one started."""

    def __init__(self, folder, home, *, workers=2):
        self.folder, self.home = folder, home
        self.port = free_port()
        self.connect_port = free_port()
        self.address = f"spark://127.0.0.1:{self.port}"
        self.processes = {}
        self._start("master", "master.Master", "--port", str(self.port))
        self._wait("master", "Starting Spark master")
        for number in range(1, workers + 1):
            self.start_worker(f"worker{number}")

    def start_worker(self, name):
        space = ["--cores", "1", "--memory", "1g", "--work-dir", str(self.folder / f"{name}-work")]
        self._start(name, "worker.Worker", "--port", "0", *space, self.address)
        self._wait(name, "Successfully registered with master")

    def kill(self, name):
        process = self.processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self):
        for name in reversed(list(self.processes)):
            self.kill(name)

    def _start(self, name, what, *arguments):
        environment = {
            **os.environ,
            "SPARK_HOME": str(self.home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_NO_DAEMONIZE": "1",
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": f"{QUICK_JAVA} -Dspark.worker.timeout=10",
        }
        program = self.home / "bin" / "spark-class"
        with (self.folder / f"{name}.log").open("w") as log:
            self.processes[name] = subprocess.Popen(
                [program, f"org.apache.spark.deploy.{what}", *LOCAL, *arguments],
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def _wait(self, name, words):
        log = self.folder / f"{name}.log"
        for _ in range(PATIENCE * 5):
            if words in log.read_text():
                return
            if self.processes[name].poll() is not None:
                break
            time.sleep(0.2)
        message = f"{name} did not start: {log.read_text()[-2000:]}"
        raise RuntimeError(message)
