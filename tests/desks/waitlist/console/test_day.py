"""The story of a day: all facts about the list and the slots, in order and to the second."""

from __future__ import annotations

import re
from datetime import date, timedelta
from html import unescape

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.localtime import zone
from frontdesk.core.mail import KeepMail, MailId, RawMail
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.commands import (
    ApproveProposal,
    ClaimOffer,
    EditEntry,
    JoinList,
    LeaveList,
    Propose,
    StopOffers,
)
from frontdesk.desks.waitlist.console.board import asked_for
from frontdesk.desks.waitlist.facts import ExpiryRun
from frontdesk.desks.waitlist.model import DocumentName, EntryId, Lane
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.desks.waitlist.story import MOST_LINES, day_story
from frontdesk.features.proposals.model import Proposal, ProposalId
from frontdesk.values import replace
from tests.desks.waitlist.console.counter import BOARD, claims, declines, owner, url_of
from tests.support.salon import HOUR, MINUTE, NINE, OPENING, TODAY, WISH, Salon

DAY = f"{BOARD}/day"
TRIED = "It was offered to 1 person, and nobody else on the list suits it."
SINGAPORE = zone("Asia/Singapore")


def told(salon: Salon, on: date) -> list[tuple[str, str]]:
    """Returns the lines of a day's story since the salon was opened."""
    story = day_story(salon.product.engine.reads(), on, SINGAPORE)
    assert story.goes_on_after == 0
    lines = [(f"{line.at - NINE}", line.text) for line in story.lines]
    return lines[OPENED:] if on == TODAY else lines


#: The number of facts when a salon opens: documents and services.
OPENED = 4


@pytest.mark.spec("WL-22")
def test_a_busy_day_is_told_in_order_over_the_list_and_all_slots(salon: Salon) -> None:
    salon.joins("Ann")
    salon.joins("Tom", wish=replace(WISH, service="Table", party=4))
    cut = salon.frees("test:1")
    salon.later(MINUTE / 30)
    table = salon.frees("opening:2", replace(OPENING, service="Table", capacity=4, staff=""))
    salon.later(MINUTE / 60)
    claims(salon, cut)
    declines(salon, table)

    assert told(salon, TODAY) == [
        ("0:00:00", "Ann was put on the list for Cut."),
        ("0:01:00", "Tom was put on the list for Table."),
        ("0:02:00", "Came free: Cut with Mia, Monday 16 November, 15:00 (SGT)."),
        ("0:02:00", "It is held for Ann, who is first."),
        ("0:02:00", "The offer to Ann goes out, open until 09:12:00."),
        ("0:02:02", "Came free: Table, Monday 16 November, 15:00 (SGT). It is a new opening."),
        ("0:02:02", "It is held for Tom, who is first."),
        ("0:02:02", "The offer to Tom goes out, open until 09:12:02."),
        ("0:02:03", "Ann claimed it: booked."),
        ("0:02:03", "Tom can't make it."),
        ("0:02:03", f"It was handed back. {TRIED}"),
    ]


def a_request_is_approved(salon: Salon) -> None:
    mail = RawMail(MailId("m1"), salon.clock.now(), "cat@example.org", "list@example.org", b"Cut?")
    kept = Accepted((KeepMail(mail),))
    salon.product.engine.store.commit(kept, by="test", at=salon.clock.now())
    read = Proposal(ProposalId("m1"), mail.id, mail.sender, mail.received_at, ())
    new = salon.product.engine.new_id
    ids = EntryId(new()), PersonId(new())
    salon.run(Propose(read))
    salon.run(ApproveProposal(read.id, JoinList(*ids, "Cat", "cat@example.org", WISH, Lane.INBOX)))


@pytest.mark.spec("WL-22")
def test_the_day_also_shows_joins_leaves_stops_and_documents(salon: Salon) -> None:
    ann, bob = salon.joins("Ann", lane=Lane.FORM), salon.joins("Bob", lane=Lane.SHEET)
    salon.run(EditEntry(bob, bob, "Rob", "bob@example.org", "", WISH, NINE))
    salon.run(LeaveList(ann), by="guest:ann")
    salon.later(MINUTE)
    salon.run(StopOffers(salon.wl.people_of([bob])[bob].id), by="guest:bob")
    slot_intake_in(salon.product.site).documents.write(
        DocumentName.RULES, "Tries: 3.", by="member:test"
    )
    slot_intake_in(salon.product.site).documents.write(
        DocumentName.VOICE, "Nothing of the kind.", by="member:test"
    )
    a_request_is_approved(salon)

    assert told(salon, TODAY) == [
        ("0:00:00", "Ann joined the list for Cut, by the form."),
        ("0:01:00", "Rob joined the list for Cut, from the sheet."),
        ("0:02:00", "What the list says about Rob was edited."),
        ("0:02:00", "Ann left the list."),
        ("0:03:00", "Rob wants no more offers."),
        ("0:03:00", "The document with the rules was written."),
        ("0:03:00", "Other rules hold from now on."),
        ("0:03:00", "The document with the messages has 1 line that cannot be understood."),
        ("0:03:00", "A request came in."),
        ("0:03:00", "The request of Cat was approved."),
        ("0:03:00", "Cat joined the list for Cut, by a request that came in."),
    ]


@pytest.mark.spec("WL-22")
def test_a_long_day_is_told_in_parts_and_nothing_is_told_twice(salon: Salon) -> None:
    for name in ("Ann", "Bob", "Cat", "Dan"):
        salon.joins(name)
    reads = salon.product.engine.reads()
    whole = day_story(reads, TODAY, SINGAPORE).lines

    parts, after, ends = [], 0, False
    while not ends:
        part = day_story(reads, TODAY, SINGAPORE, after=after, most=3)
        parts.append(part.lines)
        after, ends = part.goes_on_after, not part.goes_on_after

    assert [len(each) for each in parts] == [3, 3, 2]
    assert sum(parts, ()) == whole


@pytest.mark.spec("WL-22")
def test_the_page_of_a_long_day_leads_on_and_back_to_its_beginning(salon: Salon) -> None:
    many = MOST_LINES * (ExpiryRun(TODAY, expired=1, more=True),)
    salon.product.engine.store.commit(Accepted((), many), by="test", at=NINE)
    first = owner(salon).get(DAY)
    assert f"The first {MOST_LINES} things of a long day." in first.says
    [on] = re.findall(r'href="([^"]+)">What came after', first.text)

    then = owner(salon).get(unescape(on))
    assert f"{OPENED} things of a long day." in then.says
    assert then.says.count("1 entry expired") == OPENED
    assert f'href="{DAY}?on=2026-11-16">' in then.text.partition("Parts of the day")[2]
    assert "What came after" not in then.text


@pytest.mark.spec("WL-22")
def test_a_click_days_after_is_told_on_its_own_day(salon: Salon) -> None:
    salon.joins("Ann")
    slot = salon.frees()
    declines(salon, slot)
    salon.later(timedelta(days=9))
    salon.product.engine.run(ClaimOffer(slot.id, 1), by="guest:x", now=salon.clock.now())

    later = TODAY + timedelta(days=9)
    assert told(salon, later) == [
        ("9 days, 0:01:00", "Ann wanted to claim it, but it had been handed back.")
    ]
    assert told(salon, TODAY + timedelta(days=1)) == []
    assert len(told(salon, TODAY)) == 6


def test_a_night_is_told_only_if_somebody_came_off_the_list_in_it(salon: Salon) -> None:
    salon.joins("Ann", wish=replace(WISH, latest_on=TODAY))
    salon.later(timedelta(days=2))

    assert told(salon, TODAY + timedelta(days=1)) == [
        ("18:00:00", "The last day on which Ann could come is over."),
        ("18:00:00", "The list was tidied: 1 entry expired."),
    ]
    assert told(salon, TODAY + timedelta(days=2)) == []


def test_a_day_is_one_of_the_wall_clock(salon: Salon) -> None:
    salon.later(14 * HOUR + 59 * MINUTE)
    salon.joins("Ann")
    salon.later(MINUTE)
    salon.joins("Bob")

    assert [at for at, _ in told(salon, TODAY)] == ["14:59:00"]
    assert [at for at, _ in told(salon, TODAY + timedelta(days=1))] == ["15:01:00"]


@pytest.mark.spec("WL-22")
def test_the_page_has_the_times_and_leads_to_slots_people_and_other_days(salon: Salon) -> None:
    entry = salon.wl.entry(salon.joins("Ann"))
    assert entry is not None
    slot = salon.frees("phone:1")
    page = owner(salon).get(DAY)

    assert "Monday 16 November 2026, times in SGT. 8 things happened." in page.says
    assert "Ann was put on the list for Cut. 09:00:00 Ann" in page.says
    assert "The offer to Ann goes out, open until 09:11:00. 09:01:00 Cut with Mia" in page.says
    assert f'href="{url_of(slot)}">Cut with Mia, Mon 16 Nov, 15:00</a>' in page.text
    assert f'href="/console/people/{entry.person_id}">Ann</a>' in page.text
    assert f'href="{DAY}?on=2026-11-15"' in page.text
    assert f'href="{DAY}?on=2026-11-17"' not in page.text

    before = owner(salon).get(f"{DAY}?on=2026-11-15")
    assert "Sunday 15 November 2026, times in SGT. Nothing happened." in before.says
    assert f'href="{DAY}?on=2026-11-16"' in before.text


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("after", ["x", "-1", "²", "9" * 100, "9" * 37])
def test_an_invalid_fact_number_shows_the_day_or_nothing(salon: Salon, after: str) -> None:
    page = owner(salon).get(f"{DAY}?after={after}")

    assert (page.status, "thing" in page.says) == (200, True)


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "2026-11-17", "9999-12-31", "²"])
def test_an_invalid_or_future_day_shows_today(text: str) -> None:
    assert asked_for(text, TODAY) == TODAY
