"""Every method answers at 10^5 and 10^9 items, in bounded memory, or says why it does not fit."""

import json
import subprocess
import sys

import pytest

from steelyard.comparison.methods import METHODS

MORE = {
    "calls", "clusters", "data sets", "fold scores", "positive", "measure", "areas", "placements",
    "scores", "share", "values",
}  # fmt: skip
"""What counts of right and wrong answers do not tell."""

COUNTED = [name for name, method in METHODS.items() if not set(method.needs) & MORE]
"""Methods that counts of right and wrong answers are enough for."""

SCRIPT = """
import json, resource, sys
names, items = json.loads(sys.argv[1]), int(sys.argv[2])
import steelyard as sy
from steelyard.comparison.methods import METHODS
from steelyard.errors import NotComparable
# One number for each of 10^9 items would need 8 GB: far beyond what is left here.
resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))
tenth = items // 10
few = items // 1000
common = sy.Outcomes.from_patterns(
    {0: tenth, 1: 3 * few, 2: 2 * few, 4: few, 7: items - tenth - 6 * few}, systems=("A", "B", "C")
)
gap = max(3, few // 100)
apart = sy.Trials(
    correct={"A": 9 * tenth, "B": 9 * tenth + gap, "C": 9 * tenth - gap},
    tested=items, pairing="independent",
)
answered = {}
for name in names:
    method = METHODS[name]
    using = {"order": "random"} if "order" in method.options else None
    margin = 0.01 if "margin" in method.needs else None
    for data in (common, apart):
        try:
            found = sy.compare(data, method=name, using=using, margin=margin)
        except NotComparable:
            continue
        answered.setdefault(name, []).append(found.answer)
print(json.dumps(answered))
"""


@pytest.mark.parametrize("items", [10**5, 10**9])
def test_every_method_of_counts_answers_at_any_size(items):
    asked = [name for name in COUNTED if name != "akaike-totals"]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(asked), str(items)],
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert set(json.loads(done.stdout)) == set(asked)
