"""Rebuilds events and guests from the audit alone, to compare them with the stored rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from frontdesk.core.decision import Fact
from frontdesk.desks.rsvp import facts as f
from frontdesk.desks.rsvp.model import (
    Event,
    EventId,
    EventState,
    Guest,
    GuestId,
    Seats,
    State,
)
from frontdesk.desks.rsvp.offer_facts import (
    OfferArmed,
    OfferDeclined,
    OfferDisarmed,
    OfferLapsed,
    OfferMade,
    OfferShortened,
    OfferStopped,
    OfferTakenBack,
    OfferUndelivered,
)
from frontdesk.engine.ports import Recorded
from frontdesk.values import replace


@dataclass(slots=True)
class RebuiltLists:
    """Events and guests as the audit describes them. `seats` computes the counters."""

    events: dict[EventId, Event] = field(default_factory=dict)
    guests: dict[GuestId, Guest] = field(default_factory=dict)

    def seats(self, event_id: EventId) -> Seats:
        """Computes the event's counters from its guests. Leaves `rev` and `tickets` as they are."""
        seats = self.events[event_id].seats
        guests = [one for one in self.guests.values() if one.event_id == event_id]
        taken = sum(one.party for one in guests if one.state is State.CONFIRMED)
        offered = sum(one.party for one in guests if one.state is State.OFFERED)
        waiting = [one for one in guests if one.state is State.WAITING]
        return replace(
            seats,
            free=seats.cap - taken - offered,
            offered=offered,
            taken=taken,
            waiting=len(waiting),
            owed=sum(one.seen < seats.round for one in waiting),
        )


def replay(facts: Iterable[Recorded]) -> RebuiltLists:
    rebuilt = RebuiltLists()
    for recorded in _in_order(facts):
        fact = recorded.fact
        match fact:
            case f.GuestInvited() | f.GuestConfirmed() | f.GuestJoinedLine() | f.SeatsTakenOver():
                _add_or_update(rebuilt, fact, recorded)
            case f.GuestFact():
                guest = rebuilt.guests[fact.guest_id]
                rebuilt.guests[fact.guest_id] = replace(
                    _guest_after(guest, fact), version=max(guest.version, fact.version)
                )
            case f.EventFact():
                _event_after(rebuilt, fact)
            case _:
                pass
    return rebuilt


def _in_order(facts: Iterable[Recorded]) -> list[Recorded]:
    """Orders each guest's facts by version, because the clocks of two machines may differ."""
    ordered = list(facts)
    places: dict[GuestId, list[int]] = {}
    for place, recorded in enumerate(ordered):
        if isinstance(recorded.fact, f.GuestFact):
            places.setdefault(recorded.fact.guest_id, []).append(place)
    for mine in places.values():
        by_version = sorted((ordered[place] for place in mine), key=_version)
        for place, recorded in zip(mine, by_version, strict=True):
            ordered[place] = recorded
    return ordered


def _version(recorded: Recorded) -> int:
    assert isinstance(recorded.fact, f.GuestFact)
    return recorded.fact.version


def _add_or_update(
    rebuilt: RebuiltLists,
    fact: f.GuestInvited | f.GuestConfirmed | f.GuestJoinedLine | f.SeatsTakenOver,
    recorded: Recorded,
) -> None:
    """Adds the guest, or updates the row of a guest who is already known."""
    guest = rebuilt.guests.get(fact.guest_id)
    if guest is None:
        guest = Guest(
            fact.guest_id,
            fact.event_id,
            fact.person_id,
            State.PENDING,
            fact.party,
            fact.lane,
            joined_at=recorded.at,
        )
    guest = replace(guest, party=fact.party, lane=fact.lane, version=fact.version)
    match fact:
        case f.GuestInvited():
            guest = replace(guest, state=State.PENDING)
        case f.GuestConfirmed() | f.SeatsTakenOver():
            guest = replace(
                guest,
                state=State.CONFIRMED,
                reminders=fact.reminders,
                live=False,
                claim_by=None,
                arrived=0,
            )
        case f.GuestJoinedLine():
            guest = replace(
                guest,
                state=State.WAITING,
                ticket=fact.ticket,
                lapsed=False,
                seen=-1,
                reminders=(),
            )
    rebuilt.guests[guest.id] = guest


def _guest_after(guest: Guest, fact: f.GuestFact) -> Guest:
    waits_again = replace(guest, state=State.WAITING, live=False, claim_by=None)
    match fact:
        case f.GuestCancelled() | f.SeatsPassedOn():
            return replace(
                guest, state=State.CANCELLED, live=False, claim_by=None, reminders=(), arrived=0
            )
        case f.PartyReduced():
            return replace(guest, party=fact.after, arrived=min(guest.arrived, fact.after))
        case f.GuestMovedInLine():
            return replace(guest, ticket=fact.ticket, lapsed=fact.lapsed)
        case f.GuestRetimed():
            arrived = 0 if fact.again else guest.arrived
            return replace(guest, reminders=fact.reminders, arrived=arrived)
        case f.GuestToldOfCallOff():
            return replace(guest, reminders=())
        case f.ReminderDue():
            return replace(
                guest, reminders=tuple(name for name in guest.reminders if name != fact.timer)
            )
        case f.GuestArrived():
            return replace(guest, arrived=fact.arrived)
        case OfferMade():
            return replace(guest, state=State.OFFERED, seq=fact.seq, live=False, claim_by=None)
        case OfferArmed():
            return replace(guest, live=True, claim_by=fact.claim_by)
        case OfferShortened():
            return replace(guest, claim_by=fact.claim_by)
        case OfferDisarmed():
            return replace(guest, live=False, claim_by=None)
        case OfferLapsed() | OfferUndelivered():
            return replace(waits_again, seen=fact.seen, lapsed=True)
        case OfferDeclined() | OfferStopped() | OfferTakenBack():
            return replace(waits_again, seen=fact.seen)
        case _:
            return guest


def _event_after(rebuilt: RebuiltLists, fact: Fact) -> None:
    match fact:
        case f.EventCreated():
            seats = Seats(cap=fact.cap, free=fact.cap)
            event = Event(fact.event_id, fact.slug, fact.details, fact.settings, seats)
        case f.EventEdited():
            event = replace(
                rebuilt.events[fact.event_id],
                slug=fact.slug,
                details=fact.details,
                settings=fact.settings,
                sequence=fact.sequence,
            )
        case f.EventCalledOff():
            event = replace(
                rebuilt.events[fact.event_id],
                state=EventState.CALLED_OFF,
                sequence=fact.sequence,
            )
        case f.CapChanged():
            event = rebuilt.events[fact.event_id]
            seats = replace(event.seats, cap=fact.after, round=fact.round)
            event = replace(event, seats=seats)
        case f.SeatsFreed():
            event = rebuilt.events[fact.event_id]
            event = replace(event, seats=replace(event.seats, round=fact.round))
        case _:
            return
    rebuilt.events[event.id] = event


def _without_name(guest: Guest | None) -> Guest | None:
    """Removes name and address, which the audit does not contain."""
    return None if guest is None else replace(guest, name="", email="", own_name=False)


def differences(
    rebuilt: RebuiltLists, events: Iterable[Event], guests: Iterable[Guest]
) -> list[str]:
    """Describes each difference between the stored rows and the audit; empty if there is none."""
    found: list[str] = []
    live_guests = {guest.id: guest for guest in guests}
    for event in events:
        again = rebuilt.events.get(event.id)
        if again is None:
            found.append(f"event {event.id} is not in the audit")
            continue
        seats = replace(rebuilt.seats(event.id), rev=event.seats.rev, tickets=event.seats.tickets)
        again = replace(
            again,
            seats=seats,
            version=event.version,
            thanks=event.thanks,
            thanks_sent=event.thanks_sent,
        )
        if again != event:
            found.append(f"event {event.id}: the audit says {again}, the row says {event}")
    for guest_id in sorted(rebuilt.guests.keys() | live_guests.keys()):
        audit, live = rebuilt.guests.get(guest_id), _without_name(live_guests.get(guest_id))
        if audit != live:
            found.append(f"guest {guest_id}: the audit says {audit}, the row says {live}")
    return found
