from .data import (
    CampaignCondition,
    CampaignError,
    CampaignPoint,
    CampaignStatus,
    CampaignStop,
    CampaignSystem,
)
from .records import (
    CampaignCheck,
    CampaignEntry,
    CampaignHistory,
    CampaignNext,
    CampaignRule,
    NextSystem,
    RuleBehaviour,
)

__all__ = [
    "CampaignCheck",
    "CampaignCondition",
    "CampaignEntry",
    "CampaignError",
    "CampaignHistory",
    "CampaignNext",
    "CampaignPoint",
    "CampaignRule",
    "CampaignStatus",
    "CampaignStop",
    "CampaignSystem",
    "NextSystem",
    "RuleBehaviour",
]
