"""Declares the parts that a desk may have, with a default for a desk without the part."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.routing import BaseRoute

    from frontdesk.engine.inspection import DeskChecks
    from frontdesk.features.calendars.push import CalendarPush
    from frontdesk.features.calendars.sync import CalendarSync
    from frontdesk.features.documents.sync import Documents
    from frontdesk.features.sheet_sync.sync import SheetSync
    from frontdesk.settings import Settings
    from frontdesk.store.dynamodb.tables import DeskItems
    from frontdesk.store.sqlite.tables import DeskTables
    from frontdesk.web.console.sections import ConsoleSection
    from frontdesk.web.home import HomeLink
    from frontdesk.web.links import LinkHandler
    from frontdesk.web.site import Site
    from frontdesk.wiring.application import Application
    from frontdesk.wiring.aws import AwsResources, RemoteWork
    from frontdesk.wiring.context import BuiltDesk, DeskContext, PeriodicTask


class DeskOnAws:
    """Names the parts of one desk on AWS. A desk without a part inherits the default."""

    calendars: str = ""
    """The kind of calendars that `calendar-sync` reads for it, as in a payload of that function."""
    fires_own_timers: bool = False
    """Its own function fires them, since it looks at many rows at once. One desk does so."""

    def install(
        self, _back: Application, _site: Site, _account: AwsResources, _remote: RemoteWork
    ) -> None:
        """Prepares its pages in the console."""
        return

    def open(self, _back: Application, _account: AwsResources) -> None:
        """Called before each hourly sweep: creates what must exist."""
        return

    def job_functions(self) -> Mapping[str, str]:
        """Returns the function of each kind of job that only this function can do, since it alone
        has the passwords."""
        return {}

    def sheet_sync(
        self, _back: Application, _account: AwsResources, *, changed: bool
    ) -> SheetSync | None:
        """Returns the sync of its table with a sheet. `changed` means that the table may have
        changed since the last sync."""
        del changed
        return None

    def sheet_follower(self) -> str:
        """Returns the name of the follower that writes facts into its sheet."""
        return ""

    def documents_in_drive(self, _back: Application, _account: AwsResources) -> Documents | None:
        """Returns its documents in Google Drive, which are copied to a bucket."""
        return None

    def calendar_sync(self, _back: Application, _account: AwsResources) -> CalendarSync | None:
        """Returns the sync of its `calendars`."""
        return None

    def calendar_push(self, _back: Application, _sync: CalendarSync) -> CalendarPush | None:
        """Returns its channels at Google, which calls when a calendar has changed."""
        return None


class DeskParts:
    """Names all parts of one desk. A desk without a part inherits the default."""

    name: str
    """The name of its folders."""
    public_paths: tuple[str, ...] = ()
    """The paths of its public pages, each with all paths below it, without links in messages."""
    console_paths: tuple[str, ...] = ()
    """The same for its pages in the console."""

    def public_at(self, settings: Settings) -> str:
        """Returns the address of the site that has its public pages."""
        return settings.base_url

    @property
    def package(self) -> str:
        """The package with its templates."""
        return f"frontdesk.desks.{self.name}"

    def sqlite(self) -> DeskTables:
        raise NotImplementedError

    def dynamodb(self) -> DeskItems:
        raise NotImplementedError

    def checks(self) -> DeskChecks:
        """Returns its checks for the doctor."""
        raise NotImplementedError

    def build(self, context: DeskContext) -> BuiltDesk:
        raise NotImplementedError

    def install(self, _back: Application, _site: Site) -> Sequence[PeriodicTask]:
        """Prepares its pages on one machine; returns its periodic tasks."""
        return ()

    def start(self, _site: Site) -> None:
        """Called when the server on one machine starts: creates what must exist."""
        return

    def on_aws(self) -> DeskOnAws:
        """Returns the parts that it has on AWS only."""
        return DeskOnAws()

    def public_routes(self, _settings: Settings) -> Sequence[BaseRoute]:
        """Returns its public pages and APIs."""
        return ()

    def home_link(self, _site: Site) -> HomeLink | None:
        """Returns its link on the home page; None while customers can do nothing there."""
        return None

    def links(self) -> Mapping[int, LinkHandler]:
        """Returns the link handlers by the number of their purpose."""
        return {}

    def console_routes(self, *, with_calendar: bool) -> Sequence[BaseRoute]:
        """`with_calendar` means that staff put openings into a calendar."""
        del with_calendar
        return ()

    def console_section(self, _settings: Settings, *, with_calendar: bool) -> ConsoleSection:
        from frontdesk.web.console.sections import ConsoleSection

        del with_calendar
        return ConsoleSection()
