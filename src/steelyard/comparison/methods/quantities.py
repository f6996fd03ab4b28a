"""What methods call their numbers: a code for programs, a heading for people.

A method names its columns by code alone. Headings may be mended here without breaking anybody who
reads ``working["z"]``; codes are plain identifiers and stay.
"""

from typing import TypeAlias

__all__ = ["HEADINGS", "WORDS", "Quantity", "code_of", "heading_of"]

Quantity: TypeAlias = str | tuple[str, str]
"""A code, or a code with a heading that only its method can give."""

HEADINGS = {
    "adjusted_e": "adjusted E",
    "adjusted_p": "adjusted p",
    "aic": "AIC",
    "aic_difference": "ΔAIC",
    "aic_different": "AIC different",
    "aic_same": "AIC same",
    "allowance": "allowance d",
    "alpha_now": "alpha of each open pair now",
    "auc": "AUC",
    "bic_difference": "ΔBIC",
    "called_apart": "called apart",
    "chi_square": "χ²",
    "clusters_drawn": "whole clusters drawn or exchanged",
    "common_odds": "common odds",
    "critical_difference": "critical difference",
    "data_sets": "data sets",
    "degrees_of_freedom": "degrees of freedom",
    "draws_without_value": "draws without a value, at most",
    "e": "E",
    "e_different": "E different",
    "e_first_better": "E 1 better",
    "e_second_better": "E 2 better",
    "equal_tailed_high": "high",
    "equal_tailed_low": "equal-tailed low",
    "error_at_smallest_ratio": "error at the smallest ratio",
    "f_statistic": "F of Iman and Davenport",
    "first_against_second": "first against second",
    "highest_density_high": "highest-density high",
    "highest_density_low": "highest-density low",
    "items_used": "items used",
    "keep_at_or_below": "keep at or below",
    "keep_intercept": "keep intercept",
    "lead_asked": "lead asked about",
    "lead_needed": "lead needed",
    "least_favourable_rate": "least favourable best rate",
    "ln_e": "ln E",
    "margin_high": "+margin",
    "margin_low": "-margin",
    "mean_difference": "mean difference",
    "mean_rank": "mean rank",
    "nist_p": "p of sc_stats",
    "nist_z": "z of sc_stats",
    "new_group_high": "new group high",
    "new_group_low": "new group low",
    "odds_ratio": "odds ratio",
    "only_first": "only 1 right",
    "only_second": "only 2 right",
    "p_best": "P(best)",
    "p_best_alike": "P(best) if alike",
    "p_best_uniform": "P(best), uniform priors",
    "p_better": "P(better)",
    "p_chi_square": "p of χ²",
    "p_correct_selection": "P(correct selection) there",
    "p_f": "p of F",
    "p_first_better": "P(1 better)",
    "p_first_better_by_more": "P(1 better by more)",
    "p_not_best": "1 - P(best)",
    "p_ranking": "P(ranking)",
    "p_ranking_exact": "exact P(ranking), eq. (14)",
    "p_ranking_product": "product, eq. (15)",
    "p_same": "P(same)",
    "p_second_better": "P(2 better)",
    "p_second_better_by_more": "P(2 better by more)",
    "p_student": "p of Student's t",
    "p_unlike_strata": "p of unlike strata",
    "p_value": "p-value",
    "pairs_with_winner": "pairs with a winner",
    "product_minus_exact": "product minus exact",
    "q": "Q",
    "rank_difference": "difference of ranks",
    "rate_first": "first rate",
    "rate_of_largest_p": "rate of the largest p",
    "rate_second": "second rate",
    "right_first": "right 1",
    "right_second": "right 2",
    "second_against_first": "second against first",
    "share_first": "share of the first",
    "simulation_error": "simulation error",
    "smallest_lead": "smallest lead resolved",
    "smallest_p_value": "smallest p-value they can show",
    "smallest_ratio": "smallest ratio",
    "standard_error": "standard error",
    "take_at_or_above": "take at or above",
    "take_intercept": "take intercept",
    "tau": "τ between groups",
    "test_to_train": "test/train",
    "tested_first": "tested 1",
    "tested_second": "tested 2",
    "tier_rate": "rate of the tier",
    "value_first": "value 1",
    "value_second": "value 2",
    "w_minus": "W-",
    "w_plus": "W+",
    "weight_different": "weight different",
    "weight_same": "weight same",
    "what_it_does": "what it does",
    "why_not": "why not",
    "win_rate": "win rate",
    "won_by_first": "won by the first",
    "won_by_second": "won by the second",
}
"""The heading of each code that is not its own heading (``low``, ``rate``, ``z``)."""

WORDS = frozenset(
    {
        "decision",
        "distribution",
        "first_against_second",
        "ranking",
        "remark",
        "second_against_first",
        "verdict",
        "what_it_does",
        "why_not",
    }
)
"""Codes under which words stand, which are no numbers."""


def code_of(quantity: Quantity) -> str:
    """Give the code.

    >>> code_of("p_value"), code_of(("spread", "spread between systems, log-odds, median"))
    ('p_value', 'spread')
    """
    return quantity if isinstance(quantity, str) else quantity[0]


def heading_of(quantity: Quantity) -> str:
    """Give the heading.

    >>> heading_of("chi_square"), heading_of("low"), heading_of(("only_first", "only 1"))
    ('χ²', 'low', 'only 1')
    """
    return HEADINGS.get(quantity, quantity) if isinstance(quantity, str) else quantity[1]
