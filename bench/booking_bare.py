"""The baseline of bookings: the same pages and rows on the same server, without product code."""

import contextlib
import sqlite3
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from bench import booking_sql
from bench.bare import Form, Writer, page, run, taken
from bench.served import Served, free_port, running, scratch_folder


async def details(request: Request) -> Response:
    """The form for a held time."""
    fields = (
        f'<input name="{name}" value="{text}">' for name, text in request.query_params.items()
    )
    return HTMLResponse("".join(fields) + "<p>A page of two kilobytes.</p>" * 64)


def hold(db: sqlite3.Connection, form: Form, now: int) -> str:
    held = booking_sql.hold(db, form, now)
    at, staff = form["at"], form["slot"]
    return f"/book/haircut?at={at}&slot={staff}&hold={held}" if held else "/taken"


def book(db: sqlite3.Connection, form: Form, now: int) -> str:
    return "/booked" if booking_sql.book(db, form, now) else "/taken"


def main(port: int, database: Path) -> None:
    writer = Writer(booking_sql.create(database))
    run(
        port,
        writer,
        [
            Route("/book", page),
            Route("/book", partial(taken, writer, book), methods=["POST"]),
            Route("/book/choose", partial(taken, writer, hold), methods=["POST"]),
            Route("/book/haircut", details),
        ],
    )


@contextlib.contextmanager
def serve() -> Iterator[Served]:
    with scratch_folder() as folder:
        database, port = folder / "bare.sqlite", free_port()
        command = [sys.executable, "-m", "bench.booking_bare", str(port), str(database)]
        with running(command, port, "/book") as pid:
            yield Served(
                port=port,
                pid=pid,
                folder=folder,
                page_path="/book",
                signup_path="/book",
                stored=partial(booking_sql.stored, database),
            )


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
