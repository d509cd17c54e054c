"""The waitlist on Today, on people's pages and in their export."""

from __future__ import annotations

import json

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.mail import KeepMail, MailId, RawMail
from frontdesk.desks.waitlist.commands import Propose, SetCatalogue, TakeBackSlot
from frontdesk.desks.waitlist.model import DocumentName, EntryStatus
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.features.proposals.model import Proposal, ProposalId
from frontdesk.values import replace
from tests.desks.waitlist.console.counter import BOARD, declines, owner, url_of
from tests.desks.waitlist.console.office import everybody
from tests.support.salon import NINE, SHOP, WISH, Salon


@pytest.mark.spec("FD-21")
def test_today_shows_and_links_slots_that_came_back_today(salon: Salon) -> None:
    staff = owner(salon)
    salon.joins("Ann")
    slot = salon.frees()
    says = staff.get("/console").says
    assert "1 open slot 1 on offer at this moment." in says
    assert "Handed back" not in says

    declines(salon, slot)
    page = staff.get("/console")
    assert "Today, 15:00: Cut with Mia Handed back It was offered to 1 person, and" in page.says
    assert f'href="{url_of(slot)}"' in page.text


def test_a_slot_that_staff_took_back_needs_no_attention(salon: Salon) -> None:
    salon.joins("Ann")
    slot = salon.frees()
    salon.run(TakeBackSlot(slot.id))

    assert "Handed back" not in owner(salon).get("/console").says


@pytest.mark.spec("WL-23")
def test_today_shows_a_document_that_cannot_be_understood(salon: Salon) -> None:
    staff = owner(salon)
    assert "cannot be understood" not in staff.get("/console").says

    slot_intake_in(salon.product.site).documents.write(
        DocumentName.RULES, "first come, first shaved", by="test"
    )

    page = staff.get("/console")
    assert "The rules of the waitlist cannot be understood" in page.says
    assert f'href="{BOARD}/rules"' in page.text


def asks(salon: Salon, mail_id: str) -> None:
    mail = RawMail(MailId(mail_id), NINE, "a@example.org", "waitlist@example.org", b"A cut?")
    salon.product.store.commit(Accepted((KeepMail(mail),)), by="test", at=NINE)
    salon.run(Propose(Proposal(ProposalId(mail_id), mail.id, mail.sender, NINE, ())))


@pytest.mark.spec("WL-03", "FD-21")
def test_open_requests_are_on_today_on_the_rail_and_on_their_tab(salon: Salon) -> None:
    staff = owner(salon)
    for n in (1, 2):
        asks(salon, f"m{n}")
        noun = "request" if n == 1 else "requests"
        assert f"{n} waitlist {noun} to approve" in staff.get("/console").says
        assert f"Requests {n} Day" in staff.get(BOARD).says
        assert f"Waitlist {n} " in staff.get(BOARD).says


@pytest.mark.spec("FD-21")
def test_people_who_wait_for_a_service_that_was_renamed_in_the_rules_are_on_today(
    salon: Salon,
) -> None:
    staff = owner(salon)
    salon.joins("Ann")
    salon.joins("Bob", wish=replace(WISH, service="Table"))
    assert "not a service now" not in staff.get("/console").says

    first, *others = SHOP.services
    salon.run(SetCatalogue(replace(SHOP, services=(replace(first, name="Haircut"), *others))))
    page = staff.get("/console")
    assert "1 person waits for Cut, which is not a service now" in page.says
    assert f'href="{BOARD}/services"' in page.text

    staff.send(f"{BOARD}/services", f"{BOARD}/services/another", to="Haircut")
    assert "not a service now" not in staff.get("/console").says
    waiting = [one.entry for one in everybody(salon) if one.entry.status is EntryStatus.WAITING]
    assert sorted(one.service for one in waiting) == ["Haircut", "Table"]


def test_people_wait_for_anything_while_there_are_no_services(salon: Salon) -> None:
    salon.joins("Ann")
    salon.run(SetCatalogue(Catalogue()))

    assert "not a service now" not in owner(salon).get("/console").says


@pytest.mark.spec("FD-20")
def test_a_persons_page_and_export_say_what_they_wait_for(salon: Salon) -> None:
    entry = salon.wl.entry(salon.joins("Ann"))
    assert entry is not None
    staff, url = owner(salon), f"/console/people/{entry.person_id}"

    assert "Cut Waitlist Waiting" in staff.get(url).says
    assert f'href="{BOARD}/entries/{entry.id}"' in staff.get(url).text
    assert staff.get(f"{BOARD}/entries/{entry.id}").status == 200
    (place,) = json.loads(staff.get(f"{url}/export.json").text)["lists"]
    assert place == {
        "desk": "wl",
        "what": "Cut",
        "state": "Waiting",
        "service": "Cut",
        "party": 1,
        "earliest_on": "2026-11-16",
        "latest_on": "2026-12-16",
        "staff": "",
        "priority": False,
        "joined_at": "2026-11-16T01:00:00+00:00",
        "status": "waiting",
        "lane": "staff",
    }
