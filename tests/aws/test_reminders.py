"""Journeys of reminders on the deployed application."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import EndTrouble, ReportTrouble
from frontdesk.desks.admin.model import Part
from frontdesk.desks.booking.commands import Book
from frontdesk.desks.booking.model import BookingId, BookingStatus, Lane, booking_id
from frontdesk.desks.booking.rules import Resource
from frontdesk.desks.reminders.commands import EndAppointment, SetRules
from frontdesk.desks.reminders.decide.timers import TICK_TIMER
from frontdesk.desks.reminders.links import Purpose
from frontdesk.desks.reminders.model import (
    AppointmentSource,
    AppointmentState,
    ReminderState,
    Window,
    appointment_id,
)
from frontdesk.desks.reminders.rules import LeadTime, Schedule
from frontdesk.desks.waitlist.model import SlotStatus
from frontdesk.engine.ports import Committed
from frontdesk.features.proposals.model import ProposalStatus
from frontdesk.store.dynamodb.schema import FD_SENDS
from frontdesk.values import replace
from frontdesk.wiring.between_desks.claimed_slots import slot_ref
from tests.aws.clinic import Clinic
from tests.aws.salon import text
from tests.aws.stack import Visitor, bounce, desk_on, host
from tests.aws.studio import a_number
from tests.aws.test_booking_requests import BY_SES

LATER = LeadTime(minutes=30)

pytestmark = pytest.mark.needs("ministack")


@pytest.mark.spec("AR-04", "AR-08", "FD-18")
def test_a_booking_is_reminded_of_once_by_a_schedule_and_confirmed_by_link(clinic: Clinic) -> None:
    at = clinic.soon()
    due_at = clinic.given().reminds(at, LATER)
    clinic.books("ann", at)
    clinic.wait_for_messages("ann", 1)
    appointment = clinic.appointment("ann")
    assert (appointment.starts_at, appointment.state) == (at, AppointmentState.EXPECTED)

    clinic.reminded("ann", 2)

    assert datetime.now(UTC) >= due_at
    [row] = clinic.ar.reminders_of(appointment.id)
    assert (row.window, row.state) == (Window.FIRST, ReminderState.SENT)
    link = clinic.reply_link("ann", Purpose.CONFIRM)
    assert link.startswith(clinic.stack.addresses["reply-handler"])
    assert Visitor(clinic.stack).get(link).heading == "Are you coming?"
    assert clinic.appointment("ann").state is AppointmentState.EXPECTED
    page = clinic.replies("ann", Purpose.CONFIRM)
    assert page.heading == "You're coming. See you then."
    assert clinic.appointment("ann").state is AppointmentState.CONFIRMED
    assert clinic.open_windows("ann") == [Window.SECOND]
    clinic.stack.settle()
    assert len(clinic.mails("ann")) == 2


@pytest.mark.spec("AR-11", "FD-18")
def test_a_time_that_is_cancelled_in_a_reminder_is_offered_claimed_booked_and_reminded_of(
    clinic: Clinic,
) -> None:
    """Plays the whole loop: four desks, each with its own functions."""
    at = clinic.soon()
    clinic.given().reminds(at, LATER)
    clinic.books("ann", at)
    clinic.wait_for_messages("ann", 1)
    clinic.comes_free()  # makes the waitlist read its rules, which have no quiet hours
    clinic.stack.settle()
    clinic.waits("wim")
    clinic.reminded("ann", 2)
    link = clinic.reply_link("ann", Purpose.CANCEL)

    page = Visitor(clinic.stack).post(link, do="cancel")

    assert page.heading == "This appointment is cancelled."
    clinic.booked("ann", BookingStatus.CANCELLED)
    clinic.wait_for_messages("wim", 1)
    assert clinic.books("bob", at).status == 409
    assert clinic.takes("wim").heading == "It's yours."
    taken = clinic.stack.until("a booking for wim", lambda: clinic.takers(at))
    assert [(each.person_id, each.lane) for each in taken] == [
        (clinic.person("wim").id, Lane.WAITLIST)
    ]
    appointment = clinic.appointment("wim")
    assert (appointment.starts_at, appointment.state) == (at, AppointmentState.EXPECTED)
    assert clinic.open_windows("wim") == [Window.SECOND]
    again = Visitor(clinic.stack).post(link, do="cancel")
    assert again.heading == "This appointment is cancelled."
    clinic.stack.settle()
    assert clinic.takers(at) == taken


@pytest.mark.spec("AR-11", "AR-01", "FD-18")
def test_a_claimed_time_that_is_no_booking_is_an_appointment_until_it_ends(
    clinic: Clinic,
) -> None:
    """The rules of bookings do not know the stylist: the sheet has the appointment."""
    clinic.given(resources=(Resource(clinic.resource, "Somebody else"),))
    clinic.waits("wim")
    clinic.comes_free()
    clinic.wait_for_messages("wim", 1)

    assert clinic.takes("wim").heading == "It's yours."
    slot = clinic.becomes(SlotStatus.BOOKED)
    one = appointment_id(AppointmentSource.SHEET, slot_ref(slot.id))
    found = clinic.stack.until("an appointment", lambda: clinic.ar.appointment(one))
    assert found is not None
    assert (found.person_id, found.starts_at) == (
        clinic.person("wim").id,
        slot.opening.starts_at,
    )
    clinic.waits("bob")
    clinic.run(EndAppointment(one))
    clinic.becomes(SlotStatus.CANCELLED)
    clinic.wait_for_messages("bob", 1)
    clinic.stack.settle()
    assert clinic.messages("wim")[1:] == clinic.messages("wim")[1:2]


@pytest.mark.spec("AR-09", "AR-10", "FD-18")
def test_another_time_is_chosen_on_the_page_of_the_booking_and_starts_a_new_chain(
    clinic: Clinic,
) -> None:
    after = clinic.time(9, 15)
    clinic.opens().is_reminded("ann", clinic.time(6))
    visitor, link = Visitor(clinic.stack), clinic.reply_link("ann", Purpose.MOVE)
    address = visitor.get(link).url.partition("?")[0]
    assert address.startswith(f"{clinic.page.removesuffix('book')}l/")
    free = visitor.get(f"{address}?do=move&day={after.date()}")

    moved = visitor.post(address, **{**free.fields, "at": text(after)})

    assert moved.heading == "It's booked."
    clinic.stack.until("it is moved", lambda: clinic.appointment("ann").starts_at == after)
    assert clinic.appointment("ann").chain == 2
    [archived] = clinic.ar.archived_reminders(clinic.appointment("ann").id)
    assert archived.window is Window.FIRST
    assert visitor.get(link).heading == "Your appointment has a new time."


@pytest.mark.spec("AR-04", "AR-05", "FD-18")
def test_the_tick_of_the_hour_finds_what_is_due_and_a_repeat_sends_nothing_twice(
    clinic: Clinic,
) -> None:
    """The rules change so that the reminder should have gone out an hour ago."""
    at = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) + timedelta(hours=47)
    booking = booked_long_ago(clinic.opens(), "ann", at, timedelta(days=9))
    clinic.wait_for_messages("ann", 1)
    clinic.appointment_of(booking)
    schedule = Schedule((LeadTime(days=3), LeadTime(days=2)))
    clinic.run(SetRules(replace(clinic.ar.rules(), usual=schedule)))
    clinic.stack.settle()

    clinic.ticks()
    clinic.wait_for_messages("ann", 2)
    clinic.ticks()

    clinic.stack.settle()
    person = clinic.person("ann").id
    sends = [row for row in clinic.stack.rows(FD_SENDS) if row["person_id"]["S"] == person]
    assert Counter(row["kind"]["S"] for row in sends)["second_reminder"] == 1
    assert [row["kind"]["S"] for row in sends if "first" in row["kind"]["S"]] == []


@pytest.mark.spec("AR-01", "FD-18")
def test_bookings_from_before_the_desk_was_switched_on_become_appointments(
    clinic: Clinic, tmp_path: Path
) -> None:
    clinic.opens().stack.settle()
    events, before = clinic.stack.client("events"), tmp_path / "before"
    before.mkdir()
    events.disable_rule(Name="reminders-react")
    off = Clinic(clinic.stack, desk_on(clinic.stack, before).product, clinic.name)
    booking = booked_long_ago(off, "ann", clinic.time(5), timedelta(days=1))
    clinic.wait_for_messages("ann", 1)
    clinic.stack.settle()
    events.enable_rule(Name="reminders-react")
    assert clinic.ar.appointment(appointment_id(AppointmentSource.BOOKING, booking)) is None
    clinic.stack.dynamodb.delete_item(TableName="fd-timers", Key={"name": {"S": TICK_TIMER}})

    clinic.stack.invoke("reminder", {"timer": TICK_TIMER})

    assert clinic.appointment_of(booking).starts_at == clinic.time(5)
    assert clinic.back.engine.reads().desk("fd").timer_at(TICK_TIMER) is not None


@pytest.mark.spec("FD-18")
def test_staff_see_appointments_remind_at_once_and_cancel_for_callers(clinic: Clinic) -> None:
    clinic.opens()
    clinic.books("ann", clinic.time(6))
    clinic.wait_for_messages("ann", 1)
    appointment = clinic.appointment("ann")
    visitor, console = host(clinic.stack), f"{clinic.stack.addresses['fd-console']}console"
    page = f"{console}/reminders/one/{appointment.id}"

    listed, going_out, shown, rules = (
        visitor.get(each)
        for each in (
            f"{console}/reminders",
            f"{console}/reminders/next",
            page,
            f"{console}/reminders/rules",
        )
    )
    csrf = shown.fields["csrf"]
    visitor.post(f"{page}/remind", csrf=csrf)
    clinic.wait_for_messages("ann", 2)
    visitor.post(f"{page}/cancel", csrf=csrf, confirmed="yes")

    assert [each.status for each in (listed, going_out, shown, rules)] == [200] * 4
    assert all("Ann Lee" in each.says for each in (listed, going_out, shown))
    clinic.booked("ann", BookingStatus.CANCELLED)
    clinic.becomes_appointment("ann", AppointmentState.CANCELLED)


@pytest.mark.spec("AR-08", "FD-18")
def test_an_altered_link_changes_nothing_and_is_counted_for_the_alarm(clinic: Clinic) -> None:
    clinic.opens().is_reminded("ann", clinic.time(6))
    link, since = clinic.reply_link("ann", Purpose.CANCEL), clinic.stack.milliseconds()
    altered = link[:-1] + ("A" if link[-1] != "A" else "B")

    page = Visitor(clinic.stack).post(altered, do="cancel")

    assert page.status == 404
    assert clinic.appointment("ann").state is AppointmentState.EXPECTED
    found = clinic.stack.client("logs").filter_log_events(
        logGroupName="/aws/lambda/reply-handler", startTime=since
    )
    assert any("link.bad_signature" in each["message"] for each in found["events"])


def booked_long_ago(clinic: Clinic, who: str, starts_at: datetime, ago: timedelta) -> BookingId:
    new, name = clinic.back.engine.new_id, booking_id(clinic.back.engine.new_id())
    command = Book(
        name, PersonId(new()), clinic.service, starts_at, f"{who.title()} Lee", clinic.email(who)
    )
    outcome = clinic.back.engine.run(command, by="test", now=datetime.now(UTC) - ago)
    assert isinstance(outcome, Committed), outcome
    return name


@pytest.mark.spec("AR-12", "FD-18")
def test_a_reminder_by_text_is_answered_by_text(clinic: Clinic) -> None:
    clinic.phones["pia"] = a_number()
    clinic.opens().is_reminded("pia", clinic.time(6))
    assert clinic.stack.addresses["reply-handler"] in clinic.messages("pia")[-1]

    clinic.texts_back("pia", "1")

    clinic.becomes_appointment("pia", AppointmentState.CONFIRMED)


@pytest.mark.spec("AR-12", "FD-18")
def test_a_reminder_by_mail_is_answered_by_mail(clinic: Clinic) -> None:
    """SES replaces Message-IDs, so the address of our mail shows which mail it answers."""
    clinic.opens().is_reminded("ann", clinic.time(6))
    mail = clinic.stack.mails_to(clinic.email("ann"))[-1]

    clinic.asks("ann", "Yes, I am coming.\n", to=str(mail["reply-to"]), In_Reply_To=BY_SES)

    clinic.becomes_appointment("ann", AppointmentState.CONFIRMED)


@pytest.mark.spec("AR-03", "FD-18")
def test_a_forwarded_confirmation_is_proposed_to_staff_and_approved(clinic: Clinic) -> None:
    clinic.opens()
    staff, when = clinic.add_staff(), f"{clinic.time(6):%-d %B %Y} at 10:00"
    clinic.asks(
        "staff",
        f"Confirmed: {clinic.service} for Ann Lee, {clinic.email('ann')}, on {when}.\n",
        to=clinic.back.settings.reminders_address,
    )

    clinic.stack.until("staff know", lambda: "An appointment to approve" in clinic.subjects(staff))

    [found] = [
        each
        for each in clinic.ar.proposals(ProposalStatus.OPEN, 50)
        if each.sender == clinic.email("staff")
    ]
    page = f"{clinic.stack.addresses['fd-console']}console/reminders/proposed/{found.id}"
    assert host(clinic.stack).get(page).status == 200


@pytest.mark.spec("AR-14", "FD-18")
def test_the_week_before_is_summed_up_for_staff_by_its_schedule(clinic: Clinic) -> None:
    """An appointment of last week was not answered."""
    staff = clinic.opens().add_staff()

    clinic.sums_up_week()

    clinic.stack.until(
        "staff know",
        lambda: [each for each in clinic.subjects(staff) if each.startswith("Your appointments")],
    )


@pytest.mark.spec("AR-07", "FD-18")
def test_staff_are_told_how_many_people_depend_on_texts_that_are_paused(clinic: Clinic) -> None:
    """The function that writes to staff counts them in the tables of three desks. Money is left, so
    everybody can still be reached."""
    clinic.opens().books("ann", clinic.time(6))
    clinic.wait_for_messages("ann", 1)
    staff = clinic.add_staff()

    clinic.run(ReportTrouble(Part.TEXTS, "texts are paused", at_once=True))

    def told() -> str:
        bodies = (each.get_body(("plain",)) for each in clinic.stack.mails_to(staff))
        return " ".join(each.get_content() for each in bodies if each)

    clinic.stack.until("staff know", lambda: "depends on texts." in told())
    clinic.run(EndTrouble(Part.TEXTS))


@pytest.mark.spec("AR-11", "FD-18")
def test_a_reminder_that_bounces_is_add_staff(clinic: Clinic) -> None:
    clinic.opens()
    staff = clinic.add_staff()
    clinic.is_reminded("ann", clinic.time(6))
    person = clinic.person("ann").id
    [send] = [
        row["send_id"]["S"]
        for row in clinic.stack.rows(FD_SENDS)
        if (row["person_id"]["S"], row["kind"]["S"]) == (person, "first_reminder")
    ]

    clinic.stack.publish("ev-mail-feedback", bounce(clinic.email("ann"), send))

    one = clinic.appointment("ann").id
    clinic.stack.until(
        "it has failed",
        lambda: [each.state for each in clinic.ar.reminders_of(one)] == [ReminderState.FAILED],
    )
    clinic.stack.until(
        "staff know",
        lambda: [each for each in clinic.subjects(staff) if each.startswith("Not delivered")],
    )
