"""The context in which a desk is built, and the result."""

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
    """Returns the current keys for links; they rotate at run time."""
    claim_keys: Callable[[], Keys]
    """The same for links about the waitlist, which have keys of their own on AWS."""
    ids: Callable[[], str]
    texts: Channel | None
    writer: Writer | None
    """Writes with a language model, if there is one."""
    reader: Callable[[], Reader] | None
    """Returns a model that reads requests beside the rules."""
    pictures: Callable[[], PictureReader | None]


class BuiltDesk(Frozen):
    desk: Desk
    bindings: tuple[Binding, ...] = ()
    """Reactions to facts of other desks."""
