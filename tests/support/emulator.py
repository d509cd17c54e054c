"""An AWS on this machine: an emulator in a process of its own, on a free port of the loopback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import boto3
from botocore import UNSIGNED
from botocore.config import Config

from bench.served import free_port
from frontdesk.values import Frozen
from tests.support.emulator_socket import EmulatorSocket

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".venv-emulator" / "bin" / "python"
REGION = "ap-southeast-1"
ACCOUNT = "000000000000"
START_SECONDS = 120.0
STOP_SECONDS = 5.0
PROCESS = Path(__file__).with_name("emulator_process.py")


class Emulator(Frozen):
    """A running emulator. It accepts any key; with `auth` it enforces the roles of functions."""

    url: str
    folder: Path
    process: subprocess.Popen[bytes]

    def client(self, service: str, **settings: Any) -> Any:
        return boto3.client(
            service,
            endpoint_url=self.url,
            region_name=REGION,
            aws_access_key_id="test",
            aws_secret_access_key="test",
            config=Config(max_pool_connections=320, **settings),
        )

    def fast_client(self) -> Any:
        """Returns a client of DynamoDB that uses a Unix socket, with any keys."""
        client = self.client("dynamodb", signature_version=UNSIGNED, user_agent="tests")
        credential = f"test/20260101/{REGION}/dynamodb/aws4_request"
        socket = EmulatorSocket(
            self.folder / "socket", authorization=f"AWS4-HMAC-SHA256 Credential={credential}"
        )
        client.meta.events.register("before-send.dynamodb", socket)
        return client

    def work(self) -> dict[str, int]:
        """Returns the numbers of the emulator's work. `open` counts calls of functions, records of
        streams and schedules under way; `started` grows with each call."""
        with urllib.request.urlopen(f"{self.url}/_work", timeout=START_SECONDS) as answer:
            found: dict[str, int] = json.load(answer)
        return found

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")


@contextmanager
def emulator(
    *, auth: bool = False, environment: Mapping[str, str] | None = None
) -> Iterator[Emulator]:
    """Starts an emulator. Its process and its functions get `environment`, such as
    `AWS_ENDPOINT_URL_TEXTRACT`."""
    with tempfile.TemporaryDirectory(prefix="frontdesk-emulator-") as folder:
        started = _start(Path(folder), auth=auth, environment=environment or {})
        try:
            _wait_until_it_answers(started)
            yield started
        finally:
            _end(started.process)


def _start(folder: Path, *, auth: bool, environment: Mapping[str, str]) -> Emulator:
    port = free_port()
    settings = {
        "BIND_HOST": "127.0.0.1",
        "MINISTACK_HOST": "127.0.0.1",
        "GATEWAY_PORT": str(port),
        "MINISTACK_REGION": REGION,
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        "AUTH": str(auth).lower(),
        "STATE_DIR": str(folder),
        "TMPDIR": str(folder),
        "LOG_LEVEL": "WARNING",
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [PYTHON, "-P", PROCESS],
            env={**kept, **settings, **environment},
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    return Emulator(f"http://127.0.0.1:{port}", folder, process)


def _wait_until_it_answers(started: Emulator) -> None:
    give_up_at = time.monotonic() + START_SECONDS
    while not _answers(started.url):
        assert started.process.poll() is None, f"the emulator ended: {started.log}"
        assert time.monotonic() < give_up_at, f"the emulator does not answer: {started.log}"
        time.sleep(0.05)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_ministack/health", timeout=5):
            return True
    except OSError:
        return False


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kills the process group at once; it has nothing to save."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(STOP_SECONDS)
    assert process.stdin is not None
    process.stdin.close()
