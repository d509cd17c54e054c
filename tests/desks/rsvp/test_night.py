"""The doctor finds messages sent in quiet hours, by the rules of that night."""

from datetime import UTC, datetime, time, timedelta

import pytest

from frontdesk.core.notes import Quiet
from frontdesk.core.people import PersonId
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.core.sends import Send, SendId, SendState
from frontdesk.desks.rsvp.facts import EventCreated, EventEdited
from frontdesk.desks.rsvp.invariants import EventVersion, sent_in_quiet_hours, versions
from frontdesk.desks.rsvp.model import Details, EventId, EventSettings
from frontdesk.values import replace

HOUR = timedelta(hours=1)
#: Friday at seven in the evening in Singapore.
STARTS = datetime(2026, 11, 27, 11, tzinfo=UTC)
DETAILS = Details("Supper", STARTS, STARTS + 2 * HOUR, "Asia/Singapore")
MADE = EventVersion(STARTS - 240 * HOUR, DETAILS, EventSettings(), sequence=0)
#: Thursday at eleven at night there: quiet until eight.
NIGHT = datetime(2026, 11, 26, 15, tzinfo=UTC)
EIGHT = datetime(2026, 11, 27, 0, tzinfo=UTC)


def sent(kind: str, at: datetime | None = NIGHT, quiet: Quiet = Quiet.HOLD) -> Send:
    return Send(
        id=SendId("s1"),
        key=f"ev/e1/g1/{kind}",
        desk="ev",
        kind=kind,
        person_id=PersonId("p1"),
        subject="e1",
        about="g1",
        state=SendState.SENT if at else SendState.HELD,
        queued_at=NIGHT,
        due_at=NIGHT,
        quiet=quiet,
        sent_at=at,
    )


def found(send: Send, *history: EventVersion) -> list[str]:
    return list(sent_in_quiet_hours(history or (MADE,), [send]))


@pytest.mark.spec("FD-12")
@pytest.mark.parametrize("kind", ["reminder", "offer", "confirmed", "called_off", "moved"])
def test_a_mail_that_could_have_waited_for_the_morning_is_reported(kind: str) -> None:
    assert found(sent(kind)) == [f"{kind} s1 went out in quiet hours, at 2026-11-26T15:00:00+00:00"]
    assert found(sent(kind, EIGHT)) == []
    assert found(sent(kind, EIGHT - timedelta(seconds=1))) != []
    assert found(sent(kind, None)) == []


@pytest.mark.spec("FD-12")
def test_an_answer_goes_at_any_hour_and_a_reminder_is_none_whatever_the_ledger_says() -> None:
    assert found(sent("confirmed", quiet=Quiet.IGNORE)) == []
    assert found(sent("headcount", quiet=Quiet.IGNORE)) == []
    assert found(sent("reminder", quiet=Quiet.IGNORE)) != []


def starting(at: datetime, *, time_critical: bool = False) -> EventVersion:
    details = replace(DETAILS, starts_at=at, ends_at=at + HOUR)
    return replace(MADE, details=details, settings=EventSettings(time_critical=time_critical))


@pytest.mark.spec("FD-12")
@pytest.mark.spec("EV-25")
def test_an_offer_goes_at_night_only_if_it_is_time_critical_and_the_window_would_be_cut() -> None:
    soon = EIGHT + 6 * HOUR - timedelta(seconds=1)

    assert found(sent("offer"), starting(soon, time_critical=True)) == []
    assert found(sent("offer"), starting(soon)) != []
    assert found(sent("offer"), starting(EIGHT + 6 * HOUR, time_critical=True)) != []
    assert found(sent("reminder"), starting(soon, time_critical=True)) != []


@pytest.mark.spec("FD-12")
def test_a_call_off_and_a_move_go_at_night_if_it_would_have_begun_by_the_morning() -> None:
    early = starting(EIGHT)
    moved = replace(MADE, since=NIGHT - HOUR, sequence=1)

    assert found(sent("called_off"), early) == []
    assert found(sent("called_off"), starting(EIGHT + timedelta(seconds=1))) != []
    assert found(sent("moved"), early, moved) == []
    assert found(sent("moved"), MADE, moved) != []


@pytest.mark.spec("FD-12")
def test_news_of_a_seat_goes_at_night_if_the_event_would_have_begun_by_the_morning() -> None:
    early, late = starting(EIGHT), starting(EIGHT + timedelta(seconds=1))
    seat = replace(sent("removed"), params={"before": "confirmed"})
    place = replace(sent("removed"), params={"before": "waiting"})

    assert [found(each, early) for each in (sent("confirmed"), seat)] == [[], []]
    assert all(found(each, late) for each in (sent("confirmed"), seat))
    assert found(place, early) != []


@pytest.mark.spec("FD-12")
def test_quiet_hours_that_are_changed_later_change_no_past_night() -> None:
    none = replace(MADE, settings=EventSettings(quiet=QuietHours(time(0), time(0))))
    later = replace(MADE, since=NIGHT + HOUR)

    assert found(sent("reminder"), none, later) == []
    assert found(sent("reminder", NIGHT + HOUR * 2), none, later) != []
    assert found(sent("reminder"), none, replace(later, since=NIGHT)) == []


def test_the_versions_of_an_event_are_its_creation_and_its_edits() -> None:
    event_id, after = EventId("e1"), replace(DETAILS, name="Late supper")
    facts = (
        EventCreated(event_id, "supper", DETAILS, EventSettings(), 4),
        EventEdited(event_id, "supper", after, EventSettings(), 1, 1, moved=True, retimed=False),
    )

    assert versions((NIGHT, fact) for fact in facts) == (
        EventVersion(NIGHT, DETAILS, EventSettings(), 0),
        EventVersion(NIGHT, after, EventSettings(), 1),
    )
