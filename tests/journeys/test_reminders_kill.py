"""A server that dies between a reminder and the next customer's booking loses and repeats no step.

Each run of the server ends at one named point, right after a commit. The next run continues.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import urllib3

from frontdesk.core.links import purpose_in
from frontdesk.core.people import PersonId
from frontdesk.desks.booking import commands as bk
from frontdesk.desks.booking.model import booking_id
from frontdesk.desks.reminders import commands as ar
from frontdesk.desks.reminders.links import Purpose
from frontdesk.desks.waitlist.commands import JoinList
from frontdesk.desks.waitlist.model import EntryId, Lane, Wish
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.engine.clock import SystemClock
from frontdesk.engine.ports import Committed
from frontdesk.simulate.runtime import Simulation, server_settings
from frontdesk.values import replace
from frontdesk.wiring.application import fresh_id
from tests.support.calendars import Radicale, radicale_server
from tests.support.machine import Machine, machine, until
from tests.support.server import Page, Visitor
from tests.support.server_kills import KillAfterWrites, KillingSink

BOOKING_RULES = """\
hours: {daily: "0:00-24:00"}
quiet hours: none
staff:
  mia: {name: Mia, calendar: mia}
all services: {notice: 0 min, start every: 5 min}
services:
  Cut: {minutes: 30}
"""
REMINDER_RULES = (
    "reminders: [1d]\nquiet hours: none\nleast gap: 0h\nafter booking: 0h\nalert staff: 1h\n"
)
PATIENCE_SECONDS = 120.0
HOUR = timedelta(hours=1)
ANN, BO, WANDA = "ann@example.org", "bo@example.org", "wanda@example.org"

# --- the moments of death -------------------------------------------------------------------

LOOK_IS_SET = "SELECT 1 FROM fd_timer WHERE name LIKE 'ar/look/%'"
LOOK_IS_GONE = (
    "SELECT 1 WHERE (SELECT count(*) FROM fd_timer WHERE name LIKE 'ar/look/%') < 2"
    " AND EXISTS (SELECT 1 FROM fd_timer)"
)
IS_SENDING = "SELECT 1 FROM fd_send WHERE kind = 'first_reminder' AND state = 'sending'"
IS_SENT = "SELECT 1 FROM fd_send WHERE kind = 'first_reminder' AND state = 'sent'"
HAS_ANSWERED = "SELECT 1 FROM ar_reply"
IS_CLAIMED = "SELECT 1 FROM wl_slot WHERE status = 'booked'"
NOT_WRITTEN = "SELECT 1 FROM bk_booking WHERE status = 'claimed'"


def has_followed(follower: str, kind: str) -> str:
    """Returns a query: whether the follower has handled a fact of this kind."""
    return (
        "SELECT 1 FROM fd_fact fact JOIN fd_follower place ON place.seq >= fact.seq"
        f" WHERE place.name = '{follower}' AND fact.kind = '{kind}'"
    )


# --- the business ---------------------------------------------------------------------------


@dataclass
class Shop:
    one: Machine
    calendar: Radicale
    folder: Path
    sheet: Path
    starts_at: datetime

    def open(self, *, reminded: bool) -> None:
        """Ann booked two days ago, Bo is in the sheet, and Wanda waits for a time. If `reminded` is
        false, the server is off when reminders are due."""
        data_dir, now = self.one.data_dir, SystemClock().now()
        (data_dir / "waitlist").mkdir(parents=True)
        (data_dir / "waitlist" / "rules.md").write_text("No quiet hours.\n")
        (data_dir / "calendars.toml").write_text(
            f'[mia]\nkind = "caldav"\nurl = "{self.calendar.url}"\n'
            'user = "mia"\npassword = "secret"\n'
        )
        settings = replace(server_settings(data_dir), reminders_sheet=str(self.sheet))
        wish = Wish("Cut", 1, now.date(), now.date() + timedelta(days=9))
        cut = (PersonId(fresh_id()), "Cut", self.starts_at)
        with Simulation(settings, now - 48 * HOUR, ids=fresh_id) as desk:
            slot_intake_in(desk.product.site).documents.open()
            for command in (
                ar.TakeRules(REMINDER_RULES, "UTC"),
                bk.TakeRules(BOOKING_RULES, "UTC"),
                ar.PlanTick(),
                bk.Book(booking_id(fresh_id()), *cut, "Ann", ANN),
                JoinList(
                    EntryId(fresh_id()), PersonId(fresh_id()), "Wanda", WANDA, wish, Lane.STAFF
                ),
            ):
                outcome = desk.run(command, by="test")
                assert isinstance(outcome, Committed), outcome
                desk.settle()
                for task in desk.product.periodic_tasks:
                    task.turn()
            if reminded:
                desk.advance_until(self.starts_at - 23 * HOUR)

    def live_until(self, query: str) -> None:
        """Runs the server until it ends by itself."""
        self.one.start(dies_when=query)
        self.dies()

    def dies(self) -> None:
        until(self.one.has_ended, PATIENCE_SECONDS)
        self.one.kill()

    def value(self, sql: str) -> Any:
        [(found,)] = self.one.rows(sql)
        return found

    def events(self) -> list[str]:
        return [file.stem for file in self.folder.glob("collections/**/openings/*.ics")]

    def told(self) -> Counter[tuple[str, str]]:
        """Counts the messages by recipient and kind."""
        found = self.one.rows("SELECT to_email, kind FROM fd_message JOIN fd_send USING (send_id)")
        return Counter((to, kind) for to, kind in found)

    def is_sound(self) -> None:
        assert self.one.data("doctor")["problems"] == []
        assert self.one.data("rebuild")["same"] is True
        assert self.one.rows("SELECT 1 FROM fd_dead_letter") == []


@contextmanager
def shop_in(folder: Path, **settings: str) -> Iterator[Shop]:
    starts_at = (SystemClock().now() + 23 * HOUR).replace(minute=0, second=0, microsecond=0)
    sheet = folder / "appointments.csv"
    sheet.write_text(
        f"Name,E-mail,Service,Date,Time\nBo,{BO},Cut,{starts_at:%Y-%m-%d},{starts_at:%H:%M}\n"
    )
    os.utime(sheet, (1_700_000_000, 1_700_000_000))  # a fresh one is left alone
    with (
        radicale_server(folder) as calendar,
        machine(folder, reminders_sheet=str(sheet), **settings) as one,
    ):
        yield Shop(one, calendar, folder, sheet, starts_at)


def link_in(text: str, purpose: Purpose) -> str:
    tokens = re.findall(r"/l/([\w=-]+)", text)
    [link] = {f"/l/{each}" for each in tokens if purpose_in(each) == purpose}
    return link


def press(one: Machine, link: str, do: str) -> Page | None:
    """Presses a button; None if the server dies meanwhile."""
    with urllib3.PoolManager() as http:
        try:
            return Visitor(one.url, http).post(link, do=do)
        except urllib3.exceptions.HTTPError:
            return None


# --- reminders ------------------------------------------------------------------------------


def ids_to(sink: KillingSink, address: str) -> list[str]:
    mails = (each.message for each in sink.received if each.rcpt_to == (address,))
    return [str(each["message-id"]) for each in mails if "appointment" in each["subject"]]


@pytest.mark.spec("AR-05", "AR-06", "AR-08", "AR-12", "FD-02", "FD-03", "FD-04")
def test_a_reminder_survives_deaths_between_the_tick_the_mail_and_the_answer_in_the_sheet(
    tmp_path: Path,
) -> None:
    with KillingSink() as sink:
        smtp = {"channel": "smtp", "smtp_host": sink.host, "smtp_port": str(sink.port)}
        with shop_in(tmp_path, smtp_tls="none", **smtp) as shop:
            sink.one, sink.kill_at = shop.one, [1]
            shop.open(reminded=False)

            shop.live_until(LOOK_IS_SET)
            assert shop.value("SELECT count(*) FROM fd_send WHERE desk = 'ar'") == 0
            shop.live_until(LOOK_IS_GONE)
            shop.live_until(IS_SENDING)
            assert sink.received == []
            shop.one.start(may_end=True)
            shop.dies()
            assert len(sink.received) == 1
            assert shop.one.rows(IS_SENT) == []
            shop.live_until(IS_SENT)

            shop.one.start(dies_when=HAS_ANSWERED)
            until(lambda: len(shop.one.rows(IS_SENT)) == 2, PATIENCE_SECONDS)
            [bo] = {_words(each) for each in sink.received if each.rcpt_to == (BO,)}
            confirm = link_in(bo, Purpose.CONFIRM)
            assert press(shop.one, confirm, "confirm") is None
            shop.dies()
            assert "no answer yet" in shop.sheet.read_text()

            page = press(shop.one.start(), confirm, "confirm")
            assert page is not None
            assert page.status == 200
            until(lambda: ",confirmed" in shop.sheet.read_text(), PATIENCE_SECONDS)
            until(shop.one.is_settled, PATIENCE_SECONDS)

            assert {who: len(set(ids_to(sink, who))) for who in (ANN, BO)} == {ANN: 1, BO: 1}
            assert len(sink.received) == 3, "the mail whose outcome was unknown is repeated"
            reminded = {ANN: "first_reminder", BO: "first_reminder"}
            assert shop.told() == Counter([*reminded.items(), (ANN, "confirmed")])
            assert shop.value("SELECT count(*) FROM ar_reply") == 1
            shop.is_sound()


def _words(mail: Any) -> str:
    body = mail.message.get_body(("plain",))
    return str(re.sub(r"http://[^/]+", "", body.get_content()))


# --- the loop -------------------------------------------------------------------------------


@pytest.mark.spec("AR-11", "BK-12", "BK-16", "FD-02", "FD-03")
def test_a_freed_time_survives_deaths_between_the_cancel_and_the_next_booking(
    tmp_path: Path,
) -> None:
    with shop_in(tmp_path) as shop:
        shop.open(reminded=True)
        [anns] = shop.events()
        cancel = link_in(_mail(shop, "first_reminder", ANN), Purpose.CANCEL)

        shop.one.start(dies_when=HAS_ANSWERED)
        assert press(shop.one, cancel, "cancel") is None
        shop.dies()
        assert shop.value("SELECT status FROM bk_booking") == "confirmed"
        shop.live_until(has_followed("ar.to_booking", "ar.cancelled"))
        assert shop.value("SELECT status FROM bk_booking") == "cancelled"
        assert shop.value("SELECT status FROM bk_handover") == "open"
        assert shop.one.rows("SELECT 1 FROM wl_slot") == []
        shop.live_until(has_followed("wl.from_booking", "bk.time_freed"))
        assert shop.value("SELECT status FROM wl_slot") == "open"

        shop.one.start(dies_when=IS_CLAIMED)
        until(lambda: shop.told()[WANDA, "offer"] == 1, PATIENCE_SECONDS)
        until(lambda: shop.events() == [], PATIENCE_SECONDS)
        take = re.findall(r"/l/[\w=-]{44}", _mail(shop, "offer", WANDA))[0]
        assert press(shop.one, take, "take") is None
        shop.dies()
        assert shop.value("SELECT count(*) FROM bk_booking") == 1
        shop.live_until(has_followed("wl.to_booking", "wl.claimed"))
        assert shop.events() == []
        shop.calendar.done = killer = KillAfterWrites(shop.one, [1])
        shop.one.start(may_end=True)
        shop.dies()
        assert len(shop.events()) == killer.writes == 1

        shop.one.start()
        for link, do in ((cancel, "cancel"), (take, "take")):
            page = press(shop.one, link, do)
            assert page is not None
            assert page.status == 200
        until(lambda: shop.one.is_settled(NOT_WRITTEN), PATIENCE_SECONDS)
        assert [each != anns for each in shop.events()] == [True]
        statuses = shop.one.rows("SELECT name, status FROM bk_booking ORDER BY name")
        assert statuses == [("Ann", "cancelled"), ("Wanda", "confirmed")]
        states = shop.one.rows("SELECT state FROM ar_appointment WHERE source = 'booking'")
        assert sorted(states) == [("cancelled",), ("expected",)]
        assert max(shop.told().values()) == 1
        shop.is_sound()


def _mail(shop: Shop, kind: str, to: str) -> str:
    return str(
        shop.value(
            "SELECT text FROM fd_message JOIN fd_send USING (send_id)"
            f" WHERE kind = '{kind}' AND to_email = '{to}'"
        )
    )
