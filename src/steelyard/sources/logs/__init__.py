"""Evaluation logs as their tools wrote them: told by content, read, paired by id or hash."""

from steelyard.sources.logs.gathering import gather_logs
from steelyard.sources.logs.registry import FORMATS, LogFile, detect_log, detect_logs

__all__ = ["FORMATS", "LogFile", "detect_log", "detect_logs", "gather_logs"]
