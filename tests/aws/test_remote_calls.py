"""Calls to outside systems and other functions: Slack, a sheet and a calendar."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from frontdesk.aws.calendar_sync import calendar_sync
from frontdesk.aws.console import RemoteCalendar, RemoteSheetSync
from frontdesk.aws.container import deployment
from frontdesk.aws.drive_sync import drive_sync
from frontdesk.aws.jobs import slack_post
from frontdesk.aws.remote_calls import FAILED, LONGER, CallAndWait, CallFailed, call_and_wait
from frontdesk.aws.waitlist.slack_press import slack_press
from frontdesk.channels.slack.client import signature
from frontdesk.core.decision import Accepted
from frontdesk.core.mail import MailId
from frontdesk.desks.waitlist.changes import AddProposal
from frontdesk.errors import BadSettings
from frontdesk.features.calendars.state import SyncUnknown
from frontdesk.features.proposals.model import Proposal, ProposalId
from frontdesk.features.sheet_sync.model import Counts, SheetProblem, SyncReport
from frontdesk.features.slack.news import PostToSlack
from frontdesk.settings import secret_settings
from frontdesk.store.dynamodb.schema import FD_JOBS
from tests.aws.cloud import Cloud
from tests.aws.cloud import cloud as cloud
from tests.aws.payloads import Context, Recorder, refusal, request, stream
from tests.support.dynamodb import needs_dynamodb
from tests.support.google import SHEET
from tests.support.server import FORM
from tests.support.slack import CHANNEL, SECRET, TOKEN, SlackRoom, payload, slack

pytestmark = needs_dynamodb
SAYS = "ann@example.org asks for a place on the waitlist."


@pytest.fixture
def give(cloud: Cloud) -> Iterator[Callable[..., None]]:
    """Yields a function that saves settings by their names."""
    ssm, given = cloud.clients["ssm"], []

    def give(**settings: str) -> None:
        for name, value in settings.items():
            path = f"/{cloud.tables.prefix}config/{name.replace('_', '-')}"
            ssm.put_parameter(Name=path, Value=value, Type="String", Overwrite=True)
            given.append(path)

    yield give
    ssm.delete_parameters(Names=given)


@pytest.fixture
def room(
    cloud: Cloud, give: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> Iterator[SlackRoom]:
    """Sets Slack up, with secrets in an encrypted parameter."""
    with slack() as one:
        give(slack_channel=CHANNEL, slack_api=one.url)
        name, ssm = f"/{cloud.tables.prefix}slack", cloud.clients["ssm"]
        known = json.dumps({"slack-token": TOKEN, "slack-signing-secret": SECRET})
        ssm.put_parameter(Name=name, Value=known, Type="SecureString")
        monkeypatch.setenv("FRONTDESK_SECRET_SETTINGS", name)
        yield one
        ssm.delete_parameter(Name=name)


# --- Slack ------------------------------------------------------------------------------------


def to_be_said(cloud: Cloud) -> dict[str, Any]:
    """Posts a request to Slack; returns the batch of the stream of jobs."""
    engine, now = deployment().back.engine, cloud.clock.now()
    proposal = Proposal(ProposalId("p1"), MailId("m1"), "ann@example.org", now, ())
    engine.store.commit(Accepted((AddProposal(proposal),)), by="test", at=now)
    engine.run(PostToSlack("wl", "slack-request", "p1"), by="test", now=now)
    return stream(FD_JOBS, *((None, row) for row in cloud.rows(FD_JOBS)))


def waiting(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Moves the clock instead of sleeping; returns the pauses."""
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        cloud.clock.move_to(cloud.clock.now() + timedelta(seconds=seconds))

    monkeypatch.setattr("frontdesk.aws.jobs.time.sleep", sleep)
    return slept


@pytest.mark.spec("FD-02")
def test_while_slack_is_away_it_is_waited_for_as_long_as_a_run_may_last(
    cloud: Cloud, room: SlackRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept, said = waiting(cloud, monkeypatch), to_be_said(cloud)
    room.status = 503

    class ShortOfTime(Context):
        def get_remaining_time_in_millis(self) -> int:
            return 60_000 - round(1_000 * sum(slept))

    answer = slack_post(said, ShortOfTime())

    sequence = said["Records"][0]["dynamodb"]["SequenceNumber"]
    assert answer == {"batchItemFailures": [{"itemIdentifier": sequence}]}
    assert (slept, room.messages) == ([5.0, 10.0, 20.0], {})

    room.status = 200
    assert slack_post(said, Context()) == {"batchItemFailures": []}
    assert (slept[3:], room.texts) == ([], [SAYS])
    assert slack_post(said, Context()) == {"batchItemFailures": []}
    assert room.texts == [SAYS]


@pytest.mark.spec("FD-07")
def test_a_post_that_slack_always_refuses_is_a_dead_letter_and_is_not_retried(
    cloud: Cloud, room: SlackRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept, said = waiting(cloud, monkeypatch), to_be_said(cloud)
    room.status = 503

    assert slack_post(said, Context(left_ms=900_000)) == {"batchItemFailures": []}

    assert slept == [5, 10, 20, 40, 80, 160, 300, 300, 300]
    [letter] = deployment().back.engine.reads().engine.dead_letters(10)
    assert (letter.what, letter.why) == ("job", "SlackUnavailable: Slack answers with 503")


@pytest.mark.spec("FD-28")
def test_a_press_is_taken_with_its_secret_alone(cloud: Cloud, room: SlackRoom) -> None:
    to_be_said(cloud)
    seconds, body = str(int(cloud.clock.now().timestamp())), payload("wl.discard", "p1")

    def press(secret: str) -> int:
        signed = signature(seconds, body, secret)
        headers = {"content-type": FORM, "x-slack-request-timestamp": seconds}
        headers["x-slack-signature"] = signed
        asked = request("POST", "/hooks/slack", headers=headers, body=body.decode())
        return int(slack_press(asked, Context())["statusCode"])

    assert [press("another"), press(SECRET), press(SECRET)] == [401, 200, 409]


def test_without_slack_its_route_does_not_exist(cloud: Cloud) -> None:
    asked = request("POST", "/hooks/slack", headers={"content-type": FORM}, body="payload={}")
    assert slack_press(asked, Context())["statusCode"] == 404


# --- secrets that are settings ----------------------------------------------------------------


@pytest.mark.spec("FD-19")
@pytest.mark.parametrize("secret", ["", "xoxb-1", "[]", '{"slack-token": 7}'])
def test_a_secret_that_holds_no_settings_is_refused_without_being_quoted(secret: str) -> None:
    with pytest.raises(BadSettings) as raised:
        secret_settings("/wl/slack", secret)
    assert str(raised.value) == "The parameter /wl/slack should be a JSON object of texts."


@pytest.mark.spec("FD-19")
def test_a_function_without_the_name_of_a_secret_reads_none(
    cloud: Cloud, give: Callable[..., None]
) -> None:
    give(slack_channel=CHANNEL)
    assert (deployment().settings.slack_channel, deployment().settings.slack_token) == (CHANNEL, "")


@pytest.mark.spec("FD-19")
def test_a_secret_that_nobody_has_made_yet_holds_up_nothing_else(
    cloud: Cloud, give: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    give(slack_channel=CHANNEL)
    monkeypatch.setenv("FRONTDESK_SECRET_SETTINGS", f"/{cloud.tables.prefix}none")
    assert (deployment().settings.slack_channel, deployment().settings.slack_token) == (CHANNEL, "")


# --- a sheet and a calendar -------------------------------------------------------------------


@pytest.mark.spec("WL-02")
def test_a_sheet_whose_key_is_missing_is_shown_to_staff_as_such(
    cloud: Cloud, give: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    give(waitlist_sheet=SHEET)
    monkeypatch.setenv("FRONTDESK_DRIVE_SECRET", f"{cloud.tables.prefix}none")
    why = f"There is no key to Google Drive in {cloud.tables.prefix}none."

    assert drive_sync({}, Context()) is None
    assert deployment().back.engine.reads().desk("wl").sheet.state().trouble == why
    asked = RemoteSheetSync(lambda _name, payload: drive_sync(payload, Context()), "wl")
    assert asked.sync(by="member:1") == SyncReport(trouble=why)
    assert asked.go_back(1, by="member:1") == SyncReport(trouble="There is no such version.")


def test_without_a_calendar_there_is_nothing_to_do(cloud: Cloud) -> None:
    assert calendar_sync({}, Context()) == {"did": False}


def answering(*answers: Any) -> tuple[Recorder, CallAndWait]:
    function = Recorder("lambda", list(answers))
    return function, lambda name, payload: call_and_wait(lambda _service: function, name, payload)


def says(what: Any, **more: str) -> dict[str, Any]:
    return {"StatusCode": 200, "Payload": io.BytesIO(json.dumps(what).encode()), **more}


@pytest.mark.spec("WL-02")
def test_the_console_shows_what_drive_sync_found_and_did() -> None:
    found = {"counts": {"joined": 1}, "problems": [{"line": 3, "column": "Until", "text": "No."}]}
    function, ask = answering(says(found))

    report = RemoteSheetSync(ask, "wl").sync(by="member:1")

    assert report == SyncReport(Counts(joined=1), (SheetProblem(3, "Until", "No."),))
    [(name, asked)] = function.calls
    assert (name, asked["FunctionName"]) == ("invoke", "drive-sync")
    assert json.loads(asked["Payload"]) == {
        "ask": "sync",
        "desk": "wl",
        "by": "member:1",
        "let_go": [],
    }


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (says({"errorMessage": "Task timed out"}, FunctionError="Unhandled"), FAILED),
        (refusal("TooManyRequestsException", status=429), FAILED),
        ({"StatusCode": 200, "Payload": io.BytesIO(b"<html>")}, FAILED),
        (ReadTimeoutError(endpoint_url="https://lambda"), LONGER),
    ],
)
def test_a_function_that_does_not_answer_is_called_once_and_staff_are_told(
    answer: Any, why: str
) -> None:
    function, ask = answering(answer)

    assert RemoteSheetSync(ask, "wl").go_back(1, by="member:1") == SyncReport(trouble=why)
    assert len(function.calls) == 1


def test_a_calendar_that_nobody_has_looked_at_is_not_said_to_have_nothing_new() -> None:
    def no_answer(_function: str, _payload: object) -> Any:
        raise CallFailed(LONGER)

    with pytest.raises(SyncUnknown, match=LONGER):
        RemoteCalendar(no_answer, "openings").turn()
