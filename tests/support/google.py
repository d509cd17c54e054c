"""A stand-in for Google: tokens, a file's version, a sheet and documents, in the shapes that Google
documents."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from frontdesk.connect.google_api import GoogleApi, RsaKey, ServiceAccount, read_key
from tests.support.vendor_server import Reply, Request, answering

HERE = Path(__file__).parent.parent / "features" / "sheet_sync"
SHAPES = json.loads((HERE / "google_shapes.json").read_text())
KEY = read_key((HERE / "test_only_key.pem").read_text())
EMAIL = "desk@project.iam.gserviceaccount.com"
FILE = "1AbC_d-e1234"
RULES_FILE = "1RuLeS_d-e5678"
VOICE_FILE = "1VoIcE_d-e9012"
BOOKING_FILE = "1BoOk_d-e3456"
BOOKING_DOC = f"https://docs.google.com/document/d/{BOOKING_FILE}/edit"
BOOKING_TEXT_FILE = f"https://drive.google.com/file/d/{BOOKING_FILE}/view?usp=sharing"
RULES_DOC = f"https://docs.google.com/document/d/{RULES_FILE}/edit?tab=t.0"
VOICE_DOC = f"https://docs.google.com/document/d/{VOICE_FILE}/edit"
SHEET = f"https://docs.google.com/spreadsheets/d/{FILE}/edit"


class Google:
    """Has one spreadsheet with one sheet, and documents by their ids. Calls `before_change` just
    before a change, `before_channel` just before it opens a channel."""

    def __init__(self) -> None:
        self.title = "Anna's list"
        self.rows: list[list[Any]] = []
        self.columns = 26
        self.version = 1
        self.trashed = False
        self.status = 0
        self.asked: list[str] = []
        self.granted: dict[str, list[str]] = {}
        """The scopes of each token, by the header that has it."""
        self.before_change: Callable[[], None] = lambda: None
        self.before_channel: Callable[[], None] = lambda: None
        self.now: Callable[[], float] = time.time
        self.address = ""
        self.documents: dict[str, tuple[int, bytes]] = {}
        """The version of each document, and its text as Google exports it."""
        self.kinds: dict[str, str] = {}
        """The types of documents that are no Google Docs. Google exports only its own types."""
        self.channels: dict[str, Mapping[str, Any]] = {}
        """The open channels of notifications by their ids."""
        self.refuses_channels = False
        self.channel_seconds = 7 * 86_400
        """The longest time for which Google opens a channel."""

    def edited(self) -> None:
        self.version += 1

    # --- what is asked ------------------------------------------------------------------------

    def token(self, body: str) -> Mapping[str, Any]:
        said = {name: values[0] for name, values in parse_qs(body).items()}
        assert said["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer"
        claims = verified(said["assertion"], KEY)
        assert (claims["iss"], claims["aud"]) == (EMAIL, f"{self.address}/token")
        assert 0 < claims["exp"] - claims["iat"] <= 3600
        token = f"t{self.tokens + 1}"
        self.granted[f"Bearer {token}"] = claims["scope"].split()
        return {"access_token": token, "expires_in": 3600, "token_type": "Bearer"}

    @property
    def tokens(self) -> int:
        """Returns how many tokens were requested. Each stays valid for an hour, even after the next
        one."""
        return len(self.granted)

    @property
    def scopes(self) -> list[str]:
        """Returns the scopes of the newest token."""
        return [*self.granted.values()][-1]

    @property
    def key(self) -> str:
        """Returns the file of the service account."""
        return service_key(f"{self.address}/token")

    def writes(self, file_id: str, exported: bytes) -> None:
        """Changes a document as staff do."""
        self.documents[file_id] = (self.documents.get(file_id, (0, b""))[0] + 1, exported)

    def answer(
        self, method: str, url: str, body: str, scopes: list[str]
    ) -> Mapping[str, Any] | bytes:
        name, given = known_method(method, url, scopes)
        self.asked.append(name)
        if given.get("fileId") in self.documents:
            version, exported = self.documents[given["fileId"]]
            kind = self.kinds.get(given["fileId"], "application/vnd.google-apps.document")
            is_file = not kind.startswith("application/vnd.google-apps.")
            if name == "drive.files.export":
                assert given["mimeType"] == "text/plain"
                assert not is_file
                return exported
            if given.get("alt") == "media":
                assert is_file
                return exported
            return {"version": str(version), "trashed": self.trashed, "mimeType": kind}
        if name.startswith(("drive.changes.", "drive.channels.")):
            return self.watched(name, given, json.loads(body or "{}"))
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

    # --- notifications ------------------------------------------------------------------------

    def watched(self, name: str, given: Mapping[str, str], body: Any) -> Mapping[str, Any] | bytes:
        match name:
            case "drive.changes.getStartPageToken":
                return {"kind": "drive#startPageToken", "startPageToken": "417"}
            case "drive.changes.watch":
                self.before_channel()
                conforms(body, "Channel")
                assert (given["pageToken"], body["type"]) == ("417", "web_hook")
                assert body["address"].startswith("https://")
                assert len(body["id"]) <= 64
                assert len(body["token"]) <= 256
                latest = int((self.now() + self.channel_seconds) * 1000)
                expires = min(int(body["expiration"]), latest)
                made = {**body, "kind": "api#channel", "resourceId": f"r-{body['id'][:8]}"}
                self.channels[body["id"]] = {**made, "expiration": str(expires)}
                return self.channels[body["id"]]
            case _:
                conforms(body, "Channel")
                assert self.channels.pop(body["id"])["resourceId"] == body["resourceId"]
                return b""

    def notice(self, channel: Mapping[str, Any], state: str = "change") -> dict[str, str]:
        """Returns the headers of a notification."""
        return {
            "x-goog-channel-id": channel["id"],
            "x-goog-channel-token": channel["token"],
            "x-goog-resource-id": channel["resourceId"],
            "x-goog-resource-uri": f"{self.address}/drive/v3/changes",
            "x-goog-resource-state": state,
            "x-goog-message-number": "1" if state == "sync" else "23",
        }

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


def service_key(token_uri: str) -> str:
    """Returns the file of the service account that gets its tokens there."""
    pem = (HERE / "test_only_key.pem").read_text()
    return json.dumps({"client_email": EMAIL, "private_key": pem, "token_uri": token_uri})


def exported(text: str) -> bytes:
    """Returns the text as Google exports it: a byte order mark, CRLF, round quotes."""
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
    """Checks that Google has this method with these parameters, and that the scopes allow it."""
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
    """Checks names and types against Google's description."""
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

    def reply(request: Request) -> Reply:
        body = request.body.decode()
        denies_the_file = stand_in.status in (403, 404)
        if request.path == "/token" and (denies_the_file or not stand_in.status):
            return Reply(200, stand_in.token(body))
        if stand_in.status:
            return Reply(stand_in.status, {})
        scopes = stand_in.granted.get(request.headers.get("authorization", ""))
        if scopes is None:
            return Reply(401, {})
        answer = stand_in.answer(request.method, request.path, body, scopes)
        if stand_in.refuses_channels and "/changes/watch" in request.path:
            stand_in.channels.clear()
            return Reply(401, {})
        return Reply(204 if answer == b"" else 200, answer)

    with answering(reply) as stand_in.address:
        yield stand_in


def api(stand_in: Google, clock: Callable[[], float] = time.time) -> GoogleApi:
    account = ServiceAccount(EMAIL, KEY, f"{stand_in.address}/token")
    return GoogleApi(account, sheets=stand_in.address, drive=stand_in.address, clock=clock)
