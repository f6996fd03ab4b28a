"""Values on paper: numbers, tables, CSV and HTML; no result class is known here."""

from steelyard.display.html import result_fragment, table_fragment, table_markup
from steelyard.display.interchange import csv_text
from steelyard.display.numbers import (
    digits_for,
    show_cell,
    show_count,
    show_difference,
    show_estimate,
    show_interval,
    show_level,
    show_number,
    show_p_value,
    show_percent,
    show_probability,
    show_share,
)
from steelyard.display.tables import Column, Table, text_table
from steelyard.display.text import (
    clean_text,
    display_width,
    join_names,
    shorten,
    show_name,
    wrap_sentence,
)

__all__ = [
    "Column",
    "Table",
    "clean_text",
    "csv_text",
    "digits_for",
    "display_width",
    "join_names",
    "result_fragment",
    "shorten",
    "show_cell",
    "show_count",
    "show_difference",
    "show_estimate",
    "show_interval",
    "show_level",
    "show_name",
    "show_number",
    "show_p_value",
    "show_percent",
    "show_probability",
    "show_share",
    "table_fragment",
    "table_markup",
    "text_table",
    "wrap_sentence",
]
