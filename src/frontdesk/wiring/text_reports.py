"""Finds texts that networks did not deliver in the log of SNS, on one machine."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

from frontdesk.connect.sns_reports import FailedDelivery, failed_in_log, log_of_failures
from frontdesk.intake.application import IntakeApplication
from frontdesk.intake.sms_failures import NotYetKnown, TextFailure, TextFailures
from frontdesk.logs import failure, log
from frontdesk.wiring.context import PeriodicTask

EVERY: Final = timedelta(minutes=5)
#: Networks report within three days, so the first check after a start goes so far back.
LONGEST: Final = timedelta(days=3)
#: CloudWatch Logs may show a line this long after its time. A repeated report changes nothing.
OVERLAP: Final = timedelta(minutes=30)


class TextReports:
    """`client` returns a client of CloudWatch Logs, with the credentials that send the texts."""

    def __init__(self, app: IntakeApplication, client: Callable[[], Any]) -> None:
        self._app = app
        self._client = client
        self._group = ""
        self._since: datetime | None = None

    def turn(self) -> bool:
        """Takes the failures since the last check; returns whether there were any of ours."""
        now = self._app.clock.now()
        try:
            client = self._client()
            self._group = self._group or log_of_failures(client)
            since = self._since or now - LONGEST
            found = list(failed_in_log(client, self._group, since)) if self._group else []
        except Exception as error:  # no permission, or no network: the next look tries again
            log("text_reports.unread", why=failure(error))
            return False
        taken = [self._take(each) for each in found]
        self._since = now - OVERLAP
        return any(taken)

    def _take(self, failed: FailedDelivery) -> bool:
        try:
            return TextFailures(self._app).take(
                TextFailure(failed.message_id, failed.number, failed.why)
            )
        except NotYetKnown:  # the next look, which overlaps, finds it again
            return False


def watch_reports(app: IntakeApplication, client: Callable[[], Any]) -> PeriodicTask:
    return PeriodicTask("text reports", TextReports(app, client).turn, lambda: EVERY)
