"""Updates an index of embedded names when staff change the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import blake2b
from typing import Final, Protocol

import msgspec

from frontdesk.connect.embeddings.port import Names
from frontdesk.connect.models.port import ModelFailed
from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.core.saved_settings import SavedSetting, WriteSetting
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Reads
from frontdesk.logs import log
from frontdesk.values import Frozen

BY: Final = "index"
#: The time after which an unchanged index is compared with the catalogue again.
AGAIN_AFTER: Final = timedelta(days=1)


class IndexState(Frozen):
    """A digest of the names in the index, and when they were last compared with the catalogue."""

    names: str = ""
    checked_at: datetime | None = None


class Reason(StrEnum):
    UNCHANGED = "unchanged"


class UpdatedIndex(Protocol):
    def update(self, names: Names) -> object:
        """Makes the index have these names and no others. Raises `ModelFailed`."""


class NameIndex(Frozen):
    engine: Engine
    clock: Clock
    desk: str
    names: Callable[[Reads], Names]
    index: UpdatedIndex

    def turn(self) -> bool:
        """Updates the index if the names changed, or once a day. Returns whether it did. A failure
        is logged and the next turn tries again."""
        reads, now = self.engine.reads(), self.clock.now()
        names, known = self.names(reads), reads.engine.setting(state_setting(self.desk))
        is_fresh = known.checked_at is not None and now - known.checked_at < AGAIN_AFTER
        if known.names == _digest(names) and is_fresh:
            return False
        try:
            changed = self.index.update(names)
        except ModelFailed as error:
            log("embedding.failed", denied=error.is_denied, why=str(error))
            return False
        log("catalogue.indexed", changed=str(changed))
        self._save(IndexState(_digest(names), now))
        return True

    def _save(self, state: IndexState) -> None:
        setting = state_setting(self.desk)

        def save(reads: Reads) -> Decision:
            before = reads.engine.setting(setting)
            if before == state:
                return Refused(Reason.UNCHANGED)
            return Accepted((WriteSetting(setting, before, state),))

        self.engine.store.decide(save, by=BY, at=self.clock.now())


def state_setting(desk: str) -> SavedSetting[IndexState]:
    return SavedSetting(f"{desk}.name_index", IndexState, IndexState())


def _digest(names: Names) -> str:
    listed = sorted((own, list(called)) for own, called in names.items())
    return blake2b(msgspec.json.encode(listed), digest_size=16).hexdigest()
