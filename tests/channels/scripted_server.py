"""A mail server with the answers of a test: also invalid, late or missing ones."""

import contextlib
import socket
import threading
from typing import BinaryIO, Final, Self

HANG_UP: Final = "hang up"
SILENCE: Final = "silence"

POLITE = {
    "GREETING": "220 ready",
    "EHLO": "250 hello",
    "HELO": "250 hello",
    "MAIL": "250 ok",
    "RCPT": "250 ok",
    "DATA": "354 go on",
    "BODY": "250 taken",
    "AUTH": "235 welcome",
}


class ScriptedServer:
    """Plays a script for each connection. `heard` has the lines that it received, `mails` the
    mails, even those that it did not accept.

    A script maps a command (or GREETING, or BODY for a whole mail) to an answer. Each connection
    uses the next of `scripts`; the last one repeats.
    """

    host = "127.0.0.1"

    def __init__(self, *scripts: dict[str, str]) -> None:
        self._scripts = scripts or ({},)
        self.heard: list[str] = []
        self.mails: list[bytes] = []
        self.connections = 0
        self._socket = socket.create_server((self.host, 0))
        self._socket.settimeout(60)
        self.port: int = self._socket.getsockname()[1]
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        with contextlib.suppress(OSError):
            socket.create_connection((self.host, self.port), timeout=5).close()
        self._thread.join(timeout=10)
        self._socket.close()

    def _serve(self) -> None:
        while not self._done.is_set():
            connection, _ = self._socket.accept()
            if self._done.is_set():
                connection.close()
                return
            script = POLITE | self._scripts[min(self.connections, len(self._scripts) - 1)]
            self.connections += 1
            connection.settimeout(60)
            with connection, contextlib.suppress(OSError):
                self._talk(connection, script)

    def _talk(self, connection: socket.socket, script: dict[str, str]) -> None:
        lines = connection.makefile("rb")
        step = "GREETING"
        while True:
            answer = script.get(step, "250 ok")
            if answer == HANG_UP:
                return
            if answer == SILENCE:
                lines.read()  # until the client gives up
                return
            connection.sendall(answer.encode() + b"\r\n")
            if step == "DATA" and answer.startswith("354"):
                self.mails.append(_body(lines))
                step = "BODY"
                continue
            said = lines.readline().decode()
            if not said:
                return
            self.heard.append(said.strip())
            step = said.split()[0].upper()


def _body(lines: BinaryIO) -> bytes:
    found = b""
    while (line := lines.readline()) not in (b".\r\n", b""):
        found += line
    return found
