"""How many digits are right: every numerical function against 70-digit arithmetic and R."""

from accuracy.case import Case, Judged
from accuracy.cases import CASES, CHAPTERS
from accuracy.digits import lre

__all__ = ["CASES", "CHAPTERS", "Case", "Judged", "lre"]
