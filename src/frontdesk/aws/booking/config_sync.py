"""The function `fn-config-sync`: takes the rules of bookings from Google Drive into the bucket, and
embeds the services in them.

Google Drive calls its address when a file has changed; a schedule calls it in case that is lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from frontdesk.aws.container import Deployment, deployment
from frontdesk.aws.streams import Payload
from frontdesk.engine.push_channels import HookCall
from frontdesk.logs import failure, log, where
from frontdesk.wiring.booking.config_sync import ConfigSync, config_sync


def fn_config_sync(payload: Payload, _context: object) -> dict[str, Any]:
    """Called by Google Drive, by the console, which waits, and by a schedule."""
    sync = _sync(deployment())
    if "requestContext" in payload:
        return {"statusCode": _status(sync, payload)}
    if payload.get("ask") == "documents":
        return {"did": sync.take_rules()}
    return {"did": sync.turn()}


@lru_cache(maxsize=1)
def _sync(here: Deployment) -> ConfigSync:
    """Cached between calls, so that an unchanged document is not fetched again."""
    return config_sync(here.back, here.account)


def _status(sync: ConfigSync, payload: Payload) -> int:
    """Answers a call to the address. Google repeats a notification that is answered with 503."""
    http: Mapping[str, Any] = payload["requestContext"].get("http", {})
    if sync.drive is None or http.get("method") != "POST":
        return 404
    headers = {name.lower(): value for name, value in payload.get("headers", {}).items()}
    try:
        call = sync.drive.watch.check(headers)
        if call is HookCall.LOOK:
            sync.take_rules()
    except Exception as error:
        log("config_sync.failed", why=failure(error), where=where(error))
        return 503
    return 403 if call is HookCall.REFUSE else 204
