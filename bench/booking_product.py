"""Serves the product with a salon to book at, without rate limits."""

import contextlib
import random
import sqlite3
import sys
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from functools import partial
from pathlib import Path
from typing import Final

from bench import booking_sql
from bench.booking_sql import BUFFER_MINUTES, MINUTES, SERVICE
from bench.served import Served, free_port, running, scratch_folder
from frontdesk.core.localtime import to_instant, to_wall, zone
from frontdesk.desks.booking.commands import SetRules
from frontdesk.desks.booking.rules import (
    BookingRules,
    Need,
    Period,
    Resource,
    ResourceId,
    ServiceRules,
)
from frontdesk.embedded import server
from frontdesk.engine.clock import SystemClock
from frontdesk.settings import Settings
from frontdesk.web.limits import Limits
from frontdesk.wiring.one_machine import build, data_file

#: Switches the reminders desk off: the booking desk then sends its reminders itself, as the limit
#: does.
DESKS_OFF: Final = "reminders"
ZONE: Final = "Europe/Berlin"
STAFF: Final = tuple(ResourceId(f"staff-{n}") for n in range(5))
OPENS, CLOSES = 9, 18
#: Almost as far ahead as bookings are allowed: 57,000 times, enough for a fast machine.
DAYS: Final = 1_490
#: Counts confirmed bookings without a message yet, and messages that are not in the mailbox yet.
LEFT_TO_DO: Final = (
    "SELECT (SELECT count(*) FROM fd_fact WHERE kind = 'bk.confirmed' AND seq >"
    " (SELECT seq FROM fd_follower WHERE name = 'bk.tell')),"
    " (SELECT count(*) FROM fd_send WHERE state = 'queued')"
)


def main(port: int, folder: Path) -> None:
    Limits.take = lambda *_: True  # type: ignore[method-assign]
    settings = Settings(data_dir=folder, port=port, desks_off=DESKS_OFF)
    server.serve(settings, before=set_rules, tell=lambda _: None)


def set_rules(settings: Settings) -> None:
    product = build(settings)
    product.engine.run(SetRules(rules()), by="bench", now=SystemClock().now())
    product.close()


def rules() -> BookingRules:
    open_days = ((Period(OPENS * 60, CLOSES * 60),),) * 6
    return BookingRules(
        zone=ZONE,
        hours=(*open_days, ()),
        services=(
            ServiceRules(
                SERVICE,
                timedelta(minutes=MINUTES),
                (Need(STAFF),),
                buffer_after=timedelta(minutes=BUFFER_MINUTES),
                horizon=timedelta(days=DAYS),
            ),
        ),
        resources=tuple(Resource(each, each) for each in STAFF),
    )


def bookable_times(now: datetime) -> list[tuple[str, ResourceId]]:
    """Returns times that can all be booked, shuffled over all days; each staff member has their
    own."""
    today = to_wall(now, zone(ZONE)).date()
    days = (today + timedelta(days=n) for n in range(1, DAYS - 1))
    found = [
        (f"{_starts_at(on, hour):%Y-%m-%dT%H:%M}Z", staff)
        for on in days
        if on.weekday() != 6
        for hour in range(OPENS, CLOSES)
        for staff in STAFF
    ]
    random.Random(17).shuffle(found)
    return found


def _starts_at(on: date, hour: int) -> datetime:
    return to_instant(datetime.combine(on, time(hour)), zone(ZONE))


@contextlib.contextmanager
def serve() -> Iterator[Served]:
    with scratch_folder() as folder:
        port = free_port()

        def is_done() -> bool:
            with contextlib.closing(sqlite3.connect(data_file(folder))) as db:
                return not any(db.execute(LEFT_TO_DO).fetchone())

        command = [sys.executable, "-m", "bench.booking_product", str(port), str(folder)]
        with running(command, port, "/book") as pid:
            yield Served(
                port=port,
                pid=pid,
                folder=folder,
                page_path="/book",
                signup_path="/book",
                stored=partial(booking_sql.stored, data_file(folder)),
                is_done=is_done,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
