"""Builds the console: the admin desk's pages, and the section of each other desk."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.routing import BaseRoute

from frontdesk.desks.admin import console as admin_console
from frontdesk.desks.admin import pages as admin_pages
from frontdesk.intake.sms import TextIn
from frontdesk.settings import Settings
from frontdesk.web.console.sections import install_shell, joined
from frontdesk.wiring.application import Application
from frontdesk.wiring.desks import DESKS, switched_on


def routes(back: Application, *, with_calendar: bool | None = None) -> list[BaseRoute]:
    """`with_calendar` overrides the settings: whether staff put openings into a calendar."""
    if with_calendar is None:
        with_calendar = bool(back.settings.calendar_url)
    callbacks = admin_console.AdminCallbacks(
        back.health, back.replay, TextIn(back).take, back.try_part, back.out_of_reach
    )
    on = [desk for desk in DESKS if switched_on(desk, back.settings)]
    return [
        *admin_pages.routes(),
        *(route for desk in on for route in desk.console_routes(with_calendar=with_calendar)),
        *admin_console.routes(callbacks),
    ]


def install_console(
    app: Starlette, settings: Settings, *, with_calendar: bool | None = None
) -> None:
    if with_calendar is None:
        with_calendar = bool(settings.calendar_url)
    on = [desk for desk in DESKS if switched_on(desk, settings)]
    sections = [desk.console_section(settings, with_calendar=with_calendar) for desk in on]
    install_shell(app, joined([admin_console.SECTION, *sections]))
