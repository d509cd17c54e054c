"""How requests and news of slots look in Slack. What strangers wrote is shown as plain text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from frontdesk.connect.slack import Block, Post, escaped
from frontdesk.core.phones import shown as shown_number
from frontdesk.desks.waitlist.console.requests import FIELDS, NOT_THERE, SURE
from frontdesk.desks.waitlist.console.rows import COLUMNS, shown
from frontdesk.desks.waitlist.model import Proposal, ProposalStatus, ReadField

APPROVE: Final = "wl.approve"
EDIT: Final = "wl.edit"
DISCARD: Final = "wl.discard"
#: Slack takes no more in a field.
MOST_CHARACTERS: Final = 300


def request(proposal: Proposal, url: str) -> Post:
    """A request as it was read, with how sure we are of each part, and three buttons."""
    read = {one.name: one for one in proposal.fields}
    blocks: list[Block] = [
        {"type": "header", "text": _plain("A request for the waitlist")},
        {"type": "section", "fields": [_field(name, read.get(name)) for name in FIELDS]},
    ]
    if proposal.unread:
        blocks.append(_small("A part of it could not be read. Please look at the request."))
    blocks.append({"type": "actions", "elements": _buttons(proposal, url)})
    who = proposal.value("name") or proposal.sender or "Somebody"
    return Post(f"{escaped(_short(who))} asks for a place on the waitlist.", blocks)


def settled(proposal: Proposal, who: str, url: str) -> Post:
    """What became of it, and who said so. What they wrote goes: it is in the console."""
    name = escaped(_short(proposal.value("name") or "The request"))
    did = {
        ProposalStatus.APPROVED: f"*{name}* is on the waitlist. {who} approved the request.",
        ProposalStatus.DISCARDED: f"*{name}*: {who} discarded the request.",
        ProposalStatus.OPEN: f"*{name}*: the request is to be decided.",
    }[proposal.status]
    return news(did, "See the request", url)


def forgotten() -> Post:
    """Nothing of what they wrote is left, here as anywhere."""
    says = "This was about somebody who has asked to be forgotten."
    return Post(says, [_small(says)])


def news(sentence: str, label: str, url: str) -> Post:
    """`sentence` is in Slack's own markup."""
    linked = f"{sentence}\n<{url}|{label}>"
    return Post(sentence, [{"type": "section", "text": {"type": "mrkdwn", "text": linked}}])


def _field(name: str, read: ReadField | None) -> Mapping[str, Any]:
    label = COLUMNS[FIELDS[name]][1]
    if read is None or not read.value:
        return _plain(f"{label}\n{NOT_THERE.word}")
    value = shown_number(read.value) if name == "phone" else shown(FIELDS[name], read.value)
    return _plain(f"{label}\n{_short(value)} ({SURE.get(read.confidence, NOT_THERE).word})")


def _buttons(proposal: Proposal, url: str) -> list[Block]:
    sure = {
        "title": _plain("Discard this request?"),
        "text": _plain("They are not put on the list, and nobody is told. The mail is kept."),
        "confirm": _plain("Discard it"),
        "deny": _plain("Keep it"),
    }
    return [
        _button("Approve", APPROVE, value=proposal.id, style="primary"),
        _button("Edit", EDIT, url=url),
        _button("Discard", DISCARD, value=proposal.id, style="danger", confirm=sure),
    ]


def _button(label: str, action: str, **more: Any) -> Block:
    return {"type": "button", "text": _plain(label), "action_id": action, **more}


def _small(text: str) -> Block:
    return {"type": "context", "elements": [_plain(text)]}


def _plain(text: str) -> Mapping[str, Any]:
    return {"type": "plain_text", "text": text, "emoji": False}


def _short(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"
