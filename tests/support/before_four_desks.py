"""Opens data of four desks that an earlier version wrote, and lists what the present code finds."""

from __future__ import annotations

import json
import lzma
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from frontdesk.cli.aws import AwsView
from frontdesk.core.ids import ID_BYTES, new_id
from frontdesk.core.localtime import zone
from frontdesk.desks.admin.reads import AdminReads, FactFilter, MessageFilter
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking
from frontdesk.desks.booking.story import booking_story
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import Appointment
from frontdesk.desks.reminders.story import appointment_story
from frontdesk.doctor import check_up
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.inspection import InspectableStore
from frontdesk.engine.keys import link_keys
from frontdesk.engine.ports import Reads
from frontdesk.engine.runtime import advance
from frontdesk.features.proposals.model import ProposalStatus
from frontdesk.settings import Settings
from frontdesk.store.dynamodb.inspection import DynamoInspection
from frontdesk.store.dynamodb.schema import TABLES
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.sqlite.view import open_view
from frontdesk.values import Frozen
from frontdesk.wiring import one_machine
from frontdesk.wiring.application import Application
from frontdesk.wiring.desks import DESKS
from frontdesk.wiring.one_machine import data_file, web_app
from tests.support import before
from tests.support.before import ALL, Apps
from tests.support.dynamodb import AT_ONCE, Tables

FOLDER = Path(__file__).parents[1] / "fixtures" / "four_desks"
#: The instant at which the data was written, by home.
NOW = {
    "sqlite": datetime(2026, 11, 18, 11, 0, tzinfo=UTC),
    "dynamodb": datetime(2026, 11, 18, 12, 0, tzinfo=UTC),
}
DAYS = timedelta(days=3)
NAP = timedelta(hours=12)


class Opened(Frozen):
    product: Application
    apps: Apps
    clock: VirtualClock
    view: InspectableStore


@contextmanager
def in_a_folder(data: Path, now: datetime) -> Iterator[Opened]:
    clock = VirtualClock(now)
    settings = Settings(data_dir=data, base_url=before.BASE_URL, text_countries="US")
    product = one_machine.build(settings, clock=clock, ids=_ids(), chance=lambda: 0.5)
    with ExitStack() as views:
        pages = web_app(product)
        view = views.enter_context(open_view(data_file(data), one_machine.TABLES))
        yield Opened(product, Apps(pages, pages), clock, view)
    product.close()


@contextmanager
def in_tables(tables: Tables, folder: Path, now: datetime) -> Iterator[Opened]:
    clock = VirtualClock(now)
    store = DynamoStore(
        tables.client,
        tables.bucket,
        [each.dynamodb() for each in DESKS],
        prefix=tables.prefix,
        pause=lambda _seconds: None,
    )
    keys, settings = link_keys(folder), Settings(data_dir=folder, base_url=before.BASE_URL)
    product, apps = before.on_tables(store, settings, keys, keys, clock, _ids())
    inspection = DynamoInspection(TableReader(tables.client, tables.bucket, tables.prefix))
    yield Opened(product, apps, clock, AwsView(product.engine.reads(), inspection))
    product.close()


def _ids() -> Callable[[], str]:
    source = random.Random("after")
    return lambda: new_id(source.randbytes(ID_BYTES))


@contextmanager
def earlier(kind: str, tmp_path: Path, tables: Tables | None) -> Iterator[Opened]:
    """Opens a copy of the data."""
    folder, data = FOLDER / kind, tmp_path / "data"
    shutil.copytree(folder, data, ignore=shutil.ignore_patterns("*.xz"))
    if tables is None:
        data_file(data).write_bytes(lzma.decompress((folder / "frontdesk.db.xz").read_bytes()))
        with in_a_folder(data, NOW[kind]) as opened:
            yield opened
        return
    fill(folder, tables)
    with in_tables(tables, data, NOW[kind]) as opened:
        yield opened


def fill(folder: Path, tables: Tables) -> None:
    items = unpacked(folder / "items.json.xz")
    assert set(items) <= {table.name for table in TABLES}
    for name, rows in items.items():
        put_rows(tables, name, [before_item(row) for row in rows])


def put_rows(tables: Tables, table: str, items: Iterable[dict[str, Any]]) -> None:
    name = tables.prefix + table
    tables.touched.add(name)
    requests = [{"PutRequest": {"Item": item}} for item in items]
    for start in range(0, len(requests), AT_ONCE):
        part = {name: requests[start : start + AT_ONCE]}
        while part:
            part = tables.client.batch_write_item(RequestItems=part)["UnprocessedItems"]


def before_item(wire: dict[str, Any]) -> dict[str, Any]:
    """Converts an item of the file: JSON has no bytes, so the file has them in hexadecimal."""
    return {
        name: {"B": bytes.fromhex(value["B"])} if "B" in value else value
        for name, value in wire.items()
    }


def unpacked(file: Path) -> Any:
    return json.loads(lzma.decompress(file.read_bytes()))


# --- stored data ------------------------------------------------------------------------------


def rows(opened: Opened) -> Any:
    """Returns all rows of the two newer desks, their facts, all messages and timers."""
    reads = opened.view.reads
    bk, ar = booking_reads(reads), reminder_reads(reads)
    fd: AdminReads = reads.desk("fd")
    facts = [each for each in fd.facts(FactFilter(), ALL) if each.fact.kind[:2] in ("bk", "ar")]
    return before.plain(
        {
            "rules": [bk.rules(), ar.rules()],
            "bookings": {one.id: one for one in _bookings(reads)},
            "cells": sorted((before.plain(each) for each in bk.every_cell()), key=str),
            "tallies": sorted((before.plain(each) for each in bk.every_tally()), key=str),
            "requests": {one.id: one for one in bk.all_requests(limit=ALL)},
            "handovers": {one.id: one for one in bk.handovers(limit=ALL)},
            "appointments": {
                one.id: [one, ar.reminders_of(one.id), ar.replies_of(one.id)]
                for one in _appointments(reads)
            },
            "archived": {one.id: ar.archived_reminders(one.id) for one in _appointments(reads)},
            "proposals": {status: ar.proposals(status, ALL) for status in ProposalStatus},
            "no_shows": ar.no_shows(),
            "facts": [[each.seq, each.at, each.by, each.fact.kind, each.fact] for each in facts],
            "sends": {row.send.id: row.send for row in fd.messages(MessageFilter(), limit=ALL)},
            "timers": dict(sorted(opened.view.inspection.timers().items())),
        }
    )


def _bookings(reads: Reads) -> list[Booking]:
    return sorted(booking_reads(reads).bookings(limit=ALL), key=lambda one: one.id)


def _appointments(reads: Reads) -> list[Appointment]:
    return sorted(reminder_reads(reads).appointments(limit=ALL), key=lambda one: one.id)


def stories(opened: Opened) -> dict[str, list[str]]:
    reads, tz = opened.view.reads, zone("Europe/Lisbon")
    told = {f"booking {one.id}": booking_story(reads, one, tz) for one in _bookings(reads)}
    for one in _appointments(reads):
        told[f"appointment {one.id}"] = appointment_story(reads, one.id, tz)
    return {
        about: [f"{each.at.isoformat()} {each.by}: {each.text}" for each in lines]
        for about, lines in told.items()
    }


def problems(opened: Opened) -> list[str]:
    return [*check_up(opened.view, opened.clock.now(), served=False).problems]


def links(opened: Opened) -> dict[str, list[Any]]:
    """Returns status and heading of the page behind every link in a message."""
    paths = before.links_in(before.texts(opened.view.reads))
    return before.headings_of(opened.apps, paths, {})


def let_days_pass(opened: Opened, kind: str) -> None:
    """Lets days pass. On DynamoDB, where each tick takes long, it moves the clock hours at a
    time."""
    until = opened.clock.now() + DAYS
    if kind == "sqlite":
        advance(opened.product.runtime, opened.clock, until)
    while opened.clock.now() < until:
        opened.clock.move_to(min(until, opened.clock.now() + NAP))
        opened.product.runtime.settle(opened.clock.now())


def states(opened: Opened) -> dict[str, dict[str, int]]:
    reads = opened.product.engine.reads()
    return {
        "bookings": dict(Counter(one.status.value for one in _bookings(reads))),
        "appointments": dict(Counter(one.state.value for one in _appointments(reads))),
    }
