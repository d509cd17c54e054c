"""Staff correct the contact of somebody with an open offer, which is sent to the new one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from frontdesk.core.members import Role
from frontdesk.core.people import Person
from frontdesk.desks.admin.commands import CorrectContact
from frontdesk.desks.waitlist.commands import EditEntry
from frontdesk.desks.waitlist.model import Entry, EntryId, OfferState, Slot
from tests.support.salon import HOUR, MINUTE, NINE, Salon
from tests.support.salon import salon as open_salon


@pytest.fixture
def salon(tmp_path: Path) -> Iterator[Salon]:
    with open_salon(tmp_path) as opened:
        yield opened


def corrected_at_the_people_page(salon: Salon, entry: Entry, person: Person) -> None:
    salon.run(CorrectContact(person.id, person.name, "anna@example.org", Role.OWNER))


def corrected_on_the_list(salon: Salon, entry: Entry, person: Person) -> None:
    new_id = EntryId(salon.product.engine.new_id())
    salon.run(
        EditEntry(
            entry.id,
            new_id,
            person.name,
            "anna@example.org",
            "",
            entry.wish,
            joined_at=entry.joined_at,
        )
    )


def rows_of(salon: Salon, entry_id: EntryId) -> tuple[Entry, Person]:
    entry = salon.wl.entry(entry_id)
    assert entry is not None
    person = salon.wl.person(entry.person_id)
    assert person is not None
    return entry, person


def one_offer(salon: Salon) -> tuple[EntryId, Slot]:
    ann = salon.joins("Ann")
    return ann, salon.frees()


@pytest.mark.spec("FD-10", "FD-15")
@pytest.mark.parametrize("correct", [corrected_at_the_people_page, corrected_on_the_list])
def test_an_open_offer_goes_to_the_new_contact_with_the_time_that_is_left(
    salon: Salon, correct: object
) -> None:
    assert callable(correct)
    ann, slot = one_offer(salon)
    before = salon.current(slot)

    correct(salon, *rows_of(salon, ann))
    salon.settle()

    assert salon.current(slot) == before
    assert len(salon.messages("anna@example.org")) == 1
    page = salon.visitor.get(salon.last_link("anna@example.org"))
    assert page.status == 200
    assert page.buttons


@pytest.mark.spec("FD-10", "WL-11")
def test_with_too_little_time_left_the_new_contact_gets_a_fresh_window(salon: Salon) -> None:
    ann, slot = one_offer(salon)
    window = slot.rules.claim_window
    salon.later(window - timedelta(minutes=1))

    corrected_at_the_people_page(salon, *rows_of(salon, ann))
    salon.settle()

    offer = salon.current(slot)
    assert offer.state is OfferState.LIVE
    assert offer.claim_by == salon.clock.now() + window
    assert len(salon.messages("anna@example.org")) == 1
    assert NINE + MINUTE + window < offer.claim_by < NINE + 6 * HOUR
