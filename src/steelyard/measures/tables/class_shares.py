"""What each plain share counts, and out of what: of all classes, or of one."""

from collections.abc import Callable

from steelyard.measures.tables.shares import NO_ITEMS, RowShare

__all__ = ["CLASS_SHARES", "accuracy_share"]

ClassShare = Callable[[str], RowShare]


def accuracy_share() -> RowShare:
    """What accuracy counts: rows whose called class is the true one, among all rows."""
    return RowShare(
        measure="accuracy",
        won=lambda truth, called: truth == called,
        among=lambda truth, called: True,
        nothing=NO_ITEMS,
    )


def _recall(of: str) -> RowShare:
    return RowShare(
        measure="recall",
        won=lambda truth, called: called == of,
        among=lambda truth, called: truth == of,
        nothing=f"no item is truly {of!r}, so there was nothing to find",
        of=of,
    )


def _miss(of: str) -> RowShare:
    return RowShare(
        measure="false negative rate",
        won=lambda truth, called: called != of,
        among=lambda truth, called: truth == of,
        nothing=f"no item is truly {of!r}, so there was nothing to find",
        of=of,
    )


def _precision(of: str) -> RowShare:
    return RowShare(
        measure="precision",
        won=lambda truth, called: truth == of,
        among=lambda truth, called: called == of,
        nothing=f"no item was called {of!r}, so there was no call to judge",
        of=of,
    )


def _false_discovery(of: str) -> RowShare:
    return RowShare(
        measure="false discovery rate",
        won=lambda truth, called: truth != of,
        among=lambda truth, called: called == of,
        nothing=f"no item was called {of!r}, so there was no call to judge",
        of=of,
    )


def _specificity(of: str) -> RowShare:
    return RowShare(
        measure="specificity",
        won=lambda truth, called: called != of,
        among=lambda truth, called: truth != of,
        nothing=f"every item is truly {of!r}, so there was nothing to leave alone",
        of=of,
    )


def _false_alarm(of: str) -> RowShare:
    return RowShare(
        measure="false positive rate",
        won=lambda truth, called: called == of,
        among=lambda truth, called: truth != of,
        nothing=f"every item is truly {of!r}, so there was nothing to leave alone",
        of=of,
    )


def _npv(of: str) -> RowShare:
    return RowShare(
        measure="negative predictive value",
        won=lambda truth, called: truth != of,
        among=lambda truth, called: called != of,
        nothing=f"every item was called {of!r}, so there was no other call to judge",
        of=of,
    )


def _false_omission(of: str) -> RowShare:
    return RowShare(
        measure="false omission rate",
        won=lambda truth, called: truth == of,
        among=lambda truth, called: called != of,
        nothing=f"every item was called {of!r}, so there was no other call to judge",
        of=of,
    )


def _prevalence(of: str) -> RowShare:
    return RowShare(
        measure="prevalence",
        won=lambda truth, called: truth == of,
        among=lambda truth, called: True,
        nothing=NO_ITEMS,
        of=of,
    )


def _called(of: str) -> RowShare:
    return RowShare(
        measure="called share",
        won=lambda truth, called: called == of,
        among=lambda truth, called: True,
        nothing=NO_ITEMS,
        of=of,
    )


CLASS_SHARES: dict[str, ClassShare] = {
    "recall": _recall,
    "precision": _precision,
    "specificity": _specificity,
    "npv": _npv,
    "false-positive-rate": _false_alarm,
    "false-negative-rate": _miss,
    "false-discovery-rate": _false_discovery,
    "false-omission-rate": _false_omission,
    "prevalence": _prevalence,
    "called-share": _called,
}
"""Every plain share of one class, by name: what it counts, and out of what."""
