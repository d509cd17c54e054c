"""Messages to people and staff, by SMS and mail."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from frontdesk.core.contact_card import ContactCard
from frontdesk.core.decision import Accepted
from frontdesk.core.people import PersonId, StopNumber
from frontdesk.core.sms import size
from frontdesk.desks.admin.commands import Erase, SetBusiness
from frontdesk.desks.admin.model import Business
from frontdesk.desks.waitlist.commands import (
    CancelBooking,
    ClaimOffer,
    FreeSlot,
    JoinList,
    LeaveList,
    MarkNoShow,
    TakeBackSlot,
)
from frontdesk.desks.waitlist.facts import OfferUnreachable
from frontdesk.desks.waitlist.model import DocumentName, EntryId, Lane, Opening, Slot, SlotId
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.values import replace
from tests.support.salon import HOUR, MINUTE, NINE, OPENING, WISH, Salon, salon

ANN, BOB = "+6591234567", "+6591234568"


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Salon]:
    with salon(tmp_path) as one:
        yield one


def without_links(text: str) -> str:
    return " ".join("LINK" if "/l/" in word else word for word in text.split())


@pytest.mark.spec("WL-14")
def test_a_person_with_a_mobile_gets_an_sms_with_one_link_in_one_segment(shop: Salon) -> None:
    shop.joins("Ann", email="ann@example.org", mobile=ANN)
    shop.frees()

    [told] = shop.messages(ANN)
    assert without_links(told["text"]) == (
        "Salon Mia: Cut with Mia is free Monday 16 November, 15:00 (SGT). Yes by 09:11: LINK"
    )
    assert size(told["text"]).segments == 1
    assert told["subject"] == without_links(told["text"]).removesuffix(": LINK")
    assert shop.messages("ann@example.org") == []


@pytest.mark.spec("WL-14")
def test_a_person_without_a_mobile_gets_a_mail_with_both_answers(shop: Salon) -> None:
    shop.joins("Ann")
    shop.frees()

    [told] = shop.messages("ann@example.org")
    assert told["subject"] == "Cut on Monday 16 November, 15:00 (SGT): yours until 09:11"
    assert "Cut with Mia on Monday 16 November, 15:00 (SGT)." in told["text"]
    assert "within 10 minutes, by 09:11." in told["text"]
    assert told["text"].count("/l/") == 3  # yes, no, no more offers
    assert told["unsubscribe_url"].startswith("http://127.0.0.1")


@pytest.mark.spec("WL-14")
def test_a_rolled_on_offer_reads_the_same_as_a_first_one(shop: Salon) -> None:
    shop.joins("Ann", mobile=ANN, email="")
    shop.joins("Bob", mobile="+6591234568", email="")
    shop.frees()
    shop.later(10 * MINUTE)

    [first], [second] = shop.messages(ANN), shop.messages("+6591234568")
    assert without_links(first["text"]).replace("09:12", "09:22") == without_links(second["text"])


@pytest.mark.spec("WL-06")
def test_a_number_that_wants_no_texts_is_told_by_mail_or_passed_over(shop: Salon) -> None:
    shop.joins("Ann", mobile=ANN, email="")
    shop.joins("Bob", mobile=ANN)
    shop.joins("Cat")
    shop.product.store.commit(Accepted((StopNumber(ANN),)), by="test", at=shop.clock.now())

    slot = shop.frees()
    assert shop.offers(slot) == [("Ann", "unreachable"), ("Bob", "live")]
    assert shop.messages(ANN) == []
    assert len(shop.messages("bob@example.org")) == 1


@pytest.mark.spec("WL-16")
def test_without_sms_a_person_with_only_a_number_is_passed_over_and_staff_are_told_why(
    tmp_path: Path,
) -> None:
    with salon(tmp_path, texts_by="none") as shop:
        shop.with_staff("mia@example.org").joins("Ann", mobile=ANN, email="")
        shop.joins("Bob", mobile=ANN)

        slot = shop.frees()
        *_, unreachable = shop.wl.facts_about(shop.wl.offers(slot.id)[0].entry_id)
        assert shop.offers(slot) == [("Ann", "unreachable"), ("Bob", "live")]
        assert isinstance(unreachable.fact, OfferUnreachable)
        assert unreachable.fact.why == "texts are not set up"
        [told] = shop.messages("mia@example.org")
        assert told["subject"] == "We could not reach Ann"
        assert "and went to the next. Why: texts are not set up." in told["text"]
        assert len(shop.messages("bob@example.org")) == 1


@pytest.mark.spec("WL-19")
def test_a_claim_is_confirmed_with_a_calendar_file(shop: Salon) -> None:
    shop.joins("Ann")
    slot = shop.frees()
    shop.run(ClaimOffer(slot.id, 1))
    shop.settle()

    [_, booked] = shop.messages("ann@example.org")
    file = booked["calendar"].decode()
    assert booked["subject"] == "Booked: Cut on Monday 16 November, 15:00 (SGT)"
    assert booked["calendar_method"] == "REQUEST"
    assert f"UID:{slot.id}@frontdesk" in file
    assert "SUMMARY:Cut with Mia" in file
    assert "/l/" not in file


@pytest.mark.spec("WL-19")
@pytest.mark.parametrize(
    ("phone", "tell_us"), [("+65 6123 4567", "Please call +65 6123 4567."), ("", "Please tell us.")]
)
def test_a_text_about_a_booking_that_staff_ended_has_the_number_to_call(
    shop: Salon, phone: str, tell_us: str
) -> None:
    card = ContactCard(phone=phone, address="12 Kiln Lane")
    shop.run(SetBusiness(Business(name="Salon Mia", zone="Asia/Singapore", contact=card)))
    for who, mobile in (("Ann", ANN), ("Bob", BOB)):
        shop.joins(who, email="", mobile=mobile)
    ann = taken(shop, OPENING, "test:1")
    bob = taken(shop, replace(OPENING, staff="Leo"), "test:2")

    shop.run(CancelBooking(ann.id, EntryId(ann.booked_by), SlotId("s8"), by_staff=True))
    shop.later(OPENING.starts_at - shop.clock.now())
    shop.run(MarkNoShow(bob.id, SlotId("s9")))
    shop.settle()

    when = "Monday 16 November, 15:00 (SGT)"
    assert [shop.messages(each)[-1]["text"] for each in (ANN, BOB)] == [
        f"Salon Mia: we cancelled Cut on {when} for you. Wrong? {tell_us}",
        f"Salon Mia: we missed you at Cut on {when}. Is this wrong? {tell_us}",
    ]


def taken(shop: Salon, opening: Opening, origin: str) -> Slot:
    """Frees a slot and claims it as the person with the offer."""
    slot = shop.frees(origin, opening)
    shop.run(ClaimOffer(slot.id, shop.current(slot).seq))
    shop.settle()
    found = shop.wl.slot(slot.id)
    assert found is not None
    return found


def test_joining_by_the_form_is_confirmed_and_an_entry_by_staff_is_not(shop: Salon) -> None:
    shop.joins("Ann", lane=Lane.FORM)
    shop.joins("Bob", lane=Lane.STAFF)

    [told] = shop.settle().messages("ann@example.org")
    assert told["subject"] == "You are on the list for Cut"
    assert shop.messages("bob@example.org") == []


def test_leaving_is_confirmed_once_and_a_removal_by_staff_is_not(shop: Salon) -> None:
    ann, bob = shop.joins("Ann"), shop.joins("Bob")
    shop.run(LeaveList(ann))
    shop.run(LeaveList(bob, quietly=True))

    [told] = shop.settle().messages("ann@example.org")
    assert told["subject"] == "You are off the list for Cut"
    assert shop.messages("bob@example.org") == []


def test_the_person_is_told_when_staff_take_back_their_offer(shop: Salon) -> None:
    shop.joins("Ann", mobile=ANN)
    slot = shop.frees()
    shop.run(TakeBackSlot(slot.id))
    shop.settle()

    assert shop.messages(ANN)[-1]["text"] == (
        "Salon Mia: sorry, Cut on Monday 16 November, 15:00 (SGT) is no longer free."
        " You are still on the list."
    )


@pytest.mark.spec("WL-18")
def test_staff_read_why_a_slot_came_back(shop: Salon) -> None:
    shop.with_staff("mia@example.org")
    shop.joins("Ann")
    shop.frees()
    shop.later(11 * MINUTE)

    told = shop.messages("mia@example.org")[-1]
    assert told["subject"] == "Handed back to you: Cut on Monday 16 November, 15:00 (SGT)"
    assert "It was offered to 1 person, and nobody else on the list suits it." in told["text"]
    assert "/console/waitlist/slots/" in told["text"]


def test_staff_read_that_nobody_fits(shop: Salon) -> None:
    shop.with_staff("mia@example.org")
    shop.frees()

    [told] = shop.messages("mia@example.org")
    assert told["subject"] == "Nobody on the list fits Cut on Monday 16 November, 15:00 (SGT)"


@pytest.mark.spec("WL-25")
def test_on_the_first_monday_of_a_month_staff_read_how_the_last_one_was(shop: Salon) -> None:
    shop.with_staff("mia@example.org")
    shop.joins("Ann")
    slot = shop.frees()
    shop.later(4 * MINUTE)
    shop.run(ClaimOffer(slot.id, 1))
    nobody = replace(OPENING, service="Cut and colour", starts_at=NINE + 8 * HOUR)
    shop.frees("test:2", nobody)

    shop.later(datetime(2026, 12, 7, 0, 59, tzinfo=UTC) - shop.clock.now())
    before = len(shop.messages("mia@example.org"))
    shop.later(2 * MINUTE)

    told = shop.messages("mia@example.org")[before:]
    assert [one["subject"] for one in told] == ["November 2026 on the waitlist"]
    assert "In November 2026 the list filled 1 of 2 slots that came free." in told[0]["text"]
    assert "Recovered: S$45.00" in told[0]["text"]
    assert "Time to fill, on average: 4 minutes" in told[0]["text"]


@pytest.mark.spec("WL-23")
def test_the_business_says_it_in_its_own_words(shop: Salon) -> None:
    own = (
        "## Text: offer\nHey {{ name }}! {{ service }} {{ with_staff }} {{ when }} till"
        " {{ claim_by }}. Take it:\n{{ offer_link }}\n"
    )
    slot_intake_in(shop.product.site).documents.write(DocumentName.VOICE, own, by="member:test")
    shop.joins("Ann", mobile=ANN)
    shop.frees()

    assert shop.messages(ANN)[0]["text"].startswith(
        "Hey Ann! Cut with Mia Monday 16 November, 15:00 (SGT) till 09:11. Take it: http"
    )


@pytest.mark.spec("WL-23")
def test_words_that_cannot_be_used_leave_the_last_good_ones_and_staff_hear_of_it(
    shop: Salon,
) -> None:
    shop.with_staff("mia@example.org")
    slot_intake_in(shop.product.site).documents.write(
        DocumentName.VOICE, "## Text: offer\nCome!\n", by="member:test"
    )
    shop.joins("Ann", mobile=ANN)
    shop.frees()

    assert shop.messages(ANN)[0]["text"].startswith("Salon Mia: Cut")
    [told] = shop.messages("mia@example.org")
    assert told["subject"] == "Your messages need a look"


@pytest.mark.spec("FD-20")
def test_erasing_a_person_ends_their_entry_and_their_offer_rolls_on(shop: Salon) -> None:
    ann = shop.joins("Ann")
    shop.joins("Bob")
    slot = shop.frees()
    entry = shop.wl.entry(ann)
    assert entry is not None
    shop.run(Erase(PersonId(entry.person_id)))
    shop.settle()

    assert shop.offers(slot) == [("", "withdrawn"), ("Bob", "live")]
    assert shop.messages("ann@example.org") == []


@pytest.mark.spec("WL-23")
def test_rules_are_read_fresh_for_every_slot_from_the_file_that_staff_edit(shop: Salon) -> None:
    folder = shop.product.settings.data_dir / "waitlist"
    shop.joins("Ann")
    first = shop.frees()
    (folder / "rules.md").write_text("People have 30 minutes to claim.\n")
    second = shop.frees("test:2", replace(OPENING, starts_at=NINE + 8 * HOUR))
    (folder / "rules.md").write_text("Do as you like.\n")
    third = shop.frees("test:3", Opening("Cut", NINE + 9 * HOUR, HOUR, 1))

    windows = [slot.rules.claim_window for slot in (first, second, third)]
    assert windows == [10 * MINUTE, 30 * MINUTE, 30 * MINUTE]
    assert shop.wl.document(DocumentName.RULES).text == "Do as you like.\n"


def test_the_desk_goes_by_the_clock_of_the_place_once_the_business_has_moved(shop: Salon) -> None:
    shop.run(SetBusiness(Business(name="Salon Mia", zone="Europe/Berlin")))
    shop.settle()

    assert shop.wl.rules().zone == "Europe/Berlin"
    assert shop.wl.rules().claim_window == timedelta(minutes=10)


@pytest.mark.spec("WL-05")
def test_joining_again_by_the_form_leaves_the_priority_that_staff_gave(shop: Salon) -> None:
    first = shop.joins("Ann", wish=replace(WISH, priority=True))
    shop.joins("Ann", lane=Lane.FORM, wish=replace(WISH, staff="Jo"))

    [entry] = shop.wl.entries()
    assert (entry.id, entry.priority, entry.staff) == (first, True, WISH.staff)


@pytest.mark.spec("WL-04")
def test_staff_decide_about_a_party_larger_than_the_service_takes(shop: Salon) -> None:
    new = shop.product.engine.new_id
    ids = EntryId(new()), PersonId(new())
    nine = JoinList(
        *ids, "Ann", "ann@example.org", replace(WISH, service="Table", party=9), Lane.FORM
    )

    assert shop.refused(nine) == "bad_party"
    shop.run(replace(nine, lane=Lane.STAFF))


def test_a_slot_whose_origin_no_store_could_keep_is_refused(shop: Salon) -> None:
    for origin in ("", "x" * 251):
        assert shop.refused(FreeSlot(SlotId(shop.product.engine.new_id()), origin, OPENING)) == (
            "bad_slot"
        )
