"""A server that is killed in a busy minute keeps every booking, with one event and one
confirmation."""

from __future__ import annotations

import http.client
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from frontdesk.core.people import PersonId
from frontdesk.desks.booking.commands import Book, TakeRules
from frontdesk.desks.booking.model import booking_id
from frontdesk.engine.clock import SystemClock
from frontdesk.engine.ports import Committed
from frontdesk.simulate.runtime import Simulation, server_settings
from frontdesk.values import replace
from frontdesk.wiring.application import fresh_id
from tests.support.calendars import Radicale, radicale_server
from tests.support.machine import Machine, machine, until
from tests.support.server_kills import KillAfterWrites

RULES = """\
hours: {daily: "0:00-24:00"}
quiet hours: none
staff:
  mia: {name: Mia, calendar: mia}
rooms:
  hall: {name: Hall, capacity: 9}
all services: {notice: 0 min, start every: 5 min}
services:
  Cut: {minutes: 15}
  Class: {minutes: 15, staff: [], needs: [hall]}
reminders: [1 hour]
"""
PATIENCE_SECONDS = 120.0
#: Each customer wants another time with Mia; the rivals want the time of the first one.
CUSTOMERS, RIVALS = 9, 3
#: These have booked a class earlier; their reminders are due when the server starts.
REMINDED = ("Rita", "Rob", "Rosa")
#: The server is killed before it gets the answer to these writes to the calendar.
KILL_AT = (1, 4, 7)
QUARTER = timedelta(minutes=15)
#: Mia offers no times before her calendar has been read.
WAS_READ = "SELECT 1 FROM fd_setting WHERE key = 'bk.calendar_busy.mia'"
CLAIMED = "SELECT 1 FROM bk_booking WHERE status = 'claimed'"


def start_in(minutes: int) -> datetime:
    """Returns a start on the grid, at most five minutes sooner than in so many minutes."""
    now = SystemClock().now()
    return now.replace(minute=now.minute // 5 * 5, second=0) + timedelta(minutes=minutes)


def opened(one: Machine, calendar: Radicale) -> None:
    one.data_dir.mkdir(parents=True)
    (one.data_dir / "calendars.toml").write_text(
        f'[mia]\nkind = "caldav"\nurl = "{calendar.url}"\nuser = "mia"\npassword = "secret"\n'
    )
    starts_at = start_in(55)
    earlier = starts_at - timedelta(hours=3)
    settings = replace(server_settings(one.data_dir), desks_off="reminders")
    with Simulation(settings, earlier, ids=fresh_id) as desk:
        desk.run(TakeRules(RULES, "UTC"), by="test")
        for name in REMINDED:
            booked = Book(
                booking_id=booking_id(fresh_id()),
                person_id=PersonId(fresh_id()),
                service="Class",
                starts_at=starts_at,
                name=name,
                email=f"{name.lower()}@example.org",
            )
            outcome = desk.run(booked, by="test")
            assert isinstance(outcome, Committed), outcome
        desk.settle()


def ask(one: Machine, name: str, starts_at: datetime) -> int:
    """Sends the request until there is an answer; returns its status."""
    said = {
        "service": "Cut",
        "staff": "mia",
        "at": f"{starts_at:%Y-%m-%dT%H:%MZ}",
        "name": name,
        "email": f"{name.lower()}@example.org",
    }
    give_up_at = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < give_up_at:
        try:
            status, _ = one.post("/api/booking", said, {"idempotency-key": f"key-{name}"})
        except (OSError, http.client.HTTPException):
            time.sleep(0.02)  # the server is down: try again
            continue
        return status
    raise AssertionError(f"{name} was never answered")


def events(folder: Path) -> list[str]:
    """Returns the ids of the events in the calendar."""
    return [file.stem for file in folder.glob("collections/**/openings/*.ics")]


def told(one: Machine, kind: str) -> Counter[str]:
    """Counts this message by recipient."""
    found = one.rows(
        "SELECT p.name FROM fd_message JOIN fd_send s USING (send_id)"
        f" JOIN fd_person p ON p.person_id = s.person_id WHERE s.kind = '{kind}'",
    )
    return Counter(name for (name,) in found)


@pytest.mark.spec("BK-12", "FD-02", "FD-03")
def test_after_kills_every_booking_has_one_event_one_confirmation_and_one_reminder(
    tmp_path: Path,
) -> None:
    """Kills the server right after an event was written, before it can record that."""
    with (
        radicale_server(tmp_path) as calendar,
        machine(tmp_path, desks_off="reminders") as one,
        ThreadPoolExecutor(4) as pool,
    ):
        opened(one, calendar)
        calendar.done = KillAfterWrites(one, KILL_AT)
        one.start()
        until(lambda: bool(one.rows(WAS_READ)), PATIENCE_SECONDS)
        starts_at = start_in(120)
        wanted = [(f"Ann{n}", starts_at + n * QUARTER) for n in range(CUSTOMERS)]
        wanted += [(f"Rival{n}", starts_at) for n in range(RIVALS)]
        asking: dict[str, Future[int]] = {
            name: pool.submit(ask, one, name, at) for name, at in wanted
        }
        for _ in KILL_AT:
            until(one.has_ended, PATIENCE_SECONDS)
            one.kill()
            # The server may finish a write, and be killed, before it is up.
            one.start(may_end=True)
        answers = {name: future.result() for name, future in asking.items()}
        until(lambda: one.is_settled(CLAIMED), PATIENCE_SECONDS)

        booked = {name for name, status in answers.items() if status == 201}
        assert Counter(answers.values()) == {201: CUSTOMERS, 409: RIVALS}
        found = one.rows("SELECT name, status FROM bk_booking WHERE lane = 'form'")
        assert sorted(found) == sorted((name, "confirmed") for name in {*booked, *REMINDED})
        assert len(events(tmp_path)) == CUSTOMERS
        assert told(one, "confirmed") == Counter([*booked, *REMINDED])
        assert told(one, "reminder") == Counter(REMINDED)
        assert one.data("doctor")["problems"] == []
        assert one.data("rebuild")["same"] is True
        assert one.rows("SELECT message_id FROM fd_message GROUP BY 1 HAVING count(*) > 1") == []
