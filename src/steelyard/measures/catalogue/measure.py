"""What a measure is: one declaration, from which everything else follows."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, get_args

from steelyard.measures.tables.formulas import LOGIT, Formula, Scale

__all__ = [
    "COMPLEMENT",
    "DOUBLED",
    "DOWN",
    "EITHER",
    "OPEN",
    "REASONS",
    "SAME",
    "SHARE",
    "SIGNED",
    "UP",
    "CatalogueEntry",
    "Counts",
    "Direction",
    "Measure",
    "OneToOne",
    "Way",
    "hand_out",
    "plain_word",
    "say_reason",
]

Direction = Literal["larger is better", "smaller is better", "neither"]
Counts = Literal[
    "Confusion", "ScoreTable", "JointCalls", "VectorScores", "vector of each item", "FittedModel"
]
Family = Literal[
    "detection", "agreement", "ranking", "targeting", "calibration", "vectors", "information"
]
Way = Literal["clusters", "weights", "slices", "batches", "thresholds"]
"""What can be done with a measure beside measuring counts."""

SEPARATORS = re.compile(r"[\s_()'’.,/]+|-(?!$)")

UP: Direction = "larger is better"
DOWN: Direction = "smaller is better"
EITHER: Direction = "neither"
SHARE = (0.0, 1.0)
SIGNED = (-1.0, 1.0)
OPEN = (0.0, None)

REASONS: Mapping[str, str] = {
    "no-items": "the table holds no items",
    "no-weight": "every row that counts here has weight 0",
    "no-true": "no item is truly {of!r}, so there was nothing to find",
    "no-called": "no item was called {of!r}, so there was no call to judge",
    "no-rest": "every item is truly {of!r}, so there was nothing to leave alone",
    "no-rest-called": "every item was called {of!r}, so there was no other call to judge",
    "no-true-or-called": "no item is truly {of!r} or was called so",
    "truth-constant": "every item is truly {of!r}: truth does not vary",
    "calls-constant": "every item was called {of!r}: calls do not vary",
    "agreement-certain": "every item is truly {of!r} and was called so: chance alone agrees fully",
    "both-none": "both shares are 0: 0/0",
    "all-alike": "every item was called alike, {of!r} or not: 0/0",
    "ratio-infinite": "the share it is divided by is 0: the ratio is infinite",
    "odds-infinite": "one kind of mistake never happened: the ratio is infinite",
    "not-finite": "it is not a finite number for these items",
}
"""Why a measure is undefined, by a code; the only place where these words stand."""


MODELS = "it is computed from fitted models, not from predictions: `steelyard models`"
ITEM_BY_ITEM = "`steelyard compare` takes what vectors score item by item"
COMPUTED_FROM: Mapping[Counts, str] = {
    "Confusion": "called classes",
    "JointCalls": "called classes",
    "ScoreTable": "scores of one class",
    "VectorScores": "a number for every class",
    "vector of each item": "a number for every class",
    "FittedModel": "the log-likelihood of fitted models",
}
UNFIT: Mapping[tuple[Counts, Way], str] = {
    ("ScoreTable", "thresholds"): "it looks at the scores, not at the calls of one threshold",
    ("VectorScores", "thresholds"): "vectors call without a threshold",
    ("VectorScores", "batches"): ITEM_BY_ITEM,
    ("vector of each item", "thresholds"): "vectors call without a threshold",
    ("vector of each item", "batches"): ITEM_BY_ITEM,
    **{("FittedModel", way): MODELS for way in get_args(Way)},
}
"""Why something does not work for any measure that is computed from such counts."""


def hand_out(name: str, part: str = "", **fixed: Any) -> Callable[..., Any]:  # noqa: ANN401
    """Call a function of :mod:`steelyard.measures`, which is imported when it is first called."""

    def call(*counts: Any, **asked: Any) -> Any:  # noqa: ANN401
        from steelyard import measures

        found = getattr(measures, name)(*counts, **fixed, **asked)
        return getattr(found, part) if part else found

    return call


def plain_word(word: str) -> str:
    """Take a name as any case and any separators would have it; the sign of LR- stays.

    >>> plain_word("Cohen's_Kappa"), plain_word("LR-"), plain_word("macro-F1")
    ('cohenskappa', 'lr-', 'macrof1')
    """
    return SEPARATORS.sub("", word.strip()).casefold()


def say_reason(code: str, *, of: str | None = None) -> str:
    """Put the code of a reason into words, with the class it is about.

    >>> say_reason("no-called", of="ship")
    "no item was called 'ship', so there was no call to judge"
    """
    return REASONS[code].format(of=of)


@dataclass(frozen=True, slots=True)
class OneToOne:
    """Another measure's value times ``slope`` plus ``start``: two ways to say one thing."""

    slope: float
    start: float

    def __call__(self, value: float) -> float:
        """Turn a value of the other measure into one of this."""
        return self.slope * value + self.start


SAME = OneToOne(1.0, 0.0)
DOUBLED = OneToOne(2.0, -1.0)
COMPLEMENT = OneToOne(-1.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """All that is known of a measure; what is not declared, no surface offers.

    Parameters
    ----------
    name, synonyms, family, latex, source, caution : str
        What it is called, where it stands, how it is written, who says so, when it misleads.
    bounds : pair
        The least and the largest value, None where there is none.
    direction : str
        Whether large is good.
    counts : str
        What it is computed from.
    formula : callable, optional
        Of :class:`~steelyard.measures.tables.formulas.Margins` (and what ``needs`` names beside
        ``of``), for measures of a table of calls; or of scores and the positives and negatives at
        each, in rows of many tables.
    edges : mapping of code to callable
        Counts of items that must not be 0, each with the code of its reason in :data:`REASONS`.
        Of one class they are the items that the measure looks at.
    parts : pair of tuples of cells, optional
        A plain share: the cells that it counts, and the others it is out of. Says formula and
        interval.
    scale : Scale
        Where limits from slopes are symmetric.
    needs : tuple of str
        Arguments beside the counts; ``of`` is the class.
    public : str
        The function of :mod:`steelyard.measures` that measures it with an interval of its own,
        with ``fixed`` arguments, of which ``part`` is taken. Without one the engine gives value
        and interval from the formula.
    clustered : callable, optional
        Measures counts of clusters, where slopes of a formula are not the way.
    drawn : bool
        Whether its function draws an interval when it is given ``rng``.
    interval : str
        Method of the interval.
    unfit : mapping of way to str
        Why something does not work for it, in words.
    undefined : str
        When it is undefined, for readers.
    mirror : str, optional
        The measure that the other class has when two classes change places.
    same_as : pair, optional
        The measure of which this one is a one-to-one transform, and the transform: they share
        every test and verdict; ``two_classes`` says that they do so for two classes only.
    twin : str, optional
        The measure that asks the same of other counts.
    one_minus : tuple of str
        Those synonyms behind which the number that it needs counts the other way: a specificity of
        0.95 is a false alarm rate of 0.05.
    """

    name: str
    family: Family = "detection"
    latex: str
    bounds: tuple[float | None, float | None] = SHARE
    direction: Direction = UP
    counts: Counts = "Confusion"
    undefined: str
    source: str
    caution: str
    synonyms: tuple[str, ...] = ()
    formula: Formula | None = None
    edges: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    parts: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    scale: Scale = LOGIT
    needs: tuple[str, ...] = ()
    public: str = ""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    part: str = ""
    clustered: Callable[..., Any] | None = None
    drawn: bool = False
    interval: str = "adjusted delta"
    unfit: Mapping[Way, str] = field(default_factory=dict)
    mirror: str | None = None
    same_as: tuple[str, OneToOne] | None = None
    two_classes: bool = False
    twin: str | None = None
    one_minus: tuple[str, ...] = ()

    @property
    def function(self) -> Callable[..., Any]:
        """Measure counts: the function that has an interval of its own, or the engine."""
        if not self.public:
            from steelyard.measures.tables.estimates import estimate_calls

            return partial(estimate_calls, self)
        return hand_out(self.public, self.part, **self.fixed)

    def why_not(self, way: Way) -> str | None:
        """Say in words why something does not work for this measure; None where it does."""
        more = [need for need in self.needs if need != "of"]
        if (self.counts, way) in UNFIT or way in self.unfit:
            return self.unfit.get(way) or UNFIT[self.counts, way]
        if way in {"batches", "thresholds"} and more:
            return f"it also needs {', '.join(more)}, which is not given there"
        return None

    def counts_the_rest(self, word: str) -> bool:
        """Tell whether a number behind this name of the measure is 1 minus the one it needs."""
        return plain_word(word) in map(plain_word, self.one_minus)

    @property
    def computed_from(self) -> str:
        """What it is computed from, in words."""
        return COMPUTED_FROM[self.counts]

    @property
    def counts_right(self) -> bool:
        """Tell whether it counts right answers among all items, or the others."""
        return self.parts is not None and {*self.parts[0], *self.parts[1]} == {"right", "wrong"}

    @property
    def of_class(self) -> bool:
        """Tell whether it is about one class."""
        return "of" in self.needs

    @property
    def page(self) -> str:
        """The chapter that explains the measure."""
        return {"ranking": "auc-delong", "vectors": "calibration"}.get(self.family, self.family)

    @property
    def misleads(self) -> str:
        """When the measure misleads."""
        return self.caution

    def described(self) -> dict[str, str]:
        """Give the measure as plain words, for tables and machines."""
        low, high = ("" if end is None else f"{end:g}" for end in self.bounds)
        return {
            "name": self.name,
            "synonyms": ", ".join(self.synonyms),
            "family": self.family,
            "formula": self.latex,
            "range": f"{low or '-inf'} to {high or 'inf'}",
            "direction": self.direction,
            "counts": self.counts,
            "needs": ", ".join(self.needs),
            "undefined": self.undefined,
            "interval": self.interval,
            "misleads": self.caution,
            "source": self.source,
        }


CatalogueEntry = Measure
"""The name under which measures are listed."""
