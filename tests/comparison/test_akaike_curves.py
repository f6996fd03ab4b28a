import pytest

from steelyard.comparison.akaike.curves import discrimination_curve, overlap_curve
from steelyard.errors import CountsError, RequestError


def by_second(tested, first_right, design):
    curve = discrimination_curve(tested, first_right, design=design)
    return {point.second_right: point for point in curve}


def test_figure_one_is_reproduced_where_the_paper_reads_it():
    # "between 92.5 and 97.0 per cent ... smaller than 90.5 or greater than 98.5": by our exact
    # values 185 and 194 of 200 are just inside +-1, hence one step narrower.
    apart = by_second(200, 190, "independent")
    same = [second for second, point in apart.items() if point.verdict == "same"]
    assert (min(same), max(same)) == (186, 193)
    assert apart[181].verdict == apart[197].verdict == "different"
    assert apart[182].verdict == apart[196].verdict == "undecided"


def test_the_incomplete_curve_lies_between_the_two_overlaps():
    blurred = by_second(60, 54, "incomplete")
    most = by_second(60, 54, "complete-largest-overlap")
    least = by_second(60, 54, "complete-smallest-overlap")
    for second in range(35, 60):
        if second != 54:
            assert least[second].difference < most[second].difference
            assert blurred[second].difference < most[second].difference + 1e-9
    assert most[50].both == 50
    assert least[50].both == 44


def test_more_overlap_separates_better():
    curve = overlap_curve(200, 190, second_right=194)
    assert [point.both for point in curve] == list(range(184, 191))
    differences = [point.difference for point in curve]
    assert differences == sorted(differences)
    assert curve[-1].verdict == "different"


def test_every_count_is_on_the_curve():
    assert [p.second_right for p in discrimination_curve(7, 3)] == list(range(8))


def test_unknown_designs_and_impossible_counts_are_refused():
    with pytest.raises(RequestError, match="incomplete"):
        discrimination_curve(10, 5, design="incompleet")
    with pytest.raises(CountsError, match="need 0 <= right"):
        overlap_curve(10, 5, second_right=11)
