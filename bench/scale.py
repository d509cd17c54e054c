"""Measures the same commands with 100 and with 100,000 guests, and the start of the server."""

import contextlib
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from statistics import median

from bench.load import cpu_seconds
from bench.served import free_port, running, scratch_folder
from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp.commands import Cancel, CreateEvent, Fill, SignUp
from frontdesk.desks.rsvp.model import Details, EventId, GuestId, Lane
from frontdesk.desks.rsvp.model import EventSettings as EventSettings
from frontdesk.engine.ports import Committed
from frontdesk.settings import Settings
from frontdesk.values import Frozen
from frontdesk.wiring.application import fresh_id
from frontdesk.wiring.one_machine import Frontdesk, build, data_file

FEW, MANY = 100, 100_000
ROUNDS = 200
#: Half of the guests have a seat, the others wait.
SHARE = 2
SLUG = "fair"


class Costs(Frozen):
    """Medians of CPU milliseconds."""

    sign_up: float
    cancel: float
    next_in_line: float


class Start(Frozen):
    seconds: float
    cpu_seconds: float
    megabytes: float


def measure() -> tuple[Costs, Costs, Start]:
    """Measures few guests, many guests, and the start of a process on the file with many."""
    with scratch_folder() as folder:
        few = _costs(folder / "few", FEW)
        many = _costs(folder / "many", MANY)
        return few, many, _start(folder / "many")


def report() -> None:
    few, many, start = measure()
    for name, small, large in (
        ("sign-up", few.sign_up, many.sign_up),
        ("cancel", few.cancel, many.cancel),
        ("next in line", few.next_in_line, many.next_in_line),
    ):
        print(
            f"{name} with {MANY} guests: {large:.3f} ms CPU, with {FEW}: {small:.3f} ms,"
            f" ratio {large / small:.2f}"
        )
    print(
        f"start with {MANY} guests: {start.seconds:.2f} s, CPU {start.cpu_seconds:.2f} s,"
        f" {start.megabytes:.0f} MB"
    )


def _costs(folder: Path, guests: int) -> Costs:
    with _event(folder, guests) as (product, event_id, seated):
        sign_up = _each(ROUNDS, lambda n: _sign_up(product, event_id, f"new-{n}"))
        cancel: list[float] = []
        fill: list[float] = []
        for guest_id in seated[:ROUNDS]:
            cancel.append(_cpu_ms(lambda one=guest_id: _run(product, Cancel(one))))  # type: ignore[misc]
            fill.append(_cpu_ms(lambda: _run(product, Fill(event_id))))
        return Costs(median(sign_up), median(cancel), median(fill))


def _each(times: int, do: Callable[[int], None]) -> list[float]:
    return [_cpu_ms(lambda n=n: do(n)) for n in range(times)]  # type: ignore[misc]


def _cpu_ms(do: Callable[[], None]) -> float:
    before = time.process_time()
    do()
    return (time.process_time() - before) * 1000


def _sign_up(product: Frontdesk, event_id: EventId, name: str) -> None:
    _run(product, _request(event_id, name))


def _request(event_id: EventId, name: str) -> SignUp:
    ids = GuestId(fresh_id()), PersonId(fresh_id())
    return SignUp(event_id, *ids, "Guest", f"{name}@example.org", 1, Lane.FORM)


def _run(product: Frontdesk, command: Cancel | Fill | SignUp) -> None:
    outcome = product.engine.run(command, by="bench", now=product.clock.now())
    assert isinstance(outcome, Committed), (command, outcome)


@contextlib.contextmanager
def _event(folder: Path, guests: int) -> Iterator[tuple[Frontdesk, EventId, list[GuestId]]]:
    """Creates an event with half of the guests seated and half in line; sends no messages."""
    product = build(Settings(data_dir=folder))
    now = product.clock.now()
    starts_at = now + timedelta(days=30)
    details = Details("Fair", starts_at, starts_at + timedelta(hours=2), "Europe/Berlin", "Hall")
    event_id = EventId(fresh_id())
    seats = max(guests // SHARE, ROUNDS)
    command = CreateEvent(event_id, SLUG, details, EventSettings(), seats)
    product.engine.run(command, by="bench", now=now)
    requests = [_request(event_id, f"guest-{n}") for n in range(seats + guests // SHARE)]
    answers = [product.engine.submit(one, by="bench", now=now) for one in requests]
    for answer in answers:
        assert isinstance(answer.result(), Committed)
    try:
        yield product, event_id, [one.guest_id for one in requests[:seats]]
    finally:
        product.close()


def _start(folder: Path) -> Start:
    """Measures the time until the server responds, with no messages pending."""
    with contextlib.closing(build(Settings(data_dir=folder))) as product:
        followers = [follower.name for follower in product.runtime.followers]
    with contextlib.closing(sqlite3.connect(data_file(folder))) as db, db:
        for follower in followers:
            db.execute(
                "INSERT INTO fd_follower SELECT ?, max(seq) FROM fd_fact WHERE true"
                " ON CONFLICT (name) DO UPDATE SET seq = excluded.seq",
                (follower,),
            )
    _started(folder)  # compiles the code
    return _started(folder)


def _started(folder: Path) -> Start:
    """Starts a server on compiled code, as an installed server has, in whatever folder this process
    runs."""
    port = free_port()
    compiled = ["-X", f"pycache_prefix={folder / 'compiled'}"]
    python = ["env", "-u", "PYTHONDONTWRITEBYTECODE", sys.executable, *compiled]
    options = ["--data-dir", str(folder), "--port", str(port)]
    before = time.perf_counter()
    with running([*python, "-m", "frontdesk", "serve", *options], port, f"/e/{SLUG}") as pid:
        seconds = time.perf_counter() - before
        return Start(seconds, cpu_seconds(pid), _most_megabytes(pid))


def _most_megabytes(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))
