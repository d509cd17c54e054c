"""A live page is updated once when its subject has changed."""

import asyncio
from threading import Thread

import pytest

from frontdesk.engine.live import LiveUpdates, PageSubscription, TooManyWatchers
from frontdesk.engine.ports import Recorded
from tests.engine.bell import Visited
from tests.engine.driver import NINE


def changed(*bells: str) -> list[Recorded]:
    return [Recorded(1, NINE, "cli", Visited(bell, 1)) for bell in bells]


async def from_another_thread(hub: LiveUpdates, facts: list[Recorded]) -> None:
    thread = Thread(target=hub.on_commit, args=(facts,))
    thread.start()
    await asyncio.to_thread(thread.join)


async def is_woken(watch: PageSubscription) -> bool:
    """Returns whether the page is woken, without waiting: the event loop has run by then."""
    waiting = asyncio.ensure_future(watch.changed())
    for _ in range(3):
        await asyncio.sleep(0)
    if waiting.done():
        return True
    waiting.cancel()
    return False


def test_only_pages_that_watch_the_changed_subject_are_woken() -> None:
    async def scenario() -> list[bool]:
        hub = LiveUpdates()
        with (
            hub.watch("door", by="ann") as door,
            hub.watch("gate", by="ann") as gate,
            hub.watch(by="ann") as everything,
        ):
            await from_another_thread(hub, changed("door"))
            return [await is_woken(each) for each in (door, gate, everything)]

    assert asyncio.run(scenario()) == [True, False, True]


def test_many_changes_between_two_looks_are_one_wake_up() -> None:
    async def scenario() -> list[bool]:
        hub = LiveUpdates()
        with hub.watch("door", by="ann") as door:
            for _ in range(50):
                await from_another_thread(hub, changed("door"))
            first = [await is_woken(door), await is_woken(door)]
            await from_another_thread(hub, changed("door"))
            return [*first, await is_woken(door)]

    assert asyncio.run(scenario()) == [True, False, True]


def test_the_number_of_watchers_is_limited_and_leaving_makes_room() -> None:
    async def scenario() -> None:
        hub = LiveUpdates(most=1)
        with (
            hub.watch("door", by="ann"),
            pytest.raises(TooManyWatchers),
            hub.watch("gate", by="ann"),
        ):
            pass
        with hub.watch("gate", by="ann") as gate:
            await from_another_thread(hub, changed("gate"))
            assert await is_woken(gate)

    asyncio.run(scenario())


def test_a_member_with_many_open_pages_leaves_room_for_others() -> None:
    async def scenario() -> None:
        hub = LiveUpdates(most_of_one=2)
        with hub.watch("door", by="ann"):
            with hub.watch("gate", by="ann"):
                with pytest.raises(TooManyWatchers), hub.watch(by="ann"):
                    pass
                with hub.watch(by="bob"):
                    pass
            with hub.watch(by="ann"):
                pass

    asyncio.run(scenario())


def test_a_commit_after_the_loop_has_closed_disturbs_nobody() -> None:
    hub = LiveUpdates()

    async def leave_open() -> PageSubscription:
        watching = hub.watch("door", by="ann")
        return watching.__enter__()

    asyncio.run(leave_open())
    hub.on_commit(changed("door"))
