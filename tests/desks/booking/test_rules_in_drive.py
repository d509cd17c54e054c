"""`rules.yml` in Google Drive on one machine: a Google Doc or a text file, read regularly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from frontdesk.desks.booking.documents import EDITED_RULES
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.waitlist.commands import SetCatalogue
from frontdesk.errors import BadSettings
from frontdesk.features.catalogue.model import Service
from frontdesk.features.documents.console import NOTHING_NEW
from frontdesk.features.documents.google_docs import plain
from frontdesk.features.documents.yaml_markup import as_yaml
from frontdesk.settings import Settings, load
from frontdesk.values import replace
from frontdesk.wiring.booking.rules import FOLDER
from frontdesk.wiring.google_documents import EVERY
from frontdesk.wiring.one_machine import build
from tests.desks.waitlist.console.counter import owner
from tests.support.google import (
    BOOKING_DOC,
    BOOKING_FILE,
    BOOKING_TEXT_FILE,
    EMAIL,
    Google,
    exported,
    google,
)
from tests.support.salon import Salon, salon

OWNER = "mia@example.org"
PAGE = "/console/bookings/rules"
TEXT = """\
hours: {mon-fri: 9:00-17:00}
staff:
  mia: {name: Mia}
services:
  "Mia's cut": {minutes: 60, price: 45, aliases: [trim]}
"""
WRONG = TEXT.replace("9:00-17:00", "9.30-17")
Opened = Callable[..., AbstractContextManager[Salon]]


@pytest.fixture
def drive() -> Iterator[Google]:
    with google() as found:
        found.writes(BOOKING_FILE, exported(TEXT))
        yield found


@pytest.fixture
def opened(tmp_path: Path, drive: Google) -> Opened:
    key = tmp_path / "account.json"
    key.write_text(drive.key)
    return partial(
        salon,
        tmp_path / "data",
        booking_rules_doc=BOOKING_DOC,
        google_account=str(key),
        google_api=drive.address,
    )


def looks(one: Salon) -> bool:
    """Runs the periodic task."""
    [task] = [each for each in one.product.periodic_tasks if each.name == "rules"]
    assert task.every() == EVERY == timedelta(minutes=3)
    return task.turn()


def rules(one: Salon) -> BookingRules:
    reads: BookingReads = one.product.engine.reads().desk("bk")
    return reads.rules()


def services(one: Salon) -> list[str]:
    return [each.name for each in rules(one).services]


# --- the text ---------------------------------------------------------------------------------


@pytest.mark.spec("BK-08")
def test_google_docs_turn_dashes_into_bullets_and_quotes_into_round_ones() -> None:
    sent = (
        "\ufeffRules of our salon\r\n\r\nblackouts:\r\n"
        "  * {on: 2026-12-24, note: \u201cit\u2019s Christmas\u201d}[a]\r\n"
        "  \u2022 {on: 2026-12-31}\r\n\r\n[a]Really?\r\n"
    )
    assert plain(sent.encode(), as_yaml) == (
        "# Rules of our salon\n\nblackouts:\n"
        '  - {on: 2026-12-24, note: "it\'s Christmas"}\n  - {on: 2026-12-31}\n'
    )
    for lines in (["hours: {}", "Salon"], ["# Title", "a: b"], ["", "- a"], []):
        assert as_yaml(lines) == lines


# --- the whole product ------------------------------------------------------------------------


@pytest.mark.spec("BK-08")
def test_rules_in_a_google_doc_are_in_force_and_fetched_only_when_they_changed(
    opened: Opened, drive: Google
) -> None:
    with opened() as one:
        assert (looks(one), looks(one)) == (True, False)
        assert services(one) == ["Mia's cut"]
        assert one.wl.catalogue().services[0].name == "Mia's cut"
        assert drive.asked.count("drive.files.export") == 1
        assert drive.scopes == ["https://www.googleapis.com/auth/drive.readonly"]

        drive.writes(BOOKING_FILE, exported(TEXT.replace("60", "45")))
        assert looks(one)
        assert rules(one).services[0].duration == timedelta(minutes=45)
        assert not (one.product.settings.data_dir / FOLDER).exists()


@pytest.mark.spec("BK-08")
def test_rules_in_a_text_file_are_taken_as_they_are(opened: Opened, drive: Google) -> None:
    drive.kinds[BOOKING_FILE] = "application/x-yaml"
    drive.writes(BOOKING_FILE, ("\ufeff" + TEXT.replace("Mia's", "Mia’s")).encode())
    with opened(booking_rules_doc=BOOKING_TEXT_FILE) as one:
        assert looks(one)
        assert services(one) == ["Mia’s cut"]


@pytest.mark.spec("BK-08", "FD-30")
def test_a_broken_document_is_told_once_and_the_last_good_rules_stay(
    opened: Opened, drive: Google
) -> None:
    with opened() as one:
        one.with_staff(OWNER)
        looks(one)
        before = rules(one)
        drive.writes(BOOKING_FILE, exported(WRONG))
        assert (looks(one), looks(one)) == (True, False)
        drive.writes(BOOKING_FILE, exported(WRONG))
        looks(one)

        assert rules(one) == before
        [mail] = [each for each in one.settle().messages(OWNER) if "need a look" in each["subject"]]
        assert 'Line 1, column 18: "9.30-17"' in " ".join(mail["text"].split())


@pytest.mark.spec("BK-08", "FD-30")
def test_a_document_that_is_not_shared_or_no_text_reaches_staff_once(
    opened: Opened, drive: Google
) -> None:
    with opened() as one:
        one.with_staff(OWNER)
        looks(one)
        drive.status = 403
        looks(one)
        looks(one)

        what = "The rules of bookings cannot be read."
        [mail] = [each for each in one.settle().messages(OWNER) if each["subject"] == what]
        assert f"Share it with {EMAIL} so that it may view it" in mail["text"]
        assert one.product.health().alarms == (what,)
        assert services(one) == ["Mia's cut"]
        drive.status = 0
        looks(one)
        assert one.product.health().alarms == ()


@pytest.mark.spec("BK-08")
def test_a_service_added_on_another_page_stays_until_somebody_edits_the_document(
    opened: Opened, drive: Google
) -> None:
    with opened() as one:
        looks(one)
        colour = Service("Colour", timedelta(hours=2), 9_000)
        known = one.wl.catalogue()
        one.run(SetCatalogue(replace(known, services=(*known.services, colour))))
        one.settle()
        assert services(one) == ["Mia's cut", "Colour"]

        assert not looks(one)
        assert services(one) == ["Mia's cut", "Colour"]
        shown = owner(one).get(PAGE)
        assert "The document in Google Drive lacks a change of services or team." in shown.says
        assert "Colour:" in shown.says

        drive.writes(BOOKING_FILE, exported(TEXT.replace("60", "45")))
        assert looks(one)
        assert services(one) == ["Mia's cut"]
        assert "lacks a change" not in owner(one).get(PAGE).says


@pytest.mark.spec("BK-08")
def test_the_console_shows_the_document_and_leads_to_it(opened: Opened, drive: Google) -> None:
    with opened() as one:
        host = owner(one)
        looks(one)
        page = host.get(PAGE)
        assert f'href="{BOOKING_DOC}"' in page.text
        assert "This document is written in Google Docs. We look at it every few minutes." in (
            page.says
        )
        assert 'name="text"' not in page.text
        for form in ("/console/bookings/hours/_business", "/console/bookings/time-off"):
            assert (
                "The rules are written in Google Drive. Change them there." in host.get(form).says
            )

        drive.writes(BOOKING_FILE, exported(TEXT.replace("60", "45")))
        assert "It counts within a few minutes" in host.get(PAGE).says
        assert host.submit(PAGE, f"{PAGE}/look").flash == "What is new counts from now on."
        assert rules(one).services[0].duration == timedelta(minutes=45)
        assert host.submit(PAGE, f"{PAGE}/look").flash == NOTHING_NEW
        documents = one.product.site.shared[EDITED_RULES]
        documents.write("rules.yml", "hours: {}", by="member:1")
        assert services(one) == ["Mia's cut"]


@pytest.mark.spec("FD-19")
def test_the_address_of_the_rules_is_checked(tmp_path: Path) -> None:
    for wrong in ("https://docs.google.com/spreadsheets/d/1AbC_d-e1234", "rules.yml", "http://x"):
        with pytest.raises(BadSettings, match="FRONTDESK_BOOKING_RULES_DOC should be an address"):
            load({"FRONTDESK_BOOKING_RULES_DOC": wrong}, data_dir=tmp_path)
    for right in (BOOKING_DOC, BOOKING_TEXT_FILE):
        found = load({"FRONTDESK_BOOKING_RULES_DOC": right}, data_dir=tmp_path)
        assert found.booking_rules_doc == right
    with pytest.raises(BadSettings, match="google_account"):
        build(Settings(data_dir=tmp_path, booking_rules_doc=BOOKING_DOC))


def test_a_spreadsheet_at_the_address_is_no_document(opened: Opened, drive: Google) -> None:
    drive.kinds[BOOKING_FILE] = "application/vnd.google-apps.spreadsheet"
    with opened() as one:
        assert not looks(one)
        assert one.product.health().alarms == ("The rules of bookings cannot be read.",)
