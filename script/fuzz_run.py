"""Starts a server with a demo, sends hostile requests to it, and reports failures.

A request fails if its answer is a 5xx, if there is none, or if it takes more than two seconds. At
the end the server must use about the same memory, its log must name no failed page, and `frontdesk
doctor` must find no problem.
"""

import argparse
import contextlib
import http.client
import itertools
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from starlette.routing import Route

from frontdesk.desks.admin.model import Part
from frontdesk.desks.reminders.model import Window
from frontdesk.settings import Settings
from frontdesk.wiring.one_machine import build, data_file, web_app
from script.hostile_requests import (
    Hostile,
    Target,
    form_fields,
    hostile_requests,
    hours_ahead,
    public_forms,
)

SOURCES = Path(__file__).parents[1] / "src" / "frontdesk"
SECRET = "a secret that is long enough"
MOST_SECONDS = 2.0
TIMEOUT_SECONDS = 20.0
#: After this share of the requests the caches are full, and memory should stay about the same.
WARM_UP = 0.2
MOST_GROWTH = 1.3
MOST_GROWTH_KB = 40_000
SHOWN = 20
#: Ignores dead letters: a hostile owner can cause some, and the data is still correct.
_DEAD_LETTER = re.compile("could not be (processed|sent)|dead letter|is not set up", re.IGNORECASE)


@dataclass
class Findings:
    failures: list[str] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")

    def add(self, hostile: Hostile, status: int, seconds: float) -> None:
        what = f"{hostile.method} {hostile.path[:150]}"
        self.statuses[status] += 1
        self.slowest = max(self.slowest, (seconds, what))
        if status >= 500 or status == 0:
            self.failures.append(f"{status or 'no answer'}: {what} {hostile.body[:200]!r}")
        elif seconds > MOST_SECONDS:
            self.failures.append(f"{seconds:.1f} s: {what} {hostile.body[:200]!r}")


@dataclass
class Server:
    """A running server; `pid` is its process."""

    pid: int
    port: int
    sign_in: str
    folder: Path
    cookies: str = ""
    csrf: str = ""

    def let_in(self) -> None:
        """Signs in with the link that the server printed at its start."""
        connection = self._connection()
        connection.request("POST", self.sign_in, headers=self._headers())
        answer = connection.getresponse()
        answer.read()
        self.cookies = "; ".join(
            value.partition(";")[0]
            for name, value in answer.getheaders()
            if name.lower() == "set-cookie" and "fd_session" in value
        )
        connection.request(
            "GET", "/console/you", headers={**self._headers(), "cookie": self.cookies}
        )
        found = re.search(r'name="csrf" value="([^"]+)"', connection.getresponse().read().decode())
        assert found, "the owner is not signed in"
        self.csrf = found[1]
        connection.close()

    def send(self, hostile: Hostile, address: str) -> tuple[int, float]:
        """Returns the status (0 without a response) and the seconds that it took."""
        headers = {**self._headers(), "x-forwarded-for": address, **hostile.headers}
        if hostile.as_member:
            headers["cookie"] = self.cookies
        connection = self._connection()
        began = time.monotonic()
        try:
            connection.request(hostile.method, hostile.path, hostile.body or None, headers)
            answer = connection.getresponse()
            if not answer.getheader("content-type", "").startswith("text/event-stream"):
                answer.read()
            return answer.status, time.monotonic() - began
        except (OSError, http.client.HTTPException):
            return 0, time.monotonic() - began
        finally:
            connection.close()

    def memory_kb(self) -> int:
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        return int(found[1]) if found else 0

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_SECONDS)

    def _headers(self) -> dict[str, str]:
        return {"host": f"127.0.0.1:{self.port}", "origin": f"http://127.0.0.1:{self.port}"}


@contextlib.contextmanager
def started(folder: Path, log: Path) -> Iterator[Server]:
    """Starts a server as behind a proxy: each request comes from another address, because of the
    limits."""
    names = ("WEBHOOK_SECRET", "CAL_COM_SECRET", "CALENDLY_SECRET")
    secrets = {f"FRONTDESK_{name}": SECRET for name in names}
    options = ["--demo", "--port", "0", "--data-dir", str(folder), "--behind-proxy", "yes"]
    options += ["--text-countries", "SG US"]
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "frontdesk", "serve", *options],
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, **secrets},
            text=True,
        )
    try:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(2)]
        port, path = re.search(r":(\d+)", said[0]), re.search(r"(/sign-in/\S+)", said[1])
        assert port, said
        assert path, said
        server = Server(process.pid, int(port[1]), path[1], folder)
        server.let_in()
        yield server
    finally:
        process.terminate()
        process.wait(30)


def target(folder: Path) -> Target:
    """Returns the routes of the product, and the ids, names and links in the demo."""
    with tempfile.TemporaryDirectory() as empty:
        product = build(Settings(data_dir=Path(empty)))
        try:
            found = web_app(product).routes
            routes = [
                (each.path, frozenset(each.methods or ()))
                for each in found
                if isinstance(each, Route)
            ]
        finally:
            product.close()
    good = values(folder)
    return Target(routes, good, form_fields(_templates()), public_forms(good), SECRET)


def values(folder: Path) -> dict[str, list[str]]:
    db = sqlite3.connect(f"file:{data_file(folder)}?mode=ro", uri=True)
    with contextlib.closing(db):
        ids: dict[str, list[str]] = {}
        for name, sql in _IDS.items():
            ids[name] = [str(value) for (value,) in db.execute(sql)][:200]
        texts = [text for (text,) in db.execute("SELECT text FROM fd_message LIMIT 500")]
    tokens = {
        token for text in texts for token in re.findall(r"/(?:l|c|sign-in)/([\w-]{20,})", text)
    }
    everything = [value for found in ids.values() for value in found[:50]]
    days, instants = hours_ahead(datetime.now(UTC))
    return {
        **ids,
        "day": days,
        "last_day": days[-1:],
        "instant": instants,
        "token": sorted(tokens)[:300],
        **{name: list(words) for name, words in _WORDS.items()},
        "": [*everything, *sorted(tokens)[:50]],
    }


#: Valid values for each path parameter, by its name.
_IDS = {
    "slug": "SELECT slug FROM ev_event",
    "event": "SELECT event_id FROM ev_event",
    "guest": "SELECT guest_id FROM ev_guest",
    "entry": "SELECT entry_id FROM wl_entry",
    "slot": "SELECT slot_id FROM wl_slot",
    "booking": "SELECT booking_id FROM bk_booking",
    "service": "SELECT DISTINCT replace(lower(service), ' ', '-') FROM bk_booking",
    "resource": "SELECT DISTINCT value FROM bk_booking, json_each(resources)",
    "who": "SELECT DISTINCT value FROM bk_booking, json_each(resources) UNION SELECT '_business'",
    "appointment": "SELECT appointment_id FROM ar_appointment",
    "request": "SELECT proposal_id FROM wl_proposal UNION SELECT proposal_id FROM ar_proposal"
    " UNION SELECT request_id FROM bk_request",
    "send_id": "SELECT send_id FROM fd_send",
    "mail_id": "SELECT mail_id FROM fd_mail",
    "person_id": "SELECT person_id FROM fd_person",
    "member_id": "SELECT member_id FROM fd_member",
    "job": "SELECT job_id FROM fd_job",
    "letter_id": "SELECT id FROM fd_dead_letter UNION SELECT '1'",
    "seq": "SELECT seq FROM fd_fact LIMIT 100",
    "kind": "SELECT DISTINCT kind FROM fd_send",
    "service_name": "SELECT DISTINCT service FROM bk_booking",
    "contact": "SELECT email FROM fd_person WHERE email <> '' UNION SELECT 'new@example.org'",
}
#: The same for parameters whose values are in no table.
_WORDS = {
    "action": (
        *("resend", "arrived", "move", "undo", "accept", "decline", "stop-offer", "seat", "front"),
        *("end", "remove", "approve", "no-show", "cancel", "write-again", "confirm", "remind"),
        *("came", "event-keep", "event-take", "event-again"),
    ),
    "answer": ("accept", "decline", "withdraw"),
    "window": tuple(Window),
    "trouble": tuple(Part),
    "tool": ("frontdesk", "cal.com", "calendly"),
    "round": ("1",),
    "number": ("1",),
    "part": ("calendar.ics",),
}


def known_parameters() -> set[str]:
    """Returns the path parameters that get valid values."""
    return {*_IDS, *_WORDS, "token"}


def _templates() -> list[str]:
    return [page.read_text() for page in SOURCES.rglob("*.html")]


def fuzz(server: Server, many: int, seed: int, findings: Findings) -> tuple[int, int]:
    """Returns the memory after the warm-up and at the end, in kB."""
    chance, warm = random.Random(seed), 0
    made = hostile_requests(
        target(server.folder), seed, lambda: server.csrf, lambda: int(time.time())
    )
    began = time.monotonic()
    for number, hostile in enumerate(itertools.islice(made, many), start=1):
        address = f"10.{chance.randrange(256)}.{chance.randrange(256)}.{chance.randrange(1, 255)}"
        findings.add(hostile, *server.send(hostile, address))
        if number == max(1, int(many * WARM_UP)):
            warm = server.memory_kb()
        if number % 5_000 == 0:
            pace = number / (time.monotonic() - began)
            print(f"{number} requests, {pace:.0f} a second, {len(findings.failures)} failures")
    return warm, server.memory_kb()


def doctor(folder: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", "frontdesk", "doctor", "--data-dir", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    problems = re.findall(r"^Problem: (.*)$", done.stdout, re.MULTILINE)
    if done.returncode and not problems:
        return [f"doctor failed: {done.stderr[-500:]}"]
    return [f"doctor: {each}" for each in problems if not _DEAD_LETTER.search(each)]


def report(findings: Findings, warm: int, end: int, more: Sequence[str]) -> int:
    print(f"answers: {dict(sorted(findings.statuses.items()))}")
    print(f"slowest: {findings.slowest[0]:.2f} s, {findings.slowest[1]}")
    print(f"memory: {warm} kB after the warm-up, {end} kB in the end")
    failures = [*findings.failures, *more]
    if warm and end > warm * MOST_GROWTH and end - warm > MOST_GROWTH_KB:
        failures.append(f"memory grew from {warm} to {end} kB")
    for each in failures[:SHOWN]:
        print(f"FAILED {each}")
    print(f"{len(failures)} failures" if failures else "Nothing broke.")
    return 1 if failures else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="script/fuzz", description=__doc__)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    findings = Findings()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as scratch:
        folder, log = Path(scratch) / "data", Path(scratch) / "log"
        with started(folder, log) as server:
            warm, end = fuzz(server, args.requests, args.seed, findings)
        broke = [f"log: {line[:300]}" for line in log.read_text().splitlines() if "broke" in line]
        return report(findings, warm, end, [*broke, *doctor(folder)])


if __name__ == "__main__":
    sys.exit(main())
