"""Links that are no longer valid or were never ours, and too many requests."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frontdesk.core.decision import Accepted
from frontdesk.core.ids import id_bytes
from frontdesk.core.links import SHORT_CHARACTERS, Link, sign
from frontdesk.core.people import CorrectPerson, ErasePerson
from frontdesk.desks.waitlist.links import Purpose
from frontdesk.desks.waitlist.model import EntryStatus
from frontdesk.web.limits import Limits
from tests.desks.waitlist.pages.salon import Salon

EXAMPLES = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
PRESSES = ("take", "pass", "leave", "change", "stop")


def all_links(salon: Salon, who: str) -> list[str]:
    return [
        salon.offer_link(who),
        salon.decline_link(who),
        salon.place_link(who),
        salon.stop_link(who),
    ]


@pytest.mark.spec("FD-10")
@pytest.mark.parametrize("new", ["address", "number"])
def test_a_new_address_or_number_kills_the_old_links(salon: Salon, new: str) -> None:
    salon.given("ann").free()
    links, person = all_links(salon, "ann"), salon.person("ann")
    email = "new@example.org" if new == "address" else person.email
    mobile = "+6591234567" if new == "number" else ""
    correct = CorrectPerson(
        person.id, 0, "Ann", email, email, new_address=new == "address", mobile=mobile
    )
    salon.served.desk.product.store.commit(Accepted((correct,)), by="cli", at=salon.now)
    before = salon.served.dump()

    for link in links:
        opened = [salon.visitor.get(link), *(salon.visitor.post(link, do=do) for do in PRESSES)]
        for page in opened:
            assert (page.status, page.heading) == (410, "This link is no longer in use.")
    assert salon.served.dump() == before
    assert salon.visitor.get(salon.offer_link("ann")).heading == "A time has come free."


@pytest.mark.spec("FD-20")
def test_the_links_of_an_erased_person_reveal_nothing(salon: Salon) -> None:
    salon.given("ann").free()
    links = all_links(salon, "ann")
    gone = ErasePerson(salon.person("ann").id)
    salon.served.desk.product.store.commit(Accepted((gone,)), by="cli", at=salon.now)

    for link in links:
        page = salon.visitor.get(link)
        assert (page.status, page.heading) == (410, "This link is no longer in use.")
        assert "Cut and colour" not in page.body


@pytest.mark.spec("FD-08")
def test_a_link_whose_time_is_over_says_what_it_was_for(salon: Salon) -> None:
    salon.given("ann").free()
    offer, place = salon.offer_link("ann"), salon.place_link("ann")
    salon.jump(days=400)
    before = salon.served.dump()

    for link, what in ((offer, "Cut and colour, Monday 16 November"), (place, "your place")):
        for page in (salon.visitor.get(link), salon.visitor.post(link, do="take")):
            assert (page.status, page.heading) == (410, "This link has expired.")
            assert f"It was for {what}" in page.says
    assert salon.served.dump() == before


def test_the_outcome_of_an_offer_is_shown_for_a_month(salon: Salon) -> None:
    salon.given("ann").free()
    link = salon.offer_link("ann")
    salon.wait(days=29)

    assert salon.visitor.get(link).heading == "This offer has expired."


@pytest.mark.spec("FD-08")
def test_a_link_works_for_its_purpose_only(salon: Salon) -> None:
    salon.given("ann", "bob").free()

    for link, own in zip(
        all_links(salon, "ann"), ("take pass", "take pass", "leave", "stop"), strict=True
    ):
        for do in set(PRESSES) - set(own.split()):
            salon.visitor.post(link, do=do)
        assert salon.settle().tried() == [("ann", "live")]
        assert salon.status("ann") is EntryStatus.WAITING


@pytest.mark.spec("FD-08")
def test_a_link_to_a_missing_row_is_no_longer_in_use(salon: Salon) -> None:
    salon.given("ann").free()
    expires_at = salon.now + timedelta(days=1)
    keys = salon.served.desk.product.keys
    links = [
        Link(purpose, subject, thing, expires_at)
        for purpose in Purpose
        for subject in (b"x" * 16, id_bytes(salon.entries["ann"]), id_bytes(salon.slots[0]))
        for thing in (7, 2**32 - 1)
    ]
    before = salon.served.dump()

    for link in links:
        path = f"/l/{sign(link, keys)}"
        for page in (salon.visitor.get(path), salon.visitor.post(path, do="take")):
            assert (page.status, page.heading) == (410, "This link is no longer in use.")
    assert salon.served.dump() == before


@pytest.mark.spec("FD-08", "FD-27")
@given(place=st.integers(0, SHORT_CHARACTERS - 1), to=st.sampled_from("AQgw-_09zZ="))
@EXAMPLES
def test_no_character_of_a_good_link_can_be_changed(salon: Salon, place: int, to: str) -> None:
    if not salon.slots:
        salon.given("ann").free()
        salon.served.desk.product.site.limits = Limits(enabled=False)
    token = salon.offer_link("ann").rpartition("/")[2]
    changed = token[:place] + to + token[place + 1 :]

    page = salon.visitor.post(f"/l/{changed}", do="nothing")

    assert page.status == (200 if changed == token else 404)
    assert salon.tried() == [("ann", "live")]


typed = st.text(max_size=60)
forms = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(
        ("do", "leave", "earliest", "latest", "party", "staff", "List-Unsubscribe"), typed
    ),
)


@pytest.mark.spec("FD-27", "FD-29")
@given(form=forms, which=st.integers(0, 3))
@EXAMPLES
def test_any_request_to_a_link_gets_a_clear_answer(
    salon: Salon, form: dict[str, str], which: int
) -> None:
    if not salon.slots:
        salon.given("ann", "bob", "cat").free()
        salon.served.desk.product.site.limits = Limits(enabled=False)
    link = all_links(salon, "ann")[which]

    page = salon.visitor.post(link, **{**form, "staff": form.get("staff", "") + "<i>\"'"})
    changed = salon.visitor.post(link, **{**form, "do": "change", "earliest": "<i>\"'"})

    for answer in (page, changed):
        assert answer.status in (200, 410, 422)
        assert "<i>" not in answer.body
