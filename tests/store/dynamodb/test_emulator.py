"""The emulator for tests answers, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from frontdesk.store.dynamodb.schema import TABLES, create_request
from tests.support.dynamodb import new_tables
from tests.support.emulator import REGION, emulator

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.needs("ministack")

#: Starts an emulator, prints where it runs, and waits.
STARTER = """
from frontdesk.store.dynamodb.schema import TABLES
from tests.support.dynamodb import new_tables
from tests.support.emulator import emulator
with emulator() as started:
    print(started.process.pid, started.folder, flush=True)
    input()
"""


def test_the_emulator_answers_on_the_loopback_and_ends_with_its_block() -> None:
    with emulator(auth=True, environment={"SMTP_HOST": "127.0.0.1:9"}) as started:
        assert started.url.startswith("http://127.0.0.1:")
        assert started.client("dynamodb").list_tables()["TableNames"] == []
        assert started.client("dynamodb").meta.region_name == REGION
        folder, pid = started.folder, started.process.pid

    assert not is_running(pid)
    assert not folder.exists()


def test_the_emulator_ends_when_a_test_fails() -> None:
    with pytest.raises(ZeroDivisionError), emulator() as started:
        raise ZeroDivisionError

    assert not is_running(started.process.pid)


def test_the_emulator_ends_when_its_parent_is_killed() -> None:
    starter = subprocess.Popen(
        [sys.executable, "-c", STARTER],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with starter:
        assert starter.stdout is not None
        pid, folder = starter.stdout.readline().split()
        starter.send_signal(signal.SIGKILL)

    give_up_at = time.monotonic() + 20
    while is_running(int(pid)):
        assert time.monotonic() < give_up_at, "it is still there"
        time.sleep(0.02)
    assert not Path(folder).exists()


def test_its_socket_leads_to_the_same_tables() -> None:
    with emulator() as started:
        slow, fast = started.client("dynamodb"), started.fast_client()
        fast.create_table(**create_request(TABLES[0], "fd-"))
        names = [client.list_tables()["TableNames"] for client in (slow, fast)]
        refused = [error_of(client) for client in (slow, fast)]

    assert names == [[f"fd-{TABLES[0].name}"]] * 2
    assert refused == ["ResourceNotFoundException"] * 2


def error_of(client: Any) -> str:
    with pytest.raises(ClientError) as raised:
        client.describe_table(TableName="nowhere")
    return str(raised.value.response["Error"]["Code"])


@pytest.mark.spec("FD-18")
def test_the_contract_runs_on_any_other_database_by_one_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with emulator() as other:
        monkeypatch.setattr("tests.support.dynamodb.ELSEWHERE", other.url)
        with new_tables() as tables:
            assert tables.client.meta.endpoint_url == other.url
            there = other.client("dynamodb").list_tables()["TableNames"]
        left = other.client("dynamodb").list_tables()["TableNames"]

    assert sorted(there) == sorted(tables.prefix + table.name for table in TABLES)
    assert left == []


def is_running(pid: int) -> bool:
    """Returns whether a process runs; an ended one that nobody has waited for does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
