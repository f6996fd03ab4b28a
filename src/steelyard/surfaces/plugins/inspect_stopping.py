"""Early stopping for Inspect: an evaluation reports to a campaign, and ends when it says stop."""

from collections.abc import Mapping
from functools import partial
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from steelyard.errors import ExtraMissing, LedgerError, RequestError, listing, printable

try:
    import anyio
except ImportError as error:
    what = "Stopping Inspect early"
    raise ExtraMissing.for_part(what, extra="inspect") from error

if TYPE_CHECKING:
    from steelyard.journey.campaigns.campaign import Campaign

__all__ = ["CampaignStopping"]


class CampaignStopping:
    """Report every sample of one Inspect task to a campaign; skip the rest once it has stopped.

    The object goes into ``Task(early_stopping=...)``, one for each task and model. A sample is an
    item of the campaign under its id, and the model is one of its systems. Samples that are
    running when the campaign stops are finished, recorded and marked as late.

    Parameters
    ----------
    ledger, name
        The ledger, and the campaign where it holds several; or an open ``Campaign``.
    system
        The system of the protocol that this task tests; the name of the model unless given.
    scorer
        The scorer whose verdict counts; needed where a task has several.
    right_from
        The score from which an answer is right. With 1, partial credit is not right.

    Examples
    --------
    An evaluation of the model beta against what alpha has answered before::

        task = Task(
            dataset=dataset, solver=generate(), scorer=match(),
            early_stopping=CampaignStopping("adds.db", system="beta"),
        )
        eval(task, model="openai/beta")
    """

    def __init__(
        self,
        ledger: "str | Path | Campaign",
        name: str | None = None,
        *,
        system: str | None = None,
        scorer: str | None = None,
        right_from: float = 1.0,
    ) -> None:
        from steelyard.journey.campaigns.campaign import Campaign

        self.early_stop = _early_stop()
        self.campaign = ledger if isinstance(ledger, Campaign) else Campaign.open(ledger, name)
        self.system = system
        self.scorer = scorer
        self.right_from = right_from
        self.started: str | None = None
        self.skipped = 0
        if system is not None:
            self._check_system(system)

    async def start_task(self, task: Any, samples: list[Any], epochs: int) -> str:  # noqa: ANN401
        """Check that the task can be counted."""
        del samples
        if epochs != 1:
            message = (
                f"{epochs} epochs would answer each item {epochs} times, and a campaign counts an "
                "item once. Run with epochs=1."
            )
            raise RequestError(message)
        if self.started is not None:
            message = (
                f"This CampaignStopping was used for {printable(self.started)} before. Give each "
                "task and each model one of its own."
            )
            raise RequestError(message)
        self.started = str(task.model)
        self.system = self.system or str(task.model)
        self._check_system(self.system)
        return f"Steelyard campaign {self.campaign.name}"

    async def schedule_sample(self, id: str | int, epoch: int) -> Any:  # noqa: ANN401
        """Give the reason when a sample need not be run; None when it should."""
        reason = await anyio.to_thread.run_sync(self._reason, str(id))
        if reason is None:
            return None
        self.skipped += 1
        return self.early_stop(id=id, epoch=epoch, reason=reason)

    async def complete_sample(self, id: str | int, epoch: int, scores: Mapping[str, Any]) -> None:
        """Record the verdict on a sample; one that was not scored stays open."""
        del epoch
        right = self._right(str(id), scores)
        if right is None:
            return
        record = {"item": str(id), "system": self.system, "right": right}
        await anyio.to_thread.run_sync(partial(self.campaign.report, [record]))

    async def complete_task(self) -> dict[str, Any]:
        """Say how the campaign stands, for the log of the evaluation."""
        status = await anyio.to_thread.run_sync(self.campaign.status)
        return {
            "campaign": self.campaign.name,
            "sentence": status.sentence(),
            "go_on": status.stop is None,
            "winner": None if status.stop is None else status.stop.winner,
            "items": status.items,
            "skipped": self.skipped,
            "head_hash": status.head_hash,
        }

    def _reason(self, item: str) -> str | None:
        found = self.campaign.next(most=1)
        if found.scheme == "none":
            return self.campaign.status().sentence()
        if self.system not in [one.system for one in found.systems]:
            return f"{self.system} is tested no more: {found.sentence()}"
        place = self.campaign.protocol.systems.index(str(self.system))
        ledger, name = self.campaign.ledger, self.campaign.name
        known = ledger.view(name, lambda view: view.find_items([item])).get(item)
        if known is not None and known.tested >> place & 1:
            return f"The answer of {self.system} was recorded before."
        return None

    def _right(self, item: str, scores: Mapping[str, Any]) -> bool | None:
        from steelyard.sources.logs.log_format import as_number

        if not scores:
            return None
        if self.scorer is None and len(scores) > 1:
            message = (
                f"The task has several scorers: {listing(list(scores))}. Choose: scorer='...'."
            )
            raise RequestError(message)
        chosen = self.scorer or next(iter(scores))
        if chosen not in scores:
            raise RequestError.for_choice(name="scorer", given=chosen, choices=list(scores))
        value = scores[chosen].score.value
        if isinstance(value, float) and isnan(value):
            return None
        number = as_number(value)
        if number is None:
            message = (
                f"The score of {printable(item)} by {printable(chosen)} is "
                f"{printable(value)[:60]!r}; expected right or wrong, or a number."
            )
            raise LedgerError(message, code="record")
        return number >= self.right_from

    def _check_system(self, system: str) -> None:
        known = self.campaign.protocol.systems
        if system not in known:
            message = (
                f"The campaign {self.campaign.name} compares {listing(known)}, not "
                f"{printable(system)}. Say which one this task tests: "
                "CampaignStopping(..., system='...')."
            )
            raise RequestError(message)


def _early_stop() -> Any:  # noqa: ANN401
    try:
        from inspect_ai.util import EarlyStop
    except ImportError:
        raise ExtraMissing.for_part(what="Stopping Inspect early", extra="inspect") from None
    return EarlyStop
