"""A stand-in for Slack: one channel, in the shapes that Slack has published."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from frontdesk.channels.slack.client import signature
from tests.support.salon import Salon
from tests.support.server import FORM, Page
from tests.support.vendor_server import Reply, Request, answering

SHAPES = json.loads((Path(__file__).parent.parent / "connect" / "slack_shapes.json").read_text())
TOKEN = "xoxb-a-token"
SECRET = "a signing secret"
CHANNEL = "C0123456789"
KINDS: Mapping[str, type] = {
    "string": str,
    "boolean": bool,
    "array": list,
    "object": dict,
    "integer": int,
    "number": float,
}
#: All parameters in an address are text.
READ: Mapping[str, Callable[[str], Any]] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": {"true": True, "false": False}.__getitem__,
}


@dataclass
class SlackRoom:
    """Records the messages of the channel by their timestamps and the private messages; fails on
    demand."""

    url: str = ""
    messages: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    whispers: list[tuple[str, str]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    error: str = ""
    status: int = 200
    lose: str = ""
    """A call that is done but gets no answer."""
    refused: int = 0
    """The number of calls while Slack was down."""
    may_look: bool = True
    """Whether the app may read the channel."""

    @property
    def settings(self) -> dict[str, Any]:
        return {
            "slack_api": self.url,
            "slack_token": TOKEN,
            "slack_channel": CHANNEL,
            "slack_signing_secret": SECRET,
        }

    @property
    def texts(self) -> list[str]:
        return [said["text"] for said in self.messages.values()]

    @property
    def last(self) -> Mapping[str, Any]:
        return list(self.messages.values())[-1]

    def take(self, method: str, said: Mapping[str, Any]) -> Mapping[str, Any]:
        shape = SHAPES["methods"][method]
        assert set(shape["required"]) <= set(said) <= set(shape["takes"])
        for name, value in said.items():
            assert isinstance(value, KINDS[shape["takes"][name]]), name
        check_metadata(said.get("metadata"))
        check_blocks(said.get("blocks", []))
        self.asked.append(method)
        if self.error:
            return {"ok": False, "error": self.error}
        if method == "conversations.history" and not self.may_look:
            return {"ok": False, "error": "missing_scope"}
        if said["channel"] != CHANNEL:
            return {"ok": False, "error": "channel_not_found"}
        answer = getattr(self, method.replace(".", "_").lower())(said)
        assert set(shape["answers"]) <= set(answer)
        return dict(answer)

    def chat_postmessage(self, said: Mapping[str, Any]) -> Mapping[str, Any]:
        ts = f"1763255100.{len(self.messages) + 1:06}"
        self.messages[ts] = said
        return {"ok": True, "channel": CHANNEL, "ts": ts, "message": {}}

    def chat_update(self, said: Mapping[str, Any]) -> Mapping[str, Any]:
        if said["ts"] not in self.messages:
            return {
                "ok": False,
                "error": "message_not_found",
                **dict.fromkeys(["channel", "ts", "text"]),
            }
        self.messages[said["ts"]] = said
        return {"ok": True, "channel": CHANNEL, "ts": said["ts"], "text": said["text"]}

    def conversations_history(self, said: Mapping[str, Any]) -> Mapping[str, Any]:
        """Returns the newest first. The metadata of a message is returned only if it is
        requested."""
        shown = "metadata" if said.get("include_all_metadata") else ""
        newest = list(reversed(self.messages.items()))[: said.get("limit", 100)]
        messages = [
            {"type": "message", "ts": ts, "text": message["text"]}
            | ({shown: message[shown]} if shown in message else {})
            for ts, message in newest
        ]
        return {
            "ok": True,
            "messages": messages,
            "has_more": len(newest) < len(self.messages),
            "pin_count": 0,
            "channel_actions_ts": None,
            "channel_actions_count": 0,
        }

    def chat_postephemeral(self, said: Mapping[str, Any]) -> Mapping[str, Any]:
        self.whispers.append((said["user"], said["text"]))
        return {"ok": True, "message_ts": "1763255100.000000"}


def check_metadata(metadata: Mapping[str, Any] | None) -> None:
    """Checks that metadata has a type and a flat payload."""
    if metadata is not None:
        assert set(metadata) == {"event_type", "event_payload"}
        assert isinstance(metadata["event_type"], str)
        assert all(isinstance(each, str) for each in metadata["event_payload"].values())


def check_blocks(blocks: list[Mapping[str, Any]]) -> None:
    """Checks the limits of Slack: 50 blocks, 10 fields of 2,000 characters, 25 buttons of 75."""
    assert len(blocks) <= 50
    for block in blocks:
        match block["type"]:
            case "header":
                check_text(block["text"], 150)
            case "section":
                assert len(block.get("fields", ())) <= 10
                for each in [*block.get("fields", ()), *filter(None, [block.get("text")])]:
                    check_text(each, 2000)
            case "context":
                for each in block["elements"]:
                    check_text(each, 2000)
            case "actions":
                assert 1 <= len(block["elements"]) <= 25
                for each in block["elements"]:
                    check_button(each)
            case kind:
                raise AssertionError(kind)


def check_text(text: Mapping[str, Any], most: int) -> None:
    assert text["type"] in ("plain_text", "mrkdwn")
    assert 1 <= len(text["text"]) <= most
    assert "emoji" not in text or text["type"] == "plain_text"


def check_button(button: Mapping[str, Any]) -> None:
    assert set(button) <= {"type", "text", "action_id", "value", "url", "style", "confirm"}
    assert button["type"] == "button"
    check_text(button["text"], 75)
    assert len(button["action_id"]) <= 255
    assert len(button.get("value", "")) <= 2000
    assert button.get("style", "primary") in ("primary", "danger")
    if confirm := button.get("confirm"):
        check_text(confirm["title"], 100)
        check_text(confirm["text"], 300)
        check_text(confirm["confirm"], 30)
        check_text(confirm["deny"], 30)


def payload(action: str, value: str, user: str = "U01MIA", channel: str = CHANNEL) -> bytes:
    """The payload that Slack sends when somebody presses a button."""
    said = {
        "type": "block_actions",
        "user": {"id": user, "username": "mia", "team_id": "T01"},
        "channel": {"id": channel, "name": "front-desk"},
        "message": {"ts": "1763255100.000001"},
        "response_url": "http://169.254.169.254/latest/meta-data",
        "trigger_id": "1.2.3",
        "actions": [{"type": "button", "action_id": action, "block_id": "b", "value": value}],
    }
    return urlencode({"payload": json.dumps(said)}).encode()


def press(salon: Salon, body: bytes, *, secret: str = SECRET, at: float | None = None) -> Page:
    seconds = str(int(salon.clock.now().timestamp() if at is None else at))
    headers = {
        "content-type": FORM,
        "x-slack-request-timestamp": seconds,
        "x-slack-signature": signature(seconds, body, secret),
    }
    return salon.visitor.send("POST", "/hooks/slack", body, headers)


@contextmanager
def slack() -> Iterator[SlackRoom]:
    room = SlackRoom()

    def asked(path: str) -> Mapping[str, Any]:
        address = urlsplit(path)
        method = address.path.removeprefix("/api/")
        takes = SHAPES["methods"][method]["takes"]
        values = dict(parse_qsl(address.query))
        return room.take(method, {name: READ[takes[name]](values[name]) for name in values})

    def said(request: Request) -> Mapping[str, Any]:
        assert request.headers["content-type"] == "application/json; charset=utf-8"
        return room.take(request.path.removeprefix("/api/"), json.loads(request.body))

    def reply(request: Request) -> Reply | None:
        status: int = room.status
        answer: Mapping[str, Any] = {}
        if status == 200:
            assert request.headers["authorization"] == f"Bearer {TOKEN}"
            answer = asked(request.path) if request.method == "GET" else said(request)
        else:
            room.refused += 1
        if room.lose and room.lose in request.path:
            return None
        is_moved = 300 <= status < 400
        return Reply(status, answer, {"Location": f"{room.url}/elsewhere"} if is_moved else {})

    with answering(reply) as address:
        room.url = f"{address}/api"
        yield room
