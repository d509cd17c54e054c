"""Sentences of the customers' pages: wishes, places in line, dates and statuses."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final, assert_never

from frontdesk.core.contacts import masked_email
from frontdesk.core.localtime import spoken_day, spoken_deadline, zone
from frontdesk.core.occasions import Tone
from frontdesk.core.phones import shown
from frontdesk.core.words import how_long, ordinal
from frontdesk.desks.waitlist import words
from frontdesk.desks.waitlist.eligibility import failure
from frontdesk.desks.waitlist.facts import OfferWithdrawn
from frontdesk.desks.waitlist.model import (
    Entry,
    EntryStatus,
    Offer,
    OfferState,
    Opening,
    Slot,
    SlotId,
    SlotStatus,
    Wish,
)
from frontdesk.desks.waitlist.pages.join_form import FormChoices
from frontdesk.desks.waitlist.pages.visit import OfferVisit, Visit
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.reasons import Withdrawn
from frontdesk.desks.waitlist.slot_chain import cancellation_of
from frontdesk.values import Frozen, replace

ON_THE_LIST: Final = "You're on the list."
#: Shown to everybody, so it does not reveal who is known.
LINK_FOLLOWS: Final = (
    "Our message to you has your own link: see your place, change your dates, leave the list."
)
#: Explains that the form has not changed the dates of a known person. Shown to everybody.
KNOWN_ALREADY: Final = (
    "If you were on the list already, your dates stay as they were until you change them there."
)
#: Shown for a number beside an e-mail address that takes no texts.
BY_MAIL: Final = "We can't send texts to this number, so we write to your e-mail address."
#: Shown for any number beside an e-mail address, so it does not reveal who is known.
CONFIRM_NUMBER: Final = (
    "Until you confirm your number by the link in our mail, we write to your e-mail address."
)
#: Reminds people of an earlier STOP. Shown to everybody, so it does not reveal who is known.
STOP_HOLDS: Final = (
    "If you have asked us before to stop all offers, that still holds. "
    "Please talk to us if you want them again."
)


def joining(terms: FormChoices) -> str:
    """Explains how offers work."""
    window = how_long(terms.rules.claim_window)
    return (
        "When a time comes free that suits you, and it's your turn, we offer it to you "
        f"and hold it for {window}."
    )


def in_line(place: int, service: str) -> str:
    """'You're third in line for Cut and colour.'"""
    return f"You're {ordinal(place)} in line for {service}."


def wish_facts(wish: Wish) -> tuple[tuple[str, str], ...]:
    """The wish as labels and values."""
    party = ("How many", words.people(wish.party))
    return (
        ("What", wish.service),
        ("When", days(wish.earliest_on, wish.latest_on)),
        *((party,) if wish.party > 1 else ()),
        ("With", wish.staff or "Anyone"),
    )


def days(first: date, last: date) -> str:
    """'Monday 16 November to Friday 18 December'."""
    if first == last:
        return spoken_day(first)
    form = spoken_day if first.year == last.year else _with_year
    return f"{form(first)} to {form(last)}"


def _with_year(on: date) -> str:
    return f"{spoken_day(on)} {on.year}"


def masked(email: str, mobile: str) -> str:
    """Masks a contact, so that only its owner recognises it."""
    return ", ".join(filter(None, (_masked_number(mobile), masked_email(email))))


def _masked_number(mobile: str) -> str:
    """'+65 …4567'."""
    if not mobile.startswith("+"):
        return f"…\u2060{mobile[-4:]}" if mobile else ""
    return f"{shown(mobile).partition(' ')[0]}\u00a0…\u2060{mobile[-4:]}"


class StatusText(Frozen):
    title: str
    lead: str
    tone: Tone
    status: int = 200


# --- on the list ----------------------------------------------------------------------------

_GOES_BY: Final = (
    "We offer a time to the first person in line whom it suits. Your days, your party size and "
    "your choice of staff count, so your turn can come sooner or later than your place in line."
)


def entry_status(visit: Visit) -> StatusText:
    entry = visit.entry
    match entry.status:
        case EntryStatus.WAITING if entry.latest_on < visit.today:
            lead = "Give us new ones below, and you keep your place in line."
            return StatusText("Your dates have passed.", lead, Tone.WAITING)
        case EntryStatus.WAITING:
            return _open_offer_status(visit) or StatusText(_in_line(visit), _GOES_BY, Tone.WAITING)
        case EntryStatus.BOOKED if has_a_slot(visit):
            return StatusText("You have an appointment.", _booked(visit), Tone.GOOD)
        case EntryStatus.BOOKED:
            return StatusText("This appointment is over.", f"It was {_booked(visit)}", Tone.GONE)
        case EntryStatus.LEFT:
            lead = f"You won't get offers for {entry.service}."
            return StatusText("You're not on the list any more.", lead, Tone.GONE)
        case EntryStatus.STOPPED:
            return stopped_status(visit)
        case EntryStatus.EXPIRED:
            lead = "So you're not on the list any more. Join again with new ones."
            return StatusText("Your dates have passed.", lead, Tone.GONE)
        case _:
            assert_never(entry.status)


def stopped_status(visit: Visit) -> StatusText:
    lead = "You're off every list, and it stays that way until you talk to us."
    if visit.entry.status is EntryStatus.BOOKED:
        lead = f"{lead} The appointment that you have stays yours."
    return StatusText("You won't get offers any more.", lead, Tone.GONE)


def _open_offer_status(visit: Visit) -> StatusText | None:
    """The status for an offer that they can claim now; None if there is none."""
    for offer in visit.wl.open_offers(visit.entry.id):
        slot = visit.wl.slot(offer.slot_id)
        if slot is not None and is_claimable(slot, offer, visit.entry, visit.now):
            assert offer.claim_by is not None
            title = f"A time is held for you {until(slot, offer.claim_by, visit.now)}."
            lead = "Our latest message to you has the link to take it."
            return StatusText(title, lead, Tone.GOOD)
    return None


def next_booking(visit: Visit) -> Slot | None:
    """Their next booked slot; if none is left, the last one."""
    theirs = visit.wl.bookings(visit.entry.id)
    to_come = [slot for slot in theirs if visit.now < slot.opening.starts_at]
    return to_come[0] if to_come else theirs[-1] if theirs else None


def has_a_slot(visit: Visit) -> bool:
    """Whether they have a booked slot that is not over."""
    slot = next_booking(visit)
    is_booked = visit.entry.status is EntryStatus.BOOKED
    return is_booked and (slot is None or visit.now < slot.ends_at)


def _booked(visit: Visit) -> str:
    slot = next_booking(visit)
    if slot is None:
        return visit.entry.service
    return f"{slot.opening.service}, {words.slot_when(slot)}."


def _in_line(visit: Visit) -> str:
    return in_line(place_in_line(visit.wl, visit.entry, visit.now), visit.entry.service)


def place_in_line(wl: WaitlistReads, entry: Entry, now: datetime) -> int:
    """Their place among all who wait for this service, in the order of the rules. Ignores their
    other wishes, as if every slot suited everybody."""
    anything = replace(wl.rules(), checks=())
    opening = Opening(entry.service, now, timedelta(), 1)
    return 1 + wl.ahead(Slot(SlotId(""), "", opening, anything, freed_at=now), entry)


# --- an offer -------------------------------------------------------------------------------


def is_claimable(slot: Slot, offer: Offer, entry: Entry, now: datetime) -> bool:
    """Whether a claim would succeed now."""
    return (
        slot.status is SlotStatus.OPEN
        and slot.offer_seq == offer.seq
        and offer.claim_by is not None
        and now < offer.claim_by
        and entry.status is EntryStatus.WAITING
    )


def until(slot: Slot, at: datetime, now: datetime) -> str:
    """'until 14:10 today (SGT)'."""
    return spoken_deadline(at, now, zone(slot.rules.zone))


def offer_status(visit: OfferVisit) -> StatusText:
    """The status of an offer that cannot be claimed."""
    offer, slot = visit.offer, visit.slot
    if offer.state is OfferState.CLAIMED:
        return _claimed_status(visit)
    if offer.state is OfferState.DECLINED:
        return StatusText("You passed it on.", _what_remains(visit), _tone(visit))
    if _took_another(visit):
        lead = f"So this one went to the next in line. {_what_remains(visit)}"
        return StatusText("You have taken another time.", lead, Tone.GOOD)
    if slot.booked_by:
        return StatusText("Just filled.", _what_remains(visit), _tone(visit), 410)
    if offer.state is OfferState.EXPIRED or _is_over(offer, visit.now):
        return StatusText("This offer has expired.", _what_remains(visit), _tone(visit), 410)
    if offer.state is OfferState.WITHDRAWN or not visit.is_waiting:
        return _withdrawn_status(visit)
    if offer.state is OfferState.PENDING:
        lead = "You can take it as soon as our next message reaches you."
        return StatusText("This time is held for you.", lead, Tone.WAITING)
    return StatusText("This offer has expired.", _what_remains(visit), _tone(visit), 410)


def _took_another(visit: OfferVisit) -> bool:
    """Whether this offer ended, or will end at once, because they have booked another slot."""
    offer = visit.offer
    if offer.state in (OfferState.LIVE, OfferState.PENDING):
        return visit.entry.status is EntryStatus.BOOKED and not _is_over(offer, visit.now)
    facts = (each.fact for each in visit.wl.facts(visit.slot.id))
    return any(
        isinstance(fact, OfferWithdrawn)
        and (fact.seq, fact.why) == (offer.seq, Withdrawn.BOOKED_ELSEWHERE)
        for fact in facts
    )


def _is_over(offer: Offer, now: datetime) -> bool:
    """Whether its window has closed, even if its timer has not fired yet."""
    return offer.state is OfferState.LIVE and offer.claim_by is not None and now >= offer.claim_by


def _withdrawn_status(visit: OfferVisit) -> StatusText:
    if visit.is_waiting and failure(visit.entry, visit.slot) is None:
        lead = f"We're sorry. {_what_remains(visit)}"
        return StatusText("We had to take this time back.", lead, Tone.WAITING, 410)
    return StatusText("This offer was taken back.", _what_remains(visit), _tone(visit), 410)


def _claimed_status(visit: OfferVisit) -> StatusText:
    slot, opening = visit.slot, visit.slot.opening
    if slot.status is SlotStatus.CANCELLED:
        return _cancelled_status(visit)
    if slot.status is SlotStatus.NO_SHOW:
        lead = f"If this is wrong, please tell us. {_what_remains(visit)}"
        return StatusText("We missed you.", lead, _tone(visit))
    if visit.now >= opening.ends_at:
        return StatusText("This appointment is over.", "", Tone.GONE)
    lead = "We look forward to seeing you."
    if visit.now < opening.starts_at:
        lead = f"{lead} If something comes up, please cancel here, so that somebody else can come."
    return StatusText("It's yours.", lead, Tone.GOOD)


def _cancelled_status(visit: OfferVisit) -> StatusText:
    """The status of a booking that the customer or staff cancelled, or that the booking desk
    changed."""
    fact = cancellation_of(visit.wl, visit.slot)
    if fact is not None and fact.quietly:
        lead = "Our latest message about it says what holds now."
        return StatusText("This appointment was changed.", lead, _tone(visit))
    if fact is not None and fact.by_staff:
        lead = f"If this is a mistake, please tell us at once. {_what_remains(visit)}"
        return StatusText("This appointment was cancelled for you.", lead, _tone(visit))
    return StatusText("You cancelled this appointment.", _what_remains(visit), _tone(visit))


def _what_remains(visit: OfferVisit) -> str:
    if has_a_slot(visit):
        return f"You have {_booked(visit)}"
    if not visit.is_waiting:
        return "You're not on the list any more."
    return f"You're still on the list. {_in_line(visit)}"


def _tone(visit: OfferVisit) -> Tone:
    return Tone.WAITING if visit.is_waiting else Tone.GONE
