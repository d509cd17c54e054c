"""Decides how sign-ups follow a corrected contact, and passes seats on to another guest."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.contacts import email_key
from frontdesk.core.decision import Accepted, Change, Decision, DropTimer, Refused
from frontdesk.core.localtime import zone
from frontdesk.core.people import AddPerson
from frontdesk.core.quiet_hours import leaves_time
from frontdesk.desks.rsvp.changes import AddGuest, MoveOffer, SameEvent, WriteGuest
from frontdesk.desks.rsvp.commands import FollowContact, PassOn
from frontdesk.desks.rsvp.decide import timers
from frontdesk.desks.rsvp.decide.seats import confirmed, refuse_if_closed
from frontdesk.desks.rsvp.facts import ContactFollowed, SeatsPassedOn, SeatsTakenOver
from frontdesk.desks.rsvp.model import Event, Guest, Lane, OfferState, State
from frontdesk.desks.rsvp.offer_facts import OfferDisarmed
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.desks.rsvp.views import ContactView, PassOnView
from frontdesk.values import replace


def follow_contact(view: ContactView | None, command: FollowContact, now: datetime) -> Decision:
    """Copies the corrected name and address to the sign-up, unless the event is over."""
    if view is None:
        return Refused(Reason.NO_SUCH_GUEST)
    event, guest, person = view.event, view.guest, view.person
    if now >= event.details.ends_at or person.erased:
        return Refused(Reason.UNCHANGED)
    name = guest.name if guest.own_name else person.name
    named = replace(guest, name=name, email=person.email)
    again = command.new_address and _has_open_offer(event, guest, now)
    if named == guest and not again:
        return Refused(Reason.UNCHANGED)
    followed = replace(named, version=guest.version + 1)
    fact = ContactFollowed(
        event.id,
        guest.id,
        followed.version,
        offer_again=again,
        seq=guest.seq,
        last_useful_at=event.details.starts_at,
    )
    if not again or _leaves_time(event, guest, now):
        return Accepted((WriteGuest(followed),), (fact,))
    return _with_a_fresh_window(followed, fact, now)


def _has_open_offer(event: Event, guest: Guest, now: datetime) -> bool:
    """Whether the offer's mail went out and the offer can still be claimed. A pending offer uses
    the new address in any case."""
    if guest.state is not State.OFFERED or not guest.live or refuse_if_closed(event, now):
        return False
    return guest.claim_by is not None and now < guest.claim_by


def _leaves_time(event: Event, guest: Guest, now: datetime) -> bool:
    """Whether a mail sent now leaves time to answer before the deadline."""
    assert guest.claim_by is not None
    settings = event.settings
    return leaves_time(
        guest.claim_by,
        window=settings.claim_window,
        quiet=settings.quiet,
        tz=zone(event.details.zone),
        now=now,
    )


def _with_a_fresh_window(guest: Guest, fact: ContactFollowed, now: datetime) -> Accepted:
    """Makes the offer pending again. A new window begins when the mail goes out."""
    pending = replace(guest, live=False, claim_by=None)
    back = MoveOffer(
        guest.event_id, guest.id, guest.seq, OfferState.LIVE, OfferState.PENDING, at=now
    )
    disarmed = OfferDisarmed(guest.event_id, guest.id, pending.version, seq=guest.seq)
    drop = DropTimer(timers.offer_timer(guest.id, guest.seq))
    return Accepted((WriteGuest(pending), back), (disarmed, fact), (drop,))


def pass_on(view: PassOnView | None, command: PassOn, now: datetime) -> Decision:
    """Cancels one guest and confirms the other with the same seats, which stay taken."""
    if view is None:
        return Refused(Reason.NO_SUCH_GUEST)
    event, guest = view.event, view.guest
    if guest.state is not State.CONFIRMED:
        return Refused(Reason.NOT_CONFIRMED)
    if refusal := refuse_if_closed(event, now):
        return refusal
    if view.to_guest is not None and view.to_guest.state is not State.CANCELLED:
        return Refused(Reason.ALREADY_ON_THE_LIST)

    people, heir = _heir(view, command, now)
    told_at = timers.told_at(event, now, asked=False)
    reminders = timers.reminders(event, heir.id, now, told_at)
    heir = confirmed(heir, timers.names(reminders))
    gone = replace(guest, state=State.CANCELLED, version=guest.version + 1, reminders=(), arrived=0)
    write: Change = AddGuest(heir) if view.to_guest is None else WriteGuest(heir)
    return Accepted(
        (*people, SameEvent(event.id, event.version), WriteGuest(gone), write),
        (
            SeatsPassedOn(event.id, guest.id, gone.version, party=guest.party, to_guest_id=heir.id),
            SeatsTakenOver(
                event.id,
                heir.id,
                heir.version,
                person_id=heir.person_id,
                party=heir.party,
                lane=heir.lane,
                before=None if view.to_guest is None else view.to_guest.state,
                reminders=heir.reminders,
                from_guest_id=guest.id,
                left_out=timers.left_out(event, now, told_at),
            ),
        ),
        (*timers.drop_reminders(guest), *reminders),
    )


def _heir(view: PassOnView, command: PassOn, now: datetime) -> tuple[tuple[Change, ...], Guest]:
    person, before = view.to_person, view.to_guest
    people: tuple[Change, ...] = ()
    if person is None:
        key = email_key(command.email)
        people = (AddPerson(command.to_person_id, command.name, command.email, key),)
    person_id = command.to_person_id if person is None else person.id
    row = before or Guest(
        command.to_guest_id,
        view.event.id,
        person_id,
        State.PENDING,
        view.guest.party,
        Lane.HOST,
        joined_at=now,
    )
    return people, replace(
        row,
        party=view.guest.party,
        lane=Lane.HOST,
        version=row.version + 1,
        name=command.name,
        email=command.email,
        own_name=person is not None and person.name not in ("", command.name),
    )
