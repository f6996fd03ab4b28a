"""What people write by hand today: tables and shares of six systems, and McNemar for each pair."""

import sys
from itertools import combinations

import numpy as np
import pandas as pd
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

__all__ = ["main"]


def main(path: str) -> None:
    """Print one line for each system and one for each pair."""
    table = pd.read_parquet(path)
    systems = [name for name in table.columns if name not in {"id", "truth"}]
    right = {system: (table[system] == table["truth"]).to_numpy() for system in systems}
    for system in systems:
        confusion = pd.crosstab(table["truth"], table[system])
        ends = proportion_confint(right[system].sum(), len(table), method="wilson")
        print(system, np.trace(confusion.to_numpy()) / len(table), ends)
    for one, other in combinations(systems, 2):
        only_one = int(np.sum(right[one] & ~right[other]))
        only_other = int(np.sum(right[other] & ~right[one]))
        cells = [[0, only_one], [only_other, 0]]
        print(one, other, mcnemar(cells, exact=False).pvalue)


if __name__ == "__main__":
    main(sys.argv[1])
