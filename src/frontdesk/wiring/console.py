"""What staff see and do, and how they sign in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.routing import BaseRoute

from frontdesk.desks.admin import console as admin_console
from frontdesk.desks.admin import pages as admin_pages
from frontdesk.desks.rsvp import console as rsvp_console
from frontdesk.desks.waitlist import console as waitlist_console
from frontdesk.textbox import TextIn
from frontdesk.web.console.shell import Shell, install_shell
from frontdesk.wiring.application import Application

if TYPE_CHECKING:
    from frontdesk.wiring.calendar import Pages


def routes(back: Application) -> list[BaseRoute]:
    office = admin_console.BackOffice(back.health, back.replay, TextIn(back).take, back.try_part)
    return [
        *admin_pages.routes(),
        *rsvp_console.routes(),
        *waitlist_console.routes(),
        *admin_console.routes(office),
    ]


def install_console(app: Starlette, mail_domain: str, openings: Pages | None = None) -> None:
    install_shell(
        app,
        Shell(
            nav=(*admin_console.NAV, *rsvp_console.NAV, *waitlist_console.NAV),
            today=(
                admin_console.TODAY,
                rsvp_console.TODAY,
                waitlist_console.TODAY,
                *(openings.today if openings else ()),
            ),
            places=(rsvp_console.PLACES, waitlist_console.PLACES),
            hostable=(rsvp_console.HOSTABLE,),
            settings=(
                *rsvp_console.SETTINGS,
                *waitlist_console.SETTINGS,
                *(openings.settings if openings else ()),
            ),
            addresses=(rsvp_console.addresses(mail_domain),),
        ),
    )
