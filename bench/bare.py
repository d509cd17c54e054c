"""The baseline: page, form and grouped commits on the same server, without product code."""

import asyncio
import contextlib
import queue
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator
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

Answer = asyncio.Future[bool]
Asked = tuple[str, str, Answer]


class Writer:
    """Drains the queue in one thread: one transaction and one fsync for all waiting requests."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.waiting: queue.SimpleQueue[Asked] = queue.SimpleQueue()

    def ask(self, name: str, email: str) -> Answer:
        answer: Answer = asyncio.get_running_loop().create_future()
        self.waiting.put((name, email, answer))
        return answer

    def work(self) -> None:
        while True:
            batch = self.next_batch()
            now = int(time.time())
            self.db.execute("BEGIN IMMEDIATE")
            results = [signup_sql.sign_up(self.db, name, email, now) for name, email, _ in batch]
            self.db.execute("COMMIT")
            answers = [answer for *_, answer in batch]
            answers[0].get_loop().call_soon_threadsafe(settle, answers, results)

    def next_batch(self) -> list[Asked]:
        batch = [self.waiting.get()]
        with contextlib.suppress(queue.Empty):
            while len(batch) < BATCH:
                batch.append(self.waiting.get_nowait())
        return batch


def settle(answers: list[Answer], results: list[bool]) -> None:
    for answer, result in zip(answers, results, strict=True):
        if not answer.done():
            answer.set_result(result)


def app(writer: Writer) -> Starlette:
    async def page(_request: Request) -> Response:
        return HTMLResponse(PAGE)

    async def sign_up(request: Request) -> Response:
        form = dict(parse_qsl((await request.body()).decode()))
        confirmed = await writer.ask(form["name"], form["email"])
        return RedirectResponse("/confirmed" if confirmed else "/waiting", status_code=303)

    return Starlette(
        routes=[Route("/", page, methods=["GET"]), Route("/", sign_up, methods=["POST"])]
    )


def main(port: int, database: Path) -> None:
    writer = Writer(signup_sql.create(database, int(time.time())))
    threading.Thread(target=writer.work, daemon=True).start()
    uvicorn.run(
        app(writer), port=port, loop="uvloop", http="httptools", log_level="warning", lifespan="off"
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
            yield Served(port=port, pid=pid, page_path="/", signup_path="/", stored=stored)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
