"""The process of an emulator of AWS, run with the packages of `script/bootstrap emulator`.

Schedules are looked at four times a second. Functions have four times their time-out: many that
start at once on a small machine are slow. It ends with whoever holds its standard input, also if
that one is killed, and takes its folder and the functions that it has started with it.
"""

import asyncio
import json
import os
import shutil
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import hypercorn.asyncio
from ministack.app import app, main
from ministack.core.lambda_runtime import Worker
from ministack.services import scheduler

scheduler._SCHEDULE_TICK_INTERVAL = 0.25
invoke = Worker.invoke
serve = hypercorn.asyncio.serve


def invoke_patiently(worker: Any, *args: Any, **named: Any) -> Any:
    if not hasattr(worker, "patient"):
        worker.patient = True
        worker.config = {**worker.config, "Timeout": 4 * worker.config.get("Timeout", 30)}
    return invoke(worker, *args, **named)


async def serve_with_socket(*args: Any, **named: Any) -> None:
    """Answers in the same event loop over HTTP and at a Unix socket, which costs far less."""
    async with await asyncio.start_unix_server(answer_frames, "socket"):
        await serve(*args, **named)


async def answer_frames(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A frame is its length, its headers in a line of JSON, and a body: see emulator_socket.py."""
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
    Worker.invoke = invoke_patiently
    hypercorn.asyncio.serve = serve_with_socket
    threading.Thread(target=end_with_the_starter, daemon=True).start()
    main()
