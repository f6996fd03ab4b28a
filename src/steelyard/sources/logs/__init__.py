"""Evaluation logs as their tools wrote them: told by content, read, paired by id or hash."""

from steelyard.sources.logs.gathering import gather_logs
from steelyard.sources.logs.registry import FORMATS, LogFile, tell_log, tell_logs

__all__ = ["FORMATS", "LogFile", "gather_logs", "tell_log", "tell_logs"]
