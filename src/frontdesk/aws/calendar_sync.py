"""The function `calendar-sync`: reads calendars in which staff put openings or appointments, and
writes changes of appointments into their events.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from frontdesk.aws.container import Deployment, deployment
from frontdesk.aws.jobs import do_jobs, work_off
from frontdesk.aws.streams import Payload
from frontdesk.engine.push_channels import HookCall
from frontdesk.features.calendars.sync import CalendarSync
from frontdesk.logs import failure, log, where
from frontdesk.wiring.reminders import calendars as appointment_calendars
from frontdesk.wiring.waitlist import aws as wiring

if TYPE_CHECKING:
    from frontdesk.features.calendars.push import CalendarPush

#: One look may read and write several calendars, each request with its own time limit.
SPARE_MILLISECONDS: Final = 25_000
APPOINTMENTS: Final = "appointments"


def calendar_sync(payload: Payload, context: Any) -> dict[str, Any] | None:
    """Called by schedules and by the console; returns whether there was anything to do. A job and a
    notification of Google make it look at the calendars with appointments, too."""
    if "job" in payload:
        return do_jobs(payload, lambda job: work_off(job, context, SPARE_MILLISECONDS))
    here = deployment()
    if "requestContext" in payload:
        return {"statusCode": _status(here, payload)}
    if payload.get("of") == APPOINTMENTS and (push := _push(here)) is not None:
        push.renew()
    sync = _appointments(here) if payload.get("of") == APPOINTMENTS else _openings(here)
    return {"did": sync is not None and sync.turn()}


@lru_cache(maxsize=1)
def _openings(here: Deployment) -> CalendarSync | None:
    """Cached between calls, so that an unchanged calendar is not fetched again."""
    return wiring.calendar_sync(here.back, here.account)


@lru_cache(maxsize=1)
def _appointments(here: Deployment) -> CalendarSync | None:
    back = here.back
    if not back.settings.has_desk("reminders"):
        return None
    return appointment_calendars.calendar_sync(back.settings, back.engine, back.clock)


@lru_cache(maxsize=1)
def _push(here: Deployment) -> CalendarPush | None:
    sync, back = _appointments(here), here.back
    if sync is None:
        return None
    return appointment_calendars.calendar_push(back.settings, back.engine, back.clock, sync)


def _status(here: Deployment, payload: Payload) -> int:
    """Answers a call to the address. Google repeats a notification that is answered with 503."""
    http: Mapping[str, Any] = payload["requestContext"].get("http", {})
    push = _push(here)
    if push is None or http.get("method") != "POST":
        return 404
    headers = {name.lower(): value for name, value in payload.get("headers", {}).items()}
    try:
        call = push.check(headers)
        if call is HookCall.LOOK:
            push.look()
    except Exception as error:
        log("calendar_sync.failed", why=failure(error), where=where(error))
        return 503
    return 403 if call is HookCall.REFUSE else 204
