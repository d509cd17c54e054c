"""Decisions about new bookings: claim, approval, and the end of a pending one."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from frontdesk.core.consents import consent_changes
from frontdesk.core.contacts import contact_key
from frontdesk.core.decision import Accepted, Change, Decision, Refused
from frontdesk.core.people import AddPerson
from frontdesk.desks.booking import commands, facts
from frontdesk.desks.booking.changes import (
    AddBooking,
    AddRequest,
    BookingAsRead,
    WriteBooking,
)
from frontdesk.desks.booking.decide import tallies, timers
from frontdesk.desks.booking.decide.cells import Grid
from frontdesk.desks.booking.decide.claims import Claim, RequestedVisit, claim, local_day
from frontdesk.desks.booking.decide.endings import end_booking
from frontdesk.desks.booking.decide.holds import delete_holds
from frontdesk.desks.booking.decide.requests import given_request, is_unsettled, settle_request
from frontdesk.desks.booking.decide.states import (
    after_approval,
    calendar_job,
    confirmation,
    next_version,
    within_row_limit,
)
from frontdesk.desks.booking.model import (
    Booking,
    BookingStatus,
    Lane,
    RequestId,
    rules_with_holds,
)
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.rules import Approval, BookingRules, QuestionKind, ServiceRules
from frontdesk.desks.booking.views import BookingView, BookView
from frontdesk.values import replace

LONGEST_TEXT: Final = 2_000

#: A customer gets the link of a booking at most once in this time.
LINK_EVERY: Final = timedelta(minutes=20)

# --- claim ----------------------------------------------------------------------------------


def book(view: BookView, command: commands.Book, now: datetime) -> Decision:
    """Claims a time. It is confirmed at once, unless staff approve it or calendars are written."""
    if view.known is not None:
        return Refused(Reason.ALREADY_BOOKED)
    if command.request_id and not is_unsettled(view.request):
        return Refused(Reason.REQUEST_SETTLED)
    if not command.email and not command.mobile:
        return Refused(Reason.NO_CONTACT)
    rules = view.time.rules
    service = rules.service(command.service)
    if service is None:
        return Refused(Reason.NO_SUCH_SERVICE)
    by_staff = command.lane is Lane.STAFF
    if not by_staff and (reason := _customer_refusal(view, service, command, now)):
        return Refused(reason)
    grid = Grid(view.time.cells, now)
    for hold in view.holds:
        grid.give_up(hold.holder)
    visit = RequestedVisit(service, command.starts_at, command.party, command.resource)
    override = command.override and by_staff
    holder = f"booking:{command.booking_id}"
    in_force = rules_with_holds(rules, view.holds, service, visit.starts_at, now)
    claimed = claim(replace(view.time, rules=in_force), visit, grid, holder, now, override=override)
    if isinstance(claimed, Refused):
        return claimed
    booking = _new_booking(view, command, visit, claimed, now)
    seen = None if by_staff else _counted_bookings(view, booking)
    changes: tuple[Change, ...] = (
        *_new_person(view, command),
        *_consent(view, command, now),
        *grid.changes(),
        *delete_holds(view.holds),
        AddBooking(booking),
        *tallies.count(None, booking, rules, now, seen=seen, capped=not override),
        *calendar_job(booking, rules),
    )
    recorded = _recorded(view, command, booking, now)
    return within_row_limit(
        Accepted(
            (*changes, *recorded.changes),
            (*recorded.facts, *confirmation(booking)),
            timers.exchange(None, booking, rules),
        )
    )


def _recorded(view: BookView, command: commands.Book, booking: Booking, now: datetime) -> Accepted:
    """Records the booking and its request: adds a request, or settles the one that it answers."""
    made = facts.BookingMade(booking.id, booking.person_id, booking.version, booking.without_person)
    if view.request is None:
        request = given_request(booking, command, view.time.rules)
        return Accepted((AddRequest(request),), (replace(made, request=request.without_person),))
    settled_request = settle_request(view.request, booking, command.mail_id, now)
    return Accepted(settled_request.changes, (made, *settled_request.facts))


def _customer_refusal(
    view: BookView, service: ServiceRules, command: commands.Book, now: datetime
) -> Reason | None:
    """Why a customer cannot book: answers are missing, the visit is booked already, or the contact
    has too many upcoming bookings."""
    if not answers_are_complete(service, command):
        return Reason.BAD_ANSWERS
    if command.unless_same and any(_is_same_visit(one, service, command) for one in view.of_person):
        return Reason.SAME_VISIT
    upcoming = limited_bookings(view.of_person, now, by_owner=_is_by_owner(view))
    return Reason.TOO_MANY if len(upcoming) >= service.most_upcoming else None


def limited_bookings(
    of_person: Iterable[Booking], now: datetime, *, by_owner: bool
) -> list[Booking]:
    """The upcoming bookings that count for the limit of one contact. For the owner of the contact,
    bookings by the form do not count: a stranger may have made them."""
    upcoming = [one for one in of_person if one.takes_time and one.ends_at > now]
    return [one for one in upcoming if not (by_owner and one.is_by_form)]


def _is_by_owner(view: BookView) -> bool:
    """Whether the customer answers times that we sent to this contact."""
    request = view.request.request if view.request else None
    return bool(request and view.person and request.person_id == view.person.id)


def _is_same_visit(booking: Booking, service: ServiceRules, command: commands.Book) -> bool:
    """Whether the customer has booked this visit already. Another name at the same contact is
    another customer, as in a family."""
    return (
        booking.takes_time
        and booking.service == service.name
        and booking.name.casefold() == command.name.casefold()
        and booking.starts_at < command.starts_at + service.duration
        and command.starts_at < booking.ends_at
    )


def answers_are_complete(service: ServiceRules, command: commands.Book) -> bool:
    known = {each.id for each in service.questions}
    if set(command.answers) - known:
        return False
    if any(len(each) > LONGEST_TEXT for each in command.answers.values()):
        return False
    for each in service.questions:
        answer = command.answers.get(each.id, "")
        if each.required and not answer:
            return False
        if answer and each.kind is QuestionKind.CHOICE and answer not in each.choices:
            return False
    return True


def _counted_bookings(view: BookView, booking: Booking) -> int:
    """The number of the person's bookings that the decision about the limit has read."""
    tally = view.time.occupancy.tallies.get(tallies.person_key(booking.person_id))
    return tally.bookings if tally else 0


def _new_person(view: BookView, command: commands.Book) -> tuple[Change, ...]:
    if view.person is not None:
        return ()
    key = contact_key(command.email, command.mobile)
    return (AddPerson(command.person_id, command.name, command.email, key, command.mobile),)


def _consent(view: BookView, command: commands.Book, now: datetime) -> tuple[Change, ...]:
    """Records the consent of a new person, or for the known number of a person. Ignores any other
    number, because a form does not change the contact of a known person."""
    person = view.person
    if person is not None and person.mobile != command.mobile:
        return ()
    person_id = person.id if person else command.person_id
    return consent_changes(view.consent, person_id, command.mobile, command.consent, now)


def _new_booking(
    view: BookView, command: commands.Book, visit: RequestedVisit, claimed: Claim, now: datetime
) -> Booking:
    rules, service = view.time.rules, visit.service
    resources = tuple(one.id for one in claimed.resources)
    approved = command.lane is Lane.STAFF or not _waits_for_approval(view, service)
    booking = Booking(
        command.booking_id,
        view.person.id if view.person else command.person_id,
        service.name,
        command.party,
        visit.starts_at,
        visit.ends_at,
        resources,
        claimed.places,
        tuple(one.capacity for one in claimed.resources),
        command.lane,
        booked_at=now.replace(microsecond=0),
        local_on=local_day(visit.starts_at, rules.zone),
        buffer_before=service.buffer_before,
        buffer_after=service.buffer_after,
        price_cents=service.price_cents,
        name=command.name,
        email=command.email,
        mobile=command.mobile,
        answers=command.answers,
        note=command.note,
        anyone=not command.resource,
        why_resource=claimed.why,
        overrides=claimed.overrides,
        request_id=command.request_id or RequestId(command.booking_id),
    )
    if not approved:
        decide_by = min(booking.booked_at + service.approve_within, booking.starts_at)
        return replace(booking, status=BookingStatus.PENDING, decide_by=decide_by)
    return after_approval(booking, rules, view.time.options, now)


def _waits_for_approval(view: BookView, service: ServiceRules) -> bool:
    if service.approval is Approval.FIRST_VISIT:
        return not any(one.status is BookingStatus.CONFIRMED for one in view.of_person)
    return service.approval is Approval.ALWAYS


# --- approval -------------------------------------------------------------------------------


def approve(view: BookingView | None, _: commands.ApproveBooking, now: datetime) -> Decision:
    """Approves a pending booking. It has held its time since it was made, so no claim is needed."""
    if view is None:
        return Refused(Reason.NO_SUCH_BOOKING)
    booking = view.booking
    if booking.status is not BookingStatus.PENDING or now >= booking.starts_at:
        return Refused(Reason.NOT_PENDING)
    after = after_approval(next_version(booking), view.rules, view.options, now)
    is_confirmed = after.status is BookingStatus.CONFIRMED
    approved = facts.BookingApproved(booking.id, booking.person_id, after.version, is_confirmed)
    return Accepted(
        (WriteBooking(after), *calendar_job(after, view.rules)),
        (approved, *confirmation(after)),
        timers.exchange(booking, after, view.rules),
    )


def decline(view: BookingView | None, _: commands.DeclineBooking, now: datetime) -> Decision:
    if view is None:
        return Refused(Reason.NO_SUCH_BOOKING)
    if view.booking.status is not BookingStatus.PENDING:
        return Refused(Reason.NOT_PENDING)
    return end_booking(view, BookingStatus.DECLINED, facts.BookingDeclined, now)


def lapse(view: BookingView | None, _: commands.LapseBooking, now: datetime) -> Decision:
    """Ends a pending booking. A timer that fires early is set again."""
    if view is None:
        return Refused(Reason.NO_SUCH_BOOKING)
    booking = view.booking
    if booking.status is not BookingStatus.PENDING or booking.decide_by is None:
        return Refused(Reason.NOT_PENDING)
    if now < booking.decide_by:
        return again(booking, view.rules)
    return end_booking(view, BookingStatus.LAPSED, facts.BookingLapsed, now)


# --- a confirmed booking --------------------------------------------------------------------


def edit(view: BookingView | None, command: commands.EditBooking, _now: datetime) -> Decision:
    if view is None:
        return Refused(Reason.NO_SUCH_BOOKING)
    before = view.booking
    if not command.email and not command.mobile:
        return Refused(Reason.NO_CONTACT)
    after = replace(
        before,
        name=command.name,
        email=command.email,
        mobile=command.mobile,
        note=command.note[:LONGEST_TEXT],
    )
    if after == before:
        return Refused(Reason.UNCHANGED)
    after = next_version(after)
    fact = facts.BookingEdited(after.id, after.person_id, after.version)
    return Accepted((WriteBooking(after),), (fact,))


def send_link(view: BookingView | None, _: commands.SendBookingLink, now: datetime) -> Decision:
    """Sends the link of a booking that is still to come."""
    if view is None:
        return Refused(Reason.NO_SUCH_BOOKING)
    booking = view.booking
    if not booking.takes_time or now >= booking.ends_at:
        return Refused(Reason.ENDED)
    window = int(now.timestamp() // LINK_EVERY.total_seconds())
    return Accepted((), (facts.LinkAsked(booking.id, booking.person_id, booking.version, window),))


def remind(view: BookingView | None, command: commands.RemindOfBooking, now: datetime) -> Decision:
    """Reminds if the row still says so: a timer may fire twice, early or late."""
    if view is None:
        return Refused(Reason.NO_SUCH_BOOKING)
    booking, seconds = view.booking, command.seconds_before
    is_due = booking.status is BookingStatus.CONFIRMED and seconds in booking.reminders
    if not is_due or now >= booking.starts_at or not view.options.reminds:
        return Refused(Reason.ENDED)
    due_at = timers.reminder_at(booking.starts_at, seconds, view.rules)
    if now < due_at:
        return again(booking, view.rules)
    left = tuple(each for each in booking.reminders if each != seconds)
    after = next_version(replace(booking, reminders=left))
    fact = facts.ReminderDue(
        after.id,
        after.person_id,
        after.version,
        starts_at=after.starts_at,
        seconds_before=seconds,
    )
    return Accepted((WriteBooking(after),), (fact,))


def again(booking: Booking, rules: BookingRules) -> Accepted:
    """Sets the timers again. The condition makes sure that no timer outlives its booking."""
    as_read = BookingAsRead(booking.id, booking.version)
    return Accepted((as_read,), timers=tuple(timers.set_timers(booking, rules)))
