"""The function `fd-timer-sync`: creates a one-off schedule for each timer and send that is due
later.

It also calls the function that sends messages that are due now. So the stream of sends has one
reader: DynamoDB may throttle a stream with more than two.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from frontdesk.aws.clients import Call, caller, client
from frontdesk.aws.streams import ChangedRow, Payload, Row, handle_in_order
from frontdesk.core.sends import SendState
from frontdesk.values import Frozen

#: The delay for overdue timers: a schedule in the past never fires.
AT_ONCE: Final = timedelta(seconds=5)
#: The function to call for a timer, by the first two parts of its name.
TIMER_FUNCTIONS: Final = {
    "ev/reminder": "reminder-fire",
    "ev/offer": "offer-timeout",
    "wl/offer": "roll-on-timer",
    "wl/slot": "roll-on-timer",
    **dict.fromkeys(("bk/remind", "bk/decide", "bk/calendar", "bk/handover"), "bk-timer"),
    **dict.fromkeys(("ar/look", "ar/alert"), "reminder"),
}
OTHERS: Final = "host-summary"
#: Timers with a recurring schedule in the template, by the clock of the business.
RECURRING: Final = {
    "wl/house": "housekeeping",
    "wl/summary": "summary",
    "ar/tick": "reminder",
    "ar/summary": "summary",
}
#: Kinds with many timers at the same instant. These share one schedule, which is never deleted.
SHARED: Final = frozenset({"ev/reminder"})
#: A timer that is set this shortly before it is due gets its own schedule: the query for all timers
#: of the kind may not see it yet.
LATE: Final = timedelta(seconds=10)
#: The function that sends the messages of a desk, if it is not the messenger.
SENDERS: Final = {"wl": "sender", "bk": "bk-sender", "ar": "dispatch"}
MESSENGER: Final = "messenger"


WAITING: Final = (SendState.QUEUED, SendState.HELD)
#: Clocks differ a little: a send that is due this soon needs no schedule.
SOON: Final = timedelta(seconds=2)


def fd_timer_sync(payload: Payload, context: Any) -> dict[str, Any]:
    schedules = schedules_of(client("scheduler"), os.environ, context.invoked_function_arn)
    call = caller(context.invoked_function_arn)

    def update(record: ChangedRow) -> None:
        schedules.apply(requests(record), datetime.now(UTC), call)

    return handle_in_order(payload, update)


class ScheduledCall(Frozen):
    """A call of this function at this instant with this timer or send."""

    function: str
    what: str
    due_at: datetime

    @property
    def name(self) -> str:
        """Unique for a timer and its time, and stable; at most 64 characters."""
        digest = sha256(f"{self.what} {self.due_at.isoformat()}".encode()).hexdigest()[:40]
        return f"{self.function}-{digest}"

    @property
    def payload(self) -> dict[str, str]:
        return {self._key: self.what, "due_at": self.due_at.isoformat()}

    @property
    def _key(self) -> str:
        if self.function in (MESSENGER, *SENDERS.values()):
            return "send"
        return "kind" if self.what in SHARED else "timer"


class Create(Frozen):
    scheduled: ScheduledCall


class Delete(Frozen):
    scheduled: ScheduledCall


class CallNow(Frozen):
    """The send is due: call at once instead of scheduling."""

    scheduled: ScheduledCall


Request = Create | Delete | CallNow


def requests(record: ChangedRow) -> Iterator[Request]:
    """Returns the schedules to create or delete for a change of `fd-timers` or `fd-sends`."""
    if "send_id" in (record.after or record.before or {}):
        yield from _for_send(record)
    else:
        yield from _for_timer(record)


def _for_timer(record: ChangedRow) -> Iterator[Request]:
    before = timer_call(record.before, record.at) if record.before else None
    after = timer_call(record.after, record.at) if record.after else None
    if before == after or any(
        scheduled and is_recurring(scheduled.what) for scheduled in (before, after)
    ):
        return
    if before is not None and _kind(before.what) not in SHARED:
        yield Delete(before)
    if after is not None:
        yield Create(after)


def _for_send(record: ChangedRow) -> Iterator[Request]:
    """Schedules or calls the sender. A call for a send that has gone out meanwhile does no harm."""
    due_at = waits(record)
    if due_at is not None and record.after is not None:
        scheduled = send_call(record.after["desk"], record.after["send_id"], due_at)
        yield CallNow(scheduled) if is_for_now(record) else Create(scheduled)


def waits(record: ChangedRow) -> datetime | None:
    """Returns the due time of this send if it still waits."""
    row = record.after
    if row is None or row["state"] not in WAITING:
        return None
    return datetime.fromtimestamp(row["due_at"], record.at.tzinfo)


def is_for_now(record: ChangedRow) -> bool:
    """Returns whether to send at once rather than on a schedule; depends only on the record.

    A new send is always tried at once. A held one was tried just now, so it gets a schedule.
    """
    due_at = waits(record)
    is_held = record.after is not None and record.after["state"] == SendState.HELD
    if due_at is None or is_held:
        return False
    return record.before is None or due_at <= record.at + SOON


def send_call(desk: str, send_id: str, due_at: datetime) -> ScheduledCall:
    return ScheduledCall(SENDERS.get(desk, MESSENGER), send_id, due_at)


def timer_call(row: Row, set_at: datetime) -> ScheduledCall:
    return call_for(row["name"], datetime.fromtimestamp(row["due_at"], UTC), set_at)


def call_for(timer: str, due_at: datetime, set_at: datetime | None = None) -> ScheduledCall:
    """`set_at` is given if the timer was set just now."""
    kind = _kind(timer)
    is_late = set_at is not None and due_at - set_at <= LATE
    what = kind if kind in SHARED and not is_late else timer
    return ScheduledCall(TIMER_FUNCTIONS.get(kind, OTHERS), what, due_at)


def is_recurring(timer: str) -> bool:
    return _kind(timer) in RECURRING


def fired_by(timer: str) -> str:
    """Returns the function that fires a timer."""
    return RECURRING.get(_kind(timer)) or TIMER_FUNCTIONS.get(_kind(timer), OTHERS)


def _kind(timer: str) -> str:
    return "/".join(timer.split("/")[:2])


class Schedules(Frozen):
    """`functions` is the prefix of the functions' ARNs, up to their names."""

    client: Any
    group: str
    role: str
    functions: str
    failures: str = ""
    """The ARN of the queue for calls that fail."""

    def apply(self, requests: Iterable[Request], now: datetime, call: Call) -> None:
        """`call` calls a function at once."""
        for request in requests:
            match request:
                case Create(scheduled):
                    self._create(scheduled, now)
                case Delete(scheduled):
                    self._delete(scheduled)
                case CallNow(scheduled):
                    call(scheduled.function, scheduled.payload)

    def _create(self, scheduled: ScheduledCall, now: datetime) -> None:
        """Creates a schedule. An existing one of this name is the same, so it stays."""
        with suppress(self.client.exceptions.ConflictException):
            self.client.create_schedule(**self.request(scheduled, now))

    def _delete(self, scheduled: ScheduledCall) -> None:
        """Deletes a schedule; one that has fired has deleted itself."""
        with suppress(self.client.exceptions.ResourceNotFoundException):
            self.client.delete_schedule(GroupName=self.group, Name=scheduled.name)

    def request(self, scheduled: ScheduledCall, now: datetime) -> dict[str, Any]:
        at = max(scheduled.due_at, now + AT_ONCE).astimezone(UTC)
        target: dict[str, Any] = {
            "Arn": self.functions + scheduled.function,
            "RoleArn": self.role,
            "Input": json.dumps(scheduled.payload),
            "RetryPolicy": {"MaximumRetryAttempts": 5, "MaximumEventAgeInSeconds": 3600},
        }
        if self.failures:
            target["DeadLetterConfig"] = {"Arn": self.failures}
        return {
            "Name": scheduled.name,
            "GroupName": self.group,
            "ScheduleExpression": f"at({at:%Y-%m-%dT%H:%M:%S})",
            "ScheduleExpressionTimezone": "UTC",
            "FlexibleTimeWindow": {"Mode": "OFF"},
            "ActionAfterCompletion": "DELETE",
            "Target": target,
        }


def schedules_of(client: Any, environment: Mapping[str, str], own_arn: str) -> Schedules:
    """Derives the ARNs of the other functions and the queue from this function's ARN."""
    region_and_account = own_arn.partition(":function:")[0].split(":")[3:5]
    partition = own_arn.split(":")[1]
    queue = environment.get("FRONTDESK_FAILURES_NAME", "fd-failures")
    return Schedules(
        client,
        environment["FRONTDESK_SCHEDULE_GROUP"],
        environment["FRONTDESK_SCHEDULE_ROLE"],
        own_arn.partition(":function:")[0] + ":function:",
        ":".join(("arn", partition, "sqs", *region_and_account, queue)),
    )
