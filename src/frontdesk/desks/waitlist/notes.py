"""Notes to customers and staff, made from facts: recipient, urgency and key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final

from frontdesk.core.decision import Fact
from frontdesk.core.notes import Note, Quiet, To, alert
from frontdesk.core.sends import TOO_DEAR
from frontdesk.desks.waitlist import document_facts, facts
from frontdesk.desks.waitlist.model import Lane
from frontdesk.desks.waitlist.reasons import HandBack, Withdrawn
from frontdesk.features.documents.unclear_mail import unclear_note
from frontdesk.values import replace


def joined(fact: facts.EntryJoined) -> Note | None:
    """Confirms a request by form or mail. People whom staff added get no confirmation."""
    if fact.lane is Lane.FORM:
        return _about_entry(fact, "joined", Quiet.IGNORE)
    return _about_entry(fact, "joined", Quiet.HOLD) if fact.lane is Lane.INBOX else None


def changed(fact: facts.EntryChanged) -> Note | None:
    """Confirms the new wish to a person who joined by the form."""
    return _about_entry(fact, "joined", Quiet.IGNORE) if fact.lane is Lane.FORM else None


def link(fact: facts.JoinRepeated) -> Note:
    """Sends a person's link to their known contact, once in each time window."""
    return Note(
        "link",
        to=fact.entry_id,
        key=f"wl/{fact.entry_id}/link/{fact.window}",
        subject=fact.entry_id,
        about=fact.entry_id,
        quiet=Quiet.IGNORE,
    )


def left(fact: facts.EntryLeft) -> Note | None:
    """Confirms that somebody left. People whom staff took off the list get no message."""
    return None if fact.quietly else _about_entry(fact, "left", Quiet.IGNORE)


def offer(fact: facts.OfferMade | facts.OfferRolledOn) -> Note:
    """The offer's message. It expires at `last_useful_at`."""
    return _to_person(fact, "offer", tell_by=fact.last_useful_at)


def offer_again(fact: facts.OfferSentAgain) -> Note:
    """The same offer, sent to the corrected contact."""
    note = _to_person(fact, "offer", tell_by=fact.last_useful_at)
    return replace(note, key=f"{note.key}/again/{int(fact.at.timestamp())}")


def claimed(fact: facts.SlotClaimed) -> Note:
    return _to_person(fact, "booked", Quiet.IGNORE)


def booking_cancelled(fact: facts.BookingCancelled) -> Note | None:
    """Confirms a customer's own cancellation, or tells a customer that staff cancelled."""
    if fact.quietly:
        return None
    return _to_person(fact, "cancelled_for" if fact.by_staff else "cancelled", Quiet.IGNORE)


def booking_missed(fact: facts.BookingMissed) -> Note:
    return _to_person(fact, "missed")


def withdrawn(fact: facts.OfferWithdrawn) -> Note | None:
    """Tells people who know of the offer, if staff or the desk ended it."""
    if fact.why not in (Withdrawn.HANDED_BACK, Withdrawn.STAFF) or not fact.was_live:
        return None
    return _to_person(fact, "offer_withdrawn", Quiet.IGNORE)


def unreachable(fact: facts.OfferUnreachable) -> Note | None:
    """Tells staff. At the monthly limit on texts, they get one alert, not one for each person."""
    if fact.why == TOO_DEAR:
        return None
    return _to_staff(fact, "unreachable", fact.seq, about=fact.entry_id, seq=fact.seq, why=fact.why)


def nobody_fitted(fact: facts.NobodyFitted) -> Note:
    return _to_staff(fact, "nobody_fits", "once")


def overlap_refused(fact: facts.OverlapRefused) -> Note:
    """Tells staff that a freed time is taken already. The source cannot decide this; staff can
    allow both."""
    opening = fact.opening
    return _to_staff(
        fact,
        "overlap",
        blake2b(fact.origin.encode(), digest_size=8).hexdigest(),
        freed_service=opening.service,
        freed_staff=opening.staff,
        freed_at=opening.starts_at.isoformat(),
        freed_minutes=int(opening.duration.total_seconds()) // 60,
        freed_places=opening.capacity,
    )


def handed_back(fact: facts.SlotHandedBack) -> Note | None:
    """Tells staff, unless they took the slot back themselves or the time can be booked again."""
    if fact.why in (HandBack.STAFF, HandBack.NOBODY_FITS):
        return None
    return _to_staff(fact, "handed_back", "once", why=fact.why, tried=len(fact.tried))


def proposed(fact: facts.ProposalMade) -> Note:
    return _to_staff(fact, "proposed", "once")


def unclear(fact: document_facts.DocumentUnclear) -> Note:
    return unclear_note("wl", fact)


def sheet_halted(fact: facts.SheetHalted) -> Note:
    return _to_staff(fact, "sheet_halted", int(fact.at.timestamp()), rows=fact.rows)


def calendar_halted(fact: facts.CalendarHalted) -> Note:
    return _to_staff(fact, "calendar_halted", int(fact.at.timestamp()), openings=fact.openings)


def sheet_troubled(fact: facts.SheetTroubled) -> Note:
    return _to_staff(fact, "sheet_troubled", int(fact.since.timestamp()))


def texts_used_up(fact: facts.TextsUsedUp) -> Note:
    occasion = f"{fact.on}/{fact.sent}"
    return _to_staff(fact, "texts_used_up", occasion, sent=fact.sent, most=fact.most)


def summed_up(fact: facts.MonthSummedUp) -> Note:
    them = fact.figures
    return Note(
        "summary",
        to=To.HOSTS,
        key=f"wl/summary/{fact.month}",
        subject=fact.subject,
        params={
            "month": fact.month.isoformat(),
            "freed": them.freed,
            "filled": them.filled,
            "handed_back": them.handed_back,
            "offers": them.offers,
            "seconds_to_fill": them.seconds_to_fill,
            "recovered_cents": them.recovered_cents,
            "paragraph": fact.paragraph,
        },
    )


def _about_entry(fact: facts.EntryFact, kind: str, quiet: Quiet) -> Note:
    return Note(
        kind,
        to=fact.entry_id,
        key=f"wl/{fact.entry_id}/{kind}/{fact.version}",
        subject=fact.entry_id,
        about=fact.entry_id,
        quiet=quiet,
    )


def _to_person(
    fact: facts.OfferFact, kind: str, quiet: Quiet = Quiet.HOLD, tell_by: datetime | None = None
) -> Note:
    return Note(
        kind,
        to=fact.entry_id,
        key=f"wl/{fact.slot_id}/{fact.entry_id}/{kind}/{fact.seq}",
        subject=fact.slot_id,
        about=fact.entry_id,
        quiet=quiet,
        tell_by=tell_by,
        params={"seq": fact.seq},
    )


def _to_staff(
    fact: Fact, kind: str, occasion: str | int, about: str = "", **words: str | int
) -> Note:
    return alert("wl", kind, fact.subject, occasion, words, about=about)


#: A fact that is not listed here causes no message, on purpose.
NOTES: Final[Mapping[type[Fact], Callable[[Any], Note | None]]] = {
    facts.EntryJoined: joined,
    facts.EntryChanged: changed,
    facts.JoinRepeated: link,
    facts.EntryLeft: left,
    facts.OfferMade: offer,
    facts.OfferRolledOn: offer,
    facts.OfferSentAgain: offer_again,
    facts.SlotClaimed: claimed,
    facts.SlotGiven: claimed,
    facts.BookingCancelled: booking_cancelled,
    facts.BookingMissed: booking_missed,
    facts.OfferWithdrawn: withdrawn,
    facts.OfferUnreachable: unreachable,
    facts.NobodyFitted: nobody_fitted,
    facts.OverlapRefused: overlap_refused,
    facts.SlotHandedBack: handed_back,
    facts.ProposalMade: proposed,
    document_facts.DocumentUnclear: unclear,
    facts.SheetHalted: sheet_halted,
    facts.CalendarHalted: calendar_halted,
    facts.SheetTroubled: sheet_troubled,
    facts.TextsUsedUp: texts_used_up,
    facts.MonthSummedUp: summed_up,
}
