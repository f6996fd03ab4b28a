"""Suites built from installed packages: textures of scikit-image, tables of scikit-learn."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import ExtraMissing
from steelyard.suites.problems.item_files import Image, write_image
from steelyard.suites.problems.problem import Items, Problem, ProblemClass, write_split
from steelyard.suites.problems.suite_files import Suite, SuiteProblem, seal_suite

__all__ = ["SUITES", "Tiling", "build_demo", "build_ground", "build_recognition", "build_shift"]

TEXTURES = ("brick", "grass", "gravel")
BLOCK = 64
"""Side of a group in pixels: tiles of one block of a photograph resemble one another."""

HALF = 256
ALGORITHMS = ("null", "majority", "grey", "glcm", "gabor", "gmrf", "fractal", "lbp")
LICENCE = "CC0-1.0 (photographs brick, grass and gravel of scikit-image)"
NOISE = 15.0
ONE_PHOTOGRAPH = (
    "each texture is one photograph: training and test tiles come from different halves of it, so "
    "nothing is known of other photographs of the same ground"
)

Change = Literal["none", "turned", "noisy", "dark"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiling:
    """How a problem is cut: which textures, how large, how many, and what is done to test tiles."""

    id: str
    title: str
    size: int
    samples: int = 16
    tests: int = 32
    textures: tuple[str, ...] = TEXTURES
    normalised: bool = False
    change: Change = "none"
    weights: tuple[float, ...] = ()


GROUND = (
    Tiling(id="three64", title="Three textures, tiles of 64 pixels", size=64),
    Tiling(id="three32", title="Three textures, tiles of 32 pixels", size=32),
    Tiling(id="three16", title="Three textures, tiles of 16 pixels", size=16),
    Tiling(id="three32n", title="Tiles of 32, same mean and spread", size=32, normalised=True),
    Tiling(id="three16n", title="Tiles of 16, same mean and spread", size=16, normalised=True),
    Tiling(id="gg32", title="Grass and gravel", size=32, textures=("grass", "gravel")),
    Tiling(
        id="gg16n",
        title="Grass and gravel, tiles of 16, same mean and spread",
        size=16,
        textures=("grass", "gravel"),
        normalised=True,
    ),
    Tiling(id="few32", title="Four tiles of each texture to learn from", size=32, samples=4),
)
SHIFT = (
    Tiling(
        id="turned32n",
        title="Test tiles turned by 90 degrees",
        size=32,
        normalised=True,
        change="turned",
    ),
    Tiling(id="noisy32", title="Noise in the test tiles alone", size=32, change="noisy"),
    Tiling(id="dark32", title="Test tiles at 60 % light", size=32, change="dark"),
    Tiling(
        id="weighted32",
        title="Gravel counts eight times as much",
        size=32,
        weights=(0.1, 0.1, 0.8),
    ),
)
DEMO = (
    Tiling(id="three32n", title="Tiles of 32, same mean and spread", size=32, normalised=True),
    Tiling(
        id="gg16n",
        title="Grass and gravel, tiles of 16",
        size=16,
        textures=("grass", "gravel"),
        normalised=True,
    ),
    Tiling(id="few32", title="Four tiles of each texture to learn from", size=32, samples=4),
)


def build_ground(folder: Path) -> Suite:
    """Build *ground*: textures of three kinds of ground at several sizes."""
    return _build(folder, "ground", "Three kinds of ground, cut from one photograph each", GROUND)


def build_shift(folder: Path) -> Suite:
    """Build *shift*: test tiles that are not like the training tiles."""
    return _build(folder, "shift", "Test tiles that differ from those to learn from", SHIFT)


def build_demo(folder: Path) -> Suite:
    """Build *demo*: three problems of *ground*, small enough to run within a minute."""
    return _build(folder, "demo", "Three small problems of ground", DEMO)


def _build(folder: Path, name: str, title: str, tilings: tuple[Tiling, ...]) -> Suite:
    photographs = _photographs()
    for tiling in tilings:
        _write_tiles(tiling, folder / "problems" / tiling.id, photographs)
    suite = Suite(
        id=name,
        folder=folder,
        version="1",
        licence=LICENCE,
        title=title,
        problems=tuple(SuiteProblem(id=tiling.id) for tiling in tilings),
        algorithms=ALGORITHMS,
        caveats=(ONE_PHOTOGRAPH,),
    )
    return seal_suite(suite)


def _photographs() -> dict[str, Image]:
    try:
        from skimage import data
    except ImportError:
        what = "A suite of textures (scikit-image)"
        raise ExtraMissing.for_part(what, extra="textures") from None
    return {name: np.asarray(getattr(data, name)(), dtype=np.float64) for name in TEXTURES}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Tile:
    """A tile with its class and the block of the photograph it comes from."""

    texture: str
    block: str
    image: Image


def _write_tiles(tiling: Tiling, folder: Path, photographs: dict[str, Image]) -> None:
    """Cut the left halves into training tiles and the right halves into test tiles."""
    seed = sum(map(ord, tiling.id))
    rng = np.random.default_rng(seed)
    train = [
        t for name in tiling.textures for t in _tiles(tiling, photographs, name, rng, left=True)
    ]
    test = [
        t for name in tiling.textures for t in _tiles(tiling, photographs, name, rng, left=False)
    ]
    test = [test[k] for k in rng.permutation(len(test))]
    (folder / "files").mkdir(parents=True, exist_ok=True)
    names = tuple(
        f"{side}{place:03d}" for side, of in (("s", train), ("t", test)) for place in range(len(of))
    )
    tiles = (*train, *test)
    for name, tile in zip(names, tiles, strict=True):
        write_image(folder / "files" / f"{name}.pgm", tile.image)
    even = 1 / len(tiling.textures)
    weights = tiling.weights or (even,) * len(tiling.textures)
    problem = Problem(
        id=tiling.id,
        folder=folder,
        classes=tuple(
            ProblemClass(name=name, prior=even, weight=weight)
            for name, weight in zip(tiling.textures, weights, strict=True)
        ),
        unit="image",
        title=tiling.title,
        seed=seed,
    )
    items = Items(
        ids=names,
        files=tuple(f"files/{name}.pgm" for name in names),
        classes=tuple(tile.texture for tile in tiles),
        groups=tuple(tile.block for tile in tiles),
    )
    places = range(len(names))
    write_split(problem, items, train=places[: len(train)], test=places[len(train) :])


def _tiles(
    tiling: Tiling,
    photographs: dict[str, Image],
    texture: str,
    rng: np.random.Generator,
    *,
    left: bool,
) -> list[_Tile]:
    """Draw tiles that do not overlap from one half of a photograph."""
    photograph, size = photographs[texture], tiling.size
    start = 0 if left else HALF
    corners = [
        (i, j)
        for i in range(0, photograph.shape[0] - size + 1, size)
        for j in range(start, start + HALF - size + 1, size)
    ]
    wanted = tiling.samples if left else tiling.tests
    chosen = np.sort(rng.choice(len(corners), min(wanted, len(corners)), replace=False))
    tiles = []
    for i, j in (corners[k] for k in chosen):
        image = photograph[i : i + size, j : j + size]
        image = image if left else CHANGES[tiling.change](image, rng)
        image = _normalise(image) if tiling.normalised else image
        block = f"{texture}-r{i // BLOCK}c{j // BLOCK}"
        tiles.append(_Tile(texture=texture, block=block, image=image))
    return tiles


def _normalise(image: Image) -> Image:
    """Give every tile the mean 128 and the spread 20, so that grey alone tells nothing."""
    return np.asarray(np.clip((image - image.mean()) / (image.std() + 1e-9) * 20 + 128, 0, 255))


def _add_noise(image: Image, rng: np.random.Generator) -> Image:
    return np.asarray(np.clip(image + rng.normal(0, NOISE, image.shape), 0, 255))


def _turn(image: Image, rng: np.random.Generator) -> NDArray[np.float64]:
    return np.rot90(image).copy()


CHANGES: dict[Change, Callable[[Image, np.random.Generator], Image]] = {
    "none": lambda image, rng: image,
    "turned": _turn,
    "noisy": _add_noise,
    "dark": lambda image, rng: image * 0.6,
}
"""What is done to test tiles."""


DATA = {
    "digits": "Handwritten digits, 8 by 8; who wrote them is not recorded",
    "breast_cancer": "Benign and malignant tumours by 30 measures of cell nuclei",
    "wine": "Wines of three growers by 13 chemical measures",
}
ESTIMATORS = ("logistic", "forest", "neighbours", "bayes", "tree")


def build_recognition(folder: Path) -> Suite:
    """Build *recognition*: half of each class to learn from, half to classify."""
    try:
        from sklearn import datasets
    except ImportError:
        what = "The suite recognition (scikit-learn)"
        raise ExtraMissing.for_part(what, extra="sklearn") from None
    for name, title in DATA.items():
        _write_table_problem(
            name, title, getattr(datasets, f"load_{name}")(), folder / "problems" / name
        )
    estimators = tuple(
        f"{name}=sklearn:steelyard.suites.algorithms.estimators:{name}" for name in ESTIMATORS
    )
    suite = Suite(
        id="recognition",
        folder=folder,
        version="1",
        licence="BSD-3-Clause (data sets of scikit-learn)",
        title="Three tables of measures",
        problems=tuple(SuiteProblem(id=name) for name in DATA),
        algorithms=("null", "majority", "lda", *estimators),
        caveats=("the writers of digits are not recorded, so some have items on both sides",),
    )
    return seal_suite(suite)


def _write_table_problem(name: str, title: str, data: Any, folder: Path) -> None:  # noqa: ANN401
    numbers, codes = np.asarray(data.data, dtype=np.float64), np.asarray(data.target)
    names = [str(one) for one in data.target_names]
    seed = sum(map(ord, name))
    rng = np.random.default_rng(seed)
    train, test = [], []
    for code in range(len(names)):
        drawn = rng.permutation(np.flatnonzero(codes == code))
        train += drawn[: drawn.size // 2].tolist()
        test += drawn[drawn.size // 2 :].tolist()
    test = [test[k] for k in rng.permutation(len(test))]
    shares = np.bincount(codes[test], minlength=len(names)) / len(test)
    problem = Problem(
        id=name,
        folder=folder,
        classes=tuple(
            ProblemClass(name=one, prior=float(share), weight=float(share))
            for one, share in zip(names, shares, strict=True)
        ),
        unit="row",
        title=title,
        seed=seed,
    )
    ids = tuple(f"i{k:04d}" for k in range(len(codes)))
    items = Items(
        ids=ids,
        numbers=numbers,
        columns=tuple(f"x{place:02d}" for place in range(numbers.shape[1])),
        classes=tuple(names[code] for code in codes),
        groups=tuple(f"{name}-{one}" for one in ids),
    )
    write_split(problem, items, train=train, test=test, parquet=True)


SUITES: dict[str, Callable[[Path], Suite]] = {
    "ground": build_ground,
    "shift": build_shift,
    "recognition": build_recognition,
    "demo": build_demo,
}
"""Suites that are built from installed packages, by name."""
