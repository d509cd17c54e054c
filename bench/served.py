"""Runs a server under measurement on a free port with a fresh folder."""

import contextlib
import http.client
import random
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from frontdesk.values import Frozen, field

START_SECONDS = 30
STOP_SECONDS = 10
SCRATCH = Path(__file__).parents[1] / "build"


class Served(Frozen):
    """Describes a running server. `stored` counts the sign-ups on disk: each confirmed one must be
    there."""

    port: int
    pid: int
    folder: Path
    page_path: str
    signup_path: str
    stored: Callable[[], int]
    is_done: Callable[[], bool] = lambda: True
    """Returns whether all messages have been sent."""
    form_fields: Mapping[str, str] = field(default_factory=dict)
    """Sent with every sign-up, besides `name` and a new `email`."""

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """Creates a folder on the project's disk, not in memory, so that commits have their real
    cost."""
    SCRATCH.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=SCRATCH) as folder:
        yield Path(folder)


def free_port() -> int:
    """Returns a port below the ephemeral range, so that no outgoing connection takes it."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as listener, contextlib.suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port


@contextlib.contextmanager
def running(command: Sequence[str], port: int, path: str) -> Iterator[int]:
    """Yields the process id once `path` responds; stops the process at the end."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until_answered(process, port, path)
        yield process.pid
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_until_answered(process: subprocess.Popen[bytes], port: int, path: str) -> None:
    give_up_at = time.monotonic() + START_SECONDS
    while time.monotonic() < give_up_at:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode} before it answered")
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", path)
            status = connection.getresponse().status
            connection.close()
            if status == http.HTTPStatus.OK:
                return
            raise RuntimeError(f"{path} was answered with {status}")
        time.sleep(0.05)
    raise TimeoutError(f"no answer on port {port} in {START_SECONDS} s")
