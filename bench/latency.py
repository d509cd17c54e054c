"""Measures the time from a guest's cancellation until the next in line has the offer."""

import contextlib
import http.client
import re
import sqlite3
import sys
import time
from datetime import timedelta
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

from bench.product import SLUG
from bench.served import free_port, running, scratch_folder
from frontdesk.core.people import PersonId
from frontdesk.core.quiet_hours import NO_QUIET_HOURS
from frontdesk.desks.rsvp.commands import CreateEvent, SignUp
from frontdesk.desks.rsvp.model import Details, EventId, GuestId, Lane
from frontdesk.desks.rsvp.model import EventSettings as EventSettings
from frontdesk.settings import Settings
from frontdesk.wiring.application import fresh_id
from frontdesk.wiring.one_machine import build, data_file

CANCELS = 40
GIVE_UP_SECONDS = 10
OFFERS = "SELECT count(*) FROM fd_send WHERE kind = 'offer' AND state = 'sent'"
CONFIRMATIONS = "SELECT text FROM fd_message JOIN fd_send USING (send_id) WHERE kind = 'confirmed'"


def report() -> None:
    print(f"cancel to the offer in the mailbox: median {measure():.0f} ms of {CANCELS}")


def measure() -> float:
    with scratch_folder() as folder:
        _full_event_with_a_line(folder)
        port = free_port()
        command = [sys.executable, "-m", "frontdesk", "serve"]
        options = ["--data-dir", str(folder), "--port", str(port)]
        with (
            running([*command, *options], port, f"/e/{SLUG}"),
            contextlib.closing(sqlite3.connect(data_file(folder))) as db,
        ):
            links = [_link(text) for (text,) in db.execute(CONFIRMATIONS)]
            assert len(links) == CANCELS
            return median(_one(db, port, path, n) for n, path in enumerate(links, 1))


def _one(db: sqlite3.Connection, port: int, path: str, offers: int) -> float:
    """Returns the milliseconds from the POST to the offer that it causes."""
    began = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=GIVE_UP_SECONDS)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", path, urlencode({"do": "cancel"}), headers)
    status = connection.getresponse().status
    connection.close()
    assert status == http.HTTPStatus.SEE_OTHER, status
    while db.execute(OFFERS).fetchone()[0] < offers:
        if time.perf_counter() - began > GIVE_UP_SECONDS:
            raise TimeoutError("no offer was sent")
        time.sleep(0.001)
    return (time.perf_counter() - began) * 1000


def _link(text: str) -> str:
    found = re.search(r"https?://\S+?(/l/\S+)", text)
    assert found is not None
    return found[1]


def _full_event_with_a_line(folder: Path) -> None:
    product = build(Settings(data_dir=folder))
    now = product.clock.now()
    starts_at = now + timedelta(days=30)
    details = Details("Supper", starts_at, starts_at + timedelta(hours=2), "UTC", "Hall")
    event_id = EventId(fresh_id())
    awake = EventSettings(time_critical=True, quiet=NO_QUIET_HOURS)
    product.engine.run(CreateEvent(event_id, SLUG, details, awake, CANCELS), by="bench", now=now)
    for number in range(2 * CANCELS):
        ids = GuestId(fresh_id()), PersonId(fresh_id())
        email = f"guest-{number}@example.org"
        command = SignUp(event_id, *ids, "Guest", email, 1, Lane.FORM)
        product.engine.run(command, by="bench", now=now)
    product.runtime.settle(now)
    product.close()
