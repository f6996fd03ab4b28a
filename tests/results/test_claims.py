"""One grammar of absolute claims."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import Exposure
from steelyard.counts.exposure import in_unit, read_amount
from steelyard.errors import CountsError, RequestError
from steelyard.results.claims import AT_LEAST, AT_MOST, check_limit, read_claim


@pytest.mark.parametrize(
    ("text", "measure", "side", "limit", "per"),
    [
        ("recall of ship at least 0.95", "recall of ship", "at least", 0.95, None),
        ("accuracy >= 0.4", "accuracy", "at least", 0.4, None),
        ("at least 40%", None, "at least", 0.4, None),
        ("P_FA at most 0.0001 at P_D 0.9", "P_FA at P_D 0.9", "at most", 0.0001, None),
        ("P_D at least 0.9 at P_FA=1e-3", "P_D at P_FA=1e-3", "at least", 0.9, None),
        ("p95 latency at most 200", "p95 latency", "at most", 200, None),
        ("wer <= 8 %", "wer", "at most", 0.08, None),
        ("false alarms at most 2 per hour", "false alarms", "at most", 2, "hour"),
        ("false alarms of ship no more than .5/km", "false alarms of ship", "at most", 0.5,
         "kilometre"),
        ("recall of cat at night not below 0.9", "recall of cat at night", "at least", 0.9, None),
        ("recall of at least one at least 0.9", "recall of at least one", "at least", 0.9, None),
        ("calibration slope at least -1", "calibration slope", "at least", -1, None),
        ("> 0.9", None, "at least", 0.9, None),
        ("P_D=>.9", "P_D", "at least", 0.9, None),
        ("a recall of at least 95 percent", "recall", "at least", 0.95, None),
        ("the recall of ship must be above 0.9", "recall of ship", "at least", 0.9, None),
        ("recall of over 18 at least 0.9", "recall of over 18", "at least", 0.9, None),
        ("no less than 0.9", None, "at least", 0.9, None),
        ("false alarms never over 2 an hour", "false alarms", "at most", 2, "hour"),
        ("FNR below 5 per cent", "FNR", "at most", 0.05, None),
        ("at least 90 % recall of ship", "recall of ship", "at least", 0.9, None),
        ("at most 2 false alarms an hour", "false alarms", "at most", 2, "hour"),
        ("fewer than 2 false alarms/h", "false alarms", "at most", 2, "hour"),
        ("FA/h <= 2", "FA", "at most", 2, "hour"),
        ("false positives of ship per image at most .5", "false positives of ship", "at most",
         0.5, "image"),
        ("FPPI at most 0.5", "FPPI", "at most", 0.5, "image"),
        ("at most 1 disengagement per 1,000 km", "disengagement", "at most", 0.001, "kilometre"),
        ("false alarms at most 1 every 8 hours", "false alarms", "at most", 0.125, "hour"),
    ],
)  # fmt: skip
def test_claims_are_read_as_they_are_said(
    text: str, measure: str | None, side: str, limit: float, per: str | None
) -> None:
    found = read_claim(text)
    assert (found.measure, found.side, found.limit, found.per) == (measure, side, limit, per)


@pytest.mark.parametrize(
    "text",
    ["", "accuracy", "accuracy at least", "at least good", "better by 0.1", "P_D 0.9"],
)
def test_what_is_no_claim_is_answered_with_examples(text: str) -> None:
    with pytest.raises(RequestError, match="recall of ship at least"):
        read_claim(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("P_D >= 0,9", "with a point"),
        ("accuracy at least 0.9 with 95% confidence", "--alpha 0.05"),
        ("P_D at least 0.9 and P_FA at most 0.1", "one claim for each limit"),
        ("P_D between 0.8 and 0.9", "one claim for each limit"),
        ("recall no worse than 0.9", "--require better"),
        ("p95 latency at most 200 ms", "without a unit"),
    ],
)
def test_what_belongs_elsewhere_is_sent_there(text: str, words: str) -> None:
    with pytest.raises(RequestError, match=words):
        read_claim(text)


SIDE_OF = st.sampled_from([(word, "at least") for word in AT_LEAST]
                          + [(word, "at most") for word in AT_MOST])  # fmt: skip
NAMES = st.sampled_from(["", "P_D", "recall of ship", "AUC", "F1", "p95 latency", "minDCF 0.01"])


@given(SIDE_OF, NAMES, st.sampled_from(["0.9", ".05", "2", "1e-4", "12.5"]), st.booleans())
def test_every_way_to_say_a_side_reads_alike(side, name, number, spaced):
    word, means = side
    gap = " " if spaced or word[0].isalpha() else ""
    found = read_claim(f"{name}{gap}{word}{gap}{number}")
    assert (found.measure or "", found.side, found.limit) == (name, means, float(number))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("accuracy at least 1.2", "does not lie there"),
        ("accuracy at least 95", "written with its sign"),
        ("accuracy at least -0.1", "does not lie there"),
        ("accuracy at least 1", "no number of items"),
        ("accuracy at most 0", "no number of items"),
        ("accuracy at most 1", "always holds"),
        ("accuracy at least 0", "always holds"),
    ],
)
def test_a_limit_outside_the_range_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(RequestError, match=words):
        check_limit(read_claim(text), "accuracy", (0.0, 1.0))


def test_exposures_are_read_converted_and_added() -> None:
    assert read_amount("1,200 images") == (1200.0, "image")
    assert in_unit(36, "h", "day") == 1.5
    assert Exposure.of(3, "90 min").per("hour").amount == 1.5
    with pytest.raises(RequestError, match="in kilometres, and the claim is per hour"):
        Exposure.of(1, "3 km").per("hour")
    with pytest.raises(CountsError, match="nothing could have happened"):
        Exposure.of(0, "0 h")
    with pytest.raises(RequestError, match="is not an exposure"):
        read_amount("a while")


@pytest.mark.parametrize(
    ("written", "amount"),
    [("12h", (12, "hour")), ("1,500 images", (1500, "image")), ("400_000 h", (400_000, "hour")),
     ("1e3 km", (1000, "kilometre")), (".5 h", (0.5, "hour")), ("2 km2", (2, "square kilometre")),
     ("5 µs", (5, "µs")), (7, (7, "unit"))],
)  # fmt: skip
def test_an_amount_is_read_as_it_is_written(written, amount):
    assert read_amount(written) == amount


@pytest.mark.parametrize(
    "written",
    ["1,5 h", "1_0 h", "12,34 km", "1.5.2 h", "12h30", "1:30 h", "0x10 h", "９ h", "h"],
)
def test_an_amount_that_could_be_another_one_is_refused(written):
    """A decimal comma once made 15 hours of one and a half."""
    with pytest.raises(RequestError, match="is not an exposure"):
        read_amount(written)


def test_a_limit_beyond_all_numbers_is_no_claim():
    with pytest.raises(RequestError, match="every number meets a limit of inf"):
        read_claim("p95 latency at most 1e400")
