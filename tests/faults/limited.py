"""A question in a process of its own, with what it took at most."""

import json
import subprocess
import sys
from typing import Any, NamedTuple

__all__ = ["GIB", "Ended", "ask"]

GIB = 2**30

PROGRAM = """
import json, resource, sys
import steelyard as sy
from steelyard.errors import SteelyardError
verb, data, options = json.loads(sys.argv[1])
try:
    said, code = str(getattr(sy, verb)(data, **options)), ""
except SteelyardError as error:
    said, code = str(error), error.code
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([said, code, peak * (1 if sys.platform == "darwin" else 1024)]))
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
    ended = subprocess.run(asked, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, (ended.returncode, ended.stderr[-2000:])
    return Ended(*json.loads(ended.stdout))
