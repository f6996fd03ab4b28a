"""May I stop testing now? A campaign that remembers, from opening its ledger to its answers."""

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Self, SupportsIndex, Unpack

from steelyard.campaigns.checking import check_ledger
from steelyard.campaigns.ledger import Entry, Ledger, Receipt, ResultRow, Stored
from steelyard.campaigns.ledger.connecting import file_of
from steelyard.campaigns.ledger.queries import CampaignView
from steelyard.campaigns.looks import Progress
from steelyard.campaigns.next_test import choose_next
from steelyard.campaigns.protocol import Order, Protocol
from steelyard.campaigns.recording import (
    Answer,
    Repeated,
    record_close,
    record_correction,
    record_drop,
    record_results,
    start_campaign,
)
from steelyard.campaigns.replay import current_progress, load_progress, replay_entries
from steelyard.campaigns.rules.claims import Stream, give_streams_to_claims, streams_of
from steelyard.campaigns.rules.companions import Companion
from steelyard.campaigns.rules.grammar import parse_rule
from steelyard.campaigns.rules.numbers import NumberScale
from steelyard.campaigns.simulation.simulation import usual_campaigns
from steelyard.counts.labels import check_names
from steelyard.counts.trials import Pairing
from steelyard.display.interchange import json_text
from steelyard.errors import (
    LedgerError,
    NotComparable,
    RequestError,
    counted,
    listing,
    printable,
    switch,
)
from steelyard.journey.campaigns.answers import (
    check_result,
    history_result,
    next_result,
    rule_result,
    status_result,
)
from steelyard.journey.declared_roles import settle_roles
from steelyard.journey.opening import RoleArguments, check_seed, open_data
from steelyard.measures.tables.shares import declare_share
from steelyard.results.campaign.data import CampaignStatus
from steelyard.results.campaign.records import (
    CampaignCheck,
    CampaignHistory,
    CampaignNext,
    CampaignRule,
)
from steelyard.sources import Predictions, System

__all__ = ["Campaign", "answers_of", "answers_of_records"]

# --- from whatever a user has in hand to single answers: item, system, right or wrong ------------


RECORD = ("item", "system", "right")
HOLDINGS = {"called": "calls", "outcome": "right and wrong", "score": "scores", "value": "numbers",
            "vector": "a number for each class"}  # fmt: skip
NUMBER_RECORD = ("item", "system", "value")


def answers_of(
    data: Any,  # noqa: ANN401
    roles: RoleArguments,
    protocol: Protocol,
    *,
    most_rows: int | None = None,
) -> tuple[list[Answer], str, tuple[str, ...]]:
    """Read a batch; say what it was read from, and which columns are not looked at."""
    streams, beside = streams_of(protocol.parsed), protocol.companion
    known = tuple(dict.fromkeys(one.system for one in streams.values())) or protocol.competitors
    given = _roles_by_rule(data, roles, protocol, streams, known)
    predictions = open_data(data, given, open_classes=True, known_systems=known)
    if most_rows is not None and predictions.rows > most_rows:
        message = (
            f"{predictions.rows:,d} rows are more than the {most_rows:,d} that the page takes. "
            "Use steelyard campaign add, or start with --most-rows."
        )
        raise RequestError(message, code="too-many-rows")
    _check(predictions, protocol, streams)
    said = (*settle_roles("campaign", predictions), *_absent_classes(predictions, streams, beside))
    source = ", ".join(f"{file.name} ({file.sha256()[:8]})" for file in predictions.files)
    if streams:
        answers = _stream_answers(predictions, streams)
    elif protocol.numbers is None:
        answers = _answers(predictions)
    else:
        answers = _numbers(predictions, beside)
    return list(answers), source, said


def _roles_by_rule(
    data: Any,  # noqa: ANN401
    roles: RoleArguments,
    protocol: Protocol,
    streams: Mapping[str, Stream],
    known: Sequence[str],
) -> RoleArguments:
    """Take from the rule which columns are read, and as what, where that is not said."""
    given: RoleArguments = {**roles}
    if given.get("missing") is None:
        given["missing"] = "exclude"  # an empty cell: not answered yet, so the item waits
    if protocol.pairing == "independent" and given.get("pairing") is None and not streams:
        given["pairing"] = _own_items(data, given)
    beside = protocol.companion
    named = streams or (beside is not None and beside.kind == "class")
    if named and not any(map(given.get, ("systems", "system", "score"))):
        given["systems"] = list(known)
    # A small batch need not hold every class: what counts is right or wrong.
    held = ("value", "errors", "per", "outcome", "called", "score", "vector", "system")
    areas = {one.of for one in streams.values() if one.area}
    if beside is not None and beside.kind == "class":
        areas = {beside.of}
    elif protocol.numbers is not None and not streams and not any(map(given.get, held)):
        given["value" if beside is None else "errors"] = list(known)
    if beside is not None and beside.kind == "per" and given.get("per") is None:
        given["per"] = beside.of
    if len(areas) == 1 and given.get("positive") is None:
        given["positive"] = areas.pop()
    return given


def answers_of_records(
    records: Iterable[Mapping[str, Any]], *, numbers: bool = False
) -> list[Answer]:
    """Take results as a rig sends them: right or wrong, or ``numbers`` as ``value``.

    >>> answers_of_records([{"item": 7, "system": "cnn", "right": True}])
    [Answer(item='7', system='cnn', right=True)]
    """
    answers = []
    given: Iterable[Any] = records
    for number, record in enumerate(given, start=1):
        if numbers:
            answers.append(_number_record(number, record))
            continue
        if not isinstance(record, Mapping) or set(record) != set(RECORD):
            message = (
                f"Result {number} is {record!r}; expected exactly item, system and right, such as "
                '{"item": "7", "system": "cnn", "right": true}.'
            )
            raise LedgerError(message, code="record")
        for name in ("item", "system"):
            _check_text(number, name, record[name])
        right = record["right"]
        if not isinstance(right, bool) and right not in (0, 1):
            message = f"Result {number} has right={right!r}; expected true or false."
            raise LedgerError(message, code="record")
        answers.append(Answer(str(record["item"]), str(record["system"]), bool(right)))
    return answers


def _number_record(number: int, record: Any) -> Answer:  # noqa: ANN401
    if not isinstance(record, Mapping) or set(record) != set(NUMBER_RECORD):
        message = (
            f"Result {number} is {record!r}; expected exactly item, system and value, such as "
            '{"item": "7", "system": "cnn", "value": 3.5}.'
        )
        raise LedgerError(message, code="record")
    for name in ("item", "system"):
        _check_text(number, name, record[name])
    value = record["value"]
    if isinstance(value, bool) or not isinstance(value, int | float):
        message = f"Result {number} has value={value!r}; expected a number."
        raise LedgerError(message, code="record")
    return Answer(str(record["item"]), str(record["system"]), float(value))


def _check_text(number: int, name: str, given: Any) -> None:  # noqa: ANN401
    """Refuse what would only become a name by accident, such as null or a list."""
    whole = isinstance(given, SupportsIndex) and not isinstance(given, bool)
    if not (isinstance(given, str) or (whole and name == "item")):
        message = f"Result {number} has {name}={given!r}; expected a text."
        raise LedgerError(message, code="record")


def _own_items(data: Any, roles: RoleArguments) -> str | None:  # noqa: ANN401
    """Say that items are independent only where more than one system is read."""
    one_file = isinstance(data, Mapping) and len(data) == 1
    named = roles.get("systems")
    alone = named is not None and not isinstance(named, str) and len(named) == 1
    return None if one_file or alone or isinstance(named, str) else "independent"


def _check(predictions: Predictions, protocol: Protocol, streams: Mapping[str, Stream]) -> None:
    if "item" not in predictions.table.columns:
        message = (
            "A campaign knows items by their ids, and there is no column of them. Name it: "
            f"{switch('item', 'COLUMN')}."
        )
        raise RequestError(message, code="no-item")
    if any(one.area for one in streams.values()):
        return
    beside = protocol.companion
    if beside is not None and beside.kind == "class":
        for system in predictions.systems:
            _check_scores(predictions, system, f"The rule of this campaign ({beside.what})",
                          beside.of)  # fmt: skip
        return
    if protocol.numbers is not None:
        _check_numbers(predictions, protocol.numbers)
        return
    if predictions.values is not None:
        message = (
            "The rule of this campaign is about right and wrong answers, and these systems hold a "
            "number for each item. Start a campaign whose rule is about numbers, such as "
            "'betting(1, 5) >= 20 or n >= 1000' for grades from 1 to 5."
        )
        raise NotComparable(message, code="values")
    if len(predictions.with_answers()) < len(predictions.systems):
        message = (
            "A campaign counts right and wrong answers, and some systems give scores only. "
            f"{switch('threshold', '0.5')} turns scores into calls."
        )
        raise NotComparable(message, code="mixed-holdings")


def _check_numbers(predictions: Predictions, numbers: NumberScale) -> None:
    """Refuse what is no number for each item, or would be better the other way round."""
    scale, beside = predictions.values, numbers.companion
    if scale is None or any(one.judge for one in predictions.systems):
        message = (
            "The rule of this campaign is about a number for each item. Name the columns that hold "
            f"them: {switch('value', 'a,b')}; judges have no sequence here."
        )
        raise NotComparable(message, code="values")
    if beside is None and scale.per is not None:
        message = (
            f"The rule of this campaign is about a number for each item, and these are "
            f"{printable(scale.name)} per {printable(scale.per)}. Start a campaign whose rule says "
            f"so: asymptotic(400, lower, '{printable(scale.name)} per {printable(scale.per)}') or "
            "n >= 1000."
        )
        raise NotComparable(message, code="values")
    if beside is not None and scale.per is None:
        message = (
            f"The rule of this campaign is about {beside.what}. Name both: "
            f"{switch('errors', 'a.errors,b.errors')} {switch('per', beside.of)}."
        )
        raise NotComparable(message, code="values")
    wanted = None if numbers.lower is None else "lower" if numbers.lower else "higher"
    if wanted and scale.better is not None and scale.better != wanted:
        message = (
            f"The rule of this campaign takes a {wanted} number for better, and of "
            f"{printable(scale.name)} a {scale.better} one is ({scale.known_by}). Say it in the "
            "rule of a new campaign, such as 'betting(0, 60, lower) >= 20'."
        )
        raise NotComparable(message, code="better-unknown")


def _numbers(predictions: Predictions, beside: Companion | None) -> Iterator[Answer]:
    """Give every system its number on every item, and what comes with the item after them."""
    facts: list[str] = []
    if beside is not None:
        facts = ["positive"] if beside.kind == "class" else [one.per for one in predictions.systems]
    asked = ", ".join(["item", *(one.column for one in predictions.systems), *facts])
    for item, *found in predictions.table.query(f"SELECT {asked} FROM {{t}}"):
        for one, value in zip(predictions.systems, found, strict=False):
            if value is not None:
                yield Answer(str(item), one.name, float(value))
        known = {float(one) for one in found[len(predictions.systems) :] if one is not None}
        if beside is not None and len(known) > 1:
            several = listing([f"{one:g}" for one in sorted(known)])
            message = (
                f"Item {printable(str(item))!r} has {several} {beside.of}, each for another "
                f"system. A campaign about {beside.what} follows systems on the same ones."
            )
            raise NotComparable(message, code="values")
        if beside is not None:
            yield from (Answer(str(item), beside.name, one) for one in known)


def _answers(predictions: Predictions) -> Iterator[Answer]:
    systems = predictions.with_answers()
    asked = ", ".join(
        f"CASE WHEN {one.column} IS NULL THEN NULL ELSE {one.outcome_sql()} END" for one in systems
    )
    for item, *found in predictions.table.query(f"SELECT item, {asked} FROM {{t}}"):
        for one, right in zip(systems, found, strict=True):
            if right is not None:
                yield Answer(str(item), one.name, bool(right))


def _stream_answers(predictions: Predictions, streams: Mapping[str, Stream]) -> Iterator[Answer]:
    """Give every stream the items that it is about, each won or not."""
    for name, stream in streams.items():
        system = predictions.system(stream.system)
        if stream.area:
            yield from _score_answers(predictions, system, name, stream)
            continue
        if system.holds not in ("called", "vector") or "truth" not in predictions.table.columns:
            message = (
                f"{name} needs the true class and the called one of every item, and {system.name} "
                f"holds {HOLDINGS[system.holds]}. Give both, or report the items that it is about, "
                "right or wrong, under its name."
            )
            raise NotComparable(message, code="claim")
        wanted = predictions.positive if stream.events else stream.of
        if wanted is None:
            message = (
                f"{name}: false alarms of which class? Name it: {switch('positive', 'CLASS')}."
            )
            raise RequestError(message, code="no-positive")
        share = None if stream.events else declare_share(stream.measure, stream.of)
        rows = predictions.table.query(
            f"SELECT item, CAST(truth AS VARCHAR), CAST({system.column} AS VARCHAR) FROM {{t}} "
            f"WHERE {system.column} IS NOT NULL"
        )
        for item, truth, called in rows:
            if share is None:  # every item is watched; a false alarm is a call without its class
                yield Answer(str(item), name, called == wanted and truth != wanted)
            elif share.among(truth, called):
                yield Answer(str(item), name, share.won(truth, called))


def _absent_classes(
    predictions: Predictions, streams: Mapping[str, Stream], beside: Companion | None
) -> list[str]:
    """Say which claimed classes are true of no item: a batch without them, or a misspelling."""
    if "truth" not in predictions.table.columns:
        return []
    rows = predictions.table.query("SELECT DISTINCT CAST(truth AS VARCHAR) FROM {t}")
    true = sorted(str(one) for (one,) in rows if one is not None)
    wanted = dict.fromkeys(one.of for one in streams.values() if one.of is not None)
    if beside is not None and beside.kind == "class":
        wanted[beside.of] = None
    return [
        f"no item of this batch is of class {printable(of)}, which the rule is about; its classes: "
        f"{listing(true)}"
        for of in wanted
        if of not in true
    ]


def _score_answers(
    predictions: Predictions, system: System, name: str, stream: Stream
) -> Iterator[Answer]:
    """Give the scores of the class, or of the others, to the stream that is about them."""
    _check_scores(predictions, system, name, str(stream.of))
    rows = predictions.table.query(
        f"SELECT item, positive, {system.column} FROM {{t}} WHERE {system.column} IS NOT NULL"
    )
    for item, positive, score in rows:
        if bool(positive) is not stream.others:
            yield Answer(str(item), name, float(score))


def _check_scores(predictions: Predictions, system: System, who: str, of: str) -> None:
    if system.holds != "score":
        message = (
            f"{who} needs a score of every item, and {system.name} holds "
            f"{HOLDINGS[system.holds]}. Name the columns of scores: {switch('score', system.name)}."
        )
        raise NotComparable(message, code="claim")
    if predictions.positive != of:
        message = (
            f"{who} needs scores that are high for {of}, and these are read as those of "
            f"{predictions.positive}. Name the class: {switch('positive', of)}."
        )
        raise NotComparable(message, code="claim")


# --- may I stop testing now? A campaign that remembers, from opening its ledger to its answers ---


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
