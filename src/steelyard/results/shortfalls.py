"""What is known to keep less than it says, in one sentence each: the caveats of such answers.

A certificate whose worst cell falls short names the code of its sentence here, or the function that
has to be called for it; a test types a command for every code and finds the sentence in the answer.
"""

from collections.abc import Mapping

from steelyard.results.estimates import Caveat, ShortfallCode

__all__ = ["SHORTFALLS", "shortfall"]

SHORTFALLS: Mapping[ShortfallCode, str] = {
    "wald-share": (
        "Wald's interval is too short with few items, and close to 0 and 1 it may hold nothing; "
        "take wilson"
    ),
    "wald-difference": (
        "Wald's interval of a difference is too short with few items, and where two rates are "
        "close to 0 or 1; take {better}"
    ),
    "kappa-ase1": "the interval of {measure} tends to be too short: {why}; {type} keeps its level",
    "auc-bootstrap": (
        "with few items of a class a bootstrap of an area is too short: it has covered 50 % "
        "instead of 95 %; without rng= the interval keeps its level"
    ),
    "rate-bootstrap": (
        "with few items of a class this bootstrap is too short: it has covered 63 % instead of "
        "95 %; method='order' keeps its level"
    ),
    "precision-bootstrap": (
        "resamples repeat items and so flatter a ranking: a bootstrap of average precision is too "
        "short, and has covered 77 % instead of 95 % with few positives"
    ),
    "cluster-bootstrap": (
        "percentiles of few clusters are too short; the cluster-robust interval of evaluate is "
        "wider"
    ),
    "band-bootstrap": (
        "the whole true curve lies inside with about the stated probability; by the bootstrap, "
        "for large samples"
    ),
    "rare-items": (
        "{items} items: rare large losses may not be among them, and then the interval is too "
        "short (with 10 items it has covered 73 % instead of 95 %)"
    ),
    "threshold-interval": (
        "the smaller class has {items} items: the interval of the threshold tends to be too short"
    ),
    "threshold-unknown": (
        "the smaller class has {items} items: the threshold and what it promises are hardly known"
    ),
    "threshold-by-few": (
        "the threshold rests on the few items of a class that lie beyond it: its interval has "
        "covered 60 % instead of 95 %, and is a rough guide only"
    ),
    "clusters-ignored": (
        "items of one cluster are alike, but this method counts them as independent: its "
        "intervals are too short and its p-values too small; compare without method= "
        "(--method), mcnemar-clustered, placement, paired-shares, guarded, bootstrap and "
        "permutation take clusters as units"
    ),
    "unlike-clusters": (
        "one more cluster that goes the other way would give {low} to {high}: clusters that were "
        "not seen are taken to be like these {clusters:,d}; where rare ones are not, equal "
        "systems have been told apart in up to 70 % of tests instead of 5 %"
    ),
    "unlike-weights": (
        "heavy items that were not seen are taken to be like the others: where few weigh much and "
        "go another way, equal systems have been told apart in up to 80 % of tests instead of 5 %"
    ),
    "few-scores": (
        "{systems} fewer than {fewest} different scores: where nearly all are tied, a limit of a "
        "difference of areas may err in up to 10 % instead of 5 %"
    ),
    "few-readers": (
        "{readers} readers and {cases} cases of the smaller class are few: as published, the test "
        "has told equal systems apart in up to 15 % of studies instead of 5 %; leave the method "
        "out, and both are allowed for"
    ),
    "large-sample-test": (
        "a large-sample test: with some ten items of a class it errs in up to {most} % instead of "
        "5 %; take {better}"
    ),
    "mcnemar-midp": (
        "where nearly every item tells two systems apart, this test errs in up to 7.7 % instead of "
        "5 %; take mcnemar-exact"
    ),
    "mcnemar-asymptotic": (
        "with few items that tell two systems apart, this test errs in up to 8 % instead of 5 %; "
        "take mcnemar-exact"
    ),
    "score-sparse": (
        "where one sample is small and the other large, this test errs in up to 11 % instead of "
        "5 %; take boschloo"
    ),
    "gate-clusters": (
        "items come in {clusters:,d} clusters ({items:,d} items), which are the units here; the "
        "interval allows for one more cluster that counts against the claim; with few positives, "
        "or where large clusters answer otherwise than small ones, a system on its limit may pass "
        "more often than stated (8 % instead of 5 % in the worst case tried)"
    ),
    "chance-of-same": (
        "That is a probability, not an error rate: of pairs on common items that differ by just "
        'the margin, up to 9% are called the same at 0.95. A gate that requires "same within" '
        "holds its alpha."
    ),
    "best-uniform": (
        "with nothing known beforehand, the probability of being the best is too high for the "
        "leader of systems that are alike, by up to 0.4"
    ),
    "belief-rule": (
        "a posterior bound is not an error rate: looked at again and again it is crossed by chance "
        "more often than it sounds; campaign simulate says how often, and evidence >= 20 keeps "
        "5 % however often it is looked at"
    ),
    "wald-between": (
        "between its two ratios Wald's test promises nothing: it may keep the old system in most "
        "campaigns although the new one leads by less than was planned for"
    ),
}
"""The sentence of each code; what stands in braces is filled in."""


def shortfall(code: ShortfallCode, **facts: object) -> Caveat:
    """Say that an answer is known to keep less than it says.

    Examples
    --------
    >>> doubt = shortfall("wald-difference", better="tango")
    >>> doubt.code, doubt.endswith("take tango")
    ('wald-difference', True)
    """
    return Caveat(SHORTFALLS[code].format(**facts), code=code)
