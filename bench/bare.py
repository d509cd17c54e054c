"""The baseline: page, form and grouped commits on the same server, without product code."""

import asyncio
import contextlib
import queue
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import parse_qsl

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from bench import signup_sql
from bench.served import Served, free_port, running, scratch_folder

BATCH = 128
PAGE = "<!doctype html><title>Sign up</title>" + "<p>A page of two kilobytes.</p>" * 64

Form = Mapping[str, str]
Answer = asyncio.Future[str]
Write = Callable[[sqlite3.Connection, Form, int], str]
"""Writes the rows of a form at a time, and returns the path of the next page."""
Task = tuple[Write, Form, Answer]


class Writer:
    """Drains the queue in one thread: one transaction and one fsync for all waiting requests."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.waiting: queue.SimpleQueue[Task] = queue.SimpleQueue()

    def start(self) -> None:
        threading.Thread(target=self.work, daemon=True).start()

    def ask(self, write: Write, form: Form) -> Answer:
        answer: Answer = asyncio.get_running_loop().create_future()
        self.waiting.put((write, form, answer))
        return answer

    def work(self) -> None:
        while True:
            batch = self.next_batch()
            now = int(time.time())
            self.db.execute("BEGIN IMMEDIATE")
            results = [write(self.db, form, now) for write, form, _ in batch]
            self.db.execute("COMMIT")
            answers = [answer for *_, answer in batch]
            answers[0].get_loop().call_soon_threadsafe(settle, answers, results)

    def next_batch(self) -> list[Task]:
        batch = [self.waiting.get()]
        with contextlib.suppress(queue.Empty):
            while len(batch) < BATCH:
                batch.append(self.waiting.get_nowait())
        return batch


def settle(answers: list[Answer], results: list[str]) -> None:
    for answer, result in zip(answers, results, strict=True):
        if not answer.done():
            answer.set_result(result)


async def page(_request: Request) -> Response:
    return HTMLResponse(PAGE)


async def taken(writer: Writer, write: Write, request: Request) -> Response:
    """Takes a form; redirects once its rows are on disk."""
    form = dict(parse_qsl((await request.body()).decode()))
    return RedirectResponse(await writer.ask(write, form), status_code=303)


def sign_up(db: sqlite3.Connection, form: Form, now: int) -> str:
    confirmed = signup_sql.sign_up(db, form["name"], form["email"], now)
    return "/confirmed" if confirmed else "/waiting"


def main(port: int, database: Path) -> None:
    writer = Writer(signup_sql.create(database, int(time.time())))
    take_sign_up = partial(taken, writer, sign_up)
    run(port, writer, [Route("/", page), Route("/", take_sign_up, methods=["POST"])])


def run(port: int, writer: Writer, routes: Sequence[Route]) -> None:
    writer.start()
    uvicorn.run(
        Starlette(routes=routes),
        port=port,
        loop="uvloop",
        http="httptools",
        log_level="warning",
        lifespan="off",
    )


@contextlib.contextmanager
def serve() -> Iterator[Served]:
    with scratch_folder() as folder:
        database, port = folder / "bare.sqlite", free_port()

        def stored() -> int:
            with contextlib.closing(sqlite3.connect(database)) as db:
                number: int = db.execute(signup_sql.COUNT_GUESTS).fetchone()[0]
                return number

        with running(
            [sys.executable, "-m", "bench.bare", str(port), str(database)], port, "/"
        ) as pid:
            yield Served(
                port=port, pid=pid, folder=folder, page_path="/", signup_path="/", stored=stored
            )


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
