"""The waitlist's messages in Slack: requests with their buttons, and news of slots."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final

from starlette.requests import Request

from frontdesk.channels.slack.client import Block, Post, escaped
from frontdesk.core.decision import Refused
from frontdesk.core.localtime import zone
from frontdesk.core.phones import shown as shown_number
from frontdesk.desks.waitlist.commands import ApproveProposal, DiscardProposal
from frontdesk.desks.waitlist.console.requests import FIELDS, REQUESTS, read_values
from frontdesk.desks.waitlist.console.rows import COLUMNS, cell_text, read_typed, refusal, schema_of
from frontdesk.desks.waitlist.facts import ProposalApproved, ProposalDiscarded, SlotHandedBack
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Lane, SlotId
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.slack.news import HANDED_BACK, REQUEST, UNREACHABLE
from frontdesk.desks.waitlist.story import EntryNames
from frontdesk.desks.waitlist.story_words import opening_name
from frontdesk.desks.waitlist.words import handed_back
from frontdesk.engine.ports import Reads
from frontdesk.engine.stories import member_name
from frontdesk.features.proposals.console import GIVEN, NOT_THERE, confidence_chip
from frontdesk.features.proposals.model import Proposal, ProposalId, ProposalStatus, ReadField
from frontdesk.features.slack.posts import (
    SlackMessage,
    button,
    news,
    plain,
    retraction,
    short,
    small,
)
from frontdesk.features.slack.webhook import Buttons, Press
from frontdesk.values import replace
from frontdesk.web.site import Site, site_of

APPROVE: Final = "wl.approve"
EDIT: Final = "wl.edit"
DISCARD: Final = "wl.discard"


def messages(console_at: str) -> Mapping[str, SlackMessage]:
    return {
        REQUEST: SlackMessage(partial(_request, console_at), partial(_settled, console_at)),
        HANDED_BACK: SlackMessage(partial(_handed_back, console_at)),
        UNREACHABLE: SlackMessage(partial(_unreachable, console_at)),
    }


# --- requests -------------------------------------------------------------------------------


def _request(console_at: str, reads: Reads, subject: str, _now: datetime) -> Post | None:
    """Shows what was read, with the confidence of each part, and three buttons."""
    proposal = waitlist(reads).proposal(ProposalId(subject))
    if proposal is None or proposal.status is not ProposalStatus.OPEN:
        return None
    read = {one.name: one for one in proposal.fields}
    blocks: list[Block] = [
        {"type": "header", "text": plain("A request for the waitlist")},
        {"type": "section", "fields": [_field(name, read.get(name)) for name in FIELDS]},
    ]
    if proposal.unread:
        blocks.append(small("A part of it could not be read. Please look at the request."))
    elements = _buttons(proposal, request_url(console_at, proposal))
    blocks.append({"type": "actions", "elements": elements})
    who = proposal.value("name") or proposal.sender or "Somebody"
    return Post(f"{escaped(short(who))} asks for a place on the waitlist.", blocks)


def _settled(console_at: str, reads: Reads, subject: str) -> Post | None:
    """Shows the outcome and who decided. Removes the text of the request, which the console still
    has."""
    proposal = waitlist(reads).proposal(ProposalId(subject))
    if proposal is None:
        return retraction()
    who, name = who_settled(reads, proposal.id), proposal.value("name") or "The request"
    match proposal.status:
        case ProposalStatus.OPEN:
            return None
        case ProposalStatus.APPROVED:
            did = f"*{escaped(short(name))}* is on the waitlist. {who} approved the request."
        case ProposalStatus.DISCARDED:
            did = f"*{escaped(short(name))}*: {who} discarded the request."
    return news(did, "See the request", request_url(console_at, proposal))


def who_settled(reads: Reads, proposal_id: ProposalId) -> str:
    """The Slack user or the member who settled the request, in Slack's markup."""
    for recorded in reversed(waitlist(reads).facts(proposal_id)):
        if isinstance(recorded.fact, ProposalApproved | ProposalDiscarded):
            kind, _, user = recorded.by.partition(":")
            name = f"<@{user}>" if kind == "slack" else escaped(member_name(reads, recorded.by))
            return name or "Somebody"
    return "Somebody"


def request_url(console_at: str, proposal: Proposal) -> str:
    return f"{console_at}{REQUESTS}/{proposal.id}"


def _field(name: str, read: ReadField | None) -> Mapping[str, Any]:
    label = COLUMNS[FIELDS[name]][1]
    if read is None or not read.value:
        return plain(f"{label}\n{NOT_THERE.word}")
    value = shown_number(read.value) if name == "phone" else cell_text(FIELDS[name], read.value)
    chip = confidence_chip(read)
    return plain(f"{label}\n{short(value)}" + ("" if chip is GIVEN else f" ({chip.word})"))


def _buttons(proposal: Proposal, url: str) -> list[Block]:
    sure = {
        "title": plain("Discard this request?"),
        "text": plain("They are not put on the list, and nobody is told. The mail is kept."),
        "confirm": plain("Discard it"),
        "deny": plain("Keep it"),
    }
    return [
        button("Approve", APPROVE, value=proposal.id, style="primary"),
        button("Edit", EDIT, url=url),
        button("Discard", DISCARD, value=proposal.id, style="danger", confirm=sure),
    ]


# --- slots ----------------------------------------------------------------------------------


def _handed_back(console_at: str, reads: Reads, slot_id: str, now: datetime) -> Post | None:
    facts = waitlist(reads).facts(slot_id)
    fact = next((each.fact for each in facts if isinstance(each.fact, SlotHandedBack)), None)
    if fact is None:
        return None
    why = handed_back(fact.why, len(fact.tried))
    return _of_slot(console_at, reads, slot_id, now, f"is handed back to you. {why}")


def _unreachable(console_at: str, reads: Reads, subject: str, now: datetime) -> Post | None:
    slot_id, _, entry_id = subject.partition("/")
    name = escaped(EntryNames(reads).of_entry(entry_id))
    rest = f"could not be offered to {name}: no message arrives."
    return _of_slot(console_at, reads, slot_id, now, rest)


def _of_slot(console_at: str, reads: Reads, slot_id: str, now: datetime, rest: str) -> Post | None:
    slot = waitlist(reads).slot(SlotId(slot_id))
    if slot is None or slot.opening.starts_at <= now:
        return None
    name = escaped(opening_name(slot.opening, zone(slot.rules.zone)))
    return news(
        f"*{name}* {rest}", "See the slot", f"{console_at}/console/waitlist/slots/{slot.id}"
    )


_GONE: Final = "This request is not there any more."


async def _approve(request: Request, press: Press) -> str:
    """Approves a request as it was read. If something is missing, staff complete it in
    the console."""
    site, schema = site_of(request), schema_of(request)
    proposal = waitlist(site.reads()).proposal(ProposalId(press.subject))
    if proposal is None or proposal.status is not ProposalStatus.OPEN:
        return _already_settled(site, press)
    typed = read_typed(read_values(proposal, schema.zone), schema)
    if typed.errors:
        return _not_approved(site, proposal, typed.errors)
    join = schema.join(
        typed.fields, entry_id=site.new_id(), person_id=site.new_id(), lane=Lane.INBOX
    )
    command = ApproveProposal(proposal.id, replace(join, joined_at=proposal.received_at))
    outcome = await site.run(command, by=press.by)
    if not isinstance(outcome, Refused):
        return ""
    if outcome.reason in (Reason.SETTLED, Reason.NO_SUCH_PROPOSAL):
        return _already_settled(site, press)
    return _not_approved(site, proposal, refusal(outcome.reason))


async def _discard(request: Request, press: Press) -> str:
    site = site_of(request)
    outcome = await site.run(DiscardProposal(ProposalId(press.subject)), by=press.by)
    return _already_settled(site, press) if isinstance(outcome, Refused) else ""


def _not_approved(site: Site, proposal: Proposal, errors: Mapping[str, str]) -> str:
    url = request_url(site.settings.console_at, proposal)
    why = " ".join(escaped(each) for each in errors.values())
    return f"They are not on the list yet. {why} <{url}|Put it right in the console>."


def _already_settled(site: Site, press: Press) -> str:
    proposal = waitlist(site.reads()).proposal(ProposalId(press.subject))
    if proposal is None or proposal.status is ProposalStatus.OPEN:
        return _GONE
    who = who_settled(site.reads(), proposal.id)
    if proposal.status is ProposalStatus.APPROVED:
        return f"{who} has approved it already: they are on the list. Nothing was changed."
    return f"{who} has discarded it already. Nothing was changed."


BUTTONS: Final[Buttons] = {APPROVE: _approve, DISCARD: _discard}
