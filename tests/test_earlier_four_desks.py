"""Bookings and appointments that an earlier version wrote open in this one, in both homes.

`tests/fixtures/four_desks/README.md` says what the data holds and how it was written.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import before
from tests.support import before_four_desks as four_desks
from tests.support.before_four_desks import Opened
from tests.support.dynamodb import needs_dynamodb

KINDS = [
    pytest.param("sqlite", id="sqlite"),
    pytest.param("dynamodb", id="dynamodb", marks=needs_dynamodb),
]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def earlier(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    tables = request.getfixturevalue("dynamodb") if kind == "dynamodb" else None
    with four_desks.earlier(kind, tmp_path, tables) as opened:
        yield opened


@pytest.fixture
def expected(kind: str) -> Any:
    """Returns the findings of the version that wrote the data."""
    return four_desks.unpacked(four_desks.FOLDER / kind / "expected.json.xz")


def test_every_booking_and_appointment_is_read_as_it_was(earlier: Opened, expected: Any) -> None:
    found = four_desks.rows(earlier)

    assert found.keys() == expected["rows"].keys()
    for name, rows in expected["rows"].items():
        assert found[name] == rows, name


#: Sentences of stories whose wording has changed since then.
REWORDED = {
    "It was moved with its booking from": "The source moved it from",
    "It was cancelled with its booking.": "The source cancelled it.",
    "The customer took it from the waitlist:": "It came from the sheet:",
}


def as_it_was(line: str) -> str:
    for now, then in REWORDED.items():
        line = line.replace(now, then)
    return line


def test_their_stories_are_the_same(earlier: Opened, expected: Any) -> None:
    found = four_desks.stories(earlier)

    told = {name: [as_it_was(line) for line in lines] for name, lines in found.items()}
    assert told == expected["stories"]


def test_the_doctor_finds_no_problem(earlier: Opened, expected: Any) -> None:
    assert four_desks.problems(earlier) == expected["problems"] == []


def test_every_link_in_their_messages_opens_the_same_page(earlier: Opened, expected: Any) -> None:
    found, then = four_desks.links(earlier), expected["links"]

    assert {path: page[0] for path, page in found.items()} == {
        path: page[0] for path, page in then.items()
    }
    paths = sorted(then)
    pages = [[each[path] for path in paths] for each in (found, then)]
    assert set(before.ambiguous_headings(*pages)) <= before.SINCE_OVER


def test_open_work_goes_on(earlier: Opened, expected: Any, kind: str) -> None:
    four_desks.let_days_pass(earlier, kind)

    assert four_desks.states(earlier) == expected["later"]
    assert four_desks.problems(earlier) == expected["later_problems"] == []
