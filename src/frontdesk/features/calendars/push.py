"""Notifications of calendars: each calendar has a channel, and a notification starts a sync. The
content of a notification is never used, so a forged one only starts a sync.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.saved_settings import SavedSetting
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.push_channels import ChannelApi, HookCall, OpenChannel, PushChannel
from frontdesk.web.limits import Rate
from frontdesk.web.shared_objects import SharedKey
from frontdesk.web.site import limit_visitor, site_of

PATH: Final = "/hooks/calendar"
RATE: Final = Rate(burst=60, per_minute=60)


class CalendarPush:
    """The channels of a desk's calendars. The function `sync` syncs all calendars."""

    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        desk: str,
        calendars: Mapping[str, ChannelApi],
        new_token: Callable[[], str],
        address: str,
        sync: Callable[[], bool],
    ) -> None:
        self._channels = [
            PushChannel(engine, clock, channel_setting(desk, name), _returns(api), new_token)
            for name, api in calendars.items()
        ]
        self._address = address
        self.sync = sync

    def renew(self) -> bool:
        """Opens each channel that is missing or ends soon. Returns whether it opened any."""
        if not self._address.startswith("https://"):
            return False
        renewed = [each.renew(self._address) for each in self._channels]
        return any(renewed)

    def check(self, headers: Mapping[str, str]) -> HookCall:
        """Names of headers are in lower case."""
        calls = [each.check(headers) for each in self._channels]
        return next((each for each in calls if each is not HookCall.REFUSE), HookCall.REFUSE)


def _returns(api: ChannelApi) -> Callable[[], ChannelApi]:
    return lambda: api


def channel_setting(desk: str, calendar: str) -> SavedSetting[OpenChannel]:
    return SavedSetting(f"{desk}.calendar_channel.{calendar}", OpenChannel, OpenChannel())


def push_key(desk: str) -> SharedKey[CalendarPush]:
    """The key in `Site.shared` of a desk's channels."""
    return SharedKey(f"{desk}.calendar_push")


def routes(desk: str) -> list[BaseRoute]:
    async def take(request: Request) -> Response:
        limit_visitor(request, "calendar", RATE)
        push = site_of(request).shared.get(push_key(desk))
        if push is None:
            return Response(status_code=404)
        match push.check(dict(request.headers)):
            case HookCall.REFUSE:
                return Response(status_code=403)
            case HookCall.IGNORE:
                return Response(status_code=204)
            case HookCall.LOOK:
                return Response(status_code=204, background=BackgroundTask(push.sync))

    return [Route(PATH, take, methods=["POST"])]
