"""The context in which a desk is built, the result, and tasks that the server repeats."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from frontdesk.connect.models.port import LanguageModel
from frontdesk.core.links import Keys
from frontdesk.core.messages import Channel
from frontdesk.engine.clock import Clock
from frontdesk.engine.desk import Desk
from frontdesk.engine.engine import Engine
from frontdesk.engine.follow import Binding
from frontdesk.engine.ports import Reads
from frontdesk.settings import Settings
from frontdesk.values import Frozen

if TYPE_CHECKING:
    from frontdesk.connect.embeddings.port import Names, NearestNames
    from frontdesk.reading.model import PictureReader, Reader


class DeskContext(Frozen, kw_only=True):
    settings: Settings
    reads: Callable[[], Reads]
    engine: Callable[[], Engine]
    """Returns the engine, once all desks are built."""
    clock: Clock
    keys: Callable[[], Keys]
    """Returns the current keys for links; they rotate at run time."""
    claim_keys: Callable[[], Keys]
    """The same for links about the waitlist, which have keys of their own on AWS."""
    ids: Callable[[], str]
    texts: Channel | None
    model: LanguageModel | None
    """The language model, if there is one."""
    reader: Callable[[], Reader] | None
    """Returns a model that reads requests beside the rules."""
    pictures: Callable[[], PictureReader | None]
    nearest: Callable[[Callable[[], Names]], NearestNames | None]
    """Builds the search for the nearest of some names; None without embeddings."""


class BuiltDesk(Frozen):
    desk: Desk
    bindings: tuple[Binding, ...] = ()
    """Reactions to facts of other desks."""


class PeriodicTask(Frozen):
    name: str
    turn: Callable[[], bool]
    """Does the work that is due; returns whether there was any."""
    every: Callable[[], timedelta]
    """Returns the time until the next turn."""
