"""All certificates, gathered from the modules of their families."""

import time
from importlib import import_module

from certificates.declaration import Certificate, Found

__all__ = ["CERTIFICATES", "FAMILIES", "certificate", "timed"]

FAMILIES = (
    "proportions",
    "differences",
    "gates",
    "acceptance",
    "reader_studies",
    "ratios",
    "tables",
    "raters",
    "ranking",
    "targeting",
    "calibration",
    "vectors",
    "clusters",
    "thresholds",
    "sizes",
    "further_sizes",
    "datasets",
    "best",
    "totals",
    "stopping",
    "campaigns",
    "sequences",
    "multiplicity",
    "selection",
    "plans",
    "values",
    "few_values",
    "judges",
    "certainties",
)
"""Modules beside this one, in the order of the page; each has a list ``DECLARED``."""


def _gathered() -> dict[str, Certificate]:
    found: dict[str, Certificate] = {}
    for family in FAMILIES:
        for one in import_module(f"certificates.{family}").DECLARED:
            if one.name in found or one.family != family:
                message = f"The certificate {one.name!r} is declared twice or in a wrong family."
                raise ValueError(message)
            found[one.name] = one
    return found


CERTIFICATES = _gathered()
"""Every certificate, by its name."""


def certificate(name: str) -> Certificate:
    """Find a certificate by its name."""
    return CERTIFICATES[name]


def timed(name: str) -> tuple[Found, float]:
    """Run the long form of a certificate, and say how many seconds of one core it took."""
    started = time.process_time()
    return CERTIFICATES[name].run(), time.process_time() - started
