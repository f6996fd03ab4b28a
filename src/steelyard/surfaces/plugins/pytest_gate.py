"""A pytest plug-in with one fixture: a test fails when the gate of its candidate does."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import pytest

if TYPE_CHECKING:
    from steelyard.results.gate import Gate

__all__ = ["Undecided", "steelyard_gate"]

Undecided = Literal["fail", "skip", "pass"]
"""What becomes of a test whose gate stays undecided."""


@pytest.fixture(name="steelyard_gate")
def steelyard_gate() -> Callable[..., "Gate"]:
    """Hold a gate as :func:`steelyard.gate` does, and end the test by what it says.

    ``undecided`` is ``fail`` (the default), ``skip`` or ``pass``.

    Examples
    --------
    A test of a project that keeps its predictions in files::

        def test_the_new_model_is_no_worse(steelyard_gate):
            steelyard_gate("new.csv", baseline="main.csv", truth="label",
                           require="not worse by 0.01")
    """
    return _hold


def _hold(data: Any, *, undecided: Undecided = "fail", **asked: Any) -> "Gate":  # noqa: ANN401
    from steelyard.errors import RequestError
    from steelyard.journey import gate

    if undecided not in ("fail", "skip", "pass"):
        raise RequestError.for_choice("undecided", undecided, ("fail", "skip", "pass"))  # noqa: EM101
    result: Gate = gate(data, **asked)
    ends = {"fails": "fail", "undecided": undecided, "passes": "pass"}[result.outcome]
    if ends == "fail":
        pytest.fail(str(result), pytrace=False)
    if ends == "skip":
        pytest.skip(result.sentence())
    return result
