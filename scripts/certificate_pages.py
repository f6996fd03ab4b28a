"""Markdown about the certificates, made from their declarations and what long runs found."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from certificates import CERTIFICATES, FAMILIES  # noqa: E402
from certificates.declaration import Certificate, Found  # noqa: E402
from certificates.keeping import kept, kept_found  # noqa: E402
from certificates.search import Search, cell_words  # noqa: E402

__all__ = ["certificate_summary", "certificate_tables"]

TITLES = {
    "proportions": "Intervals of one share",
    "differences": "Intervals of a difference or ratio of two shares",
    "gates": "Gates: what lies exactly on its limit",
    "acceptance": "Acceptance tests, absolute claims, events over an exposure",
    "reader_studies": "Reader studies",
    "ratios": "Ratios, and claims of equivalence",
    "tables": "Intervals of measures of a confusion table",
    "raters": "Intervals of agreement of several raters",
    "ranking": "Intervals of areas and of rates read off a curve",
    "targeting": "Intervals of what a list of contacts holds",
    "calibration": "Calibration",
    "vectors": "Intervals of scores of vectors",
    "clusters": "Items in clusters",
    "thresholds": "Bootstrap intervals of thresholds",
    "sizes": "Error rates of tests at 5 %",
    "further_sizes": "Error rates of tests at 5 %: samples, strata, clusters, resampling",
    "datasets": "Error rates of tests at 5 %: data sets and folds",
    "best": "Probabilities of being the best",
    "totals": "Totals on common items",
    "stopping": "Stopping rules of two systems",
    "campaigns": "Campaigns as played, and stopping rules of several systems",
    "sequences": "Confidence sequences, looked at again and again",
    "multiplicity": "Many questions at once",
    "selection": "Selecting the best",
    "few_values": "A number for each item: few, weighted, clustered unevenly, claimed",
    "plans": "Sample sizes against drawn tests",
}
"""What the page calls each family; a family that is not named here goes by its own name."""


def certificate_summary() -> str:
    """Say how many certificates there are and which claims do not hold."""
    short = [one for one in CERTIFICATES.values() if one.falls_short]
    searched = [one for one in CERTIFICATES.values() if isinstance(one.experiment, Search)]
    return (
        f"{len(CERTIFICATES)} certificates, {len(searched)} of them of the worst cell that a "
        f"search found in {_cells():,} settings; {len(CERTIFICATES) - len(short)} claims hold, "
        f"{len(short)} are known to fall short and are marked **falls short** below, with what to "
        "take instead.\n"
    )


def _cells() -> int:
    """Count the settings that were tried in all searches together."""
    found = [kept_found(one) for family in FAMILIES for one in kept(family).values()]
    return round(sum(one.more.get("cells", 0) for one in found if one.cell is not None))


def certificate_tables() -> str:
    """Give a table for each family: claim, setting, what was found, what would bear it out."""
    parts = []
    for family in FAMILIES:
        stored = kept(family)
        lines = [
            f"## {TITLES.get(family, family)}\n",
            "| certificate | setting | claim | found | allowed | draws, seed | |",
            "|---|---|---|---|---|---|---|",
        ]
        for name, one in CERTIFICATES.items():
            if one.family == family:
                found = kept_found(stored[name]) if name in stored else None
                lines.append(_row(one, found))
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _row(one: Certificate, found: Found | None) -> str:
    low, high = one.allowed
    link = f"[{one.name}](../explanation/{one.page}.md)"
    if found is None:
        said = f"| {link} | {_setting(one)} | {one.claim} | not run at length yet "
        return f"{said}| {low:g} to {high:g} | {one.short:,}, {one.seed} | short form only |"
    verdict = f"**falls short**: {one.note}" if one.falls_short else "holds"
    if not one.borne_out(found):
        verdict = "**OUTSIDE**"
    how = "exact" if found.hits is None else f"{found.draws:,}, {one.seed}"
    return (
        f"| {link} | {_setting(one)} | {one.claim} | {found.share:.4f}{_beside(one, found)} "
        f"| {low:g} to {high:g} | {how} | {verdict} |"
    )


def _setting(one: Certificate) -> str:
    """Say the setting, and of a search the space in which it went."""
    if not isinstance(one.experiment, Search):
        return one.setting
    space = one.experiment.space.words()
    return one.setting if space in one.setting else f"{one.setting}; searched: {space}"


def _beside(one: Certificate, found: Found) -> str:
    """Say what else was found: the lowest coverage, or how often it is right and after how many."""
    if found.cell is not None:
        return f" (worst of {found.more['cells']:,.0f} cells: {cell_words(found.cell)})"
    lowest, right, items = (found.more.get(name) for name in ("lowest", "right", "items"))
    words = []
    if lowest is not None and "sizes" not in one.family and one.allowed[0] > 0:
        words.append(f"lowest {lowest:.3f}")
    if right is not None:
        words.append(f"right {right:.3f}")
    if items is not None:
        words.append(f"{items:,.0f} items")
    return f" ({', '.join(words)})" if words else ""
