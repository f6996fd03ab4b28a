"""How many digits are right: every numerical function against 70-digit arithmetic and R."""

from accuracy.cases import CASES, Case
from accuracy.digits import lre

__all__ = ["CASES", "Case", "lre"]
