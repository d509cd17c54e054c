"""People: found, corrected, exported, erased."""

import json

import pytest

from frontdesk.core.contacts import contact_key
from frontdesk.core.decision import Accepted, Refused
from frontdesk.core.members import Role
from frontdesk.core.people import AddPerson, Person, PersonId, StopNumber
from frontdesk.desks.admin.commands import RemoveMember, SetOptOut
from frontdesk.desks.admin.desk import OWNER_EMAIL
from frontdesk.desks.admin.reads import MessageFilter
from frontdesk.desks.admin.reasons import Reason
from tests.support.admin import AdminDesk


def add(desk: AdminDesk, name: str) -> str:
    """Adds a person; returns their page."""
    email = f"{name.split()[0].lower()}@example.org"
    return added(desk, name, email)


def added(desk: AdminDesk, name: str, email: str = "", mobile: str = "") -> str:
    person_id = PersonId(desk.product.engine.new_id())
    change = AddPerson(person_id, name, email, contact_key(email, mobile), mobile)
    desk.product.store.commit(Accepted((change,)), by="cli", at=desk.clock.now())
    return f"/console/people/{person_id}"


@pytest.mark.spec("FD-21")
def test_people_are_found_by_name_and_address_in_pages(desk: AdminDesk) -> None:
    browser = desk.owner()
    for number in range(60):
        add(desk, f"Ann{number} Lee")
    gus = add(desk, "Gus 100%")

    assert "1 to 50 of 62" in browser.get("/console/people").says
    assert "51 to 62 of 62" in browser.get("/console/people?page=2").says
    assert gus in browser.get("/console/people?q=GUS@").text
    assert "Ann1 Lee" not in browser.get("/console/people?q=100%25").says
    assert "Nobody matches “zz_”." in browser.get("/console/people?q=zz_").says


@pytest.mark.spec("FD-21")
def test_a_persons_page_shows_where_they_are_on_lists(desk: AdminDesk) -> None:
    page = desk.owner().get(add(desk, "Gus Doe")).says

    assert "Supper RSVP Confirmed" in page
    assert "No messages yet." in page


@pytest.mark.spec("FD-15")
@pytest.mark.parametrize(
    ("name", "email", "says"),
    [
        ("Gus", "ann@example.org", "Another person has this address."),
        ("Gus", "gus@", "The part after the @ should be like example.org."),
        ("", "gus@example.org", "Please give a name."),
        ("Gus", "gus@example.org\r\nbcc: x@example.org", "An e-mail address has no spaces in it."),
    ],
)
def test_a_wrong_correction_is_named_and_changes_nothing(
    desk: AdminDesk, name: str, email: str, says: str
) -> None:
    add(desk, "Ann")
    page, browser = add(desk, "Gus"), desk.owner()
    before = desk.dump()
    answer = browser.submit(page, f"{page}/correct", name=name, email=email)

    assert answer.status == 422
    assert says in answer.says
    assert desk.dump() == before


MOBILE = "+6591234567"


def person_at(desk: AdminDesk, page: str) -> Person:
    found = desk.product.engine.reads().engine.person(PersonId(page.rpartition("/")[2]))
    assert found is not None
    return found


@pytest.mark.spec("FD-15")
def test_somebody_known_by_a_number_is_found_shown_and_corrected(desk: AdminDesk) -> None:
    page, browser = added(desk, "Gus", mobile=MOBILE), desk.owner()

    assert page in browser.get("/console/people?q=9123 4567".replace(" ", "%20")).text
    assert "+65 9123 4567" in browser.get("/console/people").says
    fields = {"name": "Gus", "email": "", "mobile": "9876 5432"}
    after = browser.submit(page, f"{page}/correct", **fields)

    assert after.flash == "The number is corrected. Links that went to the old one are dead."
    assert person_at(desk, page) == Person(
        PersonId(page.rpartition("/")[2]), "Gus", "", contact_version=1, mobile="+6598765432"
    )
    assert desk.person("+6598765432").name == "Gus"

    browser.submit(page, f"{page}/correct", **fields | {"email": "gus@example.org"})
    assert desk.person("gus@example.org").mobile == "+6598765432"


@pytest.mark.spec("FD-15")
@pytest.mark.parametrize(
    ("mobile", "says"),
    [
        ("", "Please give an e-mail address."),
        ("12", "That phone number is too short: is a digit missing?"),
        ("+6598765432", "Another person has this address."),
    ],
)
def test_a_wrong_number_is_named_and_changes_nothing(
    desk: AdminDesk, mobile: str, says: str
) -> None:
    added(desk, "Ann", mobile="+6598765432")
    page, browser = added(desk, "Gus", mobile=MOBILE), desk.owner()
    before = desk.dump()

    answer = browser.submit(page, f"{page}/correct", name="Gus", email="", mobile=mobile)

    assert (answer.status, says in answer.says) == (422, True)
    assert desk.dump() == before


@pytest.mark.spec("FD-15")
def test_a_number_that_said_stop_is_shown_at_the_person(desk: AdminDesk) -> None:
    page, browser = added(desk, "Gus", mobile=MOBILE), desk.owner()
    assert "Wants no texts" not in browser.get(page).says

    desk.product.store.commit(Accepted((StopNumber(MOBILE),)), by="cli", at=desk.clock.now())

    assert "Wants no texts" in browser.get(page).says
    data = json.loads(browser.get(f"{page}/export.json").body)
    assert (data["person"]["mobile"], data["person"]["wants_no_texts"]) == (MOBILE, True)


@pytest.mark.spec("FD-15")
def test_a_person_who_opted_out_is_marked_and_can_be_opted_in_again(desk: AdminDesk) -> None:
    page, browser = add(desk, "Gus"), desk.owner()

    assert "Opted out" in browser.submit(page, f"{page}/opt-out", out="yes").says
    assert desk.person("gus@example.org").opted_out
    again = SetOptOut(desk.person("gus@example.org").id, out=True, role=Role.STAFF)
    assert desk.run(again) == Refused(Reason.UNCHANGED)
    assert "Opted out" not in browser.submit(page, f"{page}/opt-out", out="no").says


@pytest.mark.spec("FD-29")
def test_staff_are_told_that_only_an_owner_changes_somebody_of_the_team(desk: AdminDesk) -> None:
    desk.printed_link()
    owner = desk.person(OWNER_EMAIL)
    staff, page = desk.member("Tom", Role.STAFF), f"/console/people/{owner.id}"

    shown = staff.get(page)
    assert "Only an owner can change somebody of the team." in shown.says
    assert "Opt them out" not in shown.says
    assert "Mark the address as wrong" not in shown.says
    for action, choice in (("opt-out", "out"), ("address", "wrong")):
        answer = staff.submit(page, f"{page}/{action}", **{choice: "yes"})
        assert answer.flash == "Only an owner can change somebody of the team.", action
    assert desk.person(OWNER_EMAIL) == owner
    assert "Opt them out" in desk.owner().get(page).says


@pytest.mark.spec("FD-20")
def test_everything_about_a_person_is_exported(desk: AdminDesk) -> None:
    page, browser = add(desk, "Gus Doe"), desk.owner()
    desk.invite("Gus", Role.STAFF)
    desk.settle()

    answer = browser.get(f"{page}/export.json")
    data = json.loads(answer.body)

    assert answer.headers["content-disposition"].startswith("attachment")
    assert data["person"]["email"] == "gus@example.org"
    assert [each["role"] for each in data["team"]] == ["staff"]
    assert data["lists"] == [{"desk": "RSVP", "what": "Supper", "state": "Confirmed", "party": 2}]
    assert [each["subject"] for each in data["messages"]] == [
        "You are invited to the team of Frontdesk"
    ]
    assert [each["kind"] for each in data["audit"]] == ["fd.member_invited"]


@pytest.mark.spec("FD-20")
def test_erasing_needs_the_name_and_leaves_the_fact_alone(desk: AdminDesk) -> None:
    page, browser = add(desk, "Gus Doe"), desk.owner()
    member = desk.invite("Gus", Role.STAFF)
    desk.settle()
    desk.do(RemoveMember(member))
    person_id = desk.person("gus@example.org").id

    wrong = browser.submit(f"{page}/erase", f"{page}/erase", name="Gus")
    assert wrong.status == 422
    assert desk.person("gus@example.org").name == "Gus Doe"

    after = browser.submit(f"{page}/erase", f"{page}/erase", name="gus doe")
    assert after.flash == "The person is erased. The audit keeps the fact, not the person."
    kept = "\n".join(desk.dump())
    assert "Gus" not in kept
    assert "gus@" not in kept
    assert desk.kinds()[-1] == "fd.person_erased"
    assert browser.get(page).heading == "Somebody who was erased"
    assert "Gus" not in browser.get("/console/people").says
    (row,) = desk.fd.messages(MessageFilter(person_id=person_id), limit=5)
    shown = browser.get(f"/console/messages/{row.send.id}")
    assert "What was said to them is not kept any more." in shown.says


@pytest.mark.spec("FD-20")
def test_a_team_member_is_not_erased_by_accident(desk: AdminDesk) -> None:
    page, browser = add(desk, "Gus Doe"), desk.owner()
    desk.invite("Gus", Role.STAFF)

    answer = browser.submit(f"{page}/erase", f"{page}/erase", name="Gus Doe")

    assert answer.status == 422
    assert "An owner takes them off it first." in answer.says
    assert desk.person("gus@example.org").name == "Gus Doe"
