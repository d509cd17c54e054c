"""Confirmations of appointments, as businesses and booking systems write them."""

from __future__ import annotations

import io
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

import openpyxl  # type: ignore[import-untyped]
import pytest

from frontdesk.reading.confirmation import Confirmation, read_confirmation
from frontdesk.reading.documents import XLSX, document_text
from frontdesk.reading.model import BadDocument, Confidence, Context, Field, ServiceNames
from frontdesk.reading.requests import Request

FRIDAY = date(2026, 11, 20)
CONTEXT = Context(
    today=date(2026, 11, 16),
    zone=ZoneInfo("UTC"),
    country="SG",
    services=(ServiceNames("Cut"), ServiceNames("Dental check-up")),
    staff=("Mia", "Zoe"),
)
NOW = datetime(2026, 11, 16, 9)  # noqa: DTZ001 - wall time

FORM = """Hi,
a new appointment:

Name: Ann Lee
Phone: +65 9123 4567
Service: Cut
Date: 20/11/2026
Time: 15:30
With: Mia
"""
LETTER = """Dear Ann Lee,

Your appointment for a Cut with Mia is confirmed for Friday, 20 November 2026 at 3:30 pm.

If you cannot come, please call us by 19 November.

Salon Mia"""
FORWARDED = """---------- Forwarded message ---------
From: Book.it <no-reply@bookit.example>
Date: Thu, 12 Nov 2026 at 10:15
Subject: New booking
To: <salon@example.org>

New booking
Customer: Bob Tan
Email: bob@example.org
Mobile: 9123 4567
When: Fri 20 Nov 2026, 15:30 - 16:30
What: Dental check-up
"""
GERMAN = """Termin: Freitag, 20.11.2026 um 15:30 Uhr
Kunde: Max Muster
Telefon: +49 171 1234567
Leistung: Cut"""


def read(*texts: str, ours: frozenset[str] = frozenset()) -> Confirmation:
    return read_confirmation(Request(texts, ()), CONTEXT, NOW, ours=ours)


def value(field: Field[str] | Field[int] | Field[date] | None) -> object:
    return field and field.value


@pytest.mark.spec("AR-03")
@pytest.mark.parametrize("text", [FORM, LETTER, FORWARDED, GERMAN])
def test_the_day_and_the_time_are_read_with_their_words(text: str) -> None:
    found = read(text)

    assert (value(found.on), value(found.minute)) == (FRIDAY, 15 * 60 + 30)
    for name in Confirmation.__struct_fields__:
        if (field := getattr(found, name)) is not None:
            words = field.words
            assert text[words.start : words.end] == words.text


@pytest.mark.spec("AR-03")
def test_the_customer_and_the_service_are_read() -> None:
    found = read(FORWARDED)

    assert (value(found.name), value(found.email)) == ("Bob Tan", "bob@example.org")
    assert (value(found.phone), value(found.service)) == ("+6591234567", "Dental check-up")
    assert value(found.minutes) == 60
    assert (value(read(FORM).staff), value(read(LETTER).name)) == ("Mia", "Ann Lee")


@pytest.mark.spec("AR-03")
def test_a_service_that_we_do_not_know_is_read_beside_its_label() -> None:
    found = read(FORM.replace("Cut", "Balayage and blow-dry").replace("Mia", "Jon"))

    assert found.service is not None
    assert (found.service.value, found.service.confidence) == (
        "Balayage and blow-dry",
        Confidence.LIKELY,
    )
    assert value(found.staff) == "Jon"
    assert read(FORM.replace("Service: Cut", "Appointment: 20/11/2026")).service is None


def test_an_address_of_the_team_or_of_a_machine_is_not_the_customers() -> None:
    text = f"From: Mia <mia@salon.example>\nTo: <ann@example.org>\n\n{LETTER}"

    found = read(text, ours=frozenset({"mia@salon.example"}))

    assert value(found.email) == "ann@example.org"
    assert read("no-reply@bookit.example: Cut, 20 Nov 2026 15:30").email is None


@pytest.mark.spec("AR-03")
def test_the_writer_of_a_forwarded_mail_is_not_certainly_the_customer() -> None:
    text = "Von: {0}\nBetreff: Termin\n\nKunde: Jo Lang\nHandy: 9123 4567\nam 30.11.2026, 14:30 Uhr"

    asked = read(text.format("Jo <jo@example.org>"))

    assert asked.email is not None
    assert (asked.email.value, asked.email.confidence) == ("jo@example.org", Confidence.UNSURE)
    assert read(text.format("buchung@termin.example")).email is None
    with_both = read(text.format("praxis@termin.example") + "\nE-Mail: jo@example.org").email
    assert with_both is not None
    assert (with_both.value, with_both.confidence) == ("jo@example.org", Confidence.CONFIDENT)


@pytest.mark.spec("AR-03")
def test_a_reference_below_the_text_is_no_name() -> None:
    text = "New appointment\nThursday, 26 November 2026 at 2:30pm\nCut\n+65 8777 1234\n{0}"

    assert read(text.format("Ref ABC-12345")).name is None
    assert value(read(text.format("Pat Long")).name) == "Pat Long"


@pytest.mark.spec("AR-03")
def test_a_name_is_read_beside_its_label_also_with_a_number_behind_it() -> None:
    text = "Hi Mia,\n\nGuest: Hannah O'Neil (+65 8123 4567)\nCut with Mia on 20 Nov 2026, 15:30"

    assert value(read(text).name) == "Hannah O'Neil"


@pytest.mark.spec("AR-03")
def test_the_customer_is_named_before_their_address_and_not_by_the_mail_of_the_team() -> None:
    head = "From: Front desk <jo@salon.example>\nDate: Monday\nTo: us\n\n"
    text = f"{head}Confirmed: Cut for Pam Lee, pam@example.org,\non 20 November 2026 at 15:30."

    found = read(text, ours=frozenset({"jo@salon.example"}))

    assert (value(found.name), value(found.email)) == ("Pam Lee", "pam@example.org")
    unnamed = text.replace("Pam Lee, ", "")
    assert read(unnamed, ours=frozenset({"jo@salon.example"})).name is None


@pytest.mark.spec("AR-03")
@pytest.mark.parametrize("head", ["", "To: Jo Sands <jo@salon.example>\n\n"])
def test_a_greeting_of_the_team_names_no_customer(head: str) -> None:
    text = f"{head}Hello {'Jo' if head else 'Mia'},\n\nCut with Mia on 20 Nov 2026, 15:30"

    assert read(text, ours=frozenset({"jo@salon.example"})).name is None


def test_two_times_are_never_certain() -> None:
    found = read("See you on Friday 20 November or Monday 23 November at 3pm")

    assert found.on is not None
    assert found.on.confidence is Confidence.UNSURE


@pytest.mark.parametrize("text", ["Yes, I am coming, thanks!", "", "I will call you tomorrow-ish"])
def test_a_mail_without_a_time_states_none(text: str) -> None:
    assert read(text).minute is None


def test_a_part_of_the_day_is_no_time() -> None:
    assert read("See you on Friday afternoon").minute is None


def book(*rows: list[object]) -> bytes:
    made = openpyxl.Workbook()
    for row in rows:
        made.active.append(row)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


@pytest.mark.spec("AR-03")
@pytest.mark.parametrize(
    "rows",
    [
        (
            ["Name", "E-mail", "Service", "Date", "Time"],
            ["Ann Lee", "ann@example.org", "Cut", FRIDAY, time(15, 30)],
        ),
        (
            ["Name", "Ann Lee"],
            ["E-mail", "ann@example.org"],
            ["Service", "Cut"],
            ["When", datetime(2026, 11, 20, 15, 30)],  # noqa: DTZ001 - Excel has wall times
        ),
    ],
)
def test_a_workbook_is_read_as_a_table_or_as_a_form(rows: tuple[list[object], ...]) -> None:
    found = read(document_text(book(*rows), XLSX))

    assert (value(found.name), value(found.email)) == ("Ann Lee", "ann@example.org")
    assert (value(found.on), value(found.minute)) == (FRIDAY, 15 * 60 + 30)


def test_a_number_that_is_no_day_stays_a_number() -> None:
    assert document_text(book(["Price", 46346]), XLSX) == "Price: 46346"


def test_a_workbook_without_a_type_is_known_by_its_parts() -> None:
    data = book(["Name", "Ann"])

    assert document_text(data, "application/octet-stream") == "Name: Ann"


def test_a_damaged_workbook_is_refused() -> None:
    with pytest.raises(BadDocument):
        document_text(b"PK\x03\x04xl/workbook.xml", XLSX)


@pytest.mark.spec("AR-03")
def test_the_whole_name_stands_before_the_address_of_the_customer() -> None:
    text = "To: Ines Falk <ines@example.org>\n\nDear Ines, your Cut is on 20 November at 15:30."

    assert value(read(text).name) == "Ines Falk"
    assert value(read(text.replace("Dear Ines", "Dear Ann")).name) == "Ann"
    assert value(read(text.replace("<ines@example.org>", "(ines@example.org)")).name) == "Ines"


@pytest.mark.spec("AR-03")
@pytest.mark.parametrize(
    ("said", "minutes"),
    [
        ("It takes about 45 minutes.", 45),
        ("Duration: 2 hours", 120),
        ("Dauer: 1 Stunde", 60),
        ("Durée : 30 min", 30),
        ("Duration: 45 minutes. The second visit takes 20 minutes.", None),
        ("It takes 45 minutes by train to reach us; the visit lasts 30 minutes.", None),
        ("Duration: 0 minutes", None),
        ("It takes 900 minutes.", None),
        ("Please come 10 minutes early.", None),
    ],
)
def test_a_length_that_the_text_names_is_read(said: str, minutes: int | None) -> None:
    text = f"Dear Ann, your Cut is on 20 November 2026 at 15:30. {said}"
    found = read(text).minutes

    assert value(found) == minutes
    assert found is None or text[found.words.start : found.words.end] == found.words.text
    assert value(read(text.replace("at 15:30.", "from 15:30 to 16:30.")).minutes) == 60
