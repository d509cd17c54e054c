"""The function `calendar-sync`: reads the calendars of staff, and writes changes into events."""

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
from frontdesk.values import Frozen
from frontdesk.wiring.desks import DESKS, switched_on

if TYPE_CHECKING:
    from frontdesk.features.calendars.push import CalendarPush
    from frontdesk.wiring.desk_parts import DeskOnAws

#: One sync may read and write several calendars, each request with its own time limit.
SPARE_MILLISECONDS: Final = 25_000
#: The calendars of a payload that names none.
OPENINGS: Final = "openings"


class SyncedCalendars(Frozen):
    """The calendars of one desk. Google calls if there is a `push`."""

    sync: CalendarSync
    push: CalendarPush | None


def calendar_sync(payload: Payload, context: Any) -> dict[str, Any] | None:
    """Called by schedules and by the console; returns whether there was anything to do. A job or a
    notification of Google also starts a sync.
    """
    if "job" in payload:
        return do_jobs(payload, lambda job: work_off(job, context, SPARE_MILLISECONDS))
    here = deployment()
    if "requestContext" in payload:
        return {"statusCode": _status(here, payload)}
    calendars = _calendars(here, payload.get("of", OPENINGS))
    if calendars is None:
        return {"did": False}
    if calendars.push is not None:
        calendars.push.renew()
    return {"did": calendars.sync.turn()}


@lru_cache(maxsize=len(DESKS))
def _calendars(here: Deployment, of: str) -> SyncedCalendars | None:
    """Cached between calls, so that an unchanged calendar is not fetched again."""
    for desk in _desks_with_calendars(here):
        if desk.calendars == of and (sync := desk.calendar_sync(here.back, here.account)):
            return SyncedCalendars(sync, desk.calendar_push(here.back, sync))
    return None


def _desks_with_calendars(here: Deployment) -> list[DeskOnAws]:
    on = (each.on_aws() for each in DESKS if switched_on(each, here.settings))
    return [desk for desk in on if desk.calendars]


def _push(here: Deployment) -> CalendarPush | None:
    """Returns the channels at Google of the one desk that has any."""
    found = (_calendars(here, desk.calendars) for desk in _desks_with_calendars(here))
    return next((each.push for each in found if each is not None and each.push), None)


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
            push.sync()
    except Exception as error:
        log("calendar_sync.failed", why=failure(error), where=where(error))
        return 503
    return 403 if call is HookCall.REFUSE else 204
