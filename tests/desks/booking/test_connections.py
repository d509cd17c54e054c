"""The file that connects calendars: its format, and its error messages."""

import pytest

from frontdesk.errors import BadSettings
from frontdesk.wiring.calendar_connections import Connection, read_connections

GOOD = """
[mira]
kind = "caldav"
url = "https://cloud.example.org/mira/"
user = "mira"
password = "secret-1"

[ana]
kind = "google"
calendar = "ana@salon.example"
only = "free/busy"
"""


@pytest.mark.spec("BK-10")
def test_each_table_is_a_calendar() -> None:
    found = read_connections(GOOD)

    assert list(found) == ["mira", "ana"]
    assert found["ana"] == Connection(
        "google", {"calendar": "ana@salon.example", "only": "free/busy"}
    )
    assert found["ana"].is_free_busy_only
    assert "secret-1" not in repr(found)
    assert read_connections("") == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("mira = 3", '"mira" should be a table, like [mira]'),
        ("[mira]", "[mira] should have a kind: ics, caldav, google, microsoft"),
        ('[mira]\nkind = "caldav"', "[mira] should have url"),
        ('[m]\nkind = "ics"\nurl = "x"\ncolour = "red"', "[m] has colour, which ics does not know"),
        ('[m]\nkind = "ics"\nurl = 3', "[m] url should be a text"),
        ('[m]\nkind = "google"\ncalendar = "x"\nonly = "x"', '[m] only should be "free/busy"'),
        ("[mira", "calendars.toml cannot be read"),
    ],
)
def test_a_mistake_is_named_with_its_table(text: str, problem: str) -> None:
    with pytest.raises(BadSettings) as raised:
        read_connections(text)

    assert problem in str(raised.value)


def test_no_mistake_quotes_a_password() -> None:
    with pytest.raises(BadSettings) as raised:
        read_connections(GOOD.replace("url =", "address ="))

    assert "secret-1" not in str(raised.value)
