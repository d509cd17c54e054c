"""The rows of the reminders desk: each change is written only if its condition holds."""

from __future__ import annotations

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.jobs import AddJob
from frontdesk.core.people import AddPerson, ErasePerson, PersonId
from frontdesk.desks.reminders import changes as c
from frontdesk.desks.reminders.facts import GapReason
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentId,
    AppointmentSource,
    AppointmentState,
    Means,
    Reminder,
    ReminderState,
    Reply,
    ReplyAction,
    Window,
)
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.desks.reminders.slack.news import GAP, gap_subject
from frontdesk.desks.reminders.tags import parse_tags
from frontdesk.engine.ports import Store
from frontdesk.features.slack.news import post_job, retract_job
from frontdesk.values import replace
from tests.desks.reminders.conftest import Opened
from tests.desks.reminders.conftest import open_desk as open_desk
from tests.store.samples import commit, refused
from tests.support.reminders import DAY, FRIDAY, HOUR, MONDAY

ANN, BOB = PersonId("ann"), PersonId("bob")
ONE = Appointment(
    AppointmentId("a1"),
    AppointmentSource.SHEET,
    "row 7",
    ANN,
    "cut",
    FRIDAY,
    HOUR,
    MONDAY,
    "Mia",
    settled=(Window.FIRST, Window.SECOND),
    told_at=MONDAY,
    answered_at=MONDAY,
    tags=parse_tags("#nosms #remind 3h"),
    phone="call the shop",
    name="Little Ann",
)
REMINDER = Reminder(
    ONE.id,
    Window.FIRST,
    1,
    ANN,
    FRIDAY,
    ReminderState.DUE,
    MONDAY,
    ONE.id,
    "why not",
    Window.SECOND,
)
REPLY = Reply(
    ONE.id,
    "1.first",
    ReplyAction.MOVE,
    1,
    MONDAY,
    Means.TEXT,
    AppointmentState.EXPECTED,
    AppointmentState.EXPECTED,
    "Any Monday?",
)


@pytest.fixture
def store(open_desk: Opened) -> Store:
    desk = open_desk()
    desk.problems = list  # type: ignore[method-assign]
    people = (
        AddPerson(ANN, "Ann", "ann@example.org", "ann@example.org"),
        AddPerson(BOB, "Bob", "bob@example.org", "bob@example.org"),
    )
    desk.store.commit(Accepted(people), by="test", at=MONDAY)
    store: Store = desk.store
    return store


def ar(store: Store) -> ReminderReads:
    reads: ReminderReads = store.reads().desk("ar")
    return reads


def test_an_appointment_is_added_once_and_read_as_it_was(store: Store) -> None:
    commit(store, c.AddAppointment(ONE))

    assert ar(store).appointment(ONE.id) == ONE
    assert refused(store, c.AddAppointment(replace(ONE, ref="other")))
    assert list(ar(store).appointments_of(ANN)) == [ONE]
    assert ar(store).appointment(AppointmentId("nope")) is None


def test_a_write_compares_the_version(store: Store) -> None:
    commit(store, c.AddAppointment(ONE))
    after = replace(ONE, staff="Kim", version=2)

    assert refused(store, c.WriteAppointment(replace(after, version=3)))
    assert refused(store, c.AppointmentAsRead(ONE.id, 2))
    assert refused(store, c.AppointmentAsRead(AppointmentId("nope"), 1))
    commit(store, c.WriteAppointment(after))
    assert refused(store, c.WriteAppointment(after))
    commit(store, c.AppointmentAsRead(ONE.id, 2))
    assert ar(store).appointment(ONE.id) == after


def test_an_appointment_of_another_person_is_theirs(store: Store) -> None:
    commit(store, c.AddAppointment(ONE))
    after = replace(ONE, person_id=BOB, version=2)

    commit(store, c.WriteAppointment(after, new_person=True))

    assert list(ar(store).appointments_of(ANN)) == []
    assert list(ar(store).appointments_of(BOB)) == [after]


def test_live_appointments_are_paged_by_their_start(store: Store) -> None:
    rows = [
        replace(ONE, id=AppointmentId(f"b{at}"), starts_at=FRIDAY + at // 2 * DAY)
        for at in range(6)
    ]
    closed = replace(ONE, id=AppointmentId("z"), state=AppointmentState.CANCELLED, closed_at=MONDAY)
    commit(store, *(c.AddAppointment(each) for each in (*reversed(rows), closed)))
    reads = ar(store)

    first = reads.live_after(MONDAY, "", 4)
    cursor = f"{int(first[-1].starts_at.timestamp())}/{first[-1].id}"
    assert list(first) == rows[:4]
    assert list(reads.live_after(MONDAY, cursor, 4)) == rows[4:]
    assert list(reads.live_after(FRIDAY + DAY, "", 9)) == rows[2:]
    assert list(reads.live_after(MONDAY, "", 9, FRIDAY + DAY)) == rows[:4]
    assert list(reads.live_of(ANN, FRIDAY, 3)) == rows[2:5]
    assert list(reads.appointments_between(FRIDAY, FRIDAY + DAY)) == [*rows[:2], closed]
    assert [each.id for each in reads.appointments(limit=3)] == ["b0", "b1", "b2"]
    assert [each.id for each in reads.appointments(limit=9, after="b4")] == ["b5", "z"]


def test_live_appointments_with_an_answer_can_be_left_out(store: Store) -> None:
    asked = replace(ONE, id=AppointmentId("b0"), starts_at=FRIDAY, answered_at=None)
    confirmed = replace(asked, id=AppointmentId("b1"), state=AppointmentState.CONFIRMED)
    wishes = replace(asked, id=AppointmentId("b2"), answered_at=MONDAY)
    last = replace(asked, id=AppointmentId("b3"))
    commit(store, *(c.AddAppointment(each) for each in (asked, confirmed, wishes, last)))

    assert len(ar(store).live_after(MONDAY, "", 9)) == 4
    assert list(ar(store).live_after(MONDAY, "", 9, unanswered=True)) == [asked, last]
    assert list(ar(store).live_after(MONDAY, "", 2, FRIDAY, unanswered=True)) == [asked, last]


def test_no_shows_are_counted_by_person(store: Store) -> None:
    missed = replace(ONE, state=AppointmentState.NO_SHOW, closed_at=MONDAY)
    commit(
        store,
        c.AddAppointment(missed),
        c.AddAppointment(replace(missed, id=AppointmentId("a2"), person_id=BOB)),
        c.AddAppointment(replace(missed, id=AppointmentId("a3"))),
        c.AddAppointment(replace(ONE, id=AppointmentId("a4"))),
    )

    assert ar(store).no_shows() == {ANN: 2, BOB: 1}
    assert (ar(store).no_shows_of(ANN), ar(store).no_shows_of(PersonId("cat"))) == (2, 0)


def test_a_window_has_one_reminder_whose_state_is_compared(store: Store) -> None:
    commit(store, c.AddAppointment(ONE), c.AddReminder(REMINDER))
    sent = replace(REMINDER, state=ReminderState.SENT, why="")

    assert refused(store, c.AddReminder(replace(REMINDER, chain=2)))
    assert refused(store, c.WriteReminder(sent, ReminderState.FAILED))
    assert refused(store, c.WriteReminder(replace(sent, chain=2), ReminderState.DUE))
    commit(store, c.WriteReminder(sent, ReminderState.DUE))
    assert list(ar(store).reminders_of(ONE.id)) == [sent]


def test_an_archived_reminder_makes_room_for_the_next_chain(store: Store) -> None:
    commit(store, c.AddAppointment(ONE), c.AddReminder(REMINDER))

    assert refused(store, c.ArchiveReminder(replace(REMINDER, chain=2)))
    commit(store, c.ArchiveReminder(REMINDER))
    assert refused(store, c.ArchiveReminder(REMINDER))
    again = replace(REMINDER, chain=2)
    commit(store, c.AddReminder(again))

    assert list(ar(store).archived_reminders(ONE.id)) == [REMINDER]
    assert list(ar(store).reminders_of(ONE.id)) == [again]


def test_a_reply_is_written_once_for_a_message_and_an_action(store: Store) -> None:
    commit(store, c.AddAppointment(ONE), c.AddReply(REPLY))
    other = replace(REPLY, action=ReplyAction.CANCEL, at=MONDAY + HOUR)

    assert refused(store, c.AddReply(replace(REPLY, at=MONDAY + HOUR)))
    commit(store, c.AddReply(other))
    assert list(ar(store).replies_of(ONE.id)) == [REPLY, other]


@pytest.mark.spec("FD-20")
def test_an_erased_person_leaves_no_number_and_no_wishes(store: Store) -> None:
    commit(store, c.AddAppointment(ONE), c.AddReply(REPLY))

    commit(store, ErasePerson(ANN))

    assert ar(store).appointment(ONE.id) == replace(ONE, phone="", name="")
    assert list(ar(store).replies_of(ONE.id)) == [replace(REPLY, wishes="")]


@pytest.mark.spec("FD-20")
def test_slack_posts_about_an_erased_person_are_retracted(store: Store) -> None:
    moved = replace(ONE, chain=2)
    posted = post_job("ar", GAP, gap_subject(ONE.id, 1, GapReason.UNANSWERED))
    commit(store, c.AddAppointment(moved))
    commit(store, AddJob(replace(posted, cursor="1.2", finished=True)))

    commit(store, ErasePerson(ANN))

    assert store.open_jobs(9) == [retract_job("ar", posted.id)]


@pytest.mark.spec("AR-01")
def test_rows_of_the_sheet_are_read_with_their_customers(store: Store) -> None:
    booked = replace(ONE, id=AppointmentId("a2"), source=AppointmentSource.BOOKING)
    mailed = replace(
        ONE, id=AppointmentId("a3"), source=AppointmentSource.MAIL, starts_at=FRIDAY + DAY
    )
    old = replace(ONE, id=AppointmentId("a4"), starts_at=FRIDAY - DAY)
    for each in (mailed, booked, old, ONE):
        commit(store, c.AddAppointment(each))

    found = ar(store).sheet_rows(FRIDAY)

    assert [(one, person.id) for one, person in found] == [(ONE, ANN), (mailed, ANN)]
