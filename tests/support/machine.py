"""Starts, kills and restarts the real server in its own process."""

from __future__ import annotations

import http.client
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

from frontdesk.cli import main
from frontdesk.desks.rsvp.model import Details, EventSettings
from frontdesk.engine.clock import SystemClock
from frontdesk.simulate.rsvp.scenario import EventStage
from frontdesk.simulate.runtime import server_settings
from frontdesk.store.sqlite.lock import running
from frontdesk.wiring.application import fresh_id
from tests.support import doomed_server
from tests.support.data_file import run_sql

ROOT = Path(__file__).parents[2]
START_SECONDS = 120.0
STOP_SECONDS = 60.0
#: Sends that will go out, and timers that will fire.
WORK = (
    "SELECT 1 FROM fd_send WHERE state IN ('queued', 'sending')",
    "SELECT 1 FROM fd_timer WHERE due_at <= CAST(strftime('%s', 'now') AS INTEGER)",
)
STARTS = datetime(SystemClock().now().year + 1, 6, 5, 17, tzinfo=UTC)


def until(is_true: Callable[[], bool], seconds: float = START_SECONDS) -> None:
    """Checks a condition again and again, up to a deadline."""
    give_up_at = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < give_up_at, "it never came true"
        time.sleep(0.02)


@dataclass
class Machine:
    """One data directory, and at most one server on it."""

    data_dir: Path
    settings: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[str] | None = None
    url: str = ""
    printed: str = ""
    """The output of the last server, collected at its end."""

    def with_event(self, slug: str, seats: int, **settings: Any) -> Machine:
        details = Details(slug.title(), STARTS, STARTS + timedelta(hours=2), "Europe/Berlin")
        now = SystemClock().now()
        with EventStage(server_settings(self.data_dir), now, ids=fresh_id) as stage:
            stage.create(slug, details, seats, EventSettings(**settings))
            stage.settle()
        return self

    def start(self, *options: str, may_end: bool = False, dies_when: str = "") -> Machine:
        """Starts the server. With `may_end`, a server that is killed during its start counts as
        started. With `dies_when`, the server kills itself after the first commit after which this
        query finds a row."""
        assert self.process is None
        self.process = self._serve("--port", "0", *options, dies_when=dies_when)
        may_end = may_end or bool(dies_when)
        until(lambda: self._is_up(may_end=may_end))
        return self

    def _is_up(self, *, may_end: bool) -> bool:
        """Looks at the process only once, since it may end between two looks."""
        assert self.process is not None
        if self.process.poll() is not None:
            assert may_end, f"the server ended: {self.process.communicate()[1]}"
            return True
        found = running(self.data_dir)
        if found is None or found.pid != self.process.pid or not found.url:
            return False
        self.url = found.url
        return True

    def has_ended(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def kill(self) -> None:
        """Kills the process at once, like a power cut."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(how)
        try:
            return self.process.wait(STOP_SECONDS)
        finally:
            self.process.kill()
            self.printed = "".join(self.process.communicate())
            self.process = None

    def run(self, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs a command in this process, beside the server: a new process would start slowly."""
        out, err = io.StringIO(), io.StringIO()
        given = (command, "--data-dir", str(self.data_dir), *arguments)
        with (
            patch.dict(os.environ, self.settings),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            status = main(given)
        return subprocess.CompletedProcess(given, status, out.getvalue(), err.getvalue())

    def rows(self, sql: str, *values: object) -> list[Any]:
        return run_sql(self.data_dir, sql, *values)

    def is_settled(self, *under_way: str) -> bool:
        """Returns whether no work is due or under way, and no follower is behind. `under_way` are
        queries for other work.

        Work that ends in one place may go on in another, so the queries run before and after the
        doctor.
        """
        queries = (*WORK, *under_way)
        return not (self._has(queries) or self.data("doctor")["notes"] or self._has(queries))

    def _has(self, queries: Iterable[str]) -> bool:
        return any(self.rows(query) for query in queries)

    def data(self, command: str, *arguments: str) -> Any:
        done = self.run(command, *arguments, "--json")
        assert done.returncode == 0, done.stderr or done.stdout
        return json.loads(done.stdout)

    def refused_server(self, *options: str) -> tuple[int, str, str]:
        """Starts a server that must not come up; returns its exit status and what it printed."""
        process = self._serve(*options)
        try:
            out, err = process.communicate(timeout=START_SECONDS)
        finally:
            process.kill()
        return process.returncode, out, err

    def _serve(self, *options: str, dies_when: str = "") -> subprocess.Popen[str]:
        module = doomed_server.__name__ if dies_when else "frontdesk"
        doom = {doomed_server.DIES_WHEN: dies_when} if dies_when else {}
        return subprocess.Popen(
            [sys.executable, "-m", module, "serve", "--data-dir", self.data_dir, *options],
            env={**os.environ, **self.settings, **doom, "PYTHONUNBUFFERED": "1"},
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def post(
        self, path: str, body: Mapping[str, Any], headers: Mapping[str, str] | None = None
    ) -> tuple[int, Any]:
        """Raises `OSError` or `HTTPException` when the server dies meanwhile."""
        address = urlsplit(self.url)
        connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=20)
        try:
            sent = {"content-type": "application/json", **(headers or {})}
            connection.request("POST", path, json.dumps(body), sent)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()


@contextmanager
def machine(folder: Path, **settings: str) -> Iterator[Machine]:
    """Yields a machine whose server gets these settings as variables of the environment."""
    named = {f"FRONTDESK_{name.upper()}": value for name, value in settings.items()}
    one = Machine(folder / "var", named)
    try:
        yield one
    finally:
        if one.process is not None:
            one.kill()
