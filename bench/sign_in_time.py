"""Measures whether the response time tells which addresses may sign in.

Asks for a sign-in link with known and unknown addresses in turn, each from another visitor, on a
server with its usual limits.
"""

import contextlib
import http.client
import random
import sys
import time
from statistics import median
from urllib.parse import urlencode

from bench.served import free_port, running, scratch_folder
from frontdesk.core.members import MemberId, Role
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import InviteMember
from frontdesk.desks.admin.desk import new_nonce
from frontdesk.engine.clock import SystemClock
from frontdesk.settings import Settings
from frontdesk.values import Frozen
from frontdesk.wiring.application import fresh_id
from frontdesk.wiring.one_machine import build

MEMBERS = 100
#: An address gets at most three links in a row, so the bench asks for none more often.
ROUNDS = 3
#: The medians differ by less than a tenth.
MOST = 1.1


class Times(Frozen):
    known_ms: float
    unknown_ms: float
    number: int

    @property
    def ratio(self) -> float:
        return max(self.known_ms, self.unknown_ms) / min(self.known_ms, self.unknown_ms)


def fill(settings: Settings, members: int) -> None:
    now = SystemClock().now()
    with contextlib.closing(build(settings)) as product:
        for number in range(members):
            member, person = MemberId(fresh_id()), PersonId(fresh_id())
            email = f"known{number:03}@example.org"
            command = InviteMember(member, person, "Sam", email, Role.STAFF, "", new_nonce())
            product.engine.run(command, by="bench", now=now)
        product.runtime.settle(now)


def measure(members: int = MEMBERS, rounds: int = ROUNDS) -> Times:
    with scratch_folder() as folder:
        fill(Settings(data_dir=folder), members)
        port = free_port()
        command = [sys.executable, "-m", "frontdesk", "serve", "--data-dir", str(folder)]
        with running([*command, "--port", str(port)], port, "/sign-in"):
            asked = [(kind, number) for kind in ("known", "other") for number in range(members)]
            asked *= rounds
            random.Random(1).shuffle(asked)
            times: dict[str, list[float]] = {"known": [], "other": []}
            for turn, (kind, number) in enumerate(asked):
                times[kind].append(_ask(port, turn, f"{kind}{number:03}@example.org"))
    return Times(median(times["known"]), median(times["other"]), len(asked))


def _ask(port: int, turn: int, email: str) -> float:
    """Returns the milliseconds until the response. Each visitor has another loopback address."""
    source = (f"127.1.{turn // 250}.{turn % 250 + 1}", 0)
    connection = http.client.HTTPConnection("127.0.0.1", port, source_address=source)
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Origin": f"http://127.0.0.1:{port}",
        "Sec-Fetch-Site": "same-origin",
    }
    with contextlib.closing(connection):
        connection.connect()
        began = time.perf_counter()
        connection.request("POST", "/sign-in", urlencode({"email": email, "next": ""}), headers)
        response = connection.getresponse()
        page = response.read()
        if response.status != http.HTTPStatus.OK or b"Check your email" not in page:
            raise RuntimeError(f"a request was answered with {response.status}")
        return (time.perf_counter() - began) * 1000


def report() -> bool:
    found = measure()
    print(
        f"sign-in, medians of {found.number} requests: known {found.known_ms:.2f} ms,"
        f" unknown {found.unknown_ms:.2f} ms, ratio {found.ratio:.3f} (at most {MOST})"
    )
    return found.ratio <= MOST


if __name__ == "__main__":
    sys.exit(0 if report() else 1)
