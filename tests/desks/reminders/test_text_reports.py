"""One machine looks in the log of SNS for texts that networks did not deliver."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from frontdesk.core.people import PersonId
from frontdesk.core.sends import Via
from frontdesk.desks.reminders.model import ReminderState
from frontdesk.wiring.text_reports import EVERY, TextReports
from tests.desks.reminders.test_undelivered_texts import ANN, ReportingPost, is_reminded_by_text
from tests.support.reminders import RemindersDesk, an_id, id_of

GROUP = "sns/ap-southeast-1/123456789012/DirectPublishToPhoneNumber/Failure"
Opened = Callable[..., RemindersDesk]


class LogOfSns:
    """Answers as CloudWatch Logs does, in pages of one line."""

    def __init__(self, group: str = GROUP) -> None:
        self.group = group
        self.lines: list[tuple[int, str]] = []
        self.is_down = False

    def get_paginator(self, _name: str) -> LogOfSns:
        return self

    def paginate(self, *, logGroupNamePrefix: str) -> Iterator[dict[str, Any]]:  # noqa: N803
        assert self.group.startswith(logGroupNamePrefix)
        yield {"logGroups": [{"logGroupName": "sns/ap-southeast-1/1/other"}]}
        yield {"logGroups": [{"logGroupName": self.group}]}

    def filter_log_events(self, **asked: Any) -> dict[str, Any]:
        if self.is_down:
            raise ConnectionError
        assert asked["logGroupName"] == GROUP
        found = [line for at, line in self.lines if at >= asked["startTime"]]
        page = int(asked.get("nextToken", 0))
        more = {"nextToken": str(page + 1)} if page + 1 < len(found) else {}
        return {"events": [{"message": each} for each in found[page : page + 1]], **more}

    def reports(self, desk: RemindersDesk, message_id: str, to: str = ANN) -> None:
        said = {
            "status": "FAILURE",
            "notification": {"messageId": message_id},
            "delivery": {"destination": to, "providerResponse": "Phone is unreachable"},
        }
        self.lines.append((int(desk.clock.now().timestamp() * 1000), json.dumps(said)))


@pytest.fixture
def desk(open_desk: Opened) -> RemindersDesk:
    return open_desk(texts=ReportingPost()).given()


@pytest.mark.spec("AR-20")
def test_a_text_that_fails_later_goes_out_as_a_mail_on_one_machine(desk: RemindersDesk) -> None:
    sns = LogOfSns()
    reports = TextReports(desk, lambda: sns)
    is_reminded_by_text(desk)
    assert not reports.turn()
    sns.reports(desk, "of-another-program", "+6590000000")
    sns.reports(desk, "sns-1")

    assert reports.turn()
    desk.settle()

    reminders = [send.via for send in desk.sends() if send.kind == "first_reminder"]
    assert reminders == [Via.TEXT, Via.MAIL]
    [row] = desk.reads.reminders_of(id_of("ann"))
    assert row.state is ReminderState.SENT
    person = desk.reads.person(PersonId(an_id("ann")))
    assert person is not None
    assert person.mobile_fails
    sends = desk.sends()
    assert reports.turn(), "the looks overlap"
    desk.settle()
    assert desk.sends() == sends, "a repeated report changes nothing"


@pytest.mark.spec("AR-20")
def test_reports_of_a_time_when_the_log_could_not_be_read_are_made_up(desk: RemindersDesk) -> None:
    sns = LogOfSns()
    reports = TextReports(desk, lambda: sns)
    is_reminded_by_text(desk)
    reports.turn()
    sns.is_down = True
    sns.reports(desk, "sns-1")
    for _ in range(20):
        desk.wait(minutes=EVERY // timedelta(minutes=1))
        assert not reports.turn()
    sns.is_down = False

    assert reports.turn()


def test_without_a_log_nothing_is_asked(desk: RemindersDesk) -> None:
    assert not TextReports(desk, lambda: LogOfSns("sns/ap-southeast-1/1/Success")).turn()
