"""What is chosen for a home has to be there."""

from __future__ import annotations

from pathlib import Path

import pytest

from frontdesk.errors import BadSettings
from frontdesk.settings import Settings
from frontdesk.wiring.one_machine import put_together


@pytest.mark.spec("FD-19")
def test_one_machine_does_not_take_what_only_aws_has(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="mailbox or smtp"):
        put_together(Settings(data_dir=tmp_path / "data", channel="ses"))

    assert not (tmp_path / "data").exists()
