"""Measures of a table of calls against the truth, one system at a time.

``formulas`` has the words of formulas; one formula serves one table, a thousand drawn ones, and
exact fractions. Where a closed form keeps its level better at the edges, the measure has it
beside.
"""

__all__: list[str] = []
