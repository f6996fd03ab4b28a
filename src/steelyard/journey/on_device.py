"""Columns on a GPU: counted where they live where that answers the question, else brought home."""

from collections.abc import Mapping
from typing import Any

__all__ = ["count_on_device"]

PLAIN = {"truth", "positive", "systems"}
"""Roles that counts can answer; all others need the rows."""


def count_on_device(data: Any, roles: Any, *, rows: bool = False) -> Any:  # noqa: ANN401
    """Give the counts of columns that live on a device, or their copy on this machine.

    Scores become sums of placements, calls become joint calls; what needs rows (clusters, folds,
    weights, a mapping of roles, ``rows=True``) gets the rows. Anything else passes through.
    """
    # A path or a frame, which most data are, has no column that could live on a device.
    if not isinstance(data, Mapping):
        return data
    from steelyard.tally import joint_calls_of
    from steelyard.tally.device.doors import any_on_device, bring_home, device_placements

    if not any_on_device(data.values()):
        return data
    found: tuple[Any, dict[str, Any]] = (None, {}) if rows else _columns(data, roles)
    kinds = {"float" in str(getattr(one, "dtype", "")) for one in found[1].values()}
    if not found[1] or len(kinds) != 1:
        return {name: bring_home(column) for name, column in data.items()}
    truth, columns = found
    roles.pop("truth", None), roles.pop("systems", None)
    if kinds == {True}:
        return device_placements(truth, columns, pos_label=roles.pop("positive", None))
    return joint_calls_of(truth, columns)


def _columns(data: Mapping[Any, Any], roles: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Give truth and the columns of the systems; none where more than counts is asked."""
    given = {name for name, value in roles.items() if value is not None}
    truth = roles.get("truth") or "truth"
    named = roles.get("systems")
    if given - PLAIN or truth not in data or isinstance(named, str | Mapping):
        return None, {}
    chosen = [one for one in data if one != truth] if named is None else list(named)
    if any(one not in data for one in chosen):
        return None, {}
    return data[truth], {str(one): data[one] for one in chosen}
