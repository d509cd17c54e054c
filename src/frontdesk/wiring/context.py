"""What a desk is built from, and what it becomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from frontdesk.connect.models.writer import Writer
from frontdesk.core.links import Keys
from frontdesk.core.messages import Channel
from frontdesk.engine.clock import Clock
from frontdesk.engine.desk import Desk
from frontdesk.engine.follow import Binding
from frontdesk.engine.ports import Reads
from frontdesk.settings import Settings
from frontdesk.values import Frozen

if TYPE_CHECKING:
    from frontdesk.reading.model import PictureReader, Reader


class DeskContext(Frozen, kw_only=True):
    settings: Settings
    reads: Callable[[], Reads]
    clock: Clock
    keys: Callable[[], Keys]
    """Those that sign links now: they are exchanged while it runs."""
    claim_keys: Callable[[], Keys]
    """The same for links about the waitlist, which have keys of their own on AWS."""
    ids: Callable[[], str]
    texts: Channel | None
    writer: Writer | None
    """A language model that writes, where there is one."""
    reader: Callable[[], Reader] | None
    """One that reads requests beside our rules."""
    pictures: Callable[[], PictureReader | None]


class BuiltDesk(Frozen):
    desk: Desk
    bindings: tuple[Binding, ...] = ()
    """What it does about facts of others."""
