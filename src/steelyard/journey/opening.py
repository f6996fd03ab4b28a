"""From the arguments of a verb to predictions, and from predictions to the record of an answer."""

from collections.abc import Mapping
from dataclasses import fields, replace
from numbers import Integral
from operator import index
from typing import Any

from steelyard._version import __version__
from steelyard.errors import RequestError
from steelyard.journey.option_types import RoleArguments
from steelyard.results import InputRecord, Provenance
from steelyard.sources import FileOptions, Predictions, Roles, open_predictions, open_raters

__all__ = [
    "RoleArguments",
    "checked_seed",
    "opened",
    "opened_raters",
    "provenance_of",
    "record_of_counts",
]


def opened(
    data: Any,  # noqa: ANN401
    arguments: RoleArguments,
    *,
    open_classes: bool = False,
) -> Predictions:
    """Open what a verb was given; predictions that are open already pass through.

    ``open_classes`` allows calls of classes that are never true in these data.
    """
    if isinstance(data, Predictions):
        return data
    settled = _settled(arguments)
    settled["roles"] = replace(settled["roles"], open_classes=open_classes)
    return open_predictions(data, **settled)


def opened_raters(data: Any, arguments: RoleArguments) -> Predictions:  # noqa: ANN401
    """Open columns of raters, among whom nobody needs to be right."""
    return open_raters(data, **_settled(arguments))


def _settled(arguments: RoleArguments) -> dict[str, Any]:
    given: dict[str, Any] = dict(arguments)
    engine = {"observe": given.pop("observe", None), "memory": given.pop("memory", None)}
    named = {field.name: given.pop(field.name, None) for field in fields(FileOptions)}
    return {"roles": Roles.of(**given), "options": FileOptions(**named), **engine}


def provenance_of(
    predictions: Predictions, settings: Mapping[str, object], *, seed: int | None = None
) -> Provenance:
    """Record what was read, how it was understood, and what was asked."""
    return Provenance(
        version=__version__,
        inputs=tuple(
            InputRecord(
                name=file.name, sha256=file.sha256(), bytes=file.bytes, read_as=file.read_as
            )
            for file in predictions.files
        ),
        understood=predictions.understood,
        settings=(*predictions.settings, *_said(settings)),
        rows=predictions.rows,
        excluded=predictions.excluded,
        seed=seed,
    )


def record_of_counts(settings: Mapping[str, object], *, seed: int | None = None) -> Provenance:
    """Record an answer that was made from bare counts."""
    return Provenance(version=__version__, settings=_said(settings), seed=seed)


def checked_seed(rng: object) -> int:
    """Take the seed of a simulation: a whole number, because it is recorded in the result.

    >>> checked_seed(7)
    7
    """
    plain = isinstance(rng, Integral) and not isinstance(rng, bool)
    if not plain or index(rng) < 0:  # type: ignore[arg-type]
        message = (
            f"rng={rng!r} cannot be recorded in the result. Give a whole number, 0 or more, as "
            "the seed: rng=0 (--seed 0)."
        )
        raise RequestError(message)
    return index(rng)  # type: ignore[arg-type]


def _said(settings: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(value)) for name, value in settings.items() if value is not None)
