"""Watches Google Drive by a channel of notifications, so that edits are taken at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from frontdesk.core.saved_settings import SavedSetting
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.push_channels import OpenChannel, PushChannel
from frontdesk.values import Frozen

if TYPE_CHECKING:
    from frontdesk.connect.google_api import GoogleApi


class DriveWatch(PushChannel):
    """A notification says only that some file has changed."""

    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        desk: str,
        api: Callable[[], GoogleApi],
        new_token: Callable[[], str],
    ) -> None:
        super().__init__(
            engine, clock, channel_setting(desk), lambda: _DriveChannels(api()), new_token
        )


class _DriveChannels(Frozen):
    api: GoogleApi

    def watch(self, channel: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.api.watch_changes(channel)

    def stop(self, channel_id: str, resource_id: str) -> None:
        self.api.stop_channel(channel_id, resource_id)


def channel_setting(desk: str) -> SavedSetting[OpenChannel]:
    return SavedSetting(f"{desk}.drive_channel", OpenChannel, OpenChannel())
