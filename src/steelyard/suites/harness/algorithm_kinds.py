"""Algorithms of every kind under one name each: what is run, and what identifies it."""

import hashlib
import json
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal, get_args

from steelyard.errors import ExtraMissing, RequestError
from steelyard.plugins import find_plugins
from steelyard.suites.algorithms import BUILT_IN

__all__ = [
    "ALWAYS",
    "Algorithm",
    "AlgorithmKind",
    "algorithm_hash",
    "find_algorithms",
    "name_algorithm",
]

AlgorithmKind = Literal["meastex", "json", "sklearn", "python", "file"]
"""How an algorithm is run.

``meastex`` a program whose last argument is the ``.Test`` file, vectors on standard output;
``json`` a program whose last argument is ``job.json``, which writes ``out.csv`` or
``out.parquet``; ``sklearn`` an estimator and ``python`` a function of a Task, each as
``module:object``; ``file`` a folder of ready predictions, one table for each problem.
"""

KINDS: tuple[AlgorithmKind, ...] = get_args(AlgorithmKind)
ALWAYS = ("null", "majority")
"""Algorithms that look at nothing; they are in every run, so that nobody has to imagine them."""

FORM = "Write NAME of a built-in one, or NAME=KIND:WHAT with KIND one of meastex, json, sklearn, "
FORM += "python, file; for example forest=sklearn:sklearn.ensemble:RandomForestClassifier."


@dataclass(frozen=True, slots=True, kw_only=True)
class Algorithm:
    """A name, how it is run, and what: a command, ``module:object`` or a folder.

    ``root`` is the folder that holds the module, when it is not an installed one.
    """

    name: str
    kind: AlgorithmKind
    what: str
    root: str = ""

    @property
    def command(self) -> list[str]:
        """The words of a command, its own files by their full path."""
        words = shlex.split(self.what)
        found = shutil.which(words[0])
        own = [str(Path(word).resolve()) if Path(word).is_file() else word for word in words[1:]]
        return [str(Path(found).resolve()) if found else words[0], *own]


def name_algorithm(text: str, *, folder: Path | None = None) -> Algorithm:
    """Read ``NAME`` of a built-in algorithm or ``NAME=KIND:WHAT``.

    Examples
    --------
    >>> name_algorithm("lbp").what
    'steelyard.suites.algorithms.lbp:classify'
    """
    name, mark, rest = text.partition("=")
    if not mark:
        if name not in BUILT_IN:
            added = {one.name: one.where for one in reversed(find_plugins("algorithms"))}
            if name in added:
                made = Algorithm(name=name, kind="python", what=added[name])
                return _locate(made, folder or Path.cwd())
            raise RequestError.for_choice(name="algorithm", given=name, choices=[*BUILT_IN, *added])
        return Algorithm(
            name=name, kind="python", what=f"steelyard.suites.algorithms.{name}:classify"
        )
    kind, _, what = rest.partition(":")
    plain = name.replace("-", "").replace("_", "").replace(".", "")
    if kind not in KINDS or not what or not (plain.isascii() and plain.isalnum()):
        message = f"The algorithm {text!r} is not understood. {FORM}"
        raise RequestError(message, code="algorithm")
    made = Algorithm(name=name, kind=kind, what=what)
    return _locate(made, folder or Path.cwd())


def find_algorithms(
    given: Sequence[str] | Mapping[str, Any], defaults: Sequence[str]
) -> tuple[Algorithm, ...]:
    """List the algorithms of a run: those that look at nothing first, then the ones asked for."""
    if isinstance(given, Mapping):
        asked = [_take_algorithm(name, what) for name, what in given.items()]
    else:
        asked = [name_algorithm(text) for text in (given or defaults)]
    always = [name_algorithm(name) for name in ALWAYS]
    by_name: dict[str, Algorithm] = {}
    for one in (*always, *asked):
        if by_name.get(one.name, one) != one:
            message = f"Two algorithms are named {one.name!r}. Give each a name of its own."
            raise RequestError(message, code="algorithm")
        by_name[one.name] = one
    return tuple(by_name.values())


def _take_algorithm(name: str, what: Any) -> Algorithm:  # noqa: ANN401
    """Take a text, a function or an estimator class by where it can be imported from."""
    if isinstance(what, str):
        return name_algorithm(f"{name}={what}" if ":" in what else what)
    module, path = getattr(what, "__module__", ""), getattr(what, "__qualname__", "")
    if not path or "<" in path or module == "__main__":
        message = (
            f"The algorithm {name!r} runs in a process of its own, so it must be a function or "
            "class in a module that can be imported. Put it in a file and name it module:object."
        )
        raise RequestError(message, code="algorithm")
    kind = "sklearn" if hasattr(what, "fit") else "python"
    return name_algorithm(f"{name}={kind}:{module}:{path}")


def _locate(algorithm: Algorithm, folder: Path) -> Algorithm:
    """Check that an algorithm is there, and find the folder of its module."""
    name, kind, what = algorithm.name, algorithm.kind, algorithm.what
    missing = ""
    if kind in ("sklearn", "python"):
        if kind == "sklearn" and PathFinder.find_spec("sklearn") is None:
            what_needs = f"The algorithm {name!r}"
            raise ExtraMissing.for_part(what_needs, extra="sklearn")
        spec = _spec(what, folder)
        if spec is not None and ":" in what:
            return Algorithm(name=name, kind=kind, what=what, root=_root(spec))
        missing = f"{what!r} is not module:object of a module that can be imported"
    elif kind == "file" and not Path(what).is_dir():
        missing = f"{what!r} is not a folder with a table for each problem"
    elif kind in ("meastex", "json") and shutil.which(shlex.split(what)[0]) is None:
        missing = f"the program {shlex.split(what)[0]!r} is not found, or may not be run"
    if missing:
        message = f"The algorithm {name!r}: {missing}. {FORM}"
        raise RequestError(message, code="algorithm")
    return algorithm


def _spec(what: str, folder: Path) -> ModuleSpec | None:
    top = what.partition(":")[0].partition(".")[0]
    return PathFinder.find_spec(top, [str(folder), *sys.path])


def _root(spec: ModuleSpec) -> str:
    """Give the folder to import from, unless the module is installed."""
    origin = Path(spec.origin or "")
    installed = any(part in ("site-packages", "dist-packages") for part in origin.parts)
    if installed or spec.name == "steelyard":
        return ""
    return str(
        (origin.parent.parent if spec.submodule_search_locations else origin.parent).resolve()
    )


def algorithm_hash(algorithm: Algorithm) -> str:
    """Hash what an algorithm is: its command or module, the bytes of its files, its versions."""
    facts: dict[str, object] = {
        "name": algorithm.name,
        "kind": algorithm.kind,
        "what": algorithm.what,
        "python": ".".join(map(str, sys.version_info[:2])),
    }
    facts["content"] = IDENTITIES[algorithm.kind](algorithm)
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def _command_content(algorithm: Algorithm) -> list[str]:
    return [_digest(Path(word)) for word in algorithm.command if Path(word).is_file()]


def _module_content(algorithm: Algorithm) -> list[str]:
    module = algorithm.what.partition(":")[0]
    top = module.partition(".")[0]
    versions = [f"numpy {_version('numpy')}"]
    if top == "steelyard":
        return [*versions, *_digests(Path(__file__).parents[1] / "algorithms")]
    if not algorithm.root:
        return [*versions, f"{top} {_version({'sklearn': 'scikit-learn'}.get(top, top))}"]
    if algorithm.kind == "sklearn":
        versions.append(f"scikit-learn {_version('scikit-learn')}")
    folder = Path(algorithm.root) / top
    return [
        *versions,
        *(_digests(folder) if folder.is_dir() else [_digest(folder.with_suffix(".py"))]),
    ]


def _file_content(algorithm: Algorithm) -> list[str]:
    return [_digest(path) for path in sorted(Path(algorithm.what).iterdir()) if path.is_file()]


IDENTITIES: dict[AlgorithmKind, Callable[[Algorithm], list[str]]] = {
    "meastex": _command_content,
    "json": _command_content,
    "sklearn": _module_content,
    "python": _module_content,
    "file": _file_content,
}


def _digests(folder: Path) -> list[str]:
    return [_digest(path) for path in sorted(folder.rglob("*.py"))]


def _digest(path: Path) -> str:
    return f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}" if path.is_file() else ""


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
