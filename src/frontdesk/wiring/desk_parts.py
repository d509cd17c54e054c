"""Names the parts that a desk may have, with what holds for a desk without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.routing import BaseRoute

    from frontdesk.engine.inspection import DeskChecks
    from frontdesk.settings import Settings
    from frontdesk.store.dynamodb.tables import DeskItems
    from frontdesk.store.sqlite.tables import DeskTables
    from frontdesk.web.console.sections import Shell
    from frontdesk.web.links import LinkHandler
    from frontdesk.web.site import Site
    from frontdesk.wiring.application import Application
    from frontdesk.wiring.aws import AwsResources, Elsewhere
    from frontdesk.wiring.context import BuiltDesk, DeskContext, PeriodicTask


class DeskParts:
    """Names all parts of one desk. A desk without a part inherits the default."""

    name: str
    """The name of its folders."""
    public_paths: tuple[str, ...] = ()
    """Its public pages are there and below; links in messages are not among them."""
    console_paths: tuple[str, ...] = ()
    """The same for its pages in the console."""

    def public_at(self, settings: Settings) -> str:
        """Returns the address of the site that has its public pages."""
        return settings.base_url

    @property
    def package(self) -> str:
        """Has the folder of its templates."""
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

    def install_on_aws(
        self, _back: Application, _site: Site, _account: AwsResources, _elsewhere: Elsewhere
    ) -> None:
        """Prepares its console pages on AWS."""
        return

    def open_on_aws(self, _back: Application, _account: AwsResources) -> None:
        """Called before each hourly sweep on AWS: creates what must exist."""
        return

    def public_routes(self, _settings: Settings) -> Sequence[BaseRoute]:
        """Returns its public pages and APIs."""
        return ()

    def links(self) -> Mapping[int, LinkHandler]:
        """Returns the link handlers by the number of their purpose."""
        return {}

    def console_routes(self, *, with_calendar: bool) -> Sequence[BaseRoute]:
        """`with_calendar` means that staff put openings into a calendar."""
        del with_calendar
        return ()

    def console_section(self, _settings: Settings, *, with_calendar: bool) -> Shell:
        from frontdesk.web.console.sections import Shell

        del with_calendar
        return Shell()
