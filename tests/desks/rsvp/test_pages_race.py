"""Five hundred people want the last seat at the same moment."""

import asyncio
import re
import sqlite3
import threading
from collections import Counter
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from frontdesk.desks.rsvp.model import State
from frontdesk.web.limits import Limits
from tests.support.server import FORM, Served, serve

PEOPLE = 500


@pytest.mark.spec("EV-04")
def test_of_500_who_race_for_the_last_seat_one_gets_it_and_nobody_sees_an_error(
    tmp_path: Path,
) -> None:
    with serve(tmp_path) as served:
        desk = served.desk.given(cap=3, confirmed=["ann", "bob"])
        desk.product.site.limits = Limits(enabled=False)

        with Sampler(served) as sampler:
            answers = asyncio.run(race(served))

        headings = Counter(heading for _, heading in answers)
        assert Counter(status for status, _ in answers) == {200: PEOPLE}
        assert headings["You&#39;re in."] == 1
        assert len(headings) == PEOPLE, "everybody else has a place of their own in line"
        assert sampler.samples > 0
        assert sampler.worst == (3, 0), "taken at most, and free at least, at any moment"
        assert desk.seats.taken == 3
        assert desk.seats.waiting == PEOPLE - 1
        counts = desk.reads.counts(desk.event_id)
        assert counts[State.CONFIRMED] == (3, 3)
        assert counts[State.WAITING] == (PEOPLE - 1, PEOPLE - 1)
        assert desk.settle().problems() == []


async def race(served: Served) -> list[tuple[int, str]]:
    """Opens all connections before it sends the first request."""
    host = urlsplit(served.base_url)
    ready = asyncio.Barrier(PEOPLE)

    async def one(n: int) -> tuple[int, str]:
        reader, writer = await asyncio.open_connection(host.hostname, host.port)
        body = urlencode({"name": f"Guest {n}", "email": f"guest{n}@example.org"}).encode()
        head = (
            f"POST /e/pottery HTTP/1.1\r\nhost: x\r\ncontent-type: {FORM}\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        await ready.wait()
        writer.write(head.encode() + body)
        answer = (await reader.read()).decode()
        writer.close()
        [heading] = re.findall(r"<h1>(.*?)</h1>", answer)
        return int(answer.split(" ", 2)[1]), heading

    async with asyncio.timeout(120):
        return list(await asyncio.gather(*(one(n) for n in range(PEOPLE))))


class Sampler:
    """Reads the committed counters again and again over its own connection."""

    def __init__(self, served: Served) -> None:
        self._path = served.desk.product.settings.data_dir / "frontdesk.db"
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self.samples = 0
        self.worst = (0, 1_000)

    def __enter__(self) -> "Sampler":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        db = sqlite3.connect(f"file:{self._path}?mode=ro", uri=True)
        while not self._done.wait(0.002):
            taken, free = db.execute("SELECT taken, free FROM ev_event").fetchone()
            self.samples += 1
            self.worst = max(self.worst[0], taken), min(self.worst[1], free)
        db.close()
