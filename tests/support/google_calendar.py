"""A stand-in for Google Calendar v3. It takes only requests that Google's own description allows,
and fails as Google does."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from frontdesk.connect.google_api import ServiceAccount
from tests.support.google import EMAIL, KEY, verified
from tests.support.vendor_server import Reply, Request, VendorServer

SHAPES = json.loads(
    (Path(__file__).parent.parent / "connect/calendars/google_calendar_shapes.json").read_text()
)
CALENDAR = "mia@salon.example"
PAGE = 3
"""The events of a page: few, so that a list has several pages."""
_TYPES = {"string": str, "integer": int, "boolean": bool, "number": (int, float)}


class GoogleCalendarServer(VendorServer):
    def __init__(self) -> None:
        super().__init__()
        self.events: dict[str, dict[str, Any]] = {}
        self.scopes: list[str] = []
        self.subject: str | None = None
        self.tokens = 0
        self.revoked: set[str] = set()
        self.role = "writer"
        self.errors: list[dict[str, str]] = []
        self.channels: dict[str, dict[str, Any]] = {}
        """The open channels of notifications, by id."""
        self._version = 0

    @property
    def account(self) -> ServiceAccount:
        return ServiceAccount(EMAIL, KEY, f"{self.address}/token")

    # --- what staff do ------------------------------------------------------------------------

    def add(self, event_id: str, **event: Any) -> None:
        self._save({"id": event_id, "status": "confirmed", **event})

    def change(self, event_id: str, **event: Any) -> None:
        self._save({**self.events[event_id], **event})

    def _save(self, event: dict[str, Any]) -> dict[str, Any]:
        self._version += 1
        event = {**event, "kind": "calendar#event", "etag": f'"{self._version}"'}
        conforms(event, "Event")
        self.events[event["id"]] = event
        return event

    # --- what is asked ------------------------------------------------------------------------

    def reply(self, request: Request) -> Reply:
        if self.is_token(request):
            return self._token(request)
        bearer = request.headers.get("authorization", "")
        if bearer not in {f"Bearer t{each + 1}" for each in range(self.tokens)} - self.revoked:
            return _error(401, "authError", "Invalid Credentials")
        name, given = allowed_method(request, self.scopes)
        asked = json.loads(request.body) if request.body else None
        shape = SHAPES["methods"][name]["request"]
        if shape:
            conforms(asked, shape)
        if given.get("calendarId", CALENDAR) != CALENDAR:
            return _error(404, "notFound", "Not Found")
        return self._done(name, given, asked, request)

    def _done(self, name: str, given: dict[str, str], asked: Any, request: Request) -> Reply:
        if name in WRITERS:
            assert given["sendUpdates"] == "none"
            assert "attendees" not in (asked or {})
            if self.role != "writer":
                message = "You need to have writer access to this calendar."
                return _error(403, "requiredAccessLevel", message)
        match name.rpartition(".")[2]:
            case "query":
                return self._free_busy(asked)
            case "list":
                return self._list(given, request)
            case "insert":
                return self._insert(asked)
            case "watch":
                return self._watch(asked)
            case "stop":
                return self._stop(asked)
            case method:
                condition = request.headers.get("if-match")
                return self._done_to_one(method, given["eventId"], asked, condition)

    def _watch(self, asked: dict[str, Any]) -> Reply:
        assert asked["type"] == "web_hook"
        if not asked["address"].startswith("https://"):
            return _error(400, "push.webhookUrlNotHttps", "WebHook callback must be HTTPS")
        if asked["id"] in self.channels:
            return _error(400, "channelIdNotUnique", "Channel id not unique")
        self.channels[asked["id"]] = asked
        made = {"kind": "api#channel", "id": asked["id"], "resourceId": f"r-{asked['id']}"}
        reply = {**made, "expiration": asked["expiration"], "token": asked["token"]}
        conforms(reply, "Channel")
        return Reply(200, reply)

    def _stop(self, asked: dict[str, Any]) -> Reply:
        if asked["resourceId"] != f"r-{asked['id']}" or asked["id"] not in self.channels:
            return _error(404, "notFound", "Channel not found")
        del self.channels[asked["id"]]
        return Reply(204)

    def _done_to_one(
        self, method: str, event_id: str, asked: Any, condition: str | None = None
    ) -> Reply:
        found = self.events.get(event_id)
        if found is None:
            return _error(404, "notFound", "Not Found")
        if condition is not None and condition != found["etag"]:
            return _error(412, "conditionNotMet", "Precondition Failed")
        match method:
            case "get":
                return _event(found)
            case "patch" if found["status"] == "cancelled":
                return _error(403, "forbidden", "Forbidden")
            case "patch":
                return _event(self._save({**found, **asked}))
            case "delete" if found["status"] == "cancelled":
                return _error(410, "deleted", "Resource has been deleted")
            case _:
                self._save({**found, "status": "cancelled"})
                return Reply(204)

    def _token(self, request: Request) -> Reply:
        said = dict(parse_qsl(request.body.decode()))
        claims = verified(said["assertion"], KEY)
        assert (claims["iss"], claims["aud"]) == (EMAIL, f"{self.address}/token")
        if self.subject is not None and claims.get("sub", "") != self.subject:
            return Reply(401, {"error": "unauthorized_client"})
        self.scopes = claims["scope"].split()
        self.tokens += 1
        return Reply(200, {"access_token": f"t{self.tokens}", "expires_in": 3600})

    def _insert(self, asked: dict[str, Any]) -> Reply:
        assert re.fullmatch("[a-v0-9]{5,1024}", asked["id"])
        if asked["id"] in self.events:
            return _error(409, "duplicate", "The requested identifier already exists.")
        return _event(self._save({"status": "confirmed", **asked}))

    def _list(self, given: dict[str, str], request: Request) -> Reply:
        assert given["singleEvents"] == "true"
        assert int(given["maxResults"]) <= 2500
        etag = f'"list-{self._version}"'
        if request.headers.get("if-none-match") == etag:
            return Reply(304)
        start, end = (datetime.fromisoformat(given[name]) for name in ("timeMin", "timeMax"))
        found = [event for event in self.events.values() if _touches(event, start, end)]
        found = [event for event in found if event["status"] != "cancelled"]
        if wanted := given.get("privateExtendedProperty"):
            name, _, value = wanted.partition("=")
            found = [event for event in found if _private(event).get(name) == value]
        first = int(given.get("pageToken", "0"))
        answer = {
            "kind": "calendar#events",
            "accessRole": self.role,
            "items": found[first : first + PAGE],
        }
        if len(found) > first + PAGE:
            answer["nextPageToken"] = str(first + PAGE)
        conforms(answer, "Events")
        return Reply(200, answer, {"ETag": etag})

    def _free_busy(self, asked: dict[str, Any]) -> Reply:
        start, end = (datetime.fromisoformat(asked[name]) for name in ("timeMin", "timeMax"))
        if end - start > timedelta(days=90):
            return _error(400, "timeRangeTooLong", "The requested time range is too long.")
        calendars: dict[str, Any] = {}
        for item in asked["items"]:
            busy = [
                {"start": _at(event, "start").isoformat(), "end": _at(event, "end").isoformat()}
                for event in self.events.values()
                if event["status"] != "cancelled"
                and event.get("transparency") != "transparent"
                and _touches(event, start, end)
            ]
            known = item["id"] == CALENDAR and not self.errors
            missing = self.errors or [{"domain": "global", "reason": "notFound"}]
            calendars[item["id"]] = {"busy": busy} if known else {"errors": missing, "busy": []}
        answer = {"kind": "calendar#freeBusy", "calendars": calendars}
        conforms(answer, "FreeBusyResponse")
        return Reply(200, answer)


WRITERS = tuple(f"calendar.events.{name}" for name in ("insert", "patch", "delete"))


def _event(event: dict[str, Any]) -> Reply:
    return Reply(200, event, {"ETag": event["etag"]})


def _error(status: int, reason: str, message: str) -> Reply:
    errors = [{"domain": "global", "reason": reason, "message": message}]
    return Reply(status, {"error": {"errors": errors, "code": status, "message": message}})


def _private(event: dict[str, Any]) -> dict[str, str]:
    private: dict[str, str] = event.get("extendedProperties", {}).get("private", {})
    return private


def _at(event: dict[str, Any], name: str) -> datetime:
    found = event[name]
    if "date" in found:
        return datetime.fromisoformat(found["date"]).replace(tzinfo=UTC)
    return datetime.fromisoformat(found["dateTime"])


def _touches(event: dict[str, Any], start: datetime, end: datetime) -> bool:
    return _at(event, "start") < end and _at(event, "end") > start


# --- Google's description ---------------------------------------------------------------------


def allowed_method(request: Request, scopes: list[str]) -> tuple[str, dict[str, str]]:
    parts = urlsplit(request.path)
    for name, shape in SHAPES["methods"].items():
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(f"/{shape['path']}"))
        found = re.fullmatch(pattern, parts.path)
        if found and shape["httpMethod"] == request.method:
            given = dict(parse_qsl(parts.query)) | {
                each: unquote(text) for each, text in found.groupdict().items()
            }
            for each, text in given.items():
                _allowed(text, shape["parameters"][each])
            assert set(shape["required"]) <= set(given)
            assert set(scopes) & set(shape["scopes"]), (name, scopes)
            return name, given
    raise AssertionError(f"Google knows no {request.method} {parts.path}")


def _allowed(text: str, shape: Any) -> None:
    match shape:
        case {"enum": names}:
            assert text in names
        case "integer":
            int(text)
        case "boolean":
            assert text in ("true", "false")
        case "string:date-time":
            assert datetime.fromisoformat(text).tzinfo
        case _:
            assert text


def conforms(value: Any, shape: Any) -> None:
    """Checks names and types against Google's description."""
    match shape:
        case [inner]:
            assert isinstance(value, list)
            for each in value:
                conforms(each, inner)
        case {"enum": names}:
            assert value in names
        case {"*": inner}:
            for each in value.values():
                conforms(each, inner)
        case dict():
            assert isinstance(value, dict)
            for name, each in value.items():
                conforms(each, shape[name])
        case "string:date-time":
            assert datetime.fromisoformat(value).tzinfo
        case "string:date":
            assert re.fullmatch(r"\d{4}-\d\d-\d\d", value)
        case str() if shape in _TYPES:
            assert isinstance(value, _TYPES[shape]), (value, shape)  # type: ignore[arg-type]
        case _:
            conforms(value, SHAPES["schemas"][shape])
