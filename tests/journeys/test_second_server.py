"""A second server for the same data directory or port is refused; a signal stops a server."""

import http.client
import socket
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from frontdesk.store.sqlite.lock import running
from tests.support.machine import Machine, machine


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    with machine(tmp_path_factory.mktemp("one")) as one:
        yield one.with_event("supper", 2).start()


@pytest.mark.spec("FD-17")
def test_a_second_server_is_refused_in_one_line_that_names_the_first(one: Machine) -> None:
    assert one.process is not None

    assert one.refused_server("--port", "0") == (
        1,
        "",
        (
            f"frontdesk: Another Frontdesk (process {one.process.pid}) works on {one.data_dir}."
            f" It answers at {one.url}. Stop it first, or choose another data directory.\n"
        ),
    )
    assert stat.S_IMODE((one.data_dir / "frontdesk.lock").stat().st_mode) == 0o600


def test_a_port_in_use_is_reported(one: Machine, tmp_path: Path) -> None:
    assert Machine(tmp_path).refused_server("--port", one.url.rpartition(":")[2]) == (
        1,
        "",
        (
            f"frontdesk: Cannot listen at {one.url.removeprefix('http://')}: another"
            " program listens there. Choose another port with --port.\n"
        ),
    )


@pytest.mark.spec("FD-27")
def test_a_request_whose_header_never_ends_is_disconnected(one: Machine) -> None:
    address = urlsplit(one.url)
    with socket.create_connection((address.hostname, address.port), timeout=20) as line:
        line.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n")

        with pytest.raises(OSError, match=r"reset|Broken pipe"):
            _go_on(line, b"x-more: " + b"y" * 4_000 + b"\r\n")

    assert one.data("doctor")["problems"] == []


def _go_on(line: socket.socket, more: bytes) -> None:
    for _ in range(20_000):
        line.sendall(more)


@pytest.mark.spec("FD-17")
def test_the_start_prints_a_link_that_signs_in_once_and_a_signal_ends_a_watched_server(
    tmp_path: Path,
) -> None:
    with machine(tmp_path) as one:
        one.start("--demo")
        assert one.process is not None
        assert one.process.stdout is not None
        served, printed, _ = (one.process.stdout.readline() for _ in range(3))

        assert served == f"Frontdesk is at {one.url}\n"
        link = printed.split()[-1]
        assert link.startswith(f"{one.url}/sign-in/")
        signed_in = _sign_in(one, link)
        assert signed_in.status == 303
        assert _sign_in(one, link).status != 303
        found = running(one.data_dir)
        assert found is not None
        assert {event["event"] for event in one.data("events")} == {
            *("workshop", "supper", "open-studio", "last-seat")
        }
        watcher = _watch(one, signed_in.headers["set-cookie"].partition(";")[0])
        began_at = time.monotonic()
        assert one.stop() == 0
        assert time.monotonic() - began_at < 10
        assert found.token not in one.printed
        assert running(one.data_dir) is None
        assert not (one.data_dir / "frontdesk.db-wal").exists()
        watcher.close()


def _watch(one: Machine, cookie: str) -> http.client.HTTPConnection:
    """Opens a page with live counts, and leaves it open."""
    watcher = _connect(one)
    watcher.request("GET", "/console/live", headers={"cookie": cookie})
    live = watcher.getresponse()
    assert live.headers["content-type"].startswith("text/event-stream")
    return watcher


def _sign_in(one: Machine, link: str) -> http.client.HTTPResponse:
    connection = _connect(one)
    connection.request("POST", urlsplit(link).path, b"", {"origin": one.url})
    answer = connection.getresponse()
    connection.close()
    return answer


def _connect(one: Machine) -> http.client.HTTPConnection:
    address = urlsplit(one.url)
    return http.client.HTTPConnection(address.hostname or "", address.port, timeout=20)
