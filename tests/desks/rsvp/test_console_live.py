"""The headcount changes on an open page without a reload, and always equals the data."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import urllib3
import uvicorn
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.core.decision import Command
from frontdesk.desks.rsvp.commands import (
    Cancel,
    ClaimOffer,
    DeclineOffer,
    ReduceParty,
    SetCap,
)
from frontdesk.desks.rsvp.model import State
from frontdesk.engine.live import LiveUpdates
from tests.desks.rsvp.console_desk import ConsoleDesk, Host, console_desk
from tests.support.rsvp import RsvpDesk


@pytest.fixture
def con(tmp_path: Path) -> Iterator[ConsoleDesk]:
    with console_desk(tmp_path) as opened:
        yield opened


def counted(desk: RsvpDesk) -> dict[str, int]:
    """Counts from the rows of guests."""
    guests = desk.reads.guests_after(desk.event_id, "", 10_000)

    def seats(*states: State) -> int:
        return sum(guest.party for guest in guests if guest.state in states)

    held, taken = seats(State.OFFERED), seats(State.CONFIRMED)
    return {
        "seats.taken": taken,
        "seats.held": held,
        "seats.free": max(desk.seats.cap - taken - held, 0),
        "seats.waiting": sum(guest.state is State.WAITING for guest in guests),
        "cancelled": sum(guest.state is State.CANCELLED for guest in guests),
    }


def shown(host: Host, con: ConsoleDesk) -> dict[str, int]:
    counts = json.loads(host.get(f"{con.url}/live?poll=1").text)
    return {key: int(counts[key]) for key in counted(con.desk)}


STEPS: dict[str, Callable[[RsvpDesk, str, int], Command | None]] = {
    "cancel": lambda desk, who, _n: Cancel(desk.id(who)) if who in desk.ids else None,
    "cap": lambda desk, _who, n: SetCap(desk.event_id, n),
    "smaller": lambda desk, who, _n: ReduceParty(desk.id(who), 1) if who in desk.ids else None,
    "claim": lambda desk, who, _n: (
        ClaimOffer(desk.id(who), desk.guest(who).seq) if who in desk.ids else None
    ),
    "decline": lambda desk, who, _n: (
        DeclineOffer(desk.id(who), desk.guest(who).seq) if who in desk.ids else None
    ),
}
WHO = st.sampled_from(["ann", "bob", "cat", "dan", "eve"])


@pytest.mark.spec("EV-27")
@given(
    st.lists(
        st.tuples(st.sampled_from(["sign up", *STEPS]), WHO, st.integers(0, 4)),
        min_size=4,
        max_size=10,
    )
)
@settings(max_examples=8, deadline=None)
def test_after_each_command_the_numbers_on_the_page_are_those_of_the_list(
    steps: list[tuple[str, str, int]],
) -> None:
    with TemporaryDirectory() as folder, console_desk(Path(folder)) as con:
        desk = con.desk.given(cap=2, party_limit=3)
        host = con.owner()
        for step, who, n in steps:
            if step == "sign up":
                desk.sign_up(who, party=max(n % 4, 1))
            elif command := STEPS[step](desk, who, n):
                desk.run(command)
            assert shown(host, con) == counted(desk)
            desk.settle()
            assert shown(host, con) == counted(desk)
        says = host.get(con.url).says
        for key, label in (("seats.taken", "Confirmed"), ("cancelled", "Cancelled")):
            assert f"{label} {counted(desk)[key]}" in says


@contextmanager
def served(con: ConsoleDesk) -> Iterator[str]:
    """Serves the console with a real server, which stops while streams are open."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(con.app, log_config=None, lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()
        assert not thread.is_alive(), "the server did not stop"


def next_count(stream: Iterator[bytes]) -> dict[str, str]:
    """Returns the data of the next event in a stream."""
    for line in stream:
        if line.startswith(b"data: "):
            found: dict[str, str] = json.loads(line.removeprefix(b"data: "))
            return found
    raise AssertionError("the stream ended")


def lines(answer: urllib3.BaseHTTPResponse) -> Iterator[bytes]:
    rest = b""
    for chunk in answer.stream(1, decode_content=False):
        rest += chunk
        *whole, rest = rest.split(b"\n")
        yield from whole


@pytest.mark.spec("EV-27")
def test_an_open_page_hears_of_a_sign_up_and_the_stream_ends_with_the_server(
    con: ConsoleDesk,
) -> None:
    desk = con.desk.given(cap=3)
    host = con.owner()
    cookie = "; ".join(f"{name}={value}" for name, value in host.cookies.items())
    with urllib3.PoolManager() as http, served(con) as base_url:
        answer = http.request(
            "GET",
            f"{base_url}{con.url}/live",
            headers={"cookie": cookie, "accept": "text/event-stream"},
            preload_content=False,
            timeout=20,
        )
        assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
        stream = lines(answer)
        first = next_count(stream)
        desk.sign_up("ann")
        second = next_count(stream)

        assert (first["seats.taken"], second["seats.taken"]) == ("0", "1")
        assert first["stamp"] != second["stamp"]
        assert second["seats.says"] == "2 of 3 seats are free."
        refused = http.request(
            "GET", f"{base_url}{con.url}/live", headers={"accept": "text/event-stream"}
        )
        assert refused.status == 401


@pytest.mark.parametrize(
    "full", [LiveUpdates(most=0), LiveUpdates(most_of_one=0)], ids=["all", "own"]
)
def test_when_too_many_pages_are_open_the_next_one_is_told_to_reload(
    con: ConsoleDesk, full: LiveUpdates
) -> None:
    con.desk.given(cap=1)
    host = con.owner()
    con.desk.product.site.live = full

    answer = host.get(f"{con.url}/live")

    assert (answer.status, answer.heading) == (429, "Too many pages are open for live numbers.")
    assert host.get(f"{con.url}/live?poll=1").status == 200


def test_a_head_request_for_a_stream_is_answered_at_once_and_watches_nothing(
    con: ConsoleDesk,
) -> None:
    con.desk.given(cap=1)
    host = con.owner()
    con.desk.product.site.live = LiveUpdates(most=0)

    for url in (f"{con.url}/live", "/console/live"):
        answer = host.ask("HEAD", url)
        assert (answer.status, answer.body) == (200, b"")
        assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"


def test_an_import_and_the_door_have_their_numbers_too(con: ConsoleDesk) -> None:
    con.desk.given(cap=3, confirmed=["ann"])
    host = con.owner()
    host.act(con.url, f"{con.guest_url('ann')}/check-in", arrived="1")

    counts = json.loads(host.get(f"{con.url}/live?poll=1&door=1&job=none").text)
    assert (counts["arrived"], counts["expected"]) == ("1", "1")
    assert "done" not in counts
    everything = json.loads(host.get("/console/live?poll=1").text)
    assert everything[f"{con.desk.event_id}.taken"] == "1"
