"""The notification channel of Google Drive: only one exists, and nobody can forge its calls."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

import pytest

from frontdesk.engine.push_channels import HookCall
from frontdesk.features.documents.drive_watch import DriveWatch, channel_setting
from frontdesk.features.documents.google_docs import docs_api
from tests.support.google import Google, google
from tests.support.salon import Salon, salon

HOOK = "https://hook.example"


@pytest.fixture
def drive() -> Iterator[Google]:
    with google() as found:
        yield found


@pytest.fixture
def shop(tmp_path: Path, drive: Google) -> Iterator[Salon]:
    with salon(tmp_path) as one:
        drive.now = lambda: one.clock.now().timestamp()
        yield one


def watch(shop: Salon, drive: Google) -> DriveWatch:
    """Uses a new object, like a process that has just started."""
    api = docs_api(drive.key, drive.address)
    return DriveWatch(shop.product.engine, shop.clock, "bk", lambda: api, token_hex)


def test_of_two_processes_that_renew_at_once_one_channel_stays(shop: Salon, drive: Google) -> None:
    renewed: list[bool] = []

    def another() -> None:
        drive.before_channel = lambda: None
        renewed.append(watch(shop, drive).renew(HOOK))

    drive.before_channel = another
    renewed.append(watch(shop, drive).renew(HOOK))

    assert renewed == [True, False]
    [channel] = drive.channels.values()
    assert watch(shop, drive).check(drive.notice(channel)) is HookCall.LOOK


def test_another_address_has_a_channel_of_its_own(shop: Salon, drive: Google) -> None:
    one = watch(shop, drive)
    assert (one.renew(HOOK), one.renew(HOOK)) == (True, False)
    [first] = drive.channels.values()

    assert one.renew("https://other.example")
    [second] = drive.channels.values()
    assert second["address"] == "https://other.example"
    assert one.check(drive.notice(first)) is HookCall.REFUSE


def test_nothing_that_is_saved_can_be_used_to_call(shop: Salon, drive: Google) -> None:
    one = watch(shop, drive)
    assert one.check({"x-goog-channel-id": "", "x-goog-channel-token": ""}) is HookCall.REFUSE
    one.renew(HOOK)
    known = shop.product.engine.reads().engine.setting(channel_setting("bk"))
    forged = {"x-goog-channel-id": known.id, "x-goog-channel-token": known.token_digest}

    assert one.check(forged) is HookCall.REFUSE
    assert one.check({**forged, "x-goog-resource-state": "sync"}) is HookCall.IGNORE
