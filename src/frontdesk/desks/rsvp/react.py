"""Maps facts, timers and jobs to the commands that they cause."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from frontdesk.core.decision import Command, Fact, TimerName
from frontdesk.core.jobs import Job
from frontdesk.core.mail import MailReceived
from frontdesk.core.people import Correction, PersonId
from frontdesk.desks.rsvp import commands, facts
from frontdesk.desks.rsvp.load import larger_than_the_event, rsvp
from frontdesk.desks.rsvp.model import EventId, GuestId, State
from frontdesk.desks.rsvp.offer_facts import (
    OfferDeclined,
    OfferDisarmed,
    OfferLapsed,
    OfferMade,
    OfferStopped,
    OfferTakenBack,
    OfferUndelivered,
)
from frontdesk.engine.ports import Reads, Recorded

#: How many waiting guests are checked when the cap is cut.
MOST_TOLD = 10_000
#: Facts that may change who is next, or whether there are seats to offer.
MAY_CHANGE_WHO_IS_NEXT: tuple[type[Fact], ...] = (
    facts.SeatsFreed,
    facts.CapChanged,
    facts.EventEdited,
    facts.GuestJoinedLine,
    facts.GuestCancelled,
    facts.GuestMovedInLine,
    facts.PartyReduced,
    OfferMade,
    OfferDeclined,
    OfferDisarmed,
    OfferLapsed,
    OfferStopped,
    OfferTakenBack,
    OfferUndelivered,
)


def look_who_is_next(_reads: Reads, recorded: Recorded) -> Iterable[Command]:
    return (commands.Fill(EventId(recorded.fact.subject)),)


def after_fewer_seats(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    """Fills, and tells waiting parties that are now larger than the event."""
    event_id = EventId(recorded.fact.subject)
    yield commands.Fill(event_id)
    fact, event = recorded.fact, rsvp(reads).event(event_id)
    if event is None or (isinstance(fact, facts.CapChanged) and fact.after > fact.before):
        return
    for guest in larger_than_the_event(rsvp(reads), event, MOST_TOLD):
        yield commands.TellPartyTooLarge(guest.id, recorded.seq)


def after_confirmation(_reads: Reads, recorded: Recorded) -> Iterable[Command]:
    """Fills after a claim or a seat from the line. A seat that was taken at once does not change
    the line."""
    fact = recorded.fact
    assert isinstance(fact, facts.GuestConfirmed)
    if fact.before in (State.OFFERED, State.WAITING):
        return (commands.Fill(fact.event_id),)
    return ()


def give_up_places(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    """Cancels an erased person's places at events that have not begun."""
    ev = rsvp(reads)
    for guest in ev.places_of(PersonId(recorded.fact.subject)):
        event = ev.event(guest.event_id)
        assert event is not None, "a guest belongs to an event"
        if guest.state is not State.CANCELLED and recorded.at < event.details.starts_at:
            yield commands.Cancel(guest.id, by_host=True)


def follow_correction(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    """Copies a correction to the person's sign-ups at events that are not over."""
    fact = recorded.fact
    assert isinstance(fact, Correction)
    person_id = PersonId(fact.subject)
    return follow_contact_of(reads, person_id, recorded.at, new_address=fact.new_address)


def follow_contact_of(
    reads: Reads, person_id: PersonId, at: datetime, *, new_address: bool
) -> Iterable[Command]:
    ev = rsvp(reads)
    for guest in ev.places_of(person_id):
        event = ev.event(guest.event_id)
        if event is not None and at < event.details.ends_at:
            yield commands.FollowContact(guest.id, new_address=new_address)


def answer_in_turn(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    """Runs a sign-up that was stored because too many came at once."""
    fact = recorded.fact
    assert isinstance(fact, facts.SignUpWrittenDown)
    person = rsvp(reads).person(fact.person_id)
    if person is None or person.erased:
        return ()
    request = (fact.person_id, person.name, person.email, fact.party, fact.lane)
    return (commands.SignUp(fact.event_id, fact.guest_id, *request),)


Reaction = Callable[[Reads, Recorded], Iterable[Command]]


def reactions(read_mail: Reaction) -> Mapping[type[Fact], Reaction]:
    return {
        **dict.fromkeys(MAY_CHANGE_WHO_IS_NEXT, look_who_is_next),
        facts.CapChanged: after_fewer_seats,
        OfferTakenBack: after_fewer_seats,
        facts.GuestConfirmed: after_confirmation,
        facts.SignUpWrittenDown: answer_in_turn,
        MailReceived: read_mail,
    }


def _parts(name: TimerName) -> list[str]:
    """Splits 'ev/<kind>/<id>[/…]'."""
    return name.split("/")


def offer_lapses(name: TimerName, _due_at: datetime) -> Command:
    _, _, guest_id, seq = _parts(name)
    return commands.LapseOffer(GuestId(guest_id), int(seq))


def reminder_rings(name: TimerName, due_at: datetime) -> Command:
    return commands.Remind(GuestId(_parts(name)[2]), name, due_at)


def headcount_rings(name: TimerName, due_at: datetime) -> Command:
    return commands.ReportHeadcount(EventId(_parts(name)[2]), due_at)


def event_is_over(drafts: Callable[[EventId], str] | None) -> Callable[..., Command]:
    """Calls `drafts` before the commit, so that no other write waits for the draft."""

    def over(name: TimerName, _due_at: datetime) -> Command:
        event_id = EventId(_parts(name)[2])
        return commands.DraftThanks(event_id, drafts(event_id) if drafts else "")

    return over


TIMERS: Mapping[str, Callable[[TimerName, datetime], Command]] = {
    "offer": offer_lapses,
    "reminder": reminder_rings,
    "headcount": headcount_rings,
}


def jobs(new_id: Callable[[], str]) -> Mapping[str, Callable[[Job], Command]]:
    def import_row(job: Job) -> Command:
        return commands.TakeImportRow(job.id, GuestId(new_id()), PersonId(new_id()))

    def next_people(job: Job) -> Command:
        return commands.StepJob(job.id)

    table: dict[str, Callable[[Job], Any]] = {
        "import": import_row,
        "retime": next_people,
        "call_off": next_people,
        "thanks": next_people,
    }
    return table
