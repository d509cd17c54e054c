"""The stores under test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from frontdesk.engine.ports import Store
from frontdesk.store.sqlite.rsvp import RSVP
from frontdesk.store.sqlite.store import SqliteStore


def sqlite_store(folder: Path) -> Store:
    return SqliteStore(folder / "frontdesk.db", [RSVP])


#: Each takes an empty folder and gives an empty store.
STORES: dict[str, Callable[[Path], Store]] = {"sqlite": sqlite_store}


@pytest.fixture(params=STORES.values(), ids=list(STORES))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = request.param(tmp_path)
    yield made
    made.close()
