"""Serves the product with one event to sign up for, without rate limits."""

import contextlib
import sqlite3
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from bench.served import Served, free_port, running, scratch_folder
from bench.signup_sql import COUNT_GUESTS
from frontdesk.desks.rsvp.commands import CreateEvent
from frontdesk.desks.rsvp.model import Details, EventId
from frontdesk.desks.rsvp.model import EventSettings as EventSettings
from frontdesk.embedded import server
from frontdesk.engine.clock import SystemClock
from frontdesk.settings import Settings
from frontdesk.web.limits import Limits
from frontdesk.wiring.application import fresh_id
from frontdesk.wiring.one_machine import build, data_file

SLUG = "supper"
#: The largest cap that an event may have.
SEATS = 1_000_000
#: Counts facts that followers have not handled yet, and messages that are not in the mailbox yet.
#: (Followers without interest in sign-ups save their position only now and then.)
LEFT_TO_DO = (
    "SELECT (SELECT max(seq) FROM fd_fact) - (SELECT min(seq) FROM fd_follower"
    " WHERE name IN ('ev.react', 'ev.tell')), (SELECT count(*) FROM fd_send WHERE state = 'queued')"
)


def main(port: int, folder: Path) -> None:
    Limits.take = lambda *_: True  # type: ignore[method-assign]
    settings = Settings(data_dir=folder, port=port)
    server.serve(settings, before=create_event, tell=lambda _: None)


def create_event(settings: Settings) -> None:
    product = build(settings)
    now = SystemClock().now()
    starts_at = now + timedelta(days=14)
    details = Details("Supper", starts_at, starts_at + timedelta(hours=2), "Europe/Berlin", "Hall")
    command = CreateEvent(EventId(fresh_id()), SLUG, details, EventSettings(), SEATS)
    product.engine.run(command, by="bench", now=now)
    product.close()


@contextlib.contextmanager
def serve() -> Iterator[Served]:
    with scratch_folder() as folder:
        port, path = free_port(), f"/e/{SLUG}"

        def stored() -> int:
            with contextlib.closing(sqlite3.connect(data_file(folder))) as db:
                number: int = db.execute(COUNT_GUESTS).fetchone()[0]
                return number

        def is_done() -> bool:
            with contextlib.closing(sqlite3.connect(data_file(folder))) as db:
                return not any(db.execute(LEFT_TO_DO).fetchone())

        command = [sys.executable, "-m", "bench.product", str(port), str(folder)]
        with running(command, port, path) as pid:
            yield Served(
                port=port,
                pid=pid,
                folder=folder,
                page_path=path,
                signup_path=path,
                stored=stored,
                is_done=is_done,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
