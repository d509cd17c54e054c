"""Data that an earlier version wrote opens in this one: rows, stories, links, unfinished work.

`tests/fixtures/before/README.md` says what the data holds and how it was written.
"""

from __future__ import annotations

import json
import lzma
import random
import shutil
import zlib
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from frontdesk.cli.aws import AwsView
from frontdesk.core.ids import ID_BYTES, new_id
from frontdesk.core.mail import MailFolder
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.inspection import InspectableStore
from frontdesk.engine.keys import keys_in
from frontdesk.engine.runtime import advance
from frontdesk.settings import from_parameters, load
from frontdesk.store.dynamodb.admin import ADMIN
from frontdesk.store.dynamodb.booking import BOOKING
from frontdesk.store.dynamodb.inspection import DynamoInspection
from frontdesk.store.dynamodb.reminders import REMINDERS
from frontdesk.store.dynamodb.rsvp import RSVP
from frontdesk.store.dynamodb.schema import TABLES
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.waitlist import WAITLIST
from frontdesk.store.sqlite.view import open_view
from frontdesk.wiring import one_machine
from frontdesk.wiring.application import Application
from frontdesk.wiring.one_machine import data_file, web_app
from tests.support import before
from tests.support.before import NOW, Apps
from tests.support.before_four_desks import put_rows, unpacked
from tests.support.dynamodb import Tables, needs_dynamodb
from tests.support.slack import CHANNEL, TOKEN, SlackRoom, slack

DAYS = timedelta(days=3)
#: The prefixes of facts of desks that the earlier version did not have.
DESKS_SINCE = ("ar.",)
#: Tables that the earlier version did not have.
NEW_TABLES = frozenset(
    (
        *("tbl-bookings", "tbl-claims", "tbl-requests", "tbl-audit"),
        *("ar-appointments", "ar-sends", "ar-sends-archive", "ar-replies", "ar-audit"),
        "ar-proposals",
    )
)
KINDS = [
    pytest.param("sqlite", id="sqlite"),
    pytest.param("dynamodb", id="dynamodb", marks=needs_dynamodb),
]


@dataclass
class Earlier:
    """A copy of the data, opened by the present code at the instant when it was written."""

    folder: Path
    product: Application
    apps: Apps
    clock: VirtualClock
    slack: SlackRoom
    view: Callable[[], InspectableStore]

    @property
    def expected(self) -> Any:
        return json.loads((self.folder / "expected.json").read_text("utf-8"))

    def expected_part(self, name: str) -> Any:
        """Returns an expected part, as the earlier version wrote it."""
        return unpacked(self.folder / f"expected-{name}.json.xz")


@pytest.fixture(params=KINDS)
def earlier(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Earlier]:
    folder = before.FOLDER / request.param
    with slack() as room:
        room.messages.update(unpacked(folder / "slack.json.xz"))
        if request.param == "sqlite":
            with _in_a_folder(folder, tmp_path, room) as opened:
                yield opened
        else:
            tables: Tables = request.getfixturevalue("dynamodb")
            with _in_tables(folder, tables, room) as opened:
                yield opened


@contextmanager
def _in_a_folder(folder: Path, tmp_path: Path, room: SlackRoom) -> Iterator[Earlier]:
    data = copied(folder, tmp_path)
    clock = VirtualClock(NOW)
    calendar = "http://127.0.0.1:9/openings.ics"
    settings = load({}, data_dir=data, slack_api=room.url, calendar_url=calendar)
    product = one_machine.build(settings, clock=clock, ids=_ids(), chance=lambda: 0.5)
    with ExitStack() as views:

        def view() -> InspectableStore:
            return views.enter_context(open_view(data_file(data), one_machine.TABLES))

        pages = web_app(product)
        yield Earlier(folder, product, Apps(pages, pages), clock, room, view)
    product.close()


def copied(folder: Path, tmp_path: Path) -> Path:
    """Returns the unchanged data folder."""
    data = tmp_path / "data"
    shutil.copytree(folder, data, ignore=shutil.ignore_patterns("*.xz", "expected.json"))
    packed = (folder / "frontdesk.db.xz").read_bytes()
    data_file(data).write_bytes(lzma.decompress(packed))
    return data


def _ids() -> Callable[[], str]:
    source = random.Random("after")
    return lambda: new_id(source.randbytes(ID_BYTES))


@contextmanager
def _in_tables(folder: Path, tables: Tables, room: SlackRoom) -> Iterator[Earlier]:
    _fill(folder, tables)
    store = DynamoStore(
        tables.client,
        tables.bucket,
        [RSVP, WAITLIST, BOOKING, REMINDERS, ADMIN],
        prefix=tables.prefix,
        mail_buckets={MailFolder.WAITLIST: tables.waitlist_mail},
        pause=lambda _seconds: None,
    )
    secrets = json.loads((folder / "secrets.json").read_text())
    parameters = json.loads((folder / "parameters.json").read_text())
    in_slack = {"slack-api": room.url, "slack-channel": CHANNEL, "slack-token": TOKEN}
    clock = VirtualClock(NOW)
    product, apps = before.on_tables(
        store,
        from_parameters(parameters | in_slack),
        keys_in(secrets["ev/links/signing-key"]),
        keys_in(secrets["wl/claim/signing-key"]),
        clock,
        _ids(),
    )

    def looked() -> InspectableStore:
        inspection = DynamoInspection(TableReader(tables.client, tables.bucket, tables.prefix))
        return AwsView(product.engine.reads(), inspection)

    yield Earlier(folder, product, apps, clock, room, looked)
    product.close()


def _fill(folder: Path, tables: Tables) -> None:
    items = unpacked(folder / "items.json.xz")
    written = [table for table in TABLES if table.name not in NEW_TABLES]
    assert set(items) == {table.name for table in written}
    for table in written:
        put_rows(tables, table.name, [_item(wire) for wire in items[table.name]])
    objects = unpacked(folder / "objects.json.xz")
    for which, bucket in (("mail", tables.bucket), ("waitlist_mail", tables.waitlist_mail)):
        for key, body in objects[which].items():
            bucket.put(key, b64decode(body))


def _item(wire: dict[str, Any]) -> dict[str, Any]:
    """Converts an item of the file: JSON has no bytes, so packed texts are plain text in the
    file."""
    return {
        name: {"B": _bytes(value["B"])} if "B" in value else value for name, value in wire.items()
    }


def _bytes(value: dict[str, str]) -> bytes:
    return zlib.compress(value["zlib"].encode()) if "zlib" in value else b64decode(value["base64"])


# --- rows and stories -------------------------------------------------------------------------


def test_every_row_and_every_fact_of_earlier_data_is_read_as_it_was(earlier: Earlier) -> None:
    view = earlier.view()
    found = before.rows(view.reads, view.inspection, NOW)
    told = earlier.expected_part("rows")
    for part in told:
        for each in told[part]:
            assert found[part][each] == told[part][each], f"{part}: {each}"
    assert found == told


#: A sentence that later versions add to the story of a slot.
SINCE = " The booking tool says that it was cancelled."


def test_stories_and_exports_of_earlier_data_are_the_same(earlier: Earlier) -> None:
    reads = earlier.view().reads
    stories = {
        name: [line.replace(SINCE, "") for line in lines]
        for name, lines in before.stories(reads).items()
    }
    assert stories == earlier.expected_part("stories")
    assert before.exports(reads) == earlier.expected_part("exports")


def test_the_doctor_finds_in_earlier_data_what_was_found_then(earlier: Earlier) -> None:
    assert before.doctor(earlier.view(), NOW) == earlier.expected["doctor"]


def test_every_link_of_the_earlier_version_opens_the_same_page(earlier: Earlier) -> None:
    """The links have every purpose, are short and long, and are signed with the present key or the
    one before."""
    told = earlier.expected_part("links")["links"]
    found = before.headings_of(earlier.apps, told, {})
    assert before.statuses(found.values()) == before.statuses(told.values())
    assert set(before.ambiguous_headings(found.values(), told.values())) <= before.SINCE_OVER


def test_sessions_of_the_earlier_version_still_work(earlier: Earlier) -> None:
    pages, cookies = earlier.expected_part("links")["console"], earlier.expected["cookies"]["owner"]
    found = before.headings_of(earlier.apps, pages, cookies)
    assert before.statuses(found.values()) == [[200]] * len(pages)


def test_buttons_behind_earlier_links_work_and_open_work_is_completed(
    earlier: Earlier,
) -> None:
    """Presses a button of each purpose. In the following three days timers fire, messages go out
    and the import ends; then dead letters are replayed."""
    told, product = earlier.expected, earlier.product
    pressed = before.post_forms(earlier.apps, told["presses"])
    assert before.statuses(pressed) == before.statuses(told["pressed"])
    assert before.ambiguous_headings(pressed, told["pressed"]) == []
    assert before.repeated(earlier.apps) == told["repeated"]

    product.runtime.start(NOW)
    advance(product.runtime, earlier.clock, NOW + DAYS)
    letters = product.engine.reads().engine.dead_letters(10)
    replays = [product.replay(each.id, "cli") for each in letters if each.replayed_at is None]
    assert [type(each).__name__ for each in replays] == told["replayed"]
    advance(product.runtime, earlier.clock, NOW + DAYS + timedelta(hours=1))
    found = before.outcome(earlier.view(), earlier.clock.now())
    facts = found["facts"].items()
    found["facts"] = {kind: n for kind, n in facts if not kind.startswith(DESKS_SINCE)}
    for part in told["outcome"]:
        assert found[part] == told["outcome"][part], part
    assert len(earlier.slack.texts) == len(told["slack"])


# --- settings ---------------------------------------------------------------------------------


def test_the_settings_file_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    folder = before.FOLDER / "sqlite"
    settings = load({}, data_dir=copied(folder, tmp_path))
    told = json.loads((folder / "expected.json").read_text())["settings"]
    assert {name: getattr(settings, name) for name in told} == told


def test_the_parameters_of_an_earlier_version_are_read() -> None:
    folder = before.FOLDER / "dynamodb"
    settings = from_parameters(json.loads((folder / "parameters.json").read_text()))
    told = json.loads((folder / "expected.json").read_text())["settings"]
    assert {name: getattr(settings, name) for name in told} == told


# --- names ------------------------------------------------------------------------------------


def test_persisted_names_are_never_dropped() -> None:
    """Compares kinds of facts with their fields, purposes of links, and settings. New ones are
    allowed."""
    told, found = json.loads((before.FOLDER / "names.json").read_text()), before.names()
    for part, names in told.items():
        for name, value in names.items():
            now = found[part].get(name)
            assert now == value or (isinstance(value, list) and set(value) <= set(now or ())), name
