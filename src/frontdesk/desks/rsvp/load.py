"""Loads the rows that each decision of the RSVP desk needs."""

from __future__ import annotations

from typing import Protocol

from frontdesk.core.contacts import email_key
from frontdesk.desks.rsvp import commands, thanks, views
from frontdesk.desks.rsvp.decide.jobs import STEP
from frontdesk.desks.rsvp.decide.seats import seat_is_free, whole_event
from frontdesk.desks.rsvp.model import Event, EventId, EventSettings, Guest, GuestId
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.engine.ports import Reads
from frontdesk.values import replace

#: The most parties larger than the whole event that strict order skips.
HOPELESS_PARTIES = 50


class HasGuest(Protocol):
    """A command about one guest."""

    @property
    def guest_id(self) -> GuestId: ...


def rsvp(reads: Reads) -> RsvpReads:
    desk: RsvpReads = reads.desk("ev")
    return desk


def nothing(_reads: Reads, _command: object) -> None:
    return None


def seat_request(reads: Reads, command: commands.SignUp) -> views.SeatRequest:
    return _seat_request(rsvp(reads), command.event_id, command.email, command.party)


def stranger(reads: Reads, command: commands.AnswerStranger) -> views.SeatRequest:
    return _seat_request(rsvp(reads), command.event_id, command.email, party=1)


def written_down(reads: Reads, command: commands.QueueSignUp) -> views.SeatRequest:
    return _seat_request(rsvp(reads), command.event_id, command.email, command.party)


def _seat_request(ev: RsvpReads, event_id: EventId, email: str, party: int) -> views.SeatRequest:
    event = ev.event(event_id)
    person = ev.person_by_email(email_key(email))
    guest = ev.guest_of(event_id, person.id) if person is not None else None
    lapsed = _lapsed_if_full(ev, event, party) if event is not None else 0
    return views.SeatRequest(event, person, guest, lapsed)


def _lapsed_if_full(ev: RsvpReads, event: Event, party: int) -> int:
    """Counts lapsed guests in line. Only a guest who joins the line needs the number."""
    return 0 if seat_is_free(event.seats, party) else ev.lapsed_waiting(event.id)


def guest(reads: Reads, command: HasGuest) -> views.GuestView | None:
    ev = rsvp(reads)
    found = ev.guest(command.guest_id)
    if found is None:
        return None
    event = ev.event(found.event_id)
    assert event is not None, "a guest belongs to an event"
    return views.GuestView(event, found)


def contact(reads: Reads, command: commands.FollowContact) -> views.ContactView | None:
    view = guest(reads, command)
    person = None if view is None else rsvp(reads).person(view.guest.person_id)
    if view is None or person is None:
        return None
    return views.ContactView(view.event, view.guest, person)


def passing_on(reads: Reads, command: commands.PassOn) -> views.PassOnView | None:
    ev, view = rsvp(reads), guest(reads, command)
    if view is None:
        return None
    person = ev.person_by_email(email_key(command.email))
    there = None if person is None else ev.guest_of(view.event.id, person.id)
    return views.PassOnView(view.event, view.guest, person, there)


def guest_asking(reads: Reads, command: HasGuest) -> views.GuestView | None:
    """Loads a guest who may join the line."""
    view = guest(reads, command)
    if view is None:
        return None
    lapsed = _lapsed_if_full(rsvp(reads), view.event, view.guest.party)
    return replace(view, lapsed_waiting=lapsed)


def guest_in_line(reads: Reads, command: commands.MoveInLine) -> views.GuestView | None:
    view = guest(reads, command)
    return view and replace(view, line_ends=rsvp(reads).line_ends(view.event.id))


def fill(reads: Reads, command: commands.Fill) -> views.FillView:
    ev = rsvp(reads)
    event = ev.event(command.event_id)
    if event is None or event.seats.free == 0:
        return views.FillView(event, None, None, None)
    if event.seats.free < 0:
        return views.FillView(event, None, None, ev.last_pending_offer(event.id))
    if event.seats.owed == 0:
        return views.FillView(event, None, None, None)
    first = _first_in_line(ev, event)
    return views.FillView(event, first, _who_fits(ev, event, first), None)


def _first_in_line(ev: RsvpReads, event: Event) -> Guest | None:
    """Returns the first in line. Strict order skips parties that are larger than the event."""
    if not event.settings.strict_order:
        return next(iter(ev.next_in_line(event.id, event.seats.round, 1)), None)
    line = ev.next_in_line(event.id, event.seats.round, HOPELESS_PARTIES)
    return next((one for one in line if one.party <= event.seats.cap), None)


def _who_fits(ev: RsvpReads, event: Event, first: Guest | None) -> Guest | None:
    if first is None or first.party <= event.seats.free:
        return first
    if event.settings.strict_order:
        return None
    return ev.next_that_fits(event.id, event.seats.round, event.seats.free)


def larger_than_the_event(ev: RsvpReads, event: Event, most: int) -> list[Guest]:
    """Returns the parties among the first `most` in line that are larger than the event."""
    if event.seats.waiting == 0:
        return []
    line = ev.next_in_line(event.id, event.seats.round + 1, most)
    return [guest for guest in line if guest.party > whole_event(event)]


AboutAnEvent = (
    commands.BeginImport
    | commands.CallOff
    | commands.DraftThanks
    | commands.EditThanks
    | commands.ReportHeadcount
    | commands.SendThanks
    | commands.SetCap
)


def event(reads: Reads, command: AboutAnEvent) -> views.EventView:
    return views.EventView(rsvp(reads).event(command.event_id))


def event_with_guests(
    reads: Reads, command: commands.CallOff | commands.SendThanks
) -> views.EventView:
    ev = rsvp(reads)
    return views.EventView(ev.event(command.event_id), guests=ev.guest_count(command.event_id))


def event_with_draft(reads: Reads, command: commands.DraftThanks) -> views.EventView:
    ev = rsvp(reads)
    found = ev.event(command.event_id)
    if found is None:
        return views.EventView(None)
    return views.EventView(found, draft=command.words or thanks.draft(found, ev.counts(found.id)))


def event_by_slug(
    reads: Reads, command: commands.CreateEvent | commands.EditEvent
) -> views.EventView:
    ev = rsvp(reads)
    return views.EventView(
        ev.event(command.event_id),
        slug_owner=ev.event_by_slug(command.slug),
        guests=ev.guest_count(command.event_id),
    )


def job(reads: Reads, command: commands.StepJob) -> views.JobView:
    ev = rsvp(reads)
    found = ev.job(command.job_id)
    if found is None:
        return views.JobView(None, None, ())
    event_id = EventId(found.subject)
    return views.JobView(found, ev.event(event_id), ev.guests_after(event_id, found.cursor, STEP))


def import_row(reads: Reads, command: commands.TakeImportRow) -> views.ImportView:
    ev = rsvp(reads)
    found = ev.job(command.job_id)
    nobody = views.SeatRequest(None, None, None)
    if found is None:
        return views.ImportView(None, None, nobody)
    row = ev.import_row(found.id, int(found.cursor or 0))
    if row is None:
        return views.ImportView(found, None, nobody)
    request = _seat_request(ev, EventId(found.subject), row.email, row.party)
    return views.ImportView(found, row, request)


def defaults(reads: Reads, _command: commands.SetDefaults) -> EventSettings:
    return rsvp(reads).defaults()
