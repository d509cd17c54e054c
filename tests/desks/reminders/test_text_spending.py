"""The monthly limit on texts: checked before each text; beyond it mails go out, and staff are
told."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest

from frontdesk.core.decision import Refused
from frontdesk.core.sends import Via
from frontdesk.core.text_rules import TextRules, segment_price_micros
from frontdesk.desks.reminders.facts import TextUndelivered
from frontdesk.desks.reminders.notes import text_undelivered
from frontdesk.engine.ledger import CountedText, Ledger, LedgerReason
from tests.support.flaky_channel import FlakyChannel
from tests.support.reminders import DAY, FRIDAY, MONDAY, RemindersDesk, id_of

TUESDAY = FRIDAY - 3 * DAY
NOVEMBER = date(2026, 11, 1)
PRICE = segment_price_micros("SG")
MOBILES = [f"+659123456{n}" for n in range(9)]
Opened = Callable[..., RemindersDesk]


def limited(texts: int) -> TextRules:
    """Returns rules that allow this many texts of one segment."""
    return TextRules((), a_month_micros=texts * PRICE + PRICE // 2)


@pytest.mark.spec("AR-07")
def test_texts_stop_at_the_limit_and_mail_is_used(open_desk: Opened) -> None:
    desk = open_desk(texts=FlakyChannel(), text_rules=limited(2)).given()
    for n, who in enumerate(("ann", "bob", "cat")):
        desk.add(who, mobile=MOBILES[n])
    desk.wait_until(TUESDAY)

    assert [each.via for each in desk.sends()].count(Via.TEXT) == 2
    assert [each.via for each in desk.sends()].count(Via.MAIL) == 1
    assert sorted(who for _, who, _ in desk.told()) == ["ann", "bob", "cat"]
    assert desk.engine.reads().engine.text_spend(NOVEMBER) == 2 * PRICE
    assert desk.spending[:2] == [False, True]


@pytest.mark.spec("AR-07")
def test_staff_do_not_hear_of_each_text_that_becomes_a_mail_at_the_limit(
    open_desk: Opened,
) -> None:
    desk = open_desk(texts=FlakyChannel(), text_rules=limited(0)).given()
    desk.add("ann", mobile=MOBILES[0])
    desk.wait_until(TUESDAY)

    facts = [each.fact for each in desk.reads.facts(id_of("ann"))]
    [undelivered] = [each for each in facts if isinstance(each, TextUndelivered)]
    assert [each.kind for each in text_undelivered(undelivered)] == ["first_reminder"]
    assert [each.via for each in desk.sends()] == [Via.MAIL]


@pytest.mark.spec("AR-07")
def test_without_an_address_staff_hear_of_the_reminder_that_did_not_go_out(
    open_desk: Opened,
) -> None:
    desk = open_desk(texts=FlakyChannel(), text_rules=limited(0)).given()
    desk.add("ann", mobile=MOBILES[0], email="")
    desk.wait_until(TUESDAY)

    assert desk.told() == []
    assert desk.kinds("ann")[-1] == "undelivered"
    assert desk.spending == [True]


@pytest.mark.spec("AR-07")
def test_of_many_texts_at_once_no_more_are_counted_than_the_limit_allows(
    open_desk: Opened,
) -> None:
    desk = open_desk()

    def count(_: int) -> CountedText | Refused:
        ledger = Ledger(desk.engine)
        return ledger.count_text(MONDAY, most=None, cost=PRICE, budget=3 * PRICE)

    with ThreadPoolExecutor(4) as pool:
        counted = list(pool.map(count, range(8)))

    assert sorted(each.spent for each in counted if isinstance(each, CountedText)) == [
        PRICE,
        2 * PRICE,
        3 * PRICE,
    ]
    refused = [each.reason for each in counted if isinstance(each, Refused)]
    assert refused == [LedgerReason.TOO_DEAR] * 5
    assert desk.engine.reads().engine.text_spend(NOVEMBER) == 3 * PRICE


@pytest.mark.spec("AR-07")
def test_a_month_begins_anew(open_desk: Opened) -> None:
    desk = open_desk()
    ledger = Ledger(desk.engine)
    ledger.count_text(MONDAY, most=None, cost=PRICE, budget=PRICE)

    full = ledger.count_text(MONDAY, most=None, cost=PRICE, budget=PRICE)
    anew = ledger.count_text(MONDAY + 30 * DAY, most=None, cost=PRICE, budget=PRICE)

    assert isinstance(full, Refused)
    assert anew == CountedText(1, 0, PRICE)
