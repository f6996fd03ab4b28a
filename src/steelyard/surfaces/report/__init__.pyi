from .other_forms import report_markdown, report_pdf
from .other_pages import campaign_html, leaderboard_html
from .page import (
    areas_of,
    begin_words,
    comparison_tiles,
    corner_roc,
    default_title,
    draw_confusions,
    draw_roc_with_band,
    mark_breaks,
    mark_code,
    page_style,
    report_html,
    row_percents,
    versions,
)
from .verifying import save_content, without_pictures, write_again

__all__ = [
    "areas_of",
    "begin_words",
    "campaign_html",
    "comparison_tiles",
    "corner_roc",
    "default_title",
    "draw_confusions",
    "draw_roc_with_band",
    "leaderboard_html",
    "mark_breaks",
    "mark_code",
    "page_style",
    "report_html",
    "report_markdown",
    "report_pdf",
    "row_percents",
    "save_content",
    "versions",
    "without_pictures",
    "write_again",
]
