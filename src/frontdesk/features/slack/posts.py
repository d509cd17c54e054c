"""What is said in Slack, job by job: each is done once Slack has taken it.

A job survives a crash and is tried again; what Slack does not take becomes a dead letter, which
staff see and can replay. The job of a request keeps the name of its message. Each message carries
the id of its job, so that one whose answer was lost is found and not said again. Where Slack does
not let us look, it may be there twice, and its buttons still do whatever they do once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import datetime, timedelta
from typing import Final

from frontdesk.connect.slack import Slack, SlackAway, escaped
from frontdesk.core.decision import Command
from frontdesk.core.jobs import Job
from frontdesk.core.localtime import zone
from frontdesk.desks.waitlist.facts import ProposalApproved, ProposalDiscarded, SlotHandedBack
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Proposal, ProposalId, ProposalStatus, Slot, SlotId
from frontdesk.desks.waitlist.slack import blocks
from frontdesk.desks.waitlist.story import Names
from frontdesk.desks.waitlist.story_words import opening_name
from frontdesk.desks.waitlist.words import handed_back
from frontdesk.engine.clock import Clock
from frontdesk.engine.ports import Reads
from frontdesk.features.slack.jobs import (
    FORGOTTEN,
    HANDED_BACK,
    REQUEST,
    SETTLED,
    UNREACHABLE,
)
from frontdesk.features.slack.news import NOTHING, SaidInSlack, SayInSlack
from frontdesk.frozen import frozen

#: Less than the first pause of a job.
REST: Final = timedelta(seconds=3)


@frozen
class Postroom:
    """Tells the channel."""

    slack: Slack
    clock: Clock
    reads: Callable[[], Reads]
    console_at: str
    _away: list[datetime] = field(default_factory=list)
    """When it was found to be away last."""

    @property
    def jobs(self) -> Mapping[str, Callable[[Job], Command]]:
        kinds = {
            REQUEST: self._request,
            SETTLED: self._settled,
            FORGOTTEN: self._forgotten,
            HANDED_BACK: self._handed_back,
            UNREACHABLE: self._unreachable,
        }
        return {kind: self._unless_away(say) for kind, say in kinds.items()}

    def _unless_away(self, say: Callable[[Job], Command]) -> Callable[[Job], Command]:
        """Whoever waits for Slack keeps other jobs waiting: for all messages it is asked once."""

        def tried(job: Job) -> Command:
            if self._away and self.clock.now() < self._away[-1] + REST:
                raise SlackAway("Slack was away a moment ago")
            try:
                return say(job)
            except SlackAway:
                self._away[:] = [self.clock.now()]
                raise

        return tried

    # --- requests ---------------------------------------------------------------------------

    def _request(self, job: Job) -> Command:
        """What is settled is not shown any more, unless it was and we did not hear so."""
        proposal = self._proposal(job.subject)
        if proposal is None or proposal.status is not ProposalStatus.OPEN:
            ts = self.slack.find(job.id)
        else:
            post = blocks.request(proposal, self._request_url(proposal))
            ts = self.slack.post(post, job.id)
        if not ts:
            return SaidInSlack(job.id)
        self._show_settled(job.subject, ts)
        return SaidInSlack(job.id, ts)

    def _settled(self, job: Job) -> Command:
        """A request that is still to be shown will be shown as it is then."""
        shown = self.reads().engine.job(SayInSlack(REQUEST, job.subject).job_id)
        if shown and shown.finished and shown.cursor != NOTHING:
            self._show_settled(job.subject, shown.cursor)
        return SaidInSlack(job.id)

    def _show_settled(self, proposal_id: str, ts: str) -> None:
        proposal = self._proposal(proposal_id)
        if proposal is None:
            self.slack.update(ts, blocks.forgotten())
        elif proposal.status is not ProposalStatus.OPEN:
            who = self.who_settled(proposal.id)
            self.slack.update(ts, blocks.settled(proposal, who, self._request_url(proposal)))

    def who_settled(self, proposal_id: ProposalId) -> str:
        """In Slack's markup: a person there, or a name that we know."""
        reads = self.reads()
        for recorded in reversed(waitlist(reads).facts(proposal_id)):
            if isinstance(recorded.fact, ProposalApproved | ProposalDiscarded):
                kind, _, user = recorded.by.partition(":")
                name = (
                    f"<@{user}>" if kind == "slack" else escaped(Names(reads).member(recorded.by))
                )
                return name or "Somebody"
        return "Somebody"

    def _proposal(self, proposal_id: str) -> Proposal | None:
        return waitlist(self.reads()).proposal(ProposalId(proposal_id))

    def _request_url(self, proposal: Proposal) -> str:
        return f"{self.console_at}/console/waitlist/requests/{proposal.id}"

    # --- people who were erased --------------------------------------------------------------

    def _forgotten(self, job: Job) -> Command:
        """What is still to be said will be said without them."""
        said = self.reads().engine.job(job.subject)
        if said and said.finished and said.cursor != NOTHING:
            self.slack.update(said.cursor, blocks.forgotten())
        return SaidInSlack(job.id)

    # --- slots ------------------------------------------------------------------------------

    def _handed_back(self, job: Job) -> Command:
        facts = waitlist(self.reads()).facts(job.subject)
        fact = next((each.fact for each in facts if isinstance(each.fact, SlotHandedBack)), None)
        if fact is None:
            return SaidInSlack(job.id)
        why = handed_back(fact.why, len(fact.tried))
        return self._of_slot(job, job.subject, f"is yours again. {why}")

    def _unreachable(self, job: Job) -> Command:
        slot_id, _, entry_id = job.subject.partition("/")
        name = Names(self.reads()).of_entry(entry_id)
        return self._of_slot(
            job, slot_id, f"could not be offered to {escaped(name)}: no message arrives."
        )

    def _of_slot(self, job: Job, slot_id: str, rest: str) -> Command:
        slot = waitlist(self.reads()).slot(SlotId(slot_id))
        if slot is None or slot.opening.starts_at <= self.clock.now():
            return SaidInSlack(job.id)
        url = f"{self.console_at}/console/waitlist/slots/{slot.id}"
        post = blocks.news(f"*{_name(slot)}* {rest}", "See the slot", url)
        return SaidInSlack(job.id, self.slack.post(post, job.id))


def _name(slot: Slot) -> str:
    return escaped(opening_name(slot.opening, zone(slot.rules.zone)))
