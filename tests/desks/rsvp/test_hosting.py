"""Changes by the host, and their consequences for the guests."""

from concurrent.futures import Future
from datetime import UTC, timedelta
from typing import Any

import pytest
from icalendar import Calendar, Component

from frontdesk.core.decision import Accepted, Decision
from frontdesk.core.jobs import JobId
from frontdesk.core.quiet_hours import DEFAULT_QUIET_HOURS
from frontdesk.core.sends import SentMessage
from frontdesk.desks.admin.commands import Erase
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.commands import (
    BeginImport,
    CallOff,
    Cancel,
    CheckIn,
    ClaimOffer,
    CreateEvent,
    EditEvent,
    MoveInLine,
    ResendLink,
    SeatFromTheLine,
    SendThanks,
    SetDefaults,
    StopOffer,
)
from frontdesk.desks.rsvp.facts import GuestConfirmed, GuestRetimed
from frontdesk.desks.rsvp.model import (
    Details,
    EventId,
    EventSettings,
    Lane,
    OfferState,
    State,
    open_until,
)
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.desks.rsvp.story_words import WORDS
from frontdesk.engine.ports import Ask, Outcome, Reads
from frontdesk.values import replace
from tests.support.rsvp import DETAILS, HOUR, NINE, STARTS, RsvpDesk


def edit(desk: RsvpDesk, details: Details | None = None, **settings: object) -> EditEvent:
    event = desk.event
    return EditEvent(
        event.id,
        event.version,
        event.slug,
        details or event.details,
        replace(event.settings, **settings),  # type: ignore[arg-type]
        JobId(desk.product.engine.new_id()),
    )


def calendar_entry(mail: SentMessage) -> Component:
    assert mail.calendar is not None
    return Calendar.from_ical(mail.calendar).walk("VEVENT")[0]


@pytest.mark.spec("EV-02")
def test_the_defaults_are_those_of_a_friendly_host(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"])

    reminders = {
        name.rpartition("/")[2]: at for name, at in desk.timers().items() if "/reminder/" in name
    }
    assert reminders == {
        "7d": STARTS - timedelta(days=7),
        "1d": STARTS - timedelta(days=1),
        "morning": STARTS - 10 * HOUR,  # 09:00 in Singapore
    }
    assert desk.event.settings.claim_window == 6 * HOUR
    assert desk.event.settings.quiet == DEFAULT_QUIET_HOURS


@pytest.mark.spec("EV-01")
def test_defaults_that_span_events_live_in_one_place(desk: RsvpDesk) -> None:
    desk.given(cap=1)
    wished = replace(EventSettings(), claim_window=2 * HOUR, party_limit=4)

    desk.do(SetDefaults(wished))

    assert desk.reads.defaults() == wished


@pytest.mark.spec("EV-01")
def test_an_edited_setting_is_used_by_the_next_decision(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"])
    desk.do(edit(desk, claim_window=2 * HOUR)).do(Cancel(desk.id("ann")))

    assert desk.guest("bob").claim_by == NINE + 2 * HOUR


@pytest.mark.spec("EV-01")
def test_two_hosts_do_not_overwrite_each_other(desk: RsvpDesk) -> None:
    desk.given(cap=1)
    first, second = edit(desk, party_limit=2), edit(desk, party_limit=3)
    desk.do(first)

    assert desk.refused(second) == Reason.EDITED_MEANWHILE
    assert desk.event.settings.party_limit == 2


def test_an_event_needs_valid_times_and_its_own_address(desk: RsvpDesk) -> None:
    desk.given(cap=1)
    other = EventId(desk.product.engine.new_id())
    backwards = replace(DETAILS, ends_at=STARTS)
    nowhere = replace(DETAILS, zone="Mars/Olympus")

    assert (
        desk.refused(CreateEvent(other, "pottery", DETAILS, EventSettings(), 1))
        == Reason.ADDRESS_IN_USE
    )
    for details in (backwards, nowhere):
        assert (
            desk.refused(CreateEvent(other, "b", details, EventSettings(), 1)) == Reason.BAD_TIMES
        )
    assert desk.refused(CreateEvent(other, "b", DETAILS, EventSettings(), -1)) == Reason.BAD_CAP
    assert desk.refused(edit(desk)) == Reason.UNCHANGED


@pytest.mark.spec("EV-17", "FD-14")
def test_moving_the_event_moves_reminders_and_calendar_entries_along(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"])
    later = replace(
        DETAILS, starts_at=STARTS + timedelta(days=7), ends_at=DETAILS.ends_at + timedelta(days=7)
    )

    desk.do(edit(desk, later))

    reminders = sorted(at for name, at in desk.timers().items() if "/reminder/" in name)
    assert reminders == [
        later.starts_at - timedelta(days=7),
        later.starts_at - timedelta(days=1),
        later.starts_at - 10 * HOUR,
    ]
    before, after = (calendar_entry(mail) for mail in desk.mail_to("ann"))
    assert before["UID"] == after["UID"]
    assert after.decoded("SEQUENCE") > before.decoded("SEQUENCE")
    assert after.decoded("DTSTART") == later.starts_at
    assert desk.mail_to("bob")[-1].calendar is None
    assert len(desk.mail_to("bob")) == 2


@pytest.mark.spec("EV-17")
def test_edited_offsets_move_reminders_without_a_word_to_anybody(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"])

    desk.do(edit(desk, reminders=("2d", "3h")))

    names = {name.rpartition("/")[2] for name in desk.timers() if "/reminder/" in name}
    assert names == {"2d", "3h"}
    assert len(desk.mail_to("ann")) == 1


@pytest.mark.spec("EV-17", "EV-25")
def test_moving_the_event_earlier_cuts_offer_deadlines_to_its_start_and_tells_them(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"]).do(Cancel(desk.id("ann")))
    sooner = NINE + 4 * HOUR
    details = replace(DETAILS, starts_at=sooner, ends_at=sooner + 2 * HOUR)

    desk.do(edit(desk, details))

    assert desk.guest("bob").claim_by == sooner
    assert [(one.state, one.claim_by) for one in desk.offers("bob")] == [(OfferState.LIVE, sooner)]
    assert desk.timers()[f"ev/offer/{desk.id('bob')}/1"] == sooner
    mail = desk.mail_to("bob")[-1]
    assert mail.subject == "There's a change: Pottery workshop"
    assert "This seat is yours until 13:00 today (SGT)." in mail.text
    assert desk.problems() == []
    desk.wait_until(sooner)
    assert (desk.state("bob"), desk.seats.offered) == (State.WAITING, 0)
    assert len(desk.mail_to("bob")) == 3, "waitlisted, offered, moved, and nothing after the start"
    assert desk.refused(ClaimOffer(desk.id("bob"), 1)) == Reason.OFFER_GONE


@pytest.mark.spec("EV-25")
def test_an_offer_ends_when_the_event_is_moved_before_its_deadline(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"]).do(Cancel(desk.id("ann")))
    sooner = NINE + 4 * HOUR

    desk.run(edit(desk, replace(DETAILS, starts_at=sooner, ends_at=sooner + 2 * HOUR)))

    assert desk.guest("bob").claim_by == NINE + 6 * HOUR
    assert open_until(desk.event, desk.guest("bob")) == sooner


@pytest.mark.spec("EV-25")
def test_an_offer_held_for_the_night_ends_if_the_event_begins_before_the_morning(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"], claim_window=HOUR)
    desk.wait_until(NINE + 13 * HOUR).do(Cancel(desk.id("ann")))  # 22:00
    sooner = NINE + 22 * HOUR  # 07:00, an hour before mails may go out

    desk.do(edit(desk, replace(DETAILS, starts_at=sooner, ends_at=sooner + 2 * HOUR)))
    desk.wait_until(NINE + 24 * HOUR)

    assert (desk.state("bob"), desk.seats.offered) == (State.WAITING, 0)
    assert [one.state for one in desk.offers("bob")] == [OfferState.WITHDRAWN]
    assert desk.problems() == []


@pytest.mark.spec("EV-17")
def test_an_event_to_come_is_not_moved_to_the_past(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"])
    over = replace(DETAILS, starts_at=NINE - HOUR, ends_at=NINE + HOUR)

    assert desk.refused(edit(desk, over)) == Reason.IN_THE_PAST
    assert desk.event.details == DETAILS
    assert len(desk.mail_to("ann")) == 1


@pytest.mark.spec("EV-17")
def test_correcting_a_past_event_tells_nobody(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"]).wait_until(STARTS + 20 * HOUR)
    told = len(desk.mail_to("ann"))
    earlier = replace(DETAILS, starts_at=STARTS - HOUR, ends_at=STARTS)

    desk.do(edit(desk, earlier))

    assert desk.event.details == earlier
    assert len(desk.mail_to("ann")) == told


@pytest.mark.spec("EV-17")
def test_a_past_event_with_a_new_date_tells_its_guests_and_reminds_them_again(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=2, confirmed=["ann"]).wait_until(STARTS)
    desk.do(CheckIn(desk.id("ann"), 1))
    desk.wait_until(STARTS + timedelta(days=3))
    again = STARTS + timedelta(days=30)

    desk.do(edit(desk, replace(DETAILS, starts_at=again, ends_at=again + 2 * HOUR)))

    mail = desk.mail_to("ann")[-1]
    assert mail.subject == "There's a change: Pottery workshop"
    first, entry = calendar_entry(desk.mail_to("ann")[0]), calendar_entry(mail)
    assert (entry["uid"], entry.decoded("dtstart")) == (first["uid"], again)
    assert int(str(entry["sequence"])) > int(str(first["sequence"]))
    assert {desk.timers()[name] for name in desk.guest("ann").reminders} == {
        again - timedelta(days=7),
        again - timedelta(days=1),
        again - 10 * HOUR,
    }
    assert (desk.state("ann"), desk.guest("ann").arrived) == (State.CONFIRMED, 0)
    assert (desk.event.thanks, desk.event.thanks_sent) == ("", False)
    assert desk.problems() == []


@pytest.mark.spec("EV-17")
def test_a_new_date_after_the_event_waits_for_the_end_of_quiet_hours(desk: RsvpDesk) -> None:
    desk.given(cap=2, confirmed=["ann"]).wait_until(STARTS + 4 * HOUR)  # 23:00
    told = len(desk.mail_to("ann"))
    again = STARTS + timedelta(days=30)

    desk.do(edit(desk, replace(DETAILS, starts_at=again, ends_at=again + 2 * HOUR)))

    assert len(desk.mail_to("ann")) == told
    desk.wait(hours=9)
    assert len(desk.mail_to("ann")) == told + 1


@pytest.mark.spec("EV-31")
def test_removing_a_guest_from_a_past_event_sends_no_mail(desk: RsvpDesk) -> None:
    desk.given(cap=2, confirmed=["ann"]).wait_until(STARTS + 20 * HOUR)
    told = len(desk.mail_to("ann"))

    desk.do(Cancel(desk.id("ann"), by_host=True)).wait(days=1)

    assert desk.state("ann") is State.CANCELLED
    assert len(desk.mail_to("ann")) == told


@pytest.mark.spec("EV-16")
def test_a_message_for_before_the_start_is_not_sent_after_it(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"])
    starts_at = NINE + 14 * HOUR  # 23:00, in quiet hours
    desk.do(edit(desk, replace(DETAILS, starts_at=starts_at, ends_at=starts_at + HOUR)))
    desk.wait_until(NINE + 13 * HOUR)
    told = len(desk.mail_to("bob"))

    desk.do(Cancel(desk.id("bob"), by_host=True))  # 22:00: the mail is for the morning
    desk.wait(days=1)

    assert len(desk.mail_to("bob")) == told
    assert desk.dropped("removed") == ["the event has begun"]


@pytest.mark.spec("FD-12", "EV-31")
def test_a_seat_that_the_host_takes_or_gives_at_night_is_told_at_once_before_an_event_at_night(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"])
    starts_at = NINE + 14 * HOUR  # 23:00, in quiet hours
    desk.do(edit(desk, replace(DETAILS, starts_at=starts_at, ends_at=starts_at + HOUR)))
    desk.wait_until(NINE + 13 * HOUR)

    desk.do(Cancel(desk.id("ann"), by_host=True))
    desk.do(ClaimOffer(desk.id("bob"), desk.guest("bob").seq, by_host=True))

    assert desk.mail_to("ann")[-1].subject == "You're no longer on the list: Pottery workshop"
    assert desk.mail_to("bob")[-1].subject == "You're in: Pottery workshop"


@pytest.mark.spec("EV-16")
def test_the_mail_about_a_stopped_offer_is_not_sent_the_morning_after_the_event(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"])
    starts_at = NINE + 14 * HOUR  # 23:00, in quiet hours
    desk.do(edit(desk, replace(DETAILS, starts_at=starts_at, ends_at=starts_at + HOUR)))
    desk.wait_until(NINE + 11 * HOUR).do(Cancel(desk.id("ann"))).wait_until(NINE + 13 * HOUR)
    told = len(desk.mail_to("bob"))

    desk.do(StopOffer(desk.id("bob"), seq=desk.guest("bob").seq)).wait(days=1)

    assert len(desk.mail_to("bob")) == told
    assert desk.dropped("offer_stopped") == ["the event has begun"]


@pytest.mark.spec("EV-17", "FD-14")
def test_calling_the_event_off_tells_everyone_and_leaves_no_timer(desk: RsvpDesk) -> None:
    desk.given(cap=2, confirmed=["ann", "abe"], line=["bob", "cat"]).do(Cancel(desk.id("abe")))
    assert desk.state("bob") is State.OFFERED

    desk.do(CallOff(desk.event_id, JobId("j"), "The kiln is broken."))

    assert desk.timers() == {}
    assert desk.offers("bob")[0].state is OfferState.WITHDRAWN
    for who in ("ann", "bob", "cat"):
        assert desk.mail_to(who)[-1].subject == "Called off: Pottery workshop", who
    cancel = desk.mail_to("ann")[-1]
    assert (cancel.calendar_method, cancel.calendar is not None) == ("CANCEL", True)
    assert desk.mail_to("cat")[-1].calendar is None
    assert desk.mail_to("abe")[-1].subject.startswith("You've cancelled")
    assert desk.refused(ClaimOffer(desk.id("bob"), 1)) == Reason.OFFER_GONE
    assert desk.refused(edit(desk, party_limit=2)) == Reason.CALLED_OFF


@pytest.mark.spec("EV-15", "EV-16")
def test_reminders_go_out_once_at_their_times_to_those_still_coming(desk: RsvpDesk) -> None:
    desk.given(cap=2, confirmed=["ann", "bob"])
    desk.wait_until(STARTS - timedelta(days=3)).do(Cancel(desk.id("bob")))

    desk.wait_until(STARTS)

    sent = [one.sent_at for one in desk.mail_to("ann")[1:]]
    assert sent == [STARTS - timedelta(days=7), STARTS - timedelta(days=1), STARTS - 10 * HOUR]
    assert len(desk.mail_to("bob")) == 3  # confirmed, one reminder, cancelled


@pytest.mark.spec("EV-15")
def test_a_machine_that_slept_sends_only_the_newest_reminder(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"])

    desk.clock.move_to(STARTS - HOUR)
    desk.settle()

    assert len(desk.mail_to("ann")) == 2
    assert desk.guest("ann").reminders == ()


@pytest.mark.spec("EV-16")
def test_a_machine_that_slept_past_the_start_reminds_nobody_and_records_it(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"])
    told = len(desk.mail_to("ann"))

    desk.clock.move_to(STARTS + HOUR)
    desk.wait(hours=1)

    assert len(desk.mail_to("ann")) == told
    assert desk.guest("ann").reminders == ()
    assert len(desk.facts("ev.reminder_due")) == 3
    assert desk.problems() == []


def reminded(desk: RsvpDesk, who: str) -> list[str]:
    return [kept.subject for kept in desk.mail_to(who) if "You're in" not in kept.subject]


@pytest.mark.spec("EV-15")
def test_a_reminder_so_soon_after_the_confirmation_is_left_out_and_the_story_says_so(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=3)
    a_day_before = STARTS - timedelta(days=1)
    desk.wait_until(a_day_before - 6 * HOUR)
    desk.sign_up("ann")
    desk.wait_until(a_day_before - timedelta(seconds=30))
    desk.sign_up("bob")

    desk.wait_until(STARTS - 11 * HOUR)

    assert reminded(desk, "ann") == ["Pottery workshop is tomorrow"]
    assert reminded(desk, "bob") == []
    desk.wait_until(STARTS)
    assert reminded(desk, "bob") == ["Pottery workshop is today"]
    (ann, bob) = [one.fact for one in desk.facts("ev.confirmed")]
    assert isinstance(ann, GuestConfirmed)
    assert isinstance(bob, GuestConfirmed)
    assert (ann.left_out, bob.left_out) == ((), ("1d",))
    told, _tone = WORDS[GuestConfirmed](bob, "Bob", UTC)
    assert told == (
        "Bob signed up and got a seat. The next reminder is left out, so soon after this message."
    )
    assert desk.problems() == []


@pytest.mark.spec("EV-15", "EV-22")
def test_a_claim_just_before_a_reminder_brings_one_message_and_not_two(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"])
    desk.wait_until(STARTS - 25 * HOUR).do(Cancel(desk.id("ann")))
    desk.wait(minutes=59).do(ClaimOffer(desk.id("bob"), 1))

    desk.wait(hours=2)

    assert desk.mail_to("bob")[-1].subject == "You're in: Pottery workshop"
    desk.wait_until(STARTS)
    assert desk.mail_to("bob")[-1].subject == "Pottery workshop is today"


@pytest.mark.spec("EV-15")
@pytest.mark.parametrize(("minutes", "is_reminded"), [(9, False), (10, True)])
def test_no_setting_causes_a_reminder_within_ten_minutes(
    desk: RsvpDesk, minutes: int, is_reminded: bool
) -> None:
    desk.given(cap=1, reminder_gap=timedelta(minutes=1))
    desk.wait_until(STARTS - timedelta(days=1, minutes=minutes))
    desk.sign_up("ann")

    assert any(name.endswith("/1d") for name in desk.guest("ann").reminders) is is_reminded


@pytest.mark.spec("EV-15")
def test_a_confirmation_that_waits_for_the_morning_counts_from_then(desk: RsvpDesk) -> None:
    desk.given(cap=2).wait_until(STARTS - 21 * HOUR)  # 22:00 on the evening before
    desk.sign_up("ann", lane=Lane.HOST)

    desk.wait_until(STARTS)

    assert [kept.subject for kept in desk.mail_to("ann")] == ["You're in: Pottery workshop"]


@pytest.mark.spec("EV-15", "EV-17")
def test_no_reminder_follows_right_after_the_mail_about_a_change(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"]).wait_until(STARTS - timedelta(days=2))
    soon = desk.clock.now() + timedelta(days=1, minutes=5)

    desk.do(edit(desk, replace(DETAILS, starts_at=soon, ends_at=soon + HOUR)))
    desk.wait(hours=1)

    assert desk.mail_to("ann")[-1].subject == "There's a change: Pottery workshop"
    (fact,) = [one.fact for one in desk.facts("ev.retimed")]
    assert isinstance(fact, GuestRetimed)
    assert fact.left_out == ("1d",)


@pytest.mark.spec("EV-28")
def test_the_host_hears_the_headcount_every_morning_of_the_run_up(desk: RsvpDesk) -> None:
    desk.given(cap=2, confirmed=["ann"]).wait_until(STARTS)

    mornings = [one.at for one in desk.facts("ev.headcount_due")]
    assert mornings == [NINE + timedelta(days=day) for day in range(1, 12)]


@pytest.mark.spec("EV-28")
def test_after_the_event_a_thank_you_is_drafted_and_goes_out_when_the_host_says_so(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=2, confirmed=["ann", "bob"]).wait_until(STARTS)
    send = SendThanks(desk.event_id, JobId("j"), "It was lovely to have you.")
    assert desk.refused(send) == Reason.NOT_OVER
    desk.wait(days=2)
    assert desk.event.thanks
    assert not desk.event.thanks_sent

    desk.do(send).wait(hours=12)

    for who in ("ann", "bob"):
        assert "It was lovely to have you." in desk.mail_to(who)[-1].text
    assert desk.refused(send) == Reason.ALREADY_SENT


@pytest.mark.spec("EV-10")
def test_an_import_runs_the_same_seat_request_for_every_row_in_order(desk: RsvpDesk) -> None:
    desk.given(cap=2, confirmed=["ann"])
    rows = tuple(
        ImportRow(line, who.title(), f"{who}@example.org", 1)
        for line, who in ((2, "ann"), (3, "bob"), (5, "cat"), (6, "dan"))
    )

    desk.do(BeginImport(desk.event_id, JobId("first"), rows, invite=False))

    report = {row.line: row.outcome for row in desk.reads.import_rows("first")}
    assert report == {
        2: "already_on_the_list",
        3: "confirmed",
        5: "waitlisted",
        6: "waitlisted",
    }
    listed = desk.reads.guest_rows(desk.event_id, states=frozenset({State.WAITING}), order="line")
    assert [row.person.name for row in listed] == ["Cat", "Dan"]
    before = desk.seats

    desk.do(BeginImport(desk.event_id, JobId("again"), rows, invite=False))

    assert {row.outcome for row in desk.reads.import_rows("again")} == {"already_on_the_list"}
    assert desk.seats == before


@pytest.mark.spec("EV-10", "EV-13")
def test_imported_guests_can_be_invited_and_hold_nothing_until_they_say_yes(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1)
    rows = (ImportRow(1, "Ann", "ann@example.org", 1), ImportRow(2, "Bob", "bob@example.org", 1))

    desk.do(BeginImport(desk.event_id, JobId("first"), rows, invite=True))

    assert [row.outcome for row in desk.reads.import_rows("first")] == ["invited", "invited"]
    assert desk.seats.free == 1
    assert len(desk.mail_to("ann")) == 1


@pytest.mark.spec("EV-31")
def test_the_host_moves_a_guest_to_the_front_of_the_line_or_to_a_free_seat(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob", "cat", "dan"])
    desk.do(MoveInLine(desk.id("dan"), to_front=True))
    assert desk.reads.position(desk.guest("dan")) == 1
    desk.do(MoveInLine(desk.id("bob"), to_front=False))
    assert desk.reads.position(desk.guest("bob")) == 3

    assert desk.refused(SeatFromTheLine(desk.id("cat"))) == Reason.FULL
    desk.run(Cancel(desk.id("ann")))
    desk.do(SeatFromTheLine(desk.id("cat")))

    assert desk.states() == {
        "ann": State.CANCELLED,
        "bob": State.WAITING,
        "cat": State.CONFIRMED,
        "dan": State.WAITING,
    }


def test_a_seat_that_the_host_gives_at_night_is_told_in_the_morning(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"]).wait(hours=14)  # 23:00
    desk.run(Cancel(desk.id("ann")))

    desk.do(SeatFromTheLine(desk.id("bob")))

    assert len(desk.mail_to("bob")) == 1
    assert desk.wait(hours=9).mail_to("bob")[-1].subject == "You're in: Pottery workshop"


@pytest.mark.spec("EV-31")
def test_a_resent_link_is_a_new_mail_with_a_fresh_token(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"])

    desk.do(ResendLink(desk.id("ann"))).do(ResendLink(desk.id("ann")))

    mails = desk.mail_to("ann")
    assert len(mails) == 3
    links = [{word for word in mail.text.split() if "/l/" in word} for mail in mails]
    assert links[0].isdisjoint(links[1] | links[2])
    assert links[1].isdisjoint(links[2])


@pytest.mark.spec("EV-31")
def test_a_guest_is_checked_in_once_and_it_can_be_undone(desk: RsvpDesk) -> None:
    desk.given(cap=3, party_limit=2)
    desk.sign_up("ann", party=2)
    desk.settle().do(CheckIn(desk.id("ann"), 2))

    assert desk.refused(CheckIn(desk.id("ann"), 2)) == Reason.UNCHANGED
    assert desk.refused(CheckIn(desk.id("ann"), 3)) == Reason.PARTY_TOO_LARGE
    assert desk.guest("ann").arrived == 2
    assert desk.do(CheckIn(desk.id("ann"), 0)).guest("ann").arrived == 0


@pytest.mark.spec("FD-20")
def test_erasing_a_guest_frees_their_seats_for_the_next_in_line(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"])

    desk.do(Erase(desk.guest("ann").person_id))

    assert desk.states() == {"ann": State.CANCELLED, "bob": State.OFFERED}
    assert len(desk.mail_to("ann")) == 0


@pytest.mark.spec("EV-17")
def test_a_step_of_a_job_fits_into_one_commit_and_all_are_reached(desk: RsvpDesk) -> None:
    names = [f"guest{n}" for n in range(25)]
    many = tuple(f"{n}h" for n in range(10, 20))
    desk.given(cap=25, confirmed=names, reminders=many)
    rows = watch_rows(desk)

    elsewhere = replace(DETAILS, venue="Elsewhere")
    desk.do(edit(desk, elsewhere, reminders=tuple(f"{n}h" for n in range(20, 30))))

    assert max(rows) <= 100
    assert {len(mails) for mails in map(desk.mail_to, names)} == {2}
    assert len([name for name in desk.timers() if name.startswith("ev/reminder/")]) == 250


def watch_rows(desk: RsvpDesk) -> list[int]:
    """How many rows each decision of a job touches."""
    seen: list[int] = []
    store = desk.product.store
    submit = store.submit

    def watched(ask: Ask, *, by: str, **how: Any) -> Future[Outcome]:
        def counted(reads: Reads) -> Decision:
            decision = ask(reads)
            if by.startswith("job:") and isinstance(decision, Accepted):
                seen.append(decision.rows)
            return decision

        return submit(counted, by=by, **how)

    store.submit = watched  # type: ignore[method-assign]
    return seen
