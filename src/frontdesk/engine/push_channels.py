"""Keeps a notification channel at Google open, so that changes are read at once.

A notification says only that something has changed. A channel lasts for a week at most, and Google
does not renew it. Notifications may be lost, so we also poll regularly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from hmac import compare_digest
from typing import Any, Final, Protocol

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.core.saved_settings import SavedSetting, WriteSetting
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Committed, Reads
from frontdesk.errors import FrontdeskError
from frontdesk.logs import log
from frontdesk.values import Frozen, replace

BY: Final = "channel"
#: Google closes channels of changes after this time.
LONGEST: Final = timedelta(days=7)
#: A channel is replaced this long before its end, or after half of its time if that is later.
AHEAD: Final = timedelta(days=1)
#: After a refusal, Google is asked for a channel again after this time.
RETRY_AFTER: Final = timedelta(hours=6)
_MOST_HEADER: Final = 256


class OpenChannel(Frozen, kw_only=True):
    """The open channel. It has no token, only its digest, so that nobody can read the token."""

    id: str = ""
    token_digest: str = ""
    resource_id: str = ""
    address: str = ""
    """The address that Google calls."""
    renew_at: datetime | None = None
    """The channel is replaced then, or asked for again if there is none."""


class Reason(StrEnum):
    RENEWED_MEANWHILE = "renewed meanwhile"


class HookCall(StrEnum):
    """How a call to the address is answered."""

    LOOK = "look"
    IGNORE = "ignore"
    """Google says that it begins."""
    REFUSE = "refuse"
    """Somebody else calls, or Google by a channel that was replaced."""


class ChannelApi(Protocol):
    """Google's interface to channels. Both raise a `FrontdeskError`."""

    def watch(self, channel: Mapping[str, Any]) -> Mapping[str, Any]:
        """Opens a channel, and returns it with 'resourceId' and 'expiration'."""

    def stop(self, channel_id: str, resource_id: str) -> None: ...


class PushChannel:
    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        setting: SavedSetting[OpenChannel],
        api: Callable[[], ChannelApi],
        new_token: Callable[[], str],
    ) -> None:
        """`new_token` returns a random text; the id of a channel is another one."""
        self._engine = engine
        self._clock = clock
        self._setting = setting
        self._api = api
        self._new_token = new_token

    def renew(self, address: str) -> bool:
        """Opens a channel to this address, unless an open one lasts long enough. Returns whether it
        did. Never fails: without a channel, polling finds the changes.
        """
        before, now = self._known(), self._clock.now()
        is_due = before.renew_at is None or now >= before.renew_at
        if before.address == address and not is_due:
            return False
        try:
            return self._replace(before, address, now)
        except FrontdeskError as error:
            log("channel.failed", why=str(error))
            later = replace(before, address=address, renew_at=now + RETRY_AFTER)
            self._save(before, later, now)
            return False

    def check(self, headers: Mapping[str, str]) -> HookCall:
        """Names of headers are in lower case. The content is not read."""
        if headers.get("x-goog-resource-state") == "sync":
            return HookCall.IGNORE
        channel, token = (headers.get(f"x-goog-channel-{each}", "") for each in ("id", "token"))
        if not 0 < len(token) <= _MOST_HEADER or not 0 < len(channel) <= _MOST_HEADER:
            return HookCall.REFUSE
        known = self._known()
        is_ours = compare_digest(_digest(token), known.token_digest) and channel == known.id
        return HookCall.LOOK if is_ours else HookCall.REFUSE

    def _replace(self, before: OpenChannel, address: str, now: datetime) -> bool:
        api, channel_id, token = self._api(), self._new_token(), self._new_token()
        made = api.watch(
            {
                "id": channel_id,
                "type": "web_hook",
                "address": address,
                "token": token,
                "expiration": str(int((now + LONGEST).timestamp() * 1000)),
            }
        )
        after = OpenChannel(
            id=channel_id,
            token_digest=_digest(token),
            resource_id=str(made.get("resourceId", "")),
            address=address,
            renew_at=_renew_at(made, now),
        )
        is_saved = self._save(before, after, now)
        unused = before if is_saved else after
        if unused.id:
            _stop(api, unused)
        return is_saved

    def _save(self, before: OpenChannel, after: OpenChannel, now: datetime) -> bool:
        """Saves the channel, unless another process was faster."""

        def save(reads: Reads) -> Decision:
            if reads.engine.setting(self._setting) != before:
                return Refused(Reason.RENEWED_MEANWHILE)
            return Accepted((WriteSetting(self._setting, before, after),))

        return isinstance(self._engine.store.decide(save, by=BY, at=now), Committed)

    def _known(self) -> OpenChannel:
        return self._engine.reads().engine.setting(self._setting)


def _renew_at(made: Mapping[str, Any], now: datetime) -> datetime:
    """Google may grant less time than was asked for."""
    milliseconds = str(made.get("expiration", ""))
    if not milliseconds.isdecimal() or len(milliseconds) > 15:
        return now + timedelta(minutes=30)  # without a time, a channel may last for an hour only
    ends_at = datetime.fromtimestamp(int(milliseconds) / 1000, UTC).replace(microsecond=0)
    return ends_at - min(AHEAD, max(ends_at - now, timedelta()) / 2)


def _stop(api: ChannelApi, channel: OpenChannel) -> None:
    """Closes a channel. One that stays open ends by itself, and its notifications are refused."""
    try:
        api.stop(channel.id, channel.resource_id)
    except FrontdeskError as error:
        log("channel.left_open", why=str(error))


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
