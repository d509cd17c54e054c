"""Journeys of the waitlist on the deployed application."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from frontdesk.core.consents import ConsentSource
from frontdesk.core.decision import Accepted, TimerName
from frontdesk.core.people import PersonId
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.waitlist.commands import JoinList, SetCatalogue
from frontdesk.desks.waitlist.model import EntryId, EntryStatus, Lane, OfferState, SlotStatus
from frontdesk.features.catalogue.model import CATALOGUE
from frontdesk.features.proposals.model import ProposalStatus
from frontdesk.features.sheet_sync.model import sheet_state_setting
from frontdesk.store.dynamodb.table_reader import ContentBucket
from frontdesk.values import replace
from tests.aws.payloads import from_the_bus
from tests.aws.stack import (
    DOMAIN,
    FAR_AWAY,
    PATIENCE_SECONDS,
    WAITLIST_MAIL_BUCKET,
    Stack,
    Visitor,
    bounce,
    desk_on,
    host,
)
from tests.aws.studio import RULES_BUCKET, Studio, a_number
from tests.journeys.test_mail_lane import a_bounce
from tests.support.dynamodb import keys_in
from tests.support.server import Page

#: The number of people who press each link at once: the link of the open offer, and the late one.
HANDS = 5

pytestmark = pytest.mark.needs("ministack")


@pytest.fixture
def studio(stack: Stack, tmp_path: Path) -> Iterator[Studio]:
    """Uses its own service. Checks at the end that no call was denied."""
    studio = Studio(stack, desk_on(stack, tmp_path).product, os.urandom(4).hex())
    yield studio
    stack.settle()
    assert stack.denied() == []


@pytest.mark.spec("WL-04", "WL-07", "WL-08", "WL-12", "WL-14", "WL-19", "WL-21", "WL-22")
def test_a_slot_goes_past_the_wrong_stylist_and_a_silent_phone_to_one_of_many_presses(
    studio: Studio,
) -> None:
    studio.given()
    studio.waits("uma", by_text=True, with_="Kim")
    studio.waits("ann", by_text=True)
    studio.joins("bea", by_text=True)

    soon = timedelta(minutes=25)
    assert [studio.comes_free(starts_in=soon).status for _ in range(2)] == [201, 200]
    assert studio.service in studio.wait_for_messages("ann", 1)[0]
    late = studio.link("ann")
    studio.stack.settle()
    [asked] = studio.offers()
    assert studio.rings_at(1) == f"at({asked.claim_by:%Y-%m-%dT%H:%M:%S})"
    studio.time_is_up(1)
    studio.wait_for_messages("bea", 2)
    live = studio.link("bea")

    pages = all_at_once(studio, (late, live) * HANDS)

    seen = Counter((page.status, page.heading) for page in pages)
    assert seen.pop((200, "It's yours.")) == 2 * HANDS, "one booking, however often they press"
    assert set(seen) <= {(410, "Just filled."), (410, "This offer has expired.")}
    assert all("You're still on the list." in page.says for page in pages if page.status == 410)
    assert studio.becomes(SlotStatus.BOOKED).booked_by == studio.entry("bea").id
    studio.stack.settle()
    kinds = Counter(each.fact.kind for each in studio.wl.facts(studio.slot().id))
    assert (kinds["wl.claimed"], kinds["wl.claim_lost"]) == (1, 2 * HANDS)
    assert [len(studio.texts(who)) for who in ("uma", "ann", "bea")] == [0, 1, 3]
    waiting = EntryStatus.WAITING
    assert studio.statuses("uma", "ann", "bea") == [waiting, waiting, EntryStatus.BOOKED]


def all_at_once(studio: Studio, links: Sequence[str]) -> list[Page]:
    """Opens the page of each link in its own container; then each presses twice at the same
    time."""
    begin = threading.Barrier(len(links))

    def press(link: str) -> list[Page]:
        visitor = Visitor(studio.stack)
        visitor.get(link)
        begin.wait(PATIENCE_SECONDS)
        return [visitor.post(link, do="take") for _ in range(2)]

    with ThreadPoolExecutor(len(links)) as pool:
        return [page for pages in pool.map(press, links) for page in pages]


@pytest.mark.spec("WL-14", "WL-20")
def test_an_offer_by_mail_that_is_declined_rolls_on_to_the_next(studio: Studio) -> None:
    studio.given()
    studio.waits("ann")
    studio.joins("bob")
    studio.comes_free()
    studio.wait_for_messages("ann", 1)

    studio.passes("ann")

    studio.wait_for_messages("bob", 2)
    studio.takes("bob")
    assert studio.becomes(SlotStatus.BOOKED).booked_by == studio.entry("bob").id
    studio.stack.settle()
    assert studio.statuses("ann", "bob") == [EntryStatus.WAITING, EntryStatus.BOOKED]


@pytest.mark.spec("WL-07", "WL-19")
def test_a_customer_cancels_by_their_link_and_the_time_goes_to_the_next(studio: Studio) -> None:
    studio.given()
    studio.waits("ann")
    studio.comes_free()
    studio.wait_for_messages("ann", 1)
    studio.takes("ann")
    booked = studio.becomes(SlotStatus.BOOKED)
    studio.joins("bob")

    assert studio.presses("ann", do="cancel").heading == "You cancelled this appointment."

    assert studio.becomes(SlotStatus.CANCELLED).booked_by == studio.entry("ann").id
    studio.wait_for_messages("bob", 2)
    again = studio.wl.slot_by_origin(f"cancelled:{booked.id}")
    assert again is not None
    assert [one.entry_id for one in studio.wl.offers(again.id)] == [studio.entry("bob").id]
    studio.stack.settle()
    assert studio.statuses("ann", "bob") == [EntryStatus.LEFT, EntryStatus.WAITING]


@pytest.mark.spec("WL-18", "WL-21")
def test_an_offer_lapses_by_its_schedule_and_after_the_allowed_tries_is_handed_back(
    studio: Studio,
) -> None:
    studio.given(tries=1)
    studio.waits("ann")
    studio.waits("bob")
    studio.comes_free()
    studio.wait_for_messages("ann", 1)
    studio.stack.settle()

    studio.time_is_up(1)

    studio.becomes(SlotStatus.HANDED_BACK)
    assert studio.states() == [("ann", OfferState.EXPIRED)]
    assert studio.mails("bob") == []


@pytest.mark.spec("WL-16", "FD-04")
def test_a_person_whose_texts_fail_is_retried_then_passed_over_and_staff_are_told(
    studio: Studio,
) -> None:
    staff = studio.given(send_tries=2).add_staff()
    for who in ("ann", "bob", "cat", "dan"):
        studio.waits(who, by_text=True)
    studio.stack.refuse_texts(studio.phones["ann"], "AuthorizationErrorException")
    studio.stack.opt_out(studio.phones["bob"])
    studio.stack.refuse_texts(studio.phones["cat"], "InternalErrorException")
    start = studio.stack.lines

    studio.comes_free()
    studio.stack.until("refused once", lambda: [each.refusals for each in studio.offers()] == [1])
    assert studio.states() == [("ann", OfferState.PENDING)]
    assert not studio.slot().live
    assert studio.timers("wl/offer") == [], "no window runs while nobody was told"
    studio.tried_again("ann")
    studio.stack.until("nobody knows", lambda: studio.send_state("cat") == "unknown")
    studio.stack.settle()

    gone = OfferState.UNREACHABLE
    assert studio.states() == [("ann", gone), ("bob", gone), ("cat", OfferState.LIVE)]
    assert studio.stack.asked_since(start)["sns:Publish"] == 3, "to Ann twice, to Cat once"
    alerts = {"We could not reach Ann", "We could not reach Bob"}
    assert set(studio.subjects(staff)) >= alerts
    assert studio.statuses("ann", "bob") == [EntryStatus.WAITING] * 2
    studio.time_is_up(3)
    studio.wait_for_messages("dan", 1)
    assert studio.takes("dan").heading == "It's yours."


@pytest.mark.spec("WL-16", "FD-15")
def test_an_offer_that_comes_back_rolls_on_and_its_address_is_marked(studio: Studio) -> None:
    studio.given()
    for who in ("ann", "bob", "cat"):
        studio.waits(who)
    studio.comes_free()
    studio.wait_for_messages("ann", 1)
    studio.stack.settle()

    for _ in range(2):
        report = bounce(studio.email("ann"), studio.send_of_offer("ann"))
        studio.stack.publish("ev-mail-feedback", report)
    studio.wait_for_messages("bob", 1)
    studio.stack.settle()
    back = a_bounce(of=f"<{studio.send_of_offer('bob')}@{DOMAIN}>")
    studio.stack.mail_comes_in(f"{studio.name}-bounce", back)

    studio.wait_for_messages("cat", 1)
    studio.stack.settle()
    gone = OfferState.UNREACHABLE
    assert studio.states() == [("ann", gone), ("bob", gone), ("cat", OfferState.LIVE)]
    assert [bool(studio.person(who).bounced) for who in studio.listed] == [True, True, False]
    late = Visitor(studio.stack).post(studio.link("ann"), do="take")
    assert (late.status, late.heading) == (410, "This offer has expired.")
    studio.comes_free(2)
    studio.wait_for_messages("cat", 2)
    assert [len(studio.mails(who)) for who in studio.listed] == [1, 1, 2]


@pytest.mark.spec("WL-12", "FD-07")
def test_a_broken_engine_leaves_its_facts_in_the_queue_and_a_replay_makes_one_offer(
    studio: Studio,
) -> None:
    studio.given()
    studio.waits("ann")
    studio.stack.settle()
    before, start = studio.stack.failures(), studio.stack.lines

    with studio.stack.broken("offer-engine"):
        studio.comes_free()
        [fact] = studio.stack.until("the fact", lambda: studio.put_since(start))
        for _ in range(2):
            studio.stack.ring("offer-engine", from_the_bus(fact))
        studio.stack.until("failures", lambda: studio.stack.failures() == before + 2)
        assert studio.offers() == []

    assert studio.stack.invoke("fd-sweep", {"ask": "replay"}) == {"replayed": before + 2}
    studio.wait_for_messages("ann", 1)
    studio.stack.settle()
    assert studio.stack.invoke("fd-sweep", {"ask": "replay"}) == {"replayed": 0}
    assert studio.states() == [("ann", OfferState.LIVE)]
    assert len(studio.mails("ann")) == 1


@pytest.mark.spec("WL-03", "FD-29")
def test_a_request_by_mail_is_on_the_list_once_staff_say_so_and_then_offered_a_slot(
    studio: Studio,
) -> None:
    studio.given()
    visitor = host(studio.stack)
    console = f"{studio.stack.addresses['fd-console']}console/waitlist/requests"
    for who in ("ann", "bob"):
        studio.writes(who, f"Hello,\n\nplease put me on the list for {studio.service}.\n")
    ann, bob = studio.proposal("ann"), studio.proposal("bob")

    shown = visitor.get(f"{console}/{ann.id}")
    assert [shown.fields[name] for name in ("name", "email", "earliest", "latest")] == [
        *("Ann Lee", studio.email("ann")),
        *("", ""),
    ]
    filled = {**shown.fields, "service": studio.service, **studio.days}
    forged = visitor.post(f"{console}/{ann.id}", **{**filled, "csrf": "no"})
    assert (forged.status, studio.wl.person_by_email(studio.email("ann"))) == (403, None)
    approved = visitor.post(f"{console}/{ann.id}", **filled)
    asked = visitor.post(f"{console}/{bob.id}/discard", csrf=shown.fields["csrf"])
    discarded = visitor.post(f"{console}/{bob.id}/discard", **asked.fields)

    assert (approved.status, discarded.status) == (200, 200)
    assert [studio.decided(each.id) for each in (ann, bob)] == [
        (ProposalStatus.APPROVED, studio.entry("ann").id),
        (ProposalStatus.DISCARDED, ""),
    ]
    assert studio.wl.person_by_email(studio.email("bob")) is None
    kept = keys_in(ContentBucket(studio.stack.s3, WAITLIST_MAIL_BUCKET))
    mine = {key for key in kept if key.endswith((ann.mail_id, bob.mail_id))}
    assert mine == {f"mail/{ann.mail_id}", f"discarded/{bob.mail_id}"}
    studio.stack.settle()
    heard = len(studio.mails("ann"))
    studio.comes_free()
    studio.wait_for_messages("ann", heard + 1)
    assert studio.takes("ann").heading == "It's yours."
    assert studio.mails("bob") == []


@pytest.mark.spec("WL-06", "FD-15")
def test_stop_ends_the_offers_for_more_services_than_one_commit_takes(studio: Studio) -> None:
    studio.given()
    studio.joins("ann", by_text=True)
    reads, ann = studio.back.engine.reads(), studio.person("ann")
    shop = reads.engine.setting(CATALOGUE)
    more = tuple(replace(shop.services[0], name=f"{studio.service} {n}") for n in range(5))
    studio.run(SetCatalogue(replace(shop, services=(*shop.services, *more))))
    wish = studio.entry("ann").wish
    number, new_id = studio.phones["ann"], studio.back.engine.new_id
    for each in more:
        other = replace(wish, service=each.name)
        ids = EntryId(new_id()), PersonId(new_id())
        studio.run(JoinList(*ids, "Ann", "", other, Lane.STAFF, mobile=number))

    studio.texts_back("ann", "STOP")

    studio.stack.until(
        "off the list",
        lambda: {each.status for each in studio.wl.entries_of(ann.id)} == {EntryStatus.STOPPED},
    )

    visitor, entry_id = host(studio.stack), studio.wl.entries_of(ann.id)[0].id
    page = f"{studio.stack.addresses['fd-console']}console/waitlist/entries/{entry_id}"
    visitor.post(f"{page}/resume", csrf=visitor.get(page).fields["csrf"])
    studio.stack.until(
        "offers again",
        lambda: {each.status for each in studio.wl.entries_of(ann.id)} == {EntryStatus.LEFT},
    )


@pytest.mark.spec("WL-06", "FD-15", "AR-24")
def test_stop_takes_people_off_the_list_and_start_lets_texts_through_again_and_no_more(
    studio: Studio,
) -> None:
    studio.given()
    studio.joins("ann", by_text=True)

    studio.texts_back("ann", "STOP")
    studio.stack.until("off the list", lambda: studio.entry("ann").status is EntryStatus.STOPPED)
    studio.waits("bob", number=studio.phones["ann"])
    studio.comes_free()
    studio.stack.until("by mail", lambda: len(studio.mails("bob")) == 1)
    assert len(studio.texts("ann")) == 1

    studio.texts_back("ann", "START")
    studio.stack.until("texts again", lambda: not studio.stopped("ann"))
    studio.comes_free(2)
    studio.wait_for_messages("bob", 2)

    studio.stack.settle()
    assert studio.entry("ann").status is EntryStatus.STOPPED
    assert [each.entry_id for each in studio.offers(2)] == [studio.entry("bob").id]
    assert (len(studio.texts("ann")), len(studio.mails("bob"))) == (2, 1)
    record = studio.back.engine.reads().engine.consent(studio.person("ann").id)
    assert [(each.source, each.given) for each in record.statements] == [
        (ConsentSource.WAITLIST_FORM, True),
        (ConsentSource.REPLY, False),
        (ConsentSource.REPLY, True),
    ]


@pytest.mark.spec("WL-06", "FD-02")
def test_the_sweep_sends_the_joining_mail_that_the_stream_lost_with_a_working_link(
    studio: Studio,
) -> None:
    studio.given()

    with studio.stack.deaf("fd-relay"):
        studio.joined_long_ago("ann")
        studio.stack.invoke("fd-sweep", {})
        studio.wait_for_messages("ann", 1)

    assert Visitor(studio.stack).get(studio.link("ann")).status == 200


@pytest.mark.spec("FD-18")
def test_nightly_expiry_and_the_monthly_summary_run(studio: Studio) -> None:
    studio.given()
    studio.stack.invoke("fd-sweep", {})

    rung = [studio.ring(each) for each in ("wl-housekeeping", "wl-monthly-summary")]

    studio.stack.settle()
    due = dict(studio.back.store.due_timers(FAR_AWAY, 1_000))
    assert all(due[TimerName(timer)] > datetime.now(UTC) for timer in rung)
    one_offs = [each.rpartition("-")[0] for each in studio.stack.schedule_names()]
    assert {"housekeeping", "summary"}.isdisjoint(one_offs)


@pytest.mark.spec("WL-01", "WL-06")
def test_leaving_removes_the_entry_and_keeps_a_version_of_the_list(studio: Studio) -> None:
    studio.given()
    it_is_time_for_a_version(studio)
    studio.joins("ann")
    studio.stack.until("a version", lambda: studio.email("ann") in str(studio.wl.sheet.last()))
    studio.stack.settle()
    it_is_time_for_a_version(studio)

    studio.presses("ann", do="leave")

    assert studio.entry("ann").status is EntryStatus.LEFT
    studio.stack.until("another", lambda: studio.email("ann") not in str(studio.wl.sheet.last()))


def it_is_time_for_a_version(studio: Studio) -> None:
    """Moves the last version back by more than an hour."""
    now, state = datetime.now(UTC), studio.wl.sheet.state()
    old = WriteSetting(
        sheet_state_setting("wl"), state, replace(state, checked_at=now - timedelta(hours=2))
    )
    studio.back.engine.store.commit(Accepted((old,)), by="test", at=now)


@pytest.mark.spec("FD-11", "WL-06", "WL-14")
def test_a_number_beside_an_address_gets_texts_once_it_is_confirmed_until_it_is_removed(
    studio: Studio,
) -> None:
    studio.given()
    joined_with_both(studio, "ann")
    page, visitor = studio.link_in_mail("ann"), Visitor(studio.stack)

    studio.comes_free()
    studio.stack.until("the offer by mail", lambda: len(studio.mails("ann")) == 2)
    confirmed = visitor.post(page, do="confirm-number")
    studio.comes_free(2)
    studio.stack.until("the offer by text", lambda: len(studio.texts("ann")) == 1)
    assert "Offers go by text" in confirmed.says
    assert not studio.entry("ann").mail_only

    removed = visitor.post(page, do="remove-number")
    assert removed.heading == "This number is removed."
    assert studio.person("ann").mobile == ""
    assert visitor.get(page).status == 410


@pytest.mark.spec("FD-11", "WL-06")
def test_stop_from_a_number_that_was_not_confirmed_leaves_the_offers_by_mail(
    studio: Studio,
) -> None:
    studio.given()
    joined_with_both(studio, "ann")

    studio.texts_back("ann", "STOP")
    studio.stack.until("stopped", lambda: studio.stopped("ann"))
    studio.comes_free()

    studio.stack.until("the offer by mail", lambda: len(studio.mails("ann")) == 2)
    assert studio.entry("ann").status is EntryStatus.WAITING
    assert studio.texts("ann") == []


def joined_with_both(studio: Studio, who: str) -> None:
    studio.phones[who] = a_number()
    studio.joins(who, answered_by_mail=True)
    assert studio.entry(who).mail_only
    assert studio.texts(who) == []


@pytest.mark.spec("WL-23")
def test_a_document_written_in_the_console_is_in_the_bucket(studio: Studio) -> None:
    studio.given()
    visitor = host(studio.stack)
    rules = f"{studio.stack.addresses['fd-console']}console/waitlist/rules"
    text = "No quiet hours.\nClaim window: 12 minutes.\n"

    shown = visitor.get(rules)
    page = visitor.post(rules, **{**shown.fields, "text": text, "do": "save"})

    assert page.status == 200, page.body
    kept = studio.stack.s3.get_object(Bucket=RULES_BUCKET, Key="rules.md")["Body"].read()
    assert kept.decode().split() == text.split()


@pytest.mark.spec("FD-18")
def test_staff_see_the_waitlist_in_the_console(studio: Studio) -> None:
    studio.given()
    studio.joins("ann")
    studio.comes_free()
    studio.wait_for_messages("ann", 2)
    visitor = host(studio.stack)
    console = f"{studio.stack.addresses['fd-console']}console/waitlist"

    pages = ("", "/list", "/requests", "/rules", "/voice", "/services", "/figures", "/day")
    found = {path: visitor.get(console + path).status for path in (*pages, "/versions", "/free")}

    assert set(found.values()) == {200}, found
    slot = visitor.get(f"{console}/slots/{studio.slot().id}")
    assert "Ann" in slot.says
