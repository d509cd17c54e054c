"""The function `fd-console`: the console and its sign-in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from starlette.applications import Starlette
from starlette.routing import BaseRoute

from frontdesk.aws.container import Deployment
from frontdesk.aws.pages import Pages
from frontdesk.aws.remote_calls import (
    RemoteCalendar,
    RemoteDocuments,
    RemoteSheetSync,
    call_and_wait,
)
from frontdesk.aws.routing import Endpoint
from frontdesk.web.site import Site
from frontdesk.wiring.aws import Elsewhere
from frontdesk.wiring.console import install_console, routes
from frontdesk.wiring.desks import DESKS


def _routes(deployment: Deployment) -> Sequence[BaseRoute]:
    return routes(deployment.back, with_calendar=deployment.account.has_calendar)


def _furnish(site: Site, app: Starlette, deployment: Deployment) -> None:
    settings, account = deployment.settings, deployment.account
    install_console(app, settings, with_calendar=account.has_calendar)
    call = partial(call_and_wait, account.client)
    elsewhere = Elsewhere(RemoteSheetSync(call), RemoteDocuments(call), RemoteCalendar(call))
    for desk in DESKS:
        desk.install_on_aws(deployment.back, site, account, elsewhere)


fd_console = Pages(Endpoint.CONSOLE, _routes, _furnish)
