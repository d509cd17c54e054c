import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from frontdesk.cli import main
from frontdesk.desks.rsvp.model import Details
from frontdesk.engine.clock import SystemClock
from frontdesk.simulate.rsvp.scenario import EventStage
from frontdesk.simulate.runtime import server_settings
from frontdesk.wiring.application import fresh_id


@dataclass
class Shell:
    """Runs commands in this process on one data directory."""

    data_dir: Path
    capture: pytest.CaptureFixture[str]

    def run(self, command: str, *arguments: str | Path) -> tuple[int, str, str]:
        """Returns the exit status, standard output and standard error."""
        given = [command, "--data-dir", str(self.data_dir), *map(str, arguments)]
        self.capture.readouterr()
        status = main(given)
        out, err = self.capture.readouterr()
        return status, out, err

    def says(self, command: str, *arguments: str | Path) -> str:
        status, out, err = self.run(command, *arguments)
        assert status == 0, err or out
        return out

    def data(self, command: str, *arguments: str | Path) -> Any:
        return json.loads(self.says(command, *arguments, "--json"))

    def fails(self, command: str, *arguments: str | Path) -> str:
        """Returns the one line of the error."""
        status, _, err = self.run(command, *arguments)
        assert status == 1
        assert err.startswith("frontdesk: ")
        assert err.count("\n") == 1
        return err.removeprefix("frontdesk: ").rstrip("\n")


@pytest.fixture
def empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path / "var", capsys)


@pytest.fixture
def shell(empty: Shell) -> Shell:
    """Has an event of an hour ago with two seats, both taken, and one guest in line."""
    now = SystemClock().now()
    starts_at = datetime(now.year + 1, 6, 5, 17, tzinfo=UTC)
    details = Details("Supper", starts_at, starts_at + timedelta(hours=2), "Europe/Berlin")
    settings = server_settings(empty.data_dir)
    with EventStage(settings, now - timedelta(hours=1), ids=fresh_id) as stage:
        stage.create("supper", details, 2)
        for who in ("Ann", "Bob", "Cat"):
            stage.sign_up("supper", who)
        stage.settle()
    return empty
