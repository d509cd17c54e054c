"""Loads the view of each decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Final

from frontdesk.core.contacts import contact_key
from frontdesk.core.localtime import same_wall_time, to_wall, zone
from frontdesk.core.people import Person, PersonId
from frontdesk.desks.waitlist import commands, views
from frontdesk.desks.waitlist.decide.bookings import is_another_name
from frontdesk.desks.waitlist.decide.contacts import adds_number
from frontdesk.desks.waitlist.decide.entries import STEP
from frontdesk.desks.waitlist.decide.moves import again_origin
from frontdesk.desks.waitlist.model import (
    LONGEST_SLOT,
    Entry,
    EntryId,
    EntryStatus,
    Offer,
    Opening,
    Rules,
    Slot,
)
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.why import MOST_FACTS, passed_over_before
from frontdesk.engine.ports import Reads
from frontdesk.features.calendars.state import CalendarState
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.values import Frozen, replace

WhyNot = Callable[[Person], str]
"""Returns why no message can reach a person at the moment; empty if one can."""
OutOfReach = Callable[[Reads], WhyNot | None]
"""Returns None if everybody can be reached, which is nearly always true."""

#: How many candidates each read covers until one can be reached. Usually the first can.
_LIMITS: Final = (1, 8, 64)
_PAGE: Final = 500


def waitlist(reads: Reads) -> WaitlistReads:
    desk: WaitlistReads = reads.desk("wl")
    return desk


def waiting_people(reads: Reads, _now: datetime, _until: datetime) -> Iterator[PersonId]:
    """Everybody who waits, because an offer may be for any of them."""
    wl, after = waitlist(reads), ""
    while found := wl.entries(status=EntryStatus.WAITING, limit=_PAGE, after=after):
        yield from (each.person_id for each in found)
        after = found[-1].id


def rules(reads: Reads, _command: commands.SetRules) -> Rules:
    return waitlist(reads).rules()


def joining(reads: Reads, command: commands.JoinList) -> views.JoinView:
    wl = waitlist(reads)
    key = contact_key(command.email, command.mobile)
    person = wl.person_by_email(key) if key else None
    entries = () if person is None else wl.entries_of(person.id)
    catalogue = wl.catalogue()
    service = catalogue.service(command.wish.service)
    name = service.name if service else command.wish.service
    booked = (one for one in entries if one.service == name and one.status is EntryStatus.BOOKED)
    entry = next(booked, None)
    holds = booked_slot(wl, entry.id) if entry else None
    signs_in = person is not None and adds_number(person, command) and wl.signs_in(person.id)
    consent = reads.engine.consent(person.id) if person and command.consent else None
    return views.JoinView(wl.rules(), person, entries, catalogue, holds, signs_in, consent)


def booked_slot(wl: WaitlistReads, entry_id: EntryId) -> Slot | None:
    """The slot that an entry has booked; the latest if there are several."""
    theirs = wl.bookings(entry_id)
    return theirs[-1] if theirs else None


def stopping(reads: Reads, command: commands.StopOffers | commands.ResumeOffers) -> views.JoinView:
    wl = waitlist(reads)
    person = wl.person(command.person_id)
    return views.JoinView(wl.rules(), person, wl.entries_of(command.person_id))


def entry(
    reads: Reads, command: commands.ChangeWish | commands.LeaveList | commands.SendPlaceLink
) -> views.EntryView | None:
    wl = waitlist(reads)
    found = wl.entry(command.entry_id)
    return None if found is None else views.EntryView(wl.rules(), found)


def contact(
    reads: Reads, command: commands.ConfirmNumber | commands.RemoveNumber
) -> views.ContactView | None:
    wl = waitlist(reads)
    found = wl.entry(command.entry_id)
    person = None if found is None else wl.person(found.person_id)
    return views.ContactView(found, person) if found and person else None


def editing(reads: Reads, command: commands.EditEntry) -> views.EditView | None:
    wl = waitlist(reads)
    found = wl.entry(command.entry_id)
    if found is None:
        return None
    person = wl.person(found.person_id)
    assert person is not None, "an entry belongs to a person"
    key = contact_key(command.email, command.mobile)
    namesake = wl.person_by_email(key) if key else None
    booking = None
    if found.status is EntryStatus.BOOKED and is_another_name(person.name, command.name):
        booking = _booking_of(wl, found)
    return views.EditView(
        wl.rules(),
        found,
        person,
        wl.entries_of(person.id),
        namesake,
        wl.signs_in(person.id),
        wl.catalogue(),
        booking,
        wl.entries_of(namesake.id) if booking and namesake else (),
        reads.engine.consent(person.id) if command.consent else None,
    )


def _booking_of(wl: WaitlistReads, entry: Entry) -> tuple[Slot, Offer] | None:
    """The entry's latest booking, with the offer that they claimed."""
    booked = wl.bookings(entry.id)
    if not booked:
        return None
    offers = wl.offers(booked[-1].id)
    return booked[-1], next(each for each in offers if each.entry_id == entry.id)


def approving(reads: Reads, command: commands.ApproveProposal) -> views.ApprovalView | None:
    found = waitlist(reads).proposal(command.proposal_id)
    if found is None:
        return None
    mail_kept = reads.engine.knows_mail(found.mail_id)
    return views.ApprovalView(found, mail_kept, joining(reads, command.join))


def document(
    reads: Reads, command: commands.TakeDocument | commands.ConfirmDocumentFile
) -> views.DocumentView:
    wl = waitlist(reads)
    return views.DocumentView(wl.rules(), wl.document(command.name))


def calendar(reads: Reads, _command: commands.SettleCalendar) -> CalendarState:
    return waitlist(reads).calendar()


def catalogue(reads: Reads, _command: commands.SetCatalogue) -> Catalogue:
    return waitlist(reads).catalogue()


def freed(reads: Reads, command: commands.FreeSlot) -> views.FreedView:
    wl = waitlist(reads)
    known = wl.slot(command.slot_id) or wl.slot_by_origin(command.origin)
    return views.FreedView(wl.rules(), known, wl.catalogue(), slots_near(wl, command.opening))


def overlapping(reads: Reads, command: commands.ReportOverlap) -> views.FreedView:
    wl = waitlist(reads)
    known = wl.slot_by_origin(command.origin)
    return views.FreedView(wl.rules(), known, wl.catalogue(), slots_near(wl, command.opening))


def slots_near(wl: WaitlistReads, opening: Opening) -> Sequence[Slot]:
    """Every slot that may overlap this opening, whatever its resource and state."""
    try:
        return wl.slots_between(opening.starts_at - LONGEST_SLOT, opening.ends_at)
    except OverflowError:
        return ()


class SlotLoader(Frozen):
    """Loads slots. The wiring supplies `out_of_reach`."""

    out_of_reach: OutOfReach = lambda _reads: None

    def slot(
        self, reads: Reads, command: commands.MakeMove | commands.TakeBackSlot
    ) -> views.SlotView | None:
        """Loads a slot. Only a slot without a current offer needs the next candidate."""
        wl = waitlist(reads)
        found = wl.slot(command.slot_id)
        if found is None:
            return None
        offers = wl.offers(found.id) if found.offers else ()
        if found.offer_seq:
            return views.SlotView(found, offers, ())
        is_move = isinstance(command, commands.MakeMove) or command.nobody_fits
        why_not = self.out_of_reach(reads) if is_move else None
        if why_not is None:
            return views.SlotView(found, offers, wl.candidates(found, 1))
        return _first_in_reach(reads, views.SlotView(found, offers, ()), why_not)


def _first_in_reach(reads: Reads, view: views.SlotView, why_not: WhyNot) -> views.SlotView:
    """Finds the first candidate who can be reached, and those before who are passed over for the
    first time."""
    wl, slot = waitlist(reads), view.slot
    passed: dict[EntryId, str] = {}
    for limit in _LIMITS:
        candidates = wl.candidates(slot, limit)
        for each in candidates[len(passed) :]:
            person = reads.engine.person(each.person_id)
            if not (why := why_not(person) if person else ""):
                return _passing_over(wl, replace(view, candidates=(each,)), passed)
            passed[each.id] = why
        if len(candidates) < limit:
            break
    return _passing_over(wl, view, passed)


def _passing_over(
    wl: WaitlistReads, view: views.SlotView, passed: Mapping[EntryId, str]
) -> views.SlotView:
    if not passed:
        return view
    known = passed_over_before(wl.facts(view.slot.id, limit=MOST_FACTS))
    new = tuple(each for each in passed if each not in known)
    return replace(view, passed_over=new, passed_over_why=passed[new[0]] if new else "")


def again(reads: Reads, command: commands.OfferAgain) -> views.AgainView | None:
    wl = waitlist(reads)
    of = wl.slot(command.slot_id)
    if of is None:
        return None
    known = wl.slot_by_origin(again_origin(of.id))
    return views.AgainView(of, wl.offers(of.id), known, wl.rules(), slots_near(wl, of.opening))


def booking(
    reads: Reads, command: commands.CancelBooking | commands.MarkNoShow
) -> views.BookingView | None:
    """Loads a booking; None if the slot was never booked."""
    wl = waitlist(reads)
    of = wl.slot(command.slot_id)
    entry = wl.entry(EntryId(of.booked_by)) if of and of.booked_by else None
    if of is None or entry is None:
        return None
    offers = wl.offers(of.id)
    claimed = next(each for each in offers if each.entry_id == entry.id)
    another = any(each.id != of.id for each in wl.bookings(entry.id))
    return views.BookingView(
        of, claimed, offers, entry, another, wl.rules(), slots_near(wl, of.opening)
    )


def offer(reads: Reads, command: commands.OfferCommand) -> views.OfferView | None:
    """Reads the offer again after the entry and the slot, so that it is not older: if these show a
    claim, the offer does too."""
    wl = waitlist(reads)
    known = wl.offer(command.slot_id, command.seq)
    if known is None:
        return None
    theirs, of = wl.entry(known.entry_id), wl.slot(command.slot_id)
    assert theirs is not None, "an offer belongs to an entry"
    assert of is not None, "an offer is of a slot"
    return views.OfferView(of, wl.offer(command.slot_id, command.seq) or known, theirs)


def expiring(reads: Reads, _command: commands.ExpireEntries) -> views.ExpiryView:
    wl = waitlist(reads)
    return views.ExpiryView(wl.rules(), wl.soonest_to_expire(STEP))


def month(reads: Reads, command: commands.SumUpMonth) -> views.MonthView:
    """Loads the whole month before, in local time."""
    wl = waitlist(reads)
    rules = wl.rules()
    tz = zone(rules.zone)
    next_first = to_wall(command.due_at, tz).date().replace(day=1)
    first = (next_first - timedelta(days=1)).replace(day=1)
    since, until = (same_wall_time(day, time(), tz) for day in (first, next_first))
    return views.MonthView(rules, first, wl.freed_between(since, until), wl.catalogue())
