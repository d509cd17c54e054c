"""Builds the console: the admin desk's pages, and the section of each other desk."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.routing import BaseRoute

from frontdesk.desks.admin import console as admin_console
from frontdesk.desks.admin import pages as admin_pages
from frontdesk.intake.sms import TextIn
from frontdesk.settings import Settings
from frontdesk.web.console.shell import Shell, install_shell
from frontdesk.wiring.application import Application
from frontdesk.wiring.desks import DESKS

if TYPE_CHECKING:
    from frontdesk.wiring.calendar import Pages


def routes(back: Application) -> list[BaseRoute]:
    office = admin_console.BackOffice(back.health, back.replay, TextIn(back).take, back.try_part)
    return [
        *admin_pages.routes(),
        *(route for desk in DESKS for route in desk.console_routes()),
        *admin_console.routes(office),
    ]


def install_console(app: Starlette, settings: Settings, openings: Pages | None = None) -> None:
    sections = [desk.console_section(settings) for desk in DESKS]
    calendar = [Shell(today=openings.today, settings=openings.settings)] if openings else []
    install_shell(app, _joined([admin_console.SECTION, *sections, *calendar]))


def _joined(sections: Iterable[Shell]) -> Shell:
    each = list(sections)
    names = Shell.__struct_fields__
    return Shell(**{name: tuple(chain(*(getattr(one, name) for one in each))) for name in names})
