"""Asking again while results arrive: protocol, look and ledger."""

from steelyard.campaigns.checking import Check, check_ledger
from steelyard.campaigns.ledger import Ledger, Receipt
from steelyard.campaigns.looks import Progress, Stop
from steelyard.campaigns.protocol import Order, Protocol
from steelyard.campaigns.recording import (
    Answer,
    record_close,
    record_correction,
    record_drop,
    record_results,
    start_campaign,
)
from steelyard.campaigns.rules.grammar import Rule, parse_rule

__all__ = [
    "Answer",
    "Check",
    "Ledger",
    "Order",
    "Progress",
    "Protocol",
    "Receipt",
    "Rule",
    "Stop",
    "check_ledger",
    "parse_rule",
    "record_close",
    "record_correction",
    "record_drop",
    "record_results",
    "start_campaign",
]
