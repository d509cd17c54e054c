"""Decides sign-ups: who gets a seat, and who joins the line."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from frontdesk.core.decision import Accepted, Change, Decision, Refused
from frontdesk.core.mail import NO_MAIL, MailId, SettleMail
from frontdesk.desks.rsvp import changes, commands, facts
from frontdesk.desks.rsvp.decide import timers
from frontdesk.desks.rsvp.decide.incoming_mail import (
    answer_unlisted,
    find_or_add_person,
    send_status,
    settle_mail,
)
from frontdesk.desks.rsvp.model import (
    Event,
    EventState,
    Guest,
    Lane,
    Seats,
    State,
)
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.desks.rsvp.views import GuestView, SeatRequest
from frontdesk.values import replace

#: Lanes in which the host signs guests up. The party limit does not apply to these.
HOSTS_LANES = frozenset({Lane.IMPORT, Lane.HOST})
LARGEST_PARTY = 1000


def sign_up(view: SeatRequest, command: commands.SignUp, now: datetime) -> Decision:
    """Gives a free seat that nobody in line is owed, or else adds the guest to the line."""
    decision = _sign_up(view, command, now)
    if isinstance(decision, Refused):
        return _settle_refused(decision, view, command)
    return decision


def _sign_up(view: SeatRequest, command: commands.SignUp, now: datetime) -> Decision:
    event, guest = view.event, view.guest
    if event is None:
        return Refused(Reason.NO_SUCH_EVENT)
    if refusal := refuse_if_closed(event, now):
        return refusal
    if not 1 <= command.party <= largest_party(event, command.lane):
        return Refused(Reason.PARTY_TOO_LARGE)
    if guest is not None and not _may_ask_again(event, guest, command):
        return Refused(Reason.ALREADY_ON_THE_LIST)

    people, guest = _row_to_write(view, event, command, now)
    mail = settle_mail(command, guest, "signed up")
    if command.invite or (event.settings.double_opt_in and _may_be_forged(command)):
        return _invite(guest, command, people + mail)
    return request_seats(
        event, view.guest, guest, view.lapsed_waiting, now, people + mail, command.mail_id
    )


def refuse_if_closed(event: Event, now: datetime) -> Refused | None:
    """Refuses if the event is called off or has begun."""
    if event.state is EventState.CALLED_OFF:
        return Refused(Reason.CALLED_OFF)
    if now >= event.details.starts_at:
        return Refused(Reason.BEGUN)
    return None


def seat_is_free(seats: Seats, party: int) -> bool:
    """Whether enough seats are free and nobody in line is owed a chance at them."""
    return seats.free >= party and seats.owed == 0


def request_seats(
    event: Event,
    before: Guest | None,
    guest: Guest,
    lapsed_waiting: int,
    now: datetime,
    more: tuple[Change, ...] = (),
    mail_id: MailId = NO_MAIL,
) -> Accepted:
    """Confirms `guest`, the row to write, or adds them to the line. `before` is the row as read."""
    waits = before is not None and before.state is State.WAITING
    was = None if before is None else before.state
    if seat_is_free(event.seats, guest.party):
        asked = was is State.PENDING or guest.lane not in HOSTS_LANES
        told_at = timers.told_at(event, now, asked=asked)
        set_timers = timers.reminders(event, guest.id, now, told_at)
        guest = confirmed(guest, timers.names(set_timers))
        take = changes.TakeSeats(event.id, event.version, guest.party, waited=waits)
        fact = confirmation(guest, was, mail_id, left_out=timers.left_out(event, now, told_at))
        return Accepted((*more, take, _write(guest, before)), (fact,), set_timers)

    assert not waits, "a waiting guest keeps their place"
    seats = event.seats
    guest = replace(
        guest, state=State.WAITING, ticket=seats.tickets + 1, lapsed=False, seen=-1, reminders=()
    )
    joined = facts.GuestJoinedLine(
        event.id,
        guest.id,
        guest.version,
        person_id=guest.person_id,
        party=guest.party,
        lane=guest.lane,
        before=was,
        ticket=guest.ticket,
        position=seats.waiting - lapsed_waiting + 1,
        mail_id=mail_id,
    )
    join = changes.JoinLine(event.id, event.version, guest.party, rev=seats.rev)
    return Accepted((*more, join, _write(guest, before)), (joined,))


def confirmed(guest: Guest, reminders: tuple[str, ...]) -> Guest:
    return replace(
        guest, state=State.CONFIRMED, live=False, claim_by=None, reminders=reminders, arrived=0
    )


def confirmation(
    guest: Guest,
    was: State | None,
    mail_id: MailId = NO_MAIL,
    seq: int = 0,
    left_out: tuple[str, ...] = (),
) -> facts.GuestConfirmed:
    return facts.GuestConfirmed(
        guest.event_id,
        guest.id,
        guest.version,
        person_id=guest.person_id,
        party=guest.party,
        lane=guest.lane,
        before=was,
        reminders=guest.reminders,
        seq=seq,
        mail_id=mail_id,
        left_out=left_out,
    )


def confirm_invitation(
    view: GuestView | None, _: commands.ConfirmInvitation, now: datetime
) -> Decision:
    """Requests seats for a pending guest who says yes, as for any other sign-up."""
    if view is None:
        return Refused(Reason.NO_SUCH_GUEST)
    if view.guest.state is not State.PENDING:
        return Refused(Reason.NOT_PENDING)
    if refusal := refuse_if_closed(view.event, now):
        return refusal
    if view.guest.party > whole_event(view.event):
        return Refused(Reason.PARTY_TOO_LARGE)
    guest = replace(view.guest, version=view.guest.version + 1)
    return request_seats(view.event, view.guest, guest, view.lapsed_waiting, now)


def tell_party_too_large(
    view: GuestView | None, command: commands.TellPartyTooLarge, now: datetime
) -> Decision:
    """Tells a waiting party that it has become larger than the event, because the cap was cut."""
    if view is None:
        return Refused(Reason.NO_SUCH_GUEST)
    event, guest = view.event, view.guest
    if guest.state is not State.WAITING:
        return Refused(Reason.NOT_WAITING)
    if refusal := refuse_if_closed(event, now):
        return refusal
    if guest.party <= whole_event(event):
        return Refused(Reason.UNCHANGED)
    fact = facts.PartyTooLarge(
        event.id,
        guest.id,
        guest.version,
        party=guest.party,
        cap=event.seats.cap,
        occasion=command.occasion,
    )
    return Accepted(facts=(fact,))


def take_free_seat(view: GuestView | None, _: commands.TakeFreeSeat, now: datetime) -> Decision:
    """Gives a waiting guest a seat that nobody is owed, by the same write as for a newcomer."""
    if view is None:
        return Refused(Reason.NO_SUCH_GUEST)
    event, guest = view.event, view.guest
    if guest.state is not State.WAITING:
        return Refused(Reason.NOT_WAITING)
    if refusal := refuse_if_closed(event, now):
        return refusal
    if not seat_is_free(event.seats, guest.party):
        return Refused(Reason.FULL)
    seated = replace(guest, version=guest.version + 1)
    accepted = request_seats(event, guest, seated, view.lapsed_waiting, now)
    (fact,) = accepted.facts
    assert isinstance(fact, facts.GuestConfirmed), "a free seat confirms"
    return replace(accepted, facts=(replace(fact, asked=True),))


def largest_party(event: Event, lane: Lane) -> int:
    """Returns the largest party allowed: the host's limit, and at most the whole event, because a
    larger party would wait for ever. A party of one is always allowed, even if the cap is 0."""
    limit = LARGEST_PARTY if lane in HOSTS_LANES else event.settings.party_limit
    return min(limit, whole_event(event))


def whole_event(event: Event) -> int:
    return max(event.seats.cap, 1)


def _may_ask_again(event: Event, guest: Guest, command: commands.SignUp) -> bool:
    """Whether a guest on the list may sign up again. A pending guest confirms by their link, by an
    authenticated mail or through the host."""
    match guest.state:
        case State.CANCELLED:
            return True
        case State.PENDING:
            return not command.invite and not _may_be_forged(command)
        case State.WAITING:
            return not command.invite and seat_is_free(event.seats, guest.party)
        case State.CONFIRMED | State.OFFERED:
            return False
        case _:
            assert_never(guest.state)


def _may_be_forged(command: commands.SignUp) -> bool:
    """Whether somebody else may have entered this address, in a form or a mail header."""
    match command.lane:
        case Lane.FORM:
            return True
        case Lane.EMAIL:
            return not command.authenticated
        case Lane.IMPORT | Lane.HOST:
            return False
        case _:
            assert_never(command.lane)


def _row_to_write(
    view: SeatRequest, event: Event, command: commands.SignUp, now: datetime
) -> tuple[tuple[Change, ...], Guest]:
    """Returns the guest's row with its state still open, and the change that adds a new person."""
    if view.guest is not None:
        waits = view.guest.state is State.WAITING
        party = view.guest.party if waits else command.party
        version = view.guest.version + 1
        guest = replace(view.guest, party=party, lane=command.lane, version=version)
        return (), _with_given_name(
            guest, view, command
        ) if guest.state is State.CANCELLED else guest

    people, person_id = find_or_add_person(view, command)
    guest = Guest(
        command.guest_id,
        event.id,
        person_id,
        State.PENDING,
        command.party,
        command.lane,
        version=1,
        joined_at=now,
    )
    return people, _with_given_name(guest, view, command)


def _with_given_name(guest: Guest, view: SeatRequest, command: commands.SignUp) -> Guest:
    """Stores the given name and address with this sign-up."""
    own = view.person is not None and view.person.name not in ("", command.name)
    return replace(guest, name=command.name, email=command.email, own_name=own)


def _write(guest: Guest, before: Guest | None) -> Change:
    return changes.AddGuest(guest) if before is None else changes.WriteGuest(guest)


def _invite(guest: Guest, command: commands.SignUp, more: tuple[Change, ...]) -> Accepted:
    guest = replace(guest, state=State.PENDING)
    fact = facts.GuestInvited(
        guest.event_id,
        guest.id,
        guest.version,
        person_id=guest.person_id,
        party=guest.party,
        lane=guest.lane,
        opt_in=not command.invite,
        mail_id=command.mail_id,
    )
    write = changes.AddGuest(guest) if guest.version == 1 else changes.WriteGuest(guest)
    return Accepted((*more, write), (fact,))


def _settle_refused(refusal: Refused, view: SeatRequest, command: commands.SignUp) -> Decision:
    """Settles and answers a refused mail: the guest's status, or why there is no seat."""
    if not command.mail_id:
        return refusal
    if view.event is None:
        return Accepted((SettleMail(command.mail_id, "", refusal.reason),))
    if view.guest is None or view.guest.state is State.CANCELLED:
        return answer_unlisted(view, command, refusal.reason, cancelling=False)
    return send_status(view.guest, command, refusal.reason)
