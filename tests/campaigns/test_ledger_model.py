"""A ledger against the plainest model of it: a list of answers."""

import shutil
import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from steelyard.campaigns.checking import check_ledger
from steelyard.campaigns.ledger import Ledger
from steelyard.campaigns.looks import Progress
from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.recording import (
    Answer,
    record_close,
    record_correction,
    record_drop,
    record_results,
    start_campaign,
)
from steelyard.errors import LedgerError

SYSTEMS = ("a", "b", "c")
RULES = ("n >= 6", "best >= 0.8 or n >= 20", "racing or n >= 9", "wald-msrb(1.5, B) or n >= 9")
batches = st.dictionaries(
    st.tuples(st.integers(0, 11).map(str), st.sampled_from(SYSTEMS)),
    st.booleans(),
    min_size=1,
    max_size=9,
)


class LedgerMachine(RuleBasedStateMachine):
    """Whatever is added, sent again, corrected or dropped, the ledger holds what the list holds."""

    @initialize(rule=st.sampled_from(RULES), order=st.sampled_from(["random", "given"]))
    def begin(self, rule, order):
        self.folder = Path(tempfile.mkdtemp(prefix="steelyard-model-"))
        self.ledger = Ledger(str(self.folder / "l.db"), create=True)
        protocol = Protocol(systems=SYSTEMS, rule=rule, order=order, step=1)
        start_campaign(self.ledger, "x", protocol)
        self.answers = {}
        self.sent = []
        self.gone = set()
        self.racing = not rule.startswith(("n", "best"))

    @rule(batch=batches)
    def add(self, batch):
        answers = [Answer(item, system, right) for (item, system), right in batch.items()]
        before = self.ledger.read("x").head
        try:
            receipt = record_results(self.ledger, "x", answers)
        except LedgerError as error:
            there = [key for key in batch if key in self.answers]
            left = {system for _, system in batch} & self.gone
            assert (error.code == "item-counted" and there) or (
                error.code == "system-gone" and left
            )
            assert self.ledger.read("x").head == before
            return
        if not receipt.repeated:
            assert not set(batch) & set(self.answers)
            self.answers.update(batch)
            self.sent.append(answers)

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def send_again(self, data):
        answers = data.draw(st.sampled_from(self.sent))
        assert record_results(self.ledger, "x", answers).repeated

    @precondition(lambda self: self.answers)
    @rule(data=st.data())
    def correct(self, data):
        (item, system) = data.draw(st.sampled_from(sorted(self.answers)))
        right = not self.answers[item, system]
        key = f"c{self.ledger.read('x').head}"
        record_correction(self.ledger, "x", [Answer(item, system, right)], key=key)
        self.answers[item, system] = right

    @precondition(lambda self: len(self.gone) == 0)
    @rule(system=st.sampled_from(SYSTEMS))
    def drop(self, system):
        record_drop(self.ledger, "x", system)
        self.gone.add(system)

    @rule()
    def close(self):
        record_close(self.ledger, "x")

    @invariant()
    def the_ledger_holds_what_the_list_holds(self):
        stored = self.ledger.read("x")
        found = Progress.from_text(stored.protocol, stored.state)
        tested = Counter(system for _, system in self.answers)
        right = Counter(system for (_, system), was in self.answers.items() if was)
        assert found.all_tested == [tested[system] for system in SYSTEMS]
        assert found.all_correct == [right[system] for system in SYSTEMS]
        assert found.seen == len({item for item, _ in self.answers})
        needed = set(SYSTEMS) - self.gone
        if not self.racing:
            whole = [
                item
                for item in {item for item, _ in self.answers}
                if all((item, system) in self.answers for system in needed)
            ]
            assert found.n + found.after == len(whole)

    @invariant()
    def it_follows_from_its_entries(self):
        check = check_ledger(self.ledger, "x")
        assert check.bad is None, check

    def teardown(self):
        if hasattr(self, "ledger"):
            self.ledger.close()
            shutil.rmtree(self.folder)


LedgerMachine.TestCase.settings = settings(max_examples=20, stateful_step_count=12, deadline=None)
TestLedgerAgainstAList = LedgerMachine.TestCase
