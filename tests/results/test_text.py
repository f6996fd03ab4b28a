"""The text of single numbers, which no verb hands out alone."""

import pytest

from steelyard.results import Estimate, Interval, Proportion

SHARE = Proportion(
    measure="accuracy",
    successes=8,
    trials=10,
    interval=Interval(low=0.49, high=0.943, level=0.95, method="wilson"),
)
UNDEFINED = Proportion(
    measure="precision", successes=0, trials=0, reason="nothing was called 'cat'", of="cat"
)


@pytest.mark.parametrize(
    ("number", "lines"),
    [
        (
            SHARE,
            [
                "accuracy 0.800 [0.490, 0.943] (8/10)",
                "",
                "measure   value    95% interval  count",
                "──────────────────────────────────────",
                "accuracy  0.800  [0.490, 0.943]   8/10",
            ],
        ),
        (
            UNDEFINED,
            [
                "precision of cat is undefined: nothing was called 'cat'",
                "",
                "measure    of   count  reason",
                "───────────────────────────────────────────────",
                "precision  cat    0/0  nothing was called 'cat'",
            ],
        ),
        (
            Estimate(measure="kappa", value=0.7, caveats=("few items",)),
            [
                "kappa 0.700",
                "",
                "measure  value",
                "──────────────",
                "kappa    0.700",
                "",
                "note: few items",
            ],
        ),
    ],
)
def test_a_number_says_what_it_is_in_a_sentence_and_a_table(number, lines):
    assert number.text().split("\n") == lines
