"""The bench counts real sign-ups on disk and reads the figures of wrk."""

import contextlib
import http.client
import re
import sqlite3
import time
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from bench import (
    bare,
    beside_import,
    booking_bare,
    booking_product,
    booking_sql,
    bookings,
    hostile_mail,
    imports,
    load,
    moves,
    reminder_tick,
    sign_in_time,
)
from bench.booking_product import bookable_times
from frontdesk.settings import Settings
from frontdesk.wiring.one_machine import build, data_file, web_app
from tests.support.browser import Browser

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def test_the_bare_limit_answers_a_form_after_the_person_is_on_disk() -> None:
    with bare.serve() as served:
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)
        answers = []
        for number in range(3):
            connection.request("POST", "/", f"name=Ann&email=ann{number}%40example.org", FORM)
            response = connection.getresponse()
            response.read()
            answers.append((response.status, response.headers["location"], served.stored()))
        connection.close()

    assert answers == [(303, "/confirmed", 1), (303, "/confirmed", 2), (303, "/confirmed", 3)]


def test_figures_are_read_from_what_wrk_prints() -> None:
    printed = "Running 2s test\n\nmeasured 6000 2000000 9500 31000 2\n"

    assert load.read(printed) == load.Load(
        requests=6000, seconds=2.0, p50_ms=9.5, p99_ms=31.0, errors=2
    )
    assert load.read(printed).per_second == 3000


def test_a_run_of_wrk_without_figures_is_no_measurement() -> None:
    with pytest.raises(ValueError, match="printed no figures"):
        load.read("unable to connect")


def test_only_times_that_were_sent_to_be_booked_count_as_used() -> None:
    printed = "measured 6000 2000000 9500 31000 0\nused 17\n"

    assert bookings.times_used(printed) == 17
    with pytest.raises(ValueError, match="no number of times"):
        bookings.times_used("measured 6000 2000000 9500 31000 0\n")


def test_the_query_by_hand_finds_whom_the_desk_would_ask_at_every_slot() -> None:
    costs = moves.measure(entries=300, slots=20)

    assert costs.decision > 0
    assert costs.search > 0
    assert costs.rows > 0


def test_the_tick_looks_at_every_unanswered_appointment_and_few_need_anything() -> None:
    costs = reminder_tick.measure(appointments=1_200, turns=1)

    assert costs.tick > 0
    assert costs.reading > 0
    assert costs.found < 120


def test_the_hostile_attachments_are_small_and_have_what_makes_them_slow() -> None:
    slow, repeated = hostile_mail.slow_pdf(), hostile_mail.repeated_xlsx()

    assert 30_000 < len(slow) < 40_000
    assert len(repeated) < 10_000
    assert len(list(hostile_mail.mails())) == len(hostile_mail.ATTACHED) == 8


def test_sign_ins_of_known_and_unknown_addresses_are_both_measured() -> None:
    times = sign_in_time.measure(members=2, rounds=1)

    assert times.number == 4
    assert min(times.known_ms, times.unknown_ms) > 0


def test_an_import_is_measured_beside_its_rows_in_plain_sql() -> None:
    rates = imports.measure(rows=120)

    assert rates.imported > 0
    assert rates.plain > 0


def test_sign_ups_are_measured_alone_and_beside_an_import() -> None:
    found = beside_import.measure(rows=60, seconds_alone=0.5)

    assert found.alone.number > 1
    assert found.beside.number > 1
    assert found.rows_per_second > 0
    assert found.ratio > 0


def test_the_bare_limit_of_bookings_answers_after_the_booking_is_on_disk() -> None:
    (at, staff), *_ = bookable_times(datetime.now(UTC))
    form = f"at={at}&slot={staff}"
    with booking_bare.serve() as served:
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)
        connection.request("POST", "/book/choose", form, FORM)
        held = connection.getresponse()
        held.read()
        hold = held.headers["location"].partition("&hold=")[2]
        answers = []
        for fields in (f"{form}&hold={hold}", form):
            body = f"{fields}&name=Ann&contact=ann%40example.org&once=1"
            connection.request("POST", "/book", body, FORM)
            response = connection.getresponse()
            response.read()
            answers.append((response.status, response.headers["location"], served.stored()))
        connection.close()

    assert answers == [(303, "/booked", 1), (303, "/taken", 1)]


def test_the_bare_limit_writes_the_rows_of_a_hold_and_a_booking_that_the_product_writes(
    tmp_path: Path,
) -> None:
    now = datetime.now(UTC)
    (at, staff), *_ = bookable_times(now)
    settings = Settings(data_dir=tmp_path / "product", desks_off=booking_product.DESKS_OFF)
    booking_product.set_rules(settings)
    product = build(settings)
    visitor = Browser(web_app(product), "http://localhost")
    chosen = {"service": booking_sql.SERVICE, "at": at}
    ours = [_rows(data_file(settings.data_dir))]
    form = visitor.open(visitor.post("/book/choose", **chosen).location).text
    ours.append(_rows(data_file(settings.data_dir)))
    hold = re.findall(r'name="hold" value="([^"]+)"', form)[0]
    person = {"name": "Ann", "contact": "ann@example.org", "once": "1"}
    visitor.post("/book", **chosen, **person, hold=hold)
    ours.append(_rows(data_file(settings.data_dir)))
    product.close()

    db = booking_sql.create(tmp_path / "bare.sqlite")
    bare_rows = [_rows(tmp_path / "bare.sqlite")]
    slot = {"at": at, "slot": staff}
    held = booking_sql.hold(db, slot, int(time.time()))
    bare_rows.append(_rows(tmp_path / "bare.sqlite"))
    assert booking_sql.book(db, {**slot, **person, "hold": held}, int(time.time()))
    bare_rows.append(_rows(tmp_path / "bare.sqlite"))
    db.close()

    assert _added(bare_rows) == _added(ours)


def _rows(database: Path) -> dict[str, int]:
    with contextlib.closing(sqlite3.connect(database)) as db:
        tables = [
            name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type='table'")
        ]
        return {name: db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}


def _added(counts: list[dict[str, int]]) -> list[dict[str, int]]:
    """Returns the rows that each step added to tables, or removed."""
    return [
        {name: after[name] - before[name] for name in after if after[name] != before[name]}
        for before, after in pairwise(counts)
    ]
