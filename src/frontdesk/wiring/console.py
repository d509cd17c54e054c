"""What staff see and do, and how they sign in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.routing import BaseRoute

from frontdesk.desks.house import console as house_console
from frontdesk.desks.house import pages as house_pages
from frontdesk.desks.rsvp import console as rsvp_console
from frontdesk.desks.waitlist import console as waitlist_console
from frontdesk.textbox import TextIn
from frontdesk.web.console.shell import Shell, install_shell
from frontdesk.wiring.back_room import BackRoom

if TYPE_CHECKING:
    from frontdesk.wiring.calendar import Pages


def routes(back: BackRoom) -> list[BaseRoute]:
    office = house_console.BackOffice(back.health, back.replay, TextIn(back).take, back.try_part)
    return [
        *house_pages.routes(),
        *rsvp_console.routes(),
        *waitlist_console.routes(),
        *house_console.routes(office),
    ]


def install_console(app: Starlette, mail_domain: str, openings: Pages | None = None) -> None:
    install_shell(
        app,
        Shell(
            nav=(*house_console.NAV, *rsvp_console.NAV, *waitlist_console.NAV),
            today=(
                house_console.TODAY,
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
