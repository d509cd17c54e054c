"""Runs an emulator of AWS in a process, with the packages of `script/bootstrap emulator`.

If functions are deployed, schedules are checked four times a second; otherwise never, since other
tests live on another date and read the schedules that they create. Functions have four times their
time-out, because many that start at once on a small machine are slow. The process reports its open
work (see `answer_work`), so that tests need not guess. It ends when its standard input closes, and
so also when the test process is killed. Its folder and its functions end with it.
"""

import asyncio
import json
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import hypercorn.asyncio
from ministack.app import app, main
from ministack.core import concurrency
from ministack.core.lambda_runtime import Worker
from ministack.services import (
    cloudwatch_logs,
    dynamodb,
    eventbridge,
    lambda_svc,
    s3,
    scheduler,
    sns,
)

IS_FOR_FUNCTIONS = os.environ["AUTH"] == "true"
scheduler._SCHEDULE_TICK_INTERVAL = 0.25 if IS_FOR_FUNCTIONS else 86_400.0
invoke = Worker.invoke
serve = hypercorn.asyncio.serve
#: The threads of these modules deliver messages between services, and call functions.
DELIVERING = (concurrency, cloudwatch_logs, eventbridge, lambda_svc, s3, sns)
#: Threads that never end.
LOOPS = {"_poll_loop", "_loop", "_scheduler_loop", "_ticker_loop"}
WORK = "/_work"


def invoke_patiently(worker: Any, *args: Any, **named: Any) -> Any:
    if not hasattr(worker, "patient"):
        worker.patient = True
        worker.config = {**worker.config, "Timeout": 4 * worker.config.get("Timeout", 30)}
    return invoke(worker, *args, **named)


class Delivery(threading.Thread):
    """A thread that counts while it runs."""

    started = 0
    alive = 0
    lock = threading.Lock()

    def start(self) -> None:
        with self.lock:
            Delivery.started += 1
            Delivery.alive += 1
        super().start()

    def run(self) -> None:
        try:
            super().run()
        finally:
            with self.lock:
                Delivery.alive -= 1


def thread(*args: Any, **named: Any) -> threading.Thread:
    target = getattr(named.get("target"), "__name__", "")
    return (threading.Thread if target in LOOPS else Delivery)(*args, **named)


def count_deliveries() -> None:
    counted = SimpleNamespace(**{**vars(threading), "Thread": thread})
    for service in DELIVERING:
        name = "_threading" if hasattr(service, "_threading") else "threading"
        vars(service)[name] = counted


def work() -> dict[str, int]:
    """Returns the work. `started` grows with each delivery; `open` counts deliveries under way,
    unread records of streams, and due schedules."""
    with Delivery.lock:
        started, alive = Delivery.started, Delivery.alive
    return {"started": started, "open": alive + sum(unread()) + sum(due())}


def unread() -> Iterator[bool]:
    """Yields whether each stream has unread records. A reader that has just failed waits before it
    reads again, which is no work."""
    for key, mapping in list(lambda_svc._esms._data.items()):
        _, _, stream = mapping.get("EventSourceArn", "").partition(":table/")
        table, is_stream, _ = stream.partition("/stream/")
        if is_stream and mapping.get("Enabled", True) and not waits(key):
            account, region, _ = key
            end = dynamodb.stream_end_position(table, account_id=account, region=region)
            yield lambda_svc._dynamodb_stream_positions._data.get(key, 0) < end


def waits(key: Any) -> bool:
    return bool(lambda_svc._esm_backoff_until._data.get(key, 0) > time.time())


def due() -> Iterator[bool]:
    for key, schedule in list(scheduler._schedules._data.items()):
        at = scheduler._at_time_epoch(schedule.get("ScheduleExpression", ""))
        if at is not None and schedule.get("State") == "ENABLED":
            yield at <= time.time() and key not in scheduler._schedule_last_fired


async def answer_work(scope: Any, receive: Any, send: Any) -> None:
    """Answers GET /_work with the work; passes all other requests to the emulator."""
    if scope["type"] != "http" or scope["path"] != WORK:
        await app(scope, receive, send)
        return
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(work()).encode()})


async def serve_with_socket(_app: Any, *args: Any, **named: Any) -> None:
    """Answers in one event loop over HTTP and at a Unix socket, which costs far less."""
    async with await asyncio.start_unix_server(answer_frames, "socket"):
        await serve(answer_work, *args, **named)


async def answer_frames(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answers frames: a length, the headers in a line of JSON, and a body. See
    emulator_socket.py."""
    while size := await reader.read(4):
        size += await reader.readexactly(4 - len(size))
        head, _, body = (await reader.readexactly(int.from_bytes(size, "big"))).partition(b"\n")
        status, headers, answer = await ask(json.loads(head), body)
        frame = json.dumps([status, headers]).encode() + b"\n" + answer
        writer.write(len(frame).to_bytes(4, "big") + frame)
    writer.close()


async def ask(headers: dict[str, str], body: bytes) -> tuple[int, dict[str, str], bytes]:
    """Calls the emulator as its HTTP server does."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/",
        "scheme": "http",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    await app(scope, receive, send)
    answered = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], answered, b"".join(each.get("body", b"") for each in sent[1:])


def end_with_the_starter() -> None:
    sys.stdin.buffer.read()
    shutil.rmtree(Path.cwd(), ignore_errors=True)
    os.killpg(os.getpgrp(), signal.SIGKILL)


if __name__ == "__main__":
    count_deliveries()
    Worker.invoke = invoke_patiently
    hypercorn.asyncio.serve = serve_with_socket
    threading.Thread(target=end_with_the_starter, daemon=True).start()
    main()
