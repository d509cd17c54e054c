"""The desks of this product: one list, in which each names its parts.

A part is loaded when it is first asked for, since most functions on AWS use few of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from frontdesk.values import Frozen

if TYPE_CHECKING:
    from frontdesk.engine.inspection import DeskChecks
    from frontdesk.store.dynamodb.tables import DeskItems
    from frontdesk.store.sqlite.tables import DeskTables


class DeskParts(Frozen):
    """Where the parts of one desk are. `name` is that of its folders, `code` is in its data."""

    name: str
    code: str

    def sqlite(self) -> DeskTables:
        found: DeskTables = self._part("store.sqlite", self.name.upper())
        return found

    def dynamodb(self) -> DeskItems:
        found: DeskItems = self._part("store.dynamodb", self.name.upper())
        return found

    def checks(self) -> DeskChecks:
        found: DeskChecks = self._part("desks", "doctor.CHECKS")
        return found

    def _part(self, folder: str, name: str) -> Any:
        module, _, attribute = f"frontdesk.{folder}.{self.name}.{name}".rpartition(".")
        return getattr(import_module(module), attribute)


DESKS: Final = (
    DeskParts("rsvp", "ev"),
    DeskParts("waitlist", "wl"),
    DeskParts("house", "fd"),
)
