"""The weekly summary: the code counts, checks the wording, and sends it to mail, Slack and
console."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from frontdesk.core.members import MemberId
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import AddFirstOwner
from frontdesk.desks.reminders import commands as ar
from frontdesk.desks.reminders import weeks
from frontdesk.desks.reminders.facts import WeekSummedUp
from frontdesk.desks.reminders.figures import WeekFigures, is_refilled, week_figures
from frontdesk.desks.reminders.model import (
    SUMMARY_STATE,
    Appointment,
    AppointmentId,
    AppointmentSource,
    AppointmentState,
)
from frontdesk.engine.clock import VirtualClock
from frontdesk.values import replace
from tests.desks.reminders.conftest import Opened
from tests.desks.reminders.test_connections import Shop, owner
from tests.desks.reminders.test_console import LIST
from tests.support.models import ScriptedModel
from tests.support.reminders import DAY, FRIDAY, HOUR, MONDAY, RemindersDesk, an_id
from tests.support.slack import SlackRoom, slack

WEEK = date(2026, 11, 16)
NEXT = MONDAY + 7 * DAY - HOUR
MIA = "mia@salon.example"
FIGURES = WeekFigures(appointments=14, confirmed=9, freed=3, refilled=2, no_shows=1, quiet=4)
ONE = Appointment(
    AppointmentId("a1"),
    AppointmentSource.SHEET,
    "1",
    PersonId("ann"),
    "cut",
    FRIDAY,
    HOUR,
    MONDAY,
    "Mia",
)


def cancelled(hours_before: float) -> Appointment:
    at = FRIDAY - timedelta(hours=hours_before)
    return replace(ONE, state=AppointmentState.CANCELLED, closed_at=at)


# --- figures --------------------------------------------------------------------------------


@pytest.mark.spec("AR-14")
def test_appointments_are_counted_by_what_became_of_them() -> None:
    def one(number: int, **more: Any) -> Appointment:
        ids: dict[str, Any] = {
            "id": AppointmentId(f"b{number}"),
            "person_id": PersonId(f"p{number}"),
        }
        return replace(ONE, **ids, staff=f"s{number}", **more)

    came, missed = AppointmentState.CAME, AppointmentState.NO_SHOW
    rows = [
        one(1, state=AppointmentState.CONFIRMED, answered_at=MONDAY),
        one(2, state=came, answered_at=MONDAY),
        one(3, state=came, told_at=MONDAY),
        one(4, state=missed, told_at=MONDAY),
        one(5, told_at=MONDAY),
        one(6, answered_at=MONDAY, told_at=MONDAY),
        one(7),
        replace(cancelled(30), id=AppointmentId("b8")),
        replace(cancelled(0.5), id=AppointmentId("b9")),
    ]
    taken = replace(ONE, booked_at=FRIDAY - 20 * HOUR, state=came, answered_at=MONDAY)

    assert week_figures([*rows, taken]) == WeekFigures(
        appointments=10, confirmed=3, freed=1, refilled=1, no_shows=1, quiet=2
    )


@pytest.mark.spec("AR-14")
@pytest.mark.parametrize(
    ("more", "fills"),
    [
        ({}, True),
        ({"starts_at": FRIDAY + HOUR / 2}, True),
        ({"starts_at": FRIDAY + HOUR}, False),
        ({"staff": "Kim"}, False),
        ({"booked_at": FRIDAY - 31 * HOUR}, False),
        ({"state": AppointmentState.CANCELLED}, False),
        ({"id": ONE.id}, False),
    ],
)
def test_a_time_is_refilled_if_somebody_took_it_afterwards(
    more: dict[str, Any], fills: bool
) -> None:
    taken = replace(ONE, id=AppointmentId("a2"), booked_at=FRIDAY - 29 * HOUR)

    assert is_refilled(cancelled(30), [replace(taken, **more)]) is fills


def test_a_time_that_another_desk_filled_counts() -> None:
    freed = cancelled(30)

    assert week_figures([freed]).refilled == 0
    assert week_figures([freed], [freed.id]).refilled == 1


# --- words ----------------------------------------------------------------------------------


@pytest.mark.spec("AR-14")
@pytest.mark.parametrize(
    ("said", "is_true"),
    [
        ("A fine week: 9 confirmed, 3 came free and there was 1 no-show.", True),
        ("Of 14 appointments 9 were confirmed, 3 came free, 2 were filled, 1 no-show.", True),
        ("A fine week: 10 confirmed, 3 came free and there was 1 no-show.", False),
        ("A fine week: 9 confirmed, 3 came free and there were 2 no-shows.", False),
        ("A fine week: 9 confirmed, 3 came free, 1 no-show, thanks to Mira.", False),
        ("A fine week: 9 confirmed, 3 came free, 1 no-show, twice as good.", False),
        ("A fine week: 9 confirmed.", False),
        ("", False),
    ],
)
def test_words_of_a_model_are_used_only_if_every_figure_in_them_is_ours(
    said: str, is_true: bool
) -> None:
    assert weeks.is_true_summary(said, WEEK, FIGURES) is is_true


@pytest.mark.parametrize(
    ("figures", "confirmed", "freed", "missed"),
    [
        (
            FIGURES,
            "9 of 14 appointments were confirmed.",
            "3 times came free early enough, and 2 of them were filled again.",
            "There was 1 no-show, and 4 customers did not answer.",
        ),
        (
            WeekFigures(appointments=2, confirmed=1, freed=1),
            "1 of 2 appointments was confirmed.",
            "1 time came free early enough, but nobody took it.",
            "There were no no-shows.",
        ),
        (
            WeekFigures(appointments=1, freed=1, refilled=1),
            "0 of 1 appointment were confirmed.",
            "1 time came free early enough, and was filled again.",
            "There were no no-shows.",
        ),
    ],
)
def test_our_own_words_say_the_figures(
    figures: WeekFigures, confirmed: str, freed: str, missed: str
) -> None:
    begins = f"In the week of 16 to 22 November 2026, {confirmed}"

    assert weeks.summary(WEEK, figures) == f"{begins} {freed} {missed}"


def test_a_week_is_named_by_its_days() -> None:
    assert weeks.week_name(date(2026, 11, 9)) == "9 to 15 November 2026"
    assert weeks.week_name(date(2026, 11, 30)) == "30 November to 6 December 2026"
    assert weeks.week_name(date(2026, 12, 28)) == "28 December 2026 to 3 January 2027"


@pytest.mark.spec("AR-14")
@pytest.mark.parametrize(
    ("now", "last", "following"),
    [
        ("2026-03-23 07:59", "2026-03-16 08:00", "2026-03-23 08:00"),
        ("2026-03-23 08:00", "2026-03-23 08:00", "2026-03-30 08:00"),
        ("2026-03-29 12:00", "2026-03-23 08:00", "2026-03-30 08:00"),
    ],
)
def test_it_is_due_on_monday_at_eight_also_when_the_clocks_change(
    now: str, last: str, following: str
) -> None:
    tz = ZoneInfo("Europe/Berlin")
    at, before, after = (
        datetime.fromisoformat(each).replace(tzinfo=tz).astimezone(UTC)
        for each in (now, last, following)
    )

    assert weeks.last_summary_at(at, tz) == before
    assert weeks.next_summary_at(at, tz) == after


# --- the timer ------------------------------------------------------------------------------


def summed_up(desk: RemindersDesk) -> list[tuple[datetime, date]]:
    return [
        (each.at, each.fact.week)
        for each in desk.reads.facts("reminders")
        if isinstance(each.fact, WeekSummedUp)
    ]


@pytest.mark.spec("AR-14")
def test_each_week_with_appointments_is_summed_up_once(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.add("bob", FRIDAY + 14 * DAY)

    desk.wait_until(NEXT + 21 * DAY)

    assert summed_up(desk) == [(NEXT, WEEK), (NEXT + 14 * DAY, WEEK + 14 * DAY)]
    assert desk.refused(ar.SumUpWeek(NEXT)) == "unchanged"


@pytest.mark.spec("AR-14")
def test_of_missed_weeks_only_the_last_one_is_summed_up(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.add("bob", FRIDAY + 14 * DAY)

    desk.sleep_until(NEXT + 14 * DAY + 5 * HOUR)

    assert summed_up(desk) == [(NEXT + 14 * DAY + 5 * HOUR, WEEK + 14 * DAY)]


@pytest.mark.spec("AR-14")
def test_a_start_of_the_program_does_not_move_the_summary(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.clock.move_to(NEXT + HOUR)
    desk.do(ar.PlanTick())

    assert summed_up(desk) == [(NEXT + HOUR, WEEK)]
    assert desk.engine.reads().engine.setting(SUMMARY_STATE).next_at == NEXT + 7 * DAY


# --- the whole product ----------------------------------------------------------------------


@pytest.fixture
def room() -> Iterator[SlackRoom]:
    with slack() as one:
        yield one


@pytest.fixture
def shop(tmp_path: Path, room: SlackRoom) -> Iterator[Shop]:
    with closing(Shop(tmp_path, more=room.settings)) as one:
        one.do(AddFirstOwner(MemberId(an_id("m")), PersonId(an_id("mia")), "Mia", MIA))
        yield one.opens()


@pytest.mark.spec("AR-14")
def test_the_summary_says_that_more_customers_did_not_answer_than_it_names(shop: Shop) -> None:
    sheet = AppointmentSource.SHEET
    for each in (f"guest{letter}" for letter in "abcdefghijklmn"):
        contact = (each.title(), f"{each}@example.org", "")
        ids = (each, PersonId(an_id(each)))
        shop.do(ar.RecordAppointment(sheet, *ids, *contact, "cut", FRIDAY, HOUR))

    shop.wait_until(NEXT)

    [mail] = [each for each in shop.sent(MIA) if "16 to 22 November" in each.subject]
    [line] = [each for each in mail.text.splitlines() if each.startswith("Did not answer: ")]
    assert line.count("Guest") == 12
    assert line.endswith(" and 2 more.")


@pytest.mark.spec("AR-14")
def test_the_summary_goes_out_by_mail_and_to_slack_and_stands_in_the_console(
    shop: Shop, room: SlackRoom
) -> None:
    shop.book("ann", FRIDAY + 2 * HOUR)
    confirmed = shop.book("bob")
    shop.do(shop.reply(ar.Confirm, confirmed))

    shop.wait_until(NEXT)

    says = "In the week of 16 to 22 November 2026, 1 of 2 appointments was confirmed."
    [mail] = [each for each in shop.sent(MIA) if "16 to 22 November" in each.subject]
    assert says in mail.text
    assert "Confirmed: 1\n" in mail.text
    assert "Did not answer: Ann." in mail.text
    assert "0 of 0" not in mail.text
    assert "16 Nov \u2588\u2588\u2588\u2588\u2588\u2588 1 of 2" in mail.text
    assert room.texts[-1].startswith(says)
    assert "Ann" not in room.texts[-1]
    page = owner(shop).get(f"{LIST}/weeks?week={WEEK}").says
    assert says in page
    assert "Did not answer Ann" in page


@pytest.mark.spec("AR-14")
@pytest.mark.parametrize(
    ("said", "is_used"),
    [
        ("A good week: 1 appointment was confirmed, 0 came free, 0 no-shows.", True),
        ("A good week: 8 were confirmed, 0 came free, 0 no-shows.", False),
    ],
)
def test_a_model_writes_the_first_words_and_gets_no_names(
    tmp_path: Path, said: str, is_used: bool
) -> None:
    model = ScriptedModel({"week": said})
    with closing(Shop(tmp_path, model=model)) as shop:
        shop.do(AddFirstOwner(MemberId(an_id("m")), PersonId(an_id("mia")), "Mia", MIA)).opens()
        shop.do(shop.reply(ar.Confirm, shop.book("ann")))

        shop.wait_until(NEXT)

        [mail] = [each for each in shop.sent(MIA) if "16 to 22 November" in each.subject]
    assert (said in mail.text) is is_used
    assert ("1 of 1 appointment was confirmed" in mail.text) is not is_used
    [prompt] = [each for each in model.prompts if each.task == "week"]
    assert "Confirmed: 1" in prompt.text
    assert "Ann" not in prompt.text


@pytest.mark.parametrize(
    "week", ["", "nonsense", "9999-99-99", "2999-01-01", "0001-01-01", "1970-01-01", "1971-01-05"]
)
def test_the_page_of_weeks_takes_any_day(shop: Shop, week: str) -> None:
    page = owner(shop).get(f"{LIST}/weeks?week={week}")

    assert page.status == 200
    assert "No appointments in this week" in page.says


def test_a_switched_off_desk_sums_nothing_up(open_desk: Opened) -> None:
    from frontdesk.desks.reminders.load import Loader

    desk = open_desk(loader=Loader(is_on=False), clock=VirtualClock(NEXT))

    assert desk.refused(ar.SumUpWeek(NEXT)) == "switched_off"
