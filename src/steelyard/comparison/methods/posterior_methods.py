"""Posterior probabilities alone: best, rank, ranking, pairs, losses, credible intervals."""

from dataclasses import replace

from steelyard.comparison.exact.equivalence import (
    Equivalence,
    paired_equivalence,
    probability_equivalent,
)
from steelyard.comparison.methods.case import (
    Case,
    Found,
    Method,
    Option,
    Part,
    facts_sheet,
    pairs_sheet,
    sheet,
    systems_sheet,
)
from steelyard.comparison.methods.pair_tests import decide
from steelyard.comparison.methods.quantities import Quantity, heading_of
from steelyard.comparison.posterior.alike import alike_common, alike_independent
from steelyard.comparison.posterior.best import expected_loss, probability_best, probability_better
from steelyard.comparison.posterior.beta_model import BetaPosteriors, beta_posteriors
from steelyard.comparison.posterior.credibility import credible_interval
from steelyard.comparison.posterior.paired import (
    PairedPosterior,
    marginal_posteriors,
    paired_better,
    paired_posterior,
)
from steelyard.comparison.posterior.ranking import (
    probability_of_rank,
    probability_of_ranking,
    ranking_probability_by_product,
)
from steelyard.display.numbers import show_probability
from steelyard.display.text import show_name
from steelyard.results.shortfalls import shortfall

__all__ = ["POSTERIOR_METHODS"]

HE_FU = "He & Fu, posterior-probability procedure"
DRAWS = {"draws": Option(default=100_000, meaning="draws from the joint posterior of common items")}
MODEL = (
    "items are independent; rates have Beta priors (uniform unless given), on common items one "
    "Dirichlet prior over right/wrong patterns"
)


def _betas(case: Case) -> BetaPosteriors:
    return beta_posteriors(case.apart(), priors=case.priors)


def _joint(case: Case) -> PairedPosterior:
    return paired_posterior(case.paired(), rng=case.rng(), draws=case.using["draws"])


def _posteriors(case: Case) -> Part:
    betas = _betas(case) if case.outcomes is None else marginal_posteriors(case.paired())
    right, tested = case.rates()
    rows = list(zip(right, tested, betas.a, betas.b, betas.means(), strict=True))
    return systems_sheet(
        case, "Posterior of each rate", ("right", "tested", "a", "b", "mean"), rows
    )


def _top(case: Case, best: tuple[float, ...]) -> tuple[str, str]:
    place = max(range(len(best)), key=lambda at: best[at])
    return show_name(case.systems[place]), show_probability(best[place], error=1e-11)


def _best(case: Case) -> Found:
    if case.outcomes is None:
        found = probability_best(_betas(case))
        best, rows = found.best, list(zip(found.best, found.not_best, strict=True))
        heads: tuple[str, ...] = ("p_best", "p_not_best")
    else:
        joint = _joint(case)
        best, rows = joint.best, list(zip(joint.best, joint.best_error, strict=True))
        heads = ("p_best", "simulation_error")
    name, shown = _top(case, best)
    sure = "is" if max(best) >= case.level else "leads, but is not yet clearly"
    return Found(
        answer=f"{name} {sure} the best: probability {shown}.",
        decision=f"{name} is best" if max(best) >= case.level else "undecided",
        parts=(_posteriors(case), systems_sheet(case, "Who is best", heads, rows)),
    )


def _alike(case: Case) -> Found:
    draws = case.using["draws"]
    if case.outcomes is None:
        found = alike_independent(case.apart(), rng=case.rng(), draws=draws)
        flat = probability_best(_betas(case)).best
    else:
        found = alike_common(case.paired(), rng=case.rng(), draws=draws)
        flat = _joint(case).best
    name, shown = _top(case, found.best)
    sure = "is" if max(found.best) >= case.level else "leads, but is not yet clearly"
    scale = "log-odds" if case.outcomes is None else "arcsines of roots"
    facts: list[tuple[Quantity, float | None]] = [
        (("spread", f"spread between systems, {scale}, median"), found.spread),
        ("error", found.error),
    ]
    return Found(
        answer=f"{name} {sure} the best: probability {shown} if the systems are alike.",
        decision=f"{name} is best" if max(found.best) >= case.level else "undecided",
        parts=(
            systems_sheet(
                case,
                "Who is best",
                ("p_best_alike", "p_best_uniform"),
                list(zip(found.best, flat, strict=True)),
            ),
            facts_sheet("The field", facts),
        ),
    )


def _rank(case: Case) -> Found:
    ranks = probability_of_rank(_betas(case)).rank if case.outcomes is None else _joint(case).rank
    heads = [(f"p_rank_{n + 1}", f"P(rank {n + 1})") for n in range(len(case.systems))]
    name, shown = _top(case, tuple(row[0] for row in ranks))
    return Found(
        answer=f"{name} has rank 1 with probability {shown}.",
        parts=(_posteriors(case), systems_sheet(case, "Ranks", heads, ranks)),
    )


def _ranking(case: Case) -> Found:
    if case.outcomes is None:
        found = probability_of_ranking(_betas(case))
        order, probability, error = found.ranking, found.probability, None
    else:
        joint = _joint(case)
        order, probability, error = joint.ranking, joint.ranking_probability, joint.ranking_error
    return _say_ranking(case, order, probability, error, "p_ranking")


def _product(case: Case) -> Found:
    found = ranking_probability_by_product(_betas(case))
    exact = probability_of_ranking(_betas(case), ranking=found.ranking).probability
    answer = _say_ranking(case, found.ranking, found.probability, None, "p_ranking_product")
    extra = facts_sheet(
        "Beside it",
        [
            ("p_ranking_exact", exact),
            ("product_minus_exact", found.probability - exact),
        ],
    )
    return Found(
        answer=answer.answer,
        parts=(*answer.parts, extra),
        caveats=("the product multiplies unconditional probabilities and overstates the ranking",),
    )


def _say_ranking(
    case: Case, order: tuple[str, ...], probability: float, error: float | None, name: str
) -> Found:
    said = " > ".join(show_name(one) for one in order)
    facts = [(name, probability, said)]
    facts += [] if error is None else [("simulation_error", error, "")]
    rows = [(heading_of(code), value, order) for code, value, order in facts]
    ranked = sheet("Ranking", ["quantity"], ("value", "ranking"), rows, [""] * len(rows))
    named = replace(ranked, numbers={code: value for code, value, _ in facts})
    return Found(
        answer=f"The ranking {said} has probability {show_probability(probability, error=1e-11)}.",
        decision=said if probability >= case.level else "undecided",
        parts=(_posteriors(case), named),
    )


def _better(case: Case) -> Found:
    table = (
        probability_better(_betas(case)).better
        if case.outcomes is None
        else paired_better(case.paired())
    )
    shares = [table[i][j] for i, j in case.couples()]
    verdicts = ["different" if max(p, 1 - p) >= case.level else "undecided" for p in shares]
    ways = [p - 0.5 for p in shares]
    rows = [(p, 1 - p, verdict) for p, verdict in zip(shares, verdicts, strict=True)]
    return Found(
        answer=decide(case, verdicts, ways, by="each pair taken alone"),
        decision=verdicts[0] if len(verdicts) == 1 else None,
        parts=(
            _posteriors(case),
            pairs_sheet(case, "Pairs", ("p_first_better", "p_second_better", "verdict"), rows),
        ),
    )


def _loss(case: Case) -> Found:
    losses = expected_loss(_betas(case)).loss if case.outcomes is None else _joint(case).loss
    place = min(range(len(losses)), key=lambda at: losses[at])
    return Found(
        answer=(
            f"Choosing {show_name(case.systems[place])} gives up least: "
            f"{losses[place]:.4g} of rate on average."
        ),
        decision=case.systems[place],
        parts=(
            _posteriors(case),
            systems_sheet(case, "Expected loss", ("loss",), [(one,) for one in losses]),
        ),
    )


def _equivalent(case: Case) -> Found:
    found = [_near(case, i, j) for i, j in case.couples()]
    verdicts = ["same" if one.equivalent >= case.level else "undecided" for one in found]
    rows = [
        (one.first_better, one.equivalent, one.second_better, verdict)
        for one, verdict in zip(found, verdicts, strict=True)
    ]
    heads = ("p_first_better_by_more", "p_same", "p_second_better_by_more", "verdict")
    same = sum(verdict == "same" for verdict in verdicts)
    return Found(
        answer=(
            f"{same} of {len(found)} pairs differ by less than {case.margin:g} with probability "
            f"{case.level:g} or more."
        ),
        decision=verdicts[0] if len(verdicts) == 1 else None,
        parts=(_posteriors(case), pairs_sheet(case, f"Margin {case.margin:g}", heads, rows)),
    )


def _near(case: Case, i: int, j: int) -> Equivalence:
    margin = case.margin or 0.0
    names = case.systems[i], case.systems[j]
    if case.outcomes is None:
        return probability_equivalent(_betas(case), *names, margin=margin)
    return paired_equivalence(case.paired().pair(*names), margin=margin)


def _credible(case: Case) -> Found:
    betas = _betas(case) if case.outcomes is None else marginal_posteriors(case.paired())
    rows = []
    for name in case.systems:
        tails = credible_interval(betas, name, level=case.level)
        dense = credible_interval(betas, name, level=case.level, method="highest-density")
        rows.append((tails.low, tails.high, dense.low, dense.high))
    heads = ("equal_tailed_low", "equal_tailed_high", "highest_density_low", "highest_density_high")
    return Found(
        answer=f"Each rate lies in its interval with posterior probability {case.level:g}.",
        parts=(_posteriors(case), systems_sheet(case, "Credible intervals", heads, rows)),
    )


POSTERIOR_METHODS = (
    Method(
        name="posterior-best",
        title="probability that each system is the best",
        needs=("answers",),
        formula="P(i best) = ∫ f_i(p) Π_{j≠i} F_j(p) dp",
        rule="the best is named when its probability reaches the level",
        assumption=MODEL,
        reference=f"{HE_FU}, eq. (12)",
        page="p-best",
        run=_best,
        falls_short=shortfall("best-uniform"),
        uses_prior=True,
        options=DRAWS,
    ),
    Method(
        name="posterior-alike",
        title="probability that each system is the best, if the systems are alike",
        needs=("answers",),
        formula=(
            "g(p_i) ~ N(μ, τ²), τ ~ half-Cauchy(sampling error); g = logit, or arcsin √ on common "
            "items; P(p_i highest)"
        ),
        rule="the best is named when its probability reaches the level",
        assumption=(
            "items are independent; the systems are exchangeable, as those of one field are; on "
            "common items arcsines are taken as normal"
        ),
        reference="Polson & Scott (2012), doi:10.1214/12-BA730",
        page="p-best",
        run=_alike,
        options=DRAWS,
    ),
    Method(
        name="posterior-rank",
        title="probability of every rank",
        needs=("answers",),
        formula="P(i has rank r) by the same integral over the number of better rivals",
        rule="",
        assumption=MODEL,
        reference=f"{HE_FU}, section 2",
        page="p-best",
        run=_rank,
        falls_short=shortfall("best-uniform"),
        uses_prior=True,
        options=DRAWS,
    ),
    Method(
        name="posterior-ranking",
        title="probability of the whole ranking, exact",
        needs=("answers",),
        formula="P(p_1 > p_2 > … > p_m), the nested integral",
        rule="the ranking is named when its probability reaches the level",
        assumption=MODEL,
        reference=f"{HE_FU}, eq. (14)",
        page="p-best",
        run=_ranking,
        falls_short=shortfall("best-uniform"),
        uses_prior=True,
        options=DRAWS,
    ),
    Method(
        name="posterior-product",
        title="the paper's product for the ranking",
        needs=("own items",),
        formula="Π_i P(p_i > p_j for all j > i), unconditional probabilities multiplied",
        rule="",
        assumption="as the paper prints it; it is not the probability of the ranking",
        reference=f"{HE_FU}, eq. (15)",
        page="p-best",
        run=_product,
        falls_short=shortfall("best-uniform"),
        uses_prior=True,
    ),
    Method(
        name="posterior-better",
        title="probability that one system is better than another",
        needs=("answers",),
        formula="P(p_1 > p_2); on common items 1 - I_½(b + ½, c + ½)",
        rule="different when P or 1 - P reaches the level",
        assumption=MODEL,
        reference="Altham (1971), doi:10.1093/biomet/58.3.561",
        page="p-best",
        run=_better,
        falls_short=shortfall("best-uniform"),
        uses_prior=True,
    ),
    Method(
        name="posterior-equivalence",
        title="probability that two rates differ by less than a margin",
        needs=("answers", "margin"),
        formula="P(|p_1 - p_2| < margin)",
        rule="same when the probability reaches the level",
        assumption=MODEL,
        reference="Kruschke (2018), doi:10.1177/2515245918771304",
        page="equivalence",
        run=_equivalent,
        falls_short=shortfall("chance-of-same"),
        uses_prior=True,
    ),
    Method(
        name="expected-loss",
        title="rate given up by choosing each system",
        needs=("answers",),
        formula="E(max_j p_j - p_i)",
        rule="choose the smallest",
        assumption=MODEL,
        reference="Stucchio (2015), Bayesian A/B testing at VWO",
        page="p-best",
        run=_loss,
        uses_prior=True,
        options=DRAWS,
    ),
    Method(
        name="credible-interval",
        title="credible intervals of each rate",
        needs=("answers",),
        formula="quantiles, and the shortest interval, of Beta(x + a, n - x + b)",
        rule="",
        assumption=MODEL,
        reference="Brown, Cai & DasGupta (2001), doi:10.1214/ss/1009213286",
        page="proportion-intervals",
        run=_credible,
        uses_prior=True,
    ),
)
