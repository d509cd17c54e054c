"""Renders mails about the event itself, and answers to people who write to it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from frontdesk.core.ics import Method
from frontdesk.core.occasions import Tone
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.facts import EventCalledOff, GuestCancelled, GuestConfirmed
from frontdesk.desks.rsvp.messages import guests, offers
from frontdesk.desks.rsvp.messages.context import (
    A_MOMENT,
    CONSOLE_LINK,
    EVERY,
    LINK,
    LONG_AGO,
    MINE,
    GuestContext,
    HostContext,
    StrangerContext,
    details_before,
)
from frontdesk.desks.rsvp.messages.guests import SHOWN, not_coming
from frontdesk.desks.rsvp.model import State, open_until
from frontdesk.desks.rsvp.words import IN_MAIL
from frontdesk.engine.desk import Drop
from frontdesk.features.messages.kinds import MessageContent, MessageKind, message_kind
from frontdesk.values import replace


def reminder(c: GuestContext) -> MessageContent | Drop:
    if gone := not_coming(c):
        return gone
    if c.has_begun:
        return Drop("the event has begun")
    soon, seats = words.how_soon(c.event, c.now), words.confirmed_seats(c.guest.party)
    return c.says({"how_soon": soon, "seats_line": seats, **c.mine}, Tone.GOOD, "Confirmed")


def moved(c: GuestContext) -> MessageContent | Drop:
    guest, event = c.guest, c.event
    if guest.state is State.CANCELLED:
        return Drop("no longer on the list")
    if c.is_off or event.sequence != c.send.params["sequence"]:
        return Drop("has changed again")
    before = details_before(c.ev, event, c.now)
    links = c.mine
    if open_until(event, guest) is not None:
        links["manage_link"] = c.links.offer(guest.seq)
    content = c.says(
        {
            "changes": words.changed(before, event.details) or "Please look at the details again.",
            "still": words.what_stays(event, guest, c.place, c.now),
            **links,
        },
        Tone.WAITING,
        "Changed",
    )
    had_file = guest.state is State.CONFIRMED
    return c.with_calendar(content, Method.REQUEST) if had_file else content


def called_off(c: GuestContext) -> MessageContent | Drop:
    if not c.is_off:
        return Drop("the event takes place after all")
    facts = c.ev.facts_between(c.event.id, EventCalledOff.kind, LONG_AGO, c.now + A_MOMENT)
    said = [each.fact.words for each in facts if isinstance(each.fact, EventCalledOff)]
    content = c.says({"host_words": said[-1] if said else ""}, Tone.GONE, "Called off")
    had_file = c.send.params["state"] == State.CONFIRMED
    return c.with_calendar(content, Method.CANCEL) if had_file else content


def resent(c: GuestContext) -> MessageContent | Drop:
    """Renders the mail that fits the guest's current state, with new links."""
    match c.guest.state:
        case State.PENDING if c.guest.signed_up_themselves:
            content, kind = guests.please_confirm(c), "please_confirm"
        case State.PENDING:
            content, kind = guests.invitation(c), "invitation"
        case State.CONFIRMED:
            content, kind = guests.confirmed(c), "confirmed"
        case State.WAITING:
            content, kind = guests.waiting(c), "waitlisted"
        case State.OFFERED if c.guest.live:
            content, kind = offers.offer(c), "offer"
        case State.OFFERED:
            content, kind = status(c), "status"
        case State.CANCELLED:
            return Drop("no longer on the list")
    return content if isinstance(content, Drop) else replace(content, worded_as=kind)


def status(c: GuestContext) -> MessageContent:
    line = words.status_sentence(c.event, c.guest, c.place, c.now, IN_MAIL)
    return c.says({"standing": line, "manage_link": c.links.manage()}, *SHOWN[c.guest.state])


def cancel_check(c: GuestContext) -> MessageContent:
    if c.guest.state is State.CANCELLED:
        return replace(status(c), worded_as="status")
    line = words.status_sentence(c.event, c.guest, c.place, c.now, IN_MAIL)
    return c.says(
        {"standing": line, "cancel_link": c.links.cancel()}, Tone.WAITING, "Nothing has changed"
    )


def closed(c: StrangerContext) -> MessageContent:
    return c.says({"why_not": words.no_seats_because(c.event, c.now)}, Tone.GONE, "Closed")


def not_listed(c: StrangerContext) -> MessageContent:
    return c.says({}, Tone.WAITING, "Nothing has changed")


def thanks(c: GuestContext) -> MessageContent | Drop:
    if c.is_off or c.guest.state is not State.CONFIRMED:
        return Drop("was not there")
    if not c.event.thanks.strip():
        return Drop("there is nothing to say")
    content = c.says({"thanks": c.event.thanks}, to_people=True)
    return replace(content, unsubscribe_url=c.links.unsubscribe())


def headcount(c: HostContext) -> MessageContent | Drop:
    if c.is_off:
        return Drop("the event is called off")
    seats = c.event.seats
    cancelled_guests, _ = c.ev.counts(c.event.id).get(State.CANCELLED, (0, 0))
    coming = f"{seats.taken} of {seats.cap}"
    figures = (
        f"Taken: {coming}",
        f"On offer: {seats.offered}",
        f"Free: {max(seats.free, 0)}",
        f"In line: {seats.waiting}",
        f"Cancelled: {cancelled_guests}",
    )
    return c.says(
        {
            "coming": coming,
            "headline": f"{coming} seats are taken.",
            "figures": "\n".join(figures),
            "since": _since_yesterday(c),
            "console_link": c.console_link,
        },
        to_people=True,
    )


def _since_yesterday(c: HostContext) -> str:
    day = (c.now - timedelta(days=1), c.now)
    came = len(c.ev.facts_between(c.event.id, GuestConfirmed.kind, *day))
    left = len(c.ev.facts_between(c.event.id, GuestCancelled.kind, *day))
    if not came and not left:
        return "Nothing has changed since yesterday."
    return f"Since yesterday: {came} confirmed, {left} cancelled."


def thanks_drafted(c: HostContext) -> MessageContent | Drop:
    if c.event.thanks_sent:
        return Drop("has been sent already")
    return c.says({"thanks": c.event.thanks, "console_link": c.console_link}, to_people=True)


TO_GUESTS: Final[Mapping[str, MessageKind]] = {
    "reminder": message_kind(
        reminder,
        "A reminder before the event",
        """
Subject: {{ event }} is {{ how_soon }}

# {{ event }} is {{ how_soon }}.

{{ seats_line }} We look forward to seeing you.

{{ details }}

See my ticket:
{{ manage_link }}

Can't make it after all? Give your seat back:
{{ cancel_link }}
""",
        "details cancel_link",
        **MINE,
        how_soon="tomorrow",
        seats_line="Your seat is confirmed.",
    ),
    "moved": message_kind(
        moved,
        "The host has changed time, place or name",
        """
Subject: There's a change: {{ event }}

# There's a change.

{{ changes }}

{{ still }}

{{ details }}

See where I stand:
{{ manage_link }}

Doesn't suit you any more? Cancel:
{{ cancel_link }}
""",
        "details changes",
        **MINE,
        changes="It's now at 5 Keong Saik Road. It was 1 Duxton Hill.",
        still="Your seat is still yours.",
    ),
    "called_off": message_kind(
        called_off,
        "The host has called the event off",
        """
Subject: Called off: {{ event }}

# {{ event }} is called off.

We're sorry. There's nothing you need to do.

{{ host_words }}

{{ details }}
""",
        **EVERY,
        host_words="The kitchen is closed after a burst pipe.",
    ),
    "resent": MessageKind(resent),
    "status": message_kind(
        status,
        "The answer to a mail from a guest who is on the list already",
        """
Subject: {{ event }}: where you stand

# {{ standing }}

You wrote to us about {{ event }}, so here is where you stand.

{{ details }}

See where I stand:
{{ manage_link }}
""",
        "standing",
        **EVERY,
        standing="You're in.",
        manage_link=LINK,
    ),
    "cancel_check": message_kind(
        cancel_check,
        "An answer to a mail that asks to cancel and may be somebody else's",
        """
Subject: Do you want to cancel? {{ event }}

# Do you want to cancel?

A mail from your address asks us to cancel. We can't be sure that it came from you, \
so nothing has changed yet.

{{ details }}

Yes, cancel:
{{ cancel_link }}

If it wasn't you, there's nothing to do.
""",
        "cancel_link",
        **EVERY,
        standing="You're in.",
        cancel_link=f"{LINK}?do=cancel",
    ),
    "thanks": message_kind(
        thanks,
        "Thanks after the event",
        """
Subject: Thank you for coming: {{ event }}

{{ thanks }}
""",
        "thanks",
        **EVERY,
        thanks="Thank you for coming.\n\nIt was lovely to have you here.",
    ),
}

TO_STRANGERS: Final[Mapping[str, MessageKind]] = {
    "closed": message_kind(
        closed,
        "The answer to a sign-up by mail that comes too late",
        """
Subject: No seat this time: {{ event }}

# {{ why_not }}

Thank you for writing. It is too late to sign up, so we haven't put you on the list.

{{ details }}
""",
        **EVERY,
        why_not="This event has begun.",
    ),
    "not_listed": message_kind(
        not_listed,
        "The answer to a cancellation from somebody who is not on the list",
        """
Subject: You're not on the list: {{ event }}

# You're not on the list.

You asked us to cancel, but nobody with your address is on the list. \
If you signed up with another address, please write from that one.

{{ details }}
""",
        **EVERY,
    ),
}

TO_HOSTS: Final[Mapping[str, MessageKind]] = {
    "headcount": message_kind(
        headcount,
        "The daily headcount, to the hosts",
        """
Subject: {{ coming }} seats taken: {{ event }}

# {{ headline }}

{{ figures }}

{{ since }}

{{ details }}

Open the guest list:
{{ console_link }}
""",
        **EVERY,
        coming="38 of 40",
        headline="38 of 40 seats are taken.",
        figures="38 seats taken, 1 on offer, 1 free. 3 guests in line.",
        since="Since yesterday: 2 came in, 1 cancelled.",
        console_link=CONSOLE_LINK,
    ),
    "thanks_drafted": message_kind(
        thanks_drafted,
        "The thank-you note is ready to be edited and sent, to the hosts",
        """
Subject: A thank-you note for you to send: {{ event }}

# Your thank-you note is ready.

It goes to everyone who was coming, once you've read it and pressed send. This is the draft:

{{ thanks }}

Edit and send:
{{ console_link }}
""",
        "console_link",
        **EVERY,
        thanks="Thank you for coming.",
        console_link=CONSOLE_LINK,
    ),
}
