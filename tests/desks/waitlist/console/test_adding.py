"""Staff add a person: the page asks who that is, and says whether messages can reach them."""

from __future__ import annotations

from pathlib import Path

import pytest

from frontdesk.desks.waitlist.commands import StopOffers
from frontdesk.desks.waitlist.model import EntryStatus, Lane
from frontdesk.values import replace
from tests.desks.waitlist.console.counter import owner
from tests.desks.waitlist.console.office import ANN, ENTRIES, LIST, everybody, script
from tests.support.salon import WISH, Salon
from tests.support.salon import salon as salon_at

KNOWN = {**ANN, "email": "ann@example.org", "name": "Ann"}


@pytest.mark.spec("WL-05", "FD-10")
@pytest.mark.parametrize("service", ["Cut", "Cut and colour"])
def test_a_number_of_somebody_known_who_had_none_is_taken(salon: Salon, service: str) -> None:
    salon.joins("Ann")
    before = everybody(salon)[0]

    _, added = script(owner(salon), LIST, **{**KNOWN, "service": service})

    them = {row.entry.service: (row.name, row.email, row.mobile) for row in everybody(salon)}
    assert them == dict.fromkeys({"Cut", service}, ("Ann", "ann@example.org", "+6591234567"))
    assert "number" not in added["says"]
    person = salon.wl.person(before.entry.person_id)
    assert person is not None
    assert person.contact_version == 1


@pytest.mark.spec("WL-05")
def test_a_number_is_taken_though_they_wait_for_just_this_already(salon: Salon) -> None:
    host = owner(salon)
    script(host, LIST, **{**KNOWN, "mobile": ""})
    before = everybody(salon)[0]

    status, added = script(host, LIST, **KNOWN)

    assert (status, added["is_new"]) == (200, False)
    assert added["says"] == "They were on the list already; their row says this now."
    [after] = everybody(salon)
    edited = replace(before.entry, version=before.entry.version + 1)
    assert (after.mobile, after.entry) == ("+6591234567", edited)


def test_another_number_of_somebody_known_stays_and_staff_are_told(salon: Salon) -> None:
    salon.joins("Ann", mobile="+6598765432")

    _, added = script(owner(salon), LIST, **{**KNOWN, "service": "Cut and colour"})

    assert added["says"] == (
        "On the list. We know this address with another number, which stays until you change it."
    )
    assert {row.mobile for row in everybody(salon)} == {"+6598765432"}


@pytest.mark.spec("WL-06")
def test_staff_can_allow_offers_again_and_put_the_person_back(salon: Salon) -> None:
    ann = salon.joins("Ann")
    salon.run(StopOffers(everybody(salon)[0].entry.person_id))
    host, url = owner(salon), f"{ENTRIES}/{ann}"
    assert "Put back on the list" not in host.get(url).text

    again = host.act(url, f"{url}/resume")
    back = host.act(url, f"{url}/back")

    assert again.flash == (
        "They may get offers again. Put them back on the list if they want to wait."
    )
    assert "They want offers again" not in again.text
    assert back.flash == "On the list again, in the same place."
    assert everybody(salon)[0].entry.status is EntryStatus.WAITING


@pytest.mark.spec("FD-28")
def test_nobody_gets_a_number_by_the_form(salon: Salon) -> None:
    salon.joins("Ann")
    salon.joins("Ann", mobile="+6591234567", lane=Lane.FORM, wish=replace(WISH, service="Table"))

    assert {row.mobile for row in everybody(salon)} == {""}


@pytest.mark.spec("WL-14")
@pytest.mark.parametrize(
    ("typed", "kept"), [("6123 4567", "+6561234567"), ("00 99 1234", "00 99 1234")]
)
def test_staff_write_any_number_down_and_see_that_it_takes_no_texts(
    salon: Salon, typed: str, kept: str
) -> None:
    host = owner(salon)
    _, alone = script(host, LIST, **{**ANN, "mobile": typed})
    _, with_mail = script(
        host, LIST, **{**ANN, "name": "Bob", "mobile": typed, "email": "bob@example.org"}
    )

    assert [row.mobile for row in everybody(salon)] == [kept] * 2
    sentence = "Texts do not reach this number."
    assert alone["says"] == (
        f"On the list. {sentence} They have no e-mail address, so please call them."
    )
    assert with_mail["says"] == f"On the list. {sentence} They are told by mail."
    [ann] = [row for row in everybody(salon) if not row.email]
    assert sentence in host.get(f"{ENTRIES}/{ann.entry.id}").says


@pytest.mark.spec("FD-11", "WL-05")
def test_staff_see_that_an_entry_is_told_by_mail_and_confirm_the_number(salon: Salon) -> None:
    """Putting somebody back on the list confirms nothing, since nobody has checked the number."""
    host = owner(salon)
    table = replace(WISH, service="Table")
    salon.joins("Bob", wish=table, mobile="+6591234567", lane=Lane.FORM)
    bob = salon.joins("Bob", lane=Lane.FORM)
    sentence = "This number is not confirmed: anybody can type one beside an address."
    page = f"{ENTRIES}/{bob}"
    before = host.get(page).says

    host.post(f"{page}/leave")
    host.post(f"{page}/back")
    put_back = host.get(page).says
    row = {**ANN, "name": "Bob", "mobile": "9123 4567", "email": "bob@example.org"}
    _, confirmed = script(host, LIST, **row)

    assert sentence in before
    assert sentence in put_back
    assert "They were on the list already; their row says this now." in confirmed["says"]
    assert sentence not in host.get(page).says


@pytest.mark.spec("WL-16")
def test_without_sms_a_person_with_only_a_number_is_shown_as_unreachable(
    tmp_path: Path,
) -> None:
    with salon_at(tmp_path, texts_by="none") as salon:
        host = owner(salon)
        _, added = script(host, LIST, **ANN)
        ann = everybody(salon)[0].entry.id
        bob = salon.joins("Bob", mobile="+6591234567")

        assert added["says"] == (
            "On the list. They cannot be reached: no texts go out from here."
            " Please add an e-mail address."
        )
        sentence = "No texts go out from here, and they have given no e-mail address."
        assert sentence in host.get(f"{ENTRIES}/{ann}").text
        assert sentence not in host.get(f"{ENTRIES}/{bob}").text
