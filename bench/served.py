"""A server under measurement: started on a free port with a fresh folder, stopped at the end."""

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
    """`stored` counts the sign-ups on disk, so that no answer is believed that was not kept."""

    port: int
    pid: int
    page_path: str
    signup_path: str
    stored: Callable[[], int]
    is_done: Callable[[], bool] = lambda: True
    """Whether everybody has been told what they are to be told."""
    form_fields: Mapping[str, str] = field(default_factory=dict)
    """Sent with every sign-up, besides `name` and a fresh `email`."""

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """On the project's disk and not in memory: a commit must cost here what it costs."""
    SCRATCH.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=SCRATCH) as folder:
        yield Path(folder)


def free_port() -> int:
    """Below those that outgoing connections get, so that none has it before the server does."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as listener, contextlib.suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port


@contextlib.contextmanager
def running(command: Sequence[str], port: int, path: str) -> Iterator[int]:
    """Its process id, from when `path` is answered until the block ends."""
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
