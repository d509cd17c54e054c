"""The entry of the desk in the list of desks."""

from collections.abc import Sequence

from starlette.routing import BaseRoute

from frontdesk.engine.inspection import DeskChecks
from frontdesk.settings import Settings
from frontdesk.store.dynamodb.tables import DeskItems
from frontdesk.store.sqlite.tables import DeskTables
from frontdesk.web.console.sections import ConsoleSection
from frontdesk.wiring.context import BuiltDesk, DeskContext
from frontdesk.wiring.desk_parts import DeskParts
from frontdesk.wiring.senders import render_as_business, sender_profile
from tests.examples.desk_callbacks import desk, dynamodb, pages, sqlite


class Callbacks(DeskParts):
    name = "callbacks"
    package = "tests.examples.desk_callbacks"

    def sqlite(self) -> DeskTables:
        return sqlite.TABLES

    def dynamodb(self) -> DeskItems:
        return dynamodb.ITEMS

    def checks(self) -> DeskChecks:
        return DeskChecks(followed={"cb.tell": ("cb.coming",)})

    def build(self, context: DeskContext) -> BuiltDesk:
        sender = sender_profile(context.settings, context.keys)
        return BuiltDesk(desk.callbacks_desk(render_as_business(desk.MESSAGES, sender)))

    def public_routes(self, _settings: Settings) -> Sequence[BaseRoute]:
        return pages.PUBLIC

    def console_routes(self, *, with_calendar: bool) -> Sequence[BaseRoute]:
        return pages.CONSOLE

    def console_section(self, _settings: Settings, *, with_calendar: bool) -> ConsoleSection:
        return pages.SECTION
