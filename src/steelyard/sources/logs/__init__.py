"""Evaluation logs as their tools wrote them: told by content, read, paired by id or hash.

A format is one file with one declaration; what all formats share is gathered in ``gathering``.
"""

from steelyard.sources.logs.gathering import gather_logs
from steelyard.sources.logs.log_format import Head, Log, LogFormat, LogRow
from steelyard.sources.logs.registry import FORMATS, LogFile, detect_log, detect_logs

__all__ = [
    "FORMATS",
    "Head",
    "Log",
    "LogFile",
    "LogFormat",
    "LogRow",
    "detect_log",
    "detect_logs",
    "gather_logs",
]
