"""Renders mails to guests about offered seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from frontdesk.core.occasions import Tone
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.messages.context import EVERY, IN_LINE, LINK, GuestContext
from frontdesk.desks.rsvp.messages.guests import waiting
from frontdesk.desks.rsvp.model import State, open_until
from frontdesk.desks.rsvp.words import IN_MAIL
from frontdesk.engine.desk import Drop
from frontdesk.features.messages.kinds import MessageContent, MessageKind, message_kind
from frontdesk.values import replace


def offer(c: GuestContext) -> MessageContent | Drop:
    """Renders the guest's current live offer; drops it once it cannot be claimed."""
    guest, seq = c.guest, c.send.params.get("seq", c.guest.seq)
    if guest.state is not State.OFFERED or guest.seq != seq:
        return Drop("this offer has ended")
    ends_at = open_until(c.event, guest)
    if ends_at is None:
        return Drop("this offer is not live")
    if c.is_off or c.now >= ends_at:
        return Drop("this offer has passed on")
    return c.says(
        {
            "seats": words.seats(guest.party),
            "take": words.take_label(guest.party),
            "yours_until": words.offered(c.event, guest, c.now, IN_MAIL),
            "claim_link": c.links.offer(guest.seq),
            "decline_link": c.links.decline(guest.seq),
        },
        Tone.GOOD,
        "Held for you",
    )


def after_offer(c: GuestContext) -> MessageContent | Drop:
    content = waiting(c)
    if isinstance(content, Drop):
        return content
    left, party = c.event.seats, c.guest.party
    fits = (
        left.free >= party
        and left.owed > 0
        and c.ev.next_that_fits(c.event.id, left.round, left.free) is not None
    )
    went = words.after_offer(c.event, party, next_fits=fits)
    return replace(content, values={**content.values, "seat_now": went})


_AFTER_OFFER: Final = {**IN_LINE, "seat_now": "It goes to the next in line."}

KINDS: Final[Mapping[str, MessageKind]] = {
    "offer": message_kind(
        offer,
        "A freed seat is offered to the next in line",
        """
Subject: {{ seats }} for you: {{ event }}

# {{ yours_until }}

It's your turn in line. Nobody can take this from you until then; after that others can have it.

{{ details }}

{{ take }}:
{{ claim_link }}

Can't come this time? Pass it on:
{{ decline_link }}
""",
        "claim_link decline_link yours_until",
        **EVERY,
        seats="A seat",
        take="Take the seat",
        yours_until="This seat is yours until 16:00 today (SGT).",
        claim_link=LINK,
        decline_link=LINK,
    ),
    "offer_lapsed": message_kind(
        after_offer,
        "An offer was not taken in time",
        """
Subject: Your offer has ended: {{ event }}

# Your offer has ended.

We didn't hear from you in time. {{ seat_now }} You're still on the list: {{ place }} in line.

See where I stand:
{{ manage_link }}

Changed your plans? Leave the line:
{{ cancel_link }}
""",
        **_AFTER_OFFER,
    ),
    "offer_declined": message_kind(
        after_offer,
        "An offer was passed on",
        """
Subject: You've passed it on: {{ event }}

# Thank you for passing it on.

{{ seat_now }} You're still on the list: {{ place }} in line.

See where I stand:
{{ manage_link }}

Don't want to wait any more? Leave the line:
{{ cancel_link }}
""",
        **_AFTER_OFFER,
    ),
    "offer_withdrawn": message_kind(
        waiting,
        "There was no room left for an offer",
        """
Subject: Sorry, there is no room after all: {{ event }}

# Sorry, there is no room after all.

The host has had to cut the number of seats, and none was left when you answered. \
You've kept your place: you're {{ place }} in line.

See where I stand:
{{ manage_link }}
""",
        **IN_LINE,
    ),
    "offer_stopped": message_kind(
        after_offer,
        "The host took an offer back",
        """
Subject: The offer has ended: {{ event }}

# The host has taken the offer back.

{{ seat_now }} You've kept your place: you're {{ place }} in line, \
and we'll write to you if it's your turn again.

See where I stand:
{{ manage_link }}
""",
        **_AFTER_OFFER,
    ),
}
