"""A clinic whose appointments are in a Google Sheet and whose staff are in Slack, deployed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import SMTP
from pathlib import Path
from typing import Any

from frontdesk.desks.reminders.model import Appointment, AppointmentSource
from frontdesk.desks.reminders.rules_file import EXAMPLE
from frontdesk.features.proposals.model import Proposal, ProposalStatus
from tests.aws.clinic import Clinic
from tests.aws.stack import DOMAIN, SetUp, Stack, Visitor, deployed, desk_on, host, ses_mail
from tests.support.emulator import ACCOUNT
from tests.support.google import RULES_DOC, RULES_FILE, SHEET, Google, exported, google
from tests.support.server import Page
from tests.support.slack import CHANNEL, SECRET, TOKEN, SlackRoom, slack
from tests.support.textract import Recognition, textract

HEADINGS = ["Name", "Mobile", "E-mail", "Service", "Date", "Time", "Notes"]
MAIL = f"ar-raw-mime-{ACCOUNT}"
VERSIONS = f"ar-appointments-source-{ACCOUNT}"
RULES = f"ar-rules-source-{ACCOUNT}"
#: The payload of the schedule `ar-drive-sync`.
LOOK = {"desk": "ar"}


@dataclass
class Practice:
    stack: Stack
    clinic: Clinic
    google: Google
    slack: SlackRoom
    recognition: Recognition

    # The sheet

    def looks(self) -> None:
        """Calls drive-sync as its schedule does."""
        kept = self.stack.scheduler.get_schedule(GroupName="frontdesk", Name="ar-drive-sync")
        assert kept["State"] == "DISABLED", "it would ring in the middle of a test"
        self.stack.invoke("drive-sync", json.loads(kept["Target"]["Input"]))

    def writes(self, *rows: list[Any]) -> None:
        """Adds rows as staff do, and lets the function read the sheet."""
        self.google.rows += list(rows)
        self.google.edited()
        self.looks()

    def row(self, name: str) -> list[Any]:
        return next((row for row in self.google.rows if name in row), [])

    def appointment(self, who: str) -> Appointment:
        """Returns their appointment from the sheet."""
        found = self.clinic.ar.appointments_of(self.clinic.person(who).id)
        [one] = [each for each in found if each.source is AppointmentSource.SHEET]
        return one

    def versions(self) -> list[str]:
        listed = self.stack.s3.list_objects_v2(Bucket=VERSIONS, Prefix="versions/")
        return [each["Key"] for each in listed.get("Contents", ())]

    # The console

    @property
    def console(self) -> str:
        return f"{self.stack.addresses['fd-console']}console/reminders"

    def posts(self, path: str, visitor: Visitor | None = None, **fields: object) -> Page:
        """Sends the form of a page with the fields that the page has."""
        visitor = visitor or host(self.stack)
        shown = visitor.get(f"{self.console}/{path}")
        return visitor.post(f"{self.console}/{path}", **{**shown.fields, **fields})

    # Slack

    def said(self, words: str) -> Mapping[str, Any]:
        """Returns the message in the channel with these words."""
        found = self.stack.until(
            f"{words!r} in Slack",
            lambda: [each for each in list(self.slack.messages.values()) if words in each["text"]],
        )
        return found[-1]

    # Mail

    def forwards(self, body: str, file: bytes = b"", kind: str = "", name: str = "") -> str:
        """Forwards a confirmation as staff do; returns the address of the sender."""
        who = f"staff{os.urandom(3).hex()}"
        email = self.clinic.email(who)
        subject = "Fwd: Your appointment"
        raw = ses_mail(body, "Front desk", email, to=f"remind@{DOMAIN}", subject=subject)
        if file:
            mail = message_from_bytes(raw, policy=SMTP)
            main, _, sub = kind.partition("/")
            mail.add_attachment(file, maintype=main, subtype=sub, filename=name)
            raw = mail.as_bytes()
        self.stack.mail_comes_in(f"{self.clinic.name}-{os.urandom(4).hex()}", raw, MAIL)
        return email

    def proposal(self, sender: str) -> Proposal:
        return self.stack.until(
            f"a proposal of {sender}",
            lambda: [
                each
                for each in self.clinic.ar.proposals(ProposalStatus.OPEN, 50)
                if each.sender == sender
            ],
        )[0]


@contextmanager
def practice(folder: Path, code: Path) -> Iterator[Practice]:
    (folder / "desk").mkdir()
    with slack() as room, google() as drive, textract() as recognition:
        drive.rows = [list(HEADINGS)]
        drive.writes(RULES_FILE, exported(EXAMPLE))
        with deployed(folder, code, _set_up(room, drive, recognition)) as stack:
            _silence(stack)
            back = desk_on(stack, folder / "desk", desks_off="").product
            clinic = Clinic(stack, back, "practice")
            found = Practice(stack, clinic, drive, room, recognition)
            found.looks()  # takes the rules, which tests may replace
            yield found


def _silence(stack: Stack) -> None:
    """Disables the schedule; tests call the function themselves."""
    name = {"GroupName": "frontdesk", "Name": "ar-drive-sync"}
    kept = stack.scheduler.get_schedule(**name)
    assert kept["State"] == "ENABLED"
    fields = ("ScheduleExpression", "FlexibleTimeWindow", "Target")
    same = {each: kept[each] for each in fields}
    stack.scheduler.update_schedule(**name, **same, State="DISABLED")


def _set_up(room: SlackRoom, drive: Google, recognition: Recognition) -> SetUp:
    return SetUp(
        parameters={
            "Reminders": "yes",
            "SlackChannel": CHANNEL,
            "RemindersSheet": SHEET,
            "RemindersRulesDoc": RULES_DOC,
        },
        settings={"/wl/config/slack-api": room.url, "/wl/config/google-api": drive.address},
        secrets={"wl/drive/sa": drive.key},
        hidden={"/wl/slack": json.dumps({"slack-token": TOKEN, "slack-signing-secret": SECRET})},
        environment={"AWS_ENDPOINT_URL_TEXTRACT": recognition.url},
    )
