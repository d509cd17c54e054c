"""Measures sign-ups at a steady rate, alone and while a list of 20,000 people is imported."""

import argparse
import contextlib
import http.client
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from statistics import quantiles
from urllib.parse import urlencode

from bench.imports import ROWS
from bench.product import SLUG, serve
from bench.served import Served
from frontdesk.values import Frozen

PER_SECOND = 25
SECONDS_ALONE = 8
#: The 99th percentile beside an import is at most this many times the one alone.
MOST = 3.0
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Answers(Frozen):
    """Milliseconds until sign-ups were answered."""

    number: int
    p50_ms: float
    p99_ms: float
    longest_ms: float


class Compared(Frozen):
    alone: Answers
    beside: Answers
    rows_per_second: float

    @property
    def ratio(self) -> float:
        return self.beside.p99_ms / self.alone.p99_ms


def measure(
    per_second: float = PER_SECOND, rows: int = ROWS, seconds_alone: float = SECONDS_ALONE
) -> Compared:
    """Measures the same server before and during the import."""
    with serve() as served, _connection(served) as connection:
        ends_at = time.monotonic() + seconds_alone
        alone = _sign_ups(connection, per_second, lambda: time.monotonic() > ends_at)
        with _importing(served, rows) as importing:
            began = time.monotonic()
            beside = _sign_ups(connection, per_second, lambda: importing.poll() is not None)
            seconds = time.monotonic() - began
        if importing.returncode != 0:
            raise RuntimeError(f"the import ended with {importing.returncode}")
        return Compared(alone, beside, rows / seconds)


def report(per_second: float = PER_SECOND) -> bool:
    """Prints the times; returns whether the ratio is within the limit."""
    found = measure(per_second)
    print(
        f"{per_second:.0f} sign-ups a second alone: {_words(found.alone)};"
        f" beside an import of {found.rows_per_second:.0f} rows a second: {_words(found.beside)};"
        f" ratio of p99 {found.ratio:.1f} (at most {MOST:.0f})"
    )
    return found.ratio <= MOST


def _words(answers: Answers) -> str:
    return (
        f"p50 {answers.p50_ms:.1f} ms, p99 {answers.p99_ms:.1f} ms,"
        f" longest {answers.longest_ms:.0f} ms of {answers.number}"
    )


def _sign_ups(
    connection: http.client.HTTPConnection, per_second: float, ends: Callable[[], bool]
) -> Answers:
    """Signs new people up at fixed times. A late response delays the next ones, which count it,
    too."""
    word = secrets.token_hex(4)
    times: list[float] = []
    began = time.perf_counter()
    while not ends():
        due = began + len(times) / per_second
        time.sleep(max(0.0, due - time.perf_counter()))
        fields = {"name": "Guest", "email": f"{word}-{len(times)}@example.org"}
        connection.request("POST", f"/e/{SLUG}", urlencode(fields), _FORM)
        response = connection.getresponse()
        response.read()
        if response.status != http.HTTPStatus.OK:
            raise RuntimeError(f"a sign-up was answered with {response.status}")
        times.append((time.perf_counter() - due) * 1000)
    hundredths = quantiles(times, n=100, method="inclusive")
    return Answers(len(times), hundredths[49], hundredths[98], max(times))


@contextlib.contextmanager
def _connection(served: Served) -> Iterator[http.client.HTTPConnection]:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", served.port)) as connection:
        yield connection


@contextlib.contextmanager
def _importing(served: Served, rows: int) -> Iterator[subprocess.Popen[bytes]]:
    """Starts the command that imports a list; it ends when all rows are done."""
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as table:
        table.write("name,email\n")
        table.writelines(f"Guest,guest{number}@example.org\n" for number in range(rows))
        table.flush()
        command = [sys.executable, "-m", "frontdesk", "import", SLUG, table.name]
        options = ["--data-dir", str(served.folder)]
        with subprocess.Popen([*command, *options], stdout=subprocess.DEVNULL) as process:
            yield process


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-second", type=float, default=PER_SECOND)
    sys.exit(0 if report(parser.parse_args().per_second) else 1)
