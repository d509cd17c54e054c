"""Appointments in files, in a Google Sheet and in the console's own table."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date, time, timedelta
from pathlib import Path

import openpyxl  # type: ignore[import-untyped]
import pytest

from frontdesk.desks.reminders.commands import MoveAppointment
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import Appointment, AppointmentState
from frontdesk.desks.reminders.sheet import COLUMNS, visit_table
from frontdesk.desks.reminders.tags import parse_tags
from frontdesk.errors import BadSettings
from frontdesk.features.sheet_sync.dates import BadDay, read_clock, read_moment
from frontdesk.features.sheet_sync.google_source import GoogleSource
from frontdesk.features.sheet_sync.sync import SheetSync
from frontdesk.settings import Settings
from frontdesk.wiring.one_machine import build
from tests.desks.reminders.test_connections import BASE, Shop, owner
from tests.desks.rsvp.console_desk import Host, form_fields
from tests.support.google import FILE, api, google
from tests.support.reminders import DAY, FRIDAY, HOUR, MONDAY, RemindersDesk
from tests.support.sheets import save_file

HEAD = "Name,E-mail,Service,Date,Time,With,Notes,Id,Status\n"
ANN = "Ann,ann@example.org,cut,2026-11-20,10:00,Mia,,,\n"
LIST = "/console/reminders"


@contextmanager
def shop_with(folder: Path, **settings: str) -> Iterator[Shop]:
    with closing(Shop(folder / "data", desks_off="booking", more=settings)) as shop:
        yield shop
        assert shop.settle().problems() == ()


def turn(shop: Shop) -> None:
    shop.wait_until(shop.clock.now() + timedelta(minutes=6))
    for task in shop.product.periodic_tasks:
        task.turn()
    shop.settle()


def coming(shop: Shop) -> list[Appointment]:
    ar = reminder_reads(shop.product.engine.reads())
    return list(ar.live_after(MONDAY - DAY, "", 100))


@pytest.mark.spec("AR-01")
def test_answers_by_a_link_are_in_the_file_of_the_staff(tmp_path: Path) -> None:
    file = tmp_path / "appointments.csv"
    save_file(file, HEAD + ANN)
    with shop_with(tmp_path, reminders_sheet=str(file)) as shop:
        turn(shop)
        [one] = coming(shop)
        assert f",{one.id},no answer yet" in file.read_text()

        shop.wait_until(FRIDAY - 3 * DAY + HOUR)
        [mail] = shop.sent("ann@")
        assert "cut" in mail.subject
        host = Host(shop.app, BASE)
        link = next(each for each in mail.text.split() if "/l/" in each).removeprefix(BASE)
        assert host.post(link, do="confirm").status == 303
        turn(shop)
        assert f",{one.id},confirmed" in file.read_text()


@pytest.mark.spec("AR-18")
def test_an_old_link_shows_the_new_time_of_a_row_that_moved(tmp_path: Path) -> None:
    file = tmp_path / "appointments.csv"
    save_file(file, HEAD + ANN)
    with shop_with(tmp_path, reminders_sheet=str(file)) as shop:
        turn(shop)
        shop.wait_until(FRIDAY - 3 * DAY + HOUR)
        [mail] = shop.sent("ann@")
        link = next(each for each in mail.text.split() if "/l/" in each).removeprefix(BASE)
        save_file(file, file.read_text().replace("2026-11-20", "2026-11-24"))
        turn(shop)

        page = Host(shop.app, BASE).get(link)

        assert "Your appointment has a new time." in page.says
        assert "Tuesday 24 November" in page.says
        Host(shop.app, BASE).post(link, do="cancel")
        assert [each.state for each in coming(shop)] == [AppointmentState.EXPECTED]


@pytest.mark.spec("AR-08")
def test_an_old_link_tells_nothing_of_the_next_customer(tmp_path: Path) -> None:
    file = tmp_path / "appointments.csv"
    save_file(file, HEAD + ANN)
    with shop_with(tmp_path, reminders_sheet=str(file)) as shop:
        turn(shop)
        shop.wait_until(FRIDAY - 3 * DAY + HOUR)
        [mail] = shop.sent("ann@")
        link = next(each for each in mail.text.split() if "/l/" in each).removeprefix(BASE)
        text = file.read_text().replace("Ann,ann@example.org,cut", "Zed,zed@example.org,colour")
        save_file(file, text)
        turn(shop)

        page = Host(shop.app, BASE).get(link)

        assert page.status == 410
        assert "colour" not in page.says


def test_staff_hear_of_rows_that_vanish_in_number_and_decide_in_the_console(
    tmp_path: Path,
) -> None:
    file = tmp_path / "appointments.csv"
    names = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")
    rows = [
        f"{name},{name}@example.org,cut,2026-11-20,{8 + n}:00,,,,\n" for n, name in enumerate(names)
    ]
    save_file(file, HEAD + "".join(rows))
    with shop_with(tmp_path, reminders_sheet=str(file)) as shop:
        turn(shop)
        save_file(file, HEAD)
        turn(shop)
        assert len(coming(shop)) == 8
        host = owner(shop)
        page = host.get(f"{LIST}/versions").says
        assert "8 rows are gone from the sheet" in page
        assert "8 rows are gone from the sheet of appointments" in host.get("/console").says
        assert "No appointment is cancelled before you say so: Ann (Fri 20 Nov, 08:00)" in page

        host.send(f"{LIST}/versions", f"{LIST}/versions/sync", let_go="yes")
        assert coming(shop) == []


def test_staff_are_told_of_a_sheet_that_cannot_be_read(tmp_path: Path) -> None:
    file = tmp_path / "appointments.csv"
    save_file(file, HEAD + ANN)
    with shop_with(tmp_path, reminders_sheet=str(file)) as shop:
        turn(shop)
        file.unlink()
        for _ in range(4):
            turn(shop)
        ar = reminder_reads(shop.product.engine.reads())
        kinds = [each.fact.kind for each in ar.facts("reminders")]
        assert kinds.count("ar.sheet_troubled") == 1
        assert len(coming(shop)) == 1


def test_an_invalid_sheet_setting_is_named_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match=r"reminders_sheet: .*\.csv or \.xlsx"):
        build(Settings(data_dir=tmp_path, reminders_sheet="list.doc"))


# --- typed cells ----------------------------------------------------------------------------


@pytest.mark.spec("AR-01")
def test_days_and_times_of_an_excel_file_are_read_and_written_as_such(tmp_path: Path) -> None:
    file = tmp_path / "appointments.xlsx"
    book = openpyxl.Workbook()
    page = book.active
    page.append(["Patient", "Email", "Treatment", "Date", "Time"])
    page.append(["Ann", "ann@example.org", "cut", date(2026, 11, 20), time(10, 30)])
    book.save(file)
    os.utime(file, (1_700_000_000, 1_700_000_000))
    with shop_with(tmp_path, reminders_sheet=str(file)) as shop:
        turn(shop)
        [one] = coming(shop)
        assert one.starts_at == FRIDAY + HOUR / 2

        host = owner(shop)
        shop.do(MoveAppointment(one.id, FRIDAY + DAY + 3.25 * HOUR))
        turn(shop)
        row = list(openpyxl.load_workbook(file).active.values)[1]
        assert (row[3].date(), row[4]) == (date(2026, 11, 21), time(13, 15))
        assert "Add an appointment" not in host.get(LIST).says


@pytest.mark.spec("AR-01")
def test_appointments_in_a_google_sheet_are_kept_in_step(tmp_path: Path) -> None:
    with google() as stand_in, closing(RemindersDesk(tmp_path)) as desk:
        stand_in.rows = [
            ["Name", "E-mail", "Service", "Date", "Time"],
            ["Ann", "ann@example.org", "cut", 46346, 0.4375],
        ]
        source = GoogleSource(api(stand_in), FILE, COLUMNS)
        keeper = SheetSync(desk.given().engine, desk.clock, visit_table("SG"), source)
        keeper.sync()
        [one] = desk.reads.live_after(MONDAY, "", 10)
        assert one.starts_at == FRIDAY + HOUR / 2
        assert stand_in.rows[1][5:] == [one.id, "no answer yet"]

        stand_in.rows[1][4] = 0.5
        stand_in.edited()
        assert keeper.due(desk.clock.now() + HOUR)
        keeper.sync()
        assert desk.reads.live_after(MONDAY, "", 10)[0].chain == 2


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("15:30", time(15, 30)),
        ("3:30 pm", time(15, 30)),
        ("3pm", time(15)),
        ("9 a.m.", time(9)),
        ("15.30", time(15, 30)),
        ("15h", time(15)),
        ("9h15", time(9, 15)),
        ("15 Uhr", time(15)),
        ("0.4375", time(10, 30)),
        ("08:00:00", time(8)),
    ],
)
def test_a_time_of_day_is_read_as_people_write_it(text: str, at: time) -> None:
    assert read_clock(text) == at


@pytest.mark.parametrize("text", ["3", "25:00", "15:75", "13 pm", "soon", "", "1" * 500])
def test_a_time_of_day_that_is_not_clear_is_refused(text: str) -> None:
    with pytest.raises(BadDay):
        read_clock(text)


@pytest.mark.parametrize(
    "text",
    ["2026-11-20 15:30", "20/11/2026, 3:30 pm", "20 Nov 2026 at 15.30", "Fri 20 Nov 3:30pm"],
)
def test_a_day_and_a_time_in_one_cell_are_read(text: str) -> None:
    assert read_moment(text, "SG", date(2026, 11, 16)) == (date(2026, 11, 20), time(15, 30))


# --- the console's own table ----------------------------------------------------------------

ADD = f"{LIST}/add"
TYPED = {
    "name": "Ann",
    "email": "ann@example.org",
    "service": "cut",
    "date": "2026-11-20",
    "time": "10:00",
}


@pytest.mark.spec("AR-01", "AR-16")
def test_staff_add_and_edit_appointments_in_the_console(tmp_path: Path) -> None:
    with shop_with(tmp_path) as shop:
        host = owner(shop)
        missing = host.send(ADD, name="Ann")
        assert "Please say what it is for." in missing.says
        assert "Please give an e-mail address or a mobile number." in missing.says

        added = host.send(ADD, **TYPED, tags="#remind 2d")
        assert added.flash == "Added."
        [one] = coming(shop)
        assert (one.starts_at, one.tags) == (FRIDAY, parse_tags("#remind 2d"))
        url = f"{LIST}/one/{one.id}"
        typed = host.get(url).says
        assert "From the console" in typed
        assert "Staff added it: cut, Friday 20 November" in typed
        assert "Ann" in host.get(LIST).says

        saved = host.send(f"{url}/edit", time="11:00", staff="Mia")
        assert saved.flash == "Saved."
        [after] = coming(shop)
        assert (after.starts_at, after.staff, after.chain) == (FRIDAY + HOUR, "Mia", 2)
        assert "Staff moved it from Friday 20 November" in host.get(url).says
        assert "the sheet" not in host.get(url).says
        assert shop.settle().subjects("ann@") == [
            "New time: cut on Friday 20 November, 11:00 (UTC)"
        ]


@pytest.mark.spec("AR-01")
def test_the_button_pressed_twice_adds_one_appointment(tmp_path: Path) -> None:
    with shop_with(tmp_path) as shop:
        host = owner(shop)
        page = form_fields(host.get(ADD).text, ADD)
        typed = {field: value for field, value in page.items() if value} | TYPED

        first, second = host.post(ADD, **typed), host.post(ADD, **typed)

        assert first.location.partition("?")[0] == second.location.partition("?")[0]
        assert len(coming(shop)) == 1


@pytest.mark.spec("AR-01")
def test_a_second_appointment_at_the_same_time_needs_a_clear_yes(tmp_path: Path) -> None:
    with shop_with(tmp_path) as shop:
        host = owner(shop)
        host.send(ADD, **TYPED)

        asked = host.press(ADD, **TYPED)

        assert asked.heading == "Add a second appointment at the same time?"
        assert "Ann has cut on Fri 20 Nov, 10:00 already." in asked.says
        assert len(coming(shop)) == 1
        assert host.send(ADD, **TYPED, confirmed="yes").flash == "Added."
        assert len(coming(shop)) == 2
        assert host.send(ADD, **TYPED | {"time": "10:01"}).flash == "Added."


def test_an_edit_that_crosses_an_answer_is_shown_and_not_lost(tmp_path: Path) -> None:
    with shop_with(tmp_path) as shop:
        host = owner(shop)
        host.send(ADD, **TYPED)
        [one] = coming(shop)
        url = f"{LIST}/one/{one.id}"
        host.send(url, f"{url}/confirm")
        stale = host.send(f"{url}/edit", staff="Mia", stamp="1.1.Ann")

        assert "Somebody else has changed this row meanwhile." in stale.says
        assert coming(shop)[0].staff == ""


def test_earlier_versions_of_the_table_are_kept_and_restored(tmp_path: Path) -> None:
    with shop_with(tmp_path) as shop:
        host = owner(shop)
        host.send(ADD, **TYPED)
        turn(shop)
        [one] = coming(shop)
        host.send(f"{LIST}/one/{one.id}/edit", time="12:00")
        turn(shop)
        first = f"{LIST}/versions/1"
        assert "2026-11-20" in host.get(first).says

        host.send(first, first, confirmed="yes")

        assert coming(shop)[0].starts_at == FRIDAY


@pytest.mark.spec("AR-01")
def test_today_names_a_row_that_cannot_be_used(tmp_path: Path) -> None:
    """Otherwise its customer would get no reminder, and nobody would notice."""
    file = tmp_path / "appointments.csv"
    save_file(file, HEAD + ANN + "Gus,,cut,2026-11-20,11:00,Mia,,,\n")
    with shop_with(tmp_path, reminders_sheet=str(file)) as shop:
        turn(shop)
        says = owner(shop).get("/console").says
        save_file(file, HEAD + ANN)
        turn(shop)

        assert "1 row of the sheet of appointments cannot be used Row 3: There is neither" in says
        assert "cannot be used" not in owner(shop).get("/console").says
