"""Time every question of `plan` for up to ten systems: each has to answer within two seconds.

python benchmarks/plan_times.py
"""

import sys
import time

import steelyard as sy
from steelyard.errors import RequestError

__all__ = ["main"]

TEN = [round(0.92 - 0.01 * place, 2) for place in range(10)]
WIDE = [round(0.95 - 0.05 * place, 2) for place in range(10)]
LIMIT = 2.0

PLANS = {
    "best of 2": lambda: sy.plan([0.90, 0.88]),
    "best of 3": lambda: sy.plan([0.90, 0.88, 0.86]),
    "best of 10": lambda: sy.plan(TEN),
    "best of 10, priors": lambda: sy.plan(TEN, priors=(2, 1)),
    "best of 10, shares": lambda: sy.plan(TEN, shares=[2] + [1] * 9),
    "best of 10, common items": lambda: sy.plan(TEN, discordance=0.1),
    "ranking of 3": lambda: sy.plan([0.90, 0.88, 0.86], question="ranking"),
    "ranking of 10": lambda: sy.plan(TEN, question="ranking"),
    "ranking of 10, common items": lambda: sy.plan(TEN, question="ranking", discordance=0.1),
    "pair": lambda: sy.plan([0.90, 0.88], question="pair"),
    "pair, common items": lambda: sy.plan([0.90, 0.88], question="pair", design="paired"),
    "pair, one point": lambda: sy.plan([0.90, 0.89], question="pair", design="paired"),
    "every two of 10": lambda: sy.plan(TEN, question="pair"),
    "every two of 10, common items": lambda: sy.plan(TEN, question="pair", design="paired"),
    "equivalence": lambda: sy.plan([0.90, 0.90], question="pair", margin=0.02),
    "equivalence, common items": lambda: sy.plan(
        [0.90, 0.90], question="pair", margin=0.02, discordance=0.06
    ),
    "width": lambda: sy.plan([0.90], question="width", width=0.02),
    "width, common items": lambda: sy.plan(
        [0.90, 0.88], question="width", width=0.02, discordance=0.06
    ),
    "select of 10": lambda: sy.plan(question="select", among=10, delta=0.05),
    "select of 10, turned round": lambda: sy.plan(question="select", among=10, samples=1000),
    "area": lambda: sy.plan([0.90], question="area", null=0.88),
    "two areas": lambda: sy.plan([0.90, 0.88], question="area", correlation=0.5),
    "kappa": lambda: sy.plan([0.60], question="kappa", null=0.55),
    "Akaike": lambda: sy.plan([0.90, 0.88], question="akaike"),
    "stop": lambda: sy.plan([0.90, 0.88], question="stop", discordance=0.06),
    "stop, every 10 items": lambda: sy.plan(
        [0.90, 0.88], question="stop", discordance=0.06, every=10
    ),
    "stop, unknown discordance": lambda: sy.plan([0.90, 0.88], question="stop"),
    "stop, 3 systems": lambda: sy.plan([0.90, 0.85, 0.80], question="stop"),
    "stop, 10 systems": lambda: sy.plan(WIDE, question="stop"),
    "clusters": lambda: sy.plan(TEN, cluster_size=20, icc=0.1),
    "trials": lambda: sy.plan([0.90, 0.88], question="pair", trials=5, icc=0.5),
}


def main() -> None:
    """Print the seconds of each, and end with 1 when one takes too long."""
    slow = []
    for name, ask in PLANS.items():
        start = time.process_time()
        try:
            found = ask()
            said = f"{found.samples or 0:>9,d} items"
        except RequestError as refused:
            said = f"refused: {str(refused)[:60]}"
        took = time.process_time() - start
        print(f"{name:32s} {took:6.2f} s  {said}")
        if took > LIMIT:
            slow.append(name)
    if slow:
        sys.exit(f"Over {LIMIT:g} s: {', '.join(slow)}")


if __name__ == "__main__":
    main()
