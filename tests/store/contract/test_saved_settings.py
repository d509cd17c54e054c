"""Saved settings: read with their types, and written only if nobody has changed them meanwhile."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import msgspec

from frontdesk.core.decision import Accepted, Decision
from frontdesk.core.saved_settings import SavedSetting, WriteSetting
from frontdesk.engine.ports import Reads, Store
from tests.store.samples import commit, refused

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


class Opening(msgspec.Struct, frozen=True):
    hours: tuple[int, int] = (9, 17)
    since: datetime | None = None
    pause: timedelta = timedelta()


OPENING = SavedSetting("test.opening", Opening, Opening())
NAMES: SavedSetting[tuple[str, ...]] = SavedSetting("test.names", tuple[str, ...], ())
GREETING: SavedSetting[str | None] = SavedSetting("test.greeting", str, None)
COUNT = SavedSetting("test.count", int, 0)
LATE = Opening((12, 20), NOW, timedelta(minutes=30))


def test_a_setting_has_its_default_until_it_is_written(store: Store) -> None:
    reads = store.reads().engine
    assert (reads.setting(OPENING), reads.setting(NAMES), reads.setting(GREETING)) == (
        Opening(),
        (),
        None,
    )

    commit(store, WriteSetting(OPENING, Opening(), LATE), WriteSetting(NAMES, (), ("Ann", "Bob")))

    assert (reads.setting(OPENING), reads.setting(NAMES), reads.setting(GREETING)) == (
        LATE,
        ("Ann", "Bob"),
        None,
    )


def test_a_setting_is_written_only_from_the_value_as_read(store: Store) -> None:
    other = Opening((8, 12))

    assert refused(store, WriteSetting(OPENING, LATE, other))
    commit(store, WriteSetting(OPENING, Opening(), LATE))
    assert refused(store, WriteSetting(OPENING, Opening(), other))
    assert refused(store, WriteSetting(OPENING, other, LATE))
    assert store.reads().engine.setting(OPENING) == LATE
    commit(store, WriteSetting(OPENING, LATE, other))

    assert store.reads().engine.setting(OPENING) == other


def test_a_setting_that_becomes_none_has_its_default_again(store: Store) -> None:
    commit(store, WriteSetting(GREETING, None, "Hello"))
    assert refused(store, WriteSetting(GREETING, None, "Hi"))
    assert refused(store, WriteSetting(GREETING, "Hi", None))
    commit(store, WriteSetting(GREETING, "Hello", None))
    commit(store, WriteSetting(GREETING, None, None))

    assert store.reads().engine.setting(GREETING) is None


def test_one_refused_setting_leaves_the_whole_commit_unwritten(store: Store) -> None:
    assert refused(
        store, WriteSetting(NAMES, (), ("Ann",)), WriteSetting(OPENING, LATE, Opening((8, 12)))
    )

    assert store.reads().engine.setting(NAMES) == ()


def test_of_writers_at_the_same_time_none_overwrites_another(store: Store) -> None:
    def one_more(reads: Reads) -> Decision:
        count = reads.engine.setting(COUNT)
        return Accepted((WriteSetting(COUNT, count, count + 1),))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _n: store.decide(one_more, by="cli", at=NOW), range(12)))

    assert store.reads().engine.setting(COUNT) == 12


def test_of_two_who_read_the_same_value_the_second_is_refused(store: Store) -> None:
    first, second = WriteSetting(COUNT, 0, 1), WriteSetting(COUNT, 0, 2)

    with ThreadPoolExecutor(2) as pool:
        lost = list(pool.map(lambda change: refused(store, change), (first, second)))

    assert sorted(lost) == [False, True]
    assert store.reads().engine.setting(COUNT) == (2 if lost[0] else 1)
