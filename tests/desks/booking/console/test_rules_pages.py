"""Staff edit rules, hours and time off in the console; all edits are written to `rules.yml`."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import SetBusiness
from frontdesk.desks.admin.model import Business
from frontdesk.desks.booking.commands import Book, SetRules
from frontdesk.desks.booking.decide.documents import RULES_NAME
from frontdesk.desks.booking.documents import EDITED_RULES
from frontdesk.desks.booking.model import BookingId, Lane
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.rules import BookingRules, Period
from frontdesk.desks.waitlist.commands import SetCatalogue
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.features.documents.sync import Documents
from frontdesk.values import replace
from tests.desks.rsvp.console_desk import Host
from tests.desks.waitlist.console.counter import owner
from tests.support.browser import Answer
from tests.support.salon import SHOP, Salon

RULES = "/console/bookings/rules"
HOURS = "/console/bookings/hours"
TIME_OFF = "/console/bookings/time-off"
BUSINESS = f"{HOURS}/_business"
TEXT = """\
# Our rules
hours: {mon-fri: 9:00-17:00}  # short Fridays soon
staff:
  mia: {name: Mia}
  jo: {name: Jo, hours: {mon: 9:00-12:00}}
services:
  Cut: {minutes: 60, price: 45}
"""
WRONG = TEXT.replace("9:00-17:00", "9.30-17")


def bk(salon: Salon) -> BookingReads:
    reads: BookingReads = salon.product.engine.reads().desk("bk")
    return reads


def rules(salon: Salon) -> BookingRules:
    return bk(salon).rules()


def documents(salon: Salon) -> Documents:
    return salon.product.site.shared[EDITED_RULES]


def in_file(salon: Salon) -> str | None:
    return documents(salon).files.read(RULES_NAME)


def catalogue(salon: Salon) -> Catalogue:
    return salon.wl.catalogue()


def save(host: Host, text: str, do: str = "save") -> Answer:
    return host.send(RULES, text=text, do=do)


def hidden(page: Answer, name: str) -> list[str]:
    return re.findall(rf'name="{name}" value="([^"]*)"', page.text)


def books(salon: Salon, starts_at: datetime) -> None:
    salon.run(
        Book(
            BookingId("0" * 32),
            PersonId(salon.product.engine.new_id()),
            "Cut",
            starts_at,
            "Ann Lee",
            "ann@example.org",
            resource=rules(salon).resources[0].id,
            lane=Lane.STAFF,
        )
    )
    salon.settle()


@pytest.mark.spec("BK-08")
def test_a_business_with_a_catalogue_finds_its_services_in_the_editor_and_saves_them(
    salon: Salon,
) -> None:
    host = owner(salon)
    page = host.get(RULES)
    assert "Cut and colour: {minutes: 120, price: 120, aliases: [colour, color]}" in page.says
    assert (rules(salon), in_file(salon)) == (BookingRules(), None), "nothing is in force yet"

    answer = save(host, documents(salon).desk.built_in[RULES_NAME])

    assert answer.flash == "Saved. These rules are in force."
    assert catalogue(salon) == SHOP
    assert [one.name for one in rules(salon).services] == ["Cut", "Cut and colour", "Table"]
    assert rules(salon).zone == "Asia/Singapore"


@pytest.mark.spec("BK-08")
def test_saved_rules_are_in_force_at_once_and_are_the_catalogue_of_the_waitlist(
    salon: Salon,
) -> None:
    answer = save(owner(salon), TEXT)
    assert answer.flash == "Saved. These rules are in force."
    assert "Cut: 1 hour; S$45.00; needs Mia or Jo" in answer.says
    assert (rules(salon).hours[0], in_file(salon)) == ((Period(540, 1020, 2),), TEXT)
    assert catalogue(salon) == Catalogue(
        (Service("Cut", timedelta(hours=1), 4_500),), ("Mia", "Jo"), "S$"
    )


@pytest.mark.spec("BK-08")
def test_a_broken_edit_is_shown_with_its_line_and_the_last_good_rules_stay(salon: Salon) -> None:
    host = owner(salon)
    save(host, TEXT)
    good = rules(salon)
    asked = save(host, WRONG)
    assert asked.status == 422
    assert '"9.30-17" is not a time range; write "9:30-17:00".' in asked.says
    assert "Line 2" in asked.says
    assert in_file(salon) == TEXT

    kept = save(host, WRONG, "anyway")

    assert "until then the rules before stay in force" in kept.flash
    assert (rules(salon), in_file(salon)) == (good, WRONG)
    assert "The last rules that could be understood stay in force." in host.get(RULES).says


@pytest.mark.spec("BK-08")
def test_an_earlier_version_can_be_used_again(salon: Salon) -> None:
    host = owner(salon)
    save(host, TEXT)
    save(host, TEXT.replace("9:00-17:00", "8:00-20:00"))
    page = host.get(RULES)
    [seq] = hidden(page, "seq")
    host.post(f"{RULES}/again", csrf=page.csrf, seq=seq)
    assert rules(salon).hours[0] == (Period(540, 1020, 2),)


@pytest.mark.spec("BK-08")
def test_the_editor_is_answered_while_somebody_types_and_nothing_changes(salon: Salon) -> None:
    host = owner(salon)
    save(host, TEXT)
    token = host.get(RULES).csrf
    wrong = host.post(f"{RULES}/check", csrf=token, text=WRONG)
    assert wrong.status == 200
    assert 'data-line="2" data-column="18"' in wrong.text
    assert "<html" not in wrong.text
    assert "How we understand it" in host.post(f"{RULES}/check", csrf=token, text=TEXT).says
    assert "too many brackets" in host.post(f"{RULES}/check", csrf=token, text="[" * 9_000).says
    assert in_file(salon) == TEXT
    assert host.post(f"{RULES}/check", text=TEXT).status == 403, "without our token"


@pytest.mark.spec("BK-08")
def test_a_service_that_can_never_be_booked_is_named_beside_the_text_and_can_be_saved(
    salon: Salon,
) -> None:
    host = owner(salon)
    text = TEXT.replace("minutes: 60", "minutes: 10 hours")

    save(host, text)

    assert rules(salon).services[0].duration == timedelta(hours=10)
    page = host.get(RULES)
    assert (
        "1 service can never be booked 7 Line 7: Cut: {minutes: 10 hours, price: 45}" in page.says
    )
    assert "Mia or Jo has at most 8 hours without a break; write fewer minutes" in page.says
    save(host, TEXT)
    assert "can never be booked" not in host.get(RULES).says


@pytest.mark.spec("BK-08")
def test_an_edit_of_the_file_is_in_force_at_the_next_look(salon: Salon) -> None:
    save(owner(salon), TEXT)
    documents(salon).files.write(RULES_NAME, TEXT.replace("price: 45", "price: 50"))
    assert documents(salon).take_edits()
    assert rules(salon).services[0].price_cents == 5_000
    assert catalogue(salon).services[0].price_cents == 5_000


@pytest.mark.spec("BK-08")
def test_mistakes_in_the_file_are_on_today_until_they_are_corrected(salon: Salon) -> None:
    host = owner(salon)
    save(host, TEXT)
    documents(salon).files.write(RULES_NAME, WRONG)
    documents(salon).take_edits()
    assert "The rules of bookings have mistakes" in host.get("/console").says
    documents(salon).files.write(RULES_NAME, TEXT)
    documents(salon).take_edits()
    assert "The rules of bookings have mistakes" not in host.get("/console").says


@pytest.mark.spec("BK-08")
def test_a_change_in_the_waitlists_catalogue_is_written_into_the_rules_and_the_file(
    salon: Salon,
) -> None:
    save(owner(salon), TEXT)
    known = catalogue(salon)
    colour = Service("Colour", timedelta(hours=2), 9_000)
    wanted = replace(known, services=(*known.services, colour), staff=("Mia", "Johanna"))
    salon.run(SetCatalogue(wanted))
    salon.settle()
    text = TEXT.replace("name: Jo,", "name: Johanna,") + "  Colour: {minutes: 120, price: 90}\n"
    assert documents(salon).known(RULES_NAME).good == text
    assert catalogue(salon) == wanted
    assert [one.name for one in rules(salon).services] == ["Cut", "Colour"]
    documents(salon).take_edits()
    assert in_file(salon) == text


@pytest.mark.spec("BK-08")
def test_a_catalogue_that_the_rules_cannot_follow_is_shown_on_their_page(salon: Salon) -> None:
    host = owner(salon)
    save(host, TEXT.replace("price: 45}", "price: 45, staff: [jo]}"))
    salon.run(SetCatalogue(replace(catalogue(salon), staff=("Mia",))))
    salon.settle()
    assert [one.name for one in rules(salon).resources] == ["Mia", "Jo"]
    assert "The list of services has changes that are not in these rules." in host.get(RULES).says


@pytest.mark.spec("BK-09")
def test_the_rules_have_the_time_zone_of_the_business(salon: Salon) -> None:
    save(owner(salon), TEXT)
    salon.run(SetBusiness(Business(name="Salon Mia", zone="Asia/Kolkata")))
    salon.settle()
    assert rules(salon).zone == "Asia/Kolkata"


@pytest.mark.spec("BK-38")
def test_the_week_grid_writes_the_hours_of_the_business_and_of_a_member(salon: Salon) -> None:
    host = owner(salon)
    save(host, TEXT)
    assert "Monday to Friday 9:00–17:00" in host.get(HOURS).says
    week = {"mon": "9:00-17:00", "tue": "9:00-17:00", "wed": "9-17", "thu": "9:00-17:00"}
    answer = host.send(BUSINESS, **week, fri="9:00-12:00 13:00-15:00", sat="", sun="")
    assert answer.flash == "Saved."
    text = TEXT.replace(
        "{mon-fri: 9:00-17:00}", "{mon-thu: 9:00-17:00, fri: 9:00-12:00 13:00-15:00}"
    )
    assert in_file(salon) == text
    assert rules(salon).hours[4] == (Period(540, 720, 2), Period(780, 900, 2))

    host.send(f"{HOURS}/jo", mon="10:00-14:00", tue="22:00-2:00")
    assert in_file(salon) == text.replace(
        "{mon: 9:00-12:00}", "{mon: 10:00-14:00, tue: 22:00-2:00}"
    )
    host.send(f"{HOURS}/jo", same="yes")
    assert rules(salon).resources[1].hours is None


@pytest.mark.spec("BK-38")
def test_wrong_hours_are_named_at_their_day_and_nothing_is_saved(salon: Salon) -> None:
    host = owner(salon)
    save(host, TEXT)
    answer = host.send(BUSINESS, mon="9.30-17", tue="9:00-12:00 11:00-13:00", wed="22:00-9:30")
    assert answer.status == 422
    assert '"9.30-17" is not a time range; write "9:30-17:00".' in answer.says
    assert '"9:00-12:00" and "11:00-13:00" overlap; write ranges that do not.' in answer.says
    assert in_file(salon) == TEXT
    assert host.get(f"{HOURS}/nobody").status == 404


@pytest.mark.spec("BK-38")
def test_the_week_grid_never_writes_over_a_change_that_nobody_has_seen(salon: Salon) -> None:
    host = owner(salon)
    save(host, TEXT)
    page = host.get(BUSINESS)
    save(host, f"{TEXT}# newer\n")
    stamp = hidden(page, "stamp")[0]
    answer = host.act(BUSINESS, BUSINESS, stamp=stamp, mon="9:00-10:00")
    assert "Somebody changed the rules meanwhile." in answer.flash
    assert in_file(salon) == f"{TEXT}# newer\n"
    save(host, WRONG, "anyway")
    assert "The rules have mistakes." in host.get(BUSINESS).says
    assert "The rules have mistakes." in host.send(BUSINESS, mon="9:00-10:00").flash


@pytest.mark.spec("BK-28")
def test_time_off_over_bookings_lists_them_and_cancels_nothing(salon: Salon) -> None:
    host = owner(salon)
    save(host, TEXT)
    books(salon, datetime(2026, 11, 18, 2, tzinfo=UTC))  # Wednesday, 10:00 in Singapore
    asked = host.send(TIME_OFF, who="mia", first_on="2026-11-17", last_on="2026-11-20")
    assert "1 booking is in this time" in asked.says
    assert "Cut, Ann Lee" in asked.says
    assert in_file(salon) == TEXT

    done = host.send(
        TIME_OFF, who="mia", first_on="2026-11-17", last_on="2026-11-20", confirmed="yes"
    )

    assert done.flash == "Saved. The bookings in this time are unchanged."
    assert in_file(salon) == TEXT.replace(
        "{name: Mia}", "{name: Mia, away: [{on: 2026-11-17..2026-11-20}]}"
    )
    [booking] = bk(salon).bookings()
    assert booking.takes_time
    assert "away on Tue 17 Nov 2026 to Fri 20 Nov 2026" in host.get(TIME_OFF).says


@pytest.mark.spec("BK-28")
def test_time_off_without_bookings_is_saved_at_once_and_wrong_input_is_named(salon: Salon) -> None:
    host = owner(salon)
    save(host, TEXT)
    host.send(TIME_OFF, who="", first_on="2026-12-24", last_on="2026-12-26", note="Christmas: #1")
    before = in_file(salon)
    assert before == TEXT + 'closed: [{on: 2026-12-24..2026-12-26, note: "Christmas: #1"}]\n'
    wrong = host.send(TIME_OFF, who="x", first_on="soon", last_on="", hours="nine", note="n" * 90)
    assert wrong.status == 422
    for each in ("Choose somebody from the list.", "Choose a date.", "is not a time range"):
        assert each in wrong.says
    long = host.send(TIME_OFF, who="mia", first_on="2026-01-01", last_on="2029-01-01")
    assert "at most 366 days" in long.says
    assert in_file(salon) == before


@pytest.mark.spec("BK-28", "BK-38")
def test_rules_without_somebody_list_their_bookings_which_stay_on_the_board(salon: Salon) -> None:
    host = owner(salon)
    save(host, TEXT)
    books(salon, datetime(2026, 11, 18, 2, tzinfo=UTC))  # Wednesday, 10:00 in Singapore
    alone = TEXT.replace("  mia: {name: Mia}\n", "").replace(
        "{mon: 9:00-12:00}", "{daily: 9:00-17:00}"
    )
    listed = "1 booking does not fit these rules"

    preview = save(host, alone, "preview")
    assert f"{listed} Wednesday 18 November, 10:00 (SGT) : Cut, Ann Lee" in preview.says
    token = host.get(RULES).csrf
    assert listed in host.post(f"{RULES}/check", csrf=token, text=alone).says
    assert listed not in host.post(f"{RULES}/check", csrf=token, text=TEXT).says

    saved = save(host, alone)
    assert saved.flash.startswith("Saved. These rules are in force. 1 booking does not fit them:")
    assert f"{listed} Wednesday 18 November, 10:00 (SGT) : Cut, Ann Lee" in saved.says
    assert 'href="/console/bookings/one/00000000000000000000000000000000"' in saved.text
    assert listed not in host.get(RULES).says, "it is no news any more"
    board = host.get("/console/bookings?on=2026-11-18").says
    assert "mia (not in the rules)" in board
    assert "10:00 to 11:00 Ann Lee" in board
    [booking] = bk(salon).bookings_between(
        datetime(2026, 11, 18, tzinfo=UTC), datetime(2026, 11, 19, tzinfo=UTC)
    )
    assert booking.takes_time


@pytest.mark.spec("BK-28")
def test_shorter_hours_say_how_many_bookings_do_not_fit(salon: Salon) -> None:
    host = owner(salon)
    save(host, TEXT)
    books(salon, datetime(2026, 11, 18, 2, tzinfo=UTC))

    shorter = host.send(BUSINESS, mon="9:00-17:00", wed="13:00-17:00")

    assert shorter.flash.startswith("Saved. 1 booking does not fit them: nothing is cancelled")
    listed = "1 booking does not fit these rules Wednesday 18 November, 10:00 (SGT) : Cut, Ann Lee"
    assert listed in shorter.says
    assert listed not in host.get(HOURS).says
    assert listed not in host.get(f"{HOURS}?since=<x>").says
    assert host.send(BUSINESS, mon="9:00-16:00", wed="13:00-17:00").flash == "Saved."


@pytest.mark.spec("BK-08")
def test_the_tone_of_the_rules_is_shown_to_those_who_edit_the_templates(salon: Salon) -> None:
    salon.run(SetRules(replace(BookingRules(), tone="Warm and short. We say du.")))

    page = owner(salon).get("/console/settings/booking-mails/confirmed")

    assert "Our messages sound like this: Warm and short. We say du." in page.says
