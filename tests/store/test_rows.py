"""A struct comes back from a row of either store as it was written."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any, NewType

import pytest

from frontdesk.store.dynamodb.values import attributes, row_of
from frontdesk.store.rows import DynamoRows, SqliteRows
from frontdesk.values import Frozen, field, replace

TripId = NewType("TripId", str)
AT = datetime(2027, 3, 1, 9, 30, tzinfo=UTC)


class Mood(StrEnum):
    GOOD = "good"
    BAD = "bad"


class Rules(Frozen):
    strict: bool = False
    window: timedelta = timedelta(hours=1)


class Place(Frozen):
    town: str
    opens_at: datetime


class Trip(Frozen):
    id: TripId
    place: Place
    mood: Mood
    rules: Rules
    starts_on: date
    takes: timedelta
    seats: int = 2
    paid: bool = False
    ends_at: datetime | None = None
    day: date | None = None
    mates: tuple[TripId, ...] = ()
    tags: frozenset[str] = frozenset()
    params: Mapping[str, str | int] = field(default_factory=dict)
    ticket: bytes = b""


TRIP = Trip(
    TripId("t1"), Place("Bern", AT), Mood.BAD, Rules(strict=True), AT.date(), timedelta(minutes=90)
)
FULL = replace(
    TRIP,
    paid=True,
    ends_at=AT,
    day=date(2027, 3, 2),
    mates=(TripId("t2"), TripId("t3")),
    tags=frozenset({"a"}),
    params={"n": 1, "who": "ann"},
    ticket=b"\x00x",
)
SQLITE = SqliteRows(Trip, {"id": "trip_id", "params": "words"}, flat={"place": Place})
DYNAMO = DynamoRows(Trip, {"id": "trip_id"}, flat={"place": Place}, sparse=("mates", "paid"))


@pytest.mark.parametrize("trip", [TRIP, FULL])
def test_sqlite_reads_what_it_has_written(trip: Trip) -> None:
    db = sqlite3.connect(":memory:")
    db.execute(f"CREATE TABLE trip ({SQLITE.columns})")
    db.execute(f"INSERT INTO trip ({SQLITE.columns}) VALUES ({SQLITE.marks})", SQLITE.values(trip))
    db.execute(f"UPDATE trip SET {SQLITE.sets(1)}", SQLITE.values(trip)[1:])

    assert SQLITE.read(db.execute(f"SELECT {SQLITE.of('t')} FROM trip t").fetchone()) == trip


@pytest.mark.parametrize("trip", [TRIP, FULL])
def test_dynamodb_reads_what_it_has_written(trip: Trip) -> None:
    assert DYNAMO.read(row_of(attributes(DYNAMO.row(trip)))) == trip


def test_a_column_of_sqlite_is_a_number_a_text_or_nothing() -> None:
    assert dict(zip(SQLITE.names, SQLITE.values(FULL), strict=True)) == {
        "trip_id": "t1",
        "town": "Bern",
        "opens_at": 1803893400,
        "mood": "bad",
        "rules": '{"strict":true,"window":"PT3600S"}',
        "starts_on": "2027-03-01",
        "takes": 5400,
        "seats": 2,
        "paid": 1,
        "ends_at": 1803893400,
        "day": "2027-03-02",
        "mates": '["t2","t3"]',
        "tags": '["a"]',
        "words": '{"n":1,"who":"ann"}',
        "ticket": b"\x00x",
    }
    assert SQLITE.values(TRIP)[SQLITE.names.index("ends_at")] is None
    assert {type(each) for each in SQLITE.values(FULL)} == {str, int, bytes}


def test_an_item_of_dynamodb_leaves_out_none() -> None:
    assert attributes(DYNAMO.row(TRIP)) == {
        "trip_id": {"S": "t1"},
        "town": {"S": "Bern"},
        "opens_at": {"N": "1803893400"},
        "mood": {"S": "bad"},
        "rules": {"S": '{"strict":true,"window":"PT3600S"}'},
        "starts_on": {"S": "2027-03-01"},
        "takes": {"N": "5400"},
        "seats": {"N": "2"},
        "params": {"M": {}},
        "ticket": {"B": b""},
    }


def test_an_item_without_an_attribute_has_the_default() -> None:
    row: dict[str, Any] = row_of(attributes(DYNAMO.row(TRIP)))
    del row["seats"], row["ticket"], row["params"]

    assert DYNAMO.read(row) == TRIP


def test_an_item_without_a_required_attribute_is_refused() -> None:
    row = row_of(attributes(DYNAMO.row(TRIP)))
    del row["town"]

    with pytest.raises(KeyError):
        DYNAMO.read(row)


def test_a_missing_row_is_none() -> None:
    assert SQLITE.read_or_none(None) is None
    assert DYNAMO.read_or_none(None) is None
