"""May I stop testing now? A campaign that remembers, from opening its ledger to its answers."""

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Self, Unpack

from steelyard.campaigns.checking import check_ledger
from steelyard.campaigns.ledger import Entry, Ledger, Receipt, ResultRow, Stored
from steelyard.campaigns.ledger.connecting import file_of
from steelyard.campaigns.ledger.queries import CampaignView
from steelyard.campaigns.looks import Progress
from steelyard.campaigns.next_test import choose_next
from steelyard.campaigns.protocol import Order, Protocol
from steelyard.campaigns.recording import (
    Repeated,
    record_close,
    record_correction,
    record_drop,
    record_results,
    start_campaign,
)
from steelyard.campaigns.replay import current_progress, load_progress, replay_entries
from steelyard.campaigns.rules.claims import give_streams_to_claims
from steelyard.campaigns.rules.grammar import parse_rule
from steelyard.campaigns.simulation.simulation import usual_campaigns
from steelyard.counts.labels import check_names
from steelyard.counts.trials import Pairing
from steelyard.display.interchange import json_text
from steelyard.errors import LedgerError, RequestError, counted, listing
from steelyard.journey.campaigns.answers import (
    check_result,
    history_result,
    next_result,
    rule_result,
    status_result,
)
from steelyard.journey.campaigns.single_answers import answers_of, answers_of_records
from steelyard.journey.opening import RoleArguments, check_seed
from steelyard.results.campaign.data import CampaignStatus
from steelyard.results.campaign.records import (
    CampaignCheck,
    CampaignHistory,
    CampaignNext,
    CampaignRule,
)

__all__ = ["Campaign"]


POINTS = 200
"""Entries whose looks are shown on the path; more are thinned."""


class Campaign:
    """A test campaign in a ledger: results arrive in batches, it says go on or stop.

    Every method is one transaction on the ledger, which many processes may use at once.

    Examples
    --------
    >>> import tempfile
    >>> ledger = tempfile.mkdtemp() + "/radar.db"
    >>> rule = "evidence >= 20 or n >= 100"
    >>> campaign = Campaign.create(ledger, systems=["cnn", "svm"], stop=rule)
    >>> status = campaign.add({"item": [1, 2, 3], "cnn": [1, 1, 1], "svm": [0, 1, 0]},
    ...                       outcome=["cnn", "svm"])
    >>> print(status.sentence())
    Go on: after 3 items cnn leads and is the best with probability 0.924; radar stops when \
evidence >= 20 or n >= 100.
    """

    def __init__(self, ledger: Ledger, name: str) -> None:
        self.ledger = ledger
        self.name = name
        self.protocol = ledger.read(name).protocol
        self._told: CampaignStatus | None = None
        self._telling = threading.Lock()

    @classmethod
    def create(  # noqa: PLR0913
        cls,
        where: str | Path,
        name: str | None = None,
        *,
        systems: Sequence[str],
        stop: str,
        pairing: Pairing = "common",
        step: int | None = None,
        budget: float | None = None,
        costs: Mapping[str, float] | float | None = None,
        priors: Mapping[str, tuple[float, float]] | None = None,
        order: Order = "random",
        rng: int = 0,
    ) -> Self:
        """Freeze a protocol and start a campaign; the same protocol again opens it.

        Parameters
        ----------
        where
            A file such as ``radar.db``, or ``postgresql+psycopg://user@host/database``.
        name
            Name of the campaign, for ledgers that hold several; that of the file unless given.
        systems
            Systems to be compared; none can join later.
        stop
            The stopping rule, such as ``evidence >= 20 or n >= 1000``: it names a winner among
            equal systems in 5 % of campaigns at most, however often it is looked at.
        pairing
            Do the systems answer ``common`` items, or ``independent`` ones of their own?
        step
            Items between looks: 1 for two systems and 10 for more unless given.
        budget, costs
            The most that all results may cost, and what one result costs, by system.
        priors
            Beta priors (a, b) by system, for independent items.
        order
            ``random``: the items of a batch count in an order that only their names and the seed
            decide. ``given``: as they come.
        rng
            Seed of the order and of simulations.
        """
        if isinstance(systems, str):
            message = f"systems={systems!r}; give a list of names, such as ['cnn', 'svm']."
            raise RequestError(message)
        named = tuple(str(system) for system in systems)
        rule, streams = give_streams_to_claims(parse_rule(stop), named)
        protocol = Protocol.of(
            systems=streams,
            rule=str(rule),
            # Each stream has items of its own: ships are no sea.
            pairing=pairing if streams == named else "independent",
            step=step,
            budget=budget,
            costs=costs,
            priors=priors,
            order=order,
            seed=check_seed(rng),
        )
        (chosen,) = check_names([name or _default_name(str(where))], "campaign")
        ledger = Ledger(str(where), create=True)
        start_campaign(ledger, chosen, protocol)
        return cls(ledger, chosen)

    @classmethod
    def open(cls, where: str | Path, name: str | None = None) -> Self:
        """Open a campaign; its name is needed only where a ledger holds several."""
        ledger = Ledger(str(where))
        return cls(ledger, name or _only_name(ledger))

    def add(
        self,
        data: Any,  # noqa: ANN401
        *,
        key: str | None = None,
        repeated: Repeated = "error",
        most_rows: int | None = None,
        **roles: Unpack[RoleArguments],
    ) -> CampaignStatus:
        """Record a batch of results, and say how the campaign stands.

        ``data`` is anything that ``compare`` reads: files, frames, columns. Items need ids. The
        same batch again (or the same ``key``) changes nothing; ``repeated="skip"`` leaves out
        results that are there already, for files that grow; data of more than ``most_rows`` rows
        are refused.
        """
        answers, source, said = answers_of(data, roles, self.protocol, most_rows=most_rows)
        return self._report_receipt(
            record_results(
                self.ledger, self.name, answers, key=key, source=source, repeated=repeated
            ),
            said,
        )

    def report(
        self,
        records: Iterable[Mapping[str, Any]],
        *,
        key: str | None = None,
        repeated: Repeated = "error",
    ) -> CampaignStatus:
        """Record results as a test rig sends them: dicts with ``item``, ``system``, ``right``.

        Campaigns of numbers take ``value`` in place of ``right``.
        """
        answers = answers_of_records(records, numbers=self.protocol.numbers is not None)
        return self._report_receipt(
            record_results(
                self.ledger,
                self.name,
                answers,
                key=key,
                repeated=repeated,
                protocol=self.protocol,
            )
        )

    def correct(
        self,
        data: Any,  # noqa: ANN401
        *,
        key: str | None = None,
        most_rows: int | None = None,
        **roles: Unpack[RoleArguments],
    ) -> CampaignStatus:
        """Correct results that were recorded wrongly; the old ones stay in the ledger."""
        answers, source, said = answers_of(data, roles, self.protocol, most_rows=most_rows)
        return self._report_receipt(
            record_correction(self.ledger, self.name, answers, key=key, source=source), said
        )

    def drop(self, system: str, *, reason: str = "") -> CampaignStatus:
        """Go on without a system."""
        return self._report_receipt(record_drop(self.ledger, self.name, system, reason=reason))

    def close(self, *, reason: str = "") -> CampaignStatus:
        """End the campaign now, decided or not."""
        return self._report_receipt(record_close(self.ledger, self.name, reason=reason))

    def status(self) -> CampaignStatus:
        """Say go on or stop, and why; counts that were changed behind its back are refused."""
        stored, totals = self.ledger.view(self.name, lambda view: (view.stored, view.totals()))
        load_progress(stored, totals=totals)
        return self._status(None)

    def next(self, *, most: int = 20) -> CampaignNext:
        """Say what to test next; at most ``most`` waiting items are listed."""
        stored = self.ledger.read(self.name)
        progress = self._progress(stored)
        waiting = self.ledger.waiting(self.name, most=most)
        return next_result(stored, progress, choose_next(progress), waiting)

    def history(self) -> CampaignHistory:
        """List every entry."""
        return history_result(self.name, self.protocol, self.ledger.entries(self.name))

    def simulate(
        self,
        rates: Sequence[float] | Mapping[str, float] | None = None,
        *,
        discordance: float | None = None,
        correlation: float = 0.5,
        campaigns: int | None = 400,
        rng: int = 0,
        tell: Callable[[str], None] | None = None,
    ) -> CampaignRule:
        """Say what the rule really does at true rates; at some usual ones unless given.

        ``campaigns=None`` simulates as many as take a few seconds; ``tell`` hears now and then
        how far a simulation is.
        """
        if campaigns is None:
            campaigns = usual_campaigns(self.protocol)
        return rule_result(
            self.protocol,
            rates,
            discordance=discordance,
            correlation=correlation,
            campaigns=campaigns,
            seed=check_seed(rng),
            tell=tell,
        )

    def verify(self, *, head: str | None = None) -> CampaignCheck:
        """Find everything in the ledger again; ``head`` is a hash that was noted down."""
        return check_result(
            self.name, self.protocol, check_ledger(self.ledger, self.name, head=head)
        )

    def as_of(self, entry: int) -> tuple[CampaignStatus, CampaignHistory]:
        """Say how the campaign stood after an entry, found again from the results until then."""

        def read(view: CampaignView) -> tuple[Stored, list[Entry], dict[int, list[ResultRow]]]:
            return view.stored, view.entries()[: entry + 1], view.rows(until=entry)

        stored, kept, rows = self.ledger.view(self.name, read)
        if len(kept) <= entry:
            message = f"{self.name} has {len(kept)} entries; there is none numbered {entry}."
            raise LedgerError(message, code="no-entry")
        stored = replace(stored, head=entry, head_hash=kept[-1].hash, last=kept[-1])
        progress = replay_entries(self.protocol, kept, rows).progress
        shown = [kept[place] for place in _places(entry)]
        status = status_result(stored, progress, shown)
        return status, history_result(self.name, self.protocol, kept)

    def export(self) -> str:
        """Write the whole campaign as JSON lines: protocol, entries and results in their order."""
        entries, rows = self.ledger.view(self.name, lambda view: (view.entries(), view.rows()))
        lines = [{"campaign": self.name, "protocol": json.loads(self.protocol.text)}]
        lines += [asdict(entry) for entry in entries]
        lines += [
            {
                "seq": seq,
                "item": row.item,
                "system": self.protocol.systems[row.system],
                "right" if self.protocol.numbers is None else "value": row.right,
                "replaces": row.replaces or None,
            }
            for seq, batch in rows.items()
            for row in batch
        ]
        return "".join(f"{json_text(line)}\n" for line in lines)

    def _report_receipt(self, receipt: Receipt, said: tuple[str, ...] = ()) -> CampaignStatus:
        told = f"Entry {receipt.seq} was there already: nothing was recorded twice."
        if not receipt.repeated:
            what = f": {counted(receipt.results, 'result')}" if receipt.results else ""
            told = f"Recorded as entry {receipt.seq}{what}."
        status = self._status(told, again=False)
        return replace(status, caveats=(*status.caveats, *said))

    def _status(self, told: str | None, *, again: bool = True) -> CampaignStatus:
        """Say how the campaign stands; those who reported together may be told the same."""
        with self._telling:
            stored = self.ledger.read(self.name)
            if again or self._told is None or self._told.head_hash != stored.head_hash:
                self._told = self._read_status(stored)
            return replace(self._told, recorded=told)

    def _read_status(self, stored: Stored) -> CampaignStatus:
        places = _places(stored.head)
        entries = self.ledger.entries(self.name, places=places) if places else []
        return status_result(stored, self._progress(stored), entries)

    def _progress(self, stored: Stored) -> Progress:
        return load_progress(stored) or self.ledger.view(self.name, current_progress)


def _places(head: int) -> list[int]:
    """Choose the entries whose looks are shown, the last among them."""
    step = max(1, -(-head // POINTS))
    return sorted({*range(head, 0, -step)})


def _default_name(where: str) -> str:
    path = file_of(where)
    if path is None:
        message = "A server holds many campaigns. Name this one: name='radar' (--name radar)."
        raise RequestError(message)
    return path.stem


def _only_name(ledger: Ledger) -> str:
    names = ledger.names()
    if len(names) == 1:
        return names[0]
    if not names:
        message = (
            f"{ledger.where} holds no campaign. Start one: steelyard campaign new {ledger.where} "
            '--systems a,b --stop "evidence >= 20 or n >= 1000"'
        )
        raise LedgerError(message, code="no-campaign")
    message = f"{ledger.where} holds several campaigns: {listing(names)}. Name one: name= (--name)."
    raise LedgerError(message, code="no-campaign")
