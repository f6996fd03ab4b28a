"""Classical tests of right and wrong answers, on common items and on items of their own.

A test is exact, or unconditional, wherever its large-sample form does not hold its error rate.
"""

__all__: list[str] = []
