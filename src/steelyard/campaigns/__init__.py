"""Asking again while results arrive.

A protocol is frozen first; results are folded into progress, look after look; every entry is kept
in a ledger, from which all of it can be found again. The one rule: a decision is a pure function
of the protocol and the results in their order, worked out before anything is written.
"""

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
