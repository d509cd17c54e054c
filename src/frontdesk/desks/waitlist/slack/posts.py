"""The waitlist's messages in Slack: requests with their buttons, and news of slots."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final

from frontdesk.channels.slack.client import Block, Post, escaped
from frontdesk.core.localtime import zone
from frontdesk.core.phones import shown as shown_number
from frontdesk.desks.waitlist.console.requests import FIELDS, REQUESTS
from frontdesk.desks.waitlist.console.rows import COLUMNS, shown
from frontdesk.desks.waitlist.facts import ProposalApproved, ProposalDiscarded, SlotHandedBack
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import SlotId
from frontdesk.desks.waitlist.slack.news import HANDED_BACK, REQUEST, UNREACHABLE
from frontdesk.desks.waitlist.story import EntryNames
from frontdesk.desks.waitlist.story_words import opening_name
from frontdesk.desks.waitlist.words import handed_back
from frontdesk.engine.ports import Reads
from frontdesk.engine.stories import member_name
from frontdesk.features.proposals.console import NOT_THERE, SURE
from frontdesk.features.proposals.model import Proposal, ProposalId, ProposalStatus, ReadField
from frontdesk.features.slack.blocks import button, forgotten, news, plain, short, small
from frontdesk.features.slack.posts import Message

APPROVE: Final = "wl.approve"
EDIT: Final = "wl.edit"
DISCARD: Final = "wl.discard"


def messages(console_at: str) -> Mapping[str, Message]:
    return {
        REQUEST: Message(partial(_request, console_at), partial(_settled, console_at)),
        HANDED_BACK: Message(partial(_handed_back, console_at)),
        UNREACHABLE: Message(partial(_unreachable, console_at)),
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
    """Shows the outcome and who decided. Removes the text of the request: the console has it."""
    proposal = waitlist(reads).proposal(ProposalId(subject))
    if proposal is None:
        return forgotten()
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
    """The Slack user or the member who settled it, in Slack's markup."""
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
    value = shown_number(read.value) if name == "phone" else shown(FIELDS[name], read.value)
    return plain(f"{label}\n{short(value)} ({SURE.get(read.confidence, NOT_THERE).word})")


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
