"""Every mail of this desk: when it is sent, what can be said in it, and what must be."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from frontdesk.core.wording import MailKind

_EVERY: Final = {
    "name": "Ann Lee",
    "business": "The Long Table",
    "event": "Supper Club",
    "when": "Friday 20 November 2026, 18:00 to 21:00 (SGT)",
    "where": "5 Keong Saik Road, Singapore",
    "details": "",
    "event_link": "https://example.org/e/supper-club",
}
_SAMPLE_LINK: Final = "https://example.org/l/sample"
_MINE: Final = {"manage_link": _SAMPLE_LINK, "cancel_link": f"{_SAMPLE_LINK}?do=cancel"}
_IN_LINE: Final = {"place": "third", "party_line": "", **_MINE}

_AFTER_OFFER: Final = {"seat_now": "It goes to the next in line.", **_IN_LINE}


def _kind(title: str, must: str = "", **placeholders: str) -> MailKind:
    known = MappingProxyType({**_EVERY, **placeholders})
    assert set(must.split()) <= known.keys()
    return MailKind(title, known, frozenset(must.split()))


#: Every mail of this desk, by the kind of its note.
KINDS: Final[Mapping[str, MailKind]] = MappingProxyType(
    {
        "invitation": _kind(
            "An invitation from the host's list",
            "confirm_link details",
            confirm_link=_SAMPLE_LINK,
        ),
        "please_confirm": _kind(
            "Somebody signed up and has to confirm the address",
            "confirm_link",
            confirm_link=_SAMPLE_LINK,
        ),
        "confirmed": _kind(
            "A seat is confirmed",
            "details cancel_link",
            seats_line="Your seat is confirmed.",
            **_MINE,
        ),
        "waitlisted": _kind("Somebody has joined the line", "place cancel_link", **_IN_LINE),
        "cancelled": _kind(
            "Somebody has cancelled",
            given_up="Your seat is free for somebody else now. Thank you for telling us.",
        ),
        "removed": _kind(
            "The host has taken somebody off the list",
            taken_off="The host has taken you off the guest list. Your seat has been given up.",
        ),
        "party_changed": _kind(
            "Somebody comes with fewer people",
            seats_line="Your 2 seats are confirmed: you and 1 guest.",
            **_MINE,
        ),
        "party_too_large": _kind(
            "The host has cut the seats below a party in line",
            "too_large manage_link",
            too_large="There are only 3 seats now, and you're waiting for 4.",
            **_IN_LINE,
        ),
        "offer": _kind(
            "A freed seat is offered to the next in line",
            "claim_link decline_link yours_until",
            seats="A seat",
            take="Take the seat",
            yours_until="This seat is yours until 16:00 today (SGT).",
            claim_link=_SAMPLE_LINK,
            decline_link=_SAMPLE_LINK,
        ),
        "offer_lapsed": _kind("An offer was not taken in time", "", **_AFTER_OFFER),
        "offer_declined": _kind("An offer was passed on", "", **_AFTER_OFFER),
        "offer_withdrawn": _kind("There was no room left for an offer", "", **_IN_LINE),
        "offer_stopped": _kind("The host took an offer back", "", **_IN_LINE),
        "reminder": _kind(
            "A reminder before the event",
            "details cancel_link",
            how_soon="tomorrow",
            seats_line="Your seat is confirmed.",
            **_MINE,
        ),
        "moved": _kind(
            "The host has changed time, place or name",
            "details changes",
            changes="It's now at 5 Keong Saik Road. It was 1 Duxton Hill.",
            still="Your seat is still yours.",
            **_MINE,
        ),
        "called_off": _kind(
            "The host has called the event off",
            "",
            host_words="The kitchen is closed after a burst pipe.",
        ),
        "status": _kind(
            "An answer to who writes and is on the list already",
            "standing",
            standing="You're in.",
            manage_link=_SAMPLE_LINK,
        ),
        "cancel_check": _kind(
            "An answer to a mail that asks to cancel and may be somebody else's",
            "cancel_link",
            standing="You're in.",
            cancel_link=f"{_SAMPLE_LINK}?do=cancel",
        ),
        "closed": _kind(
            "An answer to who writes to sign up when it is too late",
            "",
            why_not="This event has begun.",
        ),
        "not_listed": _kind("An answer to who writes to cancel and is not on the list"),
        "thanks": _kind(
            "Thanks after the event",
            "thanks",
            thanks="Thank you for coming.\n\nIt was lovely to have you here.",
        ),
        "headcount": _kind(
            "The daily headcount, to the hosts",
            "",
            coming="38 of 40",
            headline="38 of 40 seats are taken.",
            figures="38 seats taken, 1 on offer, 1 free. 3 guests in line.",
            since="Since yesterday: 2 came in, 1 cancelled.",
            console_link="https://example.org/console/events/sample",
        ),
        "thanks_drafted": _kind(
            "The thank-you note is ready to be edited and sent, to the hosts",
            "console_link",
            thanks="Thank you for coming.",
            console_link="https://example.org/console/events/sample",
        ),
    }
)
