"""A stand-in for Google: tokens, a file's version, a sheet and documents, in the shapes that Google
names."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from frontdesk.connect.google_api import Account, GoogleApi
from frontdesk.connect.rs256 import RsaKey, read_key

HERE = Path(__file__).parent.parent / "features" / "sheet_sync"
SHAPES = json.loads((HERE / "google_shapes.json").read_text())
KEY = read_key((HERE / "test_only_key.pem").read_text())
EMAIL = "desk@project.iam.gserviceaccount.com"
FILE = "1AbC_d-e1234"
RULES_FILE = "1RuLeS_d-e5678"
VOICE_FILE = "1VoIcE_d-e9012"
RULES_DOC = f"https://docs.google.com/document/d/{RULES_FILE}/edit?tab=t.0"
VOICE_DOC = f"https://docs.google.com/document/d/{VOICE_FILE}/edit"
SHEET = f"https://docs.google.com/spreadsheets/d/{FILE}/edit"


class Google:
    """One spreadsheet with one sheet, and documents by their ids. `before_change` is what happens
    just before a change."""

    def __init__(self) -> None:
        self.title = "Anna's list"
        self.rows: list[list[Any]] = []
        self.columns = 26
        self.version = 1
        self.trashed = False
        self.status = 0
        self.asked: list[str] = []
        self.tokens = 0
        self.before_change: Callable[[], None] = lambda: None
        self.address = ""
        self.documents: dict[str, tuple[int, bytes]] = {}
        """The version of each, and what Google exports."""

    def edited(self) -> None:
        self.version += 1

    # --- what is asked ------------------------------------------------------------------------

    def token(self, body: str) -> Mapping[str, Any]:
        said = {name: values[0] for name, values in parse_qs(body).items()}
        assert said["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer"
        claims = verified(said["assertion"], KEY)
        assert (claims["iss"], claims["aud"]) == (EMAIL, f"{self.address}/token")
        assert 0 < claims["exp"] - claims["iat"] <= 3600
        self.scopes = claims["scope"].split()
        self.tokens += 1
        return {"access_token": f"t{self.tokens}", "expires_in": 3600, "token_type": "Bearer"}

    def knows(self, authorization: str | None) -> bool:
        """Each token is good for an hour, whoever has asked for another meanwhile."""
        return authorization in {f"Bearer t{each + 1}" for each in range(self.tokens)}

    @property
    def key(self) -> str:
        """The file of the service account."""
        pem = (HERE / "test_only_key.pem").read_text()
        token_uri = f"{self.address}/token"
        return json.dumps({"client_email": EMAIL, "private_key": pem, "token_uri": token_uri})

    def writes(self, file_id: str, exported: bytes) -> None:
        """Staff edit a document."""
        self.documents[file_id] = (self.documents.get(file_id, (0, b""))[0] + 1, exported)

    def answer(self, method: str, url: str, body: str) -> Mapping[str, Any] | bytes:
        name, given = known_method(method, url, self.scopes)
        self.asked.append(name)
        if given.get("fileId") in self.documents:
            version, exported = self.documents[given["fileId"]]
            if name == "drive.files.export":
                assert given["mimeType"] == "text/plain"
                return exported
            return {"version": str(version), "trashed": self.trashed}
        assert given.get("fileId", given.get("spreadsheetId")) == FILE
        match name:
            case "drive.files.get":
                return {"version": str(self.version), "trashed": self.trashed}
            case "sheets.spreadsheets.get":
                grid = {"columnCount": self.columns}
                page = {"sheetId": 7, "title": self.title, "gridProperties": grid}
                hidden = {"sheetId": 1, "title": "Old", "hidden": True}
                return {"sheets": [{"properties": hidden}, {"properties": page}]}
            case "sheets.spreadsheets.values.get":
                assert given["range"] == "'Anna''s list'"
                assert given["valueRenderOption"] == "UNFORMATTED_VALUE"
                return {"values": self.rows} if self.rows else {}
            case _:
                self.change(json.loads(body))
                return {"spreadsheetId": FILE, "replies": []}

    # --- changes ------------------------------------------------------------------------------

    def change(self, body: Any) -> None:
        conforms(body, "BatchUpdateSpreadsheetRequest")
        self.before_change()
        for request in body["requests"]:
            ((kind, asked),) = request.items()
            getattr(self, f"_{kind}")(asked)
        self.edited()

    def _appendDimension(self, asked: Any) -> None:  # noqa: N802 - Google's name
        assert (asked["sheetId"], asked["dimension"]) == (7, "COLUMNS")
        self.columns += asked["length"]

    def _updateCells(self, asked: Any) -> None:  # noqa: N802 - Google's name
        start = asked["start"]
        assert start["sheetId"] == 7
        for down, row in enumerate(asked["rows"]):
            for right, cell in enumerate(row["values"]):
                self._put(start["rowIndex"] + down, start["columnIndex"] + right, cell)

    def _appendCells(self, asked: Any) -> None:  # noqa: N802 - Google's name
        assert asked["sheetId"] == 7
        below = len(self.rows)
        for down, row in enumerate(asked["rows"]):
            for right, cell in enumerate(row["values"]):
                self._put(below + down, right, cell)

    def _put(self, line: int, place: int, cell: Mapping[str, Any]) -> None:
        assert place < self.columns, "beyond the grid"
        self.rows += [[] for _ in range(line + 1 - len(self.rows))]
        self.rows[line] += [""] * (place + 1 - len(self.rows[line]))
        said = cell.get("userEnteredValue", {})
        assert "formulaValue" not in said
        self.rows[line][place] = next(iter(said.values()), "")


def exported(text: str) -> bytes:
    """As Google exports a document: a byte order mark, CRLF, round quotes."""
    return ("\ufeff" + text.replace("'", "\u2019").replace("\n", "\r\n")).encode()


def verified(token: str, key: RsaKey) -> Mapping[str, Any]:
    head, said, signature = token.split(".")
    number = pow(int.from_bytes(_decoded(signature), "big"), key.e, key.n)
    digest = hashlib.sha256(f"{head}.{said}".encode()).digest()
    assert number.to_bytes(256, "big").endswith(digest)
    assert json.loads(_decoded(head)) == {"alg": "RS256"}
    claims: Mapping[str, Any] = json.loads(_decoded(said))
    return claims


def _decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def known_method(method: str, url: str, scopes: list[str]) -> tuple[str, dict[str, str]]:
    """One of Google's, asked for as it may be, by whom it may."""
    parts = urlsplit(url)
    for name, shape in SHAPES["methods"].items():
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/:]+)", re.escape(f"/{shape['path']}"))
        found = re.fullmatch(pattern, parts.path)
        if found and shape["httpMethod"] == method:
            asked = {each: values[0] for each, values in parse_qs(parts.query).items()}
            given = asked | {each: unquote(text) for each, text in found.groupdict().items()}
            for each, text in given.items():
                allowed = shape["parameters"][each]
                assert not isinstance(allowed, list) or text in allowed
            assert set(scopes) & set(shape["scopes"])
            return name, given
    raise AssertionError(f"Google knows no {method} {parts.path}")


def conforms(value: Any, shape: Any) -> None:
    """Names and types as Google has them."""
    match shape:
        case [str(inner)] if inner in SHAPES["schemas"]:
            for each in value:
                conforms(each, inner)
        case list():
            assert value in shape
        case "string" | "integer" | "boolean" | "number":
            kinds = {"string": str, "integer": int, "boolean": bool, "number": (int, float)}
            assert isinstance(value, kinds[shape]), (value, shape)  # type: ignore[arg-type]
        case _:
            for name, inner in value.items():
                conforms(inner, SHAPES["schemas"][shape][name])


@contextmanager
def google() -> Iterator[Google]:
    stand_in = Google()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._reply()

        def do_POST(self) -> None:
            self._reply()

        def _reply(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            status, answer = self._answer(body)
            data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def _answer(self, body: str) -> tuple[int, Mapping[str, Any] | bytes]:
            try:
                if stand_in.status:
                    return stand_in.status, {}
                if self.path == "/token":
                    return 200, stand_in.token(body)
                if not stand_in.knows(self.headers["Authorization"]):
                    return 401, {}
                return 200, stand_in.answer(self.command, self.path, body)
            except Exception as wrong:
                wrongs.append(wrong)
                return 500, {}

        def log_message(self, *_: Any) -> None:
            pass

    wrongs: list[Exception] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stand_in.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield stand_in
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert wrongs == []


def api(stand_in: Google, clock: Callable[[], float] = time.time) -> GoogleApi:
    account = Account(EMAIL, KEY, f"{stand_in.address}/token")
    return GoogleApi(account, sheets=stand_in.address, drive=stand_in.address, clock=clock)
