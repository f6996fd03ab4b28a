"""A question in a process of its own, with what it took at most."""

import json
import subprocess
import sys
from typing import Any, NamedTuple

__all__ = ["GIB", "Ended", "ask"]

GIB = 2**30

PROGRAM = """
import json, resource, sys
from pathlib import Path
import steelyard as sy
from steelyard.errors import SteelyardError
verb, data, options = json.loads(sys.argv[1])
try:
    said, code = str(getattr(sy, verb)(data, **options)), ""
except SteelyardError as error:
    said, code = str(error), error.code
# Not ru_maxrss on Linux: a new process starts with the peak of the one that has started it.
status = Path("/proc/self/status")
if status.exists():
    (line,) = [one for one in status.read_text().splitlines() if one.startswith("VmHWM")]
    peak = int(line.split()[1]) * 1024
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([said, code, peak]))
"""


class Ended(NamedTuple):
    """What was said, the code of a refusal, and the most memory that was held."""

    said: str
    code: str
    peak: int


def ask(verb: str, data: Any, **options: Any) -> Ended:
    """Ask in a process of its own; one that crashes, or says nothing, fails the test.

    The memory that was really held is measured: a limit on addresses would stop databases and
    thread pools, which reserve far more than they use.
    """
    asked = [sys.executable, "-W", "ignore", "-c", PROGRAM, json.dumps([verb, data, options])]
    ended = subprocess.run(asked, capture_output=True, text=True, timeout=600, check=False)
    assert ended.returncode == 0, (ended.returncode, ended.stderr[-2000:])
    return Ended(*json.loads(ended.stdout))
