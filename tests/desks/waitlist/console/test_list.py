"""The list is edited like a sheet: with the script of the table, or with plain forms."""

from __future__ import annotations

import csv
import io
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.people import PersonId, StopNumber
from frontdesk.desks.admin.commands import Erase
from frontdesk.desks.waitlist.commands import JoinList, LeaveList, StopOffers
from frontdesk.desks.waitlist.model import EntryId, EntryStatus, Lane, Wish
from frontdesk.features.sheet_sync.console import EditingPlace, source_key
from frontdesk.values import replace
from tests.desks.rsvp.console_desk import Host, error_at
from tests.desks.waitlist.console.counter import claims, owner
from tests.desks.waitlist.console.office import (
    ANN,
    ENTRIES,
    LIST,
    cells,
    edits,
    entry,
    everybody,
    names,
    row,
    script,
)
from tests.support.salon import NINE, OPENING, TODAY, WISH, Salon

# --- rows -----------------------------------------------------------------------------------


@pytest.mark.spec("WL-01")
def test_a_row_that_staff_write_is_on_the_list_at_once_and_nobody_is_told(salon: Salon) -> None:
    status, answer = script(
        owner(salon),
        LIST,
        **ANN,
    )

    [ann] = everybody(salon)
    assert (status, answer["says"], answer["is_new"]) == (200, "On the list.", True)
    assert (ann.name, ann.mobile, ann.email) == ("Ann Lee", "+6591234567", "")
    assert ann.entry.wish == Wish("Cut", 1, TODAY, date(2026, 11, 20))
    assert (ann.entry.lane, ann.entry.joined_at) == (Lane.STAFF, NINE)
    assert cells(answer["html"])["mobile"] == "+65 9123 4567"
    assert salon.settle().messages("+6591234567") == []


@pytest.mark.spec("WL-01")
def test_a_cell_is_changed_in_its_place_and_the_row_comes_back_as_it_is_now(salon: Salon) -> None:
    ann = salon.joins("Ann")
    host = owner(salon)
    before = row(host, ann)

    status, answer = edits(host, ann, party="3", latest="24/12/2026", staff="mia", priority="x")

    now = cells(answer["html"])
    assert (status, answer["says"]) == (200, "Saved.")
    assert {field for field in now if now[field] != before[field]} == {
        *("party", "latest", "staff", "priority")
    }
    assert entry(salon, ann).wish == Wish("Cut", 3, TODAY, date(2026, 12, 24), "Mia", True)


def test_a_name_and_a_contact_are_put_right_in_the_row(salon: Salon) -> None:
    ann = salon.joins("Ann")

    edits(owner(salon), ann, name="Anne Lee", email="anne@example.org", mobile="91234567")

    [one] = everybody(salon)
    assert (one.name, one.email, one.mobile) == ("Anne Lee", "anne@example.org", "+6591234567")


def test_people_who_joined_within_one_minute_keep_their_order_when_edited(
    salon: Salon,
) -> None:
    salon.later(timedelta(seconds=37))
    ann = salon.joins("Ann")
    host = owner(salon)

    edits(host, ann, party="2")
    assert entry(salon, ann).joined_at == NINE + timedelta(seconds=37)

    edits(host, ann, joined="2026-11-15 08:30")
    assert entry(salon, ann).joined_at == NINE - timedelta(days=1, minutes=30)


def test_another_service_makes_another_entry_in_the_same_place_and_back_again(
    salon: Salon,
) -> None:
    ann = salon.joins("Ann")
    host = owner(salon)

    _, moved = edits(host, ann, service="colour")
    other = entry(salon, moved["id"])
    assert (other.service, other.joined_at, other.status) == (
        *("Cut and colour", NINE),
        EntryStatus.WAITING,
    )
    assert entry(salon, ann).status is EntryStatus.LEFT

    _, back = edits(host, other.id, service="Cut")
    assert (back["id"], entry(salon, ann).status) == (ann, EntryStatus.WAITING)


def test_a_service_that_the_shop_dropped_may_stay_in_a_row_but_not_come_into_another(
    salon: Salon,
) -> None:
    ann = salon.joins("Ann")
    host = owner(salon)
    host.act(
        "/console/waitlist/services",
        "/console/waitlist/services/remove",
        name="Cut",
        confirmed="yes",
    )

    assert edits(host, ann, party="2")[0] == 200
    assert script(host, LIST, **ANN)[1]["errors"] == {
        "service": "There is no such service. Choose one of these: Cut and colour, Table."
    }


@pytest.mark.spec("WL-05")
def test_joining_twice_for_a_service_keeps_one_row(salon: Salon) -> None:
    ann = salon.joins("Ann Lee", email="", mobile="+6591234567", wish=replace(WISH, party=2))
    host = owner(salon)

    status, answer = script(host, LIST, **{**ANN, "name": "Annie"})
    assert (status, answer["id"], answer["is_new"]) == (200, ann, False)
    assert answer["says"] == (
        "They were on the list already; their row says this now."
        " We know this address by another name, which stays until you change it."
    )
    assert [(one.name, one.entry.party) for one in everybody(salon)] == [("Ann Lee", 1)]

    _, again = script(host, LIST, **ANN)
    assert again["errors"] == {"name": "They are on the list already, with just this."}


# --- invalid input --------------------------------------------------------------------------


WRONG: tuple[tuple[dict[str, str], str, str], ...] = (
    ({"name": ""}, "name", "Please give a name."),
    ({"mobile": ""}, "mobile", "Please give an e-mail address or a mobile number."),
    ({"mobile": "12"}, "mobile", "That phone number is too short: is a digit missing?"),
    ({"email": "ann"}, "email", "Please give one e-mail address, like ann@example.org."),
    ({"service": ""}, "service", "Please say what they are waiting for."),
    (
        {"service": "x"},
        "service",
        "There is no such service. Choose one of these: Cut, Cut and colour, Table.",
    ),
    ({"party": "many"}, "party", "The party should be a number from 1 to 1000."),
    ({"earliest": ""}, "earliest", "Please give the first day that suits them."),
    ({"latest": ""}, "latest", "Please give the last day that suits them."),
    ({"latest": "2026-11-15"}, "latest", "The latest day is before the earliest."),
    (
        {"earliest": "2026-11-01", "latest": "2026-11-15"},
        "latest",
        "The latest day has passed.",
    ),
    (
        {"staff": "Zed"},
        "staff",
        "Nobody in the team has this name. Choose one of these: Mia, Jo.",
    ),
    ({"priority": "maybe"}, "priority", "Write yes or no."),
    ({"joined": "2027-01-01"}, "joined", "This is in the future."),
)


@pytest.mark.spec("WL-01", "FD-27")
def test_an_error_is_shown_at_its_cell_and_nothing_is_changed(salon: Salon) -> None:
    ann = salon.joins("Ann", email="", mobile="+6581234567")
    host, before = owner(salon), everybody(salon)

    for wrong, field, says in WRONG:
        status, answer = script(host, LIST, **{**ANN, **wrong})
        assert (status, answer["errors"]) == (422, {field: says})
        status, answer = edits(host, ann, **wrong)
        assert (status, answer["errors"]) == (422, {field: says})
        page = host.press(f"{ENTRIES}/{ann}/edit", **wrong)
        assert (page.status, error_at(page, field)) == (422, says)
    assert everybody(salon) == before


def test_nobody_gets_the_address_of_somebody_else(salon: Salon) -> None:
    salon.joins("Ann")
    bob = salon.joins("Bob")

    status, answer = edits(owner(salon), bob, email="ann@example.org")

    assert (status, list(answer["errors"])) == (422, ["email"])
    assert [one.email for one in everybody(salon)] == ["ann@example.org", "bob@example.org"]


def test_a_person_who_wants_no_offers_is_not_put_on_the_list_again(salon: Salon) -> None:
    ann = salon.joins("Ann Lee", email="", mobile="+6591234567")
    salon.run(StopOffers(entry(salon, ann).person_id))

    status, answer = script(owner(salon), LIST, **ANN)

    assert (status, list(answer["errors"])) == (422, ["name"])
    assert entry(salon, ann).status is EntryStatus.STOPPED


# --- two edits at once ----------------------------------------------------------------------


def test_of_two_editors_of_one_row_the_second_sees_the_first_edit_and_decides(
    salon: Salon,
) -> None:
    ann = salon.joins("Ann")
    host = owner(salon)
    seen = row(host, ann)
    edits(host, ann, party="4")

    status, answer = script(host, f"{ENTRIES}/{ann}/edit", **{**seen, "staff": "Jo"})
    assert (status, answer["is_newer"], cells(answer["html"])["party"]) == (409, True, "4")
    assert (entry(salon, ann).party, entry(salon, ann).staff) == (4, "")

    page = host.press(f"{ENTRIES}/{ann}/edit", stamp=seen["stamp"], party="2")
    assert page.status == 409
    assert "Somebody else has changed this row meanwhile." in page.says
    assert "Party : 4" in page.says
    assert entry(salon, ann).party == 4


def test_of_two_who_save_one_row_in_the_same_moment_one_is_asked(salon: Salon) -> None:
    ann = salon.joins("Ann")
    hosts = [owner(salon), owner(salon)]
    seen = row(hosts[0], ann)
    begin = threading.Barrier(2)

    def saves(host: Host, party: str) -> int:
        begin.wait()
        return script(host, f"{ENTRIES}/{ann}/edit", **{**seen, "party": party})[0]

    with ThreadPoolExecutor(2) as pool:
        for version in range(2, 12):
            answers = list(pool.map(saves, hosts, (str(version), str(version + 20))))
            assert (sorted(answers), entry(salon, ann).version) == ([200, 409], version)
            seen = row(hosts[0], ann)


def test_a_new_name_is_a_newer_row_too(salon: Salon) -> None:
    ann = salon.joins("Ann")
    host = owner(salon)
    seen = row(host, ann)
    edits(host, ann, name="Anne")

    assert script(host, f"{ENTRIES}/{ann}/edit", **{**seen, "party": "2"})[0] == 409


# --- leaving and coming back ----------------------------------------------------------------


def test_an_entry_is_removed_and_put_back_in_its_place_without_a_message(salon: Salon) -> None:
    ann = salon.joins("Ann")
    salon.joins("Bob")
    host, before = owner(salon), entry(salon, ann)

    _, off = script(host, f"{ENTRIES}/{ann}/leave")
    assert (off["says"], entry(salon, ann).status) == (
        *("Off the list. They are not told.",),
        EntryStatus.LEFT,
    )
    _, back = script(host, f"{ENTRIES}/{ann}/back")
    assert back["says"] == "On the list again, in the same place."
    assert entry(salon, ann) == replace(before, version=before.version + 2)
    assert names(host.get(LIST)) == ["Ann", "Bob"]
    assert salon.settle().messages("ann@example.org") == []


def test_without_scripts_a_row_is_added_edited_taken_off_and_the_last_is_undone(
    salon: Salon,
) -> None:
    host = owner(salon)
    added = host.send(f"{LIST}/add", LIST, name="Ann", email="ann@example.org", service="Cut")
    [ann] = everybody(salon)
    url = f"{ENTRIES}/{ann.entry.id}"
    assert (added.flash, added.heading) == ("On the list.", "Ann")
    assert ann.entry.wish == Wish("Cut", 1, TODAY, TODAY + timedelta(days=30))

    assert host.send(f"{url}/edit", party="2").flash == "Saved."
    off = host.send(url, f"{url}/leave")
    assert off.flash == "Off the list. They are not told."
    assert host.act(url, f"{url}/back").flash == "On the list again, in the same place."
    [now] = everybody(salon)
    assert (now.entry.party, now.entry.status) == (2, EntryStatus.WAITING)


# --- searching ------------------------------------------------------------------------------


@pytest.fixture
def busy(salon: Salon) -> Salon:
    """Has a person in each state."""
    for name in ("Ann", "Bob", "Cat", "Dan", "Eve"):
        salon.joins(name)
    soon = replace(WISH, service="Table", latest_on=TODAY)
    salon.joins("Fay", wish=soon, mobile="+6591112222")
    claims(salon, salon.frees("test:1"))
    salon.frees("test:2", replace(OPENING, starts_at=OPENING.ends_at))
    ids = {one.name: one.entry for one in everybody(salon)}
    salon.run(LeaveList(ids["Cat"].id))
    salon.run(StopOffers(ids["Dan"].person_id))
    salon.later(timedelta(days=1))
    return salon


FOUND = {
    "": ["Bob", "Eve"],
    "?state=booked": ["Ann"],
    "?state=left": ["Cat"],
    "?state=stopped": ["Dan"],
    "?state=expired": ["Fay"],
    "?state=all&sort=name": ["Ann", "Bob", "Cat", "Dan", "Eve", "Fay"],
    "?state=all&sort=-name&q=example.org": ["Fay", "Eve", "Dan", "Cat", "Bob", "Ann"],
    "?state=all&q=table": ["Fay"],
    "?state=all&q=9111 2222": ["Fay"],
    "?q=EVE": ["Eve"],
    "?state=nonsense&sort=nonsense&page=x": ["Bob", "Eve"],
    "?page=999999": [],
}


def test_the_list_is_searched_filtered_and_sorted_by_its_address(busy: Salon) -> None:
    host = owner(busy)

    assert {query: names(host.get(f"{LIST}{query}")) for query in FOUND} == FOUND


def test_the_list_marks_people_with_an_open_offer(salon: Salon) -> None:
    salon.joins("Ann")
    salon.joins("Bob")
    salon.frees()
    host = owner(salon)

    assert names(host.get(f"{LIST}?state=offered")) == ["Ann"]
    assert "Ann Has an offer" in host.get(LIST).says


def test_priority_comes_first_unless_the_rules_say_otherwise(salon: Salon) -> None:
    salon.joins("Ann")
    salon.joins("Bob", wish=replace(WISH, priority=True))
    host = owner(salon)
    assert names(host.get(LIST)) == ["Bob", "Ann"]

    host.send("/console/waitlist/rules", text="Order: who joined first.", do="save")
    assert names(host.get(LIST)) == ["Ann", "Bob"]


def test_a_long_list_comes_in_pages_of_forty(salon: Salon) -> None:
    for n in range(83):
        who = PersonId(f"p{n:03}"), f"Guest {n:03}", f"g{n:03}@example.org"
        salon.run(JoinList(EntryId(f"e{n:03}"), *who, WISH, Lane.STAFF))
    host = owner(salon)
    first, second = host.get(LIST), host.get(f"{LIST}?page=3")

    assert ("1 to 40 of 83" in first.says, "81 to 83 of 83" in second.says) == (True, True)
    assert names(second) == ["Guest 080", "Guest 081", "Guest 082"]


def test_the_list_can_be_taken_along_as_a_file(busy: Salon) -> None:
    text = owner(busy).get(f"{LIST}.csv?state=all&q=fay").text

    headings, fay = csv.reader(io.StringIO(text.removeprefix("\ufeff")))
    assert headings[:4] == ["Name", "Mobile", "E-mail", "Service"]
    assert fay[:-1] == [
        *("Fay", "'+65 9111 2222", "fay@example.org", "Table", "1"),
        *("2026-11-16", "2026-11-16", "", "", "2026-11-16 09:05:00", "expired"),
    ]
    assert owner(busy).get(f"{LIST}.xlsx").body.startswith(b"PK")


# --- the place of the list ------------------------------------------------------------------


@pytest.mark.spec("WL-01")
def test_a_list_that_is_kept_in_a_sheet_is_only_read_here_and_says_where_it_is_edited(
    salon: Salon,
) -> None:
    ann = salon.joins("Ann")
    host, before = owner(salon), everybody(salon)
    seen = row(host, ann)
    salon.product.site.shared[source_key("wl")] = EditingPlace(
        "the file waitlist.xlsx", "https://sheets.example/1"
    )

    page = host.get(LIST)
    assert "This list is kept in the file waitlist.xlsx." in page.says
    assert 'href="https://sheets.example/1"' in page.text
    assert 'href="/console/waitlist/versions"' in page.text
    assert ("list.js" in page.text, "list-new" in page.text) == (False, False)
    says = {"name": "The list is kept in the file waitlist.xlsx. Please change it there."}
    assert script(host, LIST, **ANN)[1]["errors"] == says
    assert script(host, f"{ENTRIES}/{ann}/edit", **{**seen, "party": "9"})[1]["errors"] == says
    assert everybody(salon) == before


def test_a_row_of_somebody_who_was_erased_shows_nothing_and_cannot_be_edited(salon: Salon) -> None:
    ann = salon.joins("Ann")
    salon.run(Erase(entry(salon, ann).person_id))
    host = owner(salon.settle())

    assert "Somebody who was erased" in host.get(f"{LIST}?state=all").says
    status, answer = edits(host, ann, name="Ann")
    assert (status, answer["errors"]) == (
        422,
        {"name": "This person was erased, so there is nothing to change."},
    )
    assert script(host, f"{ENTRIES}/{ann}/back")[0] == 422


# --- one row --------------------------------------------------------------------------------


@pytest.mark.spec("WL-11")
def test_a_row_has_a_page_with_its_offers_its_story_and_why_it_got_no_other(salon: Salon) -> None:
    ann = salon.joins("Ann")
    bob = salon.joins("Bob")
    salon.frees()
    host = owner(salon)

    mine, other = host.get(f"{ENTRIES}/{ann}"), host.get(f"{ENTRIES}/{bob}")

    assert "A slot is held for them just now." in mine.says
    assert "they can claim it until 09:12 (SGT)" in mine.says
    assert "They suit it and are the next in line." in other.says
    assert other.says.endswith("Story Bob was put on the list for Cut. Mon 16 Nov, 09:01:00")


@pytest.mark.spec("WL-06")
def test_a_row_says_that_its_number_wants_no_texts(salon: Salon) -> None:
    ann = salon.joins("Ann", mobile="+6591234567")
    salon.product.store.commit(
        Accepted((StopNumber("+6591234567"),)), by="test", at=salon.clock.now()
    )

    assert "This number has asked for no texts (STOP)." in owner(salon).get(f"{ENTRIES}/{ann}").says


def test_a_missing_row_has_no_page(salon: Salon) -> None:
    assert owner(salon).get(f"{ENTRIES}/nothing").status == 404


def test_an_empty_list_says_what_to_do_first(salon: Salon) -> None:
    assert (
        "Add people here, share the form, or forward a request by mail"
        in owner(salon).get(LIST).says
    )
