"""Certificates: what Steelyard claims of its intervals, tests and probabilities, and its proof.

Each certificate is declared once, in the module of its family, and runs in two forms: short in
every run of the tests, long by ``make certificates``, which keeps what it found in ``results/``.
"""

from certificates.registry import CERTIFICATES, FAMILIES, certificate

__all__ = ["CERTIFICATES", "FAMILIES", "certificate"]
