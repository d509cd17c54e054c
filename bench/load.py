"""Loads a server with sign-ups by wrk and measures rate, latency, errors and CPU per person."""

import os
import re
import secrets
import subprocess
import time
from pathlib import Path
from urllib.parse import urlencode

from bench.served import Served
from frontdesk.values import Frozen

CONNECTIONS = 32
SCRIPT = Path(__file__).with_name("signups.lua")
MEASURED = re.compile(r"^measured (\d+) (\d+) (\d+) (\d+) (\d+)$", re.MULTILINE)
QUIET_SECONDS = 0.3
SETTLE_SECONDS = 180


class Load(Frozen):
    """The results of one run of wrk."""

    requests: int
    seconds: float
    p50_ms: float
    p99_ms: float
    errors: int

    @property
    def per_second(self) -> float:
        return self.requests / self.seconds


def sign_ups(served: Served, seconds: int) -> Load:
    """Sends only sign-ups, each of a new person; checks that every confirmed one is on disk."""
    before = served.stored()
    load = run_wrk(served, seconds)
    stored = served.stored() - before
    if stored < load.requests - load.errors:
        raise RuntimeError(f"{load.requests - load.errors} sign-ups answered, {stored} stored")
    return load


def cpu_ms_per_person(served: Served, seconds: int) -> float:
    """Measures a page view with a sign-up, including the work that the server does later."""
    settle(served)
    before = cpu_seconds(served.pid)
    load = run_wrk(served, seconds, page=served.page_path)
    settle(served)
    return (cpu_seconds(served.pid) - before) * 1000 / (load.requests / 2)


def run_wrk(served: Served, seconds: int, page: str | None = None) -> Load:
    fields = "".join(f"&{urlencode({name: value})}" for name, value in served.form_fields.items())
    settings = ["-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", str(SCRIPT)]
    words = [f"guest-{secrets.token_hex(4)}-", fields, *([page] if page else [])]
    printed = subprocess.run(
        ["wrk", *settings, served.base_url + served.signup_path, "--", *words],
        capture_output=True,
        text=True,
        check=True,
        timeout=seconds + 30,
    ).stdout
    return read(printed)


def read(printed: str) -> Load:
    found = MEASURED.search(printed)
    if found is None:
        raise ValueError(f"wrk printed no figures: {printed!r}")
    requests, duration_us, p50_us, p99_us, errors = map(int, found.groups())
    return Load(requests, duration_us / 1e6, p50_us / 1000, p99_us / 1000, errors)


def cpu_seconds(pid: int) -> float:
    """Returns user and system time of all threads of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def settle(served: Served) -> None:
    """Waits until the server has no work left."""
    give_up_at = time.monotonic() + SETTLE_SECONDS
    before, now = -1.0, cpu_seconds(served.pid)
    while now > before or not served.is_done():
        if time.monotonic() > give_up_at:
            raise TimeoutError("the server is still at work")
        time.sleep(QUIET_SECONDS)
        before, now = now, cpu_seconds(served.pid)
