"""A server that is killed in a busy minute loses no slot, books none twice, and sends each message
once."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import urllib3

from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.commands import JoinList, SetCatalogue
from frontdesk.desks.waitlist.model import EntryId, Lane, Opening, Wish
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.engine.clock import SystemClock
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.simulate.runtime import Simulation, server_settings
from frontdesk.wiring.application import fresh_id
from tests.support.machine import Machine, machine, until
from tests.support.server import Page, Visitor
from tests.support.waitlist import webhook_signature

SECRET = "a secret that is long enough"
PATIENCE_SECONDS = 120.0
CLIENTS = 8
HOUR = timedelta(hours=1)
#: Each service has this many slots and twice as many people; the fourth and the eighth decline.
SERVICES, SLOTS, PEOPLE, PASS = ("Cut", "Colour", "Wash"), 4, 8, (3, 7)
YES = [f"{service} {n}" for service in SERVICES for n in (0, 1, 2, 4)]
SILENT = "Silent"
OFFERED = "SELECT 1 FROM wl_slot WHERE offer_seq > 0"


def opened(data_dir: Path) -> None:
    """Creates a list, and a slot whose offer lapses in a moment: its person has had ten minutes."""
    now = SystemClock().now() - timedelta(minutes=10)
    (data_dir / "waitlist").mkdir(parents=True)
    (data_dir / "waitlist" / "rules.md").write_text("No quiet hours.\nTries: 50.\n")
    with Simulation(server_settings(data_dir), now, ids=fresh_id) as shop:
        services = tuple(Service(name) for name in (*SERVICES, "Shave"))
        slot_intake_in(shop.product.site).documents.open()
        shop.run(SetCatalogue(Catalogue(services)), by="test")
        waiting = [(f"{service} {n}", service) for service in SERVICES for n in range(PEOPLE)]
        for number, (name, service) in enumerate([*waiting, (SILENT, "Shave"), ("Awake", "Shave")]):
            shop.run(joins(name, service, number, now), by="test")
        shop.advance_until(now + timedelta(seconds=5))
        opening = Opening("Shave", now + 9 * HOUR, HOUR, 1)
        slot_intake_in(shop.product.site).free("phone:1", opening, by="test")
        shop.settle()


def joins(name: str, service: str, number: int, now: datetime) -> JoinList:
    """Builds the command. Every other person has only a phone."""
    email, mobile = f"p{number}@example.org", f"+65912345{number:02}"
    return JoinList(
        EntryId(fresh_id()),
        PersonId(fresh_id()),
        name,
        "" if number % 2 else email,
        Wish(service, 1, now.date() - timedelta(days=2), now.date() + timedelta(days=30)),
        Lane.STAFF,
        now - HOUR + timedelta(seconds=number),
        mobile if number % 2 else "",
    )


@dataclass
class BusyMinute:
    """Sends each notice of a booking tool twice, and lets people press until they get an answer."""

    one: Machine
    pool: ThreadPoolExecutor
    kill_at: list[int]
    """The numbers of answers at which the server is killed."""
    pressed: dict[str, Future[tuple[str, str]]] = field(default_factory=dict)
    """The heading that each person sees, by link."""
    notices: list[Future[str]] = field(default_factory=list)

    def begin(self) -> None:
        times = [(service, n) for n in range(SLOTS) for service in SERVICES]
        self.notices = [self.pool.submit(self.notice, *each) for each in times for _ in range(2)]

    def goes_on(self) -> bool:
        """Does one round; returns whether more work is left."""
        for who, text in offers_sent(self.one):
            link = re.findall(r"/l/[\w=-]{44}", text)[0]
            if who != SILENT and link not in self.pressed:
                self.pressed[link] = self.pool.submit(self.press, who, link)
        answered = sum(each.done() for each in self.pressed.values())
        if self.kill_at and answered >= self.kill_at[0]:
            del self.kill_at[0]
            self.one.kill()
            self.one.start()
        is_busy = answered < len(self.pressed) or not all(each.done() for each in self.notices)
        return is_busy or bool(self.kill_at) or not self.one.is_settled(OFFERED)

    def told(self) -> list[tuple[str, str]]:
        return [each.result() for each in self.pressed.values()]

    def notice(self, service: str, n: int) -> str:
        """Sends a notice of a booking tool; returns the id of its slot."""
        starts_at = SystemClock().now() + (5 + n) * HOUR
        told = {"id": f"{service}-{n}", "service": service, "starts_at": starts_at.isoformat()}
        body = json.dumps(told).encode()

        def tell(tool: Visitor) -> Page:
            signature = webhook_signature(body, SECRET, SystemClock().now())
            signed = {"frontdesk-signature": signature}
            return tool.send("POST", "/hooks/waitlist/frontdesk", body, signed)

        page = self._until_answered(tell)
        assert page.status in (200, 201), page.body
        return str(json.loads(page.body)["slot"])

    def press(self, who: str, link: str) -> tuple[str, str]:
        do = "pass" if who.endswith(tuple(map(str, PASS))) else "take"
        page = self._until_answered(lambda phone: phone.post(link, do=do))
        assert page.status in (200, 410), page.body
        return who, page.heading

    def _until_answered(self, ask: Callable[[Visitor], Page]) -> Page:
        give_up_at = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < give_up_at:
            with urllib3.PoolManager() as http:
                try:
                    return ask(Visitor(self.one.url, http))
                except urllib3.exceptions.HTTPError:
                    time.sleep(0.02)  # the server is down: try again
        raise AssertionError("nobody answers")


def offers_sent(one: Machine) -> Iterable[tuple[str, str]]:
    return one.rows(
        "SELECT p.name, m.text FROM fd_message m JOIN fd_send s USING (send_id)"
        " JOIN fd_person p ON p.person_id = s.person_id WHERE s.kind = 'offer'",
    )


def tried(one: Machine) -> dict[str, list[tuple[str, str]]]:
    """Returns people and outcomes of the slots, by their origin."""
    found: dict[str, list[tuple[str, str]]] = {}
    for origin, name, state in one.rows(
        "SELECT s.origin, p.name, o.state FROM wl_offer o JOIN wl_slot s USING (slot_id)"
        " JOIN wl_entry USING (entry_id) JOIN fd_person p USING (person_id) ORDER BY origin, seq",
    ):
        found.setdefault(origin, []).append((name, state))
    return found


@pytest.mark.spec("WL-07", "WL-12", "WL-19", "WL-21", "FD-02", "FD-03")
def test_after_kills_in_a_busy_minute_every_slot_has_one_person_who_was_told_so(
    tmp_path: Path,
) -> None:
    with (
        machine(tmp_path, webhook_secret=SECRET) as one,
        ThreadPoolExecutor(CLIENTS) as pool,
    ):
        opened(one.data_dir)
        minute = BusyMinute(one.start(), pool, kill_at=[4, 18])
        minute.begin()
        until(lambda: not minute.goes_on(), PATIENCE_SECONDS)

        assert len({each.result() for each in minute.notices}) == len(SERVICES) * SLOTS
        chains = tried(one)
        booked = Counter(name for chain in chains.values() for name, end in chain[-1:])
        assert booked == Counter([*YES, "Awake"])
        assert {end for chain in chains.values() for _, end in chain[-1:]} == {"claimed"}
        assert chains["phone:1"] == [(SILENT, "expired"), ("Awake", "claimed")]
        yes = Counter(who for who, heading in minute.told() if heading == "It's yours.")
        assert yes == booked
        assert one.data("doctor")["problems"] == []
        assert one.data("rebuild")["same"] is True
        assert untold(one) == []
        assert confirmed(one) == booked
        assert one.rows("SELECT message_id FROM fd_message GROUP BY 1 HAVING count(*) > 1") == []


def untold(one: Machine) -> list[Any]:
    """Returns offers that were answered or lapsed although no message went out."""
    return one.rows(
        "SELECT slot_id, seq, state FROM wl_offer"
        " WHERE state IN ('claimed', 'declined', 'expired')"
        " AND 'wl/' || slot_id || '/' || entry_id || '/offer/' || seq NOT IN"
        " (SELECT key FROM fd_send JOIN fd_message USING (send_id))",
    )


def confirmed(one: Machine) -> Counter[str]:
    """Counts confirmations by person."""
    found = one.rows(
        "SELECT p.name FROM fd_message JOIN fd_send s USING (send_id)"
        " JOIN fd_person p ON p.person_id = s.person_id WHERE s.kind = 'booked'",
    )
    return Counter(name for (name,) in found)
