"""Messages about requests: proposed times to the customer, drafts and forwarded mail to staff."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from frontdesk.core.localtime import spoken_deadline, zone
from frontdesk.core.messages import Attachment
from frontdesk.core.occasions import Tone
from frontdesk.desks.booking.lanes import DIRECT_LANE, value_of, wish_in
from frontdesk.desks.booking.links import ProposalLinks
from frontdesk.desks.booking.load import booking_reads, proposal_holds
from frontdesk.desks.booking.messages.context import CONSOLE_LINK, SAMPLE, BookingContext
from frontdesk.desks.booking.model import BookingRequest, RequestStatus
from frontdesk.desks.booking.wish_wording import suits
from frontdesk.engine.desk import Drop
from frontdesk.features.messages.kinds import MessageContent, MessageKind, message_kind
from frontdesk.features.messages.samples import SAMPLE_LINK

LANE_HEADER: Final = ("X-Assistant-Lane", "direct")
#: A larger mail is not attached: mail servers would refuse it.
MOST_ATTACHED: Final = 7_000_000
_PLACES: Final = (1, 2, 3)


def proposals(c: BookingContext) -> MessageContent | Drop:
    """Proposes times to the customer, always by mail. Drops proposals that are not the latest."""
    request = c.request
    if request is None or request.status is not RequestStatus.OPEN:
        return Drop("is settled")
    if request.version != c.send.params["version"]:
        return Drop("other times were proposed since")
    first = request.proposed[0]
    staff = c.rules.resource(value_of(request.fields, "resource"))
    return MessageContent(
        {
            "service": first.service,
            "with_staff": f"with {staff.name}" if staff else "",
            "nearest": _nearest(c, request),
            "held": _held(c, request),
            "book_link": f"{c.sender.pages_url}/book",
            **_times(c, request),
        },
        Tone.WAITING,
        "Please choose",
        reason="You get this mail because you asked us for an appointment.",
        reply_to=c.mail.reply_to(c.send.id),
        answers=c.mail.answering(c.reads, request.mail_id) if request.mail_id else None,
        mail_only=True,
    )


def _nearest(c: BookingContext, request: BookingRequest) -> str:
    """Says whether some or all of the times differ from the wish; empty if none do."""
    wish = wish_in(request.fields)
    suited = [suits(wish, one.starts_at, c.rules) for one in request.proposed]
    if all(suited):
        return ""
    if any(suited):
        return "Not all of them are when you asked: the others are the closest ones."
    return "Nothing is free when you asked: these are the closest times."


def _held(c: BookingContext, request: BookingRequest) -> str:
    """Says how long all of the times are held."""
    ends = [one.until for one in proposal_holds(booking_reads(c.reads), request)]
    if len(ends) < len(request.proposed) or min(ends) <= c.now:
        return "They are not held for you, so choose soon."
    deadline = spoken_deadline(min(ends), c.now, zone(c.rules.zone))
    return f"We hold them for you {deadline}."


def _times(c: BookingContext, request: BookingRequest) -> dict[str, str]:
    links = ProposalLinks(c.sender.links_url, c.sender.keys)
    found: dict[str, str] = {}
    for place, one in zip(_PLACES, request.proposed, strict=False):
        found[f"time_{place}"] = c.when(one.starts_at)
        found[f"time_{place}_link"] = links.time(request, one.starts_at, c.person.contact_version)
    return found


def request_to_check(c: BookingContext) -> MessageContent | Drop:
    """Tells staff about a draft. Does not quote the request: a stranger wrote it."""
    if c.request is None or c.request.status is not RequestStatus.DRAFT:
        return Drop("is decided")
    return _to_team(c, c.request, Tone.WAITING)


def forwarded(c: BookingContext) -> MessageContent | Drop:
    """Forwards a mail unread, as an attachment. An answer goes to its sender."""
    request = c.request
    if request is None:
        return Drop("there is no such request any more")
    raw = c.reads.engine.raw_mail(request.mail_id)
    if raw is None or not request.sender:
        return Drop("the mail is gone")
    is_small = len(raw.raw) <= MOST_ATTACHED
    content = _to_team(c, request, Tone.GOOD)
    return MessageContent(
        {
            **content.values,
            "sender": request.sender,
            "mail_link": f"{c.sender.console_url}/console/messages/in/{request.mail_id}",
            "attached": "Their mail is attached."
            if is_small
            else "Their mail is too large to attach.",
        },
        content.tone,
        reason=content.reason,
        reply_to=request.sender,
        to_email=c.reads.engine.setting(DIRECT_LANE).forward_to,
        headers=(LANE_HEADER,),
        attached=(Attachment("original.eml", "message/rfc822", raw.raw),) if is_small else (),
        mail_only=True,
    )


def _to_team(c: BookingContext, request: BookingRequest, tone: Tone) -> MessageContent:
    return MessageContent(
        {"console_link": f"{c.sender.console_url}/console/bookings/requests/{request.id}"},
        tone,
        reason=f"You get this mail because you are in the team of {c.sender.business}.",
    )


_TIMES: Final = {
    "time_1": "Tuesday 17 November, 15:00 (SGT)",
    "time_1_link": SAMPLE_LINK,
    "time_2": "Thursday 19 November, 10:00 (SGT)",
    "time_2_link": SAMPLE_LINK,
    "time_3": "Friday 20 November, 09:00 (SGT)",
    "time_3_link": SAMPLE_LINK,
}

CUSTOMER_KINDS: Final[Mapping[str, MessageKind]] = {
    "proposals": message_kind(
        proposals,
        "Times for a request by mail",
        """
Subject: Times for your appointment: {{ service }}

# Which time suits you?

{{ name }}, these times are free for {{ service }} {{ with_staff }}. {{ nearest }}
Choose one, or just answer this mail. {{ held }}

{{ time_1 }}:
{{ time_1_link }}

{{ time_2 }}:
{{ time_2_link }}

{{ time_3 }}:
{{ time_3_link }}

None of these suits me:
{{ book_link }}
""",
        "time_1_link",
        **SAMPLE,
        **_TIMES,
        nearest="Not all of them are when you asked: the others are the closest ones.",
        held="They are not held for you, so choose soon.",
        book_link="https://salon.example/book",
    )
}
STAFF_KINDS: Final[Mapping[str, MessageKind]] = {
    "request_to_check": message_kind(
        request_to_check,
        "A request by mail needs a look",
        """
Subject: Please check a booking request

# A booking request needs a look.

It came by mail or from the booking page, and we are not sure that we read it right. Nobody has
been answered yet.

Check it:
{{ console_link }}
""",
        "console_link",
        business=SAMPLE["business"],
        name=SAMPLE["name"],
        console_link=CONSOLE_LINK,
    ),
    "forwarded": message_kind(
        forwarded,
        "A mail from your direct senders",
        """
Subject: Mail from {{ sender }}

{{ sender }} is one of your direct senders, so nobody has read or answered this mail. {{ attached }}
Your answer goes to them.

See it in the console:
{{ mail_link }}
""",
        "sender",
        business=SAMPLE["business"],
        name=SAMPLE["name"],
        console_link=CONSOLE_LINK,
        mail_link=CONSOLE_LINK,
        sender="supplier@example.org",
        attached="Their mail is attached.",
    ),
}
