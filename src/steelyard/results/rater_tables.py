"""The tables of agreement between raters."""

from typing import TYPE_CHECKING

from steelyard.display.numbers import show_count, show_number, show_p_value
from steelyard.display.tables import Column, Table, number_columns
from steelyard.results.measured import interval_name, shown_interval, shown_value

if TYPE_CHECKING:
    from steelyard.results.rater_agreement import Agreement, RaterPair

__all__ = ["rater_tables"]

MOST_PAIRS = 15
MOST_RATERS = 12


def rater_tables(agreement: "Agreement") -> list[Table]:
    """Show the coefficients, the matrix of kappas, and what stands beside each kappa."""
    tables = [_coefficients(agreement)]
    if len(agreement.raters) > 2:
        tables.append(_matrix(agreement))
    tables += [_pairs(agreement), _beside(agreement)]
    return [table for table in tables if table.rows]


def _coefficients(agreement: "Agreement") -> Table:
    rows = [
        [one.measure, shown_value(one) or "undefined", shown_interval(one), word or one.reason]
        for one, word in zip(agreement.coefficients, agreement.words, strict=True)
    ]
    heads = number_columns("value", interval_name(agreement.level))
    title = "Both raters" if len(agreement.raters) == 2 else "All raters"
    return Table.without_empty(
        title, [Column(name="measure", whole=True), *heads, Column(name="in words")], rows
    )


def _matrix(agreement: "Agreement") -> Table:
    """Show kappa above the diagonal and the share of agreement below it."""
    names = agreement.raters
    if len(names) > MOST_RATERS:
        return Table(title="", columns=(), rows=())
    known = {(pair.first, pair.second): pair for pair in agreement.pairs}
    rows = []
    for one in names:
        cells: list[str | None] = []
        for two in names:
            above, below = known.get((one, two)), known.get((two, one))
            if above is not None:
                cells.append(_short(above.kappa.value))
            else:
                cells.append(_short(below.agreement.value) if below is not None else None)
        rows.append([one, *cells])
    return Table.without_empty(
        "Pairs: kappa above the diagonal, share of agreement below",
        [Column(name="rater"), *number_columns(*names)],
        rows,
    )


def _short(value: float | None) -> str | None:
    return None if value is None else show_number(value)


def _pairs(agreement: "Agreement") -> Table:
    weighted = agreement.weights
    heads = number_columns(
        "items", "agree", "kappa", interval_name(agreement.level), "ASE1", "ASE0", "p (kappa = 0)",
        weighted, f"{weighted} interval", f"{weighted} ASE0",
    )  # fmt: skip
    rows = [_pair_row(pair) for pair in agreement.pairs[:MOST_PAIRS]]
    return Table.without_empty(
        "Cohen's kappa" if len(rows) == 1 else "Cohen's kappa of every pair",
        [Column(name="raters", whole=len(rows) == 1), *heads],
        rows,
        note=_left(agreement),
    )


def _pair_row(pair: "RaterPair") -> list[str | None]:
    return [
        f"{pair.first}, {pair.second}",
        show_count(pair.agreement.trials),
        shown_value(pair.agreement),
        shown_value(pair.kappa),
        shown_interval(pair.kappa),
        _short(pair.kappa.standard_error),
        _short(pair.zero_error),
        None if pair.p_value is None else show_p_value(pair.p_value),
        shown_value(pair.weighted),
        shown_interval(pair.weighted),
        _short(pair.weighted_zero_error),
    ]


def _beside(agreement: "Agreement") -> Table:
    heads = number_columns("largest", "AC1", "PABAK", "prevalence index", "bias index")
    rows = [
        [
            f"{pair.first}, {pair.second}",
            _short(pair.largest),
            shown_value(pair.ac1),
            shown_value(pair.pabak),
            _short(pair.prevalence_index),
            _short(pair.bias_index),
            pair.word,
        ]
        for pair in agreement.pairs[:MOST_PAIRS]
    ]
    return Table.without_empty(
        "Beside kappa",
        [Column(name="raters", whole=len(rows) == 1), *heads, Column(name="in words", whole=True)],
        rows,
    )


def _left(agreement: "Agreement") -> str:
    left = len(agreement.pairs) - MOST_PAIRS
    return f"{left} more pairs are in the JSON and the CSV." if left > 0 else ""
