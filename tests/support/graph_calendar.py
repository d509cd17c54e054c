"""A stand-in for the calendars of Microsoft Graph. It takes only requests with the paths,
parameters and types that Microsoft publishes, and fails as Graph does."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from frontdesk.connect.calendars.microsoft_account import MicrosoftAccount
from tests.support.vendor_server import Reply, Request, VendorServer

SHAPES = json.loads(
    (Path(__file__).parent.parent / "connect/calendars/graph_shapes.json").read_text()
)
USER = "mia@salon.example"
ACCOUNT = MicrosoftAccount("salon.example", "an-application", "a-secret")
PAGE = 3
_TYPES = {"string": str, "boolean": bool, "number": (int, float)}
_ANY = re.compile(
    r"singleValueExtendedProperties/Any\(ep: ep/id eq '([^']+)' and ep/value eq '([^']+)'\)"
)


class GraphServer(VendorServer):
    def __init__(self) -> None:
        super().__init__()
        self.events: dict[str, dict[str, Any]] = {}
        self.transactions: set[str] = set()
        self.tokens = 0
        self.revoked: set[str] = set()
        self.error: dict[str, str] | None = None
        self.next_host = ""
        self.denied = False

    @property
    def url(self) -> str:
        return f"{self.address}/v1.0"

    # --- what staff do ------------------------------------------------------------------------

    def add(self, **event: Any) -> str:
        number = len(self.events) + 1
        created = f"2026-01-01T00:{number // 60:02}:{number % 60:02}Z"
        return str(self._save({
            "id": f"AAMk=/{number}", "createdDateTime": created, "type": "singleInstance",
            "isAllDay": False, "isCancelled": False, "showAs": "busy", **event,
        })["id"])  # fmt: skip

    def change(self, event_id: str, **event: Any) -> None:
        self._save({**self.events[event_id], **event})

    def _save(self, event: dict[str, Any]) -> dict[str, Any]:
        before = self.events.get(event["id"], {}).get("changeKey", "0")
        event = {**event, "changeKey": str(int(before) + 1)}
        conforms(event, "Event")
        self.events[event["id"]] = event
        return event

    # --- what is asked ------------------------------------------------------------------------

    def reply(self, request: Request) -> Reply:
        if self.is_token(request):
            return self._token(request)
        bearer = request.headers.get("authorization", "")
        if bearer not in {f"Bearer m{each + 1}" for each in range(self.tokens)} - self.revoked:
            return _error(401, "InvalidAuthenticationToken")
        if self.denied:
            return _error(403, "ErrorAccessDenied")
        name, given = allowed_method(request)
        asked = json.loads(request.body) if request.body else None
        if given["user-id"] != USER:
            return _error(404, "ErrorInvalidUser")
        return self._done(name, given, asked, request)

    def _done(self, name: str, given: dict[str, str], asked: Any, request: Request) -> Reply:
        prefer = request.headers.get("prefer", "")
        assert 'outlook.timezone="UTC"' in prefer
        match name:
            case "getSchedule":
                return self._schedule(asked)
            case "calendarView":
                start, end = (_utc(given[each]) for each in ("startDateTime", "endDateTime"))
                found = [event for event in self.events.values() if _touches(event, start, end)]
                return self._page(found, given, request)
            case "events.list":
                return self._page(self._filtered(given["$filter"]), given, request)
            case "events.create":
                return self._create(asked)
            case _:
                condition = request.headers.get("if-match")
                return self._done_to_one(name, given["event-id"], asked, condition)

    def _done_to_one(
        self, name: str, event_id: str, asked: Any, condition: str | None = None
    ) -> Reply:
        event = self.events.get(event_id)
        if event is None:
            return _error(404, "ErrorItemNotFound")
        if condition is not None and condition != f'W/"{event["changeKey"]}"':
            return _error(412, "ErrorIrresolvableConflict")
        match name:
            case "events.get":
                return Reply(200, event)
            case "events.update":
                return Reply(200, self._save({**event, **asked}))
            case _:
                del self.events[event_id]
                return Reply(204)

    def _token(self, request: Request) -> Reply:
        said = dict(parse_qsl(request.body.decode()))
        assert request.path == f"/{ACCOUNT.tenant}/oauth2/v2.0/token"
        assert said["grant_type"] == "client_credentials"
        assert said["scope"] == "https://graph.microsoft.com/.default"
        if said["client_secret"] != ACCOUNT.client_secret:
            return Reply(401, {"error": "invalid_client"})
        self.tokens += 1
        return Reply(200, {"access_token": f"m{self.tokens}", "expires_in": 3599})

    def _create(self, asked: dict[str, Any]) -> Reply:
        assert "attendees" not in asked
        if asked["transactionId"] in self.transactions:
            return _error(409, "ErrorDuplicateTransactionId")
        self.transactions.add(asked["transactionId"])
        event_id = self.add(**asked)
        return Reply(201, self.events[event_id])

    def _filtered(self, condition: str) -> list[dict[str, Any]]:
        found = _ANY.fullmatch(condition)
        assert found, condition
        wanted = {"id": found[1], "value": found[2]}
        events = self.events.values()
        return [each for each in events if wanted in each.get("singleValueExtendedProperties", [])]

    def _page(self, found: list[Any], given: dict[str, str], request: Request) -> Reply:
        first = int(given.get("$skip", "0"))
        answer: dict[str, Any] = {"value": found[first : first + PAGE]}
        if len(found) > first + PAGE:
            path = re.sub(r"&%24skip=\d+", "", request.path)
            host = self.next_host or self.address
            answer["@odata.nextLink"] = f"{host}{path}&%24skip={first + PAGE}"
        return Reply(200, answer)

    def _schedule(self, asked: dict[str, Any]) -> Reply:
        start, end = (_utc(asked[name]["dateTime"]) for name in ("StartTime", "EndTime"))
        if end - start >= timedelta(days=62):
            return _error(400, "ErrorInvalidTimeInterval")
        assert len(asked["Schedules"]) <= 20
        items = [
            {"status": event["showAs"], "start": event["start"], "end": event["end"]}
            for event in self.events.values()
            if _touches(event, start, end)
        ]
        answer: dict[str, Any] = {
            "scheduleId": USER,
            "availabilityView": "",
            "scheduleItems": items,
        }
        if self.error:
            answer = {"scheduleId": USER, "error": self.error}
        conforms(answer, "ScheduleInformation")
        return Reply(200, {"value": [answer]})


def _error(status: int, code: str) -> Reply:
    inner = {"date": "2026-11-17T09:00:00", "request-id": "0"}
    message = "The request failed."
    return Reply(status, {"error": {"code": code, "message": message, "innerError": inner}})


def _utc(text: str) -> datetime:
    return datetime.fromisoformat(text[:19]).replace(tzinfo=UTC)


def _touches(event: dict[str, Any], start: datetime, end: datetime) -> bool:
    return _utc(event["start"]["dateTime"]) < end and _utc(event["end"]["dateTime"]) > start


# --- Microsoft's description ------------------------------------------------------------------


def allowed_method(request: Request) -> tuple[str, dict[str, str]]:
    parts = urlsplit(request.path)
    for name, shape in SHAPES["methods"].items():
        escaped = re.escape(f"/v1.0/{shape['path']}")
        groups = re.sub(r"\\{(\w+)\\-id\\}", r"(?P<\1_id>[^/]+)", escaped)
        found = re.fullmatch(groups, parts.path)
        if found and shape["httpMethod"] == request.method:
            asked = dict(parse_qsl(parts.query))
            assert set(asked) <= set(shape["parameters"]), (name, asked)
            assert set(shape.get("required", ())) <= set(asked)
            _check_body(request, shape.get("request"))
            ids = {
                each.replace("_", "-"): unquote(text) for each, text in found.groupdict().items()
            }
            return name.partition(" ")[0], asked | ids
    raise AssertionError(f"Graph knows no {request.method} {parts.path}")


def _check_body(request: Request, shape: Any) -> None:
    if isinstance(shape, str):
        conforms(json.loads(request.body), shape)
    elif shape:
        for name, value in json.loads(request.body).items():
            conforms(value, shape[name])


def conforms(value: Any, shape: str) -> None:
    """Checks names and types against Microsoft's description."""
    if shape.endswith("[]"):
        assert isinstance(value, list)
        for each in value:
            conforms(each, shape[:-2])
    elif shape in SHAPES["enums"]:
        assert value in SHAPES["enums"][shape]
    elif shape in _TYPES:
        assert isinstance(value, _TYPES[shape]), (value, shape)  # type: ignore[arg-type]
    else:
        assert isinstance(value, dict)
        for name, each in value.items():
            conforms(each, SHAPES["types"][shape][name])
