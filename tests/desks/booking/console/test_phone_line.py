"""One line that staff type during a phone call."""

from datetime import datetime, timedelta

import pytest

from frontdesk.desks.booking.console.phone_line import PhoneLine, read_line
from frontdesk.desks.booking.rules import (
    BookingRules,
    Need,
    Period,
    Resource,
    ResourceId,
    ServiceRules,
)

#: Monday.
NOW = datetime.fromisoformat("2026-11-16T10:00")
MIA, ANA = ResourceId("mia"), ResourceId("ana")
NEED = (Need((MIA, ANA)),)
RULES = BookingRules(
    zone="Europe/Berlin",
    hours=((Period(9 * 60, 18 * 60),),) * 7,
    resources=(Resource(MIA, "Mia"), Resource(ANA, "Ana")),
    services=(
        ServiceRules("Haircut", timedelta(minutes=45), NEED, aliases=("Cut",)),
        ServiceRules("Colour and cut", timedelta(minutes=90), NEED),
        ServiceRules("Beard trim", timedelta(minutes=20), NEED),
    ),
)


def _on_friday(clock: str) -> PhoneLine:
    """Reads a line about Friday. A lone hour counts only if somebody works then."""
    on, name = "2026-11-20", "Carl" if clock else "7 Carl"
    start = datetime.fromisoformat(f"{on}T{clock}") if clock else None
    return PhoneLine("Beard trim", "mia", start, on, name)


@pytest.mark.spec("BK-38")
@pytest.mark.parametrize(
    ("line", "read"),
    [
        (
            "Mia Tue 15:00 cut Anna 0171 2345678",
            PhoneLine(
                "Haircut",
                "mia",
                datetime.fromisoformat("2026-11-17T15:00"),
                "2026-11-17",
                "Anna",
                "",
                "+491712345678",
            ),
        ),
        (
            "colour and cut with Ana for Bo Berg on 20 November 2026 at 9:30 bo@example.org",
            PhoneLine(
                "Colour and cut",
                "ana",
                datetime.fromisoformat("2026-11-20T09:30"),
                "2026-11-20",
                "Bo Berg",
                "bo@example.org",
                "",
            ),
        ),
        (
            "mia 2026-11-20 at 10:00 cut Anna 0171 2345678",
            PhoneLine(
                "Haircut",
                "mia",
                datetime.fromisoformat("2026-11-20T10:00"),
                "2026-11-20",
                "Anna",
                "",
                "+491712345678",
            ),
        ),
        ("beard Carl", PhoneLine("Beard trim", name="Carl")),
        ("tomorrow haircut", PhoneLine("Haircut", on="2026-11-17")),
        (
            "beard Carl 999 99 99 99 99 99 99",
            PhoneLine("Beard trim", name="Carl", mobile="999 99 99 99 99 99 99"),
        ),
        ("Mia Fri 9 beard Carl", _on_friday("09:00")),
        ("Mia Fri 3 beard Carl", _on_friday("15:00")),
        ("Mia Fri 7 beard Carl", _on_friday("")),
        ("beard for 2, Carl", PhoneLine("Beard trim", name="Carl", party=2)),
        ("", PhoneLine()),
    ],
)
def test_a_line_is_read_in_any_order(line: str, read: PhoneLine) -> None:
    assert read_line(line, RULES, NOW, "DE") == read


@pytest.mark.spec("BK-38")
@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ("Mia Tue 15:00 cut Anna 0171 2345678", ()),
        ("Mia Tue 15:00 massage 0171 2345678", ("the service",)),
        ("Mia Tue cut Anna", ("the time", "a number or an e-mail address")),
        (
            "!!!",
            ("the service", "the day", "the time", "the name", "a number or an e-mail address"),
        ),
        ("Tue 25:00 cut Anna anna@example.org", ("the time",)),
        ("31 December 9999 at 15:00 cut Anna anna@example.org", ("the day", "the time")),
    ],
)
def test_a_line_tells_what_it_lacks(line: str, missing: tuple[str, ...]) -> None:
    assert read_line(line, RULES, NOW, "DE").missing == missing


def test_a_name_that_two_services_share_is_not_guessed() -> None:
    rules = BookingRules(
        services=(*RULES.services, ServiceRules("Haircare", timedelta(hours=1), NEED))
    )

    assert read_line("hair Anna", rules, NOW, "DE") == PhoneLine(name="hair Anna")


def test_a_long_line_is_cut() -> None:
    assert len(read_line("x" * 100_000, RULES, NOW, "DE").name) <= 300
