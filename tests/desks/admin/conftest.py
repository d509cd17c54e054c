"""Provides an installation for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.admin import AdminDesk, open_admin_desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[AdminDesk]:
    with open_admin_desk(tmp_path) as opened:
        yield opened
