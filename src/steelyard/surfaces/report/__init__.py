"""The report: one file with the answer, its pictures, its doubts and its sources."""

from steelyard.surfaces.report.other_forms import report_markdown, report_pdf
from steelyard.surfaces.report.other_pages import campaign_html, leaderboard_html
from steelyard.surfaces.report.page import (
    banded_roc,
    coded,
    comparison_tiles,
    default_title,
    page_style,
    report_html,
    versions,
)
from steelyard.surfaces.report.verifying import saved_content, without_pictures, written_again

__all__ = [
    "banded_roc",
    "campaign_html",
    "coded",
    "comparison_tiles",
    "default_title",
    "leaderboard_html",
    "page_style",
    "report_html",
    "report_markdown",
    "report_pdf",
    "saved_content",
    "versions",
    "without_pictures",
    "written_again",
]
