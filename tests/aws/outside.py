"""Stand-ins for outside systems: Slack, Google, a calendar, and Textract."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frontdesk.channels.slack.client import signature
from frontdesk.desks.waitlist.messages.staff import DOCUMENT
from tests.aws.salon import Salon
from tests.aws.stack import SetUp, Stack, Visitor, deployed, desk_on
from tests.aws.studio import Studio
from tests.support.calendars import Radicale, radicale_server
from tests.support.embeddings import Titan, Vectors, s3_vectors, titan
from tests.support.google import BOOKING_DOC, SHEET, VOICE_DOC, VOICE_FILE, Google, exported, google
from tests.support.server import FORM, Page
from tests.support.slack import CHANNEL, SECRET, TOKEN, SlackRoom, payload, slack
from tests.support.textract import Recognition, textract


@dataclass
class Outside:
    stack: Stack
    studio: Studio
    slack: SlackRoom
    google: Google
    calendar: Radicale
    recognition: Recognition
    salon: Salon
    diary: Radicale
    """The calendar of the salon's stylist, connected as 'sam'."""
    titan: Titan
    vectors: Vectors

    # Slack

    def message(self, says: str) -> Mapping[str, Any]:
        """Returns the message in the channel with this text."""
        found = self.stack.until(
            f"{says!r} in Slack",
            lambda: [each for each in list(self.slack.messages.values()) if says in each["text"]],
        )
        return found[-1]

    def presses(
        self,
        label: str,
        message: Mapping[str, Any],
        *,
        secret: str = SECRET,
        at: float | None = None,
    ) -> Page:
        """Sends the signed request of Slack when somebody presses this button."""
        [button] = [
            each
            for block in message["blocks"]
            for each in block.get("elements", ())
            if each.get("text", {}).get("text") == label
        ]
        body, seconds = payload(button["action_id"], button["value"]), str(int(at or time.time()))
        headers = {
            "content-type": FORM,
            "x-slack-request-timestamp": seconds,
            "x-slack-signature": signature(seconds, body, secret),
        }
        url = f"{self.stack.addresses['slack-press']}hooks/slack"
        return Visitor(self.stack).send("POST", url, body, headers)

    # The sheet

    def row(self, name: str) -> list[Any]:
        return next((row for row in self.google.rows if name in row), [])

    @property
    def names(self) -> list[str]:
        return [row[0] for row in self.google.rows[1:]]


@contextmanager
def outside(folder: Path, code: Path) -> Iterator[Outside]:
    """Deploys the application with everything that can be set up."""
    (folder / "calendar").mkdir()
    (folder / "diary").mkdir()
    (folder / "desk").mkdir()
    with (
        slack() as room,
        google() as sheet,
        radicale_server(folder / "calendar") as calendar,
        radicale_server(folder / "diary") as diary,
        textract() as recognition,
        titan() as bedrock,
        s3_vectors() as vectors,
    ):
        sheet.writes(VOICE_FILE, exported(DOCUMENT.default_text))
        sheet.rows = [["Name", "Mobile", "E-mail", "Service", "Party", "From", "Until"]]
        endpoints = {
            "AWS_ENDPOINT_URL_TEXTRACT": recognition.url,
            "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": bedrock.address,
            "AWS_ENDPOINT_URL_S3VECTORS": vectors.address,
        }
        with deployed(folder, code, _set_up(room, sheet, calendar, diary, endpoints)) as stack:
            bedrock.behind = stack.emulator.url
            _silence(stack)
            back = desk_on(stack, folder / "desk").product
            studio = Studio(stack, back, "outside").given()
            salon = Salon(stack, back, "diary")
            outer = (room, sheet, calendar, recognition, salon, diary, bedrock, vectors)
            yield Outside(stack, studio, *outer)


def _silence(stack: Stack) -> None:
    """Deletes schedules that would fire during a test; tests call these functions themselves."""
    for name in ("wl-drive-sync", "wl-calendar-sync", "bk-calendar", "bk-config-sync"):
        schedule = {"GroupName": "frontdesk", "Name": name}
        assert stack.scheduler.get_schedule(**schedule)["State"] == "ENABLED"
        stack.scheduler.delete_schedule(**schedule)


def _set_up(
    room: SlackRoom,
    sheet: Google,
    calendar: Radicale,
    diary: Radicale,
    endpoints: Mapping[str, str],
) -> SetUp:
    connected = f"""
        [sam]
        kind = "caldav"
        url = "{diary.url}"
        user = "mia"
        password = "secret"
    """
    return SetUp(
        parameters={
            "SlackChannel": CHANNEL,
            "WaitlistSheet": SHEET,
            "VoiceDoc": VOICE_DOC,
            "Calendar": "yes",
            "BookingCalendars": "yes",
            "BookingRulesDoc": BOOKING_DOC,
            "Embeddings": "yes",
        },
        settings={"/wl/config/slack-api": room.url, "/wl/config/google-api": sheet.address},
        secrets={"wl/drive/sa": sheet.key},
        hidden={
            "/wl/slack": json.dumps({"slack-token": TOKEN, "slack-signing-secret": SECRET}),
            "/bk/calendars": json.dumps({"calendars": connected}),
            "/wl/calendar": json.dumps(
                {
                    "calendar-url": calendar.url,
                    "calendar-by": "caldav",
                    "calendar-user": "mia",
                    "calendar-password": "secret",
                }
            ),
        },
        environment=endpoints,
    )
