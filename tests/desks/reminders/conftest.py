"""Provides a reminders desk for each test, on an empty store of each kind."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.dynamodb import needs_dynamodb
from tests.support.reminders import RemindersDesk

HERE = Path(__file__).parent
Opened = Callable[..., RemindersDesk]
#: Tests of the store itself: all of them run on both stores.
ABOUT_STORES = {f"test_{name}.py" for name in ("power_cuts", "races", "small_worlds")}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out tests on DynamoDB: only the first for each requirement in a file runs there. Days
    in virtual time take thousands of requests, and the rules about time are the same on both
    stores."""
    seen: set[tuple[Path, str]] = set()
    left_out: list[pytest.Item] = []
    for item in items:
        if item.path.parent != HERE or item.path.name in ABOUT_STORES or not _on_dynamodb(item):
            continue
        ids = {(item.path, each) for mark in item.iter_markers("spec") for each in mark.args}
        if ids <= seen:
            left_out.append(item)
        seen |= ids
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def _on_dynamodb(item: pytest.Item) -> bool:
    called = getattr(item, "callspec", None)
    return called is not None and "dynamodb" in called.params.values()


@pytest.fixture(params=["sqlite", pytest.param("dynamodb", marks=needs_dynamodb)])
def open_desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """Opens desks with options. Checks at the end that nothing is broken or undelivered."""
    tables = request.getfixturevalue("dynamodb") if request.param == "dynamodb" else None
    opened: list[RemindersDesk] = []

    def open_(**options: object) -> RemindersDesk:
        opened.append(RemindersDesk(tmp_path, tables, **options))  # type: ignore[arg-type]
        return opened[-1]

    yield open_
    for desk in opened:
        assert desk.settle().problems() == []
        assert desk.dead_letters() == desk.known_letters
        desk.close()


@pytest.fixture
def desk(open_desk: Opened) -> RemindersDesk:
    return open_desk()
