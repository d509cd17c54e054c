"""Every command is run once in its own process and works."""

import json
import subprocess
import sys
from argparse import Namespace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from frontdesk.cli.rsvp.lists import import_list
from frontdesk.cli.terminal import Terminal
from frontdesk.embedded.demo.rsvp import LAST_SEAT
from tests.cli.conftest import Shell
from tests.support.machine import machine

SECONDS = 60


def run(data_dir: Path, *command: str) -> str:
    """Returns standard output and checks the exit status."""
    where = () if command[0] in ("simulate", "cost") else ("--data-dir", str(data_dir))
    done = subprocess.run(
        [sys.executable, "-m", "frontdesk", command[0], *where, *command[1:]],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


@pytest.mark.spec("FD-25")
def test_every_promised_command_does_its_work_and_prints_data_for_programs(tmp_path: Path) -> None:
    data = tmp_path / "var"
    people = tmp_path / "people.csv"
    people.write_text("name,email\nZoe,zoe@example.org\n")

    def printed(*command: str) -> Any:
        return json.loads(run(data, *command, "--json"))

    run(data, "demo")
    events = printed("events")
    slug = LAST_SEAT
    assert slug in {each["event"] for each in events}
    imported = printed("import", slug, str(people))
    exported = json.loads(run(data, "export", slug, "--format", "json"))

    assert [row["outcome"] for row in imported["rows"]] == ["confirmed"]
    assert [row["state"] for row in exported if row["name"] == "Zoe"] == ["confirmed"]
    assert "Zoe" in printed("story", slug, "--guest", "zoe@example.org")[0]["text"]
    assert isinstance(printed("why", slug), list)
    assert printed("rebuild")["same"] is True
    assert printed("replay") == {}
    assert printed("doctor")["problems"] == []
    assert printed("cost", "--guests", "50")["reference_usd"] == 0.80
    assert "rush" in run(data, "simulate")
    assert "Everything held" in run(data, "simulate", "twins")


@pytest.mark.spec("FD-25", "FD-17")
def test_serve_serves_until_it_is_told_to_stop(tmp_path: Path) -> None:
    with machine(tmp_path) as one:
        served = one.with_event("supper", seats=2).start()

        assert served.data("events")[0]["event"] == "supper"
        assert served.data("doctor")["problems"] == []


class Watched(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.spec("FD-25")
def test_an_import_shows_its_progress_on_a_terminal(shell: Shell, tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    lines = [f"Guest {number},g{number}@example.org" for number in range(250)]
    people.write_text("\n".join(["name,email", *lines]))
    watched = Watched()
    args = Namespace(event="supper", file=people, invite=False, json=False, data_dir=shell.data_dir)

    import_list(args, Terminal(out=StringIO(), err=watched))

    drawn = [part for part in watched.getvalue().split("\r") if part.startswith("Importing")]
    numbers = [int(part.partition("] ")[2].partition(" of")[0]) for part in drawn]
    assert numbers[0] == 0
    assert numbers[-1] == 250
    assert sorted(numbers) == numbers
    assert len(set(numbers)) > 2
