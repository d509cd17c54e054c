"""Renders mails to guests about their own sign-up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from frontdesk.core.ics import Method
from frontdesk.core.occasions import Tone
from frontdesk.core.words import ordinal
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.decide.seats import whole_event
from frontdesk.desks.rsvp.messages.context import EVERY, IN_LINE, LINK, MINE, GuestContext
from frontdesk.desks.rsvp.model import State
from frontdesk.engine.desk import Drop
from frontdesk.features.messages.kinds import MessageContent, MessageKind, message_kind
from frontdesk.values import replace

#: Tone and chip for each state of a guest.
SHOWN: Final = {
    State.PENDING: (Tone.WAITING, "Invitation"),
    State.CONFIRMED: (Tone.GOOD, "Confirmed"),
    State.WAITING: (Tone.WAITING, "In line"),
    State.OFFERED: (Tone.GOOD, "Held for you"),
    State.CANCELLED: (Tone.GONE, "Cancelled"),
}


def invitation(c: GuestContext) -> MessageContent | Drop:
    return _to_be_confirmed(c, "Invitation")


def please_confirm(c: GuestContext) -> MessageContent | Drop:
    return _to_be_confirmed(c, "Not confirmed yet")


def _to_be_confirmed(c: GuestContext, chip: str) -> MessageContent | Drop:
    if c.guest.state is not State.PENDING:
        return Drop("has answered already")
    if c.is_off or c.has_begun:
        return Drop("the event is over or called off")
    return c.says({"confirm_link": c.links.confirm()}, Tone.WAITING, chip)


def confirmed(c: GuestContext) -> MessageContent | Drop:
    if gone := not_coming(c):
        return gone
    seats = words.confirmed_seats(c.guest.party)
    content = c.says({"seats_line": seats, **c.mine}, Tone.GOOD, "Confirmed")
    return c.with_calendar(content, Method.REQUEST)


def not_coming(c: GuestContext) -> Drop | None:
    if c.is_off:
        return Drop("the event is called off")
    if c.guest.state is not State.CONFIRMED:
        return Drop("no longer coming")
    return None


def waiting(c: GuestContext) -> MessageContent | Drop:
    if c.is_off or c.has_begun:
        return Drop("the event is over or called off")
    if c.guest.state is not State.WAITING:
        return Drop("no longer in line")
    line = words.party_in_line(c.event, c.guest.party)
    return c.says(
        {"place": ordinal(c.place), "party_line": line, **c.mine}, Tone.WAITING, "In line"
    )


def cancelled(c: GuestContext) -> MessageContent | Drop:
    if c.guest.state is not State.CANCELLED:
        return Drop("back on the list")
    line = words.given_up(_state_before(c), c.guest.party)
    return _calendar_cancelled(c, c.says({"given_up": line}, Tone.GONE, "Cancelled"))


def removed(c: GuestContext) -> MessageContent | Drop:
    if c.guest.state is not State.CANCELLED:
        return Drop("back on the list")
    if c.has_begun:
        return Drop("the event has begun")
    line = words.taken_off_the_list(_state_before(c))
    if c.send.params.get("passed_on"):
        line = words.passed_on(c.guest.party)
    content = c.says({"taken_off": line}, Tone.GONE, "Off the list", to_people=True)
    return _calendar_cancelled(c, content)


def _state_before(c: GuestContext) -> State:
    return State(str(c.send.params["before"]))


def _calendar_cancelled(c: GuestContext, content: MessageContent) -> MessageContent:
    """Attach the cancelled calendar entry; only confirmed guests have one."""
    had_file = _state_before(c) is State.CONFIRMED
    return c.with_calendar(content, Method.CANCEL) if had_file else content


def party_changed(c: GuestContext) -> MessageContent | Drop:
    guest = c.guest
    if guest.state is State.CANCELLED or guest.party != c.send.params["party"]:
        return Drop("has changed again")
    line = words.party_now(c.event, guest, c.place, c.now)
    return c.says({"seats_line": line, **c.mine}, *SHOWN[guest.state])


def party_too_large(c: GuestContext) -> MessageContent | Drop:
    guest = c.guest
    if guest.party <= whole_event(c.event):
        return Drop("there are enough seats again")
    content = waiting(c)
    if isinstance(content, Drop):
        return content
    line = words.fewer_seats(c.event, guest.party)
    return replace(content, values={**content.values, "too_large": line})


KINDS: Final[Mapping[str, MessageKind]] = {
    "invitation": message_kind(
        invitation,
        "An invitation from the host's list",
        """
Subject: You're invited: {{ event }}

# You're invited.

{{ business }} would love to have you at {{ event }}. A seat becomes yours once you say yes.

{{ details }}

Answer the invitation:
{{ confirm_link }}
""",
        "confirm_link details",
        **EVERY,
        confirm_link=LINK,
    ),
    "please_confirm": message_kind(
        please_confirm,
        "Somebody signed up and has to confirm the address",
        """
Subject: Please confirm: {{ event }}

# One more step.

Somebody signed up for {{ event }} with this address. If it was you, please confirm it. \
Your seat is not held until you do.

{{ details }}

Confirm my address:
{{ confirm_link }}

If it wasn't you, there's nothing to do: you won't hear from us again.
""",
        "confirm_link",
        **EVERY,
        confirm_link=LINK,
    ),
    "confirmed": message_kind(
        confirmed,
        "A seat is confirmed",
        """
Subject: You're in: {{ event }}

# You're in.

{{ seats_line }} The calendar file is attached.

{{ details }}

See my ticket:
{{ manage_link }}

Can't make it after all? Give your seat back:
{{ cancel_link }}
""",
        "details cancel_link",
        **MINE,
        seats_line="Your seat is confirmed.",
    ),
    "waitlisted": message_kind(
        waiting,
        "Somebody has joined the line",
        """
Subject: You're {{ place }} in line: {{ event }}

# You're {{ place }} in line.

Every seat is taken or promised just now. When it's your turn, we'll hold a seat for you and \
write to you. Until then there's nothing you need to do.

{{ party_line }}

{{ details }}

See where I stand:
{{ manage_link }}

Changed your plans? Leave the line:
{{ cancel_link }}
""",
        "place cancel_link",
        **IN_LINE,
    ),
    "cancelled": message_kind(
        cancelled,
        "Somebody has cancelled",
        """
Subject: You've cancelled: {{ event }}

# You've cancelled.

{{ given_up }}

Changed your mind? Sign up again:
{{ event_link }}
""",
        **EVERY,
        given_up="Your seat is free for somebody else now. Thank you for telling us.",
    ),
    "removed": message_kind(
        removed,
        "The host has taken somebody off the list",
        """
Subject: You're no longer on the list: {{ event }}

# You're no longer on the list.

{{ taken_off }} If you think that this is a mistake, please answer this mail.
""",
        **EVERY,
        taken_off="The host has taken you off the guest list. Your seat has been given up.",
    ),
    "party_changed": message_kind(
        party_changed,
        "Somebody comes with fewer people",
        """
Subject: Your party has changed: {{ event }}

# Your party has changed.

{{ seats_line }}

{{ details }}

See where I stand:
{{ manage_link }}

Can't make it after all? Cancel:
{{ cancel_link }}
""",
        **MINE,
        seats_line="Your 2 seats are confirmed: you and 1 guest.",
    ),
    "party_too_large": message_kind(
        party_too_large,
        "The host has cut the seats below a party in line",
        """
Subject: Fewer seats than you asked for: {{ event }}

# There are fewer seats than you asked for.

{{ too_large }} We can't offer you so many. You can come with fewer and keep your place: \
you're {{ place }} in line.

Come with fewer:
{{ manage_link }}

Don't want to wait any more? Leave the line:
{{ cancel_link }}
""",
        "too_large manage_link",
        **IN_LINE,
        too_large="There are only 3 seats now, and you're waiting for 4.",
    ),
}
