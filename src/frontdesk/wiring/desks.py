"""The desks of this product: one list, in which each desk names its parts.

A part is imported when it is asked for, since a function on AWS uses few of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from frontdesk.engine.inspection import DeskChecks
    from frontdesk.store.dynamodb.tables import DeskItems
    from frontdesk.store.sqlite.tables import DeskTables


class DeskParts(Protocol):
    """Where everything of one desk is."""

    name: str
    """Of its folders."""

    def sqlite(self) -> DeskTables: ...
    def dynamodb(self) -> DeskItems: ...
    def checks(self) -> DeskChecks: ...


class Rsvp:
    name = "rsvp"

    def sqlite(self) -> DeskTables:
        from frontdesk.store.sqlite.rsvp import RSVP

        return RSVP

    def dynamodb(self) -> DeskItems:
        from frontdesk.store.dynamodb.rsvp import RSVP

        return RSVP

    def checks(self) -> DeskChecks:
        from frontdesk.desks.rsvp.doctor import CHECKS

        return CHECKS


class Waitlist:
    name = "waitlist"

    def sqlite(self) -> DeskTables:
        from frontdesk.store.sqlite.waitlist import WAITLIST

        return WAITLIST

    def dynamodb(self) -> DeskItems:
        from frontdesk.store.dynamodb.waitlist import WAITLIST

        return WAITLIST

    def checks(self) -> DeskChecks:
        from frontdesk.desks.waitlist.doctor import CHECKS

        return CHECKS


class Admin:
    name = "admin"

    def sqlite(self) -> DeskTables:
        from frontdesk.store.sqlite.admin import ADMIN

        return ADMIN

    def dynamodb(self) -> DeskItems:
        from frontdesk.store.dynamodb.admin import ADMIN

        return ADMIN

    def checks(self) -> DeskChecks:
        from frontdesk.desks.admin.doctor import CHECKS

        return CHECKS


DESKS: Final[tuple[DeskParts, ...]] = (Rsvp(), Waitlist(), Admin())
