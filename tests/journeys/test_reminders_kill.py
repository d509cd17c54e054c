"""A server killed while it reminds and customers answer sends each reminder once, and keeps every
answer once."""

from __future__ import annotations

import re
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest
import urllib3

from frontdesk.core.links import purpose_in
from frontdesk.core.people import PersonId
from frontdesk.desks.reminders.commands import PlanTick, RecordAppointment, TakeRules
from frontdesk.desks.reminders.links import Purpose
from frontdesk.desks.reminders.model import AppointmentSource
from frontdesk.engine.clock import SystemClock
from frontdesk.engine.ports import Committed
from frontdesk.simulate.runtime import Simulation, server_settings
from frontdesk.wiring.application import fresh_id
from tests.support.machine import Machine, machine, until
from tests.support.server import Page, Visitor

RULES = "reminders: [1d]\nquiet hours: none\nleast gap: 0h\nafter booking: 0h\nalert staff: 1h\n"
PATIENCE_SECONDS = 90.0
CUSTOMERS, CLIENTS = 24, 6
NAMES = [f"Ann{n}" for n in range(CUSTOMERS)]
#: Every third one cannot come.
CANCEL = frozenset(NAMES[::3])
HOUR = timedelta(hours=1)


def opened(data_dir: Path) -> None:
    """All reminders are due by now, while the machine was off."""
    now = SystemClock().now()
    starts_at = (now + 23 * HOUR).replace(minute=0, second=0, microsecond=0)
    with Simulation(server_settings(data_dir), now - 48 * HOUR, ids=fresh_id) as desk:
        desk.run(TakeRules(RULES, "UTC"), by="test")
        desk.run(PlanTick(), by="test")
        for number, name in enumerate(NAMES):
            recorded = RecordAppointment(
                AppointmentSource.SHEET,
                str(number),
                PersonId(fresh_id()),
                name,
                f"{name.lower()}@example.org",
                "",
                "cut",
                starts_at,
                HOUR,
            )
            outcome = desk.run(recorded, by="test")
            assert isinstance(outcome, Committed), outcome
        desk.settle()


@dataclass
class BusyMinute:
    """Customers answer as soon as they are reminded, and press again until they see a page."""

    one: Machine
    pool: ThreadPoolExecutor
    kill_at: list[int]
    """The numbers of answers after which the server is killed."""
    pressed: dict[str, Future[int]] = field(default_factory=dict)
    """The status of the page that each customer saw."""

    def goes_on(self) -> bool:
        """Does one round; returns whether there is more."""
        for who, text in reminders_sent(self.one):
            if who not in self.pressed:
                self.pressed[who] = self.pool.submit(self.press, who, text)
        answered = sum(each.done() for each in self.pressed.values())
        if self.kill_at and answered >= self.kill_at[0]:
            del self.kill_at[0]
            self.one.kill()
            self.one.start()
        is_busy = answered < CUSTOMERS or bool(self.kill_at)
        return is_busy or not self.one.is_settled()

    def press(self, who: str, text: str) -> int:
        purpose = Purpose.CANCEL if who in CANCEL else Purpose.CONFIRM
        tokens = re.findall(r"/l/([\w=-]+)", text)
        [link] = {f"/l/{each}" for each in tokens if purpose_in(each) == purpose}
        do = "cancel" if who in CANCEL else "confirm"
        return self._until_answered(link, do).status

    def _until_answered(self, link: str, do: str) -> Page:
        give_up_at = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < give_up_at:
            with urllib3.PoolManager() as http:
                try:
                    return Visitor(self.one.url, http).post(link, do=do)
                except urllib3.exceptions.HTTPError:
                    time.sleep(0.02)  # it is down: look again
        raise AssertionError("nobody answers")


def reminders_sent(one: Machine) -> list[tuple[str, str]]:
    return one.rows(
        "SELECT p.name, m.text FROM fd_message m JOIN fd_send s USING (send_id)"
        " JOIN fd_person p ON p.person_id = s.person_id WHERE s.kind = 'first_reminder'",
    )


def told(one: Machine, kind: str) -> Counter[str]:
    found = one.rows(
        "SELECT p.name FROM fd_message JOIN fd_send s USING (send_id)"
        f" JOIN fd_person p ON p.person_id = s.person_id WHERE s.kind = '{kind}'",
    )
    return Counter(name for (name,) in found)


@pytest.mark.spec("AR-05", "AR-08", "AR-12", "FD-02", "FD-03")
def test_after_kills_everybody_is_reminded_once_and_every_answer_counts_once(
    tmp_path: Path,
) -> None:
    with machine(tmp_path, desks_off="booking") as one, ThreadPoolExecutor(CLIENTS) as pool:
        opened(one.data_dir)
        minute = BusyMinute(one.start(), pool, kill_at=[1, 7, 15])
        until(lambda: not minute.goes_on(), PATIENCE_SECONDS)

        assert {each.result() for each in minute.pressed.values()} == {200}
        states = dict(
            one.rows("SELECT p.name, state FROM ar_appointment JOIN fd_person p USING (person_id)")
        )
        wanted = {name: "cancelled" if name in CANCEL else "confirmed" for name in NAMES}
        assert states == wanted
        assert told(one, "first_reminder") == Counter(NAMES)
        assert told(one, "cancelled") == Counter(CANCEL)
        replies = one.rows("SELECT appointment_id FROM ar_reply")
        assert len(replies) == len(set(replies)) == CUSTOMERS
        assert one.data("doctor")["problems"] == []
        assert one.data("rebuild")["same"] is True
        assert one.rows("SELECT message_id FROM fd_message GROUP BY 1 HAVING count(*) > 1") == []
