"""Pages that staff open all day do not read more rows as the history grows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from frontdesk.desks.rsvp.commands import CreateEvent
from frontdesk.desks.rsvp.model import EventId, EventSettings
from frontdesk.store.sqlite.files import ReadOnlyConnection, open_reader
from frontdesk.values import replace
from frontdesk.wiring.one_machine import data_file
from tests.desks.rsvp.console_desk import ConsoleDesk, console_desk
from tests.store.sqlite.test_plans import plan
from tests.support.rsvp import DETAILS


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Records every statement of a connection that reads for a page."""
    found: list[str] = []

    def opened(path: Path) -> ReadOnlyConnection:
        db = open_reader(path)
        db.set_trace_callback(found.append)
        return db

    monkeypatch.setattr("frontdesk.store.sqlite.store.open_reader", opened)
    return found


@pytest.fixture
def con(tmp_path: Path, statements: list[str]) -> Iterator[ConsoleDesk]:
    with console_desk(tmp_path) as con:
        con.desk.given(cap=2, confirmed=["ann"], line=["bob"])
        yield con


@pytest.mark.parametrize("page", ["/console", "/health", "/console/health"])
def test_no_page_reads_every_message(
    con: ConsoleDesk, statements: list[str], tmp_path: Path, page: str
) -> None:
    owner = con.owner()
    statements.clear()

    assert owner.get(page).status == 200

    with sqlite3.connect(data_file(tmp_path)) as db:
        steps = {step for sql in statements if "fd_send" in sql for step in plan(db, sql)}
    assert any("fd_send_by_" in step for step in steps)
    assert [step for step in steps if step.startswith("SCAN")] == []


def test_the_page_of_a_person_asks_for_their_own_events_only(
    con: ConsoleDesk, statements: list[str]
) -> None:
    owner, desk = con.owner(), con.desk
    ann = desk.guest("ann").person_id
    asked = []
    for events in (1, 30):
        for number in range(events):
            starts_at = DETAILS.starts_at + timedelta(days=number)
            details = replace(DETAILS, starts_at=starts_at, ends_at=starts_at + timedelta(hours=2))
            new = EventId(desk.product.engine.new_id())
            desk.do(CreateEvent(new, new, details, EventSettings(), 9))
        statements.clear()
        assert owner.get(f"/console/people/{ann}").status == 200
        asked.append(len([sql for sql in statements if "ev_" in sql]))

    assert asked[0] == asked[1] > 0
