"""Every message of the waitlist desk: when it is sent, what can be said in it, and what must be."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from frontdesk.core.wording import MailKind


class Channel(StrEnum):
    TEXT = "text"
    MAIL = "mail"


Key = tuple[Channel, str]

SAMPLE_TOKEN: Final = f"{'k7YcR2mVt0' * 4}k7Yc"
#: As long as a real one, so that what a text takes is told truly.
_SAMPLE_LINK: Final = f"https://salon.example/l/{SAMPLE_TOKEN}"
#: `with_staff` is empty where nobody in particular is meant.
_EVERY: Final = {"name": "Ann Lee", "business": "Salon Mia", "service": "Cut and colour"}
_SLOT: Final = {
    **_EVERY,
    "with_staff": "with Mia",
    "when": "Friday 20 November, 15:00 (SGT)",
}
#: `still` is empty for a customer who does not wait for another slot. `tell_us` has the phone
#: number of the business if it has one.
_CANCELLED: Final = {
    **_SLOT,
    "still": "You are still on the list.",
    "tell_us": "Please call +65 6123 4567.",
}
_OFFER: Final = {**_SLOT, "window": "10 minutes", "claim_by": "14:10"}
_TO_STAFF: Final = {**_SLOT, "console_link": _SAMPLE_LINK}

_IN_THE_CONSOLE: Final = {"business": "Salon Mia", "console_link": _SAMPLE_LINK}
_MONTH: Final = {
    **_IN_THE_CONSOLE,
    "month": "October 2026",
    "summary": "October was a good month: most of what came free was taken within minutes.",
    "figures": "Came free: 31\nFilled: 24\nTime to fill, on average: 14 minutes\n"
    "Recovered: S$2,880.00",
}


def _kind(title: str, must: str, placeholders: Mapping[str, str], *links: str) -> MailKind:
    known = MappingProxyType({**placeholders, **dict.fromkeys(links, _SAMPLE_LINK)})
    assert set(must.split()) <= known.keys()
    return MailKind(title, known, frozenset(must.split()))


_OFFER_MUST: Final = "service when with_staff claim_by"

#: Every message, by channel and by the kind of its note. A text has one link, with all buttons.
KINDS: Final[Mapping[Key, MailKind]] = MappingProxyType(
    {
        (Channel.TEXT, "offer"): _kind(
            "A slot is offered", f"{_OFFER_MUST} offer_link", _OFFER, "offer_link"
        ),
        (Channel.MAIL, "offer"): _kind(
            "A slot is offered",
            f"{_OFFER_MUST} claim_link decline_link",
            _OFFER,
            *("claim_link", "decline_link"),
        ),
        (Channel.TEXT, "booked"): _kind(
            "A slot is theirs", "service when", _SLOT, "entry_link", "cancel_link"
        ),
        (Channel.MAIL, "booked"): _kind(
            "A slot is theirs", "service when", _SLOT, "entry_link", "cancel_link"
        ),
        (Channel.TEXT, "cancelled"): _kind(
            "A customer cancelled", "service when", _CANCELLED, "entry_link"
        ),
        (Channel.MAIL, "cancelled"): _kind(
            "A customer cancelled", "service when", _CANCELLED, "entry_link"
        ),
        (Channel.TEXT, "cancelled_for"): _kind(
            "Staff cancelled for a customer", "service when", _CANCELLED, "entry_link"
        ),
        (Channel.MAIL, "cancelled_for"): _kind(
            "Staff cancelled for a customer", "service when", _CANCELLED, "entry_link"
        ),
        (Channel.TEXT, "missed"): _kind(
            "A customer did not come", "service when", _CANCELLED, "entry_link"
        ),
        (Channel.MAIL, "missed"): _kind(
            "A customer did not come", "service when", _CANCELLED, "entry_link"
        ),
        (Channel.TEXT, "offer_withdrawn"): _kind("Staff took a slot back", "", _SLOT, "entry_link"),
        (Channel.MAIL, "offer_withdrawn"): _kind("Staff took a slot back", "", _SLOT, "entry_link"),
        (Channel.TEXT, "joined"): _kind("Somebody joined the list", "", _EVERY, "entry_link"),
        (Channel.MAIL, "joined"): _kind(
            "Somebody joined the list", "entry_link", _EVERY, "entry_link"
        ),
        (Channel.TEXT, "link"): _kind("Their link again", "entry_link", _EVERY, "entry_link"),
        (Channel.MAIL, "link"): _kind("Their link again", "entry_link", _EVERY, "entry_link"),
        (Channel.TEXT, "left"): _kind("Somebody left the list", "", _EVERY),
        (Channel.MAIL, "left"): _kind("Somebody left the list", "", _EVERY),
        (Channel.MAIL, "handed_back"): _kind(
            "A slot is handed back, to staff",
            "when",
            {
                **_TO_STAFF,
                "tried": "3 people",
                "why": "It was offered to 3 people, and nobody else on the list suits it.",
            },
        ),
        (Channel.MAIL, "nobody_fits"): _kind("Nobody fits a slot, to staff", "when", _TO_STAFF),
        (Channel.MAIL, "overlap"): _kind(
            "A time was freed that is taken, to staff",
            "freed_when console_link",
            {
                **_TO_STAFF,
                "freed_service": "Cut and colour",
                "freed_when": "Friday 20 November, 15:30 (SGT)",
            },
        ),
        (Channel.MAIL, "unreachable"): _kind(
            "Somebody could not be reached, to staff",
            "name",
            {**_TO_STAFF, "why": "Why: texts are not set up."},
        ),
        (Channel.MAIL, "proposed"): _kind(
            "A request came in, to staff", "console_link", _IN_THE_CONSOLE
        ),
        (Channel.MAIL, "unclear"): _kind(
            "A document cannot be understood, to staff",
            "document problems",
            {**_IN_THE_CONSOLE, "document": "rules", "problems": "2 lines (lines 3 and 7)"},
        ),
        (Channel.MAIL, "sheet_halted"): _kind(
            "Many rows went from the sheet, to staff",
            "rows",
            {**_IN_THE_CONSOLE, "rows": "12 rows"},
        ),
        (Channel.MAIL, "calendar_halted"): _kind(
            "Many openings went from the calendar, to staff",
            "openings",
            {**_IN_THE_CONSOLE, "openings": "12 openings"},
        ),
        (Channel.MAIL, "sheet_troubled"): _kind(
            "The sheet cannot be read or written, to staff",
            "why",
            {**_IN_THE_CONSOLE, "why": "There is no such file."},
        ),
        (Channel.MAIL, "texts_used_up"): _kind(
            "Many texts on one day, to staff",
            "texts",
            {**_IN_THE_CONSOLE, "texts": "200", "what": "No more go out today."},
        ),
        (Channel.MAIL, "summary"): _kind("The month in figures, to staff", "figures", _MONTH),
    }
)

#: What is said until the business changes it, as the document that it would change.
DEFAULT_DOCUMENT: Final = """\
// How we sound. A part begins with two # signs, a channel and what the message is about.
// Words in two braces are filled in when it is sent.

## Text: offer
{{ business }}: {{ service }} {{ with_staff }} is free {{ when }}. Yes by {{ claim_by }}:
{{ offer_link }}

## Mail: offer
Subject: {{ service }} on {{ when }}: yours until {{ claim_by }}

# A place has come free.

{{ service }} {{ with_staff }} on {{ when }}.

It is yours if you say yes within {{ window }}, by {{ claim_by }}. Then it goes to the next person.

Yes, I'll take it:
{{ claim_link }}

Not this time? You stay on the list. I can't make it:
{{ decline_link }}

## Text: booked
{{ business }}: it's yours. {{ service }} {{ with_staff }} on {{ when }}. See you then!

## Mail: booked
Subject: Booked: {{ service }} on {{ when }}

# It's yours.

{{ service }} {{ with_staff }} on {{ when }}. We look forward to seeing you, {{ name }}.

Something has come up? Please tell us, so that somebody else can come. I have to cancel:
{{ cancel_link }}

## Text: cancelled
{{ business }}: you cancelled {{ service }} on {{ when }}. Thank you for telling us. {{ still }}

## Mail: cancelled
Subject: Cancelled: {{ service }} on {{ when }}

Thank you for telling us, {{ name }}. {{ service }} {{ with_staff }} on {{ when }} is cancelled.
{{ still }}

See how you stand:
{{ entry_link }}

## Text: cancelled_for
{{ business }}: we cancelled {{ service }} on {{ when }} for you. Wrong? {{ tell_us }} {{ still }}

## Mail: cancelled_for
Subject: Cancelled for you: {{ service }} on {{ when }}

{{ name }}, we cancelled {{ service }} {{ with_staff }} on {{ when }} for you. {{ still }}

If this is a mistake, please tell us at once: the time may go to somebody else.

See how you stand:
{{ entry_link }}

## Text: missed
{{ business }}: we missed you at {{ service }} on {{ when }}. Is this wrong? {{ tell_us }}

## Mail: missed
Subject: We missed you: {{ service }} on {{ when }}

{{ name }}, you had {{ service }} {{ with_staff }} on {{ when }}, and we did not see you.
If this is wrong, please tell us. If you would still like to come, please join the list again.

See how you stand:
{{ entry_link }}

## Text: offer_withdrawn
{{ business }}: sorry, {{ service }} on {{ when }} is no longer free. You are still on the list.

## Mail: offer_withdrawn
Subject: {{ service }} on {{ when }} is no longer free

We are sorry, {{ name }}: we had to take this one back. You are still on the list, in your place.

## Text: joined
{{ business }}: you are on the list for {{ service }}. Your place and dates:
{{ entry_link }}

## Mail: joined
Subject: You are on the list for {{ service }}

Thank you, {{ name }}. When something comes free that suits you, we write to you at once.

See my place or change my dates:
{{ entry_link }}

## Text: link
{{ business }}: where you stand on the list for {{ service }}:
{{ entry_link }}

## Mail: link
Subject: Your own link for {{ service }}

Somebody, probably you, has asked to join the list for {{ service }}.
We know you already, {{ name }}, so nothing was changed.

See where I stand or change my dates:
{{ entry_link }}

If it was not you, there is nothing that you need to do.

## Text: left
{{ business }}: you are off the list for {{ service }}. Thank you for telling us.

## Mail: left
Subject: You are off the list for {{ service }}

Thank you for telling us, {{ name }}. You can join again whenever you like.

## Mail: handed_back
Subject: Back in your hands: {{ service }} on {{ when }}

{{ service }} {{ with_staff }} on {{ when }} is yours to give again. {{ why }}

See who was tried:
{{ console_link }}

## Mail: nobody_fits
Subject: Nobody on the list fits {{ service }} on {{ when }}

{{ service }} {{ with_staff }} on {{ when }} is free, and nobody who waits suits it.

See why:
{{ console_link }}

## Mail: overlap
Subject: Not offered: {{ freed_service }} on {{ freed_when }}

{{ freed_service }} on {{ freed_when }} came free, but we did not offer it: at that time there is
already {{ service }} {{ with_staff }} on {{ when }}.

If both can take place, free it by hand:
{{ console_link }}

## Mail: unreachable
Subject: We could not reach {{ name }}

The offer of {{ service }} on {{ when }} did not reach {{ name }}, and went to the next. {{ why }}

See the offer:
{{ console_link }}

## Mail: proposed
Subject: Somebody would like to be on the list

A request came in by mail. Nobody is on the list before you say so.

Look at it:
{{ console_link }}

## Mail: unclear
Subject: Your {{ document }} need a look

We could not understand {{ problems }} of the {{ document }} as they were last saved.
Those before them stay in force until you have put them right.

See which:
{{ console_link }}

## Mail: sheet_halted
Subject: {{ rows }} are gone from the waitlist's sheet

{{ rows }} went from the sheet at once, which may be a mistake.
Nobody was taken off the list, and the sheet is left alone until you say so.

Look at them:
{{ console_link }}

## Mail: calendar_halted
Subject: {{ openings }} are gone from the calendar

{{ openings }} went from the calendar of openings at once, which may be a mistake.
No slot was taken back, and the calendar is left alone until you say what to do.

Look at them:
{{ console_link }}

## Mail: sheet_troubled
Subject: The waitlist's sheet cannot be used just now

The list and its sheet are not in step any more, and what you change in the sheet is not heard.
The list itself goes on as it is.

Why: {{ why }}

We go on trying. See how it stands:
{{ console_link }}

## Mail: texts_used_up
Subject: Texts today: {{ texts }}

Texts that have gone out today: {{ texts }}, which is as many as your settings allow. {{ what }}

If this is more than you expect, somebody may be typing numbers into your form.

See the messages:
{{ console_link }}

## Mail: summary
Subject: {{ month }} on the waitlist

{{ summary }}

{{ figures }}

See it day by day:
{{ console_link }}
"""
