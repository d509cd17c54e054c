"""Messages to customers on the list, by SMS or mail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from frontdesk.core.contacts import plain_name
from frontdesk.core.ics import Invitation, Method
from frontdesk.core.occasions import Tone
from frontdesk.core.wording import wording_spec
from frontdesk.core.words import how_long
from frontdesk.desks.waitlist import words
from frontdesk.desks.waitlist.messages.context import WaitlistContext, slot_occasion, slot_values
from frontdesk.desks.waitlist.model import Entry, EntryStatus, OfferState, Slot, SlotStatus
from frontdesk.engine.desk import Drop
from frontdesk.features.messages.kinds import (
    MessageContent,
    MessageKind,
    message_kind,
    takes_sms,
)
from frontdesk.features.messages.samples import (
    SAMPLE_LINK,
    SAMPLE_TELL_US,
    SERVICE_SAMPLE,
    VISIT_SAMPLE,
)
from frontdesk.values import replace

_ON_THE_LIST: Final = "You get this mail because you are on the waitlist for {service}."
_CONFIRM_NUMBER: Final = (
    "To get offers as texts, which is faster, confirm your number with this link."
)
_HAD_BOOKED: Final = "You get this mail because this time was booked for you."


def _about_entry(c: WaitlistContext, entry: Entry) -> MessageContent:
    return MessageContent(
        {
            "service": entry.service,
            "entry_link": _entry_link(c, entry),
            "confirm_number": _CONFIRM_NUMBER if _may_confirm_number(c, entry) else "",
        },
        reason=_ON_THE_LIST.format(service=entry.service),
        unsubscribe_url=_stop_link(c, entry),
        mail_only=c.mail_only,
    )


def _may_confirm_number(c: WaitlistContext, entry: Entry) -> bool:
    waits = entry.status is EntryStatus.WAITING and c.mail_only
    return waits and c.sender.sends_sms and takes_sms(c.reads, c.sender.sms_rules, c.person)


def _entry_link(c: WaitlistContext, entry: Entry) -> str:
    return c.links.place(entry, c.person.contact_version, c.send.queued_at)


def _stop_link(c: WaitlistContext, entry: Entry) -> str:
    return c.links.stop(entry, c.person.contact_version, c.send.queued_at)


def joined(c: WaitlistContext) -> MessageContent | Drop:
    if c.entry is None or c.entry.status is not EntryStatus.WAITING:
        return Drop("no longer on the list")
    return _about_entry(c, c.entry)


def link(c: WaitlistContext) -> MessageContent | Drop:
    """Sends the link by mail if they have an address, because the mobile number may not
    be theirs."""
    if c.entry is None or c.entry.wants_no_offers:
        return Drop("wants no messages from the list")
    return replace(_about_entry(c, c.entry), mail_only=bool(c.person.email))


def left(c: WaitlistContext) -> MessageContent | Drop:
    if c.entry is None or c.entry.status is EntryStatus.WAITING:
        return Drop("on the list again")
    service = c.entry.service
    reason = f"You get this mail because you waited for {service}."
    return MessageContent({"service": service}, reason=reason, mail_only=c.mail_only)


def offer(c: WaitlistContext) -> MessageContent | Drop:
    """The offer, which is live: arming it has just set its deadline."""
    slot, one, entry = c.slot, c.offer, c.entry
    if slot is None or one is None or entry is None or one.state is not OfferState.LIVE:
        return Drop("no longer on offer")
    assert one.claim_by is not None
    assert one.armed_at is not None
    link = c.links.offer(slot, one, c.person.contact_version)
    return MessageContent(
        {
            **slot_values(slot),
            "window": how_long(one.claim_by - one.armed_at),
            "claim_by": words.deadline(slot, one.claim_by, c.now),
            "offer_link": link,
            "claim_link": link,
            "decline_link": c.links.decline(slot, one, c.person.contact_version),
        },
        reason=_ON_THE_LIST.format(service=entry.service),
        occasion=slot_occasion(slot),
        unsubscribe_url=_stop_link(c, entry),
        mail_only=c.mail_only,
    )


def booked(c: WaitlistContext) -> MessageContent | Drop:
    slot, entry, one = c.slot, c.entry, c.offer
    if slot is None or entry is None or not _has_it(slot, entry):
        return Drop("not theirs any more")
    cancel_link = c.links.offer(slot, one, c.person.contact_version) if one else ""
    return MessageContent(
        {**slot_values(slot), "entry_link": _entry_link(c, entry), "cancel_link": cancel_link},
        chip="Booked",
        reason="You get this mail because this time is booked for you.",
        occasion=slot_occasion(slot),
        calendar=_invitation(c, slot, Method.REQUEST),
        mail_only=c.mail_only,
    )


def _has_it(slot: Slot, entry: Entry) -> bool:
    return slot.status is SlotStatus.BOOKED and slot.booked_by == entry.id


def cancelled(c: WaitlistContext) -> MessageContent | Drop:
    """Tells of a cancellation by the customer or by staff, with an update for their calendar."""
    slot, entry = c.slot, c.entry
    if slot is None or entry is None or slot.status is not SlotStatus.CANCELLED:
        return Drop("not cancelled")
    calendar = _invitation(c, slot, Method.CANCEL)
    return replace(_had_booked(c, slot, entry), chip="Cancelled", calendar=calendar)


def missed(c: WaitlistContext) -> MessageContent | Drop:
    slot, entry = c.slot, c.entry
    if slot is None or entry is None or slot.status is not SlotStatus.NO_SHOW:
        return Drop("not missed")
    return _had_booked(c, slot, entry)


def _had_booked(c: WaitlistContext, slot: Slot, entry: Entry) -> MessageContent:
    phone = c.sender.contact.phone
    values = {
        **slot_values(slot),
        "still": "You are still on the list." if entry.status is EntryStatus.WAITING else "",
        "tell_us": f"Please call {phone}." if phone else "Please tell us.",
        "entry_link": _entry_link(c, entry),
    }
    return MessageContent(
        values,
        Tone.GONE,
        reason=_HAD_BOOKED,
        occasion=slot_occasion(slot),
        mail_only=c.mail_only,
    )


def offer_withdrawn(c: WaitlistContext) -> MessageContent | Drop:
    slot, entry = c.slot, c.entry
    if slot is None or entry is None:
        return Drop("no longer on the list")
    return MessageContent(
        {"entry_link": _entry_link(c, entry), **slot_values(slot)},
        Tone.GONE,
        reason=_ON_THE_LIST.format(service=entry.service),
        occasion=slot_occasion(slot),
        mail_only=c.mail_only,
    )


def _invitation(c: WaitlistContext, slot: Slot, method: Method) -> Invitation:
    opening = slot.opening
    return Invitation(
        uid=f"{slot.id}@frontdesk",
        sequence=1 if method is Method.CANCEL else 0,
        method=method,
        summary=" ".join(filter(None, (opening.service, words.with_staff(opening)))),
        starts_at=opening.starts_at,
        ends_at=opening.starts_at + opening.duration,
        tz_name=slot.rules.zone,
        location=c.sender.business,
        description="",
        organizer_name=c.sender.name,
        organizer_email=c.sender.from_email,
        attendee_name=plain_name(c.person.name) or c.person.email,
        attendee_email=c.person.email,
        stamped_at=c.now,
    )


#: `still` is empty for a customer who does not wait for another slot. `tell_us` has the phone
#: number of the business if it has one.
_CANCELLED: Final = {
    **VISIT_SAMPLE,
    "still": "You are still on the list.",
    "tell_us": SAMPLE_TELL_US,
    "entry_link": SAMPLE_LINK,
}
_BOOKED: Final = {**VISIT_SAMPLE, "entry_link": SAMPLE_LINK, "cancel_link": SAMPLE_LINK}
#: `confirm_number` is set if they have a number that they have not confirmed.
_ENTRY: Final = {
    **SERVICE_SAMPLE,
    "entry_link": SAMPLE_LINK,
    "confirm_number": _CONFIRM_NUMBER,
}
_OFFER: Final = {**VISIT_SAMPLE, "window": "10 minutes", "claim_by": "14:10"}
_OFFER_MUST: Final = "service when with_staff claim_by"

#: An SMS has one link; the page behind it has all the buttons.
KINDS: Final[Mapping[str, MessageKind]] = {
    "offer": MessageKind(
        offer,
        mail=wording_spec(
            "A slot is offered",
            """
Subject: {{ service }} on {{ when }}: yours until {{ claim_by }}

# A time has come free.

{{ service }} {{ with_staff }} on {{ when }}.

It is yours if you say yes within {{ window }}, by {{ claim_by }}. Then it goes to the next person.

Yes, I'll take it:
{{ claim_link }}

Not this time? You stay on the list. I can't make it:
{{ decline_link }}
""",
            f"{_OFFER_MUST} claim_link decline_link",
            **_OFFER,
            claim_link=SAMPLE_LINK,
            decline_link=SAMPLE_LINK,
        ),
        sms=wording_spec(
            "A slot is offered",
            """
{{ business }}: {{ service }} {{ with_staff }} is free {{ when }}. Yes by {{ claim_by }}:
{{ offer_link }}
""",
            f"{_OFFER_MUST} offer_link",
            **_OFFER,
            offer_link=SAMPLE_LINK,
        ),
    ),
    "booked": message_kind(
        booked,
        "A slot is theirs",
        """
Subject: Booked: {{ service }} on {{ when }}

# It's yours.

{{ service }} {{ with_staff }} on {{ when }}. We look forward to seeing you, {{ name }}.

Something has come up? Please tell us, so that somebody else can come. I have to cancel:
{{ cancel_link }}
""",
        "service when",
        sms="{{ business }}: it's yours. {{ service }} {{ with_staff }} on {{ when }}."
        " See you then!",
        **_BOOKED,
    ),
    "cancelled": message_kind(
        cancelled,
        "A customer cancelled",
        """
Subject: Cancelled: {{ service }} on {{ when }}

Thank you for telling us, {{ name }}. {{ service }} {{ with_staff }} on {{ when }} is cancelled.
{{ still }}

See how you stand:
{{ entry_link }}
""",
        "service when",
        sms="{{ business }}: you cancelled {{ service }} on {{ when }}."
        " Thank you for telling us. {{ still }}",
        **_CANCELLED,
    ),
    "cancelled_for": message_kind(
        cancelled,
        "Staff cancelled for a customer",
        """
Subject: Cancelled for you: {{ service }} on {{ when }}

{{ name }}, we cancelled {{ service }} {{ with_staff }} on {{ when }} for you. {{ still }}

If this is a mistake, please tell us at once: the time may go to somebody else.

See how you stand:
{{ entry_link }}
""",
        "service when",
        sms="{{ business }}: we cancelled {{ service }} on {{ when }} for you."
        " Wrong? {{ tell_us }} {{ still }}",
        **_CANCELLED,
    ),
    "missed": message_kind(
        missed,
        "A customer did not come",
        """
Subject: We missed you: {{ service }} on {{ when }}

{{ name }}, you had {{ service }} {{ with_staff }} on {{ when }}, and we did not see you.
If this is wrong, please tell us. If you would still like to come, please join the list again.

See how you stand:
{{ entry_link }}
""",
        "service when",
        sms="{{ business }}: we missed you at {{ service }} on {{ when }}."
        " Is this wrong? {{ tell_us }}",
        **_CANCELLED,
    ),
    "offer_withdrawn": message_kind(
        offer_withdrawn,
        "Staff took a slot back",
        """
Subject: {{ service }} on {{ when }} is no longer free

We are sorry, {{ name }}: we had to take this one back. You are still on the list, in your place.
""",
        sms="{{ business }}: sorry, {{ service }} on {{ when }} is no longer free."
        " You are still on the list.",
        **VISIT_SAMPLE,
        entry_link=SAMPLE_LINK,
    ),
    "joined": MessageKind(
        joined,
        mail=wording_spec(
            "Somebody joined the list",
            """
Subject: You are on the list for {{ service }}

Thank you, {{ name }}. When something comes free that suits you, we write to you at once.
{{ confirm_number }}

See my place or change my dates:
{{ entry_link }}
""",
            "entry_link",
            **_ENTRY,
        ),
        sms=wording_spec(
            "Somebody joined the list",
            """
{{ business }}: you are on the list for {{ service }}. Your place and dates:
{{ entry_link }}
""",
            **_ENTRY,
        ),
        to_stranger=True,
    ),
    "link": MessageKind(
        link,
        mail=wording_spec(
            "Their link again",
            """
Subject: Your own link for {{ service }}

Somebody, probably you, has asked for this link, or to join the list for {{ service }} again.
We know you already, {{ name }}, so nothing was changed.
{{ confirm_number }}

See where I stand or change my dates:
{{ entry_link }}

If it was not you, there is nothing that you need to do.
""",
            "entry_link",
            **_ENTRY,
        ),
        sms=wording_spec(
            "Their link again",
            """
{{ business }}: where you stand on the list for {{ service }}:
{{ entry_link }}
""",
            "entry_link",
            **_ENTRY,
        ),
        to_stranger=True,
    ),
    "left": message_kind(
        left,
        "Somebody left the list",
        """
Subject: You are off the list for {{ service }}

Thank you for telling us, {{ name }}. You can join again whenever you like.
""",
        sms="{{ business }}: you are off the list for {{ service }}. Thank you for telling us.",
        **SERVICE_SAMPLE,
    ),
}
