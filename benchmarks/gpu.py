"""Scores on a GPU: exact areas with their variance, against torchmetrics, and equal to the CPU's.

Run where CUDA is: ``PYTHONPATH=src python benchmarks/gpu.py --write benchmarks/gpu.json``.
It needs numpy and torch; torchmetrics and CuPy are measured where they are installed.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from steelyard.counts import PairSums
from steelyard.counts.scores.counting import score_counts
from steelyard.tally.device.labels import count_cells
from steelyard.tally.device.libraries import Library, NumpyLike, Torch
from steelyard.tally.device.scores import count_pair_sums, count_placements, count_scores

__all__: list[str] = []

SIZES = (10**6, 10**7, 10**8, 10**9)
KINDS = ("float32", "float64")
REPEATS = 7

Array = Any
torch: Any = import_module("torch")
TORCH = Torch(torch)


def best(work: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds of the quickest of some runs, and the GiB they took beyond the data."""
    work()
    torch.cuda.synchronize()
    held = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    times = []
    for _ in range(REPEATS):
        torch.cuda.synchronize()
        start = time.perf_counter()
        work()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return 1e3 * min(times), (torch.cuda.max_memory_allocated() - held) / 2**30


def draw(rows: int, kind: str) -> tuple[Array, Array]:
    """Draw labels and scores on the device."""
    torch.manual_seed(rows % 97)
    label = torch.rand(rows, device="cuda") < 0.3
    return label, (torch.randn(rows, device="cuda") + label).to(getattr(torch, kind))


def libraries() -> Iterator[tuple[Library, Callable[[Array], Array]]]:
    """Give each library with the way from a tensor of torch to its arrays."""
    yield TORCH, lambda tensor: tensor
    try:
        cupy: Any = import_module("cupy")
    except ImportError:
        return
    yield NumpyLike(cupy), cupy.from_dlpack


def plain_sums(positives: Array, negatives: Array) -> PairSums:
    """Add up by the definition, in Python's whole numbers."""
    below = np.cumsum(negatives) - negatives
    above = positives.sum() - np.cumsum(positives)
    up = list(zip(positives.tolist(), (2 * below + negatives).tolist(), strict=True))
    down = list(zip(negatives.tolist(), (2 * above + positives).tolist(), strict=True))
    return PairSums(
        distinct=positives.size,
        won_twice=sum(rows * twice for rows, twice in up),
        positive_squares=sum(rows * twice**2 for rows, twice in up),
        negative_squares=sum(rows * twice**2 for rows, twice in down),
    )


def check(rows: int = 3_000_000) -> None:
    """Compare counts of the device with those of this machine, to the last one."""
    for kind in (*KINDS, "float16"):
        label, scores = draw(rows, kind)
        if kind == "float32":
            scores[::7] = scores[::7].round(decimals=2)
            scores[:3] = torch.tensor([float("inf"), float("-inf"), -0.0])
        here = score_counts(label.cpu().numpy(), scores.cpu().numpy())
        sums = plain_sums(here.positives, here.negatives)
        for library, give in libraries():
            for part in (slice(None), slice(0, rows // 3)):
                expected, whole = here, sums
                if part != slice(None):
                    few = label[part].cpu().numpy(), scores[part].cpu().numpy()
                    expected = score_counts(*few)
                    whole = plain_sums(expected.positives, expected.negatives)
                flags = give(label[part].to(torch.uint8)) == 1
                asked = partial(count_scores, library, flags, give(scores[part]), name="1")
                table = asked(most=10**8)
                for name in ("scores", "positives", "negatives"):
                    same = np.array_equal(getattr(table, name), getattr(expected, name))
                    _require(same, f"{library.name}, {kind}: {name}")
                thin = asked(most=1000, cells=500)
                _require(thin.pair_sums == whole, f"{library.name}, {kind}: sums")
                at = np.searchsorted(expected.scores, thin.scores)
                for name in ("positives", "negatives"):
                    counts = np.add.reduceat(getattr(expected, name), at)
                    _require(np.array_equal(getattr(thin, name), counts), f"{kind}: thin {name}")
        print("equal:", kind, sums, flush=True)
    codes = [torch.randint(0, 10, (10**6,), device="cuda") for _ in range(2)]
    cells = count_cells(TORCH, codes, [10, 10])
    here_codes = [one.cpu().numpy() for one in codes]
    plain = np.bincount(here_codes[0] * 10 + here_codes[1], minlength=100)
    _require([cells[divmod(i, 10)] for i in range(100)] == plain.tolist(), "cells")


def _require(same: object, what: str) -> None:
    if not same:
        message = f"The device and this machine differ: {what}."
        raise SystemExit(message)


def jobs(size: int, kind: str) -> Iterator[tuple[str, str, Callable[[], object]]]:
    """Give what is measured at one size: its name, by whom, and the work."""
    label, scores = draw(size, kind)
    for library, give in libraries():
        if library.name == "torch" or size <= 10**8:
            flags = give(label.to(torch.uint8)) == 1
            work = partial(count_pair_sums, library, flags, give(scores))
            yield "area and variance", f"Steelyard, {library.name}", work
    try:
        peer = import_module("torchmetrics.functional.classification").binary_auroc
        if size < 10**9:
            yield "area alone", "torchmetrics", partial(peer, scores, label.long(), thresholds=None)
    except ImportError:
        pass
    if kind == "float32" and size <= 10**8:
        yield (
            "score table",
            "Steelyard, torch",
            partial(count_scores, TORCH, label, scores, name="1", most=10**5),
        )
        both = {"A": scores, "B": scores + 0.5 * torch.randn(size, device="cuda")}
        yield (
            "two systems compared",
            "Steelyard, torch",
            partial(count_placements, TORCH, label, both, name="1", most=10**5),
        )
        codes = [torch.randint(0, 100, (size,), device="cuda") for _ in range(2)]
        yield (
            "table of 100 classes",
            "Steelyard, torch",
            partial(count_cells, TORCH, codes, [100, 100]),
        )


def measure() -> Iterator[dict[str, object]]:
    """Measure every job at every size."""
    for size in SIZES:
        for kind in KINDS:
            for what, by, work in jobs(size, kind):
                took, peak = best(work)
                found = {"what": what, "by": by, "rows": size, "kind": kind, "ms": round(took, 3)}
                if "cupy" not in by:
                    found["gib"] = round(peak, 2)
                print(found, flush=True)
                yield found
            torch.cuda.empty_cache()


if __name__ == "__main__":
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--write", type=Path, help="where to keep the figures")
    given = words.parse_args()
    check()
    kept = {
        "device": torch.cuda.get_device_name(0),
        "torch": torch.__version__,
        "rows": list(measure()),
    }
    if given.write:
        given.write.write_text(json.dumps(kept, indent=1) + "\n")
